"""What became of each order: an enum of results with the facts that explain it.

Reports, receipts and `gm adjudicate` all speak through these values.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gm.board import Province
from gm.orders import Order
from gm.position import Dislodged, Unit


class Result(StrEnum):
    """What became of an order, in the documented words of `gm adjudicate`."""

    SUCCEEDS = "succeeds"
    BOUNCES = "bounces"
    CUT = "cut"
    VOID = "void"
    NO_CONVOY = "no convoy"
    DISRUPTED = "disrupted"
    DISBANDED = "disbanded"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One order's fate. `dislodged_by` is set when its unit was dislodged, whatever became of the order."""

    order: Order
    result: Result
    dislodged_by: Unit | None = None

    @property
    def succeeded(self) -> bool:
        return self.result is Result.SUCCEEDS


@dataclass(frozen=True, slots=True)
class Resolution:
    """A phase resolved. `outcomes`: one for each order in the order given, then one for each unit without an order."""

    outcomes: tuple[Outcome, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[Province] = frozenset()
