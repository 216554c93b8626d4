"""Names of phases as people write them: `F1903M`, `Fall 1903 movement`, `PHASE RETREATS` for every one of a kind."""

from __future__ import annotations

import re

from gm.parsing.folding import fold
from gm.position import PhaseKind

KIND_OF: dict[str, PhaseKind] = {
    "M": PhaseKind.MOVEMENT,
    "R": PhaseKind.RETREAT,
    "A": PhaseKind.ADJUSTMENT,
}
"""The kind that the last letter of a code stands for."""

_CODE = re.compile(r"([sfw])(?P<year>\d{1,5})([mrab])")
_SEASONS = {"spring": "S", "summer": "S", "fall": "F", "autumn": "F", "winter": "W"}
_KINDS = {
    "m": "M", "move": "M", "moves": "M", "movement": "M", "movements": "M",
    "r": "R", "retreat": "R", "retreats": "R",
    "a": "A", "b": "A", "adjust": "A", "adjustment": "A", "adjustments": "A", "build": "A", "builds": "A",
    "removals": "A",
}  # fmt: skip


def phase_code(words: str) -> str | None:
    """The code of the phase that these words name; `R` or `A` for every retreat or adjustment phase, `NOW` for the
    present one; None when they name none.
    """
    text = fold(words).folded.strip(" .,:;")
    if text in ("now", "current", "present"):
        return "NOW"
    if found := _CODE.fullmatch(text.replace(" ", "")):
        return f"{found[1]}{int(found['year'])}{found[3].replace('b', 'a')}".upper()
    season = year = kind = None
    for word in re.split(r"[ ,]+", re.sub(r"^(?:any|every|all|the|next)[ ]+", "", text)):
        if word in _SEASONS and season is None:
            season = _SEASONS[word]
        elif re.fullmatch(r"\d{1,5}", word) and year is None:
            year = str(int(word))
        elif word in _KINDS and kind is None:
            kind = _KINDS[word]
        elif word not in ("of", "phase"):
            return None
    if season is None and year is None and kind in ("R", "A"):
        return kind
    if season is None or year is None:
        return None
    return f"{season}{year}{kind or ('A' if season == 'W' else 'M')}"


def one_phase(words: str) -> str | None:
    """The code of the one phase, with season and year, that these words name; None for anything else."""
    code = phase_code(words)
    return code if code is not None and len(code) > 1 and code != "NOW" else None
