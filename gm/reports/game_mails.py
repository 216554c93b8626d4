"""The mails of a game: opening, report, review, reminder and notice.

Frozen values, filled by the server and read by the templates. Times are aware UTC datetimes, shown in `Reader.zone`.
Positions and turns come as a `View` (what this reader may see of them), never as the game itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import ClassVar

from gm.orders import Order
from gm.orders.possible import legal_orders
from gm.position import PhaseKind
from gm.reports import full_moment, left, moment, phase_title
from gm.reports.blocks import Passage
from gm.reports.bulletins import Bulletin, Setup
from gm.reports.forms import has_duty, in_example
from gm.reports.headline import headline
from gm.reports.players import Players
from gm.reports.reader import (
    ASKS_ALL,
    Answers,
    Form,
    GameFacts,
    Offer,
    Reader,
    Task,
    asked_in_subject,
    due_sentence,
    form,
    in_phase,
    next_phase,
    offered,
    task,
)
from gm.reports.render import MailKind
from gm.reports.results import Group, own_first
from gm.reports.standing_orders import SAY_READY, StandingOrders
from gm.views import Section, View


@dataclass(frozen=True, slots=True)
class Map:
    """Where the map is in the HTML part: the id of an inline attachment, or SVG markup."""

    cid: str | None = None
    svg: str | None = None
    alt: str = ""
    light: bool = False
    """Whether dark readers are to see it less bright."""
    width: int = 640
    """In pixels, for programs that know no `max-width` (Outlook for Windows) and would show the whole picture."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What to do in a practice game: `steps` in words, orders that can be sent as they are, and a link that opens them
    as a mail.
    """

    steps: tuple[str, ...]
    example: tuple[str, ...]
    link: str = ""
    notation: Passage | None = None
    """How orders are written in this game, if it has any of its own."""


@dataclass(frozen=True)
class _OpensPhase(MailKind):
    """A mail with which a phase begins for its reader."""

    reader: Reader
    view: View
    deadline: datetime | None = field(default=None, kw_only=True)
    """When the phase of the view is adjudicated; None when the game is over or has no deadline."""
    early: str = field(default="no", kw_only=True)
    """When a phase is adjudicated before its deadline, as the game's option says: `ready`, `orders` or `no`."""
    map: Map | None = field(default=None, kw_only=True)
    lesson: Lesson | None = field(default=None, kw_only=True)
    """For the player of a practice game."""
    held: tuple[Order, ...] = field(default=(), kw_only=True)
    """The reader's orders that are in force already."""
    remarks: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    """What the gamemaster has written for everybody above this mail: a heading, and the text."""
    notices: tuple[str, ...] = field(default=(), kw_only=True)
    """Sentences below the task, such as that stored orders are in force."""
    players: Players = field(default=Players(), kw_only=True)
    """Whom the reader can write to."""


@dataclass(frozen=True)
class Opening(_OpensPhase):
    """A player's first mail: who plays which power, where the units are, what to send and by when."""

    template: ClassVar[str] = "player/opening"

    setup: Setup
    begins: bool = True
    """False for somebody who has taken a seat in a game under way."""
    names: Map | None = field(default=None, kw_only=True)
    """The map with the full names of places."""

    @property
    def subject(self) -> str:
        asked = asked_in_subject(self.setup.game, self.reader, self.view, self.deadline)
        what = f"the {self._thing} begins" if self.begins else "welcome"
        return in_phase(self.setup.game.name, self.view.position.phase.code, what, self._you, asked)

    @property
    def preview(self) -> str:
        return " ".join(filter(None, (self.greeting, self.task.sentence, self.task.due)))

    @property
    def _you(self) -> str:
        power = self.reader.power
        if power is None:
            return ""
        return f"you order for {power} as deputy" if self.reader.deputy else f"you are {power}"

    @property
    def greeting(self) -> str:
        """The greeting."""
        named = f"{self._thing} {self.setup.game.name} ({self.setup.game.variant})"
        you = f" {self._you[:1].upper()}{self._you[1:]}." if self._you else ""
        return f"The {named} begins.{you}" if self.begins else f"Welcome to the {named}, which is under way.{you}"

    @property
    def _thing(self) -> str:
        return "sandbox" if self.setup.game.as_seen_by is not None else "game"

    @cached_property
    def task(self) -> Task:
        """What the reader has to do."""
        return task(self.setup.game, self.reader, self.view, self.deadline, early=self.early, held=self.held)

    @property
    def how(self) -> str:
        """How the lines of the form are completed; "" where there is none, or the game has a form of its own."""
        view = self.view
        units = view.duty_of(self.reader.power).units
        usual = view.form is None and view.position.phase.kind is PhaseKind.MOVEMENT
        if not units or not usual or self.task.form is None:
            return ""
        legal = (order for unit in units for order in legal_orders(view.board, view.position, unit))
        how = "At the end is a form: write behind each dash where the unit goes, or H in its place to hold."
        return f"{how} {in_example(legal)}"


