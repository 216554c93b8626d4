"""MUSTER: whatever a player answers to it says that they are there, unless they say NO."""

from __future__ import annotations

import pytest

from tests.server.world import World, body_of, player, reply_to, text_of

MASTER, ENGLAND = "master@example.org", player("England")


def _answered(world: World, text: str) -> str:
    """The answer to a reply of England's to the call."""
    seats = world.started(options="early=no")
    world.send(MASTER, seats["GM"], "MUSTER in 24h")
    call = world.last(ENGLAND)
    assert "Are you there?" in text_of(call)
    cited = {"In-Reply-To": str(call["Message-ID"]), "Subject": f"Re: {call['Subject']}"}
    return text_of(world.send(ENGLAND, reply_to(call), text, headers=cited))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Yes, I am here.", "England is there"),
        ("ja bin da", "England is there"),
        ("Still playing, sorry. When is the deadline?", "The deadline of S1901M is"),
        ("Yes\n\nF Lon-Nth", "F Lon-Nth"),
    ],
)
def test_whoever_answers_is_there(world: World, text: str, answer: str) -> None:
    assert answer in _answered(world, text)
    world.pass_time(hours=25)
    held = [seat.power for seat in world.game().players if seat.person is not None]
    assert held == ["England"]


@pytest.mark.parametrize(
    "text",
    [
        "No, I have no time any more",
        "I resign, sorry.",
        "I am there no longer",
        "I won't be able to play on. Please find somebody else.",
        "Thank you for your mail. I am on holiday and will be back on 20 December.",
    ],
)
def test_who_says_no_is_not(world: World, text: str) -> None:
    said = _answered(world, text)
    assert "England is there" not in said
    world.pass_time(hours=25)
    assert next(seat for seat in world.game().players if seat.power == "England").person is None


def test_what_one_mail_changes_is_one_notice(world: World) -> None:
    seats = world.started(options="early=no")
    before = len(world.mailboxes[ENGLAND])
    world.send(MASTER, seats["GM"], "EXTEND 24h\nSET grace=6h\nSET reminder=12h")
    (told,) = world.mailboxes[ENGLAND][before:]
    assert "New deadline, new options" in str(told["Subject"])
    for said in ("24 hours later than before", "grace=6h", "reminder=12h"):
        assert said in " ".join(body_of(told).split())


def test_a_command_below_one_that_waits_waits_with_it(world: World) -> None:
    seats = world.started(options="early=no")
    due = world.game().due_at
    raw = "INVITE zed@example.org\nEXTEND 24h"
    world.arrive(MASTER, seats["GM"], raw)
    world.work()
    asked = world.last(MASTER)
    assert "EXTEND 24h" in text_of(asked)
    assert world.game().due_at == due
    world.send(MASTER, reply_to(asked), "YES")
    assert world.game().due_at != due


@pytest.mark.parametrize("later", ["HERE", "RESIGN spring", ""])
def test_a_bare_no_gives_up_no_seat_before_its_time_and_shows_how_to(world: World, later: str) -> None:
    said = _answered(world, "No")
    assert "Nothing was changed yet: you lose the seat of England when the time to answer is over." in said
    assert "RESIGN spring give the seat up now HERE keep it" in said
    if later:
        world.send(ENGLAND, reply_to(world.last(ENGLAND)), later)
    world.pass_time(hours=25)
    seat = next(seat for seat in world.game().players if seat.power == "England")
    assert (seat.person is not None) == (later == "HERE")


def test_the_dashboard_says_who_has_not_answered(world: World) -> None:
    seats = world.started(options="early=no")
    world.send(MASTER, seats["GM"], "MUSTER in 24h")
    for power in ("Austria", "England", "France", "Germany", "Italy"):
        world.send(player(power), seats[power], "HERE")
    assert "No answer to MUSTER yet: Russia and Turkey." in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))


def test_who_calls_it_off_is_offered_that(world: World) -> None:
    chair = world.started(options="early=no")["GM"]
    world.send(MASTER, chair, "MUSTER")
    said = text_of(world.send(MASTER, chair, "Please call off the roll call, I have heard from everybody by phone."))
    assert "MUSTER OFF cancel the roll call" in said
