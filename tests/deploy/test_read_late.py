"""Orders that were sent in time and read late, by a real IMAP server that was away and a real Postfix that kept them:
they count for their phase, and the deadline waits for them."""

from __future__ import annotations

import smtplib
import sqlite3
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gm.settings import Level
from tests.cli.server import BASE, MASTER, Running, new_mail, player, text_of
from tests.mail.transport.conftest import eventually
from tests.mail.transport.dovecot import PASSWORD, Dovecot
from tests.mail.transport.postfix import Postfix
from tests.timing import HANGING

pytestmark = pytest.mark.long

FRANCE = player("France")
LONG = 4 * HANGING


class Waiting(Running):
    """A server of which the test looks into the database. `lmtp` makes it listen for LMTP."""

    lmtp = False

    def __enter__(self) -> Waiting:
        self.start()
        return self

    def send(self, sender: str, to: str, text: str) -> str:
        """As `Running.send`, by either protocol."""
        if not self.lmtp:
            return super().send(sender, to, text)
        message = new_mail(sender, to, text)
        with smtplib.LMTP("127.0.0.1", self.port) as lmtp:
            lmtp.send_message(message, sender, [to])
        return str(message["Message-ID"])

    def rows(self, statement: str) -> list[str]:
        """The first column of what the database says."""
        with sqlite3.connect(self.home / "gm.sqlite3", timeout=HANGING) as database:
            return [str(row[0]) for row in database.execute(statement)]

    def due_in(self, gamemaster: str, seconds: int) -> datetime:
        """The gamemaster sets a deadline so soon."""
        due = (datetime.now(UTC) + timedelta(seconds=seconds)).replace(microsecond=0)
        answer = self.ask(MASTER, gamemaster, f"DEADLINE {due:%Y-%m-%dT%H:%M:%S}")
        if "waits for your confirmation" in text_of(answer):  # without proof, as PROCESS
            answer = self.ask(MASTER, str(answer["Reply-To"]), "YES")
        assert "The deadline for S1901M is now" in text_of(answer)
        return due

    def has_waited(self, due: datetime) -> None:
        """The deadline passes, and nothing is adjudicated."""
        time.sleep(max(0, (due - datetime.now(UTC)).total_seconds()) + 3)
        assert self.rows("SELECT code FROM phase ORDER BY id") == ["S1901M"]

    def has_counted(self) -> None:
        """S1901M is adjudicated, with France's orders, and no other phase has any."""
        self.wait_for(lambda: "F1901M" in self.rows("SELECT code FROM phase"), LONG)
        self.wait_for(lambda: any("S1901M results" in str(mail["Subject"]) for mail in self.mails(FRANCE)), LONG)
        (report,) = [mail for mail in self.mails(FRANCE) if "S1901M results" in str(mail["Subject"])]
        words = " ".join(text_of(mail) for mail in self.mails(FRANCE))
        assert "France: Army Paris -> Burgundy" in " ".join(text_of(report).split())
        assert "A Par-Bur" in words
        assert "too late" not in words


@pytest.mark.parametrize("level", ["open", "normal"])
def test_the_imap_server_stops_25_seconds_before_a_deadline(tmp_path: Path, level: Level) -> None:
    with Dovecot() as dovecot:
        imap = {"HOST": "127.0.0.1", "PORT": str(dovecot.port), "TLS": "none", "USER": BASE, "PASSWORD": PASSWORD}
        environment = {f"GM_IMAP_{key}": value for key, value in imap.items()}
        with Waiting(tmp_path / "server", GM_TRUST_LEVEL="open", **environment) as server:
            seats = server.started()
            server.stop()
            server._environment["GM_TRUST_LEVEL"] = level
            server.start()
            due = server.due_in(seats["GM"], 27)
            dovecot.stop()
            dovecot.drop(new_mail(FRANCE, seats["France"], "A PAR-BUR\n").as_bytes(), BASE)
            server.has_waited(due)
            dovecot.start()
            server.has_counted()


def test_postfix_keeps_the_mail_while_gm_is_stopped(tmp_path: Path) -> None:
    server = Waiting(tmp_path / "server", GM_LISTEN_PROTOCOL="lmtp", GM_LISTEN_RETRY_SECONDS="25")
    server.lmtp = True
    way = f"relay_domains = localhost\ntransport_maps = inline:{{ localhost=lmtp:inet:127.0.0.1:{server.port} }}\n"
    with Dovecot() as dovecot, Postfix(dovecot, extra=way) as postfix, server:
        seats = server.started()
        due = server.due_in(seats["GM"], 45)
        assert server.stop() == 0
        postfix.swaks(FRANCE, seats["France"], "orders")
        assert eventually(lambda: "status=deferred" in postfix.log()), postfix.log()
        assert datetime.now(UTC) < due
        time.sleep(max(0, (due - datetime.now(UTC)).total_seconds()) + 1)
        server.start()
        server.has_waited(due)
        postfix.swaks(FRANCE, seats["France"], "more", "A MAR-SPA")  # after the deadline
        postfix.flush()
        server.has_counted()
        received = datetime.fromisoformat(server.rows("SELECT min(received_at) FROM order_set WHERE complete = 0")[0])
        assert received.replace(tzinfo=UTC) < due
        assert "came after the deadline" in " ".join(text_of(mail) for mail in server.mails(FRANCE))
