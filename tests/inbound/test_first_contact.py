"""The first mails of somebody new: what they are told, the buttons they get, and how often."""

from __future__ import annotations

import re
from email.message import EmailMessage
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, unquote

import pytest

from tests.server.kept import kept
from tests.server.world import BASE, World, body_of, player, reply_to, text_of

GM, ANN = "gm@example.net", "ann@example.net"


@kept
def two_wait(world: World) -> None:
    """Two games that wait for players, one of them by invitation."""
    world.send(GM, BASE, "CREATE autumn")
    world.send(GM, BASE, "CREATE closed admission=invited")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A server with these games."""
    world = World(tmp_path)
    two_wait(world)
    return world


def buttons(mail: EmailMessage) -> dict[str, tuple[str, str]]:
    """The links of the HTML part by what they say: the address and the body of the mail that each opens."""
    html = mail.get_body(("html",))
    assert html is not None
    found = re.findall(r'<a href="(mailto:[^"]*)"[^>]*>([^<]*)</a>', html.get_content())
    return {unescape(words): _opened(unescape(link)) for link, words in found}


def _opened(link: str) -> tuple[str, str]:
    address, _, query = link.removeprefix("mailto:").partition("?")
    assert "+" not in query, "a plus sign is no blank in a mailto link (RFC 6068)"
    fields = parse_qs(query, strict_parsing=True)
    assert fields["subject"]
    body = fields["body"][0]
    assert "\n" not in body.replace("\r\n", "")
    return unquote(address), body.strip()


def test_the_page_offers_what_comes_next_in_text_and_html(world: World) -> None:
    page = world.send(ANN, BASE, "I would like to play Diplomacy. How does this work?")
    found = buttons(page)
    assert list(found) == ["JOIN autumn", "HELP DIPLOMACY", "RULES autumn", "PRACTICE", "LIST OPEN", "HELP COMMANDS"]
    assert all(opened == (BASE, words) for words, opened in found.items())
    text = page.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert "mailto:" not in text
    assert [line.strip() for line in text.split("\n") if line.strip() in found] == list(found)
    joined = world.send(ANN, *found["JOIN autumn"])
    assert "1 of 7 seats is taken. When the gamemaster starts the game, you get the first report" in text_of(joined)


def test_without_a_game_to_join_the_page_says_how_to_begin_one(tmp_path: Path) -> None:
    page = World(tmp_path).send(ANN, BASE, "")
    assert "Start your own: CREATE and a name for it" in text_of(page)
    assert list(buttons(page)) == ["HELP DIPLOMACY", "PRACTICE", "LIST OPEN", "HELP COMMANDS"]


def test_the_page_comes_once_a_day_to_somebody_who_asks_for_nothing(world: World) -> None:
    """A robot whose mails look like a person's, and somebody whose name is forged, are not sent a page each time."""
    said = []
    for number in range(8):
        world.arrive(ANN, BASE, f"Thank you for your message number {number}.")
        world.work()
    said = [text_of(mail) for mail in world.mailboxes[ANN]]
    assert ["How to play by mail" in text for text in said] == [True, False, False]
    assert "HELP shows what you can write" in said[1]
    assert "is not replied to again before" in said[-1]
    assert "How to play by mail" in text_of(world.send(ANN, BASE, "HELP")), "who asks is answered"


def test_help_provinces_needs_no_game(world: World) -> None:
    text = body_of(world.send(ANN, BASE, "HELP PROVINCES"))
    assert "Adr  Adriatic Sea" in text
    assert "Stp/nc, Stp/sc" in text


