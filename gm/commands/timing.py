"""DEADLINE, EXTEND, PAUSE, RESUME, PROCESS and ABSENCE: when phases are adjudicated."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any

from gm.clock import parse_duration, parse_span, parse_when
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Record, Sentences, Stage, Syntax, Who
from gm.commands.voting import move_for
from gm.errors import NotNow
from gm.games.deadlines import absences, close_early, set_deadline, start_clock, stop_clock
from gm.games.missing_orders import excuse
from gm.games.post import tell
from gm.games.report_inputs import due_at
from gm.games.snapshot import Table
from gm.reports.words import full_moment
from gm.store import game_rows, people
from gm.store.game_rows import GameState, SeatRole
from gm.store.people import AccountRow

_TIME_WORDS = frozenset(("until", "on", "before", "after", "for", "from", "no"))
"""Words of sentences that times have too."""


def act_deadline(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set the deadline of the phase."""
    table, _ = ctx.seated()
    _move(ctx, table, parse_when(args["when"], ctx.now, table.options.clock.zone), "deadline")


def act_extend(ctx: Context, args: Mapping[str, Any]) -> None:
    """Put the deadline off by a length of time, or until a moment; players vote for it."""
    table, seat = ctx.seated()
    words = str(args["by"])
    if seat.role is SeatRole.MASTER:
        _move(ctx, table, _put_off(ctx, table, words), "extend")
        return
    if table.paused:
        raise NotNow(f"The clock of {table.game.name} stands: there is no deadline.", "RESUME votes to set it going.")
    value, what = "", ""
    if words.lower() not in ("yes", "no"):
        due = _put_off(ctx, table, words)
        value, what = (
            due.isoformat(),
            f"that the deadline be put off until {full_moment(due, table.options.clock.zone)}",
        )
        if due <= (due_at(table) or ctx.now):
            raise NotNow(
                f"{full_moment(due, table.options.clock.zone)} is not later than the deadline.", "Ask for more."
            )
    agreed = move_for(ctx, "extend", words, what, value)
    if agreed is not None:
        _move(ctx, table, datetime.fromisoformat(agreed), "extend", "The players have voted for more time.")


def _put_off(ctx: Context, table: Table, words: str) -> datetime:
    """The moment that `24h` or `until Friday 18:00` puts the deadline off to."""
    if words.lower().startswith("until "):
        return parse_when(words[6:], ctx.now, table.options.clock.zone)
    return (due_at(table) or ctx.now) + parse_duration(words)


def _move(
    ctx: Context, table: Table, due: datetime, kind: str, reason: str = "The gamemaster has moved the deadline."
) -> None:
    """Move the deadline and tell everybody. Raises NotNow for a moment that has passed."""
    zone = table.options.clock.zone
    if due <= ctx.now:
        raise NotNow(f"{full_moment(due, zone)} has passed already.", "PROCESS adjudicates the phase at once.")
    if table.phase is None:
        return
    before = due_at(table)
    undo = {"due": before.isoformat() if before is not None else None}
    set_deadline(table, table.phase, due, ctx.now)
    ctx.say(f"The deadline for {table.phase.code} is now {full_moment(due, zone)}. Everybody is told.")
    tell(
        table,
        ctx.office,
        [seat for seat in table.seats if seat is not ctx.seat],
        "new deadline",
        (f"{reason} It is that of {table.phase.code}.",),
        purpose=f"deadline:{ctx.mail_id}:{due:%s}",
        now=ctx.now,
    )
    ctx.note(kind, phase=table.phase.code, due=due.isoformat(), undo=undo)


def _set_back(ctx: Context, undo: Mapping[str, Any]) -> str:
    """The deadline as it was, or none if the game was paused; not one that has passed meanwhile."""
    table, _ = ctx.seated()
    if undo["due"] is None:
        return _stop_again(ctx, undo)
    ctx.running(table)
    due = datetime.fromisoformat(undo["due"])
    if table.phase is None or due <= ctx.now:
        raise NotNow("The deadline of before has passed meanwhile.", "DEADLINE sets another.")
    set_deadline(table, table.phase, due, ctx.now)
    return "The deadline is as it was."


def _stop_again(ctx: Context, undo: Mapping[str, Any]) -> str:
    del undo
    table, _ = ctx.seated()
    stop_clock(table, ctx.now)
    return "The clock stands."


