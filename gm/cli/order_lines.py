"""Order lines of `gm adjudicate`, parsed with the grammar of mails, each understood or refused with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import cast

from gm.board import Power, Province
from gm.cli.phases import Line, chance_of
from gm.errors import GmError
from gm.orders import Build, Declaration, Order, UnitName, WrittenOrder, unit_of
from gm.orders.notation import Spelt, attributed, code, write
from gm.parsing.headings import Section, sections
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.parsing.orders import Attributed, parse_orders
from gm.position import PhaseKind, Position, Unit
from gm.variants import Review, Variant


def read_lines(game: Variant, position: Position, texts: Sequence[str]) -> Iterator[Line]:
    """The lines of a phase. What a seat that reviews the others' orders is refused is understood again in the position
    at the close of orders, because that seat orders then.
    """
    reader = OrderLines(game, position)
    lines = [(text, reader.read(text)) for text in texts]
    if game.review is not None:
        sent: dict[Power, list[Order]] = {}
        for line in (line for _, own in lines for line in own):
            if line.order is not None and line.by is not None:
                sent.setdefault(line.by, []).append(line.order)
        closed = game.review.close(game, position, game.given(position, sent), chance_of(position))
        again = OrderLines(game, closed) if closed != position else reader
        lines = [(text, _reread(text, own, again, game.review)) for text, own in lines]
    return (line for _, own in lines for line in own)


def _reread(text: str, lines: Sequence[Line], again: OrderLines, review: Review) -> list[Line]:
    """The orders of one line; what the reviewing seat orders after the close is read again."""
    late = [
        line.order is None and line.by == review.seat and not isinstance(line.written, review.at_close)
        for line in lines
    ]
    anew = again.read(text) if any(late) else lines
    return [new if is_late else line for line, new, is_late in zip(lines, anew, late, strict=True)]


def _alone(line: Line) -> str:
    """One of several orders on a line, as understood, or as far as a refused one was."""
    if line.order is not None:
        return attributed(line.order)
    unit = getattr(line.written, "unit", None)
    if unit is None or unit.kind is None or line.by is None or isinstance(line.written, Spelt):
        return line.text
    return f"{line.by}: {write(cast(Order, line.written), code)}"


@lru_cache(maxsize=10_000)
def _written(text: str, lexicon: Lexicon, kind: PhaseKind) -> list[Attributed] | str:
    """The orders in a text, or why there are none. Phases of one board have many lines in common."""
    try:
        return parse_orders(text, lexicon, kind)
    except GmError as error:
        return str(error)


class OrderLines:
    """Parses the order lines of one position."""

    def __init__(self, game: Variant, position: Position) -> None:
        self._game = game
        self._position = position
        self._board = game.board(position)
        spellings = tuple(sorted(game.language.spellings(position).items()))
        self._lexicon = lexicon_of(self._board, game.powers(position), game.language, spellings)
        self._needs = cache(partial(game.needs, self._board, position))
        retreat = position.phase.kind is PhaseKind.RETREAT
        self._there: dict[Province, list[Unit]] = {}
        for unit in [d.unit for d in position.dislodged] if retreat else position.units:
            self._there.setdefault(self._board.province(unit.at), []).append(unit)

    def read(self, text: str) -> list[Line]:
        """The orders on one line, each understood or refused with the reason."""
        parts = sections(text, self._lexicon, self._position.phase)
        lines = [line for part in parts for line in self._section(part)]
        if len(lines) > 1:  # the orders on one line are reported one by one
            lines = [replace(line, text=_alone(line)) for line in lines]
        return lines

    def _section(self, section: Section) -> list[Line]:
        text, now = " ".join(section.text.split()), self._position.phase
        if section.phase is not None and section.phase.code != now.code:
            other = f"This is for {section.phase.code}, but {now.code} is being adjudicated."
            return [Line(text, refusal=f"{other} Leave it out.")]
        written = _written(section.text, self._lexicon, now.kind)
        if isinstance(written, str):
            return [Line(text, refusal=written)]
        return [self._understood(text, power or section.power, order) for power, order in written]

    def _understood(self, text: str, power: Power | None, written: WrittenOrder) -> Line:
        named = None if isinstance(written, Declaration) else self._named(written.unit, power)
        by = self._giver(written, power, named)
        if by is None:
            missing = "The line does not name the power. Begin it with the power: England: waive."
            return Line(text, refusal=missing, written=written)
        try:
            order = self._game.understand(self._board, self._position, by, written, self._needs(by))
        except GmError as error:
            own = named if named is not None and named.power == by else None
            return Line(text, refusal=self._later(written) or str(error), unit=own, by=by, written=written)
        return Line(text, order, unit=unit_of(order), by=by, written=written)

    def _later(self, written: WrittenOrder) -> str:
        """That builds among the moves of a Fall are for the Winter; "" for everything else."""
        now = self._position.phase
        after = (phase for phase in self._game.after_season(now) if phase.kind is PhaseKind.ADJUSTMENT)
        winter = next(after, None) if now.kind is PhaseKind.MOVEMENT and isinstance(written, Build) else None
        return f"Builds among these moves are for {winter.code}: give them there." if winter is not None else ""

    def _giver(self, written: WrittenOrder, power: Power | None, named: Unit | None) -> Power | None:
        """Who gives an order: the power of the line, else the seat that alone gives it, or the unit's power."""
        review = self._game.review
        if review is not None and isinstance(written, review.at_close) and power in (None, written.unit.power):
            return review.seat
        return power or (named.power if named is not None else None)

    def _named(self, name: UnitName, power: Power | None) -> Unit | None:
        """The unit that a line orders, if there is one at that place; the power's own before others'."""
        there = self._there.get(self._board.province(name.at), []) if self._board.exists(name.at) else []
        return next((unit for unit in there if unit.power == power), there[0] if there else None)
