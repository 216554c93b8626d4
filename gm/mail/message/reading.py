"""A mail's bytes to a `Letter`: the first step of everything that arrives.

`read_letter` never raises: a mail is stored before it is read, and one that cannot be read must still be answered
with what was wrong about it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from gm.mail.message import faults
from gm.mail.message.auto_reply import why_robot
from gm.mail.message.bodies import Reading, read_bodies
from gm.mail.message.headers import Headers, addresses_of, display_name, message_ids, only_address
from gm.mail.message.mime import LimitBroken, Part, parse, split_header
from gm.mail.message.values import Limits, Message

__all__ = ["Limits", "Message", "read_message"]

_RECIPIENT_FIELDS = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "to", "cc")
_MOST_RECIPIENTS = 100
_MOST_REFERENCES = 100


def read_message(
    raw: bytes, *, envelope_from: str | None, recipients: Sequence[str], limits: Limits | None = None
) -> Message:
    """The letter in a raw message; never raises.

    `envelope_from` is the SMTP return path ("" is the null return path), None when the transport does not know it.
    `recipients` are the envelope's; all addresses of the header are recipients when there are none.
    """
    limits = limits or Limits()
    raw = raw.replace(b"\r\n", b"\n")
    header, body = split_header(raw)
    headers = Headers.parse(header[: limits.header])
    content_hash = hashlib.sha256(body.rstrip(b"\n")).hexdigest()
    try:
        reading = _read(raw, header, limits)
    except Exception as problem:  # whatever a hostile mail finds, it must not stop the mail of the others
        reading = Reading(faults=(faults.unreadable(problem),))
    sender = headers.all("from")
    identifiers = message_ids(headers.first("message-id"))
    return Message(
        message_id=identifiers[0] if identifiers else _made_identifier(headers, content_hash),
        sender=only_address(sender[0]) if len(sender) == 1 else None,
        sender_name=display_name(sender[0]) if sender else "",
        recipients=_recipients(headers, recipients),
        subject=headers.text("subject"),
        in_reply_to=next(iter(message_ids(headers.first("in-reply-to"))), None),
        references=message_ids(headers.first("references"))[-_MOST_REFERENCES:],
        text=reading.text,
        quoted=reading.quoted,
        robot=why_robot(headers, envelope_from),
        faults=(*_sender_faults(sender), *reading.faults),
        content_hash=content_hash,
        authentication_results=tuple(headers.all("authentication-results")),
        attachments=reading.attachments,
        doubtful=reading.doubtful,
    )


def _read(raw: bytes, header: bytes, limits: Limits) -> Reading:
    """Text and faults of a message that has been checked for its size."""
    if len(raw) > limits.size:
        return Reading(faults=(faults.too_large(len(raw), limits.size),))
    if len(header) > limits.header:
        return Reading(faults=(faults.header_too_large(len(header), limits.header),))
    try:
        message: Part = parse(raw, limits)
        return read_bodies(message, limits)
    except LimitBroken as broken:
        return Reading(faults=(faults.beyond_limits(str(broken)),))


def _sender_faults(sender: list[str]) -> tuple[str, ...]:
    if len(sender) == 1 and only_address(sender[0]) is not None:
        return ()
    return (faults.no_single_sender(len(sender)),)


def _recipients(headers: Headers, envelope: Sequence[str]) -> tuple[str, ...]:
    """The envelope's recipients, else every address the header names as one; lower case, each once."""
    if envelope:
        return tuple(dict.fromkeys(address.strip().strip("<>").lower() for address in envelope))
    found = (address for field in _RECIPIENT_FIELDS for value in headers.all(field) for address in addresses_of(value))
    return tuple(dict.fromkeys(found))[:_MOST_RECIPIENTS]


def _made_identifier(headers: Headers, content_hash: str) -> str:
    """An identifier for a mail without one: the same for the same mail, another for the same words at another time."""
    named = "\n".join([headers.first("from"), headers.first("date"), headers.first("subject"), content_hash])
    return f"<{hashlib.sha256(named.encode('utf-8', 'replace')).hexdigest()[:40]}@no-message-id.invalid>"
