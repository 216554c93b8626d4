"""What is asked about a server's state: each problem is provoked, and found by whoever asks."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import text

from gm.errors import ConfigurationError
from gm.games.identity import ServerIdentity
from gm.operation import Part
from gm.server import condition
from gm.server.condition import INSPECTIONS, MARK, Asked, Finding, Weight, claim, inspected, problem, stamp
from gm.settings import ServerSettings
from gm.store import game_rows, inbox
from gm.store.about import about, change
from gm.store.database import BUSY_SECONDS, Database
from gm.store.presence import Presence
from tests.store.setting import NOW

KEY = bytes(range(32))


@pytest.fixture
def asked(database: Database, tmp_path: Path) -> Asked:
    """A server that has been started once."""
    home = tmp_path / "home"
    home.mkdir()
    server = Asked(database, ServerIdentity(ServerSettings("gm@example.org"), KEY), NOW, home)
    claim(server)
    return server


def problems(asked: Asked, weight: Weight = Weight.TELL) -> dict[str, Finding]:
    """What is to be mended, by name."""
    return {one.name: finding for one, finding in inspected(asked, weight) if finding.is_problem}


def execute(asked: Asked, *statements: str) -> Asked:
    with asked.database.transaction() as session:
        for statement in statements:
            session.execute(text(statement))
    return asked


# ---- one problem each


def another_key(asked: Asked) -> Asked:
    return replace(asked, identity=replace(asked.identity, key=bytes(32)))


def another_address(asked: Asked) -> Asked:
    return replace(asked, identity=replace(asked.identity, settings=ServerSettings("gm@example.net")))


def without_a_column(asked: Asked) -> Asked:
    return execute(asked, "ALTER TABLE press DROP COLUMN manner")


def with_a_column(asked: Asked) -> Asked:
    return execute(asked, "ALTER TABLE press ADD COLUMN mood INTEGER")


def without_a_trigger(asked: Asked) -> Asked:
    with asked.database.reading() as session:
        row = about(session)
        assert row is not None
        trigger = next(line.split()[1] for line in row.made if line.startswith("trigger"))
    table, _, name = trigger.partition(".")
    return execute(asked, f"DROP TRIGGER {name}" + ("" if asked.database.is_sqlite else f" ON {table}"))


def without_rows(asked: Asked) -> Asked:
    return execute(asked, "DELETE FROM about")


def without_tables(asked: Asked) -> Asked:
    if asked.database.is_sqlite:
        asked.database.dispose()
        Path(str(asked.database.url.database)).write_bytes(b"")
        return asked
    return execute(asked, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")


def another_database(asked: Asked) -> Asked:
    return execute(asked, "UPDATE about SET database = 'another'")


def clock_set_back(asked: Asked) -> Asked:
    with asked.database.transaction() as session:
        mail = inbox.ArrivedMail(
            "smtp", b"From: ann@example.org\r\n\r\nHi", NOW, ("gm@example.org",), "ann@example.org"
        )
        inbox.accept(session, mail)
        session.execute(text("UPDATE inbox SET state = 'done'"))
    return replace(asked, now=NOW - timedelta(hours=3))


def late_backup(asked: Asked) -> Asked:
    with asked.database.transaction() as session:
        change(session, backed_up_at=NOW - timedelta(days=8), backed_up_to="/backups/gm.tar.gz")
    return asked


def never_a_backup(asked: Asked) -> Asked:
    return replace(asked, now=NOW + timedelta(days=8))


def other_settings(asked: Asked) -> Asked:
    assert asked.home is not None
    read = asked.home / "gm.toml"
    read.write_text("# as it was")
    server = replace(asked, files={read: stamp(read)})
    assert problems(server) == {}
    read.unlink()
    return server


def rules_that_are_gone(asked: Asked) -> Asked:
    with asked.database.transaction() as session:
        for name, rules in {"a": "lost/1", "b": "lost/1", "c": "standard/1", "d": "standard/1/0badf11e"}.items():
            game_rows.create_game(session, name=name, options={"rules": rules}, seed="00", now=NOW)
    states = {"b": "running", "d": "finished"}
    return execute(asked, *(f"UPDATE game SET state = '{state}' WHERE name = '{one}'" for one, state in states.items()))


class Provoked(NamedTuple):
    """How a problem is made, which inspection finds it, whom it stops, and words of it and of its remedy."""

    how: Callable[[Asked], Asked]
    name: str
    weight: Weight
    words: str
    remedy: str


PROVOKED = (
    Provoked(another_key, "key", Weight.START, "another key", "gm move --key"),
    Provoked(another_address, "address", Weight.START, "that of gm@example.org", "gm move --address gm@example.net"),
    Provoked(without_a_column, "schema", Weight.START, "column press.manner", "gm restore"),
    Provoked(with_a_column, "schema", Weight.START, "column press.mood integer (added)", "gm move --to"),
    Provoked(without_a_trigger, "schema", Weight.START, "(missing)", "gm move --to"),
    Provoked(without_rows, "database", Weight.START, "has been emptied", "gm restore"),
    Provoked(without_tables, "database", Weight.START, "has been emptied", "gm restore"),
    Provoked(another_database, "database", Weight.START, "not the database that this server has had", MARK),
    Provoked(clock_set_back, "clock", Weight.WORK, "but a mail came at", "timedatectl"),
    Provoked(late_backup, "backup", Weight.TELL, "The last backup was made on", "--keep 14"),
    Provoked(other_settings, "configuration", Weight.TELL, "gm.toml is another one", "restart the server"),
    Provoked(rules_that_are_gone, "games", Weight.TELL, "a and 1 more cannot go on. This game", "put back the file"),
    Provoked(never_a_backup, "backup", Weight.TELL, "No backup was ever made", "--keep 14"),
)


def test_a_server_that_is_well_has_no_problem(asked: Asked) -> None:
    assert problems(asked) == {}
    claim(asked)
    assert problems(asked) == {}


@pytest.mark.parametrize("provoked", PROVOKED, ids=lambda one: one.how.__name__)
def test_a_problem_is_found_and_stops_whom_it_must(provoked: Provoked, asked: Asked) -> None:
    server = provoked.how(asked)
    found = problems(server)
    assert [*found] == [provoked.name]
    assert provoked.words in found[provoked.name].words
    assert provoked.remedy in found[provoked.name].remedy
    for weight in Weight:
        assert (problem(server, weight) is not None) == (weight >= provoked.weight)
    if provoked.weight is Weight.START:
        with pytest.raises(ConfigurationError) as refused:
            claim(server)
        assert refused.value.remedy == found[provoked.name].remedy


@pytest.mark.parametrize("database_kind", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("free", "name", "weight"), [(9_000_000, "disk", Weight.WORK), (99_000_000, "space", Weight.TELL)]
)
def test_a_disk_that_is_full_or_nearly_so(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, free: int, name: str, weight: Weight
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 0, free))
    assert [*problems(asked)] == [name]
    assert (problem(asked, Weight.WORK) is not None) == (weight <= Weight.WORK)


@pytest.mark.parametrize("database_kind", ["sqlite"], indirect=True)
def test_a_folder_that_cannot_be_written(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    assert "cannot be written" in problems(asked, Weight.WORK)["disk"].words


@pytest.mark.parametrize("database_kind", ["sqlite"], indirect=True)
def test_a_damaged_file(asked: Asked) -> None:
    asked.database.dispose()
    file = Path(str(asked.database.url.database))
    for end in ("-wal", "-shm"):
        Path(f"{file}{end}").unlink(missing_ok=True)
    file.write_bytes(b"Dear diary, " * 1000)
    assert "gm restore" in problems(asked)["database"].remedy
    assert [*problems(asked)] == ["database"], "nothing else is asked of it"
    file.unlink()
    assert "not there any more" in problems(asked)["database"].words


@pytest.mark.parametrize("database_kind", ["sqlite"], indirect=True)
def test_a_file_that_is_emptied_under_a_server_is_known_at_once(asked: Asked) -> None:
    """Who opened it would wait for the server, which holds the locks of a file that is no more."""
    with asked.database.engine.connect() as held, closing(held.exec_driver_sql("SELECT database FROM about")):
        Path(str(asked.database.url.database)).write_bytes(b"")
        began = time.monotonic()
        found = problems(replace(asked, database=Database(asked.database.url.render_as_string())))
        assert "has been emptied" in found["database"].words
        assert time.monotonic() - began < BUSY_SECONDS / 2


@pytest.mark.parametrize("database_kind", ["postgresql"], indirect=True)
def test_parts_that_nobody_runs(asked: Asked) -> None:
    here = Presence(asked.database, {Part.INTAKE})
    with closing(here):
        assert [*problems(asked)] == ["servers"]


def test_a_server_keeps_the_address_that_it_had(asked: Asked) -> None:
    """One that is named in `also` is moved from; the other way round it is not known."""
    moved = ServerSettings("gm@example.net", also=("GM@example.org",))
    there = replace(asked, identity=replace(asked.identity, settings=moved))
    assert problems(there) == {}
    claim(there)
    assert [*problems(asked)] == ["address"]


def test_every_inspection_says_what_it_asks() -> None:
    assert all(one.question.endswith("?") for one in INSPECTIONS)
    weights = [one.weight for one in INSPECTIONS]
    assert weights == sorted(weights), "the gravest come first"
    assert condition.LITTLE_BYTES > condition.NO_BYTES
