"""`gm move` and `gm upgrade`: a server with a game of each kind goes to PostgreSQL and back, and nobody can tell."""

from __future__ import annotations

import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import parseaddr
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import select, text

from gm import folder
from gm.cli import main
from gm.errors import ConfigurationError
from gm.inbound.acceptance import accept
from gm.settings import load
from gm.settings.editing import with_value
from gm.store.copying import counts, tables, transfer
from gm.store.database import Database
from gm.store.inbox import ArrivedMail
from gm.store.presence import Presence, is_served, no_server
from gm.variants import all_variants
from tests.databases import fresh_postgresql, migrated_sqlite, without_gaps
from tests.server.world import BASE, World, reply_to, text_of
from tests.store.setting import lay_table
from tests.tables import table
from tests.variants.written import WRITTEN

pytestmark = pytest.mark.long(seconds=20)

MASTER = "master@example.org"
QUESTIONS = ("STATUS", "POSITION", "HISTORY ALL", "WHOAMI\nLIST MINE", "MY ORDERS", "SUMMARY")
OF_THE_CHAIR = ("DASHBOARD", "LOG", "PRESS TO ALL\nHello\nENDPRESS")

Mail = tuple[str, str, bytes]
"""Sender, recipient, and the mail as bytes."""


@dataclass
class Recorded(World):
    """A server at any database, of which every mail is kept as it was sent."""

    sent: list[tuple[str, str, bytes]] = field(default_factory=list)

    def at(self, url: str, time: datetime) -> Recorded:
        """The same at another database, and at a time."""
        self.database.dispose()
        self.database, self.time = Database(url), time
        self.restart()
        return self

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
        self.sent.append((envelope_from, recipient, raw))
        super().deliver(raw, envelope_from, recipient)

    def answers(self, mails: Sequence[Mail]) -> list[tuple[str, str, bytes]]:
        """All mails that are sent when these have come, and when a deadline has passed after them."""
        self.sent.clear()
        for sender, to, raw in mails:
            assert accept(self.service, ArrivedMail("smtp", raw, self.time, (parseaddr(to)[1],), sender))
            self.work()
        self.pass_time(hours=50)
        self.database.dispose()
        return list(self.sent)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, datetime]:
    """The folder of a server with a game of each kind in which a phase was played, and the time there."""
    home = tmp_path_factory.mktemp("played") / "home"
    assert main(["init", "--home", str(home), "--address", BASE]) == 0
    (home / "gm.key").write_text((b"k" * 32).hex())  # that of `World`
    world = Recorded(home, limits=0)
    for variant, game in ((name, all_variants()[name]) for name in WRITTEN):
        name = f"a-{variant}"
        chair = reply_to(world.send(MASTER, BASE, f"CREATE {name} variant={variant} nmr=random first=24h"))
        for number in range(max(game.seating.fewest, 2)):
            wish = "" if game.seating.powers else f" AS Power{'abcdefghijkl'[number]}"
            world.send(f"p{number}@players.example", BASE, f"JOIN {name}{wish}")
        world.send(MASTER, chair, f"START {name}")
    world.pass_time(hours=25)
    world.pass_time(hours=25)
    phases = [world.game(f"a-{name}").phase for name in WRITTEN]
    assert [phase and phase.number for phase in phases] == [2] * len(phases)
    world.database.dispose()
    return home, world.time


def opened(home: Path, time: datetime) -> Recorded:
    """The server in a folder, by its configuration, at a time."""
    world = Recorded(home, limits=0).at(load(home, {}).database.url, time)
    settings = replace(load(home, {}).server, limits=0)
    world.service = replace(world.service, identity=replace(world.service.identity, settings=settings))
    return world


def backed_up(home: Path, name: str) -> Path:
    """A server's folder that is restored from a backup of one."""
    archive, new = home.with_name(f"{name}.tar.gz"), home.with_name(name)
    assert main(["backup", str(archive), "--home", str(home)]) == 0
    assert main(["restore", str(archive), "--home", str(new)]) == 0
    assert load(new, {}).key == load(home, {}).key
    assert rows(new) == rows(home)
    return new


def rows(home: Path) -> dict[str, list[str]]:
    """All rows of a server's database."""
    with Database(load(home, {}).database.url) as database, database.reading() as session:
        every = {table.name: select(table).order_by(table.c.id) for table in tables()}
        return {name: [repr(tuple(row)) for row in session.execute(those)] for name, those in every.items()}


def asked(world: World, number: int) -> list[Mail]:
    """What a player and the gamemaster of each game ask, in mails that are the same for every server."""
    mails = []
    for game in map(world.game, map("a-{}".format, WRITTEN)):
        holders = ((seat, QUESTIONS) for seat in game.held[:1])
        chairs = ((seat, OF_THE_CHAIR) for seat in game.masters)
        for seat, questions in (*holders, *chairs):
            assert seat.person is not None
            to = world.service.identity.address_of(game, seat)
            for place, question in enumerate(questions):
                mark = f"<{number}.{game.name}.{seat.id}.{place}@example.org>"
                raw = world.mail(seat.person.reachable, to, question, message_id=mark)
                mails.append((seat.person.reachable, to, raw))
    return mails


