"""Mail of ours that was not delivered: the bounces, by address, until mail arrives from the address; and whether all
mail is refused, everywhere or by one domain.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import ForeignKey, Index, bindparam, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.mail.message.bounce_report import Bounce
from gm.store.outbox import OutboxRow, OutboxState, Trouble
from gm.store.people import normal
from gm.store.rows import Base, added

SOFT_MAKE_HARD = 5
"""This many soft bounces within a week count as a hard one: a mailbox that stays full cannot be reached."""

_WEEK = timedelta(days=7)


class BounceRow(Base):
    """A mail of ours that did not reach its recipient. `hard`: permanent, until mail arrives from the address, which
    forgives it. `reason` is a word or two, `status` the code of RFC 3463, or empty.
    """

    __tablename__ = "bounce"
    __table_args__ = (Index(None, "recipient", "forgiven_at"),)

    recipient: Mapped[str]
    outbox_id: Mapped[int] = mapped_column(ForeignKey("outbox.id"), index=True)
    hard: Mapped[bool]
    reason: Mapped[str]
    status: Mapped[str]
    words: Mapped[str]
    at: Mapped[datetime]
    forgiven_at: Mapped[datetime | None]


_RECENT = select(func.count()).where(
    BounceRow.recipient == bindparam("recipient"),
    BounceRow.forgiven_at.is_(None),
    BounceRow.at > bindparam("since"),
    BounceRow.reason.not_in(bindparam("uncounted", expanding=True)),
)


def add_bounce(
    session: Session,
    mail: tuple[int, str],
    found: Bounce,
    now: datetime,
    *,
    hard: bool,
    uncounted: Collection[str] = (),
) -> BounceRow | None:
    """Record that a mail (its id in the outbox, and its recipient) bounced; None when it has bounced in the same way
    before.

    The last of too many soft bounces is recorded as hard; those whose reasons are `uncounted` do not count.
    """
    outbox_id, recipient = mail[0], normal(mail[1])
    before = session.scalars(select(BounceRow).where(BounceRow.outbox_id == outbox_id)).all()
    if any(one.hard or not hard for one in before):
        return None
    if not hard and found.reason not in uncounted:
        key = {"recipient": recipient, "since": now - _WEEK, "uncounted": list(uncounted)}
        hard = (session.scalar(_RECENT, key) or 0) + 1 >= SOFT_MAKE_HARD
    return added(
        session,
        BounceRow(
            recipient=recipient,
            outbox_id=outbox_id,
            hard=hard,
            reason=found.reason,
            status=found.status,
            words=found.words,
            at=now,
        ),
    )


_FORGIVE = update(BounceRow).where(BounceRow.recipient == bindparam("email"), BounceRow.forgiven_at.is_(None))


def forgive_bounces(session: Session, email: str, now: datetime) -> None:
    """Forgive all bounces of an address, because mail has arrived from it."""
    session.execute(_FORGIVE.values(forgiven_at=now), {"email": normal(email)})


_LATELY = select(BounceRow).where(
    BounceRow.recipient.in_(bindparam("emails", expanding=True)), BounceRow.at > bindparam("since")
)


def bounced_lately(
    session: Session, emails: Iterable[str], now: datetime, uncounted: Collection[str] = ()
) -> Mapping[str, BounceRow]:
    """The newest bounce of the last week of each of these addresses, even if mail has arrived from them since."""
    rows = session.scalars(_LATELY.order_by(BounceRow.id), {"emails": list(emails), "since": now - _WEEK}).all()
    return {row.recipient: row for row in rows if row.reason not in uncounted}


def bounce_counts(session: Session) -> dict[bool, int]:
    """How many bounces there have been in all: hard (True) and soft (False)."""
    rows = session.execute(select(BounceRow.hard, func.count()).group_by(BounceRow.hard))
    return {True: 0, False: 0} | dict(rows.all())


# when all is refused


ALL_REFUSED = 3
"""When this many mails were refused, and none was sent since the first of these tries, everything is refused."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """The finding that every mail is refused, or every one to `domain`: how many wait, to whom, and why the last was
    refused.
    """

    domain: str
    mails: int
    recipients: tuple[str, ...]
    words: str

    @property
    def problem(self) -> str:
        """The finding as a sentence."""
        return f"All mail{f' to {self.domain}' if self.domain else ''} is refused; {self.mails} mails wait."


_LAST_SENT = select(func.max(OutboxRow.sent_at))
_REFUSED_LATELY = (
    select(OutboxRow.recipient, OutboxRow.last_error, OutboxRow.domain, OutboxRow.trouble)
    .where(
        OutboxRow.state == OutboxState.QUEUED,
        OutboxRow.trouble.in_((Trouble.REFUSED, Trouble.UNREACHABLE)),
        OutboxRow.tried_at > bindparam("since"),
    )
    .order_by(OutboxRow.tried_at.desc(), OutboxRow.id.desc())
)
_REFUSED_THERE = _REFUSED_LATELY.where(OutboxRow.domain == bindparam("domain"))


def stuck(session: Session, domain: str = "") -> Stuck | None:
    """Whether every mail is refused, or every one to this domain, since the last that was accepted. What is known of
    one domain only is said of that.
    """
    last = _LAST_SENT.where(OutboxRow.domain == domain) if domain else _LAST_SENT
    since = session.scalar(last) or datetime(1970, 1, 1, tzinfo=UTC)
    statement, key = (_REFUSED_THERE, {"domain": domain}) if domain else (_REFUSED_LATELY, {})
    rows = session.execute(statement, {"since": since, **key}).all()
    if len(rows) < ALL_REFUSED:
        return None
    if len({row.domain for row in rows}) == 1 and all(row.trouble is Trouble.REFUSED for row in rows):
        domain = rows[0].domain
    recipients = dict.fromkeys(row.recipient for row in rows)
    return Stuck(domain, len(rows), tuple(recipients), rows[0].last_error)


def stuck_among(session: Session, recipients: Iterable[str]) -> list[Stuck]:
    """The finding that every mail is refused, or otherwise one for each domain of these recipients for which that is
    so.
    """
    domains = sorted({recipient.rpartition("@")[2] for recipient in recipients})
    found = stuck(session)
    return [found] if found else list(filter(None, (stuck(session, domain) for domain in domains)))
