"""docs/sessions/: three games in mails, as their players write and read them; `python -m tests.server.sessions` writes
the pages.

Everything passes through the real server; its clock is set by hand. Links of mails are followed as they stand, and a
reply quotes the whole mail below it, as mail programs do.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from email.message import EmailMessage
from html import unescape
from pathlib import Path
from string import ascii_uppercase
from urllib.parse import parse_qs, unquote

from gm.reports import moment
from tests.server.world import BASE, OPENINGS, World, body_of, player, reply_to

FOLDER = Path(__file__).parent.parent.parent / "docs" / "sessions"
MASTER = "master@example.org"

_LONGEST, _KEPT = 42, 5
"""Of a section of a mail with more lines only the first ones are shown."""
_QUOTED = 3
_WRITING = timedelta(minutes=6)


@dataclass
class Session:
    """A page in the making: the names of those who write, and who of them is shown what comes."""

    path: Path
    title: str
    shown: str
    names: Mapping[str, str]
    headers: bool = False
    """Whether the mails show to which others they belong."""
    page: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    """The numbers of the mails on the page, by Message-ID."""
    roots: list[str] = field(default_factory=list)
    """The beginnings of threads, which were never sent."""
    passed: int = 0
    """How many mails to the one who is shown are on the page, or were passed over."""

    def __post_init__(self) -> None:
        self.world = World(self.path)
        self.page.append(f"# {self.title}\n")

    # what happens

    def says(self, words: str) -> None:
        """A paragraph between the mails."""
        self.page.append(f"{words}\n")

    def writes(self, who: str, to: str, subject: str, text: str, cites: EmailMessage | None = None) -> None:
        """Somebody writes a mail; what comes then follows."""
        self.world.time += _WRITING
        given = {"Subject": subject, "In-Reply-To": "", "References": ""}
        if cites is not None:
            given["In-Reply-To"] = str(cites["Message-ID"])
            given["References"] = f"{cites['References'] or ''} {cites['Message-ID']}".strip()
        number = f"<{len(self.numbers) + 1}.{self.world.time:%H%M}@{who.partition('@')[2]}>"
        self._show(f"{self.names[who]} writes", {"To": to, **given}, text, number)
        self.world.arrive(who, to, text, message_id=number, headers=given)
        self.world.work()
        self.arrives()

    def replies(self, who: str, mail: EmailMessage, text: str) -> None:
        """Somebody replies to a mail, which is quoted below their text."""
        given = str(mail["Subject"])
        subject = given if given.lower().startswith("re:") else f"Re: {given}"
        author = f"On {self.world.time:%a, %d %b %Y} at {self.world.time:%H:%M}, {mail['From']} wrote:"
        quoted = "\n".join(f"> {line}".rstrip() for line in body_of(mail).strip().splitlines())
        self.writes(who, reply_to(mail), subject, f"{text}\n\n{author}\n{quoted}\n", mail)

    def taps(self, who: str, mail: EmailMessage, words: str, write: Callable[[str], str] = str) -> None:
        """Somebody follows a link of a mail, and sends what it opens, perhaps completed."""
        address, subject, body = links(mail)[words]
        self.says(f"{self.names[who]} taps **{words}**{'' if write is str else ', completes'} and sends the mail:")
        self.writes(who, address, subject, write(body))

    def arrives(self) -> None:
        """Show what has come."""
        new = self.world.mailboxes.get(self.shown, [])[self.passed :]
        for mail in new:
            self._show(f"{self.names[self.shown]} gets", mail, body_of(mail), str(mail["Message-ID"]))
            self._beside(mail)
        self.passed += len(new)

    def waits(self, **length: float) -> None:
        """Time passes."""
        self.world.pass_time(**length)
        self.arrives()

    def passes_over(self) -> None:
        """What has come until now is not shown."""
        self.passed = len(self.world.mailboxes.get(self.shown, []))

    def elsewhere(self, power: str, *lines: str) -> None:
        """Another player writes; the mail is not shown."""
        self.world.arrive(player(power), reply_to(self.newest(player(power))), "\n".join(lines))
        self.world.work()

    def newest(self, who: str, subject: str = "results") -> EmailMessage:
        """Somebody's newest mail with these words in its subject; of reports the opening one, too."""
        words = (subject, "begins") if subject == "results" else (subject,)
        return next(
            mail for mail in reversed(self.world.mailboxes[who]) if any(word in str(mail["Subject"]) for word in words)
        )

    def threads(self) -> str:
        """The mails on the page to the one who is shown, as a mail program groups them."""
        mine = self.world.mailboxes[self.shown]
        rows = []
        for root in self.roots:
            thread = [mail for mail in mine if str(mail["References"]).split()[0] == root]
            known = (self.numbers.get(str(mail["Message-ID"])) for mail in thread)
            subject = next((str(mail["Subject"]) for mail in thread if str(mail["Subject"]).startswith("[")), "")
            if subject:
                named = ", ".join(str(number) for number in known if number)
                rows.append(f"| {ascii_uppercase[self.roots.index(root)]} | {subject.partition(':')[0]} | {named} |")
        return "\n".join(["| thread | first subject | mails |", "| --- | --- | --- |", *rows])

    # the page

    def _show(self, does: str, given: Mapping[str, str] | EmailMessage, text: str, number: str) -> None:
        self.numbers[number] = len(self.numbers) + 1
        names = ["To", "Subject"] if does.endswith("writes") else ["Subject"]
        lines = [f"{name}: {given[name]}" for name in names]
        if self.headers:
            lines += [f"{name}: {self._cited(str(given[name]))}" for name in ("References",) if given[name]]
        heading = f"{self.numbers[number]}. {does}, {moment(self.world.time, UTC)}"
        inner = shortened("\n".join(lines) + f"\n\n{text.strip()}")
        self.page.append(f"## {heading}\n\n```text\n{inner}\n```\n")

    def _cited(self, ids: str) -> str:
        return " ".join(f"<{self._named(one)}>" for one in ids.split())

    def _named(self, one: str) -> str:
        """A mail by its number, the beginning of a thread by a letter; by its reader if it is not on the page."""
        if one in self.numbers:
            return str(self.numbers[one])
        for who, mails in self.world.mailboxes.items():
            if any(one == mail["Message-ID"] for mail in mails):
                return f"to {self.names.get(who, 'somebody')}"
        if one not in self.roots:
            self.roots.append(one)
        return ascii_uppercase[self.roots.index(one)]

    def _beside(self, mail: EmailMessage) -> None:
        files = [str(part.get_filename()) for part in mail.walk() if part.get_filename()]
        said = [f"[picture: {name}]" if name.endswith("png") else f"[file: {name}]" for name in files]
        said += [f"**{words}**" for words in links(mail)]
        if said:
            self.says(" · ".join(said))


