"""The script of `gm demo outer-space`: every order is legal, and the game ends as the demonstration says."""

from __future__ import annotations

from gm.advance import advance
from gm.board import Power
from gm.demo import load_script
from tests.variants.outer_space.scenes import CHANCE, GAME, understood


def test_the_scripted_game() -> None:
    script = load_script("outer-space")
    assert script.variant == GAME.name
    position = GAME.opening([Power(name) for name in script.powers], CHANCE)
    turn = None
    for phase, sets in script.orders.items():
        assert position.phase.code == phase
        given = {Power(p): tuple(understood(position, f"{p}: {line}")[1] for line in own) for p, own in sets.items()}
        duties = GAME.duties(position)
        assert given.keys() == duties.keys()
        assert all(duties[power].met_by(own) for power, own in given.items())
        turn = advance(GAME, position, given, CHANCE)
        position = turn.after
    assert turn is not None
    assert turn.victory is not None
    assert turn.victory.winners == ("Vexar",)
    assert position.extra["eliminated"] == ["Ommu", "Zub Nar"]
