"""The outcome of each order: a result and the facts that explain it.

Reports, receipts and `gm adjudicate` all speak through these values; `gm.reports.explain` puts them into words. They
are named tuples because a full board makes some thirty of each in a fraction of a millisecond. No value holds a
sentence, so that what is stored of a game outlives every wording; their canonical JSON form stands below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from gm.board import Power, Province
from gm.orders import PLAIN, Language, Order, order_from_json, order_to_json
from gm.position import Dislodged, Kinds, Unit, parse_unit

NO_FACTS: Mapping[str, Any] = MappingProxyType({})


class Result(StrEnum):
    """The outcome of an order in a word, as documented by `gm adjudicate`."""

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
    NOT_VACANT = "not vacant"
    """The move could only enter a vacant space, and a unit stayed there."""
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

    why: str = Why.PLAIN
    """A `Why`; or the variant's own reason, where only its rules explain the outcome."""
    strength: int = 0
    """The strength with which the unit attacked, or held against its dislodger."""
    against: tuple[Opponent, ...] = ()
    """Who stood against it, strongest first; for a dislodged unit, its dislodger."""
    by: Unit | None = None
    """Who cut the support, whom a retreating unit collided with, or who stayed where a unit could not come."""
    convoyed: bool = False
    """The move went, or would have gone, by convoy."""
    lost: tuple[Loss, ...] = ()
    """Fleets whose loss broke the convoy."""
    uncounted: tuple[Unit, ...] = ()
    """Units whose support did not count against a unit of their own power."""
    dislodged: Loss | None = None
    """How the unit itself was dislodged."""
    own: Mapping[str, Any] = NO_FACTS
    """The facts of a variant's own reason, in JSON values (units as `Alpha T spa`, places as codes)."""

    @property
    def are_of_variant(self) -> bool:
        """Whether the reason is the variant's own, and only its words can say it."""
        return not isinstance(self.why, Why)


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


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened beside orders: `kind` and the facts as JSON values; the variant's words tell of it.

    `to`: whose powers alone may know; None for everybody.
    """

    kind: str
    facts: Mapping[str, Any] = field(default_factory=lambda: NO_FACTS)
    to: frozenset[Power] | None = None


class Resolution(NamedTuple):
    """A phase resolved. `outcomes`: one for each order in the order given, then one for each unit without an order.

    `dislodged` are the units that must retreat next (after a movement phase); `contested` the vacant provinces where
    units bounced, to which nobody may retreat. `units` are those on the board, the dislodged not among them.
    A variant's own adjudication may set `extra`, what the position holds besides from now on, and add `events`.
    """

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[Province] = frozenset()
    extra: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()


# As JSON


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """The JSON value of an outcome: its order, result and facts side by side; what is at its default is left out."""
    value: dict[str, Any] = {"order": order_to_json(outcome.order), "result": outcome.result.value}
    if outcome.dislodged_by is not None:
        value["dislodged_by"] = str(outcome.dislodged_by)
    if outcome.facts is not NOTHING_TO_ADD:
        pairs = zip(Facts._fields, outcome.facts, NOTHING_TO_ADD, strict=True)
        value |= {name: _plain(held) for name, held, default in pairs if held != default}
    return value


def outcome_from_json(value: Mapping[str, Any], language: Language = PLAIN) -> Outcome:
    """The inverse of `outcome_to_json`; `language` is that of the game.

    Raises KeyError, TypeError or ValueError for anything else.
    """
    readers = _readers(language.kinds)
    facts = {name: readers[name](held) for name, held in value.items() if name not in _BESIDE_FACTS}
    by = value.get("dislodged_by")
    return Outcome(
        order_from_json(value["order"], language),
        _RESULTS[value["result"]],
        None if by is None else parse_unit(by, language.kinds),
        Facts(**facts) if facts else NOTHING_TO_ADD,
    )


_BESIDE_FACTS = frozenset(("order", "result", "dislodged_by"))
_RESULTS: Mapping[str, Result] = {result.value: result for result in Result}
_WHYS: Mapping[str, Why] = {why.value: why for why in Why}


def _plain(held: Any) -> Any:
    """A fact as a JSON value: units as text, opponents and losses as lists in the order of their fields."""
    if isinstance(held, tuple):
        return [_plain(part) for part in held]
    return str(held) if isinstance(held, Unit | Why) else held


@cache
def _readers(kinds: Kinds) -> Mapping[str, Callable[[Any], Any]]:
    """How each of the facts is read, in a game of these kinds."""

    def unit(text: str) -> Unit:
        return parse_unit(text, kinds)

    def loss(value: tuple[str, str, int, int]) -> Loss:
        lost, by, attack, defence = value
        return Loss(unit(lost), unit(by), attack, defence)

    return {
        "why": lambda why: _WHYS.get(why, why),
        "strength": int,
        "against": lambda units: tuple(Opponent(unit(text), strength) for text, strength in units),
        "by": unit,
        "convoyed": bool,
        "lost": lambda losses: tuple(map(loss, losses)),
        "uncounted": lambda units: tuple(map(unit, units)),
        "dislodged": loss,
        "own": dict,
    }


def event_to_json(event: Event) -> dict[str, Any]:
    """The JSON value of an event; `to` is left out where everybody may know."""
    value = {"kind": event.kind, **({"facts": dict(event.facts)} if event.facts else {})}
    return value if event.to is None else value | {"to": sorted(event.to)}


def event_from_json(value: Mapping[str, Any]) -> Event:
    """The inverse of `event_to_json`. Raises KeyError or TypeError for anything else."""
    to = value.get("to")
    return Event(value["kind"], value.get("facts", NO_FACTS), None if to is None else frozenset(map(Power, to)))
