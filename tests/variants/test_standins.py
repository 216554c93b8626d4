"""Stand-in players: every game that they play among themselves ends, and they order nothing that a player could not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from gm import standins
from gm.advance import advance
from gm.board import Location, Power, Province
from gm.chance import Chance
from gm.judge.outcomes import Result
from gm.options import read_options
from gm.orders import Build, Disband, Hold, Move, Order, Retreat, order_from_json, order_to_json
from gm.orders.notation import write
from gm.position import Dislodged, Phase, PhaseKind, Position, Season, parse_unit
from gm.turn import CENTERS, Turn
from gm.variants import OrderSets, Variant, all_variants
from tests.tables import table
from tests.variants.test_sent_back import NAMES
from tests.variants.written import WRITTEN

YEARS = 8


def chance(seed: int) -> Chance:
    return Chance(seed.to_bytes(32, "big"))


def ordered(game: Variant, position: Position, power: Power, drawn: Chance) -> tuple[Order, ...]:
    return standins.orders_of(game, game.view(game, position, None, power), drawn)


def everybody(game: Variant, position: Position, drawn: Chance) -> OrderSets:
    """The orders of all powers; those with nothing to order send nothing."""
    every = {power: ordered(game, position, power, drawn) for power in game.powers(position)}
    return {power: orders for power, orders in every.items() if orders}


def played(game: Variant, seed: int) -> Iterator[Turn]:
    """A game of stand-ins alone, to its end."""
    drawn, turn = chance(seed), None
    position = game.opening(game.seating.powers or NAMES[:4], drawn)
    while turn is None or turn.victory is None:
        turn = advance(game, position, everybody(game, position, drawn), drawn)
        yield turn
        position = turn.after


def with_last(name: str, years: int) -> Variant:
    """The game that is over after so many years."""
    opened = all_variants()[name].opening(all_variants()[name].seating.powers or NAMES[:4], chance(1))
    return read_options({"variant": name, "last": str(opened.phase.year + years)}).variant


@pytest.mark.parametrize("name", WRITTEN)
def test_a_game_of_stand_ins_ends(name: str) -> None:
    """None of their orders is missing or illegal, and they are what the store would give back."""
    game, moved = with_last(name, YEARS), 0
    for turn in played(game, seed=1):
        for power, duty in game.duties(turn.before).items():
            assert duty.met_by(turn.orders.get(power, ())), (turn.before.phase.code, power)
        assert not [write(o.order) for o in turn.outcomes if o.result is Result.ILLEGAL], turn.before.phase.code
        given = [order for own in turn.orders.values() for order in own]
        assert [order_from_json(order_to_json(order), game.language) for order in given] == given
        moved += sum(isinstance(outcome.order, Move) and outcome.succeeded for outcome in turn.outcomes)
    assert turn.victory is not None
    assert moved > 2 * YEARS


def test_stand_ins_can_win() -> None:
    """Without a last year: they do not sit still until everybody has been where they are."""
    *_, last = played(all_variants()["standard"], seed=1)
    assert last.victory is not None
    assert last.victory.kind == CENTERS


def test_another_seed_gives_another_game() -> None:
    game = all_variants()["standard"]
    first = [everybody(game, game.opening((), chance(seed)), chance(seed)) for seed in range(4)]
    assert all(first.count(one) == 1 for one in first)


@table("""
    name       | secret                                                                 | unaware
    among-us   | {"alien": {"units": ["par"], "centers": ["par"], "hosts": ["France"]}} | Germany France Italy
    black-hole | {"exempt": {"France": "par", "Germany": "ber", "Italy": "rom"}}        | Austria England Russia
