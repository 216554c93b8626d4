"""`gm adjudicate`: phases in, results out, one JSON line each, without a database.

    gm adjudicate < phases.jsonl > results.jsonl
    gm adjudicate --explain < phases.jsonl

A line that is no phase is answered {"error": ..., "line": its number}; the others are not affected, and the exit status
is 0. The form is told by `gm adjudicate --help`.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any, BinaryIO, TextIO

from gm.cli.phases import read_question
from gm.cli.verdicts import Verdict, adjudicate, answer, explained
from gm.errors import GmError


def main(argv: Sequence[str]) -> int:
    """Adjudicate standard input to its end."""
    options = _parser().parse_args(argv)
    run(sys.stdin.buffer, sys.stdout, explain=options.explain)
    return 0


def run(lines: Iterable[bytes] | BinaryIO, output: TextIO, *, explain: bool = False) -> None:
    """Answer each line as it comes, in order. Blank lines are passed over."""
    report = _explanation if explain else _json
    for number, line in enumerate(lines, 1):
        if line.strip():
            output.write(report(number, line) + "\n")
            output.flush()


def _json(number: int, line: bytes) -> str:
    return json.dumps(_judged(line, answer, lambda error: {"error": error, "line": number}))


def _explanation(number: int, line: bytes) -> str:
    text = f"{_judged(line, explained, lambda error: f'Line {number}: {error}')}\n"
    return text.encode("utf-8", "replace").decode("utf-8")  # JSON can hold half a character that no output can


def _judged(line: bytes, report: Callable[[Verdict], Any], refuse: Callable[[str], Any]) -> Any:
    """The line's verdict as reported, or its refusal. A failure of our own spoils its own line only."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        return refuse(f"The line is not UTF-8 text: {error.reason} at byte {error.start + 1}.")
    try:
        return report(adjudicate(read_question(text)))
    except GmError as error:
        return refuse(str(error))
    except Exception as error:
        traceback.print_exc()
        return refuse(f"The adjudicator itself failed: {error!r}. This is a fault of the program.")


FORM = """\
A line of input:
  {"variant": "standard", "rulebook": "2023", "year": 1901, "season": "spring", "phase": "movement",
   "units": ["Italy A ven", "Russia F stp/sc"], "centers": {"Russia": ["mos", "stp"]},
   "dislodged": [{"unit": "Austria A ser", "from": "bul", "convoyed": false}], "contested": ["alb"],
   "orders": ["Italy: A ven-tri"], "state": {}}
needed are year, season (spring, fall, winter) and phase (movement, retreat, adjustment). Places in units and centers
are canonical codes; orders are read as from players' mail, any power's on any line that names it. `variant` is played
by the newest edition of its rules, or by the one named: `standard/1`. `rulebook` is 1971, 2000 or 2023, or the
variant's own when it is left out. `state` is what `state_after` gave; in a game that draws by lot it has the `seed` of
the draws too, in hexadecimal figures, and the name of the `game`.

A line of output:
  results       [{"order", "outcome", "reason"}] for each order in the order given, then for each unit without one
  units_after   the units on the board
  dislodged     [{"unit", "from", "convoyed", "retreats"}]; no_retreat: those of them with nowhere to go
  contested     the vacant provinces where units bounced
  centers_after, state_after, next {"year", "season", "phase"}, victory (null or the winner)
or {"error", "line"} for a line that is no phase; the others are answered all the same.

The words of "outcome":
  succeeds      the order did what it says; a support counted, a unit held, a fleet convoyed
  bounces       a move that met as much strength as it had, or more
  cut           a support that was cut by an attack, or by being dislodged
  void          a possible order that came to nothing: the other unit was ordered otherwise, or a later order counts
  no convoy     a move over sea that no fleet was ordered to carry
  disrupted     a move whose convoy was lost or makes a paradox; the order of a convoying fleet that was dislodged
  dislodged     a unit that held and was driven out
  disbanded     a retreat where another went too, or a unit taken off the board for want of an order
  destroyed     a unit taken off the board by a rule of its game
  illegal       an order that was refused: not understood, or never possible; the reason says what to write
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gm adjudicate",
        description="Adjudicate phases: JSON lines on standard input, JSON lines on standard output, one phase a line.",
        epilog=FORM,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--explain", action="store_true", help="print each phase for a person to read, naming the rules"
    )
    return parser
