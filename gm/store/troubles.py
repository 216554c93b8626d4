"""Episodes of trouble of which the operator was told, so that each is told once, and its end as well."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Index, func, select
from sqlalchemy.orm import Mapped, Session

from gm.store.rows import Base, added


class EpisodeRow(Base):
    """A `trouble` with something (`about`: a domain, a mailbox; "" for all) that began at `since` and was told. It
    lasts until its end was told, too.
    """

    __tablename__ = "episode"
    __table_args__ = (Index(None, "trouble", "about"),)

    trouble: Mapped[str]
    about: Mapped[str]
    since: Mapped[datetime]
    told_at: Mapped[datetime]
    over_at: Mapped[datetime | None]


def begin(session: Session, trouble: str, about: str, since: datetime, now: datetime) -> EpisodeRow:
    """Note that an episode is told now."""
    return added(session, EpisodeRow(trouble=trouble, about=about, since=since, told_at=now, over_at=None))


def last(session: Session, trouble: str, about: str) -> EpisodeRow | None:
    """The episode that was told last."""
    mine = select(EpisodeRow).where(EpisodeRow.trouble == trouble, EpisodeRow.about == about)
    return session.scalar(mine.order_by(EpisodeRow.id.desc()).limit(1))


def lasting(session: Session, trouble: str) -> Sequence[EpisodeRow]:
    """For everything that has this trouble the episode that was told last, where that lasts."""
    newest = select(func.max(EpisodeRow.id)).where(EpisodeRow.trouble == trouble).group_by(EpisodeRow.about)
    mine = select(EpisodeRow).where(EpisodeRow.id.in_(newest), EpisodeRow.over_at.is_(None))
    return session.scalars(mine.order_by(EpisodeRow.id)).all()


def told_since(session: Session, trouble: str, about: str, since: datetime) -> int:
    """How many episodes were told after this time."""
    mine = EpisodeRow.trouble == trouble, EpisodeRow.about == about, EpisodeRow.told_at > since
    return session.scalar(select(func.count()).where(*mine)) or 0
