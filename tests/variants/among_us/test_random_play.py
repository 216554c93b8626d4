"""Random players and a random Alien: invariants are never broken, games are replayed from their orders, and secrets are
kept.

The last is the property behind the mails of `test_secrecy.py`, on many more positions: whatever the hidden layer of a
position is, what every other seat may see of it and of a turn is the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.advance import advance
from gm.board import Power, Province
from gm.chance import Chance
from gm.orders import Build, Convoy, Disband, Move, Order, Retreat, Support, Waive, order_from_json, order_to_json
from gm.orders.possible import Need, legal_builds
from gm.position import STANDARD_KINDS, PhaseKind, Position, Season, position_from_json, position_to_json
from gm.reports.bulletins import Bulletin
from gm.reports.game_mails import PhaseReport
from gm.reports.reader import GameFacts, Reader
from gm.reports.render import render
from gm.turn import Turn
from gm.variants.among_us import AMONG_US
from gm.variants.among_us.orders import Adopt, needs
from gm.variants.among_us.state import (
    ALIEN,
    NEUTRALS,
    Layer,
    adoptable_now,
    dislodged_controlled,
    nationality,
    own_centers,
    province_of,
    surplus,
    units_controlled,
)
from gm.variants.standard import POWERS
from tests.variants import random_play

pytestmark = pytest.mark.long

GAMES = random_play.GAMES // 2
PHASES = 60


# Players


def hosts_at_random(position: Position, dice: Random, forgetful: float = 0.2) -> dict[Power, tuple[Order, ...]]:
    """Legal orders of each host, as far as the host can know them; some hosts send nothing at all."""
    board, given = AMONG_US.board(position), {}
    for power, duty in AMONG_US.duties(position).items():
        if power == ALIEN or dice.random() < forgetful:
            continue
        need = AMONG_US.needs(board, position, power)
        if position.phase.kind is not PhaseKind.ADJUSTMENT:
            given[power] = tuple(dice.choice(AMONG_US.legal_orders(board, position, unit, need)) for unit in duty.units)
        elif need.count > 0:
            given[power] = tuple(dice.sample(legal_builds(board, power, need), dice.randint(1, need.count)))
        else:
            given[power] = tuple(Disband(unit) for unit in dice.sample(position.units_of(power), -need.count))
    return given


def alien_at_random(position: Position, dice: Random) -> tuple[Order, ...]:
    """The Alien's own orders: take centres where possible, and build as many units as allowed."""
    board = AMONG_US.board(position)
    if choices := adoptable_now(position):
        return (Adopt(dice.choice(choices)),) if dice.random() < 0.7 else ()
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        sites = needs(board, position, ALIEN).sites
        return tuple(dice.choice(builds_at(site)) for site in sorted(sites))
    retreating = position.phase.kind is PhaseKind.RETREAT
    mine = [d.unit for d in dislodged_controlled(position)] if retreating else list(units_controlled(position))
    ways = {unit: AMONG_US.legal_orders(board, position, unit, Need()) for unit in mine}
    return tuple(taking(position, ways[unit], dice) for unit in mine if dice.random() < 0.95)


def builds_at(site: Province) -> list[Order]:
    board = AMONG_US.board(AMONG_US.opening(POWERS, Chance(bytes(16))))
    every = legal_builds(board, nationality(site), Need(1, frozenset((site,))))
    return [order for order in every if isinstance(order, Build)]


def taking(position: Position, orders: tuple[Order, ...], dice: Random) -> Order:
    """An order that enters a centre that is not the Alien's yet, if there is one."""
    board, layer = AMONG_US.board(position), Layer.of(position)
    wanted = [
        order
        for order in orders
        if isinstance(order, Move | Retreat)
        and board.is_center(board.province(order.to))
        and board.province(order.to) not in layer.centers
    ]
    return dice.choice(wanted) if wanted and dice.random() < 0.8 else dice.choice(orders)


