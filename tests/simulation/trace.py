"""What is told of a run: the orders that counted and what happened in games, as it happens; and what there was of games
and of what was done in them, counted at the end. Mails are told by the world.
"""

from __future__ import annotations

from collections import Counter

from tests.simulation.machine import SimVerifier
from tests.simulation.rows import Newer, value
from tests.simulation.world import World

_LONGEST = 90
"""So many characters of the details of what happened are told."""


class Trace:
    """Tells what is new in the rows by `World.said`."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._orders = Newer(
            world,
            "SELECT o.id, p.code, g.name, s.power, o.number, o.complete, i.message_id FROM order_set o"
            " JOIN phase p ON p.id = o.phase_id JOIN game g ON g.id = p.game_id JOIN seat s ON s.id = o.seat_id"
            " LEFT JOIN inbox i ON i.id = o.inbox_id WHERE o.id > :last ORDER BY o.id",
        )
        self._log = Newer(
            world,
            "SELECT l.id, l.kind, l.detail, g.name FROM log l LEFT JOIN game g ON g.id = l.game_id WHERE l.id > :last"
            " ORDER BY l.id",
        )

    def look(self) -> None:
        """Tell it."""
        for row in self._orders():
            whole = "complete" if row.complete else "incomplete"
            self._tell(f"orders {row.number} of {row.power} count, {row.name} {row.code}, {whole}: {row.message_id}")
        for row in self._log():
            about = ", ".join(f"{name} {what}" for name, what in sorted(value(row.detail).items()))
            self._tell(f"{row.kind} {row.name or ''}: {about[:_LONGEST]}")

    def _tell(self, words: str) -> None:
        self._world.said(f"    {self._world.now:%d %H:%M:%S} {words}")


def tally(world: World) -> Counter[str]:
    """How the server was set up; the games and phases by variant; and what was done in games."""
    ways, found = world.ways, Counter[str]()
    ways_in = "SMTP " * (ways.listens and ways.protocol == "smtp") + "LMTP " * (
        ways.listens and ways.protocol == "lmtp"
    )
    found[f"seeds by ways in: {ways_in}{'IMAP' * ways.polls}".rstrip()] += 1
    found[f"seeds by database: {world.database.url.get_backend_name()}"] += 1
    found[f"seeds by level: {ways.level}"] += 1
    found[f"seeds by machines: {ways.machines}"] += 1
    found[f"seeds by mailbox: {' '.join(sorted(ways.can))}{' with spam' * ways.spam}"] += ways.polls
    found["seeds with clocks that differ"] += ways.machines > 1 and bool(ways.drift)
    found["servers that die as they start"] += ways.dies
    found["senders looked up"] += SimVerifier.looked
    found["look-ups without an answer"] += SimVerifier.unanswered
    for row in world.rows(
        "SELECT g.options, (SELECT count(*) FROM phase p WHERE p.game_id = g.id AND p.adjudicated_at IS NOT NULL) AS n"
        " FROM game g"
    ):
        name = value(row.options)["variant"]
        found[f"games: {name}"] += 1
        found[f"phases: {name}"] += row.n
    for row in world.rows("SELECT kind, count(*) AS n FROM log WHERE game_id IS NOT NULL GROUP BY kind"):
        found[f"done in games: {row.kind}"] += row.n
    return found


def grouped(counts: Counter[str]) -> list[str]:
    """The counts as lines; what has the same words before a colon is one line."""
    groups: dict[str, list[str]] = {}
    lines = []
    for what, number in sorted(counts.items()):
        group, _, one = what.partition(": ")
        if one:
            groups.setdefault(group, []).append(f"{one} {number:,}")
        elif number:
            lines.append(f"{number:9,}  {what}")
    return lines + [f"{group}: {', '.join(ones)}" for group, ones in groups.items()]
