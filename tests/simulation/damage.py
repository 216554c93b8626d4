"""More faults for `sabotage`: in what some players use besides, and in what mails say."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from gm.clock import parse_when
from gm.commands import orders, press, scheduling, timing, undo
from gm.games import digests, report_inputs, turn_file
from gm.games.snapshot import Game
from gm.inbound import intake, which_phase
from gm.judge.outcomes import Result
from gm.machine import deadlines, reports
from gm.mail.transport import imap
from gm.play import ballots, calendar, deputies
from gm.position import Position
from gm.reports import explain
from gm.store import gathering, ways

Change = tuple[Any, str, Any]
"""A name in a module or class, and what it is replaced by."""


def _deputy_for_ever() -> Change:
    return deputies, "dismiss", lambda _tx, game, *_: game


def _digest_of_another_day() -> Change:
    really = digests.next_digest

    def next_digest(person: Any, zone: Any, now: datetime) -> datetime | None:
        at = really(person, zone, now)
        return at + timedelta(days=2) if at is not None else None

    return digests, "next_digest", next_digest


def _digest_never() -> Change:
    return gathering, "first_due", lambda *_: None


def _digest_lost() -> Change:
    really = gathering.gather

    def gather(session: Any, mails: Any, message_id: str, *more: Any) -> None:
        really(session, mails, message_id.replace("<", "<lost."), *more)

    return gathering, "gather", gather


def _deputy_is_nobody() -> Change:
    return Game, "principal", lambda _game, seat: seat


def _long_lease_of_a_way() -> Change:
    return ways, "WAY_LEASE", timedelta(minutes=40)


def _uncited_is_nothing() -> Change:
    really = which_phase.lines_by_phase

    def lines(ctx: Any, row: Any, game: Any, read: Any) -> Any:
        found = really(ctx, row, game, read)
        cited = ctx.mail is None or ctx.mail.message.cited(ctx.tx.identity.host)
        if cited or game is None or not game.running:
            return found
        return which_phase.ByPhase(())

    return intake, "lines_by_phase", lines


# what reports say


def _another_time() -> Change:
    really = report_inputs.closes_at

    def closes_at(game: Game, seat: Any) -> datetime | None:
        due = really(game, seat)
        return due + timedelta(hours=1) if due is not None else None

    return reports, "closes_at", closes_at


def _unit_left_out() -> Change:
    really = Position.units_of

    def units_of(position: Position, power: Any) -> tuple[Any, ...]:
        found = really(position, power)
        return found[1:] if sys._getframe(1).f_globals["__name__"] == "gm.reports.results" else found

    return Position, "units_of", units_of


def _bounce_is_success() -> Change:
    return explain, "_MARKS", {**explain._MARKS, Result.BOUNCES: ""}


def _file_of_another() -> Change:
    really, first = turn_file.turn_file, dict[str, Any]()
    return reports, "turn_file", lambda game, view: first.setdefault(game.name, really(game, view))


def _first_reminder_dropped() -> Change:
    really = calendar._reminders
    return calendar, "_reminders", lambda *about: really(*about)[1:]


def _nobody_reminded() -> Change:
    return deadlines, "remind", lambda *_: None


def _last_character_cut_off() -> Change:
    really = press.readable

    def readable(ctx: Any, text: str) -> tuple[str, bool]:
        read, leaked = really(ctx, text)
        return read[:-1], leaked

    return press, "readable", readable


def _only_first_recipient() -> Change:
    really = press._receivers
    return press, "_receivers", lambda *about: really(*about)[:1]


def _post_lost() -> Change:
    return reports, "deferred_press", lambda *_: ()


# what moves a deadline


def _at_the_deadline_is_late() -> Change:
    really = report_inputs.closes_at

    def closes_at(game: Game, seat: Any) -> datetime | None:
        due = really(game, seat)
        return due - timedelta(microseconds=1) if due is not None else None

    return orders, "report_inputs", SimpleNamespace(**{**vars(report_inputs), "closes_at": closes_at})


def _after_the_deadline_is_in_time() -> Change:
    really = report_inputs.closes_at

    def closes_at(game: Game, seat: Any) -> datetime | None:
        due = really(game, seat)
        return due + timedelta(seconds=1) if due is not None else None

    return orders, "report_inputs", SimpleNamespace(**{**vars(report_inputs), "closes_at": closes_at})


def _not_moved_away() -> Change:
    return imap.ImapFolder, "put_away", lambda *_: None


def _extended_by_more() -> Change:
    really = timing._put_off
    return timing, "_put_off", lambda *about: really(*about) + timedelta(hours=1)


def _one_vote_moves() -> Change:
    def carried(_game: Game, given: Any) -> str | None:
        return next((vote for vote in given.values() if vote != ballots.NO), None)

    return ballots, "carried", carried


def _undone_otherwise() -> Change:
    really = undo._last

    def last(ctx: Any, game: Game) -> Any:
        done, of = really(ctx, game)
        detail = {**done.detail}
        if detail.get("undo", {}).get("due"):
            due = datetime.fromisoformat(detail["undo"]["due"]) + timedelta(hours=1)
            detail["undo"] = {"due": due.isoformat()}
        return SimpleNamespace(log_id=done.log_id, command=done.command, detail=detail), of

    return undo, "_last", last


def _scheduled_for_another_time() -> Change:
    return scheduling, "parse_when", lambda *about: parse_when(*about) + timedelta(hours=1)


MORE: dict[str, Callable[[], Change]] = {
    "deputy for ever": _deputy_for_ever,
    "deputy is nobody": _deputy_is_nobody,
    "digest of another day": _digest_of_another_day,
    "digest never sent": _digest_never,
    "digest lost": _digest_lost,
    "long lease of a way in": _long_lease_of_a_way,
    "uncited mail is nothing": _uncited_is_nothing,
    "another deadline in reports": _another_time,
    "unit left out of the report": _unit_left_out,
    "bounce is success": _bounce_is_success,
    "file of another turn": _file_of_another,
    "extended by more": _extended_by_more,
    "one vote moves the deadline": _one_vote_moves,
    "undone otherwise": _undone_otherwise,
    "scheduled for another time": _scheduled_for_another_time,
    "first reminder dropped": _first_reminder_dropped,
    "nobody reminded": _nobody_reminded,
    "last character of press cut off": _last_character_cut_off,
    "press to the first only": _only_first_recipient,
    "press by post lost": _post_lost,
    "at the deadline is late": _at_the_deadline_is_late,
    "after the deadline is in time": _after_the_deadline_is_in_time,
    "mail not moved away": _not_moved_away,
}
"""By name, as in `sabotage.FAULTS`."""

OFTEN: dict[str, str] = {
    "deputy for ever": "deputies",
    "deputy is nobody": "deputies",
    "digest of another day": "digests",
    "digest never sent": "digests",
    "digest lost": "digests",
    "uncited mail is nothing": "uncited",
    "one vote moves the deadline": "moves",
    "undone otherwise": "moves",
    "extended by more": "moves",
    "scheduled for another time": "moves",
    "last character of press cut off": "press",
    "press to the first only": "press",
    "press by post lost": "press",
    "mute is nothing": "press",
    "mail not moved away": "rest",
    "at the deadline is late": "on_time",
    "after the deadline is in time": "on_time",
}
"""The kind of event by which a fault is reached: a look for it has this kind more often."""
