"""What is seen of small positions, and what is told of it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gm import standins
from gm.advance import advance
from gm.board import Location, Power, Province, UnitKind
from gm.errors import IllegalOrder
from gm.maps.picture import figure
from gm.orders import Convoy, Hold, Move, Order, Retreat, Support, UnitName
from gm.orders.notation import write
from gm.orders.possible import retreat_options
from gm.play.missing_orders import random_orders
from gm.position import Phase, PhaseKind, Position, Season, parse_unit
from gm.reports.blocks import turn_text
from gm.turn import Turn
from gm.variants import all_variants
from gm.variants.fog.sight import sight_of
from gm.views import MASTER
from tests.tables import table
from tests.variants.fog.knowing import BOARD, CHANCE, FOG

SPRING = Phase(1903, Season.SPRING, PhaseKind.MOVEMENT)
FRANCE, ITALY = Power("France"), Power("Italy")


def at(units: str, centers: Mapping[str, str] | None = None, phase: Phase = SPRING) -> Position:
    """`at("France A par, Italy F tys", {"Italy": "nap rom"})`."""
    owned = {Province(p): Power(power) for power, text in (centers or {}).items() for p in text.split()}
    return Position(phase, tuple(parse_unit(one.strip()) for one in units.split(",")), owned)


def played(position: Position, **orders: str) -> Turn:
    """The turn with orders such as `France="par-bur, mar S par-bur"`."""
    given: dict[Power, tuple[Order, ...]] = {}
    for power, text in orders.items():
        given[Power(power)] = tuple(_order(position, Power(power), one.strip()) for one in text.split(","))
    return advance(FOG, position, given, CHANCE)


def _order(position: Position, power: Power, text: str) -> Order:
    unit, _, rest = text.partition(" ")
    name = UnitName(Location(unit.partition("-")[0]))
    if "-" in unit:
        kind = Retreat if position.phase.kind is PhaseKind.RETREAT else Move
        return FOG.order_of(position, power, None, kind(name, Location(unit.partition("-")[2])))
    verb, _, other = rest.partition(" ")
    helped, _, to = other.partition("-")
    if verb == "S":
        return FOG.order_of(
            position, power, None, Support(name, UnitName(Location(helped)), Location(to) if to else None)
        )
    if verb == "C":
        return FOG.order_of(position, power, None, Convoy(name, UnitName(Location(helped)), Location(to)))
    return FOG.order_of(position, power, None, Hold(name))


def told(turn: Turn, power: str | None) -> str:
    said = turn_text(FOG.view(FOG, turn.after, turn, Power(power) if power else None), FOG.adjectives)
    return said.replace("\n    ", " ")


@table(
    """
    what | units | centers | seen
    an army | France A par | | bre bur gas par pic
    an army sees the sea | France A gas | | bre bur gas mao mar par spa
    a fleet sees the land | France F bre | | bre eng gas mao par pic
    a fleet on one coast sees as from the other | France F spa/nc | | gas lyo mao mar por spa wes
    a centre that is owned | Italy A rom | France: par | bre bur gas par pic
    a centre that nobody owns | Italy A rom | | -
    """
)
@pytest.mark.ruling("FW-1")
def test_what_a_power_sees(what: str, units: str, centers: str, seen: str) -> None:
    power, _, owned = centers.partition(":")
    position = at(units, {power: owned} if owned else {})
    assert " ".join(sorted(sight_of(BOARD, position, FRANCE))) == seen.strip("-"), what
    assert sight_of(BOARD, position, None) == frozenset()


MEETING = at("France A par, France A mar, Germany A mun, Italy A tus, Austria A boh, Italy A nap")


@pytest.mark.ruling("FW-2", "FW-8")
def test_a_move_into_sight_and_out_of_it_is_told_by_the_part_that_is_seen() -> None:
    turn = played(MEETING, France="par-bur, mar-gas", Germany="mun-ruh", Italy="tus-pie, nap-apu", Austria="boh-mun")
    said = told(turn, "France")
    assert "Germany: Army Munich -> Ruhr" in said
    assert "Austria: Army (out of sight) -> Munich." in said
    assert "Italy: Army (out of sight) -> Piedmont." in said
    assert "Boh" not in said
    assert "Apulia" not in said
    assert "France: Army (out of sight) -> Burgundy." in told(turn, "Germany")
    assert told(turn, None) == ""


@pytest.mark.ruling("FW-2")
def test_sight_is_that_of_before_and_of_after() -> None:
    turn = played(at("France A par, Germany A mun, Germany A pic"), France="par-bur", Germany="mun, pic")
    assert "Germany: Army Munich HOLD." in told(turn, "France")
    assert "Germany: Army Picardy HOLD." in told(turn, "France")


@pytest.mark.ruling("FW-8")
def test_a_reason_names_nothing_that_is_not_seen() -> None:
    position = at("France A par, Germany A mun, Germany A ruh, Germany A bel, Italy A rom")
    turn = played(position, France="par-bur", Germany="mun-bur, ruh S mun-bur, bel S mun-bur", Italy="rom")
    said = told(turn, "France")
    assert "A Par-Bur bounced: something was stronger or as strong." in said
    assert not [word for word in (" 1", " 2", " 3", "against") if word in said]
    dislodged = played(at("France A bur, Germany A mun, Germany A ruh"), Germany="mun-bur, ruh S mun-bur", France="bur")
    assert "A Bur H failed; the unit was dislodged." in told(dislodged, "France")


@pytest.mark.ruling("FW-5")
def test_orders_for_the_unseen_are_accepted_by_form_alone() -> None:
    fleets = "France A par, France F mao, France F eng, Germany F nth"
    here, there = at(f"{fleets}, Germany A mun"), at(fleets)
    for written in (
        Support(UnitName(Location("par")), UnitName(Location("mun")), Location("bur")),
        Support(UnitName(Location("par")), UnitName(Location("mun"), UnitKind.FLEET), Location("bur")),
        Support(UnitName(Location("par")), UnitName(Location("bal")), Location("bur")),
        Support(UnitName(Location("mao")), UnitName(Location("tun"), UnitKind.ARMY), Location("spa")),
        Convoy(UnitName(Location("eng")), UnitName(Location("nwy")), Location("bre")),
    ):
        orders = [FOG.order_of(position, FRANCE, None, written) for position in (here, there)]
        assert orders[0] == orders[1]
    with pytest.raises(IllegalOrder, match="There is no unit in Bur"):
        FOG.order_of(here, FRANCE, None, Support(UnitName(Location("par")), UnitName(Location("bur")), Location("gas")))


def test_an_order_for_the_unseen_is_for_who_is_there() -> None:
    position = at("France A par, Germany A mun, Italy A bur")
    turn = played(position, France="par S mun-bur", Germany="mun-bur")
    assert "had nowhere to retreat" in told(turn, "France") or turn.after.dislodged
    assert "A Par S A Ruh-Bur: no such order was seen" in told(played(position, France="par S ruh-bur"), "France")
    named = Support(UnitName(Location("par")), UnitName(Location("mun"), power=ITALY), Location("bur"))
    wrong = advance(FOG, position, {FRANCE: (FOG.order_of(position, FRANCE, None, named),)}, CHANCE)
    assert not wrong.after.dislodged


@pytest.mark.ruling("FW-8")
def test_a_retreat_against_which_nothing_is_seen_is_offered_and_fails() -> None:
    """Two armies from out of sight bounced in Belgium; a third that was seen bounced in Gascony."""
    units = "France A bur, Germany A mun, Germany A mar, Italy A hol, England F nth, Italy A spa, England A par"
    position = at(units, {"Germany": "mun", "Italy": "rom", "England": "lon"})
    orders = {"Germany": "mun-bur, mar S mun-bur", "Italy": "hol-bel, spa-gas", "England": "nth-bel, par-gas"}
    moved = played(position, France="bur", **orders)
    (driven,) = moved.after.dislodged
    assert {"bel", "gas"} <= moved.after.contested
    seen = FOG.seen(FOG, moved.after, FRANCE)
    offered = retreat_options(BOARD, seen, seen.dislodged[0])
    assert "bel" in offered
    assert "gas" not in offered
    assert "Belgium" in told(moved, "France")
    failed = played(moved.after, France="bur-bel")
    assert driven.unit not in failed.after.units
    assert "A Bur R Bel failed, so the unit was disbanded: the place was not free." in told(failed, "France")


@pytest.mark.ruling("FW-4")
def test_nobody_is_told_of_others_what_is_not_on_the_board() -> None:
    turn = played(at("France A par, Germany A bur, Italy A rom, Turkey A con", {"Turkey": "con"}), France="par")
    assert "NMR" not in told(turn, "France")
    assert "Germany, Italy and Turkey sent no orders (NMR)" in told(turn, MASTER)
    shown = FOG.view(FOG, turn.after, turn, FRANCE)
    assert shown.counted == (FRANCE,)
    assert set(shown.duties) <= {FRANCE}
    assert FOG.view(FOG, turn.after, turn, None).blank
    assert figure(FOG.view(FOG, turn.after, turn, None)) is None


@pytest.mark.ruling("FW-7")
def test_stand_ins_and_lots_know_what_is_seen() -> None:
    near, far = at("France A par, Germany A mar"), at("France A par, Germany A mar, Italy A mun, Italy F bel")
    orders = [standins.orders_of(FOG, FOG.view(FOG, one, None, FRANCE), CHANCE) for one in (near, far)]
    assert orders[0] == orders[1]
    assert random_orders(FOG, near, FRANCE, CHANCE) == random_orders(FOG, far, FRANCE, CHANCE)
    assert "fog" in all_variants()
    assert write(orders[0][0])
