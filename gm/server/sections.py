"""The sections of a mail to several games: which of its lines are below which heading, `GAME spring`.

Below the heading of another game nothing is for a seat. Of a mail to several seats of one person each game is given the
lines below its own name, and those above all names; of an answer to a digest only the former.

In an answer to a digest the name of a game alone on a line is a heading, too. Any other line that may be meant as one
closes the section above it: what is below it is for no game, and its sender is asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TypeAlias

from gm.commands.context import Context
from gm.games.loading import seats_at
from gm.games.snapshot import Game
from gm.mail.message.addresses import token_hash
from gm.mail.message.incoming import Message
from gm.parsing.command_lines import CommandReader
from gm.parsing.lexicon import shorten
from gm.parsing.message import (
    CommandLine,
    Complaint,
    Item,
    OrderLine,
    ParsedMessage,
    PressBlock,
    Talk,
    parse_message,
)
from gm.position import STANDARD_KINDS
from gm.server.contents import answers_digest
from gm.server.identification import SeatAddress, destination_at
from gm.store.game_rows import GameState

Section: TypeAlias = str | None
"""The game of a section, in lower case; None below a line that may be meant as a heading, and is not understood."""

ABOVE = ""
"""What is above all headings."""
_MARKS = " \t\u00a0*_#=~|:;,.!\"'`()[]{}<>-"
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_MOST_WORDS = 5
"""A longer line that names a game is a sentence."""
_MOST_NAMED = 3
_SHOWN = 5


def is_heading(item: Item) -> bool:
    return isinstance(item, CommandLine) and item.name == "game"


def lines_of(item: Item) -> tuple[tuple[int, str], ...]:
    """The line of an item and, if it is a command, those of the orders below it, each with its number."""
    return (item.line, item.text), *(item.below if isinstance(item, CommandLine) else ())


def listed(lines: Sequence[str]) -> str:
    """These lines, quoted, and how many more there are."""
    shown = "; ".join(repr(shorten(line.strip())) for line in lines[:_SHOWN])
    return f"{shown} and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else shown


def playable_games(ctx: Context) -> tuple[Game, ...]:
    """The sender's games that are not over."""
    games = ctx.tx.games_of(ctx.person, GameState.FORMING, GameState.RUNNING) if ctx.person is not None else ()
    return tuple(game for game in games if game.playable)


def sections(items: Iterable[Item], names: Collection[str]) -> list[tuple[Section, Item]]:
    """The items of an answer to a digest, each with the section that it is in; `names` are the sender's games."""
    here: Section = ABOVE
    found = list[tuple[Section, Item]]()
    owned: CommandLine | None = None  # the command of the section that lines of orders below it still belong to
    for item, owner in sorted(_apart(items), key=lambda pair: pair[0].line):
        before, here = here, _opened(item, names, here)
        owned = None if here != before else owned
        at = next((at for at, (_, one) in enumerate(found) if one is owned), None) if owner else None
        if at is not None and owned is not None:
            owned = replace(owned, below=(*owned.below, (item.line, item.text)))
            found[at] = here, owned
            continue
        named = isinstance(item, Talk) and _plain(item.text) == here
        kept = CommandLine(item.line, item.text, "game", {"game": here}) if named else item
        found.append((here, kept))
        if isinstance(kept, CommandLine) and not owner:
            owned = kept
    return found


def by_section(text: str, found: Iterable[tuple[Section, Item]]) -> list[tuple[Section, tuple[str, ...]]]:
    """The written lines of such an answer by the sections of its items, headings included, in the order written."""
    lines, begun = text.split("\n"), list[tuple[Section, int]]([(ABOVE, 1)])
    for section, item in found:
        if section != begun[-1][0]:
            begun.append((section, item.line))
    ends = [*(first for _, first in begun[1:]), len(lines) + 1]
    spans = ((section, lines[first - 1 : end - 1]) for (section, first), end in zip(begun, ends, strict=True))
    return [(section, tuple(line for line in span if line.strip())) for section, span in spans]


def asking(
    lines: Sequence[str], games: Iterable[Game | None], reader: CommandReader, *, talk: bool = True
) -> tuple[str, ...]:
    """Those of these lines that are more than talk in one of these games; with `talk`, or that may be meant so."""
    found = dict[str, None]()
    for game in games:
        lexicon, phase = (game.lexicon, game.written_for) if game is not None else (None, None)
        items = parse_message("\n".join(lines), lexicon, phase, reader).items
        said = (item for item in items if not isinstance(item, Talk) or (talk and item.mentions_board))
        found |= {text.strip(): None for item in said for _, text in lines_of(item)}
    return tuple(found)


def _apart(items: Iterable[Item]) -> Iterator[tuple[Item, bool]]:
    """The items with the lines of orders below a command as items of their own, and whether they are such."""
    for item in items:
        if isinstance(item, CommandLine) and item.below:
            yield replace(item, below=()), False
            yield from ((Talk(number, text, mentions_board=True), True) for number, text in item.below)
        else:
            yield item, False


