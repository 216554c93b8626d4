"""The table of all budgets in docs/limits.md, made from the code: `python -m tests.games.budgets`."""

from __future__ import annotations

from pathlib import Path

from gm.games.limits import BUDGETS, Budget, Payer

PAGE = Path(__file__).parent.parent.parent / "docs" / "limits.md"
BEGIN, END = "<!-- made from the budgets -->\n", "<!-- end -->\n"


def table() -> str:
    """All budgets, one in each row."""
    head = ("of", "at most", "within", "for", "whose mail")
    rows = [head, ("---", "---:", *("---",) * 3), *map(_row, BUDGETS)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows) + "\n"


def _row(budget: Budget) -> tuple[str, ...]:
    whose = "everybody's" if len(budget.whose) == len(Payer) else ", ".join(one.name.lower() for one in budget.whose)
    per = "" if budget.span is None else budget.per.value
    return budget.of.value, f"{budget.amount:,}", budget.time, per, whose


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    PAGE.write_text(before + begin + table() + END + rest.partition(END)[2], encoding="utf-8")
