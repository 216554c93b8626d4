"""Lines written as one, as our mails print what can be sent: `GAME spring / RELEASE S1901M`."""

from __future__ import annotations

import pytest

from gm.commands import COMMANDS
from gm.parsing.message import CommandLine, parse_message


@pytest.mark.parametrize(
    ("text", "names", "below"),
    [
        ("GAME spring / RELEASE S1901M", ["game", "release"], []),
        ("GAME other / RELEASE S1901M", ["game", "release"], []),
        ("STATUS / MAP / HELP", ["status", "map", "help"], []),
        (
            "CORRECT S1901M NOW / France: A Par-Bur / BECAUSE it was lost",
            ["correct"],
            ["France: A Par-Bur", "BECAUSE it was lost"],
        ),
        ("COMMENT ten / READY", ["comment"], []),
    ],
)
def test_they_are_read_as_lines(text: str, names: list[str], below: list[str]) -> None:
    items = parse_message(text, None, None, COMMANDS.reader, games=lambda: {"spring"}).items
    assert [item.name for item in items if isinstance(item, CommandLine)] == names
    assert [line for item in items if isinstance(item, CommandLine) for _, line in item.below] == below
    assert len(items) == len(names)
