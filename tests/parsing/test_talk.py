"""What is an order, what is a malformed order, and what is small talk, which is not acted on and causes no error
message.
"""

from __future__ import annotations

import pytest

from gm.parsing.grammar import _tried
from gm.parsing.message import Complaint, Item, OrderLine, Talk
from gm.position import PhaseKind
from tests.parsing.names import ADJUSTMENT, LEXICON, MOVEMENT, PHASES, parse_message
from tests.tables import lines


def read(line: str, phase: PhaseKind = MOVEMENT) -> tuple[Item, ...]:
    return parse_message(line, LEXICON, phase).items


TALK = [
    "Hello all,",
    "Hi Ann!",
    "Dear France,",
    "Thanks, and good luck to everybody.",
    "Best regards,",
    "Cheers",
    "Bob",
    "Bob Miller, Vienna, Austria",
    "Sent from my iPhone",
    "Paris",
    "Vienna, Austria",
    "London, Paris and Rome",
    "Paris Burgundy",
    "A Munich is a nice city",
    "Munich is a nice city.",
    "I will not attack Munich",
    "I promise: A Mun will hold.",
    "I propose A Par-Bur",
    "If you do A Par-Bur, I will support you from Marseilles.",
    "We could move Munich to Burgundy, don't you think?",
    "Munich holds the key to Burgundy",
    "A Paris holds the key to France",
    "A war to end all wars",
    "A bar in Paris",
    "A plan",
    "A thought - maybe",
    "A question for you:",
    "A few words on my orders.",
    "a support order from you would be nice",
    "Support me in Munich please",
    "Support from Munich would be nice",
    "Build trust, not walls",
    "Hold on, I have to think about it.",
    "Hold Munich",
    "Remove the doubt from your mind",
    "F is for fleet",
    "To be or not to be - that is the question",
    "France: thanks for Burgundy",
    "Germany, Munich is yours",
    "Here are my orders:",
    "Here are my orders for Spring 1901:",
    "Orders:",
    "My orders follow.",
    "----------",
    "* * *",
    "===",
    "1901",
    "...",
    "12. October",
    "> A Par-Bur",
    ">> A Par - Bur",
    "| A Par - Bur",
    "On Mon, Oct 5, Bob wrote:",
    "Well-played, north-western friend",
    "http://example.org/a-b",
    "Tel. +49 30 1234-5678",
    "C'est la vie",
    "See you in the North Sea!",
]


@pytest.mark.parametrize("line", TALK)
@pytest.mark.parametrize("phase", PHASES)
def test_talk(line: str, phase: PhaseKind) -> None:
    [item] = read(line, phase)
    assert isinstance(item, Talk), item


COMPLAINTS = lines("""
    A Pars-Bur
    A Par-Burgandi
    A Foo-Par
    Pars-Bur
    Par-Foo
    F Northh Sea-Nwy
    A Par
    A Par-B
    A Par X Bur
    A Par-Bur/Gas
    A Par-Bur or Gas
    A Mun suports A Ber
    A Mun S Berlyn
    A Par S A Mar-
    England - F Lon-Noth
    A Par/nc-Bur
    F Spa/ec-Mao
    F bla con a ank-sev
    Frnace: A Par-Bur
    France: A Pars-Bur
    Remove Par, or A Marz
    A PAR-BUR but only if Germany agrees
    A Par-Bur unless attacked
    A Par S A Mar-Bur if he moves
    OK then, A Par-Bur
    1. A Pars - Bur
    - A Pars - Bur
""")


@pytest.mark.parametrize("line", COMPLAINTS)
def test_an_order_that_went_wrong(line: str) -> None:
    [item] = read(line)
    assert isinstance(item, Complaint), item
    assert item.error.problem
    assert item.error.remedy
    assert item.error.column


@pytest.mark.parametrize("line", ["Remove A Pars", "build a pars", "Disband A", "A Par"])
def test_an_adjustment_that_went_wrong(line: str) -> None:
    [item] = read(line, ADJUSTMENT)
    assert isinstance(item, Complaint), item


@pytest.mark.parametrize("line", ["Build a wall", "Remove a stone", "Build"])
def test_out_of_its_season_a_word_is_a_word(line: str) -> None:
    [item] = read(line, MOVEMENT)
    assert isinstance(item, Talk), item


