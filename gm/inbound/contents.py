"""What a mail says beside its lines: press as a whole, the commands and orders of it alone, and the game meant."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from gm.commands import COMMANDS
from gm.commands.context import Context
from gm.errors import NotUnderstood
from gm.games.identity import ServerIdentity
from gm.games.snapshot import Game
from gm.mail.message.incoming import Message, read_message
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, ParsedMessage, PressBlock
from gm.play import admission, conversations
from gm.reading.line import Lines, Reason, line_of, settle
from gm.store.game_rows import GameState
from gm.store.inbox import InboxRow


def message_of(row: InboxRow, identity: ServerIdentity) -> Message:
    """The message in a mail that arrived. Of an answer to a digest the text has the headings of the sections that its
    lines are written in.
    """
    message = read_message(row.raw, envelope_from=row.envelope_from, recipients=row.recipients)
    headed = message.headed and identity.answers_digest((row.address, *row.recipients))
    return replace(message, text=message.headed) if headed else message


def press_to(ctx: Context, written: str) -> tuple[str, ...]:
    """Whom mail to this address of the seat goes to; () if it is no press. Of anonymous press that is everybody."""
    if ctx.game is None or ctx.seat is None:
        return ()
    to = conversations.recipients(ctx.tx.identity, ctx.game, ctx.seat, written)
    return (conversations.EVERYBODY,) if conversations.GREY in to else to


def as_press(text: str, to: tuple[str, ...]) -> Lines:
    """The whole text, up to END, as one line of press; a mail without any has an error."""
    text = "\n".join(takewhile(lambda line: not _ends_mail(line), text.split("\n")))
    first = next((line for line in text.split("\n") if line.strip()), "")
    if not first:
        how = "Write above what you quote, and send it again."
        return (line_of(Complaint(1, "", NotUnderstood("Your reply has no text of its own.", how))),)
    whom = conversations.EVERYBODY if conversations.EVERYBODY in to else to
    return (line_of(PressBlock(1, first, whom, text.strip("\n"))),)


_LONGEST_END = 20
"""Characters of a line that ends what is read of a mail."""


def _ends_mail(line: str) -> bool:
    name = COMMANDS.reader.name_of(line) if 0 < len(line.strip()) <= _LONGEST_END else None
    return name is not None and COMMANDS[name].syntax.ends_mail


def stops_in(lines: Lines, *, none: bool) -> Lines:
    """The STOP commands of a mail: those that undo it (`none`), or the others."""
    return tuple(line for line in lines if line.fate is None and _is_stop(line.meaning, none=none))


def _is_stop(item: Item | None, *, none: bool) -> bool:
    return isinstance(item, CommandLine) and item.name == "stop" and (item.args["what"] == "none") is none


def orders_of(lines: Lines) -> Lines:
    """The lines of a mail; all but orders are beyond what is acted on."""
    return settle(lines, lambda line: not isinstance(line.meaning, OrderLine), Reason.PLAIN)


def likely_game(ctx: Context) -> Game | None:
    """The seat's game; for mail to the server's own address the sender's newest running game, or else the newest that
    is forming, so that orders are recognized and the answer can say where to send them, and when."""
    if ctx.game is not None:
        return ctx.game
    mine = ctx.tx.games_of(ctx.person, GameState.FORMING, GameState.RUNNING)
    return next((game for game in sorted(mine, key=lambda game: (game.running, game.id))[::-1] if game.playable), None)


def forming_game(ctx: Context, parsed: ParsedMessage) -> Game | None:
    """The game that a mail with these commands is about, `JOIN spring`, if it has not begun: orders are quoted."""
    names = (item.args.get("game") for item in parsed.items if isinstance(item, CommandLine))
    games = (ctx.tx.game_named(str(name)) for name in names if name)
    forming = (game for game in games if game is not None and game.state is GameState.FORMING)
    return next((game for game in forming if admission.may_know_of(ctx.tx, game, ctx.person, ctx.sender)), None)
