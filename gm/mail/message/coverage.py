"""What a proof of a mail covers: whether a signature is about what is read in the mail, or about less.

A signature covers the lowest field of each name that it lists (RFC 6376, 5.4.2); readers take the topmost. So a second
`Content-Type` above the signed one, or a field that is not signed at all, gives a signed body another meaning. And a
signed mail can be sent again, to anybody. Hence:

- A mail with two fields of a name that may stand once, or whose header other programs may read in another way, is
  proved by nothing.
- Where a signature is the only proof, it lists every field that says what the mail is, from whom, to whom and when. A
  field that is listed and absent was absent when the mail was signed; one that is not listed may have been removed.

- A signature that reads the mail as `relaxed` covers no blanks, of the header neither. So the mail must read alike
  whatever they are.

SPF is about the transmission, during which nothing was changed. `gm.server.proof` asks for the rest: that To or Cc
names the address at which the mail is acted on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial

from gm.mail.message.author_field import is_read_alike
from gm.mail.message.bodies import Reading, reading_of
from gm.mail.message.charset import REPLACEMENT
from gm.mail.message.mime import Headers, Limits, canonical, message_ids, split_header, with_newlines
from gm.mail.message.tags import tags_of
from gm.mail.message.trace import aligned

DECISIVE = frozenset(
    {"from", "to", "cc", "date", "message-id", "subject", "in-reply-to", "references"}
    | {"mime-version", "content-type", "content-transfer-encoding"}
)
"""The fields that decide who sent a mail, to whom and when, which mail it is, what it answers and how it is read."""
_SINGLE = DECISIVE | {"sender", "reply-to"}
"""What may stand once (RFC 5322, 3.6; RFC 2045, 4), with all fields whose names begin with `_ENTITY`."""
_ENTITY = "content-"
_COLUMNS = re.compile(r"\S(?: [ \t]|\t)[ \t]*+\S")
_FIELD_BLANKS = re.compile(rb"\n?(?<![ \t])[ \t]++(?=\S)")
_BEGINNING = re.compile(rb"^ ", re.MULTILINE)
_TELLING = frozenset({"date", "message-id"})
"""What tells a mail from the same text at another time: one of these is needed."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The domain of a signature, "" if that is not certain, and what it leaves open: a name of a field, or "" if it
    covers all that is read.
    """

    domain: str
    gap: str
    relaxed: bool = False
    """It reads the body as `relaxed` (RFC 6376, 3.4.4): blanks at the ends of lines and runs of them can be changed."""


_UNREAD = Signature("", "anything")
MOST_SIGNATURES = 50
"""So many signatures are verified; more prove nothing."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What can prove a mail. `flaw` says why nothing can, "" if something can; `signatures` are its DKIM signatures in
    their order.
    """

    flaw: str = ""
    signatures: tuple[Signature, ...] = ()
    raw: bytes = field(default=b"", repr=False)
    """The mail itself."""

    def gap(self, domain: str) -> str:
        """Why the signatures of the sender's domain do not prove what is read, "" if they do."""
        aligning = (one for one in self.signatures if not one.domain or aligned(one.domain, domain))
        return self.flaw or next(filter(None, map(self.gap_of, aligning)), "")

    def gap_of(self, one: Signature) -> str:
        """Why one of its signatures does not prove what is read, "" if it does."""
        gap = one.gap or (
            "" if not one.relaxed or _reads_alike(self.raw) else "the blanks on which its reading depends"
        )
        return self.flaw or (f"its signature does not cover {gap}" if gap else "")


NO_PROOF = Coverage()


def coverage(raw: bytes) -> Coverage:
    """What can prove a mail, given with any line ends."""
    headers = Headers.of(raw)
    present = set(headers.names())
    dated, named = headers.first("date"), message_ids(headers.first("message-id"))
    told = {*(["date"] if dated else []), *(["message-id"] if named else [])}
    signatures = headers.all("dkim-signature")
    octets = cache(partial(_octets, raw))
    read = [_signature(value, present, told, octets) for value in signatures[:MOST_SIGNATURES]]
    return Coverage(
        _mixed_ends(raw)
        or headers.flaw
        or _doubled(headers)
        or _unreadable(headers)
        or _ambiguous(headers.first("from")),
        (*read, *([_UNREAD] if len(signatures) > len(read) else [])),
        raw,
    )


def _mixed_ends(raw: bytes) -> str:
    """Of a header with line ends of both kinds, RFC 5322 knows one."""
    ends = set()
    for line in raw.split(b"\n")[:-1]:
        ends.add(line.endswith(b"\r"))
        if line in (b"", b"\r"):
            break
    return "its header has line ends of two kinds" if len(ends) > 1 else ""


