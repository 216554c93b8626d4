"""Orders sent in advance for a phase: stored as lines, and parsed when the phase has begun and its position is known.

The orders are tried in the order written: the first possible one of each unit counts, and as many builds or removals as
are due, so that a list is a ranking. `IF ... THEN ...`, or `IF ...`, lines, `ELSE`, lines, `ENDIF`, choose lines by the
position: `IF England F NTH`, `IF NOT A BUR`, `IF EMPTY BUR`, `IF France OWNS MUN`, joined by AND.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial, reduce
from operator import itemgetter
from typing import NamedTuple

from sqlalchemy.orm import Session

from gm.board import Board, Location, Power, Province
from gm.errors import GmError, NotUnderstood
from gm.games.snapshot import Game, OrderSet, Seat
from gm.games.transaction import Transaction
from gm.orders import Build, Declaration, Disband, Order, Waive, WrittenOrder, unit_of
from gm.orders.notation import short
from gm.orders.order_sets import split_surplus
from gm.orders.possible import NOTHING
from gm.parsing.headings import moment, moment_of
from gm.parsing.lexicon import Lexicon, fold
from gm.parsing.message import OrderLine
from gm.parsing.orders import read_orders
from gm.position import Phase, PhaseKind, Position, Unit
from gm.store import game_rows
from gm.variants import Variant

_IF = re.compile(r"(?<! )[ ]*+if[ ]++(?P<test>(?:(?!\bthen\b)[^:\n])*+)(?:(?:then|:)[ ]*+(?P<then>.*))?", re.IGNORECASE)
_ELSE = re.compile(r"(?<! )[ ]*+else\b[ :]*+(?P<then>.*)", re.IGNORECASE)
_ENDIF = re.compile(r"(?<! )[ ]*+end[ ]?if\b.*", re.IGNORECASE)
_NOT = re.compile(r"[ ]*not[ ]+", re.IGNORECASE)
_AND = re.compile(r"(?<![ ])[ ]++and[ ]+", re.IGNORECASE)
_OWNS = re.compile(r"[ ]owns?[ ]", re.IGNORECASE)
_EMPTY = re.compile(r"[ ]*+(?:empty|vacant)[ ]|.*[ ](?:empty|vacant)\Z", re.IGNORECASE)


def have_conditions(lines: Iterable[str]) -> bool:
    """Whether one of these lines is under a condition, or ends such."""
    return any(pattern.match(line) for line in lines for pattern in (_IF, _ELSE, _ENDIF))


def put_in_force(tx: Transaction, game: Game) -> Game:
    """Put stored orders for this phase in force: those for it alone first, then those for every phase of its kind.
    Where it must not be seen what can be used, they are sent in any case. In a phase that was played before they are
    kept orders, as those sent for it then: they count at the deadline, and before it once some are sent again.
    """
    sets = {}
    for seat_id, lines in stored(tx.session, game, game.awaited).items():
        orders = tried(game, game.seat(seat_id), lines).orders
        if orders or game.waits_for_all:
            sets[seat_id] = game.next_set(game.seat(seat_id), orders, tx.now, None)
    again = bool(sets) and game_rows.is_played_again(tx.session, game.id, game.present.code, game.present.number)
    kept = {seat_id: replace(given, number=0) if again else given for seat_id, given in sets.items()}
    return tx.put_orders(game, kept)


def stored(session: Session, game: Game, seats: Sequence[Seat]) -> dict[int, Sequence[str]]:
    """The lines that these seats have stored for the present phase, by seat id: those for it alone, or those for every
    phase of its kind.
    """
    if game.phase is None or not seats:
        return {}
    code = game.phase.code
    kept = game_rows.preorders_for(session, [seat.id for seat in seats], (code, code[-1]))
    return {seat_id: kept.get((seat_id, code)) or kept[seat_id, code[-1]] for seat_id, _ in kept}


def passed_over(game: Game, codes: Iterable[str]) -> list[str]:
    """Those among the codes of phases that are earlier than the present one."""
    kinds, phase = game.variant.language.kinds, game.phase
    if phase is None:
        return []
    now = moment(phase.position.phase, kinds)
    return [code for code in codes if len(code) > 1 and moment_of(code, kinds) < now]


class Tried(NamedTuple):
    """What stored lines amount to in the present phase: their orders, and the lines that cannot be used, each with the
    reason.
    """

    orders: tuple[Order, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()


def tried(game: Game, seat: Seat, lines: Sequence[str]) -> Tried:
    """The orders in these lines that are possible in the present phase, the first one for each unit; their conditions
    are about what the seat's power sees.
    """
    position, power = game.position, seat.power
    if position is None or power is None:
        return Tried()
    kind, board = position.phase.kind, game.variant.board(position)
    pieces = game.variant.pieces(position)
    ordered: Counter[Unit | None] = Counter()
    taken: list[Order] = []
    failed: list[tuple[str, str]] = []
    lexicon = game.lexicon_of(seat)
    for line in chosen(lines, game.variant.seen(game.variant, position, power), lexicon, board):
        reading = read_orders(line, lexicon, kind)
        if reading.faults and not reading.orders:
            failed.append((line, reading.faults[0].complain().problem))
        for named, written in reading.orders:
            try:
                order = game.variant.order_of(position, power, named, written)
            except GmError as error:
                failed.append((line, error.problem))
                continue
            if isinstance(order, Declaration) or ordered[order.unit] < max(1, pieces.count(order.unit)):
                taken.append(order)
                ordered[unit_of(order)] += 1
    return Tried(game.variant.merge(position, (), _as_due(game, power, kind, taken)), tuple(failed))


_NEVER = datetime.min.replace(tzinfo=UTC)


def with_late(game: Game, seat: Seat, late: Iterable[tuple[datetime, Sequence[str]]], mail_id: int | None) -> OrderSet:
    """The set in force of a seat in the present phase with these lines, each with the time when they were received: of
    two orders for a unit that which was received later, and any rather than what the server gave for a silent seat.
    """
    if game.position is None:
        raise ValueError(f"the game {game.name} has not begun")
    given = [(received_at, tried(game, seat, lines).orders) for received_at, lines in late]
    if (before := game.set_of(seat)) is not None:
        given.insert(0, (before.received_at if before.mail_id is not None else _NEVER, before.orders))
    given.sort(key=itemgetter(0))
    orders = reduce(partial(game.variant.merge, game.position), (own for _, own in given))
    return game.next_set(seat, orders, given[-1][0], mail_id)


def _as_due(game: Game, power: Power, kind: PhaseKind, taken: list[Order]) -> tuple[Order, ...]:
    """As many builds and removals as are due; in other phases all of the orders."""
    if kind is PhaseKind.ADJUSTMENT:
        duty = game.duties.get(power)
        wanted = [one for one in taken if isinstance(one, Build | Disband | Waive)]
        if duty is not None and duty.offer:
            return tuple(wanted)
        return split_surplus(wanted, duty.need if duty is not None else NOTHING)[0]
    return tuple(taken)


@dataclass(frozen=True)
class ByPhase:
    """Lines of orders by the phase they are for: the present one, later ones by code, and past ones."""

    present: tuple[OrderLine, ...]
    ahead: Mapping[str, Sequence[OrderLine]]
    past: tuple[OrderLine, ...]


def by_phase(variant: Variant, now: Phase, lines: Iterable[OrderLine]) -> ByPhase:
    """Sort lines by their headings. Builds and removals among the moves of a Fall are for the following Winter."""
    kinds = variant.language.kinds
    present: list[OrderLine] = []
    past: list[OrderLine] = []
    ahead: dict[str, list[OrderLine]] = {}
    for line in lines:
        for phase, part in _parts(variant, line, line.phase or now):
            if moment(phase, kinds) > moment(now, kinds):
                ahead.setdefault(phase.code, []).append(part)
            else:
                (present if phase == now else past).append(part)
    return ByPhase(tuple(present), ahead, tuple(past))


def _parts(variant: Variant, line: OrderLine, meant: Phase) -> Iterator[tuple[Phase, OrderLine]]:
    """The line's orders for its own phase, and those for the following Winter, each as a line."""
    winter = next((one for one in variant.after_season(meant) if one.kind is PhaseKind.ADJUSTMENT), None)
    later = (Build, Waive) if meant.kind is PhaseKind.RETREAT else (Build, Waive, Disband)
    builds = [pair for pair in line.orders if winter is not None and isinstance(pair[1], later)]
    if len(builds) < len(line.orders):
        yield meant, replace(line, orders=tuple(pair for pair in line.orders if pair not in builds))
    for pair in builds:
        if winter is not None:
            yield winter, replace(line, orders=(pair,), phase=winter, matter=_as_line(pair[1]))


