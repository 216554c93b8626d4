"""No deadline is met before all mail that was received in time has been acted on; how long it waits, and what then.

Long because all that a deadline waits for is read together.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from sqlalchemy import update

from gm.board import Power
from gm.inbound.acceptance import accept
from gm.machine.deadlines import catch_up
from gm.machine.steps import Deadlines, Delivery, desk, drain
from gm.machine.ways_in import WaysIn
from gm.mail.transport.listener import Listener
from gm.settings import ClockSettings, ListenSettings
from gm.store import inbox, records, senders, ways
from gm.store.agenda import Outlook
from gm.store.inbox import ArrivedMail
from tests.server.world import BASE, START, World, player, reply_to, text_of

FRANCE, MASTER = player("France"), "master@example.org"
DUE = START + timedelta(hours=24)
SOON = timedelta(seconds=1)


@dataclass
class Mailbox:
    """A way in of which the test says until when it is drained."""

    until: datetime | None = None
    name: str = "imap gm@imap.example.org/INBOX"
    shared: bool = True
    looked: int = 0

    def begin(self, drained: datetime | None, now: datetime) -> None:
        self.until = self.until or drained

    def drained(self, now: datetime) -> datetime | None:
        return self.until

    def look(self) -> None:
        self.looked += 1


@dataclass
class Site:
    """A world, and the steps of a server that reads a mailbox."""

    world: World
    mailbox: Mailbox
    seats: dict[str, str]

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """The server starts."""
        own = WaysIn(self.world.service, (self.mailbox,), self.mailbox.look)
        self.steps = (*desk(self.world.service, own), Delivery(self.world.service, self.world))

    def go_on(self, step: int = 1, **length: float) -> datetime | None:
        """Let time go by, a minute at a time at most, as the server is woken, or a `step` of so many."""
        end = self.world.time + timedelta(**length)
        while self.world.time < end:
            self.world.time = min(end, self.world.time + timedelta(minutes=step))
            wanted = drain(self.steps, lambda: self.world.time)
        return wanted


def has_moved(world: World) -> bool:
    """Whether A PAR-BUR has been adjudicated."""
    position = world.game().position
    return position is not None and "bur" in {unit.at for unit in position.units_of(Power("France"))}


@pytest.fixture
def site(world: World) -> Site:
    seats = world.started(options="first=24h")
    world.pass_time_quietly(hours=23, minutes=58)
    site = Site(world, Mailbox(until=world.time - SOON), seats)
    drain(site.steps, lambda: world.time)
    return site


def test_a_deadline_waits_until_the_mailbox_was_read_after_it(site: Site) -> None:
    assert site.go_on(minutes=3) == site.world.time + SOON
    assert site.world.phase() == "S1901M"
    assert site.mailbox.looked, "it is asked to look now, not at its next turn"
    raw = site.world.mail(FRANCE, site.seats["France"], "A PAR-BUR")
    accept(site.world.service, ArrivedMail("imap", raw, DUE - timedelta(seconds=10), (site.seats["France"],)))
    site.mailbox.until = DUE
    site.go_on(minutes=1)
    assert site.world.phase() == "F1901M"
    mails = [text_of(mail) for mail in site.world.mailboxes[FRANCE]]
    assert any("Army Paris -> Burgundy" in mail for mail in mails[-2:])
    assert not any("too late" in mail for mail in mails)
    assert has_moved(site.world)


def test_a_way_that_is_added_is_opened_at_once(world: World) -> None:
    ways = WaysIn(world.service, (Mailbox(until=world.time),))
    ways.step(world.time)
    ways.add(Mailbox(name="imap gm@imap.example.org/Spam", until=world.time - SOON))
    ways.step(world.time)
    assert ways.drained(world.time, world.time) == world.time - SOON


def waiting(world: World) -> list[str]:
    """What operator and gamemaster were told of deadlines that wait."""
    mails = [*world.mailboxes.get("operator@example.org", []), *world.mailboxes[MASTER]]
    return [text_of(mail) for mail in mails if "It waits until all mail that came before it" in text_of(mail)]


@pytest.mark.way_in(number=1)
def test_operator_and_gamemaster_are_told_of_a_deadline_that_waits(site: Site) -> None:
    site.go_on(minutes=3)
    assert waiting(site.world) == [], "a minute is nothing"
    site.go_on(minutes=20)
    told = waiting(site.world)
    assert len(told) == 2, "once each"
    assert all("Mail could not be fetched in time for the deadline of S1901M" in one for one in told)
    assert site.mailbox.name in told[0]


@pytest.mark.way_in(number=1)
def test_so_they_are_when_the_server_was_down(site: Site) -> None:
    site.world.pass_time_quietly(hours=30)
    site.begin()
    site.go_on(minutes=10)
    told = waiting(site.world)
    assert len(told) == 2
    assert all("The server was down at the deadline of S1901M" in one for one in told)


@pytest.mark.way_in(number=1)
def test_a_mailbox_that_was_never_open_is_waited_for_too(world: World) -> None:
    seats = world.started(options="first=24h")
    world.pass_time_quietly(hours=30)
    site = Site(world, Mailbox(), seats)
    site.go_on(minutes=60)
    assert world.phase() == "S1901M"
    assert world.game().due_at == DUE, "neither met nor extended"
    site.go_on(minutes=30)
    assert "Mail could not be fetched in time for the deadline of S1901M" in text_of(world.last(FRANCE))


def test_what_comes_while_it_waits_is_too_late(site: Site) -> None:
    site.go_on(minutes=5)
    raw = site.world.mail(FRANCE, site.seats["France"], "A PAR-BUR")
    accept(site.world.service, ArrivedMail("imap", raw, site.world.time, (site.seats["France"],)))
    site.go_on(minutes=1)
    assert site.world.phase() == "S1901M"
    assert "came after the deadline" in text_of(site.world.last(FRANCE))


def test_the_wait_is_bounded_and_everybody_is_told(site: Site) -> None:
    site.go_on(minutes=1 + ways.BOUND.total_seconds() / 60)
    assert site.world.phase() == "S1901M"
    site.go_on(minutes=1)
    due = site.world.game().due_at
    assert due is not None
    assert due >= site.world.time + timedelta(hours=23)
    for who in (FRANCE, MASTER):
        assert "Mail could not be fetched in time for the deadline of S1901M" in text_of(site.world.last(who))
    with site.world.looking() as session:
        found = next(one for one in records.log_of(session, site.world.game().id) if one.kind == "outage")
    assert found.detail["undrained"] == site.mailbox.name


def test_after_an_outage_the_wait_begins_with_the_start(site: Site) -> None:
    site.world.pass_time_quietly(hours=30)
    site.begin()
    site.go_on(minutes=60)
    assert site.world.phase() == "S1901M", "neither met nor extended"
    assert site.world.game().due_at == DUE
    site.mailbox.until = site.world.time
    site.go_on(minutes=1)
    assert site.world.phase() == "F1901M"


def test_so_it_does_when_the_machine_was_asleep(site: Site) -> None:
    site.world.pass_time_quietly(hours=30)
    site.go_on(minutes=60)
    assert site.world.game().due_at == DUE
    site.mailbox.until = site.world.time
    site.go_on(minutes=1)
    assert site.world.phase() == "F1901M"


@pytest.mark.parametrize("text", ["PROCESS", "READY"], ids=["PROCESS", "all orders are in"])
def test_so_does_a_phase_that_is_closed_early(site: Site, text: str) -> None:
    """Another player's change of mind may lie in the mailbox."""
    world = site.world
    if text == "PROCESS":
        world.arrive(MASTER, site.seats["GM"], "PROCESS")
    else:
        for power, seat in site.seats.items():
            if power != "GM":
                world.arrive(player(power), seat, "READY")
    drain(site.steps, lambda: world.time)
    for asked in world.mailboxes[MASTER][-1:]:
        if "confirm" in str(asked["Subject"]):
            world.arrive(MASTER, reply_to(asked), "YES")
    raw = world.mail(FRANCE, site.seats["France"], "A PAR-BUR")
    sent = world.time - timedelta(seconds=5)
    site.go_on(seconds=10)
    assert world.phase() == "S1901M"
    accept(world.service, ArrivedMail("imap", raw, sent, (site.seats["France"],)))
    site.mailbox.until = world.time
    site.go_on(seconds=10)
    assert world.phase() == "F1901M"
    assert has_moved(world)


