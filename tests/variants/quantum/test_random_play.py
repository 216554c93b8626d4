"""Games of random legal orders, with convoys across quantum space and army/fleets: what is always true, and replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.board import Location, Power, UnitKind
from gm.judge.outcomes import Result
from gm.orders import Convoy, Declaration, Move, Order, Retreat, Support
from gm.position import PhaseKind, Position, Unit
from gm.turn import Turn
from gm.variants import Variant
from gm.variants.quantum_space.army_fleets import Embark, Land, landing_places
from gm.variants.quantum_space.space import QuantumBoard, is_orbit, is_quantum, is_surface, orbit_above
from gm.variants.quantum_space.state import ARMY_FLEET, board_of
from tests.variants.quantum.scenes import NEW, OLD
from tests.variants.random_play import GAMES, play, random_orders

pytestmark = pytest.mark.long

POWERS = [*map(Power, ("Auerbach", "Berenike", "Octagon", "Terra", "Nova", "Sirius", "Ares"))]


def players(game: Variant, position: Position, dice: Random) -> dict[Power, tuple[Order, ...]]:
    """Random orders, with combinations that are rare by chance: convoys between planets, boarding and landing,
    supported attacks in space, and moves to quantum spaces with long names.
    """
    found = {power: list(orders) for power, orders in random_orders(game, position, dice).items()}
    if position.phase.kind is PhaseKind.MOVEMENT:
        for unit in position.units:
            _to_somewhere_far(found, unit, dice)
        for army in dice.sample(position.units, len(position.units)):
            if army.kind is UnitKind.ARMY and dice.random() < 0.5:
                _convoy(found, position, army, dice)
        if game is NEW:
            _board_and_land(found, position, dice)
        _fight(found, position, dice)
    return {power: tuple(orders) for power, orders in found.items()}


def _give(found: dict[Power, list[Order]], order: Order) -> None:
    """Replace any other order for the same unit, unless its power is inactive."""
    assert not isinstance(order, Declaration)
    given = found.get(order.unit.power)
    if given is not None:
        given[:] = [one for one in given if isinstance(one, Declaration) or one.unit != order.unit] + [order]


def _to_somewhere_far(found: dict[Power, list[Order]], unit: Unit, dice: Random) -> None:
    if unit.kind is not UnitKind.ARMY and not is_surface(unit.at) and dice.random() < 0.2:
        to = Location(f"q{dice.choice((7, 77, 9999999999))}")
        if to != unit.at:
            _give(found, Move(unit, to))


def _convoy(found: dict[Power, list[Order]], position: Position, army: Unit, dice: Random) -> None:
    fleets = [unit for unit in position.units if unit.kind is UnitKind.FLEET]
    first = [fleet for fleet in fleets if fleet.at == orbit_above(army.at)]
    last = [fleet for fleet in fleets if is_orbit(fleet.at) and fleet not in first]
    between = [fleet for fleet in fleets if is_quantum(fleet.at)]
    if not (first and last and between):
        return
    target = dice.choice(last)
    to = Location(target.at[:-1] + dice.choice("12345678"))
    _give(found, Move(army, to))
    for fleet in (*first, target, *dice.sample(between, min(2, len(between)))):
        _give(found, Convoy(fleet, army, to))


def _fight(found: dict[Power, list[Order]], position: Position, dice: Random) -> None:
    """Two units of a power attack another power's, one with the support of the other."""
    board = board_of(position)
    for victim in dice.sample(position.units, len(position.units))[:6]:
        others = [unit for unit in position.units if unit.power != victim.power]
        near = [unit for unit in others if board.may_step(unit.kind, unit.at, victim.at)]
        for attacker in near:
            helpers = [unit for unit in near if unit.power == attacker.power and unit != attacker]
            if helpers:
                _give(found, Move(attacker, victim.at))
                _give(found, Support(dice.choice(helpers), attacker, victim.at))
                break


def _board_and_land(found: dict[Power, list[Order]], position: Position, dice: Random) -> None:
    board = board_of(position)
    fleets = {unit.at: unit for unit in position.units if unit.kind is UnitKind.FLEET}
    ships = [unit for unit in position.units if unit.kind is ARMY_FLEET]
    for army in position.units:
        fleet = fleets.get(orbit_above(army.at)) if army.kind is UnitKind.ARMY else None
        if fleet is not None and fleet.power == army.power and dice.random() < 0.3:
            _give(found, Embark(army, fleet))
            ships.append(Unit(fleet.power, ARMY_FLEET, fleet.at))
    for ship in ships:
        if (open_to_it := landings(board, ship)) and dice.random() < 0.5:
            _give(found, dice.choice(open_to_it))


