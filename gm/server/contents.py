"""What the words of a mail say at a seat: orders, commands and texts, or press as a whole."""

from __future__ import annotations

from gm.board import Province
from gm.commands import COMMANDS
from gm.commands.context import Context
from gm.errors import NotUnderstood
from gm.games import conversations
from gm.games.snapshot import Game, Seat
from gm.parsing.message import CommandLine, Complaint, OrderLine, ParsedMessage, PressBlock, parse_message
from gm.parsing.orders import names_given
from gm.store.game_rows import GameState


def read(text: str, game: Game | None, seat: Seat | None = None) -> ParsedMessage:
    """The mail's lines, read with the names of the seat's game and the aliases that the mail itself defines."""
    reader = COMMANDS.reader
    if game is None:
        return parse_message(text, None, None, reader)
    now = game.position.phase if game.position is not None else None
    own = provinces_of(game, seat)
    parsed = parse_message(text, game.lexicon_of(seat), now, reader, own)
    words = [item.args["alias"] for item in parsed.items if isinstance(item, CommandLine) and item.args.get("alias")]
    also = names_given(words, game.lexicon)
    return parse_message(text, game.lexicon_of(seat, also), now, reader, own) if also else parsed


def provinces_of(game: Game, seat: Seat | None) -> frozenset[Province]:
    """The provinces in which the seat has something to order."""
    if game.phase is None or seat is None or seat.power is None:
        return frozenset()
    position, duty = game.phase.position, game.duties.get(seat.power)
    units = (*position.units_of(seat.power), *(duty.units if duty is not None else ()))
    return frozenset(game.phase.board.province(unit.at) for unit in units)


def press_to(ctx: Context, written: str) -> tuple[str, ...]:
    """Whom mail to this address of the seat goes to; () if it is no press. Of anonymous press that is everybody."""
    if ctx.game is None or ctx.seat is None:
        return ()
    to = conversations.recipients(ctx.tx.identity, ctx.game, ctx.seat, written)
    return (conversations.EVERYBODY,) if conversations.GREY in to else to


def as_press(text: str, to: tuple[str, ...]) -> ParsedMessage:
    """The whole text as press; a mail without any has an error."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first:
        how = "Write above what you quote, and send it again."
        return ParsedMessage((Complaint(1, "", NotUnderstood("Your reply has no text of its own.", how)),))
    whom = conversations.EVERYBODY if conversations.EVERYBODY in to else to
    return ParsedMessage((PressBlock(1, first, whom, text.strip("\n")),))


def stops_in(parsed: ParsedMessage, *, none: bool) -> ParsedMessage:
    """The STOP commands of a mail: those that undo it (`none`), or the others."""
    stops = (item for item in parsed.items if isinstance(item, CommandLine) and item.name == "stop")
    return ParsedMessage(tuple(item for item in stops if (item.args["what"] == "none") is none))


def orders_of(parsed: ParsedMessage) -> ParsedMessage:
    """The lines of orders of a mail."""
    return ParsedMessage(tuple(item for item in parsed.items if isinstance(item, OrderLine)))


def likely_game(ctx: Context) -> Game | None:
    """The seat's game; for mail to the server's own address the sender's newest running game, so that orders are
    recognized and the answer can say where to send them."""
    if ctx.game is not None:
        return ctx.game
    mine = ctx.tx.games_of(ctx.person, GameState.RUNNING) if ctx.person is not None else ()
    return next((game for game in reversed(mine) if game.playable), None)
