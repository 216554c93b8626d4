"""Every subcommand in a server's folder as `gm init` leaves it, or with a database that is none of gm's: it says in
words what is wrong, and makes nothing.
"""

from __future__ import annotations

import argparse
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gm.cli import COMMANDS, main, parser_of

NUMBERS = {"number": "12"}
GIVEN = {"game": "spring", "address": "nobody@example.org", "file": "FILE", "what": "check", "script": "standard"}
"""What is written for an argument that must be there, by its name."""
MORE = {
    "say": "--from ann@example.org --wait 0 HELP",
    "restore": "--home {home}",
    "tidy": "--days 7",
    "publish": "--to {other}",
    "backup": "",
}
NEED_NONE = {"adjudicate", "demo", "init", "oauth2", "restore", "say", "serve", "variant"}
"""What works without a database, or makes one: their own tests say how."""
FINE = {"check", "upgrade --check"}
"""What has nothing to complain of where there is no database yet."""
MOVES = ("--to sqlite:///new.sqlite3", "--address new@example.org", "--key")


def actions_of(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """The parser's own subcommands, or the parser itself."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from ((f" {name}", one) for name, one in action.choices.items())
            return
    yield "", parser


def positional(parser: argparse.ArgumentParser) -> list[str]:
    """What is written for the arguments without an option, those that may be left out too."""
    named = (one.dest for one in parser._actions if not one.option_strings)
    return [(NUMBERS | GIVEN).get(name, "example.org") for name in named]


def lines() -> Iterator[str]:
    """A command line of each subcommand that works with a server's database, from argparse's own list."""
    for name in COMMANDS:
        if name in NEED_NONE:
            continue
        if name == "move":
            yield from (f"move {how}" for how in MOVES)
            continue
        for more, parser in actions_of(parser_of(name)):
            written = " ".join([name + more, *positional(parser), MORE.get(name, "")]).strip()
            yield written
            if any(one.nargs == "?" for one in parser._actions if not one.option_strings):
                yield name + more
            if name == "upgrade":
                yield f"{name} --check"


@pytest.fixture
def home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    home = tmp_path / "my games ü"
    assert main(["init", "--home", str(home), "--mode", "lmtp", "--port", "24240"]) == 0
    capsys.readouterr()
    return home


def run(line: str, home: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    words = shlex.split(line.replace("{other}", shlex.quote(str(home.parent / "other"))))
    words = [str(home.parent / "backup.tar.gz") if word == "FILE" else word for word in words]
    status = main([*words, "--home", str(home)])
    return status, "".join(capsys.readouterr())


def files(home: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in home.parent.rglob("*") if path.is_file()}


@pytest.mark.parametrize("line", [*lines(), "mail show --to ann@example.org"])
def test_before_the_first_start_there_is_no_database(line: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(home)
    if line in ("upgrade", "verify"):  # the one makes it, the other asks for a game
        return
    status, said = run(line, home, capsys)
    if line not in FINE:
        assert status == 1
        assert "There is no database yet. The server makes it when it starts: `gm serve`." in said
    assert files(home) == before


@pytest.mark.parametrize("journal", ["wal", "delete"])
@pytest.mark.parametrize("line", [*lines(), "serve", "mail show --to ann@example.org"])
def test_a_database_of_another_program_is_refused_before_anything_is_written(
    line: str, journal: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if line == "verify":
        return
    with closing(sqlite3.connect(home / "gm.sqlite3")) as other:
        other.execute(f"PRAGMA journal_mode = {journal}")
        other.execute("CREATE TABLE birds (id INTEGER)")
    before = (home / "gm.sqlite3").read_bytes()
    status, said = run(line, home, capsys)
    assert status == 1
    assert "The database has tables of another program (birds), and none of gm. Name an empty database" in said
    assert (home / "gm.sqlite3").read_bytes() == before


def test_no_server_is_set_up_over_one(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "gm.toml").unlink()
    with closing(sqlite3.connect(home / "gm.sqlite3")) as other:
        other.execute("CREATE TABLE birds (id INTEGER)")
    assert main(["init", "--home", str(home)]) == 1
    assert "tables of another program" in capsys.readouterr().err
    assert not (home / "gm.toml").exists()


@pytest.mark.parametrize(
    "line",
    [
        "say --from {} HELP",
        "say --from ann@example.org --to {} HELP",
        "forget {}",
        "mail show --from {}",
        "mail show --to {}",
        "init --address {}",
        "move --address {}",
    ],
)
@pytest.mark.parametrize(
    "address", ["ann", "ann@", "@x", "Ann <ann@example.org", "a b@example.org", "a@b,c@d", "ann@x..y z"]
)
def test_what_is_no_address_is_refused_in_words(
    line: str, address: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*shlex.split(line.replace("{}", shlex.quote(address))), "--home", str(home)])
    assert caught.value.code == 2
    assert f"{address!r} is not a mail address such as" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["jürgen@example.org", '"a b"@example.org', "ann@x..org"])
def test_gm_say_writes_only_from_what_every_server_takes(
    address: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["say", "--from", address, "HELP", "--home", str(home)])
    assert "in ASCII" in capsys.readouterr().err


def test_a_command_to_be_copied_names_the_folder_in_quotes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "gm.toml").unlink()
    assert main(["init", "--home", str(home), "--mode", "alone"]) == 0
    said = capsys.readouterr().out
    assert f"`gm check --home {shlex.quote(str(home))}`" in said
    assert f"--home {home}" not in said


def test_no_command_to_be_copied_names_a_folder_otherwise() -> None:
    from gm import cli

    for path in Path(cli.__file__).parent.glob("*.py"):
        assert "--home {" not in path.read_text(encoding="utf-8") or path.name == "__init__.py"
