"""With what somebody ends a letter: words that take leave, and their name, a part of it or its first letters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from gm import patterns as re
from gm.parsing.courtesies import CLOSING, THANKS
from gm.parsing.lexicon import fold

_LEAVE = rf"(?:{CLOSING}|{THANKS})"
_MOST, _NAMES = 4, 2
"""So many lines may sign, and so many words that nobody knows may be a name behind those that take leave."""
_LEAVES = re.compile(rf"\W*(?:{_LEAVE})(?!\w)(?P<rest>[^?\d:]*)", re.IGNORECASE)
_SURELY = rf"(?!(?:best|yours|bye|cheers)\b(?! (?:regards|wishes)|\W*[,.!-]|\W*\Z))(?:{CLOSING})(?!\w)"
"""Words that take leave, and not such as go on: `best for Italy`."""
_CLOSES = re.compile(rf"\W*{_SURELY}", re.IGNORECASE)
_LAST = re.compile(rf"(?<=[.,;!?])\s++(?={_SURELY}(?:\W*[^\W\d_]+\.?){{0,2}}[^\w\"”“»]*\Z)", re.IGNORECASE)
_SIGN = re.compile(r"[?\d:]")
_WORD = re.compile(r"[^\W\d_]+")
_ANSWERS = frozenset("ynjo")
"""Letters that are answers, too."""
_KISSES = frozenset("xo")
_SHORTEST = 3


def signature_begins(lines: Sequence[str], names: str, also: str = "") -> int:
    """Where among the lines of a mail the last ones begin that only sign it, below at least one that does not; else
    their number. `names`: those of the writer, of which a part signs, too; `also`: other words for them.
    """
    written, begins = [at for at, line in enumerate(lines) if line.strip()], len(lines)
    for at in reversed(written[1:][-_MOST:]):
        if not signs(lines[at], names, also):
            break
        begins = at
    return begins


def signs(line: str, names: str, also: str = "") -> bool:
    """Whether a line at the end of a mail only signs it: `lg felix`, `Cheers, F.`, `Felix H`, `f`."""
    leaves = _LEAVES.fullmatch(line)
    words = _words(leaves["rest"] if leaves is not None else line)
    if leaves is not None and len(words) <= _NAMES and _CLOSES.match(line) is not None:
        return True
    return _SIGN.search(line) is None and bool(words) and _are_names(words, _words(names), _words(also))


def without_signature(text: str) -> str:
    """A text without what signs it behind its last sentence: `Alles bleibt stehen. lg f`."""
    found = _LAST.search(text)
    return text[: found.start()].rstrip(" ,") if found is not None else text


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text).folded)


def _are_names(words: Sequence[str], names: Sequence[str], also: Collection[str]) -> bool:
    """Whether words are a name of the writer, whole, in part, or in its first letters, and perhaps kisses; or one is a
    letter alone, which is no answer.
    """
    first, *others = words
    if not others and len(first) == 1 and (first not in _ANSWERS or any(name[0] == first for name in names)):
        return True
    own = [word for word in words if not _KISSES.issuperset(word)] if others else words
    return bool(own) and all(word in also or _is_of_name(word, names) for word in own)


def _is_of_name(word: str, names: Sequence[str]) -> bool:
    if word in names or word in (f"{one[0]}{two[0]}" for one, two in pairwise(names)):
        return True
    begins = any(name.startswith(word) for name in names)
    return begins and (len(word) >= _SHORTEST or (len(word) == 1 and word not in _ANSWERS))
