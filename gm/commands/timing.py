"""DEADLINE, EXTEND, PAUSE, RESUME, PROCESS and ABSENCE: when phases are adjudicated."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any

from gm.clock import near, parse_duration, parse_span, parse_when
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Record, Sentences, Stage, Syntax, Who
from gm.commands.voting import move_for
from gm.errors import NotNow
from gm.games import calendar
from gm.games.limits import Spent
from gm.games.missing_orders import excuse
from gm.games.snapshot import Game, Person
from gm.reports.words import full_moment
from gm.store import people
from gm.store.game_rows import GameState, SeatRole

_TIME_WORDS = frozenset(("until", "on", "before", "after", "for", "from", "no"))
"""Words of sentences that times have too."""


def act_deadline(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set the deadline of the phase."""
    game, _ = ctx.seated()
    _move(ctx, game, parse_when(args["when"], ctx.now, game.options.clock.zone), "deadline")


def act_extend(ctx: Context, args: Mapping[str, Any]) -> None:
    """Put the deadline off by a length of time, or until a moment; players vote for it."""
    game, seat = ctx.seated()
    words = str(args["by"])
    if seat.role is SeatRole.MASTER:
        _move(ctx, game, _put_off(ctx, game, words), "extend")
        return
    if game.paused:
        raise NotNow(f"The clock of {game.name} stands: there is no deadline.", "RESUME votes to set it going.")
    value, what = "", ""
    if words.lower() not in ("yes", "no"):
        due = _put_off(ctx, game, words)
        value, what = (
            due.isoformat(),
            f"that the deadline be put off until {full_moment(due, game.options.clock.zone)}",
        )
        if due <= (game.due_at or ctx.now):
            raise NotNow(
                f"{full_moment(due, game.options.clock.zone)} is not later than the deadline.", "Ask for more."
            )
    agreed = move_for(ctx, "extend", words, what, value)
    if agreed is not None:
        _move(ctx, game, datetime.fromisoformat(agreed), "extend", "The players have voted for more time.")


def _put_off(ctx: Context, game: Game, words: str) -> datetime:
    """The moment that `24h` or `until Friday 18:00` puts the deadline off to."""
    if words.lower().startswith("until "):
        return parse_when(words[6:], ctx.now, game.options.clock.zone)
    return near((game.due_at or ctx.now) + parse_duration(words), ctx.now)


def _move(
    ctx: Context, game: Game, due: datetime, kind: str, reason: str = "The gamemaster has moved the deadline."
) -> None:
    """Move the deadline and tell everybody. Raises NotNow for a moment that has passed."""
    zone = game.options.clock.zone
    near(due, ctx.now)
    if due <= ctx.now:
        raise NotNow(f"{full_moment(due, zone)} has passed already.", "PROCESS adjudicates the phase at once.")
    phase, before = ctx.running(game), game.due_at
    undo = {"due": before.isoformat() if before is not None else None}
    game = calendar.set_deadline(ctx.tx, game, due)
    ctx.say(f"The deadline for {phase.code} is now {full_moment(due, zone)}. Everybody is told.")
    ctx.tx.tell(
        game,
        game.all_but(ctx.seat),
        "new deadline",
        (f"{reason} It is that of {phase.code}.",),
        f"deadline:{ctx.key}:{due:%s}",
    )
    ctx.note(kind, phase=phase.code, due=due.isoformat(), undo=undo)


def _set_back(ctx: Context, undo: Mapping[str, Any]) -> str:
    """The deadline as it was, or none if the game was paused; not one that has passed meanwhile."""
    game, _ = ctx.seated()
    if undo["due"] is None:
        return _stop_again(ctx, undo)
    ctx.running(game)
    due = datetime.fromisoformat(undo["due"])
    if due <= ctx.now:
        raise NotNow("The deadline of before has passed meanwhile.", "DEADLINE sets another.")
    calendar.set_deadline(ctx.tx, game, due)
    return "The deadline is as it was."


