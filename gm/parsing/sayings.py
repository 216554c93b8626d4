"""What a sentence in people's own words is likeliest to want, by examples, and how surely.

`grammars/sayings.txt` has sentences as people write them, most in English, German and French, below what each wants. A
sentence is likeliest to want what those have whose words, pairs of words and pieces of words it shares (naive Bayes,
each counted once a sentence). A sentence that was not recognized goes into the file. What a sentence is against, or
refuses, shares its words with what it wants: that alone is decided by rules, in `gm.parsing.questions`.
Those about a ruling of a game stand by its rules, in `templates/rules/`. What players write to each other of deadlines,
orders and maps is in `grammars/letters.txt`: to the program the same words are a wish.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import chain
from math import expm1, log
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from gm import folder
from gm.board import Power
from gm.parsing.lexicon import Lexicon, fold
from gm.parsing.questions import Wanted, asked_directly, without_courtesies

SURE = 6.0
"""By how much the logarithm of a kind's likelihood must exceed another's for it to be surely not the other. Of
sentences that are no examples, 71 of 100 have one kind only that is so near, which is right for 96 of 100 of them.
"""
LIKELY = 3.0
"""By how much it must exceed another's to be likely, which is never answered: right for 90 of 100."""
MASTERS = "GM_"
"""The kinds of those who run a game begin with it. A heading may have a second word: what its examples are examples of
where they come from those, or - for nothing.
"""
RULING = re.compile(r"[A-Z]{2}-\d{1,3}")
"""A ruling as reports and rules cite it, `OS-5`: a kind of its own, of what is asked about it."""
_CERTAIN = 1000.0
"""What an example adds to its kind."""
_LONGEST = 300
"""So many characters of a text are looked at."""
_PIECE = 4
_CUT = "~"
"""What a piece begins with."""
_CODE = 3
"""The letters of a code: `den` and `war` may be words."""
_OF_A_PIECE = 0.4
"""How much a piece of a word says beside a word: pieces overlap, so each alone would say too much."""
_RARE = 0.1
"""What counts for a word that no example of a kind has, in examples."""
_KNOWN_PAIRS = 0.2
"""Of a text of whose pairs of words fewer are known to its kind, single words decide, which say much by chance."""
_OF_STRANGE_WORDS = 1 / 3
"""What then counts of the lead of its kind."""
_TOKEN = re.compile(r"@[a-z]+|[a-z]+|\?")
ADDRESS = re.compile(r"(?<!\S)[^\s@]++@[^\s@]++")
_SHORT_FOR_IS = re.compile(r"(?:(?<=\bwho)|(?<=\bhow)|(?<=what|here|when|that))['’]?s\b|(?<=\bit)['’]s\b")
"""`who's there`, `whats up`"""
_FIGURE = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Likely:
    """What a text is likeliest to want."""

    behind: Mapping[str, float]
    """By how much each of the kinds of the examples' file is less likely than the first (natural logarithm), the
    likeliest first.
    """
    known: bool
    """Whether any word of it is in an example."""

    @property
    def is_example(self) -> bool:
        """Whether it is an example as a whole."""
        return len(self.within(_CERTAIN / 2)) == 1

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds, the likeliest first."""
        return tuple(self.behind)

    def within(self, margin: float) -> tuple[str, ...]:
        """The first kind, and those that are not less likely by so much."""
        return tuple([*self.behind][: bisect_left([*self.behind.values()], margin)])

    def without(self, against: Callable[[str], bool]) -> Likely:
        """The same without the kinds of which this is true; all of them, if it is true of each."""
        left = [kind for kind in self.behind if not against(kind)]
        if len(left) in (0, len(self.behind)):
            return self
        nearest = self.behind[left[0]]
        return Likely({kind: self.behind[kind] - nearest for kind in left}, self.known)


def likely(
    text: str,
    lexicon: Lexicon | None,
    *,
    moderates: bool = False,
    to_players: bool = False,
    rulings: Collection[str] = (),
    wary: bool = False,
) -> Likely:
    """What a text is likeliest to want, by its beginning; the names that a lexicon has count as what they are of.
    `moderates`: it was written by somebody who runs the game. `to_players`: it would go to other players. `rulings`:
    those of the game, about which it may ask. `wary`: what hardly any two words stand together for is less sure.
    """
    text = in_full(text[:_LONGEST])
    named = _named(without_courtesies(text), lexicon)
    of = partial(_likely, rulings=frozenset(rulings), moderates=moderates, to_players=to_players, wary=wary)
    found, bare = of(named), _POLITELY.sub("", named)
    plain = of(bare) if bare != named else found
    surer = plain.known and len(plain.within(SURE)) == 1 and not (found.known and len(found.within(SURE)) == 1)
    return plain if surer or plain.is_example else found


def in_full(text: str) -> str:
    """A text without what is written in brief: `whens the dl`, `remind me 12h b4`."""
    return _BRIEFLY.sub(lambda found: _IN_FULL[found[0].lower()], text)


_IN_FULL = {
    "dl": "deadline",
    "dls": "deadlines",
    "whens": "when is",
    "whats": "what is",
    "ppl": "people",
    "sb": "somebody",
    "tmrw": "tomorrow",
    "wknd": "weekend",
    "atm": "now",
    "hasnt": "hasn't",
    "ordrd": "ordered",
    "em": "them",
    "b4": "before",
    "sum1": "somebody",
    "some1": "somebody",
    "every1": "everybody",
    "any1": "anybody",
    "addr": "address",
}
"""What people write in brief, in full."""
_BRIEFLY = re.compile(rf"(?<![\w@.'’])(?:{'|'.join(_IN_FULL)})(?![\w@.'’]*[\w@'’])", re.IGNORECASE)
_POLITELY = re.compile(
    r"(?:if (?:it(?:['’]s| is)? (?:no|not too much) (?:trouble|bother)|you (?:don['’]?t|would not) mind)[ ,]+)?"
    r"(?:can|could|would|will) you (?:(?:please|kindly|perhaps|possibly|maybe|just|also|by any chance"
    r"|be so (?:kind|good)(?: as)? to|be able to|mind)[ ,]+)*"
    r"(?=(?:show|send|give|mail|get|list|let|put|set|change|move|push|extend|remove|add|write|pass|forward|enter|look|check"
    r"|cancel|delete|strike|mark|replace|kick|pause|stop|start|remind|take|make|call|use|swap|print|repeat)\b)",
    re.IGNORECASE,
)
"""What asks kindly for something to be done: the same is wanted without it, if that is surer."""


@lru_cache(maxsize=256)  # who writes greets and signs as before
def _likely(named: str, rulings: frozenset[str], *, moderates: bool, to_players: bool, wary: bool) -> Likely:
    examples = _examples(moderates=moderates, to_players=to_players)
    words = words_of(named)
    found, scores = examples.scored(words)
    for ruling in examples.rulings.difference(rulings):
        del scores[ruling]
    known = next((examples.kinds[key] for key in _known_by(words, named) if key in examples.kinds), ())
    if same := [kind for kind in known if kind in scores]:
        scores[same[-1]] += _CERTAIN  # rulings are below the others
    best = max(scores.values())
    behind = {kind: best - score for kind, score in sorted(scores.items(), key=itemgetter(1), reverse=True)}
    if wary and _is_strange(words, next(iter(behind)), examples.gains):
        behind = {kind: lead * _OF_STRANGE_WORDS for kind, lead in behind.items()}
    return Likely(behind, any(map(_TOKEN.fullmatch, found)))


def _is_strange(words: list[str], kind: str, gains: Mapping[str, tuple[tuple[str, float], ...]]) -> bool:
    """Whether hardly any two words of a text stand together in an example of this kind, so that little is known."""
    pairs = [*_pairs(words)]
    known = sum(any(of == kind for of, _ in gains.get(pair, ())) for pair in pairs)
    return known < _KNOWN_PAIRS * len(pairs)


def knows(word: str, least: int = 1) -> bool:
    """Whether at least so many examples have this word."""
    gains = _examples(moderates=False, to_players=False).gains
    each = (gains.get(one, ()) for one in words_of(word) or [word])
    return all(round(sum(expm1(gain) * _RARE for _, gain in of_kinds)) >= least for of_kinds in each)


def greets(text: str) -> bool:
    """Whether a text may greet or thank."""
    found = likely(text, None)
    return found.known and "CHAT" in found.within(LIKELY)


def greets_surely(text: str) -> bool:
    """Whether a text greets or thanks, and is likely to want nothing else."""
    found = likely(text, None)
    return found.known and found.within(LIKELY) == ("CHAT",)


def is_a_name(word: str) -> bool:
    """Whether a word that can be a name is one: of so few letters it is only in capitals."""
    return len(word) > _CODE or word.isupper()


def powers_in(text: str, lexicon: Lexicon) -> Iterator[Power]:
    """The powers that words of a text name."""
    names = (word for word in re.findall(r"[^\W\d_]{3,}", text) if is_a_name(word))
    return filter(None, map(lexicon.power, names))


_ENDINGS = re.compile(r"(?<=[a-z]{3})(?:ization|ations?|ings?|ies|ers?|ed|e[sn]?|s|n)$")


def stems(text: str) -> list[str]:
    """The words of a text without what numbers and forms add to them: `order` of orders, ordered and ordering."""
    return [_ENDINGS.sub("", word) for word in words_of(text) if word.isalpha()]


@cache
def usual_stems() -> Counter[str]:
    """In how many examples that are about no ruling each stem occurs."""
    lines = (line for kind, own in examples_of_players() if not RULING.fullmatch(kind) for line in own)
    return Counter(chain.from_iterable({*stems(line)} for line in lines))


def examples_of_players() -> list[tuple[str, list[str]]]:
    """The kinds of players' sentences, to the program and to each other, with their examples."""
    return _sayings(moderates=False, to_players=True)


