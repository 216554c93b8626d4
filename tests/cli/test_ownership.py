"""Files that belong to another user, as root leaves them: each says whose it is, what opens it, and that opens it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gm import ownership
from gm.cli import init, main
from gm.cli.check import findings
from gm.cli.rekeying import with_a_key
from gm.cli.serve import RunningServer
from gm.cli.service import service_of
from gm.errors import ConfigurationError
from gm.server.condition import MARK, claim
from gm.settings import load
from gm.store.database import Database
from gm.store.presence import is_served
from tests.databases import migrated_sqlite

GM = 65534
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A server that belongs to another user than root, who can go there."""
    monkeypatch.setattr(ownership, "user_name", lambda number: {0: "root", GM: "gm"}[number])
    with tempfile.TemporaryDirectory(dir="/tmp") as above:
        Path(above).chmod(0o755)
        folder = Path(above) / "gm"
        init.write(folder, address="gm@localhost", port=0)
        (folder / "gm.sqlite3").write_bytes(migrated_sqlite())
        claim(service_of(load(folder, {})).asked())
        for path in (folder, *folder.iterdir()):
            os.chown(path, GM, GM)
            path.chmod(0o700 if path == folder else 0o600)
        yield folder
        os.seteuid(0)


@pytest.fixture
def as_gm(home: Path) -> Callable[[], None]:
    return lambda: os.seteuid(GM)


def roots(name: str, mode: int) -> Callable[[Path], None]:
    def happens(home: Path) -> None:
        os.chown(home / name, 0, 0)
        (home / name).chmod(mode)

    return happens


def closed(name: str, mode: int) -> Callable[[Path], None]:
    return lambda home: (home / name).chmod(mode)


CHOWN = "As root: `chown gm {home}/"
CLOSED = (
    # what happened, whose it is, what to run
    (roots("gm.key", 0o600), "belongs to root, with mode 0600", CHOWN + "gm.key`"),
    (roots("gm.toml", 0o600), "belongs to root, with mode 0600", CHOWN + "gm.toml`"),
    (roots("gm.sqlite3", 0o644), "belongs to root, with mode 0644", CHOWN + "gm.sqlite3`"),
    (roots(MARK, 0o644), "belongs to root, with mode 0644", CHOWN + MARK + "`"),
    (closed("gm.sqlite3", 0o444), "belongs to gm, with mode 0444", "`chmod u+rwX {home}/gm.sqlite3`"),
    (closed("gm.key", 0o000), "belongs to gm, with mode 0000", "`chmod u+rwX {home}/gm.key`"),
    (closed("", 0o500), "belongs to gm, with mode 0500", "`chmod u+rwX {home}`"),
    (roots("", 0o755), "belongs to root, with mode 0755", "`chown -R gm {home}`"),
    (roots("", 0o700), "{home} belongs to root, with mode 0700", "`chown -R gm {home}`"),
)


@pytest.mark.parametrize(("happens", "why", "remedy"), CLOSED)
def test_check_and_serve_say_whose_a_closed_file_is_and_what_opens_it(
    happens: Callable[[Path], None], why: str, remedy: str, home: Path, as_gm: Callable[[], None]
) -> None:
    happens(home)
    as_gm()
    wrong = [one for one in findings(home) if one.is_problem]
    assert f"{why.format(home=home)}, and gm runs as gm" in wrong[0].words
    assert remedy.format(home=home) in wrong[0].remedy
    with pytest.raises(ConfigurationError) as refused:
        RunningServer(load(home)).start()
    assert str(refused.value) == f"{wrong[0].words} {wrong[0].remedy}"
    os.seteuid(0)
    command = re.findall(r"`(ch[^`]+)`", wrong[0].remedy)[-1].replace(" gm ", f" {GM} ")
    subprocess.run(shlex.split(command), check=True)
    as_gm()
    assert not [one for one in findings(home) if one.is_problem]


def test_a_lock_that_cannot_be_made_is_said_as_check_says_it(home: Path, as_gm: Callable[[], None]) -> None:
    Path(home, "gm.sqlite3.lock").unlink(missing_ok=True)
    roots("", 0o755)(home)
    as_gm()
    [wrong] = [one for one in findings(home) if one.is_problem]
    with Database(load(home).database.url) as database, pytest.raises(ConfigurationError) as refused:
        is_served(database)
    assert refused.value.remedy == wrong.remedy
    assert refused.value.problem.startswith(f"{home / 'gm.sqlite3.lock'} cannot be written: {home} belongs to root")


def test_root_is_told_of_files_that_gm_cannot_use(home: Path) -> None:
    roots("gm.sqlite3", 0o600)(home)
    [wrong] = [one for one in findings(home) if one.is_problem]
    assert wrong.subject == "files"
    assert wrong.remedy == f"As root: `chown gm {home}/gm.sqlite3`."


def test_a_key_that_cannot_be_read_is_not_taken_for_lost(home: Path, as_gm: Callable[[], None]) -> None:
    roots("gm.key", 0o600)(home)
    as_gm()
    with pytest.raises(ConfigurationError, match="cannot be read"):
        with_a_key(home)


def test_what_root_takes_out_of_a_backup_belongs_to_gm(home: Path) -> None:
    archive = home.parent / "b.tar.gz"
    assert main(["backup", str(archive), "--home", str(home)]) == 0
    with tarfile.open(archive) as tar:
        assert {(one.uid, one.gid) for one in tar} == {(GM, GM)}
    (home / "gm.key").unlink()
    subprocess.run(["tar", "-xzf", str(archive), "gm.key"], cwd=home, check=True)
    assert (home / "gm.key").stat().st_uid == GM


def test_a_file_system_that_is_mounted_read_only_says_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class ReadOnly:
        f_flag = os.ST_RDONLY

    monkeypatch.setattr(os, "statvfs", lambda _: ReadOnly)
    found = ownership.hindrance(home)
    assert found.why == "its file system is mounted read-only"
    assert f"findmnt -T {home}" in found.remedy


def test_a_file_that_root_has_left_closed_is_given_back_and_opened(home: Path, as_gm: Callable[[], None]) -> None:
    roots("gm.sqlite3", 0o444)(home)
    as_gm()
    (wrong,) = (one for one in findings(home) if one.is_problem)
    assert wrong.remedy == f"As root: `chown gm {home}/gm.sqlite3`, `chmod u+rw {home}/gm.sqlite3`."
    os.seteuid(0)
    for command in re.findall(r"`(ch[^`]+)`", wrong.remedy):
        subprocess.run(shlex.split(command.replace(" gm ", f" {GM} ")), check=True)
    as_gm()
    assert not [one for one in findings(home) if one.is_problem]
