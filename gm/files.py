"""Where the grammars, templates and migrations are: beside the package in a checkout, inside it when installed."""

from __future__ import annotations

from pathlib import Path

_INSIDE = Path(__file__).parent / "_files"
_BESIDE = Path(__file__).parent.parent


def folder(name: str) -> Path:
    """The folder `grammars`, `templates` or `migrations`. Raises FileNotFoundError when the installation lacks it."""
    for place in (_INSIDE / name, _BESIDE / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the folder {name!r} is missing from this installation of gm")
