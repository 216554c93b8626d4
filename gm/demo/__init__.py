"""The demonstration: correspondents who play a scripted game by real mail against a real server.

They know only what any player knows: an address to write to, and the mails that come back: the subject of a mail
says what is needed, its Reply-To where to reply, and the receipt whether an order was understood. A script is a TOML
file in `scripts`; its `orders` and `said` are by phase code and power. `clients` imitates mail programs.
"""

from __future__ import annotations

import email
import re
import smtplib
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.utils import parseaddr
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from gm.demo import clients
from gm.demo.clients import Client, Draft, OrderStyle
from gm.mail.transport.maildir_out import maildir_of
from gm.variants import all_variants

ANSWER_SECONDS = 60.0
"""How long to wait for any mail before the play fails."""

_ASKED = re.compile(r"\] ([SFW]\d+[A-Z]): .{0,120}reply with your ")
_RESULTS = re.compile(r"[\]:] (\w+) results")
_CLOSED = re.compile(r"\] (\w+): orders are closed")
_RECEIPT = re.compile(r"\] ([SFW]\d+[A-Z]):")
_REFUSED = re.compile(r"\d lines? (?:could not be|was not|were not)|not acted on")

_PEOPLE: tuple[tuple[str, Client, OrderStyle, str, str], ...] = (
    ("Anna Berger", clients.webmail, clients.full_names, "Hello,\n\nhere are my orders:", "Best,\nAnna"),
    ("Ben Carter", clients.office_program, clients.capitals, "Dear GM,", "Kind regards,\nBen Carter"),
    ("Claire Dubois", clients.flowed_above, clients.as_taught, "Bonjour !", ""),
    ("Dieter Engel", clients.phone, clients.dashes, "Guten Tag,", "Viele Grüße"),
    ("Elena Ferri", clients.flowed_below, clients.sentences, "", ""),
    ("Fyodor Gusev", clients.terminal, clients.small_letters, "", "f."),
    ("Gul Hikmet", clients.html_only, clients.arrows, "Merhaba,\nmy orders are", "Gul"),
    ("Xenia Young", clients.terminal, clients.as_taught, "", ""),
)
"""Name, mail client, order style, greeting and farewell."""


