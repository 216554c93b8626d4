"""PROCESS: the gamemaster closes a phase now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow
from gm.games.deadlines import set_deadline
from gm.games.missing_orders import excuse


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Make the deadline now. A phase named that is not being played guards against a race with the clock."""
    table, _ = scene.as_master(args["game"])
    scene.running(table)
    if table.phase is None:
        return
    named = args["phase"]
    if named is not None and named.upper() != table.phase.code:
        raise NotNow(f"{named} is not being played.", f"{table.game.name} stands at {table.phase.code}.")
    excuse(table, table.phase, scene.now)
    set_deadline(table, table.phase, scene.now, scene.now)
    if table.variant.review is not None and not table.in_review:
        scene.say(f"The orders for {table.phase.code} are closed now; PROCESS again brings the results.")
    else:
        scene.say(f"{table.phase.code} is adjudicated now, with the orders that are in.")
    scene.note("process", phase=table.phase.code, phase_id=table.phase.id)


COMMAND = Command(
    "process",
    "adjudicate the phase now",
    "Name the phase to be sure that you do not close the one after it.",
    act,
    for_masters=True,
)
