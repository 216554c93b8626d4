"""The database layer. Each module holds the tables of one subject and their statements; importing any of them defines
all tables.
"""

from gm.store import agenda, bounce_rows, game_rows, inbox, outbox, people, records, senders

__all__ = ["agenda", "bounce_rows", "game_rows", "inbox", "outbox", "people", "records", "senders"]
