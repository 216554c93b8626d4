"""The link to the page on which orders are tapped together (`order.html`); its fragment has all that the page needs.

The fragment is what stands behind the `#`: browsers send it to no server. It holds what the mail says and no more:
the phase, the units that the seat sees, and the lines that its units can be ordered, each as the seat could write it.
The page walks through these lines word by word, so it knows no rules and serves every game.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from gm.board import Location, Power, standard_board
from gm.board.geography import standard_geography
from gm.maps.scene import drawable, liveries_of
from gm.orders import Disband, Order
from gm.orders.notation import write, write_unit
from gm.orders.possible import Duty, legal_builds
from gm.position import PhaseKind
from gm.store.rows import canonical_json
from gm.variants import Variant
from gm.views import View

LONGEST = 16_000
"""Characters of a link; browsers take more, but mail programs break longer ones."""


class Group(NamedTuple):
    """Lines of which the seat writes at most so many, below a title: a unit, or `Builds`."""

    title: str
    most: int
    lines: tuple[str, ...]


def order_link(page: str, game: Variant, view: View, powers: Iterable[Power], mailto: str) -> str:
    """The link to the page at the address `page` for the powers that the reader orders for; "" if they have nothing to
    order, or it would be too long. `mailto`: the link that opens a mail to the seat.
    """
    groups = [group for power in powers for group in groups_of(game, view, power, several=view.seat != power)]
    if not groups:
        return ""
    said = canonical_json(_told(view, groups, mailto)).encode()
    packed = zlib.compress(said, 9, wbits=-zlib.MAX_WBITS)
    link = f"{page}#{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"
    return link if len(link) <= LONGEST else ""


def groups_of(game: Variant, view: View, power: Power, *, several: bool = False) -> Iterator[Group]:
    """What the power can order in the phase of the view; `several`: the lines name it, as others' are beside them."""
    duty, position = view.duties.get(power, Duty()), view.position
    named = f"{power}: " if several else ""
    adjusts = position.phase.kind is PhaseKind.ADJUSTMENT
    by_unit = ((write_unit(unit), game.legal_orders(view.board, position, unit, duty.need)) for unit in duty.units)
    by_list = enumerate(filter(None, game.offered(game, position, power)), 1)
    for title, orders in (*by_unit, *((f"{named}More {number}", offered) for number, offered in by_list)):
        if own := [one for one in orders if not (adjusts and isinstance(one, Disband))]:  # removals are counted below
            yield _group(title, 1, own, "")
    if adjusts:
        count = duty.need.count or (len(duty.need.sites) if duty.offer else 0)
        if builds := legal_builds(view.board, power, replace(duty.need, count=count)):
            yield _group(f"{named}Builds", count, builds, named)
        if count < 0:
            yield _group(f"{named}Removals", -count, map(Disband, duty.removable), named)


def _group(title: str, most: int, orders: Iterable[Order], named: str) -> Group:
    return Group(title, most, tuple(dict.fromkeys(f"{named}{write(order)}" for order in orders)))


def _told(view: View, groups: Iterable[Group], mailto: str) -> dict[str, Any]:
    """What the page is told, with short keys."""
    position = view.position
    told: dict[str, Any] = {
        "v": 1,
        "m": mailto,
        "k": position.phase.code,
        "y": str(view.seat or ""),
        "g": [[group.title, group.most, list(group.lines)] for group in groups],
    }
    if not drawable(view):
        return told
    usual, spots = standard_board().provinces, standard_geography().spots
    more = [province for province in view.board.provinces if province in spots and province not in usual]
    colours = liveries_of(view)
    units = {power: [[str(u.kind), str(u.at)] for u in position.units if u.power == power] for power in view.powers}
    return told | {
        "p": [[power, colours[power].strong[1:], colours[power].ink[1:], colours[power].tag] for power in view.powers],
        "u": [units[power] for power in view.powers],
        "d": [[view.powers.index(d.unit.power), str(d.unit.kind), str(d.unit.at)] for d in position.dislodged],
        "c": {str(at): view.powers.index(owner) for at, owner in position.centers.items() if owner in view.powers},
        "n": {province: view.board.full_name(Location(province)) for province in more},
        "x": [mark.province for mark in view.marks if mark.emblem.ground.paint],
    }
