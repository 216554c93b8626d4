"""What a look, a mail that is sent, and LIST cost where there is much else: `python -m bench.crowds`.

In databases of their own: the next due game is looked for among many that are due, also while an unread mail waits for
each of them; a mail is sent while many others are due; a stranger asks for the list of a thousand games. Processor
time, the middle of some rounds.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median

from sqlalchemy import select

from bench.deadlines import BEGIN, IDENTITY
from bench.goals import tell
from bench.quantum import exponent
from gm.inbound.acceptance import accept
from gm.inbound.intake import receive_next
from gm.machine.steps import Delivery
from gm.mail.message.compose import joined
from gm.options import read_options
from gm.server import Server
from gm.store import agenda, mail_files, outbox
from gm.store.database import Database
from gm.store.game_rows import SeatRole
from gm.store.inbox import ArrivedMail
from gm.store.outbox import OutboxRow
from tests.store.crowd import fill
from tests.store.setting import NOW

DUE, QUEUED, LISTED = (125, 500, 1000), (100, 1000, 10_000, 40_000), 1000
ROUNDS, BATCH = 15, 10
GOAL_EXPONENT, GOAL_UNREAD, GOAL_SENT, GOAL_LIST, GOAL_LIST_SIZE = 1.05, 5, 1.1, 20, 20


@contextmanager
def fresh() -> Iterator[Database]:
    """A new database."""
    with tempfile.TemporaryDirectory() as folder, Database(f"sqlite:///{Path(folder) / 'gm.sqlite3'}") as database:
        database.migrate()
        yield database


def middle(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Processor milliseconds, the middle of some rounds after the first."""
    times = []
    for _ in range(rounds + 1):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return median(times[1:]) * 1e3


def looked(many: int, *, unread: bool) -> float:
    """A look for the next due game among so many."""
    with fresh() as database:
        with database.transaction() as session:
            fill(session, many, settled=False, unread=unread)
        return middle(partial(_look, database))


def _look(database: Database) -> None:
    with database.transaction() as session:
        agenda.claim_due_game(session, NOW)


def worked_off(many: int) -> float:
    """Seconds until each of so many games was found, and its deadline marked as met."""
    with fresh() as database:
        with database.transaction() as session:
            fill(session, many, settled=False, unread=False)
        begun, found = time.process_time(), True
        while found:
            with database.transaction() as session:
                due = agenda.claim_due_game(session, NOW)
                for deadline in due[1] if due is not None else ():
                    agenda.finish(session, deadline.id, NOW)
                found = due is not None
        return time.process_time() - begun


class Taken:
    """Takes all mail."""

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> str:  # noqa: ARG002
        return "250 OK"


def sent(*dues: int) -> list[float]:
    """Milliseconds of a mail that is sent, while so many are due; the queues take turns."""
    with ExitStack() as stack:
        couriers = [Delivery(_queueing(stack.enter_context(fresh()), due), Taken()) for due in dues]
        rounds = [[_ten_of(courier) for courier in couriers] for _ in range(ROUNDS + 1)]
    return [median(times) for times in zip(*rounds[1:], strict=True)]


def _queueing(database: Database, due: int) -> Server:
    mails = [
        outbox.Queued(f"due:{key}", f"p{key}@d{key % 50}.example", "", f"<{key}@gm>", b"x" * 200)
        for key in range(due + BATCH * (ROUNDS + 1))
    ]
    with database.transaction() as session:
        outbox.queue_all(session, mails, NOW)
    return Server(database, IDENTITY, lambda: NOW)


def _ten_of(courier: Delivery) -> float:
    begun = time.process_time()
    for _ in range(BATCH):
        courier.step(NOW)
    return (time.process_time() - begun) / BATCH * 1e3


def listed(games: int) -> tuple[float, int]:
    """Processor milliseconds and bytes of the answer to LIST, for somebody who has written for the first time."""
    with fresh() as database:
        moments = [BEGIN]
        server = Server(database, IDENTITY, lambda: moments[0])
        for number in range(games):
            with server.transaction() as tx:
                game = tx.create_game(f"game{number:04}", read_options({}))
                assert game is not None
                tx.add_seat(game, SeatRole.MASTER, tx.register(f"m{number}@bench.example", f"Master {number}"))
        asked = iter(range(100))

        def ask() -> None:
            number = next(asked)
            sender = f"stranger{number}@elsewhere{number}.example"
            raw = f"From: {sender}\r\nTo: gm@bench.example\r\nMessage-ID: <{number}@elsewhere>\r\n\r\nLIST\r\n"
            accept(server, ArrivedMail("smtp", raw.encode(), server.now(), ("gm@bench.example",), sender))
            receive_next(server)

        spent = middle(ask, 5)
        with database.reading() as session:
            newest = session.scalars(select(OutboxRow).order_by(OutboxRow.id.desc()).limit(1)).one()
            whole = joined(newest.raw, newest.message_id, mail_files.of(session, newest.message_id))
        return spent, len(whole)


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.crowds", description=(__doc__ or "").splitlines()[0])
    parser.parse_args(argv)
    logging.getLogger().setLevel(logging.ERROR)
    works = [worked_off(many) for many in DUE]
    for many, seconds in zip(DUE, works, strict=True):
        print(f"{many:>7} games due: {seconds / many * 1e3:8.2f} ms to find and note each")
    tell("looking for the next due game, exponent", exponent(DUE, works), GOAL_EXPONENT, "")
    unread = {many: looked(many, unread=True) for many in DUE}
    for many, spent in unread.items():
        print(f"{many:>7} games due, an unread mail for each: {spent:8.2f} ms a look")
    tell(f"  {max(DUE):,} with an unread mail for each, a look", unread[max(DUE)], GOAL_UNREAD, "ms")
    sending = dict(zip(QUEUED, sent(*QUEUED), strict=True))
    for due, spent in sending.items():
        print(f"{due:>7} mails due: {spent:8.2f} ms a mail that is sent")
    tell(
        f"a mail sent from {max(QUEUED):,} due, beside {min(QUEUED)}",
        sending[max(QUEUED)] / sending[min(QUEUED)],
        GOAL_SENT,
        "x",
    )
    spent, size = listed(LISTED)
    tell(f"LIST with {LISTED:,} games, to a stranger", spent, GOAL_LIST, "ms")
    tell("  its answer", size / 1e3, GOAL_LIST_SIZE, "kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
