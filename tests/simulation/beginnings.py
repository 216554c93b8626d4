"""How a game begins: it is created, joined and started."""

from __future__ import annotations

import random
from datetime import timedelta

from gm.variants import variant
from tests.simulation.people import USUAL, ZONES, People, calm, game_at
from tests.simulation.ways import BASE

_PATIENCE = 36


def begin(people: People, rng: random.Random, name: str, which: int) -> None:
    """A game is created, joined and started."""
    world = people.world
    kind, number = game_at(which)
    seating = variant(kind).seating
    powers = seating.powers[:number] if seating.powers else [f"Power{letter}" for letter in "abcdefgh"[:number]]
    zone, at = rng.choice(ZONES), rng.choice(("none", "none", "none", "18:00", "02:30", "00:00"))
    options = f"first=1d move={rng.choice(('1h', '3h', '6h', '1d'))} retreat=4h adjust=4h zone={zone} at={at}"
    nameless = rng.choice(("no", "yes"))
    if people.secret is not None and people.secret.of_name:
        nameless = "always"
    options += f" anonymous={nameless} last={rng.choice((1903, 1905)) if (kind, number) in USUAL else 'none'}"
    if variant(kind).review is None:
        ways = ("hold", "random", "wait") if variant(kind).veiled else ("hold", "disorder", "random", "wait")
        nmr, grace = rng.choice(ways), rng.choice(("none", "2h"))
        early = rng.choice(("ready", "orders", "orders", "no"))
        options += f" nmr={nmr} grace={grace} early={early} reminder={rng.choice(('none', '3h'))}"
        options += f" extensions={rng.choice(('none', 'none', 'none', '2'))}"
    else:
        options += " window=2h"
    options += f" press={rng.choice(('white', 'grey', 'grey'))} absence={rng.choice(('none', '1d', '14d'))}"
    options += f" draw={rng.choice(('dias', 'listed'))} ballots={rng.choice(('phase', 'standing'))}"
    holder = f"master{which}@gm.sim"
    _ask(people, rng, holder, BASE, f"CREATE {name} variant={kind} {options}")
    for _ in range(_PATIENCE):  # a mailbox may have begun to refuse just now
        if world.rows("SELECT id FROM game WHERE name = :name", name=name):
            break
        world.until(world.now + timedelta(minutes=10))
    players = {power: f"{power.split()[-1].lower()}{which}@p{which % 3}.sim" for power in powers}
    first = world.game(people.games[0]).players if people.games and people.secret is None else ()
    for power, other in zip(powers[1:3], (one for one in first if one.person is not None), strict=False):
        players[power] = people.holder(other)  # some play in two games
    if people.secret is not None and not people.secret.keeper:
        people.secret.keeper = players[powers[-1]]
    for power, player in players.items():
        _ask(people, rng, player, BASE, f"JOIN {name} AS {power}")
    if rng.random() < 0.9:
        world.spare()
    seat = people.last_of(holder, name)
    if seat is not None:
        _ask(people, rng, holder, seat.reply_to, f"START {name}")
    people.games.append(name)
    people.hours[name] = zone, at


def _ask(people: People, rng: random.Random, sender: str, to: str, words: str) -> None:
    """Send a command, and confirm it if that is asked."""
    world = people.world
    before = len(world.questions)
    people.write("setting up", sender, to, words, calm())
    world.until(world.now + timedelta(minutes=1))
    world.settle()
    for asked in world.questions[before:]:
        if asked.recipient == sender:
            people.write("answer", sender, asked.reply_to, "YES", calm(), cites=asked, asks=False)
            world.until(world.now + timedelta(minutes=1))
            world.settle()