DEADLINE = Command(
    "deadline",
    Syntax(
        "DEADLINE [game:GAME] when:WHEN",
        ("DEADLINE 2026-12-01 18:00", "DEADLINE Friday 18:00", "DEADLINE in 24h"),
        after_set=True,
        sentences=Sentences.RARE,
        sentence_words=_TIME_WORDS,
    ),
    Policy(Who.MASTER, Stage.RUNNING, phase_bound=True, schedulable=True, record=Record(undo=_set_back), cost=5),
    act_deadline,
    Help(
        "set when the phase is adjudicated",
        "Times are in the game's zone unless another one follows, such as UTC or\nAmerica/New_York. Everybody is told.",
    ),
)
EXTEND = Command(
    "extend",
    Syntax(
        "EXTEND [game:GAME] (BY) by:DURATION",
        ("EXTEND 24h", "EXTEND BY 2 days", "EXTEND UNTIL Friday 18:00", "EXTEND NO"),
        shorthands={"no extend": "NO"},
        elsewhere=("delay",),
        sentences=Sentences.RARE,
        sentence_words=_TIME_WORDS,
    ),
    Policy(
        Who.PARTICIPANT,
        Stage.RUNNING,
        phase_bound=True,
        schedulable=True,
        record=Record(undo=_set_back, secret=("motion",)),
        cost=5,
    ),
    act_extend,
    Help(
        "put the deadline off; players vote for it",
        "From the gamemaster it counts at once. From players it is a vote: it is\n"
        "done when as many agree as the game asks for (see STATUS). EXTEND YES\n"
        "agrees to what another player has asked for, EXTEND NO does not. Nobody\n"
        "is told who voted how. Orders already sent stay in force.",
    ),
)


def act_pause(ctx: Context, args: Mapping[str, Any]) -> None:
    """Stop the clock, or vote for it."""
    table, seat = ctx.seated()
    if table.paused:
        raise NotNow(f"The clock of {table.game.name} stands already.", "RESUME sets it going.")
    if seat.role is SeatRole.MASTER:
        _pause(ctx, table, "The gamemaster has stopped the clock.")
    elif move_for(ctx, "pause", args["vote"] or "", "that the clock be stopped") is not None:
        _pause(ctx, table, "The players have voted to stop the clock.")


