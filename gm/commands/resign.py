"""RESIGN: leave a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.observe import act_unobserve
from gm.commands.scene import Scene
from gm.errors import NotUnderstood
from gm.office import seating
from gm.office.post import tell
from gm.store.tables import SeatRole


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Vacate the sender's seat. In a running game the power stays, in civil disorder until somebody takes it."""
    table, seat = scene.seated(args["game"])
    if seat.role is SeatRole.OBSERVER:
        act_unobserve(scene, {"words": table.game.name})
        return
    scene.as_player(args["game"])
    if args["game"] is None:
        raise NotUnderstood("RESIGN needs the name of the game.", f"To leave for good write RESIGN {table.game.name}.")
    name = scene.account.name if scene.account is not None else scene.sender
    who = f"{name} ({seat.power})" if seat.power else name
    scene.note("resign", power=seat.power)
    scene.seat = None
    seating.vacate(table, scene.office, seat, scene.now)
    asked = seating.kept_for(table, seat, scene.now) is not None
    tell(
        table,
        scene.office,
        table.masters,
        "a player has resigned",
        (
            f"{who} has resigned.",
            "The next on the stand-by list is asked to take the seat." if asked else "Nobody stands by for the seat.",
            f"REPLACE {seat.power or 'power'} WITH address puts somebody in it; DUMMY {seat.power or 'power'} leaves it"
            " to nobody.",
        ),
        purpose=f"resigned:{scene.mail_id}",
        now=scene.now,
    )
    scene.say(f"You have left {table.game.name}. Thank you for playing.")


COMMAND = Command(
    "resign",
    "leave a game for good",
    "Your seat becomes vacant and its address is void. The gamemaster is\n"
    "told, and the next on the stand-by list is asked to take over.",
    act,
)
