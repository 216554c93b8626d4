"""Grace, missing orders, reminders by each player's preference, holidays, pauses; late orders are recorded."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from gm.store import people
from gm.store.game_rows import SeatRole
from gm.variants.standard import POWERS
from tests.machine.test_deadlines import order_all
from tests.server.world import BASE, OPENINGS, World, player, proved, reply_to, text_of

MASTER = "master@example.org"


def subjects(world: World, address: str, since: int = 0) -> list[str]:
    return [str(mail["Subject"]) for mail in world.mailboxes[address][since:]]


def came(world: World, power: str) -> dict[str, int]:
    with world.looking() as session:
        (seat,) = [one for one in world.seats() if one.power == power]
        assert seat.person is not None
        return dict(people.turnout_of(session, [seat.person.id])[seat.person.id])


def test_in_the_time_of_grace_late_orders_count_and_are_noted(world: World) -> None:
    seats = world.started(options="grace=12h reminder=none")
    order_all(world, seats, but="Italy")
    before = len(world.mailboxes[player("France")])
    world.pass_time(days=7)
    assert world.phase() == "S1901M"
    assert "your orders are late" in str(world.last(player("Italy"))["Subject"]).lower()
    assert "orders of one power are late" in text_of(world.last(player("France")))
    assert "Italy" not in text_of(world.last(player("France")))
    assert len(world.mailboxes[player("France")]) == before + 1
    world.pass_time(hours=3)
    world.send(player("Italy"), seats["Italy"], "A VEN H")
    assert world.phase() == "F1901M", "an incomplete set ends the waiting"
    assert came(world, "Italy") == {"late": 1}
    assert came(world, "France") == {"on time": 1}
    assert "1 late of 1" in text_of(world.send(player("Italy"), seats["Italy"], "WHOAMI"))


def test_after_the_grace_the_phase_goes_on_without_them(world: World) -> None:
    seats = world.started(options="grace=12h")
    order_all(world, seats, but="Italy")
    world.pass_time(days=7)
    world.pass_time(hours=13)
    assert world.phase() == "F1901M"
    assert came(world, "Italy") == {"missed": 1}


def test_a_pause_ends_by_itself_at_the_moment_that_was_named(world: World) -> None:
    seats = world.started(options="at=18:00")
    said = text_of(world.send(MASTER, seats["GM"], "PAUSE UNTIL 2 Jan"))
    assert "It goes on Sat 2 Jan 2027, 18:00" in said
    assert "There is no deadline until Sat 2 Jan 2027" in text_of(world.last(player("France")))
    assert "has already passed" in text_of(world.send(MASTER, seats["GM"], "RESUME\nPAUSE UNTIL 2026-11-02 18:00"))
    assert "Nothing." in text_of(world.send(MASTER, seats["GM"], "SCHEDULE")), "the game goes on already"
    world.send(MASTER, seats["GM"], "PAUSE UNTIL Friday 18:00")
    world.pass_time(days=8)
    assert not world.game().paused
    world.send(player("France"), seats["France"], "PAUSE UNTIL 2 Jan")
    assert "A vote for a pause is for one without an end" in text_of(world.last(player("France")))


def test_the_holidays_hold(world: World) -> None:
    seats = world.started(options="at=18:00 days=mon-fri")

    def master(line: str) -> str:
        return text_of(world.send(MASTER, seats["GM"], line))

    said = master("SET holidays=2026-11-26..2026-11-29")
    assert (
        "They replace holidays=none. The deadline of S1901M was in the holidays and is now Mon 30 Nov 2026, 18:00"
        in said
    )
    assert "Mon 30 Nov 2026, 18:00" in text_of(world.last(player("France")))
    assert "Write DEADLINE 2026-11-30 18:00, or first change them" in master("DEADLINE 2026-11-27 18:00")
    assert "The deadline of S1901M stays: Mon 30 Nov" in master("SET holidays=2026-12-01..2026-12-06")
    assert "is now Mon 7 Dec 2026, 18:00" in master("EXTEND 48h")


def test_holidays_are_written_as_an_absence_is_and_undone_with_what_they_moved(world: World) -> None:
    seats = world.started(options="at=18:00")
    said = text_of(world.send(MASTER, seats["GM"], "SET holidays=26 Nov - 2 Jan"))
    assert "holidays=2026-11-26..2027-01-02" in said
    assert "is now Sun 3 Jan 2027, 18:00" in said
    assert "The options are as they were: holidays=none. The deadline is as it was." in text_of(
        world.send(MASTER, seats["GM"], "UNDO")
    )
    assert world.game().due_at == datetime(2026, 11, 27, 18, tzinfo=UTC)
    world.send(MASTER, seats["GM"], "SET holidays=until Dec 1")
    world.send(MASTER, world.send(MASTER, seats["GM"], "DEADLINE 10 Dec 18:00")["Reply-To"], "SET holidays=none")
    assert world.game().due_at == datetime(2026, 12, 10, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("please extend the deadline by one day.", "Sat 28 Nov 2026, 18:00"),
        ("Extend to Monday 7 Dec", "Mon 7 Dec 2026, 18:00"),
        ("EXTEND till 7 Dec 12:00", "Mon 7 Dec 2026, 12:00"),
    ],
)
def test_more_time_as_gamemasters_ask_for_it(world: World, words: str, due: str) -> None:
    seats = world.started(options="at=18:00")
    assert f"is now {due}" in text_of(world.send(MASTER, seats["GM"], words))


def test_what_is_no_moment_is_quoted_as_it_was_written(world: World) -> None:
    seats = world.started(options="at=18:00")
    assert "'all a welcome' is not a moment" in text_of(world.send(MASTER, seats["GM"], "EXTEND TO all a welcome"))


def test_a_mail_that_moves_the_deadline_three_times_is_told_of_once(world: World) -> None:
    seats = world.started()
    before = len(world.mailboxes[player("France")])
    world.send(MASTER, seats["GM"], "DEADLINE Fri 4 Dec 18:00\nEXTEND 24h\nDEADLINE Mon 7 Dec 18:00")
    (told,) = world.mailboxes[player("France")][before:]
    assert "Mon 7 Dec 2026, 18:00" in text_of(told)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("SET GRACE 12", "grace=12h"),
        ("SET move=48 retreat=24", "move=48h, retreat=24h"),
        ("SET MOVE CLOCK 18:00", "Here: the option at=18:00"),
        ("SET move=2", "'2' can be hours or days. Write 2h or 2d"),
        ("EXTEND 24", "is now Sat 28 Nov 2026, 09:00"),
        ("EXTEND UNTIL 1 Dec", "is now Tue 1 Dec 2026, 09:00"),
        ("DEADLINE 18h", "'18h' can be a time of day or a time from now. Write 18:00 or in 18h"),
        ("EXTEND UNTIL 1.12.", "can be a time or a day. Write 1:12 or 2026-12-01"),
        ("DEADLINE 12/1/2027 6pm", "Write 2027-01-12 or 2027-12-01"),
        ("DEADLINE yesterday 18:00", "Thu 19 Nov 2026, 18:00 UTC has already passed"),
        ("PAUSE from 24 Dec until 2 Jan", "SCHEDULE 2026-12-24 00:00: PAUSE UNTIL 2027-01-03"),
        ("SCHEDULE 2026-12-24 00:00: PAUSE UNTIL 2027-01-03", "Thu 24 Dec 2026, 00:00 UTC: PAUSE UNTIL 2027-01-03"),
        ("SCHEDULE fri 18:00 PROCESS", "Scheduled for Fri 20 Nov 2026, 18:00 UTC: PROCESS"),
    ],
)
def test_times_as_gamemasters_write_them(world: World, line: str, said: str) -> None:
    assert said in text_of(world.send(MASTER, world.started()["GM"], line))


def test_a_game_may_wait_for_everybody(world: World) -> None:
    seats = world.started(options="nmr=wait")
    order_all(world, seats, but="Italy")
    for _ in range(3):
        world.pass_time(days=8)
        assert world.phase() == "S1901M"
    assert "waits for the orders of Italy" in text_of(world.last(MASTER))
    assert "orders of one power are missing" in text_of(world.last(player("France"))), (
        "everybody is told the new deadline"
    )
    world.send(MASTER, seats["GM"], "DUMMY Italy")
    assert world.phase() == "F1901M", "a dummy is waited for by nobody"


@pytest.mark.parametrize(("options", "told"), [(" progress=yes", True), ("", False), (" variant=fog", False)])
def test_a_gamemaster_who_plays_is_told_whom_a_game_waits_for_as_far_as_players_see_it(
    world: World, options: str, told: bool
) -> None:
    seats = world.started(options=f"nmr=wait{options}", master=player("France"))
    order_all(world, seats, but="Italy")
    world.pass_time(days=8)
    assert world.phase() == "S1901M"
    mails = "".join(map(text_of, world.mailboxes[player("France")][-3:]))
    assert "The game waits" in mails or "waits for the orders" in mails
    assert ("waits for the orders of Italy" in mails) is told


def test_a_game_that_waits_for_a_power_without_a_player_is_not_adjudicated_early(world: World) -> None:
    seats = world.started(options="nmr=wait early=orders")
    due = world.game("spring").due_at
    world.send(player("Italy"), seats["Italy"], "RESIGN spring")
    order_all(world, seats, but="Italy")
    assert "is adjudicated now" not in text_of(world.last(player("Turkey")))
    assert (world.phase(), world.game("spring").due_at) == ("S1901M", due)
    world.send(MASTER, seats["GM"], "DUMMY Italy")
    assert world.phase() == "F1901M"


def test_missing_two_phases_in_a_row_costs_the_seat(world: World) -> None:
    seats = world.started(options="nmr=disorder move=2d")
    world.send("sub@players.example", BASE, "STANDBY spring")
    order_all(world, seats, but="Italy")
    world.pass_time(days=8)
    assert any(seat.power == "Italy" and seat.person for seat in world.seats())
    for power in POWERS:
        if power != "Italy":
            world.send(player(power), seats[power], "WAIT\n" + "\n".join(OPENINGS[power].split("\n")[:0]))
    world.pass_time(days=3)
    (italy,) = [seat for seat in world.seats() if seat.power == "Italy"]
    assert italy.person is None
    assert "TAKEOVER spring AS Italy" in text_of(world.last("sub@players.example"))


def test_missing_orders_may_be_random(world: World) -> None:
    seats = world.started(options="nmr=random")
    order_all(world, seats, but="Italy")
    world.pass_time(days=8)
    said = text_of(world.send(player("France"), seats["France"], "HISTORY"))
    assert "Italy: Army Venice" in said
    assert "NMR" not in said


def test_each_player_is_reminded_when_they_like(world: World) -> None:
    seats = world.started(options="reminder=24h")
    world.send(player("Italy"), seats["Italy"], "PREFERENCES remind=72h")
    world.send(player("Russia"), seats["Russia"], "PREFERENCES remind=none")
    world.send(MASTER, seats["GM"], "EXTEND 1d")
    start: dict[str, int] = {power: len(world.mailboxes[player(power)]) for power in POWERS}
    world.pass_time(days=5, hours=1)
    assert any("reminder" in subject for subject in subjects(world, player("Italy"), start["Italy"]))
    assert not subjects(world, player("France"), start["France"])
    world.pass_time(days=2)
    assert any("reminder" in subject for subject in subjects(world, player("France"), start["France"]))
    assert not subjects(world, player("Russia"), start["Russia"])


@pytest.mark.parametrize("holidays", ["2026-11-27..2026-11-30", "2026-11-27,2026-11-28..2026-11-30"])
def test_no_deadline_falls_on_a_holiday(world: World, holidays: str) -> None:
    seats = world.started(options=f"holidays={holidays} at=18:00")
    said = text_of(world.send(player("Italy"), seats["Italy"], "STATUS"))
    assert "Tue 1 Dec 2026, 18:00 UTC" in said


def test_a_paused_game_resumes_with_the_time_that_was_left(world: World) -> None:
    seats = world.started()
    world.pass_time(days=5)
    world.send(MASTER, seats["GM"], "PAUSE")
    world.pass_time(days=30)
    assert world.phase() == "S1901M"
    assert "The game is paused" in text_of(world.send(player("Italy"), seats["Italy"], "STATUS"))
    order_all(world, seats)
    assert world.phase() == "S1901M", "nothing is adjudicated while it stands"
    world.send(player("Italy"), seats["Italy"], "CLEAR")
    said = text_of(world.send(MASTER, seats["GM"], "RESUME"))
    assert "Sun 27 Dec 2026, 09:00 UTC" in said, "two days were left"
    world.pass_time(days=2, hours=1)
    assert world.phase() == "F1901M"


@pytest.mark.way_in(number=1)
@pytest.mark.parametrize(
    ("left", "paused", "more"),
    [
        (timedelta(days=2), timedelta(seconds=1), timedelta(days=2)),
        (timedelta(minutes=5), timedelta(seconds=1), timedelta(minutes=5)),
        (timedelta(minutes=5), timedelta(minutes=40), timedelta(minutes=40)),
        (timedelta(minutes=5), timedelta(days=3), timedelta(hours=1)),
    ],
)
def test_a_pause_gives_back_what_was_left(world: World, left: timedelta, paused: timedelta, more: timedelta) -> None:
    seats = world.started(options="first=5d")
    due = world.game().due_at
    assert due is not None
    world.time = due - left
    world.send(MASTER, seats["GM"], "PAUSE")
    world.time += paused
    world.send(MASTER, seats["GM"], "RESUME")
    until = (world.time + more).replace(second=0)
    assert world.game().due_at == until
    told = f"{until:%a} {until.day} {until:%b %Y, %H:%M} UTC"
    for who in (MASTER, player("Italy"), player("France")):
        assert told in text_of(world.last(who))


@pytest.mark.parametrize(
    ("paused", "later"),
    [
        (timedelta(seconds=1), timedelta(0)),
        (timedelta(seconds=10), timedelta(0)),
        (timedelta(minutes=20), timedelta(minutes=20)),
        (timedelta(hours=7), timedelta(days=3)),
    ],
)
def test_a_pause_keeps_a_deadline_at_its_time_of_day(world: World, paused: timedelta, later: timedelta) -> None:
    seats = world.started(options="at=18:00 days=mon-fri")
    due = world.game().due_at
    assert due is not None
    world.send(MASTER, seats["GM"], "PAUSE")
    world.time += paused
    world.send(MASTER, seats["GM"], "RESUME")
    assert world.game().due_at == due + later


def test_an_absence_moves_no_deadline_further_than_the_game_allows(world: World) -> None:
    seats = world.started(options="absence=2d")
    said = text_of(world.send(player("Italy"), seats["Italy"], "ABSENCE 2026-11-26 TO 2026-12-20"))
    assert "Sun 29 Nov 2026, 09:00 UTC" in said
    assert world.phase() == "S1901M"
    assert "Sun 29 Nov" in text_of(world.last(player("France")))
    nothing = text_of(world.send(player("Italy"), seats["Italy"], "ABSENCE NONE\nABSENCE"))
    assert "You have no absences." in nothing


@pytest.mark.parametrize("elsewhere", [False, True])
def test_an_absence_tells_nobody_who_plays_in_an_anonymous_game(world: World, elsewhere: bool) -> None:
    """Neither by another game whose deadline moves at the same time, nor by the zone in which a day ends."""
    seats = world.started(options="anonymous=yes absence=10d")
    before = world.game().due_at
    if elsewhere:
        world.started("twin", "absence=10d")
    italy = player("Italy")
    said = text_of(world.send(italy, seats["Italy"], "TIMEZONE Asia/Tokyo\nABSENCE 2026-11-24 TO 2026-12-01"))
    assert world.game().due_at == (before if elsewhere else datetime(2026, 12, 2, tzinfo=UTC))
    assert ("It moves no deadline of spring" in said) is elsewhere
    if elsewhere:
        assert world.game("twin").due_at == datetime(2026, 12, 1, 15, tzinfo=UTC)


@pytest.mark.parametrize("runs", [False, True])
def test_an_absence_that_another_games_masters_read_moves_no_anonymous_game(world: World, runs: bool) -> None:
    """One of those with whom a player runs another game may play the anonymous one, and sees its deadline move. What
    has moved it is shown in no other game, whoever runs that afterwards.
    """
    seats = world.started(options="anonymous=yes absence=10d")
    france, italy, before = player("France"), player("Italy"), world.game().due_at
    chair = reply_to(world.send(france, BASE, "CREATE beta"))

    def joins() -> None:
        world.send(france, chair, f"PROMOTE {italy}")
        world.accepts(italy)

    if runs:
        joins()
    world.send(italy, seats["Italy"], "ABSENCE 2026-11-24 TO 2026-12-01")
    assert (world.game().due_at == before) is runs
    if not runs:
        joins()
    assert len(world.game("beta").masters) == 2
    assert ("is away" in text_of(world.send(france, chair, "DASHBOARD"))) is runs
    assert "You are away" in text_of(world.send(italy, reply_to(world.last(italy)), "DASHBOARD beta"))


def test_leaving_or_joining_another_game_frees_no_absence_in_an_anonymous_game(world: World) -> None:
    """What moves another game's deadline moves no anonymous one's, whatever its player leaves afterwards."""
    seats = world.started(options="anonymous=yes absence=10d")
    twin = world.started("twin", "absence=10d")
    italy, before = player("Italy"), world.game().due_at
    world.send(italy, seats["Italy"], "ABSENCE 2026-11-24 TO 2026-12-01")
    world.send(italy, twin["Italy"], "RESIGN twin")
    world.send(italy, seats["Italy"], "ABSENCE 2026-12-04 TO 2026-12-05")  # of which the deadlines are asked again
    assert world.game().due_at == before
    world.send(italy, seats["Italy"], "ABSENCE NONE\nABSENCE 2026-11-24 TO 2026-12-01")
    assert world.game().due_at == datetime(2026, 12, 2, tzinfo=UTC)


def test_an_absence_that_has_moved_an_anonymous_game_moves_no_other(world: World) -> None:
    seats = world.started(options="anonymous=yes absence=10d")
    italy = player("Italy")
    world.send(italy, seats["Italy"], "ABSENCE 2026-11-24 TO 2026-12-01")
    world.started("twin", "absence=10d")
    due = world.game("twin").due_at
    assert due is not None
    assert due < datetime(2026, 12, 1, tzinfo=UTC)
    assert world.game().due_at == datetime(2026, 12, 2, tzinfo=UTC)


@pytest.mark.parametrize("heading", ["", "GAME spring\n"])
def test_an_absence_is_announced_at_the_servers_own_address(world: World, heading: str) -> None:
    """It is for all games of a person. Anybody may know that address, so that it must be proved or confirmed."""
    world.started()
    italy, line = player("Italy"), f"{heading}ABSENCE 2026-11-26 TO 2026-11-28"
    said = text_of(world.send(italy, BASE, line, headers=proved(italy)))
    assert "You are away from" in said
    assert world.game().due_at == datetime(2026, 11, 29, tzinfo=UTC)
    assert "not registered" in text_of(world.send("eve@evil.example", BASE, "ABSENCE 2026-11-26 TO 2026-11-28"))
    object.__setattr__(world.service.identity, "trust", replace(world.service.identity.trust, level="normal"))
    forged = text_of(world.send(player("France"), BASE, "ABSENCE 2026-11-29 TO 2026-11-30"))
    assert "waits for your confirmation" in forged


def test_players_stop_the_clock_by_vote(world: World) -> None:
    seats = world.started(options="motions=all")
    for power in POWERS[:-1]:
        world.send(player(power), seats[power], "PAUSE")
    assert "The game is paused" not in text_of(world.send(player("Italy"), seats["Italy"], "STATUS"))
    assert "the motion is carried" in text_of(world.send(player(POWERS[-1]), seats[POWERS[-1]], "PAUSE"))
    assert "voted to pause the game" in text_of(world.last(MASTER))
    world.pass_time(days=20)
    assert world.phase() == "S1901M"
    alone = world.started("strict", "motions=none")
    assert "only the gamemaster changes deadlines" in text_of(world.send(player("Italy"), alone["Italy"], "EXTEND 24h"))


def test_what_is_closed_early_or_missed_while_away_is_excused(world: World) -> None:
    seats = world.started(options="absence=none move=2d")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert came(world, "Italy") == {"excused": 1}
    world.send(player("Italy"), seats["Italy"], "ABSENCE 2026-11-20 TO 2026-12-20")
    world.pass_time(days=3)
    assert came(world, "Italy") == {"excused": 2}
    assert came(world, "France") == {"excused": 1, "missed": 1}


def test_a_deadline_that_an_absence_has_moved_passes(world: World) -> None:
    seats = world.started(options="absence=10d move=2d first=2d")
    world.send(player("Italy"), seats["Italy"], "ABSENCE 2026-11-20 TO 2026-11-25")
    world.pass_time(days=3)
    assert world.phase() == "S1901M"
    world.pass_time(days=5)
    assert world.phase() != "S1901M"


@pytest.mark.parametrize("options", ["grace=12h", "nmr=wait", "grace=12h nmr=wait"])
def test_process_waits_for_nobody(world: World, options: str) -> None:
    seats = world.started(options=options)
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert world.phase() == "F1901M"


def test_a_closed_seat_takes_no_part_in_waiting(world: World) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], "EJECT Italy")
    order_all(world, seats, but="Italy")
    assert world.phase() == "F1901M"
    assert any(seat.role is SeatRole.PLAYER and seat.person is None for seat in world.seats())
    assert world.time == datetime(2026, 11, 20, 9, tzinfo=UTC)


def test_a_deadline_that_a_scheduled_command_has_moved_is_not_met(world: World) -> None:
    """Both deadlines have passed when the server restarts; the earlier one is processed first."""
    seats = world.started(options="reminder=none")
    world.send("master@example.org", seats["GM"], "SCHEDULE in 6d: DEADLINE in 9d")
    world.pass_time(days=8)
    assert world.phase() == "S1901M"
    assert not world.game().in_grace
    assert world.game().due_at == world.time + timedelta(days=9)
    world.pass_time(days=10)
    assert world.phase() == "F1901M"


def test_a_deadline_can_be_extended_to_a_day_at_its_time_of_day(world: World) -> None:
    seats = world.started(options="first=3d")
    world.send(MASTER, seats["GM"], "EXTEND until Tuesday 8:00")
    world.send(MASTER, seats["GM"], "EXTEND until Thursday")
    assert world.game().due_at == datetime(2026, 11, 26, 8, tzinfo=UTC)


def test_an_absence_until_a_day_begins_now(world: World) -> None:
    seats = world.started(options="first=2d")
    said = text_of(world.send(player("Italy"), seats["Italy"], "ABSENCE until Monday"))
    assert "to Tue 24 Nov 2026, 00:00 UTC" in " ".join(said.split())


def test_the_same_days_are_one_absence(world: World, seats: dict[str, str]) -> None:
    def away(days: str) -> list[tuple[str, str]]:
        said = text_of(world.send(MASTER, seats["GM"], f"ABSENCE {days}"))
        return re.findall(r"You are away from \w+ (\d+ \w+).*? to \w+ (\d+ \w+)", said)

    dates = "2026-12-24 TO 2026-12-26"
    assert away(dates) == away(dates) == away("2026-12-25") == [("24 Dec", "27 Dec")]
    assert away("2026-12-23 TO 2026-12-28") == [("23 Dec", "29 Dec")], "in place of what is in it"
    assert away("2027-01-05") == [("23 Dec", "29 Dec"), ("5 Jan", "6 Jan")]
    assert text_of(world.send(MASTER, seats["GM"], "DASHBOARD")).count(" away: ") == 2


@pytest.mark.parametrize("left", [timedelta(days=2), timedelta(minutes=5)])
def test_more_time_for_a_paused_game_is_kept_for_when_it_goes_on(world: World, left: timedelta) -> None:
    seats = world.started(options="first=9d")
    due = world.game().due_at
    assert due is not None
    world.time = due - left
    world.send(MASTER, seats["GM"], "PAUSE")
    world.pass_time(hours=2)
    said = text_of(world.send(MASTER, seats["GM"], "EXTEND 24h"))
    assert "The game is still paused" in said
    assert "The deadline for" not in said
    assert "The game is still paused" in text_of(world.last(player("Italy")))
    assert world.game().paused
    said = text_of(world.send(MASTER, seats["GM"], "EXTEND UNTIL Friday 18:00"))
    assert "DEADLINE Friday 18:00 ends the pause" in said
    world.send(MASTER, seats["GM"], "EXTEND 12h\nUNDO\nRESUME")
    assert world.game().due_at == world.time + left + timedelta(days=1)


def test_a_deadline_for_a_paused_game_says_that_it_goes_on(world: World) -> None:
    seats = world.started()
    left = world.game().due_at
    answer = world.send(MASTER, seats["GM"], "PAUSE\nDEADLINE in 24h")
    assert "The game was paused and goes on." in text_of(answer)
    assert "RESUME" not in text_of(answer)
    assert "The game was paused and goes on." in text_of(world.last(player("Italy")))
    world.send(MASTER, seats["GM"], "UNDO\nRESUME")
    assert world.game().due_at == left, "the time that was left is back"
    answer = world.send(MASTER, seats["GM"], "PAUSE\nPROCESS")
    assert "The game was paused and goes on." in text_of(answer)
    assert "RESUME" not in text_of(answer)


def test_a_vote_for_more_time_never_shortens_it(world: World) -> None:
    seats = world.started()
    for power in POWERS[:3]:
        world.send(player(power), seats[power], "EXTEND 24h")
    world.send(MASTER, seats["GM"], "EXTEND 72h")
    due = world.game().due_at
    said = text_of(world.send(player("Turkey"), seats["Turkey"], "EXTEND YES"))
    assert "The deadline stays" in said
    assert world.game().due_at == due


def test_absences_are_counted_from_when_the_deadline_would_be_if_nobody_were_away(world: World) -> None:
    """Two do not add up, and one that is taken back leaves no sum behind by which one could learn whose it was."""
    seats = world.started(options="first=4d move=4d absence=5d")
    unmoved = world.game().due_at
    assert unmoved is not None

    def away(power: str, first: int, last: int) -> int:
        """How many days later than at first the deadline is, when this player is away on these days after it."""
        days = [f"{unmoved + timedelta(days=day):%Y-%m-%d}" for day in (first, last)]
        world.send(player(power), seats[power], f"ABSENCE {days[0]} TO {days[1]}")
        due = world.game().due_at
        assert due is not None
        return (due - unmoved).days

    assert away("France", 0, 2) in (2, 3)
    moved = world.game().due_at
    world.send(player("France"), seats["France"], "ABSENCE NONE")
    assert world.game().due_at == moved
    assert away("Italy", 0, 1) == away("Turkey", 0, 2) in (2, 3)
    assert away("Austria", 2, 9) <= 5
    due = world.game().due_at
    assert away("Germany", 5, 20) <= 5
    assert world.game().due_at == due


@pytest.mark.parametrize("line", ["EXTEND 24h", "EXTEND UNTIL {}", "PAUSE\nRESUME", "EXTEND", "DEADLINE {}"])
def test_what_moves_a_deadline_leaves_absences_no_more_time_than_the_game_has_for_them(world: World, line: str) -> None:
    """By an extension of an hour or a pause of a minute they had all of it again; a deadline that is named is new."""
    seats = world.started(options="first=4d move=4d absence=5d extensions=2")
    before = world.game().due_at
    assert before is not None

    def away(power: str, first: int, last: int) -> datetime:
        days = [f"{before + timedelta(days=day):%Y-%m-%d}" for day in (first, last)]
        world.send(player(power), seats[power], f"ABSENCE {days[0]} TO {days[1]}")
        due = world.game().due_at
        assert due is not None
        return due

    moved = away("France", 0, 3)
    assert moved - before > timedelta(days=3)
    by, to = ("France", "France") if line == "EXTEND" else (MASTER, "GM")
    sender = player(by) if by == "France" else MASTER
    world.send(sender, seats[to], line.format(f"{moved + timedelta(days=1):%Y-%m-%d %H:%M} UTC"))
    set_to = world.game().due_at
    assert set_to is not None
    due = away("Germany", (set_to - before).days, 40)
    most = set_to if line.startswith("DEADLINE") else set_to - (moved - before)
    assert due == most + timedelta(days=5), "the absence at the deadline counts, as far as there is time for it"
