"""Texts that are kept: a game's press, votes, diaries and log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ForeignKey,
    String,
    UniqueConstraint,
    bindparam,
    cast,
    func,
    not_,
    null,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.orm import Mapped, Session, defer, mapped_column

from gm.store.game_rows import PhaseRow, SeatRole, SeatRow
from gm.store.inbox import ANSWERED, InboxRow
from gm.store.rows import Base, add_all_once, add_once, added, claiming, read


class PressRow(Base):
    """A message between seats of a game. `to`: powers, or "ALL" or "GM", as they were called then. `readers`: the seats
    that it went to when it was written, their ids with a blank before and after each: a name can be another's later.
    `manner`: how it was sent, in words of `gm.parsing.several_lines.MANNERS` separated by blanks, and `reason` for that
    of a gamemaster's command; empty or None for plain white press.
    """

    __tablename__ = "press"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"), index=True)
    from_seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    to: Mapped[list[str]] = mapped_column("to_powers")
    readers: Mapped[str]
    body: Mapped[str]
    sent_at: Mapped[datetime]
    manner: Mapped[str | None]

    @property
    def manners(self) -> frozenset[str]:
        """How it was sent, as a set."""
        return frozenset((self.manner or "").split())

    def went_to(self, seat_id: int) -> bool:
        """Whether it went to this seat."""
        return _one_of(seat_id) in self.readers


def _one_of(seat_id: int) -> str:
    """A seat among the `readers` of press."""
    return f" {seat_id} "


class VoteRow(Base):
    """What a person has voted at a seat in a phase; voting again replaces it. It counts while they hold the seat."""

    __tablename__ = "vote"
    __table_args__ = (UniqueConstraint("phase_id", "seat_id", "kind"),)

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    kind: Mapped[str]
    value: Mapped[str]
    cast_at: Mapped[datetime]


class DiaryRow(Base):
    """A player's note to themselves. A later holder of the seat cannot read it; everybody may read it when the game is
    over. At the seat of who runs the game it is a private note.
    """

    __tablename__ = "diary"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"), index=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"))
    body: Mapped[str]
    written_at: Mapped[datetime]


class AnnouncementRow(Base):
    """What a gamemaster has announced to everybody (`seat_id` is None), or the holder of a secret seat has revealed: a
    text, or who they are (`account_id`).
    """

    __tablename__ = "announcement"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seat.id"))
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    text: Mapped[str]
    at: Mapped[datetime]


AT = "at"
"""When it was done, in the detail of an action."""


class ActionRow(Base):
    """What was done by a command in a game after so many of its phases were adjudicated (`played`), for UNDO,
    ROLLFORWARD, and offers that it overtakes. `detail` is what they need, and `log_id` names it in the log.
    """

    __tablename__ = "action"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seat.id"))
    command: Mapped[str]
    detail: Mapped[dict[str, Any]]
    log_id: Mapped[int] = mapped_column(ForeignKey("log.id"))
    played: Mapped[int]
    undone: Mapped[bool] = mapped_column(default=False)


class LateOrdersRow(Base):
    """Orders of a seat for a phase that came after it was closed."""

    __tablename__ = "late_orders"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    lines: Mapped[list[str]]
    received_at: Mapped[datetime]
    accepted_at: Mapped[datetime | None]
    refused_at: Mapped[datetime | None]


class LogRow(Base):
    """An action, who did it, and when, for people to read: nothing is decided by it. Rows are only added; the database
    refuses changes.
    """

    __tablename__ = "log"

    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id"), index=True)
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seat.id"))
    kind: Mapped[str]
    detail: Mapped[dict[str, Any]]
    at: Mapped[datetime]


# press


def add_press(
    session: Session,
    *,
    game_id: int,
    phase_id: int | None,
    from_seat_id: int,
    to: Sequence[str],
    readers: Iterable[int],
    body: str,
    now: datetime,
    manner: str | None = None,
) -> PressRow:
    """Store a message to these powers (or "ALL", "GM"), which goes to the seats with the ids in `readers`."""
    return added(
        session,
        PressRow(
            game_id=game_id,
            phase_id=phase_id,
            from_seat_id=from_seat_id,
            to=list(to),
            readers="".join(_one_of(seat_id) for seat_id in readers),
            body=body,
            sent_at=now,
            manner=manner,
        ),
    )


def detach(session: Session, phase_id: int) -> None:
    """Let press and diaries of the phase be of none: they count as written before the game began."""
    for row in (PressRow, DiaryRow):
        session.execute(update(row).where(row.phase_id == phase_id).values(phase_id=None))


_OF_GAME = select(PressRow).where(PressRow.game_id == bindparam("game_id")).order_by(PressRow.id)
_OF_PHASE = _OF_GAME.where(PressRow.phase_id == bindparam("phase_id"))
_BEFORE = _OF_GAME.where(PressRow.phase_id.is_(None))


def press_of(session: Session, game_id: int, phase_id: int | None = None) -> Sequence[PressRow]:
    """The press of a game, or of one phase, in the order it was sent."""
    of = {"game_id": game_id, "phase_id": phase_id}
    return session.scalars(_OF_GAME if phase_id is None else _OF_PHASE, of).all()


def press_before(session: Session, game_id: int) -> Sequence[PressRow]:
    """The press of a game that was written before its first phase, in the order it was sent."""
    return session.scalars(_BEFORE, {"game_id": game_id}).all()


def length_of_postal(session: Session, seat_id: int, phase_id: int | None) -> int:
    """How many characters of press of a seat wait for the report of this phase."""
    mine = (PressRow.from_seat_id == seat_id, PressRow.phase_id == phase_id, PressRow.manner.contains("postal"))
    return session.scalar(select(func.sum(func.length(PressRow.body))).where(*mine)) or 0


_WAITS = PressRow.manner.contains("postal") & PressRow.phase_id.in_(
    select(PhaseRow.id).where(PhaseRow.adjudicated_at.is_(None))
)
"""Whether it is to come with a report that is not written yet."""
_OF_EACH = (
    select(func.max(PressRow.id))
    .where(PressRow.game_id == bindparam("game_id"))
    .group_by(PressRow.from_seat_id, cast(PressRow.to, String), PressRow.manner, _WAITS)
)
_NEWEST_ROWS = (
    select(PressRow).options(defer(PressRow.body)).where(PressRow.id.in_(_OF_EACH)).order_by(PressRow.id.desc())
)


def newest_of_each(session: Session, game_id: int) -> Sequence[PressRow]:
    """The newest press of a game from each seat to the same recipients in the same manner, and of that the newest that
    has come, newest first: how much there is between others changes nothing. What was written is not read.
    """
    return session.scalars(_NEWEST_ROWS, {"game_id": game_id}).all()


_THESE = (
    select(PressRow)
    .where(PressRow.id.in_(bindparam("ids", expanding=True)), PressRow.game_id == bindparam("game_id"))
    .order_by(PressRow.id)
)


_LAST_PRESS = (
    select(PressRow.from_seat_id, func.max(PressRow.sent_at))
    .where(PressRow.game_id == bindparam("game_id"))
    .group_by(PressRow.from_seat_id)
)
_LAST_MAIL = (
    select(InboxRow.address, func.max(InboxRow.received_at))
    .where(InboxRow.address.in_(bindparam("addresses", expanding=True)), InboxRow.state.in_(ANSWERED))
    .group_by(InboxRow.address)
)


def last_heard(session: Session, game_id: int, seats: Mapping[str, int]) -> Mapping[int, datetime]:
    """When mail to these addresses of seats was last acted on, or the seat last sent press; by the seat's id."""
    heard = {seats[address]: at for address, at in session.execute(_LAST_MAIL, {"addresses": list(seats)})}
    for seat_id, at in session.execute(_LAST_PRESS, {"game_id": game_id}):
        heard[seat_id] = max(at, heard.get(seat_id, at))
    return heard


