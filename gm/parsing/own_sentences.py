"""Whether a sentence beside a command says something of its own: then the command can be acted on without it.

A question, a greeting, a name, what gives a reason, and what tells of others stand alone. Whatever else stands beside a
command that is itself written as a sentence may belong to it: `Eject Italy. But only if they have sent nothing.`
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from gm.parsing.not_orders import CONDITIONS
from gm.parsing.options_meant import options_in
from gm.parsing.questions import begins_because, is_reason, is_told, only_asks, sentences
from gm.parsing.sayings import greets


def stands_alone(text: str, games: Collection[str] = ()) -> bool:
    """Whether each sentence of a text says something of its own; one that names one of these games, and does not ask,
    may want the same there.
    """
    return all(map(_is_own, sentences(text))) and (only_asks(text) or not _names(text, games))


def joined(texts: Iterable[str]) -> str:
    """Texts as the sentences of one line."""
    *said, last = [text[:1].upper() + text[1:] for text in map(str.strip, texts) if text] or [""]
    ends = (text if text[-1] in ":;!?" else f"{text.rstrip('.')}{'.' if text[-2:].isalpha() else ';'}" for text in said)
    return " ".join((*ends, last))


def has_words(sentence: str) -> bool:
    """Whether a sentence has something behind a colon, which may be words for others."""
    return _WORDS.search(sentence) is not None


def depends(clause: str) -> bool:
    """Whether a clause says on which condition, how long, or behind what else something is to be done: what does it
    without knowing that does something else.
    """
    return _DEPENDS.match(clause) is not None


def goes_on(sentence: str) -> bool:
    """Whether a sentence begins as one does that limits the one before it, or puts another in its place."""
    return depends(sentence) or _GOES_ON.match(sentence) is not None


def _is_own(sentence: str) -> bool:
    if _LIMITS.match(sentence) or has_words(sentence) or any(options_in(sentence)):
        return False
    if only_asks(sentence) or begins_because(sentence) or is_reason(sentence) or is_told(sentence):
        return True
    return _NAME.fullmatch(sentence) is not None or greets(sentence)


def _names(text: str, games: Collection[str]) -> bool:
    return any(word.lower() in games for word in _A_WORD.findall(text))


_LEADS = r"\W*+(?:(?:and|but|only|just|then|und|aber|nur|et|mais|seulement)\b\W*+){0,3}+"
_DEPENDS = re.compile(
    rf"{_LEADS}(?:{'|'.join(CONDITIONS)}|until|till|over|bis)\b"
    r"|.*\b(?:first|before that|beforehand|vorher|zuerst|d'abord|avant)\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
_GOES_ON = re.compile(
    r"\W*(?:but|only|just|except|not|or|rather|better|aber|nur|erst|oder|lieber|mais|ou|sauf|seulement)\b",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    rf"{_DEPENDS.pattern}|\W*(?:but|only|just|except|however|otherwise|without|with|not|and|then|also|aber|nur|sonst|ohne"
    r"|mit|und|auch|mais|sauf|seulement|sans|avec|et|aussi)\b",
    re.IGNORECASE | re.DOTALL,
)
"""What goes on from a sentence before, or says how far that holds."""
_A_WORD = re.compile(r"[\w-]+")
_WORDS = re.compile(r":\s+\S")
_NAME = re.compile(r"\W*+[^\W\d_][\w'’-]*+\W*+|\W*+(?:[^\W\d_a-z][\w'’-]*+\W{1,3}+){1,3}")
"""A word, which is no sentence, or a name."""
