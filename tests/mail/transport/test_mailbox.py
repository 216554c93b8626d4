"""What of a mailbox at a real Dovecot is for the server: not what was there before it, and of spam only its own."""

from __future__ import annotations

from datetime import timedelta

from gm.mail.transport import utc_now
from tests.mail.transport.conftest import Inbox, eventually
from tests.mail.transport.dovecot import USER, Dovecot
from tests.mail.transport.polling import Poll, mail


def test_what_lay_there_before_the_server_stays_and_is_never_acted_on(
    dovecot: Dovecot, mail_inbox: Inbox, poll: Poll
) -> None:
    for number in range(3):
        dovecot.drop(mail(f"private {number}"), age=60)
    asked: list[tuple[str, str, int]] = []

    def since(account: str, folder: str, uidvalidity: int, uidnext: int) -> int:
        del uidvalidity
        asked.append((account, folder, uidnext))
        return asked[0][2]

    polling = poll(dovecot.settings(), since=since)
    assert eventually(lambda: bool(asked))
    dovecot.drop(mail("orders"))
    mail_inbox.wait_for(1)
    assert mail_inbox.subjects() == ["orders"]
    polling.stop()
    dovecot.drop(mail("more"))
    poll(dovecot.settings(), since=since)
    mail_inbox.wait_for(2)
    assert mail_inbox.subjects() == ["orders", "more"]
    assert asked[0] == (f"{USER}@127.0.0.1", "INBOX", 4)
    assert eventually(lambda: sorted(dovecot.subjects()) == ["private 0", "private 1", "private 2"])


def test_what_came_before_the_first_log_in_and_after_the_start_is_new(
    dovecot: Dovecot, mail_inbox: Inbox, poll: Poll
) -> None:
    for number in range(3):
        dovecot.drop(mail(f"private {number}"), age=60 - number)
    dovecot.drop(mail("orders"), age=30)
    dovecot.drop(mail("more"), age=20)
    began = utc_now() - timedelta(seconds=40)
    first: list[int] = []

    def since(account: str, folder: str, uidvalidity: int, came: int) -> int:
        del account, folder, uidvalidity
        first.append(came)
        return came

    moments = iter([began])
    poll(dovecot.settings(), since=since, now=lambda: next(moments, utc_now()))
    mail_inbox.wait_for(2)
    assert sorted(mail_inbox.subjects()) == ["more", "orders"]
    assert first == [4]
    assert eventually(lambda: sorted(dovecot.subjects()) == ["private 0", "private 1", "private 2"])


def test_of_a_spam_folder_only_what_is_wanted_is_taken(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    dovecot.drop(mail("buy this"))
    dovecot.drop(mail("orders"))
    poll(dovecot.settings(), wanted=lambda head: b"Subject: orders" in head)
    mail_inbox.wait_for(1)
    assert (mail_inbox.subjects(), mail_inbox.mails()[0].source) == (["orders"], "spam")
    assert eventually(lambda: dovecot.subjects() == ["buy this"])
    dovecot.drop(mail("orders again").replace(b"orders again", b"orders"))
    mail_inbox.wait_for(2)
