"""The judge beside its peers: `python -m bench [--profile] [--phases N] [--seed N]`.

Movement phases of full boards, from games played out by random legal orders, are adjudicated by us and by PyPI
`diplomacy` in the same run; the best of some rounds counts. With --profile it is said where our time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.environment import PEER, peer_python
from bench.games import PlayedPhase, played_games
from bench.goals import at_least_one, tell
from gm.board import UnitKind, standard_board
from gm.judge import RULEBOOK_2023
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Resolution
from gm.orders import Convoy, Move, Order, Support
from gm.orders.legality import understand
from gm.orders.notation import code, write
from gm.parsing.lexicon import lexicon_of
from gm.parsing.orders import parse_orders
from gm.position import PhaseKind, Unit
from gm.variants.standard import POWERS

BOARD = standard_board()
FULL_BOARD = 31
"""Units from which a board counts as full."""
ROUNDS = 7
GOALS = {"process": 4.0, "both": 2.0}
"""How many times faster than the peer we mean to be."""


def full_boards(count: int, seed: int) -> list[PlayedPhase]:
    """Movement phases of full boards."""
    found: list[PlayedPhase] = []
    for phase in played_games(seed):
        if phase.position.phase.kind is PhaseKind.MOVEMENT and len(phase.position.units) >= FULL_BOARD:
            found.append(phase)
            if len(found) == count:
                return found
    raise AssertionError("games go on for ever")


# Ours


def from_orders(phase: PlayedPhase) -> Resolution:
    """From order values to outcomes."""
    orders = [order for given in phase.orders.values() for order in given]
    return resolve_movement(BOARD, RULEBOOK_2023, phase.position.units, orders)


def texts(phase: PlayedPhase) -> list[tuple[str, list[str]]]:
    """What each power would write, one order a line."""
    return [(power, [write(order) for order in given]) for power, given in phase.orders.items()]


def from_text(phase: PlayedPhase, lines: list[tuple[str, list[str]]]) -> Resolution:
    """From order lines to outcomes: parsed, checked, adjudicated."""
    lexicon, position = lexicon_of(BOARD, POWERS), phase.position
    orders = [
        understand(BOARD, position, power, order)
        for power, (_, given) in zip(phase.orders, lines, strict=True)
        for line in given
        for _, order in parse_orders(line, lexicon, PhaseKind.MOVEMENT)
    ]
    return resolve_movement(BOARD, RULEBOOK_2023, position.units, orders)


def best(rounds: int, count: int, work: Callable[[], object]) -> float:
    """Milliseconds of processor time a phase in the best round."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) / count * 1e3


def _ours(phases: Sequence[PlayedPhase], written: Sequence[list[tuple[str, list[str]]]]) -> tuple[float, float]:
    """From orders, and from text; taken before and after the peer's turn, since a machine's mood changes."""
    pairs = list(zip(phases, written, strict=True))
    judged = best(ROUNDS, len(phases), lambda: list(map(from_orders, phases)))
    return judged, best(ROUNDS, len(phases), lambda: [from_text(phase, lines) for phase, lines in pairs])


# The peer


def peer_phase(phase: PlayedPhase) -> dict[str, dict[str, list[str]]]:
    """The phase as the peer writes it."""
    units: dict[str, list[str]] = {power.upper(): [] for power in POWERS}
    for unit in phase.position.units:
        units[unit.power.upper()].append(peer_unit(unit))
    return {
        "units": units,
        "orders": {power.upper(): [peer_order(o) for o in given] for power, given in phase.orders.items()},
    }


def peer_unit(unit: Unit) -> str:
    """`F STP/SC`."""
    return f"{unit.kind} {unit.at.upper()}"


def peer_order(order: Order) -> str:
    """`A PAR S A MAR - BUR`; `VIA` where an army does not walk."""
    match order:
        case Move(unit, to):
            walks = unit.kind is UnitKind.FLEET or BOARD.may_step(unit.kind, unit.at, to)
            return f"{peer_unit(unit)} - {to.upper()}{'' if walks else ' VIA'}"
        case Support(unit, supported, to):
            return f"{peer_unit(unit)} S {peer_unit(supported)}" + (f" - {to.upper()}" if to else "")
        case Convoy(unit, army, to):
            return f"{peer_unit(unit)} C {peer_unit(army)} - {to.upper()}"
    return write(order, code).upper()


