"""ORDERS, CLEAR, WAIT, READY, PHASE and MY ORDERS: a player's orders, for this phase and later ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from gm.board import Power
from gm.commands.all_powers import adjudicate_now, or_for_all, order_for_all
from gm.commands.context import Context, Meant, OrdersChanged
from gm.commands.declaration import Command, Help, Policy, Sentences, Stage, Syntax, Who
from gm.commands.later_orders import keep_ahead
from gm.errors import GmError, NotNow, NotUnderstood
from gm.games import report_inputs
from gm.games.snapshot import Game, PhasePlayed, Seat
from gm.orders import Order, unit_of
from gm.orders.notation import write, write_unit
from gm.orders.order_sets import chosen_coast, decided, refuse_surplus, split_surplus, superseded
from gm.orders.possible import NOTHING
from gm.parsing.beginnings import respelt
from gm.parsing.message import OrderLine
from gm.parsing.orders import Attributed, read_orders
from gm.play import preorders
from gm.play.calendar import close_early
from gm.position import PhaseKind, Position
from gm.reports.answers import RefusedLine
from gm.reports.forms import in_name_of
from gm.reports.reader import BY_READY, UNTIMED, by_ready
from gm.reports.standing_orders import SAY_READY, say_wait
from gm.store import agenda

_Refused: TypeAlias = tuple[Order, RefusedLine]
"""An order, and why it is refused."""


@or_for_all(order_for_all)
def act_orders(ctx: Context, args: Mapping[str, Any]) -> None:
    """Put the legal orders in the mail's lines in force, merged with earlier ones; report which were refused and why.
    Where it must not be seen which can be used, the seat has sent orders in any case (`Game.is_in`).

    Raises a GmError when no order at all can be accepted from this sender now.
    """
    game, seat = ctx.commanding()
    lines = _of_this_phase(ctx, game, seat, args["lines"])
    if not lines:
        return
    position, power = _in_time(ctx, game, seat)
    board, units = game.variant.board(position), game.variant.pieces(position)
    refused: list[RefusedLine] = []
    fresh: list[Order] = []
    coasts: list[str] = []
    numbers: dict[Order, int] = {}
    for line in lines:
        for named, written in line.orders:
            try:
                order = _order_of(ctx, game, seat, line, (named, written), tries=len(refused) < _MOST_TRIED)
                refuse_surplus(board, units, fresh, order)
                fresh.append(order)
                numbers[order] = line.line
                coasts.append(chosen_coast(written, order))
            except GmError as error:
                refused.append(RefusedLine(line.line, line.text, error.problem, error.remedy))
    fresh, beyond = _within_need(game, position, power, fresh)
    if fresh:
        beyond += _give(ctx, game, seat, power, position, fresh)
    _note_sent(ctx, ctx.tx.newest(game), seat)
    refused += (replace(one, number=numbers[order]) for order, one in beyond)
    for sentence in filter(None, coasts):
        ctx.say(sentence)
    ctx.refuse(refused)


def note_sent(ctx: Context) -> None:
    """Note that orders were sent that are asked about, or refused, by whether they could have been used in a phase
    before, where that must not be seen.
    """
    game, seat = ctx.commanding()
    with suppress(NotNow):
        _in_time(ctx, game, seat)
        _note_sent(ctx, game, seat)


def _note_sent(ctx: Context, game: Game, seat: Seat) -> None:
    """Note that orders were sent, also where none of them could be used and that must not be seen."""
    if game.waits_for_all and not game.has_sent(seat):
        given = game.next_set(seat, game.orders_of(seat), ctx.received_at, ctx.mail_id)
        close_early(ctx.tx, ctx.tx.put_orders(game, {seat.id: given}))


_MOST_TRIED = 10
"""How many lines of a mail that cannot be given are tried with other places."""


def _order_of(ctx: Context, game: Game, seat: Seat, line: OrderLine, given: Attributed, *, tries: bool) -> Order:
    """The order as it is played. If it cannot be given, but a place may be meant whose name only begins as it is
    written (`F Lon-Nor`), the one order that can; the answer says so. Raises GmError.
    """
    position, power = ctx.running(game).position, seat.power
    if power is None:
        raise LookupError("a seat without a power has no orders")
    if power not in game.duties:
        raise _nothing_to_order(game, power)
    try:
        return game.variant.order_of(position, power, *given)
    except GmError:
        if len(line.orders) > 1 or not tries:
            raise
        found: dict[Order, None] = {}
        lexicon = game.lexicon_of(seat)
        for text in respelt(line.matter or line.text, lexicon, known=True):
            for one in read_orders(text, lexicon, position.phase.kind).orders:
                with suppress(GmError):
                    found[game.variant.order_of(position, power, *one)] = None
        if len(found) != 1:
            raise
        (order,) = found
        ctx.say(f"{line.text.strip()!r} was taken as {write(order)}, the only order that it can be.")
        return order


def _give(
    ctx: Context, game: Game, seat: Seat, power: Power, position: Position, fresh: Sequence[Order]
) -> list[_Refused]:
    """Merge orders with earlier ones and put them in force; from a mail that was overtaken by a newer one, only those
    that the newer one did not give."""
    before, late = game.orders_of(seat), ctx.mail.overtaken if ctx.mail is not None else None
    if late is None:
        fresh, beyond = _within_list(ctx, game, seat, position, fresh)
        if fresh:
            orders = game.variant.joined(position, power, before, fresh)
            _put_in_force(ctx, game, seat, orders)
            fallen = superseded(game.variant.pieces(position), before, orders)
            if again := [write(order) for order in dict.fromkeys(fresh) if order not in orders]:
                ctx.say(f"Ordered again further down, where the later order counts: {', '.join(again)}.")
            if fallen and position.phase.kind is not PhaseKind.ADJUSTMENT:
                ctx.say(f"No longer in force, replaced by this mail: {', '.join(map(write, fallen))}.")
        return beyond
    after = game.variant.joined(position, power, fresh, before)
    if set(after) != set(before):
        _put_in_force(ctx, game, seat, after)
    given = (order for order in fresh if order not in after)
    return [(order, RefusedLine(0, write(order), late.problem, late.remedy)) for order in given]


def _within_list(
    ctx: Context, game: Game, seat: Seat, position: Position, fresh: Sequence[Order]
) -> tuple[Sequence[Order], list[_Refused]]:
    """The orders that can be merged with earlier ones; the others are refused, with the list in force to copy and a
    button that replaces it. In a sandbox their lines name the power.
    """
    over = game.variant.surplus(position, game.orders_of(seat), fresh)
    if over is None or seat.power is None:
        return fresh, []
    named = partial(in_name_of, seat.power) if game.options.sandbox else tuple[str, ...]
    if over.whole:
        ctx.show("The whole list in force, to copy and change", "\n".join(named(over.whole)))
        ctx.offer("\n".join(named(over.instead)), "replace that list by the lines of this mail", Meant.MAYBE)
    refused = RefusedLine(0, "", over.problem, over.remedy)
    left = [order for order in fresh if order not in over.orders]
    return left, [(order, replace(refused, text=named([write(order)])[0])) for order in dict.fromkeys(over.orders)]


def _of_this_phase(ctx: Context, game: Game, seat: Seat, lines: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """The lines for this phase. Those for a later phase are stored, those for a past one refused."""
    now = ctx.running(game).position.phase
    found = preorders.by_phase(game.variant, now, lines)
    for line in found.past:
        over = f"{line.phase.code if line.phase else 'That phase'} is over: {now.code} is being played."
        ctx.refuse([RefusedLine(line.line, line.text, over, f"Write {now.code} above orders of this phase.")])
        ctx.offer(line.text.rpartition(":")[2].strip(), f"order this for {now.code}", Meant.MAYBE)
    for code, ahead in found.ahead.items():
        keep_ahead(ctx, seat, code, ahead)
    return found.present


def _in_time(ctx: Context, game: Game, seat: Seat) -> tuple[Position, Power]:
    """The position and power to order for. Raises NotNow after the deadline, or when nothing is awaited from it."""
    _check_time(ctx, game, seat)
    phase, power = ctx.running(game), seat.power
    if game.enters(seat):
        first = game.variant.after_season(phase.position.phase)[-1].code
        raise NotNow(
            f"{power} enters the game when {phase.code} is adjudicated: its first orders are those of {first}.",
            f"Send them then; or write {first} above them now, and they are kept until it begins.",
        )
    if power is None or not (power in game.duties or game.is_awaited(seat)):
        raise _nothing_to_order(game, power)
    return phase.position, power


def _nothing_to_order(game: Game, power: Power | None) -> NotNow:
    kind = game.position.phase.kind if game.position is not None else PhaseKind.MOVEMENT
    return NotNow(f"{power} has {_NOTHING[kind]} in {game.code}.", "Wait for the next report.")


_NOTHING = {
    PhaseKind.MOVEMENT: "no orders to give",
    PhaseKind.RETREAT: "no dislodged unit, and no orders to give",
    PhaseKind.ADJUSTMENT: "nothing to build or remove",
}


def _check_time(ctx: Context, game: Game, seat: Seat) -> None:
    """Raises NotNow after the deadline."""
    due = report_inputs.closes_at(game, seat)
    if game.closed_to(seat) or (due is not None and ctx.received_at > due):
        raise _too_late(ctx, game)


def _too_late(ctx: Context, game: Game) -> NotNow:
    """Why orders are not accepted any more: the deadline has passed, or the phase was closed before it."""
    phase, how = ctx.running(game), "The next report says what you can order."
    due = agenda.announced(ctx.tx.session, phase.id)
    if due is not None and ctx.received_at <= due:
        closed = "are closed" if game.variant.review is not None else "were closed before the deadline"
        return NotNow(f"The orders for {phase.code} {closed}.", how)
    return NotNow("These orders came after the deadline.", how)


def _within_need(
    game: Game, position: Position, power: Power, orders: list[Order]
) -> tuple[list[Order], list[_Refused]]:
    """Builds and removals within the need; the others are refused."""
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return orders, []
    duty = game.duties.get(power)
    need = duty.need if duty is not None else NOTHING
    if duty is not None and duty.offer:
        return orders, []
    kept, beyond = split_surplus(orders, need)
    verb = "build" if need.count > 0 else "remove"
    what = f"{verb} {abs(need.count)} unit" + ("s" if abs(need.count) > 1 else "")
    problem, remedy = f"You may {what}; this order is one too many.", "To start over, write CLEAR."
    return list(kept), [(order, RefusedLine(0, write(order), problem, remedy)) for order in beyond]


def _put_in_force(ctx: Context, game: Game, seat: Seat, orders: tuple[Order, ...]) -> None:
    """Store the next numbered set, and close the phase if no other set is missing."""
    earlier, given = game.orders.get(seat.id), game.next_set(seat, orders, ctx.received_at, ctx.mail_id)
    if (earlier is not None and earlier.complete) and not (
        given.complete or game.next_set(seat, earlier.orders, ctx.now, None).complete
    ):
        given = replace(given, complete=True)  # READY stays in force
    game = ctx.tx.put_orders(game, {seat.id: given})
    closed = close_early(ctx.tx, game) is not game
    ctx.act_on_behalf()
    _say_of_dropped(ctx, earlier.orders if earlier is not None else (), orders)
    ctx.changed(OrdersChanged(all_in=closed))


def _say_of_dropped(ctx: Context, earlier: Sequence[Order], orders: Sequence[Order]) -> None:
    """Say which orders hold no longer although nothing was ordered in their place: builds and removals of a later mail
    replace all if there is no room for both (ST-7).
    """
    anew = {decided(order) for order in orders}
    dropped = [write(order) for order in earlier if order not in orders and decided(order) not in anew]
    if orders and dropped:
        ctx.say(f"No longer ordered, since a later mail replaces all: {', '.join(dropped)}.")


_TEXT = """\
Write one order a line. Upper or lower case, short or long names are all
fine, and you can leave out the kind of unit.

    A PAR-BUR                 move
    A PAR H                   hold
    A MUN S A BER-SIL         support a move
    A MUN S A BER             support to hold
    F NTH C A LON-NWY         convoy
    A LON-NWY VIA CONVOY      go by convoy even if there is a land route
    F STP/SC-BOT              coasts: stp/nc, stp/sc, spa/nc, bul/ec ...
    A PAR R GAS               retreat;   A PAR DISBAND
    BUILD F BRE               build;     WAIVE
    REMOVE A PAR              remove

