"""ORDERS, CLEAR, WAIT, READY, PHASE, MY ORDERS and ALIAS: what a player's units do, now and in later phases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gm.board import Power
from gm.commands.context import Context, OrdersChanged
from gm.commands.declaration import Command, Help, Orders, Policy, Sentences, Stage, Syntax, Who
from gm.errors import GmError, NotNow, NotPermitted, NotUnderstood
from gm.games import played, preorders
from gm.games.calendar import close_early
from gm.games.report_inputs import closes_at
from gm.games.snapshot import Game, PhasePlayed, Seat
from gm.orders import Order, WrittenOrder
from gm.orders.notation import short, write
from gm.orders.order_sets import chosen_coast, fallen_away, refuse_surplus, split_surplus
from gm.orders.possible import NOTHING
from gm.parsing.aliases import read_name
from gm.parsing.command_syntax import KIND_OF
from gm.parsing.message import OrderLine
from gm.position import PhaseKind, Position
from gm.reports.answers import RefusedLine
from gm.reports.words import counted, wrap
from gm.store import order_rows, records

# ---- orders of this phase


def act_orders(ctx: Context, args: Mapping[str, Any]) -> None:
    """Put the legal orders of the mail's lines in force with the earlier ones; say which were refused and why.

    Raises a GmError when no order at all can be taken from this sender now.
    """
    game, seat = ctx.seated()
    lines = _of_this_phase(ctx, game, seat, args["lines"])
    if not lines:
        return
    position, power = _in_time(ctx, game, seat)
    board = game.variant.board(position)
    units = game.variant.pieces(position)
    refused: list[RefusedLine] = []
    fresh: list[Order] = []
    coasts: list[str] = []
    for line in lines:
        for named, written in line.orders:
            try:
                order = _understood(game, position, power, named, written)
                refuse_surplus(board, units, fresh, order)
                fresh.append(order)
                coasts.append(chosen_coast(written, order))
            except GmError as error:
                refused.append(RefusedLine(line.line, line.text, error.problem, error.remedy))
    fresh, beyond = _within_need(game, position, power, fresh)
    refused += beyond
    if fresh:
        earlier, orders = game.orders_of(seat), game.variant.merge(position, game.orders_of(seat), fresh)
        _put_in_force(ctx, game, seat, orders)
        if fallen := fallen_away(units, earlier, orders):
            ctx.say(f"No longer in force, as this mail orders the same units: {', '.join(map(write, fallen))}.")
    for sentence in filter(None, coasts):
        ctx.say(sentence)
    ctx.refuse(refused)


def _of_this_phase(ctx: Context, game: Game, seat: Seat, lines: Sequence[OrderLine]) -> tuple[OrderLine, ...]:
    """The lines that are for this phase. Those for a later one are kept for it, those for a past one refused."""
    now = ctx.running(game).position.phase
    found = preorders.by_phase(game.variant, now, lines)
    for line in found.past:
        over = f"{line.phase.code if line.phase else 'That phase'} is over: {now.code} is being played."
        ctx.refuse([RefusedLine(line.line, line.text, over, f"Write {now.code} above orders of this phase.")])
    for code, ahead in found.ahead.items():
        kept = [one.matter for one in ahead if all(power in (None, seat.power) for power, _ in one.orders)]
        for line in ahead:
            if line.matter not in kept:
                error = _another(seat.power, next(power for power, _ in line.orders if power not in (None, seat.power)))
                ctx.refuse([RefusedLine(line.line, line.text, error.problem, error.remedy)])
        if len(kept) > _MOST_LINES:
            raise NotUnderstood(f"These are {len(kept)} lines.", f"At most {_MOST_LINES} are kept for a phase.")
        if kept:
            order_rows.keep_preorder(ctx.tx.session, seat.id, code, kept, ctx.now)
            ctx.say(f"Kept for {code}: {'; '.join(kept)}. {_TRIED}")
    return found.present


def _in_time(ctx: Context, game: Game, seat: Seat) -> tuple[Position, Power]:
    """The position and power to order for. Raises NotNow when the deadline has passed or nothing is to be ordered."""
    due = closes_at(game, seat)
    closed = game.in_review and not game.reviews(seat)
    if closed or (due is not None and ctx.received_at > due):
        raise NotNow("These orders came after the deadline.", "The report that follows says what can be ordered next.")
    phase, power = ctx.running(game), seat.power
    if power is None or power not in game.duties:
        raise NotNow(f"{power} has nothing to order in {phase.code}.", "Wait for the next report.")
    return phase.position, power


def _understood(game: Game, position: Position, power: Power, named: Power | None, written: WrittenOrder) -> Order:
    """The order as the rules see it. Raises NotPermitted, Ambiguous."""
    if named is not None and named != power:
        raise _another(power, named)
    board = game.variant.board(position)
    return game.variant.understand(board, position, power, written, game.variant.needs(board, position, power))


def _another(power: Power | None, named: Power) -> NotPermitted:
    return NotPermitted(f"You play {power}, not {named}.", "Order your own units only.")


def _within_need(
    game: Game, position: Position, power: Power, orders: list[Order]
) -> tuple[list[Order], list[RefusedLine]]:
    """Builds and removals up to what is needed; the rest refused."""
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return orders, []
    duty = game.duties.get(power)
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


def _put_in_force(ctx: Context, game: Game, seat: Seat, orders: tuple[Order, ...]) -> None:
    """Store the next numbered set, and close the phase if it was the last one missing."""
    earlier = game.orders.get(seat.id)
    game = ctx.tx.put_orders(game, {seat.id: game.next_set(seat, orders, ctx.received_at, ctx.mail_id)})
    closed = close_early(ctx.tx, game) is not game
    ctx.changed(OrdersChanged(earlier.number if earlier is not None else None, all_in=closed))


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
they were understood.

A heading such as SPRING 1901: or F1901M says for which phase the orders
behind or below it are: those of a later phase are kept for it. Builds
among the moves of a Fall are kept for its Winter. A unit's place may
stand in brackets, as in A(PAR)-BUR."""

