"""The ways in by which mail reaches the servers, and until when each of them is drained: all mail received by then is
in the inbox.

Every live server renews the rows of its own ways. A row counts for a while after its server was last heard from,
because it may have mail that nobody has read; a server that starts takes over the rows of one that has died.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import count

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.rows import Base, Leased, add_once

LEASE = timedelta(minutes=5)
"""A server that has not renewed a row for this long is assumed dead."""

GONE_AFTER = timedelta(days=1)
"""After this time the ways of a dead server do not count any more."""

NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class WayRow(Leased, Base):
    """A way in: until when it is drained, according to the server that holds the lease."""

    __tablename__ = "way_in"

    name: Mapped[str] = mapped_column(unique=True)
    drained_until: Mapped[datetime]
    heard_at: Mapped[datetime]


_NAMED = select(WayRow).where(WayRow.name == bindparam("name"))
_LAST_HEARD = select(func.max(WayRow.heard_at)).where(WayRow.unleased())
_COUNTING = select(WayRow).where(WayRow.heard_at > bindparam("since")).order_by(WayRow.drained_until)


def open_way(session: Session, name: str, now: datetime, *, shared: bool) -> tuple[str, datetime | None]:
    """The name under which a server renews its way, and until when it was drained before, None if it was never open.

    Several servers may read one mailbox, which is `shared`; of other ways each server has its own, and one that was
    never open counts as drained until a server was last heard of that has stopped: mail may have waited for it since.
    """
    for number in count(1):
        own = name if number == 1 else f"{name} #{number}"
        row = session.scalar(_NAMED, {"name": own})
        if row is None and add_once(
            session, WayRow, name=own, drained_until=NEVER, heard_at=now, leased_until=now + LEASE
        ):
            return own, None if shared else session.scalar(_LAST_HEARD, {"now": now})
        if row is not None and (shared or row.leased_until is None or row.leased_until <= now):
            return own, row.drained_until if row.drained_until > NEVER else None
    raise AssertionError("there is always another number")


def renew(session: Session, drained: Iterable[tuple[str, datetime | None]], now: datetime) -> None:
    """Store until when these ways are drained; for a shared one, the latest time that any server gives."""
    for name, until in drained:
        row = session.scalars(_NAMED, {"name": name}).one()
        row.drained_until = max(row.drained_until, until or NEVER)
        row.heard_at = now
        row.lease(now, LEASE)
    session.flush()


def least_drained(session: Session, now: datetime) -> WayRow | None:
    """The way that is least drained; None when there are none."""
    return session.scalar(_COUNTING.limit(1), {"since": now - GONE_AFTER})
