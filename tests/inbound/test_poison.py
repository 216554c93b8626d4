"""Poison: dates outside the calendar are refused, and a mail that cannot be processed delays no other mail."""

from __future__ import annotations

from zoneinfo import available_timezones

import pytest

from gm.clock import parse_span, parse_when, parse_zone
from gm.commands.context import Context
from gm.errors import NotUnderstood
from gm.inbound.acting import act
from gm.options.table import OPTIONS
from gm.parsing.message import ParsedMessage
from gm.store import inbox
from gm.store.inbox import InboxState
from tests.server.world import BASE, START, World, player, reply_to, text_of

pytestmark = pytest.mark.long

MASTER, FRANCE, OPERATOR = "master@example.org", player("France"), "operator@example.org"
YEARS = ("0001", "9999")
ZONES = ("Pacific/Kiritimati", "Etc/GMT+12")
"""The first and the last time zone to reach a day; those between are in the first test."""


@pytest.mark.parametrize("zone", sorted(available_timezones()))
def test_no_moment_at_the_ends_of_the_calendar_is_taken_in_any_zone(zone: str) -> None:
    for year in YEARS:
        for day in (f"{year}-01-01", f"{year}-12-31"):
            for said in (f"{day} 00:00", f"{day} 23:59", f"{day}T00:00", f"{day}T23:59+14:00", f"{day} 12:00 {zone}"):
                with pytest.raises(NotUnderstood):
                    parse_when(said, START, parse_zone(zone))
            with pytest.raises(NotUnderstood):
                parse_span(f"{day} TO {day}")


DATES = [
    line.format(year=year, day=day)
    for year in YEARS
    for day in ("01-01", "12-31")
    for line in (
        "DEADLINE {year}-{day} 00:00",
        "DEADLINE {year}-{day}T23:59",
        "EXTEND UNTIL {year}-{day} 23:59",
        "SCHEDULE {year}-{day} 00:00: PROCESS",
        "SCHEDULE 18:00: DEADLINE {year}-{day} 00:00",
        "ABSENCE {year}-{day} TO {year}-{day}",
        "SET holidays={year}-{day}",
        "SET holidays={year}-01-01..{year}-12-31",
    )
]
LINES = [
    "EXTEND 366 days\n" * 20,
    "DEADLINE in 366 days\nEXTEND 366 days\nEXTEND 366 days",
    "PREFERENCES remind=52w",
    "PREFERENCES remind=999999w",
    "TIMEZONE ../../etc/passwd",
    "TIMEZONE Europe",
    "SET zone=Etc",
    "SCHEDULE in 366 days: EXTEND 366 days",
    "LOG 99999999999999999999",
    "DEADLINE 2026-13-45 99:99",
    "EXTEND -5h",
]
LOOKS = ("LIST ALL", "STATUS", "WHOAMI", "DASHBOARD", "LOG", "SCHEDULE")


@pytest.mark.parametrize(("zone", "lines"), [*((zone, DATES) for zone in ZONES), ("UTC", LINES)])
def test_nothing_that_a_gamemaster_writes_makes_later_mails_fail(world: World, zone: str, lines: list[str]) -> None:
    seats = world.started(options=f"zone={zone}")
    for text in (f"TIMEZONE {zone}", *lines):
        world.time = world.time.replace(year=world.time.year)
        world.send(MASTER, seats["GM"], text)
        world.pass_time_quietly(minutes=3)
        answer = text_of(world.send(MASTER, seats["GM"], "\n".join(LOOKS)))
        assert "could not be worked on" not in answer
        assert "Who you are here" in answer, text
        assert "Dashboard of spring" in answer, text
        world.pass_time_quietly(minutes=3)
    assert world.phase() == "S1901M"
    assert not [mail for mail in world.inbox() if mail.tries > 1]


@pytest.mark.parametrize("zone", ZONES)
def test_no_option_of_a_new_game_makes_later_mails_fail(world: World, zone: str) -> None:
    values = ("99999999999999999999", "-1", "0", "999999w", "0001-01-01", "9999-12-31", "52w", "24:00", "mon-mon", "%s")
    for number, option in enumerate(OPTIONS):
        text = "\n".join(f"CREATE x{number}-{place} zone={zone} {option.name}={v}" for place, v in enumerate(values))
        world.arrive(f"gm{number}@example.org", BASE, text)
        world.work()
        world.pass_time(hours=25)
    assert "games" in text_of(world.send(FRANCE, BASE, "LIST ALL")).lower()
    assert not [mail for mail in world.inbox() if mail.tries > 1]


