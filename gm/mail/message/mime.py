"""A message's header, unfolded, decoded and cleaned; and its parts, split within limits (RFC 2045, 2046).

Nothing here raises, whatever a header contains. DKIM's `relaxed` covers no blanks (RFC 6376, 3.4.2). So runs of them
are collapsed here, before anything of a header is read or cut; what is too long even so is a flaw.

The standard library's parser recurses into every multipart and compares each line with every open boundary: a thousand
nested parts exceed its recursion limit, a hundred thousand parts take seconds. This one searches for known boundaries
only, stops at the limits, and decodes bodies when they are read.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.utils import decode_params, parsedate_to_datetime, unquote
from functools import lru_cache

from gm import patterns as re
from gm.mail.message.charset import PLAIN, decode_text
from gm.mail.message.text import clean_line

LONGEST_VALUE = 20_000
_RUNS = re.compile(rb"\t[ \t]*+| [ \t]++")
"""Blanks that are not already one."""
_FIELD = re.compile(rb"([!-9;-~]{1,100})([ \t]*):(.*)", re.DOTALL)
_BLANK_LINE = re.compile(rb"(?:\A|\n)[ \t]++(?=\n|\Z)")
_IN_COMMENT = re.compile(r"(?:[^()\\]|\\.)*+([()])", re.DOTALL)
_CHARSET = re.compile(rb"\bcharset\s{0,9}=\s{0,9}[\"']?([\w.:+-]{1,40})", re.IGNORECASE)
_CHARSET_WITHIN = 20_000  # bytes from the beginning of a message
_MESSAGE_ID = re.compile(r"<[^<>\s\x00-\x1f\x7f]{3,800}>")


class Headers:
    """The fields of one header, names in lower case, values as received, but unfolded and without runs of blanks.

    `flaw` says what in it other programs may read in another way, "" if nothing: where it ends, or what its fields are.
    """

    def __init__(self, fields: list[tuple[str, bytes]], flaw: str, *, shown: bool, charset: str | None) -> None:
        self._written, self._charset = fields, charset
        self._fields = [
            (name, decode_text(value, charset) if shown else value.decode("utf-8", "replace")) for name, value in fields
        ]
        self.flaw = flaw

    @classmethod
    @lru_cache(maxsize=16)
    def parse(cls, raw: bytes, *, shown: bool = False, charset: str | None = None) -> Headers:
        """Parse a header block with LF line ends; lines that are not fields are ignored. The last ones are kept: a
        mail's is asked for when it arrives, when it is stored and when it is read.

        Values are in ASCII or UTF-8 (RFC 6532), as every program reads them that checks who the sender is: what another
        set makes of a few signs may be another address. What is neither has U+FFFD for it. For what is only `shown`, a
        value is read in whatever set its bytes may be in, that of 8 bits in this `charset`.
        """
        fields: list[tuple[str, bytes]] = []
        flaw = "its header has a character that ends a line in some programs" if b"\r" in raw or b"\0" in raw else ""
        if _BLANK_LINE.search(raw) is not None:
            flaw = flaw or "its header has a line of blanks"
        for field in filter(None, _unfolded(raw)):
            found = _FIELD.match(field)
            if found is None or found[2]:
                flaw = flaw or "its header has a line that is no field"
            if found is not None:
                value = _RUNS.sub(b" ", found[3]).strip()
                if len(value) > LONGEST_VALUE:
                    flaw = flaw or f"a field of it has more than {LONGEST_VALUE:,} characters"
                fields.append((found[1].decode("ascii").lower(), value[:LONGEST_VALUE]))
        return cls(fields, flaw, shown=shown, charset=charset)

    @classmethod
    def of(cls, raw: bytes) -> Headers:
        """The header of a whole message, with any line ends."""
        return cls.parse(header_of(raw))

    @classmethod
    def as_shown(cls, raw: bytes, header: bytes) -> Headers:
        """The header of a message (with LF line ends) for what people read in it: values in 8 bits are in the charset
        of the message's first text. Addresses are never read so: who checks the sender knows no charset.
        """
        if PLAIN.fullmatch(header):
            return cls.parse(header)  # as it has been read before
        declared = None if header.isascii() else _CHARSET.search(_RUNS.sub(b" ", raw)[:_CHARSET_WITHIN])
        return cls.parse(header, shown=True, charset=declared[1].decode("ascii", "replace") if declared else None)

    def all(self, name: str) -> list[str]:
        """Every value of the field, topmost first."""
        return [value for field, value in self._fields if field == name]

    def names(self) -> list[str]:
        """The name of each field, topmost first."""
        return [field for field, _ in self._fields]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Each field, its name and its value, topmost first."""
        return iter(self._fields)

    def first(self, name: str) -> str:
        """The topmost value of the field, or an empty string."""
        return next((value for field, value in self._fields if field == name), "")

    def has(self, prefix: str) -> str | None:
        """The name of the first field that begins with `prefix`, or None."""
        return next((field for field, _ in self._fields if field.startswith(prefix)), None)

    def text(self, name: str) -> str:
        """The topmost value as people read it: in whatever set its bytes may be in, with what is packed in it unpacked
        (RFC 2047), on one line.
        """
        written = next((value for field, value in self._written if field == name), b"")
        return decode_words(decode_text(written, self._charset))

    def parameters(self, name: str) -> tuple[str, dict[str, str]]:
        """A value such as that of Content-Type: the word before the first semicolon, and the parameters (RFC 2231)."""
        return _parameters(self.first(name))


