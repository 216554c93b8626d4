"""How the Alien gets a unit and begins again, and who wins (AU-1, AU-11, AU-12, AU-14)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from gm.board import Power, Province
from gm.chance import Chance
from gm.options import read_options
from gm.orders import unit_of
from gm.position import Position, Unit, parse_unit
from gm.variants.among_us import AMONG_US
from gm.variants.among_us.phases import victory_with
from gm.variants.among_us.state import ALIEN, NEUTRALS, Layer, adoptable_now
from gm.variants.standard import POWERS
from tests.server.world import text_of
from tests.tables import table
from tests.variants import telling
from tests.variants.among_us.mails import new_game
from tests.variants.among_us.scenes import CHANCE, aliens, order, play, position, refusal, units

TURKEY, GERMANY = Power("Turkey"), Power("Germany")


def start() -> Position:
    return AMONG_US.opening(POWERS, CHANCE)


# AU-1, AU-11: adoption


@pytest.mark.ruling("AU-1")
def test_the_alien_adopts_a_unit_and_its_centre() -> None:
    turn = play(start(), alien="Adopt F Bre")
    assert aliens(turn.before) == ({"bre"}, {"bre"})
    assert Layer.of(turn.before).hosts == (Power("France"),)


@pytest.mark.ruling("AU-1")
def test_without_an_answer_a_unit_is_drawn() -> None:
    drawn = {str(aliens(play(start(), Chance(bytes([n] * 16))).before)) for n in range(1, 9)}
    assert len(drawn) > 3, "by lot, the same for the same seed"
    assert aliens(play(start()).before) == aliens(play(start()).before)


@pytest.mark.ruling("AU-1", "AU-11")
@table("""
    power     | words       | answer
    the Alien | Adopt A Bur | no unit in Bur
    the Alien | A Smy-Arm   | No unit is yours before the players' orders are closed.
    Turkey    | Adopt A Smy | Only the Alien
    the Alien | Adopt A Smy |
