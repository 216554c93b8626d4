"""A form of ours that is filled in where it stands: `> F Bre-Mao` in a reply, or `Mao` below `> F Bre-`.

Such a line counts where it is certain that it is the sender's: with the blank in its place, it stands as a mail of ours
has it, below the sentence above the form, and it is a whole order. All else that differs in a quotation of ours is
shown back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from gm.parsing.message import Complaint, Item, OrderLine, Talk
from gm.reading.ours import Ours, is_sentence

_LONGEST = 200
"""The most lines of a form in which blanks are filled in."""

ItemsIn: TypeAlias = Callable[[Sequence[str]], Sequence[Item]]
"""What lines that are not acted on are to the sender's game."""


def filled_in(texts: Sequence[str], new: Collection[int], ours: Ours, items_in: ItemsIn) -> tuple[int, ...]:
    """The places of those of the `new` lines among these, which are otherwise of mails of ours, that fill in a form."""
    begun = {at: blank for at in new if (blank := ours.begun(texts[at]))}
    units = Counter(begun.values())
    blanks = {at: blank for at, blank in begun.items() if units[blank] == 1}
    return tuple(
        at
        for at in _in_forms(texts, new, blanks, ours, items_in)
        if is_blank(blanks[at], items_in) and is_order(texts[at], items_in)
    )


def _in_forms(
    texts: Sequence[str], new: Collection[int], blanks: Mapping[int, str], ours: Ours, items_in: ItemsIn
) -> Iterator[int]:
    """Those of the lines with `blanks` that stand in a form: from the sentence above it on a mail of ours has the lines
    in this order, with the blank in place of each that was filled in.
    """
    above: list[str] = []
    for at, text in enumerate(texts if blanks else ()):
        if at in blanks:
            above = [*above, blanks[at]] if 0 < len(above) < _LONGEST else []
            if above and not ours.has_form(above):
                above = []
            elif above:
                yield at
        elif at in new:
            above = []
        elif not is_blank(text, items_in):
            above = [text] if is_sentence(text) and not is_order(text, items_in) else []
        elif above:
            above.append(text)


def answered(text: str, beneath: Sequence[tuple[str, str]], ours: Ours, items_in: ItemsIn) -> str:
    """The sender's own text; answers that stand `beneath` a quoted blank of a form of ours, each given after the quoted
    lines above it, completed to the orders that they make with it.
    """
    lines, places = text.split("\n"), dict[str, list[int]]()
    for at in reversed(range(len(lines))):
        places.setdefault(lines[at].strip(), []).append(at)
    for quoted, answer in beneath:
        blank, left = quoted.rpartition("\n")[2], places.get(answer.strip())
        if not left or ours.not_ours((blank,)) or not is_blank(blank, items_in) or is_order(answer, items_in):
            continue
        if whole := next((one for one in _completed(blank, answer.strip()) if is_order(one, items_in)), ""):
            lines[left.pop()] = whole
        elif _is_about(answer, items_in):
            lines[left.pop()] = f"{blank.rstrip(' -')} {answer.strip()}"
    return "\n".join(lines)


def _is_about(answer: str, items_in: ItemsIn) -> bool:
    """Whether an answer in a few words says where the unit of the blank above it goes: `now to Portugal, finally`. A
    greeting below the last blank does not.
    """
    brief = 1 < len(answer.split()) <= _A_FEW and "?" not in answer
    return brief and all(
        (isinstance(one, Talk) and one.mentions_board) or (isinstance(one, Complaint) and one.of_order)
        for one in items_in([answer])
    )


_A_FEW = 10


def _completed(blank: str, answer: str) -> Iterator[str]:
    """A blank with its answer: a place behind its dash, or a word in place of that."""
    bare = blank.rstrip(" -")
    yield f"{bare}-{answer.lstrip(' ->')}"
    yield f"{bare} {answer}"


def is_blank(line: str, items_in: ItemsIn) -> bool:
    """Whether it is a line of a form that was not filled in."""
    items = items_in([line])
    return any(isinstance(item, Talk) and item.unfilled for item in items)


def is_order(line: str, items_in: ItemsIn) -> bool:
    """Whether a line is one whole order, and nothing else."""
    items = items_in([line])
    return len(items) == 1 and isinstance(items[0], OrderLine) and len(items[0].orders) == 1
