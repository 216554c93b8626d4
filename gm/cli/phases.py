"""Phases as JSON lines, parsed and checked for `gm adjudicate`, with error messages that say what to write."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from gm.board import FiniteBoard, Kind, Location, Power, Province
from gm.chance import Chance
from gm.errors import GmError
from gm.judge import RULEBOOKS
from gm.orders import Language, Order, WrittenOrder
from gm.orders.possible import ByIdentity, units_by_province
from gm.position import Dislodged, Kinds, Phase, PhaseKind, Position, Season, Unit, Units, parse_unit
from gm.variants import Variant, all_variants, variant

K = TypeVar("K", bound=Kind)

NO_SEED = bytes(32)
"""For games without random draws; a game with draws has its `seed`, and its name as `game`, in its `state`."""


class Malformed(GmError):
    """A line that is not a phase."""


class Line(NamedTuple):
    """One order on a line as given, with the order as understood or the reason for its refusal. (A named tuple, because
    a stream makes tens of thousands a second.)
    """

    text: str
    order: Order | None = None
    refusal: str = ""
    unit: Unit | None = None
    """The unit that the order is for."""
    by: Power | None = None
    """The power that gives the order: the unit's, or a seat that orders others' units."""
    written: WrittenOrder | None = None
    """The order as it was given; None if it could not be read."""


@dataclass(frozen=True)
class Question:
    """A phase to adjudicate: the game, the position and its order lines."""

    game: Variant
    position: Position
    lines: tuple[Line, ...]

    @property
    def board(self) -> FiniteBoard:
        """The board of the position."""
        return self.game.board(self.position)


# Reading


def read_question(text: str) -> Question:
    """Read one line. Raises Malformed."""
    value = _parsed(text)
    game = _game(value)
    position = _position(game, value)
    orders = _strings(value.get("orders", []), "orders")
    return Question(game, position, tuple(_lines(game, position, orders)) if orders else ())


def _lines(game: Variant, position: Position, orders: Sequence[str]) -> Iterator[Line]:
    from gm.cli.order_lines import read_lines  # Lark is needed only when there are orders

    return read_lines(game, position, orders)


def chance_of(position: Position) -> Chance:
    """The random draws of a position, from the seed in its state. Raises Malformed."""
    seed = position.extra.get("seed")
    try:
        return Chance(bytes.fromhex(seed) if isinstance(seed, str) else NO_SEED, str(position.extra.get("game", "")))
    except ValueError as error:
        raise Malformed(f"In 'state': {seed!r} is not a seed: {error}.") from None


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise Malformed(f"The line is not JSON: {error.msg} at column {error.colno}.") from None
    except RecursionError:
        raise Malformed("The line is nested too deeply.") from None
    except ValueError as error:
        raise Malformed(f"The line is not JSON: {error}.") from None
    if not isinstance(value, dict):
        raise Malformed(f"The line is {_kind(value)}, not an object.", 'Write {"units": [...], "orders": [...], ...}.')
    return value


def _game(value: Mapping[str, Any]) -> Variant:
    name = value.get("variant", "standard")
    games = all_variants()
    if not isinstance(name, str) or name.casefold().partition("/")[0] not in games:
        raise Malformed(f"'variant' is {name!r}; there is no such variant.", f"Write one of {', '.join(games)}.")
    game = _with_choices(games.get(name) or variant(name), value.get("options", {}))
    book = value.get("rulebook")
    if book is None:
        return game
    if str(book) not in RULEBOOKS:
        raise Malformed(f"'rulebook' is {book!r}; there is no such rulebook.", f"Write one of {', '.join(RULEBOOKS)}.")
    return _by_rulebook(ByIdentity(game), str(book))


@lru_cache(maxsize=64)
def _by_rulebook(game: ByIdentity[Variant], book: str) -> Variant:
    return game.value.with_rulebook(RULEBOOKS[book])


def _with_choices(game: Variant, chosen: Any) -> Variant:
    known = {choice.name: tuple(choice.ways) for choice in game.choices}
    if not isinstance(chosen, dict) or any(chosen[name] not in known.get(name, ()) for name in chosen):
        words = "; ".join(f"{name}: {' or '.join(ways)}" for name, ways in known.items())
        raise Malformed(f"'options' is {chosen!r}.", f"Write an object with {words}." if words else "Leave it out.")
    return game.with_choices(chosen)


def _position(game: Variant, value: Mapping[str, Any]) -> Position:
    kinds = game.language.kinds
    kind = _one_of(kinds.phases, value, "phase")
    season = Season.WINTER if kind is PhaseKind.ADJUSTMENT else _one_of(kinds.seasons, value, "season")
    year, state = value.get("year"), value.get("state", {})
    if not isinstance(year, int) or isinstance(year, bool):
        raise Malformed(f"'year' is {year!r}.", "Write a number such as 1901.")
    if not isinstance(state, dict):
        raise Malformed(f"'state' is {_kind(state)}, not an object.", "Write what 'state_after' gave, or leave it out.")
    bare = Position(Phase(year, season, kind), (), {}, extra=state)
    if limits := _limits(game, bare):
        bare = replace(bare, extra=limits | state)
    codes = _codes(game.board(bare), game.powers(bare), game.language)
    return Position(
        bare.phase,
        codes.units(_strings(value.get("units", []), "units")),
        codes.owners(value.get("centers", {})),
        tuple(codes.dislodged(entry) for entry in _list(value.get("dislodged", []), "dislodged")),
        frozenset(codes.province(text, "contested") for text in _strings(value.get("contested", []), "contested")),
        bare.extra,
    )


def _limits(game: Variant, bare: Position) -> dict[str, Any]:
    """The numbers that the game's rules set at its beginning; used if the state does not contain them."""
    powers = game.powers(bare)
    opened = game.opening(powers[: game.seating.fewest], Chance(NO_SEED)).extra if powers and bare.extra else {}
    return {name: value for name, value in opened.items() if isinstance(value, int)}


