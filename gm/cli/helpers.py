"""Other processes of `gm serve` on the same machine, which write its reports, and adjudicate."""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from gm.cli import with_games
from gm.cli.logs import set_up
from gm.cli.service import service_of
from gm.machine.steps import HELPED, STOP_SECONDS, Scheduler, helping
from gm.operation import EVERY_PART, Part
from gm.settings import Settings

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

log = logging.getLogger("gm.serve")


class Helpers:
    """Other processes that write all reports, and adjudicate while none is owed: a context manager. `call` is called
    here after each piece of work. A helper leases what it works on like a server of its own, so nothing is done twice,
    and what a dead one leaves is done by the others. A new one takes its place.
    """

    def __init__(
        self,
        settings: Settings,
        number: int,
        call: Callable[[], object],
        parts: frozenset[Part] = EVERY_PART,
    ) -> None:
        self.number = number if parts & HELPED else 0
        self._settings, self._call, self._parts = settings, call, parts
        self._enough = threading.Event()
        self._running: dict[str, tuple[SpawnProcess, Connection]] = {}

    def __enter__(self) -> Helpers:
        for name in (f"helper {one}" for one in range(self.number)):
            self._start(name)
            threading.Thread(target=self._look_after, args=(name,), name=name, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._enough.set()
        self._send(_ENOUGH)
        end = time.monotonic() + STOP_SECONDS
        for process, _pipe in self._running.values():
            process.join(max(end - time.monotonic(), 0.0))
            process.kill()
            process.join()

    def wake(self) -> None:
        """There is work."""
        self._send(_WORK)

    def _send(self, what: bytes) -> None:
        for _, pipe in tuple(self._running.values()):
            with suppress(OSError):  # it has died
                pipe.send_bytes(what)

    def _start(self, name: str) -> None:
        import multiprocessing  # not loaded by servers without helpers

        apart = multiprocessing.get_context("spawn")  # a copy of this process would have its threads' locks
        ours, theirs = apart.Pipe()
        given = self._settings, self._parts, theirs, log.getEffectiveLevel()
        process = apart.Process(target=_helps, args=given, name=name, daemon=True)
        process.start()
        theirs.close()
        self._running[name] = process, ours

    def _look_after(self, name: str) -> None:
        while not self._enough.is_set():
            with suppress(EOFError, OSError):
                while self._running[name][1].recv_bytes() != _ENOUGH:
                    self._call()
                return
            log.error("%s has died: another takes its place", name)
            if not self._enough.wait(_PAUSE):
                self._start(name)


_PAUSE = 1.0
"""How long to wait before a helper is replaced, in seconds, in case that each one dies at once."""
_HELPERS_WAIT = 5
"""How much less of a processor helpers get than the process that takes mail, whose senders wait for its replies."""
_WORK, _DONE, _ENOUGH = b"work", b"done", b"enough"


def _helps(settings: Settings, parts: frozenset[Part], pipe: Connection, level: int) -> None:
    """Work as a helper until the server says that it is enough, or has died; log what the server does, too."""
    for number in (signal.SIGTERM, signal.SIGINT):  # they go to all processes of a service: the server says when to end
        signal.signal(number, signal.SIG_IGN)
    with suppress(OSError):  # where that is forbidden, helpers get as much as the others
        os.nice(_HELPERS_WAIT)
    with_games(settings)
    gc.freeze()  # what was imported stays
    set_up(level, settings.server.log)
    service, longer = service_of(settings), timedelta(hours=settings.clock.extend_hours)
    scheduler = Scheduler(service.now, poll_seconds=settings.clock.poll_seconds)
    scheduler.add("desk", *helping(service, longer, parts), between=partial(pipe.send_bytes, _DONE))
    scheduler.start()
    with suppress(EOFError, OSError):
        while pipe.recv_bytes() != _ENOUGH:
            scheduler.wake()
    scheduler.stop()
    with suppress(OSError):
        pipe.send_bytes(_ENOUGH)
