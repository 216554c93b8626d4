"""Colonizing, and the fate of colonies (OS-8 to OS-10, OS-14)."""

from __future__ import annotations

import re

import pytest

from gm.advance import advance
from gm.board import Location, UnitKind
from gm.chance import Chance
from gm.errors import IllegalOrder
from gm.orders import Hold, Move, Order
from gm.orders.notation import write
from gm.position import Unit
from gm.reports.results import eliminations
from gm.variants.outer_space.orders import Beam, Colonize
from tests.tables import table
from tests.variants.outer_space.scenes import GAME, colonies, orders, play, position, same, understood, unit
from tests.variants.telling import explained, told


def case(ruling: str, name: str, *values: object) -> object:
    """A row of a table."""
    return pytest.param(*values, id=f"{ruling} {name}", marks=pytest.mark.ruling(ruling))


@pytest.mark.ruling("OS-8")
@table("""
    case                        | before             | line                          | allowed
    where it is                 | Krell A par        | A PAR COL                     | A Par COL
    where it is, by name        | Krell A par        | A PAR COL PAR                 | A Par COL
    next to it                  | Krell A par        | A PAR COL BUR                 | A Par COL Bur
    with a dash                 | Krell A par        | a par col - bur               | A Par COL Bur
    colonize                    | Krell A par        | Army Paris colonizes Burgundy | A Par COL Bur
    COLONISE                    | Krell A par        | A PAR COLONISE BUR            | A Par COL Bur
    brainwash                   | Krell A par        | A PAR BRAINWASH BUR           | A Par COL Bur
    assimilate                  | Krell A par        | A PAR ASSIMILATE              | A Par COL
    a fleet where it is         | Krell F bre        | F BRE COL                     | F Bre COL
    a fleet along the coast     | Krell F bre        | F BRE COL GAS                 | F Bre COL Gas
    a fleet from the sea        | Krell F eng        | F ENG COL LON                 | F Eng COL Lon
    a fleet, either coast       | Krell F mao        | F MAO COL SPA                 | F Mao COL Spa
    a fleet, with the coast     | Krell F stp/sc     | F STP/SC COL LVN              | F Stp/sc COL Lvn
    not far away                | Krell A par        | A PAR COL MUN                 |
    not inland from a fleet     | Krell F bre        | F BRE COL PAR                 |
    not over the other coast    | Krell F spa/sc     | F SPA/SC COL GAS              |
    not the sea                 | Krell F bre        | F BRE COL ENG                 |
    not where a fleet is at sea | Krell F eng        | F ENG COL                     |
    not by convoy               | Krell A bre, F eng | A BRE COL LON                 |
    not from orbit              | Krell A orb        | A ORB COL BRE                 |
    not with another's unit     | Zorg A par         | A PAR COL                     |
""")
def test_who_may_colonize_what(case: str, before: str, line: str, allowed: str) -> None:
    del case
    where = position("S1902M", before)
    if not allowed:
        with pytest.raises(IllegalOrder):
            understood(where, f"Krell: {line}")
    else:
        power, order = understood(where, f"Krell: {line}")
        assert (power, write(order)) == ("Krell", allowed)
        assert order in GAME.legal_orders(
            GAME.board(where), where, where.units[0], GAME.needs(GAME.board(where), where, power)
        )


@pytest.mark.parametrize(
    ("before", "colonized", "lines", "after"),
    [
        case("OS-8", "it stays where it is", "Krell A par", "", "Krell: A PAR COL BUR", "Krell A par"),
        case("OS-8", "it may be supported to hold", "Krell A par, A pic; Zorg A bur, A gas", "",
             "Krell: A PAR COL BUR, A PIC S A PAR; Zorg: A BUR-PAR, A GAS S A BUR-PAR",
             "Krell A par, A pic; Zorg A bur, A gas"),
        case("OS-8", "it does not defend its target", "Krell A par; Zorg A mun", "",
             "Krell: A PAR COL BUR; Zorg: A MUN-BUR", "Krell A par; Zorg A bur"),
        case("OS-8", "it cuts no support in its target", "Krell A par; Zorg A bur, A mar; Morbo A spa, A gas", "",
             "Krell: A PAR COL BUR; Zorg: A BUR S A MAR, A MAR H; Morbo: A SPA-MAR, A GAS S A SPA-MAR",
             "Krell A par; Zorg A bur, A mar; Morbo A spa, A gas"),
    ],
)  # fmt: skip
def test_a_unit_that_colonizes_holds(before: str, colonized: str, lines: str, after: str) -> None:
    assert same(play(position("S1902M", before, colonized), lines).after, after)