""")
def test_what_is_answered_about_adoption(power: str, words: str, answer: str) -> None:
    assert answer in refusal(start(), Power(power), words)
    assert bool(refusal(start(), Power(power), words)) == bool(answer)


@pytest.mark.ruling("AU-1")
def test_only_units_on_centres_are_adopted_and_only_once() -> None:
    away = position("S1902M", {"Turkey": "A bul, A arm"}, {"Turkey": "bul con"})
    assert "not on a supply centre" in refusal(away, ALIEN, "Adopt A Arm")
    taken = position("S1902M", {"Turkey": "A bul, A con"}, {"Turkey": "bul con"}, alien="bul", alien_centers="bul")
    assert "adopted a unit already" in refusal(taken, ALIEN, "Adopt A Con")


@pytest.mark.ruling("AU-11")
def test_an_alien_without_centres_begins_again_elsewhere() -> None:
    where = position(
        "F1903M", {"Turkey": "A con, A smy", "Austria": "A bul", "Germany": "A mun"},
        {"Turkey": "con smy", "Austria": "bul", "Germany": "mun"}, alien="smy", alien_centers="bul", hosts=["Turkey"],
    )  # fmt: skip
    turn = play(where, turkey="A Con-Ank, A Smy H", alien="A Smy-Arm", austria="A Bul H", germany="A Mun H")
    assert telling.told(AMONG_US, turn) == ("The Alien owns 0 supply centres.",), "no unit and no country"
    assert aliens(turn.after) == ({"arm"}, set()), "what cannot be supplied goes in Winter"
    winter = play(turn.after)
    assert [one for one in winter.outcomes if str(unit_of(one.order)) == "Turkey A arm"]
    assert "Turkey A arm" not in units(winter.after)
    assert aliens(winter.after) == (set(), set())
    assert not telling.told(AMONG_US, winter)
    spring = winter.after
    assert TURKEY not in {unit.power for unit in adoptable_now(spring)} != set()
    assert "host before" in refusal(spring, ALIEN, "Adopt A Ank")
    again = play(spring, alien="Adopt A Mun")
    assert Layer.of(again.after).hosts == (TURKEY, GERMANY)


def lost(code: str = "S1904M", units: str = "A mun, A ber", **more: str) -> Position:
    """A Spring in which the Alien has nothing, after having had a Turkish unit."""
    return position(code, {"Germany": units, "Turkey": "A con", **more}, {"Germany": "mun ber", "Turkey": "con"},
                    hosts=["Turkey"])  # fmt: skip


@pytest.mark.ruling("AU-11")
def test_an_alien_who_has_lost_all_begins_again_in_any_later_spring_or_never() -> None:
    silent = play(lost())
    assert aliens(silent.after) == (set(), set()), "nothing is drawn"
    assert not silent.events
    later = play(lost("S1907M"), alien="Adopt A Mun")
    assert aliens(later.after) == ({"mun"}, {"mun"})
    assert telling.told(AMONG_US, later) == ("The Alien has begun again.",)
    assert telling.told(AMONG_US, play(later.after)) == ("The Alien owns 1 supply centre.",), "told once"
    fall = play(lost("F1904M"))
    assert telling.told(AMONG_US, fall) == ("The Alien owns 0 supply centres.",)
    assert "before the orders of a Spring are closed" in refusal(lost("F1904M"), ALIEN, "Adopt A Mun")
    assert "You control nothing now" in refusal(lost("F1904M"), ALIEN, "A Mun H")


@pytest.mark.ruling("AU-11")
@pytest.mark.parametrize(("code", "told"), [("F1901M", ()), ("F1903M", ("The Alien owns 0 supply centres.",))])
def test_twin_worlds_of_an_alien_without_centres(code: str, told: tuple[str, ...]) -> None:
    """Whichever unit the Alien has, hosts and the public are shown the same: the number, but none in A01."""
    pieces = {"Turkey": "A arm", "Austria": "A boh", "Germany": "A mun, A ber"}
    owned = {"Turkey": "con", "Austria": "vie", "Germany": "mun ber"}
    worlds = []
    for unit in ("arm", "boh"):
        turn = play(position(code, pieces, owned, alien=unit, hosts=["Italy"]))
        assert telling.told(AMONG_US, turn) == told
        seen = [AMONG_US.view(AMONG_US, turn.after, turn, seat) for seat in (None, Power("England"), GERMANY)]
        worlds.append([(view.turn, view.position, view.private) for view in seen])
    assert worlds[0] == worlds[1]


@pytest.mark.ruling("AU-11")
def test_where_only_former_hosts_stand_on_centres_there_is_nothing_to_adopt_yet() -> None:
    where = lost(units="A ruh, A boh")
    assert "Nothing can be adopted" in refusal(where, ALIEN, "Adopt A Con")
    assert AMONG_US.review is not None
    assert not AMONG_US.review.awaited(where)
    assert aliens(play(where).after) == (set(), set())


@pytest.mark.ruling("AU-1")
def test_the_first_adoption_is_secret() -> None:
    assert not play(start(), alien="Adopt A Smy").events


@pytest.mark.ruling("AU-11")
def test_orders_are_closed_and_opened_again() -> None:
    """A phase that is played again begins before any adoption in it."""
    assert AMONG_US.review is not None
    reopen = AMONG_US.review.reopen
    for where, unit in ((start(), "Adopt A Smy"), (lost(), "Adopt A Mun")):
        closed = AMONG_US.review.close(AMONG_US, where, {ALIEN: order(where, ALIEN, unit)}, CHANCE)
        assert closed != where
        assert AMONG_US.review.close(AMONG_US, closed, {ALIEN: order(where, ALIEN, unit)}, CHANCE) == closed, "once"
        assert reopen(closed) == where
        assert reopen(where) == where
    earlier = play(lost(), alien="Adopt A Mun").after
    assert reopen(earlier) == earlier


@pytest.mark.ruling("AU-12")
def test_a_power_wins_by_eighteen_centres_truly_its_own() -> None:
    board = AMONG_US.board(start())
    eighteen = " ".join(board.centers[:18])
    assert AMONG_US.victory(position("F1910M", {}, {"Turkey": eighteen})) is not None
    assert AMONG_US.victory(position("F1910M", {}, {"Turkey": eighteen}, alien_centers=board.centers[0])) is None


def army_of(power: str, number: int, *, skip: int = 0) -> tuple[Unit, ...]:
    board = AMONG_US.board(start())
    places = [p for p in board.provinces if board.terrain(p).value != "sea"][skip : skip + number]
    return tuple(parse_unit(f"{power} A {place}") for place in places)


@pytest.mark.ruling("AU-12")
@pytest.mark.parametrize(
    ("turks", "germans", "strangers", "wins"),
    [(12, 6, 0, True), (11, 7, 0, False), (12, 5, 0, False), (12, 6, 1, False), (12, 0, 0, False)],
)
def test_the_alien_wins_by_eighteen_units_twelve_of_them_all_of_a_nationality(
    turks: int, germans: int, strangers: int, wins: bool
) -> None:
    """`strangers` are Turkish units that are not the Alien's."""
    mine = (*army_of("Turkey", turks), *army_of("Germany", germans, skip=turks))
    others = army_of("Turkey", strangers, skip=turks + germans)
    where = position("F1910M", {}, {}, alien=" ".join(unit.at for unit in mine), hosts=["Germany"])
    found = AMONG_US.victory(replace(where, units=(*mine, *others)))
    assert (found is not None) is wins
    if found is not None:
        assert found.winners == (ALIEN,)


