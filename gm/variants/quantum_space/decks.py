"""A movement phase with army/fleets: which armies board, which land, and which are aboard afterwards (QS-13).

For the judge an army/fleet is one unit that moves like a fleet. An army that lands is, during the phase, a unit of its
own on the deck of its fleet: a space without neighbours that only it occupies, so that its landing crosses no border
and does not depend on its fleet. Armies still on deck afterwards are aboard again, wherever the fleet is then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.board import Location, UnitKind
from gm.judge import Rulebook
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Facts, Outcome, Resolution, Result, Why
from gm.orders import Convoy, Declaration, Move, Order, Support
from gm.orders.notation import PRIVATE
from gm.position import Dislodged, Unit
from gm.variants.quantum_space.army_fleets import Embark, Land, landing_places, may_embark
from gm.variants.quantum_space.space import QuantumBoard
from gm.variants.quantum_space.state import ARMY_FLEET

DECK = f"{PRIVATE}deck"

NO_BOARDING, NO_LANDING = "no boarding", "no landing"
"""The reasons of an order to board or to land that is impossible; its `fault` is one of the following."""

NO_SUCH_UNIT, NOT_BELOW, CARRIES_ALREADY = "no such unit", "not below its fleet", "carries an army already"
NONE_ABOARD, TOO_FAR = "no army aboard", "too far"

CARRIES_ARMY, ASHORE, ARMY_FIRST = "carries an army", "ashore", "army first"
"""The reasons of a convoy that is impossible, a landing without opposition, and a removal that is impossible."""

OWN_LANDING = "own landing"
"""The reason of a ship's support for the landing of the army that it carries."""


class DeckBoard(QuantumBoard):
    """The board with a deck for every place where a fleet can be."""

    def __init__(self, board: QuantumBoard) -> None:
        super().__init__(board.planets, board.digits)

    def exists(self, at: Location) -> bool:
        return super().exists(Location(at.removesuffix(DECK)))

    def full_name(self, at: Location) -> str:
        return super().full_name(Location(at.removesuffix(DECK)))


def deck(unit: Unit) -> Unit:
    """The army aboard, `A OO`, as a unit on deck."""
    return replace(unit, at=Location(unit.at + DECK))


class FromShip(Land[Unit]):
    """A landing in the form for the judge: from the deck, but coming from the space of the ship (QS-13e)."""

    @property
    def comes_from(self) -> Location:
        return aboard(self.unit).at


def aboard(unit: Unit) -> Unit:
    """A unit as players name it, on deck or not."""
    return replace(unit, at=Location(unit.at.removesuffix(DECK))) if unit.at.endswith(DECK) else unit


