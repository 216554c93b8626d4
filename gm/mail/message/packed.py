"""Values packed into the fragment of a link (RFC 3986, 3.5): JSON, compressed as zlib does (RFC 1950), in base64url.

Such a link may have a seat's address in it that no reader sees, so what shows what a mail shows looks into it, and what
is sent to others has none.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

_RUN = re.compile(r"(?<![\w-])[\w-]{24,}+(?:[ \t]*+\r?\n[> \t]*+[\w-]++)*+", re.ASCII)
"""Letters that may be packed, over several lines if a mail program has broken them."""
_LINE = re.compile(r"[\w-]+", re.ASCII)
_GROWTH = 16
"""How many times as long as its letters an unpacked value may be: those of our links are four times as long."""


def pack(value: bytes) -> str:
    """The value as the fragment of a link."""
    return base64.urlsafe_b64encode(zlib.compress(value, 9)).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class Packed:
    """Where a packed value stands in a text, and its bytes, as far as they are whole."""

    start: int
    end: int
    value: bytes


def packed_in(text: str) -> Iterator[Packed]:
    """The packed values in a text."""
    for found in _RUN.finditer(text):
        value, length = _unpacked(found[0])
        if length and value.lstrip().startswith(b"{"):
            yield Packed(found.start(), found.start() + length, value)


def without_packed(text: str) -> str:
    """The text without the packed values in it."""
    kept, at = list[str](), 0
    for one in packed_in(text):
        kept += (text[at : one.start], "[removed]")
        at = one.end
    return "".join((*kept, text[at:]))


def _unpacked(run: str) -> tuple[bytes, int]:
    """What the lines unpack to, up to the first that does not go on with it, and where that one begins."""
    unpacking, value, left, end = zlib.decompressobj(), b"", "", 0
    for line in _LINE.finditer(run):
        letters = left + line[0]
        whole = len(letters) // 4 * 4
        try:
            value += unpacking.decompress(_decoded(letters[:whole]), max(1, _GROWTH * len(run) - len(value)))
            last = unpacking.copy()
            rest = last.decompress(_decoded(letters[whole:]))
        except (binascii.Error, zlib.error):
            break
        left, end = letters[whole:], line.end()
        if last.eof or end == len(run):
            return value + rest, end
    return value, end


def _decoded(letters: str) -> bytes:
    whole = letters[:-1] if len(letters) % 4 == 1 else letters
    return base64.urlsafe_b64decode(whole + "=" * (-len(whole) % 4))
