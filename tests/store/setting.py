"""What the store's tests begin with: a time, a mail, a game in its first phase."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy.orm import Session

from gm.store import game_rows, people
from gm.store.game_rows import GameRow, GameState, PhaseRow, SeatRole, SeatRow
from gm.store.inbox import ArrivedMail

NOW = datetime(2026, 11, 20, 18, 0, 0, 250_000, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def arrived(number: int = 1, body: str = "A PAR-BUR", sender: str | None = "ann@example.org") -> ArrivedMail:
    """A mail of its own Message-ID."""
    raw = f"Message-ID: <{number}@example.org>\r\nFrom: {sender}\r\n\r\n{body}\r\n".encode()
    return ArrivedMail("smtp", raw, NOW, recipients=("gm@example.org",), envelope_from=sender)


@dataclass(frozen=True)
class Table:
    """A running game of France and Turkey; Ann holds France, nobody holds Turkey."""

    game: GameRow
    france: SeatRow
    turkey: SeatRow
    phase: PhaseRow


def lay_table(session: Session, name: str = "spring") -> Table:
    """A running game in its first phase."""
    account = people.account_by_address(session, "ann@example.org") or people.create_account(
        session, email="Ann@Example.org", name="Ann", now=NOW
    )
    game = game_rows.create_game(session, name=name, options={}, seed="00", now=NOW)
    assert game is not None
    assert account is not None
    france = game_rows.add_seat(session, game.id, SeatRole.PLAYER, power="France", account_id=account.id, joined_at=NOW)
    turkey = game_rows.add_seat(session, game.id, SeatRole.PLAYER, power="Turkey")
    phase = game_rows.open_phase(session, game, code="S1901M", position={"units": []}, now=NOW)
    game.state = GameState.RUNNING
    return Table(game, france, turkey, phase)
