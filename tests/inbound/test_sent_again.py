"""Mail of ours that another server has accepted: sent again when it bounces for now; and complaints about it."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest

from gm.store import outbox, retention
from gm.store.inbox import InboxState
from gm.variants.standard import POWERS
from tests.inbound.test_trust import question
from tests.server.bounces import (
    FRANCE,
    MASTER,
    OPERATOR,
    SPAM,
    UNKNOWN,
    bounce,
    counts,
    feedback,
    noted,
    read_by,
    report,
    return_path,
)
from tests.server.world import BASE, World, player, reply_to, text_of

UNREADABLE = b"From: <>\nSubject: xyzzy\nMessage-ID: <1@mx>\n\nplugh\n"
SENT_AGAIN = [
    pytest.param(report(FRANCE, *SPAM), id="policy"),
    pytest.param(report(FRANCE, "5.4.5", "550 5.4.5 Daily user sending limit exceeded"), id="rate"),
    pytest.param(report(FRANCE, "5.2.2", "552 5.2.2 Mailbox full"), id="mailbox full"),
    pytest.param(report(FRANCE, "4.4.7", "delivery time expired"), id="given up after days"),
    pytest.param(report(FRANCE, "4.3.0", "mail system is out of order"), id="class 4"),
    pytest.param(report(FRANCE, "4.1.1", "450 4.1.1 user unknown, for now"), id="class 4 of an unknown user"),
]
NOT_SENT_AGAIN = [
    *(
        pytest.param(report(FRANCE, "4.4.1", "still trying", action=action), id=action)
        for action in ("delayed", "delivered", "relayed", "expanded")
    ),
    pytest.param(feedback("abuse"), id="complaint"),
    pytest.param(report(FRANCE, *UNKNOWN), id="no such user"),
    pytest.param(report(FRANCE, "5.2.1", "550 5.2.1 This account is disabled"), id="account disabled"),
    pytest.param(UNREADABLE, id="what cannot be read"),
]


@pytest.mark.parametrize("raw", SENT_AGAIN)
def test_a_mail_that_bounced_for_now_is_sent_again_as_it_was(world: World, seats: dict[str, str], raw: bytes) -> None:
    before = world.last(FRANCE)
    bounce(world, return_path(world, FRANCE), raw)
    assert counts(world) == (1, 0)
    assert world.last(FRANCE) is before, "not at once"
    world.pass_time(minutes=16)
    assert counts(world) == (0, 0)
    again = world.last(FRANCE)
    assert again is not before
    assert str(again) == str(before)


@pytest.mark.parametrize(
    ("raw", "given_up"),
    [
        (report(FRANCE, *UNKNOWN), 1),
        (report(FRANCE, "5.2.1", "550 5.2.1 This account is disabled"), 1),
        (report(FRANCE, "5.0.0", "550 plugh"), 1),
        (UNREADABLE, 0),
        (report(FRANCE, "2.0.0", "arrived", action="delivered"), 0),
        (feedback("abuse"), 0),
    ],
    ids=["no such user", "account disabled", "nobody knows why", "unreadable", "delivered", "complaint"],
)
def test_what_failed_for_good_is_listed_and_can_be_sent_again_by_hand(
    world: World, seats: dict[str, str], raw: bytes, given_up: int
) -> None:
    before = len(world.mailboxes[FRANCE])
    bounce(world, return_path(world, FRANCE), raw)
    with world.database.transaction() as session:
        listed = outbox.failed(session)
        assert len(listed) == given_up
        assert all(outbox.send_again(session, mail.id, world.time) for mail in listed)
    world.work()
    assert len(world.mailboxes[FRANCE]) == before + given_up


@pytest.mark.parametrize("raw", NOT_SENT_AGAIN)
def test_any_other_bounce_sends_nothing_again(world: World, seats: dict[str, str], raw: bytes) -> None:
    before = len(world.mailboxes[FRANCE])
    bounce(world, return_path(world, FRANCE), raw)
    assert counts(world)[0] == 0
    world.pass_time(hours=5)
    assert len(world.mailboxes[FRANCE]) == before


def test_a_doubled_bounce_sends_a_mail_again_once(world: World, seats: dict[str, str]) -> None:
    before = len(world.mailboxes[FRANCE])
    for words in ("550 5.7.1 spam", "554 5.7.1 spam, says the next server"):
        bounce(world, return_path(world, FRANCE), report(FRANCE, "5.7.1", words))
    assert counts(world) == (1, 0)
    world.pass_time(hours=5)
    assert len(world.mailboxes[FRANCE]) == before + 1
    assert [row.hard for row in noted(world)] == [False]


def test_a_mail_that_bounces_each_time_is_sent_ever_more_seldom_and_given_up_after_five_days(
    world: World, seats: dict[str, str]
) -> None:
    begun, tries = world.time, []
    for number in range(100):
        bounce(world, return_path(world, FRANCE), report(FRANCE, "5.7.1", f"550 5.7.1 spam {number}"))
        if counts(world)[0] == 0:
            break
        with world.looking() as session:
            world.time = outbox.wakes_at(session) or world.time
        world.work()
        tries.append(world.time - begun)
    assert counts(world) == (0, 1)
    assert 6 < len(tries) < 10, "each makes another bounce"
    pauses = [(after - before).total_seconds() for before, after in pairwise(tries)]
    assert pauses == sorted(pauses)
    assert timedelta(days=5) < tries[-1] < timedelta(days=6)
    said = read_by(world, OPERATOR)
    assert f"sent again until {begun + timedelta(days=5):%d %b %H:%M} UTC" in said
    assert "It is not sent again by itself; `gm mail replay S" in said
    assert "Nothing is lost" not in said
    assert [(row.recipient, row.hard) for row in noted(world)] == [(FRANCE, False)], "that is not the address's fault"


def test_a_mailbox_that_is_full_for_five_days_cannot_be_reached(world: World, seats: dict[str, str]) -> None:
    path = return_path(world, FRANCE)
    bounce(world, path, report(FRANCE, "5.2.2", "552 5.2.2 Mailbox full"))
    world.pass_time(days=5)
    bounce(world, path, report(FRANCE, "5.2.2", "552 5.2.2 Mailbox still full"))
    assert [row.hard for row in noted(world)] == [True, False]
    assert counts(world) == (0, 1)
    assert "Mail to Pat France (France) bounced" in read_by(world, MASTER)


def test_a_mail_whose_text_is_gone_is_not_sent_again(world: World, seats: dict[str, str]) -> None:
    path = return_path(world, FRANCE)
    with world.database.transaction() as session:
        retention.thin(session, world.time + timedelta(days=1))
    before = len(world.mailboxes[FRANCE])
    bounce(world, path, report(FRANCE, *SPAM))
    world.pass_time(minutes=2)
    assert len(world.mailboxes[FRANCE]) == before
    assert counts(world) == (0, 0)
    assert noted(world) == []


def test_a_bounce_waits_while_its_mail_is_being_sent(world: World, seats: dict[str, str]) -> None:
    """A server can bounce a mail sooner than we have noted that it took it."""
    bounced = False

    class Quick:
        def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
            nonlocal bounced
            world.deliver(raw, envelope_from, recipient)
            if recipient == FRANCE and not bounced:
                bounced = True
                bounce(world, envelope_from, report(FRANCE, *SPAM))
                assert world.inbox()[-1].state is InboxState.NEW

    world.arrive(FRANCE, seats["France"], "STATUS")
    before = len(world.mailboxes[FRANCE])
    world.work(Quick())
    assert len(world.mailboxes[FRANCE]) == before + 1
    world.pass_time(minutes=2)
    assert counts(world) == (1, 0)
    world.pass_time(minutes=15)
    assert len(world.mailboxes[FRANCE]) == before + 2


def test_of_two_mails_with_one_message_id_the_one_to_the_address_named_has_bounced(
    world: World, seats: dict[str, str]
) -> None:
    world.send(FRANCE, BASE, "ADDRESS ADD second@france.example")
    world.send("second@france.example", reply_to(question(world, "second@france.example")), "YES")
    world.send(MASTER, seats["GM"], "EXTEND 24h")
    original = f"Message-ID: {world.last(FRANCE)['Message-ID']}\n\nx\n".encode()
    bounce(world, return_path(world, FRANCE), report(FRANCE, *UNKNOWN, original=original))
    bounce(world, BASE, report("second@france.example", *UNKNOWN, original=original))
    assert [row.recipient for row in noted(world)] == ["second@france.example", FRANCE]


# complaints


def test_a_complaint_is_told_as_what_it_is(world: World, seats: dict[str, str]) -> None:
    bounce(world, return_path(world, FRANCE), feedback("abuse"))
    assert noted(world) == [], "the mail has arrived"
    told = read_by(world, OPERATOR)
    assert f"A mail to {FRANCE} was marked as spam. It was delivered." in told
    assert "refused (" not in told
    master = text_of(world.last(MASTER))
    assert "Mail to Pat France (France) was marked as spam." in master
    assert FRANCE not in master
    bounce(world, return_path(world, FRANCE), feedback("abuse", "2"))
    assert read_by(world, OPERATOR) == told, "once a day"


@pytest.mark.parametrize("kind", ["not-spam", "auth-failure"])
def test_what_is_no_complaint_of_the_recipient_is_not_told_as_one(
    world: World, seats: dict[str, str], kind: str
) -> None:
    before = len(world.mailboxes[MASTER])
    bounce(world, return_path(world, FRANCE), feedback(kind))
    assert noted(world) == []
    assert len(world.mailboxes[MASTER]) == before
    assert ("failed its checks" in read_by(world, OPERATOR)) is (kind == "auth-failure")
    assert "marked as spam" not in read_by(world, OPERATOR)


def test_a_gamemaster_who_plays_an_anonymous_game_does_not_learn_who_complained(world: World) -> None:
    created = world.send(player("Austria"), BASE, "CREATE masks anonymous=yes")
    for power in POWERS:
        world.send(player(power), BASE, f"JOIN masks AS {power}")
    world.send(player("Austria"), reply_to(created), "START masks")
    before = len(world.mailboxes[player("Austria")])
    bounce(world, return_path(world, FRANCE), feedback("abuse"))
    assert len(world.mailboxes[player("Austria")]) == before
    assert "was marked as spam" in read_by(world, OPERATOR)
