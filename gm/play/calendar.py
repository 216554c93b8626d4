"""The phases of a game and their deadlines: set when a phase opens, moved by command or when every order is in, and
cancelled by a pause or the end of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from gm.clock import ClockRule, parse_leads
from gm.errors import NotNow, NotUnderstood
from gm.games import loading, report_inputs
from gm.games.snapshot import Deadline, Game, OrderSet, Person, PhasePlayed, Seat, holders
from gm.games.transaction import Transaction
from gm.mail.message.compose import Attachment
from gm.play import ballots, preorders, sight, standins
from gm.play.ending import ending, remarks
from gm.position import Position, position_to_json
from gm.reports import in_groups, listed, span
from gm.store import agenda, game_rows, people, records
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import GameState, PhaseRow, SeatRole
from gm.store.people import AbsenceRow
from gm.turn import Victory

CLOSING = (DeadlineKind.ADJUDICATE, DeadlineKind.REVIEW)
"""The deadlines of a phase; it has one of them at a time."""


def open_phase(tx: Transaction, game: Game, position: Position) -> Game:
    """Open a phase: its row, its deadline and reminders; cancel all that was said of WAIT and READY, and put stored
    orders for it in force.
    """
    before = game.phase
    game = enter(tx, game, position, follows=before.number if before is not None else 0)
    if before is not None and game.options.standing_ballots:
        ballots.carry(tx, game, before.id)
    correction = before.correction if before is not None else None
    game = begin(tx, game, first=before is None, corrected=correction is not None)
    if before is not None and correction is not None and game.due_at is not None:
        due, unmoved = due_again(game, correction)
        game = set_deadline(tx, game, due, unmoved) if due > game.due_at else game
        told = {**correction, "next": [game.code, due.isoformat()]}
        game_rows.mark_phase(tx.session, before.id, correction=told)
    return close_early(tx, preorders.put_in_force(tx, standins.give_orders(tx, game)))


def left_by_correction(game: Game, now: datetime) -> list[str]:
    """What a correction keeps of the phase that is left for it: its code and its deadline, which everybody was told,
    and when that would be without absences. Of a paused one it is when it would be if the game went on now.
    """
    if game.paused and game.left is not None:
        return [game.code, *[(now + timedelta(seconds=game.left)).isoformat()] * 2]
    deadline = game.deadline
    if deadline is None or game.withheld:
        return []
    return [game.code, deadline.due_at.isoformat(), (deadline.unmoved_at or deadline.due_at).isoformat()]


def due_again(game: Game, correction: Mapping[str, Any]) -> tuple[datetime, datetime]:
    """When the phase that follows a corrected one is due, and when it would be without absences: never before the
    deadline that the same phase had before, but if there is more time counted from now, since all must order again.
    """
    deadline = game.deadline
    if deadline is None:
        raise ValueError(f"{game.name} has no deadline")
    due, unmoved = deadline.due_at, deadline.unmoved_at or deadline.due_at
    code, *moments = correction.get("left") or [""]
    if code != game.code:
        return due, unmoved
    before, before_unmoved = map(datetime.fromisoformat, moments)
    return max(due, before), max(unmoved, before_unmoved)


def due_after(tx: Transaction, game: Game, position: Position, correction: Mapping[str, Any]) -> datetime | None:
    """When the phase will be due that follows a correction, if it is opened now; None if it will have no deadline."""
    if not game.options.timed:
        return None
    follows = PhasePlayed(0, game.present.number + 1, position, tx.now, game.variant)
    after = replace(game, phase=follows, orders={}, deadline=None)
    unmoved = game.options.clock.next_allowed(tx.now + time_for(tx, after, corrected=True))
    due = game.options.clock.after_absences(unmoved, absences(tx, after))
    after = replace(after, deadline=Deadline(due, DeadlineKind.ADJUDICATE, unmoved))
    return due_again(after, correction)[0]


def enter(tx: Transaction, game: Game, position: Position, follows: int) -> Game:
    """Put the game into this position, in a new phase that follows number `follows` (0 for the first)."""
    phase_id, number = game_rows.add_phase(
        tx.session,
        game_id=game.id,
        code=position.phase.code,
        position=position_to_json(position),
        follows=follows,
        now=tx.now,
    )
    phase = PhasePlayed(phase_id, number, position, tx.now, game.variant)
    return tx.fold(game, phase=phase, orders={}, deadline=None)


def play_again(
    tx: Transaction, game: Game, phase: PhaseRow, given: Mapping[int, OrderSet], mail_id: int | None
) -> Game:
    """Play a phase again, as a new row, with these sets by seat id; the phases played since then are kept. Sets of no
    mail stay so.

    If the game was over, its seed is public, so a new one is used from now on. Raises NotNow if its end has shown more
    than that: then the game does not go on.
    """
    if report_inputs.was_opened(tx.session, game):
        how = f"CREATE other LIKE {game.name} begins another game with the same rules."
        raise NotNow(f"{game.name} is over, and its end has shown everybody what was hidden: it cannot go on.", how)
    sight.note_all(tx, game)
    if game.over:
        shown_seeds = (*game.told_seeds, game.seed)
        game = tx.fold(game, seed=tx.identity.new_seed(game.name, len(shown_seeds)), told_seeds=shown_seeds)
    paused, left = game.paused, time_left(game, tx.now)
    if game.phase is not None:
        game_rows.mark_phase(tx.session, game.phase.id, left_with=max(0, int(left.total_seconds())) if left else None)
    game = tx.fold(cancel_deadline(tx, game), state=GameState.RUNNING, victory=None)
    position, review = report_inputs.position_of(game, phase), game.variant.review
    game = enter(tx, game, position if review is None else review.reopen(position), phase.follows)
    game = _left_here(tx, game, phase.number)
    again = {key: replace(orders, mail_id=orders.mail_id and mail_id) for key, orders in given.items()}
    game = begin(tx, tx.put_orders(game, again))
    return pause(tx, game) if paused else game


def return_to(tx: Transaction, game: Game, phase: PhaseRow) -> Game:
    """Return the game to a phase that it had left before its adjudication: it was paused since then, and has the time
    that it had left.
    """
    sight.note_all(tx, game)
    paused, since = game.paused, game.present.opened_at
    game = tx.fold(cancel_deadline(tx, game), **loading.in_phase(tx.session, game, phase.id))
    game = _left_here(tx, game, game.present.number)
    if phase.left_with and not game.in_review:
        game = resume(tx, tx.fold(game, deadline=None, left=phase.left_with, paused_at=since))
    else:
        game = start_clock(tx, game)
    return pause(tx, game) if paused and not game.withheld else game


def _left_here(tx: Transaction, game: Game, number: int) -> Game:
    """The game in a phase that it has gone to without an adjudication: seats that were emptied in the phase of that
    number or since are waited for in this one (`Game.expected`), since their orders may be in force here.
    """
    since = (seat for seat in game.players if seat.left_in is not None and seat.left_in >= number)
    return tx.fold_seats(game, *(replace(seat, left_in=game.present.number) for seat in since))


def begin(tx: Transaction, game: Game, *, first: bool = False, corrected: bool = False) -> Game:
    """Set the deadline of the present phase, counted from now, and cancel all that was said of WAIT and READY. `first`:
    it is the first phase, whatever was begun before and taken back; `corrected`: the one before it was, and what it had
    is kept for it (`due_again`).
    """
    return start_clock(tx, forget_wait(tx, game), first=first, corrected=corrected)


def start_clock(tx: Transaction, game: Game, *, first: bool = False, corrected: bool = False) -> Game:
    """Set the deadline of the present phase, counted from now, or none in a game without deadlines and when its
    results wait to be released. A paused game is resumed.
    """
    if game.withheld:
        remind_of_release(tx, game)
    elif game.options.timed:
        given = time_for(tx, game, first=first, corrected=corrected)
        due = game.options.clock.next_allowed(tx.now + given)
        return set_deadline(tx, game, game.options.clock.after_absences(due, absences(tx, game)), due, given)
    game = tx.fold(cancel_deadline(tx, game), paused_at=None, left=None)
    note_time_without_end(tx, game)
    return game


def note_time_without_end(tx: Transaction, game: Game) -> None:
    """Note that the phase has no deadline now: its players have a day at least, or what a pause leaves them."""
    if not game.in_review:
        game_rows.note_given(tx.session, game.present.id, max(_DAY, time_left(game, tx.now) or _DAY))


def check_open(game: Game, seat: Seat) -> None:
    """Raises NotNow when the orders are closed and the results wait to be released: what the holder of the seat asks
    for would move the deadline that has closed the phase, or lose its results.
    """
    if not game.withheld:
        return
    if game.due_at is not None:
        how = "Write it again when the next phase has begun, if it is still needed."
        raise NotNow(f"This was not done, because the results of {game.code} are released now.", how)
    code, remedy = game.code, "You get them when the gamemaster has released them; then you can write this again."
    if seat.role is SeatRole.MASTER:
        remedy = f"RELEASE {code} lets them go; ROLLBACK {code} opens the orders again."
    raise NotNow(f"The orders for {code} are closed: its results wait for the gamemaster.", remedy)


def check_goes_on(tx: Transaction, game: Game, seat: Seat) -> None:
    """Raises NotNow when the orders are closed, and when the phase is adjudicated now, again or by what the same mail
    has said: whoever moves its deadline or stops it means the phase after it.
    """
    check_open(game, seat)
    if is_adjudicated_now(tx, game):
        how = "For the phase after it, write it again when the report has come."
        raise NotNow(f"This was not done, because {game.code} is adjudicated now.", how)


def is_adjudicated_now(tx: Transaction, game: Game) -> bool:
    """Whether the phase is adjudicated now, again or by what the same mail has said, or its results are released."""
    return game.is_corrected or (game.due_at == tx.now and (game.withheld or not game.in_review))


def check_review(game: Game, seat: Seat) -> None:
    """Raises NotNow for a gamemaster who plays, when the orders are closed and a seat has its time to change them: they
    would end a time that is not theirs, and the results come when it is over (AU-2, AU-16).
    """
    if not game.in_review or game.withheld or not game.plays(seat.person):
        return
    review = game.variant.review
    whose = f"{review.seat} has" if review is not None else "Another seat has"
    raise NotNow(
        f"The orders for {game.code} are closed, and {whose} a time that nobody who plays can end.",
        "The results come when it is over; STATUS shows when.",
    )


def results_follow(game: Game) -> str:
    """When the results come of a phase whose orders are closed now, if a seat has time to change them (AU-2)."""
    return f"The results come {span(game.options.window)} later."


_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


def remind_of_release(tx: Transaction, game: Game) -> None:
    """Set the next reminder that results wait to be released: each day, after a week each week."""
    phase = game.present
    if phase.closed_at is None:
        return
    agenda.cancel(tx.session, phase.id, (DeadlineKind.REMINDER,))
    after = _DAY if tx.now - phase.closed_at < _WEEK else _WEEK
    agenda.add_deadlines(tx.session, game.id, phase.id, [(DeadlineKind.REMINDER, tx.now + after)])


def forget_wait(tx: Transaction, game: Game) -> Game:
    """Cancel all that was said of WAIT and READY."""
    waits = ((seat, report_inputs.is_draft(game, seat)) for seat in game.players)
    return tx.fold_seats(game, *(replace(seat, wait=wait) for seat, wait in waits if seat.wait != wait))


def time_for(tx: Transaction, game: Game, *, first: bool = False, corrected: bool = False) -> timedelta:
    """How much time the phase has at least if it begins now. One that was played before, or had a deadline before, has
    at least the longest time that it was ever given, whatever was SET since: to go back shortens no phase.
    """
    phase = game.present
    if first or phase.number == 1:
        return game.options.first
    had = timedelta(0) if corrected or game.in_review else game_rows.longest_given(tx.session, game.id, game.code)
    return max(game.options.clock.time_for(phase.position.phase.kind), had)


def usual_deadline(tx: Transaction, game: Game) -> datetime:
    """When the phase would be due by the game's options, if it began now for the first time."""
    rule = game.options.clock
    return rule.after_absences(rule.due(game.present.position.phase.kind, tx.now), absences(tx, game))