def test_a_deadline_waits_for_a_mail_that_is_tried_again(world: World) -> None:
    """It came in time, and has failed once: its next try is in half a minute."""
    seats = world.started(options="first=24h")
    world.pass_time_quietly(hours=23, minutes=59)
    world.arrive(FRANCE, seats["France"], "A PAR-BUR")
    with world.database.transaction() as session:
        mail = inbox.next_new(session, world.time)
        assert mail is not None
        inbox.failed_try(session, mail.id, world.time, "it failed", timedelta(minutes=2))
    world.pass_time(minutes=1)
    assert world.phase() == "S1901M"
    world.pass_time(minutes=1)
    assert world.phase() == "F1901M"
    assert has_moved(world)


def test_so_it_does_for_a_mail_of_the_gamemaster_to_the_servers_address(world: World) -> None:
    world.started(options="first=24h")
    world.pass_time_quietly(hours=23, minutes=59)
    raw = world.mail(MASTER, BASE, "LIST")
    accept(world.service, ArrivedMail("smtp", raw, world.time, (BASE,), MASTER, peer="192.0.2.1"))
    world.pass_time(minutes=1)
    assert world.phase() == "S1901M"
    with world.database.transaction() as session:
        assert senders.skip_checks(session)
    world.work()
    assert world.phase() == "F1901M"