def _unfolded(raw: bytes) -> Iterator[bytes]:
    """Fields with their continuation lines joined."""
    field: list[bytes] = []
    for line in raw.split(b"\n"):
        if line[:1] in (b" ", b"\t"):
            field.append(line)
            continue
        if field:
            yield b"".join(field)
        field = [line]
    if field:
        yield b"".join(field)


@lru_cache(maxsize=256)
def _parameters(value: str) -> tuple[str, dict[str, str]]:
    """The same of a value. Most mails have one of a few."""
    written = [piece.partition("=")[::2] for piece in _between_semicolons(value)]
    try:
        found = decode_params([(key.strip().lower(), given.strip()) for key, given in written])
        pairs = [(key.lower(), _parameter(given)) for key, given in found]
    except (ValueError, TypeError, LookupError, AttributeError):
        return value.partition(";")[0].strip().lower(), {}
    return (pairs[0][0].strip() if pairs else ""), dict(reversed(pairs[1:]))


def _between_semicolons(value: str) -> Iterator[str]:
    """Its pieces, in the time that its length takes: a semicolon in a quoted string divides nothing."""
    piece, quotes = list[str](), 0
    for part in value.split(";"):
        piece.append(part)
        quotes += part.count('"') - part.count('\\"')
        if quotes % 2 == 0:
            yield ";".join(piece)
            piece = []
    if piece:
        yield ";".join(piece)


def _parameter(value: object) -> str:
    """A parameter's text, from charset, language and value if it is encoded (RFC 2231)."""
    if isinstance(value, tuple) and len(value) == 3:
        charset, _, coded = value
        return clean_line(decode_text(unquote(str(coded)).encode("latin-1", "replace"), charset))
    return decode_words(unquote(str(value)))


def decode_words(value: str, longest: int = 500) -> str:
    """A header value with its encoded words (RFC 2047) decoded, cleaned to one line of at most so many characters."""
    if "=?" not in value:
        return clean_line(value, longest)
    try:
        pieces = decode_header(" ".join(value.split()))
    except (HeaderParseError, ValueError, LookupError):
        return clean_line(value, longest)
    return clean_line("".join(_piece(piece, charset) for piece, charset in pieces), longest)


def _piece(piece: bytes | str, charset: str | None) -> str:
    if isinstance(piece, str):
        return piece
    if charset is None:  # between encoded words: latin-1 or raw-unicode-escape bytes of the original text
        return piece.decode("raw-unicode-escape", "replace")
    return decode_text(piece, charset)


def comment_end(value: str, place: int) -> int:
    """The index after the comment (RFC 5322, 3.2.2) that opens before `place`; 0 if it does not end."""
    depth = 1
    while depth:
        found = _IN_COMMENT.match(value, place)
        if found is None:
            return 0
        depth += 1 if found[1] == "(" else -1
        place = found.end()
    return place


def message_ids(value: str) -> tuple[str, ...]:
    """The message identifiers in a Message-ID, In-Reply-To or References value."""
    return tuple(_MESSAGE_ID.findall(value))


# ---- parts


