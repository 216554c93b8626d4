"""The cost of a mail and of a deadline: statements and function calls, which are the same on every machine."""

from __future__ import annotations

import cProfile
import re
from pathlib import Path
from typing import Any

import pytest

from bench.deadlines import listening, played, statements
from bench.mails import commits
from bench.quantum import exponent
from gm.inbound.acceptance import accept
from gm.inbound.intake import process, receive_next
from gm.machine.deadlines import close_next
from gm.machine.delivery import send
from gm.machine.reports import write_next
from gm.machine.steps import Delivery, desk, drain
from gm.server import Server
from gm.store.inbox import ArrivedMail
from gm.variants.standard import POWERS
from tests.server.world import BASE, OPENINGS, World, player


@pytest.fixture
def server(world: World) -> Server:
    """The world's server, without the checks of its snapshots."""
    return Server(world.database, world.service.identity, lambda: world.time)


@pytest.mark.parametrize(
    ("power", "text", "most"),
    [
        ("France", OPENINGS["France"], 12),  # one asks which phase it is for, one what it answers
        ("France", "STATUS", 12),  # one for how its reader votes, one for its proof
        ("France", "PRESS TO ALL\nHello\nENDPRESS", 10),
        ("GM", "EXTEND 24h", 17),  # one for the longest time that a phase had
    ],
)
def test_a_mail(world: World, server: Server, seats: dict[str, str], power: str, text: str, most: int) -> None:
    sender = "master@example.org" if power == "GM" else player(power)
    for _ in range(2):  # after the first one the decoded game is cached
        world.arrive(sender, seats[power], text)
        with statements(world.database) as seen:
            assert receive_next(server)
    assert len(seen) <= most, seen


def test_orders_from_their_coming_to_their_answer(world: World, server: Server, seats: dict[str, str]) -> None:
    """With a thread that is free for each step, as most mails find them."""
    server.arrivals.idle = server.departures.idle = lambda: 1
    for _ in range(2):  # after the first one the game and the address are known
        raw = world.mail(player("France"), seats["France"], f"Hello Bob,\n{OPENINGS['France']}\nAnn")
        with statements(world.database) as seen, commits(world.database) as ended:
            accept(server, ArrivedMail("smtp", raw, world.time, (seats["France"],), player("France")))
            mail = server.arrivals.take()
            assert mail is not None
            process(server, mail)
            answer = server.departures.take()
            assert answer is not None
            send(server, world, answer)
    assert (len(seen), len(ended)) == (12, 3), seen


GROWING = re.compile(r"SCAN (?:game|inbox|outbox|order_set|phase|press|log|report_queue|deadline|question)\b")


def test_no_statement_of_a_mail_reads_a_growing_table(world: World, server: Server, seats: dict[str, str]) -> None:
    """SQLite plans without statistics, so that it plans for a small table as it does for a large one."""
    ran: list[tuple[str, tuple[object, ...]]] = []

    def execute(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE", "WITH")) and isinstance(parameters, tuple):
            ran.append((statement, parameters))

    world.arrive(player("France"), seats["France"], OPENINGS["France"])
    world.arrive(player("France"), BASE, "STATUS SPRING")
    with listening(world.database, "before_cursor_execute", execute):
        drain((*desk(server), Delivery(server, world)), lambda: world.time)
    with world.database.engine.connect() as connection:
        for statement, parameters in ran:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
            assert not [row for row in plan if GROWING.match(row[3])], statement


def test_many_mails_are_sent_with_one_transaction_each(world: World, server: Server, seats: dict[str, str]) -> None:
    """One more looks for the first: which is next is looked up as one is marked as sent. Three statements each: for the
    files of a mail, to mark it, and to lease the next.
    """
    world.pass_time_quietly(days=9)
    while close_next(server) or write_next(server):
        pass
    before, sent = sum(map(len, world.mailboxes.values())), Delivery(server, world)
    with commits(world.database) as seen, statements(world.database) as asked:
        drain((sent,), lambda: world.time)
    mails = sum(map(len, world.mailboxes.values())) - before
    assert mails > len(POWERS)
    assert len(seen) == mails + 1
    assert len(asked) <= 3 * mails + 3, "two more for when to look for the first, and for another"


def test_a_deadline_and_a_report(world: World, server: Server, seats: dict[str, str]) -> None:
    for power in POWERS[1:]:
        world.send(player(power), seats[power], OPENINGS[power])
    world.pass_time_quietly(days=9)
    with statements(world.database) as seen:
        assert close_next(server)
    assert len(seen) <= 25, seen  # of these two for the longest time of such a phase, one for what is scheduled
    with statements(world.database) as seen:
        assert write_next(server)
    assert len(seen) <= 18, seen


def test_the_statements_of_a_deadline_do_not_grow_with_the_players(tmp_path: Path) -> None:
    numbers = []
    for planets in (4, 24):
        folder = tmp_path / str(planets)
        folder.mkdir()
        server = played(folder, planets)
        with statements(server.database) as seen:
            assert close_next(server)
        numbers.append(len(seen))
        server.database.dispose()
    assert numbers[0] == numbers[1] <= 18


def test_the_work_of_a_deadline_grows_as_the_players_do(tmp_path: Path) -> None:
    sizes, calls = (16, 96), []
    for planets in sizes:
        folder = tmp_path / str(planets)
        folder.mkdir()
        server, profile = played(folder, planets), cProfile.Profile()
        assert profile.runcall(close_next, server)
        calls.append(sum(entry.callcount for entry in profile.getstats()))
        server.database.dispose()
    assert exponent(sizes, calls) < 1.15