def standing(resolution: Resolution) -> list[str]:
    """The units on the board after the phase, as the peer writes them. (It lists only some of those dislodged.)"""
    return sorted(f"{unit.power.upper()} {peer_unit(unit)}" for unit in resolution.units)


def main(argv: Sequence[str]) -> int:
    """Measure and print."""
    options = _parser().parse_args(argv)
    phases = full_boards(options.phases, options.seed)
    written = [texts(phase) for phase in phases]
    orders = sum(phase.order_count for phase in phases) / len(phases)
    print(f"{len(phases)} phases (seed {options.seed}), {orders:.1f} orders a phase")
    print(f"milliseconds of processor time a phase, best of {ROUNDS} rounds\n")
    first = best(
        1, len(phases), lambda: [from_text(phase, lines) for phase, lines in zip(phases, written, strict=True)]
    )
    judged, both = _ours(phases, written)
    peer = _peer(phases)
    judged, both = map(min, zip((judged, both), _ours(phases, written), strict=True))
    _row("", "ours", PEER if peer else "", "ratio")
    _compare("order values to outcomes", judged, peer, "process")
    _compare("order text to outcomes", both, peer, "both")
    print(f"{'  the same, each text seen for the first time':46}{first:8.3f}")
    if peer:
        theirs = [[unit for unit in after if "*" not in unit] for after in peer["after"]]
        same = sum(standing(from_orders(phase)) == after for phase, after in zip(phases, theirs, strict=True))
        print(f"\nBoth leave the same units in {same} of {len(phases)} phases.")
    if options.profile:
        _profile(phases)
    return 0


def _peer(phases: Sequence[PlayedPhase]) -> dict[str, Any] | None:
    python = peer_python()
    if python is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "phases.json"
        file.write_text(json.dumps([peer_phase(phase) for phase in phases]), encoding="utf-8")
        command = [str(python), str(Path(__file__).with_name("peer.py")), str(file), str(ROUNDS)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{PEER} failed: {done.stderr.strip()}", file=sys.stderr)
        return None
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _compare(what: str, ours: float, peer: dict[str, Any] | None, part: str) -> None:
    if peer is None:
        _row(what, f"{ours:.3f}", "", "")
        return
    theirs = peer[part] * 1e3
    _row(what, f"{ours:.3f}", f"{theirs:.3f}", f"{theirs / ours:.1f} times faster")
    tell(f"judge, {what}", theirs / ours, GOALS[part], f"x {PEER}", more=True)


def _row(what: str, ours: str, theirs: str, ratio: str) -> None:
    print(f"{what:46}{ours:>8}{theirs:>18}  {ratio}")


def _profile(phases: Sequence[PlayedPhase]) -> None:
    """The share of each module and of the functions that take most. The profiler slows small functions most."""
    profile = cProfile.Profile()
    profile.runcall(lambda: [from_orders(phase) for _ in range(5) for phase in phases])
    functions = [(line.code, line.inlinetime) for line in profile.getstats() if not isinstance(line.code, str)]
    total = sum(line.inlinetime for line in profile.getstats())
    modules: defaultdict[str, float] = defaultdict(float)
    for where, seconds in functions:
        modules[Path(where.co_filename).stem] += seconds
    modules["builtins"] = total - sum(seconds for _, seconds in functions)
    print("\nWhere the time goes, from order values to outcomes:")
    for module, seconds in sorted(modules.items(), key=lambda found: -found[1])[:9]:
        print(f"{seconds / total:6.0%}  {module}")
    print("of it, the functions that take most:")
    for where, seconds in sorted(functions, key=lambda found: -found[1])[:12]:
        print(f"{seconds / total:6.1%}  {Path(where.co_filename).stem}.{where.co_name}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description="How long the judge takes, beside its peers.")
    parser.add_argument("--phases", type=at_least_one, default=150, help="how many phases (150)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the games (1)")
    parser.add_argument("--profile", action="store_true", help="say where our time goes")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
