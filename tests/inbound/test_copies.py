"""Copies of a mail: one is acted on, the best; and the same words at another time are another mail."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr

import pytest
from sqlalchemy import func, select

from gm.inbound.acceptance import accept
from gm.orders.notation import write
from gm.store.game_rows import OrderSetRow
from gm.store.inbox import NOT_READ, ArrivedMail, InboxState
from gm.store.records import PressRow
from gm.variants.standard import POWERS
from tests.mail.transport.sorts import SORTS, Post, Sent
from tests.server.world import BASE, World, player, proved, reply_to, text_of

FRANCE = player("France")
MASTER = "master@example.org"
PASS = proved("@players.example")
FAIL = {"Authentication-Results": "mx.home; dmarc=fail header.from=players.example"}
ID = "<1@players.example>"


@pytest.fixture
def world(world_at_level: World) -> World:
    return world_at_level


@pytest.fixture
def seat(world: World) -> str:
    return world.started()["France"]


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, Post]]:
    """A server, and who makes mails of all sorts for it."""
    world = World(tmp_path_factory.mktemp("sorts"), limits=0)
    yield world, Post(BASE, world.started(), {power: player(power) for power in POWERS}, random.Random(1901))
    world.database.dispose()


def bring(
    world: World, seat: str, text: str = "A PAR-BUR", *, sender: str = FRANCE, source: str = "smtp", **headers: str
) -> bool:
    """Deliver a mail with these headers, those with an empty value left out; it cites nothing and is proved, unless
    they say otherwise. Returns whether it was not known.
    """
    message = EmailMessage()
    written = {"Message-ID": ID, "Date": format_datetime(world.time), **PASS, **headers}
    for name, value in ({"From": sender, "To": seat} | written).items():
        if value:
            message[name.replace("_", "-")] = value
    message.set_content(text)
    return accept(world.service, ArrivedMail(source, message.as_bytes(), world.time, (seat,), sender))


def sent_to(world: World, raw: bytes, *recipients: str) -> bool:
    """Deliver a mail as it is to these recipients. Returns whether it was not known."""
    return accept(world.service, ArrivedMail("smtp", raw, world.time, recipients, FRANCE))


def by_ways(world: World, mail: Sent, ways: str) -> None:
    """Deliver a mail by the one way and then by the other; a mailbox's server writes its return path above it."""
    kept = ArrivedMail("imap", f"Return-Path: <{mail.sender}>\r\n".encode() + mail.raw, world.time)
    sent = ArrivedMail("smtp", mail.raw, world.time, (parseaddr(mail.to)[1],), mail.sender)
    for way in ways.split():
        accept(world.service, {"imap": kept, "smtp": sent}[way])
        world.work()


def press_and_orders(world: World) -> tuple[int, int]:
    """How many messages of press and sets of orders there are."""
    with world.looking() as session:
        press, orders = (session.scalar(select(func.count()).select_from(each)) for each in (PressRow, OrderSetRow))
    return press or 0, orders or 0


def orders(world: World) -> list[str]:
    return [write(order) for given in world.game().orders.values() for order in given.orders]


def answers(world: World, text: str) -> int:
    return sum(text in text_of(mail) for mail in world.mailboxes[FRANCE])


WORSE = {
    "a robot": ({"Auto-Submitted": "auto-generated"}, {}),
    "a list": ({"List-Id": "<list.example>", "Authentication-Results": ""}, {}),
    "somebody else": ({}, {"sender": "thief@evil.example"}),
    "failing": (FAIL, {}),
    "unproved": ({"Authentication-Results": ""}, {}),
}


@pytest.mark.way_in(number=2)
@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("name", WORSE)
def test_a_worse_copy_that_comes_first_swallows_nothing(world: World, seat: str, name: str, at_once: bool) -> None:
    headers, more = WORSE[name]
    bring(world, seat, **headers, **more)
    if not at_once:
        world.pass_time(minutes=1)
        world.time -= timedelta(minutes=1)
    bring(world, seat)
    world.work()
    assert orders(world) == ["A Par-Bur"]
    assert answers(world, "Army Paris -> Burgundy") == 1
    bring(world, seat)
    bring(world, seat, **headers, **more)
    world.work()
    assert answers(world, "Army Paris -> Burgundy") == 1, "never twice"


