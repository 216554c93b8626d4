"""Small positions of this game, and orders given as players write them, through grammar, legality and judge."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from gm.advance import advance
from gm.board import Power, Province
from gm.chance import Chance
from gm.errors import IllegalOrder
from gm.orders import Order
from gm.parsing.lexicon import lexicon_of
from gm.parsing.orders import parse_orders
from gm.position import STANDARD_KINDS, Dislodged, Position, Unit, parse_unit
from gm.turn import Turn
from gm.variants import variant
from gm.variants.standard import POWERS
from tests.variants.lines import owners, pieces, single_orders

GAME = variant("black-hole")


class Fixed(Chance):
    """Chance with predetermined draws: the hole of each season, and the exempt centres that are drawn."""

    def __init__(self, *wanted: str) -> None:
        super().__init__(bytes(32))
        self.wanted = set(wanted)
        self.offered: dict[str, list[Any]] = {}

    def choose(self, candidates: Sequence[Any], *purpose: object) -> Any:
        self.offered["/".join(map(str, purpose))] = list(candidates)
        return next((one for one in candidates if one in self.wanted), candidates[0])

    def choose_but(self, candidates: Sequence[Any], left_out: Collection[Any], *purpose: object) -> Any:
        return self.choose([one for one in candidates if one not in left_out], *purpose)


def units(text: str) -> tuple[Unit, ...]:
    """`France A par, F bre; Germany A mun`."""
    return tuple(map(parse_unit, pieces(text)))


def position(
    phase: str,
    on_board: str = "",
    centers: str = "",
    *,
    holes: str = "",
    exempt: Mapping[str, str] | None = None,
    dislodged: Sequence[tuple[str, str]] = (),
    contested: str = "",
    **state: object,
) -> Position:
    """A position; `dislodged` are units with the province of their attacker. Without `exempt` nothing is exempt."""
    extra: dict[str, Any] = {"holes": dict.fromkeys(holes.split(), "S1901"), "exempt": dict(exempt or {}), **state}
    return Position(
        STANDARD_KINDS.phase_from_code(phase),
        units(on_board),
        owners(centers),
        tuple(Dislodged(parse_unit(who), Province(origin)) for who, origin in dislodged),
        frozenset(Province(code) for code in contested.split()),
        extra,
    )


def first() -> Position:
    """Spring 1901."""
    return GAME.opening(POWERS, Chance(bytes(32)))


def understood(where: Position, line: str) -> tuple[Power, Order]:
    """The order of a line `France: EXEMPT PAR`. Raises GmError."""
    board = GAME.board(where)
    lexicon = lexicon_of(board, GAME.powers(where), GAME.language)
    ((power, written),) = parse_orders(line, lexicon, where.phase.kind)
    assert power is not None
    return power, GAME.understand(board, where, power, written, GAME.needs(board, where, power))


def refusal(where: Position, line: str) -> str:
    """Why an order is refused; "" for one that is accepted."""
    try:
        understood(where, line)
    except IllegalOrder as error:
        return str(error)
    return ""


def orders(where: Position, lines: str) -> dict[Power, tuple[Order, ...]]:
    """The orders of lines such as `France: A PAR-BUR, EXEMPT PAR; Germany: A MUN H`. Raises GmError."""
    given: dict[Power, tuple[Order, ...]] = {}
    for line in single_orders(lines):
        power, order = understood(where, line)
        given[power] = GAME.merge(where, given.get(power, ()), [order])
    return given


def play(where: Position, lines: str = "", chance: Chance | None = None) -> Turn:
    """The phase, adjudicated with these orders; the hole is the Barents Sea, unless stated otherwise."""
    return advance(GAME, where, orders(where, lines), chance or Fixed("bar"))


def same(where: Position, text: str) -> bool:
    """Whether exactly these units are on the board."""
    return sorted(map(str, where.units)) == sorted(map(str, units(text)))