@dataclass(frozen=True)
class PhaseReport(_OpensPhase):
    """The results of a phase and what comes next. A gamemaster's or observer's `reader` has no power."""

    template: ClassVar[str] = "player/report"

    bulletin: Bulletin
    theatre: Map | None = field(default=None, kw_only=True)
    """The part of the map where the reader's units are, larger."""
    letters: tuple[tuple[str, str], ...] = ()
    """Postal press that comes with the report: sender and recipients, and the text."""
    replaces: str = ""
    """The sentence that says which report this one replaces, and why; it comes first."""

    @property
    def subject(self) -> str:
        bulletin = self.bulletin
        shown = not bulletin.empty or self.replaces
        what = f"{bulletin.turn.before.phase.code} results" if shown else ""
        what += " replaced" if self.replaces else ""
        if bulletin.over:
            return f"[{bulletin.game.name}] {what}: {bulletin.victory.partition(':')[0]}"
        asked = asked_in_subject(bulletin.game, self.reader, self.view, self.deadline)
        return in_phase(bulletin.game.name, self.view.position.phase.code, what, asked)

    @cached_property
    def task(self) -> Task | None:
        """What the reader has to do next; None when the game is over."""
        if self.bulletin.over:
            return None
        return task(self.bulletin.game, self.reader, self.view, self.deadline, early=self.early, held=self.held)

    @cached_property
    def headline(self) -> tuple[str, ...]:
        """The turn in a few sentences for its reader."""
        said = headline(self.bulletin, self.reader.power, self.view.given)
        return (self.replaces, *said) if self.replaces else said

    @property
    def preview(self) -> str:
        return " ".join(self.headline)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The results of all orders: the reader's own, what touched them, the others."""
        return own_first(self.bulletin.powers, self.view)


@dataclass(frozen=True)
class Review(MailKind):
    """Orders are closed; the reader sees those in `sections` and may change them until `deadline`."""

    template: ClassVar[str] = "player/review"

    game: GameFacts
    reader: Reader
    view: View
    sections: tuple[Section, ...]
    deadline: datetime

    @property
    def subject(self) -> str:
        until = moment(self.deadline, self.reader.zone)
        closed = in_phase(self.game.name, self.view.position.phase.code, "orders are closed", f"change them by {until}")
        return f"Re: {closed}"

    @property
    def sentence(self) -> str:
        """What the reader may do; `due` completes the sentence."""
        return (
            f"The orders for {next_phase(self.view.position.phase)} are closed. You can change those below; the "
            "others stay as they are. Send your changes by"
        )

    @property
    def due(self) -> str:
        """Until when the reader may do it."""
        return self.reader.until(self.deadline)

    @cached_property
    def form(self) -> Form | None:
        """The lines to reply with."""
        return form(self.game, self.reader, self.view)


