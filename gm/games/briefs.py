"""What is different in a game, in five to eight sentences; and the paragraphs of the rules about one ruling."""

from __future__ import annotations

import re

from gm import folder
from gm.variants import Variant

RULING = re.compile(r"[A-Z]{2}-\d{1,3}")
"""A ruling as reports and rules cite it: `OS-5`."""


def brief_of(variant: Variant) -> tuple[str, ...]:
    """What is different from Diplomacy, a sentence or two a paragraph; nothing for Diplomacy itself."""
    path = folder("templates") / "briefs" / f"{variant.name}.txt"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return tuple(" ".join(one.split()) for one in text.split("\n\n") if one.strip())


def paragraphs_on(ruling: str) -> tuple[str, ...]:
    """The paragraphs of the newest rules of all games that cite the ruling."""
    cited = re.compile(rf"\b{re.escape(ruling)}\b")
    texts = (path.read_text(encoding="utf-8") for path in sorted((folder("templates") / "rules").glob("*.txt")))
    every = (one.strip("\n") for text in texts for one in re.split(r"\n\s*\n", text) if cited.search(one))
    return tuple(dict.fromkeys(every))
