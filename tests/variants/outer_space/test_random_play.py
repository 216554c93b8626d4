"""Random games never break the invariants, and can be replayed to the same end from their stored orders."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.board import Power, UnitKind
from gm.orders.notation import write
from gm.parsing.lexicon import lexicon_of
from gm.parsing.orders import parse_orders
from gm.position import PhaseKind, Season
from gm.turn import Turn
from gm.variants.outer_space.state import board_of, colonies_of, eliminated, in_orbit
from tests.variants.outer_space.scenes import GAME
from tests.variants.outer_space.test_empires import FORTY
from tests.variants.random_play import GAMES, play

pytestmark = pytest.mark.long


@settings(max_examples=GAMES)
@given(seed=st.integers(0, 2**32), empires=st.integers(2, 9))
def test_random_games(seed: int, empires: int) -> None:
    for turn in play(GAME, [Power(name) for name in FORTY[:empires]], seed, 40):
        check(turn)


@pytest.mark.ruling("OS-1")
def test_a_random_game_of_forty() -> None:
    for turn in play(GAME, [Power(name) for name in FORTY], 40, 8):
        check(turn)


def check(turn: Turn) -> None:
    """What is true after every phase."""
    after = turn.after
    board = board_of(after)
    crowd = Counter(board.province(unit.at) for unit in after.units)
    assert all(count <= board.capacity(province) for province, count in crowd.items())
    for unit in after.units:
        assert board.may_stand(unit.kind, unit.at)
        assert not in_orbit(unit) or (unit.kind is UnitKind.ARMY and unit.at == board.orbits[unit.power])
    out, colonies = eliminated(after), colonies_of(after)
    assert all(board.is_land(province) for province in colonies)
    assert not out & ({unit.power for unit in after.units} | set(colonies.values()) | set(after.centers.values()))
    assert ("attempts" not in after.extra) or after.phase.kind is PhaseKind.RETREAT
    _check_founding(turn)
    if turn.before.phase.kind is PhaseKind.ADJUSTMENT:
        for power in GAME.powers(after):
            assert len(after.units_of(power)) <= len(after.centers_of(power))
    elif after.phase.kind is PhaseKind.MOVEMENT:
        assert len(after.units) <= len(turn.before.units) + len(turn.before.dislodged)
    if turn.count is not None:
        assert after.phase.season is not Season.FALL
        assert set(GAME.powers(after)) == out | set(after.centers.values())


def _check_founding(turn: Turn) -> None:
    """A colony passes only to the empire whose unit is in the province, to the one without rivals, or to nobody."""
    before, after = colonies_of(turn.before), colonies_of(turn.after)
    board = board_of(turn.after)
    standing = {board.province(unit.at): unit.power for unit in turn.after.units}
    for province in before.keys() | after.keys():
        now = after.get(province)
        if now == before.get(province):
            continue
        assert turn.before.phase.kind is not PhaseKind.ADJUSTMENT
        assert now is None or standing.get(province) in (now, None)
        assert now is not None or before[province] in eliminated(turn.after)


def test_every_legal_order_is_understood_as_it_is_written() -> None:
    """In a game of three empires: notation writes what `legal_orders` returns, and grammar and legality read it
    back.
    """
    for number, turn in enumerate(play(GAME, [Power(name) for name in FORTY[:3]], 7, 12)):
        position = turn.after
        board = GAME.board(position)
        lexicon = lexicon_of(
            board, GAME.powers(position), GAME.language, tuple(GAME.language.spellings(position).items())
        )
        duties = GAME.duties(position)
        for power, duty in duties.items():
            for unit in dict.fromkeys(duty.units):
                for order in GAME.legal_orders(board, position, unit, duty.need)[:: 1 + number % 3]:
                    ((_, written),) = parse_orders(write(order), lexicon, position.phase.kind)
                    assert GAME.understand(board, position, power, written, duty.need) == order, write(order)
