"""`gm check`: against a real Dovecot, real SMTP and LMTP conversations, real files, and both databases."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gm.cli import main
from gm.cli.check import findings
from gm.cli.serve import RunningServer
from gm.mail.transport.listener import Listener
from gm.operation import Part
from gm.settings import ListenSettings, load
from gm.store import inbox, mail_servers, outbox
from gm.store.database import Database
from gm.store.inbox import InboxState
from gm.store.mail_servers import Cap, Kind
from gm.store.outbox import Queued
from gm.store.presence import Presence
from tests.databases import fresh_postgresql, migrated_sqlite
from tests.mail.transport.dovecot import PASSWORD, USER, Dovecot, free_port
from tests.mail.transport.mailserver import MailServer
from tests.store.setting import claimed

NOW = datetime.now(UTC)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A server as `gm init` leaves it, on a port that is free."""
    folder = tmp_path / "server"
    assert main(["init", "--home", str(folder)]) == 0
    with socket.create_server(("127.0.0.1", 0)) as free:
        monkeypatch.setenv("GM_LISTEN_PORT", str(free.getsockname()[1]))
    return folder


@pytest.fixture
def listener() -> Iterator[Listener]:
    """A listener such as a running server has."""
    with Listener(ListenSettings(port=0), accept=lambda mail: None, knows=lambda address: True) as running:
        yield running


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    with Dovecot() as running:
        yield running


def lines(home: Path, subject: str) -> list[str]:
    """What is said of one subject, the first word of each line being ok, note or FIX."""
    return [str(finding) for finding in findings(home) if finding.subject == subject]


def test_a_new_server_has_nothing_to_mend(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--home", str(home)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in said] == [
        *("configuration", "files", "time", "clock", "database", "space", "listener", "imap", "sending", "trust"),
    ]
    assert not [line for line in said if line.startswith("FIX")]
    assert sorted(path.name for path in home.iterdir()) == ["gm.key", "gm.toml"], "a check writes nothing"


def test_a_problem_is_reported_and_gives_status_1(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "gm.key").chmod(0o640)
    assert main(["check", "--home", str(home)]) == 1
    assert f"FIX   files          {home}/gm.key can be read by others (mode 0640). chmod 600" in capsys.readouterr().out