def press_with_ids(session: Session, game_id: int, ids: Iterable[int]) -> Sequence[PressRow]:
    """Those of the messages with these ids that are of the game."""
    return session.scalars(_THESE, {"ids": list(ids), "game_id": game_id}).all()


_NEWEST_PRESS = (
    select(PressRow.from_seat_id, PressRow.to, PressRow.body)
    .where(PressRow.game_id == bindparam("game_id"), PressRow.readers.contains(bindparam("reader")))
    .where(or_(PressRow.manner.is_(None), not_(_WAITS)))
    .order_by(PressRow.id.desc())
    .limit(bindparam("most"))
)
_NEWEST_ANNOUNCED = (
    # PostgreSQL joins only columns of equal types, and a plain NULL is text to it.
    select(
        cast(null(), PressRow.from_seat_id.type).label("from_seat_id"),
        cast(null(), PressRow.to.type).label("to_powers"),
        AnnouncementRow.text.label("body"),
    )
    .where(AnnouncementRow.game_id == bindparam("game_id"), AnnouncementRow.seat_id.is_(None))
    .order_by(AnnouncementRow.id.desc())
    .limit(bindparam("most"))
)


class Words(NamedTuple):
    """Press, or an announcement, which is from no seat and for everybody."""

    from_seat_id: int | None
    to: Sequence[str] | None
    body: str


