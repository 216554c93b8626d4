"""mutt and s-nail as their users have them: each replies to a real report, by SMTP, and shows the answer.

Where one is not installed its test is skipped with a line that says so (and fails where GM_REQUIRE_SERVERS=1).
"""

from __future__ import annotations

import mailbox
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.mail.transport.maildir_out import maildir_of
from tests.cli.server import Running, player, text_of
from tests.cli.terminal import program_at_a_terminal
from tests.mail.transport.dovecot import find_server
from tests.timing import HANGING

FRANCE, GERMANY = player("France"), player("Germany")

_MUTTRC = """
set from="{person}" realname="A Player" hostname="example.org" editor="{editor}"
set smtp_url="smtp://127.0.0.1:{port}" ssl_starttls=no ssl_force_tls=no smtp_authenticators=""
set copy=no recall=no fast_reply=yes include=yes quit=yes move=no mark_old=no wait_key=no header_cache=""
set folder="{box}"
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("programs") / "server", GM_TRUST_LEVEL="open") as running:
        running.started()
        for person in (FRANCE, GERMANY):
            running.wait_for(lambda person=person: "begins" in str(running.mails(person)[-1]["Subject"]))  # type: ignore[misc]
        yield running


def editor_in(folder: Path, order: str) -> Path:
    """An editor that writes the order above what it finds, a second later, for programs that compare only these."""
    editor = folder / "editor"
    editor.write_text(f'#!/bin/sh\nsleep 1.1; {{ echo "{order}"; echo; cat "$1"; }} >"$1.new" && mv "$1.new" "$1"\n')
    editor.chmod(0o755)
    return editor


def answered(server: Running, person: str, order: str) -> bool:
    """Whether somebody has been answered that the order is theirs now, and nothing else was read."""
    found = [text_of(mail) for mail in server.mails(person) if order in text_of(mail)]
    assert all("could not be acted on" not in answer for answer in found), found
    return bool(found)


def test_mutt(server: Running, tmp_path: Path) -> None:
    rc = tmp_path / "muttrc"
    box, editor = maildir_of(server.home / "mail", FRANCE), editor_in(tmp_path, "A PAR-BUR")
    rc.write_text(_MUTTRC.format(person=FRANCE, editor=editor, port=server.port, box=box))
    command = (find_server("mutt"), "-n", "-F", str(rc), "-f", str(box))
    screen = {"TERM": "xterm", "LINES": "100", "COLUMNS": "120", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    with program_at_a_terminal(*command, cwd=tmp_path, environment=screen) as mutt:
        mutt.press("l~s begins\nr", after="---Mutt: ")  # the report
        mutt.press("y", after="Reply to ")
        mutt.press("y", after="y:Send")
        mutt.press("q", after="Mail sent")
        assert mutt.end() == 0
    server.wait_for(lambda: answered(server, FRANCE, "Army Paris -> Burgundy"))
    with program_at_a_terminal(*command, cwd=tmp_path, environment=screen) as mutt:
        mutt.press("l~b 'Paris -> Burgundy'\n\n", after="---Mutt: ")
        mutt.press("qq", after="Army Paris -> Burgundy")
        assert mutt.end() == 0


def test_s_nail(server: Running, tmp_path: Path) -> None:
    program, box, editor = find_server("s-nail"), tmp_path / "mbox", editor_in(tmp_path, "A MUN-RUH")

    def run(*commands: str) -> str:
        """What the program shows when it is told this, with the mail that has arrived in a file."""
        box.unlink(missing_ok=True)
        kept = mailbox.mbox(box)
        for mail in server.mails(GERMANY):
            kept.add(mail.as_bytes())
        kept.close()
        settings = [
            "v15-compat",
            f"mta=smtp://127.0.0.1:{server.port}",
            "smtp-auth=none",
            "sendwait",
            f"VISUAL={editor}",
        ]
        settings += [f"from=A Player <{GERMANY}>", "hostname=example.org", "quote", "indentprefix=> ", "noeditheaders"]
        words = [program, "-#", *(word for setting in settings for word in ("-S", setting)), "-f", str(box)]
        done = subprocess.run(
            words, input="\n".join((*commands, "xit\n")), capture_output=True, text=True, timeout=HANGING,
            env={**os.environ, "HOME": str(tmp_path)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("reply $", "~v", "~.")
    server.wait_for(lambda: answered(server, GERMANY, "Army Munich -> Ruhr"))
    assert "Army Munich -> Ruhr" in run("type $")
