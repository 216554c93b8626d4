"""A power's orders in force as shown in receipts, reminders and STATUS; and orders written out in full words.

Receipts and forms use the short notation (`gm.orders.notation`), which players type; results use full names, in the
style of other judges (`Army Bohemia -> Silesia`), so that no code has to be looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from gm.board import FiniteBoard, Location, Power, Terrain
from gm.orders import Build, Convoy, Declaration, Disband, Move, Order, Retreat, Support, UnitName
from gm.orders.notation import Spelt, write, write_unit
from gm.orders.possible import Duty
from gm.position import PhaseKind, Unit
from gm.reports import counted
from gm.reports.reader import BY_READY, UNTIMED, Form, GameFacts, Offer, Reader, by_ready, form, offered
from gm.views import View

Row = tuple[str, str]
"""A unit or order in short notation, and in full words."""


def by_unit(units: Sequence[Unit]) -> Callable[[Order], int]:
    """A key that sorts orders in the order of their units in the list; orders for other units stay last, in their
    order.
    """
    places = {unit: place for place, unit in enumerate(units)}
    return lambda order: len(places) if isinstance(order, Declaration) else places.get(order.unit, len(places))


@dataclass(frozen=True, slots=True)
class Longhand:
    """Writes orders for one board and one kind of phase; `adjectives` are the powers' (`Austrian`)."""

    board: FiniteBoard
    adjectives: Mapping[Power, str]
    phase: PhaseKind

    def place(self, at: Location) -> str:
        """`St Petersburg (south coast)`."""
        return self.board.full_name(at)

    def placed(self, at: Location) -> str:
        """A place after a preposition: `Vienna`, `the North Sea`."""
        at_sea = self.board.terrain(self.board.province(at)) is Terrain.SEA
        return f"the {self.place(at)}" if at_sea else self.place(at)

    def unit(self, unit: Unit | UnitName) -> str:
        """`Fleet St Petersburg (south coast)`."""
        assert isinstance(unit, Unit)
        return f"{unit.kind.word.capitalize()} {self.place(unit.at)}"

    def adjective(self, power: Power) -> str:
        """`Austrian`, or `Austria's`."""
        return self.adjectives.get(power) or f"{power}'s"

    def foreign(self, unit: Unit, reader: Power) -> str:
        """A unit, with its power if that is not the reader's: `Austrian Army Vienna`."""
        return self.unit(unit) if unit.power == reader else f"{self.adjective(unit.power)} {self.unit(unit)}"

    def verb(self, brief: str, full: str) -> str:  # noqa: ARG002 (the pen of gm.orders.notation writes `brief`)
        """The word for what is done, in full."""
        return full

    def order(self, order: Order) -> str:
        """`Army Vienna SUPPORT Russian Army Warsaw -> Galicia`."""
        match order:
            case Spelt():
                return order.spell(self)
            case Declaration():  # a declaration that is not a variant's own
                return "Build waived"
            case Build():
                return f"Build {self.unit(order.unit)}"
            case Disband() if self.phase is PhaseKind.ADJUSTMENT:
                return f"Remove {self.unit(order.unit)}"
        return f"{self.unit(order.unit)} {self._done(order)}"

    def _done(self, order: Order) -> str:
        """What an order makes its unit do."""
        match order:
            case Disband():
                return "DISBAND"
            case Move():
                said = " via convoy" if order.via_convoy and not order.route else ""
                return " ".join(f"-> {self.place(at)}" for at in (*order.route, order.to)) + said
            case Support():
                target = f" -> {self.place(order.to)}" if order.to is not None else ""
                return f"SUPPORT {self.foreign(order.supported, order.unit.power)}{target}"
            case Convoy():
                return f"CONVOY {self.foreign(order.convoyed, order.unit.power)} -> {self.place(order.to)}"
            case Retreat():
                return f"-> {self.place(order.to)}"
        return "HOLD"


