"""A mailbox without plus addressing: seats by the name of the address, and by the mail that is answered."""

from __future__ import annotations

from email.utils import parseaddr
from pathlib import Path

import pytest

from gm.inbound.acceptance import accept, is_for_us
from gm.mail.message.addresses import hidden, seat_addresses_in
from gm.settings import TrustSettings
from gm.store.inbox import ArrivedMail, InboxState
from tests.server.bounces import report
from tests.server.world import BASE, Place, World, player, reply_to, text_of

FRANCE, ITALY, GM = player("France"), player("Italy"), "master@example.org"
CITING_NOTHING = {"In-Reply-To": ""}


@pytest.fixture
def world(tmp_path: Path) -> Place:
    trust = TrustSettings(level="normal", authserv_ids=("mx.home",))
    made = Place(tmp_path, trust=trust, plus_addressing=False)
    made.seats_of_spring = made.started()
    return made


def orders_shown(world: World, **mail: object) -> str:
    """What the answer to an order of France says; `to` and `headers` are the mail's."""
    return text_of(world.send(FRANCE, mail.pop("to", BASE), "A PAR-BUR", **mail))  # type: ignore[arg-type]


def cited(world: World, power: str = "France") -> str:
    """The Message-ID of the newest mail to a player."""
    return str(world.last(player(power))["Message-ID"])


def test_every_address_is_the_mailbox_and_the_name_is_the_seat(world: Place) -> None:
    mail = world.last(FRANCE)
    name, address = parseaddr(str(mail["Reply-To"]))
    assert name.startswith("gm+spring.")
    assert address == parseaddr(str(mail["From"]))[1] == mail["X-Envelope-From"] == BASE
    html = mail.get_body(("html",))
    assert html is not None
    assert f"mailto:%22{name.replace('+', '%2B')}%22%20%3C{BASE}%3E" in html.get_content()


def test_the_seat_by_the_name_or_by_the_mail_that_is_answered(world: Place) -> None:
    seat, named = world.seats_of_spring["France"], parseaddr(world.seats_of_spring["France"])[0]
    for to in (
        seat,
        f"'{named}' <{BASE}>",
        f"{named.upper()} <{BASE}>",
        f"{BASE} ({named})",
        f"{BASE}, {seat}",
    ):
        assert "Army Paris -> Burgundy" in orders_shown(world, to=to, headers=CITING_NOTHING), to
    last, thread = cited(world), "<thread@elsewhere.example>"
    for headers in ({"In-Reply-To": last}, {"References": f"{thread} {last}"}, {"References": f"{last} {thread}"}):
        assert "Army Paris -> Burgundy" in orders_shown(world, headers=headers), headers
    answer = orders_shown(world)
    assert "Army Paris -> Burgundy" not in answer
    assert f"write to your seat: spring (France): {seat}" in answer, "with neither there is nothing to know the seat by"


def test_the_mail_that_is_answered_counts_for_more_than_the_name_in_an_address_book(world: Place) -> None:
    autumn = world.started("autumn")
    kept, answered = world.seats_of_spring["France"], str(world.last(FRANCE)["Message-ID"])
    world.send(FRANCE, kept, "A PAR-BUR", headers={"In-Reply-To": answered})
    assert (len(world.game("spring").orders), len(world.game("autumn").orders)) == (0, 1)
    both = world.mail(FRANCE, f"{kept}, {autumn['France']}", "A PAR-PIC")
    accept(world.service, ArrivedMail("imap", both, world.time, envelope_from=FRANCE))
    world.work()
    assert (len(world.game("spring").orders), len(world.game("autumn").orders)) == (1, 1), "two names are two seats"


def test_a_question_is_answered_by_the_mail_alone(world: Place) -> None:
    with world.forging():
        world.send(FRANCE, world.seats_of_spring["France"], "RESIGN spring")
        asked = next(mail for mail in world.mailboxes[FRANCE] if reply_to(mail).startswith('"gm+confirm.'))
        assert "You have left spring" in text_of(
            world.send(FRANCE, BASE, "YES", headers={"In-Reply-To": asked["Message-ID"]})
        )


def test_what_is_known_of_a_seat_does_not_make_its_player(world: Place) -> None:
    """A name or a Message-ID that somebody else has got hold of is believed as little as a seat's address."""
    for to, headers in ((world.seats_of_spring["France"], {}), (BASE, {"In-Reply-To": cited(world)})):
        raw = world.mail("thief@elsewhere.example", to, "A PAR-PIC", headers=headers)
        accept(world.service, ArrivedMail("imap", raw, world.time))
        world.work()
        assert world.inbox()[-1].state is InboxState.QUARANTINED
    forged = world.mail(
        FRANCE, BASE, "A PAR-PIC", headers={"In-Reply-To": "<0123456789abcdef0123456789abcdef@example.org>"}
    )
    accept(world.service, ArrivedMail("imap", forged, world.time))
    world.work()
    assert not world.game().orders


