"""The setting of the store's tests: a time, a mail, a game in its first phase."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.games.loading import person_at
from gm.store import agenda, game_rows, outbox, people
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import GameRow, GameState, PhaseRow, SeatRole, SeatRow
from gm.store.inbox import ArrivedMail
from gm.store.outbox import OutboxRow, Pace

NOW = datetime(2026, 11, 20, 18, 0, 0, 250_000, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def arrived(number: int = 1, body: str = "A PAR-BUR", sender: str | None = "ann@example.org") -> ArrivedMail:
    """A mail with a Message-ID of its own."""
    raw = f"Message-ID: <{number}@example.org>\r\nFrom: {sender}\r\n\r\n{body}\r\n".encode()
    return ArrivedMail("smtp", raw, NOW, recipients=("gm@example.org",), envelope_from=sender)


@dataclass(frozen=True)
class Table:
    """A running game with France and Turkey; Ann holds France, Turkey is vacant."""

    game: GameRow
    france: SeatRow
    turkey: SeatRow
    phase: PhaseRow


_ANY = Pace(each=99)


def claimed(session: Session, now: datetime, most: int = 20, pace: Pace = _ANY) -> list[OutboxRow]:
    """The mails that are due, leased one after another, so many at most."""
    return list(filter(None, (outbox.claim_next(session, now, pace) for _ in range(most))))


def lay_table(session: Session, name: str = "spring") -> Table:
    """A running game in its first phase."""
    account = person_at(session, "ann@example.org")
    if account is None:
        people.create_account(session, email="Ann@Example.org", name="Ann", now=NOW)
        account = person_at(session, "ann@example.org")
    game = game_rows.create_game(session, name=name, options={}, seed="00", now=NOW)
    assert game is not None
    assert account is not None
    france, turkey = (add_seat(session, game.id, power) for power in ("France", "Turkey"))
    france.account_id, france.joined_at = account.id, NOW
    phase = open_phase(session, game, "S1901M")
    game.state = GameState.RUNNING
    session.flush()
    return Table(game, france, turkey, phase)


def add_seat(session: Session, game_id: int, power: str) -> SeatRow:
    """Another player's seat, vacant."""
    seat = session.get_one(SeatRow, game_rows.new_seat(session, game_id, SeatRole.PLAYER))
    seat.power = power
    return seat


def open_phase(session: Session, game: GameRow, code: str) -> PhaseRow:
    """Put the game into its next phase."""
    before = session.get(PhaseRow, game.current_phase_id) if game.current_phase_id is not None else None
    follows = before.number if before is not None else 0
    position: dict[str, list[str]] = {"units": []}
    phase_id, _ = game_rows.add_phase(session, game_id=game.id, code=code, position=position, follows=follows, now=NOW)
    game.current_phase_id = phase_id
    session.flush()
    return session.get_one(PhaseRow, phase_id)


def set_deadline(session: Session, table: Table, due: datetime, kind: DeadlineKind = DeadlineKind.ADJUDICATE) -> None:
    """Add a deadline to the game's first phase."""
    agenda.add_deadlines(session, table.game.id, table.phase.id, [(kind, due)])


def queued(
    session: Session, purpose: str, recipient: str = "ann@example.org", *, now: datetime = NOW, sender: str = ""
) -> OutboxRow | None:
    """Queue a mail; None when its purpose was queued before."""
    known = session.scalar(select(OutboxRow.id).where(OutboxRow.purpose == purpose))
    raw = b"Subject: x\r\n\r\n"
    outbox.queue_all(session, [outbox.Queued(purpose, recipient, sender, f"<{purpose}@gm>", raw)], now)
    found = session.scalars(select(OutboxRow).where(OutboxRow.purpose == purpose)).one()
    return found if known is None else None
