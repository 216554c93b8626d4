"""The table of all commands in docs/commands.md, made from their declarations: `python -m tests.commands.reference`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gm.commands import COMMANDS
from gm.commands.declaration import Command, Consent

PAGE = Path(__file__).parent.parent.parent / "docs" / "commands.md"
BEGIN, END = "<!-- made from the declarations -->\n", "<!-- end -->\n"


def table() -> str:
    """All commands, one in each row: its purpose, its syntax, who may give it, and further conditions."""
    head = ("command", "what for", "written", "who", "")
    rows = [head, ("---",) * len(head), *(_row(command) for command in COMMANDS.values())]
    return "\n".join(f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in rows) + "\n"


def _row(command: Command) -> tuple[str, ...]:
    ways = ", ".join("`" + example.replace("\n", " / ") + "`" for example in command.syntax.shown)
    return f"`{command.title}`", command.help.summary, ways, command.policy.who.value, ", ".join(_notes(command))


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


def written() -> str:
    """The table as it is on the page."""
    return PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    PAGE.write_text(before + begin + table() + END + rest.partition(END)[2], encoding="utf-8")
