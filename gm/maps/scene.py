"""From a view to a scene: everything on a map with its position, labels without overlaps, and the legend below.

The position shown is the next one to be played; the orders that led to it start where each unit was before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, pairwise
from typing import Any, ClassVar, TypeVar

from gm.board import FiniteBoard, Power, Province, Terrain, standard_board
from gm.board.geography import Point, standard_geography
from gm.judge.outcomes import Result
from gm.maps.arrows import Drawing, OrdersDrawn
from gm.maps.glyphs import (
    LAND,
    NOT_PLAYED,
    PAPER,
    SEA,
    Box,
    CenterSign,
    Cross,
    DeedSign,
    Hold,
    Label,
    Livery,
    MarkSign,
    Ring,
    Sign,
    Size,
    Standoff,
    State,
    UnitSign,
    about,
    liveries,
    shape_of,
)
from gm.maps.layout import Clearance, Ground, frame, line, near, paper
from gm.maps.legend import Legend, legend
from gm.maps.strands import strands
from gm.orders import Build, Disband, Move, Order, Retreat
from gm.orders.notation import PRIVATE
from gm.position import Phase, PhaseKind, Position, Season, Unit
from gm.views import Emblem, Mark, Surface, View, Words


@dataclass(frozen=True, slots=True)
class Area:
    """The area of a province and its fill colour; `hatch` is the colour of stripes across it, "" for none.

    `defs` define the paint that `fill` refers to, if it is not a colour.
    """

    province: str
    fill: str
    hatch: str = ""
    defs: str = ""

    @property
    def path(self) -> str:
        """Its outline."""
        return paper().shapes[self.province]


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
    standoffs: tuple[Standoff, ...]
    legend: Legend
    liveries: tuple[Livery, ...]
    beyond: str
    """The sign at the far end of rays."""

    @property
    def title(self) -> str:
        """`Fall 1901: moves`."""
        return self.legend.title

    @cached_property
    def named(self) -> Sequence[tuple[Label, Box]]:
        """The names, each with what it covers."""
        return [(label, label.box) for label in self.labels]

    @property
    def layers(self) -> Iterator[tuple[str, object]]:
        """What is drawn upon the ground, from the lowest to the highest, each with its kind."""
        drawn = self.drawing
        beyond = [MarkSign(Emblem(sign=self.beyond), ray.beyond, ray.livery) for ray in drawn.rays]
        stack: tuple[tuple[str, Iterable[object]], ...] = (
            ("line", drawn.rays),
            ("trace", drawn.traces),
            ("line", drawn.strokes),
            ("ring", drawn.rings),
            ("hold", drawn.holds),
            ("deed", drawn.deeds),
            ("center", self.centers),
            ("label", self.labels),
            ("mark", self.marks),
            *((kind, [sign]) for unit in self.units for kind, sign in unit.layers),
            ("standoff", self.standoffs),
            ("line", drawn.heads),
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
            *self.standoffs,
            *drawn.heads,
            *drawn.crosses,
            *drawn.dots,
            *drawn.rays,
        )


def on_sheet(board: FiniteBoard) -> bool:
    """Whether some of the board's provinces are on the sheet."""
    sheet = standard_geography().spots
    return any(province in sheet for province in board.provinces)


def drawable(view: View) -> bool:
    """Whether there is a map for the view's board: some of its provinces are on the sheet."""
    return on_sheet(view.board)


def scene(view: View) -> Scene:
    """The map of a view. Raises ValueError if there is none (see `drawable`)."""
    if not drawable(view):
        raise ValueError(f"there is no map of the board {view.board.name!r}")
    ground = Ground(view, standard_geography(), liveries_of(view))
    units, centers = tuple(_units(ground)), tuple(_centers(ground))
    labels = tuple(_labels(ground))
    standoffs = tuple(_standoffs(ground))
    standing: tuple[Sign, ...] = (*units, *centers, *labels, *standoffs)
    clearance = Clearance([sign.box for sign in standing], frame())
    marks = tuple(_marks(ground, clearance))
    sheet = ground.sheet
    drawing = OrdersDrawn(ground, view.turn, clearance).draw() if view.turn is not None else Drawing()
    key = legend(ground, drawing, (*units, *standoffs), marks, sheet.width)
    return Scene(
        width=sheet.width,
        height=sheet.height,
        areas=tuple(_areas(ground)),
        drawing=drawing,
        centers=centers,
        marks=marks,
        labels=labels,
        units=units,
        standoffs=standoffs,
        legend=key,
        liveries=tuple(ground.liveries.values()),
        beyond=view.art.beyond,
    )


