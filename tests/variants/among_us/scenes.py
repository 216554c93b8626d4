"""Positions and turns of this game, written the way a person writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gm.advance import advance
from gm.board import Power, Province, standard_board
from gm.chance import Chance
from gm.errors import GmError
from gm.orders import Order
from gm.parsing.lexicon import lexicon_of
from gm.parsing.orders import parse_orders
from gm.position import Phase, PhaseKind, Position, Season, parse_unit
from gm.turn import Turn
from gm.variants.among_us import AMONG_US
from gm.variants.among_us.state import ALIEN, Layer
from gm.variants.standard import POWERS

CHANCE = Chance(b"a seed for the tests of this game")

_KINDS = {"M": PhaseKind.MOVEMENT, "R": PhaseKind.RETREAT, "A": PhaseKind.ADJUSTMENT}
_SEASONS = {"S": Season.SPRING, "F": Season.FALL, "W": Season.WINTER}


def phase(code: str) -> Phase:
    """`F1901M`"""
    return Phase(int(code[1:-1]), _SEASONS[code[0]], _KINDS[code[-1]])


def position(
    code: str,
    units: Mapping[str, str],
    centers: Mapping[str, str] | None = None,
    *,
    alien: str = "",
    alien_centers: str = "",
    hosts: Iterable[str] = (),
) -> Position:
    """Units and centres by power (`"A con, F ank"`, `"con ank"`), and the provinces of what the Alien controls."""
    owned = {Province(c): Power(p) for p, codes in (centers or {}).items() for c in codes.split()}
    layer = Layer(
        units=frozenset(map(Province, alien.split())),
        centers=frozenset(map(Province, alien_centers.split())),
        hosts=tuple(map(Power, hosts)),
    )
    every = [parse_unit(f"{power} {text}") for power, texts in units.items() for text in texts.split(", ") if text]
    return Position(phase(code), tuple(every), owned, extra=layer.extra)


def order(where: Position, power: str, text: str) -> tuple[Order, ...]:
    """Orders of one power as it writes them, separated by commas."""
    return tuple(one(where, Power(power), part) for part in text.split(", ") if part)


def one(where: Position, power: Power, text: str) -> Order:
    """The order as the power means it. Raises a GmError."""
    board = AMONG_US.board(where)
    spellings = tuple(sorted(AMONG_US.language.spellings(where).items()))
    lexicon = lexicon_of(board, AMONG_US.powers(where), AMONG_US.language, spellings)
    ((named, written),) = parse_orders(text, lexicon, where.phase.kind)
    assert named in (None, power)
    return AMONG_US.understand(board, where, power, written, AMONG_US.needs(board, where, power))


def refusal(where: Position, power: str, text: str) -> str:
    """The error message for an order that is refused; empty for one that is accepted."""
    try:
        one(where, Power(power), text)
    except GmError as error:
        return str(error)
    return ""


def play(where: Position, chance: Chance = CHANCE, **orders: str) -> Turn:
    """One phase; `alien` are the Alien's orders, and all units that are not named hold."""
    given: dict[Power, Sequence[Order]] = {}
    for power, duty in AMONG_US.duties(where).items():
        if power in POWERS and duty.units:
            given[power] = [standing for unit in duty.units for standing in AMONG_US.legal_orders(
                standard_board(), where, unit, AMONG_US.needs(standard_board(), where, power))[:1]]  # fmt: skip
    for name, text in orders.items():
        power = ALIEN if name == "alien" else Power(name.capitalize())
        given[power] = order(where, power, text)
    return advance(AMONG_US, where, given, chance)


def units(where: Position) -> set[str]:
    """All units in canonical words."""
    return set(map(str, where.units))


def aliens(where: Position) -> tuple[set[str], set[str]]:
    """The provinces of the Alien's units, and the Alien's centres."""
    layer = Layer.of(where)
    return set(layer.units), set(layer.centers)


def published(turn: Turn, seat: Power | None = None) -> set[str]:
    """Units built or removed, as in the report of a Winter."""
    view = AMONG_US.view(AMONG_US, turn.after, turn, seat)
    assert view.turn is not None
    return {f"{type(o.order).__name__} {getattr(o.order, 'unit', '')}" for o in view.turn.outcomes}
