"""The scripts of the demonstrations, played without any mail: all is understood and nobody is silent unawares."""

from __future__ import annotations

import pytest

from gm.advance import advance
from gm.board import Power
from gm.chance import Chance
from gm.demo.script import load, names
from gm.parsing.lexicon import lexicon_of
from gm.parsing.orders import parse_orders
from gm.variants import variant


@pytest.mark.parametrize("name", [name for name in names() if not load(name).rehearsal_seed])
def test_a_script_plays_to_its_end(name: str) -> None:
    script = load(name)
    game = variant(script.variant)
    chance = Chance(bytes(32))  # nothing is drawn in these
    position = game.opening([Power(power) for power in script.powers], chance)
    turn = None
    for code, phase in script.orders.items():
        assert position.phase.code == code
        board = game.board(position)
        spellings = tuple(sorted(game.language.spellings(position).items()))
        lexicon = lexicon_of(board, game.powers(position), game.language, spellings)
        given = {}
        for power, lines in phase.items():
            need = game.needs(board, position, Power(power))
            written = [order for line in lines for _, order in parse_orders(line, lexicon, position.phase.kind)]
            given[Power(power)] = [game.understand(board, position, Power(power), order, need) for order in written]
        for power, duty in game.duties(position).items():
            assert duty.met_by(given.get(power, ())) or script.silent(code), f"{power} lacks orders in {code}"
        turn = advance(game, position, given, chance)
        position = turn.after
    assert turn is not None
