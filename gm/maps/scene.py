"""From a view to a scene: everything on a map with its position, labels without overlaps, and the legend below.

The position shown is the next one to be played; the orders that led to it start where each unit was before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from gm.board import Power, Province, Terrain, standard_board
from gm.board.geography import Point, standard_geography
from gm.maps.arrows import Drawing, OrdersDrawn
from gm.maps.glyphs import (
    LAND,
    NOT_PLAYED,
    PAPER,
    Box,
    CenterSign,
    Label,
    Livery,
    MarkSign,
    Sign,
    State,
    UnitSign,
    liveries,
    shape_of,
)
from gm.maps.layout import Clearance, Ground, line, near, paper
from gm.orders import Build, Disband, Order, Retreat
from gm.orders.notation import PRIVATE
from gm.position import Phase, PhaseKind, Position, Season, Unit
from gm.views import Emblem, Mark, Surface, View, Words


@dataclass(frozen=True, slots=True)
class Area:
    """The area of a province: a path and its fill colour; `hatch` is the colour of stripes across it, "" for none.

    `defs` define the paint that `fill` refers to, if it is not a colour.
    """

    path: str
    fill: str
    hatch: str = ""
    defs: str = ""


@dataclass(frozen=True)
class Scene:
    """A map ready to be drawn, from the lowest layer to the highest."""

    template: ClassVar[str] = "board"
    paper: ClassVar[str] = PAPER

    width: float
    height: float
    areas: tuple[Area, ...]
    drawing: Drawing
    centers: tuple[CenterSign, ...]
    marks: tuple[MarkSign, ...]
    labels: tuple[Label, ...]
    units: tuple[UnitSign, ...]
    legend: Legend
    liveries: tuple[Livery, ...]
    beyond: str
    """The sign at the far end of rays."""

    @property
    def title(self) -> str:
        """`Fall 1901: moves`."""
        return self.legend.title

    @property
    def layers(self) -> Iterator[tuple[str, object]]:
        """What is drawn upon the ground, from the lowest to the highest, each with its kind."""
        drawn = self.drawing
        beyond = [MarkSign(Emblem(sign=self.beyond), ray.beyond, ray.livery) for ray in drawn.rays]
        stack: tuple[tuple[str, Iterable[object]], ...] = (
            ("ray", drawn.rays),
            ("trace", drawn.traces),
            ("stroke", drawn.strokes),
            ("ring", drawn.rings),
            ("center", self.centers),
            ("label", self.labels),
            ("mark", self.marks),
            ("unit", self.units),
            ("head", drawn.heads),
            ("dot", drawn.dots),
            ("mark", beyond),
            ("cross", drawn.crosses),
        )
        return ((kind, sign) for kind, signs in stack for sign in signs)

    @property
    def routes(self) -> Mapping[Order, str]:
        """Where each order is to be seen, as an SVG path."""
        return {order: line((*way, way[-1])) for order, way in self.drawing.routes.items()}

    @property
    def signs(self) -> tuple[Sign, ...]:
        """All signs that must be readable."""
        drawn = self.drawing
        return (
            *self.units,
            *self.centers,
            *self.marks,
            *self.labels,
            *drawn.heads,
            *drawn.crosses,
            *drawn.dots,
            *drawn.rays,
        )


def drawable(view: View) -> bool:
    """Whether there is a map for the view's board: some of its provinces are on the sheet."""
    sheet = standard_geography().spots
    return any(province in sheet for province in view.board.provinces)


def scene(view: View) -> Scene:
    """The map of a view. Raises ValueError if there is none (see `drawable`)."""
    if not drawable(view):
        raise ValueError(f"there is no map of the board {view.board.name!r}")
    ground = Ground(view, standard_geography(), liveries(view.powers, codes_of(view)))
    units, centers = tuple(_units(ground)), tuple(_centers(ground))
    labels = tuple(_labels(ground))
    marks = _marks(ground, (*units, *centers, *labels))
    sheet = paper()
    standing: tuple[Sign, ...] = (*units, *centers, *marks, *labels)
    clearance = Clearance([sign.box for sign in standing], _frame())
    drawing = OrdersDrawn(ground, view.turn, clearance).draw() if view.turn is not None else Drawing()
    key = legend(ground, drawing, units, marks, sheet.width)
    return Scene(
        width=sheet.width,
        height=sheet.height,
        areas=tuple(_areas(ground)),
        drawing=drawing,
        centers=centers,
        marks=marks,
        labels=labels,
        units=units,
        legend=key,
        liveries=tuple(ground.liveries.values()),
        beyond=view.art.beyond,
    )


def codes_of(view: View) -> dict[Power, str]:
    """The codes of powers that have a private space, as far as the units there reveal them."""
    units = (*view.position.units, *(view.turn.before.units if view.turn is not None else ()))
    return {unit.power: unit.at.partition(PRIVATE)[2] for unit in units if PRIVATE in unit.at}


def _frame() -> Box:
    return Box(0, 0, paper().width, paper().height)


# Ground


