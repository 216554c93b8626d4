"""`gm init` at a real terminal: it asks, writes what was answered, and tries the mail with real servers."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.cli import check
from gm.cli.mail_trial import mail_trial
from gm.settings import editing, load
from tests.cli.server import Running
from tests.cli.terminal import gm_at_a_terminal
from tests.mail.transport.dovecot import PASSWORD, USER, Dovecot, free_port
from tests.mail.transport.postfix import LMTP_DOMAIN, Postfix

pytestmark = pytest.mark.long(seconds=30)


def init(home: Path, *answers: tuple[str, str]) -> tuple[int, str]:
    with gm_at_a_terminal("init", "--home", str(home), cwd=home.parent) as terminal:
        return terminal.end(answers), terminal.shown


def test_enter_makes_a_server_to_try_whose_mail_works(tmp_path: Path) -> None:
    port = str(free_port())
    status, shown = init(
        tmp_path / "games",
        ("The mail address of the server [gm@localhost]: ", ""),
        ("Which [1]: ", "4"),
        ("'4' is none of 1, 2, 3.\nWhich [1]: ", ""),
        ("listens [2525]: ", port),
        ("Your own address", "op@example.org"),
    )
    assert status == 0, shown
    assert "ok    a mail         sent to gm+check....@localhost, and it arrived" in shown
    assert f"gm serve --home {tmp_path / 'games'}" in shown
    settings = load(tmp_path / "games", {})
    assert settings.server.operator == "op@example.org"
    assert settings.listen is not None
    assert settings.listen.port == int(port)


def test_without_an_answer_nothing_is_written(tmp_path: Path) -> None:
    with gm_at_a_terminal("init", "--home", str(tmp_path / "games"), cwd=tmp_path) as terminal:
        terminal.answer("gm@localhost]: ", "gm@example.org")
        terminal.answer("Which [1]", "2")
        terminal.hang_up()
        assert terminal.end() == 1
    assert "Nothing was written" in terminal.shown
    assert not (tmp_path / "games").exists()


def test_what_is_there_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "gm.toml").touch()
    status, shown = init(tmp_path / "games")
    assert status == 1
    assert "exists already" in shown
    assert "address of the server" not in shown


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    with Dovecot() as running:
        yield running


def mailbox(dovecot: Dovecot, smtp: int, password: str = PASSWORD, user: str = USER) -> tuple[tuple[str, str], ...]:
    return (
        ("gm@localhost]: ", user),
        ("Which [1]: ", "3"),
        ("other [other]: ", ""),
        ("The IMAP server [imap.example.org]: ", "127.0.0.1"),
        ("Its port [993]: ", str(dovecot.port)),
        ("Its encryption (implicit, starttls, none) [none]: ", ""),
        ("The SMTP server [smtp.example.org]: ", "127.0.0.1"),
        ("Its port [465]: ", str(smtp)),
        ("Its encryption (implicit, starttls, none) [none]: ", ""),
        (f"The user name [{user}]: ", ""),
        ("it is not shown: ", password),
        ("arrive there too (yes or no) [yes]: ", ""),
        ("Your own address", ""),
    )


def test_a_mailbox_is_tried_by_a_mail_to_a_seat_s_address(dovecot: Dovecot, tmp_path: Path) -> None:
    home = tmp_path / "games"
    with Postfix(dovecot) as postfix:
        status, shown = init(home, *mailbox(dovecot, postfix.port))  # which takes mail without a log-in and offers none
        assert PASSWORD not in shown
        assert status == 0, shown
        assert "accepts mail, without logging in" in shown
        assert "ok    a mail         sent to gm+check....@example.org, and it arrived" in shown
        assert stat.S_IMODE((home / "mail.password").stat().st_mode) == 0o600
        for key, value in (("password_file", "mail.password"), ("user", USER)):
            editing.change(home / "gm.toml", "send", key, value)
        [said] = [str(one) for one in check.findings(home) if one.subject == "sending"]
        assert "offers no log-in. If it takes mail without a log-in, take user and password out of [send]." in said
    assert dovecot.subjects() == []
    assert [one.partition(" ")[0] for one in dovecot.subjects("Done")] == ["gm"]


def test_a_wrong_password_is_found(dovecot: Dovecot, tmp_path: Path) -> None:
    status, shown = init(tmp_path / "games", *mailbox(dovecot, free_port(), password="wrong"))
    assert status == 1
    assert "FIX   imap" in shown
    assert "FIX   sending" in shown
    assert "what is marked FIX, then run `gm init --home" in shown
    assert "runs the server" not in shown


def test_behind_postfix(dovecot: Dovecot, tmp_path: Path) -> None:
    port = free_port()
    with Postfix(dovecot, lmtp_port=port) as postfix:
        address = f"gm@{LMTP_DOMAIN}"
        status, shown = init(
            tmp_path / "games",
            ("gm@localhost]: ", address),
            ("Which [1]: ", "2"),
            ("listens [2424]: ", str(port)),
            ("Your own address", ""),
        )
        settings = load(tmp_path / "games", {"GM_SEND_PORT": str(postfix.port)})
        assert status in (0, 1), shown  # the machine may have a Postfix of its own at port 25
        assert [str(one) for one in mail_trial(settings)] == [
            f"ok    a mail         sent to gm+check....@{LMTP_DOMAIN}, and it arrived"
        ]


def test_a_provider_that_takes_no_password_wants_leave(tmp_path: Path) -> None:
    status, shown = init(
        tmp_path / "games",
        ("gm@localhost]: ", "gm@school.example"),
        ("Which [1]: ", "3"),
        ("other [other]: ", "Microsoft-365"),
        ("The user name [gm@school.example]: ", ""),
        ("arrive there too (yes or no) [yes]: ", "maybe"),
        ("[yes]: ", "no"),
        ("Your own address", ""),
    )
    assert status == 0, shown
    assert "gm oauth2" in shown
    (tmp_path / "games" / "mail.password").write_text("none")  # until leave is given
    settings = load(tmp_path / "games", {})
    assert settings.imap is not None
    assert (settings.imap.host, settings.send.host, settings.send.port) == (
        "outlook.office365.com",
        "smtp.office365.com",
        587,
    )
    assert (settings.send.tls, settings.send.per_day) == ("starttls", 10_000)
    assert not settings.server.plus_addressing


def test_a_running_server_keeps_its_mail(tmp_path: Path) -> None:
    with Running(tmp_path / "server") as server:
        [said] = mail_trial(load(server.home, {"GM_LISTEN_PORT": str(server.port)}))
    assert "is running" in said.words


def test_a_mail_that_does_not_come_is_told(dovecot: Dovecot, tmp_path: Path) -> None:
    """The relay sends it elsewhere: into another mailbox."""
    with Running(tmp_path / "server") as server:
        server.kill()
    with Postfix(dovecot, users=(USER,)) as postfix:
        environment = {"GM_IMAP_HOST": "127.0.0.1", "GM_IMAP_PORT": str(dovecot.port), "GM_IMAP_TLS": "none"}
        environment |= {"GM_IMAP_USER": "other@example.org", "GM_IMAP_PASSWORD": PASSWORD, "GM_SERVER_ADDRESS": USER}
        environment |= {"GM_SEND_KIND": "smtp", "GM_SEND_PORT": str(postfix.port)}
        [said] = mail_trial(load(server.home, environment), seconds=3)
    assert "did not arrive within 3 seconds" in said.words
    assert "plus_addressing = false" in said.remedy
