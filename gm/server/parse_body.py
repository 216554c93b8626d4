"""A mail's words as lines of orders, commands and press, with the names of the game they are about."""

from __future__ import annotations

from gm.commands.registry import COMMANDS
from gm.games.snapshot import Table
from gm.parsing.aliases import names_given
from gm.parsing.message import CommandLine, ParsedMessage, parse_message


def read(text: str, table: Table | None) -> ParsedMessage:
    """The mail's lines. Names that it gives to places are known on all of them."""
    reader = COMMANDS.reader
    if table is None:
        return parse_message(text, None, None, reader)
    kind = table.position.phase.kind if table.position is not None else None
    parsed = parse_message(text, table.lexicon, kind, reader)
    words = [item.args["alias"] for item in parsed.items if isinstance(item, CommandLine) and item.args.get("alias")]
    also = names_given(words, table.lexicon_without_private_names)
    return parse_message(text, table.lexicon_of(table.speaker, also), kind, reader) if also else parsed