@dataclass(frozen=True)
class Theatre:
    """The part of a whole map where a power's units are, with a legend of its own. `cut`: the names of the whole map
    that are left out, as its edge would cut them.
    """

    whole: Scene
    window: Box
    cut: tuple[Label, ...]
    legend: Legend

    @property
    def shown(self) -> Scene:
        """The whole map without these names, and without the signs that are elsewhere."""
        whole, near = self.whole, self.window.wider(_EDGES)
        return replace(
            whole,
            labels=tuple(label for label in _seen(whole.labels, near) if label not in self.cut),
            units=_seen(whole.units, near),
            centers=_seen(whole.centers, near),
            marks=_seen(whole.marks, near),
        )


_EDGES = 8.0
"""How much more than its box a sign may cover."""
_WIDEST = 1 / 2
"""A theatre is at most this share of the sheet wide, so that it is shown at twice the scale of the map of all."""
_MOVED = 90
"""How far its edges may move outwards to cut no name and no unit."""
_CROWDED = 1.25
"""How much denser units stand in a theatre than on the whole sheet, at least."""
_NARROWEST = Size(468, 300)
"""So wide that its picture has two pixels for each point of a phone's screen."""
_LETTERS = 5 / 8
"""How high the letters of its legend are beside those of the map."""
_BEYOND = 26.0
"""How much more than the middles of the outermost signs is shown."""


def theatre(view: View, power: Power, whole: Scene) -> Theatre | None:
    """The part of the whole map of a view where a power's units are, with what touches them; None where that would be
    much of the map or no crowd, or nothing.
    """
    ground = Ground(view, standard_geography(), liveries_of(view))
    window = _window(ground, power, [*(box for _, box in whole.named), *(unit.box for unit in whole.units)])
    if window is None:
        return None
    shown = _coloured(window, whole)
    own = {one: livery for one, livery in ground.liveries.items() if livery in shown}
    spots, drawn = ground.sheet.spots, whole.drawing
    marked = tuple(m for m in view.marks if m.province in spots and _within(window, [spots[m.province].label]))
    key = legend(
        replace(ground, view=replace(view, marks=marked), liveries=own),
        replace(
            drawn,
            rays=tuple(ray for ray in drawn.rays if _within(window, (ray.beyond, ray.ground))),
            strokes=tuple(stroke for stroke in drawn.strokes if _within(window, stroke.curve)),
            rings=_standing(drawn.rings, window),
            holds=_standing(drawn.holds, window),
            deeds=_standing(drawn.deeds, window),
            crosses=_standing(drawn.crosses, window),
        ),
        (*_seen(whole.units, window), *_seen(whole.standoffs, window)),
        _seen(whole.marks, window),
        (window.right - window.left) / _LETTERS,
    )
    cut = tuple(label for label, box in whole.named if _is_cut(window, box))
    return Theatre(whole, window, cut, replace(key, title=f"{power}, {key.title.partition(':')[0]}"))


def _coloured(window: Box, whole: Scene) -> set[Livery | None]:
    """The liveries of the signs, lines and land in the window, also of those that its edge cuts."""
    standing: tuple[UnitSign | CenterSign, ...] = (*whole.units, *whole.centers)
    found: set[Livery | None] = {None, *(sign.livery for sign in standing if window.overlaps(sign.box))}
    for kind, sign in whole.layers:
        livery = getattr(sign, "livery", None)
        if livery not in found and any(map(window.overlaps, _boxes(window, kind, sign))):
            found.add(livery)
    sheet, known = standard_geography(), {colour: one for one in whole.liveries for colour in (one.tint, one.strong)}
    for area in whole.areas:
        liveries = {known.get(area.fill), known.get(area.hatch)} - found
        if liveries and _within(window, chain.from_iterable(sheet.rings(area.province))):
            found |= liveries
    return found


