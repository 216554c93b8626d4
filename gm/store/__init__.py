"""The store: each module has the rows of one subject and their statements. Importing any of them defines all tables."""

from gm.store import agenda, bounce_rows, game_rows, inbox, ledger, order_rows, outbox, people, question_rows, records

__all__ = [
    "agenda",
    "bounce_rows",
    "game_rows",
    "inbox",
    "ledger",
    "order_rows",
    "outbox",
    "people",
    "question_rows",
    "records",
]
