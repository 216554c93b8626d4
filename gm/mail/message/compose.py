"""The mails that the server sends, as bytes ready for SMTP (RFC 5322, CRLF, seven bits).

Everything that differs from mail to mail is passed in, the Date and the Message-ID too.
"""

from __future__ import annotations

import hashlib
import re
from binascii import b2a_base64, b2a_qp
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime, quote
from functools import lru_cache
from typing import Literal, NamedTuple

from gm.mail.message.addresses import only_mailbox, parse_address
from gm.mail.message.incoming import LOOP_HEADER
from gm.mail.message.text import clean_line

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{3,900}>")
_NOT_IN_BODIES = bytes({*range(32), 127} - {*b"\t\n"})
_CONTENT_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]+")
_MOST_REFERENCES = 20
_WIDTH = 78
_LONGEST_LINE = 990  # RFC 5321, 4.5.3.1.6: 998 octets


APART = 4096
"""A file of so many bytes or more is kept apart from the mail that it goes with, until the mail is sent."""


@dataclass(frozen=True)
class Attachment:
    """A file to attach.

    `parameters` go into Content-Type (`method` of a calendar); a `content_id` in angle brackets makes it a picture
    within the HTML.
    """

    name: str
    content_type: str
    content: bytes
    parameters: tuple[tuple[str, str], ...] = ()
    content_id: str = ""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One mail to be sent.

    `auto` is the kind of automatic mail (RFC 3834, section 5). `date` is aware. `message_id` and the references include
    their angle brackets; references that are not message identifiers are dropped, since they come from other mails.
    `reply_to` has the name `sender_name` unless it has one of its own.
    `list_id` is the inner part of a List-Id (`spring.gm.example.org`); `list_unsubscribe` is a mailto or https link,
    before which an address for `one_click` is written (RFC 8058).
    """

    sender: str
    to: str | tuple[str, ...]
    subject: str
    text: str
    message_id: str
    date: datetime
    sender_name: str = ""
    html: str | None = None
    attachments: tuple[Attachment, ...] = ()
    auto: Literal["auto-replied", "auto-generated"] = "auto-generated"
    reply_to: str | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    list_id: str | None = None
    list_name: str = ""
    list_unsubscribe: str | None = None
    one_click: str = ""


_POLICY = SMTP.clone(cte_type="7bit")
_UTF8_POLICY = _POLICY.clone(utf8=True)  # for addresses whose local part is not ASCII (RFC 6532)


def compose(mail: Outgoing) -> bytes:
    """The message as bytes, the same whenever it is composed.

    Raises ValueError for an address, a Message-ID or a date that a header cannot hold.
    """
    recipients = (mail.to,) if isinstance(mail.to, str) else mail.to
    policy = _POLICY if all(map(str.isascii, map(_sendable, recipients))) else _UTF8_POLICY
    head = "".join(_field(name, value, policy) for name, value in _headers(mail))
    return f"{head}MIME-Version: 1.0\r\n".encode() + _content(mail)


def _field(name: str, value: str | Sequence[Address], policy: EmailPolicy[EmailMessage]) -> str:
    """A header field. The library takes long to write one, and is needed for words that are encoded only."""
    plain = value if isinstance(value, str) else ", ".join(map(str, value))
    if not plain.isascii() or "=?" in plain:
        return str(policy.header_factory(name, value).fold(policy=policy))
    lines = [f"{name}:"]
    for word in plain.split(" "):
        if len(lines[-1]) + 1 + len(word) > _WIDTH and lines[-1].strip() not in ("", f"{name}:"):
            lines.append("")
        lines[-1] += f" {word}"
    return "\r\n".join(lines) + "\r\n"


# the parts, each with its header


def _content(mail: Outgoing) -> bytes:
    """The text, and the HTML with the pictures within it, and the other files."""
    within = [file for file in mail.attachments if file.content_id and mail.html is not None]
    beside = [_file(file, "attachment") for file in mail.attachments if file not in within]
    content = _text("plain", mail.text)
    if mail.html is not None:
        pictures = [_file(file, "inline", _identifier(file.content_id)) for file in within]
        html = _multipart(mail, "related", [_text("html", mail.html), *pictures])
        content = _multipart(mail, "alternative", [content, html])
    return _multipart(mail, "mixed", [content, *beside])


def _text(subtype: str, text: str) -> bytes:
    content, encoding = _body(text), "7bit"
    if not content.isascii() or max(map(len, content.split(b"\n"))) > _LONGEST_LINE:
        content, encoding = _quoted_printable(content), "quoted-printable"
    head = f'Content-Type: text/{subtype}; charset="utf-8"\nContent-Transfer-Encoding: {encoding}\n\n'
    return (head.encode() + content).replace(b"\n", b"\r\n")


_TOO_LONG = re.compile(rb"(?m)(=20|=09)$(?<=.{77})")


def _quoted_printable(content: bytes) -> bytes:
    """In lines of at most 76 characters (RFC 2045, 6.7); the library's are longer where a blank ends a line."""
    return _TOO_LONG.sub(rb"=\n\1", b2a_qp(content))


