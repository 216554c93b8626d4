"""docs/commands.md: what it says about this server is true, and nothing is missing."""

from __future__ import annotations

import re

import pytest

from gm.commands import COMMANDS
from gm.errors import NotUnderstood
from gm.options import read_options
from gm.options.table import OPTIONS
from gm.parsing.message import CommandLine
from gm.variants import all_variants
from tests.commands import reference
from tests.parsing.names import LEXICON, MOVEMENT, READER, parse_message

PAGE = reference.PAGE.read_text(encoding="utf-8")
ROWS, OURS = reference.compared(PAGE), reference.ours(PAGE)

THEIRS = """
    REGISTER END I-AM-ALSO WHOIS WHO-GAME GET-DEDICATION SET-ADDRESS SET-PASSWORD CREATE SIGNON OBSERVE WATCH JOIN
    MONITOR TAKEOVER RESIGN WITHDRAW SIGNOFF CLEAR STATUS SET-WAIT SET-NOWAIT PHASE IF ELSE ENDIF PRESS-TO BROADCAST
    FAKE ENDPRESS PRESS-TO-ALL-BUT POSTAL-PRESS DIARY-RECORD DIARY-LIST DIARY-READ DIARY-DELETE SET-ABSENCE SET-DRAW
    SET-NODRAW SET-CONCEDE SET-NOCONCEDE VOTE PROPOSE LIST SUMMARY HISTORY GET SEND HELP VERSION MAP SET-PREFERENCE
    SET-BROADCAST FORM ACTIVATE FORCE-BEGIN UNSTART RENAME PURGE PROCESS PREVIEW PREDICT ROLLBACK ROLLFORWARD PAUSE
    RESUME WAIT TERMINATE REVEAL EJECT PROMOTE SET-APPROVAL DUMMY REVIVE BECOME SET-DEADLINE SET-GRACE SET-START
    SET-MOVE SET-RETREAT SET-ADJUST SET-COMMENT OFFICIAL
"""
"""The names of commands on the two other judges."""


def test_the_page_has_rows() -> None:
    assert len(ROWS) > 60
    assert {len(row) for row in ROWS} == {3}
    assert len(OURS) > 90


@pytest.mark.parametrize("code", OURS)
def test_what_it_says_we_have_is_understood(code: str) -> None:
    if re.fullmatch(r"[a-z]+=\S+", code):
        name, _, value = code.partition("=")
        fitting = [game for game in all_variants() if _accepts(game, name, value)]
        assert fitting
        assert all(read_options({"variant": game, name: value}).texts[name] == value for game in fitting)
    elif code in ("IF", "ELSE", "ENDIF"):
        assert code.removeprefix("END") in COMMANDS["phase"].help.text
    elif "PRESS TO" in code or code in ("BROADCAST", "DIARY", "OFFICIAL"):
        assert type(READER.texts.read([code, "text", "ENDPRESS"], 0, LEXICON)).__name__ == "TextBlock"
    else:
        line = code.replace("power", "France").replace("game", "spring")
        (item,) = parse_message(line, LEXICON, MOVEMENT).items
        assert isinstance(item, CommandLine), item
        assert item.name in COMMANDS


def _accepts(game: str, name: str, value: str) -> bool:
    try:
        return bool(read_options({"variant": game, name: value}))
    except NotUnderstood:
        return False


def test_every_option_is_on_it() -> None:
    assert not [option.name for option in OPTIONS if f"{option.name}=" not in PAGE]


@pytest.mark.parametrize("name", THEIRS.split())
def test_every_command_of_theirs_is_on_it(name: str) -> None:
    words = name.replace("-", " ")
    left = " ".join(cell for row in ROWS for cell in row[:2])
    assert re.search(rf"`{words}\b", left), words


def test_the_table_of_all_commands_and_the_list_of_those_only_here_are_made_from_their_declarations() -> None:
    assert reference.made(PAGE) == PAGE, "python -m tests.commands.reference writes it"
    named = PAGE.partition(reference.BEGIN)[2]
    assert not [command.title for command in COMMANDS.values() if f"| `{command.title}` |" not in named]


@pytest.mark.parametrize("name", THEIRS.split())
def test_help_knows_every_command_of_theirs(name: str) -> None:
    words = name.replace("-", " ")
    assert READER.named(words.lower()) or COMMANDS.translated(words).endswith(".")
