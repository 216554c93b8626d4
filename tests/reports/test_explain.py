"""Outcomes in words: what a player reads beside an order (ST-9)."""

from __future__ import annotations

import pytest

from gm.board import Location, Power
from gm.judge import RULEBOOK_1971, RULEBOOK_2023
from gm.judge.retreats_and_adjustments import resolve_adjustments, resolve_retreats
from gm.orders import Build, Disband, Order, Retreat
from gm.orders.possible import Need
from gm.position import Dislodged, Phase, PhaseKind, Position, Season, parse_unit
from gm.reports.explain import mark, rule, sentence
from gm.variants import all_variants
from gm.variants.standard import STANDARD
from tests.judge.scenes import BOARD, movement, of
from tests.tables import rows, table

GAMES = {
    "bounce": "Germany A mun-bur\nFrance A par-bur",
    "head to head": "Germany A mun-bur\nGermany A ruh S A mun-bur\nFrance A bur-mun",
    "own unit": "Austria A vie-tri\nAustria F tri H\nItaly A tyr S A vie-tri",
    "own support": "Italy A ven-tri\nAustria F tri H\nAustria A vie S A ven-tri",
    "cut": "England F nth S F hel-hol\nEngland F hel-hol\nGermany F den-nth",
    "driven out": "Russia F con S F bla-ank\nRussia F bla-ank\nTurkey F ank-con\nTurkey F aeg S F ank-con",
    "lost": "England A lon-bel\nEngland F eng C A lon-bel\nFrance F mao-eng\nFrance F bre S F mao-eng",
    "no convoy": "England A lon-bel\nEngland F eng C A lon-nwy\nEngland F nth H",
    "paradox": "England F lon S F wal-eng\nEngland F wal-eng\nFrance A bre-lon\nFrance F eng C A bre-lon",
    "void": "Austria A vie S A bud\nAustria A bud-gal\nAustria A tyr S A boh-mun\nGermany A boh H",
    "needless": "England A lon-bel\nEngland F eng C A lon-bel\nEngland F iri C A lon-bel",
    "illegal": "France A par-mos",
}

SENTENCES = [
    *rows("""
    bounce       | mun | bounce | A Mun-Bur bounced: 1 against A Par 1.
    head to head | mun |  | A Mun-Bur moves, 2 against A Bur 1.
    head to head | ruh |  | A Ruh S A Mun-Bur counts.
    own unit     | vie | bounce | A Vie-Tri bounced: it may not dislodge a unit of its own power (2 against F Tri 1).
    own unit     | tri |  | F Tri holds.
    cut          | nth | cut | F Nth S F Hel-Hol cut by F Den.
    cut          | hel |  | F Hel-Hol moves.
    driven out   | con | cut, dislodged | F Con S F Bla-Ank does not count; dislodged by F Ank (2 to 1).
    lost         | lon | convoy disrupted | A Lon-Bel: convoy disrupted: F Eng dislodged by F Mao (2 to 1).
    lost         | eng | dislodged | F Eng C A Lon-Bel fails; dislodged by F Mao (2 to 1).
    no convoy    | lon | no convoy | A Lon-Bel has no convoy: no fleet was ordered to carry it.
    no convoy    | eng | void | F Eng C A Lon-Nwy is void: A Lon was not ordered to Nwy.
    void         | vie | void | A Vie S A Bud is void: A Bud was ordered to move.
    void         | tyr | void | A Tyr S A Boh-Mun is void: A Boh was not ordered to move to Mun.
    needless     | lon |  | A Lon-Bel is convoyed.
    needless     | eng |  | F Eng C A Lon-Bel succeeds.
    needless     | iri | void | F Iri C A Lon-Bel is void: the army did not need it.
    illegal      | par | illegal | A Par-Mos is not possible: it cannot get there.
    """),
    (
        "head to head",
        "bur",
        "bounce, dislodged",
        "A Bur-Mun bounced head to head: 1 against A Mun 2; dislodged by A Mun (2 to 1).",
    ),
    (
        "own support",
        "ven",
        "bounce",
        "A Ven-Tri bounced: 1 against F Tri 1; the support of A Vie does not count against a unit of its own power.",
    ),
    (
        "paradox",
        "bre",
        "convoy disrupted",
        "A Bre-Lon is part of a convoy paradox, so it does not move (F Eng dislodged by F Wal (2 to 1)).",
    ),
]


