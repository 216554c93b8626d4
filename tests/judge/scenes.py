"""Small phases for tests, from lines such as `Italy A ven-tri`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gm.board import Board, standard_board
from gm.judge import RULEBOOK_2023, Rulebook
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Outcome, Resolution
from gm.orders import Convoy, Declaration, Hold, Move, Order, Support, UnitName, WrittenOrder
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

    def found(name: UnitName) -> Unit:
        return there[name.at]

    match order:
        case Move():
            return Move(found(order.unit), order.to, order.via_convoy, order.route)
        case Support():
            return Support(found(order.unit), found(order.supported), order.to)
        case Convoy():
            return Convoy(found(order.unit), found(order.convoyed), order.to)
        case Hold():
            return Hold(found(order.unit))
    raise ValueError(f"{text!r} is no order of a movement phase")


def allowing_self_dislodgement(rulebook: Rulebook) -> Rulebook:
    """The same edition with ST-4 turned round."""
    return replace(rulebook, self_dislodgement=True)