def _opened(item: Item, names: Collection[str], here: Section) -> Section:
    """The section that a line opens, or `here` if it is no heading."""
    if isinstance(item, CommandLine) and is_heading(item):
        name = str(item.args["game"]).lower()
        return name if name in names else _plain(name)
    if isinstance(item, CommandLine | PressBlock):
        return here
    plain = _plain(item.text)
    alone = isinstance(item, Talk) and plain in names and not item.text[0].isspace()  # press in a digest is indented
    if alone and plain not in STANDARD_KINDS.seasons_by_word:
        return plain
    return None if _may_be_heading(item, plain.split(), names, here) else here


def _plain(text: str) -> str:
    """A name as it is written, without marks around it and with plain hyphens."""
    return _DASHES.sub("-", text).strip(_MARKS).lower()


def _may_be_heading(
    item: OrderLine | Complaint | Talk, words: Sequence[str], names: Collection[str], here: Section
) -> bool:
    """Whether a line begins like GAME, misspelt or not, or like the name of a game other than the section's, or names
    one and ends with a colon.
    """
    named = {word.strip(_MARKS) for word in words} & {*names}
    first = words[0].strip(_MARKS) if words else ""
    like_game = bool(get_close_matches(first, ("game", "games"), cutoff=0.75))
    if like_game and not isinstance(item, Talk):
        return True
    if not words or (named and named == {here}) or any(re.fullmatch(r"\d{4}\W*", word) for word in words):
        return False
    match item:
        case Complaint():
            return first in names
        case OrderLine():
            return first in names and words[0].endswith(":")
    announces = item.text.rstrip(" *_").endswith(":")
    return bool(named) and len(words) <= _MOST_WORDS and (like_game or first in names or announces)


@dataclass
class Headings:
    """Which lines of a mail to a seat are for other games. `astray` has those for games that the mail does not go to,
    by the name in their heading; `only_elsewhere` is whether all are for games that it goes to as well. `unplaced` has
    those of an answer to a digest that are for no game: their sender was asked about them.
    """

    ctx: Context
    message: Message
    astray: dict[str, list[str]] = field(default_factory=dict)
    only_elsewhere: bool = False
    unplaced: tuple[str, ...] = ()

    def without(self, parsed: ParsedMessage) -> ParsedMessage:
        """The lines for the seat's game."""
        self.astray, self.only_elsewhere = {}, False
        game = self.ctx.game
        if self.ctx.seat is None or game is None:
            return parsed
        here = game.name.lower()
        if answers_digest(self.message.recipients, self.ctx.tx.identity):
            return self._of_digest(parsed, here)
        kept, other = list[Item](), list[tuple[str, Item]]()
        name = here
        for item in parsed.items:
            if isinstance(item, CommandLine) and is_heading(item):
                name = str(item.args["game"]).lower()
            if name == here:
                kept.append(item)
            else:
                other.append((name, item))
        if other:
            reached = self._reached()
            for name, item in other:
                if name not in reached and not isinstance(item, Talk):
                    lines = () if is_heading(item) else lines_of(item)
                    self.astray.setdefault(name, []).extend(text.strip() for _, text in lines)
            self.only_elsewhere = not self.astray and all(isinstance(item, Talk) for item in kept)
        return ParsedMessage(tuple(kept), parsed.below)

    def _of_digest(self, parsed: ParsedMessage, here: str) -> ParsedMessage:
        """What an answer to a digest has for this game: what is for none was asked about before."""
        games = playable_games(self.ctx)
        names = {game.name.lower() for game in games}
        found = sections(parsed.items, names)
        kept = tuple(item for name, item in found if name == here)
        elsewhere = len(kept) < len(found)
        self.only_elsewhere = elsewhere and all(isinstance(item, Talk) or is_heading(item) for item in kept)
        unplaced = list[str]()
        for section, lines in by_section(self.message.text, found):
            if section not in names:
                below = lines if section == ABOVE else lines[1:]
                unplaced += (*lines[: len(lines) - len(below)], *asking(below, games, self.ctx.commands.reader))
        self.unplaced = tuple(unplaced)
        return ParsedMessage(kept, parsed.below)

    def _reached(self) -> frozenset[str]:
        """The names of the games to whose seats the mail goes."""
        tx, addresses = self.ctx.tx, {*self.message.recipients, *self.message.addressed_to}
        found = (destination_at(address, tx.identity) for address in addresses)
        hashes = [token_hash(one.token) for one in found if isinstance(one, SeatAddress)]
        return frozenset(tx.game(game_id).name.lower() for _, game_id, _ in seats_at(tx.session, hashes))

    @property
    def unread(self) -> tuple[str, ...]:
        """The lines that are acted on nowhere."""
        return (*self.unplaced, *(line for lines in self.astray.values() for line in lines))

    @property
    def said(self) -> tuple[str, ...]:
        """What the reply says about these lines."""
        if not self.astray or self.ctx.game is None:
            return ()
        names = list(self.astray)
        below = ", ".join(f"GAME {name}" for name in names[:_MOST_NAMED])
        what = f"What is below {below}{' and others' if len(names) > _MOST_NAMED else ''} was not acted on"
        lines = [line for found in self.astray.values() for line in found]
        what += f": {listed(lines)}" if lines else ""
        there = f"your seat in {names[0]}" if len(names) == 1 else "your seats there"
        return (f"{what}. This address is your seat in {self.ctx.game.name}. Write to {there} instead.",)
