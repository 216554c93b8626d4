"""The form a player answers with: his units ready to be ordered, in the notation our grammar reads.

A line left as it is (`A Par-`) orders nothing. What follows `#` is a comment.
"""

from __future__ import annotations

from gm.board import FiniteBoard, Location, Power, Province, UnitKind
from gm.duties import Duty
from gm.judge.retreats import retreat_options
from gm.orders.needs import NOTHING
from gm.orders.notation import short, write_unit
from gm.position import Dislodged, PhaseKind
from gm.reports.words import listed
from gm.views import View


def duty_of(view: View, power: Power | None) -> Duty:
    """What the power has to order in the phase of `view.position`; an empty duty for nothing."""
    if power is None:
        return Duty()
    match view.position.phase.kind:
        case PhaseKind.RETREAT:
            return Duty(tuple(d.unit for d in view.position.dislodged_of(power)))
        case PhaseKind.ADJUSTMENT:
            return Duty(need=view.needs.get(power, NOTHING))
        case _:
            return Duty(view.position.units_of(power))


def has_duty(view: View, power: Power | None) -> bool:
    """Whether the power has anything to order."""
    duty = duty_of(view, power)
    return bool(duty.units or duty.need.count)


def order_form(view: View, power: Power) -> tuple[str, ...]:
    """The lines to copy, complete and send; none when the power has nothing to order."""
    position, duty = view.position, duty_of(view, power)
    match position.phase.kind:
        case PhaseKind.RETREAT:
            return tuple(_retreat_line(view, d) for d in position.dislodged_of(power))
        case PhaseKind.ADJUSTMENT if duty.need.count > 0:
            sites = listed(build_sites(view.board, duty.need.sites), "or")
            return (*["BUILD"] * duty.need.count, f"# {sites}; or WAIVE")
        case PhaseKind.ADJUSTMENT if duty.need.count < 0:
            units = listed(map(write_unit, position.units_of(power)), "or")
            return (*["REMOVE"] * -duty.need.count, f"# {units}")
        case PhaseKind.ADJUSTMENT:
            return ()
    return tuple(f"{write_unit(unit)}-" for unit in duty.units)


def retreat_places(view: View, dislodged: Dislodged) -> tuple[Location, ...]:
    """Where the unit can retreat to."""
    return retreat_options(view.board, view.position, dislodged)


def _retreat_line(view: View, dislodged: Dislodged) -> str:
    places = [short(at) for at in retreat_places(view, dislodged)]
    return f"{write_unit(dislodged.unit)} R  # {listed([*places, 'DISBAND'], 'or')}"


def build_sites(board: FiniteBoard, sites: frozenset[Province]) -> list[str]:
    """The units that can be built, as they are written: `A Par`, `F Stp/nc`."""
    return [
        f"{kind} {short(at)}"
        for province in sorted(sites)
        for kind in UnitKind
        for at in ((Location(province),) if kind is UnitKind.ARMY else board.coasts(province))
        if board.may_stand(kind, at)
    ]
