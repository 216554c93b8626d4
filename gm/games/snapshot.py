"""A game as one immutable value: options, seats and the people in them, the phase, its orders and its deadline.

Everything is decoded; what is computed here depends only on the fields. A change makes a new value. The module is long
because a game is one value, with all that can be read off it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

from gm.board import FiniteBoard, Location, Power
from gm.chance import Chance
from gm.options import GameOptions
from gm.orders import Order
from gm.orders.possible import Duty
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.position import Phase, Position
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import GameState, SeatRole
from gm.turn import Victory
from gm.variants import NoSuchEdition, Variant

NO_POWER = Power("")
"""That of a seat without one: none has this name."""

_Named = tuple[FiniteBoard, tuple[Power, ...], tuple[tuple[str, Power], ...]]


@dataclass(frozen=True, slots=True)
class Person:
    """A registered person, with their preferences; `zone` is "" until they choose one.

    `addresses` are in lower case, the one that mail goes to first. Mail to those in `bounced` came back, and no mail
    has arrived from them since; those in `dead` are the ones among them that cannot be reached at all. `proved_at` is
    when it was first certain that they had written, None if it never was.
    """

    id: int
    name: str
    zone: str = ""
    html: bool = True
    maps: str | None = None
    calendar: str | None = None
    json: str | None = None
    receipts: str | None = None
    remind: str | None = None
    digest: str | None = None
    desk: str | None = None
    wishes: str | None = None
    signature: str | None = None
    proved_at: datetime | None = None
    addresses: tuple[str, ...] = ()
    bounced: frozenset[str] = frozenset()
    dead: frozenset[str] = frozenset()

    @property
    def reachable(self) -> str:
        """The address for mail to them: the first that can be reached, otherwise simply the first."""
        return next((email for email in self.addresses if email not in self.dead), self.addresses[0])


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat in a game; vacant if `person` is None. `serial` numbers its reply addresses; only the last is valid.

    `wish`: powers asked for before they are dealt. `dummy_since`: the power has no player on purpose. `left_in`: the
    number of the phase in which its last holder left. `names`: the holder's own names for places (ALIAS), in
    alphabetical order. `muted`: powers whose press the holder does not want. `deputy_of`: the seat for which a deputy
    orders, from `joined_at` `until` (None: it is not known when that ends); the power is that seat's.
    """

    id: int
    role: SeatRole
    power: Power | None = None
    person: Person | None = None
    serial: int = 1
    wish: str | None = None
    wait: bool = False
    joined_at: datetime | None = None
    dummy_since: datetime | None = None
    left_in: int | None = None
    muted: frozenset[Power] = frozenset()
    names: tuple[tuple[str, Location], ...] = ()
    deputy_of: int | None = None
    until: datetime | None = None

    @property
    def title(self) -> str:
        """What its holder is: `France`, `deputy of France`, `gamemaster`; `player` before powers are dealt."""
        if self.deputy_of is not None:
            return f"deputy of {self.power}"
        return TITLES.get(self.role) or self.power or "player"

    @property
    def label(self) -> str:
        """The name of its power, "" before powers are dealt, and of a seat without one."""
        return self.power or ""

    @property
    def account_id(self) -> int | None:
        """The key of its holder; None if it is vacant."""
        return self.person.id if self.person is not None else None

    @property
    def holder(self) -> str:
        """Its holder, as those who run the game know each other: `Ann (gamemaster)`; its title if it has none."""
        return f"{self.name} ({self.title})" if self.person is not None else self.title

    @property
    def moderates(self) -> bool:
        """Whether its holder is a gamemaster or the assistant of one."""
        return self.role in (SeatRole.MASTER, SeatRole.ASSISTANT)

    def serves(self, now: datetime) -> bool:
        """Whether somebody holds it now: a deputy is one for a time."""
        if self.person is None or self.deputy_of is None:
            return self.person is not None
        return (self.joined_at is None or self.joined_at <= now) and (self.until is None or now < self.until)

    @property
    def occupant(self) -> Person:
        """Its holder. Raises LookupError if it is vacant."""
        if self.person is None:
            raise LookupError(f"nobody holds the seat {self.id}")
        return self.person

    @property
    def name(self) -> str:
        """The name of its holder; "" if it is vacant."""
        return self.person.name if self.person is not None else ""

    def is_of(self, person: Person | None) -> bool:
        """Whether this person holds the seat."""
        return person is not None and self.account_id == person.id


