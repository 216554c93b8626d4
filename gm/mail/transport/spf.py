"""SPF (RFC 7208): whether the domain of the envelope sender permits a machine to send its mail."""

from __future__ import annotations

import re
from typing import Any

import spf

from gm.mail.message.addresses import ascii_domain
from gm.mail.message.trace import HandedOver
from gm.mail.transport.lookups import LONGEST_NAME, LookupFailed, Lookups, is_domain

MAILFROM, HELO = "smtp.mailfrom", "smtp.helo"


def identity_of(came: HandedOver) -> tuple[str, str]:
    """What SPF is asked about (RFC 7208, 2.4): which of both it is, and its domain, "" if that cannot be looked up. A
    null sender has no domain; the name at HELO stands for it.
    """
    if not came.envelope_from:
        return HELO, came.helo if is_domain(came.helo) else ""
    local, _, domain = came.envelope_from.rpartition("@")
    certain = "@" not in local and local.isprintable() and len(local) <= LONGEST_NAME  # of two signs pyspf takes one
    name = ascii_domain(domain)
    return MAILFROM, name if certain and is_domain(name) else ""


def authorization(came: HandedOver, lookups: Lookups) -> str:
    """The result of `check_host()` (RFC 7208, 2.6), `none` for an identity without a domain."""
    if not identity_of(came)[1]:
        return "none"
    try:
        return str(_Query(came, lookups).check()[0])
    except spf.PermError:  # the machine's address is not valid
        return "permerror"


_MACRO = re.compile(r"%(?:[%_-]|\{[slodiphcrtv](?!0+[^0-9])[0-9]*r?[.+,/_=-]*\})", re.IGNORECASE)
"""RFC 7208, 7.1: a number of parts is never zero."""


class _Query(spf.query):  # type: ignore[misc]
    """A query that uses our look-ups, which need no cache and follow CNAMEs."""

    def __init__(self, came: HandedOver, lookups: Lookups) -> None:
        super().__init__(came.peer, came.envelope_from, came.helo[:LONGEST_NAME])
        self._lookups = lookups

    def dns(self, name: Any, qtype: str, cnames: Any = None, ignore_void: bool = False) -> list[Any]:  # noqa: ARG002
        """The records in pyspf's form, names without the final dot. Raises its errors, also for the third look-up
        without a result (RFC 7208, 4.6.4).
        """
        try:
            found = self._lookups(str(name), qtype)
        except LookupFailed as error:
            raise spf.TempError(str(error)) from error
        if not found and not ignore_void:
            self.void_lookups += 1
            if self.void_lookups > spf.MAX_VOID_LOOKUPS:
                raise spf.PermError("too many look-ups found nothing")
        if qtype in ("TXT", "SPF"):
            return [(text.encode(),) for text in found]
        named = [text.rstrip(".") for text in found]
        if qtype == "MX":
            pairs = (text.split(None, 1) for text in named)
            return [(int(pair[0]), pair[1]) for pair in pairs if len(pair) == 2 and pair[0].isdigit()]
        return named

    def expand(self, s: str, stripdot: bool = True) -> str:
        """The text with its macros expanded. Raises PermError if a percent sign begins none (pyspf takes some)."""
        if "%" in _MACRO.sub("", s):
            raise spf.PermError("not a macro", s)
        return str(super().expand(s, stripdot))

    def validated_ptrs(self) -> list[str]:
        """The names of the machine that lead back to its address; what cannot be looked up is none (RFC 7208, 5.5)."""
        return [name for name in self._answered(self.dns_ptr, self.i)[: spf.MAX_PTR] if self._leads_back(name)]

    def _leads_back(self, name: str) -> bool:
        return bool(self.cidrmatch(self._answered(self.dns_a, name, self.A), self.cidrmax))

    def _answered(self, look_up: Any, *of: str) -> list[str]:
        try:
            return list(look_up(*of))
        except spf.TempError:
            return []
