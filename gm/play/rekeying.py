"""Every seat gets the address that the server's present key gives it; the one that it had is kept as its holder's."""

from __future__ import annotations

from sqlalchemy import select, update

from gm.games.transaction import Transaction
from gm.mail.message.addresses import seat_token, token_hash
from gm.store.about import fingerprint
from gm.store.game_rows import GameRow, GameState, SeatRow
from gm.store.shown_addresses import show_address

_SEATS = select(SeatRow.id, SeatRow.serial, SeatRow.token_hash, SeatRow.account_id).order_by(SeatRow.id)
_GAMES = select(GameRow.id).where(GameRow.state.in_((GameState.FORMING, GameState.RUNNING))).order_by(GameRow.id)


def renew_all(tx: Transaction) -> int:
    """Renew the addresses of all seats, and tell the players of games that are not over; the number of seats."""
    tx.write()
    renewed = set()
    for seat in tx.session.execute(_SEATS.where(SeatRow.token_hash.is_not(None))).all():
        present = token_hash(seat_token(tx.identity.key, seat.id, seat.serial))
        if present == seat.token_hash:
            continue
        if seat.account_id is not None:
            show_address(tx.session, str(seat.token_hash), seat.id, seat.account_id)
        tx.session.execute(update(SeatRow).where(SeatRow.id == seat.id).values(token_hash=present))
        renewed.add(seat.id)
    for game_id in tx.session.scalars(_GAMES).all():
        _tell(tx, game_id, renewed)
    return len(renewed)


def _tell(tx: Transaction, game_id: int, renewed: set[int]) -> None:
    game = tx.game(game_id, lock=True)
    if not game.playable:
        return
    for seat in (seat for seat in game.seats if seat.id in renewed and seat.person is not None):
        words = (
            "This server has a new key, so the secret addresses of all seats are new.",
            f"Your new address, known only to you: {tx.identity.address_of(game, seat)}",
            "Replies to this mail go there. Everything you sent before stays in force.",
            "The old address counts for nobody but you. If nothing proves that a mail to it is yours (DKIM, SPF),"
            " you are asked before anything is done.",
        )
        purpose = f"key:{fingerprint(tx.identity.key)[:8]}:{seat.id}"
        tx.tell(game, [seat], "a new address for your seat", words, purpose)
