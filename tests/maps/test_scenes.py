"""What is on a map and where: nothing that must be readable is covered by another such sign."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, islice
from math import dist
from operator import attrgetter

import pytest

from bench.games import played_games
from gm.advance import advance
from gm.board import Location, Power, Province, Travel, UnitKind
from gm.board.geography import contains, standard_geography
from gm.judge.outcomes import Outcome, Result
from gm.maps.glyphs import CENTER, MARK, NAME, PIXELS, UNIT, Box, State, around, label_size, liveries
from gm.maps.letters import across
from gm.maps.picture import svg
from gm.maps.render import painted
from gm.maps.scene import Scene, Theatre, drawable, liveries_of, scene, theatre
from gm.maps.strands import wedge
from gm.orders import Hold, Move
from gm.position import Unit
from gm.turn import Turn
from gm.variants.standard import POWERS, STANDARD
from gm.views import Art, Deed, Look, View
from tests.maps import views

MAP = standard_geography()

VIEWS: dict[str, Callable[[], View]] = {
    "opening": views.opening,
    "fall": lambda: views.seen(views.fall()),
    "retreats": lambda: views.seen(views.retreats()),
    "winter": lambda: views.seen(views.winter()),
    "destroyed": lambda: views.seen(views.destroyed()),
    "voids": views.voids,
    "two claims": lambda: views.claims(2),
    "seven claims": lambda: views.claims(7),
    "gates": views.gates,
}


def covered(drawn: Scene) -> Iterator[str]:
    """The pairs of signs that overlap."""
    boxes = [(sign.box, sign) for sign in drawn.signs]
    for (box, one), (beside, other) in combinations(boxes, 2):
        if box.overlaps(beside):
            yield f"{one} and {other}"


@pytest.mark.parametrize("name", VIEWS)
def test_nothing_that_must_be_read_is_covered(name: str) -> None:
    drawn = scene(VIEWS[name]())
    assert not list(covered(drawn))
    sheet = Box(0, 0, drawn.width, drawn.height)
    assert not [sign for sign in drawn.signs if not _within(sign.box, sheet)]


def _within(box: Box, sheet: Box) -> bool:
    return sheet.left <= box.left and sheet.top <= box.top and box.right <= sheet.right and box.bottom <= sheet.bottom


def test_nothing_is_covered_in_games_of_random_orders() -> None:
    """Two hundred phases: full boards, with orders that fail in every way."""
    for phase in islice(played_games(1901), 200):
        turn = advance(STANDARD, phase.position, phase.orders, views.CHANCE)
        assert not list(covered(scene(views.seen(turn)))), phase.position.phase


def boxes_of(province: Province) -> dict[str, Box]:
    """Every box that may be seen in a province at one time or another."""
    spots = MAP.spots[province]
    found = {"label": around(spots.label, label_size(province.capitalize())), "mark": around(spots.mark, MARK)}
    found["unit"] = around(spots.unit, UNIT)
    found |= {at: around(spot, UNIT) for at, spot in spots.coasts.items()}
    found |= {f"dislodged {at}": around(spot, UNIT) for at, spot in spots.dislodged.items()}
    if spots.center is not None:
        found["center"] = around(spots.center, CENTER)
    return found


def test_the_spots_of_all_provinces_keep_clear_of_one_another() -> None:
    """Whatever the position: units, names and centres have room, and beside them dislodged units have, and marks."""
    everything = [(code, name, box) for code in MAP.spots for name, box in boxes_of(Province(code)).items()]
    for fewer in ("dislodged", "mark"):
        some = [one for one in everything if not one[1].startswith(fewer)]
        assert not [(one[:2], other[:2]) for one, other in combinations(some, 2) if one[2].overlaps(other[2])]


def test_the_opening_shows_every_unit_center_and_name() -> None:
    view = views.opening()
    drawn = scene(view)
    assert len(drawn.units) == 22
    assert len(drawn.centers) == 34
    assert sum(sign.livery is not None for sign in drawn.centers) == 22
    assert {label.text for label in drawn.labels} == {code.capitalize() for code in view.board.provinces}
    assert drawn.legend.title == "Spring 1901"
    assert [entry.text for entry in drawn.legend.entries] == [
        *("army", "fleet", "Russia 4", "Austria 3", "England 3", "France 3", "Germany 3", "Italy 3", "Turkey 3"),
    ]


def test_names_can_be_read_on_a_phone() -> None:
    """The picture is 390 pixels wide there (`test_sizes` measures it)."""
    assert NAME * 390 / MAP.width >= 11
    assert f"font-size:{NAME}px" in svg(scene(views.opening()))


def test_holds_and_standoffs_are_marked() -> None:
    turn = views.fall()
    drawn = scene(views.seen(turn))
    stayed = [one.order.unit for one in turn.outcomes if isinstance(one.order, Hold)]
    driven = {one.unit for one in turn.after.dislodged}
    assert {one.middle for one in drawn.drawing.holds} == {
        MAP.unit_at(unit.at) for unit in stayed if unit not in driven
    }
    moves = [one.order.to for one in turn.outcomes if isinstance(one.order, Move) and not one.succeeded]
    assert drawn.standoffs
    assert all([MAP.unit_at(to) for to in moves].count(sign.middle) > 1 for sign in drawn.standoffs)


def test_what_is_thin_shows_on_any_ground() -> None:
    """WCAG 1.4.11 asks for 3:1 between a sign and what is beside it; dots have a white edge."""
    for livery in liveries(POWERS).values():
        assert contrast(livery.fine, "#ffffff") >= 3


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (WCAG 2)."""
    lights = sorted(_light(colour) + 0.05 for colour in (one, other))
    return lights[1] / lights[0]


