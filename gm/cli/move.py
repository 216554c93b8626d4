"""`gm move`: from SQLite to PostgreSQL or back. `gm upgrade`: the schema of the database, before a server starts."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gm.cli import at, load
from gm.cli.rekeying import standing_still, to_address, to_key, with_a_key
from gm.errors import ConfigurationError, NotNow
from gm.settings import Settings
from gm.settings.editing import change
from gm.store.copying import is_there, known_revision, opened, snapshot, transfer
from gm.store.database import Database
from gm.store.schema import revisions

VARIABLE = "GM_DATABASE_URL"
"""The environment variable that overrides the configuration's database."""

_EVERY = 2.0


class Progress:
    """Says on standard error how far long work is: nothing in its first seconds, then a line every other second."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _EVERY

    def __call__(self, what: str, done: int, many: int) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _EVERY
            print(f"{what}: {done:,} of {many:,} rows", file=sys.stderr, flush=True)


def main(given: argparse.Namespace) -> int:
    """Copy all rows into another database, and have the configuration name it."""
    if given.key:
        return to_key(with_a_key(given.home))
    settings = load(given.home)
    if given.address:
        return to_address(settings, given.address)
    there = load(given.home, {**os.environ, VARIABLE: given.to}).database.url
    if there == settings.database.url:
        raise NotNow("The server's database is there already.", "Name another one with --to.")
    with opened(settings.database.url) as source, Database(there) as target:
        known_revision(target)  # before anything is written beside what is another program's
        with standing_still(source), _all_or_no_file(target), standing_still(target):
            many = transfer(source, target, Progress())
            print(f"{sum(many.values()):,} rows of {len(many)} tables were copied and compared, row by row.")
            return _configure(settings, given.to)


def _configure(settings: Settings, url: str) -> int:
    """Name the new database in the configuration, or say what is to be done."""
    file = settings.secret_files[0]
    print("The old database is as it was: delete it when the new one has proved itself.")
    if VARIABLE in os.environ:
        print(f"The environment names the old one: change {VARIABLE} before you start the server.")
        return 0
    try:
        change(file, "database", "url", url)
    except ConfigurationError as error:
        raise ConfigurationError(error.problem, "Write url = with the new database under [database] in it.") from error
    print(f"{file} names the new one. Next: `gm check {at(settings.home)}`, and start the server.")
    return 0


@contextmanager
def _all_or_no_file(target: Database) -> Iterator[None]:
    """Remove the files of a SQLite database that the block makes and then cannot fill."""
    made = not is_there(target)
    try:
        yield
    except BaseException:
        if made:
            target.dispose()
            for end in ("", "-wal", "-shm", ".lock"):
                Path(f"{target.url.database}{end}").unlink(missing_ok=True)
        raise


# the schema


def upgrade(given: argparse.Namespace) -> int:
    """Upgrade the schema, or say whether that is possible; 1 if it is not."""
    with Database(load(given.home).database.url) as database:
        found = known_revision(database)
        print(f"The database {_is_at(found)}. This gm works with {revisions()[-1]}.")
        if found == revisions()[-1]:
            print("Nothing needs to be done.")
        elif given.check:
            _check(database, found)
        else:
            with standing_still(database):
                database.migrate()
            print(f"It is now at revision {revisions()[-1]}.")
    return 0


def _is_at(found: str | None) -> str:
    return "does not exist yet" if found is None else f"is at revision {found}"


def _check(database: Database, found: str | None) -> None:
    """Say what an upgrade would do; on SQLite it is tried with a copy."""
    if found is None:
        print("It is made when the server starts.")
        return
    known = revisions()
    print(f"It can be upgraded: {', '.join(known[known.index(found) + 1 :])}. Make a backup first: `gm backup FILE`.")
    if database.is_sqlite:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "copy.sqlite3"
            snapshot(database, file, Progress())
            with Database(f"sqlite:///{file}") as copy:
                copy.migrate()
        print(f"That was done with a copy of it, in {time.monotonic() - began:.1f} seconds.")
