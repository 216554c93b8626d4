"""Whoever is told that mail is refused is told once when it is accepted again, and nobody else: whatever the relay said
and at which step, and however seldom the server looks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes

import pytest

from gm.errors import DeliveryDeferred, DeliveryRefused, GmError, SenderRefused, Unconfirmed, WayOutFailed
from tests.server.bounces import FRANCE, MASTER, OPERATOR
from tests.server.world import POLICY, World, player, text_of

POWERS = ("France", "Italy", "Turkey")
WAYS = {
    "its way out": WayOutFailed("mx cannot be used (421 4.3.2 not now)"),
    "the sender": SenderRefused("'x' was deferred: 450 4.3.2 later"),
    "a recipient": DeliveryDeferred("'x' was deferred: 450 4.7.1 come later"),
    "the whole mail": Unconfirmed("The connection broke after the whole mail was sent (421)."),
    "a connection": DeliveryDeferred("The connection broke (reset by peer)."),
    "for good": DeliveryRefused("550 5.7.1 Relay access denied"),
}


@dataclass
class Relay:
    """Refuses mail to all, or only to some once it `takes` again; remembers what it took: to whom, and its words."""

    error: GmError
    refuses: frozenset[str] = frozenset()
    takes: bool = False
    taken: list[tuple[str, str]] = field(default_factory=list)

    def deliver(self, raw: bytes, _sender: str, recipient: str) -> str:
        if not self.takes or recipient in self.refuses:
            raise self.error
        self.taken.append((recipient, " ".join(text_of(message_from_bytes(raw, policy=POLICY)).split())))
        return "250 ok"

    def told(self, who: str) -> tuple[int, int]:
        """How often the beginning was told, and the end; never the end first."""
        texts = [text for to, text in self.taken if to == who]
        begun = [at for at, text in enumerate(texts) if "kept, and tried again" in text]
        ended = [at for at, text in enumerate(texts) if "accepted again" in text]
        assert sorted(begun + ended)[: len(begun)] == begun
        return len(begun), len(ended)


def refused_for(world: World, relay: Relay, seats: dict[str, str], minutes: int = 20) -> None:
    """Three players ask something, and for eight hours nothing is taken; then all is that the relay takes."""
    world.pass_time(minutes=1)
    for power in POWERS:
        world.arrive(player(power), seats[power], "STATUS")
    for _ in range(8 * 60 // minutes):
        world.work(relay)
        world.time += timedelta(minutes=minutes)
    relay.takes = True


@pytest.mark.parametrize("pause", [20, 180])
@pytest.mark.parametrize("error", WAYS.values(), ids=WAYS)
def test_whoever_is_told_of_it_is_told_when_it_is_over(
    world: World, seats: dict[str, str], error: GmError, pause: int
) -> None:
    relay = Relay(error)
    refused_for(world, relay, seats)
    for _ in range(15 * 60 // pause):
        world.time += timedelta(minutes=pause)
        world.work(relay)
    for who in (OPERATOR, MASTER):
        assert relay.told(who) in ((0, 0), (1, 1)), who
    assert {FRANCE, player("Italy"), player("Turkey")} <= {to for to, _ in relay.taken}
