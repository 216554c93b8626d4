"""A short game of each variant by mail, with random legal orders, to its end: verified from its chronicle.

Every order is sent as it is printed, to the seat it is for; after the end everything is adjudicated again from what is
stored (as `gm verify` does) and phase by phase by `gm adjudicate`.
"""

from __future__ import annotations

import re
from collections import Counter
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest

from gm.board import Power
from gm.cli.verify import replay
from gm.games.snapshot import Game
from gm.orders import Order
from gm.orders.notation import write
from gm.play import pictures
from gm.play.export import Chronicle, chronicle_of
from gm.position import Position, position_to_json
from gm.reports import in_groups
from gm.store.game_rows import GameState
from gm.variants import Variant, all_variants
from tests.server.world import BASE, World, reply_to, text_of
from tests.variants.random_play import random_orders
from tests.variants.test_adjudicated_alike import answered
from tests.variants.test_sent_back import NAMES, PLAYERS
from tests.variants.written import WRITTEN

pytestmark = pytest.mark.long

MASTER = "master@example.org"
YEARS = {"the-aliens": "2052", "quantum-space": "2502", "quantum-space-3001": "3002"}
OTHERS = "1902"


def begun(world: World, game: Variant) -> dict[Power, tuple[str, str]]:
    """A game of this kind, as short as possible: each power's player and the address of its seat."""
    options = f"first=1d move=1d retreat=1d adjust=1d last={YEARS.get(game.name, OTHERS)}"
    options += " early=orders" if game.review is None else ""
    created = world.send(MASTER, BASE, f"CREATE dice variant={game.name} {options}")
    for power in game.seating.powers or NAMES[:3]:
        world.send(mailbox(power), BASE, f"JOIN dice AS {power}")
    world.send(MASTER, reply_to(created), "START dice")
    return {seat.power: seat_of(world, seat.power) for seat in world.seats("dice") if seat.power is not None}


def mailbox(power: Power) -> str:
    return f"{power.split()[-1].lower()}@players.example"


def seat_of(world: World, power: Power) -> tuple[str, str]:
    return mailbox(power), reply_to(world.last(mailbox(power)))


def send(world: World, seats: dict[Power, tuple[str, str]], power: Power, orders: tuple[Order, ...]) -> None:
    """Nothing that can be ordered is refused, except removals beyond those that are due; and the receipt's lines, sent
    back as they stand, change nothing.
    """
    text = "\n".join(map(write, orders)) or "READY"
    phase, receipt = world.game("dice").phase, world.send(*seats[power], text)
    said = text_of(receipt)
    assert "Not acted on" not in said or "one too many" in said, (text, said)
    if orders and world.game("dice").phase == phase:
        printed, in_force = order_lines(receipt), in_force_of(world, power)
        again = text_of(world.send(*seats[power], printed))
        assert not re.search("Not acted on|Not read", again), (printed, again)
        assert world.game("dice").phase != phase or in_force_of(world, power) == in_force, (printed, again)


def order_lines(receipt: EmailMessage) -> str:
    """The lines of a receipt that print the orders in force."""
    part = receipt.get_body(("plain",))
    assert part is not None
    text = part.get_content().replace("\r\n", "\n")
    found = re.search(r"^Orders of .*\n-+\n\n((?:[ ]{4}.*\n)+)", text, re.MULTILINE)
    assert found is not None, text
    return found[1]


def in_force_of(world: World, power: Power) -> Counter[Order]:
    game = world.game("dice")
    return Counter(game.orders_of(next(seat for seat in game.seats if seat.power == power)))


def play(world: World, game: Variant, dice: Random) -> None:
    """Phase by phase until the game is over: powers with something to order send it, the seat that reviews after the
    others.
    """
    seats, players = begun(world, game), PLAYERS.get(game.name, random_orders)
    reviewer = game.review.seat if game.review is not None else None
    while (now := world.game("dice")).state is GameState.RUNNING:
        position, phase = position_of(now), now.phase
        given = players(game, position, dice)
        for power in game.duties(position):
            if power != reviewer and power in given and world.game("dice").phase == phase:
                send(world, seats, power, given[power])
        if reviewer is not None:
            review(world, seats, reviewer, given.get(reviewer, ()))
        elif world.game("dice").phase == phase:
            world.pass_time(days=2)
        assert world.game("dice").phase != phase


def review(world: World, seats: dict[Power, tuple[str, str]], reviewer: Power, orders: tuple[Order, ...]) -> None:
    """What the seat sends: an adoption before the deadline, everything else after it."""
    adopts = bool(orders) and type(orders[0]).__name__ == "Adopt"
    if adopts:
        send(world, seats, reviewer, orders)
    world.pass_time(days=1)
    if orders and not adopts:
        send(world, seats, reviewer, orders)
    world.pass_time(days=1)


def position_of(game: Game) -> Position:
    assert game.position is not None
    return game.position


def adjudicated_alike(chronicle: Chronicle, seed: str) -> None:
    """`gm adjudicate` leads from each phase to the position of the next."""
    for entry, after in zip(chronicle.entries, chronicle.entries[1:], strict=False):
        value, then = position_to_json(entry.position), position_to_json(after.position)
        lines = [f"{power}: {write(order)}" for power, own in entry.orders.items() for order in own]
        state = {**value["state"], "seed": seed, "game": chronicle.name}
        answer = answered({**value, "variant": chronicle.game.name, "state": state, "orders": lines})
        assert answer["units_after"] == then["units"], entry.code
        assert answer["centers_after"] == then["centers"], entry.code


@pytest.mark.parametrize("name", WRITTEN)
def test_a_short_game_of_each_kind(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_figure", lambda _: None)  # drawing is not what is asked here
    world = World(tmp_path, limits=0)
    play(world, all_variants()[name], Random(13))
    over = world.game("dice")
    assert over.state is GameState.FINISHED
    assert over.victory is not None
    with world.looking() as session:
        chronicle = chronicle_of(session, over)
    assert len(chronicle.entries) >= 4
    assert not [fault for finding in replay(chronicle, bytes.fromhex(over.seed)) for fault in finding.faults]
    adjudicated_alike(chronicle, over.seed)
    told = text_of(world.last(mailbox(over.powers[0])))
    assert in_groups(over.seed) in told
    world.database.dispose()