@pytest.mark.parametrize(
    ("before", "colonized", "lines", "after"),
    [
        case("OS-9", "a province it stands in", "Krell A par", "", "Krell: A PAR COL", {"par": "Krell"}),
        case("OS-9", "a vacant province", "Krell A par", "", "Krell: A PAR COL BUR", {"bur": "Krell"}),
        case("OS-9", "into which another of its units moves", "Krell A par, A gas", "",
             "Krell: A PAR COL BUR, A GAS-BUR",
             {"bur": "Krell"}),
        case("OS-9", "occupied by its own although others tried", "Krell A par, A gas, A pic; Zorg A mun", "",
             "Krell: A PAR COL BUR, A GAS-BUR, A PIC H; Zorg: A MUN COL BUR", {"bur": "Krell"}),
        case("OS-9", "two empires try", "Krell A par; Zorg A mun", "", "Krell: A PAR COL BUR; Zorg: A MUN COL BUR", {}),
        case("OS-9", "two units of one empire try", "Krell A par, A gas", "", "Krell: A PAR COL BUR, A GAS COL BUR",
             {"bur": "Krell"}),
        case("OS-9", "another moves in", "Krell A par; Zorg A mun", "", "Krell: A PAR COL BUR; Zorg: A MUN-BUR", {}),
        case("OS-9", "another tries to move in and bounces", "Krell A par; Zorg A mun; Morbo A mar", "",
             "Krell: A PAR COL BUR; Zorg: A MUN-BUR; Morbo: A MAR-BUR", {}),
        case("OS-9", "another tries to beam in and bounces", "Krell A par, A gas; Zorg A orb", "",
             "Krell: A PAR COL BUR, A GAS-BUR; Zorg: A ORB-BUR", {}),
        case("OS-9", "one's own bounce is no hindrance", "Krell A par, A gas, A mar", "",
             "Krell: A PAR COL BUR, A GAS-BUR, A MAR-BUR", {"bur": "Krell"}),
        case("OS-9", "an unconvoyed move is a legal one", "Krell A par; Zorg A lon, F eng", "",
             "Krell: A PAR COL PIC; Zorg: A LON-PIC VIA CONVOY, F ENG H", {}),
        case("OS-9", "another stands there", "Krell A par; Zorg A bur", "", "Krell: A PAR COL BUR; Zorg: A BUR H", {}),
        case("OS-9", "another leaves", "Krell A par; Zorg A bur", "", "Krell: A PAR COL BUR; Zorg: A BUR-MUN",
             {"bur": "Krell"}),
        case("OS-9", "a unit that holds next to it is no attempt", "Krell A par; Zorg A mun", "",
             "Krell: A PAR COL BUR; Zorg: A MUN H", {"bur": "Krell"}),
        case("OS-10", "a new colony replaces an older one", "Krell A par", "Zorg bur", "Krell: A PAR COL BUR",
             {"bur": "Krell"}),
        case("OS-10", "one's own stays", "Krell A par", "Krell par", "Krell: A PAR COL", {"par": "Krell"}),
        case("OS-10", "who moves in without colonizing changes nothing", "Zorg A mun", "Krell bur", "Zorg: A MUN-BUR",
             {"bur": "Krell"}),
    ],
)  # fmt: skip
def test_which_attempts_succeed(before: str, colonized: str, lines: str, after: dict[str, str]) -> None:
    turn = play(position("S1902M", before, colonized), lines)
    assert colonies(turn.after) == after
    assert "attempts" not in turn.after.extra


@pytest.mark.ruling("OS-9")
@pytest.mark.parametrize(
    ("retreat", "after"),
    [
        # The army that colonizes Burgundy from Paris is dislodged: that alone defeats nothing.
        ("Krell: A PAR R ORB", {"bur": "Krell"}),
        ("Krell: A PAR DISBAND", {"bur": "Krell"}),
    ],
)
def test_os_09_judged_after_retreats_whatever_became_of_the_unit(retreat: str, after: dict[str, str]) -> None:
    where = position("S1902M", "Krell A par; Zorg A pic, A gas", colonies="Krell bre")
    turn = play(where, "Krell: A PAR COL BUR; Zorg: A PIC-PAR, A GAS S A PIC-PAR")
    assert turn.after.phase.code == "S1902R"
    assert colonies(turn.after) == {"bre": "Krell"}  # not judged yet
    later = play(turn.after, retreat)
    assert later.after.phase.code == "F1902M"
    assert colonies(later.after) == {"bre": "Krell", **after}


