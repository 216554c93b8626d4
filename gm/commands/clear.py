"""CLEAR: take all orders of this phase back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.orders import in_time
from gm.commands.scene import OrdersChanged, Scene
from gm.store import order_rows
from gm.store.game_rows import PhaseRow, SeatRow


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Put an empty set in force; once the orders are closed, that which was in force then."""
    del args
    table, seat = scene.as_player()
    scene.running(table)
    in_time(scene, table, seat)
    if table.phase is None:
        return
    earlier = table.order_sets().get(seat.id)
    order_rows.add_order_set(
        scene.session,
        table.phase,
        seat.id,
        _remaining(scene, table.phase, seat),
        complete=False,
        now=scene.received_at,
        inbox_id=scene.mail_id,
    )
    scene.changed = OrdersChanged(earlier.number if earlier is not None else None)
    scene.say("Your orders for this phase are taken back.")


def _remaining(scene: Scene, phase: PhaseRow, seat: SeatRow) -> list[Any]:
    """What cannot be taken back: of a seat that orders after the others are closed, what it had sent before."""
    if phase.closed_at is None:
        return []
    sets = order_rows.order_set_history(scene.session, phase.id, seat.id)
    return next((given.orders for given in reversed(sets) if given.received_at <= phase.closed_at), [])


COMMAND = Command(
    "clear",
    "take back your orders of this phase",
    "Single orders need no CLEAR: a later order for a unit replaces the\nearlier one.",
    act,
)
