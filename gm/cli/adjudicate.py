"""`gm adjudicate`: phases in, results out, one JSON line each, without a database.

    gm adjudicate < phases.jsonl > results.jsonl
    gm adjudicate --explain < phases.jsonl

Results are written in order, each at once; many lines are shared between processes (`gm.cli.streams`).
For a line that is not a phase the result is {"error": ..., "line": its number}; other lines are not affected, and the
exit status is 0. `gm adjudicate --help` describes the format.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeVar

from gm.advance import conclude, resolve
from gm.board import Board, Location, Power, Province
from gm.cli.phases import Line, Question, chance_of, read_question
from gm.cli.streams import answers
from gm.errors import GmError
from gm.judge.outcomes import Facts, Outcome, Resolution, Result, Why
from gm.orders import Build, Disband, Order, Waive, unit_of
from gm.orders.notation import attributed, short, write_unit
from gm.orders.possible import retreat_options
from gm.position import Dislodged, Position, Unit, position_to_json
from gm.reports.explain import driven_out, rule, sentence
from gm.turn import Turn
from gm.variants import Variant

K = TypeVar("K")


def main(options: argparse.Namespace) -> int:
    """Adjudicate standard input until its end."""
    for text in answers(sys.stdin.buffer, partial(answer_line, explain=options.explain), options.jobs):
        sys.stdout.write(text)
        sys.stdout.flush()
    return 0


def answer_line(number: int, line: bytes, *, explain: bool = False) -> str:
    """The result for one line, with the end of its own line."""
    return (_explanation if explain else _json)(number, line) + "\n"


def _json(number: int, line: bytes) -> str:
    return _to_json(_judged(line, answer, lambda error: {"error": error, "line": number}))


_to_json = json.JSONEncoder(check_circular=False).encode
"""A result is a tree, made here."""


def _explanation(number: int, line: bytes) -> str:
    text = f"{_judged(line, explained, lambda error: f'Line {number}: {error}')}\n"
    return text.encode("utf-8", "replace").decode("utf-8")  # JSON can hold half a character that no output can


def _judged(line: bytes, report: Callable[[Verdict], Any], refuse: Callable[[str], Any]) -> Any:
    """The line's verdict, or its error. An internal error affects only its own line."""
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


# verdicts


@dataclass(frozen=True)
class Verdict:
    """An adjudicated phase. `of_lines` has the outcome for each order line; for a refused line, the outcome of its
    unit, if there is one. `of_others` has one for each unit without a line.
    """

    question: Question
    of_lines: tuple[Outcome | None, ...]
    of_others: tuple[Outcome, ...]
    dislodged: tuple[tuple[Dislodged, tuple[Location, ...]], ...]
    """Each dislodged unit with its possible retreats."""
    contested: frozenset[Province]
    turn: Turn


def adjudicate(question: Question) -> Verdict:
    """Adjudicate the phase as the server does at a deadline, with everything that follows from it."""
    game, lines, chance = question.game, question.lines, chance_of(question.position)
    sent: dict[Power, list[Order]] = {}
    for line in lines:
        if line.order is not None and line.by is not None:
            sent.setdefault(line.by, []).append(line.order)
    given = game.given(question.position, sent)
    before, resolution = resolve(game, question.position, given, chance)
    of_lines, of_others = _by_line(game, lines, resolution.outcomes)
    return Verdict(
        question=question,
        of_lines=of_lines,
        of_others=of_others,
        dislodged=tuple(_retreats(question.board, before, resolution)) if resolution.dislodged else (),
        contested=resolution.contested,
        turn=conclude(game, before, given, resolution, chance),
    )


def _retreats(
    board: Board, before: Position, resolution: Resolution
) -> Iterator[tuple[Dislodged, tuple[Location, ...]]]:
    """Each dislodged unit with its possible retreats."""
    after = Position(before.phase, resolution.units, {}, resolution.dislodged, resolution.contested, before.extra)
    return ((d, retreat_options(board, after, d)) for d in resolution.dislodged)


