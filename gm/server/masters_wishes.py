"""The lines for what people want in their own words: with the power, the address and the time of the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from zoneinfo import ZoneInfo

from gm.clock import parse_duration, parse_when
from gm.commands.context import Context
from gm.commands.dashboard import missing
from gm.errors import NotUnderstood
from gm.games.report_inputs import to_play_again
from gm.games.snapshot import holders
from gm.mail.message.addresses import parse_address
from gm.parsing.days import last_day, two_days
from gm.parsing.likely_commands import OF_DAY, time_in
from gm.parsing.questions import Wanted
from gm.parsing.sayings import MASTERS

_LINES: Mapping[Wanted, tuple[str, ...]] = MappingProxyType({
    Wanted.GM_EXTEND: (
        "EXTEND {span}", "EXTEND UNTIL {moment}", "SET holidays={days}", "EXTEND UNTIL {day}", "EXTEND 24h"
    ),
    Wanted.GM_DEADLINE: ("EXTEND {more}", "DEADLINE {when}", "DEADLINE {day}"),
    Wanted.GM_PROCESS: ("PROCESS",),
    Wanted.GM_DASHBOARD: ("DASHBOARD",),
    Wanted.GM_REMIND: ("PRESS TO {powers}\nYour orders are due.\nENDPRESS", "DASHBOARD"),
    Wanted.GM_PAUSE: ("SET holidays={days}", "PAUSE UNTIL {day}", "PAUSE"),
    Wanted.GM_SET: ("SET holidays={days}", "SET at={clock}"),
    Wanted.GM_RESUME: ("RESUME",),
    Wanted.GM_RELEASE: ("RELEASE",),
    Wanted.GM_PREVIEW: ("PREVIEW",),
    Wanted.GM_REPLACE: ("REPLACE {power} WITH {address}",),
    Wanted.GM_INVITE: ("INVITE {address}",),
    Wanted.GM_EJECT: ("EJECT {power}",),
    Wanted.GM_DENY: ("DENY {address}",),
    Wanted.GM_DUMMY: ("DUMMY {power}",),
    Wanted.GM_STANDIN: ("EJECT {player}\nSTANDIN {player}", "STANDIN {power}"),
    Wanted.GM_ACCEPT_LATE: ("ACCEPT LATE {power}", "ACCEPT LATE"),
    Wanted.GM_ROLLBACK: ("ROLLBACK {last}",),
    Wanted.GM_UNDO: ("UNDO",),
    Wanted.GM_TERMINATE: ("TERMINATE {game}",),
    Wanted.GM_DRAW: ("DRAW {game} {powers}", "DRAW {game}"),
    Wanted.GM_START: ("START",),
    Wanted.GM_MUSTER: ("MUSTER",),
    Wanted.GM_PROMOTE: ("PROMOTE {assistant} AS ASSISTANT", "PROMOTE {address}"),
    Wanted.GM_REVEAL: ("REVEAL",),
    Wanted.GM_LOG: ("LOG",),
    Wanted.EXTEND: ("EXTEND {hours}", "EXTEND 24h"),
    Wanted.ADDRESS: ("ADDRESS {address}",),
    Wanted.DEPUTY: ("DEPUTY {address}",),
    Wanted.SETTINGS: ("PREFERENCES {mail}", "HELP PREFERENCES"),
})  # fmt: skip
"""The first of which all parts are in the sentence, and which is read without a fault, is the line; otherwise HELP."""
_SHOWS = frozenset(("HELP", "DASHBOARD", "PREVIEW", "LOG"))
_ALL_GAMES = re.compile(
    r"\beverything\b|\b(?:all|every|any|each)\b.{0,20}\bgames?\b"
    r"|\b(?:alle[nr]?|jede\w*)\b.{0,20}\b(?:partien?|spiele?n?)\b",
    re.I,
)
_ASSISTS = re.compile(r"\b(?:assist\w*|helper|help me|assistent\w*|helfer\w*)\b", re.I)
_CLOCK = re.compile(r"\b\d{1,2}:\d\d\b")
_PART = re.compile(r"\{(\w+)\}")


_COUNTED = {
    name: number
    for number, names in enumerate(
        ("a one ein einen eine un une", "two zwei deux", "three drei trois", "four vier quatre", "five fünf cinq"), 1
    )
    for name in names.split()
}
_UNITS = {
    "day": 24,
    "tag": 24,
    "jour": 24,
    "week": 168,
    "woche": 168,
    "semaine": 168,
    "hour": 1,
    "stunde": 1,
    "heure": 1,
}
_SPAN = re.compile(
    rf"\b(?P<count>\d{{1,3}}|{'|'.join(_COUNTED)})[ ]+(?:(?:more|extra|further|additional|weitere\w?|mehr)[ ]+)?"
    rf"(?P<unit>{'|'.join(_UNITS)})",
    re.IGNORECASE,
)
_MAIL = (
    ("mail=text", re.compile(r"\b(?:plain|html|(?:nur|only|just|seulement).{0,12}text\w?)\b", re.IGNORECASE)),
    (
        "maps=none",
        re.compile(
            r"\b(?:without|no|ohne|keine?|sans)\b.{0,30}\b(?:pictures?|maps?|images?|bilder|karten?|cartes?)\b",
            re.IGNORECASE,
        ),
    ),
)
"""What mail one wants, by the words for it."""


def hours_in(text: str) -> str:
    """How much longer a sentence wants: `48h` of `two more days`; "" if it says none."""
    found = _SPAN.search(text)
    if found is None:
        return ""
    count = found["count"].lower()
    return f"{int(_COUNTED.get(count, count)) * _UNITS[found['unit'].lower()]}h"


OF_PLAYERS = frozenset(want for want in _LINES if not want.name.startswith(MASTERS))
"""Those of them that players have, too."""


def changes(line: str) -> bool:
    """Whether a line for a wish does more than show something."""
    return line.partition(" ")[0] not in _SHOWS


def line_of(ctx: Context, want: Wanted, text: str, powers: Sequence[str]) -> str:
    """The line that does it, in all games if the text says so; of what needs more than the sentence has, and what has
    several lines, how it is written. At the server's own address, where no game is named, it shows the games.
    `powers`: those that the sentence names.
    """
    line = _in_a_game(ctx, want, text, powers)
    if (
        not want.name.startswith(MASTERS)
        or line.startswith("HELP ")
        or (ctx.seat is not None and not _ALL_GAMES.search(text))
    ):
        return line
    everywhere = changes(line) and "\n" not in line and _ALL_GAMES.search(text)
    return f"ALL GAMES: {line}" if everywhere else "DASHBOARD"


def _in_a_game(ctx: Context, want: Wanted, text: str, powers: Sequence[str]) -> str:
    told = time_in(text)
    today = ctx.now.date()
    day, days, clock = last_day(text, today), two_days(text, today), _CLOCK.search(text)
    parts = {
        "power": powers[0] if len(powers) == 1 else "",
        "powers": ", ".join(powers or (missing(ctx) if want is Wanted.GM_REMIND else ())),
        "game": ctx.game_name,
        "player": powers[0] if len(powers) == 1 and _has_player(ctx, powers[0]) else "",
        "address": _address_in(text),
        "assistant": _address_in(text) if _ASSISTS.search(text) else "",
        "when": "" if told.isdigit() else told,
        "moment": told if OF_DAY.search(told) and _is_moment(ctx, told) else "",
        "span": told.removeprefix("+") if _is_span(told) else "",
        "more": told.removeprefix("+") if told.startswith("+") and _is_span(told) else "",
        "day": day.isoformat() if day is not None else "",
        "days": f"{days[0]}..{days[1]}" if days is not None else "",
        "clock": clock[0] if clock is not None else "",
        "last": _last_phase(ctx),
        "hours": hours_in(text),
        "mail": " ".join(option for option, asked in _MAIL if asked.search(text)),
    }
    known = (line for line in _LINES.get(want, ()) if all(parts[part] for part in _PART.findall(line)))
    return next(_read(ctx, (line.format(**parts) for line in known)), f"HELP {title_of(want)}")


def title_of(want: Wanted) -> str:
    """The title of the command that does it."""
    return want.name.removeprefix(MASTERS).replace("_", " ")


def _read(ctx: Context, lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        with suppress(NotUnderstood):
            if "\n" in line or ctx.commands.reader.read(line, ctx.lexicon) is not None:
                yield line


def _is_span(told: str) -> bool:
    with suppress(NotUnderstood):
        parse_duration(told.removeprefix("+"))
        return True
    return False


def _is_moment(ctx: Context, told: str) -> bool:
    """Whether it is read as a moment, as EXTEND UNTIL reads it: with a time of day of its own, or the usual one."""
    for words in (told, f"{told} 12:00"):
        with suppress(NotUnderstood):
            parse_when(words, ctx.now, ZoneInfo("UTC"))
            return not _is_span(told)
    return False


def _has_player(ctx: Context, power: str) -> bool:
    """Whether somebody plays the power in the game of the mail."""
    seats = ctx.game.players if ctx.game is not None else ()
    return any(seat.power == power for seat, _ in holders(seats))


def _last_phase(ctx: Context) -> str:
    """The code of the phase that was played last, "" before any was."""
    played = to_play_again(ctx.tx.session, ctx.game) if ctx.game is not None else ()
    return played[-1].code if played else ""


def _address_in(text: str) -> str:
    """The first mail address in a text, "" if there is none."""
    found = (parse_address(word.strip(",;:.()<>")) for word in text.split() if "@" in word)
    return next((one.address for one in found if one is not None), "")
