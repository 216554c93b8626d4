"""The digest: one mail a day with the news of all games of a person, a section for each, which can be answered.

The mails in it are as they were written, but for the lines that would name another game in an answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

from markupsafe import Markup, escape

from gm.reports import counted, listed
from gm.reports.reader import Reader
from gm.reports.render import MailKind

_BODY_BEGINS = re.compile(r"<body[^<>]*+>(?:\s*+<div[^<>]*+>[^<]*+</div>)?", re.IGNORECASE)
_MARK = "reply above this line"
"""What stands in a line of its own above what a reply quotes; a headline may be above it."""
_HEADING = re.compile(
    r"(^|>)([ \t]*)([*_]{0,2}GAME[ \t]+([a-z0-9._-]+)[*_]{0,2})(?=[ \t\r]*(?:$|<))", re.IGNORECASE | re.MULTILINE
)
_PICTURE = re.compile(r'<img src="cid:([^"<>]++)"[^<>]*+>')
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Gathered:
    """A mail in a digest: its subject without the game's name, its two bodies, and a remark on it."""

    subject: str
    text: str
    html: Markup
    remark: str = ""

    def without_pictures(self, gone: frozenset[str]) -> Gathered:
        """The mail with words in place of the pictures with these ids."""
        shown = _PICTURE.sub(
            lambda found: "<p>The map is left out here; MAP sends it.</p>" if found[1] in gone else found[0], self.html
        )
        return replace(self, html=Markup(shown))  # noqa: S704 (ours)


def gathered(game: str, subject: str, text: str, html: str, remark: str = "") -> Gathered:
    """A mail about this game as it was written, for a digest."""
    lines = [line for line in text.splitlines() if line.strip("- ").lower() != _MARK]
    text = _only_for(game, "\n".join(lines).strip("\n"))
    begins, ends = _BODY_BEGINS.search(html), html.rfind("</body>")
    plain = Markup('<p style="padding:0 12px;white-space:pre-wrap">%s</p>') % escape(text)
    body = _without_mark(html[begins.end() : ends]) if begins is not None and ends >= 0 else None
    inner = Markup(_only_for(game, body)) if body is not None else plain  # noqa: S704
    return Gathered(subject.removeprefix("Re: ").removeprefix(f"[{game}]").strip(), text, inner, remark)


def _without_mark(html: str) -> str:
    at = html.lower().find(_MARK)
    begin, end = html.rfind("<p", 0, at), html.find("</p>", at)
    return html if at < 0 or begin < 0 or end < 0 else html[:begin] + html[end + len("</p>") :]


def _only_for(game: str, text: str) -> str:
    """The text with lines in quotation marks that name another game as the heading of a section does."""
    return _HEADING.sub(
        lambda found: found[0] if found[4].lower() == game.lower() else f'{found[1]}{found[2]}"{found[3]}"', text
    )


@dataclass(frozen=True, slots=True)
class GameNews:
    """The section of a game: its `heading`, the line GAME if the reader can answer there, how it stands, its mails."""

    game: str
    heading: str
    stands: str
    mails: tuple[Gathered, ...]


@dataclass(frozen=True)
class Digest(MailKind):
    """The digest of a person."""

    template: ClassVar[str] = "player/digest"

    reader: Reader
    sections: tuple[GameNews, ...]

    @property
    def subject(self) -> str:
        names = list(dict.fromkeys(section.game for section in self.sections))
        shown = names if len(names) <= _NAMED else [*names[: _NAMED - 1], counted(len(names) - _NAMED + 1, "more game")]
        return f"Your games: {listed(shown)}"

    @property
    def how(self) -> str:
        """How to answer."""
        named = [section.heading for section in self.sections if section.heading.startswith("GAME ")]
        if not named:
            return ""
        return (
            f"Answer for all games in one reply: write the line of a game, such as {' or '.join(named[:2])}, above its"
            " orders and commands, or write them directly below that line in the quoted mail. Press needs PRESS TO"
            " and ENDPRESS. A button writes to its game alone."
        )
