"""Replies to mails: the receipt and its parts, refusals, questions; and error reports for the operator.

Frozen values, filled by the server and the commands, and read by the templates.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import ClassVar

from gm.board import Power
from gm.reports import WIDTH, counted, filled, full_moment, listed
from gm.reports.blocks import Passage
from gm.reports.game_mails import Map
from gm.reports.reader import Answers, GameFacts, Offer, Reader, due_sentence, in_phase, mailto, next_phase, offered
from gm.reports.render import MailKind
from gm.reports.results import named, unit_count, winter
from gm.reports.standing_orders import StandingOrders
from gm.views import View

_SHOWN = WIDTH - 4
"""The longest line of a mail that is quoted in full."""


# What a receipt may carry: the answers to questions asked in the same mail


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """A line of STATUS. `orders` (their state in a word) and `turnout` are "" if the reader may not know them."""

    power: Power
    player: str
    orders: str = ""
    turnout: str = ""


@dataclass(frozen=True)
class StatusAnswer:
    """The state of a game. `view` is None while the game is forming. What the reader has ordered, the receipt says."""

    kind: ClassVar[str] = "status"

    game: GameFacts
    reader: Reader
    state: str
    """A sentence: `The game is running.`, `The game spring is forming: 3 of 7 powers are taken.`"""
    view: View | None = None
    over: bool = False
    announcements: tuple[tuple[str, str], ...] = ()
    """The newest announcements: who told everybody what."""
    deadline: datetime | None = None
    seats: tuple[SeatStatus, ...] = ()
    terms: tuple[tuple[str, str], ...] = ()

    @property
    def heading(self) -> str:
        """`Status of spring (Diplomacy)`."""
        return f"Status of {self.game.name} ({self.game.variant})"

    @property
    def phase(self) -> str:
        """The phase being played; "" before the game begins, and when it is over."""
        if self.view is None or self.over:
            return ""
        return f"Next to be adjudicated: {next_phase(self.view.position.phase)}."

    @property
    def due(self) -> str:
        """The deadline, if there is one."""
        return due_sentence(self.game, self.reader, self.deadline)

    @cached_property
    def table(self) -> tuple[tuple[str, ...], ...]:
        """A head, and a row for each power; empty columns are left out."""
        head = ("Power", "Centres", "Units", "Winter", "Orders", "Player", "Turnout")
        shown = named(self.view) if self.view is not None else {}
        rows = (
            (shown.get(one.power, one.power), *self._numbers(one.power), one.orders, one.player, one.turnout)
            for one in self.seats
        )
        return filled((head, *rows), headed=True) if self.seats else ()

    def _numbers(self, power: Power) -> tuple[str, str, str]:
        if self.view is None or power not in self.view.counted:
            return "", "", ""
        owned = len(self.view.position.centers_of(power))
        return f"{owned:2}", f"{unit_count(self.view, power):2}", winter(self.view, power)


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

    kind: ClassVar[str] = "list"

    reader: Reader
    games: tuple[GameLine, ...]
    more: tuple[Offer, ...] = ()
    """How to ask for others, or what to do without any."""
    has_room: bool = False
    """Whether only those were asked for that have room."""

    @property
    def none(self) -> str:
        """What is said where there are no such games."""
        return "None has a free seat now." if self.has_room else "There are none now."

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Each game and its state."""
        return tuple((game.name, self._facts(game)) for game in self.games)

    def _facts(self, game: GameLine) -> str:
        due = f", due {full_moment(game.deadline, self.reader.zone)}" if game.deadline is not None else ""
        phase = f", {game.phase}" if game.phase else ""
        return f"{game.variant}, {game.state}{phase}{due}"