def links(mail: EmailMessage) -> dict[str, tuple[str, str, str]]:
    """The buttons of the HTML part by their words: address, subject and body of the mail that each opens."""
    html = mail.get_body(("html",))
    assert html is not None
    found = re.findall(r'<a href="mailto:([^"?]*)\?([^"]*)"[^>]*>([^<]*)</a>', html.get_content())
    opened = {}
    for address, query, words in found:
        fields = parse_qs(unescape(query))
        opened[unescape(words)] = (
            unquote(address),
            fields["subject"][0],
            fields.get("body", [""])[0].replace("\r\n", "\n"),
        )
    return opened


def shortened(text: str) -> str:
    """A mail without the secrets of this one, and with the beginnings of long lists."""
    text = re.sub(r"\.[a-z2-7]{20}@", ".SECRET@", text)
    text = re.sub(r"\b[0-9a-f]{16}(?: [0-9a-f]{16}){3}\b", "(64 digits)", text)
    text = re.sub(r"((?:^>.*\n?)+)", _quotation, text, flags=re.MULTILINE)
    parts = re.split(r"^(?=.+\n-{3,}$)", text.rstrip(), flags=re.MULTILINE)
    return "\n".join(map(_beginning, parts)).replace("\n\n\n", "\n\n").rstrip()


