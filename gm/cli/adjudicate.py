"""`gm adjudicate`: phases in, results out, one JSON line each, without a database.

    gm adjudicate < phases.jsonl > results.jsonl
    gm adjudicate --explain < phases.jsonl

A line that is no phase is answered {"error": ..., "line": its number}; the others are not affected, and the exit status
is 0. The words of `outcome`: those of `gm.judge.outcome.Result`.
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
    return json.dumps(_judged(line, answer, lambda error: {"error": error, "line": number}), ensure_ascii=False)


def _explanation(number: int, line: bytes) -> str:
    return f"{_judged(line, explained, lambda error: f'Line {number}: {error}')}\n"


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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gm adjudicate",
        description="Adjudicate phases: JSON lines on standard input, JSON lines on standard output, one phase a line.",
        epilog='Example: {"year": 1901, "season": "spring", "phase": "movement", "units": ["Italy A ven"], '
        '"orders": ["Italy: A ven-tri"]}',
    )
    parser.add_argument(
        "--explain", action="store_true", help="print each phase for a person to read, naming the rules"
    )
    return parser
