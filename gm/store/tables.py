"""The tables of the store as typed classes; the migrations build them, a test holds both to each other.

Times are aware UTC. JSON columns are replaced as a whole, never changed inside. No class has relationships: the
repositories beside this file hold the queries, so that nothing is loaded unasked outside a transaction.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, MetaData, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from gm.store.columns import CleanText, UtcDateTime, enum_column, json_column

NAMES = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}
"""Every constraint has a name, the same on both databases, so that a later migration can speak of it."""


class GameState(StrEnum):
    """Where a game is in its life."""

    FORMING = "forming"
    RUNNING = "running"
    FINISHED = "finished"
    ABORTED = "aborted"


class SeatRole(StrEnum):
    """What the holder of a seat does in the game."""

    PLAYER = "player"
    MASTER = "master"
    OBSERVER = "observer"


class DeadlineKind(StrEnum):
    """What is to be done when the time has come."""

    ADJUDICATE = "adjudicate"
    REMINDER = "reminder"
    REVIEW = "review"
    """Orders are closed to all but the seat that may alter them; then the phase is adjudicated."""
    STANDBY = "standby"
    """Somebody who was asked to take over a seat has had his time."""
    ACTION = "action"
    """A gamemaster's command waits for its time."""


class InboxState(StrEnum):
    """What became of a mail that arrived."""

    NEW = "new"
    DONE = "done"
    DUPLICATE = "duplicate"
    IGNORED = "ignored"
    ASIDE = "aside"
    HELD = "held"


class OutboxState(StrEnum):
    """What became of a mail to be sent."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


class Base(DeclarativeBase):
    """The declarative base: one type for each kind of annotation."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {  # noqa: RUF012  (SQLAlchemy's own attribute)
        str: CleanText(),
        datetime: UtcDateTime(),
        dict[str, Any]: json_column(),
        list[Any]: json_column(),
        list[str]: json_column(),
        GameState: enum_column(GameState),
        SeatRole: enum_column(SeatRole),
        DeadlineKind: enum_column(DeadlineKind),
        InboxState: enum_column(InboxState),
        OutboxState: enum_column(OutboxState),
    }

    id: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)


class Leased:
    """A row of work that one process at a time works on. After `held_until` another may take it up: the holder died."""

    held_until: Mapped[datetime | None]


class AccountRow(Base):
    """A person, and how he likes his mails: `maps` None as they come, "none" without; `remind` how long before a
    deadline he is reminded (None: as the game says); `wishes` the powers he likes to play, as he wrote them.
    """

    __tablename__ = "account"

    name: Mapped[str]
    zone: Mapped[str]
    html: Mapped[bool]
    created_at: Mapped[datetime]
    maps: Mapped[str | None]
    remind: Mapped[str | None]
    wishes: Mapped[str | None]


class AddressRow(Base):
    """A mail address of a person, lower-case. His mail goes to the one preferred last, else to the first."""

    __tablename__ = "address"

    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    email: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime]
    preferred_at: Mapped[datetime | None]


class GameRow(Base):
    """A game. `seed` is hex and secret until the end; `victory` says how it ended.

    While it is paused (`paused_at`) it has no deadline; `left` are the seconds that were left to the last one.
    `comment` is the gamemaster's line in LIST and STATUS.
    """

    __tablename__ = "game"

    name: Mapped[str] = mapped_column(unique=True)
    variant: Mapped[str]
    state: Mapped[GameState] = mapped_column(index=True)
    options: Mapped[dict[str, Any]]
    seed: Mapped[str]
    created_at: Mapped[datetime]
    current_phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id", use_alter=True))
    victory: Mapped[dict[str, Any] | None]
    paused_at: Mapped[datetime | None]
    left: Mapped[int | None]
    comment: Mapped[str | None]


