"""Options of a game in people's own words: `no turns at weekends`, `make the press grey`, `two days for the moves`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.clock import COUNTS

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
    ("press=grey", r"\b(?:gr[ea]y|anonym\w*|unsigned)\b.{0,20}\b(?:press|letters|messages)"
                   r"|\b(?:press|letters|messages)\b.{0,30}\b(?:gr[ea]y|anonym\w*|unsigned)\b"),
    ("press=none", rf"\b{_OFF}\b.{{0,14}}\bpress\b|\bpress\b.{{0,20}}\b(?:off|none)\b"),
    ("start=full", r"\b(?:start|begin)\w*\b.{0,40}\b(?:full|complete|all (?:the )?(?:seats|powers))\b"
                   r"|\b(?:start|begin)\w*\b.{0,30}\b(?:by itself|automatic\w*|on its own)\b"),
    ("days=mon-fri", r"\b(?:no|never|not|without)\b.{0,40}\b(?:weekends?|saturdays?.{0,5}sundays?)\b"
                     r"|\bweekends? (?:are |be )?(?:off|free)\b"),
    ("progress=yes", r"\b(?:see|show|know)\b.{0,40}\b(?:has ordered|who ordered|orders are in|has sent|have sent)\b"),
    ("anonymous=yes", r"\bhide\b.{0,20}\b(?:names|players)\b|\banonymous (?:game|players)\b"),
    ("release=gm", r"\b(?:see|check|look at) (?:the |all )?results\b.{0,20}\b(?:first|before|myself)\b"
                   r"|\b(?:hold|keep|send)\b.{0,20}\bresults\b.{0,30}\b(?:until|till|only (?:when|after|if)) I\b"),
    ("early=orders", r"\b(?:as soon as|once|when)\b.{0,20}"
                     r"\b(?:ordered|orders? (?:are|is) in|(?:have|has)(?: sent)? orders)\b"),
    ("standins=yes", r"\bstand-?ins\b|\b(?:bots|computers|the (?:program|computer|ai))\b"),
)  # fmt: skip
"""The words for an option with its value."""
_LASTS = tuple(
    (name, re.compile(words, re.I))
    for name, words in (
        (
            "move",
            r"(?<!winter )(?<!retreat )(?<!build )(?<!adjustment )\b(?:moves?|movements?|turns?|phases?|seasons?)\b",
        ),
        ("retreat", r"\bretreats?\b"),
        ("adjust", r"\b(?:builds?|winters?|adjustments?|removals?)\b"),
        ("grace", r"\bgrace\b"),
        ("reminder", r"\bremind\w*"),
    )
)
"""The words for an option whose value is a length of time."""


def options_in(text: str) -> Iterator[str]:
    """The options that a sentence gives, each as SET and CREATE take it. Of as many lengths of time as options each has
    its own; otherwise an option has the one nearest to its word.
    """
    given = [option for option, words in _WORDS if re.search(words, text, re.I)]
    yield from {option.partition("=")[0]: option for option in reversed(given)}.values()  # the first of each
    spans = list(_SPAN.finditer(text))
    named = _named(text)
    groups = [[one] for one in named] if len(named) == len(spans) else _together(text, named)
    paired = len(groups) == len(spans)
    for number, group in enumerate(groups if spans else ()):
        begins, ends = group[0][1].start(), group[-1][1].end()
        nearest = min(spans, key=lambda one: max(one.start() - ends, begins - one.end()))
        span = spans[number] if paired else nearest
        count = span["count"].strip(" -").lower()
        hours = COUNTS.get(count, count) + span["unit"][0].lower()
        yield from (f"{one}={hours}" for names, _ in group for one in names.split())
    if not spans and re.search(rf"\b{_OFF}\b.{{0,14}}\bgrace\b", text, re.I):
        yield "grace=none"


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
            count = span["count"].strip(" -").lower()
            rest = f"{text[: span.start()]}{text[span.end() :]}"
            return COUNTS.get(count, count) + span["unit"][0].lower(), rest
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
