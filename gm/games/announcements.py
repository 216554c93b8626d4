"""What everybody in a game was told beside reports and press, and what is therefore public: the gamemaster's
announcements (OFFICIAL), and what a player has revealed (REVEAL).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from gm.board import Power
from gm.games import loading
from gm.games.report_inputs import phases_leading_to
from gm.games.snapshot import Game
from gm.mail.message.addresses import without_addresses
from gm.store import records
from gm.store.game_rows import PhaseRow
from gm.store.records import LogRow

GAMEMASTER = "GM"


class Announcement(NamedTuple):
    """A text for everybody, without mail addresses. `by` is a power or the `GAMEMASTER`; `phase` is the one that was
    played then, None before the first.
    """

    kind: str
    by: str
    text: str
    at: datetime
    phase: PhaseRow | None


def announcements(session: Session, game: Game) -> tuple[Announcement, ...]:
    """All announcements of a game, oldest first."""
    rows = records.log_of_kind(session, "official", "reveal", game_id=game.id)
    line = phases_leading_to(session, game) if rows else ()
    return tuple(
        Announcement(row.kind, _by(game, row), without_addresses(text), row.at, _phase_at(line, row.at))
        for row in rows
        if (text := _text(session, row))
    )


def who_plays(power: Power | None, name: str) -> str:
    """What everybody is told of a secret seat whose holder reveals themself."""
    seat = str(power)
    return f"{seat[:1].upper()}{seat[1:]} is revealed: {name} plays it."


def _by(game: Game, row: LogRow) -> str:
    power = game.seat(row.seat_id).power if row.seat_id is not None and row.kind == "reveal" else None
    return str(power) if power is not None else GAMEMASTER


def _text(session: Session, row: LogRow) -> str:
    """The text; "" for the names of all players, which the game shows since they were revealed."""
    if "account" in row.detail:
        account = int(row.detail["account"])
        return who_plays(Power(row.detail["power"]), loading.people(session, [account])[account].name)
    return str(row.detail.get("text") or row.detail.get("words") or "")


def _phase_at(line: Sequence[PhaseRow], moment: datetime) -> PhaseRow | None:
    return next((phase for phase in reversed(line) if phase.opened_at <= moment), None)
