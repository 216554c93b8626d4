"""DEADLINE, EXTEND, PAUSE and RESUME: when phases are adjudicated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from gm.clock import TwoDates, check_not_too_far, parse_change, parse_span, parse_when
from gm.commands.context import THE_DEADLINE, Beginning, Context, Trial
from gm.commands.declaration import Command, Consent, Help, Policy, Record, Sentences, Stage, Syntax, Who
from gm.commands.scheduling import said_of
from gm.commands.voice import say_of_phase, stands_lower
from gm.commands.voting import move_for
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games.limits import Spent
from gm.games.report_inputs import early_by, game_facts
from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.play import calendar, extensions
from gm.reports import counted, full_moment, left, span
from gm.reports.reader import UNTIMED, due_sentence
from gm.store import agenda, game_rows
from gm.store.game_rows import SeatRole

_TIME_WORDS = frozenset(("until", "on", "before", "after", "for", "from", "no"))
"""Words that occur both in sentences and in times."""
_UNTIL = re.compile(r"(?:until|till|to)\s+", re.IGNORECASE)
"""What stands between EXTEND and a moment; a length of time has BY or nothing before it."""


def _is_then(ctx: Context, game: Game, seat: Seat, line: str, *, moves: bool = True) -> bool:
    """Whether the phase is adjudicated now, as the same mail may have said: what a gamemaster writes that `moves` its
    deadline or stops it is carried out in the phase after it.
    """
    opens = game.is_corrected or game.withheld or (game.options.release != "gm" and game.variant.review is None)
    if not (seat.moderates and opens and calendar.is_adjudicated_now(ctx.tx, game)):
        return False
    phase = ctx.running(game)
    why, ctx.why = ctx.why, ""
    calendar.schedule(ctx.tx, game, seat, line, None, ctx.mail_id, why)
    ctx.bring(Consent.IRREVOCABLE)  # it waits with the line above it, and nobody can be asked then
    with_it = f"Your reason goes with it: {why}." if why and (moves or why not in ctx.answer.told) else ""
    ctx.say_of_deadline("")
    if moves:
        stands_lower(ctx, why)
    ctx.say(f"{line} is for the phase after {phase.code}: it is done when that begins, and you are told. {with_it}")
    return True


def act_deadline(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set the deadline of the phase."""
    game, seat = ctx.seated()
    if _is_then(ctx, game, seat, f"DEADLINE {args['when']}"):
        return
    _check_open(ctx, game, seat)
    clock = game.options.clock
    due = parse_when(args["when"], ctx.now, clock.zone)
    if due != (allowed := clock.on_allowed_day(due)):
        holidays = "in the game's holidays", "holidays=none"
        where, change = holidays if clock.in_holidays(due) else (_NO_DAY, "days=mon-sun")
        how = f"Write DEADLINE {allowed.astimezone(clock.zone):%Y-%m-%d %H:%M}, or first change them: SET {change}."
        raise NotNow(f"{full_moment(due, clock.zone)} is {where}.", how)
    _move(ctx, game, due, "deadline")


_NO_DAY = "on none of the days of the week that the game has for deadlines"


def _check_open(ctx: Context, game: Game, seat: Seat) -> None:
    """Raises NotNow when the orders are closed: a later deadline would open nothing."""
    calendar.check_goes_on(ctx.tx, game, seat)
    if game.in_review and game.phase is not None:
        how = "Their results come soon; the deadline of the next phase can be moved."
        raise NotNow(f"The orders for {game.phase.code} are closed.", how)


def act_extend(ctx: Context, args: Mapping[str, Any]) -> None:
    """Move the deadline by a duration or to a later time. For players it is a vote."""
    game, seat = ctx.seated()
    if args.get("by") and _is_then(ctx, game, seat, f"EXTEND {args['by']}"):
        return
    _check_open(ctx, game, seat)
    if not args.get("by"):
        _use_extension(ctx, game, seat)
        return
    words = str(args["by"])
    if not game.timed and game.left is None:
        remedy = "A gamemaster can set one for this phase: DEADLINE Friday 18:00."
        raise NotNow(f"{game.name} has no deadline. {UNTIMED[early_by(game)]}", remedy)
    if not seat.moderates:
        _vote_for_more(ctx, game, words)
    elif game.paused:
        _lengthen(ctx, game, words)
    else:
        _move(ctx, game, _put_off(ctx, game, words), "extend")