def _named(text: str, lexicon: Lexicon | None) -> str:
    """A text with what its names are of in place of the names, as in the examples: `@power`, `@place`."""
    if lexicon is None:
        return text
    script = fold(text)
    start, written = 0, []
    for number, piece in enumerate(lexicon.scan(script.folded).pieces):
        named = number % 2 == 1 and is_a_name(script.words(start, start + len(piece)))
        power = lexicon.power(piece)
        epithet = power is not None and power.startswith("the ")  # a description, no name
        written.append((" @place " if power is None else " @power ") if named and not epithet else piece)
        start += len(piece)
    return "".join(written)


def _features(words: list[str]) -> set[str]:
    return {*words, *_pairs(words)}.union(*map(_pieces, words))


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters without accents, and its question marks."""
    apart = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    plain = apart if apart.isascii() else "".join(sign for sign in apart if not unicodedata.combining(sign))
    return _TOKEN.findall(_FIGURE.sub(" @number ", ADDRESS.sub(" @name ", _SHORT_FOR_IS.sub(" is", plain))))


def _known_by(words: Sequence[str], named: str) -> Iterator[str]:
    """By what a text may be known again: as it is, without its courtesies, and as it is asked directly."""
    yield from _keys(words)
    yield from _keys(_bare(words))
    yield from _keys(_bare(words_of(asked_directly(named))))


def _keys(words: Sequence[str]) -> Iterator[str]:
    """By what a text is known again: its words, or those of three or more in whatever order."""
    said = [word for word in words if word != "?"]
    if said or words:
        yield " ".join(said)
    if len(said) > _ORDERED:
        yield " ".join(("~", *sorted(said)))


_ORDERED = 2
"""So few words say what they say in their order."""


def _bare(words: Sequence[str]) -> Sequence[str]:
    """The words of a text without those at its ends that ask for nothing: `who is Germany again, please?`"""
    end = next((at for at in range(len(words), 0, -1) if words[at - 1] not in _COURTESIES), 0)
    begin = next((at for at in range(end) if words[at] not in _COURTESIES), end)
    return words[begin:end]


_COURTESIES = frozenset(
    re.findall(
        r"\S+",
        "? again actually anyway bitte btw danke exactly eigentlich here just merci nochmal nochmals now "
        "please pls plz really right stp svp thanks then though thx today",
    )
)


def _pairs(words: list[str]) -> Iterator[str]:
    """Each word with the next one, with the text's beginning and its end."""
    return map("{} {}".format, ["^", *words], [*words, "$"])


