"""What the Alien did, turn by turn, published when the game is over."""

from __future__ import annotations

from collections.abc import Sequence

from gm.board import Location, Power
from gm.orders import Declaration, Disband, Waive
from gm.position import PhaseKind
from gm.turn import Turn
from gm.variants import Variant
from gm.variants.among_us.orders import Adopt, by_unit, waives
from gm.variants.among_us.state import ALIEN, SAYS, Layer, surplus, units_controlled
from gm.views import Section

Row = tuple[str, ...]


def chronicle(game: Variant, turns: Sequence[Turn]) -> tuple[Section, ...]:
    """The true history, turn by turn: which units the Alien adopted, which orders were changed, what the Alien owned
    each Autumn.
    """
    rows: list[Row] = []
    hosts: tuple[Power, ...] = ()
    for turn in turns:
        said = []
        now = Layer.of(turn.before)
        if len(now.hosts) > len(hosts):
            hosts = now.hosts
            said += [SAYS.note("adopts", unit=unit) for unit in units_controlled(turn.before)]
        said += _altered(turn)
        said += _removed(turn)
        if turn.count is not None:
            named = (Location(center) for center in Layer.of(turn.after).centers)
            centers = sorted(map(game.board(turn.after).full_name, named)) or "no centre"
            units = SAYS.note("units", units=units_controlled(turn.after)) or "no unit"
            said.append(SAYS.note("holds", centers=centers, units=units))
        if said:
            rows.append((turn.before.phase.code, "; ".join(said)))
    return (Section("What the Alien did", tuple(rows) or (("Nothing.",),)),)


def _altered(turn: Turn) -> list[str]:
    """What the Alien ordered instead of the hosts."""
    own = [order for order in turn.orders.get(ALIEN, ()) if not isinstance(order, Adopt | Waive)]
    sent = [order for power, given in turn.orders.items() if power != ALIEN for order in given]
    hosts = by_unit(sent) if turn.before.phase.kind is not PhaseKind.ADJUSTMENT else {}
    said = []
    for order in own:
        if order in sent:
            continue
        instead = None if isinstance(order, Declaration) else hosts.get(order.unit)
        said.append(SAYS.note("orders" if instead is None else "in place of", order=order, instead=instead))
    return [*said, *_waived(turn)]


def _waived(turn: Turn) -> list[str]:
    """The builds that the Alien was due and waived; a WAIVE where nothing was to be built says only READY."""
    due = surplus(turn.before, ALIEN) if turn.before.phase.kind is PhaseKind.ADJUSTMENT else 0
    given_up = min(max(0, due), waives(turn.orders.get(ALIEN, ())))
    return [SAYS.note("waives", number=given_up)] if given_up else []


def _removed(turn: Turn) -> list[str]:
    """The units of the Alien that were removed in a Winter."""
    gone = [outcome.order.unit for outcome in turn.outcomes if isinstance(outcome.order, Disband)]
    lost = [unit for unit in gone if turn.before.phase.kind is PhaseKind.ADJUSTMENT and Layer.of(turn.before).has(unit)]
    return [SAYS.note("loses", units=lost)] if lost else []