def _vote_for_more(ctx: Context, game: Game, words: str) -> None:
    """Vote for a later deadline."""
    if game.paused:
        raise NotNow(f"{game.name} is paused: there is no deadline.", "To vote to continue, write RESUME.")
    value = what = ""
    if words.lower() not in ("yes", "no"):
        due = _put_off(ctx, game, words).replace(second=0, microsecond=0)  # as those are told who agree
        value, what = due.isoformat(), f"to move the deadline to {full_moment(due, game.options.clock.zone)}"
        if due <= (game.due_at or ctx.now):
            when = full_moment(due, game.options.clock.zone)
            raise NotNow(f"{when} is not later than the deadline.", "Name a later time.")
    agreed = move_for(ctx, "extend", words, what, value)
    if agreed is None:
        return
    due = datetime.fromisoformat(agreed)
    if game.due_at is not None and due <= game.due_at:
        ctx.say(f"The deadline stays: it is no earlier than {ctx.reader().until(due)}.")
    else:
        _move(ctx, game, due, "extend", "The players have voted for more time.")


def _lengthen(ctx: Context, game: Game, words: str) -> None:
    """Add to the time that is left in a paused game, and notify everybody."""
    if until := _UNTIL.match(words):
        how = f"EXTEND 24h adds to the time that is left; DEADLINE {words[until.end() :]} ends the pause."
        raise NotNow(f"{game.name} is paused: there is no deadline.", how)
    change, had = parse_change(words), calendar.time_left(game, ctx.now) or timedelta()
    rest = had + change
    check_not_too_far(ctx.now + rest, ctx.now)
    if rest <= timedelta():
        raise NotNow(f"Only {left(had)} are left.", "PROCESS adjudicates the phase now.")
    more = "more" if change > timedelta() else "less"
    phase, before, seconds = ctx.running(game), game.left, int(rest.total_seconds())
    game = ctx.tx.fold(game, left=seconds)
    calendar.note_time_without_end(ctx.tx, game)
    now = f"{phase.code} has {left(rest)} left. The game is still paused, without a deadline."
    news = (f"{ctx.who} has given {more} time: once the game is resumed, {now}",)
    ctx.tell_others(game, f"{more} time", news, f"pause:{ctx.key}:{seconds}")
    ctx.say(f"Once the game is resumed, {now} Everybody was notified; RESUME continues it.")
    ctx.note("extend", phase=phase.code, by=words, undo={"left": before, "to": seconds})


def _use_extension(ctx: Context, game: Game, seat: Seat) -> None:
    """Move the deadline by an extension of the player's own."""
    if not game.options.extensions or seat.role is not SeatRole.PLAYER:
        raise NotUnderstood("EXTEND needs to know by how much.", "Write EXTEND 24h or EXTEND UNTIL Friday 18:00.")
    if game.paused or game.in_grace or game.due_at is None:
        raise NotNow("There is no deadline that could be extended.", "Send your orders soon.")
    if not game.is_awaited(seat):
        raise NotNow("You have nothing to order in this phase.", "")
    if not extensions.left(ctx.tx, game, seat):
        raise NotNow("You have no extensions left in this game.", "To ask the others for more time, write EXTEND 24h.")
    game = extensions.use(ctx.tx, game, [seat], f"extended:{ctx.key}")
    still = counted(extensions.left(ctx.tx, game, seat), "extension")
    if game.due_at is not None:
        due = ctx.reader().until(game.due_at)
        ctx.say(f"The deadline is now {due}. Everybody was notified, but not by whom. You have {still} left.")


def _put_off(ctx: Context, game: Game, words: str) -> datetime:
    """The new deadline requested by `24h`, `until Friday 18:00` or `until Friday`."""
    if until := _UNTIL.match(words):
        due = later_than_due(game, words[until.end() :], ctx.now)
    elif isinstance(ctx.origin, Beginning) and game.due_at is not None:
        due = check_not_too_far(_from_usual(ctx, game, ctx.origin, game.due_at, parse_change(words)), ctx.now)
    else:
        due = check_not_too_far((game.due_at or ctx.now) + parse_change(words), ctx.now)
    if due != (allowed := game.options.clock.on_allowed_day(due)):
        ctx.say(f"There is no deadline on {due.astimezone(game.options.clock.zone):%a %d %b} in this game.")
    return allowed