def test_a_game_of_each_kind_is_answered_alike_before_and_after(
    played: tuple[Path, datetime], tmp_path: Path, postgresql_server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """There and back, and restored from a backup, of either database."""
    home, time = tmp_path / "moved", played[1]
    shutil.copytree(played[0], home)
    world = opened(home, time)
    first, second = asked(world, 1), asked(world, 2)
    world.database.dispose()
    stayed = opened(backed_up(home, "stayed"), time)
    expected = stayed.answers(first)
    later = stayed.time
    expected_later = stayed.answers(second)
    assert len(expected) > len(first)

    url = fresh_postgresql(postgresql_server, "template1")
    assert main(["move", "--home", str(home), "--to", url.replace("+psycopg", "")]) == 0
    assert load(home, {}).database.url == url
    (home / "gm.sqlite3").unlink()
    moved = world.at(without_gaps(url), time)
    assert moved.answers(first) == expected
    assert "gm.sqlite3" in {path.name for path in backed_up(home, "from-postgresql").iterdir()}

    assert main(["move", "--home", str(home), "--to", "sqlite:///back.sqlite3"]) == 0
    back = world.at(load(home, {}).database.url, later)
    assert back.database.is_sqlite
    assert back.answers(second) == expected_later
    said = capsys.readouterr()
    assert "compared, row by row" in said.out


def test_a_game_of_each_kind_moves_to_another_domain_and_back(played: tuple[Path, datetime], tmp_path: Path) -> None:
    home, time = tmp_path / "home", played[1]
    shutil.copytree(played[0], home)
    domains = ("example.org", "new.example.net", "example.org")
    for before, after in pairwise(domains):
        old = opened(home, time)
        everybody = [(sender, to) for sender, to, _ in asked(old, 1)]
        old.database.dispose()
        assert main(["move", "--address", f"gm@{after}", "--home", str(home)]) == 0
        world = opened(home, time)
        for sender, to in dict.fromkeys(everybody):
            assert to.endswith(f"@{before}")
            answer = world.send(sender, to, "STATUS")
            assert f"moved from gm@{before}: its address is now gm@{after}" in " ".join(text_of(answer).split())
            assert reply_to(answer) == to.replace(f"@{before}", f"@{after}")
            again = world.send(sender, reply_to(answer), "STATUS")
            assert "moved from" not in text_of(again)
        assert len(everybody) > 2 * len(WRITTEN)
        world.pass_time(hours=25)
        world.database.dispose()
        time = world.time


# what is refused


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A server that has not begun."""
    assert main(["init", "--home", str(tmp_path / "home")]) == 0
    (tmp_path / "home" / "gm.sqlite3").write_bytes(migrated_sqlite())
    return tmp_path / "home"


def database(home: Path) -> Database:
    return Database(load(home, {}).database.url)


def test_a_server_that_runs_is_not_moved(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with database(home) as running:
        presence = Presence(running)
        assert main(["move", "--home", str(home), "--to", "sqlite:///other.sqlite3"]) == 1
        presence.close()
    assert "A server is running" in capsys.readouterr().err
    assert load(home, {}).database.url.endswith("/gm.sqlite3")


def test_a_server_on_postgresql_that_runs_is_seen(postgresql_server: str) -> None:
    with Database(fresh_postgresql(postgresql_server, "template1")) as running:
        running.migrate()
        assert not is_served(running)
        presence = Presence(running)
        assert is_served(running)
        presence.close()
        with no_server(running) as alone:
            assert alone
            assert is_served(running), "nobody else may begin"


@table("""
    to                          | status | because
    sqlite:///gm.sqlite3        | 1      | is there already
    sqlite:///used.sqlite3      | 1      | has rows
    sqlite:///foreign.sqlite3   | 1      | tables of another program
    sqlite:///text.sqlite3      | 1      | not a SQLite database
    sqlite:///nowhere/gm.sqlite3| 1      | No such file
    mysql://gm@db.example.org/x | 2      | write postgresql://
""")
def test_where_a_server_cannot_go(
    home: Path, to: str, status: str, because: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copyfile(home / "gm.sqlite3", home / "used.sqlite3")
    with Database(f"sqlite:///{home / 'used.sqlite3'}") as used, used.transaction() as session:
        lay_table(session)
    with closing(sqlite3.connect(home / "foreign.sqlite3")) as foreign:
        foreign.execute("CREATE TABLE birds (id INTEGER)")
    (home / "text.sqlite3").write_text("Dear diary, " * 1000)
    before = (home / "gm.toml").read_text()
    try:
        given = main(["move", "--home", str(home), "--to", to])
    except SystemExit as left:
        given = int(str(left.code))
    assert (str(given), (home / "gm.toml").read_text()) == (status, before)
    assert because in capsys.readouterr().err


def test_a_copy_that_differs_is_not_kept(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The disk of the new database writes what it was not given."""
    other = Database(f"sqlite:///{home / 'other.sqlite3'}")
    other.migrate()
    with other.engine.begin() as connection:
        change = "BEGIN UPDATE account SET name = 'Eve' WHERE id = new.id; END"
        connection.execute(text(f"CREATE TRIGGER bad AFTER INSERT ON account {change}"))
    with database(home) as mine, mine.transaction() as session:
        lay_table(session)
    assert main(["move", "--home", str(home), "--to", "sqlite:///other.sqlite3"]) == 1
    assert "Row 1 of the table account is not the same in the copy" in capsys.readouterr().err
    assert not any(counts(other).values())
    assert load(home, {}).database.url.endswith("/gm.sqlite3")
    other.dispose()


def test_the_environment_is_named_when_it_overrides_the_configuration(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GM_DATABASE_URL", "sqlite:///gm.sqlite3")
    assert main(["move", "--home", str(home), "--to", "sqlite:///other.sqlite3"]) == 0
    assert "change GM_DATABASE_URL" in capsys.readouterr().out
    assert load(home, {}).database.url.endswith("/gm.sqlite3")


def test_new_rows_are_numbered_after_those_that_were_copied(home: Path, postgresql_server: str) -> None:
    with database(home) as mine, mine.transaction() as session:
        lay_table(session)
    with database(home) as mine, Database(fresh_postgresql(postgresql_server, "template1")) as other:
        transfer(mine, other, lambda *_: None)
        with other.transaction() as session:
            assert lay_table(session, "autumn").game.id == 2


# the schema


@pytest.mark.parametrize("check", [True, False])
def test_an_older_database(
    home: Path, tmp_path: Path, check: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next program has one more migration."""
    newer = shutil.copytree(folder("migrations"), tmp_path / "newer")
    newest = max(one.stem for one in (newer / "versions").glob("b*.py")).partition("_")[0]
    (newer / "versions" / "z002_next.py").write_text(
        f"from alembic import op\nrevision, down_revision = 'z002', '{newest}'\n"
        "def upgrade():\n    op.create_index('ix_log_kind', 'log', ['kind'])\n"
    )
    monkeypatch.setattr("gm.store.schema.folder", lambda name: newer)
    before, beside = (home / "gm.sqlite3").read_bytes(), sorted(home.glob("gm.sqlite3*"))
    capsys.readouterr()
    command = ["upgrade", "--home", str(home)]
    assert main([*command, "--check"] if check else command) == 0
    said = capsys.readouterr().out
    assert f"is at revision {newest}. This gm works with z002." in said
    with database(home) as found:
        assert found.is_current() is not check
        assert found.altered() == [] or check
    if check:
        assert "It can be upgraded: z002. " in said
        assert sorted(home.glob("gm.sqlite3*")) == beside
        assert len((home / "gm.sqlite3").read_bytes()) == len(before)


def test_a_current_and_a_newer_database(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["upgrade", "--home", str(home), "--check"]) == 0
    assert "Nothing needs to be done" in capsys.readouterr().out
    with closing(sqlite3.connect(home / "gm.sqlite3")) as live, live:
        live.execute("UPDATE alembic_version SET version_num = 'z999'")
    assert main(["upgrade", "--home", str(home), "--check"]) == 1
    assert "a newer one has used it" in capsys.readouterr().err


def test_a_check_makes_no_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--home", str(tmp_path)]) == 0
    assert main(["upgrade", "--home", str(tmp_path), "--check"]) == 0
    assert "does not exist yet" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gm.key", "gm.toml"]


# the configuration


@table(r"""
    before                                           | after
    [database]\nurl = "a"\n# why\n[send]\nurl = "x"  | [database]\nurl = "b"\n# why\n[send]\nurl = "x"\n
    [database]\n[send]\nurl = "x"\n                  | [database]\nurl = "b"\n[send]\nurl = "x"\n
    [database]\n# where\n#url = "a"\npool = 1      | [database]\n# where\nurl = "b"\npool = 1\n
    [database]\n# url = "a"\nurl = "c"              | [database]\n# url = "a"\nurl = "b"\n
    # [database]\n#url = "a"                         | # [database]\n#url = "a"\n\n[database]\nurl = "b"\n
    [ database ] # here\n  url="a" # old             | [ database ] # here\nurl = "b"\n
    database = { url = "a" }                         | -
    database.url = "a"                               | -
    [database]\nurl = '''\na'''                    | -
""")
def test_one_value_is_changed_or_none(before: str, after: str) -> None:
    text = before.replace(r"\n", "\n")
    try:
        changed = with_value(text, "database", "url", "b")
    except ConfigurationError:
        changed = "-"
    assert changed == after.replace(r"\n", "\n")


def test_a_move_to_a_full_disk_leaves_no_file(tmp_path: Path) -> None:
    home, there = tmp_path / "home", tmp_path / "there"
    there.mkdir()
    assert main(["init", "--home", str(home)]) == 0
    with Database(f"sqlite:///{home}/gm.sqlite3") as database:
        database.migrate()
    call = [sys.executable, "-m", "gm", "move", "--home", str(home), "--to", f"sqlite:///{there}/x.sqlite3"]
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (100_000, 100_000))
    done = subprocess.run(call, preexec_fn=limit, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert list(there.iterdir()) == [], done.stderr
