"""The turn in two sentences for its reader, and the centres: the first lines of a report, and what mailboxes show of it
before it is opened. No line begins as an order does, for it may come back in a reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gm.board import Location, Power
from gm.orders import Build, Disband, Retreat
from gm.orders.notation import write
from gm.position import PhaseKind
from gm.reports import counted, listed
from gm.reports.bulletins import Bulletin
from gm.reports.results import ResultLine

_MOST = 2
"""The most orders and events that are told one by one."""


def headline(bulletin: Bulletin, reader: Power | None) -> tuple[str, ...]:
    """How the game ended, what happened to the reader, what happened in the game, and the centres."""
    own = next((one.lines for one in bulletin.powers if one.power == reader), ())
    said = (bulletin.victory, _to_you(bulletin, reader, own), _in_the_game(bulletin), bulletin.scores)
    return tuple(filter(None, said))


def _to_you(bulletin: Bulletin, reader: Power | None, own: Sequence[ResultLine]) -> str:
    """How the reader's orders went, and which centres they have gained and lost."""
    if reader is None:
        return ""
    return " ".join(filter(None, (_orders(own), _centres(bulletin, reader))))


def _orders(own: Sequence[ResultLine]) -> str:
    failed = [line for line in own if line.mark]
    if not own:
        return ""
    every = "Your order" if len(own) == 1 else f"Your {len(own)} orders"
    if not failed:
        return f"{every} succeeded."
    shown = [f"{write(line.given)} ({line.mark})" for line in failed[:_MOST]]
    more = [f"{len(failed) - _MOST} more"] if len(failed) > _MOST else []
    what = every if len(failed) == len(own) else f"{len(failed)} of your {len(own)} orders"
    return f"{what} failed: {listed([*shown, *more])}."


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


def _in_the_game(bulletin: Bulletin) -> str:
    """What happened beside orders, who is out, and what was dislodged, or how many were built and removed."""
    told = (*_some(bulletin.events), bulletin.eliminated, bulletin.driven_out or _quiet(bulletin))
    return " ".join(filter(None, told))


def _quiet(bulletin: Bulletin) -> str:
    orders = [outcome.order for outcome in bulletin.turn.outcomes]
    if bulletin.turn.before.phase.kind is PhaseKind.MOVEMENT:
        return "No unit was dislodged."
    done = ((Build, "unit", "built"), (Retreat, "unit", "ordered to retreat"), (Disband, "unit", "disbanded"))
    counts = ((sum(isinstance(order, kind) for order in orders), thing, verb) for kind, thing, verb in done)
    said = [
        f"{counted(count, thing)} {'was' if count == 1 else 'were'} {verb}" for count, thing, verb in counts if count
    ]
    text = listed(said)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _some(events: Sequence[str]) -> Iterable[str]:
    yield from events[:_MOST]
    if len(events) > _MOST:
        yield f"And {counted(len(events) - _MOST, 'more event')}: see Events."
