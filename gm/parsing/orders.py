"""One line of orders: text to orders as written.

A line may hold several orders, in any form of `grammars/orders.lark`, and may name powers (`England: F nth-nwy`). When the
line as a whole is not understood it is taken apart at its commas, full stops and semicolons, and each piece is read alone:
one misspelt order does not spoil its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lark import UnexpectedInput

from gm.board import Power
from gm.errors import NotUnderstood
from gm.orders import Build, Disband, Move, Retreat, WrittenOrder
from gm.parsing import complaints
from gm.parsing.grammar import order_parser, separators
from gm.parsing.lexicon import Lexicon
from gm.parsing.making import Bare, Heading, Loose, MisnamedPlace, Statement
from gm.parsing.script import Script, fold, shorten
from gm.position import PhaseKind

MAXIMAL_LENGTH = 4_000
"""Characters in a line of orders; a whole turn of orders on one line has some six hundred."""

_LEAD = re.compile(r"[ ]*(?:(?:[-*+>]+|\(?\d{1,2}[.):]+|#\d{1,2}:?)[ ]*)?(?:(?:my )?orders?[ ]*:[ ]*)?")
_WORD = re.compile(r"[^\W\d_]+")

Attributed = tuple[Power | None, WrittenOrder]


@dataclass(frozen=True, slots=True)
class Fault:
    """A piece of a line, by its place in the folded text, and why it is no order."""

    error: NotUnderstood
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What a line holds: orders in the order written, each with the power it was given for, and pieces that are none.

    `heading` is the power named last, which a line `France:` hands on to the lines below it.
    """

    script: Script
    orders: tuple[Attributed, ...]
    faults: tuple[Fault, ...]
    heading: Power | None = None


def parse_orders(line: str, lexicon: Lexicon, phase_kind: PhaseKind) -> list[Attributed]:
    """The orders of a line. Raises NotUnderstood with the column of the first thing that is not an order."""
    reading = read_orders(line, lexicon, phase_kind)
    if reading.faults:
        raise reading.faults[0].error
    if not reading.orders:
        raise NotUnderstood(f"{shorten(line.strip())!r} holds no order.", "Write one such as A PAR-BUR.", column=1)
    return list(reading.orders)


@lru_cache(maxsize=8192)
def read_orders(line: str, lexicon: Lexicon, phase_kind: PhaseKind) -> Reading:
    """All that a line holds. Never raises; remembered, since the same lines come again and again."""
    if len(line) > MAXIMAL_LENGTH:
        remedy = f"Write one order a line; a line may have {MAXIMAL_LENGTH} characters."
        error = NotUnderstood(f"The line that begins {shorten(line[:200].strip())!r} is too long.", remedy, column=1)
        return Reading(Script(line[:200], line[:200].lower(), None), (), (Fault(error, 0, 200),))
    script = fold(line)
    start = lead(script)
    try:
        statements: list[Statement | Fault] = list(_parse(script, start, len(script.folded), lexicon))
    except (UnexpectedInput, MisnamedPlace):
        statements = list(_piecemeal(script, start, lexicon, phase_kind))
    return _attribute(script, start, statements, phase_kind)


def lead(script: Script) -> int:
    """Where the line's matter begins, after a bullet, a number, or `Orders:`."""
    found = _LEAD.match(script.folded)
    return found.end() if found else 0


def _parse(script: Script, start: int, end: int, lexicon: Lexicon) -> list[Statement]:
    result: list[Statement] = order_parser(lexicon).parse(script.folded[start:end])  # type: ignore[assignment]
    return result


def _piecemeal(script: Script, start: int, lexicon: Lexicon, phase: PhaseKind) -> Iterator[Statement | Fault]:
    """The statements of each piece of a line; a Fault for a piece that holds none."""
    for begin, end in separators(lexicon, script.folded, start):
        try:
            yield from _parse(script, begin, end, lexicon)
        except UnexpectedInput as stop:
            yield Fault(complaints.unexpected(stop, script, begin, end, lexicon, phase), begin, end)
        except MisnamedPlace as place:
            column = script.column(begin + place.start)
            words = script.words(begin + place.start, begin + place.end)
            error = NotUnderstood(f"{words!r}: {place.problem}", place.remedy, column=column)
            yield Fault(error, begin, end)


def _attribute(script: Script, start: int, statements: list[Statement | Fault], phase: PhaseKind) -> Reading:
    """Give each order its power, and its meaning in this phase."""
    orders: list[Attributed] = []
    faults: list[Fault] = []
    heading: Power | None = None
    listed: type[Build] | type[Disband] | None = None  # type: ignore[type-arg]
    end = len(script.folded)
    for statement in statements:
        match statement:
            case Heading():
                heading = statement.power
                continue
            case Fault():
                faults.append(statement)
                continue
            case Bare():
                if listed is None:
                    faults.append(Fault(complaints.unordered(script, start, end, phase), start, end))
                    continue
                order: WrittenOrder = listed(statement.unit)
            case Loose():
                if not _is_terse(script.folded[start:]):
                    error = NotUnderstood(
                        f"{script.words(start, end)!r} could be an order or two names.",
                        "Write a move with a dash: PAR-BUR.",
                        column=script.column(start),
                    )
                    faults.append(Fault(error, start, end))
                    continue
                order = statement.move
            case _:
                order = statement
        listed = type(order) if isinstance(order, Build | Disband) else None
        orders.append((heading or _owner(order), _in_phase(order, phase)))
    return Reading(script, tuple(orders), tuple(faults), heading)


def _owner(order: WrittenOrder) -> Power | None:
    """`England F nth-nwy`: the nation before the unit says whose order it is."""
    unit = getattr(order, "unit", None)
    return unit.power if unit is not None else None


def _in_phase(order: WrittenOrder, phase: PhaseKind) -> WrittenOrder:
    """A plain move of a dislodged unit is its retreat."""
    if phase is PhaseKind.RETREAT and type(order) is Move and not order.via_convoy:
        return Retreat(order.unit, order.to)
    return order


def _is_terse(text: str) -> bool:
    """Whether every word is an abbreviation: `par bur` is an order, `Paris Burgundy` may be the end of a sentence."""
    return all(len(word) <= 4 for word in _WORD.findall(text))
