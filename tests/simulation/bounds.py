"""How many mails the server sends to whom, and how long. Every method raises Broken."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from tests.simulation.faults import Broken
from tests.simulation.people import Letter
from tests.simulation.promises import Promise
from tests.simulation.world import Got, World

_DAY = timedelta(days=1)

STRANGER_A_DAY, STRANGER_AN_HOUR = 20, 10
"""The most answers to a stranger (docs/limits.md)."""
ANSWERS: Mapping[str, Sequence[tuple[int, timedelta]]] = {
    "forged": ((30, timedelta(hours=1)), (100, timedelta(days=1))),
    "unmarked robot": ((5 + 6, timedelta(hours=1)), (12 + 24, timedelta(days=1))),
}
"""The most answers to mails of these kinds, to one sender; of all others: those of a seat. Beyond the limits, a seat's
mails are answered together: every ten minutes within an hour, every hour within a day."""
OF_A_SEAT: Sequence[tuple[int, timedelta]] = ((60, timedelta(hours=1)), (300, timedelta(days=1)))
BYTES_A_DAY = 40_000_000
"""The most octets that answers to one sender have in a day."""


class Bounds:
    """Counts what is delivered."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._to_stranger: dict[str, dict[str, datetime]] = defaultdict(dict)
        """When each mail came to a stranger; one whose acceptance was lost on the way comes again."""
        self._answers: dict[tuple[str, str], deque[tuple[datetime, int]]] = defaultdict(deque)
        """When answers to each sender's mails of a kind were written, and how long they were."""

    def answered(self, letter: Letter, octets: int) -> None:
        """Nobody gets more answers than the limits say, nor more octets: players and gamemasters those of a seat, those
        in whose name others write and programs that do not say that they are one fewer."""
        group = letter.kind if letter.kind in ANSWERS else ""
        now, answers = self.world.now, self._answers[letter.sender, group]
        answers.append((now, octets))
        while answers[0][0] < now - _DAY:
            answers.popleft()
        if self.world.skew or now - self.world.skewed_until < _DAY:
            return
        self.world.checks(Promise.BOUNDED)
        for most, span in ANSWERS.get(group, OF_A_SEAT):
            if sum(at > now - span for at, _ in answers) > 2 * most:
                raise Broken(f"{letter.sender} got more than {2 * most} answers to mails of kind {group!r} in {span}")
        if sum(size for _, size in answers) > 2 * BYTES_A_DAY:
            raise Broken(f"{letter.sender} got more than {2 * BYTES_A_DAY} octets in a day")

    def delivered(self, got: Got) -> None:
        """A stranger gets no more answers than the limits say; a count may begin at any time, so that two fit into a
        day."""
        if not got.recipient.endswith("@strangers.sim"):
            return
        self.world.checks(Promise.STRANGERS)
        times = self._to_stranger[got.recipient]
        times.setdefault(got.message_id, got.at)
        for most, span in ((STRANGER_AN_HOUR, timedelta(hours=1)), (STRANGER_A_DAY, timedelta(days=1))):
            if sum(got.at - span < at for at in times.values()) > 2 * most and not self.world.skew:
                raise Broken(f"{got.recipient} got more than {2 * most} mails in {span}")