_COMPLETE = "Your orders are complete."
_SAID = (
    "You said READY: when {who} have said it, the phase is adjudicated at once. You may change your orders until then;"
)
_EARLY = {
    False: {
        "orders": f"{_COMPLETE} The phase is adjudicated as soon as all orders are in; you may change yours until "
        "then. To wait for the deadline, reply WAIT.",
        **by_ready(f"{_SAID} to wait for the deadline, reply WAIT."),
    },
    True: by_ready(
        f"{_COMPLETE} You can change them until the deadline. If they are final, reply READY: when {{who}} have said "
        "it, the phase is adjudicated at once."
    ),
}
"""What is said of complete orders, by whether their seat waits and by when phases end early."""
_EARLY_UNTIMED = {
    False: {
        "orders": "The phase is adjudicated as soon as all orders are in; you may change yours until then. "
        "To prevent that for now, reply WAIT.",
        **by_ready(f"{_SAID} to take READY back, reply WAIT."),
    },
    True: by_ready(
        "If they are final, reply READY: when {who} have said it, the phase is adjudicated at once. There is no "
        "deadline; you can change them until then."
    ),
}
"""The same in a game without deadlines."""
SAY_READY = ("READY", "my orders are final")


def say_wait(*, timed: bool) -> tuple[str, str]:
    """The button for WAIT, in a phase with or without a deadline."""
    return "WAIT", "not before the deadline" if timed else "not yet"


_DRAWN = "if you send nothing at all, orders are drawn at random"


