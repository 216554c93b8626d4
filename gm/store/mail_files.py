"""The files of mails in the outbox, such as pictures: each is stored once, by its content, however many mails it goes
with, and joined to them when they are sent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import ForeignKey, Index, LargeBinary, UniqueConstraint, bindparam, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from gm.store.rows import Base, add_all_once, read


class FileRow(Base):
    """A file by the SHA-256 of its content."""

    __tablename__ = "file"

    digest: Mapped[str] = mapped_column(unique=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class MailFileRow(Base):
    """`number`: which of the files of the mails with this Message-ID it is, from 0."""

    __tablename__ = "mail_file"
    __table_args__ = (UniqueConstraint("message_id", "number"), Index(None, "digest"))

    message_id: Mapped[str]
    number: Mapped[int]
    digest: Mapped[str] = mapped_column(ForeignKey("file.digest"))


def keep(session: Session, files: Mapping[str, Sequence[bytes]]) -> None:
    """Store the files of mails, by Message-ID."""
    unlike = dict.fromkeys(content for every in files.values() for content in every)
    contents = {content: hashlib.sha256(content).hexdigest() for content in unlike}
    add_all_once(session, FileRow, [{"digest": digest, "content": content} for content, digest in contents.items()])
    places = [
        {"message_id": message_id, "number": number, "digest": contents[content]}
        for message_id, every in files.items()
        for number, content in enumerate(every)
    ]
    add_all_once(session, MailFileRow, places)


_OF_MAIL = (
    select(FileRow.content)
    .join(MailFileRow, MailFileRow.digest == FileRow.digest)
    .where(MailFileRow.message_id == bindparam("message_id"))
    .order_by(MailFileRow.number)
)


def of(session: Session, message_id: str) -> Sequence[bytes]:
    """The files of the mails with this Message-ID, in their order."""
    return read(session, _OF_MAIL, {"message_id": message_id}).scalars().all()


_THEIRS = MailFileRow.message_id.in_(bindparam("message_ids", expanding=True))
_PLACES = delete(MailFileRow).where(_THEIRS).returning(MailFileRow.digest)
_UNUSED = delete(FileRow).where(
    FileRow.digest.in_(bindparam("digests", expanding=True)),
    ~select(MailFileRow.id).where(MailFileRow.digest == FileRow.digest).exists(),
)


def drop(session: Session, message_ids: Iterable[str]) -> None:
    """Delete the files of mails that have no content any more, except those that other mails have too."""
    digests = session.connection().execute(_PLACES, {"message_ids": list(message_ids)}).scalars().all()
    if digests:
        session.connection().execute(_UNUSED, {"digests": list(set(digests))})
