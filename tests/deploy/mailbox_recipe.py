"""docs/recipes/mailbox.md: `gm init` at a terminal with a mailbox of Dovecot and an SMTP server that wants a log-in,
and the first mail to the server; `python -m tests.deploy.recipes` writes it.
"""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gm.settings import load
from tests.cli.server import Running, new_mail, read, text_of
from tests.cli.terminal import gm_at_a_terminal
from tests.mail.transport.conftest import eventually
from tests.mail.transport.dovecot import PASSWORD, Dovecot
from tests.mail.transport.mailserver import MailServer

ADDRESS, USER, PLAYER = "gm@example.org", "gm", "ann@example.com"

_PAGE = Path(__file__).with_name("mailbox.md.in")


@contextmanager
def _provider() -> Iterator[tuple[Dovecot, MailServer]]:
    """A mailbox, and an SMTP server that puts mail for it there."""
    over = threading.Event()
    with Dovecot() as dovecot, MailServer(password=PASSWORD) as smtp:

        def deliver() -> None:
            delivered = 0
            while not over.wait(0.05):
                for mail in smtp.taken[delivered:]:
                    delivered += 1
                    if mail.recipients[0].endswith("@example.org"):
                        dovecot.drop(f"Delivered-To: {mail.recipients[0]}\r\n".encode() + mail.raw, USER)

        dovecot.make_maildir(USER)
        postman = threading.Thread(target=deliver)
        postman.start()
        try:
            yield dovecot, smtp
        finally:
            over.set()
            postman.join()


def followed() -> str:
    """The page as it is now."""
    with _provider() as (dovecot, smtp), tempfile.TemporaryDirectory() as folder:
        answers = (
            ("gm@localhost]: ", ADDRESS),
            ("Which [1]: ", "3"),
            ("other [other]: ", ""),
            ("The IMAP server [imap.example.org]: ", "127.0.0.1"),
            ("Its port [993]: ", str(dovecot.port)),
            ("Its encryption (implicit, starttls, none) [none]: ", ""),
            ("The SMTP server [smtp.example.org]: ", "127.0.0.1"),
            ("Its port [465]: ", str(smtp.port)),
            ("Its encryption (implicit, starttls, none) [none]: ", ""),
            (f"The user name [{ADDRESS}]: ", USER),
            ("it is not shown: ", PASSWORD),
            ("arrive there too (yes or no) [yes]: ", ""),
            ("Your own address, for mail about problems (empty: none is sent): ", "you@example.net"),
        )
        with gm_at_a_terminal("init", "--home", "games", cwd=Path(folder)) as terminal:
            status = terminal.end(answers)
        assert status == 0, terminal.shown
        home = Path(folder) / "games"
        assert load(home, {}).imap is not None
        mail = new_mail(PLAYER, ADDRESS, "REGISTER Ann Example")
        with Running.at(home) as server:
            server.wait_for(lambda: "connected" in server.log())  # what came before is left in the mailbox
            dovecot.drop(f"Delivered-To: {ADDRESS}\r\n".encode() + mail.as_bytes(), USER)
            assert eventually(lambda: any(one.recipients == (PLAYER,) for one in smtp.taken)), server.log()
        [answer] = [read(one.raw) for one in smtp.taken if one.recipients == (PLAYER,)]
        shown = re.sub(r"Its encryption .*\r?\n", "", terminal.shown.replace(f"{folder}/", ""))  # asked of odd ports
        for port, usual, name in ((dovecot.port, "993", "imap"), (smtp.port, "465", "smtp")):
            host = f"{name}.example.org"
            shown = shown.replace(f"[{host}]: 127.0.0.1", f"[{host}]: {host}")
            shown = shown.replace(f"127.0.0.1 port {port}", f"{host} port {usual}").replace(str(port), usual)
        shown = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?( UTC)(, not sync.*)?", r"2026-11-20 09:00\2", shown)
        shown = re.sub(r"\d+ MB are free", "9000 MB are free", shown).replace("note  clock", "ok    clock")
    page = _PAGE.read_text(encoding="utf-8").format(
        init=f"$ gm init --home games\n{shown.strip()}",
        address=ADDRESS,
        question=f"To: {ADDRESS}\n\n{text_of(mail).strip()}",
        answer=f"From: {answer['From']}\n\n{text_of(answer).strip()}",
    )
    return page.replace("\r\n", "\n")
