"""Options of a game in people's own words: `no turns at weekends`, `make the press grey`, `two days for the moves`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gm.clock import COUNTS

_SPAN = re.compile(
    rf"\b(?P<count>\d{{1,3}}(?:[ -]?)|(?:{'|'.join(COUNTS)})[ -])(?P<unit>d(?:ays?)?|h(?:ours?)?)\b", re.IGNORECASE
)
_OFF = r"(?:no|without|off|stop|disable|ban|forbid|remove|abolish)"
_WORDS = (
    ("press=grey", r"\b(?:gr[ea]y|anonym\w*|unsigned)\b.{0,20}\b(?:press|letters|messages)"
                   r"|\b(?:press|letters|messages)\b.{0,30}\b(?:gr[ea]y|anonym\w*|unsigned)\b"),
    ("press=none", rf"\b{_OFF}\b.{{0,14}}\bpress\b|\bpress\b.{{0,14}}\boff\b"),
    ("start=full", r"\b(?:start|begin)\w*\b.{0,40}\b(?:full|complete|all (?:the )?(?:seats|powers))\b"),
    ("days=mon-fri", r"\b(?:no|never|not|without)\b.{0,40}\b(?:weekends?|saturdays?.{0,5}sundays?)\b"),
    ("progress=yes", r"\b(?:see|show|know)\b.{0,40}\b(?:has ordered|who ordered|orders are in|has sent|have sent)\b"),
    ("anonymous=yes", r"\bhide\b.{0,20}\b(?:names|players)\b|\banonymous (?:game|players)\b"),
    ("release=gm", r"\b(?:see|check|look at) the results (?:first|before)\b"),
    ("standins=yes", r"\bstand-?ins\b"),
)  # fmt: skip
"""The words for an option with its value."""
_LASTS = (
    ("move", r"\b(?:moves?|movements?|turns?|phases?|seasons?)\b"),
    ("retreat", r"\bretreats?\b"),
    ("adjust", r"\b(?:builds?|winters?|adjustments?|removals?)\b"),
    ("grace", r"\bgrace\b"),
)
"""The words for an option whose value is a length of time."""


def options_in(text: str) -> Iterator[str]:
    """The options that a sentence gives, each as SET and CREATE take it; a length of time is that of the options which
    are named beside it, up to the next one.
    """
    yield from (option for option, words in _WORDS if re.search(words, text, re.I))
    spans = list(_SPAN.finditer(text))
    for number, span in enumerate(spans):
        begins = spans[number - 1].end() if number else 0
        ends = spans[number + 1].start() if number + 1 < len(spans) else len(text)
        before, behind = text[begins : span.start()], text[span.end() : ends]
        behind = behind if number + 1 == len(spans) or not _named(before) else ""
        count = span["count"].strip(" -").lower()
        hours = COUNTS.get(count, count) + span["unit"][0].lower()
        own = _named(behind) if number or not _named(before) else _named(before)
        yield from (f"{name}={hours}" for name in own or _named(before))
    if not spans and re.search(rf"\b{_OFF}\b.{{0,14}}\bgrace\b", text, re.I):
        yield "grace=none"


def _named(text: str) -> list[str]:
    """The options whose words are in a text."""
    return [name for name, words in _LASTS if re.search(words, text, re.I)]
