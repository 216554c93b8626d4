"""What is due and when: deadlines and scheduled commands of games, and reports to be written.

A deadline is processed in one transaction that has claimed its game: `claim_due_game` returns a game that no other
process is working on, and its due rows; `finish` closes each row.

A report is queued in the transaction that adjudicates. `next_reports` leases those of a phase, which are then written
together, without a lock. `settle_reports` closes them as their mails are queued.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import (
    ForeignKey,
    Index,
    UniqueConstraint,
    and_,
    bindparam,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from gm.store.game_rows import GameRow, GameState, PhaseRow, SeatRow
from gm.store.gathering import NEXT_DUE as NEXT_DIGEST
from gm.store.inbox import WAKES_AT, InboxRow, InboxState
from gm.store.people import NEXT_DESK, AddressRow
from gm.store.question_rows import QuestionRow
from gm.store.rows import EPOCH, Base, Leased, UtcDateTime, add_all_once, added, read

if TYPE_CHECKING:
    from gm.store.database import Database

REPORT_LEASE = timedelta(minutes=2)
"""How long a process may keep a lease on reports that it is writing."""

REPORTS_AT_ONCE = 32
"""The most reports of a phase that are leased together. Mail that arrives waits no longer than these take."""


class DeadlineKind(StrEnum):
    """What has to be done at the deadline."""

    ADJUDICATE = "adjudicate"
    REMINDER = "reminder"
    REVIEW = "review"
    """Only the seat that may alter orders can still change them; the phase is adjudicated afterwards."""
    STANDBY = "standby"
    """The time to answer ends for somebody who was asked to take over a seat."""
    ACTION = "action"
    """A gamemaster's scheduled command is carried out."""
    MUSTER = "muster"
    """The time to confirm ends for players who were asked whether they are there."""
    DEPUTY = "deputy"


class DeadlineRow(Base):
    """Something to do at a set time. To move a deadline, cancel its row and add another."""

    __tablename__ = "deadline"
    __table_args__ = (
        Index(None, "done_at", "cancelled", "due_at"),
        Index(None, "game_id", "done_at", "cancelled", "due_at"),
    )

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"), index=True)
    kind: Mapped[DeadlineKind]
    due_at: Mapped[datetime]
    done_at: Mapped[datetime | None]
    cancelled: Mapped[bool] = mapped_column(default=False)
    announced: Mapped[bool] = mapped_column(default=True)
    """It was a time to come when it was set; not so when a phase was closed at once."""
    unmoved_at: Mapped[datetime | None]
    """When it would be without absences; None if no absence has moved it."""


BECAUSE = " because "
"""What stands between a scheduled command and the reason for it."""


class ScheduledRow(Base):
    """A gamemaster's command to carry out at a set time. `inbox_id` is the mail that contained it."""

    __tablename__ = "scheduled"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    inbox_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))
    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    """The phase in which it was written."""
    for_next: Mapped[bool] = mapped_column(default=False)
    """It is for the phase after that one."""
    line: Mapped[str]
    """The command, with the reason for it if there is one (`BECAUSE`)."""
    due_at: Mapped[datetime]
    done_at: Mapped[datetime | None]


class ReportQueueRow(Leased, Base):
    """A report about a phase that a seat is to get; done when its mail is in the outbox."""

    __tablename__ = "report_queue"
    __table_args__ = (UniqueConstraint("phase_id", "seat_id", "kind"), Index(None, "done_at", "phase_id"))

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    kind: Mapped[str]
    created_at: Mapped[datetime]
    done_at: Mapped[datetime | None]


