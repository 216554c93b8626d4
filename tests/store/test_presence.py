"""Servers on one PostgreSQL: who is there, what they tell one another, and what becomes of the leases of the dead."""

from __future__ import annotations

import logging
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from gm.operation import EVERY_PART, Part
from gm.store import inbox, presence
from gm.store.database import Database, leaves_no_work
from gm.store.presence import Presence, parts_run
from gm.store.rows import end_leases
from tests.databases import fresh_postgresql
from tests.timing import HANGING

pytestmark = pytest.mark.long

NOW = datetime.now(UTC)

OTHER = """
import sys
from gm.store.presence import *
database = Database(sys.argv[1])
presence = Presence(database, {Part(word) for word in sys.argv[2:]})
"""
LOOKS = """
from gm.store import presence as module
module.LOOK_SECONDS = 0.1
presence.watch(print)
"""
LEASES = """
from datetime import UTC, datetime
from gm.store import inbox
with database.transaction() as session:
    inbox.next_new(session, datetime.now(UTC))
"""
WAITS = "print(1, flush=True); sys.stdin.readline()"


@pytest.fixture
def url(postgresql_server: str, migrated_postgresql: str) -> str:
    """A migrated database."""
    return fresh_postgresql(postgresql_server, migrated_postgresql)


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with Database(url) as database:
        yield database


def other_server(url: str, code: str = "", *parts: Part) -> subprocess.Popen[bytes]:
    """Another process that has registered and done this, and waits."""
    command = [sys.executable, "-c", OTHER + code + WAITS, url, *parts]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert other.stdout.readline() == b"1\n"
    return other


def accepted(database: Database) -> None:
    """A mail has arrived."""
    with database.transaction() as session:
        accept(session)


def accept(session: Session) -> None:
    """A mail arrives."""
    raw = f"Subject: {datetime.now(UTC)}\r\n\r\ny\r\n".encode()
    inbox.accept(session, inbox.ArrivedMail("smtp", raw, datetime.now(UTC)))


def held(database: Database) -> int:
    """How many mails are leased."""
    with database.reading() as session:
        leased = select(func.count()).where(inbox.InboxRow.leased_until.is_not(None))
        return session.scalar(leased) or 0