def game_at_random(seed: int, *, forgetful: float = 0.2) -> Iterator[Turn]:
    """A game of random players, turn by turn; every position passes through its JSON form."""
    dice, chance = Random(seed), Chance(seed.to_bytes(16, "big"))
    position = AMONG_US.opening(POWERS, chance)
    for _ in range(PHASES):
        orders = hosts_at_random(position, dice, forgetful)
        if own := alien_at_random(position, dice):
            orders[ALIEN] = own
        stored = json.loads(json.dumps({p: [order_to_json(o) for o in given] for p, given in orders.items()}))
        again = {Power(p): [order_from_json(o, AMONG_US.language) for o in given] for p, given in stored.items()}
        assert again == {power: list(given) for power, given in orders.items()}
        turn = advance(AMONG_US, position, again, chance)
        assert turn == advance(AMONG_US, position, orders, chance), "the same orders and seed give the same turn"
        assert random_play.stored(AMONG_US, turn) == turn
        yield turn
        if turn.victory is not None:
            return
        position = position_from_json(json.loads(json.dumps(position_to_json(turn.after))), STANDARD_KINDS)


# What must hold


@settings(max_examples=GAMES)
@given(seed=st.integers(0, 2**40))
def test_random_games_keep_both_layers_sound(seed: int) -> None:
    for turn in game_at_random(seed):
        check_layers(turn.after)
        check_winter(turn)


def check_layers(position: Position) -> None:
    board, layer = AMONG_US.board(position), Layer.of(position)
    standing = [province_of(unit) for unit in position.units]
    assert len(set(standing)) == len(standing)
    assert layer.units <= set(standing), "the Alien controls no unit that is not there"
    assert layer.dislodged <= {province_of(d.unit) for d in position.dislodged}
    assert layer.centers <= set(position.centers)
    assert all(board.is_center(center) for center in layer.centers)
    assert ALIEN not in {unit.power for unit in position.units} | set(position.centers.values())
    for unit in position.units:
        assert unit.power != NEUTRALS or layer.has(unit), "nobody else has non-coloured units"
    for center, owner in position.centers.items():
        assert owner != NEUTRALS or center in layer.centers
    if position.phase.season is Season.WINTER:
        for unit in position.units:
            if board.is_center(province_of(unit)):
                assert position.centers[province_of(unit)] == unit.power
                assert (province_of(unit) in layer.centers) == layer.has(unit)


def check_winter(turn: Turn) -> None:
    """No power has more units than centres after Winter, by true counts."""
    if turn.before.phase.kind is not PhaseKind.ADJUSTMENT:
        return
    for power in (*POWERS, ALIEN):
        assert surplus(turn.after, power) >= 0
        assert surplus(turn.after, power) <= max(0, surplus(turn.before, power))


@pytest.mark.ruling("AU-5")
@settings(max_examples=GAMES)
@given(seed=st.integers(0, 2**40))
def test_drawn_orders_are_possible_and_do_not_contradict_each_other(seed: int) -> None:
    for turn in list(game_at_random(seed, forgetful=0.9))[:20]:
        before = turn.before
        if before.phase.kind is PhaseKind.ADJUSTMENT:
            continue
        filled = AMONG_US.fill(AMONG_US, before, {}, Chance(seed.to_bytes(16, "big")))
        for power, orders in filled.items():
            if power == NEUTRALS or power not in AMONG_US.duties(before):
                continue
            done = {order.unit: order for order in orders if not isinstance(order, Build)}  # type: ignore[union-attr]
            for unit, order in done.items():
                assert order in AMONG_US.legal_orders(AMONG_US.board(before), before, unit, Need())
                check_agreement(before, order, done)
            goals = [AMONG_US.board(before).province(o.to) for o in orders if isinstance(o, Retreat)]
            assert len(set(goals)) == len(goals)


