"""Which servers are running at a database: each registers with the parts that it runs, hears when another has left
work, and ends the leases of those that are gone.

On SQLite it is a lock on a file beside the database, which ends with its process; all servers are on one machine, and
none has to hear of another. On PostgreSQL a connection of its own holds advisory locks, which end with it: one for all
servers, one for each server's number, under which it holds leases, and one for each part. Work that is left is told
there by NOTIFY (`Database.transaction`). When that connection breaks the server makes another one; meanwhile it looks
for work from time to time, as on SQLite.
"""

from __future__ import annotations

import fcntl
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

from sqlalchemy import Connection, Select, func, select, text
from sqlalchemy.exc import DBAPIError

from gm.errors import GmError
from gm.operation import EVERY_PART, Part
from gm.ownership import not_written
from gm.store.database import CHANNEL, Database, translate_errors
from gm.store.rows import end_leases

log = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
"""How often a server looks which others are there."""
SILENT_SECONDS = 30.0
"""A server that has not looked for so long stands still: it is as if it were not there."""
GONE_SECONDS = 10.0
"""A server that was missing for so long is gone, and its leases are ended: one whose connection broke has made another
by then."""

Wake: TypeAlias = Callable[[Collection[str] | None], object]
"""What is called with the names of the tables to which others have written; None when that is not known."""


def _lock_of(database: Database) -> int:
    file = Path(f"{database.url.database}.lock")
    try:
        return os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise not_written(file, error) from error


