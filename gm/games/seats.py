"""Who holds a seat: a seat given to somebody, taken from somebody, and offered to those who stand by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from gm.board import Power
from gm.chance import Chance
from gm.games import loading
from gm.games.power_preferences import Wishes
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.store import agenda, order_rows, people
from gm.store.agenda import DeadlineKind
from gm.store.people import StandbyRow

TIME_TO_ANSWER = timedelta(hours=48)
"""How long a seat is kept for somebody on the stand-by list who was asked."""


def hold(tx: Transaction, game: Game, seat: Seat, person: Person) -> Game:
    """The seat is this person's, with a new address."""
    held = replace(seat, person=person, joined_at=tx.now, wait=False, dummy_since=None, serial=seat.serial + 1)
    return tx.fold_seats(game, held)


def give(tx: Transaction, game: Game, seat: Seat, person: Person) -> Game:
    """The seat of a running game is this person's; orders already sent stay in force, those for later do not."""
    game = hold(tx, game, seat, person)
    order_rows.cancel_preorders(tx.session, seat.id, tx.now)
    people.remove_standby(tx.session, game.id, person.id)
    if game.running:
        tx.owe(game, [seat], f"welcome:{game.seat(seat.id).serial}")
    return game


def vacate(tx: Transaction, game: Game, seat: Seat) -> Game:
    """Nobody holds the seat any more; whoever stands by for it is asked."""
    game = empty(tx, game, seat)
    if game.running:
        ask_standby(tx, game, game.seat(seat.id))
    return game


def empty(tx: Transaction, game: Game, seat: Seat) -> Game:
    """Nobody holds the seat any more, and its address is void; orders for this phase stay."""
    order_rows.cancel_preorders(tx.session, seat.id, tx.now)
    return tx.fold_seats(game, replace(seat, person=None, joined_at=None, wait=False, serial=seat.serial + 1))


def renew_address(tx: Transaction, game: Game, seat: Seat) -> Game:
    """The seat has a new address, and the old one is void."""
    return tx.fold_seats(game, replace(seat, serial=seat.serial + 1))


# stand-by


def ask_standby(tx: Transaction, game: Game, seat: Seat) -> bool:
    """Ask the next on the list who was not asked for a seat yet. Returns whether there was one."""
    playing = {one.person.id for one in game.players if one.person is not None}
    for entry in people.standbys_of(tx.session, game.id):
        if entry.asked_seat_id is not None or entry.account_id in playing:
            continue
        entry.asked_seat_id, entry.asked_at = seat.id, tx.now
        if game.phase is not None:
            moments = [(DeadlineKind.STANDBY, tx.now + TIME_TO_ANSWER)]
            agenda.add_deadlines(tx.session, game.id, game.phase.id, moments)
        words = (
            f"{seat.power} in {game.name} ({game.variant.title}) has no player any more, and you are the next on its"
            " stand-by list.",
            f"To take it, answer: TAKEOVER {game.name} AS {seat.power}",
            f"It is kept for you for {int(TIME_TO_ANSWER.total_seconds() // 3600)} hours. If you do not want it,"
            f" answer: STANDBY {game.name} OFF",
        )
        asked = loading.people(tx.session, [entry.account_id])[entry.account_id]
        tx.to_person(asked, "a seat for you", words, f"standby:{entry.id}:{seat.id}:{seat.serial}", game)
        return True
    return False


def kept(tx: Transaction, game: Game) -> Mapping[int, StandbyRow]:
    """The seats that are kept for somebody who was asked and still has time to answer, and for whom."""
    return {
        entry.asked_seat_id: entry
        for entry in people.standbys_of(tx.session, game.id)
        if entry.asked_seat_id is not None and entry.asked_at is not None
        if entry.asked_at + TIME_TO_ANSWER > tx.now
    }


def no_answer(tx: Transaction, game: Game) -> None:
    """Those whose time to answer is over leave the list, and the next ones are asked."""
    for entry in people.standbys_of(tx.session, game.id):
        if entry.asked_at is not None and entry.asked_at + TIME_TO_ANSWER <= tx.now:
            seat = next((seat for seat in game.vacant if seat.id == entry.asked_seat_id), None)
            people.remove_standby(tx.session, game.id, entry.account_id)
            if seat is not None:
                ask_standby(tx, game, seat)


def announce(tx: Transaction, game: Game, seat: Seat, purpose: str) -> None:
    """Tell everybody else that the power has a new player, by name where names are known."""
    hidden = game.names_hidden or game.is_secret(seat) or seat.person is None
    who = "Somebody else" if hidden or seat.person is None else seat.person.name
    words = (f"{who} plays {seat.power} from now on.",)
    tx.tell(game, game.all_but(seat), "a new player", words, purpose)


# dealing


def deal(powers: Sequence[Power], wishes: Sequence[Wishes], chance: Chance) -> tuple[Power, ...]:
    """A power for each player, in the order in which they joined, as were their wishes (none: an empty tuple).

    Each in turn gets one of those that are left which they like best, then the others what is left by lot.
    """
    left = list(powers)
    dealt: dict[int, Power] = {}
    for number, groups in enumerate(wishes):
        liked = next((found for group in groups if (found := [power for power in group if power in left])), [])
        if liked:
            dealt[number] = chance.choose(liked, "wish", number)
            left.remove(dealt[number])
    waiting = [number for number in range(len(wishes)) if number not in dealt]
    dealt |= dict(zip(waiting, chance.shuffled(left, "powers"), strict=False))
    return tuple(dealt[number] for number in sorted(dealt))