def _boxes(window: Box, kind: str, sign: Any) -> Iterable[Box]:
    """What a sign covers; of a line that may be in the window, each of its steps."""
    if kind != "line":
        return [sign.box]
    near = strands(sign) if window.overlaps(sign.reach) else ()
    return (about(step, strand.width / 2) for strand in near for step in pairwise(strand.curve))


def _is_cut(window: Box, box: Box) -> bool:
    """Whether the edge of the window goes through the box."""
    (left, top, right, low), (first, high, last, deep) = window, box
    inside = left <= first and last <= right and top <= high and deep <= low
    return window.overlaps(box) and not inside


_Seen = TypeVar("_Seen", UnitSign, Standoff, MarkSign, Label, CenterSign)


def _seen(signs: Iterable[_Seen], window: Box) -> tuple[_Seen, ...]:
    """Those of the signs that are in the window, if only in part."""
    return tuple(sign for sign in signs if window.overlaps(sign.box))


_Stands = TypeVar("_Stands", Ring, Hold, DeedSign, Cross)


def _standing(signs: Iterable[_Stands], window: Box) -> tuple[_Stands, ...]:
    """Those of the signs whose middle is in the window."""
    return tuple(sign for sign in signs if _within(window, [sign.middle]))


def _within(window: Box, points: Iterable[Point]) -> bool:
    """Whether one of the points is in the window."""
    return any(window.left < x < window.right and window.top < y < window.bottom for x, y in points)


def _window(ground: Ground, power: Power, signs: Sequence[Box]) -> Box | None:
    before = ground.view.turn.before.units if ground.view.turn is not None else ()
    dislodged = tuple(driven.unit for driven in ground.view.position.dislodged)
    own = {unit.at for unit in (*ground.view.position.units, *dislodged, *before) if unit.power == power}
    spots = ground.sheet.spots
    here = {ground.province(at) for at in own if ground.shown(at)}
    near = {other for one in here for other in ground.sheet.borders(one) if other in spots}
    points = [spots[one].label for one in here] + [spots[one].unit for one in here | near]
    if not points:
        return None
    tight, sheet = about(points, _BEYOND), frame()
    across, down = (
        _side(tight.left, tight.right, _NARROWEST.width, sheet.right),
        _side(tight.top, tight.bottom, _NARROWEST.height, sheet.bottom),
    )
    window = Box(across[0], down[0], across[1], down[1])
    if window.right - window.left > _WIDEST * sheet.right:
        return None
    share = (window.right - window.left) * (window.bottom - window.top) / sheet.right / sheet.bottom
    every = [ground.standing(unit.at) for unit in ground.view.position.units if ground.shown(unit.at)]
    within = sum(_within(window, [middle]) for middle in every)
    return _spared(window, signs) if within >= _CROWDED * share * len(every) else None


def _spared(window: Box, signs: Sequence[Box]) -> Box:
    """The window with each edge moved outwards to where it cuts the fewest signs, no farther than it must."""
    sheet = frame()
    room = _WIDEST * sheet.right - (window.right - window.left)
    for side, limit in enumerate(sheet):
        edge, outwards = window[side], 1 if side > 1 else -1
        across, along = side % 2, 1 - side % 2
        near = (box for box in signs if box[along] < window[along + 2] and window[along] < box[along + 2])
        beside = [(box[across], box[across + 2]) for box in near]
        free = min(abs(limit - edge), room if across == 0 else _MOVED, _MOVED)
        ways = [edge + outwards * by for by in range(0, max(1, int(free)), 5)]
        best = min(ways, key=lambda way: sum(low < way < high for low, high in beside))
        room -= abs(best - edge) if across == 0 else 0
        window = window._replace(**{Box._fields[side]: best})
    return window