def absences(tx: Transaction, game: Game) -> list[tuple[datetime, datetime]]:
    """The absences of players who still have orders to give in this phase, and no deputy who gives them; of all who
    have no deputy, where it must not be seen who has something to order, or has ordered it. Those of who has a secret
    seat move nothing, nor do those that may move another game's (`counts`). Where players are not known to each other,
    what moves a deadline is whole days of the game.
    """
    if game.in_review:
        return []
    late = (seat for seat in game.awaited if not game.has_ordered(seat, incomplete_too=False))
    waited_for = game.voters if game.waits_for_all else late
    missing = (seat for seat in waited_for if not (game.deputies_of(seat) or game.is_secret(seat)))
    ids = [person.id for _, person in holders(missing)]
    away = people.absences_of(tx.session, ids, tx.now) if ids else []
    spans = [(absence.begins, absence.ends) for absence in away if counts(game, absence)]
    return [game.options.clock.whole_days(*span) for span in spans] if game.names_hidden else spans


def counts(game: Game, absence: AbsenceRow) -> bool:
    """Whether an absence moves deadlines of this game. Of one whose players are not known to each other it moves those
    of no other, whatever its person joins or leaves meanwhile: from two that move at once others learn who that is.
    """
    return absence.only_game == game.id or (absence.only_game is None and not game.names_hidden)


