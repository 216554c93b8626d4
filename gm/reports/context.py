"""The data of each kind of mail: frozen values, limited to what the reader may see.

Nothing here is looked up: no database, no clock. Times are aware UTC datetimes; mails write them in `Reader.zone`.
Positions and turns come as a `View`, what this reader may see of them, never as the game itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from types import MappingProxyType

from gm.board import Power
from gm.orders import Order
from gm.position import Phase
from gm.views import Section, View

MailtoLink = Callable[[str, str], str]
"""Makes a `mailto:` link to the reader's reply address from a subject and a body (lines ended by newlines)."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What every reader may know of a game. `players` names who plays a power, "" where that is hidden or vacant."""

    name: str
    variant: str
    """The variant's title: `Standard`."""
    players: Mapping[Power, str] = field(default_factory=lambda: MappingProxyType({}))
    adjectives: Mapping[Power, str] = field(default_factory=lambda: MappingProxyType({}))
    """`Austrian` for `Austria`; a power without one is written `Austria's`."""
    window: timedelta | None = None
    """How long after the deadline the results come, where that is not at once."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads the mail and how they reply. `power` is None for gamemasters, observers and strangers."""

    power: Power | None = None
    zone: tzinfo = UTC
    reply_to: str = ""
    """The address that replies go to: the seat's own, or the server's."""
    reply_above: str = ""
    """The line under which nothing is read (`gm.mail.message.reply.REPLY_ABOVE`); "" in mails that invite no answer."""
    mailto: MailtoLink | None = None
    master: bool = False
    """Whether the reader may manage the game, so that mails say how."""


@dataclass(frozen=True, slots=True)
class Map:
    """The picture of the board in the HTML part: an inline attachment's id, or SVG markup."""

    cid: str | None = None
    svg: str | None = None
    alt: str = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """The first mail of a game: who plays what, where all units are, what to send and by when."""

    game: GameFacts
    reader: Reader
    view: View
    deadline: datetime | None = None
    early: bool = False
    """A phase is adjudicated before its deadline once everybody's orders are complete and nobody waits."""
    terms: tuple[tuple[str, str], ...] = ()
    """The game's options as (name, value in words): press, deadlines, rulebook."""
    commitment: str = ""
    """The commitment to the seed of the game's random draws, hexadecimal."""
    map: Map | None = None


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """The results of a phase, `view.turn` (required here), and what comes next."""

    game: GameFacts
    reader: Reader
    view: View
    deadline: datetime | None = None
    """When `view.position` is adjudicated; None when the game is over or paused."""
    early: bool = False
    """A phase is adjudicated before its deadline once everybody's orders are complete and nobody waits."""
    notices: tuple[str, ...] = ()
    """Sentences for everybody, shown at the top: a deadline moved after an outage, a player replaced."""
    history: tuple[tuple[int, Mapping[Power, int]], ...] = ()
    """Centres of each power at the end of each year, for the summary after the last turn."""
    seed: str = ""
    """The seed of the game's random draws, revealed in the last report."""
    chronicle: tuple[Section, ...] = ()
    """What was secret until the end, in the last report."""
    letters: tuple[tuple[str, str], ...] = ()
    """Postal press that comes with the report: who writes to whom, and the text."""
    map: Map | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """The orders are closed; the reader sees those in `sections` and may change them until `deadline`."""

    game: GameFacts
    reader: Reader
    view: View
    sections: tuple[Section, ...]
    deadline: datetime


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A line that was not acted on. `column` (from 1) points into `text`; `number` 0 means no line in particular."""

    number: int
    text: str
    problem: str
    remedy: str = ""
    column: int | None = None


@dataclass(frozen=True, slots=True)
class TalkLine:
    """A line that was not read as an order, quoted because it mentions the board."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class HeldOrders:
    """The orders in force for the reader's power, and what `view.position` asks of it."""

    view: View
    orders: tuple[Order, ...]
    number: int = 0
    """Every set is numbered within its phase, from 1; 0 when none was sent."""
    replaces: int | None = None
    deadline: datetime | None = None
    warnings: tuple[str, ...] = ()
    """Sentences on orders that are legal but odd."""
    early: bool = False
    """The phase is adjudicated before its deadline once everybody's orders are complete and nobody waits."""
    wait: bool = False
    """The reader asked to wait for the deadline."""
    all_in: bool = False
    """Everybody's orders are complete and nobody waits, so the phase is adjudicated now."""


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """A line of STATUS. `orders` is the state of a power's orders in a word, or "" where the reader may not know."""

    power: Power
    player: str
    orders: str = ""


