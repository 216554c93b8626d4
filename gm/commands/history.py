"""HISTORY, MAP and WHY: the phases that were played, as far as the reader may see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.board import Location, Province
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Syntax
from gm.errors import NotNow, NotUnderstood
from gm.games.pictures import map_files
from gm.games.report_inputs import turn_of, view_after, view_of
from gm.games.snapshot import Table
from gm.judge.explain import mark, sentence
from gm.judge.outcome import Outcome
from gm.orders import unit_of
from gm.orders.notation import write
from gm.parsing.folding import fold
from gm.parsing.phase_names import one_phase
from gm.reports.turn_summary import turn_text
from gm.reports.words import wrap
from gm.store.game_rows import PhaseRow
from gm.views import View

_MOST = 40
"""Phases in one answer; more are asked for by year."""


def act_history(ctx: Context, args: Mapping[str, Any]) -> None:
    """Retell the last phase, the one named, a year's or all, as far as the sender's seat may see them."""
    table, which = ctx.public_table(args["game"]), args["phases"] or ""
    played = [phase for phase in table.line if phase.adjudicated_at is not None]
    if not played:
        raise NotNow(f"No phase of {table.game.name} has been played yet.", "STATUS shows how it stands.")
    chosen = _phases_meant(table, played, which)
    if not chosen:
        raise NotUnderstood(
            f"No phase '{which}' was played.", f"The first was {played[0].code}, the last {played[-1].code}."
        )
    for phase in chosen[-_MOST:]:
        _retell(ctx, table, phase)
    if len(chosen) > _MOST:
        ctx.say(f"Only the last {_MOST} phases are shown; HISTORY with a year shows the others.")


def _phases_meant(table: Table, played: list[PhaseRow], which: str) -> list[PhaseRow]:
    """The phases that are meant: the last, one by its code, a year's, or all."""
    word = which.upper()
    if word in ("", "LAST"):
        return played[-1:]
    if word == "ALL":
        return played
    if word.isdecimal():
        return [phase for phase in played if table.position_of(phase).phase.year == int(word)]
    return [phase for phase in played if phase.code == word]


def _retell(ctx: Context, table: Table, phase: PhaseRow) -> None:
    """Add the account of one phase to the answer."""
    view = view_after(table, ctx.own_seat(table), turn_of(table, phase))
    ctx.show(f"{table.game.name}, {phase.code}", turn_text(view, table.variant.adjectives))


HISTORY = Command(
    "history",
    Syntax(
        "HISTORY [game:GAME] [phases:PHASES]",
        ("HISTORY", "HISTORY F1901M", "HISTORY 1901", "HISTORY game ALL"),
        elsewhere=("results",),
        asks=True,
    ),
    Policy(cost=5),
    act_history,
    Help(
        "show the results of phases that were played",
        "HISTORY alone shows the last phase. A code shows one (F1901M), a year\n"
        "all of that year, ALL everything. Written to your seat's address it\n"
        "shows what your power may know, else what everybody may.",
    ),
)


def act_map(ctx: Context, args: Mapping[str, Any]) -> None:
    """Attach the map of the last phase, or of the one named, as far as the sender's seat may see it."""
    table, which = ctx.public_table(args["game"]), args["phases"] or ""
    if table.position is None or table.phase is None:
        raise NotNow(f"The game {table.game.name} has not begun.", "STATUS shows who has joined.")
    seat, played = ctx.own_seat(table), [phase for phase in table.line if phase.adjudicated_at is not None]
    phases = _phases_meant(table, played, which) if played else []
    if not phases and which:
        raise NotUnderstood(f"No phase '{which}' was played.", "MAP alone shows how the game stands.")
    phase = phases[-1] if phases else table.phase
    view = view_after(table, seat, turn_of(table, phase)) if phases else view_of(table, seat)
    files = map_files(table, phase.code, view)
    if not files:
        raise NotNow(f"There is no map of {table.game.name}.", "STATUS and HISTORY tell where everything stands.")
    ctx.attachments += files
    ctx.say(f"The map of {table.game.name}, {phase.code}, is attached: as SVG, which can be enlarged, and as PNG.")


MAP = Command(
    "map",
    Syntax("MAP [game:GAME] [phases:PHASES]", ("MAP", "MAP F1901M", "MAP game")),
    Policy(cost=10),
    act_map,
    Help(
        "get the map as a file, of now or of a phase that was played",
        "MAP alone shows the last phase and its orders, a code an earlier one.\n"
        "Written to your seat's address it shows what your power may know,\n"
        "else what everybody may. Without maps in reports: PREFERENCES maps=none.",
    ),
)


def act_why(ctx: Context, args: Mapping[str, Any]) -> None:
    """Say of every order for the unit that is named what became of it, and why."""
    table, code, words = _asked(ctx, args["phase"], args["order"])
    phase = _phase(table, code)
    view = view_after(table, ctx.own_seat(table), turn_of(table, phase))
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
    ctx.show(f"{table.game.name}, {phase.code}: why", "\n\n".join(_explained(outcome, view) for outcome in found))


def _asked(ctx: Context, code: str | None, words: str) -> tuple[Table, str | None, str]:
    """The game, the phase if one is named, and the order. Away from a seat the first word names the game."""
    first, _, rest = words.partition(" ")
    if ctx.table is not None or code is not None or not rest:
        return ctx.public_table(None), code, words
    table = ctx.public_table(first)
    second, _, order = rest.partition(" ")
    return (table, one_phase(second), order) if one_phase(second) and order else (table, None, rest)


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
    return f"{head}\n{wrap(sentence(outcome, view.board), 4)}"


WHY = Command(
    "why",
    Syntax(
        "WHY [phase:PHASE] order:WORDS", ("WHY A PAR-BUR", "WHY F1901M A PAR-BUR"), elsewhere=("explain",), asks=True
    ),
    Policy(),
    act_why,
    Help(
        "explain the result of an order",
        "Name the order, or only the place where the unit stood. The last phase\n"
        "is meant, or the one whose code goes before it.",
    ),
)
