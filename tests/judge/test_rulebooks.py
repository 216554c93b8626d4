"""What the switches of a rulebook change, beyond the DATC cases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.board import Location, Power, Province
from gm.judge import RULEBOOK_1971, RULEBOOK_2000, RULEBOOK_2023, RULEBOOKS, RemovalRule, Rulebook
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Result, Why
from gm.judge.retreats_and_adjustments import removal_order
from gm.orders import Move
from gm.position import Phase, PhaseKind, Position, Season, Unit, parse_unit
from tests.judge.scenes import BOARD, allowing_self_dislodgement, movement, of

OWN_ATTACK = """
    Germany A mun-bur
    Germany A ruh S A mun-bur
    Germany A bur H
"""


@pytest.mark.ruling("ST-4")
@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_self_dislodgement_is_a_switch_of_its_own(rulebook: Rulebook) -> None:
    forbidden = movement(OWN_ATTACK, rulebook)
    assert of(forbidden, "mun").result is Result.BOUNCES
    assert of(forbidden, "mun").facts.why is Why.OWN_UNIT
    allowed = movement(OWN_ATTACK, allowing_self_dislodgement(rulebook))
    assert of(allowed, "bur").dislodged_by == parse_unit("Germany A mun")


def test_with_self_dislodgement_own_support_helps_others_against_own_units() -> None:
    """The second example of the 1971 rulebook's IX.3, with the result when that rule does not apply."""
    lines = """
        France A bur H
        Germany A mun-bur
        Germany A kie S A boh-mun
        Austria A boh-mun
    """
    assert of(movement(lines, RULEBOOK_1971), "boh").facts.uncounted == (parse_unit("Germany A kie"),)
    struck_out = movement(lines, allowing_self_dislodgement(RULEBOOK_1971))
    assert of(struck_out, "boh").succeeded
    assert of(struck_out, "mun").dislodged_by == parse_unit("Austria A boh")


def test_with_self_dislodgement_a_unit_is_driven_out_by_its_own_while_it_bounces() -> None:
    lines = """
        Germany A kie-ruh
        Germany A mun S A kie-ruh
        France A bur-ruh
        France A par S A mar-bur
        France A mar-bur
        France A pic H
        France A bel H
    """
    struck_out = movement(lines, allowing_self_dislodgement(RULEBOOK_1971))
    assert of(struck_out, "bur").dislodged_by == parse_unit("France A mar")
    assert of(struck_out, "kie").succeeded
    assert of(movement(lines, RULEBOOK_1971), "mar").result is Result.BOUNCES


def test_two_attacks_that_dislodge_each_others_own_support_both_fail() -> None:
    """Only self-dislodgement leaves this open: each attack drives out the other's supporter, of the same power."""
    resolution = movement(
        """
        England A wal-lon
        England F nth S A wal-lon
        England F lon S F edi-nth
        England F edi-nth
        """,
        allowing_self_dislodgement(RULEBOOK_2023),
    )
    assert of(resolution, "wal").result is Result.BOUNCES
    assert of(resolution, "edi").result is Result.BOUNCES
    assert of(resolution, "edi").facts.why is Why.UNDECIDED
    assert resolution.dislodged == ()


def test_two_attacks_that_leave_no_resolution_both_fail() -> None:
    """The one succeeds if the other fails, the other if the one succeeds."""
    lines = """
        France F nth S F bre-eng
        Austria F wal S F eng
        Austria F iri-wal
        France F bre-eng
        France F eng S F iri-wal
    """
    resolution = movement(lines, allowing_self_dislodgement(RULEBOOK_1971))
    assert [of(resolution, at).facts.why for at in ("iri", "bre")] == [Why.UNDECIDED] * 2
    assert resolution.dislodged == ()


TWO_ROUTES = """
    England A lon-nth-bel
    England F nth C A lon-bel
    Germany F eng C A lon-bel"""


def test_a_spelled_out_route_is_the_only_one_that_matters_in_1971() -> None:
    lines = TWO_ROUTES + "\nFrance F bre S F mao-eng\nFrance F mao-eng"
    assert of(movement(lines, RULEBOOK_1971), "lon").succeeded
    assert of(movement(lines.replace("lon-nth-bel", "lon-bel"), RULEBOOK_1971), "lon").result is Result.DISRUPTED


@pytest.mark.ruling("ST-1")
def test_a_lost_route_is_fatal_in_1971_only() -> None:
    lines = TWO_ROUTES + "\nFrance F nwy S F ska-nth\nFrance F ska-nth"
    assert of(movement(lines, RULEBOOK_1971), "lon").result is Result.DISRUPTED
    assert of(movement(lines, RULEBOOK_2000), "lon").succeeded


@pytest.mark.ruling("ST-3")
def test_the_2023_rulebook_walks_when_no_convoy_was_possible_at_all() -> None:
    """`via convoy` shows no intent where no fleet could carry the army (DATC 6.G.7 for fleets)."""
    assert of(movement("France A bel-hol via convoy"), "bel").succeeded
    waiting = "France A bel-hol via convoy\nEngland F nth H"
    assert of(movement(waiting), "bel").result is Result.NO_CONVOY
    assert of(movement(waiting, RULEBOOK_2000), "bel").succeeded


def test_ring_and_stood_off_ring_in_one_phase() -> None:
    resolution = movement(
        """
        Turkey F ank-con
        Turkey A con-smy
        Turkey A smy-ank
        France A par-bur
        France A bur-mar
        France A mar-gas
        France A gas-par
        Germany A mun-bur
        """
    )
    assert [of(resolution, at).succeeded for at in ("ank", "con", "smy")] == [True] * 3
    assert [of(resolution, at).succeeded for at in ("par", "bur", "mar", "gas")] == [False] * 4


def _winter(units: tuple[Unit, ...], owned: str) -> Position:
    centers = {Province(code): units[0].power for code in owned.split()}
    return Position(Phase(1901, Season.WINTER, PhaseKind.ADJUSTMENT), units, centers)


@pytest.mark.ruling("ST-6")
def test_distance_of_removals_by_rulebook() -> None:
    """From home by 1971, from any centre owned by 2023; fleets only by water in 1971."""
    units = tuple(map(parse_unit, ("Italy A war", "Italy A tus", "Italy F bla")))
    position = _winter(units, "war")
    power = Power("Italy")
    assert [unit.at for unit in removal_order(BOARD, RULEBOOK_1971, position, power)] == ["bla", "war", "tus"]
    assert [unit.at for unit in removal_order(BOARD, RULEBOOK_2023, position, power)] == ["tus", "bla", "war"]


def test_a_power_without_centres_loses_fleets_first() -> None:
    units = tuple(map(parse_unit, ("Italy A ven", "Italy F wes", "Italy F adr")))
    order = removal_order(BOARD, replace(RULEBOOK_2023, removals=RemovalRule.OWNED), _winter(units, ""), Power("Italy"))
    assert [unit.at for unit in order] == ["adr", "wes", "ven"]


@pytest.mark.ruling("ST-7")
def test_a_unit_ordered_twice_does_the_last() -> None:
    unit = parse_unit("France A par")
    resolution = resolve_movement(
        BOARD,
        RULEBOOK_2023,
        [unit],
        [Move(unit, Location("bur")), Move(unit, Location("gas")), Move(unit, Location("mar"))],
    )
    first, second, third = resolution.outcomes
    assert (first.result, first.facts.why) == (Result.VOID, Why.REPLACED)
    assert second.succeeded
    assert third.result is Result.ILLEGAL
    assert resolution.units == (parse_unit("France A gas"),)
