"""What a movement phase of Quantum Space costs, by the number of planets: `python -m bench.quantum [--planets 8,64]`.

Every planet has its share of units and of orders: moves and bounces, rings, supports, a convoy across quantum space
for each fourth, an army/fleet for each fourth. Time and memory should grow with the units, so that the exponent is
about one, and the digits of the numbers should make no difference.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from random import Random

from bench.goals import numbers, tell
from gm.advance import advance
from gm.board import Power
from gm.chance import Chance
from gm.maps.picture import figure
from gm.orders import Order
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.parsing.orders import parse_orders
from gm.position import Phase, PhaseKind, Position, Season, Unit, parse_unit
from gm.turn import Turn
from gm.variants import Variant, variant

PLANETS = (8, 64, 512, 1000)
CHANCE = Chance(bytes(32))
ROUNDS = 5
GOAL_SECONDS, GOAL_EXPONENT = 10, 1.1
KINDS = {"quantum-space": 19, "quantum-space-3001": 10}
"""The games, and how many digits their quantum spaces may have."""


@dataclass(frozen=True)
class Scene:
    """A movement phase: the position and what each power writes."""

    game: Variant
    position: Position
    lines: dict[Power, list[str]]

    @property
    def orders(self) -> int:
        """How many orders there are."""
        return sum(map(len, self.lines.values()))


def names() -> Iterator[Power]:
    """Names of planets without end."""
    for letters in product("abcdefghijklmnoprstuvwxyz", "aeiou", "lmnrst", "aeiou", "bdgkpt"):
        yield Power("".join(letters).title())


def scene(game: Variant, planets: int, digits: int, seed: int = 1) -> Scene:
    """A phase with this number of planets, whose quantum spaces have numbers with this many digits."""
    dice = Random(seed)
    codes = game.opening(sorted(dice.sample(list(islice(names(), 4000)), planets)), CHANCE).extra["planets"]
    powers = list(codes)
    numbers = iter(dice.sample(range(10 ** (digits - 1), 10**digits), 3 * planets))
    away = {power: f"q{next(numbers)}" for power in powers}
    units: list[Unit] = []
    lines: dict[Power, list[str]] = {power: [] for power in powers}
    for place, power in enumerate(powers):
        planet = _Planet(power, codes[power], away[power], powers[place - 1], powers[(place + 1) % planets])
        others = (codes[planet.neighbour], away[planet.neighbour], codes[planet.before], away[planet.before])
        kind = (_sender, _receiver, _ringed, _sailor)[place % 4]
        own, orders = kind(planet, others, f"q{next(numbers)}", game.name.endswith("3001"))
        units += (parse_unit(f"{power} {unit}", game.language.kinds) for unit in own.split(", "))
        lines[power] += orders.split(", ")
    before = game.opening(powers, CHANCE)
    before = replace(before, phase=Phase(3010, Season.SPRING, PhaseKind.MOVEMENT), units=tuple(units))
    return Scene(game, replace(before, extra={**before.extra, "planets": codes}), lines)


@dataclass(frozen=True)
class _Planet:
    power: Power
    code: str
    away: str
    before: Power
    neighbour: Power


Share = tuple[str, str]
"""The units of a planet, and their orders."""


def _sender(planet: _Planet, others: tuple[str, ...], _free: str, _new: bool) -> Share:
    """An army is convoyed to the next planet, another is supported, a fleet takes off."""
    c, there = planet.code, others[0]
    goal = f"A {c}3-{there}4"
    return (
        f"A {c}1, A {c}3, A {c}5, F {c}6, F {c}o, F {planet.away}",
        f"{goal}, F {c}o C {goal}, F {planet.away} C {goal}, A {c}1-{c}2, A {c}5 S A {c}1, F {c}6 H",
    )


def _receiver(planet: _Planet, others: tuple[str, ...], free: str, _new: bool) -> Share:
    """The fleet in orbit carries the guest; of two fleets one supports the other into empty space."""
    c, guest = planet.code, f"A {others[2]}3-{planet.code}4"
    return (
        f"A {c}1, A {c}8, F {c}6, F {c}o, F {planet.away}",
        f"F {c}o C {guest}, F {planet.away}-{free}, A {c}1-{c}2, A {c}8-{c}5, F {c}6 S F {c}o",
    )


def _ringed(planet: _Planet, others: tuple[str, ...], _free: str, _new: bool) -> Share:
    """Four armies go round, a fleet in space attacks the next planet's."""
    c = planet.code
    ring = ", ".join(f"A {c}{a}-{c}{b}" for a, b in ("12", "23", "34", "41"))
    return (
        f"A {c}1, A {c}2, A {c}3, A {c}4, F {c}o, F {planet.away}",
        f"{ring}, F {c}o-{others[1]}, F {planet.away} S F {c}o-{others[1]}",
    )


