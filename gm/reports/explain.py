"""Outcomes in words: one short sentence each, with the strengths (ST-9). Reports and `gm adjudicate` use the same ones.

Places are written as players write them (`Bur`), because a sentence is shown beside the order it explains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.board import Board
from gm.judge import Rulebook
from gm.judge.outcomes import Loss, Opponent, Outcome, Result, Why
from gm.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from gm.orders.notation import Spelt, name_unit, short, write, write_unit
from gm.position import Unit
from gm.views import Words

_MARKS = {
    Result.BOUNCES: "bounce",
    Result.CUT: "cut",
    Result.VOID: "void",
    Result.NO_CONVOY: "no convoy",
    Result.DISRUPTED: "convoy disrupted",
    Result.DISBANDED: "disbanded",
    Result.DESTROYED: "destroyed",
    Result.ILLEGAL: "illegal",
}


def mark(outcome: Outcome, variant: Words) -> str:
    """The mark in report lines: "" for success, otherwise `bounce`, `cut, dislodged`, `no convoy` and so on, or the
    variant's.
    """
    if own := variant.mark(outcome):
        return own
    words = [_MARKS[outcome.result]] if outcome.result in _MARKS else []
    if outcome.dislodged_by is not None:
        if isinstance(outcome.order, Convoy) and outcome.result is Result.DISRUPTED:
            words.clear()
        words.append("dislodged")
    return ", ".join(words)


def sentence(outcome: Outcome, board: Board, words: Words) -> str:
    """One short sentence with the order's outcome and its reason, with the strengths. `words` are the variant's."""
    said = words.reason(outcome) if outcome.facts.are_of_variant else _said(outcome, board, words)
    lost = outcome.facts.dislodged
    return f"{said}." if lost is None or outcome.result is Result.DISLODGED else f"{said}; {driven_out(lost)}."


def _said(outcome: Outcome, board: Board, words: Words) -> str:
    order = outcome.order
    if outcome.result is _REFUSED:
        return f"{write(order)} is not possible: {_ILLEGAL.get(outcome.facts.why, 'it cannot be done')}"
    if outcome.facts.why is _REPLACED:
        return f"{write(order)} was replaced by a later order"
    match order:
        case Move():
            return _move(outcome, order)
        case Support():
            return _support(outcome, order)
        case Convoy():
            return _convoy(outcome, order)
        case Hold():
            return _hold(outcome, order)
    if outcome.facts.why is Why.BY_DEFAULT and isinstance(order, Disband):
        first = words.removals or "the farthest unit goes first (ST-6)"
        return f"{write_unit(order.unit)} is removed by the rules: {first}"
    return _minor(outcome, order, board)


_DONE, _VOID, _REFUSED, _REPLACED = Result.SUCCEEDS, Result.VOID, Result.ILLEGAL, Why.REPLACED
"""Those for which nearly every sentence asks: finding a member in its Enum takes as long as a call."""

_ILLEGAL: Mapping[str, str] = {
    Why.NO_SUCH_UNIT: "there is no such unit",
    Why.CANNOT_REACH: "it cannot get there",
    Why.WRONG_PHASE: "this phase has no such orders",
    Why.NOT_A_SITE: "nothing can be built there",
    Why.SURPLUS: "all such units there already have an order",
}


def _move(outcome: Outcome, order: Move[Unit]) -> str:
    facts, name = outcome.facts, write(order)
    match outcome.result:
        case Result.SUCCEEDS:
            manner = "is convoyed" if facts.convoyed else "moves"
            against = f", {facts.strength} against {_opponents(facts.against)}" if facts.against else ""
            return f"{name} {manner}{against}"
        case Result.NO_CONVOY:
            missing = _GAP.format("it") if facts.why is Why.GAP else "no fleet was ordered to carry it"
            return f"{name} has no convoy: {missing}"
        case Result.DISRUPTED:
            lost = ", ".join(_lost(fleet) for fleet in facts.lost)
            if facts.why is Why.PARADOX:
                return f"{name} is part of a convoy paradox, so it does not move{f' ({lost})' if lost else ''}"
            return f"{name}: convoy disrupted: {lost}"
    return _stopped(outcome, order)


_GAP = "the chain of the fleets that were ordered to carry {} has a gap"


def _stopped(outcome: Outcome, order: Move[Unit]) -> str:
    facts, name = outcome.facts, write(order)
    if facts.why is Why.NO_ROOM:
        return f"{name} failed: {short(order.to)} would have held too many units"
    if facts.why is Why.NOT_VACANT and facts.by is not None:
        return f"{name} failed: {name_unit(facts.by)} did not leave, and only a vacant space can be entered so"
    against = f"{facts.strength} against {_opponents(facts.against)}"
    match facts.why:
        case Why.OWN_UNIT:
            return f"{name} bounced: it may not dislodge a unit of its own power ({against})"
        case Why.OWN_SUPPORT:
            helpers = " and ".join(map(write_unit, facts.uncounted))
            return f"{name} bounced: {against}; the support of {helpers} does not count against a unit of its own power"
        case Why.UNDECIDED:
            return f"{name} failed: it and another attack on its own power's units depend on each other, so both fail"
        case Why.HEAD_TO_HEAD:
            return f"{name} bounced head to head: {against}"
    return f"{name} bounced: {against}"


def _opponents(against: Sequence[Opponent]) -> str:
    return ", ".join(f"{name_unit(opponent.unit)} {opponent.strength}" for opponent in against)


def _lost(fleet: Loss) -> str:
    return f"{write_unit(fleet.unit)} dislodged by {name_unit(fleet.by)} ({fleet.attack} to {fleet.defence})"


def driven_out(lost: Loss) -> str:
    """`dislodged by F Mao (2 to 1)`."""
    return f"dislodged by {name_unit(lost.by)} ({lost.attack} to {lost.defence})"


def _support(outcome: Outcome, order: Support[Unit]) -> str:
    name, facts = write(order), outcome.facts
    if outcome.result is _DONE:
        return f"{name} counts"
    if outcome.result is _VOID:
        other = name_unit(order.supported, reader=order.unit.power)
        ordered = "was ordered to move" if order.to is None else f"was not ordered to move to {short(order.to)}"
        return f"{name} is void: {other} {ordered}"
    if facts.why is Why.DRIVEN_OUT:
        return f"{name} does not count"
    assert facts.by is not None
    return f"{name} cut by {name_unit(facts.by)}"


def _convoy(outcome: Outcome, order: Convoy[Unit]) -> str:
    name = write(order)
    if outcome.result is Result.SUCCEEDS:
        return f"{name} succeeds"
    if outcome.result is Result.DISRUPTED:
        return f"{name} fails"
    if outcome.facts.why is Why.NEEDLESS:
        return f"{name} is void: the army did not need it"
    if outcome.facts.why is Why.GAP:
        return f"{name} is void: {_GAP.format('the army')}"
    return f"{name} is void: {write_unit(order.convoyed)} was not ordered to {short(order.to)}"


def _hold(outcome: Outcome, order: Hold[Unit]) -> str:
    if outcome.facts.dislodged is not None:
        return f"{write_unit(order.unit)} {driven_out(outcome.facts.dislodged)}"
    return f"{write(order)}: {order.effect}" if isinstance(order, Spelt) else f"{write_unit(order.unit)} holds"


def _minor(outcome: Outcome, order: Order, board: Board) -> str:
    """The sentence for retreats and adjustments."""
    facts, name = outcome.facts, write(order)
    if outcome.result is Result.VOID:
        return f"{name} does not count: it is one order too many, and the first ones count"
    match order:
        case Retreat():
            if facts.why is Why.NO_ROOM:
                return f"{name}: disbanded, because {short(order.to)} had no room for all units that retreated there"
            if facts.by is not None:
                return f"{name}: disbanded, because {write_unit(facts.by)} retreated there too"
            return f"{write_unit(order.unit)} retreats to {board.full_name(order.to)}"
        case Disband():
            ordered = " because no retreat was ordered" if facts.why is Why.UNORDERED else ""
            return f"{write_unit(order.unit)} is disbanded{ordered}"
        case Build():
            return f"{write_unit(order.unit)} is built"
        case Waive() if isinstance(order, Spelt):
            return f"{name}: {order.effect}"
        case Waive():
            return "Waived" + (" because it was not ordered" if facts.why is Why.UNORDERED else "")
    return name


_RULES: Mapping[str, str] = {
    Why.PLAIN: "a move succeeds only if it is stronger than everything that opposes it (DATC 5.B)",
    Why.HEAD_TO_HEAD: "of two units that move against each other, the stronger wins; if equal, both stay (DATC 5.B.1)",
    Why.OWN_UNIT: "a power cannot dislodge its own unit (1971 IX.3, DATC 6.D.10)",
    Why.OWN_SUPPORT: "support does not help to dislodge a unit of the supporter's own power (DATC 6.D.12)",
    Why.NOT_VACANT: "such a move enters vacant spaces only; it dislodges nobody and cuts no support",
    Why.NO_ROOM: "a space holds no more units than its capacity",
    Why.ATTACKED: "an attack cuts support, except by the same power or from the supported move's target (DATC 6.D.2)",
    Why.DRIVEN_OUT: "a dislodged unit's support does not count (DATC 6.D.17)",
    Why.GAP: "a convoy needs a fleet in every space of its route, each ordered to convoy the army (DATC 6.F)",
    Why.NO_CONVOY: "an army crosses the sea only with fleets ordered to convoy it (DATC 6.F)",
    Why.PARADOX: "armies whose convoys form a paradox do not move: Szykman's rule (DATC 4.A.2)",
    Why.UNDECIDED: "if two attacks on units of one's own power depend on each other, neither succeeds (ST-4)",
    Why.NEEDLESS: "a convoy order that no route needs has no effect (DATC 6.G.19)",
    Why.REPLACED: "the last order for a unit counts (ST-7)",
    Why.SURPLUS: "if there are too many orders, the first ones count (ST-7)",
    Why.COLLIDED: "units that retreat to the same province are all disbanded (DATC 6.H.7)",
    Why.NOT_A_SITE: "units are built in vacant own home centres (DATC 6.I)",
}


def rule(outcome: Outcome, rulebook: Rulebook, words: Words) -> str:
    """The rule that decided the outcome, with its source; "" if none is needed to explain it."""
    why = outcome.facts.why
    if why is Why.PLAIN and not outcome.facts.against:
        return ""
    if why is Why.FLEETS_LOST:
        return f"{rulebook.routes.value} (DATC 4.A.1)"
    if why is Why.BY_DEFAULT:
        return f"removals without orders: {words.removals or f'farthest {rulebook.removals.value} (DATC 4.D.8)'}"
    return _RULES.get(why, "")