def _by_line(
    game: Variant, lines: Sequence[Line], outcomes: Sequence[Outcome]
) -> tuple[tuple[Outcome | None, ...], tuple[Outcome, ...]]:
    """The outcomes of the lines and of other units. A refused line has the outcome of its unit, which had no other
    order. Of the orders that have their effect when orders are closed, the last counts.
    """
    found = _Outcomes(outcomes)
    of_lines = [found.of_order(line.order) if line.order is not None else None for line in lines]
    at_close = game.review.at_close if game.review is not None else ()
    closing = [place for place, line in enumerate(lines) if isinstance(line.order, at_close)]
    for place, line in enumerate(lines):
        if line.order is None or of_lines[place] is not None:
            continue
        if place not in closing:
            of_lines[place] = found.of_unit(line.unit)
        elif place == closing[-1]:
            of_lines[place] = Outcome(line.order, Result.SUCCEEDS)
    without = [place for place, own in enumerate(of_lines) if own is None]
    same = {(line.order, line.by): own for line, own in zip(lines, of_lines, strict=True)} if without else {}
    for place in without:
        line = lines[place]
        twins = (own for (order, by), own in same.items() if order == line.order and by != line.by)
        of_lines[place] = next(filter(None, twins), None) or _left_out(line.order)
    refused: dict[Unit, Outcome] = {}  # of equal units in one space each refused line has another, while there are any
    for place, line in enumerate(lines):
        if line.order is None and line.unit is not None:
            own = found.of_unit(line.unit)
            if own is not None:
                refused[line.unit] = own
            of_lines[place] = own or refused.get(line.unit)
    return tuple(of_lines), tuple(found.left())


