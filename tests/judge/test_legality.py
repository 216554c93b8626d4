"""Orders refused on receipt, with words that say what to write instead (ST-8), and what is filled in (DATC 4.B)."""

from __future__ import annotations

import pytest

from gm.board import Power, Province, standard_board
from gm.errors import Ambiguous, GmError, IllegalOrder
from gm.orders import Order
from gm.orders.legality import understand
from gm.orders.notation import code, write
from gm.orders.possible import NOTHING, Need
from gm.position import Dislodged, Phase, PhaseKind, Position, Season, parse_unit
from tests.judge.reader import written
from tests.tables import table

BOARD = standard_board()

UNITS = tuple(
    parse_unit(unit)
    for unit in (
        "England A lon",
        "England A lvp",
        "England F nth",
        "England F eng",
        "France A par",
        "France F mao",
        "France F gas",
        "France F spa/nc",
        "Germany A mun",
        "Germany F kie",
        "Italy F lyo",
        "Turkey F con",
        "Turkey A bul",
        "Russia A sev",
    )
)
DISLODGED = tuple(
    Dislodged(parse_unit(unit), Province(origin), convoyed)
    for unit, origin, convoyed in (("Austria A ser", "bul", False), ("Italy F por", "spa", True))
)
DUE = {"France": Need(2, frozenset({Province("bre"), Province("mar")})), "Russia": Need(-1)}
STP = Need(1, frozenset({Province("stp"), Province("mos")}))


def _understood(kind: PhaseKind, text: str, need: Need = NOTHING) -> Order:
    season = Season.WINTER if kind is PhaseKind.ADJUSTMENT else Season.SPRING
    owners = {Province("bre"): Power("France"), Province("mar"): Power("France"), Province("bel"): Power("France")}
    dislodged = DISLODGED if kind is PhaseKind.RETREAT else ()
    contested = frozenset({Province("gre")})
    position = Position(Phase(1905, season, kind), UNITS, owners, dislodged, contested)
    power, order = written(text)
    return understand(BOARD, position, power, order, DUE.get(power, need))


def _answer(kind: PhaseKind, text: str, need: Need = NOTHING) -> str:
    """The order as understood, or why it is refused."""
    try:
        return write(_understood(kind, text, need), code)
    except GmError as refusal:
        return refusal.problem


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("France F gas-spa", "F gas-spa/nc"),  # the only coast it reaches; DATC 4.B.2
        ("Turkey F con-bul/sc", "F con-bul/sc"),
        ("France A par-gas", "A par-gas"),
        ("England A lon-nwy", "A lon-nwy"),  # two powers' fleets, or one, could carry it
        ("England A lon-nth-nwy", "A lon-nth-nwy"),
        ("England A lon-spa", "A lon-spa"),
        ("England A lon-yor via convoy", "A lon-yor via convoy"),
        ("France F mao S F spa/sc", "F mao S F spa/nc"),  # whatever coast it said; DATC 6.B.16
        ("France F mao S F gas-spa", "F mao S F gas-spa"),
        ("Italy F lyo S F gas-spa/nc", "F lyo S F gas-spa/nc"),  # another coast than it reaches itself; DATC 6.B.4
        ("France F gas S F mao-spa", "F gas S F mao-spa"),
        ("England F eng S A par-pic", "F eng S A par-pic"),
        ("England F nth C A lon-nwy", "F nth C A lon-nwy"),
        ("England F eng C A lon-spa/nc", "F eng C A lon-spa"),
        ("France F mao C lon-gas", "F mao C A lon-gas"),
        ("Germany mun-ruh", "A mun-ruh"),
        ("Germany kie H", "F kie H"),
    ],
)
def test_a_possible_order_is_understood(text: str, meant: str) -> None:
    assert write(_understood(PhaseKind.MOVEMENT, text), code) == meant


