"""A form of ours that is filled in where it stands: `> F Bre-Mao` in a reply, or `Mao` below `> F Bre-`.

Such a line counts where it is certain that it is the sender's: with the blank in its place, it stands as a mail of ours
has it, below the sentence above the form, and it is a whole order. All else that differs in a quotation of ours is
shown back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from gm.parsing.message import Item, OrderLine, Talk
from gm.reading.ours import Ours, is_sentence, words_of

ItemsIn: TypeAlias = Callable[[Sequence[str]], Sequence[Item]]
"""What lines that are not acted on are to the sender's game."""


def filled_in(texts: Sequence[str], ours: Ours, forms: Ours, items_in: ItemsIn) -> tuple[int, ...]:
    """The places of those of these lines that fill in one of the `forms`: a line stands where we sent a blank, is a
    whole order and the only one for its unit. That another mail of ours has the same line does not make it ours there.
    """
    if not any(_is_changed(texts[at - 1 : at + 1], ours) for at in range(1, len(texts))):
        return ()
    found = tuple(_in_forms(texts, forms, items_in))
    units = Counter(blank for _, blank, _ in found)
    return tuple(at for at, blank, stands in found if stands and units[blank] == 1 and is_order(texts[at], items_in))


def _is_changed(lines: Sequence[str], ours: Ours) -> bool:
    """Whether the second of two lines is longer than one of ours that it begins with, and no mail of ours has both."""
    longer = any(words_of(one) != words_of(lines[1]) for one in ours.begun(lines[1]))
    return longer and not ours.has_form(lines)


def _in_forms(texts: Sequence[str], ours: Ours, items_in: ItemsIn) -> Iterator[tuple[int, str, bool]]:
    """The lines in forms of ours that are no blanks: the place of each, the blank that it begins with, and whether it
    stands in its place: from the sentence above the form on, a mail of ours has the lines in this order.
    """
    above, begun = list[str](), False
    for at, text in enumerate(texts):
        blank = _blank_of(text, ours, items_in) if above else ""
        if not blank:
            above, begun = ([text] if is_sentence(text) else []), False
        elif words_of(blank) == words_of(text):
            above.append(blank)
        else:
            stands = ours.has_form([*above, blank]) and not ours.has_form([*above, text])
            if stands or begun:
                yield at, blank, stands
            above, begun = [*above, blank], stands or begun


def _blank_of(text: str, ours: Ours, items_in: ItemsIn) -> str:
    """The blank of a form of ours that a line is or begins with; "" if there is none."""
    return next((one for one in ours.begun(text) if is_blank(one, items_in)), "")


def answered(text: str, beneath: Sequence[tuple[str, str]], ours: Ours, items_in: ItemsIn) -> str:
    """The sender's own text; answers that stand directly `beneath` a quoted blank of a form of ours, given as pairs,
    completed to the orders that they make with it.
    """
    lines = text.split("\n")
    for blank, answer in beneath:
        at = next((at for at, line in enumerate(lines) if line.strip() == answer.strip()), None)
        if at is None or ours.not_ours((blank,)) or not is_blank(blank, items_in) or is_order(answer, items_in):
            continue
        whole = (one for one in _completed(blank, answer.strip()) if is_order(one, items_in))
        lines[at] = next(whole, lines[at])
    return "\n".join(lines)


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
