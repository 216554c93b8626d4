"""Held work after a kill: freed by a server that is alone at its database, left to its holder by any other."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from gm.cli.serve import Presence, is_served
from gm.store import inbox
from gm.store.database import Database

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def leased_once_more(database: Database) -> bool:
    """Whether the mail could be taken up, which leases it again."""
    with database.transaction() as session:
        return inbox.next_new(session, NOW) is not None


def test_only_a_server_that_is_alone_ends_leases(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'gm.sqlite3'}")
    database.migrate()
    with database.transaction() as session:
        inbox.accept(session, inbox.ArrivedMail("smtp", b"Subject: x\r\n\r\ny\r\n", NOW))
    assert leased_once_more(database)
    assert not leased_once_more(database)

    assert not is_served(database)
    first = Presence(database)
    assert is_served(database)
    assert leased_once_more(database)
    second = Presence(database)
    assert not leased_once_more(database), "the first server may be working on it"

    first.close()
    third = Presence(database)
    assert not leased_once_more(database), "the second server may be working on it"

    second.close()
    third.close()
    last = Presence(database)
    assert leased_once_more(database)
    last.close()
    database.dispose()
