"""MY ORDERS: the orders in force for the sender's power, and what he has sent ahead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.passages import show
from gm.commands.scene import Scene
from gm.errors import NotNow
from gm.games.snapshot import orders_of
from gm.orders.notation import write
from gm.reports.words import wrap
from gm.store import order_rows, records


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Show the set in force, the sets before it, orders for later, and the sender's votes."""
    del args
    table, seat = scene.as_player()
    scene.running(table)
    if table.phase is None:
        raise NotNow("No phase is being played.", "Wait for the opening report.")
    lines = []
    for given in reversed(order_rows.order_set_history(scene.session, table.phase.id, seat.id)):
        orders = ", ".join(write(order) for order in orders_of(table, given)) or "(none)"
        lines.append(wrap(f"#{given.number}, {given.received_at:%d %b %H:%M} UTC: {orders}", 0, 4))
    lines = lines or ["You have sent no orders for this phase."]
    for kept in order_rows.preorders_of(scene.session, seat.id):
        kind = {"R": "every retreat phase", "A": "every adjustment phase"}.get(kept.code, kept.code)
        lines += ["", f"For {kind}:", *(f"    {line}" for line in kept.lines)]
    for kind in ("draw", "concede", "extend", "pause", "resume"):
        vote = records.votes_of(scene.session, table.phase.id, kind).get(seat.id)
        if vote:
            lines += ["", f"Your vote: {kind.upper()} {vote}"]
    show(scene, f"{table.game.name}, {table.phase.code}: orders of {seat.power}, the newest first", "\n".join(lines))


COMMAND = Command(
    "myorders",
    "show your orders of this phase, every set, and those for later",
    "The first set shown counts. Orders for later phases (PHASE) and your\nvotes are shown too; nobody else sees them.",
    act,
)