def _sailor(planet: _Planet, _others: tuple[str, ...], free: str, new: bool) -> Share:
    """An army boards and sails (in 3001), a fleet holds its ground, armies bounce."""
    c = planet.code
    sails = f"A {c}1 boards F {c}o, A/F {c}o-{free}, A {c}o lands {c}7" if new else f"A {c}1-{c}5, F {c}o-{free}"
    return (
        f"A {c}1, A {c}6, A {c}8, F {c}o, F {planet.away}",
        f"{sails}, A {c}6-{c}5, A {c}8-{c}5, F {planet.away} H",
    )


# What is measured


def lexicon(where: Scene) -> Lexicon:
    """The names of the game, built anew."""
    lexicon_of.cache_clear()
    game, position = where.game, where.position
    spellings = tuple(sorted(game.language.spellings(position).items()))
    return lexicon_of(game.board(position), game.powers(position), game.language, spellings)


def read(where: Scene, known: Lexicon) -> dict[Power, tuple[Order, ...]]:
    """Text to orders as understood."""
    game, position = where.game, where.position
    board = game.board(position)
    return {
        power: tuple(
            game.understand(board, position, power, order, game.needs(board, position, power))
            for line in lines
            for _, order in parse_orders(line, known, PhaseKind.MOVEMENT)
        )
        for power, lines in where.lines.items()
    }


def adjudicate(where: Scene, given: dict[Power, tuple[Order, ...]]) -> Turn:
    """The whole phase, from order values to the next position."""
    return advance(where.game, where.position, given, CHANCE)


def charts(game: Variant, turn: Turn) -> float:
    """Processor seconds a reader for the charts of all, each with its view and its PNG."""
    readers = game.powers(turn.after)
    start = time.process_time()
    for reader in readers:
        drawn = figure(game.view(game, turn.after, turn, reader))
        assert drawn is not None
        _ = drawn.png
    return (time.process_time() - start) / len(readers)


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Processor seconds of the best round."""
    times = []
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def memory(work: Callable[[], object]) -> float:
    """The most memory that is in use during the work, beyond that before it; in megabytes."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


@dataclass(frozen=True)
class Cost:
    """What one phase costs: seconds, and megabytes."""

    units: int
    orders: int
    names: float
    reading: float
    judging: float
    chart: float
    megabytes: float

    def whole(self, readers: int) -> float:
        """Seconds of the phase with the charts of so many readers."""
        return self.names + self.reading + self.judging + readers * self.chart


def cost(game: Variant, planets: int, digits: int) -> Cost:
    """Measure one phase."""
    where = scene(game, planets, digits)
    known = lexicon(where)
    given = read(where, known)

    def judged() -> Turn:
        fresh = replace(where.position)  # nothing is known of it from the round before
        return adjudicate(replace(where, position=fresh), given)

    return Cost(
        units=len(where.position.units),
        orders=where.orders,
        names=best(lambda: lexicon(where)),
        reading=best(lambda: read(where, known)),
        judging=best(judged),
        chart=charts(game, judged()),
        megabytes=memory(judged),
    )


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The power of the size with which the values grow, by least squares over logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(value) for value in values]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum((a - mean_x) ** 2 for a in x)


def table(name: str, planets: Sequence[int]) -> None:
    """Print the costs of one game by the number of planets, and how they grow; then by the number of digits."""
    game, most = variant(name), KINDS[name]
    print(f"\n{game.title}, quantum spaces of {most} digits; milliseconds and megabytes a phase")
    columns = ("names", "reading", "judging", "chart", "memory", "us/unit")
    print(f"{'planets':>8}{'units':>8}{'orders':>8}" + "".join(f"{column:>9}" for column in columns))
    costs = [cost(game, count, most) for count in planets]
    for count, each in zip(planets, costs, strict=True):
        _row(count, each)
    sizes = [each.units for each in costs]
    grown = [
        exponent(sizes, [getattr(c, what) for c in costs])
        for what in ("names", "reading", "judging", "chart", "megabytes")
    ]
    print(f"{'exponent':>8}{'':16}" + "".join(f"{each:9.2f}" for each in grown))
    seconds = [each.whole(number) for number, each in zip(planets, costs, strict=True)]
    tell(f"{name}, {planets[-1]} planets, with charts", seconds[-1], GOAL_SECONDS, "s of a core")
    tell(f"exponent of the planets, {name}", exponent(sizes, seconds), GOAL_EXPONENT, "")
    print(f"\n{max(planets)} planets by the digits of the numbers")
    for digits in (5, most):
        _row(digits, cost(game, max(planets), digits))


def _row(first: int, each: Cost) -> None:
    times = "".join(f"{seconds * 1e3:9.1f}" for seconds in (each.names, each.reading, each.judging, each.chart))
    share = (each.reading + each.judging) / each.units * 1e6
    print(f"{first:>8}{each.units:>8}{each.orders:>8}{times}{each.megabytes:9.2f}{share:9.1f}")


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.quantum", description=__doc__)
    usual = ",".join(map(str, PLANETS))
    parser.add_argument("--planets", type=numbers, default=usual, help="numbers of planets (%(default)s)")
    planets: list[int] = parser.parse_args(argv).planets
    print("names: the lexicon of the game; reading: all orders from text to values")
    print("judging: from values to the next turn; chart: that of one reader, with its view and its PNG")
    for name in KINDS:
        table(name, planets)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
