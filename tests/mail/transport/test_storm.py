"""A small storm, with and without a mailbox; `python -m tests.mail.transport.storm` is the full one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mail.transport.dovecot import Dovecot
from tests.mail.transport.storm import Storm

pytestmark = pytest.mark.long


@pytest.fixture(params=["listener", "mailbox"])
def mailbox(request: pytest.FixtureRequest) -> Dovecot | None:
    """The mailbox that is read beside the listener, if there is one."""
    return request.getfixturevalue("dovecot") if request.param == "mailbox" else None


def test_mails_of_every_sort_while_the_server_is_killed(tmp_path: Path, mailbox: Dovecot | None) -> None:
    outcome = Storm(tmp_path / "server", mails=60, kills=2, seed=1901, dovecot=mailbox).run()
    assert outcome.faults == [], str(outcome)
    assert outcome.kills == 2
    assert (outcome.by_imap > 0) is (mailbox is not None)
    assert outcome.returned
    assert outcome.tries > outcome.posted, "no mail was posted a second time"
