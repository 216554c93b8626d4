"""Names of places and powers in all spellings, and what a variant adds to the language."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

import gm
from gm.board import Location, Power, standard_board
from gm.errors import NotUnderstood
from gm.orders import ComputedNames, Dialect, Hold, Language, Move, Support, UnitName
from gm.parsing import grammar
from gm.parsing.lexicon import Lexicon, fold, lexicon_of
from gm.parsing.orders import parse_orders
from tests.parsing.names import LEXICON, MOVEMENT, POWERS, at, unit

BOARD = standard_board()


@pytest.mark.parametrize("spelling", BOARD.aliases)
def test_every_alias_is_read_in_an_order(spelling: str) -> None:
    place = BOARD.aliases[spelling]
    for text in (spelling, spelling.upper(), spelling.title()):
        assert parse_orders(f"{text} H", LEXICON, MOVEMENT) == [(None, Hold(UnitName(place)))]
        [(_, order)] = parse_orders(f"A {text}-{text}", LEXICON, MOVEMENT)
        assert order == Move(unit(f"A {place}"), place)
    assert LEXICON.place(spelling) == place


@pytest.mark.parametrize("place", [*BOARD.provinces, "spa/nc", "spa/sc", "bul/ec", "bul/sc", "stp/nc", "stp/sc"])
def test_every_place_is_read_by_its_code_and_by_its_full_name(place: Location) -> None:
    assert LEXICON.place(place) == place
    assert LEXICON.place(BOARD.full_name(place)) == place


@pytest.mark.parametrize(
    ("word", "power"),
    [
        ("England", "England"),
        ("ENGLISH", "England"),
        ("eng", "England"),
        ("Great Britain", "England"),
        ("austro-hungarian", "Austria"),
        ("Turkish", "Turkey"),
        ("ITA", "Italy"),
        ("Narnia", None),
        ("", None),
    ],
)
def test_powers(word: str, power: str | None) -> None:
    assert LEXICON.power(word) == power


def test_nearest_names() -> None:
    assert LEXICON.nearest_place("pars") == "Par (Paris)"
    assert LEXICON.nearest_place("xyzzy") == ""
    assert LEXICON.nearest_power("Frnace") == "France"
    assert LEXICON.nearest_power("Xyzzy") is None


@pytest.mark.parametrize("place", ["par/nc", "spa/ec", "nth/nc", "xyzzy", ""])
def test_places_that_are_not(place: str) -> None:
    with pytest.raises(NotUnderstood):
        LEXICON.place(place)


def test_marks_of_emphasis_are_blanks() -> None:
    assert fold("*PAR* - _BUR_ 2*x my_game *").folded == " par - bur 2*x my_game *"


def test_a_lexicon_is_built_once() -> None:
    assert lexicon_of(BOARD, POWERS) is lexicon_of(BOARD, POWERS)


class Colonize(NamedTuple):
    """An order that only this test has."""

    unit: UnitName
    target: Location | None


GRAMMAR = """
%extend order{subject}: subject _COLONIZE [PLACE] -> colonize
%extend _led_order: exempt
exempt: _EXEMPT PLACE
_COLONIZE.8: /col(?:onize)?\\b/
_EXEMPT.8: /exempt\\b/
"""


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lexicon:
    """The lexicon of an invented variant: empires with odd names, places by number, orders of its own."""
    for source in gm.folder("grammars").glob("*.lark"):
        (tmp_path / source.name).write_text(source.read_text())
    (tmp_path / "space.lark").write_text(GRAMMAR)
    monkeypatch.setattr(grammar, "folder", lambda name: tmp_path)
    quantum = ComputedNames("q[1-9][0-9]*", lambda name: Location(name) if len(name) < 10 else None)
    dialect = Dialect("space", {"colonize": Colonize, "exempt": lambda place: Colonize(UnitName(place), None)})
    powers = (Power("Krell"), Power("Hold"), Power("The Third Army"), Power("Zoë"))
    return Lexicon(
        BOARD, powers, Language(dialects=(dialect,), computed=lambda _: (quantum,)), spellings={"trd": powers[2]}
    )


def test_a_variants_orders(space: Lexicon) -> None:
    orders: list[Any] = parse_orders("A PAR COL BUR, a mar colonize", space, MOVEMENT)
    assert orders == [(None, Colonize(unit("A par"), at("bur"))), (None, Colonize(unit("A mar"), None))]
    assert parse_orders("Exempt Par; A par h", space, MOVEMENT)[1] == (None, Hold(unit("A par")))
    with pytest.raises(NotUnderstood):
        parse_orders("A PAR COL BUR", LEXICON, MOVEMENT)


def test_names_that_are_computed(space: Lexicon) -> None:
    assert parse_orders("F Q31415-Q2", space, MOVEMENT) == [(None, Move(unit("F q31415"), at("q2")))]
    with pytest.raises(NotUnderstood, match="Q0"):
        parse_orders("F Q0-Q2", space, MOVEMENT)
    with pytest.raises(NotUnderstood, match="Q1234567890"):
        parse_orders("F Q1234567890-Q2", space, MOVEMENT)


def test_a_pattern_that_captures_is_refused() -> None:
    with pytest.raises(ValueError, match="capture"):
        Lexicon(BOARD, POWERS, Language(computed=lambda _: (ComputedNames("q([1-9])", Location),)))


def test_a_power_may_bear_any_name(space: Lexicon) -> None:
    assert parse_orders("Hold: A Par Hold", space, MOVEMENT) == [(Power("Hold"), Hold(unit("A par")))]
    assert parse_orders("A Bur S Krell A Par-Gas", space, MOVEMENT) == [
        (None, Support(unit("A bur"), unit("Krell A par"), at("gas")))
    ]
    for name in ("The  Third Army", "trd", "Zoe"):
        [(power, _)] = parse_orders(f"{name}: A Par H", space, MOVEMENT)
        assert power in ("The Third Army", "Zoë")
