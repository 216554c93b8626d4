"""The trace of a mail: what the mail servers in front of us wrote into its header, which are the time at which the
first of them received it, and what they found out about its sender (RFC 8601).

Every server writes a Received field above the existing ones (RFC 5321, 4.4). So the topmost ones are those of our own
servers, each proved by the one above it, which recorded the address from which it received the mail; the sender may
have invented everything below. An ambiguous field ends the run, so that a forger gains nothing by it.

Of Authentication-Results those count that only our own servers can have written: above the Received field that
names another machine. They are read from the top as long as each names a server that is configured. The lexical
rules are followed strictly, because otherwise a misplaced quotation mark or parenthesis could change a server's
name or a result into another.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum
from functools import cache, partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from itertools import dropwhile, takewhile
from typing import TypeAlias

from publicsuffixlist import PublicSuffixList

from gm import patterns as re
from gm.mail.message.mime import Headers, comment_end
from gm.mail.message.tags import READ_ALIKE, instance_of, tags_of

Network: TypeAlias = IPv4Network | IPv6Network

LOOPBACK: tuple[Network, ...] = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1"))

RESULTS = "authentication-results"
CHECKS = "received-spf"
"""The field that says what SPF has found (RFC 7208, 9.1)."""
_MOST_HOPS = 20
_SECOND = timedelta(seconds=1, microseconds=-1)
_FROM = re.compile(r"\s*from\s.*\sby\s", re.IGNORECASE | re.DOTALL)
"""Up to the last `by`: an earlier one may be in the name that the sender gave for itself."""
_SAYS_FROM = re.compile(r"\s*+from\s", re.IGNORECASE)
_LMTP = re.compile(r"\bwith\s+LMTP", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:IPv6:)?([0-9A-Fa-f:.]{2,})", re.IGNORECASE)
_QUADS = re.compile(r"(?<!\d)\d{1,9}(?:\.\d{1,9}){3}")
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
        for field in Headers.of(raw).all("received")[:_MOST_HOPS]:
            at = _date_of(field)
            if at is None:
                break
            moment = at + _SECOND
            if not self._came_from_ours(field):
                break
        return min(moment, accepted)

    def results(self, headers: Headers, *, below: bool = False) -> tuple[str, ...]:
        """The Authentication-Results that only our own servers can have written, topmost first: those above the
        first Received field that names a machine which is none of them. Where there are none, and the server in front
        of us writes its own `below` its Received, the topmost: if it has written none, that is the sender's.
        """
        return self.own(headers, RESULTS) or tuple(headers.all(RESULTS)[:below])

    def senders(self, headers: Headers, envelope_from: str | None) -> tuple[str, ...]:
        """The senders of the envelope that our own servers may have written into other fields: that of the envelope, or
        those of the Return-Path fields that they wrote, where there was none (None); none if it is not known.
        """
        return self.own(headers, "return-path", inside=True) if envelope_from is None else (envelope_from,)

    def own(self, headers: Headers, wanted: str, *, inside: bool = False) -> tuple[str, ...]:
        """The fields of a name that only our own servers can have written; also below what one of them wrote when it
        handed the mail on `inside`, which names no machine (`Received: by`).
        """
        above = takewhile(partial(self._is_ours, inside=inside), headers)
        return tuple(value for name, value in above if name == wanted)

    def handed_on(self, headers: Headers, author: str, is_ours: Callable[[str], bool]) -> bool:
        """Whether what others than our own servers wrote says that a mail was handed on (`handed_on`), below the
        Received in which ours say from whom they took it.
        """
        fields = [*dropwhile(self._is_ours, headers)]
        taken = takewhile(partial(self._is_ours, inside=True), fields)
        return handed_on(fields, author, is_ours, since=1 + sum(1 for _ in taken))

    def _is_ours(self, field: tuple[str, str], *, inside: bool = False) -> bool:
        """Whether a field is none that another machine's mail came with: no Received that names such a one."""
        name, value = field
        ours = name != "received" or self._came_from_ours(value)
        return ours or (inside and not _SAYS_FROM.match(value))

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
    """Everything that can be read as the address of a machine, or has the form of one, `203.0.113.9:25`."""
    for found in _ADDRESS.findall(words):
        yield from [found] if _address(found) is not None else _QUADS.findall(found)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ipaddress.ip_address(text.strip(".").partition("%")[0])
    except ValueError:
        return None
    if isinstance(found, IPv6Address) and found in _NAT64:
        within = IPv4Address(int(found) & 0xFFFF_FFFF)
        return found if within.is_loopback else within  # no translator leads to this machine itself
    return getattr(found, "ipv4_mapped", None) or found


