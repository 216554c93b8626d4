"""A game that stand-ins play among themselves, as orders for a script of the demonstration:
`python -m tests.demo.script standard 20 14` (the game, the seed, and how many centres win).

gm/demo/scripts/standard.toml was made in this way; what is said in it was written by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from gm import standins
from gm.advance import advance
from gm.chance import Chance
from gm.demo import Script
from gm.options import read_options
from gm.orders.notation import write
from gm.turn import Turn


def played(name: str, seed: int, win: int) -> Iterator[Turn]:
    """The phases of a game, to its end."""
    game = read_options({"variant": name, "win": str(win)}).variant
    drawn, turn = Chance(seed.to_bytes(32, "big")), None
    position = game.opening(game.seating.powers, drawn)
    while turn is None or turn.victory is None:
        orders = {
            power: standins.orders_of(game, game.view(game, position, None, power), drawn)
            for power in game.powers(position)
        }
        turn = advance(game, position, {power: own for power, own in orders.items() if own}, drawn)
        yield turn
        position = turn.after


def script_of(name: str, seed: int, win: int) -> Script:
    """The game as a script."""
    orders = {
        turn.before.phase.code: {str(power): tuple(map(write, own)) for power, own in turn.orders.items() if own}
        for turn in played(name, seed, win)
    }
    return Script(title=name, variant=name, orders=orders, said={}, options=f"win={win}")


def written(turns: Iterator[Turn]) -> str:
    """The tables [orders.S1901M] and so on."""
    lines = []
    for turn in turns:
        if any(turn.orders.values()):
            lines += ["", f"[orders.{turn.before.phase.code}]"]
            lines += [f'{power} = "{", ".join(map(write, own))}"' for power, own in sorted(turn.orders.items()) if own]
    return "\n".join(lines).strip() + "\n"


def main(words: Sequence[str]) -> None:
    name, seed, win = words
    print(written(played(name, int(seed), int(win))), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
