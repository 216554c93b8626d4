"""SCHEDULE: commands that are run at a set time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from gm.clock import parse_when
from gm.commands.context import Context
from gm.commands.declaration import Command, Consent, Help, Policy, Record, Syntax, Who
from gm.errors import NotNow, NotUnderstood
from gm.games.bounds import Bound
from gm.games.snapshot import Game, Seat
from gm.parsing.sentences import NEXT_PHASE
from gm.play import calendar
from gm.reports import full_moment
from gm.store import agenda
from gm.store.agenda import DeadlineKind, ScheduledRow

_FORM = "Write SCHEDULE Friday 18:00: PROCESS, or SCHEDULE NONE to cancel all."


def act_schedule(ctx: Context, args: Mapping[str, Any]) -> None:
    """Schedule a command, list the scheduled commands, or cancel them."""
    game, seat = ctx.seated()
    waiting = agenda.scheduled(ctx.tx.session, game.id)
    if args["none"]:
        _cancel(ctx, game, ctx.running(game).id, waiting)
    elif args["line"] is None:  # before the game begins, too
        lines = [said_of(ctx, game, row) for row in waiting]
        ctx.show(f"Scheduled in {game.name}", "\n".join(lines) or "Nothing.")
    else:
        ctx.running(game)
        _check_room(len(waiting) + 1)
        _schedule(ctx, game, seat, waiting, args)


def _check_room(number: int) -> None:
    """Raises NotNow when so many commands cannot be scheduled."""
    Bound.SCHEDULED.check(number, "To cancel all, write SCHEDULE NONE.")


def _schedule(ctx: Context, game: Game, seat: Seat, waiting: Sequence[ScheduledRow], args: Mapping[str, Any]) -> None:
    """Store a command until it is due, or the next phase begins. Raises NotNow, NotUnderstood."""
    line, zone = str(args["line"]), game.options.clock.zone
    due = None if args["when"] == NEXT_PHASE else parse_when(args["when"], ctx.now, zone)
    if due is not None and due <= ctx.now:
        raise NotNow(f"{full_moment(due, zone)} has passed already.", _FORM)
    _check(ctx, game, line, due)
    then = due or game.code
    written = ((agenda.written_in(ctx.tx.session, row) if row.for_next else None, row) for row in waiting)
    there = ((row.line.partition(agenda.BECAUSE)[0], code or row.due_at) for code, row in written)
    if (line, then) in there:
        ctx.say(f"{line} is scheduled for {_time_of(due, zone)} already.")
        return
    row = calendar.schedule(ctx.tx, game, seat, line, due, ctx.mail_id, ctx.why)
    ctx.why = ""  # whoever is told of it is told the reason then
    ctx.say(f"Scheduled for {_when(ctx, game, row)}: {row.line}.")
    ctx.note("schedule", line=row.line, due=row.due_at.isoformat(), undo={"scheduled": row.id})


def _time_of(due: datetime | None, zone: tzinfo) -> str:
    return NEXT_PHASE if due is None else full_moment(due, zone)


def said_of(ctx: Context, game: Game, row: ScheduledRow) -> str:
    """What is scheduled, and for when. What is for the phase after another than the present one names that."""
    when = _when(ctx, game, row)
    return f"{when[:1].upper()}{when[1:]}: {row.line}"


def _when(ctx: Context, game: Game, row: ScheduledRow) -> str:
    if row.for_next and (code := agenda.written_in(ctx.tx.session, row)) != game.code:
        return f"the phase after {code}"
    return _time_of(None if row.for_next else row.due_at, game.options.clock.zone)


def _cancel(ctx: Context, game: Game, phase_id: int, waiting: Sequence[ScheduledRow]) -> None:
    """Cancel the scheduled commands, and tell the others who run the game."""
    if not waiting:
        ctx.say(f"Nothing is scheduled in {game.name}, so there is nothing to cancel.")
        return
    for row in waiting:
        row.done_at = ctx.now
    agenda.cancel(ctx.tx.session, phase_id, (DeadlineKind.ACTION,))
    ctx.say(f"Nothing is scheduled in {game.name} any more.")
    lines = [said_of(ctx, game, row) for row in waiting]
    words = (f"{ctx.known().name} has cancelled what was scheduled in {game.name}.", *lines)
    others = (one for one in game.all_but(ctx.answered) if one.moderates)
    ctx.tx.tell(game, others, "nothing is scheduled", words, f"unscheduled:{ctx.key}:{len(ctx.answer.done)}")
    ctx.note("schedule", cancelled=lines, undo={"cancelled": [row.id for row in waiting]})


def _undo_schedule(ctx: Context, undo: Mapping[str, Any]) -> str:
    """Cancel the command that was scheduled, or schedule again what was cancelled."""
    game, _ = ctx.seated()
    if "cancelled" in undo:
        return _reschedule(ctx, game, undo["cancelled"])
    row = next((row for row in agenda.scheduled(ctx.tx.session, game.id) if row.id == undo["scheduled"]), None)
    if row is None:
        return "The command was no longer scheduled: it was carried out or cancelled before."
    row.done_at = ctx.now
    return "The command is no longer scheduled."


def _reschedule(ctx: Context, game: Game, keys: Sequence[int]) -> str:
    """Schedule commands again that were cancelled, but for those whose time has passed."""
    rows = [row for row in agenda.cancelled(ctx.tx.session, keys) if row.for_next or row.due_at > ctx.now]
    _check_room(len(agenda.scheduled(ctx.tx.session, game.id)) + len(rows))
    for row in rows:
        row.done_at = None
        if not row.for_next:
            agenda.add_deadlines(ctx.tx.session, game.id, row.phase_id, [(DeadlineKind.ACTION, row.due_at)])
    names = (ctx.commands.reader.name_of(row.line) for row in rows)
    ctx.bring(*(ctx.commands[name].policy.consent_later(ctx) for name in names if name is not None))
    passed = "" if len(rows) == len(keys) else " The time of the others has passed."
    return f"Scheduled again: {'; '.join(row.line for row in rows) or 'nothing'}.{passed}"


def _check(ctx: Context, game: Game, line: str, due: datetime | None) -> None:
    """Raises NotUnderstood for a line that is not a command, or not one that can be scheduled; NotNow for one about
    the phase that is being played when that is over, and for one that would end the next as it begins (`due` None).
    """
    try:
        call = ctx.commands.reader.read(line, game.lexicon_of(ctx.seat)) if line else None
    except NotUnderstood as error:
        raise NotUnderstood(error.problem, error.remedy) from None  # its column is that of the inner line
    if call is None or not ctx.commands[call.name].policy.schedulable:
        may = ", ".join(sorted(command.title for command in ctx.commands.values() if command.policy.schedulable))
        raise NotUnderstood(f"'{line}' is not a command that can be scheduled.", f"{_FORM} You can schedule {may}.")
    if ctx.commands[call.name].syntax.takes_options and not any(call.args.values()):
        raise NotUnderstood(f"'{line}' says nothing to be done then.", "Write its options on the same line.")
    if str(call.args.get("by") or "").startswith("-"):
        raise NotNow(
            "Time is not taken back later: nobody can be asked then.", "DEADLINE can be scheduled, or moved now."
        )
    policy = ctx.commands[call.name].policy
    if due is None and policy.consent_of(ctx, call.args) is Consent.IRREVOCABLE:
        raise NotNow(f"'{line}' is not done as a phase begins.", "DEADLINE, EXTEND, PAUSE, REMIND or SET can be.")
    if due is not None and policy.phase_bound and game.due_at is not None and due >= game.due_at:
        phase, until = ctx.running(game).code, full_moment(game.due_at, game.options.clock.zone)
        how = f"Schedule it for a time before that, or for the phase after it: SCHEDULE next phase: {line}."
        raise NotNow(f"'{line}' is about {phase}, whose deadline is {until}: it would be over by then.", how)


SCHEDULE = Command(
    "schedule",
    Syntax(
        "SCHEDULE | SCHEDULE none:NONE | SCHEDULE when,line:TIMED",
        ("SCHEDULE Friday 18:00: PROCESS", "SCHEDULE next phase: EXTEND 24h", "SCHEDULE", "SCHEDULE NONE"),
    ),
    Policy(Who.MASTER, record=Record(undo=_undo_schedule, untold=True)),
    act_schedule,
    Help(
        "run a command at a set time",
        """
        Write the time as in DEADLINE, a colon and a blank, then the command,
        such as PROCESS or PAUSE; one that cannot be scheduled is answered with
        those that can. You get a mail when it is done, or if it fails. PROCESS,
        DEADLINE and EXTEND without a phase are for the phase in which you write
        them: when it is over they are not run. What is for the next phase is
        done when that begins: SCHEDULE next phase: EXTEND 24h, or any of
        DEADLINE, PAUSE and SET. Its first report tells of a deadline, a mail of
        options and a pause. It waits for that phase also if the game is set
        back. A line BECAUSE and the reason below
        is for whoever is told of it then. SCHEDULE alone lists the scheduled
        commands, SCHEDULE NONE cancels all of them and tells the others who run
        the game; UNDO takes back either.
        """,
    ),
)
