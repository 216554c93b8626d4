"""Who else writes: gamemasters, strangers, robots, forgers, and mail servers that return mail; and
the table of all that people do.
"""

from __future__ import annotations

import itertools
import random
import re
from datetime import timedelta
from functools import partial
from typing import Any

from gm.games.snapshot import Game
from gm.orders.notation import write
from gm.store.game_rows import SeatRole
from tests.server.bounces import report
from tests.simulation import actors, services
from tests.simulation.hidden import hide
from tests.simulation.oddities import READABLE, UNREADABLE, corpus
from tests.simulation.people import Act, People, calm
from tests.simulation.ways import BASE
from tests.simulation.world import FULL

# ---- gamemasters


_ORDERED = (
    *("ROLLBACK", "ROLLFORWARD", "PAUSE", "RESUME", "EXTEND 12h", "DEADLINE in 2h", "DEADLINE in 3 days", "PROCESS"),
    *("PREVIEW", "DASHBOARD", "LOG", "UNDO", "ACCEPT LATE", "SET grace=2h", "SET nmr=hold", "COMMENT well", "RESUME"),
    *("OFFICIAL\nPlay on.\nENDOFFICIAL", "SCHEDULE in 5h: PROCESS", "SCHEDULE in 2h: PAUSE", "RESUME", "PROCESS"),
    *("MUSTER", "MUSTER in 90m", "MUSTER OFF", "EJECT"),
)


def master(people: People, rng: random.Random) -> None:
    """A gamemaster does something, sensible or not."""
    game = people.running(rng)
    if game is None or game.phase is None:
        return
    words, power = rng.choice(_ORDERED), rng.choice(game.powers)
    if words == "ROLLBACK":
        words = f"ROLLBACK {_last_phase(people, game) or ''}".rstrip()
    elif words == "PROCESS":
        words = f"PROCESS {game.phase.code}"
    elif words == "EJECT":
        words = f"EJECT {power}"
    elif rng.random() < 0.15:
        words = f"REPLACE {power} WITH new{rng.randrange(40)}@newcomers.sim"
    elif rng.random() < 0.1:
        words = f"DUMMY {power}"
    command(people, rng, game, words)


def _last_phase(people: People, game: Game) -> str | None:
    """The code of the phase that was adjudicated last."""
    last = "SELECT code FROM phase WHERE game_id = :g AND adjudicated_at IS NOT NULL ORDER BY id DESC LIMIT 1"
    return next((row.code for row in people.world.rows(last, g=game.id)), None)


def command(people: People, rng: random.Random, game: Game, words: str) -> None:
    """The gamemaster of a game sends these words."""
    seat = next((seat for seat in game.seats if seat.role is SeatRole.MASTER), None)
    got = people.last_of(people.holder(seat), game.name) if seat is not None else None
    if seat is not None and got is not None:
        people.write("master", people.holder(seat), got.reply_to, words, rng, cites=got, game=game.name)


def moves(people: People, rng: random.Random) -> None:
    """A deadline is moved, by the gamemaster or by votes, and perhaps moved back; or something is scheduled."""
    game = people.running(rng)
    if game is None:
        return
    name, how, number = game.name, rng.random(), rng.random()
    if how < 0.35:
        for seat in rng.sample(game.players, rng.randrange(1, len(game.players) + 1)):
            actors.say(people, rng, game, seat, rng.choice(("EXTEND 12h", "EXTEND YES", "EXTEND YES")))
        return
    moved = ("EXTEND 12h", "EXTEND 12h", "DEADLINE in 2 days", "PAUSE")
    scheduled = [f"SCHEDULE in {hours}h: {what}" for hours in (1, 3) for what in ("PROCESS", "EXTEND 12h", "PAUSE")]
    command(people, rng, game, rng.choice(moved if how < 0.7 else scheduled))
    after = "UNDO" if number < 0.6 and how < 0.7 else "RESUME"
    people.world.later(
        timedelta(minutes=rng.choice((7, 15))),
        lambda: command(people, random.Random(number), people.world.game(name), after),
    )


