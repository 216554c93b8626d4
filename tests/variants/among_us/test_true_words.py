"""What is told is true: of deadlines in the Alien's time, of one's own orders, of builds, of a gamemaster who plays."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from gm.advance import advance
from gm.board import Power
from gm.position import Position
from gm.variants.among_us import AMONG_US
from gm.variants.among_us.state import ALIEN
from gm.variants.standard import POWERS
from tests.server.kept import kept
from tests.server.world import World, player, reply_to, text_of
from tests.variants.among_us.mails import HOSTS, MASTER, WATCHER, Game, address, new_game
from tests.variants.among_us.scenes import CHANCE, position, refusal

BOB, TURKEY = "bob@elsewhere.example", address("Turkey")


def flat(text: str) -> str:
    return " ".join(text.split())


def closed(game: Game) -> None:
    """The hosts have ordered, the Alien has adopted the army in Smyrna, and the players' orders are closed."""
    game.order(ALIEN, "ADOPT A SMY")
    game.hosts_order()
    game.pass_time(days=3)


@kept
def winter(game: Game) -> None:
    """W1901A: the hosts have moved in Spring and held in Fall, and have vacant home centres."""
    closed(game)
    game.pass_time(days=1)
    game.pass_time(days=3)
    game.pass_time(days=1)
    while not game.phase().startswith("W"):
        game.pass_time(days=1)


@pytest.mark.ruling("AU-16")
@pytest.mark.parametrize("who", [BOB, address(ALIEN), address("Italy")])
def test_players_agree_to_what_happens_whether_the_new_gamemaster_plays_or_not(tmp_path: Path, who: str) -> None:
    game = new_game(tmp_path / "plays", master=TURKEY)
    game.say(TURKEY, game.seats["GM"], f"PROMOTE {who}")
    game.say(who, reply_to(game.last(who)), "YES")
    said = flat(text_of(game.last(TURKEY)))
    assert f"whether {who} may be a gamemaster, too." in said
    assert "needs no agreement" not in said, "the gamemaster may not know who plays"
    for asked in (address("France"), address("England")):
        words = flat(text_of(game.last(asked)))
        assert (
            "sees no more than the power that they play and what is written to the GM; one who does not play" in words
        )
        assert "all that is secret, also who is the Alien" in words
        assert "while playing" not in words
    game.database.dispose()


@pytest.mark.ruling("AU-8")
def test_a_refused_build_tells_no_number_that_could_be_wrong() -> None:
    where = position(
        "W1901A", {"Germany": "A mun, F den"}, {"Germany": "ber kie mun"}, alien="mun", alien_centers="mun"
    )
    said = refusal(where, "Germany", "Build A Den")
    assert "You may build" not in said
    assert "You can name builds in Ber and Kie, the first wish first; as many are made as you are due" in said


@pytest.mark.ruling("AU-5")
@pytest.mark.parametrize(
    ("before", "said"),
    [
        (
            position("S1902M", {"Turkey": "A con, F ank", "Italy": "A rom"}, {"Turkey": "con ank", "Italy": "rom"}),
            "You sent no orders, so they were drawn at random.",
        ),
        (
            position("W1901A", {"Turkey": "A bul", "Italy": "A rom"}, {"Turkey": "con smy ank", "Italy": "rom"}),
            "You sent no orders, so they were drawn at random.",
        ),
        (
            position("W1901A", {"Turkey": "A bul, A rum", "Italy": "A rom"}, {"Turkey": "con", "Italy": "rom"}),
            "You sent no orders, so the removals followed the rules.",
        ),
    ],
)
def test_a_host_who_had_something_to_order_and_did_not_is_told_what_came_of_it(before: Position, said: str) -> None:
    turn = advance(AMONG_US, before, {}, CHANCE)
    told = {power: AMONG_US.view(AMONG_US, turn.after, turn, power).private for power in POWERS}
    assert said in told[Power("Turkey")]
    assert not told[Power("France")], "who has no unit, and no centre"
    ordered = advance(AMONG_US, before, {Power("Turkey"): ()}, CHANCE)
    assert said not in AMONG_US.view(AMONG_US, ordered.after, ordered, Power("Turkey")).private


@pytest.mark.ruling("AU-8")
def test_a_winter_form_says_why_it_has_a_line_for_each_vacant_centre(game: Game) -> None:
    winter(game)
    said = flat(text_of(game.order("Turkey", "STATUS"))).replace("# ", "")
    assert "as you are truly due, perhaps none, the first named first" in said
    assert said.count("BUILD ") <= 3


@pytest.mark.ruling("AU-5")
@pytest.mark.parametrize("line", ["Build A Sev", "STATUS"])
def test_a_host_without_builds_reads_one_thing_about_them(game: Game, line: str) -> None:
    winter(game)
    said = flat(text_of(game.order("Turkey", line)))
    assert "orders are drawn at random" in said
    assert "none is required" not in said
    assert "nothing has to be ordered" not in said
    assert "No orders of Turkey for W1901A yet" in said
    game.pass_time(days=2)
    late = flat(text_of(game.order("Turkey", "WAIVE")))
    assert "none is required" not in late
    assert "You sent no orders, so they are drawn at random." in late


