"""Fog of War: each power sees what is near its units and centres, and nothing else (FW-1 to FW-8).

A game is played in fog if its file says so (`sight = "fog"`). Its data are the file's; what differs from the same game
in the open: `sight` (what a power sees), `orders` (orders about what is out of sight), `view` (what reports and maps
show, and the words). This module makes the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from gm.chance import Chance
from gm.judge.outcomes import Facts, Outcome, Resolution, Result, Why
from gm.orders import Disband, Order, Retreat
from gm.position import PhaseKind, Position
from gm.variants import Variant
from gm.variants.fog.orders import UNSEEN, meant, understand
from gm.variants.fog.sight import seen, standoffs
from gm.variants.fog.view import TOLD, WORDS, view


def in_fog(game: Variant) -> Variant:
    """The same game, played in fog."""
    language = game.language
    return replace(
        game,
        language=replace(language, spellings=lambda position: {**language.spellings(position), "unseen": UNSEEN}),
        adjectives={**game.adjectives, UNSEEN: "unseen"},
        words=WORDS,
        understand=understand,
        resolve=partial(_resolve, game),
        seen=seen,
        view=partial(view, game.view),
        veiled=True,
        chronicle=lambda *_: (),  # all phases are opened at the end, so that nothing is left to tell (FW-6)
    )


def _resolve(
    open_game: Variant, game: Variant, position: Position, orders: Sequence[Order], chance: Chance
) -> Resolution:
    """The phase, adjudicated with the units that are truly there; the outcomes have the orders as they were given
    (FW-5), and the next position what each power knows of standoffs (FW-8).
    """
    board = game.board(position)
    if position.phase.kind is not PhaseKind.MOVEMENT:
        found = open_game.resolve(game, position, orders, chance)
        return found._replace(outcomes=tuple(_retreats(found.outcomes)), extra={})
    found = open_game.resolve(game, position, [meant(board, position, order) for order in orders], chance)
    given = (*orders, *(one.order for one in found.outcomes[len(orders) :]))
    outcomes = tuple(one._replace(order=order) for one, order in zip(found.outcomes, given, strict=True))
    return found._replace(outcomes=outcomes, extra=standoffs(board, position, found, game.powers(position)))


def _retreats(outcomes: Sequence[Outcome]) -> Iterator[Outcome]:
    """The outcomes, in which a retreat fails that was offered because its unit saw nothing against it (FW-8)."""
    failed = {one.order.unit for one in outcomes if isinstance(one.order, Retreat) and one.result is Result.ILLEGAL}
    for one in outcomes:
        if isinstance(one.order, Retreat) and one.result is Result.ILLEGAL:
            yield one._replace(result=Result.DISBANDED, facts=Facts(TOLD))
        elif not (isinstance(one.order, Disband) and one.facts.why is Why.UNORDERED and one.order.unit in failed):
            yield one
