"""START: powers are dealt and the first phase begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.board import Power
from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow
from gm.office.calendar import open_phase
from gm.office.table import Table
from gm.office.terms import seats_taken
from gm.office.wishes import read_wishes
from gm.store import owed
from gm.store.tables import GameState, Seat


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
    for seat, power in deal(table).items():
        seat.power = power
    table.game.state = GameState.RUNNING
    table.forget()
    phase = open_phase(table, table.variant.opening(table.powers, table.chance), scene.now)
    owed.owe(scene.session, phase.id, [seat.id for seat in table.seats], "opening", scene.now)
    scene.say(f"The game {table.game.name} has begun. Everybody is sent the opening report.")
    scene.note("start", powers={seat.power: seat.id for seat in table.players})


def deal(table: Table) -> dict[Seat, Power]:
    """A power for each seat that has none: wishes in the order of joining where the game says so, the rest by
    verifiable lot. Where players name their powers every seat has its own already."""
    left = list(table.variant.seating.powers)
    dealt: dict[Seat, Power] = {}
    if not table.options.powers_at_random:
        for number, seat in enumerate(table.held_by_people):
            liked = _dearest(table, seat, left)
            if liked:
                dealt[seat] = table.chance.choose(liked, "wish", number)
                left.remove(dealt[seat])
    drawn = table.chance.shuffled(left, "powers")
    waiting = [seat for seat in table.held_by_people if seat not in dealt]
    return dealt | dict(zip(waiting, drawn, strict=False))


def _dearest(table: Table, seat: Seat, left: list[Power]) -> list[Power]:
    """Of the powers that are left, those that the seat's holder likes best; none when he wished for none of them."""
    if not seat.wish:
        return []
    for group in read_wishes(seat.wish, table.variant.seating.powers, table.lexicon.power):
        if found := [power for power in group if power in left]:
            return found
    return []


COMMAND = Command(
    "start",
    "begin a game whose powers are all taken",
    "Powers are dealt, the first deadline is set, and everybody is sent the\nopening report.",
    act,
    for_masters=True,
)
