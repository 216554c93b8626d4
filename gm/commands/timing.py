"""DEADLINE, EXTEND, PAUSE, RESUME and ABSENCE: when phases are adjudicated."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from gm.clock import check_not_too_far, parse_days_off, parse_duration, parse_when
from gm.commands.context import Context
from gm.commands.declaration import Command, Consent, Help, Policy, Record, Sentences, Stage, Syntax, Who
from gm.commands.voting import move_for
from gm.errors import NotNow, NotUnderstood
from gm.games import calendar, deputies, extensions
from gm.games.limits import Spent
from gm.games.snapshot import Game, Person, Seat
from gm.reports import counted, full_moment
from gm.reports.reader import UNTIMED
from gm.store import people
from gm.store.game_rows import GameState, SeatRole
from gm.store.people import AbsenceRow

_TIME_WORDS = frozenset(("until", "on", "before", "after", "for", "from", "no"))
"""Words that occur both in sentences and in times."""


def act_deadline(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set the deadline of the phase."""
    game, seat = ctx.seated()
    _check_open(game, seat)
    _move(ctx, game, parse_when(args["when"], ctx.now, game.options.clock.zone), "deadline")


def _check_open(game: Game, seat: Seat) -> None:
    """Raises NotNow when the orders are closed: a later deadline would open nothing."""
    calendar.check_open(game, seat)
    if game.in_review and game.phase is not None:
        how = "Their results come soon; the deadline of the next phase can be moved."
        raise NotNow(f"The orders for {game.phase.code} are closed.", how)


def act_extend(ctx: Context, args: Mapping[str, Any]) -> None:
    """Move the deadline by a duration or to a later time. For players it is a vote."""
    game, seat = ctx.seated()
    _check_open(game, seat)
    if not args.get("by"):
        _use_extension(ctx, game, seat)
        return
    words = str(args["by"])
    if not game.timed and not game.paused:
        remedy = "A gamemaster can set one for this phase: DEADLINE Friday 18:00."
        raise NotNow(f"{game.name} has no deadline. {UNTIMED[game.options.early]}", remedy)
    if seat.moderates:
        _move(ctx, game, _put_off(ctx, game, words), "extend")
        return
    if game.paused:
        raise NotNow(f"{game.name} is paused: there is no deadline.", "To vote to continue, write RESUME.")
    value = what = ""
    if words.lower() not in ("yes", "no"):
        due = _put_off(ctx, game, words)
        value, what = due.isoformat(), f"to move the deadline to {full_moment(due, game.options.clock.zone)}"
        if due <= (game.due_at or ctx.now):
            when = full_moment(due, game.options.clock.zone)
            raise NotNow(f"{when} is not later than the deadline.", "Name a later time.")
    agreed = move_for(ctx, "extend", words, what, value)
    if agreed is not None:
        _move(ctx, game, datetime.fromisoformat(agreed), "extend", "The players have voted for more time.")


def _use_extension(ctx: Context, game: Game, seat: Seat) -> None:
    """Move the deadline by an extension of the player's own."""
    if not game.options.extensions or seat.role is not SeatRole.PLAYER:
        raise NotUnderstood("EXTEND needs to know by how much.", "Write EXTEND 24h or EXTEND UNTIL Friday 18:00.")
    if game.paused or game.in_grace or game.due_at is None:
        raise NotNow("There is no deadline that could be extended.", "Send your orders soon.")
    if seat.power not in game.duties:
        raise NotNow("You have nothing to order in this phase.", "")
    if not extensions.left(ctx.tx, game, seat):
        raise NotNow("You have no extensions left in this game.", "To ask the others for more time, write EXTEND 24h.")
    game = extensions.use(ctx.tx, game, [seat], f"extended:{ctx.key}")
    still = counted(extensions.left(ctx.tx, game, seat), "extension")
    if game.due_at is not None:
        due = ctx.reader().until(game.due_at)
        ctx.say(f"The deadline is now {due}. Everybody was notified, but not by whom. You have {still} left.")


def _put_off(ctx: Context, game: Game, words: str) -> datetime:
    """The new deadline requested by `24h`, `until Friday 18:00`, or `until Friday`, at the time of day that it has."""
    zone = game.options.clock.zone
    if words.lower().startswith("until "):
        try:
            return parse_when(words[6:], ctx.now, zone)
        except NotUnderstood:
            return parse_when(f"{words[6:]} {(game.due_at or ctx.now).astimezone(zone):%H:%M}", ctx.now, zone)
    return check_not_too_far((game.due_at or ctx.now) + parse_duration(words), ctx.now)