@pytest.mark.ruling("ST-9")
@pytest.mark.parametrize(("game", "at", "marked", "said"), SENTENCES)
def test_movement(game: str, at: str, marked: str, said: str) -> None:
    outcome = of(movement(GAMES[game]), at)
    assert sentence(outcome, BOARD, STANDARD.words) == said
    assert mark(outcome, STANDARD.words) == marked


@table("""
    game         | at  | named
    bounce       | mun | DATC 5.B
    head to head | bur | DATC 5.B.1
    own unit     | vie | IX.3
    own support  | ven | DATC 6.D.12
    cut          | nth | DATC 6.D.2
    driven out   | con | DATC 6.D.17
    lost         | lon | one route holds (DATC 4.A.1)
    paradox      | bre | Szykman
    needless     | iri | DATC 6.G.19
""")
def test_the_rule_is_named(game: str, at: str, named: str) -> None:
    assert named in rule(of(movement(GAMES[game]), at), RULEBOOK_2023, STANDARD.words)


def test_nothing_at_issue_names_no_rule() -> None:
    assert rule(of(movement("France A par-bur"), "par"), RULEBOOK_2023, STANDARD.words) == ""


def test_the_rule_is_the_edition_s() -> None:
    lost = of(movement(GAMES["lost"] + "\nGermany F nth C A lon-bel", RULEBOOK_1971), "lon")
    assert "stays if one ordered route is disrupted" in rule(lost, RULEBOOK_1971, STANDARD.words)


def test_retreats() -> None:
    units = [parse_unit(text) for text in ("Italy A vie", "Italy A boh", "Austria F tri")]
    vie, boh, tri = units
    dislodged = tuple(Dislodged(unit, BOARD.province(Location("mos"))) for unit in units)
    position = Position(Phase(1901, Season.SPRING, PhaseKind.RETREAT), (), {}, dislodged)
    orders = [Retreat(vie, Location("tyr")), Retreat(boh, Location("tyr")), Retreat(tri, Location("alb"))]
    said = [sentence(outcome, BOARD, STANDARD.words) for outcome in resolve_retreats(BOARD, position, orders).outcomes]
    assert said == [
        "A Vie R Tyr: disbanded, because A Boh retreated there too.",
        "A Boh R Tyr: disbanded, because A Vie retreated there too.",
        "F Tri retreats to Albania.",
    ]
    outcomes = resolve_retreats(BOARD, position, orders[2:]).outcomes
    unordered = [sentence(outcome, BOARD, STANDARD.words) for outcome in outcomes]
    assert "A Vie is disbanded because no retreat was ordered." in unordered


def test_adjustments() -> None:
    france, russia = Power("France"), Power("Russia")
    units = tuple(map(parse_unit, ("Russia A mos", "Russia A lvn", "Russia A ukr")))
    position = Position(
        Phase(1901, Season.WINTER, PhaseKind.ADJUSTMENT), units, {BOARD.province(Location("mos")): russia}
    )
    sites = frozenset({BOARD.province(Location("par")), BOARD.province(Location("bre"))})
    due = {france: Need(2, sites), russia: Need(-2)}
    orders: list[Order] = [Build(parse_unit("France A par")), Disband(units[0])]
    outcomes = resolve_adjustments(BOARD, RULEBOOK_2023, position, orders, due).outcomes
    assert [sentence(outcome, BOARD, STANDARD.words) for outcome in outcomes] == [
        "A Par is built.",
        "A Mos is disbanded.",
        "Waived because it was not ordered.",
        "A Lvn is removed by the rules: the farthest unit goes first (ST-6).",
    ]
    assert "the nearest centre owned" in rule(outcomes[-1], RULEBOOK_2023, STANDARD.words)
    for name, ruling in (("the-aliens", "nearest to a transmitter of its own (AL-13)"), ("outer-space", "(OS-13)")):
        assert ruling in rule(outcomes[-1], RULEBOOK_2023, all_variants()[name].words)
