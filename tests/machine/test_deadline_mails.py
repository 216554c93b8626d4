"""What mails about a deadline say of it: in whose zone, how much is left; calendar files; several reminders."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from icalendar import Calendar

from gm.position import PhaseKind, Season
from gm.reports import left
from tests.machine.test_time import MASTER
from tests.machine.test_turnout import put
from tests.server.world import BASE, World, player, text_of


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (0.5, "30 minutes"),
        (1, "60 minutes"),
        (47, "47 hours"),
        (48, "2 days"),
        (71, "2 days 23 hours"),
        (72.1, "3 days"),
        (167, "6 days 23 hours"),
        (24 * 30, "30 days"),
    ],
)
def test_what_is_left_is_said_to_the_hour(hours: float, said: str) -> None:
    assert left(timedelta(hours=hours)) == said


def test_times_are_in_the_games_zone_until_a_player_chooses_one(world: World) -> None:
    seats = world.started(options="zone=Europe/Berlin at=18:00")
    opening = text_of(world.last(player("France")))
    assert "Fri 27 Nov 2026, 18:00 CET (17:00 UTC), in 7 days 8 hours" in opening.replace("\n", " ")
    world.send(player("France"), seats["France"], "TIMEZONE America/New_York")
    world.pass_time(hours=10)
    said = text_of(world.send(player("France"), seats["France"], "STATUS")).replace("\n", " ")
    assert "Fri 27 Nov 2026, 12:00 EST (17:00 UTC), in 6 days 22 hours" in said
    assert "CET" in text_of(world.send(player("Italy"), seats["Italy"], "STATUS"))
    world.send(MASTER, seats["GM"], "EXTEND 1d")
    assert "12:00 EST" in text_of(world.last(player("France")))
    assert "18:00 CET" in text_of(world.last(player("Italy")))
    world.send(player("France"), seats["France"], "TIMEZONE GAME")
    assert "18:00 CET" in text_of(world.send(player("France"), seats["France"], "STATUS"))
    assert "that of each game" in text_of(world.send(player("France"), seats["France"], "WHOAMI"))


def event_in(mail: EmailMessage) -> tuple[str, Any]:
    """The method of a mail's calendar file, and its event."""
    (part,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    content = Calendar.from_ical(part.get_content())
    assert str(content["METHOD"]) == part.get_param("method")
    (event,) = content.events
    return str(content["METHOD"]), event


def test_one_event_a_game_moves_with_the_deadline(world: World) -> None:
    seats = world.started(options="move=2d")
    seen = []
    method, event = event_in(world.last(player("France")))
    assert (method, event["DTSTART"].dt) == ("PUBLISH", world.game().due_at)
    seen.append(event)
    for line, expected in [("EXTEND 1d", "PUBLISH"), ("PAUSE", "CANCEL"), ("RESUME", "PUBLISH")]:
        world.pass_time(hours=2)
        world.send(MASTER, seats["GM"], line)
        for who in (player("France"), MASTER):  # a notice and a receipt
            method, event = event_in(world.last(who))
            assert method == expected
            assert str(event["STATUS"]) == ("CONFIRMED" if method == "PUBLISH" else "CANCELLED")
            if method == "PUBLISH":
                assert event["DTSTART"].dt == world.game().due_at
        seen.append(event)
    world.pass_time(days=9)
    assert world.phase() == "F1901M"
    method, event = event_in(world.last(player("France")))
    assert event["DTSTART"].dt == world.game().due_at
    assert "F1901M" in str(event["SUMMARY"])
    seen.append(event)
    world.send(MASTER, seats["GM"], "TERMINATE spring")
    method, event = event_in(world.last(player("France")))
    assert method == "CANCEL"
    seen.append(event)
    assert len({str(one["UID"]) for one in seen}) == 1
    numbers = [int(one["SEQUENCE"]) for one in seen]
    assert numbers == sorted(set(numbers)), "each is newer than the one before"


def test_the_answer_to_absence_has_the_calendar_of_each_game_whose_deadline_moved(world: World) -> None:
    france = player("France")
    seats = [world.started(name)["France"] for name in ("spring", "twin")]
    receipt = world.send(france, seats[0], "ABSENCE 2026-11-26 TO 2026-11-28")
    files = {str(part.get_filename()): str(part.get_content()) for part in receipt.walk()
             if part.get_content_type() == "text/calendar"}  # fmt: skip
    assert sorted(files) == ["deadline.ics", "twin-deadline.ics"]
    for file, name in (("deadline.ics", "spring"), ("twin-deadline.ics", "twin")):
        assert f"DTSTART:{world.game(name).due_at:%Y%m%dT%H%M%SZ}" in files[file]


def test_every_time_is_in_the_readers_zone_or_the_games(world: World) -> None:
    seats = world.started(options="zone=Europe/Berlin")
    france, italy = player("France"), player("Italy")
    world.send(france, seats["France"], "TIMEZONE America/New_York")
    world.send(france, seats["France"], "A PAR H")
    assert "#1, Fri 20 Nov 04:00 EST" in text_of(world.send(france, seats["France"], "MY ORDERS"))
    world.send(italy, seats["Italy"], "ABSENCE 2026-11-24 TO 2026-11-25")
    assert "Tue 24 Nov 2026, 00:00 CET" in text_of(world.send(italy, seats["Italy"], "WHOAMI"))
    said = text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert "Away: Tue 24 Nov to Wed 25 Nov Player: Pat Italy" in said
    world.send(italy, seats["Italy"], "DEPUTY bob@example.net UNTIL 24 December")
    asked = text_of(world.last("bob@example.net"))
    assert "CET" in asked
    assert " UTC" not in asked.replace(" UTC)", "")


def test_the_calendar_asks_only_those_for_orders_who_have_some_to_give(world: World) -> None:
    world.started()
    how = "Reply to the newest report with your orders."
    assert how in event_in(world.last(player("France")))[1]["description"]
    begun = next(mail for mail in reversed(world.mailboxes[MASTER]) if "begins" in str(mail["Subject"]))
    assert how not in event_in(begun)[1]["description"]


def test_mails_without_a_new_deadline_have_no_calendar_file(world: World) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], "A PAR H")
    world.send(MASTER, seats["GM"], "OFFICIAL\nHello.\nENDOFFICIAL")
    world.send(player("Italy"), seats["Italy"], "PREFERENCES calendar=none")
    world.send(MASTER, seats["GM"], "EXTEND 1d")
    for power in ("France", "Italy"):
        mails = world.mailboxes[player(power)]
        having = [mail for mail in mails if any(part.get_content_type() == "text/calendar" for part in mail.walk())]
        assert len(having) == (2 if power == "France" else 1), "the opening, and the new deadline"


