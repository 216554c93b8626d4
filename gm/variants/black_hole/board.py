"""The board: Europe without the provinces that have become black holes (BH-1).

What is gone borders nothing, holds nothing and is no centre, and its neighbours stay as far apart as they were. Its
name is still understood, so that a player can be told what became of it.
"""

from __future__ import annotations

from functools import lru_cache

from gm.board import Location, Power, Province, Terrain
from gm.board.standard import TableBoard, standard_board


@lru_cache(maxsize=256)
def hole_board(holes: frozenset[Province]) -> TableBoard:
    """The standard board without these provinces."""
    return standard_board().without(holes)


def homes(board: TableBoard, power: Power) -> tuple[Province, ...]:
    """The power's home centres that are still in being, in alphabetical order."""
    return tuple(province for province in board.centers if board.home(province) == power)


def spoken(board: TableBoard, province: Province) -> str:
    """The province in a sentence: `Burgundy`, `the North Sea`."""
    name = board.full_name(Location(province))
    return f"the {name}" if board.terrain(province) is Terrain.SEA else name
