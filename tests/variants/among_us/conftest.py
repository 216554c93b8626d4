"""One game for each test that needs one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.variants.among_us.mails import Game, new_game


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    made = new_game(tmp_path / "game")
    yield made
    made.database.dispose()
