"""What a sentence that nothing else was made of is likeliest to want, by examples.

`grammars/sayings.txt` has sentences as people write them, in English, German and French, below what each wants. A
sentence is likeliest to want what those have whose words, pairs of words and pieces of words it shares (naive Bayes,
each counted once a sentence). Nothing is done for what is found here: it is offered. A sentence that was not recognized
goes into the file; there are no rules beside it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import log

from gm import folder
from gm.parsing.lexicon import Lexicon, fold

_LONGEST = 300
"""So many characters of a text are looked at."""
_PIECE = 4
_CODE = 3
"""Names longer than codes, and codes in capitals, are names; `den` and `war` may be words."""
_RARE = 0.1
"""What counts for a word that no example of a kind has, in examples."""
_TOKEN = re.compile(r"@[a-z]+|[a-z]+|\?")
_FIGURE = re.compile(r"\d+")


def likely(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The kinds of the examples' file, all of them, the likeliest for a text first."""
    counted, holding = _examples()
    found = [feature for feature in _features(_named(text[:_LONGEST], lexicon)) if feature in holding]
    vocabulary = _RARE * len(holding)

    def score(kind: str) -> float:
        has = counted[kind]
        return sum(log(has[feature] + _RARE) for feature in found) - len(found) * log(has.total() + vocabulary)

    return tuple(sorted(counted, key=score, reverse=True))


def _named(text: str, lexicon: Lexicon) -> str:
    """A text with what its names are of in place of the names, as in the examples: `@power`, `@place`."""
    script = fold(text)
    start, written = 0, []
    for number, piece in enumerate(lexicon.scan(script.folded).pieces):
        named = number % 2 == 1 and (len(piece) > _CODE or script.words(start, start + len(piece)).isupper())
        written.append((" @power " if lexicon.power(piece) is not None else " @place ") if named else piece)
        start += len(piece)
    return "".join(written)


def _features(text: str) -> set[str]:
    apart = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign))
    words = _TOKEN.findall(_FIGURE.sub(" @number ", plain))
    return {*words, *_pairs(words), *(piece for word in words for piece in _pieces(word))}


def _pairs(words: list[str]) -> Iterator[str]:
    """Each word with the next one, with the text's beginning and its end."""
    return (f"{one} {other}" for one, other in zip(["^", *words], [*words, "$"], strict=True))


def _pieces(word: str) -> Iterator[str]:
    """Pieces of a word, by which forms of it and slips of the keyboard resemble it."""
    whole = f"^{word}$" if word.isalpha() and len(word) >= _PIECE else ""
    return (f"~{whole[at : at + _PIECE]}" for at in range(len(whole) - _PIECE + 1))


@cache
def _examples() -> tuple[dict[str, Counter[str]], frozenset[str]]:
    """How many examples of each kind have a feature, and all features."""
    counted: dict[str, Counter[str]] = {}
    kind = ""
    for line in (folder("grammars") / "sayings.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            kind = line[3:]
            counted[kind] = Counter()
        else:
            counted[kind].update(_features(line))
    return counted, frozenset(feature for has in counted.values() for feature in has)
