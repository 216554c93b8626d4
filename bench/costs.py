"""What many games cost: `python -m bench.costs [--write]` plays one game as people do, counts and times everything, and
multiplies. The page docs/costs.md is made so; its counts are the same on every machine, and checked by a test.

In each phase every player sends orders, and corrects them if their number is even; every player writes press to
another; then the deadline passes, and everybody gets a report with a map. The senders are taken for verified, and what
is sent is taken by a way out that does nothing: SMTP itself is the mail server's cost.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import partial
from pathlib import Path

from sqlalchemy import text

from bench.deadlines import IDENTITY
from bench.games import _likely, _orders_of, played_games
from bench.homes import Clock
from bench.reports import begin
from gm.board import Power
from gm.inbound.acceptance import accept
from gm.inbound.intake import receive_next
from gm.machine.deadlines import close_next
from gm.machine.reports import write_next
from gm.machine.steps import Delivery, Tidying, drain
from gm.orders.notation import write
from gm.play import calendar
from gm.server import Server
from gm.store.database import Database
from gm.store.inbox import ArrivedMail

PAGE = Path(__file__).parent.parent / "docs" / "costs.md"
BEGIN, END = "<!-- made by python -m bench.costs --write -->\n", "<!-- end -->\n"
PHASES = 5
PHASES_A_WEEK = 3.5
"""A phase every two days: movements in two days, retreats and builds, which often need nobody, in one."""
LETTERS = 2
"""How many letters each player writes in a phase."""
PEAK = 1 / 4
"""The share of a day's work that falls into one hour: people like deadlines in the evening."""
GAMES = (1, 10, 1_000, 10_000, 100_000)
PROVIDER = 2_000
"""Mails a day that a mailbox of a provider may send, about."""
BUSY = 0.7
"""How much of its time a processor may be busy at the peak."""


@dataclass(frozen=True)
class Measured:
    """One phase of one game, on average. Bytes are of mails as they go over the wire; times are of a processor."""

    mails_in: float
    mails_out: float
    bytes_in: float
    bytes_out: float
    stored: float
    """Bytes that stay in the database, contents of mails included."""
    thinned: float
    """Bytes that stay when the contents of mails are deleted after `keep_days`."""
    intake_ms: float
    deadline_ms: float
    reports_ms: float
    delivery_ms: float

    @property
    def work_ms(self) -> float:
        """All of it."""
        return self.intake_ms + self.deadline_ms + self.reports_ms + self.delivery_ms


COUNTED = ("mails_in", "mails_out")
"""What is the same on every machine."""


class Nowhere:
    """A way out that takes everything."""

    def __init__(self) -> None:
        self.mails = self.octets = 0

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:  # noqa: ARG002
        """Count it."""
        self.mails += 1
        self.octets += len(raw)


def measured(phases: int = PHASES) -> Measured:
    """Play a game for so many phases."""
    rng, spent = random.Random(1901), dict.fromkeys(("intake", "deadline", "reports", "delivery"), 0.0)
    clock, out, arrived = Clock(), Nowhere(), [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'gm.sqlite3'}")
        database.migrate()
        server = Server(database, IDENTITY, clock)
        seats = begin(server, next(played_games(7)))

        def timed(part: str, work: Callable[[], object]) -> None:
            begun = time.process_time()
            while work():
                pass
            spent[part] += time.process_time() - begun

        def mail(power: str, lines: Sequence[str]) -> None:
            raw = _written(f"{power}@bench.example", seats[power], lines, arrived[0])
            arrived[0] += 1
            arrived[1] += len(raw)
            came = ArrivedMail("smtp", raw, clock.now, (seats[power],), f"{power}@bench.example")
            timed("intake", lambda: accept(server, came) and False)
            timed("intake", lambda: receive_next(server))

        before = _stored(database)
        for _ in range(phases):
            with server.reading() as tx:
                game = next(tx.games_in())
                position = tx.game(game.id).position
            assert position is not None
            for number, power in enumerate(seats):
                orders = [write(order) for order in _orders_of(rng, position, Power(power), _likely)]
                for _ in range(2 - number % 2 if orders else 0):
                    mail(power, orders)
                for _ in range(LETTERS):
                    other = rng.choice([one for one in seats if one != power])
                    mail(power, [f"PRESS TO {other}", f"({arrived[0]})", *LETTER])
            with server.transaction() as tx:
                calendar.set_deadline(tx, tx.game(game.id, lock=True), clock.now)
            timed("deadline", lambda: close_next(server))
            timed("reports", lambda: write_next(server))
            timed("delivery", partial(drain, [Delivery(server, out)], server.now))
            clock.now += timedelta(days=7 / PHASES_A_WEEK)
        whole, thin = _stored(database) - before, _thinned(server, clock.now) - before
        database.dispose()
    each = {f"{part}_ms": seconds * 1e3 / phases for part, seconds in spent.items()}
    sums = (arrived[0], out.mails, arrived[1], out.octets, whole, thin)
    names = ("mails_in", "mails_out", "bytes_in", "bytes_out", "stored", "thinned")
    return Measured(**dict(zip(names, (one / phases for one in sums), strict=True)), **each)


