"""Helpers, the other processes of a server: they close phases and write reports, and end when it does."""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from gm.cli import main
from gm.cli.helpers import Helpers
from gm.settings import DatabaseSettings, Settings, load
from gm.store.database import Database
from gm.variants.standard import POWERS
from tests.cli.server import MASTER, Running, player
from tests.cli.test_serve import reports
from tests.server.world import World
from tests.timing import HANGING

pytestmark = pytest.mark.long


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Of a server with a game whose first deadline passed long ago."""
    world = World(tmp_path, time=datetime.now(UTC) - timedelta(days=30))
    world.started()
    world.database.dispose()
    assert main(["init", "--home", str(tmp_path / "home")]) == 0
    return replace(load(tmp_path / "home"), database=DatabaseSettings(str(world.database.url)))


def number(settings: Settings, question: str) -> int:
    database = Database(settings.database.url)
    with database.reading() as session:
        found = session.scalar(text(question))
    database.dispose()
    return int(found or 0)


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + HANGING
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_helper_closes_what_is_due_and_writes_the_reports_and_tells_who_sends_them(settings: Settings) -> None:
    told = threading.Semaphore(0)
    queued = "SELECT count(*) FROM report_queue WHERE kind = 'report' AND done_at IS NOT NULL"
    assert number(settings, queued) == 0
    with Helpers(settings, 1, told.release):
        wait_for(lambda: number(settings, queued) == len(POWERS) + 1)
        for _ in ("the phase", "its reports"):
            assert told.acquire(timeout=HANGING)
    assert not multiprocessing.active_children()
    assert number(settings, "SELECT count(*) FROM phase") == 2


def test_a_helper_that_dies_is_replaced(
    settings: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.cli.helpers.STOP_SECONDS", HANGING)  # on a busy machine they may still be starting
    with caplog.at_level(logging.ERROR), Helpers(settings, 2, lambda: None):
        first, second = sorted(multiprocessing.active_children(), key=lambda process: process.name)
        first.kill()
        wait_for(lambda: "helper 0 has died" in caplog.text)
        wait_for(lambda: {one.name for one in multiprocessing.active_children()} == {"helper 0", "helper 1"})
        assert first not in multiprocessing.active_children()
        assert second.is_alive()
    assert "helper 1" not in caplog.text
    assert second.exitcode == 0
    assert not multiprocessing.active_children()


def test_a_server_of_several_processes_reports_once_and_leaves_none_behind(tmp_path: Path) -> None:
    with Running(tmp_path / "server", GM_SERVER_PROCESSES="3") as server:
        seats = server.started()
        wait_for(lambda: len(helpers_of(server.process.pid)) == 2)
        server.send(MASTER, seats["GM"], "PROCESS S1901M")  # here, and the helpers are called to write the reports
        for power in POWERS:
            server.wait_for(lambda: len(reports(server, power)) == 1)  # noqa: B023
        ids = [mail["Message-ID"] for mail in server.mails(player("France"))]
        assert len(ids) == len(set(ids))
        children = helpers_of(server.process.pid)
        assert len(children) == 2
        server.kill()
        wait_for(lambda: not any(map(is_alive, children)))

        server.start()
        wait_for(lambda: len(helpers_of(server.process.pid)) == 2)
        children = helpers_of(server.process.pid)
        assert server.stop() == 0
        assert [is_alive(child) for child in children] == [False, False]


def helpers_of(parent: int) -> list[int]:
    """The processes that do the work of helpers; one more looks after their locks."""
    return [pid for pid in processes() if state(pid)[1:2] == [str(parent)] and b"spawn_main" in words_of(pid)]


def is_alive(pid: int) -> bool:
    return state(pid)[:1] not in ([], ["Z"])


def processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]


def state(pid: int) -> list[str]:
    """The state and the parent of a process, and more; empty when it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return []


def words_of(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
