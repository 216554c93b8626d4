"""The star chart: everything is in its place, nothing covers anything else, and of forty planets those near the reader
are drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from bench.quantum import adjudicate, lexicon, read, scene
from gm.board import Power
from gm.maps import render
from gm.maps.figures import WIDTH, Figure, Form, Words
from gm.maps.flat import flat
from gm.maps.glyphs import contrast
from gm.maps.picture import figure, svg
from gm.maps.render import pixels
from gm.orders.notation import write_unit
from gm.turn import Turn
from gm.variants.quantum_space import art, state
from gm.variants.quantum_space.art import Chart, chart
from gm.variants.quantum_space.forms import HIGH, breadth
from gm.variants.quantum_space.state import SHOWN
from gm.views import View
from tests.maps.test_render import UNLIKE, unlike
from tests.variants.quantum.scenes import CHANCE, NEW, OLD, play, position


def seen(turn: Turn, seat: str | None = None) -> View:
    """What a seat sees of a turn."""
    return NEW.view(NEW, turn.after, turn, Power(seat) if seat else None)


def width(piece: Figure) -> float:
    """The width of a unit's sign."""
    return breadth(len(text(piece)))


def text(piece: Figure) -> str:
    """What is written on a unit's sign."""
    return piece.form.words[0].text


BATTLE = play(
    position("Auerbach A a1, A a3, F ao, F q5; Berenike F bo, F q31415; Octagon A/F oo, A o4, F q7, F q8"),
    "Auerbach: A A1-B3, F AO C A A1-B3, F Q5 C A A1-B3; Berenike: F BO C A A1-B3, F Q31415 H; "
    "Octagon: A OO LANDS O3, A/F OO-Q9, F Q7-Q31415, F Q8 S F Q7-Q31415, A O4 S A OO-O3",
)


@pytest.mark.parametrize("planets", [2, 3, 7, 8, 40])
def test_all_that_is_drawn_lies_on_the_sheet_and_apart(planets: int) -> None:
    where = scene(NEW, planets, 10)
    turn = adjudicate(where, read(where, lexicon(where)))
    drawn = chart(seen(turn))
    for piece in drawn.pieces:
        assert width(piece) / 2 < piece.middle.x < drawn.width - width(piece) / 2
        assert 0 < piece.middle.y < drawn.height
    for one, other in combinations(drawn.pieces, 2):
        apart = (
            abs(one.middle.x - other.middle.x) >= (width(one) + width(other)) / 2
            or abs(one.middle.y - other.middle.y) >= HIGH
        )
        assert apart, (one, other)
    root = ElementTree.fromstring(figure(seen(turn)).svg())  # type: ignore[union-attr]
    assert root.tag.endswith("svg")


def test_units_names_and_orders_are_there() -> None:
    drawn = chart(seen(BATTLE))
    pieces = sorted(map(text, drawn.pieces))
    written = [write_unit(unit) for unit in (*BATTLE.after.units, *(d.unit for d in BATTLE.after.dislodged))]
    assert pieces == sorted(written), "as the text of the report has them"
    assert "F Q31415" in pieces
    assert [text(piece) for piece in drawn.pieces if piece.form.shapes[0].stroke == "#ff3b3b"] == ["F Q31415"]
    names = {words.text for words in drawn.names}
    assert {"Auerbach (A)", "Berenike (B)", "Octagon (O)", "Q5", "Q31415", "Q9"} <= names
    assert sum(len(order.form.shapes) for order in drawn.orders) > 20
    assert drawn.title == "Spring 3002: orders and positions"
    picture = figure(seen(BATTLE))
    assert picture is not None
    assert picture.png.startswith(b"\x89PNG")


