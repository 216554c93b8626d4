"""The turn in two sentences for its reader, and the centres: the first lines of a report, and what mailboxes show of it
before it is opened. No line begins as an order does, for it may come back in a reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gm.board import Location, Power
from gm.judge.outcomes import Result, Why
from gm.orders import Build, Declaration, Disband, Order, Retreat, Waive, unit_of
from gm.orders.notation import write, write_unit
from gm.position import PhaseKind
from gm.reports import counted, listed
from gm.reports.bulletins import Bulletin
from gm.reports.explain import mark
from gm.reports.results import units_driven_out

_MOST = 2
"""The most orders and events that are told one by one."""


def headline(bulletin: Bulletin, reader: Power | None, given: Sequence[Order] | None = None) -> tuple[str, ...]:
    """How the game ended, what happened to the reader, what happened in the game, and the centres.

    `given`: what the reader ordered, where the turn has what was carried out in its place (`View.given`).
    """
    said = (bulletin.victory, _to_you(bulletin, reader, given), _in_the_game(bulletin, reader), bulletin.scores)
    return tuple(filter(None, said))


def _to_you(bulletin: Bulletin, reader: Power | None, given: Sequence[Order] | None) -> str:
    """How the reader's orders went, and which centres they have gained and lost."""
    if reader is None:
        return ""
    orders = bulletin.turn.orders.get(reader, ()) if given is None else given
    carried_out = _orders(bulletin, orders, replaced=given is not None) or bulletin.silence_of(reader)
    lost = _dislodged(bulletin, reader, carried_out)
    said = (lost, carried_out, _deeds(bulletin, orders), _not_built(bulletin, reader), _centres(bulletin, reader))
    return " ".join(filter(None, said))


def _dislodged(bulletin: Bulletin, reader: Power, so_far: str) -> str:
    """Which of the reader's units were dislodged, of those of which nothing is said so far."""
    own = [write_unit(unit) for unit in units_driven_out(bulletin.turn) if unit.power == reader]
    gone = [unit for unit in own if unit not in so_far]
    return f"Your {listed(gone)} {'was' if len(gone) == 1 else 'were'} dislodged." if gone else ""


def _orders(bulletin: Bulletin, given: Sequence[Order], *, replaced: bool) -> str:
    """How the orders went that the reader gave, and no others: what a unit without one did was not ordered.

    `replaced`: another may have ordered in the reader's place, so that some of theirs have no result.
    """
    own = [outcome for outcome in bulletin.turn.outcomes if outcome.order in given]
    public = [one.order for one in own if isinstance(one.order, Declaration) and one.facts.are_of_variant]
    own = [outcome for outcome in own if outcome.order not in public]
    given = [order for order in given if order not in public]
    done = {outcome.order for outcome in own}
    lost = [order for order in given if unit_of(order) is not None and order not in done] if replaced else []
    failed = [f"{write(one.order)} ({words})" for one in own if (words := mark(one, bulletin.view.words))]
    number = len(given)
    every = "Your order" if number == 1 else f"Your {number} orders"
    if not (failed or lost):
        return f"{every} succeeded." if own else ""
    said = []
    for what, names in (("failed", failed), ("not carried out", [write(order) for order in lost])):
        if names:
            which = every if len(names) == number else f"{len(names)} of your {number} orders"
            be = "" if what == "failed" else "was " if len(names) == 1 else "were "
            said.append(f"{which} {be}{what}: {listed(_first(names))}.")
    return " ".join(said)


def _deeds(bulletin: Bulletin, given: Sequence[Order]) -> str:
    """What came of the reader's orders where only the game's own rules can say it."""
    known = (outcome for outcome in bulletin.turn.outcomes if outcome.facts.are_of_variant and outcome.succeeded)
    said = [bulletin.view.words.reason(outcome) for outcome in known if outcome.order in given]
    deeds = _first([reason.partition(";")[0] for reason in said])
    return f"{'; '.join(deeds)}." if deeds else ""


def _not_built(bulletin: Bulletin, reader: Power) -> str:
    """How many of the reader's builds were waived without an order."""
    waived = [outcome for outcome in bulletin.turn.outcomes if outcome.order == Waive(reader)]
    count = sum(outcome.facts.why is Why.UNORDERED for outcome in waived)
    what = f"{counted(count, 'build')} that you did not order {'was' if count == 1 else 'were'} waived."
    return f"{what[:1].upper()}{what[1:]}" if count else ""


def _first(names: Sequence[str]) -> list[str]:
    more = [f"{len(names) - _MOST} more"] if len(names) > _MOST else []
    return [*names[:_MOST], *more]


def _centres(bulletin: Bulletin, reader: Power) -> str:
    count = bulletin.turn.count
    if count is None:
        return ""
    name = bulletin.view.board.full_name
    parts = [
        f"{verb} {listed(sorted(name(Location(one)) for one in found))}"
        for verb, found in (("gained", count.gained.get(reader, ())), ("lost", count.lost.get(reader, ())))
        if found
    ]
    return f"You {' and '.join(parts)}." if parts else ""


def _in_the_game(bulletin: Bulletin, reader: Power | None) -> str:
    """What happened beside orders, to the reader first, who is out, and what was dislodged, or how many were built and
    removed.
    """
    happened = sorted(bulletin.happened, key=lambda one: not (reader and one[0].is_about(reader)))
    sentences = (
        *_some([sentence for _, sentence in happened]),
        bulletin.eliminated,
        bulletin.driven_out or _quiet(bulletin),
    )
    return " ".join(filter(None, sentences))


def _quiet(bulletin: Bulletin) -> str:
    if bulletin.view.unseen:
        return ""
    vain = (Result.ILLEGAL, Result.VOID)
    orders = [outcome.order for outcome in bulletin.turn.outcomes if outcome.result not in vain]
    if bulletin.turn.before.phase.kind is PhaseKind.MOVEMENT:
        return "No unit was dislodged."
    counts = [sum(isinstance(order, kind) for order in orders) for kind in (Build, Retreat, Disband)]
    verbs = (("was built", "were built"), ("retreated", "retreated"), ("was disbanded", "were disbanded"))
    said = [f"{counted(count, 'unit')} {verb[count > 1]}" for count, verb in zip(counts, verbs, strict=True) if count]
    text = listed(said)
    return f"In all, {text}." if text else ""


def _some(events: Sequence[str]) -> Iterable[str]:
    yield from events[:_MOST]
    if len(events) > _MOST:
        yield f"And {counted(len(events) - _MOST, 'more event')}: see Events."
