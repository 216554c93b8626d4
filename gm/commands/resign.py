"""RESIGN: leave a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotUnderstood
from gm.office.post import tell
from gm.store import games


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Vacate the sender's seat. In a running game the power stays, in civil disorder until somebody takes it."""
    table, seat = scene.as_player(args["game"])
    if args["game"] is None:
        raise NotUnderstood("RESIGN needs the name of the game.", f"To leave for good write RESIGN {table.game.name}.")
    name = scene.account.name if scene.account is not None else scene.sender
    who = f"{name} ({seat.power})" if seat.power else name
    games.vacate_seat(scene.session, seat)
    scene.office.renew_token(seat)
    table.forget()
    scene.note("resign", power=seat.power)
    scene.seat = None
    tell(
        table,
        scene.office,
        table.masters,
        "a player has resigned",
        (f"{who} has resigned.", f"REPLACE {seat.power or 'power'} WITH address puts somebody in the seat."),
        purpose=f"resigned:{scene.mail_id}",
        now=scene.now,
    )
    scene.say(f"You have left {table.game.name}. Thank you for playing.")


COMMAND = Command(
    "resign",
    "leave a game for good",
    "Your seat becomes vacant and its address is void. The gamemaster is\n"
    "told, so that he can find somebody to take over.",
    act,
)
