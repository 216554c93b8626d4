"""The people who write, and what they have written. Each event has numbers of its own, so that leaving out another
event changes none of its choices.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.utils import format_datetime, parseaddr

from gm.games.report_inputs import position_of
from gm.games.snapshot import Game, Seat
from gm.orders import Hold, Move, Order
from gm.orders.possible import legal_builds
from gm.position import Position
from gm.store.game_rows import PhaseRow
from tests.simulation.oddities import Shape, plain
from tests.simulation.world import Got, World

GAMES: Sequence[tuple[str, int]] = (
    ("standard", 7),
    ("black-hole", 7),
    ("the-aliens", 3),
    ("outer-space", 3),
    ("among-us", 8),
    ("fog", 7),
    ("quantum-space", 2),
)
"""The games that are played, and by how many."""
USUAL: Sequence[tuple[str, int]] = (
    *(("standard", 7), ("france-austria", 2), ("build-anywhere", 7), ("1898", 7), ("crowded", 11)),
    *(("england-turkey", 2), ("chaos", 34), ("fleet-rome", 7), ("germany-italy", 2)),
)
"""In the place of the standard game those that have its rules, in turn, from one round of `GAMES` to the next."""


def game_at(place: int) -> tuple[str, int]:
    """The game at a place in the order in which games are played, and by how many."""
    turn, found = divmod(place, len(GAMES))
    return GAMES[found] if GAMES[found][0] != USUAL[0][0] else USUAL[turn % len(USUAL)]


ZONES = (
    *("Europe/Berlin", "America/New_York", "America/Los_Angeles", "Australia/Lord_Howe", "America/Santiago"),
    *("Africa/Cairo", "Asia/Beirut", "Pacific/Chatham", "Europe/Dublin", "America/Havana"),
)
"""Ten zones with daylight saving time, one of half an hour, one that is negative in winter, some that change at
midnight."""


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
    to_press: bool = False
    """Whether it cites press."""
    by: int | None = None
    """The seat of the deputy who writes, for `seat`."""
    sections: tuple[tuple[int, int, tuple[Order, ...]], ...] = ()
    """What an answer to a digest has for several games: a seat, the phase of which that was told, and orders."""

    @property
    def parts(self) -> tuple[Letter, ...]:
        """The mail as it is for each seat."""
        if not self.sections:
            return (self,)
        one = {"orders": True, "sections": ()}
        return tuple(replace(self, seat=seat, phase=phase, given=given, **one) for seat, phase, given in self.sections)  # type: ignore[arg-type]

    def part(self, seat: int) -> Letter:
        """The mail as it is for a seat."""
        return next((one for one in self.parts if one.seat == seat), self)

    @property
    def clears(self) -> bool:
        """Whether it deletes orders."""
        return self.words == "CLEAR"


@dataclass
class Secret:
    """What differs between twin worlds: the `keeper` has another name, or else orders something else in `phase`.
    `choice` is 0 or 1. `acquainted`: whom anybody has asked to be their deputy, who are told what the keeper orders."""

    choice: int = 0
    of_name: bool = False
    phase: int = 0
    keeper: str = ""
    acquainted: dict[str, set[str]] = field(default_factory=dict)
    published: list[tuple[str, str, bytes]] = field(default_factory=list)
    """The files of the gallery."""
    sights: dict[str, dict[int, str]] = field(default_factory=dict)
    """In fog, what each player may know of each phase that was adjudicated, by address and phase."""


class People:
    """Everybody who writes in a world, and what they have written."""

    def __init__(self, world: World, secret: Secret | None = None) -> None:
        self.world = world
        self.secret = secret
        self.letters: dict[str, Letter] = {}
        self.games: list[str] = []
        self.hours: dict[str, tuple[str, str]] = {}
        """Zone and time of day of each game's deadlines."""
        self.acquainted: dict[str, set[str]] = secret.acquainted if secret is not None else {}
        """Players and those whom they have asked to be their deputies know each other."""
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
            domain = sender.rpartition("@")[2]
            found = f"spf={proof} smtp.mailfrom={domain}; dmarc={proof} header.from={domain}"
            lines = [f"Return-Path: <{sender}>", f"Authentication-Results: mx.sim; {found}", *lines]
        content, body = shape(text)
        lines += [*content.splitlines(), *filter(None, headers.splitlines())]
        raw = ("\r\n".join(lines) + "\r\n\r\n").encode() + body.replace(b"\n", b"\r\n") + b"\r\n"
        cited = cites.at if cites is not None else None
        to_press = cites is not None and cites.purpose.startswith("press:")
        letter = Letter(message_id, kind, sender, sent, words=text, cited=cited, to_press=to_press, **more)  # type: ignore[arg-type]
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
                other = ("mailbox", "front")[mailbox] if world.ways.listens and world.ways.polls else way
                self._hand_in(_another_copy(raw, other), letter, recipient, other)
                world.count("copies with other bytes")
            if delay:
                world.count("delayed mails")
                world.later(delay, lambda way=way: self._hand_in(raw, letter, recipient, way))  # type: ignore[misc]
            else:
                self._hand_in(raw, letter, recipient, way)

    def _hand_in(self, raw: bytes, letter: Letter, recipient: str, way: str) -> None:
        arrives = self.world.now.replace(microsecond=0)
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

    def fate(self, letter: Letter) -> str:
        """What became of a mail."""
        rows = self.world.rows("SELECT state, note, received_at FROM inbox WHERE message_id = :m", m=letter.message_id)
        return "; ".join(f"{row.state} {row.note} {row.received_at}" for row in rows) or "it is not there"

    def was_asked_about(self, mail: int) -> bool:
        """Whether a question was sent about a mail (its reason goes when its writer is forgotten)."""
        return bool(self.world.rows("SELECT 1 AS one FROM question WHERE inbox_id = :i", i=mail))

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
        board, position = game.variant.board(position), game.variant.seen(game.variant, position, seat.power)
        chosen = [
            _one(game.variant.legal_orders(board, position, unit, duty.need), rng)
            for unit, alike in Counter(duty.units).items()
            if rng.random() < share
            for _ in range(alike)  # a whole list for a spacecraft (OS-16)
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


def calm() -> random.Random:
    """Chances by which a mail goes its way undisturbed."""
    chances = random.Random(1)
    chances.random = lambda: 0.5  # type: ignore[method-assign]
    return chances


def _one(orders: Sequence[Order], rng: random.Random) -> Order | None:
    simple = [order for order in orders if isinstance(order, Move | Hold)]
    pool = simple if simple and rng.random() < 0.7 else orders
    return rng.choice(pool) if pool else None


Act = Callable[[People, random.Random], object]
