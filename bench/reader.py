"""Reads games exported for PyPI `diplomacy` with that package, and plays each phase again with its own judge.

    python reader.py game.json  ->  JSON: by phase, the units and the centres to which its orders lead there

Run by the Python of an environment of its own; imports nothing of ours.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from diplomacy.utils.export import from_saved_game_format  # type: ignore[import-not-found,unused-ignore]


def replayed(saved: dict[str, Any]) -> list[dict[str, Any]]:
    """What follows from each phase: its code, and units (`*` before a dislodged one) and centres by power."""
    game = from_saved_game_format(saved)
    found = []
    for phase in list(game.get_phase_history())[: len(saved["phases"]) - 1]:
        again = from_saved_game_format({**saved, "phases": []})
        again.set_phase_data(phase, clear_history=True)
        refused = []
        for power, orders in phase.orders.items():
            again.set_orders(power, orders)
            refused += [order for order in orders if order not in again.get_orders(power) and order != "WAIVE"]
        again.process()
        units = {power: sorted(own) for power, own in again.get_units().items()}
        centers = {power: sorted(own) for power, own in again.get_centers().items()}
        found.append({"name": phase.name, "units": units, "centers": centers, "refused": refused})
    return found


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123 (the peer's Python may be any)
        json.dump(replayed(json.load(file)), sys.stdout)
