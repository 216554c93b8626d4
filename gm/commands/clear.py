"""CLEAR: take all orders of this phase back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.orders import in_time
from gm.commands.scene import OrdersChanged, Scene
from gm.store import order_sets


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Put an empty set in force."""
    del args
    table, seat = scene.as_player()
    scene.running(table)
    in_time(scene, table, seat)
    if table.phase is None:
        return
    earlier = table.order_sets().get(seat.id)
    order_sets.add_order_set(
        scene.session, table.phase, seat.id, [], complete=False, now=scene.received_at, inbox_id=scene.mail_id
    )
    scene.changed = OrdersChanged(earlier.number if earlier is not None else None)
    scene.say("Your orders for this phase are taken back.")


COMMAND = Command(
    "clear",
    "take back your orders of this phase",
    "Single orders need no CLEAR: a later order for a unit replaces the\nearlier one.",
    act,
)