class _Outcomes:
    """Outcomes to be taken one by one: for an order, or for a unit."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self._every = outcomes
        self._taken: set[int] = set()
        self._next = 0
        """The first that was not taken in turn: lines mostly come in the order in which they are adjudicated."""

    @cached_property
    def _of_order(self) -> Mapping[Order, deque[int]]:
        return self._by(lambda outcome: outcome.order)

    @cached_property
    def _of_unit(self) -> Mapping[Unit | None, deque[int]]:
        return self._by(lambda outcome: unit_of(outcome.order))

    def _by(self, key: Callable[[Outcome], K]) -> Mapping[K, deque[int]]:
        found: dict[K, deque[int]] = {}
        for number, outcome in enumerate(self._every):
            found.setdefault(key(outcome), deque()).append(number)
        return found

    def of_order(self, order: Order) -> Outcome | None:
        """The first outcome of an equal order that has not been taken."""
        number = self._next
        if number < len(self._every) and self._every[number].order is order and number not in self._taken:
            self._next += 1
            self._taken.add(number)
            return self._every[number]
        return self._take(self._of_order.get(order))

    def of_unit(self, unit: Unit | None) -> Outcome | None:
        """The first outcome for that unit that has not been taken."""
        return self._take(self._of_unit.get(unit)) if unit is not None else None

    def left(self) -> list[Outcome]:
        """The outcomes that were not taken, in order."""
        return [outcome for number, outcome in enumerate(self._every) if number not in self._taken]

    def _take(self, numbers: deque[int] | None) -> Outcome | None:
        while numbers:
            number = numbers.popleft()
            if number not in self._taken:
                self._taken.add(number)
                return self._every[number]
        return None


def _left_out(order: Order | None) -> Outcome | None:
    """The outcome of an order that was not adjudicated, because another one counted. A waiver asks for nothing."""
    if order is None:
        return None
    if isinstance(order, Waive):
        return Outcome(order, Result.SUCCEEDS)
    why = Why.SURPLUS if isinstance(order, Build | Disband) else Why.REPLACED
    return Outcome(order, Result.VOID, facts=Facts(why=why))


# For programs


def answer(verdict: Verdict) -> dict[str, Any]:
    """The verdict as `gm adjudicate` writes it."""
    after = position_to_json(verdict.turn.after)
    return {
        "results": list(_results(verdict)),
        "units_after": after["units"],
        "dislodged": [
            {"unit": str(d.unit), "from": d.origin, "convoyed": d.convoyed, "retreats": list(options)}
            for d, options in verdict.dislodged
        ],
        "no_retreat": [str(d.unit) for d, options in verdict.dislodged if not options],
        "contested": sorted(verdict.contested),
        "centers_after": after["centers"],
        "state_after": after["state"],
        "next": {"year": after["year"], "season": after["season"], "phase": after["phase"]},
        "victory": ", ".join(verdict.turn.victory.winners) if verdict.turn.victory is not None else None,
    }


def _results(verdict: Verdict) -> Iterator[dict[str, str]]:
    board, words = verdict.question.board, verdict.question.game.words
    for line, outcome in zip(verdict.question.lines, verdict.of_lines, strict=True):
        if line.order is None:
            yield {"order": line.text, "outcome": Result.ILLEGAL, "reason": _refusal(line, outcome)}
        else:
            assert outcome is not None
            yield {"order": line.text, "outcome": outcome.result, "reason": sentence(outcome, board, words)}
    for outcome in verdict.of_others:
        reason = sentence(outcome, board, words)
        yield {"order": attributed(outcome.order), "outcome": outcome.result, "reason": reason}


def _refusal(line: Line, outcome: Outcome | None) -> str:
    """Why the line was refused, and the outcome of its unit."""
    if outcome is None or outcome.facts.dislodged is None:
        return line.refusal
    return (
        f"{line.refusal} {write_unit(outcome.facts.dislodged.unit)} held and was {driven_out(outcome.facts.dislodged)}."
    )


# For people


def explained(verdict: Verdict) -> str:
    """The phase for a player who wants an explanation: each order, its result, the reason and the rule."""
    return "\n".join(_paragraphs(verdict))


def _paragraphs(verdict: Verdict) -> Iterator[str]:
    question = verdict.question
    title = f"{question.position.phase}, {question.game.title}, rulebook of {question.game.rulebook.name}"
    yield from (title, "=" * len(title))
    for line, outcome in zip(question.lines, verdict.of_lines, strict=True):
        if line.order is None or outcome is None:
            yield from (f"{line.text}", f"    illegal: {_refusal(line, outcome)}")
        else:
            yield from _explained(question, line.text, outcome)
    if verdict.of_others:
        yield from ("", "Without an order:")
    for outcome in verdict.of_others:
        yield from _explained(question, attributed(outcome.order), outcome)
    yield from _consequences(verdict)


def _explained(question: Question, text: str, outcome: Outcome) -> Iterator[str]:
    yield text
    yield f"    {outcome.result}: {sentence(outcome, question.board, question.game.words)}"
    named = rule(outcome, question.game.rulebook, question.game.words)
    if named:
        yield f"    Rule: {named}"


def _consequences(verdict: Verdict) -> Iterator[str]:
    turn = verdict.turn
    if verdict.dislodged:
        yield from ("", "Dislodged:")
    for d, options in verdict.dislodged:
        places = ", ".join(map(short, options))
        yield f"    {d.unit.power} {write_unit(d.unit)} " + (
            f"can retreat to {places}." if options else "is destroyed."
        )
    if verdict.contested:
        yield from ("", f"No unit may retreat to {', '.join(short(Location(p)) for p in sorted(verdict.contested))}.")
    if turn.count is not None and turn.count.gained:
        yield from ("", "Centres taken:")
        for power, centers in turn.count.gained.items():
            yield f"    {power}: {', '.join(short(Location(center)) for center in centers)}"
    yield ""
    words = verdict.question.game.words
    yield words.victory(turn.victory) if turn.victory is not None else f"Next: {turn.after.phase}."
