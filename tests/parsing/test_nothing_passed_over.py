"""A line that begins like an order is understood or quoted with the reason; small talk causes no error message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import cycle
from random import Random

import pytest

from gm.board import Location, Power, Province, UnitKind
from gm.chance import Chance
from gm.orders.notation import short
from gm.parsing import message
from gm.parsing.lexicon import lexicon_of
from gm.parsing.message import CommandLine, Complaint, Talk
from gm.position import Phase, PhaseKind, Season, Unit
from gm.variants import all_variants
from tests.parsing.names import LEXICON, PHASES, READER, in_1901
from tests.tables import rows
from tests.variants.written import WRITTEN

OWN = frozenset(map(Province, ("par", "mar", "bre", "bur", "war", "por", "nth", "con")))

ODD = """
A Marsella a Piamonte
also F Bre-Mao
also: F Bre goes to Mao
Please hold A Mar
please move A Mar somewhere
// F Bre-Mao
% F Bre-Mao
//A Mar-Pie
A MAR beam up
A Mar beam up
A Mar beams up to the ship
A Bur goes by transmitter to Kie
A Andr. 3 - Andr. 2
F Nort Sea - Holand
A PRA-BRU
a pra - bru
F North Sae-Nwy
F Nth ~ Nwy
F Nth : Nwy
F Nth, Nwy
F Nth...Nwy
A Par / Bur
A Par + Bur
A PAR BUR MUN
A Par will attack Bur
A PAR will attack Bur
A Par, if possible, to Bur
A Par to Bur if you can
A Par to Bur, if that's allowed
A(Par) up the hill
A(Paris) goes home
A (Par) up the hill
A (Pars)-Bur
A(Nowhere)Std.
F(Brest)?
Army Paris beam up
army par beam up
Fleet Brest sails on
F Bre sails to Mao at dawn
F Bre is to go to Mao
F BRE, I think, should move
F Brets - Mao
F Brst-Mao
f bre mao eng
par beams up
Paris beams up
par: bur
par ~ bur
mar up
war beams away
Por stays put, I guess
PAR up
PAR, BUR, MAR
A Mar s A
A Mar S the army in Par
A Mar supports whoever goes to Bur
A Par convoys itself
A Par - where?
A Par-??
A Par -> the north
F Nth C an army to Nwy
England: A MAR beam up
France: A Mar beam up
FRANCE A(Mar) beam up
1. A MAR beam up
- A MAR beam up
* A Mar beam up
Spring 1901: A MAR beam up
S1901M A Mar beam up
""".strip().split("\n")


@pytest.mark.parametrize("line", ODD)
@pytest.mark.parametrize("phase", PHASES)
def test_a_line_that_begins_like_an_order_is_understood_or_quoted(line: str, phase: PhaseKind) -> None:
    assert not silent(line, phase)


def silent(line: str, phase: PhaseKind) -> bool:
    """Whether the receipt does not mention the line."""
    items = message.parse_message(line, LEXICON, in_1901(phase), READER, OWN).items
    return all(isinstance(item, Talk) and not item.mentions_board for item in items)


COMPLAINED = """
A MAR beam up
A Mar beam up
F Nort Sea - Holand
F Brets - Mao
F Bre is to go to Mao
A(Par) up the hill
A(Nowhere)Std.
A Pars - Burgandi
Fleet BRE sails on
""".strip().split("\n")


@pytest.mark.parametrize("line", COMPLAINED)
def test_what_can_be_nothing_else_is_complained_of(line: str) -> None:
    (item,) = message.parse_message(line, LEXICON, in_1901(PhaseKind.MOVEMENT), READER, OWN).items
    assert isinstance(item, Complaint)
    assert line.strip("0123456789.-* ")[:8] in item.error.problem + item.text
    assert item.error.remedy


WORDS = (
    "beam",
    "up",
    "at once",
    "please do",
    "towards",
    "quickly",
    "if you can",
    "(maybe)",
    "X",
    "??",
    "~",
    "=>",
    "...",
)
VERBS = ("-", " - ", " to ", " S A ", " supports F ", " C A ", " H", " holds", " R ", " via ", " attacks ", " ", "-")


def odd(dice: Random) -> str:
    """A line that begins with a unit, or a place where the writer has one, and continues at random."""
    places = ["Par", "PAR", "Bur", "Spa/nc", "Mar", "Nth", "North Sea", "Paris", "St Petersburg", "Edi", "BUR"]
    wrong = ["Pras", "Burgandi", "Noth Sea", "Qqq", "Holand", "Xyz"]
    unit = dice.choice(["A {}", "F {}", "A({})", "F({})", "Army {}", "Fleet {}", "A. {}"]).format(dice.choice(places))
    begin = unit if dice.random() < 0.8 else dice.choice(["PAR", "Paris", "Mar", "MAR", "Con", "Nth"])
    parts = [begin]
    for _ in range(dice.randrange(4)):
        parts.append(dice.choice([dice.choice(VERBS), f" {dice.choice(WORDS)} "]))
        parts.append(dice.choice([*places, *wrong, *WORDS]))
    return "".join(parts)


def test_thousands_of_odd_lines() -> None:
    dice = Random(13)
    lines = {odd(dice) for _ in range(3000)}
    assert len(lines) > 2000
    assert not [line for line in sorted(lines) if silent(line, dice.choice(PHASES)) and not _is_form(line)]


def _is_form(line: str) -> bool:
    """A line of the form that was not filled in, `A Par-`, or with dots where something is missing."""
    return re.fullmatch(r"(?:(?:A|F|Army|Fleet)[ .(]*)?[A-Za-z/ ]+\)?[ ]*[-=>][-=>. ]*", line) is not None


TALK = """
A good idea, I think
A small favour: could you let me have it?
A thought - maybe
A question - anyone there?
A toast - to us!
A plan
F.
For what it's worth, I agree
Fine - see you
Fleets are nice
Armies win wars
Armistice?
A lot of people would say so.
A friend in need - a friend indeed
Ah - I see
All the best
An idea
And so on
As you like
A. Miller
A. B. Clark - London office
F. Scott
F. Scott Fitzgerald
Re: orders
Fwd: your mail
From: me
To: you
Have a nice day
I'm away until Monday
Let us talk - soon
Thanks - I owe you one
P.S. call me
PS: no hard feelings
Yours, Ann
-- Ann
Ann Smith, Director - Sales
Sent from my phone
Get Outlook for Android
Could you extend the deadline?
Will you support me?
No.
Yes - gladly
OK
Spring is here
Winter is coming
The fall of the house of Usher
What about the east - or the west?
Support is welcome
Move on, nothing to see
Hold the line!
Retreat, hell!
Disbanding would be silly
Waiving is for cowards
Build on that
1) first
2) second
a) first of all
f) sixth
10:30 - 11:00 meeting
15 - 17 May
http://a-b.example/f-g
ann@players.example
Tel: +44 20 7946 0000
"A la carte - s'il vous plait"
A bientot - Anne
A+ - great job
Bonjour a tous
Viele Gruesse
Mit freundlichen Gruessen
""".strip().split("\n")


@pytest.mark.parametrize("line", TALK)
@pytest.mark.parametrize("phase", PHASES)
def test_small_talk_is_neither_reported_nor_quoted(line: str, phase: PhaseKind) -> None:
    for item in message.parse_message(line, LEXICON, in_1901(phase), READER, OWN).items:
        assert isinstance(item, Talk), item
        if not any(word in line for word in ("London", "the line")):
            assert not item.mentions_board, line


PEOPLE = (
    "I",
    "we",
    "Austria",
    "the English",
    "nobody",
    "your friend in Paris",
    "my army in Munich",
    "he who has Vienna",
)
DOES = (
    "will not attack",
    "should think about",
    "like",
    "could move to",
    "must leave",
    "never saw",
    "would love to hold",
)
WHAT = (
    "Burgundy",
    "the North Sea",
    "it",
    "you",
    "Spain this year",
    "a fleet in Brest",
    "an army there",
    "London, I hope",
)
OPENERS = ("", "Well, ", "I believe that ", "If you agree, ", "As I said: ", "- ", "Sorry, but ")


def test_sentences_by_the_hundred_are_not_complained_of() -> None:
    openers = cycle(OPENERS[1:] + OPENERS)
    lines = [f"{next(openers)}{b} {c} {d}." for b in PEOPLE for c in DOES for d in WHAT]
    for phase in PHASES:
        items = message.parse_message("\n".join(lines), LEXICON, in_1901(phase), READER, OWN).items
        assert not [item.text for item in items if not isinstance(item, Talk)]


UNITS = (
    "{kind} {own}",
    "{kind}({own})",
    "{kind}. {own}",
    "{word} {own}",
    "{word} in {own}",
    "The {word} of {own}",
    "{own}",
)
TAILS = (
    "takes {to}", "receives from home", "sails", "hops over to {to}", "goes on to {to}, please", "~ {to}", "marches",
    "will {verb} {to}", "{verb} quickly", "up the hill to {to}", "-> ??", "- nowhere", "to the north of {to}",
)  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_lines_like_orders_of_every_game_are_understood_or_quoted_with_the_reason(name: str) -> None:
    game, dice = all_variants()[name], Random(name)
    powers = game.seating.powers or [*map(Power, ("Auerbach", "Berenike", "Alpha Centauri"))]
    position = game.opening(powers, Chance(bytes(32)))
    board = game.board(position)
    units = position.units_of(powers[0]) or tuple(unit for unit in position.units if unit.power == powers[0])
    units = units or (Unit(powers[0], UnitKind.ARMY, Location("bur")),)
    own = {board.province(unit.at) for unit in units}
    spellings = tuple(sorted(game.language.spellings(position).items()))
    lexicon = lexicon_of(board, game.powers(position), game.language, spellings)
    phase = Phase(position.phase.year + 1, Season.SPRING, PhaseKind.MOVEMENT)
    for unit in units:
        to = dice.choice([*board.centers][:40])
        said = {
            "kind": unit.kind,
            "word": unit.kind.word.capitalize(),
            "own": short(unit.at),
            "to": short(Location(to)),
        }
        for begin in UNITS:
            for tail in TAILS:
                line = f"{begin} {tail}".format(
                    **said, verb=dice.choice(("attack", "board", "land on", "send", "beam"))
                )
                items = message.parse_message(line, lexicon, phase, READER, own).items
                assert not [i for i in items if isinstance(i, Talk) and not (i.mentions_board and i.reason)], line


def read_at_the_opening(name: str, line: str) -> Sequence[message.Item]:
    """What a line is when the game begins."""
    game = all_variants()[name]
    position = game.opening(game.seating.powers or [Power("Auerbach"), Power("Berenike")], Chance(bytes(32)))
    spellings = tuple(sorted(game.language.spellings(position).items()))
    lexicon = lexicon_of(game.board(position), game.powers(position), game.language, spellings)
    return message.parse_message(line, lexicon, position.phase, READER).items


WITHOUT_PLACE = rows("""
    quantum-space      | A A-5 - A-1
    quantum-space-3001 | A Alpha Cent. 1 - Alpha Cent. 2
    quantum-space-3001 | A Foo 1 to Foo 2
    quantum-space-3001 | Army aboard lands Al1
    the-aliens         | Transmitter of mine receives from home
    the-aliens         | T-Spa-Mar
    outer-space        | COL PAR
    outer-space        | Army in orbit holds
    outer-space        | Brainwash the people of Par
