"""START: powers are dealt and the first phase begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow
from gm.games.deadlines import open_phase
from gm.games.dealing import deal
from gm.games.power_preferences import Wishes, read_wishes
from gm.games.snapshot import Table
from gm.games.terms import seats_taken
from gm.store import agenda
from gm.store.game_rows import GameState, SeatRow


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Begin a game whose seats are all taken; everybody is owed the opening report."""
    table, _ = scene.as_master(args["game"])
    if table.game.state is not GameState.FORMING:
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "Only a forming game can be started.")
    missing = table.variant.seating.fewest - table.taken
    if missing > 0:
        raise NotNow(f"In {table.game.name} {seats_taken(table)}.", f"{missing} more must JOIN before it can start.")
    for vacant in table.vacant:  # somebody took it and gave it back; nobody needs it
        vacant.dummy_since = scene.now
    seats = table.held_by_people
    wishes = [_wishes(table, seat) for seat in seats]
    dealt = deal(table.variant.seating.powers, wishes, table.chance) if table.variant.seating.powers else ()
    for seat, power in zip(seats, dealt, strict=False):
        seat.power = power
    table.game.state = GameState.RUNNING
    table.forget()
    phase = open_phase(table, table.variant.opening(table.powers, table.chance), scene.now)
    agenda.owe_reports(scene.session, phase.id, [seat.id for seat in table.seats], "opening", scene.now)
    scene.say(f"The game {table.game.name} has begun. Everybody is sent the opening report.")
    powers = {seat.power: seat.id for seat in table.players}
    scene.note("start", powers=powers, wishes=wishes, dealt=dealt)  # what `gm verify` deals again


def _wishes(table: Table, seat: SeatRow) -> Wishes:
    """The powers that the seat's holder would like to play, where the game has regard to that."""
    if not seat.wish or table.options.powers_at_random:
        return ()
    return read_wishes(seat.wish, table.variant.seating.powers, table.lexicon.power)


COMMAND = Command(
    "start",
    "begin a game whose powers are all taken",
    "Powers are dealt, the first deadline is set, and everybody is sent the\nopening report.",
    act,
    for_masters=True,
)