def rolls(people: People, rng: random.Random) -> None:
    """The gamemaster lets the last phase be played again, players order, and perhaps the gamemaster thinks better of
    it."""
    game = people.running(rng)
    code = _last_phase(people, game) if game is not None else None
    if game is None or code is None:
        return
    name, number, back = game.name, rng.random(), rng.random() < 0.7
    command(people, rng, game, f"ROLLBACK {code}")
    people.world.later(
        timedelta(minutes=9), lambda: actors.orders_in(people, random.Random(number), people.world.game(name))
    )
    if back:
        people.world.later(
            timedelta(minutes=25),
            lambda: command(people, random.Random(number), people.world.game(name), "ROLLFORWARD"),
        )


def at_deadline(people: People, rng: random.Random) -> None:
    """The worst moment: just before a deadline the servers die, or the mailbox fails, or no relay answers; players
    write shortly before the deadline and after it; and some time later all is well again."""
    world, game = people.world, people.running(rng)
    due = game.due_at if game is not None else None
    if game is None or due is None or not timedelta(minutes=10) < due - world.now < timedelta(days=2):
        return
    first, away = due - world.now - timedelta(minutes=6), timedelta(minutes=rng.choice((9, 20, 70)))
    name, how = game.name, rng.randrange(3)

    def fails() -> None:
        if how == 1:
            world.mailbox.behaviour = "refuses"
            world.later(away, lambda: setattr(world.mailbox, "behaviour", ""))
        elif how == 2:
            world.relays["*"] = ("down", world.now + away)
        for machine in world.machines:
            if how != 1 and machine.up and (how == 0 or rng.random() < 0.3):
                world.crash(machine, away)

    world.count("worst moments")
    world.later(first, fails)
    for minutes in (1, 4, 5, 7, 8, 12):
        number = rng.random()
        world.later(
            first + timedelta(minutes=minutes),
            lambda number=number: actors.orders_in(people, random.Random(number), world.game(name)),  # type: ignore[misc]
        )


def on_time(people: People, rng: random.Random) -> None:
    """Somebody orders in the very second of the next deadline, which is in time, and somebody in the second after."""
    world, game = people.world, people.running(rng)
    due = game.due_at if game is not None else None
    if game is None or due is None or due <= world.now:
        return
    for second, seat in enumerate(rng.sample(game.players, min(2, len(game.players)))):
        wait, number = due - world.now + timedelta(seconds=second), rng.random()
        world.later(wait, partial(_orders_now, people, game.name, seat.id, number))


def _orders_now(people: People, name: str, seat_id: int, number: float) -> None:
    game = people.world.game(name)
    seat = next((seat for seat in game.players if seat.id == seat_id), None)
    if seat is not None and game.running:
        people.world.count("mails in the second of a deadline, or after it")
        actors.order(people, random.Random(number), game, seat, 1.0)


def between(people: People, rng: random.Random) -> None:
    """After the next deadline no report can be delivered for an hour, and everybody orders for the phase that is
    over, of which they were told last."""
    world, now = people.world, people.world.now
    games = [game for game in map(world.game, people.games) if game.running and game.due_at is not None]
    due, name = min(((game.due_at, game.name) for game in games), default=(None, ""))
    if due is None or due < now:
        return

    def cut() -> None:
        world.points.disarm()
        world.relays["*"] = ("down", world.now + timedelta(hours=1))

    def all_write(number: float) -> None:
        game, chance = world.game(name), random.Random(number)
        if game.running:
            for seat in game.players:
                actors.order(people, chance, game, seat, 1.0)

    world.count("deadlines with mail before the report")
    world.later(due - now - timedelta(seconds=50), cut)
    numbers = [rng.random() for _ in range(3)]
    for minutes, number in zip((4, 9, 20), numbers, strict=True):
        world.later(due - now + timedelta(minutes=minutes), lambda number=number: all_write(number))  # type: ignore[misc]


# ---- what differs in twin worlds


_ASKED = ("STATUS", "MY ORDERS", "HISTORY", "POSITION", "WHOAMI", "LIST", "READY", "HELP ORDERS", "SUMMARY", "EXPORT")
_MORE = {"black-hole": ("EXEMPT ANK", "EXEMPT CON"), "among-us": ("ADOPT A PAR", "ADOPT A MUN")}
"""What the keeper declares besides orders."""


