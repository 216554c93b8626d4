"""What is drawn and what is stored is the same in every process, whatever order its sets are in (`PYTHONHASHSEED`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

from gm.advance import advance
from gm.board import Power, standard_board
from gm.chance import Chance
from gm.orders.notation import write
from gm.orders.possible import legal_orders
from gm.position import Position, parse_unit, position_to_json
from gm.turn import turn_to_json
from gm.variants import all_variants
from gm.variants.among_us.lots import Lots
from tests.variants.among_us.scenes import phase
from tests.variants.written import WRITTEN

FLEETS = ("nth", "eng", "iri", "nao", "mao", "nwg", "wes", "lyo")
"""Own fleets that carry another power's army from Wales to Spain on two ways, each of two fleets."""

RACES = tuple(map(Power, ("Auerbach", "Berenike", "Krell")))


def ways() -> Iterator[str]:
    """The ways to help an army that only own fleets can carry, in the order in which one is drawn."""
    units = ("France A gas", "England A wal", *(f"France F {sea}" for sea in FLEETS))
    army, *_ = every = tuple(map(parse_unit, units))
    lots = Lots(standard_board(), Position(phase("S1902M"), every, {}), Power("France"), Chance(bytes(16)))
    for order in legal_orders(lots.board, lots.position, army):
        for drawn in lots.ways(order, {}):
            yield ", ".join(map(write, drawn.values()))


def turns() -> Iterator[str]:
    """Turns of every game in which nobody sends anything, as they are stored."""
    for name, game in ((name, all_variants()[name]) for name in WRITTEN):
        chance = Chance(bytes(32))
        position = game.opening(game.seating.powers or RACES, chance)
        for _ in range(5):
            turn = advance(game, position, {}, chance)
            position = turn.after
            yield f"{name} {json.dumps(turn_to_json(turn, game.rules))} {json.dumps(position_to_json(position))}"


def test_two_processes_draw_alike() -> None:
    one, other = (_elsewhere(seed) for seed in ("1", "2"))
    assert one == other
    assert sum("A Gas S A Wal-Spa, F" in line for line in one) == 2


def _elsewhere(seed: str) -> list[str]:
    command = [sys.executable, "-m", "tests.variants.test_drawn_alike"]
    own = os.environ | {"PYTHONHASHSEED": seed}
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120, env=own)
    return done.stdout.splitlines()


if __name__ == "__main__":
    print(*ways(), *turns(), sep="\n")
