"""What this server has learned of the operator's mail servers, and other processes are to know: what one takes at most,
and which mails lie in two folders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import BigInteger, UniqueConstraint, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.inbox import ImapKey
from gm.store.rows import Base, add_once


class Kind(StrEnum):
    """What there is a cap on."""

    CONNECTIONS = "connections"
    MAILS = "mails"

    @property
    def words(self) -> str:
        """In words."""
        return "connections at once" if self is Kind.CONNECTIONS else "mails a connection"


@dataclass(frozen=True, slots=True)
class Cap:
    """The `most` that `server` takes, for so many `seconds`, and what it said to more; 0 when it is lifted."""

    server: str
    kind: Kind
    most: int = 0
    words: str = ""
    seconds: float = 0.0


class CapRow(Base):
    """The `most` that the `server` takes of a `kind` (connections at once, mails a connection), as far as is known
    `until` then, and what it said to more.
    """

    __tablename__ = "cap"
    __table_args__ = (UniqueConstraint("server", "kind"),)

    server: Mapped[str]
    kind: Mapped[Kind]
    most: Mapped[int]
    words: Mapped[str]
    until: Mapped[datetime]


def note_cap(session: Session, cap: Cap, now: datetime) -> None:
    """Note a cap in place of the one of this kind that was known before."""
    session.execute(delete(CapRow).where(CapRow.server == cap.server, CapRow.kind == cap.kind))
    if cap.most:
        until = now + timedelta(seconds=cap.seconds)
        add_once(session, CapRow, server=cap.server, kind=cap.kind, most=cap.most, words=cap.words, until=until)


def caps(session: Session, now: datetime) -> Sequence[CapRow]:
    """The caps that are known now."""
    return session.scalars(select(CapRow).where(CapRow.until > now).order_by(CapRow.server, CapRow.kind)).all()


class CopiedRow(Base):
    """A mail that was copied to the folder for done mail, and could not be marked as deleted where it was."""

    __tablename__ = "copied"
    __table_args__ = (UniqueConstraint("account", "folder", "uidvalidity", "uid"),)

    account: Mapped[str]
    folder: Mapped[str]
    uidvalidity: Mapped[int] = mapped_column(BigInteger)
    uid: Mapped[int] = mapped_column(BigInteger)


def note_copied(session: Session, key: ImapKey, *, copied: bool) -> None:
    """Note that the mail at this place lies in the other folder, too, or does not any more."""
    place = {name: getattr(key, name) for name in ImapKey.__slots__}
    if copied:
        add_once(session, CopiedRow, **place)
    else:
        session.execute(delete(CopiedRow).where(*(getattr(CopiedRow, name) == at for name, at in place.items())))


def copied(session: Session, account: str, folder: str, uidvalidity: int) -> set[int]:
    """The UIDs of the mails in a folder of which that was noted."""
    there = CopiedRow.account == account, CopiedRow.folder == folder, CopiedRow.uidvalidity == uidvalidity
    return set(session.scalars(select(CopiedRow.uid).where(*there)))