def _from_usual(ctx: Context, game: Game, origin: Beginning, due: datetime, change: timedelta) -> datetime:
    """The deadline of a phase that begins, moved from the usual one, or from where what was done before for it has put
    it; one that has more time, since it had that when it was played before, keeps at least that.
    """
    usual = _usual(ctx, game, origin, due)
    moved = (usual if due == origin.due else due) + change
    return max(moved, origin.due) if origin.due is not None and origin.due > usual else moved


def _usual(ctx: Context, game: Game, origin: Beginning, due: datetime) -> datetime:
    """The usual deadline of a phase that begins; where everybody was told one, that it has."""
    return due if told_before(ctx.tx, game, origin.after) else calendar.usual_deadline(ctx.tx, game)


def later_than_due(game: Game, words: str, now: datetime) -> datetime:
    """The moment until which a deadline is extended: `Monday` is the first behind the deadline. Raises NotNow for one
    that is before it.
    """
    moment, due = moment_of(game, words, now), game.due_at
    if due is not None and moment < due and _WEEKDAY.match(words):
        moment = moment_of(game, words, due)
    if due is not None and moment < due:
        zone = game.options.clock.zone
        how = f"DEADLINE {moment.astimezone(zone):%Y-%m-%d %H:%M} sets an earlier one."
        raise NotNow(f"{full_moment(moment, zone)} is before the deadline, {full_moment(due, zone)}.", how)
    return moment


_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_WEEKDAY = re.compile(
    r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b"
    rf"(?!.*\b(?:\d{{1,2}}[./-]|\d{{1,2}}\.? {_MONTH}|{_MONTH}[a-z]{{0,6}} \d))",
    re.IGNORECASE,
)
"""A day of the week without a date."""


def moment_of(game: Game, words: str, now: datetime) -> datetime:
    """The moment meant by `Friday 18:00`, or by `Friday`: at the time of day that the deadline has. Raises
    NotUnderstood.
    """
    zone = game.options.clock.zone
    usual = f"{(game.due_at or now).astimezone(zone):%H:%M}"
    try:
        return parse_when(words, now, zone)
    except TwoDates:
        raise
    except NotUnderstood as error:
        try:
            return parse_when(f"{words} {usual}", now, zone)
        except TwoDates:
            raise
        except NotUnderstood:
            raise error from None


def _move(ctx: Context, game: Game, due: datetime, kind: str, reason: str = "") -> None:
    """Move the deadline and notify everybody. Raises NotNow for a time in the past."""
    check_not_too_far(due, ctx.now)
    _check_future(ctx, due, game, "To adjudicate the phase at once, write PROCESS.")
    phase, before = ctx.running(game), game.due_at
    if due == before and not isinstance(ctx.origin, Beginning):
        ctx.say(f"The deadline for {phase.code} is {ctx.reader().until(due)} already. Nobody was notified.")
        return
    undo: dict[str, Any] = {"set": due.isoformat(), "paused": game.paused, "rest": game.left}
    undo["due"] = before.isoformat() if before is not None else None
    told = not ctx.tx.says(f"rollback:{ctx.key}:")  # otherwise nobody knows the deadline that there was until then
    goes_on = " The game was paused and goes on." if game.paused else ""
    more = goes_on or (moved_by(game, due) if told else "")
    ctx.withdraw("RESUME")
    game = calendar.set_deadline(ctx.tx, game, due, due if kind == "deadline" else None)
    if isinstance(ctx.origin, Beginning):
        usual = _usual(ctx, game, ctx.origin, before) if before is not None else None
        differs = than_usual(ctx, game, ctx.origin.after, usual, due)
        ctx.say(f"{differs}.{goes_on} The first report of the phase says so.")
        ctx.note_told("With it all players get")
    else:
        ctx.say(f"The deadline for {phase.code} is now {ctx.reader().until(due)}.{more} Everybody was notified.")
        reason = reason or f"{ctx.who} has moved the deadline."
        words = (f"{reason.rstrip('.')} ({phase.code}).{more}",)
        ctx.tell_others(game, "new deadline", words, f"deadline:{ctx.key}:{len(ctx.answer.done)}")
    ctx.note(kind, phase=phase.code, due=due.isoformat(), undo=undo)


def moved_by(game: Game, due: datetime) -> str:
    """By how much, and from when, a deadline moves, in a sentence that shows a weekday that was not the one meant."""
    before = game.due_at
    if before is None or due == before:
        return ""
    return f" It is {_apart(before, due)} than before ({full_moment(before, game.options.clock.zone)})."


