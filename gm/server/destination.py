"""Where a mail goes: decided once, from its recipients, when it is accepted; and whose address of ours each is.

A mail to two seats is two mails, one for each. A copy to the server's own address of a mail that names a seat is that
seat's, so that one mail is acted on once by however many ways it comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gm.games.identity import ServerIdentity
from gm.mail.message.addresses import CONFIRM, RETURN, parse_address, parse_seat_address
from gm.mail.message.incoming import Head

MOST = 10
"""For so many addresses of ours a mail is acted on; nobody has more seats to write to at once."""

_OPERATORS = ("postmaster", "abuse")


@dataclass(frozen=True, slots=True)
class SeatAddress:
    """A seat's address, if its token is one."""

    address: str
    token: str


@dataclass(frozen=True, slots=True)
class QuestionAddress:
    """Where a question is answered, if its token is one."""

    address: str
    token: str


@dataclass(frozen=True, slots=True)
class ReturnPath:
    """The return path of mails of ours, if there are such mails: what comes here is a bounce."""

    address: str


@dataclass(frozen=True, slots=True)
class ForOperator:
    """Postmaster's or abuse's address (RFC 2142)."""

    address: str


@dataclass(frozen=True, slots=True)
class Public:
    """The server's own address; or none of ours, for a mail that came without an envelope."""

    address: str = ""


@dataclass(frozen=True, slots=True)
class Void:
    """The server's own address with something after a plus that cannot be a token: a letter is missing or wrong."""

    address: str


Destination: TypeAlias = SeatAddress | QuestionAddress | ReturnPath | ForOperator | Public | Void


def destination_at(address: str, identity: ServerIdentity) -> Destination | None:
    """What an address of ours stands for; None for any other address. Nothing is looked up."""
    local, _, host = address.strip().lower().partition("@")
    if local in _OPERATORS and host in ("", identity.host.lower()):
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
    """What a mail is for, in the order in which its addresses stand; each once, and never nothing.

    The envelope says it. Where that names the server's own address only, or there is none, the header does.
    """
    found = _all_at(head.envelope, identity)
    if not found or all(isinstance(one, Public) for one in found):
        named = _all_at(head.named, identity)
        if head.envelope:  # copies to others come by themselves
            named = [one for one in named if isinstance(one, SeatAddress | QuestionAddress)]
        found = named or found
    for common in (Public, Void):  # of no account beside an address that says more
        found = [one for one in found if not isinstance(one, common)] or found
    if any(isinstance(one, Public) for one in found) or not found:
        return (Public(),)
    return tuple(found[:MOST])


def _all_at(addresses: Sequence[str], identity: ServerIdentity) -> list[Destination]:
    found = (destination_at(address, identity) for address in addresses)
    return list(dict.fromkeys(one for one in found if one is not None))
