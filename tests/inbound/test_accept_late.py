"""Orders that came after their phase was closed, and are accepted; corrections; and questions answered by one tap."""

from __future__ import annotations

import re
from datetime import timedelta
from email.message import EmailMessage
from html import unescape
from urllib.parse import unquote

import pytest

from gm.settings import TrustSettings
from tests.inbound import test_which_phase
from tests.inbound.test_which_phase import (
    FRANCE,
    MASTER,
    PROVED,
    PROVED_MASTER,
    UNCITED,
    late,
    orders,
    process,
    questions,
)
from tests.server.world import World, body_of, player, reply_to, text_of

pytestmark = pytest.mark.long

level, world = test_which_phase.level, test_which_phase.world
"""Fixtures: a world of one of the levels."""


def late_for_s1901m(world: World, seats: dict[str, str], text: str, *, minutes: float = 5) -> EmailMessage:
    """The phase is closed by the gamemaster, and then a mail is read that was received so many minutes after the
    beginning of the phase."""
    received = world.time + timedelta(minutes=minutes)
    world.pass_time(hours=1)
    process(world, seats)
    world.pass_time(hours=2)
    return late(world, seats["France"], text, received)


def offers(world: World, who: str = MASTER) -> list[EmailMessage]:
    return [mail for mail in world.mailboxes[who] if "Late orders" in str(mail["Subject"])]


def accept_late(world: World, seats: dict[str, str], text: str = "ACCEPT LATE FRANCE") -> None:
    """The gamemaster writes it, and confirms it where a strict server asks."""
    world.arrive(MASTER, seats["GM"], text, headers=PROVED_MASTER)
    world.work()
    if asked := questions(world, MASTER)[-1:]:
        world.arrive(MASTER, reply_to(asked[0]), "YES", headers=PROVED_MASTER)
        world.work()


def test_what_came_after_the_grace_is_measured_from_the_deadline_that_was_told(world: World) -> None:
    seats = world.started(options="grace=6h release=gm early=no")
    for hours in (168, 6, 2):
        world.pass_time(hours=hours)
    world.send(FRANCE, seats["France"], "A PAR-BUR", headers=PROVED)
    told = text_of(offers(world)[-1])
    assert "8 hours after the deadline (Fri 27 Nov 2026, 09:00 UTC)" in told
    assert "as they were, and the report says so" in told


def test_a_gamemaster_lets_late_orders_count(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], "A MAR-SPA", headers=PROVED)
    answer = text_of(late_for_s1901m(world, seats, "A PAR-BUR"))
    assert "S1901M is over" in answer
    assert "the gamemaster can still let it count for S1901M" in answer
    (offer,) = offers(world)
    assert "Orders of France for S1901M came after the phase was closed." in text_of(offer)
    assert "received Fri 20 Nov 2026, 09:05 UTC, 7 days before the deadline" in text_of(offer)
    assert "55 minutes before the report was sent to that player" in text_of(offer)
    link = f"mailto:{reply_to(offer).replace('+', '%2B')}?"
    page = offer.get_body(("html",))
    assert page is not None
    assert link in page.get_content()
    assert "ACCEPT LATE France" in text_of(offer)
    accept_late(world, seats)
    assert world.phase() == "F1901M"
    game = world.game()
    assert game.position is not None
    assert {"bur", "spa", "bre"} == {str(unit.at) for unit in game.position.units if unit.power == "France"}
    said = "late orders of France (55 minutes before the report was sent to its player) were accepted"
    assert said in text_of(world.last(player("Italy")))
    accept_late(world, seats)
    assert "No late orders of France wait" in " ".join(text_of(mail) for mail in world.mailboxes[MASTER][-2:])


def test_what_a_gamemaster_refuses_is_asked_no_more_until_that_is_undone(world: World, seats: dict[str, str]) -> None:
    late_for_s1901m(world, seats, "A PAR-BUR")
    assert "REFUSE LATE France" in text_of(offers(world)[-1])
    accept_late(world, seats, "REFUSE LATE France\nBECAUSE you had a week")
    assert "The late orders of France for S1901M do not count" in text_of(world.last(MASTER))
    told = text_of(world.last(FRANCE))
    assert "does not let your orders for S1901M count" in told
    assert "The reason: you had a week." in told
    accept_late(world, seats, "DASHBOARD")
    assert "late orders" not in text_of(world.last(MASTER))
    accept_late(world, seats, "ACCEPT LATE")
    assert "No late orders wait to be accepted" in text_of(world.last(MASTER))
    accept_late(world, seats, "UNDO")
    accept_late(world, seats, "ACCEPT LATE France")
    assert "bur" in places(world, "France")


