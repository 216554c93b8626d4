"""The seams: what a game's rules are made of. `docs/adding-a-game.md` walks through them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from gm.board import FiniteBoard, Power
from gm.chance import Chance
from gm.errors import NotPermitted
from gm.judge.outcomes import Resolution
from gm.judge.rulebook import Rulebook
from gm.orders import Language, Order, UnitName, WrittenOrder, unit_of
from gm.orders.notation import write_unit
from gm.orders.possible import Duty, Need
from gm.position import Phase, Position, Unit
from gm.turn import Event, SeasonCount, Turn, Victory
from gm.views import Section, View, Words

OrderSets = Mapping[Power, tuple[Order, ...]]


@dataclass(frozen=True, slots=True)
class LateEntry:
    """How somebody comes into a game that is running.

    `enlist(position, power)`: the position of the phase in which they joined, with them as one who is to come; raises
    NotUnderstood. `enlisted(position)`: who is to come. `unlisted(position)`: the same position with nobody to come.
    `arrive(position)`: the position after a phase with all who were to come, and the events of it.
    """

    enlist: Callable[[Position, Power], Position]
    enlisted: Callable[[Position], tuple[Power, ...]]
    unlisted: Callable[[Position], Position]
    arrive: Callable[[Position], tuple[Position, tuple[Event, ...]]]


@dataclass(frozen=True, slots=True)
class Seating:
    """Who can sit down: between `fewest` and `most` players; None where there may be any number.

    `powers` are the names to choose from; where there are none all players name their own power when they join, and
    `name` checks it against those that are taken: it returns the name as it is to be written, or raises NotUnderstood.
    `secret` are powers of which nobody is told who plays them. `late`: how one joins when the game is running; None
    where nobody can.
    """

    fewest: int
    most: int | None
    powers: tuple[Power, ...] = ()
    name: Callable[[str, Sequence[Power]], Power] | None = None
    secret: frozenset[Power] = frozenset()
    late: LateEntry | None = None


@dataclass(frozen=True, slots=True)
class SeasonEnd:
    """What the end of a season brought: the position after it, ownership if it was counted, and events."""

    position: Position
    count: SeasonCount | None = None
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """How a game ends by the options that every game has.

    `victory(game, position, win)`: who has won by so many centres. `survivors(game, position)`: who share the draw
    after the last year.
    """

    victory: Callable[[Variant, Position, int], Victory | None]
    survivors: Callable[[Variant, Position], tuple[Power, ...]]


@dataclass(frozen=True, slots=True)
class Review:
    """A seat that sees the others' orders once these are closed, and may alter them before they are adjudicated.

    At the deadline the orders of all others are closed, and `seat` alone is sent `shows(game, position, orders,
    chance)`. The phase is adjudicated when the game's window is over, whatever the seat sends and whether it has
    anything to answer, so that its time tells nothing.

    `close(game, position, orders, chance)`: the position once the orders are closed; closing it again changes nothing.
    `reopen(position)`: the position before that. `awaited(position)`: whether the seat itself must answer before it, or
    may for the last time. `reveal(position, unit)`: what everybody is told when the seat shows something it hides;
    raises IllegalOrder. `trial(game)`: the game as orders are tried out in it, with nothing closed and nothing drawn.
    """

    seat: Power
    close: Callable[[Variant, Position, OrderSets, Chance], Position]
    reopen: Callable[[Position], Position]
    shows: Callable[[Variant, Position, OrderSets, Chance], tuple[Section, ...]]
    awaited: Callable[[Position], bool]
    trial: Callable[[Variant], Variant]
    reveal: Callable[[Position, UnitName], str]


@dataclass(frozen=True, slots=True)
class Choice:
    """A rule that the gamemaster chooses when creating a game, as an option of its own: `relay=yes`.

    `ways` are the values and what each makes of the game; the first is what is played when nothing is said.
    """

    name: str
    meaning: str
    ways: Mapping[str, Callable[[Variant], Variant]]

    @property
    def default(self) -> str:
        """The value when nothing is said."""
        return next(iter(self.ways))


@dataclass(frozen=True, slots=True)
class Variant:
    """A game's rules as a value; each function is a rule of that game and is handed the value itself as `game`.

    `name` and `title`: what players write and what they read. `rulebook`: what the judge decides by where editions
    of the rules differ. `adjectives`: those of its powers (British), where they have some.

    Set-up.
    `seating`: who can play. `opening(powers, chance)`: the position of the first phase. `powers(position)`: all powers
    of the game, those that are out too. `board(position)`: the board, which a variant may make from the position.
    `language`: what its players may write beyond the standard orders. `choices`: its optional rules.

    Orders.
    `needs(board, position, power)`: what a power must or may adjust. `duty(game, position, power)`: what it has to
    order in this phase, None for nothing. `understand(board, position, power, written, need)`: an order as understood;
    raises IllegalOrder, Ambiguous. `merge(position, earlier, later)`: the set in force after a later mail.
    `pieces(position)`: all that can be ordered, equal ones as often as they are there. `cautions(position, power,
    orders)`: sentences on orders that are legal and lack something, for the receipt.
    `legal_orders(board, position, unit, need)`: all that a unit can be ordered to do, builds excepted.

    Adjudication.
    `fill(game, position, orders, chance)`: the orders completed by the server's own, where the rules say that it
    orders for those who have not. `resolve(game, position, orders, chance)`: the phase adjudicated.
    `end_of_season(game, position, chance)`: what happens after a season's retreats. `victory(position)`: whether
    the game is won, asked after each season's end, that of Winter too. `limits`: how it ends by the gamemaster's
    options. `after_season(phase)`: the phases that may follow a season's end, in order; the first in which anybody has
    something to order is played. `review`: who may alter orders once they are closed, if somebody may.

    Sight.
    `view(game, position, turn, seat)`: what a seat (None: the public, MASTER: the gamemaster) may see of a position and
    the turn before it. `words`: what only its rules bring about, as reports tell it. `chronicle(game, turns)`: what
    the game kept secret, for everybody when it is over, however it ended; None where nothing is.

    `edition` counts the editions of its rules: a game under way keeps the one it began with.
    """

    name: str
    title: str
    rulebook: Rulebook
    seating: Seating
    adjectives: Mapping[Power, str]
    words: Words
    language: Language
    opening: Callable[[Sequence[Power], Chance], Position]
    powers: Callable[[Position], tuple[Power, ...]]
    board: Callable[[Position], FiniteBoard]
    needs: Callable[[FiniteBoard, Position, Power], Need]
    duty: Callable[[Variant, Position, Power], Duty | None]
    understand: Callable[[FiniteBoard, Position, Power, WrittenOrder, Need], Order]
    merge: Callable[[Position, Sequence[Order], Sequence[Order]], tuple[Order, ...]]
    legal_orders: Callable[[FiniteBoard, Position, Unit, Need], tuple[Order, ...]]
    fill: Callable[[Variant, Position, OrderSets, Chance], OrderSets]
    resolve: Callable[[Variant, Position, Sequence[Order], Chance], Resolution]
    end_of_season: Callable[[Variant, Position, Chance], SeasonEnd]
    victory: Callable[[Position], Victory | None]
    limits: Limits
    after_season: Callable[[Phase], tuple[Phase, ...]]
    view: Callable[[Variant, Position, Turn | None, Power | None], View]
    pieces: Callable[[Position], tuple[Unit, ...]]
    cautions: Callable[[Position, Power, Sequence[Order]], tuple[str, ...]]
    choices: tuple[Choice, ...] = ()
    edition: int = 1
    review: Review | None = None
    chronicle: Callable[[Variant, Sequence[Turn]], tuple[Section, ...]] | None = None

    @property
    def rules(self) -> str:
        """The game's rules and their edition, as stored games name them: `standard/1`."""
        return f"{self.name}/{self.edition}"

    def given(self, position: Position, orders: Mapping[Power, Sequence[Order]]) -> OrderSets:
        """Orders as a turn holds them: by the game's order of powers, those who sent none left out. Who sent an empty
        set is not silent.
        """
        return {power: tuple(orders[power]) for power in self.powers(position) if power in orders}

    def order_of(self, position: Position, power: Power, named: Power | None, written: WrittenOrder) -> Order:
        """The order that a power has written, with its own name before it or none; the seat that reviews may name the
        unit's power. Raises NotPermitted, IllegalOrder, Ambiguous.
        """
        reviews = self.review is not None and power == self.review.seat
        if named not in (None, power) and not reviews:
            raise NotPermitted(f"You play {power}, not {named}.", "Order your own units only.")
        board = self.board(position)
        order = self.understand(board, position, power, written, self.needs(board, position, power))
        unit = unit_of(order)
        if named not in (None, power) and (unit is None or unit.power != named):
            whose = f"{write_unit(unit)} is of {unit.power}" if unit is not None else "This order is for no unit"
            raise NotPermitted(f"{whose}, not of {named}.", "Leave the name away, or write the right one.")
        return order

    def with_rulebook(self, rulebook: Rulebook) -> Variant:
        """The same game played by another edition of the rules; what the game itself allows stays allowed."""
        allowed = self.rulebook.self_dislodgement or rulebook.self_dislodgement
        return replace(self, rulebook=replace(rulebook, self_dislodgement=allowed))

    def with_choices(self, chosen: Mapping[str, str]) -> Variant:
        """The same game with the optional rules that are named. Raises KeyError for a value that a choice lacks."""
        game = self
        for choice in self.choices:
            game = choice.ways[chosen.get(choice.name, choice.default).lower()](game)
        return game

    def duties(self, position: Position) -> Mapping[Power, Duty]:
        """The powers that have something to order in this phase."""
        every = {power: self.duty(self, position, power) for power in self.powers(position)}
        return {power: found for power, found in every.items() if found is not None}
