"""RESIGN: leave a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.observe import act_unobserve
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.games import seats
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.store.game_rows import SeatRole, SeatRow


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Vacate the sender's seat. In a running game the power stays, in civil disorder until somebody takes it."""
    table, seat = scene.seated(args["game"])
    if seat.role is SeatRole.OBSERVER:
        act_unobserve(scene, {"words": table.game.name})
        return
    if seat.role is SeatRole.MASTER:
        _leave_the_chair(scene, table, seat)
        return
    scene.as_player(args["game"])
    if args["game"] is None:
        raise NotUnderstood("RESIGN needs the name of the game.", f"To leave for good write RESIGN {table.game.name}.")
    name = scene.account.name if scene.account is not None else scene.sender
    who = f"{name} ({seat.power})" if seat.power else name
    scene.note("resign", power=seat.power)
    scene.seat = None
    seats.vacate(table, scene.office, seat, scene.now)
    asked = seats.kept_for(table, seat, scene.now) is not None
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


def _leave_the_chair(scene: Scene, table: Table, seat: SeatRow) -> None:
    """A gamemaster goes, if another one stays."""
    others = [one for one in table.masters if one.id != seat.id and one.account_id is not None]
    if not others:
        raise NotNow(f"You are the only gamemaster of {table.game.name}.", "PROMOTE somebody else before you leave.")
    name = scene.account.name if scene.account is not None else scene.sender
    scene.note("resign", account=name)
    seats.empty(table, scene.office, seat, scene.now)
    scene.seat = None
    words = (f"{name} is no longer a gamemaster of {table.game.name}.",)
    purpose = f"resigned:{scene.mail_id}"
    tell(table, scene.office, others, "a gamemaster has left", words, purpose=purpose, now=scene.now)
    scene.say(f"You are no longer a gamemaster of {table.game.name}.")


COMMAND = Command(
    "resign",
    "leave a game for good",
    "Your seat becomes vacant and its address is void. The gamemaster is\n"
    "told, and the next on the stand-by list is asked to take over.",
    act,
)
