"""A server in one process with a clock that tests set: mails are delivered as bytes and read from the outbox as
bytes.
"""

from __future__ import annotations

import email
import email.policy
import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.games import loading
from gm.games.identity import ServerIdentity
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.inbound.acceptance import accept
from gm.machine.delivery import Delivers
from gm.machine.steps import Delivery, Step, Tidying, desk, drain
from gm.mail.message.reply import REPLY_ABOVE
from gm.server import Server
from gm.settings import Level, ServerSettings, TrustSettings
from gm.store.game_rows import GameRow, PhaseRow, new_version
from gm.store.inbox import ArrivedMail, InboxRow
from gm.variants.standard import POWERS
from tests.databases import sqlite_in
from tests.server.kept import kept

BASE = "gm@example.org"
LEVELS: tuple[Level, ...] = ("open", "normal", "strict")
START = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
OPENINGS = {
    "Austria": "A VIE-GAL\nA BUD-SER\nF TRI-ALB",
    "England": "F LON-NTH\nF EDI-NWG\nA LVP-YOR",
    "France": "A PAR-BUR\nA MAR-SPA\nF BRE-MAO",
    "Germany": "A BER-KIE\nA MUN-RUH\nF KIE-DEN",
    "Italy": "A VEN H\nA ROM-APU\nF NAP-ION",
    "Russia": "A WAR-GAL\nA MOS-UKR\nF SEV-BLA\nF STP/SC-BOT",
    "Turkey": "A CON-BUL\nA SMY-CON\nF ANK-BLA",
}
"""Orders for the first phase, by power; two units are sent to the Black Sea."""
_numbers = itertools.count(1)


@dataclass(frozen=True)
class WatchedServer(Server):
    """A server that checks after every transaction that its snapshots agree with the rows."""

    seen: dict[int, Game] = field(default_factory=dict)
    """Each game as last loaded, without a cache."""
    wrong: list[str] = field(default_factory=list)
    """The differences found. The server survives any exception, so `World.work` must check this list."""

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        with Server.transaction(self) as tx:
            yield tx
        with self.database.reading() as session:
            for game in tx.held():
                self._compare(game, loading.load(session, loading.BY_ID, {"key": game.id})[0])

    def _compare(self, folded: Game, stored: Game) -> None:
        if stored != folded:
            self.wrong.append(f"{folded.name}: the snapshot says {folded}, the rows say {stored}")
        before = self.seen.get(stored.id, stored)
        if stored.version == before.version and not same(stored, before):
            self.wrong.append(f"{stored.name}: a change without another version")
        self.seen[stored.id] = stored


def same(one: Game, other: Game) -> bool:
    """Whether everything that a version covers is equal: all but the version and the people."""
    return _for_version(one) == _for_version(other)


def _for_version(game: Game) -> Game:
    seats = (replace(seat, person=seat.person and Person(seat.person.id, "")) for seat in game.seats)
    return replace(game, version=0, seats=tuple(seats))


class _Fields(HeaderRegistry):
    """The same fields come in mail after mail; to parse each anew was most of what it took to read one."""

    __getitem__ = lru_cache(HeaderRegistry.__getitem__)
    __call__ = lru_cache(4096)(HeaderRegistry.__call__)


POLICY = email.policy.default.clone(header_factory=_Fields())


def _fields(raw: bytes) -> Iterator[list[str]]:
    """The lines of each field of a mail's header. It is ours, and well-formed."""
    header, _, _ = raw.decode("ascii", "surrogateescape").partition("\r\n\r\n")
    lines: list[str] = []
    for line in header.splitlines(keepends=True):
        if lines and line[0] not in " \t":
            yield lines
            lines = []
        lines.append(line)
    yield lines