@pytest.mark.ruling("AU-12")
def test_twelve_neutral_units_do_not_count() -> None:
    mine = (*army_of(NEUTRALS, 12), *army_of("Germany", 6, skip=12))
    where = position("F1910M", {}, {}, alien=" ".join(unit.at for unit in mine))
    assert AMONG_US.victory(replace(where, units=mine)) is None


@pytest.mark.ruling("AU-12")
def test_the_alien_wins_in_winter_by_builds() -> None:
    board = AMONG_US.board(start())
    mine = (*army_of("Turkey", 12), *army_of("Germany", 5, skip=12))
    site = next(c for c in board.centers if all(str(unit.at) != c for unit in mine))
    centers = " ".join([*[c for c in board.centers if c != site][:17], site])
    where = position("W1910A", {}, {"Turkey": centers}, alien=" ".join(unit.at for unit in mine), alien_centers=centers)
    assert play(replace(where, units=mine), alien=f"Build A {site}").victory is not None


@pytest.mark.ruling("AU-14")
def test_win_goes_by_true_control_and_leaves_the_aliens_victory_as_it_is() -> None:
    game = replace(AMONG_US, victory=partial(victory_with, AMONG_US, win=3))
    four = {"Turkey": "con smy ank", "Germany": "mun ber"}
    found = game.victory(position("F1903M", {}, four))
    assert found is not None
    assert found.winners == (TURKEY,)
    assert game.victory(position("F1903M", {}, four, alien_centers="smy")) is None, "two truly Turkey's"
    assert game.victory(position("F1903M", {}, {"Turkey": "con smy ank"}, alien_centers="con smy ank")) is None
    even = {"Turkey": "con smy ank bul", "Germany": "mun ber kie"}
    assert game.victory(position("F1903M", {}, even, alien_centers="bul")) is None, "three each"
    mine = (*army_of("Turkey", 12), *army_of("Germany", 6, skip=12))
    where = position("F1910M", {}, {}, alien=" ".join(unit.at for unit in mine))
    won = game.victory(replace(where, units=mine))
    assert won is not None
    assert won.winners == (ALIEN,)


@pytest.mark.ruling("AU-14")
def test_after_the_last_year_those_who_truly_survive_share_the_draw_with_the_alien() -> None:
    game = read_options({"variant": "among-us", "last": "1903"}).variant
    where = position("F1903M", {"Turkey": "A con", "Germany": "A mun", "France": ""},
                     {"Turkey": "con", "Germany": "mun", "France": "par"},
                     alien="con", alien_centers="con")  # fmt: skip
    found = game.victory(where)
    assert found is not None
    assert set(found.winners) == {GERMANY, "France", ALIEN}


@pytest.mark.ruling("AU-14")
def test_who_only_has_a_unit_that_retreats_survives_if_it_is_not_the_aliens() -> None:
    where = play(position("F1903M", {"Turkey": "A gre", "Austria": "A bul, A ser"}),
                 austria="A Bul-Gre, A Ser S A Bul-Gre").after  # fmt: skip
    assert AMONG_US.limits.survivors(AMONG_US, where) == ("Austria", TURKEY, ALIEN)
    taken = replace(where, extra=Layer(dislodged=frozenset((Province("gre"),)), hosts=(TURKEY,)).extra)
    assert AMONG_US.limits.survivors(AMONG_US, taken) == ("Austria", ALIEN)


@pytest.mark.ruling("AU-14")
def test_a_draw_is_voted_on_and_shared_by_those_who_truly_survive(tmp_path: Path) -> None:
    """All of Turkey's units are the Alien's: it has no vote and no share, which nobody learns before the end."""
    game = new_game(tmp_path / "game")
    with game.altering() as row:
        turkish = frozenset(map(Province, ("con", "smy", "ank")))
        row.position = {**row.position, "state": dict(Layer(turkish, centers=turkish, hosts=(TURKEY,)).extra)}
    assert "You vote for a draw of all survivors" in text_of(game.order("France", "DRAW"))
    assert "Turkey is out of the game and has no vote" in text_of(game.order("Turkey", "DRAW"))
    assert "Turkey" in text_of(game.order("France", "CONCEDE TO NOBODY")), "among those who may be named"
    assert "out of the game" not in text_of(game.order("Turkey", "VOTE EXTEND 1d"))
    for power in ("Austria", "England", "Germany", "Italy", ALIEN):
        game.order(power, "DRAW")
        assert game.game().running
    game.order("Russia", "DRAW")
    victory = game.game().victory
    assert victory is not None
    assert set(victory.winners) == {*POWERS, ALIEN} - {TURKEY}
    game.database.dispose()
