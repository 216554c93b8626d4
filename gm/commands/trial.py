"""WHATIF and PREVIEW: trial adjudications of what the sender may see, without any change to the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gm.advance import advance
from gm.board import Power
from gm.chance import Chance
from gm.commands.all_powers import orders_below, owner_of
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Orders, Policy, Record, Sentences, Stage, Syntax, Who
from gm.errors import GmError, NotNow, NotUnderstood
from gm.games import report_inputs
from gm.games.report_inputs import view_after, view_of
from gm.games.snapshot import Game, Seat
from gm.orders import Order, WrittenOrder
from gm.position import Position
from gm.reports.answers import RefusedLine
from gm.reports.blocks import turn_blocks
from gm.reports.difference import difference
from gm.store.game_rows import PhaseRow, SeatRole
from gm.turn import Turn
from gm.views import MASTER

_TRIAL = Chance(b"a trial adjudication draws its own lots")
"""A trial must not reveal the game's own random draws, so it uses a seed of its own."""


def act_whatif(ctx: Context, args: Mapping[str, Any]) -> None:
    """Adjudicate the orders that the sender supposes for any power, merged with the sender's own orders."""
    game, seat = ctx.seated()
    view = view_of(game, seat)
    supposed = _own(game, seat) if seat.role in (SeatRole.PLAYER, SeatRole.DEPUTY) else {}
    lines = ((0, str(args["words"])), *args["below"]) if args["words"] else tuple(args["below"])
    given, refused = orders_meant(ctx, game, view.position, lines)
    for power, orders in given.items():
        supposed[power] = game.variant.joined(view.position, power, supposed.get(power, ()), orders)
    if not given and not refused and not supposed:
        raise NotUnderstood("WHATIF needs orders.", "Write them below it, each with its power: France: A PAR-BUR")
    review = game.variant.review
    rules = game.variant if review is None else review.trial(game.variant)
    turn = replace(advance(rules, view.position, supposed, _TRIAL), silent=())  # no orders were due
    shown = replace(game.variant.view(game.variant, turn.after, turn, view.seat), trial=True)
    ctx.refuse(refused)
    code = view.position.phase.code
    words = partial(turn_blocks, adjectives=game.variant.adjectives)
    ctx.show_view(f"{game.name}, {code}: trial adjudication; nothing is changed", shown, words)


def _own(game: Game, seat: Seat) -> dict[Power, tuple[Order, ...]]:
    orders = game.orders_of(seat)
    return {seat.power: orders} if orders and seat.power is not None else {}


def orders_meant(
    ctx: Context, game: Game, position: Position, lines: Sequence[tuple[int, str]]
) -> tuple[dict[Power, list[Order]], list[RefusedLine]]:
    """The orders in these lines by power, as they are possible in the position, and those that are not."""
    meant, refused = orders_below(game, game.lexicon_of(ctx.seat), lines)
    board = game.variant.board(position)
    given: dict[Power, list[Order]] = {}
    for item in meant:
        for named, written in item.orders:
            power = named or owner_of(game, position, written) or (ctx.seat.power if ctx.seat is not None else None)
            if (own := _in_their_place(ctx, game, position, named, written)) is not None:
                given.setdefault(own[0], []).append(own[1])
                continue
            try:
                if power is None:
                    raise NotNow("You cannot see a unit there.", "Name the power: France: A PAR-BUR.")
                need = game.variant.needs(board, position, Power(power))
                order = game.variant.understand(board, position, Power(power), written, need)
                given.setdefault(Power(power), []).append(order)
            except GmError as error:
                refused.append(RefusedLine(item.line, item.text, error.problem, error.remedy))
    return given, refused


def _in_their_place(
    ctx: Context, game: Game, position: Position, named: Power | None, written: WrittenOrder
) -> tuple[Power, Order] | None:
    """The order as the seat gives it that may order in others' place, and its power; None where it may not."""
    if ctx.seat is None or ctx.seat.power is None or not game.reviews(ctx.seat):
        return None
    try:
        return ctx.seat.power, game.variant.order_of(position, ctx.seat.power, named, written)
    except GmError:
        return None


def what_changes(ctx: Context, game: Game, phase: PhaseRow, new: Turn) -> tuple[str, ...]:
    """What another turn, of `turn_with`, would change in a phase that was adjudicated, or of which the results are
    held, for a gamemaster who does not play.
    """
    held = phase.id == game.phase_id
    old = turn_with(ctx, game, phase, {}) if held else report_inputs.turn_of(ctx.tx.session, game, phase)
    before, after = (game.variant.view(game.variant, turn.after, turn, MASTER) for turn in (old, new))
    return difference(before, after, game.variant.adjectives)


def turn_with(ctx: Context, game: Game, phase: PhaseRow, orders: Mapping[Power, Sequence[Order]]) -> Turn:
    """The turn of a phase that was adjudicated, with other orders of some powers; chance falls as it fell."""
    given = report_inputs.orders_by_power(ctx.tx.session, game, phase)
    given |= {power: tuple(own) for power, own in orders.items()}
    return advance(game.variant, report_inputs.position_of(game, phase), given, game.chance)


WHATIF = Command(
    "whatif",
    Syntax(
        "WHATIF [words:WORDS]",
        ("WHATIF\nyour orders and others'",),
        synonyms=("what if",),
        elsewhere=("try",),
        loud=("what if",),
        asks=True,
        below=Orders(to_gap=True),
    ),
    Policy(Who.PARTICIPANT, Stage.RUNNING, by_deputies=True, cost=5, in_sandbox=True),
    act_whatif,
    Help(
        "try out orders for all powers",
        """
        Write orders for any power below it, up to an empty line:

            WHATIF
            A PAR-BUR
            Germany: A MUN-BUR, A RUH S A MUN-BUR

        Your own orders are used unless you write others; all other units hold.
        The result is based on what your power can see. Nothing is changed, and
        no other player is notified.
        """,
    ),
)


def on_trial(game: Game) -> tuple[Turn, bool]:
    """The turn of the game's phase with the orders that are in, and whether it depends on chance."""
    chance = game.chance.watched
    turn = advance(game.variant, game.present.position, game.orders_by_power, chance)
    return turn, bool(chance.revealed())


def act_preview(ctx: Context, args: Mapping[str, Any]) -> None:
    """Adjudicate on trial, without storing anything."""
    game, seat = ctx.seated()
    phase = ctx.running(game, args["phase"])
    turn = advance(game.variant, phase.position, game.orders_by_power, _TRIAL)
    said = turn_blocks(replace(view_after(game, seat, turn), trial=True), game.variant.adjectives)
    ctx.show(f"{game.name}, {phase.code}: trial adjudication with the orders received so far", said)
    ctx.note("preview", phase=phase.code)


PREVIEW = Command(
    "preview",
    Syntax(
        "PREVIEW [phase:PHASE]",
        ("PREVIEW", "PREVIEW F1901M"),
        synonyms=("predict",),
        asks=True,
        sentences=Sentences.UNLESS_WHOLE,
    ),
    Policy(Who.NEUTRAL_MASTER, Stage.RUNNING, record=Record(quiet=True), cost=5, in_sandbox=True),
    act_preview,
    Help(
        "adjudicate on trial, with the orders received so far",
        """
        Nothing is changed, and no player is notified. Random draws will turn
        out differently in the real adjudication. A gamemaster who plays cannot
        use it.
        """,
    ),
)