def _written(sender: str, seat: str, lines: Sequence[str], number: int) -> bytes:
    """A mail as a mail program sends it."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"A Player <{sender}>", seat, "Re: bench"
    mail["Message-ID"] = f"<{number}@bench.example>"
    mail.set_content("Dear gamemaster,\n\n{}\n\n-- \nA Player\n".format("\n".join(lines)))
    return mail.as_bytes().replace(b"\n", b"\r\n")


LETTER = (
    "Shall we agree that nobody enters the Black Sea this year? I would move my fleet south instead, and",
    "support you wherever you need it in autumn. Please tell me until tomorrow evening what you think.",
    "ENDPRESS",
)


def _stored(database: Database) -> int:
    with database.reading() as session:
        return int(session.scalar(text("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")) or 0)


def _thinned(server: Server, now: datetime) -> int:
    """The size when `keep_days` have passed."""
    database, tidying = server.database, Tidying(server, 1)
    while tidying.thin(now + timedelta(days=100)):
        pass
    with database.engine.connect() as connection:
        driver = connection.connection.dbapi_connection
        assert driver is not None
        driver.commit()
        driver.execute("VACUUM")
    return _stored(database)


# the table


def rows(one: Measured) -> Sequence[tuple[str, ...]]:
    """For each number of games: mails, bytes, cores and database."""
    found = []
    for games in GAMES:
        a_day = games * PHASES_A_WEEK / 7
        peak = a_day * PEAK / 3600
        found.append(
            (
                f"{games:,}",
                _short(a_day * one.mails_in),
                _short(a_day * one.mails_out),
                _short(peak * (one.mails_in + one.mails_out)),
                _bytes(a_day * (one.bytes_in + one.bytes_out)),
                _short(a_day * one.work_ms / 1e3 / 86_400),
                _short(peak * one.work_ms / 1e3 / BUSY),
                _bytes(a_day * one.stored * 365),
                _bytes(a_day * one.thinned * 365),
            )
        )
    return found


HEAD = (
    *("games", "mails in a day", "mails out a day", "mails a second at the peak", "bytes a day"),
    *("cores, on average", "cores at the peak", "database a year", "with `keep_days`"),
)


def limits(one: Measured) -> dict[str, float]:
    """How many games there are when each thing breaks, in the order in which they do."""
    a_day = PHASES_A_WEEK / 7
    peak = a_day * PEAK / 3600
    intake = (one.intake_ms + one.deadline_ms + one.delivery_ms) / 1e3
    found = {
        "a provider's mailbox": PROVIDER / (a_day * one.mails_out),
        "one process": BUSY / (peak * one.work_ms / 1e3),
        "SQLite, one writer": BUSY / (peak * intake),
    }
    return dict(sorted(found.items(), key=lambda each: each[1]))


def table(one: Measured) -> str:
    """What is in the page between its marks: what was measured, and what follows."""
    what = json.dumps({name: _rounded(value) for name, value in asdict(one).items()})
    given = read(what)
    week = PHASES_A_WEEK * given.mails_in, PHASES_A_WEEK * given.mails_out
    lines = ["", f"A game that plays a week has {week[0]:.0f} mails in and {week[1]:.0f} out.", ""]
    lines += ["Measured, of one phase of one game:", "", f"    {what}", ""]
    body = [HEAD, ("---:",) * len(HEAD), *rows(given)]
    lines += [f"| {' | '.join(row)} |" for row in body]
    lines += ["", "| breaks | at about |", "| --- | ---: |"]
    lines += [f"| {name} | {_short(games)} games |" for name, games in limits(given).items()]
    return "\n".join(lines) + "\n\n"


def read(words: str) -> Measured:
    """What was measured, as the page says it."""
    found = re.search(r"\{.*\}", words)
    assert found is not None
    given = json.loads(found[0])
    return Measured(**{each.name: float(given[each.name]) for each in fields(Measured)})


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _bytes(value: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:.3g} {unit}"
        value /= 1000
    return f"{value:.3g} TB"


def main(argv: Sequence[str]) -> int:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.costs", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the table into docs/costs.md")
    given = parser.parse_args(argv)
    made = table(measured())
    print(made)
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        PAGE.write_text(before + BEGIN + made + END + rest.partition(END)[2], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
