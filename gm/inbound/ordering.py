"""What a text would order at a seat now, however it is worded."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, islice

from gm import patterns as re
from gm.board import Location, Power, standard_board
from gm.commands.all_powers import pieces_of
from gm.commands.context import Context
from gm.errors import GmError, NotUnderstood
from gm.games.order_page import groups_of
from gm.games.report_inputs import view_of
from gm.games.snapshot import Game, PhasePlayed, Seat
from gm.orders import Move
from gm.orders.notation import short, write
from gm.orders.possible import NOTHING
from gm.parsing.headings import season_ahead
from gm.parsing.lexicon import FIRST_POWER, Lexicon, fold, shorten
from gm.parsing.meant import keeps_orders, meant, nearest, orders_by
from gm.parsing.meant_words import Mine, Way, says, without_comments
from gm.parsing.orders import Attributed, parted, read_among, read_orders
from gm.parsing.questions import clauses, sentences
from gm.parsing.sayings import is_a_name
from gm.parsing.thoughts import mistake_in, without_thoughts
from gm.position import Phase, PhaseKind, Unit
from gm.reports import listed
from gm.reports.forms import in_example
from gm.store.game_rows import GameState, SeatRole

_PHASES_AHEAD = 6
MOST_MEANT = 10
"""The most sentences that are looked at, and pieces of one."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence may mean."""

    ways: tuple[Way, ...]
    """The ways of ordering, the likeliest first."""
    unused: tuple[str, ...]
    """Its words that are in none of them."""
    named: bool
    """Whether it says which units it orders, as it must where they move and are not all in one place: `I am going to
    Denmark` need order none.
    """
    back: Way = ()
    """Orders of the sentences before that it takes back, or places of builds that are not meant."""
    slips: tuple[str, ...] = ()
    """How its misspelt names were read: `rhur as Ruhr`."""
    aside: tuple[str, ...] = ()
    """What it says that no order can have: a condition, and the powers that it names but for those of units."""


def ordering_at(game: Game | None, reader: Seat | None, named: Seat | None = None) -> Ordering | None:
    """What the reader's seat has to order, or the `named` one; None if nothing, or if it may not be known to them."""
    seat = named or reader
    if game is None or seat is None or not game.running or not game.may_order_for(reader, seat):
        return None
    if seat.power is None or seat.power not in game.duties:
        return None
    return Ordering(game, seat, game.present, seat.power)


def orderings_of(ctx: Context) -> Iterator[tuple[Game, Ordering | None]]:
    """The few games that a sender plays, with what they have to order there; none, if they are more."""
    games = ctx.tx.games_of(ctx.person, GameState.RUNNING) if ctx.person is not None else []
    played = [game for game in games if game.plays(ctx.person)]
    for game in played if len(played) <= _FEW_GAMES else ():
        seats = (seat for seat in game.seats_of(ctx.person) if seat.role is SeatRole.PLAYER)
        yield game, ordering_at(game, next(seats, None))


_FEW_GAMES = 3
_DENIES = re.compile(
    r"\b(?:not|nicht|pas) (?:to |in |into |nach |à |en )?(?P<where>[\w.'’/ -]{2,25}?)(?=[,;.:]|\bbut\b|\Z)", re.I
)
"""What says where nothing is to go."""
_SLASHED = re.compile(r"[ ]/[ ](?![nsew]c\b)", re.IGNORECASE)
"""What stands between orders where these mails write them in one line: `A Par-Bur / A Mar H`."""
_NOT_MEANT = re.compile(
    r"\A\W*+(?:(?:oops|sorry|no|nein|pardon|well|ups)\b[,! ]*+)*+\b(?:not|nicht|pas) "
    r"(?:(?:to|the|nach|à) )?+[\w.'’/ -]{2,25}+(?=[:,;])",
    re.IGNORECASE,
)
"""What begins a correction, and names what is not meant: `Oops, not Burgundy: A Par-Pic`."""


