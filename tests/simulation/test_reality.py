"""The simulated mail is held to the real one: the same mails, replies and mailboxes have the same effects in both."""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from imapclient import IMAPClient

from gm.errors import DeliveryDeferred, DeliveryRefused
from gm.mail.transport import smtp_out
from gm.mail.transport.imap import ImapPoller
from gm.mail.transport.listener import Listener
from gm.mail.transport.smtp_out import Sender, Timeouts
from gm.settings import ImapSettings, ListenSettings, SendSettings
from gm.store.inbox import ArrivedMail
from tests.mail.transport.dovecot import PASSWORD, USER, Dovecot
from tests.mail.transport.mailserver import HANG_UP, SILENCE, MailServer
from tests.mail.transport.proxy import Proxy
from tests.simulation import network
from tests.simulation.machine import DeafListener
from tests.simulation.network import Mailbox, SimImap, SimSmtp, Transit, hand_over
from tests.timing import HANGING

pytestmark = pytest.mark.long

# ---- the way out

SAID: dict[str, dict[str, str]] = {
    "": {},
    "greylist": {"RCPT": "450 4.7.1 Greylisted, try again later"},
    "unknown": {"RCPT": "550 5.1.1 No such user here"},
    "full": {"RCPT": "452 4.2.2 Mailbox full"},
    "quota": {"RCPT": "550 5.4.5 Daily user sending quota exceeded"},
    "policy": {"DATA": "554 5.7.1 Message rejected for policy reasons"},
    "sender": {"MAIL": "550 5.7.1 Sender address rejected"},
    "lost": {"DATA": HANG_UP},
    "hang": {"DATA": SILENCE},
}
"""What a real relay says that behaves as a simulated one in this mode."""
MAIL = b"Subject: results\r\nMessage-ID: <1@sim.example>\r\n\r\nA PAR-BUR\r\n"


def came_of(deliver: Callable[[], object]) -> tuple[str, str]:
    """The kind of error that a sender raises, and the server's words in it; two empty words if it was taken."""
    try:
        deliver()
    except (DeliveryDeferred, DeliveryRefused) as error:
        return type(error).__name__, error.problem.partition(": ")[2]
    return "", ""


class Silent(SimpleNamespace):
    """A world in which nothing else happens."""

    def __init__(self, mode: str) -> None:
        super().__init__(mode=mode, taken=[], mailbox=Mailbox())

    def relay_mode(self, _recipient: str) -> str:
        return str(self.mode)

    def delivered(self, raw: bytes, _sender: str, _recipient: str) -> None:
        self.taken.append(raw)

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None


@pytest.mark.parametrize("mode", SAID)
def test_a_relay(mode: str, tmp_path: Path) -> None:
    with MailServer(answers=dict(SAID[mode])) as relay:
        settings = SendSettings(maildir=tmp_path, kind="smtp", host="127.0.0.1", port=relay.port)
        sender = Sender(
            settings, hostname="sim.example", timeouts=Timeouts(HANGING, 0.3 if mode == "hang" else HANGING)
        )
        real = came_of(lambda: sender.deliver(MAIL, "", "ann@p0.sim"))
    world: Any = Silent(mode)
    with patch.object(smtp_out, "_Plain", SimSmtp), patch.object(SimSmtp, "world", world, create=True):
        simulated = came_of(lambda: Sender(settings, hostname="sim.example").deliver(MAIL, "", "ann@p0.sim"))
    assert simulated == real
    assert len(world.taken) == (mode in ("", "lost")), "a reply that is lost is of a mail that was taken"


def test_no_relay_at_all(tmp_path: Path) -> None:
    with MailServer() as relay:
        settings = SendSettings(maildir=tmp_path, kind="smtp", host="127.0.0.1", port=relay.port)
    real = came_of(lambda: Sender(settings).deliver(MAIL, "", "ann@p0.sim"))
    world: Any = Silent("down")
    with patch.object(smtp_out, "_Plain", SimSmtp), patch.object(SimSmtp, "world", world, create=True):
        assert came_of(lambda: Sender(settings).deliver(MAIL, "", "ann@p0.sim"))[0] == real[0] == "WayOutFailed"


