"""The mails that the server sends, as bytes ready for SMTP (RFC 5322, CRLF, seven bits).

Everything that differs from mail to mail is passed in, the Date and the Message-ID too.
"""

from __future__ import annotations

import hashlib
import re
from base64 import encodebytes
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address, HeaderRegistry, UniqueUnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime
from functools import cached_property
from typing import Any, Literal

from gm.mail.message.addresses import only_mailbox, parse_address
from gm.mail.message.incoming import LOOP_HEADER
from gm.mail.message.text import clean_line

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{3,900}>")
_NOT_IN_BODIES = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_CONTENT_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]+")
_MOST_REFERENCES = 20
_WIDTH = 78
_LONGEST_LINE = 990  # RFC 5321, 4.5.3.1.6: 998 octets


@dataclass(frozen=True)
class Attachment:
    """A file to attach; one that goes with several mails is encoded once.

    `parameters` go into Content-Type (`method` of a calendar); a `content_id` in angle brackets makes it a picture
    within the HTML.
    """

    name: str
    content_type: str
    content: bytes
    parameters: tuple[tuple[str, str], ...] = ()
    content_id: str = ""

    @cached_property
    def encoded(self) -> bytes:
        """The content in base64, as in a mail."""
        return _base64(self.content)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One mail to be sent.

    `auto` is the kind of automatic mail (RFC 3834, section 5). `date` is aware. `message_id` and the references include
    their angle brackets; references that are not message identifiers are dropped, since they come from other mails.
    `reply_to` has the name `sender_name` unless it has one of its own.
    `list_id` is the inner part of a List-Id (`spring.gm.example.org`); `list_unsubscribe` is a mailto or https link.
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


class _Folded:
    """A header value whose words are never encoded or split: message identifiers, List-Id, links."""

    max_count = 1

    @classmethod
    def parse(cls, value: str, kwds: dict[str, Any]) -> None:
        kwds["parse_tree"] = None  # only the folding of the base class would use it
        kwds["decoded"] = value

    def fold(self, *, policy: EmailPolicy) -> str:
        name, words = self.name, str(self).split(" ")  # type: ignore[attr-defined]
        lines = [f"{name}:"]
        for word in words:
            if len(lines[-1]) + 1 + len(word) > _WIDTH and lines[-1].strip() not in ("", f"{name}:"):
                lines.append("")
            lines[-1] += f" {word}"
        return policy.linesep.join(lines) + policy.linesep


class _Subject(UniqueUnstructuredHeader):
    """A subject that begins on the line of the field name, which the library leaves empty before a long first word."""

    def fold(self, *, policy: EmailPolicy) -> str:
        plain = str(self).isascii()
        return _Folded.fold(self, policy=policy) if plain else super().fold(policy=policy)  # type: ignore[misc,arg-type]


def _policy() -> EmailPolicy[EmailMessage]:
    registry = HeaderRegistry()
    for name in ("message-id", "in-reply-to", "references", "list-id", "list-unsubscribe"):
        registry.map_to_type(name, _Folded)  # type: ignore[arg-type]
    registry.map_to_type("subject", _Subject)  # type: ignore[arg-type]
    return SMTP.clone(cte_type="7bit", header_factory=registry)


_POLICY = _policy()
_UTF8_POLICY = _POLICY.clone(utf8=True)  # for addresses whose local part is not ASCII (RFC 6532)


def compose(mail: Outgoing) -> bytes:
    """The message as bytes, the same whenever it is composed.

    Raises ValueError for an address, a Message-ID or a date that a header cannot hold.
    """
    recipients = (mail.to,) if isinstance(mail.to, str) else mail.to
    message = EmailMessage(policy=_POLICY if all(map(str.isascii, map(_sendable, recipients))) else _UTF8_POLICY)
    for name, value in _headers(mail):
        message[name] = value
    text = _body(mail.text)
    message.set_content(text, cte=_encoding(text))
    embeds = mail.html is not None
    if mail.html is not None:
        html = _body(mail.html)
        message.add_alternative(html, subtype="html", cte=_encoding(html))
    # The library takes milliseconds for a picture, so that it gets a stand-in, which the encoded file then replaces.
    places = [_boundary(mail.message_id, f"file {number}").encode() for number in range(len(mail.attachments))]
    for attachment, place in zip(mail.attachments, places, strict=True):
        _attach(message, attachment, place, embeds=embeds)
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(_boundary(mail.message_id, str(number)))
    raw = message.as_bytes()
    for attachment, place in zip(mail.attachments, places, strict=True):
        raw = raw.replace(_base64(place), attachment.encoded, 1)
    return raw


def _base64(content: bytes) -> bytes:
    return encodebytes(content).replace(b"\n", b"\r\n")


def _boundary(message_id: str, number: str) -> str:
    """A boundary that depends on the mail only, so that composing it again yields the same bytes. No encoded part can
    contain `=_`.
    """
    return f"=_{hashlib.sha256(f'{message_id} {number}'.encode()).hexdigest()[:32]}"


def _attach(message: EmailMessage, attachment: Attachment, content: bytes, *, embeds: bool) -> None:
    """Add a file with this content: related to the HTML if it has a content identifier, otherwise at the end."""
    if not _CONTENT_TYPE.fullmatch(attachment.content_type):
        raise ValueError(f"{attachment.content_type!r} is no content type")
    main, _, sub = attachment.content_type.partition("/")
    params = {clean_line(name): clean_line(value) for name, value in attachment.parameters}
    name = clean_line(attachment.name).replace("/", "_")
    if embeds and attachment.content_id:
        body = message.get_body(("html",))
        assert isinstance(body, EmailMessage)
        body.add_related(
            content,
            main,
            sub,
            cid=_identifier(attachment.content_id),
            filename=name,
            disposition="inline",
            params=params,
        )
    else:
        message.add_attachment(content, main, sub, filename=name, params=params)


def _headers(mail: Outgoing) -> Iterator[tuple[str, object]]:
    """The header fields, in the order in which they are written."""
    if mail.date.tzinfo is None:
        raise ValueError("the date of a mail must be aware")
    recipients = (mail.to,) if isinstance(mail.to, str) else mail.to
    yield "From", _address(mail.sender, mail.sender_name)
    yield "To", [_address(recipient) for recipient in recipients]
    if mail.reply_to:
        yield "Reply-To", _address(mail.reply_to, mail.sender_name)
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
        yield "List-Unsubscribe", f"<{_link(mail.list_unsubscribe)}>"


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


def _body(text: str) -> str:
    """Text as a body: LF line ends, no control characters, a newline at the end."""
    return _NOT_IN_BODIES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).rstrip("\n") + "\n"


def _encoding(text: str) -> str:
    """7bit for ASCII with lines that SMTP can carry, otherwise quoted-printable, which keeps long lines intact."""
    short = all(len(line) <= _LONGEST_LINE for line in text.split("\n"))
    return "7bit" if short and text.isascii() else "quoted-printable"
