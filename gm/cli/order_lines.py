"""Order lines of `gm adjudicate`, parsed with the grammar of mails, each understood or refused with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

from gm.board import Power, Province
from gm.cli.phases import Line, chance_of
from gm.errors import GmError
from gm.orders import Declaration, Order, UnitName, WrittenOrder, unit_of
from gm.orders.notation import attributed
from gm.parsing.headings import Section, sections
from gm.parsing.lexicon import lexicon_of
from gm.parsing.orders import parse_orders
from gm.position import PhaseKind, Position, Unit
from gm.variants import Variant


def read_lines(game: Variant, position: Position, texts: Sequence[str]) -> Iterator[Line]:
    """The lines of a phase. Lines of a seat that reviews the others' orders that are refused are parsed again in the
    position at the close of orders, because that seat orders then.
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
        lines = [(text, again.read(text) if _is_late(own, game.review.seat) else own) for text, own in lines]
    return (line for _, own in lines for line in own)


def _is_late(lines: Sequence[Line], seat: Power) -> bool:
    return all(line.order is None and line.by == seat for line in lines)


class OrderLines:
    """Parses the order lines of one position; results are cached by line."""

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
            lines = [replace(line, text=attributed(line.order)) if line.order is not None else line for line in lines]
        return lines

    def _section(self, section: Section) -> list[Line]:
        text, now = section.text.strip(), self._position.phase
        if section.phase is not None and section.phase.code != now.code:
            other = f"This is for {section.phase.code}, but {now.code} is being adjudicated."
            return [Line(text, refusal=f"{other} Leave it out.")]
        try:
            written = parse_orders(section.text, self._lexicon, now.kind)
        except GmError as error:
            return [Line(text, refusal=str(error))]
        return [self._understood(text, power or section.power, order) for power, order in written]

    def _understood(self, text: str, power: Power | None, written: WrittenOrder) -> Line:
        named = None if isinstance(written, Declaration) else self._named(written.unit, power)
        by = power or (named.power if named is not None else None)
        if by is None:
            missing = "The line does not name the power. Begin it with the power: England: waive."
            return Line(text, refusal=missing)
        try:
            order = self._game.understand(self._board, self._position, by, written, self._needs(by))
        except GmError as error:
            own = named if named is not None and named.power == by else None
            return Line(text, refusal=str(error), unit=own, by=by)
        return Line(text, order, unit=unit_of(order), by=by)

    def _named(self, name: UnitName, power: Power | None) -> Unit | None:
        """The unit that a line orders, if there is one at that place; the power's own before others'."""
        there = self._there.get(self._board.province(name.at), [])
        return next((unit for unit in there if unit.power == power), there[0] if there else None)