def is_shown(game: Game, absence: AbsenceRow) -> bool:
    """Whether an absence is shown, with the name of its person, to those who run the game: not one that moves deadlines
    of another whose players are not known to each other, since some of these may run this one.
    """
    return absence.only_game in (None, game.id)


def only_game(tx: Transaction, person: Person) -> int | None:
    """The game whose deadlines an absence of this person moves from now on, if its players are not known to each other
    and it is shown in no other game, which they play or run; None: those of all others.
    """
    going_on = tx.games_of(person, GameState.FORMING, GameState.RUNNING)
    mine = [game for game in going_on if any(seat.role in _SHOWN_AWAY for seat in game.seats_of(person))]
    return mine[0].id if len(mine) == 1 and mine[0].names_hidden and mine[0].plays(person) else None


_SHOWN_AWAY = (SeatRole.PLAYER, SeatRole.MASTER, SeatRole.ASSISTANT)
"""Whose absences are shown to those who run a game."""


def move_for_absences(tx: Transaction, game: Game) -> Game:
    """Postpone the deadline for the players who are away, counted from when it would be if nobody were: by the sum of
    several moves one could learn whose they are. It never becomes earlier, and an absence at it counts, as far as the
    game's limit for all of them allows.
    """
    now = game.deadline
    if now is None:
        return game
    unmoved = now.unmoved_at or now.due_at
    moved = game.options.clock.after_absences(unmoved, [(unmoved, now.due_at), *absences(tx, game)])
    return set_deadline(tx, game, moved, unmoved) if moved > now.due_at else game


