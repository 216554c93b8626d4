"""The people who write: players, gamemasters, strangers, robots and forgers. Each event has numbers of its own, so that
leaving out another event changes none of its choices.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import format_datetime, parseaddr

from gm.games.report_inputs import position_of
from gm.games.snapshot import Game, Seat
from gm.orders import Hold, Move, Order
from gm.orders.notation import write
from gm.orders.possible import legal_builds
from gm.position import Position
from gm.store.game_rows import PhaseRow
from tests.simulation.oddities import Shape, plain
from tests.simulation.world import BASE, Got, World

GAMES: Sequence[tuple[str, int]] = (
    ("standard", 7),
    ("black-hole", 7),
    ("the-aliens", 3),
    ("outer-space", 3),
    ("among-us", 8),
    ("standard", 7),
    ("quantum-space", 2),
)
"""The games that are played, and by how many."""
ZONES = (
    *("Europe/Berlin", "America/New_York", "America/Los_Angeles", "Australia/Lord_Howe", "America/Santiago"),
    *("Africa/Cairo", "Asia/Beirut", "Pacific/Chatham", "Europe/Dublin", "America/Havana"),
)
"""Ten zones with daylight saving time, one of half an hour, one that is negative in winter, some that change at
midnight."""
SECONDS = timedelta(seconds=1)


@dataclass
class Letter:
    """A mail from one of the people. `phase`: the id of the phase that it is for, if that is certain because it cites a
    mail that told of it; `received`: at the latest then the first of the server's mail servers had it, None while it
    is not known; `asks`: it must be answered, or be listed.
    """

    message_id: str
    kind: str
    sender: str
    sent: datetime
    game: str = ""
    seat: int | None = None
    phase: int | None = None
    orders: bool = False
    complete: bool = False
    asks: bool = True
    received: datetime | None = None
    serial: tuple[int, int | None] = (0, None)
    """The seat's address and holder when it was written."""
    given: Sequence[Order] = ()
    """The orders in it."""
    words: str = ""
    """Its text."""
    cited: datetime | None = None
    """When its writer received the mail that it cites."""

    @property
    def clears(self) -> bool:
        """Whether it deletes orders."""
        return self.words == "CLEAR"


@dataclass
class Secret:
    """What differs between twin worlds: the `keeper` has another name, or else orders something else in `phase`.
    `choice` is 0 or 1."""

    choice: int = 0
    of_name: bool = False
    phase: int = 0
    keeper: str = ""