def test_what_a_dead_server_held_is_free_soon_and_what_a_living_one_holds_is_not(
    url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(presence, "GONE_SECONDS", 0.3)
    called = threading.Semaphore(0)
    here = Presence(database)
    for _ in range(2):
        accepted(database)
    dies, lives = other_server(url, LEASES), other_server(url, LEASES)
    assert held(database) == 2
    dies.kill()
    dies.wait()
    here.watch(lambda _: called.release())  # it has never seen that one
    while held(database) == 2:
        assert called.acquire(timeout=HANGING)
    assert held(database) == 1
    lives.communicate(b"\n")
    while held(database):
        assert called.acquire(timeout=HANGING)
    here.leave()


def test_a_server_that_stands_still_is_as_good_as_dead(
    url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(presence, "GONE_SECONDS", 0.3)
    monkeypatch.setattr(presence, "SILENT_SECONDS", 2.0)
    called = threading.Semaphore(0)
    here = Presence(database, EVERY_PART - {Part.DELIVERY})
    accepted(database)
    stands = other_server(url, LOOKS + LEASES, Part.DELIVERY)
    here.watch(lambda _: called.release())
    time.sleep(3)
    assert held(database) == 1
    assert parts_run(database) == EVERY_PART
    stands.send_signal(signal.SIGSTOP)
    while held(database):
        assert called.acquire(timeout=HANGING)
    assert parts_run(database) == EVERY_PART - {Part.DELIVERY}
    stands.send_signal(signal.SIGCONT)
    while Part.DELIVERY not in parts_run(database):
        assert stands.poll() is None
    stands.communicate(b"\n")
    here.leave()


def test_the_log_says_when_nobody_runs_a_part_and_when_all_are_run_again(
    url: str, database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(presence, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(presence, "GONE_SECONDS", 0.3)
    here = Presence(database, EVERY_PART - {Part.INTAKE})
    takes_mail = other_server(url, "", Part.INTAKE)
    here.watch(lambda _: None)

    def wait_for(words: str) -> logging.LogRecord:
        end = time.monotonic() + HANGING
        while not (found := [one for one in caplog.records if words in one.message]):
            assert time.monotonic() < end, caplog.text
            time.sleep(0.01)
        return found[-1]

    takes_mail.kill()
    takes_mail.wait()
    assert vars(wait_for("nobody runs these parts"))["parts"] == "intake"
    takes_mail = other_server(url, "", Part.INTAKE)
    wait_for("all parts are run again")
    takes_mail.communicate(b"\n")
    here.leave()


def test_a_server_that_starts_frees_what_the_dead_held_and_one_that_stops_what_it_held(
    url: str, database: Database
) -> None:
    accepted(database)
    dies = other_server(url, LEASES)
    beside = other_server(url)
    assert held(database) == 1
    dies.kill()
    dies.wait()
    here = Presence(database)  # not alone
    assert not held(database)
    with database.transaction() as session:
        assert inbox.next_new(session, NOW) is not None
    assert held(database) == 1
    here.leave()
    assert not held(database)
    beside.communicate(b"\n")


def test_a_server_hears_of_work_that_others_leave_and_of_nothing_else(url: str, database: Database) -> None:
    called = threading.Semaphore(0)
    here = Presence(database)
    here.watch(lambda _: called.release())
    with Database(url) as elsewhere:
        before = database.changes
        accepted(elsewhere)
        assert called.acquire(timeout=HANGING)
        assert database.changes != before, "what is known of the work is old"
        with elsewhere.transaction() as session:
            end_leases(session)  # nothing is written
        with elsewhere.transaction() as session:
            session.execute(text("UPDATE inbox SET note = 'x'"))
            leaves_no_work(session)
        assert not called.acquire(timeout=0.5)
        accepted(elsewhere)
        assert called.acquire(timeout=HANGING)
    here.leave()


def test_a_server_hears_to_which_tables_others_have_written(url: str, database: Database) -> None:
    heard: queue.SimpleQueue[Collection[str] | None] = queue.SimpleQueue()
    here = Presence(database)
    here.watch(heard.put)

    def about(tables: Collection[str] | None) -> bool:
        """Whether a server heard of just these."""
        while heard.get(timeout=HANGING) != tables:
            pass
        return True

    with Database(url) as elsewhere:
        accepted(elsewhere)
        assert about({"inbox"})
        with elsewhere.transaction() as session:
            accept(session)
            session.execute(text("SELECT * FROM account FOR UPDATE SKIP LOCKED"))
            session.execute(text("DELETE FROM account"))
            session.execute(text("WITH tried AS (UPDATE outbox SET tries = 1 RETURNING id) SELECT * FROM tried"))
        assert about({"inbox", "outbox"})
        with elsewhere.transaction() as session:
            session.execute(text("SELECT * FROM inbox FOR UPDATE"))
            session.execute(text("DELETE FROM inbox"))  # that leaves no work
        with elsewhere.transaction() as session:
            accept(session)
            session.rollback()
        elsewhere.does_itself = lambda: frozenset({"inbox"})
        accepted(elsewhere)
        with elsewhere.transaction() as session:
            accept(session)
            session.execute(text("UPDATE account SET name = 'x'"))
        assert heard.get(timeout=HANGING) == {"account"}
    here.leave()


def test_the_others_look_for_work_when_a_server_leaves_which_holds_nothing(
    url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "GONE_SECONDS", 1e9)
    heard: queue.SimpleQueue[Collection[str] | None] = queue.SimpleQueue()
    here = Presence(database)
    with Database(url) as elsewhere:
        leaves = Presence(elsewhere)
        here.watch(heard.put)
        leaves.watch(lambda _: None)
        assert heard.get(timeout=HANGING) is None, "it has come"
        elsewhere.does_itself = lambda: frozenset({"inbox", "outbox"})
        leaves.leave()
        assert heard.get(timeout=HANGING) is None
    here.leave()


def test_who_is_there_is_not_looked_up_at_all_that_is_told(
    url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0
    look = Presence._look

    def counted(here: Presence) -> None:
        nonlocal looks
        looks += 1
        look(here)

    monkeypatch.setattr(Presence, "_look", counted)
    monkeypatch.setattr(presence, "LOOK_SECONDS", 3600)
    heard: queue.SimpleQueue[Collection[str] | None] = queue.SimpleQueue()
    here = Presence(database)
    here.watch(heard.put)
    with Database(url) as elsewhere:
        for _ in range(20):
            accepted(elsewhere)
            assert heard.get(timeout=HANGING) == {"inbox"}
    here.leave()
    assert looks == 1


def test_a_server_hears_again_after_its_connection_broke(
    url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(presence, "_PAUSE", 0.01)
    called = threading.Semaphore(0)
    here = Presence(database, {Part.REPORTS})
    here.watch(lambda _: called.release())
    with Database(url) as elsewhere:
        with elsewhere.transaction() as session:
            listening = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
            assert session.execute(text(listening)).all()
        assert called.acquire(timeout=HANGING), "it looks for what it has missed"
        assert parts_run(elsewhere) == {Part.REPORTS}
        while called.acquire(timeout=0.2):
            pass
        accepted(elsewhere)
        assert called.acquire(timeout=HANGING)
    here.leave()


def test_nobody_is_told_by_a_server_that_is_alone(url: str, database: Database) -> None:
    here = Presence(database)
    assert not database.tells
    called = threading.Semaphore(0)
    here.watch(lambda _: called.release())
    other = other_server(url)
    assert called.acquire(timeout=HANGING)
    end = time.monotonic() + HANGING
    while not database.tells:
        assert time.monotonic() < end
        time.sleep(0.01)
    other.communicate(b"\n")
    here.leave()


def test_which_parts_are_run(url: str, database: Database) -> None:
    assert parts_run(database) == frozenset()
    one = other_server(url, "", Part.INTAKE, Part.DELIVERY)
    assert parts_run(database) == {Part.INTAKE, Part.DELIVERY}
    two = other_server(url, "", Part.INTAKE, Part.REPORTS, Part.DEADLINES)
    assert parts_run(database) == EVERY_PART
    one.kill()
    one.wait()
    while Part.DELIVERY in (left := parts_run(database)):
        pass
    assert left == EVERY_PART - {Part.DELIVERY}
    two.communicate(b"\n")
