"""A case judged by the standard game, as its file describes it: orders are understood or refused, then adjudicated,
then retreats ordered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.board import Location, Power, Province
from gm.chance import Chance
from gm.errors import GmError
from gm.judge import Rulebook
from gm.judge.outcomes import Outcome, Resolution, Result
from gm.orders import Declaration, Move, Order
from gm.orders.notation import code, write
from gm.orders.possible import retreat_options
from gm.position import Phase, PhaseKind, Position, Season, Unit
from gm.variants import variant
from tests.judge.datc.cases import Case, Row
from tests.judge.reader import unit_of, written

GAME, CHANCE = variant("standard"), Chance(bytes(32))
BOARD = GAME.board(GAME.opening(GAME.seating.powers, CHANCE))


def differences(case: Case, rulebook: Rulebook) -> list[str]:
    """How the judge's result for the case differs from the table; empty if it does not."""
    kind = PhaseKind.ADJUSTMENT if case.section in ("6.I", "6.J") or case.owners else PhaseKind.MOVEMENT
    season = Season.WINTER if kind is PhaseKind.ADJUSTMENT else Season.SPRING
    centers = {Province(center): Power(power) for center, power in case.owners.items()}
    before = Position(Phase(1901, season, kind), _units(case, kind), centers)
    rows = [row for row in case.rows if row.order]
    resolution, orders = _resolve(rulebook, before, rows)
    after = Position(before.phase, resolution.units, centers, resolution.dislodged, resolution.contested)
    found = _differing(rulebook, rows, orders, resolution, after)
    if kind is PhaseKind.ADJUSTMENT:
        removed = [_text(outcome.order) for outcome in resolution.outcomes if outcome.result is Result.DISBANDED]
        return found + _unlike("without orders", case.defaults, removed)
    found += _differing_idle(rulebook, case.rows, after)
    found += _unlike("units", _expected_units(rulebook, case.rows, before, orders), sorted(map(str, after.units)))
    return found if case.retreats is None else found + _retreat_differences(case, rulebook, after)


def _retreat_differences(case: Case, rulebook: Rulebook, after: Position) -> list[str]:
    assert case.retreats is not None
    before = replace(after, phase=Phase(1901, Season.SPRING, PhaseKind.RETREAT))
    options = {str(d.unit): list(retreat_options(BOARD, before, d)) for d in before.dislodged}
    resolution, orders = _resolve(rulebook, before, case.retreats)
    return _unlike("retreats open", case.options, options) + _differing(
        rulebook, case.retreats, orders, resolution, replace(before, dislodged=())
    )


def _units(case: Case, kind: PhaseKind) -> tuple[Unit, ...]:
    """The units of the rows: those without an order, and in a movement phase one for each unit ordered."""
    units = {BOARD.province(row.unit.at): row.unit for row in case.rows if row.unit is not None}
    for row in case.rows if kind is PhaseKind.MOVEMENT else ():
        unit = unit_of(f"{row.power} {row.order}") if row.order else None
        if unit is not None:
            units.setdefault(BOARD.province(unit.at), unit)
    return tuple(units.values())


def _resolve(rulebook: Rulebook, before: Position, rows: Sequence[Row]) -> tuple[Resolution, list[Order | None]]:
    """The phase resolved, and for each row the order as understood, None if it was refused."""
    game = GAME.with_rulebook(rulebook)
    orders: list[Order | None] = []
    for row in rows:
        power, order = written(f"{row.power} {row.order}")
        try:
            orders.append(game.order_of(before, power, None, order))
        except GmError:
            orders.append(None)
    given = [order for order in orders if order is not None]
    return game.resolve(game, before, given, CHANCE), orders


def _differing(
    rulebook: Rulebook, rows: Sequence[Row], orders: Sequence[Order | None], resolution: Resolution, after: Position
) -> list[str]:
    outcomes = iter(resolution.outcomes)
    found = []
    for row, order in zip(rows, orders, strict=True):
        refused = ["illegal", *_fate(after, _named(row, after))]
        words = refused if order is None else _words(next(outcomes), after)
        found += _unlike(f"{row.power} {row.order}", row.expected(rulebook.name), ", ".join(words))
    return found


def _words(outcome: Outcome, after: Position) -> list[str]:
    unit = None if isinstance(outcome.order, Declaration) else outcome.order.unit
    result = [] if outcome.result is Result.DISLODGED else [outcome.result.value]
    return result + _fate(after, unit)


def _named(row: Row, after: Position) -> Unit | None:
    """Which dislodged unit a refused order was for."""
    unit = unit_of(f"{row.power} {row.order}")
    dislodged = (d.unit for d in after.dislodged)
    return next((d for d in dislodged if unit and d.power == unit.power and _together(d.at, unit.at)), None)


def _together(one: Location, other: Location) -> bool:
    return BOARD.province(one) == BOARD.province(other)


def _fate(after: Position, unit: Unit | None) -> list[str]:
    for d in after.dislodged:
        if d.unit == unit:
            return ["dislodged" if retreat_options(BOARD, after, d) else "destroyed"]
    return []


def _differing_idle(rulebook: Rulebook, rows: Sequence[Row], after: Position) -> list[str]:
    idle = [row for row in rows if row.unit is not None]
    return [
        line
        for row in idle
        for line in _unlike(str(row.unit), row.expected(rulebook.name), (_fate(after, row.unit) or ["succeeds"])[0])
    ]


def _expected_units(
    rulebook: Rulebook, rows: Sequence[Row], before: Position, orders: Sequence[Order | None]
) -> list[str]:
    """Where the units are if the rows are right: moved where they succeed, gone where they are dislodged."""
    stay = {BOARD.province(unit.at): unit for unit in before.units}
    moved = []
    understood = iter(orders)
    for row in rows:
        order = next(understood) if row.order else None
        words = row.expected(rulebook.name).split(", ")
        unit = row.unit or (unit_of(f"{row.power} {row.order}") if row.order else None)
        assert unit is not None
        if "succeeds" in words and isinstance(order, Move):
            moved.append(f"{unit.power} {unit.kind} {order.to}")
            stay.pop(BOARD.province(unit.at))
        elif {"dislodged", "destroyed"} & set(words):
            stay.pop(BOARD.province(unit.at), None)
    return sorted([*moved, *map(str, stay.values())])


def _text(order: Order) -> str:
    power = order.power if isinstance(order, Declaration) else order.unit.power
    return f"{power} {write(order, code)}"


def _unlike(what: str, expected: object, found: object) -> list[str]:
    return [] if expected == found else [f"{what}: expected {expected}, found {found}"]