""")


@pytest.mark.parametrize(("name", "line"), WITHOUT_PLACE)
def test_so_are_lines_that_name_no_place_of_the_writer(name: str, line: str) -> None:
    for item in read_at_the_opening(name, line):
        assert not isinstance(item, Talk) or (item.mentions_board and item.reason), line


OF_GAMES = rows("""
    outer-space        | A PAR COLL BUR
    outer-space        | COLONIZE Pariss
    outer-space        | A PAR brainwash the natives
    black-hole         | EXEMPT Pariss
    black-hole         | ANNOUNCE EXEMPTION, Germany only
    among-us           | ADOPT A Smyrrna
    among-us           | ADOPT Smyrrna
    quantum-space      | A Andr. 3 - Andr. 2
    quantum-space      | A Auer 1 to 2
    quantum-space      | A A1 goes ashore
    quantum-space-3001 | A A1 bords F AO
    quantum-space-3001 | A/F AO lands A22
    the-aliens         | T Kie transmutes A to Gre
    the-aliens         | T Kie beams
    the-aliens         | SHIP 1: Pariss
    the-aliens         | Ship 1 lands anywhere
""")


@pytest.mark.parametrize(("name", "line"), OF_GAMES)
def test_so_are_the_orders_of_each_game(name: str, line: str) -> None:
    items = read_at_the_opening(name, line)
    assert not all(isinstance(item, Talk) and not item.mentions_board for item in items)


@pytest.mark.parametrize("line", ["DUMMY THE ALIEN", "EJECT THE ALIEN", "dummy the Alien", "Dummy Alien"])
def test_a_power_is_named_with_its_article(line: str) -> None:
    game = all_variants()["among-us"]
    position = game.opening(game.seating.powers, Chance(bytes(32)))
    spellings = tuple(sorted(game.language.spellings(position).items()))
    lexicon = lexicon_of(game.board(position), game.powers(position), game.language, spellings)
    (item,) = message.parse_message(line, lexicon, position.phase, READER).items
    assert isinstance(item, CommandLine)
    assert item.args == {"power": "the Alien"}
