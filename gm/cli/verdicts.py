"""Verdicts of `gm adjudicate`: a phase is adjudicated, and reported as JSON or explained for people.

Place: beside `gm.cli.adjudicate` and `gm.cli.phases`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gm.advance import conclude
from gm.board import Location, Province
from gm.chance import Chance
from gm.cli.phases import Line, Malformed, Question
from gm.judge.outcomes import Outcome, Result
from gm.orders import power_of, unit_of
from gm.orders.notation import attributed, short, write_unit
from gm.orders.possible import retreat_options
from gm.position import Dislodged, Position, Unit, position_to_json
from gm.reports.explain import driven_out, rule, sentence
from gm.turn import Turn

NO_SEED = bytes(32)
"""For games without random draws; a game with draws has its `seed` and its name, `game`, in its `state`."""


@dataclass(frozen=True)
class Verdict:
    """A phase adjudicated. `of_lines` has the outcome for each order line; where it was refused, that of its unit, as
    far as there is one. `of_others` has one for each unit without a line.
    """

    question: Question
    of_lines: tuple[Outcome | None, ...]
    of_others: tuple[Outcome, ...]
    dislodged: tuple[tuple[Dislodged, tuple[Location, ...]], ...]
    """Each dislodged unit with its possible retreats."""
    contested: frozenset[Province]
    turn: Turn


def adjudicate(question: Question) -> Verdict:
    """Adjudicate the phase, and what follows from it."""
    game, before, lines = question.game, question.position, question.lines
    orders = [line.order for line in lines if line.order is not None]
    by_power = {power: tuple(o for o in orders if power_of(o) == power) for power in game.powers(before)}
    given = {power: own for power, own in by_power.items() if own}
    chance = _chance(before)
    filled = game.fill(game, before, given, chance)
    added = [order for power, own in filled.items() for order in own if order not in given.get(power, ())]
    resolution = game.resolve(game, before, [*orders, *added], chance)
    after = Position(before.phase, resolution.units, {}, resolution.dislodged, resolution.contested, before.extra)
    of_lines, of_others = _by_line(lines, resolution.outcomes)
    return Verdict(
        question=question,
        of_lines=of_lines,
        of_others=of_others,
        dislodged=tuple((d, retreat_options(question.board, after, d)) for d in resolution.dislodged),
        contested=resolution.contested,
        turn=conclude(game, before, given, resolution, chance),
    )


def _by_line(
    lines: Sequence[Line], outcomes: Sequence[Outcome]
) -> tuple[tuple[Outcome | None, ...], tuple[Outcome, ...]]:
    """The outcomes of the lines and those of others. A refused line has that of its unit, which went without orders."""
    left = iter(outcomes)
    of_lines = [next(left) if line.order is not None else None for line in lines]
    others = list(left)
    refused: dict[Unit, Outcome] = {}  # of equal units in one space each refused line has another, while there are any
    for place, line in enumerate(lines):
        if line.order is None and line.unit is not None:
            own = next((outcome for outcome in others if unit_of(outcome.order) == line.unit), None)
            if own is not None:
                others.remove(own)
                refused[line.unit] = own
            of_lines[place] = own or refused.get(line.unit)
    return tuple(of_lines), tuple(others)


def _chance(before: Position) -> Chance:
    seed = before.extra.get("seed")
    try:
        return Chance(bytes.fromhex(seed) if isinstance(seed, str) else NO_SEED, str(before.extra.get("game", "")))
    except ValueError as error:
        raise Malformed(f"In 'state': {seed!r} is not a seed: {error}.") from None


# For programs


def answer(verdict: Verdict) -> dict[str, Any]:
    """The verdict as `gm adjudicate` writes it."""
    after = position_to_json(verdict.turn.after)
    return {
        "results": list(_results(verdict)),
        "units_after": [str(unit) for unit in verdict.turn.after.units],
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
            yield {"order": line.text, "outcome": Result.ILLEGAL.value, "reason": _refusal(line, outcome)}
        else:
            assert outcome is not None
            yield {"order": line.text, "outcome": outcome.result.value, "reason": sentence(outcome, board, words)}
    for outcome in verdict.of_others:
        reason = sentence(outcome, board, words)
        yield {"order": attributed(outcome.order), "outcome": outcome.result.value, "reason": reason}


def _refusal(line: Line, outcome: Outcome | None) -> str:
    """Why the line was refused, and the fate of its unit."""
    if outcome is None or outcome.facts.dislodged is None:
        return line.refusal
    return (
        f"{line.refusal} {write_unit(outcome.facts.dislodged.unit)} held and was {driven_out(outcome.facts.dislodged)}."
    )


# For people


def explained(verdict: Verdict) -> str:
    """The phase for a player with doubts: each order, its result, the reason and the rule."""
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
    named = rule(outcome, question.game.rulebook)
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
