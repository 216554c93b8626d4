"""The database layer. Each module holds the tables of one subject and their statements; importing any of them defines
all tables.
"""

from gm.store import agenda, game_rows, inbox, outbox, people, records, senders, sent, sights, ways

__all__ = ["agenda", "game_rows", "inbox", "outbox", "people", "records", "senders", "sent", "sights", "ways"]
