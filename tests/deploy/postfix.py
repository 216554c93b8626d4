"""A real Postfix in a folder of its own, with extra lines for its main.cf; needs root, as Postfix does.

Where Postfix is not installed, or we are not root, the test is skipped with a line that says so (and fails where
GM_REQUIRE_SERVERS=1).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType

import pytest

from tests.mail.dovecot import find_server, free_port

_MAIN = """
compatibility_level = 3.6
queue_directory = {home}/spool
data_directory = {home}/data
maillog_file_prefixes = {home}
maillog_file = {home}/postfix.log
inet_interfaces = loopback-only
inet_protocols = ipv4
myhostname = mail.example.org
mydestination = example.org
local_recipient_maps = inline:{{ gm=gm, nobody=nobody }}
alias_maps =
alias_database =
mynetworks = 127.0.0.0/8
smtp_dns_support_level = disabled
"""

_MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
pickup    unix  n - n 60 1 pickup
cleanup   unix  n - n - 0 cleanup
qmgr      unix  n - n 300 1 qmgr
rewrite   unix  - - n - - trivial-rewrite
bounce    unix  - - n - 0 bounce
defer     unix  - - n - 0 bounce
trace     unix  - - n - 0 bounce
verify    unix  - - n - 1 verify
proxymap  unix  - - n - - proxymap
smtp      unix  - - n - - smtp
lmtp      unix  - - n - - lmtp
error     unix  - - n - - error
retry     unix  - - n - - error
local     unix  - n n - - local
anvil     unix  - - n - 1 anvil
scache    unix  - - n - 1 scache
postlog   unix-dgram n - n - 1 postlogd
"""


class Postfix:
    """One Postfix, made on entering and removed on leaving. It takes mail on `port`, and example.org is its domain."""

    def __init__(self, extra: str) -> None:
        self._program = find_server("postfix")
        if os.geteuid() != 0:
            pytest.skip("Postfix runs only as root")
        self.port = free_port()
        self._extra = extra

    def __enter__(self) -> Postfix:
        self.home = Path(tempfile.mkdtemp(prefix="gm-postfix-"))
        self.home.chmod(0o755)
        self.etc = self.home / "etc"
        for folder in (self.etc, self.home / "spool", self.home / "data"):
            folder.mkdir(mode=0o755)
        shutil.chown(self.home / "data", "postfix", "postfix")
        (self.etc / "main.cf").write_text(_MAIN.format(home=self.home) + self._extra, encoding="utf-8")
        (self.etc / "master.cf").write_text(_MASTER.format(port=self.port), encoding="utf-8")
        try:
            self.command("start")
        except BaseException:
            shutil.rmtree(self.home)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.command("abort")
        shutil.rmtree(self.home, ignore_errors=True)

    def command(self, *words: str) -> None:
        """`postfix start`, `postfix flush` and the like."""
        done = subprocess.run(
            [self._program, "-c", str(self.etc), *words], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, f"postfix {' '.join(words)}: {done.stderr}\n{self.log()}"

    def log(self) -> str:
        path = self.home / "postfix.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def wait_for_log(self, words: str, seconds: float = 20.0) -> None:
        """Wait until the log says something."""
        end = time.monotonic() + seconds
        while words not in self.log():
            assert time.monotonic() < end, f"Postfix never said {words!r}:\n{self.log()}"
            time.sleep(0.05)