def _one_of(known: Sequence[K], value: Mapping[str, Any], key: str) -> K:
    found = value.get(key)
    if not isinstance(found, str) or found.casefold() not in known:
        raise Malformed(f"{key!r} is {found!r}.", f"Write one of {', '.join(known)}.")
    return next(kind for kind in known if kind == found.casefold())


class _Codes:
    """What codes of units and provinces mean on one board. Each that is right is read and checked only once."""

    def __init__(self, board: FiniteBoard, powers: tuple[Power, ...], kinds: Kinds) -> None:
        self._board, self._powers, self._kinds = board, powers, kinds
        self.unit = lru_cache(maxsize=4096)(self._unit)
        self.province = lru_cache(maxsize=4096)(self._province)
        self._center = lru_cache(maxsize=4096)(self._check_center)

    def units(self, texts: Iterable[str]) -> Units:
        """The units on the board."""
        given = [self.unit(text, "units") for text in texts]
        units, capacity = Units.ordered(given), self._board.capacity
        found = units_by_province(self._board, units)
        if len(found) < len(given):
            crowded = [province for province, inside in found.items() if len(inside) > capacity(province)]
            self._refuse(given, crowded)
        return units

    def _refuse(self, given: Sequence[Unit], crowded: Collection[Province]) -> None:
        """Raise Malformed for the first of the units that are in one of these provinces, if any are."""
        for unit in given:
            province = self._board.province(unit.at)
            if province in crowded:
                inside = [str(other) for other in given if self._board.province(other.at) == province]
                raise Malformed(f"In 'units': {' and '.join(inside)} cannot all be in {province!r}.")

    def owners(self, value: Any) -> dict[Province, Power]:
        """The owners of centres."""
        if not isinstance(value, dict):
            raise Malformed(f"'centers' is {_kind(value)}, not an object.", 'Write {"Russia": ["mos", "sev"], ...}.')
        owners: dict[Province, Power] = {}
        for name, codes in value.items():
            if name not in self._powers:
                raise Malformed(f"In 'centers': {name!r} is not a power.", f"The powers are {', '.join(self._powers)}.")
            power = Power(name)
            for text in _strings(codes, "centers"):
                if owners.setdefault(province := self._center(text), power) != power:
                    raise Malformed(f"In 'centers': both {owners[province]} and {name} own {text!r}.")
        return owners

    def dislodged(self, entry: Any) -> Dislodged:
        """A dislodged unit."""
        if not isinstance(entry, dict) or "unit" not in entry or "from" not in entry:
            raise Malformed(
                f"In 'dislodged': {entry!r} is not a dislodged unit.",
                'Write {"unit": "Austria A ser", "from": "bul"}.',
            )
        if not isinstance(entry["from"], str):
            raise self._no_place(entry["from"], "dislodged")
        origin = self.province(entry["from"], "dislodged")
        return Dislodged(self.unit(str(entry["unit"]), "dislodged"), origin, bool(entry.get("convoyed", False)))

    def _unit(self, text: str, where: str) -> Unit:
        try:
            unit = parse_unit(text, self._kinds)
        except ValueError as error:
            raise Malformed(f"In {where!r}: {error}.") from None
        board, powers = self._board, self._powers
        if unit.power not in powers:
            raise Malformed(f"In {where!r}: {unit.power!r} is not a power.", f"The powers are {', '.join(powers)}.")
        if not board.exists(unit.at):
            raise Malformed(f"In {where!r}: {unit.at!r} of {text!r} is not on the board.", "Write the canonical code.")
        if not board.may_stand(unit.kind, unit.at):
            coasts = " or ".join(board.coasts(board.province(unit.at)))
            remedy = f"A fleet there is at {coasts}." if coasts and unit.kind != "A" else ""
            raise Malformed(f"In {where!r}: no {unit.kind.word} can be at {unit.at!r}.", remedy)
        return unit

    def _province(self, text: str, where: str) -> Province:
        if not self._board.exists(Location(text)):
            raise self._no_place(text, where)
        return self._board.province(Location(text))

    def _no_place(self, text: Any, where: str) -> Malformed:
        return Malformed(f"In {where!r}: {text!r} is not on the board.", "Write the canonical code.")

    def _check_center(self, text: str) -> Province:
        province = self.province(text, "centers")
        if not self._board.is_center(province):
            raise Malformed(f"In 'centers': {text!r} is not a supply centre.")
        return province


@lru_cache(maxsize=8)
def _codes(board: FiniteBoard, powers: tuple[Power, ...], language: Language) -> _Codes:
    return _Codes(board, powers, language.kinds)


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed(f"{where!r} is {_kind(value)}, not a list.")
    return value


def _strings(value: Any, where: str) -> list[str]:
    found = _list(value, where)
    if not {*map(type, found)} <= {str}:  # as JSON is read
        entry = next(entry for entry in found if not isinstance(entry, str))
        raise Malformed(f"In {where!r}: {entry!r} is {_kind(entry)}, not a text.")
    return found


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "nothing"}
    return kinds.get(type(value), "a number")
