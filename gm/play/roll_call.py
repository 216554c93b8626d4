"""MUSTER: the players of a phase are asked whether they are there, and who does not answer in time loses the seat.

HERE answers, and so do orders where all who run the game may know who has sent any. A call is one of its phase; a phase
that is over, or played again, has none. Of a seat of which it is secret who holds it, nobody is told whether its player
was asked or has answered, but who may know that it is empty.
"""

from __future__ import annotations

from datetime import datetime

from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.play import seats
from gm.reports import full_moment, listed
from gm.store import agenda
from gm.store.agenda import DeadlineKind


def call(tx: Transaction, game: Game, until: datetime, purpose: str, why: str) -> tuple[Seat, ...]:
    """Ask the players who have to answer, until this time, with the reason `why`, if there is one. Returns them."""
    phase_id = game.present.id
    agenda.call_roll(tx.session, phase_id, tx.now)
    agenda.cancel(tx.session, phase_id, (DeadlineKind.MUSTER,))
    orders = " Orders count, too." if _orders_count(game) else ""
    asked = unanswered(tx, game)
    if asked or any(map(game.is_secret, game.held)):
        agenda.add_deadlines(tx.session, game.id, phase_id, [(DeadlineKind.MUSTER, until)])
    for seat in asked:
        if seat.person is not None:
            when = full_moment(until, tx.identity.zone_of(seat.person, game))
            words = (
                " ".join(filter(None, (f"Are you there? Reply with HERE by {when}.{orders}", why))),
                "A player from whom nothing comes by then loses the seat, and it is offered to others.",
            )
            answers = (("HERE", "I play"), (f"RESIGN {game.name}", "I do not want to play"))
            tx.tell(game, [seat], "are you there?", words, purpose, answers=answers)
    return asked


def _orders_count(game: Game) -> bool:
    """Whether orders answer the call: not where it must not be seen who has sent any, nor where somebody who asks plays
    and would learn it by who is asked.
    """
    asking = (one for one in game.masters if one.person is not None)
    known = (game.knows_duties(one, seat) for one in asking for seat in game.held)
    return not game.hides_duties and all(known)


def unanswered(tx: Transaction, game: Game) -> tuple[Seat, ...]:
    """The players who have not answered the last call of this phase, nor one before it that was not cancelled; none if
    there is no call.
    """
    called = agenda.roll_call(tx.session, game.phase.id) if game.phase is not None else None
    if called is None:
        return ()
    return tuple(
        seat
        for seat in game.held
        if seat.id not in called.answers
        if not (_orders_count(game) and game.has_ordered(seat))
        if seat.joined_at is None or seat.joined_at <= called.called_at
    )


def close(tx: Transaction, game: Game, deadline_id: int) -> Game:
    """Vacate the seats of those who have not answered, and tell everybody; none that nobody may know to be empty."""
    gone = [seat for seat in unanswered(tx, game) if game.masters_of(seat)]
    secret = [seat for seat in gone if game.is_secret(seat)]
    for seat in gone:
        words = f"You were asked whether you are there and did not answer, so you no longer play {seat.power}."
        seats.tell_of_loss(tx, game, seat, words, f"gone:{deadline_id}:{seat.id}")
        game = seats.vacate(tx, game, seat)
        seats.announce_vacancy(tx, game, seat, "did not answer the roll call", f"absent:{deadline_id}:{seat.id}")
    shown = [seat for seat in gone if seat not in secret]
    found = f"Vacant now: {listed(seat.label for seat in shown)}." if shown else "All players are there."
    more = ("REPLACE power WITH address asks a new player, and DUMMY power goes on without one.",) if shown else ()
    purpose, answers = f"mustered:{deadline_id}", seats.dummies(game, shown)
    tx.tell(game, game.masters, "the roll call is over", (found, *more), purpose, answers=answers)
    for seat in secret:
        word = f"The player of {seat.power} did not answer. REPLACE {seat.power} WITH address asks a new one."
        tx.tell(game, game.masters_of(seat), f"{seat.power} has no player", (word,), f"{purpose}:{seat.id}")
    return game
