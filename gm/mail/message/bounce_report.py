"""Bounces: a mail that says that one of ours was not delivered, for good or for now (RFC 3464, RFC 3463).

A delivery report is read as the standard describes it. Any other bounce is shown to flufl.bounce, which knows how mail
servers without the standard write; which mail bounced is known from the return path it came to.
"""

from __future__ import annotations

import contextlib
import logging
import re
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from flufl.bounce import all_failures

from gm.mail.message.charsets import clean_line
from gm.mail.message.headers import Headers
from gm.mail.message.mime import LimitBroken, Limits, Part, parse, with_newlines

# It logs a traceback, at level ERROR, for each hostile mail that one of its parsers fails on.
logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)

_LONGEST = 300
_LONGEST_REPORT = 50_000  # octets of a delivery report
_MOST_RECIPIENTS = 20
_MOST_READ = 50_000  # octets shown to flufl.bounce, which reads them many times over
_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_MESSAGE_ID = re.compile(rb"<[0-9a-f]{32}@[A-Za-z0-9.-]{1,253}>")
_NOT_OF_THE_ADDRESS = re.compile(r"5\.7\.|5\.3\.|5\.4\.|5\.2\.[23]")
"""Refused for what the mail was or for a moment's fault: policy, system, network, a full mailbox, a mail too large."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """One failed delivery: `hard` when the address takes no mail, `status` as 5.1.1 or empty, `words` of the server."""

    hard: bool
    status: str
    words: str


def read_bounce(raw: bytes, limits: Limits | None = None) -> Bounce | None:
    """The failure a mail reports; None when it reports none: a delay, a success, an absence notice."""
    raw = with_newlines(raw)
    try:
        message = parse(raw, limits or Limits())
    except LimitBroken:
        return None
    report = next((leaf for leaf in message.leaves() if leaf.type == "message/delivery-status"), None)
    if report is None and message.type == "multipart/report":
        report = next((part for part in message.children if part.type == "message/delivery-status"), None)
    return _reported(report) if report is not None else _recognized(raw)


def refused(words: str) -> Bounce:
    """A refusal at the SMTP dialogue, with the code of RFC 3463 in the server's words if it gave one."""
    found = _STATUS.search(words)
    code = found[0] if found else ""
    return Bounce(_is_hard(code), code, clean_line(words)[:_LONGEST])


def our_message_ids(raw: bytes) -> tuple[str, ...]:
    """Message-IDs in a mail, its header's own left out, that have the form of ours: the mail it brings back."""
    _, _, body = with_newlines(raw).partition(b"\n\n")
    return tuple(dict.fromkeys(found.decode("ascii") for found in _MESSAGE_ID.findall(body)[:20]))


def _reported(report: Part) -> Bounce | None:
    """The first failure in a message/delivery-status: groups of fields, one for each recipient."""
    for group in re.split(rb"\n[ \t]*\n", report.content()[:_LONGEST_REPORT].strip(), maxsplit=_MOST_RECIPIENTS):
        fields = Headers.parse(group)
        action = fields.first("action").strip().lower()
        if action != "failed":
            continue
        status = _STATUS.search(fields.first("status"))
        code = status[0] if status else ""
        words = clean_line(fields.first("diagnostic-code").partition(";")[2].strip() or fields.text("status"))
        return Bounce(_is_hard(code), code, words[:_LONGEST] or "no reason was given")
    return None


def _is_hard(code: str) -> bool:
    """Whether the address itself is at fault. A code of class 4 with a final failure means: given up after days."""
    return not code.startswith("4") and not _NOT_OF_THE_ADDRESS.match(code)


def _recognized(raw: bytes) -> Bounce | None:
    """As flufl.bounce sees it. Its parsers fail on some hostile mails; those are not bounces."""
    with contextlib.suppress(Exception):
        message: Message = message_from_bytes(raw[:_MOST_READ])
        temporary, permanent = all_failures(message)
        if permanent or temporary:
            found = _STATUS.search(raw[:_MOST_READ].decode("ascii", "replace"))
            return Bounce(bool(permanent), found[0] if found else "", "the mail came back")
    return None
