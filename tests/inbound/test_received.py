"""When a mail counts as received that a sender drew out, or that a mail server in front of us kept."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from gm.inbound.acceptance import accept
from gm.machine.steps import drain
from gm.store.inbox import ArrivedMail, InboxRow
from tests.machine.test_ways_in import DUE, FRANCE, Mailbox, Site
from tests.server.world import BASE, World, proved, text_of

IN_TIME = DUE - timedelta(seconds=10)


@pytest.mark.parametrize(
    ("stamp", "arrived", "drained", "counts"),
    [
        (0, 4, 4, 0),
        (0, 5, 5, 0),
        (0, 6, 6, 6),
        (0, 300, 300, 300),
        (0, 300, 4, 0),
        (0, 70, 0, 0),
        (0, 70, 6, 70),
        (0, 0, 0, 0),
    ],
    ids=[
        "as most do", "a slow filter", "drawn out past the deadline", "for hours", "kept while we were away, from then",
        "and from before it", "drawn out, and we were away only later", "without a server in front",
    ],
)  # fmt: skip
def test_a_stamp_counts_within_minutes_or_while_deadlines_wait_for_it(
    world: World, stamp: int, arrived: int, drained: int, counts: int
) -> None:
    def at(minutes: int) -> datetime:
        return IN_TIME + timedelta(minutes=minutes)

    seats = world.started(options="first=24h")
    world.pass_time_quietly(hours=23, minutes=50)
    site = Site(world, Mailbox(until=world.time), seats)
    site.mailbox.until, world.time = at(drained), at(arrived)
    drain(site.steps, lambda: world.time)
    raw = world.mail(FRANCE, seats["France"], "A PAR-BUR")
    accept(world.service, ArrivedMail("lmtp", raw, at(stamp), (seats["France"],), arrived_at=at(arrived)))
    with world.service.database.transaction() as session:
        received = session.scalars(select(InboxRow.received_at).order_by(InboxRow.id.desc()).limit(1)).one()
    assert received == at(counts)


@pytest.mark.parametrize("below", ["", "GAME spring\n"])
def test_of_late_orders_the_gamemaster_hears_when_they_were_all_there(world: World, below: str) -> None:
    """The stamp is from when their sending began, and whoever drew it out may have read the results meanwhile."""
    seats = world.started(options="first=24h")
    world.pass_time_quietly(hours=23, minutes=59)
    site = Site(world, Mailbox(until=DUE), seats)
    site.mailbox.until = DUE + timedelta(minutes=30)
    site.go_on(minutes=5)
    assert world.phase() == "F1901M"
    to, stamp = BASE if below else seats["France"], DUE - timedelta(seconds=5)
    raw = world.mail(FRANCE, to, f"{below}S1901M\nA PAR-BUR", headers={**proved(FRANCE), "In-Reply-To": ""})
    accept(world.service, ArrivedMail("lmtp", raw, stamp, (to,), FRANCE, arrived_at=world.time))
    site.go_on(minutes=1)
    said = " ".join(text_of(world.last("master@example.org")).split())
    assert "4 minutes after the deadline" in said
    assert "before the deadline" not in said


def test_orders_whose_end_was_kept_back_until_the_results_were_known_are_too_late(world: World) -> None:
    seats = world.started(options="first=24h")
    world.pass_time_quietly(hours=23, minutes=58)
    site = Site(world, Mailbox(until=DUE), seats)
    site.go_on(minutes=1)
    site.mailbox.until = DUE + timedelta(minutes=30)
    site.go_on(minutes=20)
    assert world.phase() == "F1901M"
    raw = world.mail(FRANCE, seats["France"], "S1901M\nA PAR-BUR")
    accept(world.service, ArrivedMail("lmtp", raw, IN_TIME, (seats["France"],), arrived_at=world.time))
    site.go_on(minutes=1)
    with world.service.database.transaction() as session:
        received = session.scalars(select(InboxRow.received_at).order_by(InboxRow.id.desc()).limit(1)).one()
    assert received > DUE
    assert "S1901M" in text_of(world.last(FRANCE))
