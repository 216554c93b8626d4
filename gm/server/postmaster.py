"""Mail to postmaster@ and abuse@, which every domain must take (RFC 5321 4.5.1, RFC 2142): it goes to the operator.

It is forwarded as an attachment, so that nothing in it can pass for ours, and at most so many in an hour.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from gm.games import ServerIdentity
from gm.mail.message.auto_reply import LOOP_HEADER
from gm.mail.message.compose import Attachment, Outgoing, compose
from gm.mail.message.incoming import Message
from gm.store import outbox
from gm.store.inbox import InboxRow, InboxState

NAMES = ("postmaster", "abuse")
FORWARDED_AN_HOUR = 30


def is_for_operator(office: ServerIdentity, address: str) -> bool:
    """Whether an address is postmaster's or abuse's of this server's domain; `postmaster` alone is too."""
    local, _, host = address.strip().lower().partition("@")
    return local in NAMES and host in ("", office.host.lower())


def forward(
    session: Session, office: ServerIdentity, letter: Message, mail: InboxRow, now: datetime
) -> tuple[InboxState, str]:
    """Send the mail on to the operator. Returns what becomes of the row, with a note."""
    operator = office.server.operator
    if operator is None or is_for_operator(office, operator):
        return InboxState.ASIDE, "for the postmaster, and [server] names no operator"
    if LOOP_HEADER.encode() in mail.raw[:50_000]:
        return InboxState.IGNORED, "our own mail came back"
    if outbox.sent_since(session, operator, now - timedelta(hours=1), "postmaster:") >= FORWARDED_AN_HOUR:
        return InboxState.ASIDE, "for the postmaster, who was sent too many within the hour"
    purpose = f"postmaster:{mail.id}"
    message_id = f"<{hashlib.sha256(office.key + purpose.encode()).hexdigest()[:32]}@{office.host}>"
    named = next(address for address in letter.recipients if is_for_operator(office, address))
    raw = compose(
        Outgoing(
            sender=office.server.address,
            sender_name=office.server.name,
            to=operator,
            subject=f"To {named}: {letter.subject}",
            text=f"This mail came to {named} from {letter.sender or 'an unknown sender'}. It is attached as it came.",
            message_id=message_id,
            date=now,
            attachments=(Attachment("mail.eml", "application/octet-stream", mail.raw),),
        )
    )
    outbox.queue(
        session,
        purpose=purpose,
        recipient=operator,
        envelope_from="",
        message_id=message_id,
        raw=raw,
        now=now,
    )
    return InboxState.DONE, f"forwarded to {operator}"