class SeatRow(Base):
    """A place at the table. `account_id` None: vacant. `serial` counts the seat's tokens; only the hash is kept.

    `wish` are the powers asked for in a game that is forming, the dearest first, with commas between. `dummy_since`:
    the power is nobody's on purpose and is not offered to anybody.
    """

    __tablename__ = "seat"
    __table_args__ = (UniqueConstraint("game_id", "power"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    role: Mapped[SeatRole]
    power: Mapped[str | None]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"), index=True)
    serial: Mapped[int]
    token_hash: Mapped[str | None] = mapped_column(unique=True)
    wish: Mapped[str | None]
    wait: Mapped[bool]
    joined_at: Mapped[datetime | None]
    dummy_since: Mapped[datetime | None]


class PhaseRow(Base):
    """A phase of a game: the position it began with and, once adjudicated, its result. `number` counts from 1.

    `follows` is the number of the phase it was played from, 0 for the first; after a rollback that is not the one
    before it. None, in rows of the first release: the one before it. `closed_at`: when the orders were closed, in a
    game in which a seat may alter them before they are adjudicated; None while they are open, and in other games.
    """

    __tablename__ = "phase"
    __table_args__ = (UniqueConstraint("game_id", "number"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"))
    number: Mapped[int]
    code: Mapped[str]
    position: Mapped[dict[str, Any]]
    opened_at: Mapped[datetime]
    adjudicated_at: Mapped[datetime | None]
    result: Mapped[dict[str, Any] | None]
    follows: Mapped[int | None]
    closed_at: Mapped[datetime | None]


class OrderSetRow(Base):
    """One version of a seat's orders for a phase; never changed, the highest `number` counts."""

    __tablename__ = "order_set"
    __table_args__ = (UniqueConstraint("phase_id", "seat_id", "number"),)

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    number: Mapped[int]
    orders: Mapped[list[Any]]
    complete: Mapped[bool]
    received_at: Mapped[datetime]
    inbox_id: Mapped[int | None] = mapped_column(ForeignKey("inbox.id"))


class DeadlineRow(Base):
    """Something to be done at a time. Moving a deadline cancels the row and writes another."""

    __tablename__ = "deadline"
    __table_args__ = (Index(None, "done_at", "cancelled", "due_at"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"), index=True)
    kind: Mapped[DeadlineKind]
    due_at: Mapped[datetime]
    done_at: Mapped[datetime | None]
    cancelled: Mapped[bool] = mapped_column(default=False)


class ReportQueueRow(Leased, Base):
    """A mail that a seat is owed about a phase; done when it lies in the outbox."""

    __tablename__ = "owed_report"
    __table_args__ = (UniqueConstraint("phase_id", "seat_id", "kind"),)

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    kind: Mapped[str]
    created_at: Mapped[datetime]
    done_at: Mapped[datetime | None] = mapped_column(index=True)


class InboxRow(Leased, Base):
    """A mail as it arrived. One by Message-ID and body, and one by its place in an IMAP folder."""

    __tablename__ = "inbox"
    __table_args__ = (
        UniqueConstraint("message_id", "content_hash"),
        UniqueConstraint("imap_account", "imap_folder", "imap_uidvalidity", "imap_uid", name="uq_inbox_imap"),
        Index(None, "state", "id"),
    )

    source: Mapped[str]
    envelope_from: Mapped[str | None]
    recipients: Mapped[list[str]]
    raw: Mapped[bytes] = mapped_column(LargeBinary)
    message_id: Mapped[str]
    content_hash: Mapped[str]
    imap_account: Mapped[str | None]
    imap_folder: Mapped[str | None]
    imap_uidvalidity: Mapped[int | None] = mapped_column(BigInteger)
    imap_uid: Mapped[int | None] = mapped_column(BigInteger)
    received_at: Mapped[datetime]
    state: Mapped[InboxState]
    note: Mapped[str]
    tries: Mapped[int]
    done_at: Mapped[datetime | None]


class OutboxRow(Leased, Base):
    """A mail to be sent. `purpose` names the one occasion it answers. `envelope_from` "" is the null return path."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index(None, "state", "next_try_at"),
        Index(None, "recipient", "created_at"),
        Index(None, "envelope_from"),
        Index(None, "message_id"),
    )

    purpose: Mapped[str] = mapped_column(unique=True)
    recipient: Mapped[str]
    envelope_from: Mapped[str]
    message_id: Mapped[str]
    raw: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]
    next_try_at: Mapped[datetime]
    tries: Mapped[int]
    state: Mapped[OutboxState]
    last_error: Mapped[str]
    sent_at: Mapped[datetime | None]


class ConfirmationRow(Base):
    """A question to a person's own address: may this mail, or what it asks for, be acted on? Answered once, in time.

    `scope` says what waits for the answer, `asked` is the address it went to, `phase_id` the phase that must still be
    played when the answer comes. Only the hash of the token is kept.
    """

    __tablename__ = "confirmation"

    inbox_id: Mapped[int] = mapped_column(ForeignKey("inbox.id"), index=True)
    scope: Mapped[str]
    token_hash: Mapped[str] = mapped_column(unique=True)
    asked: Mapped[str]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seat.id"), index=True)
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"))
    detail: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    settled_at: Mapped[datetime | None]
    outcome: Mapped[str]


class BounceRow(Base):
    """A mail of ours that did not reach its recipient. `hard`: it never will, unless he is heard from again, which
    forgives it. `status` is the code of RFC 3463, or empty."""

    __tablename__ = "bounce"
    __table_args__ = (Index(None, "recipient", "forgiven_at"),)

    recipient: Mapped[str]
    outbox_id: Mapped[int] = mapped_column(ForeignKey("outbox.id"), index=True)
    hard: Mapped[bool]
    status: Mapped[str]
    words: Mapped[str]
    at: Mapped[datetime]
    forgiven_at: Mapped[datetime | None]


class PressRow(Base):
    """A message between seats of a game. `to`: powers, or "ALL" or "GM". `manner`: how it was sent, in words of
    `gm.parsing.text_blocks.MANNERS` with blanks between; empty or None for plain white press.
    """

    __tablename__ = "press"

    game_id: Mapped[int] = mapped_column(ForeignKey("game.id"), index=True)
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"), index=True)
    from_seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    to: Mapped[list[str]] = mapped_column("to_powers")
    body: Mapped[str]
    sent_at: Mapped[datetime]
    manner: Mapped[str | None]


class VoteRow(Base):
    """What a seat has voted in a phase; voting again replaces it."""

    __tablename__ = "vote"
    __table_args__ = (UniqueConstraint("phase_id", "seat_id", "kind"),)

    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id"))
    seat_id: Mapped[int] = mapped_column(ForeignKey("seat.id"))
    kind: Mapped[str]
    value: Mapped[str]
    cast_at: Mapped[datetime]


class LogRow(Base):
    """What was done, by whom, when. Rows are added and never changed; the database refuses anything else."""

    __tablename__ = "event"

    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id"), index=True)
    seat_id: Mapped[int | None] = mapped_column(ForeignKey("seat.id"))
    kind: Mapped[str]
    detail: Mapped[dict[str, Any]]
    at: Mapped[datetime]
