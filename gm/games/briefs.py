"""What is different in a game, in five to eight sentences; and the paragraphs of the rules about one ruling."""

from __future__ import annotations

import re

from gm import folder
from gm.variants import Variant

RULING = re.compile(r"[A-Z]{2}-\d{1,3}")
"""A ruling as reports and rules cite it: `OS-5`."""


def brief_of(variant: Variant) -> tuple[str, ...]:
    """What is different from Diplomacy, a sentence or two a paragraph; nothing for Diplomacy itself."""
    if variant.brief:
        return variant.brief
    path = folder("templates") / "briefs" / f"{variant.name}.txt"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return tuple(" ".join(one.split()) for one in text.split("\n\n") if one.strip())


def help_on(topic: str, variant: Variant) -> str:
    """What this game adds to a topic of HELP; "" for nothing."""
    path = folder("templates") / "help" / variant.name / f"{topic}.txt"
    return path.read_text(encoding="utf-8").rstrip() if path.is_file() else ""


def rules_of(variant: Variant) -> str | None:
    """The rules by which games of this edition are played, if there is a text."""
    if variant.rules_text:
        return variant.rules_text
    texts = folder("templates") / "rules"
    replaced = texts / f"{variant.name}.{variant.edition}.txt"
    path = replaced if replaced.is_file() else texts / f"{variant.name}.txt"
    return path.read_text(encoding="utf-8") if path.is_file() else None


def paragraphs_on(ruling: str, variant: Variant) -> tuple[str, ...]:
    """The paragraphs of the game's rules that cite the ruling."""
    cited = re.compile(rf"\b{re.escape(ruling)}\b")
    every = re.split(r"\n\s*\n", rules_of(variant) or "")
    return tuple(one.strip("\n") for one in every if cited.search(one))