def _doubled(headers: Headers) -> str:
    counted = Counter(filter(_is_single, headers.names()))
    name = next((name for name, times in counted.items() if times > 1), "")
    return f"it has more than one {title(name)}" if name else ""


def _unreadable(headers: Headers) -> str:
    """Each program reads a field in another set than UTF-8 in its own way; of a subject only words depend on it."""
    read = (name for name, value in headers if REPLACEMENT in value and name in _SINGLE - {"subject"})
    name = next(read, "")
    return f"its {title(name)} is neither in ASCII nor in UTF-8" if name else ""


def _ambiguous(sender: str) -> str:
    return "" if not sender or is_read_alike(sender) else "its From may be read as another address by other programs"


def _is_single(name: str) -> bool:
    return name in _SINGLE or name.startswith(_ENTITY)


def _octets(raw: bytes, relaxed: bool) -> int:
    """The length of a body as signatures read it, which `l` counts (RFC 6376, 3.4)."""
    _, body = split_header(with_newlines(raw))
    lines = canonical(body) if relaxed else body.rstrip(b"\n")
    return len(lines) + lines.count(b"\n") + (2 if lines or not relaxed else 0)


def _signature(value: str, present: Collection[str], told: Collection[str], octets: Callable[[bool], int]) -> Signature:
    """A signature of a mail that has fields of the names `present`, of which those `told` tell when it was written.

    Of one that says how many octets it covers (`l`) some advise to believe nothing (RFC 6376, 8.2): more may have been
    added below. That is so unless these `octets` are all that there are.
    """
    tags = tags_of(value)
    if tags is None:
        return Signature("", "anything, being ambiguous")
    untold = _TELLING.difference(told)
    listed = set(tags.get("h", "").lower().split(":")) - (untold if untold == _TELLING else set())
    missing = (DECISIVE | set(filter(_is_single, present))) - listed
    relaxed = tags.get("c", "simple").lower().endswith("/relaxed")
    whole = "l" not in tags or tags["l"] == str(octets(relaxed))
    gap = title(min(missing)) if missing else "" if whole else "the end of the text"
    return Signature(tags.get("d", "").lower(), gap, relaxed)


@lru_cache(maxsize=16)
def _reads_alike(raw: bytes) -> bool:
    """Whether a mail reads alike with as few blanks as `relaxed` leaves and with more, everywhere it takes them for the
    same: not where blanks within a line set words apart, as in columns, or in a command that they make another. In
    format=flowed some lines could be joined, and others not; so none of it does that has several lines.
    """
    header, body = split_header(with_newlines(raw))
    folded = _FIELD_BLANKS.sub(b"\n" + b" " * 8, header)
    fewest = canonical(body) + b"\n"  # what most mails are
    more = _BEGINNING.sub(b" " * 8, fewest).replace(b" ", b"  ").replace(b"\n", b" \n")
    limits = Limits()
    if len(raw) > limits.size:
        return True  # it is not read
    read = _reading(header, body, limits)
    if read.refused:
        return True  # nothing in it is acted on
    one = read if body.rstrip(b"\n") == fewest.rstrip(b"\n") else _reading(header, fewest, limits)
    other = _reading(folded, more, limits)
    alike = _decisive(header) == _decisive(folded) and _without_runs(one) == _without_runs(other)
    return alike and not read.flows and not _has_columns(read)


def _decisive(header: bytes) -> list[list[str]]:
    headers = Headers.parse(header)
    return [headers.all(name) for name in sorted(DECISIVE)]


def _has_columns(read: Reading) -> bool:
    """Whether a line of the text has a tab, or more than one blank, between words."""
    return any(map(_COLUMNS.search, read.text.split("\n")))


def _reading(header: bytes, body: bytes, limits: Limits) -> Reading:
    try:
        return reading_of(header + b"\n\n" + body, limits)
    except Exception:  # such a mail is not acted on
        return Reading(refused=True)


def _without_runs(read: Reading) -> object:
    """What is read, without runs of blanks."""
    lines = (read.text.split("\n"), read.quoted, read.headed.split("\n"), (read.below,), *read.beneath)
    return [[" ".join(line.split()) for line in some] for some in lines]


def title(name: str) -> str:
    """A field's name as it is usually written; of one that no program writes, not its characters, which would be read
    again where this is written.
    """
    if not name.replace("-", "").isalnum():
        return "field with an odd name"
    return name.title().replace("Id", "ID").replace("Mime", "MIME")
