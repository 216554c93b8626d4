"""Replies in the styles of seven mail programs: what they quote and where, their encodings, their signatures.

A reply is a real MIME message that quotes the mail it answers, so that the server must find the orders in it.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from gm.board import Location, standard_board

_numbers = itertools.count(1)


PLAYED = "played."
"""How the Message-IDs of the mails of a demonstration begin, so that a mail of anybody else's is told from them."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a person sends: their own text, and the mail they reply to (None for a new mail)."""

    name: str
    address: str
    to: str
    subject: str
    words: str
    now: datetime
    answered: EmailMessage | None = None

    @property
    def quoted(self) -> str:
        """The text of the mail that is replied to."""
        body = self.answered.get_body(("plain",)) if self.answered is not None else None
        return body.get_content().replace("\r\n", "\n").rstrip("\n") if body is not None else ""

    @property
    def sender(self) -> str:
        """The sender of the mail that is replied to."""
        return str(self.answered["From"]) if self.answered is not None else ""


Client = Callable[[Draft], EmailMessage]


def _begun(draft: Draft, mailer: str) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"] = Address(draft.name, addr_spec=draft.address)
    message["To"] = draft.to
    message["Subject"] = draft.subject
    message["Date"] = format_datetime(draft.now)
    message["Message-ID"] = f"<{PLAYED}{draft.now:%Y%m%d%H%M%S}.{next(_numbers)}@{draft.address.partition('@')[2]}>"
    message["X-Mailer"] = mailer
    if draft.answered is not None:
        message["In-Reply-To"] = str(draft.answered["Message-ID"])
        message["References"] = f"{draft.answered.get('References', '')} {draft.answered['Message-ID']}".strip()
    return message


def _marked(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() if not line.startswith(">") else f">{line}" for line in text.split("\n"))


def _in_html(text: str) -> str:
    return html.escape(text, quote=False).replace("\n", "<br>\r\n")


def webmail(draft: Draft) -> EmailMessage:
    """A large webmail service: text and HTML, the reply on top, the quotation in a `gmail_quote`."""
    message = _begun(draft, "webmail")
    said = f"On {draft.now:%a, %b %d, %Y at %I:%M %p} {draft.sender} wrote:"
    quote = f"\n\n{said}\n\n{_marked(draft.quoted)}\n" if draft.answered is not None else "\n"
    message.set_content(draft.words + quote, cte="quoted-printable")
    rest = ""
    if draft.answered is not None:
        rest = (
            f'<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{html.escape(said)}<br></div>'
            '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">'
            f"{_in_html(draft.quoted)}</blockquote></div>"
        )
    message.add_alternative(f'<div dir="ltr">{_in_html(draft.words)}</div>{rest}', subtype="html")
    return message


def office_program(draft: Draft) -> EmailMessage:
    """An office mail program: HTML paragraphs, cp1252, the headers of the mail replied to below a line."""
    message = _begun(draft, "Office Mail 16.0")
    header = ""
    if draft.answered is not None:
        header = (
            f"From: {draft.sender}\nSent: {draft.now:%d %B %Y %H:%M}\nTo: {draft.name}\n"
            f"Subject: {draft.answered['Subject']}\n\n"
        )
    line = "_" * 32 + "\n" if header else ""
    message.set_content(f"{draft.words}\n\n{line}{header}{draft.quoted}\n", charset="cp1252", cte="quoted-printable")
    paragraphs = "".join(f'<p class="MsoNormal">{html.escape(row) or "&nbsp;"}</p>' for row in draft.words.split("\n"))
    below = ""
    if header:
        below = f'<hr><div id="divRplyFwdMsg" dir="ltr">{_in_html(header)}</div><div>{_in_html(draft.quoted)}</div>'
    message.add_alternative(
        f"<html><body>{paragraphs}{below}</body></html>", subtype="html", charset="cp1252", cte="quoted-printable"
    )
    return message


def flowed_above(draft: Draft) -> EmailMessage:
    """A desktop program that replies on top, in flowed text."""
    message = _begun(draft, "Desk Mail (3.774)")
    quote = (
        f"\n\n\n> On {draft.now:%d %b %Y}, at {draft.now:%H:%M}, {draft.sender} wrote:\n> \n{_marked(draft.quoted)}\n"
    )
    message.set_content(_stuffed(draft.words) + (quote if draft.answered is not None else "\n"))
    message.set_param("format", "flowed")
    return message


