"""Whatever receipts, reports and maps print as an order can be sent back as it stands, in every game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from random import Random

import pytest

from gm import folder
from gm.board import FiniteBoard, Location, Power, UnitKind
from gm.chance import Chance
from gm.commands import COMMANDS
from gm.errors import GmError
from gm.orders import Build, Declaration, Move, Order, UnitName, Waive, power_of
from gm.orders.notation import code, write, write_unit
from gm.orders.possible import legal_builds
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.parsing.message import CommandLine, OrderLine, Talk, parse_message
from gm.parsing.orders import Attributed, read_orders
from gm.position import PhaseKind, Position
from gm.reports import wrap
from gm.reports.results import results
from gm.reports.standing_orders import Longhand
from gm.turn import Turn
from gm.variants import Variant, all_variants
from gm.variants.black_hole.orders import Announce, Conceal, Exempt
from gm.variants.black_hole.state import board_of, homes, is_first
from gm.variants.the_aliens.orders import Receive, Reserve
from gm.variants.the_aliens.state import TRANSMITTER
from tests.tables import table
from tests.variants import random_play
from tests.variants.among_us.test_random_play import alien_at_random, hosts_at_random
from tests.variants.quantum.test_random_play import players as planets_at_random
from tests.variants.random_play import Players, play
from tests.variants.the_aliens.test_random_play import orders_at_random as races_at_random
from tests.variants.written import WRITTEN

pytestmark = pytest.mark.long

NAMES = tuple(map(Power, ("Auerbach", "Berenike", "Octagon", "Terra", "Nova", "Sirius", "Ares")))
PHASES = 14
OFTEN = 10
"""So many orders of a kind are read in a game; more only where they name something that no order named before."""
CHANCE = Chance(bytes(32))
TEMPLATES = folder("templates") / "help"
TWICE = " (2 times)"


def hosts_and_alien(game: Variant, position: Position, dice: Random) -> dict[Power, tuple[Order, ...]]:
    del game
    alien = alien_at_random(position, dice)
    return hosts_at_random(position, dice) | ({Power("the Alien"): alien} if alien else {})


def with_declarations(game: Variant, position: Position, dice: Random) -> dict[Power, tuple[Order, ...]]:
    given = random_play.random_orders(game, position, dice)
    if is_first(position):
        for power in given:
            home = Location(dice.choice(homes(board_of(position), power)))
            given[power] += (Exempt(power, center=home), dice.choice((Announce(power), Conceal(power))))
    return given


PLAYERS: dict[str, Players] = {
    "the-aliens": races_at_random,
    "quantum-space": planets_at_random,
    "quantum-space-3001": planets_at_random,
    "among-us": hosts_and_alien,
    "black-hole": with_declarations,
}


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_printed_can_be_sent_back(name: str, seed: int) -> None:
    game = all_variants()[name]
    powers = game.seating.powers or NAMES
    dice, position = Random(seed), game.opening(powers, Chance(seed.to_bytes(32, "big")))
    given, reported = Shown(), Shown()
    for turn in play(game, powers, seed, PHASES, PLAYERS.get(name, random_play.random_orders)):
        understood = cache(partial(read, game, game.board(position), position, names(game, position)))
        for power, order in (*sent(turn), *possible(game, position, dice)):
            for text in printed(game, position, power, order) if given.new(order) else ():
                assert understood(power, text) in (order, kept(order)), (power, text)
        for power, told, meant in ordered(turn):
            for text in printed(game, position, power, told) if reported.new(told) else ():
                assert understood(power, text) in meant, (power, text)
        position = turn.after


@dataclass
class Shown:
    """What was read of the orders of a game: how many of each kind, and what they named."""

    kinds: Counter[object] = field(default_factory=Counter)
    named: set[object] = field(default_factory=set)

    def new(self, order: Order) -> bool:
        """Whether an order shows something that was not read often enough."""
        before = len(self.named)
        self.named |= {getattr(order, name, None) for name in ("unit", "to", "supported", "convoyed")}
        self.kinds[kind(order)] += 1
        return len(self.named) > before or self.kinds[kind(order)] <= OFTEN


def kept(order: Order) -> Order:
    """The same order as The Aliens have it: what is waived in Winter stays in reserve."""
    return Reserve(order.power) if isinstance(order, Waive) else order


def printed(game: Variant, position: Position, power: Power, order: Order) -> tuple[str, ...]:
    """An order as receipts, maps, interfaces and reports print it."""
    words = Longhand(game.board(position), game.adjectives, position.phase.kind)
    long = words.order(order)
    receipt, report = f"    {write(order)}          {long}", f"{power}: {long}.  (*bounce, dislodged*)"
    return write(order), write(order, code), long, long + TWICE, receipt, report, " ".join(receipt.split())


def read(
    game: Variant, board: FiniteBoard, position: Position, lexicon: Lexicon, power: Power, text: str
) -> Order | str:
    """How the server understands this line when the power sends it."""
    items = parse_message(text, lexicon, position.phase, COMMANDS.reader).items
    written = [order for item in items if isinstance(item, OrderLine) for _, order in item.orders]
    if len(items) != 1 or len(written) != 1 + text.endswith(TWICE):
        return f"not read as one order: {items}"
    try:
        need = game.all_needs(position)[power]
        understood = {game.understand(board, position, power, one, need) for one in written}
    except GmError as error:
        return str(error)
    return understood.pop() if len(understood) == 1 else f"not read as one order: {understood}"


def names(game: Variant, position: Position) -> Lexicon:
    spellings = tuple(sorted(game.language.spellings(position).items()))
    return lexicon_of(game.board(position), game.powers(position), game.language, spellings)


def sent(turn: Turn) -> Iterator[tuple[Power, Order]]:
    """The orders that players sent."""
    return ((power, order) for power, orders in turn.orders.items() for order in orders)


def ordered(turn: Turn) -> Iterator[tuple[Power, Order, list[Order]]]:
    """The orders as the report of the turn has them, and those that were sent for the same unit."""
    for outcome in turn.outcomes:
        order = outcome.order
        meant = [
            (p, o)
            for p, o in sent(turn)
            if not isinstance(o, Declaration) and not isinstance(order, Declaration) and o.unit == order.unit
        ]
        if meant:
            yield meant[0][0], order, [order, *(o for _, o in meant)]


def possible(game: Variant, position: Position, dice: Random) -> Iterator[tuple[Power, Order]]:
    """Some of all the orders that could be given: for some units one of each kind."""
    board = game.board(position)
    for power, duty in game.duties(position).items():
        for unit in dice.sample(duty.units, min(3, len(duty.units))):
            found = list(game.legal_orders(board, game.seen(game, position, power), unit, duty.need))
            dice.shuffle(found)
            yield from ((power, order) for order in {kind(order): order for order in found}.values())
        yield from ((power, order) for order in legal_builds(board, power, duty.need) if isinstance(order, Build))


def kind(order: Order) -> tuple[object, ...]:
    """What the words and signs of an order depend on, besides names."""
    helped = getattr(order, "supported", None) or getattr(order, "convoyed", None)
    to = getattr(order, "to", None)
    return type(order), to is None, "/" in str(to), helped and helped.kind


@pytest.mark.parametrize("name", WRITTEN)
def test_the_lines_of_a_report_are_the_orders_that_it_tells(name: str) -> None:
    game = all_variants()[name]
    powers = game.seating.powers or NAMES
    for turn in play(game, powers, 5, 6, PLAYERS.get(name, random_play.random_orders)):
        lexicon = names(game, turn.before)
        words = Longhand(game.board(turn.before), game.adjectives, turn.before.phase.kind)
        for told in results(game.view(game, turn.after, turn, None), turn, words):
            text = "\n".join(
                wrap(f"{told.power}: {one.order}." + (f"  (*{one.mark}*)" if one.mark else ""), 0, 8)
                for one in told.lines
            )
            items = parse_message(text, lexicon, turn.before.phase, COMMANDS.reader).items
            read = [item for item in items if not isinstance(item, Talk) or item.mentions_board]
            assert all(isinstance(item, OrderLine) for item in read), (text, items)
            orders = [order for item in items if isinstance(item, OrderLine) for _, order in item.orders]
            meant = [o.order for o in turn.outcomes if power_of(o.order) == told.power]
            assert len(orders) == len(meant), (text, orders)


@pytest.mark.parametrize("name", [name for name in WRITTEN if (TEMPLATES / name / "orders.txt").exists()])
def test_the_orders_that_help_shows_are_understood(name: str) -> None:
    game = all_variants()[name]
    position = game.opening(game.seating.powers or [*map(Power, ("Auerbach", "Berenike", "Octagon", "Krell"))], CHANCE)
    refuge = (("Refuge", Location("q31415")),) if name.startswith("quantum") else ()
    spellings = tuple(sorted(game.language.spellings(position).items()))
    lexicon = lexicon_of(game.board(position), game.powers(position), game.language, spellings, refuge)
    text = (TEMPLATES / name / "orders.txt").read_text(encoding="utf-8")
    for line in re.findall(r"^    (?=[A-Z])(.+?)(?:[ ]{2}|$)", text, re.MULTILINE):
        items = parse_message(line, lexicon, position.phase, COMMANDS.reader).items
        assert all(isinstance(item, OrderLine | CommandLine) for item in items), (line, items)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_unit_without_an_order_as_receipts_print_it_asks_for_nothing(name: str) -> None:
    game = all_variants()[name]
    position = game.opening(game.seating.powers or NAMES, CHANCE)
    lexicon = names(game, position)
    words = Longhand(game.board(position), game.adjectives, position.phase.kind)
    for power, duty in game.duties(position).items():
        for unit in duty.unordered(()):
            text = f"    {write_unit(unit)}  {words.unit(unit)}"
            (item,) = parse_message(text, lexicon, position.phase, COMMANDS.reader).items
            assert isinstance(item, Talk), (power, text)
            assert not item.mentions_board


def test_two_columns_are_one_order() -> None:
    game = all_variants()["outer-space"]
    position = game.opening(NAMES[:2], Chance(bytes(32)))
    lexicon = names(game, position)

    def orders(text: str) -> list[object]:
        items = parse_message(text, lexicon, position.phase, COMMANDS.reader).items
        assert all(isinstance(item, OrderLine) for item in items), items
        return [order for item in items if isinstance(item, OrderLine) for _, order in item.orders]

    (paris,), (munich,) = orders("A Orb-Par"), orders("A Orb-Mun")
    for gap in ("  ", " ", "\t", "            "):
        assert orders(f"A Orb-Par{gap}Army Orbit -> Paris") == [paris]
        assert orders(f"    A Orb-Par{gap}Army Orbit -> Paris\nA Orb-Mun{gap}Army Orbit -> Munich") == [paris, munich]
    assert orders("A Orb-Mun    Army Orbit -> Paris") == [munich], "the short form was changed"
    assert orders("A Orb-Par A Orb-Par") == orders("A Orb-Par, Army Orbit -> Paris") == [paris, paris]
    assert orders("A Orb-Par  A Orb-Mun") == [paris, munich]
    assert orders("A Orb  A Orb-Par") == [paris]


def test_going_by_transmitter_is_no_convoy() -> None:
    """`A Mun-Spa (by transmitter)` was read as a move by convoy."""
    game = all_variants()["the-aliens"]
    position = next(play(game, NAMES[:2], 1, 1, races_at_random)).after
    lexicon = names(game, position)
    for text in (
        "A Mun-Spa (by transmitter)",
        "A Mun goes by transmitter to Spa",
        "Army Munich -> Spain by transmitter",
    ):
        (item,) = parse_message(text, lexicon, position.phase, COMMANDS.reader).items
        assert isinstance(item, OrderLine)
        ((_, order),) = item.orders
        assert order == Move(UnitName(Location("mun"), UnitKind.ARMY), Location("spa"))
    for text in ("T Kie receives A from home", "T Kie (R) from home", "Transmitter Kiel receives an army from home"):
        (item,) = parse_message(text, lexicon, position.phase, COMMANDS.reader).items
        assert isinstance(item, OrderLine)
        ((_, order),) = item.orders
        assert order == Receive(UnitName(Location("kie"), TRANSMITTER), Location("home"))


@table("""
    name               | line                          | plain
    outer-space        | A ORB BEAMDOWN ROM            | A ORB BEAM DOWN ROM
    outer-space        | A PAR BEAMUP                  | A PAR BEAM UP
    outer-space        | A Orb beam-down to Par        | A ORB-PAR
    the-aliens         | T Boh (S) T Spa               | T Boh (S) Spa
    the-aliens         | T Boh sends to T Spa          | T Boh (S) Spa
    quantum-space-3001 | A/F BO S A/F Q5-AO; A Xyz-Abc | A/F BO S A/F Q5-AO
""")
def test_another_way_to_write_the_same(name: str, line: str, plain: str) -> None:
    game = all_variants()[name]
    position = game.opening(game.seating.powers or NAMES[:2], CHANCE)
    lexicon = names(game, position)
    one, other = (list(map(_kept, read_orders(text, lexicon, PhaseKind.MOVEMENT).orders)) for text in (line, plain))
    assert one
    assert one == other


def _kept(given: Attributed) -> Attributed:
    """A beam that is written as a move becomes one when it is understood."""
    power, order = given
    return (power, Move(order.unit, order.to)) if isinstance(order, Move) else given


def test_a_name_that_is_near_is_told_as_players_write_it() -> None:
    game = all_variants()["outer-space"]
    lexicon = names(game, game.opening(NAMES[:2], CHANCE))
    assert "." not in lexicon.nearest_place("orbi")
