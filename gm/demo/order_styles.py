"""Styles in which people write orders: functions from canonical notation, `A Par-Bur`, to another one."""

from __future__ import annotations

import re
from collections.abc import Callable

from gm.board import Location
from gm.board.standard import standard_board

OrderStyle = Callable[[str], str]

_PLACE = re.compile(r"\b([A-Z][a-z]{2})(/[nsew]c)?\b")


def _names(text: str) -> str:
    """Codes of places as full names, coasts in brackets."""
    board = standard_board()
    return _PLACE.sub(lambda found: board.full_name(Location(found[0].lower())), text)


def capitals(order: str) -> str:
    """`A PAR-BUR`"""
    return order.upper()


def small_letters(order: str) -> str:
    """`a par - bur`"""
    return order.lower().replace("-", " - ")


def full_names(order: str) -> str:
    """`A Paris - Burgundy`"""
    return _names(re.sub(r"-", " - ", order))


def sentences(order: str) -> str:
    """`Army Paris to Burgundy`, `Fleet North Sea convoys Army London to Norway`"""
    spelt = re.sub(r"\bA (?=[A-Z])", "Army ", re.sub(r"\bF (?=[A-Z])", "Fleet ", order))
    spelt = spelt.replace("-", " to ").replace(" S ", " supports ").replace(" C ", " convoys ")
    return _names(re.sub(r" H$", " holds", spelt))


def dashes(order: str) -> str:
    """`A Par – Bur`, `F Stp(sc)`"""
    return re.sub(r"/([nsew]c)", r"(\1)", order.replace("-", " \N{EN DASH} "))


def arrows(order: str) -> str:
    """`A PAR -> BUR`"""
    return order.upper().replace("-", " -> ")


def as_taught(order: str) -> str:
    """`A Par-Bur`, as HELP shows it"""
    return order
