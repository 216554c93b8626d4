"""Order values by phase, what a variant adds to their language, and their form as JSON values in the store.

Each type is generic in how it names units: parsing returns orders *as written* (`UnitName`: kind, coast and power may
be missing), legality turns them into orders *as understood* (`Unit`). The judge uses only the latter.

A variant's own order types derive from these and differ in their class properties, so that the judge needs no special
case for them: a flight is a `Move` that crosses no border.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from gm.board import FiniteBoard, Location, Power, UnitKind
from gm.position import STANDARD_KINDS, Kinds, PhaseKind, Position, Unit, parse_unit


@dataclass(frozen=True, slots=True)
class UnitName:
    """A unit as a player names it: `A Mun`, `mun`, `Russian F stp`."""

    at: Location
    kind: UnitKind | None = None
    power: Power | None = None


U = TypeVar("U", Unit, UnitName)


@dataclass(frozen=True)
class Hold(Generic[U]):
    """The unit stays: `A PAR H`."""

    unit: U


@dataclass(frozen=True)
class Move(Generic[U]):
    """The unit goes to `to`: `A PAR-BUR`.

    `via_convoy` is true when the player said so or spelled out the fleets' spaces, which are then in `route`.
    """

    unit: U
    to: Location
    via_convoy: bool = False
    route: tuple[Location, ...] = ()

    crosses_border: ClassVar[bool] = True
    """False for a move that fights no head-to-head battle and bars no retreat."""
    strength: ClassVar[int] = 1
    """The unit's own strength in its attack; with 0 it cannot attack, cut or bounce anything."""
    only_if_vacant: ClassVar[bool] = False
    """True for a move that any unit that stays can stop: it dislodges no unit and cuts no support. It can still bounce
    others.
    """

    @property
    def comes_from(self: Move[Unit]) -> Location:
        """Where the move comes from: it does not cut a support that is directed at this location."""
        return self.unit.at


@dataclass(frozen=True)
class Support(Generic[U]):
    """Support to hold (`to` is None) or to move: `A MUN S A BER-SIL`. `to` may leave out the coast of the move."""

    unit: U
    supported: U
    to: Location | None = None


@dataclass(frozen=True)
class Convoy(Generic[U]):
    """A fleet carries an army over its sea space: `F NTH C A LON-NWY`."""

    unit: U
    convoyed: U
    to: Location


@dataclass(frozen=True)
class Retreat(Generic[U]):
    """A dislodged unit retreats: `A PAR R BUR`."""

    unit: U
    to: Location


@dataclass(frozen=True)
class Disband(Generic[U]):
    """A unit is taken off the board: instead of a retreat (`A PAR DISBAND`) or as a removal in Winter (`REMOVE
    A PAR`).
    """

    unit: U


@dataclass(frozen=True)
class Build(Generic[U]):
    """A new unit in a home centre: `BUILD A PAR`, `BUILD F STP/NC`."""

    unit: U


@dataclass(frozen=True)
class Declaration(Generic[U]):
    """A statement of a power that orders no unit."""

    power: Power | None = None


@dataclass(frozen=True)
class Waive(Declaration[U]):
    """One build is given up."""


Order: TypeAlias = (
    Hold[Unit]
    | Move[Unit]
    | Support[Unit]
    | Convoy[Unit]
    | Retreat[Unit]
    | Disband[Unit]
    | Build[Unit]
    | Declaration[Unit]
)
"""An order as understood."""

WrittenOrder: TypeAlias = (
    Hold[UnitName]
    | Move[UnitName]
    | Support[UnitName]
    | Convoy[UnitName]
    | Retreat[UnitName]
    | Disband[UnitName]
    | Build[UnitName]
    | Declaration[UnitName]
)
"""An order as a player wrote it: its places are on the board, nothing else has been checked."""


def unit_of(order: Order) -> Unit | None:
    """The unit that an order is for; None for a declaration."""
    return None if isinstance(order, Declaration) else order.unit


def power_of(order: Order) -> Power | None:
    """The power that gives the order; None for a declaration that names no power."""
    return order.power if isinstance(order, Declaration) else order.unit.power


# what a variant adds


@dataclass(frozen=True)
class Listing:
    """Lists of places that are the orders of a `phase`.

    A list begins with `word`, or with text that matches the pattern `head` (folded); a list without either is read as
    if it began with `word`. Its places may be on the same line and on the lines below.
    """

    phase: PhaseKind
    word: str
    head: str


