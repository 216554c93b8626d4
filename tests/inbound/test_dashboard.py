"""DASHBOARD: each seat's row says when its player is away, who orders for them, and what a gamemaster may write."""

from __future__ import annotations

import re

import pytest

from tests.server.bounces import UNKNOWN, bounce, report, return_path
from tests.server.kept import kept
from tests.server.world import BASE, OPENINGS, World, body_of, player, proved, reply_to, text_of

MASTER = "master@example.org"


def rows(world: World, seats: dict[str, str]) -> dict[str, str]:
    """The dashboard's text on each power."""
    said = body_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    table = said.partition("\n\nAustria")[2].partition("\n\n")[0]
    blocks = re.split(r"\n(?=\S)", f"Austria{table}")
    return {block.split()[0]: " ".join(block.split()[1:]) for block in blocks}


def test_a_row_says_when_its_player_is_away_and_who_orders_then(world: World) -> None:
    seats = world.started()
    for away in ("2026-11-24 TO 2026-11-25", "2026-12-24 TO 2027-01-02"):
        world.send(player("Italy"), seats["Italy"], f"ABSENCE {away}")
    world.send(player("France"), seats["France"], "DEPUTY Bob <bob@example.net> UNTIL 24 December")
    world.accepts("bob@example.net")
    found = rows(world, seats)
    assert "Away: Tue 24 Nov to Wed 25 Nov; Thu 24 Dec to Sat 2 Jan " in found["Italy"]
    assert "Away: deputy Bob <bob@example.net>, until Thu 24 Dec 2026, 23:59 UTC" in found["France"]
    assert [power for power, row in found.items() if "Away" in row] == ["France", "Italy"]


def test_it_says_when_those_who_run_the_game_are_away(world: World) -> None:
    """A gamemaster who plays is told of their own absence only: another's could be that of a power's player."""
    seats = world.started()
    world.promotes(MASTER, seats["GM"], "PROMOTE helper@example.org AS ASSISTANT")
    helper = reply_to(world.last("helper@example.org"))
    world.send(MASTER, seats["GM"], "ABSENCE 2026-11-24")
    world.send("helper@example.org", helper, "ABSENCE 2026-11-26 TO 2026-11-27")
    own, other = ("away: Tue 24 Nov ", "away: Thu 26 Nov to Fri 27 Nov ")
    said = text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert f"You are {own}" in said
    assert f" is {other}" in said
    said = text_of(world.send("helper@example.org", helper, "DASHBOARD"))
    assert f"Master is {own}" in said
    assert f"You are {other}" in said
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')}")
    world.agreed()
    world.send(player("Italy"), seats["Italy"], "ABSENCE 2026-11-28")
    said = text_of(world.send(player("Italy"), seats["Italy"], "DASHBOARD"))
    assert "You are away: Sat 28 Nov " in said
    assert "Master is" not in said


def test_an_anonymous_game_tells_its_gamemaster_whose_absence_it_is(world: World) -> None:
    seats = world.started(options="anonymous=yes")
    world.send(player("Italy"), seats["Italy"], "ABSENCE 2026-11-24")
    assert [power for power, row in rows(world, seats).items() if "Away" in row] == ["Italy"]


def test_a_row_says_what_to_write(world: World) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], OPENINGS["France"])
    world.send(MASTER, seats["GM"], "EJECT Turkey")
    russia = player("Russia")
    bounce(world, return_path(world, russia), report(russia, *UNKNOWN))
    found = {power: row.partition("Write: ")[2] for power, row in rows(world, seats).items()}
    assert found["France"] == ""
    assert found["Italy"] == "PRESS TO Italy or ORDERS FOR Italy"
    assert found["Russia"] == "REPLACE Russia WITH address", "press would not reach them"
    assert found["Turkey"] == "REPLACE Turkey WITH address or STANDIN Turkey"


@pytest.mark.parametrize("power", ["Italy", "Turkey"])
def test_what_a_row_says_can_be_written(world: World, power: str) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], "EJECT Turkey")
    steps = rows(world, seats)[power].partition("Write: ")[2].split(" or ")
    assert len(steps) == 2
    below = {"PRESS": "\nYour orders, please.\nENDPRESS", "ORDERS": "\nA VEN H"}
    for step in steps:
        line = step.replace("address", "new@example.org") + below.get(step.split()[0], "")
        assert "could not be acted on" not in text_of(world.send(MASTER, seats["GM"], line)), line