@pytest.mark.ruling("ST-13")
@pytest.mark.ruling("ST-8")
@table("""
    text | problem | remedy
    France A par-mar | A Par cannot get to Mar | It can go to Bre, Bur, Gas or Pic.
    France A par-par | A Par is in Par already | write A Par H
    France A bur-mun | There is no unit in Bur |
    France A mun-bur | A Mun is Germany's |
    France F par-pic | There is no fleet in Par; the unit there is A Par | write A Par
    France F spa/nc-lyo | F Spa/nc cannot go to Lyo | It can go to Gas, Mao or Por.
    France F gas-spa/sc | F Gas-Spa/sc is not possible | Write F Gas-Spa/nc.
    Germany F kie-mun | not adjacent for a fleet | It can go to Bal, Ber, Den, Hel or Hol.
    England A lvp-iri | A Lvp cannot go to Iri: it is at sea | It can go to Cly, Edi, Wal or Yor.
    England A lvp-nwy | there is no chain of fleets |
    England A lon-nwg-nwy | A Lon cannot go over Nwg: no fleet is there |
    Germany A mun S A mun | A Mun cannot support itself | write A Mun H
    Germany A mun S A par | could not move there |
    Germany A mun S A par-bre | cannot support into Bre |
    Germany A mun S F kie-mun | cannot support into Mun |
    Germany A mun S A par-ruh | A Par cannot get there | write A Mun S A Par
    Germany A mun S F kie-kie | F Kie is in Kie already | write A Mun S F Kie
    Germany F kie S A mun-ber |  |
    France F mao S F gas-spa/sc | cannot get to that coast | Write F Mao S F Gas-Spa/nc.
    France F spa/nc S F lyo | could not move there |
    France A par C A lon-bre | only fleets can |
    Turkey F con C A bul-ank | cannot convoy: it is in port |
    England F nth C F kie-nwy | only armies are convoyed |
    England F nth C A lon-lon | cannot be convoyed to Lon |
    England F nth C A lon-pic | no route needs it |
    Italy F lyo C A lon-bre | no route needs it |
    England A lon R yor | movement phase | write A Lon-Yor
    England A lon disband | movement phase | write A Lon H
    England build A lon | no builds in this phase |
    England waive | no builds in this phase |
""")
def test_an_impossible_order_is_refused(text: str, problem: str, remedy: str) -> None:
    """Or accepted, where no problem stands. Nobody lies off Liverpool."""
    if not problem:
        assert _understood(PhaseKind.MOVEMENT, text)
        return
    with pytest.raises(IllegalOrder) as refusal:
        _understood(PhaseKind.MOVEMENT, text)
    assert problem in refusal.value.problem
    assert remedy in refusal.value.remedy


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("France F mao-spa", "Write F Mao-Spa/nc or F Mao-Spa/sc."),
        ("Turkey F con-bul", "Write F Con-Bul/ec or F Con-Bul/sc."),
    ],
)
def test_two_coasts_are_asked_for(text: str, choices: str) -> None:
    """DATC 4.B.1: the fleet that can reach both must say which."""
    with pytest.raises(Ambiguous) as question:
        _understood(PhaseKind.MOVEMENT, text)
    assert question.value.remedy == choices


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Austria A ser R alb", "A ser R alb"),
        ("Austria A ser-tri", "A ser R tri"),
        ("Austria ser disband", "A ser disband"),
        ("Italy F por R mao", "is occupied"),
        ("Italy F por R spa/nc", "is occupied"),
        ("Austria A ser R bul", "is occupied"),
        ("Austria A ser R gre", "units bounced there"),
        ("Austria A ser R vie", "not adjacent"),
        ("Austria A ser S F por", "can only retreat or disband"),
        ("Austria A ser H", "can only retreat or disband"),
        ("France A par-pic", "A Par was not dislodged"),
        ("Austria A bul-ser", "A Bul was not dislodged"),
        ("Austria waive", "retreat phase"),
    ],
)
def test_retreats(text: str, meant: str) -> None:
    assert meant in _answer(PhaseKind.RETREAT, text)


def test_no_retreat_to_where_the_attacker_came_from() -> None:
    position = Position(
        Phase(1905, Season.SPRING, PhaseKind.RETREAT),
        (),
        {},
        (Dislodged(parse_unit("Austria A ser"), Province("bul")),),
    )
    power, order = written("Austria A ser R bul")
    with pytest.raises(IllegalOrder, match="its attacker came from there"):
        understand(BOARD, position, power, order)


@pytest.mark.ruling("ST-5")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("France build A bre", "Build A bre"),
        ("France build F mar", "Build F mar"),
        ("France build mar", "army or fleet?"),
        ("France build A par", "you do not own it"),
        ("France build A gas", "not a supply centre"),
        ("France build A bel", "not one of your home centres"),
        ("France waive", "Waive"),
        ("France remove A par", "no unit to remove"),
        ("France A par-pic", "only builds and removals"),
        ("Russia build A mos", "nothing to build"),
        ("Russia remove A sev", "A sev disband"),
        ("Russia remove A mos", "There is no unit in Mos"),
        ("Russia waive", "no build to waive"),
        ("Austria build F stp", "which coast?"),
        ("Austria build F stp/nc", "Build F stp/nc"),
        ("Austria build A stp/nc", "Build A stp"),  # DATC 6.I.4
        ("Austria build mos", "Build A mos"),
        ("Austria build F mos", "it has no coast"),
    ],
)
def test_adjustments(text: str, meant: str) -> None:
    assert meant in _answer(PhaseKind.ADJUSTMENT, text, STP)
