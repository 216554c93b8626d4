"""gm: a gamemaster server for Diplomacy played by e-mail.

The packages are layers, each of which imports only from those before it (README.md has the whole list, and
`tests/test_house.py` checks it): the pure rules (`board` to `views`), then `mail.message`, `parsing`, `reports`,
`store`, `games`, `commands`, `server`, `mail.transport`, `cli`.
"""

from __future__ import annotations

from pathlib import Path

__version__ = "0.1.0"

_INSIDE = Path(__file__).parent / "_files"
_BESIDE = Path(__file__).parent.parent


def folder(name: str) -> Path:
    """The folder `grammars`, `templates` or `migrations`. Raises FileNotFoundError when the installation lacks it."""
    for place in (_INSIDE / name, _BESIDE / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the folder {name!r} is missing from this installation of gm")
