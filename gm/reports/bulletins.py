"""Bulletins: the parts of a mail that are the same for all readers with the same view: set-up and results of a turn.

Greeting, task, notices and form are personal; `gm.reports.game_mails` adds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from gm.board import FiniteBoard, Location, Power
from gm.judge.outcomes import Event
from gm.orders.notation import short
from gm.position import PhaseKind
from gm.reports import results as of_turn
from gm.reports.reader import GameFacts, next_phase
from gm.reports.render import SharedPart
from gm.reports.results import Group, PowerResults, Row
from gm.reports.standing_orders import Longhand
from gm.turn import Turn
from gm.views import Section, View


@dataclass(frozen=True, slots=True)
class Excerpt:
    """In a game with very many powers, a part contains only those that concern its reader; the attached `file` contains
    all.

    `shown`: the number of `powers` shown, `which`: how they were chosen.
    """

    file: str
    shown: int
    powers: int
    which: str
    leaders: tuple[Row, ...] = ()

    @property
    def sentence(self) -> str:
        """A sentence that says what is shown."""
        which = f"{self.shown} of the {self.powers:,} powers, {self.which}"
        return f"This mail tells of {which}. The attached file {self.file} tells of all."


def gazetteer(board: FiniteBoard) -> tuple[tuple[str, str], ...]:
    """The code and the name of each province, by code; of those that share both, one."""
    return tuple(sorted({(short(Location(each)), board.full_name(Location(each))) for each in board.provinces}))


_MOST_PLACES = 120
"""A board with more places has a list of its own: HELP PROVINCES."""


@dataclass(frozen=True)
class Setup(SharedPart):
    """How a game begins: who plays which power, where the units are, the options. `view` is a `View.common`."""

    game: GameFacts
    view: View
    terms: tuple[Row, ...] = ()
    """The game's options as (name, value in words): press, deadlines, rulebook."""
    brief: tuple[str, ...] = ()
    """What is different in this game from Diplomacy."""
    commitment: str = ""
    """The commitment to the seed of the game's random draws, in hexadecimal."""
    excerpt: Excerpt | None = None
    """What this is an excerpt of, in a game with very many powers."""
    whole: ClassVar[str] = "shared/setup.txt.j2"

    @property
    def players(self) -> tuple[Row, ...]:
        """Each power and who plays it, in a game with so many that the table of the players has not all of them."""
        if len(self.view.powers) <= of_turn.MANY_POWERS:
            return ()
        return tuple((power, self.game.players.get(power) or "-") for power in self.view.powers)

    @property
    def units_heading(self) -> str:
        """The heading of the units."""
        return f"Position for {next_phase(self.view.position.phase)}"

    @cached_property
    def places(self) -> tuple[tuple[str, str], ...]:
        """The codes and the names of the provinces, by code; none of a board with very many, or one that is known."""
        board = self.view.board
        return gazetteer(board) if len(board.provinces) <= _MOST_PLACES and self.game.as_seen_by is None else ()

    @cached_property
    def units(self) -> tuple[Row, ...]:
        """Each power's units."""
        return of_turn.unit_lines(self.view)


