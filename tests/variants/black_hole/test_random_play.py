"""Random games never break the invariants, and can be replayed to the same end from their stored orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.board import Location, Power, Province
from gm.judge.outcomes import Result, Why
from gm.orders import Disband, Order, Retreat
from gm.orders.notation import write
from gm.orders.possible import retreat_options
from gm.parsing.lexicon import lexicon_of
from gm.parsing.orders import parse_orders
from gm.position import PhaseKind, Position, Season
from gm.turn import Turn
from gm.variants import Variant
from gm.variants.black_hole.orders import Announce, Exempt
from gm.variants.black_hole.state import FILE, State, board_of, homes, is_first, state_of
from gm.variants.standard import POWERS
from tests.variants import random_play
from tests.variants.black_hole.scenes import GAME

pytestmark = pytest.mark.long

PHASES = 60


def play(seed: int, phases: int = PHASES) -> Iterator[Turn]:
    """The turns of one game."""
    return random_play.play(GAME, POWERS, seed, phases, orders_and_declarations)


def orders_and_declarations(game: Variant, position: Position, dice: Random) -> dict[Power, tuple[Order, ...]]:
    """Random orders, some of them for exemptions; and many retreats that nobody ordered."""
    orders = random_play.random_orders(game, position, dice)
    for power in POWERS:
        said = tuple(declared(position, power, dice))
        if power in orders and position.phase.kind is PhaseKind.RETREAT and dice.random() < 0.5:
            del orders[power]
        elif said:
            orders[power] = (*orders.get(power, ()), *said)
    return orders


def declared(position: Position, power: Power, dice: Random) -> Iterator[Order]:
    """Exemptions and announcements that somebody might send."""
    state = state_of(position)
    if is_first(position) and dice.random() < 0.7:
        yield Exempt(power, center=Location(dice.choice(homes(board_of(position), power))))
    elif position.phase.kind is PhaseKind.MOVEMENT and power in state.movable and dice.random() < 0.5:
        yield Exempt(power, center=Location(state.movable[power]))
    if dice.random() < 0.02:
        yield Announce(power)


@settings(max_examples=random_play.GAMES)
@given(seed=st.integers(0, 2**32))
def test_random_games(seed: int) -> None:
    for turn in play(seed):
        check(turn)


def check(turn: Turn) -> None:
    """What is true after every phase."""
    before, after = state_of(turn.before), state_of(turn.after)
    _check_board(turn.after, after)
    _check_hole(turn, before, after)
    _check_exemptions(turn, before, after)
    _check_retreats(turn)
    if turn.before.phase.kind is PhaseKind.ADJUSTMENT:
        for power in POWERS:
            assert len(turn.after.units_of(power)) <= len(turn.after.centers_of(power))
    elif turn.after.phase.kind is PhaseKind.MOVEMENT:
        assert len(turn.after.units) <= len(turn.before.units) + len(turn.before.dislodged)


def _check_board(position: Position, state: State) -> None:
    """At most one unit in a province, none in a hole, and no owner of a centre that has vanished."""
    board = board_of(position)
    standing = Counter(board.province(unit.at) for unit in position.units)
    assert set(standing.values()) <= {1}
    assert not set(standing) & set(state.holes)
    assert not set(position.centers) & set(state.holes)
    assert not {board.province(d.unit.at) for d in position.dislodged} & set(state.holes)
    assert all(board.may_stand(unit.kind, unit.at) for unit in position.units)
    assert set(board.provinces).isdisjoint(state.holes)


def _check_hole(turn: Turn, before: State, after: State) -> None:
    """Holes stay; one more appears at each end of a Spring or Fall and at no other time."""
    assert before.holes.items() <= after.holes.items()
    new = set(after.holes) - set(before.holes)
    ended = turn.before.phase.season is not Season.WINTER and turn.after.phase.kind is not PhaseKind.RETREAT
    assert len(new) == int(ended)
    assert new.isdisjoint(after.exemptions.values())
    if turn.count is not None and turn.after.phase.season is not Season.FALL:
        board = board_of(turn.after)
        assert all(turn.after.centers.get(board.province(unit.at)) == unit.power for unit in turn.after.units
                   if board.is_center(board.province(unit.at)))  # fmt: skip


def _check_exemptions(turn: Turn, before: State, after: State) -> None:
    """Every surviving power has one existing home centre exempt; the exemption moves once at most, and only if
    it may.
    """
    board = board_of(turn.after)
    alive = {*turn.after.centers.values(), *(one.power for one in turn.after.units)}
    alive |= {one.unit.power for one in turn.after.dislodged}
    assert set(after.exemptions) == alive or turn.after.phase.kind is PhaseKind.RETREAT
    for power, center in after.exemptions.items():
        assert center in homes(board, power)
        if before.exempt is not None and center != before.exempt[power]:
            assert before.movable[power] == center
            assert power not in before.moved
            assert power in after.moved
    assert before.moved <= after.moved
    for power, target in after.movable.items():
        assert turn.after.centers[target] == power
        assert power not in after.moved
        assert {p for p in homes(board, power) if turn.after.centers.get(p) == power} >= {target}


def _check_retreats(turn: Turn) -> None:
    """A unit that could retreat and was not ordered to disband is on the board, or collided with another."""
    board = board_of(turn.before)
    for dislodged in turn.before.dislodged:
        (outcome,) = [o for o in turn.outcomes if getattr(o.order, "unit", None) == dislodged.unit]
        told = [o for o in turn.orders.get(dislodged.unit.power, ()) if getattr(o, "unit", None) == dislodged.unit]
        if not told:
            assert isinstance(outcome.order, Retreat)
            assert outcome.order.to in retreat_options(board, turn.before, dislodged)
            assert outcome.succeeded or outcome.facts.why is Why.COLLIDED
        assert isinstance(outcome.order, Disband) or outcome.result in (Result.SUCCEEDS, Result.DISBANDED)


def test_nobody_sees_another_s_exemption() -> None:
    """In everything a view contains, over a whole game and for every seat."""
    for seed in range(4):
        for turn in play(seed, 30):
            for seat in (None, Power("GM"), *POWERS):
                _check_view(turn, seat)


def _check_view(turn: Turn, seat: Power | None) -> None:
    if turn.victory is not None:
        return
    view = GAME.view(GAME, turn.after, turn, seat)
    assert view.turn is not None
    for position in (view.position, view.turn.before, view.turn.after):
        for key in ("exempt", "movable"):
            assert set(position.extra.get(key, {})) <= {seat}
        assert set(position.extra.get("moved", ())) <= {seat}
    own = [o for orders in view.turn.orders.values() for o in orders if isinstance(o, Exempt | Announce)]
    own += [o.order for o in view.turn.outcomes if isinstance(o.order, Exempt | Announce)]
    assert {order.power for order in own} <= {seat}
    holes = {mark.province for mark in view.marks if mark.emblem.ground == FILE.signs["hole"].ground}
    assert holes == set(state_of(turn.after).holes)
    state = state_of(turn.after)
    known = {told.center for told in state.announced.values()} | {state.exemptions.get(seat or Power(""))}
    assert {mark.province for mark in view.marks} - holes <= known


def test_every_legal_order_is_understood_as_it_is_written() -> None:
    """Notation writes what `legal_orders` returns, and grammar and legality read it back, including holes."""
    for number, turn in enumerate(play(7, 12)):
        position, board = turn.after, GAME.board(turn.after)
        lexicon = lexicon_of(board, GAME.powers(position), GAME.language)
        for power, duty in GAME.duties(position).items():
            for unit in duty.units:
                for order in GAME.legal_orders(board, position, unit, duty.need)[:: 1 + number % 3]:
                    ((_, written),) = parse_orders(write(order), lexicon, position.phase.kind)
                    assert GAME.understand(board, position, power, written, duty.need) == order, write(order)


def test_games_go_on_until_little_is_left() -> None:
    """With sixty holes: the judge, the builds and the draws work with what remains."""
    turns = list(play(11, 160))
    last = state_of(turns[-1].after)
    assert turns[-1].victory is not None or len(last.holes) > 60
    assert len(set(last.holes.values())) == len(last.holes)
    assert Province("swi") not in last.holes
