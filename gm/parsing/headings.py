"""Names of phases, and headings that say which phase orders are for: `Spring 1901:`, `S1901M`, `TURKEY (A01)
A(Con)-Bul`.

A heading on a line of its own applies to everything below it, up to the next one; a heading before orders applies to
them and to the lines directly below. A year of two digits is the nearest to the present one; a season without a year is
this year's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

from gm.board import Power
from gm.parsing.lexicon import Lexicon, Script, fold
from gm.position import Kinds, Phase, PhaseKind, Season


@dataclass(frozen=True, slots=True)
class Section:
    """The part of a line under one heading, with blanks for the rest of the line, so that columns do not change; and
    its phase.

    `power` is the one that is named beside the phase. `alone`: the part has only a heading, perhaps with words that
    accompany one (`My orders for Spring 1901:`).
    """

    text: str
    phase: Phase | None = None
    alone: bool = False
    power: Power | None = None


ABBREVIATED = 3
"""The letters of an abbreviated season: `Aut. 1901`."""

_MOST_SECTIONS = 20


def sections(line: str, lexicon: Lexicon, now: Phase) -> list[Section]:
    """The parts of a line, in order; the whole line if it has no heading. What stands behind many is the last one's."""
    script = fold(line)
    found = list(islice(_headings(script.folded, lexicon, now), _MOST_SECTIONS))
    if not found:
        return [Section(line)]
    made = [] if not found[0].begin else [Section(_only(script, 0, found[0].begin))]
    ends = [heading.begin for heading in found[1:]] + [len(script.folded)]
    for heading, end in zip(found, ends, strict=True):
        rest = script.folded[heading.end : end]
        filler = _names(lexicon.language.kinds).filler
        alone = len(found) == 1 and all(word in filler or lexicon.power(word) for word in _WORD.findall(rest))
        made.append(Section(_only(script, heading.end, end), heading.phase, alone, heading.power))
    return made


def may_name_phase(line: str, lexicon: Lexicon) -> bool:
    """Whether something in the line looks like the name of a phase. Any other line is one section in every phase."""
    return _names(lexicon.language.kinds).named.search(fold(line).folded) is not None


def phase_code(words: str, kinds: Kinds) -> str | None:
    """The code of the phase that these words name, in a game with these kinds; only the letter for every phase of a
    special kind (`R`, `A`), `NOW` for the present phase; None when they name no phase.
    """
    text = fold(words).folded.strip(" .,:;")
    if text in ("now", "current", "present"):
        return "NOW"
    if found := _names(kinds).code.fullmatch(text.replace(" ", "")):
        return f"{found[1].upper()}{int(found[2])}{kinds.phases_by_word[found[3]].letter}"
    season = year = kind = None
    for word in re.split(r"[ ,]+", re.sub(r"^(?:any|every|all|the|next)[ ]+", "", text)):
        if word in kinds.seasons_by_word and season is None:
            season = kinds.seasons_by_word[word]
        elif re.fullmatch(r"\d{1,5}", word) and year is None:
            year = int(word)
        elif word in kinds.phases_by_word and kind is None:
            kind = kinds.phases_by_word[word]
        elif word not in ("of", "phase"):
            return None
    if season is None and year is None and kind not in (None, kinds.phases[0]):
        return kind.letter
    if season is None or year is None:
        return None
    return Phase(year, season, kind or kinds.first_in(season)).code


_ELSEWHERE = {
    "spring": "fruhling fruehling fruhjahr fruehjahr printemps primavera",
    "fall": "herbst automne otono autunno",
    "winter": "hiver invierno inverno",
}
"""Words for seasons in other languages, in sentences."""
_NEXT = r"next|nachste[nrsm]?|naechste[nrsm]?|prochaine?|proxim[oa]|prossim[oa]"
_AHEAD = re.compile(
    rf"(?<![a-z0-9])(?:(?:in|for|during|this|come|im|fur|fuer|diese[nsm]|en|au|a l'|pour|cet|ce)[ ]+(?:the[ ]+)?)?"
    rf"(?P<next>(?:{_NEXT})[ ]+)?(?P<word>[a-z]{{4,10}})(?![a-z0-9])"
)
_TURNS = frozenset(("turn", "season", "move", "round", "phase", "year", "runde", "zug", "saison", "tour", "jahr"))


