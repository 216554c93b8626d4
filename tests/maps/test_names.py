"""The map of names: every place of the board has its name on it, and none covers another; units are not drawn."""

from __future__ import annotations

from itertools import combinations

import pytest

from gm.board import Power, Province, standard_board
from gm.board.geography import standard_geography
from gm.chance import Chance
from gm.maps.glyphs import PIXELS, Label
from gm.maps.names import names, written
from gm.maps.picture import svg
from gm.maps.render import painted, pixels
from gm.maps.scene import on_sheet
from gm.variants import all_variants
from gm.views import View
from tests.maps.test_render import UNLIKE, unlike
from tests.tables import table
from tests.variants.test_sent_back import NAMES
from tests.variants.written import WRITTEN

CHANCE = Chance(bytes(32))


def opening(name: str, seat: Power | None = None) -> View:
    game = all_variants()[name]
    return game.view(game, game.opening(game.seating.powers or NAMES, CHANCE), None, seat)


VIEWS = {name: opening(name) for name in WRITTEN}


@table("""
    province | lines
    bur      | Burgundy
    mao      | Mid-Atlantic,Ocean,(Mao)
    nth      | North Sea,(Nth)
    wes      | Western,Mediterranean
    stp      | St,Petersburg,(Stp)
    bot      | Gulf of,Bothnia,(Bot)
    """)
def test_a_name_is_broken_between_words_and_has_its_code_if_that_is_another(province: str, lines: str) -> None:
    assert ",".join(written(standard_board(), Province(province))) == lines


@pytest.mark.parametrize("name", [name for name, view in VIEWS.items() if on_sheet(view.board)])
def test_every_place_has_its_name_and_none_covers_another(name: str) -> None:
    view = VIEWS[name]
    drawn = names(view)
    said = [label.text for label in drawn.labels]
    shown = [one for one in view.board.provinces if one in standard_geography().spots]
    assert sorted(said) == sorted(line for one in shown for line in written(view.board, one))
    assert not drawn.units
    assert not drawn.drawing.strokes
    assert not [(a.text, b.text) for a, b in combinations(drawn.labels, 2) if _overlap(a, b)]
    assert not [label.text for label in drawn.labels if any(label.box.overlaps(one.box) for one in drawn.centers)]


def _overlap(one: Label, other: Label) -> bool:
    """More than the lines of one name do."""
    return one.box.overlaps(other.box) and abs(one.middle.x - other.middle.x) > 1


def test_boards_beyond_the_sheet_have_none() -> None:
    assert not [name for name, view in VIEWS.items() if not on_sheet(view.board) and name in ("standard", "black-hole")]
    with pytest.raises(ValueError, match="no map"):
        names(next(view for view in VIEWS.values() if not on_sheet(view.board)))


def test_long_names_are_drawn_whole_in_layers() -> None:
    drawn = names(VIEWS["standard"])
    mean, most = unlike(painted(drawn, PIXELS), pixels(svg(drawn, PIXELS)))
    assert mean < 2.4
    assert most < UNLIKE
