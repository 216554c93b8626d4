"""ABSENCE: people announce when they are away, and deadlines of their games move."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from gm.clock import parse_days_off
from gm.commands.context import Context
from gm.commands.declaration import Command, Consent, Help, Policy, Syntax, Who
from gm.games.bounds import Bound
from gm.games.limits import Spent
from gm.games.snapshot import Game, Person
from gm.play import calendar, deputies
from gm.reports import full_moment
from gm.store import people
from gm.store.game_rows import GameState
from gm.store.people import AbsenceRow


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
        Bound.ABSENCES.check(len(mine) - len(within) + 1, "To cancel them, write ABSENCE NONE.")
        for one in within:
            one.cancelled_at = ctx.now
        only = calendar.only_game(ctx.tx, account)
        people.add_absence(ctx.tx.session, account.id, begins, ends, ctx.now, only_game=only)
        ctx.note("absence", begins=begins.isoformat(), ends=ends.isoformat())
    now = people.absences_of(ctx.tx.session, [account.id], ctx.now)
    for game in ctx.tx.games_of(account, GameState.RUNNING, lock=True):
        if game.plays(account):
            _move_out(ctx, game, now)


def _move_out(ctx: Context, game: Game, absences: Sequence[AbsenceRow]) -> None:
    """Postpone the present deadline of a game because of absences of those who must still order."""
    elsewhere = game.names_hidden and not all(calendar.counts(game, one) for one in absences)
    if elsewhere or any(map(game.is_secret, game.seats_of(ctx.person))):
        compare = ", since it can be seen in another game of yours" if elsewhere else ""
        ctx.say(
            f"It moves no deadline of {game.name}, whose players would see that you have a seat there{compare}: order"
            " ahead."
        )
    before, game = game.due_at, calendar.move_for_absences(ctx.tx, game)
    if game.due_at is None or game.due_at == before:
        return
    ctx.say(f"The deadline of {game.name} is now {ctx.reader().until(game.due_at)}.")
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
        allows (see STATUS), counted from when it would be without absences.
        It does not move back. ABSENCE alone lists your absences, ABSENCE NONE
        cancels them. A secret seat's absences move no deadline. Where players
        are not known to each other, yours do if you have no other game when
        you announce them, and then in no other: others could compare. DEPUTY
        lets a friend order for you meanwhile.
        """,
    ),
)
