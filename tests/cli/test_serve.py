"""`gm serve` as a process: started by hand, reached by swaks and by IMAP, killed and started again."""

from __future__ import annotations

import queue
import smtplib
import socket
import subprocess
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from gm.cli import init
from gm.cli.serve import RunningServer
from gm.cli.working import Preparation
from gm.settings import load
from gm.store import outbox
from gm.store.database import Database
from gm.store.inbox import InboxRow, InboxState
from gm.store.outbox import OutboxRow, OutboxState
from gm.store.ways import WayRow
from gm.variants.standard import POWERS
from tests.cli.server import BASE, MASTER, Running, new_mail, player, text_of
from tests.mail.transport.conftest import eventually
from tests.mail.transport.dovecot import PASSWORD, Dovecot, find_server
from tests.timing import HANGING

pytestmark = pytest.mark.long(seconds=45)

SOON = 45.0
"""Seconds; a mail server that is silent is given up after sixty."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with Running(tmp_path / "server") as running:
        yield running


def test_an_order_mail_sent_with_swaks_is_answered_with_a_receipt(server: Running) -> None:
    seat = server.started()["France"]
    message_id = "<1@swaks.example.org>"
    sent = subprocess.run(
        [
            *(find_server("swaks"), "--server", f"127.0.0.1:{server.port}", "--from", player("France"), "--to", seat),
            *("--header", "Subject: Re: spring", "--header", f"Message-Id: {message_id}"),
            *("--body", "A PAR-BUR\nF BRE-MAO\nA MAR S A PAR-MUN\n"),
        ],
        capture_output=True,
        text=True,
        timeout=HANGING,
        check=False,
    )
    assert sent.returncode == 0, sent.stdout
    server.wait_for(lambda: bool(server.answers(player("France"), message_id)))
    [receipt] = server.answers(player("France"), message_id)
    assert receipt["Auto-Submitted"] == "auto-replied"
    for words in ("Army Paris -> Burgundy", "Fleet Brest -> Mid-Atlantic Ocean", "A Mar cannot support into Mun"):
        assert words in text_of(receipt), text_of(receipt)
    assert server.stop() == 0
    assert not [path for path in server.home.rglob("*") if path.stat().st_mode & 0o077 and path.name != "serve.log"]


def test_an_order_mail_by_imap_is_answered_long_before_the_next_poll(tmp_path: Path) -> None:
    with Dovecot() as dovecot:
        imap = {"HOST": "127.0.0.1", "PORT": str(dovecot.port), "TLS": "none", "USER": BASE, "PASSWORD": PASSWORD}
        environment = {f"GM_IMAP_{key}": value for key, value in imap.items()}
        with Running(tmp_path / "server", **environment) as server:
            seat = server.started()["Italy"]
            mail = new_mail(player("Italy"), seat, "F NAP-ION\n")
            dovecot.drop(mail.as_bytes(), BASE)
            server.wait_for(lambda: bool(server.answers(player("Italy"), mail["Message-ID"])))
            assert "Fleet Naples -> Ionian Sea" in text_of(server.answers(player("Italy"), mail["Message-ID"])[0])


def test_it_is_known_to_take_mail_before_it_prepares_for_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That takes seconds on a busy machine. Another server that stopped meanwhile would leave none that listens."""
    init.write(tmp_path / "server", address=BASE, port=0)
    known: queue.Queue[list[str]] = queue.Queue()

    def prepare(self: Preparation, now: datetime) -> None:
        with running.service.database.reading() as session:
            known.put(list(session.scalars(select(WayRow.name).where(WayRow.leased_until > now))))

    monkeypatch.setattr(Preparation, "step", prepare)
    running = RunningServer(load(tmp_path / "server", {}))
    running.start()
    try:
        assert len(known.get(timeout=HANGING)) == 1
    finally:
        running.stop()