@dataclass(frozen=True)
class Ordering:
    """A seat that has orders to give now, and what a text would order at it."""

    game: Game
    seat: Seat
    phase: PhasePlayed
    power: Power
    proposed: Way = ()
    """The orders that were proposed to the writer of a mail that answers this."""
    declined: bool = False
    """Whether the mail says NO to them."""
    taken: Way = ()
    """Those that the mail takes, and changes: they count for units without an order in force."""

    @property
    def kind(self) -> PhaseKind:
        return self.phase.position.phase.kind

    @property
    def lexicon(self) -> Lexicon:
        return self.game.lexicon_of(self.seat)

    @property
    def has_lists(self) -> bool:
        """Whether lists of places are ordered now."""
        return any(one.listing and one.listing.phase is self.kind for one in self.lexicon.language.dialects)

    @cached_property
    def mine(self) -> Mine:
        """What the seat has to order."""
        building = self.kind is PhaseKind.ADJUSTMENT
        units = self.phase.position.units_of(self.power) if building else self.game.duties[self.power].units
        own = tuple((unit.kind, unit.at) for unit in units)
        says, given = (self._proper, self._among, self._does), (self.in_force, self.proposed, self.declined)
        return Mine(own, self.phase.board, *says, self._offers, *given)

    @property
    def _offers(self) -> Way:
        """What may be ordered beside what must be, in a phase of builds."""
        variant, position = self.game.variant, self.phase.position
        offered = variant.offered(variant, position, self.power) if self.kind is PhaseKind.ADJUSTMENT else ()
        return tuple(write(order) for orders in offered for order in orders)

    @property
    def due(self) -> int | None:
        """How many units may be built; None where nothing is."""
        count = self.game.duties[self.power].need.count if self.kind is PhaseKind.ADJUSTMENT else 0
        return count if count > 0 else None

    def _does(self, at: Location) -> str:
        unit = next((f"{kind} {short(place)}" for kind, place in self.mine.units if place == at), "")
        given = (*self.in_force(), *self.taken) if unit else ()
        own = (order for order in given if self.unit_of(order) == unit)
        return next((order.removeprefix(unit).strip() for order in own), "")

    def ahead(self, text: str) -> Ordering | None:
        """What the seat may have to order in the later phase of movement of which a text speaks: for its units where
        they are, and where they go by the orders in force. None if it speaks of none.
        """
        now = self.phase.position.phase
        season, is_next = season_ahead(without_comments(text), self.lexicon.language.kinds)
        if (season is None and not is_next) or (season == now.season and not is_next):
            return None
        later = next((one for one in self._phases_ahead(now) if season in (None, one.season)), None)
        if later is None:
            return None
        moves = [order for order in self.game.orders_of(self.seat) if isinstance(order, Move)]
        moved = (replace(order.unit, at=order.to) for order in moves)
        units = dict.fromkeys((*self.phase.position.units, *moved))
        position = replace(self.phase.position, phase=later, units=tuple(units), dislodged=())
        return replace(self, phase=replace(self.phase, position=position))

    def builds_ahead(self, text: str) -> tuple[str, Way]:
        """The builds of which a text speaks before they are due, at home, and the code of their phase; none if it does
        not say that it speaks of then, or of builds on a condition, as those ahead are.
        """
        now, plain = self.phase.position.phase, without_comments(text)
        season, _ = season_ahead(plain, self.lexicon.language.kinds)
        then = next((one for one in self._ahead_of(now) if one.kind is PhaseKind.ADJUSTMENT), None)
        if now.kind is PhaseKind.ADJUSTMENT or then is None or not says(plain, "build"):
            return "", ()
        said, condition = parted(plain, self.lexicon)
        if season is not then.season and not condition and _BEFORE_BUILDS.search(plain) is None:
            return "", ()
        units = replace(self.mine, units=(), proper=self._build_at_home, among=_nothing_among)
        found = next(meant([said if says(said, "build") else plain], self.lexicon, PhaseKind.ADJUSTMENT, units))
        return then.code, found.ways[0] if found.ways else ()

    def _build_at_home(self, order: str) -> str:
        """A build as it is written, if it is in a home centre of the power."""
        reading = read_orders(order, self.lexicon, PhaseKind.ADJUSTMENT)
        own = reading.is_whole and len(reading.orders) == 1 and order.lower().startswith("build ")
        at = Location(order.split()[-1].lower()) if own else None
        home = at is not None and self.phase.board.home(self.phase.board.province(at)) == self.power
        return order.replace("BUILD", "Build") if home else ""

    def _ahead_of(self, phase: Phase) -> Iterator[Phase]:
        """The phases that come next, of each season all."""
        for _ in range(_PHASES_AHEAD):
            following = self.game.variant.after_season(phase)
            yield from following
            phase = next(iter(following), phase)

    def _phases_ahead(self, now: Phase) -> Iterator[Phase]:
        """The phases of movement that come next."""
        phase = now
        for _ in range(_PHASES_AHEAD):
            phase = next(iter(self.game.variant.after_season(phase)), phase)
            if phase.kind is PhaseKind.MOVEMENT:
                yield phase

    def _proper(self, order: str) -> str:
        reading = read_orders(order, self.lexicon, self.kind)
        return " ".join(self._written(reading.orders)) if len(reading.orders) == 1 and not reading.faults else ""

    def _said_alone(self, text: str) -> Way:
        """The order that a clause is, in a game that has orders for no unit, as `keep Paris safe` is."""
        return tuple(filter(None, [self._proper(text)])) if self.lexicon.language.dialects else ()

    def _written(self, given: Sequence[Attributed]) -> tuple[str, ...]:
        """These orders as they are written, if each of them is allowed; otherwise none."""
        with suppress(GmError):
            order_of = self.game.variant.order_of
            return tuple(write(order_of(self.phase.position, self.power, *one)) for one in given)
        return ()

    def faults_among(self, text: str) -> Iterator[GmError]:
        """Why the orders in notation among the words of a text are not allowed now, of those that are not."""
        read = read_among(text, self.lexicon, self.kind, pieces_of(self.game, self.seat))
        yield from filter(None, map(self._fault, read))

    def _among(self, text: str) -> tuple[str, ...]:
        """The orders of a text without all words that no order has."""
        own = pieces_of(self.game, self.seat)
        return self._written(read_among(text, self.lexicon, self.kind, own))

    @cached_property
    def possible(self) -> tuple[str, ...]:
        """The orders that are possible in a phase of retreats or of builds and removals: those of the order page."""
        if self.kind is PhaseKind.MOVEMENT:
            return ()
        groups = groups_of(self.game.variant, view_of(self.game, self.seat), self.power)
        return tuple(dict.fromkeys(chain.from_iterable(group.lines for group in groups)))

    def in_example(self) -> str:
        """What three orders that the seat can give now do; "" but in a phase of movement."""
        units, position = self.game.duties[self.power].units, self.phase.position
        legal = (self.game.variant.legal_orders(self.phase.board, position, unit, NOTHING) for unit in units)
        return in_example(chain.from_iterable(legal)) if self.kind is PhaseKind.MOVEMENT else ""

    def farther(self, unit: Unit) -> list[str]:
        """Where only others can bring a unit of the seat's, as a convoy does, of all places that can be ordered now."""
        board, position = self.phase.board, self.phase.position
        near = {*board.neighbours(unit.kind, unit.at)}
        orders = self.game.variant.legal_orders(board, position, unit, NOTHING)
        return [short(order.to) for order in orders if isinstance(order, Move) and order.to not in near]

    def nearest(self, text: str) -> tuple[Way, ...]:
        """The likeliest orders of a text of which no reading uses all names."""
        return nearest(text, self.lexicon, self.kind, self.mine)

    def not_denied(self, text: str) -> tuple[Way, ...]:
        """These orders without those of a place where nothing is to go, as a text says; of the unit that is ordered
        there now alone, if that is among them: `Paris not to Brest, to Picardy`.
        """
        ways = self.nearest(text)
        denied = {place for found in _DENIES.finditer(text) for place in self.places_in(found["where"])}
        parts = [(way, re.split("[ -]", " ".join(way))) for way in ways]
        ways = tuple(way for way, words in parts if denied.isdisjoint(words))
        meant_ = {self.unit_of(one) for one in self.in_force() for place in denied if one.endswith(f"-{place}")}
        return tuple(way for way in ways if meant_.issuperset(map(self.unit_of, way))) or ways

    def readings(self, texts: Sequence[str]) -> Iterator[Reading]:
        """The ways of ordering that the sentences of a mail may mean: of what depends on something, what stands before
        the condition.
        """
        texts = [self._as_meant(text, texts[:at]) for at, text in enumerate(texts)]
        texts = ["" if keeps_orders(text) else self._own_deeds(without_thoughts(text)) for text in texts]
        if self.kind is PhaseKind.MOVEMENT:  # of builds that takes something back
            texts = [_SLASHED.sub(", ", text) for text in texts]
            texts = [_NOT_MEANT.sub("", text) or text for text in texts]
        plain, conditions = zip(*map(self.parted, texts), strict=True) if texts else ((), ())
        for text, condition, found in zip(
            plain, conditions, meant(plain, self.lexicon, self.kind, self.mine), strict=True
        ):
            ways = found.ways
            parts = clauses(text)[:MOST_MEANT] if self.kind is PhaseKind.MOVEMENT else []
            read = (self._among(part) or self._said_alone(part) for part in parts)
            declared = [one for one in chain.from_iterable(read) if self.unit_of(one) == one]
            if ways or declared:
                first, *others = ways or ((),)
                rest = (one for one in first if one not in declared)
                ways = (*dict.fromkeys(((*dict.fromkeys(declared), *rest), *others)),)
            else:
                verb, _, _ = text.partition(" ")  # it may stand before the first only
                either = [one if number == 0 else f"{verb} {one}" for number, one in enumerate(_OR.split(text))]
                ways = tuple(filter(None, map(self._among, either if len(either) > 1 else ())))
            if self.due is not None:  # of more than may be built so many at a time are a way
                ways = tuple(chain.from_iterable(_each(way, self.due) for way in ways))
            unused = found.unused([*chain.from_iterable(ways)])
            if unused and (by_clauses := self._by_clauses(parts)):
                ways, unused = (by_clauses,), ()
            ways, unused = self._as_it_stands(ways, unused)
            alike = not unused and len({at for _, at in self.mine.units}) == 1 < len(self.mine.units)
            named = self.kind is not PhaseKind.MOVEMENT or bool(declared) or alike or found.names_any_of(self.mine)
            slips = tuple(f"{word} as {self.phase.board.full_name(at)}" for word, at in found.slips.items())
            depends = (repr(shorten(condition)),) if condition else ()
            powers = [*self._powers_beside(text)]
            if powers and not self.places_in(text):  # it speaks of these: `Italy and Russia have sent nothing at all`
                ways, unused = (), ()
            yield Reading(ways, unused, named, found.back, slips, (*powers, *depends))

    def _as_it_stands(self, ways: tuple[Way, ...], unused: tuple[str, ...]) -> tuple[tuple[Way, ...], tuple[str, ...]]:
        """These ways and the words in none of them; of a unit that is to stay with the place to which it is ordered,
        its order in force: `the fleet stays with Mid-Atlantic`.
        """
        order = next(iter(ways[0])) if len(ways) == 1 == len(ways[0]) else ""
        held = [one for one in self.in_force() if order.endswith(" H") and self.unit_of(one) == self.unit_of(order)]
        stands = held and unused and {*unused}.issubset(re.split(r"[ -]", held[0]))
        return (((held[0],),), ()) if stands else (ways, unused)

    def _by_clauses(self, parts: Sequence[str]) -> Way:
        """The orders of a sentence of which each clause is orders in notation or has nothing of any: `sorry for that.
        mar s par bur, bre mao. cheers`; none of another.
        """
        found, own = dict[str, None](), {short(at).partition("/")[0] for _, at in self.mine.units}
        for part in parts:
            names = self.places_in(part)
            begins = bool(names) and names[0].partition("/")[0] in own  # of a letter few do
            read = read_orders(part, self.lexicon, self.kind) if begins else None
            written = self._written(read.orders) if read is not None and read.is_whole else ()
            if not written and (names or orders_by(part, self.lexicon)):
                return ()
            found |= dict.fromkeys(written)
        return tuple(found)

    def _as_meant(self, text: str, above: Sequence[str]) -> str:
        """A sentence that says what was meant in place of what was written, as the order that is meant: with the unit
        that it names, or else with the one that goes to the wrong place by a sentence above, or by an order.
        """
        mistake = mistake_in(text)
        right = self.places_in(mistake.right) if mistake is not None else []
        if mistake is None or len(right) != 1 or any(says(mistake.wrong, verb) for verb in ("support", "convoy")):
            return text
        own = {short(at).partition("/")[0] for _, at in self.mine.units}
        wrong = self.places_in(mistake.wrong)
        said = chain.from_iterable(map(clauses, above))
        ordered = [self.places_in(one) for one in (*self.in_force(), *self.proposed, *said)]
        going = [places for places in ordered if len(places) > 1 and places[-1:] == wrong[-1:]]
        units = [one for places in (wrong[:-1], *reversed(going)) for one in places if one in own]
        return f"{mistake.before}{units[0]} to {right[0]}" if wrong and units else text

    def _own_deeds(self, text: str) -> str:
        """A text without those of its parts that say what another power does, which they begin with, where they name
        nothing that has a unit of the seat's: `Russia did go to Galicia`.
        """
        if not any(name in self.lexicon.powers for name in self.lexicon.scan(fold(text).folded).names):
            return text
        parts = _PARTS.split(text)
        return "".join(part for part in parts if not self._is_of_another(part))

    def _is_of_another(self, part: str) -> bool:
        scan = self.lexicon.scan(fold(part).folded)
        first = scan.names[0] if scan.names else None
        lead = scan.pieces[0].split()
        begins = first in self.lexicon.powers and first != self.power and _LEADS.issuperset(lead)
        return begins and not {*self.places_in(part)} & {short(at).partition("/")[0] for _, at in self.mine.units}

    def _powers_beside(self, text: str) -> Iterator[str]:
        """The other powers that a text names, but for those of a unit or a place, `Germany's army`, and of a move."""
        scan = self.lexicon.scan(fold(text).folded)
        for found in _POWER_ALONE.finditer(scan.form):
            name = scan.names[ord(found[0]) - FIRST_POWER]
            of_unit = any(says(word, "army") or says(word, "fleet") for word in found["next"].split())
            written = scan.pieces[2 * (ord(found[0]) - FIRST_POWER) + 1].strip()
            a_name = is_a_name(written) or written.upper() in text  # `aus Wien` is not of Austria
            if name != self.power and not of_unit and a_name:
                yield str(name)

    def in_force(self) -> frozenset[str]:
        """The seat's orders that count now, as they are written."""
        given = self.game.set_of(self.seat)
        return frozenset(map(write, given.orders)) if given is not None else frozenset()

    def as_whole_list(self, way: Way, said: str) -> Way:
        """Orders that can count only as a list with those in force, as that list: with each of them instead of the one
        in force whose place is `said`. None, if it is not known which these are.
        """
        variant, position, held = self.game.variant, self.phase.position, self.game.orders_of(self.seat)
        if not held:
            return way
        read = chain.from_iterable(read_orders(one, self.lexicon, self.kind).orders for one in way)
        over = variant.surplus(position, held, [variant.order_of(position, self.power, *one) for one in read])
        if over is None or not over.instead:
            return way
        given, places = [*map(write, held)], {*self.places_in(said)}
        new = [one for one in way if one not in given]
        old = [one for one in given if places.intersection(one.split("-")[1:])]
        if len(old) != len(new):
            return ()
        changed = dict(zip(old, new, strict=True))
        return (over.instead[0], *(changed.get(one, one) for one in given))

    def dropped_by(self, way: Sequence[str]) -> list[str]:
        """The builds or removals in force that these lines leave no room for: they would be deleted (ST-7)."""
        if self.kind is not PhaseKind.ADJUSTMENT or not self.game.duties[self.power].need.count:
            return []
        units = {self.unit_of(order) for order in way}
        left = [one for one in sorted(self.in_force()) if self.unit_of(one) not in units and f"CLEAR {one}" not in way]
        given = sum(not line.startswith("CLEAR ") for line in way)
        return left if given and given + len(left) > abs(self.game.duties[self.power].need.count) else []

    def taken_back(self, places: Way) -> tuple[str, ...]:
        """The lines that delete the builds or removals in force at these places."""
        if self.kind is not PhaseKind.ADJUSTMENT:
            return ()
        return tuple(f"CLEAR {one}" for one in sorted(self.in_force()) if one.split()[-1].partition("/")[0] in places)

    def no_retreat(self, text: str) -> GmError | None:
        """Why the first unit cannot retreat to the one place that a text names; None if it names none, or several."""
        names = self.places_in(text)
        if len(names) != 1 or not self.mine.units:
            return None
        unit, at = self.mine.units[0]
        return self.fault_of(f"{unit} {short(at)} R {names[0]}")

    def places_in(self, text: str) -> list[str]:
        """The places that a text names, in short."""
        found = self.lexicon.scan(fold(text).folded).names
        named = [str(one) for one in found if not isinstance(one, NotUnderstood) and one not in self.lexicon.powers]
        return [short(Location(one)) for one in named]

    def fault_of(self, order: str) -> GmError | None:
        """Why an order is not allowed now; None if it is."""
        return next(filter(None, map(self._fault, read_orders(order, self.lexicon, self.kind).orders)), None)

    def _fault(self, order: Attributed) -> GmError | None:
        try:
            self.game.variant.order_of(self.phase.position, self.power, *order)
        except GmError as error:
            return error
        return None

    def country_in(self, text: str) -> str:
        """That a country to which a text would send units is no place, and which provinces it has; "" for no such."""
        listed_ = (one.listing.word.lower() for one in self.lexicon.language.dialects if one.listing)
        sends = any(says(text, one) for one in _UNITS) or any(word in text.lower() for word in listed_)
        if says(text, "support") or not sends:
            return ""
        names = (found["name"] for found in _TO_A_COUNTRY.finditer(text))
        powers = (self.lexicon.power(name) or Power(name.capitalize()) for name in names)
        of_each = ((power, self._homes(power)) for power in powers)
        said = (
            f"{power} is no place to go to: name a province, such as {listed(homes, 'or')}."
            for power, homes in of_each
            if homes
        )
        return next(said, "")

    def _homes(self, power: Power) -> list[str]:
        """The home centres of a power of the standard game, of those that are on the board."""
        board, here = standard_board(), self.lexicon.board.provinces
        return [short(Location(one)) for one in sorted(board.centers) if board.home(one) == power and one in here]

    def unit_of(self, order: str) -> str:
        """The unit of the seat's that an order as it is written begins with; of a build the place, which holds one unit
        only; the order if it is for none of them.
        """
        if order.lower().startswith("build "):
            return order.split()[-1].partition("/")[0]
        begins = (f"{unit} {short(at)}" for unit, at in self.mine.units)
        return next((unit for unit in begins if re.match(rf"{re.escape(unit)}(?![\w/])", order)), order)

    def parted(self, text: str) -> tuple[str, str]:
        """A text without a condition and what stands behind it, and these. In lists `if that is taken` is none."""
        return parted(_IN_TURN.sub("or", text) if self.has_lists else text, self.lexicon)

    def with_others(self, taken: Sequence[str], way: str, not_at: Collection[str] = ()) -> str:
        """The orders of a way, below those of what was taken that are for none of its units or lists, nor end in one of
        these places.
        """
        units = {self._subject(order) for order in way.split("\n")}
        taken = [one for one in taken if one.split()[-1].partition("/")[0] not in not_at]
        return "\n".join((*(one for one in taken if self._subject(one) not in units), way))

    def _subject(self, order: str) -> str:
        return order.partition(":")[0] if self.has_lists else self.unit_of(order)

    def names_place(self, text: str) -> bool:
        """Whether a text names a place of the board."""
        return bool(self.lexicon.place_names_in(fold(text).folded))

    def notes(self, text: str) -> bool:
        """Whether a text has an order for a unit of the seat's in notation, also among other words."""
        return any(map(self._among, clauses(text)[:MOST_MEANT]))

    def helps(self, text: str) -> bool:
        """Whether a clause says that a unit of the seat's supports or convoys something, which may be said before."""
        own = {short(at) for _, at in self.mine.units} if self.kind is PhaseKind.MOVEMENT else set()
        verbs = (part for part in clauses(text)[:MOST_MEANT] if says(part, "support") or says(part, "convoy"))
        return any(own.intersection(self.places_in(part)[:1]) and not says(part, "you") for part in verbs)

    def gives(self, text: str) -> bool:
        """Whether a text has a sentence that may give an order, and neither asks nor speaks of `you` or `us`, as one to
        another player does: `enter this for me: ...` and `could you move London to Wales?` speak to whoever enters
        orders.
        """
        said = (_FOR_ME.sub("", asked_for(one) or one) for one in sentences(text)[:MOST_MEANT])
        said = (one for one in said if not one.endswith("?"))
        mine = (one for one in said if not says(one, "you"))
        parts = (part for one in mine for part in (one, *clauses(one)[:MOST_MEANT]))
        return any(found.ways and found.named for part in parts for found in self.readings([part]))


