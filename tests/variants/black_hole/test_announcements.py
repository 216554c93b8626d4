"""Announcing exemptions, and when they lapse (BH-4)."""

from __future__ import annotations

import pytest

from gm.advance import advance
from gm.board import Power
from gm.reports.results import events
from tests.variants.black_hole.scenes import GAME, Fixed, first, play, position
from tests.variants.telling import told

FRANCE, ITALY = Power("France"), Power("Italy")


@pytest.mark.ruling("BH-4")
@pytest.mark.parametrize("phase", ["S1902M", "F1902R", "W1902A"])
def test_bh_4_a_player_may_have_their_own_announced(phase: str) -> None:
    dislodged = [("France A mar", "pie")] if phase.endswith("R") else []
    standing = "Italy A mar" if dislodged else "France A mar"
    where = position(
        phase, standing, "France bre mar par", exempt={"France": "par", "Italy": "rom"}, dislodged=dislodged
    )
    turn = play(where, "France: ANNOUNCE EXEMPT")
    assert told(GAME, turn)[0] == "France announces that its exempt home centre is Paris."
    assert turn.after.extra["announced"] == {"France": ["par", phase[:-1]]}
    for seat in (None, ITALY, FRANCE):
        seen = GAME.view(GAME, turn.after, turn, seat)
        assert seen.turn is not None
        assert told(GAME, turn)[0] in events(seen, seen.turn)
        assert any(row[0] == "France" and "Paris" in row[1] for section in seen.sections for row in section.rows)


@pytest.mark.ruling("BH-4")
def test_bh_4_what_was_announced_stays_announced() -> None:
    where = position(
        "S1902M", "France A mar; Italy A ven", "France bre mar par", exempt={"France": "par", "Italy": "rom"}
    )
    spring = play(where, "France: ANNOUNCE EXEMPT").after
    assert play(spring, "Italy: ANNOUNCE EXEMPT").after.extra["announced"] == {
        "France": ["par", "S1902"],
        "Italy": ["rom", "F1902"],
    }


@pytest.mark.ruling("BH-4")
def test_bh_4_named_and_announced_at_once() -> None:
    turn = play(first(), "France: EXEMPT MAR, ANNOUNCE EXEMPT; Italy: ANNOUNCE MY EXEMPTION")
    assert "France announces that its exempt home centre is Marseilles." in told(GAME, turn)
    assert any(line.startswith("Italy announces") for line in told(GAME, turn))


@pytest.mark.ruling("BH-4")
@pytest.mark.parametrize(
    ("phase", "on_board", "centers", "lines", "gone"),
    [
        ("F1902M", "Germany A par", "France par; Germany mun", "", "bar"),
        ("S1902M", "France A mar; Germany A par", "Germany par", "", "mar"),
        ("F1902M", "Germany A par", "France mar; Germany par", "", "mar"),
        ("W1902A", "France A mar; Germany A par", "Germany par mun", "", ""),
    ],
    ids=["centre taken", "unit annihilated", "centre gone", "last unit removed"],
)
def test_bh_4_an_eliminated_power_s_exemption_lapses(
    phase: str, on_board: str, centers: str, lines: str, gone: str
) -> None:
    where = position(
        phase, on_board, centers, exempt={"France": "par", "Germany": "mun"}, announced={"France": ["par", "S1901"]}
    )
    turn = play(where, lines, Fixed(gone))
    assert turn.after.extra["exempt"] == {"Germany": "mun"}
    assert "announced" not in turn.after.extra
    assert "France" in turn.eliminated
    assert (turn.count is not None) is (phase != "W1902A"), "the table of centres is shown without it"
    chance = Fixed()
    later = turn.after
    while "hole" not in "".join(chance.offered):
        later = advance(GAME, later, {}, chance).after
    ((_, offered),) = chance.offered.items()
    assert "par" in offered


@pytest.mark.ruling("BH-4", "BH-1")
def test_bh_4_it_lapses_before_the_next_draw() -> None:
    """France's last army is destroyed this season, and it has no centre: Paris can vanish at once."""
    chance = Fixed("par")
    where = position(
        "S1902M",
        "France A bre; Germany A par, A pic, A gas; England F eng, F mao",
        "Germany par",
        exempt={"France": "par"},
    )
    turn = play(where, "Germany: A PIC-BRE, A PAR S A PIC-BRE", chance)
    assert turn.destroyed
    assert "par" in chance.offered["S1902/hole"]
    assert "France" in turn.eliminated