def test_a_wrong_configuration_is_the_only_line(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_LISTEN_PORT", "high")
    [only] = findings(home)
    assert str(only).startswith("FIX   configuration  environment, GM_LISTEN_PORT = 'high'")


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("file", "FIX   gallery        '{home}/file' is a file."),
        (".", "FIX   gallery        '{home}' is not a gallery of gm, and not empty."),
        ("..", "FIX   gallery        '{home}/..' is not a gallery of gm, and not empty."),
        ("file/site", "FIX   gallery        '{home}/file' is a file."),
        ("site", "note  gallery        A web server of another user cannot read {home}/site: "),
        ("/gallery/of/gm", "ok    gallery        /gallery/of/gm can be written"),
    ],
)
def test_the_folder_of_the_gallery(home: Path, folder: str, said: str) -> None:
    (home / "file").write_text("not a folder")
    with (home / "gm.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[gallery]\nfolder = "{folder}"\n')
    (line,) = lines(home, "gallery")
    assert line.startswith(said.format(home=home)), line
    assert not (home / "site").exists(), "it changes nothing"


def test_the_database_is_private_where_others_may_enter_the_folder(home: Path) -> None:
    (home / "gm.sqlite3").touch(mode=0o644)
    assert [line[:2] for line in lines(home, "files")] == ["ok"]
    home.chmod(0o755)
    assert any("FIX" in line and "gm.sqlite3 can be read by others" in line for line in lines(home, "files"))


def test_a_clock_that_went_back(home: Path) -> None:
    ahead = (NOW + timedelta(days=2)).timestamp()
    os.utime(home / "gm.key", (ahead, ahead))
    [line] = lines(home, "clock")
    assert line.startswith("FIX")
    assert f"{NOW + timedelta(days=2):%Y-%m-%d}" in line


# ---- the listener


def test_a_port_that_somebody_else_has(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.settimeout(5)
        monkeypatch.setenv("GM_LISTEN_PORT", str(other.getsockname()[1]))
        monkeypatch.setattr("gm.cli.check.GREETING_SECONDS", 0.2)
        [line] = lines(home, "listener")
    assert line.startswith("FIX")
    assert "Address already in use" in line


def test_the_running_server_is_known_by_its_greeting(
    home: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GM_LISTEN_PORT", str(listener.port))
    place = f"127.0.0.1 port {listener.port}"
    [another] = lines(home, "listener")
    assert another.startswith(f"FIX   listener       {place} cannot be used (another server of gm answers there).")
    (home / "gm.sqlite3").write_bytes(migrated_sqlite())
    with Database(f"sqlite:///{home / 'gm.sqlite3'}") as database:
        presence = Presence(database)
        assert lines(home, "listener") == [
            f"ok    listener       gm is running and answers at {place}; retry_seconds = 0"
        ]
        presence.close()
    assert lines(home, "listener") == [another]


def test_what_deadlines_wait_for_is_shown(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_LISTEN_RETRY_SECONDS", "900")
    assert "retry_seconds = 900" in lines(home, "listener")[0]
    monkeypatch.setenv("GM_TRUST_RELAYS", "192.0.2.0/24")
    assert "relays = 192.0.2.0/24" in lines(home, "trust")[0]


# ---- the database and what waits in it


def with_database(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_DATABASE_URL", database.url.render_as_string(hide_password=False))


def test_a_database_without_tables_is_no_fault(
    home: Path, empty_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_database(empty_database, monkeypatch)
    [line] = lines(home, "database")
    assert line.startswith("ok")
    assert "when the server starts" in line


def test_an_idle_server_has_nothing_waiting(home: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with_database(database, monkeypatch)
    assert [line[:2] for subject in ("database", "inbox", "outbox") for line in lines(home, subject)] == ["ok"] * 3


def test_a_part_that_nobody_runs(
    home: Path, postgresql_server: str, migrated_postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Database(fresh_postgresql(postgresql_server, migrated_postgresql)) as database:
        with_database(database, monkeypatch)
        [line] = lines(home, "servers")
        assert line.startswith("ok")
        here = Presence(database, {Part.INTAKE, Part.DEADLINES, Part.DELIVERY})
        [line] = lines(home, "servers")
        assert line.startswith("FIX")
        assert "Nobody runs: reports." in line
        assert "gm serve --only reports" in line
        elsewhere = Presence(database, {Part.REPORTS})
        [line] = lines(home, "servers")
        assert line.startswith("ok")
        elsewhere.close()
        here.close()


@pytest.mark.parametrize("hours", [0, 3])
def test_mail_that_was_refused_for_now_is_counted(
    home: Path, database: Database, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    with_database(database, monkeypatch)
    now = datetime.now(UTC)
    with database.transaction() as session:
        mails = [outbox.Queued(f"w{number}", f"w{number}@x.org", "", "", b"x") for number in range(2)]
        outbox.queue_all(session, mails, now - timedelta(hours=hours))
        for mail in claimed(session, now):
            outbox.mark_failed(session, mail.id, now, outbox.Failure("450 4.7.1 Greylisted", jitter=0.0))
    [line] = lines(home, "outbox")
    assert "2 mails refused for now, to be sent again, the oldest waiting for" in line
    assert "to w0@x.org: 450 4.7.1 Greylisted; to w1@x.org: 450 4.7.1 Greylisted" in line
    assert line.startswith("FIX") is (hours > 0)


def test_mail_that_waits_or_was_set_aside(home: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with_database(database, monkeypatch)
    long_ago = NOW - timedelta(hours=3)
    with database.transaction() as session:
        inbox.accept(session, inbox.ArrivedMail("smtp", b"Subject: x\r\n\r\ny\r\n", long_ago))
        outbox.queue_all(session, [outbox.Queued("receipt:1", "ann@example.org", "", "", b"\r\n")], long_ago)
    assert [line[:3] for line in lines(home, "inbox")] == ["FIX"]
    [late] = lines(home, "outbox")
    assert late.startswith("FIX")
    assert "1 mail to be sent, the oldest waiting for 3 hours" in late

    with database.transaction() as session:
        mail = inbox.next_new(session, NOW)
        assert mail is not None
        mail_id = mail.id
    with database.transaction() as session:
        taken = inbox.take(session, mail_id)
        assert taken is not None
        inbox.mark(session, taken, InboxState.ASIDE, NOW, "Traceback ...\nValueError: no such bishop\n")
    [aside] = lines(home, "inbox")
    assert aside.startswith("FIX")
    assert "1 mail set aside" in aside
    assert "ValueError: no such bishop" in aside


def test_a_file_that_is_no_database(home: Path) -> None:
    (home / "gm.sqlite3").write_text("This is a shopping list. " * 50, encoding="utf-8")
    [line] = lines(home, "database")
    assert line.startswith("FIX")
    assert "not a SQLite database" in line


# ---- mail servers


def by_imap(dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch, **changes: str) -> None:
    given = {"host": "127.0.0.1", "port": str(dovecot.port), "tls": "none", "user": USER, "password": PASSWORD}
    for key, value in (given | changes).items():
        monkeypatch.setenv(f"GM_IMAP_{key.upper()}", value)


def test_an_imap_log_in(home: Path, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch) -> None:
    by_imap(dovecot, monkeypatch)
    dovecot.drop(b"Subject: one\r\n\r\nA PAR-BUR\r\n")
    line, note = lines(home, "imap")
    assert line.startswith(
        f"ok    imap           logged in at 127.0.0.1 port {dovecot.port} as '{USER}'; 1 mail in 'INBOX'"
    )
    assert note.startswith("note  imap           1 mail in 'INBOX' came before the server and will not be read.")
    assert dovecot.subjects() == ["one"], "a check takes nothing in"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"folder": "Nowhere"}, "'Nowhere'"),
        ({"port": "1"}, "Correct host, port and tls in [imap]"),
        ({"tls": "implicit"}, "Correct host, port and tls in [imap]"),
        ({"tls": "starttls"}, "[imap]"),
        ({"password": "wrong"}, "Correct user, password"),  # last: Dovecot delays logins after a failure
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_an_imap_log_in_that_fails(
    home: Path, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str], words: str
) -> None:
    by_imap(dovecot, monkeypatch, **changes)
    [line] = lines(home, "imap")
    assert line.startswith("FIX")
    assert words in line


def test_a_mail_server_to_send_by(home: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_SEND_KIND", "smtp")
    monkeypatch.setenv("GM_SEND_PORT", str(listener.port))
    assert lines(home, "sending")[0].startswith(f"ok    sending        127.0.0.1 port {listener.port} accepts mail")


def turning_away(words: bytes) -> socket.socket:
    """The port of a mail server that says this to everybody, and hangs up."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                with server.accept()[0] as connection:
                    connection.sendall(words)

    threading.Thread(target=serve, daemon=True).start()
    return server


def test_a_cap_that_is_in_use_by_the_running_server_is_in_order(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is known, or seen only from the mails that leave; without a server that runs it is none."""
    (home / "gm.sqlite3").write_bytes(migrated_sqlite())
    with (
        turning_away(b"421 4.7.0 Too many connections\r\n") as server,
        Database(f"sqlite:///{home / 'gm.sqlite3'}") as database,
    ):
        port = server.getsockname()[1]
        monkeypatch.setenv("GM_SEND_KIND", "smtp")
        monkeypatch.setenv("GM_SEND_PORT", str(port))
        place = f"127.0.0.1 port {port}"
        presence = Presence(database)
        assert lines(home, "sending")[0].startswith(f"FIX   sending        {place} cannot be used (421 4.7.0 Too many")
        with database.transaction() as session:
            outbox.queue_all(session, [Queued("p", "ann@example.org", "", "<a@b>", b"x")], NOW)
            [mail] = claimed(session, NOW)
            outbox.mark_sent(session, mail.id, datetime.now(UTC))
        [line] = lines(home, "sending")
        assert line.startswith(f"ok    sending        {place} takes no more connections than the running server has")
        cap = Cap(place, Kind.CONNECTIONS, 2, "421 4.7.0 Too many connections", 600)
        with database.transaction() as session:
            mail_servers.note_cap(session, cap, datetime.now(UTC))
        [line] = lines(home, "sending")
        assert line.startswith(
            f"ok    sending        {place} takes 2 connections at once, and all are in use by the run"
        )
        [line] = lines(home, "mail server")
        assert line.startswith(f"ok    mail server    {place} takes 2 connections at once; gm keeps to that until ")
        assert line.endswith('It said "421 4.7.0 Too many connections".')
        presence.close()
        assert lines(home, "sending")[0].startswith("FIX")
        with database.transaction() as session:
            mail_servers.note_cap(session, replace(cap, most=0), datetime.now(UTC))
        assert lines(home, "mail server") == []


@pytest.mark.parametrize(
    ("refused", "mark"), [(("gm+check@localhost",), "FIX"), (("gm+check@localhost", "gm@localhost"), "ok"), ((), "ok")]
)
def test_whether_the_provider_takes_plus_addresses(
    home: Path, monkeypatch: pytest.MonkeyPatch, refused: tuple[str, ...], mark: str
) -> None:
    with MailServer(answers={f"RCPT {one}": "550 5.1.1 no such user" for one in refused}) as provider:
        for key, value in {"SEND_KIND": "smtp", "SEND_PORT": str(provider.port), "IMAP_HOST": "localhost"}.items():
            monkeypatch.setenv(f"GM_{key}", value)
        for key, value in {"USER": "gm", "PASSWORD": "x", "PORT": "1", "TLS": "none"}.items():
            monkeypatch.setenv(f"GM_IMAP_{key}", value)
        [line] = lines(home, "addresses")
        assert line.split()[0] == mark
        assert ("plus_addressing = false" in line) is (len(refused) < 2)
        monkeypatch.setenv("GM_SERVER_PLUS_ADDRESSING", "false")
        assert lines(home, "addresses") == []
        assert provider.taken == []


def test_no_mail_server_to_send_by(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_SEND_KIND", "smtp")
    monkeypatch.setenv("GM_SEND_PORT", "1")
    [line] = lines(home, "sending")
    assert line.startswith("FIX")
    assert "Connection refused" in line


def test_signing_names_the_record_to_publish(home: Path, key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No name server knows localhost's records, whether there is one or not."""
    shutil.copy(key, home / "dkim.pem")
    (home / "dkim.pem").chmod(0o600)
    path = home / "gm.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("[send]\n", '[send]\ndkim_selector = "a"\ndkim_key = "dkim.pem"\n'), encoding="utf-8")
    main(["check", "--home", str(home)])
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.split()[1] == "signing")
    assert "a._domainkey.localhost" in line
    assert "v=DKIM1; k=rsa; p=MIG" in line


@pytest.mark.parametrize(
    ("verify", "checked"),
    [("remote", [False, False, True]), ("none", [False, False, True]), ("all", [True, True, True])],
)
def test_no_machine_but_ours_is_believed_to_have_checked_who_sent_a_mail(
    tmp_path: Path, verify: str, checked: list[bool]
) -> None:
    main(["init", "--home", str(tmp_path), "--port", "2525"])
    running = RunningServer(load(tmp_path, {"GM_TRUST_VERIFY": verify, "GM_TRUST_RELAYS": "192.0.2.0/24"}))
    try:
        assert [running._is_checked(peer) for peer in ("127.0.0.1", "192.0.2.5", "198.51.100.7")] == checked
    finally:
        running.stop()


def test_a_strict_server_that_can_prove_nobody_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["init", "--home", str(tmp_path), "--mode", "lmtp", "--port", str(free_port())])
    main(["check", "--home", str(tmp_path)])
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.split()[1] == "trust")
    assert line.startswith("note")
    assert "authserv_ids" in line
