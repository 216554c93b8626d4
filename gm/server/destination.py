"""Where a mail goes, decided once, from its recipients, when it is accepted; and the meaning of each of our addresses.

A mail to two seats counts as two mails, one for each. If a mail names a seat and also the server's own address, both
copies are for the seat, so that the mail is acted on once, however many copies arrive.

Where a provider delivers mail for the server's own address only, a seat's address is in the display name of the
recipient, or in our mail that is answered, and counts exactly as a recipient of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy.orm import Session

from gm.games.identity import OPERATORS, ServerIdentity
from gm.games.loading import seats_at, shown
from gm.mail.message.addresses import (
    CONFIRM,
    RETURN,
    parse_address,
    parse_seat_address,
    seat_addresses_in,
    token_hash,
)
from gm.mail.message.incoming import Head, read_head
from gm.mail.message.mime import Headers, split_header, with_newlines
from gm.server import Server
from gm.store import records, sent

MOST = 10
"""The most addresses of ours for which a mail is acted on; nobody has more seats to write to at once."""
_MOST_CITED = 20


@dataclass(frozen=True)
class _Ours:
    """An address of ours."""

    address: str


@dataclass(frozen=True)
class _Secret(_Ours):
    """An address with a token."""

    token: str


class SeatAddress(_Secret):
    """A seat's address, if its token is valid."""


class QuestionAddress(_Secret):
    """The address for the answer to a question, if its token is valid."""


class ReturnPath(_Ours):
    """The return path of mails of ours, if there are such mails: what comes here is a bounce."""


class ForOperator(_Ours):
    """The addresses postmaster and abuse (RFC 2142)."""


class Public(_Ours):
    """The server's own address; or none of ours, "", for a mail without an envelope."""


class Void(_Ours):
    """The server's own address with a suffix after a plus sign that cannot be a token: a letter is missing or wrong."""


Destination: TypeAlias = SeatAddress | QuestionAddress | ReturnPath | ForOperator | Public | Void


def destination_at(address: str, identity: ServerIdentity) -> Destination | None:
    """What an address of ours means; None for any other address. Nothing is looked up."""
    local, _, host = address.strip().lower().partition("@")
    if local in OPERATORS and host in ("", identity.host.lower()):
        return ForOperator(address)
    mailbox = parse_address(address)
    if mailbox is None or not identity.is_own(mailbox.address):
        return None
    if mailbox.address == identity.address.lower():
        return Public(mailbox.address)
    match parse_seat_address(mailbox.address, identity.address):
        case None:
            return Void(mailbox.address)
        case (name, token) if name == CONFIRM:
            return QuestionAddress(mailbox.address, token)
        case (name, _) if name == RETURN:
            return ReturnPath(mailbox.address)
        case (_, token):
            return SeatAddress(mailbox.address, token)


def destinations(head: Head, identity: ServerIdentity, session: Session) -> tuple[Destination, ...]:
    """The destinations of a mail, in the order of its addresses; each once, and at least one.

    They are those of the envelope; if it names only the server's own address, or there is none, those of the header;
    if that names only the server's own address, and there is no plus addressing, those of `_in_names`.
    """
    found = _all_at(head.envelope, identity)
    if not found or all(isinstance(one, Public) for one in found):
        named = _all_at(head.named, identity)
        if head.envelope:  # copies to others arrive separately
            named = [one for one in named if isinstance(one, SeatAddress | QuestionAddress)]
        found = named or found
    if not identity.settings.plus_addressing and all(isinstance(one, Public) for one in found):
        found = _in_names(head, identity, session) or found
    for common in (Public, Void):  # ignored beside a more specific address
        found = [one for one in found if not isinstance(one, common)] or found
    if any(isinstance(one, Public) for one in found) or not found:
        return (Public(""),)
    return tuple(found[:MOST])


def _in_names(head: Head, identity: ServerIdentity, session: Session) -> list[Destination]:
    """The destinations in the display names of the recipients. Address books keep one name for our address, so that
    the mail that is answered counts for more than a single name.
    """
    named = _all_at(seat_addresses_in(head.names, identity.address), identity)
    cited = _all_at([_reply_address(session, identity, head.answers)], identity) if len(named) < 2 else []
    return [one for one in cited if isinstance(one, SeatAddress | QuestionAddress)] or named


def _reply_address(session: Session, identity: ServerIdentity, message_ids: Sequence[str]) -> str:
    """The seat's or question's address to which the first of these mails that is ours wanted its answer, or ""."""
    ours = [one for one in message_ids if one.endswith(f"@{identity.host}>")]
    mail = next(filter(None, (sent.by_message_id(session, one) for one in ours[:_MOST_CITED])), None)
    reply_to = Headers.parse(split_header(with_newlines(mail.raw))[0]).first("reply-to") if mail is not None else ""
    return next(iter(seat_addresses_in(reply_to, identity.address)), "")


def _all_at(addresses: Sequence[str], identity: ServerIdentity) -> list[Destination]:
    found = (destination_at(address, identity) for address in addresses)
    return list(dict.fromkeys(one for one in found if one is not None))


# recipients


def is_for_us(server: Server, head: bytes) -> bool:
    """Whether a mail in the spam folder is for a seat, a question or a return path of ours, which spam never is."""
    with server.database.reading() as session:
        found = destinations(read_head(head), server.identity, session)
    secret = (SeatAddress, QuestionAddress, ReturnPath)
    return any(isinstance(one, secret) and knows(server, one.address) for one in found)


def knows(service: Server, recipient: str) -> bool:
    """Whether mail for this address is accepted: the server's own, each seat's, each question's, each return path of a
    mail that was sent, and the postmaster's.
    """
    with service.database.reading() as session:
        match destination_at(recipient, service.identity):
            case Public() | ForOperator():
                return True
            case SeatAddress(_, token):
                hashes = [token_hash(token)]
                return bool(seats_at(session, hashes) or shown(session, hashes))
            case QuestionAddress(_, token):
                return records.by_token_hash(session, token_hash(token)) is not None
            case ReturnPath(address):
                return sent.by_return_path(session, address) is not None
            case Void() | None:
                return False
