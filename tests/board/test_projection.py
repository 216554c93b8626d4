"""Projection, centroids and bearings, compared with figures that were computed in other ways."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geography.globe import Projection, centroid
from gm.board.geography import Place, Point, bearing, contains, counter_clockwise

FLAT = Projection(Place(47.5, 13.0), 0.62, 1660.0, Point(575, 605))
SQUARE = (Point(0, 0), Point(4, 0), Point(4, 4), Point(0, 4))
HOLE = (Point(2, 1), Point(2, 3), Point(3, 3), Point(3, 1))


@given(st.floats(28, 72), st.floats(-30, 55))
def test_what_is_projected_can_be_found_again(latitude: float, longitude: float) -> None:
    found = FLAT.globe(FLAT.sheet(Place(latitude, longitude)))
    assert found.latitude == pytest.approx(latitude, abs=1e-6)
    assert found.longitude == pytest.approx(longitude, abs=1e-6)


def test_the_middle_is_at_the_origin_and_true_in_scale() -> None:
    assert FLAT.sheet(FLAT.middle) == FLAT.origin
    near = FLAT.sheet(Place(47.6, 13.0))
    assert FLAT.origin.y - near.y == pytest.approx(1660 * math.radians(0.1), rel=1e-4)
    assert near.x == pytest.approx(FLAT.origin.x)


def test_beyond_the_disc_there_is_no_globe() -> None:
    with pytest.raises(ValueError, match="no place of the globe"):
        FLAT.globe(Point(575 + 1660, 605))


@pytest.mark.parametrize(
    ("origin", "target", "degrees"),
    [
        (Place(0, 0), Place(10, 0), 0),
        (Place(0, 0), Place(0, 10), 90),
        (Place(0, 0), Place(-10, 0), 180),
        (Place(0, 0), Place(0, -10), 270),
        # Berlin to Rome and London to Moscow, from tables of initial great-circle bearings
        (Place(52.52, 13.405), Place(41.9, 12.5), 183.6),
        (Place(51.5, -0.13), Place(55.75, 37.62), 64.4),
    ],
)
def test_bearings(origin: Place, target: Place, degrees: float) -> None:
    assert bearing(origin, target) == pytest.approx(degrees, abs=0.3)
    assert (bearing(origin, target) + counter_clockwise(origin, target)) % 360 == pytest.approx(0, abs=1e-9)


def test_centroid_of_a_square_with_a_hole() -> None:
    assert centroid([SQUARE, HOLE]) == Point((16 * 2 - 2 * 2.5) / 14, 2)


def test_a_hole_is_not_inside() -> None:
    assert contains([SQUARE, HOLE], Point(1, 2))
    assert not contains([SQUARE, HOLE], Point(2.5, 2))
    assert not contains([SQUARE, HOLE], Point(5, 2))


def test_a_line_has_no_centroid() -> None:
    with pytest.raises(ValueError, match="without area"):
        centroid([(Point(0, 0), Point(1, 1))])