def headline(game: Game, power: str) -> str:
    """What the newest report says before its next task."""
    mail = next(m for m in reversed(game.mailboxes[address(power)]) if "results" in str(m["Subject"]))
    return flat(text_of(mail)).partition("Centres")[0]


@pytest.mark.ruling("AU-4")
def test_a_headline_counts_what_its_reader_ordered_and_what_was_carried_out(game: Game) -> None:
    for power in ("England", "Italy"):
        game.order(power, "READY")
    game.order("France", "A PAR-BUR")
    game.order("Turkey", HOSTS["Turkey"])
    game.order(ALIEN, "ADOPT A SMY")
    game.pass_time(days=3)
    game.order(ALIEN, "A SMY-ARM")
    game.pass_time(days=1)
    assert "1 of your 3 orders was not carried out: A Smy-Con." in headline(game, "Turkey")
    assert "Your order succeeded." in headline(game, "France")
    assert "Your order succeeded." in headline(game, ALIEN)
    for power in ("England", "Italy", "Austria"):
        assert "Your " not in headline(game, power), power


def test_a_headline_of_the_standard_game_counts_no_unit_without_an_order(world: World) -> None:
    seats = world.started("spring", "early=no")
    world.send(player("France"), seats["France"], "A PAR-BUR")
    world.send(player("Italy"), seats["Italy"], "READY")
    world.pass_time(days=8)
    for power, said in (("France", True), ("Italy", False), ("Turkey", False)):
        mail = next(m for m in reversed(world.mailboxes[player(power)]) if "results" in str(m["Subject"]))
        assert ("Your order succeeded." in text_of(mail)) == said, power
        assert "orders succeeded" not in text_of(mail), power


@pytest.mark.ruling("AU-2")
@pytest.mark.parametrize("line", ["STATUS", "When is the deadline?"])
@pytest.mark.parametrize("power", ["Turkey", "France"])
def test_in_the_aliens_time_a_host_reads_that_orders_are_closed_and_when_results_come(
    game: Game, line: str, power: str
) -> None:
    closed(game)
    said = flat(text_of(game.order(power, line)))
    assert "The deadline" not in said
    assert (
        "The results come Tue 24 Nov 2026, 09:00 UTC" in said or "the results come Tue 24 Nov 2026, 09:00 UTC" in said
    )
    assert "closed" in said


@pytest.mark.ruling("AU-2")
def test_in_the_aliens_time_announcements_and_press_say_so_too(game: Game) -> None:
    closed(game)
    game.say(MASTER, game.seats["GM"], "OFFICIAL\nWell played.\nENDOFFICIAL")
    game.order("France", "PRESS TO Turkey\nHello\nENDPRESS")
    for mail in game.mailboxes[TURKEY][-2:]:
        said = flat(text_of(mail))
        assert "Orders are closed; the results come Tue 24 Nov 2026" in said
        assert "deadline is" not in said
        assert "is due" not in said
    game.say(MASTER, game.seats["GM"], "PAUSE")
    assert "orders are closed" in flat(game.words("Turkey"))
    assert "Orders are closed; the results come" in flat(text_of(game.say(MASTER, game.seats["GM"], "RESUME")))


@pytest.mark.ruling("AU-2")
@pytest.mark.parametrize("who", [WATCHER, MASTER])
def test_who_orders_nothing_reads_that_results_come_after_the_players_deadline(game: Game, who: str) -> None:
    assert "The results come 24 hours after the players' deadline." in flat(text_of(game.last(who)))


@pytest.mark.ruling("AU-2", "AU-16")
@pytest.mark.parametrize("line", ["PROCESS", "PROCESS S1901M"])
def test_a_gamemaster_who_plays_closes_orders_and_cannot_end_the_aliens_time(tmp_path: Path, line: str) -> None:
    game = new_game(tmp_path / "plays", master=TURKEY)
    game.hosts_order()
    first = flat(text_of(game.say(TURKEY, game.seats["GM"], line)))
    assert "The orders for S1901M are closed now. The results come 24 hours later." in first
    assert "again" not in first
    assert "is adjudicated now" not in first
    second = flat(text_of(game.say(TURKEY, game.seats["GM"], line)))
    assert "The orders for S1901M are closed, and the Alien has a time that nobody who plays can end." in second
    assert game.phase() == "S1901M"
    game.order(ALIEN, "STATUS")
    game.pass_time(hours=23)
    assert game.phase() == "S1901M"
    game.pass_time(hours=1)
    assert game.phase() == "F1901M"
    assert "The gamemaster ended the phase before its deadline." in flat(game.words("France"))
    game.database.dispose()


@pytest.mark.ruling("AU-2")
@pytest.mark.parametrize("wait", [timedelta(0), timedelta(days=3)])
def test_what_a_gamemaster_ends_early_is_in_the_report(game: Game, wait: timedelta) -> None:
    game.hosts_order()
    game.time += wait
    game.work()
    if not wait:
        said = flat(text_of(game.say(MASTER, game.seats["GM"], "PROCESS S1901M")))
        assert "PROCESS S1901M, written again then, brings them at once." in said
        assert said.count("The results come 24 hours later.") == 1
        assert "adjudicated now" not in said
    game.say(MASTER, game.seats["GM"], "PROCESS S1901M")
    assert game.phase() == "F1901M"
    assert "The gamemaster ended the phase before its deadline." in flat(game.words("France"))