def test_no_unit_hides_the_cross_of_a_move_that_failed() -> None:
    turn = play(
        position("Auerbach F ao, A a1, A a2; Berenike F q5, F q1234567890; Octagon A/F q7"),
        "Auerbach: F AO-Q5, A A1-A2, A A2 H; Berenike: F Q5 H, F Q1234567890-Q7; Octagon: A/F Q7 H",
    )
    drawn = chart(seen(turn))
    assert len(drawn.crosses) == 3
    for cross in drawn.crosses:
        for piece in drawn.pieces:
            across, down = abs(piece.middle.x - cross.middle.x), abs(piece.middle.y - cross.middle.y)
            assert across > width(piece) / 2 or down > HIGH / 2, (cross, piece)
    picture = figure(seen(turn))
    assert picture is not None
    svg = picture.svg()
    assert svg.index(drawn.crosses[0].form.shapes[0].path) > svg.rindex(drawn.pieces[-1].form.shapes[0].path), (
        "over the units"
    )


@pytest.mark.parametrize("planets", [3, 40])
def test_signs_as_pictures_look_like_the_whole(planets: int) -> None:
    where = scene(NEW, planets, 10)
    turn = adjudicate(where, read(where, lexicon(where)))
    drawn = chart(seen(turn))
    whole = pixels(svg(drawn, WIDTH)).convert("RGB")
    mean, most = unlike(flat(drawn, WIDTH), whole)
    assert mean < 2
    assert most < UNLIKE
    for less in (
        replace(drawn, pieces=drawn.pieces[1:]),
        replace(drawn, names=drawn.names[1:]),
        replace(drawn, orders=drawn.orders[3:]),
        replace(drawn, ground=drawn.ground[3:]),
        replace(drawn, notes=drawn.notes[1:]),
    ):
        assert unlike(flat(less, WIDTH), whole)[1] > UNLIKE, less


@pytest.mark.parametrize("planets", [3, 40])
def test_the_colours_of_a_chart_are_enough(planets: int) -> None:
    where = scene(NEW, planets, 10)
    found = figure(seen(adjudicate(where, read(where, lexicon(where)))))
    assert found is not None
    with Image.open(BytesIO(found.png)) as image:
        mean, most = unlike(image, flat(found.picture, WIDTH))
    assert mean < 1.5
    assert most < 16


def test_other_planets_and_other_numbers_are_drawn_of_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand charts, each with names and colours of its own, are put together and not drawn."""
    where = scene(NEW, 60, 10)
    turn, calls = adjudicate(where, read(where, lexicon(where))), Counter[str]()
    charts = [chart(seen(turn, seat)) for seat in NEW.powers(where.position)]
    for drawn in charts[:30]:
        flat(drawn, WIDTH)
    monkeypatch.setattr(render, "pixels", partial(_counted, calls, "drawn", render.pixels))
    strange = {form for drawn in charts[30:] for form in forms(drawn)} - {
        f for drawn in charts[:30] for f in forms(drawn)
    }
    assert len(strange) > 250
    for drawn in charts[30:]:
        flat(drawn, WIDTH)
    assert calls["drawn"] < 120, "most of it lines between quantum spaces"


def forms(drawn: Chart) -> set[Form | str]:
    """The forms and the texts on a chart."""
    return {sign.form if isinstance(sign, Figure) else sign.text for _, sign in drawn.layers}


def test_a_chart_before_the_first_turn() -> None:
    where = OLD.opening([*map(Power, ("Auerbach", "Berenike", "Nao"))], CHANCE)
    drawn = chart(OLD.view(OLD, where, None, None))
    assert drawn.title == "Winter 2500: positions"
    assert len(drawn.pieces) == 12
    assert not drawn.orders


def test_what_planets_have_to_do_with_each_other_is_found_once_for_all_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What each of a thousand readers cost would grow with the thousand."""
    where = scene(NEW, 60, 10)
    turn, calls = adjudicate(where, read(where, lexicon(where))), Counter[str]()
    monkeypatch.setattr(state, "_meetings", partial(_counted, calls, "meetings", state._meetings))
    views = [seen(turn, seat) for seat in NEW.powers(where.position)]
    assert all(view.near is not None and len(view.near.powers) < 60 for view in views)
    assert len({id(view.needs) for view in views}) == len({id(view.duties) for view in views}) == 1
    assert calls["meetings"] == 1
    before = art._found.cache_info().misses
    assert len({chart(view) for view in views}) > 30
    assert art._found.cache_info().misses == before + 1