def than_usual(ctx: Context, game: Game, ended_id: int, usual: datetime | None, due: datetime) -> str:
    """How the deadline of a phase that begins differs from the one that everybody was told for it, if the phase before
    it, with this id, was corrected; else from the usual one, of which nobody was told. As what is said of the phase.
    """
    told, said = told_before(ctx.tx, game, ended_id), f"{game.code} is due {full_moment(due, game.options.clock.zone)}"
    if told is not None:
        return f"{said} instead of {full_moment(told, game.options.clock.zone)}"
    return f"{said}, {_apart(usual, due)} than usual" if usual is not None else said


def told_before(tx: Transaction, game: Game, ended_id: int) -> datetime | None:
    """The deadline that everybody was told for the present phase before the one before it, with this id, was
    corrected.
    """
    row = game_rows.phase_by_id(tx.session, ended_id)
    code, *moments = (row.correction or {}).get("left") or [""] if row is not None else [""]
    return datetime.fromisoformat(moments[0]) if code == game.code else None


def _apart(before: datetime, due: datetime) -> str:
    return f"{span(abs(due - before))} {'earlier' if due < before else 'later'}"


def _check_future(ctx: Context, moment: datetime | None, game: Game, remedy: str) -> None:
    """Raises NotNow for a moment that is past."""
    if moment is not None and moment <= ctx.now:
        raise NotNow(f"{full_moment(moment, game.options.clock.zone)} has already passed.", remedy)


def set_back(ctx: Context, undo: Mapping[str, Any]) -> str:
    """Restore the earlier deadline, or none or the time that was left if the game was paused. Raises NotNow if that
    deadline has passed, or the phase has been closed, or what was set has changed since, as for an absence.
    """
    game, seat = ctx.seated()
    calendar.check_open(game, seat)
    if "left" in undo:
        return _shorten(ctx, game, undo)
    if "set" in undo and game.due_at != datetime.fromisoformat(undo["set"]):
        raise NotNow("The deadline has been moved again since.", "DEADLINE sets it anew.")
    if undo["due"] is None:
        return _stop_again(ctx, undo)
    ctx.running(game)
    due = datetime.fromisoformat(undo["due"])
    if due <= ctx.now:
        raise NotNow("The previous deadline has passed by now.", "Set a new one with DEADLINE.")
    calendar.set_deadline(ctx.tx, game, due)
    return "The deadline is as it was."


def _shorten(ctx: Context, game: Game, undo: Mapping[str, Any]) -> str:
    """Take back time that was added to a paused game."""
    if game.left != undo["to"]:
        raise NotNow("The time that is left has changed since.", "DEADLINE sets a deadline.")
    ctx.tx.fold(game, left=undo["left"])
    return "The time that is left is as it was."


def _stop_again(ctx: Context, undo: Mapping[str, Any]) -> str:
    game, seat = ctx.seated()
    calendar.check_open(game, seat)
    if not undo.get("paused", True):
        calendar.cancel_deadline(ctx.tx, game)
        return "There is no deadline again."
    game = calendar.pause(ctx.tx, game)
    ctx.tx.fold(game, left=undo.get("rest", game.left))
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
        of_later=Consent.IRREVOCABLE,
        phase_bound=True,
        schedulable=True,
        by_assistants=True,
        record=Record(undo=set_back, changes=THE_DEADLINE),
        cost=5,
        spends=(Spent.MAILS,),
        instead="EXTEND 24h asks all players for more time.",
    ),
    act_deadline,
    Help(
        "set when the phase is adjudicated",
        """
        Times are in the game's time zone unless you add another, such as UTC
        or America/New_York. Everybody is notified. A game that is paused goes
        on. A line BECAUSE and the reason below it tells them why. Where PROCESS
        is confirmed first, less than a day's notice is, too.
        """,
    ),
)
_MOTION = Policy(
    Who.PARTICIPANT,
    Stage.RUNNING,
    by_assistants=True,
    schedulable=True,
    record=Record(undo=set_back, changes=THE_DEADLINE, secret=("motion",)),
    cost=5,
    spends=(Spent.MAILS,),
)
"""Of what the gamemaster does and players vote on."""

