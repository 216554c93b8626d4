"""WHATIF: a private trial adjudication, on what the sender's seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.advance import advance
from gm.board import Power
from gm.chance import Chance
from gm.commands import Command
from gm.commands.passages import show
from gm.commands.scene import Scene
from gm.errors import GmError, NotNow, NotUnderstood
from gm.games.report_inputs import view_of
from gm.games.snapshot import Table, orders_of
from gm.orders import Order
from gm.orders.needs import NOTHING
from gm.parsing.message import Complaint, OrderLine, parse_message
from gm.position import Position
from gm.reports.context import RefusedLine
from gm.reports.turn_summary import turn_text
from gm.store.game_rows import SeatRole, SeatRow

TRIAL = Chance(b"a trial adjudication draws its own lots")
"""The game's own lots are drawn when the phase is adjudicated, and nobody learns them before."""


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Adjudicate what the sender supposes for everybody; his own orders in force count where he supposes none."""
    table, seat = scene.seated()
    scene.running(table)
    if seat.role is SeatRole.OBSERVER:
        scene.as_player()
    view = view_of(table, seat)
    supposed = _own(table, seat) if seat.role is SeatRole.PLAYER else {}
    given, refused = _supposed(scene, table, view.position, args)
    for power, orders in given.items():
        supposed[power] = table.variant.merge(view.position, supposed.get(power, ()), orders)
    if not given and not refused and not supposed:
        raise NotUnderstood(
            "WHATIF needs orders.", "Write them below it, with the power before each: France: A PAR-BUR"
        )
    turn = advance(table.variant, view.position, supposed, TRIAL)
    shown = table.variant.view(table.variant, turn.after, turn, view.seat)
    scene.refused += refused
    code = view.position.phase.code
    show(scene, f"{table.game.name}, {code}: on trial, nothing is changed", turn_text(shown, table.variant.adjectives))


def _own(table: Table, seat: SeatRow) -> dict[Power, tuple[Order, ...]]:
    orders = orders_of(table, table.order_sets().get(seat.id))
    return {Power(seat.power or ""): orders} if orders else {}


def _supposed(
    scene: Scene, table: Table, position: Position, args: Mapping[str, Any]
) -> tuple[dict[Power, list[Order]], list[RefusedLine]]:
    """The orders below the line (or on it) by power, and those that are not possible."""
    lines = ((0, str(args["words"])), *args["below"]) if args["words"] else tuple(args["below"])
    parsed = parse_message("\n".join(text for _, text in lines), table.lexicon, position.phase.kind)
    board = table.variant.board(position)
    given: dict[Power, list[Order]] = {}
    refused = []
    for item in parsed.items:
        number, text = lines[item.line - 1]
        if isinstance(item, Complaint):
            refused.append(RefusedLine(number, text, item.error.problem, item.error.remedy, item.error.column))
        if not isinstance(item, OrderLine):
            continue
        for named, written in item.orders:
            power = named or _owner(table, position, written) or (scene.seat.power if scene.seat is not None else None)
            try:
                if power is None:
                    raise NotNow("This order is for no unit that you can see.", "Name the power: France: A PAR-BUR.")
                need = table.variant.needs(board, position, Power(power)) or NOTHING
                order = table.variant.understand(board, position, Power(power), written, need)
                given.setdefault(Power(power), []).append(order)
            except GmError as error:
                refused.append(RefusedLine(number, text, error.problem, error.remedy))
    return given, refused


def _owner(table: Table, position: Position, written: Any) -> Power | None:
    """Whose unit stands where the order names one."""
    unit = getattr(written, "unit", None)
    if unit is None:
        return None
    board = table.variant.board(position)
    units = (*position.units, *(dislodged.unit for dislodged in position.dislodged))
    return next((one.power for one in units if board.province(one.at) == board.province(unit.at)), None)


COMMAND = Command(
    "whatif",
    "try out orders that you suppose for everybody",
    "Orders stand below it, up to an empty line, for any power:\n\n"
    "    WHATIF\n"
    "    A PAR-BUR\n"
    "    Germany: A MUN-BUR, A RUH S A MUN-BUR\n\n"
    "Your own orders in force count where you suppose no others; all other\n"
    "units hold. It is worked out on what your power can see; nothing is\n"
    "changed and nobody is told.",
    act,
)