def _counted(calls: Counter[str], name: str, real: Any, *args: Any) -> Any:
    calls[name] += 1
    return real(*args)


def test_of_forty_planets_the_readers_neighbourhood() -> None:
    where = scene(NEW, 40, 10)
    turn = adjudicate(where, read(where, lexicon(where)))
    powers = NEW.powers(where.position)
    for seat in (powers[0], powers[17], powers[39]):
        drawn = chart(seen(turn, seat))
        names = [words.text for words in drawn.names if "(" in words.text]
        assert len(names) == SHOWN
        assert any(name.startswith(f"{seat} (") for name in names)
        guests = {unit.power for unit in turn.after.units if NEW.board(turn.after).full_name(unit.at).startswith(seat)}
        assert all(any(name.startswith(f"{guest} (") for name in names) for guest in guests)
        assert drawn.title.endswith(f"8 of 40 planets, those near {seat}")
    assert chart(seen(turn)).title.endswith("those where most goes on")


def test_the_key_has_every_planet_whose_colour_is_on_the_chart_with_its_centres() -> None:
    drawn = chart(seen(BATTLE))
    owned = Counter(BATTLE.after.centers.values())
    shown = {words.text for words in drawn.notes}
    assert {f"{power} {owned[power]}" for power in map(Power, ("Auerbach", "Berenike", "Octagon"))} <= shown


def test_the_legend_has_the_signs_that_are_on_the_chart_and_only_those() -> None:
    told = [words.text for words in chart(seen(BATTLE)).notes]
    assert any("Dotted: support." in line and "Without a head: convoy." in line for line in told)
    assert any("Red edge" in line for line in told) == bool(BATTLE.after.dislodged)
    where = OLD.opening([*map(Power, ("Auerbach", "Berenike", "Nao"))], CHANCE)
    told = [words.text for words in chart(OLD.view(OLD, where, None, None)).notes]
    assert not any(sign in line for line in told for sign in ("Arrow", "Broken", "Dotted", "convoy", "Red edge"))


def test_lines_have_a_pale_edge_that_shows_on_dark_paper() -> None:
    """Also those of powers whose colour is dark: a unit of the chart on each side, half a pixel on a phone."""
    lines = [figure.form.shapes[:2] for figure in chart(seen(BATTLE)).orders]
    assert len(lines) > 5
    for edge, line in lines:
        assert contrast(edge.stroke, Chart.paper) >= 4.5
        assert edge.width - line.width >= 2


def test_only_what_failed_is_broken() -> None:
    drawn = chart(
        seen(play(position("Auerbach A a1, A a3; Berenike F bo"), "Auerbach: A A1-A2, A A3 H; Berenike: F BO H"))
    )
    dashes = [shape.dash for figure in drawn.ground for shape in figure.form.shapes]
    assert not any(dashes), "an orbit is whole"


@pytest.mark.parametrize("planets", [2, 7, 40])
def test_names_and_units_of_a_chart_can_be_read_on_a_phone(planets: int) -> None:
    """All letters 11 pixels high, and units 14 wide, where the chart is 390 wide."""
    where = scene(NEW, planets, 10)
    drawn = chart(seen(adjudicate(where, read(where, lexicon(where)))))
    names = [words for words in drawn.names if words.text.endswith(")")]
    assert names
    written = [sign for _, sign in drawn.layers if isinstance(sign, Words)]
    written += [words for form in forms_within(drawn) for words in form.words]
    assert {words.text for words in written} > {"1", "8", "Orbit"}
    small = [words.text for words in written if words.height * 390 / drawn.width < 11]
    assert not small
    assert all(width(piece) * 390 / drawn.width >= 14 for piece in drawn.pieces)
    boxes = [words.covered for words in names]
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def forms_within(drawn: Chart) -> Iterator[Form]:
    """All forms, with those of which they consist."""
    found = [sign.form for _, sign in drawn.layers if isinstance(sign, Figure)]
    while found:
        form = found.pop()
        yield form
        found += [part.form for part in form.parts]
