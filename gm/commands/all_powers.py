"""Orders of those who order for all powers in a sandbox: a line is for the power that it names, or whose unit it is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from gm.board import Power, Province
from gm.commands.context import Context
from gm.commands.declaration import Act
from gm.errors import GmError, NotPermitted
from gm.games.snapshot import Game, Seat
from gm.orders import Build
from gm.orders.notation import write, write_unit
from gm.parsing.lexicon import Lexicon
from gm.parsing.message import Complaint, OrderLine, Talk, parse_message
from gm.play.calendar import close_now
from gm.position import PhaseKind, Position
from gm.reports.answers import RefusedLine
from gm.store.game_rows import SeatRole


def orders_for_all(ctx: Context) -> bool:
    """Whether the actor orders for all powers, because this is their sandbox."""
    seat, game = ctx.seat, ctx.game
    return seat is not None and seat.role is SeatRole.MASTER and game is not None and game.options.sandbox


def or_for_all(theirs: Callable[[Context, Mapping[str, Any]], None]) -> Callable[[Act], Act]:
    """What a player's command does instead, when its sender orders for all powers."""

    def decorated(act: Act) -> Act:
        @wraps(act)
        def either(ctx: Context, args: Mapping[str, Any]) -> None:
            if orders_for_all(ctx):
                theirs(ctx, args)
                return
            role = ctx.seated()[1].role
            if role is SeatRole.MASTER and "lines" in args:
                how = "To order for a power, write ORDERS FOR and its name above the orders."
                raise NotPermitted("This is your gamemaster address, which plays no power.", how)
            if role is not SeatRole.DEPUTY:
                ctx.as_player()
            act(ctx, args)

        return either

    return decorated


def orders_below(
    game: Game, lexicon: Lexicon, below: Sequence[tuple[int, str]], pieces: Collection[Province] = ()
) -> tuple[list[OrderLine], list[RefusedLine]]:
    """The orders in the lines below a command, and the lines that may be orders and were not understood; `pieces` are
    the provinces of those for whom they are: `all hold`.
    """
    if game.position is None:
        return [], []
    parsed = parse_message("\n".join(text for _, text in below), lexicon, game.position.phase, own=pieces)
    orders, refused = [], []
    for item in parsed.items:
        number, text = below[item.line - 1]
        if isinstance(item, OrderLine):
            orders.append(replace(item, line=number))
        elif isinstance(item, Complaint):
            refused.append(RefusedLine(number, text, item.error.problem, item.error.remedy, item.error.column))
        elif isinstance(item, Talk) and item.mentions_board:
            refused.append(RefusedLine(number, text, "This is no order.", "Write one such as A PAR-BUR."))
    return orders, refused


def pieces_of(game: Game, seat: Seat | None) -> frozenset[Province]:
    """The provinces in which the seat has something to order."""
    if game.phase is None or seat is None or seat.power is None or not game.playable:
        return frozenset()
    position, duty = game.phase.position, game.duties.get(seat.power)
    retreats = position.phase.kind is PhaseKind.RETREAT
    units = (*(() if retreats else position.units_of(seat.power)), *(duty.units if duty is not None else ()))
    return frozenset(game.phase.board.province(unit.at) for unit in units)


def order_for_all(ctx: Context, args: Mapping[str, Any]) -> None:
    """Put the orders of these lines in force, each for the power that it names, or whose unit it is."""
    game, _ = ctx.seated()
    position = ctx.running(game).position
    meant: dict[Power, list[OrderLine]] = {}
    for line in args["lines"]:
        found: dict[Power, list[Any]] = {}
        for named, written in line.orders:
            power = named or owner_of(game, position, written)
            if power is None or game.seat_of(power) is None:
                ctx.refuse([_whose(line, game.powers[0])])
            else:
                found.setdefault(power, []).append((named, written))
        for power, own in found.items():
            meant.setdefault(power, []).append(replace(line, orders=tuple(own)))
    for power, own_lines in meant.items():
        _order(ctx, game, power, own_lines)


def _whose(line: OrderLine, power: Power) -> RefusedLine:
    example = f"Name it, as in {power}: {line.text.strip()}."
    return RefusedLine(line.line, line.text, "For which power is this?", example)


def _order(ctx: Context, game: Game, power: Power, lines: Sequence[OrderLine]) -> None:
    seat = game.seat_of(power)
    assert seat is not None
    acting = replace(ctx, actor=seat)
    try:
        ctx.commands["orders"].act(acting, {"lines": lines})
    except GmError as error:
        acting.refuse([RefusedLine(line.line, line.text, error.problem, error.remedy) for line in lines])
    ctx.answer = replace(acting.answer, changed=None)
    now = ctx.tx.newest(game)
    if said := ", ".join(map(write, now.orders_of(seat))):
        ctx.say(f"{power}: {said}.{lacking(now, seat)}")


def lacking(game: Game, seat: Seat) -> str:
    """The seat's units that have no order, as a sentence after another one; "" if all have one."""
    duty = game.duty_of(seat)
    units = duty.unordered(game.orders_of(seat)) if duty is not None else ()
    return f" Without an order: {', '.join(map(write_unit, units))}." if units else ""


def adjudicate_now(ctx: Context, args: Mapping[str, Any]) -> None:
    """What READY of one who orders for all powers does."""
    del args
    game, _ = ctx.seated()
    close_now(ctx.tx, game)
    ctx.say(f"{ctx.running(game).code} is adjudicated now, with the orders that are in.")


def owner_of(game: Game, position: Position, written: Any) -> Power | None:
    """The power of the piece that the order names, or of the centre in which it builds; None if it could be several."""
    unit = getattr(written, "unit", None)
    board = game.variant.board(position)
    if unit is None or not board.exists(unit.at):
        return None
    place = board.province(unit.at)
    if isinstance(written, Build) and position.phase.kind is PhaseKind.ADJUSTMENT:
        return position.centers.get(place)
    leaving = [one.unit for one in position.dislodged]
    there = [one for one in (*leaving, *game.variant.pieces(position)) if board.province(one.at) == place]
    named = [one for one in there if one.kind is unit.kind] or there
    owners = {one.power for one in named}
    return named[0].power if (leaving and named) or len(owners) == 1 else None
