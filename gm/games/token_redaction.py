"""Seat addresses that turn up where others read: hidden there, void from then on, and replaced by new ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from gm.games import ServerIdentity
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.mail.message.addresses import TOKEN_LENGTH, hidden, token_hash
from gm.store import game_rows, records
from gm.store.game_rows import SeatRow

_BARE = re.compile(rf"(?<![A-Za-z0-9])[A-Za-z2-7]{{{TOKEN_LENGTH}}}(?![A-Za-z0-9])")
_MOST = 50  # words of this form that are looked up


def redact(session: Session, office: ServerIdentity, text: str) -> tuple[str, Sequence[SeatRow]]:
    """The text without any seat's address or token, and the seats whose were in it."""
    leaked: dict[int, SeatRow] = {}
    words = dict.fromkeys(found[0] for found in _BARE.finditer(text))
    for word in list(words)[:_MOST]:
        seat = game_rows.seat_by_token_hash(session, token_hash(word))
        if seat is not None:
            leaked[seat.id] = seat
            text = text.replace(word, "[removed]")
    return hidden(text, office.server.address), list(leaked.values())


def replace_addresses(
    session: Session, office: ServerIdentity, seats: Sequence[SeatRow], *, purpose: str, now: datetime
) -> None:
    """Give each of the seats a new address and tell its holder; the old one is void at once."""
    for seat in seats:
        game = game_rows.game_by_id(session, seat.game_id)
        if game is None:
            continue
        office.renew_token(seat)
        session.flush()
        table = Table(session, game)
        words = (
            "The address of your seat stood in a mail for others to read. It was taken out there, and is void now.",
            f"Your new address, known to nobody else: {office.address_of(game, seat)}",
            "Answering this mail writes to it. What you sent before stays in force.",
        )
        tell(table, office, [seat], "a new address for your seat", words, purpose=purpose, now=now)
        records.note(session, "leaked", now, game_id=game.id, seat_id=seat.id)
