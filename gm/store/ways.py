"""Ways in, by which mail reaches the servers, and until when each is drained, for which deadlines wait.

A way is drained until a time when all mail received by then is in the inbox. Every live server renews the rows of its
ways. A row counts for a while after its server was last heard from, because it may have mail that is not read yet; a
server that starts takes over those of one that has died. A listener of a server that is gone does not count while
another one takes mail: what one does not take, the mail server in front hands to the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

from sqlalchemy import bindparam, exists, func, or_, select
from sqlalchemy.orm import Mapped, Session, aliased, mapped_column

from gm.store.inbox import ArrivedMail
from gm.store.rows import EPOCH, Base, Leased, add_once, holder

BOUND = timedelta(minutes=75)
"""The longest time that a deadline waits. Postfix retries after up to 4,000 s, and checks its queue every 300 s."""

WAY_LEASE = timedelta(minutes=5)
"""A server that has not renewed a row for this long is assumed dead."""

GONE_AFTER = timedelta(days=1)
"""After this time the ways of a dead server do not count any more."""


_LAG = timedelta(minutes=1)
"""A listener that waits for nothing was drained less long ago: it says so each half minute."""


class WayRow(Leased, Base):
    """A way in: until when it is drained, according to the server that holds the lease."""

    __tablename__ = "way_in"

    name: Mapped[str] = mapped_column(unique=True)
    shared: Mapped[bool]
    """Whether several servers take mail from the same place: it is a mailbox."""
    drained_until: Mapped[datetime]
    heard_at: Mapped[datetime]


_NAMED = select(WayRow).where(WayRow.name == bindparam("name"))
_LAST_HEARD = select(func.max(WayRow.heard_at)).where(WayRow.unleased())
_OTHER = aliased(WayRow)
_ANOTHER_LISTENS = exists(_OTHER.id).where(
    _OTHER.shared.is_(False), _OTHER.leased_until > bindparam("now"), _OTHER.id != WayRow.id
)
_COUNTING = (
    select(WayRow)
    .where(WayRow.heard_at > bindparam("since"), or_(WayRow.shared, ~WayRow.unleased(), ~_ANOTHER_LISTENS))
    .order_by(WayRow.drained_until)
    .limit(1)
)
_LAST_DRAINED = select(func.max(WayRow.drained_until)).where(
    WayRow.shared.is_(False), WayRow.unleased(), WayRow.drained_until.between(EPOCH, bindparam("now"))
)
_OTHERS = select(func.min(WayRow.drained_until)).where(
    WayRow.shared.is_(False), WayRow.name != bindparam("name"), ~WayRow.unleased(), WayRow.drained_until > EPOCH
)


def open_way(session: Session, name: str, now: datetime, *, shared: bool) -> tuple[str, datetime | None]:
    """The name under which a server renews its way, and until when it was drained before, None if it was never open.

    Several servers may read one mailbox, which is `shared`; of other ways each server has its own, and mail may have
    waited for one since it was last open, or for one that was never open since a server was last heard of that has
    stopped; but where another server had one it waits with that one, if it does, and where others had, and all have
    stopped, for what has come since the last of them was drained.
    """
    lease = {"leased_until": now + WAY_LEASE, "leased_by": (us := holder(session))}
    for number in count(1):
        own = name if number == 1 else f"{name} #{number}"
        row = session.scalar(_NAMED, {"name": own})
        if row is None and add_once(
            session, WayRow, name=own, shared=shared, drained_until=EPOCH, heard_at=now, **lease
        ):
            before = None if shared else session.scalar(_LAST_HEARD, {"now": now})
        elif row is not None and (shared or (us and row.leased_by == us) or (row.leased_until or EPOCH) <= now):
            row.leased_by = us
            known = row.drained_until <= now  # otherwise its clock was ahead, and since when it was away is unknown
            before = (row.drained_until if known else now - GONE_AFTER) if row.drained_until > EPOCH else None
        else:
            continue
        if not shared and (others := session.scalar(_OTHERS, {"name": own, "now": now})) is not None:
            return own, others if others < now - _LAG else None
        if not shared and before is not None:
            before = max(before, session.scalar(_LAST_DRAINED, {"now": now}) or EPOCH)
        return own, before
    raise AssertionError("there is always another number")


def renew_ways(session: Session, drained: Iterable[tuple[str, datetime | None]], now: datetime) -> Sequence[str]:
    """Store until when these ways are drained; for a shared one, the latest time that any server gives, but none to
    come: a clock that was ahead has said that. Returns the names of those that another server has had since.
    """
    rows = [(session.scalars(_NAMED, {"name": name}).one(), until) for name, until in drained]
    elsewhere = [row.name for row, _ in rows if row.leased_by not in (None, holder(session))]
    for row, until in rows:
        row.drained_until = min(max(row.drained_until, until or EPOCH), now)
        row.heard_at = now
        row.lease(session, now, WAY_LEASE)
    return elsewhere


PROMPT = timedelta(minutes=5)
"""How long a mail takes from the stamp of a mail server in front to us when nothing waits."""


def counted(session: Session, mail: ArrivedMail, now: datetime) -> ArrivedMail:
    """The mail with the time at which it counts as received: the stamp of a mail server in front of us, or when we had
    its last octet.

    Such a server stamps a mail when its DATA begins, and a sender can draw that out for hours, past a deadline and the
    results. So an old stamp counts only while deadlines still wait for mail from then, because we were away and the
    server in front tries again.
    """
    stamp, arrived = mail.received_at, mail.arrived_at
    if arrived is None or arrived - stamp <= PROMPT:
        return mail
    way = least_drained(session, now)
    waited_for = way is not None and stamp > way.drained_until - PROMPT
    return mail if waited_for else replace(mail, received_at=arrived)


def least_drained(session: Session, now: datetime) -> WayRow | None:
    """The way that is least drained of those that deadlines wait for; None when there are none."""
    return session.scalar(_COUNTING, {"since": now - GONE_AFTER, "now": now})