def test_days_are_those_of_the_reader_and_hours_are_told_where_they_count(world: World) -> None:
    """Whole days of another zone are not whole days here."""
    seats = world.started()
    world.send(MASTER, seats["GM"], "TIMEZONE America/New_York")
    world.send(player("Italy"), seats["Italy"], "ABSENCE 2026-11-24")
    assert "Away: Mon 23 Nov 19:00 EST to Tue 24 Nov 19:00 EST" in rows(world, seats)["Italy"]


def test_after_the_deadline_it_says_until_when_late_orders_are_accepted_and_who_is_late(world: World) -> None:
    seats = world.started(options="grace=24h")
    world.send(MASTER, seats["GM"], "EJECT Turkey")
    world.send("stan@example.org", BASE, "STANDBY spring")
    before = text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert "Deadline: Fri 27 Nov 2026, 09:00 UTC" in before
    assert "On standby: Stan <stan@example.org>" in before
    world.pass_time(days=7, minutes=1)
    found = rows(world, seats)
    assert found["Italy"].startswith("Orders: none, late")
    assert found["Turkey"].startswith("Orders: none Player: vacant")
    assert "Late orders are accepted until: Sat 28 Nov" in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))


def test_a_dummy_that_could_be_ordered_for_is_named_and_waited_for_by_nobody(world: World) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], "DUMMY Austria")
    said = text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert "Dummies without orders: Austria. The rules decide unless you write ORDERS FOR Austria." in said
    assert "ORDERS FOR Austria" in rows(world, seats)["Austria"]
    assert "Turkey, Austria (dummy)" in text_of(world.send(MASTER, BASE, "DASHBOARD"))
    world.send(MASTER, seats["GM"], "ORDERS FOR Austria\nA VIE-GAL\nA BUD-SER\nF TRI-ALB")
    assert "Dummies" not in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))


def test_a_table_that_is_too_wide_for_a_mail_is_a_block_for_each_row(world: World) -> None:
    seats = world.started()
    world.send(player("Italy"), seats["Italy"], "ABSENCE 2026-11-24 TO 2026-11-25")
    said = body_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert max(map(len, said.splitlines())) <= 72
    assert "Power" not in said
    assert "\nItaly\n    Orders: none" in said


@pytest.mark.parametrize("line", ["RELEASE S1901M", "ROLLBACK S1901M"])
def test_what_was_due_in_a_phase_that_is_not_played_any_more_is_not_shown(world: World, line: str) -> None:
    seats = world.started(options="release=gm")

    def due(word: str) -> int:
        return text_of(world.send(MASTER, seats["GM"], "DASHBOARD")).count(f"{word}: ")

    world.send(MASTER, seats["GM"], "MUSTER in 72h")
    assert (due("Reminder"), due("Muster")) == (1, 1)
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert due("Reminder") == 1, "of the results that wait"
    world.send(MASTER, seats["GM"], line)
    assert (due("Deadline"), due("Reminder"), due("Muster")) == (1, 1, 0)