def test_a_mail_that_comes_before_the_work_begins_is_answered_when_it_does(tmp_path: Path) -> None:
    """Until then it is stored, and deadlines of other servers wait for what comes on this way."""
    init.write(tmp_path / "server", address=BASE, port=0)
    running = RunningServer(load(tmp_path / "server", {}))
    running.listen()
    try:
        assert running.port
        with smtplib.SMTP("127.0.0.1", running.port, timeout=HANGING) as client:
            client.sendmail("ann@example.org", [BASE], b"Message-ID: <1@x>\r\nFrom: ann@example.org\r\n\r\nLIST\r\n")
        with running.service.database.reading() as session:
            assert session.scalars(select(InboxRow.state)).all() == [InboxState.NEW]
            assert session.scalars(select(WayRow.leased_until > running.service.now())).all() == [True]
        running.work()

        def answered() -> bool:
            with running.service.database.reading() as session:
                return session.scalar(select(OutboxRow.recipient)) == "ann@example.org"

        assert eventually(answered)
    finally:
        running.stop()


def test_a_second_server_on_the_same_port_says_what_is_wrong(server: Running, tmp_path: Path) -> None:
    other = Running(tmp_path / "other")
    other.port = server.port
    other._environment["GM_LISTEN_PORT"] = str(server.port)
    other.start()  # the port answers: the first server's
    assert other.process.wait(HANGING) == 1
    assert f"gm serve: 127.0.0.1 port {server.port} cannot be used" in other.log()


def test_a_database_that_is_removed_while_it_runs_takes_no_mail_and_is_said_once(server: Running) -> None:
    server.ask(player("France"), BASE, "LIST")
    for path in server.home.glob("gm.sqlite3*"):
        path.unlink()
    for _ in range(3):
        with pytest.raises(smtplib.SMTPResponseException) as refused:
            server.send(player("France"), BASE, "LIST")
        assert refused.value.smtp_code == 451
    server.wait_for(lambda: "a round failed" in server.log())
    said = [line for line in server.log().splitlines() if "is not there any more" in line]
    assert sorted("could not be stored" in line for line in said) == [False, True]
    assert "gm restore BACKUP" in said[0]
    assert "Traceback" not in server.log()


def test_killed_after_it_accepted_a_mail_it_answers_once_after_the_restart(server: Running) -> None:
    """The kill falls somewhere between the acceptance and a moment after the answer, each time a little later."""
    sent = {}
    for number in range(5):
        address = f"player{number}@example.org"
        time.sleep(0.01)
        sent[address] = server.send(address, BASE, f"REGISTER Player {number}")
        time.sleep(0.004 * number)
        server.kill()
        server.start()
        # Before the next kill: a mail that has been processed three times without an end is set aside.
        server.wait_for(lambda: bool(server.answers(address, sent[address])))  # noqa: B023
    time.sleep(0.3)
    for address, message_id in sent.items():
        assert len({mail["Message-ID"] for mail in server.answers(address, message_id)}) == 1


def test_killed_while_it_reports_it_sends_every_report_after_the_restart(server: Running) -> None:
    seats = server.started()
    for round_, phase in enumerate(("S1901M", "F1901M")):
        server.send(MASTER, seats["GM"], f"PROCESS {phase}")
        time.sleep(0.03 + 0.05 * round_)
        server.kill()
        server.start()
        for power in POWERS:
            server.wait_for(lambda: len(reports(server, power)) > round_)  # noqa: B023
    time.sleep(0.3)
    for power in POWERS:
        assert len(reports(server, power)) == 2, [mail["Subject"] for mail in server.mails(player(power))]


def reports(server: Running, power: str) -> set[str]:
    """The reports a player has got, by Message-ID."""
    return {
        mail["Message-ID"]
        for mail in server.mails(player(power))
        if mail["Auto-Submitted"] == "auto-generated" and "esults" in text_of(mail)
    }


def test_told_to_stop_while_a_mail_server_is_silent_it_ends_and_keeps_the_queue(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(HANGING)
        send = {"KIND": "smtp", "HOST": "127.0.0.1", "PORT": str(silent.getsockname()[1])}
        with Running(tmp_path / "server", **{f"GM_SEND_{key}": value for key, value in send.items()}) as server:
            server.send(MASTER, BASE, "LIST")
            waiting, _ = silent.accept()
            server.process.terminate()
            assert server.process.wait(SOON) == 0
            waiting.close()
            database = Database(f"sqlite:///{server.home / 'gm.sqlite3'}")
            with database.reading() as session:
                assert outbox.counts(session)[OutboxState.QUEUED] == 1
            database.dispose()
