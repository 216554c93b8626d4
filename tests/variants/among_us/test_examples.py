"""The examples of the game's rules: self-dislodgement (1(b)), and Turkey in 1901 (2(f))."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.board import Location
from gm.judge import RULEBOOK_1971
from gm.judge.outcomes import Result
from gm.orders.possible import retreat_options
from gm.position import Position, parse_unit
from gm.variants.among_us import AMONG_US
from gm.variants.among_us.state import ALIEN, own_centers, own_units
from gm.variants.standard import POWERS
from tests.variants.among_us.scenes import CHANCE, aliens, play, position, published, units


@pytest.mark.ruling("AU-5")
def test_a_power_supports_the_dislodgement_of_its_own_unit() -> None:
    """GERMANY A(Mun)-Bur (retreats), A(Kie) S AUS A(Boh)-Mun; FRANCE A(Bur) Std; AUSTRIA A(Boh)-Mun."""
    start = position("S1901M", {"France": "A bur", "Germany": "A mun, A kie", "Austria": "A boh"}, alien="bur",
                     alien_centers="par", hosts=["France"])  # fmt: skip
    turn = play(start, france="A Bur H", germany="A Mun-Bur, A Kie S A Boh-Mun", austria="A Boh-Mun")
    assert {str(d.unit) for d in turn.after.dislodged} == {"Germany A mun"}
    assert "Austria A mun" in units(turn.after)
    strict = AMONG_US.with_rulebook(RULEBOOK_1971)
    assert strict.rulebook.self_dislodgement, "a game keeps what it allows, whatever the edition"


@pytest.mark.ruling("AU-5")
def test_a_power_dislodges_its_own_unit() -> None:
    """GERMANY A(Kie)-Ruh, A(Mun) S A(Kie)-Ruh; FRANCE A(Bur)-Ruh, A(Par) S A(Mar)-Bur, A(Pic), A(Bel) Std."""
    start = position(
        "S1901M",
        {"Germany": "A kie, A mun", "France": "A bur, A par, A mar, A pic, A bel"},
        alien="mar",
        alien_centers="mar",
        hosts=["France"],
    )
    turn = play(
        start,
        germany="A Kie-Ruh, A Mun S A Kie-Ruh",
        france="A Bur-Ruh, A Par S A Mar-Bur, A Mar-Bur, A Pic H, A Bel H",
    )
    assert {str(d.unit) for d in turn.after.dislodged} == {"France A bur"}
    assert {"Germany A ruh", "France A bur"} <= units(turn.after), "the other French army has taken its place"
    (driven_out,) = turn.after.dislodged
    assert retreat_options(AMONG_US.board(turn.after), turn.after, driven_out) == (Location("gas"),)
    assert aliens(turn.after)[0] == {"bur"}, "the army that came is controlled; the one driven out is not"
    ended = play(turn.after, france="A Bur disband")
    assert "France A bur" in units(ended.after)
    assert len(ended.after.units) == 6


@pytest.mark.ruling("AU-1", "AU-4", "AU-6", "AU-7", "AU-8")
def test_turkey_in_1901() -> None:
    """The whole example: Smyrna's army is adopted, its orders stand, and Turkey's builds become A Smy."""
    start = AMONG_US.opening(POWERS, CHANCE)
    spring = play(start, alien="Adopt A Smy", turkey="A Con-Bul, A Smy-Con, F Ank-Bla")
    assert aliens(spring.before) == ({"smy"}, {"smy"})
    assert aliens(spring.after) == ({"con"}, {"smy"})
    autumn = play(austria_in_serbia(spring.after), turkey="A Bul-Gre, A Con-Bul, F Bla H", austria="A Ser-Gre")
    assert {"Turkey A bul", "Turkey A con", "Turkey F bla"} <= units(autumn.after), "Greece is disputed"
    assert set(autumn.after.centers_of(POWERS[6])) == {"con", "ank", "smy", "bul"}, "T: 4 Centers"
    assert aliens(autumn.after) == ({"con"}, {"con", "smy"})
    winter = play(autumn.after, turkey="Build F Ank", alien="Build A Smy")
    assert {line for line in published(winter) if "Turkey" in line} == {"Build Turkey A smy"}
    assert aliens(winter.after) == ({"con", "smy"}, {"con", "smy"})
    turkey = POWERS[6]
    assert set(own_centers(winter.after, turkey)) == {"ank", "bul"}
    assert {str(unit) for unit in own_units(winter.after, turkey)} == {"Turkey A bul", "Turkey F bla"}
    public = AMONG_US.view(AMONG_US, winter.after, winter, None)
    assert set(public.position.centers_of(turkey)) == {"con", "ank", "smy", "bul"}
    assert not public.position.extra
    assert ALIEN not in public.powers
    assert all(outcome.result is Result.SUCCEEDS for outcome in winter.outcomes)


def austria_in_serbia(where: Position) -> Position:
    """Austria's army is in Serbia, as in the example."""
    moved = [parse_unit("Austria A ser") if str(unit) == "Austria A bud" else unit for unit in where.units]
    return replace(where, units=tuple(moved))