@lru_cache(maxsize=8192)
def _pieces(word: str) -> tuple[str, ...]:
    """Pieces of a word, by which forms of it and slips of the keyboard resemble it."""
    whole = f"^{word}$" if word.isalpha() and len(word) >= _PIECE else ""
    return tuple(f"{_CUT}{whole[at : at + _PIECE]}" for at in range(len(whole) - _PIECE + 1))


def _weight(feature: str) -> float:
    return _OF_A_PIECE if feature.startswith(_CUT) else 1.0


@dataclass(frozen=True, slots=True)
class Examples:
    gains: Mapping[str, tuple[tuple[str, float], ...]]
    """By how much a feature makes a kind likelier, of those with examples that have it."""
    losses: Mapping[str, float]
    """What each feature of a text takes from each kind: the more, the more features its examples have."""
    kinds: Mapping[str, tuple[str, ...]]
    """The kinds of each example, by its words."""
    rulings: frozenset[str]
    """Those of the kinds that are rulings."""

    def scored(self, words: list[str]) -> tuple[list[str], dict[str, float]]:
        """The features of a text that any example has, and how likely each kind is by them."""
        found = [feature for feature in _features(words) if feature in self.gains]
        said = sum(map(_weight, found))
        scores = {kind: loss * said for kind, loss in self.losses.items()}
        for feature in found:
            for kind, gain in self.gains[feature]:
                scores[kind] += gain
        return found, scores


