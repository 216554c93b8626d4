"""What differs between two adjudications of one phase as one reader sees them, as a corrected report says it.

It is made from all that a report shows of a turn: orders with their results, sentences, and the position they led to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from gm.board import Power
from gm.orders import unit_of
from gm.orders.notation import write
from gm.reports.blocks import Block, Paragraphs, Table, position_blocks, turn_blocks
from gm.reports.explain import mark
from gm.turn import Turn
from gm.views import View, Words

_MOST = 30
"""The most lines of each part; a report of very many powers has the rest in its results."""

Told = Mapping[tuple[str, object], str]
"""What is told of each thing, by its power (or other heading) and the thing itself."""


def difference(before: View, after: View, adjectives: Mapping[Power, str]) -> tuple[str, ...]:
    """A line for each unit whose order or its result is another than before: `Germany: A Mun-Tyr (bounce); before: A
    Mun H`; then the sentences that only one of the two has, and each row of the position that is another. Of views
    before any turn there are none.
    """
    if before.turn is None or after.turn is None:
        return ()
    old, new = ((*turn_blocks(view, adjectives), *position_blocks(view)) for view in (before, after))
    said, says = (
        dict.fromkeys(line for block in blocks if isinstance(block, Paragraphs) for line in block.lines)
        for blocks in (old, new)
    )
    sentences = _sentences([line for line in said if line not in says], [line for line in says if line not in said])
    orders = _changed(_ordered(before.turn, before.words), _ordered(after.turn, after.words), "no order")
    rows = _changed(_rows(old), _rows(new), "none")
    return tuple(line for part in (orders, sentences, rows) for line in _some(part))


def told_to(power: str | None, differs: Sequence[str]) -> tuple[str, ...]:
    """The sentences for the player of a power, theirs first; or for somebody who plays none."""
    if power is None:
        return (in_lines("What differs", differs),)
    own = [line for line in differs if line.startswith(f"{power}: ")]
    others = [line for line in differs if line not in own]
    return (
        in_lines("What it means for you", own, "nothing differs for your units and centres"),
        in_lines("What else differs", others),
    )


def in_lines(heading: str, differs: Sequence[str], nothing: str = "nothing that you can see") -> str:
    """Differences below a heading, one on a line; or the sentence that there is none."""
    return "\n".join((f"{heading}:", *(f"{line}." for line in differs))) if differs else f"{heading}: {nothing}."


def _some(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield f"and {len(lines) - _MOST} more"


def _sentences(gone: Sequence[str], new: Sequence[str]) -> list[str]:
    """Sentences that are told no longer, and others that are told now: one beside the one that it takes the place of,
    which begins as it does, `France gained Spain`.
    """
    before = {tuple(line.split()[:_BEGINNING]): line.rstrip(".") for line in gone}
    found = []
    for line in new:
        other = before.pop(tuple(line.split()[:_BEGINNING]), "")
        found.append(f"Now: {line.rstrip('.')}{f'; before: {other}' if other else ''}")
    return [*found, *(f"No longer: {line}" for line in before.values())]


_BEGINNING = 2
"""So many words tell of whom a sentence is, and what they did."""


def _changed(old: Told, new: Told, nothing: str) -> list[str]:
    return [
        f"{key[0]}: {_told_apart(new.get(key, nothing), old.get(key, nothing))}"
        for key in dict.fromkeys((*new, *old))
        if new.get(key) != old.get(key)
    ]


def _told_apart(now: str, before: str) -> str:
    """What is, and was; of long lists only what is new in them, and is gone."""
    items, were = now.split(", "), before.split(", ")
    if min(len(items), len(were)) <= _SHORT:
        return f"{now}; before: {before}"
    more, less = ([one for one in these if one not in those] for these, those in ((items, were), (were, items)))
    return "; ".join(f"{word} {', '.join(some)}" for word, some in (("now also", more), ("no longer", less)) if some)


_SHORT = 6
"""The most items of a list that is shown whole."""


def _ordered(turn: Turn, words: Words) -> Told:
    """Each order with its result, by its power and unit, of which some have the same name; by itself where it has
    none.
    """
    found: dict[tuple[str, object], list[str]] = {}
    for outcome in turn.outcomes:
        unit, said = unit_of(outcome.order), mark(outcome, words)
        power = getattr(unit or outcome.order, "power", "")
        written = write(outcome.order) + (f" ({said})" if said else "")
        found.setdefault((str(power), unit or outcome.order), []).append(written)
    return {key: ", ".join(sorted(orders)) for key, orders in found.items()}


def _rows(blocks: Iterable[Block]) -> Told:
    """The rows of all tables, by their first cells and the table's title."""
    found: dict[tuple[str, object], str] = {}
    for table in (block for block in blocks if isinstance(block, Table)):
        for head, *cells in table.rows:
            key = ": ".join(filter(None, (head, table.title.lower()))), table.title
            own = ", ".join(filter(None, cells))
            found[key] = f"{found[key]}; {own}" if key in found else own
    return found


def moves(left: Sequence[str], code: str, due: datetime) -> bool:
    """Whether the phase that a correction leaves (its code and its deadline) is the phase `code`, due at another
    time.
    """
    return code == left[0] and due != datetime.fromisoformat(left[1])


def of_deadline(left: Sequence[str], code: str, due: datetime, shown: Callable[[datetime], str]) -> str:
    """What became of the deadline of the phase that a correction leaves (its code and its deadline, as kept with the
    correction), where the phase `code` is due then; `shown` words a moment.
    """
    if moves(left, code, due):
        before = shown(datetime.fromisoformat(left[1]))
        return (
            f"All have as much time to order as usual, so the deadline of {code} moves from {before} to {shown(due)}."
        )
    if code != left[0]:
        return f"{code} follows now instead of {left[0]}, and is due {shown(due)}."
    return f"{code} keeps its deadline: {shown(due)}."
