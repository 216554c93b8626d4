"""A database with a game, changed by transactions; and the number of statements that they execute."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import event

from gm.games import loading
from gm.games.identity import ServerIdentity
from gm.games.loading import Snapshots
from gm.games.snapshot import Game, Person
from gm.games.transaction import Transaction, transaction
from gm.play import calendar
from gm.settings import ServerSettings
from gm.store import game_rows, people
from gm.store.database import Database
from gm.store.game_rows import GameState, SeatRole
from tests.games.people import NOW, SEED, options

IDENTITY = ServerIdentity(ServerSettings(address="gm@example.org"), b"k" * 32)


@dataclass
class Hands:
    """A database, and a server's cache of decoded games."""

    database: Database
    snapshots: Snapshots = field(default_factory=Snapshots)
    now: datetime = NOW

    @contextmanager
    def tx(self) -> Iterator[Transaction]:
        """One transaction of the server."""
        with transaction(self.database, IDENTITY, self.now, self.snapshots) as tx:
            yield tx

    def stored(self, game_id: int = 1) -> Game:
        """The game as its rows are, read without a cache."""
        with self.database.reading() as session:
            return loading.load(session, loading.BY_ID, {"key": game_id})[0]

    def played(self, variant: str = "standard", **given: str) -> Game:
        """A running game in its first phase, with a player for each power and a gamemaster; committed."""
        texts = options(variant=variant, **given)
        powers = texts.variant.seating.powers
        with self.tx() as tx:
            row = game_rows.create_game(tx.session, name="spring", options=texts.texts, seed=SEED, now=self.now)
            assert row is not None
            game = tx.game(row.id, lock=True)
            for power in powers:
                game, _ = tx.add_seat(game, SeatRole.PLAYER, registered(tx, f"{power.lower()}@players.example"), power)
            game, _ = tx.add_seat(game, SeatRole.MASTER, registered(tx, "master@example.org"))
            game = tx.fold(game, state=GameState.RUNNING)
            return calendar.open_phase(tx, game, game.variant.opening(game.powers, game.chance))

    @contextmanager
    def statements(self) -> Iterator[list[str]]:
        """The statements that are executed within the block, except those that begin and end transactions."""
        seen: list[str] = []

        def execute(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            if not statement.startswith(("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK")):
                seen.append(statement)

        event.listen(self.database.engine, "before_cursor_execute", execute)
        try:
            yield seen
        finally:
            event.remove(self.database.engine, "before_cursor_execute", execute)


def registered(tx: Transaction, email: str) -> Person:
    """The person with this address, registered if they were not."""
    row = people.create_account(tx.session, email=email, name=email.partition("@")[0].title(), now=tx.now)
    found = loading.person_at(tx.session, email)
    assert row is not None or found is not None
    assert found is not None
    return found


def wearing(game: Game, seat_id: int, **values: Any) -> Game:
    """The game with other values of one seat; for comparisons."""
    return replace(game, seats=tuple(replace(s, **values) if s.id == seat_id else s for s in game.seats))