@pytest.mark.parametrize(
    "line", ["A Par-", "F STP/SC -", "BUILD", "REMOVE", "# A Par to: Bur; or A PAR DISBAND", "par-"]
)
@pytest.mark.parametrize("phase", PHASES)
def test_a_form_left_as_it_came_is_silent(line: str, phase: PhaseKind) -> None:
    [item] = read(line, phase)
    assert item == Talk(1, line, False)


ORDERS = lines("""
    A Par-Bur
    a par-bur please
    A Par-Bur (if I may)
    A Par-Bur # the plan
    A Par - Bur and A Mar H, please
    Munich to Burgundy
    Munich supports Berlin
    Paris holds
    mun - bur
""")


@pytest.mark.parametrize("line", ORDERS)
def test_orders(line: str) -> None:
    [item] = read(line)
    assert isinstance(item, OrderLine), item


def test_the_good_orders_of_a_line_count_beside_the_bad_ones() -> None:
    good, bad = read("A Par-Bur, A Marz-Spa")
    assert isinstance(good, OrderLine)
    assert len(good.orders) == 1
    assert isinstance(bad, Complaint)
    assert bad.error.column == 14


def test_an_order_among_other_words_is_not_taken() -> None:
    [item] = read("Yesterday I thought of it, A Par-Bur, or so")
    assert isinstance(item, Complaint)
    assert "among other words" in item.error.problem


@pytest.mark.parametrize(
    ("line", "mentions"),
    [
        ("I will not attack Munich", True),
        ("I promise: MUN will hold", True),
        ("I propose a par-bur", True),
        ("you could do a par s bur", True),
        ("Paris is lovely in spring.", True),
        ("Here we go again: war in the north", False),
        ("The English are coming", False),
        ("Thanks a lot", False),
        ("> A PAR-BUR", True),
    ],
)
def test_small_talk_that_names_a_place_is_marked(line: str, mentions: bool) -> None:
    [item] = read(line)
    assert isinstance(item, Talk)
    assert item.mentions_board is mentions


def test_without_a_game_everything_is_talk() -> None:
    items = parse_message("A Par-Bur\nHello", None, None).items
    assert items == (Talk(1, "A Par-Bur", False), Talk(2, "Hello", False))


def test_a_bare_list_after_build_is_builds() -> None:
    [item] = read("Build A Par, F Bre", ADJUSTMENT)
    assert isinstance(item, OrderLine)
    assert len(item.orders) == 2


TERSE = """
support A Bur by A Par; Support A Kie; supports Bur; retreat A Par; RETREAT; Retreat to Gas; retreat: Gas;
R Gas; disband; no retreat; OTB A Bur; A hold; F hold; A * H; All hold; All units hold; Everything holds;
My armies stand; all fleets stay put; No orders for A Kie; No builds; Build in Par; armies: hold;
The rest holds; Convoy A Bel; Hold Par; Attack Bur from Par; - Support A Kie
"""
PROSE_LINES = """
I hope all is well; Hold on, I will write again; See you in Spring; All the best; Support me please;
everything is fine; Thanks for holding the game; Move on!; My units are in good shape; Let us build trust;
Best, Al; I will support you in Bur; Retreat is not an option for us; Everything stands or falls with you;
No problem; No orders were harmed; All good here; Go for it; Hold your horses; The rest is silence;
Support for that is fine; My rest
"""


@pytest.mark.parametrize("phase", [PhaseKind.MOVEMENT, PhaseKind.RETREAT])
def test_a_verb_and_what_it_is_for_is_quoted_with_the_reason(phase: PhaseKind) -> None:
    for line in TERSE.replace("\n", " ").split(";"):
        (item,) = read(line.strip(), phase)
        quoted = isinstance(item, Talk) and item.mentions_board and item.reason
        assert quoted or isinstance(item, Complaint | OrderLine), line
    for line in PROSE_LINES.replace("\n", " ").split(";"):
        (item,) = read(line.strip(), phase)
        assert isinstance(item, Talk), line
        assert not item.reason, line


def test_what_is_no_order_is_searched_for_orders_once() -> None:
    """A greeting, and the name below a mail, are the same in each mail of a player."""
    _tried.cache_clear()
    for _ in range(2):
        assert isinstance(read("Dearest of gamemasters, A Player")[0], Talk)
    assert _tried.cache_info().hits >= _tried.cache_info().misses > 0
