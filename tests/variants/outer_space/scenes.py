"""Small positions of this game, and orders given as players write them, through grammar, legality and judge."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gm.advance import advance
from gm.board import Location, Power, Province
from gm.chance import Chance
from gm.judge.outcomes import Outcome
from gm.orders import Order
from gm.parsing.lexicon import lexicon_of
from gm.parsing.orders import parse_orders
from gm.position import STANDARD_KINDS, Dislodged, Position, Unit
from gm.turn import Turn
from gm.variants import variant
from gm.variants.outer_space.state import colonies_by_empire, colonies_of
from tests.variants.lines import owners, single_orders

GAME = variant("outer-space")
CHANCE = Chance(bytes(32))
EMPIRES = {"Krell": "kre", "Morbo": "mor", "Zorg": "zor"}


def unit(text: str) -> Unit:
    """`Krell A par`; `Krell A orb` is in Krell's orbit."""
    power, kind, at = text.split()
    return Unit(Power(power), STANDARD_KINDS.unit(kind), Location(f"orb.{EMPIRES[power]}" if at == "orb" else at))


def units(text: str) -> tuple[Unit, ...]:
    """`Krell A par, F bre; Zorg 2 A orb`."""
    found = []
    for part in filter(None, text.split("; ")):
        power, _, rest = part.partition(" ")
        for number, kind, at in re.findall(r"(?:(\d) )?([AF]) ([a-z/]+)", rest):
            found += [unit(f"{power} {kind} {at}")] * int(number or 1)
    return tuple(found)


def position(
    phase: str = "S1902M",
    on_board: str = "",
    colonies: str = "",
    centers: str = "",
    *,
    dislodged: Sequence[tuple[str, str]] = (),
    contested: str = "",
    attempts: Sequence[Mapping[str, object]] = (),
) -> Position:
    """A position; `dislodged` are units with the province of the attacker (`orb` for one from orbit)."""
    extra: dict[str, object] = {
        "empires": dict(EMPIRES),
        "colonies": colonies_by_empire(owners(colonies)),
        "eliminated": [],
    }
    if attempts:
        extra["attempts"] = list(attempts)
    return Position(
        STANDARD_KINDS.phase_from_code(phase),
        units(on_board),
        owners(centers),
        tuple(Dislodged(unit(who), Province(origin), origin.startswith("orb")) for who, origin in dislodged),
        frozenset(Province(code) for code in contested.split()),
        extra,
    )


def understood(where: Position, line: str) -> tuple[Power, Order]:
    """The order of a line `Krell: A ORB-PAR`. Raises GmError."""
    board = GAME.board(where)
    spellings = tuple(sorted(GAME.language.spellings(where).items()))
    lexicon = lexicon_of(board, GAME.powers(where), GAME.language, spellings)
    ((power, written),) = parse_orders(line, lexicon, where.phase.kind)
    assert power is not None
    return power, GAME.understand(board, where, power, written, GAME.needs(board, where, power))


def orders(where: Position, lines: str) -> dict[Power, tuple[Order, ...]]:
    """The orders of lines such as `Krell: A ORB-PAR, A ORB-MUN; Zorg: A BUR H`. Raises GmError for an illegal one."""
    given: dict[Power, tuple[Order, ...]] = {}
    for line in single_orders(lines):
        power, order = understood(where, line)
        given[power] = (*given.get(power, ()), order)
    return given


def play(where: Position, lines: str) -> Turn:
    """The phase, adjudicated with these orders."""
    return advance(GAME, where, orders(where, lines), CHANCE)


def outcomes(turn: Turn, power: str) -> list[Outcome]:
    """The outcomes of a power's orders."""
    return [o for o in turn.outcomes if getattr(o.order, "unit", None) and o.order.unit.power == power]  # type: ignore[union-attr]


def same(where: Position, text: str) -> bool:
    """Whether exactly these units are on the board."""
    return sorted(map(str, where.units)) == sorted(map(str, units(text)))


def colonies(where: Position) -> dict[str, str]:
    """Each colony with its empire."""
    return {str(province): str(power) for province, power in colonies_of(where).items()}
