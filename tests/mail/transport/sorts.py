"""Mails of every kind, good and bad, each with its expected outcome; for the storm and for the fuzz target."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage

from gm.variants.standard import POWERS
from tests.mail.message.replies import OURS, PROGRAMS
from tests.server.bounces import report

HOLDS = {
    "Austria": "A VIE H",
    "England": "F LON H",
    "France": "A PAR H",
    "Germany": "A BER H",
    "Italy": "A ROM H",
    "Russia": "A MOS H",
    "Turkey": "A CON H",
}


@dataclass(frozen=True, slots=True)
class Sent:
    """One mail on its way. `sort` names what kind it is; its Message-ID, if it has one, is `message_id`."""

    sort: str
    sender: str
    to: str
    raw: bytes
    message_id: str


@dataclass(frozen=True, slots=True)
class Sort:
    """A kind of mail: how it is made, and its expected outcome.

    `taken`: the listener says 250. `answered`: its sender gets exactly one answer. `orders` and `press`: it adds one
    order set, one message of press.
    """

    make: Callable[[Post], Sent]
    taken: bool = True
    answered: bool = True
    orders: bool = False
    press: bool = False


class Post:
    """Makes mails: `seats` are the addresses of the powers' seats, `players` those of their holders."""

    def __init__(
        self,
        base: str,
        seats: dict[str, str],
        players: dict[str, str],
        chance: random.Random,
        received: dict[str, tuple[str, str]] | None = None,
    ) -> None:
        self.received = received or {}
        """Return path and Message-ID of a mail that each power's player has received."""
        self.base = base
        self.seats = seats
        self.players = players
        self.chance = chance
        self._number = 0

    def next(self, sort: str) -> Sent:
        """The next mail of a sort."""
        self._number += 1
        made = SORTS[sort].make(self)
        return Sent(sort, made.sender, made.to, made.raw, made.message_id)

    # ---- what the sorts are made of

    def power(self) -> str:
        return self.chance.choice(POWERS)

    def stranger(self) -> str:
        return f"stranger{self._number}@strangers.example"

    def sent(self, sender: str, to: str, body: str, *headers: str, envelope: str | None = None) -> Sent:
        message_id = f"<{self._number}.{self.chance.getrandbits(32)}@storm.example>"
        lines = [f"From: {sender}", f"To: {to}", f"Subject: mail {self._number}", f"Message-ID: {message_id}", *headers]
        raw = ("\r\n".join(lines) + "\r\n\r\n" + body.replace("\n", "\r\n") + "\r\n").encode("utf-8", "surrogateescape")
        return Sent("", envelope if envelope is not None else sender, to, raw, message_id)

    def at_seat(self, body: str, *headers: str) -> Sent:
        power = self.power()
        return self.sent(self.players[power], self.seats[power], body.replace("HOLD", HOLDS[power]), *headers)

    def from_stranger(self, body: str, *headers: str) -> Sent:
        return self.sent(self.stranger(), self.base, body, *headers)

    def reply(self) -> Sent:
        """Orders above a mail of ours, as some program quotes it."""
        program = self.chance.choice([one for one in PROGRAMS if not (one.html or one.joined)])
        quoted = "\n".join(f"{program.mark}{line}" for line in OURS)
        return self.at_seat(f"HOLD\n\n{program.intro}\n{quoted}", "Content-Type: text/plain; charset=utf-8")

    def bounce(self) -> Sent:
        """A report that one of our mails did not arrive, for a reason of any kind."""
        power = self.power()
        path, ours = self.received.get(power, (self.base, "<none@storm.example>"))
        status = self.chance.choice(("5.1.1", "5.2.2", "5.7.1", "4.4.1"))
        kept = self.sent("MAILER-DAEMON@players.example", path, "", envelope="")
        original = f"Message-ID: {ours}\n\nx\n".encode()
        raw = report(self.players[power], status, f"{status} {self._number}", original=original, to=path)
        raw = re.sub(rb"(?m)^Message-ID: .*$", f"Message-ID: {kept.message_id}".encode(), raw, count=1)
        return Sent("", "", path, raw.replace(b"\n", b"\r\n"), kept.message_id)

    def nested(self, depth: int) -> Sent:
        inner = "".join(f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n" for n in range(depth))
        return self.from_stranger(inner + f"--b{depth}\n\nHELP\n", "Content-Type: multipart/mixed; boundary=b0")

    def html(self) -> Sent:
        power = self.power()
        message = EmailMessage()
        message.set_content(f"<p>Hello,</p><div>{HOLDS[power]}</div><blockquote>A PAR-BUR</blockquote>", subtype="html")
        kept = self.sent(self.players[power], self.seats[power], "x")
        head = kept.raw.partition(b"\r\n\r\n")[0]
        body = message.as_bytes().replace(b"\n", b"\r\n")
        return Sent("", kept.sender, kept.to, head + b"\r\n" + body, kept.message_id)

    def noise(self) -> Sent:
        kept = self.from_stranger("", "Content-Type: text/plain; charset=utf-8")
        noise = self.chance.randbytes(3000).replace(b"\r", b"r").replace(b"\n", b"n").replace(b"\0", b"0")
        return Sent("", kept.sender, kept.to, kept.raw + noise + b"\r\n", kept.message_id)

    def without_message_id(self) -> Sent:
        kept = self.from_stranger("HELP")
        raw = b"\r\n".join(line for line in kept.raw.split(b"\r\n") if not line.startswith(b"Message-ID"))
        return Sent("", kept.sender, kept.to, raw, "")


def _parts(count: int) -> str:
    return "".join(f"--b\n\npart {n}\n" for n in range(count)) + "--b--\n"


_PGP = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n=abcd\n-----END PGP MESSAGE-----"

_NO_CHARSET = "Content-Type: text/plain; charset=x-no"

SORTS: dict[str, Sort] = {
    "orders": Sort(lambda post: post.at_seat("HOLD"), orders=True),
    "orders below talk": Sort(lambda post: post.at_seat("Hello,\n\nHOLD\n\nbest wishes"), orders=True),
    "orders in HTML": Sort(Post.html, orders=True),
    "orders that are quoted": Sort(lambda post: post.at_seat("> A PAR-BUR\n\nwhat was that?")),
    "a form of orders with one mistake": Sort(lambda post: post.at_seat("HOLD\nA XYZ-BUR"), orders=True),
    "a reply": Sort(Post.reply, orders=True),
    "bounce": Sort(Post.bounce, answered=False),
    "status": Sort(lambda post: post.at_seat("STATUS")),
    "press": Sort(lambda post: post.at_seat("PRESS TO GM\nhello\nENDPRESS"), press=True),
    "help": Sort(lambda post: post.from_stranger("HELP")),
    "register": Sort(lambda post: post.from_stranger("REGISTER Somebody New")),
    "nothing": Sort(lambda post: post.from_stranger("")),
    "noise": Sort(Post.noise),
    "no message-id": Sort(Post.without_message_id),
    "encrypted": Sort(lambda post: post.from_stranger(_PGP)),
    "nested": Sort(lambda post: post.nested(60)),
    "too many parts": Sort(lambda post: post.from_stranger(_parts(300), "Content-Type: multipart/mixed; boundary=b")),
    "a lying charset": Sort(
        lambda post: post.from_stranger("HELP\n\udcff\udcfe", "Content-Type: text/plain; charset=x-no")
    ),
    "a future date": Sort(lambda post: post.from_stranger("HELP", "Date: Fri, 31 Dec 9999 23:59:59 +0000")),
    "an injected header": Sort(
        lambda post: post.from_stranger("HELP", "Subject: =?utf-8?q?x=0D=0ABcc:_all@example.org?=")
    ),
    "absence notice": Sort(lambda post: post.at_seat("HOLD", "Auto-Submitted: auto-replied"), answered=False),
    "from a list": Sort(lambda post: post.from_stranger("HELP", "List-Id: <l.example>"), answered=False),
    "null return path": Sort(lambda post: post.sent(post.stranger(), post.base, "HELP", envelope=""), answered=False),
    "two senders": Sort(lambda post: post.from_stranger("HELP", "From: other@strangers.example"), answered=False),
    "somebody else's seat": Sort(
        lambda post: post.sent(post.stranger(), post.seats[post.power()], "A PAR-BUR"), answered=False
    ),
    "unknown recipient": Sort(
        lambda post: post.sent(post.stranger(), f"nobody@{post.base.partition('@')[2]}", "HELP"),
        taken=False,
        answered=False,
    ),
    "void seat": Sort(
        lambda post: post.sent(post.stranger(), post.base.replace("@", f"+spring.{'a' * 20}@"), "HELP"),
        taken=False,
        answered=False,
    ),
    "too large": Sort(lambda post: post.from_stranger("x" * 60 + "\n" * 1_100_000), taken=False, answered=False),
}
"""Every sort by its name."""

GOOD: Sequence[str] = (
    "orders",
    "orders below talk",
    "orders in HTML",
    "a reply",
    "status",
    "press",
    "help",
    "register",
)
