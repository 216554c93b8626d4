"""The mail with press from one seat to others: who wrote it to whom, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from gm.position import Phase
from gm.reports import listed
from gm.reports.reader import GameFacts, Reader, due_sentence, next_phase
from gm.reports.render import MailKind


@dataclass(frozen=True, slots=True)
class Correspondent:
    """Whom a text goes to, in words, that is sent to this address, with the link that `mailto` makes of a subject and a
    body.
    """

    name: str
    mailto: Callable[[str, str], str]
    address: str = ""


ANONYMOUS = "somebody"
"""The sender of press that is not signed."""


def conversation(game: str, others: Iterable[str]) -> str:
    """The subject of the signed press between a reader and these others, which are powers, `GM` or `ALL`."""
    names = ["the GM" if name == "GM" else name for name in others]
    return f"[{game}] " + ("Press to all" if "ALL" in names else f"Press with {listed(names)}")


@dataclass(frozen=True)
class PressMail(MailKind):
    """A message from one seat to others. `sender` and `to` are what the reader may know: powers, `GM`, `ALL`.

    `answers` are the ways to answer: a reply is sent to the first, the sender, who may be away (`by_deputy`).
    `colleague`: which of the gamemasters and their assistants wrote it, to another one; otherwise "".
    """

    template: ClassVar[str] = "player/press"

    game: GameFacts
    reader: Reader
    sender: str
    to: tuple[str, ...]
    text: str
    phase: Phase | None = None
    deadline: datetime | None = None
    answers: tuple[Correspondent, ...] = ()
    by_deputy: bool = False
    colleague: str = ""

    @property
    def writer(self) -> str:
        """Who wrote it, in words."""
        if self._within:
            return f"the player of {self.sender}" if self.reader.deputy else "your deputy"
        return self.colleague or (f"{self.sender} (by a deputy)" if self.by_deputy else self.sender)

    @property
    def subject(self) -> str:
        """The same in all mails of a conversation: some providers thread by it."""
        own = "GM" if self.reader.master or self.colleague else self.reader.power
        others = sorted({self.colleague or self.sender, *self.to} - {str(own), ANONYMOUS})
        if self._unsigned:
            to = " to all" if "ALL" in self.to else f" to you and {listed(others)}" if others else ""
            return f"[{self.game.name}] Grey press{to}"
        return conversation(self.game.name, [self.writer] if self._within else self.to if "ALL" in self.to else others)

    @property
    def _within(self) -> bool:
        """Whether it is between a player and their deputy."""
        return self.reader.power is not None and {self.sender, *self.to} == {str(self.reader.power)}

    @property
    def _unsigned(self) -> bool:
        """Whether the sender is not named."""
        return self.sender == ANONYMOUS

    @property
    def recipients(self) -> str:
        """The recipients, in words."""
        return "you" if self._within else listed(["all" if name == "ALL" else name for name in self.to])

    @property
    def body(self) -> str:
        """What the sender wrote."""
        return self.text.strip("\n")

    @property
    def when(self) -> str:
        """When the phase is due; "" if not known."""
        if self.phase is None or self.deadline is None:
            return ""
        if self.game.reviewed:
            return due_sentence(self.game, self.reader, self.deadline)
        return f"{next_phase(self.phase)} is due {self.reader.until(self.deadline)}."

    @property
    def how(self) -> str:
        """What a reply does."""
        if not self.answers:
            return ""
        if self.reader.heading:
            return self._how_in_digest
        if self._unsigned:
            return (
                "Its writer is not known, so a reply goes to nobody at once: you are asked whether to send it to all."
            )
        line, lines = ("a command", "commands") if self.reader.master else ("an order", "orders")
        return (
            f"Reply to this mail to answer {self.answers[0].name}. Your whole reply is sent, and no line of it is"
            f" {line}; your {lines} go to {self.reader.reply_to}."
        )

    @property
    def _how_in_digest(self) -> str:
        """How to answer press that came among other mails, to which a reply is no press."""
        to = "ALL" if self._unsigned else self.sender
        below = f"{self.reader.heading}, PRESS TO {to}, your text and ENDPRESS, each on a line of its own"
        return (
            f"To answer, use the button, or write to {self.answers[0].address}, as a reply does if this mail came by"
            " itself: your whole mail is sent, and no line of it is an order. In a digest of your games, reply with"
            f" {below}."
        )

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """What each link does that opens an answer as a new mail, and the link."""
        if self.reader.mailto is None:
            return ()
        return tuple((f"Answer {one.name}", one.mailto(self.subject, "")) for one in self._named)

    @property
    def elsewhere(self) -> tuple[tuple[str, str], ...]:
        """What each address does to which a reply does not go, and the address."""
        return tuple((f"Answer {one.name}", one.address) for one in self._named[1:])

    @property
    def _named(self) -> list[Correspondent]:
        """Those who can be answered by name."""
        return [one for one in self.answers if one.name != ANONYMOUS]
