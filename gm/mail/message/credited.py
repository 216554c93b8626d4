"""Words below orders that say who is behind them: `(from Bea)`, `so says Bea.`, `Bea's idea`, another's signature.

People sign their own orders with any nickname, thank others by name, and tell what they themselves have agreed with
others. What is left that names somebody tells of whom it names, in any language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from gm import patterns as re
from gm.mail.message.attribution import WROTE
from gm.mail.message.attribution_parts import SOMEBODY, WRITER, beside_moment, is_small, without_accents
from gm.mail.message.phrases import TABLES, choice
from gm.mail.message.text import in_own_letters
from gm.mail.message.voices import (
    PEOPLE,
    POWERS,
    PROPOSED,
    begins_with_greeting,
    heads_orders,
    is_of_orders_or_moments,
    tells_who_and_when,
    words_in,
)

_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[^\W\d])")
_WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})*|[^\W\d_]")
_NOTE = re.compile(
    r"[(\[\uff08\uff3b\u3010].*[)\]\uff09\uff3d\u3011]\W?|(?:\(c\)|[\^<\u00a9\u2190\u2191\u2196\u261d\u2b05\u2b06\U0001f446]).*",
    re.DOTALL,
)
"""A line between brackets, or behind a sign that points to what is above it."""
_ONESELF = tuple(TABLES["oneself_unspaced"])
_LABEL = re.compile(r"[^\W\d_]+ ?[:\uff1a] ?(?=\S+\W?$)")
_ASKS = re.compile(rf"(?<!\w)(?:{choice('please')})(?!\w)", re.IGNORECASE)
_LINK = re.compile(r"://|(?<!\w)www\.")
_OWNS = re.compile(r"\w['\u2019]s(?: \w|\W*$)")
_DESCRIBED = re.compile(
    r"(?<!\w)(?:the|an?|der|die|das|de[nms]|eine?[nmrs]?|het|el|los|las|il|lo|gli|la|les?|une?|un[ao]) ([^\W\d_]+)",
    re.IGNORECASE,
)
"""What stands before no name: `for the Emperor`."""
_TO_SENDER = re.compile(r" \w+ (?:\w+ )*(?:me|mich|mir|mij|mig|\u043c\u0435\u043d\u044f|\u043c\u043d\u0435)(?!\w)")
_SOURCES = frozenset((*TABLES["fields"]["from"], "by", "of", "di"))
_TOWARDS = frozenset((*TABLES["fields"]["to"], *TABLES["beside_names"])) - _SOURCES
_AND = 3
"""The letters of the longest word for and: `Bea and I`."""
_BESIDE_ADDRESS = 4
"""The most words beside an address in a signature."""
_PREPOSITION = 2
"""The letters of words that stand before places, also in other languages: `in`, `at`, `zu`."""
_FEWEST = 3
"""The words of a sentence that begins with a capital letter."""
_LONGEST = 300
_UNKNOWN = "zzz"
"""A word of no language, in place of a name."""
IsWord = Callable[[str], bool]


def credits_another(text: str, sender: str, is_word: IsWord, greets: Callable[[str], bool]) -> bool:
    """Whether a line says that somebody who is none of `sender`'s names is behind the orders above it: by their address
    or full name, beside a moment, between brackets or behind an arrow, as their source, with what is theirs, or in a
    sentence about them. Whom it greets (`greets`, surely) or speaks to, or what it tells of the sender and them, is not
    behind anything, nor is a name alone.
    """
    line = " ".join(in_own_letters(text[:_LONGEST]).split())
    plain, own = without_accents(line), words_in(without_accents(sender))
    if _LINK.search(line) or _begins_with(plain, own):
        return False
    if SOMEBODY in beside_moment(plain)[0]:
        return "@" in line and own.isdisjoint(words_in(line)) and len(line.split()) <= _BESIDE_ADDRESS
    if tells_who_and_when(line, sender, is_word):
        return True
    if plain.lower() == plain.upper() and _credits_without_capitals(line):
        return True
    names = _names_in(plain, own, is_word) if len(line.split()) > 1 else set[str]()
    if names and _NOTE.fullmatch(plain):
        return True
    return any(_is_about(one, names, greets) for one in _SENTENCE.split(plain))


def _credits_without_capitals(line: str) -> bool:
    """Whether a line in a script without capitals, where any word may be a name, tells of what somebody but the sender
    proposes, or is a note that greets nobody and speaks of no orders.
    """
    if _NOTE.fullmatch(line):
        words = "".join(_WORD.findall(line))
        return len(words) > 1 and not (begins_with_greeting(words) or heads_orders(words))
    told = (found.start() for said in (PROPOSED, WROTE) for found in said.finditer(line))
    return any(not line[:at].rstrip().endswith(_ONESELF) for at in told)


def _begins_with(text: str, own: frozenset[str]) -> bool:
    """Whether the first words with capital letters have a name of the sender's, to whom the line does not speak."""
    head = re.match(r"\W*((?:[^\W\d_]+[.]? )?[^\W\d_]+)(?!, [^\W\d_A-Z])", text)
    return head is not None and not words_in(head[1]).isdisjoint(own)