def set_deadline(
    tx: Transaction,
    game: Game,
    due: datetime,
    unmoved: datetime | None = None,
    given: timedelta | None = None,
) -> Game:
    """Set the phase's deadline, replacing any other, with its reminders. A paused game is resumed. `unmoved`: when it
    would be without absences; otherwise earlier by as much as before, since what moves one moves both. `given`: the
    time that the players are given by that, which is not what they have until the next time at which the game has
    deadlines; otherwise all that there is until then, or as much more than before.

    Once orders are closed for review, it is the time of adjudication, and there are no reminders.
    """
    unmoved = unmoved or due - agenda.delay(tx.session, game.present.id)
    later, none = timedelta(0), timedelta(0)
    if game.due_at is not None:
        given, later = given or none, max(none, due - game.due_at)
    game = _awake(tx, cancel_deadline(tx, game))
    kind = DeadlineKind.REVIEW if game.in_review else DeadlineKind.ADJUDICATE
    unmoved, moments = unmoved if unmoved != due else None, [(kind, due), *_reminders(tx, game, due)]
    agenda.add_deadlines(tx.session, game.id, game.present.id, moments, tx.now, unmoved)
    if due > tx.now and not game.in_review:
        given = (unmoved or due) - tx.now if given is None else given
        game_rows.note_given(tx.session, game.present.id, given, later)  # short steps add up
    return tx.fold(game, deadline=Deadline(due, kind, unmoved), paused_at=None, left=None)


def _reminders(tx: Transaction, game: Game, due: datetime) -> list[tuple[DeadlineKind, datetime]]:
    if game.in_review:
        return []
    leads = {lead for person in game.people.values() for lead in leads_of(game.options.clock, person)}
    return [(DeadlineKind.REMINDER, due - lead) for lead in sorted(leads, reverse=True) if due - lead > tx.now]


def renew_reminders(tx: Transaction, game: Game) -> None:
    """Set the reminders before the phase's deadline again, because somebody wants them at other times."""
    if game.due_at is not None:
        agenda.cancel(tx.session, game.present.id, (DeadlineKind.REMINDER,))
        agenda.add_deadlines(tx.session, game.id, game.present.id, _reminders(tx, game, game.due_at), tx.now)


