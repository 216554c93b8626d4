"""What a database says of itself: which one it is, whose it is, how it was made, and when it was last backed up.

One row, made with the schema. The key itself is never in it, only a fingerprint, from which nothing can be derived.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Mapped, Session

from gm.store.rows import Base


class AboutRow(Base):
    """The one row. `key` is the fingerprint of the server's key, `address` the server's mail address, both "" before
    the first start, at `claimed_at`. `made` is the schema as it was made (`gm.store.schema.described`).
    """

    __tablename__ = "about"

    database: Mapped[str]
    """A random name, which copies and backups keep: a server knows by it whether this is the database that it had."""
    key: Mapped[str]
    address: Mapped[str]
    made: Mapped[list[str]]
    claimed_at: Mapped[datetime | None]
    backed_up_at: Mapped[datetime | None]
    backed_up_to: Mapped[str]


_ONE = select(AboutRow).limit(1)
_WHOSE = ("database", "key", "address", "claimed_at", "backed_up_at", "backed_up_to")


def fingerprint(key: bytes) -> str:
    """What is stored of a key: it tells one from another, and no more."""
    return hashlib.sha256(b"gm server key\n" + key).hexdigest()[:32]


def about(session: Session) -> AboutRow | None:
    """What the database says of itself; None when somebody has emptied it."""
    return session.scalar(_ONE)


def change(session: Session, **values: Any) -> None:
    """Change some of what it says."""
    session.execute(update(AboutRow).values(values))


def copy_whose(there: Session, here: Session) -> None:
    """A copy is the same server's: it has all but how its own schema was made."""
    if (row := about(there)) is not None:
        change(here, **{name: getattr(row, name) for name in _WHOSE})