def _move(
    ctx: Context, game: Game, due: datetime, kind: str, reason: str = "The gamemaster has moved the deadline."
) -> None:
    """Move the deadline and notify everybody. Raises NotNow for a time in the past."""
    zone = game.options.clock.zone
    check_not_too_far(due, ctx.now)
    if due <= ctx.now:
        raise NotNow(f"{full_moment(due, zone)} has already passed.", "To adjudicate the phase at once, write PROCESS.")
    phase, before = ctx.running(game), game.due_at
    undo = {"due": before.isoformat() if before is not None else None, "paused": game.paused, "set": due.isoformat()}
    game = calendar.set_deadline(ctx.tx, game, due)
    ctx.say(f"The deadline for {phase.code} is now {ctx.reader().until(due)}. Everybody was notified.")
    ctx.tx.tell(
        game,
        game.all_but(ctx.seat),
        "new deadline",
        (f"{reason} The phase is {phase.code}.",),
        f"deadline:{ctx.key}:{due:%s}",
    )
    ctx.note(kind, phase=phase.code, due=due.isoformat(), undo=undo)


def _set_back(ctx: Context, undo: Mapping[str, Any]) -> str:
    """Restore the earlier deadline, or none if the game was paused. Raises NotNow if that deadline has passed, or the
    phase has been closed, or the one that was set has been moved since, as for an absence.
    """
    game, seat = ctx.seated()
    calendar.check_open(game, seat)
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


def _stop_again(ctx: Context, undo: Mapping[str, Any]) -> str:
    game, seat = ctx.seated()
    calendar.check_open(game, seat)
    if not undo.get("paused", True):
        calendar.cancel_deadline(ctx.tx, game)
        return "There is no deadline again."
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
        by_assistants=True,
        record=Record(undo=_set_back, changes="the deadline"),
        cost=5,
        spends=(Spent.MAILS,),
        instead="EXTEND 24h asks all players for more time.",
    ),
    act_deadline,
    Help(
        "set when the phase is adjudicated",
        """
        Times are in the game's time zone unless you add another, such as UTC
        or America/New_York. Everybody is notified.
        """,
    ),
)
_MOTION = Policy(
    Who.PARTICIPANT,
    Stage.RUNNING,
    by_assistants=True,
    schedulable=True,
    record=Record(undo=_set_back, changes="the deadline", secret=("motion",)),
    cost=5,
    spends=(Spent.MAILS,),
)
"""Of what the gamemaster does and players vote on."""

