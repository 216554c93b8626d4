"""WAIT and READY: whether a phase may be adjudicated before its deadline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.games.deadlines import close_early


def act_wait(scene: Scene, args: Mapping[str, Any]) -> None:
    """Hold the phase to its deadline."""
    del args
    table, seat = scene.as_player()
    scene.running(table)
    seat.wait = True
    scene.say("The phase waits for its deadline even if all orders are in. READY takes this back.")


def act_ready(scene: Scene, args: Mapping[str, Any]) -> None:
    """Take WAIT back; the phase may then be closed at once."""
    del args
    table, seat = scene.as_player()
    scene.running(table)
    seat.wait = False
    closed = close_early(table, scene.now)
    scene.say("All orders are in: the phase is adjudicated now." if closed else "You no longer wait for the deadline.")


WAIT = Command(
    "wait",
    "hold the phase until its deadline",
    "A phase is adjudicated as soon as everybody's orders are complete.\n"
    "WAIT prevents that for this phase, for instance while you negotiate.",
    act_wait,
)
READY = Command("ready", "take WAIT back", "Also written NOWAIT.", act_ready)