ORDERS = Command(
    "orders",
    Syntax(examples=("A PAR-BUR",)),
    Policy(Who.PLAYER, Stage.RUNNING, phase_bound=True),
    act_orders,
    Help("how orders are written", _TEXT),
)


def act_clear(ctx: Context, args: Mapping[str, Any]) -> None:
    """Put an empty set in force; once the orders are closed, that which was in force then."""
    del args
    game, seat = ctx.seated()
    _in_time(ctx, game, seat)
    earlier = game.orders.get(seat.id)
    remaining = _remaining(ctx, game, ctx.running(game), seat)
    ctx.tx.put_orders(game, {seat.id: game.next_set(seat, remaining, ctx.received_at, ctx.mail_id)})
    ctx.changed(OrdersChanged(earlier.number if earlier is not None else None))
    ctx.say("Your orders for this phase are taken back.")


def _remaining(ctx: Context, game: Game, phase: PhasePlayed, seat: Seat) -> tuple[Order, ...]:
    """What cannot be taken back: of a seat that orders after the others are closed, what it had sent before."""
    closed = phase.closed_at
    if closed is None:
        return ()
    sets = played.sets_of(ctx.tx.session, game, seat)
    return next((given.orders for given in reversed(sets) if given.received_at <= closed), ())


CLEAR = Command(
    "clear",
    Syntax("CLEAR (ORDERS)", sentences=Sentences.RARE),
    Policy(Who.PLAYER, Stage.RUNNING, phase_bound=True),
    act_clear,
    Help(
        "take back your orders of this phase",
        "Single orders need no CLEAR: a later order for a unit replaces the\nearlier one.",
    ),
)


def act_wait(ctx: Context, args: Mapping[str, Any]) -> None:
    """Hold the phase to its deadline."""
    del args
    game, seat = ctx.seated()
    ctx.tx.fold_seats(game, replace(seat, wait=True))
    ctx.say("The phase waits for its deadline even if all orders are in. READY takes this back.")


def act_ready(ctx: Context, args: Mapping[str, Any]) -> None:
    """Take WAIT back; the phase may then be closed at once."""
    del args
    game, seat = ctx.seated()
    game = ctx.tx.fold_seats(game, replace(seat, wait=False))
    closed = close_early(ctx.tx, game) is not game
    ctx.say("All orders are in: the phase is adjudicated now." if closed else "You no longer wait for the deadline.")


WAIT = Command(
    "wait",
    Syntax("WAIT", elsewhere=("unready",), after_set=True, sentences=Sentences.RARE),
    Policy(Who.PLAYER, Stage.RUNNING, phase_bound=True),
    act_wait,
    Help(
        "hold the phase until its deadline",
        "A phase is adjudicated as soon as everybody's orders are complete.\n"
        "WAIT prevents that for this phase, for instance while you negotiate.",
    ),
)
READY = Command(
    "ready",
    Syntax("READY", synonyms=("no wait",), after_set=True, sentences=Sentences.RARE),
    Policy(Who.PLAYER, Stage.RUNNING, phase_bound=True),
    act_ready,
    Help("take WAIT back", "Also written NOWAIT."),
)


# ---- orders of later phases

_MOST_LINES = 200
_SEASONS = "SFW"
_TRIED = "What is possible of it when the phase begins is your first set then; orders you send later replace it."


def act_phase(ctx: Context, args: Mapping[str, Any]) -> None:
    """Keep the lines below for the phase, in place of those kept for it before; or forget them."""
    game, seat = ctx.seated()
    code = str(args["code"])
    if args["none"]:
        order_rows.cancel_preorders(ctx.tx.session, seat.id, ctx.now, code)
        ctx.say(f"You have no orders for {_named(code)} any more.")
        return
    now = ctx.running(game).code
    if not _is_to_come(code, now):
        raise NotNow(f"{code} is not to come: {now} is being played.", "Orders of now need no PHASE.")
    lines = [(number, text) for number, text in args["below"] if text.strip()]
    if len(lines) > _MOST_LINES:
        raise NotUnderstood(f"These are {len(lines)} lines.", f"At most {_MOST_LINES} are kept for a phase.")
    orders, faults = preorders.check([text for _, text in lines], game.lexicon_of(ctx.seat), KIND_OF[code[-1]])
    if not orders and faults:
        number, error = faults[0]
        raise NotUnderstood(f"{lines[number][1].strip()}: {error.problem}", error.remedy)
    ctx.refuse(RefusedLine(*lines[number], error.problem, error.remedy, error.column) for number, error in faults)
    if not orders:
        raise NotUnderstood(f"There are no orders for {_named(code)} below this line.", "Write them below it.")
    bad = {number for number, _ in faults}
    kept = [text for number, (_, text) in enumerate(lines) if number not in bad]
    order_rows.keep_preorder(ctx.tx.session, seat.id, code, kept, ctx.now)
    ctx.say(f"{counted(orders, 'order')} for {_named(code)} {'is' if orders == 1 else 'are'} kept. {_TRIED}")


