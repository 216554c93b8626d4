"""Behind a real Postfix and Dovecot: mail in by IMAP and by LMTP, mail out by SMTP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes

import pytest

from gm.errors import DeliveryRefused
from gm.mail.transport.listener import Listener
from gm.mail.transport.smtp_out import Sender
from gm.settings import ListenSettings
from gm.store.inbox import ArrivedMail
from tests.mail.transport.conftest import Inbox, eventually, knows
from tests.mail.transport.dovecot import Dovecot
from tests.mail.transport.polling import Polling
from tests.mail.transport.postfix import LMTP_DOMAIN, PLAYER, Postfix


@dataclass
class Site:
    dovecot: Dovecot
    postfix: Postfix
    by_lmtp: list[ArrivedMail]
    broken: bool = False

    def accept(self, mail: ArrivedMail) -> None:
        if self.broken:
            raise OSError("no room")
        self.by_lmtp.append(mail)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """Postfix takes three seconds to start, so one serves all tests here."""
    site: Site

    def accept(mail: ArrivedMail) -> None:
        site.accept(mail)

    with (
        Dovecot() as dovecot,
        Listener(ListenSettings(protocol="lmtp", port=0), accept, knows) as listener,
        Postfix(dovecot, lmtp_port=listener.port) as postfix,
    ):
        site = Site(dovecot, postfix, [])
        yield site


@pytest.fixture
def polling(site: Site, mail_inbox: Inbox) -> Iterator[Inbox]:
    with Polling(site.dovecot.settings(), mail_inbox.accept):
        yield mail_inbox


def test_to_a_plus_address_by_imap_and_back_into_the_players_mailbox(site: Site, polling: Inbox) -> None:
    sender = Sender(site.postfix.settings(), hostname="gm.example.org")
    for number in range(1, 4):
        if number == 2:  # the IMAP server is away for a while
            site.dovecot.stop()
            site.postfix.swaks(PLAYER, "gm+spring.token@example.org", f"orders {number}")
            site.dovecot.start()
        else:
            site.postfix.swaks(PLAYER, "gm+spring.token@example.org", f"orders {number}")
        polling.wait_for(number)
        message = message_from_bytes(polling.mails()[-1].raw)
        assert message["Subject"] == f"orders {number}"
        assert message["Delivered-To"] == "gm+spring.token@example.org"
        assert message["Return-Path"] == f"<{PLAYER}>"
        sender.deliver(f"Subject: receipt {number}\r\n\r\nA PAR-BUR\r\n".encode(), "", PLAYER)
    sender.close()
    assert eventually(lambda: len(site.dovecot.subjects(user=PLAYER)) == 3)
    assert site.dovecot.subjects(user=PLAYER) == ["receipt 1", "receipt 2", "receipt 3"]
    assert polling.results == ["stored"] * 3
    assert eventually(lambda: site.dovecot.subjects() == [])


def test_to_a_plus_address_by_lmtp(site: Site) -> None:
    site.postfix.swaks(PLAYER, f"gm+spring.token@{LMTP_DOMAIN}", "orders")
    assert eventually(lambda: len(site.by_lmtp) == 1)
    (mail,) = site.by_lmtp
    assert (mail.source, mail.envelope_from) == ("lmtp", PLAYER)
    assert mail.recipients == (f"gm+spring.token@{LMTP_DOMAIN}",)
    assert message_from_bytes(mail.raw)["Subject"] == "orders"


def test_what_cannot_be_stored_now_waits_in_the_queue_and_what_is_unknown_bounces(site: Site) -> None:
    site.broken = True
    site.postfix.swaks(PLAYER, f"gm@{LMTP_DOMAIN}", "later")
    assert eventually(lambda: f"to=<gm@{LMTP_DOMAIN}>" in site.postfix.log())
    site.broken = False
    site.postfix.swaks(PLAYER, f"nobody@{LMTP_DOMAIN}", "never")
    assert eventually(lambda: f"to=<nobody@{LMTP_DOMAIN}>" in site.postfix.log())
    fates = {
        line.split("to=<")[1].split("@")[0]: line.split("status=")[1].split()[0]
        for line in site.postfix.log().splitlines()
        if f"@{LMTP_DOMAIN}>" in line and "status=" in line and "token" not in line
    }
    assert fates == {"gm": "deferred", "nobody": "bounced"}
    assert all(b"later" not in mail.raw for mail in site.by_lmtp)


@pytest.mark.parametrize("recipient", ["nobody@example.com", "somebody@elsewhere.example"])
def test_a_recipient_that_postfix_refuses(site: Site, recipient: str) -> None:
    sender = Sender(site.postfix.settings())
    with pytest.raises(DeliveryRefused, match=r"550 5\.1\.|554 5\."):
        sender.deliver(b"Subject: x\r\n\r\nx\r\n", "gm@example.org", recipient)
    sender.close()
