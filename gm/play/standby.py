"""The standby list: people who wait for a vacant seat, which is offered to one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from gm.games import loading
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.play import sight
from gm.store import agenda, people
from gm.store.agenda import DeadlineKind
from gm.store.people import StandbyRow

TIME_TO_ANSWER = timedelta(hours=48)
"""How long a seat is reserved for the person on the standby list to whom it was offered."""


def ask(tx: Transaction, game: Game, seat: Seat) -> bool:
    """Offer the seat to the next person on the list who has no offer yet and can take it. Returns whether there was
    one."""
    for entry in people.standbys_of(tx.session, game.id):
        if entry.asked_seat_id is not None:
            continue
        asked = loading.people(tx.session, [entry.account_id])[entry.account_id]
        if sight.in_the_way(tx, game, asked, seat) is not None:
            continue
        entry.asked_seat_id, entry.asked_at = seat.id, tx.now
        moments = [(DeadlineKind.STANDBY, tx.now + TIME_TO_ANSWER)]
        agenda.add_deadlines(tx.session, game.id, game.present.id, moments)
        words = (
            f"{seat.power} in {game.name} ({game.variant.title}) is vacant, and you are the next on the standby list.",
            f"It is reserved for you for {int(TIME_TO_ANSWER.total_seconds() // 3600)} hours. Reply with one of these"
            " lines:",
        )
        ends = f"STANDBY {game.name} OFF"
        answers = (
            (f"TAKEOVER {game.name} AS {seat.power}", "take the seat"),
            (ends, "you do not want it, nor others of this game"),
        )
        purpose = f"standby:{entry.id}:{seat.id}:{seat.serial}"
        tx.to_person(asked, "a seat for you", words, purpose, game, answers, stop=ends)
        return True
    return False


def ask_for_all(tx: Transaction, game: Game) -> None:
    """Offer each vacant seat that is not reserved: who could not have it before may be free to take it now."""
    reserved = kept(tx, game) if game.vacant else {}
    for seat in game.vacant:
        if seat.id not in reserved:
            ask(tx, game, seat)


def kept(tx: Transaction, game: Game) -> Mapping[int, StandbyRow]:
    """The seats that are reserved for somebody on the standby list, and for whom."""
    return {
        entry.asked_seat_id: entry
        for entry in people.standbys_of(tx.session, game.id)
        if entry.asked_seat_id is not None and entry.asked_at is not None
        if entry.asked_at + TIME_TO_ANSWER > tx.now
    }


def take_offers_back(tx: Transaction, game: Game, seat: Seat) -> None:
    """The seat is not free any more: who was offered it stays on the list, as the next."""
    for entry in people.standbys_of(tx.session, game.id):
        if entry.asked_seat_id == seat.id:
            entry.asked_seat_id = entry.asked_at = None


def no_answer(tx: Transaction, game: Game) -> None:
    """Remove people with expired offers from the list, and make the next offers."""
    for entry in people.standbys_of(tx.session, game.id):
        if entry.asked_at is not None and entry.asked_at + TIME_TO_ANSWER <= tx.now:
            _strike(tx, game, entry)


def leave(tx: Transaction, game: Game, person: Person) -> bool:
    """Take the person off the list, and offer to the next what was offered to them. Returns whether they were on it."""
    entry = people.standby_of(tx.session, game.id, person.id)
    if entry is not None:
        _strike(tx, game, entry)
    return entry is not None


def _strike(tx: Transaction, game: Game, entry: StandbyRow) -> None:
    people.remove_standby(tx.session, game.id, entry.account_id)
    seat = next((seat for seat in game.vacant if seat.id == entry.asked_seat_id), None)
    if seat is not None:
        ask(tx, game, seat)
