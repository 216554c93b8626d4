"""Where a command acts: one mail, its sender, his seat and game, and the answer that is being written."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.orm import Session

from gm.errors import NotNow, NotPermitted, NotUnderstood, Temporary
from gm.games import ServerIdentity
from gm.games.snapshot import Table
from gm.mail.message.compose import Attachment
from gm.mail.message.incoming import Message
from gm.reports.context import Part, RefusedLine
from gm.store import game_rows, people, records
from gm.store.game_rows import SeatRole, SeatRow
from gm.store.people import AccountRow


@dataclass(frozen=True, slots=True)
class OrdersChanged:
    """A new set is in force. `replaces` is the number of the one before it in this phase."""

    replaces: int | None
    all_in: bool = False
    """It was the last one missing: the phase is closed."""


@dataclass
class Scene:
    """The work on one mail, inside its transaction.

    `seat` is set when the mail came to a seat's own address from an address of its holder; only then is it trusted.
    `account` is who the sender is, if he is registered. What is done is written to `done` (sentences), `parts` (answers
    to questions), `refused` (lines below a command) and `changed` (the sender's orders are others than before).
    """

    session: Session
    office: ServerIdentity
    letter: Message
    mail_id: int
    received_at: datetime
    now: datetime
    sender: str
    account: AccountRow | None = None
    seat: SeatRow | None = None
    table: Table | None = None
    done: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    changed: OrdersChanged | None = None
    attachments: list[Attachment] = field(default_factory=list)
    """Files that go along with the answer."""
    refused: list[RefusedLine] = field(default_factory=list)
    """Lines below a command that could not be taken."""

    def say(self, sentence: str) -> None:
        """Add a sentence to the answer."""
        self.done.append(sentence)

    def note(self, kind: str, **detail: object) -> None:
        """Write what was done into the log of events."""
        records.note(
            self.session,
            kind,
            self.now,
            detail=detail,
            game_id=self.table.game.id if self.table is not None else None,
            seat_id=self.seat.id if self.seat is not None else None,
        )

    def registered(self) -> AccountRow:
        """The sender's account; made from what his mail says of him if this is his first command."""
        if self.account is None:
            name = self.letter.sender_name or self.sender.partition("@")[0]
            self.account = people.create_account(
                self.session, email=self.sender, name=name[:60], now=self.now, zone=self.office.server.zone.key
            )
        if self.account is None:
            raise Temporary(f"{self.sender} is being registered by another mail of the same moment.")
        return self.account

    def public_table(self, name: str | None) -> Table:
        """The game named, or the game of the seat, for anybody to ask about. Raises NotUnderstood, NotNow."""
        if name is None:
            if self.table is None:
                raise NotUnderstood(
                    "No game is named.", "Write its name, for instance STATUS spring; LIST lists the games."
                )
            return self.table
        if self.table is not None and self.table.game.name == name.lower():
            return self.table
        game = game_rows.game_by_name(self.session, name)
        if game is None:
            raise NotUnderstood(f"There is no game '{name}'.", "LIST lists the games.")
        return Table(self.session, game)

    def seated(self, name: str | None = None) -> tuple[Table, SeatRow]:
        """The game and the trusted seat of the sender. Raises NotPermitted when this mail proves no seat."""
        if self.seat is None or self.table is None:
            raise NotPermitted("This needs your own seat's address.", self._where_to_send(name))
        if name is not None and name.lower() != self.table.game.name:
            raise NotPermitted(
                f"This address is your seat in {self.table.game.name}, not in '{name}'.", self._where_to_send(name)
            )
        return self.table, self.seat

    def as_player(self, name: str | None = None) -> tuple[Table, SeatRow]:
        """As `seated`, for those who play a power in a running game."""
        table, seat = self.seated(name)
        if seat.role is not SeatRole.PLAYER:
            raise NotPermitted(
                f"You play no power in {table.game.name}; this is your {seat.role} address.",
                "HELP lists what you can do.",
            )
        return table, seat

    def as_master(self, name: str | None = None) -> tuple[Table, SeatRow]:
        """As `seated`, for the gamemaster."""
        table, seat = self.seated(name)
        if seat.role is not SeatRole.MASTER:
            raise NotPermitted(f"Only the gamemaster of {table.game.name} can do that.", "PRESS TO GM writes to him.")
        return table, seat

    def plays(self, table: Table) -> bool:
        """Whether the sender also plays a power in the game, and so may not see more than that power."""
        return self.account is not None and any(seat.account_id == self.account.id for seat in table.players)

    def as_neutral(self, table: Table) -> None:
        """Raises NotPermitted for a gamemaster who plays in his own game."""
        if self.plays(table):
            raise NotPermitted("You play in this game, so you may see only what your power sees.")

    def running(self, table: Table) -> Table:
        """The table again if its game is being played. Raises NotNow."""
        if not table.running or table.phase is None:
            raise NotNow(
                f"The game {table.game.name} is {table.game.state}.", "Orders and deadlines belong to running games."
            )
        return table

    def _where_to_send(self, name: str | None) -> str:
        """Tell a registered sender the address of his seat: the answer goes to him alone."""
        if self.account is None:
            return "JOIN a game first: the answer brings your seat's address."
        mine = [
            f"{game.name}: {self.office.address_of(game, seat)}"
            for game, seat in game_rows.seats_of_account(self.session, self.account.id)
            if name is None or game.name == name.lower()
        ]
        if not mine:
            return "You have no seat in that game; LIST lists the games, JOIN takes a seat."
        return "Answer any report of the game, or write to your seat: " + "; ".join(mine)
