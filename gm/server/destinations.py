"""Where a mail goes.

That is decided once, from its recipients, when it is accepted. A mail to two seats counts as two mails, one for each.
If a mail names a seat and also the server's own address, both copies are for the seat, so that the mail is acted on
once, however many copies arrive. Where a provider delivers mail for the server's own address only, a seat's address is
in the display name of the recipient, or in our mail that is answered, and counts exactly as a recipient of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias, TypeGuard

from sqlalchemy.orm import Session

from gm.games.identity import ServerIdentity
from gm.games.loading import seats_at, shown
from gm.mail.message.addresses import (
    CONFIRM,
    CONVERSATION,
    OPERATORS,
    RETURN,
    parse_address,
    parse_list,
    parse_seat_address,
    seat_addresses_in,
    token_hash,
)
from gm.mail.message.incoming import Head, read_head
from gm.mail.message.mime import Headers
from gm.server import Server
from gm.store import question_rows, sent

MOST = 10
"""The most addresses of ours for which a mail is acted on."""
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


@dataclass(frozen=True)
class DigestAddress(_Ours):
    """The address for the answer to the digest of the person `person_id`, of that `day`; its token is valid."""

    person_id: int
    day: date


class ForOperator(_Ours):
    """The addresses postmaster and abuse (RFC 2142)."""


class Public(_Ours):
    """The server's own address; or none of ours, "", for a mail without an envelope."""


class Void(_Ours):
    """The server's own address with a suffix after a plus sign that cannot be a token: a letter is missing or wrong."""


Destination: TypeAlias = SeatAddress | QuestionAddress | DigestAddress | ReturnPath | ForOperator | Public | Void


_ANSWERED = (SeatAddress, QuestionAddress, DigestAddress)  # to which our mails ask their recipients to reply


def destination_at(address: str, identity: ServerIdentity) -> Destination | None:
    """What an address of ours means; None for any other address. Nothing is looked up."""
    local, _, host = address.strip().lower().partition("@")
    if local in OPERATORS and host in ("", *map(str.lower, identity.hosts)):
        return ForOperator(address)
    written = parse_address(address)
    if written is None or not identity.is_own(own := identity.at_present(written.address)):
        return None
    if own == identity.address.lower():
        return Public(own)
    match parse_seat_address(own, identity.address):
        case None:
            return Void(own)
        case (name, token) if name == CONFIRM:
            return QuestionAddress(own, token)
        case (name, _) if name == RETURN:
            return ReturnPath(written.address)  # as it was when that mail was sent
        case (name, token) if (digest := identity.digest_at(name, token)) is not None:
            return DigestAddress(own, *digest)
        case (_, token):
            return SeatAddress(own, token)


def destinations(head: Head, identity: ServerIdentity, session: Session) -> tuple[Destination, ...]:
    """The destinations of a mail, in the order of its addresses; each once, and at least one.

    They are those of the envelope; if it names only the server's own address, or there is none, those of the header;
    if that names only the server's own address, and there is no plus addressing, those of `in_names`. A mail that To
    or Cc have go to a seat's conversation with others is for that, and not for the seat itself.
    """
    found = all_at(head.envelope, identity)
    if not found or all(isinstance(one, Public) for one in found):
        named = all_at(head.named if identity.settings.plus_addressing else head.shown, identity)
        if head.envelope:  # copies to others arrive separately
            named = [one for one in named if isinstance(one, _ANSWERED)]
        found = named or found
    if not identity.settings.plus_addressing and all(isinstance(one, Public) for one in found):
        found = in_names(head.names, head.answers, identity, session) or found
    if any(isinstance(one, _ANSWERED) for one in found):
        found = [one for one in found if not isinstance(one, Public)]
    found = [one for one in found if not isinstance(one, Void)] or found
    talks = [one for one in (*found, *all_at(head.shown, identity)) if _is_conversation(one)]
    found = [one for each in found for one in _press_of(each, talks) or (each,)]
    found = [Public("") if isinstance(one, Public) else one for one in found] or [Public("")]
    return tuple(dict.fromkeys(found))[:MOST]


def _is_conversation(one: Destination) -> TypeGuard[SeatAddress]:
    return isinstance(one, SeatAddress) and CONVERSATION in one.address


def _press_of(one: Destination, talks: Sequence[SeatAddress]) -> Sequence[Destination]:
    """For a seat's own address those of its conversations to which the mail goes as well: by whichever way it comes, it
    is press.
    """
    if not isinstance(one, SeatAddress) or _is_conversation(one):
        return []
    return [talk for talk in talks if talk.token == one.token]


def in_names(names: str, answers: Sequence[str], identity: ServerIdentity, session: Session) -> list[Destination]:
    """The destinations in the display names of the recipients. Address books keep one name for our address, so that
    the mail that is answered counts for more than a single name.
    """
    named = all_at(seat_addresses_in(names, *identity.addresses), identity)
    cited = all_at([_reply_address(session, identity, answers)], identity) if len(named) < 2 else []
    return [one for one in cited if isinstance(one, _ANSWERED)] or named


def names_several(raw: bytes, identity: ServerIdentity) -> bool:
    """Whether a mail has several seats in the display names of addresses of ours: such names are never outweighed."""
    headers = Headers.of(raw)
    boxes = (box for field in ("to", "cc") for value in headers.all(field) for box in parse_list(value))
    names = (box.name for box in boxes if identity.is_own(box.address))
    return len(seat_addresses_in("\n".join(names), *identity.addresses)) > 1


def _reply_address(session: Session, identity: ServerIdentity, message_ids: Sequence[str]) -> str:
    """The seat's or question's address to which the first of these mails that is ours wanted its answer, or ""."""
    ours = [one for one in message_ids if one.endswith(tuple(f"@{host}>" for host in identity.hosts))]
    mail = next(filter(None, (sent.by_message_id(session, one) for one in ours[:_MOST_CITED])), None)
    reply_to = Headers.of(mail.raw).first("reply-to") if mail is not None else ""
    return next(iter(seat_addresses_in(reply_to, *identity.addresses)), "")


def all_at(addresses: Sequence[str], identity: ServerIdentity) -> list[Destination]:
    """What those of these addresses mean that are ours, each once."""
    found = (destination_at(address, identity) for address in addresses)
    return list(dict.fromkeys(one for one in found if one is not None))


def is_for_us(server: Server, head: bytes) -> bool:
    """Whether a mail in the spam folder is for a seat, a question or a return path of ours, which spam never is."""
    with server.database.reading() as session:
        found = destinations(read_head(head), server.identity, session)
    secret = (*_ANSWERED, ReturnPath)
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
