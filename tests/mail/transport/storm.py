"""The storm: mails of every sort to a real server that is killed (SIGKILL) at random, and sends its answers through a
provider that refuses now and then, at once or with a bounce of what it has taken.

    python -m tests.mail.transport.storm --mails 2000 --kills 10

Several senders post the mails, each again and again until the server has said 250 (or has refused it for good), as mail
servers do; one in ten is posted twice on purpose. Then comes the same with a mailbox at a real Dovecot, without plus
addressing, beside the listener. Afterwards every accepted mail must have had exactly one effect, and every one that is
to be answered exactly one answer.
"""

from __future__ import annotations

import argparse
import queue
import random
import smtplib
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parseaddr
from pathlib import Path

from sqlalchemy import func, select

from gm.store import inbox, outbox, refusals
from gm.store.database import Database
from gm.store.game_rows import OrderSetRow
from gm.store.inbox import InboxRow, InboxState
from gm.store.outbox import OutboxRow, OutboxState
from gm.store.records import PressRow
from gm.variants.standard import POWERS
from tests.cli.server import BASE, Running, player, read
from tests.mail.transport.dovecot import PASSWORD, Dovecot
from tests.mail.transport.mailserver import HANG_UP, MailServer
from tests.mail.transport.sorts import GOOD, SORTS, Post, Sent
from tests.server.bounces import report

SENDERS = 4
TWICE = 0.1
REFUSALS = (
    {"RCPT": "550 5.4.5 Daily user sending quota exceeded"},
    {"DATA": "554 5.7.1 Message rejected for policy reasons"},
    {"RCPT": "450 4.7.1 Greylisted, try again later"},
    {"MAIL": "550 5.7.1 Sender address rejected"},
    {"DATA": HANG_UP},
)
"""What the provider says in turn, for a while."""
LONGEST_WAIT = 120
"""Seconds until there is something that it can return, when it refuses no more."""
LARGE = 0.01
"""The share of mails that are too large; each is a megabyte."""


@dataclass
class Outcome:
    """The outcome of a storm."""

    posted: int = 0
    kills: int = 0
    seconds: float = 0.0
    taken: dict[str, Sent] = field(default_factory=dict)
    """By sender and Message-ID."""
    sorts: Counter[str] = field(default_factory=Counter)
    tries: int = 0
    faults: list[str] = field(default_factory=list)
    answers: int = 0
    by_imap: int = 0
    refused: int = 0
    """Phases in which the provider refused all mail."""
    returned: set[str] = field(default_factory=set)
    """The Message-IDs of answers that the provider has taken and then bounced for policy."""
    copies: int = 0
    """Other answers delivered a second time with the same Message-ID, since the kill came before the mark."""

    def __str__(self) -> str:
        sorts = ", ".join(f"{number} {sort}" for sort, number in sorted(self.sorts.items()))
        return (
            f"{self.posted} mails posted ({self.tries} tries, {len(self.taken)} taken), {self.by_imap} by IMAP"
            f" without plus addressing, {self.kills} kills, {self.refused} times all was refused,"
            f" {self.seconds:.0f} s; {self.answers} answers, {self.copies} of them delivered twice with the same"
            f" Message-ID, {len(self.returned)} bounced and were sent again; {len(self.faults)} faults\n{sorts}"
        )


