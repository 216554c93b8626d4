"""A real Dovecot on a loopback port, from one small configuration; as root or not.

    with Dovecot() as dovecot:
        dovecot.drop(b"Subject: ...")
        settings = dovecot.settings()

Where Dovecot is not installed the test is skipped with a line that says so (and fails where GM_REQUIRE_SERVERS=1).
"""

from __future__ import annotations

import base64
import grp
import imaplib
import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gm.settings import ImapSettings
from tests.processes import Process
from tests.timing import HANGING

USER = "gm@example.org"
PASSWORD = "secret"
CAPABILITIES = "IMAP4rev1 LITERAL+ IDLE UIDPLUS MOVE"

_PLACES = ("/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin")
_numbers = itertools.count()

_CONFIGURATION = """
base_dir = {home}/run
state_dir = {home}/state
log_path = {home}/dovecot.log
protocols = imap
listen = 127.0.0.1
disable_plaintext_auth = no
{tls}
mail_location = maildir:{home}/mail/%u
first_valid_uid = 1
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
imap_capability = {capabilities}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
  }}
}}
service anvil {{
  chroot =
}}
{passwords}
userdb {{
  driver = static
  args = uid={owner} gid={owner_group} home={home}/mail/%u
}}
"""


def find_server(name: str) -> str:
    """The path of a server's program; skips the test where it is not installed."""
    path = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *_PLACES]))
    if path is None:
        pytest.skip(
            f"{name} is not installed (Debian: apt install dovecot-imapd postfix swaks mutt s-nail spamassassin)"
        )
    return path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def wait_for_port(port: int, process: subprocess.Popen[bytes] | Process, seconds: float = HANGING) -> None:
    """Wait until something answers on the port."""
    end = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert process.poll() is None, "the server stopped by itself"
            assert time.monotonic() < end, "the server does not listen"
            time.sleep(0.01)


def remove(folder: Path, seconds: float = HANGING) -> None:
    """Remove a server's folder, in which its last processes may still be writing."""
    end = time.monotonic() + seconds
    while True:
        try:
            shutil.rmtree(folder)
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