@dataclass(frozen=True, slots=True)
class Script:
    """A scripted game.

    `orders`: by phase code and power, in canonical notation; a power without orders in a phase sends nothing. `said`:
    what else a power writes in a phase, before its orders: press, commands, mistakes.
    """

    title: str
    variant: str
    orders: Mapping[str, Mapping[str, tuple[str, ...]]]
    said: Mapping[str, Mapping[str, str]]
    plain: bool = False
    """Whether everybody uses canonical notation, because the other styles support only the orders of the
    standard game."""
    options: str = ""
    """Options of CREATE apart from the variant."""
    altered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By phase: the reply to the mail that says that orders are closed, in a game with such mails."""
    beside: tuple[str, ...] = ()
    """Powers whose mails about the phases in `shown` are printed side by side at the end."""
    shown: tuple[str, ...] = ()
    rehearsal_seed: str = ""
    """The server's setting of that name, in a script that depends on random draws."""

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers that order anything, in alphabetical order."""
        return tuple(sorted({power for phase in self.orders.values() for power in phase}))

    @property
    def veiled(self) -> bool:
        """Whether no phase ends when all orders are in, since that would tell who has none to send (FW-4)."""
        return all_variants()[self.variant].veiled

    @property
    def reviewed(self) -> bool:
        """Whether orders are closed for review, so that the gamemaster ends each phase."""
        return bool(self.altered)

    def silent(self, code: str) -> bool:
        """Whether a power sends no orders in this phase, so that the gamemaster must end it."""
        return "absent" in self.said.get(code, {})


def load_script(name: str) -> Script:
    """The script with this name. Raises KeyError."""
    table = tomllib.loads(_scripts()[name].read_text(encoding="utf-8"))
    return Script(
        title=table["title"],
        variant=table.get("variant", "standard"),
        orders={
            code: {power: _lines(words) for power, words in phase.items()} for code, phase in table["orders"].items()
        },
        said=table.get("said", {}),
        plain=table.get("plain", False),
        options=table.get("options", ""),
        altered={code: _lines(words) for code, words in table.get("altered", {}).items()},
        beside=tuple(table.get("beside", ())),
        shown=tuple(table.get("shown", ())),
        rehearsal_seed=table.get("rehearsal_seed", ""),
    )


def _lines(words: str | list[str]) -> tuple[str, ...]:
    """The orders: separated by commas, or a list if orders contain commas."""
    return tuple(words.split(", ") if isinstance(words, str) else words)


def script_names() -> tuple[str, ...]:
    """The names of all scripts."""
    return tuple(sorted(_scripts()))


def _scripts() -> dict[str, Traversable]:
    """The scripts by name."""
    files = resources.files(__package__).joinpath("scripts").iterdir()
    return {entry.name.removesuffix(".toml"): entry for entry in files if entry.name.endswith(".toml")}


def _says(lines: Sequence[str]) -> str:
    return f"orders {', '.join(lines)}" if lines else "changes nothing"


def is_over(subject: str) -> bool:
    """Whether the report with this subject announces the end of the game."""
    return " has won" in subject or " is drawn" in subject


class PlayFailed(Exception):
    """The server did not reply as it should."""


@dataclass
class Correspondent:
    """A person with a mailbox."""

    name: str
    address: str
    client: Client = clients.terminal
    style: OrderStyle = clients.as_taught
    greeting: str = ""
    farewell: str = ""
    power: str = ""
    seat: str = ""
    """The reply address of the seat, once there is one."""
    latest: EmailMessage | None = None
    """The newest report received."""
    answered: set[str] = field(default_factory=set)
    """The phases for which orders were sent."""
    mails: list[EmailMessage] = field(default_factory=list)
    """All mails from the server that are not replies."""


def _correspondent(number: int, power: str, plain: bool) -> Correspondent:
    """Who plays the power of this number. Beyond eight, they write as the first do, and have others' last names."""
    again, place = divmod(number, len(_PEOPLE))
    name, client, style, greeting, farewell = _PEOPLE[place]
    first, last = name.split()[0], _PEOPLE[(place + again) % len(_PEOPLE)][0].split()[1]
    address = f"{first.lower()}{again or ''}@mail.example"
    style = clients.as_taught if plain else style
    return Correspondent(f"{first} {last}", address, client, style, greeting, farewell, power)


@dataclass
class Tally:
    """Counts for the line of progress about a phase."""

    ordered: int = 0
    receipts: int = 0
    refused: int = 0
    reports: int = 0


