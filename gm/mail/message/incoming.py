"""A mail's bytes to its `Head`, which identifies and classifies it when it arrives, and to a `Message` when it is
processed. Mail that no person wrote is recognized in `auto_reply`; what bounces say is read in `bounce_report`.

Nothing here raises: mail is stored before it is parsed, and mail that cannot be parsed must still be answered with the
reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from gm.mail.message import bodies
from gm.mail.message.addresses import Mailbox, addresses_in, only_mailbox, parse_address, parse_list
from gm.mail.message.attribution import says_away
from gm.mail.message.auto_reply import (
    BY_SUBJECT,
    INVITED,
    LOOP,
    LOOP_HEADER,
    MACHINE_NAMES,
    answers_itself,
    why_automatic,
    why_listed,
)
from gm.mail.message.bodies import Reading, reading_of
from gm.mail.message.coverage import NO_PROOF, Coverage, coverage
from gm.mail.message.mime import (
    Headers,
    LimitBroken,
    Limits,
    canonical,
    message_ids,
    moment,
    split_header,
    with_newlines,
)
from gm.mail.message.shown import NOTHING_SHOWN, Shown, shown_in
from gm.mail.message.trace import sealed_results

__all__ = [
    "BY_SUBJECT",
    "LOOP",
    "LOOP_HEADER",
    "MACHINE_NAMES",
    "Head",
    "Identity",
    "Limits",
    "Message",
    "answers_itself",
    "read_head",
    "read_message",
    "sender_of",
    "why_automatic",
    "why_listed",
]

_SEEN_FIELDS = ("to", "cc")
_RECIPIENT_FIELDS = (*_SEEN_FIELDS, "delivered-to", "x-original-to", "envelope-to", "x-envelope-to")
_MOST_RECIPIENTS = _MOST_REFERENCES = 100

_LONGEST_ID = 250  # characters; a longer Message-ID does not fit an index key
_KNOWN_BY = 500_000  # bytes of a body: of a mail that is too large hardly more may have been fetched
_NAMING = ("date", "from", "to", "cc", "subject", "message-id")


@dataclass(frozen=True, slots=True)
class Message:
    """One mail as the server sees it.

    `message_id` is made when the mail has none. `sender` is the From address in lower case, or None when there is not
    exactly one. `recipients` are the envelope's, or all of the header when the envelope is unknown. `text` is what the
    sender wrote, lines joined by newlines; `quoted` holds the other lines of text, never to be acted on, and `doubtful`
    those of them that may have been meant (below a signature, or wrapped). `automatic` says why the mail must not be
    answered (RFC 3834), `listed` by what list or forwarder it came, `faults` in plain sentences what could not be read
    and what to send instead.
    `away`: its subject may be an absence notice, or that of a person; it is a person's if it has orders or commands.
    `apart` are lines that only the HTML or the plain text of it has (`apart_in` says which), and that was not used;
    `left_out` are own lines that are struck out or could not be decoded, and `unread` names the files that may hold
    orders, both of which `faults` say; `authors` are all who may have sent a mail without a single sender.
    `headed` is the text with the headings of the quoted sections that its lines are below, "" if there are none;
    `beneath` has the own lines that are the first below quoted ones, each after the last of those, with line breaks
    between; `below` is the quoted line below which the last own line stands, "" if there is none.
    `authentication_results` are the headers of that name as received, topmost first; `sealed` is the same from the
    newest ARC set, and `coverage` is what can prove what is read in the mail; `attachments` names what was not read;
    `addressed_to` are the addresses in To and Cc, which every recipient sees, and `names` their display names.
    `shown` is what of ours it shows, and to whom.
    """

    message_id: str
    sender: str | None
    sender_name: str
    recipients: tuple[str, ...]
    subject: str
    in_reply_to: str | None
    references: tuple[str, ...]
    text: str
    quoted: tuple[str, ...]
    automatic: str | None
    faults: tuple[str, ...]
    authentication_results: tuple[str, ...] = ()
    sealed: str = ""
    attachments: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    addressed_to: tuple[str, ...] = ()
    shown: Shown = NOTHING_SHOWN
    listed: str | None = None
    names: str = ""
    away: bool = False
    apart: tuple[str, ...] = ()
    apart_in: str = ""
    left_out: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    headed: str = ""
    beneath: tuple[tuple[str, str], ...] = ()
    below: str = ""
    of_page: bool = False
    """Its text was read from HTML."""
    completed: bool = False
    """Its text has what was filled into a form that it quotes."""
    coverage: Coverage = NO_PROOF
    refused: bool = False
    """It was not read, being beyond a limit: what a proof leaves open may be so in one copy of a mail only."""

    @property
    def author(self) -> str:
        """The address of its sender, "" if it has no single one."""
        return self.sender or ""

    @property
    def answers(self) -> tuple[str, ...]:
        """The mails that it answers, the last one first."""
        return tuple(dict.fromkeys((*filter(None, (self.in_reply_to,)), *reversed(self.references))))

    def cited(self, *hosts: str) -> list[str]:
        """The Message-IDs made by these hosts that it cites."""
        named = dict.fromkeys((*self.references, *filter(None, (self.in_reply_to,))))
        return [one for one in named if one.endswith(tuple(f"@{host}>" for host in hosts))]

    def with_forms(self, text: str | None) -> Message:
        """The mail with this own text, which has what was filled into quoted forms; unchanged if that is nothing."""
        if text is None or text == self.text:
            return self
        written = {line.strip() for line in text.split("\n")}
        quoted = tuple(line for line in self.quoted if line not in written)
        return replace(self, text=text, quoted=quoted, faults=self.faults if self.text.strip() else (), completed=True)


class Identity(NamedTuple):
    """What identifies a mail: its Message-ID, and the SHA-256 (hex) of its destination, sender, Date and body, which is
    read as DKIM's `relaxed` reads it: what a signature lets pass is no other mail."""

    message_id: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Head:
    """What a mail is known and sorted by before it is read.

    `message_id` is made when the mail has none: from its Date, From, To, Cc, Subject and body, so that the same mail by
    another route is still the same. `envelope` are the envelope's recipients, empty where there is no envelope,
    `named` those that the header names, and `shown` those in To and Cc; addresses in lower case. `sender` is the From
    address, None when there is not exactly one. `sent` is the Date field, None when it cannot be read. `stamp` tells it
    from the same text at another time: its Date; without a Message-ID also what is written there and cannot be read, or
    without both the lowest Received field, which a relay that tries again repeats. `names` are the display names in To
    and Cc, and `answers` the mails that it answers, the last one first.
    """

    message_id: str
    body_hash: str
    envelope: tuple[str, ...]
    named: tuple[str, ...]
    shown: tuple[str, ...]
    sender: Mailbox | None
    sent: datetime | None
    stamp: str
    named_by_itself: bool
    """It has a Message-ID of its own."""
    names: str
    answers: tuple[str, ...]

    @property
    def nameless(self) -> bool:
        """Whether nothing in the mail tells it from the same text of the same sender at another time."""
        return not self.named_by_itself and not self.stamp

    def identity(self, place: str = "", received_at: datetime | None = None) -> Identity:
        """The identity of the mail for one `place`: a seat, another address of ours, or "", the server's own. A mail to
        two seats has two identities, whether it comes as one copy or several; a mail to one seat has one, whichever way
        it comes. The time at which a nameless one was received is part of it. Many programs repeat a Message-ID, so it
        alone identifies nothing.
        """
        sender = self.sender.address if self.sender is not None else ""
        stamp = str(received_at) if self.nameless else self.stamp
        name = self.message_id if len(self.message_id) <= _LONGEST_ID else f"<{_sha256(self.message_id)}@made.invalid>"
        return Identity(name, _sha256("\0".join((place, sender, stamp, self.body_hash))))