def _named(code: str) -> str:
    return {"R": "every retreat phase", "A": "every adjustment phase"}.get(code, code)


def _is_to_come(code: str, now: str) -> bool:
    if len(code) == 1:
        return True
    return _moment(code) > _moment(now)


def _moment(code: str) -> tuple[int, int, int]:
    """Where a phase stands in time: year, season, kind."""
    return int(code[1:-1]), _SEASONS.find(code[0]), "MRA".find(code[-1])


PHASE = Command(
    "phase",
    Syntax(
        "PHASE code:LATER [none:NONE|OFF|CLEAR]",
        ("PHASE F1903M\nyour orders\nENDPHASE", "PHASE RETREATS", "PHASE F1903M NONE"),
        sentences=Sentences.UNLESS_WHOLE,
        below=Orders(),
    ),
    Policy(Who.PLAYER, Stage.RUNNING),
    act_phase,
    Help(
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
        words=("IF", "ELSE", "ENDIF"),
    ),
)


def act_my_orders(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show the set in force, the sets before it, orders for later, and the sender's votes."""
    del args
    game, seat = ctx.seated()
    phase, lines = ctx.running(game), []
    for given in reversed(played.sets_of(ctx.tx.session, game, seat)):
        orders = ", ".join(write(order) for order in given.orders) or "(none)"
        lines.append(wrap(f"#{given.number}, {given.received_at:%d %b %H:%M} UTC: {orders}", 0, 4))
    lines = lines or ["You have sent no orders for this phase."]
    for kept in order_rows.preorders_of(ctx.tx.session, seat.id):
        kind = {"R": "every retreat phase", "A": "every adjustment phase"}.get(kept.code, kept.code)
        lines += ["", f"For {kind}:", *(f"    {line}" for line in kept.lines)]
    cast = records.votes_by(ctx.tx.session, phase.id, seat.id)
    for kind in ("draw", "concede", "extend", "pause", "resume"):
        if kind in cast:
            lines += ["", f"Your vote: {kind.upper()} {cast[kind]}"]
    ctx.show(f"{game.name}, {phase.code}: orders of {seat.power}, the newest first", "\n".join(lines))


MY_ORDERS = Command(
    "myorders",
    Syntax("MY ORDERS", synonyms=("my order",), asks=True, sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.PLAYER, Stage.RUNNING),
    act_my_orders,
    Help(
        "show your orders of this phase, every set, and those for later",
        "The first set shown counts. Orders for later phases (PHASE) and your\n"
        "votes are shown too; nobody else sees them.",
    ),
)


# ---- names for places

_MOST_ALIASES = 100


def act_alias(ctx: Context, args: Mapping[str, Any]) -> None:
    """Give a place a name, take one away, or tell the names there are."""
    game, seat = ctx.seated()
    known = dict(seat.names)
    if args["alias"] is None:
        listed = ", ".join(f"{name.title()} = {short(place)}" for name, place in known.items())
        ctx.say(f"Your names for places: {listed}." if listed else "You have given no names to places.")
        return
    name, place = read_name(args["alias"], game.lexicon)
    if place is None:
        if name not in known:
            raise NotNow(f"You have given no place the name {name.title()}.", "ALIAS alone tells those that you gave.")
        del known[name]
        ctx.say(f"{name.title()} is no name of yours any more.")
    elif name not in known and len(known) >= _MOST_ALIASES:
        raise NotNow(
            f"You have given {_MOST_ALIASES} names.", f"Take one away first: ALIAS {next(iter(known)).title()} = NONE."
        )
    else:
        known[name] = place
        ctx.say(f"{name.title()} is {short(place)}, for you alone; write it wherever a place stands in your orders.")
    ctx.tx.fold_seats(game, replace(seat, names=tuple(sorted(known.items()))))
    ctx.note("alias", name=name)


ALIAS = Command(
    "alias",
    Syntax("ALIAS [alias:WORDS]", ("ALIAS Refuge = Q31415", "ALIAS Refuge = NONE", "ALIAS")),
    Policy(Who.PLAYER),
    act_alias,
    Help(
        "give a place a name of your own",
        "The name is yours alone: nobody else can use it, and nobody is told of\n"
        "it. You may use it in the same mail and in all later ones. In reports\n"
        "places have the names of the game. ALIAS alone lists your names.",
    ),
)