@dataclass(frozen=True)
class Reminder(MailKind):
    """The deadline is near and the reader's orders are missing or incomplete. `now` is the time of writing.

    `standing` are the orders in force, without a deadline of their own.
    """

    template: ClassVar[str] = "player/reminder"

    reader: Reader
    standing: StandingOrders
    deadline: datetime
    now: datetime
    extensions: int = 0
    """How many deadlines the reader may still move."""
    late: str = ""
    """What follows from a deadline that has just passed without the reader's orders, as a sentence."""

    @property
    def spare(self) -> str:
        """What happens if nothing is sent, where that moves the deadline; otherwise ""."""
        if self.standing.orders or not self.extensions:
            return ""
        one = "your last extension" if self.extensions == 1 else f"one of your {self.extensions} extensions"
        return f"If you send nothing, {one} is used, and the deadline moves by a day. To use it now, reply EXTEND."

    @property
    def asks(self) -> str:
        """That READY is waited for in any case; otherwise ""."""
        return ASKS_ALL if self.standing.game.asks_all else ""

    @property
    def offers(self) -> tuple[Offer, ...]:
        """EXTEND, for somebody who has an extension to use; READY, where it is waited for in any case."""
        words: Answers = (("EXTEND", "use an extension now"),) if self.spare else ()
        words += (SAY_READY,) if self.asks else ()
        return offered(self.reader, words, f"[{self.standing.game.name}] {self.standing.phase}")

    @property
    def subject(self) -> str:
        game, phase = self.standing.game, self.standing.phase
        due = moment(self.deadline, self.reader.zone)
        asked = has_duty(self.standing.view, self.reader.power)
        state = "orders are incomplete" if self.standing.orders else "no orders yet" if asked else "READY is awaited"
        late = "your orders are late" if asked else state
        said = (late, f"new deadline {due}") if self.late else ("reminder", state, f"deadline {due}")
        return f"Re: {in_phase(game.name, phase, *said)}"

    @property
    def preview(self) -> str:
        return self.sentence

    @property
    def sentence(self) -> str:
        """How much time is left, and what is missing."""
        when = f"on {full_moment(self.deadline, self.reader.zone)}"
        when = f"{when}," if self.reader.heading else f"in {left(self.deadline - self.now)}, {when},"
        missing = f"no orders for {self.reader.power} have arrived."
        if self.standing.orders:
            missing = "your orders are incomplete."
        elif not has_duty(self.standing.view, self.reader.power):
            missing = f"you have not said READY for {self.reader.power}."
        elif not self.standing.awaited:
            missing = f"you have ordered nothing for {self.reader.power}, and need not."
        phase = self.standing.view.position.phase
        return f"{when[0].upper()}{when[1:]} {phase_title(phase)} ({phase.code}) is adjudicated, and {missing}"


@dataclass(frozen=True)
class Notice(MailKind):
    """News of a game that is not a result: a new deadline, a new player. `title` becomes part of the subject."""

    template: ClassVar[str] = "player/notice"

    reader: Reader
    title: str
    paragraphs: tuple[str, ...]
    game: GameFacts | None = None
    deadline: datetime | None = None
    sections: tuple[Section, ...] = ()
    """Further sections, at the end of a game that kept secrets."""
    answers: Answers = ()
    """Lines that the reader can send with one tap, and what each does."""
    table: tuple[tuple[str, str], ...] = ()
    """Facts by name, between the paragraphs and the offers: the terms of a game."""

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Those lines, with the links that open them as mails to be sent as they are."""
        return offered(self.reader, self.answers, self.subject)

    @property
    def subject(self) -> str:
        title = self.title[:1].upper() + self.title[1:]
        return f"[{self.game.name}] {title}" if self.game is not None else title

    @property
    def preview(self) -> str:
        return " ".join(self.paragraphs)

    @property
    def due(self) -> str:
        """The deadline, if there is one."""
        return due_sentence(self.game, self.reader, self.deadline) if self.game is not None else ""


@dataclass(frozen=True)
class Choice(Notice):
    """A notice with buttons that write to several addresses, each with its own link."""

    ways: tuple[Offer, ...] = ()

    @property
    def offers(self) -> tuple[Offer, ...]:
        return self.ways