_NAT64 = IPv6Network("64:ff9b::/96")
"""What an IPv4 address is written in where a network has no IPv4 (RFC 6052, 2.1)."""


def network_of(address: str) -> str:
    """The network that counts as one machine: an IPv4 address, also one written in IPv6, or a /64 of IPv6. What is no
    address comes back as it is.
    """
    found = _address(address)
    return str(IPv6Network((found, 64), strict=False)) if isinstance(found, IPv6Address) else str(found or address)


def site_of(address: str) -> str:
    """What a customer of a provider can have whose machines are many: a /48 of IPv6 (RFC 6177), a /24 of IPv4."""
    found = _address(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((found, 48), strict=False))
    return str(IPv4Network((found, 24), strict=False)) if found is not None else address


# authentication


class Authenticity(Enum):
    """Whether a mail comes from the address in its From line."""

    PASS = "pass"  # noqa: S105  no password
    FAIL = "fail"
    NONE = "none"
    DOUBTFUL = "doubtful"
    """Something proves that the sender wrote a mail, but perhaps not this one: it does not cover what is read."""


@dataclass(frozen=True, slots=True)
class Result:
    """One result: `dkim=pass header.d=example.org` is method dkim, value pass, and its properties."""

    method: str
    value: str
    properties: Mapping[str, str]


# What we find out ourselves has the same form (`gm.mail.transport.dmarc`).


