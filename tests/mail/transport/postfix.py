"""A real Postfix on a loopback port, beside (not instead of) one the machine may run. It needs root.

    with Dovecot() as dovecot, Postfix(dovecot, lmtp_port=listener.port) as postfix:
        ...

Mail for example.org and example.com goes into the Maildirs that this Dovecot serves (`gm+anything@` into that of
`gm@`), mail for play.example.org to the LMTP port, and mail for other places is refused. Where Postfix cannot run the
test is skipped with a line that says so (and fails where GM_REQUIRE_SERVERS=1).
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import make_msgid
from pathlib import Path
from smtplib import SMTP
from subprocess import DEVNULL

import pytest

from gm.settings import SendSettings
from tests.mail.transport.dovecot import USER, Dovecot, find_server, free_port, remove, wait_for_port
from tests.timing import HANGING

PLAYER = "ann@example.com"
LMTP_DOMAIN = "play.example.org"

_MAIN = """
compatibility_level = 3.6
queue_directory = {home}/queue
data_directory = {home}/data
maillog_file = {home}/postfix.log
maillog_file_prefixes = {home}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.example.org
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
recipient_delimiter = +
virtual_mailbox_domains = example.org, example.com
virtual_mailbox_maps = texthash:{home}/mailboxes
virtual_mailbox_base = {mail}
virtual_minimum_uid = 1
virtual_uid_maps = static:{owner}
virtual_gid_maps = static:{group}
relay_domains = {lmtp_domain}
transport_maps = inline:{{ {lmtp_domain}=lmtp:inet:127.0.0.1:{lmtp_port} }}
default_transport = error:5.1.2 nothing leaves this machine
smtpd_tls_security_level = none
smtpd_error_sleep_time = 0
"""

_MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
local unix - n n - - local
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""


class Postfix:
    """One Postfix with its folder, made on entering and removed on leaving. `users` have Maildirs.

    `extra` lines for main.cf take the place of those above that set the same.
    """

    def __init__(
        self, dovecot: Dovecot, *, users: Sequence[str] = (USER, PLAYER), lmtp_port: int = 9, extra: str = ""
    ) -> None:
        self._program = find_server("postfix")
        if os.geteuid() != 0:
            pytest.skip("Postfix can be started by root only")
        self._dovecot = dovecot
        self._users = users
        self._lmtp_port = lmtp_port
        self._extra = extra
        self.port = free_port()
        self._changes = 0

    def __enter__(self) -> Postfix:
        self.home = Path(tempfile.mkdtemp(prefix="gm-postfix-"))
        self.home.chmod(0o755)
        (self.home / "queue").mkdir()
        (self.home / "mailboxes").write_text("".join(f"{user} {user}/\n" for user in self._users))
        for user in self._users:
            self._dovecot.make_maildir(user)
        self._configure("")
        (self.home / "master.cf").write_text(_MASTER.format(port=self.port))
        self._process = subprocess.Popen([*self._command, "start-fg"], stdout=DEVNULL, stderr=DEVNULL)
        try:
            wait_for_port(self.port, self._process, 20)
        except AssertionError as error:
            raise AssertionError(f"{error}:\n{self.log()}") from None
        return self

    def __exit__(self, *_: object) -> None:
        self._run("stop")
        self._process.wait(HANGING)
        remove(self.home)

    @property
    def _command(self) -> tuple[str, ...]:
        return (self._program, "-c", str(self.home))

    def _run(self, verb: str) -> None:
        subprocess.run([*self._command, verb], check=True, stdout=DEVNULL, stderr=DEVNULL, timeout=HANGING)

    def _configure(self, more: str) -> None:
        main = _MAIN.format(
            home=self.home,
            mail=self._dovecot.home / "mail",
            owner=self._dovecot.owner.pw_uid,
            group=self._dovecot.owner.pw_gid,
            lmtp_domain=LMTP_DOMAIN,
            lmtp_port=self._lmtp_port,
        )
        (self.home / "main.cf").write_text(_each_once(main + self._extra + more))

    def change(self, more: str) -> None:
        """Go on with these lines of main.cf, too; "" for those of the beginning. New connections are treated so."""
        self._changes += 1
        self._configure(f"\n{more}\nsmtpd_banner = $myhostname ESMTP {self._changes}\n")
        self._run("reload")
        end, again = time.monotonic() + HANGING, 0
        while again < 5:  # a reload is not waited for: processes of before may still take some connections
            again = again + 1 if self._banner().endswith(f" {self._changes}") else 0
            assert time.monotonic() < end, self.log()

    def _banner(self) -> str:
        with SMTP(timeout=HANGING) as connection:
            return connection.connect("127.0.0.1", self.port)[1].decode()

    def flush(self) -> None:
        """Try what waits in the queue now."""
        self._run("flush")

    def log(self) -> str:
        path = self.home / "postfix.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def mails_of(self, user: str) -> list[Message]:
        """The mails in a Maildir, the oldest first; their parts are not read."""
        folder = self._dovecot.home / "mail" / user
        found = sorted((*folder.glob("new/*"), *folder.glob("cur/*")), key=lambda path: path.name)
        return [BytesHeaderParser().parsebytes(path.read_bytes()) for path in found]

    def swaks(self, sender: str, recipient: str, subject: str, body: str = "A PAR-BUR") -> str:
        """Let swaks send a mail; it must be taken. Returns its Message-ID, which the answer cites."""
        program, key = find_server("swaks"), make_msgid()
        headers = ("--header", f"Subject: {subject}", "--header", f"Message-Id: {key}")
        words = ["--from", sender, "--to", recipient, *headers, "--body", body]
        done = subprocess.run(
            [program, "--server", f"127.0.0.1:{self.port}", *words], capture_output=True, text=True, timeout=HANGING
        )
        assert done.returncode == 0, done.stdout
        return key

    def settings(self) -> SendSettings:
        return SendSettings(Path("/nonexistent"), kind="smtp", port=self.port)


def _each_once(text: str) -> str:
    """Of lines that set the same only the last. Postfix warns of the others in every process, and so many warnings
    before its log writer has started make it wait for ever."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return "\n".join({line.partition("=")[0].strip(): line for line in lines}.values()) + "\n"
