"""Mail to postmaster@ and abuse@, which every domain must take (RFC 5321 4.5.1, RFC 2142): it goes to the operator.

It is forwarded as an attachment, so that nothing in it can pass for ours, and at most so many in an hour.
"""

from __future__ import annotations

from datetime import timedelta

from gm.games.identity import ServerIdentity
from gm.games.transaction import Envelope, Transaction
from gm.mail.message.auto_reply import LOOP_HEADER
from gm.mail.message.compose import Attachment
from gm.mail.message.incoming import Message
from gm.reports.render import Rendered
from gm.store import outbox
from gm.store.inbox import InboxRow, InboxState

NAMES = ("postmaster", "abuse")
FORWARDED_AN_HOUR = 30


def is_for_operator(identity: ServerIdentity, address: str) -> bool:
    """Whether an address is postmaster's or abuse's of this server's domain; `postmaster` alone is too."""
    local, _, host = address.strip().lower().partition("@")
    return local in NAMES and host in ("", identity.host.lower())


def forward(tx: Transaction, message: Message, row: InboxRow) -> tuple[InboxState, str]:
    """Send the mail on to the operator. Returns what becomes of the row, with a note."""
    operator = tx.identity.settings.operator
    if operator is None or is_for_operator(tx.identity, operator):
        return InboxState.ASIDE, "for the postmaster, and [server] names no operator"
    if LOOP_HEADER.encode() in row.raw[:50_000]:
        return InboxState.IGNORED, "our own mail came back"
    if outbox.sent_since(tx.session, operator, tx.now - timedelta(hours=1), "postmaster:") >= FORWARDED_AN_HOUR:
        return InboxState.ASIDE, "for the postmaster, who was sent too many within the hour"
    named = next(address for address in message.recipients if is_for_operator(tx.identity, address))
    came = f"This mail came to {named} from {message.sender or 'an unknown sender'}. It is attached as it came."
    envelope = Envelope(f"postmaster:{row.id}", operator, reply_to=None, to_stranger=True)
    attached = Attachment("mail.eml", "application/octet-stream", row.raw)
    tx.post(Rendered(f"To {named}: {message.subject}", came, ""), envelope, (attached,))
    return InboxState.DONE, f"forwarded to {operator}"
