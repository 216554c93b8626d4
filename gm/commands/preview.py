"""PREVIEW: what the phase would bring with the orders that are in, for the gamemaster alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.advance import advance
from gm.commands import Command
from gm.commands.passages import show
from gm.commands.scene import Scene
from gm.commands.whatif import TRIAL
from gm.games.report_inputs import view_after
from gm.games.snapshot import orders_by_power
from gm.reports.turn_summary import turn_text


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Adjudicate on trial; nothing is kept."""
    del args
    table, seat = scene.as_master()
    scene.running(table)
    scene.as_neutral(table)
    if table.phase is None or table.position is None:
        return
    turn = advance(table.variant, table.position, orders_by_power(table, table.phase), TRIAL)
    text = turn_text(view_after(table, seat, turn), table.variant.adjectives)
    show(scene, f"{table.game.name}, {table.phase.code}: with the orders that are in", text)
    scene.note("preview", phase=table.phase.code)


COMMAND = Command(
    "preview",
    "see what the orders that are in would bring",
    "Nothing is changed, and nobody is told. What is drawn by lot is drawn on\n"
    "trial, and otherwise than it will be. A gamemaster who plays cannot use\n"
    "it.",
    act,
    for_masters=True,
)
