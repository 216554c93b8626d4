"""The lexicon of the standard game, the reader of commands, and short ways to write expected orders."""

from __future__ import annotations

from gm.board import Location, Power, standard_board
from gm.commands import COMMANDS
from gm.orders import UnitName
from gm.parsing import message
from gm.parsing.lexicon import Lexicon, lexicon_of
from gm.position import STANDARD_KINDS, Phase, PhaseKind, Season
from gm.variants.standard import STANDARD, nations

POWERS = tuple(Power(name) for name in ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"))
_SPELLINGS = tuple(sorted(nations(POWERS).items()))
LEXICON = lexicon_of(standard_board(), POWERS, STANDARD.language, _SPELLINGS)
READER = COMMANDS.reader


def parse_message(text: str, lexicon: Lexicon | None, phase: PhaseKind | None) -> message.ParsedMessage:
    """Parses a mail with all commands, in a phase of this kind in 1901."""
    return message.parse_message(text, lexicon, in_1901(phase) if phase is not None else None, READER)


def in_1901(kind: PhaseKind) -> Phase:
    """A phase of this kind, in Spring if there is one."""
    return Phase(1901, Season.WINTER if kind is PhaseKind.ADJUSTMENT else Season.SPRING, kind)


MOVEMENT, RETREAT, ADJUSTMENT = PhaseKind.MOVEMENT, PhaseKind.RETREAT, PhaseKind.ADJUSTMENT
PHASES = (*STANDARD_KINDS.phases, PhaseKind("muster"))
"""And one that a game might add."""


def unit(text: str) -> UnitName:
    """`A par`, `par`, `Italy A mar`."""
    *power, at = text.split()
    kind = STANDARD_KINDS.unit(power.pop()) if power and power[-1] in ("A", "F") else None
    return UnitName(Location(at), kind, Power(power[0]) if power else None)


def at(text: str) -> Location:
    return Location(text)
