"""`gm backup` and `gm restore`: what comes back is what was there, or it does not come back at all."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import sqlite3
import stat
import tarfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import select, text

from gm import variants
from gm.cli import keeping, main
from gm.cli.check import findings
from gm.cli.move import Progress
from gm.errors import ConfigurationError, Temporary
from gm.settings import load
from gm.settings.editing import change, outside_in
from gm.store import copying
from gm.store.about import about
from gm.store.copying import counts, snapshot, tables, why_unsound
from gm.store.database import Database
from gm.store.presence import Presence
from tests.databases import migrated_sqlite
from tests.store.setting import lay_table

pytestmark = pytest.mark.long


@pytest.fixture
def home(tmp_path: Path, new_url: Callable[[bool], str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A server with a game, with a password in a file, at a database of either kind; it is running."""
    monkeypatch.setattr(variants, "_own", ())  # its own games are forgotten afterwards
    home = tmp_path / "home"
    assert main(["init", "--home", str(home), "--mode", "imap", "--address", "gm@example.org"]) == 0
    (home / "mail.password").write_text("secret\n")
    (home / "variants").mkdir()
    (home / "variants" / "mine.toml").write_text('title = "Mine"\nlike = "crowded"\n')
    change(home / "gm.toml", "games", "folder", "variants")
    change(home / "gm.toml", "database", "url", new_url(True).replace("+psycopg", ""))
    with Database(load(home, {}).database.url) as database, database.transaction() as session:
        lay_table(session)
    return home


def rows(home: Path) -> dict[str, list[object]]:
    """All that a server's database has."""
    with Database(load(home, {}).database.url) as database, database.reading() as session:
        return {
            table.name: [repr(tuple(row)) for row in session.execute(select(table).order_by(table.c.id))]
            for table in tables()
        }


def test_a_server_that_runs_is_backed_up_and_restored(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive, new = tmp_path / "gm.tar.gz", tmp_path / "new" / "home"
    with Database(load(home, {}).database.url) as database:
        presence = Presence(database)
        assert main(["backup", str(archive), "--home", str(home)]) == 0
        presence.close()
        many = counts(database)
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.glob(".gm-*")] == []
    with tarfile.open(archive) as tar:
        assert tar.getnames()[0] == "manifest.json"
        manifest = json.load(tar.extractfile("manifest.json") or io.BytesIO())
    assert (manifest["rows"], manifest["server"]) == (many, "gm@example.org")
    before = rows(home)
    shutil.rmtree(home)

    assert main(["restore", str(archive), "--home", str(new)]) == 0
    assert f"gm check --home {new}" in capsys.readouterr().out
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in new.rglob("*") if path.is_file()} == dict.fromkeys(
        ("gm.toml", "gm.key", "gm.sqlite3", "gm.database", "mail.password", "mine.toml"), 0o600
    )
    assert load(new, {}).database.url == f"sqlite:///{new / 'gm.sqlite3'}"
    assert load(new, {}).imap is not None
    assert rows(new) == before


def test_what_is_written_meanwhile_is_not_in_a_copy(database: Database, tmp_path: Path) -> None:
    """A copy is of one moment, whatever the server does while it is made."""
    with database.transaction() as session:
        lay_table(session)
    names = iter(range(1000))

    def busy(*_: object) -> None:
        with database.transaction() as session:
            lay_table(session, f"game{next(names)}")

    before = counts(database)
    assert snapshot(database, tmp_path / "copy.sqlite3", busy) == before
    with Database(f"sqlite:///{tmp_path / 'copy.sqlite3'}") as copy:
        assert counts(copy) == before
    assert database.is_sqlite or counts(database)["game"] > before["game"]


