"""The tables read: cases as values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from gm.judge import RULEBOOKS
from gm.position import Unit, parse_unit

SECTIONS = "ABCDEFGHIJ"


@dataclass(frozen=True)
class Row:
    """An order and its outcome, by rulebook; for a unit without an order `order` is empty."""

    power: str
    order: str
    results: dict[str, str]
    unit: Unit | None = None

    def expected(self, book: str) -> str:
        """The outcome under the rulebook."""
        return self.results.get(book, self.results[""])


@dataclass
class Case:
    """A case of one movement or adjustment phase, and a retreat phase after it if `retreats` is not None."""

    number: str
    title: str
    books: tuple[str, ...] = tuple(RULEBOOKS)
    rows: list[Row] = field(default_factory=list)
    retreats: list[Row] | None = None
    options: dict[str, list[str]] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    defaults: list[str] = field(default_factory=list)

    @property
    def section(self) -> str:
        """`6.A`."""
        return self.number[:3]


def cases(section: str) -> list[Case]:
    """The cases of one section, by its letter."""
    text = (Path(__file__).parent / f"6{section.lower()}.txt").read_text(encoding="utf-8")
    return list(read_cases(text))


def read_cases(text: str) -> Iterator[Case]:
    """Read a table."""
    case: Case | None = None
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        columns = re.split(r" {2,}", line.strip())
        if not line.startswith(" "):
            if case is not None:
                yield case
            case = Case(columns[0], columns[1])
        else:
            assert case is not None
            _add(case, columns)
    if case is not None:
        yield case


def _add(case: Case, columns: list[str]) -> None:
    match columns:
        case ["only", books]:
            case.books = tuple(books.split())
        case ["retreats"]:
            case.retreats = []
        case ["may", unit, *places]:
            case.options[unit] = " ".join(places).split()
        case ["owns", text]:
            power, *centers = text.split()
            case.owners |= dict.fromkeys(centers, power)
        case ["then", order]:
            case.defaults.append(order)
        case ["stands", unit, *result]:
            case.rows.append(Row("", "", _results(" ".join(result)), parse_unit(unit)))
        case [power, order, result]:
            rows = case.rows if case.retreats is None else case.retreats
            rows.append(Row(power, order, _results(result)))
        case _:
            raise ValueError(f"{columns} is no row of a case")


def _results(text: str) -> dict[str, str]:
    """`succeeds; 1971 bounces, dislodged` by rulebook; the first is for those not named."""
    first, *others = text.split("; ")
    return {"": first} | {book: result for book, _, result in (other.partition(" ") for other in others)}
