"""What a poller says is wrong with its mailbox, which `gm.machine.mailboxes` tells the operator."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.mail.transport.conftest import Inbox, eventually
from tests.mail.transport.dovecot import Dovecot
from tests.mail.transport.polling import Poll, mail

pytestmark = pytest.mark.long


def test_what_is_wrong_with_a_mailbox_is_known_until_it_is_right_again(dovecot: Dovecot, poll: Poll) -> None:
    poller = poll(dovecot.settings(folder="Wanted", poll_seconds=1)).poller
    assert eventually(lambda: "Wanted" in poller.trouble)
    with dovecot.client() as client:
        assert client.create("Wanted")[0] == "OK"
    assert eventually(lambda: poller.trouble == "")


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"password": "wrong"}, "log-in was refused"), ({"port": 1}, "connection failed"), ({"folder": "None"}, "None")],
)
def test_why_a_mailbox_cannot_be_read(dovecot: Dovecot, poll: Poll, changes: dict[str, str | int], words: str) -> None:
    poller = poll(replace(dovecot.settings(), **changes)).poller  # type: ignore[arg-type]
    assert eventually(lambda: words in poller.trouble)


def test_a_mail_that_cannot_be_moved_is_such_a_trouble(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    poller = poll(dovecot.settings(poll_seconds=1)).poller
    dovecot.drop(mail("first"))
    assert eventually(lambda: dovecot.subjects("Done") == ["first"])
    with dovecot.read_only("Done"):
        dovecot.drop(mail("second"))
        assert eventually(lambda: "cannot be moved to the folder 'Done'" in poller.trouble)
        assert poller.taken
    assert eventually(lambda: poller.trouble == "")


def test_a_mail_that_cannot_be_stored_is_one(dovecot: Dovecot, mail_inbox: Inbox, poll: Poll) -> None:
    poller = poll(dovecot.settings(poll_seconds=1)).poller
    mail_inbox.broken = True
    dovecot.drop(mail("first"))
    assert eventually(lambda: "could not be stored" in poller.trouble)
    assert not poller.taken
    mail_inbox.broken = False
    assert eventually(lambda: poller.trouble == "")