def check_agreement(position: Position, order: Order, done: Mapping[Any, Order]) -> None:
    """A support or convoy of an own unit agrees with that unit's order."""
    if not isinstance(order, Support | Convoy):
        return
    other = done.get(order.supported if isinstance(order, Support) else order.convoyed)
    if other is None:
        return
    province = AMONG_US.board(position).province
    if order.to is None:
        assert not isinstance(other, Move)
    else:
        assert isinstance(other, Move)
        assert province(other.to) == province(order.to)


@pytest.mark.ruling("AU-12")
def test_games_in_which_the_alien_takes_all_in_reach_end_in_victory() -> None:
    assert any(turn.victory and turn.victory.winners == (ALIEN,) for seed in range(3) for turn in conquest(seed))


@pytest.mark.ruling("AU-12")
@pytest.mark.parametrize("power", POWERS)
def test_games_in_which_a_power_takes_what_it_can_reach_its_victory(power: Power) -> None:
    assert any(turn.victory and turn.victory.winners == (power,) for seed in range(3) for turn in march(power, seed))


def conquest(seed: int) -> Iterator[Turn]:
    """Hosts hold while the Alien moves over the map, beginning with half of Europe, and builds Russian units."""
    dice, chance = Random(seed), Chance(seed.to_bytes(16, "big"))
    start = AMONG_US.opening(POWERS, chance)
    mine = frozenset(p for p, power in start.centers.items() if power in ("Turkey", "Austria", "Russia", "Italy"))
    position = replace(start, extra=Layer(mine, centers=mine, hosts=(Power("Turkey"),)).extra)
    for _ in range(4 * PHASES):
        own = {ALIEN: tuple(raising_russians(position, dice))}
        turn = advance(AMONG_US, position, standing(position, dice) | own, chance)
        yield turn
        if turn.victory is not None:
            return
        position = turn.after


def raising_russians(position: Position, dice: Random) -> Iterator[Order]:
    """Builds in Russia until there are enough units, all of which leave home."""
    board, russia = AMONG_US.board(position), Power("Russia")
    enough = sum(unit.power == russia for unit in units_controlled(position)) >= 12
    for order in alien_at_random(position, dice):
        if isinstance(order, Build):
            if enough or order.unit.power == russia:
                yield order
        elif isinstance(order, Move | Retreat | Disband):
            yield order
        elif not isinstance(order, Adopt | Waive):
            ways = AMONG_US.legal_orders(board, position, order.unit, Need())  # type: ignore[union-attr]
            yield dice.choice([way for way in ways if isinstance(way, Move)] or [order])


def march(strong: Power, seed: int) -> Iterator[Turn]:
    """One power takes what it can in a Europe in which no other power has a unit left, except one unit of the
    Alien's.
    """
    dice, chance = Random(seed), Chance(seed.to_bytes(16, "big"))
    start = AMONG_US.opening(POWERS, chance)
    other = next(start.units_of(power)[0] for power in POWERS if power != strong)
    position = replace(start, units=(*start.units_of(strong), other))
    for _ in range(10 * PHASES):
        orders = standing(position, dice)
        board, need = AMONG_US.board(position), AMONG_US.needs(AMONG_US.board(position), position, strong)
        if position.phase.kind is PhaseKind.MOVEMENT:
            orders[strong] = tuple(
                going(position, AMONG_US.legal_orders(board, position, unit, need), strong, dice)
                for unit in position.units_of(strong)
            )
            orders[ALIEN] = (Adopt(other),) if other in adoptable_now(position) else ()
        elif position.phase.kind is PhaseKind.ADJUSTMENT and need.count > 0:
            orders[strong] = tuple(dice.choice(builds_at(site)) for site in sorted(need.sites))
        turn = advance(AMONG_US, position, {p: o for p, o in orders.items() if o}, chance)
        yield turn
        if turn.victory is not None:
            return
        position = turn.after


