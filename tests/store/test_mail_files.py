"""Files of mails: stored once, joined in their order, and gone with the last mail that has them."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.store import mail_files, outbox, retention
from gm.store.database import Database
from gm.store.mail_files import FileRow
from gm.store.outbox import Queued
from tests.store.setting import NOW, claimed

MAP, TEXT = b"a map" * 1000, b"a text" * 1000
LATER = NOW + timedelta(days=1)


def queue(session: Session, purpose: str, *files: bytes, message_id: str = "") -> None:
    ident = message_id or f"<{purpose}@gm>"
    outbox.queue_all(session, [Queued(purpose, "ann@example.org", "", ident, b"raw", files=files)], NOW)


def sent(session: Session) -> None:
    """All that is due is sent."""
    for mail in claimed(session, NOW):
        outbox.mark_sent(session, mail.id, NOW)


def stored(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(FileRow)) or 0


def test_a_file_is_stored_once_and_found_by_each_mail(database: Database) -> None:
    with database.transaction() as session:
        queue(session, "report:1", MAP, TEXT)
        queue(session, "report:2", TEXT, MAP)
        queue(session, "receipt:1")
        assert stored(session) == 2
        assert mail_files.of(session, "<report:1@gm>") == [MAP, TEXT]
        assert mail_files.of(session, "<report:2@gm>") == [TEXT, MAP]
        assert mail_files.of(session, "<receipt:1@gm>") == []
        assert [mail.files for mail in claimed(session, NOW)] == [2, 2, 0]


def test_what_was_queued_before_keeps_its_files(database: Database) -> None:
    with database.transaction() as session:
        queue(session, "report:1", MAP)
        queue(session, "report:1", MAP)
        assert mail_files.of(session, "<report:1@gm>") == [MAP]


def test_files_are_deleted_with_the_content_of_the_last_mail_that_has_them(database: Database) -> None:
    with database.transaction() as session:
        queue(session, "report:1", MAP, TEXT)
        sent(session)
        queue(session, "report:2", MAP)
        assert retention.thin(session, LATER) == 1
        assert stored(session) == 1
        assert mail_files.of(session, "<report:2@gm>") == [MAP]
        sent(session)
        assert retention.thin(session, LATER) == 1
        assert stored(session) == 0


def test_a_mail_that_goes_to_another_address_too_keeps_its_files(database: Database) -> None:
    """The second has the same Message-ID, and is still to be sent when the first is thinned."""
    with database.transaction() as session:
        queue(session, "report:1", MAP)
        sent(session)
        queue(session, "report:1:elsewhere", MAP, message_id="<report:1@gm>")
        assert retention.thin(session, LATER) == 1
        assert mail_files.of(session, "<report:1@gm>") == [MAP]
