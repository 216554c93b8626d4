"""Bounces in the formats of many programs, generated: each with each of a number of reasons, and what it means."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Any

TO = "ann.lee@example.com"
HOST = "relay.example.net"

HARD = [
    ("5.1.1", "550 5.1.1 <{to}>: Recipient address rejected: User unknown in virtual mailbox table"),
    ("5.1.1", "550-5.1.1 The email account that you tried to reach does not exist"),
    ("5.1.2", "550 5.1.2 <{to}>... Host unknown (Name server: host not found)"),
    ("5.1.6", "551 5.1.6 <{to}>: the mailbox has moved, no forwarding address"),
]
SOFT = [
    ("5.2.2", "552 5.2.2 <{to}>: mailbox is full, over quota"),
    ("5.7.1", "554 5.7.1 Message rejected as spam by our policy"),
    ("5.7.26", "550 5.7.26 This mail is unauthenticated: DMARC check failed"),
    ("5.3.4", "552 5.3.4 Message size exceeds fixed limit"),
]


@dataclass(frozen=True)
class Sample:
    """One bounce and whether it means that the address is dead."""

    program: str
    reply: str
    hard: bool
    raw: bytes


def samples() -> Iterator[Sample]:
    """All of them."""
    formats = tomllib.loads(Path(__file__).with_name("bounce_formats.toml").read_text(encoding="utf-8"))
    for program in formats["program"]:
        own = [("", words, True) for words in program.get("hard", ())]
        own += [("", words, False) for words in program.get("soft", ())]
        quoted = [(*one, True) for one in HARD] + [(*one, False) for one in SOFT]
        for status, words, hard in own or quoted:
            reply = _filled(words)
            yield Sample(program["name"], reply, hard, _written(program, status, reply))


def _filled(words: str, **more: str) -> str:
    for name, value in {"to": TO, "host": HOST, **more}.items():
        words = words.replace(f"{{{name}}}", value)
    return words


def _written(program: dict[str, Any], status: str, reply: str) -> bytes:
    words = _filled(program["text"], reply=reply, status=status)
    original = (
        f"Received: from gm.example.org by {HOST}; 20 Nov 2026\n"
        f"From: gm@example.org\nTo: {TO}\nSubject: Results\n\nSpring 1901. A Par-Bur. User unknown, quota.\n"
    )
    headers = {"From": _filled(program["from"]), "Subject": _filled(program["subject"]), "To": "gm@example.org"}
    message = EmailMessage()
    for name, value in headers.items():
        message[name] = value
    group = f"Final-Recipient: rfc822; {TO}\nAction: failed\nStatus: {status}\n"
    diagnosis = f"Diagnostic-Code: smtp; {reply}\n"
    match program["form"]:
        case "report" | "bare" as form:
            report = f"Reporting-MTA: dns; {HOST}\n\n{group}{diagnosis if form == 'report' else ''}"
            parts = [("text/plain; charset=utf-8", words), ("message/delivery-status", report)]
            return _multipart(message, [*parts, ("message/rfc822", original)])
        case "html":
            message.set_content(words, subtype="html")
        case "fields":
            message.set_content(f"{words}\n\n{group}{diagnosis}", cte="quoted-printable")
        case _:
            message.set_content(f"{words}\n\n{original}")
    return message.as_bytes()


def _multipart(message: EmailMessage, parts: list[tuple[str, str]]) -> bytes:
    header = message.as_bytes().rstrip(b"\n")
    kind = b'\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary="=b"\n\n'
    body = "".join(f"--=b\nContent-Type: {kind}\n\n{text}\n" for kind, text in parts)
    return header + kind + f"{body}--=b--\n".encode()
