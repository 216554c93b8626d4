"""The command line: dispatch, exit statuses, and a start that loads only what is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gm import __version__
from gm.cli import COMMANDS, entry, main
from tests.timing import HANGING


def run(*arguments: str, **options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gm", *arguments],
        capture_output=True,
        text=True,
        timeout=HANGING,
        env=options or None,
        check=False,
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_main(name: str) -> None:
    assert callable(entry(name))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([name, "--help"])
    assert caught.value.code == 0
    assert f"usage: gm {name}" in capsys.readouterr().out


def test_help_lists_the_commands() -> None:
    said = run("--help")
    assert said.returncode == 0
    assert all(f"  {name} " in said.stdout for name in COMMANDS)


def test_version() -> None:
    assert run("--version").stdout == f"gm {__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["conquer"]])
def test_an_unknown_command_is_a_usage_error(arguments: list[str]) -> None:
    said = run(*arguments)
    assert said.returncode == 2
    assert "usage: gm" in said.stderr


@pytest.mark.parametrize(("there", "first"), [(False, "gm init --home games"), (True, "gm check")])
def test_gm_alone_says_what_to_do_first(tmp_path: Path, there: bool, first: str) -> None:
    if there:
        (tmp_path / "gm.toml").touch()
    said = run(GM_HOME=str(tmp_path))
    assert said.returncode == 2
    assert f"  {first} " in said.stderr
    assert str(tmp_path) in said.stderr


def test_a_mistake_of_the_operator_is_reported_without_a_traceback(tmp_path: Path) -> None:
    said = run("serve", "--home", str(tmp_path / "nowhere"))
    assert said.returncode == 1
    assert said.stderr.startswith("gm serve: There is no configuration file")
    assert "Traceback" not in said.stderr


def test_the_home_folder_comes_from_the_environment(tmp_path: Path) -> None:
    said = run("check", GM_HOME=str(tmp_path / "server"))
    assert said.returncode == 1
    assert str(tmp_path / "server" / "gm.toml") in said.stdout


@pytest.mark.parametrize("name", ["adjudicate", "init"])
def test_the_start_loads_no_heavy_library(name: str) -> None:
    assert heavy_after(f"import gm.cli.{name}") == "set()\n"


def test_a_command_line_is_read_before_what_does_the_work_is_loaded() -> None:
    assert heavy_after("from gm.cli import COMMANDS, parser_of; [*map(parser_of, COMMANDS)]") == "set()\n"


def test_a_server_loads_what_only_some_mails_need_when_they_come() -> None:
    """Signatures and name servers, tokens of mailboxes, bounces that only their program's words give away."""
    rare = "{'dns', 'dkim', 'spf', 'nacl', 'oauthlib', 'flufl', 'imapclient', 'alembic', 'dateparser', 'icalendar'}"
    assert heavy_after("import gm.cli.serve", rare) == "set()\n"


def test_a_server_listens_before_it_loads_what_only_its_work_needs() -> None:
    work = "{'apscheduler', 'gm.cli.working', 'gm.commands', 'gm.inbound.acting', 'gm.machine.steps'}"
    assert heavy_after("import gm.cli.serve", work) == "set()\n"


def heavy_after(code: str, among: str = "{'sqlalchemy', 'jinja2', 'lark', 'imapclient', 'gm.server'}") -> str:
    heavy = f"{among} & {{*sys.modules}}"
    command = [sys.executable, "-c", f"import sys\n{code}\nprint({heavy})"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=HANGING, check=False)
    return said.stdout or said.stderr
