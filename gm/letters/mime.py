"""The parts of a message (RFC 2045, 2046), split within limits.

The standard parser recurses into every multipart and tries each line against every open boundary: a thousand nested
parts end it, a hundred thousand parts take seconds. This one looks only for the boundaries it knows, stops at the
limits, and leaves bodies undecoded until somebody reads them.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gm.letters.headers import Headers
from gm.letters.letter import Limits

_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


class LimitBroken(Exception):
    """The message holds more than the limits allow; the words are for the sender."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part: a multipart with `children`, or a leaf with `body` as transmitted (LF line ends)."""

    headers: Headers
    type: str
    params: dict[str, str]
    disposition: str
    filename: str
    body: bytes
    children: tuple[Part, ...] = ()

    def content(self) -> bytes:
        """The body with its transfer encoding undone; what is not validly encoded is read as far as it goes."""
        match self.headers.first("content-transfer-encoding").strip().lower():
            case "base64":
                return _from_base64(self.body)
            case "quoted-printable":
                return binascii.a2b_qp(self.body)
        return self.body

    def leaves(self) -> Iterator[Part]:
        """All leaves, in the order written."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()


def split_header(raw: bytes) -> tuple[bytes, bytes]:
    """Header and body of an entity with LF line ends."""
    if raw.startswith(b"\n"):
        return b"", raw[1:]
    header, _, body = raw.partition(b"\n\n")
    return header, body


def parse(raw: bytes, limits: Limits) -> Part:
    """The message as a tree of parts. Raises LimitBroken."""
    return _Splitter(limits).part(raw, 0, "text/plain")


class _Splitter:
    """Counts the parts of one message while splitting it."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._parts = 0

    def part(self, raw: bytes, depth: int, default: str) -> Part:
        self._parts += 1
        if self._parts > self._limits.parts:
            raise LimitBroken(f"Your mail has more than {self._limits.parts} parts.")
        if depth > self._limits.depth:
            raise LimitBroken(f"Your mail has parts within parts, more than {self._limits.depth} deep.")
        header, body = split_header(raw)
        headers = Headers.parse(header[: self._limits.header])
        kind, params = headers.parameters("content-type")
        disposition, named = headers.parameters("content-disposition")
        kind = kind if kind.count("/") == 1 else default
        children: tuple[Part, ...] = ()
        if kind.startswith("multipart/"):
            inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
            children = tuple(self.part(piece, depth + 1, inner) for piece in self._pieces(body, params))
            kind = kind if children else "text/plain"
        filename = named.get("filename") or params.get("name", "")
        return Part(headers, kind, params, disposition, filename, b"" if children else body, children)

    def _pieces(self, body: bytes, params: dict[str, str]) -> list[bytes]:
        """What lies between the boundaries; a missing last boundary is the end of the body."""
        boundary = params.get("boundary", "").encode("utf-8", "replace")
        if not boundary:
            return []
        body = b"\n" + body
        delimiter = re.compile(rb"\n--" + re.escape(boundary) + rb"(--)?[ \t]*+(?:\n|\Z)")
        pieces: list[bytes] = []
        at = delimiter.search(body)
        while at is not None and at[1] is None:
            if len(pieces) > self._limits.parts:
                raise LimitBroken(f"Your mail has more than {self._limits.parts} parts.")
            # The newline that ends one delimiter may begin the next.
            following = delimiter.search(body, at.end() - 1)
            pieces.append(body[at.end() : following.start() if following else len(body)])
            at = following
        return pieces


def _from_base64(body: bytes) -> bytes:
    letters = _NOT_BASE64.sub(b"", body.partition(b"=")[0] if body.count(b"=") <= 2 else body)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    try:
        return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
    except binascii.Error:
        return b""
