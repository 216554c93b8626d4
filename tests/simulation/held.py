"""Mails that wait for a digest, and those that went with one: none waits for ever, and none is lost. Every method
raises Broken."""

from __future__ import annotations

from datetime import timedelta

from tests.simulation.faults import Broken
from tests.simulation.promises import Promise
from tests.simulation.rows import moment
from tests.simulation.world import World

_LONGEST = timedelta(hours=25)
"""From one digest to the next, when the clocks are put back."""


class Held:
    """Looks at what is held for digests."""

    def __init__(self, world: World) -> None:
        self.world = world

    def look(self) -> None:
        """Nothing is held for longer than until the next digest, and what went with a digest is in one."""
        for row in self.world.rows(
            "SELECT recipient, purpose, created_at, next_try_at FROM outbox WHERE state = 'held'"
        ):
            self.world.checks(Promise.HELD)
            if moment(row.next_try_at) - moment(row.created_at) > _LONGEST:
                raise Broken(f"{row.purpose} to {row.recipient} of {row.created_at} is held until {row.next_try_at}")
        gathered = self.world.rows("SELECT count(*) AS n FROM outbox WHERE state = 'gathered'")[0].n
        self.world.checks(Promise.GATHERED, gathered)
        lost = self.world.rows(
            "SELECT o.recipient, o.purpose FROM outbox o WHERE o.state = 'gathered' AND NOT EXISTS (SELECT 1 FROM"
            " outbox d WHERE d.message_id = o.message_id AND d.state <> 'gathered')"
        )
        for row in lost:
            raise Broken(f"{row.purpose} to {row.recipient} went with a digest that is not there")

    def rested(self) -> None:
        """After quiet days no digest is overdue, and all that went with one that was sent counts as sent."""
        self.look()
        late = self.world.rows("SELECT recipient, purpose, next_try_at FROM outbox WHERE state = 'held'")
        for row in late:
            if moment(row.next_try_at) < self.world.now - timedelta(hours=2):
                raise Broken(f"{row.purpose} to {row.recipient} waits since {row.next_try_at} for a digest")
        unsent = self.world.rows(
            "SELECT o.purpose, o.recipient FROM outbox o JOIN outbox d ON d.message_id = o.message_id"
            " WHERE o.state = 'gathered' AND o.sent_at IS NULL AND d.state = 'sent'"
        )
        for row in unsent:
            raise Broken(f"{row.purpose} to {row.recipient} went with a digest that was sent, and counts as not sent")
