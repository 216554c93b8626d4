"""What is true of every adjudication, whatever is ordered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gm.board import Location, Power, UnitKind, standard_board
from gm.judge import Rulebook
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Resolution, Result
from gm.judge.retreats_and_adjustments import resolve_retreats
from gm.orders import Declaration, Move, Order, Retreat, Support
from gm.orders.notation import code, write
from gm.orders.possible import legal_orders
from gm.position import STANDARD_KINDS, Phase, PhaseKind, Position, Season, Unit
from tests.judge.fuzz import RULEBOOKS
from tests.judge.positions import POWERS, THEATRES

BOARD = standard_board()
MOVEMENT = Phase(1901, Season.SPRING, PhaseKind.MOVEMENT)
RETREAT = Phase(1901, Season.SPRING, PhaseKind.RETREAT)
RENAMED = dict(zip(POWERS, map(Power, ("Zembla", "Atlantis", "Utopia")), strict=True))

FAR_INLAND = Location("boh")
"""No province of the theatres borders it."""

rulebooks = st.sampled_from(RULEBOOKS)


@st.composite
def situations(draw: st.DrawFn) -> tuple[tuple[Unit, ...], tuple[Order, ...]]:
    """Units close together, and a legal order for most of them."""
    provinces = draw(st.lists(st.sampled_from(draw(st.sampled_from(THEATRES))), min_size=2, max_size=10, unique=True))
    stands = [[(kind, at) for kind in STANDARD_KINDS.units for at in _places(kind, province)] for province in provinces]
    units = tuple(Unit(draw(st.sampled_from(POWERS)), *draw(st.sampled_from(choices))) for choices in stands)
    position = Position(MOVEMENT, units, {})
    given_orders = [draw(st.sampled_from((None, *legal_orders(BOARD, position, unit)))) for unit in units]
    return units, tuple(order for order in given_orders if order is not None)


def _places(kind: UnitKind, province: str) -> list[Location]:
    every = (Location(province), *BOARD.coasts(BOARD.province(Location(province))))
    return [at for at in dict.fromkeys(every) if BOARD.may_stand(kind, at)]


def _fates(resolution: Resolution) -> Counter[tuple[str, str, str]]:
    """The outcome of each order, independent of their sequence."""
    return Counter(
        (_line(outcome.order), outcome.result.value, str(outcome.dislodged_by)) for outcome in resolution.outcomes
    )


def _line(order: Order) -> str:
    return write(order, code) if isinstance(order, Declaration) else f"{order.unit.power} {write(order, code)}"


@given(situations(), rulebooks)
def test_no_unit_appears_or_vanishes(situation: tuple[Sequence[Unit], Sequence[Order]], rulebook: Rulebook) -> None:
    units, orders = situation
    resolution = resolve_movement(BOARD, rulebook, units, orders)
    moved = {o.order.unit: o.order.to for o in resolution.outcomes if isinstance(o.order, Move) and o.succeeded}
    driven_out = {d.unit for d in resolution.dislodged}
    expected = Counter(replace(unit, at=moved.get(unit, unit.at)) for unit in units if unit not in driven_out)
    assert Counter(resolution.units) == expected
    assert not driven_out & moved.keys()
    assert len({BOARD.province(unit.at) for unit in resolution.units}) == len(resolution.units)


@given(situations(), rulebooks)
def test_every_order_and_every_unit_without_one_is_answered_in_order(
    situation: tuple[Sequence[Unit], Sequence[Order]], rulebook: Rulebook
) -> None:
    units, orders = situation
    outcomes = resolve_movement(BOARD, rulebook, units, orders).outcomes
    assert [outcome.order for outcome in outcomes[: len(orders)]] == list(orders)
    ordered = {order.unit for order in orders if not isinstance(order, Declaration)}
    rest = [outcome.order for outcome in outcomes[len(orders) :]]
    assert [order.unit for order in rest if not isinstance(order, Declaration)] == [
        u for u in units if u not in ordered
    ]


@given(situations(), rulebooks, st.randoms(use_true_random=False))
def test_the_order_of_orders_and_units_does_not_matter(
    situation: tuple[Sequence[Unit], Sequence[Order]], rulebook: Rulebook, chance: Any
) -> None:
    units, orders = list(situation[0]), list(situation[1])
    before = resolve_movement(BOARD, rulebook, units, orders)
    chance.shuffle(units)
    chance.shuffle(orders)
    after = resolve_movement(BOARD, rulebook, units, orders)
    assert _fates(before) == _fates(after)
    assert before.contested == after.contested
    assert set(before.dislodged) == set(after.dislodged)


@given(situations(), rulebooks)
def test_the_naming_of_powers_does_not_matter(
    situation: tuple[Sequence[Unit], Sequence[Order]], rulebook: Rulebook
) -> None:
    units, orders = situation
    plain = resolve_movement(BOARD, rulebook, units, orders)
    renamed = resolve_movement(BOARD, rulebook, [_renamed(u) for u in units], [_renamed_order(o) for o in orders])
    assert [outcome.result for outcome in plain.outcomes] == [outcome.result for outcome in renamed.outcomes]
    assert [_renamed(unit) for unit in plain.units] == list(renamed.units)


def _renamed(unit: Unit) -> Unit:
    return replace(unit, power=RENAMED[unit.power])


def _renamed_order(order: Order) -> Order:
    changes: Mapping[str, Any] = {
        name: _renamed(value) for name, value in vars(order).items() if isinstance(value, Unit)
    }
    return replace(order, **changes)


@given(situations(), rulebooks, st.data())
def test_an_impossible_order_is_as_good_as_none(
    situation: tuple[Sequence[Unit], Sequence[Order]], rulebook: Rulebook, data: st.DataObject
) -> None:
    units, orders = situation
    unit = data.draw(st.sampled_from(units))
    choices: list[Order] = [
        Move(unit, unit.at),
        Move(unit, FAR_INLAND),
        Move(replace(unit, power=Power("Nobody")), FAR_INLAND),
        Support(unit, unit),
        Support(unit, units[0], FAR_INLAND),
        Retreat(unit, FAR_INLAND),
    ]
    impossible = data.draw(st.sampled_from(choices))
    plain = resolve_movement(BOARD, rulebook, units, orders)
    at = data.draw(st.integers(0, len(orders)))
    disturbed = resolve_movement(BOARD, rulebook, units, (*orders[:at], impossible, *orders[at:]))
    assert disturbed.outcomes[at].result is Result.ILLEGAL
    assert disturbed.outcomes[at].order == impossible
    assert plain.units == disturbed.units
    assert plain.dislodged == disturbed.dislodged
    assert plain.contested == disturbed.contested


@given(situations(), rulebooks, st.data())
def test_retreats_fill_no_province_twice(
    situation: tuple[Sequence[Unit], Sequence[Order]], rulebook: Rulebook, data: st.DataObject
) -> None:
    units, orders = situation
    moved = resolve_movement(BOARD, rulebook, units, orders)
    position = Position(RETREAT, moved.units, {}, moved.dislodged, moved.contested)
    retreats = [data.draw(st.sampled_from(legal_orders(BOARD, position, d.unit))) for d in moved.dislodged]
    after = resolve_retreats(BOARD, position, retreats)
    assert len({BOARD.province(unit.at) for unit in after.units}) == len(after.units)
    assert set(moved.units) <= set(after.units)
    assert len(after.units) <= len(units)
    arrived = [o for o in after.outcomes if isinstance(o.order, Retreat) and o.succeeded]
    assert len(after.units) == len(moved.units) + len(arrived)
