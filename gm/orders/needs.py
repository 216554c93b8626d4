"""What a power has to do in an adjustment phase; worked out by the variant, used by legality, judge and reports."""

from __future__ import annotations

from dataclasses import dataclass

from gm.board import Province


@dataclass(frozen=True, slots=True)
class Need:
    """`count` > 0: as many builds allowed, in `sites`; < 0: as many units to remove; 0: nothing to do.

    `count` is already limited by the sites: a power with three centres too many and one vacant home centre has 1.
    """

    count: int = 0
    sites: frozenset[Province] = frozenset()


NOTHING = Need()
