"""Each ruling of this game on small positions: whose orders count, centres, Winter, what is reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.advance import advance
from gm.board import Location, Power
from gm.chance import Chance
from gm.orders import Build, Disband, Hold, Move, Order, Retreat, Support, UnitName
from gm.play.seats import deal
from gm.position import Position, parse_unit
from gm.variants.among_us import AMONG_US
from gm.variants.among_us.state import ALIEN, NEUTRALS, Layer, is_taken_over, surplus
from gm.variants.standard import POWERS
from gm.views import MASTER
from tests.variants import telling
from tests.variants.among_us.scenes import CHANCE, aliens, order, play, position, published, refusal, units

TURKEY, GERMANY = Power("Turkey"), Power("Germany")


def start() -> Position:
    return AMONG_US.opening(POWERS, CHANCE)


# AU-4: overrides


@pytest.mark.ruling("AU-4")
def test_the_alien_overrides_only_controlled_units() -> None:
    where = position("F1901M", {"Turkey": "A bul, A con", "Austria": "A ser"}, alien="con", alien_centers="con",
                     hosts=["Turkey"])  # fmt: skip
    assert "not yours" in refusal(where, ALIEN, "A Bul-Gre")
    assert "There is no unit in Ank. You control A Con." in refusal(where, ALIEN, "A Ank-Con")
    turn = play(where, turkey="A Bul-Gre, A Con-Bul", alien="A Con-Smy")
    assert {"Turkey A gre", "Turkey A smy"} <= units(turn.after)
    assert aliens(turn.after)[0] == {"smy"}
    silent = play(where, turkey="A Bul-Gre, A Con-Bul")
    assert {"Turkey A gre", "Turkey A bul"} <= units(silent.after)


@pytest.mark.ruling("AU-4")
def test_an_order_for_what_is_not_the_aliens_overrides_nothing() -> None:
    """As when a phase is played again and another unit was adopted."""
    where = position("S1901M", {"Turkey": "A bul, A con"}, alien="con", alien_centers="con", hosts=["Turkey"])
    stale = Move(parse_unit("Turkey A bul"), Location("gre"))
    filled = AMONG_US.fill(
        AMONG_US, where, {TURKEY: order(where, "Turkey", "A Bul H, A Con H"), ALIEN: (stale,)}, CHANCE
    )
    assert stale not in filled[TURKEY]


@pytest.mark.ruling("AU-3", "AU-4")
def test_retreats_are_the_aliens_too() -> None:
    before = position("F1901M", {"Turkey": "A bul", "Austria": "A ser, A rum"}, alien="bul", alien_centers="con",
                      hosts=["Turkey"])  # fmt: skip
    after = play(before, austria="A Ser-Bul, A Rum S A Ser-Bul").after
    assert Layer.of(after).dislodged == {"bul"}
    shown = AMONG_US.review.shows(AMONG_US, after, {TURKEY: order(after, "Turkey", "A Bul R Con")}, CHANCE)  # type: ignore[union-attr]
    assert shown[0].rows == (("Turkish A Bul", "A Bul R Con"),)
    fled = play(after, turkey="A Bul R Con", alien="A Bul R Gre")
    assert "Turkey A gre" in units(fled.after)
    assert aliens(fled.after)[0] == {"gre"}
    assert "gre" in aliens(fled.after)[1], "an Autumn retreat takes the centre"


@pytest.mark.ruling("AU-4")
def test_a_unit_that_was_destroyed_is_not_the_aliens_to_retreat() -> None:
    where = position(
        "S1902M",
        {"Turkey": "A smy, A con, F ank", "Russia": "A arm, A syr", "Austria": "A ser, A bul", "Italy": "A gre"},
        alien="smy",
        hosts=["Turkey"],
    )
    after = play(where, russia="A Arm-Smy, A Syr S A Arm-Smy", austria="A Bul-Gre, A Ser S A Bul-Gre").after
    assert [str(d.unit) for d in after.dislodged] == ["Italy A gre"]
    assert not Layer.of(after).dislodged
    assert "You control nothing now" in refusal(after, ALIEN, "A Smy R Arm")


# AU-5: units without orders, powers without any


@pytest.mark.ruling("AU-5")
def test_units_without_orders_hold_and_it_is_not_revealed() -> None:
    where = position("S1901M", {"Turkey": "A bul, A con"}, alien="con", alien_centers="con", hosts=["Turkey"])
    left = play(where, turkey="A Bul-Gre")
    held = play(where, turkey="A Bul-Gre, A Con H")
    altered = play(where, turkey="A Bul-Gre, A Con-Smy", alien="A Con H")
    seen = [AMONG_US.view(AMONG_US, turn.after, turn, Power("Austria")) for turn in (left, held, altered)]
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.ruling("AU-5")
def test_the_alien_alters_orders_that_were_drawn() -> None:
    where = position("S1901M", {"Turkey": "A con"}, alien="con", alien_centers="con", hosts=["Turkey"])
    for seed in range(1, 6):
        chance = Chance(bytes([seed] * 16))
        turn = AMONG_US.fill(AMONG_US, where, {ALIEN: order(where, ALIEN, "A Con-Smy")}, chance)
        assert turn == {TURKEY: (Move(parse_unit("Turkey A con"), parse_unit("Turkey A smy").at),)}


@pytest.mark.ruling("AU-5")
def test_of_an_empty_set_nothing_is_drawn() -> None:
    """READY without orders is an order set: the units hold, and the power is not silent."""
    where = position("S1901M", {"Turkey": "A con, A bul, F ank", "Austria": "A vie"})
    for seed in range(1, 6):
        turn = advance(AMONG_US, where, {TURKEY: ()}, Chance(bytes([seed] * 16)))
        assert {unit for unit in turn.after.units if unit.power == TURKEY} == set(where.units_of(TURKEY))
        assert TURKEY in turn.orders
        assert TURKEY not in turn.silent


def drawn(where: Position, power: Power) -> list[tuple[Order, ...]]:
    """What is drawn for a silent power, with many seeds."""
    return [AMONG_US.fill(AMONG_US, where, {}, Chance(seed.to_bytes(16, "big")))[power] for seed in range(1, 400)]


@pytest.mark.ruling("AU-5")
def test_help_that_is_drawn_agrees_with_the_order_of_the_own_unit() -> None:
    seen = set()
    for bulgaria, greece in drawn(position("S1901M", {"Turkey": "A bul, A gre"}), TURKEY):
        for helps, helped in ((bulgaria, greece), (greece, bulgaria)):
            if isinstance(helps, Support):
                assert (helped.to if isinstance(helped, Move) else None) == helps.to
                seen.add(type(helped))
    assert Move in seen
    assert len(seen) > 1


@pytest.mark.ruling("AU-5")
def test_retreats_that_are_drawn_do_not_meet_and_each_centre_is_built_in_once() -> None:
    fight = position("F1901M", {"Turkey": "A bul, A ser", "Austria": "A con, F aeg, A bud, A tri"})
    lost = play(fight, austria="A Con-Bul, F Aeg S A Con-Bul, A Bud-Ser, A Tri S A Bud-Ser").after
    assert len(lost.dislodged) == 2
    for retreats in drawn(lost, TURKEY):
        goals = [order.to for order in retreats if isinstance(order, Retreat)]
        assert len(set(goals)) == len(goals)
    for builds in drawn(position("W1901A", {"Turkey": "A bul"}, {"Turkey": "con smy ank"}), TURKEY):
        assert sorted(order.unit.at for order in builds if isinstance(order, Build)) == ["ank", "con", "smy"]


@pytest.mark.ruling("AU-5")
def test_help_that_is_drawn_for_another_power_need_not_agree() -> None:
    """Only of own units the orders are known: two armies may support a stranger to two places."""
    where = position("S1901M", {"Turkey": "A bul, A gre", "Austria": "A ser"})
    stranger = where.units_of(Power("Austria"))[0]
    sets = drawn(where, TURKEY)
    both = [[o.to for o in orders if isinstance(o, Support) and o.supported == stranger] for orders in sets]
    assert any(len(set(goals)) == 2 for goals in both)


# AU-6, AU-7, AU-8: centres and Winter


@pytest.mark.ruling("AU-6")
def test_after_autumn_a_centre_is_of_the_units_nationality_and_truly_its_controllers() -> None:
    where = position(
        "F1902M",
        {"Turkey": "A bul, A gre, A con", NEUTRALS: "A bel"},
        {"Turkey": "ank con smy", "Austria": "gre", NEUTRALS: "hol"},
        alien="bul bel",
        alien_centers="smy con hol",
        hosts=["Turkey"],
    )
    after = play(where).after
    assert set(after.centers_of(TURKEY)) == {"ank", "con", "smy", "bul", "gre"}
    assert set(after.centers_of(NEUTRALS)) == {"bel", "hol"}
    assert aliens(after)[1] == {"smy", "bul", "bel", "hol"}, (
        "Constantinople is Turkey's again, vacant Smyrna still the Alien's"
    )


def winter(**more: str) -> Position:
    """Turkey: two centres and one unit truly its own; the Alien: three centres and one unit."""
    return position(
        "W1902A",
        {"Turkey": "A bul, A con", **more},
        {"Turkey": "ank con smy bul", "Germany": "mun ber", NEUTRALS: "bel"},
        alien="con",
        alien_centers="con smy bel",
        hosts=["Turkey"],
    )


@pytest.mark.ruling("AU-7")
def test_builds_bear_the_nationality_of_the_country_they_are_in() -> None:
    turn = play(winter(), alien="Build A Bel, Build F Smy", turkey="Waive", germany="Build A Mun, Build A Ber")
    assert {f"{NEUTRALS} A bel", "Turkey F smy"} <= units(turn.after)
    assert {"bel", "smy", "con"} == aliens(turn.after)[0]
    public = AMONG_US.view(AMONG_US, turn.after, turn, None)
    assert public.powers == (*POWERS, NEUTRALS)


@pytest.mark.ruling("AU-8")
def test_a_host_builds_in_order_of_preference_up_to_the_true_count() -> None:
    turn = play(winter(), turkey="Build F Smy, Build F Ank", alien="Waive, Waive", germany="Build A Mun")
    assert published(turn) == {"Build Turkey F ank", "Build Germany A mun"}


@pytest.mark.ruling("AU-8")
def test_a_hosts_build_in_a_centre_of_the_alien_is_the_aliens() -> None:
    turn = play(winter(), turkey="Build F Smy, Build F Ank")
    assert {"Build Turkey F smy", "Build Turkey F ank"} <= published(turn)
    assert aliens(turn.after)[0] == {"con", "smy"}
    altered = play(winter(), turkey="Build F Smy, Build F Ank", alien="Build A Smy")
    assert {"Build Turkey A smy", "Build Turkey F ank"} <= published(altered)


@pytest.mark.ruling("AU-7")
def test_in_one_centre_one_unit_is_built() -> None:
    """The Alien has two to build, and both Turkey and the Alien name Smyrna."""
    turn = play(winter(), turkey="Build F Smy, Waive", alien="Build A Smy")
    assert published(turn) & {"Build Turkey A smy", "Build Turkey F smy"} == {"Build Turkey A smy"}
    (stale,) = order(winter(), ALIEN, "Build A Smy")
    where = winter(France="A smy")
    assert advance(AMONG_US, where, {ALIEN: (stale,)}, CHANCE).after.units.count(parse_unit("Turkey A smy")) == 0


@pytest.mark.ruling("AU-8")
def test_who_waives_more_than_there_is_to_build_loses_nothing() -> None:
    turn = play(winter(), turkey="Waive", alien="Waive, Waive, Waive, Waive", germany="Waive, Waive")
    assert published(turn) == set()


@pytest.mark.ruling("AU-8")
def test_what_is_not_made_is_simply_not_in_the_report() -> None:
    where = replace(winter(), units=tuple(map(parse_unit, ("Turkey A bul", "Turkey A con", "Turkey A rum"))))
    assert surplus(where, TURKEY) == 0
    turn = play(where, turkey="Build F Ank", alien="Waive, Waive", germany="Waive, Waive")
    assert published(turn) == set()


@pytest.mark.ruling("AU-8")
def test_only_a_host_that_truly_must_remove_is_told_so_and_loses_its_own_units() -> None:
    where = position(
        "W1902A", {"Turkey": "A bul, A con, A gre"}, {"Turkey": "con smy ank bul gre"}, alien="con",
        alien_centers="con smy ank gre", hosts=["Turkey"],
    )  # fmt: skip
    assert surplus(where, TURKEY) == -1
    assert "remove one unit" in AMONG_US.view(AMONG_US, where, None, TURKEY).private[0]
    for other in (GERMANY, None):
        assert not AMONG_US.view(AMONG_US, where, None, other).private
        assert not AMONG_US.view(AMONG_US, where, None, other).needs
    turn = play(where, turkey="A Con disband, A Gre disband", alien="Waive, Waive, Waive")
    assert published(turn) == {"Disband Turkey A gre"}, "the Alien's army is not Turkey's to remove"
    by_rule = play(where, alien="Waive, Waive, Waive")
    said = AMONG_US.view(AMONG_US, by_rule.after, by_rule, TURKEY).private
    assert said[0] == "You sent no orders, so the removals followed the rules.", "nothing is drawn (AU-5)"
    assert published(by_rule) == {"Disband Turkey A gre"}, "the farthest from home (ST-6), of the power's own"
    assert [o.facts for o in by_rule.outcomes] == [o.facts for o in turn.outcomes]


@pytest.mark.ruling("AU-8")
def test_the_alien_removes_surplus_units() -> None:
    where = position("W1902A", {"Turkey": "A bul, A con", "Austria": "A vie"}, {"Turkey": "con", "Austria": "vie"},
                     alien="bul con", alien_centers="con", hosts=["Turkey"])  # fmt: skip
    assert published(play(where, alien="A Con disband")) == {"Disband Turkey A con"}
    assert published(play(where)) == {"Disband Turkey A bul"}


@pytest.mark.ruling("AU-8")
def test_removals_that_were_not_ordered_are_of_other_units() -> None:
    """Turkey must remove two and names one, which is the farthest from home too."""
    where = position("W1902A", {"Turkey": "A par, A bul, A gre, A con", "Austria": "A vie"},
                     {"Turkey": "con smy", "Austria": "vie"}, alien="", alien_centers="")  # fmt: skip
    turn = play(where, turkey="A Par disband")
    assert play(where, turkey="A Par disband, A Par disband").after == turn.after, "twice is once"
    assert published(turn) == {"Disband Turkey A par", "Disband Turkey A gre"}


@pytest.mark.ruling("AU-8")
def test_what_a_host_may_write_in_winter_does_not_depend_on_true_owners() -> None:
    mine, not_mine = winter(), replace(winter(), extra=Layer().extra)
    for words in ("Build F Smy", "Build F Ank", "Build A Con", "Build A Bul", "Waive", "Build A Mun"):
        assert refusal(mine, TURKEY, words) == refusal(not_mine, TURKEY, words)
    assert AMONG_US.duty(AMONG_US, mine, TURKEY) == AMONG_US.duty(AMONG_US, not_mine, TURKEY)


# AU-9, AU-10


@pytest.mark.ruling("AU-9")
@pytest.mark.parametrize(("code", "told"), [("F1901M", ()), ("F1902M", ("The Alien owns 2 supply centres.",))])
def test_every_autumn_but_the_first_the_aliens_centres_are_counted(code: str, told: tuple[str, ...]) -> None:
    where = position(code, {"Turkey": "A con"}, {"Turkey": "con smy"}, alien="con", alien_centers="con smy")
    assert telling.told(AMONG_US, play(where)) == told


@pytest.mark.ruling("AU-10")
def test_only_a_host_that_has_lost_everything_is_told_so_and_orders_no_more() -> None:
    where = position("S1903M", {"Turkey": "A con, A bul", "Austria": "A ser"}, {"Turkey": "con bul", "Austria": "ser"},
                     alien="con bul", alien_centers="con bul", hosts=["Turkey"])  # fmt: skip
    assert is_taken_over(where, TURKEY)
    assert AMONG_US.duty(AMONG_US, where, TURKEY) is None
    assert "eliminated" in AMONG_US.view(AMONG_US, where, None, TURKEY).private[0]
    assert AMONG_US.view(AMONG_US, where, None, Power("Austria")).private == ()
    turn = play(where, alien="A Con-Smy")
    assert {"Turkey A smy", "Turkey A bul"} <= units(turn.after), "the Alien orders directly, and other orders stay"
    assert TURKEY not in turn.silent


# What is told of a turn afterwards, and to whom


@pytest.mark.ruling("AU-13")
def test_a_unit_is_revealed_by_its_controller() -> None:
    where = position("F1901M", {"Turkey": "A bul, A con"}, alien="con", alien_centers="con", hosts=["Turkey"])
    assert AMONG_US.review is not None
    said, _ = AMONG_US.review.reveal(where, order_unit("con"))
    assert said == "The Alien reveals control of Turkish A Con."
    with pytest.raises(Exception, match="not yours to reveal"):
        AMONG_US.review.reveal(where, order_unit("bul"))


def order_unit(place: str) -> UnitName:
    return UnitName(Location(place))


@pytest.mark.ruling("AU-3")
def test_the_review_shows_the_aliens_units_orders_and_no_others() -> None:
    where = position("F1901M", {"Turkey": "A bul, A con, F bla", "Austria": "A ser"},
        {"Austria": "vie"}, alien="con ser",
                     alien_centers="con ser", hosts=["Turkey"])  # fmt: skip
    sent = {TURKEY: order(where, "Turkey", "A Bul-Gre, A Con-Bul")}
    assert AMONG_US.review is not None
    (shown,) = AMONG_US.review.shows(AMONG_US, where, sent, CHANCE)
    rows = {row[0]: row[1] for row in shown.rows}
    assert set(rows) == {"Turkish A Con", "Austrian A Ser"}, "two hosts at once, and nothing of Bulgaria"
    assert rows["Turkish A Con"] == "A Con-Bul"
    assert "drawn at random" in rows["Austrian A Ser"]


@pytest.mark.ruling("AU-3")
def test_in_winter_the_alien_is_shown_the_hosts_builds() -> None:
    where = winter()
    sent = {TURKEY: order(where, "Turkey", "Build F Smy, Build F Ank"), GERMANY: order(where, "Germany", "Build A Mun")}
    assert AMONG_US.review is not None
    (shown,) = AMONG_US.review.shows(AMONG_US, where, sent, CHANCE)
    assert ("Turkey", "Build F Smy, Build F Ank") in shown.rows
    assert not any("Germany" in row[0] for row in shown.rows), "Germany is not a host"
    assert ("Your own count", "2 to build, open to you: Bel, Smy") in shown.rows


def test_the_gamemaster_and_the_alien_see_both_layers_and_nobody_else() -> None:
    where = winter()
    for seat in (*POWERS, None):
        view = AMONG_US.view(AMONG_US, where, None, seat)
        assert not view.position.extra
        assert not view.marks
        assert set(view.duties) <= {seat}
    for seat in (ALIEN, MASTER):
        view = AMONG_US.view(AMONG_US, where, None, seat)
        assert {mark.province for mark in view.marks} == {"con", "smy", "bel"}
        assert view.sections[0].rows[0] == ("Turkish units", "A Con")


def test_the_true_history_is_published_turn_by_turn() -> None:
    spring = play(start(), alien="Adopt A Smy", turkey="A Con-Bul, A Smy-Con, F Ank-Bla")
    fall = play(spring.after, alien="A Con-Smy", turkey="A Con-Ank, A Bul H, F Bla H")
    assert AMONG_US.chronicle is not None
    (told,) = AMONG_US.chronicle(AMONG_US, [spring, fall])
    assert told.rows[0] == ("S1901M", "adopts Turkish A Smy")
    assert "orders A Con-Smy in place of A Con-Ank" in told.rows[1][1]
    assert "controls Turkish A Smy" in told.rows[1][1]


def test_builds_and_removals_look_like_plain_orders() -> None:
    turn = play(winter(), alien="Build A Smy", turkey="Build F Ank")
    assert all(isinstance(o.order, Build | Disband | Hold) for o in turn.outcomes)


@pytest.mark.ruling("AU-15")
@pytest.mark.parametrize("wishes", ["", "France", "Alien"])
@pytest.mark.parametrize("players", [1, 2, 5, 7, 8])
def test_how_many_have_joined_does_not_tell_whether_the_secret_seat_has_a_player(players: int, wishes: str) -> None:
    """Stand-ins play the powers of those who are missing; as many of these have a player in every deal."""
    seating = AMONG_US.seating
    hosts = tuple(power for power in seating.powers if power not in seating.secret)
    wanted = {"": (), "France": (hosts,), "Alien": (tuple(seating.secret),)}[wishes]
    holders = set()
    for seed in range(40):
        dealt = deal(seating, [wanted] * players, Chance(bytes([seed]) * 32, "spring"))
        assert len(set(dealt)) == players
        assert len(seating.secret.intersection(dealt)) == 1
        holders.add(next(number for number, power in enumerate(dealt) if power in seating.secret))
    if 1 < players < len(seating.powers) and wishes != "Alien":
        assert len(holders) > 1, "nor is it the same player's each time"
