"""A mail's words as lines of orders, commands and press, with the names of the game they are about."""

from __future__ import annotations

from gm.commands.registry import COMMANDS
from gm.games.snapshot import Game, Seat
from gm.parsing.aliases import names_given
from gm.parsing.message import CommandLine, ParsedMessage, parse_message


def read(text: str, game: Game | None, seat: Seat | None = None) -> ParsedMessage:
    """The mail's lines, as the holder of the seat writes them. Names that it gives are known on all of them."""
    reader = COMMANDS.reader
    if game is None:
        return parse_message(text, None, None, reader)
    kind = game.position.phase.kind if game.position is not None else None
    parsed = parse_message(text, game.lexicon_of(seat), kind, reader)
    words = [item.args["alias"] for item in parsed.items if isinstance(item, CommandLine) and item.args.get("alias")]
    also = names_given(words, game.lexicon)
    return parse_message(text, game.lexicon_of(seat, also), kind, reader) if also else parsed