@pytest.mark.ruling("AU-2")
def test_a_phase_that_ends_in_its_own_time_is_not_said_to_be_ended(game: Game) -> None:
    closed(game)
    game.pass_time(days=1)
    assert "The gamemaster ended" not in flat(game.words("France"))


@pytest.mark.ruling("AU-1")
def test_an_order_in_the_spring_of_an_adoption_is_told_when_it_can_be_given(game: Game) -> None:
    opening = flat(game.words(ALIEN))
    assert "can be sent from then on" in opening
    assert "before or after" not in opening
    said = flat(text_of(game.order(ALIEN, "ADOPT A VEN")) + text_of(game.order(ALIEN, "A VEN-PIE")))
    assert "You have no unit yet" not in said
    assert "No unit is yours before the players' orders are closed." in said
    game.pass_time(days=3)
    assert "A Ven-Pie" in text_of(game.order(ALIEN, "A VEN-PIE"))


@pytest.mark.ruling("AU-4")
@pytest.mark.parametrize("line", ["A SMY-ARM", "Turkey: A SMY-ARM"])
def test_the_alien_tries_out_what_it_writes_not_what_it_has_ordered(game: Game, line: str) -> None:
    closed(game)
    game.order(ALIEN, "A SMY-SYR")
    tried = (
        flat(text_of(game.order(ALIEN, f"WHATIF\n{line}"))).partition("trial adjudication")[2].partition("Orders of")[0]
    )
    assert "Army Smyrna -> Armenia" in tried
    assert "Syria" not in tried


@pytest.mark.ruling("AU-15")
@pytest.mark.parametrize(("options", "holds"), [("", "has no player"), ("standins=yes", "is played by a stand-in")])
def test_who_resigns_reads_what_becomes_of_the_power(tmp_path: Path, options: str, holds: str) -> None:
    game = new_game(tmp_path / "game", options)
    for power, told in ((ALIEN, " No player is told."), ("France", "")):
        said = text_of(game.order(power, "RESIGN spring"))
        if "YES" in said:
            said = text_of(game.say(address(power), reply_to(game.last(address(power))), "YES"))
        name = f"{power[:1].upper()}{power[1:]}"
        assert f"{name} {holds} until somebody takes the seat.{told}" in flat(said)
    game.database.dispose()


@pytest.mark.ruling("AU-12", "AU-14")
def test_a_game_that_is_over_hides_nothing_however_it_ended(game: Game) -> None:
    closed(game)
    game.pass_time(days=1)
    for power in (*POWERS, ALIEN):
        game.order(power, "DRAW")
    assert game.game().over
    last = flat(game.words("England"))
    for title in ("Players", "Final position", "Supply centres", "What the Alien did"):
        assert f"{title} ---" in last, title
    alien = next(seat for seat in game.game().seats if seat.power == ALIEN)
    assert alien.person is not None
    assert f"the Alien 1 drew {alien.person.name}" in last
    for power in (POWERS[1], ALIEN):
        status = flat(text_of(game.order(power, "STATUS")))
        assert "the Alien A Con" in status
        assert "What you control" not in status
        assert "you alone" not in status
        assert "who has joined" not in status
    summary = flat(text_of(game.order("England", "SUMMARY")))
    assert "What the Alien did" in summary
    assert "adopts Turkish A Smy" in summary
    head, _, row = summary.partition("1900")
    assert row.split()[:8] == ["3", "3", "3", "3", "3", "4", "3", "-"], (head[-60:], row[:60])


@pytest.mark.ruling("AU-15")
def test_a_stand_in_that_had_nothing_to_do_is_not_said_to_have_waived(tmp_path: Path) -> None:
    game = new_game(tmp_path / "game", "standins=yes")
    said = text_of(game.order(ALIEN, "RESIGN spring"))
    if "YES" in said:
        game.say(address(ALIEN), reply_to(game.last(address(ALIEN))), "YES")
    winter(game)
    game.pass_time(days=4)
    game.pass_time(days=1)
    asked = game.say(MASTER, game.seats["GM"], "TERMINATE spring")
    if "YES" in text_of(asked):
        game.say(MASTER, reply_to(asked), "YES")
    assert "What the Alien did" in game.words("France")
    assert "orders Waive" not in flat(game.words("France"))
    game.database.dispose()


@pytest.mark.ruling("AU-2", "AU-16")
def test_a_gamemaster_who_plays_does_not_shorten_the_aliens_time(tmp_path: Path) -> None:
    game = new_game(tmp_path / "plays", master=TURKEY)
    refused = flat(text_of(game.say(TURKEY, game.seats["GM"], "SET window=1h")))
    assert "You play in this game, and the Alien has a time that nobody who plays can shorten." in refused
    assert "window=48h" in flat(text_of(game.say(TURKEY, game.seats["GM"], "SET window=48h")))
