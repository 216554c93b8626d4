"""What one due game costs, with the reports and maps of seven players and a gamemaster: `python -m bench.reports`.

The same game in databases of their own: the deadline is met; then its reports are written together, as the server does,
and in another database one at a time. Processor time, the best of some rounds; the ratio of the two says what writing
them together brings on any machine. What the phase adds to the database is counted besides pictures.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import count, islice
from pathlib import Path

from sqlalchemy import text

from bench.deadlines import BEGIN, IDENTITY, statements
from bench.games import PlayedPhase, played_games
from bench.goals import at_least_one, tell
from gm.machine.deadlines import close_next
from gm.machine.reports import write_next
from gm.maps import picture
from gm.options import read_options
from gm.play import calendar
from gm.position import PhaseKind
from gm.server import Server
from gm.store.agenda import REPORTS_AT_ONCE
from gm.store.database import Database
from gm.store.game_rows import GameState, SeatRole

ROUNDS = 5
GOAL_MILLISECONDS, GOAL_STATEMENTS, GOAL_STORED = 100, 40, 60_000
LEAST_MILLISECONDS = 120


def played(seed: int) -> PlayedPhase:
    """A phase of moves in the middle of a game."""
    phases = (phase for phase in played_games(seed) if phase.position.phase.kind is PhaseKind.MOVEMENT)
    return next(islice(phases, 8, None))


def due(folder: Path, phase: PlayedPhase) -> Server:
    """A server whose one game has orders from everybody for this phase; its deadline has just come."""
    database = Database(f"sqlite:///{folder / 'gm.sqlite3'}")
    database.migrate()
    moments = count()
    server = Server(database, IDENTITY, lambda: BEGIN + timedelta(days=60) if next(moments) > 1 else BEGIN)
    begin(server, phase)
    with server.transaction() as tx:
        (game,) = tx.games_in()
        game = tx.game(game.id, lock=True)
        sets = {
            seat.id: game.next_set(seat, tuple(phase.orders[seat.power]), tx.now, None)
            for seat in game.players
            if seat.power is not None
        }
        tx.put_orders(game, sets)
    return server


def begin(server: Server, phase: PlayedPhase, name: str = "bench") -> dict[str, str]:
    """Begin a game in this phase, with a gamemaster and a player for each power. Returns their seats' addresses."""
    with server.transaction() as tx:
        game = tx.create_game(name, read_options({"early": "no"}))
        if game is None:
            raise AssertionError("there is such a game")
        game, _ = tx.add_seat(game, SeatRole.MASTER, tx.register(f"master@{name}.example", "Master"))
        for power in phase.orders:
            game, _ = tx.add_seat(game, SeatRole.PLAYER, tx.register(f"{power}@{name}.example", power), power)
        game = calendar.open_phase(tx, tx.fold(game, state=GameState.RUNNING), phase.position)
        return {str(seat.power): server.identity.address_of(game, seat) for seat in game.players}


def all_reports(server: Server, most: int) -> None:
    """Write the queued reports, this number at a time."""
    while write_next(server, most):
        pass


def once(phase: PlayedPhase, most: int) -> tuple[float, float, int, int]:
    """Processor seconds of a deadline and of its reports, written this number at a time, the statements of both, and
    the bytes that they add to the database besides pictures.
    """
    picture._drawn.cache_clear()
    with tempfile.TemporaryDirectory() as folder:
        server = due(Path(folder), phase)
        before = _stored(server.database)
        with statements(server.database) as seen:
            met = _timed(lambda: close_next(server))
            written = _timed(lambda: all_reports(server, most))
        number, grown = len(seen), _stored(server.database) - before
        server.database.dispose()
    return met, written, number, grown


def _stored(database: Database) -> int:
    """The bytes in a database besides pictures."""
    with database.reading() as session:
        pages = "(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)"
        return int(session.scalar(text(f"SELECT {pages} - coalesce(sum(length(content)), 0) FROM file")) or 0)


def _timed(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.reports", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=at_least_one, default=ROUNDS, help="the best of so many rounds (%(default)s)")
    parser.add_argument("--seed", type=int, default=7, help="the seed of the game (%(default)s)")
    parser.add_argument("--profile", action="store_true", help="say where the time of the reports goes")
    options = parser.parse_args(argv)
    phase = played(options.seed)
    once(phase, REPORTS_AT_ONCE)  # templates, outlines and letters are read
    costs = {"together": REPORTS_AT_ONCE, "one at a time": 1}
    rounds = {way: [once(phase, most) for _ in range(options.rounds)] for way, most in costs.items()}
    print(f"{'eight reports':>16}{'deadline ms':>13}{'reports ms':>12}{'statements':>12}{'stored kB':>11}")
    best = {}
    for way, found in rounds.items():
        met, best[way], number, grown = (min(column) for column in zip(*found, strict=True))
        print(f"{way:>16}{met * 1e3:13.1f}{best[way] * 1e3:12.1f}{number:>12.0f}{grown / 1e3:11.1f}")
    met, _, number, grown = rounds["together"][0]
    whole = (met + best["together"]) * 1e3
    print(f"{'ratio':>16}{best['one at a time'] / best['together']:25.2f}")
    tell("a due game, seven players and gamemaster", whole, GOAL_MILLISECONDS, "ms", least=LEAST_MILLISECONDS)
    tell("statements of a due game", number, GOAL_STATEMENTS, "")
    tell("database a game-phase, besides pictures", grown / 1e3, GOAL_STORED / 1e3, "kB")
    if options.profile:
        _profile(phase)
    return 0


def _profile(phase: PlayedPhase) -> None:
    picture._drawn.cache_clear()
    with tempfile.TemporaryDirectory() as folder:
        server, profile = due(Path(folder), phase), cProfile.Profile()
        close_next(server)
        profile.runcall(all_reports, server, REPORTS_AT_ONCE)
        server.database.dispose()
    pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