def test_no_certificates_are_read_where_there_is_no_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That takes longer than sending a mail."""
    monkeypatch.setattr("ssl.create_default_context", lambda *_: pytest.fail("it is not used"))
    world: Any = Silent("")
    with patch.object(smtp_out, "_Plain", SimSmtp), patch.object(SimSmtp, "world", world, create=True):
        Sender(SendSettings(maildir=tmp_path, kind="smtp")).deliver(MAIL, "", "ann@p0.sim")
    with patch.object(SimImap, "world", world, create=True), patch("gm.mail.transport.imap.IMAPClient", SimImap):
        settings = ImapSettings("imap.sim", "gm", "secret", tls="none")
        assert _polled(settings, _accepts([]))


# ---- the way in


def _accepts(mails: list[ArrivedMail]) -> Callable[[ArrivedMail], None]:
    def accept(mail: ArrivedMail) -> None:
        if b"broken" in mail.raw:
            raise OSError("the disk is full")
        mails.append(mail)

    return accept


_NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
_HEAD = b"Received: from client (client [198.51.100.7]) by mx.sim with ESMTP;\r\n Fri, 20 Mar 2026 11:00:00 +0000\r\n"


@pytest.mark.parametrize(
    ("recipient", "raw"),
    [
        ("gm@sim.example", _HEAD + MAIL),
        ("nobody@sim.example", MAIL),
        ("gm@sim.example", MAIL + b"broken\r\n"),
        ("gm@sim.example", MAIL + b"smuggled\n.\nMAIL\r\n"),
    ],
)
@pytest.mark.parametrize("protocol", ["smtp", "lmtp"])
def test_a_mail(protocol: Any, recipient: str, raw: bytes) -> None:
    settings, stored = ListenSettings(port=0, protocol=protocol), [list[ArrivedMail](), list[ArrivedMail]()]
    how: Any = {"now": lambda: _NOW}
    with (
        Listener(settings, _accepts(stored[0]), lambda one: one.startswith("gm"), **how) as listener,
        (smtplib.SMTP if protocol == "smtp" else smtplib.LMTP)("127.0.0.1", listener.port, "mx.sim") as client,
    ):
        client.ehlo()
        client.mail("ann@p0.sim")
        code, words = client.rcpt(recipient)
        if code == 250:
            client.docmd("DATA")
            client.send(raw + b".\r\n")
            code, words = client.getreply()
    deaf = DeafListener(settings, _accepts(stored[1]), lambda one: one.startswith("gm"), **how)
    machine: Any = SimpleNamespace(listener=deaf, passes=lambda _: None, settings=SimpleNamespace(listen=settings))
    said = hand_over(machine, Transit(raw, "ann@p0.sim", recipient, _NOW))
    assert said == f"{code} {words.decode()}"
    assert stored[0] == stored[1]


@pytest.mark.parametrize("can", ["IDLE UIDPLUS MOVE", "IDLE UIDPLUS", "IDLE"])
def test_a_mailbox(can: str) -> None:
    """With MOVE; with COPY, the mark and UID EXPUNGE; or with the mark alone."""
    with Dovecot(capabilities=f"IMAP4rev1 LITERAL+ {can}") as dovecot:
        real, settings = list[ArrivedMail](), dovecot.settings()
        for number in range(3):
            dovecot.drop(MAIL + b"%d\r\n" % number)
        moved = _polled(settings, _accepts(real)), len(dovecot.subjects()), len(dovecot.subjects("Done"))
    world, simulated = _mailbox(frozenset(can.split())), list[ArrivedMail]()
    with _simulated(world):
        there = _polled(settings, _accepts(simulated)), *(len(world.mailbox.there(one)) for one in ("INBOX", "Done"))
    assert moved == there == (True, 0, 3)
    assert [one.raw.strip() for one in real] == [one.raw.strip() for one in simulated]
    assert [one.imap and one.imap.uid for one in real] == [one.imap and one.imap.uid for one in simulated]


def _marked(client: Any) -> list[tuple[str, int, int, list[int]]]:
    """What is in the inbox and elsewhere as mails there are copied, marked and removed."""
    found = list[tuple[str, int, int, list[int]]]()

    def look(folder: str) -> None:
        client.select_folder(folder)
        client.noop()
        kept, every = (client.search([*which, "UID", "1:*"]) for which in (["UNDELETED"], []))
        found.append((folder, len(kept), len(every), sorted(client.fetch(every, ["RFC822.SIZE", "INTERNALDATE"]))))

    client.login(USER, PASSWORD)
    client.create_folder("Done")
    look("INBOX")
    client.add_flags([1], [b"\\Seen"], silent=True)
    client.add_flags([2], [b"\\Seen", b"\\Deleted"], silent=True)
    look("INBOX")
    client.copy([2, 3], "Done")
    client.uid_expunge([1, 3])
    look("INBOX")
    client.uid_expunge([1, 2])
    look("INBOX")
    client.move([3], "Done")
    look("INBOX")
    look("Done")
    return found


def test_only_what_is_marked_as_deleted_is_hidden_and_removed() -> None:
    """A copy is marked as the mail was, and has a number of its own."""
    with Dovecot() as dovecot:
        for number in range(3):
            dovecot.drop(MAIL + b"%d\r\n" % number)
        with IMAPClient("127.0.0.1", dovecot.port, ssl=False) as client:
            real = _marked(client)
    world = _mailbox(frozenset({"IDLE", "UIDPLUS", "MOVE"}))
    with _simulated(world):
        simulated = _marked(SimImap())
    assert [one[:3] for one in real] == [one[:3] for one in simulated]
    assert [one[3] for one in real][:-1] == [one[3] for one in simulated][:-1]
    assert [one[1:3] for one in simulated] == [(3, 3), (2, 3), (2, 3), (2, 2), (1, 1), (2, 3)]


def _mailbox(can: frozenset[str]) -> Silent:
    """A world whose mailbox has three mails."""
    world = Silent("")
    world.mailbox.can = can
    for number in range(3):
        world.mailbox.drop(MAIL + b"%d\r\n" % number, datetime.now(UTC))
    return world


@contextmanager
def _simulated(world: Silent) -> Iterator[None]:
    with (
        patch.object(network.SimImap, "world", world, create=True),
        patch("gm.mail.transport.imap.IMAPClient", SimImap),
    ):
        yield


def test_a_mailbox_that_refuses_the_log_in_breaks_off_and_works_again() -> None:
    """What was accepted before the connection broke is not accepted again by the same server."""
    accepted: list[list[ArrivedMail]] = [[], []]
    looked: list[list[bool]] = [[], []]
    with Dovecot() as dovecot, Proxy(dovecot.port, lambda said: breaks(said)) as proxy:
        for number in range(3):
            dovecot.drop(MAIL + b"%d\r\n" % number)

        def breaks(said: bytes) -> None:
            if b"MOVE" in said and len(accepted[0]) == 1:
                proxy.cut()

        settings = dovecot.settings(port=proxy.port)
        looked[0] = [_polled(replace(settings, password="wrong"), _accepts(accepted[0]))]
        looked[0] += _polled_twice(settings, _accepts(accepted[0]), lambda: None)
    world = _mailbox(frozenset({"IDLE", "UIDPLUS", "MOVE"}))
    world.mailbox.behaviour = "login"
    with _simulated(world):
        looked[1] = [_polled(settings, _accepts(accepted[1]))]
        world.mailbox.behaviour = "8"  # LOGIN, LIST, CREATE, SELECT, NOOP, SEARCH, FETCH, FETCH, and no MOVE
        looked[1] += _polled_twice(settings, _accepts(accepted[1]), lambda: setattr(world.mailbox, "behaviour", ""))
    assert looked == [[False, False, True]] * 2
    assert [len(one) for one in accepted] == [3, 3]


def _polled_twice(
    settings: ImapSettings, accept: Callable[[ArrivedMail], None], between: Callable[[], None]
) -> list[bool]:
    """Whether each of two looks, over as many connections, found the end of the mailbox."""
    poller, found = ImapPoller(settings, accept, threading.Event()), []
    for _ in range(2):
        begun = datetime.now(UTC)
        poller.step(begun)
        drained = poller.drained(begun)
        found.append(drained is not None)
        between()
    poller.close()
    return found


def _polled(settings: ImapSettings, accept: Callable[[ArrivedMail], None]) -> bool:
    """Whether a look into the mailbox found its end."""
    poller, begun = ImapPoller(settings, accept, threading.Event()), datetime.now(UTC)
    poller.step(begun)
    poller.close()
    return poller.drained(begun) is not None
