"""`gm` in processes of its own, which tests start by the hundred: forks of one that has imported everything.

Python needs more than a second to import what `gm serve` is made of, and a fork of a process that has it a hundredth;
what every server makes in its first minute, such as grammars, is in it as well.
`Process` is used like subprocess.Popen. What runs in it is `python -m MODULE ARGUMENTS` to the letter, with its own
environment, folder and streams; it can be killed, and leaves whatever a process leaves.

    python -m tests.processes NUMBER

is what forks, for all processes of a run of tests: it takes what to run from those that connect to the socket that is
its standard input, and ends with the process of this number.
"""

from __future__ import annotations

import json
import os
import resource
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import redirect_stdout, suppress
from email import message_from_bytes
from email.utils import parseaddr
from functools import cache
from importlib import import_module
from io import StringIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, cast

ROOT = Path(__file__).parents[1]
LATER = ("alembic.command", "gm.gallery", "gm.mail.transport.imap", "psycopg")
"""What servers import only when they need it, and nearly all of these do."""
LIMITS = (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)
"""What a process may use as much of as whoever starts it."""
_NUMBER = struct.Struct("i")
_LONGEST = 1 << 17
"""Of what is asked, in bytes: most of it is the environment."""
_LOOKING = 5.0
"""How often it is looked whether the tests still run, in seconds."""


class Process:
    """A process that runs a module. `stdin`, `stdout` and `stderr` are file descriptors; `session` makes it the leader
    of a session of its own.
    """

    def __init__(
        self,
        module: str,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        folder: Path = ROOT,
        streams: tuple[int, int, int],
        session: bool = False,
    ) -> None:
        self.returncode: int | None = None
        self._told, telling = os.pipe()
        given = dict(os.environ if environment is None else environment)
        limits = [(kind, resource.getrlimit(kind)) for kind in LIMITS]
        asked = [module, *arguments], given, str(folder), session, limits
        socket.send_fds(_nursery(), [json.dumps(asked).encode()], [*streams, telling])
        os.close(telling)
        self.pid = self._number()

    def poll(self) -> int | None:
        """The exit status, or minus the signal that ended it; None while it runs."""
        if self.returncode is None and self._ended(0):
            self.returncode = os.waitstatus_to_exitcode(self._number())
            os.close(self._told)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end, and return what `poll` does. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            self._ended(timeout)
        if (status := self.poll()) is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        return status

    def _ended(self, seconds: float | None) -> bool:
        """Whether its end was told within so long; poll, since select knows 1,024 files only."""
        told = select.poll()
        told.register(self._told, select.POLLIN)
        return bool(told.poll(None if seconds is None else seconds * 1000))

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def _number(self) -> int:
        found: int = _NUMBER.unpack(os.read(self._told, _NUMBER.size))[0]
        return found


def streams_to(log: IO[bytes]) -> tuple[int, int, int]:
    """Streams for a process that is told nothing, and whose words go to a file."""
    return _nothing(), log.fileno(), log.fileno()


@cache
def _nothing() -> int:
    return os.open(os.devnull, os.O_RDONLY)


@cache
def _nursery() -> socket.socket:
    """How to reach what forks, one for all processes of a run of tests: whoever needs it first starts it."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    whose = os.getppid() if run else os.getpid()
    name = f"\0gm.tests.{run or whose}"
    with _local() as door, suppress(OSError):  # the name is taken, where another process was first
        door.bind(name)
        door.listen()
        command = [sys.executable, "-m", "tests.processes", str(whose)]
        subprocess.Popen(command, stdin=door.fileno(), stdout=subprocess.DEVNULL, cwd=ROOT, start_new_session=True)
    ours = _local()
    for _ in range(100):  # who has the name listens in a moment
        if ours.connect_ex(name) == 0:
            return ours
        time.sleep(0.01)
    raise ConnectionError(f"nobody forks processes for the tests at {name!r}")


def _local() -> socket.socket:
    return socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def main(whose: int) -> None:
    """Fork for everything that is asked for, as long as the process of this number runs, or somebody who may ask; and
    in the forks, do it.
    """
    from gm.cli import COMMANDS, entry

    for name in COMMANDS:
        entry(name)
    for name in LATER:
        import_module(name)
    _warm_up()
    assert threading.active_count() == 1, "a fork has one thread, and the locks of all others"
    with socket.socket(fileno=os.dup(0)) as door:
        asked, (*streams, telling) = _forked_for(door, whose)
    _fork_and_keep(telling, streams)
    _do(json.loads(asked), streams)


def _forked_for(door: socket.socket, whose: int) -> tuple[bytes, list[int]]:
    """What a fork was asked for, and the files that came with it. Where all began, this ends the process."""
    there = {door}
    while len(there) > 1 or _runs(whose):
        for one in select.select(there, [], [], _LOOKING)[0]:
            if one is door:
                there.add(door.accept()[0])
                continue
            asked, given = socket.recv_fds(one, _LONGEST, 4)[:2]
            if not asked:
                there.remove(one)
                one.close()
            elif os.fork() == 0:
                for each in there:
                    each.close()
                return asked, given
            for file in given:
                os.close(file)
            _forget_the_ended()
    sys.exit()


def _runs(number: int) -> bool:
    return Path(f"/proc/{number}").exists()


def _warm_up() -> None:
    """Play a phase of a sandbox by mail, for which grammars, templates and the parts of maps are made."""
    from gm.cli import init
    from gm.cli.service import service_of
    from gm.inbound.acceptance import accept
    from gm.machine.steps import Delivery, desk, drain
    from gm.settings import load
    from gm.store.inbox import ArrivedMail

    player, base = "ann@example.org", "gm@localhost"
    mails = list[bytes]()

    class Mailbox:
        def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
            mails.append(raw)

    with TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        init.write(Path(folder) / "home", address=base, port=0)
        service = service_of(load(Path(folder) / "home", {"GM_TRUST_LEVEL": "open"}))
        service.database.migrate()
        for words in ("SANDBOX standard", "A PAR-BUR\nREADY"):
            to = parseaddr(str(message_from_bytes(mails[-1])["Reply-To"]))[1] if mails else base
            raw = f"From: {player}\nTo: {to}\nSubject: x\nMessage-ID: <{len(mails)}@example.org>\n\n{words}\n".encode()
            assert accept(service, ArrivedMail("smtp", raw, service.now(), (to,), player))
            drain((*desk(service), Delivery(service, Mailbox())), service.now)
        service.database.dispose()
    assert b"results" in mails[-1]


def _forget_the_ended() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _fork_and_keep(telling: int, streams: list[int]) -> None:
    """Fork once more, and return there; here, tell its number and how it ends: only its parent learns that."""
    child = os.fork()
    if child == 0:
        os.close(telling)
        return
    for stream in {0, 1, 2, *streams}:
        os.close(stream)
    os.write(telling, _NUMBER.pack(child))
    os.write(telling, _NUMBER.pack(os.waitpid(child, 0)[1]))
    os._exit(0)


def _do(asked: list[Any], streams: list[int]) -> None:
    """Become what `python -m` would be."""
    from gm.server import metrics

    (module, *arguments), environment, folder, session, limits = asked
    for number, given in enumerate(streams):
        os.dup2(given, number)
        os.close(given)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for kind, both in limits:
        resource.setrlimit(kind, both)
    if session:
        os.setsid()
    for stream in (sys.stdout, sys.stderr):
        cast(TextIOWrapper, stream).reconfigure(line_buffering=os.isatty(stream.fileno()))
    # What a process counts of itself begins with it.
    metrics._counted.clear()
    metrics._STARTED = time.monotonic()
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
