"""One run: the events that a seed makes, and how they are played; shortening a list that fails."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gm.store.senders import CHECKS
from tests.databases import migrated_sqlite
from tests.simulation.actors import keep_playing
from tests.simulation.beginnings import begin
from tests.simulation.faults import Broken
from tests.simulation.hidden import note_sights
from tests.simulation.invariants import Watch
from tests.simulation.machine import SimVerifier
from tests.simulation.names import Names
from tests.simulation.network import MODES
from tests.simulation.others import ACTS
from tests.simulation.people import People, Secret
from tests.simulation.trace import Trace, tally
from tests.simulation.ways import Ways
from tests.simulation.world import World

STARTS = (datetime(2026, 3, 20, tzinfo=UTC), datetime(2026, 10, 16, tzinfo=UTC), datetime(2027, 4, 1, tzinfo=UTC))
"""Shortly before the changes of daylight saving time."""
PAUSE = 1500.0
"""The mean time between two events, in seconds."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens `after` seconds after the event before it; its choices are drawn from `number`."""

    after: int
    kind: str
    number: int
    place: int = 0
    """Its number in the seed's list, which it keeps in a shorter one."""


Fault = Callable[[World, random.Random], object]


def _crash_soon(world: World, rng: random.Random) -> None:
    world.points.set(rng.randrange(1 << 30))


def _down(world: World, rng: random.Random) -> None:
    """A server is away for seconds to weeks; stopped or killed."""
    machine = rng.choice(world.machines)
    away = timedelta(seconds=rng.choice((3, 60, 600, 3600, 4 * 3600, 86400, 86400 * 15 if rng.random() < 0.1 else 30)))
    if machine.up:
        world.count("server down")
        if rng.random() < 0.5:
            world.crash(machine, away)
        else:
            world.stop(machine, away)


def _relay(world: World, rng: random.Random) -> None:
    mode, hours = rng.choice(MODES), rng.choice((0.2, 0.5, 1, 2, 4, 30, 140 if rng.random() < 0.2 else 1))
    whom = "*" if mode == "down" else rng.choice(("*", "p0.sim", "p1.sim", "p2.sim", "gm.sim", "strangers.sim"))
    world.count(f"relays set: {mode}")
    world.relays[whom] = (mode, world.now + timedelta(hours=hours))


def _disk(world: World, rng: random.Random) -> None:
    machine = rng.choice(world.machines)
    machine.full = rng.choice(("commit", "statement", "lock"))
    world.count("waits for a lock" if machine.full == "lock" else "disk full")

    def free() -> None:
        machine.full = None
        world.disturbed()

    world.later(timedelta(minutes=rng.choice((0.1, 3, 50))), free)


def _imap(world: World, rng: random.Random) -> None:
    world.mailbox.behaviour = rng.choice(("refuses", "login", "3", "5", "6", "9", "14"))
    world.count(
        f"mailbox: {world.mailbox.behaviour if world.mailbox.behaviour in ('refuses', 'login') else 'breaks off'}"
    )
    world.later(timedelta(minutes=rng.choice((1, 10, 200))), lambda: setattr(world.mailbox, "behaviour", ""))
    if world.ways.polls and rng.random() < 0.5:
        world.mailbox.renumber()
        world.count("mailbox: renumbered")


def _names(world: World, rng: random.Random) -> None:
    """The name servers do not answer, for fewer look-ups than make a mail one without proof."""
    if world.ways.verify == "all":
        SimVerifier.deferred = rng.choice((1, 2, CHECKS - 1))


def _set_clock(world: World, skew: timedelta) -> None:
    """Let the servers' clock be so far ahead. A thread notices after its poll at the latest, by no clock."""
    world.skew = skew
    for machine in world.machines:
        if machine.up:
            machine.scheduler.start()


def _clock(world: World, rng: random.Random) -> None:
    _set_clock(world, timedelta(seconds=rng.choice((-7200, -90, -5, 5, 90, 7200))))
    world.count("clock jumps")
    world.later(timedelta(minutes=rng.choice((1, 30, 300))), lambda: _set_clock(world, timedelta()))


FAULTS: dict[str, tuple[float, Fault]] = {
    "crash": (26, _crash_soon),
    "down": (1.5, _down),
    "relay": (2, _relay),
    "disk": (1, _disk),
    "imap": (1, _imap),
    "clock": (0.7, _clock),
    "names": (1, _names),
}
"""What goes wrong, and how often."""
OTHERS: dict[str, float] = {"rest": 0.15, "found": 3}
BUSY: dict[str, float] = {"all_order": 40}
KINDS = (*ACTS, *FAULTS, *OTHERS)
"""All kinds of events."""