def _as_line(written: WrittenOrder) -> str:
    """A build, a removal or a waiver as a line to store."""
    if not isinstance(written, Build | Disband):
        return "Waive"
    unit = " ".join(filter(None, (written.unit.kind, short(written.unit.at))))
    return f"{'Build' if isinstance(written, Build) else 'Remove'} {unit}"


def check(lines: Sequence[str], lexicon: Lexicon, kind: PhaseKind) -> tuple[int, list[tuple[int, NotUnderstood]]]:
    """The number of orders in these lines, and the lines with errors (counted from 0)."""
    orders, faults, depth = 0, [], 0
    for number, line in enumerate(lines):
        try:
            text, opened = _order_in(line, lexicon)
        except NotUnderstood as error:
            faults.append((number, error))
            continue
        depth += opened
        if text.strip():
            reading = read_orders(text, lexicon, kind)
            meant = [fault for fault in reading.faults if fault.meant or not reading.orders]
            faults += [(number, fault.complain()) for fault in meant[:1]]
            orders += 0 if meant else len(reading.orders)
    if depth > 0:
        faults.append((len(lines) - 1, NotUnderstood("An IF has no ENDIF.", "Write ENDIF below its orders.")))
    return orders, faults


def _order_in(line: str, lexicon: Lexicon) -> tuple[str, int]:
    """The order on a line, without its IF or ELSE; and 1 if the line opens a block, -1 if it closes one,
    otherwise 0.
    """
    if _ENDIF.fullmatch(line):
        return "", -1
    if found := _ELSE.fullmatch(line):
        return found["then"], 0
    if found := _IF.fullmatch(line):
        for condition in _conditions(found["test"]):
            Condition(condition, lexicon)
        then = found["then"] or ""
        return then, 0 if then.strip() else 1
    return line, 0