@dataclass(frozen=True, slots=True)
class StatusAnswer:
    """The state of a game. `view` is None while it is forming; `held` is None for readers who order nothing."""

    game: GameFacts
    reader: Reader
    state: str
    """A sentence: `The game is running.`, `The game is forming: 3 of 7 powers are taken.`"""
    view: View | None = None
    deadline: datetime | None = None
    seats: tuple[SeatStatus, ...] = ()
    held: HeldOrders | None = None
    terms: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in the answer to LIST."""

    name: str
    variant: str
    state: str
    phase: str = ""
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class GameList:
    """The answer to LIST."""

    reader: Reader
    games: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True)
class HelpListing:
    """The answer to HELP: the commands, each with one line."""

    reader: Reader
    topics: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HelpTopic:
    """The answer to HELP with a topic. `text` is written for 72 columns and shown unchanged."""

    reader: Reader
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """An answer in finished words: HISTORY, RULES, LOG. `text` is written for 72 columns and shown unchanged."""

    reader: Reader
    title: str
    text: str


Part = StatusAnswer | GameList | HelpListing | HelpTopic | Passage
"""What a receipt may carry besides: the answers to questions asked in the same mail."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The one answer to one mail: all that was understood, and all that was not.

    `subject` is that of the mail answered. `done`: a sentence for each command carried out. `faults`: what was wrong
    with the mail itself. `quoted`: lines in quoted text that look like orders and were not acted on.
    """

    reader: Reader
    subject: str = ""
    game: GameFacts | None = None
    held: HeldOrders | None = None
    done: tuple[str, ...] = ()
    refused: tuple[RefusedLine, ...] = ()
    talk: tuple[TalkLine, ...] = ()
    quoted: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A mail on which nothing at all could be done: no such seat, not permitted, unreadable."""

    reader: Reader
    problem: str
    remedy: str = ""
    subject: str = ""
    game: str = ""


@dataclass(frozen=True, slots=True)
class Reminder:
    """The deadline is near and the reader's orders are missing or incomplete. `now` is the time of writing."""

    game: GameFacts
    reader: Reader
    held: HeldOrders
    deadline: datetime
    now: datetime


@dataclass(frozen=True, slots=True)
class PressMail:
    """A message from one seat to others. `sender` and `to` as the reader may know them: powers, `GM`, `all`.

    `unsigned`: the sender is not named, so that nobody can write back to them alone.
    """

    game: GameFacts
    reader: Reader
    sender: str
    to: tuple[str, ...]
    body: str
    phase: Phase | None = None
    deadline: datetime | None = None
    unsigned: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """News of a game that is not a result: a deadline moved, a seat filled. `title` goes into the subject."""

    reader: Reader
    title: str
    paragraphs: tuple[str, ...]
    game: GameFacts | None = None
    deadline: datetime | None = None
    sections: tuple[Section, ...] = ()
    """Additional sections when a game that kept secrets is over."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """For gamemasters and operator: something failed here and was set aside. `detail` is shown unchanged."""

    reader: Reader
    problem: str
    remedy: str = ""
    detail: str = ""
    game: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that is done only when the reader confirms it; the answer goes to `reader.reply_to`.

    `reasons` say what came and why it waits, `lines` are the words of the mail in question, `answers` says what each
    answer does, and `until` when it is too late.
    """

    reader: Reader
    title: str
    reasons: tuple[str, ...]
    lines: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]
    until: datetime
    game: str = ""
