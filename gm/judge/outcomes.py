"""The outcome of each order: a result and the facts that explain it.

Reports, receipts and `gm adjudicate` all use these values; `gm.reports.explain` words them. They are named tuples
because about thirty of each must be made in a fraction of a millisecond for a full board. No value holds a sentence, so
that a stored game does not depend on the wording of any version. Their canonical JSON form is defined below.
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
    """The result of an order, as documented by `gm adjudicate`."""

    __hash__ = str.__hash__  # that of Enum is several times as slow

    SUCCEEDS = "succeeds"
    """The order was carried out: a holding unit stayed, a convoying fleet was not dislodged."""
    BOUNCES = "bounces"
    """A move that met as much strength as its own, or more."""
    CUT = "cut"
    """A support that was cut by an attack or by dislodgement."""
    VOID = "void"
    """A possible order without effect, because the other unit was ordered to do something else."""
    NO_CONVOY = "no convoy"
    """A move by sea without a convoy."""
    DISRUPTED = "disrupted"
    """A move whose convoy was disrupted, and the order of a fleet that was dislodged from the convoy."""
    DISLODGED = "dislodged"
    """A unit that held and was dislodged."""
    DISBANDED = "disbanded"
    """A retreat to a province to which another unit retreated, or a unit without a retreat order."""
    DESTROYED = "destroyed"
    """The order of a unit that could not retreat and was destroyed by another power's unit."""
    ILLEGAL = "illegal"
    """An order that could never succeed; the unit held (or was disbanded, in a retreat phase)."""


class Why(StrEnum):
    """The reason for a result, where the result alone does not say it."""

    __hash__ = str.__hash__

    PLAIN = "plain"
    HEAD_TO_HEAD = "head to head"
    OWN_UNIT = "own unit"
    """The move could only have dislodged a unit of its own power, which the rulebook forbids."""
    OWN_SUPPORT = "own support"
    """Supports did not count, because the unit in the target belonged to the supporters' own power."""
    NOT_VACANT = "not vacant"
    """The move could only enter a vacant space, and a unit stayed there."""
    NO_ROOM = "no room"
    """The space for several units would have held too many."""
    ATTACKED = "attacked"
    DRIVEN_OUT = "driven out"
    ORDERED_OTHERWISE = "ordered otherwise"
    NEEDLESS = "needless"
    """A convoy order of a fleet that no route needs."""
    NO_CONVOY = "nobody convoys"
    GAP = "gap in the chain"
    """The fleets that were ordered to carry the army make no whole route; also the reason of their own orders."""
    FLEETS_LOST = "fleets lost"
    PARADOX = "paradox"
    UNDECIDED = "undecided"
    """Attacks on units of the own power depend on each other, and the rules do not decide them (self-dislodgement)."""
    REPLACED = "replaced"
    """A later order for the same unit counts instead (ST-7)."""
    SURPLUS = "surplus"
    """More builds or removals than are due; the first given count (ST-7)."""
    NO_SUCH_UNIT = "no such unit"
    CANNOT_REACH = "cannot reach"
    WRONG_PHASE = "wrong phase"
    NOT_A_SITE = "not a site"
    COLLIDED = "collided"
    UNORDERED = "unordered"
    BY_DEFAULT = "by default"
    """A removal without an order, of a unit that the rules choose (ST-6)."""


UNASKED = frozenset({Why.UNORDERED, Why.BY_DEFAULT})
"""The reasons of what was not ordered."""


class Opponent(NamedTuple):
    """A unit that opposed the move, and with what strength."""

    unit: Unit
    strength: int


class Loss(NamedTuple):
    """A unit that was dislodged: by which unit, and the strengths of attack and defence."""

    unit: Unit
    by: Unit
    attack: int
    defence: int


class Facts(NamedTuple):
    """The facts that explain an outcome; those that do not apply have their default value."""

    why: str = Why.PLAIN
    """A `Why`; or the variant's own reason, if only its rules explain the outcome."""
    strength: int = 0
    """The strength with which the unit attacked, or held against the unit that dislodged it."""
    against: tuple[Opponent, ...] = ()
    """The opposing units, strongest first; for a dislodged unit, the one that dislodged it."""
    by: Unit | None = None
    """The unit that cut the support, that collided with a retreating unit, or that stayed in the target."""
    convoyed: bool = False
    """The move went, or would have gone, by convoy."""
    lost: tuple[Loss, ...] = ()
    """Fleets whose dislodgement disrupted the convoy."""
    uncounted: tuple[Unit, ...] = ()
    """Units whose support did not count against a unit of their own power."""
    dislodged: Loss | None = None
    """How the unit itself was dislodged."""
    own: Mapping[str, Any] = NO_FACTS
    """The facts of a variant's own reason, as JSON values (units as `Alpha T spa`, places as codes)."""

    @property
    def are_of_variant(self) -> bool:
        """Whether the reason is the variant's own, so that only the variant can word it."""
        return not isinstance(self.why, Why)


NOTHING_TO_ADD = Facts()
BECAUSE: Mapping[Why, Facts] = MappingProxyType({why: Facts(why) for why in Why})
"""The facts where the reason is all there is to say."""


class Outcome(NamedTuple):
    """The outcome of one order. `dislodged_by` is set when its unit was dislodged, whatever the result of the order."""

    order: Order
    result: Result
    dislodged_by: Unit | None = None
    facts: Facts = NOTHING_TO_ADD

    @property
    def succeeded(self) -> bool:
        """Whether the order was carried out."""
        return self.result is Result.SUCCEEDS


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened apart from orders: its `kind`, and the facts as JSON values. The variant words it.

    `to`: the only powers that may know of it; None for everybody.
    """

    kind: str
    facts: Mapping[str, Any] = field(default_factory=lambda: NO_FACTS)
    to: frozenset[Power] | None = None

    def is_about(self, power: Power) -> bool:
        """Whether a fact is this power, or something of it (`Alpha T spa`)."""
        return any(f"{fact} ".startswith(f"{power} ") for fact in self.facts.values())


class Resolution(NamedTuple):
    """The result of a phase. `outcomes`: one for each order in the order given, then one for each unit without an
    order.

    `dislodged` are the units that must retreat next (after a movement phase); `contested` are the vacant provinces in
    which units bounced, to which no unit may retreat. `units` are those on the board, without the dislodged ones. A
    variant's own adjudication may set `extra`, its additions to the next position, and add `events`.
    """

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[Province] = frozenset()
    extra: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()


# As JSON


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """The JSON value of an outcome: its order, result and facts side by side; default values are left out."""
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
    """For each fact, the function that decodes it in a game with these kinds of unit."""

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
    """The JSON value of an event; `to` is left out if everybody may know."""
    value = {"kind": event.kind, **({"facts": dict(event.facts)} if event.facts else {})}
    return value if event.to is None else value | {"to": sorted(event.to)}


def event_from_json(value: Mapping[str, Any]) -> Event:
    """The inverse of `event_to_json`. Raises KeyError or TypeError for anything else."""
    to = value.get("to")
    return Event(value["kind"], value.get("facts", NO_FACTS), None if to is None else frozenset(map(Power, to)))