def _light(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_units_are_in_their_provinces() -> None:
    view = views.opening()
    fleet = Location("stp/sc")
    assert contains(MAP.rings("swe"), MAP.unit_at(Location("swe")))
    assert MAP.unit_at(fleet) != MAP.unit_at(Location("stp"))
    at = {sign.middle for sign in scene(view).units}
    assert MAP.unit_at(fleet) in at


def test_switzerland_is_hatched_and_has_no_name() -> None:
    drawn = scene(views.opening())
    assert [area.hatch for area in drawn.areas if area.hatch] == ["#a39b86"]
    assert "Swi" not in {label.text for label in drawn.labels}


def test_a_fall_shows_every_kind_of_order_and_outcome() -> None:
    drawn = scene(views.seen(views.fall()))
    kinds = {(stroke.kind, stroke.failed) for stroke in drawn.drawing.strokes}
    assert kinds == {(kind, failed) for kind in ("move", "support", "wave") for failed in (True, False)}
    outcomes = views.fall().outcomes
    assert len(drawn.drawing.strokes) == sum(type(o.order).__name__ in ("Move", "Support") for o in outcomes)
    assert len(drawn.drawing.rings) == 2
    assert [sign.state for sign in drawn.units].count(State.DISLODGED) == 2
    assert [entry.text for entry in drawn.legend.entries if entry.sign != "power"] == [
        *("army", "fleet", "moves", "by sea", "supports", "convoys", "fails", "holds", "standoff", "dislodged"),
    ]
    failures = sum(not o.succeeded and type(o.order).__name__ in ("Move", "Support", "Convoy") for o in outcomes)
    assert len(drawn.drawing.crosses) == failures


def test_an_army_by_sea_passes_its_fleets() -> None:
    drawn = scene(views.seen(views.fall()))
    ways = [stroke.curve for stroke in drawn.drawing.strokes if stroke.kind == "wave"]
    fleets = [MAP.unit_at(Location("nth")), MAP.unit_at(Location("ion"))]
    for fleet in fleets:
        assert any(abs(p.x - fleet.x) + abs(p.y - fleet.y) < 1 for way in ways for p in way)


def test_retreats_are_arrows_from_beside_and_disbandments_crossed_out() -> None:
    drawn = scene(views.seen(views.retreats()))
    (arrow,) = drawn.drawing.strokes
    assert "retreats" in {entry.text for entry in drawn.legend.entries}
    assert abs(arrow.curve[0].x - MAP.dislodged_at(Location("eng")).x) < 15
    (gone,) = [sign for sign in drawn.units if sign.state is State.GONE]
    assert gone.middle == MAP.dislodged_at(Location("bur"))


def test_winter_shows_builds_and_removals() -> None:
    drawn = scene(views.seen(views.winter()))
    states = [sign.state for sign in drawn.units]
    assert states.count(State.NEW) == 4
    assert states.count(State.GONE) == 2
    assert MAP.unit_at(Location("stp/nc")) in {sign.middle for sign in drawn.units if sign.state is State.NEW}
    assert drawn.legend.title == "Winter 1903: builds and removals"


def test_a_unit_with_nowhere_to_go_is_crossed_out() -> None:
    (driven,) = views.destroyed().destroyed
    drawn = scene(views.seen(views.destroyed()))
    (gone,) = [sign for sign in drawn.units if sign.state is State.GONE]
    assert gone.middle == MAP.dislodged_at(driven.unit.at)


def test_a_province_that_is_no_more_is_dark_and_has_no_center() -> None:
    drawn = scene(views.voids())
    assert [area.fill for area in drawn.areas if area.defs] == ["url(#v)"] * 3
    assert {label.text for label in drawn.labels if label.tone == "dark"} == {"Par", "Ion", "Ukr"}
    assert len(drawn.centers) == 33


def test_claims_are_hatched_and_marked_and_units_beyond_the_sheet_counted() -> None:
    drawn = scene(views.claims(7))
    assert sum(bool(area.hatch) for area in drawn.areas) == 8
    assert [mark.emblem for mark in drawn.marks] == [views.CLAIM] * 7
    assert len(drawn.drawing.rays) == 7
    powers = [entry for entry in drawn.legend.entries if entry.sign == "power"]
    assert [entry.beyond for entry in powers] == [1, 2, 1, 2, 1, 2, 1]
    assert all(42 + across(entry.text, NAME, 600) < entry.behind - 10 for entry in powers), "beside the names"
    assert "aboard" in {entry.sign for entry in drawn.legend.entries}, "the shields beside the powers are explained"
    tags = {entry.livery.tag for entry in drawn.legend.entries if entry.livery is not None}
    assert tags == {f"P0{number}" for number in range(7)}


def test_forty_powers_fit_below_the_map() -> None:
    drawn = scene(views.claims(40))
    powers = [entry for entry in drawn.legend.entries if entry.sign == "power"]
    assert len(powers) == 40
    assert len({(entry.x, entry.y) for entry in powers}) == 40
    assert all(entry.x + 44 + len(entry.text) * 10 + 20 * entry.beyond < drawn.width for entry in powers)
    assert max(entry.y for entry in powers) < drawn.legend.height
    assert len({entry.livery.strong for entry in powers if entry.livery is not None}) == 40


def test_long_names_of_powers_do_not_run_into_one_another() -> None:
    view = views.claims(12)
    names = {power: Power(f"{power} of the Milky Way") for power in view.powers}
    units = tuple(replace(unit, power=names[unit.power]) for unit in view.position.units)
    position = replace(view.position, units=units)
    drawn = scene(replace(view, powers=tuple(names.values()), position=position, turn=None, marks=()))
    powers = [entry for entry in drawn.legend.entries if entry.sign == "power"]
    for one, other in combinations(powers, 2):
        assert one.y != other.y or abs(one.x - other.x) >= 44 + len(one.text) * 10 + 20 * one.beyond


def test_up_and_down_look_different_and_the_legend_names_what_occurs() -> None:
    """Each ray becomes wider, and its arrowhead points, in its direction."""
    art = Art(arrival="beams down", departure="beams up", leap="hops")
    view = views.claims(4)
    assert view.turn is not None
    unit = Unit(view.powers[0], UnitKind.ARMY, Location("par"))
    up = Outcome(views.Leap(unit, view.turn.before.units[0].at), Result.SUCCEEDS)
    both = replace(view, art=art, turn=replace(view.turn, outcomes=(*view.turn.outcomes, up)))
    drawn = scene(both)
    *down, last = sorted(drawn.drawing.rays, key=lambda ray: ray.up)
    assert [ray.up for ray in (*down, last)] == [False] * 4 + [True]
    assert wedge(replace(last, up=False)) != wedge(last)
    for ray in (*down, last):
        end = ray.beyond if ray.up else ray.ground
        assert dist(ray.chevron.tip, end) < dist(ray.chevron.tail, end)
    signs = {entry.sign: entry.text for entry in drawn.legend.entries}
    assert (signs["arrival"], signs["departure"]) == ("beams down", "beams up")
    assert "leap" not in signs
    only_down = {entry.sign for entry in scene(replace(view, art=art)).legend.entries}
    assert "arrival" in only_down
    assert "departure" not in only_down


def test_moves_of_units_that_do_not_fight_are_drawn_apart() -> None:
    view = views.gates()
    assert view.turn is not None
    cart = UnitKind("C", "cart", Travel.LAND, ("c",), fights=False)
    units = [Unit(view.powers[0], kind, Location("par")) for kind in (cart, UnitKind.ARMY)]
    moves = [Outcome(Move(unit, Location("bur")), Result.SUCCEEDS) for unit in units]
    drawn = scene(replace(view, art=Art(unarmed="carts"), turn=replace(view.turn, outcomes=tuple(moves))))
    assert sorted(stroke.kind for stroke in drawn.drawing.strokes) == ["move", "unarmed"]
    assert {"unarmed": "carts", "move": "moves"}.items() <= {e.sign: e.text for e in drawn.legend.entries}.items()


def test_a_leap_is_a_line_and_marks_stand_side_by_side() -> None:
    drawn = scene(views.gates())
    assert [stroke.kind for stroke in drawn.drawing.strokes] == ["leap"]
    assert ("leap", "leaps") in [(entry.sign, entry.text) for entry in drawn.legend.entries]
    picture = svg(drawn)
    assert "dasharray" not in picture, "what is broken has failed"
    assert sorted(mark.emblem.meaning for mark in drawn.marks) == ["claim", "gate", "gate", "gate"]
    assert [(entry.text, entry.sample) for entry in drawn.legend.entries if entry.sign == "mark"] == [
        *(("gate", views.GATE.sample), ("claim", views.CLAIM.sample)),
    ]
    assert len({mark.middle for mark in drawn.marks}) == 4


def test_a_board_without_outlines_has_no_map() -> None:
    class Nowhere:
        name = "nowhere"
        provinces = (Province("a1"), Province("q7"))

    view = replace(views.opening(), board=Nowhere())  # type: ignore[arg-type]
    assert not drawable(view)
    with pytest.raises(ValueError, match="no map of the board 'nowhere'"):
        scene(view)


def test_only_units_that_are_there_are_framed() -> None:
    """A unit that was taken off the board in its place leaves no empty octagon."""
    view = views.opening()
    gone = Unit(view.powers[0], UnitKind.ARMY, Location("ven"))
    stays = view.position.units[0]
    turn = Turn(view.position, {}, tuple(Outcome(Hold(unit), Result.SUCCEEDS) for unit in (gone, stays)), view.position)
    assert [sign.middle for sign in scene(replace(view, turn=turn)).drawing.holds] == [MAP.unit_at(stays.at)]


def test_orders_of_a_game_are_drawn_unlike_holds_and_the_legend_names_them() -> None:
    @dataclass(frozen=True)
    class Dig(Hold[Unit]):
        at: Location

    view = views.opening()
    unit = view.position.units[0]
    dig = Outcome(Dig(unit, Location("mos")), Result.BOUNCES)
    turn = Turn(view.position, {}, (dig,), view.position)
    drawn = scene(replace(view, turn=turn, art=Art(deeds={Dig: Deed("digs", attrgetter("at"))})))
    assert not drawn.drawing.holds
    assert [sign.middle for sign in drawn.drawing.deeds] == [MAP.unit_at(unit.at)]
    assert [(stroke.kind, stroke.failed) for stroke in drawn.drawing.strokes] == [("deed", True)]
    assert ("deed", "digs") in [(entry.sign, entry.text) for entry in drawn.legend.entries]
    assert not list(covered(drawn))


def theatre_of(view: View, power: str) -> Theatre | None:
    return theatre(view, Power(power), scene(view))


def test_a_theatre_has_all_units_of_its_power_and_what_touches_them() -> None:
    view = views.seen(views.fall())
    drawn = theatre_of(view, "Germany")
    assert drawn is not None
    own = {unit.at for unit in view.position.units if unit.power == "Germany"}
    touched = {other for at in own for other in MAP.borders(at) if other in MAP.spots}
    points = [MAP.unit_at(at) for at in own] + [MAP.spots[code].unit for code in touched]
    assert all(Box(p.x, p.y, p.x + 1, p.y + 1).overlaps(drawn.window) for p in points)
    assert drawn.legend.title == "Germany, Fall 1903"
    assert drawn.whole == scene(view), "of what the seat sees, nothing more and nothing less"
    for label in drawn.shown.labels:
        left, top, right, low = label.box
        inside = drawn.window.left <= left and right <= drawn.window.right
        inside = inside and drawn.window.top <= top and low <= drawn.window.bottom
        assert inside or not drawn.window.overlaps(label.box), f"{label.text} is cut"
    assert {"Mun", "Ber", "Kie", "Ruh"} <= {label.text for label in drawn.shown.labels}
    there = {entry.text.split()[0] for entry in drawn.legend.entries if entry.sign == "power"}
    assert "Turkey" not in there, "who is elsewhere"


def test_the_legend_of_a_theatre_has_the_signs_that_are_on_it_and_only_those() -> None:
    view = views.seen(views.fall())
    listed = {power: {entry.sign for entry in drawn.legend.entries} for power, drawn in theatres(view)}
    for power, drawn in theatres(view):
        (left, top, right, low), map_of = drawn.window, drawn.whole
        rings, holds = map_of.drawing.rings, map_of.drawing.holds
        dislodged = [unit for unit in map_of.units if unit.state == State.DISLODGED]
        for name, signs in (("ring", rings), ("hold", holds), ("dislodged", dislodged), ("standoff", map_of.standoffs)):
            on_it = any(left < sign.middle.x < right and top < sign.middle.y < low for sign in signs)
            assert (name in listed[power]) == on_it, (power, name)
        keyed = {entry.livery for entry in drawn.legend.entries if entry.sign == "power"}
        assert keyed >= {unit.livery for unit in map_of.units if unit.box.overlaps(drawn.window)}, "also those in part"
    whole = {entry.sign for entry in scene(view).legend.entries}
    assert any(whole - signs for signs in listed.values())


@pytest.mark.parametrize("name", ["fall", "retreats", "winter", "seven claims"])
def test_the_key_of_a_theatre_has_every_power_whose_colour_is_on_it(name: str) -> None:
    """In any other colour the powers that are not in it would look the same there."""
    view = VIEWS[name]()
    drawn, glaring = scene(view), {one: Look(f"#ff00f{n}") for n, one in enumerate(view.powers)}
    for power in view.powers:
        found = theatre(view, power, drawn)
        if found is None:
            continue
        keyed = {entry.livery for entry in found.legend.entries if entry.sign == "power"}
        named = {one for one, livery in liveries_of(view).items() if livery in keyed}
        looks = {one: Look(livery.strong) for one, livery in liveries_of(view).items()}
        other = scene(replace(view, looks=looks | {one: glaring[one] for one in view.powers if one not in named}))
        edges = [round(edge * PIXELS / drawn.width) for edge in found.window]
        window = (edges[0], edges[1], edges[2], edges[3])
        same, differing = (painted(one, PIXELS).crop(window) for one in (drawn, other))
        assert same.tobytes() == differing.tobytes(), power


def theatres(view: View) -> list[tuple[Power, Theatre]]:
    found = ((power, theatre_of(view, power)) for power in POWERS)
    return [(power, drawn) for power, drawn in found if drawn is not None]


def test_there_is_a_theatre_where_the_larger_picture_gains() -> None:
    view = views.seen(views.fall())
    assert [power for power, _ in theatres(view)] == ["Austria", "France", "Germany", "Turkey"]
    assert theatre_of(views.opening(), "Nobody") is None


def test_every_theatre_is_at_twice_the_scale_and_no_emptier_than_the_rest() -> None:
    for phase in islice(played_games(1901), 0, 40, 4):
        view = views.seen(advance(STANDARD, phase.position, phase.orders, views.CHANCE))
        every = [MAP.unit_at(unit.at) for unit in view.position.units]
        for _, drawn in theatres(view):
            left, top, right, low = drawn.window
            share = (right - left) * (low - top) / MAP.width / MAP.height
            assert right - left <= MAP.width / 2
            assert sum(left < x < right and top < y < low for x, y in every) > share * len(every)
