"""The store: each module has the rows of one subject and their statements. Importing any of them defines all tables."""

from gm.store import agenda, game_rows, inbox, ledger, order_rows, outbox, people, question_rows, records, ways

__all__ = [
    "agenda", "game_rows", "inbox", "ledger", "order_rows", "outbox", "people", "question_rows", "records", "ways",
]  # fmt: skip
