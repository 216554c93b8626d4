"""Names and codes of empires, and how the game begins (OS-1)."""

from __future__ import annotations

import pytest

from gm.board import Power
from gm.errors import NotUnderstood
from gm.position import STANDARD_KINDS, position_from_json, position_to_json
from gm.variants.outer_space.state import assign_codes, name_empire
from tests.variants.outer_space.scenes import CHANCE, GAME, position, same

pytestmark = pytest.mark.ruling("OS-1")

FORTY = [
    f"{a}{b}" for a in ("Kre", "Zo", "Mor", "Vul", "Bo") for b in ("ll", "rg", "ban", "can", "go", "x", "ton", "nia")
]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Krell", "Krell"), ("krell", "Krell"), ("the Krell", "Krell"), ("  Zeta   Reticuli ", "Zeta Reticuli"),
        ("zeta reticuli", "Zeta Reticuli"), ("Yog-Sothoth", "Yog-Sothoth"), ("N'Kai", "N'Kai"), ("Öde Welt",
        "Öde Welt"),
        ("KRELL", "KRELL"), ('"Krell"', "Krell"), ("Planet 9", "Planet 9"), ("Венера", "Венера"), ("Krell.", "Krell"),
        ("Germany", "Germany"),
    ],
)  # fmt: skip
def test_names(text: str, name: str) -> None:
    assert name_empire(text, [Power("Zorg")]) == name


@pytest.mark.parametrize(
    "text", ["", "a", "Zo", "9 Planet", "Paris", "par", "north sea", "Orbit", "ORB", "Hold", "GM", "all", "Zorg",
    "zORG",
             "Zörg", "the Zorg", "x" * 25, "Kr:ell", "Kr, ell", "Kr\nell;", "Krell -", "<b>Krell</b>"]
)  # fmt: skip
def test_names_that_cannot_be(text: str) -> None:
    with pytest.raises(NotUnderstood):
        name_empire(text, [Power("Zorg")])


@pytest.mark.parametrize(
    ("names", "codes"),
    [
        (["Krell", "Zorg"], ["kre", "zor"]),
        (["Krell", "Kremlin", "Krempe"], ["kre", "krm", "krp"]),
        (["Paris Hunters", "Orbiters", "Allies"], ["pai", "ori", "ali"]),  # not the codes of places, nor ORB, nor ALL
        (["Öde Welt", "Венера", "Ода"], ["ode", "aaa", "aab"]),
        (["Zor", "Zorg"], ["zor", "zog"]),  # a short name is its own code
    ],
)
def test_codes(names: list[str], codes: list[str] | None) -> None:
    found = list(assign_codes(names).values())
    assert len(set(found)) == len(found)
    if codes is not None:
        assert found == codes


@pytest.mark.parametrize("count", [2, 7, 40])
def test_any_number_begins_with_three_armies_in_orbit_each(count: int) -> None:
    names = [Power(name) for name in FORTY[:count]]
    start = GAME.opening(names, CHANCE)
    board = GAME.board(start)
    assert set(GAME.powers(start)) == set(names)
    assert start.phase.code == "S1901M"
    assert start.centers == {}
    codes = set(start.extra["empires"].values())
    assert len(codes) == count
    assert all(len(code) == 3 and code.isalpha() and code not in board.aliases for code in codes)
    for name in names:
        army, *others = start.units_of(name)
        assert others == [army, army]
        assert board.capacity(board.province(army.at)) == 3
    assert len({unit.at for unit in start.units}) == count
    assert position_from_json(position_to_json(start), STANDARD_KINDS) == start


def test_a_state_may_list_names_only() -> None:
    listed = position_from_json(
        {**position_to_json(position("S1902M", "Krell 2 A orb")), "state": {"empires": ["Zorg", "Krell"]}},
        STANDARD_KINDS,
    )
    assert GAME.powers(listed) == ("Krell", "Zorg")
    assert same(listed, "Krell 2 A orb")
    assert GAME.board(listed).exists(listed.units[0].at)


def test_before_anybody_has_joined_there_is_a_board() -> None:
    assert GAME.powers(GAME.opening((), CHANCE)) == ()