_OPEN = and_(DeadlineRow.done_at.is_(None), DeadlineRow.cancelled.is_(False))
_RUNNING = GameRow.state == GameState.RUNNING
_DUE = and_(_OPEN, _RUNNING, DeadlineRow.due_at <= bindparam("now"))
_ALL_DUE = (
    select(DeadlineRow)
    .join(GameRow, GameRow.id == DeadlineRow.game_id)
    .where(_DUE)
    .order_by(DeadlineRow.due_at, DeadlineRow.id)
)
_IN_THE_GAME = (
    select(AddressRow.email)
    .join(SeatRow, SeatRow.account_id == AddressRow.account_id)
    .where(SeatRow.game_id == GameRow.id)
    .correlate(GameRow)  # by itself a statement only finds the tables of the one right around it
)
_WAITING = exists(InboxRow.id).correlate(GameRow, DeadlineRow)
_WAITING = _WAITING.where(InboxRow.state.in_((InboxState.UNCHECKED, InboxState.NEW)))
_WAITING = _WAITING.where(InboxRow.received_at <= DeadlineRow.due_at, DeadlineRow.due_at > bindparam("given_up"))
_UNREAD = or_(_WAITING.where(InboxRow.game == GameRow.name), _WAITING.where(InboxRow.sender.in_(_IN_THE_GAME)))
"""A mail to a seat of the game, or from somebody in it, came in time and is not acted on yet: what is due waits."""
# By the time alone: with the id, too, SQLite would look at all that is due before the first is returned.
_DUE_GAME = (
    select(GameRow.id)
    .join(DeadlineRow, DeadlineRow.game_id == GameRow.id)
    .where(_DUE, ~_UNREAD, GameRow.id.not_in(bindparam("passed", expanding=True)))
    .order_by(DeadlineRow.due_at)
    .limit(1)
    .with_for_update(of=GameRow, skip_locked=True, key_share=True)
)
_OWED = select(ReportQueueRow).where(ReportQueueRow.done_at.is_(None))
_UNLEASED = (
    _OWED.where(ReportQueueRow.free_at() == literal(EPOCH, UtcDateTime())).order_by(ReportQueueRow.phase_id).limit(1)
)
# Each of these finds its row at the beginning of an index; with a join SQLite would begin with the games.
_NEXT_DUE = (
    select(DeadlineRow.due_at)
    .where(_OPEN, select(GameRow.id).where(GameRow.id == DeadlineRow.game_id, _RUNNING).exists())
    .order_by(DeadlineRow.due_at)
    .limit(1)
)
_NEXT_OWED = select(
    func.coalesce(
        _UNLEASED.with_only_columns(ReportQueueRow.created_at).scalar_subquery(),
        _OWED.with_only_columns(func.min(ReportQueueRow.leased_until)).scalar_subquery(),
    )
)
_NEXT_EXPIRY = select(func.min(QuestionRow.expires_at)).where(QuestionRow.settled_at.is_(None))
_WORK = select(
    WAKES_AT, *(each.scalar_subquery() for each in (_NEXT_DUE, _NEXT_OWED, _NEXT_EXPIRY, NEXT_DIGEST, NEXT_DESK))
)


class Work(NamedTuple):
    """When the next work is to be done: in the past if it waits, None if there is none. A `mail` to be processed, a
    game's `deadline`, a `report` to be written, a question's `expiry`, a `digest`, a gamemaster's
    `desk`."""

    mail: datetime | None
    deadline: datetime | None
    report: datetime | None
    expiry: datetime | None
    digest: datetime | None
    desk: datetime | None


def next_work(session: Session) -> Work:
    """The next work of each kind; what is leased when the lease ends."""
    return Work._make(read(session, _WORK, {}).one())


# deadlines


_ADD_DEADLINE = insert(DeadlineRow)


def add_deadlines(
    session: Session,
    game_id: int,
    phase_id: int,
    moments: Iterable[tuple[DeadlineKind, datetime]],
    now: datetime | None = None,
    unmoved: datetime | None = None,
) -> None:
    """Add deadlines of these kinds at these times; what is due `now` already was not announced. `unmoved`: when
    they would be without absences.
    """
    of = {"game_id": game_id, "phase_id": phase_id, "cancelled": False, "unmoved_at": unmoved}
    rows = [{**of, "kind": kind, "due_at": due, "announced": now is None or due > now} for kind, due in moments]
    if rows:
        session.connection().execute(_ADD_DEADLINE, rows)


_CANCEL = (
    update(DeadlineRow)
    .where(
        DeadlineRow.phase_id == bindparam("of_phase"), DeadlineRow.kind.in_(bindparam("kinds", expanding=True)), _OPEN
    )
    .values(cancelled=True)
)


def cancel(session: Session, phase_id: int, kinds: Iterable[DeadlineKind]) -> None:
    """Cancel the deadlines of these kinds that are not done yet; their rows stay."""
    session.connection().execute(_CANCEL, {"of_phase": phase_id, "kinds": list(kinds)})


_ANNOUNCED = (
    select(DeadlineRow.due_at)
    .where(
        DeadlineRow.phase_id == bindparam("phase_id"),
        DeadlineRow.kind == DeadlineKind.ADJUDICATE,
        DeadlineRow.announced.is_(True),
    )
    .order_by(DeadlineRow.id.desc())
    .limit(1)
)