def read_head(raw: bytes, recipients: Sequence[str] = ()) -> Head:
    """The head of a mail that was delivered to `recipients`, the envelope's."""
    header, body = split_header(with_newlines(raw))
    return _head(Headers.parse(header[: Limits().header]), body, recipients)


def _head(headers: Headers, body: bytes, recipients: Sequence[str]) -> Head:
    given = _given_id(headers)
    sent = moment(headers.first("date"))
    lowest = "" if given else headers.first("date") or next(reversed(headers.all("received")), "")
    return Head(
        message_id=_message_id(headers, body),
        body_hash=_sha256("", canonical(body)),
        envelope=_envelope(recipients),
        named=_all_in(headers, _RECIPIENT_FIELDS),
        shown=_all_in(headers, _SEEN_FIELDS),
        sender=sender_of(headers),
        sent=sent,
        stamp=str(sent) if sent is not None else lowest,
        named_by_itself=bool(given),
        names=_names(headers),
        answers=tuple(dict.fromkeys((*_answered(headers), *reversed(_references(headers))))),
    )


def sender_of(headers: Headers) -> Mailbox | None:
    """The From address, which a field may repeat; None when there is not exactly one."""
    named = [only_mailbox(value) for value in dict.fromkeys(headers.all("from"))]
    addresses = {one.address if one is not None else None for one in named}
    return named[0] if len(addresses) == 1 else None


