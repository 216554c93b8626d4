"""Whatever is written, in whatever phase: an order is understood or refused in words, and never breaks anything."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

import pytest

from gm.advance import advance
from gm.board import Power
from gm.errors import GmError
from gm.orders import Order
from gm.orders.notation import write_unit
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.parsing.orders import read_orders
from gm.position import PhaseKind, Position, position_from_json
from gm.variants import Variant
from gm.variants.the_aliens.state import KINDS
from tests.variants.random_play import play
from tests.variants.the_aliens.scenes import CHANCE, GAME, RELAYED, races
from tests.variants.the_aliens.test_random_play import orders_at_random

pytestmark = pytest.mark.long

PIECES = (
    "A PAR",
    "F BRE",
    "T PAR",
    "PAR",
    "A HOME",
    "T HOME",
    "HOME",
    "SHIP 1",
    "F SPA(SC)",
    "T SPA/NC",
    "A SWI",
    "F NTH",
)
DOINGS = (
    *("H", "-BUR", "-HOME", "-NTH", "-PAR-GAS-SPA", "-SPA/EC", "(S) GRE", "(R) HOME", "(R) T", "(R) A", "(R) F SPA/NC"),
    *(
        "(R) NTH",
        "(S) HOME",
        "S A BUR-MUN",
        "S T BUR",
        "S A HOME-PAR",
        "S HOME",
        "C T PAR-LON",
        "C PAR-LON",
        "C A HOME-PAR",
    ),
    *("R GAS", "R HOME", "D", "B", ": PAR, BRE, NTH, HOME", "", "-BUR VIA CONVOY"),
)
LINES = ("WAIVE", "BUILD A PAR", "REMOVE T", "SHIP: GAS", "SHIP 0: GAS", "REMOVE A PAR, T PAR")


def lines(position: Position) -> list[str]:
    """Everything said of pieces that are there and of some that are not."""
    there = [write_unit(piece) for piece in dict.fromkeys(GAME.pieces(position))]
    return [*LINES, *(f"{piece} {doing}" for piece in (*PIECES, *there) for doing in DOINGS)]


def positions() -> list[Position]:
    """Some of each kind of phase."""
    found: dict[PhaseKind, list[Position]] = {kind: [] for kind in KINDS.phases}
    for seed in range(6):
        for turn in play(GAME, races(3), seed, 24, orders_at_random):
            found[turn.before.phase.kind].append(turn.before)
    return [position for kept in found.values() for position in kept[:: max(1, len(kept) // 5)][:5]]


@pytest.mark.parametrize("game", [GAME, RELAYED], ids=["plain", "relay"])
def test_no_line_breaks_understanding_or_the_judge(game: Variant) -> None:
    understood = 0
    for position in positions():
        board = GAME.board(position)
        lexicon = lexicon_of(board, GAME.powers(position), GAME.language)
        for power in islice(GAME.powers(position), 2):
            orders = [order for line in lines(position) for order in _taken(game, position, power, line, lexicon)]
            understood += len(orders)
            every = {power: tuple(orders)}
            turn = advance(GAME, position, every, CHANCE)
            assert len(turn.outcomes) >= len(orders)
            GAME.cautions(position, power, orders)
            GAME.merge(position, orders[::2], orders[1::2])
    assert understood > 100


def _taken(game: Variant, position: Position, power: Power, line: str, lexicon: Lexicon) -> list[Order]:
    taken = []
    need = GAME.needs(GAME.board(position), position, power)
    for _, written in read_orders(line, lexicon, position.phase.kind).orders:
        with suppress(GmError):
            taken.append(game.understand(GAME.board(position), position, power, written, need))
    return taken


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"races": "Alpha"},
        {"races": ["Alpha"], "transmitters": ["Alpha A par"]},
        {"races": ["Alpha"], "transmitters": ["Beta T par"]},
        {"races": ["Alpha"], "transmitters": ["Alpha T nth"]},
        {"races": ["Alpha"], "transmitters": ["Alpha T xyz"]},
        {"races": ["Alpha"], "transmitters": [7]},
        {"races": ["Alpha"], "transmitters": "Alpha T par"},
    ],
)
def test_an_invalid_state_is_refused_in_words(state: dict[str, object]) -> None:
    value = {"year": 2052, "season": "spring", "phase": "movement", "units": [], "centers": {}, "state": state}
    with pytest.raises(GmError):
        GAME.powers(position_from_json(value, KINDS))
