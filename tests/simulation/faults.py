"""What goes wrong in the server's own process: it dies at a commit or between an effect and its acknowledgement, and
its disk is full.
"""

from __future__ import annotations

import sqlite3
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy import Connection, Dialect, event
from sqlalchemy.exc import OperationalError

from gm.store.database import _READING, Database

_PLUMBING = frozenset({"gm.store.database", "gm.games.transaction", "gm.server"})
"""The modules that open and close transactions for others."""

MOST_COMMANDS = 200_000
"""The servers give so many commands in one event only if something in them never ends."""

_EACH = 3
"""How often a process dies in one run at a place at which it is aimed."""


class Broken(BaseException):
    """A promise is broken. Nothing in the server may catch this."""


class Crash(BaseException):
    """The process dies here. Nothing in it may catch this."""


@dataclass
class Points:
    """All places where a process can die, how often it passed them, and how often it died there."""

    passed: Counter[str] = field(default_factory=Counter)
    crashed: Counter[str] = field(default_factory=Counter)
    aims: tuple[str, ...] = ()
    """The places where it is to die above all."""
    asked: int = 0
    """How many commands the servers have given in this event, to their database and to mail servers."""
    _left: int = 0
    """The process dies after so many places, 0 for no crash."""
    _targets: set[str] = field(default_factory=set)
    """It dies at the next of these, at each once."""

    def set(self, number: int) -> None:
        """Choose crashes by this number: even, after so many places; odd, at the places that are aimed at, and at those
        that have had the fewest crashes."""
        if number % 2 == 0 or not self.passed:
            self._left = number // 2 % 40 + 1
            return
        self._targets = {place for place in self.aims if self.crashed[place] < _EACH}
        rarest = sorted(self.passed, key=lambda place: (self.crashed[place], self.passed[place]))
        self._targets.update(rarest[: 1 + len(rarest) // 16])

    def asks(self, command: str) -> None:
        """A server gives a command. Raises Broken when it never ends to."""
        self.asked += 1
        if self.asked > MOST_COMMANDS:
            raise Broken(f"a step never ends: {MOST_COMMANDS:,} commands in one event, at last {command[:90]}")

    def disarm(self) -> None:
        """There is no crash to come."""
        self._left, self._targets = 0, set()

    def dies(self, place: str) -> bool:
        """Whether the process that passes this place dies there."""
        self.passed[place] += 1
        over = self._left == 1
        self._left -= self._left > 0
        if not over and place not in self._targets:
            return False
        self._targets.discard(place)
        self.crashed[place] += 1
        return True


def place_of_commit() -> str:
    """Which `with` block of gm is being committed."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith("gm.") and name not in _PLUMBING:
            line = frame.f_lineno - frame.f_code.co_firstlineno
            return f"{name}.{frame.f_code.co_name}+{line}"
        frame = frame.f_back
    return "?"


def watch_commits(
    database: Database,
    passes: Callable[[str], None],
    is_full: Callable[[str], bool],
    asks: Callable[[str], None],
) -> None:
    """Call `passes` before and after every commit, and `asks` before every statement; while the disk `is_full` at a
    "commit" or a "statement" that writes, or somebody else has a "lock", these fail.
    """
    engine = database.engine

    def commit(really: Callable[[], None]) -> None:
        place = place_of_commit()
        passes(f"{place} before")
        if is_full("commit"):
            raise _full(database)
        really()
        passes(f"{place} after")

    def execute(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asks(statement)
        if not statement.startswith(("INSERT", "UPDATE")):
            return
        if is_full("statement"):
            raise OperationalError(statement, {}, _full(database))
        if not database.is_sqlite and is_full("lock"):
            raise OperationalError(statement, {}, _locked(database))

    def begin(connection: Connection) -> None:
        if not connection.get_execution_options().get(_READING) and is_full("lock"):
            raise OperationalError("BEGIN IMMEDIATE", {}, _locked(database))

    if database.is_sqlite:
        event.listen(engine, "begin", begin, insert=True)
    event.listen(engine, "connect", lambda _, record: record.info.update(commit=commit))
    engine.dialect.do_commit = partial(_commit, engine.dialect)  # type: ignore[method-assign]
    event.listen(engine, "before_cursor_execute", execute)


def _commit(dialect: Dialect, connection: Any) -> None:
    """Commit on a connection of one of the engines that share a dialect, as that engine is watched."""
    really = partial(type(dialect).do_commit, dialect, connection)
    connection.info.get("commit", _unwatched)(really)


def _unwatched(really: Callable[[], None]) -> None:
    really()


def _full(database: Database) -> Exception:
    """What the driver raises when the disk is full."""
    return _of_driver(database, "SQLITE_FULL", "database or disk is full", "DiskFull")


def _locked(database: Database) -> Exception:
    """What the driver raises when somebody else has held a lock for too long."""
    return _of_driver(database, "SQLITE_BUSY", "database is locked", "LockNotAvailable")


def _of_driver(database: Database, name: str, words: str, of_postgresql: str) -> Exception:
    if database.is_sqlite:
        error = sqlite3.OperationalError(words)
        error.sqlite_errorname = name
        return error
    import psycopg.errors

    found: Exception = getattr(psycopg.errors, of_postgresql)(words)
    return found