def newest_announced(session: Session, game_id: int, limit: int) -> Sequence[Words]:
    """What a game's gamemaster announced, newest first."""
    return [Words(*row) for row in read(session, _NEWEST_ANNOUNCED, {"game_id": game_id, "most": limit})]


_NEWEST_WORDS = union_all(*(select(newest.subquery()) for newest in (_NEWEST_PRESS, _NEWEST_ANNOUNCED)))


def newest_words(session: Session, game_id: int, seat_id: int, limit: int) -> Sequence[Words]:
    """The newest press of others that came to a seat, and its gamemaster's newest announcements, each newest first. How
    much press there is between others changes nothing.
    """
    of = {"game_id": game_id, "reader": _one_of(seat_id), "most": limit}
    return [Words(*row) for row in read(session, _NEWEST_WORDS, of)]


# votes


def cast_vote(
    session: Session, *, phase_id: int, seat_id: int, account_id: int, kind: str, value: str, now: datetime
) -> VoteRow:
    """The vote of this kind of who holds the seat, in this phase from now on."""
    ballot = {"account_id": account_id, "value": value, "cast_at": now}
    vote = add_once(session, VoteRow, phase_id=phase_id, seat_id=seat_id, kind=kind, **ballot)
    if vote is not None:
        return vote
    cast = select(VoteRow).where(VoteRow.phase_id == phase_id, VoteRow.seat_id == seat_id, VoteRow.kind == kind)
    vote = session.scalars(claiming(cast, wait=True)).one()
    vote.account_id, vote.value, vote.cast_at = account_id, value, now
    session.flush()
    return vote


def votes_of(session: Session, phase_id: int, kind: str) -> dict[tuple[int, int], str]:
    """The votes of a kind in a phase, by the ids of the seat and of the person who cast it there."""
    cast = select(VoteRow.seat_id, VoteRow.account_id, VoteRow.value)
    rows = session.execute(cast.where(VoteRow.phase_id == phase_id, VoteRow.kind == kind))
    return {(seat_id, account_id): value for seat_id, account_id, value in rows}


def votes_by(session: Session, phase_id: int, seat_id: int, account_id: int) -> dict[str, str]:
    """What a person has voted at a seat in a phase, by kind."""
    own = (VoteRow.phase_id == phase_id, VoteRow.seat_id == seat_id, VoteRow.account_id == account_id)
    return dict(session.execute(select(VoteRow.kind, VoteRow.value).where(*own)).all())


def change_votes(
    session: Session, phase_id: int, kind: str, seat_ids: Iterable[int], value: str, now: datetime
) -> None:
    """Set the votes of this kind that these seats have cast in a phase to this value."""
    cast = update(VoteRow).where(VoteRow.phase_id == phase_id, VoteRow.kind == kind, VoteRow.seat_id.in_(seat_ids))
    session.execute(cast.values(value=value, cast_at=now))


def copy_votes(session: Session, before: int, phase_id: int, kinds: Iterable[str], now: datetime) -> None:
    """The votes of these kinds in one phase are cast in another too."""
    cast = select(VoteRow.seat_id, VoteRow.account_id, VoteRow.kind, VoteRow.value)
    rows = session.execute(cast.where(VoteRow.phase_id == before, VoteRow.kind.in_(kinds))).mappings()
    add_all_once(session, VoteRow, [{**row, "phase_id": phase_id, "cast_at": now} for row in rows])


# diaries


def add_diary_entry(
    session: Session, *, seat_id: int, account_id: int, phase_id: int | None, body: str, now: datetime
) -> DiaryRow:
    """An entry in the diary that a person keeps at a seat."""
    return added(
        session, DiaryRow(seat_id=seat_id, account_id=account_id, phase_id=phase_id, body=body, written_at=now)
    )


def length_of_diary(session: Session, *, seat_id: int, account_id: int, phase_id: int | None) -> int:
    """How many characters a person has written into their diary at a seat in this phase."""
    mine = (DiaryRow.seat_id == seat_id, DiaryRow.account_id == account_id, DiaryRow.phase_id == phase_id)
    return session.scalar(select(func.sum(func.length(DiaryRow.body))).where(*mine)) or 0


def diary_of(session: Session, seat_id: int, account_id: int) -> Sequence[DiaryRow]:
    """What a person has written into their diary at a seat, in the order written."""
    own = select(DiaryRow).where(DiaryRow.seat_id == seat_id, DiaryRow.account_id == account_id)
    return session.scalars(own.order_by(DiaryRow.id)).all()


