"""Who agrees with whom: which units go by transmitter and which reserves arrive (AL-5, AL-7, AL-10, AL-14).

A transmitter has one order, so it handles one unit a season and stays where it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gm.board import Board, Power, Province
from gm.orders import Move, Order
from gm.position import Position, Unit
from gm.variants.the_aliens.board import is_home
from gm.variants.the_aliens.orders import Arrive, Receive, Relay, Send
from gm.variants.the_aliens.state import units_to_come

NOT_SENT = "not sent"
"""The reason of an order that went by transmitter and was void; its `fault` is one of the next."""

NO_AGREEMENT, NONE_IN_RESERVE = "no agreement", "none in reserve"
NOT_RECEIVED, LATER_ORDER = "not received", "later order"

Link = tuple[Province, Province]
"""From where a transmitter sends, to where."""


@dataclass
class Agreement:
    """What the transmitters are ready to do, and which orders (by their place) they serve.

    `sent` and `received` are by place of the transmitter's order: whether it served somebody.
    """

    moves: set[int] = field(default_factory=set)
    """Moves and relays that go by transmitter."""
    arrivals: set[int] = field(default_factory=set)
    """Reserves that come."""
    reasons: dict[int, str] = field(default_factory=dict)
    """The fault for which an arrival does not come, or a relay does not go."""
    served: set[int] = field(default_factory=set)
    """Orders of transmitters that somebody made use of."""


def agree(board: Board, position: Position, orders: Sequence[Order], counted: Iterable[int]) -> Agreement:
    """Match the orders at the places `counted` (those not replaced by later ones)."""
    places = tuple(counted)
    found = Agreement()
    sends = _by_link(board, orders, places, Send)
    receives = _by_link(board, orders, places, Receive)
    left = {power: units_to_come(position, power) for power in {order.unit.power for order in _units(orders)}}
    for place in places:
        order: Any = orders[place]
        if isinstance(order, Arrive):
            _arrive(board, found, place, order, receives, left)
        elif type(order) is Move and not order.via_convoy and not is_home(order.unit.at):
            link = (board.province(order.unit.at), board.province(order.to))
            _transmit(found, place, link, sends, receives)
    for place in places:  # a relay takes what the units that stand with the sender leave free
        order = orders[place]
        if isinstance(order, Relay):
            link = (board.province(order.route[0]), board.province(order.to))
            if not _transmit(found, place, link, sends, receives):
                found.reasons[place] = NO_AGREEMENT
    return found


Offers = Mapping[Any, list[int]]
"""Places of orders of transmitters that are still free, by what they offer."""


def _by_link(board: Board, orders: Sequence[Order], places: Iterable[int], kind: type) -> dict[Any, list[int]]:
    """Sends by (from, to); receipts the same way, those from home by (power, to)."""
    offers: dict[Any, list[int]] = {}
    for place in places:
        if not isinstance(orders[place], kind):
            continue
        order: Any = orders[place]
        here = board.province(order.unit.at)
        if kind is Send:
            key: Any = (here, board.province(order.to))
        elif is_home(order.origin):
            key = (order.unit.power, here)
        else:
            key = (board.province(order.origin), here)
        offers.setdefault(key, []).append(place)
    return offers


def _transmit(found: Agreement, place: int, link: Link, sends: Offers, receives: Offers) -> bool:
    if not (sends.get(link) and receives.get(link)):
        return False
    found.served |= {sends[link].pop(0), receives[link].pop(0)}
    found.moves.add(place)
    return True


def _arrive(
    board: Board, found: Agreement, place: int, order: Arrive[Unit], receives: Offers, left: dict[Power, int]
) -> None:
    power, target = order.unit.power, board.province(order.to)
    offers = receives.get((power, target))
    if left[power] <= 0:
        found.reasons[place] = NONE_IN_RESERVE
    elif not offers:
        found.reasons[place] = NOT_RECEIVED
    else:
        left[power] -= 1
        found.served.add(offers.pop(0))
        found.arrivals.add(place)


def _units(orders: Iterable[Order]) -> list[Any]:
    return [order for order in orders if getattr(order, "unit", None) is not None]


def counted_orders(orders: Sequence[Order], pieces: Iterable[Unit]) -> tuple[list[int], set[int]]:
    """The places of the orders that count, of each unit the last, and of those that a later one replaced (ST-7).

    Equal pieces in one space take an order each; a unit that is not among `pieces` (a reserve) may have any number.
    """
    standing = Counter(pieces)
    by_unit: dict[Unit, list[int]] = {}
    for place, order in enumerate(orders):
        unit = getattr(order, "unit", None)
        if unit is not None:
            by_unit.setdefault(unit, []).append(place)
    replaced = {place for unit, places in by_unit.items() if standing[unit] for place in places[: -standing[unit]]}
    return [place for place in range(len(orders)) if place not in replaced], replaced