@cache
def _examples(*, moderates: bool, to_players: bool) -> Examples:
    return learnt(_sayings(moderates=moderates, to_players=to_players))


def learnt(sayings: Iterable[tuple[str, Sequence[str]]]) -> Examples:
    """What is known of kinds of sentences by examples of each."""
    totals: dict[str, int] = {}
    kinds: dict[str, tuple[str, ...]] = {}
    gains: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for kind, lines in sayings:
        known = _known(tuple(lines))
        totals[kind] = known.total
        kinds |= {key: (*kinds.get(key, ()), kind) for key in known.keys}
        for gain, features in known.gains.items():
            gained = kind, gain
            for feature in features:
                gains[feature].append(gained)
    # of each feature (examples + _RARE) / (total + vocabulary * _RARE), without the factor that all kinds have
    fewest = max(totals.values()) / 8  # a kind with few examples is no likelier for that
    losses = {kind: -log(max(total, fewest) + _RARE * len(gains)) for kind, total in totals.items()}
    rulings = frozenset(filter(RULING.fullmatch, totals))
    return Examples({feature: tuple(of) for feature, of in gains.items()}, losses, kinds, rulings)


class _Known(NamedTuple):
    """What examples say of their kind: the features by what they gain it, how many these are, and the keys."""

    gains: Mapping[float, list[str]]
    total: int
    keys: tuple[str, ...]


@cache
def _known(lines: tuple[str, ...]) -> _Known:
    """The same for every writer, as the examples of most kinds are."""
    worded = [*map(words_of, lines)]
    has = Counter(chain.from_iterable(map(_features, worded)))
    gains: dict[float, list[str]] = defaultdict(list)
    for feature, number in has.items():
        gains[_gain(_weight(feature), number)].append(feature)
    return _Known(gains, has.total(), tuple(chain.from_iterable(map(_keys, worded))))


@cache
def _gain(weight: float, number: int) -> float:
    """By how much a feature of this weight makes the kind likelier of which so many examples have it."""
    return weight * log(1 + number / _RARE)


def by_kind(files: Iterable[Path]) -> list[tuple[str, list[str]]]:
    """The headings of files of examples, each with the lines below it."""
    parts = (part.splitlines() for file in files for part in file.read_text(encoding="utf-8").split("== ")[1:])
    return [(heading, lines) for heading, *lines in parts]


def _sayings(*, moderates: bool, to_players: bool) -> list[tuple[str, list[str]]]:
    """The kinds with their examples, of those who run a game, or of others."""
    letters = [folder("grammars") / "letters.txt"] if to_players else []
    of_games = sorted((folder("templates") / "rules").glob("*.sayings.txt"))
    files = (folder("grammars") / "sayings.txt", *letters, *of_games)
    found: dict[str, list[str]] = {}
    for heading, lines in by_kind(files):
        kind, _, of_masters = heading.partition(" ")
        known_as = of_masters or kind if moderates else kind
        if known_as != "-" and (moderates or not kind.startswith(MASTERS)):
            found.setdefault(known_as, []).extend(lines)
    for kind, lines in found.items():  # what our mails say of it
        lines += [Wanted[kind].value] if kind in Wanted.__members__ else []
    return list(found.items())