def going(position: Position, orders: tuple[Order, ...], power: Power, dice: Random) -> Order:
    board = AMONG_US.board(position)
    moves = [o for o in orders if isinstance(o, Move)]
    wanted = [o for o in moves if position.centers.get(board.province(o.to)) != power and board.is_center(
        board.province(o.to))]  # fmt: skip
    return dice.choice(wanted or moves or list(orders))


def standing(position: Position, dice: Random) -> dict[Power, tuple[Order, ...]]:
    """Every host's units hold, retreat anywhere or, if they must, are removed; nobody builds."""
    board, orders = AMONG_US.board(position), {}
    for power, duty in AMONG_US.duties(position).items():
        if power != ALIEN and duty.units:
            kind = position.phase.kind
            ways = {unit: AMONG_US.legal_orders(board, position, unit, Need()) for unit in duty.units}
            orders[power] = tuple(w[0] if kind is PhaseKind.MOVEMENT else dice.choice(w) for w in ways.values())
        elif power != ALIEN and duty.offer:
            orders[power] = (Waive(power),)
    return orders


# What nobody sees


@pytest.mark.ruling("AU-2")
@settings(max_examples=GAMES)
@given(seed=st.integers(0, 2**40))
def test_what_others_see_does_not_depend_on_the_hidden_layer(seed: int) -> None:
    """Views and whole reports of every other seat, with two hidden layers drawn at random over the same public game."""
    dice = Random(seed)
    for turn in list(game_at_random(seed))[:15]:
        if turn.before.phase.kind is PhaseKind.ADJUSTMENT:
            continue
        # in Autumn the Alien's number of centres is told, so that layers differ in it and may not
        if turn.before.phase.season is Season.FALL:
            continue
        one, other = (with_layer(turn.before, dice) for _ in range(2))
        orders = hosts_at_random(turn.before, dice, 0)
        sent = {p: o for p, o in orders.items() if len(o) == len(AMONG_US.duty(AMONG_US, turn.before, p).units)}  # type: ignore[union-attr]
        first, second = (advance(AMONG_US, layered, sent, Chance(bytes(range(16)))) for layered in (one, other))
        for seat in (*POWERS, None):
            if {seat} & (lost(first) | lost(second)):
                continue  # an eliminated power is told so
            assert seen(first, seat) == seen(second, seat)
            assert report(first, seat) == report(second, seat)


def with_layer(position: Position, dice: Random) -> Position:
    """The same public position with other units of the Alien's: at least one unit, never all units of a power."""
    units = [unit for unit in position.units if unit.power != NEUTRALS]
    held = frozenset(province_of(unit) for unit in dice.sample(units, dice.randint(1, max(1, len(units) // 3))))
    neutral = {province_of(unit) for unit in position.units if unit.power == NEUTRALS}
    fallen = frozenset(province_of(d.unit) for d in position.dislodged if dice.random() < 0.5)
    centers = frozenset(c for c in position.centers if c in held or dice.random() < 0.2)
    return replace(position, extra=Layer(held | neutral, fallen, centers, (Power("Turkey"),)).extra)


def lost(turn: Turn) -> set[Power | None]:
    """Powers that have nothing left but what the Alien controls: before or after the turn."""
    return {
        power
        for power in POWERS
        for one in (turn.before, turn.after)
        if AMONG_US.duty(AMONG_US, replace(one, phase=turn.before.phase), power) is None
        or AMONG_US.view(AMONG_US, one, turn, power).private
        or not own_centers(one, power)
    }


def seen(turn: Turn, seat: Power | None) -> object:
    return AMONG_US.view(AMONG_US, turn.after, turn, seat)


def report(turn: Turn, seat: Power | None) -> object:
    facts = GameFacts("spring", AMONG_US.title, {}, AMONG_US.adjectives)
    view = AMONG_US.view(AMONG_US, turn.after, turn, seat)
    return render(
        PhaseReport(Reader(seat), view, Bulletin(facts, view.common), deadline=datetime(2030, 1, 1, tzinfo=UTC))
    )
