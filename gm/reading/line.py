"""A line of a mail, and what becomes of it.

A line begins without a fate: nothing stands in the way of acting on it. Whoever finds out what becomes of it settles it
with a reason, of which each belongs to one kind of fate. What a mail did, the questions that it causes, what holds
READY back and the receipt are read off the fates of its lines; nothing else holds lines.

| kind | a line |
| --- | --- |
| ACT | that was acted on, here or at another seat to which the mail goes as well |
| ASK | about which its sender is asked |
| REFUSE | that was meant for gm and is not acted on, with the error that says why |
| QUOTE | that is not acted on, and shown back: somebody else's words, or words that may be meant |
| TALK | that asks for nothing |
| OURS | of a mail of ours |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeAlias

from gm.errors import GmError
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, Talk


class Origin(Enum):
    """Whose words a line is."""

    OWN = "the sender's"
    PRESS = "of press that the sender was sent"
    OURS = "of a mail of ours"
    WITHIN = "between lines of a mail of ours, and not in it"
    QUOTED = "quoted"
    DOUBTFUL = "the sender's or another's: below a signature, a quotation, or words that may be another's"
    BELOW_END = "below END"
    APART = "only in the part of the mail that was not read"
    LOST = "struck out, or not decodable"
    ATTACHED = "the name of a file"


class Kind(Enum):
    """What becomes of a line."""

    ACT = "acted on"
    ASK = "asked about"
    REFUSE = "refused"
    QUOTE = "shown back"
    TALK = "talk"
    OURS = "ours"


class Reason(Enum):
    """Why a line has its fate: the kind, and the code by which an operator and the golden files name it."""

    DONE = Kind.ACT, "done"
    ELSEWHERE = Kind.ACT, "elsewhere"
    """For a game to whose seat the mail goes as well."""
    ASKED_BEFORE = Kind.ACT, "same"
    """The same question is above."""
    NO_ANSWER = Kind.ACT, "no-answer"
    """A question about something that there is not."""
    ANSWERED = Kind.ACT, "question"
    """A question in the sender's own words."""

    CONFIRM = Kind.ASK, "confirm"
    WHICH_PHASE = Kind.ASK, "which-phase"
    WHICH_GAME = Kind.ASK, "which-game"
    PRESS_OR_ORDERS = Kind.ASK, "press-or-orders"
    OFFERED = Kind.ASK, "which-question"
    """A wish in the sender's own words, or a question that may be one of several: lines are offered for it."""
    UPPER_BLOCK = Kind.ASK, "upper-block"
    LOWER_BLOCK = Kind.ASK, "lower-block"
    """In the upper or the lower of two blocks that order one unit differently: only one can be the sender's."""
    WHO = Kind.ASK, "quarantined"
    """Its sender is asked whether they wrote it."""

    NOT_UNDERSTOOD = Kind.REFUSE, "not-understood"
    NOT_DONE = Kind.REFUSE, "not-done"
    ILLEGAL = Kind.REFUSE, "illegal"
    """Refused by the command, in its own words."""
    TOO_LATE = Kind.REFUSE, "too-late"
    """For a phase that is over, or has not begun."""
    BELOW_UNDONE = Kind.REFUSE, "below-undone"
    """Below a choice of game that was not made."""
    TAKEN_BACK = Kind.REFUSE, "taken-back"
    """A command of which the words below it say that it is not meant, or not so."""
    BEYOND = Kind.REFUSE, "limit"
    OTHER_GAME = Kind.REFUSE, "other-game"
    """Below the name of a game to which the mail does not go."""

    PRESS = Kind.QUOTE, "quoted-press"
    WITHIN = Kind.QUOTE, "changed-in-quotation"
    QUOTED = Kind.QUOTE, "quoted-order"
    DOUBTFUL = Kind.QUOTE, "in-doubt"
    """Offered, to be sent with one tap."""
    BELOW_END = Kind.QUOTE, "below-end"
    APART = Kind.QUOTE, "apart"
    LOST = Kind.QUOTE, "undecodable"
    """Struck out, or not decodable."""
    ATTACHED = Kind.QUOTE, "attachment"
    MENTIONS = Kind.QUOTE, "like-an-order"
    UNFILLED = Kind.QUOTE, "unfilled-form"

    QUOTED_PROSE = Kind.TALK, "quoted-prose"
    """Among other words in a quotation: a player may sign all mails so."""
    QUOTED_TALK = Kind.TALK, "quoted"
    ENDED_TALK = Kind.TALK, "below-end"
    PASSED = Kind.TALK, "passed-over"
    """About the game, in words that say nothing to the program: its sender is told that nothing was done."""
    GREETING = Kind.TALK, "greeting"
    """A greeting or the sender's name, around something that is asked for."""
    PLAIN = Kind.TALK, "plain"
    OURS = Kind.OURS, "our-lines"

    @property
    def kind(self) -> Kind:
        """What becomes of lines for this reason."""
        return self.value[0]

    @property
    def code(self) -> str:
        """The reason in a word."""
        return self.value[1]


HOLDS = (Kind.ASK, Kind.REFUSE, Kind.QUOTE)
"""What holds back READY: its sender may mean more than was done."""