@pytest.mark.parametrize(
    ("answer", "said"), [("YES", "S1901M is adjudicated again"), ("No, they had a week.", "S1901M do not count")]
)
def test_yes_or_no_to_the_mail_about_late_orders_is_for_them(
    world: World, seats: dict[str, str], answer: str, said: str
) -> None:
    late_for_s1901m(world, seats, "A PAR-BUR")
    cited = {**PROVED_MASTER, "In-Reply-To": str(offers(world)[-1]["Message-ID"])}
    before = len(world.mailboxes[MASTER])
    world.arrive(MASTER, seats["GM"], answer, headers=cited)
    world.work()
    if asked := questions(world, MASTER)[-1:]:
        world.arrive(MASTER, reply_to(asked[0]), "YES", headers=PROVED_MASTER)
        world.work()
    assert said in " ".join(map(text_of, world.mailboxes[MASTER][before:]))


def places(world: World, power: str) -> set[str]:
    """Where the units of a power are."""
    game = world.game()
    assert game.position is not None
    return {str(unit.at) for unit in game.position.units if unit.power == power}


def test_all_late_orders_are_accepted_and_of_two_for_a_unit_that_received_later(
    world: World, seats: dict[str, str]
) -> None:
    """Whichever was read first."""
    world.pass_time(minutes=10)
    world.send(FRANCE, seats["France"], "F BRE-ENG", headers=PROVED)
    late_for_s1901m(world, seats, "A PAR-BUR\nF BRE-MAO", minutes=-5)
    for text, minutes in (("A MAR-SPA", 150), ("A PAR-PIC", 180 + 8)):
        late(world, seats["France"], text, world.time - timedelta(minutes=minutes))
    assert "\n\nWhat they would change:\nFrance: A Par-Bur; before: A Par H.\n" in body_of(offers(world)[0])
    accept_late(world, seats, "ACCEPT LATE")
    assert places(world, "France") == {"bur", "spa", "eng"}


def test_late_orders_lapse_when_their_phase_is_rolled_back(world: World, seats: dict[str, str]) -> None:
    late_for_s1901m(world, seats, "A PAR-BUR")
    accept_late(world, seats, "ROLLBACK S1901M")
    world.pass_time(hours=2)
    world.send(FRANCE, seats["France"], "A PAR-PIC", headers=PROVED)
    world.pass_time(hours=2)
    process(world, seats)
    world.pass_time(hours=2)
    for power, text in (("Turkey", "A CON-BUL"), ("Italy", "A VEN-TYR")):
        late(world, seats[power], f"S1901M:\n{text}", world.time, sender=player(power))
    accept_late(world, seats, "ACCEPT LATE")
    asked = " ".join(map(text_of, world.mailboxes[MASTER][-2:]))
    assert (
        "Nothing is changed yet. There are late orders of Turkey (8 hours after the report was sent to its player)"
        in asked
    )
    assert "ACCEPT LATE Turkey and Italy" in asked
    assert "con" in places(world, "Turkey")
    accept_late(world, seats, "ACCEPT LATE TURKEY, ITALY")
    assert "bul" in places(world, "Turkey")
    assert "tyr" in places(world, "Italy")
    assert "pic" in places(world, "France")


def test_late_orders_replace_those_that_were_drawn(world: World, seats: dict[str, str]) -> None:
    accept_late(world, seats, "SET NMR random")
    due = world.game().due_at
    assert due is not None
    world.time = due + timedelta(hours=2)
    world.work()
    assert world.phase() == "F1901M"
    late(world, seats["France"], "A PAR-GAS\nA MAR-SPA\nF BRE-ENG", due - timedelta(minutes=5))
    accept_late(world, seats)
    assert places(world, "France") >= {"gas", "spa"}


@pytest.mark.parametrize(
    "text", ["A PAR-LON", "READY", "hello there"], ids=["impossible", "no orders", "nothing of the game"]
)
def test_what_holds_no_order_is_not_offered(world: World, seats: dict[str, str], text: str) -> None:
    late_for_s1901m(world, seats, text)
    assert not offers(world)


def test_orders_that_came_after_the_deadline_are_kept_and_their_sender_had_the_report(
    world: World, seats: dict[str, str]
) -> None:
    due = world.game().due_at
    assert due is not None
    world.time = due + timedelta(seconds=1)
    world.work()
    assert world.phase() == "F1901M"
    world.pass_time(hours=2)
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="open", authserv_ids=("mx.home",)))
    answer = text_of(late(world, seats["France"], "S1901M:\nA PAR-BUR", due + timedelta(hours=1)))
    assert "can still let it count for S1901M, and is told when it came" in answer
    (offer,) = offers(world)
    assert "60 minutes after the deadline" in text_of(offer)
    assert "60 minutes after the report was sent to that player" in text_of(offer)
    assert "What they would change: France: A Par-Bur; before: A Par H." in text_of(offer)


