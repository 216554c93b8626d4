"""The listener among the rude: smugglers, garbage, floods, the slow, crowds. It goes on answering the polite."""

from __future__ import annotations

import contextlib
import random
import time

import pytest

import gm.mail.transport.conversation
from gm.mail.transport.listener import Listener
from tests.mail.transport.conftest import Inbox, Listen, eventually
from tests.mail.transport.peer import Peer
from tests.timing import HANGING

MAIL = b"Subject: orders\r\n\r\nA PAR-BUR\r\n"
END = b".\r\n"


def serves(listener: Listener) -> bool:
    """Whether a polite peer can deliver a mail now."""
    with Peer(listener.port) as peer:
        peer.greet()
        peer.begin("gm@example.org")
        return peer.post(MAIL + END).startswith("250")


@pytest.mark.parametrize(
    ("end", "refused"),
    [
        pytest.param(b"\n.\n", True, id="lf-lf"),
        pytest.param(b"\n.\r\n", True, id="lf-crlf"),
        pytest.param(b"\r\n.\n", True, id="crlf-lf"),
        pytest.param(b"\r.\r\n", True, id="cr-crlf"),
        pytest.param(b"\r\n.\r", True, id="crlf-cr"),
        pytest.param(b"\r.\r", True, id="cr-cr"),
        pytest.param(b"\n.\r", True, id="lf-cr"),
        pytest.param(b"\r\n..\n", True, id="crlf-dot-lf"),
        pytest.param(b"\r\n.a\n", False, id="words"),
        pytest.param(b"\r\n\x00.\r\n", False, id="nul"),
    ],
)
def test_only_crlf_dot_crlf_ends_the_data(listen: Listen, mail_inbox: Inbox, end: bytes, refused: bool) -> None:
    """What comes after another end is a part of the same mail, and never a second one with commands of its own. A
    server in front of this one may have read it otherwise, so such a mail is refused.
    """
    smuggled = b"MAIL FROM:<king@example.org>\r\nRCPT TO:<gm@example.org>\r\nDATA\r\nSubject: forged\r\n\r\nx\r\n"
    with Peer(listen().port) as peer:
        peer.greet()
        peer.begin("gm@example.org")
        answer = peer.post(b"Subject: x\r\n\r\nwords" + end + smuggled + END)
        assert answer.startswith("554 5.5.2" if refused else "250")
        assert peer.ask("NOOP").startswith("250")
    mails = mail_inbox.mails()
    assert len(mails) == (0 if refused else 1)
    assert all(b"forged" in mail.raw and mail.envelope_from == "ann@example.org" for mail in mails)


def test_addresses_are_not_tried_out_here(listen: Listen, mail_inbox: Inbox) -> None:
    listener = listen()
    with Peer(listener.port) as peer:
        peer.greet()
        peer.ask("MAIL FROM:<a@b>")
        answers = [peer.ask(f"RCPT TO:<gm{number}@example.org>") for number in range(21)]
        assert {answer[:3] for answer in answers[:20]} == {"550"}
        assert answers[20].startswith("421")
        assert peer.hear() == ""
    assert serves(listener)


def test_too_many_recipients_go_into_another_mail(listen: Listen, mail_inbox: Inbox) -> None:
    with Peer(listen().port) as peer:
        peer.greet()
        answers = peer.begin(*(f"gm+{number}@example.org" for number in range(101)))
        assert {answer[:3] for answer in answers[:101]} == {"250"}
        assert answers[101].startswith("452 4.5.3")
        assert peer.post(MAIL + END).startswith("250")
    assert len(mail_inbox.mails()[0].recipients) == 100


def test_garbage(listen: Listen) -> None:
    listener = listen()
    chance = random.Random(1901)
    for _ in range(20):
        with Peer(listener.port) as peer, contextlib.suppress(ConnectionError):
            peer.send(chance.randbytes(5000))
            peer.send(b"\x16\x03\x01\x02\x00\x01" + b"\r\n" * 100 + b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert serves(listener)


def test_a_command_without_end(listen: Listen) -> None:
    listener = listen()
    with Peer(listener.port) as peer:
        peer.greet()
        peer.send(b"MAIL FROM:<" + b"a" * 300_000 + b"@example.org>\r\n")
        assert peer.hear().startswith("500")
        assert peer.ask("NOOP").startswith("250")
    assert serves(listener)


def test_a_flood_is_cut_off(listen: Listen, monkeypatch: pytest.MonkeyPatch, mail_inbox: Inbox) -> None:
    monkeypatch.setattr(gm.mail.transport.conversation, "MAX_FLOOD", 100_000)
    is_cut_off(listen(max_size=10_000), b"flood\r\n", times=1000)
    assert len(mail_inbox.mails()) == 1


def test_lines_of_nothing_are_cut_off(listen: Listen, mail_inbox: Inbox) -> None:
    """Each costs as much as one of seventy letters."""
    listener = listen(max_size=1_000_000)
    is_cut_off(listener, b"\r\n", times=499)
    assert len(mail_inbox.mails()) == 1
    with Peer(listener.port) as peer:
        peer.greet()
        peer.begin("gm@example.org")
        peer.ask("DATA")
        peer.send(b"From: ann@example.com\r\n\r\n" + b"\r\n" * 90_000)
        assert peer.ask(".").startswith("250")


def is_cut_off(listener: Listener, line: bytes, *, times: int) -> None:
    """Send a thousand such lines so many times, and check that the connection is closed, and that others go on."""
    with Peer(listener.port) as peer:
        peer.greet()
        peer.begin("gm@example.org")
        peer.ask("DATA")
        with pytest.raises(ConnectionError):  # noqa: PT012  which send meets the closed connection is chance
            for _ in range(times):
                peer.send(line * 1000)
                time.sleep(0.001)
    assert serves(listener)


@pytest.mark.parametrize("began", [[], ["EHLO x"], ["EHLO x", "MAIL FROM:<a@b>", "RCPT TO:<gm@c>", "DATA"]])
def test_a_trickle_does_not_renew_the_time_limit(listen: Listen, began: list[str]) -> None:
    listener = listen(idle_seconds=1.0)
    with Peer(listener.port) as peer:
        peer.hear()
        end = time.monotonic() + HANGING
        with pytest.raises(ConnectionError):  # noqa: PT012
            for line in began:
                peer.ask(line)
            while time.monotonic() < end:
                peer.send(b"x")
                time.sleep(0.05)
    assert eventually(lambda: serves(listener))


def test_a_crowd_of_idlers_shuts_nobody_out(listen: Listen) -> None:
    listener = listen(max_connections=20)
    with contextlib.ExitStack() as crowd:
        working = crowd.enter_context(Peer(listener.port))
        working.greet()
        idlers = []
        for _ in range(60):
            idlers.append(crowd.enter_context(Peer(listener.port)))
            assert idlers[-1].hear().startswith("220")
            assert working.ask("NOOP").startswith("250")
        assert serves(listener)
        assert [idler.hear()[:3] for idler in idlers[:40]] == ["421"] * 40
        assert idlers[-1].ask("NOOP").startswith("250")


def test_unknown_verbs_without_end(listen: Listen) -> None:
    listener = listen()
    with Peer(listener.port) as peer:
        peer.greet()
        answers = [peer.ask("BREW coffee") for _ in range(5)]
        assert answers[-1].startswith("502")
        assert peer.hear() == ""
    assert serves(listener)
