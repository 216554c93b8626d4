"""OAuth2 (RFC 6749) for providers that no longer accept passwords: access tokens, renewed before they expire.

`gm oauth2` asks the owner of the mailbox once and stores the refresh token; from then on the server renews the access
tokens itself. The requests are made with oauthlib, which needs no other package, and sent with the standard library.
Tokens are stored in one file, which only the server's user may read; processes that share it take turns.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from gm.errors import ConfigurationError
from gm.settings.section import Secret, TokenSettings

if TYPE_CHECKING:
    from oauthlib.oauth2 import WebApplicationClient

EARLY = 120
"""How many seconds before its end a token is renewed."""

_SECONDS = 30  # for a request
_LONGEST = 100_000  # octets of an answer


@dataclass(frozen=True, slots=True)
class Provider:
    """The addresses at which a provider grants authorization and tokens, and the scope that we ask for."""

    authorization: str
    token: str
    scope: str


PROVIDERS: dict[str, Provider] = {
    "google": Provider(
        "https://accounts.google.com/o/oauth2/v2/auth",
        "https://oauth2.googleapis.com/token",
        "https://mail.google.com/",
    ),
    "microsoft": Provider(
        "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
        "https://login.microsoftonline.com/common/oauth2/v2.0/token",
        "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
    ),
}

REDIRECT = "http://localhost/"
"""Where the browser is sent at the end: no server answers there, but the address contains the code."""


def access_token(source: Secret | TokenSettings) -> str:
    """An access token to log in with. Raises ConfigurationError, or OSError when the provider cannot be reached."""
    return source.read() if isinstance(source, Secret) else RenewedTokens(source).read()


@dataclass(frozen=True, slots=True)
class RenewedTokens:
    """The tokens of one mailbox, stored in `settings.file`."""

    settings: TokenSettings

    def read(self) -> str:
        """An access token that is valid for a while. Raises ConfigurationError, or OSError when the provider cannot be
        reached.
        """
        with self._turn() as kept:
            if kept.get("access_token") and float(str(kept.get("expires_at") or 0)) > time.time() + EARLY:
                return str(kept["access_token"])
            client = _client(self.settings)
            url, headers, body = client.prepare_refresh_token_request(
                PROVIDERS[self.settings.provider].token,
                refresh_token=str(kept["refresh_token"]),
                client_id=self.settings.client_id,
                **self._secret,
            )
            return self._store({**kept, **self._asked(client, url, headers, body)})

    def leave(self, user: str) -> tuple[str, Authorizing]:
        """The address at which the mailbox's owner grants authorization, and the object that takes the address at which
        that ends.
        """
        client, state = _client(self.settings), secrets.token_urlsafe()
        verifier = secrets.token_urlsafe(64)
        url, *_ = client.prepare_authorization_request(
            PROVIDERS[self.settings.provider].authorization,
            state=state,
            redirect_url=REDIRECT,
            scope=PROVIDERS[self.settings.provider].scope,
            access_type="offline",
            prompt="consent",
            login_hint=user,
            code_challenge=client.create_code_challenge(verifier, "S256"),
            code_challenge_method="S256",
        )
        return url, Authorizing(self, client, state, verifier)

    @property
    def _secret(self) -> dict[str, str]:
        return {"client_secret": self.settings.client_secret} if self.settings.client_secret else {}

    @contextmanager
    def _turn(self) -> Iterator[Mapping[str, object]]:
        """The stored tokens, while no other process renews them. Raises ConfigurationError."""
        remedy = "Run `gm oauth2` and give leave to read the mailbox."
        try:
            with self.settings.file.open("r+", encoding="utf-8") as held:
                fcntl.flock(held, fcntl.LOCK_EX)
                kept = json.loads(self.settings.file.read_text(encoding="utf-8"))
                if not isinstance(kept, dict) or not kept.get("refresh_token"):
                    raise ConfigurationError(f"{self.settings.file} holds no token that renews others.", remedy)
                yield kept
        except (FileNotFoundError, PermissionError, ValueError) as error:
            raise ConfigurationError(f"The tokens in {self.settings.file} cannot be read ({error}).", remedy) from error

    def _asked(
        self, client: WebApplicationClient, url: str, headers: Mapping[str, str], body: str
    ) -> dict[str, object]:
        """The provider's answer to a request for tokens."""
        from oauthlib.oauth2 import OAuth2Error

        request = urllib.request.Request(url, body.encode(), dict(headers))  # noqa: S310  the provider's own, https
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
                said = answer.read(_LONGEST)
        except urllib.error.HTTPError as error:
            said = error.read(_LONGEST)
            if error.code >= 500:
                raise
        try:
            token = client.parse_request_body_response(said.decode("utf-8", "replace"), scope=None)
        except OAuth2Error as error:
            raise ConfigurationError(
                f"{self.settings.provider} gave no token ({error.error}: {error.description or 'no reason given'}).",
                "Run `gm oauth2` again; if that fails too, check oauth2_client_id and oauth2_client_secret.",
            ) from error
        return dict(token)

    def _store(self, token: Mapping[str, object]) -> str:
        """Store these tokens atomically: after a crash the file is the new one or the old one."""
        expires = float(str(token.get("expires_at") or 0)) or time.time() + float(str(token.get("expires_in") or 0))
        fresh = self.settings.file.with_name(f"{self.settings.file.name}.{os.getpid()}.new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as new:
            json.dump({**token, "expires_at": expires}, new)
        fresh.replace(self.settings.file)
        return str(token["access_token"])


def _client(settings: TokenSettings) -> WebApplicationClient:
    from oauthlib.oauth2 import WebApplicationClient  # not loaded for mailboxes with a password

    return WebApplicationClient(settings.client_id)


@dataclass(frozen=True, slots=True)
class Authorizing:
    """An authorization request that has not been completed yet."""

    tokens: RenewedTokens
    client: WebApplicationClient
    state: str
    verifier: str

    def finish(self, address: str) -> None:
        """Store the tokens, given the address at which the browser arrived. Raises ConfigurationError, OSError."""
        given = {name: values[0] for name, values in parse_qs(urlsplit(address.strip()).query).items()}
        if given.get("state") != self.state or not given.get("code"):
            problem = given.get("error_description") or given.get("error") or "there is no code of this request in it"
            raise ConfigurationError(f"That address gives no leave ({problem}).", f"Expected {REDIRECT}?code=...")
        url, headers, body = self.client.prepare_token_request(
            PROVIDERS[self.tokens.settings.provider].token,
            redirect_url=REDIRECT,
            code=given["code"],
            code_verifier=self.verifier,
            **self.tokens._secret,
        )
        token = self.tokens._asked(self.client, url, headers, body)
        if not token.get("refresh_token"):
            raise ConfigurationError(
                f"{self.tokens.settings.provider} gave no token that renews others.", "Give leave again."
            )
        self.tokens._store(token)