@pytest.mark.ruling("OS-9")
def test_os_09_a_unit_that_retreats_into_the_province_counts() -> None:
    where = position("S1902M", "Krell A par; Zorg A mun; Morbo A tyr, A boh", colonies="Zorg bur")
    turn = play(where, "Krell: A PAR COL BUR; Zorg: A MUN H; Morbo: A BOH-MUN, A TYR S A BOH-MUN")
    stays = play(turn.after, "Zorg: A MUN R ORB")
    assert colonies(stays.after) == {"bur": "Krell"}
    comes = play(turn.after, "Zorg: A MUN R BUR")
    assert colonies(comes.after) == {"bur": "Zorg"}
    assert told(GAME, comes) == ("Krell does not colonize Burgundy: Zorg stands there.",)


@pytest.mark.ruling("OS-9")
def test_os_09_dislodged_from_the_province_it_colonizes() -> None:
    where = position("S1902M", "Krell A par; Zorg A pic, A gas")
    turn = play(where, "Krell: A PAR COL; Zorg: A PIC-PAR, A GAS S A PIC-PAR")
    assert colonies(play(turn.after, "Krell: A PAR R ORB").after) == {}


@pytest.mark.ruling("OS-9")
@pytest.mark.parametrize(
    ("zorg", "after"),
    [
        ("A mun-bur", {}),
        ("A mun COL bur", {}),
        ("A mun-bur; A mun-boh", {"bur": "Krell"}),  # a later order replaced it
        ("A mun COL bur; A mun H", {"bur": "Krell"}),
        ("A mun-boh; A mun-bur", {}),
        ("A vie-bur", {"bur": "Krell"}),  # too far: it could never succeed
        ("A vie COL bur", {"bur": "Krell"}),
        ("A war-bur", {"bur": "Krell"}),  # there is no such unit
        ("A orb.zor-bur", {"bur": "Krell"}),  # jammed: Burgundy is Morbo's
    ],
)
def test_os_09_illegal_and_replaced_orders_make_no_rival(zorg: str, after: dict[str, str]) -> None:
    """Even if an order got past the receipt: the set is adjudicated as it was stored."""
    jammed = "orb" in zorg
    where = position("S1902M", "Krell A par; Zorg A mun, A vie, A orb", colonies="Morbo bur" if jammed else "")
    given = {unit("Krell A par").power: orders(where, "Krell: A PAR COL BUR")[unit("Krell A par").power]}
    given[unit("Zorg A mun").power] = tuple(map(_raw, zorg.split("; ")))
    turn = advance(GAME, where, given, Chance(bytes(32)))
    assert colonies(turn.after) == after


def _raw(text: str) -> Order:
    """An order for a unit of Zorg's as it might be stored, possible or not."""
    at, verb, to = re.split(r"(-| COL | H)", text.removeprefix("A "))
    army = Unit(unit("Zorg A mun").power, UnitKind.ARMY, Location(at))
    if verb == " H":
        return Hold(army)
    if verb == " COL ":
        return Colonize(army, Location(to))
    return Beam(army, Location(to)) if "orb" in at else Move(army, Location(to))


@pytest.mark.ruling("OS-9", "OS-7")
def test_os_09_a_jammed_beam_is_no_attempt() -> None:
    """It is refused on receipt, so it cannot make anybody a rival."""
    where = position("S1902M", "Morbo A par; Krell A orb", colonies="Zorg bur")
    with pytest.raises(IllegalOrder):
        orders(where, "Krell: A ORB-BUR")
    assert colonies(play(where, "Morbo: A PAR COL BUR").after) == {"bur": "Morbo"}


@pytest.mark.ruling("OS-10")
def test_os_10_colonies_do_not_change_who_owns_a_centre() -> None:
    where = position("F1902M", "Krell A gas; Zorg A mos", colonies="Zorg par", centers="Zorg par mos; Krell spa")
    turn = play(where, "Krell: A GAS COL PAR; Zorg: A MOS H")
    assert colonies(turn.after) == {"par": "Krell"}
    assert turn.after.centers_of(unit("Zorg A mos").power) == ("mos", "par")


