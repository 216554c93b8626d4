"""SIGKILL while mail comes in: what was acknowledged is there, once; what was not is sent again by its sender."""

from __future__ import annotations

import random
import smtplib
import threading
import time
from collections import Counter
from pathlib import Path

from sqlalchemy import select

from gm.store.database import Database
from gm.store.inbox import InboxRow
from gm.store.rows import Base
from tests.mail.transport.conftest import eventually
from tests.mail.transport.dovecot import free_port, wait_for_port
from tests.processes import Process, streams_to
from tests.timing import HANGING

KILLS = 3
SENDERS = 4
ENOUGH = 30


def test_killed_at_random_while_mail_comes_in(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'gm.sqlite3'}"
    (tmp_path / "gm.sqlite3").touch()
    database = Database(url)
    Base.metadata.create_all(database.engine)
    port = free_port()
    over = threading.Event()
    acknowledged: set[str] = set()
    tries: Counter[str] = Counter()

    def send(name: str) -> None:
        """Send one mail after the other, each again until it is acknowledged, as mail servers do."""
        number = 0
        while not over.is_set():
            try:
                with smtplib.SMTP("127.0.0.1", port, timeout=HANGING) as smtp:
                    while not over.is_set():
                        key = f"{name}.{number}"
                        tries[key] += 1
                        mail = f"Message-ID: <{key}@example.org>\r\nSubject: {key}\r\n\r\nA PAR-BUR\r\n"
                        smtp.sendmail("ann@example.org", ["gm@example.org"], mail)
                        acknowledged.add(key)
                        number += 1
            except (OSError, smtplib.SMTPException):
                over.wait(0.02)

    senders = [threading.Thread(target=send, args=(f"sender{number}",), daemon=True) for number in range(SENDERS)]
    chance = random.Random(1901)
    for turn in range(KILLS + 1):
        with (tmp_path / f"said {turn}").open("wb") as said:
            process = Process("tests.mail.transport.acceptor", url, str(port), streams=streams_to(said))
            try:
                wait_for_port(port, process)
                if turn == 0:
                    for sender in senders:
                        sender.start()
                time.sleep(chance.uniform(0.1, 0.4))
                if turn == KILLS:
                    assert eventually(lambda: len(acknowledged) >= ENOUGH)
                    over.set()
                    for sender in senders:
                        sender.join(HANGING)
            finally:
                process.kill()
                process.wait()

    with database.transaction() as session:
        kept = [row.message_id.strip("<>").removesuffix("@example.org") for row in session.scalars(select(InboxRow))]
    database.dispose()
    assert len(kept) == len(set(kept))
    assert acknowledged <= set(kept)
    assert any(count > 1 for count in tries.values()), "no kill hit a mail under way"
