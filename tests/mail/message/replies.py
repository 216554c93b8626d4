"""Replies as the programs of `programs.toml` write them: what their senders wrote, and what they only quote.

Each program quotes a mail of ours and one of somebody else's, and each reply is written in every manner that the
program's marks allow: above the quotation, below it, between its lines, with an edited line in it.
"""

from __future__ import annotations

import html
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gm.mail.message.reply import REPLY_ABOVE
from tests.mail.message.messages import HTML, PLAIN, message

FOREIGN = ("Movement results for Spring.", "", "A PIC-PAR", "F BRE-ENG", "Deadline: 2026-02-09 18:00", "", "Judge")
"""A mail that is quoted, as lines: orders and a command that must not be acted on."""
OURS = (REPLY_ABOVE, "", *FOREIGN)
ORDERS = ("A PIC-BEL", "F BRE-MAO", "A MAR-SPA")
EDITED = "A PIC-BUR"
_MANY = tuple(
    f"A {place}-BUR" for place in ("PAR", "MAR", "RUH", "MUN", "BEL", "PIC", "GAS", "PAR", "MAR", "RUH", "MUN")
)


@dataclass(frozen=True, slots=True)
class Program:
    """How one program writes: see `programs.toml`. `joined`: the quotation begins on the attribution's last line."""

    name: str
    intro: str = ""
    mark: str = ""
    sign: str = ""
    html: str = ""
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply: the raw message, the lines that its sender wrote, and those that are quoted."""

    name: str
    raw: bytes
    own: tuple[str, ...]
    quoted: tuple[str, ...]


_TABLE: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("programs.toml").read_text(encoding="utf-8"))
PROGRAMS = tuple(
    Program(name, **{**made, "intro": made.get("intro", "").removeprefix("\n")}) for name, made in _TABLE.items()
)


def replies(program: Program) -> Iterator[Reply]:
    """Every reply that is made with this program."""
    for kind, original in (("ours", OURS), ("another's", FOREIGN)):
        for manner, lines, own in _manners(program, original):
            quoted = tuple(line for line in original if line)
            name = f"{program.name}, {kind}, {manner}"
            if program.html:
                raw = message(_in_html(program, lines, original), HTML)
            else:
                raw = message("\n".join(lines) + "\n", PLAIN)
            yield Reply(name, raw, own, quoted)


def _manners(program: Program, original: tuple[str, ...]) -> Iterator[tuple[str, list[str], tuple[str, ...]]]:
    """Name, lines of the body and own lines of each manner; for HTML the lines above the quotation only."""
    if program.html:
        yield "above", list(ORDERS), ORDERS
        yield "a word above", ["READY"], ("READY",)
        return
    quoted = [f"{program.mark}{line}".rstrip() if program.mark.strip() else line for line in original]
    intro = program.intro.split("\n")
    if program.joined:
        intro, quoted = [*intro[:-1], intro[-1] + quoted[0]], quoted[1:]
    sign = ["", *program.sign.strip("\n").split("\n")] if program.sign else []
    yield "above", [*ORDERS, *sign, "", *intro, *quoted], ORDERS
    yield "right above", [*ORDERS, *sign, *intro, *quoted], ORDERS
    yield "a blank line before the quotation", [*ORDERS, *sign, "", *intro, "", *quoted], ORDERS
    if not program.mark:
        return
    yield "below", [*intro, *quoted, "", *ORDERS], ORDERS
    half = len(quoted) // 2
    yield "between", [*intro, *quoted[:half], "", *ORDERS, "", *quoted[half:]], ORDERS
    edited = [line.replace("A PIC-PAR", EDITED) for line in quoted]
    yield "an edited line", ["READY", "", *intro, *edited], ("READY",)
    if "\n" not in program.intro and not program.intro.startswith(">") and any(map(str.isdigit, program.intro)):
        yield "a long answer before the quotation", [*intro, "", *_MANY, *ORDERS, "", *quoted], (*_MANY, *ORDERS)


def _in_html(program: Program, lines: list[str], original: tuple[str, ...]) -> str:
    own, quote = ("<br>".join(map(html.escape, part)) for part in (lines, original))
    return program.html.replace("{own}", own).replace("{quote}", quote)
