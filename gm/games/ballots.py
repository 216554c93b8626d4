"""Votes: draws and concessions as secret ballots, more time by motion. Who has voted what, nobody is told.

A seat's vote of a kind is a word: `no`, or what it votes for. Only those count who hold a seat and still have a unit or
a centre.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from gm.board import Power
from gm.games.snapshot import Table
from gm.store import records
from gm.store.game_rows import SeatRow

DRAW, CONCEDE = "draw", "concede"
NO = "no"
ALL = "all survivors"
SPENT = "decided"
"""A vote on a motion that has passed counts no more."""


def cast(table: Table, seat: SeatRow, kind: str, value: str, now: datetime) -> None:
    """The seat's vote of this kind from now on. A game must be under way."""
    if table.phase is not None:
        records.cast_vote(table.session, phase_id=table.phase.id, seat_id=seat.id, kind=kind, value=value, now=now)


def votes(table: Table, kind: str) -> dict[Power, str]:
    """The votes of a kind that count, by power; who has not voted is left out."""
    if table.phase is None:
        return {}
    cast_by = records.votes_of(table.session, table.phase.id, kind)
    return {Power(seat.power or ""): cast_by[seat.id] for seat in table.voters if seat.id in cast_by}


def agreed_draw(table: Table) -> tuple[Power, ...]:
    """Who shares the draw that every voter agrees to; empty when there is none."""
    given = votes(table, DRAW)
    wanted = set(given.values())
    if len(given) < len(table.voters) or len(wanted) != 1 or NO in wanted:
        return ()
    (value,) = wanted
    if value == ALL:
        return tuple(Power(seat.power or "") for seat in table.players if table.survives(seat))
    return tuple(Power(name) for name in value.split(", "))


def agreed_concession(table: Table) -> Power | None:
    """To whom every voter but himself concedes the game."""
    given = {power: value for power, value in votes(table, CONCEDE).items() if value != NO}
    for winner in dict.fromkeys(given.values()):
        others = [seat.power for seat in table.voters if seat.power != winner]
        if others and all(given.get(Power(power or "")) == winner for power in others):
            return Power(winner)
    return None


def needed(table: Table) -> int:
    """How many must agree to a motion."""
    voters = len(table.voters)
    return voters if table.options.motions == "all" else voters // 2 + 1


def proposal(table: Table, kind: str) -> str | None:
    """What most of those who want more time ask for."""
    wanted = Counter(value for value in votes(table, kind).values() if value not in (NO, SPENT))
    return wanted.most_common(1)[0][0] if wanted else None


def carried(table: Table, kind: str) -> str | None:
    """The motion that enough agree to; None when there is none."""
    value = proposal(table, kind)
    if value is None or sum(vote == value for vote in votes(table, kind).values()) < needed(table):
        return None
    return value


def spend(table: Table, kind: str, now: datetime) -> None:
    """The motion is decided: its votes count no more."""
    for seat in table.players:
        if seat.power in votes(table, kind):
            cast(table, seat, kind, SPENT, now)
