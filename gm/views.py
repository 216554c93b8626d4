"""What one seat may see. Everything that is sent is made from a view, never from the position itself.

The first part describes how a map shows what only some games have: the variant supplies it, `gm.maps` draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol

from gm.board import FiniteBoard, Location, Power, Province, UnitKind
from gm.judge.outcomes import Outcome
from gm.orders import Order, power_of
from gm.orders.possible import ByIdentity, Duty, Need
from gm.position import PhaseKind, Position, Unit
from gm.turn import Event, Turn, Victory

MASTER = Power("GM")
"""The gamemaster as a reader, who sees everything in a game that hides something from its players."""


# drawing


@dataclass(frozen=True, slots=True)
class Surface:
    """How a mark changes the area of its province.

    `striped` in the colour of the mark's power; or filled with `paint`, an SVG paint that is defined in `defs`. Names
    on it are written in `tone`: `land` or `dark`.
    """

    striped: bool = False
    paint: str = ""
    defs: str = ""
    tone: str = "land"


@dataclass(frozen=True, slots=True)
class Emblem:
    """A kind of mark: its sign ("" for none), its text in the legend, and the sample beside that text, in SVG. The sign
    is at most this `width`, and 20 high.
    """

    meaning: str = ""
    sign: str = ""
    sample: str = ""
    ground: Surface = Surface()
    width: int = 32


@dataclass(frozen=True, slots=True)
class UnitShape:
    """The outline of a unit, 43 by 35, as an SVG path; how far below the middle its letters are, and their size."""

    path: str
    letters: float = 0.0
    size: float = 24.0


class Deed(NamedTuple):
    """What a unit does in its place by an order that only some games have: the legend's text, and which other place the
    order names, if any.
    """

    meaning: str
    aim: Callable[[Any], Location | None] = lambda _: None


class Picture(Hashable, Protocol):
    """A picture ready to be drawn, known again by what it shows. `template` is the file in `templates/maps/` that draws
    it, under the name `picture`.
    """

    template: ClassVar[str]

    @property
    def title(self) -> str:
        """The title: `Fall 1901: moves`."""

    @property
    def width(self) -> float:
        """The width in the picture's own units."""

    @property
    def height(self) -> float:
        """The height in the same units."""

    @property
    def paper(self) -> str:
        """The colour of what nothing is drawn upon."""

    @property
    def layers(self) -> Iterable[tuple[str, Any]]:
        """The signs, from the lowest to the highest, each with its kind: the macro in `templates/maps/signs.svg.j2`."""

    @property
    def routes(self) -> Mapping[Order, str]:
        """Where each order is to be seen, as an SVG path; orders outside the picture are left out."""


@dataclass(frozen=True)
class Art:
    """What a game's maps have in addition to those of the standard game.

    `units`: the shapes of its own kinds of unit, if they differ from those of armies (or of fleets, for kinds that
    travel like fleets). The legend's texts for moves that cross no border: `leap` on the sheet, `arrival` from beyond
    it and `departure`. `unarmed`: its text for moves of units that do not fight. `beyond`: the sign for units that come
    from, or go, beyond the sheet, and `aboard`: the legend's text for units that are there. `deeds`: its own orders
    that units carry out where they are, by the order's class; they are drawn unlike holds. `picture`: draws a `View`
    whose board is not on the sheet. `near`: if there are more powers than this, the picture shows those near the
    reader; None if everybody who sees the same gets the same picture.
    """

    units: Mapping[UnitKind, UnitShape] = field(default_factory=lambda: MappingProxyType({}))
    leap: str = "leaps"
    arrival: str = "comes"
    departure: str = "leaves"
    unarmed: str = "unarmed"
    aboard: str = "off the map"
    beyond: str = (
        '<ellipse cy="2.500" rx="15.500" ry="5.500" fill="{strong}" stroke="{ink}" stroke-width="1.200"/>'
        '<path d="M-7-.5A7 8 0 0 1 7-.5z" fill="#eef6fb" stroke="{ink}" stroke-width="1.200"/>'
        '<text class="tag" font-size="8.500" y="5.600" fill="{letters}">{tag}</text>'
    )
    deeds: Mapping[type, Deed] = field(default_factory=lambda: MappingProxyType({}))
    picture: Callable[[Any], Picture] | None = None
    near: int | None = None


class Look(NamedTuple):
    """How a power is drawn: its colour, `#5cb6e8`, and the letters on its units. "" for what the map chooses."""

    colour: str = ""
    letter: str = ""


