"""Small positions of these games, and orders given as players write them, through grammar, legality and judge."""

from __future__ import annotations

from collections.abc import Sequence

from gm.advance import advance
from gm.board import Location, Power, Province
from gm.chance import Chance
from gm.judge.outcomes import Outcome
from gm.orders import Declaration, Order
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.parsing.orders import parse_orders
from gm.position import Dislodged, Position, Unit
from gm.turn import Turn
from gm.variants import Variant, variant
from tests.variants.lines import owners, pieces, single_orders

OLD, NEW = variant("quantum-space"), variant("quantum-space-3001")
KINDS = NEW.language.kinds
CHANCE = Chance(bytes(32))
PLANETS = {"Auerbach": "a", "Berenike": "b", "Octagon": "o"}


def unit(text: str) -> Unit:
    """`Auerbach A a1`, `Octagon A/F q5`."""
    power, kind, at = text.split()
    return Unit(Power(power), KINDS.unit(kind), Location(at))


def units(text: str) -> tuple[Unit, ...]:
    """`Auerbach A a1, F ao; Octagon A/F q5`."""
    return tuple(map(unit, pieces(text)))


def position(
    on_board: str = "",
    phase: str = "S3002M",
    centers: str = "",
    *,
    dislodged: Sequence[tuple[str, str]] = (),
    contested: str = "",
    digits: int = 10,
) -> Position:
    """A position; `dislodged` are units with the province of the attacker."""
    return Position(
        KINDS.phase_from_code(phase),
        units(on_board),
        owners(centers),
        tuple(Dislodged(unit(who), Province(origin)) for who, origin in dislodged),
        frozenset(map(Province, contested.split())),
        {"planets": dict(PLANETS), "digits": digits},
    )


def lexicon(game: Variant, where: Position) -> Lexicon:
    """The names that can be written."""
    spellings = tuple(sorted(game.language.spellings(where).items()))
    return lexicon_of(game.board(where), game.powers(where), game.language, spellings)


def understood(where: Position, line: str, game: Variant = NEW) -> tuple[Power, Order]:
    """The order of a line `Auerbach: F AO-Q5`. Raises GmError."""
    board = game.board(where)
    ((power, written),) = parse_orders(line, lexicon(game, where), where.phase.kind)
    assert power is not None
    return power, game.understand(board, where, power, written, game.needs(board, where, power))


def orders(where: Position, lines: str, game: Variant = NEW) -> dict[Power, tuple[Order, ...]]:
    """The orders of `Auerbach: F AO-Q5, A A1 H; Octagon: F OO-Q5`. Raises GmError for one that is refused."""
    given: dict[Power, tuple[Order, ...]] = {}
    for line in single_orders(lines):
        power, order = understood(where, line, game)
        given[power] = (*given.get(power, ()), order)
    return given


def play(where: Position, lines: str, game: Variant = NEW) -> Turn:
    """The phase, adjudicated with these orders."""
    return advance(game, where, orders(where, lines, game), CHANCE)


def outcome(turn: Turn, text: str) -> Outcome:
    """The outcome of the order of a unit, `Auerbach F ao`."""
    found = [o for o in turn.outcomes if not isinstance(o.order, Declaration) and o.order.unit == unit(text)]
    assert len(found) == 1, [str(o.order) for o in turn.outcomes]
    return found[0]


def same(where: Position, text: str) -> bool:
    """Whether exactly these units are on the board."""
    return sorted(map(str, where.units)) == sorted(map(str, units(text)))
