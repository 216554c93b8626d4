"""What is said in a sentence of the last turn in which units moved: of those who are asked about, or of who attacked
the asker; never more than their seat saw of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gm.board import Location, Power
from gm.commands.context import Context
from gm.games.report_inputs import adjudicated, turn_of, view_after
from gm.games.snapshot import Game
from gm.judge.outcomes import Outcome
from gm.orders import Move, unit_of
from gm.orders.notation import write
from gm.parsing.questions import seasons_in
from gm.reports import listed
from gm.reports.explain import mark
from gm.reports.results import silence
from gm.views import View

_BACK = 4
"""So many phases may have been played since units moved: retreats and builds."""


def deeds_of(ctx: Context, game: Game, powers: Iterable[Power]) -> str:
    """What each of these powers did, as far as the asker saw it; "" without a power in the question or a phase that
    was played.
    """
    named = [*dict.fromkeys(powers)]
    found = _last_moves(ctx, game) if named else None
    if found is None:
        return ""
    code, view, outcomes = found
    said = ((power, [_marked(one, view) for one in outcomes if _power(one) == power]) for power in named)
    return " ".join(f"{power} in {code}: {listed(orders)}." for power, orders in said if orders)


def attackers(ctx: Context, game: Game) -> str:
    """Who moved to where units of the asker's stood, or went, as far as the asker saw it."""
    found = _last_moves(ctx, game)
    if found is None:
        return "No turn in which units move was played yet."
    code, view, outcomes = found
    province = view.board.province
    own = [one.order for one in outcomes if _power(one) == view.seat]
    held = {province(unit.at) for order in own if (unit := unit_of(order)) is not None}
    held |= {province(order.to) for order in own if isinstance(order, Move)}
    against = [
        one
        for one in outcomes
        if isinstance(one.order, Move) and _power(one) != view.seat and province(one.order.to) in held
    ]
    rivals = listed([f"{_power(one)} with {_marked(one, view)}" for one in against])
    seen = " that you could see" if view.unseen else ""
    return (
        f"In {code} you were met by {rivals}." if against else f"In {code} nobody{seen} moved to where your units were."
    )


def own_move_to(ctx: Context, game: Game, to: Location) -> str:
    """The move of the asker's own to a place in the last turn in which units moved, behind the code of that phase; ""
    if there was none, or if one of their units stood there.
    """
    found = _last_moves(ctx, game)
    if found is None:
        return ""
    code, view, outcomes = found
    province = view.board.province
    own = [one.order for one in outcomes if _power(one) == view.seat]
    if any((unit := unit_of(order)) is not None and province(unit.at) == province(to) for order in own):
        return ""
    moves = (order for order in own if isinstance(order, Move) and province(order.to) == province(to))
    return next((f"{code} {write(order)}" for order in moves), "")


def _last_moves(ctx: Context, game: Game) -> tuple[str, View, list[Outcome]] | None:
    """The last phase in which units moved: its code, what the asker sees of it, and how the orders went."""
    for phase in reversed(adjudicated(ctx.tx.session, game)[-_BACK:]):
        view = view_after(game, ctx.own_seat(game), turn_of(ctx.tx.session, game, phase))
        outcomes = [*view.turn.outcomes] if view.turn is not None else []
        if any(isinstance(one.order, Move) for one in outcomes):
            return phase.code, view, outcomes
    return None


def silent_before(ctx: Context, game: Game, text: str) -> str:
    """Who sent no orders for the phase that was adjudicated last, of those of a season that a text names; "" for a text
    that is about no such phase.
    """
    played = [*adjudicated(ctx.tx.session, game)] if _THEN.search(text) else []
    seasons = seasons_in(text)
    phase = next((one for one in reversed(played) if one.code[0] in seasons or not seasons), None)
    if phase is None:
        return ""
    turn = turn_of(ctx.tx.session, game, phase)
    view = view_after(game, ctx.own_seat(game), turn)
    return f"{phase.code}: {silence(view, turn) or 'all sent orders.'}"


_THEN = re.compile(
    r"\b(?:did|didn['’]?t|missed|forgot|nmr\w*|last (?:time|turn|phase|round|season)|letzte\w*|derni[eè]r\w*)\b",
    re.IGNORECASE,
)
"""What asks of a phase that is over."""


def _power(outcome: Outcome) -> Power | None:
    unit = unit_of(outcome.order)
    return unit.power if unit is not None else None


def _marked(outcome: Outcome, view: View) -> str:
    done = mark(outcome, view.words)
    return f"{write(outcome.order)} ({done})" if done else write(outcome.order)