class Play:
    """One scripted game. `tell` is called with each line of progress."""

    def __init__(self, script: Script, mailroom: Mailroom, server: str, tell: Callable[[str], None]) -> None:
        self.script = script
        self._mailroom = mailroom
        self._server = server
        self._tell = tell
        self.master = Correspondent("Hana Ito", "hana@gm.example")
        self.people = [_correspondent(number, power, script.plain) for number, power in enumerate(script.powers)]
        self._tallies: dict[str, Tally] = {}
        self._closed_by_master: set[str] = set()
        self._altering: str | None = None
        self.written = 0
        """The mails that the gamemaster has sent."""
        self.questions = 0
        """How many of them were answered with a question."""

    def run(self, game: str) -> None:
        """Play from CREATE to the last report. Raises PlayFailed."""
        self._begin(game)
        finished: set[str] = set()
        phase = next(iter(self.script.orders))
        for person, mail in self._mails():
            subject = str(mail["Subject"])
            if mail["In-Reply-To"]:
                self._receipt(person, mail)
            else:
                person.mails.append(mail)
            if closed := _CLOSED.search(subject):
                self._alter(person, mail, closed[1])
            elif results := _RESULTS.search(subject):
                person.latest = mail
                self._report(results[1])
            asked = _ASKED.search(subject) if not mail["In-Reply-To"] else None
            if asked is not None:
                person.latest, phase = mail, asked[1]
                self._order(person, mail, phase)
            if not mail["In-Reply-To"] and self._is_last(subject):
                finished.add(person.address)
            if len(finished) == len(self.people):
                self._collect(self.master)
                return
            self._close_for_the_absent(phase)

    def _is_last(self, subject: str) -> bool:
        """Whether a report is the last: the game is over, or it has the results of the script's last phase."""
        results = _RESULTS.search(subject)
        return is_over(subject) or (results is not None and results[1] == list(self.script.orders)[-1])

    # ---- before the first phase

    def _begin(self, game: str) -> None:
        early = "" if self.script.reviewed else "early=orders"
        options = " ".join(f"variant={self.script.variant} reminder=1h {early} {self.script.options}".split())
        made = self.ask(self.master, self._server, f"CREATE {game} {options}")
        self.master.seat = reply_address(made)
        self._tell(f"{self.master.name} creates the game '{game}' and becomes its gamemaster.")
        for person in self.people:
            joined = self.ask(person, self._server, f"JOIN {game} AS {person.power}")
            person.seat = reply_address(joined)
            self._tell(f"{person.name} joins to play {person.power}.")
        self._collect(self.master)
        self.ask(self.master, self.master.seat, f"START {game}")
        self._tell("The game starts: powers are assigned and everybody receives the opening report.\n")

    def ask(self, person: Correspondent, to: str, words: str) -> EmailMessage:
        """Send a command and wait for the reply."""
        self._send(person, to, words, None)
        deadline = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < deadline:
            for mail in self._collect(person):
                if mail["In-Reply-To"]:
                    if _REFUSED.search(text_of(mail)):
                        raise PlayFailed(f"{words!r} was refused:\n{text_of(mail)}")
                    return mail
            time.sleep(0.01)
        raise PlayFailed(f"no answer to {words!r} within {ANSWER_SECONDS:.0f} seconds")

    def _collect(self, person: Correspondent) -> list[EmailMessage]:
        """The mails that have come since; the questions to the gamemaster are counted."""
        mails = self._mailroom.collect(person.address)
        self.questions += person is self.master and sum("answer is needed" in str(mail["Subject"]) for mail in mails)
        return mails

    # ---- during the game

    def _mails(self) -> Iterator[tuple[Correspondent, EmailMessage]]:
        """The mails to all players, as they arrive. Raises PlayFailed when none arrives in time."""
        last = time.monotonic()
        while True:
            for person in self.people:
                for mail in self._mailroom.collect(person.address):
                    last = time.monotonic()
                    yield person, mail
            if time.monotonic() - last > ANSWER_SECONDS:
                raise PlayFailed(f"no mail came for {ANSWER_SECONDS:.0f} seconds")
            time.sleep(0.01)

    def _order(self, person: Correspondent, mail: EmailMessage, phase: str) -> None:
        orders = self.script.orders.get(phase, {}).get(person.power)
        if orders is None or phase in person.answered:
            return
        person.answered.add(phase)
        self._tally(phase).ordered += 1
        said = self.script.said.get(phase, {}).get(person.power, "")
        lines = [person.greeting, *(person.style(order) for order in orders), said, person.farewell]
        self._send(person, reply_address(mail), "\n".join(line for line in lines if line), mail)

    def _alter(self, person: Correspondent, mail: EmailMessage, phase: str) -> None:
        """Change closed orders as this correspondent; then process the phase as the gamemaster."""
        lines = self.script.altered.get(phase, ())
        self._tell(f"        {phase}: orders are closed; {person.power} {_says(lines)}.")
        if lines:
            self._altering = phase
            self._send(person, reply_address(mail), "\n".join(map(person.style, lines)), mail)
        else:
            self._process(phase)

    def _process(self, phase: str) -> None:
        self._altering = None
        self._send(self.master, self.master.seat, f"PROCESS {phase}", None)

    def _receipt(self, person: Correspondent, mail: EmailMessage) -> None:
        about = _RECEIPT.search(str(mail["Subject"]))
        if about is None:
            return
        phase = about[1]
        if phase == self._altering and not _REFUSED.search(text_of(mail)):
            self._process(phase)
            return
        tally = self._tally(phase)
        if not _REFUSED.search(text_of(mail)):
            tally.receipts += 1
            return
        tally.refused += 1
        correction = self.script.said.get(phase, {}).get(f"{person.power} then")
        if correction is None:
            raise PlayFailed(f"{person.name}'s orders for {phase} were not understood:\n{text_of(mail)}")
        self._tell(f"        {person.name} gets a complaint about a line that was not understood, and corrects it.")
        self._send(person, reply_address(mail), correction, mail)

    def _report(self, phase: str) -> None:
        tally = self._tally(phase)
        tally.reports += 1
        if tally.reports == len(self.people):
            corrected = f", {tally.refused} corrected" if tally.refused else ""
            absent = ", one absent" if tally.ordered and self.script.silent(phase) else ""
            absent = f"{absent}, closed by the gamemaster" if phase in self._closed_by_master else ""
            count = f"{tally.ordered} {'people order' if tally.ordered != 1 else 'person orders'}"
            self._tell(f"{phase}  {count}{corrected}{absent}; results mailed to {tally.reports}.")

    def _close_for_the_absent(self, phase: str) -> None:
        """End the phase as the gamemaster, once all but the absent players have their receipts."""
        tally = self._tally(phase)
        expected = len(self.script.orders.get(phase, {}))
        waits = self.script.silent(phase) or ((self.script.reviewed or self.script.veiled) and expected)
        if waits and tally.receipts == expected and phase not in self._closed_by_master:
            self._closed_by_master.add(phase)
            if self.script.silent(phase):
                self._tell(f"        {self.script.said[phase]['absent']}")
            self._send(self.master, self.master.seat, f"PROCESS {phase}", None)

    def _tally(self, phase: str) -> Tally:
        return self._tallies.setdefault(phase, Tally())

    def _send(self, person: Correspondent, to: str, words: str, answered: EmailMessage | None) -> None:
        self.written += person is self.master
        subject = f"Re: {answered['Subject']}" if answered is not None else "Diplomacy"
        now = datetime.now(UTC)
        self._mailroom.post(person.client(Draft(person.name, person.address, to, subject, words, now, answered)))


