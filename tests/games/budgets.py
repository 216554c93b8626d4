"""What docs/limits.md says of all budgets and bounds, made from the code: `python -m tests.games.budgets`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

from gm.commands import COMMANDS
from gm.games.bounds import Bound
from gm.games.limits import BUDGETS, OVERDRAWN, Budget, Payer, Spent

PAGE = Path(__file__).parent.parent.parent / "docs" / "limits.md"
BEGIN, END = "<!-- made from the budgets -->\n", "<!-- end -->\n"


def table() -> str:
    """All budgets, one in each row."""
    head = ("of", "at most", "within", "for", "whose mail")
    rows = [head, ("---", "---:", *("---",) * 3), *map(_row, BUDGETS)]
    bounds = [("of", "at most", "for"), ("---", "---:", "---"), *((one.what, f"{one.most:,}", one.of) for one in Bound)]
    return "\n\n".join((_overdrawn(), _weights(), _rows(rows), _KEPT, _rows(bounds))) + "\n"


_KEPT = "However long it takes to come together, and whatever `limits` says, there is never more"


def _rows(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _overdrawn() -> str:
    most, exact = ([one.value for one in Spent if (one in OVERDRAWN) is over] for over in (True, False))
    said = (
        f"A line is begun if anything is left of {_and(most)}; it is done as a whole, and may use more of them than was"
        f" left. No more than the budget is used of {_and(exact)}."
    )
    return fill(said, 130)


def _weights() -> str:
    """What each command weighs in the budgets of commands."""
    by_cost: dict[int, list[str]] = {}
    for command in COMMANDS.values():
        by_cost.setdefault(command.policy.cost, []).append(f"`{command.title}`")
    heavy = "; ".join(f"{cost} for {', '.join(by_cost[cost])}" for cost in sorted(by_cost) if cost > 1)
    said = (
        "Not every command weighs the same, in one mail and in an hour: 1 for a command that only"
        f" replies; {heavy}. Ten lines below a command weigh as much as one more. A command that is refused weighs"
        " as much as one that is done."
    )
    return fill(said, 130)


def _and(words: Sequence[str]) -> str:
    return f"{', '.join(f'*{word}*' for word in words[:-1])} and *{words[-1]}*"


def _row(budget: Budget) -> tuple[str, ...]:
    whose = "everybody's" if len(budget.whose) == len(Payer) else ", ".join(one.name.lower() for one in budget.whose)
    per = "" if budget.span is None else budget.per.value
    return budget.of.value, f"{budget.amount:,}", budget.time, per, whose


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    PAGE.write_text(before + begin + table() + END + rest.partition(END)[2], encoding="utf-8")
