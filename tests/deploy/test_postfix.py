"""The lines for Postfix: mail for seats comes through with its whole address, by LMTP and by a mailbox of Dovecot."""

from __future__ import annotations

import email
import queue
import smtplib
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.mail.transport.listener import Listener
from gm.settings import ListenSettings
from gm.store.inbox import ArrivedMail
from tests.mail.transport.conftest import eventually
from tests.mail.transport.dovecot import Dovecot, free_port
from tests.mail.transport.polling import Polling
from tests.mail.transport.postfix import PLAYER, Postfix
from tests.timing import HANGING

SETTINGS = Path(__file__).parents[2] / "deploy" / "postfix"
SEAT = "gm+spring.k3v9@example.org"

_HOST = """
mydestination = example.org
virtual_mailbox_domains =
relay_domains =
transport_maps =
recipient_delimiter =
local_recipient_maps = inline:{ gm=gm, nobody=nobody }
"""
"""A machine whose users have their mailboxes in example.org, before our lines are added."""

_transport = (SETTINGS / "gm-transport").read_text(encoding="utf-8")
_lmtp = (SETTINGS / "lmtp.cf").read_text(encoding="utf-8")
_mailbox = (SETTINGS / "mailbox.cf").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    with Dovecot() as running:
        yield running


@pytest.fixture(scope="module")
def lmtp_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def postfix(dovecot: Dovecot, lmtp_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postfix]:
    """Postfix with our lines for LMTP, only the port and the place of the table being the test's own."""
    table = tmp_path_factory.mktemp("postfix") / "gm-transport"
    table.write_text(_transport.replace("127.0.0.1:2424", f"127.0.0.1:{lmtp_port}"), encoding="utf-8")
    assert str(lmtp_port) in table.read_text(encoding="utf-8")
    with Postfix(dovecot, extra=_HOST + _lmtp.replace("/etc/postfix/gm-transport", str(table))) as running:
        yield running


def test_mail_to_a_seat_arrives_and_waits_while_gm_is_stopped(postfix: Postfix, lmtp_port: int) -> None:
    postfix.swaks(PLAYER, SEAT, "orders")
    assert eventually(lambda: "status=deferred" in postfix.log()), postfix.log()

    arrived: queue.Queue[ArrivedMail] = queue.Queue()
    settings = ListenSettings(protocol="lmtp", port=lmtp_port)
    with Listener(settings, accept=arrived.put, knows=lambda address: address == SEAT):
        postfix.flush()
        kept = arrived.get(timeout=HANGING)
        assert (kept.recipients, kept.envelope_from) == ((SEAT,), PLAYER)
        assert b"A PAR-BUR" in kept.raw

        postfix.swaks(PLAYER, "gm+spring.wrong@example.org", "orders")
        assert eventually(lambda: "said: 550 5.1.1" in postfix.log()), postfix.log()
        assert arrived.empty()


@pytest.mark.parametrize(
    ("to", "size", "code"),
    [("stranger@example.org", 0, "5.1.1"), (SEAT, 1_100_000, "5.3.4")],
    ids=["to a stranger", "too large"],
)
def test_what_cannot_be_delivered_is_refused_at_once(postfix: Postfix, to: str, size: int, code: str) -> None:
    with (
        smtplib.SMTP("127.0.0.1", postfix.port, timeout=HANGING) as smtp,
        pytest.raises(smtplib.SMTPException) as caught,
    ):
        smtp.sendmail(PLAYER, [to], b"Subject: orders\r\n\r\n" + b"talk\r\n" * (size // 6))
    assert code in str(caught.value)


def test_mail_to_a_seat_comes_by_way_of_a_mailbox_long_before_the_next_poll(dovecot: Dovecot) -> None:
    """SMTP to Postfix to Dovecot to the poller. The mailbox is that of nobody, a user whom every machine has."""
    seat = "nobody+spring.k3v9@example.org"
    command = "/usr/lib/dovecot/dovecot-lda"
    assert command in _mailbox
    own = f"{command} -c {dovecot.home}/dovecot.conf -o log_path=/dev/stderr -o stats_writer_socket_path="
    arrived: queue.Queue[ArrivedMail] = queue.Queue()
    with (
        Polling(dovecot.settings(user="nobody"), arrived.put),
        Postfix(dovecot, extra=_HOST + _mailbox.replace(command, own)) as postfix,
    ):
        postfix.swaks(PLAYER, seat, "orders")
        try:
            raw = arrived.get(timeout=HANGING).raw
        except queue.Empty:
            pytest.fail(f"{postfix.log()}\n{dovecot.log()}")
    assert seat in email.message_from_bytes(raw).get_all("Delivered-To", [])
