"""Mails in shapes that few programs give them, but some do: those from which orders are read, and those in which there
is nothing to read. And mails of other programs from the corpus of the tests.
"""

from __future__ import annotations

import base64
import html
import quopri
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

_CORPUS = Path(__file__).parents[1] / "mail" / "message" / "corpus"

Content = tuple[str, bytes]
"""Lines of a header, and a body."""
Shape = Callable[[str], Content]


def plain(text: str) -> Content:
    """As everybody writes."""
    return "Content-Type: text/plain; charset=utf-8", text.encode()


def _html(text: str) -> Content:
    lines = (f"<blockquote>{html.escape(line[1:])}</blockquote>" if line[:1] == ">" else f"{html.escape(line)}<br>"
             for line in text.splitlines())  # fmt: skip
    return "Content-Type: text/html", f"<html><body><div dir=ltr>{''.join(lines)}</div></body></html>".encode()


def _base64(text: str) -> Content:
    return (
        "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: base64",
        base64.encodebytes(text.encode()),
    )


def _quoted_printable(text: str) -> Content:
    return (
        "Content-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: quoted-printable",
        quopri.encodestring(f"{text}\n\nGr\u00fc\u00dfe\n".encode("latin-1")),
    )


def _unknown_charset(text: str) -> Content:
    return "Content-Type: text/plain; charset=x-no-such-thing", f"{text}\n\n".encode() + b"Ol\xe9 \xff\xfe\n"


def _no_headers(text: str) -> Content:
    return "X-Mailer: by hand", text.encode()


def _parts(kind: str, *parts: Content, end: bool = True) -> Content:
    mark = b"=_odd_=" + kind.encode()
    body = b"".join(b"--%s\n%s\n\n%s\n" % (mark, head.encode(), content) for head, content in parts)
    return f'MIME-Version: 1.0\nContent-Type: multipart/{kind}; boundary="{mark.decode()}"', body + (
        b"--%s--\n" % mark if end else b""
    )


_KEY = "Content-Type: application/pgp-signature; name=signature.asc", b"-----BEGIN PGP SIGNATURE-----\n\niQ==\n"
_PICTURE = (
    'Content-Type: image/png; name="map.png"\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64',
    base64.encodebytes(bytes(range(256)) * 9),
)


def _signed(text: str) -> Content:
    return _parts("signed", plain(text), _KEY)


def _with_picture(text: str) -> Content:
    return _parts("mixed", _parts("alternative", plain(text), _html(text)), _PICTURE)


def _cut_off(text: str) -> Content:
    return _parts("alternative", plain(text), _html(text), end=False)


def _attachment_only(_text: str) -> Content:
    return _parts("mixed", _PICTURE)


def _forwarded(text: str) -> Content:
    head, body = plain(text)
    return _parts(
        "mixed", ("Content-Type: message/rfc822", f"From: a@b.example\nSubject: x\n{head}\n\n".encode() + body)
    )


def _encrypted(_text: str) -> Content:
    version = "Content-Type: application/pgp-encrypted", b"Version: 1\n"
    return _parts("encrypted", version, ("Content-Type: application/octet-stream", b"-----BEGIN PGP MESSAGE-----\n"))


def _huge(text: str) -> Content:
    head, body = plain(text)
    return head, body + b"\n" + b"and so on and so forth, for ever and a day\n" * 26_000


def _nothing(_text: str) -> Content:
    return "Content-Type: text/plain", b""


def _noise(_text: str) -> Content:
    return "Content-Type: multipart/mixed; boundary=", b"\x00\xff\r--\n--\n\x80" * 40


READABLE: dict[str, Shape] = {
    "HTML only": _html,
    "base64": _base64,
    "quoted-printable in no charset": _quoted_printable,
    "unknown charset": _unknown_charset,
    "no MIME": _no_headers,
    "signed": _signed,
    "with a picture": _with_picture,
    "cut off": _cut_off,
}
UNREADABLE: dict[str, Shape] = {
    "attachment only": _attachment_only,
    "forwarded": _forwarded,
    "encrypted": _encrypted,
    "huge": _huge,
    "empty": _nothing,
    "noise": _noise,
}


@cache
def corpus() -> tuple[bytes, ...]:
    """Mails that programs have written, with headers for addresses and threads left out."""
    return tuple(_anonymous(path.read_bytes()) for path in sorted(_CORPUS.glob("*.eml")))


_LEFT_OUT = re.compile(
    rb"^(?:From|To|Cc|Date|Message-ID|In-Reply-To|References|Reply-To|Sender|Subject|Received|Return-Path)"
    rb":.*\n(?:[ \t].*\n)*",
    re.MULTILINE | re.IGNORECASE,
)


def _anonymous(raw: bytes) -> bytes:
    head, gap, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    return _LEFT_OUT.sub(b"", head + b"\n").rstrip(b"\n") + gap + body