def _side(first: float, last: float, least: float, limit: float) -> tuple[float, float]:
    """A side of the window: at least so long, and on the sheet."""
    more = max(0.0, least - (last - first)) / 2
    begin = min(max(0.0, first - more), limit - least)
    return begin, min(limit, max(last + more, begin + least))


def liveries_of(view: View) -> dict[Power, Livery]:
    """The colours of a view's powers."""
    return liveries(view.powers, codes_of(view), view.looks)


def codes_of(view: View) -> dict[Power, str]:
    """The codes of powers that have a private space, as far as the units there reveal them."""
    units = (*view.position.units, *(view.turn.before.units if view.turn is not None else ()))
    return {unit.power: unit.at.partition(PRIVATE)[2] for unit in units if PRIVATE in unit.at}


# Ground


def _areas(ground: Ground) -> Iterator[Area]:
    marked, held = _marked(ground), _held(ground)
    for code in ground.sheet.polygons:
        province = Province(code)
        mark = marked.get(province)
        if mark is not None and mark.emblem.ground.paint:
            yield Area(code, mark.emblem.ground.paint, defs=mark.emblem.ground.defs)
        elif province not in ground.board.provinces:
            if code != "~":
                yield Area(code, NOT_PLAYED, hatch="#a39b86" if province in ground.sheet.spots else "")
        elif ground.board.terrain(province) is not Terrain.SEA:
            striped = mark.power if mark is not None else None
            yield Area(
                code,
                _tint(ground, held, province),
                ground.liveries[striped].strong if striped in ground.liveries else "",
            )


def _tint(ground: Ground, held: Mapping[Province, Power], province: Province) -> str:
    """The colour of land."""
    owner = held.get(province)
    return ground.liveries[owner].tint if owner in ground.liveries else LAND


@cache
def ground_of() -> Mapping[str, Area]:
    """The areas of the sheet before anything has an owner, all of it played, by their provinces."""
    sheet, board = standard_geography(), standard_board()
    empty = View(None, board, (), Position(Phase(0, Season.SPRING, PhaseKind.MOVEMENT), (), {}), {}, {}, _NO_WORDS)
    return {area.province: area for area in _areas(Ground(empty, sheet, {}))}


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


def _marks(ground: Ground, clearance: Clearance) -> Iterator[MarkSign]:
    """Each mark at its province's place for marks; a second one in the same province wherever there is room near by."""
    for mark in ground.view.marks:
        if mark.emblem.sign and mark.province in ground.sheet.spots:
            spot, livery = ground.sheet.spots[mark.province].mark, ground.liveries.get(mark.power or Power(""))
            signs = (MarkSign(mark.emblem, point, livery) for point in (spot, *near(spot)))
            sign = next((sign for sign in signs if clearance.hits(sign.box) == 0), MarkSign(mark.emblem, spot, livery))
            clearance.take(sign.box)
            yield sign


def _labels(ground: Ground) -> Iterator[Label]:
    marked, held = _marked(ground), _held(ground)
    for code, spots in ground.sheet.spots.items():
        province = Province(code)
        if province in marked and marked[province].emblem.ground.paint:
            yield Label(code.capitalize(), spots.label, marked[province].emblem.ground.tone)
        elif province in ground.board.provinces:
            sea = ground.board.terrain(province) is Terrain.SEA
            below = SEA if sea else _tint(ground, held, province)
            yield Label(code.capitalize(), spots.label, "sea" if sea else "land", ground=below)


def _standoffs(ground: Ground) -> Iterator[Standoff]:
    """The vacant provinces that several units tried to enter, and none did."""
    turn, position = ground.view.turn, ground.view.position
    if turn is None:
        return
    moves = [one.order for one in turn.outcomes if isinstance(one.order, Move) and one.result is Result.BOUNCES]
    tried = Counter(ground.province(move.to) for move in moves if ground.shown(move.to))
    held = {ground.province(unit.at) for unit in (*position.units, *turn.before.units)}
    yield from (Standoff(ground.sheet.spots[one].unit) for one, times in tried.items() if times > 1 and one not in held)
