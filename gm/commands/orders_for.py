"""ORDERS FOR: the gamemaster orders for a power; its player is sent a copy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gm.commands import Command, orders
from gm.commands.replace import seat_named
from gm.commands.scene import Scene
from gm.errors import NotUnderstood
from gm.games.post import tell
from gm.games.snapshot import orders_of
from gm.orders.notation import write
from gm.parsing.message import Complaint, OrderLine, parse_message
from gm.store.game_rows import SeatRole


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Put the orders below the line in force for the power; a player's heading over his own orders is that only."""
    table, seat = scene.seated()
    scene.running(table)
    power = str(args["words"])
    if seat.role is SeatRole.MASTER:
        scene.as_neutral(table)
        target = seat_named(table, power)
    else:
        scene.as_player()
        target = seat_named(table, power)
        if target.id != seat.id:
            scene.as_master()
    lines = _lines(scene, args["below"])
    if not lines and seat.role is SeatRole.MASTER:
        raise NotUnderstood("There are no orders below this line.", "Write them below it, one a line.")
    if not lines:
        return
    acting = replace(scene, seat=target, changed=None)
    refused = orders.act(acting, lines)
    if target.id == seat.id:
        scene.changed = acting.changed or scene.changed
    elif acting.changed is not None:
        given = table.order_sets().get(target.id)
        said = ", ".join(write(order) for order in orders_of(table, given))
        scene.say(f"Orders of {target.power} now in force: {said}.")
        words = (f"The gamemaster has ordered for {target.power}. In force are now: {said}.",)
        purpose = f"ordered:{scene.mail_id}:{target.id}:{given.number if given is not None else 0}"
        tell(table, scene.office, [target], "orders for you", words, purpose=purpose, now=scene.now)
        scene.note("orders for", power=target.power, orders=said)
    scene.refused += refused


def _lines(scene: Scene, below: tuple[tuple[int, str], ...]) -> list[OrderLine]:
    """The order lines of the block. Raises what was not understood in it."""
    table, _ = scene.seated()
    if table.position is None:
        return []
    parsed = parse_message("\n".join(text for _, text in below), table.lexicon, table.position.phase.kind)
    for item in parsed.items:
        if isinstance(item, Complaint):
            raise item.error
    return [replace(item, line=below[item.line - 1][0]) for item in parsed.items if isinstance(item, OrderLine)]


COMMAND = Command(
    "ordersfor",
    "order for a power, as its gamemaster",
    "The orders stand below the line, up to an empty line. They join those\n"
    "the player has sent, and he is sent a copy.",
    act,
    for_masters=True,
)
