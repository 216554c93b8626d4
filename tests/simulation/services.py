"""What some players use besides: a deputy who orders for them, a digest that they answer for all games at once, and a
sandbox in which they play a position on.
"""

from __future__ import annotations

import random
from datetime import timedelta

from gm.games.snapshot import Game, Person, Seat
from gm.orders import Order
from gm.orders.notation import write
from gm.store.game_rows import SeatRole
from tests.simulation.actors import order, say
from tests.simulation.people import People
from tests.simulation.rows import value
from tests.simulation.world import Got

FRIENDS = "@friends.sim"
"""The end of the addresses of those who are asked to be deputies."""

# ---- deputies


def deputies(people: People, rng: random.Random) -> None:
    """A player asks a friend to be their deputy, who mostly accepts; or the deputy orders; or the player ends it."""
    game = people.running(rng)
    if game is None:
        return
    serving = [seat for seat in game.seats if seat.role is SeatRole.DEPUTY and seat.person is not None]
    if not serving or rng.random() < 0.25:
        _ask(people, rng, game, rng.choice(game.players))
        return
    deputy = rng.choice(serving)
    player, how = game.principal(deputy), rng.random()
    if how < 0.7:
        people.world.count("orders of deputies")
        order(people, rng, game, player, rng.choice((0.5, 1.0)), extra=rng.choice(("", "\nREADY")), deputy=deputy)
    elif how < 0.85:
        who, words = (deputy, "PRESS TO ALL\nI am but a deputy.\nENDPRESS") if how < 0.8 else (deputy, "MY ORDERS")
        got = people.last_of(people.holder(who), game.name)
        if got is not None:
            people.write("says", people.holder(who), got.reply_to, words, rng, cites=got, game=game.name)
    else:
        say(people, rng, game, player, "DEPUTY NONE")


def _ask(people: People, rng: random.Random, game: Game, seat: Seat) -> None:
    world, friend = people.world, f"friend{rng.randrange(30)}{FRIENDS}"
    for one, other in ((friend, people.holder(seat)), (people.holder(seat), friend)):
        people.acquainted.setdefault(one, set()).add(other)
    until = rng.choice(("", f" UNTIL {world.now + timedelta(days=rng.choice((1, 4))):%Y-%m-%d}"))
    say(people, rng, game, seat, f"DEPUTY {friend}{until}")
    number = rng.random()

    def accepts() -> None:
        asked = [one for one in world.questions if one.recipient == friend]
        if asked and number < 0.9:
            world.questions.remove(asked[-1])
            calm = random.Random(number)
            people.write("answer", friend, asked[-1].reply_to, "YES", calm, cites=asked[-1], asks=False)

    world.later(timedelta(minutes=rng.choice((5, 40))), accepts)


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