@dataclass(frozen=True, slots=True)
class HelpListing:
    """The answer to HELP: subjects with their commands, or commands with one line each; first what the reader can do
    now.
    """

    kind: ClassVar[str] = "help"

    topics: tuple[tuple[str, str], ...]
    now: tuple[Offer, ...] = ()
    orders: tuple[tuple[str, str], ...] = ()
    """Examples of orders, with what each is."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """For people who play no game: how one plays by mail, the games to join, and what else they can write."""

    kind: ClassVar[str] = "welcome"

    games: tuple[Offer, ...]
    more: tuple[Offer, ...]


Part = StatusAnswer | GameList | HelpListing | Welcome | Passage
"""Further parts of a receipt: the answers to queries in the same mail."""


# The receipt


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A line that was not acted on. `column` (from 1) is an index into `text`; `number` is 0 if no particular line is
    meant.
    """

    number: int
    text: str
    problem: str
    remedy: str = ""
    column: int | None = None

    @property
    def where(self) -> str:
        """`Line 3`."""
        return f"Line {self.number}" if self.number else ""

    @property
    def shown(self) -> str:
        """The line, shortened if it is too long for one of our lines."""
        return self._pointed[0]

    @property
    def caret(self) -> str:
        """The line below it with a caret at the error; "" without a column."""
        return self._pointed[1]

    @property
    def marked(self) -> tuple[str, str, str]:
        """The line with the word at the error by itself, for a screen that may break the line; "" without a column."""
        shown, caret = self._pointed
        at = len(caret) - 1 if caret else len(shown)
        end = at + len(re.findall(r"\w+|.|$", shown[at:])[0])
        return shown[:at], shown[at:end], shown[end:]

    @property
    def _pointed(self) -> tuple[str, str]:
        text = self.text.rstrip()
        at = min(max(self.column or 1, 1) - 1, len(text))
        if len(text) > _SHOWN:  # there may be a refusal for each of a thousand orders on it
            start = max(0, min(at - _SHOWN // 2, len(text) - _SHOWN))
            before, after = "…" if start else "", "…" if start + _SHOWN < len(text) else ""
            text, at = before + text[start + len(before) : start + _SHOWN - len(after)] + after, at - start
        text = re.sub(r"\s", " ", text)
        return text, " " * at + "^" if self.column is not None else ""


@dataclass(frozen=True, slots=True)
class TalkLine:
    """A line that was not read as an order, quoted because it mentions the board; `reason`: why, and what to write."""

    number: int
    text: str
    reason: str = ""


def _once(subject: str) -> str:
    """A subject with one `Re:` of several at most: some programs add one to each answer."""
    while subject[:3].lower() == "re:" == subject[3:].lstrip()[:3].lower():
        subject = subject[3:].lstrip()
    return subject


@dataclass(frozen=True)
class Receipt(MailKind):
    """The single reply to a mail: everything that was understood, everything that was not, and where the seat stands.

    `answered` is the subject of the mail. `done`: a sentence for each command carried out, `waiting` for those that
    were not yet. `faults`: errors in the mail itself. `quoted`: lines of others that look like orders, and `doubtful`
    such that may be the reader's own; neither were acted on. `standing`: the orders in force, which the mail has
    `changed` or not; `stands` says it to a seat without orders.
    """

    template: ClassVar[str] = "player/receipt"

    reader: Reader
    answered: str = ""
    game: GameFacts | None = None
    standing: StandingOrders | None = None
    changed: bool = False
    stands: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    heading: str = ""
    """The one of these sentences that is a subject, if it is not the first."""
    made: tuple[str, ...] = ()
    """The names of the games that the mail has made."""
    waiting: tuple[str, ...] = ()
    apart: bool = False
    """Whether what waits is asked in a mail of its own, which is to be answered."""
    refused: tuple[RefusedLine, ...] = ()
    late: str = ""
    """The code of the phase for which orders came late and are kept: `lines_late` of those lines."""
    lines_late: int = 0
    talk: tuple[TalkLine, ...] = ()
    meant: bool = False
    """Whether more of it was not done, of which `answers` has all."""
    quoted: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    signed: str = ""
    """The name below them, which is not known as the reader's."""
    may_be_sent: str = ""
    """All of these that are orders or commands, as the text of a mail."""
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What is said beside all else, and is neither an error nor anything done."""
    beside: tuple[str, ...] = ()
    """What the sentences beside commands that were done may mean."""
    parts: tuple[Part, ...] = ()
    map: Map | None = None
    """The orders on the map, for those who want it."""
    answers: Answers = ()
    """Lines that the reader can send with one tap, and what each does."""
    next: Answers = ()
    """What else the reader can ask for at any time, below where they stand."""
    phase: str = ""
    """The code of the phase being played, for the subjects of what is sent so."""
    greets: bool = False
    """The mail asked for nothing in particular, so the answer says how one plays."""
    lost: bool = False
    """Nothing was made of the mail, and the parts of the answer only show the reader's games."""
    elsewhere: bool = False
    """Whether the mail has lines for other games, to whose seats it goes, too."""
    chats: bool = False
    """The mail has nothing but thanks or a greeting."""
    unfilled: str = ""
    """The first line of a form that is all that the mail has, and in which nothing was filled in."""
    together: bool = False
    """It answers all mails of the last minutes in one."""
    by: str = ""
    """The name of the deputy who wrote the mail; this is the player's copy."""

    @cached_property
    def orders(self) -> StandingOrders | None:
        """The orders in force, without the deadline if the mail says it above."""
        standing = self.standing
        if standing is None:
            return None
        due = any(isinstance(part, StatusAnswer) and part.deadline == standing.deadline for part in self.parts)
        return replace(standing, due_said=True) if due else standing

    @property
    def refusals(self) -> tuple[tuple[RefusedLine, ...], ...]:
        """The lines not acted on; neighbours with one reason together, so that it is said once."""
        alike = groupby(self.refused, lambda line: (line.problem, line.remedy) if line.number else line)
        return tuple(tuple(lines) for _, lines in alike)

    @property
    def subject(self) -> str:
        """At a seat, how it went and the state of the orders, in the conversation of the phase; otherwise how it went,
        or the subject of the mail that is answered where that is about no game, or press.
        """
        game = self.standing.game if self.standing is not None else self.game
        code = self.standing.phase if self.standing is not None else self.phase
        if game is not None and code and (self.standing is not None or self.stands or self.by):
            by = "your deputy: " if self.by else ""
            said = (self._outcome, self._state, self._not_acted_on)
            return "Re: " + in_phase(game.name, code, f"{by}{', '.join(filter(None, said))}")
        if len(self.made) > 1:
            names = f"{listed(self.made)} are ready"
            went = names if len(names) <= _SUBJECT else f"{len(self.made)} games are ready"
            return f"Re: {', '.join(filter(None, (went, self._not_acted_on)))}"
        given = _once(self.answered.strip())
        if game is not None and f"[{game.name}]" not in given:
            first = (self.heading or "".join(self.done[:1])).partition(". ")[0].removesuffix(".")
            went = first if 0 < len(first) <= _SUBJECT else self._outcome
            return f"Re: [{game.name}] {', '.join(filter(None, (went, self._not_acted_on))) or 'done'}"
        if given:
            return given if given.lower().startswith("re:") else f"Re: {given}"
        return "Your mail to the gamemaster"

    @property
    def _outcome(self) -> str:
        """What became of the mail, in a few words; "" where the state of the orders says it."""
        state = self.standing is not None
        outcomes = (
            (self.together, "your last mails"),
            (self.waiting and self.apart, "see what another mail asks"),
            (self.waiting, "your answer is needed"),
            (self.late, f"your orders for {self.late} came late and are kept"),
            (self.changed, ""),
            (self.by, "" if state else "has written"),
            (self.done or self._shows, "" if state else "done"),
            (self.refused, ""),
            (self.unfilled, "the form was empty"),
            (self._asks, "your answer is needed"),
            (self.faults, "nothing was done"),
            (self.doubtful, "your answer is needed"),
            (self.chats, "nothing was asked"),
        )
        return next((words for holds, words in outcomes if holds), "nothing understood")

    @property
    def _state(self) -> str:
        """How complete the orders are; how much is missing counts more than that nothing was sent."""
        if self.standing is None or (self.late and not self.changed):
            return ""
        return self.standing.state if self.changed else self.standing.lacking

    @property
    def _not_acted_on(self) -> str:
        number = len(self.refused) - self.lines_late
        return f"{_lines(number)} not acted on" if number else ""

    @property
    def preview(self) -> str:
        return " ".join((self.summary, *self.faults, *self.notes, *self.done, *self.waiting))

    @property
    def summary(self) -> str:
        """The outcome in a sentence or two, so that the first lines of the mail already say whether all is well."""
        state = f" {self.standing.phase}: {self.standing.state}." if self.standing is not None else ""
        more = self.changed or self.done or self._shows
        if self.by:
            copy = f"{self.by}, your deputy, has written for you; this is a copy of the answer."
            return f"{copy}{state} To change an order, send your own: the later one counts."
        if self.together:
            return f"{_TOGETHER}{state}"
        if self.refused:
            all_else = more and not (self.waiting or self._shown_back or self.faults or self.notes)
            rest = "; everything else was accepted" if all_else else ""
            return f"{_lines(len(self.refused))} could not be acted on, see below{rest}.{state}"
        if self.faults:
            return f"There is a problem with your mail, see below.{state}"
        if self.waiting:
            part = "Part of your mail" if more else "Nothing in your mail"
            return f"{part} was {'not ' if more else ''}done yet, see below.{state}"
        if self.greets:
            return "This program runs games of Diplomacy by mail. It found no command in yours; here is how it works."
        if more:
            all_of_it = not (self.notes or self._shown_back)
            what = "Your mail was understood" if all_of_it else "Part of your mail was understood, see below"
            return f"{what}.{state if self.changed else ''}"
        if self.unfilled:
            how = f"Complete its lines, such as '{self.unfilled}', and send it again; HELP ORDERS shows how."
            return f"The form in your mail is not filled in, so nothing was changed. {how}{state}"
        return f"{self._nothing}{state}"

    @property
    def _nothing(self) -> str:
        """What is said of a mail of which nothing was made."""
        if self._asks:
            return "Nothing in your mail was done yet: send one of the lines below, if it is what you mean."
        if self.doubtful:
            return "Nothing in your mail was done: its lines may be yours or somebody else's, see below."
        if self.chats:
            return "Your mail asks for nothing, so nothing was changed."
        if self.elsewhere:
            return "What is for your games is answered from each of them; the rest of your mail was not understood."
        return "Your mail contained no order or command, so nothing was changed. HELP shows what you can write."

    @property
    def _asks(self) -> bool:
        """Whether lines that may be orders were not acted on, and there is something to send instead."""
        return bool((self.talk or self.meant) and self.answers)

    @property
    def _shows(self) -> bool:
        """Whether it shows what was asked for."""
        return bool(self.parts) and not self.lost

    @property
    def _shown_back(self) -> bool:
        """Whether lines that may be orders were not acted on."""
        return bool(self.talk or self.meant or self.quoted or self.doubtful)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Those lines, with their links, without what is offered beside the orders."""
        beside = self.standing.offers if self.standing is not None else ()
        mine = (one for one in self.answers if one[0] not in {offer.words for offer in beside})
        return offered(self.reader, mine, self._about)

    @property
    def how_to_send(self) -> str:
        """What to do with lines that may be the reader's own, if they are."""
        return f"{'answer YES, or ' if self.may_be_sent else ''}send them again at the top of a mail"

    @property
    def link_in_doubt(self) -> str:
        """The link that sends what may be the reader's own; "" if there is none, or it is too long for a link."""
        first = self.may_be_sent.partition("\n")[0]
        link = mailto(self.reader, self._about or first, f"{self.may_be_sent}\n\n\n") if first else ""
        return link if "body=" in link else ""

    @property
    def next_offers(self) -> tuple[Offer, ...]:
        """What else can be asked for, with links."""
        return offered(self.reader, self.next, self._about)

    @property
    def _about(self) -> str:
        """The subject of what is sent with one tap; "" for that of its first line."""
        return f"[{self.game.name}] {self.phase}".strip() if self.game is not None else ""

    @property
    def talk_rows(self) -> tuple[tuple[str, str], ...]:
        """The lines that were not read as orders, each with the reason below it or, if the next has the same, below
        that.
        """
        rows = list[tuple[str, str]]()
        for reason, alike in groupby(self.talk, lambda line: line.reason):
            rows += ((f"Line {line.number}:", line.text) for line in alike)
            rows += (("", reason),) if reason else ()
        return tuple(rows)


_SUBJECT = 70
"""A first sentence of so many characters is a subject."""
_TOGETHER = (
    "You have sent many mails, so the last ones are answered in one. The orders in them count; what else was in them"
    " was not acted on."
)


def _lines(count: int) -> str:
    return counted(count, "line", digits=True)


# Other answers


@dataclass(frozen=True)
class _Failure(MailKind):
    """A mail about something that could not be done, and what to do about it."""

    reader: Reader
    problem: str
    remedy: str = ""
    game: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class Refusal(_Failure):
    """A mail that could not be processed at all: unknown seat, not permitted, unreadable."""

    template: ClassVar[str] = "player/refusal"

    answered: str = ""

    @property
    def subject(self) -> str:
        given = _once(self.answered.strip())
        return f"Re: {given.removeprefix('Re: ')}" if given else f"{_of(self.game)}Your mail could not be acted on"


def asked_subject(game: str, phase: str, title: str) -> str:
    """The subject of a question: of one about a phase (its code, or ""), in the conversation of that."""
    return f"Re: {in_phase(game, phase, title)}" if phase else f"{_of(game)}{title}"


@dataclass(frozen=True)
class Question(MailKind):
    """A request that waits for the reader's YES; the reply goes to `reader.reply_to`.

    `reasons` say what arrived and why it waits, `lines` are the lines of the mail in question, `answers` says what each
    reply does, and `until` is the latest time for a reply.
    """

    template: ClassVar[str] = "player/question"

    reader: Reader
    title: str
    reasons: tuple[str, ...]
    lines: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]
    until: datetime
    game: str = ""
    table: tuple[tuple[str, str], ...] = ()
    """Facts by name: the terms of a game."""
    phase: str = ""
    """The code of the phase being played, of a question to who holds a seat in it."""
    last: str = ""
    """A sentence below all others."""
    first: tuple[tuple[str, str], ...] = ()
    """What can be asked in a reply, before an answer, and what each shows."""

    @property
    def asks(self) -> tuple[Offer, ...]:
        """What can be asked first, with links."""
        return offered(self.reader, self.first, self.subject)

    @property
    def subject(self) -> str:
        return asked_subject(self.game, self.phase, self.title)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Each answer with what it does, and the link that opens it as a mail to be sent as it is."""
        return offered(self.reader, self.answers, self.subject)

    @property
    def otherwise(self) -> str:
        """What happens without an answer, and what the mail ends with."""
        return f"Without an answer by {full_moment(self.until, self.reader.zone)} nothing is done. {self.last}".strip()


@dataclass(frozen=True)
class Trouble(_Failure):
    """An error report for gamemasters and operator: something failed and was set aside. `detail` is shown unchanged."""

    template: ClassVar[str] = "gm/trouble"

    detail: str = ""

    @property
    def subject(self) -> str:
        return f"{_of(self.game)}Trouble: {self.problem}"[:100].rstrip()


def _of(game: str) -> str:
    return f"[{game}] " if game else ""
