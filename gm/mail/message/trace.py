"""The trace of a mail: when the first of our own mail servers received it, according to its header.

Every server writes a Received field above the existing ones (RFC 5321, 4.4). So the topmost ones are those of our own
servers, each proved by the one above it, which recorded the address from which it received the mail; the sender may
have invented everything below. An ambiguous field ends the run, so that a forger gains nothing by it.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import TypeAlias

from gm.mail.message.mime import Headers, split_header, with_newlines

Network: TypeAlias = IPv4Network | IPv6Network

LOOPBACK: tuple[Network, ...] = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1"))

_MOST_HOPS = 20
_SECOND = timedelta(seconds=1, microseconds=-1)
_FROM = re.compile(r"\s*from\s.*\sby\s", re.IGNORECASE | re.DOTALL)
"""Up to the last `by`: an earlier one may be in the name that the sender gave for itself."""
_LMTP = re.compile(r"\bwith\s+LMTP", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:IPv6:)?([0-9A-Fa-f:.]{2,})", re.IGNORECASE)
_DATE = re.compile(
    r"(?:[A-Za-z]{3},?\s+)?\d{1,2}\s+[A-Za-z]{3}\s+\d{4}\s+\d\d:\d\d(?::\d\d)?\s+(?:[+-]\d{4}|GMT|UTC?)"
    r"(?:\s*\([^()]*\))?"
)


@dataclass(frozen=True, slots=True)
class Relays:
    """Our own mail servers in front of this one, by the addresses or networks from which they deliver mail."""

    networks: tuple[Network, ...] = LOOPBACK

    def hold(self, address: str) -> bool:
        """Whether this is the address of one of them."""
        found = _address(address)
        return found is not None and any(found in network for network in self.networks)

    def received(self, raw: bytes, accepted: datetime, peer: str | None = None) -> datetime:
        """When the first of them received the mail, never later than `accepted`, when we received it.

        `peer` is the address of the machine that delivered it, None for a mail from a mailbox, into which only its own
        server puts mail. The date in a field has whole seconds; the end of that second counts.
        """
        if peer is not None and not self.hold(peer):
            return accepted
        moment = accepted
        for field in Headers.parse(split_header(with_newlines(raw))[0]).all("received")[:_MOST_HOPS]:
            at = _date_of(field)
            if at is None:
                break
            moment = at + _SECOND
            if not self._came_from_ours(field):
                break
        return min(moment, accepted)

    def _came_from_ours(self, field: str) -> bool:
        """Whether the server that wrote a field received the mail from another one of ours, or from itself.

        Everything that looks like an address counts, wherever it is: the name in front of it was chosen by the sender.
        """
        before_by = _FROM.match(field)
        if before_by is None:
            return False
        addresses = list(_addresses_in(before_by[0]))
        if not addresses:
            return _LMTP.search(field, before_by.end()) is not None  # over a socket of the same machine
        return all(map(self.hold, addresses))


THIS_MACHINE = Relays()


def _date_of(field: str) -> datetime | None:
    """The date with which a field ends; None if it is ambiguous."""
    before, semicolon, date = field.rpartition(";")
    if not semicolon or ";" in before or not _DATE.fullmatch(date.strip()):
        return None
    try:
        found = parsedate_to_datetime(" ".join(date.split()))
    except (ValueError, OverflowError):
        return None
    return found if found.utcoffset() is not None else None


def _addresses_in(words: str) -> Iterator[str]:
    """Everything that can be read as the address of a machine."""
    for found in _ADDRESS.findall(words):
        if _address(found) is not None:
            yield found


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ipaddress.ip_address(text.strip(".").partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
