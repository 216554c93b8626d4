"""Log-in with OAuth2 access tokens: at a real Dovecot for IMAP, and at a mail server that asks for them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from gm.errors import DeliveryDeferred
from gm.mail.transport.smtp_out import Sender, Timeouts
from gm.settings import SendSettings
from gm.settings.section import Secret
from tests.mail.transport.conftest import Inbox, eventually
from tests.mail.transport.dovecot import USER, Dovecot, free_port
from tests.mail.transport.polling import Polling
from tests.timing import HANGING

KEY = b"k" * 32


def token(seconds: float = 600, user: str = USER, key: bytes = KEY) -> str:
    """An access token as an identity provider makes it (RFC 7519), good for so long."""

    def coded(octets: bytes) -> str:
        return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()

    now = int(time.time())
    claims = {"sub": user, "iat": now - 10, "nbf": now - 10, "exp": now + int(seconds)}
    signed = ".".join(coded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    return f"{signed}.{coded(hmac.new(key, signed.encode(), hashlib.sha256).digest())}"


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with Dovecot(token_key=KEY) as running:
        yield running


def polling(server: Dovecot, secret: Secret, mail_inbox: Inbox) -> Polling:
    """A poller at work while it is entered."""
    return Polling(server.settings(password="", oauth2=secret), mail_inbox.accept)  # type: ignore[arg-type]


@pytest.mark.parametrize("way", ["file", "command"])
def test_the_mailbox_is_opened_with_a_token(server: Dovecot, mail_inbox: Inbox, tmp_path: Path, way: str) -> None:
    (tmp_path / "token").write_text(token() + "\n")
    given = {"file": "token", "command": f"{sys.executable} -c \"print(open('token').read())\""}[way]
    server.drop(f"Subject: {way}\n\nx\n".encode())
    with polling(server, Secret(tmp_path, way, given, "[imap]"), mail_inbox):
        mail_inbox.wait_for(1)
    assert mail_inbox.subjects() == [way]


def test_an_expired_token_opens_nothing(
    server: Dovecot, mail_inbox: Inbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "token").write_text(token(-60))
    server.drop(b"Subject: late\n\nx\n")
    with polling(server, Secret(tmp_path, "file", "token", "[imap]"), mail_inbox):
        assert eventually(lambda: "log-in was refused" in caplog.text)
    assert mail_inbox.results == []


class Submission(SMTP):
    """A mail server that asks for an access token."""

    async def auth_XOAUTH2(self, server: SMTP, args: list[str]) -> AuthResult:
        words = base64.b64decode(args[1]).decode()
        if words == f"user={USER}\x01auth=Bearer good\x01\x01":
            return AuthResult(success=True, auth_data=USER)
        return AuthResult(success=False, handled=False)


class Taking:
    taken: list[bytes]

    def __init__(self) -> None:
        self.taken = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.taken.append(envelope.content or b"")  # type: ignore[arg-type]
        return "250 OK"


class _Controller(Controller):
    def factory(self) -> Submission:
        return Submission(self.handler, auth_require_tls=False, auth_required=True)


@pytest.fixture
def submission() -> Iterator[tuple[int, Taking]]:
    taking, port = Taking(), free_port()
    controller = _Controller(taking, hostname="127.0.0.1", port=port)
    controller.start()
    yield port, taking
    controller.stop()


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_mail_is_submitted_with_a_token_that_is_read_anew(submission: tuple[int, Taking], tmp_path: Path) -> None:
    port, taking = submission
    file = tmp_path / "token"
    settings = SendSettings(
        tmp_path, kind="smtp", port=port, user=USER, oauth2=Secret(tmp_path, "file", "token", "[send] oauth2_file")
    )
    sender = Sender(settings, timeouts=Timeouts(HANGING))
    with pytest.raises(DeliveryDeferred, match="yields no secret"):
        sender.deliver(b"Subject: x\r\n\r\nx\r\n", USER, "ann@example.org")
    file.write_text("stale")
    with pytest.raises(DeliveryDeferred, match="refused the log-in"):
        sender.deliver(b"Subject: x\r\n\r\nx\r\n", USER, "ann@example.org")
    file.write_text("good")
    sender.deliver(b"Subject: x\r\n\r\nx\r\n", USER, "ann@example.org")
    assert len(taking.taken) == 1
    sender.close()