class People:
    """Everybody who writes in a world, and what they have written."""

    def __init__(self, world: World, secret: Secret | None = None) -> None:
        self.world = world
        self.secret = secret
        self.letters: dict[str, Letter] = {}
        self.games: list[str] = []
        self.hours: dict[str, tuple[str, str]] = {}
        """Zone and time of day of each game's deadlines."""
        self.latest: list[tuple[bytes, str, str]] = []

    # ---- writing

    def write(
        self,
        kind: str,
        sender: str,
        to: str,
        text: str,
        rng: random.Random,
        *,
        cites: Got | None = None,
        proof: str = "pass",
        headers: str = "",
        early: timedelta = timedelta(),
        shape: Shape = plain,
        **more: object,
    ) -> Letter:
        """Write a mail and post it: usually once and at once, sometimes twice, sometimes delayed on its way."""
        world = self.world
        sent = (world.now - early).replace(microsecond=0)
        message_id = f"<{world.number()}.{world.seed}@{sender.rpartition('@')[2]}>"
        lines = [f"From: {self._name(sender)} <{sender}>", f"To: {to}", f"Message-ID: {message_id}"]
        lines += [f"Date: {format_datetime(sent)}", f"Subject: {'Re: ' + cites.subject if cites else 'to the judge'}"]
        lines += [f"In-Reply-To: {cites.message_id}", f"References: {cites.message_id}"] if cites is not None else []
        if proof:
            lines.append(f"Authentication-Results: mx.sim; dmarc={proof} header.from={sender.rpartition('@')[2]}")
        content, body = shape(text)
        lines += [*content.splitlines(), *filter(None, headers.splitlines())]
        raw = ("\r\n".join(lines) + "\r\n\r\n").encode() + body.replace(b"\n", b"\r\n") + b"\r\n"
        cited = cites.at if cites is not None else None
        letter = Letter(message_id, kind, sender, sent, words=text, cited=cited, **more)  # type: ignore[arg-type]
        self.letters[message_id] = letter
        self.post(raw, letter, parseaddr(to)[1], rng)
        return letter

    def _name(self, sender: str) -> str:
        secret = self.secret
        if secret is not None and secret.of_name and secret.keeper == sender:
            return ("Uno Primo", "Duo Secundo")[secret.choice]
        return sender.partition("@")[0].title()

    def post(self, raw: bytes, letter: Letter, recipient: str, rng: random.Random) -> None:
        """Give a mail to the network."""
        world = self.world
        if rng.random() < 0.01:
            world.count("mails lost on the way")
            return
        delays = [timedelta()] if rng.random() < 0.85 else [timedelta(minutes=rng.choice((1, 20, 300)))]
        if rng.random() < 0.08:
            delays.append(timedelta(minutes=rng.choice((0, 3, 90))))
            world.count("doubled mails")
        for delay in delays:
            mailbox = world.ways.polls and (not world.ways.listens or rng.random() < 0.5)
            way = "mailbox" if mailbox else "front"
            if mailbox and world.ways.spam and "+" in recipient and rng.random() < 0.1:
                way = "spam folder"
                world.count("mails in the spam folder")
            if rng.random() < 0.03:
                self._hand_in(_another_copy(raw, way), letter, recipient, ("mailbox", "front")[mailbox])
                world.count("copies with other bytes")
            if delay:
                world.count("delayed mails")
                world.later(delay, lambda way=way: self._hand_in(raw, letter, recipient, way))  # type: ignore[misc]
            else:
                self._hand_in(raw, letter, recipient, way)

    def _hand_in(self, raw: bytes, letter: Letter, recipient: str, way: str) -> None:
        arrives = self.world.now.replace(microsecond=0) + SECONDS
        if way != "spam folder":  # no deadline waits for that
            letter.received = min(letter.received or arrives, arrives)
        self.latest = [*self.latest[-9:], (raw, letter.sender, recipient)]
        self.world.send(raw, letter.sender, recipient, way)

    # ---- what people know

    def mailbox(self, address: str) -> list[Got]:
        """What somebody has received, oldest first."""
        return self.world.mails.get(address, [])

    def last_of(self, address: str, name: str, *, told: bool = False) -> Got | None:
        """The newest mail from a game; `told`: that says which phase is played."""
        for got in reversed(self.mailbox(address)):
            if f"+{name}." in got.reply_to and ".to-" not in got.reply_to and (not told or got.phase is not None):
                return got
        return None

    def running(self, rng: random.Random) -> Game | None:
        """One of the games that are played."""
        games = [game for game in map(self.world.game, self.games) if game.running and game.phase is not None]
        return rng.choice(games) if games else None

    def position(self, game: Game, phase: int) -> Position | None:
        """The position of a phase of the game."""
        if game.phase is not None and game.phase.id == phase:
            return game.phase.position
        with self.world.database.reading() as session:
            row = session.get(PhaseRow, phase)
            return position_of(game, row) if row is not None and row.game_id == game.id else None

    def holder(self, seat: Seat) -> str:
        """The address of the seat's player."""
        return seat.person.addresses[0] if seat.person is not None else ""

    def orders(self, game: Game, seat: Seat, phase: int, rng: random.Random, share: float) -> list[Order]:
        """Legal orders for about so many of the things that the seat must order in a phase."""
        position = self.position(game, phase)
        duty = game.variant.duties(position).get(seat.power) if position is not None and seat.power else None
        if position is None or duty is None or seat.power is None:
            return []
        board = game.variant.board(position)
        chosen = [
            _one(game.variant.legal_orders(board, position, unit, duty.need), rng)
            for unit in dict.fromkeys(duty.units)
            if rng.random() < share
        ]
        if duty.need.count < 0:
            units = sorted(position.units_of(seat.power), key=str)
            for unit in rng.sample(units, min(len(units), -duty.need.count)):
                chosen += [_one(game.variant.legal_orders(board, position, unit, duty.need), rng)]
        elif duty.need.count > 0:
            chosen += rng.sample(legal_builds(board, seat.power, duty.need)[:-1], 1)
        return [order for order in chosen if order is not None]


