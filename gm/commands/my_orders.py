"""MY ORDERS: what a player has sent, for this phase, later ones and those that were played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Sentences, Stage, Syntax, Who
from gm.commands.history import MOST_PHASES, phases_meant, show_review
from gm.errors import NotUnderstood
from gm.games import report_inputs
from gm.games.snapshot import Game, Seat
from gm.orders.notation import write
from gm.play import preorders
from gm.reports import moment, wrap
from gm.store import game_rows, records


def act_my_orders(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show the set in force, earlier sets, orders for later phases, and the sender's votes; or the orders of phases
    that were played. All of it sent back changes nothing.
    """
    game, seat = ctx.commanding()
    phase, lines, mark = ctx.running(game), [], ""
    if args["phases"] not in (None, phase.code):
        _show_played(ctx, game, seat, args["phases"])
        return
    show_review(ctx, game)
    zone = ctx.tx.identity.zone_of(ctx.person, game)
    sets = report_inputs.sets_of(ctx.tx.session, game, seat)
    for given in reversed(sets):
        which = f"#{given.number}" if given.number else "Before the rollback"
        lines.append(f"{which}, {moment(given.received_at, zone)}{', replaced' if mark else ''}:")
        lines += [f"    {mark}{write(order)}" for order in given.orders] or [
            "    (none: READY)" if given.complete else "    (none)"
        ]
        mark = "# "
    lines += ["", _REPLACED] if len(sets) > 1 else []
    lines = lines or ["You have sent no orders for this phase."]
    unused = preorders.tried(game, seat, preorders.stored(ctx.tx.session, game, [seat]).get(seat.id, ())).failed
    lines += ["", "Stored for this phase, and not possible:"] if unused else []
    lines += [wrap(f"# {line}: {why}", 4, 8) for line, why in unused]
    ahead = game_rows.preorders_of(ctx.tx.session, seat.id)
    over = {phase.code, *preorders.passed_over(game, (kept.code for kept in ahead))}
    for kept in (one for one in ahead if one.code not in over):
        word = {"R": "RETREATS", "A": "BUILDS"}.get(kept.code, kept.code)
        lines += ["", f"PHASE {word}", *(f"    {line}" for line in kept.lines), "ENDPHASE"]
    cast = records.votes_by(ctx.tx.session, phase.id, seat.id, ctx.known().id)
    for kind in ("draw", "concede", "extend", "pause", "resume"):
        if kind in cast:
            lines += ["", f"Your vote: {kind.upper()} {cast[kind]}"]
    ctx.show(f"{game.name}, {phase.code}: orders of {seat.power}, the newest first", "\n".join(lines))


_REPLACED = "Lines with # are not in force: later orders have replaced them."


def _show_played(ctx: Context, game: Game, seat: Seat, which: str) -> None:
    """Show what the seat had in force in the phases meant. Raises NotUnderstood if none of them was played."""
    played = report_inputs.adjudicated(ctx.tx.session, game)
    chosen = phases_meant(game, played, which) if played else []
    if not chosen:
        known = f"; {played[0].code} was the first that was played, {played[-1].code} the last" if played else ""
        raise NotUnderstood(f"No phase '{which}' was played.", f"MY ORDERS alone shows this phase's{known}.")
    for phase in chosen[-MOST_PHASES:]:
        given = report_inputs.sets_in_force(ctx.tx.session, game, phase).get(seat.id)
        orders = [write(order) for order in given.orders] if given is not None else []
        said = "\n".join(f"    {line}" for line in orders) or "You sent no orders for this phase."
        ctx.show(f"{game.name}, {phase.code}: orders of {seat.power}", said)


MY_ORDERS = Command(
    "myorders",
    Syntax(
        "MY ORDERS (FOR|OF) [phases:PHASES]",
        ("MY ORDERS", "MY ORDERS S1901M"),
        synonyms=("my order",),
        asks=True,
        sentences=Sentences.UNLESS_WHOLE,
    ),
    Policy(Who.PLAYER, Stage.RUNNING, by_deputies=True),
    act_my_orders,
    Help(
        "show your orders, for this phase and later ones",
        """
        All sets that you have sent for this phase are shown; the first one is
        in force, the lines of others begin with #. So are orders for later
        phases (PHASE) and your votes. MY ORDERS S1901M shows what you ordered
        in a phase that was played. Only you see them.
        """,
    ),
)
