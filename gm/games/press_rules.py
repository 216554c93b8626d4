"""Press: its signature, postal press, and redaction of seat addresses.

A seat's address in a text for others is removed from it, voided, and replaced by a new one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from gm.games import loading, seats
from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.mail.message.addresses import TOKEN_LENGTH, hidden, token_hash
from gm.store.game_rows import SeatRole
from gm.store.records import PressRow

UNSIGNED = "somebody"

_BARE = re.compile(rf"(?<![A-Za-z0-9])[A-Za-z2-7]{{{TOKEN_LENGTH}}}(?![A-Za-z0-9])")
_MOST = 50  # words of this form that are looked up


def signature(seat: Seat, manner: Collection[str]) -> str:
    """How press from this seat is signed; grey press is not."""
    if "grey" in manner:
        return UNSIGNED
    return {SeatRole.MASTER: "GM", SeatRole.OBSERVER: "an observer"}.get(seat.role) or seat.power or "a player"


def deferred_press(written: Iterable[PressRow], game: Game, seat: Seat) -> tuple[tuple[str, str], ...]:
    """Of what was written in a phase the postal press for this seat, as heading and text, in the same order."""
    by_id = {one.id: one for one in game.seats}
    letters = []
    for press in written:
        manner = (press.manner or "").split()
        sender = by_id.get(press.from_seat_id)
        if "postal" not in manner or sender is None or not is_for(press.to, seat):
            continue
        if sender.id == seat.id or does_not_want(seat, sender):
            continue
        to = ", ".join("all" if name == "ALL" else name for name in press.to)
        letters.append((f"Press from {signature(sender, manner)} to {to}", press.body))
    return tuple(letters)


def does_not_want(reader: Seat, sender: Seat) -> bool:
    """Whether the reader has stopped press from whoever holds this seat; a gamemaster's is always read."""
    return sender.role is not SeatRole.MASTER and sender.person is not None and sender.person.id in reader.muted


def is_for(to: Collection[str], seat: Seat) -> bool:
    """Whether press to these powers goes to this seat."""
    return "ALL" in to or seat.power in to or ("GM" in to and seat.role is SeatRole.MASTER)


def redact(tx: Transaction, text: str, purpose: str) -> tuple[str, bool]:
    """The text without any seat's address or token, and whether any was in it; such seats get new addresses."""
    words = list(dict.fromkeys(found[0] for found in _BARE.finditer(text)))[:_MOST]
    hashes = {word: token_hash(word) for word in words}
    leaked = loading.seats_at(tx.session, hashes.values()) if hashes else []
    for hashed, game_id, seat_id in leaked:
        for word in (word for word, own in hashes.items() if own == hashed):
            text = text.replace(word, "[removed]")
        _replace_address(tx, game_id, seat_id, purpose)
    return hidden(text, tx.identity.address), bool(leaked)


def _replace_address(tx: Transaction, game_id: int, seat_id: int, purpose: str) -> None:
    game = tx.game(game_id, lock=True)
    game = seats.renew_address(tx, game, game.seat(seat_id))
    seat = game.seat(seat_id)
    words = (
        "Your seat's secret address was in a text for other players. It was removed from the text and is now void.",
        f"Your new address, known only to you: {tx.identity.address_of(game, seat)}",
        "Replies to this mail go there. Everything you sent before stays in force.",
    )
    tx.tell(game, [seat], "a new address for your seat", words, purpose)
    tx.note("leaked", game, seat)