def season_ahead(sentence: str, kinds: Kinds) -> tuple[Season | None, bool]:
    """The season of which a sentence speaks, `in the fall I want ...`, and whether it is the next one: of `next turn`
    None, and true.
    """
    for found in _AHEAD.finditer(fold(sentence).folded):
        word = next((name for name, words in _ELSEWHERE.items() if found["word"] in words.split()), found["word"])
        season, is_next = kinds.seasons_by_word.get(word), found["next"] is not None
        if season is not None or (is_next and word in _TURNS):
            return season, is_next
    return None, False


def one_phase(words: str, kinds: Kinds) -> str | None:
    """The code of the single phase, with season and year, that these words name; None for anything else."""
    code = phase_code(words, kinds)
    return code if code is not None and len(code) > 1 and code != "NOW" else None


def moment(phase: Phase, kinds: Kinds) -> tuple[int, int, int]:
    """A sort key: the order in which phases of the same game are played."""
    return phase.year, kinds.seasons.index(phase.season), kinds.phases.index(phase.kind)


def moment_of(code: str, kinds: Kinds) -> tuple[int, int, int]:
    """The same of a phase by its code."""
    return moment(kinds.phase_from_code(code), kinds)


@dataclass(frozen=True, slots=True)
class _Heading:
    """The name of a phase from `begin` to `end` of a folded line, and the power that is named beside it."""

    phase: Phase
    begin: int
    end: int
    power: Power | None = None


_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_LONGEST_BEFORE = 120
"""The most characters before the first heading of a line: what is further on does not begin the line."""
_FILLER = frozenset(
    ("here", "are", "is", "my", "our", "the", "these", "this", "following", "follow", "follows", "below", "please",
     "order", "orders", "for", "of", "in", "on", "as", "turn", "season", "phase", "set", "find")
)  # fmt: skip
"""Words that may accompany a heading on its line; so may the words for kinds of phase."""


@dataclass(frozen=True, slots=True)
class _Names:
    """Patterns for a game's phases: by code or in words, by code only, and the words that accompany them."""

    named: re.Pattern[str]
    code: re.Pattern[str]
    filler: frozenset[str]


@cache
def _names(kinds: Kinds) -> _Names:
    words = [word for word in kinds.phases_by_word if len(word) > 1]
    last = "".join(sorted(word for word in kinds.phases_by_word if len(word) == 1))
    letters = "".join(sorted(season.letter.lower() for season in kinds.seasons))
    first = "".join(sorted({*letters, _AUTUMN}))
    kind = rf"(?:{'|'.join(sorted(words, key=len, reverse=True))}|turn|season|phase|orders?)"
    said = (word[:length] for word in kinds.seasons_by_word for length in (len(word), ABBREVIATED))
    season, year = rf"(?:{'|'.join(said)})", r"'?\d{2,5}"
    named = re.compile(
        rf"(?<![a-z0-9])(?P<open>[(\[][ ]*)?(?:"
        rf"(?P<letter>[{first}])[ ]?(?P<figures>\d{{2,5}})(?P<last>[{last}])?(?![ ,]+{season})"
        rf"|(?P<season>{season})\.?(?P<before>[ ,-]+{kind})?(?:[ ,]+(?:of[ ]+)?(?P<year>{year}))?"
        rf"(?P<behind>[ ,-]+{kind})?"
        rf"|(?P<first>{year})[ ,]+(?P<then>{season})\.?(?P<kind>[ ,-]+{kind})?"
        r")(?![a-z0-9])(?:[ ]*[)\]])?(?P<mark>[ ]*(?::|[-=*]{2,}|[.,;-](?=[ ]|$)))?[ ]*"
    )
    code = re.compile(rf"([{letters}])(\d{{1,5}})([{last}])")
    return _Names(named, code, _FILLER.union(words))


