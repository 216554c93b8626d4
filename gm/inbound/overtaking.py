"""What was done since an offer was sent that it would change back: a YES to it is asked about again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from gm.commands.context import Context
from gm.games import report_inputs
from gm.games.snapshot import Game, OrderSet
from gm.inbound.facts import came_alone, items_in
from gm.inbound.identification import carried_by
from gm.orders import Order, unit_of
from gm.orders.notation import write
from gm.parsing.message import CommandLine, Item, OrderLine
from gm.play import preorders
from gm.position import Unit
from gm.reports import listed
from gm.store import records
from gm.store.outbox import OutboxRow
from gm.store.records import ActionRow


def overtaken(ctx: Context, mail: OutboxRow) -> str:
    """What was done since a mail of ours that would change the same as what it proposes, in words; "" if nothing."""
    items = [item for way in mail.proposes for item in items_in(ctx, way.split("\n"))]
    ordered = _ordered_since(ctx, mail.created_at, [one.text for one in items if isinstance(one, OrderLine)])
    if ordered:
        return f"since that was offered, you have ordered {listed(ordered)}"
    done = (one for game in _games(ctx, mail) for one in _done_since(ctx, game, mail.created_at, items))
    command = next((ctx.commands.by_title[one.command.upper()] for one in done), None)
    if command is None:
        return ""
    return f"since that was offered, {command.title} has changed {command.policy.record.changes}"


def _games(ctx: Context, mail: OutboxRow) -> Sequence[Game]:
    """The game of the mail; at the server's own address those of the sender's that it names, or all."""
    if ctx.game is not None:
        return (ctx.game,)
    words = {word.strip(",:") for way in mail.proposes for word in way.lower().split()}
    own = ctx.own_games if ctx.person is not None else ()
    return [game for game in own if game.name in words] or own


def _done_since(ctx: Context, game: Game, since: datetime, items: Sequence[Item]) -> Iterator[ActionRow]:
    """What commands have done in a game since then that change the same as one of these, but for those of the same mail
    where it came before it was handed on.
    """
    commands = [one for one in items if isinstance(one, CommandLine)]
    came = ctx.mail.received_at if ctx.mail is not None and not came_alone(ctx) else None
    for done in records.actions(ctx.tx.session, game.id) if commands else ():
        at = done.detail.get(records.AT)
        if at is None or datetime.fromisoformat(at) <= since:
            return
        of_another = came is None or datetime.fromisoformat(at) < came
        if of_another and not done.undone and any(_changes_the_same(ctx, done, one) for one in commands):
            yield done


def _changes_the_same(ctx: Context, done: ActionRow, command: CommandLine) -> bool:
    """Whether a command changes what was done: of a power, or of options, those that its line names."""
    changes = ctx.commands.by_title[done.command.upper()].policy.record.changes
    names = (command.name, *(name for name, _ in carried_by(command.args)))
    about = [done.detail["power"]] if done.detail.get("power") else [*done.detail.get("options", ())]
    named = not about or any(str(one).lower() in command.text.lower() for one in about)
    return bool(changes) and named and any(ctx.commands[name].policy.record.changes == changes for name in names)


def _ordered_since(ctx: Context, since: datetime, lines: Sequence[str]) -> list[str]:
    """The orders that a seat has given since then for units of these lines, and that differ from these."""
    game, seat = ctx.game, ctx.seat
    if game is None or seat is None or not lines or not game.running:
        return []
    seat = game.principal(seat)
    sets = report_inputs.sets_of(ctx.tx.session, game, seat)
    before = next((one for one in reversed(sets) if one.received_at <= since), None)
    if not sets or sets[-1] is before:
        return []
    offered = preorders.tried(game, seat, lines).orders
    then, now = _by_unit(before), _by_unit(sets[-1])
    changed = ((now[unit], one) for one in offered if (unit := unit_of(one)) in now and now[unit] != then.get(unit))
    return [write(order) for order, one in changed if order != one]


def _by_unit(given: OrderSet | None) -> dict[Unit | None, Order]:
    return {unit_of(order): order for order in given.orders} if given is not None else {}
