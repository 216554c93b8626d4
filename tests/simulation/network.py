"""The mail around the server, simulated: the mail server in front of it, the mailbox that it reads by IMAP, and the
relays that it sends to.

What gm talks to is replaced at the protocol: the listener's handler is called as aiosmtpd calls it, `SimImap` stands in
for imapclient's IMAPClient, and `SimSmtp` for smtplib's SMTP.
"""

from __future__ import annotations

import re
import smtplib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from aiosmtpd.smtp import Envelope
from imapclient.exceptions import IMAPClientAbortError, LoginError

from tests.simulation.machine import Machine, finished

if TYPE_CHECKING:
    from tests.simulation.world import World

FIRST_RETRY, LONGEST_RETRY, SCAN = timedelta(minutes=5), timedelta(seconds=4000), timedelta(seconds=300)
"""When a Postfix in front tries again."""
GIVES_UP = timedelta(days=5)

FRONT = "127.0.0.1"
"""The address of the mail server in front of ours."""


@dataclass
class Transit:
    """A mail on its way to the server. `accepted`: when the mail server in front took it; `peer`: who hands it over."""

    raw: bytes
    sender: str
    recipient: str
    accepted: datetime
    peer: str = FRONT
    tries: int = 0


def hand_over(machine: Machine, mail: Transit) -> str:
    """Give a mail to the server's listener as aiosmtpd does; its last reply."""
    listener = machine.listener
    if listener is None:
        return "421 nobody listens"
    allowed = machine.settings.listen
    if allowed is not None and len(mail.raw) > allowed.max_size:
        return "552 Error: Too much mail data"
    conversation: Any = SimpleNamespace(refusals=0, busy=False, peer="127.0.0.1")
    session: Any = SimpleNamespace(peer=(mail.peer, 40000), host_name="mx.sim")
    envelope = Envelope()
    envelope.mail_from, envelope.original_content = mail.sender, mail.raw
    said = finished(listener.handler.handle_RCPT(conversation, session, envelope, mail.recipient, []))
    if said.startswith("250"):
        said = finished(listener.handler.handle_DATA(conversation, session, envelope))
    if said.startswith("250"):
        machine.passes("listener before 250")
    return str(said)


_RESULTS = re.compile(rb"^Authentication-Results: [^\r\n]*\r?\n", re.MULTILINE)