@dataclass(frozen=True)
class Bulletin(SharedPart):
    """The results of a turn, `view.turn`, which is required. `view` is a `View.common`."""

    game: GameFacts
    view: View
    history: tuple[tuple[int, Mapping[Power, int]], ...] = ()
    """The centres of each power at the end of each year, for the summary after the last turn."""
    seed: str = ""
    """The seed of the game's random draws, revealed in the last report."""
    chronicle: tuple[Section, ...] = ()
    """What was secret until the end; only in the last report."""
    excerpt: Excerpt | None = None
    """What this is an excerpt of, in a game with very many powers."""
    forced: bool = False
    """Whether a gamemaster ended the phase before its deadline."""
    whole: ClassVar[str] = "shared/turn.txt.j2"

    @property
    def turn(self) -> Turn:
        """The turn. Raises ValueError if the view has none."""
        if self.view.turn is None:
            raise ValueError("a report needs a view with a turn")
        return self.view.turn

    @property
    def over(self) -> bool:
        """Whether the game ended with this turn."""
        return self.turn.victory is not None

    @property
    def empty(self) -> bool:
        """Whether nothing was built or removed in a Winter, and nothing happened: that has no results of its own."""
        winter = self.turn.before.phase.kind is PhaseKind.ADJUSTMENT
        return winter and not (self.turn.outcomes or self.turn.events or self.over or self.view.unseen)

    @property
    def victory(self) -> str:
        """How the game ended; "" if it continues."""
        return of_turn.victory(self.turn, self.view.words)

    @property
    def heading(self) -> str:
        """`Movement results for Spring of 1901`."""
        phase = self.turn.before.phase
        if self.empty:
            return f"{phase.season.capitalize()} of {phase.year}: nothing was built or removed"
        return f"{phase.kind.capitalize()} results for {phase.season.capitalize()} of {phase.year}"

    @property
    def reference(self) -> str:
        """The game and phase after a heading in the form used by judges, where other tools look for them."""
        return f"({self.game.name}.{self.turn.before.phase.code})"

    @cached_property
    def powers(self) -> tuple[PowerResults, ...]:
        """The results of all orders."""
        return of_turn.results(self.view, self.turn, self._words)

    @cached_property
    def silence(self) -> str:
        """The powers that sent no orders; "" when there are none."""
        return of_turn.silence(self.view, self.turn, forced=self.forced)

    def silence_of(self, power: Power) -> str:
        """That the power's own player has sent no orders, and what became of it; "" if that is not so."""
        return of_turn.silence(self.view, self.turn, forced=self.forced, of=power)

    @property
    def ended(self) -> str:
        """That the phase was ended before its deadline; "" if it was not."""
        early = " before its deadline" if self.game.timed else ""
        return f"The gamemaster ended the phase{early}." if self.forced else ""

    @cached_property
    def dislodged(self) -> tuple[str, ...]:
        """A sentence for each unit that was dislodged."""
        return of_turn.dislodgements(self.view, self.turn, self._words)

    @cached_property
    def happened(self) -> tuple[tuple[Event, str], ...]:
        """What happened apart from orders and eliminations, each in a sentence."""
        return of_turn.happened(self.view, self.turn)

    @property
    def events(self) -> tuple[str, ...]:
        """The sentences."""
        return tuple(sentence for _, sentence in self.happened)

    @cached_property
    def scores(self) -> str:
        """The powers by their centres, in a line."""
        return of_turn.scores(self.view, self.turn.count)

    @cached_property
    def driven_out(self) -> str:
        """The units that were dislodged, in a line; "" for none."""
        return of_turn.driven_out(self.turn)

    @cached_property
    def eliminated(self) -> str:
        """Who is eliminated; "" for no power."""
        return of_turn.eliminations(self.turn, self.view.words)

    @cached_property
    def changes(self) -> tuple[str, ...]:
        """Who gained and lost which centres, and who is eliminated."""
        return tuple(filter(None, (*of_turn.center_changes(self.view, self.turn.count), self.eliminated)))

    @property
    def groups(self) -> tuple[Group, ...]:
        """The results of all orders, for readers without a power of their own."""
        return (Group("", self.powers),)

    @property
    def centers(self) -> tuple[Row, ...]:
        """Centres, units, and Winter's builds and removals by power."""
        return of_turn.center_table(self.view, self.turn.count, over=self.over)

    @cached_property
    def owners(self) -> tuple[Row, ...]:
        """The owner of each centre, when centres were counted."""
        return of_turn.owners(self.view) if self.turn.count is not None or self.over else ()

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections that only this game has."""
        leaders = (Section("Standings", self.excerpt.leaders),) if self.excerpt is not None else ()
        return (*leaders, *self.view.sections, *self.chronicle)

    @cached_property
    def standings(self) -> tuple[Row, ...]:
        """The powers and their players, winners first, when the game is over."""
        won = self.turn.victory
        return of_turn.standings(self.view, self.game.players, won.winners) if won is not None else ()

    @cached_property
    def years(self) -> tuple[Row, ...]:
        """Centres by year and power."""
        return of_turn.years(self.history, of_turn.named(self.view)) if self.history and self.over else ()

    @property
    def units_heading(self) -> str:
        """The heading of the units."""
        return "Final position" if self.over else f"Position for {next_phase(self.view.position.phase)}"

    @cached_property
    def units(self) -> tuple[Row, ...]:
        """Each power's units."""
        return of_turn.unit_lines(self.view)

    @property
    def _words(self) -> Longhand:
        return Longhand(self.view.board, self.game.adjectives, self.turn.before.phase.kind)
