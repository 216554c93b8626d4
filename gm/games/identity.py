"""The server's identity: its address, its key, the seat addresses derived from it, and where a mail to them goes.

That is decided once, from its recipients, when it is accepted. A mail to two seats counts as two mails, one for each.
If a mail names a seat and also the server's own address, both copies are for the seat, so that the mail is acted on
once, however many copies arrive. Where a provider delivers mail for the server's own address only, a seat's address is
in the display name of the recipient, or in our mail that is answered, and counts exactly as a recipient of its own.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TypeAlias, TypeGuard
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from gm.games.snapshot import Game, Person, Seat
from gm.mail.message.addresses import (
    CLICK,
    CONFIRM,
    CONVERSATION,
    DIGEST,
    OPERATORS,
    RETURN,
    in_display_name,
    longest_game_name,
    parse_address,
    parse_list,
    parse_seat_address,
    seat_address,
    seat_addresses_in,
    seat_token,
    token_for,
    token_hash,
)
from gm.mail.message.incoming import Head
from gm.mail.message.mime import Headers
from gm.settings import ServerSettings, TrustSettings
from gm.store import people, sent

DIGEST_VALID = timedelta(days=60)
"""How long a digest can be answered."""


def _digest(person_id: int, day: date) -> str:
    return f"{DIGEST}{person_id}.{day.toordinal()}"


@dataclass(frozen=True, slots=True)
class ServerIdentity:
    """A server's address, key and level of trust."""

    settings: ServerSettings
    key: bytes
    trust: TrustSettings = field(default_factory=TrustSettings)
    order_page: str = ""
    """The address of the page on which orders are tapped together; "" if there is none."""
    click_address: str = ""
    """Below which mail is ended by one click; "" if there is no such."""
    among_friends: bool = False
    """Nobody but those on its own machine can write to it, and it believes them."""

    @property
    def address(self) -> str:
        """The server's public address."""
        return self.settings.address

    @property
    def addresses(self) -> tuple[str, ...]:
        """That address and those that the server had before, in lower case."""
        return tuple(one.lower() for one in (self.address, *self.settings.also))

    @property
    def host(self) -> str:
        """The domain of that address."""
        return self.address.rpartition("@")[2]

    @property
    def hosts(self) -> tuple[str, ...]:
        """The domains of those addresses, in which the Message-IDs of our mails are."""
        return tuple(dict.fromkeys(one.rpartition("@")[2] for one in (self.address, *self.settings.also)))

    @property
    def authserv_id(self) -> str:
        """The listener's own name in Authentication-Results headers (RFC 8601)."""
        return f"gm.{self.host}".lower()

    def is_own(self, email: str) -> bool:
        """Whether an address is the server's, its operator's or one of its seats', to which mail must never be sent."""
        local, _, domain = email.lower().rpartition("@")
        bases = {one.partition("@")[0] for one in self.addresses if one.partition("@")[2] == domain}
        return bool(bases) and (local in OPERATORS or local.partition("+")[0] in bases)

    def logged(self, message_id: str) -> str:
        """The Message-ID of a mail of ours, for the log. Without plus addressing it is a secret, and shortened: who
        cites it is known as the recipient.
        """
        return message_id if self.settings.plus_addressing else f"{message_id[:12]}...>"

    def former_of(self, emails: Iterable[str]) -> str:
        """The earlier address of the server under which the first of these is; "" if none is."""
        for local, _, domain in (one.lower().rpartition("@") for one in emails if self.settings.also):
            if (base := f"{local.partition('+')[0]}@{domain}") in self.addresses[1:]:
                return base
        return ""

    def at_present(self, email: str) -> str:
        """An address of ours as it is now, if it is under an earlier address of the server; any other as it is."""
        if not self.former_of((email,)):
            return email
        _, plus, rest = email.lower().rpartition("@")[0].partition("+")
        return self.address.lower().replace("@", f"{plus}{rest}@")

    def one_click(self, message_id: str) -> str:
        """The address with which a mail of ours is ended by one click; "" if there is none."""
        name = message_id.strip("<>").partition("@")[0]
        return f"{self.click_address}/{name}.{token_for(self.key, CLICK, name)}" if self.click_address else ""

    def clicked(self, path: str) -> str | None:
        """The Message-ID of the mail of ours that has the address for one click with this last part; None if none."""
        name, _, token = path.partition(".")
        known = hmac.compare_digest(token.encode(), token_for(self.key, CLICK, name).encode())
        return f"<{name}@{self.host}>" if known else None

    def answer_address(self, question_id: int) -> str:
        """The address for the answer to a question, as it is written."""
        return self._written(seat_address(self.address, CONFIRM, self._answer_token(question_id)))

    def answer_hash(self, question_id: int) -> str:
        """The hash of the token in that address, which is stored."""
        return token_hash(self._answer_token(question_id))

    def _answer_token(self, question_id: int) -> str:
        return token_for(self.key, CONFIRM, str(question_id))

    def digest_address(self, person_id: int, day: date) -> str:
        """The address for the answer to the digest that a person gets on a day, as it is written; "" if there is no
        room for it. It says by itself whose it is, and how old.
        """
        name = _digest(person_id, day)
        if len(name) > longest_game_name(self.address):
            return ""
        return self._written(seat_address(self.address, name, token_for(self.key, DIGEST, name)))

    def digest_tokens(self, person_id: int, today: date) -> frozenset[str]:
        """The tokens in the addresses of a person's digests that can still be answered."""
        days = (today - timedelta(days=ago) for ago in range(DIGEST_VALID.days + 1))
        return frozenset(token_for(self.key, DIGEST, _digest(person_id, day)) for day in days)

    def digest_at(self, name: str, token: str) -> tuple[int, date] | None:
        """The person and the day of a digest, by the name and the token in its address; None if it is none of ours."""
        person_id, _, day = name.removeprefix(DIGEST).partition(".")
        if not name.startswith(DIGEST) or not hmac.compare_digest(token, token_for(self.key, DIGEST, name)):
            return None
        return int(person_id), date.fromordinal(int(day))

    def answers_digest(self, addresses: Iterable[str]) -> bool:
        """Whether a mail to these addresses is the answer to a digest, or is handed on as one."""
        named = (parse_seat_address(self.at_present(one), self.address) for one in addresses)
        return any(one is not None and self.digest_at(*one) is not None for one in named)

    def return_path(self, recipient: str, game: str | None) -> str:
        """The envelope sender of all mail about a game, or about none, to one recipient (VERP).

        It stays the same, since servers that greylist know a sender by it, and only we can make it. Without plus
        addressing it is our own address.
        """
        if not self.settings.plus_addressing:
            return self.address
        return seat_address(self.address, RETURN, token_for(self.key, RETURN, f"{recipient.lower()} {game or ''}"))

    def address_of(self, game: Game, seat: Seat, to: str = "") -> str:
        """The seat's reply address, known only to its player, as it is written. With `to`, mail to it is press; ""
        if there is no room for that.
        """
        address = self.stored_address_of(game, seat, to)
        return self._written(address) if address else ""

    def stored_address_of(self, game: Game, seat: Seat, to: str = "") -> str:
        """The same in the form in which the inbox has it, `user+game.token@host`."""
        suffix = f"{CONVERSATION}{to}" if to else ""
        room = longest_game_name(self.address) - len(suffix)
        if suffix and room < 1:
            return ""
        name = game.name[:room] if suffix else game.name
        return seat_address(self.address, f"{name}{suffix}", seat_token(self.key, seat.id, seat.serial))

    def _written(self, address: str) -> str:
        return address if self.settings.plus_addressing else in_display_name(address, self.address)

    def token_hash_of(self, seat: Seat) -> str:
        """The hash of the token in that address, which is stored."""
        return token_hash(seat_token(self.key, seat.id, seat.serial))

    def place(self, of: str) -> bytes:
        """A place in an order that only this server knows: what was dealt or called by it tells nothing to whoever
        knows when each player joined. In rehearsals all have the same, and so stay as they are.
        """
        return b"" if self.settings.rehearsal_seed else hmac.digest(self.key, of.encode(), "sha256")

    def with_present_address(self, seat: Seat, text: str) -> str:
        """The text of a mail to the holder of the seat, with its present address where an earlier one stands."""
        present = seat_token(self.key, seat.id, seat.serial)
        for serial in range(seat.serial):
            text = text.replace(seat_token(self.key, seat.id, serial), present)
        return text

    def zone_of(self, person: Person | None, game: Game | None = None) -> ZoneInfo:
        """The zone in which this person reads times: their own, otherwise that of the game, or the server's."""
        if person is not None and person.zone:
            return ZoneInfo(person.zone)
        return game.options.clock.zone if game is not None else self.settings.zone

    def unnamed(self, address: str) -> str:
        """The name of somebody who has given none. Its number tells nothing of the address, nor in which order people
        came: who of them is not named in a game would have a secret seat.
        """
        number = hmac.digest(self.key, f"unnamed {address.lower()}".encode(), "sha256")
        return people.unnamed(10_000 + int.from_bytes(number[:6], "big") % 90_000)

    def new_seed(self, game: str, number: int = 0) -> str:
        """The secret seed of a new game, or of a game with `number` published seeds, in hexadecimal: random or, for
        rehearsals, derived from `rehearsal_seed`, the game's name and the number.
        """
        known, name = self.settings.rehearsal_seed, f"{game} {number}" if number else game
        return hmac.digest(known, name.encode(), "sha256").hex() if known else secrets.token_hex(32)

    def may_create(self, address: str) -> bool:
        """Whether the operator lets this address run games."""
        allowed = self.settings.gamemasters
        return "*" in allowed or address.lower() in allowed


# where a mail goes

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


ANSWERED = (SeatAddress, QuestionAddress, DigestAddress)  # to which our mails ask their recipients to reply


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
            named = [one for one in named if isinstance(one, ANSWERED)]
        found = named or found
    if not identity.settings.plus_addressing and all(isinstance(one, Public) for one in found):
        found = in_names(head.names, head.answers, identity, session) or found
    if any(isinstance(one, ANSWERED) for one in found):
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
    return [one for one in cited if isinstance(one, ANSWERED)] or named


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
