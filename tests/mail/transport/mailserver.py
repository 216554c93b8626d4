"""A mail server that accepts what it is sent, or replies as the test tells it to."""

from __future__ import annotations

import asyncio
import math
import ssl
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.mail.transport.dovecot import free_port

HANG_UP = "hang up"
SILENCE = "silence"
TAKEN = "taken, and no word of it"
TAKEN_AND_GONE = "421 4.3.2 shutting down, with the mail taken"


@dataclass(frozen=True)
class Taken:
    sender: str
    recipients: tuple[str, ...]
    raw: bytes
    options: tuple[str, ...]


@dataclass
class MailServer:
    """An SMTP server on a loopback port.

    `answers` names what is said to a verb (MAIL, RCPT, DATA, RSET; the second and third also with an address) instead
    of 250; HANG_UP closes the connection, SILENCE says nothing (to MAIL or DATA), TAKEN takes a mail and closes the
    connection then, TAKEN_AND_GONE says 421 then. With `each`, "MAIL then" is what is said to MAIL by a connection that
    has brought so many mails.
    With `password` the log-in gm:password is asked for. `tls` is offered by STARTTLS, or is there from the start with
    `implicit`. A mail beyond the `most` that it takes waits at DATA.
    """

    answers: dict[str, str] = field(default_factory=dict)
    each: int = 0
    most: float = math.inf
    taken: list[Taken] = field(default_factory=list)
    utf8: bool = True
    password: str | None = None
    tls: ssl.SSLContext | None = None
    implicit: bool = False
    connections: int = 0
    port: int = field(default_factory=free_port)

    def __enter__(self) -> MailServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self._controller = Controller(
            _Handler(self),
            hostname="127.0.0.1",
            port=self.port,
            ssl_context=self.tls if self.implicit else None,
            tls_context=None if self.implicit else self.tls,
            server_hostname="mail.example.org",
            enable_SMTPUTF8=self.utf8,
            auth_required=self.password is not None,
            auth_require_tls=False,
            authenticator=self._authenticate,
        )
        self._controller.start()
        self.connections = 0

    def stop(self) -> None:
        self._controller.stop()

    def _authenticate(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _kind: str, given: Any
    ) -> AuthResult:
        good = given == LoginPassword(b"gm", (self.password or "").encode())
        return AuthResult(success=good, handled=False)


class _Handler:
    def __init__(self, server: MailServer) -> None:
        self._server = server

    def _answer(self, verb: str, smtp: SMTP) -> str | None:
        spent = 0 < self._server.each <= vars(smtp).get("brought", 0)
        answer = self._server.answers.get(f"{verb} then" if spent else verb)
        if answer is not None and spent and answer.startswith("421") and smtp.transport is not None:
            asyncio.get_running_loop().call_later(0.01, smtp.transport.close)
        if answer == HANG_UP and smtp.transport is not None:
            smtp.transport.close()
        return answer

    async def handle_EHLO(self, smtp: SMTP, session: Session, _: Envelope, name: str, said: list[str]) -> list[str]:
        session.host_name = name
        self._server.connections += 1
        return said

    async def handle_MAIL(self, smtp: SMTP, _: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        answer = self._answer("MAIL", smtp)
        if answer == SILENCE:
            await asyncio.sleep(3600)
        return answer or "250 OK"

    async def handle_RCPT(self, smtp: SMTP, _: Session, envelope: Envelope, address: str, __: list[str]) -> str:
        answer = self._answer(f"RCPT {address}", smtp) or self._answer("RCPT", smtp)
        if answer is None or answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer or "250 OK"

    async def handle_RSET(self, smtp: SMTP, _: Session, __: Envelope) -> str:
        return self._answer("RSET", smtp) or "250 OK"

    async def handle_DATA(self, smtp: SMTP, _: Session, envelope: Envelope) -> str:
        answer = self._answer(f"DATA {envelope.rcpt_tos[0]}", smtp) or self._answer("DATA", smtp)
        if answer == SILENCE or len(self._server.taken) >= self._server.most:
            await asyncio.sleep(3600)
        if answer is not None and answer not in (TAKEN, TAKEN_AND_GONE) and not answer.startswith("2"):
            return answer
        assert envelope.mail_from is not None
        assert envelope.original_content is not None
        vars(smtp)["brought"] = vars(smtp).get("brought", 0) + 1
        self._server.taken.append(
            Taken(envelope.mail_from, tuple(envelope.rcpt_tos), envelope.original_content, tuple(envelope.mail_options))
        )
        if answer == TAKEN and smtp.transport is not None:
            smtp.transport.close()
        return answer or "250 OK"