def landings(board: QuantumBoard, ship: Unit) -> tuple[Order, ...]:
    """The possible landings of the army aboard, wherever its fleet is ordered to go."""
    army = Unit(ship.power, UnitKind.ARMY, ship.at)
    places = [to for stand in (ship.at, *board.neighbours(ship.kind, ship.at)) for to in landing_places(stand)]
    return tuple(Land(army, to) for to in dict.fromkeys(places))


def check(turn: Turn) -> None:
    """What is true of every turn."""
    before, after = turn.before, turn.after
    board = board_of(after)
    places = [unit.at for unit in after.units]
    assert len(set(places)) == len(places)
    for unit in (*after.units, *(d.unit for d in after.dislodged)):
        assert board.may_stand(unit.kind, unit.at), unit
        assert "." not in unit.at
    for one in after.dislodged:
        assert board.exists(Location(one.origin))
    assert set(after.centers) == set(before.centers) | set(after.centers)
    _check_numbers(turn)
    for outcome in turn.outcomes:
        order = outcome.order
        if isinstance(order, Declaration) or not outcome.succeeded:
            continue
        if isinstance(order, Move | Retreat):
            kinds = {unit.kind for unit in after.units if unit.at == order.to and unit.power == order.unit.power}
            assert kinds or order.to in {d.unit.at for d in after.dislodged}, order
    _check_outcomes(turn)


def _check_numbers(turn: Turn) -> None:
    """Units appear and disappear only as the rules say; an army/fleet counts as two."""
    kind = turn.before.phase.kind

    def pieces(position: Position) -> int:
        return sum(u.kind.pieces for u in (*position.units, *(d.unit for d in position.dislodged)))

    lost = sum(d.unit.kind.pieces for d in turn.destroyed)
    if kind is PhaseKind.MOVEMENT:
        assert pieces(turn.after) == pieces(turn.before) - lost
    if kind is PhaseKind.RETREAT:
        assert pieces(turn.after) <= pieces(turn.before)
    if kind is PhaseKind.ADJUSTMENT:
        for power in {*turn.after.centers.values()}:
            held = sum(unit.kind.pieces for unit in turn.after.units_of(power))
            assert held <= len(turn.after.centers_of(power))


def _check_outcomes(turn: Turn) -> None:
    """Each unit has an outcome; a landing that fails leaves the army aboard."""
    if turn.before.phase.kind is not PhaseKind.MOVEMENT:
        return
    spoken_of = {o.order.unit for o in turn.outcomes if not isinstance(o.order, Declaration)}
    assert set(turn.before.units) <= spoken_of | {
        Unit(o.order.unit.power, UnitKind.FLEET, o.order.unit.at)
        for o in turn.outcomes
        if not isinstance(o.order, Declaration) and o.order.unit.kind is ARMY_FLEET
    }


def tally(turns: Sequence[Turn]) -> Mapping[str, int]:
    """How often each rare event occurred."""
    outcomes = [outcome for turn in turns for outcome in turn.outcomes]
    return {
        "convoys": sum(isinstance(o.order, Move) and o.facts.convoyed and o.succeeded for o in outcomes),
        "between planets": sum(
            isinstance(o.order, Move) and o.facts.convoyed and o.succeeded and o.order.to[0] != o.order.unit.at[0]
            for o in outcomes
        ),
        "lost convoys": sum(o.result is Result.DISRUPTED and isinstance(o.order, Move) for o in outcomes),
        "boardings": sum(isinstance(o.order, Embark) and o.succeeded for o in outcomes),
        "landings": sum(isinstance(o.order, Land) and o.succeeded for o in outcomes),
        "landings beaten off": sum(isinstance(o.order, Land) and o.result is Result.BOUNCES for o in outcomes),
        "army/fleets dislodged": sum(d.unit.kind is ARMY_FLEET for turn in turns for d in turn.after.dislodged),
        "retreats": sum(isinstance(o.order, Retreat) and o.succeeded for o in outcomes),
    }


@pytest.mark.ruling("QS-7", "QS-8", "QS-13")
@pytest.mark.parametrize("game", [OLD, NEW], ids=["1975", "3001"])
def test_dozens_of_random_games(game: Variant) -> None:
    turns = []
    for seed in range(16):
        for turn in play(game, POWERS[: 3 + seed % 3], seed, 16, players):
            check(turn)
            turns.append(turn)
    counts = tally(turns)
    wanted: tuple[str, ...] = ("convoys", "between planets", "lost convoys", "retreats")
    if game is NEW:
        wanted += ("boardings", "landings", "landings beaten off", "army/fleets dislodged")
    assert all(counts[name] for name in wanted), counts


@given(st.integers(0, 1 << 32), st.sampled_from([OLD, NEW]))
@settings(max_examples=GAMES)
def test_random_games(seed: int, game: Variant) -> None:
    """Some in every run, hundreds with the profile of `make fuzz`."""
    for turn in play(game, POWERS[: 3 + seed % 3], seed, 12, players):
        check(turn)
