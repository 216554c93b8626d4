"""OAuth2 tokens at a provider of our own: leave is given once, then tokens are renewed before they end."""

from __future__ import annotations

import json
import stat
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from gm.cli import main
from gm.errors import ConfigurationError
from gm.mail.transport.tokens import PROVIDERS, Provider, RenewedTokens
from gm.settings import load
from gm.settings.section import TokenSettings


@dataclass
class Endpoint:
    """What gives tokens: each request it got, and what it answers."""

    asked: list[dict[str, str]] = field(default_factory=list)
    status: int = 200
    answer: dict[str, object] = field(default_factory=dict)
    url: str = ""


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    given = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            given.asked.append({name: values[0] for name, values in parse_qs(body).items()})
            self.send_response(given.status)
            self.end_headers()
            self.wfile.write(json.dumps(given.answer).encode())

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    given.url = f"http://127.0.0.1:{server.server_address[1]}/token"
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")  # this provider speaks no TLS
    monkeypatch.setitem(PROVIDERS, "google", Provider("https://accounts.example/auth", given.url, "mail"))
    yield given
    server.shutdown()
    server.server_close()


@pytest.fixture
def tokens(tmp_path: Path) -> RenewedTokens:
    return RenewedTokens(TokenSettings("google", "client-1", "hush", tmp_path / "oauth2.json"))


def token(number: int, seconds: int, **more: str) -> dict[str, object]:
    return {"access_token": f"access-{number}", "token_type": "Bearer", "expires_in": seconds, **more}


def test_leave_is_given_once_and_tokens_are_renewed_before_they_end(endpoint: Endpoint, tokens: RenewedTokens) -> None:
    url, waiting = tokens.leave("gm@example.org")
    asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    assert (asked["client_id"], asked["scope"], asked["access_type"]) == ("client-1", "mail", "offline")
    endpoint.answer = token(1, 3600, refresh_token="renew-1")
    waiting.finish(f"http://localhost/?state={asked['state']}&code=abc\n")
    assert endpoint.asked[0]["code"] == "abc"
    assert endpoint.asked[0]["code_verifier"]
    assert stat.S_IMODE(tokens.settings.file.stat().st_mode) == 0o600
    assert [tokens.read(), tokens.read()] == ["access-1", "access-1"], "it is good for an hour"
    assert len(endpoint.asked) == 1

    kept = json.loads(tokens.settings.file.read_text())
    tokens.settings.file.write_text(json.dumps({**kept, "expires_at": kept["expires_at"] - 3550}))
    endpoint.answer = token(2, 3600)
    assert tokens.read() == "access-2"
    assert endpoint.asked[1]["refresh_token"] == "renew-1"
    assert endpoint.asked[1]["client_secret"] == "hush"
    assert json.loads(tokens.settings.file.read_text())["refresh_token"] == "renew-1", "kept, where none is given anew"

    kept = json.loads(tokens.settings.file.read_text())
    tokens.settings.file.write_text(json.dumps({**kept, "expires_at": 0}))
    endpoint.answer = token(3, 3600, refresh_token="renew-2")
    assert tokens.read() == "access-3"
    assert json.loads(tokens.settings.file.read_text())["refresh_token"] == "renew-2", (
        "Microsoft gives another each time"
    )


def test_leave_that_was_taken_back_is_said_with_the_remedy(endpoint: Endpoint, tokens: RenewedTokens) -> None:
    tokens.settings.file.write_text(json.dumps({"refresh_token": "old"}))
    endpoint.status, endpoint.answer = 400, {"error": "invalid_grant", "error_description": "Token has been revoked."}
    with pytest.raises(ConfigurationError, match="revoked") as caught:
        tokens.read()
    assert "gm oauth2" in caught.value.remedy


def test_a_provider_that_is_away_is_tried_again_and_loses_nothing(endpoint: Endpoint, tokens: RenewedTokens) -> None:
    tokens.settings.file.write_text(json.dumps({"refresh_token": "old"}))
    endpoint.status = 503
    with pytest.raises(OSError, match="503"):
        tokens.read()
    assert json.loads(tokens.settings.file.read_text()) == {"refresh_token": "old"}


@pytest.mark.parametrize("stored", [None, "", "[]", "{}", '{"refresh_token": ""}'])
def test_without_leave_it_says_how_to_give_it(tokens: RenewedTokens, stored: str | None) -> None:
    if stored is not None:
        tokens.settings.file.write_text(stored)
    with pytest.raises(ConfigurationError, match="gm oauth2"):
        tokens.read()


@pytest.mark.parametrize("address", ["", "http://localhost/?code=abc", "http://localhost/?state=x&error=access_denied"])
def test_an_address_of_another_request_gives_no_leave(tokens: RenewedTokens, address: str) -> None:
    _, waiting = tokens.leave("gm@example.org")
    with pytest.raises(ConfigurationError, match="gives no leave"):
        waiting.finish(address)


def test_the_settings_name_the_provider(tmp_path: Path) -> None:
    assert main(["init", "--home", str(tmp_path)]) == 0
    given = {"HOST": "imap.gmail.com", "USER": "gm@gmail.example", "OAUTH2_PROVIDER": "google", "OAUTH2_CLIENT_ID": "7"}
    settings = load(tmp_path, {f"GM_IMAP_{key}": value for key, value in given.items()})
    assert settings.imap is not None
    assert settings.imap.oauth2 == TokenSettings("google", "7", "", tmp_path / "oauth2.json")
    for wrong in ({"PASSWORD": "x"}, {"OAUTH2_COMMAND": "x"}, {"OAUTH2_PROVIDER": "aol"}, {"OAUTH2_CLIENT_ID": ""}):
        with pytest.raises(ConfigurationError):
            load(tmp_path, {f"GM_IMAP_{key}": value for key, value in {**given, **wrong}.items()})