def _another_copy(raw: bytes, way: str) -> bytes:
    """The mail as a list server or another provider hands it on: with more headers, or other line ends."""
    more = b"X-Spam-Status: No, score=-1.9\r\nX-Envelope-To: gm@sim.example\r\n"
    return more + raw if way == "mailbox" else raw.replace(b"\r\n", b"\n").replace(b"\n\n", b"\nX-UID: 12\n\n", 1)


def _one(orders: Sequence[Order], rng: random.Random) -> Order | None:
    simple = [order for order in orders if isinstance(order, Move | Hold)]
    pool = simple if simple and rng.random() < 0.7 else orders
    return rng.choice(pool) if pool else None


Act = Callable[[People, random.Random], object]


# ---- players


def order(
    people: People,
    rng: random.Random,
    game: Game,
    seat: Seat,
    share: float,
    *,
    extra: str = "",
    early: timedelta = timedelta(),
    shape: Shape = plain,
) -> None:
    """A player answers the newest mail that told them of a phase with orders for it."""
    address = people.holder(seat)
    told = people.last_of(address, game.name, told=True)
    if not address or told is None or told.phase is None or told.seat != seat.id:
        return
    orders = people.orders(game, seat, told.phase, random.Random(rng.random()), share)
    if not orders:
        return
    text = "\n".join(map(write, orders)) + extra
    if rng.random() < 0.2:
        text += f"\n\nOn some day {told.recipient} got:\n> A PAR-BUR\n> {told.subject}"
    people.write(
        "orders", address, told.reply_to, text, rng,
        cites=told, game=game.name, seat=seat.id, phase=told.phase, orders=True,
        complete=share >= 1, serial=_serial(seat), given=orders, early=early, shape=shape,
    )  # fmt: skip


def _serial(seat: Seat) -> tuple[int, int | None]:
    return seat.serial, seat.person.id if seat.person is not None else None


def orders(people: People, rng: random.Random) -> None:
    """Somebody orders something."""
    game = people.running(rng)
    if game is not None:
        orders_in(people, rng, game)


def orders_in(people: People, rng: random.Random, game: Game) -> None:
    """Somebody in this game orders something."""
    order(people, rng, game, rng.choice(game.players), rng.choice((0.3, 0.6, 1.0)))


def all_order(people: People, rng: random.Random) -> None:
    """Everybody in a game orders, perhaps all but one."""
    game = people.running(rng)
    if game is not None:
        idle = rng.choice((*game.players, None, None, None))
        for seat in game.players:
            if seat is not idle:
                order(people, rng, game, seat, 1.0, extra=rng.choice(("", "", "\nREADY", "\nSTATUS")))


def reordered(people: People, rng: random.Random) -> None:
    """Two mails of one player, of which the older arrives last."""
    game = people.running(rng)
    if game is not None:
        seat, again = rng.choice(game.players), random.Random(rng.random())
        order(people, rng, game, seat, 0.7)
        older = timedelta(minutes=6)
        people.world.later(timedelta(minutes=4), lambda: order(people, again, game, seat, 0.7, early=older))


