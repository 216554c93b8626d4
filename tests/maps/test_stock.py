"""What is kept with the package is what would be drawn."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops

from geography.stock import scenes, signs
from gm.maps import render
from gm.maps.picture import Cut, Figure
from gm.maps.scene import scene
from gm.maps.stock import FOLDER, stock
from tests.maps import views

LARGEST = 1_300_000
"""Bytes of all files."""
SLIGHT = 2
"""How much, of 255, other versions of resvg may differ."""


def test_what_is_in_stock_is_what_is_drawn_now() -> None:
    """After a change of signs: `python -m geography.stock`."""
    drawn, known = signs(), stock()
    assert set(drawn) == set(known.places)
    for key, sprite in drawn.items():
        old = known.sprite(key, lambda: pytest.fail("it is in stock"))
        assert old[:2] == sprite[:2]
        assert old.picture.size == sprite.picture.size
        assert max(high for _, high in _channels(ImageChops.difference(old.picture, sprite.picture))) <= SLIGHT


def _channels(picture: Image.Image) -> list[tuple[float, float]]:
    found = picture.getextrema()
    return list(found) if isinstance(found[0], tuple) else [found]


def test_the_stock_is_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < LARGEST


def test_a_first_map_needs_no_drawing_by_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(drawing: str, *_: object) -> None:
        pytest.fail(f"this is not in stock: {drawing}")

    theatres = next(found for _, found in scenes() if found)
    monkeypatch.setattr(render, "piece", missing)
    assert Figure(scene(views.opening())).png
    assert all(Cut(one).png for one in theatres)
