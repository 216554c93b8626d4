"""Lists of powers that somebody would like to play, the dearest first: `France, Italy` or `F[ER]*`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from gm.board import Power
from gm.errors import NotUnderstood

Wishes = tuple[tuple[Power, ...], ...]
"""Groups of powers; those within a group are equally dear."""


def read_wishes(text: str, powers: Sequence[Power], named: Callable[[str], Power | None]) -> Wishes:
    """The groups that a list names, as names with commas or as initials, with `[...]` round those that are equally
    dear and `*` for all others. Raises NotUnderstood.
    """
    groups: list[tuple[Power, ...]] = []
    for bracketed, plain in re.findall(r"\[([^\]]*)\]|([^,\[\]]+)", text):
        if bracketed:
            groups.append(tuple(power for part in _parts(bracketed) for power in _named(part, powers, named)))
        else:
            groups += [(power,) for part in _parts(plain) for power in _named(part, powers, named)]
    taken: list[Power] = []
    wishes: list[tuple[Power, ...]] = []
    for group in groups:
        rest = _OTHERS in group
        fresh = tuple(dict.fromkeys(p for p in (powers if rest else group) if p not in taken))
        taken += fresh
        wishes += [fresh] if fresh else []
    if not wishes:
        raise _unknown(text, powers)
    return tuple(wishes)


_OTHERS = Power("*")


def _parts(text: str) -> list[str]:
    return [part.strip() for part in re.split(r",|\band\b|(\*)", text) if part and part.strip()]


def _named(part: str, powers: Sequence[Power], named: Callable[[str], Power | None]) -> tuple[Power, ...]:
    if part == _OTHERS:
        return (_OTHERS,)
    power = named(part)
    if power in powers:
        return (Power(str(power)),)
    initials = {power[0].upper(): power for power in powers}
    letters = part.upper().replace(" ", "")
    if len(initials) < len(powers) or not letters or not set(letters) <= set(initials):
        raise _unknown(part, powers)
    return tuple(initials[letter] for letter in letters)


def _unknown(text: str, powers: Sequence[Power]) -> NotUnderstood:
    return NotUnderstood(f"'{text.strip()}' is no power of this game.", f"Write one of: {', '.join(powers)}.")