@dataclass(frozen=True, slots=True)
class HandedOver:
    """How a mail came: the IP address of the machine that delivered it, its name at HELO, and the envelope sender."""

    peer: str
    helo: str
    envelope_from: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found out, as the value of an Authentication-Results field. `deferred`: the DNS did not answer, and
    another try may find more."""

    value: str
    deferred: bool = False


_LONGEST = 10_000
_WRONG = frozenset({"fail", "hardfail"})
_TELLING = _WRONG | {"policy"}
_RIGHT = frozenset({"pass", "bestguesspass"})

# Comments and quoted strings are taken out first. A quoted string leaves one character of the private use area behind,
# so that nothing within it can be read as punctuation.
_FIRST_MARK = 0xE000
_MARKS = "\ue000-\uf8ff"
_PIECE = re.compile(r'[^"()\\]++|"(?:[^"\\]|\\.)*+"|\(', re.DOTALL)
_PAIR = re.compile(r"\\(.)", re.DOTALL)
_KEYWORD = "[a-z0-9](?:[a-z0-9_-]{0,60}[a-z0-9])?"
_NAME = re.compile(rf"\s*+([^\s;=/<>@,:?\[\]{_MARKS}]++|[{_MARKS}])(?:\s++1)?+\s*+", re.IGNORECASE)
_METHOD = re.compile(rf"\s*+({_KEYWORD})(?:\s*+/\s*+[0-9]++)?+\s*+=\s*+({_KEYWORD})(?!\S)", re.IGNORECASE)
_PROPERTY = re.compile(rf"\s++({_KEYWORD})(?:\s*+\.\s*+({_KEYWORD}))?+\s*+=\s*+(\S++)", re.IGNORECASE)


def read_results(value: str) -> tuple[str, tuple[Result, ...]]:
    """The authserv-id and the results in one Authentication-Results value; ("", ()) if it is malformed, or too long:
    what is cut can be a name, or a result that matters.

    If a value contains anything besides results, only failures in it count.
    """
    bare, quoted = _bare(value if len(value) <= _LONGEST else "")
    first, *rest = bare.split(";")
    name = _NAME.fullmatch(first)
    if name is None:
        return "", ()
    written = [piece for piece in rest if piece.strip().lower() not in ("", "none")]
    read = [_result(piece, quoted) for piece in written]
    sound = all(whole for _, whole in read)
    results = tuple(result for result, _ in read if result is not None and (sound or result.value in _TELLING))
    return _unmarked(name[1], quoted).lower(), results


def _bare(value: str) -> tuple[str, list[str]]:
    """The value with a blank for each comment and a mark for each quoted string, and those strings; "" if a comment or
    a string does not end, a character is escaped outside of them (RFC 5322, 3.2), or one is in no such field."""
    if not READ_ALIKE.fullmatch(value):
        return "", []
    parts: list[str] = []
    quoted: list[str] = []
    place = 0
    while place < len(value):
        piece = _PIECE.match(value, place)
        if piece is None:
            return "", []
        place, text = piece.end(), piece[0]
        if text == "(":
            place, text = comment_end(value, place), " "
        elif text[0] == '"':
            quoted.append(_PAIR.sub(r"\1", text[1:-1]))
            text = chr(_FIRST_MARK + len(quoted) - 1)
        if place == 0:
            return "", []
        parts.append(text)
    return "".join(parts), quoted


def _unmarked(text: str, quoted: Sequence[str]) -> str:
    return re.sub(f"[{_MARKS}]", lambda mark: quoted[ord(mark[0]) - _FIRST_MARK], text)


def _result(piece: str, quoted: Sequence[str]) -> tuple[Result | None, bool]:
    """The result at the beginning of a piece, and whether the piece contains nothing else."""
    found = _METHOD.match(piece)
    if found is None:
        return None, False
    properties: dict[str, str] = {}
    place = found.end()
    while more := _PROPERTY.match(piece, place):
        place = more.end()
        if more[2] is not None:
            key = f"{more[1]}.{more[2]}".lower()
            properties[key] = "" if key in properties else _unmarked(more[3], quoted).lower()  # named twice: neither
    return Result(found[1].lower(), found[2].lower(), properties), not piece[place:].strip()


def authenticity(headers: Sequence[str], trusted: Collection[str], sender: str, sealed: str = "") -> Authenticity:
    """What is known of a mail from the address `sender`; `headers` are its Authentication-Results, topmost first,
    of which those of trusted servers count down to the first of another: some servers write one for each check.

    DMARC decides if it was checked. Otherwise a DKIM or SPF pass counts if it is aligned with the sender's domain, and
    a failure counts if nothing passed, unless DMARC found that the domain has no policy. Alignment is relaxed: a
    subdomain counts as its parent. What a trusted server wrote and cannot be read may be a failure: some write a
    sender's address there as it is.

    A mail that fails, and that another trusted server had found good before (`sealed`), was changed on its way. If the
    seal was verified (`arc=pass`), that is doubtful; a seal proves nothing, since its server may have quoted in its
    results what is not in the mail any more (RFC 8617, 9.4).
    """
    read = list(map(read_results, headers))
    ours = list(takewhile(lambda one: one[0] in trusted, read))
    results = [one for _, found in ours for one in found]
    if not ours:
        top = headers[0].lower().lstrip() if read and not read[0][0] else ""
        unread = any(top.startswith(one) for one in trusted if one)
        return Authenticity.DOUBTFUL if unread else Authenticity.NONE
    verdict = _verdict(results, sender.rpartition("@")[2].lower())
    verified = any((one.method, one.value) == ("arc", "pass") for one in results)
    if verdict is not Authenticity.FAIL or not verified:
        return verdict
    return Authenticity.DOUBTFUL if authenticity([sealed], trusted, sender) is Authenticity.PASS else verdict


def sealed_results(headers: Headers) -> str:
    """The Authentication-Results in the newest ARC set (RFC 8617) of a mail; "" if there is none, or if it was sealed
    by another domain than that of the server it names. It is not checked here whether the seal is genuine.
    """
    said, seal = newest(headers, "arc-authentication-results"), newest(headers, "arc-seal")
    if said is None or seal is None or said[0] != seal[0]:
        return ""
    results = said[1].partition(";")[2]  # before them stands the instance
    sealer = (tags_of(seal[1]) or {}).get("d", "").lower()
    return results if aligned(sealer, read_results(results)[0]) else ""


def newest(headers: Headers, name: str) -> tuple[int, str] | None:
    """The highest instance of the fields of this name, and the whole value that has it; None if two have the same, or
    the instance of one cannot be read.
    """
    found = [(instance_of(name, value), value) for value in headers.all(name)]
    highest = max((instance for instance, _ in found), default=0)
    newest = [one for one in found if one[0] == highest]
    return newest[0] if len(newest) == 1 and all(instance for instance, _ in found) else None


def _verdict(results: Sequence[Result], domain: str) -> Authenticity:
    dmarc = [result for result in results if result.method == "dmarc"]
    if any(result.value in _WRONG for result in dmarc):
        return Authenticity.FAIL
    if any(result.value == "policy" for result in dmarc):
        return Authenticity.DOUBTFUL
    if any(result.value in _RIGHT and aligned(result.properties.get("header.from", ""), domain) for result in dmarc):
        return Authenticity.PASS
    if any(result.value == "pass" and speaks_for(result, domain) for result in results):
        return Authenticity.PASS
    if any(result.value == "none" for result in dmarc):
        return Authenticity.NONE  # the domain asks for no refusal: a signature may have broken on the way
    failed = any(result.method in ("dkim", "spf") and result.value in _WRONG for result in results)
    return Authenticity.FAIL if failed else Authenticity.NONE


def speaks_for(result: Result, domain: str) -> bool:
    """Whether a DKIM or SPF result is about the sender's domain; header.d is the signer's domain, or header.i if there
    is no header.d.
    """
    keys = {"dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom",)}.get(result.method, ())
    named = next((result.properties[key] for key in keys if key in result.properties), "")
    return aligned(named.rpartition("@")[2], domain)


def handed_on(
    fields: Iterable[tuple[str, str]], author: str, is_ours: Callable[[str], bool], *, since: int = 0
) -> bool:
    """Whether a server says that it took a mail from elsewhere before it came here, that it was for somebody who is
    neither `is_ours` nor its author, that such a one sent it, or that it came from where its domain does not send;
    `since` is the first field that may say where another server than ours took it. SPF is about who sends; whoever
    hands on with the sender kept passes it with what anybody may have written in that sender's name.

    A recipient is not looked for in such a field: it is read as a whole, and whatever is no plain address of letters
    that each program reads alike is somebody else, since strangers choose how they write a recipient.
    """

    def is_known(address: str) -> bool:
        return address.lower() == author.lower() or is_ours(address)

    def is_authors(address: str) -> bool:
        domain = author.rpartition("@")[2]
        return sent_by(author, address) if "@" in address else aligned(address, domain)

    return any(
        (at >= since and name == "received" and _came_from_elsewhere(value))
        or _was_refused(name, value, is_authors)
        or _is_for_others(name, value, is_known)
        or _is_of_others(name, value, is_known)
        for at, (name, value) in enumerate(fields)
    )


def _came_from_elsewhere(received: str) -> bool:
    """Whether a server says that it took a mail from an address that is none of a private network's, or that it does
    not tell, and from which nobody had logged in (RFC 3848) or posted it on a page: it may hand it on with its sender
    kept. Every address counts, wherever it is, and what only looks like one is of elsewhere; what is behind the date
    does not count, since the sender may have written that. Nor does the name that the sender gave (RFC 5321, 4.4) say
    that it came from the inside, but where the server writes its own there and no more (Proton).
    """
    if not _SAYS_FROM.match(received):
        return False
    said, _, date = _without_comments(received).partition(";")
    before_by = _FROM.match(said) if ";" not in date else None
    if before_by is None:
        return True
    end = before_by.end()
    by, seen = said[end:].lower(), received[:end]
    sender, told, *_ = *seen.split(None, 2)[1:], ""
    if _SUBMITTED.search(by) or _BY_PAGE.search(received, end) or by.partition(" ")[0].endswith(_OF_MAILBOXES):
        return False
    is_told = sender.lower() == by.strip() or any(_addresses_in(seen if _EXIMS.match(told) else told))
    return not is_told or not all(map(_INSIDE.hold, _addresses_in(seen)))


def _without_comments(value: str) -> str:
    """The value, as long as it was, with blanks for its comments; "" if one does not end, or ends that has not begun.
    The certificate and the account of a stranger are in comments.
    """
    kept, place = list[str](), 0
    while (begins := value.find("(", place)) >= 0:
        ends = comment_end(value, begins + 1)
        if not ends:
            return ""
        kept += (value[place:begins], " " * (ends - begins))
        place = ends
    plain = "".join((*kept, value[place:]))
    return "" if ")" in plain else plain


_SUBMITTED = re.compile(r"\bwith\s++(?:(?:utf8)?e?smtps?a|asmtp|(?:utf8)?lmtps?a?|https?|httprest|mapi|local)(?![\w-])")
_BY_PAGE = re.compile(r"\(via http\)", re.IGNORECASE)
_EXIMS = re.compile(r"\((?:port=\d++ )?+helo=", re.IGNORECASE)
"""What follows the address that Exim writes first, where it has found no name for it."""
_OF_MAILBOXES = ".prod.outlook.com"
"""The servers of Microsoft 365 that take what their customers write, and do not tell that these have logged in; what
comes from outside comes in at `mail.protection.outlook.com`.
"""
_PRIVATE = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 fc00::/7 fe80::/10 ::1/128"
_INSIDE = Relays(tuple(map(ipaddress.ip_network, _PRIVATE.split())))
"""The networks that nobody reaches from elsewhere (RFC 1918, RFC 6598, RFC 4193)."""


def _was_refused(name: str, value: str, is_authors: Callable[[str], bool]) -> bool:
    """Whether a field has a result of SPF or DMARC (RFC 8601; RFC 7208, 9.1) that is neither a pass nor none, in a
    comment neither, or a pass of another sender.
    """
    if RESULTS not in name and not _OF_CHECKS.search(name):
        return False
    about = "" if RESULTS in name else "spf="
    found = (word.lower() for text in (value, _bare(value)[0]) for word in _SPF.findall(f"{about}{text}"))
    senders = (one.strip('<>"') for one in _SENDER.findall(value))
    return not (_SENT.issuperset(found) and all(map(is_authors, senders)))


def _is_of_others(name: str, value: str, is_known: Callable[[str], bool]) -> bool:
    """Whether a field names somebody else who had logged in, or sent the mail: a Received does by any address in it."""
    if not name.endswith("received") and not _SENT_BY.search(name):
        return False
    named = [_TAG.sub("", one) for one in _BETWEEN.split(value) if "@" in one]
    return not all(one.isascii() and is_known(one) for one in named)


_SENT_BY = re.compile(r"auth(?!entication)|log-?[io]n|user(?!-agent)|acc(?:oun)?t|sasl|sender|mail-?from|return-path")


def _is_for_others(name: str, value: str, is_known: Callable[[str], bool]) -> bool:
    """Whether a field says that a mail was received, delivered or sent on for others (Delivered-To: RFC 9228)."""

    def names_known(text: str) -> bool:
        return all(map(is_known, (one for one in _BETWEEN.split(text) if "@" in one)))

    if name.endswith("received"):
        said = _FOR.split(value)[1:]
        return len(said) > 1 or not all(one.isascii() and _RECIPIENT.match(one) and names_known(one) for one in said)
    if not _TO_WHOM.search(name) or _OF_AUTHOR.fullmatch(name):
        return False
    if value.isascii() and "@" not in value and "=?" not in value:
        return False
    return _RECIPIENTS.fullmatch(value) is None or not names_known(value)


_SENT = _RIGHT | {"none"}
_SPF = re.compile(r"(?<!\w)(?:spf|dmarc)\s*+(?:/\s*+\d++\s*+)?+=\s*+(?:\([^()]*+\)\s*+)*+(\w++)", re.IGNORECASE)
_OF_CHECKS = re.compile(r"(?:\A|-)(?:spf|dmarc)(?:-|\Z)")
_SENDER = re.compile(r"(?<![\w.-])(?:smtp\.(?:mailfrom|auth)|envelope-from)\s*+=\s*+([^\s;()]++)", re.IGNORECASE)
"""Whom a check of SPF, or a login, was about, as the servers write it that say so."""
_TO_WHOM = re.compile(
    r"fwd|forward|redirect|deliver|recipient|rcpt|envelope|resolved|relayed|beenthere|mailing-list"
    r"|(?:-(?:to|for|by)|loop|mailbox|account)\Z|\Ax-(?:spam-)?user\Z"
)
_OF_AUTHOR = re.compile(
    r"(?:(?:mail-|in-|resent-)?reply-|mail-followup-|resent-|mail-copies-|disposition-notification-|return-receipt-"
    r"|x-confirm-reading-|x-complaints-)?to|x-forwarded-(?:encrypted|message-id)"
)
"""Of the fields with such names those in which an author writes to whom it goes, and what it answers."""
_FOR = re.compile(r"(?<![\w.-])(?:envelope-to|rcpt(?:-to)?|for)(?=[\s<(:=])", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;<>()]+", re.ASCII)
_PLAIN = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]++@[A-Za-z0-9.-]++"
_RECIPIENT = re.compile(rf"\s++(?:<{_PLAIN}>|{_PLAIN})(?=[\s;()]|\Z)")
_RECIPIENTS = re.compile(
    rf"\s*+(?:rfc822\s*+;)?+(?:[\s,;]*+(?:<{_PLAIN}>|{_PLAIN})(?=[\s,;]|\Z))++[\s,;]*+", re.IGNORECASE
)


def sent_by(author: str, sender: str) -> bool:
    """Whether the sender of an envelope is the author of the mail, perhaps with a tag (BATV). Any other may have handed
    on what somebody else wrote, whoever's domain it has.
    """
    return bool(author) and _TAG.sub("", sender.lower()) == author.lower()


_TAG = re.compile(r"^prvs=[A-Za-z0-9]*+=")


def aligned(one: str, other: str) -> bool:
    """Whether two domains belong to the same organization (relaxed alignment: RFC 7489, 3.1)."""
    return bool(one) and organization_of(one) == organization_of(other)


def organization_of(domain: str) -> str:
    """The organizational domain: the label below a public suffix (such as co.uk, com or github.io) under which anybody
    can have a domain, and that suffix (RFC 7489, 3.2); of a public suffix, itself.
    """
    domain = domain.lower().rstrip(".")
    return _suffixes().privatesuffix(domain) or domain


@cache
def _suffixes() -> PublicSuffixList:
    """The list as it came with the library; nothing is fetched."""
    return PublicSuffixList()