def chosen(lines: Sequence[str], position: Position, lexicon: Lexicon, board: Board) -> Iterator[str]:
    """The lines that apply to this position: those outside any IF, and those whose IF is true."""
    open_ifs: list[bool] = []
    held = True
    for line in lines:
        if _ENDIF.fullmatch(line):
            open_ifs = open_ifs[:-1]
            continue
        found, other = _IF.fullmatch(line), _ELSE.fullmatch(line)
        text, counts = line, True
        if found is not None:
            held = counts = _holds(found["test"], position, lexicon, board)
            text = found["then"] or ""
        elif other is not None:
            text, counts = other["then"], not held
        if text.strip():
            if counts and all(open_ifs):
                yield text
        elif found is not None:
            open_ifs.append(held)
        elif open_ifs:
            open_ifs[-1] = not open_ifs[-1]


def _conditions(text: str) -> list[str]:
    return _AND.split(text.strip(" :"))


def _holds(text: str, position: Position, lexicon: Lexicon, board: Board) -> bool:
    try:
        return all(Condition(condition, lexicon).holds(position, board) for condition in _conditions(text))
    except NotUnderstood:
        return False


class Condition:
    """One condition on a position. Raises NotUnderstood for text that is not a condition."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        negated = _NOT.match(text)
        self.negated = negated is not None
        words = text[negated.end() :] if negated else text
        owns, empty = _OWNS.search(words), _EMPTY.match(words)
        names = lexicon.scan(fold(words).folded).names
        places = [name for name in names if not isinstance(name, NotUnderstood) and name not in lexicon.powers]
        powers = [power for power in lexicon.powers if power in names]
        if len(places) != 1 or len(powers) > 1 or (owns and not powers):
            raise NotUnderstood(
                f"'{text.strip()}' is not a condition.",
                "Write IF England F NTH, IF NOT A BUR, IF EMPTY BUR or IF France OWNS MUN.",
            )
        self.place = Location(str(places[0]))
        self.power = powers[0] if powers else None
        self.what = "owns" if owns else "empty" if empty else "unit"
        said = set(fold(words).folded.split())
        units = lexicon.language.kinds.units
        self.kind = next((kind for kind in units if said.intersection(kind.names)), None)

    def holds(self, position: Position, board: Board) -> bool:
        """Whether the condition is true in this position."""
        province = board.province(self.place)
        if self.what == "owns":
            so = position.centers.get(Province(province)) == self.power
        else:
            there = [unit for unit in position.units if board.province(unit.at) == province]
            if self.what == "empty":
                so = not there
            else:
                so = any(self.power in (None, unit.power) and self.kind in (None, unit.kind) for unit in there)
        return so != self.negated