def test_long_work_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    seconds = iter((0, 1, 3, 3, 4, 6, 6))
    monkeypatch.setattr("gm.cli.move.time.monotonic", lambda: next(seconds))
    progress = Progress()
    for done in (500, 1000, 1500, 2000):
        progress("copying outbox", done, 123_456)
    assert capsys.readouterr().err.splitlines() == [
        "copying outbox: 1,000 of 123,456 rows",
        "copying outbox: 2,000 of 123,456 rows",
    ]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A backup of a server whose key lies elsewhere."""
    home, key = tmp_path / "home", tmp_path / "elsewhere.key"
    assert main(["init", "--home", str(home)]) == 0
    (home / "gm.key").rename(key)
    change(home / "gm.toml", "server", "key_file", str(key))
    (home / "gm.sqlite3").write_bytes(migrated_sqlite())
    assert main(["backup", str(tmp_path / "gm.tar.gz"), "--home", str(home)]) == 0
    return tmp_path / "gm.tar.gz"


def test_a_key_from_elsewhere_comes_into_the_new_folder(archive: Path, tmp_path: Path) -> None:
    key = load(tmp_path / "home", {}).key
    (tmp_path / "elsewhere.key").unlink()
    assert main(["restore", str(archive), "--home", str(tmp_path / "new")]) == 0
    assert load(tmp_path / "new", {}).key == key


@pytest.mark.parametrize("there", ["gm.toml", "gm.key", "gm.sqlite3"])
def test_a_folder_with_a_server_is_refused(
    archive: Path, tmp_path: Path, there: str, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new"
    new.mkdir()
    (new / there).write_text("precious")
    assert main(["restore", str(archive), "--home", str(new)]) == 1
    assert f"has a server: {there}" in capsys.readouterr().err
    assert [(path.name, path.read_text()) for path in new.iterdir()] == [(there, "precious")]


def altered(archive: Path, name: str, content: Callable[[bytes], bytes]) -> None:
    """Change one file in an archive."""
    with tarfile.open(archive) as tar:
        files = [(one, (tar.extractfile(one) or io.BytesIO()).read()) for one in tar.getmembers()]
    with tarfile.open(archive, "w:gz") as tar:
        for one, was in files:
            now = content(was) if one.name == name else was
            one.size = len(now)
            tar.addfile(one, io.BytesIO(now))


def _manifest(**values: object) -> Callable[[bytes], bytes]:
    return lambda was: json.dumps({**json.loads(was), **values}).encode()


@pytest.mark.parametrize(
    ("name", "content", "because"),
    [
        ("gm.key", lambda _was: b"00" * 32, "gm.key in it is not what was backed up"),
        ("manifest.json", lambda _was: b"[]", "cannot be read"),
        ("manifest.json", lambda was: b" " + was[:-9], "cannot be read"),
        ("manifest.json", _manifest(form=99), "this gm reads 1"),
        ("manifest.json", _manifest(rows={"game": 7}), "does not have the rows"),
        ("manifest.json", lambda was: was.replace(b'"rows": {', b'"rows": {"x": "y",'), "cannot be read"),
        ("manifest.json", lambda _was: b"[" * 100_000, "cannot be read"),
        ("manifest.json", _manifest(files=[1, 2]), "cannot be read"),
        ("manifest.json", _manifest(files={"gm.key": 3}), "cannot be read"),
        ("manifest.json", _manifest(server=3), "cannot be read"),
        ("manifest.json", _manifest(server="gm@x.example\nDone."), "cannot be read"),
        ("manifest.json", _manifest(made_at="\x1b[31m"), "cannot be read"),
        ("manifest.json", _manifest(gm="1" * 10_000), "cannot be read"),
        (
            "manifest.json",
            _manifest(files=dict.fromkeys(("gm.toml", "gm.key", "gm.sqlite3", "gm.key/games/x.toml"), "00")),
            "It has 'gm.key' as a file and as the folder of 'gm.key/games/x.toml'.",
        ),
        ("manifest.json", _manifest(files={"gm.toml": "00", "gm.key": "00"}), "It has no gm.sqlite3"),
        *(
            ("manifest.json", _manifest(files={other: "00"}), f"It has a file {other!r}; `gm backup` writes none")
            for other in (
                *("../gm.key", "/gm.key", "./gm.key", "gm\n.key", "keys//gm.key", "keys/../gm.key", "", "keys/"),
                *(".bashrc", ".ssh/authorized_keys", "keys/.env", "gm.py", "sqlalchemy/__init__.py", "x.pth", "x.so"),
                *("Makefile", "ssh/authorized_keys", "config", "hooks/pre-commit", "keys", "monkey", "a key.sh"),
                *(
                    "gm.sqlite3-journal",
                    "gm.sqlite3-wal",
                    "other.sqlite3",
                    "gallery/index.html",
                    "a.key.sh",
                    "a.json.py",
                ),
            )
        ),
        ("manifest.json", lambda was: was + b" " * (1 << 20), "'manifest.json' has 1,04"),
        (
            "gm.key",
            lambda _: b"0" * (1 + (1 << 20)),
            "'gm.key' has 1,048,577 bytes; at most 1,048,576 are unpacked",
        ),
        ("gm.toml", lambda was: was + b"#" * (1 << 20), "Do not trust it"),
        ("manifest.json", _manifest(files=dict.fromkeys(map(str, range(99)), "00")), "It has 99 files"),
    ],
)
def test_an_archive_that_was_changed_leaves_nothing(
    archive: Path, tmp_path: Path, name: str, content: Callable[[bytes], bytes], because: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    altered(archive, name, content)
    assert main(["restore", str(archive), "--home", str(tmp_path / "new")]) == 1
    assert because in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_database_larger_than_the_disk_is_not_unpacked(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10_000_000))
    assert main(["restore", str(archive), "--home", str(tmp_path / "new")]) == 1
    said = capsys.readouterr().err
    assert f"The disk of '{tmp_path}/new' is too small: its database needs 10." in said
    assert "MB, with what a server keeps free, and 10.0 MB are free. Free some space, or name a folder on" in said
    assert not (tmp_path / "new").exists()


TAR_TYPES = {
    "a symbolic link": (tarfile.SYMTYPE, "gm.toml"),
    "a hard link": (tarfile.LNKTYPE, "gm.toml"),
    "a pipe": (tarfile.FIFOTYPE, ""),
    "a device": (tarfile.CHRTYPE, ""),
    "a folder": (tarfile.DIRTYPE, ""),
}


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        *(
            (name, True)
            for name in (
                "mail.password",
                "keys/dkim.2026.pem",
                "token",
                "smtp-password",
                "variants/Chaos II.toml",
                "über.key",
            )
        ),
        *((name, False) for name in ("run.sh", ".key", "keys/.env", "conftest.py")),
    ],
)
def test_what_is_backed_up_can_be_restored_by_its_name(home: Path, name: str, kept: bool) -> None:
    path = home / name
    path.parent.mkdir(exist_ok=True)
    change(home / "gm.toml", "imap", "password_file", name)
    path.write_text("secret\n")
    assert (name in keeping._secrets(load(home, {}))) is kept


@pytest.mark.parametrize("kind", TAR_TYPES)
@pytest.mark.parametrize("name", ["manifest.json", "gm.key"])
def test_only_plain_files_are_read(
    archive: Path, tmp_path: Path, kind: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A link to a large file has no size of its own."""

    def link(member: tarfile.TarInfo) -> None:
        member.type, member.linkname = TAR_TYPES[kind]
        member.size = 0

    rewritten(archive, name, link)
    assert main(["restore", str(archive), "--home", str(tmp_path / "new")]) == 1
    assert f"It has {name!r}, which is no plain file. Do not trust it." in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_file_with_holes_is_not_read(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It can be larger than the archive by any factor."""
    rewritten(
        archive, "gm.key", lambda one: setattr(one, "pax_headers", {"GNU.sparse.map": "0,1", "GNU.sparse.size": "65"})
    )
    assert main(["restore", str(archive), "--home", str(tmp_path / "new")]) == 1
    assert "It has 'gm.key', which is no plain file" in capsys.readouterr().err


def test_what_a_backup_does_not_name_is_refused(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rewritten(archive, "gm.key", lambda one: setattr(one, "name", "other"))
    assert main(["restore", str(archive), "--home", str(tmp_path / "new")]) == 1
    assert "It has 'other', which its manifest.json does not name." in capsys.readouterr().err


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
@pytest.mark.parametrize("at", [0, 1])
def test_no_more_is_unpacked_than_a_backup_has(
    archive: Path, tmp_path: Path, kind: bytes, at: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """What stands between the files may be packed a thousandfold."""
    with tarfile.open(archive) as tar:
        files = [(one, (tar.extractfile(one) or io.BytesIO()).read()) for one in tar.getmembers()]
    many = 1_000_000
    head = tarfile.TarInfo("x")
    head.type, head.size = kind, many
    with tarfile.open(archive, "w:gz") as tar:
        for one, was in files[:at]:
            tar.addfile(one, io.BytesIO(was))
        tar.fileobj.write(head.tobuf(tarfile.USTAR_FORMAT) + b"0" * many)
    read = 0

    def counted(plain: gzip.GzipFile, size: int = -1) -> bytes:
        nonlocal read
        piece = was_read(plain, size)
        read += len(piece)
        return piece

    was_read = gzip.GzipFile.read
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gzip.GzipFile, "read", counted)
        assert main(["restore", str(archive), "--home", str(tmp_path / "new")]) == 1
    assert "more between its files than a backup has" in capsys.readouterr().err
    assert read < 64_000


def rewritten(archive: Path, name: str, change_it: Callable[[tarfile.TarInfo], object]) -> None:
    """Change what an archive says of one file."""
    with tarfile.open(archive) as tar:
        files = [(one, (tar.extractfile(one) or io.BytesIO()).read()) for one in tar.getmembers()]
    with tarfile.open(archive, "w:gz") as tar:
        for one, was in files:
            if one.name == name:
                change_it(one)
            tar.addfile(one, io.BytesIO(was[: one.size]))


COMMANDS = {
    "plain": '[imap]\nhost = "x"\nuser = "x"\npassword_command = "touch {}"\n',
    "quoted": '[imap]\nhost = "x"\nuser = "x"\n"password_command" = "touch {}"\n',
    "escaped": '[imap]\nhost = "x"\nuser = "x"\n"password\\u005fcommand" = "touch {}"\n',
    "dotted": 'imap.host = "x"\nimap.user = "x"\nimap.password_command = "touch {}"\n',
    "inline": 'imap = {{host = "x", user = "x", password_command = "touch {}"}}\n',
    "in several lines": "[imap]\nhost = \"x\"\nuser = \"x\"\n\"password_command\"   =   '''\ntouch {}'''\n",
}


@pytest.mark.parametrize("way", COMMANDS)
def test_nothing_that_an_archive_names_is_run(tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str) -> None:
    home, new, ran = tmp_path / "home", tmp_path / "new", tmp_path / "ran"
    assert main(["init", "--home", str(home)]) == 0
    (home / "gm.sqlite3").write_bytes(migrated_sqlite())
    assert main(["backup", str(tmp_path / "gm.tar.gz"), "--home", str(home)]) == 0
    was = (home / "gm.toml").read_text()
    written = COMMANDS[way].format(ran)
    toml = (f"{was}\n{written}" if written.startswith("[") else f"{written}\n{was}").encode()
    configured(tmp_path / "gm.tar.gz", toml)
    capsys.readouterr()
    assert main(["restore", str(tmp_path / "gm.tar.gz"), "--home", str(new)]) == 0
    assert not ran.exists()
    said = capsys.readouterr().out
    assert "before gm check or gm serve: [imap] host = 'x'" in said
    assert f"before gm check or gm serve: [imap] password_command = 'touch {ran}'" in said
    assert said.index("password_command") < said.index("gm check --home")


def configured(archive: Path, toml: bytes) -> None:
    """Put another configuration into an archive."""
    files = json.loads(_manifest_of(archive))["files"] | {"gm.toml": hashlib.sha256(toml).hexdigest()}
    altered(archive, "gm.toml", lambda _: toml)
    altered(archive, "manifest.json", _manifest(files=files))


@pytest.mark.parametrize(
    "toml",
    [
        b"[server]\nname = '\xff'",
        b"x = " + b"[" * 9_000,
        b'[imap]\npassword_command = "touch x"\n[imap]\n',
    ],
)
def test_an_archive_whose_configuration_cannot_be_read_is_refused(
    archive: Path, tmp_path: Path, toml: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing could be said of what it runs; and no server that had it could have made a backup."""
    configured(archive, toml)
    assert main(["restore", str(archive), "--home", str(tmp_path / "new")]) == 1
    assert "Its gm.toml is no configuration that a server can read. Do not trust it." in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_of_a_long_command_it_is_said_that_there_is_more() -> None:
    assert keeping._shown("cat mail.password") == "cat mail.password"
    assert keeping._shown(f"cat mail.password{' ' * 250}; touch x").endswith(" ...")


def test_whom_a_restored_server_would_send_passwords_is_said_first(tmp_path: Path) -> None:
    file = tmp_path / "gm.toml"
    lines = ('host = "mx.evil.example"', 'password = "/x"', 'password_file = "keys/../../other/password"', "port = 25")
    more = ('provider = "gmail"', 'dkim_key = "~gm/dkim"', 'maildir = "out..x"', 'url = "sqlite:////x"')
    file.write_text("\n".join(("[send]", *lines, *more)))
    named = [where.removeprefix("[send] ") for where, _ in outside_in(file)]
    assert named == ["host", "password_file", "provider", "dkim_key"]
    file.write_text('[send]\nmaildir = "\\t/var/spool/cron"')
    assert [value.strip() for _, value in outside_in(file)] == ["/var/spool/cron"], "it is read without blanks"
    file.write_text('["a\\nb"]\nhost = "x"')
    assert outside_in(file) == [(r"[a\nb] host", "x")], "no line of its own"


A_KEY = '"a".'
COSTLY = (f"[zz]\n{'a.' * 30_000}a=1", f"[{'a . ' * 300}b]\nx=1", f"x = {{{A_KEY * 21}b = 1}}", f"x = {'9' * 5_000}")


@pytest.mark.parametrize("toml", COSTLY)
def test_a_configuration_that_costs_much_to_read_is_none(tmp_path: Path, toml: str) -> None:
    file = tmp_path / "gm.toml"
    file.write_text(toml)
    with pytest.raises(ConfigurationError):
        outside_in(file)


def test_long_lines_of_a_configuration_are_read_in_proportion(tmp_path: Path) -> None:
    file = tmp_path / "gm.toml"
    strings = '"a.b",' * 60_000
    for line in ("x" * 500_000 + " = 1", f"x = '{'a.b, ' * 100_000}'", f"x = [{strings}]"):
        file.write_text(line)
        began = time.process_time()
        outside_in(file)
        assert time.process_time() - began < 5


COMPUTING = {
    # what would be carried out when a database is read or written
    "a trigger": "CREATE TRIGGER z AFTER UPDATE ON mine BEGIN DELETE FROM mine; END",
    "a trigger with more": "CREATE TRIGGER z BEFORE DELETE ON mine BEGIN SELECT RAISE(ABORT, ''); SELECT 1; END",
    "a check": "CREATE TABLE z (x, CHECK (length(hex(randomblob(400000000))) > 0))",
    "a column": "CREATE TABLE z (x, y TEXT NOT NULL GENERATED ALWAYS AS (hex(zeroblob(x))))",
    "a column in short": "CREATE TABLE z (x, y NOT NULL\nas(hex(zeroblob(x))))",
    "a default": "CREATE TABLE z (x, y DEFAULT (hex(zeroblob(400000000))))",
    "a default behind a comment": "CREATE TABLE z (x, y DEFAULT/**/(hex(zeroblob(400000000))))",
    "an index": "CREATE INDEX z ON mine (hex(zeroblob(at)))",
    "an index without brackets": "CREATE INDEX z ON mine (note||note)",
    "an index of a part": "CREATE INDEX z ON mine (at) WHERE length(note) > 400",
    "a view": "CREATE VIEW z AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT max(x) FROM r",
    "a virtual table": "CREATE VIRTUAL TABLE z USING fts5(x)",
}


@pytest.mark.parametrize("kind", COMPUTING)
def test_a_database_that_computes_is_not_read(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "gm.sqlite3"
    file.write_bytes(migrated_sqlite())
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE mine (note TEXT, at INTEGER)")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        assert why_unsound(file) == ""
        connection.execute(COMPUTING[kind])
        if "CHECK" in COMPUTING[kind]:
            connection.execute("INSERT INTO z VALUES (1)")
        connection.commit()
    began = time.process_time()
    assert " would compute what is read or written" in why_unsound(file)
    assert time.process_time() - began < 1


def test_a_database_is_read_for_a_bounded_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "gm.sqlite3"
    file.write_bytes(migrated_sqlite())
    monkeypatch.setattr(copying, "_LEAST_SECONDS", -100.0)
    monkeypatch.setattr(copying, "_OPERATIONS", 1)
    assert why_unsound(file) == "interrupted"


@pytest.mark.parametrize("field", [{"GNU.sparse.realsize": "x"}, {"GNU.sparse.size": "x"}, {"size": "x"}])
def test_a_size_that_is_no_number_is_refused(
    archive: Path, tmp_path: Path, field: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    rewritten(archive, "gm.key", lambda one: setattr(one, "pax_headers", field))
    assert main(["restore", str(archive), "--home", str(tmp_path / "new")]) == 1
    assert "Traceback" not in (said := capsys.readouterr().err)
    assert "gm.key" in said or "not a whole backup" in said
    assert not (tmp_path / "new").exists()


def _manifest_of(archive: Path) -> bytes:
    with tarfile.open(archive) as tar:
        return (tar.extractfile("manifest.json") or io.BytesIO()).read()


@pytest.mark.parametrize("kept", [0, 10, 0.5, 0.95])
def test_half_an_archive_leaves_nothing(
    archive: Path, tmp_path: Path, kept: float, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = archive.read_bytes()
    archive.write_bytes(whole[: int(kept if kept > 1 else len(whole) * kept)])
    assert main(["restore", str(archive), "--home", str(tmp_path / "new")]) == 1
    assert "backup" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_no_file_leaves_the_folder(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with tarfile.open(archive, "w:gz") as tar:
        for name, text in (("manifest.json", _MANIFEST), ("../escaped", "x")):
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    assert main(["restore", str(archive), "--home", str(tmp_path / "new")]) == 1
    assert "`gm backup` writes none of that name" in capsys.readouterr().err
    assert not list(tmp_path.rglob("escaped"))


_MANIFEST = json.dumps(
    {"form": 1, "files": {"../escaped": "00"}, "rows": {}}
    | dict.fromkeys(("gm", "revision", "made_at", "server", "database"), "x")
)


def test_what_cannot_be_backed_up(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home, new = str(tmp_path / "home"), tmp_path / "second.tar.gz"
    assert main(["backup", str(archive), "--home", home]) == 1
    assert "exists already" in capsys.readouterr().err
    assert main(["backup", str(tmp_path / "nowhere" / "gm.tar.gz"), "--home", home]) == 1
    assert "cannot be written" in capsys.readouterr().err
    (tmp_path / "home" / "gm.sqlite3").unlink()
    assert main(["backup", str(new), "--home", home]) == 1
    assert "no database yet" in capsys.readouterr().err
    assert not new.exists()
    assert not (tmp_path / "home" / "gm.sqlite3").exists()


def test_a_damaged_database_is_not_backed_up(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "home" / "gm.sqlite3"
    file.write_bytes(b"Dear diary, " * 1000)
    assert main(["backup", str(tmp_path / "second.tar.gz"), "--home", str(tmp_path / "home")]) == 1
    assert "is damaged" in (said := capsys.readouterr().err)
    assert "gm restore BACKUP --home NEW" in said


def test_a_folder_keeps_the_newest_backups_of_this_server_alone(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    old = [folder / f"gm-gm-at-example.org-2026-01-0{day}-033000.tar.gz" for day in (1, 2, 3)]
    others = [folder / "gm-gm-at-example.com-2026-01-01-033000.tar.gz", folder / "holiday.tar.gz"]
    for path in (*old, *others):
        path.touch()
    assert main(["backup", str(folder), "--keep", "2", "--home", str(home)]) == 0
    said = capsys.readouterr().out
    assert "It was read again, and is whole." in said
    [new] = {*folder.iterdir()} - {*old, *others}
    assert {*folder.iterdir()} == {new, old[2], *others}
    assert [f"Deleted: {path}" in said for path in old] == [True, True, False]
    with Database(load(home, {}).database.url) as database, database.reading() as session:
        row = about(session)
        assert row is not None
        assert row.backed_up_to == str(new)


def test_a_server_that_has_moved_keeps_the_newest_under_all_its_addresses(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    change(home / "gm.toml", "server", "also", ["gm@old.example"])
    old = [folder / f"gm-gm-at-{one}-033000.tar.gz" for one in ("old.example-2026-01-01", "example.org-2026-01-02")]
    newer = folder / "gm-gm-at-old.example-2026-01-03-033000.tar.gz"
    for path in (*old, newer):
        path.touch()
    assert main(["backup", str(folder), "--keep", "2", "--home", str(home)]) == 0
    assert len(left := {*folder.iterdir()}) == 2
    assert newer in left


def test_a_restored_server_misses_its_database_before_its_first_start(archive: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    assert main(["restore", str(archive), "--home", str(new)]) == 0
    (new / "gm.sqlite3").unlink()
    [wrong] = [one for one in findings(new) if one.subject == "database"]
    assert "is not there any more" in wrong.words


def test_only_a_folder_has_backups_to_keep(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").touch()
    for name in ("taken", "gm.tar.gz", "gm.tgz"):
        assert main(["backup", str(tmp_path / name), "--keep", "2", "--home", str(home)]) == 1
        assert "is not a folder" in capsys.readouterr().err
        assert not (tmp_path / name).is_dir()
    assert main(["backup", str(tmp_path / "new"), "--keep", "2", "--home", str(home)]) == 0
    assert len([*(tmp_path / "new").iterdir()]) == 1


def test_a_backup_is_tried_and_leaves_nothing(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert main(["restore", "--try", str(archive)]) == 0
    said = capsys.readouterr().out
    for words in ("is whole: gm@localhost at ", "sqlite, revision ", "games       none", "gm.key, gm.sqlite3, gm.toml"):
        assert words in said
    assert sorted(tmp_path.rglob("*")) == before
    archive.write_bytes(archive.read_bytes()[:-2000])
    assert main(["restore", "--try", str(archive)]) == 1
    assert "is not a whole backup" in capsys.readouterr().err


def test_a_backup_of_an_altered_database_is_not_called_whole_and_replaces_none(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, folder = tmp_path / "home", tmp_path / "backups"
    with Database(load(home, {}).database.url) as database, database.transaction() as session:
        session.execute(text("ALTER TABLE press ADD COLUMN mood INTEGER"))
        made = about(session).backed_up_at  # type: ignore[union-attr]
    folder.mkdir()
    older = folder / "gm-gm-at-localhost-2026-01-01-033000.tar.gz"
    shutil.copy(archive, older)
    capsys.readouterr()
    assert main(["backup", str(folder), "--keep", "1", "--home", str(home)]) == 1
    said = capsys.readouterr()
    assert "column press.mood integer (added)" in said.err
    assert "is whole" not in said.out
    [new] = {*folder.iterdir()} - {older}
    with Database(load(home, {}).database.url) as database, database.reading() as session:
        assert about(session).backed_up_at == made  # type: ignore[union-attr]
    assert main(["restore", "--try", str(new)]) == 1
    assert "gm move --to" in (said := capsys.readouterr()).err
    assert main(["restore", str(new), "--home", str(tmp_path / "back")]) == 0
    assert main(["move", "--to", f"sqlite:///{tmp_path / 'new.sqlite3'}", "--home", str(tmp_path / "back")]) == 0
    with Database(f"sqlite:///{tmp_path / 'new.sqlite3'}") as database:
        assert database.altered() == []


def test_a_database_that_has_lost_a_column_is_not_moved(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = archive.parent / "home"
    with Database(load(home, {}).database.url) as database, database.transaction() as session:
        session.execute(text("ALTER TABLE press DROP COLUMN manner"))
    assert main(["move", "--to", f"sqlite:///{tmp_path / 'new.sqlite3'}", "--home", str(home)]) == 1
    assert "lost what was in it: column press.manner" in capsys.readouterr().err


def test_a_backup_that_cannot_be_noted_is_made_all_the_same(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As when the disk of the server's folder is full, and that of the backups is not."""

    def full(*_: object, **__: object) -> None:
        raise Temporary("The database is not available: database or disk is full.", "See to its disk or its server.")

    monkeypatch.setattr(keeping, "change_about", full)
    (tmp_path / "new").mkdir()
    older = tmp_path / "new" / "gm-gm-at-localhost-2026-01-01-033000.tar.gz"
    shutil.copy(archive, older)
    assert main(["backup", f"{tmp_path}/new/", "--keep", "1", "--home", str(tmp_path / "home")]) == 0
    assert "That could not be noted in the database: The database is not available" in capsys.readouterr().err
    [made] = (tmp_path / "new").iterdir()
    assert made != older


def test_a_database_beside_which_nothing_can_be_written_is_backed_up_to_another_place(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    with Database(load(home, {}).database.url) as database:
        with database.transaction() as session:
            session.execute(text("UPDATE about SET backed_up_to = 'in the log'"))
        for end in ("", "-wal"):  # as a server leaves them that is killed
            shutil.copy(home / f"gm.sqlite3{end}", tmp_path / f"gm.sqlite3{end}")
    for end in ("", "-wal"):
        shutil.copy(tmp_path / f"gm.sqlite3{end}", home)
    whole = Database._note_file

    def refuses(database: Database) -> None:
        if Path(str(database.url.database)) == home / "gm.sqlite3":
            raise sqlite3.OperationalError("disk I/O error")
        whole(database)

    monkeypatch.setattr(Database, "_note_file", refuses)
    assert main(["backup", f"{tmp_path}/new/", "--home", str(home)]) == 0
    [made] = (tmp_path / "new").iterdir()
    assert main(["restore", str(made), "--home", str(tmp_path / "back")]) == 0
    with Database(f"sqlite:///{tmp_path / 'back' / 'gm.sqlite3'}") as database, database.reading() as session:
        assert about(session).backed_up_to == "in the log"  # type: ignore[union-attr]


def test_a_name_that_ends_with_a_slash_is_a_folder(archive: Path, tmp_path: Path) -> None:
    assert main(["backup", f"{tmp_path}/new/", "--home", str(tmp_path / "home")]) == 0
    assert [path.name[:16] for path in (tmp_path / "new").iterdir()] == ["gm-gm-at-localho"]