class Delivered(EmailMessage):
    """A mail whose header, and whose parts, are parsed when they are looked at, if ever."""

    def __init__(self, raw: bytes, envelope_from: str) -> None:
        self._raw, self._envelope_from, self.policy = raw, envelope_from, POLICY

    def __getattr__(self, name: str) -> object:
        if "_raw" not in self.__dict__:
            raise AttributeError(name)
        if name == "_headers":
            self._headers = [*map(POLICY.header_source_parse, _fields(self._raw))]
            self._headers.append(("X-Envelope-From", self._envelope_from or "<>"))
        else:
            self.__dict__.update(self._parsed(self.__dict__.pop("_raw")).__dict__)
        return getattr(self, name)

    def _parsed(self, raw: bytes) -> EmailMessage:
        message = email.message_from_bytes(raw, policy=POLICY)
        message["X-Envelope-From"] = self._envelope_from or "<>"
        return message


@dataclass
class AllAtOnce:
    """A part of the server that does all its work before the others go on, as in a thread of its own."""

    part: Step

    def step(self, now: datetime) -> datetime | None:
        moment, worked = self.part.step(now), False
        while moment is not None and moment <= now:
            moment, worked = self.part.step(now), True
        return now if worked else moment


@dataclass
class World:
    """A server, its clock, and everybody's mailbox."""

    path: Path
    gamemasters: tuple[str, ...] = ("*",)
    time: datetime = START
    mailboxes: dict[str, list[EmailMessage]] = field(default_factory=dict)
    limits: int = 1
    """The factor for the budgets, as in [server]; 0 (no limits) for tests of other things that take very many mails."""
    trust: TrustSettings = field(default_factory=lambda: TrustSettings(level="open", authserv_ids=("mx.home",)))
    plus_addressing: bool = True

    def __post_init__(self) -> None:
        self.database = sqlite_in(self.path)
        self.restart()

    def restart(self) -> None:
        """The server as it is when its process has just started: its caches are empty."""
        server = ServerSettings(
            address=BASE,
            operator="operator@example.org",
            zone=ZoneInfo("UTC"),
            gamemasters=self.gamemasters,
            limits=self.limits,
            plus_addressing=self.plus_addressing,
            rehearsal_seed=b"every run draws the same",
        )
        self.service = WatchedServer(
            self.database, ServerIdentity(server, b"k" * 32, self.trust), lambda: self.time, lambda: 0.0
        )

    # ---- mail

    def mail(
        self, sender: str, to: str, text: str, *, message_id: str | None = None, headers: dict[str, str] | None = None
    ) -> bytes:
        """The bytes of a plain mail; it cites the newest mail with this reply address, as mail programs do."""
        headers = {**self._cited(sender, to), **(headers or {})}
        message = EmailMessage(POLICY)
        name = sender.partition("@")[0].capitalize()
        message["From"] = f"{'Pat ' if name in POWERS else ''}{name} <{sender}>"
        message["To"] = to
        message["Subject"] = "a mail"
        message["Date"] = format_datetime(self.time)
        message["Message-ID"] = message_id or f"<{next(_numbers)}@{sender.partition('@')[2]}>"
        for name, value in headers.items():
            del message[name]
            if value:
                message[name] = value
        message.set_content(text)
        return message.as_bytes()

    def _cited(self, sender: str, to: str) -> dict[str, str]:
        mine = (mail for mail in reversed(self.mailboxes.get(sender, [])) if reply_to(mail) == to)
        return next(({"In-Reply-To": str(mail["Message-ID"])} for mail in mine), {})

    def arrive(self, sender: str, to: str, text: str, **more: object) -> bool:
        """Deliver a mail without processing it."""
        raw = self.mail(sender, to, text, **more)  # type: ignore[arg-type]
        return accept(self.service, ArrivedMail("smtp", raw, self.time, (parseaddr(to)[1],), sender))

    def work(self, sender: Delivers | None = None) -> datetime | None:
        """Process everything that is due and deliver the mails; repeat while there is something to do."""
        steps = *desk(self.service), AllAtOnce(Delivery(self.service, sender or self))
        wanted = drain(steps, lambda: self.time)
        assert not self.service.wrong
        return wanted

    def tidy(self) -> None:
        """Do what a server does once a day, or at once for somebody who is forgotten."""
        drain((Tidying(self.service, 0),), lambda: self.time)

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
        """The transport for outgoing mail: into the recipient's mailbox."""
        self.mailboxes.setdefault(recipient, []).append(Delivered(raw, envelope_from))

    def send(self, sender: str, to: str, text: str, **more: object) -> EmailMessage:
        """Send a mail and return the reply; at the level `open`, confirm at once what it asks for."""
        before = len(self.mailboxes.get(sender, []))
        self.arrive(sender, to, text, **more)
        self.work()
        fresh = self.mailboxes.get(sender, [])[before:]
        answers = [m for m in fresh if m["In-Reply-To"]]
        answers = [m for m in answers if "+confirm." not in reply_to(m)] or answers  # a question may be all the answer
        assert len(answers) == 1, f"{len(answers)} answers to {sender}"
        for asked in fresh:
            if "Please confirm" in str(asked["Subject"]) and self.service.identity.trust.level == "open":
                return self.send(sender, reply_to(asked), "YES")
        return answers[0]

    def accepts(self, address: str) -> EmailMessage:
        """Somebody who was asked to play says YES. Returns the reply."""
        asked = next(mail for mail in reversed(self.mailboxes[address]) if "+confirm." in reply_to(mail))
        return self.send(address, reply_to(asked), "YES")

    def promotes(self, sender: str, chair: str, text: str, **more: object) -> EmailMessage:
        """Whoever is asked to run the game says YES. Returns the last mail to the gamemaster who asks."""
        before = {address: len(mails) for address, mails in self.mailboxes.items()}
        self.send(sender, chair, text, **more)
        for address, mails in list(self.mailboxes.items()):
            for asked in mails[before.get(address, 0) :]:
                if "A game to run" in str(asked["Subject"]):
                    self.send(address, reply_to(asked), "YES")
        return self.last(sender)

    def agreed(self) -> None:
        """All players who are asked whether a gamemaster may play say YES."""
        for address, mails in list(self.mailboxes.items()):
            asked = [mail for mail in mails if "Another gamemaster" in str(mail["Subject"])]
            asked = [mail for mail in asked if "+confirm." in reply_to(mail)]
            if asked and not any(mail["In-Reply-To"] == asked[-1]["Message-ID"] for mail in mails):
                self.send(address, reply_to(asked[-1]), "YES")

    def last(self, address: str) -> EmailMessage:
        """The newest mail that somebody has received."""
        return self.mailboxes[address][-1]

    def pass_time(self, **length: float) -> None:
        """Move the clock, and process what is due."""
        self.time += timedelta(**length)
        self.work()

    def pass_time_quietly(self, **length: float) -> None:
        """Move the clock without processing anything."""
        self.time += timedelta(**length)

    # ---- games

    @kept
    def started(self, name: str = "spring", options: str = "", master: str = "master@example.org") -> dict[str, str]:
        """A running game: the reply address of each power's player, and of the gamemaster as `GM`.

        It is set up without confirmations, at any level of trust.
        """
        return self.begin_here(name, options, master)

    def begin_here(self, name: str = "spring", options: str = "", master: str = "master@example.org") -> dict[str, str]:
        """As `started`, and every mail of it is sent and answered here and now, for tests of the beginning itself."""
        with self.trusting():
            early = "" if "early=" in options else " early=orders"
            created = self.send(master, BASE, f"CREATE {name} {options}{early}")
            for power in POWERS:
                self.send(player(power), BASE, f"JOIN {name} AS {power}")
            self.send(master, reply_to(created), f"START {name}")
        seats = {"GM": reply_to(created)}
        for power in POWERS:
            seats[power] = reply_to(self.last(player(power)))
        return seats

    @contextmanager
    def trusting(self) -> Iterator[None]:
        """Use the level of trust `open` within the block."""
        trust = self.service.identity.trust
        object.__setattr__(self.service.identity, "trust", replace(trust, level="open"))
        yield
        object.__setattr__(self.service.identity, "trust", trust)

    @contextmanager
    def looking(self) -> Iterator[Session]:
        """A read-only transaction."""
        with self.database.reading() as session:
            yield session

    def phase(self, name: str = "spring") -> str:
        """The code of the phase being played."""
        phase = self.game(name).phase
        assert phase is not None
        return phase.code

    def game(self, name: str = "spring") -> Game:
        """The game as it is in the database."""
        with self.looking() as session:
            (game,) = loading.load(session, loading.BY_NAME, {"name": name})
            return game

    def seats(self, name: str = "spring") -> tuple[Seat, ...]:
        """The game's seats."""
        return self.game(name).seats

    @contextmanager
    def altering(self, name: str = "spring") -> Iterator[PhaseRow]:
        """The row of the present phase, for changes without the server's knowledge."""
        game = self.game(name)
        assert game.phase is not None
        with self.database.transaction() as session:
            yield session.get_one(PhaseRow, game.phase.id)
            session.get_one(GameRow, game.id).version = new_version()

    def inbox(self) -> list[InboxRow]:
        """Every mail that arrived."""
        with self.looking() as session:
            return list(session.scalars(select(InboxRow).order_by(InboxRow.id)))


