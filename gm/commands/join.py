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
from gm.office.terms import seats_taken
from gm.store import games
from gm.store.tables import GameState, Seat, SeatRole


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Give the sender a seat; the answer brings its address."""
    table = scene.public_table(args["game"])
    if table.game.state is not GameState.FORMING:
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "LIST shows the games that are forming.")
    account = scene.registered()
    mine = next((seat for seat in table.players if seat.account_id == account.id), None)
    news = f"You have your seat in {table.game.name} already."
    if mine is None:
        mine = _take_seat(scene, table, account.id)
        news = f"You have a seat in {table.game.name} ({table.variant.title})."
    wish = _name(table, mine, args["power"])
    scene.seat, scene.table = mine, Table(scene.session, table.game)
    scene.say(news + (f" {wish}" if wish else ""))
    scene.say(f"Write to your own address from now on: {scene.office.address_of(table.game, mine)}")
    _tell_master(scene, scene.table, account.name, mine.power or mine.wish)
    scene.note("join", power=mine.power or mine.wish)


def _take_seat(scene: Scene, table: Table, account_id: int) -> Seat:
    """A vacated seat, or a new one while there is room."""
    vacant = games.vacant_seats(scene.session, table.game.id)
    if vacant:
        seat = vacant[0]
        games.replace_holder(scene.session, seat, account_id, scene.now)
    elif table.variant.seating.most is None or len(table.players) < table.variant.seating.most:
        seat = games.add_seat(scene.session, table.game.id, SeatRole.PLAYER, account_id=account_id, joined_at=scene.now)
    else:
        raise NotNow(
            f"All {table.variant.seating.most} seats of {table.game.name} are taken.", "LIST shows other games."
        )
    scene.office.renew_token(seat)
    return seat


def _name(table: Table, seat: Seat, text: str | None) -> str:
    """Note the power wished for, or name the power where players do so. Returns what to say of it."""
    seating = table.variant.seating
    if seating.name is not None:
        taken = [Power(other.power) for other in table.players if other.power is not None and other.id != seat.id]
        if text is None and seat.power is None:
            raise NotUnderstood(
                "In this game you name your own power.", f"Write JOIN {table.game.name} AS and the name."
            )
        if text is not None:
            seat.power = seating.name(text, taken)
        return f"You play {seat.power}."
    if text is None:
        return ""
    power = table.lexicon.power(text)
    if power in seating.powers:
        seat.wish = power
        return f"You asked to play {power}."
    raise NotUnderstood(f"'{text}' is no power of this game.", f"Write one of: {', '.join(seating.powers)}.")


def _tell_master(scene: Scene, table: Table, name: str, power: str | None) -> None:
    enough = table.taken >= table.variant.seating.fewest
    ready = f" START {table.game.name} begins the game." if enough else ""
    paragraphs = (
        f"{name} has joined" + (f" as {power}." if power else "."),
        f"{seats_taken(table).capitalize()}.{ready}",
    )
    purpose = f"joined:{scene.mail_id}"
    tell(table, scene.office, table.masters, "a player has joined", paragraphs, purpose=purpose, now=scene.now)


COMMAND = Command(
    "join",
    "take a seat in a game that is forming",
    "The answer brings the address of your seat: whatever you write to it,\n"
    "from the address you joined with, counts as yours. Powers are given as\n"
    "wished for where that is possible, else by lot.",
    act,
)