def test_whoever_takes_a_seat_was_heard_then(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE club"))
    world.send(MASTER, chair, "INVITE ann@players.example AS France")
    world.accepts("ann@players.example")
    world.send("bob@players.example", BASE, "JOIN club AS Italy")
    said = text_of(world.send(MASTER, chair, "DASHBOARD"))
    assert said.count("Fri 20 Nov 09:00 UTC") == 2
    world.pass_time(hours=3)
    world.send("bob@players.example", reply_to(world.last("bob@players.example")), "STATUS")
    assert "Fri 20 Nov 12:00 UTC" in text_of(world.send(MASTER, chair, "DASHBOARD"))


def test_the_player_of_a_power_that_becomes_a_dummy_is_out_and_what_they_ordered_stays(world: World) -> None:
    seats = world.started(options="early=ready")
    world.send(player("France"), seats["France"], OPENINGS["France"] + "\nREADY")
    assert rows(world, seats)["France"].startswith("Orders: complete, READY")
    said = text_of(world.send(MASTER, seats["GM"], "DUMMY France"))
    assert "Its player is out and is told so; UNDO takes that back. What they have ordered" in said
    assert rows(world, seats)["France"] == "Orders: complete Player: dummy"
    world.send(MASTER, seats["GM"], "EJECT Italy")
    assert "Its player" not in text_of(world.send(MASTER, seats["GM"], "DUMMY Italy"))


@kept
def runs_two(world: World) -> dict[str, str]:
    """A gamemaster of spring, for which late orders wait, and of autumn, whose results wait."""
    spring, autumn = world.started("spring", "at=18:00"), world.started("autumn", "release=gm")
    world.arrive(MASTER, spring["GM"], "PROCESS S1901M")
    world.arrive(MASTER, autumn["GM"], "PROCESS S1901M")
    world.work()
    world.send(player("France"), spring["France"], "S1901M\nA PAR-BUR")
    return spring


def test_at_the_servers_address_it_shows_all_games_with_a_button_for_what_waits(world: World) -> None:
    spring = runs_two(world)
    shown = world.send(MASTER, BASE, "DASHBOARD")
    said = text_of(shown)
    assert re.search(r"autumn Phase: S1901M .*Waits for you: results of S1901M to release", said)
    assert re.search(r"spring Phase: F1901M Due: .* 18:00 UTC Without orders: Austria,.*: late orders of France", said)
    assert "GAME spring / ACCEPT LATE France" in said
    done = world.send(MASTER, reply_to(shown), "GAME autumn\nRELEASE S1901M")
    assert "go to everybody now" in text_of(done), "it is known who answers it, so nothing is asked"
    assert "results of" not in text_of(world.send(MASTER, BASE, "DASHBOARD"))
    for nobody in (player("France"), "new@example.net"):
        answer = text_of(world.send(nobody, BASE, "DASHBOARD"))
        assert "not the gamemaster of any game" in answer or "is not registered here" in answer
    assert "Dashboard of spring" in text_of(world.send(MASTER, spring["GM"], "DASHBOARD"))


def test_whose_orders_are_incomplete_is_shown_everywhere_and_reminded_at_each_reminder(world: World) -> None:
    seats = world.started("spring", "at=18:00")
    for power in seats.keys() - {"GM", "Italy", "France"}:
        world.send(player(power), seats[power], OPENINGS[power])
    world.send(player("Italy"), seats["Italy"], "A VEN H")
    assert "France, Italy (incomplete)" in text_of(world.send(MASTER, BASE, "DASHBOARD"))
    shown = text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert "Without orders: France and Italy (incomplete)." in shown
    said = text_of(world.send(MASTER, seats["GM"], "REMIND"))
    assert "A reminder goes to France and Italy (incomplete)." in said
    assert "your orders are incomplete" in text_of(world.last(player("Italy")))


def test_the_table_of_all_games_says_what_it_does_not_show(world: World) -> None:
    world.begin_here("spring", "at=18:00", player("France"))
    assert "not shown: you play" in text_of(world.send(player("France"), BASE, "DASHBOARD"))


@pytest.mark.parametrize(
    ("line", "done", "refused"),
    [
        ("ALL GAMES: EXTEND 72h", "spring: The deadline for F1901M is now Thu 26 Nov 2026", "autumn: EXTEND 72h"),
        ("all games spring: COMMENT hello", "say of spring: hello", ""),
        ("ALL GAMES spring, autumn: SET grace=12h", "autumn: The game's options are now: grace=12h", ""),
        ("ALL GAMES BUT autumn: EXTEND 72h", "spring: The deadline for F1901M is now Thu 26 Nov 2026", ""),
        ("ALL GAMES: SET holidays=24 Dec - 2 Jan", "autumn: The game's options are now: holidays=2026-12-24..2027", ""),
        ("ALL GAMES: JOIN spring", "", "is not a command for several games"),
    ],
)
def test_a_command_for_all_games_is_done_in_each_or_refused_for_one(
    world: World, line: str, done: str, refused: str
) -> None:
    spring = runs_two(world)
    for to in (BASE, spring["GM"], reply_to(world.send(MASTER, BASE, "DASHBOARD")))[: 3 if "EXTEND" in line else 1]:
        said = text_of(world.send(MASTER, to, line, headers=proved(MASTER)))
        assert done.partition(" is now ")[0] in said
        assert refused in said
        assert bool(refused) == ("could not be acted on" in said)