EXTEND = Command(
    "extend",
    Syntax(
        "EXTEND | EXTEND [game:GAME] (BY) by:DURATION",
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
        From the gamemaster it takes effect at once. From a player it is a vote,
        carried when enough players agree (see STATUS). EXTEND YES agrees to
        another player's request, EXTEND NO disagrees. Votes are secret. Orders
        already sent stay in force.
        If the game gives each player extensions (see STATUS), EXTEND alone
        uses one of yours: the deadline moves by a day, and the other players
        are not told by whom. One is used by itself if you have sent nothing
        at a deadline.
        """,
    ),
)


def act_pause(ctx: Context, args: Mapping[str, Any]) -> None:
    """Pause the game, or vote for it."""
    game, seat = ctx.seated()
    calendar.check_open(game, seat)
    if game.paused:
        raise NotNow(f"{game.name} is already paused.", "To continue, write RESUME.")
    if seat.moderates:
        _pause(ctx, game, "The gamemaster has paused the game.")
    elif move_for(ctx, "pause", args["vote"] or "", "to pause the game") is not None:
        _pause(ctx, game, "The players have voted to pause the game.")


def act_resume(ctx: Context, args: Mapping[str, Any]) -> None:
    """Resume the game, or vote for it."""
    game, seat = ctx.seated()
    if not game.paused:
        raise NotNow(f"{game.name} is not paused.", "To pause it, write PAUSE.")
    if seat.moderates:
        _resume(ctx, game, "The gamemaster has resumed the game.")
    elif move_for(ctx, "resume", args["vote"] or "", "to resume the game") is not None:
        _resume(ctx, game, "The players have voted to resume the game.")


def _pause(ctx: Context, game: Game, reason: str) -> None:
    """Pause the game and notify everybody."""
    due = game.due_at
    game = calendar.pause(ctx.tx, game)
    until = "There is no deadline until it is resumed" if game.options.timed else "No phase ends until it is resumed"
    words = (f"{reason} {until}; you can still send orders.",)
    ctx.tx.tell(game, game.seats, "the game is paused", words, f"pause:{ctx.key}")
    ctx.say("The game is paused. Everybody was notified.")
    ctx.offer("RESUME", "go on with the game")
    ctx.note("pause", undo={"due": due.isoformat() if due is not None else None})


def _resume(ctx: Context, game: Game, reason: str) -> None:
    """Resume the game with the time that was left, and notify everybody."""
    game = calendar.resume(ctx.tx, game)
    how = "The phase continues with the time that was left." if game.timed else UNTIMED[game.options.early]
    ctx.tx.tell(game, game.seats, "the game is resumed", (f"{reason} {how}",), f"resume:{ctx.key}")
    due = ctx.reader().until(game.due_at) if game.due_at is not None else ""
    ctx.say(f"The game is resumed; the deadline is {due}." if due else f"The game is resumed. {how}")
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
    _MOTION,
    act_pause,
    Help(
        "pause the game; for players, a vote",
        """
        From the gamemaster it takes effect at once. From a player it is a vote,
        carried when enough players agree; PAUSE NO votes against it. Orders are
        accepted during a pause. RESUME continues with the time that was left.
        """,
    ),
)
RESUME = Command(
    "resume",
    Syntax("RESUME [vote:YES|NO]", ("RESUME", "RESUME NO"), elsewhere=("unpause",), sentences=Sentences.UNLESS_WHOLE),
    replace(_MOTION, record=replace(_MOTION.record, undo=_stop_again)),
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


_MOST_ABSENCES = 6


def act_absence(ctx: Context, args: Mapping[str, Any]) -> None:
    """Announce an absence, which postpones deadlines by each game's rule; or list or cancel absences."""
    account = ctx.known()
    mine = people.absences_of(ctx.tx.session, [account.id], ctx.now)
    if args["none"]:
        for absence in mine:
            absence.cancelled_at = ctx.now
        _end_deputies(ctx, account, {absence.ends for absence in mine})
        cancelled = "Your absences are cancelled. Deadlines that have moved stay where they are."
        ctx.say(cancelled if mine else "You have no absences.")
        return
    if args["days"]:
        _add(ctx, account, args["days"], mine)
    zone = ctx.tx.identity.zone_of(account, ctx.game)
    for absence in people.absences_of(ctx.tx.session, [account.id], ctx.now):
        ctx.say(f"You are away from {full_moment(absence.begins, zone)} to {full_moment(absence.ends, zone)}.")
    if not args["days"] and not mine:
        ctx.say("You have no absences. To add one, write ABSENCE 2026-12-24 TO 2027-01-02.")


def _end_deputies(ctx: Context, account: Person, ends: Collection[datetime]) -> None:
    """End the time of the deputies who were to order until one of these absences ends."""
    for game in ctx.tx.games_of(account, GameState.RUNNING, lock=True):
        for seat in game.deputies_of(*game.seats_of(account)):
            if seat.until in ends:
                deputies.end(ctx.tx, ctx.tx.newest(game), seat, "The player is back.", "You are back.")


def _add(ctx: Context, account: Person, words: str, mine: Sequence[AbsenceRow]) -> None:
    """Store the absence, in whole days in the sender's time zone, unless it is in one of theirs; it takes the place of
    those that are in it. Postpone present deadlines if necessary.
    """
    zone = ctx.tx.identity.zone_of(account, ctx.game)
    begins, ends = parse_days_off(words, ctx.now, zone)
    begins = max(begins, ctx.now)
    if not any(one.begins <= begins and ends <= one.ends for one in mine):
        within = [one for one in mine if begins <= one.begins and one.ends <= ends]
        if len(mine) - len(within) >= _MOST_ABSENCES:
            raise NotNow(f"You already have {_MOST_ABSENCES} absences.", "To cancel them, write ABSENCE NONE.")
        for one in within:
            one.cancelled_at = ctx.now
        people.add_absence(ctx.tx.session, account.id, begins, ends, ctx.now)
        ctx.note("absence", begins=begins.isoformat(), ends=ends.isoformat())
    for game in ctx.tx.games_of(account, GameState.RUNNING, lock=True):
        if game.plays(account):
            _move_out(ctx, game)


def _move_out(ctx: Context, game: Game) -> None:
    """Postpone the present deadline of a game because of absences of those who must still order."""
    if game.due_at is None:
        return
    moved = game.options.clock.after_absences(game.due_at, calendar.absences(ctx.tx, game))
    if moved == game.due_at:
        return
    game = calendar.set_deadline(ctx.tx, game, moved)
    ctx.say(f"The deadline of {game.name} is now {ctx.reader().until(moved)}.")
    words, others = ("A player is away, so the deadline has moved.",), game.all_but(*game.seats_of(ctx.person))
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
    Policy(Who.PERSON, of_unseated=Consent.BINDING, cost=5, spends=(Spent.MAILS,)),
    act_absence,
    Help(
        "announce that you are away",
        """
        Give the first and last day, in your time zone, at any of your seats or
        at the server's own address. In all your games, a deadline on these days
        moves to after them if you still have to order, as far as the game
        allows (see STATUS). ABSENCE alone lists your absences, ABSENCE NONE
        cancels them. DEPUTY lets a friend order for you meanwhile.
        """,
    ),
)