def late(people: People, rng: random.Random) -> None:
    """Orders that cite an older mail than the newest."""
    game = people.running(rng)
    seat = rng.choice(game.players) if game is not None else None
    if game is None or seat is None:
        return
    address = people.holder(seat)
    told = [got for got in people.mailbox(address) if got.phase is not None and got.seat == seat.id]
    if len(told) > 1:
        cited = rng.choice(told[:-1])
        given = people.orders(game, seat, cited.phase or 0, rng, 0.7)
        if given:
            people.write(
                "late", address, told[-1].reply_to, "\n".join(map(write, given)), rng, cites=cited,
                game=game.name, seat=seat.id, phase=cited.phase, orders=True, serial=_serial(seat), given=given,
            )  # fmt: skip


def uncited(people: People, rng: random.Random) -> None:
    """Orders in a new mail, which cites nothing."""
    game = people.running(rng)
    if game is not None and game.phase is not None:
        seat = rng.choice(game.players)
        got = people.last_of(people.holder(seat), game.name)
        given = people.orders(game, seat, game.phase.id, rng, 0.7)
        if got is not None and given:
            text = "\n".join(map(write, given))
            people.write("uncited", people.holder(seat), got.reply_to, text, rng, game=game.name, seat=seat.id)


_SAYINGS = (
    *("STATUS", "MY ORDERS", "READY", "WAIT", "CLEAR", "HISTORY", "POSITION", "WHOAMI", "LIST", "HELP ORDERS"),
    *("DRAW", "NO DRAW", "EXTEND 12h", "EXTEND", "PAUSE", "RESUME", "SUMMARY", "ALIAS home = Par", "HERE", "READY"),
    *("PREFERENCES mail=html maps=png", "PREFERENCES mail=text maps=none", "PREFERENCES remind=6h", "UNDO", "WAIT"),
    *("WHY A PAR", "DIARY\nI wonder.\nENDDIARY", "WHATIF\nA PAR-BUR\nENDWHATIF", "CONCEDE TO France"),
    *("Hello, is anybody there?", "TIMEZONE Asia/Tokyo", "STOP", "STOP NONE", "EXTEND YES"),
)
_OF_A_PHASE = ("READY", "WAIT", "CLEAR")


def says(people: People, rng: random.Random) -> None:
    """A player sends a command, or talks."""
    game = people.running(rng)
    if game is not None:
        say(people, rng, game, rng.choice(game.players), rng.choice(_SAYINGS), cites=rng.random() < 0.8)


def say(people: People, rng: random.Random, game: Game, seat: Seat, words: str, *, cites: bool = True) -> None:
    """A player sends these words; what belongs to a phase is certain if they cite a mail that told of it."""
    bound = words in _OF_A_PHASE and cites
    got = people.last_of(people.holder(seat), game.name, told=bound)
    if got is None:
        return
    certain = bound and got.seat == seat.id and got.phase is not None
    clears = certain and words == "CLEAR" and bool(people.orders(game, seat, got.phase or 0, random.Random(1), 1.0))
    people.write(
        "says", people.holder(seat), got.reply_to, words, rng, cites=got if cites else None, game=game.name,
        seat=seat.id, phase=got.phase if certain else None, orders=clears, serial=_serial(seat),
    )  # fmt: skip


def waits(people: People, rng: random.Random) -> None:
    """Everybody orders, or says that they are ready, but one of them says WAIT or CLEAR before or after that."""
    game = people.running(rng)
    if game is None:
        return
    one, words, first = rng.choice(game.players), rng.choice(("WAIT", "WAIT", "CLEAR")), rng.random() < 0.5
    if first:
        say(people, rng, game, one, words)
    for seat in game.players:
        order(people, rng, game, seat, 1.0, extra="\nREADY" if rng.random() < 0.7 and seat is not one else "")
    if not first:
        say(people, rng, game, one, words)


