"""The table of the players in a report: who plays what, whose orders are in where all see that, the newest press with
each, and what opens a mail to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gm.reports import filled


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """Somebody to write to. `player` and `orders` are "" where the reader may not know them, `letter` where there is
    none, `address` and `link` where the reader may not write.
    """

    name: str
    player: str = ""
    orders: str = ""
    letter: str = ""
    """The newest press between them and the reader: `from you, Fri 20 Nov`."""
    address: str = ""
    link: str = ""


@dataclass(frozen=True)
class Players:
    """All of them, the reader too, as a table."""

    lines: tuple[PlayerLine, ...] = ()

    @cached_property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """A head and a row for each, without the columns that are empty; nothing without players."""
        head = ("Power", "Player", "Orders", "Last letter")
        rows = ((one.name, one.player, one.orders, one.letter) for one in self.lines)
        return filled((head, *rows), headed=True) if self.lines else ()

    @property
    def links(self) -> tuple[str, ...]:
        """The link of each row, "" for none, as for the head."""
        return ("", *(one.link for one in self.lines))

    @property
    def addresses(self) -> tuple[tuple[str, str], ...]:
        """Those who can be written to, each with the address for that."""
        return tuple((one.name, one.address) for one in self.lines if one.address)