def announced(session: Session, phase_id: int) -> datetime | None:
    """The deadline of a phase as everybody was told it last, whenever the phase was closed."""
    return session.scalar(_ANNOUNCED, {"phase_id": phase_id})


_PASSED = _ANNOUNCED.where(DeadlineRow.done_at.is_not(None)).order_by(None).order_by(DeadlineRow.id)


def announced_first(session: Session, phase_id: int) -> datetime | None:
    """The deadline of a phase for which everybody was to order, as it was told last: before any time of grace."""
    return session.scalar(_PASSED, {"phase_id": phase_id}) or announced(session, phase_id)


_LAST = (
    select(DeadlineRow.due_at, DeadlineRow.unmoved_at)
    .where(DeadlineRow.phase_id == bindparam("phase_id"), DeadlineRow.kind == DeadlineKind.ADJUDICATE)
    .order_by(DeadlineRow.id.desc())
    .limit(1)
)


def delay(session: Session, phase_id: int) -> timedelta:
    """By how much absences have delayed the last deadline of a phase, also one that was cancelled."""
    due, unmoved = next(iter(session.execute(_LAST, {"phase_id": phase_id})), (None, None))
    return due - unmoved if due is not None and unmoved is not None else timedelta(0)


def open_deadlines(session: Session, game_id: int) -> Sequence[DeadlineRow]:
    """The open deadlines of a game, soonest first."""
    statement = select(DeadlineRow).where(DeadlineRow.game_id == game_id, _OPEN)
    return session.scalars(statement.order_by(DeadlineRow.due_at, DeadlineRow.id)).all()


# extensions and roll calls


class ExtensionRow(Base):
    """A player (the account) at a seat has used an extension."""

    __tablename__ = "extension"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"), index=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))


class RollCallRow(Base):
    """The players of a phase are asked whether they are there, the last time at `called_at`; `answers` are the ids of
    the seats that have answered.
    """

    __tablename__ = "roll_call"

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"), unique=True)
    called_at: Mapped[datetime]
    answers: Mapped[list[Any]]


def use_extension(session: Session, seat_id: int, account_id: int) -> None:
    """Note that a seat's player uses an extension."""
    session.add(ExtensionRow(seat_id=seat_id, account_id=account_id))


def extensions_used(session: Session, seat_id: int, account_id: int) -> int:
    """How many extensions this player has used at this seat."""
    mine = ExtensionRow.seat_id == seat_id, ExtensionRow.account_id == account_id
    return session.scalar(select(func.count(ExtensionRow.id)).where(*mine)) or 0


def roll_call(session: Session, phase_id: int) -> RollCallRow | None:
    """The roll call of a phase, if there is one."""
    return session.scalar(select(RollCallRow).where(RollCallRow.phase_id == phase_id))


def call_roll(session: Session, phase_id: int, now: datetime) -> None:
    """Call the roll, or call it again: who has answered need not answer again."""
    if (row := roll_call(session, phase_id)) is not None:
        row.called_at = now
    else:
        added(session, RollCallRow(phase_id=phase_id, called_at=now, answers=[]))


def answer_roll(session: Session, phase_id: int, seat_id: int) -> None:
    """Note that this seat's player is there."""
    if (row := roll_call(session, phase_id)) is not None:
        row.answers = [*row.answers, seat_id]


def cancel_roll_call(session: Session, phase_id: int) -> bool:
    """End the roll call of a phase. Returns whether there was one."""
    row = roll_call(session, phase_id)
    if row is not None:
        session.delete(row)
        session.flush()
    return row is not None


# deadlines that are due


def deadlines_due(session: Session, now: datetime, game_id: int | None = None) -> Sequence[DeadlineRow]:
    """The due deadlines of all running games, or of one game; longest overdue first. They are not locked."""
    statement = _ALL_DUE if game_id is None else _ALL_DUE.where(DeadlineRow.game_id == game_id)
    return session.scalars(statement, {"now": now}).all()


_DUE_OF_GAME = _ALL_DUE.where(DeadlineRow.game_id == bindparam("game_id"), ~_UNREAD)