def _multipart(mail: Outgoing, kind: str, parts: Sequence[bytes]) -> bytes:
    """The parts as one; a single part is itself. The boundary depends on the mail only, so that composing it again
    yields the same bytes. No encoded part can contain `=_`.
    """
    if len(parts) == 1:
        return parts[0]
    boundary = f"=_{hashlib.sha256(f'{mail.message_id} {kind}'.encode()).hexdigest()[:32]}"
    head = f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n\r\n'
    fenced = (f"--{boundary}\r\n".encode() + part + b"\r\n" for part in parts)
    return b"".join((head.encode(), *fenced, f"--{boundary}--\r\n".encode()))


def _file(file: Attachment, disposition: str, identifier: str = "") -> bytes:
    if not _CONTENT_TYPE.fullmatch(file.content_type):
        raise ValueError(f"{file.content_type!r} is no content type")
    fields = [
        ("Content-Type", _with(file.content_type, file.parameters)),
        ("Content-Transfer-Encoding", "base64"),
        ("Content-Disposition", _with(disposition, [("filename", file.name.replace("/", "_"))])),
        *([("Content-ID", identifier)] if identifier else []),
    ]
    head = "".join(_field(name, value, _POLICY) for name, value in fields)
    return f"{head}\r\n".encode() + _base64(file.content)


def _with(value: str, parameters: Iterable[tuple[str, str]]) -> str:
    """A value of a header field with its parameters (RFC 2045, 5.1)."""
    return "; ".join([value, *(f'{name}="{quote(clean_line(given))}"' for name, given in parameters)])


_BASE64 = 76
"""The longest line of base64 (RFC 2045, 6.8)."""


@lru_cache(maxsize=16)
def _base64(content: bytes) -> bytes:
    whole = b2a_base64(content, newline=False)
    lines = [whole[begin : begin + _BASE64] for begin in range(0, len(whole), _BASE64)]
    return b"\r\n".join([*lines, b""])


# large files


class Composed(NamedTuple):
    """A mail without its large files: `raw` has a stand-in for each of them, which `joined` replaces."""

    raw: bytes
    files: tuple[bytes, ...]


def compose_apart(mail: Outgoing) -> Composed:
    """The message without its large files. Raises as `compose` does."""
    kept = list(mail.attachments)
    apart: list[bytes] = []
    for place, file in enumerate(mail.attachments):
        if len(file.content) >= APART:
            kept[place] = replace(file, content=_stand_in(mail.message_id, len(apart)))
            apart.append(file.content)
    return Composed(compose(replace(mail, attachments=tuple(kept))), tuple(apart))


def joined(raw: bytes, message_id: str, files: Iterable[bytes]) -> bytes:
    """The whole message, with its large files in their places."""
    for number, content in enumerate(files):
        raw = raw.replace(_base64(_stand_in(message_id, number)), _base64(content), 1)
    return raw


