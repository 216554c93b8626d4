"""Names in a list, `Turkey, France and Italy`; and a line with such a list as a line for each of them."""

from __future__ import annotations

import re
from collections.abc import Callable

_BETWEEN = re.compile(r"(?:[,;&/]|(?<!\w)and(?!\w))[\s,]*+", re.IGNORECASE)
_MOST_WORDS = 4
"""The most words of a name."""


def names_in(text: str) -> list[str]:
    """The names in a list of them."""
    return [part.strip() for part in _BETWEEN.split(text) if part.strip()]


def one_each(line: str, begin: int, is_name: Callable[[str], bool]) -> tuple[str, ...]:
    """`EJECT Turkey, France` as a line for each name of a list behind the word that ends at `begin`, once, each with
    what stands before and behind the list; () without a list.
    """
    first, *others = map(str.rstrip, _BETWEEN.split(line[begin:].rstrip(" .!")))
    if not others:
        return ()
    *between, last = others
    words, ends = first.split(), last.split()
    name = next((" ".join(words[at:]) for at in _longest(words, -1) if is_name(" ".join(words[at:]))), "")
    end = next((" ".join(ends[:at]) for at in _longest(ends, 1) if is_name(" ".join(ends[:at]))), "")
    if not name or not end or not all(map(is_name, between)):
        return ()
    before, behind = first.removesuffix(name), last[len(end) :]
    names = {each.lower(): each for each in (name, *between, end)}
    return tuple(f"{line[:begin]}{before}{each}{behind}" for each in names.values())


def _longest(words: list[str], sign: int) -> list[int]:
    """Where the first (1) or last (-1) so many words end, the most first."""
    return [sign * number for number in range(min(len(words), _MOST_WORDS), 0, -1)]
