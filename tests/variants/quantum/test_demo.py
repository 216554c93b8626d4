"""The demonstrations' scripts: every order is legal, no power with something to order is left out, and somebody
wins.
"""

from __future__ import annotations

import pytest

from gm.advance import advance
from gm.board import Power
from gm.demo import load_script
from gm.orders import Order
from gm.variants import variant
from tests.variants.quantum.scenes import CHANCE, understood


@pytest.mark.parametrize(("name", "winner"), [("quantum-space", "Berenike"), ("quantum-space-3001", "Auerbach")])
def test_the_script_is_a_whole_game(name: str, winner: str) -> None:
    script = load_script(name)
    game = variant(script.variant)
    where = game.opening([*map(Power, script.powers)], CHANCE)
    for code, lines in script.orders.items():
        assert where.phase.code == code
        given: dict[Power, tuple[Order, ...]] = {}
        for power, texts in lines.items():
            mended = script.said.get(code, {}).get(f"{power} then", "")
            own = [understood(where, f"{power}: {text}", game)[1] for text in (*texts, *filter(None, [mended]))]
            assert game.duties(where)[Power(power)].met_by(own), (code, power)
            given[Power(power)] = tuple(own)
        assert set(given) == set(game.duties(where))
        turn = advance(game, where, given, CHANCE)
        where = turn.after
    assert turn.victory is not None
    assert turn.victory.winners == (winner,)
