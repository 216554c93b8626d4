"""Positions and orders in a line each, as the tests of several games write them."""

from __future__ import annotations

from collections.abc import Iterator

from gm.board import Power, Province


def owners(text: str) -> dict[Province, Power]:
    """`Krell par bur; Zorg mun`: provinces and their owners."""
    pairs = (part.partition(" ") for part in filter(None, text.split("; ")))
    return {Province(code): Power(power) for power, _, codes in pairs for code in codes.split()}


def pieces(text: str) -> list[str]:
    """`France A par, F bre; Germany A mun`: each unit with its power."""
    pairs = (part.partition(" ") for part in filter(None, text.split("; ")))
    return [f"{power} {piece}" for power, _, rest in pairs for piece in rest.split(", ")]


def single_orders(lines: str) -> Iterator[str]:
    """`France: A PAR-BUR, A MAR H; Germany: A MUN H`: each order with its power."""
    for part in filter(None, lines.split("; ")):
        head, _, rest = part.partition(": ")
        for text in rest.split(", "):
            yield f"{head}: {text}"