# mail of the demonstration


@dataclass
class Mailroom:
    """Sends mail to the server's listener and reads the mail it delivered. `port` is on this machine."""

    port: int
    root: Path
    posted: int = 0
    opened: int = 0
    _connection: smtplib.SMTP | None = None

    def post(self, message: EmailMessage) -> None:
        """Send a mail by SMTP, over a connection that is kept open. Raises smtplib.SMTPException, OSError."""
        sender, recipient = parseaddr(str(message["From"]))[1], parseaddr(str(message["To"]))[1]
        if self._connection is None:
            self._connection = smtplib.SMTP("127.0.0.1", self.port, timeout=30)
        self._connection.sendmail(sender, [recipient], message.as_bytes())
        self.posted += 1

    def collect(self, address: str) -> list[EmailMessage]:
        """The mails to an address since the last call, oldest first, which are marked as read, as mail programs do."""
        box, mails = maildir_of(self.root, address), []
        fresh = (box / "new").iterdir() if (box / "new").is_dir() else ()
        for path in sorted(fresh, key=lambda path: (path.stat().st_mtime_ns, path.name)):
            mails.append(_read(path))
            path.rename(box / "cur" / f"{path.name}:2,S")
        self.opened += len(mails)
        return mails

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()


def _read(path: Path) -> EmailMessage:
    message = email.message_from_bytes(path.read_bytes(), policy=policy.default)
    if not isinstance(message, EmailMessage):
        raise TypeError(f"{path} is not a mail")
    return message


def text_of(message: EmailMessage) -> str:
    """The plain text of a mail."""
    body = message.get_body(("plain",))
    return str(body.get_content()) if body is not None else ""


def reply_address(message: EmailMessage) -> str:
    """The address for replies to this mail."""
    return parseaddr(str(message["Reply-To"] or message["From"]))[1]
