"""From a line as written to the form that the grammars see: folded, then with the names of one board as numbers.

A folded line has lower case, plain dashes and single blanks, no accents or marks; `column` converts a position in it to
one in the line as the player wrote it. The grammar of orders knows no names. `Lexicon.scan` finds them in a line and
replaces each by one character, so that one parser serves every game, however many powers and places it has and whenever
players join. A game's `Language` says what its players may write beyond the standard orders.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from itertools import accumulate, chain
from types import MappingProxyType
from typing import Any, NamedTuple

from gm.board import FiniteBoard, Location, Power, UnitKind
from gm.errors import NotUnderstood
from gm.mail.message.marks import is_quote_mark
from gm.orders import PLAIN, ComputedNames, Language
from gm.orders.notation import short

_PLAIN = {
    **dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-"),
    **dict.fromkeys("\uf0e0\uf0e8\uf0f0", "->"),  # Wingdings
    **dict.fromkeys("‘’‚‛′`´", "'"),
    "″": '"',
    **dict.fromkeys("•◦‣▪●∙·・", "*"),
    "\u20e3": ")",  # the frame of a keycap, behind its number
    **dict.fromkeys("\r\n\v\f\x85\u2028\u2029", " "),
}
_ARROW = re.compile(r"(?>.*?\bRIGHT(?:WARDS\b|[ -]POINTING\b)).*\b(?:ARROW|HARPOON|TRIANGLE|POINTER|INDEX)")
"""The Unicode name of a sign that points to the right, unless it says LEFT, too."""
_QUOTE_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Script:
    """A line folded for parsing. `places[i]` is the index in `written` of `folded[i]`; None if they are the same."""

    written: str
    folded: str
    places: tuple[int, ...] | None

    def column(self, index: int) -> int:
        """The column, counted from 1, in the line as written, of an index in the folded text."""
        if self.places is None:
            return min(index, len(self.written)) + 1
        return (self.places[index] if index < len(self.places) else len(self.written)) + 1

    def words(self, start: int, end: int) -> str:
        """What the player wrote from `start` to `end` of the folded text, shortened for quoting."""
        return shorten(self.written[self.column(start) - 1 : max(self.column(end) - 1, self.column(start))].strip())


_BLANKS = re.compile("  +")
_EMPHASIS = re.compile(r"(?<![\w*])([*_]{1,3})(?=[^\s*_])[^*_]++(?<=\S)\1(?![\w*])")


def _unmarked(found: re.Match[str]) -> str:
    blanks = " " * len(found[1])
    return f"{blanks}{found[0].strip('*_')}{blanks}"


_TO = re.compile(r"(?<!\w)(?:[àÀ]|[aA]\u0300)(?!\w)")


@lru_cache(maxsize=64)
def fold(line: str) -> Script:
    """Fold a line for parsing. Every text has a folded form; the time is linear in its length. A run of blanks is one:
    the signature of a mail covers no others (DKIM's `relaxed`). Marks of emphasis around words are blanks: `*PAR*`.
    `à` alone is never the letter of a unit: it is the same as `en`.
    """
    plain_line = _EMPHASIS.sub(_unmarked, line) if "*" in line or "_" in line else line
    if plain_line.isascii() and plain_line.isprintable():
        if "  " not in plain_line:
            return Script(line, plain_line.lower(), None)
        runs = [run.span() for run in _BLANKS.finditer(plain_line)]
        begins = (0, *(end for _, end in runs))  # a part of a line begins with blanks, up to its place
        ends = (*(start + 1 for start, _ in runs), len(line))
        return Script(line, _BLANKS.sub(" ", plain_line).lower(), tuple(chain.from_iterable(map(range, begins, ends))))
    text: list[str] = [""]
    places: list[int] = []
    lone = {found.start() for found in _TO.finditer(plain_line)}
    for index, character in enumerate(plain_line):
        plain = "en" if index in lone else _fold_character(character)
        if not plain or (plain == " " and text[-1].endswith(" ")):
            continue
        text.append(plain)
        places.extend([index] * len(plain))
    return Script(line, "".join(text), tuple(places))


def spelt(line: str) -> Script:
    """A line folded as names of people are compared: letters of another alphabet, or of one language only, as the Latin
    ones by which they are replaced elsewhere (Ivan for Иван, Gross for Groß).
    """
    script = fold(line)
    if script.folded.isascii():
        return script
    letters = [letter.translate(_SPELT) for letter in script.folded]
    return Script(line, "".join(letters), tuple(script.column(at) - 1 for at, ones in enumerate(letters) for _ in ones))


def fold_name(name: str) -> str:
    """The form under which names are looked up: folded, with single blanks."""
    return re.sub(r"[ ]+", " ", fold(name).folded).strip()


@lru_cache(maxsize=2048)
def _fold_character(character: str) -> str:
    if character in _PLAIN:
        return _PLAIN[character]
    if is_quote_mark(character):
        return '"'
    category, name = unicodedata.category(character), unicodedata.name(character, "")
    if category in ("Sm", "So") and _ARROW.match(name) and "LEFT" not in name:
        return "->"
    if category in ("Zs", "Cc", "So"):
        return " "  # blanks, control characters, pictures
    if category in ("Cf", "Mn", "Me") or name.startswith("EMOJI MODIFIER"):
        return ""  # zero-width, direction marks, accents separate from their letters, variation selectors
    if category == "No" and "CIRCLED" in name:
        return f"{unicodedata.numeric(character):.0f})"
    if category in ("Cs", "Co", "Cn"):
        return "?"
    parts = unicodedata.normalize("NFKD", character).lower()
    return "".join(p for p in parts if not unicodedata.combining(p))


_LOOKS = str.maketrans(
    "АВЕКМНОРСТУХаеорсухІіЈјЅѕԚԛԜԝѴѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαρν", "ABEKMHOPCTYXaeopcyxIiJjSsQqWwVvABEZHIKMNOPTYXoapv"
)
"""Only those that stand for a Latin letter in a code: by Unicode's table, for names, г is an r and б a 6."""
_CYRILLIC = "абвгдезийклмнопрстуфхцыэіґєї", "abvgdeziyklmnoprstufhcyeigei"
_GREEK = "αβγδεζηικλμνξοπρσςτυφω", "abgdeziiklmnxoprsstyfo"
_SEVERAL = {"ж": "zh", "ч": "ch", "ш": "sh", "щ": "sch", "ю": "yu", "я": "ya", "ъ": "", "ь": "", "θ": "th", "χ": "ch"}
_SOUNDS = str.maketrans({**dict(zip(*_CYRILLIC, strict=True)), **dict(zip(*_GREEK, strict=True)), **_SEVERAL})
_SPELT = _SOUNDS | str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ŋ": "ng"}
)
_FOREIGN = re.compile(r"[\u0370-\u052f]")