EXTEND = Command(
    "extend",
    Syntax(
        "EXTEND | EXTEND (THE) (DEADLINE) [game:GAME] (BY) by:DURATION",
        ("EXTEND 24h", "EXTEND", "EXTEND BY 2 days", "EXTEND UNTIL Friday 18:00", "EXTEND NO"),
        shorthands={"no extend": "NO"},
        elsewhere=("delay",),
        sentences=Sentences.RARE,
        sentence_words=_TIME_WORDS,
    ),
    replace(_MOTION, phase_bound=True),
    act_extend,
    Help(
        "move the deadline to a later time; for players, a vote",
        """
        From the gamemaster it takes effect at once; in a paused game it adds to
        the time that is left, and the pause goes on. From a player it is a
        vote, carried when enough players agree (see STATUS). EXTEND YES agrees
        to another player's request, EXTEND NO disagrees. Votes are secret.
        EXTEND -24h takes time back; that is for gamemasters alone.
        Orders already sent stay in force.
        If the game gives each player extensions (see STATUS), EXTEND alone
        uses one of yours: the deadline moves by a day, and the other players
        are not told by whom. One is used by itself if you have sent nothing
        at a deadline, but not in fog.
        """,
    ),
)


def act_pause(ctx: Context, args: Mapping[str, Any]) -> None:
    """Pause the game, or vote for it."""
    game, seat = ctx.seated()
    line = f"PAUSE UNTIL {args['until']}" if args["until"] else "PAUSE"
    if args["span"] is None and _is_then(ctx, game, seat, line, moves=False):
        return
    calendar.check_goes_on(ctx.tx, game, seat)
    if args["span"] is not None:
        raise _later(ctx, game, args["span"])
    until = moment_of(game, args["until"], ctx.now) if args["until"] else None
    if until is not None and not seat.moderates:
        raise NotPermitted("A vote for a pause is for one without an end.", "Write PAUSE; RESUME ends it by a vote.")
    if game.paused and until is not None:
        _pause_until(ctx, game, until)
        return
    if game.paused:
        raise NotNow(f"{game.name} is already paused.", "To continue, write RESUME; PAUSE UNTIL Friday sets when.")
    if seat.moderates:
        _pause(ctx, game, f"{ctx.who} has paused the game.", until)
    elif move_for(ctx, "pause", args["vote"] or "", "to pause the game") is not None:
        _pause(ctx, game, "The players have voted to pause the game.")


def _pause_until(ctx: Context, game: Game, until: datetime) -> None:
    """Set another end of a pause, and notify everybody."""
    _check_future(ctx, until, game, "Name a later time.")
    agenda.drop(ctx.tx.session, game.id, calendar.RESUME, ctx.now)
    lasts = f"The pause lasts until {full_moment(until, game.options.clock.zone)}."
    ctx.tell_others(game, "the pause has another end", (lasts,), f"pause:{ctx.key}")
    ctx.say("Everybody was notified.")
    _resume_at(ctx, game, until)
    ctx.note("pause", until=until.isoformat())


def _later(ctx: Context, game: Game, words: str) -> NotNow:
    """What may be written for a pause that is to begin later."""
    zone = game.options.clock.zone
    first, last = parse_span(words, ctx.now.astimezone(zone).date())
    how = f"SCHEDULE {first} 00:00: PAUSE UNTIL {last + timedelta(days=1)} does, or SET holidays={first}..{last}."
    return NotNow("PAUSE does not begin later.", how)


def act_resume(ctx: Context, args: Mapping[str, Any]) -> None:
    """Resume the game, or vote for it."""
    game, seat = ctx.seated()
    if not game.paused:
        raise NotNow(f"{game.name} is not paused.", "To pause it, write PAUSE.")
    if seat.moderates:
        _resume(ctx, game, f"{ctx.who} has resumed the game.")
    elif move_for(ctx, "resume", args["vote"] or "", "to resume the game") is not None:
        _resume(ctx, game, "The players have voted to resume the game.")


