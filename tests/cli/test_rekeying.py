"""`gm move --address` and `gm move --key`, with a game under way: mail to the old addresses still counts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gm.cli import main
from gm.cli.serve import RunningServer
from gm.cli.service import service_of
from gm.errors import ConfigurationError
from gm.server.condition import MARK, claim
from gm.settings import load
from tests.cli.server import MASTER, Running, player, text_of
from tests.databases import migrated_sqlite
from tests.mail.transport.dovecot import free_port
from tests.server.world import reply_to

pytestmark = pytest.mark.long


def test_a_server_moves_to_another_domain_and_back_with_a_game_under_way(tmp_path: Path) -> None:
    with Running(tmp_path / "server") as server:
        old = server.started()["France"]
        server.stop()
        assert main(["move", "--address", "gm@new.example.net", "--home", str(server.home)]) == 0
        settings = load(server.home, {}).server
        assert (settings.address, settings.also) == ("gm@new.example.net", ("gm@localhost",))
        server.start()
        answer = server.ask(player("France"), old, "A PAR-BUR")
        assert "Army Paris -> Burgundy" in text_of(answer)
        assert "moved from gm@localhost: its address is now gm@new.example.net" in " ".join(text_of(answer).split())
        new = reply_to(answer)
        assert new == old.replace("@localhost", "@new.example.net")
        assert "moved from" not in text_of(server.ask(player("France"), new, "F BRE-MAO"))
        server.stop()
        assert main(["move", "--address", "gm@localhost", "--home", str(server.home)]) == 0
        server.start()
        assert "moved from gm@new.example.net" in " ".join(text_of(server.ask(player("France"), new, "STATUS")).split())


def test_another_key_is_refused_until_every_seat_has_its_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Running(tmp_path / "server") as server:
        old = server.started()["France"]
        server.stop()
        (server.home / "gm.key").write_text("ab" * 32 + "\n")
        with pytest.raises(ConfigurationError, match="another key") as refused:
            RunningServer(load(server.home, {})).start()
        assert "gm move --key" in refused.value.remedy
        assert main(["check", "--home", str(server.home)]) == 1
        assert "FIX   key" in capsys.readouterr().out

        assert main(["move", "--key", "--home", str(server.home)]) == 0
        assert not list(server.home.glob("gm.key.*")), "the present key is taken, and none is drawn"
        server.start()
        server.wait_for(lambda: "has a new key" in text_of(server.mails(player("France"))[-1]))
        new = reply_to(server.mails(player("France"))[-1])
        assert new != old
        assert "Army Paris -> Burgundy" in text_of(server.ask(player("France"), new, "A PAR-BUR"))
        before = len(server.mails(player("France")))
        server.send(player("France"), old, "F BRE-MAO")
        server.wait_for(lambda: len(server.mails(player("France"))) > before)
        asked = text_of(server.mails(player("France"))[-1])
        assert "Fleet Brest -> Mid-Atlantic Ocean" not in asked, "nothing proves who wrote to the old address"
        server.stop()
        assert main(["move", "--key", "--home", str(server.home)]) == 0
        [kept] = server.home.glob("gm.key.until-*")
        assert kept.read_text() == "ab" * 32 + "\n"
        assert load(server.home, {}).key != bytes.fromhex("ab" * 32)


@pytest.mark.parametrize("left", [None, "", "not a key"])
def test_a_key_that_is_lost_is_replaced(tmp_path: Path, left: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    home, key = tmp_path / "server", tmp_path / "server" / "gm.key"
    assert main(["init", "--home", str(home)]) == 0
    (home / "gm.sqlite3").write_bytes(migrated_sqlite())
    claim(service_of(load(home, {})).asked())
    key.unlink() if left is None else key.write_text(left)
    assert main(["check", "--home", str(home)]) == 1
    assert "`gm move --key` makes another" in capsys.readouterr().out
    assert main(["move", "--key", "--home", str(home)]) == 0
    claim(service_of(load(home, {})).asked())
    assert [file.read_text() for file in home.glob("gm.key.until-*")] == ([] if left is None else [left])


def test_a_server_that_runs_is_not_moved_nor_started_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GM_METRICS_PORT", str(free_port()))
    with Running(tmp_path / "server") as server:
        server.ask(MASTER, "gm@localhost", "LIST")
        for what in (["move", "--key"], ["move", "--address", "gm@example.net"], ["serve"]):
            assert main([*what, "--home", str(server.home)]) == 1
            assert "running" in capsys.readouterr().err


def test_a_lost_database_is_not_begun_anew_in_silence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Emptied, gone and damaged: the server does not start, and says how to restore a backup; then it does."""
    with Running(tmp_path / "server") as server:
        server.ask(MASTER, "gm@localhost", "REGISTER Max Master")
        assert main(["backup", str(tmp_path / "gm.tar.gz"), "--home", str(server.home)]) == 0
        server.stop()
    assert (server.home / MARK).stat().st_mode & 0o077 == 0
    file = server.home / "gm.sqlite3"
    for damage in (b"", b"Dear diary, " * 1000, None):
        for end in ("-wal", "-shm"):
            Path(f"{file}{end}").unlink(missing_ok=True)
        file.unlink() if damage is None else file.write_bytes(damage)
        capsys.readouterr()
        assert main(["check", "--home", str(server.home)]) == 1
        assert "gm restore BACKUP --home NEW" in capsys.readouterr().out
        assert main(["serve", "--home", str(server.home)]) == 1
        assert "gm restore BACKUP --home NEW" in capsys.readouterr().err
    again = tmp_path / "again"
    assert main(["restore", str(tmp_path / "gm.tar.gz"), "--home", str(again)]) == 0
    shutil.copy(again / "gm.sqlite3", file)
    server.start()
    server.ask(MASTER, "gm@localhost", "LIST")
    server.kill()


def test_a_key_that_is_lost_is_not_made_anew_where_there_are_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "server"
    assert main(["init", "--home", str(home), "--port", "2525"]) == 0
    (home / "gm.key").unlink()
    assert main(["check", "--home", str(home)]) == 1
    assert "gm init --again" in capsys.readouterr().out
    main(["init", "--again", "--home", str(home)])
    assert load(home, {}).key
    (home / MARK).write_text("a database\n")
    (home / "gm.key").unlink()
    assert main(["init", "--again", "--home", str(home)]) == 1
    assert not (home / "gm.key").exists()


def test_a_move_that_was_killed_is_done_again_and_one_to_nowhere_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    assert main(["init", "--home", str(home), "--address", "gm@localhost"]) == 0
    (home / "gm.sqlite3").write_bytes(migrated_sqlite())
    claim(service_of(load(home, {})).asked())
    (home / "gm.key.new").write_text("half a ke")
    assert main(["move", "--key", "--home", str(home)]) == 0
    assert not (home / "gm.key.new").exists()
    assert len([*home.glob("gm.key.until-*")]) == 1
    assert main(["move", "--address", "GM@localhost", "--home", str(home)]) == 1
    assert "is gm@localhost already" in capsys.readouterr().err