def test_a_players_absence_at_the_end_of_time_is_refused(world: World) -> None:
    seats = world.started()
    assert "is not a date near enough" in text_of(
        world.send(FRANCE, seats["France"], "ABSENCE 9999-12-30 TO 9999-12-31")
    )


# ---- a mail that cannot be worked on


def test_a_mail_that_fails_is_set_aside_alone_and_the_next_of_its_sender_does_not_wait(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = world.started()

    def poisoned(ctx: Context, parsed: ParsedMessage, *more: object) -> object:
        if ctx.mail is not None and "POISON" in ctx.mail.message.text:
            raise ZeroDivisionError
        return act(ctx, parsed, *more)  # type: ignore[arg-type]

    monkeypatch.setattr("gm.inbound.acting.act", poisoned)
    world.arrive(FRANCE, seats["France"], "A PAR-GAS\nPOISON")
    assert "Army Paris -> Burgundy" in text_of(world.send(FRANCE, seats["France"], "A PAR-BUR"))
    for _ in range(2):
        world.pass_time(seconds=31)
    states = [mail.state for mail in world.inbox()][-2:]
    assert states == [InboxState.ASIDE, InboxState.DONE], "after three tries, a minute after it came"
    assert "could not be" in text_of(world.last("operator@example.org"))
    assert "Army Paris -> Burgundy" in text_of(world.send(FRANCE, seats["France"], "STATUS"))


def test_a_forged_envelope_delays_nobody(world: World) -> None:
    """A mail with France's return path kills the process each time: France's own mail is processed all the same."""
    seats = world.started()
    world.arrive(FRANCE, BASE, "LIST")
    with world.database.transaction() as session:
        assert inbox.next_new(session, world.time) is not None
    world.arrive(FRANCE, seats["France"], "A PAR-BUR")
    world.pass_time(minutes=3)
    assert "Army Paris -> Burgundy" in "".join(text_of(mail) for mail in world.mailboxes[FRANCE])


def _fails(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Have a function of the server fail on every mail."""

    def fails(*_: object, **__: object) -> object:
        raise RecursionError

    monkeypatch.setattr(name, fails)


def _asked(world: World, seats: dict[str, str], text: str) -> str:
    """Where France answers whether a mail from another address is theirs."""
    world.arrive("france@elsewhere.example", seats["France"], text)
    world.work()
    assert "Did you write this?" in str(world.last(FRANCE)["Subject"])
    return reply_to(world.last(FRANCE))


def test_on_its_last_try_an_answer_is_acted_on_without_guesses_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = world.started(options="early=no")
    to = _asked(world, seats, "A PAR-BUR\nMy fleet in Brest brings nothing.")
    _fails(monkeypatch, "gm.inbound.acting.offer_meant")
    world.arrive(FRANCE, to, "YES")
    for _ in range(3):
        world.pass_time(seconds=31)
    assert "Army Paris -> Burgundy" in text_of(world.last(FRANCE))


@pytest.mark.parametrize("way", ["seat", "server", "answer"])
def test_who_wrote_a_mail_that_was_set_aside_is_told_so_once(
    world: World, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    seats = world.started(options="early=no")
    to = {"seat": seats["France"], "server": BASE, "answer": _asked(world, seats, "A PAR-BUR")}[way]
    _fails(monkeypatch, f"gm.inbound.{'confirming' if way == 'answer' else 'intake'}.note_proof")
    before = len(world.mailboxes[FRANCE])
    for copy in ("one way", "another way"):
        text = {"seat": "A PAR-BUR", "server": "LIST", "answer": "YES"}[way]
        world.arrive(FRANCE, to, text, message_id="<1@players.example>", headers={"Received": copy})
    for _ in range(4):
        world.pass_time(seconds=31)
    (told,) = world.mailboxes[FRANCE][before:]
    assert "Nothing in it was done" in text_of(told)
    assert [row.state for row in world.inbox()[-2:]] == [InboxState.ASIDE] * 2


def test_a_mail_that_broke_us_is_said_to_have_done_so_to_nobody_whom_it_may_not_be_of(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = world.started(options="early=no")
    _fails(monkeypatch, "gm.inbound.intake.quarantine")
    before = {who: len(mails) for who, mails in world.mailboxes.items()}
    world.arrive("france@elsewhere.example", seats["France"], "A PAR-BUR")
    for _ in range(3):
        world.pass_time(seconds=31)
    assert world.inbox()[-1].state is InboxState.ASIDE
    assert {who for who, mails in world.mailboxes.items() if len(mails) > before.get(who, 0)} == {OPERATOR}
