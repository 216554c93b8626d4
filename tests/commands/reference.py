"""What docs/commands.md says of all commands, made from their declarations: `python -m tests.commands.reference`.

It is the tables for people from other judges (templates/judges.md), the list of the commands that have no row in
these, and the table of all commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from gm import folder
from gm.commands import COMMANDS
from gm.commands.declaration import Command, Consent

PAGE = Path(__file__).parent.parent.parent / "docs" / "commands.md"
JUDGES = "<!-- templates/judges.md -->\n"
BEGIN, ALONE, END = "<!-- made from the declarations -->\n", "<!-- those in no table above -->\n", "<!-- end -->\n"


def table() -> str:
    """All commands, one in each row: its purpose, its syntax, who may give it, and further conditions."""
    head = ("command", "what for", "written", "who", "")
    rows = [head, ("---",) * len(head), *(_row(command) for command in COMMANDS.values())]
    return "\n".join(f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in rows) + "\n"


def _row(command: Command) -> tuple[str, ...]:
    ways = ", ".join("`" + example.replace("\n", " / ") + "`" for example in command.syntax.shown)
    who = command.policy.who.value + (", also an assistant" if command.policy.by_assistants else "")
    return f"`{command.title}`", command.help.summary, ways, who, ", ".join(_notes(command))


def _notes(command: Command) -> Iterator[str]:
    policy = command.policy
    for whom, consent in (("", policy.consent), ("a gamemaster ", policy.of_master)):
        if consent is not None and consent is not Consent.NONE:
            yield f"asks {whom}first: {name_of(consent)}"
    if policy.schedulable:
        yield "`SCHEDULE`"
    if policy.record.undo is not None:
        yield "`UNDO`"


def name_of(consent: Consent) -> str:
    """Its term in docs/trust.md."""
    return consent.name.lower().replace("_", "-")


def compared(page: str) -> list[tuple[str, ...]]:
    """The rows of the tables for people from other judges: the commands of two others, and ours."""
    lines = (line for line in page.partition(ALONE)[0].splitlines() if line.startswith("| "))
    return [
        tuple(cell.strip() for cell in line.strip("| ").split(" | "))
        for line in lines
        if not line.startswith(("| ---", "| njudge"))
    ]


def ours(page: str) -> list[str]:
    """What those rows say can be written here."""
    return sorted({code for row in compared(page) for code in re.findall(r"`([^`]+)`", row[-1])})


def only_here(page: str) -> str:
    """The commands in none of those rows."""
    codes = ours(page)
    alone = (one for one in COMMANDS.values() if not any(_names(code, one.title) for code in codes))
    return "".join(f"- `{command.title}`: {command.help.summary}\n" for command in alone)


def _names(code: str, title: str) -> bool:
    return re.match(rf"(?:(?:HELP|GREY|POSTAL|SET|NO) )?{title}\b", code) is not None


def made(page: str) -> str:
    """The page with both parts as they are to be."""
    judges = (folder("templates") / "judges.md").read_text(encoding="utf-8")
    for begin, part in ((JUDGES, f"{judges}\n"), (ALONE, only_here(judges)), (BEGIN, table())):
        before, begin, rest = page.partition(begin)
        page = before + begin + part + END + rest.partition(END)[2]
    return page


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