def test_a_reminder_of_builds_says_once_that_nothing_is_required(world: World) -> None:
    world.started(options="early=no")
    put(world, "A gas", "par mar", Season.WINTER, PhaseKind.ADJUSTMENT)
    world.pass_time(days=6, hours=1)
    said = text_of(world.last(player("France")))
    assert (
        "Winter 1901 adjustments (W1901A) is adjudicated, and you have ordered nothing for France, and need not."
        in said
    )
    assert "builds without an order are waived" in said
    assert "have arrived" not in said


def test_several_reminders_each_with_the_form(world: World) -> None:
    seats = world.started(options="reminder=48h,6h first=7d")
    world.send(player("Russia"), seats["Russia"], "PREFERENCES remind=72h,1h")
    due = world.game().due_at
    assert due is not None
    came: dict[str, list[datetime]] = {}
    while world.time < due - timedelta(minutes=30):
        before = {power: len(world.mailboxes[player(power)]) for power in ("Italy", "Russia")}
        world.pass_time(minutes=30)
        for power, count in before.items():
            for mail in world.mailboxes[player(power)][count:]:
                assert "reminder" in str(mail["Subject"])
                assert "Your orders for S1901M" in text_of(mail)
                assert "mailto:" in str(mail)
                came.setdefault(power, []).append(world.time)
    assert [due - at for at in came["Italy"]] == [timedelta(hours=48), timedelta(hours=6)]
    assert [due - at for at in came["Russia"]] == [timedelta(hours=72), timedelta(hours=1)], "from now on, not later"
    said = text_of(world.send(player("Italy"), seats["Italy"], "PREFERENCES remind=5h,4h,3h,2h,1h"))
    assert "more than 4 reminders" in said
    assert "2 days and again 6 hours before" in text_of(world.send(MASTER, BASE, "STATUS spring")).replace("\n", " ")


@pytest.mark.parametrize("way", ["RESIGN", "EJECT", "REPLACE", "deputy"])
def test_the_deadline_leaves_the_calendar_of_somebody_who_loses_their_seat(world: World, way: str) -> None:
    seats, lost = world.started(), player("France")
    _, before = event_in(world.last(lost))
    if way == "RESIGN":
        world.send(lost, seats["France"], "RESIGN spring")
    elif way == "EJECT":
        world.send(MASTER, seats["GM"], "EJECT France")
    elif way == "REPLACE":
        world.send(MASTER, seats["GM"], "REPLACE France WITH ann@example.net")
        world.accepts("ann@example.net")
    else:
        lost = "bob@example.net"
        world.send(player("France"), seats["France"], f"DEPUTY {lost}")
        world.accepts(lost)
        _, before = event_in(world.last(lost))
        world.send(player("France"), seats["France"], "DEPUTY NONE")
    method, event = event_in(world.last(lost))
    assert method == "CANCEL"
    assert event["UID"] == before["UID"]
    assert int(event["SEQUENCE"]) > int(before["SEQUENCE"])