def test_the_first_report_has_the_names_on_the_map(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.started()
    report = world.mailboxes[player("Italy")][-1]
    assert "Names on the map" in text_of(report)
    assert "Adr  Adriatic Sea" in body_of(report)
    html = report.get_body(("html",))
    assert html is not None
    assert "<strong>Adr</strong>&nbsp;Adriatic\u00a0Sea" in html.get_content()


@pytest.mark.parametrize(
    ("who", "words"),
    [
        ("France", ["MY ORDERS", "STATUS", "HELP PROVINCES", "HELP DIPLOMACY"]),
        ("GM", ["DASHBOARD", "EXTEND 24h"]),
    ],
)
def test_help_begins_with_what_one_can_do_now(tmp_path: Path, who: str, words: list[str]) -> None:
    world = World(tmp_path)
    seats = world.started()
    sender = "master@example.org" if who == "GM" else player(who)
    answer = world.send(sender, seats[who], "HELP")
    shown = {word: opens for word, opens in buttons(answer).items() if word != "Open these lines in a new mail"}
    assert shown == {word: (seats[who], word) for word in words}
    assert body_of(answer).index("Orders are written") < body_of(answer).find("The deadline is") or who == "GM"
    assert len(body_of(answer).splitlines()) < 56
    at_our_own_address = world.send(sender, BASE, "HELP")
    assert list(buttons(at_our_own_address)) == ["WHOAMI", "LIST OPEN"]


def test_help_of_a_game_that_is_forming(world: World) -> None:
    gm = world.send(GM, BASE, "CREATE winter variant=outer-space")
    seat = reply_to(gm)
    assert list(buttons(world.send(GM, seat, "HELP"))) == ["STATUS", "HELP INVITE"]
    for name in ("Krell", "Vogon"):
        world.send(f"{name.lower()}@example.net", BASE, f"JOIN winter AS {name}")
    joined = world.last(GM)
    assert list(buttons(world.send(GM, seat, "HELP"))) == ["START"]
    assert "has begun" in text_of(world.send(GM, *buttons(joined)["START winter"]))


def test_each_address_that_is_listed_says_whose_it_is(world: World) -> None:
    created = world.send("pat@example.org", BASE, "CREATE both\nJOIN both AS France")
    with world.trusting():
        said = text_of(world.send("pat@example.org", BASE, "DRAW both"))
    assert "both (gamemaster): gm+both." in said, text_of(created)
    assert "both (player): gm+both." in said or "both (France): gm+both." in said


def test_tapping_is_a_topic_of_its_own(world: World) -> None:
    said = text_of(world.send("ann@example.org", BASE, "HELP TAP"))
    assert "Help: TAP" in said
    assert "The page sends nothing" in said
    assert "HELP TAP" in text_of(world.send("ann@example.org", BASE, "HELP ORDERS"))
    listed = text_of(world.send("ann@example.org", BASE, "HELP COMMANDS"))
    assert "TAP how orders are tapped on a page" in " ".join(listed.split())


@pytest.mark.parametrize(
    ("asked", "heading", "said"),
    [
        ("What is a supply centre?", "SUPPLY CENTRE", "a province that feeds one unit"),
        ("whats a stand-off?", "STAND-OFF", "moves of equal strength"),
        ("What does 'dislodged' mean?", "DISLODGED", "forced out by a stronger attack"),
        ("HELP NMR", "NMR", "no moves received"),
        ("HELP SUPPLY CENTERS", "SUPPLY CENTERS", "a province that feeds one unit"),
        ("HELP CIVIL DISORDER", "CIVIL DISORDER", "a power that has lost its player"),
        ("What is Diplomacy?", "DIPLOMACY", "a board game for seven"),
        ("How do I play?", "DIPLOMACY", "a board game for seven"),
    ],
)
def test_what_a_word_means_is_said_to_anybody(world: World, asked: str, heading: str, said: str) -> None:
    """To who plays in no game, and at a seat; the words are those of HELP TERMS."""
    seat = world.started()["France"]
    told = [world.send(ANN, BASE, asked), world.send(player("France"), seat, asked)]
    assert all(f"Help: {heading}" in body_of(one) and said in " ".join(body_of(one).split()) for one in told)


def test_what_diplomacy_is_stands_beside_the_answer_to_another_question(world: World) -> None:
    told = body_of(world.send(ANN, BASE, "What is Diplomacy and how long does a game take?"))
    assert "a board game for seven" in told
    assert "some months" in told


def test_an_invitation_says_what_it_is_about_and_what_can_be_asked_first(world: World) -> None:
    chair = reply_to(world.send(GM, BASE, "CREATE harbour"))
    world.send(GM, chair, "INVITE kim@example.com")
    asked = world.last("kim@example.com")
    assert asked["Subject"] == "[harbour] The gamemaster invites you to a game of Diplomacy by mail"
    assert "Diplomacy is a board game without dice" in text_of(asked)
    assert list(buttons(asked)) == ["YES", "NO", "HELP DIPLOMACY", "HELP", "RULES harbour"]
    assert "a board game for seven" in text_of(world.send("kim@example.com", reply_to(asked), "HELP DIPLOMACY"))
    assert "You have a seat in harbour" in text_of(world.send("kim@example.com", reply_to(asked), "YES"))
