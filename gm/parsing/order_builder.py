"""What the rules of `orders.lark` make.

A rule makes a *recipe*: a function from the names of a line to a statement. The parser sees only a line's form, in
which names are numbers; so the recipe of `A PAR-BUR` serves `A MUN-BER` too, and a form met before is not parsed again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from lark import Token

from gm.board import Location, Power, UnitKind
from gm.orders import Build, Convoy, Disband, Hold, Move, Retreat, Support, UnitName, Waive, WrittenOrder
from gm.orders.language import Dialect
from gm.parsing.lexicon import FIRST_PLACE, FIRST_POWER


@dataclass(frozen=True, slots=True)
class Heading:
    """`France:`; what follows on the line is that power's."""

    power: Power


@dataclass(frozen=True, slots=True)
class Bare:
    """A unit and no word of what it is to do: right only in a list such as `BUILD A PAR, F BRE`."""

    unit: UnitName


@dataclass(frozen=True, slots=True)
class Loose:
    """A move without a dash or a unit's letter, `par bur`."""

    move: Move[UnitName]


Statement = WrittenOrder | Heading | Bare | Loose
Recipe = Callable[[Sequence[Any]], list[Statement]]


def callbacks(dialects: tuple[Dialect, ...]) -> Any:
    """The object whose attributes Lark calls, one for each rule and terminal that carries meaning."""
    made: dict[str, Any] = {name: staticmethod(_recipe(make)) for name, make in _MAKERS.items()}
    for dialect in dialects:
        made |= {name: staticmethod(_recipe(make)) for name, make in dialect.makers.items()}
    made["PLACE"] = staticmethod(lambda token: itemgetter(ord(token) - FIRST_PLACE))
    made["POWER"] = staticmethod(lambda token: itemgetter(ord(token) - FIRST_POWER))
    made["KIND"] = staticmethod(_kind)
    return type("Callbacks", (), made)()


def _recipe(make: Callable[..., Any]) -> Callable[[list[Any]], Callable[[Sequence[Any]], Any]]:
    """From a maker of values, a maker of recipes: it waits for the names, then makes the parts and the whole."""

    def rule(parts: list[Any]) -> Callable[[Sequence[Any]], Any]:
        return lambda names: make(*[part(names) if callable(part) else part for part in parts])

    return rule


def _kind(token: Token) -> UnitKind:
    return UnitKind.ARMY_FLEET if "/" in token else UnitKind(token[0].upper())


def _statements(*statements: Statement) -> list[Statement]:
    return list(statements)


def _unit(power: Power | None, kind: UnitKind | None, at: Location) -> UnitName:
    return UnitName(at, kind, power)


def _kind_unit(kind: UnitKind, at: Location) -> UnitName:
    return UnitName(at, kind)


def _move(unit: UnitName, *way: Any) -> Move[UnitName]:
    *stops, via = way
    *route, to = stops
    fleets = (*route, *(via or ()))
    return Move(unit, to, via is not None or bool(fleets), fleets)


def _bare_move(unit: UnitName, to: Location) -> Move[UnitName] | Loose:
    move = Move(unit, to)
    return move if unit.kind or unit.power else Loose(move)


def _by_convoy(_words: Token) -> tuple[Location, ...]:
    return ()


def _by_fleets(*fleets: Location) -> tuple[Location, ...]:
    return fleets


def _support_move(unit: UnitName, supported: UnitName, *way: Any) -> Support[UnitName]:
    return Support(unit, supported, _target(way))


def _convoy(unit: UnitName, convoyed: UnitName, *way: Any) -> Convoy[UnitName]:
    return Convoy(unit, convoyed, _target(way))


def _target(way: tuple[Any, ...]) -> Location:
    """The last stop of `- NTH - NWY`; a tuple among the stops is what was said of the convoy."""
    stop: Location = [at for at in way if not isinstance(at, tuple)][-1]
    return stop


_MAKERS: dict[str, Callable[..., Any]] = {
    "start": _statements,
    "heading": Heading,
    "unit": _unit,
    "kind_unit": _kind_unit,
    "bare": Bare,
    "hold": Hold,
    "move": _move,
    "bare_move": _bare_move,
    "by_convoy": _by_convoy,
    "by_fleets": _by_fleets,
    "support_hold": Support,
    "support_move": _support_move,
    "convoy": _convoy,
    "retreat": Retreat,
    "disband": Disband,
    "build": Build,
    "led_retreat": Retreat,
    "led_disband": Disband,
    "led_build": Build,
    "waive": Waive,
}
