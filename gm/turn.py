"""What one adjudicated phase brought about: the value that reports, archives and interfaces read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gm.board import Power, Province
from gm.judge.outcomes import Outcome
from gm.orders import Order
from gm.position import Dislodged, Position


@dataclass(frozen=True, slots=True)
class Victory:
    """The end of a game by its rules. More than one winner shares it (a draw)."""

    winners: tuple[Power, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class SeasonCount:
    """Ownership as counted at the end of a season: who gained and who lost which centres, and who is out."""

    gained: Mapping[Power, tuple[Province, ...]] = field(default_factory=dict)
    lost: Mapping[Power, tuple[Province, ...]] = field(default_factory=dict)
    eliminated: tuple[Power, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One phase: the position before, the orders, their outcomes, and the position to be played next.

    `outcomes` holds one for each order and one for each unit without. `destroyed` are dislodged units that had nowhere
    to go. `silent` are the powers that had something to order and sent nothing (civil disorder). `news` are
    sentences on what else the rules of the game brought (a black hole, a landing).
    """

    before: Position
    orders: Mapping[Power, tuple[Order, ...]]
    outcomes: tuple[Outcome, ...]
    after: Position
    destroyed: tuple[Dislodged, ...] = ()
    count: SeasonCount | None = None
    silent: tuple[Power, ...] = ()
    victory: Victory | None = None
    news: tuple[str, ...] = ()
