"""How correspondents reach the server, by SMTP, and it them, by Maildirs."""

from __future__ import annotations

import email
import smtplib
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

from gm.mail.transport.sender import maildir_of


@dataclass
class Mailroom:
    """Sends mail to the server's listener and reads the mail it delivered. `port` is on this machine."""

    port: int
    root: Path
    posted: int = 0
    opened: int = 0
    _seen: set[Path] = field(default_factory=set)
    _connection: smtplib.SMTP | None = None

    def post(self, message: EmailMessage) -> None:
        """Send a mail by SMTP, over a connection that is kept open. Raises smtplib.SMTPException, OSError."""
        sender, recipient = parseaddr(str(message["From"]))[1], parseaddr(str(message["To"]))[1]
        if self._connection is None:
            self._connection = smtplib.SMTP("127.0.0.1", self.port, timeout=30)
        self._connection.sendmail(sender, [recipient], message.as_bytes())
        self.posted += 1

    def collect(self, address: str) -> list[EmailMessage]:
        """The mails to an address since the last call, oldest first."""
        box = maildir_of(self.root, address) / "new"
        fresh = [path for path in box.glob("*") if path not in self._seen] if box.is_dir() else []
        self._seen.update(fresh)
        mails = [_read(path) for path in sorted(fresh, key=lambda path: (path.stat().st_mtime_ns, path.name))]
        self.opened += len(mails)
        return mails

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()


def _read(path: Path) -> EmailMessage:
    message = email.message_from_bytes(path.read_bytes(), policy=policy.default)
    if not isinstance(message, EmailMessage):
        raise TypeError(f"{path} is not a mail")
    return message


def text_of(message: EmailMessage) -> str:
    """The plain text of a mail."""
    body = message.get_body(("plain",))
    return str(body.get_content()) if body is not None else ""


def reply_address(message: EmailMessage) -> str:
    """Where a reply to this mail goes."""
    return parseaddr(str(message["Reply-To"] or message["From"]))[1]
