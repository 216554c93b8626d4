"""PHASE, and orders under the heading of a phase to come: they are stored, and tried when it begins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gm.board import Power, Province
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Orders, Policy, Sentences, Stage, Syntax, Who
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games.bounds import Bound
from gm.games.snapshot import Seat
from gm.orders import Declaration, WrittenOrder
from gm.parsing.headings import moment, moment_of
from gm.parsing.lexicon import Lexicon
from gm.parsing.message import OrderLine
from gm.parsing.orders import read_orders
from gm.play import preorders
from gm.position import PhaseKind
from gm.reports import counted
from gm.reports.answers import RefusedLine
from gm.store import game_rows

_TRIED = "When the phase begins, the possible ones become your orders; you can still change them then."


def keep_ahead(ctx: Context, seat: Seat, code: str, lines: Sequence[OrderLine]) -> None:
    """Store the lines of a mail for a later phase; a deputy's are refused, whose time may be over then."""
    if ctx.seat is not None and ctx.seat.deputy_of is not None:
        error = NotPermitted("A deputy orders for the present phase only.", "Write these orders when it has begun.")
        ctx.refuse(RefusedLine(line.line, line.text, error.problem, error.remedy) for line in lines)
        return
    kept = [one.matter for one in lines if all(power in (None, seat.power) for power, _ in one.orders)]
    for line in lines:
        if line.matter not in kept:
            error = _another(seat.power, next(power for power, _ in line.orders if power not in (None, seat.power)))
            ctx.refuse([RefusedLine(line.line, line.text, error.problem, error.remedy)])
    Bound.LINES.check(len(kept), "Write fewer.")
    if kept:
        kept += _that_stay(ctx, seat, code, [written for line in lines for _, written in line.orders])
        game_rows.keep_preorder(ctx.tx.session, seat.id, code, kept, ctx.now)
        ctx.say(f"Stored for {code}: {'; '.join(kept).rstrip(' .')}. {_TRIED}")


def _that_stay(ctx: Context, seat: Seat, code: str, new: Sequence[WrittenOrder]) -> list[str]:
    """The lines stored for a phase before that stay beside new orders, as in the present phase: those for other units.
    A list of builds, and lines under conditions, are replaced as a whole, which is said.
    """
    game, _ = ctx.seated()
    rows = game_rows.preorders_of(ctx.tx.session, seat.id, [code])
    before = list(rows[-1].lines) if rows else []
    kind, lexicon = game.variant.language.kinds.phases_by_word[code[-1].lower()], game.lexicon_of(ctx.seat)
    if kind is PhaseKind.ADJUSTMENT or preorders.have_conditions(before):
        if before:
            ctx.say(f"These replace what was stored for {code} before: {'; '.join(before)}.")
        return []
    anew = _places_of(new, lexicon)
    each = [piece.strip() for line in before for piece in _pieces(line, lexicon, kind)]
    ordered = ((piece, (one for _, one in read_orders(piece, lexicon, kind).orders)) for piece in each)
    return [piece for piece, orders in ordered if anew.isdisjoint(_places_of(orders, lexicon))]


def _pieces(line: str, lexicon: Lexicon, kind: PhaseKind) -> Sequence[str]:
    """The orders of a line, each as a line where nothing but a sign is between them."""
    pieces = _BETWEEN.split(line)
    return pieces if all(len(read_orders(one, lexicon, kind).orders) == 1 for one in pieces) else [line]


_BETWEEN = re.compile(r"[,;.]\s+")


def _places_of(orders: Iterable[WrittenOrder], lexicon: Lexicon) -> set[Province]:
    """The provinces of the units that orders are for."""
    units = (order.unit for order in orders if not isinstance(order, Declaration))
    return {lexicon.board.province(unit.at) for unit in units if unit.at}


def _another(power: Power | None, named: Power) -> NotPermitted:
    return NotPermitted(f"You play {power}, not {named}.", "Order your own units only.")


def act_phase(ctx: Context, args: Mapping[str, Any]) -> None:
    """Store the lines below for the phase, replacing those stored for it before; or delete them."""
    game, seat = ctx.seated()
    code, kinds = str(args["code"]), game.variant.language.kinds
    named = f"every {kinds.phases_by_word[code.lower()]} phase" if len(code) == 1 else code
    if args["none"]:
        game_rows.cancel_preorders(ctx.tx.session, seat.id, ctx.now, code)
        ctx.say(f"Your orders for {named} are deleted.")
        return
    now = ctx.running(game).position.phase
    if len(code) > 1 and moment_of(code, kinds) <= moment(now, kinds):
        raise NotNow(f"{code} is not a later phase: {now.code} is being played.", "For this phase, leave PHASE out.")
    lines = [(number, text) for number, text in args["below"] if text.strip()]
    Bound.LINES.check(len(lines), "Write fewer.")
    orders, faults = preorders.check(
        [text for _, text in lines], game.lexicon_of(ctx.seat), kinds.phases_by_word[code[-1].lower()]
    )
    if not orders and faults:
        number, error = faults[0]
        raise NotUnderstood(f"{lines[number][1].strip()}: {error.problem}", error.remedy)
    ctx.refuse(RefusedLine(*lines[number], error.problem, error.remedy, error.column) for number, error in faults)
    if not orders:
        raise NotUnderstood(f"There are no orders for {named} below this line.", "Write them below it.")
    bad = {number for number, _ in faults}
    kept = [text for number, (_, text) in enumerate(lines) if number not in bad]
    game_rows.keep_preorder(ctx.tx.session, seat.id, code, kept, ctx.now)
    what = counted(orders, "order").capitalize()
    ctx.say(f"{what} for {named} {'is' if orders == 1 else 'are'} stored. {_TRIED}")


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
        "send orders for a later phase",
        """
        The orders below it, up to ENDPHASE or another PHASE, are stored and
        tried when that phase begins. For each unit the first possible order
        counts, so several orders are a ranking. Builds and removals are used
        in the order given, as many as you need. PHASE RETREATS and PHASE
        BUILDS apply to every such phase. Orders can be conditional:

            PHASE F1903M
            IF England F NTH THEN A BEL-HOL
            IF NOT A BUR AND France OWNS MUN
              A RUH-MUN
            ELSE
              A RUH H
            ENDIF
            ENDPHASE

        Conditions: a unit in a place, EMPTY place, power OWNS place, with NOT
        and AND. MY ORDERS shows your stored orders.
        """,
        words=("IF", "ELSE", "ENDIF"),
    ),
)
