"""`release=gm`: the gamemaster sees the results first, and nobody else learns anything before RELEASE."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from gm.errors import NotUnderstood
from gm.inbound.intake import receive_next
from gm.machine.deadlines import catch_up
from gm.options import read_options
from gm.settings import ClockSettings, TrustSettings
from gm.store import game_rows
from gm.variants.standard import POWERS
from tests.inbound.test_which_phase import late
from tests.server.kept import kept
from tests.server.world import BASE, OPENINGS, World, player, reply_to, text_of

MASTER = "master@example.org"


def begun(world: World, options: str = "") -> dict[str, str]:
    return world.started("spring", f"release=gm {options}".strip())


@kept
def order_all(world: World, seats: dict[str, str]) -> None:
    for power in POWERS:
        world.send(player(power), seats[power], OPENINGS[power])


def master(world: World, seats: dict[str, str], text: str) -> str:
    return text_of(world.send(MASTER, seats["GM"], text))


def reports(world: World, who: str) -> list[str]:
    return [str(mail["Subject"]) for mail in world.mailboxes[who] if "results" in str(mail["Subject"])]


def test_results_that_were_let_go_are_not_put_off_by_an_outage(world: World) -> None:
    seats = begun(world)
    order_all(world, seats)
    world.arrive(MASTER, seats["GM"], "RELEASE S1901M")
    assert receive_next(world.service)
    world.pass_time_quietly(days=3)
    assert catch_up(world.service, ClockSettings(catch_up="extend")) == 0
    world.work()
    assert world.phase() == "F1901M"
    assert reports(world, player("France"))


def test_the_results_are_seen_before_they_are_let_go(world: World) -> None:
    seats = begun(world)
    said = master(world, seats, "PROCESS S1901M\nRELEASE S1901M")
    assert "No results of spring wait to be released. A mail brings you the results when the phase has ended" in said
    assert "The results of S1901M, for you first" in str(world.last(MASTER)["Subject"])
    said = master(world, seats, "UNDO")
    assert "What you did last, PROCESS, cannot be undone. To play a phase again, use ROLLBACK." in said
    assert "The results of S1901M go to everybody now." in master(world, seats, "RELEASE S1901M")


def test_release_with_process_and_release_again(world: World) -> None:
    seats = begun(world)
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    said = master(world, seats, "RELEASE S1901M\nPROCESS")
    assert "This was not done, because the results of S1901M are released now." in said
    assert "wait for the gamemaster" not in said
    assert world.phase() == "F1901M"
    said = master(world, seats, "RELEASE\nRELEASE S1901M")
    assert said.count("The results of S1901M were released already. F1901M is being played") == 1, "for both lines"
    assert "PROCESS" not in said.partition("Next is")[0]
    assert "No results of spring wait" in master(world, seats, "RELEASE F1901M")


def test_the_gamemaster_gets_the_results_and_lets_them_go(world: World) -> None:
    seats = begun(world)
    order_all(world, seats)
    first = world.last(MASTER)
    assert "The results of S1901M, for you first" in str(first["Subject"])
    assert "These are the results, which no player has seen." in text_of(first), "but other gamemasters"
    assert "Army Paris -> Burgundy" in text_of(first)
    assert "Fleet Sevastopol -> Black Sea bounce" in text_of(first)
    assert "RELEASE S1901M" in text_of(first)
    assert (world.phase(), world.game().due_at) == ("S1901M", None)
    assert not reports(world, player("France"))
    told = world.last(player("France"))
    assert "Orders are closed" in str(told["Subject"])
    assert "The results come when the gamemaster has released them." in text_of(told)
    world.pass_time(days=5)
    assert world.phase() == "S1901M"
    assert "The results of S1901M go to everybody now." in master(world, seats, "RELEASE S1901M")
    assert world.phase() == "F1901M"
    assert reports(world, player("France"))
    assert world.game().due_at == world.time + timedelta(days=3), "the next deadline counts from the release"


def test_what_the_gamemaster_was_shown_is_what_comes(world: World) -> None:
    seats = begun(world, "nmr=random")
    world.pass_time(days=8)
    first = text_of(world.last(MASTER)).partition("Austria -------")[2]
    master(world, seats, "RELEASE")
    report = text_of(world.last(MASTER))
    for unit in ("Army Paris", "Fleet London", "Army Moscow", "Fleet Ankara"):
        order = re.search(rf"{unit} (?:-> |SUPPORT \w+ )?\w+", first)
        assert order is not None
        assert order[0] in report


QUESTIONS = ("STATUS", "HISTORY ALL", "MAP", "EXPORT", "SUMMARY", "POSITION", "WHY A PAR-BUR", "LIST", "PRESS WITH ALL")


def test_nothing_tells_a_player_before(tmp_path: Path) -> None:
    said = []
    for target in ("GAL", "BOH"):
        (tmp_path / target).mkdir()
        world = World(tmp_path / target)
        seats = begun(world)
        for power in POWERS:
            world.send(player(power), seats[power], OPENINGS[power].replace("A VIE-GAL", f"A VIE-{target}"))
        answers = [world.send(player("Italy"), seats["Italy"], line) for line in QUESTIONS]
        answers += world.mailboxes[player("Italy")]
        said.append([text_of(mail) for mail in answers])
        with world.looking() as session:
            (phase,) = game_rows.phases_of(session, world.game().id)
            assert phase.result is None, "neither the gallery nor a file can have what is not stored"
        world.database.dispose()
    assert said[0] == said[1]


def test_orders_are_closed_and_nothing_ends_it_by_itself(world: World) -> None:
    seats = begun(world)
    order_all(world, seats)
    said = text_of(world.send(player("France"), seats["France"], "A PAR-PIC"))
    assert "This came too late: the orders for S1901M are closed." in said
    said = master(world, seats, "ORDERS FOR France\nA PAR-PIC")
    assert "RELEASE S1901M lets them go; ROLLBACK S1901M opens the orders again." in said
    world.send(player("France"), seats["France"], "READY")
    assert world.phase() == "S1901M", "READY does not release"
    for line in ("EXTEND 24h", "DEADLINE in 24h", "PAUSE"):
        assert "its results wait for the gamemaster" in master(world, seats, line)
    assert "its results wait" in text_of(world.send(player("France"), seats["France"], "EXTEND 24h"))
    waited = "The results of S1901M have waited since Fri 20 Nov 2026, 09:00 UTC. RELEASE S1901M lets them go"
    assert waited in master(world, seats, "DASHBOARD")
    assert "Orders are closed. The results come when" in text_of(world.send(player("Italy"), seats["Italy"], "STATUS"))
    assert "F1901M is not being played" in master(world, seats, "RELEASE F1901M")


def test_orders_can_be_opened_again_before(world: World) -> None:
    seats = begun(world)
    order_all(world, seats)
    assert "S1901M is played again" in master(world, seats, "ROLLBACK S1901M")
    assert not world.game().in_review
    assert world.game().due_at is not None
    world.send(player("France"), seats["France"], "A PAR-PIC")
    assert "A Par-Pic" in text_of(world.send(player("France"), seats["France"], "MY ORDERS"))
    master(world, seats, "PROCESS S1901M")
    assert "Army Paris -> Picardy" in text_of(world.last(MASTER))
    master(world, seats, "RELEASE")
    assert world.phase() == "F1901M"


def test_undo_of_that_rollback_closes_them_again(world: World) -> None:
    seats = begun(world)
    order_all(world, seats)
    master(world, seats, "ROLLBACK S1901M")
    master(world, seats, "UNDO")
    assert world.game().withheld
    assert world.game().due_at is None
    world.pass_time(days=9)
    assert world.phase() == "S1901M"
    assert "go to everybody now" in master(world, seats, "RELEASE S1901M")
    assert world.phase() == "F1901M"


def test_a_gamemaster_who_plays_sees_no_results_first(world: World) -> None:
    world.promotes(MASTER, (seats := begun(world))["GM"], f"PROMOTE {player('Italy')}")
    world.agreed()
    own = reply_to(world.last(player("Italy")))
    order_all(world, seats)
    mails = [mail for mail in world.mailboxes[player("Italy")] if "release" in str(mail["Subject"]).lower()]
    assert "You play, so you see the results with the others" in text_of(mails[-1])
    assert not any("Burgundy" in text_of(mail) for mail in mails)
    said = text_of(world.send(player("Italy"), own, "DASHBOARD\nPREVIEW\nLOG\nSTATUS"))
    assert "Burgundy" not in said
    assert "go to everybody now" in text_of(world.send(player("Italy"), own, "RELEASE"))
    assert world.phase() == "F1901M"


def test_it_can_be_scheduled_and_is_refused_without_results(world: World) -> None:
    seats = begun(world)
    assert "No results of spring wait to be released." in master(world, seats, "RELEASE")
    order_all(world, seats)
    master(world, seats, "SCHEDULE in 5h: RELEASE")
    world.pass_time(hours=6)
    assert world.phase() == "F1901M"


def test_who_has_a_digest_is_told_in_it_how_it_stands(world: World) -> None:
    seats = begun(world)
    world.send(player("Italy"), seats["Italy"], "PREFERENCES digest=07:00")
    order_all(world, seats)
    world.send(player("France"), seats["France"], "PRESS TO Italy\nHello.\nENDPRESS")
    world.pass_time(hours=24)
    digest = text_of(world.last(player("Italy")))
    assert "orders are closed, and the results come when the gamemaster has released them." in digest


def test_missing_a_phase_counts_when_it_is_released(world: World) -> None:
    seats = begun(world, "nmr=disorder")
    for phase in ("S1901M", "F1901M"):
        world.pass_time(days=8)
        assert len(world.game().held) == 7
        master(world, seats, f"RELEASE {phase}")
    assert not world.game().held


def test_a_game_in_which_timing_must_tell_nothing_has_none() -> None:
    with pytest.raises(NotUnderstood, match="so that timing tells nothing"):
        read_options({"variant": "among-us", "release": "gm"})


def test_a_release_that_is_forgotten_is_reminded_of_each_day_then_each_week(world: World) -> None:
    seats = begun(world)
    order_all(world, seats)
    for day in range(1, 8):
        world.pass_time(days=1)
        told = world.last(MASTER)
        assert "The results of S1901M wait" in str(told["Subject"])
        assert "have waited since Fri 20 Nov 2026, 09:00 UTC" in text_of(told)
        assert "RELEASE S1901M" in text_of(told)
        assert len(_reminders(world)) == day
    world.pass_time(days=6)
    assert len(_reminders(world)) == 7
    world.pass_time(days=1)
    assert len(_reminders(world)) == 8
    master(world, seats, "RELEASE S1901M")
    world.pass_time(days=2)
    assert len(_reminders(world)) == 8
    assert not _reminders(world, player("France"))


def _reminders(world: World, who: str = MASTER) -> list[str]:
    return [str(mail["Subject"]) for mail in world.mailboxes[who] if "of S1901M wait" in str(mail["Subject"])]


def test_a_phase_that_waits_again_after_a_rollback_is_reminded_of(world: World) -> None:
    seats = begun(world)
    order_all(world, seats)
    master(world, seats, "ROLLBACK S1901M")
    world.pass_time(hours=25)
    assert not _reminders(world)
    master(world, seats, "ROLLFORWARD")
    world.pass_time(hours=23)
    assert not _reminders(world)
    world.pass_time(hours=2)
    assert len(_reminders(world)) == 1
    master(world, seats, "ROLLBACK S1901M")
    master(world, seats, "TERMINATE spring")
    world.pass_time(days=3)
    assert len(_reminders(world)) == 1


# ---- what must wait as well


@pytest.mark.parametrize("line", ["DRAW spring", "TERMINATE spring", "UNSTART spring", "PROCESS", "PROCESS S1901M"])
def test_the_gamemaster_neither_loses_results_nor_lets_them_go_unawares(world: World, line: str) -> None:
    seats = begun(world)
    order_all(world, seats)
    said = master(world, seats, line)
    assert "The orders for S1901M are closed: its results wait for the gamemaster." in said
    assert "RELEASE S1901M lets them go; ROLLBACK S1901M opens the orders again." in said
    assert world.game().withheld
    master(world, seats, "RELEASE")
    assert world.phase() == "F1901M"
    assert "Burgundy" in text_of(world.send(player("Italy"), seats["Italy"], "HISTORY ALL"))


def test_a_vote_does_not_end_the_game_and_tells_nothing(world: World) -> None:
    seats = begun(world)
    for power in POWERS[1:]:
        world.send(player(power), seats[power], "DRAW")
    order_all(world, seats)
    for power in POWERS[:2]:
        for line in ("DRAW", "CONCEDE TO France"):
            said = text_of(world.send(player(power), seats[power], line))
            assert "The orders for S1901M are closed: its results wait for the gamemaster." in said
            assert "RELEASE" not in said
    assert "You vote against a draw" in text_of(world.send(player("Italy"), seats["Italy"], "NO DRAW"))
    assert world.game().withheld
    assert world.game().running


def test_a_scheduled_process_of_a_closed_phase_is_refused(world: World) -> None:
    seats = begun(world)
    master(world, seats, "SCHEDULE in 5h: PROCESS")
    order_all(world, seats)
    world.pass_time(hours=6)
    assert "RELEASE S1901M lets them go" in text_of(world.last(MASTER))
    assert world.phase() == "S1901M"
    assert not reports(world, player("France"))


@pytest.mark.parametrize("lines", ["DEADLINE in 24h", "EXTEND 24h", "PAUSE\nRESUME"])
def test_what_moved_the_deadline_is_not_undone_once_it_has_closed_the_phase(world: World, lines: str) -> None:
    seats = begun(world)
    master(world, seats, lines)
    order_all(world, seats)
    before = len(world.mailboxes[player("France")])
    for _ in range(2):
        assert "The orders for S1901M are closed" in master(world, seats, "UNDO")
    assert world.game().due_at is None
    assert len(world.mailboxes[player("France")]) == before
    world.pass_time(days=1)
    assert len(_reminders(world)) == 1


def test_who_takes_a_seat_is_told_that_orders_are_closed(world: World) -> None:
    seats = begun(world)
    order_all(world, seats)
    world.send(player("France"), seats["France"], "RESIGN spring")
    world.send("newcomer@players.example", BASE, "TAKEOVER spring AS France")
    _is_told_of_the_closing(world, "newcomer@players.example")
    master(world, seats, "EJECT Italy")
    master(world, seats, "UNDO")
    _is_told_of_the_closing(world, player("Italy"))


def _is_told_of_the_closing(world: World, who: str) -> None:
    welcome = next(mail for mail in reversed(world.mailboxes[who]) if "welcome" in str(mail["Subject"]))
    assert "S1901M: welcome, you are " in str(welcome["Subject"])
    said = text_of(welcome)
    assert "The orders for Spring 1901 movement (S1901M) are closed. The results come when the gamemaster" in said
    assert "sent before you, are in force" in said
    for wrong in ("France's orders", "Italy's orders", "You can change", "deadline is set", "At the end is a form"):
        assert wrong not in said


@pytest.mark.parametrize("back", ["ROLLFORWARD", "UNDO"])
def test_the_way_back_to_a_closed_phase_says_that_it_is_closed(world: World, back: str) -> None:
    seats = begun(world)
    order_all(world, seats)
    master(world, seats, "ROLLBACK S1901M")
    if back == "ROLLFORWARD":
        master(world, seats, "PAUSE")
    master(world, seats, back)
    told = world.last(player("France"))
    assert "orders for S1901M are closed, and the results come when the gamemaster has released" in text_of(told)
    assert "set back" not in str(told["Subject"])
    assert "is being played" not in text_of(told)
    assert not world.game().paused
    assert "is not paused" in master(world, seats, "RESUME")
    assert world.game().withheld


def test_orders_that_come_while_results_wait_can_be_accepted(world: World) -> None:
    seats = begun(world)
    due = world.game().due_at
    assert due is not None
    world.pass_time(days=8)
    assert world.game().withheld
    too_late = text_of(late(world, seats["France"], "A PAR-PIC", due + timedelta(minutes=1)))
    assert "It is kept: the gamemaster can still let it count for S1901M" in too_late
    assert "1 minute after the deadline" in _late_orders(world)[0]
    assert "before any report of it was sent to that player" in _late_orders(world)[0]
    for text in ("A PAR-BUR\nREADY", "S1901M:\nA MAR-SPA"):
        said = text_of(late(world, seats["France"], text, due - timedelta(hours=1)))
        assert "This came too late: the orders for S1901M are closed." in said
        assert "the gamemaster can still let it count for S1901M" in said
    assert "60 minutes before the deadline" in _late_orders(world)[2]
    assert "What they would change: France: A Mar-Spa; before: A Mar H." in _late_orders(world)[2]
    assert "S1901M is adjudicated again, with the late orders of France" in master(world, seats, "ACCEPT LATE France")
    assert world.game().withheld
    first = text_of(world.last(MASTER))
    assert "Army Paris -> Picardy" in first, "it was received last, though read first"
    assert "Army Marseilles -> Spain" in first
    assert not reports(world, player("Italy"))
    master(world, seats, "RELEASE S1901M")
    assert world.phase() == "F1901M"
    assert "Army Paris -> Picardy" in text_of(world.send(player("Italy"), seats["Italy"], "HISTORY ALL"))


def _late_orders(world: World) -> list[str]:
    return [text_of(mail) for mail in world.mailboxes[MASTER] if "Late orders of France" in str(mail["Subject"])]


def test_orders_that_are_confirmed_while_results_wait_are_offered_too(world: World) -> None:
    seats = begun(world)
    object.__setattr__(world.service.identity, "trust", TrustSettings(level="strict", authserv_ids=("mx.home",)))
    world.arrive(player("France"), seats["France"], "A PAR-BUR")
    world.work()
    asked = world.last(player("France"))
    assert "+confirm." in reply_to(asked)
    world.pass_time(minutes=5)
    with world.trusting():
        master(world, seats, "PROCESS")
    world.pass_time(hours=1)
    assert "can still let it count" in text_of(world.send(player("France"), reply_to(asked), "YES"))
    assert len(_late_orders(world)) == 1
