"""How much of what a mail server in front reports (RFC 8601) it has found itself, and cannot be a quotation.

Servers quote: the sender of the envelope, the name in the greeting, a recipient, a record in the DNS, the tags of a
signature. Some do so as it came, and then the words of a stranger can be read as results, by us or by the next program
that believes them. What such a program writes first of its own is certain, though:

- A result is certain if nothing that somebody else may have chosen stands before it in its field. A field of nothing
  but such results is *plain*.
- DMARC may rest on what was quoted, on a field that the mail has brought, or on what its program takes for one domain.
  So what is reported of SPF or of a signature must support it, and we say whether that is of the domain. SPF does if
  the sender of the envelope is, whom no quotation changes, and no field says anything else of SPF, in comments either:
  whatever is quoted, the checker's own result stands there, too. Where the sender is not known, or neither is reported,
  all must be plain, and the mail must have no other such field.
- A signature does if its result is certain, and the mail has it. A server cuts what is too long, within a domain too,
  and behind that the results of others: so nothing is said of the signatures of a mail that has many, or by a long
  field.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gm.mail.message.coverage import Coverage
from gm.mail.message.trace import Result, aligned, is_address, read_results, read_whole, speaks_for

CHECKS = "received-spf"
"""The field that says what SPF has found (RFC 7208, 9.1)."""
_RESULT = re.compile(
    r"\s*+;\s*+([a-z][\w-]*+)\s*+=\s*+(?:pass\b(?:\s*+\([^()\"\\]*+\))?|(?!pass\b)[a-z]++)", re.ASCII | re.IGNORECASE
)
"""A method and its result. The comment behind a `pass` is the checker's; that of a failure may quote what it saw."""
_PROPERTY = re.compile(r"\s++([a-z]++\.[\w-]++)=([^\s;()\"\\]++)", re.ASCII | re.IGNORECASE)
_END = re.compile(r"\s*+(?:;\s*+)?+\Z|(?=\s*+;)")
_SAYS_SPF = re.compile(r"\bspf\s*+=\s*+(\w++)", re.IGNORECASE)
_CHECKED = re.compile(r"\s*+pass\s*+(?:\([^()]*+\)\s*+)?identity=mailfrom(?:;|\Z)", re.IGNORECASE)
"""The beginning of such a field about the sender of the envelope: words of the checker."""


@dataclass(frozen=True, slots=True)
class Reported:
    """What one server reports in one Authentication-Results field: all its results, whether it has nothing besides
    (`sound`), those that are certain, and whether it has nothing else than these (`plain`).
    """

    value: str
    server: str
    results: tuple[Result, ...]
    sound: bool
    certain: tuple[Result, ...]
    plain: bool


def reported(value: str, senders: Sequence[str]) -> Reported:
    """Read such a field of a mail from these `senders` of the envelope; none if that is not known."""
    server, results, sound = read_whole(value)
    place, ends = max(0, value.find(";")), True
    while ends and (found := _RESULT.match(value, place)):
        place = found.end()
        while (named := _PROPERTY.match(value, place)) and _is_the_servers(named[1].lower(), named[2].lower(), senders):
            place = named.end()
        ends = _END.match(value, place) is not None
    certain = read_results(value[:place])[1]
    return Reported(value, server, results, sound, certain, sound and not value[place:].strip("; \t\r\n"))


def _is_the_servers(name: str, text: str, senders: Sequence[str]) -> bool:
    """Whether a property quotes nothing that we have not looked at: only the header of the mail, the sender of the
    envelope as we know it, or the address of a machine.
    """
    if name == "smtp.mailfrom":
        return not senders or any(text in (one.lower(), one.lower().rpartition("@")[2]) for one in senders)
    return name.startswith("header.") or (name == "smtp.remote-ip" and is_address(text))


def supported_by_spf(fields: Sequence[Reported], checks: Sequence[str], senders: Sequence[str], domain: str) -> bool:
    """Whether SPF supports that a mail is from this domain, by these fields and those of Received-SPF (`checks`)."""
    results = [one for field in fields for one in field.results]
    spf = [one for one in results if one.method == "spf"]
    quotes = any(one.method == "auth" for one in results)  # whoever has logged in chooses its words
    of_envelope = all(next(iter(one.properties), "") == "smtp.mailfrom" and speaks_for(one, domain) for one in spf)
    words = (word.lower() for field in fields for word in _SAYS_SPF.findall(field.value))
    passed = all(word == "pass" for word in (*words, *(one.value for one in spf)))
    sent = all(aligned(one.rpartition("@")[2], domain) for one in senders)
    return sent and of_envelope and passed and not quotes and bool(spf or checks) and all(map(_CHECKED.match, checks))


def supported_by_signature(mail: Coverage, fields: Sequence[Reported], domain: str) -> bool:
    """Whether a signature of the mail supports it."""
    found = [one for field in fields for one in field.results if _is_signature(one, domain)]
    verified = any(_is_signature(one, domain) and one.value == "pass" for field in fields for one in field.certain)
    whole = len(mail.signatures) <= _MOST_SIGNATURES and all(one.sound and len(one.value) <= _LONGEST for one in fields)
    unsigned = not mail.signatures and all(one.plain for one in fields)
    return verified and whole and all(one.value == "pass" and (unsigned or _is_in(mail, one)) for one in found)


def is_said_of_dmarc_alone(mail: Coverage, fields: Sequence[Reported], senders: Sequence[str], domain: str) -> bool:
    """Whether nothing is reported beside DMARC, and that may rest on what the mail has of the domain."""
    silent = all(one.method in _OF_DMARC for field in fields for one in field.results)
    found = (*(one.rpartition("@")[2] for one in senders), *(one.domain for one in mail.signatures))
    return silent and (not senders or any(aligned(one, domain) for one in found))


_OF_DMARC = frozenset(("dmarc", "arc"))
_MOST_SIGNATURES = 5
_LONGEST = 2000
"""Characters of a field: OpenDKIM writes no more than 4,096, whatever the rest would say."""


def _is_signature(one: Result, domain: str) -> bool:
    return one.method == "dkim" and speaks_for(one, domain)


def _is_in(mail: Coverage, one: Result) -> bool:
    """Whether a result may be about a signature of this mail."""
    by, whom = one.properties.get("header.d"), one.properties.get("header.i", "").rpartition("@")[2]
    domains = [signature.domain for signature in mail.signatures]
    return by in domains if by else any(aligned(d, whom) and f".{whom}".endswith(f".{d}") for d in domains)