def act_resume(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set the clock going, or vote for it."""
    table, seat = ctx.seated()
    if not table.paused:
        raise NotNow(f"The clock of {table.game.name} is running.", "PAUSE stops it.")
    if seat.role is SeatRole.MASTER:
        _resume(ctx, table, "The gamemaster has set the clock going.")
    elif move_for(ctx, "resume", args["vote"] or "", "that the clock be set going") is not None:
        _resume(ctx, table, "The players have voted to set the clock going.")


def _pause(ctx: Context, table: Table, reason: str) -> None:
    """The clock stands, and everybody is told."""
    due = due_at(table)
    stop_clock(table, ctx.now)
    words = (f"{reason} There is no deadline until it is resumed; orders are taken as before.",)
    tell(
        table,
        ctx.office,
        list(table.seats),
        "the clock stands",
        words,
        purpose=f"pause:{ctx.mail_id}",
        now=ctx.now,
    )
    ctx.say("The clock stands. Everybody is told.")
    ctx.note("pause", undo={"due": due.isoformat() if due is not None else None})


def _resume(ctx: Context, table: Table, reason: str) -> None:
    """The clock goes on with the time that was left, and everybody is told."""
    due = start_clock(table, ctx.now)
    tell(
        table,
        ctx.office,
        list(table.seats),
        "the clock is running",
        (reason,),
        purpose=f"resume:{ctx.mail_id}",
        now=ctx.now,
    )
    if due is not None:
        ctx.say(f"The clock is running; the deadline is {full_moment(due, table.options.clock.zone)}.")
    ctx.note("resume", undo={})
    close_early(table, ctx.now)


PAUSE = Command(
    "pause",
    Syntax(
        "PAUSE [vote:YES|NO]",
        ("PAUSE", "PAUSE NO"),
        shorthands={"no pause": "NO"},
        sentences=Sentences.UNLESS_WHOLE,
    ),
    Policy(Who.PARTICIPANT, Stage.RUNNING, schedulable=True, record=Record(undo=_set_back, secret=("motion",)), cost=5),
    act_pause,
    Help(
        "stop the clock; players vote for it",
        "From the gamemaster it counts at once. From players it is a vote: it is\n"
        "done when as many agree as the game asks for. PAUSE NO votes against it.\n"
        "Orders are taken while the clock stands; RESUME sets it going again\n"
        "with the time that was left.",
    ),
)
RESUME = Command(
    "resume",
    Syntax("RESUME [vote:YES|NO]", ("RESUME", "RESUME NO"), sentences=Sentences.UNLESS_WHOLE),
    Policy(
        Who.PARTICIPANT, Stage.RUNNING, schedulable=True, record=Record(undo=_stop_again, secret=("motion",)), cost=5
    ),
    act_resume,
    Help(
        "set the clock going again; players vote for it",
        "The phase then has the time that was left when the clock was stopped.",
    ),
)


def act_process(ctx: Context, args: Mapping[str, Any]) -> None:
    """Make the deadline now. A phase named that is not being played guards against a race with the clock."""
    table, _ = ctx.seated()
    if table.phase is None:
        return
    named = args["phase"]
    if named is not None and named != table.phase.code:
        raise NotNow(f"{named} is not being played.", f"{table.game.name} stands at {table.phase.code}.")
    excuse(table, table.phase, ctx.now)
    set_deadline(table, table.phase, ctx.now, ctx.now)
    if table.variant.review is not None and not table.in_review:
        ctx.say(f"The orders for {table.phase.code} are closed now; PROCESS again brings the results.")
    else:
        ctx.say(f"{table.phase.code} is adjudicated now, with the orders that are in.")
    ctx.note("process", phase=table.phase.code, phase_id=table.phase.id)


PROCESS = Command(
    "process",
    Syntax(
        "PROCESS [game:GAME] [phase:PHASE]",
        ("PROCESS", "PROCESS F1901M"),
        elsewhere=("adjudicate",),
        sentences=Sentences.RARE,
    ),
    Policy(Who.MASTER, Stage.RUNNING, irrevocable=True, phase_bound=True, schedulable=True, cost=5),
    act_process,
    Help("adjudicate the phase now", "Name the phase to be sure that you do not close the one after it."),
)


_MOST_ABSENCES = 6


def act_absence(ctx: Context, args: Mapping[str, Any]) -> None:
    """Tell an absence; deadlines that fall into it move by the rule of each game. Or list or cancel them."""
    account = ctx.known()
    mine = people.absences_of(ctx.session, [account.id], ctx.now)
    if args["none"]:
        for absence in mine:
            absence.cancelled_at = ctx.now
        ctx.say("You are not away." + (" Deadlines that have moved stay as they are." if mine else ""))
        return
    if args["days"]:
        if len(mine) >= _MOST_ABSENCES:
            raise NotNow(f"You have told {_MOST_ABSENCES} absences already.", "ABSENCE NONE cancels them.")
        _add(ctx, account, args["days"])
    zone = ctx.office.zone_of(account)
    for absence in people.absences_of(ctx.session, [account.id], ctx.now):
        ctx.say(f"You are away from {full_moment(absence.begins, zone)} to {full_moment(absence.ends, zone)}.")
    if not args["days"] and not mine:
        ctx.say("You have told no absence. Write ABSENCE and two dates: ABSENCE 2026-12-24 TO 2027-01-02.")


def _add(ctx: Context, account: AccountRow, words: str) -> None:
    """Keep the absence, whole days in the sender's zone, and move what it touches now."""
    zone = ctx.office.zone_of(account)
    first, last = parse_span(words)
    begins = datetime.combine(first, time(), zone).astimezone(UTC)
    ends = datetime.combine(last + timedelta(days=1), time(), zone).astimezone(UTC)
    if ends <= ctx.now:
        raise NotNow(f"{words} is over already.", "Write dates that are to come.")
    people.add_absence(ctx.session, account.id, max(begins, ctx.now), ends, ctx.now)
    ctx.note("absence", begins=begins.isoformat(), ends=ends.isoformat())
    for game, seat in game_rows.seats_of_account(ctx.session, account.id, GameState.RUNNING):
        if seat.role is SeatRole.PLAYER:
            same = ctx.table is not None and ctx.table.game.id == game.id
            table = (
                ctx.table
                if same and ctx.table is not None
                else Table(ctx.session, game_rows.lock_game(ctx.session, game.id))
            )
            _move_out(ctx, table)


def _move_out(ctx: Context, table: Table) -> None:
    """Move the present deadline of a game out of the absences of those who must still order."""
    if table.phase is None or table.deadline is None:
        return
    due = table.deadline.due_at
    moved = table.options.clock.out_of(due, absences(table, ctx.now))
    if moved == due:
        return
    set_deadline(table, table.phase, moved, ctx.now)
    ctx.say(f"The deadline of {table.game.name} moves to {full_moment(moved, table.options.clock.zone)}.")
    words = ("A player is away, so the deadline has moved, as the rules of this game have it.",)
    others = [seat for seat in table.seats if ctx.account is None or seat.account_id != ctx.account.id]
    tell(
        table,
        ctx.office,
        others,
        "new deadline",
        words,
        purpose=f"absence:{ctx.mail_id}:{table.game.id}",
        now=ctx.now,
    )


ABSENCE = Command(
    "absence",
    Syntax(
        "ABSENCE | ABSENCE none:NO|NONE|OFF | ABSENCE days:SPAN",
        ("ABSENCE 2026-12-24 TO 2027-01-02", "ABSENCE", "ABSENCE NONE"),
        synonyms=("holiday", "vacation"),
        shorthands={"no absence": "NO"},
        elsewhere=("away",),
        after_set=True,
    ),
    Policy(Who.SEATED, cost=5),
    act_absence,
    Help(
        "tell when you are away",
        "The days count whole, in your time zone, and for all your games. A\n"
        "deadline that falls into them while you have still to order moves\n"
        "behind them, as far as the game allows (see STATUS). ABSENCE alone\n"
        "shows what you have told, ABSENCE NONE cancels it.",
    ),
)
