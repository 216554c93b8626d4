"""REPLACE: somebody else takes over a power."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gm.board import Power
from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood, Temporary
from gm.games import seats
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.mail.message.compose import can_be_written_to
from gm.store import people
from gm.store.game_rows import SeatRow
from gm.store.people import AccountRow

_ADDRESS = re.compile(r"[^@\s<>,;\"]{1,64}@[^@\s<>,;\"]{1,190}")


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Give the power's seat to another address, with a new reply address; orders already sent stay in force."""
    table, _ = scene.as_master(args["game"])
    scene.running(table)
    seat = seat_named(table, args["power"])
    account = account_at(scene, args["address"])
    if any(other.account_id == account.id for other in table.players):
        raise NotNow(f"{args['address']} plays in {table.game.name} already.", "One person plays one power.")
    _say_goodbye(scene, table, seat)
    seats.give(table, scene.office, seat, account, scene.now)
    scene.say(f"{account.name} <{args['address']}> plays {seat.power} from now on and is sent the position.")
    purpose = f"replaced:{scene.mail_id}:{seat.id}"
    seats.announce(table, scene.office, seat, account, purpose=purpose, now=scene.now)
    scene.note("replace", power=seat.power, address=args["address"])


def seat_named(table: Table, power: str) -> SeatRow:
    """The seat of a power, by any of its names. Raises NotUnderstood."""
    known = table.lexicon.power(power) or power
    seat = next((seat for seat in table.players if (seat.power or "").lower() == known.lower()), None)
    if seat is None:
        raise NotUnderstood(f"'{power}' is no power of this game.", f"Write one of: {', '.join(table.powers)}.")
    return seat


def account_at(scene: Scene, address: str) -> AccountRow:
    """Whoever has this address; somebody new is registered. Raises NotUnderstood for what is no address."""
    if not _ADDRESS.fullmatch(address) or not can_be_written_to(address.lower()):
        raise NotUnderstood(f"'{address}' is not a mail address.", "Write it like name@example.org.")
    email = address.lower()
    if scene.office.is_own(email):
        raise NotUnderstood(f"{email} is an address of this server.", "Name the address of a person.")
    known = people.account_by_address(scene.session, email)
    if known is not None:
        return known
    made = people.create_account(
        scene.session, email=email, name=email.partition("@")[0], now=scene.now, zone=scene.office.server.zone.key
    )
    if made is None:
        raise Temporary(f"{address} is being registered by another mail of the same moment.")
    return made


def _say_goodbye(scene: Scene, table: Table, seat: SeatRow) -> None:
    paragraphs = (
        f"The gamemaster has given {Power(seat.power or '')} to another player.",
        "Thank you for having played.",
    )
    tell(
        table,
        scene.office,
        [seat],
        "you are replaced",
        paragraphs,
        purpose=f"goodbye:{scene.mail_id}:{seat.id}",
        now=scene.now,
    )


COMMAND = Command(
    "replace",
    "give a power to another player",
    "He is sent the position and the address of his seat; the old address is\n"
    "void. Orders already sent stay in force until he changes them.",
    act,
    for_masters=True,
)
