"""Votes: draws and concessions as secret ballots, more time by motion. Who has voted what is told to nobody.

A seat's vote of a kind is a word: `no`, or what it votes for. Only those count who hold a seat and still have a unit or
a centre.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from gm.board import Power
from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.store import records

DRAW, CONCEDE = "draw", "concede"
STANDING = (DRAW, CONCEDE)
"""The ballots that go on into the next phase, in games that have it so."""
NO = "no"
ALL = "all survivors"
SPENT = "decided"
"""A vote on a motion that has passed counts no more."""

Votes = Mapping[Power, str]


def cast(tx: Transaction, game: Game, seat: Seat, kind: str, value: str) -> None:
    """The seat's vote of this kind from now on. A game must be under way."""
    if game.phase is not None:
        records.cast_vote(tx.session, phase_id=game.phase.id, seat_id=seat.id, kind=kind, value=value, now=tx.now)


def votes(tx: Transaction, game: Game, kind: str) -> Votes:
    """The votes of a kind that count, by power; who has not voted is left out."""
    if game.phase is None:
        return {}
    cast_by = records.votes_of(tx.session, game.phase.id, kind)
    return {seat.power: cast_by[seat.id] for seat in game.voters if seat.power is not None and seat.id in cast_by}


def agreed_draw(tx: Transaction, game: Game) -> tuple[Power, ...]:
    """Who shares the draw that every voter agrees to; empty when there is none."""
    given = votes(tx, game, DRAW)
    wanted = set(given.values())
    if len(given) < len(game.voters) or len(wanted) != 1 or NO in wanted:
        return ()
    (value,) = wanted
    return survivors(game) if value == ALL else tuple(Power(name) for name in value.split(", "))


def survivors(game: Game) -> tuple[Power, ...]:
    """The powers that are still in the game."""
    return tuple(seat.power for seat in game.players if seat.power is not None and game.survives(seat))


def agreed_concession(tx: Transaction, game: Game) -> Power | None:
    """The power to which every other voter concedes the game."""
    given = {power: value for power, value in votes(tx, game, CONCEDE).items() if value != NO}
    for winner in dict.fromkeys(given.values()):
        others = [seat.power for seat in game.voters if seat.power is not None and seat.power != winner]
        if others and all(given.get(power) == winner for power in others):
            return Power(winner)
    return None


# motions


def needed(game: Game) -> int:
    """How many must agree to a motion."""
    voters = len(game.voters)
    return voters if game.options.motions == "all" else voters // 2 + 1


def proposal(given: Votes) -> str | None:
    """What most of those who want more time ask for."""
    wanted = Counter(value for value in given.values() if value not in (NO, SPENT))
    return wanted.most_common(1)[0][0] if wanted else None


def carried(game: Game, given: Votes) -> str | None:
    """The motion that enough agree to; None when there is none."""
    value = proposal(given)
    if value is None or sum(vote == value for vote in given.values()) < needed(game):
        return None
    return value


def spend(tx: Transaction, game: Game, kind: str) -> None:
    """The motion is decided: its votes count no more."""
    if game.phase is not None:
        records.change_votes(tx.session, game.phase.id, kind, [seat.id for seat in game.voters], SPENT, tx.now)


def carry(tx: Transaction, game: Game, before: int) -> None:
    """Standing votes of the phase before go on into the present one."""
    if game.phase is not None:
        records.copy_votes(tx.session, before, game.phase.id, STANDING, tx.now)