def in_latin(text: str) -> tuple[str, ...]:
    """What a text with Cyrillic or Greek letters may say in Latin ones: by their looks, and by their sounds."""
    if text.isascii() or not _FOREIGN.search(text):
        return ()
    return tuple(dict.fromkeys((text.translate(_LOOKS), "".join(_sound(letter) for letter in text))))


def _sound(letter: str) -> str:
    sound = letter.lower().translate(_SOUNDS)
    return sound if letter.islower() else sound.upper()


_SHOWN = {"\n": " / ", "\U000f0200": ": "}
"""A line's end, and the mark before words for others (`gm.parsing.game_names.BEFORE_WORDS`), as they are quoted."""


def shorten(text: str) -> str:
    """A text for quoting in an error message: at most about sixty characters, without any that cannot be mailed."""
    text = "".join(
        c if c.isprintable() else _SHOWN.get(c, "\N{REPLACEMENT CHARACTER}") for c in text[: _QUOTE_SHOWN + 1]
    )
    return text if len(text) <= _QUOTE_SHOWN else text[: _QUOTE_SHOWN - 3].rstrip() + "..."


# ---- names


FIRST_PLACE = 0xE000
FIRST_POWER = 0xF000
FIRST_FAULT = 0xF0000
"""In a form, name number n is the character with this code plus n, a private character; folding removes these from
mails. A fault is a place that is not on the board; no terminal of the grammar accepts it.
"""

