"""Options of a game in people's own words: `no turns at weekends`, `make the press grey`, `two days for the moves`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from gm import patterns as re
from gm.clock import COUNTS, write_days
from gm.errors import NotUnderstood
from gm.options.table import BY_NAME
from gm.time_words import WEEK, with_units

_SPAN = re.compile(
    rf"\b(?P<count>\d{{1,3}}(?:[ -]?)|(?:{'|'.join(COUNTS)})[ -])(?P<unit>d(?:ays?)?|h(?:ours?)?|w(?:eeks?)?)\b",
    re.IGNORECASE,
)
_OFF = r"(?:no|without|off|stop|disable|ban|forbid|remove|abolish)"
_NOT = rf"{_OFF}|not|never|nobody|end"
_WORDS = (
    ("press=white", rf"\b(?:{_NOT})\b.{{0,30}}\b(?:anonym\w*|unsigned|gr[ea]y)\b"
                    r"|\bsigned\b.{0,20}\bonly\b|\bonly signed\b"
                    r"|\b(?:allow|permit|turn on) (?:the )?(?:press|letters)\b"
                    r"|\b(?:press|letters)\b.{0,20}\b(?:again|back on|white)\b|\bwhite press\b"),
    ("press=grey", r"\b(?:gr[ea]y|anonym\w*|unsigned)\b"
                   r"(?:(?!\b(?:games?|no|without)\b).){0,20}\b(?:press|letters|messages)"
                   r"|\b(?:press|letters|messages)\b.{0,30}\b(?:gr[ea]y|anonym\w*|unsigned)\b"),
    ("press=none", rf"\b{_OFF}\b.{{0,14}}\bpress\b|\bpress\b.{{0,20}}\b(?:off|none)\b|\bgunboat\b"),
    ("start=full", r"\b(?:start|begin)\w*\b.{0,40}\b(?:full|complete|all (?:the )?(?:seats|powers))\b"
                   r"|\b(?:start|begin)\w*\b.{0,30}\b(?:by itself|automatic\w*|on its own)\b"),
    ("days=mon-fri", r"\b(?:no|none|never|not|without)\b.{0,40}\bweekends?\b"
                     r"|\bweekends? (?:are |be )?(?:off|free)\b"),
    ("progress=yes", r"\b(?:see|show|know)\b.{0,40}\b(?:has ordered|who ordered|orders are in|has sent|have sent)\b"),
    ("anonymous=yes", r"\bhide\b.{0,20}\b(?:names|players)\b"
                      r"|\banonymous (?:[\w-]{1,20} ){0,2}(?:games?|players|duels?)\b"
                      r"|\bgunboat\b|(?:\A|[,;]|\band)[ ]?(?:fully )?anonymous\b(?=[ ]*(?:[,.;!]|and\b|\Z))"),
    ("release=gm", r"\b(?:see|check|read|review|look at|show|sent?d?|get) (?:me )?(?:the |all |each |every )?results?\b"
                   r".{0,20}\b(?:first|before|myself)\b|\bresults?\b.{0,20}\bto me first\b"
                   r"|\b(?:hold|keep|send)\b.{0,20}\bresults\b.{0,30}\b(?:until|till|only (?:when|after|if)) I\b"),
    ("listed=no", r"\b(?:off|from|not|hide|out of|without|no)\b.{0,24}\b(?:list(?:ed)?(?: of games)?|gallery)\b"),
    ("early=orders", r"\b(?:as soon as|once|when)\b.{0,20}"
                     r"\b(?:ordered|orders? (?:are|is) in|(?:have|has)(?: sent)? orders)\b"
                     r"|\b(?:not|never|don't) wait\b.{0,12}\bdeadline\b"),
    ("early=no", r"\b(?:off|no|without|never|not|don't)\b.{0,12}\bearly (?:end\w*|adjudicat\w+|process\w*)\b"
                 r"|\b(?:always|never|not|only|don't)\b.{0,24}"
                 r"(?<!day )(?<!days )(?<!hour )(?<!hours )\b(?:until|before|at) the deadlines?\b"),
    ("draw=none", rf"\b{_OFF} (?:more )?draws?\b|\bdraws? (?:are|is|should be|must be) (?:forbidden|banned|off)\b"
                  r"|\bdraws? (?:are|is|should) (?:not|never) (?:be )?(?:allowed|possible|permitted)\b"),
    ("motions=none", r"\b(?:no|without) (?:more )?(?:motions|votes? (?:on|about|for) (?:extensions?|pauses?|more time))"
                     r"|\bonly (?:i|the gm|the gamemaster) (?:can |may )?(?:decides?|extends?|pauses?)\b"),
    ("concede=no", rf"\b{_OFF} (?:more )?(?:concessions?|conceding)\b"
                   r"|\b(?:not|cannot|can't|nobody (?:can|may)) concede\b"),
    ("standins=yes", r"\bstand-?ins\b|\b(?:bots|computers|the (?:program|computer|ai))\b"),
)  # fmt: skip
"""The words for an option with its value."""
_LASTS = tuple(
    (name, re.compile(words, re.I))
    for name, words in (
        (
            "move",
            r"(?<!this )(?<!that )(?<!winter )(?<!retreat )(?<!build )(?<!adjustment )"
            r"\b(?<!before a )(?<!before the )(?:moves?|movements?|turns?|phases?|seasons?)\b",
        ),
        ("retreat", r"\bretreats?\b"),
        ("adjust", r"\b(?:builds?|winters?|adjustments?|removals?)\b"),
        (
            "grace",
            r"\bgrace\b|\b(?:patience|leeway|tolerance|geduld|kulanz) (?:after|nach)\b"
            r"|\blate (?:orders?|sets?)\b(?=.{0,30}\b(?:for|within|up to|until)\b)",
        ),
        ("reminder", r"\bremind\w*"),
    )
)
"""The words for an option whose value is a length of time."""


def options_in(text: str) -> Iterator[str]:
    """The options that a sentence gives, each as SET and CREATE take it. Of as many lengths of time as options each has
    its own; otherwise an option has the one nearest to its word.
    """
    quiet = [*_quiet(text), *_spelled(text)]
    text = _WRITTEN.sub("", text)
    text = _as_change(with_units(_PRESS_THEN.sub("", text)))
    text = _OF_SEVERAL.sub(r"\g<count> \g<unit>", text) if _REMINDS.search(text) else text
    given = [*quiet, *_week(text), *filter(None, (_given(option, words, text) for option, words in _WORDS))]
    yield from {option.partition("=")[0]: option for option in reversed(given)}.values()  # the first of each
    spans = list(_SPAN.finditer(text))
    named = _named(text)
    listed = _listed(text, named, spans)
    if listed:
        yield f"reminder={','.join(map(_length, listed))}"
        spans, named = [one for one in spans if one not in listed], [one for one in named if one[0] != "reminder"]
    groups = [[one] for one in named] if len(named) == len(spans) else _together(text, named)
    paired = len(groups) == len(spans)
    for number, group in enumerate(groups if spans else ()):
        begins, ends = group[0][1].start(), group[-1][1].end()
        nearest = min(spans, key=lambda one: max(one.start() - ends, begins - one.end()))
        span = spans[number] if paired else nearest
        sign, hours = _sign(text, span), _length(span)
        yield from (f"{one}={sign if one in _LENGTHS else ''}{hours}" for names, _ in group for one in names.split())
    if not spans and re.search(rf"\b{_OFF}\b.{{0,14}}\bgrace\b", text, re.I):
        yield "grace=none"


_REMINDS = re.compile(r"\bremind", re.IGNORECASE)
_OF_SEVERAL = re.compile(
    rf"\b(?P<count>\d{{1,3}}|{'|'.join(COUNTS)})"
    rf"(?=(?:(?:, ?| and |, and | & )(?:\d{{1,3}}|{'|'.join(COUNTS)})\b){{1,4}} ?(?P<unit>hours|days|weeks|h|d|w)\b)",
    re.IGNORECASE,
)
"""A count of several that have one unit: `48 and 12 hours`."""


def _length(span: re.Match[str]) -> str:
    count = span["count"].strip(" -").lower()
    return COUNTS.get(count, count) + span["unit"][0].lower()


def _listed(text: str, named: list[tuple[str, re.Match[str]]], spans: list[re.Match[str]]) -> Sequence[re.Match[str]]:
    """The lengths of time of the option that takes several, as a text lists them, if they are not those of as many
    options: `reminders 48 hours and 12 hours before the deadline`.
    """
    word = next((found for name, found in named if name == "reminder"), None)
    if word is None or len(named) == len(spans):
        return ()
    runs = list[list[re.Match[str]]]()
    for span in spans:
        if runs and _AND.fullmatch(text[runs[-1][-1].end() : span.start()]):
            runs[-1].append(span)
        else:
            runs.append([span])
    nearest = min(runs, key=lambda run: max(run[0].start() - word.end(), word.start() - run[-1].end()), default=[])
    return nearest if len(nearest) > 1 else ()


def _sign(text: str, span: re.Match[str]) -> str:
    """`+` or `-` of a length of time that is added to one there is, or taken from it: `two days more`, `shorter by a
    day`; "" of one that is all of it.
    """
    behind = _MORE_OR_LESS.match(text, span.end())
    if behind is None and _BY.search(text[: span.start()]) is None:
        return ""
    return "-" if _LESS.search(behind[0] if behind is not None else text) else "+"


def _as_change(text: str) -> str:
    """A text about all phases to come with what is added or taken behind the length of time: `two more days`."""
    return _BETWEEN.sub(r"\g<count> \g<unit> \g<more>", text) if _FROM_NOW_ON.search(text) else text


_LENGTHS = frozenset(("move", "retreat", "adjust", "grace"))
"""The options that are a length of time, which can be changed by another."""
_LESS_WORDS = r"less|fewer|shorter|quicker|faster|sooner"
_MORE_WORDS = r"more|extra|additional\w*|further|another|longer"
_MORE_OR_LESS = re.compile(rf"\s(?:{_LESS_WORDS}|{_MORE_WORDS}|off|on top)\b", re.IGNORECASE)
_LESS = re.compile(rf"\b(?:{_LESS_WORDS}|off|short\w*|reduc\w*|cut|decreas\w*|lower\w*)\b", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|add(?:ing)?|cut(?:ting)?) \Z", re.IGNORECASE)
_BETWEEN = re.compile(
    rf"(?P<count>\b(?:\d{{1,3}}|{'|'.join(COUNTS)})) (?P<more>{_LESS_WORDS}|{_MORE_WORDS})"
    r" (?P<unit>days?|hours?|weeks?)\b",
    re.IGNORECASE,
)
_FROM_NOW_ON = re.compile(
    r"\b(?:from now on|in (?:the )?future|always|each|every|permanent\w*|for good|generally|henceforth)\b",
    re.IGNORECASE,
)


def _given(option: str, words: str, text: str) -> str:
    """An option whose words a text has; what is `yes` as `no` behind a word that denies it; "" if it has none."""
    found = re.search(words, text, re.I)
    if found is None:
        return ""
    denied = option.endswith("=yes") and _DENIES.search(text[: found.start()])
    return f"{option.partition('=')[0]}=no" if denied else option


def option_asked(text: str) -> str:
    """The option whose value a question asks for, and nothing else: `is press allowed?`, `how long are retreats?`; ""
    for any other.
    """
    asked = _ASKED.fullmatch(text.strip())
    if asked is None:
        return next((name for name, words in _IN_A_SENTENCE if words.search(text)), "")
    long = _HOW_LONG.search(text) is not None
    words = [*_NAMES, *(_LASTS if long else ())]
    return next((name for name, named in words if named.fullmatch(asked["word"])), "")


_NAMES = tuple(
    (name, re.compile(words, re.IGNORECASE))
    for name, words in (
        ("grace", "grace"), ("press", "press|letters|messages"), ("standins", "stand-?ins?|bots"),
        ("reminder", "reminders?"), ("extensions", "extensions?"), ("draw", "draws?"), ("motions", "motions?"),
        ("concede", r"conced\w+|concessions?"), ("anonymous", r"anonym\w+"), ("nmr", "nmr"), ("holidays", "holidays?"),
        ("days", "weekends?|weekdays?"), ("absence", "absences?"), ("ballots", "ballots?"), ("zone", "time ?zone"),
        ("early", "early"), ("progress", "progress"), ("release", "release"),
    )
)  # fmt: skip
"""The words by which a question names an option."""
_ASKED = re.compile(
    r"\W*(?:(?:and|so|also|btw)\b[ ,]*)?"
    r"(?:what(?:['’]s| is| are)|how (?:long|much|many)(?: (?:is|are|do|does))?"
    r"|(?:which|what) (?:kind|sort) of|(?:is|are|do|does|can|may|will) ?(?:there)?)"
    r"(?: (?:the|an?|any|our|each|all|players?|powers|we|they|people|have|get|on|at|present|current)){0,4}+"
    r" (?P<word>(?:time )?[\w-]+)"
    r"(?: (?:period|times?|phases?|rules?|options?|settings?|length|lasts?|players?|allowed|permitted|possible|set|on"
    r"|off|enabled|used|anonymous|anonymously|gr[ea]y|white|signed|plays?|playing|here|now|there|is|are|do|does|we|they"
    r"|have|at present|at the moment|in this game|in|between players|long)){0,5}+\W*",
    re.IGNORECASE,
)
_TIME_FOR = r"\bhow (?:long|much time|many (?:days|hours))\b[^.;?!]{0,40}?\b(?:for|to)\b[^.;?!]{0,12}?\b"
_IN_A_SENTENCE = (
    (
        "quiet",
        re.compile(
            r"\b(?:press|messages?|letters?|write|talk)\b[^.;?!]{0,40}\b(?:retreats?|builds?|winters?|adjustments?)\b",
            re.IGNORECASE,
        ),
    ),
    ("retreat", re.compile(rf"{_TIME_FOR}retreat", re.IGNORECASE)),
    ("build", re.compile(rf"{_TIME_FOR}(?:build|remov)", re.IGNORECASE)),
    (
        "reminder",
        re.compile(
            r"\A\W*(?:is|are|does|do|will)\b[^.;?!]{0,20}\b(?:somebody|anybody|anyone|someone|they|players|you|it|we)\b"
            r"[^.;?!]{0,12}\bremind(?:ed|ing|s)?\b",
            re.IGNORECASE,
        ),
    ),
)
"""What asks for an option without its name: `how long would I have for a retreat?`"""
_HOW_LONG = re.compile(r"\bhow long\b|\b(?:time|length)\b", re.IGNORECASE)


_DENIES = re.compile(
    rf"(?:\b{_OFF}\b|\bnot\b|n['’]t\b|\bnever\b"
    r"|\b(?:nobody|no[ -]?one|no player)(?= (?:must|may|can|should|shall|will|is|sees?|knows?)\b))[^.,;!?]{0,14}\Z"
    r"|\b(?:nobody|no[ -]?one|no player) \Z",
    re.IGNORECASE,
)
_WEEK = "(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?s?"
_DAYS_OF_PLAY = re.compile(
    rf"\bonly (?:fall |be |on |from |between )*{_WEEK} ?(?:to|till|until|through|and|-|\u2013) ?{_WEEK}\b",
    re.IGNORECASE,
)


def _week(text: str) -> Iterator[str]:
    """The option for the days of the week on which alone there are deadlines: `only from Monday to Friday`."""
    if (found := _DAYS_OF_PLAY.search(text)) is not None:
        yield f"days={found[1].lower()}-{found[2].lower()}"
    elif named := dict.fromkeys(found[1].lower() for found in _days_of_each_week(text)):
        never = re.search(rf"\b(?:{_NOT}|none)\b", text, re.IGNORECASE) is not None
        yield f"days={write_days(day for day, name in enumerate(WEEK) if (name in named) is not never)}"


def without_week(text: str) -> str:
    """A text without the days of the week on which alone there are deadlines, and without that it is so from now on."""
    each = _A_DAY_OF_WEEK if _SO_OFTEN.search(text) else _EACH_WEEK
    return _FROM_NOW.sub("", each.sub("", _DAYS_OF_PLAY.sub("", text)))


_FROM_NOW = re.compile(r"\bfrom (?:now|today|tomorrow|next week) on(?:wards?)?\b", re.IGNORECASE)
_EACH_WEEK = re.compile(rf"(?:(?<=every )|(?<=each )|\b(?=\w+days\b))({'|'.join(WEEK)})s?\b", re.IGNORECASE)
"""A day of each week: `on Mondays and Thursdays`, `every Friday`."""
_A_DAY_OF_WEEK = re.compile(rf"\b({'|'.join(WEEK)})\b", re.IGNORECASE)
_SO_OFTEN = re.compile(r"\b(?:once|twice|(?:two|three|2|3) times) (?:a|per|each|every) week\b", re.IGNORECASE)


def _days_of_each_week(text: str) -> Iterator[re.Match[str]]:
    """The days of the week that a text names for each: of `twice a week` all that it has."""
    return (_A_DAY_OF_WEEK if _SO_OFTEN.search(text) else _EACH_WEEK).finditer(text)


def _spelled(text: str) -> Iterator[str]:
    """The options that are named with a value of theirs: `motions should be none`, `the 2000 rulebook`."""
    for found in (one for way in (_WRITTEN, _WITH_VALUE, _BEHIND_VALUE) for one in way.finditer(text)):
        option, value = BY_NAME.get(found["name"].lower()), found["value"].lower()
        with suppress(NotUnderstood):
            if option is None:
                continue
            option.read(value)
            yield f"{option.name}={value}"


_WRITTEN = re.compile(r"(?<![\w-])(?P<name>[a-z]{2,20})=(?P<value>[^\s,;]*[^\s,;.])", re.IGNORECASE)
"""An option as SET takes it, which has no other length of time."""
_WITH_VALUE = re.compile(
    r"\b(?P<name>press|start|deadlines|nmr|motions|draw|concede|ballots|early|progress|release|standins|grace|reminder"
    r"|extensions|anonymous|listed|absence)"
    r"(?:(?: option)? (?:should|shall|must|to|is|be|on|as|at|needs to|has to)){0,3}+[ :=]++"
    r"(?P<value>[a-z]+)\b(?![=-])",
    re.IGNORECASE,
)
_BEHIND_VALUE = re.compile(r"\b(?P<value>[a-z\d]{3,9}+) (?P<name>rulebook|powers|ballots)\b", re.IGNORECASE)
"""A value that people put before its option: `the 2000 rulebook`."""


def _quiet(text: str) -> Iterator[str]:
    """The option for the phases that are to be without press."""
    for found in _PRESS_THEN.finditer(text):
        phases = ",".join(name for name, words in _QUIET if words.search(found[0]))
        if phases and re.search(rf"\b{_OFF}\b", text[: found.end()], re.I):
            yield f"quiet={phases}"


_PRESS_THEN = re.compile(
    r"(?:(?<![\w-])[\w-]{1,40}+ )?\b(?:press|letters|messages)\b"
    r"(?: (?:between|among|from|to|of) (?:the |all )?\w+| \w+)?"
    r" (?:(?:at|on|during|over|in|before|after|between) (?:the |a )?|(?=tomorrow|today))"
    r"(?:weekends?|nights?|evenings?|holidays?|christmas|retreats?|builds?|winters?|summers?|deadlines?"
    r"|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b"
    r"(?: (?:and|or|nor) (?:in |during )?(?:the )?(?:retreats?|builds?|winters?)\b)?",
    re.IGNORECASE,
)
"""Press at some times, which the option `press` does not have."""
_QUIET = (("retreats", re.compile(r"\bretreats?\b", re.I)), ("builds", re.compile(r"\b(?:build|winter)s?\b", re.I)))
"""The phases that can be without press."""
_THE_REST = re.compile(
    r"\b(?:(?:every|any)thing else|all (?:the )?(?:others?|rest)|the (?:rest|others?)|alles andere|le reste)\b",
    re.IGNORECASE,
)
"""What stands for the phases that a text does not name."""


def moves_every(text: str) -> tuple[str, str]:
    """The length of time that a text about a new game gives for nothing else than its moves, `with 48 hours`,
    `deadlines every three days`, "" if there is none; and the text without it.
    """
    named = [words for name, words in _LASTS if name != "move" and words.search(text)]
    moves = any(name == "move" for name, _ in _named(text))
    for span in _SPAN.finditer(text):
        near = text[max(span.start() - _NEAR, 0) : span.end() + _NEAR]
        every = _EVERY.search(text[: span.start()]) is not None
        if every or not (moves or any(words.search(near) for words in named)):
            rest = f"{text[: span.start()]}{text[span.end() :]}"
            return _length(span), rest
    return "", text


_EVERY = re.compile(r"\bevery[ ]\Z", re.IGNORECASE)
_NEAR = 24
"""What stands within so many characters may have the length of time."""


def _named(text: str) -> list[tuple[str, re.Match[str]]]:
    """The options that a text names, each once, in the order of their words."""
    found = [(name, named) for name, words in _LASTS if (named := words.search(text)) is not None]
    known = [name for name, _ in found]
    others = " ".join(one for one in ("move", "retreat", "adjust") if known and one not in known)
    rest = _THE_REST.search(text) if others else None
    return sorted([*found, (others, rest)] if rest else found, key=lambda one: one[1].start())


def _together(text: str, found: list[tuple[str, re.Match[str]]]) -> list[list[tuple[str, re.Match[str]]]]:
    """Those together between which nothing stands but `and`."""
    groups: list[list[tuple[str, re.Match[str]]]] = []
    for name, named in found:
        if groups and _AND.fullmatch(text[groups[-1][-1][1].end() : named.start()]):
            groups[-1].append((name, named))
        else:
            groups.append([(name, named)])
    return groups


_AND = re.compile(r"(?:,|&|\band\b|\bund\b|\bet\b|\bthe\b|\s)*", re.I)
