"""Look-ups in the DNS for the check of one mail, bounded in time together."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

import dns.exception
import dns.name
import dns.resolver

DNS_SECONDS = 5.0
ALL_SECONDS = 15.0
"""The time for all look-ups of one mail together, in seconds."""
LONGEST_RECORD = 4_000
"""The most characters in a record; RFC 7208, 3.4, wants 450 at most. A longer one is none, since what reads records
takes quadratic time."""
LONGEST_NAME = 253
"""The most characters in a name that can be looked up (RFC 1035, 2.3.4)."""

_DOMAIN = re.compile(r"(?:[a-z0-9_][a-z0-9_-]{0,62}+\.)++[a-z0-9-]{2,63}", re.IGNORECASE)


def is_domain(name: str) -> bool:
    """Whether it is a name that can be looked up."""
    return len(name) <= LONGEST_NAME and _DOMAIN.fullmatch(name) is not None


class LookupFailed(Exception):
    """The DNS did not answer; a retry may succeed."""


Records = Callable[[str, str], Sequence[str]]
"""The records of a type (TXT, A, AAAA, MX, PTR) at a name, as text; none if there are none. Raises LookupFailed."""


def dns_records(name: str, kind: str) -> Sequence[str]:
    """The records from this machine's resolver; the strings of a TXT record are joined. Raises LookupFailed."""
    try:
        answer = dns.resolver.resolve(name, kind, lifetime=DNS_SECONDS)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer, dns.resolver.YXDOMAIN):
        return ()
    except (dns.name.LabelTooLong, dns.name.NameTooLong, dns.name.EmptyLabel, dns.name.BadEscape):
        return ()
    except dns.exception.DNSException as error:
        tries = (error.kwargs or {}).get("errors") or ()  # the same server may have been asked several times
        said = dict.fromkeys(f"{one[0]}: {str(one[3]).rstrip('.')}" for one in tries)
        raise LookupFailed("; ".join(said) or str(error)) from error
    if kind == "TXT":
        return tuple(b"".join(record.strings).decode("utf-8", "replace") for record in answer)
    return tuple(record.to_text() for record in answer)


class Lookups:
    """The look-ups of one mail; `failures` counts those without an answer."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._end = time.monotonic() + ALL_SECONDS
        self.failures = 0

    def __call__(self, name: str, kind: str = "TXT") -> Sequence[str]:
        try:
            if time.monotonic() > self._end:
                raise LookupFailed("too many slow look-ups")
            return [one for one in self._records(name.rstrip("."), kind) if len(one) <= LONGEST_RECORD]
        except LookupFailed:
            self.failures += 1
            raise
