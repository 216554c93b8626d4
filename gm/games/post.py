"""Rendered words into the outbox: sender, threading and a purpose that makes every mail go out once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy.orm import Session

from gm.games import ServerIdentity
from gm.games.report_inputs import due_at, game_facts, reader_of
from gm.games.snapshot import Table
from gm.mail.message.addresses import mailto
from gm.mail.message.compose import Attachment, Outgoing, compose
from gm.reports.context import Notice
from gm.reports.render import Rendered, render
from gm.store import outbox, people
from gm.store.game_rows import SeatRole, SeatRow
from gm.store.people import AccountRow
from gm.views import Section


@dataclass(frozen=True, slots=True)
class Answering:
    """The mail that is being answered."""

    message_id: str
    references: tuple[str, ...] = ()


def post(
    session: Session,
    office: ServerIdentity,
    rendered: Rendered,
    *,
    purpose: str,
    recipient: str,
    now: datetime,
    reply_to: str,
    answering: Answering | None = None,
    game: str | None = None,
    to_stranger: bool = False,
    list_unsubscribe: str | None = None,
    attachments: tuple[Attachment, ...] = (),
) -> None:
    """Put one mail into the outbox; a purpose that is there already is left as it is (the mail was written before).

    `to_stranger` gives it the null return path, so that a forged sender's bounces come back to nobody; all other mail
    has a return path of its own. What is written about a game hangs on one thread, whose root nobody ever sent.
    """
    host = office.host
    thread = (_thread_of(office, game),) if game and answering is None else ()
    message_id = f"<{hashlib.sha256(office.key + purpose.encode()).hexdigest()[:32]}@{host}>"
    auto: Literal["auto-replied", "auto-generated"] = "auto-replied" if answering else "auto-generated"
    raw = compose(
        Outgoing(
            sender=office.server.address,
            sender_name=office.server.name,
            to=recipient,
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html or None,
            auto=auto,
            reply_to=reply_to,
            in_reply_to=answering.message_id if answering else None,
            references=(*answering.references, answering.message_id) if answering else thread,
            message_id=message_id,
            list_id=f"{game}.{host}" if game else None,
            list_unsubscribe=list_unsubscribe,
            attachments=attachments,
            date=now,
        )
    )
    sender = "" if to_stranger else office.return_path(purpose)
    outbox.queue(
        session, purpose=purpose, recipient=recipient, envelope_from=sender, message_id=message_id, raw=raw, now=now
    )


def _thread_of(office: ServerIdentity, game: str) -> str:
    """The Message-ID that a game's mails refer to, so that mail programs show them as one conversation."""
    return f"<{hashlib.sha256(office.key + f'thread {game}'.encode()).hexdigest()[:32]}@{office.host}>"


def post_to_seat(
    table: Table,
    office: ServerIdentity,
    seat: SeatRow,
    rendered: Rendered,
    *,
    purpose: str,
    now: datetime,
    pictures: tuple[Attachment, ...] = (),
) -> None:
    """A mail to whoever holds the seat, at the first of his addresses that mail reaches; nothing when it is vacant.

    `pictures` stand within its HTML.
    """
    account = table.account_of(seat)
    if account is None:
        return
    reply_to = office.address_of(table.game, seat)
    watches = seat.role is SeatRole.OBSERVER
    post(
        table.session,
        office,
        rendered if account.html else Rendered(rendered.subject, rendered.text, ""),
        purpose=purpose,
        recipient=reachable(table.session, account),
        now=now,
        reply_to=reply_to,
        game=table.game.name,
        list_unsubscribe=mailto(reply_to, "unsubscribe", f"UNOBSERVE {table.game.name}") if watches else None,
        attachments=pictures if account.html else (),
    )


def write_to(
    session: Session,
    office: ServerIdentity,
    account: AccountRow,
    title: str,
    paragraphs: tuple[str, ...],
    *,
    purpose: str,
    now: datetime,
    table: Table | None = None,
) -> None:
    """News to somebody who has no seat: he answers to the server's own address."""
    game = game_facts(table) if table is not None else None
    post(
        session,
        office,
        render("player/notice", Notice(reader_of(office, account), title, paragraphs, game)),
        purpose=purpose,
        recipient=reachable(session, account),
        now=now,
        reply_to=office.server.address,
        game=table.game.name if table is not None else None,
    )


def unreachable(table: Table) -> dict[int, str]:
    """The seats whose holders' mail comes back, by seat id, in words for the gamemaster."""
    of_seat = {
        seat.id: people.addresses_of(table.session, seat.account_id)
        for seat in table.seats
        if seat.account_id is not None
    }
    gone = outbox.dead_addresses(table.session, [email for emails in of_seat.values() for email in emails])
    words = {}
    for seat_id, emails in of_seat.items():
        failing = [email for email in emails if email in gone]
        if failing:
            words[seat_id] = "mail comes back" if len(failing) == len(emails) else "mail comes back from one address"
    return words


def reachable(session: Session, account: AccountRow) -> str:
    """Where mail for this person goes: the first of his addresses from which none came back, else simply the first."""
    emails = people.addresses_of(session, account.id)
    gone = outbox.dead_addresses(session, emails)
    return next((email for email in emails if email not in gone), emails[0])


def tell(
    table: Table,
    office: ServerIdentity,
    seats: list[SeatRow],
    title: str,
    paragraphs: tuple[str, ...],
    *,
    purpose: str,
    now: datetime,
    sections: tuple[Section, ...] = (),
) -> None:
    """News of the game to these seats, each in its own zone and with its own reply address."""
    for seat in seats:
        account = table.account_of(seat)
        notice = Notice(
            reader_of(office, account, table.game, seat), title, paragraphs, game_facts(table), due_at(table), sections
        )
        post_to_seat(table, office, seat, render("player/notice", notice), purpose=f"{purpose}:{seat.id}", now=now)
