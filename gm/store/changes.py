"""Whether anything that is stored about a game has changed since somebody looked."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.store.game_rows import GameRow, SeatRow
from gm.store.people import AccountRow
from gm.store.records import LogRow, PressRow
from gm.store.rows import read

_NEWEST_PRESS = select(func.max(PressRow.id)).where(PressRow.game_id == GameRow.id).scalar_subquery()
_NEWEST_EVENT = select(func.max(LogRow.id)).where(LogRow.game_id == GameRow.id).scalar_subquery()
_GAMES = select(GameRow.id, GameRow.version, _NEWEST_PRESS.label("press"), _NEWEST_EVENT.label("event"))
_NAMES = (
    select(SeatRow.game_id, AccountRow.name)
    .join(AccountRow, AccountRow.id == SeatRow.account_id)
    .order_by(SeatRow.game_id, SeatRow.id)
)


class Stamp(NamedTuple):
    """Changes with everything that is stored about a game. Press, the log and people are not part of its version."""

    version: int
    press: int | None
    event: int | None
    names: tuple[str, ...]


def stamps(session: Session) -> dict[int, Stamp]:
    """The stamp of every game, by id."""
    seats = groupby(read(session, _NAMES, {}), lambda row: row.game_id)
    named = {game_id: tuple(row.name for row in own) for game_id, own in seats}
    games = read(session, _GAMES, {})
    return {row.id: Stamp(row.version, row.press, row.event, named.get(row.id, ())) for row in games}
