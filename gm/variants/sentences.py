"""The sentences that a game says, from its file, filled with facts.

A fact is a value, and spelt as players write it: `{unit}` is `A Par`, `{order}` `A Par-Bur`; commas stand between
several. After a colon stands another way to spell it: `{to:short}`, `Par` for a place; `{to:full}`, `Paris`;
`{code:upper}`, `AX`; for a unit, or what is stored of one, `{by:unit}`, `A Par`; `{by:whose}`, `France A Par`;
`{by:colour}`, `French A Par`. `and` or `or` stands between several, after a comma only before the last: `{places:short,
or}`. `{count:army|armies}` is the first for one and for what is true, the second for all else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import Formatter
from typing import Any, cast

from gm.board import Location, Power, standard_board
from gm.errors import GmError, IllegalOrder
from gm.orders import Build, Convoy, Declaration, Disband, Hold, Move, Order, Retreat, Support
from gm.orders.notation import Spelt, short, write, write_unit
from gm.position import STANDARD_KINDS, Kinds, Unit, parse_unit

_FACT = re.compile(r"[a-z_]+(?:\.[a-z_]+|\[\d+\])*")
_SPELT = re.compile(r"(short|full|upper|unit|whose|colour)?(?: ?(,?) ?(and|or))?")


def problem_of(text: str) -> str:
    """What is wrong with a sentence of a file; "" for nothing."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        return str(error)
    for _, fact, spec, how in parts:
        if fact is not None and (how or not _FACT.fullmatch(fact)):
            return f"{fact!r} is no fact"
        if spec and "|" not in spec and not _SPELT.fullmatch(spec):
            return f"{spec!r} is no way to spell a fact"
    return ""


class Sentences(Formatter):
    """What one game says: `said` are its sentences by heading and kind, `kinds` its units, `adjectives` its powers'."""

    def __init__(
        self, said: Mapping[str, Mapping[str, Any]], kinds: Kinds = STANDARD_KINDS, adjectives: Mapping[Power, str] = {}
    ) -> None:
        self.said, self._kinds = said, kinds
        self._ways: Mapping[str, Callable[[Any], str]] = {
            "short": short,
            "full": lambda at: standard_board().full_name(Location(standard_board().province(at))),
            "upper": str.upper,
            "unit": lambda unit: write_unit(self._unit(unit)),
            "whose": lambda unit: f"{self._unit(unit).power} {write_unit(self._unit(unit))}",
            "colour": lambda unit: f"{adjectives[self._unit(unit).power]} {write_unit(self._unit(unit))}",
        }

    def refusal(self, kind: str, error: type[GmError] = IllegalOrder, /, **facts: Any) -> GmError:
        """The error that says why something is not possible, and what to write instead."""
        return error(*self.texts(kind, **facts))

    def texts(self, kind: str, /, **facts: Any) -> list[str]:
        """What is not possible, and what to write instead."""
        return [self.filled(text, facts) for text in self.said["refusals"][kind]]

    def note(self, kind: str, /, **facts: Any) -> str:
        """A sentence, or a part of one, of a receipt, a form or a report."""
        return self.filled(self.said["notes"][kind], facts)

    def filled(self, text: str, facts: Mapping[str, Any]) -> str:
        """A sentence with the facts."""
        return self.vformat(text, (), facts)

    def format_field(self, value: Any, format_spec: str) -> str:
        """A fact in words; see above."""
        one, either, other = format_spec.partition("|")
        if either:
            return one if value == 1 else other
        found = _SPELT.fullmatch(format_spec)
        assert found is not None, format_spec
        way, comma, word = found.groups("")
        several = isinstance(value, Iterable) and not isinstance(value, str)
        spelt = [self._ways.get(way, _plain)(one) for one in (value if several else (value,))]
        between = f" {word} " if word else ", "
        return listed(spelt, between) if comma else between.join(spelt)

    def _unit(self, unit: Unit | str) -> Unit:
        return parse_unit(unit, self._kinds) if isinstance(unit, str) else unit


def listed(words: Sequence[str], last: str = " and ") -> str:
    """`Par, Bur and Mar`."""
    return last.join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _plain(value: Any) -> str:
    match value:
        case Unit():
            return write_unit(value)
        case Spelt() | Hold() | Move() | Support() | Convoy() | Retreat() | Disband() | Build() | Declaration():
            return write(cast(Order, value))
    return str(value)
