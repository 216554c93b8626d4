"""The seed of a game: secret, chosen by the server; known beforehand only where the operator rehearses."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gm.cli.check import findings
from gm.cli.init import write
from gm.errors import ConfigurationError
from gm.games.identity import ServerIdentity
from gm.settings import ServerSettings, load
from tests.server.world import BASE, World, text_of

SEED = "5e" * 32


def server_with(rehearsal_seed: str = "") -> ServerIdentity:
    """A server with this setting."""
    server = ServerSettings(BASE, zone=ZoneInfo("UTC"), rehearsal_seed=bytes.fromhex(rehearsal_seed))
    return ServerIdentity(server, b"k" * 32)


def test_every_game_has_a_secret_seed_of_its_own() -> None:
    seeds = {server_with().new_seed("spring") for _ in range(20)}
    assert len(seeds) == 20
    assert {len(bytes.fromhex(seed)) for seed in seeds} == {32}


def test_in_a_rehearsal_it_is_known() -> None:
    assert server_with(SEED).new_seed("spring") == server_with(SEED).new_seed("spring")
    assert server_with(SEED).new_seed("spring") != server_with(SEED).new_seed("autumn")
    assert SEED not in server_with(SEED).new_seed("spring")


@pytest.mark.parametrize("line", ["CREATE spring seed=" + SEED, f"CREATE spring\nrehearsal_seed: {SEED}"])
def test_no_mail_chooses_it(tmp_path: Path, line: str) -> None:
    world = World(tmp_path)
    assert "There is no option" in text_of(world.send("master@example.org", BASE, line))
    world.database.dispose()


def test_the_operator_sets_it_and_is_warned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, address=BASE, mode="alone", port=2525)
    assert load(tmp_path).server.rehearsal_seed == b""
    assert not [one for one in findings(tmp_path) if one.subject == "draws"]
    monkeypatch.setenv("GM_SERVER_REHEARSAL_SEED", SEED)
    assert load(tmp_path).server.rehearsal_seed == bytes.fromhex(SEED)
    assert SEED not in repr(load(tmp_path))
    (warning,) = [one for one in findings(tmp_path) if one.subject == "draws"]
    assert warning.urgent
    assert "Remove it on a server that people play on" in warning.remedy


@pytest.mark.parametrize("given", ["5e5e", "not figures"])
def test_an_invalid_seed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    write(tmp_path, address=BASE, mode="alone", port=2525)
    monkeypatch.setenv("GM_SERVER_REHEARSAL_SEED", given)
    with pytest.raises(ConfigurationError, match="at least 16 bytes in hexadecimal figures"):
        load(tmp_path)