def _names(headers: Headers) -> str:
    """The display names of all who can be seen to get the mail, one a line."""
    values = (value for field in _SEEN_FIELDS for value in headers.all(field))
    return "\n".join(one.name for value in values for one in parse_list(value))


def _answered(headers: Headers) -> tuple[str, ...]:
    return message_ids(headers.first("in-reply-to"))[:1]


def _references(headers: Headers) -> tuple[str, ...]:
    return message_ids(headers.first("references"))[-_MOST_REFERENCES:]


def read_message(
    raw: bytes, *, envelope_from: str | None, recipients: Sequence[str], limits: Limits | None = None
) -> Message:
    """The message in a mail's bytes.

    `envelope_from` is the SMTP return path ("" is the null return path), None when the transport does not know it.
    `recipients` are the envelope's; all addresses of the header are recipients when there are none.
    """
    limits = limits or Limits()
    provable = coverage(raw)
    raw = with_newlines(raw)
    header, body = split_header(raw)
    headers = Headers.parse(header[: limits.header])
    try:
        reading = _read(raw, header, limits)
    except Exception as problem:  # a hostile mail must not stop other mail
        reading = Reading(faults=(bodies.unreadable(problem),), refused=True)
    sender = sender_of(headers)
    shown = Headers.as_shown(raw, header[: limits.header])
    subject, named = shown.text("subject"), sender_of(shown)
    return Message(
        message_id=_message_id(headers, body),
        sender=sender.address if sender is not None else None,
        sender_name=named.name if named is not None else "",
        recipients=_envelope(recipients) or _all_in(headers, _RECIPIENT_FIELDS),
        subject=subject,
        in_reply_to=next(iter(_answered(headers)), None),
        references=_references(headers),
        text=reading.text,
        quoted=reading.quoted,
        automatic=why_automatic(headers, envelope_from) or (INVITED if reading.answers_invitation else None),
        listed=why_listed(headers, envelope_from),
        faults=(*(() if sender is not None else (bodies.no_single_sender(len(headers.all("from"))),)), *reading.faults),
        authentication_results=tuple(headers.all("authentication-results")),
        sealed=sealed_results(headers),
        coverage=provable,
        attachments=reading.attachments,
        doubtful=reading.doubtful,
        addressed_to=_all_in(headers, _SEEN_FIELDS),
        shown=shown_in(header, body, _envelope(recipients), (reading.text, *reading.quoted)),
        names=_names(headers),
        away=says_away(subject),
        apart=reading.apart,
        apart_in=reading.apart_in,
        left_out=reading.left_out,
        unread=reading.unread,
        headed=reading.headed,
        beneath=reading.beneath,
        below=reading.below,
        of_page=reading.of_page,
        refused=reading.refused,
        authors=_all_in(headers, ("from", "sender")) if sender is None else (),
    )


def _read(raw: bytes, header: bytes, limits: Limits) -> Reading:
    """Text and faults of a message, or the fault of one that is too large."""
    if len(raw) > limits.size:
        return Reading(faults=(bodies.too_large(len(raw), limits.size),), refused=True)
    if len(header) > limits.header:
        return Reading(faults=(bodies.header_too_large(len(header), limits.header),), refused=True)
    try:
        return reading_of(raw, limits)
    except LimitBroken as broken:
        return Reading(faults=(bodies.beyond_limits(str(broken)),), refused=True)


def _all_in(headers: Headers, fields: Sequence[str]) -> tuple[str, ...]:
    """Every address in these fields of the header; lower case, each once. Of each field the first count, so that none
    pushes out what stands in another.
    """
    each = ([one for value in headers.all(field) for one in addresses_in(value)] for field in fields)
    return tuple(dict.fromkeys(one for found in each for one in [*dict.fromkeys(found)][:_MOST_RECIPIENTS]))


def _recipient(written: str) -> str:
    mailbox = parse_address(written)
    return mailbox.address if mailbox is not None else written.strip(" <>").lower()


def _envelope(recipients: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(_recipient, recipients)))


def _given_id(headers: Headers) -> str:
    return next(iter(message_ids(headers.first("message-id"))), "")


def _message_id(headers: Headers, body: bytes) -> str:
    return _given_id(headers) or _made_id(headers, body)


def _made_id(headers: Headers, body: bytes) -> str:
    """A Message-ID for a mail without one: the same for the same mail, another for the same text at another time."""
    named = _sha256("\n".join(map(headers.first, _NAMING)), canonical(body))
    return f"<{named}@made.invalid>"


def _sha256(words: str, body: bytes = b"") -> str:
    return hashlib.sha256(words.encode("utf-8", "replace") + body[:_KNOWN_BY]).hexdigest()
