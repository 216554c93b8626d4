"""Transmitters in a season: which orders agree, which units go by transmitter, which reserves arrive; then the
transmitters' own outcomes.

A transmitter has one order, so it handles one unit in a season and does not move (AL-5, AL-7, AL-10, AL-14).
Transmitters are settled after the units: moves, destruction, new ones (AL-6, AL-8, AL-9). They have no strength and
share spaces, so each is settled on its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gm.board import Board, Location, Power, Province
from gm.judge.outcomes import NO_FACTS, Facts, Outcome, Result, Why
from gm.orders import Convoy, Hold, Move, Order, unit_of
from gm.orders.possible import may_be_convoyed
from gm.position import Position, Unit
from gm.turn import Event
from gm.variants.the_aliens import supply
from gm.variants.the_aliens.orders import Arrive, Bring, Receive, Relay, Send, Transmit
from gm.variants.the_aliens.state import TRANSMITTER, AlienBoard, State, alien_board, is_home, province_of

# Agreement


NOT_SENT = "not sent"
"""The reason of an order that went by transmitter and was void; its `fault` is one of the following."""

NO_AGREEMENT, NONE_IN_RESERVE = "no agreement", "none in reserve"
NOT_RECEIVED, LATER_ORDER = "not received", "later order"

SENDER, RECEIVER, UNIT = "sender", "receiver", "unit"
"""Who did not agree: what is `lacking` of the three whose orders name the same way (AL-10)."""


@dataclass
class Agreement:
    """What the transmitters are ready to do, and which orders (by index) they serve.

    `sent` and `received` are by index of the transmitter's order: whether it served another order.
    """

    moves: set[int] = field(default_factory=set)
    """Moves and relays that go by transmitter."""
    arrivals: set[int] = field(default_factory=set)
    """Reserves that arrive."""
    reasons: dict[int, str] = field(default_factory=dict)
    """The fault because of which an arrival or a relay does not take place."""
    served: dict[int, int] = field(default_factory=dict)
    """Orders of transmitters that another order uses, each with the index of that order."""
    lacking: dict[int, list[str]] = field(default_factory=dict)
    """Of each order that came to nothing because not all three agreed, those that did not."""


def agree(board: Board, position: Position, orders: Sequence[Order], counted: Iterable[int]) -> Agreement:
    """Match the orders with the indexes `counted` (those not replaced by later ones)."""
    places = tuple(counted)
    found = Agreement()
    sends = _by_link(board, orders, places, Send)
    receives = _by_link(board, orders, places, Receive)
    powers = {unit.power for unit in map(unit_of, orders) if unit is not None}
    left = {power: supply.units_to_come(position, power) for power in powers}
    for place in places:
        order: Any = orders[place]
        if isinstance(order, Arrive):
            _arrive(board, found, place, order, receives, left)
        elif _may_be_handled(order):
            _transmit(found, place, _way(board, order), sends, receives)
    for place in places:  # a relay takes what the units in the sender's own space leave free
        order = orders[place]
        if isinstance(order, Relay) and not _transmit(found, place, _way(board, order), sends, receives):
            found.reasons[place] = NO_AGREEMENT
    moves: dict[Any, list[int]] = {}
    for place in places:
        if place not in found.moves and (isinstance(orders[place], Relay) or _may_be_handled(orders[place])):
            moves.setdefault(_way(board, orders[place]), []).append(place)
    unused: Mapping[str, Offers] = {SENDER: sends, RECEIVER: receives, UNIT: moves}
    for offers in unused.values():
        for way, left_over in offers.items():
            missing = [one for one in unused if not unused[one].get(way)]
            found.lacking |= dict.fromkeys(left_over, missing)
    return found


def _way(board: Board, order: Any) -> tuple[Province, Province]:
    """From where and to where a unit's order would have it sent."""
    return board.province(order.route[0] if isinstance(order, Relay) else order.unit.at), board.province(order.to)


def _may_be_handled(order: Any) -> bool:
    """Whether it is a move that could go by transmitter: of a unit, and none that says how it goes."""
    return (
        type(order) is Move
        and not order.via_convoy
        and order.unit.kind is not TRANSMITTER
        and not is_home(order.unit.at)
    )


