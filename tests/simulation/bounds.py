"""How many mails the server sends to whom, and how long. Every method raises Broken."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta

from tests.simulation.faults import Broken
from tests.simulation.world import Got, World

STRANGER_A_DAY, STRANGER_AN_HOUR = 20, 10
"""The most answers to a stranger (docs/limits.md)."""


class Bounds:
    """Counts what is delivered."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._to_stranger: dict[str, dict[str, datetime]] = defaultdict(dict)
        """When each mail came to a stranger; one whose acceptance was lost on the way comes again."""

    def delivered(self, got: Got) -> None:
        """A stranger gets no more answers than the limits say; a count may begin at any time, so that two fit into a
        day."""
        if not got.recipient.endswith("@strangers.sim"):
            return
        times = self._to_stranger[got.recipient]
        times.setdefault(got.message_id, got.at)
        for most, span in ((STRANGER_AN_HOUR, timedelta(hours=1)), (STRANGER_A_DAY, timedelta(days=1))):
            if sum(got.at - span < at for at in times.values()) > 2 * most and not self.world.skew:
                raise Broken(f"{got.recipient} got more than {2 * most} mails in {span}")
