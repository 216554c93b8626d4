"""Taking mails in: a transport passes the bytes of each to `accept`, which decides where it goes
(`gm.games.identity`), and leases the row if a thread is free; otherwise `gm.inbound.intake.receive_next` does.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from gm.games import loading
from gm.games.identity import (
    ANSWERED,
    DigestAddress,
    ForOperator,
    Public,
    QuestionAddress,
    ReturnPath,
    SeatAddress,
    Void,
    destination_at,
    destinations,
    names_several,
)
from gm.games.loading import seats_at, shown
from gm.inbound.proof import is_to_be_checked
from gm.mail.message.addresses import token_hash
from gm.mail.message.incoming import read_head, read_message
from gm.play.seat_addresses import Showing, renew_seen
from gm.server import Server
from gm.server.metrics import count
from gm.store import inbox, question_rows, sent, ways
from gm.store.database import leaves_no_work
from gm.store.inbox import ArrivedMail, InboxRow

log = logging.getLogger(__name__)


def accept(server: Server, mail: ArrivedMail) -> bool:
    """Store a mail that has arrived; only then may it be acknowledged. False if it is a duplicate."""
    new: list[InboxRow] = []
    checked = is_to_be_checked(mail, server.identity)
    shown = not server.identity.settings.plus_addressing and not names_several(mail.raw, server.identity)
    with server.arrivals.offered() as offer, server.database.transaction(first=True) as session:
        mail = ways.counted(session, mail, server.now())
        for destination in destinations(mail.head, server.identity, session):
            until = server.now() + inbox.LEASE if offer == [] and not checked else None
            of_seat = shown and isinstance(destination, SeatAddress)
            row = inbox.accept(session, mail, destination.address, until, checked=checked, shown=of_seat)
            new += [row] if row is not None else []
            if offer is not None:
                offer[:] = [one for one in new if one.leased_until is not None]
            mail = replace(mail, imap=None) if mail.imap else mail  # only one row can have its place in a folder
        if all(one.leased_until is not None for one in new):
            leaves_no_work(session)
    if not new and not all(map(server.identity.is_own, mail.head.named)):
        _note_who_sees(server, mail)
    count("gm_received_total", source=mail.source, new=str(bool(new)).lower())
    return bool(new)


def _note_who_sees(server: Server, mail: ArrivedMail) -> None:
    """Replace the addresses of seats that another copy of a known mail shows to others: of its To and Cc one copy may
    have had less.
    """
    message = read_message(mail.raw, envelope_from=mail.envelope_from, recipients=mail.recipients)
    with server.transaction() as tx:
        person = loading.person_at(tx.session, message.author)
        if person is not None:
            showing = Showing(message.shown, person.addresses[0], person)
            renew_seen(tx, showing, f"shown:{message.message_id}")


def first_of_mailbox(
    server: Server, account: str, folder: str, uidvalidity: int, uidnext: int, *, keep: bool = True
) -> int:
    """The first UID of an IMAP folder that is for the server: mails that were there when it first looked are older than
    it.

    A folder that was renumbered since then (another UIDVALIDITY) is read as a whole: its mails have been there, and
    those that were acted on are recognized by their content. With `keep` the result is stored.
    """
    with server.database.transaction() as session:
        if (seen := inbox.mailbox(session, account, folder)) is not None:
            return seen.first_uid if seen.uidvalidity == uidvalidity else 1
        first = 1 if inbox.has_read(session, account, folder) else uidnext
        if keep:
            inbox.note_mailbox(session, account, folder, uidvalidity, first)
    if keep and first > 1:
        before = "mail that lay in the mailbox before the server first looked is left there, up to UID %d: %s"
        way_out = "move one that is to be read to another folder and back, or ask its sender to write again"
        log.warning(before, first - 1, way_out, extra={"folder": folder})
    return first


def is_for_us(server: Server, head: bytes) -> bool:
    """Whether a mail in the spam folder is for a seat, a question or a return path of ours, which spam never is."""
    with server.database.reading() as session:
        found = destinations(read_head(head), server.identity, session)
    secret = (*ANSWERED, ReturnPath)
    return any(isinstance(one, secret) and knows(server, one.address) for one in found)


def knows(service: Server, recipient: str) -> bool:
    """Whether mail for this address is accepted: the server's own, each seat's, each question's, each return path of a
    mail that was sent, and the postmaster's.
    """
    with service.database.reading() as session:
        match destination_at(recipient, service.identity):
            case Public() | ForOperator() | DigestAddress():
                return True
            case SeatAddress(_, token):
                hashes = [token_hash(token)]
                return bool(seats_at(session, hashes) or shown(session, hashes))
            case QuestionAddress(_, token):
                return question_rows.by_token_hash(session, token_hash(token)) is not None
            case ReturnPath(address):
                return sent.by_return_path(session, address) is not None
            case Void() | None:
                return False
