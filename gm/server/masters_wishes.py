"""The lines for what gamemasters want in their own words: with the power, the address and the time of the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType

from gm.clock import parse_duration
from gm.commands.context import Context
from gm.errors import NotUnderstood
from gm.games.report_inputs import to_play_again
from gm.mail.message.addresses import parse_address
from gm.parsing.days import last_day
from gm.parsing.likely_commands import time_in
from gm.parsing.questions import Wanted
from gm.parsing.sayings import MASTERS

_LINES: Mapping[Wanted, tuple[str, ...]] = MappingProxyType({
    Wanted.GM_EXTEND: ("EXTEND {span}", "EXTEND UNTIL {day}", "EXTEND 24h"),
    Wanted.GM_DEADLINE: ("DEADLINE {when}", "DEADLINE {day}"),
    Wanted.GM_PROCESS: ("PROCESS",),
    Wanted.GM_DASHBOARD: ("DASHBOARD",),
    Wanted.GM_REMIND: ("DASHBOARD",),
    Wanted.GM_PAUSE: ("PAUSE UNTIL {day}", "PAUSE"),
    Wanted.GM_RESUME: ("RESUME",),
    Wanted.GM_RELEASE: ("RELEASE",),
    Wanted.GM_PREVIEW: ("PREVIEW",),
    Wanted.GM_REPLACE: ("REPLACE {power} WITH {address}",),
    Wanted.GM_INVITE: ("INVITE {address}",),
    Wanted.GM_EJECT: ("EJECT {power}",),
    Wanted.GM_DENY: ("DENY {address}",),
    Wanted.GM_DUMMY: ("DUMMY {power}",),
    Wanted.GM_STANDIN: ("STANDIN {power}",),
    Wanted.GM_ACCEPT_LATE: ("ACCEPT LATE {power}", "ACCEPT LATE"),
    Wanted.GM_ROLLBACK: ("ROLLBACK {last}",),
    Wanted.GM_UNDO: ("UNDO",),
    Wanted.GM_TERMINATE: ("TERMINATE",),
    Wanted.GM_START: ("START",),
    Wanted.GM_MUSTER: ("MUSTER",),
    Wanted.GM_PROMOTE: ("PROMOTE {address}",),
    Wanted.GM_REVEAL: ("REVEAL",),
    Wanted.GM_LOG: ("LOG",),
})  # fmt: skip
"""The first of which all parts are in the sentence, and which is read without a fault, is the line; otherwise HELP."""
SHOWS = frozenset((Wanted.GM_DASHBOARD, Wanted.GM_REMIND, Wanted.GM_PREVIEW, Wanted.GM_LOG))
"""What changes nothing."""
_PART = re.compile(r"\{(\w+)\}")


def line_of(ctx: Context, want: Wanted, text: str, power: str) -> str:
    """The line that does it; of what needs more than the sentence has, and what has several lines, how it is written.
    `power`: the one that the sentence names, "" for none.
    """
    told = time_in(text)
    day = last_day(text, ctx.now.date())
    parts = {
        "power": power,
        "address": _address_in(text),
        "when": "" if told.isdigit() else told,
        "span": told if _is_span(told) else "",
        "day": day.isoformat() if day is not None else "",
        "last": _last_phase(ctx),
    }
    known = (line for line in _LINES.get(want, ()) if all(parts[part] for part in _PART.findall(line)))
    return next(_read(ctx, (line.format(**parts) for line in known)), f"HELP {title_of(want)}")


def title_of(want: Wanted) -> str:
    """The title of the command that does it."""
    return want.name.removeprefix(MASTERS).replace("_", " ")


def _read(ctx: Context, lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        with suppress(NotUnderstood):
            if ctx.commands.reader.read(line, ctx.lexicon) is not None:
                yield line


def _is_span(told: str) -> bool:
    with suppress(NotUnderstood):
        parse_duration(told)
        return True
    return False


def _last_phase(ctx: Context) -> str:
    """The code of the phase that was played last, "" before any was."""
    played = to_play_again(ctx.tx.session, ctx.game) if ctx.game is not None else ()
    return played[-1].code if played else ""


def _address_in(text: str) -> str:
    """The first mail address in a text, "" if there is none."""
    found = (parse_address(word.strip(",;:.()<>")) for word in text.split() if "@" in word)
    return next((one.address for one in found if one is not None), "")
