"""No lease outlives its holder: on mails and reports, and on the ways in. Every method raises Broken."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.simulation.faults import Broken
from tests.simulation.promises import Promise
from tests.simulation.rows import moment
from tests.simulation.world import World

LEASES = {
    "inbox": timedelta(minutes=7, seconds=1),
    "report_queue": timedelta(minutes=2, seconds=1),
    "outbox": timedelta(minutes=15, seconds=1),
}
"""The longest lease on a row of these tables; on one of the inbox also the longest pause after a failure."""
WAY = timedelta(minutes=5, seconds=1)
"""The longest lease on a way in."""
_AHEAD = timedelta(hours=2)
"""How far ahead a wrong clock is, by which a server that then died has leased."""


class Leases:
    """Looks at the leases when nobody works, so that one is a pause, or that of a server that died within its
    length."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._disturbed: list[datetime] = []
        """When something happened that may have left a lease."""

    def look(self) -> None:
        """All leases."""
        now = self.world.server_clock()
        for table, lease in LEASES.items():
            longest = lease + abs(self.world.ways.drift)
            rows = self.world.rows(f"SELECT max(leased_until) AS until FROM {table} WHERE leased_until IS NOT NULL")
            self.world.checks(Promise.LEASES, rows[0].until is not None)
            until = moment(rows[0].until) if rows[0].until is not None else now
            if until - now > longest and not self.world.skew and now - self.world.skewed_until > longest:
                raise Broken(f"a lease on {table} lasts {until - now}")
            dead = self.world.last_crash + longest
            if table != "inbox" and until > now and until > dead and not self._disturbed_lately(longest):
                raise Broken(f"a lease on {table} until {until} is nobody's")
        self._ways(now)

    def _disturbed_lately(self, longest: timedelta) -> bool:
        return any(machine.full for machine in self.world.machines) or self.world.disturbances != self._calm(longest)

    def _calm(self, longest: timedelta) -> int:
        """The number of disturbances that were long ago."""
        times = self._disturbed
        while len(times) < self.world.disturbances:
            times.append(self.world.now)
        return sum(self.world.now - at > longest for at in times)

    def _ways(self, now: datetime) -> None:
        """A way in is leased by a server that runs, or ended a moment ago; two servers have different ways, but for a
        mailbox that both read; and none is drained until a time to come."""
        longest = WAY + abs(self.world.ways.drift)
        if self.world.skew or now - self.world.skewed_until <= longest + _AHEAD:
            return
        held = set[str]()
        for name, shared in (way for machine in self.world.machines if machine.up for way in machine.ways_in()):
            if name in held and not shared:
                raise Broken(f"two servers have the way in {name}")
            held.add(name)
        for row in self.world.rows("SELECT name, drained_until, heard_at, leased_until FROM way_in"):
            self.world.checks(Promise.WAYS)
            until = moment(row.leased_until) if row.leased_until is not None else now
            if until - now > longest:
                raise Broken(f"the lease on the way in {row.name} lasts {until - now}")
            if until > now and row.name not in held and not self._ended_lately(longest):
                raise Broken(f"the lease on the way in {row.name} until {until} is nobody's")
            if max(moment(row.drained_until), moment(row.heard_at)) > now + longest - WAY:
                raise Broken(f"the way in {row.name} is drained until {row.drained_until}, which is to come")

    def _ended_lately(self, longest: timedelta) -> bool:
        """Whether a server has stopped or died within this time."""
        return self.world.now - self.world.last_end <= longest or self._disturbed_lately(longest)