@pytest.mark.parametrize("by_name", [True, False])
def test_what_others_have_seen_is_replaced_and_counts_for_its_holder_only(world: Place, by_name: bool) -> None:
    seat, answered = world.seats_of_spring["France"], cited(world)
    to, headers = (seat, CITING_NOTHING) if by_name else (BASE, {"In-Reply-To": answered})
    raw = world.mail(FRANCE, to, "A PAR-BUR", headers={**headers, "Cc": ITALY})
    accept(world.service, ArrivedMail("imap", raw, world.time))
    world.work()
    told = next(mail for mail in world.mailboxes[FRANCE] if "new address" in str(mail["Subject"]))
    assert reply_to(told) not in (seat, BASE)
    with world.forging():
        again = world.mail(FRANCE, to, "A PAR-PIC", headers=headers)
        accept(world.service, ArrivedMail("imap", again, world.time))
        world.work()
        assert world.inbox()[-1].state is InboxState.QUARANTINED, "unproved, by what others have seen"
        assert "Army Paris -> Picardy" in text_of(world.send(FRANCE, reply_to(told), "A PAR-PIC"))


@pytest.mark.parametrize("field", ["References", "X-Thread", "Resent-Message-ID"])
def test_each_mail_of_ours_that_is_cited_is_a_way_that_others_have_seen(world: Place, field: str) -> None:
    spring = cited(world)
    world.started("autumn")
    headers = {**CITING_NOTHING, field: f"{spring} <thread@players.example>", "Cc": "eve@evil.example"}
    accept(world.service, ArrivedMail("imap", world.mail(FRANCE, BASE, "LIST", headers=headers), world.time))
    world.work()
    linked = world.mail(FRANCE, BASE, "ADDRESS ADD eve@evil.example", headers={"In-Reply-To": spring})
    accept(world.service, ArrivedMail("imap", linked, world.time))
    world.work()
    assert "eve@evil.example" not in world.mailboxes


def test_neither_name_nor_message_id_goes_to_others(world: Place) -> None:
    seat, answered = world.seats_of_spring["France"], cited(world)
    name = parseaddr(seat)[0]
    text = f"PRESS TO ITALY\nwrite to {name} in {answered} of {seat}\nENDPRESS"
    world.send(FRANCE, seat, text)
    told = next(text_of(mail) for mail in reversed(world.mailboxes[ITALY]) if "write to" in text_of(mail))
    assert name.rpartition(".")[2] not in told
    assert answered.strip("<>").partition("@")[0] not in told
    assert hidden(f"Re: {name} {seat}", BASE).count("gm+spring.[removed]") == 2
    assert seat_addresses_in(f"{name} {seat} gm+spring.short", BASE) == (f"{name}@example.org",)


@pytest.mark.parametrize("known_by", ["Message-ID", "Final-Recipient"])
def test_a_bounce_comes_to_the_mailbox_itself(world: Place, known_by: str) -> None:
    mail = world.last(FRANCE)
    lines = {"Message-ID": f"Message-ID: {mail['Message-ID']}", "Final-Recipient": f"Reply-To: {mail['Reply-To']}"}
    raw = report(FRANCE, "5.1.1", "550 5.1.1 no such user", original=f"{lines[known_by]}\n\nx\n".encode())
    raw = raw.replace(b"Subject:", f"In-Reply-To: {mail['Message-ID']}\nSubject:".encode(), 1)
    accept(world.service, ArrivedMail("imap", raw, world.time, (), ""))
    world.work()
    assert world.inbox()[-1].note.startswith("hard bounce of mail")
    assert "mail bounces" in text_of(world.send(GM, world.seats_of_spring["GM"], "DASHBOARD"))


def test_in_the_spam_folder_such_mail_is_for_us(world: Place) -> None:
    named = world.mail(FRANCE, world.seats_of_spring["France"], "A PAR-BUR", headers=CITING_NOTHING)
    answering = world.mail(FRANCE, BASE, "A PAR-BUR", headers={"In-Reply-To": cited(world)})
    other = world.mail(FRANCE, BASE, "A PAR-BUR")
    assert [is_for_us(world.service, raw) for raw in (named, answering, other)] == [True, True, False]