def holders(seats: Iterable[Seat]) -> tuple[tuple[Seat, Person], ...]:
    """Those of the seats that somebody holds, with who holds them."""
    return tuple((seat, seat.person) for seat in seats if seat.person is not None)


def addresses_of(person: Person | None) -> tuple[str, ...]:
    """All addresses of a person; none of somebody who is not known."""
    return person.addresses if person is not None else ()


TITLES = {
    SeatRole.MASTER: "gamemaster",
    SeatRole.ASSISTANT: "assistant gamemaster",
    SeatRole.OBSERVER: "observer",
}
"""What the holders of seats without a power are."""


@dataclass(frozen=True, slots=True)
class OrderSet:
    """A seat's orders in force, numbered within a phase from 1; 0 are those of before a rollback, which count at the
    deadline, and as complete once their seat has sent some again or said READY. `mail_id` is the mail that contained
    them, if any. `sent`: somebody wrote for the seat, whether that could be used or not; not what the server gave.
    """

    number: int
    orders: tuple[Order, ...]
    complete: bool
    received_at: datetime
    mail_id: int | None = None
    sent: bool = True

    @property
    def says_something(self) -> bool:
        """Whether its seat has ordered, or has said that it orders nothing."""
        return bool(self.orders) or self.complete


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the phase is adjudicated, or its orders closed for review; or when these have been reviewed (REVIEW).
    `unmoved_at`: when it would be without absences; None if no absence has moved it.
    """

    due_at: datetime
    kind: DeadlineKind
    unmoved_at: datetime | None = None


@dataclass(frozen=True)
class PhasePlayed:
    """The phase being played; after the end of a game, the last one.

    `closed_at`: when its orders were closed to all but the seat that reviews them. `passed_at`: the first deadline that
    passed without adjudication. `correction`: why it is adjudicated again, and what that left. If this program does not
    have the `rules`, the position contains only the phase.
    """

    id: int
    number: int
    position: Position
    opened_at: datetime
    rules: Variant | NoSuchEdition = field(compare=False, repr=False)
    closed_at: datetime | None = None
    passed_at: datetime | None = None
    correction: Mapping[str, Any] | None = None

    @property
    def code(self) -> str:
        """Its short form: `S1901M`."""
        return self.position.phase.code

    @property
    def variant(self) -> Variant:
        """The rules. Raises NoSuchEdition if this program does not have them."""
        if isinstance(self.rules, NoSuchEdition):
            raise self.rules
        return self.rules

    @cached_property
    def duties(self) -> Mapping[Power, Duty]:
        """What each power has to order; powers with nothing to order are left out."""
        return MappingProxyType(self.variant.duties(self.position))

    @cached_property
    def board(self) -> FiniteBoard:
        """The board of the position."""
        return self.variant.board(self.position)


@dataclass(frozen=True)
class Game:
    """A game as it is now. Every change makes a new `version`; games of equal version differ only in people.

    `seed` is in hexadecimal and secret until the end; `told_seeds` were published when the game had ended before.
    `victory`: how it ended. While it is paused (since `paused_at`) it has no deadline, and `left` is the time that was
    left, in seconds. `orders`: those in force, by seat id.
    """

    id: int
    name: str
    state: GameState
    version: int
    options: GameOptions
    seed: str = field(repr=False)
    seats: tuple[Seat, ...] = ()
    phase: PhasePlayed | None = None
    deadline: Deadline | None = None
    orders: Mapping[int, OrderSet] = field(default_factory=lambda: MappingProxyType({}))
    victory: Victory | None = None
    paused_at: datetime | None = None
    left: int | None = None
    comment: str | None = None
    house_rules: str | None = None
    told_seeds: tuple[str, ...] = ()

    # the rules

    @cached_property
    def variant(self) -> Variant:
        """The rules of the game. Raises NoSuchEdition if this program no longer has them."""
        return self.phase.variant if self.phase is not None else self.options.variant

    @property
    def playable(self) -> bool:
        """Whether this program has the edition of the rules that the game began with."""
        try:
            return bool(self.variant)
        except NoSuchEdition:
            return False

    @property
    def chance(self) -> Chance:
        """The game's random draws."""
        return Chance(bytes.fromhex(self.seed), self.name)

    # the seats

    def seat(self, seat_id: int) -> Seat:
        """The seat with this id. Raises KeyError."""
        return self._by_id[seat_id]

    @cached_property
    def _by_id(self) -> Mapping[int, Seat]:
        return {seat.id: seat for seat in self.seats}

    @cached_property
    def players(self) -> tuple[Seat, ...]:
        """The seats of players, including vacant ones, in the order of their powers: that of joining would tell who
        plays what to whoever knows when each came.
        """
        powers = self.variant.seating.powers if self.playable else ()
        order = {power: place for place, power in enumerate(powers)}
        seats = (seat for seat in self.seats if seat.role is SeatRole.PLAYER)
        return tuple(sorted(seats, key=lambda seat: (order.get(Power(seat.label), len(order)), seat.label)))

    @property
    def masters(self) -> tuple[Seat, ...]:
        """The seats of gamemasters with all rights."""
        return tuple(seat for seat in self.seats if seat.role is SeatRole.MASTER)

    @property
    def moderators(self) -> tuple[Seat, ...]:
        """The seats of gamemasters and of their assistants."""
        return tuple(seat for seat in self.seats if seat.moderates)

    # who may know what

    def is_known_to(self, person: Person | None, *, expected: bool = False) -> bool:
        """Whether somebody (None: everybody) may know that there is this game: one that is not listed is known to those
        who are in it or `expected` (`admission.expects`), a private one only to those who are in it. Whatever tells of
        games asks here, and refuses one that is not known as it refuses one that does not exist.
        """
        if self.seats_of(person):
            return True
        return not self.options.private and (self.options.listed or expected)

    def knows(self, reader: Seat | None, seat: Seat) -> bool:
        """Whether this reader may know what only gamemasters who do not play know of a seat; their assistants know it
        of those that are not secret.
        """
        if reader is None or not reader.moderates or self.plays(reader.person):
            return False
        return reader.role is SeatRole.MASTER or not self.is_secret(seat)

    def may_order_for(self, reader: Seat | None, seat: Seat) -> bool:
        """Whether this reader may give the orders of a seat, and so see those in force: its holder, their deputy, and
        who runs the game with all rights and does not play. Whatever takes a seat to read, offer, complete or refuse
        orders for it asks here.
        """
        own = reader is not None and self.principal(reader).id == self.principal(seat).id
        return own or (reader in self.masters and self.knows(reader, seat))

    def knows_duties(self, reader: Seat | None, seat: Seat) -> bool:
        """Whether this reader may know what the seat has to order, and whether its orders are in: where that is hidden,
        only who runs the game with all rights, and does not play.
        """
        knows = self.knows(reader, seat) or (self.shows_progress and not self.is_secret(seat))
        return knows and not (self.hides_duties and (reader is None or reader.role is not SeatRole.MASTER))

    def knows_writing(self, reader: Seat | None) -> bool:
        """Whether this gamemaster may know when each player last wrote: where press may be, or was, unsigned, that
        tells whose it is, so that only who runs the game with all rights may know it.
        """
        return reader is not None and reader.role is SeatRole.MASTER

    def knows_arrival(self, reader: Seat | None, seat: Seat) -> bool:
        """Whether this gamemaster may know that mail to the seat does not arrive: that tells whose seat it is, by the
        address to which no other mail arrives either; a reminder that comes back says whose orders are missing, where
        that is hidden; and of a deputy know only those who know what is not everybody's.
        """
        hidden = (self.hides_duties and not self.knows_duties(reader, seat)) or not self.knows_holder(reader, seat)
        return not hidden and (seat.deputy_of is None or self.knows(reader, seat))

    def knows_holder(self, reader: Seat | None, seat: Seat) -> bool:
        """Whether this reader may know who holds a seat: of a game with a secret one, not before it has begun."""
        if reader is not None and seat.is_of(reader.person):
            return True
        knows = self.knows(reader, seat) and not self.undealt
        return knows or not (self.names_hidden or self.is_secret(seat))

    def power_known(self, reader: Seat | None, seat: Seat) -> Power | None:
        """The power of a seat, as far as this reader may know it: while a game forms whose players are hidden, what
        they name themselves would tell who has joined last.
        """
        return None if self.state is GameState.FORMING and not self.knows_holder(reader, seat) else seat.power

    def masters_of(self, seat: Seat) -> tuple[Seat, ...]:
        """The gamemasters who may know about this seat; not one who plays, if the seat is secret."""
        return tuple(one for one in self.masters if not (self.is_secret(seat) and self.plays(one.person)))

    @property
    def observers(self) -> tuple[Seat, ...]:
        """The seats of observers."""
        return tuple(seat for seat in self.seats if seat.role is SeatRole.OBSERVER)

    def principal(self, seat: Seat) -> Seat:
        """The seat whose orders the holder of this one gives: its own, or a deputy's player's."""
        return self._by_id[seat.deputy_of] if seat.deputy_of is not None else seat

    def deputies_of(self, *seats: Seat) -> tuple[Seat, ...]:
        """The deputies of the players of these seats, those to come too."""
        ids = {seat.id for seat in seats}
        return tuple(seat for seat in self.seats if seat.deputy_of in ids and seat.person is not None)

    @property
    def held(self) -> tuple[Seat, ...]:
        """The players' seats that somebody holds."""
        return tuple(seat for seat in self.players if seat.person is not None)

    @property
    def vacant(self) -> tuple[Seat, ...]:
        """The players' seats that a new player could take, as far as is public: never a secret one."""
        empty = (seat for seat in self.players if seat.person is None and seat.dummy_since is None)
        return tuple(seat for seat in empty if not self.is_secret(seat))

    @cached_property
    def standins(self) -> tuple[Seat, ...]:
        """The seats without a player that stand-ins play."""
        empty = (seat for seat in self.players if seat.person is None and seat.dummy_since is None)
        return tuple(seat for seat in empty if seat.power is not None and self.options.stands_in(seat.power))

    @cached_property
    def voters(self) -> tuple[Seat, ...]:
        """The seats that have a vote: with a player (assumed for a secret seat), and with a unit or a centre left."""
        return tuple(seat for seat in self.players if (seat.person or self.is_secret(seat)) and self.survives(seat))

    @property
    def people(self) -> Mapping[int, Person]:
        """Everybody who holds a seat, by id."""
        return {person.id: person for _, person in holders(self.seats)}

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers of the seats; before they are dealt, those that can be chosen."""
        return tuple(seat.power for seat in self.players if seat.power is not None) or self.variant.seating.powers

    def all_but(self, *left_out: Seat | None) -> tuple[Seat, ...]:
        """Every seat but these and the others of the people who hold them."""
        out = [seat for seat in left_out if seat is not None]
        ids, people = {seat.id for seat in out}, {person.id for _, person in holders(out)}
        return tuple(one for one in self.seats if one.id not in ids and one.account_id not in people)

    def digest_reader(self, seat: Seat) -> Person | None:
        """The holder of the seat, if news of the game can go in their digest: not if it is answered at once."""
        person = seat.person
        return person if person is not None and person.digest is not None and not self.options.practice else None

    def seat_of(self, power: Power) -> Seat | None:
        """The seat that plays the power."""
        return next((seat for seat in self.players if seat.power == power), None)

    def seats_of(self, person: Person | None) -> tuple[Seat, ...]:
        """The seats that this person holds."""
        return tuple(seat for seat in self.seats if seat.is_of(person))

    def with_person(self, person: Person) -> Game:
        """The game with the present state of this person."""
        if not self.seats_of(person):
            return self
        return replace(
            self, seats=tuple(replace(seat, person=person) if seat.is_of(person) else seat for seat in self.seats)
        )

    def plays(self, person: Person | None) -> bool:
        """Whether this person plays a power."""
        return any(seat.is_of(person) for seat in self.players)

    def plays_openly(self, person: Person | None) -> bool:
        """Whether this person plays a power, and not in a seat that is secret: what others can see asks this."""
        return any(seat.is_of(person) and not self.is_secret(seat) for seat in self.players)

    def survives(self, seat: Seat) -> bool:
        """Whether the seat is still in the game, as far as is public: with an order to give, or a unit or centre."""
        if self.position is None or seat.power is None or (self.variant.veiled and not self.over):
            return True
        return seat.power in self.duties or self.variant.seating.keeps(self.position, seat.power)

    @property
    def shows_progress(self) -> bool:
        """Whether everybody may see whose orders are in."""
        return self.options.shows_progress and self.running and not self.hides_duties

    @property
    def hides_duties(self) -> bool:
        """Whether it must not be seen who has something to order, or has ordered it."""
        return self.variant.hides_duties

    @property
    def names_hidden(self) -> bool:
        """Whether players know each other only by power; before a game with a secret seat begins, not even by that."""
        rule = self.options.anonymous
        return self.undealt or rule == "always" or (rule == "yes" and not self.over)

    @property
    def hides_holders(self) -> bool:
        """Whether it is hidden who has some seat."""
        return self.names_hidden or any(map(self.is_secret, self.players))

    @property
    def undealt(self) -> bool:
        """Whether a secret seat is still to be dealt: the gamemaster may take a seat, and must not see who has one."""
        return self.state is GameState.FORMING and bool(self.variant.seating.secret)

    def is_secret(self, seat: Seat) -> bool:
        """Whether the holder of the seat is secret until the game is over."""
        return seat.power in self.variant.seating.secret and not self.over

    # the state of play

    @property
    def running(self) -> bool:
        """Whether orders are accepted."""
        return self.state is GameState.RUNNING

    @property
    def over(self) -> bool:
        """Whether the game has ended, with or without a result."""
        return self.state in (GameState.FINISHED, GameState.ABORTED)

    @property
    def paused(self) -> bool:
        """Whether there is no deadline until the game is resumed."""
        return self.paused_at is not None

    @property
    def position(self) -> Position | None:
        """The position of the phase; None before the start."""
        return self.phase.position if self.phase is not None else None

    @property
    def present(self) -> PhasePlayed:
        """The phase of a game that has begun. Raises LookupError before the start."""
        if self.phase is None:
            raise LookupError(f"{self.name} has not begun")
        return self.phase

    @property
    def phase_id(self) -> int | None:
        """The key of the phase; None before the start."""
        return self.phase.id if self.phase is not None else None

    @property
    def code(self) -> str:
        """The code of the phase, as S1901M; "" before the start."""
        return self.phase.code if self.phase is not None else ""

    @property
    def running_phase_id(self) -> int | None:
        """The key of the phase whose orders are accepted; None before the start and after the end."""
        return self.phase_id if self.running else None

    @property
    def due_at(self) -> datetime | None:
        """The deadline: of the orders or, once these are closed for review, of the review."""
        return self.deadline.due_at if self.deadline is not None else None

    @property
    def timed(self) -> bool:
        """Whether the phase ends at a deadline: not in a game that has none, unless its gamemaster has set one."""
        return self.options.timed or self.deadline is not None

    @property
    def in_review(self) -> bool:
        """Whether orders are closed, and only the seat that reviews them may change them."""
        return self.phase is not None and self.phase.closed_at is not None

    @property
    def withheld(self) -> bool:
        """Whether orders are closed, and the results wait for the gamemaster to release them."""
        return self.in_review and self.variant.review is None

    @property
    def is_corrected(self) -> bool:
        """Whether the phase is about to be adjudicated again with other orders."""
        return self.phase is not None and self.phase.correction is not None and not self.withheld

    @property
    def in_grace(self) -> bool:
        """Whether the deadline has passed and missing orders are still accepted."""
        return self.phase is not None and not self.in_review and self.phase.passed_at is not None

    def reviews(self, seat: Seat | None) -> bool:
        """Whether this is the seat that may change the others' orders once they are closed."""
        review = self.variant.review
        return review is not None and seat is not None and seat.power == review.seat

    def closed_to(self, seat: Seat | None) -> bool:
        """Whether the orders are closed, and this seat may not change them."""
        return self.in_review and not self.reviews(seat)

    # the orders

    @property
    def duties(self) -> Mapping[Power, Duty]:
        """What each power has to order now; powers with nothing to order are left out."""
        return self.phase.duties if self.phase is not None and self.running else {}

    def duty_of(self, seat: Seat) -> Duty | None:
        """What the seat has to order now, if anything."""
        return self.duties.get(seat.power or NO_POWER)

    def set_of(self, seat: Seat) -> OrderSet | None:
        """The set in force for the power of the seat; None when none was sent."""
        return self.orders.get(self.principal(seat).id)

    def orders_of(self, seat: Seat) -> tuple[Order, ...]:
        """The seat's orders in force; empty when it has sent none."""
        given = self.set_of(seat)
        return given.orders if given is not None else ()

    def next_set(self, seat: Seat, orders: tuple[Order, ...], received_at: datetime, mail_id: int | None) -> OrderSet:
        """The set that follows the one in force."""
        earlier = self.orders.get(seat.id)
        duty = self.duty_of(seat)
        return OrderSet(
            number=earlier.number + 1 if earlier is not None else 1,
            orders=orders,
            complete=duty is not None and duty.met_by(orders),
            received_at=received_at,
            mail_id=mail_id,
        )

    @property
    def orders_by_power(self) -> Mapping[Power, tuple[Order, ...]]:
        """All orders in force, including the empty set of a player who said READY."""
        sent = {seat.power: self.orders[seat.id] for seat in self.players if seat.power and seat.id in self.orders}
        return {power: given.orders for power, given in sent.items() if given.says_something}

    def has_ordered(self, seat: Seat, *, incomplete_too: bool = True) -> bool:
        """Whether the seat's orders are in: all of them, or with `incomplete_too` any of them."""
        given = self.set_of(seat)
        return given is not None and (
            (given.complete and given.number > 0) or (incomplete_too and given.says_something)
        )

    def has_sent(self, seat: Seat) -> bool:
        """Whether somebody has written orders for the seat in this phase, used or not."""
        given = self.set_of(seat)
        return given is not None and given.sent

    def is_in(self, seat: Seat) -> bool:
        """Whether the phase no longer waits for what the seat sends when its deadline has passed, and the seat does not
        count as missing: it has sent what can be used or, where that must not be seen, anything.
        """
        return self.has_sent(seat) if self.waits_for_all else self.has_ordered(seat)

    @property
    def waits_for_all(self) -> bool:
        """Whether a phase waits for what each player sends, whatever they have to order, since that must not be seen. A
        private game hides nothing from anybody.
        """
        return self.hides_duties and not self.options.private

    def is_awaited(self, seat: Seat) -> bool:
        """Whether the phase waits for what the seat sends. Whatever waits for orders, or ends a phase early, asks here,
        so that it tells no more than it may.
        """
        if not self.running or not self.waits_for_all:
            return seat.power in self.duties
        return seat.role is SeatRole.PLAYER and self.survives(seat) and not self.reviews(seat)

    def is_asked(self, seat: Seat) -> bool:
        """Whether the seat is asked by mail for what it has not sent: for orders or, if the phase waits beyond its
        deadline for whoever is silent, whatever they have to order, for READY.
        """
        return seat.power in self.duties or (self.asks_all and self.is_awaited(seat))

    @property
    def asks_all(self) -> bool:
        """Whether a phase waits beyond its deadline also for players who have nothing to order."""
        return self.waits_for_all and (self.options.nmr == "wait" or self.options.clock.grace is not None)

    @cached_property
    def expected(self) -> tuple[Seat, ...]:
        """The seats whose orders a phase can wait for: those with a player and, where all are waited for, those that
        have lost theirs in this phase, so that emptying a seat does not show whether its orders were in.
        """
        phase = self.phase
        if phase is None or not self.waits_for_all:
            return self.held
        return tuple(one for one in self.players if one.person or one.left_in == phase.number)

    @cached_property
    def missing(self) -> tuple[Seat, ...]:
        """The seats that are waited for and have sent nothing, including vacant ones, but neither dummies nor those
        that stand-ins play, unless they are still expected.
        """
        idle = (seat for seat in self.players if seat.dummy_since is None and seat not in self.standins)
        free = dict.fromkeys((*self.expected, *idle))
        return tuple(one for one in self.players if one in free and self.is_awaited(one) and not self.is_in(one))

    @property
    def late(self) -> tuple[Seat, ...]:
        """Those that are missing and expected."""
        return tuple(seat for seat in self.missing if seat in self.expected)

    @property
    def unfinished(self) -> tuple[Seat, ...]:
        """The seats with a player that are asked for orders, or for READY, and have not sent all of them: who is
        reminded. One that may change the others' orders is, where it must order before the deadline. After a rollback
        all may be in force from before.
        """
        review = self.variant.review
        if not self.running or self.phase is None:
            return ()
        reads = review is None or review.awaited(self.phase.position)
        asked = (seat for seat in self.held if self.is_asked(seat) and (reads or not self.reviews(seat)))
        return tuple(seat for seat in asked if not self._has_all_in_force(seat))

    def _has_all_in_force(self, seat: Seat) -> bool:
        given = self.set_of(seat)
        kept = given is not None and given.complete and seat.power in self.duties
        return kept or self.has_ordered(seat, incomplete_too=False)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats that are expected, and that are waited for."""
        return tuple(filter(self.is_awaited, self.expected))

    @property
    def all_orders_are_in(self) -> bool:
        """Whether all players' orders are in (after the deadline even if incomplete), and nobody has said WAIT. If only
        stand-ins have something to order, nobody is waited for, unless that would tell it (`is_awaited`). With nmr=wait
        a power without a player is waited for.
        """
        if self.options.nmr == "wait" and self.late != self.missing:
            return False
        late, due = self.in_grace, self.awaited
        waiting = not late and any(seat.wait for seat in self.expected)
        alone = self.held and (self.options.practice or any(seat.power in self.duties for seat in self.standins))
        done = self.is_in if late else partial(self.has_ordered, incomplete_too=False)
        return bool(due or alone) and not waiting and all(map(done, due))

    # the names

    @property
    def lexicon(self) -> Lexicon:
        """The names that every player may write."""
        return self.lexicon_of(None)

    def lexicon_of(self, seat: Seat | None, also: tuple[tuple[str, Location], ...] = ()) -> Lexicon:
        """The names that the holder of the seat may write: also their own, and those in `also`, which are about to be
        defined."""
        own = {**dict(seat.names if seat is not None else ()), **dict(also)}
        board, powers, spellings = self._named_by(seat)
        return lexicon_of(board, powers, self.variant.language, spellings, tuple(sorted(own.items())))

    @property
    def written_for(self) -> Phase:
        """The phase that orders are taken to be for: the present one, or the one that the game would begin with."""
        return (self.position or self._opening).phase

    @cached_property
    def _opening(self) -> Position:
        return self.variant.opening(self.powers, self.chance)

    def enters(self, seat: Seat) -> bool:
        """Whether the seat's power comes into the game when this phase is adjudicated."""
        late = self.variant.seating.late
        return late is not None and self.position is not None and seat.power in late.enlisted(self.position)

    def _named_by(self, seat: Seat | None) -> _Named:
        """What has names for the seat: a newcomer may name what comes into the game with them."""
        late, position = self.variant.seating.late, self.position
        if seat is None or late is None or position is None or not self.enters(seat):
            return self._named
        there, _ = late.arrive(position)
        return self._names_in(there, self.variant.board(there))

    @cached_property
    def _named(self) -> _Named:
        position = self.position or self._opening
        return self._names_in(position, self.phase.board if self.phase is not None else self.variant.board(position))

    def _names_in(self, position: Position, board: FiniteBoard) -> _Named:
        """The board and the powers that have names, and further names of powers."""
        spellings = tuple(sorted(self.variant.language.spellings(position).items()))
        return board, self.variant.powers(position), spellings
