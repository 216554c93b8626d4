"""A star chart: planets as pairs of hemispheres with their orbits, and the occupied quantum spaces between them.

If there are many planets, those near the reader are drawn: their own, those where they have units and those whose units
they meet; for the public, those with most activity. The lines of orders start where each unit was before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from math import hypot
from types import MappingProxyType
from typing import ClassVar, Generic, TypeVar

from gm.board import Location, Power
from gm.board.geography import Point
from gm.judge.outcomes import Outcome
from gm.maps.figures import Figure, Form, Shape, Words, sharp
from gm.maps.glyphs import INK, LAND, Box, Livery, Size, about, around, liveries
from gm.maps.layout import Clearance
from gm.maps.layout import near as near_by
from gm.maps.letters import across
from gm.orders import Convoy, Declaration, Hold, Move, Order, Retreat, Support
from gm.orders.notation import write_unit
from gm.orders.possible import ByIdentity
from gm.position import Position, Unit
from gm.turn import Turn
from gm.variants.quantum_space import forms
from gm.variants.quantum_space.army_fleets import Embark
from gm.variants.quantum_space.forms import (
    CORNERS,
    CROSS,
    CROSSED,
    HIGH,
    INWARD,
    LETTERS,
    MIDST,
    PAPER,
    RADIUS,
    RING,
    STAR_FORM,
    ZERO,
)
from gm.variants.quantum_space.space import BORDERS, ORBIT, Planets, QuantumBoard, is_orbit, is_quantum, is_surface
from gm.variants.quantum_space.state import ARMY_FLEET, SHOWN, near
from gm.views import Art, View

T = TypeVar("T")
_Standing = Sequence[tuple[Unit, Point]]

STARS = 24
"""The most quantum spaces on a chart; those with long names need room."""

ABREAST = 2
"""So many planets stand side by side, however many there are: so all letters are large enough for a phone."""
CARD = Point(368.0, 270.0)
MARGIN = 24.0
HEAD = 58.0
FOOT = 24.0
ROW = 100.0
STAR_WIDTH = 172.0
APART = 4.0
"""Between two units in one place."""
EMPTY = "#efe9da"
WIDTH = 2 * MARGIN + ABREAST * CARD.x


_OF_MOVES = ("Broken: did not move.", "Arrow: moved.")
_MEANINGS: Mapping[object, str] = {
    Support: "Dotted: support.",
    Convoy: "Without a head: convoy.",
    ARMY_FLEET: "A/F: both.",
}
_FAILED = "Cross: failed."
_STRANDED = "Red edge: must retreat."


@dataclass(frozen=True)
class Chart:
    """A chart ready to be drawn, from the lowest layer to the highest."""

    template: ClassVar[str] = "quantum-space"
    paper: ClassVar[str] = PAPER

    width: float
    height: float
    title: str
    ground: tuple[Figure, ...]
    orders: tuple[Figure, ...]
    rings: tuple[Figure, ...]
    """The signs of supply centres; above the lines of orders, as are names."""
    names: tuple[Words, ...]
    """Of planets and places, with the numbers of octants where no unit stands."""
    pieces: tuple[Figure, ...]
    crosses: tuple[Figure, ...]
    """The crosses on what failed; above everything, so that no unit hides one."""
    notes: tuple[Words, ...]
    """The title, and what explains the signs."""
    routes: Mapping[Order, str] = field(default_factory=lambda: MappingProxyType({}), compare=False)
    """Where each order is to be seen, as an SVG path."""

    @property
    def layers(self) -> Iterator[tuple[str, Figure | Words]]:
        """What is drawn, from the lowest to the highest, each with its kind."""
        layers: tuple[Sequence[Figure | Words], ...]
        layers = (self.ground, self.orders, self.rings, self.names, self.pieces, self.crosses, self.notes)
        return (("words" if isinstance(sign, Words) else "figure", sign) for signs in layers for sign in signs)


def chart(view: View) -> Chart:
    """The chart of a view whose board is one of planets."""
    assert isinstance(view.board, QuantumBoard)
    return _Drawing(view, view.board).chart()


@lru_cache(maxsize=4)
def _liveries(planets: ByIdentity[Planets], powers: tuple[Power, ...]) -> dict[Power, Livery]:
    return liveries(powers, {power: code.upper() for power, code in planets.value.codes.items()})


class _Found(Generic[T]):
    """Things of units in their order, found by the units' powers and places: once for all readers."""

    def __init__(self, things: Iterable[tuple[Unit, T]]) -> None:
        self._things: list[T] = []
        self._of: dict[Power, list[int]] = {}
        self._at: dict[Location, list[int]] = {}
        for number, (unit, thing) in enumerate(things):
            self._things.append(thing)
            self._of.setdefault(unit.power, []).append(number)
            self._at.setdefault(unit.at, []).append(number)

    def of(self, powers: Iterable[Power]) -> list[T]:
        """Those of these powers' units."""
        return self._sorted(self._of.get(power, ()) for power in powers)

    def at(self, places: Iterable[Location]) -> list[T]:
        """Those of the units in these places."""
        return self._sorted(self._at.get(place, ()) for place in places)

    def _sorted(self, numbers: Iterable[Sequence[int]]) -> list[T]:
        return [self._things[number] for number in sorted(chain.from_iterable(numbers))]


