"""`gm games`: what the operator sees of the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.cli import main
from tests.server.world import BASE, World, reply_to

MASTER = "master@example.org"


@pytest.mark.long
def test_the_games_and_one_with_its_seats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--home", str(tmp_path), "--address", BASE]) == 0
    world = World(tmp_path)
    seats = world.started("spring", "")
    world.send(MASTER, BASE, "CREATE autumn")
    chair = reply_to(world.send(MASTER, BASE, "CREATE winter"))
    world.send(MASTER, chair, "TERMINATE winter")
    world.send(MASTER, seats["GM"], "PAUSE")
    capsys.readouterr()

    def shown(*more: str) -> list[list[str]]:
        assert main(["games", "--home", str(tmp_path), *more]) == 0
        return [line.split() for line in capsys.readouterr().out.splitlines()]

    assert shown() == [
        ["NAME", "VARIANT", "STATE", "PHASE", "DEADLINE", "PLAYERS"],
        ["autumn", "standard", "forming", "-", "-", "0/7"],
        ["spring", "standard", "paused", "S1901M", "-", "7/7"],
    ]
    assert [row[0] for row in shown("--all")[1:]] == ["autumn", "spring", "winter"]
    world.send(MASTER, seats["GM"], "RESUME")
    due = world.game().due_at
    assert due is not None
    one = shown("SPRING")
    assert ["DEADLINE", *f"{due:%Y-%m-%d %H:%M} UTC".split()] in one
    assert ["France", "player", "Pat", "France", "france@players.example"] in one
    assert main(["games", "--home", str(tmp_path), "nothing"]) == 1
    assert "There is no game 'nothing'" in capsys.readouterr().err


def test_a_server_without_a_database_and_one_without_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--home", str(tmp_path), "--address", BASE]) == 0
    assert main(["games", "--home", str(tmp_path)]) == 1
    assert "no database yet" in capsys.readouterr().err
    assert not (tmp_path / "gm.sqlite3").exists()
    World(tmp_path).database.dispose()
    assert main(["games", "--home", str(tmp_path)]) == 0
    assert "There is no game that is forming or running." in capsys.readouterr().out
    assert main(["games", "--home", str(tmp_path), "--all"]) == 0
    assert capsys.readouterr().out == "There is no game yet.\n"
