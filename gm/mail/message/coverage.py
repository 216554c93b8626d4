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

SPF is about the transmission, during which nothing was changed. `gm.inbound.proof` asks for the rest: that To or Cc
names the address at which the mail is acted on.
"""

from __future__ import annotations

import binascii
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial

from gm import patterns as re
from gm.mail.message.addresses import only_address
from gm.mail.message.bodies import Reading, reading_of
from gm.mail.message.charset import REPLACEMENT
from gm.mail.message.mime import Headers, Limits, canonical, header_of, moment, split_header, with_newlines
from gm.mail.message.tags import tags_of
from gm.mail.message.text import in_plain_letters
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
    header = header_of(raw)
    headers = Headers.parse(header)
    present = set(headers.names())
    told = moment(headers.first("date")) is not None
    signatures = headers.all("dkim-signature")
    octets, author = cache(partial(_octets, raw)), only_address(headers.first("from")) or ""
    read = [_signature(value, present, told, octets, author) for value in signatures[:MOST_SIGNATURES]]
    return Coverage(
        _mixed_ends(raw)
        or headers.flaw
        or _doubled(headers)
        or _unreadable(headers)
        or _ambiguous(header)
        or _sent_by_another(headers, author),
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


def _ambiguous(header: bytes) -> str:
    """From is judged as it stands: some programs end a quoted string or a comment where its line ends."""
    found = _FROM.search(b"\n" + header)
    sender = found[1].decode("utf-8", "replace").strip(_BLANKS) if found is not None else ""
    return "" if not sender or is_read_alike(sender) else "its From may be read as another address by other programs"


_FROM = re.compile(rb"\nfrom[ \t]*+:([^\n]*+(?:\n[ \t][^\n]*+)*+)", re.IGNORECASE)
_BLANKS = " \t\r\n"


def _sent_by_another(headers: Headers, author: str) -> str:
    """A server that lets its customers write anything in From names there who it was (RFC 5322, 3.6.2, 3.6.6)."""
    others = (name for name in _SENDERS for value in headers.all(name) if _another(value, author))
    name = next(others, "")
    return f"its {title(name)} is somebody else than its From" if name else ""


_SENDERS = ("sender", "resent-from", "resent-sender")


def _another(value: str, author: str) -> bool:
    return only_address(value) != author or not is_read_alike(value)


def _is_single(name: str) -> bool:
    return name in _SINGLE or name.startswith(_ENTITY)


def _octets(raw: bytes, relaxed: bool) -> int:
    """The length of a body as signatures read it, which `l` counts (RFC 6376, 3.4)."""
    _, body = split_header(with_newlines(raw))
    lines = canonical(body) if relaxed else body.rstrip(b"\n")
    return len(lines) + lines.count(b"\n") + (2 if lines or not relaxed else 0)


def _signature(
    value: str, present: Collection[str], told: bool, octets: Callable[[bool], int], author: str
) -> Signature:
    """A signature of a mail of an author that has fields of the names `present`, and is `told` by a Date from the same
    at another time. One for somebody else (`i`) does not cover the author.

    Of one that says how many octets it covers (`l`) some advise to believe nothing (RFC 6376, 8.2): more may have been
    added below. That is so unless these `octets` are all that there are.
    """
    tags = tags_of(value)
    if tags is None:
        return Signature("", "anything, being ambiguous")
    listed = set(tags.get("h", "").lower().split(":")) - (set() if told else {"date"})
    missing = (DECISIVE | set(filter(_is_single, present))) - listed
    relaxed = tags.get("c", "simple").lower().endswith("/relaxed")
    whole = "l" not in tags or tags["l"] == str(octets(relaxed))
    gap = title(min(missing)) if missing else "" if whole else "the end of the text"
    user = tags.get("i", "").lower()
    if not user.startswith("@") and user not in ("", author):
        gap = gap or "its From, but somebody else"
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


# ---- From, as every program reads it

_LETTER = r"[^\s()<>\[\]:;@\\,\"\x00-\x1f\x7f]"
_ADDRESS = rf"{_LETTER}++@{_LETTER}++(?<!\.)"
_PLAIN = rf"(?:{_LETTER}|[ \t])"
_QUOTED = rf'"(?:[^"\\<>@\x00-\x08\x0a-\x1f\x7f]*+|(?:{_PLAIN}|\\"{_PLAIN}*+\\")*+)"'
_COMMENT = rf"\({_PLAIN}*+\)"
_FORM = re.compile(
    rf"(?:(?P<name>(?:\"{_ADDRESS}\"|{_ADDRESS})[ \t\r\n]*+|(?:{_QUOTED}|{_COMMENT}|{_LETTER}++|[ \t\r\n]++)*+)"
    rf"<(?P<within>{_ADDRESS})>|(?P<bare>{_ADDRESS}))(?P<behind>[ \t\r\n]*+(?:{_COMMENT})?+)"
)
"""An address, or one in brackets with a name above it; a name's quotation marks within quotation marks are pairs around
plain words.
"""
_WORD = re.compile(
    r"(?<![^\s\"(])=\?([A-Za-z0-9_-]{1,40})\?([BbQq])\?([A-Za-z0-9!#$%&'*+/=^_`{|}~.-]*+)\?="
    r"(?![^\s\")<])([ \t\r\n]++(?==\?))?+"
)
"""An encoded word (RFC 2047) by itself, of signs that end nothing, with the blanks before another one, which do not
count. It has no language (RFC 2231), with which some programs read its bytes as they are.
"""
_SETS = re.compile(
    r"utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d|koi8-[ru]|gb2312|gbk|gb18030|big5|euc-kr|ks_c_5601-1987|euc-jp",
    re.IGNORECASE,
)
"""The sets in which names are written, and which all programs read alike."""
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949"}
_NO_HEX = re.compile(r"=(?![0-9A-Fa-f]{2})")
_OPENS = re.compile(r'[<>\\()"]')
_PAIRED = re.compile(r'\([^()"<>\\]*+\)|"[^()"<>\\]*+"')
_SIGNS = re.compile(r'[<>"()\\,;:\[\]@.]')
"""What ends or joins something in a header."""
_SEPARATOR, _AT = re.compile(r"[,;:\[\]]"), re.compile(r"\bat\b", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def is_read_alike(value: str) -> bool:
    """Whether no program reads another address in a From value than that of `only_address`, nor several.

    Programs differ in what they take for the ends of words, names and comments, where RFC 5322 has obsolete forms or
    none, and some decode words before they look for the address, or never. So a field proves something only if, however
    it is taken apart, there is no second address to be found: an address, or a name and an address in brackets. No `@`
    is in the name, neither in its letters nor in their bytes, unless the name is the address itself.
    """
    found = _FORM.fullmatch(value.strip(_BLANKS))
    if found is None:
        return False
    address = found["within"] or found["bare"]
    name = found["name"] or ""
    words = [_decoded(word) for word in _WORD.finditer(name)]
    if None in words or "=?" in _WORD.sub("", name) + address + found["behind"]:
        return False
    texts = iter(words)
    letters = _WORD.sub(lambda _: next(texts) or "", name)
    if any(word and _SEPARATOR.search(word) for word in words) and _AT.search(letters):
        return False  # to some, AT is an `@`, and what stands before a comma is an address
    is_copy = letters.strip(' \t\r\n"').lower() in (address.lower(), f"'{address.lower()}'")
    return "@" not in in_plain_letters(letters) or (is_copy and letters.isascii())


def _decoded(word: re.Match[str]) -> str | None:
    """The text of an encoded word, None if programs may read it otherwise, or not at all: also those that do not know
    its set and read its bytes find the signs that its text has, and no others.
    """
    name, kind, packed = word[1].lower(), word[2].lower(), word[3]
    if not _SETS.fullmatch(name) or (kind == "q" and _NO_HEX.search(packed)):
        return None
    codec = _WIDER.get(name, name)
    try:
        raw = binascii.a2b_qp(packed, header=True) if kind == "q" else binascii.a2b_base64(packed, strict_mode=True)
        text = raw.decode(codec)
    except (binascii.Error, UnicodeError, LookupError):
        return None
    alike = text.encode(codec, "replace") == raw and _SIGNS.findall(text) == _SIGNS.findall(raw.decode("latin-1"))
    plain = _PAIRED.sub("", in_plain_letters(text))
    loose = "=?" in text or _CONTROL.search(text) or _OPENS.search(plain)
    return text if alike and not loose else None