def claim_due_game(
    session: Session, now: datetime, given_up: datetime | None = None
) -> tuple[int, Sequence[DeadlineRow]] | None:
    """Claim a game that has something due, for this transaction. Returns its id and its due deadlines; None when
    nothing is due, or other processes have claimed it all.

    What is due waits for mail that came before, but not when it was due by the time that is `given_up`. The deadlines
    are read after the lock is acquired, so that what another process has just done is not done twice.
    """
    passed: list[int] = []
    times = {"now": now, "given_up": given_up or datetime.min.replace(tzinfo=UTC)}
    while (game_id := session.scalar(_DUE_GAME, {**times, "passed": passed})) is not None:
        deadlines = session.scalars(_DUE_OF_GAME, {**times, "game_id": game_id}).all()
        if deadlines:
            return game_id, deadlines
        passed.append(game_id)
    return None


_FINISH = update(DeadlineRow).where(DeadlineRow.id == bindparam("key")).values(done_at=bindparam("now"))
_CANCEL_ONE = update(DeadlineRow).where(DeadlineRow.id == bindparam("key")).values(cancelled=True)


def finish(session: Session, deadline_id: int, now: datetime) -> None:
    """Mark the deadline as done in this transaction."""
    session.connection().execute(_FINISH, {"key": deadline_id, "now": now})


def cancel_deadline(session: Session, deadline_id: int) -> None:
    """Mark the deadline as cancelled."""
    session.connection().execute(_CANCEL_ONE, {"key": deadline_id})


# scheduled commands


def schedule(
    session: Session,
    *,
    game_id: int,
    seat_id: int,
    inbox_id: int | None,
    phase_id: int,
    line: str,
    due_at: datetime,
    for_next: bool,
) -> ScheduledRow:
    """Store a command to be carried out at `due_at`, with the deadline at which that is looked at; `for_next`: when the
    phase after the present one begins.
    """
    of = {"game_id": game_id, "seat_id": seat_id, "inbox_id": inbox_id, "phase_id": phase_id}
    if not for_next:
        add_deadlines(session, game_id, phase_id, [(DeadlineKind.ACTION, due_at)])
    return added(session, ScheduledRow(**of, line=line, due_at=due_at, for_next=for_next))


def scheduled(session: Session, game_id: int) -> Sequence[ScheduledRow]:
    """The commands of a game that are still to be carried out, soonest first."""
    statement = select(ScheduledRow).where(ScheduledRow.game_id == game_id, ScheduledRow.done_at.is_(None))
    return session.scalars(statement.order_by(ScheduledRow.due_at, ScheduledRow.id)).all()


def written_in(session: Session, row: ScheduledRow) -> str:
    """The code of the phase in which a command was scheduled."""
    return session.get_one(PhaseRow, row.phase_id).code


def carried_out(session: Session, game_id: int, code: str) -> Sequence[ScheduledRow]:
    """The commands that were scheduled for the phase after the one of this name, and done as that began, in the order
    in which they were written; not those that were cancelled.
    """
    begun = aliased(PhaseRow)
    began = select(begun.id).where(begun.game_id == game_id, begun.opened_at == ScheduledRow.done_at).exists()
    of_phase = PhaseRow.code == code, ScheduledRow.game_id == game_id, ScheduledRow.for_next.is_(True)
    statement = select(ScheduledRow).join(PhaseRow, PhaseRow.id == ScheduledRow.phase_id).where(*of_phase, began)
    return session.scalars(statement.order_by(ScheduledRow.id)).all()


def drop(session: Session, game_id: int, line: str, now: datetime) -> None:
    """Cancel the scheduled commands of a game that are this line, for whatever reason: it has been done already."""
    same = or_(ScheduledRow.line == line, ScheduledRow.line.startswith(f"{line}{BECAUSE}", autoescape=True))
    of_line = ScheduledRow.game_id == game_id, same, ScheduledRow.done_at.is_(None)
    session.execute(update(ScheduledRow).where(*of_line).values(done_at=now))


def cancelled(session: Session, keys: Sequence[int]) -> Sequence[ScheduledRow]:
    """The scheduled commands with these ids, soonest first."""
    statement = select(ScheduledRow).where(ScheduledRow.id.in_(keys))
    return session.scalars(statement.order_by(ScheduledRow.due_at, ScheduledRow.id)).all()


# reports