Offers = Mapping[Any, list[int]]
"""Indexes of unused orders of transmitters, by what they offer."""


def _by_link(board: Board, orders: Sequence[Order], places: Iterable[int], kind: type) -> dict[Any, list[int]]:
    """Sends by (from, to), and receipts too; those from home by (power, to)."""
    offers: dict[Any, list[int]] = {}
    for place in places:
        order: Any = orders[place]
        if isinstance(order, Send) and kind is Send:
            offers.setdefault(_way(board, order), []).append(place)
        elif isinstance(order, Receive) and kind is Receive:
            origin = order.unit.power if is_home(order.origin) else board.province(order.origin)
            offers.setdefault((origin, board.province(order.unit.at)), []).append(place)
    return offers


def _transmit(found: Agreement, place: int, link: tuple[Province, Province], sends: Offers, receives: Offers) -> bool:
    if not (sends.get(link) and receives.get(link)):
        return False
    found.served |= {sends[link].pop(0): place, receives[link].pop(0): place}
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
        found.served[offers.pop(0)] = place
        found.arrivals.add(place)


def counted_orders(orders: Sequence[Order], pieces: Iterable[Unit]) -> tuple[list[int], set[int]]:
    """The indexes of the orders that count (the last for each unit), and of those that a later one replaced (ST-7).

    Equal pieces in one space take an order each; a unit that is not among `pieces` (a reserve) may have any number.
    """
    standing = Counter(pieces)
    by_unit: dict[Unit, list[int]] = {}
    for place, order in enumerate(orders):
        unit = unit_of(order)
        if unit is not None:
            by_unit.setdefault(unit, []).append(place)
    replaced = {place for unit, places in by_unit.items() if standing[unit] for place in places[: -standing[unit]]}
    return [place for place in range(len(orders)) if place not in replaced], replaced


NOT_MOVED, NO_NEW, UNANSWERED, DESTROYED = "transmitter not moved", "no new transmitter", "nobody agreed", "destroyed"
IN_VAIN = "in vain"
"""The reasons of a transmitter's order. The first two have a `fault`, one of the next; any may have the transmitter
`destroyed` where it ended the season, and its `destroyer`. Destruction is an event too: of one race's
transmitters in a space this number (`count`) was destroyed `by` a unit."""

CONVOY_LOST, NO_FLEET, OCCUPIED, CROSSED = "convoy lost", "no fleet", "occupied", "crossed"
GAP, STANDOFF = "gap", "standoff"
RECEIVER_DESTROYED, NO_MORE = "receiver destroyed", "no more transmitters"


# What happens to them


@dataclass
class Piece:
    """A transmitter in this season. `place` is that of its order, None without."""

    unit: Unit
    place: int | None = None
    at: Location = field(init=False)
    """Where it ends the season."""
    failure: Mapping[str, Any] = field(default_factory=lambda: NO_FACTS)
    """Why it did not move: the fault, and if the space was occupied, by which unit."""
    result: Result = Result.SUCCEEDS
    destroyer: Unit | None = None

    def __post_init__(self) -> None:
        self.at = self.unit.at

    @property
    def after(self) -> Unit:
        """The transmitter where it ends the season."""
        return replace(self.unit, at=self.at)