@pytest.mark.ruling("OS-9", "OS-10")
def test_founded_and_failed_colonies_are_reported() -> None:
    where = position("S1902M", "Krell A par, A gas, A spa; Zorg A mun, A vie", colonies="Zorg gas; Krell spa")
    lines = "Krell: A PAR COL BUR, A GAS COL, A SPA COL; Zorg: A MUN COL BUR, A VIE COL"
    assert told(GAME, play(where, lines)) == (
        "Krell colonizes Gascony (until now Zorg's), Spain (its colony already).",
        "Zorg colonizes Vienna.",
    )
    fight = position("S1902M", "Krell A par; Zorg A mun, A tyr; Morbo A ven", colonies="Morbo pie")
    turn = play(fight, "Krell: A PAR COL BUR; Zorg: A MUN COL BUR, A TYR S Morbo A VEN H; Morbo: A VEN H")
    assert turn.events == ()
    lost = position("S1902M", "Krell A par; Zorg A mun, A tyr, A tri; Morbo A ven", colonies="Morbo pie")
    turn = play(lost, "Krell: A PAR COL BUR; Zorg: A MUN COL BUR, A TYR-VEN, A TRI S A TYR-VEN; Morbo: A VEN H")
    assert told(GAME, play(turn.after, "Morbo: A VEN R PIE")) == (
        "Krell does not colonize Burgundy: Zorg tried for it too.",
        "Zorg does not colonize Burgundy: Krell tried for it too.",
    )


@pytest.mark.ruling("OS-9")
@pytest.mark.parametrize(
    ("before", "lines", "result", "sentence"),
    [
        ("Krell A par", "Krell: A PAR COL BUR", "succeeds", "A Par COL Bur: the unit stays."),
        ("Krell A par; Zorg A mun", "Krell: A PAR COL BUR; Zorg: A MUN COL BUR", "void",
         "A Par COL Bur fails: Zorg tried for it too."),
        ("Krell A par; Zorg A pic, A gas", "Krell: A PAR COL BUR; Zorg: A PIC-PAR, A GAS S A PIC-PAR", "succeeds",
         "A Par COL Bur is judged after the retreats; dislodged by A Pic (2 to 1)."),
        ("Krell A par, 3 A orb; Zorg A pic, A gas", "Krell: A PAR COL BUR; Zorg: A PIC-PAR, A GAS S A PIC-PAR",
         "succeeds", "A Par COL Bur succeeds; dislodged by A Pic (2 to 1)."),
        ("Krell A par, 3 A orb; Zorg A pic, A gas", "Krell: A PAR COL; Zorg: A PIC-PAR, A GAS S A PIC-PAR", "void",
         "A Par COL fails: Zorg stands there; dislodged by A Pic (2 to 1)."),
    ],
)  # fmt: skip
def test_os_09_every_order_says_what_became_of_it(before: str, lines: str, result: str, sentence: str) -> None:
    turn = play(position("S1902M", before), lines)
    outcome = next(o for o in turn.outcomes if isinstance(o.order, Colonize) and o.order.unit.power == "Krell")
    assert (outcome.result, explained(GAME, turn, outcome)) == (result, sentence)


@pytest.mark.ruling("OS-8")
@pytest.mark.parametrize(
    ("unit", "offered"),
    [
        ("F iri", "To colonize: F Iri COL Wal."),
        ("F lon", "To colonize: F Lon COL (where it is), F Lon COL Yor."),
    ],
)
def test_the_form_offers_to_colonize_what_may_be_colonized(unit: str, offered: str) -> None:
    where = position("S1902M", f"Krell {unit}")
    hints = GAME.view(GAME, where, None, where.units[0].power).hints
    assert [hint for hint in hints if "colonize" in hint] == [offered]


@pytest.mark.ruling("OS-14")
def test_who_is_out_in_fall_is_named_with_what_is_taken_off_and_what_is_neutral_again() -> None:
    where = position("F1901M", "Krell A bur, A orb.kre; Zorg A par", colonies="Krell pic", centers="")
    turn = play(where, "Krell: A BUR COL GAS; Zorg: A PAR COL")
    assert told(GAME, turn) == (
        "Krell colonizes Gascony, but has no centre: neutral again at once (OS-14).",
        "Zorg colonizes Paris.",
        "Krell has no centre after Fall and is out; disbanded: A Bur, A Orb; neutral again: Gascony, Picardy (OS-14).",
    )
    assert eliminations(turn, GAME.words) == "Krell is eliminated, without a centre."
