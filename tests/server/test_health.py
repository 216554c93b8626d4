"""The pages for a supervisor, and the metrics by part."""

from __future__ import annotations

import socket
import struct
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from gm.machine.delivery import note_cap
from gm.operation import EVERY_PART, Part
from gm.server import Server
from gm.server.metrics import MetricsPage
from gm.settings import MetricsSettings
from gm.store import agenda
from gm.store.database import Database
from gm.store.mail_servers import Cap, Kind
from gm.store.presence import Presence
from tests.mail.transport.conftest import eventually
from tests.server.world import World, player
from tests.timing import HANGING


@contextmanager
def pages(service: Server, *hanging: str) -> Iterator[str]:
    """The pages of a server of which these hang."""
    with MetricsPage(MetricsSettings(port=0), service, lambda: hanging) as page:
        yield f"http://127.0.0.1:{page.port}"


def got(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=HANGING) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_server_that_works_lives_and_is_ready(world: World) -> None:
    with pages(world.service) as here:
        assert got(f"{here}/live") == (200, "live\n")
        assert got(f"{here}/ready") == (200, "ready\n")


def test_a_server_whose_threads_hang_is_neither(world: World) -> None:
    with pages(world.service, "desk", "courier 3") as here:
        assert got(f"{here}/live") == (503, "These hang: desk, courier 3.\n")
        assert got(f"{here}/ready") == (503, "These hang: desk, courier 3.\n")


@dataclass
class Mailbox:
    """A folder that is read, or of which it is said why not."""

    trouble: str = ""
    taken: bool = False
    name: str = "imap gm@imap.example.org/INBOX"


def test_a_server_that_cannot_read_its_mailbox_is_not_ready_and_has_a_problem(world: World) -> None:
    mailbox = Mailbox()
    world.service.folders.append(mailbox)
    with pages(world.service) as here:
        assert got(f"{here}/ready")[0] == 200
        assert figures(world.service, "gm_problem")["imap"] == 0
        mailbox.trouble = "The log-in was refused."
        status, words = got(f"{here}/ready")
        assert (status, words[:69]) == (503, "The mailbox gm@imap.example.org/INBOX: The log-in was refused. `gm ch")
        mailbox.taken = True
        assert got(f"{here}/ready")[0] == 200, "mail is taken, and only not moved away"
    assert figures(world.service, "gm_problem")["imap"] == 1


def test_a_reader_that_hangs_up_is_a_line_of_the_log_and_no_traceback(
    world: World, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    asked, gone = threading.Event(), threading.Event()

    def waits() -> tuple[str, ...]:
        asked.set()
        gone.wait(HANGING)
        return ()

    with caplog.at_level("INFO"), MetricsPage(MetricsSettings(port=0), world.service, waits) as page:
        reader = socket.create_connection(("127.0.0.1", page.port))
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        reader.sendall(b"GET /live HTTP/1.0\r\n\r\n")
        asked.wait(HANGING)
        reader.close()
        gone.set()
        assert eventually(lambda: any("hung up" in one.message for one in caplog.records))
    assert not [one for one in caplog.records if one.exc_info]
    assert capfd.readouterr().err == ""


def test_a_server_without_its_database_lives_and_is_not_ready(world: World, empty_database: Database) -> None:
    with pages(replace(world.service, database=empty_database)) as here:
        assert got(f"{here}/live") == (200, "live\n")
        assert got(f"{here}/ready")[0] == 503
    away = Database("postgresql://gm@127.0.0.1:1/gm")
    with pages(replace(world.service, database=away)) as here:
        status, words = got(f"{here}/ready")
        assert (status, words[:34]) == (503, "The database is not available: con")
        assert got(f"{here}/live") == (200, "live\n")
    assert figures(replace(world.service, database=away), "gm_problem")["database"] == 1


def figures(service: Server, name: str) -> dict[str, float]:
    """The values of a figure by part."""
    with pages(service) as here:
        lines = [line for line in got(f"{here}/metrics")[1].splitlines() if line.startswith(name)]
    return {line.split('"')[1]: float(line.split()[-1]) for line in lines}


def test_what_the_mail_server_takes_at_most(world: World) -> None:
    assert figures(world.service, "gm_mail_server_cap{") == {}
    note_cap(world.service, Cap("relay port 25", Kind.MAILS, 20, "452 enough", 600))
    assert figures(world.service, "gm_mail_server_cap{") == {"mails": 20}
    world.pass_time(minutes=11)
    assert figures(world.service, "gm_mail_server_cap{") == {}


def test_how_long_work_has_waited_by_part(world: World) -> None:
    world.started()
    assert figures(world.service, "gm_waiting_seconds") == dict.fromkeys(Part, 0.0)
    with world.service.reading() as tx:
        due = agenda.open_deadlines(tx.session, 1)[0].due_at
    world.time = due + timedelta(minutes=3)
    world.arrive(player("France"), "gm@example.org", "HELP")
    world.time += timedelta(minutes=1)
    found = figures(world.service, "gm_waiting_seconds")
    assert (found[Part.DEADLINES], found[Part.INTAKE]) == (240.0, 60.0)


@pytest.mark.parametrize("database_kind", ["postgresql"], indirect=True)
def test_which_parts_are_run(world: World, database: Database) -> None:
    assert set(figures(world.service, "gm_part_run").values()) == {1.0}, "on SQLite each server runs all"
    here = Presence(database, {Part.INTAKE})
    shared = replace(world.service, database=database)
    assert figures(shared, "gm_part_run") == {part: float(part is Part.INTAKE) for part in Part}
    with pages(shared) as page:
        assert got(f"{page}/ready") == (200, "ready\nNobody runs: deadlines, reports, delivery.\n")
        rest = Presence(database, EVERY_PART - {Part.INTAKE})
        assert got(f"{page}/ready") == (200, "ready\n")
    rest.close()
    here.close()
