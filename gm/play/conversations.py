"""Conversations: press is answered by replying to it, because the address that it comes from says who gets the reply.

Such an address, `user+game.to-france.token@host`, is one of the seat's own: the token proves the seat, and the part
before it has a code for each recipient. It says nothing but what its holder has been told: the writer of anonymous
press has no code, and somebody without a power has one that only this seat knows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from gm.games.identity import ServerIdentity
from gm.games.snapshot import Game, Seat
from gm.mail.message.addresses import CONVERSATION, parse_seat_address, token_for
from gm.parsing.several_lines import ALL

EVERYBODY = ALL
GM = "GM"
GREY = "#grey"
"""The writer of anonymous press, as a recipient: to be asked about."""
_UNKNOWN = "#"
_BY_SEAT = "#"
_OTHERS = {"all": ALL, "gm": GM, "grey": GREY}
_TAKEN = 10  # letters of a token


def by_seat(seat: Seat) -> str:
    """The name, as a recipient, of a seat: its power, or what no player can write."""
    return seat.power or f"{_BY_SEAT}{seat.id}"


def seat_named(game: Game, name: str) -> Seat | None:
    """The seat that this recipient is, if there is one."""
    return next((seat for seat in game.seats if by_seat(seat) == name and seat.deputy_of is None), None)


def address(identity: ServerIdentity, game: Game, reader: Seat, to: Sequence[str]) -> str:
    """The reader's address for press to these recipients, as it is written; "" if it would be too long."""
    return addresses(identity, game, reader, {"": to})[""]


def addresses(
    identity: ServerIdentity, game: Game, reader: Seat, conversations: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """The reader's address for each of these conversations, by whatever name they are given: see `address`."""
    codes = {name: code for code, name in _codes(identity, game, reader).items()}
    return {
        called: identity.address_of(game, reader, "-".join(codes[name] for name in to)) if codes.keys() >= {*to} else ""
        for called, to in conversations.items()
    }


def recipients(identity: ServerIdentity, game: Game, reader: Seat, written: str) -> tuple[str, ...]:
    """To whom mail to this address of the reader's seat goes; () if it is no press."""
    name, _ = parse_seat_address(written, identity.address) or ("", "")
    _, found, rest = name.partition(CONVERSATION)
    names = _codes(identity, game, reader) if found else {}
    return tuple(names.get(code, _UNKNOWN) for code in rest.split("-")) if found else ()


def _codes(identity: ServerIdentity, game: Game, reader: Seat) -> Mapping[str, str]:
    """All recipients by their codes."""
    codes = dict(_OTHERS)
    for seat in (one for one in game.seats if one.deputy_of is None):
        code = _plain(seat.label)
        if not code or code in codes:
            code = token_for(identity.key, "conversation", f"{game.id} {reader.id} {seat.id}")[:_TAKEN]
        codes[code] = by_seat(seat)
    return codes


@cache
def _plain(power: str) -> str:
    """A power's name in the letters that an address has."""
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", power).lower())
