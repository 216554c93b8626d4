"""Mails that an operator looks for: those that arrived, and those of ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, or_, select
from sqlalchemy.orm import Session

from gm.mail.message.mime import Headers
from gm.store.game_rows import GameRow, SeatRow
from gm.store.inbox import InboxRow
from gm.store.outbox import OutboxRow

MOST = 100
_LOOKED_THROUGH = 5_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which mails; "" for any. `sender` is of mails that arrived (From or envelope), `recipient` of ours; `game` and
    `message_id` are of both.
    """

    sender: str = ""
    recipient: str = ""
    message_id: str = ""
    game: str = ""


def arrived(session: Session, wanted: Wanted) -> Sequence[InboxRow]:
    """Those that arrived, newest first."""
    if wanted.recipient and not wanted.sender:
        return ()
    found = select(InboxRow)
    if wanted.sender:
        sender = wanted.sender.lower()
        found = found.where(or_(InboxRow.sender == sender, func.lower(InboxRow.envelope_from) == sender))
    if wanted.message_id:
        found = found.where(InboxRow.message_id == _id(wanted))
    if wanted.game:
        found = found.where(InboxRow.address.contains(f"+{wanted.game.lower()}.", autoescape=True))
    return session.scalars(found.order_by(InboxRow.id.desc()).limit(MOST)).all()


def ours(session: Session, wanted: Wanted) -> Sequence[OutboxRow]:
    """Those of ours, newest first, in any state."""
    if wanted.sender and not wanted.recipient:
        return ()
    found = select(OutboxRow).order_by(OutboxRow.id.desc())
    if wanted.recipient:
        found = found.where(OutboxRow.recipient == wanted.recipient.lower())
    if wanted.message_id:
        found = found.where(OutboxRow.message_id == _id(wanted))
    if wanted.game:
        return list(_about(session, found, wanted.game))[:MOST]
    return session.scalars(found.limit(MOST)).all()


def _about(session: Session, found: Select[OutboxRow], game: str) -> Iterator[OutboxRow]:
    """Those to a seat of the game, or that are answered at the address of one."""
    seats = set(session.scalars(select(SeatRow.id).join(GameRow).where(func.lower(GameRow.name) == game.lower())))
    for mail in session.scalars(found.limit(_LOOKED_THROUGH)):
        if mail.seat_id in seats or f"+{game.lower()}." in Headers.of(mail.raw).first("reply-to").lower():
            yield mail


def _id(wanted: Wanted) -> str:
    return f"<{wanted.message_id.strip('<> ')}>"


def newest_arrival(session: Session) -> datetime | None:
    """When the newest mail was received; None before the first."""
    return session.scalar(select(InboxRow.received_at).order_by(InboxRow.id.desc()).limit(1))
