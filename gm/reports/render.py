"""Rendering: from a context to the text of a mail. The closed list of mail kinds, and the Jinja environment.

Undefined names raise, HTML is escaped, and a template does no more than loop and choose: all words that depend on the
position are made by the page functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from gm.files import folder
from gm.reports import context as given
from gm.reports.answers import (
    help_page,
    list_page,
    question_page,
    receipt_page,
    refusal_page,
    status_page,
    topic_page,
    trouble_page,
)
from gm.reports.pages import notice_page, opening_page, press_page, reminder_page, report_page, review_page
from gm.reports.words import columns, quote, underline, wrap


@dataclass(frozen=True, slots=True)
class Rendered:
    """A mail's subject and its two bodies, which say the same."""

    subject: str
    text: str
    html: str

    def as_text(self) -> Rendered:
        """The same without HTML, for those who want none."""
        return Rendered(self.subject, self.text, "")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of mail: what it is made from, and how its page is made."""

    context: type
    page: Callable[[Any], Any]


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "player/opening": Kind(given.Opening, opening_page),
        "player/report": Kind(given.PhaseReport, report_page),
        "player/receipt": Kind(given.Receipt, receipt_page),
        "player/refusal": Kind(given.Refusal, refusal_page),
        "player/review": Kind(given.Review, review_page),
        "player/reminder": Kind(given.Reminder, reminder_page),
        "player/press": Kind(given.PressMail, press_page),
        "player/notice": Kind(given.Notice, notice_page),
        "player/question": Kind(given.Question, question_page),
        "player/status": Kind(given.StatusAnswer, status_page),
        "player/list": Kind(given.GameList, list_page),
        "player/help": Kind(given.HelpListing, help_page),
        "player/topic": Kind(given.HelpTopic, topic_page),
        "gm/trouble": Kind(given.Trouble, trouble_page),
    }
)
"""Every mail this server writes. A gamemaster or observer gets a player's report as `Reader` without a power."""


def render(name: str, context: Any) -> Rendered:
    """The mail `name` of KINDS made from its context.

    Raises KeyError for a name that is not in the list and TypeError for another kind's context.
    """
    kind = KINDS[name]
    given_type: type = type(context)
    if given_type is not kind.context:
        raise TypeError(f"{name} is made from {kind.context.__name__}, not from {given_type.__name__}")
    page = kind.page(context)
    reader: given.Reader = context.reader
    subject = " ".join(page.subject.split())
    values = {"page": page, "reader": reader, "subject": subject}
    templates = environment()
    return Rendered(
        subject=subject,
        text=templates.get_template(f"{name}.txt.j2").render(values),
        html=templates.get_template(f"{name}.html.j2").render(values),
    )


@cache
def environment() -> Environment:
    """The environment of all templates: strict, and escaping in HTML."""
    made = Environment(
        loader=FileSystemLoader(folder("templates")),
        autoescape=select_autoescape(enabled_extensions=("html.j2",), disabled_extensions=("txt.j2",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    made.filters |= {"wrap": wrap, "columns": columns, "quote": quote, "underline": underline}
    return made
