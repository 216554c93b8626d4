"""The variants: the extension points of a game's rules, and the register of all games.

The data of every game are a file (`data/NAME.toml`, read by `game_file`), from which `standard` makes its value, a
`Variant`. A game with rules of its own is a package beside this file, and its value is made from that of its file with
`dataclasses.replace`: what it does not replace is as in the standard game. No other
package names a variant; they call `variant(name)` and use the value's fields. An amended ruling is another value with
the same name and the next edition number, made from the older one in the same way. `docs/adding-a-game.md` says what
each extension point is for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from operator import attrgetter
from pathlib import Path

from gm.board import FiniteBoard, Power
from gm.chance import Chance
from gm.errors import GmError, NotPermitted
from gm.judge import Rulebook
from gm.judge.outcomes import Resolution
from gm.judge.retreats_and_adjustments import RemovalOrder, removal_order
from gm.orders import Disband, Language, Order, UnitName, WrittenOrder, unit_of
from gm.orders.notation import write_unit
from gm.orders.order_sets import beside
from gm.orders.possible import ByIdentity, Duty, Need
from gm.position import Phase, PhaseKind, Position, Unit
from gm.turn import Event, SeasonCount, Turn, Victory
from gm.views import Look, Section, View, Words

OrderSets = Mapping[Power, tuple[Order, ...]]


@dataclass(frozen=True, slots=True)
class LateEntry:
    """How a person joins a running game.

    `enlist(position, power)`: the position of the phase in which they joined, with them as a newcomer; raises
    NotUnderstood. `enlisted(position)`: the newcomers. `unlisted(position)`: the same position without newcomers.
    `arrive(position)`: the position after a phase in which the newcomers have arrived, and the events of that.
    """

    enlist: Callable[[Position, Power], Position]
    enlisted: Callable[[Position], tuple[Power, ...]]
    unlisted: Callable[[Position], Position]
    arrive: Callable[[Position], tuple[Position, tuple[Event, ...]]]


@dataclass(frozen=True, slots=True)
class Seating:
    """Who can play: between `fewest` and `most` players; None for any number.

    `powers` are the names to choose from; if there are none, all players name their own power when they join, and
    `name` checks it against those that are taken: it returns the name as it is to be written, or raises NotUnderstood.
    `secret` are powers whose players are not revealed (AU-15). `late`: how one joins a running game; None if that
    is not possible.
    """

    fewest: int
    most: int | None
    powers: tuple[Power, ...] = ()
    name: Callable[[str, Sequence[Power]], Power] | None = None
    secret: frozenset[Power] = frozenset()
    late: LateEntry | None = None

    def without_units(self, position: Position) -> frozenset[Power]:
        """The powers that are in the game though they may hold nothing: a secret seat's (AU-11), and
        newcomers who have yet to arrive (QS-12).
        """
        arriving = self.late.enlisted(position) if self.late is not None else ()
        return self.secret.union(arriving)

    def keeps(self, position: Position, power: Power) -> bool:
        """Whether the power is still in the game, as far as is public."""
        return position.holds(power) or power in self.without_units(position)


@dataclass(frozen=True, slots=True)
class SeasonEnd:
    """The result of the end of a season: the position after it, ownership if it was counted, and events."""

    position: Position
    count: SeasonCount | None = None
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """How a game ends by the options that every game has.

    `victory(game, position, win)`: who has won with `win` centres. `survivors(game, position)`: who shares the draw
    after the last year. `also`: how one wins beside that, in words.
    """

    victory: Callable[[Variant, Position, int], Victory | None]
    survivors: Callable[[Variant, Position], tuple[Power, ...]]
    also: str = ""


@dataclass(frozen=True, slots=True)
class Surplus:
    """Orders of a later mail that can neither join those in force nor replace them, and why.

    `whole`: the lines in force, to copy and change; `instead`: the lines that put the new ones in their place.
    """

    orders: tuple[Order, ...]
    problem: str
    remedy: str
    whole: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """A seat that sees the others' orders once these are closed, and may change them before they are adjudicated.

    At the deadline the orders of all others are closed, and only `seat` is sent `shows(game, position, orders,
    chance)`. The phase is adjudicated when the game's window is over, whatever the seat sends and whether or not it has
    anything to order, so that the time of adjudication reveals nothing (AU-2).

    `close(game, position, orders, chance)`: the position after the orders are closed; closing it again changes nothing.
    `reopen(position)`: the position before that. `awaited(position)`: whether the seat must, or may for the last time,
    order before the deadline. `reveal(position, unit)`: the sentence for everybody when the seat shows something it
    hides, and the position in which it is public; raises IllegalOrder. `conceal(position)`: as if nothing were.
    `trial(game)`: the game for trial adjudications, in which nothing is closed and nothing drawn. `at_close`: the kind
    of order that only this seat gives, and that has its effect when the orders are closed.
    """

    seat: Power
    close: Callable[[Variant, Position, OrderSets, Chance], Position]
    reopen: Callable[[Position], Position]
    shows: Callable[[Variant, Position, OrderSets, Chance], tuple[Section, ...]]
    awaited: Callable[[Position], bool]
    trial: Callable[[Variant], Variant]
    reveal: Callable[[Position, UnitName], tuple[str, Position]]
    conceal: Callable[[Position], Position]
    at_close: type[Order]


@dataclass(frozen=True, slots=True)
class Choice:
    """A rule that the gamemaster chooses when creating a game, as an option of its own: `relay=yes`.

    `ways` are the values and the game that each makes; the first is the default.
    """

    name: str
    meaning: str
    ways: Mapping[str, Callable[[Variant], Variant]]

    @property
    def default(self) -> str:
        """The default value."""
        return next(iter(self.ways))


@dataclass(frozen=True, slots=True)
class Variant:
    """A game's rules as a value; each function is a rule of that game, and gets the value itself as `game`.

    `name` and `title`: what players write and what they read. `rulebook`: the judge's answers to questions on which
    editions of the rules differ. `adjectives`: those of its powers (British), if they have any.

    Set-up. `seating`: who can play. `opening(powers, chance)`: the position of the first phase. `powers(position)`: all
    powers of the game, including eliminated ones. `board(position)`: the board, which a variant may derive from the
    position. `language`: what its players may write beyond the standard orders. `choices`: its optional rules.

    Orders. `needs(board, position, power)`: the builds or removals of a power. `duty(game, position, power)`: what it
    has to order in this phase, None for nothing. `understand(board, position, power, written, need)`: an order as
    understood; raises IllegalOrder, Ambiguous. `merge(position, earlier, later)`: the order set in force after a later
    mail. `surplus(position, earlier, later)`: what is refused of the later mail, because it cannot be merged without
    doubt. `pieces(position)`: everything that can be ordered; equal pieces as often as they exist. `cautions(position,
    power, orders)`: sentences for the receipt about orders that are legal but incomplete. `legal_orders(board,
    position, unit, need)`: all orders that can be given to a unit, except builds. `offered(game, position, power)`:
    groups of further orders that the power may give, one of each group, beyond the units and builds in its duty.

    Adjudication. `fill(game, position, orders, chance)`: the orders with those that the rules make the server add for
    players who sent none. `resolve(game, position, orders, chance)`: the adjudicated phase. `removals(board, rulebook,
    position, power)`: the power's units in the order in which they are removed without an order.
    `end_of_season(game, position, chance)`: what happens after a season's retreats. `victory(position)`: whether the
    game is won, checked after each season's end, including Winter. `limits`: how it ends by the gamemaster's options.
    `after_season(phase)`: the phases that may follow a season's end, in order; the first in which somebody has
    something to order is played.
    `review`: who may change orders once they are closed, if anybody.

    Visibility. `seen(game, position, power)`: the position as a power sees it, by which its orders are understood, and
    its retreats offered. `veiled`: of what others have, and have to do, and have done, nothing is shown before the end;
    then all phases are opened to everybody (FW-4, FW-6). `view(game, position, turn, seat)`: what a seat (None: the
    public, MASTER: the gamemaster) may see of a position and the turn before it. `words`: how reports word what only
    its rules have. `chronicle(game, turns)`: what the game kept secret, published when it is over, however it ended;
    None if there are no secrets. `truth(position)`: a position as it is shown then. `looks`: how maps draw its powers.

    Texts. `goal`: what one needs to win, such as `18 supply centres`. `brief`: what is different from Diplomacy, and
    `rules_text`: its rules, where these are not in `templates`.

    `any_rulebook`: whether the gamemaster may choose another rulebook than the game's own.

    `edition` counts the editions of its rules: a game under way keeps the one it began with. `stamp` differs when the
    file of a game that is not in this package says other rules; it is "" for games of this package.
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
    resolve: Callable[[Variant, Position, Sequence[Order], Chance], Resolution]
    end_of_season: Callable[[Variant, Position, Chance], SeasonEnd]
    victory: Callable[[Position], Victory | None]
    limits: Limits
    after_season: Callable[[Phase], tuple[Phase, ...]]
    view: Callable[[Variant, Position, Turn | None, Power | None], View]
    fill: Callable[[Variant, Position, OrderSets, Chance], OrderSets] = lambda _, __, orders, ___: orders
    pieces: Callable[[Position], tuple[Unit, ...]] = attrgetter("every_unit")
    cautions: Callable[[Position, Power, Sequence[Order]], tuple[str, ...]] = lambda *_: ()
    offered: Callable[[Variant, Position, Power], tuple[tuple[Order, ...], ...]] = lambda *_: ()
    removals: RemovalOrder = removal_order
    surplus: Callable[[Position, Sequence[Order], Sequence[Order]], Surplus | None] = lambda *_: None
    seen: Callable[[Variant, Position, Power | None], Position] = lambda _, position, __: position
    veiled: bool = False
    choices: tuple[Choice, ...] = ()
    edition: int = 1
    stamp: str = ""
    review: Review | None = None
    any_rulebook: bool = True
    chronicle: Callable[[Variant, Sequence[Turn]], tuple[Section, ...]] | None = None
    truth: Callable[[Position], Position] = lambda position: position
    looks: Mapping[Power, Look] = field(default_factory=dict)
    goal: str = ""
    brief: tuple[str, ...] = ()
    rules_text: str = ""

    @property
    def hides_duties(self) -> bool:
        """Whether it must not be seen who has something to order, or has ordered it."""
        return self.review is not None or self.veiled

    @property
    def rules(self) -> str:
        """The game's rules and their edition, as in stored games: `standard/1`; of a game that is the operator's,
        also the stamp of its file: `two-kingdoms/1/5f3a09bc`.
        """
        return "/".join(filter(None, (self.name, str(self.edition), self.stamp)))

    def given(self, position: Position, orders: Mapping[Power, Sequence[Order]]) -> OrderSets:
        """Orders as stored in a turn: by the game's order of powers, without powers that sent none. A power that sent
        an empty set is not silent.
        """
        return {power: tuple(orders[power]) for power in self.powers(position) if power in orders}

    def order_of(self, position: Position, power: Power, named: Power | None, written: WrittenOrder) -> Order:
        """The order that a power has written, with its own name before it or none; a seat that reviews orders may name
        the unit's power. Raises NotPermitted, IllegalOrder, Ambiguous.
        """
        reviews = self.review is not None and power == self.review.seat
        if named not in (None, power) and not reviews:
            raise NotPermitted(f"You play {power}, not {named}.", "Order your own units only.")
        board = self.board(position)
        need = self.needs(board, position, power)
        order = self.understand(board, self.seen(self, position, power), power, written, need)
        unit = unit_of(order)
        if named not in (None, power) and (unit is None or unit.power != named):
            whose = f"{write_unit(unit)} is of {unit.power}" if unit is not None else "This order is for no unit"
            raise NotPermitted(f"{whose}, not of {named}.", "Leave the name away, or write the right one.")
        return order

    def joined(
        self, position: Position, power: Power, earlier: Sequence[Order], later: Sequence[Order]
    ) -> tuple[Order, ...]:
        """The orders of a power in force after a later mail. Builds or removals join earlier ones while there is room
        for all, and replace them otherwise; where their number is secret, or the power's to choose, they are a list.
        """
        duty = self.duties(position).get(power)
        if position.phase.kind is PhaseKind.ADJUSTMENT and duty is not None and not (duty.offer or duty.need.wishes):
            later = (*beside(earlier, later, abs(duty.need.count)), *later)
        return self.merge(position, earlier, later)

    def with_rulebook(self, rulebook: Rulebook) -> Variant:
        """The same game with another edition of the rules; what the variant itself allows stays allowed."""
        allowed = self.rulebook.self_dislodgement or rulebook.self_dislodgement
        return replace(self, rulebook=replace(rulebook, self_dislodgement=allowed))

    def with_choices(self, chosen: Mapping[str, str]) -> Variant:
        """The same game with these optional rules. Raises KeyError for a value that a choice does not have."""
        game = self
        for choice in self.choices:
            game = choice.ways[chosen.get(choice.name, choice.default).lower()](game)
        return game

    def duties(self, position: Position) -> Mapping[Power, Duty]:
        """The powers that have something to order in this phase; found once for all who ask."""
        return _duties(ByIdentity(self), ByIdentity(position))

    def all_needs(self, position: Position) -> Mapping[Power, Need]:
        """The builds and removals of every power; found once for all who ask."""
        return _all_needs(ByIdentity(self), ByIdentity(position))