COASTS = {"n": "north coast", "s": "south coast", "e": "east coast", "w": "west coast"}
_COAST_WORD = r"(?:c|\.c\.?|(?:orth|outh|ast|est)(?:ern)?[ ]+coast)"
_COAST = (
    rf"(?:(?<![ ])[ ]*+/[ ]*+[nsew]{_COAST_WORD}?"  # stp/sc, stp/s
    r"|\.[nsew]c"  # stp.sc
    rf"|(?:-|(?<![ ]))[ ]*+\([ ]*+[nsew]{_COAST_WORD}?[ ]*+\)"  # stp(sc), stp (south coast)
    rf"|(?<![ ])(?:[ ]*[ -]|,[ ]?)[nsew]{_COAST_WORD})"  # stp sc, stp-sc, stp south coast, stp, south coast
    r"(?![a-z0-9])"
)

ORDER_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        "a army f fleet h hold s sup support c con conv convoy r ret retreat d disband remove b build waive"
        " via by to and m move all gm master",
    )
)
"""Words with a meaning in orders or press; if a power has one as its name, it must be named with care."""


_NAME_GROUPS = 3
LONGEST_CODE = 3


@dataclass(frozen=True)
class Scan:
    """A text as its form and its names in order: locations, powers, and errors for places that do not exist.

    `pieces` is the text split into what is between names (even indexes) and the names as written (odd indexes).
    """

    form: str
    names: list[Location | Power | NotUnderstood]
    pieces: list[str]

    @cached_property
    def _begins(self) -> tuple[list[int], list[int]]:
        """Where each piece begins in the form, and in the text."""
        in_form = (1 if number % 2 else len(piece) for number, piece in enumerate(self.pieces))
        return list(accumulate(in_form, initial=0)), list(accumulate(map(len, self.pieces), initial=0))

    def index(self, at: int) -> int:
        """The index in the text of the character at this index in the form."""
        in_form, in_text = self._begins
        number = bisect_right(in_form, at) - 1
        is_name = number % 2 == 1  # or the end, which has an odd number, too
        return in_text[number] + (0 if is_name else at - in_form[number])


class _Computed(NamedTuple):
    """Computed names, prepared for looking up."""

    pattern: re.Pattern[str]
    location: Callable[[str], Location | None]


class Example(NamedTuple):
    """A place as written in orders, short and in full, and a neighbouring one: for error messages."""

    place: str
    brief: str
    name: str
    other: str


_EXAMPLE = Example("PAR", "Par", "Paris", "BUR")


_ADJECTIVE = re.compile(r"([a-z]{4,}(?:isch|arz))e[rs] (.{3,})")


def _declined(name: str) -> tuple[str, ...]:
    """A name as it is written in a sentence: of `schwarzes meer` also `im schwarzen meer` and `ins schwarze meer`."""
    found = _ADJECTIVE.fullmatch(name)
    return (name, *(f"{found[1]}{end} {found[2]}" for end in ("e", "en") if found is not None)) if found else (name,)


