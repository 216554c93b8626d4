"""JOIN: a seat in a game that is forming."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.board import Power
from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.office.post import tell
from gm.office.table import Table
from gm.store import games
from gm.store.tables import GameState, Seat, SeatRole


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Give the sender a seat; the answer brings its address."""
    table = scene.public_table(args["game"])
    _check_forming(table)
    wish = _power(table, args["power"])
    account = scene.registered()
    mine = next((seat for seat in table.players if seat.account_id == account.id), None)
    if mine is None:
        mine = _take_seat(scene, table, account.id)
        news = f"You have a seat in {table.game.name} ({table.variant.title})."
    else:
        news = f"You have your seat in {table.game.name} already."
    if wish is not None:
        mine.wish = wish
    scene.seat, scene.table = mine, Table(scene.session, table.game)
    scene.say(news + (f" You asked to play {wish}." if wish else ""))
    scene.say(f"Write to your own address from now on: {scene.office.address_of(table.game, mine)}")
    _tell_master(scene, scene.table, f"{account.name} has joined" + (f" and asks for {wish}." if wish else "."))
    scene.note("join", power=wish)


def _take_seat(scene: Scene, table: Table, account_id: int) -> Seat:
    """A vacated seat, or a new one while there are powers for it."""
    vacant = games.vacant_seats(scene.session, table.game.id)
    if vacant:
        seat = vacant[0]
        games.replace_holder(scene.session, seat, account_id, scene.now)
    elif len(table.players) < len(table.variant.powers):
        seat = games.add_seat(scene.session, table.game.id, SeatRole.PLAYER, account_id=account_id, joined_at=scene.now)
    else:
        raise NotNow(
            f"All {len(table.variant.powers)} powers of {table.game.name} are taken.", "LIST shows other games."
        )
    scene.office.renew_token(seat)
    return seat


def _check_forming(table: Table) -> None:
    if table.game.state is not GameState.FORMING:
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "LIST shows the games that are forming.")


def _power(table: Table, text: str | None) -> Power | None:
    if text is None:
        return None
    for power in table.variant.powers:
        if power.lower() == text.lower():
            return power
    raise NotUnderstood(f"'{text}' is no power of this game.", f"Write one of: {', '.join(table.variant.powers)}.")


def _tell_master(scene: Scene, table: Table, sentence: str) -> None:
    count = f"{table.taken} of {len(table.variant.powers)} powers are taken."
    ready = f" START {table.game.name} begins the game." if table.taken == len(table.variant.powers) else ""
    tell(
        table,
        scene.office,
        table.masters,
        "a player has joined",
        (sentence, count + ready),
        purpose=f"joined:{scene.mail_id}",
        now=scene.now,
    )


COMMAND = Command(
    "join",
    ("JOIN game", "JOIN game AS power"),
    "take a seat in a game that is forming",
    "The answer brings the address of your seat: whatever you write to it,\n"
    "from the address you joined with, counts as yours. Powers are given as\n"
    "wished for where that is possible, else by lot.",
    act,
)
