"""`gm init`: what it writes is private, is understood, and is never written twice."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from gm.cli import init, main
from gm.cli.working import set_up_at
from gm.errors import ConfigurationError
from gm.settings import load


def test_the_default_server_needs_no_further_thought(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "new" / "server"
    assert main(["init", "--home", str(home)]) == 0
    settings = load(home, {})
    assert settings.server.address == "gm@localhost"
    assert settings.listen is not None
    assert (settings.listen.host, settings.listen.port, settings.send.kind) == ("127.0.0.1", 2525, "maildir")
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in home.iterdir()} == {
        "gm.toml": 0o600,
        "gm.key": 0o600,
    }
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert f"gm serve --home {home}" in capsys.readouterr().out


def test_every_server_has_a_key_of_its_own(tmp_path: Path) -> None:
    for name in ("one", "two"):
        main(["init", "--home", str(tmp_path / name)])
    assert load(tmp_path / "one", {}).key != load(tmp_path / "two", {}).key


def test_a_configuration_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gm.toml").write_text("precious", encoding="utf-8")
    assert main(["init", "--home", str(tmp_path)]) == 1
    assert "gm.toml' exists already" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["gm.toml"]
    assert (tmp_path / "gm.toml").read_text(encoding="utf-8") == "precious"


def test_a_server_whose_configuration_is_lost_goes_on_with_its_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gm.key").write_text("5e" * 32, encoding="ascii")
    (tmp_path / "gm.database").write_text("had one", encoding="ascii")
    assert main(["init", "--again", "--home", str(tmp_path)]) == 1
    assert "Create one with `gm init`" in capsys.readouterr().out
    assert main(["init", "--home", str(tmp_path)]) == 0
    assert f"The key that was there is kept, {tmp_path}/gm.key." in capsys.readouterr().out
    assert load(tmp_path, {}).key == bytes.fromhex("5e" * 32)


def test_a_mailbox_without_plus_addressing(tmp_path: Path) -> None:
    for name, more in (("plus", ()), ("plain", ("--no-plus",))):
        assert main(["init", "--home", str(tmp_path / name), "--mode", "imap", *more]) == 0
        (tmp_path / name / "mail.password").write_text("secret")
    assert load(tmp_path / "plus", {}).server.plus_addressing
    assert not load(tmp_path / "plain", {}).server.plus_addressing
    with pytest.raises(ConfigurationError, match="true or false"):
        load(tmp_path / "plus", {"GM_SERVER_PLUS_ADDRESSING": "perhaps"})


def test_behind_postfix(tmp_path: Path) -> None:
    assert (
        main(["init", "--home", str(tmp_path), "--mode", "lmtp", "--port", "2424", "--address", "Gm@Example.org"]) == 0
    )
    settings = load(tmp_path, {})
    assert settings.server.address == "gm@example.org"
    assert settings.listen is not None
    assert (settings.listen.protocol, settings.listen.port) == ("lmtp", 2424)
    assert (settings.send.kind, settings.send.host, settings.send.port) == ("smtp", "127.0.0.1", 25)


def test_at_a_provider(tmp_path: Path) -> None:
    assert main(["init", "--home", str(tmp_path), "--mode", "imap", "--address", "gm@example.org"]) == 0
    (tmp_path / "mail.password").write_text("s3cret\n", encoding="utf-8")
    settings = load(tmp_path, {})
    assert settings.listen is None
    assert settings.imap is not None
    assert (settings.imap.user, settings.imap.password, settings.imap.tls) == ("gm@example.org", "s3cret", "implicit")
    assert (settings.send.user, settings.send.password, settings.send.port) == ("gm@example.org", "s3cret", 465)


@pytest.mark.parametrize("mode", ["alone", "lmtp", "imap"])
def test_what_is_commented_out_is_understood_too(tmp_path: Path, mode: str) -> None:
    """Someone takes the # from every line that is a setting, and gives a password: the file must still be right."""
    assert main(["init", "--home", str(tmp_path), "--mode", mode]) == 0
    path = tmp_path / "gm.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text(
        "\n".join(line if line.startswith("# ") else line.removeprefix("#") for line in lines), encoding="utf-8"
    )
    (tmp_path / "mail.password").write_text("s3cret\n", encoding="utf-8")
    settings = load(path, {})
    assert settings.imap is not None
    assert settings.listen is not None
    assert settings.server.operator == "you@example.org"


@pytest.mark.parametrize("mode", ["lmtp", "imap"])
def test_how_many_mails_are_sent_at_once_is_in_the_file(tmp_path: Path, mode: str) -> None:
    assert main(["init", "--home", str(tmp_path), "--mode", mode]) == 0
    path = tmp_path / "gm.toml"
    text = path.read_text(encoding="utf-8")
    for line, other in (("# connections = 8", "connections = 3"), ("# per_domain = 2", "per_domain = 1")):
        assert line in text
        text = text.replace(line, other)
    path.write_text(text, encoding="utf-8")
    (tmp_path / "mail.password").write_text("s3cret\n", encoding="utf-8")
    settings = load(path, {})
    assert (settings.send.connections, settings.send.per_domain) == (3, 1)


@pytest.mark.parametrize(
    "arguments",
    [["--address", "gm+a@example.org"], ["--mode", "pigeon"], *(["--port", one] for one in ("x", "0", "-1", "99999"))],
)
def test_a_wrong_flag_is_a_usage_error(tmp_path: Path, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["init", "--home", str(tmp_path), *arguments])
    assert caught.value.code == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("mode", ["alone", "lmtp"])
@pytest.mark.parametrize("port", [99999, -1])
def test_what_a_server_would_refuse_is_not_written(tmp_path: Path, mode: str, port: int) -> None:
    with pytest.raises(ConfigurationError) as caught:
        init.write(tmp_path / "home", address="gm@example.org", mode=mode, port=port)
    assert f"{tmp_path / 'home' / 'gm.toml'}, [listen] port" in caught.value.problem
    assert "a whole number from 0 to 65535" in caught.value.remedy
    assert not (tmp_path / "home").exists()


def test_a_full_disk_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    call = [sys.executable, "-B", "-m", "gm", "init", "--home", str(tmp_path / "home")]
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (100, 100))
    done = subprocess.run(call, preexec_fn=limit, capture_output=True, text=True, check=False)
    assert f"'{tmp_path / 'home'}' cannot be written" in done.stderr
    assert list(tmp_path.glob("home/*")) == []
    assert main(["init", "--home", str(tmp_path / "home")]) == 0


@pytest.mark.parametrize(("hours", "read"), [(0.5, 0.5), (23, 23), (72, 24), (-1, 0)])
def test_mail_that_came_since_the_settings_were_written_is_the_server_s(
    tmp_path: Path, hours: float, read: float
) -> None:
    """In a mailbox that it reads for the first time, and of a day at most: what was there before is its owner's."""
    main(["init", "--home", str(tmp_path / "games")])
    now = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
    written = (now - timedelta(hours=hours)).timestamp()
    os.utime(tmp_path / "games" / "gm.toml", (written, written))
    assert set_up_at(load(tmp_path / "games", {}), now) == now - timedelta(hours=read)
