"""Editions of the rules as values: one field for each question the editions answer differently (DATC section 4)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Answers to the disputed rules. See `../rules` in the documentation for the table ST-1 to ST-6."""

    name: str


RULEBOOK_2023 = Rulebook("2023")
