"""The SMTP listener, in conversations on a socket: what it takes, what it refuses, and when it says 250."""

from __future__ import annotations

import smtplib
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gm.errors import ConfigurationError
from gm.mail.transport.conversation import MAX_ERRORS
from gm.mail.transport.listener import Listener
from gm.settings import ListenSettings
from gm.store.inbox import ArrivedMail
from tests.certificates import Certificate
from tests.mail.transport.conftest import Inbox, Listen, eventually, knows
from tests.mail.transport.peer import Peer
from tests.timing import HANGING

MAIL = b"Subject: orders\r\n\r\nA PAR-BUR\r\n"
END = b".\r\n"


def test_a_mail_is_in_the_inbox_with_its_envelope_before_250_is_said(listen: Listen, mail_inbox: Inbox) -> None:
    at = datetime(1901, 3, 1, 18, 0, tzinfo=UTC)
    with Peer(listen(now=lambda: at).port) as peer:
        peer.greet()
        peer.begin("gm@example.org", "gm+spring.abc@example.org")
        assert peer.post(MAIL + END) == "250 2.0.0 Accepted"
    (mail,) = mail_inbox.mails()
    assert (mail.source, mail.envelope_from, mail.raw) == ("smtp", "ann@example.org", MAIL)
    assert mail.recipients == ["gm@example.org", "gm+spring.abc@example.org"]
    assert mail.received_at == at


def test_250_waits_for_the_commit() -> None:
    committed = threading.Event()

    def accept(_mail: ArrivedMail) -> None:
        assert committed.wait(HANGING)

    with Listener(ListenSettings(port=0), accept, knows) as listener, Peer(listener.port) as peer:
        peer.greet()
        peer.begin("gm@example.org")
        assert peer.ask("DATA").startswith("354")
        peer.send(MAIL + END)
        peer.socket.settimeout(0.2)
        with pytest.raises(TimeoutError):
            peer.hear()
        with Peer(listener.port) as other:  # nobody else waits for that disk
            assert other.greet()
        committed.set()
        peer.socket.settimeout(HANGING)
        assert peer.hear().startswith("250")


def test_the_same_mail_twice_is_accepted_twice_and_kept_once(listen: Listen, mail_inbox: Inbox) -> None:
    with Peer(listen().port) as peer:
        peer.greet()
        for _ in range(2):
            peer.begin("gm@example.org")
            assert peer.post(b"Message-ID: <1@example.org>\r\n" + MAIL + END).startswith("250")
    assert mail_inbox.results == ["stored", "duplicate"]
    assert len(mail_inbox.mails()) == 1


def test_a_failure_of_ours_is_451_without_its_words_and_the_next_try_succeeds(
    listen: Listen, mail_inbox: Inbox
) -> None:
    with Peer(listen().port) as peer:
        peer.greet()
        mail_inbox.broken = True
        peer.begin("gm@example.org")
        answer = peer.post(MAIL + END)
        assert answer.startswith("451 4.3.0 ")
        assert "secret" not in answer
        mail_inbox.broken = False
        peer.begin("gm@example.org")
        assert peer.post(MAIL + END).startswith("250")
    assert len(mail_inbox.mails()) == 1


def test_a_recipient_that_cannot_be_looked_up_now_is_451(mail_inbox: Inbox) -> None:
    def look_up(_address: str) -> bool:
        raise OSError("the database is away: /dev/secret")

    with Listener(ListenSettings(port=0), mail_inbox.accept, look_up) as listener, Peer(listener.port) as peer:
        peer.greet()
        answer = peer.begin("gm@example.org")[1]
        assert answer.startswith("451 4.3.0 ")
        assert "secret" not in answer


