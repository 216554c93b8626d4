"""OBSERVE and UNOBSERVE: the reports of a game for those who do not play it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.games.snapshot import Table
from gm.store import agenda, game_rows
from gm.store.game_rows import GameState, SeatRole


def act_observe(scene: Scene, args: Mapping[str, Any]) -> None:
    """An observer's seat: he is sent what everybody may see."""
    if not args["words"]:
        raise NotUnderstood("OBSERVE needs the name of a game.", "Write OBSERVE and its name; LIST lists the games.")
    table = scene.public_table(str(args["words"]))
    if table.game.state not in (GameState.FORMING, GameState.RUNNING):
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "SUMMARY and HISTORY tell how it went.")
    account = scene.registered()
    if any(seat.account_id == account.id for seat in table.seats):
        raise NotNow(f"You have a seat in {table.game.name} already.", "WHOAMI shows its address.")
    left = next((seat for seat in table.observers if seat.account_id is None), None)
    if left is not None:
        seat = left
        game_rows.replace_holder(scene.session, seat, account.id, scene.now)
    else:
        seat = game_rows.add_seat(
            scene.session, table.game.id, SeatRole.OBSERVER, account_id=account.id, joined_at=scene.now
        )
    scene.office.renew_token(seat)
    table.forget()
    if table.phase is not None and table.running:
        agenda.owe_reports(scene.session, table.phase.id, [seat.id], f"welcome:{seat.serial}", scene.now)
    scene.seat, scene.table = seat, Table(scene.session, table.game)
    scene.say(f"You observe {table.game.name}: its reports are sent to you. UNOBSERVE {table.game.name} ends that.")
    scene.note("observe")


def act_unobserve(scene: Scene, args: Mapping[str, Any]) -> None:
    """Give the observer's seat up."""
    table = scene.public_table(str(args["words"]) or None)
    account = scene.account
    mine = [seat for seat in table.observers if account is not None and seat.account_id == account.id]
    if not mine:
        raise NotNow(f"You do not observe {table.game.name}.", "WHOAMI shows the games in which you have a seat.")
    for seat in mine:
        game_rows.vacate_seat(scene.session, seat)
        scene.office.renew_token(seat)
    table.forget()
    if scene.seat in mine:
        scene.seat = None
    scene.say(f"You no longer observe {table.game.name}.")
    scene.note("unobserve")


OBSERVE = Command(
    "observe",
    "be sent the reports of a game that you do not play",
    "You are sent what everybody may see, and press to ALL. Also written\nWATCH.",
    act_observe,
)
UNOBSERVE = Command("unobserve", "end OBSERVE", "Your observer's address becomes void.", act_unobserve)
