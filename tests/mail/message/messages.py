"""Raw messages for the tests of this package."""

from __future__ import annotations

from gm.mail.message.incoming import Limits, Message, read_message
from gm.mail.message.reply import OwnWords, own_words
from gm.mail.message.text import clean_text, flowed_lines, plain_lines

PLAIN = "text/plain; charset=utf-8"
HTML = "text/html; charset=utf-8"


def message(body: bytes | str, content_type: str = PLAIN, *fields: str, sender: str = "ann@example.org") -> bytes:
    """A message with this body; `fields` are further header lines."""
    header = [
        f"From: {sender}",
        "To: gm@gm.example.org",
        "Message-ID: <1@example.org>",
        f"Content-Type: {content_type}",
    ]
    content = body.encode() if isinstance(body, str) else body
    return "\n".join([*header, *fields]).encode() + b"\n\n" + content


def multipart(kind: str, *parts: tuple[str, str]) -> tuple[str, str]:
    """Content type and body of a multipart; each part is its header lines and its body."""
    boundary = f"={kind}="
    pieces = "".join(f"--{boundary}\n{header}\n\n{body}\n" for header, body in parts)
    return f'multipart/{kind}; boundary="{boundary}"', f"{pieces}--{boundary}--\n"


def read(raw: bytes, *, limits: Limits | None = None, envelope_from: str | None = "ann@example.org") -> Message:
    """Reads a message as it comes from the listener."""
    return read_message(raw, envelope_from=envelope_from, recipients=["gm@gm.example.org"], limits=limits)


def read_own(text: str, *, flowed: bool = False, delete_space: bool = False) -> OwnWords:
    """What the sender wrote in a plain text body; `flowed` and `delete_space` are the parameters of RFC 3676."""
    text = clean_text(text)
    return own_words(flowed_lines(text, delete_space=delete_space) if flowed else plain_lines(text))
