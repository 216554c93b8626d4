"""The form to reply with, its lines apart from the mail around them.

It has the reader's units ready to be ordered, in the notation that our grammar parses. A line that is not filled in
(`A Par-`) orders nothing. Options are listed in comment lines, which are not parsed as orders.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from gm.board import FiniteBoard, Location, Power
from gm.orders import Hold, Move, Order, Support, unit_of
from gm.orders.notation import short, write, write_unit
from gm.orders.possible import Need, build_sites, more_refuges, retreat_options
from gm.position import Dislodged, PhaseKind, Unit
from gm.reports import listed
from gm.views import View

FORM_WIDTH = 60
"""Lines of a form come back quoted, indented and broken, so they are kept short."""


def has_duty(view: View, power: Power | None) -> bool:
    """Whether the power has anything to order: what it must, or may and has lines for."""
    duty = view.duty_of(power)
    return duty.binding or (duty.offer and view.form != ())


def in_example(legal: Iterable[Order]) -> str:
    """A move, a hold and a support among these orders, and what each does; "" if there is none."""
    found: dict[str, Order] = {}
    for order in legal:
        does = next((does for kind, does in _DOES if isinstance(order, kind)), "")
        helps = not isinstance(order, Support) or (order.supported.power == order.unit.power and order.to is not None)
        if does and helps:
            found.setdefault(does, order)
    said = [f"{write(found[does])} {does}" for _, does in _DOES if does in found]
    return f"{listed(said)}." if said else ""


_DOES = ((Move, "moves a unit"), (Hold, "leaves it where it is"), (Support, "supports the move of another"))


def completed(view: View, power: Power) -> str:
    """How the lines of the form for retreats, builds or removals are completed; "" of a form of the game's own."""
    duty, kind = view.duty_of(power), view.position.phase.kind
    if view.form is not None or kind is PhaseKind.MOVEMENT:
        return ""
    if kind is PhaseKind.RETREAT:
        return "Write behind the dash where the unit goes, or DISBAND in its place."
    if duty.removable:
        return f"Write behind REMOVE one of the units named behind #: REMOVE {write_unit(duty.removable[0])}."
    return _how_to_build(view.board, power, duty.need) if duty.need.count > 0 else ""


def _how_to_build(board: FiniteBoard, power: Power, need: Need) -> str:
    home = " home" if all(board.home(site) == power for site in need.sites) else ""
    can, *_ = build_sites(board, need)
    places = listed(board.full_name(Location(site)) for site in sorted(need.sites)[:_FEW_PLACES])
    where = f" in {places}," if len(need.sites) <= _FEW_PLACES else " in"
    return (
        f"You can build{where} the{home} centres of yours that are free. Write behind BUILD one of the units named"
        f" behind #, an army (A) or a fleet (F): BUILD {can}. To build one unit fewer, write WAIVE in place of BUILD."
    )


_FEW_PLACES = 6


def order_form(view: View, power: Power, held: Sequence[Order] = ()) -> tuple[str, ...]:
    """The lines to copy, complete and send; none when the power has nothing (more) to order.

    Units with an order in `held` are left out. Builds and removals are one decision (ST-7), so they are always all
    included, those in `held` as they are.
    """
    if view.form is not None:
        return tuple(part for line in view.form for part in _short(line))
    lines = tuple(_lines(view, power, held))
    return (*(line for hint in view.hints for line in _wrapped(hint)), *lines) if lines else ()


def in_name_of(power: Power, lines: Iterable[str]) -> tuple[str, ...]:
    """Lines of orders as one writes them who orders for several powers: each names its power, but for comments."""
    return tuple(line if line.startswith("#") else f"{power}: {line}" for line in lines)


def _lines(view: View, power: Power, held: Sequence[Order]) -> Iterator[str]:
    position, duty = view.position, view.duty_of(power)
    left = duty.unordered(held)
    match position.phase.kind:
        case PhaseKind.RETREAT:
            for dislodged in position.dislodged_of(power):
                if dislodged.unit in left:
                    yield from _retreat(view, dislodged)
        case PhaseKind.ADJUSTMENT if duty.need.count > 0:
            yield from _comment("To choose from", build_sites(view.board, duty.need), "WAIVE")
            yield from _decision(held, "BUILD", duty.need.count)
        case PhaseKind.ADJUSTMENT if duty.need.count < 0:
            yield from _comment("To choose from", unit_names(duty.removable))
            yield from _decision(held, "REMOVE", -duty.need.count)
        case PhaseKind.ADJUSTMENT:
            return
        case kind:
            for at, head in view.lists.items():
                listed = [order for order in held if (unit := unit_of(order)) is not None and unit.at == at]
                yield from (head, *map(write, listed)) if listed else ()
            in_lists_first = sorted(left, key=lambda unit: unit.at not in view.lists)
            yield from (f"{write_unit(unit)}{kind.prompt}" for unit in in_lists_first)


def _decision(held: Sequence[Order], verb: str, count: int) -> list[str]:
    """So many builds or removals: those that were ordered, and a line for each other one."""
    return [*map(write, held), *[verb] * (count - len(held))]


def unit_names(units: Sequence[Unit]) -> list[str]:
    """Units in short notation, `A Par`; several equal units in one space as `3 A Orb`."""
    return [f"{count} {write_unit(unit)}" if count > 1 else write_unit(unit) for unit, count in Counter(units).items()]


def retreat_choices(view: View, dislodged: Dislodged, named: Callable[[Location], str]) -> tuple[str, ...]:
    """Where the unit can retreat, each place as it is `named`, and in words those that cannot be listed."""
    listed = map(named, retreat_options(view.board, view.position, dislodged))
    return (*listed, *filter(None, [more_refuges(view.board, view.position, dislodged)]))


def _retreat(view: View, dislodged: Dislodged) -> tuple[str, ...]:
    unit = write_unit(dislodged.unit)
    return (*_comment(f"{unit} to", retreat_choices(view, dislodged, short), f"{unit} DISBAND"), f"{unit}-")


def _comment(head: str, choices: Sequence[str], otherwise: str = "") -> list[str]:
    """A comment, broken so that no mail client breaks it again and turns the rest into a line of its own."""
    return _wrapped(f"{head}: {', '.join(choices)}" + (f"; or {otherwise}" if otherwise else ""))


def _short(line: str) -> list[str]:
    """A line of a game's own form, broken between its choices if it is a comment that a mail client would break."""
    if not line.startswith("# ") or len(line) <= FORM_WIDTH:
        return [line]
    tied = line.removeprefix("# ").replace(" ", _TIE).replace(f",{_TIE}", ", ")
    return [part.replace(_TIE, " ") for part in _wrapped(tied)]


_TIE = "\0"
"""In place of blanks within a choice, so that no choice is broken."""


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, FORM_WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
