"""TAKEOVER and STANDBY: vacant seats of a running game, now and later."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.join import check_admission
from gm.commands.replace import seat_named
from gm.commands.scene import Scene
from gm.commands.whoami import turnout_words
from gm.errors import NotNow, NotUnderstood
from gm.games import seats
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.reports.words import listed
from gm.store import people
from gm.store.game_rows import GameState, SeatRow

_AS = re.compile(r"(?P<game>\S+)(?:\s+(?:as\s+)?(?P<power>\S.*))?", re.IGNORECASE)


def act_takeover(scene: Scene, args: Mapping[str, Any]) -> None:
    """Give the sender a vacant seat; he is sent the position and the address of his seat."""
    found = _AS.fullmatch(str(args["words"]))
    if found is None:
        raise NotUnderstood("TAKEOVER needs the name of a game.", "Write TAKEOVER game, or TAKEOVER game AS power.")
    table = scene.public_table(found["game"])
    if not table.running:
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "JOIN takes a seat in a game that forms.")
    _not_in_it(scene, table)
    seat = _free(scene, table, found["power"])
    asked = seats.kept_for(table, seat, scene.now)
    if asked is None or scene.account is None or asked.account_id != scene.account.id:
        check_admission(scene, table)
    account = scene.registered()
    seats.give(table, scene.office, seat, account, scene.now)
    scene.seat, scene.table = seat, Table(scene.session, table.game)
    scene.say(f"You play {seat.power} in {table.game.name}. The position is sent to you.")
    scene.say(f"Write to your own address from now on: {scene.office.address_of(table.game, seat)}")
    came = people.turnout_of(scene.session, [account.id])[account.id]
    words = (f"{account.name} has taken over {seat.power}. Turnout: {turnout_words(came)}.",)
    tell(table, scene.office, table.masters, "a seat is taken", words, purpose=f"taken:{scene.mail_id}", now=scene.now)
    seats.announce(table, scene.office, seat, account, purpose=f"takeover:{scene.mail_id}", now=scene.now)
    scene.note("takeover", power=seat.power)


def _not_in_it(scene: Scene, table: Table) -> None:
    if scene.account is not None and any(seat.account_id == scene.account.id for seat in table.players):
        raise NotNow(f"You play in {table.game.name} already.", "One person plays one power.")


def _free(scene: Scene, table: Table, power: str | None) -> SeatRow:
    """The vacant seat that is meant, and that is kept for nobody else. Raises NotNow, NotUnderstood."""
    mine = scene.account.id if scene.account is not None else None
    open_to_him = [
        seat
        for seat in table.vacant
        if (asked := seats.kept_for(table, seat, scene.now)) is None or asked.account_id == mine
    ]
    if not open_to_him:
        kept = " The vacant one is kept for somebody who was asked first." if table.vacant else ""
        raise NotNow(f"No seat of {table.game.name} is free.{kept}", f"STANDBY {table.game.name} puts you on its list.")
    if power is None:
        return open_to_him[0]
    seat = seat_named(table, power)
    if seat not in open_to_him:
        names = listed(one.power or "" for one in open_to_him)
        raise NotNow(f"{seat.power} is not free.", f"Free: {names}.")
    return seat


def act_standby(scene: Scene, args: Mapping[str, Any]) -> None:
    """Put the sender on the list of those who are asked when a seat falls vacant, or take him off."""
    name, _, rest = str(args["words"]).partition(" ")
    if not name or rest.strip().lower() not in ("", "on", "off", "no", "none"):
        raise NotUnderstood("STANDBY needs the name of a game.", "Write STANDBY game, or STANDBY game OFF.")
    table = scene.public_table(name)
    entry = people.standby_of(scene.session, table.game.id, scene.account.id) if scene.account is not None else None
    if rest.strip().lower() in ("off", "no", "none"):
        if entry is None:
            raise NotNow(f"You are not on the stand-by list of {table.game.name}.", "WHOAMI shows your seats.")
        asked_for = next((seat for seat in table.vacant if seat.id == entry.asked_seat_id), None)
        people.remove_standby(scene.session, entry)
        if asked_for is not None:
            seats.ask_standby(table, scene.office, asked_for, scene.now)
        scene.say(f"You are off the stand-by list of {table.game.name}.")
        return
    if table.game.state not in (GameState.FORMING, GameState.RUNNING):
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "LIST shows other games.")
    _not_in_it(scene, table)
    check_admission(scene, table)
    account = scene.registered()
    people.add_standby(scene.session, table.game.id, account.id, scene.now)
    ahead = [one for one in people.standbys_of(scene.session, table.game.id) if one.account_id != account.id]
    scene.say(f"You stand by for {table.game.name}, with {len(ahead)} before you. You are asked when a seat is vacant.")
    free = [seat for seat in table.vacant if seats.kept_for(table, seat, scene.now) is None] if table.running else []
    if free:
        scene.say(f"{listed(seat.power or '' for seat in free)} may be taken now: TAKEOVER {table.game.name}.")
    scene.note("standby")


TAKEOVER = Command(
    "takeover",
    "take a vacant seat in a running game",
    "You are sent the position and your seat's address. Orders that the\n"
    "player before you sent stay in force until you change them.",
    act_takeover,
)
STANDBY = Command(
    "standby",
    "be asked when a seat of a game falls vacant",
    "Those on the list are asked in turn, and the seat is kept for each for\n"
    "48 hours. STANDBY game OFF takes you off the list.",
    act_standby,
)
