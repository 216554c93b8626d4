"""What one seat may see. Everything that leaves the server is made from a view, never from the position itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gm.board import FiniteBoard, Power
from gm.orders.needs import Need
from gm.position import Position
from gm.turn import Turn


@dataclass(frozen=True, slots=True)
class View:
    """The board and the last turn as a seat may see them. `seat` None is the public: observers and archives.

    `position` is the one to be played next, `needs` its builds and removals, `turn` what has just happened (None before
    the first phase).
    """

    seat: Power | None
    board: FiniteBoard
    powers: tuple[Power, ...]
    position: Position
    needs: Mapping[Power, Need]
    turn: Turn | None = None
