"""EJECT and DUMMY: a power loses its player; it stays vacant, or is nobody's on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.replace import seat_named
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.games import seats
from gm.games.deadlines import close_early
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.store.game_rows import SeatRow


def act_eject(scene: Scene, args: Mapping[str, Any]) -> None:
    """Take a power from its player; whoever stands by is asked."""
    table, seat = _seat(scene, "EJECT", str(args["words"]))
    if seat.account_id is None:
        raise NotNow(f"{seat.power} has no player.", f"REPLACE {seat.power} WITH address gives it one.")
    _take(scene, table, seat)
    asked = seats.kept_for(table, seat, scene.now) is not None
    scene.say(f"{seat.power} is vacant." + (" The next on the stand-by list is asked." if asked else ""))
    scene.note("eject", power=seat.power)


def act_dummy(scene: Scene, args: Mapping[str, Any]) -> None:
    """Leave a power to nobody: its units hold unless the gamemaster orders for it."""
    table, seat = _seat(scene, "DUMMY", str(args["words"]))
    if seat.dummy_since is not None:
        raise NotNow(f"{seat.power} is a dummy already.", f"REPLACE {seat.power} WITH address gives it a player.")
    seat.dummy_since = scene.now
    if seat.account_id is not None:
        _take(scene, table, seat)
    table.session.flush()
    table.forget()
    scene.say(f"{seat.power} is a dummy. ORDERS FOR {seat.power} orders its units; else they hold.")
    words = (f"{seat.power} has no player from now on; its units hold.",)
    others = [other for other in table.seats if other is not scene.seat]
    tell(table, scene.office, others, "a dummy", words, purpose=f"dummy:{scene.mail_id}:{seat.id}", now=scene.now)
    scene.note("dummy", power=seat.power, undo={"what": "dummy", "seat": seat.id})
    close_early(table, scene.now)


def _seat(scene: Scene, word: str, power: str) -> tuple[Table, SeatRow]:
    table, _ = scene.as_master()
    scene.running(table)
    if not power:
        raise NotUnderstood(f"{word} needs a power.", f"Write {word} and one of: {', '.join(table.powers)}.")
    return table, seat_named(table, power)


def _take(scene: Scene, table: Table, seat: SeatRow) -> None:
    """Say goodbye and empty the seat."""
    words = (f"The gamemaster has taken {seat.power} from you. The address of your seat is void.",)
    tell(
        table,
        scene.office,
        [seat],
        "you have left the game",
        words,
        purpose=f"ejected:{scene.mail_id}:{seat.id}",
        now=scene.now,
    )
    if seat.dummy_since is None:
        seats.vacate(table, scene.office, seat, scene.now)
    else:
        seats.empty(table, scene.office, seat, scene.now)


EJECT = Command(
    "eject",
    "take a power from its player",
    "The seat becomes vacant and the next on the stand-by list is asked;\nTAKEOVER and REPLACE fill it too.",
    act_eject,
    for_masters=True,
)
DUMMY = Command(
    "dummy",
    "leave a power to nobody",
    "Its units hold unless you order for it (ORDERS FOR). It holds nobody\n"
    "up, has no vote, and nobody is asked to take it over.",
    act_dummy,
    for_masters=True,
)
