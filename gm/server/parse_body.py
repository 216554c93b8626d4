"""A letter's words as lines of orders, commands and press, with the names of the game they are about."""

from __future__ import annotations

from typing import TypeGuard

from gm.games.snapshot import Table
from gm.parsing.message import CommandLine, Item, ParsedMessage, parse_message
from gm.parsing.private_names import names_given


def read(text: str, table: Table | None) -> ParsedMessage:
    """The letter's lines. Names that it gives to places are known on all of them."""
    if table is None:
        return parse_message(text, None, None)
    kind = table.position.phase.kind if table.position is not None else None
    parsed = parse_message(text, table.lexicon, kind)
    words = [item.command.args["words"] for item in parsed.items if _gives_a_name(item)]
    also = names_given(words, table.lexicon_without_private_names)
    return parse_message(text, table.lexicon_of(table.speaker, also), kind) if also else parsed


def _gives_a_name(item: Item) -> TypeGuard[CommandLine]:
    return isinstance(item, CommandLine) and item.command.name == "alias"
