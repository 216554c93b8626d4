"""Random games never break what must hold, and are played again to the same end from their stored orders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.board import Location, Power, UnitKind
from gm.orders import Move, Order, Waive
from gm.orders.notation import write
from gm.orders.possible import reaches
from gm.parsing.lexicon import lexicon_of
from gm.parsing.orders import parse_orders
from gm.position import PhaseKind, Position, Unit
from gm.turn import Turn
from gm.variants import Variant
from gm.variants.the_aliens.orders import Arrive, Bring, Land, Receive, Relay, Send
from gm.variants.the_aliens.state import (
    LANDING,
    TRANSMITTER,
    State,
    alien_board,
    home_of,
    is_home,
    units_on_board,
)
from gm.variants.the_aliens.supply import (
    kinds_to_come,
    transmitters_allowed,
    transmitters_to_come,
    units_allowed,
    units_to_come,
)
from tests.variants import random_play
from tests.variants.telling import told
from tests.variants.the_aliens.scenes import GAME, RELAYED, races

pytestmark = pytest.mark.long

# Players


def orders_at_random(game: Variant, position: Position, dice: Random) -> dict[Power, tuple[Order, ...]]:
    """Random orders, among them many that agree: transmissions, arrivals, relays."""
    if position.phase.kind is LANDING:
        return {power: tuple(_lists(game, position, power, dice)) for power in game.powers(position)}
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return {power: tuple(_winter(game, position, power, dice)) for power in game.duties(position)}
    given = random_play.random_orders(game, position, dice)
    if position.phase.kind is PhaseKind.RETREAT:
        return given
    every = {power: list(own) for power, own in given.items()}
    for _ in range(dice.randrange(4)):
        for order in _plot(game, position, dice):
            own = every.setdefault(order.unit.power, [])  # type: ignore[union-attr]
            _put(own, order)
    return {power: tuple(own) for power, own in every.items()}


def _put(own: list[Order], order: Order) -> None:
    """Give a piece this order in place of another, but leave equal pieces theirs."""
    for place, other in enumerate(own):
        if not isinstance(order, Arrive) and other.unit == order.unit:  # type: ignore[union-attr]
            own[place] = order
            return
    own.append(order)


def _lists(game: Variant, position: Position, power: Power, dice: Random) -> Iterator[Order]:
    near = [Location(code) for code in ["par", "bur", "mar", "gas", "pic", "bre", "mun", "swi", "ruh", "bel", "kie"]]
    for ship in game.duties(position)[power].units:
        if dice.random() < 0.9:
            yield Land(ship, tuple(dice.sample(near, dice.randint(1, 6))))


def _plot(game: Variant, position: Position, dice: Random) -> Iterator[Order]:
    """Orders that agree, or nearly."""
    state = State.of(position)
    if not state.transmitters:
        return
    target = dice.choice(state.transmitters)
    for power in dice.sample(state.races, 1):
        if units_to_come(position, power) > 0 and target.power == power:
            kind = dice.choice(kinds_to_come(position))
            exits = alien_board().coasts(alien_board().province(target.at)) if kind is UnitKind.FLEET else (target.at,)
            yield from (Arrive(Unit(power, kind, home_of(power)), at) for at in exits[:1])
            yield Receive(target, home_of(power))
            return
    source = dice.choice(state.transmitters)
    if source.at == target.at:
        return
    yield Send(source, target.at)
    yield Receive(target, source.at)
    for other in (one for one in state.transmitters if one.at == source.at and one != source):
        yield Move(other, target.at)  # along the line of the sending, but by itself
    relayed = game is RELAYED and dice.random() < 0.5
    for unit in position.units:
        at = next(iter(_exits(unit, target)), None)
        if at is None or alien_board().province(unit.at) == alien_board().province(target.at):
            continue
        if not relayed and alien_board().province(unit.at) == alien_board().province(source.at):
            yield Move(unit, at)
        elif relayed and reaches(alien_board(), unit, alien_board().province(source.at)):
            yield Relay(unit, at, route=(source.at,))


def _exits(unit: Unit, target: Unit) -> tuple[Location, ...]:
    return alien_board().coasts(alien_board().province(target.at)) if unit.kind is UnitKind.FLEET else (target.at,)


def _winter(game: Variant, position: Position, power: Power, dice: Random) -> Iterator[Order]:
    if dice.random() < 0.2:
        return
    board, need = game.board(position), game.duties(position)[power].need
    pieces = (*position.units_of(power), *State.of(position).transmitters_of(power))
    for piece in dice.sample(pieces, len(pieces)):
        orders = game.legal_orders(board, position, piece, need)
        if orders and dice.random() < 0.8:
            yield dice.choice(orders)
    if dice.random() < 0.1:
        yield Waive(power)


# What must hold


@settings(max_examples=random_play.GAMES)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 12), relayed=st.booleans())
def test_random_games(seed: int, players: int, relayed: bool) -> None:
    game = RELAYED if relayed else GAME
    destroyed: Counter[Unit] = Counter()
    for turn in random_play.play(game, races(players), seed, 40, orders_at_random):
        check(turn)
        destroyed.update(_lost(turn))


def check(turn: Turn) -> None:
    """What holds after every phase."""
    before, after = turn.before, turn.after
    board, state = alien_board(), State.of(after)
    assert all(not is_home(unit.at) and unit.kind in (UnitKind.ARMY, UnitKind.FLEET) for unit in after.units)
    assert all(board.may_stand(unit.kind, unit.at) for unit in after.units)
    crowd = Counter(board.province(unit.at) for unit in after.units)
    assert set(crowd.values()) <= {1}
    assert all(board.province(piece.at) in board.lands for piece in state.transmitters)
    for race in state.races:
        _check_race(turn, race)
    if after.phase.kind is PhaseKind.MOVEMENT or before.phase.kind is PhaseKind.MOVEMENT:
        _check_company(turn)
    _check_outcomes(turn)


def _check_race(turn: Turn, race: Power) -> None:
    """Never more than allowed: after Winter, and no more by what arrives in a season."""
    before, after = turn.before, turn.after
    units, pieces = units_on_board(after, race), len(State.of(after).transmitters_of(race))
    if before.phase.kind is PhaseKind.ADJUSTMENT:
        assert units <= units_allowed(after, race)
        assert pieces <= transmitters_allowed(after, race)
        assert units >= min(units_on_board(before, race), units_allowed(after, race)), "nobody is removed without need"
    elif before.phase.kind is PhaseKind.MOVEMENT:
        assert units <= max(units_on_board(before, race), units_allowed(before, race))
        was = len(State.of(before).transmitters_of(race))
        assert pieces <= max(was, was + transmitters_to_come(before, race))
    elif before.phase.kind is LANDING:
        assert units == pieces


def _check_company(turn: Turn) -> None:
    """A unit in the space of another race's transmitter came by transmitter, or in Winter."""
    after, board, state = turn.after, alien_board(), State.of(turn.after)
    holder = {board.province(unit.at): unit for unit in after.units}
    if turn.before.phase.kind is PhaseKind.ADJUSTMENT:
        return
    for piece in state.transmitters:
        unit = holder.get(board.province(piece.at))
        if unit is not None and unit.power != piece.power:
            assert board.province(piece.at) in state.spared