def _is_alone(lock: int) -> bool:
    """Whether no server holds this lock; then we do."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def no_server(database: Database) -> Iterator[bool]:
    """Whether no server is running at this database; if so, none can begin its work within the block."""
    if database.is_sqlite:
        lock = _lock_of(database)
        try:
            yield _is_alone(lock)
        finally:
            os.close(lock)
        return
    with translate_errors(), database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as own:
        own.detach()  # its lock ends with it
        yield bool(own.scalar(select(func.pg_try_advisory_lock(_PRESENCE))))


def is_served(database: Database) -> bool:
    """Whether a server is running at this database."""
    with no_server(database) as alone:
        return not alone


def parts_run(database: Database) -> frozenset[Part]:
    """The parts that are run at this PostgreSQL, by all servers together; none when no server is running."""
    with translate_errors(), database.engine.connect() as connection:
        return _parts_run(connection)


class Presence:
    """Registers a running server, with the `parts` that it runs, until `close` or the end of its process. Ends the
    leases of servers that are gone, and all leases when it is the only one.
    """

    def __init__(self, database: Database, parts: Collection[Part] = EVERY_PART) -> None:
        self._database, self._parts = database, parts
        self._held = ExitStack()
        self._closing = threading.Event()
        self._watching: threading.Thread | None = None
        self._wake: Wake = lambda _: None
        self._began = time.monotonic()
        self._others: frozenset[int] = frozenset()
        """The numbers of servers that were there when we looked, or from which we have heard since."""
        self._missing: dict[int, float] = {}
        """The numbers of servers that are not there any more, and since when, by time.monotonic()."""
        self._left_out: frozenset[Part] = frozenset()
        """The parts that no server runs."""
        if database.is_sqlite:
            lock = _lock_of(database)
            self._held.callback(os.close, lock)
            if _is_alone(lock):
                with database.transaction() as session:
                    end_leases(session)
            fcntl.flock(lock, fcntl.LOCK_SH)
            return
        self._number = secrets.randbelow(2**31 - 1) + 1
        with translate_errors():
            alone, here = self._register()
        database.holder = self._number
        with database.transaction() as session:
            end_leases(session, but=None if alone else here)
        self._tell()
        self._others = here - {self._number}
        database.tells = bool(self._others)

    def watch(self, wake: Wake) -> None:
        """From now on call `wake`, in a thread, when another server may have left work, and end the leases of those
        that go.
        """
        self._wake = wake
        if not self._database.is_sqlite:
            self._watching = threading.Thread(target=self._watch, name="presence", daemon=True)
            self._watching.start()

    def leave(self) -> None:
        """Unregister the server, which has ended its work: what it has leased is free at once."""
        self._closing.set()
        if not self._database.is_sqlite:
            with suppress(GmError), self._database.transaction() as session:  # its leases end without that, later
                end_leases(session, of=self._number)
                session.execute(self._telling)
        if self._watching is not None:
            self._watching.join(LOOK_SECONDS)  # that has woken it
        self.close()

    def close(self) -> None:
        """Unregister the server as its death does."""
        self._closing.set()
        self._held.close()

    # ---- on PostgreSQL

    def _register(self) -> tuple[bool, frozenset[int]]:
        """Whether there is no other server, and the numbers of all that are there."""
        self._held.close()
        own = self._held.enter_context(self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT"))
        own.detach()  # its locks end with it, so it is not shared
        self._own = own
        self._held.callback(_unlock_all, own)
        for option in _KEPT_ALIVE:
            own.execute(text(f"SET {option}"))
        own.execute(text(f"LISTEN {CHANNEL}"))
        alone = bool(own.scalar(select(func.pg_try_advisory_lock(_PRESENCE))))
        own.execute(select(func.pg_advisory_lock(_SERVERS, self._number)))
        for number, part in enumerate(Part):
            if part in self._parts:
                own.execute(select(func.pg_advisory_lock_shared(_PARTS, number)))
        own.execute(select(func.pg_advisory_lock_shared(_PRESENCE)))
        if alone:
            own.execute(select(func.pg_advisory_unlock(_PRESENCE)))
        return alone, _locked(own, _SERVERS)

    @property
    def _telling(self) -> Select[Any]:
        """The statement that has the others look: at who is there, and for work of any kind."""
        return select(func.pg_notify(CHANNEL, str(self._number)))

    def _tell(self) -> None:
        """Have the others look: at who is there, and for work."""
        self._own.execute(self._telling)

    def _watch(self) -> None:
        is_lost, looked = False, -inf
        while not self._closing.is_set():
            try:
                if is_lost:
                    self._register()  # whoever is not here yet may come soon
                    is_lost = False
                    log.warning("servers hear of each other again")
                    self._wake_up()
                heard = self._heard(looked + LOOK_SECONDS - time.monotonic())
                is_any = any(not tables for tables in heard)
                if heard:
                    self._wake_up(None if is_any else frozenset().union(*heard))
                if is_any or time.monotonic() >= looked + LOOK_SECONDS:
                    self._look()
                    looked = time.monotonic()
            except Exception as error:
                if not is_lost:
                    log.warning("the connection on which servers hear of each other is lost: %s", error)
                is_lost = True
                self._database.tells = True
                self._closing.wait(_PAUSE)

    def _heard(self, seconds: float) -> list[frozenset[str]]:
        """Wait for so long for what other servers tell: the tables to which each has written, none for any."""
        driver: Any = self._own.connection.dbapi_connection
        notices = driver.notifies(timeout=max(seconds, 0.0), stop_after=1)  # and what came with it
        heard = [one.payload.split() for one in notices]
        others = [(int(number), frozenset(tables)) for number, *tables in heard if int(number) != self._number]
        self._others |= {number for number, _ in others if number}  # it may be gone before we look
        return [tables for _, tables in others]

    def _wake_up(self, tables: Collection[str] | None = None) -> None:
        self._database.is_changed()
        self._wake(tables)

    def _look(self) -> None:
        """See who is there, and end the leases of those who are gone."""
        now, here = time.monotonic(), _locked(self._own, _SERVERS)
        others = here - {self._number}
        self._missing |= dict.fromkeys(self._others - others, now)
        gone = [number for number, since in self._missing.items() if now - since >= GONE_SECONDS or number in here]
        dead = [number for number in gone if number not in here]
        if dead:
            log.warning("another server is gone: what it was doing is done here", extra={"servers": len(dead)})
            with self._database.transaction() as session:
                for number in dead:
                    end_leases(session, of=number)
            self._wake_up()
        for number in gone:
            del self._missing[number]
        if not self._missing and now - self._began >= GONE_SECONDS:  # servers may be started one after another
            self._see_what_is_run()
        begins = others and not self._database.tells
        self._others, self._database.tells = others, bool(others)
        if begins:  # it has not heard of what was done before
            self._tell()

    def _see_what_is_run(self) -> None:
        """Log when no server runs a part any more, and when all are run again."""
        left_out = EVERY_PART - _parts_run(self._own)
        if left_out - self._left_out:
            names = ",".join(part for part in Part if part in left_out)
            log.warning("nobody runs these parts: start a server that does", extra={"parts": names})
        elif self._left_out and not left_out:
            log.warning("all parts are run again")
        self._left_out = left_out


def _parts_run(connection: Connection) -> frozenset[Part]:
    found = _locked(connection, _PARTS)
    return frozenset(part for number, part in enumerate(Part) if number in found)


def _locked(connection: Connection, kind: int) -> frozenset[int]:
    """The numbers of the advisory locks of a kind that anybody holds who does not stand still."""
    return frozenset(connection.execute(_HELD, {"kind": kind, "silent": SILENT_SECONDS}).scalars())


def _unlock_all(connection: Connection) -> None:
    with suppress(DBAPIError):  # it may be gone, and its locks with it
        connection.execute(select(func.pg_advisory_unlock_all()))


_PRESENCE = 0x676D_6865_7265
"""The number of the advisory lock of servers that are running: "gmhere"."""
_SERVERS, _PARTS = 0x676D_7376, 0x676D_7074
"""The kinds of the locks for each server's number, and for each part: "gmsv" and "gmpt"."""
_HELD = text(
    "SELECT CAST(objid AS bigint) FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)"
    " WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = CAST(:kind AS bigint)"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND coalesce(state_change > clock_timestamp() - make_interval(secs => :silent), true)"
)
_KEPT_ALIVE = ("tcp_keepalives_idle = 10", "tcp_keepalives_interval = 5", "tcp_keepalives_count = 3")
"""A machine that has lost its power or its network is noticed after half a minute."""
_PAUSE = 1.0
"""How long to wait before another connection is made, in seconds."""
