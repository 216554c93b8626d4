"""Headings that say for which phase orders are: `Spring 1901:`, `S1901M`, `TURKEY (A01) A(Con)-Bul`.

A heading on a line of its own holds for all that follows, up to the next one; before orders it holds for them and for
the lines right below. A year of two figures is the one nearest to the present; a season without a year is this year's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from gm.parsing.command_syntax import KINDS, SEASONS
from gm.parsing.folding import Script, fold
from gm.parsing.lexicon import Lexicon
from gm.position import Kinds, Phase, PhaseKind, Season


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a line under one heading: the line with blanks for all else, so that columns stay, and its phase.

    `alone`: there is a heading and nothing else, but words that go with one (`My orders for Spring 1901:`).
    """

    text: str
    phase: Phase | None = None
    alone: bool = False


def sections(line: str, lexicon: Lexicon, now: Phase) -> list[Section]:
    """The parts of a line, in order; the line as it is where it has no heading."""
    script = fold(line)
    found = list(_headings(script.folded, lexicon, now))
    if not found:
        return [Section(line)]
    made = [] if not found[0].begin else [Section(_only(script, 0, found[0].begin))]
    ends = [heading.begin for heading in found[1:]] + [len(script.folded)]
    for heading, end in zip(found, ends, strict=True):
        rest = script.folded[heading.end : end]
        alone = len(found) == 1 and all(word in _FILLER or lexicon.power(word) for word in _WORD.findall(rest))
        text = _only(script, heading.end, end)
        if heading.power is not None:
            begin, stop = heading.power
            text = _only(script, begin, stop)[: script.column(stop) - 1].rstrip() + ":"
            text += _only(script, heading.end, end)[len(text) :]
        made.append(Section(text, heading.phase, alone))
    return made


def moment(phase: Phase, kinds: Kinds) -> tuple[int, int, int]:
    """Where a phase stands in time, for comparing it with another of the same game."""
    return phase.year, kinds.seasons.index(phase.season), kinds.phases.index(phase.kind)


@dataclass(frozen=True, slots=True)
class _Heading:
    """A phase named from `begin` to `end` of a folded line; `power` is where one is named before it."""

    phase: Phase
    begin: int
    end: int
    power: tuple[int, int] | None = None


_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_KIND_WORDS = frozenset(word for word in KINDS if len(word) > 1)
_FILLER = _KIND_WORDS | frozenset(
    ("here", "are", "is", "my", "our", "the", "these", "this", "following", "follow", "follows", "below", "please",
     "order", "orders", "for", "of", "in", "on", "as", "turn", "season", "phase", "set", "find")
)  # fmt: skip
"""Words that go with a heading and are nothing else on its line."""


@cache
def _names(kinds: Kinds) -> tuple[Mapping[str, Season], re.Pattern[str]]:
    """The words for a game's seasons; and a phase named by its code or in words, in folded text."""
    by_letter = {season.letter: season for season in kinds.seasons}
    words = {word: by_letter[letter] for word, letter in SEASONS.items() if letter in by_letter}
    words |= {str(season): season for season in kinds.seasons}
    last = "".join(sorted({kind.letter.lower() for kind in kinds.phases} | {"b"}))
    first = "".join(sorted({letter.lower() for letter in by_letter} | {_AUTUMN}))
    kind = rf"(?:{'|'.join(sorted(_KIND_WORDS, key=len, reverse=True))}|turn|season|phase|orders?)"
    season, year = rf"(?:{'|'.join(words)})", r"'?\d{2,5}"
    return words, re.compile(
        rf"(?<![a-z0-9])(?P<open>[(\[][ ]*)?(?:"
        rf"(?P<letter>[{first}])[ ]?(?P<figures>\d{{2,5}})(?P<last>[{last}])?"
        rf"|(?P<season>{season})(?P<before>[ ,-]+{kind})?(?:[ ,]+(?:of[ ]+)?(?P<year>{year}))?(?P<behind>[ ,-]+{kind})?"
        rf"|(?P<first>{year})[ ,]+(?P<then>{season})(?P<kind>[ ,-]+{kind})?"
        r")(?![a-z0-9])(?:[ ]*[)\]])?(?P<mark>[ ]*(?::|[-=*]{2,}|[.,;-](?=[ ]|$)))?[ ]*"
    )


_AUTUMN = "a"
"""What begins a code of an Autumn, `(A01)`, in brackets or before a year of four figures: else it is an army."""


def _headings(folded: str, lexicon: Lexicon, now: Phase) -> Iterator[_Heading]:
    """The headings of a folded line, in order."""
    kinds, begun = lexicon.language.kinds, False
    for found in _names(kinds)[1].finditer(folded):
        if found["letter"] == _AUTUMN and not (found["open"] or len(found["figures"]) > 3):
            continue
        before = folded[: found.start()]
        leads = not begun and all(word in _FILLER for word in _WORD.findall(before))
        power = None if begun or leads else _power_in(before, lexicon)
        dated, colon = bool(found["figures"] or found["year"] or found["first"]), ":" in (found["mark"] or "")
        phase = _phase(found, kinds, now) if (dated and colon) or ((leads or power) and (dated or colon)) else None
        if phase is not None:
            yield _Heading(phase, 0 if leads or power else found.start(), found.end(), power)
            begun = True


def _power_in(text: str, lexicon: Lexicon) -> tuple[int, int] | None:
    """Where a power is named, when the text names one and says nothing else."""
    words = [word for word in _WORD.finditer(text) if word.group() not in _FILLER]
    if not words:
        return None
    begin, end = words[0].start(), words[-1].end()
    return (begin, end) if lexicon.power(text[begin:end]) else None


def _phase(found: re.Match[str], kinds: Kinds, now: Phase) -> Phase | None:
    """The phase that is named; None for a season or a kind that the game has not."""
    words = _names(kinds)[0]
    season = words.get(found["season"] or found["then"] or ("fall" if found["letter"] == _AUTUMN else ""))
    season = season or next((one for one in kinds.seasons if one.letter.lower() == found["letter"]), None)
    if season is None:
        return None
    year = _year((found["figures"] or found["year"] or found["first"] or "").lstrip("'"), now)
    said = [found[group] for group in ("before", "behind", "kind") if found[group]]
    kind = (found["last"] or "").upper().replace("B", "A") or next(
        (KINDS[word] for text in said if (word := text.strip(" ,-")) in KINDS), ""
    )
    chosen = next((one for one in kinds.phases if one.letter == kind), None)
    return Phase(year, season, chosen or _usual(season, year, now))


def _year(figures: str, now: Phase) -> int:
    if not figures:
        return now.year
    if len(figures) > 2 or now.year < 100:
        return int(figures)
    century = now.year - now.year % 100
    return min(
        (century + hundreds + int(figures) for hundreds in (-100, 0, 100)), key=lambda year: abs(year - now.year)
    )


def _usual(season: Season, year: int, now: Phase) -> PhaseKind:
    """What is meant where a season is named alone: the phase that is being played in it, else its first."""
    if (year, season) == (now.year, now.season):
        return now.kind
    return PhaseKind.ADJUSTMENT if season == Season.WINTER else PhaseKind.MOVEMENT


def _only(script: Script, begin: int, end: int) -> str:
    """The line as written where its folded form runs from `begin` to `end`; blanks before it, nothing behind."""
    start, stop = script.column(begin) - 1, script.column(end) - 1
    return " " * start + script.written[start:stop]