Send orders as often as you like: a later order for a unit replaces the
earlier one, and the others are kept. So are builds and removals, while
there is room for all; otherwise those of a later mail replace all. The
reply to every mail shows your orders as they were understood.

A heading such as SPRING 1901: or FRANCE (F01) names the phase of the
orders after it; orders for a later phase are stored for it. Builds
among Fall moves are stored for Winter. A unit's place can be in
brackets: A(PAR)-BUR.

Where a report has the link "Tap my orders on a page", you can tap them
instead: HELP TAP."""

ORDERS = Command(
    "orders",
    Syntax(examples=("A PAR-BUR",)),
    Policy(Who.PARTICIPANT, Stage.RUNNING, phase_bound=True, by_deputies=True, in_sandbox=True),
    act_orders,
    Help("how orders are written", _TEXT),
)


def act_clear(ctx: Context, args: Mapping[str, Any]) -> None:
    """Put an empty set in force; after orders are closed, the set that was in force then. Or only delete one order;
    where that is none of theirs, what has been sent stays, and its sender is READY no more: otherwise others could see
    by the end of the phase whether it was.
    """
    game, seat = ctx.commanding()
    position, power = _in_time(ctx, game, seat)
    remaining, gone = game.orders_of(seat), tuple[Order, ...]()
    try:
        if not args["order"]:
            remaining = _remaining(ctx, game, ctx.running(game), seat)
        else:
            gone = _in_force(game, seat, position, power, args["order"])
            remaining = tuple((Counter(remaining) - Counter(gone)).elements())
    except NotUnderstood as error:
        ctx.refuse([RefusedLine(0, f"CLEAR {args['order']}", error.problem, error.remedy)])
    game = ctx.tx.fold_seats(game, replace(seat, wait=seat.wait or report_inputs.is_draft(game, seat)))
    ctx.tx.put_orders(game, {seat.id: game.next_set(seat, remaining, ctx.received_at, ctx.mail_id)})
    ctx.changed(OrdersChanged())
    ctx.act_on_behalf()
    if gone or not args["order"]:
        ctx.say(
            f"No longer ordered: {', '.join(map(write, gone))}." if gone else "Your orders for this phase are deleted."
        )


def _in_force(game: Game, seat: Seat, position: Position, power: Power, text: str) -> tuple[Order, ...]:
    """The orders of the seat that are meant: named whole, or by their unit. Raises NotUnderstood."""
    given = game.orders_of(seat)
    units = {write_unit(unit).casefold(): one for one in given if (unit := unit_of(one)) is not None}
    if (of_unit := units.get(text.casefold())) is not None:
        return (of_unit,)
    read = read_orders(text, game.lexicon_of(seat), position.phase.kind).orders
    with suppress(GmError):
        meant = tuple(game.variant.order_of(position, power, *one) for one in read)
        if meant and set(meant) <= set(given):
            return meant
    yours = f"You have ordered {', '.join(map(write, given))}." if given else "You have ordered nothing."
    raise NotUnderstood(f"{text!r} is not among your orders.", f"{yours} CLEAR alone deletes all.")


def _remaining(ctx: Context, game: Game, phase: PhasePlayed, seat: Seat) -> tuple[Order, ...]:
    """The orders that CLEAR leaves: for a seat that may order after the others are closed, those it had sent before."""
    if (closed := phase.closed_at) is None:
        return ()
    sets = report_inputs.sets_of(ctx.tx.session, game, seat)
    return next((given.orders for given in reversed(sets) if given.received_at <= closed), ())


CLEAR = Command(
    "clear",
    Syntax(
        "CLEAR (ALL) (MY) (ORDERS) [order:WORDS]",
        ("CLEAR", "CLEAR A PAR-BUR"),
        elsewhere=("cancel", "delete"),
        sentences=Sentences.RARE,
    ),
    Policy(Who.PLAYER, Stage.RUNNING, phase_bound=True, reopens=True, by_deputies=True),
    act_clear,
    Help(
        "delete your orders of this phase",
        "To change one order, just send another for the same unit; CLEAR and an\norder deletes that one.",
    ),
)


def act_wait(ctx: Context, args: Mapping[str, Any]) -> None:
    """Prevent early adjudication of this phase, unless that has begun."""
    del args
    game, seat = ctx.commanding()
    if (due := report_inputs.closes_at(game, seat)) is not None and due < ctx.received_at:
        raise NotNow("WAIT came too late: the phase is being adjudicated.", "Its report follows.")
    ctx.tx.fold_seats(game, replace(seat, wait=True))
    ctx.act_on_behalf()
    until = "its deadline" if game.timed else "you say READY, or the gamemaster decides"
    paused = f"{game.name} is paused. Once it is resumed, the" if game.paused else "The"
    ctx.say(f"{paused} phase will not be adjudicated before {until}. To cancel this, write READY.")
    ctx.offer(*SAY_READY)


@or_for_all(adjudicate_now)
def act_ready(ctx: Context, args: Mapping[str, Any]) -> None:
    """Cancel WAIT; treat incomplete orders as complete; close the phase if all orders are in. Naming the phase prevents
    that it is said of the next one.
    """
    game, seat = ctx.commanding()
    ctx.running(game, args["phase"])
    ctx.act_on_behalf()
    game = _complete(ctx, ctx.tx.fold_seats(game, replace(seat, wait=False)), seat)
    shown, early = ctx.answer.changed, report_inputs.early_by(game)  # the orders, when shown, say what READY does
    closed = close_early(ctx.tx, game) is not game
    if shown is not None and closed:
        ctx.changed(replace(shown, all_in=True))
    elif closed:
        ctx.say("All orders are in: the phase is adjudicated now.")
    elif shown is None or game.paused or early == "no":
        ends = f": {_ENDS['paused' if game.paused else early]}." if game.timed or game.paused else f". {UNTIMED[early]}"
        ctx.say(f"You are READY{ends}")
    elif early not in BY_READY:
        ctx.say("You are READY.")
    if not closed and not game.paused and early != "no":
        ctx.offer(*say_wait(timed=game.timed))


_ENDS = {
    "paused": "it counts once the game is resumed",
    **by_ready("the phase ends when {who} are, and at the latest at the deadline"),
    "orders": "the phase ends when the orders of all are complete, and at the latest at the deadline",
    "no": "in this game the phase ends at its deadline and not before",
}


def _complete(ctx: Context, game: Game, seat: Seat) -> Game:
    """Mark the seat's orders as complete although units have none."""
    done = game.in_review or game.reviews(seat) or game.has_ordered(seat, incomplete_too=False)
    if done or not game.is_awaited(seat):
        return game
    _check_time(ctx, game, seat)
    given = replace(game.next_set(seat, game.orders_of(seat), ctx.received_at, ctx.mail_id), complete=True)
    if ctx.answer.changed is None and seat.power in game.duties:
        ctx.changed(OrdersChanged())
    return ctx.tx.put_orders(game, {seat.id: given})