_AUTUMN = "a"
"""The letter for Autumn, only in brackets, `(A01)`, with a power, before a colon or before a year of four digits:
otherwise it means an army.
"""
_BESIDE = re.compile(
    r"[ ]*+(?:[(\[][ ]*+(?P<in>[^()\[\]]{1,40}?)[ ]*+[)\]][ ]*+(?::|[-=*]{2,}|[.,;-](?=[ ]|$))?"
    r"|(?P<bare>[^:.()\[\]]{1,40}?)[ ]*+[:.])[ ]*"
)
"""What may be a power after a phase: in brackets, or before a colon."""


def _headings(folded: str, lexicon: Lexicon, now: Phase) -> Iterator[_Heading]:
    """The headings in a folded line, in order."""
    kinds, begun = lexicon.language.kinds, False
    names = _names(kinds)
    for found in names.named.finditer(folded):
        if found["season"] and not found["year"] and lexicon.power(found["season"]):
            continue  # a power has that name, or code
        begun = begun or found.start() > _LONGEST_BEFORE
        before = "" if begun else folded[: found.start()]
        leads = not begun and all(word in names.filler for word in _WORD.findall(before))
        power = None if begun or leads else _power_in(before, lexicon, names.filler)
        end, mark = found.end(), found["mark"] or ""
        if leads and ":" not in mark and (beside := _BESIDE.match(folded, end)):
            behind = _power_in(beside["in"] or beside["bare"], lexicon, names.filler)
            if behind is not None:
                power, end, mark = behind, beside.end(), ":"
        dated, colon = bool(found["figures"] or found["year"] or found["first"]), ":" in mark
        if found["letter"] == _AUTUMN and not (
            found["open"] or len(found["figures"]) > 3 or power or (leads and colon)
        ):
            continue
        phase = _phase(found, kinds, now) if (dated and colon) or ((leads or power) and (dated or colon)) else None
        if phase is not None:
            yield _Heading(phase, 0 if leads or power else found.start(), end, power)
            begun = True


def _power_in(text: str, lexicon: Lexicon, filler: Collection[str]) -> Power | None:
    """The power that the text names, in full or by its initial, if it contains nothing else."""
    words = [word for word in _WORD.finditer(text) if word.group() not in filler]
    if not words:
        return None
    name = text[words[0].start() : words[-1].end()].removesuffix("'s")
    fitting = [power for power in lexicon.powers if power.startswith(name.upper()) and len(name) == 1]
    return lexicon.power(name) or (fitting[0] if len(fitting) == 1 else None)


def _phase(found: re.Match[str], kinds: Kinds, now: Phase) -> Phase | None:
    """The phase that is named; None for a season or a kind that the game does not have."""
    word = found["season"] or found["then"] or ("fall" if found["letter"] == _AUTUMN else "")
    named = (one for name, one in kinds.seasons_by_word.items() if word and name.startswith(word))
    lettered = (one for one in kinds.seasons if one.letter.lower() == found["letter"])
    season = next(named, None) or next(lettered, None)
    if season is None:
        return None
    year = _year((found["figures"] or found["year"] or found["first"] or "").lstrip("'"), now)
    said = [found[group] for group in ("before", "behind", "kind") if found[group]]
    words = (found["last"] or "", *(text.strip(" ,-") for text in said))
    chosen = next((kinds.phases_by_word[word] for word in words if word in kinds.phases_by_word), None)
    return Phase(year, season, chosen or _usual(kinds, season, year, now))


def _year(figures: str, now: Phase) -> int:
    if not figures:
        return now.year
    if len(figures) > 2 or now.year < 100:
        return int(figures)
    century = now.year - now.year % 100
    return min(
        (century + hundreds + int(figures) for hundreds in (-100, 0, 100)), key=lambda year: abs(year - now.year)
    )


def _usual(kinds: Kinds, season: Season, year: int, now: Phase) -> PhaseKind:
    """The meaning of a season without a kind: the phase that is being played in it, otherwise its first."""
    if (year, season) == (now.year, now.season):
        return now.kind
    return kinds.first_in(season)


def _only(script: Script, begin: int, end: int) -> str:
    """The part of the line as written that corresponds to `begin` to `end` of its folded form, with blanks
    before it.
    """
    start, stop = script.column(begin) - 1, script.column(end) - 1
    return " " * start + script.written[start:stop]
