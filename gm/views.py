"""What one seat may see. Everything that leaves the server is made from a view, never from the position itself.

The first part is how a map draws what only some games have: said by the variant, drawn by `gm.maps`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol

from gm.board import FiniteBoard, Power, Province, UnitKind
from gm.judge.outcomes import Outcome
from gm.orders import power_of
from gm.orders.possible import Duty, Need
from gm.position import PhaseKind, Position, Unit
from gm.turn import Event, Turn, Victory

MASTER = Power("GM")
"""The gamemaster as one who sees: everything, in a game that hides something from its players."""


# drawing


@dataclass(frozen=True, slots=True)
class Surface:
    """What a mark does to the ground of its province.

    `striped` in the colour of the mark's power; or filled with `paint`, an SVG paint whose definition is in `defs`, on
    which names are written in `tone`: `land` or `dark`.
    """

    striped: bool = False
    paint: str = ""
    defs: str = ""
    tone: str = "land"


@dataclass(frozen=True, slots=True)
class Emblem:
    """A kind of mark: its sign ("" for none), and what the legend says of it, with a sample in SVG beside it."""

    meaning: str = ""
    sign: str = ""
    sample: str = ""
    ground: Surface = Surface()


@dataclass(frozen=True, slots=True)
class UnitShape:
    """The outline of a unit, 29 by 25, as an SVG path; how far below the middle its letters stand, and their size."""

    path: str
    letters: float = 0.0
    size: float = 17.0


class Picture(Protocol):
    """A picture ready to be drawn. `template` names the file in `templates/maps/` that draws it as `picture`."""

    template: ClassVar[str]

    @property
    def title(self) -> str:
        """What it shows: `Fall 1901: moves`."""

    @property
    def width(self) -> float:
        """In its own units."""


@dataclass(frozen=True)
class Art:
    """What a game's maps have that those of the standard game have not.

    `units`: the shapes of its own kinds of unit, where they are not those of armies (or of fleets, for kinds that
    travel as these). What the legend calls moves that cross no border: `leap` on the sheet, `arrival` from beyond it
    and `departure`. `unarmed`: what it calls moves of units that do not fight. `beyond`: the sign where units are that
    come from, or go, beyond the sheet. `picture`: draws a `View` whose board is not on the sheet at all. `near`: of
    more powers than these it shows those near the reader; None where all who see the same get the same picture.
    """

    units: Mapping[UnitKind, UnitShape] = field(default_factory=lambda: MappingProxyType({}))
    leap: str = "leaps"
    arrival: str = "comes"
    departure: str = "leaves"
    unarmed: str = "unarmed"
    beyond: str = (
        '<ellipse cy="2.500" rx="15.500" ry="5.500" fill="{strong}" stroke="{ink}" stroke-width="1.200"/>'
        '<path d="M-7-.5A7 8 0 0 1 7-.5z" fill="#eef6fb" stroke="{ink}" stroke-width="1.200"/>'
        '<text class="tag" font-size="8.500" y="5.600" fill="{letters}">{tag}</text>'
    )
    picture: Callable[[Any], Picture] | None = None
    near: int | None = None


PLAIN = Art()
"""Of games whose maps have nothing of their own."""


# what is seen


@dataclass(frozen=True, slots=True)
class Words:
    """How a game tells what only its rules bring about: for each reason, kind of event and of victory who words it.

    A reason is worded without a full stop, events and victories as whole sentences. That powers are eliminated, which
    happens in every game, the reports say themselves. Raises KeyError for a kind that the game does not have; a kind
    that it had once, and that stored games have, keeps its words.
    """

    reasons: Mapping[str, Callable[[Outcome], str]]
    events: Mapping[str, Callable[[Event, View], str]]
    victories: Mapping[str, Callable[[Victory], str]]

    def reason(self, outcome: Outcome) -> str:
        """Why the outcome is what it is."""
        return self.reasons[outcome.facts.why](outcome)

    def event(self, event: Event, view: View) -> str:
        """What happened, for the reader whose view it is."""
        return self.events[event.kind](event, view)

    def victory(self, victory: Victory) -> str:
        """By what the game was won, or why it is over."""
        return self.victories[victory.kind](victory)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report that only this game has: a title and rows of cells, the first of each naming the row."""

    title: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Of very many powers those that concern a seat, of whom alone its mails tell, and the sections on these."""

    powers: tuple[Power, ...]
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that only this game has on its map: what it is, where, and whose."""

    emblem: Emblem
    province: Province
    power: Power | None = None


class Fate(NamedTuple):
    """What happens to a unit without an order, `disbanded`, and what else is told of a silent power."""

    unit: str
    told: str = ""

    @property
    def sentence(self) -> str:
        """The end of a sentence on silent powers."""
        return self.told or f"the units were {self.unit}"


@dataclass(frozen=True, slots=True)
class View:
    """The board and the last turn as a seat may see them. `seat` None is the public: observers and archives; MASTER
    the gamemaster.

    `position` is the one to be played next, `needs` its builds and removals (empty where nobody may know them),
    `duties` what each power has to order in it, `turn` what has just happened (None before the first phase).
    `words` are the game's. Of the turn's events only those are kept that the seat may know.

    What only some games have: `sections`, shown after the centres. `form`: the lines that this seat copies and
    completes, where they are not those of the standard game; `hints`: comments above those of the standard game.
    `site`: what a centre must be for its owner to build there. `fates`: what happens to units without an order, where
    that is not as in the standard game. `private`: sentences that this seat alone is told. `marks`: what is on the map,
    and `art`: how. `descended`: units that came from beyond the map in this turn, where no move of theirs tells it.
    `trial`: the turn is a trial, whose lots are not the game's. `near`: of very many powers those that concern the
    seat; None where all are told of.
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
    descended: tuple[Unit, ...] = ()
    art: Art = PLAIN
    trial: bool = False
    near: Neighbourhood | None = None

    def __post_init__(self) -> None:
        turn, seat = self.turn, self.seat
        if turn is None or seat == MASTER or all(event.to is None for event in turn.events):
            return
        told = tuple(event for event in turn.events if event.to is None or seat in event.to)
        object.__setattr__(self, "turn", replace(turn, events=told))

    @property
    def common(self) -> View:
        """The view without what concerns its seat alone: equal for all seats that see the same of board and turn.

        The seat stays where some events are not for everybody; duties are left out where needs may not be known.
        """
        if self.turn is not None and any(event.to is not None for event in self.turn.events):
            return self
        duties = self.duties if self.needs else {}
        return replace(self, seat=None, duties=duties, form=None, hints=(), private=(), near=None)

    @property
    def narrowed(self) -> View:
        """The view as far as it concerns its seat, in a game of very many powers; the same in any other."""
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
        """What the map is drawn from: `common` without what only texts tell; with the seat where the picture shows
        what is near it."""
        near = self.art.near is not None and len(self.powers) > self.art.near
        common = self.common
        return replace(common, seat=self.seat if near else common.seat, needs={}, duties={}, sections=(), fates={})


def _narrowed(turn: Turn, powers: Set[Power]) -> Turn:
    """What of a turn is told of these powers; positions and events stay whole."""
    return replace(
        turn,
        outcomes=tuple(outcome for outcome in turn.outcomes if power_of(outcome.order) in powers),
        after=replace(turn.after, dislodged=tuple(d for d in turn.after.dislodged if d.unit.power in powers)),
        destroyed=tuple(d for d in turn.destroyed if d.unit.power in powers),
        silent=tuple(power for power in turn.silent if power in powers),
    )
