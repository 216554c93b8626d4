"""PRESS WITH: the press that a seat has sent and received, by partner and year."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Sentences, Syntax, Who
from gm.commands.press import signature
from gm.errors import NotUnderstood
from gm.games.limits import Spent
from gm.games.snapshot import Game, Seat
from gm.parsing.several_lines import recipients_named
from gm.play import conversations
from gm.play.ending import is_remark
from gm.reports import full_moment, listed, quote
from gm.store import game_rows, records
from gm.store.game_rows import SeatRole
from gm.store.records import PressRow

_LASTING = (conversations.EVERYBODY, conversations.GM)
"""The partners that are no power."""
_MOST = 100
"""The most messages in one answer; players ask for more by partner and year."""
_LONGEST = 200_000
"""The most characters of them."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message as the seat knows it: how it is signed, and the code of the phase in which it was sent, or ""."""

    row: PressRow
    sender: str
    writer: str
    """The same without its deputy."""
    phase: str
    own: bool
    """It was sent for the power of the seat: by its holder or by a deputy."""
    by_reader: bool

    @property
    def _others(self) -> Sequence[str]:
        """Who has written it to the seat, or to whom it is from the seat. Who had a power before the game began may
        have another now, and whether they have is not told.
        """
        others = self.row.to if self.own else (self.writer,)
        return others if self.row.phase_id is not None else [one for one in others if one in _LASTING]

    def is_with(self, partner: str | None) -> bool:
        """Whether it is from the seat to this partner, or the other way round; None for everybody."""
        return partner is None or partner in self._others or conversations.EVERYBODY in self._others

    @property
    def partners(self) -> Sequence[str]:
        """In whose conversation with the seat it is: that of each other one, or that of everybody."""
        return (conversations.EVERYBODY,) if conversations.EVERYBODY in self.row.to else self._others

    @property
    def heading(self) -> str:
        """Who wrote it to whom."""
        to = listed("all" if name == conversations.EVERYBODY else name for name in self.row.to)
        to += ", with the report" if "postal" in self.row.manners else ""
        return f"From {'you' if self.by_reader else self.sender} to {to}"


def act_press_with(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show the press between the sender's seat and a partner, or everybody, of a year or of all."""
    (game, seat), session = ctx.seated(), ctx.tx.session
    partner, year = _meant(game, str(args["who"]))
    found = [
        message
        for message in known_to(game, seat, records.press_of(session, game.id), game_rows.phase_codes(session, game.id))
        if message.is_with(partner) and (year is None or _year(game, message.phase) == year)
    ]
    of = f"with {partner or 'everybody'}{f' in {year}' if year is not None else ''}"
    if not found:
        rest = "" if (partner, year) == (None, None) else " PRESS WITH ALL shows all your press."
        ctx.say(f"You have no press {of}.{rest}")
        return
    shown, length = list[str](), 0
    for message in reversed(found):
        length += len(message.row.body)
        if len(shown) == _MOST or (shown and length > _LONGEST):
            break
        shown.append(_text(ctx, game, message))
    if len(shown) < len(found):
        ctx.say(f"Only the last {len(shown)} of {len(found)} messages are shown. Name a power and a year for others.")
    ctx.show(f"Your press {of} in {game.name}", "\n\n".join(reversed(shown)))


def _meant(game: Game, words: str) -> tuple[str | None, int | None]:
    """The partner, None for everybody, and the year, None for all, that are named. Raises NotUnderstood."""
    *names, last = words.split()
    year = int(last) if last.isdecimal() and len(last) <= 5 else None
    name = " ".join(names if year is not None else [*names, last]).strip()
    meant = recipients_named(name.lower(), game.lexicon) if name else (conversations.EVERYBODY,)
    if len(meant) != 1:
        raise NotUnderstood(f"'{name}' is nobody to have press with.", "Name a power, GM or ALL: PRESS WITH ALL 1902.")
    return None if meant == (conversations.EVERYBODY,) else meant[0], year


def known_to(game: Game, seat: Seat, rows: Iterable[PressRow], phases: Mapping[int, tuple[str, bool]]) -> list[Message]:
    """What of this press the holder of this seat has sent or received at it, in the same order. `phases`: the code of
    each phase by id, and whether it was adjudicated.
    """
    seats = {one.id: one for one in game.seats}
    found = []
    for row in rows:
        opening = "", row.phase_id is None and game.phase is not None and is_remark(row, game)
        sender, (phase, published) = seats.get(row.from_seat_id), phases.get(row.phase_id or 0, opening)
        if sender is None or (seat.joined_at is not None and row.sent_at < seat.joined_at):
            continue  # the press of whoever held the seat before is theirs
        own = game.principal(sender).id == game.principal(seat).id
        if not own and not row.went_to(seat.id):
            continue
        if not own and not published and "postal" in row.manners:
            continue
        found.append(
            Message(row, _signed(row, sender), _signed(row, game.principal(sender)), phase, own, sender.id == seat.id)
        )
    return found


def _signed(row: PressRow, sender: Seat) -> str:
    """As it was signed: before the game there were no powers."""
    if "grey" not in row.manners and row.phase_id is None and sender.role is SeatRole.PLAYER:
        return "a player"
    return signature(sender, row.manners)


def _year(game: Game, code: str) -> int | None:
    return game.variant.language.kinds.phase_from_code(code).year if code else None


def _text(ctx: Context, game: Game, message: Message) -> str:
    at = full_moment(message.row.sent_at, ctx.tx.identity.zone_of(ctx.person, game))
    code = f"{message.phase}, " if message.phase else ""
    return f"{message.heading} ({code}{at})\n\n{quote(message.row.body)}"


PRESS_WITH = Command(
    "presswith",
    Syntax(
        "PRESS WITH who:WORDS",
        ("PRESS WITH Germany 1902", "PRESS WITH Germany", "PRESS WITH ALL 1902", "PRESS WITH GM"),
        asks=True,
        sentences=Sentences.RARE,
    ),
    Policy(Who.SEATED, by_deputies=True, cost=5, spends=(Spent.BYTES,)),
    act_press_with,
    Help(
        "read your press again, by power and year",
        """
        Shows what you and this power have written to each other and to all,
        in one year or in all; ALL means with everybody. Unsigned press, and
        what players wrote before the game began, has no particular partner.
        You see only what was sent since the seat is yours.
        """,
    ),
)
