"""Winter: removals, then arrivals (AL-4 to AL-6, AL-13). Ownership was counted at the end of Fall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from gm.board import FiniteBoard, Location, Power, Province, UnitKind
from gm.errors import Ambiguous
from gm.judge.outcomes import Facts, Outcome, Resolution, Result, Why
from gm.orders import Disband, Order, Waive, legality
from gm.orders.notation import write_unit
from gm.position import Position, Unit
from gm.variants.the_aliens import supply
from gm.variants.the_aliens.language import Receiving
from gm.variants.the_aliens.orders import Bring, Receive, Reserve
from gm.variants.the_aliens.state import SAYS, TRANSMITTER, State, alien_board, coast_for_fleet, is_home, province_of

# Removals


def understand_removal(board: FiniteBoard, position: Position, power: Power, order: Disband[Any]) -> Disband[Unit]:
    """`REMOVE A SPA`, `REMOVE T SPA`. Raises IllegalOrder for what need not, or may not, be removed."""
    here = board.province(order.unit.at)
    pieces = State.of(position).transmitters_in(here, power)
    stands = any(board.province(unit.at) == here for unit in position.units_of(power))
    if order.unit.kind is TRANSMITTER or (order.unit.kind is None and pieces and not stands):
        if not pieces:
            raise SAYS.refusal("none there", at=here)
        if not supply.surplus_transmitters(position, power):
            raise SAYS.refusal(
                "transmitters allowed", number=supply.transmitters_allowed(position, power), piece=pieces[0]
            )
        return Disband(pieces[0])
    unit = legality.own_unit(board, position.units, power, order.unit)
    may_go = supply.leaving(board, position, power).all
    if not may_go:
        own = State.of(position).transmitters_of(power) if supply.surplus_transmitters(position, power) else ()
        kind, number = "but transmitters" if own else "units allowed", supply.units_allowed(position, power)
        raise SAYS.refusal(kind, unit=unit, number=number, pieces=own[:1])
    if unit not in may_go:
        raise SAYS.refusal("nearest first", unit=unit, may_go=may_go)
    return Disband(unit)


class Removals:
    """The removals of one Winter: what was removed, and an outcome for each order and each removal by default."""

    def __init__(self, board: FiniteBoard, position: Position) -> None:
        self.gone: Counter[Unit] = Counter()
        self._board = board
        self._position = position
        self._state = State.of(position)
        self._leaving = {race: supply.leaving(board, position, race) for race in self._state.races}
        self._chosen: Counter[Power] = Counter()
        self._given_up: Counter[Power] = Counter()

    def order(self, order: Disband[Unit]) -> Outcome:
        """Carry out a removal order; of more than are due the first given count."""
        unit, power = order.unit, order.unit.power
        if unit.kind is TRANSMITTER:
            there = self._state.transmitters.count(unit) > self.gone[unit]
            used, due = self._given_up, supply.surplus_transmitters(self._position, power)
        else:
            there = unit in self._leaving[power].all and not self.gone[unit]
            used, due = self._chosen, self._leaving[power].rest
        if not there:
            return Outcome(order, Result.ILLEGAL, None, Facts(Why.NO_SUCH_UNIT))
        if unit not in self._leaving[power].bound:
            if used[power] == due:
                return Outcome(order, Result.VOID, None, Facts(Why.SURPLUS))
            used[power] += 1
        self.gone[unit] += 1
        return Outcome(order, Result.SUCCEEDS)

    def by_default(self) -> Iterator[Outcome]:
        """The removals by default: the nearest units, then alphabetically."""
        for race, found in self._leaving.items():
            chosen = [unit for unit in found.choice if not self.gone[unit]][: found.rest - self._chosen[race]]
            units = [unit for unit in found.bound if not self.gone[unit]] + chosen
            left = (Counter(self._state.transmitters_of(race)) - self.gone).elements()
            surplus = supply.surplus_transmitters(self._position, race) - self._given_up[race]
            units += sorted(left, key=lambda piece: self._board.full_name(piece.at))[:surplus]
            self.gone.update(units)
            yield from (Outcome(Disband(unit), Result.DISBANDED, None, Facts(Why.BY_DEFAULT)) for unit in units)

    def units_left(self) -> tuple[Unit, ...]:
        """The units left on the board."""
        return tuple(unit for unit in self._position.units if not self.gone[unit])

    def transmitters_left(self) -> tuple[Unit, ...]:
        """The transmitters left on the board."""
        return tuple((Counter(self._state.transmitters) - self.gone).elements())


# Arrivals


NOT_ARRIVED = "not arrived"
"""The reason of an arrival that was void; its `fault` is one of the following, `by` the unit there or the other
races.
"""

NOT_FREE, NO_MORE, OCCUPIED, NONE_LEFT = "transmitter not free", "no more transmitters", "occupied", "none in reserve"
CONTESTED, SECOND = "contested", "second arrival"


# What is understood


def understand(board: FiniteBoard, position: Position, power: Power, order: Any) -> Order:
    """A Winter order as the race means it. Raises IllegalOrder, Ambiguous."""
    match order:
        case Bring():
            return _bring(board, position, power, order)
        case Receiving() if order.sent.kind is not None:  # T/R SPA F SPA(sc)
            return _bring(board, position, power, Bring(order.unit, order.sent))
        case Disband():
            return understand_removal(board, position, power, order)
        case Waive():
            return Reserve(power)
        case Receive() if is_home(order.origin):
            raise SAYS.refusal("says what arrives", at=order.unit.at)
    raise SAYS.refusal("only in winter")


def refuse_sent_transmitter(board: FiniteBoard, piece: Unit, order: Bring[Any]) -> None:
    """`T GRE (R) T KIE` may mean a unit from Kiel or a new transmitter, and is neither. Raises Ambiguous."""
    at = order.arriving.at
    if order.arriving.kind is TRANSMITTER and not is_home(at) and board.province(at) != province_of(piece):
        raise SAYS.refusal("not transmitted", Ambiguous, here=piece.at, there=at)


def _bring(board: FiniteBoard, position: Position, power: Power, order: Any) -> Bring[Unit]:
    here, kind = board.province(order.unit.at), order.arriving.kind
    pieces = State.of(position).transmitters_in(here, power)
    if not pieces:
        raise SAYS.refusal("nothing arrives there", at=here)
    piece = pieces[0]
    refuse_sent_transmitter(board, piece, order)
    if order.arriving.power not in (None, power):
        raise SAYS.refusal("own reserves", piece=piece, other=order.arriving.power)
    if kind is TRANSMITTER:
        if supply.transmitters_to_come(position, power) <= 0:
            raise SAYS.refusal("no more in winter")
        _refuse_if_held(position, here, power)
        return Bring(piece, Unit(power, TRANSMITTER, piece.at))
    at = Location(here) if is_home(order.arriving.at) else order.arriving.at
    if board.province(at) != here:
        raise SAYS.refusal("arrives there", at=here, kind=kind)
    if kind not in supply.kinds_to_come(position):
        raise SAYS.refusal("armies first in winter", kind=kind.word)
    if supply.units_to_come(position, power) <= 0:
        raise SAYS.refusal("none in reserve")
    _refuse_if_held(position, here)
    where = coast_for_fleet(board, at, f"{write_unit(piece)} (R) F ") if kind is UnitKind.FLEET else Location(here)
    return Bring(piece, Unit(power, kind, where))


def _refuse_if_held(position: Position, here: Province, beside: Power | None = None) -> None:
    """Raises IllegalOrder if a unit stands there that cannot be removed; a unit of `beside` is not in the way."""
    if not supply.may_be_vacant(position, Location(here), beside):
        holder = next(unit for unit in position.units if alien_board().province(unit.at) == here)
        raise SAYS.refusal("not vacant", at=here, holder=holder)


# Adjudication


def resolve_winter(board: FiniteBoard, position: Position, orders: Sequence[Order]) -> Resolution:
    """Removals, including those by default; then arrivals."""
    state, removals = State.of(position), Removals(board, position)
    outcomes = {place: removals.order(order) for place, order in enumerate(orders) if isinstance(order, Disband)}
    unordered = tuple(removals.by_default())
    arrivals = Arrivals(board, position, removals)
    outcomes |= dict(arrivals.resolve(orders))
    for place, order in enumerate(orders):
        if isinstance(order, Waive):
            outcomes[place] = Outcome(order, Result.SUCCEEDS)
        outcomes.setdefault(place, Outcome(order, Result.ILLEGAL, None, Facts(Why.WRONG_PHASE)))
    come = [o.arriving for place, o in enumerate(orders) if isinstance(o, Bring) and outcomes[place].succeeded]
    pieces = [unit for unit in come if unit.kind is TRANSMITTER]
    return Resolution(
        outcomes=(*(outcomes[place] for place in range(len(orders))), *unordered),
        units=(*removals.units_left(), *(unit for unit in come if unit.kind is not TRANSMITTER)),
        extra=state.with_transmitters((*removals.transmitters_left(), *pieces)).to_json(),
    )


class Arrivals:
    """The arrivals of one Winter: each by a transmitter that still exists, into a vacant space."""

    def __init__(self, board: FiniteBoard, position: Position, removals: Removals) -> None:
        self._board = board
        self._position = position
        self._occupied = {board.province(unit.at): unit for unit in removals.units_left()}
        self._handlers = Counter(removals.transmitters_left())
        self._ordered: Counter[tuple[Power, bool]] = Counter()
        """The number of units (False) and transmitters (True) that each race has ordered, as far as they count."""

    def resolve(self, orders: Sequence[Order]) -> Iterator[tuple[int, Outcome]]:
        """An outcome for each arrival, with its place. Of more than are allowed the first given count (ST-7)."""
        claims: dict[Province, list[tuple[int, Bring[Unit]]]] = {}
        for place, order in enumerate(orders):
            if not isinstance(order, Bring):
                continue
            fault = self._fault(order)
            if fault is not None:
                yield place, Outcome(order, Result.VOID, None, fault)
                continue
            self._handlers[order.unit] -= 1
            self._ordered[order.unit.power, order.arriving.kind is TRANSMITTER] += 1
            if order.arriving.kind is TRANSMITTER:
                yield place, Outcome(order, Result.SUCCEEDS)
            else:
                claims.setdefault(self._board.province(order.arriving.at), []).append((place, order))
        for claim in claims.values():
            yield from _settled(claim)

    def _fault(self, order: Bring[Unit]) -> Facts | None:
        """Why nothing can arrive by this order, whatever others do; None if something can."""
        new, power = order.arriving, order.unit.power
        if self._handlers[order.unit] <= 0:
            return _because(NOT_FREE)
        ordered = self._ordered[power, new.kind is TRANSMITTER]
        holder = self._occupied.get(self._board.province(new.at))
        if holder is not None and (new.kind is not TRANSMITTER or holder.power != power):
            return _because(OCCUPIED, str(holder))
        if new.kind is TRANSMITTER:
            return None if ordered < supply.transmitters_to_come(self._position, power) else _because(NO_MORE)
        return None if ordered < supply.units_to_come(self._position, power) else _because(NONE_LEFT)


def _settled(claim: Sequence[tuple[int, Bring[Unit]]]) -> Iterator[tuple[int, Outcome]]:
    """The arrivals ordered to one space: the first of a single race takes place; if several races order one, none does
    (AL-5).
    """
    races = {order.unit.power for _, order in claim}
    for number, (place, order) in enumerate(claim):
        others = sorted(races - {order.unit.power})
        if others:
            yield place, Outcome(order, Result.VOID, None, _because(CONTESTED, others))
        elif number:
            yield place, Outcome(order, Result.VOID, None, _because(SECOND))
        else:
            yield place, Outcome(order, Result.SUCCEEDS)


def _because(fault: str, by: str | list[Power] | None = None) -> Facts:
    return Facts(NOT_ARRIVED, own={"fault": fault} if by is None else {"fault": fault, "by": by})