def _areas(ground: Ground) -> Iterator[Area]:
    marked, held = _marked(ground), _held(ground)
    for code, path in paper().shapes.items():
        province = Province(code)
        mark = marked.get(province)
        if mark is not None and mark.emblem.ground.paint:
            yield Area(path, mark.emblem.ground.paint, defs=mark.emblem.ground.defs)
        elif province not in ground.board.provinces:
            if code != "~":
                yield Area(path, NOT_PLAYED, hatch="#a39b86" if province in ground.sheet.spots else "")
        elif ground.board.terrain(province) is not Terrain.SEA:
            owner, striped = held.get(province), mark.power if mark is not None else None
            fill = ground.liveries[owner].tint if owner in ground.liveries else LAND
            yield Area(path, fill, ground.liveries[striped].strong if striped in ground.liveries else "")


@cache
def ground_of() -> Mapping[str, Area]:
    """The areas of the sheet while nobody owns anything and everything is played, by their outlines."""
    sheet, board = standard_geography(), standard_board()
    empty = View(None, board, (), Position(Phase(0, Season.SPRING, PhaseKind.MOVEMENT), (), {}), {}, {}, _NO_WORDS)
    return {area.path: area for area in _areas(Ground(empty, sheet, {}))}


_NO_WORDS = Words({}, {}, {})


def _marked(ground: Ground) -> dict[Province, Mark]:
    """The marks that change the areas of their provinces."""
    return {mark.province: mark for mark in ground.view.marks if mark.emblem.ground != Surface()}


def _held(ground: Ground) -> dict[Province, Power]:
    """The power in whose colour each province is shown: the owner of its centre; without a centre, the power of the
    unit there.
    """
    position = ground.view.position
    standing = {ground.province(unit.at): unit.power for unit in position.units if ground.shown(unit.at)}
    free = {province: power for province, power in standing.items() if province not in ground.board.centers}
    return free | dict(position.centers)


# Signs


def _units(ground: Ground) -> Iterator[UnitSign]:
    position, turn, art = ground.view.position, ground.view.turn, ground.view.art
    new = {o.order.unit for o in turn.outcomes if isinstance(o.order, Build) and o.succeeded} if turn else set()
    for unit in position.units:
        if ground.shown(unit.at):
            state = State.NEW if unit in new else State.STANDING
            yield UnitSign(shape_of(unit.kind, art), ground.standing(unit.at), ground.livery(unit), state)
    for driven in position.dislodged:
        shape = shape_of(driven.unit.kind, art)
        yield UnitSign(shape, ground.dislodged(driven.unit.at), ground.livery(driven.unit), State.DISLODGED)
    for unit, middle in _gone(ground):
        yield UnitSign(shape_of(unit.kind, art), middle, ground.livery(unit), State.GONE)


def _gone(ground: Ground) -> Iterator[tuple[Unit, Point]]:
    """Units that were taken off the board in this phase, and where they were."""
    turn = ground.view.turn
    if turn is None:
        return
    was_dislodged = {driven.unit for driven in turn.before.dislodged}
    for driven in turn.destroyed:
        if ground.shown(driven.unit.at):
            yield driven.unit, ground.dislodged(driven.unit.at)
    standing = set(ground.view.position.units)
    occupied = {unit.at for unit in standing}
    for outcome in turn.outcomes:
        order = outcome.order
        if isinstance(order, Retreat | Disband) and ground.shown(order.unit.at):
            if order.unit in was_dislodged:
                if isinstance(order, Disband) or not outcome.succeeded:
                    yield order.unit, ground.dislodged(order.unit.at)
            elif order.unit not in standing:
                beside = order.unit.at in occupied
                yield order.unit, (ground.dislodged if beside else ground.standing)(order.unit.at)


def _centers(ground: Ground) -> Iterator[CenterSign]:
    owners = ground.view.position.centers
    for province in ground.board.centers:
        spots = ground.sheet.spots.get(province)
        if spots is not None and spots.center is not None:
            yield CenterSign(spots.center, ground.liveries.get(owners.get(province, Power(""))))


def _marks(ground: Ground, taken: Sequence[Sign]) -> tuple[MarkSign, ...]:
    """Each mark at its province's place for marks; a second one in the same province wherever there is room near by."""
    clearance = Clearance([sign.box for sign in taken], _frame())
    found = []
    for mark in ground.view.marks:
        if mark.emblem.sign and mark.province in ground.sheet.spots:
            spot, livery = ground.sheet.spots[mark.province].mark, ground.liveries.get(mark.power or Power(""))
            signs = (MarkSign(mark.emblem, point, livery) for point in (spot, *near(spot)))
            sign = next((sign for sign in signs if clearance.hits(sign.box) == 0), None)
            found.append(sign or MarkSign(mark.emblem, spot, livery))
            clearance.take(found[-1].box)
    return tuple(found)


