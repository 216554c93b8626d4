"""FORGET ME: a person leaves for good, and his name and addresses are erased."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotPermitted
from gm.games import seats
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.store import game_rows, people
from gm.store.game_rows import GameState, SeatRole, SeatRow
from gm.store.people import AccountRow


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Empty all seats of the sender and erase what is known of him."""
    del args
    account = scene.account
    if account is None:
        raise NotPermitted(f"{scene.sender} is not registered here.", "There is nothing to forget.")
    mine = game_rows.seats_of_account(scene.session, account.id)
    tables = [(Table(scene.session, game_rows.lock_game(scene.session, game.id)), seat) for game, seat in mine]
    for table, seat in tables:
        _may_go(table, seat)
    for table, seat in tables:
        _leave(scene, table, seat, account)
    for entry in people.standby_entries_of(scene.session, account.id):
        people.remove_standby(scene.session, entry)
    for absence in people.absences_of(scene.session, [account.id], scene.now):
        absence.cancelled_at = scene.now
    people.erase(scene.session, account)
    scene.seat = scene.table = scene.account = None
    scene.say("Your seats are given up; your name, addresses and preferences are erased. Thank you for playing.")
    scene.say("Mails that were exchanged stay in the server's books until its operator clears them.")


def _may_go(table: Table, seat: SeatRow) -> None:
    """Raises NotNow for the only gamemaster of a game that is not over."""
    alive = table.game.state in (GameState.FORMING, GameState.RUNNING)
    others = [one for one in table.masters if one.id != seat.id and one.account_id not in (None, seat.account_id)]
    if seat.role is SeatRole.MASTER and alive and not others:
        raise NotNow(
            f"You are the only gamemaster of {table.game.name}.", "PROMOTE somebody else, or TERMINATE the game."
        )


def _leave(scene: Scene, table: Table, seat: SeatRow, account: AccountRow) -> None:
    if seat.role is not SeatRole.PLAYER or not table.running:
        seats.empty(table, scene.office, seat, scene.now)
        return
    seats.vacate(table, scene.office, seat, scene.now)
    words = (f"{account.name} ({seat.power}) has left this server. The seat is vacant.",)
    purpose = f"forgotten:{scene.mail_id}:{seat.id}"
    tell(table, scene.office, table.masters, "a player has resigned", words, purpose=purpose, now=scene.now)


COMMAND = Command(
    "forgetme",
    "leave all your games, and be erased from this server",
    "Your seats become vacant, your name reads `somebody`, your addresses are\n"
    "deleted. What you ordered and wrote in games stays with them.",
    act,
)
