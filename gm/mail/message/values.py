"""The values that reading yields: a `Letter`, and the limits within which a mail is read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What one mail may hold; a mail beyond it is not read, and a fault says so.

    Sizes in bytes. `depth` counts multiparts within each other, `parts` all parts of the message, `lines` the lines of
    all text parts together, `tags` the tags of all HTML parts together. `own_lines` are those that the sender himself
    wrote, since each of them is parsed later; of the quoted lines as many are kept.
    """

    size: int = 1_000_000
    header: int = 200_000
    depth: int = 50
    parts: int = 200
    lines: int = 20_000
    tags: int = 20_000
    own_lines: int = 2_000


@dataclass(frozen=True, slots=True)
class Message:
    """One mail as the service sees it.

    `message_id` is made from the content when the mail has none. `sender` is the From address in lower case, or None
    when there is not exactly one. `recipients` are the envelope's, or all of the header when the envelope is unknown.
    `text` is what the sender wrote himself, lines joined by newlines; `quoted` holds the other lines of text, never to
    be acted on, and `doubtful` those of them that may have been meant (below a signature, or wrapped). `robot` says why
    the mail must not be answered (RFC 3834), `faults` in plain sentences what could not be read and what to send
    instead. `content_hash` is SHA-256 of the body in hex; `authentication_results` are the headers of that name as
    received, topmost first; `attachments` names what was not read.
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
    robot: str | None
    faults: tuple[str, ...]
    content_hash: str
    authentication_results: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
