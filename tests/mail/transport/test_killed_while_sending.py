"""SIGKILL of the server while it sends many mails to a real SMTP server: none is lost, and only those whose 250 was not
recorded come twice, with the same Message-ID and content.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import select

from gm.store import outbox
from gm.store.database import Database
from gm.store.outbox import OutboxRow, OutboxState, Queued
from tests.cli.server import Running
from tests.mail.transport.conftest import eventually
from tests.mail.transport.mailserver import MailServer

MAILS, KILLS, CONNECTIONS = 150, 2, 4
BEFORE_THE_KILL = 20
"""So many more than were waited for are taken before the server is killed, however long that takes."""


def queued(number: int) -> Queued:
    """One of many reports; each has its own recipient and Message-ID."""
    recipient, message_id = f"p{number}@d{number % 7}.example", f"<{number}@example.org>"
    raw = f"From: gm@example.org\r\nMessage-ID: {message_id}\r\nSubject: report {number}\r\n\r\nA PAR-BUR\r\n".encode()
    return Queued(f"report:{number}", recipient, "gm@example.org", message_id, raw)


def test_killed_while_it_sends_many_mails(tmp_path: Path) -> None:
    chance = random.Random(1901)
    mails = [queued(number) for number in range(MAILS)]
    with MailServer() as sink:
        settings = {"KIND": "smtp", "PORT": str(sink.port), "CONNECTIONS": str(CONNECTIONS)}
        with Running(tmp_path / "server", **{f"GM_SEND_{key}": value for key, value in settings.items()}) as server:
            server.kill()
            database = Database(f"sqlite:///{server.home / 'gm.sqlite3'}")
            with database.transaction() as session:
                outbox.queue_all(session, mails, datetime.now(UTC))
            for kill in range(KILLS):
                mark = MAILS * (kill + 1) // (KILLS + 2)
                sink.most = mark + BEFORE_THE_KILL
                server.start()
                assert eventually(lambda mark=mark: len(sink.taken) >= mark)  # type: ignore[misc]
                time.sleep(chance.uniform(0, 0.05))
                server.kill()
            with database.reading() as session:
                unsent = select(OutboxRow).where(OutboxRow.state == OutboxState.QUEUED)
                before = {row.message_id for row in session.scalars(unsent)}
            already = len(sink.taken)
            assert 0 < len(before) < MAILS
            sink.most = MAILS + KILLS * CONNECTIONS
            server.start()

            def done() -> bool:
                with database.reading() as session:
                    return outbox.counts(session)[OutboxState.SENT] == MAILS

            assert eventually(done), server.log()
            database.dispose()
            assert server.stop() == 0
    came = Counter(mail.raw for mail in sink.taken)
    assert set(came) == {mail.raw for mail in mails}
    assert {mail.recipients for mail in sink.taken} == {(mail.recipient,) for mail in mails}
    again = sum(number - 1 for number in came.values())
    assert again <= KILLS * CONNECTIONS, "no more than were under way"
    later = {mail.raw for mail in sink.taken[already:]}
    assert later == {mail.raw for mail in mails if mail.message_id in before}, "what was recorded never comes again"
