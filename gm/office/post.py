"""Rendered words into the outbox: sender, threading and a purpose that makes every mail go out once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy.orm import Session

from gm.letters.outgoing import Outgoing, compose
from gm.office import Office
from gm.office.facts import due_at, game_facts, reader_of
from gm.office.table import Table
from gm.reports.context import Notice
from gm.reports.render import Rendered, render
from gm.store import accounts, outbox
from gm.store.tables import Seat


@dataclass(frozen=True, slots=True)
class Answering:
    """The mail that is being answered."""

    message_id: str
    references: tuple[str, ...] = ()


def post(
    session: Session,
    office: Office,
    rendered: Rendered,
    *,
    purpose: str,
    recipient: str,
    now: datetime,
    reply_to: str,
    answering: Answering | None = None,
    game: str | None = None,
    to_stranger: bool = False,
) -> None:
    """Put one mail into the outbox; a purpose that is there already is left as it is (the mail was written before).

    `to_stranger` gives it the null return path, so that a forged sender's bounces come back to nobody.
    """
    host = office.server.address.partition("@")[2]
    message_id = f"<{hashlib.sha256(office.key + purpose.encode()).hexdigest()[:32]}@{host}>"
    auto: Literal["auto-replied", "auto-generated"] = "auto-replied" if answering else "auto-generated"
    raw = compose(
        Outgoing(
            sender=office.server.address,
            sender_name=office.server.name,
            to=recipient,
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html,
            auto=auto,
            reply_to=reply_to,
            in_reply_to=answering.message_id if answering else None,
            references=(*answering.references, answering.message_id) if answering else (),
            message_id=message_id,
            list_id=f"{game}.{host}" if game else None,
            date=now,
        )
    )
    sender = "" if to_stranger else office.server.address
    outbox.queue(
        session, purpose=purpose, recipient=recipient, envelope_from=sender, message_id=message_id, raw=raw, now=now
    )


def post_to_seat(table: Table, office: Office, seat: Seat, rendered: Rendered, *, purpose: str, now: datetime) -> None:
    """A mail to whoever holds the seat, at his first address; nothing when the seat is vacant."""
    account = table.account_of(seat)
    if account is None:
        return
    post(
        table.session,
        office,
        rendered,
        purpose=purpose,
        recipient=accounts.addresses_of(table.session, account.id)[0],
        now=now,
        reply_to=office.address_of(table.game, seat),
        game=table.game.name,
    )


def tell(
    table: Table,
    office: Office,
    seats: list[Seat],
    title: str,
    paragraphs: tuple[str, ...],
    *,
    purpose: str,
    now: datetime,
) -> None:
    """News of the game to these seats, each in its own zone and with its own reply address."""
    for seat in seats:
        account = table.account_of(seat)
        notice = Notice(
            reader_of(office, account, table.game, seat), title, paragraphs, game_facts(table), due_at(table)
        )
        post_to_seat(table, office, seat, render("player/notice", notice), purpose=f"{purpose}:{seat.id}", now=now)
