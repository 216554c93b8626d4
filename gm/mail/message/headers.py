"""The header of a message or part: unfolded, decoded and cleaned.

Nothing here raises, whatever a header contains; values are cut to a length that no honest header reaches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message

from gm.mail.message.text import clean_line, decode_text

LONGEST_VALUE = 20_000
_LONGEST_DECODED = 2_000
_FIELD = re.compile(rb"([!-9;-~]{1,100})[ \t]*:(.*)", re.DOTALL)
_IN_COMMENT = re.compile(r"(?:[^()\\]|\\.)*+([()])", re.DOTALL)
_MESSAGE_ID = re.compile(r"<[^<>\s\x00-\x1f\x7f]{3,800}>")


class Headers:
    """The fields of one header, names in lower case, values as received (unfolded text)."""

    def __init__(self, fields: list[tuple[str, str]]) -> None:
        self._fields = fields

    @classmethod
    def parse(cls, raw: bytes) -> Headers:
        """Parse a header block with LF line ends; lines that are not fields are ignored."""
        fields: list[tuple[str, str]] = []
        for field in _unfolded(raw):
            if found := _FIELD.match(field):
                value = decode_text(found[2][:LONGEST_VALUE].strip(), None)
                fields.append((found[1].decode("ascii").lower(), value))
        return cls(fields)

    def all(self, name: str) -> list[str]:
        """Every value of the field, topmost first."""
        return [value for field, value in self._fields if field == name]

    def first(self, name: str) -> str:
        """The topmost value of the field, or an empty string."""
        return next((value for field, value in self._fields if field == name), "")

    def has(self, prefix: str) -> str | None:
        """The name of the first field that begins with `prefix`, or None."""
        return next((field for field, _ in self._fields if field.startswith(prefix)), None)

    def text(self, name: str) -> str:
        """The topmost value decoded (RFC 2047) and cleaned to one line."""
        return decode_words(self.first(name))

    def parameters(self, name: str) -> tuple[str, dict[str, str]]:
        """A value such as that of Content-Type: the word before the first semicolon, and the parameters (RFC 2231)."""
        message = Message()
        message[name] = " ".join(self.first(name)[:_LONGEST_DECODED].split())
        try:
            found = message.get_params([], header=name, unquote=True)
            pairs = [(key.lower(), _parameter(value)) for key, value in found]
        except (ValueError, TypeError, LookupError, AttributeError):
            return message[name].partition(";")[0].strip().lower(), {}
        return (pairs[0][0].strip() if pairs else ""), dict(reversed(pairs[1:]))


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


def _parameter(value: object) -> str:
    """A parameter's text, from charset, language and value if it is encoded (RFC 2231)."""
    if isinstance(value, tuple) and len(value) == 3:
        charset, _, coded = value
        return clean_line(decode_text(str(coded).encode("latin-1", "replace"), charset))
    return decode_words(str(value))


def decode_words(value: str) -> str:
    """A header value with its encoded words (RFC 2047) decoded, cleaned to one line."""
    value = value[:_LONGEST_DECODED]
    if "=?" not in value:
        return clean_line(value)
    try:
        pieces = decode_header(" ".join(value.split()))
    except (HeaderParseError, ValueError, LookupError):
        return clean_line(value)
    return clean_line("".join(_piece(piece, charset) for piece, charset in pieces))


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
