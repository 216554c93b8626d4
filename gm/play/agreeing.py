"""Whether an answer agrees to what was proposed, in as many words as may be.

By examples of what agrees and of what does not, in `grammars/answers.txt`: an answer that was not recognized goes into
that file. What may turn a yes, another number or another deed is decided by rules: these share their words with it.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache, lru_cache

from gm import folder
from gm import patterns as re
from gm.clock import COUNTS
from gm.parsing.courtesies import ASSENT, DO_IT, THANKS
from gm.parsing.questions import clauses, sentences
from gm.parsing.sayings import ADDRESS, Examples, by_kind, in_full, learnt, words_of
from gm.play.questions import APOLOGY, TURNING, own_lines, says_no


class Part(Enum):
    """What a sentence of an answer does; its heading in the file of examples."""

    AGREES = "AGREES"
    """It agrees: `please put them down like that`."""
    OTHER = "NOT"
    """It may do something else: deny, doubt, limit, ask or wish."""
    BESIDE = "ELSE"
    """It says something beside it: `I have checked it twice`."""
    YES = "YES"
    """It says so with a word for YES, or for doing it."""


def agrees(text: str, sender: str, about: Collection[str], deeds: Collection[str] = ()) -> frozenset[Part]:
    """What the sentences of an answer do that agrees; none if any of them may do something else. `about`: the words of
    what is proposed, which it may name; `deeds`: the words of what else can be wanted, which it may not.
    """
    deeds = frozenset(deeds).difference(about)
    said = _BOTH.sub("both", in_full(" ".join(own_lines(text, sender))))
    if "?" in said:
        return frozenset()
    parts = set[Part]()
    for one in map(without_reason, (one for one in sentences(said) if _THANKS.fullmatch(one) is None)):
        found = _parts_in(one, about, deeds) if one else {Part.BESIDE}
        if Part.BESIDE in parts and found == {Part.AGREES} and _YES.search(one) is None:
            return frozenset()  # it may be that which is to be written down
        parts |= found | ({Part.YES} if found & {Part.AGREES} and _SAYS_YES.search(one) else set())
    return frozenset(parts) if Part.AGREES in parts and Part.OTHER not in parts else frozenset()


def without_reason(sentence: str) -> str:
    """A sentence without the reason that it gives, which turns it to nothing else: `yes, because it was lost`."""
    return _WHY.sub("", sentence)


def _parts_in(sentence: str, about: Collection[str], deeds: AbstractSet[str]) -> AbstractSet[Part]:
    """What a sentence does: as a whole, or its YES and what stands beside that, or each of its clauses."""
    if (part := _part_of(sentence, about, deeds)) is not Part.OTHER:
        return {part}
    sentence = _BUT.sub("", sentence)
    part, yes = _part_of(sentence, about, deeds), _YES.match(sentence)
    likeliest, lead = _likeliest(sentence)
    if part is not Part.OTHER or (likeliest is Part.OTHER and lead > _SURE) or _is_turned(sentence, about, deeds):
        return {part}
    if yes is not None and (rest := sentence[yes.end() :]):
        part, lead = _likeliest(rest)
        return {Part.AGREES, part if lead > _SURELY_BESIDE else Part.OTHER}
    return {_part_of(one, about, deeds) for one in clauses(sentence)}


def _part_of(sentence: str, about: Collection[str], deeds: AbstractSet[str]) -> Part:
    """What a sentence does: what agrees has no word that no such example has, nor one that may turn it."""
    part, lead = _likeliest(sentence)
    if lead >= _CERTAIN / 2 or (part is Part.BESIDE and lead > _SURE and _YES.match(sentence) is None):
        return part
    known = _examples()[1].union(word for one in about for word in words_of(one))
    sure = lead > _SURE or _YES.match(sentence) is not None
    agrees_ = part is Part.AGREES and sure and known.issuperset(words_of(sentence))
    return Part.AGREES if agrees_ and not _is_turned(sentence, about, deeds) else Part.OTHER


@lru_cache(maxsize=64)  # of a sentence it is asked several times
def _likeliest(sentence: str) -> tuple[Part, float]:
    """What a sentence is likeliest to do, and by how much (natural logarithm)."""
    words, examples = words_of(sentence), _examples()[0]
    _, scores = examples.scored(words)
    for kind in examples.kinds.get(" ".join(words), ()):
        scores[kind] += _CERTAIN
    first, second, *_ = sorted(scores, key=scores.__getitem__, reverse=True)
    return Part(first), scores[first] - scores[second]


def _is_turned(sentence: str, about: Collection[str], deeds: AbstractSet[str]) -> bool:
    """Whether a sentence denies, doubts or limits, or names another number, address, deed or reader than what is
    proposed.
    """
    written = frozenset(re.findall(r"[^\W_]+", sentence.lower())) - {*about}
    counts = any(one[0].isdigit() for one in written) or not written.isdisjoint(_COUNTS)
    if any(not {*re.findall(r"[^\W_]+", one.lower())} <= {*about} for one in ADDRESS.findall(sentence)):
        return True
    to_others = _TO_OTHERS.search(sentence) is not None and "all" not in about
    return counts or to_others or bool(written & deeds) or _TURNS.search(sentence) is not None or says_no(sentence)


@cache
def _examples() -> tuple[Examples, frozenset[str]]:
    """What is known of answers by their examples, and the words of those that agree."""
    found = by_kind([folder("grammars") / "answers.txt"])
    return learnt(found), frozenset(word for line in dict(found)[Part.AGREES.value] for word in words_of(line))


_SURE, _SURELY_BESIDE, _CERTAIN = 2.0, 6.0, 1000.0
_COUNTS = frozenset(f"{' '.join(COUNTS)} zwei drei vier fünf deux trois quatre cinq".split()) - {"a", "an"}
_YES = re.compile(rf"\A\W*+(?:{ASSENT}(?!\w)[\W_]*+)++", re.IGNORECASE)
_THANKS = re.compile(rf"\W*+{THANKS}(?:, ?[^\W\d_]++)?\W*+", re.IGNORECASE)
_BOTH = re.compile(r"\b(?:les deux|die (?:beiden|zwei)|(?:those|these|the) two)\b", re.IGNORECASE)
_SAYS_YES = re.compile(
    rf"(?<!\w)(?:{ASSENT}|{DO_IT}|(?:let|put|send|do|take|make|enter|end|use) (?:it|that|this|them|so|both|all))(?!\w)",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"(?<![ ,])[ ,]*+\b(?:because|weil|parce qu\w*)\b(?! of (?:that|this)\b).*", re.IGNORECASE | re.DOTALL
)
_BUT = re.compile(rf"\b(?:but|aber|mais) (?={ASSENT}(?!\w))", re.IGNORECASE)
_TO_OTHERS = re.compile(r"\bto (?:all|everybody|everyone|the others|them all)\b", re.IGNORECASE)
_TURNS = re.compile(
    rf"n['’]t\b|\b(?!{APOLOGY})(?:{'|'.join(TURNING)}"
    r"|(?<!this )(?<!for )(?<!just )once|until|when|before|after|as soon as|as long as|provided|other|another|half"
    r"|rather|instead|sobald|solange|bevor|statt|lieber|ohne|dès que|sans|avant|plutôt|si|pas|tomorrow|later)\b"
    r"|\b(?:just|only)\b(?! (?:what|as|how|like|that|right|the way|do|fine|perfect|so)\b)",
    re.IGNORECASE,
)
"""What makes an answer another, whatever stands beside it."""
