"""Games of every kind, played with random orders straight in the store: no mail is sent, a year takes a second."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from gm.board import Power
from gm.games.identity import ServerIdentity
from gm.games.snapshot import Game
from gm.games.transaction import Transaction
from gm.machine.deadlines import adjudicate
from gm.orders import Order
from gm.play import calendar
from gm.server import Server
from gm.settings import ServerSettings
from gm.store import game_rows, records
from gm.store.game_rows import GameState, SeatRole
from tests.databases import sqlite_in
from tests.games.people import NOW, SEED, options
from tests.variants.random_play import Players, random_orders
from tests.variants.test_sent_back import NAMES, PLAYERS
from tests.variants.written import WRITTEN

LAST = {"the-aliens": "2053", "quantum-space": "2502", "quantum-space-3001": "3002"}
"""The last year of a short game; 1902 in those that begin in 1901."""

Hidden = Callable[[Game, Mapping[Power, tuple[Order, ...]]], Mapping[Power, tuple[Order, ...]]]
"""Changes the orders of a phase before they are given."""


@dataclass
class Shelf:
    """A database with games, and its clock."""

    path: Path
    now: datetime = NOW

    def __post_init__(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        self.database = sqlite_in(self.path)
        identity = ServerIdentity(ServerSettings(address="gm@example.org", name="The <b>Judge</b>"), b"k" * 32)
        self.server = Server(self.database, identity, lambda: self.now)

    def forming(
        self, name: str, variant: str, players: int | None = None, joined: Sequence[int] = (), /, **given: str
    ) -> int:
        """A game that is forming, with some players, or as many as it needs, in the order in which they `joined`;
        returns its id.
        """
        texts = options(variant=variant, **given)
        powers = texts.variant.seating.powers or NAMES[:3]
        powers = tuple(powers[place] for place in joined) or powers
        with self.server.transaction() as tx:
            row = game_rows.create_game(tx.session, name=name, options=texts.texts, seed=SEED, now=self.now)
            assert row is not None
            game = tx.game(row.id, lock=True)
            for power in powers[:players]:
                person = tx.register(f"{power.split()[-1].lower()}.{name}@secret.example", f"Pat {power[:3]} Player")
                game, _ = tx.add_seat(game, SeatRole.PLAYER, person, power)
            tx.add_seat(game, SeatRole.MASTER, tx.register(f"master.{name}@secret.example", "Grace Moderator"))
            return row.id

    def started(self, name: str, variant: str, joined: Sequence[int] = (), /, **given: str) -> int:
        """A game in its first phase; returns its id."""
        number = self.forming(name, variant, None, joined, **given)
        with self.server.transaction() as tx:
            game = tx.fold(tx.game(number, lock=True), state=GameState.RUNNING)
            powers = [str(seat.power) for seat in game.players]
            seats = {str(seat.power): seat.id for seat in game.players}
            wishes = [[[power]] for power in powers]
            tx.note("start", game, powers=seats, wishes=wishes, dealt=powers, opened=list(game.powers))
            calendar.open_phase(tx, game, game.variant.opening(game.powers, game.chance))
        return number

    def play(
        self, number: int, phases: int, seed: int = 13, hidden: Hidden | None = None, press: Sequence[str] = ()
    ) -> None:
        """Play this number of phases, or until the game is over."""
        dice = Random(seed)
        for _ in range(phases):
            self.now += timedelta(days=1)
            with self.server.transaction() as tx:
                game = tx.game(number, lock=True)
                if not game.running:
                    return
                self._phase(tx, game, dice, hidden, press)

    def _phase(self, tx: Transaction, game: Game, dice: Random, hidden: Hidden | None, press: Sequence[str]) -> None:
        assert game.phase is not None
        players: Players = PLAYERS.get(game.variant.name, random_orders)
        given: Mapping[Power, tuple[Order, ...]] = players(game.variant, game.phase.position, dice)
        given = hidden(game, given) if hidden is not None else given
        sets = {
            seat.id: replace(game.next_set(seat, given[seat.power], tx.now, None), complete=True)
            for seat in game.players
            if seat.power is not None and seat.power in given
        }
        for text in press:
            add_press(tx, game, text)
        game = tx.put_orders(game, sets)
        assert game.phase is not None
        adjudicate(tx, game, game.phase)


def add_press(tx: Transaction, game: Game, text: str, to: str = "ALL", manner: str | None = None) -> None:
    """Press of the first player in the present phase."""
    assert game.phase is not None
    records.add_press(
        tx.session,
        game_id=game.id,
        phase_id=game.phase.id,
        from_seat_id=game.players[0].id,
        to=[to],
        readers=[seat.id for seat in game.players[1:] if to in ("ALL", seat.power)],
        body=text,
        now=tx.now,
        manner=manner,
    )


def seven(path: Path) -> Shelf:
    """The seven games, named like their kinds: every other one is over, the others are running; and two that are
    forming, one that is anonymous.
    """
    shelf = Shelf(path)
    for place, kind in enumerate(WRITTEN):
        last = {"last": LAST.get(kind, "1902")} if place % 2 == 0 else {}
        number = shelf.started(f"the-{kind}-game", kind, **last)
        shelf.play(number, 30 if last else 6, press=("Peace to all.\nWrite to <b>ann@secret.example</b> & me.",))
    shelf.forming("summer", "standard", 3, press="grey")
    shelf.forming("closed", "the-aliens", 1, admission="invited")
    shelf.play(shelf.started("gunboat", "standard", anonymous="yes", press="none"), 3)
    return shelf
