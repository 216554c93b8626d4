"""`gm games`: the games of a server, or one of them with its seats, as the operator may see them: with every name."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from gm.cli import load
from gm.errors import NotNow
from gm.games import loading
from gm.games.snapshot import Game, Seat
from gm.store.copying import opened
from gm.store.game_rows import GameState, SeatRole

_CURRENT = (GameState.FORMING, GameState.RUNNING)
_HEADS = ("NAME", "VARIANT", "STATE", "PHASE", "DEADLINE", "PLAYERS")


def main(given: argparse.Namespace) -> int:
    """Show the games that are forming or running, all of them, or one."""
    settings = load(given.home)
    zone = settings.server.zone
    with opened(settings.database.url) as database, database.reading() as session:
        if given.game is None:
            states = list(GameState) if given.all else _CURRENT
            games = loading.load(session, loading.IN_STATES, {"states": states})
        else:
            games = loading.load(session, loading.BY_NAME, {"name": given.game.lower()})
    if given.game is None and given.all and not games:
        print("There is no game yet.")
    elif given.game is None:
        _list(sorted(games, key=lambda game: game.name), zone)
    elif games:
        _show(games[0], zone)
    else:
        raise NotNow(f"There is no game {given.game!r}.", "`gm games --all` lists them.")
    return 0


def _list(games: Sequence[Game], zone: ZoneInfo) -> None:
    if games:
        _print_table([_HEADS, *(_row(game, zone) for game in games)])
    else:
        print("There is no game that is forming or running. `gm games --all` lists those that are over, too.")


def _row(game: Game, zone: ZoneInfo) -> tuple[str, ...]:
    players = sum(seat.person is not None for seat in game.players)
    seats = max(len(game.players), len(game.powers) if game.playable else 0)
    phase = game.phase.code if game.phase is not None else "-"
    return (game.name, game.options.texts["variant"], _state(game), phase, _due(game, zone), f"{players}/{seats}")


def _state(game: Game) -> str:
    return "paused" if game.paused and game.running else game.state.value


def _due(game: Game, zone: ZoneInfo) -> str:
    return _time(game.due_at, zone) if game.due_at is not None and game.running else "-"


def _time(time: datetime, zone: ZoneInfo) -> str:
    return f"{time.astimezone(zone):%Y-%m-%d %H:%M %Z}"


def _show(game: Game, zone: ZoneInfo) -> None:
    _print_table(zip(_HEADS, _row(game, zone), strict=True))
    print()
    _print_table([("POWER", "ROLE", "NAME", "ADDRESS"), *(_seat(game, seat) for seat in game.seats)])


def _seat(game: Game, seat: Seat) -> tuple[str, ...]:
    secret = seat.role is SeatRole.PLAYER and game.playable and game.is_secret(seat)
    role = "secret player" if secret else seat.role.value
    if seat.person is not None:
        return (seat.power or "-", role, seat.person.name, seat.person.reachable)
    return (seat.power or "-", role, "a stand-in" if seat in game.standins else "nobody", "-")


def _print_table(rows: Iterable[Sequence[str]]) -> None:
    """Columns as wide as what is in them."""
    lines = [tuple(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip())