class Decks:
    """A movement phase with army/fleets (QS-13): boarding comes before it, landings are separate moves.

    Lists are by the index of an order.
    """

    def __init__(self, board: QuantumBoard, units: Sequence[Unit], orders: Sequence[Order]) -> None:
        self.board = board
        self.given = orders
        self.orders = list(orders)
        self.before = frozenset(units)
        self.units = set(units)
        self.settled: dict[int, Outcome] = {}
        """The outcomes of orders that the judge does not get."""
        self.carrying: set[int] = set()
        """Convoy orders of fleets that have an army aboard."""
        self.landing: dict[Unit, Unit] = {}
        """The army/fleets whose army lands, each with the army on deck."""
        self._last = self._last_orders()
        self._board_fleets()
        self._land()

    def resolve(self, rulebook: Rulebook) -> Resolution:
        """Adjudicate the phase."""
        units = tuple(sorted(self.units, key=lambda unit: (unit.power, unit.at, unit.kind)))
        judged = [place for place in range(len(self.orders)) if place not in self.settled]
        found = resolve_movement(DeckBoard(self.board), rulebook, units, [self.orders[place] for place in judged])
        return self._conclude(found, judged)

    def _last_orders(self) -> dict[Unit, int]:
        """The order that counts for each unit, for boarding and landing (ST-7)."""
        last: dict[Unit, int] = {}
        for place, order in enumerate(self.given):
            if isinstance(order, Declaration) or (isinstance(order, Embark) and self._why_no_boarding(order)):
                continue
            last[order.unit] = place
        return last

    def _why_no_boarding(self, order: Embark[Unit]) -> str:
        if not {order.unit, order.fleet} <= self.before:
            return NO_SUCH_UNIT
        return "" if may_embark(order) else NOT_BELOW

    # ---- boarding

    def _board_fleets(self) -> None:
        ships: dict[Unit, Unit] = {}
        for place, order in enumerate(self.given):
            if isinstance(order, Embark):
                self.settled[place] = self._boarding(place, order, ships)
        succeeded = (one.order for one in self.settled.values() if one.result is Result.SUCCEEDS)
        boarded = {order.unit for order in succeeded if isinstance(order, Embark)}
        for place, order in enumerate(self.given):
            if place in self.settled or isinstance(order, Declaration):
                continue
            if order.unit in boarded:
                self.settled[place] = Outcome(order, Result.VOID, None, Facts(Why.REPLACED))
            elif order.unit in ships:
                if isinstance(order, Convoy):
                    self.carrying.add(place)
                self.orders[place] = replace(order, unit=ships[order.unit])

    def _boarding(self, place: int, order: Embark[Unit], ships: dict[Unit, Unit]) -> Outcome:
        """An army boards, unless another order replaces this one or the fleet already has an army (QS-13a)."""
        fault = self._why_no_boarding(order)
        if not fault and order.fleet in ships:
            fault = CARRIES_ALREADY
        if fault:
            return Outcome(order, Result.ILLEGAL, None, Facts(NO_BOARDING, own={"fault": fault}))
        if self._last[order.unit] != place:
            return Outcome(order, Result.VOID, None, Facts(Why.REPLACED))
        ship = replace(order.fleet, kind=ARMY_FLEET)
        ships[order.fleet] = ship
        self.units -= {order.unit, order.fleet}
        self.units.add(ship)
        return Outcome(order, Result.SUCCEEDS)

    # ---- landing

    def _land(self) -> None:
        goals = self._goals()
        for place, order in enumerate(self.orders):
            if isinstance(order, Support) and place not in self.settled:
                self._support(place, order)
            if not isinstance(order, Land) or place in self.settled:
                continue
            ship = replace(order.unit, kind=ARMY_FLEET)
            fault = self._why_no_landing(ship, order.to, goals.get(ship))
            if fault:
                self.settled[place] = Outcome(order, Result.ILLEGAL, None, Facts(NO_LANDING, own={"fault": fault}))
                continue
            self.orders[place] = FromShip(deck(order.unit), order.to, order.via_convoy, order.route)
            self.landing[ship] = deck(order.unit)
        self.units |= set(self.landing.values())

    def _support(self, place: int, order: Support[Unit]) -> None:
        """A landing is supported on deck; but not by the ship of the army that lands, because the two are one unit
        (QS-13f).
        """
        army = order.supported
        if order.to is None or army.kind is not UnitKind.ARMY or replace(army, kind=ARMY_FLEET) not in self.units:
            return
        if order.unit == replace(army, kind=ARMY_FLEET):
            self.settled[place] = Outcome(self.given[place], Result.ILLEGAL, None, Facts(OWN_LANDING))
        self.orders[place] = replace(order, supported=deck(army))

    def _goals(self) -> dict[Unit, Location]:
        """Where each army/fleet is ordered to be: its last possible move, unless another order follows it."""
        goals: dict[Unit, Location] = {}
        for order in self.orders:
            if isinstance(order, Declaration) or order.unit.kind is not ARMY_FLEET:
                continue
            if not isinstance(order, Move):
                goals.pop(order.unit, None)
            elif self.board.may_step(order.unit.kind, order.unit.at, order.to):
                goals[order.unit] = order.to
        return goals

    def _why_no_landing(self, ship: Unit, to: Location, goal: Location | None) -> str:
        if ship not in self.units:
            return NONE_ABOARD
        if to in landing_places(ship.at) or (goal is not None and to in landing_places(goal)):
            return ""
        return TOO_FAR

    # ---- afterwards

    def _conclude(self, found: Resolution, judged: Sequence[int]) -> Resolution:
        """The judge's resolution with armies on deck aboard again, and every order in its original form."""
        own, others = found.outcomes[: len(judged)], found.outcomes[len(judged) :]
        outcome_at = self.settled | {place: self._told(place, one) for place, one in zip(judged, own, strict=True)}
        standing = set(found.units)
        unloaded = {ship for ship, army in self.landing.items() if army not in standing}
        moves = (one.order for one in own if one.succeeded and isinstance(one.order, Move))
        arrived = {move.unit: move.to for move in moves}
        empty = {replace(ship, at=arrived.get(ship, ship.at)) for ship in unloaded}
        return found._replace(
            outcomes=(*(outcome_at[place] for place in range(len(self.given))), *others),
            units=tuple(
                replace(unit, kind=UnitKind.FLEET) if unit in empty else unit
                for unit in found.units
                if not unit.at.endswith(DECK)
            ),
            dislodged=tuple(_dislodged(one, unloaded) for one in found.dislodged),
        )

    def _told(self, place: int, outcome: Outcome) -> Outcome:
        """The outcome with the order in its original form."""
        facts, by = outcome.facts, outcome.dislodged_by
        if outcome.result is Result.ILLEGAL and place in self.carrying:
            facts = facts._replace(why=CARRIES_ARMY)
        elif isinstance(outcome.order, Land) and outcome.succeeded and not facts.against:
            facts = facts._replace(why=ASHORE)
        by = aboard(by) if by is not None else None
        return outcome._replace(order=self.given[place], facts=facts, dislodged_by=by)


def _dislodged(found: Dislodged, unloaded: set[Unit]) -> Dislodged:
    """A dislodged unit without the army that landed, and its attacker's origin as a space of the board."""
    unit = replace(found.unit, kind=UnitKind.FLEET) if found.unit in unloaded else found.unit
    return replace(found, unit=unit, origin=type(found.origin)(found.origin.removesuffix(DECK)))