def secret(people: People, rng: random.Random) -> None:
    """The keeper orders, and everybody else asks: now, and after the deadline, while orders are reviewed."""
    kept, game, number = people.secret, people.world.game(people.games[0]), rng.random()
    if kept is None or game.phase is None or game.due_at is None:
        return
    kept.phase = 0 if kept.of_name else game.phase.id
    _orders_and_questions(people, number)
    if game.variant.review is not None:
        wait = game.due_at - people.world.now + timedelta(minutes=30)
        people.world.later(wait, partial(_orders_and_questions, people, number + 1))


def _orders_and_questions(people: People, number: float) -> None:
    game, rng = people.world.game(people.games[0]), random.Random(number)
    _keeper_orders(people, game, rng)
    for seat in game.players[:-1]:
        got = people.last_of(people.holder(seat), game.name)
        for words in _ASKED if got is not None else ():
            about: Any = {"cites": got, "game": game.name, "seat": seat.id}
            people.write("says", people.holder(seat), got.reply_to, words, rng, asks=False, **about)  # type: ignore[union-attr]
    for words in (f"STATUS {game.name}", "LIST"):
        people.write("stranger", "curious@strangers.sim", BASE, words, rng, asks=False)


def _keeper_orders(people: People, game: Game, rng: random.Random) -> None:
    kept, seat, numbers = people.secret, game.players[-1], itertools.count(rng.randrange(1 << 30))
    told = people.last_of(people.holder(seat), game.name, told=True)
    if kept is None or told is None or told.phase is None:
        return
    chosen: list[str] = []
    while len(chosen) < 2 and (number := next(numbers)):
        orders = people.orders(game, seat, told.phase, random.Random(number), 1.0)
        text = "\n".join(map(write, orders))
        if not chosen or text != chosen[0] or not orders:
            chosen.append(text)
    choice = 0 if kept.of_name else kept.choice
    more = _MORE.get(game.options.texts["variant"], ("", ""))[choice]
    text = f"{chosen[choice]}\n{more}\nWHOAMI\nMY ORDERS\nPRESS TO GM\nThe choice is {choice}.\nENDPRESS"
    people.write("orders", people.holder(seat), told.reply_to, text, calm(), cites=told, game=game.name, asks=False)


# ---- odd mails


def odd(people: People, rng: random.Random) -> None:
    """Orders in a shape that few programs give them, a mail without anything to read, or another program's mail."""
    game = people.running(rng)
    if game is None:
        return
    seat, how = rng.choice(game.players), rng.random()
    got = people.last_of(people.holder(seat), game.name)
    if how < 0.5:
        name = rng.choice(list(READABLE))
        people.world.count(f"odd mails: {name}")
        actors.order(people, rng, game, seat, 0.8, shape=READABLE[name])
    elif got is not None:
        name = rng.choice((*UNREADABLE, *["of another program"] * 3))
        head, _, body = rng.choice(corpus()).partition(b"\n\n")
        shape = UNREADABLE.get(name, lambda _: (head.decode("ascii", "replace"), body))
        people.world.count(f"odd mails: {name}")
        people.write("odd", people.holder(seat), got.reply_to, "A PAR-BUR", rng, cites=got, game=game.name, shape=shape)


# ---- strangers and robots


def stranger(people: People, rng: random.Random) -> None:
    """Somebody whom nobody knows."""
    name = f"stranger{rng.randrange(300)}{FULL if rng.random() < 0.1 else '@strangers.sim'}"
    words = rng.choice(("HELP", "LIST", "REGISTER Some Body", "what is this?", "", "STATUS g1", "RULES standard"))
    people.write("stranger", name, BASE, words, rng, proof=rng.choice(("", "pass", "none")))


def chatter(people: People, rng: random.Random) -> None:
    """A stranger's program that writes forty mails in an hour; or one of a player's that answers as many times without
    asking for anything, or by which somebody else writes in their name."""
    game = people.running(rng)
    got = people.last_of(people.holder(rng.choice(game.players)), game.name) if game is not None else None
    if got is not None and rng.random() < 0.5:
        kind, to, words = rng.choice((("unmarked robot", got.reply_to, "I am away."), ("forged", BASE, "HELP")))
        for number in range(40 if kind != "forged" else 70):
            people.world.later(
                timedelta(seconds=40 * number),
                lambda: people.write(kind, got.recipient, to, words, rng, proof="", asks=False),
            )
        return
    name = f"chatter{rng.randrange(10**6)}@strangers.sim"
    for number in range(40):
        people.world.later(
            timedelta(minutes=number),
            lambda: people.write("chatter", name, BASE, "HELP", rng, proof="", asks=False),
        )


