"""Each player may move some deadlines by a day, by asking or by missing them; the other players are not told who."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gm.variants.standard import POWERS
from tests.inbound.test_which_phase import late, process, questions
from tests.machine.test_deadlines import order_all
from tests.machine.test_time import MASTER, came
from tests.server.world import BASE, OPENINGS, World, player, proved, reply_to, text_of

DAY = timedelta(days=1)


def words(world: World, address: str) -> str:
    return text_of(world.last(address)).replace("\n", " ")


def test_who_misses_a_deadline_uses_an_extension(world: World) -> None:
    seats = world.started(options="extensions=1 at=18:00 reminder=none")
    order_all(world, seats, but="Italy")
    due = world.game().due_at
    assert due is not None
    world.time = due + timedelta(minutes=1)
    world.work()
    assert (world.phase(), world.game().due_at) == ("S1901M", due + DAY), "at the game's own time of day"
    told = words(world, player("Italy"))
    assert "one of your extensions was used." in told
    assert "You have no extensions left." in told
    assert "Your orders for S1901M" in told, "with the form"
    for who in (player("France"), MASTER):
        assert "A player has used an extension" in words(world, who)
        assert "Italy" not in words(world, who)
    world.send(player("Italy"), seats["Italy"], "A VEN H\nA ROM H\nF NAP H")
    world.time = due + DAY + timedelta(minutes=1)
    world.work()
    assert world.phase() == "F1901M"
    assert came(world, "Italy") == {"on time": 1}, "the deadline that counts is the later one"
    assert "used an extension" not in words(world, player("France")), "nobody was missing any more"


def test_a_reminder_says_what_an_extension_does(world: World) -> None:
    seats = world.started(options="extensions=2 reminder=24h")
    world.send(player("France"), seats["France"], "A PAR H")
    world.pass_time(days=6, hours=1)
    assert "one of your 2 extensions is used" in words(world, player("Italy"))
    assert "extension" not in words(world, player("France")), "some orders are in"
    world.pass_time(days=1)
    assert "your last extension is used" in words(world, player("Italy"))


def test_the_second_deadline_missed_is_missed(world: World) -> None:
    seats = world.started(options="extensions=1 reminder=none")
    order_all(world, seats, but="Italy")
    world.pass_time(days=7, minutes=1)
    assert world.phase() == "S1901M"
    world.pass_time(days=1)
    assert world.phase() == "F1901M"
    assert came(world, "Italy") == {"missed": 1}


def test_grace_begins_only_when_the_extensions_are_used_up(world: World) -> None:
    seats = world.started(options="extensions=1 grace=12h reminder=none")
    order_all(world, seats, but="Italy")
    world.pass_time(days=7, minutes=1)
    assert "one of your extensions was used" in words(world, player("Italy"))
    world.pass_time(days=1)
    assert "Late orders are accepted" in words(world, player("Italy"))


def test_a_player_can_ask_for_an_extension_of_their_own(world: World) -> None:
    seats = world.started(options="extensions=2 at=18:00")
    due = world.game().due_at
    assert due is not None
    said = text_of(world.send(player("Italy"), seats["Italy"], "EXTEND")).replace("\n", " ")
    assert "You have one extension left" in said
    assert world.game().due_at == due + DAY
    assert "A player has used an extension" in words(world, player("France"))
    assert "Italy" not in words(world, MASTER)
    assert "Italy: extension" in text_of(world.send(MASTER, seats["GM"], "LOG"))
    world.send(MASTER, seats["GM"], "PAUSE")
    assert "no deadline" in text_of(world.send(player("Italy"), seats["Italy"], "EXTEND"))
    world.send(MASTER, seats["GM"], "RESUME")
    world.send(player("Italy"), seats["Italy"], "EXTEND")
    said = text_of(world.send(player("Italy"), seats["Italy"], "EXTEND")).replace("\n", " ")
    assert "You have no extensions left" in said
    assert world.game().due_at == due + 2 * DAY
    assert "players must agree" in text_of(world.send(player("Italy"), seats["Italy"], "EXTEND 24h")), "still a vote"


@pytest.mark.parametrize("options", ["", "extensions=2"])
def test_extend_alone_asks_how_long_where_there_are_no_extensions(world: World, options: str) -> None:
    seats = world.started(options=options)
    who = (MASTER, seats["GM"]) if options else (player("Italy"), seats["Italy"])
    assert "by how much" in text_of(world.send(*who, "EXTEND"))


def test_process_waits_for_no_extension(world: World) -> None:
    seats = world.started(options="extensions=2")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert world.phase() == "F1901M"


def test_a_game_with_a_secret_seat_has_none_for_they_would_tell_who_is_missing(world: World) -> None:
    said = text_of(world.send(MASTER, BASE, "CREATE hidden variant=among-us extensions=2")).replace("\n", " ")
    assert "extensions=2 does not apply" in said


def test_two_players_missing_move_the_deadline_once(world: World) -> None:
    seats = world.started(options="extensions=1 reminder=none")
    world.send(player("France"), seats["France"], OPENINGS["France"])
    due = world.game().due_at
    assert due is not None
    world.time = due + timedelta(minutes=1)
    world.work()
    assert world.game().due_at == due + DAY
    for power in ("Italy", "Turkey"):
        assert "You have no extensions left" in words(world, player(power))


@pytest.mark.parametrize("line", ["EXTEND 24h", "DEADLINE in 5 days"])
def test_more_time_is_not_asked_about(world_at_level: World, line: str) -> None:
    world = world_at_level
    seats = world.started()
    process(world, seats)
    due, asked = world.game().due_at, len(questions(world, MASTER))
    world.pass_time(minutes=1)
    late(world, seats["GM"], line, world.time, sender=MASTER)
    assert "for F1901M?" not in str(world.last(MASTER)["Subject"])
    assert len(questions(world, MASTER)) <= asked
    assert world.game().due_at != due


def test_no_deadline_is_moved_onto_a_day_that_the_game_leaves_out(world: World) -> None:
    """One check of the calendar, for days of the week as for holidays."""
    gm = world.started(options="days=mon-fri at=18:00 early=orders")["GM"]
    master = "master@example.org"
    assert "is now Mon 30 Nov" in text_of(world.send(master, gm, "EXTEND 24h"))
    assert "no deadline on Sat 05 Dec" in text_of(world.send(master, gm, "EXTEND UNTIL Saturday"))
    said = text_of(world.send(master, gm, "DEADLINE 12 Dec 18:00"))
    assert "Write DEADLINE 2026-12-14 18:00" in said
    assert "is now Mon 14 Dec" in text_of(world.send(master, BASE, "ALL GAMES: EXTEND 5d", headers=proved(master)))


def test_a_reply_to_a_vote_that_asks_for_something_else_is_no_vote_that_failed(world: World) -> None:
    seats = world.started()
    world.send(player("Italy"), seats["Italy"], "EXTEND 24h")
    about = {"In-Reply-To": str(world.last(player("France"))["Message-ID"])}
    answer = world.send(player("France"), seats["France"], "When is the deadline?", headers=about)
    assert "was not counted" not in text_of(answer)
    answer = world.send(player("France"), seats["France"], "well, hmm, purple I suppose", headers=about)
    assert "was not counted" in text_of(answer).replace("\n", " ")


@pytest.mark.parametrize(
    "line", ["EXTEND -24h", "EXTEND BY -1 day", "Please take one day back.", "one day less please"]
)
def test_the_gamemaster_takes_time_back(world: World, line: str) -> None:
    seats = world.started()
    due = world.game().due_at
    assert due is not None
    answer = text_of(world.send(MASTER, seats["GM"], line))
    if "Or reply with YES" in answer:
        answer = text_of(world.send(MASTER, seats["GM"], "YES"))
    assert "24 hours earlier than before" in answer
    assert world.game().due_at == due - DAY


def test_time_is_not_taken_back_later(world: World) -> None:
    said = text_of(world.send(MASTER, world.started()["GM"], "SCHEDULE tomorrow 10:00: EXTEND -24h"))
    assert "Time is not taken back later" in said


def test_nobody_votes_for_less_time(world: World) -> None:
    seats = world.started()
    assert "is not later than the deadline" in text_of(world.send(player("France"), seats["France"], "EXTEND -24h"))


@pytest.mark.parametrize(("line", "left"), [("EXTEND -24h", 6 * DAY), ("EXTEND -8d", 7 * DAY)])
def test_of_the_time_that_is_left_in_a_pause_some_can_be_taken(world: World, line: str, left: timedelta) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], "PAUSE")
    answer = text_of(world.send(MASTER, seats["GM"], line))
    assert ("has given less time" in text_of(world.last(player("France")))) is (left < 7 * DAY)
    assert ("Only 7 days are left" in answer) is (left == 7 * DAY)
    assert world.game().left == left.total_seconds()


@pytest.mark.parametrize(("less", "asked"), [("-24h", False), ("-160h", True)])
def test_less_than_a_day_of_a_pause_is_confirmed_as_a_deadline_is(
    world_at_level: World, less: str, *, asked: bool
) -> None:
    world = world_at_level
    seats = world.started()
    with world.trusting():
        world.send(MASTER, seats["GM"], "PAUSE")
    before = len(world.mailboxes[MASTER])
    world.arrive(MASTER, seats["GM"], f"EXTEND {less}", headers={"Authentication-Results": ""})
    world.work()
    questions_ = [mail for mail in world.mailboxes[MASTER][before:] if "+confirm." in reply_to(mail)]
    level = world.service.identity.trust.level
    assert bool(questions_) is (level == "strict" or (asked and level == "normal"))


@pytest.mark.parametrize("shorter", [["EXTEND 72h", "UNDO"], ["PAUSE", "UNDO"], ["EXTEND -100h"], ["DEADLINE in 2h"]])
def test_nobody_who_plays_takes_time_from_a_phase_that_is_played_again(world: World, shorter: list[str]) -> None:
    """Whichever command does it: they know its results."""
    gm = reply_to(world.send(MASTER, BASE, "CREATE spring early=no"))
    for power in POWERS:
        world.send(MASTER if power == "France" else player(power), BASE, f"JOIN spring AS {power}")
    world.send(MASTER, gm, "START spring")
    world.pass_time(days=8)
    world.send(MASTER, gm, "ROLLBACK S1901M")
    assert world.phase() == "S1901M"
    first, *rest = shorter
    world.send(MASTER, gm, first)
    if rest:
        world.pass_time(days=6)
    due = world.game().due_at, world.game().left
    answer = text_of(world.send(MASTER, gm, rest[0])) if rest else text_of(world.last(MASTER))
    assert "You play in this game, and S1901M is played again" in answer
    assert (world.game().due_at, world.game().left) == due


def _played_by_its_gamemaster(world: World, options: str) -> str:
    gm = reply_to(world.send(MASTER, BASE, f"CREATE spring early=no progress=no {options}"))
    for power in POWERS:
        world.send(MASTER if power == "France" else player(power), BASE, f"JOIN spring AS {power}")
    world.send(MASTER, gm, "START spring")
    return gm


@pytest.mark.parametrize(
    ("options", "before", "after", "least"),
    [
        ("deadlines=no", [], ["SET deadlines=yes move=1h"], DAY),
        ("move=3d first=3d", ["PAUSE"], ["SET move=1h"], 3 * DAY),
        ("move=3d first=3d", ["DEADLINE in 20d"], [], 20 * DAY),
        ("move=1h first=1h", ["EXTEND 5d"], [], 5 * DAY),
    ],
)
def test_to_go_back_shortens_no_phase(
    world: World, options: str, before: list[str], after: list[str], least: timedelta
) -> None:
    """It has the longest time that its players were ever told, and a day at least where it had time without end."""
    gm = _played_by_its_gamemaster(world, options)
    with world.trusting():
        for line in (*before, "PROCESS S1901M", *after, "ROLLBACK S1901M"):
            world.send(MASTER, gm, line)
    game = world.game()
    assert game.code == "S1901M"
    due = game.due_at
    assert due is not None
    assert due - world.time >= least


def test_a_phase_that_follows_one_played_again_is_the_same_phase(world: World) -> None:
    """Its results are known to its gamemaster, too, who plays: they end it early for nobody."""
    gm = _played_by_its_gamemaster(world, "move=3d first=3d")
    with world.trusting():
        for line in ("PROCESS S1901M", "PROCESS F1901M", "SET move=1h", "ROLLBACK S1901M"):
            world.send(MASTER, gm, line)
    world.pass_time(days=4)
    game = world.game()
    assert game.code == "F1901M"
    assert game.due_at is not None
    assert game.due_at - world.time > DAY
    with world.trusting():
        answer = text_of(world.send(MASTER, gm, "PROCESS F1901M"))
    assert "F1901M is played again, so nobody who plays can end it" in answer.replace("\n", " ")
    assert world.phase() == "F1901M"


@pytest.mark.parametrize("stop", [["SET deadlines=no"], ["PAUSE"], ["PAUSE", "EXTEND 240h"]])
def test_what_had_time_without_end_has_a_day_at_least_and_what_a_pause_has_left(world: World, stop: list[str]) -> None:
    gm = _played_by_its_gamemaster(world, "move=3d first=3d")
    with world.trusting():
        for line in ("SET move=1h", "PROCESS S1901M", *stop):
            world.send(MASTER, gm, line)
        world.pass_time(hours=50)
        for line in ("PROCESS F1901M", *(["SET deadlines=yes"] if "SET" in stop[0] else []), "ROLLBACK F1901M"):
            world.send(MASTER, gm, line)
    due = world.game().due_at
    assert due is not None
    assert due - world.time >= (timedelta(days=10) if "EXTEND 240h" in stop else DAY)