_ELSEWHERE = (Reason.ELSEWHERE, Reason.OTHER_GAME, Reason.WHICH_GAME)
_LIKE_ASKING = (Reason.PRESS, Reason.WITHIN, Reason.OTHER_GAME, Reason.WHICH_GAME)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a line, and why; `error` says it to the sender."""

    reason: Reason
    error: GmError | None = None

    @property
    def kind(self) -> Kind:
        """What became of it."""
        return self.reason.kind


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a mail, or the part of it that has one meaning, with the lines that belong to it (`written`).

    `number` counts the sender's own lines from 1; it is 0 for others. `game` is the name, in small letters, of the game
    below whose heading it stands; "" for that of the mail. Without a `fate` nothing stands in its way.
    """

    number: int
    text: str
    origin: Origin = Origin.OWN
    meaning: Item | None = None
    game: str = ""
    fate: Fate | None = None

    @property
    def error(self) -> GmError | None:
        """Why it is not acted on, if that is an error."""
        return self.fate.error if self.fate is not None else None

    @property
    def written(self) -> tuple[tuple[int, str], ...]:
        """The line and, if it is a command, those of orders or options below it, each with its number."""
        return (self.number, self.text), *(self.meaning.below if isinstance(self.meaning, CommandLine) else ())

    @property
    def texts(self) -> tuple[str, ...]:
        """Those lines without their numbers."""
        return tuple(text for _, text in self.written)

    @property
    def is_heading(self) -> bool:
        """Whether it names the game of what is below it."""
        return isinstance(self.meaning, CommandLine) and self.meaning.name == "game"

    @property
    def is_talk(self) -> bool:
        """Whether it is in the sender's own words, and no order or command, nor meant as one."""
        return self.origin is Origin.OWN and isinstance(self.meaning, Talk) and not self.meaning.blank

    @property
    def asks(self) -> bool:
        """Whether its sender wants something by it here, understood or not."""
        here = self.origin is Origin.OWN and not self.is_for(*_ELSEWHERE)
        return here and self.meaning is not None and not isinstance(self.meaning, Talk)

    @property
    def counts(self) -> bool:
        """Whether it asks for something, or looks so and is another's or for another game: its mail is not idle."""
        return self.asks or (not self.is_heading and self.is_for(*_LIKE_ASKING))

    @property
    def holds(self) -> bool:
        """Whether it holds back READY."""
        return self.fate is not None and self.fate.kind in HOLDS

    def is_for(self, *reasons: Reason) -> bool:
        """Whether it has its fate for one of these reasons."""
        return self.fate is not None and self.fate.reason in reasons


Lines: TypeAlias = tuple[Line, ...]


def settled(line: Line, reason: Reason, error: GmError | None = None) -> Line:
    """The line with its fate. All fates are made here."""
    return replace(line, fate=Fate(reason, error))


def said_so(line: Line, text: str) -> Line:
    """The line, which is talk, with these words: of several the part that is looked at, or as it is meant."""
    talk = line.meaning
    return replace(line, text=text, meaning=replace(talk, text=text) if isinstance(talk, Talk) else talk)


def settled_text(text: str, origin: Origin, reason: Reason) -> Line:
    """A line that is not among the sender's own, with its fate."""
    return Line(0, text, origin, fate=Fate(reason))


def settle(lines: Iterable[Line], which: Callable[[Line], Any], reason: Reason, error: GmError | None = None) -> Lines:
    """The lines; those open ones that `which` holds of with this fate."""
    return tuple(settled(line, reason, error) if line.fate is None and which(line) else line for line in lines)


def reopened(lines: Iterable[Line], *reasons: Reason) -> Lines:
    """The lines; those with a fate for one of these reasons, about which their sender has answered, without one."""
    return tuple(replace(line, fate=None) if line.is_for(*reasons) else line for line in lines)


def asked_about(lines: Iterable[Line], reason: Reason) -> Lines:
    """The lines of a mail about which its sender is asked as a whole."""
    return tuple(settled(line, reason) if line.origin is Origin.OWN else line for line in lines)


def line_of(item: Item) -> Line:
    """A line of the sender's own; what it means settles the fate of all but what can be acted on."""
    line = Line(item.line, item.text, meaning=item)
    match item:
        case Complaint():
            return settled(line, Reason.NOT_UNDERSTOOD, item.error)
        case Talk(unfilled=True):
            return settled(line, Reason.UNFILLED)
        case Talk(mentions_board=True):
            return settled(line, Reason.MENTIONS)
        case Talk():
            return settled(line, Reason.PLAIN)
    return line


def asks_anything(lines: Iterable[Line]) -> bool:
    """Whether any of these lines asks for something."""
    return any(line.counts for line in lines)


def for_reasons(lines: Iterable[Line], *reasons: Reason) -> Lines:
    """Those of these lines that have their fates for one of these reasons."""
    return tuple(line for line in lines if line.fate is not None and line.fate.reason in reasons)


def has_unread(lines: Iterable[Line]) -> bool:
    """Whether there are lines of the sender's own of which nothing was made: rooms that ask what they mean look at no
    other mail.
    """
    return any(line.origin is Origin.OWN and line.is_for(*_UNREAD) for line in lines)


_UNREAD = (Reason.PLAIN, Reason.PASSED, Reason.MENTIONS, Reason.NOT_UNDERSTOOD, Reason.NOT_DONE, Reason.OFFERED)


def ordering(lines: Iterable[Line]) -> tuple[OrderLine, ...]:
    """The orders among these lines."""
    return tuple(line.meaning for line in lines if isinstance(line.meaning, OrderLine))


def commands(lines: Iterable[Line]) -> tuple[CommandLine, ...]:
    """The commands among these lines."""
    return tuple(line.meaning for line in lines if isinstance(line.meaning, CommandLine))
