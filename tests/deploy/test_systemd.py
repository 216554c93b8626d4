"""The unit, the user and the folders, as systemd's own programs see them; and what a running server tells systemd."""

from __future__ import annotations

import shutil
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from gm.cli import init
from gm.cli.serve import RunningServer
from gm.cli.supervision import Supervisor
from gm.settings import load
from tests.cli.server import BASE, MASTER, Running
from tests.mail.transport.conftest import eventually
from tests.timing import HANGING

DEPLOY = Path(__file__).parents[2] / "deploy"
MOST_EXPOSED = "14"
"""Tenths: systemd calls a unit with less than 2 of 10 OK, and one without any protection 9.6."""


def systemd(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which(f"systemd-{name}")
    if program is None:
        pytest.skip(f"systemd-{name} is not installed")
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["gm.service", "gm-backup.service"])
def test_the_units_have_no_mistake_and_leave_little_open(tmp_path: Path, name: str) -> None:
    unit = tmp_path / name
    text = (DEPLOY / name).read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/gm/bin/gm", sys.executable), encoding="utf-8")
    said = systemd("analyze", "verify", "--man=no", str(unit))
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")
    said = systemd("analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED}", str(unit))
    assert said.returncode == 0, said.stdout.splitlines()[-1]


def test_the_user_and_the_folders_are_made(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    said = systemd("sysusers", f"--root={tmp_path}", str(DEPLOY / "sysusers.conf"))
    assert said.returncode == 0, said.stderr
    [entry] = [line for line in (tmp_path / "etc/passwd").read_text().splitlines() if line.startswith("gm:")]
    assert entry.endswith(":/var/lib/gm:/usr/sbin/nologin")
    said = systemd("tmpfiles", "--create", f"--root={tmp_path}", str(DEPLOY / "tmpfiles.conf"))
    assert said.returncode == 0, said.stderr
    folders = {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("var/lib/gm", "var/www/gm")}
    assert folders == {"var/lib/gm": 0o700, "var/www/gm": 0o755}


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket at which systemd would listen."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as there:
        there.bind(str(tmp_path / "notify"))
        there.settimeout(HANGING)
        yield there


def test_systemd_hears_of_the_start_the_work_and_the_stop(manager: socket.socket, tmp_path: Path) -> None:
    notify = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"}
    with Running(tmp_path / "server", **notify) as server, ThreadPoolExecutor(1) as pool:
        assert manager.recv(100) == b"READY=1"
        assert server.ask(MASTER, BASE, "LIST")["Subject"] == "Re: orders"
        assert [manager.recv(100) for _ in range(3)] == [b"WATCHDOG=1"] * 3
        stopped = pool.submit(server.stop)
        heard = manager.recv(100)
        while heard == b"WATCHDOG=1":
            heard = manager.recv(100)
        assert heard == b"STOPPING=1"
        assert stopped.result() == 0


def test_a_supervisor_that_does_not_listen_keeps_no_server_from_stopping(
    manager: socket.socket, tmp_path: Path
) -> None:
    notify = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"}
    with Running(tmp_path / "server", **notify) as server:
        assert manager.recv(100) == b"READY=1"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other, suppress(BlockingIOError):
            other.connect(manager.getsockname())
            other.setblocking(False)
            while True:
                other.send(b"as much as there is room for")
        assert server.stop() == 0


def test_systemd_hears_nothing_while_a_thread_hangs(
    manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init.write(tmp_path / "server", address=BASE, port=0)

    def hanging() -> list[str]:
        assert server._work is not None
        return [name for name in server._work.hanging(0.2) if name == "tidying"]  # others seem to, on a busy machine

    stuck, go_on = threading.Event(), threading.Event()

    def hang(*_: object) -> None:
        stuck.set()
        go_on.wait()

    monkeypatch.setattr("gm.machine.steps.senders.forget_spending", hang)
    server = RunningServer(load(tmp_path / "server", {}))
    supervisor = Supervisor({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "60000000"})
    assert supervisor.interval == 30
    server.start()
    try:
        assert stuck.wait(HANGING)
        supervisor.watch(server.hanging)
        assert manager.recv(100) == b"WATCHDOG=1", "for a while that is no more than work"
        assert eventually(lambda: hanging() == ["tidying"])
        for _ in range(3):
            supervisor.watch(hanging)
        supervisor.tell("next")
        assert [manager.recv(100) for _ in range(2)] == [b"STATUS=hanging: tidying", b"next"]
        go_on.set()
        assert eventually(lambda: not server.hanging())
        supervisor.watch(server.hanging)
        assert manager.recv(100) == b"WATCHDOG=1"
    finally:
        go_on.set()
        server.stop()
    assert server.hanging() != [], "nobody works any more"


def test_without_a_supervisor_nobody_is_told(manager: socket.socket) -> None:
    nobody = Supervisor({"WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"})
    assert nobody.interval is None
    nobody.tell("READY=1")
    Supervisor({"NOTIFY_SOCKET": f"{manager.getsockname()}.gone"}).tell("READY=1")
    manager.setblocking(False)
    with pytest.raises(BlockingIOError):
        manager.recv(100)
