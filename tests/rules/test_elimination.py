"""A power is reported as eliminated when its last unit goes, and only once."""

from __future__ import annotations

import pytest

from gm.advance import advance
from gm.board import Power, Province
from gm.chance import Chance
from gm.orders import Disband, Move
from gm.position import Dislodged, Phase, PhaseKind, Position, Season, parse_unit
from gm.turn import Turn
from gm.variants import all_variants
from gm.variants.standard import STANDARD
from tests.variants.random_play import play, random_orders
from tests.variants.test_sent_back import NAMES, PLAYERS
from tests.variants.written import WRITTEN

pytestmark = pytest.mark.long

FRANCE, GERMANY = Power("France"), Power("Germany")
CHANCE = Chance(bytes(32))


def position(season: Season, kind: PhaseKind, units: str, centers: str = "par", dislodged: str = "") -> Position:
    owners = {Province(code): FRANCE for code in centers.split()}
    lost = tuple(Dislodged(parse_unit(text), Province("par")) for text in filter(None, dislodged.split(", ")))
    return Position(Phase(1903, season, kind), tuple(map(parse_unit, units.split(", "))), owners, lost)


@pytest.mark.ruling("ST-10")
def test_in_winter_when_the_last_units_are_removed() -> None:
    before = position(Season.WINTER, PhaseKind.ADJUSTMENT, "France A par, Germany A bur")
    turn = advance(STANDARD, before, {GERMANY: (Disband(before.units_of(GERMANY)[0]),)}, CHANCE)
    assert turn.eliminated == (GERMANY,)
    assert advance(STANDARD, before, {}, CHANCE).eliminated == (GERMANY,)


def test_in_spring_when_the_last_unit_of_a_power_without_centres_is_destroyed() -> None:
    before = position(
        Season.SPRING, PhaseKind.RETREAT, "France A bur, France A mar", "par mar bre", dislodged="Germany A gas"
    )
    assert advance(STANDARD, before, {}, CHANCE).eliminated == (GERMANY,)


def test_in_fall_when_the_last_centre_is_taken_and_no_unit_is_left() -> None:
    before = position(Season.FALL, PhaseKind.MOVEMENT, "France A bur, France A ber", "par mar bre")
    before = Position(before.phase, before.units, {**before.centers, Province("mun"): GERMANY})
    army = before.units_of(FRANCE)[1]
    assert army.at == "bur"
    turn = advance(STANDARD, before, {FRANCE: (Move(army, Move(army, parse_unit("X A mun").at).to),)}, CHANCE)
    assert turn.eliminated == (GERMANY,)


def test_not_while_a_unit_or_a_centre_is_left() -> None:
    before = position(Season.WINTER, PhaseKind.ADJUSTMENT, "France A par, Germany A bur, Germany A mun", "par mar")
    before = Position(before.phase, before.units, {**before.centers, Province("ber"): GERMANY})
    assert advance(STANDARD, before, {}, CHANCE).eliminated == ()


@pytest.mark.parametrize("name", WRITTEN)
def test_every_elimination_is_reported_once(name: str) -> None:
    game = all_variants()[name]
    phases = 40 if game.seating.powers else 20  # boards that grow with their players soon have hundreds of units
    for seed in range(3):
        told: list[Power] = []
        turns: list[Turn] = []
        powers = game.seating.powers or NAMES
        for turn in play(game, powers, seed, phases, PLAYERS.get(name, random_orders)):
            told += turn.eliminated
            turns.append(turn)
        assert len(told) == len(set(told)), told
        last = turns[-1].after
        left = {unit.power for unit in last.units} | set(last.centers.values()) | {d.unit.power for d in last.dislodged}
        assert not left & set(told)
        known = [p for p in game.powers(turns[0].before) if p in (game.seating.powers or powers)]
        had = {unit.power for turn in turns for unit in turn.before.units}
        pieces = {piece.power for piece in game.pieces(last)}
        assert {p for p in known if p in had and p not in left and p not in pieces} <= set(told)
