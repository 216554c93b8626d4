"""The outcome of each order: a result and the facts that explain it.

Reports, receipts and `gm adjudicate` all speak through these values; `gm.reports.explain` puts them into words. They
are named tuples because a full board makes some thirty of each in a fraction of a millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from gm.board import Province
from gm.orders import Order
from gm.position import Dislodged, Unit


class Result(StrEnum):
    """What became of an order, in the documented words of `gm adjudicate`."""

    SUCCEEDS = "succeeds"
    """The order did what it says; a held unit stayed; a convoying fleet was not dislodged."""
    BOUNCES = "bounces"
    """A move that met as much strength as it had, or more."""
    CUT = "cut"
    """A support that was cut by an attack or by dislodgement."""
    VOID = "void"
    """A possible order that came to nothing: the other unit was ordered otherwise."""
    NO_CONVOY = "no convoy"
    """A move by sea for which there was no convoy."""
    DISRUPTED = "disrupted"
    """A move whose convoy was lost, and the order of a fleet dislodged from it."""
    DISLODGED = "dislodged"
    """A unit that held and was driven out."""
    DISBANDED = "disbanded"
    """A retreat to a province to which another unit retreated, or a retreat nobody ordered."""
    DESTROYED = "destroyed"
    """The order of what cannot retreat and was taken off the board by another power's unit."""
    ILLEGAL = "illegal"
    """An order that could never succeed; the unit held (or disbanded, in a retreat phase)."""


class Why(StrEnum):
    """The reason behind a result, where the result alone does not say it."""

    PLAIN = "plain"
    HEAD_TO_HEAD = "head to head"
    OWN_UNIT = "own unit"
    """The move could only have dislodged a unit of its own power, which the rulebook forbids."""
    OWN_SUPPORT = "own support"
    """Supports did not count, for the unit in the target was of the supporters' own power."""
    NO_ROOM = "no room"
    """The space that several units share would have held too many."""
    ATTACKED = "attacked"
    DRIVEN_OUT = "driven out"
    ORDERED_OTHERWISE = "ordered otherwise"
    NEEDLESS = "needless"
    """A convoy order of a fleet that no route needs."""
    NOBODY_CONVOYS = "nobody convoys"
    FLEETS_LOST = "fleets lost"
    PARADOX = "paradox"
    UNDECIDED = "undecided"
    """Attacks on units of the own power decide each other, and the rules do not say how (self-dislodgement)."""
    REPLACED = "replaced"
    """A later order for the same unit counts (ST-7)."""
    SURPLUS = "surplus"
    """More builds or removals than are due; the first given count (ST-7)."""
    NO_SUCH_UNIT = "no such unit"
    CANNOT_REACH = "cannot reach"
    WRONG_PHASE = "wrong phase"
    NOT_A_SITE = "not a site"
    COLLIDED = "collided"
    UNORDERED = "unordered"


class Opponent(NamedTuple):
    """A unit that stood in the way, and with what strength."""

    unit: Unit
    strength: int


class Loss(NamedTuple):
    """A unit that was dislodged: by whom, and the strengths of attack and defence."""

    unit: Unit
    by: Unit
    attack: int
    defence: int


class Facts(NamedTuple):
    """What explains an outcome. Everything that does not apply is left at its default."""

    why: Why = Why.PLAIN
    strength: int = 0
    """The strength with which the unit attacked, or held against its dislodger."""
    against: tuple[Opponent, ...] = ()
    """Who stood against it, strongest first; for a dislodged unit, its dislodger."""
    by: Unit | None = None
    """Who cut the support, or whom a retreating unit collided with."""
    convoyed: bool = False
    """The move went, or would have gone, by convoy."""
    lost: tuple[Loss, ...] = ()
    """Fleets whose loss broke the convoy."""
    uncounted: tuple[Unit, ...] = ()
    """Units whose support did not count against a unit of their own power."""
    dislodged: Loss | None = None
    """How the unit itself was dislodged."""
    said: str = ""
    """A variant's own words for what only its rules bring about, without a full stop; they stand for the judge's."""


NOTHING_TO_ADD = Facts()


class Outcome(NamedTuple):
    """One order's fate. `dislodged_by` is set when its unit was dislodged, whatever became of the order."""

    order: Order
    result: Result
    dislodged_by: Unit | None = None
    facts: Facts = NOTHING_TO_ADD

    @property
    def succeeded(self) -> bool:
        """Whether the order did what it says."""
        return self.result is Result.SUCCEEDS


class Resolution(NamedTuple):
    """A phase resolved. `outcomes`: one for each order in the order given, then one for each unit without an order.

    `dislodged` are the units that must retreat next (after a movement phase); `contested` the vacant provinces where
    units bounced, to which nobody may retreat. `units` are those on the board, the dislodged not among them.
    A variant's own adjudication may set `extra`, what the position holds besides from now on, and tell `news`.
    """

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[Province] = frozenset()
    extra: Mapping[str, Any] | None = None
    news: tuple[str, ...] = ()
