"""WHY: one result of a phase explained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.board import Location, Province
from gm.commands import Command
from gm.commands.history import named
from gm.commands.passages import own_seat, show
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.games.report_inputs import turn_of, view_after
from gm.games.snapshot import Table
from gm.judge.outcomes import Outcome
from gm.orders import unit_of
from gm.orders.notation import write
from gm.parsing.folding import fold
from gm.parsing.phases import one_phase
from gm.reports.explain import mark, sentence
from gm.reports.words import wrap
from gm.store.game_rows import PhaseRow
from gm.views import View


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Say of every order for the unit that is named what became of it, and why."""
    words = str(args["words"])
    if not words:
        raise NotUnderstood("WHY needs an order, or the place of a unit.", "Write WHY A PAR-BUR.")
    table, code, words = _asked(scene, words)
    phase = _phase(table, code)
    view = view_after(table, own_seat(scene, table), turn_of(table, phase))
    turn = view.turn
    place = _place(table, words)
    if turn is None:
        raise NotNow(f"Nothing of {phase.code} may be seen from here.", "Write to your seat's address.")
    found = [
        outcome
        for outcome in turn.outcomes
        if (unit := unit_of(outcome.order)) and view.board.province(unit.at) == place
    ]
    if not found:
        raise NotUnderstood(
            f"No unit that you can see had an order in '{words}' in {phase.code}.",
            "Name the unit by the place where it stood; another phase goes before it: WHY F1901M A PAR-BUR.",
        )
    show(scene, f"{table.game.name}, {phase.code}: why", "\n\n".join(_explained(outcome, view) for outcome in found))


def _asked(scene: Scene, words: str) -> tuple[Table, str | None, str]:
    """The game, the phase if one is named, and the order."""
    first, _, rest = words.partition(" ")
    if one_phase(first) and rest:
        return scene.public_table(None), one_phase(first), rest
    if scene.table is None and rest:
        table, rest = named(scene, words)
        second, _, order = rest.partition(" ")
        return (table, one_phase(second), order) if one_phase(second) and order else (table, None, rest)
    return scene.public_table(None), None, words


def _phase(table: Table, code: str | None) -> PhaseRow:
    played = [phase for phase in table.line if phase.adjudicated_at is not None]
    wanted = [phase for phase in played if code in (None, phase.code)]
    if not wanted:
        raise NotNow(f"{code or 'No phase'} of {table.game.name} has not been played.", "WHY explains results.")
    return wanted[-1]


def _place(table: Table, words: str) -> Province:
    """Where the unit stood that the order names: its first place."""
    for name in table.lexicon.scan(fold(words).folded).names:
        if isinstance(name, NotUnderstood):
            raise name
        if table.lexicon.power(str(name)) is None and table.position is not None:
            return table.variant.board(table.position).province(Location(str(name)))
    raise NotUnderstood(f"'{words}' names no place.", "Write an order, or the place of a unit: WHY A PAR-BUR, WHY PAR.")


def _explained(outcome: Outcome, view: View) -> str:
    unit = unit_of(outcome.order)
    done = mark(outcome)
    head = f"{unit.power if unit else ''}: {write(outcome.order)}" + (f"  (*{done}*)" if done else "")
    return f"{head}\n{wrap(sentence(outcome, view.board, view.words), 4)}"


COMMAND = Command(
    "why",
    "explain the result of an order",
    "Name the order, or only the place where the unit stood. The last phase\n"
    "is meant, or the one whose code goes before it.",
    act,
)