def robot(people: People, rng: random.Random) -> None:
    """An automatic reply to a mail of the server's; some do not say that they are one."""
    boxes = [got for box in people.world.mails.values() for got in box[-3:]]
    if boxes:
        got = rng.choice(boxes)
        says_so = rng.choice(("Auto-Submitted: auto-replied", "X-Autoreply: yes", "Precedence: bulk", ""))
        kind = "robot" if says_so and "bulk" not in says_so else "unmarked robot"
        to = got.return_path if says_so and rng.random() < 0.5 else got.reply_to
        people.write(kind, got.recipient, to, "I am away.", rng, cites=got, headers=says_so, asks=False)


def bounce(people: People, rng: random.Random) -> None:
    """A mail of the server's comes back, or somebody says so."""
    boxes = [got for box in people.world.mails.values() for got in box[-3:] if got.return_path]
    if not boxes:
        return
    world, got = people.world, rng.choice(boxes)
    forged = rng.random() < 0.3
    path = BASE if forged else got.return_path
    status = rng.choice(("5.1.1", "5.2.2", "5.7.1", "4.4.1", "4.2.2"))
    ours = f"<{world.number()}@forged.sim>" if forged else got.message_id
    raw = report(
        got.recipient, status, f"{status} sorry {world.number()}", original=f"Message-ID: {ours}\n\nx\n".encode()
    )
    raw = re.sub(rb"Message-ID: <.*", f"Message-ID: <b{world.number()}@mx.players.example>".encode(), raw, count=1)
    world.count("bounces")
    world.returned[got.message_id] += 1
    world.send(raw.replace(b"\n", b"\r\n"), "", path)


def forger(people: People, rng: random.Random) -> None:
    """Somebody writes in the name of a player: to the public address, or to a seat of which they have seen the
    address."""
    game = people.running(rng)
    if game is None:
        return
    seat, thief = rng.choice(game.players), rng.choice(game.players)
    got = people.last_of(people.holder(seat), game.name)
    if got is None:
        return
    legal = "\n".join(map(write, people.orders(game, seat, game.phase.id if game.phase else 0, rng, 1.0))) or "WAIT"
    words = rng.choice((legal, legal, f"{legal}\nREADY", f"RESIGN {game.name}", "CLEAR", "FORGET ME", "READY"))
    sender, to, proof = rng.choice(
        (
            (people.holder(seat), BASE, "fail"),
            (people.holder(thief), got.reply_to, "pass"),
            ("thief@evil.sim", got.reply_to, "pass"),
        )
    )
    people.write("forged", sender, to, words, rng, proof=proof, asks=False, game=game.name, seat=seat.id)


def replays(people: People, rng: random.Random) -> None:
    """The network delivers a mail once more that it has delivered before."""
    if people.latest:
        raw, sender, recipient = rng.choice(people.latest)
        people.world.count("replayed mails")
        people.world.send(
            raw, sender, recipient, rng.choice(("front", "mailbox")) if people.world.ways.listens else "mailbox"
        )


ACTS: dict[str, tuple[float, Act]] = {
    "orders": (30, actors.orders),
    "all_order": (7, actors.all_order),
    "reordered": (2, actors.reordered),
    "late": (3, actors.late),
    "uncited": (3, actors.uncited),
    "says": (9, actors.says),
    "press": (5, actors.press),
    "waits": (1.5, actors.waits),
    "votes": (1, actors.votes),
    "ahead": (1.5, actors.ahead),
    "former": (1, actors.former),
    "answers": (6, actors.answers),
    "leaves": (1, actors.leaves),
    "master": (5, master),
    "moves": (3, moves),
    "rolls": (1, rolls),
    "at_deadline": (4, at_deadline),
    "on_time": (2, on_time),
    "between": (1, between),
    "deputies": (2, services.deputies),
    "digests": (2, services.digests),
    "sandboxes": (1, services.sandboxes),
    "secret": (0, secret),
    "hidden": (0, hide),
    "odd": (2, odd),
    "stranger": (3, stranger),
    "chatter": (0.3, chatter),
    "robot": (2, robot),
    "bounce": (3, bounce),
    "forger": (1.5, forger),
    "replays": (5, replays),
}
"""What people do, and how often."""
