"""What a game adds to HELP; its rules, and the paragraphs of them about one ruling or question."""

from __future__ import annotations

import re
from collections import Counter

from gm import folder
from gm.parsing.small_talk import PROSE
from gm.variants import Variant

RULING = re.compile(r"[A-Z]{2}-\d{1,3}")
"""A ruling as reports and rules cite it: `OS-5`."""


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


def passage_on(question: str, variant: Variant) -> str:
    """The paragraph of the game's rules that says most of what a question asks about, by the rarest of its words; "" if
    its words are in none, or in too many.
    """
    every = [one for one in re.split(r"\n\s*\n", rules_of(variant) or "") if len(one) > _HEADING]
    said = [set(_stems(one)) for one in every]
    spoken = Counter(stem for stems in said for stem in stems)
    asked = {stem for stem in _stems(question) if 0 < spoken[stem] <= max(_FEW, len(every) / 2)}
    found = max(zip(said, every, strict=True), key=lambda one: sum(1 / spoken[stem] for stem in asked & one[0]))
    return found[1].strip("\n") if asked else ""


_HEADING = 90
_FEW = 6
"""A word in more paragraphs than so many, and in more than half, says nothing of what is asked about."""
_STEM = 7


def _stems(text: str) -> list[str]:
    words = re.findall(r"[a-z]{4,}", text.lower())
    return [word.removesuffix("s")[:_STEM] for word in words if word not in PROSE]
