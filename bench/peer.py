"""The peer's half of the benchmark: PyPI `diplomacy`, run by the Python of an environment of its own.

    python peer.py phases.json rounds  ->  JSON: seconds a phase of its parts, and the units it leaves

Imports nothing of ours. Only `set_orders` and `process` are timed; setting up the position is not.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from diplomacy import Game  # type: ignore[import-not-found,unused-ignore]


def played(phase: dict[str, Any]) -> tuple[float, float, list[str]]:
    """Seconds for the orders, seconds for the adjudication, and the units afterwards (`*` before a dislodged one)."""
    game = Game()
    game.clear_units()
    game.clear_centers()
    for power, units in phase["units"].items():
        game.set_units(power, units)
    game.set_centers("FRANCE", ["PAR"])
    game.set_current_phase("S1905M")
    start = time.process_time()
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders)
    ordered = time.process_time()
    game.process()
    processed = time.process_time()
    after = [f"{power} {unit}" for power in phase["units"] for unit in game.get_units(power)]
    return ordered - start, processed - ordered, sorted(after)


def main() -> None:
    """Play all phases this number of times; report the best round."""
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123 (the peer's Python may be any)
        phases = json.load(file)
    rounds = []
    for _ in range(int(sys.argv[2])):
        results = [played(phase) for phase in phases]
        rounds.append(
            (
                sum(ordered for ordered, _, _ in results) / len(phases),
                sum(processed for _, processed, _ in results) / len(phases),
            )
        )
    json.dump(
        {
            "orders": min(ordered for ordered, _ in rounds),
            "process": min(processed for _, processed in rounds),
            "both": min(map(sum, rounds)),
            "after": [after for _, _, after in results],
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
