"""Lines written as one, as our mails print what can be sent: `GAME spring / RELEASE S1901M`."""

from __future__ import annotations

import pytest

from gm.commands import COMMANDS
from gm.parsing.message import CommandLine, OrderLine, parse_message
from gm.position import Phase, PhaseKind, Season
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
        ("EJECT TURKEY, FRANCE, TURKEY", ["EJECT TURKEY", "EJECT FRANCE"]),
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


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("A Par-Bur. Who is winning?", ["OrderLine", "Talk"]),
        ("When is the deadline? A Par-Bur", ["Talk", "OrderLine"]),
        ("par-bur, bre-mao. when is the deadline?", ["OrderLine", "Talk"]),
        ("A Par-Bur, who is winning?", ["Complaint", "Talk"]),
        ("A Par-Bur unless he moves. Who is winning?", ["Complaint"]),
        ("A Par-Bur if he moves then A Par H", ["Complaint"]),
    ],
)
def test_a_question_is_apart_from_orders_and_no_part_of_a_condition_counts(text: str, parts: list[str]) -> None:
    now = Phase(1901, Season.SPRING, PhaseKind.MOVEMENT)
    items = parse_message(text, LEXICON, now, COMMANDS.reader).items
    assert [type(item).__name__ for item in items] == parts


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("A Yor-Nwy\nF Nth convoys\nF Nwg-Bar", ["Move", "Convoy", "Move"]),
        ("F Nth C\nA Yor - Nwy\nF Nwg - Bar", ["Convoy", "Move", "Move"]),
        ("A York to Holland\nF nth convoy it\nF nwg to norway", ["Move", "Convoy", "Move"]),
        ("A Mun S\nA Ber-Sil", ["Support", "Move"]),
        ("F Nth convoys\nF Nwg-Bar", ["Complaint", "Move"]),
        ("A Yor-Nwy\nA Lon-Bel\nF Nth convoys", ["Move", "Move", "Complaint"]),
    ],
)
def test_a_convoy_without_its_army_is_that_of_the_only_move_it_fits(text: str, kinds: list[str]) -> None:
    """And what is an order alone is not joined to the line above."""
    now = Phase(1901, Season.SPRING, PhaseKind.MOVEMENT)
    items = parse_message(text, LEXICON, now, COMMANDS.reader).items
    given = [
        [type(one).__name__ for _, one in item.orders] if isinstance(item, OrderLine) else ["Complaint"]
        for item in items
    ]
    assert [kind for one in given for kind in one] == kinds