@dataclass
class Place(World):
    """A world in which mail is authenticated, unless a test says otherwise, and in which a game has begun."""

    forged: bool = False
    seats_of_spring: dict[str, str] = field(default_factory=dict)

    def mail(self, sender: str, to: str, text: str, **more: object) -> bytes:
        if not self.forged:
            headers = more.get("headers") or {}
            more = {**more, "headers": {**proved(sender), **headers}}  # type: ignore[dict-item]
        return super().mail(sender, to, text, **more)  # type: ignore[arg-type]

    @contextmanager
    def forging(self) -> Iterator[None]:
        """Within the block, mails are not authenticated."""
        self.forged = True
        yield
        self.forged = False

    def does(self, sender: str, to: str, text: str, **more: object) -> EmailMessage:
        """Send a mail, and confirm it if the level requires that; returns the reply that says what was done."""
        before = len(self.mailboxes.get(sender, []))
        answer = self.send(sender, to, text, **more)
        asked = [mail for mail in self.mailboxes[sender][before:] if "+confirm." in reply_to(mail)]
        waits = asked and self.service.identity.trust.level != "open"
        return self.send(sender, reply_to(asked[0]), "YES") if waits else answer


def proved(sender: str) -> dict[str, str]:
    """The header with which the server in front of ours authenticates a sender."""
    domain = sender.rpartition("@")[2]
    found = f"spf=pass smtp.mailfrom={domain}; dmarc=pass header.from={domain}"
    return {"Authentication-Results": f"mx.home; {found}"}


