"""Orders drawn for a silent power never contradict each other, and each is drawn from all that is possible (AU-5)."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import pytest

from gm.board import Location, Power, Province, UnitKind, standard_board
from gm.chance import Chance
from gm.orders import Build, Convoy, Move, Order, Support, unit_of
from gm.orders.notation import write
from gm.orders.possible import NOTHING, Need, legal_orders, may_be_convoyed
from gm.position import Position, Unit, parse_unit
from gm.variants.among_us.lots import Lots
from gm.variants.standard import POWERS
from tests.variants.among_us.scenes import phase

BOARD = standard_board()


def drawn(position: Position, power: str, seed: int) -> tuple[Order, ...]:
    lots = Lots(BOARD, position, Power(power), Chance(seed.to_bytes(16, "big")))
    return lots.draw(NOTHING)


def contradictions(orders: tuple[Order, ...], position: Position) -> list[str]:
    """The orders of a set that another of the set makes impossible."""
    of = {unit_of(order): order for order in orders}
    others = [
        unit.at for unit in position.units if unit not in of and BOARD.terrain(BOARD.province(unit.at)).value == "sea"
    ]
    return [write(order) for order in orders if not fits(order, of, others)]


def fits(order: Order, of: dict[Unit | None, Order], others: list[Location]) -> bool:
    """`others`: where other powers have fleets, of which nobody knows what they do."""
    province = BOARD.province
    match order:
        case Support(supported=helped, to=to) | Convoy(convoyed=helped, to=to) if helped not in of and to is not None:
            if helped.kind is not UnitKind.ARMY or (
                isinstance(order, Support) and BOARD.may_step(helped.kind, helped.at, to)
            ):
                return True
            carrying = (o for o in of.values() if isinstance(o, Convoy) and o.convoyed == helped)
            seas = (*others, *(o.unit.at for o in carrying if province(o.to) == province(to)))
            return may_be_convoyed(BOARD, seas, province(helped.at), province(to))
        case Support(supported=helped, to=to) | Convoy(convoyed=helped, to=to) if helped in of:
            done = of[helped]
            if to is None:
                return not isinstance(done, Move)
            return isinstance(done, Move) and province(done.to) == province(to)
        case Move(unit=unit, to=to) if not BOARD.may_step(unit.kind, unit.at, to):
            mine = (o for o in of.values() if isinstance(o, Convoy) and o.convoyed == unit)
            seas = tuple(o.unit.at for o in mine if province(o.to) == province(to))
            return may_be_convoyed(BOARD, seas, province(unit.at), province(to))
    return True


def scattered(rng: Random) -> Position:
    """Up to six units of each of three powers, many of them fleets at sea."""
    places = [p for p in BOARD.provinces if p != "swi"]
    rng.shuffle(places)
    units = []
    for power in POWERS[:3]:
        for _ in range(rng.randint(1, 6)):
            place = places.pop()
            at = (*BOARD.coasts(place), place)[0]
            inland = not BOARD.coasts(place) and BOARD.terrain(place).value != "sea"
            sea = BOARD.terrain(place).value == "sea"
            kind = "F" if sea or (not inland and rng.random() < 0.4) else "A"
            units.append(parse_unit(f"{power} {kind} {at if kind == 'F' else place}"))
    return Position(phase("S1902M"), tuple(units), {})


@pytest.mark.ruling("AU-5")
def test_no_drawn_order_makes_another_impossible() -> None:
    """Random positions and seeds, and the four units of Turkey of which 219 of 400 sets were contradictory."""
    turkey = tuple(map(parse_unit, ("Turkey A ank", "Turkey A con", "Turkey A smy", "Turkey F bla")))
    alone = Position(phase("S1902M"), turkey, {})
    sets = [(drawn(alone, "Turkey", seed), alone) for seed in range(400)]
    rng = Random(5)
    for seed in range(150):
        position = scattered(rng)
        sets += [(drawn(position, power, seed), position) for power in POWERS[:3]]
    assert [found for orders, position in sets if (found := contradictions(orders, position))] == []
    assert any(isinstance(order, Convoy) for orders, _ in sets for order in orders)


@pytest.mark.ruling("AU-5")
def test_what_helps_an_army_that_only_own_fleets_can_carry_has_them_carry_it() -> None:
    units = ("England F bla", "England F rum", "England F sev", "England A smy", "Austria A syr", "France A arm")
    position = Position(phase("S1902M"), tuple(map(parse_unit, units)), {})
    sets = [drawn(position, "England", seed) for seed in range(300)]
    helping = [orders for orders in sets if any("A Arm-" in write(order) and "S" in write(order) for order in orders)]
    assert helping
    assert [found for orders in sets if (found := contradictions(orders, position))] == []
    assert any(write(order) == "F Bla C A Arm-Bul" for orders in helping for order in orders)


@pytest.mark.ruling("AU-5")
def test_a_support_that_names_a_coast_is_of_a_move_to_that_coast() -> None:
    units = ("France A spa", "France F mao", "France F wes", "France A por", "France F bre")
    position = Position(phase("S1905M"), tuple(map(parse_unit, units)), {})
    named = 0
    for seed in range(300):
        orders = drawn(position, "France", seed)
        moves = {order.unit: str(order.to) for order in orders if isinstance(order, Move)}
        for order in orders:
            if isinstance(order, Support) and order.to is not None and "/" in str(order.to):
                assert moves[order.supported] == str(order.to)
                named += 1
    assert named


@pytest.mark.ruling("AU-5")
@pytest.mark.parametrize(
    ("units", "never"),
    [
        ("A ank, F bla", {"A Ank S F Bla-Ank"}),
        ("A lon", {"A Lon-Bel", "A Lon-Nwy"}),
        ("A lon, F yor", {"A Lon-Nwy"}),
    ],
)
def test_each_draw_is_uniform_over_what_is_possible(units: str, never: set[str]) -> None:
    """The unit that is drawn first has every order for which there is a way, each equally often."""
    every = tuple(parse_unit(f"England {unit}") for unit in units.split(", "))
    position = Position(phase("S1902M"), every, {})
    lots = Lots(BOARD, position, every[0].power, Chance(bytes(16)))
    first: dict[Unit, Counter[str]] = {unit: Counter() for unit in every}
    times = 3000
    for seed in range(times):
        chance = Chance(seed.to_bytes(16, "big"))
        begins = chance.shuffled(every, "S1902M", "orders", "England")[0]
        order = next(o for o in drawn(position, "England", seed) if unit_of(o) == begins)
        first[begins][write(order)] += 1
    for unit, counts in first.items():
        legal = legal_orders(BOARD, position, unit)
        possible = {write(order) for order in legal if any(lots.ways(order, {}))}
        assert set(counts) == possible
        assert not possible & never
        expected = counts.total() / len(possible)
        assert sum((count - expected) ** 2 / expected for count in counts.values()) < 3 * len(possible) + 20


@pytest.mark.ruling("AU-5")
def test_the_next_draw_is_uniform_over_what_still_fits() -> None:
    """Whoever is drawn second has every order that does not contradict the first, each equally often."""
    con, smy = every = tuple(map(parse_unit, ("Turkey A con", "Turkey A smy")))
    position = Position(phase("S1902M"), every, {})
    second: dict[Order, Counter[Order]] = defaultdict(Counter)
    for seed in range(3000):
        if Chance(seed.to_bytes(16, "big")).shuffled(every, "S1902M", "orders", "Turkey")[0] == con:
            first, then = drawn(position, "Turkey", seed)
            second[first][then] += 1
    free = {order: counts for order, counts in second.items() if getattr(order, "supported", None) != smy}
    assert len(free) >= 4
    for first, counts in free.items():
        fitting = {
            order for order in legal_orders(BOARD, position, smy) if not contradictions((first, order), position)
        }
        assert set(counts) == fitting
        expected = counts.total() / len(fitting)
        assert sum((count - expected) ** 2 / expected for count in counts.values()) < 3 * len(fitting) + 20


@pytest.mark.ruling("AU-5")
def test_builds_are_drawn_one_for_every_site() -> None:
    need = Need(2, frozenset(map(Province, ("con", "ank", "smy"))))
    turkey = Power("Turkey")
    position = Position(phase("W1902A"), (), dict.fromkeys(need.sites, turkey))
    every = [Lots(BOARD, position, turkey, Chance(bytes([seed]) * 16)).draw(need) for seed in range(40)]
    for orders in every:
        assert sorted(order.unit.at for order in orders if isinstance(order, Build)) == ["ank", "con", "smy"]
    assert len({write(orders[0]) for orders in every}) == 6, "each kind at each site comes first at some time"