def test_the_question_about_the_worse_copy_is_withdrawn(world: World, seat: str) -> None:
    bring(world, seat, "PRESS TO ITALY\nhello\nENDPRESS", **FAIL)
    world.work()
    (asked,) = [mail for mail in world.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    bring(world, seat, "PRESS TO ITALY\nhello\nENDPRESS", **FAIL, Received="by another way")
    world.work()
    assert sum("+confirm." in reply_to(mail) for mail in world.mailboxes[FRANCE]) == 1, "one question for all copies"
    bring(world, seat, "PRESS TO ITALY\nhello\nENDPRESS")
    world.work()
    for said in ("NO", "YES"):
        answer = world.send(FRANCE, reply_to(asked), said, headers=PASS)
        assert "already been dealt with" in text_of(answer)
    assert sum("hello" in text_of(mail) for mail in world.mailboxes[player("Italy")]) == 1
    assert InboxState.QUARANTINED not in {row.state for row in world.inbox()}


@pytest.mark.way_in(number=2)
@pytest.mark.parametrize("worse", [FAIL, {"Authentication-Results": ""}], ids=["failing", "unproved"])
def test_nor_does_one_that_names_the_game_at_the_servers_own_address(
    world: World, seat: str, worse: dict[str, str]
) -> None:
    """At the level `strict` what comes there by name is asked about in any case."""
    named = "GAME spring\nA PAR-BUR"
    bring(world, BASE, named, **worse)
    world.work()
    bring(world, BASE, named)
    world.work()
    asks = world.service.identity.trust.level == "strict"
    assert orders(world) == ([] if asks else ["A Par-Bur"])
    assert not bring(world, BASE, named), "what was proved is not acted on twice"


@pytest.mark.parametrize("beside", ["HELP ORDERS", "LIST", "STATUS", "GAME nowhere\nSTATUS"])
def test_nor_does_one_that_asks_for_something_there_too(world: World, seat: str, beside: str) -> None:
    named = f"{beside}\nGAME spring\nA PAR-BUR"
    for headers in ({"Authentication-Results": ""}, {"Authentication-Results": "", "Received": "another way"}, {}):
        bring(world, BASE, named, **headers)
        world.work()
    asks = world.service.identity.trust.level == "strict"
    assert orders(world) == ([] if asks else ["A Par-Bur"])


def test_what_waits_for_proof_is_done_when_a_copy_is_proved(world: World, seat: str) -> None:
    line = "ADDRESS ADD ann@elsewhere.example"
    bring(world, BASE, line, **{"Authentication-Results": ""})
    world.work()
    asked = len(world.mailboxes[FRANCE])
    bring(world, BASE, line, **{"Authentication-Results": "", "Received": "another way"})
    world.work()
    assert len(world.mailboxes[FRANCE]) == asked, "one question for all copies"
    bring(world, BASE, line)
    world.work()
    proves = world.service.identity.trust.level == "open"
    assert bool(world.mailboxes.get("ann@elsewhere.example")) is proves


@pytest.mark.parametrize("proof", [{"Authentication-Results": ""}, {}])
def test_what_was_done_beside_what_waits_is_not_done_twice(world: World, seat: str, proof: dict[str, str]) -> None:
    gm = reply_to(next(mail for mail in world.mailboxes[MASTER] if "+spring" in reply_to(mail)))
    due = world.game().due_at
    for headers in ({"Authentication-Results": ""}, {**proof, "Received": "another way"}):
        bring(world, gm, "EXTEND 48h\nPROMOTE eve@elsewhere.example", sender=MASTER, **headers)
        world.work()
    now = world.game().due_at
    assert due is not None
    assert now is not None
    assert now - due <= timedelta(days=2)


def test_a_digest_answered_twice_takes_the_proved_one(world: World, seat: str) -> None:
    person = next(key for key, one in world.game().people.items() if FRANCE in one.addresses)
    digest = world.service.identity.digest_address(person, world.time.date())
    for headers in (FAIL, {}):
        bring(world, digest, "GAME spring\nA PAR-BUR", **headers)
        world.work()
    assert orders(world) == ["A Par-Bur"]


def test_no_holds_for_every_copy(world: World, seat: str) -> None:
    bring(world, seat, **FAIL)
    world.work()
    (asked,) = [mail for mail in world.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    world.send(FRANCE, reply_to(asked), "NO", headers=PASS)
    bring(world, seat)
    world.work()
    assert orders(world) == []
    assert world.inbox()[-1].note.endswith("which was answered with NO")


def test_so_it_does_to_what_waits_for_a_confirmation(world: World, seat: str) -> None:
    bring(world, seat, "ADDRESS ADD ann@elsewhere.example", **{"Authentication-Results": ""})
    world.work()
    (asked,) = [mail for mail in world.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    world.send(FRANCE, reply_to(asked), "NO", headers=PASS)
    bring(world, seat, "ADDRESS ADD ann@elsewhere.example")
    world.work()
    assert "ann@elsewhere.example" not in world.mailboxes


@pytest.mark.parametrize("said", ["", "NO"])
def test_a_mail_to_a_seat_is_the_same_when_its_address_was_replaced(world: World, seat: str, said: str) -> None:
    """Handed on from the server's own address, or sent there again; whether it was answered with NO, or not yet."""
    words = "GAME spring\nPRESS TO ITALY\nhello\nENDPRESS"
    bring(world, BASE, words, **FAIL)
    world.work()
    (asked,) = [mail for mail in world.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    if said:
        world.send(FRANCE, reply_to(asked), said, headers=PASS)
    world.arrive(FRANCE, seat, "A MAR-SPA", headers={"Cc": player("Italy"), **PASS})
    world.work()
    bring(world, BASE, words)
    world.work()
    for mail in [mail for mail in world.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]:
        world.send(FRANCE, reply_to(mail), "YES", headers=PASS)
    assert sum("hello" in text_of(mail) for mail in world.mailboxes[player("Italy")]) == (0 if said else 1)


def test_two_mails_with_one_name_and_date_are_two_in_a_game_that_they_name(world: World, seat: str) -> None:
    del seat
    for order in ("A PAR-BUR", "A MAR-SPA"):
        bring(world, BASE, f"GAME spring\n{order}")
        world.work()
    asks = world.service.identity.trust.level == "strict"
    assert sorted(orders(world)) == ([] if asks else ["A Mar-Spa", "A Par-Bur"])


def test_a_copy_at_an_address_that_nobody_has_withdraws_nothing(world: World, seat: str) -> None:
    """Whatever stands in it: seats have numbers of their own in what a mail is known by."""
    bring(world, seat, **FAIL)
    world.work()
    (asked,) = [mail for mail in world.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    for number in range(12):
        for name in (str(number), f"seat {number}", ""):
            bring(world, f"gm+{name}@example.org", Received=f"another way {number}")
    world.work()
    world.send(FRANCE, reply_to(asked), "YES", headers=PASS)
    assert orders(world) == ["A Par-Bur"]


@pytest.mark.parametrize("word", ["return", "confirm", "digest.1.1", "bounce", "nowhere"])
def test_a_copy_at_an_address_with_the_seats_token_takes_no_place(world: World, seat: str, word: str) -> None:
    """Whoever was sent a copy knows the token, and may be first; the very same bytes count where they were sent."""
    raw = world.mail(FRANCE, seat, "A PAR-BUR", headers=PASS)
    sent_to(world, raw, seat.replace("+spring.", f"+{word}."))
    world.work()
    assert sent_to(world, raw, seat)
    world.work()
    assert orders(world) == ["A Par-Bur"]
    assert not sent_to(world, raw, seat)


def test_of_more_copies_than_are_looked_at_the_one_acted_on_counts(world: World, seat: str) -> None:
    for number in range(102):
        bring(world, seat, "PRESS TO ITALY\nhello\nENDPRESS", **FAIL, Received=f"way {number}")
    for number in range(2):
        bring(world, seat, "PRESS TO ITALY\nhello\nENDPRESS", Received=f"the way {number}")
    world.work()
    assert sum("hello" in text_of(mail) for mail in world.mailboxes[player("Italy")]) == 1


@pytest.mark.parametrize("line", ["ALL GAMES: PROCESS", "ALL GAMES spring: PROCESS", "ALL GAMES: EXTEND 24h"])
def test_a_yes_for_all_games_is_for_the_phases_that_it_was_asked_about(world: World, seat: str, line: str) -> None:
    due = world.game().due_at
    assert due is not None
    world.time = due - timedelta(hours=3)
    bring(world, BASE, line, sender=MASTER, **{**FAIL, "Authentication-Results": "mx.home; dmarc=fail"})
    world.work()
    asked = world.mailboxes[MASTER][-1]
    assert "+confirm." in reply_to(asked)
    world.time = due + timedelta(hours=1)
    world.work()
    assert world.phase() == "F1901M"
    before = world.game().due_at
    answer = text_of(world.send(MASTER, reply_to(asked), "YES", headers=proved(MASTER)))
    assert "A new phase of spring has begun, so nothing was done." in answer
    assert (world.phase(), world.game().due_at) == ("F1901M", before)
    del seat


def test_nor_for_a_game_that_has_begun_since(world: World, seat: str) -> None:
    with world.trusting():
        world.send(MASTER, BASE, "CREATE mist variant=france-austria")
        for power in ("France", "Austria"):
            world.send(player(power), BASE, "JOIN mist")
    bring(world, BASE, "ALL GAMES: PROCESS", sender=MASTER, **{**FAIL, "Authentication-Results": "mx.home; dmarc=fail"})
    world.work()
    asked = world.mailboxes[MASTER][-1]
    with world.trusting():
        world.arrive(MASTER, BASE, "GAME mist\nSTART", headers=proved(MASTER))
        world.work()
    assert world.game("mist").running
    answer = text_of(world.send(MASTER, reply_to(asked), "YES", headers=proved(MASTER)))
    assert "A new phase of mist has begun, so nothing was done." in answer
    assert (world.phase(), world.game("mist").code) == ("S1901M", "S1901M")
    del seat


def test_what_begins_in_a_game_that_is_not_named_leaves_a_yes_as_it_is(world: World, seat: str) -> None:
    with world.trusting():
        world.started("twin")
    forged = {**FAIL, "Authentication-Results": "mx.home; dmarc=fail"}
    bring(world, BASE, "ALL GAMES twin: PROCESS", sender=MASTER, **forged)
    world.work()
    asked = world.mailboxes[MASTER][-1]
    with world.trusting():
        world.arrive(MASTER, BASE, "GAME spring\nPROCESS S1901M", headers=proved(MASTER))
        world.work()
    world.arrive(MASTER, reply_to(asked), "YES", headers=proved(MASTER))
    world.work()
    assert (world.game("twin").code, world.game("spring").code) == ("F1901M", "F1901M")
    del seat


@pytest.mark.parametrize(("hours", "asked"), [(47, False), (49, True)])
def test_an_old_mail_to_the_server_is_asked_about(world: World, seat: str, hours: int, *, asked: bool) -> None:
    """Where no phase says what is old. At the level `strict` it is asked about in any case."""
    before = world.game().due_at
    written = format_datetime(world.time - timedelta(hours=hours))
    bring(world, BASE, "ALL GAMES: PAUSE", sender=MASTER, **proved(MASTER), Date=written)
    world.work()
    paused = world.game().due_at != before
    strict = world.service.identity.trust.level == "strict"
    assert paused is not (asked or strict)
    assert ("more than two days before it came" in text_of(world.mailboxes[MASTER][-1])) is asked
    del seat


def test_an_answer_that_did_not_count_takes_no_copys_place(world: World, seat: str) -> None:
    bring(world, seat, **FAIL)
    world.work()
    (asked,) = [mail for mail in world.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    for proof in (FAIL, {}):
        bring(world, reply_to(asked), "YES", **proof)
        world.work()
    assert orders(world) == ["A Par-Bur"]


@pytest.mark.parametrize("ways", ["smtp imap", "imap smtp"])
@pytest.mark.parametrize("sort", [name for name, sort in SORTS.items() if sort.taken and name != "no message-id"])
def test_what_comes_by_two_ways_is_answered_once(post: tuple[World, Post], sort: str, ways: str) -> None:
    world, makes = post
    mail = makes.next(sort)
    before = press_and_orders(world)
    by_ways(world, mail, ways)
    answered = [one for box in world.mailboxes.values() for one in box if one["In-Reply-To"] == mail.message_id]
    assert len(answered) == SORTS[sort].answered
    assert press_and_orders(world) == (before[0] + SORTS[sort].press, before[1] + SORTS[sort].orders)


@pytest.mark.parametrize("way", ["answered", "asked about"])
def test_what_cannot_be_read_is_so_once_for_all_copies(world: World, seat: str, way: str) -> None:
    """Whether somebody is told so, or asked whether they wrote it; a copy that can be read is acted on."""
    proof = PASS if way == "answered" else FAIL
    text = world.mail(FRANCE, seat, "A PAR-BUR", headers={"Message-ID": ID, **proof})
    head, _, body = text.partition(b"\n\n")
    broken = head + b"\nX: " + b"\n x" * 100_000 + b"\n\n" + body
    before = len(world.mailboxes[FRANCE])
    for number in range(3):
        assert sent_to(world, b"Received: way %d\n" % number + broken, seat)
        world.work()
    assert len(world.mailboxes[FRANCE]) == before + 1
    assert [row.note.startswith(NOT_READ) for row in world.inbox()[-3:]] == [True, False, False]
    assert sent_to(world, world.mail(FRANCE, seat, "A PAR-BUR", headers={"Message-ID": ID, **PASS}), seat)
    world.work()
    assert orders(world) == ["A Par-Bur"]


NAMES: dict[str, dict[str, str]] = {
    "neither Message-ID nor Date": {"Message-ID": "", "Date": ""},
    "a date that nobody can read": {"Message-ID": "", "Date": "now"},
    "one Message-ID for all": {"Message-ID": "<1@x>"},
    "no Message-ID": {"Message-ID": ""},
}


@pytest.mark.way_in(number=2)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("minutes", [1, 9])
def test_the_same_words_at_another_time_are_another_mail(world: World, seat: str, name: str, minutes: int) -> None:
    for line in ("F BRE-ENG", "F BRE-PIC", "F BRE-ENG"):
        world.pass_time(minutes=minutes)
        assert bring(world, seat, line, **NAMES[name])
        world.work()
    assert orders(world) == ["F Bre-Eng"]


@pytest.mark.way_in(number=2)
def test_what_a_mail_server_sends_again_is_known(world: World, seat: str) -> None:
    nameless = {"Message-ID": "", "Date": ""}
    assert bring(world, seat, **nameless)
    world.pass_time(minutes=1)
    assert not bring(world, seat, **nameless)
    traced = {**nameless, "Received": "from pc by relay with ESMTP id 7; Fri, 20 Nov 2026 09:00:00 +0000"}
    assert bring(world, seat, "A PAR-PIC", **traced)
    world.pass_time(minutes=75)
    assert not bring(world, seat, "A PAR-PIC", **traced), "after an hour, by the same relay"
    other = {**nameless, "Received": "from pc by relay with ESMTP id 8; Fri, 20 Nov 2026 10:15:00 +0000"}
    assert bring(world, seat, "A PAR-PIC", **other)


def test_addresses_in_fields_that_nobody_signs_make_no_other_mail(world: World, seat: str) -> None:
    raw = world.mail(FRANCE, BASE, "GAME spring\nA PAR-BUR", headers={"Cc": f"{seat}, eve@evil.example", **PASS})
    assert sent_to(world, raw, seat)
    world.work()
    for field in ("Delivered-To", "X-Original-To", "Envelope-To"):
        others = "".join(f"{field}: {number}@evil.example\n" for number in range(100))
        assert not sent_to(world, others.encode() + raw, BASE)
    assert not sent_to(world, raw, BASE)


def test_a_mail_to_a_conversation_is_that_mail_at_the_seat_too(world: World, seat: str) -> None:
    talk = seat.replace("spring.", "spring.to-italy.")
    raw = world.mail(FRANCE, talk, "A PAR-BUR", headers={"Cc": f"{seat}, eve@evil.example", **PASS})
    assert sent_to(world, raw, talk, seat)
    world.work()
    assert not sent_to(world, raw, seat)
    assert orders(world) == []


@pytest.mark.parametrize("operator", ["postmaster@example.org", "abuse@example.org", "postmaster"])
def test_what_the_operator_gets_is_no_copy_of_what_the_server_gets(world: World, seat: str, operator: str) -> None:
    raw = world.mail(FRANCE, BASE, "GAME spring\nA PAR-BUR", headers=PASS)
    assert sent_to(world, raw, operator)
    world.work()
    assert sent_to(world, raw, BASE)


def test_a_mail_to_the_operator_and_the_server_is_acted_on_at_once(world: World, seat: str) -> None:
    raw = world.mail(FRANCE, BASE, "GAME spring\nA PAR-BUR", headers={"Cc": "postmaster@example.org", **PASS})
    before = len(world.mailboxes[FRANCE])
    assert sent_to(world, raw, BASE, "postmaster@example.org")
    world.work()
    assert len(world.mailboxes[FRANCE]) == before + 1
    assert "postmaster@example.org" in {row.address for row in world.inbox()}
    assert not sent_to(world, raw, BASE)
