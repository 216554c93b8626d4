"""PHASE: orders for a phase to come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.games import preorders as sent_ahead
from gm.parsing.phases import KIND_OF
from gm.reports.context import RefusedLine
from gm.reports.words import counted
from gm.store import order_rows

_MOST_LINES = 200
_SEASONS = "SFW"


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Keep the lines below for the phase, in place of those kept for it before; or forget them."""
    table, seat = scene.as_player()
    scene.running(table)
    code = str(args["code"])
    if args["none"]:
        order_rows.cancel_preorders(scene.session, seat.id, scene.now, code)
        scene.say(f"You have no orders for {_named(code)} any more.")
        return
    if table.phase is None or not _is_to_come(code, table.phase.code):
        now = table.phase.code if table.phase is not None else "nothing"
        raise NotNow(f"{code} is not to come: {now} is being played.", "Orders of now need no PHASE.")
    lines = [(number, text) for number, text in args["below"] if text.strip()]
    if len(lines) > _MOST_LINES:
        raise NotUnderstood(f"These are {len(lines)} lines.", f"At most {_MOST_LINES} are kept for a phase.")
    orders, faults = sent_ahead.check([text for _, text in lines], table.lexicon, KIND_OF[code[-1]])
    if not orders and faults:
        number, error = faults[0]
        raise NotUnderstood(f"{lines[number][1].strip()}: {error.problem}", error.remedy)
    scene.refused += [
        RefusedLine(*lines[number], error.problem, error.remedy, error.column) for number, error in faults
    ]
    if not orders:
        raise NotUnderstood(f"There are no orders for {_named(code)} below this line.", "Write them below it.")
    bad = {number for number, _ in faults}
    kept = [text for number, (_, text) in enumerate(lines) if number not in bad]
    order_rows.keep_preorder(scene.session, seat.id, code, kept, scene.now)
    scene.say(
        f"{counted(orders, 'order')} for {_named(code)} {'is' if orders == 1 else 'are'} kept. What is possible of it"
        " when the phase begins is your first set then; orders you send later replace it."
    )


def _named(code: str) -> str:
    return {"R": "every retreat phase", "A": "every adjustment phase"}.get(code, code)


def _is_to_come(code: str, now: str) -> bool:
    if len(code) == 1:
        return True
    return _moment(code) > _moment(now)


def _moment(code: str) -> tuple[int, int, int]:
    """Where a phase stands in time: year, season, kind."""
    return int(code[1:-1]), _SEASONS.find(code[0]), "MRA".find(code[-1])


COMMAND = Command(
    "phase",
    "orders for a phase to come",
    "The lines below it, up to ENDPHASE or another PHASE, are kept and tried\n"
    "when that phase begins: the first possible order of each unit counts, so\n"
    "that several make a ranking. Builds and removals are taken in their\n"
    "order as far as they go. PHASE RETREATS and PHASE BUILDS count for every\n"
    "such phase. What was sent ahead can be conditional:\n\n"
    "    PHASE F1903M\n"
    "    IF England F NTH THEN A BEL-HOL\n"
    "    IF NOT A BUR AND France OWNS MUN\n"
    "      A RUH-MUN\n"
    "    ELSE\n"
    "      A RUH H\n"
    "    ENDIF\n"
    "    ENDPHASE\n\n"
    "Conditions: a unit in a place, EMPTY place, power OWNS place, with NOT\n"
    "and AND. MY ORDERS shows what you have sent ahead.",
    act,
)
