"""Order lines of `gm adjudicate`, parsed with the grammar of mails, each understood or refused with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import NamedTuple, cast

from gm.board import FiniteBoard, Power
from gm.cli.phases import Line, chance_of
from gm.errors import GmError
from gm.orders import Build, Convoy, Declaration, Hold, Language, Move, Order, Support, WrittenOrder, unit_of
from gm.orders.notation import Spelt, attributed, code, write
from gm.orders.possible import NOTHING, ByIdentity, units_by_province
from gm.parsing.headings import Section, may_name_phase, sections
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.parsing.orders import Attributed, one_order, parse_orders
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


class _Written(NamedTuple):
    """A text with single blanks, and the orders in it; or why there are none."""

    text: str
    orders: Sequence[Attributed] = ()
    refusal: str = ""


@lru_cache(maxsize=1 << 15)
def _undated(text: str, lexicon: Lexicon, kind: PhaseKind) -> _Written | None:
    """The orders in a text, kept, because the phases of one board have many lines in common; None if the text may name
    a phase, so that its meaning depends on the present one.
    """
    name, _, words = text.partition(": ")
    power = lexicon.power_names.get(name.lower())
    if power and (order := _without_power(words, lexicon, kind)):
        return _Written(text, ((power, order),))
    return None if may_name_phase(text, lexicon) else _written(text, lexicon, kind)


_WORDS = re.compile(r"[A-Za-z]+(?:[ /-][A-Za-z]+)*")
"""Words with no other signs than those within an order."""


@lru_cache(maxsize=1 << 14)
def _without_power(words: str, lexicon: Lexicon, kind: PhaseKind) -> WrittenOrder | None:
    """The one order that words are, kept for all powers that can give it; None for anything else."""
    plain = _WORDS.fullmatch(words) and not may_name_phase(words, lexicon)
    return one_order(words, lexicon, kind) if plain else None


def _written(text: str, lexicon: Lexicon, kind: PhaseKind) -> _Written:
    plain = " ".join(text.split())
    try:
        return _Written(plain, parse_orders(text, lexicon, kind))
    except GmError as error:
        return _Written(plain, refusal=str(error))


_line = partial(tuple.__new__, Line)
"""A line with less work than Line itself."""


@lru_cache(maxsize=16)
def _lexicon(
    board: FiniteBoard, powers: tuple[Power, ...], language: Language, spellings: ByIdentity[Mapping[str, Power]]
) -> Lexicon:
    return lexicon_of(board, powers, language, tuple(sorted(spellings.value.items())))


class OrderLines:
    """Parses the order lines of one position."""

    def __init__(self, game: Variant, position: Position) -> None:
        self._game = game
        self._position = position
        self._board = game.board(position)
        spellings = ByIdentity(game.language.spellings(position))
        self._lexicon = _lexicon(self._board, game.powers(position), game.language, spellings)
        self._moves = (Hold, Move, Support, Convoy) if position.phase.kind is PhaseKind.MOVEMENT else ()
        """Orders for which builds and removals are not counted, as most lines are."""
        self._needs = cache(partial(game.needs, self._board, position))
        self._there = units_by_province(self._board, position.to_order)

    def read(self, text: str) -> list[Line]:
        """The orders on one line, each understood or refused with the reason."""
        now = self._position.phase
        written = _undated(text, self._lexicon, now.kind)
        if written is not None:
            lines = self._lines(written, None)
        else:
            lines = [line for part in sections(text, self._lexicon, now) for line in self._section(part)]
        if len(lines) > 1:  # the orders on one line are reported one by one
            lines = [line._replace(text=_alone(line)) for line in lines]
        return lines

    def _section(self, section: Section) -> list[Line]:
        now = self._position.phase
        if section.phase is not None and section.phase.code != now.code:
            other = f"This is for {section.phase.code}, but {now.code} is being adjudicated."
            return [Line(" ".join(section.text.split()), refusal=f"{other} Leave it out.")]
        text, lexicon = section.text, self._lexicon
        return self._lines(_undated(text, lexicon, now.kind) or _written(text, lexicon, now.kind), section.power)

    def _lines(self, written: _Written, said: Power | None) -> list[Line]:
        """`said`: the power for whose orders the text is, unless the orders name another."""
        if written.refusal:
            return [Line(written.text, refusal=written.refusal)]
        return [self._understood(written.text, power or said, order) for power, order in written.orders]

    def _understood(self, text: str, power: Power | None, written: WrittenOrder) -> Line:
        by = self._giver(written, power)
        if by is None:
            missing = "The line does not name the power. Begin it with the power: England: waive."
            return Line(text, refusal=missing, written=written)
        try:
            need = NOTHING if isinstance(written, self._moves) else self._needs(by)
            order = self._game.understand(self._board, self._position, by, written, need)
        except GmError as error:
            named = self._named(written, power)
            own = named if named is not None and named.power == by else None
            return Line(text, refusal=self._later(written) or str(error), unit=own, by=by, written=written)
        return _line((text, order, "", unit_of(order), by, written))

    def _later(self, written: WrittenOrder) -> str:
        """That builds among the moves of a Fall are for the Winter; "" for everything else."""
        now = self._position.phase
        after = (phase for phase in self._game.after_season(now) if phase.kind is PhaseKind.ADJUSTMENT)
        winter = next(after, None) if now.kind is PhaseKind.MOVEMENT and isinstance(written, Build) else None
        return f"Builds among these moves are for {winter.code}: give them there." if winter is not None else ""

    def _giver(self, written: WrittenOrder, power: Power | None) -> Power | None:
        """Who gives an order: the power of the line, else the seat that alone gives it, or the unit's power."""
        review = self._game.review
        if review is not None and isinstance(written, review.at_close) and power in (None, written.unit.power):
            return review.seat
        if power is not None:
            return power
        named = self._named(written, power)
        return named.power if named is not None else None

    def _named(self, written: WrittenOrder, power: Power | None) -> Unit | None:
        """The unit that a line orders, if there is one at that place; the power's own before others'."""
        if isinstance(written, Declaration) or not self._board.exists(written.unit.at):
            return None
        there = self._there.get(self._board.province(written.unit.at), ())
        return next((unit for unit in there if unit.power == power), there[0] if there else None)