class Equipment:
    """All transmitters in a season whose units have moved. `units` are those on the board afterwards."""

    def __init__(
        self,
        position: Position,
        units: Sequence[Unit],
        fates: Sequence[Outcome],
        contested: Iterable[Province],
        agreement: Agreement,
        orders: Sequence[Order],
    ) -> None:
        self._board = board = alien_board()
        self._position = position
        self._state = State.of(position)
        self._agreement = agreement
        self._orders: Sequence[Any] = orders
        self._holder = {board.province(unit.at): unit for unit in units}
        moves = [(o, o.order, board.province(o.order.to)) for o in fates if isinstance(o.order, Move)]
        self._crossings = {
            (order.unit.power, board.province(order.unit.at), to)
            for one, order, to in moves
            if one.succeeded and order.crosses_border and not one.facts.convoyed
        }
        barred = frozenset(contested)
        self._standoffs = {(o.unit.power, to) for one, o, to in moves if one.result is Result.BOUNCES and to in barred}
        self._came_by_transmitter = {
            board.province(o.order.to) for o in fates if o.succeeded and isinstance(o.order, Transmit | Arrive)
        }
        self._arrived = {o.order.unit.power for o in fates if o.succeeded and isinstance(o.order, Arrive)}
        self._carriers = [o.order for o in fates if isinstance(o.order, Convoy) and o.succeeded]
        self.pieces = [Piece(unit) for unit in self._state.transmitters]
        self.brought: list[tuple[Piece, Unit]] = []

    def resolve(self, places: Sequence[int], replaced: set[int], failed: set[int]) -> Iterator[tuple[int, Outcome]]:
        """Settle everything; returns an outcome for each order of a transmitter, with its index.

        `failed` are orders that a transmitter served, but that did not succeed.
        """
        bearers = {place: self._bearer(place) for place in places if place not in replaced}
        for place, piece in bearers.items():
            if piece is not None and isinstance(self._orders[place], Move):
                self._move(piece, self._orders[place])
        for piece in self.pieces:
            piece.destroyer = destroyer(self._board, self._holder, self._came_by_transmitter, piece.after)
        counts: Counter[Power] = Counter()
        for place in places:
            order, bearer = self._orders[place], bearers.get(place)
            if place in replaced:
                yield place, Outcome(order, Result.VOID, None, Facts(Why.REPLACED))
            elif bearer is None:
                yield place, Outcome(order, Result.ILLEGAL, None, Facts(Why.NO_SUCH_UNIT))
            elif self._agreement.served.get(place) in failed:
                yield place, self._fate(bearer, order, Result.VOID, IN_VAIN)
            else:
                yield place, self._outcome(place, bearer, order, counts)

    def unordered(self) -> Iterator[Outcome]:
        """An outcome for each transmitter without an order."""
        for piece in self.pieces:
            if piece.place is None:
                yield self._fate(piece, Hold(piece.unit), Result.SUCCEEDS)

    def of_convoy(self, order: Any, outcome: Outcome) -> Outcome:
        """The outcome of a fleet that was to convoy a transmitter; for the judge it held."""
        if outcome.dislodged_by is not None:
            return outcome._replace(result=Result.DISRUPTED)
        for piece in self.pieces:
            own = self._orders[piece.place] if piece.place is not None else None
            if piece.unit == order.convoyed and isinstance(own, Move) and own.to == order.to:
                return outcome
        return outcome._replace(result=Result.VOID, facts=Facts(Why.ORDERED_OTHERWISE))

    def state_after(self) -> State:
        """The remaining transmitters, and where they are spared until the next season's end (AL-9)."""
        left = [piece.after for piece in self.pieces if piece.destroyer is None]
        pieces = (*left, *(new for _, new in self.brought))
        spared = frozenset(
            province
            for province in self._came_by_transmitter
            if any(province_of(p) == province and p.power != self._holder[province].power for p in pieces)
        )
        waiting = None if self._state.waiting is None else self._state.waiting - self._arrived
        return replace(self._state.with_transmitters(pieces), spared=spared, waiting=waiting)

    def events(self) -> tuple[Event, ...]:
        """The events of destruction."""
        return destructions((p.after, p.destroyer) for p in self.pieces if p.destroyer is not None)

    # Steps

    def _bearer(self, place: int) -> Piece | None:
        """The transmitter that an order is for: of equal ones, the first without an order."""
        unit = self._orders[place].unit
        piece = next((piece for piece in self.pieces if piece.unit == unit and piece.place is None), None)
        if piece is not None:
            piece.place = place
        return piece

    def _move(self, piece: Piece, order: Move[Unit]) -> None:
        """Move it, unless another race's unit ends the season there, swaps places with it, or bounced there (AL-8)."""
        board, here, target = self._board, self._board.province(piece.at), self._board.province(order.to)
        walks = board.may_step(piece.unit.kind, piece.at, order.to) and not order.via_convoy
        holder = self._holder.get(target)
        if not walks and not self._is_chain(self._carriers, piece, order):
            ordered = [o for o in self._orders if isinstance(o, Convoy) and o.convoyed == piece.unit]
            piece.result = Result.DISRUPTED if ordered else Result.NO_CONVOY
            lost = CONVOY_LOST if self._is_chain(ordered, piece, order) else GAP
            piece.failure = {"fault": lost if ordered else NO_FLEET}
        elif holder is not None and holder.power != piece.unit.power:
            piece.result, piece.failure = Result.BOUNCES, {"fault": OCCUPIED, "by": str(holder)}
        elif walks and any(who != piece.unit.power and way == [target, here] for who, *way in self._crossings):
            piece.result, piece.failure = Result.BOUNCES, {"fault": CROSSED}
        elif any(place == target and power != piece.unit.power for power, place in self._standoffs):
            piece.result, piece.failure = Result.BOUNCES, {"fault": STANDOFF}
        else:
            piece.at = Location(target)

    def _is_chain(self, convoys: Iterable[Any], piece: Piece, order: Move[Unit]) -> bool:
        """Whether these orders make a route for the transmitter's move."""
        fleets = tuple(o.unit.at for o in convoys if o.convoyed == piece.unit and o.to == order.to)
        return may_be_convoyed(self._board, fleets, self._board.province(piece.at), self._board.province(order.to))

    def _outcome(self, place: int, piece: Piece, order: Any, counts: Counter[Power]) -> Outcome:
        match order:
            case Move() if piece.failure:
                return self._fate(piece, order, piece.result, NOT_MOVED, piece.failure)
            case Bring():
                fault = self._fault_of_new(piece, counts)
                if fault:
                    return self._fate(piece, order, Result.VOID, NO_NEW, fault)
                self.brought.append((piece, order.arriving))
                counts[piece.unit.power] += 1
            case Send() | Receive() if place not in self._agreement.served:
                lacking = self._agreement.lacking[place]
                return self._fate(piece, order, Result.VOID, UNANSWERED, {"lacking": lacking})
        return self._fate(piece, order, Result.SUCCEEDS)

    def _fault_of_new(self, piece: Piece, counts: Counter[Power]) -> Mapping[str, str]:
        """Why no transmitter can arrive by this one; empty if one can. It shares a space with the own unit only."""
        holder = self._holder.get(self._board.province(piece.after.at))
        if piece.destroyer is not None:
            return {"fault": RECEIVER_DESTROYED}
        if holder is not None and holder.power != piece.unit.power:
            return {"fault": OCCUPIED, "by": str(holder)}
        if counts[piece.unit.power] >= supply.transmitters_to_come(self._position, piece.unit.power):
            return {"fault": NO_MORE}
        return {}

    def _fate(
        self, piece: Piece, order: Order, result: Result, why: str = Why.PLAIN, facts: Mapping[str, Any] = NO_FACTS
    ) -> Outcome:
        """The outcome, with the destruction of the transmitter if it was destroyed."""
        if piece.destroyer is None:
            return Outcome(order, result, None, Facts(why, own=facts))
        end = {"destroyed": str(piece.after), "destroyer": str(piece.destroyer)}
        why = DESTROYED if why is Why.PLAIN else why
        return Outcome(order, Result.DESTROYED, None, Facts(why, own={**facts, **end}))


# Destruction


def destroyer(board: AlienBoard, holder: dict[Province, Unit], spared: Iterable[Province], piece: Unit) -> Unit | None:
    """The unit of another race that ends the season in the transmitter's space, unless it came there by transmitter."""
    province = board.province(piece.at)
    unit = holder.get(province)
    return unit if unit is not None and unit.power != piece.power and province not in spared else None


def destructions(losses: Iterable[tuple[Unit, Unit]]) -> tuple[Event, ...]:
    """The event of each space in which transmitters were destroyed."""
    return tuple(
        Event(DESTROYED, {"transmitter": str(piece), "by": str(by), "count": count})
        for (piece, by), count in Counter(losses).items()
    )
