"""What tests ask for: a server (`world`, at each level of trust `world_at_level`), the `seats` of a game that has begun
there, a `place` at each level where one has begun, and a `key` to sign with.
"""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from shutil import copytree, which
from subprocess import run

import pytest

from gm.settings import Level, TrustSettings
from tests.server.world import LEVELS, Place, World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.database.dispose()


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> Level:
    """Each level of trust."""
    found: Level = request.param
    return found


@pytest.fixture
def world_at_level(level: Level, tmp_path: Path) -> Iterator[World]:
    """A server at each level of trust, which believes mx.home."""
    world = World(tmp_path, trust=TrustSettings(level=level, authserv_ids=("mx.home",)))
    yield world
    world.database.dispose()


@pytest.fixture
def seats(world: World) -> dict[str, str]:
    """The address of each power's seat in a game that has begun."""
    return world.started()


Begun = tuple[Path, dict[str, str], dict[str, list[EmailMessage]]]


@pytest.fixture(scope="session")
def begun_game(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    """A game that has begun: its database, the addresses of its seats, and everybody's mail."""
    world = World(tmp_path_factory.mktemp("begun"), limits=0)
    seats = world.started()
    world.database.dispose()
    return world.path, seats, world.mailboxes


@pytest.fixture
def place(tmp_path: Path, begun_game: Begun, level: Level) -> Iterator[Place]:
    """A server at each level of trust."""
    copytree(begun_game[0], tmp_path / "home")
    mail = {address: list(mails) for address, mails in begun_game[2].items()}
    trust = TrustSettings(level=level, authserv_ids=("mx.home",))
    place = Place(tmp_path / "home", trust=trust, migrate=False, mailboxes=mail, seats_of_spring=begun_game[1])
    yield place
    place.database.dispose()


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An RSA key as `openssl genrsa` writes it."""
    openssl = which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    path = tmp_path_factory.mktemp("dkim") / "dkim.pem"
    run([openssl, "genrsa", "-out", str(path), "1024"], check=True, capture_output=True)
    return path