@lru_cache(maxsize=16)
def _duties(game: ByIdentity[Variant], position: ByIdentity[Position]) -> Mapping[Power, Duty]:
    rules, now = game.value, position.value
    every = {power: rules.duty(rules, now, power) for power in rules.powers(now)}
    duties = {power: found for power, found in every.items() if found is not None}
    removable = _removable(rules, now, {power: found.need for power, found in duties.items() if found.need.count < 0})
    return duties | {power: replace(duties[power], removable=tuple(found)) for power, found in removable.items()}


def _removable(rules: Variant, now: Position, needs: Mapping[Power, Need]) -> Mapping[Power, Sequence[Unit]]:
    """What each power that must remove units can remove."""
    board, found = rules.board(now), {power: list[Unit]() for power in needs}
    for piece in rules.pieces(now) if needs else ():
        if piece.power in needs:
            orders = rules.legal_orders(board, now, piece, needs[piece.power])
            found[piece.power] += (order.unit for order in orders if isinstance(order, Disband))
    return found


@lru_cache(maxsize=16)
def _all_needs(game: ByIdentity[Variant], position: ByIdentity[Position]) -> Mapping[Power, Need]:
    rules, now = game.value, position.value
    board = rules.board(now)
    return {power: rules.needs(board, now, power) for power in rules.powers(now)}