def reply_to(message: EmailMessage) -> str:
    """The reply address of this mail; with its name where that is a seat's or a question's."""
    name, address = parseaddr(str(message["Reply-To"]))
    return f'"{name}" <{address}>' if "+" in name else address


def player(power: str) -> str:
    """The address of the player of a power in these tests."""
    return f"{power.lower()}@players.example"


def text_of(message: EmailMessage) -> str:
    """The text of a mail's plain part, with single blanks instead of line breaks."""
    body = message.get_body(("plain",))
    assert body is not None
    return " ".join(str(body.get_content()).split())


def body_of(message: EmailMessage) -> str:
    """A mail's plain text as it came."""
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def quotation_of(message: EmailMessage) -> str:
    """A mail of ours quoted in the style of an unknown client: without marks, without our first line."""
    return body_of(message).replace(REPLY_ABOVE, "").strip()


def name_of(message: EmailMessage) -> str:
    """The name of the game that a mail is about."""
    found = re.match(r"\[([\w-]+)\]", str(message["Subject"]))
    assert found is not None
    return found[1]


def begun_by(world: World, by: str, to: str, words: str) -> EmailMessage:
    """The first report of a practice game or a sandbox, which these words begin."""
    answer = text_of(world.send(by, to, words, headers=proved(by)))
    assert re.search(r"Your (practice game|sandbox) is (practice|sandbox)-", answer), answer
    return world.last(by)