def test_questions_are_not_closed_before_answers_that_came_in_time_are_read(site: Site) -> None:
    world = site.world
    world.arrive("other@example.org", site.seats["France"], "A PAR-BUR")
    drain(site.steps, lambda: world.time)
    asked = world.last(FRANCE)
    world.arrive(MASTER, site.seats["GM"], "PAUSE")
    site.go_on(4, days=3, minutes=10)
    raw = world.mail(FRANCE, reply_to(asked), "NO")
    accept(world.service, ArrivedMail("imap", raw, DUE, (reply_to(asked),)))
    site.go_on(minutes=1)
    answers = [text_of(mail) for mail in world.mailboxes[FRANCE][-2:]]  # the other is their new address
    assert any("Discarded" in said for said in answers), answers


def test_process_says_when_mail_from_before_is_waited_for(site: Site) -> None:
    world = site.world
    site.mailbox.until = world.time
    site.go_on(minutes=1)
    world.arrive(MASTER, site.seats["GM"], "PROCESS")
    drain(site.steps, lambda: world.time)
    assert "on its way" not in said_last(world, MASTER, "is adjudicated now")
    site.mailbox.until = world.time
    site.go_on(minutes=1)
    assert world.phase() == "F1901M"
    site.go_on(minutes=5)
    world.arrive(MASTER, site.seats["GM"], "PROCESS")
    drain(site.steps, lambda: world.time)
    assert "on its way, and is waited for, 75 minutes at most" in said_last(world, MASTER, "adjudicated now")
    assert world.phase() == "F1901M"
    site.mailbox.until = world.time
    site.go_on(minutes=1)
    assert world.phase() != "F1901M"


def said_last(world: World, address: str, words: str) -> str:
    """The newest mail that has these words, on one line."""
    texts = (" ".join(text_of(mail).split()) for mail in reversed(world.mailboxes[address]))
    return next(text for text in texts if words in text)


# ---- several servers, and what they leave behind


