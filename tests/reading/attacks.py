"""What costs a pattern most: strings of what its own repeats can repeat, and how its cost grows with their length."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from tests.reading.patterns import Found


class Attack(NamedTuple):
    """A beginning, what is repeated, and an end at which a pattern fails."""

    begin: str
    again: str
    end: str

    def text(self, length: int) -> str:
        """About this many characters of it."""
        return self.begin + self.again * max(1, (length - len(self.begin)) // len(self.again)) + self.end


def attacks(found: Found) -> list[Attack]:
    """For each repeat in a pattern what comes before it and what it repeats, that alone, and both together. What a
    class repeats is one character for each set of the pattern's classes that share it: where two repeats can both take
    a character, one of these is it. A sign that lets another one pass, as a backslash does, is tried with each.
    """
    rng = random.Random(len(found.pattern))
    source = found.pattern.encode("latin-1") if found.octets else found.pattern
    tree = list(re._parser.parse(source, found.flags))
    kinds = _Kinds(tree)
    made: dict[Attack, None] = {}
    escapes: dict[Attack, None] = {}
    for before, body in _repeats(tree, []):
        begin = kinds.sample(before, rng)
        escapes |= dict.fromkeys(Attack(begin, again, "\x01") for again in kinds.escaped(body) if begin)
        for again in dict.fromkeys((*kinds.repeated(body), *(kinds.sample(body, rng) for _ in range(_DRAWS)))):
            begin = kinds.sample(before, rng)
            for first, repeated in ((begin, again), ("", begin + again), (begin, again + " ")):
                if repeated and len(first) < _LONGEST_BEGINNING:
                    made[Attack(first, repeated[:_LONGEST_BEGINNING], rng.choice(_ENDS))] = None
    return [*escapes, *rng.sample(list(made), min(len(made), _MOST))]


_DRAWS = 2
_LONGEST_BEGINNING = 120
_ENDS = ("\x01", "\n!", "\n\x01")
_MOST = 20
"""Of a pattern with many repeats, such as a list of sayings, no more attacks than these are tried."""
_FEW = 8
"""What is repeated no more often than this costs a pattern nothing."""


def _repeats(sequence: Sequence[Any], before: list[Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Every repeat in a parsed pattern, with what comes before it."""
    for at, (operator, value) in enumerate(sequence):
        ahead = [*before, *sequence[:at]]
        if "REPEAT" in str(operator) and value[1] > _FEW:
            yield ahead, list(value[2])
        for part in _parts(str(operator), value):
            yield from _repeats(list(part), ahead)


def _parts(operator: str, value: Any) -> list[Any]:
    """The sequences that an operator has within it."""
    match operator:
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return [value[2]]
        case "SUBPATTERN":
            return [value[3]]
        case "ATOMIC_GROUP":
            return [value]
        case "BRANCH":
            return list(value[1])
        case "ASSERT" | "ASSERT_NOT":
            return [value[1]]
        case "GROUPREF_EXISTS":
            return [one for one in value[1:] if one]
    return []


