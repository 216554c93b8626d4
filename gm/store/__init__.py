"""The store: each file holds the rows of one subject and their statements. Importing anything of it makes every table
known."""

from gm.store import agenda, game_rows, inbox, ledger, order_rows, outbox, people, question_rows, records

__all__ = ["agenda", "game_rows", "inbox", "ledger", "order_rows", "outbox", "people", "question_rows", "records"]