def _names_in(text: str, own: frozenset[str], is_word: IsWord) -> set[str]:
    """The words of a text that may be names of others; powers are named in sentences of all kinds."""
    words = _WORD.findall(text)
    beside_own = {one for pair in pairwise(words) if not own.isdisjoint(map(str.lower, pair)) for one in pair}
    described = {found[1] for found in _DESCRIBED.finditer(text)}
    return {word for word in {*words} - beside_own - described if _may_be_a_name(word, own, is_word)}


def _may_be_a_name(word: str, own: frozenset[str], is_word: IsWord) -> bool:
    """Whether a word may be the name of somebody else; one of a script without capitals is none here."""
    parts = words_in(word)
    if len(word) == 1 or not word[0].isupper() or not parts.isdisjoint(own | POWERS):
        return False
    return not PEOPLE.isdisjoint(parts) or not all(is_of_orders_or_moments(one) or is_word(one) for one in parts)


def _is_about(sentence: str, names: set[str], greets: Callable[[str], bool]) -> bool:
    """Whether a sentence is about one of these names, and neither greets nor speaks to it, nor is of the sender."""
    words = _WORD.findall(sentence)
    places = [at for at, word in enumerate(words) if word in names]
    greeting = greets(_nameless(sentence, names))
    if any(at and words[at - 1].lower() in _SOURCES and not (greeting and at > 1) for at in places):
        return True
    told = [at for at in places if not (greeting or len(words) == 1 or _is_to(sentence, words, at))]
    if not told:
        return False
    if any(_signs(sentence, words[at]) for at in told) or _says_so(sentence, words[told[0]]):
        return True
    asks = sentence.endswith("?") or _ASKS.search(sentence) is not None
    return told == places and not asks and any(_is_told_of(sentence, words, at) for at in told)


def _nameless(sentence: str, names: set[str]) -> str:
    """A sentence with no names but at its beginning, where any word has a capital letter: `Hank` is no thanks."""
    first = _WORD.search(sentence)
    begin = first.end() if first is not None else 0
    return sentence[:begin] + _WORD.sub(lambda found: _UNKNOWN if found[0] in names else found[0], sentence[begin:])


def _signs(sentence: str, name: str) -> bool:
    """Whether a name stands beside another word with a capital letter, at the end or before a comma, or is all that
    follows a label.
    """
    full = re.search(rf"(?<!\w){re.escape(name)} [^\W\d_]+\W*(?:$|[,|])", sentence)
    return (full is not None and full[0][len(name) + 1].isupper()) or (_LABEL.match(sentence) is not None)


def _says_so(sentence: str, name: str) -> bool:
    """Whether a sentence with a name tells of a proposal, or of what is theirs, or what they want of the sender."""
    if _OWNS.search(sentence) or PROPOSED.search(sentence) or WROTE.search(sentence):
        return True
    begins = sentence.lstrip("\"'(")
    return begins.startswith(name) and _TO_SENDER.match(begins, len(name)) is not None


def _is_told_of(sentence: str, words: Sequence[str], at: int) -> bool:
    """Whether the name at this place is within a sentence, behind a word, and none that speaks to it: `Tell Bea`."""
    before = words[at - 1] if at else ""
    if len(before) <= _PREPOSITION or not is_small(before[0]) or f"{before} {words[at]}" not in sentence:
        return False
    return is_small(words[0][0]) or len(words) >= _FEWEST


def _is_to(sentence: str, words: Sequence[str], at: int) -> bool:
    """Whether the name at this place is spoken to, is that to which something goes, or is beside the sender's."""
    spoken_to = re.search(rf"(?:^\W*|, ?){re.escape(words[at])}(?:,|\W*$)", sentence)
    towards = at > 0 and words[at - 1].lower() in _TOWARDS and not PROPOSED.search(sentence)
    beside = words[at + 1 : at + 3] if len("".join(words[at + 1 : at + 2])) <= _AND else ()
    of_sender = WRITER.search(" ".join((*words[:at], "|", *beside)))
    return towards or spoken_to is not None or of_sender is not None