def diaries_of(session: Session, game_id: int) -> Sequence[DiaryRow]:
    """All diary entries of a game's players, in the order in which they were written; those of who runs it are their
    private notes.
    """
    players = (SeatRow.game_id == game_id, SeatRow.role == SeatRole.PLAYER)
    of_game = select(DiaryRow).join(SeatRow, DiaryRow.seat_id == SeatRow.id).where(*players)
    return session.scalars(of_game.order_by(DiaryRow.id)).all()


# announcements


def announce(
    session: Session,
    game_id: int,
    text: str,
    now: datetime,
    *,
    seat_id: int | None = None,
    account_id: int | None = None,
) -> None:
    """Store what a gamemaster announces (no seat), or the holder of a secret seat reveals."""
    session.add(AnnouncementRow(game_id=game_id, seat_id=seat_id, account_id=account_id, text=text, at=now))


def announcements(session: Session, game_id: int) -> Sequence[AnnouncementRow]:
    """All announcements of a game, oldest first."""
    statement = select(AnnouncementRow).where(AnnouncementRow.game_id == game_id)
    return session.scalars(statement.order_by(AnnouncementRow.id)).all()


# what can be undone


def act(session: Session, entry: LogRow) -> None:
    """Note what a command has done in a game, by its entry in the log."""
    if entry.game_id is not None:
        detail = {**entry.detail, AT: entry.at.isoformat()}
        row = {"seat_id": entry.seat_id, "command": entry.kind, "detail": detail, "log_id": entry.id}
        added(session, ActionRow(game_id=entry.game_id, played=_played(session, entry.game_id), **row))


def actions(session: Session, game_id: int) -> Sequence[ActionRow]:
    """What commands have done since the last adjudication, or since the game began or its start was taken back, the
    newest first.
    """
    of_phase = (ActionRow.game_id == game_id, ActionRow.played == _played(session, game_id))
    bounds = select(func.max(ActionRow.id)).where(*of_phase, ActionRow.command.in_(("start", "unstart")))
    since = ActionRow.id >= func.coalesce(bounds.scalar_subquery(), 0)
    return session.scalars(select(ActionRow).where(*of_phase, since).order_by(ActionRow.id.desc())).all()


def _played(session: Session, game_id: int) -> int:
    over = select(func.count()).where(PhaseRow.game_id == game_id, PhaseRow.adjudicated_at.is_not(None))
    return session.scalar(over) or 0


# late orders


def add_late(
    session: Session, game_id: int, seat_id: int, phase_id: int, lines: Sequence[str], received_at: datetime
) -> None:
    """Keep orders that came after their phase was closed, until they are accepted or refused."""
    row = {"seat_id": seat_id, "phase_id": phase_id, "lines": list(lines), "received_at": received_at}
    session.add(LateOrdersRow(game_id=game_id, accepted_at=None, refused_at=None, **row))


def late_orders(session: Session, game_id: int) -> Sequence[LateOrdersRow]:
    """The late orders of a game that were neither accepted nor refused, in the order in which they were read."""
    undecided = LateOrdersRow.accepted_at.is_(None), LateOrdersRow.refused_at.is_(None)
    waiting = select(LateOrdersRow).where(LateOrdersRow.game_id == game_id, *undecided)
    return session.scalars(waiting.order_by(LateOrdersRow.id)).all()


def late_accepted(session: Session, phase_id: int) -> Mapping[int, datetime]:
    """When the first late orders of each seat were received that were accepted for a phase, by seat id."""
    accepted = select(LateOrdersRow.seat_id, func.min(LateOrdersRow.received_at)).where(
        LateOrdersRow.phase_id == phase_id, LateOrdersRow.accepted_at.is_not(None)
    )
    return {row[0]: row[1] for row in session.execute(accepted.group_by(LateOrdersRow.seat_id))}


def pass_late_on(session: Session, phase_id: int, to: int) -> None:
    """Let late orders for a phase be for the phase `to`, in which it is adjudicated again."""
    session.execute(update(LateOrdersRow).where(LateOrdersRow.phase_id == phase_id).values(phase_id=to))


# the log


def note(
    session: Session,
    kind: str,
    now: datetime,
    *,
    game_id: int | None = None,
    seat_id: int | None = None,
    detail: Mapping[str, Any] | None = None,
) -> LogRow:
    """Add to the log what was done, and by which seat (None: the server or the operator)."""
    return added(session, LogRow(game_id=game_id, seat_id=seat_id, kind=kind, detail=dict(detail or {}), at=now))


def log_of(session: Session, game_id: int | None, limit: int | None = None) -> Sequence[LogRow]:
    """The log of a game, newest first; None for entries that belong to no game."""
    statement = select(LogRow).where(LogRow.game_id == game_id if game_id is not None else LogRow.game_id.is_(None))
    return session.scalars(statement.order_by(LogRow.id.desc()).limit(limit)).all()