""")
def test_what_they_order_depends_on_seed_and_view_alone(name: str, secret: str, unaware: str) -> None:
    """Not on what other seats know: who is controlled, or where others are safe."""
    game = all_variants()[name]
    position = replace(game.opening((), chance(3)), phase=replace(FALL, season=Season.SPRING, year=1902))
    if name == "black-hole":  # the first orders are given
        position = replace(position, extra={"exempt": {}})
    other = replace(position, extra=json.loads(secret))
    for power in map(Power, unaware.split()):
        first = ordered(game, position, power, chance(3))
        assert first == ordered(game, position, power, chance(3)) == ordered(game, other, power, chance(3))


# what they want, in positions with few units

FALL = Phase(1901, Season.FALL, PhaseKind.MOVEMENT)


def position(units: str, owned: str = "", phase: Phase = FALL) -> Position:
    """Units as `France A par, Germany F kie`, owners as `France par, Germany kie`."""
    owners = {Province(code): Power(power) for power, code in map(str.split, filter(None, owned.split(", ")))}
    return Position(phase, tuple(map(parse_unit, units.split(", "))), owners)


@table("""
    seen                        | units                                     | owned       | wanted
    a vacant centre             | France A gas                              | par bre mar | A Gas-Spa
    one that it is about to own | France A spa                              | par bre mar | A Spa H
    one across the sea          | France A yor, France F nth                | lon edi lvp | Nth C A Yor-
    one held by another         | France A bur, France A ruh, Germany A mun | par mar bel | -Mun
    the same: with support      | France A bur, France A ruh, Germany A mun | par mar bel | S A
""")
def test_what_a_stand_in_wants(seen: str, units: str, owned: str, wanted: str) -> None:
    game = all_variants()["standard"]
    of_france = ", ".join(f"France {code}" for code in owned.split())
    given = "; ".join(map(write, ordered(game, position(units, of_france), Power("France"), chance(4))))
    assert wanted in given, (seen, given)


@pytest.mark.parametrize("seed", range(6))
def test_no_unit_is_in_the_way_of_an_own_one(seed: int) -> None:
    """No two go to one place, none to where another stays, and no two change places."""
    game = all_variants()["standard"]
    board = game.board(game.opening((), chance(seed)))
    for _, turn in zip(range(12), played(game, seed), strict=False):
        for orders in turn.orders.values():
            if turn.before.phase.kind is not PhaseKind.MOVEMENT:
                continue
            ends = [board.province(o.to if isinstance(o, Move) else o.unit.at) for o in orders]  # type: ignore[union-attr]
            assert len(set(ends)) == len(ends), list(map(write, orders))
            moves = {(board.province(o.unit.at), board.province(o.to)) for o in orders if isinstance(o, Move)}
            assert not [pair for pair in moves if pair[::-1] in moves]


def test_dislodged_units_retreat_apart() -> None:
    game, france = all_variants()["standard"], Power("France")
    units = [parse_unit("France A bur"), parse_unit("France A pic")]
    retreat = replace(FALL, kind=PhaseKind.RETREAT)
    where = replace(
        position("Germany A bur, Germany A pic", phase=retreat),
        dislodged=(Dislodged(units[0], Province("mun")), Dislodged(units[1], Province("bel"))),
    )
    orders = ordered(game, where, france, chance(5))
    assert all(isinstance(order, Retreat) for order in orders)
    assert len({order.to for order in orders if isinstance(order, Retreat)}) == 2


def test_builds_and_removals_are_as_many_as_due() -> None:
    game, winter = all_variants()["standard"], Phase(1901, Season.WINTER, PhaseKind.ADJUSTMENT)
    france = Power("France")
    rich = position("France A spa", "France par, France mar, France bre, France spa", winter)
    builds = ordered(game, rich, france, chance(6))
    assert [type(order) for order in builds] == [Build] * 3
    poor = position("France A par, France A fin, Germany A mun", "France par, Germany mun", winter)
    assert [type(order) for order in ordered(game, poor, france, chance(6))] == [Disband]


def test_a_unit_that_can_do_nothing_holds() -> None:
    game = all_variants()["standard"]
    alone = position("France A par", "France par, France bre, France mar")
    (order,) = ordered(game, alone, Power("France"), chance(7))
    assert isinstance(order, Hold | Move)
    assert Location("par") == order.unit.at
