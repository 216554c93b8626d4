"""Orders: what a player's units do. Not a command word: every line that is an order is one."""

from __future__ import annotations

from collections.abc import Sequence

from gm.board import Power
from gm.commands import Command
from gm.commands.scene import OrdersChanged, Scene
from gm.errors import GmError, NotNow, NotPermitted
from gm.games.deadlines import close_early
from gm.games.report_inputs import closes_at
from gm.games.snapshot import Table, orders_of
from gm.orders import Order, WrittenOrder
from gm.orders.codec import order_to_json
from gm.orders.merging import refuse_surplus, split_surplus
from gm.orders.needs import NOTHING
from gm.orders.notation import write
from gm.orders.warnings import chosen_coast
from gm.parsing.message import OrderLine
from gm.position import PhaseKind, Position
from gm.reports.context import RefusedLine
from gm.store import order_rows
from gm.store.game_rows import SeatRow
from gm.store.order_rows import OrderSetRow


def act(scene: Scene, lines: Sequence[OrderLine]) -> list[RefusedLine]:
    """Put the legal orders of a mail in force with the earlier ones; say which were refused and why.

    Raises a GmError when no order at all can be taken from this sender now.
    """
    table, seat = scene.as_player()
    scene.running(table)
    position, power = in_time(scene, table, seat)
    board = table.variant.board(position)
    units = table.variant.pieces(position)
    refused: list[RefusedLine] = []
    fresh: list[Order] = []
    coasts: list[str] = []
    for line in lines:
        for named, written in line.orders:
            try:
                order = _understood(table, position, power, named, written)
                refuse_surplus(board, units, fresh, order)
                fresh.append(order)
                coasts.append(chosen_coast(written, order))
            except GmError as error:
                refused.append(RefusedLine(line.line, line.text, error.problem, error.remedy))
    fresh, beyond = _within_need(table, position, power, fresh)
    refused += beyond
    if fresh:
        _put_in_force(scene, table, seat, position, fresh)
    for sentence in filter(None, coasts):
        scene.say(sentence)
    return refused


def in_time(scene: Scene, table: Table, seat: SeatRow) -> tuple[Position, Power]:
    """The position and power to order for. Raises NotNow when the deadline has passed or nothing is to be ordered."""
    due = closes_at(table, seat)
    closed = table.in_review and not table.reviews(seat)
    if closed or (due is not None and scene.received_at > due):
        raise NotNow("These orders came after the deadline.", "The report that follows says what can be ordered next.")
    power = Power(seat.power or "")
    if table.position is None or power not in table.duties:
        code = table.phase.code if table.phase is not None else "this phase"
        raise NotNow(f"{power} has nothing to order in {code}.", "Wait for the next report.")
    return table.position, power


def _understood(table: Table, position: Position, power: Power, named: Power | None, written: WrittenOrder) -> Order:
    """The order as the rules see it. Raises NotPermitted, Ambiguous."""
    if named is not None and named != power:
        raise NotPermitted(f"You play {power}, not {named}.", "Order your own units only.")
    board = table.variant.board(position)
    return table.variant.understand(board, position, power, written, table.variant.needs(board, position, power))


def _within_need(
    table: Table, position: Position, power: Power, orders: list[Order]
) -> tuple[list[Order], list[RefusedLine]]:
    """Builds and removals up to what is needed; the rest refused."""
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return orders, []
    duty = table.duties.get(power)
    need = duty.need if duty is not None else NOTHING
    if duty is not None and duty.offer:
        return orders, []
    kept, beyond = split_surplus(orders, need)
    noun = "build" if need.count > 0 else "removal"
    what = f"{abs(need.count)} {noun}" + ("s" if abs(need.count) > 1 else "")
    return list(kept), [
        RefusedLine(0, write(order), f"You have {what}; the first given count.", "CLEAR takes all of them back.")
        for order in beyond
    ]


def _put_in_force(scene: Scene, table: Table, seat: SeatRow, position: Position, fresh: list[Order]) -> None:
    """Store the next numbered set, and close the phase if it was the last one missing."""
    if table.phase is None:
        return
    earlier: OrderSetRow | None = table.order_sets().get(seat.id)
    merged = table.variant.merge(position, orders_of(table, earlier), fresh)
    order_rows.add_order_set(
        scene.session,
        table.phase,
        seat.id,
        [order_to_json(order) for order in merged],
        complete=table.duties[Power(seat.power or "")].met_by(merged),
        now=scene.received_at,
        inbox_id=scene.mail_id,
    )
    scene.changed = OrdersChanged(earlier.number if earlier is not None else None, close_early(table, scene.now))


_TEXT = """\
Write one order a line, in any case; names may be short or long, and the
kind of unit may be left out.

    A PAR-BUR                 move
    A PAR H                   hold
    A MUN S A BER-SIL         support a move
    A MUN S A BER             support to hold
    F NTH C A LON-NWY         convoy
    A LON-NWY VIA CONVOY      go by convoy though there is a way by land
    F STP/SC-BOT              coasts: stp/nc, stp/sc, spa/nc, bul/ec ...
    A PAR R GAS               retreat;   A PAR DISBAND
    BUILD F BRE               build;     WAIVE
    REMOVE A PAR              remove

Send orders as often as you like: a later order for a unit replaces the
earlier one, the others stand. Builds and removals of a later mail
replace all earlier ones. Every mail is answered with your orders as
they were understood."""

COMMAND = Command("orders", "how orders are written", _TEXT)
