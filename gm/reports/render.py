"""From a context to a mail: the Jinja environment, and the base classes of all mails and of parts that mails share.

A context is a frozen value whose properties are its texts; templates only read, loop and choose. Undefined names raise,
and HTML is escaped.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import ClassVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from gm import folder
from gm.reports import abreast, columns, full_moment, in_groups, quote, underline, wrap, wrap_lines
from gm.reports.reader import Reader


@dataclass(frozen=True, slots=True)
class Rendered:
    """A mail's subject and its two bodies, which have the same content."""

    subject: str
    text: str
    html: str
    """"" for somebody who wants no HTML."""


class MailKind(ABC):
    """The content of one kind of mail. `template` is the name of its two templates, which read it as `mail`."""

    template: ClassVar[str]
    reader: Reader

    @property
    @abstractmethod
    def subject(self) -> str:
        """The subject; any white space in it counts as one blank."""

    @property
    def preview(self) -> str:
        """What a mailbox shows beside the subject, before the mail is opened; "" for the subject once more."""
        return ""


@dataclass(frozen=True)
class SharedPart:
    """A part that is the same in several mails. The filter `once` renders it for the first of them, under the name
    `part`.
    """

    whole: ClassVar[str] = ""
    """The template that makes a text of it alone, where it is sent as a file."""
    rendered: dict[str, Markup] = field(default_factory=dict, init=False, repr=False, compare=False)
    """The rendered part, by template."""


LARGEST_HTML = 100_000
"""In octets. Gmail cuts a longer one at 102 kB, in the middle of a table or an order form; the text has it all."""


def render(mail: MailKind) -> Rendered:
    """The mail as text and, if its reader wants it and mail programs show all of it, as HTML."""
    subject = " ".join(mail.subject.split())
    preview = " ".join((mail.preview or mail.subject).split())
    values = {"mail": mail, "reader": mail.reader, "subject": subject, "preview": shortened(preview)}
    templates = environment()
    html = unbroken(templates.get_template(f"{mail.template}.html.j2").render(values)) if mail.reader.html else ""
    return Rendered(
        subject=subject,
        text=templates.get_template(f"{mail.template}.txt.j2").render(values),
        html=html if len(html.encode()) <= LARGEST_HTML else "",
    )


_PREVIEW = 200


def shortened(text: str) -> str:
    """As much of a text as mailboxes show beside a subject."""
    return text if len(text) <= _PREVIEW else f"{text[:_PREVIEW].rpartition(' ')[0]} …"


def whole_text(part: SharedPart) -> str:
    """The part alone as a text."""
    return environment().get_template(part.whole).render(part=part)


def _once(part: SharedPart, template: str) -> Markup:
    """The part as rendered by this template."""
    if template not in part.rendered:
        part.rendered[template] = Markup(environment().get_template(template).render(part=part))  # noqa: S704 (ours)
    return part.rendered[template]


def unbroken(html: str) -> str:
    """A page of HTML in which no line ends within a ruling's code or an order: `AL-1`, `Mun-Bur`. A style says so, no
    other sign: what is copied is as written.
    """
    head, title, page = html.rpartition("</title>")
    return head + title + _BETWEEN_TAGS.sub(lambda text: _HYPHENED.sub(_KEPT_TOGETHER, text[0]), page)


_BETWEEN_TAGS = re.compile(r">[^<>-]*-[^<]*")
"""Text with a hyphen, and the end of the tag before it."""
_HYPHENED = re.compile(r"[A-Z](?<![\w/@.+-][A-Z])\w{1,4}(?:/\w\w)?(?:-[A-Z0-9]\w{0,4}(?:/\w\w)?)+(?![\w@-])")
"""Short names that hyphens join. (What begins with a letter is found quickly.)"""
_KEPT_TOGETHER = r'<span style="white-space:nowrap">\g<0></span>'


def broken(text: str) -> Markup:
    """A text in HTML with its lines, whose mail addresses a narrow screen breaks between their parts, not within a
    word.
    """
    if "@" not in text:
        escaped = escape(text)
        return escaped.replace("\n", Markup("<br>")) if "\n" in text else escaped
    return Markup("<br>").join(Markup("<wbr>").join(_PARTS.split(line)) for line in text.split("\n"))


_PARTS = re.compile(r"(?=@)|(?=\+[\w.-]+@)|(?<=\.)(?=\w+@)")
"""Where a mail address can be broken: before the @, before what follows a plus sign, before a token."""


def abreast_on_phone(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a phone shows all columns beside each other: each in one line, the last with room for some words."""
    *others, last = zip(*rows, strict=True)
    widths = [max(map(len, column)) + _GAP for column in others]
    words = (len(part) for cell in last for word in cell.split() for part in _PARTS.split(word))
    return sum(widths) + max(min(max(map(len, last)), _ROOM), *words, 0) <= _PHONE


_PHONE, _GAP, _ROOM = 40, 2, 16
"""In characters of 16 pixels' height: what 390 pixels hold beside the margins, what is between two columns, and what
a column of prose needs.
"""


def in_utc(when: datetime) -> str:
    """A time for people everywhere: `Tue 3 Dec 2030, 18:00 UTC`."""
    return full_moment(when, UTC)


def stamp(when: datetime) -> str:
    """A time for programs (RFC 3339)."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@cache
def environment() -> Environment:
    """The environment of all templates: strict about undefined names, and escaping in HTML and XML."""
    made = Environment(
        loader=FileSystemLoader(folder("templates")),
        autoescape=select_autoescape(enabled_extensions=("html.j2", "xml.j2"), disabled_extensions=("txt.j2",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    made.globals.clear()  # they would be copied for each template that another one includes
    made.filters |= {
        "wrap": wrap,
        "wrap_lines": wrap_lines,
        "columns": columns,
        "abreast": abreast,
        "in_groups": in_groups,
        "quote": quote,
        "underline": underline,
        "once": _once,
        "broken": broken,
        "abreast_on_phone": abreast_on_phone,
    }
    made.filters |= {"in_utc": in_utc, "stamp": stamp}
    return made
