"""Games and people made by hand, for tests of snapshots."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from gm.board import Power
from gm.games.snapshot import Deadline, Game, Person, PhasePlayed, Seat
from gm.options import GameOptions, read_options
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import GameState, SeatRole

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
SEED = "5e" * 32


def person(number: int, name: str = "") -> Person:
    """Somebody with one address."""
    return Person(number, name or f"Player {number}", addresses=(f"p{number}@players.example",))


def options(**given: str) -> GameOptions:
    """These options of a game, and the defaults of all others."""
    return read_options(given)


def forming(variant: str = "standard", **given: str) -> Game:
    """A game without seats."""
    return Game(1, "spring", GameState.FORMING, 1, options(variant=variant, **given), SEED)


def running(variant: str = "standard", **given: str) -> Game:
    """A game in its first phase; each power has a player, and the last seat is the gamemaster's."""
    game = forming(variant, **given)
    powers = game.variant.seating.powers
    seats = [Seat(n, SeatRole.PLAYER, power, person(n), joined_at=NOW) for n, power in enumerate(powers, 1)]
    seats.append(Seat(len(powers) + 1, SeatRole.MASTER, person=person(99, "Master"), joined_at=NOW))
    game = replace(game, state=GameState.RUNNING, seats=tuple(seats))
    phase = PhasePlayed(1, 1, game.variant.opening(game.powers, game.chance), NOW, game.variant)
    return replace(game, phase=phase, deadline=Deadline(NOW, DeadlineKind.ADJUDICATE))


def changed(game: Game, power: str, **values: Any) -> Game:
    """The game with these values of a power's seat."""
    seat = game.seat_of(Power(power))
    assert seat is not None
    return replace(game, seats=tuple(replace(one, **values) if one.id == seat.id else one for one in game.seats))