def made_from(
    seed: int, steps: int, *, faults: bool = True, pause: float = PAUSE, busy: bool = False, often: str = ""
) -> list[Event]:
    """The events of a seed. Each has mails between a deadline and its report, and somebody who writes too often. On a
    `busy` server everybody orders often, and events come twice as fast; and every fourth may be of one kind."""
    rng = random.Random(seed)
    weights = {kind: weight for kind, (weight, _) in ACTS.items()} | OTHERS
    if busy:
        weights |= BUSY
        pause /= 2
    if faults:
        weights |= {kind: weight for kind, (weight, _) in FAULTS.items()}
    kinds = rng.choices(list(weights), list(weights.values()), k=steps)
    kinds[2::30] = ["between"] * len(kinds[2::30])
    kinds[20::300] = ["chatter"] * len(kinds[20::300])
    kinds[1::4] = [often] * len(kinds[1::4]) if often else kinds[1::4]
    return [
        Event(int(rng.expovariate(1 / pause)), kind, rng.randrange(1 << 40), place) for place, kind in enumerate(kinds)
    ]


def ways_of(seed: int) -> Ways:
    """How the server of a seed is set up."""
    rng = random.Random(f"ways {seed}")
    listens, polls = rng.choice(((True, False), (True, True), (False, True)))
    return Ways(
        listens=listens,
        polls=polls,
        level=rng.choice(("open", "normal", "normal", "strict")),
        plus_addressing=listens or rng.random() < 0.5,
        catch_up=rng.choice(("adjudicate", "extend")),
        keep_days=rng.choice((0, 0, 20)),
        machines=2 if listens and rng.random() < 0.3 else 1,
        protocol=rng.choice(("smtp", "smtp", "lmtp")),
        dies=not polls and rng.random() < 0.25,
        spam=polls and rng.random() < 0.5,
        can=frozenset({"UIDPLUS", *rng.choice((("MOVE", "IDLE"), ("MOVE", "IDLE"), ("IDLE",), ("MOVE",), ()))}),
        verify=rng.choice(("remote", "all")),
        drift=timedelta(seconds=rng.choice((0, 3, -3))),
        poll_seconds=rng.choice((300, 1800, 1800)),
    )


Sent = tuple[str, str, bytes]
"""Purpose, recipient and bytes of a mail that was queued."""


@dataclass
class Outcome:
    """What came of a run."""

    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    crashed: Counter[str] = field(default_factory=Counter)
    days: float = 0.0
    seconds: float = 0.0
    broken: str = ""
    at: int = -1
    """The number of the event after which an invariant did not hold."""
    digest: str = ""
    """Of all mails that the server has sent, in their order."""
    told_apart: frozenset[str] = frozenset()
    """The lines that somebody is sent in only one of its twin worlds."""
    of_twins: bool = False
    """Whether its twin worlds differ, which have a schedule of their own."""

    where: str = ""
    """The place in the code where that was found."""

    @property
    def failure(self) -> str:
        """What is broken, as another schedule would say it too: the place where that was found, or else the words
        without numbers and names; "" if nothing is."""
        said = (self.broken.strip().splitlines() or [""])[0]
        return self.where or re.sub(r"<[^>]*>|\S+@\S+|\d+", "#", said)

    sent: list[Sent] = field(default_factory=list)
    """Every mail that was queued, if they are kept."""


