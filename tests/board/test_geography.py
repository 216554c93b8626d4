"""The outlines of the standard board: neighbours, positions of signs, bearings and centroids (BH-5, BH-7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from gm.board import Location, Province, Terrain, UnitKind, standard_board
from gm.board.geography import LAKE, OFF_BOARD, Place, Point, contains, standard_geography

BOARD = standard_board()
MAP = standard_geography()
SWITZERLAND = "swi"

TOUCHING_ON_THE_MAP_ONLY: frozenset[tuple[str, str]] = frozenset()
"""Pairs that touch on the map and are no neighbours on the board."""

BRIDGED = {("den", "swe"): "the Sound"}
"""Neighbours across water: on the map a strip of land joins them."""


def pair(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)


def board_pairs() -> set[tuple[str, str]]:
    """Provinces between which any unit can step."""
    return {
        pair(province, BOARD.province(to))
        for province in BOARD.provinces
        for kind in (UnitKind.ARMY, UnitKind.FLEET)
        for at in {Location(province), *BOARD.coasts(province)}
        for to in BOARD.neighbours(kind, at)
    }


def map_pairs() -> set[tuple[str, str]]:
    """Provinces of the board that have a stretch of border in common on the sheet."""
    return {pair(p, other) for p in BOARD.provinces for other in MAP.borders(p) if other in BOARD.provinces}


def test_provinces_touch_on_the_map_if_and_only_if_they_border_on_the_board() -> None:
    assert map_pairs() - board_pairs() == TOUCHING_ON_THE_MAP_ONLY
    assert board_pairs() - map_pairs() == set()


def test_the_bridges_are_where_the_board_walks_over_water() -> None:
    for a, b in BRIDGED:
        (strip,) = MAP.borders(a)[b]
        length = sum(abs(p.x - q.x) + abs(p.y - q.y) for p, q in zip(MAP.arc(strip), MAP.arc(strip)[1:], strict=False))
        assert length < 12


def test_switzerland_borders_its_five_neighbours() -> None:
    assert set(MAP.borders(SWITZERLAND)) == {"bur", "mar", "mun", "pie", "tyr"}


def test_armies_step_where_land_touches_land() -> None:
    land = [p for p in BOARD.provinces if BOARD.terrain(p) is not Terrain.SEA]
    touching = {(a, b) for a, b in combinations(land, 2) if b in MAP.borders(a)}
    stepping = {(a, b) for a, b in combinations(land, 2) if BOARD.may_step(UnitKind.ARMY, Location(a), Location(b))}
    assert touching == stepping


def shores(code: Province) -> Iterator[tuple[Location, set[Point], set[str]]]:
    """Each stretch of shore of a province: its coast, its points, and the seas and ends of land borders it meets."""
    borders = MAP.borders(code)
    seas = {
        n: s
        for s, ns in borders.items()
        if s in BOARD.provinces and BOARD.terrain(Province(s)) is Terrain.SEA
        for n in ns
    }
    stretches: list[tuple[set[Point], set[str]]] = []
    for number, sea in seas.items():
        points, met = set(MAP.arc(number)), {sea}
        for joined in [stretch for stretch in stretches if stretch[0] & points]:
            stretches.remove(joined)
            points, met = points | joined[0], met | joined[1]
        stretches.append((points, met))
    for points, met in stretches:
        for other, numbers in borders.items():
            ends = {end for n in numbers if n not in seas for end in (MAP.arc(n)[0], MAP.arc(n)[-1])}
            if ends & points and other in BOARD.provinces:
                met.add(other)
        yield _coast(code, met), points, met


def _coast(code: Province, met: set[str]) -> Location:
    """Which coast a stretch of shore is: the one whose neighbours it meets most of."""

    def agreement(at: Location) -> int:
        return len({BOARD.province(to) for to in BOARD.neighbours(UnitKind.FLEET, at)} & met)

    return max(BOARD.coasts(code), key=agreement)


def test_fleets_sail_along_the_shores_of_the_map() -> None:
    """From each coast: to the seas that wash it, and to land whose border runs down to it."""
    found: dict[Location, set[Province]] = defaultdict(set)
    for province in BOARD.provinces:
        if BOARD.terrain(province) is Terrain.COAST:
            for coast, _, met in shores(province):
                found[coast] |= {Province(code) for code in met}
    expected = {
        coast: {BOARD.province(to) for to in BOARD.neighbours(UnitKind.FLEET, coast)}
        for province in BOARD.provinces
        if BOARD.terrain(province) is Terrain.COAST
        for coast in BOARD.coasts(province)
    }
    assert found == expected


def test_seas_meet_where_fleets_sail() -> None:
    seas = [p for p in BOARD.provinces if BOARD.terrain(p) is Terrain.SEA]
    touching = {(a, b) for a, b in combinations(seas, 2) if b in MAP.borders(a)}
    sailing = {(a, b) for a, b in combinations(seas, 2) if BOARD.may_step(UnitKind.FLEET, Location(a), Location(b))}
    assert touching == sailing


def test_every_arc_has_one_shape_on_each_side() -> None:
    """The mosaic has neither gaps nor overlaps: an arc with one side only lies on the edge of the sheet."""
    for number, arc in enumerate(MAP.arcs):
        owners = MAP.owners(number)
        edge = all(p.x in (0, MAP.width) or p.y in (0, MAP.height) for p in arc)
        assert len(owners) == (1 if edge else 2), (number, owners, arc[0])


@pytest.mark.parametrize("province", BOARD.provinces)
def test_signs_are_inside_their_province(province: Province) -> None:
    spots, rings = MAP.spots[province], MAP.rings(province)
    assert contains(rings, spots.unit)
    assert spots.center is None or contains(rings, spots.center)
    assert (spots.center is not None) is BOARD.is_center(province)
    assert set(spots.coasts) == (set(BOARD.coasts(province)) if len(BOARD.coasts(province)) > 1 else set())
    assert set(spots.dislodged) == {province, *spots.coasts}


REAL_PLACES = {
    "swi": Place(46.8, 8.2),
    "boh": Place(49.8, 15.3),
    "por": Place(39.6, -8.0),
    "ser": Place(43.5, 21.0),
    "den": Place(56.0, 9.8),
    "bul": Place(42.5, 25.0),
    "tun": Place(34.5, 9.6),
    "bla": Place(43.5, 34.0),
    "iri": Place(52.5, -6.0),
}


@pytest.mark.parametrize(("province", "place"), REAL_PLACES.items())
def test_centroids_are_where_the_globe_has_them(province: str, place: Place) -> None:
    found = MAP.centroid(province)
    assert abs(found.latitude - place.latitude) < 1.2
    assert abs(found.longitude - place.longitude) < 1.2


ROUND_ABOUT = {
    "swi": "mun bur mar pie tyr",
    "mun": "kie ruh bur swi tyr boh sil ber",
    "boh": "sil mun tyr vie gal",
    "par": "pic bre gas bur",
    "ser": "bud tri alb gre bul rum",
}
"""BH-5, checked by hand on the drawn map: counter-clockwise from due north."""


@pytest.mark.parametrize(("province", "neighbours"), ROUND_ABOUT.items())
def test_neighbours_are_met_anticlockwise_from_due_north(province: str, neighbours: str) -> None:
    assert MAP.round_about(province) == tuple(neighbours.split())


def test_every_neighbour_is_met_once() -> None:
    for province in BOARD.provinces:
        met = MAP.round_about(province)
        assert len(met) == len(set(met))
        assert set(met) == set(MAP.borders(province)) - {OFF_BOARD, LAKE}


BEARINGS = Path(__file__).with_name("bearings.txt").read_text(encoding="utf-8").splitlines()
"""Of each province its middle on the globe and what is seen from there, before the sheet was stretched."""


def test_what_bearings_are_taken_from_is_as_it_was_before_the_sheet_was_stretched() -> None:
    """BH-5 and BH-7: drawing the board otherwise moves nobody's retreat."""
    assert len(BEARINGS) == len(MAP.bearings)
    for code, latitude, longitude, *around in map(str.split, BEARINGS):
        middle = MAP.centroid(code)
        assert (middle.latitude, middle.longitude) == pytest.approx((float(latitude), float(longitude)), abs=1.1e-5)
        assert MAP.round_about(code) == tuple(around), code


def test_coasts_are_seen_where_they_were() -> None:
    seen = {at: MAP.coast(at) for code in ("bul", "spa", "stp") for at in BOARD.coasts(Province(code))}
    assert {at: (round(place.latitude, 2), round(place.longitude, 2)) for at, place in seen.items()} == {
        "bul/ec": (43.88, 28.08),
        "bul/sc": (40.74, 25.18),
        "spa/nc": (43.15, -7.85),
        "spa/sc": (37.09, -4.43),
        "stp/nc": (67.17, 31.43),
        "stp/sc": (59.63, 30.52),
    }
