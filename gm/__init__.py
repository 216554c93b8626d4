"""gm: a gamemaster server for Diplomacy played by e-mail.

The packages are layers; each imports only from those before it. docs/house.md lists them, from the pure rules
to the operator's commands, and `tests/test_house.py` checks the order.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

__version__ = "1.0.0"

_INSIDE = Path(__file__).parent / "_files"
_BESIDE = Path(__file__).parent.parent


@lru_cache(maxsize=8)
def folder(name: str) -> Path:
    """The folder `grammars`, `templates` or `migrations`. Raises FileNotFoundError if it is not installed."""
    for place in (_INSIDE / name, _BESIDE / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the folder {name!r} is missing from this installation of gm")
