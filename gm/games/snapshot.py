"""A game as it stands, as values: the seats round the table, the phase being played and the orders given for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy.orm import Session

from gm.board import Location, Power
from gm.chance import Chance
from gm.options import GameOptions
from gm.orders import Order
from gm.orders.codec import order_from_json
from gm.orders.needs import Duty
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.position import Position, position_from_json
from gm.store import agenda, game_rows, order_rows, people
from gm.store.agenda import DeadlineRow
from gm.store.game_rows import GameRow, GameState, PhaseRow, SeatRole, SeatRow
from gm.store.order_rows import OrderSetRow, private_names
from gm.store.people import AccountRow
from gm.variants import NoSuchEdition, Variant


@dataclass
class Table:
    """One game within one transaction. What is asked for is read once."""

    session: Session
    game: GameRow
    speaker: SeatRow | None = None
    """Whose mail is being read: his names for places are known too."""

    @cached_property
    def options(self) -> GameOptions:
        """The game's options."""
        return GameOptions(self.game.options)

    @cached_property
    def variant(self) -> Variant:
        """The rules that are played."""
        return self.options.variant

    @property
    def playable(self) -> bool:
        """Whether this server has the edition of the rules that the game began with."""
        try:
            return bool(self.variant)
        except NoSuchEdition:
            return False

    @cached_property
    def chance(self) -> Chance:
        """The game's random draws."""
        return Chance(bytes.fromhex(self.game.seed), self.game.name)

    @cached_property
    def seats(self) -> Sequence[SeatRow]:
        """All seats, in the order they were taken."""
        return game_rows.seats_of(self.session, self.game.id)

    @cached_property
    def accounts(self) -> Mapping[int, AccountRow]:
        """The people at the table, by id."""
        ids = {seat.account_id for seat in self.seats if seat.account_id is not None}
        return {account.id: account for account in people.accounts_by_id(self.session, ids)}

    @property
    def players(self) -> list[SeatRow]:
        """The seats of players, vacant ones too."""
        return [seat for seat in self.seats if seat.role is SeatRole.PLAYER]

    @property
    def masters(self) -> list[SeatRow]:
        """The gamemasters."""
        return [seat for seat in self.seats if seat.role is SeatRole.MASTER]

    @property
    def observers(self) -> list[SeatRow]:
        """The seats of those who watch."""
        return [seat for seat in self.seats if seat.role is SeatRole.OBSERVER]

    @property
    def held_by_people(self) -> list[SeatRow]:
        """The players' seats that somebody holds."""
        return [seat for seat in self.players if seat.account_id is not None]

    @property
    def vacant(self) -> list[SeatRow]:
        """The players' seats that somebody could take."""
        return [seat for seat in self.players if seat.account_id is None and seat.dummy_since is None]

    @property
    def voters(self) -> list[SeatRow]:
        """The seats whose say counts: held by somebody, and still with a unit or a centre."""
        return [seat for seat in self.held_by_people if self.survives(seat)]

    def survives(self, seat: SeatRow) -> bool:
        """Whether the power still has a unit or a centre, as far as everybody knows. Of a secret one nobody knows."""
        position, power = self.position, Power(seat.power or "")
        if position is None or power in self.variant.seating.secret:
            return True
        return bool(position.units_of(power) or position.centers_of(power) or position.dislodged_of(power))

    @property
    def names_hidden(self) -> bool:
        """Whether players know each other by power only; before a game with a secret seat begins, not even so."""
        rule = self.options.anonymous
        if self.game.state is GameState.FORMING and self.variant.seating.secret:
            return True
        return rule == "always" or (rule == "yes" and self.game.state is not GameState.FINISHED)

    @property
    def paused(self) -> bool:
        """Whether the clock stands."""
        return self.game.paused_at is not None

    @property
    def in_grace(self) -> bool:
        """Whether the deadline has passed and missing orders are waited for."""
        if self.phase is None or self.in_review:
            return False
        return agenda.passed(self.session, self.phase.id) is not None

    @property
    def in_review(self) -> bool:
        """Whether the orders are closed and only the seat that may alter them is waited for."""
        return self.phase is not None and self.phase.closed_at is not None

    def reviews(self, seat: SeatRow | None) -> bool:
        """Whether this is the seat that may alter the others' orders once they are closed."""
        review = self.variant.review
        return review is not None and seat is not None and seat.power == review.seat

    def is_secret(self, seat: SeatRow) -> bool:
        """Whether nobody is told who holds the seat; when the game is over everybody is."""
        over = self.game.state in (GameState.FINISHED, GameState.ABORTED)
        return seat.power in self.variant.seating.secret and not over

    @property
    def line(self) -> list[PhaseRow]:
        """The phases played so far and the present one, without what was rolled back."""
        return game_rows.line_of(self.session, self.game)

    @property
    def running(self) -> bool:
        """Whether orders are taken."""
        return self.game.state is GameState.RUNNING

    @cached_property
    def phase(self) -> PhaseRow | None:
        """The phase being played; None before the start. After the end, the last one."""
        return game_rows.current_phase(self.session, self.game)

    @cached_property
    def position(self) -> Position | None:
        """The position of that phase."""
        return self.position_of(self.phase) if self.phase is not None else None

    def position_of(self, phase: PhaseRow) -> Position:
        """The position of a phase of this game, past or present."""
        return position_from_json(phase.position, self.variant.language.kinds)

    @cached_property
    def deadline(self) -> DeadlineRow | None:
        """When the phase is adjudicated."""
        return agenda.deadline_of(self.session, self.phase.id) if self.phase is not None else None

    @cached_property
    def duties(self) -> Mapping[Power, Duty]:
        """What each power has to order in this phase; those with nothing are left out."""
        if self.position is None or not self.running:
            return {}
        return self.variant.duties(self.position)

    @property
    def lexicon(self) -> Lexicon:
        """The names that may be written in this game, those that the speaker has for himself too."""
        return self.lexicon_of(self.speaker)

    def lexicon_of(self, seat: SeatRow | None, also: tuple[tuple[str, Location], ...] = ()) -> Lexicon:
        """The names that the seat may write, with those that it has for itself, and others that it is about to have."""
        own = private_names(self.session, seat.id) if seat is not None else {}
        if not own and not also:
            return self.lexicon_without_private_names
        return self._lexicon(tuple(sorted({**{name: Location(at) for name, at in own.items()}, **dict(also)}.items())))

    @cached_property
    def lexicon_without_private_names(self) -> Lexicon:
        """The names that everybody may write."""
        return self._lexicon(())

    def _lexicon(self, own: tuple[tuple[str, Location], ...]) -> Lexicon:
        position = self.position or self.variant.opening(self.powers, self.chance)
        return lexicon_of(
            self.variant.board(position),
            self.variant.powers(position),
            self.variant.language,
            tuple(sorted(self.variant.language.spellings(position).items())),
            own,
        )

    def order_sets(self) -> Mapping[int, OrderSetRow]:
        """The set in force of each seat that has sent orders for this phase, by seat id. Read anew each time."""
        return order_rows.latest_order_sets(self.session, self.phase.id) if self.phase is not None else {}

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers of the game: as the seats have them, or before they are dealt those there are to choose from."""
        named = tuple(Power(seat.power) for seat in self.players if seat.power is not None)
        return named or self.variant.seating.powers

    @property
    def taken(self) -> int:
        """How many players' seats somebody holds."""
        return sum(seat.account_id is not None for seat in self.players)

    def seat_of(self, power: Power) -> SeatRow | None:
        """The seat that plays the power."""
        return next((seat for seat in self.players if seat.power == power), None)

    def account_of(self, seat: SeatRow) -> AccountRow | None:
        """Who holds the seat; None when it is vacant."""
        return self.accounts.get(seat.account_id) if seat.account_id is not None else None

    def forget(self) -> None:
        """Read everything anew when it is asked for next: seats, phase or deadline were changed."""
        for name in ("seats", "accounts", "phase", "position", "deadline", "duties"):
            self.__dict__.pop(name, None)

    def forget_options(self) -> None:
        """The game's options were changed."""
        for name in ("options", "variant", "lexicon", "duties"):
            self.__dict__.pop(name, None)

    def everybody_is_in(self) -> bool:
        """Whether no order is missing of anybody who could still send it, and nobody asked to wait.

        Once the deadline has passed, whatever somebody has sent will do.
        """
        late, given = self.in_grace, self.order_sets()
        due = [seat for seat in self.players if seat.power in self.duties and seat.account_id is not None]
        waiting = not late and any(seat.wait for seat in self.players if seat.account_id is not None)
        return bool(due) and not waiting and all(_is_in(given.get(seat.id), incomplete_too=late) for seat in due)

    def has_ordered(self, seat: SeatRow, *, incomplete_too: bool = True) -> bool:
        """Whether the seat's orders are in: all of them, or with `incomplete_too` any."""
        return _is_in(self.order_sets().get(seat.id), incomplete_too=incomplete_too)

    @property
    def missing(self) -> list[SeatRow]:
        """The seats that have something to order and have sent nothing, vacant ones too, dummies not."""
        due = [
            seat
            for seat in self.players
            if seat.power in self.duties and seat.dummy_since is None and not self.reviews(seat)
        ]
        return [seat for seat in due if not self.has_ordered(seat)]


def _is_in(given: OrderSetRow | None, *, incomplete_too: bool) -> bool:
    return given is not None and (given.complete or (incomplete_too and bool(given.orders)))


def orders_of(table: Table, order_set: OrderSetRow | None) -> tuple[Order, ...]:
    """The orders of a stored set; none for None."""
    language = table.variant.language
    return tuple(order_from_json(value, language) for value in order_set.orders) if order_set is not None else ()


def orders_by_power(table: Table, phase: PhaseRow) -> dict[Power, tuple[Order, ...]]:
    """All orders in force for a phase of this game, past or present."""
    powers = {seat.id: Power(seat.power) for seat in table.players if seat.power is not None}
    sets = order_rows.latest_order_sets(table.session, phase.id)
    return {powers[seat_id]: orders_of(table, given) for seat_id, given in sets.items() if seat_id in powers}