_DASHED = re.compile(rb"\n--([^\n]*+)")
_EMPTY = re.compile(rb"(?:\A|\n)\n")
_BLANK = re.compile(rb"\n[ \t]*+\n")
"""Of a part, whose blanks no `relaxed` signature covers, a line of blanks ends the header, too."""
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one message; a message that exceeds them is not read, and a fault says so.

    Sizes in bytes. `depth` counts nested multiparts, `parts` all parts of the message, `lines` the lines of all text
    parts together, `tags` the tags of all HTML parts together. `own_lines` are those that the sender wrote, each of
    which is parsed later, and `own_text` their characters; so many `quoted` lines are kept.
    """

    size: int = 1_000_000
    header: int = 200_000
    depth: int = 50
    parts: int = 200
    lines: int = 20_000
    tags: int = 20_000
    own_lines: int = 1_000
    own_text: int = 200_000
    quoted: int = 2_000


class LimitBroken(Exception):
    """The message exceeds a limit; the text is for the sender."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part: a multipart with `children`, or a leaf with `body` as transmitted (LF line ends). `outside` is what a
    multipart has above its first boundary and below its last, which no program shows (RFC 2046, 5.1.1). The message
    itself has no `disposition`: no provider signs it, so it decides nothing.
    """

    headers: Headers
    type: str
    params: dict[str, str]
    disposition: str
    filename: str
    body: bytes
    children: tuple[Part, ...] = ()
    outside: bytes = b""

    @property
    def flows(self) -> bool:
        """Whether its text is `format=flowed` (RFC 3676)."""
        return self.params.get("format", "").lower() == "flowed"

    def content(self) -> bytes:
        """The body with its transfer encoding decoded, as far as it is valid; base64 also where the header does not
        say so.
        """
        match self.headers.first("content-transfer-encoding").strip().lower():
            case "base64":
                return from_base64(self.body)
            case "quoted-printable":
                unpadded = b"\n".join(line.rstrip(b" \t") for line in self.body.split(b"\n"))  # RFC 2045, 6.7, rule 3
                return binascii.a2b_qp(unpadded)
        return _unsaid_base64(self.body) or self.body

    def branches(self) -> Iterator[Part]:
        """All multiparts, from the outermost."""
        if self.children:
            yield self
        for child in self.children:
            yield from child.branches()

    def leaves(self) -> Iterator[Part]:
        """All leaves, in the order written."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()


def with_newlines(raw: bytes) -> bytes:
    """The message with LF line ends, as everything here reads it."""
    return raw.replace(b"\r\n", b"\n")


def canonical(body: bytes) -> bytes:
    """A body with LF line ends as DKIM's `relaxed` reads it (RFC 6376, 3.4.4), without its last line end."""
    return _RUNS.sub(b" ", body).replace(b" \n", b"\n").rstrip(b" \n")


def split_header(raw: bytes) -> tuple[bytes, bytes]:
    """Header and body of an entity with LF line ends."""
    if raw.startswith(b"\n"):
        return b"", raw[1:]
    header, _, body = raw.partition(b"\n\n")
    return header, body


def header_of(raw: bytes) -> bytes:
    """The header of a message with any line ends, with LF."""
    return split_header(with_newlines(_EMPTY_LINE.split(raw, maxsplit=1)[0]))[0]


_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")


def parse(raw: bytes, limits: Limits) -> Part:
    """The message (with LF line ends) as a tree of parts. Raises LimitBroken."""
    return _Splitter(raw, limits).part(0, len(raw), 0, "text/plain")


