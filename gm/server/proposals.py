"""Orders that a line may mean that was not read as orders: offered, to be sent with one tap, and never acted on."""

from __future__ import annotations

from contextlib import suppress

from gm.commands.context import Context
from gm.errors import GmError
from gm.games.snapshot import Game, Seat
from gm.orders.notation import write
from gm.parsing.message import Complaint
from gm.parsing.orders import read_among
from gm.reading.line import Line, Lines, Reason, for_reasons
from gm.server.facts import provinces_of
from gm.server.telling import speaks_to

_MOST = 10
"""The most lines that are looked at."""


def offer_meant(ctx: Context, lines: Lines) -> None:
    """Offer the orders, each whole and legal for a unit of the sender's, that are in lines which were not acted on."""
    game, seat = ctx.game, ctx.seat
    if game is None or seat is None or not game.running or game.phase is None or not seat.power:
        return
    found: dict[str, None] = {}
    for line in for_reasons(lines, Reason.NOT_UNDERSTOOD, Reason.MENTIONS, Reason.PASSED)[:_MOST]:
        if _may_be_meant(line) and not speaks_to(ctx, line.text):
            found |= dict.fromkeys(_orders_in(game, seat, line.text))
    if found:
        ctx.offer("\n".join(found), "order this, if it is what you mean")


def _may_be_meant(line: Line) -> bool:
    return not isinstance(line.meaning, Complaint) or line.meaning.of_order


def _orders_in(game: Game, seat: Seat, text: str) -> tuple[str, ...]:
    phase, power = game.phase, seat.power
    if phase is None or power is None or power not in game.duties:
        return ()
    position = phase.position
    given = read_among(text, game.lexicon_of(seat), position.phase.kind, provinces_of(game, seat))
    with suppress(GmError):
        return tuple(write(game.variant.order_of(position, power, *one)) for one in given)
    return ()