class Lexicon:
    """Spellings to locations and powers. Compared by identity; build one for each game and keep it
    (`lexicon_of` does).
    """

    def __init__(
        self,
        board: FiniteBoard,
        powers: Iterable[Power],
        language: Language = PLAIN,
        *,
        spellings: Mapping[str, Power] = MappingProxyType({}),
        own: Mapping[str, Location] = MappingProxyType({}),
    ) -> None:
        """`spellings` are further names of powers: adjectives, codes. `own` are the reader's own names for places."""
        computed = language.computed(board)
        self.board = board
        self.powers = tuple(powers)
        self._computed = tuple(
            _Computed(re.compile("(?<![a-z0-9])" + _computed_pattern(names)), names.location) for names in computed
        )
        self.language = language
        named = (*own.items(), *board.aliases.items())
        self.places: Mapping[str, Location] = {each: at for n, at in named for each in _declined(fold_name(n))}
        self.power_names: Mapping[str, Power] = _power_names(self.powers, spellings)
        self._name = re.compile(_name_pattern(self, computed))
        if self._name.groups != _NAME_GROUPS:
            raise ValueError("a pattern of computed names must have no groups that capture: write (?:...)")
        self._place = lru_cache(maxsize=4096)(self._read_place)
        self._power = lru_cache(maxsize=1024)(self._read_power)
        self.nearest_place = lru_cache(maxsize=1024)(self._nearest_place)
        self.begins_name = lru_cache(maxsize=1024)(self._begins_name)
        self.beginning = lru_cache(maxsize=4096)(self._beginning)
        self.resembles_place = lru_cache(maxsize=1024)(self._resembles_place)

    @cached_property
    def example(self) -> Example:
        """A place on this board, as an example of how orders are written."""
        if "par" in self.places or not self.board.centers:
            return _EXAMPLE
        at = Location(self.board.centers[0])
        other = next(iter(self.board.neighbours(UnitKind.ARMY, at)), at)
        return Example(short(at).upper(), short(at), self.board.full_name(at), short(other).upper())

    def scan(self, text: str) -> Scan:
        """Find the names in folded text, longest first."""
        pieces = self._name.split(text)
        form = [pieces[0]]
        names: list[Location | Power | NotUnderstood] = []
        for number in range(1, len(pieces), 4):
            doubtful, place, power, after = pieces[number : number + 4]
            name, first = self._place(place) if place is not None else self._power(power or doubtful)
            form.append(chr(first + len(names)))
            names.append(name)
            form.append(after)
        return Scan("".join(form), names, [piece for piece in pieces if piece is not None])

    def place_names_in(self, text: str) -> bool:
        """Whether a folded text contains any name of a place or a power."""
        return bool(self.scan(text).names) or fold_name(text) in self.power_names

    def has_in_names(self, word: str) -> bool:
        """Whether a folded word is a name of a place or a power, or a word of one: `atlantic`."""
        return self.place_names_in(word) or word in self._words_of_names

    @cached_property
    def _words_of_names(self) -> frozenset[str]:
        return frozenset(word for name in self.places for word in re.split(r"[^\w]+", name) if len(word) > LONGEST_CODE)

    def place(self, text: str) -> Location:
        """The location that a text names, with its coast. Raises NotUnderstood."""
        name = fold_name(text)
        coast = None if name in self.places else re.search(_COAST + "$", name)
        if coast is not None:
            name = name[: coast.start()].rstrip()
        at = self._named(name)
        if at is None:
            near = self.nearest_place(name)
            raise NotUnderstood(f"{text!r} is not a place on the board.", f"Did you mean {near}?" if near else "")
        return at if coast is None else self._coast(at, coast.group().lstrip("/.,-( ")[0])

    def power(self, text: str) -> Power | None:
        """The power that a word names, in any case, also by its adjective; None if it names none."""
        return self.power_names.get(fold_name(text))

    def _nearest_place(self, text: str) -> str:
        """The place with the nearest name: `Par (Paris)` for `pars`; "" when none is near. A search through all."""
        name = fold_name(text)[:40]
        swapped = (f"{name[:at]}{name[at + 1]}{name[at]}{name[at + 2 :]}" for at in range(len(name) - 1))
        near = [one for one in swapped if one in self.places] or get_close_matches(name, self.places, n=1, cutoff=0.6)
        return self.describe(self.places[near[0]]) if near else ""

    def _resembles_place(self, word: str) -> bool:
        """Whether a folded word resembles a place's name that is more than a code; it takes a search through all."""
        return bool(get_close_matches(word, [name for name in self.places if len(name) > LONGEST_CODE], 1, 0.74))

    def nearest_power(self, text: str) -> Power | None:
        """The power with the nearest name; None when none is near."""
        near = get_close_matches(fold_name(text)[:40], self.power_names, n=1, cutoff=0.6)
        return self.power_names[near[0]] if near else None

    def describe(self, at: Location) -> str:
        """A location in an error message: `Par (Paris)`."""
        name = self.board.full_name(at)
        return f"{short(at)} ({name})" if name.lower() != at else name

    def _begins_name(self, text: str) -> bool:
        """Whether a name of a place or a power begins with a folded text; it takes a search through all."""
        return any(name.startswith(text) for name in (*self.places, *self.power_names))

    def _beginning(self, text: str) -> Sequence[tuple[str, Location]]:
        """The names of places that begin with a folded text, and their places; it takes a search through all."""
        return tuple(named for named in self.places.items() if named[0].startswith(text))

    def _read_place(self, text: str) -> tuple[Location | NotUnderstood, int]:
        try:
            return self.place(text), FIRST_PLACE
        except NotUnderstood as fault:
            return fault, FIRST_FAULT

    def _read_power(self, text: str) -> tuple[Power, int]:
        return self.power_names[fold_name(text)], FIRST_POWER

    def _named(self, name: str) -> Location | None:
        if name in self.places:
            return self.places[name]
        for names in self._computed:
            if names.pattern.fullmatch(name):
                return names.location(name)
        return None

    def _coast(self, at: Location, letter: str) -> Location:
        located = Location(f"{at}/{letter}c")
        if self.board.exists(located):
            return located
        fleets = [coast for coast in self.board.coasts(self.board.province(at)) if "/" in coast]
        remedy = f"Write {' or '.join(map(str.capitalize, fleets))}." if fleets else f"Write {at.capitalize()} alone."
        raise NotUnderstood(f"{self.board.full_name(at)} has no {COASTS[letter]}.", remedy)