WAIT = Command(
    "wait",
    Syntax(
        "WAIT", synonyms=("not ready", "notready"), elsewhere=("unready",), after_set=True, sentences=Sentences.RARE
    ),
    Policy(Who.PLAYER, Stage.RUNNING, phase_bound=True, reopens=True, by_deputies=True),
    act_wait,
    Help(
        "do not adjudicate before the deadline",
        """
        A phase is adjudicated early when all have said READY, or in games
        with early=orders as soon as all orders are complete (where it is
        hidden who has something to order, READY counts). WAIT prevents that
        for this phase, while you negotiate, and cancels your READY.
        """,
    ),
)
READY = Command(
    "ready",
    Syntax(
        "READY [phase:PHASE]", ("READY", "READY F1901M"), synonyms=("nowait",), after_set=True, sentences=Sentences.RARE
    ),
    Policy(Who.PARTICIPANT, Stage.RUNNING, phase_bound=True, final=True, by_deputies=True, in_sandbox=True),
    act_ready,
    Help(
        "say that your orders are final, and cancel WAIT",
        """
        When all who have orders to give have said so, the phase is adjudicated
        before its deadline; where it is hidden who has something to order, when
        all players have. Until then you can still change your orders. Units
        that you have not ordered hold, dislodged ones disband, builds are
        waived: you are not counted as missing. READY is not acted on if another
        line of your mail was not. NOWAIT means the same. Soon after a report
        name the phase in a mail that is no reply to it: READY F1901M.
        """,
    ),
)
