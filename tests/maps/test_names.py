"""The map of names: every place of the board has its name on it, and none covers another; units are not drawn."""

from __future__ import annotations

from itertools import combinations

import pytest

from gm.board import Location, Power, standard_board
from gm.board.geography import standard_geography
from gm.chance import Chance
from gm.maps.glyphs import PIXELS, Label
from gm.maps.names import broken, names
from gm.maps.picture import svg
from gm.maps.render import below, painted, pixels
from gm.maps.scene import on_sheet
from gm.variants import all_variants
from gm.views import View
from tests.maps.test_render import UNLIKE, unlike
from tests.variants.test_sent_back import NAMES
from tests.variants.written import WRITTEN

CHANCE = Chance(bytes(32))


def opening(name: str, seat: Power | None = None) -> View:
    game = all_variants()[name]
    return game.view(game, game.opening(game.seating.powers or NAMES, CHANCE), None, seat)


VIEWS = {name: opening(name) for name in WRITTEN}


MAPPED = [name for name, view in VIEWS.items() if on_sheet(view.board)]


@pytest.mark.parametrize("name", MAPPED)
def test_every_place_has_its_name_or_its_code_and_the_key_has_what_the_map_does_not_say(name: str) -> None:
    drawn, board = names(VIEWS[name]), VIEWS[name].board
    texts, key = {label.text for label in drawn.labels}, {entry.text for entry in drawn.legend.entries}
    there = [one for one in board.provinces if one in standard_geography().spots]
    whole = {code for code in there if any(texts.issuperset(way) for way in broken(board.full_name(Location(code))))}
    assert {code for code in there if code.capitalize() in texts} >= set(there) - whole
    assert len(whole) >= 0.7 * len(there)
    for code in there:
        full = board.full_name(Location(code))
        said = code in whole and full.lower().startswith(code)
        assert said != (f"{code.capitalize()} = {full}" in key)


@pytest.mark.parametrize("name", MAPPED)
def test_no_name_covers_another_or_a_centre(name: str) -> None:
    drawn = names(VIEWS[name])
    assert not drawn.units
    assert not drawn.drawing.strokes
    assert not [(a.text, b.text) for a, b in combinations(drawn.labels, 2) if _overlap(a, b)]
    assert not [label.text for label in drawn.labels if any(label.box.overlaps(one.box) for one in drawn.centers)]


def _overlap(one: Label, other: Label) -> bool:
    """More than the lines of one name do."""
    return one.box.overlaps(other.box) and abs(one.middle.x - other.middle.x) > 1


def test_each_name_is_in_its_own_province() -> None:
    board = standard_board()
    named = {text: code for code in board.provinces for text in (code.capitalize(), board.full_name(Location(code)))}
    for label in names(VIEWS["standard"]).labels:
        covered = below(label.box, PIXELS / standard_geography().width)
        assert named.get(label.text) in (None, max(covered, key=lambda code: covered[code])), label.text


def test_boards_beyond_the_sheet_have_none() -> None:
    assert not [name for name, view in VIEWS.items() if not on_sheet(view.board) and name in ("standard", "black-hole")]
    with pytest.raises(ValueError, match="no map"):
        names(next(view for view in VIEWS.values() if not on_sheet(view.board)))


def test_long_names_are_drawn_whole_in_layers() -> None:
    drawn = names(VIEWS["standard"])
    mean, most = unlike(painted(drawn, PIXELS), pixels(svg(drawn, PIXELS)))
    assert mean < 2.4
    assert most < UNLIKE
