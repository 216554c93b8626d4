"""`gm check` of what a server loads and opens when it starts, certificates and ports; and of others' certificates."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from gm.cli import init
from gm.cli.check import findings
from gm.cli.serve import RunningServer
from gm.errors import ConfigurationError
from gm.settings import load
from tests.certificates import Certificate, new_certificate, openssl
from tests.databases import migrated_sqlite
from tests.mail.transport.dovecot import PASSWORD, USER, Dovecot, free_port


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A server as `gm init` leaves it, on a port that is free."""
    init.write(tmp_path / "server", address="gm@localhost", port=free_port())
    return tmp_path / "server"


def lines(home: Path, subject: str) -> list[str]:
    return [str(finding) for finding in findings(home) if finding.subject == subject]


def another_key(folder: Path) -> None:
    shutil.copy(folder / "other" / "key.pem", folder)


def wrong_order(folder: Path) -> None:
    own = folder / "chain.pem"
    own.write_bytes((folder / "other" / "chain.pem").read_bytes() + own.read_bytes())


def no_certificate(folder: Path) -> None:
    (folder / "chain.pem").write_text("soon")


def key_with_a_password(folder: Path) -> None:
    openssl("ec", "-in", folder / "key.pem", "-aes256", "-passout", "pass:x", "-out", folder / "locked.pem")
    (folder / "locked.pem").replace(folder / "key.pem")


def with_certificate(monkeypatch: pytest.MonkeyPatch, given: Certificate) -> None:
    monkeypatch.setenv("GM_LISTEN_TLS_CERTIFICATE", str(given.chain))
    monkeypatch.setenv("GM_LISTEN_TLS_KEY", str(given.key))


@pytest.mark.parametrize("spoil", [another_key, wrong_order, no_certificate, key_with_a_password])
def test_what_keeps_a_server_from_starting_does_not_pass(
    home: Path, tmp_path: Path, spoil: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    own, _ = (new_certificate(folder) for folder in (tmp_path, tmp_path / "other"))
    with_certificate(monkeypatch, own)
    assert lines(home, "configuration")[0].startswith("ok")
    spoil(tmp_path)
    [line] = lines(home, "configuration")
    assert line.startswith(
        f"FIX   configuration  The certificate '{own.chain}' with the key '{own.key}' cannot be used ("
    )
    with pytest.raises(ConfigurationError) as refused:
        RunningServer(load(home))
    assert f"{refused.value.problem} {refused.value.remedy}" in line


@pytest.mark.parametrize(
    ("days", "words"), [(2, "ok    certificate    {} is valid until "), (-1, "FIX   certificate  ")]
)
def test_a_certificate_has_its_time(
    home: Path, certificate: Certificate, tmp_path: Path, days: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = certificate.renewed(tmp_path, days)
    with_certificate(monkeypatch, own)
    [line] = lines(home, "certificate")
    assert line.startswith(words.format(own.chain))
    assert ("certificate has expired" in line) == (days < 0)


def test_the_port_of_the_metrics_is_looked_at(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gm.cli.check.GREETING_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setenv("GM_METRICS_PORT", str(port))
        line = lines(home, "listener")[1]
        assert line.startswith(f"FIX   listener       127.0.0.1 port {port} cannot be used (Address already in use)")
        assert line.endswith("or change [metrics].")
        with pytest.raises(ConfigurationError, match=f"{port} cannot be used"):
            RunningServer(load(home)).start()
    assert lines(home, "listener")[1].startswith(f"ok    listener       127.0.0.1 port {port} is free")


def test_a_running_server_is_known_by_its_pages(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_METRICS_PORT", str(free_port()))
    (home / "gm.sqlite3").write_bytes(migrated_sqlite())
    server = RunningServer(load(home))
    server.start()
    try:
        said = lines(home, "listener")
    finally:
        server.stop()
    running = "ok    listener       gm is running and answers"
    assert [line.partition(" at ")[0] for line in said] == [running, running]


def test_a_certificate_that_nobody_vouches_for_is_trusted_as_is_said(
    home: Path, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Dovecot(certificate=certificate.chain, key=certificate.key) as dovecot:
        given = {"host": "127.0.0.1", "port": str(dovecot.tls_port), "user": USER, "password": PASSWORD}
        for key, value in given.items():
            monkeypatch.setenv(f"GM_IMAP_{key.upper()}", value)
        [line] = lines(home, "imap")
        assert "certificate verify failed" in line
        assert "or let SSL_CERT_FILE name it" in line
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.chain))
        assert lines(home, "imap")[0].startswith("ok")
