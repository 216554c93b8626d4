"""One mail for several games of its sender: each gets the lines below its own name, `GAME spring`, as if these had come
to the sender's seat there.
"""

from __future__ import annotations

from collections.abc import Iterable

from gm.commands import COMMANDS
from gm.commands.context import Context
from gm.errors import NotNow
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.inbound.facts import playable_games, reached
from gm.mail.message.incoming import Message
from gm.parsing.message import CommandLine, Item, PressBlock, Talk
from gm.reading.line import Lines
from gm.store import senders
from gm.store.game_rows import SeatRole
from gm.store.inbox import InboxRow


def seats_by_game(ctx: Context, person: Person) -> dict[str, tuple[Game, Seat]]:
    """The person's seat in each of their games, by its name; if they have several, the one that they play."""
    return {game.name.lower(): (game, _seat_in(game, person)) for game in playable_games(ctx)}


def _seat_in(game: Game, person: Person) -> Seat:
    return min(game.seats_of(person), key=lambda seat: seat.role is not SeatRole.PLAYER)


def give(
    tx: Transaction, row: InboxRow, game: Game, seat: Seat, *digest: str, secret: bool, confirmed: bool = False
) -> None:
    """Have the mail acted on at a seat; as an answer to a `digest`, only what is below the name of its game."""
    address = tx.identity.stored_address_of(game, seat)
    tx.handed_on = tx.handed_on or not confirmed
    senders.hand_on(tx.session, row, address, (*digest, address), secret=secret, confirmed=confirmed)


def too_long(row: InboxRow, message: Message, games: int) -> NotNow | None:
    """Why a mail is not handed on to so many games: each reads all of it, and all together may read no more than the
    longest mail has.
    """
    size = max(len(row.raw) // _RAW, len(message.text) + sum(map(len, message.quoted)))
    if games < _SEVERAL or size * games <= _MOST_READ:
        return None
    problem = f"Your mail is for {games} games and has {size:,} characters, which each of them would read."
    how = f"Send it again without what it quotes, or in parts for at most {max(_MOST_READ // size, 1)} of the games."
    return NotNow(f"{problem} It is too long for that, and nothing was done.", how)


_SEVERAL = 2
_MOST_READ = 1_000_000
_RAW = 4
"""Bytes of a mail that cost what a character of its text does: files and pictures are hardly looked at."""


def hand_on(ctx: Context, row: InboxRow, lines: Lines, *, confirmed: bool = False) -> None:
    """Have those lines of a mail that are below the names of other games acted on at the sender's seats there, as if
    they answered a digest; but for those to which the mail goes by itself. One that does is handed on already. What its
    sender has `confirmed` is asked about at none of them.
    """
    person, mail = ctx.person, ctx.mail
    names = dict.fromkeys(line.game for line in lines)
    if not names or person is None or mail is None or (ctx.by_name and ctx.seat is not None):
        return
    digest = ctx.tx.identity.digest_address(person.id, ctx.now.date())
    there = reached(ctx, mail.message)
    games = filter(None, map(ctx.tx.game_named, (name for name in names if name not in there)))
    for game in games:
        name = game.name.lower()
        to = seat_for(game, _seat_in(game, person), [line.meaning for line in lines if line.game == name])
        came_to = row.address or ctx.tx.identity.address
        give(ctx.tx, row, game, to, digest, came_to, secret=mail.secret, confirmed=confirmed)


def seat_for(game: Game, seat: Seat, items: Iterable[Item | None]) -> Seat:
    """The seat of this one's holder to which lines below the name of their game go: the gamemaster's, if they have it
    and each of the lines fits it; at the other the gamemaster's commands are done as such.
    """
    chair = next((one for one in game.moderators if seat.person is not None and one.is_of(seat.person)), None)
    return chair if chair is not None and all(map(_fits_chair, items)) else seat


def _fits_chair(item: Item | None) -> bool:
    """Whether a line is a gamemaster's command or words to all, a heading, or talk that names no unit."""
    match item:
        case CommandLine(name=name) | PressBlock(kind=name):
            return name == "game" or COMMANDS[name].of_chair
    return isinstance(item, Talk) and not item.mentions_board