def votes(people: People, rng: random.Random) -> None:
    """Everybody votes for a draw or to concede, perhaps all but one; or one votes otherwise, or leaves."""
    game = people.running(rng)
    if game is None:
        return
    winner, odd = rng.choice(game.players), rng.choice((None, *game.players, *game.players))
    words = rng.choice(("DRAW", "DRAW", f"CONCEDE TO {winner.power}"))
    how = rng.choice(("", "NO DRAW", "NO CONCEDE", f"RESIGN {game.name}"))
    for seat in game.players:
        if seat is winner and words != "DRAW":
            continue
        if seat is not odd or how.startswith("RESIGN"):
            say(people, rng, game, seat, words)
        if seat is odd and how:
            say(people, rng, game, seat, how)


def ahead(people: People, rng: random.Random) -> None:
    """Orders for the next movement phase of the same year, or of the next; some are possible then."""
    game = people.running(rng)
    if game is None or game.phase is None:
        return
    seat, now = rng.choice(game.players), game.phase.position.phase
    given = people.orders(game, seat, game.phase.id, rng, 0.7)
    code = f"F{now.year}M" if now.code.startswith("S") else f"S{now.year + 1}M"
    if given:
        say(people, rng, game, seat, f"PHASE {code}\n" + "\n".join(map(write, given)) + "\nENDPHASE")


def former(people: People, rng: random.Random) -> None:
    """Somebody who has lost a seat orders for it, at the address that they know."""
    game = people.running(rng)
    if game is None:
        return
    for seat in game.players:
        told = [got for box in people.world.mails.values() for got in box[-8:] if got.seat == seat.id and got.phase]
        gone = [got for got in told if got.recipient != people.holder(seat)]
        given = people.orders(game, seat, game.phase.id, rng, 0.7) if gone and game.phase is not None else []
        if given:
            got = gone[-1]
            people.world.count("orders of former players")
            text = "\n".join(map(write, given))
            people.write("former", got.recipient, got.reply_to, text, rng, cites=got, game=game.name, seat=seat.id)


def press(people: People, rng: random.Random) -> None:
    """Press to somebody or everybody."""
    game = people.running(rng)
    if game is None:
        return
    seat, other = rng.choice(game.players), rng.choice(game.players)
    to = rng.choice((str(other.power), "ALL", "GM"))
    how = rng.choice(("", "", "", "GREY ", "POSTAL ")) if to != "GM" else ""
    words = f"Number {rng.randrange(1000)}."
    got = people.last_of(people.holder(seat), game.name)
    if got is not None:
        text = f"{how}PRESS TO {to}\n{words}\nENDPRESS" if rng.random() < 0.85 else f"STOP PRESS FROM {other.power}"
        people.write("press", people.holder(seat), got.reply_to, text, rng, cites=got, game=game.name, seat=seat.id)


def answers(people: People, rng: random.Random) -> None:
    """Somebody answers a question."""
    world = people.world
    if world.questions:
        asked = world.questions.pop(rng.randrange(len(world.questions)))
        words = rng.choice(("YES", "YES", "YES", "NO", "perhaps"))
        people.write("answer", asked.recipient, asked.reply_to, words, rng, cites=asked, asks=False)


def leaves(people: People, rng: random.Random) -> None:
    """A player goes away for a while, or for good; somebody else takes a seat over, or stands by."""
    game = people.running(rng)
    if game is None:
        return
    seat, day = rng.choice(game.players), people.world.now + timedelta(days=1)
    got = people.last_of(people.holder(seat), game.name)
    words = rng.choice((f"ABSENCE {day:%Y-%m-%d} TO {day + timedelta(days=2):%Y-%m-%d}", f"RESIGN {game.name}"))
    new = f"new{rng.randrange(40)}@newcomers.sim"
    if rng.random() < 0.5 and got is not None:
        people.write("leaves", people.holder(seat), got.reply_to, words, rng, cites=got, game=game.name)
    vacant = [one.power for one in game.vacant]
    words = (
        f"TAKEOVER {game.name} AS {rng.choice(vacant)}" if vacant else rng.choice(("STANDBY ", "OBSERVE ")) + game.name
    )
    people.write("comes", new, BASE, words, rng)