def play(
    seed: int,
    events: Sequence[Event],
    url: str = "",
    *,
    ways: Ways | None = None,
    said: Callable[[str], object] | None = None,
    secret: Secret | None = None,
    keep: bool = False,
    games: int = 2,
    at_rest: timedelta | None = None,
    aims: tuple[str, ...] = (),
    bodies: str = "",
) -> Outcome:
    """Play a list of events, on a new SQLite file unless `url` names an empty database; then everything comes to rest,
    or just so much time passes (`at_rest`). `said` is told what happens, and mails whole on whose line there is
    `bodies`."""
    folder = Path(tempfile.mkdtemp(prefix="gm-sim-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    outcome, began = Outcome(seed), time.process_time()
    try:
        ways = ways or ways_of(seed)
        url = url or f"sqlite:///{_migrated(folder)}"
        start = STARTS[seed % len(STARTS)]
        world = World(folder, url, seed, start, ways, said or (lambda _: None), said is not None, bodies)
        world.points.aims = aims
        if said is not None:
            world.told = Trace(world).look
        watch = Watch(world, People(world, secret), keep=outcome.sent if keep else None)
        with world.open():
            try:
                _play(world, watch, events, outcome, games, at_rest)
            except Broken as error:
                outcome.broken, outcome.where = Names(world).explained(str(error)), _where(error)
            except Exception as error:  # of the server, or of the simulation: either way a fault
                outcome.broken, outcome.where = traceback.format_exc(), _where(error)
            outcome.days = (world.now - world.start) / timedelta(days=1)
            outcome.counts = world.counts + tally(world)
        outcome.digest = world.digest.hexdigest()[:16]
        outcome.passed, outcome.crashed = world.points.passed, world.points.crashed
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    outcome.seconds = time.process_time() - began
    return outcome


def _where(error: BaseException) -> str:
    """Where an error was met first, and of which type that was."""
    while error.__cause__ is not None:
        error = error.__cause__
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"


def _migrated(folder: Path) -> Path:
    """A new database with all tables."""
    file = folder / "gm.sqlite3"
    file.write_bytes(migrated_sqlite())
    return file


def _play(
    world: World, watch: Watch, events: Sequence[Event], outcome: Outcome, games: int, at_rest: timedelta | None
) -> None:
    world.begin()
    people = watch.people
    if people.secret is None:
        keep_playing(people)
    for number in range(games):
        begin(people, random.Random(f"{world.seed} {number}"), f"g{number}", world.seed + number)
        watch.look()
    for event in events:
        outcome.at, world.points.asked = event.place, 0
        world.until(world.now + timedelta(seconds=event.after), watch.look)
        world.said(f"{world.now:%Y-%m-%d %H:%M:%S} {event.place} {event.kind} {event.number}")
        _happens(world, watch, event)
        world.settle()
        watch.look()
    outcome.at, world.points.asked = (events[-1].place + 1 if events else 0), 0
    if at_rest is not None:
        world.until(world.now + at_rest, watch.look)
        note_sights(people)
        return
    rest(world, watch)
    watch.end()


def _happens(world: World, watch: Watch, event: Event) -> None:
    rng = random.Random(event.number)
    if event.kind in ACTS:
        ACTS[event.kind][1](watch.people, rng)
    elif event.kind in FAULTS:
        FAULTS[event.kind][1](world, rng)
    elif event.kind == "rest":
        rest(world, watch)
    elif len([name for name in watch.people.games if not world.game(name).over]) < 4:
        heal(world, watch)
        number = len(watch.people.games)
        begin(watch.people, rng, f"g{number}", world.seed + number)


def heal(world: World, watch: Watch) -> None:
    """Everything that is broken works again."""
    world.points.disarm()
    world.relays.clear()
    _set_clock(world, timedelta())
    world.mailbox.behaviour, SimVerifier.deferred = "", 0
    for machine in world.machines:
        machine.full = None
        world.boot(machine)
    world.disturbed()
    world.until(world.now + timedelta(hours=3), watch.look)


def rest(world: World, watch: Watch) -> None:
    """Everything works again, and nobody writes for six days: then nothing is left to be done. Who writes just before
    a report does so even now, and has three hours' time for it."""
    heal(world, watch)
    world.until(world.now + timedelta(days=6), watch.look)
    while any(letter.sent > world.now - timedelta(hours=3) for letter in watch.people.letters.values()):
        world.until(world.now + timedelta(hours=1), watch.look)
    watch.rested()


# ---- shortening


def shortened(
    fails: Callable[[Sequence[Event]], bool],
    events: Sequence[Event],
    seconds: float = 180,
    said: Callable[[str], object] = lambda _: None,
) -> list[Event]:
    """A shorter list that still fails, by leaving out larger and smaller pieces for so long by the clock; the time
    between the others stays."""
    left, size, end, tried = list(events), max(1, len(events) // 2), time.monotonic() + seconds, 0
    while size and time.monotonic() < end:
        start = 0
        while start < len(left) and time.monotonic() < end:
            without, tried = _without(left, start, start + size), tried + 1
            if fails(without):
                left = without
                said(f"    {len(left)} events still fail")
            else:
                start += size
        size //= 2
    up = f"after {seconds:.0f} s time was up (--shrink MINUTES)" if time.monotonic() >= end else "done"
    said(f"    {tried} shorter lists of {len(events)} events were tried: {up}")
    return left


def _without(events: list[Event], start: int, end: int) -> list[Event]:
    gone = sum(event.after for event in events[start:end])
    rest = events[end:]
    if rest:
        rest[0] = replace(rest[0], after=rest[0].after + gone)
    return [*events[:start], *rest]
