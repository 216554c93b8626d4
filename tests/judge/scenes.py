"""Small phases for tests, from lines such as `Italy A ven-tri`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from gm.board import Board, standard_board
from gm.judge import RULEBOOK_2023, Rulebook
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Outcome, Resolution
from gm.orders import Declaration, Order, WrittenOrder
from gm.position import Unit
from tests.judge.reader import unit_of, written

BOARD = standard_board()


def movement(lines: str, rulebook: Rulebook = RULEBOOK_2023, board: Board = BOARD) -> Resolution:
    """Adjudicate the lines' orders for the units they name. Nothing is refused beforehand."""
    texts = [line.strip() for line in lines.strip().splitlines()]
    units = tuple(dict.fromkeys(_unit(text) for text in texts))
    return resolve_movement(board, rulebook, units, [_order(text, units) for text in texts])


def of(resolution: Resolution, at: str) -> Outcome:
    """The outcome of the unit that began at the location."""
    return next(o for o in resolution.outcomes if not isinstance(o.order, Declaration) and o.order.unit.at == at)


def _unit(text: str) -> Unit:
    unit = unit_of(text)
    assert unit is not None, text
    return unit


def _order(text: str, units: Iterable[Unit]) -> Order:
    """The order with the units it names found by where they stand."""
    order: WrittenOrder = written(text)[1]
    there = {unit.at: unit for unit in units}
    found: Order = renamed(order, lambda name: there[name.at])
    return found


def renamed(order: Any, name: Callable[[Any], object]) -> Any:
    """The same order, with each of its units called as `name` says."""
    units = ("unit", "supported", "convoyed")
    return replace(order, **{part: name(getattr(order, part)) for part in units if hasattr(order, part)})


def allowing_self_dislodgement(rulebook: Rulebook) -> Rulebook:
    """The same edition with ST-4 turned round."""
    return replace(rulebook, self_dislodgement=True)
