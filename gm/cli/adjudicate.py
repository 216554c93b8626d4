"""`gm adjudicate`: phases in, results out, one JSON line each, without a database.

    gm adjudicate < phases.jsonl > results.jsonl
    gm adjudicate --explain < phases.jsonl

The answer to a line that is not a phase is {"error": ..., "line": its number}; other lines are not affected, and the
exit status is 0. `gm adjudicate --help` describes the format.
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
    """The line's verdict, or its error. An internal failure affects its own line only."""
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
year, season (spring, fall, winter) and phase (movement, retreat, adjustment) are required. Places in units and centers
are canonical codes; orders are read as in players' mail, of any power that the line names. `variant` is played by the
newest edition of its rules, or by the one named: `standard/1`. `rulebook` is 1971, 2000 or 2023; the default is the
variant's own. `state` is the `state_after` of the previous phase; in a game with random draws it also has their `seed`,
in hexadecimal digits, and the name of the `game`.

A line of output:
  results       [{"order", "outcome", "reason"}] for each order in the order given, then for each unit without one
  units_after   the units on the board
  dislodged     [{"unit", "from", "convoyed", "retreats"}]; no_retreat: those of them with nowhere to go
  contested     the vacant provinces where units bounced
  centers_after, state_after, next {"year", "season", "phase"}, victory (null or the winner)
or {"error", "line"} for a line that is not a phase; other lines are not affected.

The values of "outcome":
  succeeds      the order did what it says; a support counted, a unit held, a fleet convoyed
  bounces       a move against equal or greater strength
  cut           a support that was cut by an attack or a dislodgement
  void          a possible order without effect: the other unit has another order, or a later order replaced it
  no convoy     a move by sea without any fleet ordered to convoy it
  disrupted     a move whose convoy was lost or forms a paradox; the order of a convoying fleet that was dislodged
  dislodged     a unit that held and was dislodged
  disbanded     a retreat to the same place as another, or a unit removed because it had no order
  destroyed     a unit removed by a rule of its game
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