def _stand_in(message_id: str, number: int) -> bytes:
    """It depends on the Message-ID, which cannot be predicted, so that no text of a mail contains it."""
    return hashlib.sha256(f"{message_id} file {number}".encode()).digest()


# the header


def _headers(mail: Outgoing) -> Iterator[tuple[str, str | Sequence[Address]]]:
    """The header fields, in the order in which they are written."""
    if mail.date.tzinfo is None:
        raise ValueError("the date of a mail must be aware")
    recipients = (mail.to,) if isinstance(mail.to, str) else mail.to
    yield "From", [_address(mail.sender, mail.sender_name)]
    yield "To", [_address(recipient) for recipient in recipients]
    if mail.reply_to:
        yield "Reply-To", [_address(mail.reply_to, mail.sender_name)]
    yield "Subject", clean_line(mail.subject)
    yield "Date", format_datetime(mail.date)
    yield "Message-ID", _identifier(mail.message_id)
    if mail.in_reply_to and _MESSAGE_ID.fullmatch(mail.in_reply_to):
        yield "In-Reply-To", mail.in_reply_to
    if references := _references(mail):
        yield "References", " ".join(references)
    yield "Auto-Submitted", mail.auto
    yield "X-Auto-Response-Suppress", "All"
    yield LOOP_HEADER, mail.sender
    if mail.list_id:
        yield "List-Id", _list_id(mail.list_name, mail.list_id)
    if mail.list_unsubscribe:
        links = filter(None, (mail.one_click, mail.list_unsubscribe))
        yield "List-Unsubscribe", ", ".join(f"<{_link(link)}>" for link in links)
    if mail.list_unsubscribe and mail.one_click:
        yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"


def _references(mail: Outgoing) -> list[str]:
    """The thread so far, oldest first: its first mail and its latest ones (RFC 5322, 3.6.4)."""
    named = (*mail.references, *([mail.in_reply_to] if mail.in_reply_to else ()))
    thread = [reference for reference in dict.fromkeys(named) if _MESSAGE_ID.fullmatch(reference)]
    return thread if len(thread) <= _MOST_REFERENCES else [thread[0], *thread[1 - _MOST_REFERENCES :]]


def can_be_written_to(address: str) -> bool:
    """Whether our mails can name this address and mail servers take it."""
    mailbox = parse_address(address)
    return mailbox is not None and mailbox.writable


def _sendable(address: str) -> str:
    """The address in the form in which it is sent: a domain in its ASCII form."""
    mailbox = parse_address(address)
    return mailbox.address if mailbox is not None else address


@lru_cache(maxsize=500)
def _address(address: str, name: str = "") -> Address:
    mailbox = only_mailbox(address)
    if mailbox is None or not mailbox.writable:
        raise ValueError(f"{address!r} is no address that mail can be sent to")
    return Address(clean_line(mailbox.name or name, 100), mailbox.local, mailbox.domain)


def _identifier(identifier: str) -> str:
    if not _MESSAGE_ID.fullmatch(identifier):
        raise ValueError(f"{identifier!r} is no message identifier")
    return identifier


def _list_id(name: str, identifier: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,200}", identifier):
        raise ValueError(f"{identifier!r} is no list identifier")
    shown = re.sub(r"[^ -~]|[\"<>\\\\]", "", clean_line(name, 60)).strip()
    return f'"{shown}" <{identifier}>' if shown else f"<{identifier}>"


def _link(link: str) -> str:
    if not re.fullmatch(r"(?:mailto|https?):[!-;=?-~]{1,900}", link):
        raise ValueError(f"{link!r} is no link that can stand in a header")
    return link


def _body(text: str) -> bytes:
    """Text as a body: LF line ends, no control characters or lone surrogates, a newline at the end."""
    whole = text.replace("\r\n", "\n").replace("\r", "\n").encode(errors="ignore")
    return whole.translate(None, _NOT_IN_BODIES).rstrip(b"\n") + b"\n"
