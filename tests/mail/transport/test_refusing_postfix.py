"""A game whose mail leaves through a real Postfix that misbehaves for ten minutes, into mailboxes of a real Dovecot:
nothing is lost or comes twice, and the operator is told once, and told when it is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.mail.transport.smtp_out import Sender
from gm.variants.standard import POWERS
from tests.mail.transport.conftest import eventually
from tests.mail.transport.dovecot import Dovecot
from tests.mail.transport.postfix import Postfix
from tests.mail.transport.test_refusing_provider import MASTER, OPERATOR
from tests.server.world import World, player

pytestmark = pytest.mark.long

EVERYBODY = (MASTER, OPERATOR, *map(player, POWERS))

WAYS = {
    "it refuses at DATA": ("smtpd_data_restrictions = reject", True),
    "it refuses each sender": ("smtpd_delay_reject = no\nsmtpd_sender_restrictions = reject", True),
    "it is busy at the end of DATA": ("smtpd_end_of_data_restrictions = defer\ndefer_code = 451", False),
    "it is busy at MAIL": ("smtpd_delay_reject = no\nsmtpd_sender_restrictions = defer", True),
}
"""What it does, and whether the operator is told."""


@pytest.fixture(scope="module")
def postfix() -> Iterator[Postfix]:
    domains = "virtual_mailbox_domains = example.org, players.example"
    with Dovecot() as dovecot, Postfix(dovecot, users=EVERYBODY, extra=f"{domains}\n") as started:
        yield started


def subjects(postfix: Postfix) -> dict[str, list[str]]:
    """What each has got so far: the Message-IDs and subjects of their mails."""
    return {user: [f"{one['Message-ID']} {one['Subject']}" for one in postfix.mails_of(user)] for user in EVERYBODY}


@pytest.mark.parametrize(("lines", "told"), WAYS.values(), ids=WAYS)
def test_nothing_is_lost_or_comes_twice(postfix: Postfix, tmp_path: Path, lines: str, *, told: bool) -> None:
    world = World(tmp_path)
    seats = world.started()
    world.pass_time(minutes=1)
    before = {user: len(mails) for user, mails in subjects(postfix).items()}
    postfix.change(lines)
    refused = Sender(postfix.settings(), hostname="gm.example.org")
    for power in POWERS:
        world.arrive(player(power), seats[power], "STATUS")
    world.work(refused)
    for _ in range(3):
        world.pass_time_quietly(minutes=3)
        world.work(refused)
    refused.close()
    assert {user: len(mails) for user, mails in subjects(postfix).items()} == before, "it takes none"
    postfix.change("")
    accepted = Sender(postfix.settings(), hostname="gm.example.org")
    for _ in range(4):
        world.pass_time_quietly(hours=5)
        world.work(accepted)
    accepted.close()
    assert eventually(lambda: all(len(subjects(postfix)[player(power)]) > before[player(power)] for power in POWERS))
    came = {user: mails[before[user] :] for user, mails in subjects(postfix).items()}
    for power in POWERS:
        assert len(came[player(power)]) == len(set(came[player(power)]))
        assert sum(" Re: " in one for one in came[player(power)]) == 1, power
    begun, over = (sum(words in one for one in came[OPERATOR]) for words in ("is refused", "accepted again"))
    assert (begun, over) == ((1, 1) if told else (0, 0)), came[OPERATOR]