class Storm:
    """One storm over a server in `home`; with `dovecot` the server reads a mailbox too, and has no plus addressing."""

    def __init__(self, home: Path, mails: int, kills: int, seed: int, dovecot: Dovecot | None = None) -> None:
        self._dovecot = dovecot
        self._provider = MailServer()
        self._chance = random.Random(seed)
        self._mails = mails
        self._kills = kills
        settings = {"GM_CLOCK_POLL_SECONDS": "1"}
        if dovecot is not None:
            settings |= {"GM_SERVER_PLUS_ADDRESSING": "false", "GM_IMAP_HOST": "127.0.0.1", "GM_IMAP_TLS": "none"}
            settings |= {"GM_IMAP_PORT": str(dovecot.port), "GM_IMAP_USER": BASE, "GM_IMAP_PASSWORD": PASSWORD}
        self._server = Running(home, **settings)
        self._waiting: queue.Queue[Sent] = queue.Queue()
        self._lock = threading.Lock()
        self._all: list[Sent] = []
        self.outcome = Outcome(posted=mails)

    def run(self) -> Outcome:
        """Post, kill, wait until everything is processed, and check."""
        began = time.monotonic()
        with self._provider, self._server as server:
            seats = server.started()
            self._seen_before = self._press_and_orders()
            newest = {power: server.mails(player(power))[-1] for power in POWERS}
            received = {
                str(one): (parseaddr(mail["Return-Path"])[1], str(mail["Message-ID"])) for one, mail in newest.items()
            }
            server.change(GM_SEND_KIND="smtp", GM_SEND_PORT=str(self._provider.port))
            post = Post(BASE, seats, {power: player(power) for power in POWERS}, self._chance, received)
            for sort in self._draw():
                mail = post.next(sort)
                self._all.append(mail)
                self.outcome.sorts[sort] += 1
                for _ in range(2 if self._chance.random() < TWICE else 1):
                    self._waiting.put(mail)
            senders = [threading.Thread(target=self._send, daemon=True) for _ in range(SENDERS)]
            for sender in senders:
                sender.start()
            refusing = threading.Thread(target=self._refuse_at_times, args=(senders,))
            refusing.start()
            self._kill_at_random(senders)
            for each in (*senders, refusing):
                each.join()
            self._settle()
            self.outcome.seconds = time.monotonic() - began
            self._look()
        return self.outcome

    def _draw(self) -> list[str]:
        bad = [sort for sort in SORTS if sort not in GOOD and sort != "too large"]
        sorts = [self._chance.choice(GOOD if self._chance.random() < 0.6 else bad) for _ in range(self._mails)]
        for place in self._chance.sample(range(self._mails), max(1, int(self._mails * LARGE))):
            sorts[place] = "too large"
        return sorts

    # ---- sending

    def _send(self) -> None:
        while True:
            try:
                mail = self._waiting.get_nowait()
            except queue.Empty:
                return
            while not self._posted(mail):
                time.sleep(0.05)

    def _refuse_at_times(self, senders: list[threading.Thread]) -> None:
        """The provider refuses everything for a while, and returns what it has taken before, for each reason at least
        once, while there are mails to post; then it refuses nothing, so that there is something to return.
        """
        while self.outcome.refused < len(REFUSALS) or any(sender.is_alive() for sender in senders):
            self._provider.answers.update(REFUSALS[self.outcome.refused % len(REFUSALS)])
            self.outcome.refused += 1
            time.sleep(0.3)
            self._provider.answers.clear()
            time.sleep(0.5)
            self._return_the_last()
        given_up = time.monotonic() + LONGEST_WAIT
        while not self.outcome.returned and time.monotonic() < given_up:
            time.sleep(0.5)
            self._return_the_last()

    def _return_the_last(self) -> None:
        """Bounce the newest answer that the provider has taken and that has a return path, once for each."""
        answers = (one for one in reversed(self._provider.taken[-50:]) if one.sender and read(one.raw)["In-Reply-To"])
        newest = next(answers, None)
        message_id = str(read(newest.raw)["Message-ID"]) if newest is not None else ""
        if newest is None or message_id in self.outcome.returned:
            return
        number, original = len(self.outcome.returned), f"Message-ID: {message_id}\n\nx\n".encode()
        raw = report(newest.recipients[0], "5.7.1", f"550 5.7.1 spam {number}", original=original, to=newest.sender)
        if self._handed_in(Sent("", "", newest.sender, raw.replace(b"\n", b"\r\n"), "")):
            self.outcome.returned.add(message_id)

    def _dropped(self, mail: Sent) -> bool:
        """Put every other mail that the listener would take into the mailbox, if there is one; but none without a
        Message-ID, which could not be told from another when its copy comes by the listener.
        """
        with self._lock:
            taken = SORTS[mail.sort].taken and bool(mail.message_id)
            if self._dovecot is None or not taken or self._chance.random() < 0.5:
                return False
            self.outcome.by_imap += 1
            self.outcome.taken[f"{mail.sender} {mail.message_id}"] = mail
        self._dovecot.drop(f"Return-Path: <{mail.sender}>\r\n".encode() + mail.raw, BASE)
        return True

    def _posted(self, mail: Sent) -> bool:
        """Try once; False if it must be tried again."""
        with self._lock:
            self.outcome.tries += 1
        if self._dropped(mail):
            return True
        taken = self._handed_in(mail)
        if taken:
            with self._lock:
                self.outcome.taken[f"{mail.sender} {mail.message_id}"] = mail
        return taken is not None

    def _handed_in(self, mail: Sent) -> bool | None:
        """Whether the listener takes a mail; None if it must be tried again."""
        try:
            with smtplib.SMTP("127.0.0.1", self._server.port, timeout=30) as smtp:
                smtp.sendmail(mail.sender, [parseaddr(mail.to)[1]], mail.raw, mail_options=["BODY=8BITMIME"])
        except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError, smtplib.SMTPSenderRefused) as error:
            codes = (
                [error.smtp_code]
                if not isinstance(error, smtplib.SMTPRecipientsRefused)
                else [code for code, _ in error.recipients.values()]
            )
            return False if all(code >= 500 for code in codes) else None
        except (OSError, smtplib.SMTPException):
            return None
        return True

    def _kill_at_random(self, senders: list[threading.Thread]) -> None:
        """Kills distributed over the storm: each happens when a certain number of mails is left, a random time
        later.
        """
        marks = sorted((self._chance.randrange(self._waiting.qsize()) for _ in range(self._kills)), reverse=True)
        for mark in marks:
            while self._waiting.qsize() > mark and any(sender.is_alive() for sender in senders):
                time.sleep(0.002)
            time.sleep(self._chance.uniform(0, 0.3))
            self._server.kill()
            self._server.start()
            self.outcome.kills += 1

    # ---- looking

    def _database(self) -> Database:
        return Database(f"sqlite:///{self._server.home / 'gm.sqlite3'}")

    def _settle(self, seconds: float = 900.0) -> None:
        """Wait until nothing is left to be done; what the provider has refused is sent as `gm mail flush` does."""
        database = self._database()
        end = time.monotonic() + seconds
        while True:
            left = len(self._dovecot.subjects(user=BASE)) if self._dovecot is not None else 0
            with database.transaction() as session:
                refusals.flush(session, datetime.now(UTC))
                left += inbox.counts(session)[InboxState.NEW] + outbox.counts(session)[OutboxState.QUEUED]
            if left == 0:
                break
            assert time.monotonic() < end, f"{left} mails are left in inbox and outbox\n{self._server.log()[-3000:]}"
            time.sleep(0.5)
        database.dispose()

    def _press_and_orders(self) -> tuple[int, int]:
        database = self._database()
        with database.reading() as session:
            counts = [session.scalar(select(func.count()).select_from(table)) or 0 for table in (PressRow, OrderSetRow)]
        database.dispose()
        return counts[0], counts[1]

    def _look(self) -> None:
        taken = self.outcome.taken.values()
        self._check("refused and taken", sum(not SORTS[mail.sort].taken for mail in taken), 0)
        due = sum(SORTS[mail.sort].taken for mail in self._all)
        self._check("taken", len(taken), due)
        press, orders = self._press_and_orders()
        self._check("press", press - self._seen_before[0], sum(SORTS[mail.sort].press for mail in taken))
        self._check("order sets", orders - self._seen_before[1], sum(SORTS[mail.sort].orders for mail in taken))
        self._look_into_the_inbox()
        self._look_for_what_bounced()
        answered = self._answers()
        for mail in taken:
            key = mail.message_id or mail.sender
            wanted = 1 if SORTS[mail.sort].answered else 0
            if answered[key] != wanted:
                found = f"{answered[key]} answers, not {wanted}; {self._became_of(mail)}"
                self.outcome.faults.append(f"{mail.sort} of {mail.sender}: {found}")

    def _became_of(self, mail: Sent) -> str:
        """On what ways a mail came, and what became of each copy."""
        database = self._database()
        with database.reading() as session:
            rows = session.scalars(select(InboxRow).where(InboxRow.message_id == mail.message_id)).all()
        database.dispose()
        return ", ".join(f"mail {row.id} by {row.source} is {row.state} ({row.note})" for row in rows)

    def _look_for_what_bounced(self) -> None:
        came = Counter(str(read(mail.raw)["Message-ID"]) for mail in self._provider.taken)
        lost = [one for one in self.outcome.returned if came[one] < 2]
        database = self._database()
        with database.reading() as session:
            for row in session.scalars(select(OutboxRow).where(OutboxRow.message_id.in_(lost))):
                self.outcome.faults.append(f"bounced, not sent again: {row.purpose} {row.state} {row.last_error}")
        database.dispose()

    def _look_into_the_inbox(self) -> None:
        database = self._database()
        with database.reading() as session:
            rows = session.execute(select(InboxRow.message_id, InboxRow.state)).all()
            numbers = session.scalars(select(OrderSetRow.inbox_id)).all()
        database.dispose()
        there = {message_id for message_id, _ in rows}
        done = Counter(message_id for message_id, state in rows if state is InboxState.DONE)
        wanted = {mail.message_id for mail in self.outcome.taken.values() if mail.message_id}
        self._check("rows of mails taken", len(wanted & there), len(wanted))
        self._check("mails acted on twice", sum(number > 1 for number in done.values()), 0)
        self._check("mails set aside", sum(state is InboxState.ASIDE for _, state in rows), 0)
        self._check("mails with two order sets", len(numbers) - len(set(numbers)), 0)

    def _answers(self) -> Counter[str]:
        """How many answers each mail got, by its Message-ID, or by its sender when it had none. Copies are one."""
        answers: Counter[str] = Counter()
        seen: set[str] = set()
        for taken in self._provider.taken:
            mail = read(taken.raw)
            answered = str(mail["In-Reply-To"] or "")
            if not answered.endswith(("@storm.example>", ".invalid>")):
                continue
            if mail["Message-ID"] in seen:
                self.outcome.copies += mail["Message-ID"] not in self.outcome.returned
                continue
            seen.add(str(mail["Message-ID"]))
            answers[answered if answered.endswith("@storm.example>") else taken.recipients[0]] += 1
        self.outcome.answers = sum(answers.values())
        return answers

    def _check(self, what: str, found: int, wanted: int) -> None:
        if found != wanted:
            self.outcome.faults.append(f"{what}: {found}, not {wanted}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--mails", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1901)
    given = parser.parse_args()
    faults = 0
    for dovecot in (nullcontext(), Dovecot()):
        with tempfile.TemporaryDirectory() as folder, dovecot as mailbox:
            outcome = Storm(Path(folder) / "server", given.mails // 2, given.kills // 2, given.seed, mailbox).run()
        print(outcome, *outcome.faults, sep="\n", flush=True)
        faults += len(outcome.faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
