"""Who is told that mail does not arrive: whoever may know who holds the seat to which it goes. By the address to which
no other mail arrives either, everybody else would learn whose seat that is.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from gm.errors import DeliveryRefused
from gm.games.snapshot import Seat
from tests.server.world import BASE, World, proved, reply_to, text_of

PLAYS, NEUTRAL, HELPER, FRIEND = "p0@h0.example", "neutral@gm.example", "helper@gm.example", "friend@h9.example"
PEOPLE = tuple(f"p{number}@h{number}.example" for number in range(8))


class Refusing:
    """A mail server that takes no mail for one domain."""

    def __init__(self, world: World, domain: str, words: str) -> None:
        self._world, self._domain, self._words = world, domain, words

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
        if recipient.endswith(self._domain):
            raise DeliveryRefused(self._words)
        self._world.deliver(raw, envelope_from, recipient)


def begun(world: World, variant: str) -> str:
    """A game that one of its players runs, with somebody neutral and, where names are known, an assistant, at this
    address.
    """
    with world.trusting():
        chair = reply_to(world.send(PLAYS, BASE, f"CREATE spring variant={variant}"))
        for person in PEOPLE[: 8 if variant.startswith("among-us") else 7]:
            world.send(person, BASE, "JOIN spring")
        world.promotes(PLAYS, chair, f"PROMOTE {NEUTRAL}")
        helping = ""
        if "anonymous=yes" not in variant:  # who may not know who plays names no assistant
            world.promotes(PLAYS, chair, f"PROMOTE {HELPER} AS ASSISTANT")
            helping = reply_to(world.last(HELPER))
        world.send(PLAYS, chair, "START")
    world.pass_time(minutes=5)
    return helping


def somebody(world: World, *, secret: bool) -> Seat:
    seats = [seat for seat in world.game().players if seat.person is not None and seat.person.reachable != PLAYS]
    return next(seat for seat in seats if world.game().is_secret(seat) is secret)


@pytest.mark.parametrize("secret", [False, True], ids=["a host", "the Alien"])
def test_who_may_not_know_a_holder_is_not_told_that_their_provider_refuses_mail(world: World, secret: bool) -> None:
    begun(world, "among-us anonymous=yes")
    seat = somebody(world, secret=secret)
    assert seat.person is not None
    address, domain = seat.person.reachable, seat.person.reachable.partition("@")[2]
    refusing = Refusing(world, domain, f"550 5.7.1 mx.{domain}: Relay access denied")
    before = {who: len(mails) for who, mails in world.mailboxes.items()}
    for _ in range(5):
        for _ in range(2):
            world.arrive(address, world.service.identity.address_of(world.game(), seat), "STATUS")
        world.work(refusing)
        world.time += timedelta(minutes=20)
        world.work(refusing)
    told = {who for who in (PLAYS, NEUTRAL) if any(domain in text_of(m) for m in world.mailboxes[who][before[who] :])}
    assert told == {NEUTRAL}
    chair = next(seat for seat in world.game().masters if seat.person and seat.person.reachable == NEUTRAL)
    world.arrive(NEUTRAL, world.service.identity.address_of(world.game(), chair), "DASHBOARD", headers=proved(NEUTRAL))
    world.work(refusing)
    assert f"All mail to {domain} is refused" in text_of(world.last(NEUTRAL))


@pytest.mark.parametrize("anonymous", [False, True], ids=["names known", "names hidden"])
def test_who_may_not_know_a_holder_is_not_told_that_their_mail_bounces(world: World, anonymous: bool) -> None:
    begun(world, f"standard anonymous={'yes' if anonymous else 'no'}")
    seat = somebody(world, secret=False)
    assert seat.person is not None
    with world.trusting():
        chair = reply_to(world.send(PLAYS, BASE, "CREATE duel variant=france-austria"))
    refusing = Refusing(world, seat.person.reachable, "550 5.1.1 No such user")
    before = len(world.mailboxes[PLAYS])
    world.arrive(PLAYS, chair, f"INVITE {seat.person.reachable}", headers=proved(PLAYS))
    for _ in range(6):
        world.work(refusing)
        world.time += timedelta(hours=2)
    told = [str(mail["Subject"]) for mail in world.mailboxes[PLAYS][before:]]
    assert any("Not reached" in subject for subject in told)
    assert any("bounced" in subject for subject in told) is not anonymous
