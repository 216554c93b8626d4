"""What tests ask for: a server (`world`, at each level of trust `world_at_level`), the `seats` of a game that has begun
there, a `place` at each level where one has begun, and a `key` to sign with.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import which
from subprocess import run
from zlib import crc32

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
def some_level(request: pytest.FixtureRequest) -> Level:
    """One level of trust, another one for the next test: for what the level does not decide, so that a file meets each
    of them without playing everything three times."""
    return LEVELS[crc32(request.node.nodeid.encode()) % len(LEVELS)]


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


@pytest.fixture
def place(tmp_path: Path, level: Level) -> Iterator[Place]:
    """A server at each level of trust, where a game has begun that has used nothing up."""
    home = tmp_path / "home"
    home.mkdir()
    world = World(home, limits=0)
    seats = world.started()
    world.database.dispose()
    trust = TrustSettings(level=level, authserv_ids=("mx.home",))
    place = Place(home, trust=trust, mailboxes=world.mailboxes, seats_of_spring=seats)
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