def _power_names(powers: tuple[Power, ...], spellings: Mapping[str, Power]) -> dict[str, Power]:
    names = {fold_name(power): power for power in powers}
    for spelling, power in spellings.items():
        names.setdefault(fold_name(spelling), power)
    return names


def _name_pattern(lexicon: Lexicon, computed: Iterable[ComputedNames]) -> str:
    """A pattern for a name, with three groups: the doubtful name of a power, a place's name, a power's name.

    A doubtful name has another meaning too (`eng`); it is the power's before a colon or a unit's letter, unless the
    text before it requires a place: a dash, `to`, `R` or another unit's letter. A single letter is the power's only
    before a colon.
    """
    names = lexicon.power_names
    doubtful = [name for name in names if name in lexicon.places or name in ORDER_WORDS or len(name) == 1]
    powers = [name for name in lexicon.power_names if name not in doubtful]
    patterns = [*(names.where + _computed_pattern(names) for names in computed), _alternatives(lexicon.places)]
    places = "|".join(filter(None, patterns)) or "(?!)"
    units = lexicon.language.kinds.units
    single = "".join(name for kind in units for name in kind.names if len(name) == 1)
    nothing_asks = rf"(?<![->])(?<![->] )(?<!\bto )(?<!\b[{single}r] )"
    letters = [name for name in doubtful if len(name) == 1]
    words = [name for name in doubtful if len(name) > 1]
    before_unit = rf"{_alternatives(words) or '(?!)'}(?=[ ]*:|[ ]+(?:{kind_pattern(units)})\b)"
    before_unit = rf"(?:{before_unit}|{_alternatives(letters) or '(?!)'}(?=[ ]*:))"
    own = "|".join(letter for dialect in lexicon.language.dialects for letter in dialect.brackets)
    no_coast = rf"(?!-?[ ]*\([ ]*(?:{own})[ ]*\))" if own else ""
    place = rf"(?:{places})(?![a-z0-9])(?:{no_coast}{_COAST})?"
    return rf"(?<![a-z0-9])(?:({nothing_asks}{before_unit})|({place})|({_alternatives(powers) or '(?!)'}(?![a-z0-9])))"


@cache
def kind_pattern(units: tuple[UnitKind, ...]) -> str:
    """A pattern for the names of kinds of unit in folded text, longest first."""
    names = sorted((name for kind in units for name in kind.names), key=len, reverse=True)
    return "|".join(re.sub(r"(\W)", r"[ ]?\\\1[ ]?", name) for name in names)


def _computed_pattern(names: ComputedNames) -> str:
    """The pattern of computed names with the words that may precede them."""
    return f"(?:{_alternatives(map(fold_name, names.stems))}{names.pattern})"


def _alternatives(names: Iterable[str]) -> str:
    """A pattern for any of the names, longest first; empty for none.

    It branches letter by letter (`par(?:is)?`), which is three times as fast as trying one name after another.
    """
    tree: dict[str, Any] = {}
    for name in names:
        branch = tree
        for letter in name:
            branch = branch.setdefault(letter, {})
        branch[""] = {}
    return _branches(tree)


def _branches(tree: Mapping[str, Any]) -> str:
    ways = [
        ("[ ]+" if letter == " " else re.escape(letter)) + _branches(rest)
        for letter, rest in sorted(tree.items())
        if letter
    ]
    if "" not in tree:
        return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})" if ways else ""
    return f"(?:{'|'.join(ways)})?" if ways else ""


@lru_cache(maxsize=256)
def lexicon_of(
    board: FiniteBoard,
    powers: tuple[Power, ...],
    language: Language = PLAIN,
    spellings: tuple[tuple[str, Power], ...] = (),
    own: tuple[tuple[str, Location], ...] = (),
) -> Lexicon:
    """The lexicon of a board and its powers in the language of their game, cached. `spellings` and `own` are as for
    `Lexicon`.
    """
    return Lexicon(board, powers, language, spellings=dict(spellings), own=dict(own))
