"""The sender against a real SMTP server that replies as the test tells it to."""

from __future__ import annotations

import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import gm.mail.transport.smtp_out
from gm.errors import DeliveryDeferred, DeliveryRefused, SenderRefused, Unconfirmed, WayOutFailed
from gm.mail.message.bounce_report import refused
from gm.mail.transport.smtp_out import Sender, Timeouts
from gm.settings import SendSettings
from tests.certificates import Certificate
from tests.mail.transport.dovecot import free_port
from tests.mail.transport.mailserver import HANG_UP, SILENCE, TAKEN, MailServer
from tests.timing import HANGING

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

MAIL = b"Subject: report\r\n\r\nA PAR-BUR\r\n"
GM, ANN = "gm+bounce.1@example.org", "ann@example.com"


def settings(port: int, **changes: object) -> SendSettings:
    return SendSettings(Path("/nonexistent"), kind="smtp", port=port, **changes)  # type: ignore[arg-type]


@pytest.fixture
def server() -> Iterator[MailServer]:
    with MailServer() as running:
        yield running


@pytest.fixture
def sender(server: MailServer) -> Iterator[Sender]:
    sender = Sender(settings(server.port), hostname="gm.example.org", timeouts=Timeouts(HANGING))
    yield sender
    sender.close()


def test_a_mail_is_delivered_with_its_envelope(server: MailServer, sender: Sender) -> None:
    sender.deliver(MAIL, GM, ANN)
    (taken,) = server.taken
    assert (taken.sender, taken.recipients, taken.raw) == (GM, (ANN,), MAIL)
    assert f"SIZE={len(MAIL)}" in taken.options


def test_the_null_return_path(server: MailServer, sender: Sender) -> None:
    sender.deliver(MAIL, "", ANN)
    assert server.taken[0].sender == "<>"


@pytest.mark.parametrize(
    ("raw", "arrives"),
    [
        pytest.param(b"Subject: x\n\nbare\n", b"Subject: x\r\n\r\nbare\r\n", id="bare-line-ends"),
        pytest.param(b"a\r\n.\r\n.b\r\n..c\r\n", b"a\r\n.\r\n.b\r\n..c\r\n", id="dots"),
        pytest.param(b".a\r\n\r\n.\r\n", b".a\r\n\r\n.\r\n", id="a-dot-first"),
        pytest.param(b"a\n.\nb", b"a\r\n.\r\nb\r\n", id="nothing-to-smuggle"),
        pytest.param("Zürich\r\n".encode(), "Zürich\r\n".encode(), id="eight-bits"),
        pytest.param(b"words\r\n" * 50_000, b"words\r\n" * 50_000, id="large"),
    ],
)
def test_content(server: MailServer, sender: Sender, raw: bytes, arrives: bytes) -> None:
    sender.deliver(raw, GM, ANN)
    assert server.taken[0].raw == arrives
    assert ("BODY=8BITMIME" in server.taken[0].options) is not raw.isascii()


@pytest.mark.parametrize(
    ("verb", "answer", "expected"),
    [
        ("MAIL", "552 5.3.4 Message too big", DeliveryRefused),
        ("MAIL", "550 5.7.1 Your sender is not welcome", SenderRefused),
        ("MAIL", "500 5.5.2 Unrecognized", SenderRefused),
        ("MAIL", "530 5.7.0 Authentication required", SenderRefused),
        ("RCPT", "450 4.2.1 Mailbox busy", DeliveryDeferred),
        ("RCPT", "451 4.7.1 Greylisted, come back", DeliveryDeferred),
        ("RCPT", "454 4.7.1 Relay access denied", DeliveryDeferred),
        ("RCPT", "530 5.7.0 Authentication required", SenderRefused),
        ("RCPT", "550 5.1.1 No such user", DeliveryRefused),
        ("RCPT", "551 5.1.6 Moved", DeliveryRefused),
        ("RCPT", "552 5.2.2 Mailbox full", DeliveryRefused),
        ("RCPT", "553 5.1.3 Bad address", DeliveryRefused),
        ("RCPT", "421 4.3.2 Shutting down", DeliveryDeferred),
        ("DATA", "451 4.3.0 Try later", DeliveryDeferred),
        ("DATA", "452 4.3.1 Disk full", DeliveryDeferred),
        ("DATA", "550 5.7.1 Looks like spam", DeliveryRefused),
        ("DATA", "554 5.6.0 Malformed", DeliveryRefused),
        ("DATA", "599 5.0.0 No", DeliveryRefused),
        ("DATA", HANG_UP, Unconfirmed),
        ("RCPT", HANG_UP, DeliveryDeferred),
    ],
)
def test_answers_are_sorted_and_the_next_mail_goes_out(
    server: MailServer, sender: Sender, verb: str, answer: str, expected: type[Exception]
) -> None:
    server.answers[verb] = answer
    with pytest.raises((DeliveryDeferred, DeliveryRefused)) as caught:
        sender.deliver(MAIL, GM, ANN)
    assert type(caught.value) is expected
    if answer != HANG_UP:
        assert answer in str(caught.value)
        assert ANN in str(caught.value)
    assert server.taken == []
    server.answers.clear()
    sender.deliver(MAIL, GM, ANN)
    assert len(server.taken) == 1


