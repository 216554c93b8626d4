"""Servers for tests that ask for them: `world`; and `place` at each level of trust, where a game has begun."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from shutil import copytree

import pytest

from gm.settings import TrustSettings
from tests.server.world import LEVELS, Place, World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.database.dispose()


Begun = tuple[Path, dict[str, str], dict[str, list[EmailMessage]]]


@pytest.fixture(scope="session")
def begun_game(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    """A game that has begun: its database, the addresses of its seats, and everybody's mail."""
    world = World(tmp_path_factory.mktemp("begun"), limits=0)
    seats = world.started()
    world.database.dispose()
    return world.path, seats, world.mailboxes


@pytest.fixture(params=LEVELS)
def place(tmp_path: Path, begun_game: Begun, request: pytest.FixtureRequest) -> Iterator[Place]:
    """A server at each level of trust."""
    copytree(begun_game[0], tmp_path / "home")
    mail = {address: list(mails) for address, mails in begun_game[2].items()}
    trust = TrustSettings(level=request.param, authserv_ids=("mx.home",))
    place = Place(tmp_path / "home", trust=trust, migrate=False, mailboxes=mail, seats_of_spring=begun_game[1])
    yield place
    place.database.dispose()
