"""Where a mail goes, decided once, from its recipients, when it is accepted; and the meaning of each of our addresses.

A mail to two seats counts as two mails, one for each. If a mail names a seat and also the server's own address, both
copies are for the seat, so that the mail is acted on once, however many copies arrive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gm.games.identity import OPERATORS, ServerIdentity
from gm.games.loading import seats_at, shown
from gm.mail.message.addresses import CONFIRM, RETURN, parse_address, parse_seat_address, token_hash
from gm.mail.message.incoming import Head, read_head
from gm.server import Server
from gm.store import outbox, records

MOST = 10
"""The most addresses of ours for which a mail is acted on; nobody has more seats to write to at once."""


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


def destinations(head: Head, identity: ServerIdentity) -> tuple[Destination, ...]:
    """The destinations of a mail, in the order of its addresses; each once, and at least one.

    They are those of the envelope; if it names only the server's own address, or there is none, those of the header.
    """
    found = _all_at(head.envelope, identity)
    if not found or all(isinstance(one, Public) for one in found):
        named = _all_at(head.named, identity)
        if head.envelope:  # copies to others arrive separately
            named = [one for one in named if isinstance(one, SeatAddress | QuestionAddress)]
        found = named or found
    for common in (Public, Void):  # ignored beside a more specific address
        found = [one for one in found if not isinstance(one, common)] or found
    if any(isinstance(one, Public) for one in found) or not found:
        return (Public(""),)
    return tuple(found[:MOST])


def _all_at(addresses: Sequence[str], identity: ServerIdentity) -> list[Destination]:
    found = (destination_at(address, identity) for address in addresses)
    return list(dict.fromkeys(one for one in found if one is not None))


# recipients


def is_for_us(server: Server, head: bytes) -> bool:
    """Whether a mail in the spam folder is for a seat, a question or a return path of ours, which spam never is."""
    secret = (SeatAddress, QuestionAddress, ReturnPath)
    return any(
        isinstance(destination_at(address, server.identity), secret) and knows(server, address)
        for address in read_head(head).named
    )


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
                return outbox.by_return_path(session, address) is not None
            case Void() | None:
                return False
