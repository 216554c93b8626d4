"""Orders that a mail program, a phone, or a receipt in two columns has broken over several lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

from gm.orders import Build, Disband, Support
from gm.parsing.orders import Reading

QUOTED = (">", "|")
"""What a line begins with that is quoted."""
MOST = 8
"""The most lines that are looked at for the rest of an order."""
_FULL = 58  # characters; few orders are longer, and few programs break shorter lines
_HEAD = 3  # words; `Builds:`, `Fleet North`


def unbroken(lines: Sequence[str], reading: Callable[[str], Reading]) -> tuple[str, int]:
    """The first of these lines with its rest from those below it, and how many lines that takes. Lines are joined only
    if that makes an order of what was none, or a longer one.
    """
    text, taken, first = lines[0], 1, reading(lines[0])
    headed = not first.orders
    while taken < len(lines):
        full = len(lines[taken - 1].rstrip()) + len(lines[taken].strip().partition(" ")[0]) >= _FULL
        below = list(takewhile(_is_written, lines[taken : taken + _reach(text, first, full=full, headed=headed)]))
        joints = [" ".join(line.strip() for line in below[:count]) for count in range(1, len(below) + 1)]
        found = (
            n for n, rest in enumerate(joints, 1) if _goes_on(first, text, rest, reading, full=full, headed=headed)
        )
        if (count := next(found, 0)) == 0:
            break
        text, taken = f"{text.rstrip()} {joints[count - 1]}", taken + count
        first = reading(text)
    return text, taken


def _is_written(line: str) -> bool:
    """Whether a line is neither empty nor quoted."""
    return bool(line.strip()) and not line.lstrip().startswith(QUOTED)


def _reach(text: str, first: Reading, *, full: bool, headed: bool) -> int:
    """In how many lines the rest of a line may stand: in two below what is meant as an order and is none."""
    if any(fault.meant for fault in first.faults) or (first.faults and first.orders):
        return 2
    if first.orders:
        is_open = isinstance(first.orders[0][1], Support) or (headed and _are_listed(first))
    else:
        is_open = len(text.split()) <= _HEAD
    return 1 if full or is_open else 0


def _are_listed(reading: Reading) -> bool:
    """Whether these orders can be a list with one head: `Build A Par, F Bre`."""
    return all(isinstance(order, Build | Disband) for _, order in reading.orders)


def _goes_on(
    first: Reading, text: str, below: str, reading: Callable[[str], Reading], full: bool, headed: bool
) -> bool:
    """Whether a line and what is below it are one that was broken: together they have a fault less, or none. If there
    is an order below, the line must be meant as one and be none, or be the same order in short (`told_twice`).
    """
    whole = reading(f"{text.rstrip()} {below}")
    if len(whole.faults) > max(len(first.faults) - 1, 0) or whole.loose or not whole.orders:
        return False
    rest, gained = reading(below), len(whole.orders) - len(first.orders)
    if rest.heading is not None:
        return False
    if first.faults:
        meant = full or bool(first.orders) or any(fault.meant for fault in first.faults)
        return gained > 0 and (meant or not rest.orders)
    if rest.orders or not first.orders:
        return bool(first.orders) and full and whole.told_twice and not first.told_twice
    if gained:
        return gained == 1 and headed and _are_listed(whole)
    return full or (isinstance(first.orders[0][1], Support) and first.orders != whole.orders)
