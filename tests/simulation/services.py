"""What some players use besides: a deputy who orders for them, a digest that they answer for all games at once, and a
sandbox in which they play a position on.
"""

from __future__ import annotations

import random
from datetime import timedelta
from functools import partial

from gm.games.snapshot import Person
from gm.orders import Order
from gm.orders.notation import write
from tests.simulation.actors import order, say
from tests.simulation.people import People, calm
from tests.simulation.rows import value
from tests.simulation.world import Got

FRIENDS = "@friends.sim"
"""The end of the addresses of those who are asked to be deputies."""

# ---- deputies


def deputies(people: People, rng: random.Random) -> None:
    """A player asks a friend to be their deputy, who mostly accepts and orders several times; then the player ends it,
    or its time is over, and the friend tries once more."""
    game = people.running(rng)
    if game is None:
        return
    world, seat, friend = people.world, rng.choice(game.players), f"friend{rng.randrange(30)}{FRIENDS}"
    for one, other in ((friend, people.holder(seat)), (people.holder(seat), friend)):
        people.acquainted.setdefault(one, set()).add(other)
    until = rng.choice(("", "", f" UNTIL {world.now + timedelta(days=1):%Y-%m-%d}"))
    say(people, rng, game, seat, f"DEPUTY {friend}{until}")
    world.later(timedelta(minutes=rng.choice((3, 40))), partial(_accepts, people, friend))
    for hours in (1, 2, 5, 9, 12, 26):
        world.later(timedelta(hours=hours), partial(_deputy_writes, people, rng.random(), friend, game.name))
    if rng.random() < 0.6:
        name, number = game.name, rng.random()
        ends = partial(_ends, people, number, name, seat.id)
        world.later(timedelta(hours=rng.choice((3, 10))), ends)


def _accepts(people: People, friend: str) -> None:
    asked = [one for one in people.world.questions if one.recipient == friend]
    if asked:
        people.world.questions.remove(asked[-1])
        people.write("answer", friend, asked[-1].reply_to, "YES", calm(), cites=asked[-1], asks=False)


def _deputy_writes(people: People, number: float, friend: str, name: str) -> None:
    """The friend orders, also when they are the deputy no longer; or asks, or writes press."""
    game, rng = people.world.game(name), random.Random(number)
    got = people.last_of(friend, name, told=True)
    deputy = next((seat for seat in game.seats if got is not None and seat.id == got.seat), None)
    if got is None or deputy is None or not game.running:
        return
    if rng.random() < 0.8:
        people.world.count("orders of deputies")
        share, extra = rng.choice((0.5, 1.0)), rng.choice(("", "\nREADY"))
        order(people, rng, game, game.principal(deputy), share, extra=extra, deputy=deputy, address=friend)
        return
    words = rng.choice(("PRESS TO ALL\nI am but a deputy.\nENDPRESS", "MY ORDERS", "WAIT"))
    people.write("says", friend, got.reply_to, words, rng, cites=got, game=game.name)


def _ends(people: People, number: float, name: str, seat: int) -> None:
    game = people.world.game(name)
    say(people, random.Random(number), game, game.seat(seat), "DEPUTY NONE")


# ---- digests


def digests(people: People, rng: random.Random) -> None:
    """Somebody begins to get digests, at an hour of the next day, or gets none any more; or all who got one since they
    wrote last answer it."""
    game = people.running(rng)
    if game is None:
        return
    readers = [seat for seat in game.held if seat.person is not None and seat.person.digest is not None]
    if len(readers) < 2 or rng.random() < 0.2:
        hour = (people.world.now + timedelta(hours=rng.randrange(2, 9))).hour
        say(people, rng, game, rng.choice(game.players), f"PREFERENCES digest={hour:02}:00", cites=False)
    elif rng.random() < 0.1:
        say(people, rng, game, rng.choice(readers), "PREFERENCES digest=none")
    for seat in readers:
        box = people.mailbox(people.holder(seat))
        newest = next((got for got in reversed(box) if got.purpose.startswith("digest:")), None)
        if newest is not None and seat.person is not None:
            _answer(people, rng, seat.person, newest)


def _answer(people: People, rng: random.Random, person: Person, digest: Got) -> None:
    """A section with orders for each game of which the digest told."""
    sections, lines = list[tuple[int, int, tuple[Order, ...]]](), list[str]()
    games = [game for game in map(people.world.game, people.games) if game.running]
    for game in games:
        for seat in game.players:
            phase = dict(digest.told).get(seat.id)
            given = people.orders(game, seat, phase, rng, 0.7) if phase is not None and seat.is_of(person) else []
            if given and phase is not None:
                sections.append((seat.id, phase, tuple(given)))
                lines += [f"GAME {game.name}", *map(write, given), ""]
    if not sections:
        return
    people.world.count("answers to digests")
    people.world.count(f"sections in answers to digests: {len(sections)}")
    people.write(
        "digest", digest.recipient, digest.reply_to, "\n".join(lines), rng, cites=digest, sections=tuple(sections),
        serial=(0, person.id),
    )  # fmt: skip


# ---- sandboxes


def sandboxes(people: People, rng: random.Random) -> None:
    """A player begins a sandbox, or orders in theirs for all powers and has it adjudicated, or goes back."""
    game = people.running(rng)
    if game is None:
        return
    own = _sandboxes(people)
    if not own or rng.random() < 0.3:
        say(people, rng, game, rng.choice(game.players), "SANDBOX")
        return
    for name, address in rng.sample(own, min(2, len(own))):
        sandbox, got = people.world.game(name), people.last_of(address, name)
        if got is None or sandbox.phase is None:
            continue
        lines = [
            f"{seat.power}: {write(one)}"
            for seat in sandbox.players
            for one in people.orders(sandbox, seat, sandbox.phase.id, rng, 0.6)
        ]
        words = rng.choice(("\n".join([*lines, "READY"]), "\n".join([*lines, "READY"]), "READY", "STATUS", "EXPORT"))
        people.world.count("mails to sandboxes")
        people.write("sandbox", address, got.reply_to, words, rng, cites=got, game=name)


def _sandboxes(people: People) -> list[tuple[str, str]]:
    """The sandboxes that are played, and the addresses of their holders."""
    rows = people.world.rows(
        "SELECT g.name, g.options, a.email FROM game g JOIN seat s ON s.game_id = g.id AND s.role = 'master'"
        " JOIN address a ON a.account_id = s.account_id WHERE g.state = 'running' ORDER BY g.id, a.id"
    )
    return [(row.name, row.email) for row in rows if "sandbox" in value(row.options)]