def put_off(tx: Transaction, game: Game, length: timedelta) -> Game:
    """Move the deadline by this length, at the game's own times; one that has long passed, from now on."""
    rule = game.options.clock
    due = rule.next_allowed((game.due_at or tx.now) + length)
    return set_deadline(tx, game, due if due > tx.now else rule.next_allowed(tx.now + length))


def pass_by(tx: Transaction, game: Game, phase_id: int, deadline: Deadline) -> Game:
    """Mark the deadline of this phase as done."""
    phase = game.phase
    if phase is None or phase.id != phase_id or phase.passed_at or deadline.kind is not DeadlineKind.ADJUDICATE:
        return game
    return tx.fold(game, phase=replace(phase, passed_at=deadline.due_at))


def cancel_deadline(tx: Transaction, game: Game) -> Game:
    """Cancel the phase's deadline and its reminders."""
    if game.deadline is None:
        return game
    agenda.cancel(tx.session, game.present.id, (*CLOSING, DeadlineKind.REMINDER))
    return tx.fold(game, deadline=None)


def leads_of(rule: ClockRule, person: Person) -> tuple[timedelta, ...]:
    """How long before a deadline to remind this person, by their preference or the game's rule; empty: never."""
    if person.remind is None:
        return rule.reminders
    try:
        return parse_leads(person.remind)
    except NotUnderstood:
        return ()


def pause(tx: Transaction, game: Game) -> Game:
    """Pause the game: cancel the deadline, if there is one, and keep the time that was left."""
    if game.paused:
        return game
    left = max(0, int((game.deadline.due_at - tx.now).total_seconds())) if game.deadline is not None else None
    game = tx.fold(cancel_deadline(tx, game), left=left, paused_at=tx.now)
    note_time_without_end(tx, game)
    return game


def schedule(
    tx: Transaction, game: Game, seat: Seat, line: str, due: datetime | None, mail_id: int | None, why: str = ""
) -> agenda.ScheduledRow:
    """Have a gamemaster's command, which a mail contained, carried out at that time, with the reason for it; None: as
    the next phase begins.
    """
    return agenda.schedule(
        tx.session,
        game_id=game.id,
        seat_id=seat.id,
        inbox_id=mail_id,
        phase_id=game.present.id,
        line=f"{line}{agenda.BECAUSE}{why}" if why else line,
        due_at=due or tx.now,
        for_next=due is None,
    )


RESUME = "RESUME"
"""The line that is scheduled for the end of a pause."""


def pause_end(tx: Transaction, game: Game) -> datetime | None:
    """When the pause of a game ends, if that is known."""
    waiting = agenda.scheduled(tx.session, game.id) if game.paused else ()
    return next((row.due_at for row in waiting if row.line.partition(agenda.BECAUSE)[0] == RESUME), None)


def _awake(tx: Transaction, game: Game) -> Game:
    """A game that goes on: the end that was set for its pause is void."""
    if game.paused:
        agenda.drop(tx.session, game.id, RESUME, tx.now)
    return game


_TO_ANSWER = timedelta(hours=1)
"""After a long pause, players have at least this long to answer."""
_MINUTE = timedelta(minutes=1)


def resume(tx: Transaction, game: Game) -> Game:
    """Resume the game with the time that was left, at the game's own times of day. A pause of less than an hour moves
    the deadline by as long as it lasted, to the minute, and leaves at least as much time. Without a deadline there is
    none after it.
    """
    if game.left is None and not game.options.timed:
        return tx.fold(_awake(tx, game), paused_at=None)
    paused = tx.now - (game.paused_at or tx.now)
    due = tx.now + max(timedelta(seconds=game.left or 0), min(paused, _TO_ANSWER))
    if due - tx.now > 2 * _MINUTE:  # mails say the minute
        due = (due + _MINUTE / 2).replace(second=0, microsecond=0)
    return set_deadline(tx, game, due if paused < _TO_ANSWER else game.options.clock.next_allowed(due))


def close_early(tx: Transaction, game: Game) -> Game:
    """Set the deadline to now if every order is in and the game allows it (the game's `due` is then `now`).

    If a seat may change orders this is never done: it would reveal what that seat has done.
    """
    if not game.running or game.paused or game.withheld or not game.all_orders_are_in:
        return game
    if lost_a_player(game) and game_rows.is_played_again(tx.session, game.id, game.code, game.present.number):
        end = game.options.clock.next_allowed(tx.now + _DAY)
        return set_deadline(tx, game, end) if game.deadline is None else game
    if report_inputs.early_by(game) == "no" and not game.in_grace:
        return game
    return close_now(tx, game)