# the register


class NoSuchEdition(GmError):
    """A game began with an edition of its rules that this program does not have."""


def variant(name: str) -> Variant:
    """The newest edition of the variant with this name; or the edition that is named, `the-aliens/1`.

    Raises KeyError for a name that no variant has, NoSuchEdition for an edition that is not here.
    """
    title, _, rest = name.casefold().partition("/")
    if not rest:
        return all_variants()[title]
    edition, _, stamp = rest.partition("/")
    same = [game for game in register() if (game.name, str(game.edition)) == (title, edition)]
    if found := next((game for game in same if stamp in ("", game.stamp)), None):
        return found
    if same:
        problem = (
            f"The file of {same[0].title} was changed: it says other rules than those by which this game is played."
        )
        remedy = (
            f"The operator can put the file back as it was, as {title}.{edition}.toml, and write edition ="
            f" {int(edition) + 1} into the changed one; nothing of the game is lost."
        )
        raise NoSuchEdition(problem, remedy)
    newest = all_variants().get(title)
    raise NoSuchEdition(
        f"This game is played by edition {edition} of the rules of {newest.title if newest else title}, which this"
        " server does not have.",
        "The operator can install a release of gm, or put back the file, that has it; nothing of the game is lost.",
    )


def all_variants() -> dict[str, Variant]:
    """The newest edition of every variant that can be started on this server, by name."""
    return {game.name: game for game in sorted(register(), key=lambda game: game.edition)}


