"""A game of There Are Aliens Among Us by mail: a whole server in one process, and every mail it sends, as sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from gm.position import Position
from gm.store.game_rows import GameRow, new_version
from gm.variants.among_us.state import ALIEN
from gm.variants.standard import POWERS
from tests.server.kept import kept
from tests.server.world import BASE, OPENINGS, World, reply_to, text_of

MASTER = "master@example.org"
WATCHER = "watcher@example.org"
SEED = "5eed" * 16

HOSTS = OPENINGS | {"Austria": "A VIE-TRI\nA BUD-SER\nF TRI-ALB"}


def address(power: str) -> str:
    """The mailbox of the player of a power."""
    return f"{power.split()[-1].lower()}@players.example"


@dataclass(frozen=True)
class Sent:
    """A mail as it left the server."""

    at: datetime
    recipient: str
    envelope_from: str
    raw: bytes


@dataclass
class Game(World):
    """A server with one game of eight players, an observer and a gamemaster."""

    sent: list[Sent] = field(default_factory=list)
    seats: Mapping[str, str] = field(default_factory=dict)  # type: ignore[assignment]
    posted: Counter[str] = field(default_factory=Counter)

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
        self.sent.append(Sent(self.time, recipient, envelope_from, raw))
        super().deliver(raw, envelope_from, recipient)

    def say(self, sender: str, to: str, text: str) -> EmailMessage:
        """Send a mail and return its reply; the same mail has the same Message-ID in every game."""
        self.posted[sender] += 1
        return self.send(sender, to, text, message_id=f"<{self.posted[sender]}.{sender}>")

    @kept
    def begin(
        self,
        options: str = "",
        master: str = MASTER,
        joining: Sequence[str] = (*POWERS, ALIEN),
        assistant: str = "",
    ) -> None:
        """From CREATE to the opening reports, with a known seed; the players join in the order `joining`. Where the
        gamemaster plays, names are hidden: otherwise it would not begin.
        """
        if master in map(address, joining) and "anonymous" not in options:
            options += " anonymous=yes"
        created = self.say(master, BASE, f"CREATE spring variant=among-us first=3d move=3d {options}")
        with self.database.transaction() as session:
            row = session.get_one(GameRow, self.game().id)
            row.seed, row.version = SEED, new_version()
        for power in joining:
            self.say(address(power), BASE, f"JOIN spring AS {power}")
        watching = self.say(WATCHER, BASE, "OBSERVE spring")
        if assistant:
            self.say(master, reply_to(created), f"PROMOTE {assistant} AS ASSISTANT")
            self.say(assistant, reply_to(self.last(assistant)), "YES")
            self.seats = {**self.seats, "assistant": reply_to(self.last(assistant))}
        self.say(master, reply_to(created), "START spring")
        assert self.game().running
        self.seats = {**self.seats, **{power: reply_to(self.last(address(power))) for power in (*POWERS, ALIEN)}}
        self.seats = {**self.seats, "GM": reply_to(created), "watcher": reply_to(watching)}

    @kept
    def hosts_order(self) -> None:
        """All hosts send their orders."""
        for power, orders in HOSTS.items():
            self.order(power, orders)

    def order(self, power: str, text: str) -> EmailMessage:
        """Send a player's mail to their seat's address."""
        return self.say(address(power), self.seats[power], text)

    def words(self, power: str) -> str:
        """The newest mail of a player."""
        return text_of(self.last(address(power)))

    def position(self) -> Position:
        """The position of the present phase, with everything that is hidden in it."""
        position = self.game().position
        assert position is not None
        return position

    def to_others(self) -> list[Sent]:
        """Every mail that went to anybody but the Alien and the gamemaster."""
        return [mail for mail in self.sent if mail.recipient not in (address(ALIEN), MASTER)]


def new_game(path: Path, options: str = "", **how: Any) -> Game:
    """A game that has begun, in an empty folder; `how` as for `Game.begin`."""
    path.mkdir()
    game = Game(path)
    game.begin(options, **how)
    return game