def flowed_below(draft: Draft) -> EmailMessage:
    """A desktop program that replies below the quotation, in flowed text, with a signature."""
    message = _begun(draft, "Bird 128.4")
    said = f"On {draft.now:%d/%m/%Y %H:%M}, {draft.sender} wrote:\n{_marked(draft.quoted)}\n\n"
    signature = f"\n\n-- \n{draft.name}\nA Par-Mun, my favourite opening\n"
    message.set_content((said if draft.answered is not None else "") + _stuffed(draft.words) + signature)
    message.set_param("format", "flowed")
    return message


def terminal(draft: Draft) -> EmailMessage:
    """A terminal program: plain text, an attribution, the reply below the quoted lines."""
    message = _begun(draft, "Terminal/2.2")
    said = f"On {draft.now:%a, %b %d, %Y at %I:%M:%S%p} +0000, {draft.sender} wrote:\n{_marked(draft.quoted)}\n\n"
    message.set_content((said if draft.answered is not None else "") + draft.words + "\n", cte="8bit", charset="utf-8")
    return message


def html_only(draft: Draft) -> EmailMessage:
    """A portal's webmail: HTML only, base64."""
    message = _begun(draft, "Portal/1.0")
    rows = "".join(f"<div>{html.escape(row) or '<br>'}</div>" for row in draft.words.split("\n"))
    below = ""
    if draft.answered is not None:
        below = (
            f'<div class="yahoo_quoted"><div>On {draft.now:%A, %B %d, %Y}, {html.escape(draft.sender)} wrote:</div>'
            f"<div>{_in_html(draft.quoted)}</div></div>"
        )
    message.set_content(f"<html><body>{rows}<br>{below}</body></html>", subtype="html", cte="base64")
    return message


def phone(draft: Draft) -> EmailMessage:
    """A German phone: base64 text, a line about the phone, an attribution in German."""
    message = _begun(draft, "Telefon-Mail")
    quote = f"\n\nAm {draft.now:%d.%m.%Y um %H:%M} schrieb {draft.sender}:\n{_marked(draft.quoted)}\n"
    words = draft.words + "\n\nVon meinem Telefon gesendet"
    message.set_content(words + (quote if draft.answered is not None else "\n"), cte="base64")
    return message


def _stuffed(text: str) -> str:
    """The text, space-stuffed (RFC 3676, 4.4)."""
    return "\n".join(f" {line}" if line.startswith((" ", ">", "From ")) else line for line in text.split("\n"))


# how people write orders


OrderStyle = Callable[[str], str]

_PLACE = re.compile(r"\b([A-Z][a-z]{2})(/[nsew]c)?\b")


def _names(text: str) -> str:
    """Replace codes of places by full names, with coasts in brackets."""
    board = standard_board()
    return _PLACE.sub(lambda found: board.full_name(Location(found[0].lower())), text)


def capitals(order: str) -> str:
    """`A PAR-BUR`"""
    return order.upper()


def small_letters(order: str) -> str:
    """`a par - bur`"""
    return order.lower().replace("-", " - ")


def full_names(order: str) -> str:
    """`A Paris - Burgundy`"""
    return _names(re.sub(r"-", " - ", order))


def sentences(order: str) -> str:
    """`Army Paris to Burgundy`, `Fleet North Sea convoys Army London to Norway`"""
    spelt = re.sub(r"\bA (?=[A-Z])", "Army ", re.sub(r"\bF (?=[A-Z])", "Fleet ", order))
    spelt = spelt.replace("-", " to ").replace(" S ", " supports ").replace(" C ", " convoys ")
    return _names(re.sub(r" H$", " holds", spelt))


def dashes(order: str) -> str:
    """`A Par – Bur`, `F Stp(sc)`"""
    return re.sub(r"/([nsew]c)", r"(\1)", order.replace("-", " \N{EN DASH} "))


def arrows(order: str) -> str:
    """`A PAR -> BUR`"""
    return order.upper().replace("-", " -> ")


def as_taught(order: str) -> str:
    """`A Par-Bur`, as HELP shows it"""
    return order
