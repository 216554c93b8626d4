"""Mails of orders as people send them: in reply to the report of the phase, with nothing quoted, with all of it quoted
below, and as text and HTML with all of it quoted in both, as most programs do.
"""

from __future__ import annotations

import email
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from html import escape
from itertools import count

_NUMBERS = count(1)


@dataclass(frozen=True)
class Report:
    """What a reply answers: the Message-ID of a report, and its two bodies."""

    message_id: str
    text: str
    html: str

    @classmethod
    def of(cls, raw: bytes) -> Report:
        """The report in these bytes."""
        mail = email.message_from_bytes(raw, policy=SMTP)
        bodies = [mail.get_body((kind,)) for kind in ("plain", "html")]
        text, html = (part.get_content() if part is not None else "" for part in bodies)
        return cls(str(mail["Message-ID"]), text, html)


_WROTE = "On Fri, 20 Nov 2026 at 10:02, Diplomacy gamemaster <gm@bench.example> wrote:"


def _own(orders: Sequence[str]) -> str:
    return "Dear gamemaster,\n\n{}\n\nBest wishes,\nAnn\n".format("\n".join(orders))


def short(mail: EmailMessage, orders: Sequence[str], _report: Report) -> None:
    """Nothing is quoted."""
    mail.set_content(_own(orders))


def quoted(mail: EmailMessage, orders: Sequence[str], report: Report) -> None:
    """The report is quoted, each line with its mark."""
    mail.set_content(_quoting(orders, report))


def _quoting(orders: Sequence[str], report: Report) -> str:
    lines = (f"> {line}".rstrip() for line in report.text.splitlines())
    return f"{_own(orders)}\n{_WROTE}\n\n" + "\n".join(lines) + "\n"


def html(mail: EmailMessage, orders: Sequence[str], report: Report) -> None:
    """As text and as HTML."""
    mail.set_content(_quoting(orders, report))
    own = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in _own(orders).splitlines())
    head = f'<div dir="ltr" class="gmail_attr">{escape(_WROTE)}<br></div>'
    below = f'<blockquote class="gmail_quote" style="margin:0 0 0 .8ex">{report.html}</blockquote>'
    whole = f'<div dir="ltr">{own}</div><br><div class="gmail_quote">{head}{below}</div>'
    mail.add_alternative(whole, subtype="html")


KINDS: Mapping[str, Callable[[EmailMessage, Sequence[str], Report], None]] = {
    "short": short,
    "quoted": quoted,
    "HTML": html,
}
"""How the body of each kind of mail is written; people send about as many of each."""


def written(kind: str, sender: str, address: str, orders: Sequence[str], report: Report | None, now: datetime) -> bytes:
    """A mail of this kind to a seat's address, in reply to a report; each differs from all others."""
    if report is None:
        raise ValueError("there is no report to be answered")
    number = next(_NUMBERS)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"Ann Example <{sender}>", address, "Re: bench: your orders"
    mail["Date"], mail["Message-ID"] = format_datetime(now), f"<{number}@bench.example>"
    mail["In-Reply-To"] = mail["References"] = report.message_id
    turned = number % len(orders)
    KINDS[kind](mail, (*orders[turned:], *orders[:turned]), report)
    return mail.as_bytes(policy=SMTP)