def _stop_again(ctx: Context, undo: Mapping[str, Any]) -> str:
    del undo
    game, _ = ctx.seated()
    calendar.pause(ctx.tx, game)
    return "The game is paused."


DEADLINE = Command(
    "deadline",
    Syntax(
        "DEADLINE [game:GAME] when:WHEN",
        ("DEADLINE 2026-12-01 18:00", "DEADLINE Friday 18:00", "DEADLINE in 24h"),
        after_set=True,
        sentences=Sentences.RARE,
        sentence_words=_TIME_WORDS,
    ),
    Policy(
        Who.MASTER,
        Stage.RUNNING,
        phase_bound=True,
        schedulable=True,
        record=Record(undo=_set_back),
        cost=5,
        spends=(Spent.MAILS,),
    ),
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
        spends=(Spent.MAILS,),
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
    game, seat = ctx.seated()
    if game.paused:
        raise NotNow(f"The clock of {game.name} stands already.", "RESUME sets it going.")
    if seat.role is SeatRole.MASTER:
        _pause(ctx, game, "The gamemaster has stopped the clock.")
    elif move_for(ctx, "pause", args["vote"] or "", "that the clock be stopped") is not None:
        _pause(ctx, game, "The players have voted to stop the clock.")


def act_resume(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set the clock going, or vote for it."""
    game, seat = ctx.seated()
    if not game.paused:
        raise NotNow(f"The clock of {game.name} is running.", "PAUSE stops it.")
    if seat.role is SeatRole.MASTER:
        _resume(ctx, game, "The gamemaster has set the clock going.")
    elif move_for(ctx, "resume", args["vote"] or "", "that the clock be set going") is not None:
        _resume(ctx, game, "The players have voted to set the clock going.")


def _pause(ctx: Context, game: Game, reason: str) -> None:
    """Stop the clock, and tell everybody."""
    due = game.due_at
    game = calendar.pause(ctx.tx, game)
    words = (f"{reason} There is no deadline until it is resumed; orders are taken as before.",)
    ctx.tx.tell(game, game.seats, "the game is paused", words, f"pause:{ctx.key}")
    ctx.say("The game is paused. Everybody is told.")
    ctx.note("pause", undo={"due": due.isoformat() if due is not None else None})


def _resume(ctx: Context, game: Game, reason: str) -> None:
    """The clock goes on with the time that was left; tell everybody."""
    game = calendar.resume(ctx.tx, game)
    ctx.tx.tell(game, game.seats, "the clock is running", (reason,), f"resume:{ctx.key}")
    if game.due_at is not None:
        ctx.say(f"The clock is running; the deadline is {full_moment(game.due_at, game.options.clock.zone)}.")
    ctx.note("resume", undo={})
    calendar.close_early(ctx.tx, game)


PAUSE = Command(
    "pause",
    Syntax(
        "PAUSE [vote:YES|NO]",
        ("PAUSE", "PAUSE NO"),
        shorthands={"no pause": "NO"},
        sentences=Sentences.UNLESS_WHOLE,
    ),
    Policy(
        Who.PARTICIPANT,
        Stage.RUNNING,
        schedulable=True,
        record=Record(undo=_set_back, secret=("motion",)),
        cost=5,
        spends=(Spent.MAILS,),
    ),
    act_pause,
    Help(
        "stop the clock; players vote for it",
        "From the gamemaster it counts at once. From players it is a vote: it is\n"
        "done when as many agree as the game asks for. PAUSE NO votes against it.\n"
        "Orders are accepted while the game is paused; RESUME continues it\n"
        "with the time that was left.",
    ),
)
RESUME = Command(
    "resume",
    Syntax("RESUME [vote:YES|NO]", ("RESUME", "RESUME NO"), sentences=Sentences.UNLESS_WHOLE),
    Policy(
        Who.PARTICIPANT,
        Stage.RUNNING,
        schedulable=True,
        record=Record(undo=_stop_again, secret=("motion",)),
        cost=5,
        spends=(Spent.MAILS,),
    ),
    act_resume,
    Help(
        "set the clock going again; players vote for it",
        "The phase then has the time that was left when the clock was stopped.",
    ),
)


def act_process(ctx: Context, args: Mapping[str, Any]) -> None:
    """Make the deadline now. A phase named that is not being played guards against a race with the clock."""
    game, _ = ctx.seated()
    phase, named = ctx.running(game), args["phase"]
    if named is not None and named != phase.code:
        raise NotNow(f"{named} is not being played.", f"{game.name} stands at {phase.code}.")
    excuse(ctx.tx, game)
    calendar.set_deadline(ctx.tx, game, ctx.now)
    if game.variant.review is not None and not game.in_review:
        ctx.say(f"The orders for {phase.code} are closed now; PROCESS again brings the results.")
    else:
        ctx.say(f"{phase.code} is adjudicated now, with the orders that are in.")
    ctx.note("process", phase=phase.code, phase_id=phase.id)


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
    mine = people.absences_of(ctx.tx.session, [account.id], ctx.now)
    if args["none"]:
        for absence in mine:
            absence.cancelled_at = ctx.now
        ctx.say("You are not away." + (" Deadlines that have moved stay as they are." if mine else ""))
        return
    if args["days"]:
        if len(mine) >= _MOST_ABSENCES:
            raise NotNow(f"You have told {_MOST_ABSENCES} absences already.", "ABSENCE NONE cancels them.")
        _add(ctx, account, args["days"])
    zone = ctx.tx.identity.zone_of(account)
    for absence in people.absences_of(ctx.tx.session, [account.id], ctx.now):
        ctx.say(f"You are away from {full_moment(absence.begins, zone)} to {full_moment(absence.ends, zone)}.")
    if not args["days"] and not mine:
        ctx.say("You have told no absence. Write ABSENCE and two dates: ABSENCE 2026-12-24 TO 2027-01-02.")


def _add(ctx: Context, account: Person, words: str) -> None:
    """Keep the absence, whole days in the sender's zone, and move what it touches now."""
    zone = ctx.tx.identity.zone_of(account)
    first, last = parse_span(words)
    begins = datetime.combine(first, time(), zone).astimezone(UTC)
    ends = datetime.combine(last + timedelta(days=1), time(), zone).astimezone(UTC)
    if ends <= ctx.now:
        raise NotNow(f"{words} is over already.", "Write dates that are to come.")
    people.add_absence(ctx.tx.session, account.id, max(begins, ctx.now), ends, ctx.now)
    ctx.note("absence", begins=begins.isoformat(), ends=ends.isoformat())
    for game in ctx.tx.games_of(account, GameState.RUNNING, lock=True):
        if game.plays(account):
            _move_out(ctx, game)


def _move_out(ctx: Context, game: Game) -> None:
    """Move the present deadline of a game out of the absences of those who must still order."""
    if game.due_at is None:
        return
    moved = game.options.clock.out_of(game.due_at, calendar.absences(ctx.tx, game))
    if moved == game.due_at:
        return
    game = calendar.set_deadline(ctx.tx, game, moved)
    ctx.say(f"The deadline of {game.name} moves to {full_moment(moved, game.options.clock.zone)}.")
    words = ("A player is away, so the deadline has moved, as the rules of this game have it.",)
    others = game.all_but(*game.seats_of(ctx.person))
    ctx.tx.tell(game, others, "new deadline", words, f"absence:{ctx.key}:{game.id}")


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
    Policy(Who.SEATED, cost=5, spends=(Spent.MAILS,)),
    act_absence,
    Help(
        "tell when you are away",
        "The days count whole, in your time zone, and for all your games. A\n"
        "deadline that falls into them while you have still to order moves\n"
        "behind them, as far as the game allows (see STATUS). ABSENCE alone\n"
        "shows what you have told, ABSENCE NONE cancels it.",
    ),
)