# The phase is claimed, so that another process takes another phase and nothing is rendered twice.
_PHASE_OWED = (
    select(PhaseRow.id)
    .join(ReportQueueRow, ReportQueueRow.phase_id == PhaseRow.id)
    .where(ReportQueueRow.done_at.is_(None), ReportQueueRow.unleased())
    .order_by(ReportQueueRow.phase_id)
    .limit(1)
    .with_for_update(of=PhaseRow, skip_locked=True, key_share=True)
)
_NEXT_REPORTS = (
    _OWED.where(ReportQueueRow.unleased(), ReportQueueRow.phase_id == bindparam("phase"))
    .order_by(ReportQueueRow.id)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True, key_share=True)
    .execution_options(populate_existing=True)
)
_OF_THESE = update(ReportQueueRow).where(
    ReportQueueRow.id.in_(bindparam("reports", expanding=True)), ReportQueueRow.done_at.is_(None)
)
_SETTLE = _OF_THESE.values(done_at=bindparam("now"), leased_until=None).returning(ReportQueueRow.id)
_PUT_OFF = _OF_THESE.values(leased_until=bindparam("until"))


def owe_reports(session: Session, phase_id: int, seat_ids: Iterable[int], kind: str, now: datetime) -> None:
    """Queue a report of this kind about the phase for each of these seats, unless it is queued already."""
    rows = [{"phase_id": phase_id, "seat_id": seat_id, "kind": kind, "created_at": now} for seat_id in seat_ids]
    add_all_once(session, ReportQueueRow, rows)


def is_owed(session: Session, phase_id: int, kind: str) -> bool:
    """Whether a report of this kind about the phase is still to be written, for any seat."""
    row = ReportQueueRow
    open_ = select(row.id).where(row.phase_id == phase_id, row.kind == kind, row.done_at.is_(None))
    return session.scalar(open_.limit(1)) is not None


def seats_owed(session: Session, phase_id: int, kind: str, since: datetime) -> frozenset[int]:
    """The seats for which a report about the phase whose kind begins so was queued after this time."""
    row = ReportQueueRow
    lately = select(row.seat_id).where(row.phase_id == phase_id, row.kind.startswith(kind), row.created_at > since)
    return frozenset(session.scalars(lately))


def next_reports(session: Session, now: datetime, most: int = REPORTS_AT_ONCE) -> Sequence[ReportQueueRow]:
    """Lease reports that no process is writing: those of the oldest phase, `most` at most. Commit before
    you write them.
    """
    while (phase_id := session.scalar(_PHASE_OWED, {"now": now})) is not None:
        reports = session.scalars(_NEXT_REPORTS, {"now": now, "phase": phase_id, "most": most}).all()
        for report in reports:
            report.lease(session, now, REPORT_LEASE)
        session.flush()
        if reports:  # otherwise another process has leased them since the phase was found, so look for another phase
            return reports
    return ()


def settle_reports(session: Session, report_ids: Iterable[int], now: datetime) -> frozenset[int]:
    """Close these reports in the transaction that queues their mails. Returns the ids of those that were still open:
    queue mails for these only.
    """
    return frozenset(session.connection().execute(_SETTLE, {"reports": list(report_ids), "now": now}).scalars())


def put_off_reports(session: Session, report_ids: Iterable[int], now: datetime, pause: timedelta) -> None:
    """Leave these reports open, to be tried again after `pause`."""
    session.connection().execute(_PUT_OFF, {"reports": list(report_ids), "until": now + pause})


_STATES = select(GameRow.state, func.count()).group_by(GameRow.state).order_by(GameRow.state)


def games_by_state(session: Session) -> dict[str, int]:
    """How many games are in each state, those with none included."""
    counted = {GameState(state): many for state, many in session.execute(_STATES)}
    return {state.value: counted.get(state, 0) for state in GameState}


SOONEST = timedelta(seconds=1)
"""When to check again for due work that another process has leased."""


@dataclass
class Outlook:
    """When the next work of each kind is due; a step before those that ask, so that each round reads it once, or not
    at all after a mail that was handed over, if it left no work and somebody looked just before.
    """

    database: Database
    _work: Work | None = None
    _changes: int = 0
    _looked: datetime = EPOCH
    _now: datetime = EPOCH
    _stays: bool = False
    _is_known: bool = False

    def step(self, now: datetime) -> datetime | None:
        lately = self._looked <= now < self._looked + SOONEST and self._changes == self.database.changes
        self._is_known, self._stays, self._now = lately and self._stays, False, now
        return None

    def stays(self) -> None:
        """Since the last look nothing was done but what leaves no work, or is counted as a change."""
        self._stays = True

    @property
    def work(self) -> Work:
        """The next work of each kind."""
        if self._work is None or not self._is_known:
            self._is_known, self._looked, self._changes = True, self._now, self.database.changes
            with self.database.reading() as session:
                self._work = next_work(session)
        return self._work