class _Splitter:
    """Splits one message and counts its parts; positions are offsets, so that nothing is copied."""

    def __init__(self, raw: bytes, limits: Limits) -> None:
        self._raw = raw
        self._limits = limits
        self._parts = 0

    def part(self, start: int, end: int, depth: int, default: str) -> Part:
        self._count(1)
        if depth > self._limits.depth:
            raise LimitBroken(f"Your mail has parts within parts, more than {self._limits.depth} deep.")
        body = self._body(start, end, _BLANK if depth else _EMPTY)
        if body - start > self._limits.header:
            raise LimitBroken(f"The header of a part of your mail has more than {self._limits.header:,} bytes.")
        headers = Headers.parse(self._raw[start:body].rstrip(b"\n"))
        kind, params = headers.parameters("content-type")
        disposition, named = headers.parameters("content-disposition") if depth else ("", {})
        kind = kind if kind.count("/") == 1 else default
        children: tuple[Part, ...] = ()
        outside = b""
        if kind.startswith("multipart/"):
            inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
            pieces = self._pieces(body, end, params.get("boundary", ""))
            children = tuple(self.part(*piece, depth + 1, inner) for piece in pieces)
            kind = kind if children else "text/plain"
            outside = self._outside(body, end, pieces)
        filename = named.get("filename") or params.get("name", "")
        content = b"" if children else self._raw[body:end]
        return Part(headers, kind, params, disposition, filename, content, children, outside)

    def _outside(self, start: int, end: int, pieces: list[tuple[int, int]]) -> bytes:
        """What is outside these pieces, without the boundaries."""
        if not pieces:
            return b""
        above = self._raw[start : pieces[0][0]].rpartition(b"\n--")[0]
        below = self._raw[pieces[-1][1] : end].lstrip(b"\n").partition(b"\n")[2]
        return b"\n".join((above, below)).strip()

    def _count(self, parts: int) -> None:
        self._parts += parts
        if self._parts > self._limits.parts:
            raise LimitBroken(f"Your mail has more than {self._limits.parts} parts.")

    def _body(self, start: int, end: int, line: re.Pattern[bytes]) -> int:
        """The offset of an entity's body: after the first such line, with which its header ends."""
        found = line.match(self._raw, start - 1 if start else 0, end) or line.search(self._raw, start, end)
        return found.end() if found is not None else end

    def _pieces(self, start: int, end: int, boundary: str) -> list[tuple[int, int]]:
        """The spans between the boundaries; a missing last boundary ends with the body."""
        pieces: list[tuple[int, int]] = []
        if not boundary:
            return pieces
        delimiter = " ".join(boundary.split()).encode("utf-8", "replace")
        last = delimiter + b"--"
        opened: int | None = None
        for line in _DASHED.finditer(self._raw, max(start - 1, 0), end):
            written = _RUNS.sub(b" ", line[1].rstrip(b" \t"))
            if written not in (delimiter, last):
                continue
            if opened is not None:
                pieces.append((opened, max(opened, line.start())))
                if len(pieces) > self._limits.parts:
                    self._count(len(pieces))
            opened = min(line.end() + 1, end)
            if written == last:
                return pieces
        return [*pieces, (opened, end)] if opened is not None else pieces


_BASE64 = re.compile(rb"[A-Za-z0-9+/]++={0,2}")
_SHORTEST_BASE64 = 12


def _unsaid_base64(body: bytes) -> bytes:
    """What a body says that is nothing but text in base64; empty for any other."""
    digits = body.replace(b"\n", b"").rstrip()
    if len(digits) < _SHORTEST_BASE64 or len(digits) % 4 or _BASE64.fullmatch(digits) is None:
        return b""
    decoded = from_base64(digits)
    text = decode_text(decoded, None)
    plain = all(sign.isprintable() or sign in "\t\r\n" for sign in text.removeprefix("\ufeff"))
    return decoded if plain and len(text.split()) > 1 else b""


def from_base64(body: bytes) -> bytes:
    """What these digits say (RFC 2045, 6.8), up to their end; other signs among them are passed over."""
    digits = _NOT_BASE64.sub(b"", body.partition(b"=")[0] if body.count(b"=") <= 2 else body)
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    try:
        return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4))
    except binascii.Error:
        return b""


# what is packed in the fragment of a link (RFC 3986, 3.5): JSON, compressed as zlib does (RFC 1950), in base64url

_BEGIN = re.compile(r"eN(?:(?<![\w-]eN)|(?<=23eN))[o-r](?=[C-FK-NS-Va-di-lq-ty-z016-9])", re.ASCII)
"""How every packed value begins: at its link's `#`, which some programs write as `%23`, `%2523` or `-23`. What begins
with letters is found quickly.
"""
_ESCAPES = {"2D": "-", "5F": "_"}
_GROWTH = 16
"""How many times as long as the text the unpacked values in it may be: those of our links are four times as long as
their letters."""
_MOST = 10_000
"""So many beginnings are looked at: no mail of a person has so many links."""
_TABLE = 512
"""Within so many letters a value begins behind the table of its codes (RFC 1951, 3.2.7)."""
_PIECE = 64