def test_a_recipient_that_is_known_is_looked_up_once(mail_inbox: Inbox, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    asked: list[str] = []

    def look_up(address: str) -> bool:
        asked.append(address)
        return knows(address)

    with Listener(ListenSettings(port=0), mail_inbox.accept, look_up) as listener:
        for _ in range(2):
            with Peer(listener.port) as peer:
                peer.greet()
                answers = peer.begin("gm@example.org", "ann@example.org")
                assert [answer[:3] for answer in answers] == ["250", "250", "550"]
    assert asked == ["gm@example.org", "ann@example.org", "ann@example.org"], "one that is unknown may become known"
    refused = [vars(one) for one in caplog.records if one.message == "a recipient is unknown"]
    assert [(one["domain"], one["peer"]) for one in refused] == [("example.org", "127.0.0.1")] * 2


def test_what_is_offered(listen: Listen) -> None:
    with Peer(listen(max_size=12_345).port) as peer:
        offered = {line[4:] for line in peer.greet().splitlines()[1:]}
    assert offered == {"SIZE 12345", "8BITMIME", "SMTPUTF8", "PIPELINING"}


@pytest.mark.parametrize(
    ("lines", "answers"),
    [
        pytest.param(["MAIL FROM:<>", "RCPT TO:<gm@example.org>"], ["250", "250"], id="null-return-path"),
        pytest.param(["RCPT TO:<gm@example.org>"], ["503"], id="recipient-before-sender"),
        pytest.param(["MAIL FROM:<a@b>", "RCPT TO:<ann@example.org>"], ["250", "550"], id="no-relaying"),
        pytest.param(["MAIL FROM:<a@b>", "RCPT TO:<gm%c@d@example.org>"], ["250", "5"], id="no-percent-hack"),
        pytest.param(["MAIL FROM:<a@b>", "RCPT TO:<@relay:ann@c.d>"], ["250", "5"], id="no-source-route"),
        pytest.param(
            ["MAIL FROM:<a@b>", "RCPT TO:<nobody@example.org>", "DATA"], ["250", "550", "503"], id="none-left"
        ),
        pytest.param(["MAIL FROM:<a@b> SIZE=100001"], ["552"], id="announced-too-large"),
        pytest.param(["MAIL FROM:<a@b> SIZE=100000"], ["250"], id="announced-just-right"),
        pytest.param(["MAIL FROM:<a@b> BODY=8BITMIME SMTPUTF8"], ["250"], id="options"),
        pytest.param(["MAIL FROM:<a@b> BODY=BINARYMIME"], ["501"], id="binary"),
        pytest.param(["MAIL FROM:<ä@b> SMTPUTF8", "RCPT TO:<gä@example.org>"], ["250", "250"], id="utf8"),
        pytest.param(["MAIL FROM:<a@b>", "RCPT TO:<"], ["250", "5"], id="half-an-address"),
        pytest.param(["MAIL FROM:<a@b>", "RCPT TO:<gm@[1.2.3.4>"], ["250", "5"], id="half-a-literal"),
        pytest.param(["MAIL FROM:<a@b>", "RCPT TO:<gm@\udcff.org>"], ["250", "5"], id="no-utf8"),
        pytest.param(["MAIL FROM:<a@b>", "RCPT TO:<gm+\x00@x>"], ["250", "5"], id="nul"),
        pytest.param(["VRFY \udcff@example.org", "NOOP"], ["502", "250"], id="verify-no-utf8"),
        pytest.param(["EXPN gm"], ["502"], id="expand"),
        pytest.param(["AUTH PLAIN AGEAYg=="], ["538"], id="no-log-in"),
        pytest.param(["BDAT 3 LAST"], ["500"], id="unknown-verb"),
        pytest.param(["MAIL FROM:<a@b>", "MAIL FROM:<a@b>"], ["250", "503"], id="sender-twice"),
    ],
)
def test_answers(listen: Listen, mail_inbox: Inbox, lines: list[str], answers: list[str]) -> None:
    with Peer(listen().port) as peer:
        peer.greet()
        for line, expected in zip(lines, answers, strict=True):
            answer = peer.ask(line)
            assert answer.startswith(expected), (line, answer)
    assert mail_inbox.mails() == []


def test_verify_tells_nobody_who_is_here(listen: Listen) -> None:
    with Peer(listen().port) as peer:
        peer.greet()
        assert peer.ask("VRFY gm@example.org") == peer.ask("VRFY nobody@example.org")


def test_the_null_return_path_is_kept_as_such(listen: Listen, mail_inbox: Inbox) -> None:
    with Peer(listen().port) as peer:
        peer.greet()
        peer.begin("gm@example.org", sender="")
        peer.post(MAIL + END)
    assert [mail.envelope_from for mail in mail_inbox.mails()] == [""]


def test_a_mail_too_large_is_552_and_the_next_is_taken(listen: Listen, mail_inbox: Inbox) -> None:
    with Peer(listen(max_size=10_000).port) as peer:
        peer.greet()
        peer.begin("gm@example.org")
        assert peer.post(b"Subject: x\r\n\r\n" + b"many words\r\n" * 2000 + END).startswith("552")
        peer.begin("gm@example.org")
        assert peer.post(MAIL + END).startswith("250")
    assert [mail.raw for mail in mail_inbox.mails()] == [MAIL]


def test_long_lines_dots_and_other_octets_arrive_as_they_were_sent(listen: Listen, mail_inbox: Inbox) -> None:
    body = b"Subject: x\r\n\r\n" + b"x" * 20_000 + b"\r\n.\r\n.dots\r\n\x00\xff\xfe\r\nbare\nlines\rtoo\r\n"
    with Peer(listen().port) as peer:
        peer.greet()
        peer.begin("gm@example.org")
        assert peer.post(body.replace(b"\r\n.", b"\r\n..") + END).startswith("250")
    assert [mail.raw for mail in mail_inbox.mails()] == [body]


@pytest.mark.parametrize("tail", [b"", MAIL[:20], MAIL, MAIL + b"."])
def test_a_peer_that_hangs_up_early_leaves_nothing(listen: Listen, mail_inbox: Inbox, tail: bytes) -> None:
    listener = listen()
    with Peer(listener.port) as peer:
        peer.greet()
        peer.begin("gm@example.org")
        peer.ask("DATA")
        peer.send(tail)
    with Peer(listener.port) as peer:
        assert peer.greet().startswith("250")
    listener.stop()
    assert mail_inbox.mails() == []


def test_pipelined_commands_are_answered_in_order(listen: Listen, mail_inbox: Inbox) -> None:
    with Peer(listen().port) as peer:
        peer.greet()
        peer.send(b"MAIL FROM:<a@b>\r\nRCPT TO:<gm@c>\r\nRCPT TO:<no@c>\r\nDATA\r\n")
        assert [peer.hear()[:3] for _ in range(4)] == ["250", "250", "550", "354"]
        peer.send(MAIL + END + b"QUIT\r\n")
        assert [peer.hear()[:3] for _ in range(2)] == ["250", "221"]
    assert len(mail_inbox.mails()) == 1


@contextmanager
def over_tls(listen: Listen, certificate: Certificate) -> Iterator[tuple[smtplib.SMTP, Listener]]:
    """A connection to a listener with this certificate, after STARTTLS and EHLO."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate.chain, certificate.key)
    listener = listen(tls=context)
    with smtplib.SMTP("localhost", listener.port, timeout=HANGING) as smtp:
        smtp.starttls(context=ssl.create_default_context(cafile=str(certificate.chain)))
        smtp.ehlo()
        yield smtp, listener


def test_starttls(listen: Listen, mail_inbox: Inbox, certificate: Certificate) -> None:
    with over_tls(listen, certificate) as (smtp, _):
        assert "auth" not in smtp.esmtp_features
        smtp.sendmail("ann@example.org", ["gm@example.org"], MAIL)
    assert [mail.raw for mail in mail_inbox.mails()] == [MAIL]


def test_tls_is_begun_once_and_its_connection_gives_its_place_back(listen: Listen, certificate: Certificate) -> None:
    """TLS within TLS would take memory that nothing counts, and a place that is not given back is lost for good."""
    with over_tls(listen, certificate) as (smtp, listener):
        assert smtp.docmd("STARTTLS") == (503, b"5.5.1 TLS is active already")
        smtp.send("STARTTLS\r\n" * MAX_ERRORS)
        while smtp.getreply()[0] != 421:
            pass
        assert eventually(lambda: not listener._open)
        smtp.close()


def test_starttls_by_the_settings(mail_inbox: Inbox, certificate: Certificate, tmp_path: Path) -> None:
    settings = ListenSettings(port=0, tls_certificate=certificate.chain, tls_key=certificate.key)
    with (
        Listener(settings, mail_inbox.accept, knows) as listener,
        smtplib.SMTP("127.0.0.1", listener.port, timeout=HANGING) as smtp,
    ):
        smtp.starttls(context=ssl.create_default_context(cafile=str(certificate.chain)))
        smtp.sendmail("ann@example.org", ["gm@example.org"], b"Subject: safe\r\n\r\nx\r\n")
    assert mail_inbox.subjects() == ["safe"]
    (tmp_path / "broken.pem").write_text("no certificate")
    with pytest.raises(ConfigurationError, match="tls_certificate and tls_key"):
        Listener(
            ListenSettings(tls_certificate=tmp_path / "broken.pem", tls_key=certificate.key), mail_inbox.accept, knows
        )


def test_words_sent_before_tls_are_forgotten(listen: Listen, certificate: Certificate) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate.chain, certificate.key)
    with Peer(listen(tls=context).port) as peer:
        peer.greet()
        peer.send(b"STARTTLS\r\nMAIL FROM:<evil@example.org>\r\n")
        assert peer.hear().startswith("220")
        with ssl.create_default_context(cafile=str(certificate.chain)).wrap_socket(
            peer.socket, server_hostname="localhost"
        ) as secure:
            secure.sendall(b"EHLO x\r\n")
            assert secure.recv(4096).startswith(b"250-")


def test_a_port_in_use_is_said_in_words(listen: Listen) -> None:
    taken = listen().port
    with pytest.raises(ConfigurationError, match=f"port {taken} "):
        Listener(ListenSettings(port=taken), lambda _: None, knows).start()


def test_stopping_hangs_up_on_idlers_and_finishes_what_is_being_stored() -> None:
    accepting, go_on = threading.Event(), threading.Event()

    def accept(_mail: ArrivedMail) -> None:
        accepting.set()
        assert go_on.wait(HANGING)

    listener = Listener(ListenSettings(port=0), accept, knows)
    listener.start()
    with Peer(listener.port) as idler, Peer(listener.port) as busy:
        idler.greet()
        busy.greet()
        busy.begin("gm@example.org")
        busy.ask("DATA")
        busy.send(MAIL + END)
        assert accepting.wait(HANGING)
        stopping = threading.Thread(target=listener.stop)
        stopping.start()
        assert idler.hear().startswith("421")
        go_on.set()
        assert busy.hear().startswith("250")
        assert busy.hear().startswith("421")
        stopping.join(HANGING)
        assert not stopping.is_alive()
    with pytest.raises(ConnectionRefusedError):
        Peer(listener.port)
    listener.stop()
