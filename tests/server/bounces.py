"""Bounces as mail servers write them, for the tests."""

from __future__ import annotations

from email.message import EmailMessage

from sqlalchemy import select

from gm.inbound.acceptance import accept
from gm.store import outbox
from gm.store.inbox import ArrivedMail
from gm.store.outbox import OutboxState
from gm.store.sent import BounceRow
from tests.server.world import World, player, text_of

FRANCE = player("France")
MASTER = "master@example.org"
OPERATOR = "operator@example.org"
UNKNOWN = ("5.1.1", "550 5.1.1 No such user")
SPAM = ("5.7.1", "550 5.7.1 This looks like spam")

_REPORT = """Reporting-MTA: dns; mx.players.example
Arrival-Date: Fri, 20 Nov 2026 09:00:00 +0000

Final-Recipient: rfc822; {recipient}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {words}
"""


def report(
    recipient: str,
    status: str,
    words: str,
    *,
    action: str = "failed",
    original: bytes = b"Subject: x\n\nx\n",
    to: str = "gm@example.org",
) -> bytes:
    """A delivery report of RFC 3464, as Postfix writes it `to` the return path."""
    lines = [
        "From: MAILER-DAEMON@mx.players.example (Mail Delivery System)",
        "Subject: Undelivered Mail Returned to Sender",
        f"To: {to}",
        f"Message-ID: <{abs(hash((recipient, status, words, action)))}@mx.players.example>",
        "Auto-Submitted: auto-replied",
        "MIME-Version: 1.0",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        f"I am sorry to have to inform you that your mail could not be delivered to <{recipient}>.",
        "",
        "--b",
        "Content-Type: message/delivery-status",
        "",
        _REPORT.format(recipient=recipient, action=action, status=status, words=words),
        "--b",
        "Content-Type: message/rfc822",
        "",
    ]
    return "\n".join(lines).encode() + original + b"\n--b--\n"


def feedback(kind: str, number: str = "1") -> bytes:
    """A report of RFC 5965 about a mail that was delivered."""
    lines = [
        "From: <feedback@players.example>",
        "Subject: FW: a mail",
        "To: gm@example.org",
        f"Message-ID: <feedback{number}@players.example>",
        "MIME-Version: 1.0",
        'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "This is an email abuse report for a message received on 20 November.",
        "",
        "--b",
        "Content-Type: message/feedback-report",
        "",
        f"Feedback-Type: {kind}",
        "User-Agent: SomeGenerator/1.0",
        "Version: 1",
        "",
        "--b",
        "Content-Type: message/rfc822",
        "",
        "Subject: a mail",
        "",
        "its text",
        "--b--",
        "",
    ]
    return "\n".join(lines).encode()


def in_own_words(recipient: str) -> bytes:
    """In the format of qmail, which does not follow the standard."""
    message = EmailMessage()
    message["From"] = "MAILER-DAEMON@mx.players.example"
    message["To"] = "gm@example.org"
    message["Subject"] = "failure notice"
    message["Message-ID"] = "<1@mx.players.example>"
    message.set_content(
        "Hi. This is the qmail-send program at mx.players.example.\n"
        "I'm afraid I wasn't able to deliver your message to the following addresses.\n"
        "This is a permanent error; I've given up. Sorry it didn't work out.\n\n"
        f"<{recipient}>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
        "--- Below this line is a copy of the message.\n\nReturn-Path: <x>\n"
    )
    return message.as_bytes()


# what it does


def bounce(world: World, to: str, raw: bytes) -> None:
    """A bounce comes in with the null return path."""
    assert accept(world.service, ArrivedMail("smtp", raw, world.time, (to,), ""))
    world.work()


def return_path(world: World, address: str) -> str:
    """The return path of the newest mail somebody got."""
    return str(world.last(address)["X-Envelope-From"])


def noted(world: World) -> list[BounceRow]:
    """The bounces that are not forgiven, newest first."""
    with world.looking() as session:
        unforgiven = select(BounceRow).where(BounceRow.forgiven_at.is_(None)).order_by(BounceRow.id.desc())
        return list(session.scalars(unforgiven))


def counts(world: World) -> tuple[int, int]:
    """How many mails wait to be sent, and how many were given up."""
    with world.looking() as session:
        found = outbox.counts(session)
    return found[OutboxState.QUEUED], found[OutboxState.FAILED]


def read_by(world: World, address: str) -> str:
    """All that somebody was sent."""
    return " ".join(text_of(mail) for mail in world.mailboxes.get(address, []))