def test_a_mailbox_is_one_way_however_many_read_it_and_a_listener_is_each_ones_own(world: World) -> None:
    with world.database.transaction() as session:
        assert ways.open_way(session, "imap", START, shared=True) == ("imap", None)
        ways.renew_ways(session, [("imap", START)], START)
        assert ways.open_way(session, "imap", START, shared=True) == ("imap", START)
        ways.renew_ways(session, [("imap", None)], START)
        assert ways.open_way(session, "lmtp", START, shared=False) == ("lmtp", None)
        assert ways.open_way(session, "lmtp", START, shared=False) == ("lmtp #2", None)
        ways.renew_ways(session, [("lmtp", START), ("lmtp #2", START - SOON)], START)
        least = ways.least_drained(session, START)
        assert least is not None
        assert least.name == "lmtp #2"
        later = START + ways.WAY_LEASE
        assert ways.open_way(session, "lmtp", later, shared=False) == ("lmtp", START), "its server has died"
        assert ways.least_drained(session, START + ways.GONE_AFTER) is None
        assert ways.open_way(session, "imap 2", later, shared=True) == ("imap 2", None), "nobody has looked into it"


@pytest.mark.way_in(number=1)
def test_a_listener_that_was_never_open_waits_for_what_came_while_no_server_was_there(world: World) -> None:
    """A mail server in front has kept it."""
    with world.database.transaction() as session:
        assert ways.open_way(session, "smtp", START, shared=False) == ("smtp", None)
        ways.renew_ways(session, [("smtp", START)], START)
        assert ways.open_way(session, "lmtp", START, shared=False) == ("lmtp", None), "another server was there"
    with world.database.transaction() as session:
        later = START + timedelta(hours=3)
        assert ways.open_way(session, "lmtp 2", later, shared=False) == ("lmtp 2", START)


def test_a_clock_that_was_ahead_does_not_hide_that_a_listener_was_away(world: World) -> None:
    """Found by the simulation: mail that waited in front counted as taken, because the way was drained until a time to
    come.
    """
    ahead, day_before = START + timedelta(hours=2), START - ways.GONE_AFTER
    with world.database.transaction() as session:
        ways.open_way(session, "smtp", START, shared=False)
        ways.renew_ways(session, [("smtp", ahead)], ahead)
    with world.database.transaction() as session:
        session.execute(update(ways.WayRow).values(leased_until=None))  # it has died, and started again
        assert ways.open_way(session, "smtp", START, shared=False) == ("smtp", day_before)
        ways.renew_ways(session, [("smtp", START - SOON)], START)
        least = ways.least_drained(session, START)
        assert least is not None
        assert least.drained_until == START
    with world.database.transaction() as session:
        session.execute(update(ways.WayRow).values(leased_until=None))
        assert ways.open_way(session, "smtp", START + SOON, shared=False) == ("smtp", START)


@pytest.mark.way_in(number=1)
def test_a_listener_that_is_gone_holds_nothing_while_another_takes_mail(world: World) -> None:
    """What it does not take is handed to the other; nor does it when it is there again, or another one comes."""
    with world.database.transaction() as session:
        for name in ("lmtp", "lmtp #2", "imap"):
            ways.open_way(session, name, START, shared=name == "imap")
        ways.renew_ways(session, [(name, START) for name in ("lmtp", "lmtp #2", "imap")], START)
        hour, soon = START + timedelta(hours=1), START + timedelta(hours=1, minutes=1)
        ways.renew_ways(session, [("lmtp #2", hour), ("imap", hour)], hour)
        least = ways.least_drained(session, soon)
        assert least is not None
        assert least.drained_until == hour, "the lease of the first has ended"
        assert ways.open_way(session, "lmtp", soon, shared=False) == ("lmtp", None), "it begins without a gap"
        ways.renew_ways(session, [("lmtp", soon)], soon)
        then = soon + timedelta(minutes=2)
        assert ways.open_way(session, "smtp", then, shared=False) == ("smtp", hour), "it waits with one that waits"
        later = hour + ways.WAY_LEASE
        ways.renew_ways(session, [("smtp", later)], later)
        least = ways.least_drained(session, later)
        assert least is not None
        assert least.name == "imap", "nobody reads the mailbox, and no listener does instead"