GROUNDS = {"land": "#f5efdf", "water": "#dbe7ee"}
"""The colours of a map where no power has anything."""
_ALIKE = 60.0


def channels(colour: str) -> tuple[int, int, int]:
    """The red, green and blue of a colour such as `#5cb6e8`, from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def are_alike(one: str, other: str) -> bool:
    """Whether two colours can be taken for each other on a map, by the weighted distance that is known as redmean."""
    (red, green, blue), (r, g, b) = channels(one), channels(other)
    of_red = (red + r) / 512
    distance = (2 + of_red) * (red - r) ** 2 + 4 * (green - g) ** 2 + (3 - of_red) * (blue - b) ** 2
    return distance < _ALIKE**2


NO_LOOK = Look()


PLAIN = Art()
"""For games whose maps have no additions."""


# what is seen


@dataclass(frozen=True, slots=True)
class Words:
    """How a game words what only its rules have: a function for each reason, kind of event and kind of victory.

    A reason is worded without a full stop, events and victories as whole sentences. The reports word eliminations
    themselves, because they happen in every game; `eliminated` says what the eliminated are without. Raises KeyError
    for a kind that the game does not have; a kind that only old stored games have keeps its words. `marks`: for reasons
    of orders that were carried out, but not as they were meant, the mark beside them, "" for none. `removals`: its own
    rule for removals without an order, with its source; "" for the rulebook's.
    """

    reasons: Mapping[str, Callable[[Outcome], str]]
    events: Mapping[str, Callable[[Event, View], str]]
    victories: Mapping[str, Callable[[Victory], str]]
    marks: Mapping[str, Callable[[Outcome], str]] = field(default_factory=dict)
    removals: str = ""
    eliminated: str = "without a centre or a unit"

    def mark(self, outcome: Outcome) -> str:
        """The mark of an order that was carried out: "" if it was as it was meant."""
        found = self.marks.get(outcome.facts.why)
        return found(outcome) if found is not None and outcome.succeeded else ""

    def reason(self, outcome: Outcome) -> str:
        """Why the outcome is what it is, in words."""
        return self.reasons[outcome.facts.why](outcome)

    def event(self, event: Event, view: View) -> str:
        """What happened, in words for the reader with this view."""
        return self.events[event.kind](event, view)

    def victory(self, victory: Victory) -> str:
        """How the game was won, or why it is over, in words."""
        return self.victories[victory.kind](victory)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report that only this game has: a title and rows of cells; the first cell is the row's heading, and
    the first row the head of them all if `headed`.
    """

    title: str
    rows: tuple[tuple[str, ...], ...]
    headed: bool = False


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """If there are very many powers, those that concern a seat: its mails mention no others. `sections` are
    about these."""

    powers: tuple[Power, ...]
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that only this game has on its map: its kind, its place and its power."""

    emblem: Emblem
    province: Province
    power: Power | None = None


class Fate(NamedTuple):
    """What happens to a unit without an order (`disbanded`), and what else is said of a silent power.

    `drawn`: the orders of a power that sends nothing at all are drawn at random.
    """

    unit: str
    said: str = ""
    drawn: bool = False

    @property
    def sentence(self) -> str:
        """The end of a sentence about silent powers."""
        return self.said or f"the units were {self.unit}"


@dataclass(frozen=True, slots=True)
class View:
    """The board and the last turn as a seat may see them. `seat` is None for the public (observers and archives), and
    MASTER for the gamemaster.

    `position` is the next one to be played, `needs` its builds and removals (empty where they are secret), `duties`
    what each power has to order in it, `turn` what has just happened (None before the first phase). `words` are the
    game's. Of the turn's events only those that the seat may know are included.

    What only some games have: `sections`, shown after the centres. `form`: the lines that this seat copies and
    completes, if they differ from the standard game's; `hints`: comments above the standard ones. `site`: the condition
    for building in a centre. `fates`: what happens to units without an order, if it differs from the standard game.
    `private`: sentences for this seat only. `marks`: what is on the map, and `art`: how it is drawn. `descended`: units
    that came from beyond the map in this turn without a move that shows it, by their orders. `trial`: the turn is a
    trial, whose random draws are not the game's. `near`: if there are very many powers, those that concern the seat;
    otherwise None. `lists`: the spaces whose orders are one list, with the line above them that says so. `given`: what
    the seat itself ordered in the turn, where that has what was carried out in its place. `looks`: how the game draws
    its powers. `unseen`: the provinces that the seat does not see.
    """

    seat: Power | None
    board: FiniteBoard
    powers: tuple[Power, ...]
    position: Position
    needs: Mapping[Power, Need]
    duties: Mapping[Power, Duty]
    words: Words
    turn: Turn | None = None
    sections: tuple[Section, ...] = ()
    form: tuple[str, ...] | None = None
    hints: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    site: str = "home centre"
    fates: Mapping[PhaseKind, Fate] = field(default_factory=lambda: MappingProxyType({}))
    private: tuple[str, ...] = ()
    descended: Mapping[Order, Unit] = field(default_factory=lambda: MappingProxyType({}))
    art: Art = PLAIN
    trial: bool = False
    near: Neighbourhood | None = None
    lists: Mapping[Location, str] = field(default_factory=lambda: MappingProxyType({}))
    given: tuple[Order, ...] | None = None
    looks: Mapping[Power, Look] = field(default_factory=lambda: MappingProxyType({}))
    unseen: frozenset[Province] = frozenset()

    def __post_init__(self) -> None:
        turn, seat = self.turn, self.seat
        if turn is None or seat == MASTER or all(event.to is None for event in turn.events):
            return
        seen = tuple(event for event in turn.events if event.to is None or seat in event.to)
        object.__setattr__(self, "turn", replace(turn, events=seen))

    def duty_of(self, power: Power | None) -> Duty:
        """What the power has to order in the phase of the position; an empty duty if nothing."""
        return self.duties.get(power or Power(""), Duty())

    @property
    def counted(self) -> tuple[Power, ...]:
        """The powers of which it shows all that they have; of others only what is in sight."""
        return tuple(power for power in self.powers if power == self.seat) if self.unseen else self.powers

    @property
    def blank(self) -> bool:
        """Whether it shows nothing of the board."""
        return len(self.unseen) == len(self.board.provinces)

    @property
    def common(self) -> View:
        """The view without what concerns only its seat: equal for all seats that see the same of board and turn.

        The seat is kept if some events are not for everybody, or if not all of the board is seen; duties are left out
        where needs are secret.
        """
        if self.unseen:
            return self
        if self.turn is not None and any(event.to is not None for event in self.turn.events):
            return self
        duties = self.duties if self.needs else {}
        return replace(self, seat=None, duties=duties, form=None, hints=(), private=(), near=None, given=None)

    @property
    def narrowed(self) -> View:
        """The view limited to what concerns its seat, in a game with very many powers; unchanged in any other."""
        if self.near is None:
            return self
        turn, shown = self.turn, set(self.near.powers)
        if turn is not None and turn.victory is not None:
            shown.update(turn.victory.winners)
        powers = tuple(power for power in self.powers if power in shown)
        turn = _narrowed(turn, shown) if turn is not None else None
        return replace(self, powers=powers, turn=turn, sections=self.near.sections, near=None)

    @property
    def pictured(self) -> View:
        """The part of the view that determines the map: `common` without what only texts need; with the seat if the
        picture shows its surroundings.
        """
        near = self.art.near is not None and len(self.powers) > self.art.near
        common = self.common
        return replace(common, seat=self.seat if near else common.seat, needs={}, duties={}, sections=(), fates={})


def _narrowed(turn: Turn, powers: Set[Power]) -> Turn:
    """The part of a turn that concerns these powers; positions and events stay complete."""
    by_power, after = _outcomes_by_power(ByIdentity(turn)), turn.after
    dislodged = tuple(d for d in after.dislodged if d.unit.power in powers)
    theirs = chain.from_iterable(by_power.get(power, ()) for power in powers)
    return replace(
        turn,
        outcomes=tuple(outcome for _, outcome in sorted(theirs, key=itemgetter(0))),
        after=after if dislodged == after.dislodged else replace(after, dislodged=dislodged),
        destroyed=tuple(d for d in turn.destroyed if d.unit.power in powers),
        silent=tuple(power for power in turn.silent if power in powers),
    )


@lru_cache(maxsize=4)
def _outcomes_by_power(turn: ByIdentity[Turn]) -> Mapping[Power | None, Sequence[tuple[int, Outcome]]]:
    """Each power's outcomes with their places; found once for all who are told a part of the turn."""
    found: dict[Power | None, list[tuple[int, Outcome]]] = {}
    for numbered in enumerate(turn.value.outcomes):
        found.setdefault(power_of(numbered[1].order), []).append(numbered)
    return found