@lru_cache(maxsize=4)
def _found(position: ByIdentity[Position], turn: ByIdentity[Turn | None]) -> tuple[_Found[Unit], _Found[Outcome]]:
    """The units on the board and those dislodged; and the orders of units."""
    outcomes = turn.value.outcomes if turn.value is not None else ()
    orders = ((o.order.unit, o) for o in outcomes if not isinstance(o.order, Declaration))
    return _Found((unit, unit) for unit in position.value.every_unit), _Found(orders)


@lru_cache(maxsize=4)
def _stranded(position: ByIdentity[Position]) -> frozenset[Unit]:
    """The units that must retreat."""
    return frozenset(d.unit for d in position.value.dislodged)


class _Drawing:
    """A chart while it is being drawn."""

    def __init__(self, view: View, board: QuantumBoard) -> None:
        self.view, self.board = view, board
        self.powers = near(view, board)
        self.liveries = _liveries(ByIdentity(board.planets), view.powers)
        self.lines = -(-len(self.powers) // ABREAST)
        self.above = -(-self.lines // 2)  # so many of them are above quantum space
        self.width = WIDTH
        units, orders = _found(ByIdentity(view.position), ByIdentity(view.turn))
        self.units, self.orders = units.of(self.powers), orders.of(self.powers)
        self.stars = self._stars()
        longest = max((len(f"A/F {at}") for at in self.stars), default=0)
        abreast = max(1, int((self.width - 2 * MARGIN) // max(STAR_WIDTH, forms.breadth(longest) + 12)))
        self.rows = [self.stars[start : start + abreast] for start in range(0, len(self.stars), abreast)]
        self.band = 30.0 + ROW * max(1, len(self.rows))
        phase = view.turn.before.phase if view.turn is not None else view.position.phase
        what = "orders and positions" if view.turn is not None else "positions"
        self.title = f"{phase.season.capitalize()} {phase.year}: {what}"
        self.part = ""
        if len(self.powers) < len(view.powers):
            whose = f"near {view.seat}" if view.seat in board.planets.codes else "where most goes on"
            self.part = f"{len(self.powers)} of {len(view.powers)} planets, those {whose}"
        self.head = HEAD + (1.3 * LETTERS if self.part else 0)
        self.places = dict(self._places())
        self.units, self.orders = units.at(self.places), orders.at(self.places)
        self.letters: dict[Point, int] = {}
        for unit in self.units:
            at = self.places[unit.at]
            self.letters[at] = max(self.letters.get(at, 0), len(write_unit(unit)))
        self.legend = tuple(self._legend())
        self.key = self._key()
        self.across = max(1, int((self.width - 2 * MARGIN) // (50 + 0.56 * LETTERS * max(map(len, self.key.values())))))
        self.foot = self.head + self.lines * CARD.y + self.band + FOOT  # where the legend begins
        self.below = self.foot + 1.35 * LETTERS * len(self.legend)  # and the key below it
        self.height = self.below + 1.7 * LETTERS * -(-len(self.key) // self.across)

    # ---- where everything lies

    def _stars(self) -> list[Location]:
        """The quantum spaces that are drawn: where units of the planets that are drawn are, or were before the turn."""
        wanted = dict.fromkeys(unit.at for unit in self.units if is_quantum(unit.at))
        for outcome in self.orders:
            order = outcome.order
            assert not isinstance(order, Declaration)
            ends = (order.unit.at, order.to) if isinstance(order, Move | Retreat) else (order.unit.at,)
            wanted |= dict.fromkeys(at for at in ends if is_quantum(at))
        return sorted(list(wanted)[:STARS], key=lambda at: (self._pull(at), int(at[1:])))

    def _pull(self, space: Location) -> float:
        """How far to the right the planets are whose units are there or come from there."""
        column = {power: place % ABREAST for place, power in enumerate(self.powers)}
        owners = [unit.power for unit in self.units if unit.at == space]
        return sum(column[power] for power in owners) / len(owners) if owners else ABREAST / 2

    def _places(self) -> Iterator[tuple[Location, Point]]:
        for place, power in enumerate(self.powers):
            code, middle, below = self.board.planets.codes[power], self._middle(place), self._is_above(place)
            for number in BORDERS:
                southern, aside, down = CORNERS[number]
                x = middle.x + forms.apart(southern, self.width).x + aside * MIDST
                yield Location(code + number), self._sharp(x, middle.y + down * MIDST)
            yield Location(code + ORBIT), self._sharp(middle.x, middle.y + (RADIUS + 26) * (1 if below else -1))
        for line_number, row in enumerate(self.rows):
            y = self.head + self.above * CARD.y + 15 + ROW * (line_number + 0.5)
            for place, at in enumerate(row):
                yield at, self._sharp(MARGIN + (self.width - 2 * MARGIN) * (place + 0.5) / len(row), y)

    def _middle(self, place: int) -> Point:
        """The middle of a planet's card: half of them above quantum space, half below."""
        row, column = divmod(place, ABREAST)
        x = MARGIN + CARD.x * (column + 0.5)
        lower = 6 if self._is_above(place) else self.band - 6
        return self._sharp(x, self.head + CARD.y * (row + 0.5) + lower)

    def _is_above(self, place: int) -> bool:
        return place // ABREAST < self.above

    def _name(self, place: int) -> Point:
        """The place of a planet's name, underlined in its colour: outside its orbit."""
        middle, down = self._middle(place), RADIUS + 18
        return self._sharp(middle.x, middle.y - down - 14 if self._is_above(place) else middle.y + down + 27)

    def _sharp(self, x: float, y: float) -> Point:
        return sharp(Point(x, y), self.width)

    # ---- what is drawn

    def chart(self) -> Chart:
        rings, names, standing = tuple(self._rings()), tuple(self._names()), tuple(self._standing())
        return Chart(
            self.width,
            self.height,
            "; ".join(filter(None, (self.title, self.part))),
            tuple(self._ground()),
            tuple(figure for outcome in self.orders for figure in self._order(outcome)),
            rings,
            names,
            tuple(self._pieces(standing)),
            tuple(Figure(at, CROSS) for at in self._crosses(rings, names, standing)),
            tuple(self._notes()),
            {outcome.order: way for outcome in self.orders if (way := self._route(outcome.order))},
        )

    def _route(self, order: Order) -> str:
        """The line of an order, or the place of its unit; "" if that is not on the chart."""
        assert not isinstance(order, Declaration)
        at = self.places.get(order.unit.at)
        if at is None:
            return ""
        start, end = self._ends(order) or (at, at)
        return f"M{start.x:.1f} {start.y:.1f}L{end.x:.1f} {end.y:.1f}"

    def _notes(self) -> Iterator[Words]:
        yield Words(Point(24, 38), self.title, 26.0, "#f4f1e6", "start", weight=700)
        if self.part:
            yield Words(self._sharp(24, HEAD + 0.6 * LETTERS), self.part, LETTERS, "#f4f1e6", "start")
        for place, note in enumerate(self.legend):
            yield Words(self._sharp(24, self.foot + LETTERS * (0.4 + 1.35 * place)), note, LETTERS, "#c4cfe6", "start")
        for mark, text in zip(self._in_key(), self.key.values(), strict=True):
            yield Words(self._sharp(mark.x + 22, mark.y + 0.34 * LETTERS), text, LETTERS, "#f4f1e6", "start")

    def _legend(self) -> Iterator[str]:
        """What the signs mean, in lines as wide as the chart."""
        line = ""
        for sentence in ("A army, F fleet, at their places.", "Rings: supply centres.", *self._signs()):
            longer = f"{line} {sentence}".strip()
            if across(longer, LETTERS, 600) > self.width - 2 * MARGIN:
                yield line
                longer = sentence
            line = longer
        yield line

    def _key(self) -> Mapping[Power, str]:
        """The planets whose colours are on the chart, each with its centres as far as they are known."""
        owners = (self.view.position.centers.get(self.board.province(at)) for at in self.places)
        found = dict.fromkeys((*self.powers, *(unit.power for unit in self.units), *filter(None, owners)))
        owned = Counter(self.view.position.centers.values())
        return {power: f"{power} {owned[power]}" for power in found if power in self.liveries}

    def _in_key(self) -> Iterator[Point]:
        """The places of its marks."""
        pitch = (self.width - 2 * MARGIN) / self.across
        for number in range(len(self.key)):
            row, column = divmod(number, self.across)
            yield self._sharp(MARGIN + 13 + pitch * column, self.below + LETTERS * (0.3 + 1.7 * row))

    def _signs(self) -> list[str]:
        """What the signs mean that are on the chart."""
        meanings = {
            _MEANINGS.get(type(one.order), _OF_MOVES[one.succeeded]) for one in self.orders if self._ends(one.order)
        }
        meanings |= {_FAILED for one in self.orders if not one.succeeded and self._ends(one.order)}
        meanings |= {_MEANINGS[unit.kind] for unit in self.units if unit.kind in _MEANINGS}
        meanings |= {_STRANDED for _ in _stranded(ByIdentity(self.view.position)).intersection(self.units)}
        return sorted(meanings)

    def _ground(self) -> Iterator[Figure]:
        for place, power in enumerate(self.powers):
            code, name = self.board.planets.codes[power], self._name(place)
            colours = tuple(self._colour(Location(code + number)) for number in CORNERS)
            yield Figure(self._middle(place), forms.planet(colours, self.width))
            yield Figure(self._sharp(name.x, name.y + 9), forms.underline(self.liveries[power].strong))
        for mark, power in zip(self._in_key(), self.key, strict=True):
            yield Figure(mark, forms.swatch(self.liveries[power].strong))
        for at in self.stars:
            yield Figure(self.places[at], STAR_FORM)

    def _colour(self, space: Location) -> str:
        owner = self.view.position.centers.get(self.board.province(space))
        if owner is not None and owner in self.liveries:
            return self.liveries[owner].tint
        return EMPTY if self.board.is_center(self.board.province(space)) else LAND

    def _rings(self) -> Iterator[Figure]:
        for space, at in self.places.items():
            if self.board.is_center(self.board.province(space)):
                _, aside, down = CORNERS[space[-1]]
                yield Figure(self._sharp(at.x - INWARD * aside, at.y - INWARD * down), RING)

    def _names(self) -> Iterator[Words]:
        for place, power in enumerate(self.powers):
            code = self.board.planets.codes[power]
            text = f"{power} ({code.upper()})"
            high = min(LETTERS, CARD.x * 0.97 / across(text, 1.0, 600))
            yield Words(self._name(place), text, high, "#f4f1e6", edge=Chart.paper)
            orbit = self.places[Location(code + ORBIT)]
            yield Words(self._sharp(orbit.x - 54, orbit.y + 7), "Orbit", LETTERS, "#b9c6e2", "end", Chart.paper)
        for space in self.stars:
            at = self.places[space]
            yield Words(self._sharp(at.x, at.y + 43), space.upper(), LETTERS, "#cfdcf7", edge=Chart.paper)
        for space, at in self.places.items():
            if is_surface(space) and at not in self.letters:
                yield Words(Point(at.x, at.y + 7.4), space[-1], LETTERS, INK, edge=self._colour(space))

    def _pieces(self, standing: _Standing) -> Iterator[Figure]:
        """Units as orders write them, on their powers' colours."""
        stranded = _stranded(ByIdentity(self.view.position))
        for unit, at in standing:
            yield Figure(at, forms.piece(unit, self.liveries[unit.power], unit in stranded))

    def _standing(self) -> Iterator[tuple[Unit, Point]]:
        """Where each unit is drawn: a second one in a place above the first, in an orbit, which has a name above it,
        beside it.
        """
        taken: Counter[Location] = Counter()
        for unit in self.units:
            at, number = self.places[unit.at], taken[unit.at]
            taken[unit.at] += 1
            aside = is_orbit(unit.at)
            across, up = (forms.breadth(self.letters[at]) + APART, 0.0) if aside else (0.0, HIGH + APART)
            yield unit, self._sharp(at.x + number * across, at.y - number * up)

    # ---- orders

    def _order(self, outcome: Outcome) -> Iterator[Figure]:
        order = outcome.order
        assert not isinstance(order, Declaration)
        ends = self._ends(order)
        if ends is None:
            return
        start, end = ends
        along = Point(end.x - start.x, end.y - start.y)
        points: Sequence[Point] = (ZERO, along)
        shapes: Sequence[Shape] = ()
        match order:
            case Move() | Retreat() | Hold():
                points = self._arrow(order, *ends)
                shapes = forms.arrow(*points, outcome.succeeded)
            case Support():
                shapes = forms.striped(forms.line(ZERO, along, 20, 14), 5.2, 3.0, "2 4")
            case Convoy():
                shapes = forms.striped(forms.line(ZERO, along, 20, 18), 5.2, 3.0)
        if shapes:
            yield Figure(start, Form(tuple(shapes), about(points, 9), self.liveries[order.unit.power].strong))

    def _crosses(self, rings: Sequence[Figure], names: Sequence[Words], standing: _Standing) -> Iterator[Point]:
        """A cross for each order that failed, by its line, of a move where that is nearest to its target; beside the
        units, the names and the rings.
        """
        written = (words.covered for words in names)
        units = (around(at, Size(forms.breadth(len(write_unit(unit))), HIGH)) for unit, at in standing)
        ringed = (around(ring.middle, CROSSED) for ring in rings)
        taken = Clearance(chain(written, units, ringed), Box(0, 0, self.width, self.height))
        for outcome in self.orders:
            order = outcome.order
            ends = None if outcome.succeeded or isinstance(order, Declaration) else self._ends(order)
            if ends is None:
                continue
            start, end = ends
            at = Point((start.x + 2 * end.x) / 3, (start.y + 2 * end.y) / 3)
            if not isinstance(order, Support | Convoy):
                stop = self._arrow(order, *ends)[1]
                at = Point(start.x + stop.x, start.y + stop.y)
            ways = (self._sharp(*point) for point in chain([at], near_by(at)))
            best = next((point for point in ways if not taken.hits(around(point, CROSSED))), at)
            taken.take(around(best, CROSSED))
            yield best

    def _ends(self, order: Order) -> tuple[Point, Point] | None:
        """Where the line of an order begins and ends; None if nothing is to be drawn."""
        assert not isinstance(order, Declaration)
        start, end = self.places.get(order.unit.at), self._goal(order)
        if start is None or end is None or hypot(end.x - start.x, end.y - start.y) < 1:
            return None
        return start, end

    def _arrow(self, order: Order, start: Point, end: Point) -> tuple[Point, Point, Point]:
        """Where the line of a move begins, where it ends beside the unit there, and where it bends; from its unit."""
        bows = isinstance(order, Move | Retreat) and start.y == end.y and is_quantum(order.unit.at)
        room = forms.breadth(self.letters[end]) / 2 + 8 if end in self.letters else 0.0
        return forms.curve(ZERO, Point(end.x - start.x, end.y - start.y), 26.0 if bows else 0.0, max(16.0, room))

    def _goal(self, order: Order) -> Point | None:
        """Where an order's line ends: at its unit's target, or in the middle of the move that it supports or
        convoys.
        """
        match order:
            case Move() | Retreat():
                return self.places.get(order.to)
            case Support() | Convoy():
                helped: Unit = order.supported if isinstance(order, Support) else order.convoyed
                begin = self.places.get(helped.at)
                end = self.places.get(order.to) if order.to is not None else begin
                return Point((begin.x + end.x) / 2, (begin.y + end.y) / 2) if begin is not None and end else None
            case Embark():
                return self.places.get(order.fleet.at)
        return None


ART = Art(picture=chart, near=SHOWN)