def test_a_listener_that_opens_when_the_last_one_has_just_stopped_waits_for_what_came_since(world: World) -> None:
    """Not for as long as it was away itself: until then the other took the mail."""
    with world.database.transaction() as session:
        for name in ("lmtp", "lmtp #2"):
            assert ways.open_way(session, "lmtp", START, shared=False) == (name, None)
        ways.renew_ways(session, [("lmtp", START), ("lmtp #2", START)], START)
        stopped = START + timedelta(hours=3)
        ways.renew_ways(session, [("lmtp #2", stopped)], stopped)
        session.execute(update(ways.WayRow).values(leased_until=None))
        assert ways.open_way(session, "lmtp", stopped + SOON, shared=False) == ("lmtp", stopped)


def test_so_a_deadline_waits_for_minutes_when_one_server_follows_another(world: World) -> None:
    """Ten minutes, after which a mail server in front has tried again; it was 75."""
    world.started(options="first=24h")
    world.pass_time_quietly(hours=20)
    site = Site(world, Mailbox(), {})
    listener = Listener(ListenSettings(port=0, protocol="lmtp"), lambda _: True, lambda _: True)
    with world.database.transaction() as session:
        both = [ways.open_way(session, listener.name, world.time, shared=False)[0] for _ in range(2)]
        ways.renew_ways(session, [(name, world.time) for name in both], world.time)
    world.time = DUE - SOON
    with world.database.transaction() as session:
        ways.renew_ways(session, [(both[1], world.time)], world.time)
        session.execute(update(ways.WayRow).values(leased_until=None))
    site.steps = (*desk(world.service, WaysIn(world.service, [listener])), Delivery(world.service, world))
    site.go_on(minutes=9)
    assert world.phase() == "S1901M", "a mail that came in between may be tried again"
    site.go_on(minutes=5)
    assert world.phase() == "F1901M"


@pytest.mark.way_in(number=1)
def test_when_no_listener_is_left_deadlines_wait_and_are_extended_and_that_is_told(world: World) -> None:
    site = Site(world, Mailbox(), world.started(options="first=24h"))
    site.steps = (*desk(world.service), Delivery(world.service, world))
    world.pass_time_quietly(hours=23)
    last = {"lmtp": world.time, "lmtp #2": world.time - SOON}
    with world.database.transaction() as session:
        for name in last:
            ways.open_way(session, name, world.time, shared=False)
        ways.renew_ways(session, last.items(), world.time)
        session.execute(update(ways.WayRow).values(leased_until=None))
    site.go_on(minutes=70)
    assert (world.phase(), world.game().due_at) == ("S1901M", DUE)
    told = waiting(world)
    assert len(told) == 2
    assert "It waits for lmtp #2" in told[0]
    site.go_on(minutes=70)
    due = world.game().due_at
    assert (world.phase(), due and due > world.time) == ("S1901M", True)
    assert "Mail could not be fetched in time for the deadline of S1901M" in text_of(world.last(FRANCE))


def test_a_server_without_a_way_waits_for_those_of_the_others(site: Site) -> None:
    alone = desk(site.world.service)
    site.world.time = DUE + SOON
    drain(alone, lambda: site.world.time)
    assert site.world.phase() == "S1901M"
    site.mailbox.until = site.world.time
    site.begin()
    drain(site.steps[:1], lambda: site.world.time)
    drain(alone, lambda: site.world.time)
    assert site.world.phase() == "F1901M"


@pytest.mark.parametrize("alone", [True, False])
def test_where_nobody_keeps_the_mail_meanwhile_what_was_missed_is_extended(world: World, alone: bool) -> None:
    world.started(options="first=24h")
    world.pass_time_quietly(hours=26)
    assert catch_up(world.service, ClockSettings(), alone=alone) == int(alone)
    world.work()
    assert world.phase() == ("S1901M" if alone else "F1901M")


def test_who_is_told_that_a_deadline_waits_is_told_at_once(world: World) -> None:
    """The step asks to be called again, as after any work: only then are those woken who send mail."""
    world.started(options="first=24h")
    closing = Deadlines(world.service, Outlook(world.service.database), WaysIn(world.service, [Mailbox(START)]))
    world.time = DUE + timedelta(minutes=5)
    closing.outlook.step(world.time)
    assert closing.step(world.time) == world.time
    later = closing.step(world.time)
    assert later is not None
    assert later > world.time
