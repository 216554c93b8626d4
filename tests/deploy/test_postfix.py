"""The lines for Postfix: mail for seats comes through with its whole address, by LMTP and by a mailbox of Dovecot."""

from __future__ import annotations

import email
import queue
import smtplib
import threading
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from gm.mail.imap import ImapPoller
from gm.mail.listener import Listener
from gm.settings import ListenSettings
from gm.store.inbox import ArrivedMail
from tests.deploy.postfix import Postfix
from tests.mail.dovecot import Dovecot, free_port

SETTINGS = Path(__file__).parents[2] / "deploy" / "postfix"
SEAT = "gm+spring.k3v9@example.org"

_transport = (SETTINGS / "gm-transport").read_text(encoding="utf-8")
_mailbox = (SETTINGS / "mailbox.cf").read_text(encoding="utf-8")
_lmtp = (SETTINGS / "lmtp.cf").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def lmtp_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def postfix(lmtp_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postfix]:
    """Postfix with the lines of deploy/postfix, only the port and the place of the map being the test's own."""
    table = tmp_path_factory.mktemp("postfix") / "gm-transport"
    table.write_text(_transport.replace("127.0.0.1:2424", f"127.0.0.1:{lmtp_port}"), encoding="utf-8")
    assert str(lmtp_port) in table.read_text(encoding="utf-8")
    with Postfix(_lmtp.replace("/etc/postfix/gm-transport", str(table))) as running:
        yield running


def send(postfix: Postfix, to: str, size: int = 0) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "ann@example.net", to, "orders"
    mail.set_content("A PAR-BUR\n" + "talk\n" * (size // 5))
    with smtplib.SMTP("127.0.0.1", postfix.port, timeout=20) as smtp:
        smtp.send_message(mail)


def test_mail_to_a_seat_arrives_and_waits_while_gm_is_stopped(postfix: Postfix, lmtp_port: int) -> None:
    send(postfix, SEAT)
    postfix.wait_for_log("status=deferred")

    arrived: queue.Queue[ArrivedMail] = queue.Queue()
    settings = ListenSettings(protocol="lmtp", port=lmtp_port)
    with Listener(settings, accept=arrived.put, knows=lambda address: address == SEAT):
        postfix.command("flush")
        kept = arrived.get(timeout=20)
        assert kept.recipients == (SEAT,)
        assert kept.envelope_from == "ann@example.net"
        assert b"A PAR-BUR" in kept.raw

        send(postfix, "gm+spring.wrong@example.org")
        postfix.wait_for_log("status=bounced (host 127.0.0.1[127.0.0.1] said: 550 5.1.1")
        assert arrived.empty()


def test_mail_to_strangers_and_mail_too_large_are_refused_at_once(postfix: Postfix) -> None:
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        send(postfix, "stranger@example.org")
    with pytest.raises(smtplib.SMTPSenderRefused, match="exceeds"):
        send(postfix, SEAT, size=1_100_000)


def test_mail_to_a_seat_comes_by_way_of_a_mailbox_within_two_seconds() -> None:
    """SMTP to Postfix to Dovecot to the poller. The mailbox is that of nobody, a user whom every machine has."""
    seat = "nobody+spring.k3v9@example.org"
    arrived: queue.Queue[ArrivedMail] = queue.Queue()
    stop = threading.Event()
    with Dovecot() as dovecot:
        command = "/usr/lib/dovecot/dovecot-lda"
        unlogged = "-o log_path=/dev/stderr -o stats_writer_socket_path="
        assert command in _mailbox
        own = _mailbox.replace(command, f"{command} -c {dovecot.home}/dovecot.conf {unlogged}")
        poller = ImapPoller(dovecot.settings(user="nobody"), arrived.put, stop)
        reading = threading.Thread(target=poller.run)
        reading.start()
        try:
            with Postfix(own) as postfix:
                began = time.monotonic()
                send(postfix, seat)
                try:
                    raw = arrived.get(timeout=10).raw
                except queue.Empty:
                    pytest.fail(f"{postfix.log()}\n{dovecot.log()}")
                assert time.monotonic() - began < 2
        finally:
            stop.set()
            reading.join()
    assert seat in email.message_from_bytes(raw).get_all("Delivered-To", [])