def _check_outcomes(turn: Turn) -> None:
    """One outcome for each order, and one for each unit and transmitter without an order; nothing without an order
    moved.
    """
    given = [order for own in turn.orders.values() for order in own]
    assert len(turn.outcomes) >= len(given)
    told = Counter(map(_subject, (outcome.order for outcome in turn.outcomes)))
    assert all(told[_subject(order)] for order in given)
    if turn.before.phase.kind is PhaseKind.MOVEMENT:
        assert all(told[unit] for unit in (*turn.before.units, *State.of(turn.before).transmitters))


def _subject(order: Order) -> object:
    return order.power if isinstance(order, Waive) else order.unit  # type: ignore[union-attr]


def _lost(turn: Turn) -> Counter[Unit]:
    """Transmitters that went, and did not only move; each is in the news of a season."""
    gone = Counter(State.of(turn.before).transmitters) - Counter(State.of(turn.after).transmitters)
    lines = [re.search(r"'s (\d+) T|'s T", line) for line in told(GAME, turn) if "destroyed by" in line]
    if turn.before.phase.kind in (PhaseKind.MOVEMENT, PhaseKind.RETREAT):
        races_before = Counter(piece.power for piece in State.of(turn.before).transmitters)
        races_after = Counter(piece.power for piece in State.of(turn.after).transmitters)
        brought = Counter(
            outcome.order.unit.power
            for outcome in turn.outcomes
            if isinstance(outcome.order, Bring) and outcome.succeeded and outcome.order.arriving.kind is TRANSMITTER
        )
        losses = sum((races_before + brought - races_after).values())
        assert losses == sum(int(found[1] or 1) for found in lines if found is not None)
    return gone


def test_every_legal_order_is_understood_as_it_is_written() -> None:
    """Over a game of three: what `legal_orders` gives, notation writes and grammar and legality read back."""
    seen: set[type] = set()
    for number, turn in enumerate(random_play.play(GAME, races(3), 11, 24, orders_at_random)):
        position = turn.after
        board = GAME.board(position)
        lexicon = lexicon_of(board, GAME.powers(position), GAME.language)
        for piece in dict.fromkeys(GAME.pieces(position)):
            need = GAME.needs(board, position, piece.power)
            for order in GAME.legal_orders(board, position, piece, need)[:: 1 + number % 3]:
                ((_, written),) = parse_orders(write(order), lexicon, position.phase.kind)
                assert GAME.understand(board, position, piece.power, written, need) == order, write(order)
                seen.add(type(order))
    assert {Send, Receive, Arrive, Bring} <= seen


@pytest.mark.ruling("AL-2")
def test_a_dozen_races_always_find_room_to_land() -> None:
    for seed in range(30):
        turn = next(random_play.play(GAME, races(12), seed, 1, orders_at_random))
        assert len(turn.after.units) == 12
