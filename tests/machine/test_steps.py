"""The parts of the server as steps: their order, when they want to be called again, and the threads that run them."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from bench.deadlines import statements
from gm import patterns
from gm.cli.working import Preparation
from gm.errors import DeliveryDeferred, Temporary
from gm.games.identity import ServerIdentity
from gm.inbound.acceptance import accept
from gm.machine.steps import (
    Crew,
    Deadlines,
    Delivery,
    Intake,
    Questions,
    Reports,
    Scheduler,
    desk,
    drain,
    helping,
)
from gm.machine.ways_in import WaysIn
from gm.parsing import grammar
from gm.parsing.grammar import order_parser
from gm.server import Handover, Server, utc_now
from gm.settings import ServerSettings
from gm.store import agenda, inbox, outbox
from gm.store.agenda import SOONEST, Outlook
from gm.store.database import Database
from gm.store.inbox import ANSWERED, ArrivedMail, InboxRow, InboxState
from gm.store.outbox import Pace
from gm.store.rows import claiming
from tests.server.world import BASE, OPENINGS, START, World, player, text_of
from tests.timing import HANGING

SECOND = timedelta(seconds=1)
FRANCE = player("France")


@dataclass
class Pieces:
    """A step with some pieces of work, and a time to be called again."""

    name: str
    work: int
    again: datetime | None
    done: list[str]

    def step(self, now: datetime) -> datetime | None:
        if not self.work:
            return self.again
        self.work -= 1
        self.done.append(self.name)
        return now


def test_an_earlier_step_comes_first_whenever_it_has_work() -> None:
    done: list[str] = []
    first = Pieces("first", 2, START + 3 * SECOND, done)

    class Causing(Pieces):
        def step(self, now: datetime) -> datetime | None:
            first.work += bool(self.work)
            return super().step(now)

    second = Causing("second", 2, START + 2 * SECOND, done)
    between: list[int] = []
    assert drain((first, second), lambda: START, lambda: between.append(len(done))) == START + 2 * SECOND
    assert done == ["first", "first", "second", "first", "second", "first"]
    assert between == [1, 2, 3, 4, 5, 6]
    assert drain((Pieces("", 0, None, done),), lambda: START) is None


# ---- a server by hand


def test_a_game_is_played_by_going_from_one_moment_to_the_next(world: World) -> None:
    """Without threads and waiting: a clock that jumps to each time named by the steps misses nothing that is due."""
    world.started(options="first=24h reminder=2h")
    first_due = START + timedelta(hours=24)
    moments = []
    while world.phase() == "S1901M":
        at = world.work()
        assert at is not None
        assert at > world.time
        moments.append(at)
        world.time = at
        world.work()
    assert moments == [first_due - timedelta(hours=2), first_due]
    assert "reminder" in str(world.mailboxes[player("France")][-2]["Subject"]).lower()


def test_a_mail_that_arrived_counts_though_its_deadline_has_passed(world: World) -> None:
    seats = world.started(options="first=24h")
    world.pass_time_quietly(hours=24)
    world.arrive(player("France"), seats["France"], OPENINGS["France"])
    world.work()
    assert world.phase() == "F1901M"
    assert "Army Paris -> Burgundy" in text_of(world.last(FRANCE))


@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_what_is_due_and_in_other_hands_is_asked_for_again_later(database: Database) -> None:
    """Another process has locked the mail: it is due, but there is nothing to do, and the loop must not spin."""
    settings = ServerSettings(address=BASE, operator=None, zone=ZoneInfo("UTC"))
    server = Server(database, ServerIdentity(settings, b"k" * 32), lambda: START)
    raw = b"Message-ID: <1@example.org>\r\nFrom: ann@example.org\r\n\r\nLIST\r\n"
    accept(server, ArrivedMail("smtp", raw, START, (BASE,), FRANCE))
    with database.transaction() as other:
        assert other.scalars(claiming(select(InboxRow))).all()
        assert Intake(server, Outlook(server.database)).step(START) == START + SOONEST
    assert Intake(server, Outlook(server.database)).step(START) == START, "a piece of work was done"
    assert Intake(server, Outlook(server.database)).step(START) is None


def test_what_is_leased_is_asked_for_when_the_lease_ends(world: World) -> None:
    world.arrive(FRANCE, BASE, "LIST")
    with world.database.transaction() as session:
        assert inbox.next_new(session, world.time) is not None
    assert Intake(world.service, Outlook(world.service.database)).step(world.time) == world.time + inbox.LEASE


def test_each_step_names_its_own_moment(world: World) -> None:
    ways = WaysIn(world.service)
    assert [step.step(world.time) for step in desk(world.service)] == [None] * 8
    seats = world.started(options="first=24h")
    world.arrive("stranger@example.org", seats["France"], "A PAR-BUR")
    world.work()
    assert [step(world.service, Outlook(world.service.database)).step(world.time) for step in (Intake, Reports)] == [
        None
    ] * 2
    assert Deadlines(world.service, Outlook(world.service.database), ways).step(world.time) == START + timedelta(
        hours=24
    )
    expiry = Questions(world.service, Outlook(world.service.database), ways).step(world.time)
    assert expiry is not None
    assert expiry > world.time
    world.time = expiry
    assert Questions(world.service, Outlook(world.service.database), ways).step(world.time) == world.time, (
        "a piece of work was done"
    )
    assert Questions(world.service, Outlook(world.service.database), ways).step(world.time) is None
    assert world.inbox()[-1].note == "nobody confirmed it in time"


def test_a_mail_that_cannot_be_sent_is_tried_again_at_the_moment_named(world: World) -> None:
    tried = Counter[datetime]()

    class Away:
        def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
            tried[world.time] += 1
            raise DeliveryDeferred("nobody is at home")

    world.arrive(FRANCE, BASE, "LIST")
    drain(desk(world.service), lambda: world.time)
    courier = Delivery(world.service, Away())
    for minutes in (1, 2, 4):
        at = drain((courier,), lambda: world.time)
        assert at == world.time + timedelta(minutes=minutes)
        world.time = at
    assert list(tried.values()) == [1, 1, 1]


# ---- threads


class Round:
    """A step that does what a test says, and reports when it was called."""

    def __init__(self, *answers: timedelta | Exception | None) -> None:
        self._answers = list(answers)
        self.called: queue.Queue[datetime] = queue.Queue()

    def step(self, now: datetime) -> datetime | None:
        self.called.put(now)
        answer = self._answers.pop(0) if self._answers else None
        if isinstance(answer, Exception):
            raise answer
        return None if answer is None else now + answer


@pytest.fixture
def scheduler() -> Iterator[Scheduler]:
    scheduler = Scheduler(utc_now, poll_seconds=3600)
    yield scheduler
    scheduler.stop()


def test_a_step_is_called_at_the_start_when_it_asked_to_be_and_when_it_is_woken(scheduler: Scheduler) -> None:
    step = Round(timedelta(milliseconds=200))
    scheduler.add("desk", step)
    scheduler.start()
    first, second = step.called.get(timeout=HANGING), step.called.get(timeout=HANGING)
    assert second - first >= timedelta(milliseconds=200)
    scheduler.wake()
    step.called.get(timeout=HANGING)
    assert step.called.empty()


def test_a_thread_wakes_by_itself_when_no_clock_wakes_it() -> None:
    """As when the clock was put back by hours: what the timer was to do is hours away."""
    scheduler, step = Scheduler(utc_now, poll_seconds=1), Round()
    scheduler.add("desk", step)
    scheduler.start()
    scheduler._timer.pause()
    for _ in range(3):
        step.called.get(timeout=HANGING)
    scheduler.stop()


@pytest.mark.parametrize("error", [Temporary("the database is away"), ArithmeticError("oh")])
def test_a_thread_survives_whatever_a_step_meets(
    scheduler: Scheduler, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    step, other = Round(error), Round()
    scheduler.add("desk", step)
    scheduler.add("courier", other)
    scheduler.start()
    step.called.get(timeout=HANGING)
    other.called.get(timeout=HANGING)
    scheduler.wake()
    step.called.get(timeout=HANGING)
    assert "desk" in caplog.text


def test_a_round_that_the_database_ended_is_made_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.machine.steps._AGAIN", timedelta(milliseconds=10))
    scheduler, step = Scheduler(utc_now, poll_seconds=3600), Round(Temporary("the database is away"))
    scheduler.add("desk", step)
    scheduler.start()
    for _ in range(2):
        step.called.get(timeout=HANGING)
    scheduler.stop()


def test_a_watched_mailbox_wakes_its_step_and_is_left_in_peace_otherwise(scheduler: Scheduler) -> None:
    step, arrival = Round(), threading.Event()

    def watch(woken: threading.Event) -> None:
        while not woken.is_set() and not arrival.wait(0.01):
            pass
        arrival.clear()

    scheduler.add("imap", step, watch=watch)
    scheduler.start()
    step.called.get(timeout=HANGING)
    scheduler.wake()
    with pytest.raises(queue.Empty):
        step.called.get(timeout=0.2)
    arrival.set()
    step.called.get(timeout=HANGING)


def test_stopping_waits_for_the_piece_of_work_in_hand(scheduler: Scheduler) -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    class Slow:
        def step(self, now: datetime) -> None:
            begun.set()
            may_end.wait(HANGING)
            ended.set()

    scheduler.add("desk", Slow())
    scheduler.start()
    assert begun.wait(HANGING)
    stopping = threading.Thread(target=scheduler.stop)
    stopping.start()
    assert not ended.is_set()
    may_end.set()
    stopping.join(HANGING)
    assert ended.is_set()


def test_a_slow_mail_server_holds_up_nobody_else_s_mail(world: World, scheduler: Scheduler) -> None:
    arrived: queue.SimpleQueue[str] = queue.SimpleQueue()
    answers = threading.Event()

    class Way:
        def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
            del raw, envelope_from
            if recipient.endswith("@slow.example"):
                answers.wait(HANGING)
            arrived.put(recipient)

    slow, quick = [f"p{n}@slow.example" for n in range(5)], [f"p{n}@quick.example" for n in range(20)]
    with world.database.transaction() as session:
        mails = [outbox.Queued(f"report:{to}", to, "", f"<{to}>", b"x") for to in (*slow, *quick)]
        outbox.queue_all(session, mails, world.time)
    couriers = Crew()
    couriers.hire(scheduler, "courier", 4, Delivery(world.service, Way(), Pace(each=2), couriers.call))
    scheduler.start()
    assert sorted(arrived.get(timeout=HANGING) for _ in quick) == sorted(quick)
    answers.set()
    assert sorted(arrived.get(timeout=HANGING) for _ in slow) == sorted(slow)
    assert arrived.empty(), "each once"


def test_a_mail_and_its_receipt_are_handed_to_threads_that_have_nothing_to_do(world: World) -> None:
    server = Server(world.database, world.service.identity, lambda: world.time)
    server.arrivals.idle = server.departures.idle = lambda: 1
    outlook = Outlook(server.database)
    intake, delivery = Intake(server, outlook), Delivery(server, world)
    for number in (1, 2):
        raw = f"From: {FRANCE}\r\nMessage-ID: <{number}@x.org>\r\n\r\nLIST\r\n".encode()
        accept(server, ArrivedMail("smtp", raw, world.time, (), FRANCE))
    assert [mail.tries for mail in world.inbox()] == [1, 0], "one is promised to the one who is free"
    with statements(world.database) as seen:
        assert intake.step(world.time) == world.time
        assert delivery.step(world.time) is None, "nothing else is to be sent"
    assert not any("leased_until <= ?" in one for one in seen), "neither was looked for"
    assert len(world.mailboxes[FRANCE]) == 1
    assert drain((outlook, intake, delivery), lambda: world.time) is None
    assert len(world.mailboxes[FRANCE]) == 2


@pytest.mark.parametrize(
    ("text", "after", "looks"),
    [
        (OPENINGS["France"], 0.0, False),
        (f"Hello!\n{OPENINGS['France']}\nA LON-YOR", 0.0, False),
        (OPENINGS["France"], 2.0, True),  # the last look was too long ago
        (f"{OPENINGS['France']}\nREADY", 0.0, True),
        (f"{OPENINGS['France']}\nSTATUS", 0.0, True),
        ("S1902M\nA PAR-BUR", 0.0, True),
        ("Hello!", 0.0, False),
    ],
)
def test_after_orders_that_were_handed_over_nobody_looks_for_other_work(
    world: World, text: str, after: float, *, looks: bool
) -> None:
    seats = world.started()
    server = Server(world.database, world.service.identity, lambda: world.time)
    steps = desk(server)
    drain(steps, lambda: world.time)
    server.arrivals.idle = lambda: 1
    world.time += timedelta(seconds=after)
    raw = world.mail(FRANCE, seats["France"], text)
    accept(server, ArrivedMail("smtp", raw, world.time, (seats["France"],), FRANCE))
    with statements(world.database) as seen:
        drain(steps, lambda: world.time)
    assert any("FROM question" in one for one in seen) == looks
    assert world.inbox()[-1].state in ANSWERED


def test_a_mail_that_came_beside_one_that_was_handed_over_is_found(world: World) -> None:
    seats = world.started()
    server = Server(world.database, world.service.identity, lambda: world.time)
    steps = desk(server)
    drain(steps, lambda: world.time)
    server.arrivals.idle = lambda: 1
    for power, sender in (("France", FRANCE), ("England", player("England"))):
        raw = world.mail(sender, seats[power], OPENINGS[power])
        accept(server, ArrivedMail("smtp", raw, world.time, (seats[power],), sender))
    drain(steps, lambda: world.time)
    assert [mail.state for mail in world.inbox()[-2:]] == [InboxState.DONE] * 2


def test_a_helper_writes_the_reports_of_a_game_before_it_adjudicates_another(world: World) -> None:
    for name in ("spring", "summer"):
        world.started(name)
    world.pass_time_quietly(days=9)
    seen: list[tuple[bool, bool]] = []

    def look() -> None:
        with world.database.reading() as session:
            work = agenda.next_work(session)
        seen.append((work.report is not None, work.deadline is not None and work.deadline <= world.time))

    drain(helping(world.service), lambda: world.time, look)
    assert seen[:2] == [(True, True), (False, True)]
    assert seen[-1] == (False, False)


def test_what_was_not_stored_is_not_handed_over(world: World) -> None:
    hands: Handover[int] = Handover()
    hands.idle = lambda: 1
    with contextlib.suppress(ZeroDivisionError), hands.offered() as offer:
        assert offer is not None
        offer.append(1 // 0)
    with hands.offered() as first, hands.offered() as second:
        assert (first, second) == ([], None), "one is free"
    assert hands.take() is None


def test_what_the_first_mails_need_is_built_before_any_of_them(world: World) -> None:
    seats = world.started()
    for built_once in (order_parser, grammar._remembered, grammar._tried):
        built_once.cache_clear()
    assert Preparation(world.service, verifies=False).step(world.time) is None
    built = order_parser.cache_info().misses
    world.send(FRANCE, seats["France"], OPENINGS["France"])
    assert built == order_parser.cache_info().misses > 0
    assert not patterns._LATE
