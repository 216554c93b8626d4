"""Which game the lines of a mail are for: those below which heading, `GAME spring`.

Below the heading of another game nothing is for a seat: if its sender plays that game, the mail is handed on to their
seat there. A command for which one needs a seat, and which itself names another game of the sender's, is for that game
wherever it stands. Of a mail to several seats of one person each game is given the lines below its own name, and those
above all names; of one that was handed on, and of an answer to a digest, only the former.

A question that is about several games is for none of them: it is answered once, where the mail came.

In an answer to a digest the name of a game alone on a line is a heading, too. Any other line that may be meant as one
closes the section above it: what is below it is for no game, and its sender is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from gm.parsing.lists import names_in
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, PressBlock, Talk
from gm.parsing.questions import is_asking
from gm.position import STANDARD_KINDS
from gm.reading.line import Line, Lines, Origin, Reason, line_of, settled

Section: TypeAlias = str | None
"""The game of a section, in lower case; None below a line that may be meant as a heading, and is not understood."""

Named: TypeAlias = Callable[[Item | None], str]
"""The game, in lower case, that a command for which one needs a seat there names itself, `START spring`, or the games
that a wish names; "" if none.
"""

_Item = TypeVar("_Item", Item, Item | None)

ABOVE = ""
"""What is above all headings."""
OF_SEVERAL = "*"
"""What a question about several games names, and its section."""
_MARKS = " \t\u00a0*_#=~|:;,.!\"'`()[]{}<>-"
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_MOST_WORDS = 5
"""A longer line that names a game is a sentence."""


# ---- mail to a seat


def placed(
    lines: Lines,
    here: str,
    reached: Callable[[], Collection[str]],
    named: Named,
    of_none: Collection[str],
    of_seats: Collection[str],
) -> Lines:
    """The lines of a mail to a seat in the game `here`, or to the server's address, ABOVE; those below the name of
    another game settled. `reached` finds the games to whose seats the mail goes as well; at the server's address the
    lines for others stay. Commands `of_none` are for no game, below whatever heading they stand;
    those `of_seats` are for the only game that other commands of the mail name, where it has no headings.
    """
    ways, name, spoken = list[tuple[Line, str, str]](), here, _Spoken()
    for line in lines:
        if line.is_heading and isinstance(line.meaning, CommandLine) and line.fate is None:
            name = str(line.meaning.args["game"]).lower()
        is_open = line.fate is None or line.is_for(Reason.PLAIN, Reason.MENTIONS, Reason.NOT_UNDERSTOOD)
        own = named(line.meaning) if is_open else ""
        own = spoken.of(line.meaning, own, name)
        if own == OF_SEVERAL:
            ways.append((line, ABOVE, here))
            continue
        name = own if own and _announces(line.meaning) else name
        ways.append((line, own, here if _is_one_of(of_none, line.meaning) else name))
    if all(name == here and own in ("", here) for _, own, name in ways):
        return lines
    headed = {here, *(to for *_, to in ways)} != {ABOVE}
    only = "" if headed else _only_game((line.meaning, own) for line, own, _ in ways)
    ways = [(line, own or (only if _is_one_of(of_seats, line.meaning) else ""), to) for line, own, to in ways]
    there = reached()
    each = [(line, one) for line, own, name in ways for one in _games(own if {*_games(own)} <= {*there} else name)]
    stays = {here} if here else {here, *(one for _, one in each)}.difference(there)
    return tuple(_below(line, one) if one in stays else _for_other(line, one, there) for line, one in each)


class _Spoken:
    """The games of which sentences speak: one that names none is about those that were named right above it; below a
    heading a question is, about those of a question.
    """

    def __init__(self) -> None:
        self._games, self._line, self._asks = "", 0, False

    def of(self, item: Item | None, own: str, section: Section) -> str:
        """The games of the next line, which stands in this section, and names `own` or none."""
        if not isinstance(item, Talk):
            self._games, self._line = own, 0
            return own
        asks = is_asking(item.text)
        above = item.line - self._line in (0, 1) and (section == ABOVE or (asks and self._asks))
        self._games, self._line, self._asks = own or (self._games if above else ""), item.line, asks
        return self._games


def _is_one_of(names: Collection[str], item: Item | None) -> bool:
    match item:
        case CommandLine(name=name) | PressBlock(kind=name):
            return name in names
    return False


def _only_game(named: Iterable[tuple[Item | None, Section]]) -> str:
    """The game that the commands of a mail name, if it is one alone."""
    games = {name for item, name in named if name and isinstance(item, CommandLine)}
    return games.pop() if len(games) == 1 else ""


def _announces(item: Item | None) -> bool:
    """Whether a sentence heads what stands below it: `House rules for spring:`."""
    return isinstance(item, Talk) and item.text.rstrip(" *_").endswith(":")


def _games(names: str) -> list[str]:
    """The games of a heading with several, `GAME duel, spring`."""
    return [*dict.fromkeys(names_in(names))] or [names]


def _below(line: Line, name: str) -> Line:
    """A line for this game; a heading with several names it alone."""
    return replace(line, meaning=_heading(line.meaning, name))


def _heading(item: _Item, name: str) -> _Item:
    if not isinstance(item, CommandLine) or item.name != "game" or name not in names_in(str(item.args["game"]).lower()):
        return item
    return replace(item, args=MappingProxyType({"game": name}))


def _for_other(line: Line, name: str, reached: Collection[str]) -> Line:
    """A line for another game, which is acted on there if the mail goes there."""
    if line.origin is not Origin.OWN:
        return line
    talk = isinstance(line.meaning, Talk)
    reason = Reason.ELSEWHERE if name in reached else Reason.PLAIN if talk else Reason.OTHER_GAME
    return settled(replace(line, game=name), reason)


# ---- an answer to a digest


def of_digest(
    lines: Lines,
    here: str,
    names: Collection[str],
    asks: Callable[[Sequence[str]], Collection[str]],
    named: Named,
    of_none: Collection[str],
    of_seats: Collection[str],
    *,
    handed_on: bool = False,
) -> Lines:
    """The lines of an answer to a digest for the game `here`, of the sender's games with these names; `asks` finds
    those of lines for no game that ask for something in one of them: about these their sender was asked before. What is
    above all headings of a mail that was `handed_on` was acted on where it came.
    """
    own = (line.meaning for line in lines if line.origin is Origin.OWN and line.meaning is not None)
    found = sections(own, names, named, of_none, of_seats)
    elsewhere = {*names, ABOVE, OF_SEVERAL} if handed_on else {*names, OF_SEVERAL}
    astray = [item for section, item in found if section not in elsewhere]
    asked = asks([text for item in astray for text in line_of(item).texts])
    found_lines: list[Line] = []
    above: Section = ABOVE
    for section, item in found:
        opens, above = section != above, section
        found_lines.append(_of_section(line_of(item), section, here, elsewhere, asked, opens=opens))
    return (*found_lines, *(line for line in lines if line.origin is not Origin.OWN))


def _of_section(
    line: Line, section: Section, here: str, names: Collection[str], asked: Collection[str], *, opens: bool
) -> Line:
    """A line of a section: for this game, for another to which the mail is handed as well, or for none."""
    if section == here:
        return line
    if section in names:
        return settled(replace(line, game=section or ""), Reason.ELSEWHERE)
    about = opens or any(text.strip() in asked for text in line.texts)
    return settled(line, Reason.WHICH_GAME if about else Reason.PLAIN)


def sections(
    items: Iterable[Item],
    names: Collection[str],
    named: Named,
    of_none: Collection[str],
    of_seats: Collection[str],
) -> list[tuple[Section, Item]]:
    """The items of an answer to a digest, each with the section that it is in; `names` are the sender's games. Commands
    `of_none` are above all, and those `of_seats` are for the only game that other commands name, where there are no
    headings.
    """
    here: Section = ABOVE
    headed = False
    found, spoken = list[tuple[Section, Item]](), _Spoken()
    owned: CommandLine | None = None  # the command of the section that lines of orders below it still belong to
    for item, owner in sorted(_apart(items), key=lambda pair: pair[0].line):
        heads = named(item) if _announces(item) else ""
        before, here = here, heads if heads in names else _opened(item, names, here)
        headed = headed or here != ABOVE
        owned = None if here != before else owned
        at = next((at for at, (_, one) in enumerate(found) if one is owned), None) if owner else None
        if at is not None and owned is not None:
            owned = replace(owned, below=(*owned.below, (item.line, item.text)))
            found[at] = found[at][0], owned
            continue
        alone = isinstance(item, Talk) and _plain(item.text) == here
        kept = CommandLine(item.line, item.text, "game", {"game": here}) if alone else item
        own = spoken.of(kept, named(kept), here)
        place = ABOVE if _is_one_of(of_none, kept) else here
        found.append((own if {*_games(own)} <= {*names, OF_SEVERAL} else place, kept))
        if isinstance(kept, CommandLine) and not owner:
            owned = kept
    only = "" if headed else _only_game((item, section) for section, item in found)
    found = [(only if section == ABOVE and _is_one_of(of_seats, item) else section, item) for section, item in found]
    return [(one, _heading(item, one or "")) for section, item in found for one in _each(section)]


def _each(section: Section) -> Sequence[Section]:
    return [section] if section is None else _games(section)


def by_section(text: str, found: Iterable[tuple[Section, Item]]) -> list[tuple[Section, tuple[str, ...]]]:
    """The written lines of such an answer by the sections of its items, headings included, in the order written."""
    lines, begun = text.split("\n"), list[tuple[Section, int]]([(ABOVE, 1)])
    for section, item in found:
        if section != begun[-1][0]:
            begun.append((section, item.line))
    ends = [*(first for _, first in begun[1:]), len(lines) + 1]
    spans = ((section, lines[first - 1 : end - 1]) for (section, first), end in zip(begun, ends, strict=True))
    return [(section, tuple(line for line in span if line.strip())) for section, span in spans]


def _apart(items: Iterable[Item]) -> Iterator[tuple[Item, bool]]:
    """The items with the lines of orders below a command as items of their own, and whether they are such. A reason
    that it shares with a command below it has no line, and stays with it.
    """
    for item in items:
        if isinstance(item, CommandLine) and item.below:
            yield replace(item, below=tuple(one for one in item.below if not one[0])), False
            yield from ((Talk(number, text, mentions_board=True), True) for number, text in item.below if number)
        else:
            yield item, False


def _opened(item: Item, names: Collection[str], here: Section) -> Section:
    """The section that a line opens, or `here` if it is no heading."""
    if isinstance(item, CommandLine) and item.name == "game":
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
    return bool(named) and len(words) <= _MOST_WORDS and (like_game or first in names or _announces(item))