def lost_a_player(game: Game) -> bool:
    """Whether a seat was emptied in this phase: one that is played again, whose results are known, ends not by that."""
    return any(seat.person is None and seat.left_in == game.present.number for seat in game.players)


def closed(tx: Transaction, game: Game, phase: PhasePlayed) -> Game:
    """The game, its orders closed for all but the seat that may change them. Raises ValueError if none may."""
    if (review := game.variant.review) is None:
        raise ValueError(f"the orders of {game.name} are not reviewed")
    position = review.close(game.variant, phase.position, game.orders_by_power, game.chance)
    return tx.fold(game, phase=replace(phase, position=position, closed_at=tx.now))


def close_now(tx: Transaction, game: Game) -> Game:
    """Bring the deadline forward to now. One that has passed, and waits for mail that came before it, stays."""
    return set_deadline(tx, game, min(tx.now, game.due_at or tx.now))


def time_left(game: Game, now: datetime) -> timedelta | None:
    """How long the present phase has until its deadline, or once the game goes on; None where it has none."""
    if game.due_at is not None:
        return game.due_at - now
    return timedelta(seconds=game.left) if game.left is not None else None


def notice(game: Game, now: datetime) -> tuple[timedelta, ...]:
    """How long players whose orders are missing have until the present phase ends, and how long if a pause ended now;
    how long they have at least to change orders that they have sent, and how long the game's options give them for
    others; the longest time there is for what never ends. A phase that is adjudicated again has had its time; in a game
    of one person nobody else has to be in time.
    """
    if game.over or game.options.private:
        return (timedelta.max,)
    ends = goes_on = timedelta.max
    left = time_left(game, now)
    if left is not None and not game.is_corrected and game.options.nmr != "wait":
        grace = game.options.clock.grace if not game.in_grace else None
        goes_on = left + (grace or timedelta(0))
        ends = goes_on if game.due_at is not None else ends
    at_once = report_inputs.early_by(game) == "orders"
    return ends, goes_on, timedelta(0) if at_once else timedelta.max, *game.options.lengths


_TO_ACT = timedelta(days=1)
"""In so much time, whoever gets a mail can say what is wrong with it."""


def leaves_no_time(game: Game, now: datetime) -> bool:
    """Whether the present phase may end before anybody who gets a mail can say what is wrong with it."""
    return notice(game, now)[0] < _TO_ACT


def hurries(before: Sequence[timedelta], after: Sequence[timedelta]) -> bool:
    """Whether players have less time for a phase than they had, and too little for a mistake to be set right."""
    return any(now < min(then, _TO_ACT) for then, now in zip(before, after, strict=False))


# the end


def end_game(
    tx: Transaction,
    game: Game,
    state: GameState,
    victory: Victory,
    purpose: str,
    draw: Callable[[Game], tuple[Attachment, ...]] = lambda _: (),
) -> Game:
    """End the game, and send the result, its secrets and the files that `draw` makes of it to everybody in it."""
    game = cancel_deadline(tx, game)
    winners = victory.winners
    game = tx.fold(game, state=state, victory=victory, paused_at=None, left=None)
    if len(winners) == 1:
        result = f"{winners[0]} has won."
    elif winners:
        result = f"The game is drawn between {listed(winners)}."
    else:
        result = f"The game {game.name} is over."
    since, when = (" since the rollback", "then") if game.told_seeds else ("", "in the first mail")
    written = records.press_of(tx.session, game.id, game.phase.id) if game.phase is not None else ()
    said = [part for heading, body in remarks(written, game) for part in (f"{heading}:", *body.split("\n\n"))]
    words = (
        *said,
        f"{result} {game.variant.words.victory(victory)}",
        f"SUMMARY {game.name} shows the game year by year and all diaries; HISTORY {game.name} ALL shows every phase.",
        f"All random draws{since} came from this seed; its SHA-256 was published {when}: {in_groups(game.seed)}",
        "Thank you for playing.",
    )
    tx.tell(game, game.seats, "the game is over", words, purpose, ending(tx.session, game), maps=draw(game))
    return game
