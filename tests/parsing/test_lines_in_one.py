"""Lines written as one, as our mails print what can be sent: `GAME spring / RELEASE S1901M`."""

from __future__ import annotations

import pytest

from gm.commands import COMMANDS
from gm.parsing.message import CommandLine, parse_message
from tests.parsing.names import LEXICON


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


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("EJECT TURKEY, FRANCE", ["EJECT TURKEY", "EJECT FRANCE"]),
        ("Eject Turkey and France.", ["Eject Turkey", "Eject France"]),
        ("STANDIN Turkey, France & Italy", ["STANDIN Turkey", "STANDIN France", "STANDIN Italy"]),
        (
            "REPLACE Russia and Turkey WITH joe@a.org",
            ["REPLACE Russia WITH joe@a.org", "REPLACE Turkey WITH joe@a.org"],
        ),
        ("STOP PRESS FROM France, Italy", ["STOP PRESS FROM France", "STOP PRESS FROM Italy"]),
        ("START dis, spring", ["START dis", "START spring"]),
        ("DEADLINE spring and dis Friday 18:00", ["DEADLINE spring Friday 18:00", "DEADLINE dis Friday 18:00"]),
        ("EJECT TURKEY, and hurry", ["EJECT TURKEY, and hurry"]),
        ("DRAW France, Italy", ["DRAW France, Italy"]),
        ("ACCEPT LATE France, Italy", ["ACCEPT LATE France, Italy"]),
        ("INVITE ann@a.org AS France, bob@a.org AS Italy", ["INVITE ann@a.org AS France, bob@a.org AS Italy"]),
    ],
)
def test_a_command_with_a_list_of_powers_or_games_is_one_for_each(text: str, lines: list[str]) -> None:
    items = parse_message(text, LEXICON, None, COMMANDS.reader, games=lambda: {"spring", "dis"}).items
    assert [item.text for item in items] == lines
