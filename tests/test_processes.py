"""What is forked is a process as `python -m` starts one: its words, end, folder, environment and limits."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from gm import __version__
from tests.cli.server import MASTER, Running
from tests.processes import Process, streams_to


def ran(folder: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """The exit status of `gm` with these arguments, and what it says."""
    given = {key: value for key, value in os.environ.items() if key != "GM_HOME"} | environment
    with (folder / "said").open("wb") as said:
        status = Process("gm", *arguments, environment=given, folder=folder, streams=streams_to(said)).wait()
    return status, (folder / "said").read_text()


def test_it_says_and_ends_as_another_process_does(tmp_path: Path) -> None:
    assert ran(tmp_path, "--version") == (0, f"gm {__version__}\n")
    for arguments in ((), ("nonsense",), ("games", "--home", "nowhere")):
        command = [sys.executable, "-m", "gm", *arguments]
        other = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ran(tmp_path, *arguments) == (other.returncode, other.stdout + other.stderr), arguments
        assert other.returncode


def test_it_has_its_own_environment_and_the_limits_of_who_starts_it(tmp_path: Path) -> None:
    assert f"{tmp_path / 'elsewhere'} has no server" in ran(tmp_path, GM_HOME=str(tmp_path / "elsewhere"))[1]
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, usual[1]))
    try:
        status, _ = ran(tmp_path, "init", "--home", "home")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert status == 1
    assert ran(tmp_path, "init", "--home", "home")[0] == 0


def test_it_can_be_killed_stopped_and_started_again(tmp_path: Path) -> None:
    with Running(tmp_path / "server") as server:
        assert server.process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(0.01)
        server.ask(MASTER, "gm@localhost", "LIST")
        first = server.process
        server.kill()
        assert (first.poll(), first.wait()) == (-9, -9)
        first.kill()  # nobody is left
        server.start()
        assert server.process.pid != first.pid
        assert server.stop() == 0
