"""Times that people name in wishes: how long, when, how often, and what mail they want then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from gm import patterns as re
from gm.clock import COUNTS, parse_duration, parse_time, parse_when
from gm.commands.context import Context
from gm.errors import NotUnderstood
from gm.parsing.days import A_DATE, last_day
from gm.parsing.questions import (
    begins_because,
    clauses,
    is_reason,
    is_too_much,
    only_asks,
    requests,
    wonders,
)
from gm.time_words import in_english

WEEKDAY = re.compile(r"(?:next )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b", re.I)
CLOCK = re.compile(
    r"\b(?:(?:[01]?\d|2[0-3]):[0-5]\d(?!\d|[ap]m\b)|(?:0?[1-9]|1[0-2])(?:[:.][0-5]\d)? ?[ap]m\b)", re.IGNORECASE
)
"""What is a time of the day: no `24:30`, no `13 pm`."""
_NOON = re.compile(r"\bnoon\b", re.IGNORECASE)


def clock_in(text: str) -> re.Match[str] | None:
    """The time of the day that a text names first."""
    return CLOCK.search(_NOON.sub("12:00", in_english(text)))


A_DEADLINE = re.compile(
    r"(?<!\bno )\bdeadlines?\b[^.,;!?]{0,80}?\b(?:to|until|till|(?:should|shall|must|will|is to|are to|has to) be)\b",
    re.IGNORECASE,
)
"""What says when a deadline is to be: `the deadline should be 8 December`."""
_HOURS = {"h": 1, "d": 24, "w": 168}
_SPAN = re.compile(
    rf"\b(?<![a-z]-)(?P<count>\d{{1,3}}|(?:another|{'|'.join(COUNTS)})(?=[ ]))[ ]*"
    r"(?:(?:more|extra|further|additional|weitere\w?|mehr)[ ]+)?(?P<unit>(?:hours?|h(?:rs?)?|days?|d|weeks?|w))\b",
    re.IGNORECASE,
)
_MAIL = (("mail=text", re.compile(r"\b(?:plain|html|(?:nur|only|just|seulement).{0,12}text\w?)\b", re.IGNORECASE)),)
"""What mail one wants, by the words for it."""
_REMINDER = r"(?:remind|erinner|rappel)\w*(?! (?:me |mich |moi )?(?:of|an|de)\b)"
_NO = (
    r"\b(?:(?:without|no|not|don['’]?t|never|stop|leave out|omit|skip|drop|ohne|keine?n?|nicht|sans|sin|senza|zonder"
    r"|geen)(?: (?!forget|verg|oubli)[\w’']+){0,4}|(?:pas besoin|plus)(?: (?:de|des|la|les|recevoir|envoyer))+"
    r"|(?<!ai )(?<!a )pas de) "
)
_OUT = r"\b(?: [\w’']+){0,3} (?:weg|weglassen|weglasst|nicht mehr|out|off)\b"


def _left_out(words: str) -> re.Pattern[str]:
    """What does without some mail, by the words for it: `no maps please`, `die Karte weglassen`."""
    return re.compile(rf"{_NO}{words}|\b{words}{_OUT}", re.IGNORECASE)


_NONE = (
    ("maps=none", _left_out(r"(?:pictures?|maps?|images?|bilder|karten?|cartes?|mapas?|mapp[ae]|kaart(?:en)?)\b")),
    ("remind=none", _left_out(rf"(?:{_REMINDER}|recordatori\w*|promemoria|herinner\w*)")),
)
_DAILY = (
    ("desk", re.compile(r"\b(?:desk|dashboard|overview)\b", re.IGNORECASE)),
    ("digest", re.compile(r"\bdigest\b|\b(?:one|a single) mail (?:a|per|each|every) day\b", re.IGNORECASE)),
)
"""What comes once a day at a time that one chooses, by the words for it."""


def of_mail(text: str, clock: re.Match[str] | None) -> Iterator[str]:
    """What mail somebody wants, and when, as options."""
    yield from (one for one, asked in (*_MAIL, *_NONE) if asked.search(text))
    yield from _reminded(text)
    yield from _daily(text, clock)


def leaves_out(text: str) -> bool:
    """Whether a wish does without some mail that comes otherwise."""
    return any(left.search(text) for _, left in _NONE) and not is_reason(text)


def is_of_mail(text: str) -> bool:
    """Whether a wish says which mail is not to come, or how long before something mail is to come."""
    return not only_asks(text) and (leaves_out(text) or (requests(text) and any(_reminded(text))))


def _daily(text: str, clock: re.Match[str] | None) -> Iterator[str]:
    if clock is not None:
        yield from (f"{option}={time_of(clock)}" for option, asked in _DAILY if asked.search(text))


def _reminded(text: str) -> Iterator[str]:
    """When a player wants to be reminded: `remind me a day and again 6 hours before`."""
    said = in_english(text)
    if (_REMINDS.search(said) is None and _LETS_KNOW.search(said) is None) or leaves_out(text):
        return
    if _AHEAD.search(said) is not None and (spans := [*_SPAN.finditer(_A_SPAN.sub("1 ", said))]):
        yield f"remind={','.join(dict.fromkeys(f'{_hours(found)}h' for found in spans))}"


_REMINDS = re.compile(rf"\b{_REMINDER}", re.IGNORECASE)
_LETS_KNOW = re.compile(
    r"\b(?:note|mail|e-mail|message|line|word|ping|nudge|poke|alert|warning|warn|heads-?up|nachricht|bescheid|zettel"
    r"|hinweis|mot|mél|prévenez|préviens|prévenir|averti\w*|know)\b",
    re.IGNORECASE,
)
"""What wants some mail, `send me a little note`, of which it must say how long before something."""
_AHEAD = re.compile(r"\b(?:before|b4|earlier|ahead|in advance|vor(?:her)?|avant)\b", re.IGNORECASE)
_A_SPAN = re.compile(
    r"\b(?:an?|one|ein(?:e|en)?|une?) (?=(?:hour|day|week)s?\b)|\bthe (?=(?:hour|day|week) before\b)", re.IGNORECASE
)


def time_of(clock: re.Match[str]) -> str:
    return f"{parse_time(clock[0].replace(' ', '')):%H:%M}"


def times_left_out(text: str, lines: Sequence[str], today: date) -> Iterator[str]:
    """The lengths of time and the dates that a text names, but for those in reasons and questions, which are in none of
    these lines for it.
    """
    lengths = {_hours(found) for line in lines for found in _SPAN.finditer(in_english(line))}
    ends = any(_ENDS_ON.search(line) for line in lines)  # for which a length may stand
    days = {last_day(part, today) for line in lines for part in (line, *line.split(".."))}
    for clause in clauses(text):
        states = is_reason(clause) and not _MORE_TIME.search(clause)
        if states or any(says(clause) for says in (begins_because, wonders, is_too_much, _OTHERS_WISH.search)):
            continue
        if not ends:
            yield from (found[0] for found in _SPAN.finditer(in_english(clause)) if _hours(found) not in lengths)
        if (named := A_DATE.search(clause)) is not None and last_day(clause, today) not in days:
            yield named[0]


_OTHERS_WISH = re.compile(
    r"\A(?!\W*(?:please|i|we|can|could|would)\b).{0,60}\b(?:need(?:s|ed)?|want(?:s|ed)?|ask(?:s|ed)|requested)\b"
    r"|\b(?:instead of|rather than)\b",
    re.IGNORECASE,
)
"""What somebody else wants, or was not meant: `they need three days`, of which less may be given."""
_MORE_TIME = re.compile(r"\b(?:more|extra|longer|additional|grace|accepted)\b", re.IGNORECASE)
"""What makes a statement a wish for time: `everybody gets two days more`."""
_ENDS_ON = re.compile(r"\b(?:UNTIL|DEADLINE|TO)\b")


def _hours(found: re.Match[str]) -> int:
    count = found["count"].lower()
    return int(COUNTS.get(count, "1" if count == "another" else count)) * _HOURS[found["unit"][0].lower()]


def hours_in(text: str) -> str:
    """How much longer a sentence wants: `48h` of `two more days`, `+48h`; "" if it says none."""
    found = _SPAN.search(in_english(text))
    return f"{_hours(found)}h" if found is not None else ""


def hours_until(ctx: Context, due: datetime | None) -> str:
    """By how much the deadline would have to move: `36h`; "" if that is not known, or if it would be no later."""
    before = ctx.game.due_at if ctx.game is not None else None
    hours = -(-(due - before) // timedelta(hours=1)) if due is not None and before is not None else 0
    return f"{hours}h" if hours > 0 else ""


def is_span(time_said: str) -> bool:
    with suppress(NotUnderstood):
        parse_duration(time_said.removeprefix("+"))
        return True
    return False


def is_moment(ctx: Context, time_said: str) -> bool:
    """Whether it is read as a moment, as EXTEND UNTIL reads it: with a time of day of its own, or the usual one."""
    for words in (time_said, f"{time_said} 12:00"):
        with suppress(NotUnderstood):
            parse_when(words, ctx.now, ZoneInfo("UTC"))
            return not is_span(time_said)
    return False