def _quotation(found: re.Match[str]) -> str:
    lines = found[1].splitlines()
    return "\n".join([*lines[:_QUOTED], f"> [... {len(lines) - _QUOTED} more lines of that mail]"])


def _beginning(section: str) -> str:
    lines = section.rstrip().splitlines()
    if len(lines) <= _LONGEST:
        return section.rstrip() + "\n"
    return "\n".join([*lines[:_KEPT], f"[... {len(lines) - _KEPT} more lines]", ""])


# the three games


def newcomer(path: Path) -> Session:
    """From the first mail to the first report."""
    ann = "ann@example.net"
    session = Session(path, "From the first mail to the first report", ann, {ann: "Ann"})
    session.world.send(MASTER, BASE, "CREATE autumn")
    session.says(
        "Ann knows nothing of this server but its address. Each mail is shown as text; below it are its files, and, in"
        " bold, the buttons of its HTML. Links, secret parts of addresses and long lists are shortened."
    )
    session.writes(ann, BASE, "Diplomacy", "I would like to play Diplomacy. How does this work?")
    session.taps(ann, session.newest(ann, "Diplomacy"), "JOIN autumn")
    session.says("Six others join, and the gamemaster starts the game.")
    for power in OPENINGS:
        if power != "France":
            session.world.send(player(power), BASE, f"JOIN autumn AS {power}")
    session.world.send(MASTER, reply_to(session.world.last(MASTER)), "START autumn")
    session.arrives()
    session.replies(ann, session.newest(ann), "A Par-Bur\nA Mar S A Par-Bur\nF Brest to Mid Atlantic")
    session.taps(ann, session.newest(ann, "complete"), "READY")
    session.says("The others order, and at the deadline the phase is adjudicated.")
    for power, orders in OPENINGS.items():
        if power != "France":
            session.elsewhere(power, orders)
    due = session.world.game("autumn").due_at
    assert due is not None
    session.waits(seconds=(due - session.world.time).total_seconds())
    return session


FRANCE = player("France")

TURNS = {
    "S1901M": OPENINGS,
    "F1901M": {
        "Austria": "A Vie-Tri\nA Ser-Gre\nF Alb S A Ser-Gre",
        "England": "F Nth C A Yor-Nwy\nA Yor-Nwy\nF Nwg-Bar",
        "Germany": "A Kie-Hol\nA Ruh-Bel\nF Den H",
        "Italy": "A Apu-Tun\nF Ion C A Apu-Tun\nA Ven H",
        "Russia": "A Ukr-Rum\nF Sev S A Ukr-Rum\nF Bot-Swe\nA War-Gal",
        "Turkey": "A Bul H\nA Con-Bul\nF Ank-Bla",
    },
    "W1901A": {
        "Austria": "Build A Vie",
        "England": "Build F Lon",
        "Germany": "Build F Kie\nBuild A Mun",
        "Italy": "Build F Nap",
        "Russia": "Build A War\nBuild A Mos",
        "Turkey": "Build F Smy",
    },
}
"""What the other powers order."""


def others_order(session: Session, phase: str) -> None:
    """The orders of the other powers, and READY."""
    for power, orders in TURNS[phase].items():
        if power != "France":
            session.elsewhere(power, orders, "READY")


def completed(*places: str) -> Callable[[str], str]:
    """Write these at the ends of the lines of a form, but not of its remarks."""

    def write(form: str) -> str:
        rest = iter(places)
        lines = form.strip().splitlines()
        return "\n".join(line if line.startswith("#") else line + next(rest) for line in lines)

    return write


