"""What the rules of `orders.lark` make: statements, each an order as written with its place in the line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lark import Token, Transformer, v_args

from gm.board import Location, Power, UnitKind
from gm.errors import NotUnderstood
from gm.orders import Build, Convoy, Disband, Hold, Move, Retreat, Support, UnitName, Waive, WrittenOrder
from gm.parsing.lexicon import Lexicon


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


class MisnamedPlace(NotUnderstood):
    """A place that the board lacks, such as the north coast of Paris; `index` is where it stands in the folded text."""

    def __init__(self, fault: NotUnderstood, start: int, end: int) -> None:
        super().__init__(fault.problem, fault.remedy)
        self.start = start
        self.end = end


@v_args(inline=True)
class Maker(Transformer[Token, Any]):
    """One method for each rule and terminal that carries meaning; a dialect adds its own."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__()
        self._lexicon = lexicon
        for dialect in lexicon.dialects:
            for name, make in dialect.makers.items():
                setattr(self, name, _inline(make))

    def PLACE(self, token: Token) -> Location:
        try:
            return self._lexicon.place(str(token))
        except NotUnderstood as fault:
            start = token.start_pos or 0
            raise MisnamedPlace(fault, start, start + len(token)) from None

    def POWER(self, token: Token) -> Power | None:
        return self._lexicon.power(str(token))

    def KIND(self, token: Token) -> UnitKind:
        return UnitKind(token[0].upper())

    def start(self, *statements: Statement) -> list[Statement]:
        return list(statements)

    def heading(self, power: Power) -> Heading:
        return Heading(power)

    def unit(self, power: Power | None, kind: UnitKind | None, at: Location) -> UnitName:
        return UnitName(at, kind, power)

    def kind_unit(self, kind: UnitKind, at: Location) -> UnitName:
        return UnitName(at, kind)

    def bare(self, unit: UnitName) -> Bare:
        return Bare(unit)

    def hold(self, unit: UnitName, _word: Token) -> Hold[UnitName]:
        return Hold(unit)

    def move(self, unit: UnitName, *way: Location | tuple[Location, ...] | None) -> Move[UnitName]:
        *stops, via = way
        *route, to = [stop for stop in stops if isinstance(stop, str)]
        fleets = (*route, *(via or ()))
        return Move(unit, Location(to), via is not None or bool(fleets), tuple(map(Location, fleets)))

    def bare_move(self, unit: UnitName, to: Location) -> Move[UnitName] | Loose:
        move = Move(unit, to)
        return move if unit.kind or unit.power else Loose(move)

    def via(self, *fleets: Location | Token) -> tuple[Location, ...]:
        return tuple(Location(at) for at in fleets if not isinstance(at, Token))

    def support_hold(self, unit: UnitName, supported: UnitName, _word: Token | None) -> Support[UnitName]:
        return Support(unit, supported)

    def support_move(self, unit: UnitName, supported: UnitName, *way: Location | Token) -> Support[UnitName]:
        return Support(unit, supported, _last(way))

    def convoy(self, unit: UnitName, convoyed: UnitName, *way: Location | Token) -> Convoy[UnitName]:
        return Convoy(unit, convoyed, _last(way))

    def retreat(self, unit: UnitName, to: Location) -> Retreat[UnitName]:
        return Retreat(unit, to)

    led_retreat = retreat

    def disband(self, unit: UnitName) -> Disband[UnitName]:
        return Disband(unit)

    led_disband = disband

    def build(self, unit: UnitName) -> Build[UnitName]:
        return Build(unit)

    led_build = build

    def waive(self) -> Waive[UnitName]:
        return Waive()


def _last(way: tuple[Location | Token, ...]) -> Location:
    return [Location(at) for at in way if not isinstance(at, Token)][-1]


def _inline(make: Callable[..., Any]) -> Callable[[list[Any]], Any]:
    return lambda parts: make(*parts)
