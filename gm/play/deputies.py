"""Deputies: people who order for a power while its player is away, each at a seat of their own.

A deputy's seat has its own address, gets what the player gets of the game, and never the player's address. The orders
that come to it are the player's own set, so that the later one counts, and a rollback restores it. There is no deputy
for a player whose seat is secret, and no deputy has another seat in the game, or has known another's secrets (`sight`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.play.questions import SEAT
from gm.play.seat_addresses import void
from gm.reports import full_moment
from gm.store import agenda, question_rows, shown_addresses
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import SeatRole
from gm.store.question_rows import QuestionRow


def appoint(
    tx: Transaction, game: Game, player: Seat, person: Person, begins: datetime | None, ends: datetime | None
) -> tuple[Game, Seat]:
    """Make a person the deputy of this seat's player, in place of any other, between these times."""
    game = dismiss(tx, game, player, "The player has another deputy now.", "You have another deputy now.")
    vacant = next((seat for seat in game.seats if seat.deputy_of == player.id), None)
    if vacant is None:
        game, vacant = tx.add_seat(game, SeatRole.DEPUTY, None, player.power, player)
    seat = replace(void(tx, game, vacant), person=person, joined_at=begins or tx.now, until=ends)
    game = tx.fold_seats(game, seat)
    moments = [(DeadlineKind.DEPUTY, at) for at in (begins, ends) if at is not None]
    agenda.add_deadlines(tx.session, game.id, game.present.id, moments)
    _welcome(tx, game, seat)
    return game, seat


def _welcome(tx: Transaction, game: Game, seat: Seat) -> None:
    tx.owe(game, [seat], f"welcome:{seat.serial}")


def follow_up(tx: Transaction, game: Game, at: datetime) -> Game:
    """Begin and end what begins and ends at this time."""
    for seat in game.deputies_of(*game.seats):
        if seat.until is not None and seat.until <= tx.now:
            game = end(tx, game, seat, "Your time as deputy is over.", "The time of your deputy is over.")
        elif seat.joined_at == at:
            _welcome(tx, game, seat)
    return game


def dismiss(tx: Transaction, game: Game, player: Seat, to_deputy: str, to_player: str = "") -> Game:
    """End the time of the deputy of this seat's player, if there is one."""
    for seat in game.deputies_of(player):
        game = end(tx, game, seat, to_deputy, to_player)
    return game


def end(tx: Transaction, game: Game, seat: Seat, to_deputy: str, to_player: str = "") -> Game:
    """End a deputy's time: the address becomes void, the deputy is told so, and the gamemaster and, with words, the
    player.
    """
    purpose, player = f"deputy over:{seat.id}:{seat.serial}", game.principal(seat)
    words = (f"{to_deputy} You no longer order for {seat.power}. Thank you for having done so.",)
    tx.dismiss(game, seat, "no longer a deputy", words, purpose)
    game = tx.fold_seats(game, replace(void(tx, game, seat), person=None, joined_at=None, until=None))
    if to_player:
        words = (f"{to_player} {_STAYS}",)
        tx.tell(game, [player], "your deputy", words, f"{purpose}:player")
        _tell_masters(tx, game, player, "no longer has a deputy.", f"{purpose}:gm")
    return game


_STAYS = "Orders that your deputy has sent stay in force until you send others, and so does READY until you write WAIT."


def announce(tx: Transaction, game: Game, seat: Seat, asked: str) -> None:
    """Tell the player, who has `asked` this address, and the gamemasters of a new deputy."""
    player, purpose = game.principal(seat), f"deputy:{seat.id}:{seat.serial}"
    name = seat.name
    words = (
        f"{name} ({asked}) has said YES and is your deputy for {seat.power}, {when(tx, game, seat, player.person)}.",
        "Your deputy gets the reports, the reminders and the press of your power, and can send orders, READY, WAIT and"
        " press for it. You get a copy of all that they send. You can order as before: of each unit the later order"
        " counts.",
    )
    tx.tell(game, [player], "your deputy", words, purpose, answers=(("DEPUTY NONE", "end this"),))
    _tell_masters(tx, game, player, f"has a deputy, {name}, {when(tx, game, seat, None)}.", f"{purpose}:gm")


def _tell_masters(tx: Transaction, game: Game, player: Seat, said: str, purpose: str) -> None:
    """Tell the gamemasters who may know what players do not: who orders for one of them."""
    name = player.person.name if player.person is not None else "The player"
    recipients = [one for one in game.masters if game.knows(one, player)]
    tx.tell(game, recipients, "a deputy", (f"{name} ({player.power}) {said}",), purpose)


def when(tx: Transaction, game: Game, seat: Seat, reader: Person | None) -> str:
    """From when until when somebody is a deputy, in words: `from now on`, `until Thu 24 Dec 2026, 23:59 UTC`."""
    return span(tx, game, seat.joined_at, seat.until, reader) or "from now on"


def span(tx: Transaction, game: Game, begins: datetime | None, ends: datetime | None, reader: Person | None) -> str:
    """The same of these times; "" if both are None. The end is midnight: the last minute of the day says which."""
    zone = tx.identity.zone_of(reader, game)
    said = [f"from {full_moment(begins, zone)}"] if begins is not None and begins > tx.now else []
    said += [f"until {full_moment(ends - timedelta(minutes=1), zone)}"] if ends is not None else []
    return " ".join(said)


def asked(tx: Transaction, game: Game, player: Seat) -> Sequence[QuestionRow]:
    """The questions to those who were asked to be this seat's deputy, and have not answered in time or yet."""
    rows = question_rows.open_of(tx.session, SEAT, game.id)
    return [row for row in rows if row.detail.get("deputy_of") == player.id]


def withdraw(tx: Transaction, game: Game, player: Seat) -> bool:
    """Take these questions back. Returns whether there were any."""
    rows = asked(tx, game, player)
    for row in rows:
        question_rows.settle(tx.session, row, question_rows.WITHDRAWN, tx.now)
    return bool(rows)


def forget_all(tx: Transaction, game: Game, said: str) -> Game:
    """End what deputies there are and are asked, with these words, before powers are dealt anew."""
    for player in game.players:
        game = dismiss(tx, game, player, said)
        withdraw(tx, game, player)
    shown_addresses.forget(tx.session, [seat.id for seat in game.seats if seat.deputy_of is not None])
    return game


def follow_players(tx: Transaction, game: Game) -> Game:
    """The game with the powers of its players' seats for those of their deputies."""
    seats = (replace(one, power=game.principal(one).power) for one in game.seats if one.deputy_of is not None)
    return tx.fold_seats(game, *seats)
