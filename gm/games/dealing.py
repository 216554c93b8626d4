"""Who plays what: powers dealt by wishes and by lot, so that anybody can deal them again from the seed."""

from __future__ import annotations

from collections.abc import Sequence

from gm.board import Power
from gm.chance import Chance
from gm.games.power_preferences import Wishes


def deal(powers: Sequence[Power], wishes: Sequence[Wishes], chance: Chance) -> tuple[Power, ...]:
    """A power for each player, in the order in which they joined, as were their wishes (none: an empty tuple).

    Each in turn gets one of those that are left which he likes best, then the others what is left by lot.
    """
    left = list(powers)
    dealt: dict[int, Power] = {}
    for number, groups in enumerate(wishes):
        liked = next((found for group in groups if (found := [power for power in group if power in left])), [])
        if liked:
            dealt[number] = chance.choose(liked, "wish", number)
            left.remove(dealt[number])
    waiting = [number for number in range(len(wishes)) if number not in dealt]
    dealt |= dict(zip(waiting, chance.shuffled(left, "powers"), strict=False))
    return tuple(dealt[number] for number in sorted(dealt))