@pytest.mark.parametrize("again", ["CORRECT S1901M NOW\nGERMANY: A MUN-TYR\nBECAUSE lost", "ROLLBACK S1901M\nPROCESS"])
def test_late_is_counted_from_the_first_deadline_and_report(world: World, seats: dict[str, str], again: str) -> None:
    """Whatever was played again since: by then the results were known."""
    due = world.game().due_at
    assert due is not None
    world.time = due + timedelta(seconds=1)
    world.work()
    world.pass_time(hours=2)
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="open", authserv_ids=("mx.home",)))
    world.send(MASTER, seats["GM"], again, headers=PROVED_MASTER)
    world.pass_time(hours=3)
    late(world, seats["France"], "S1901M:\nA PAR-BUR", world.time)
    (offer,) = offers(world)
    assert "5 hours after the deadline" in text_of(offer)
    assert "5 hours after the report was sent to that player" in text_of(offer)


def test_whatever_closed_the_phase_late_orders_are_kept(world: World, seats: dict[str, str]) -> None:
    process(world, seats)
    world.pass_time(hours=2)
    answer = late(world, seats["France"], "S1901M:\nA PAR-BUR", world.time)
    assert "S1901M is over" in text_of(answer)
    (offer,) = offers(world)
    assert "2 hours after the report was sent to that player" in text_of(offer)
    accept_late(world, seats)
    report = text_of(world.last(player("Italy")))
    assert "This is a corrected report. It replaces that of S1901M of" in report
    assert "late orders of France (2 hours after the report was sent to its player) were accepted." in report
    assert "What else differs: France: A Par-Bur; before: A Par H." in report


CORRECTION = "ORDERS FOR GERMANY\nA MUN-TYR\nF KIE-DEN\nBECAUSE their mail was lost"


def test_a_correction_is_tried_first_and_then_reported_to_all(world: World, seats: dict[str, str]) -> None:
    process(world, seats)
    before = len(world.mailboxes[FRANCE])

    def master(text: str) -> str:
        world.arrive(MASTER, seats["GM"], text, headers=PROVED_MASTER)
        world.work()
        if asked := [one for one in questions(world, MASTER)[-1:] if text.split("\n")[0] in text_of(one)]:
            world.arrive(MASTER, reply_to(asked[0]), "YES", headers=PROVED_MASTER)
            world.work()
        return " ".join(text_of(mail) for mail in world.mailboxes[MASTER][-3:])

    tried = master(f"CORRECT S1901M\n{CORRECTION}")
    assert "Germany: F Kie-Den; before: F Kie H" in tried
    assert "CORRECT S1901M NOW / Germany:" in tried
    assert len(world.mailboxes[FRANCE]) == before
    assert "needs your reason" in master("CORRECT S1901M NOW\nGermany: A MUN-TYR")
    assert "not all lines below it are orders" in master(f"CORRECT S1901M NOW\n{CORRECTION}\nA BER-XYZ")
    master(f"CORRECT S1901M NOW\n{CORRECTION}")
    (report,) = world.mailboxes[FRANCE][before:]
    assert "corrected report" in text_of(report)
    assert "mail was lost." in text_of(report)[:300]
    differs = "What else differs: Germany: A Mun-Tyr; before: A Mun H. Germany: F Kie-Den; before: F Kie H."
    assert differs in text_of(report)
    assert "\n\nWhat else differs:\nGermany: A Mun-Tyr; before: A Mun H.\nGermany: F Kie-Den;" in body_of(report)
    page = str(report.get_body(("html",)).get_content())  # type: ignore[union-attr]
    page = re.sub(r"</?span[^>]*>", "", page)
    assert "differs:<br>Germany: A Mun-Tyr; before: A Mun H.<br>Germany: F Kie-Den;" in page
    assert "What it means for you: nothing differs for your units and centres. What" in text_of(report)
    mine = "What it means for you: Germany: A Mun-Tyr; before: A Mun H. Germany: F Kie-Den; before: F Kie H."
    assert mine in text_of(world.last(player("Germany")))
    assert "stay as they were." in text_of(report), "the game has no chance, and nobody has sent orders since"
    game = world.game()
    assert game.phase is not None
    assert game.phase.code == "F1901M"
    assert {"tyr", "den"} < {str(unit.at) for unit in game.phase.position.units if unit.power == "Germany"}
    assert "correct (phase S1901M, powers Germany, why their mail was lost)" in master("LOG")
    process(world, seats)
    assert "S1901M is not the phase that was adjudicated last" in master(f"CORRECT S1901M\n{CORRECTION}")
    assert "There are no orders for F1901M" in master("CORRECT F1901M")