def three_turns(path: Path) -> Session:
    """Three turns of one player, who only replies and taps."""
    session = Session(path, "Three turns by replies and buttons", FRANCE, {FRANCE: "France"})
    session.world.started(options="early=ready extensions=1")
    session.says(
        "France's player has joined a game and never writes a mail of their own: they reply, above the quoted mail, or"
        " tap a button (in bold below the mail that has it) and send what it opens. The first report is on"
        " [another page](newcomer.md)."
    )
    session.passes_over()
    session.says("## Spring 1901")
    session.taps(FRANCE, session.newest(FRANCE), "Write my orders", completed("Mao", "Spa", "Bur"))
    session.says("England needs more time, and says so.")
    session.elsewhere("England", "EXTEND 24h")
    session.arrives()
    session.taps(FRANCE, session.newest(FRANCE, "vote"), "EXTEND UNTIL 2026-11-28 09:00 UTC")
    session.taps(FRANCE, session.newest(FRANCE, "complete"), "READY")
    others_order(session, "S1901M")
    session.arrives()
    session.says("## Fall 1901")
    session.replies(FRANCE, session.newest(FRANCE), "A Spa-Por\nA Bur-Bel")
    session.says("France forgets the fleet; the reminder has it.")
    session.waits(days=2, hours=1)
    session.taps(FRANCE, session.newest(FRANCE, "reminder"), "Open these lines in a new mail", completed("Spa/sc"))
    session.taps(FRANCE, session.newest(FRANCE, "complete"), "READY")
    session.taps(FRANCE, session.newest(FRANCE, "Re:"), "WAIT")
    session.taps(FRANCE, session.newest(FRANCE, "Re:"), "READY")
    others_order(session, "F1901M")
    session.arrives()
    session.says("## Winter 1901")
    session.taps(FRANCE, session.newest(FRANCE), "Write my orders", completed(" F Bre", " A Par"))
    session.taps(FRANCE, session.newest(FRANCE, "complete"), "READY")
    others_order(session, "W1901A")
    session.arrives()
    return session


def negotiation(path: Path) -> Session:
    """Press, answered by replying to it."""
    england, germany = player("England"), player("Germany")
    names = {FRANCE: "France", england: "England", germany: "Germany"}
    session = Session(path, "A negotiation", FRANCE, names, headers=True)
    session.world.started(options="early=ready")
    session.says(
        "England, France and Germany negotiate in Spring 1901; the page shows what all three write, and what France"
        " gets. `References` names the mails by their numbers here, or by their reader if they are not here; a letter"
        " is the beginning of a thread, which was never sent. The first report is on [another page](newcomer.md)."
    )
    session.passes_over()
    session.replies(
        england,
        session.newest(england),
        "PRESS TO FRANCE\nDear France,\n\nthe Channel stays empty if you agree.\nBurgundy is yours.\nENDPRESS",
    )
    session.replies(
        FRANCE, session.newest(FRANCE, "England"), "Agreed. No fleet of mine goes to Eng this year.\nAnd Germany?"
    )
    session.replies(england, session.newest(england, "France"), "I ask them. You hear it from both of us.")
    session.replies(
        england,
        session.newest(england),
        "PRESS TO FRANCE, GERMANY\nShall we three leave each other alone, and go for Russia and Italy?\nENDPRESS",
    )
    session.taps(
        germany,
        session.newest(germany, "England"),
        "Answer England and France",
        lambda _: "Good. I take Denmark and Holland; Belgium is France's.",
    )
    session.replies(FRANCE, session.newest(FRANCE, "Germany"), "F Bre-Mao\nA Par-Bur\nA Mar-Spa")
    session.taps(FRANCE, session.newest(FRANCE, "Orders, or press"), "ORDERS")
    session.says("Nobody but France has seen these orders. This is how France's mail program groups the mails:")
    session.says(session.threads())
    return session


PAGES: Mapping[str, Callable[[Path], Session]] = {
    "newcomer": newcomer,
    "three-turns": three_turns,
    "negotiation": negotiation,
}


def written(name: str) -> str:
    """A page."""
    with tempfile.TemporaryDirectory() as path:
        session = PAGES[name](Path(path))
        session.world.database.dispose()
    return "\n".join((*session.page, "`python -m tests.server.sessions` writes this page, and a test compares it.\n"))


if __name__ == "__main__":
    for name in PAGES:
        page = FOLDER / f"{name}.md"
        page.write_text(written(name), encoding="utf-8")
        sys.stdout.write(f"{page}\n")
