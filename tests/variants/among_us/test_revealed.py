"""What is revealed stays known (AU-13): a unit that the Alien has shown is marked for everybody wherever it goes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.board import Power, Province
from gm.cli.verify import replay
from gm.errors import IllegalOrder
from gm.maps.picture import svg
from gm.maps.scene import scene
from gm.orders import UnitName
from gm.play.export import chronicle_of
from gm.position import Position
from gm.variants.among_us import AMONG_US, reveal
from gm.variants.among_us.state import ALIEN, Layer, concealed, revealed_units
from tests.server.world import text_of
from tests.variants.among_us.mails import HOSTS, SEED, Game, address
from tests.variants.among_us.scenes import play, position

TURKEY = Power("Turkey")


def revealed(where: Position, *places: str) -> Position:
    for place in places:
        _, where = reveal(where, UnitName(Province(place)))  # type: ignore[arg-type]
    return where


def known(where: Position) -> str:
    """What everybody knows to be the Alien's, in the order of the board."""
    return ", ".join(map(str, revealed_units(where)))


def mixed(code: str = "S1902M") -> Position:
    units = {"Turkey": "A con, A smy, F ank", "Russia": "A arm, A syr"}
    return position(code, units, {"Turkey": "con smy ank"}, alien="con smy", alien_centers="con smy")


@pytest.mark.ruling("AU-13")
@pytest.mark.parametrize(
    ("turkey", "russia", "after"),
    [
        ("A CON H, A SMY H, F ANK H", "A ARM H, A SYR H", "Turkey A smy"),
        ("A CON-BUL, A SMY-CON, F ANK H", "A ARM H, A SYR H", "Turkey A con"),
        ("A CON-SMY, A SMY-CON, F ANK H", "A ARM H, A SYR H", "Turkey A smy"),  # they bounce
        ("A CON-BUL, A SMY H, F ANK H", "A ARM-SMY, A SYR S A ARM-SMY", "Turkey A smy"),  # dislodged
    ],
)
def test_a_revealed_unit_is_followed_and_no_other(turkey: str, russia: str, after: str) -> None:
    turn = play(revealed(mixed(), "smy"), turkey=turkey, russia=russia)
    assert known(turn.after) == after
    retreats = [str(d.unit) for d in turn.after.dislodged]
    assert retreats == (["Turkey A smy"] if "ARM-SMY" in russia else [])
    if retreats:
        assert known(play(turn.after, turkey="A SMY DISBAND").after) == ""


@pytest.mark.ruling("AU-13")
def test_it_is_known_after_a_retreat_and_not_in_the_place_that_it_left() -> None:
    where = position(
        "S1902M", {"Turkey": "A con, A smy", "Russia": "A arm"}, {"Turkey": "con smy"}, alien="con smy arm",
        alien_centers="con smy",
    )  # fmt: skip
    where = replace(where, units=(*where.units, *position("S1902M", {"Russia": "A syr"}).units))
    turn = play(revealed(where, "smy"), turkey="A CON-BUL, A SMY H", russia="A ARM-SMY, A SYR S A ARM-SMY")
    assert Layer.of(turn.after).has(next(unit for unit in turn.after.units if unit.at == "smy"))
    assert known(turn.after) == "Turkey A smy"
    assert known(play(turn.after, turkey="A SMY-CON").after) == "Turkey A con"


@pytest.mark.ruling("AU-13")
def test_a_unit_that_is_removed_leaves_no_mark() -> None:
    where = position("W1902A", {"Turkey": "A con, A smy"}, {"Turkey": "con"}, alien="con smy", alien_centers="con")
    after = play(revealed(where, "smy", "con"), alien="REMOVE A SMY").after
    assert known(after) == "Turkey A con"
    assert concealed(after) == replace(after, extra=replace(Layer.of(after), revealed=frozenset()).extra)
    with pytest.raises(IllegalOrder, match="not yours to reveal"):
        revealed(mixed(), "ank")


@pytest.mark.ruling("AU-13")
def test_everybody_sees_it_on_maps_and_in_lists() -> None:
    shown, hidden = revealed(mixed(), "smy"), mixed()
    for seat in (None, TURKEY, Power("England")):
        view = AMONG_US.view(AMONG_US, shown, None, seat)
        assert [section.rows for section in view.sections] == [(("Turkish units", "A Smy"),)]
        assert [mark.province for mark in view.marks] == ["smy"]
        assert "Alien" in svg(scene(view))
        plain = AMONG_US.view(AMONG_US, hidden, None, seat)
        assert not plain.sections
        assert not plain.marks
    assert Layer.of(hidden).extra == concealed(shown).extra


@pytest.mark.ruling("AU-13")
def test_it_stands_in_reports_and_status_and_the_game_can_be_verified(game: Game) -> None:
    game.order(ALIEN, "ADOPT A SMY")
    for power, orders in HOSTS.items():
        game.order(power, orders)
    game.pass_time(days=3)
    assert "Revealed as" not in text_of(game.order("England", "STATUS\nPOSITION"))
    game.order(ALIEN, "REVEAL A SMY")
    assert "Revealed as the Alien's Turkish units A Smy" in " ".join(text_of(game.order("England", "POSITION")).split())
    game.pass_time(days=1)
    assert game.phase() == "F1901M"
    report = text_of(game.last(address("England")))
    (now,) = revealed_units(game.position())
    assert f"Turkish units A {now.at.capitalize()}" in report.split("Revealed as the Alien's")[1]
    with game.service.reading() as tx:
        (shown,) = tx.games_in()
        chronicle = chronicle_of(tx.session, shown)
    assert all(not finding.faults for finding in replay(chronicle, bytes.fromhex(SEED)))
