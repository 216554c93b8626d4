"""What a mail server in front of us found out about a sender (RFC 8601): pass, fail, or nothing that counts.

Only the topmost Authentication-Results of a server whose authserv-id is configured is read: the sender of the mail may
have written the others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum


class Authenticity(Enum):
    """Whether a mail comes from the address in its From line."""

    PASS = "pass"  # noqa: S105  no password
    FAIL = "fail"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Result:
    """One result: `dkim=pass header.d=example.org` is method dkim, value pass, and its properties."""

    method: str
    value: str
    properties: Mapping[str, str]


_COMMENT = re.compile(r"\([^()]*+\)")
_QUOTED = re.compile(r'"([^"\\]*+)"')
_METHOD = re.compile(r"\s*([a-z0-9-]{1,30})(?:\s*/\s*\d+)?\s*=\s*([a-z0-9-]{1,30})", re.IGNORECASE)
_PROPERTY = re.compile(r"([a-z0-9-]{1,30}\.[a-z0-9_-]{1,40})\s*=\s*([^\s;]{1,300})", re.IGNORECASE)
_LONGEST = 10_000
_NESTED = 5

_WRONG = frozenset({"fail", "hardfail"})
_RIGHT = frozenset({"pass", "bestguesspass"})


def read_results(value: str) -> tuple[str, tuple[Result, ...]]:
    """The authserv-id and the results of one Authentication-Results value; comments are no part of either."""
    bare = _QUOTED.sub(r"\1", value[:_LONGEST])
    for _ in range(_NESTED):
        shorter = _COMMENT.sub(" ", bare)
        if shorter == bare:
            break
        bare = shorter
    name, _, rest = bare.partition(";")
    words = name.split()
    results = []
    for piece in rest.split(";"):
        if found := _METHOD.match(piece):
            properties = {key.lower(): text.lower() for key, text in _PROPERTY.findall(piece[found.end() :])}
            results.append(Result(found[1].lower(), found[2].lower(), properties))
    return (words[0].lower() if words else ""), tuple(results)


def authenticity(headers: Sequence[str], trusted: Collection[str], sender: str) -> Authenticity:
    """What is known of a mail from the address `sender`; `headers` are its Authentication-Results, topmost first.

    DMARC decides if it was checked. Otherwise a DKIM or SPF pass counts if it is aligned with the sender's domain, and
    a failure counts if nothing passed. Alignment is relaxed: a subdomain counts as its parent.
    """
    domain = sender.rpartition("@")[2].lower()
    for header in headers:
        name, results = read_results(header)
        if name in trusted:
            return _verdict(results, domain)
    return Authenticity.NONE


def _verdict(results: Sequence[Result], domain: str) -> Authenticity:
    dmarc = [result for result in results if result.method == "dmarc"]
    if any(result.value in _WRONG for result in dmarc):
        return Authenticity.FAIL
    if any(
        result.value in _RIGHT and aligned(result.properties.get("header.from", domain), domain) for result in dmarc
    ):
        return Authenticity.PASS
    if any(result.value == "pass" and _speaks_for(result, domain) for result in results):
        return Authenticity.PASS
    failed = any(result.method in ("dkim", "spf") and result.value in _WRONG for result in results)
    return Authenticity.FAIL if failed else Authenticity.NONE


def _speaks_for(result: Result, domain: str) -> bool:
    """Whether a DKIM or SPF result is about the sender's domain."""
    keys = {"dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom",)}.get(result.method, ())
    named = (result.properties[key].rpartition("@")[2] for key in keys if key in result.properties)
    return any(aligned(name, domain) for name in named)


def aligned(one: str, other: str) -> bool:
    """Whether two domains are the same, or one is a subdomain of the other and not of a top-level domain only."""
    one, other = one.lower().rstrip("."), other.lower().rstrip(".")
    if one == other:
        return bool(one)
    shorter, longer = sorted((one, other), key=len)
    return "." in shorter and longer.endswith(f".{shorter}")