def _pause(ctx: Context, game: Game, reason: str, until: datetime | None = None) -> None:
    """Pause the game, if an end is given until then, and notify everybody."""
    due, zone = game.due_at, game.options.clock.zone
    _check_future(ctx, until, game, "Name a later time.")
    at_work = _done_by(ctx, game, until)
    game = calendar.pause(ctx.tx, game)
    resumed = "it is resumed" if until is None else full_moment(until, zone)
    lasts = f"There is no deadline until {resumed}" if game.options.timed else f"No phase ends until {resumed}"
    still = "orders are closed" if game.in_review else "you can still send orders"
    if isinstance(ctx.origin, Beginning):
        say_of_phase(ctx, f"The game is paused until {resumed}", ctx.origin.after)
        ctx.say("The game is paused. The first report of the phase says so.")
        ctx.note_told("With it all players get")
    else:
        words = (f"{reason} {lasts}; {still}.",)
        ctx.tell_others(game, "the game is paused", words, f"pause:{ctx.key}")
        ctx.say("The game is paused. Everybody was notified.")
    if until is not None:
        _resume_at(ctx, game, until)
    in_vain = [one for one in at_work if one not in _done_by(ctx, game, until)]
    if in_vain:
        ctx.say(f"Scheduled for the pause, and not possible in it: {'; '.join(in_vain)}.")
    ctx.offer("RESUME", "go on with the game")
    ctx.note("pause", undo={"due": due.isoformat() if due is not None else None})


def _done_by(ctx: Context, game: Game, until: datetime | None) -> list[str]:
    """What is scheduled for a time before that, or for any time, and could be done in the game as it is; of what is
    itself done on trial, nothing: two pauses would try each other without end.
    """
    found = list[str]()
    if isinstance(ctx.origin, Trial):
        return found
    for row in agenda.scheduled(ctx.tx.session, game.id):
        call = ctx.commands.reader.read(row.line.partition(agenda.BECAUSE)[0], game.lexicon)
        if row.for_next or call is None or (until is not None and row.due_at >= until):
            continue
        with suppress(NotNow, NotPermitted, NotUnderstood), ctx.tx.attempt(keep=False):
            ctx.commands[call.name].run(replace(ctx.on_trial(), about=game), call.args)
            found.append(said_of(ctx, game, row))
    return found


def _resume_at(ctx: Context, game: Game, until: datetime) -> None:
    """Set the end of a pause, as SCHEDULE does."""
    calendar.schedule(ctx.tx, game, ctx.seated()[1], calendar.RESUME, until, ctx.mail_id)
    ctx.say(f"It goes on {ctx.reader().until(until)}, with the time that is left, or when you write RESUME.")


def _resume(ctx: Context, game: Game, reason: str) -> None:
    """Resume the game with the time that was left, and notify everybody."""
    game = calendar.resume(ctx.tx, game)
    how = "The phase continues with the time that was left." if game.timed else UNTIMED[early_by(game)]
    ctx.tell_others(game, "the game is resumed", (f"{reason} {how}",), f"resume:{ctx.key}")
    due = due_sentence(game_facts(game), ctx.reader(), game.due_at)
    ctx.withdraw("RESUME")
    ctx.say(f"The game is resumed. {due or how}")
    ctx.note("resume", undo={})
    calendar.close_early(ctx.tx, game)


PAUSE = Command(
    "pause",
    Syntax(
        "PAUSE [vote:YES|NO] | PAUSE UNTIL|TILL until:WHEN | PAUSE FROM span:SPAN",
        ("PAUSE", "PAUSE UNTIL 2 Jan", "PAUSE NO"),
        shorthands={"no pause": "NO"},
        sentences=Sentences.UNLESS_WHOLE,
    ),
    _MOTION,
    act_pause,
    Help(
        "pause the game; for players, a vote",
        """
        From the gamemaster it takes effect at once. From a player it is a vote,
        carried when enough players agree; PAUSE NO votes against it. Orders are
        accepted during a pause. RESUME continues with the time that was left;
        PAUSE UNTIL 2 Jan does so by itself then, at the deadline's time of day
        if you name none. That is the gamemaster's, and SCHEDULE shows it.
        """,
    ),
)
RESUME = Command(
    "resume",
    Syntax(
        "RESUME [vote:YES|NO]",
        ("RESUME", "RESUME NO"),
        elsewhere=("unpause",),
        sentences=Sentences.UNLESS_WHOLE,
    ),
    replace(_MOTION, of_later=Consent.IRREVOCABLE, record=replace(_MOTION.record, undo=_stop_again, leads=True)),
    act_resume,
    Help(
        "end a pause; for players, a vote",
        """
        The phase continues with the time that was left at the pause, and after
        a pause of an hour or more with an hour at least, at the game's own
        times. A shorter pause moves the deadline by as long as it lasted, to
        the minute. Everybody is told the new deadline.
        """,
    ),
)
