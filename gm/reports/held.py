"""The orders the server holds for a power, as receipts, reminders and STATUS show them."""

from __future__ import annotations

from dataclasses import dataclass

from gm.board import Power
from gm.orders import Order
from gm.orders.notation import write, write_unit
from gm.orders.possible import Duty
from gm.position import PhaseKind
from gm.reports.context import GameFacts, HeldOrders, Reader
from gm.reports.form import duty_of
from gm.reports.longhand import Longhand, by_unit
from gm.reports.tasks import Form, form
from gm.reports.words import counted, full_moment
from gm.views import View

Row = tuple[str, str]
"""A unit or order in short notation, and in full words."""


@dataclass(frozen=True, slots=True)
class HeldPage:
    """Finished words on a power's orders. `form` is there only while something is missing.

    `phase` and `state` are for subjects and summaries: `F1901M`, `2 units without an order`.
    """

    phase: str
    state: str
    heading: str
    orders: tuple[Row, ...]
    missing_heading: str
    missing: tuple[Row, ...]
    warnings: tuple[str, ...]
    outlook: tuple[str, ...]
    form: Form | None


def held_page(game: GameFacts, reader: Reader, held: HeldOrders) -> HeldPage:
    """Raises ValueError for a reader without a power."""
    power, phase = reader.power, held.view.position.phase
    if power is None:
        raise ValueError("only a power has orders")
    words = Longhand(held.view.board, game.adjectives, phase.kind)
    duty = duty_of(held.view, power)
    complete = duty.met_by(held.orders)
    return HeldPage(
        phase=phase.code,
        state=_state(duty, held.orders),
        heading=_heading(power, held),
        orders=tuple((write(order), words.order(order)) for order in sorted(held.orders, key=by_unit(duty.units))),
        missing_heading=_missing_heading(held.view, duty, held.orders),
        missing=tuple((write_unit(unit), words.unit(unit)) for unit in duty.unordered(held.orders)),
        warnings=held.warnings,
        outlook=tuple(_outlook(reader, held, complete)),
        form=None if complete else form(game, reader, held.view, held.orders),
    )


def _heading(power: Power, held: HeldOrders) -> str:
    phase = held.view.position.phase
    if not held.orders:
        return f"No orders of {power} for {phase.code} yet"
    notes = [f"set #{held.number}"] if held.number else []
    notes += [f"replaces #{held.replaces}"] if held.replaces is not None else []
    return f"Orders of {power} for {phase.code}" + (f" ({', '.join(notes)})" if notes else "")


def _state(duty: Duty, orders: tuple[Order, ...]) -> str:
    unnamed, unordered = duty.unnamed(orders), len(duty.unordered(orders))
    if not orders:
        return "no orders yet"
    if unnamed:
        return f"{counted(unnamed, 'build' if duty.need.count > 0 else 'removal', digits=True)} not ordered"
    return f"{counted(unordered, 'unit', digits=True)} without an order" if unordered else "orders complete"


def _missing_heading(view: View, duty: Duty, orders: tuple[Order, ...]) -> str:
    unnamed = duty.unnamed(orders)
    if unnamed and duty.need.count > 0:
        return f"{counted(unnamed, 'build').capitalize()} not ordered yet; builds without an order are waived."
    if unnamed:
        return f"{counted(unnamed, 'removal').capitalize()} not ordered yet; if you do not choose, the rules do."
    if not duty.unordered(orders):
        return ""
    kind = view.position.phase.kind
    usual = "disbanded" if kind is PhaseKind.RETREAT else "holding"
    fate = view.fates[kind].unit if kind in view.fates else usual
    return f"Without an order, so {fate}:"


def _outlook(reader: Reader, held: HeldOrders, complete: bool) -> list[str]:
    """What happens next: is the set complete, may the phase run early, when is the deadline."""
    said = ["Your orders are complete. You can change them until the deadline."] if complete else []
    if held.all_in:
        return ["Your orders are complete, and so are all others: the phase is adjudicated now."]
    if held.wait:
        said.append("You asked to WAIT: the phase is not adjudicated before its deadline. To cancel this, reply READY.")
    elif held.early and complete:
        said = [
            "Your orders are complete. The phase is adjudicated as soon as all orders are in; you can change yours "
            "until then. To wait for the deadline, reply WAIT."
        ]
    if held.deadline is not None:
        said.append(f"Deadline: {full_moment(held.deadline, reader.zone)}.")
    return said
