"""The script of this game's demonstration, played without mail: everything is understood, and the winner wins."""

from __future__ import annotations

from gm.advance import advance
from gm.board import Power
from gm.demo import load_script
from tests.variants.telling import told, victory
from tests.variants.the_aliens.scenes import CHANCE, GAME, understood


def test_the_script_plays_to_its_end() -> None:
    script = load_script("the-aliens")
    position = GAME.opening([Power(power) for power in script.powers], CHANCE)
    turn = None
    for code, phase in script.orders.items():
        assert position.phase.code == code
        given = {
            Power(power): [order for line in lines for order in understood(position, power, line)]
            for power, lines in phase.items()
        }
        for power, duty in GAME.duties(position).items():
            assert duty.met_by(given.get(power, ())), f"{power} lacks orders in {code}"
        turn = advance(GAME, position, given, CHANCE)
        assert "drawn" not in " ".join(told(GAME, turn)), "the server's seed is another one"
        position = turn.after
    assert turn is not None
    assert turn.victory is not None
    assert victory(GAME, turn) == "Cygni owns 19 supply centres."