@dataclass(frozen=True)
class StandingOrders:
    """The orders in force for the reader's power, and what is still missing for `view.position`.

    Raises ValueError for a reader without a power.
    """

    game: GameFacts
    reader: Reader
    view: View
    orders: tuple[Order, ...]
    number: int = 0
    """The number of the set within its phase, from 1; 0 when none was sent."""
    deadline: datetime | None = None
    warnings: tuple[str, ...] = ()
    """Sentences about orders that are legal but odd."""
    early: str = "no"
    """When the phase is adjudicated before its deadline, as the game's option says: `ready`, `orders` or `no`."""
    wait: bool = False
    """The phase waits for the deadline because of the reader, who asked for it or has not said READY."""
    all_in: bool = False
    """All orders are complete without a WAIT, so the phase is adjudicated now."""
    ready: bool = False
    """The orders count as complete, whatever is missing: the reader said READY."""
    drawn: bool = False
    """If the power sends nothing at all, its orders are drawn at random."""
    closed: bool = False
    """The orders are closed, and can no longer be changed."""
    paused: bool = False
    """The game is paused, so that there is no deadline to wait for."""
    due_said: bool = False
    """The mail says above when the deadline is."""

    def __post_init__(self) -> None:
        if self.reader.power is None:
            raise ValueError("only a power has orders")

    @property
    def phase(self) -> str:
        """The phase that the orders are for: `F1901M`."""
        return self.view.position.phase.code

    @cached_property
    def state(self) -> str:
        """How complete the orders are: `2 units without an order`."""
        duty = self._duty
        unnamed, unordered = duty.unnamed(self.orders), len(self._unordered)
        if self.ready and not self.wait and not duty.met_by(self.orders):
            return "orders complete (READY)"
        if self.awaited:
            return "no orders sent" if self.closed else "no orders yet"
        if unnamed and (self.orders or duty.need.count > 0):
            return f"{counted(unnamed, duty.need.what, digits=True)} not ordered"
        if unordered:
            return f"{counted(unordered, 'unit', digits=True)} without an order"
        return "orders complete" if self.orders else "nothing has to be ordered"

    @property
    def lacking(self) -> str:
        """The same, with how many units wait for an order where nothing was sent."""
        unordered = len(self._unordered)
        return (
            f"{counted(unordered, 'unit', digits=True)} without an order" if unordered and self.awaited else self.state
        )

    @property
    def heading(self) -> str:
        """`Orders of France for S1901M (set #4)`."""
        if self.awaited:
            return f"No orders of {self.reader.power} for {self.phase}{'' if self.closed else ' yet'}"
        if not self.orders:
            if not self.ready and self._duty.unnamed(()):
                return f"No {self._duty.need.what}s of {self.reader.power} for {self.phase} yet"
            why = "you said READY" if self.ready else "none is required"
            return f"No orders of {self.reader.power} for {self.phase}: {why}"
        return f"Orders of {self.reader.power} for {self.phase}" + (f" (set #{self.number})" if self.number else "")

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The orders, sorted as their units are in the position."""
        ordered = sorted(self.orders, key=by_unit(self._duty.units))
        return tuple((write(order), self._words.order(order)) for order in ordered)

    @cached_property
    def missing_heading(self) -> str:
        """What happens without the missing orders; "" when none is missing."""
        duty, kind = self._duty, self.view.position.phase.kind
        unnamed = duty.unnamed(self.orders)
        drawn = self.drawn and not (self.orders or self.ready)
        if drawn and self.closed and (unnamed or duty.offer or duty.unordered(())):
            return "You sent no orders, so they are drawn at random."
        if unnamed:
            much = counted(unnamed, duty.need.what).capitalize()
            fate = "builds without an order are waived" if duty.need.count > 0 else "if you do not choose, the rules do"
            return f"{much} not ordered yet; {_DRAWN if drawn else fate}."
        if not self._unordered:
            return f"You have ordered nothing; {_DRAWN}." if drawn and duty.offer else ""
        usual = "disbanded" if kind is PhaseKind.RETREAT else "holding"
        fate = self.view.fates[kind].unit if kind in self.view.fates else usual
        if drawn:
            return f"Without an order. {_DRAWN.capitalize()}; with some sent, or READY, a unit without one is {fate}:"
        return f"Without an order, so {fate}:"

    @cached_property
    def missing(self) -> tuple[Row, ...]:
        """The units without an order."""
        return tuple((write_unit(unit), self._words.unit(unit)) for unit in self._unordered)

    @property
    def outlook(self) -> tuple[str, ...]:
        """What happens next: whether the orders are complete, whether the phase may close early, the deadline."""
        complete = self._complete
        if self.closed:
            due = self.reader.until(self.deadline) if self.game.reviewed and self.deadline is not None else ""
            closed = "Orders are closed: yours count as they are."
            return (closed, f"The results come {due}.") if due else (closed,)
        if self.all_in:
            yours = "Your orders are complete, and" if complete else "With your orders"
            return (f"{yours} nobody else is waited for: the phase is adjudicated now.",)
        if not self.game.timed and not self.paused:
            return (self._untimed,)
        said = [self._changeable] if complete else []
        if self.wait and self.early not in BY_READY and not self.paused:
            said.append("You asked to WAIT: the phase is not adjudicated before its deadline. (READY cancels that.)")
        if self.deadline is not None and not self.due_said:
            said.append(f"The deadline is {self.reader.until(self.deadline)}.")
        return tuple(said)

    @property
    def _changeable(self) -> str:
        """Until when complete orders can be changed, in a phase with a deadline."""
        if self.paused:
            return f"{_COMPLETE} The game is paused; you can still change them."
        return _EARLY[self.wait].get(self.early, f"{_COMPLETE} You can change them until the deadline.")

    @property
    def _untimed(self) -> str:
        """What happens next in a phase without a deadline."""
        if self.wait and self.early == "orders":
            return "You asked to WAIT: the phase is not adjudicated before you say READY, or the gamemaster decides."
        if self._complete:
            return f"{_COMPLETE} {_EARLY_UNTIMED[self.wait].get(self.early, UNTIMED[self.early])}"
        return UNTIMED[self.early]

    @property
    def offers(self) -> tuple[Offer, ...]:
        """READY or WAIT, where complete orders may end the phase early."""
        if self.early == "no" or not self._complete or self.closed or self.all_in or (self.paused and not self.wait):
            return ()
        return offered(
            self.reader,
            (SAY_READY if self.wait else say_wait(timed=self.game.timed),),
            f"[{self.game.name}] {self.phase}",
        )

    @cached_property
    def form(self) -> Form | None:
        """The form for what is missing; None when nothing is missing."""
        return None if self._complete or self.closed else form(self.game, self.reader, self.view, self.orders)

    @property
    def page(self) -> str:
        """The link to the page on which complete orders can be changed; "" where the form has it, or orders are
        closed.
        """
        link = self.reader.page
        return link(self.view) if link is not None and self.form is None and not self.closed else ""

    @cached_property
    def _duty(self) -> Duty:
        return self.view.duty_of(self.reader.power)

    @cached_property
    def _unordered(self) -> Sequence[Unit]:
        return self._duty.unordered(self.orders)

    @property
    def _complete(self) -> bool:
        return self.ready or self._duty.met_by(self.orders)

    @cached_property
    def awaited(self) -> bool:
        """Whether the reader has sent nothing, though something must be ordered, or would be drawn."""
        standing = len(self.view.position.units_of(self.reader.power)) if self.reader.power is not None else 0
        wanted = self._duty.compels(standing) or (self.drawn and self._duty.offer)
        return wanted and not (self.orders or self.ready)

    @cached_property
    def _words(self) -> Longhand:
        return Longhand(self.view.board, self.game.adjectives, self.view.position.phase.kind)