class Dovecot:
    """One Dovecot with its folder, made on entering and removed on leaving. Every user has the password PASSWORD.

    `certificate` and `key` (PEM files) turn TLS on; `capabilities` is what it claims to be able to do after log-in.
    With `token_key` it takes OAuth2 access tokens that are signed with it (JWT, HS256), and no passwords.
    """

    def __init__(
        self,
        *,
        certificate: Path | None = None,
        key: Path | None = None,
        capabilities: str = CAPABILITIES,
        token_key: bytes | None = None,
    ) -> None:
        self._token_key = token_key
        self._program = find_server("dovecot")
        self._certificate = certificate
        self._key = key
        self._capabilities = capabilities
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        self.tls_port = free_port() if certificate else 0

    def __enter__(self) -> Dovecot:
        # Not in tmp_path: only its owner may enter that, and names of sockets must be short.
        self.home = Path(tempfile.mkdtemp(prefix="gm-dovecot-"))
        self.home.chmod(0o755)
        root = os.geteuid() == 0
        me = pwd.getpwuid(os.geteuid())
        self.owner = pwd.getpwnam("nobody") if root else me  # Dovecot opens no mailbox as root
        (self.home / "mail").mkdir()
        os.chown(self.home / "mail", self.owner.pw_uid, self.owner.pw_gid)
        tls = f"ssl = yes\nssl_cert = <{self._certificate}\nssl_key = <{self._key}" if self._certificate else "ssl = no"
        (self.home / "dovecot.conf").write_text(
            _CONFIGURATION.format(
                home=self.home,
                port=self.port,
                tls=tls,
                tls_port=self.tls_port,
                capabilities=self._capabilities,
                internal="dovecot" if root else me.pw_name,
                group="dovecot" if root else grp.getgrgid(me.pw_gid).gr_name,
                login="dovenull" if root else me.pw_name,
                owner=self.owner.pw_uid,
                owner_group=self.owner.pw_gid,
                passwords=self._password_database(),
            )
        )
        self.start()
        return self

    def _password_database(self) -> str:
        if self._token_key is None:
            return f"passdb {{\n  driver = static\n  args = password={PASSWORD}\n}}"
        keys = self.home / "keys" / "default" / "HS256"
        keys.mkdir(parents=True)
        (keys / "default").write_text(base64.b64encode(self._token_key).decode())
        local = self.home / "oauth2.conf"
        local.write_text(
            "introspection_mode = local\nusername_attribute = sub\n"
            f"local_validation_key_dict = fs:posix:prefix={self.home}/keys/\n"
        )
        return (
            "auth_mechanisms = xoauth2 oauthbearer\n"
            f"passdb {{\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = {local}\n}}"
        )

    def __exit__(self, *_: object) -> None:
        self.stop()
        remove(self.home)

    def start(self) -> None:
        """Start it, or start it again on the same port."""
        self._process = subprocess.Popen([self._program, "-F", "-c", str(self.home / "dovecot.conf")])
        try:
            wait_for_port(self.port, self._process)
            if self._token_key is None:
                with self.client():  # one that is stopped before it logs anybody in takes five seconds to stop
                    pass
        except AssertionError as error:
            raise AssertionError(f"{error}:\n{self.log()}") from None

    def stop(self) -> None:
        """Stop it and wait until it is gone; the mail stays."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(HANGING)
            self._process = None

    def log(self) -> str:
        path = self.home / "dovecot.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def settings(self, *, user: str = USER, poll_seconds: int = 300, **changes: str | int) -> ImapSettings:
        given: dict[str, str | int] = {"host": "127.0.0.1", "port": self.port, "tls": "none", "password": PASSWORD}
        return ImapSettings(user=user, poll_seconds=poll_seconds, **(given | changes))  # type: ignore[arg-type]

    def make_maildir(self, user: str) -> Path:
        maildir = self.home / "mail" / user
        for folder in (maildir, *(maildir / name for name in ("tmp", "new", "cur"))):
            if not folder.exists():
                folder.mkdir(mode=0o700)
                os.chown(folder, self.owner.pw_uid, self.owner.pw_gid)
        return maildir

    def drop(self, raw: bytes, user: str = USER, *, age: float = 0.0) -> None:
        """Put a mail into the inbox as a delivery agent does, by a new file in the Maildir, `age` seconds ago."""
        maildir = self.make_maildir(user)
        name = f"{time.time_ns()}.{next(_numbers)}.test"
        path = maildir / "tmp" / name
        path.write_bytes(raw)
        os.chown(path, self.owner.pw_uid, self.owner.pw_gid)
        os.utime(path, (time.time() - age,) * 2)
        path.rename(maildir / "new" / name)

    def forget_numbers(self, user: str = USER) -> None:
        """Make the server number the inbox anew, with another UIDVALIDITY."""
        self.stop()
        for path in (self.home / "mail" / user).glob("dovecot*"):
            path.unlink()
        time.sleep(1.1 - time.time() % 1)  # it is the time in whole seconds
        self.start()

    @contextmanager
    def read_only(self, folder: str, user: str = USER) -> Iterator[None]:
        """While this lasts nothing can be put into the folder."""
        places = [self.home / "mail" / user / f".{folder}" / name for name in ("tmp", "new", "cur")]
        for place in places:
            place.chmod(0o500)
        try:
            yield
        finally:
            for place in places:
                place.chmod(0o700)

    @contextmanager
    def client(self, user: str = USER) -> Iterator[imaplib.IMAP4]:
        """A plain client that is logged in."""
        with imaplib.IMAP4("127.0.0.1", self.port, timeout=HANGING) as client:
            client.login(user, PASSWORD)
            yield client

    def subjects(self, folder: str = "INBOX", user: str = USER) -> list[str]:
        """The subjects of the messages in a folder (those marked as deleted left out), oldest first."""
        with self.client(user) as client:
            if client.select(folder, readonly=True)[0] != "OK":
                return []
            found = []
            for number in client.search(None, "UNDELETED")[1][0].split():
                header = client.fetch(number.decode(), "(BODY.PEEK[HEADER.FIELDS (SUBJECT)])")[1][0]
                if not isinstance(header, tuple):
                    continue  # deleted since the search
                found.append(header[1].decode("utf-8", "replace").strip().removeprefix("Subject: "))
            return found
