"""docs/recipes/: what to do on a machine, followed literally; `python -m tests.deploy.recipes` writes what is printed.

Each block of commands is run by bash, as root, in namespaces of its own: /etc, /var, /opt and /usr/lib are copies that
end with it, and so are the network and the processes. Below a block that begins with ```console stands what it printed.

What is not there: systemd (a `systemctl` that starts and reloads the same programs stands in for it), the internet
(what `apt-get` and `pip` would install is what the tests run with).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "recipes"

_SYSTEMCTL = r"""#!/bin/bash
case "$*" in
daemon-reload) ;;
"restart postfix" | "reload postfix") postfix reload >/dev/null 2>&1 || postfix start >/dev/null 2>&1 ;;
"enable --now gm")
    start=$(sed -n 's/^ExecStart=//p' /etc/systemd/system/gm.service)
    (cd /var/lib/gm && exec setsid runuser -u gm -- env GM_HOME=/var/lib/gm $start) >/var/log/gm.log 2>&1 &
    until (echo >/dev/tcp/127.0.0.1/2424) 2>/dev/null; do sleep 0.1; done ;;
*) echo "systemctl $*: unknown here" >&2; exit 1 ;;
esac
"""

_APT = r"""#!/bin/bash
for package in "${@:3}"; do dpkg -s "$package" >/dev/null || exit 1; done
"""

_PYTHON = r"""#!/bin/bash
[ "$*" = "-m venv /opt/gm" ] || exit 1
mkdir -p /opt/gm/bin
printf '#!/bin/sh\nPYTHONPATH=/opt/src exec /opt/tests/bin/python -m gm "$@"\n' >/opt/gm/bin/gm
printf '#!/bin/sh\n[ "$*" = "install /opt/src" ] && test -e /opt/src/pyproject.toml\n' >/opt/gm/bin/pip
chmod 755 /opt/gm/bin/*
"""

_SET_UP = r"""
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs "$SANDBOX"
for folder in etc var usr/lib root; do  # /root: the tests may run with a Python that is there
    mkdir -p "$SANDBOX/upper/$folder" "$SANDBOX/work/$folder"
    layers="lowerdir=/$folder,upperdir=$SANDBOX/upper/$folder,workdir=$SANDBOX/work/$folder"
    mount -t overlay overlay -o "$layers" "/$folder"
done
mkdir -p "$SANDBOX/opt/src" "$SANDBOX/opt/tests" "$SANDBOX/bin"
mount --bind "$SOURCES" "$SANDBOX/opt/src"
mount --bind "$TESTS" "$SANDBOX/opt/tests"
printf '%s' "$SYSTEMCTL" >"$SANDBOX/bin/systemctl"
printf '%s' "$APT" >"$SANDBOX/bin/apt-get"
printf '%s' "$PYTHON" >"$SANDBOX/bin/python3"
chmod -R a+rX "$SANDBOX/upper"
chmod 755 "$SANDBOX" "$SANDBOX/opt" "$SANDBOX"/bin "$SANDBOX"/bin/*
mount --rbind "$SANDBOX/opt" /opt
/opt/tests/bin/python -c 'import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 0x41))'  # SIOCSIFFLAGS: up and running
rm -rf /var/mail/* /var/lib/gm /var/spool/postfix/pid/*
export PATH="$SANDBOX/bin:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root
unset PYTHONPATH
cd /
"""

_MAILMAN = r"""
/opt/tests/bin/python -c '
import sys; sys.path.insert(0, "/opt/src")
from gm.mail.transport.listener import Listener
from gm.settings import ListenSettings
import time
log = open("/var/log/mailman.log", "ab", buffering=0)
with Listener(ListenSettings("lmtp", port=8024), accept=lambda mail: log.write(mail.raw), knows=lambda _: True):
    time.sleep(9999)' &
echo 'players@example.org lmtp:inet:127.0.0.1:8024' >/etc/postfix/mailman
postconf -e 'mydestination = example.org, localhost' 'recipient_delimiter =' \
    'transport_maps = texthash:/etc/postfix/mailman' \
    'local_recipient_maps = proxy:unix:passwd.byname, texthash:/etc/postfix/mailman' 'inet_interfaces = loopback-only' \
    'myhostname = example.org' 'alias_maps =' 'default_transport = error:5.1.2 nothing leaves this machine'
postfix start >/dev/null 2>&1
"""
"""A machine that has Mailman: a list that is delivered by LMTP. Something that takes mail by LMTP stands in for it."""

_FAILED = 'echo "@@failed"; tail -n 30 /var/log/gm.log; exit 1;'
_BLOCK = re.compile(r"^```(sh|console)\n(.*?)^```\n(?:\n```text\n.*?^```\n)?", re.MULTILINE | re.DOTALL)
_CHANGING = (
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?"), "2026-11-20 09:00"),
    (re.compile(r"\d+ MB are free"), "9000 MB are free"),
    (re.compile(r", not synchronized\. timedatectl set-ntp true"), ""),
    (re.compile(r"^note +clock", re.MULTILINE), "ok    clock"),
)


def _commands(page: str) -> Iterator[str]:
    text = page
    if "vps.md" in page:  # gm is installed as it says
        install = (FOLDER / "vps.md").read_text(encoding="utf-8").partition("## Install\n")[2]
        found = _BLOCK.search(install)
        assert found is not None
        yield _MAILMAN + found[2]
    else:
        yield "true\n"
    yield from (found[2] for found in _BLOCK.finditer(text))


def followed(name: str) -> str:
    """The page with what its commands print now. Raises AssertionError with the output of a command that fails."""
    page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="gm-recipe-") as sandbox:
        blocks = [*_commands(page)]
        script = _SET_UP
        for number, block in enumerate(blocks):
            (Path(sandbox).parent / f"{Path(sandbox).name}.{number}").write_text(block)
            script += f'echo "@@{number}"\nbash -e {sandbox}.{number} 2>&1 || {{ {_FAILED} }}\n'
        environment = {
            **os.environ, "SANDBOX": sandbox, "SOURCES": str(ROOT), "TESTS": sys.prefix,
            "SYSTEMCTL": _SYSTEMCTL, "APT": _APT, "PYTHON": _PYTHON,
        }  # fmt: skip
        command = [
            "unshare",
            "--mount",
            "--net",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
            "bash",
            "-c",
            script,
        ]
        said = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        for number in range(len(blocks)):
            Path(f"{sandbox}.{number}").unlink()
    assert said.returncode == 0, f"{said.stdout}\n{said.stderr}"
    printed = re.split(r"^@@\d+\n", said.stdout, flags=re.MULTILINE)[2:]
    return _BLOCK.sub(lambda found: _with_output(found, printed.pop(0)), page)


def _with_output(found: re.Match[str], printed: str) -> str:
    block = f"```{found[1]}\n{found[2]}```\n"
    if found[1] == "sh":
        return block
    for changing, always in _CHANGING:
        printed = changing.sub(always, printed)
    return f"{block}\n```text\n{printed.strip()}\n```\n"


def may_be_followed() -> bool:
    """Whether this machine lets us have namespaces of our own."""
    tried = subprocess.run(["unshare", "--mount", "--net", "--pid", "--fork", "true"], capture_output=True, check=False)
    return tried.returncode == 0


if __name__ == "__main__":
    from tests.deploy import mailbox_recipe

    (FOLDER / "mailbox.md").write_text(mailbox_recipe.followed(), encoding="utf-8")
    for page in ("mailman", "vps"):
        (FOLDER / f"{page}.md").write_text(followed(page), encoding="utf-8")
