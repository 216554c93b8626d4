"""Held work after a kill: freed by a server that is alone at its database, left to its holder by any other."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import func, select

from gm.store import inbox, ways
from gm.store.database import Database
from gm.store.presence import Presence, is_served
from tests.databases import fresh_postgresql
from tests.timing import HANGING

pytestmark = pytest.mark.long

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def leased_once_more(database: Database) -> bool:
    """Whether the mail could be taken up, which leases it again."""
    with database.transaction() as session:
        return inbox.next_new(session, NOW) is not None


def test_a_server_ends_leases_when_it_is_alone_or_their_holders_are_known_to_be_gone(database: Database) -> None:
    with database.transaction() as session:
        inbox.accept(session, inbox.ArrivedMail("smtp", b"Subject: x\r\n\r\ny\r\n", NOW))
    assert leased_once_more(database)
    assert not leased_once_more(database)

    first = Presence(database)
    assert leased_once_more(database)
    second = Presence(database)
    assert not leased_once_more(database), "the first server may be working on it"

    first.close()
    third = Presence(database)
    if database.is_sqlite:
        assert not leased_once_more(database), "the second server may be working on it"
    else:
        assert leased_once_more(database), "the first server had it"
    assert not leased_once_more(database)

    second.close()
    third.close()
    last = Presence(database)
    assert leased_once_more(database)
    last.close()


def test_whether_a_server_is_running_at_a_file(tmp_path: Path) -> None:
    with Database(f"sqlite:///{tmp_path / 'gm.sqlite3'}") as database:
        database.migrate()
        assert not is_served(database)
        presence = Presence(database)
        assert is_served(database)
        presence.close()
        assert not is_served(database)


def test_a_server_on_postgresql_that_was_killed_is_gone_at_once(postgresql_server: str) -> None:
    with Database(fresh_postgresql(postgresql_server, "template1")) as database:
        database.migrate()
        url = database.url.render_as_string(hide_password=False)
        code = "import sys; from gm.store.presence import *; Presence(Database(sys.argv[1])); print(1); input()"
        other = subprocess.Popen([sys.executable, "-u", "-c", code, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert other.stdout is not None
        assert other.stdout.readline() == b"1\n"
        with database.transaction() as session:
            ways.open_way(session, "smtp", NOW, shared=False)
        beside = Presence(database)
        beside.close()
        with database.transaction() as session:
            assert ways.open_way(session, "smtp", NOW, shared=False)[0] == "smtp #2", "the other is running"
        other.kill()
        other.wait()
        end = time.monotonic() + HANGING
        while time.monotonic() < end:
            alone = Presence(database)
            with database.reading() as session:
                held = session.scalar(select(func.count()).where(ways.WayRow.leased_until.is_not(None)))
            alone.close()
            if not held:
                break
        with database.transaction() as session:
            assert ways.open_way(session, "smtp", NOW, shared=False)[0] == "smtp", "it takes over its own way"