def _labels(ground: Ground) -> Iterator[Label]:
    marked = _marked(ground)
    for code, spots in ground.sheet.spots.items():
        province = Province(code)
        if province in marked and marked[province].emblem.ground.paint:
            yield Label(code.capitalize(), spots.label, marked[province].emblem.ground.tone)
        elif province in ground.board.provinces:
            sea = ground.board.terrain(province) is Terrain.SEA
            yield Label(code.capitalize(), spots.label, "sea" if sea else "land")


# the legend


TEXT = 19.0
ROW = 30.0
EDGE = 12.0
_LETTER = 0.54
"""The average width of a letter, as a fraction of the font size."""

_MEANINGS = {
    "move": "moves",
    "wave": "by sea",
    "support": "supports",
    "ring": "convoys",
    "cross": "fails",
    "dislodged": "dislodged",
    "new": "built",
    "gone": "gone",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A sign and its meaning. `sign` names the sample, `sample` is the SVG if it is a mark's; `beyond` is the number of
    units that a power has beyond the sheet.
    """

    x: float
    y: float
    sign: str
    text: str
    livery: Livery | None = None
    beyond: int = 0
    sample: str = ""


@dataclass(frozen=True, slots=True)
class Legend:
    """The entries in rows; positions are relative to the legend's upper left corner."""

    title: str
    height: float
    entries: tuple[Entry, ...]


def legend(
    ground: Ground, drawing: Drawing, units: Iterable[UnitSign], marks: Iterable[MarkSign], width: float
) -> Legend:
    """The legend of a map with this width."""
    title = _title(ground)
    cursor_x, cursor_y = EDGE + len(title) * 26 * 0.5 + 24, ROW * 0.75
    entries: list[Entry] = []
    for sign, text, sample in _key(ground, drawing, units, marks):
        room = 40 + len(text) * TEXT * _LETTER + 16
        if cursor_x + room > width - EDGE:
            cursor_x, cursor_y = EDGE, cursor_y + ROW
        entries.append(Entry(cursor_x, cursor_y, sign, text, sample=sample))
        cursor_x += room
    powers = list(_powers(ground))
    widest = max((44 + len(text) * TEXT * _LETTER + 20 * beyond + 8 for _, text, beyond in powers), default=1)
    columns = max(1, min(len(powers), int((width - 2 * EDGE) // widest)))
    pitch = (width - 2 * EDGE) / columns
    cursor_y += ROW * 1.15
    for number, (livery, text, beyond) in enumerate(powers):
        row, column = divmod(number, columns)
        entries.append(Entry(EDGE + column * pitch, cursor_y + row * ROW, "power", text, livery, beyond))
    rows = -(-len(powers) // columns)
    return Legend(title, cursor_y + max(0, rows - 1) * ROW + ROW * 0.65, tuple(entries))


def _title(ground: Ground) -> str:
    turn = ground.view.turn
    phase = turn.before.phase if turn is not None else ground.view.position.phase
    name = f"{phase.season.capitalize()} {phase.year}"
    return f"{name}: {phase.kind.heading}" if turn is not None else name


def _powers(ground: Ground) -> Iterator[tuple[Livery, str, int]]:
    """The powers that still have something, with the number of their centres and of their units beyond the sheet."""
    position = ground.view.position
    for power, livery in ground.liveries.items():
        beyond = sum(unit.power == power and not ground.shown(unit.at) for unit in position.units)
        if _alive(position, power) or not position.centers:
            yield livery, f"{power} {len(position.centers_of(power))}", beyond


def _alive(position: Position, power: str) -> bool:
    owned = power in position.centers.values()
    units = (*position.units, *(driven.unit for driven in position.dislodged))
    return owned or any(unit.power == power for unit in units)


def _key(
    ground: Ground, drawing: Drawing, units: Iterable[UnitSign], marks: Iterable[MarkSign]
) -> Iterator[tuple[str, str, str]]:
    """The signs that occur: the name of the sample, its meaning, and the SVG if it is a mark's."""
    kinds = {stroke.kind for stroke in drawing.strokes}
    states = {unit.state for unit in units}
    occurring = {
        "move": not kinds.isdisjoint({"move", "wave"}),
        "unarmed": "unarmed" in kinds,
        "wave": "wave" in kinds,
        "support": "support" in kinds,
        "ring": bool(drawing.rings),
        "cross": bool(drawing.crosses),
        "leap": "leap" in kinds,
        "arrival": any(not ray.up for ray in drawing.rays),
        "departure": any(ray.up for ray in drawing.rays),
        "dislodged": State.DISLODGED in states,
        "new": State.NEW in states,
        "gone": State.GONE in states,
        "aboard": any(not ground.shown(unit.at) for unit in ground.view.position.units),
    }
    art = ground.view.art
    own = {"leap": art.leap, "unarmed": art.unarmed}
    beyond = {"arrival": art.arrival, "departure": art.departure, "aboard": art.aboard}
    meanings = {**_MEANINGS, **own, **beyond}
    yield from ((sign, meanings[sign], "") for sign, occurs in occurring.items() if occurs)
    yield from (("mark", emblem.meaning, emblem.sample) for emblem in dict.fromkeys(mark.emblem for mark in marks))