def asked_for(sentence: str) -> str:
    """What a sentence asks somebody to do; "" for one that asks for nothing, or for help."""
    found = _COULD_YOU.match(sentence)
    return "" if found is None or says(sentence, "support") else sentence[found.end() :].rstrip(" ?")


def _nothing_among(_text: str) -> Way:
    return ()


_MOST_SETS = 6
"""The most sets of builds that are offered of too many."""


def _each(way: Way, most: int) -> Iterator[Way]:
    yield from [way] if len(way) <= most else islice(combinations(way, most), _MOST_SETS)


_TO_A_COUNTRY = re.compile(
    r"\b(?:to|in|into|on|nach|en|vers|dans|auf)[ ](?:the[ ]|la[ ]|l['’])?(?P<name>[^\W\d_]{3,20})\b", re.IGNORECASE
)
_POWER_ALONE = re.compile(r"[\uf000-\uf8ff](?!(?:'s)?[ ]*+[\ue000-\uefff:])(?=(?:'s)?[ ]*+(?P<next>[a-z]*+))")
_UNITS = ("army", "fleet", "unit")
_LEADS = frozenset((
    *("the", "and", "but", "that", "because", "since", "as", "so", "oh", "no", "well", "now"),
    *("der", "die", "das", "und", "aber", "weil", "denn", "da"),
    *("le", "la", "les", "et", "mais", "car", "que", "parce"),
))  # fmt: skip
"""What may stand before the subject of a sentence."""
_PARTS = re.compile(r"(?<=[,;.!?])(?=\s)")
_OR = re.compile(r"\s(?:or|oder|ou)\s", re.IGNORECASE)
_IN_TURN = re.compile(
    r"\b(?:or |and |oder |und |ou |et )?(?:if|wenn|falls|si) (?:all )?(?:that'?s?|these|those|they|this|it'?s?|not|das"
    r"|dies|es|[cç]a|cela"
    r"|[^\W\d_]{3,20}+(?= (?:is|isn'?t|ist|est|fails?|can'?t|cannot)\b))\b"
    r"[^,.;:]{0,24}?"
    r"(?:works?|possible|fails?|taken|free|can'?t|cannot|doesn'?t|isn'?t|geht|klappt|frei|besetzt|marche pas|pris)\b",
    re.IGNORECASE,
)
"""What stands before the next choice of a list: `if that does not work`, `if Paris is taken`."""
_COULD_YOU = re.compile(
    r"\W*+(?:(?:please|and|so|then|bitte|und|et)\b\W*+)*+(?:(?:can|could) you"
    r"|(?:would|will) you(?= (?:please|kindly|be so kind)\b)|(?:kannst|könntest) du|(?:können|könnten) sie"
    r"|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous)\b"
    r"(?: (?:please|kindly|be so kind (?:as )?to|bitte|s['’]il (?:te|vous) pla[iî]t))*+",
    re.IGNORECASE,
)
_FOR_ME = re.compile(r"[ ]?\b(?:for|by|f[uü]r|von|pour|par|para|per|voor)[ ](?:me|mich|moi|m[ií]|mij)\b", re.IGNORECASE)

_BEFORE_BUILDS = re.compile(
    r"\b(?:after|behind|nach|apr[eè]s) (?:the |dem |der |le |l['’])?(?:fall|autumn|herbst|automne)\b", re.IGNORECASE
)
"""Builds are due behind the fall."""
