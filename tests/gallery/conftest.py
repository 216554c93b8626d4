"""The seven games, played once, and their site; a browser that looks at it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gallery.played import Shelf, seven


@pytest.fixture(scope="session")
def the_seven(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """A game of each kind, and others."""
    return seven(tmp_path_factory.mktemp("gallery") / "home")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """One game in its third phase."""
    shelf = Shelf(tmp_path / "home")
    shelf.play(shelf.started("spring", "standard"), 2)
    return shelf
