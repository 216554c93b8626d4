"""Other people's press that comes back in a mail: it cannot order its reader's units.

Mail clients wrap lines after they have quoted them, and what falls behind a line break loses its quote mark: a part of
somebody's press then reads like the sender's own order. So a line that stands in press which the mail answers is a
quotation, however it is wrapped. The order form in our mails is not press: it is there to be edited and sent back.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gm.commands.context import Context
from gm.commands.press import deferred_press, is_for
from gm.games.snapshot import Game, Seat
from gm.mail.message.incoming import Message
from gm.parsing.folding import shorten
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, ParsedMessage, PressBlock
from gm.store import outbox, records

_LINK = re.compile(r"<?\b(?:https?|mailto|ftp):\S*", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_NEWEST = 20
"""So many of a game's newest pieces of press may be answered by a mail that does not say what it answers."""
_SHOWN = 5


@dataclass
class Quotations:
    """The press that a mail answers; `found` are lines of it that stood among the sender's own."""

    press: Sequence[str] = ()
    found: list[str] = field(default_factory=list)

    def without(self, parsed: ParsedMessage) -> ParsedMessage:
        """What the sender wrote, without lines of others."""
        if not self.press:
            return parsed
        self.found.clear()
        return ParsedMessage(tuple(item for item in parsed.items if not self._is_quoted(item)))

    @property
    def said(self) -> tuple[str, ...]:
        """What the answer says of them."""
        if not self.found:
            return ()
        lines = "; ".join(repr(shorten(line.strip())) for line in self.found[:_SHOWN])
        more = f" and {len(self.found) - _SHOWN} more" if len(self.found) > _SHOWN else ""
        one = "This line stands" if len(self.found) == 1 else "These lines stand"
        return (
            f"{one} in press that you were sent, and nothing was done because of a quotation: {lines}{more}."
            " If you mean it yourself, send it in a new mail that is not a reply.",
        )

    def _is_quoted(self, item: Item) -> bool:
        match item:
            case PressBlock():
                written = f"{item.text}\n{item.body}"
            case CommandLine():
                written = "\n".join((item.text, *(text for _, text in item.below)))
            case OrderLine() | Complaint():
                written = item.text
            case _:
                return False
        words = _words(written)
        quoted = bool(words) and any(f" {words} " in text for text in self.press)
        if quoted:
            self.found.append(item.text)
        return quoted


def _words(text: str) -> str:
    """The words of a text, which no client changes when it wraps and quotes; without links, of which some add more."""
    plain = unicodedata.normalize("NFKC", _LINK.sub(" ", text))
    return " ".join(_WORD.findall(plain.casefold()))


def answered_by(ctx: Context, message: Message) -> Quotations:
    """The press to the seat that a mail to it answers: all that it cites, else the newest."""
    game, seat = ctx.game, ctx.seat
    if game is None or seat is None:
        return Quotations()
    host = ctx.tx.identity.host
    named = {*message.references, *filter(None, (message.in_reply_to,))}
    ours = [one for one in named if one.endswith(f"@{host}>")]
    if ours:
        texts = list(_cited(ctx, game, seat, outbox.purposes_of(ctx.tx.session, ours)))
    elif message.quoted or message.doubtful:
        rows = records.newest_press(ctx.tx.session, game.id, _NEWEST)
        texts = [row.body for row in rows if row.from_seat_id != seat.id and is_for(row.to, seat)]
    else:
        texts = []
    return Quotations(tuple(f" {_words(text)} " for text in texts))


def _cited(ctx: Context, game: Game, seat: Seat, purposes: Iterable[str]) -> Iterable[str]:
    for purpose in purposes:
        kind, number, *_ = *purpose.split(":"), "", ""
        if not number.isdecimal():
            continue
        if kind == "press":
            row = records.press_by_id(ctx.tx.session, int(number))
            if row is not None and row.game_id == game.id and row.from_seat_id != seat.id:
                yield row.body
        elif kind == "report":
            written = records.press_of(ctx.tx.session, game.id, int(number))
            yield from (text for _, text in deferred_press(written, game, seat))