@pytest.mark.way_in(number=3)
@pytest.mark.parametrize("minutes", [-1, 2], ids=["before", "after"])
def test_an_answer_to_the_first_playing_of_a_phase_names_it(world: World, seats: dict[str, str], minutes: int) -> None:
    """Whether it came before the ROLLBACK or after it, and although its sender had been sent the results since."""
    receipt = str(world.send(FRANCE, seats["France"], "A PAR-BUR", headers=PROVED)["Message-ID"])
    process(world, seats)
    world.pass_time(hours=2)
    sent = world.time + timedelta(minutes=minutes)
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M", headers=PROVED_MASTER)
    world.pass_time(minutes=2)
    answer = text_of(late(world, seats["France"], "F BRE-MAO", sent, References=receipt))
    asked = " ".join(text_of(questions(world)[-1]).split())
    assert "Your mail may be for the first S1901M" in asked
    assert "F1901M" not in asked + answer
    assert orders(world) == ["A Par-Bur"]


def test_a_gamemaster_who_plays_is_not_asked(world: World, seats: dict[str, str]) -> None:
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="open", authserv_ids=("mx.home",)))
    received = world.time + timedelta(minutes=10)
    world.pass_time(hours=1)
    process(world, seats)
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')}", headers=PROVED_MASTER)
    world.agreed()
    own = reply_to(world.last(player("Italy")))
    world.send(MASTER, seats["GM"], "RESIGN", headers=PROVED_MASTER)
    world.pass_time(hours=2)
    late(world, seats["France"], "A PAR-BUR", received)
    assert not offers(world)
    assert not offers(world, player("Italy"))
    world.arrive(player("Italy"), own, "ACCEPT LATE")
    world.work()
    assert world.phase() == "F1901M"


def test_late_orders_of_a_phase_long_past_are_for_rollback(world: World, seats: dict[str, str]) -> None:
    late_for_s1901m(world, seats, "A PAR-BUR")
    process(world, seats)
    accept_late(world, seats)
    assert world.phase() == "S1902M"
    assert "write ROLLBACK S1901M" in " ".join(text_of(mail) for mail in world.mailboxes[MASTER][-3:])


def test_orders_in_flight_when_all_orders_were_in(world: World, seats: dict[str, str]) -> None:
    """A change of mind that was sent before the last orders came counts; one that was sent after them is late."""
    world.pass_time(minutes=30)
    for power, seat in seats.items():
        if power not in ("GM", "Italy"):
            world.send(player(power), seat, "READY", headers=PROVED)
    world.pass_time(minutes=30)
    last = world.time
    world.send(player("Italy"), seats["Italy"], "READY", headers=PROVED)
    assert world.phase() == "F1901M"
    world.pass_time(hours=2)
    late(world, seats["France"], "A PAR-BUR", last - timedelta(minutes=1))
    assert len(offers(world)) == 1
    accept_late(world, seats)
    game = world.game()
    assert game.position is not None
    assert game.position.phase.code == "F1901M"
    assert "bur" in {str(unit.at) for unit in game.position.units if unit.power == "France"}


# ---- one tap


def test_a_question_is_answered_with_one_tap(world: World, seats: dict[str, str]) -> None:
    """Each answer is a link to a mail that is ready to be sent, and a telephone's signature below it does no harm."""
    process(world, seats)
    world.pass_time(minutes=20)
    late(world, seats["France"], "A PAR-BUR", world.time)
    (asked,) = questions(world)
    html = asked.get_body(("html",))
    assert html is not None
    links = re.findall(r'href="(mailto:[^"]*)"', html.get_content())
    text = asked.get_body(("plain",))
    assert text is not None
    assert len(links) == 3
    assert "mailto:" not in text.get_content()
    address, _, query = unescape(links[0]).removeprefix("mailto:").partition("?")
    fields = {name: unquote(value) for name, _, value in (part.partition("=") for part in query.split("&"))}
    assert unquote(address) == reply_to(asked)
    assert fields["subject"] == asked["Subject"]
    world.send(FRANCE, unquote(address), fields["body"] + "Sent from my telephone", headers={**PROVED, **UNCITED})
    assert orders(world) == ["A Par-Bur"]