@pytest.mark.parametrize("answer", ["450 4.7.1 Too many mails", "421 4.3.2 Too many mails", "471 Too many mails"])
def test_a_server_that_takes_no_mail_for_now_is_asked_once_for_all(
    server: MailServer, sender: Sender, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    server.answers["MAIL"] = answer
    with pytest.raises(WayOutFailed, match="Too many mails"):
        sender.deliver(MAIL, GM, ANN)
    server.answers.clear()
    with pytest.raises(WayOutFailed, match="has just deferred all mail"):
        sender.deliver(MAIL, GM, "ben@example.com")
    assert server.taken == []
    sender.close()
    later = time.monotonic() + 45
    monkeypatch.setattr(time, "monotonic", lambda: later)
    sender.deliver(MAIL, GM, ANN)
    assert len(server.taken) == 1


@pytest.mark.parametrize(
    ("verb", "answer"),
    [
        ("DATA", "251 2.0.0 Queued"),
        ("DATA", "252 Taken, and not looked at"),
        ("DATA", "299 fine"),
        ("MAIL", "200 OK"),
        ("RCPT", "251 User not local; will forward"),
    ],
)
def test_every_reply_that_begins_with_2_accepts(server: MailServer, sender: Sender, verb: str, answer: str) -> None:
    server.answers[verb] = answer
    sender.deliver(MAIL, GM, ANN)
    assert server.connections == 1


@pytest.mark.parametrize("answer", ["25 ok", "hello", "399 more?", "600 what", "100", "2x0 ok", TAKEN])
def test_what_is_no_reply_to_a_whole_mail_says_nothing_of_it(server: MailServer, sender: Sender, answer: str) -> None:
    server.answers["DATA"] = answer
    with pytest.raises(Unconfirmed, match="broke after the whole mail was sent"):
        sender.deliver(MAIL, GM, ANN)
    server.answers.clear()
    sender.deliver(MAIL, GM, ANN)
    assert server.connections == 2, "what is said next on the first may answer anything"


def test_many_lines_of_an_answer_become_one(server: MailServer, sender: Sender) -> None:
    server.answers["RCPT"] = "550-5.1.1 No such\r\n550 5.1.1 user  here"
    with pytest.raises(DeliveryRefused, match=r"550 5\.1\.1 No such 5\.1\.1 user here"):
        sender.deliver(MAIL, GM, ANN)


def test_one_connection_for_many_mails(server: MailServer, sender: Sender) -> None:
    for number in range(5):
        sender.deliver(MAIL, GM, f"player{number}@example.com")
    server.answers["RCPT"] = "550 no"
    with pytest.raises(DeliveryRefused):
        sender.deliver(MAIL, GM, ANN)
    server.answers.clear()
    sender.deliver(MAIL, GM, ANN)
    assert server.connections == 1
    assert len(server.taken) == 6


def test_a_connection_gone_stale_is_opened_anew(server: MailServer, sender: Sender) -> None:
    sender.deliver(MAIL, GM, ANN)
    server.stop()
    server.start()
    sender.deliver(MAIL, GM, ANN)
    assert len(server.taken) == 2


@pytest.mark.parametrize("reply", ["421 4.3.2 I am tired of you", "503 5.5.1 no"])
def test_a_connection_that_cannot_be_reset_is_opened_anew(server: MailServer, sender: Sender, reply: str) -> None:
    server.answers["RCPT"] = "550 no"
    with pytest.raises(DeliveryRefused):
        sender.deliver(MAIL, GM, ANN)
    server.answers = {"RSET": reply}
    sender.deliver(MAIL, GM, ANN)
    assert (server.connections, len(server.taken)) == (2, 1)


@pytest.mark.parametrize("verb", ["MAIL", "RCPT"])
def test_a_server_that_ends_a_kept_connection_is_asked_again_by_another(
    server: MailServer, sender: Sender, verb: str
) -> None:
    sender.deliver(MAIL, GM, ANN)
    server.answers = {verb: "421 4.3.2 going down"}
    with pytest.raises(DeliveryDeferred, match="going down"):
        sender.deliver(MAIL, GM, ANN)
    assert server.connections == 2
    assert len(server.taken) == 1


def test_a_connection_kept_too_long_is_opened_anew(
    server: MailServer, sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    sender.deliver(MAIL, GM, ANN)
    monkeypatch.setattr(gm.mail.transport.smtp_out, "KEPT_SECONDS", -1.0)
    sender.deliver(MAIL, GM, ANN)
    assert server.connections == 2


@pytest.mark.parametrize(("kept", "opened"), [(0, 2), (1, 1)])
def test_no_more_connections_are_kept_than_are_wanted(server: MailServer, kept: int, opened: int) -> None:
    sender = Sender(settings(server.port, connections=kept), timeouts=Timeouts(HANGING))
    sender.deliver(MAIL, GM, ANN)
    sender.deliver(MAIL, GM, ANN)
    sender.close()
    assert server.connections == opened


def test_threads_do_not_share_a_connection(server: MailServer, sender: Sender) -> None:
    threads = [
        threading.Thread(target=sender.deliver, args=(MAIL, GM, f"player{number}@example.com")) for number in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANGING)
    assert sorted(taken.recipients[0] for taken in server.taken) == sorted(
        f"player{number}@example.com" for number in range(12)
    )


def test_nobody_listens() -> None:
    with pytest.raises(DeliveryDeferred, match="refused"):
        Sender(settings(free_port())).deliver(MAIL, GM, ANN)


def test_a_host_that_does_not_exist() -> None:
    with pytest.raises(DeliveryDeferred, match=r"mail\.invalid port 25"):
        Sender(settings(25, host="mail.invalid")).deliver(MAIL, GM, ANN)


def test_a_server_that_says_nothing_is_given_up_after_the_time_limit(server: MailServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(DeliveryDeferred, match="timed out"):
        Sender(settings(silent.getsockname()[1]), timeouts=Timeouts(0.3)).deliver(MAIL, GM, ANN)
    server.answers["DATA"] = SILENCE
    with pytest.raises(Unconfirmed, match="timed out"):
        Sender(settings(server.port), timeouts=Timeouts(HANGING, 0.3)).deliver(MAIL, GM, ANN)


@pytest.mark.parametrize(
    "greeting", [b"554 5.7.1 Go away\r\n", b"421 Too many\r\n", b"\x00\xff\r\n", b"HTTP/1.1 200\r\n"]
)
def test_a_greeting_that_is_none(greeting: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as rude:
        sender = Sender(settings(rude.getsockname()[1]), timeouts=Timeouts(HANGING))

        def greet() -> None:
            connection = rude.accept()[0]
            connection.sendall(greeting)
            connection.close()

        thread = threading.Thread(target=greet)
        thread.start()
        with pytest.raises(DeliveryDeferred):
            sender.deliver(MAIL, GM, ANN)
        thread.join(HANGING)


@pytest.mark.parametrize("recipient", ["", "ann", "ann@example.com\r\nRCPT TO:<b@c>", "ann bee@example.com", "a@b\x00"])
def test_what_is_no_address_is_refused(server: MailServer, sender: Sender, recipient: str) -> None:
    with pytest.raises(DeliveryRefused, match="not a mail address"):
        sender.deliver(MAIL, GM, recipient)
    assert server.connections == 0


@pytest.mark.parametrize(
    ("utf8", "recipient", "arrives"),
    [
        (True, "zoë@exämple.com", "zoë@exämple.com"),
        (False, "ann@exämple.com", "ann@xn--exmple-cua.com"),
        (False, "zoë@example.com", None),
    ],
)
def test_international_addresses(utf8: bool, recipient: str, arrives: str | None) -> None:
    with MailServer(utf8=utf8) as server:
        sender = Sender(settings(server.port))
        if arrives is None:
            with pytest.raises(DeliveryRefused, match="SMTPUTF8") as found:
                sender.deliver(MAIL, GM, recipient)
            assert not refused(str(found.value), GM, recipient).hard, "the address may be right"
        else:
            sender.deliver(MAIL, "gm@exämple.org", recipient)
            assert server.taken[0].recipients == (arrives,)
            assert server.taken[0].sender == ("gm@exämple.org" if utf8 else "gm@xn--exmple-cua.org")
        sender.deliver(MAIL, GM, ANN)
        assert "SMTPUTF8" not in server.taken[-1].options
        sender.close()


def test_a_server_may_take_longer_to_take_a_mail(server: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that does not wait for the reply to DATA sends the mail twice."""
    waits: list[float | None] = []
    getreply = smtplib.SMTP.getreply

    def noted(smtp: smtplib.SMTP) -> tuple[int, bytes]:
        assert smtp.sock is not None
        waits.append(smtp.sock.gettimeout())
        code, words = getreply(smtp)
        return code, words

    monkeypatch.setattr(smtplib.SMTP, "getreply", noted)
    sender = Sender(settings(server.port), timeouts=Timeouts(HANGING, 2 * HANGING))
    for _ in range(2):
        sender.deliver(MAIL, GM, ANN)
    first, second = [HANGING] * 4 + [2 * HANGING] * 2, [HANGING] * 2 + [2 * HANGING] * 2
    assert waits == first + second, "greeting, EHLO, MAIL, RCPT, DATA and its end; MAIL, RCPT, DATA and its end"
    assert server.connections == 1


def test_log_in() -> None:
    with MailServer(password="secret") as server:
        sender = Sender(settings(server.port, user="gm", password="secret"))
        sender.deliver(MAIL, GM, ANN)
        sender.close()
        assert len(server.taken) == 1


@pytest.mark.parametrize(("user", "password"), [("gm", "wrong-word"), ("gm", "fälsch"), (None, None)])
def test_a_failed_log_in_defers_the_mail(user: str | None, password: str | None) -> None:
    with MailServer(password="secret") as server:
        sender = Sender(settings(server.port, user=user, password=password))
        with pytest.raises(DeliveryDeferred) as caught:
            sender.deliver(MAIL, GM, ANN)
        sender.close()
        assert password is None or password not in str(caught.value)


def test_a_server_without_log_in_is_not_sent_a_password_unasked(server: MailServer) -> None:
    with pytest.raises(DeliveryDeferred, match="cannot be used"):
        Sender(settings(server.port, user="gm", password="secret", tls="starttls")).deliver(MAIL, GM, ANN)
    assert server.taken == []


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
@pytest.mark.parametrize("trusted", [True, False])
def test_tls(certificate: Certificate, tls: str, trusted: bool) -> None:
    ours = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ours.load_cert_chain(certificate.chain, certificate.key)
    theirs = ssl.create_default_context(cafile=str(certificate.chain)) if trusted else None
    with MailServer(tls=ours, implicit=tls == "implicit") as server:
        sender = Sender(settings(server.port, tls=tls), tls=theirs)
        if trusted:
            sender.deliver(MAIL, GM, ANN)
            sender.deliver(MAIL, GM, ANN)
            assert server.connections == (1 if tls == "implicit" else 2)  # EHLO is said again after STARTTLS
        else:
            with pytest.raises(DeliveryDeferred, match="CERTIFICATE_VERIFY_FAILED"):
                sender.deliver(MAIL, GM, ANN)
        sender.close()
        assert len(server.taken) == (2 if trusted else 0)
