"""The orders that only this game has, and its dialect.

SHIP 1: PAR, BRE, SPA     where a ship may come down, in the order of wishes
T KIE (S) GRE             the transmitter sends the unit in its space to the one in Greece
T GRE (R) KIE             it receives what is sent from Kiel; (R) HOME: a unit of the reserve
T SPA (R) F SPA(sc)       in Winter: a unit arrives; in any season: T SPA (R) T, a new transmitter
A HOME-SPA                a unit of the reserve arrives, in Spring and Fall
A MUN-KIE-GRE             with the option `relay`: to a transmitter and on by it
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from gm.board import Location, Power, UnitKind
from gm.orders import Hold, Move, U, UnitName, Waive
from gm.orders.language import Dialect, Language
from gm.orders.notation import Pen, Spelt
from gm.position import Position, Unit
from gm.variants.standard import nations
from gm.variants.the_aliens.board import SHIP, TRANSMITTER
from gm.variants.the_aliens.state import KINDS, State


@dataclass(frozen=True)
class Land(Spelt, Hold[U], Generic[U]):
    """A ship's landing places, the first wish first."""

    sites: tuple[Location, ...]

    def spell(self, pen: Pen) -> str:
        assert isinstance(self.unit, Unit)
        return f"{pen.unit(self.unit)}: {', '.join(map(pen.place, self.sites))}"


@dataclass(frozen=True)
class Send(Spelt, Hold[U], Generic[U]):
    """The transmitter sends the unit in its space to `to`."""

    effect = "it sends what was to go"

    to: Location

    def spell(self, pen: Pen) -> str:
        assert isinstance(self.unit, Unit)
        return f"{pen.unit(self.unit)} {pen.verb('(S)', 'SENDS TO')} {pen.place(self.to)}"


@dataclass(frozen=True)
class Receive(Spelt, Hold[U], Generic[U]):
    """The transmitter receives the unit sent from `origin`."""

    effect = "it receives what was to come"

    origin: Location

    def spell(self, pen: Pen) -> str:
        assert isinstance(self.unit, Unit)
        return f"{pen.unit(self.unit)} {pen.verb('(R)', 'RECEIVES FROM')} {pen.place(self.origin)}"


@dataclass(frozen=True)
class Bring(Spelt, Hold[U], Generic[U]):
    """The transmitter brings in a unit from home (in Winter) or a new transmitter (in any season)."""

    effect = "it arrives"

    arriving: U

    def spell(self, pen: Pen) -> str:
        assert isinstance(self.unit, Unit)
        new = self.arriving
        word = pen.verb("(R)", "RECEIVES")
        if new.kind is TRANSMITTER:
            return f"{pen.unit(self.unit)} {word} {pen.verb(new.kind, 'a new Transmitter')}"
        assert isinstance(new, Unit)
        return f"{pen.unit(self.unit)} {word} {pen.unit(new)}"


@dataclass(frozen=True)
class Reserve(Spelt, Waive[U], Generic[U]):
    """WAIVE in Winter: nothing more arrives, the rest stays in reserve."""

    effect = "the rest stays in reserve"

    def spell(self, pen: Pen) -> str:
        return pen.verb("Waive", "Nothing more arrives")


@dataclass(frozen=True)
class Arrive(Move[U], Generic[U]):
    """A unit of the reserve comes to a space with a transmitter of its own race (AL-5)."""

    crosses_border = False


@dataclass(frozen=True)
class Relay(Move[U], Generic[U]):
    """To the adjacent transmitter in `route`, and on by it (AL-14)."""

    crosses_border = False


@dataclass(frozen=True)
class Transmit(Spelt, Move[U], Generic[U]):
    """A move for which unit and both transmitters agree: what the judge is given, and outcomes show (AL-10)."""

    crosses_border = False

    def spell(self, pen: Pen) -> str:
        assert isinstance(self.unit, Unit)
        stops = "".join(f"{pen.verb('-', ' -> ')}{pen.place(at)}" for at in (*self.route, self.to))
        return f"{pen.unit(self.unit)}{stops} (by transmitter)"


NO_NUMBER = "0"
"""The number of a ship that is named without one."""


def _ship(number: str | None, *sites: Location) -> Land[UnitName]:
    return Land(UnitName(Location(str(number or NO_NUMBER)), SHIP), sites)


def _send_unit(unit: UnitName, _sent: UnitName, *way: Any) -> Send[UnitName]:
    return Send(unit, way[-1])


def _bring(unit: UnitName, kind: UnitKind, at: Location | None) -> Bring[UnitName]:
    return Bring(unit, UnitName(at or unit.at, kind))


def _spellings(position: Position) -> dict[str, Power]:
    return nations(State.of(position).races)


DIALECT = Dialect(
    "the_aliens",
    {"send": Send, "send_unit": _send_unit, "receive": Receive, "bring": _bring, "ship": _ship},
    brackets=("s",),
    whole=r"[ ]*ships?\b",
    blank=r"ship[ ]*\d*[ ]*:|t[ ]+.[ ]*\([ ]*[rs][ ]*\)|t[ ]+.[ ]*-",
)

LANGUAGE = Language(
    kinds=KINDS,
    dialects=(DIALECT,),
    spellings=_spellings,
    orders=(Land, Send, Receive, Bring, Reserve, Arrive, Relay, Transmit),
)