class Front:
    """The mail server in front: it has taken every mail before the server has it, and tries again until it is taken."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.waiting = 0
        self.bounced: list[Transit] = []

    def take(self, mail: Transit) -> None:
        """Accept a mail, and hand it over at once if possible."""
        at = format_datetime(mail.accepted)
        if mail.peer == FRONT:
            end = "\r\n" if b"\r\n" in mail.raw else "\n"  # a header with both was put together by somebody else
            trace = f"Received: from client (client [198.51.100.7]) by mx.sim with ESMTP;{end} {at}{end}"
            found = _RESULTS.search(mail.raw)  # what it has found of the sender stands above what it has received
            results = found[0] if found is not None else b""
            mail.raw = results + trace.encode() + mail.raw.replace(results, b"", 1)
        self.waiting += 1
        self._try(mail)

    def _try(self, mail: Transit) -> None:
        world = self._world
        said = "421 connection refused"
        up = [machine for machine in world.machines if machine.up and machine.listener is not None]
        if up:
            machine = world.chance.choice(up)
            said = world.alive(machine, lambda: hand_over(machine, mail)) or "421 connection lost"
        if said.startswith("4") and world.now - mail.accepted < GIVES_UP:
            mail.tries += 1
            waited = world.now - mail.accepted
            pause = min(max(waited, FIRST_RETRY), LONGEST_RETRY)
            world.later(pause + SCAN * world.chance.random(), lambda: self._try(mail))
            return
        self.waiting -= 1
        if not said.startswith("250"):
            self.bounced.append(mail)
            world.count("refused at the door")


# the mailbox


SPAM = "Junk"
"""The folder for what the provider takes for spam."""


DELETED = b"\\Deleted"
"""The mark of a mail that EXPUNGE removes."""


@dataclass
class Kept:
    """A mail in a folder, when it came, and how it is marked."""

    raw: bytes
    at: datetime
    flags: frozenset[bytes] = frozenset()


@dataclass
class Mailbox:
    """A mailbox at a provider, and how its server behaves now: "", "refuses", "login", or the number of commands after
    which a connection breaks."""

    folders: dict[str, dict[int, Kept]] = field(default_factory=lambda: {"INBOX": {}, SPAM: {}})
    uidvalidity: int = 1
    next_uid: int = 1
    behaviour: str = ""
    can: frozenset[str] = frozenset({"MOVE", "IDLE", "UIDPLUS"})

    def drop(self, raw: bytes, at: datetime, folder: str = "INBOX") -> None:
        """A mail arrives."""
        self.keep(Kept(raw, at.replace(microsecond=0)), folder)

    def keep(self, mail: Kept, folder: str) -> None:
        """Put a mail into a folder, with a number that is its own."""
        self.folders[folder][self.next_uid] = mail
        self.next_uid += 1

    def there(self, folder: str) -> list[int]:
        """The numbers of the mails in a folder that are not marked as deleted."""
        return [uid for uid, mail in self.folders[folder].items() if DELETED not in mail.flags]

    def renumber(self) -> None:
        """The mails get other numbers, as after a move to another host: connections break."""
        self.uidvalidity += 1
        for name, mails in self.folders.items():
            self.folders[name] = dict(enumerate(mails.values(), 1))
        self.next_uid = 1 + max(map(len, self.folders.values()))


class SimImap:
    """A connection to the mailbox, as imapclient's `IMAPClient`."""

    world: World
    """The world that all connections are in."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self._box = SimImap.world.mailbox
        self._numbering, self._seen = self._box.uidvalidity, 0
        self._left = int(self._box.behaviour) if self._box.behaviour.isdecimal() else -1
        self._imap = SimpleNamespace(response=lambda _: ("EXISTS", [None]))
        self.normalise_times = True
        if self._box.behaviour == "refuses":
            raise ConnectionRefusedError("connection refused")

    def _speak(self, command: str) -> None:
        SimImap.world.asks(f"IMAP {command}")
        if self._box.behaviour == "refuses" or self._left == 0 or self._numbering != self._box.uidvalidity:
            raise IMAPClientAbortError("the server closed the connection")
        self._left -= 1

    def login(self, _user: str, _password: str) -> None:
        """LOGIN."""
        self._speak("LOGIN")
        if self._box.behaviour == "login":
            raise LoginError("authentication failed")

    def folder_exists(self, name: str) -> bool:
        """LIST."""
        self._speak("LIST")
        return name in self._box.folders

    def create_folder(self, name: str) -> None:
        """CREATE."""
        self._speak("CREATE")
        self._box.folders[name] = {}

    def select_folder(self, name: str) -> dict[bytes, int]:
        """SELECT."""
        self._speak("SELECT")
        self._name = name
        return {b"UIDVALIDITY": self._box.uidvalidity, b"UIDNEXT": self._box.next_uid}

    def noop(self) -> None:
        """NOOP."""
        self._speak("NOOP")

    def search(self, criteria: Sequence[str]) -> list[int]:
        """SEARCH."""
        self._speak("SEARCH")
        first = 1 if criteria[-1] == "ALL" else int(criteria[-1].partition(":")[0])
        self._seen = self._box.next_uid
        found = self._box.there(self._name) if "UNDELETED" in criteria else self._box.folders[self._name]
        return [uid for uid in found if uid >= first]

    def fetch(self, uids: Sequence[int], what: Sequence[str]) -> dict[int, dict[bytes, Any]]:
        """FETCH of sizes and times, or of a body or its beginning."""
        self._speak("FETCH")
        folder = self._box.folders[self._name]
        there = {uid: folder[uid] for uid in uids if uid in folder}
        if "INTERNALDATE" in what:
            return {uid: {b"RFC822.SIZE": len(one.raw), b"INTERNALDATE": one.at} for uid, one in there.items()}
        most = what[0].partition("<0.")[2].rstrip(">")
        return {uid: {b"BODY[]": one.raw[: int(most)] if most else one.raw} for uid, one in there.items()}

    def has_capability(self, name: str) -> bool:
        """CAPABILITY."""
        return name in self._box.can

    def idle(self) -> None:
        """IDLE."""
        self._speak("IDLE")

    def idle_check(self, timeout: float) -> list[tuple[bytes | int, bytes]]:
        """What the server has announced meanwhile."""
        if self._box.behaviour == "refuses":
            return [(b"BYE", b"shutting down")]
        if not any(uid >= self._seen for uid in self._box.folders[self._name]):
            return []
        SimImap.world.count("IDLE pushes")
        return [(len(self._box.folders[self._name]), b"EXISTS")]

    def idle_done(self) -> None:
        """DONE."""
        self._speak("DONE")

    def move(self, uids: Sequence[int], folder: str) -> None:
        """MOVE."""
        SimImap.world.passes("mailbox before move")
        self._speak("MOVE")
        for uid in uids:
            self._box.keep(self._box.folders[self._name].pop(uid), folder)
        SimImap.world.passes("mailbox after move")

    def copy(self, uids: Sequence[int], folder: str) -> None:
        """COPY."""
        self._speak("COPY")
        for uid in uids:
            self._box.keep(replace(self._box.folders[self._name][uid]), folder)
        SimImap.world.passes("mailbox after copy")

    def add_flags(self, uids: Sequence[int], flags: Sequence[bytes], *, silent: bool) -> None:
        """STORE +FLAGS: a mail that is \\Deleted stays, but is not among those that are UNDELETED."""
        self._speak("STORE +FLAGS")
        for uid in uids:
            self._box.folders[self._name][uid].flags |= frozenset(flags)

    def uid_expunge(self, uids: Sequence[int]) -> None:
        """UID EXPUNGE: of these mails, those that are marked are gone."""
        self._speak("UID EXPUNGE")
        for uid in set(uids) - set(self._box.there(self._name)):
            self._box.folders[self._name].pop(uid, None)

    def shutdown(self) -> None:
        """The connection is dropped."""


# the relays


MODES = ("greylist", "unknown", "policy", "full", "hang", "lost", "down", "sender", "quota")
"""How a relay fails: 450; 550 5.1.1; 554 5.7.1; 452 4.2.2; no reply to the data; taken, but the reply is lost; no
connection; 550 to MAIL; 550 5.4.5."""

_SAID: dict[str, tuple[str, int, bytes]] = {
    "greylist": ("RCPT", 450, b"4.7.1 Greylisted, try again later"),
    "unknown": ("RCPT", 550, b"5.1.1 No such user here"),
    "full": ("RCPT", 452, b"4.2.2 Mailbox full"),
    "quota": ("RCPT", 550, b"5.4.5 Daily user sending quota exceeded"),
    "policy": ("DATA", 554, b"5.7.1 Message rejected for policy reasons"),
    "sender": ("MAIL", 550, b"5.7.1 Sender address rejected"),
}


class SimSmtp:
    """A connection to a relay, as smtplib's `SMTP`."""

    world: World
    """The world that all connections are in."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.sock = None
        if SimSmtp.world.relay_mode("") == "down":
            raise ConnectionRefusedError("connection refused")

    def ehlo(self) -> tuple[int, bytes]:
        """EHLO."""
        return 250, b"OK"

    def has_extn(self, name: str) -> bool:
        """What it offers."""
        return name in ("size", "8bitmime", "smtputf8")

    def _said(self, verb: str) -> tuple[int, bytes]:
        mode = SimSmtp.world.relay_mode(getattr(self, "_to", ""))
        at, code, words = _SAID.get(mode, ("", 250, b"OK"))
        if at == verb:
            SimSmtp.world.count(f"relay: {mode}")
            return code, words
        return 250, b"OK"

    def docmd(self, verb: str, words: str = "") -> tuple[int, bytes]:
        """MAIL or RCPT with an address in angle brackets; or DATA, which may begin."""
        SimSmtp.world.asks(f"SMTP {verb}")
        if verb == "data":
            return 354, b"Go ahead"
        address = words.partition("<")[2].partition(">")[0]
        if verb == "MAIL":
            self._from = address
        else:
            self._to = address
        return self._said(verb)

    def send(self, content: bytes) -> None:
        """The mail, and the dot that ends it."""
        self._content = re.sub(rb"(?m)^\.\.", b".", content.removesuffix(b".\r\n"))

    def getreply(self) -> tuple[int, bytes]:
        """The reply to the mail; when it is 250 the mail is somebody else's."""
        world, mode = SimSmtp.world, SimSmtp.world.relay_mode(self._to)
        said = self._said("DATA")
        if said[0] != 250:
            return said
        if mode == "hang":
            world.count("relay: hang")
            raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed: timed out")
        world.delivered(self._content, self._from, self._to)
        if mode == "lost":
            world.count("relay: lost")
            world.disturbed()
            raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")
        world.passes("relay after 250")
        return said

    def rset(self) -> tuple[int, bytes]:
        """RSET."""
        return (421, b"bye") if SimSmtp.world.relay_mode("") == "down" else (250, b"OK")

    def quit(self) -> None:
        """QUIT."""

    def close(self) -> None:
        """The connection is dropped."""
