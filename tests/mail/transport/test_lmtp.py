"""The same listener speaking LMTP (RFC 2033), as Postfix and Dovecot deliver to it."""

from __future__ import annotations

import pytest

from tests.mail.transport.conftest import Inbox, Listen
from tests.mail.transport.peer import Peer

MAIL = b"Subject: orders\r\n\r\nA PAR-BUR\r\n"
END = b".\r\n"


def test_one_answer_for_each_recipient_that_was_accepted(listen: Listen, mail_inbox: Inbox) -> None:
    with Peer(listen("lmtp").port) as peer:
        peer.greet("LHLO")
        answers = peer.begin("gm@example.org", "nobody@example.org", "gm+spring@example.org")
        assert [answer[:3] for answer in answers] == ["250", "250", "550", "250"]
        assert peer.post(MAIL + END).startswith("250")
        assert peer.hear().startswith("250")
        assert peer.ask("NOOP").startswith("250")
        peer.begin("gm@example.org")
        assert peer.post(MAIL + END).startswith("250")
        assert peer.ask("QUIT").startswith("221")
    first = mail_inbox.mails()[0]
    assert (first.source, first.recipients) == ("lmtp", ["gm@example.org", "gm+spring@example.org"])


@pytest.mark.parametrize(("mail", "broken", "expected"), [(MAIL, True, "451"), (b"x\r\n" * 5000, False, "552")])
def test_a_mail_that_is_not_taken_is_answered_for_each_recipient_too(
    listen: Listen, mail_inbox: Inbox, mail: bytes, broken: bool, expected: str
) -> None:
    mail_inbox.broken = broken
    with Peer(listen("lmtp", max_size=10_000).port) as peer:
        peer.greet("LHLO")
        peer.begin("gm@example.org", "gm+a@example.org", "gm+b@example.org")
        answers = [peer.post(mail + END), peer.hear(), peer.hear()]
        assert [answer[:3] for answer in answers] == [expected] * 3
        assert peer.ask("NOOP").startswith("250")
    assert mail_inbox.mails() == []


@pytest.mark.parametrize("verb", ["HELO", "EHLO"])
def test_it_is_not_smtp(listen: Listen, verb: str) -> None:
    with Peer(listen("lmtp").port) as peer:
        assert peer.greet(verb).startswith("500")


def test_data_without_recipients_is_answered_once(listen: Listen) -> None:
    with Peer(listen("lmtp").port) as peer:
        peer.greet("LHLO")
        peer.begin("nobody@example.org")
        assert peer.ask("DATA").startswith("503")
        assert peer.ask("NOOP").startswith("250")