def find(words: str) -> Variant | None:
    """The game that people mean by these words: its name or title, or a part of its title that no other has: `Black
    Hole`, `aliens among us`. None if it is none, or not certain.
    """
    meant = _folded(words)
    known = all_variants()
    games = {name: (_folded(name), _folded(game.title)) for name, game in known.items()}
    whole = [name for name, called in games.items() if meant in called]
    part = [name for name, called in games.items() if len(meant) >= _SHORTEST and any(meant in one for one in called)]
    near = {name for name, called in games.items() if get_close_matches(meant, called, 1, 0.85)}
    found = next((some for some in (whole, part, list(near)) if some), [])
    return known[found[0]] if len(found) == 1 else None


_SHORTEST = 4
"""The fewest letters that are a part of a title."""


def _folded(words: str) -> str:
    """Words without what differs from one way to write a game's title to another: signs, articles, blanks."""
    return "".join(word for word in re.findall(r"[^\W_]+", words.casefold()) if word not in ("the",))


def include(folder: Path) -> None:
    """Add the games of a folder, which are files, to the register: `NAME.toml`; in place of those of another folder,
    since a server has one. Raises ConfigurationError.
    """
    from gm.variants import from_files

    global _own
    taken = {game.name for game in register()} - {game.name for game in _own}
    _own = from_files.games_in(folder, taken)


_own: tuple[Variant, ...] = ()


def register() -> tuple[Variant, ...]:
    """Every edition of every variant that this server can run.

    An amended ruling makes another edition: a value that differs in what was amended, added beside the older one. Games
    that began with the older one continue with it.
    """
    from gm.variants import among_us, black_hole, from_files, outer_space, quantum_space, the_aliens

    return (
        *from_files.games(),
        *_own,
        among_us.AMONG_US,
        black_hole.BLACK_HOLE,
        outer_space.OUTER_SPACE,
        quantum_space.QUANTUM_SPACE,
        quantum_space.QUANTUM_SPACE_3001,
        the_aliens.THE_ALIENS,
    )
