"""Mails as people write them to a seat: each is answered, with what it asked for and with where the seat stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.server.world import World, body_of, player, text_of

SEAT_STANDS = ("3 units without an order", "The deadline is Fri 27 Nov 2026, 09:00 UTC", "F Lon-")
"""In the subject, the text and the form of a player who has sent nothing."""

MAILS = [
    # the mail, and what must be in the answer
    ("When is the deadline?", "The deadline of S1901M is Fri 27 Nov 2026, 09:00 UTC, in 7 days."),
    ("Hello,\n\nhow much time do we have left?\n\nBest\nPat", "The deadline of S1901M is Fri 27 Nov"),
    ("Wann ist der Abgabetermin?", "The deadline of S1901M is"),
    ("Quand est la date limite ?", "The deadline of S1901M is"),
    ("hi, is anybody there?", "this is the program that runs spring. A person reads what you write to the gamemaster"),
    ("Ist da jemand?", "this is the program that runs spring"),
    ("What is this game?", "spring is a game of Diplomacy. RULES sends its rules"),
    ("How do I support another unit?", "A MUN S A BER-SIL"),
    ("how do I convoy?", "F NTH C A LON-NWY"),
    ("Wie unterstütze ich eine Einheit?", "A MUN S A BER-SIL"),
    ("Comment soutenir une unité ?", "A MUN S A BER-SIL"),
    ("what are my orders?", "No orders of yours have come for this phase."),
    ("did you get my orders?", "No orders of yours have come for this phase."),
    ("who has sent their orders?", "only the gamemaster sees whose orders are in"),
    ("Has France ordered?", "only the gamemaster sees whose orders are in"),
    ("please cancel my orders", "To delete your orders, send CLEAR."),
    ("I'm away from 5 December to 12 December", "ABSENCE 2026-12-05 TO 2026-12-12"),
    ("Ich bin vom 3.12. bis 10.12. verreist", "ABSENCE 2026-12-03 TO 2026-12-10"),
    ("Je suis absent du 3 au 10 décembre", "ABSENCE 2026-12-03 TO 2026-12-10"),
    ("I quit", "You still have your seat."),
    ("J'abandonne", "send RESIGN spring"),
    ("who plays France?", "France 3 3 Pat France"),
    ("Qui joue l'Allemagne?", "Germany 3 3 Pat Germany"),
    ("which country am I?", "You play England in spring."),
    ("why did my army not move?", "No phase of spring has been played yet."),
    ("Can I see the map?", "is attached as SVG (scalable) and PNG"),
    ("I don't understand. Help please", "MY ORDERS: your orders in force"),
    ("Can I have more time?", "send EXTEND 24h"),
    ("How can I write to Germany?", "reply with PRESS TO Germany on a line"),
    (
        "Dear France,\nshall we agree on a demilitarized Channel?\nYours\nEngland",
        "Sent to nobody, since it is not press",
    ),
    ("Dear France,\nshall we agree on a demilitarized Channel?", "PRESS TO France / Dear France, / ... / ENDPRESS"),
    ("To Germany:\nhands off Denmark", "Sent to nobody, since it is not press"),
    ("Dear Germany, shall we ally?", "PRESS TO Germany / Dear Germany, shall we ally? / ENDPRESS"),
    ("Thanks!", "Your mail contained no order or command"),
    ("asdf qwer", "Your mail contained no order or command"),
    ("", "Your mail contained no order or command"),
]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, dict[str, str]]]:
    world = World(tmp_path_factory.mktemp("words"), limits=0)
    yield world, world.started()
    world.database.dispose()


@pytest.fixture
def world(game: tuple[World, dict[str, str]]) -> World:
    return game[0]


@pytest.fixture
def seats(game: tuple[World, dict[str, str]]) -> dict[str, str]:
    return game[1]


@pytest.mark.parametrize(("text", "said"), MAILS, ids=[text[:40].replace("\n", "/") for text, _ in MAILS])
def test_no_mail_to_a_seat_is_a_dead_end(world: World, seats: dict[str, str], text: str, said: str) -> None:
    england = player("England")
    others = {who: len(mails) for who, mails in world.mailboxes.items() if who != england}
    answer = world.send(england, seats["England"], text)
    assert said in text_of(answer)
    missing, due, form = SEAT_STANDS
    assert str(answer["Subject"]).startswith("Re: [spring] S1901M: ")
    assert missing in str(answer["Subject"])
    assert due in text_of(answer)
    assert form in body_of(answer)
    assert {who: len(mails) for who, mails in world.mailboxes.items() if who != england} == others, "told nobody else"


def test_the_subject_of_what_is_not_understood_says_so(world: World, seats: dict[str, str]) -> None:
    answer = world.send(player("England"), seats["England"], "qwertz")
    assert answer["Subject"] == "Re: [spring] S1901M: nothing understood, 3 units without an order"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("F Lon-Nor", "F Lon-Nth"),
        ("F Edin - Norwegian", "F Edi-Nwg"),
        ("A Liv - Yorks", "A Lvp-Yor"),
        ("F Edi to Norw Sea", "F Edi-Nwg"),
        ("F Lon - eng chan", "F Lon-Eng"),
        ("PRESS Italy\nhello\nENDPRESS", "Press sent to Italy."),
        ("PRESS Italy / hello / ENDPRESS", "Press sent to Italy."),
    ],
)
def test_what_is_written_in_part_is_understood(world: World, seats: dict[str, str], text: str, order: str) -> None:
    said = text_of(world.send(player("England"), seats["England"], text))
    assert order in said
    world.send(player("England"), seats["England"], "CLEAR")


def test_questions_among_orders(world: World, seats: dict[str, str]) -> None:
    """A wish that is only offered holds READY back; a question that is answered does not."""
    asked = text_of(world.send(player("Italy"), seats["Italy"], "A VEN H\nplease cancel my orders\nREADY"))
    assert re.search(
        r"READY was not acted on, because this part of your mail was not: 'please cancel my orders'", asked
    )
    asked = text_of(world.send(player("Italy"), seats["Italy"], "A VEN H\nWhen is the deadline?\nREADY"))
    assert "You are READY" in asked
    assert "The deadline of S1901M is" in asked
