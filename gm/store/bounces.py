"""Mails of ours that came back: by address, hard or soft, until the address is heard from again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from gm.store.accounts import normal
from gm.store.tables import BounceRow

SOFT_MAKE_HARD = 5
"""So many soft bounces within a week are one hard one: a mailbox that stays full is no mailbox."""

_WEEK = timedelta(days=7)


def add(
    session: Session, *, recipient: str, outbox_id: int, hard: bool, status: str, words: str, now: datetime
) -> BounceRow | None:
    """Note a bounce; a soft one that is one too many becomes hard. None when the same mail bounced so before."""
    recipient = normal(recipient)
    before = session.scalars(select(BounceRow).where(BounceRow.outbox_id == outbox_id)).all()
    if any(one.hard or not hard for one in before):
        return None
    recent = select(func.count()).where(
        BounceRow.recipient == recipient, BounceRow.forgiven_at.is_(None), BounceRow.at > now - _WEEK
    )
    hard = hard or (session.scalar(recent) or 0) + 1 >= SOFT_MAKE_HARD
    row = BounceRow(recipient=recipient, outbox_id=outbox_id, hard=hard, status=status, words=words, at=now)
    session.add(row)
    session.flush()
    return row


def forgive(session: Session, email: str, now: datetime) -> None:
    """The address was heard from: it lives."""
    bounced = update(BounceRow).where(BounceRow.recipient == normal(email), BounceRow.forgiven_at.is_(None))
    session.execute(bounced.values(forgiven_at=now))


def dead(session: Session, emails: Collection[str]) -> dict[str, BounceRow]:
    """Those of the addresses that nothing reaches, each with its newest hard bounce."""
    hard = select(BounceRow).where(BounceRow.recipient.in_(emails), BounceRow.hard, BounceRow.forgiven_at.is_(None))
    return {row.recipient: row for row in session.scalars(hard.order_by(BounceRow.id))}


def newest(session: Session, limit: int = 20) -> Sequence[BounceRow]:
    """The newest bounces that are not forgiven."""
    return session.scalars(
        select(BounceRow).where(BounceRow.forgiven_at.is_(None)).order_by(BounceRow.id.desc()).limit(limit)
    ).all()


def counts(session: Session) -> dict[bool, int]:
    """How many bounces there were ever: hard (True) and soft (False)."""
    rows = session.execute(select(BounceRow.hard, func.count()).group_by(BounceRow.hard))
    return {True: 0, False: 0} | dict(rows.all())