@dataclass(frozen=True, eq=False)
class Dialect:
    """What a variant adds to the language of orders.

    `grammar` is the name of a file in `grammars/` that extends the rules of `orders.lark`; `makers` holds for each of
    its rules, by name, the function that turns its parts into an order. Compared by identity: make one for each
    variant, not for each game.
    """

    grammar: str
    makers: Mapping[str, Callable[..., Any]]
    brackets: tuple[str, ...] = ()
    """Letters with a meaning of their own in brackets, which are not coasts: `s` where `T KIE (S) GRE` is written."""
    slashed: str = ""
    """A pattern for a piece whose group `slash` is a slash before such a letter, and no coast's: `T KIE/S GRE`."""
    whole: str = ""
    """A pattern for the beginning of (folded) lines that form one list: these are not split at their commas."""
    blank: str = ""
    """A pattern for lines of this game's forms that were not filled in; names are single characters in it."""
    listing: Listing | None = None
    """The lists of places that are the orders of one of its phases."""
    alone: Mapping[Location, Callable[[], Any]] = dataclasses.field(default_factory=dict)
    """What a place alone on a line orders, with or without a colon."""
    expected: Mapping[PhaseKind, tuple[str, str]] = dataclasses.field(default_factory=dict)
    """What error messages say is expected, in phases whose orders are not the standard ones: after a unit, and in a
    line that has no order. `{place}` is an example.
    """


@dataclass(frozen=True)
class ComputedNames:
    """Place names that match a pattern: `q[1-9][0-9]*` (folded).

    `location` returns None for a name that is not on the board, or raises NotUnderstood with the reason. `stems` are
    words one of which precedes the pattern (any number of them). `where` is a zero-width pattern that must match in the
    line where the name begins, for names that are also everyday words.
    """

    pattern: str
    location: Callable[[str], Location | None]
    stems: tuple[str, ...] = ()
    where: str = ""


def _no_spellings(_: Position) -> Mapping[str, Power]:
    return {}


def _nothing_computed(_: FiniteBoard) -> tuple[ComputedNames, ...]:
    return ()


@dataclass(frozen=True, eq=False)
class Language:
    """A game's language. Compared by identity: make one for each variant.

    `kinds`: its kinds of unit, season and phase. `dialects`: its own grammars. `computed`: the places of a board that
    cannot be listed. `spellings`: other words for the powers of a position. `orders`: its own order types, so that the
    store can decode them.
    """

    kinds: Kinds = STANDARD_KINDS
    dialects: tuple[Dialect, ...] = ()
    computed: Callable[[FiniteBoard], tuple[ComputedNames, ...]] = _nothing_computed
    spellings: Callable[[Position], Mapping[str, Power]] = _no_spellings
    orders: tuple[type, ...] = ()


PLAIN = Language()
"""The orders of the standard game, for powers that are known by their names only."""


# orders as JSON values


STANDARD: tuple[type, ...] = (Hold, Move, Support, Convoy, Retreat, Disband, Build, Waive)


def order_to_json(order: Order) -> dict[str, Any]:
    """The JSON value of an order as understood; places and units in canonical codes."""
    value: dict[str, Any] = {"order": _name(type(order))}
    for field in dataclasses.fields(order):
        held = getattr(order, field.name)
        if held == field.default:
            continue
        if isinstance(held, Unit):
            held = str(held)
        elif isinstance(held, tuple):
            held = list(held)
        value[field.name] = held
    return value


def order_from_json(value: Mapping[str, Any], language: Language = PLAIN) -> Order:
    """The inverse of `order_to_json`; `language` is that of the game.

    Raises KeyError or ValueError for anything else.
    """
    kind = _kinds(language.orders).get(value["order"])
    if kind is None:
        raise ValueError(f"{value['order']!r} is not an order of this game")
    given = (field for field in _fields(kind) if field[2] or field[0] in value)
    order: Order = kind(**{name: _read(value[name], unit, language.kinds) for name, unit, _ in given})
    return order


def _name(kind: type) -> str:
    return kind.__name__.lower()


@cache
def _kinds(own: tuple[type, ...]) -> Mapping[str, type]:
    """The order types of a game, by the name under which they are stored."""
    return {_name(kind): kind for kind in (*own, *STANDARD)}


@cache
def _fields(kind: type) -> tuple[tuple[str, bool, bool], ...]:
    """The fields of an order type, each with whether it holds a unit, and whether it is required."""
    hints = typing.get_type_hints(kind)
    return tuple(
        (field.name, hints[field.name] in (U, Unit), field.default is dataclasses.MISSING)
        for field in dataclasses.fields(kind)
    )


def _read(value: Any, unit: bool, kinds: Kinds) -> Any:
    if unit:
        return parse_unit(value, kinds)
    return tuple(value) if isinstance(value, list) else value