class _Spelling:
    """Letters that may be packed, over several lines if a mail program has broken them: the two that are no letters or
    digits as they are, or as a program that changes links writes them behind `sign`.
    """

    def __init__(self, sign: str, *, plain: str) -> None:
        escape = rf"{sign}(?:25)*(2D|5F)"
        letters = rf"(?:[{plain}]|{escape}){{1,{_PIECE}}}+"
        self._escape = re.compile(escape, re.ASCII | re.IGNORECASE)
        self._here = re.compile(letters, re.ASCII | re.IGNORECASE)
        self._below = re.compile(rf"[ \t]*+\r?\n[> \t]*+{letters}", re.ASCII | re.IGNORECASE)

    def lines(self, text: str, start: int) -> Iterator[tuple[bool, str, int]]:
        """Pieces of what stands there: whether it is on the first line, its letters, and where it ends."""
        found, first = self._here.match(text, start), True
        while found:
            letters = found[0].lstrip(" \t\r\n>")
            yield first, self._escape.sub(lambda one: _ESCAPES[one[1].upper()], letters), found.end()
            onward = self._here.match(text, found.end())
            found, first = onward or self._below.match(text, found.end()), first and onward is not None


_LETTERS = re.compile(r"(?:[\w-]|%(?:25)*(?:2D|5F))*+", re.ASCII | re.IGNORECASE)
_SPELLINGS = (_Spelling("%", plain=r"\w-"), _Spelling("-", plain=r"\w"))


def pack(value: bytes) -> str:
    """The value as the fragment of a link."""
    return base64.urlsafe_b64encode(zlib.compress(value, 9)).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class Packed:
    """Where a packed value stands in a text, and what it says, as far as it is whole."""

    start: int
    end: int
    text: str


def packed_in(text: str) -> Iterator[Packed]:
    """The packed values in a text."""
    at, room = 0, _GROWTH * len(text)
    for _ in range(_MOST):
        found = _BEGIN.search(text, at)
        if found is None:
            return
        readings = [_unpacked(spelling.lines(text, found.start()), max(1, room)) for spelling in _SPELLINGS]
        value, end = max(readings, key=lambda reading: len(reading[0]))
        room -= len(value)
        is_object = value.startswith(b"{")
        line = _LETTERS.match(text, end) if is_object else None
        at = line.end() if line is not None else found.end()  # with all of the last line
        if is_object:
            yield Packed(found.start(), at, value.decode("utf-8", "replace"))


def without_packed(text: str) -> str:
    """The text without the packed values in it."""
    kept, at = list[str](), 0
    for one in packed_in(text):
        kept += (text[at : one.start], "[removed]")
        at = one.end
    return "".join((*kept, text[at:]))


def _unpacked(pieces: Iterator[tuple[bool, str, int]], room: int) -> tuple[bytes, int]:
    """What the pieces unpack to, if it is an object, as far as there is room for so many bytes; and where the last one
    ends that goes on with it: on the first line each does.
    """
    unpacking, value, left, taken, end = zlib.decompressobj(), bytearray(), "", 0, 0
    with suppress(binascii.Error, zlib.error):
        for first, piece, stop in pieces:
            end, taken, letters = stop if first else end, taken + len(piece), left + piece
            whole = len(letters) // 4 * 4
            octets = _decoded(letters[:whole])
            value += unpacking.decompress(octets, room - len(value))
            if unpacking.eof:  # perhaps with the last letters of the line before
                used = len(octets) - len(unpacking.unused_data)
                return bytes(value), stop if used * 4 > len(left) * 3 else end
            if not value.startswith(b"{") and (value or taken > _TABLE):
                return b"", 0
            left, end = letters[whole:], stop
            if len(value) == room:
                return bytes(value), end
        value += unpacking.decompress(_decoded(left), room - len(value))
    return bytes(value), end


def _decoded(letters: str) -> bytes:
    whole = letters[:-1] if len(letters) % 4 == 1 else letters
    return base64.urlsafe_b64decode(whole + "=" * (-len(whole) % 4))


def moment(written: str) -> datetime | None:
    """A date (RFC 5322, 3.3) in UTC; None if it is invalid or cannot be represented in UTC."""
    try:
        at = parsedate_to_datetime(written)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