class _Kinds:
    """The characters of a pattern, of which two are alike if each of its classes has both or neither."""

    def __init__(self, tree: Sequence[Any]) -> None:
        classes: dict[str, re.Pattern[str]] = {}
        letters: dict[str, None] = dict.fromkeys(_LIKELY)
        self._gather(tree, classes, letters)
        groups: dict[tuple[bool, ...], str] = {}
        for letter in letters:
            groups.setdefault(tuple(one.fullmatch(letter) is not None for one in classes.values()), letter)
        self._alike = list(groups.values())
        self._classes = classes

    def _gather(self, sequence: Iterable[Any], classes: dict[str, Any], letters: dict[str, None]) -> None:
        for operator, value in sequence:
            if str(operator) == "IN":
                letters.update(dict.fromkeys(chr(one) for one in _numbers(value)))
                classes.setdefault(str(value), _class(value))
            for part in _parts(str(operator), value):
                self._gather(part, classes, letters)

    def repeated(self, body: Sequence[Any]) -> list[str]:
        """What a body can be that is one character, one for each kind of them."""
        if len(body) != 1 or str(body[0][0]) not in ("IN", "ANY"):
            return []
        return self._of(body[0][1]) if str(body[0][0]) == "IN" else [*self._alike[:4]]

    def escaped(self, body: Sequence[Any]) -> list[str]:
        """What a body can be of which an alternative is a sign and any other, with a character of each kind."""
        inner = body
        while len(inner) == 1 and str(inner[0][0]) in ("SUBPATTERN", "ATOMIC_GROUP"):
            inner = list(_parts(str(inner[0][0]), inner[0][1])[0])
        ways = inner[0][1][1] if len(inner) == 1 and str(inner[0][0]) == "BRANCH" else [inner]
        signs = [chr(one[0][1]) for one in ways if [str(part[0]) for part in one] == ["LITERAL", "ANY"]]
        return [sign + one for sign in signs for one in self._alike]

    def _of(self, items: list[Any]) -> list[str]:
        allowed = self._classes.get(str(items)) or _class(items)
        found = [one for one in self._alike if allowed.fullmatch(one)]
        return found or [chr(one) for one in _numbers(items) if allowed.fullmatch(chr(one))] or ["é"]

    def sample(self, sequence: Iterable[Any], rng: random.Random) -> str:
        """A string that such a part of a pattern matches, but for what it asserts."""
        return "".join(self._piece(str(operator), value, rng) for operator, value in sequence)

    def _piece(self, operator: str, value: Any, rng: random.Random) -> str:
        match operator:
            case "LITERAL":
                return chr(value)
            case "NOT_LITERAL":
                return next(one for one in "x 1" if ord(one) != value)
            case "ANY":
                return rng.choice("x 1")
            case "IN":
                return rng.choice(self._of(value))
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                times = min(value[0] + rng.randint(0, 1), value[1], 40)
                return "".join(self.sample(value[2], rng) for _ in range(times))
            case "BRANCH":
                return self.sample(rng.choice(value[1]), rng)
            case "SUBPATTERN" | "ATOMIC_GROUP":
                return self.sample(_parts(operator, value)[0], rng)
        return ""


_LIKELY = " x-.1>*\t<@:=\"'(,_A/"


def _numbers(items: list[Any]) -> Iterator[int]:
    """The characters at which the ranges of a class begin and end."""
    for operator, value in items:
        if str(operator) == "LITERAL":
            yield value
        elif str(operator) == "RANGE":
            yield from value


def _class(items: list[Any]) -> re.Pattern[str]:
    """A parsed class as a pattern of its own."""
    return re.compile("[" + "".join(_in_class(str(operator), value) for operator, value in items) + "]")


def _in_class(operator: str, value: Any) -> str:
    match operator:
        case "NEGATE":
            return "^"
        case "RANGE":
            return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
        case "CATEGORY":
            return _ESCAPES[str(value)]
    return re.escape(chr(value))


_ESCAPES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_NOT_WORD": r"\W",
}


# ---- what it costs


LONGEST, SHARE = 8_000, 8
"""Characters, and into how many parts of them one is compared with the whole."""
BEYOND = 20.0
"""For 8 times the length what is linear costs 8 times as much, what is quadratic 64 times."""
_FIRST = [*(round(16 * 1.2**step) for step in range(23)), 1800, 3600]
"""Lengths that are tried first, up to about 900 each a fifth longer than the one before: what grows exponentially would
never come back from a long text, and what grows with the cube not soon. What took no time at one length takes less than
twenty times as much at the next, on a machine of any speed.
"""
_NO_TIME = 0.25
"""Seconds that none of the first lengths takes, on a busy machine either."""
_CHEAP = 0.001
"""Seconds for the longest text that need no second look: a quadratic pattern takes several times as long."""
_ROUNDS = 3


def is_linear(run: Callable[[str], object], text: Callable[[int], str]) -> bool:
    """Whether the cost of `run` grows no faster than its text, of which `text` makes one of any length."""
    if any(_least(run, text(length), _NO_TIME) > _NO_TIME for length in _FIRST):
        return False
    whole, part = text(LONGEST), text(LONGEST // SHARE)
    cost = _seconds(run, whole)
    if cost <= _CHEAP:
        return True
    enough = BEYOND * _least(run, part, cost / BEYOND)
    return cost <= enough or _least(run, whole, max(enough, _CHEAP)) <= max(BEYOND * _least(run, part), _CHEAP)


def _seconds(run: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    run(text)
    return time.process_time() - began


def _least(run: Callable[[str], object], text: str, enough: float = 0.0) -> float:
    """The least of several rounds, and no more of them than it takes to get below `enough`."""
    least = _seconds(run, text)
    for _ in range(_ROUNDS - 1):
        if least <= enough:
            break
        least = min(least, _seconds(run, text))
    return least
