"""What it costs to meet a deadline, by the number of players: `python -m bench.deadlines [--planets 8,64,256]`.

A game of Quantum Space in a database of its own: everybody has sent orders for each unit, and the deadline is met.
Statements must not grow with the players, and time should grow as they do: an exponent of about one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import event

from bench.goals import numbers, tell
from bench.quantum import exponent, names
from gm.games.identity import ServerIdentity
from gm.machine.deadlines import close_next
from gm.options import read_options
from gm.orders import Hold
from gm.play import calendar
from gm.server import Server
from gm.settings import ServerSettings
from gm.store.database import Database
from gm.store.game_rows import GameState, SeatRole

PLANETS = (8, 64, 256)
GOAL_EXPONENT = 1.1
BEGIN = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
IDENTITY = ServerIdentity(ServerSettings(address="gm@bench.example"), b"k" * 32)


def played(folder: Path, planets: int) -> Server:
    """A server with a game of this number of planets, each with an order for every unit, whose deadline has
    just come.
    """
    database = Database(f"sqlite:///{folder / 'gm.sqlite3'}")
    database.migrate()
    moments = iter((BEGIN, BEGIN, BEGIN + timedelta(days=30), BEGIN + timedelta(days=60)))
    server = Server(database, IDENTITY, lambda: next(moments, BEGIN + timedelta(days=60)))
    with server.transaction() as tx:
        game = tx.create_game("bench", read_options({"variant": "quantum-space", "early": "no"}))
        if game is None:
            raise AssertionError("a new database has a game")
        for number, name in enumerate(islice(names(), planets)):
            person = tx.register(f"p{number}@bench.example", name)
            game, _ = tx.add_seat(game, SeatRole.PLAYER, person, name)
        game = tx.fold(game, state=GameState.RUNNING)
        calendar.open_phase(tx, game, game.variant.opening(game.powers, game.chance))
    close_next(server)  # the talk before the first moves
    with server.transaction() as tx:
        (game,) = tx.games_in()
        game = tx.game(game.id, lock=True)
        sets = {}
        for seat in game.players:
            if game.position is not None and seat.power is not None:
                holds = tuple(Hold(unit) for unit in game.position.units_of(seat.power))
                sets[seat.id] = game.next_set(seat, holds, tx.now, None)
        tx.put_orders(game, sets)
    return server


@contextmanager
def statements(database: Database) -> Iterator[list[str]]:
    """What is executed meanwhile, but for what begins and ends transactions."""
    seen: list[str] = []

    def execute(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if not statement.startswith(("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "PRAGMA")):
            seen.append(statement)

    with listening(database, "before_cursor_execute", execute):
        yield seen


@contextmanager
def listening(database: Database, what: str, call: Callable[..., None]) -> Iterator[None]:
    """Calls it whenever that happens to the database meanwhile."""
    event.listen(database.engine, what, call)
    try:
        yield
    finally:
        event.remove(database.engine, what, call)


def cost(planets: int) -> tuple[float, int]:
    """Processor seconds and statements of one deadline."""
    with tempfile.TemporaryDirectory() as folder:
        server = played(Path(folder), planets)
        with statements(server.database) as seen:
            begun = time.process_time()
            met = close_next(server)
            seconds = time.process_time() - begun
        server.database.dispose()
        if not met:
            raise AssertionError("no deadline was met")
        return seconds, len(seen)


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.deadlines", description=(__doc__ or "").splitlines()[0])
    usual = ",".join(map(str, PLANETS))
    parser.add_argument("--planets", type=numbers, default=usual, help="numbers of planets (%(default)s)")
    sizes: list[int] = parser.parse_args(argv).planets
    costs = [cost(planets) for planets in sizes]
    print(f"{'planets':>8}{'ms':>9}{'statements':>12}")
    for planets, (seconds, number) in zip(sizes, costs, strict=True):
        print(f"{planets:>8}{seconds * 1e3:9.1f}{number:>12}")
    if len(sizes) > 1:
        tell(
            "a deadline, exponent of the players", exponent(sizes, [seconds for seconds, _ in costs]), GOAL_EXPONENT, ""
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
