"""How long a map takes and how large it is: `python -m bench.maps [--phases N] [--seed N]`.

Positions and orders are those of games played out by random legal orders; each map is drawn once, from the view to the
PNG of a report. Processor time is counted, which others at work on the same machine do not lengthen.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from itertools import islice

from bench.games import played_games
from bench.goals import at_least_one, fixed_loop, tell
from gm.advance import advance
from gm.chance import Chance
from gm.maps import picture
from gm.maps.glyphs import PIXELS
from gm.maps.picture import Cut, Figure, png, svg
from gm.maps.scene import scene, theatre
from gm.variants.standard import POWERS, STANDARD
from gm.views import View

GOAL_SECONDS = 0.025
GOAL_BYTES = 300_000
GOAL_FIRST, GOAL_NEXT, GOAL_WARM = 14.0, 6.0, 4.3
FULL = 20
"""So many orders are those of a full board."""


def views(count: int, seed: int) -> list[View]:
    """Phase after phase, as everybody sees it when it has been adjudicated."""
    chance = Chance(b"the seed of a benchmark")
    turns = (advance(STANDARD, phase.position, phase.orders, chance) for phase in islice(played_games(seed), count))
    return [STANDARD.view(STANDARD, turn.after, turn, None) for turn in turns]


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw and say what it took."""
    parser = argparse.ArgumentParser(prog="python -m bench.maps", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--phases", type=at_least_one, default=60, help="how many maps (%(default)s)")
    parser.add_argument("--seed", type=int, default=7, help="the seed of the game (%(default)s)")
    given = parser.parse_args(arguments)
    seen = views(given.phases, given.seed)
    fresh = [_timed(view) for view in seen]  # outlines and letters are read, and signs drawn once
    picture._drawn.cache_clear()
    picture._file.cache_clear()
    layout, layers, document, sizes = [], [], [], []
    for view in seen:
        began = time.process_time()
        drawn = scene(view)
        set_out = time.process_time()
        sizes.append(len(Figure(drawn).png))
        layout.append(set_out - began)
        layers.append(time.process_time() - set_out)
    for view in seen:
        text = svg(scene(view), PIXELS)
        began = time.process_time()
        png(text)
        document.append(time.process_time() - began)
    closer, parts = _theatres(seen)
    whole = [sum(times) for times in zip(layout, layers, strict=True)]
    full = [took for took, view in zip(whole, seen, strict=True) if view.turn and len(view.turn.outcomes) >= FULL]
    print(f"{len(seen)} maps, {PIXELS} pixels wide, medians of processor time:")
    for name, times in (("layout", layout), ("PNG", layers), ("together", whole), ("PNG by SVG", document)):
        print(f"  {name:10}{statistics.median(times) * 1000:7.1f} ms")
    print(f"  size      {statistics.median(sizes) / 1000:7.1f} kB, the largest {max(sizes) / 1000:.1f} kB")
    print(f"  theatres  {len(closer)} of {len(seen) * len(POWERS)} seats,")
    print(f"            medians {statistics.median(closer) * 1e3:.1f} ms and")
    print(f"            {statistics.median(parts) / 1e3:.1f} kB, the largest {max(parts) / 1e3:.1f} kB")
    loop = fixed_loop() / 1e3
    tell("the first map of a process", fresh[0] / loop, GOAL_FIRST, "fixed loops")
    tell("the 2nd to 10th, median", statistics.median(fresh[1:10]) / loop, GOAL_NEXT, "fixed loops")
    tell("full boards that move, warm, median", statistics.median(full) / loop, GOAL_WARM, "fixed loops")
    tell("a map, layout and PNG, median", statistics.median(whole) * 1e3, GOAL_SECONDS * 1e3, "ms")
    tell("the largest of these maps", max(sizes) / 1e3, GOAL_BYTES / 1e3, "kB")


def _timed(view: View) -> float:
    """Seconds for a map."""
    began = time.process_time()
    _ = Figure(scene(view)).png
    return time.process_time() - began


def _theatres(seen: Sequence[View]) -> tuple[list[float], list[int]]:
    """How long each theatre takes beside its whole map, and how large it is."""
    times, sizes = [], []
    for again in (False, True):  # first the signs of their legends
        for view in seen:
            whole = scene(view)
            _ = Figure(whole).png
            for power in POWERS:
                began = time.process_time()
                part = theatre(view, power, whole)
                if part is not None:
                    size = len(Cut(part).png)
                    times += [time.process_time() - began] * again
                    sizes += [size] * again
                    picture._cut_file.cache_clear()
    return times, sizes


if __name__ == "__main__":
    main()
