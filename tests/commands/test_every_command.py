"""Every registered command with wrong, missing and hostile arguments: a clear answer, and nothing changes.

The lines are made from the register and from the forms of the commands, so that a new command is tested as well. All
rows of the database before and after are compared, except the mails themselves.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import delete, select

from gm.commands import COMMANDS
from gm.commands.declaration import Command, Orders, Text
from gm.store import senders
from gm.store.inbox import InboxRow, InboxState
from gm.store.rows import Base
from tests.server.world import BASE, World, player, text_of

MASTER = "master@example.org"
_numbers = itertools.count()


def stranger() -> str:
    """Somebody who has not written before: each may get only a few answers an hour."""
    return f"mallory{next(_numbers)}@evil.example"


HOSTILE = (
    "'; DROP TABLE game; --",
    "%s%n%x {0} {{7*7}} ${PATH}",
    "../../../../etc/passwd",
    "<script>alert(1)</script>",
    "\u202e#gnirps!\u0000\u0007",
    "A" * 3000,
    "-1",
    "99999999999999999999",
    "gm+spring.aaaaaaaaaaaaaaaaaaaa@example.org",
    "nobody@[127.0.0.1] OR 1=1",
    "W99999999999999999A",
    "Atlantis",
    "2026-02-30 TO 1999-13-41",
    "=== === ===",
)

HARMLESS = {"help", "forgetme", "list", "whoami", "game", "end", "clear", "wait", "ready", "register", "comment"}
"""Commands that accept any words, or none, and do little: only people who may not give them try them here."""

ANY_TEXT = {"orders", "broadcast", "official", "remark", "houserules", "note"}
"""Commands that are valid with any words after them."""

SPEAKS = re.compile(r"[A-Za-z]{3,}.*[.!?]")

WATCHED = (
    *("account", "address", "game", "seat", "phase", "order_set", "deadline", "press", "vote", "absence"),
    *("preorder", "standby", "invitation", "diary", "report_queue", "turnout", "question"),
)


def rows(world: World) -> dict[str, list[Any]]:
    """Everything that must stay as it is."""
    with world.looking() as session:
        tables = Base.metadata.tables
        return {name: [tuple(row) for row in session.execute(select(tables[name]))] for name in WATCHED}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, dict[str, str]]]:
    """A game in its first phase, for all lines of this file: none of them changes it."""
    world = World(tmp_path_factory.mktemp("every-command"))
    seats = world.started(options="press=grey draw=listed motions=all")
    for who, seat in ((player("Italy"), seats["Italy"]), (MASTER, seats["GM"])):
        world.send(who, seat, "STATUS")  # so that it is known that their mail reaches us
    yield world, seats
    world.database.dispose()


def answered(world: World, sender: str, to: str, lines: list[str]) -> str:
    """The words of the reply to a mail with these lines. The reply is plain and contains no trace of a crash.

    What earlier mails have spent is forgotten: limits have tests of their own.
    """
    with world.database.transaction() as session:
        session.execute(delete(senders.SpendingRow))
    said = text_of(world.send(sender, to, "\n".join(lines)))
    assert SPEAKS.search(said)
    for trace in ("Traceback", "sqlalchemy", "KeyError", "ValueError", "object at 0x", "could not be processed"):
        assert trace not in said
    with world.looking() as session:
        assert session.scalars(select(InboxRow.id).where(InboxRow.state == InboxState.ASIDE)).all() == []
    return said


def block(command: Command, words: str) -> list[str]:
    """A command with these words, and with the lines below it."""
    line = f"{command.title} {words}".rstrip()
    if isinstance(command.syntax.below, Text):
        return [line, "some text", f"END{command.name.upper()}"]
    return [line, "A PAR H", ""] if isinstance(command.syntax.below, Orders) else [line]


def test_names_and_titles_are_the_same_words() -> None:
    assert {name: command.title.replace(" ", "").lower() for name, command in COMMANDS.items()} == {
        name: name for name in COMMANDS
    }


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in HARMLESS | ANY_TEXT])
def test_hostile_words_are_answered_and_change_nothing(played: tuple[World, dict[str, str]], name: str) -> None:
    world, seats = played
    before = rows(world)
    wrong = [words for words in HOSTILE if name != "create" or not words.isalnum()]
    if name == "timezone":
        wrong.remove("-1")  # an hour west of Greenwich
    mail = [line for words in wrong for line in [*block(COMMANDS[name], words), ""]]
    for who, address in ((player("Italy"), seats["Italy"]), (MASTER, seats["GM"]), (stranger(), BASE)):
        if name == "diary" and who == player("Italy"):
            continue  # players may write into theirs what they like
        answered(world, who, address, mail)
        assert rows(world) == before, f"{name} of {who}"


@pytest.mark.parametrize("command", [one for one in COMMANDS.values() if one.for_masters], ids=lambda one: one.name)
def test_what_is_the_gamemasters_is_refused_to_everybody_else(
    played: tuple[World, dict[str, str]], command: Command
) -> None:
    world, seats = played
    if command.name == "create":
        return
    before = rows(world)
    said = answered(world, player("Italy"), seats["Italy"], block(command, "France"))
    assert "could not be acted on" in said or "not acted on" in said.lower() or "France" in said
    answered(world, stranger(), BASE, block(command, "spring"))
    assert rows(world) == before


NEEDS_WORDS = (
    *("register", "join", "observe", "takeover", "standby", "timezone", "game", "create", "deadline", "extend"),
    *("replace", "eject", "dummy", "promote", "invite", "comment", "terminate", "rollback", "set", "why", "phase"),
)


@pytest.mark.parametrize("name", NEEDS_WORDS)
def test_a_word_that_is_missing_is_asked_for(played: tuple[World, dict[str, str]], name: str) -> None:
    world, seats = played
    before = rows(world)
    said = answered(world, MASTER, seats["GM"], [COMMANDS[name].title])
    assert "1 line could not be acted on" in said
    assert rows(world) == before


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda command: command.name)
def test_every_command_has_its_help(played: tuple[World, dict[str, str]], command: Command) -> None:
    world, seats = played
    said = answered(world, player("Italy"), seats["Italy"], [f"HELP {command.title}"])
    assert command.syntax.usage[0] in said
    assert 0 < len(command.help.summary) < 72
    assert all(len(line) <= 72 for line in command.help.text.splitlines())


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"game", "end", "orders"}))
def test_a_misspelt_command_is_answered_with_the_nearest(played: tuple[World, dict[str, str]], name: str) -> None:
    word = COMMANDS[name].title.split()[0]
    if len(word) < 5 or (wrong := word[:2] + word[3:]) in COMMANDS:
        return
    world, seats = played
    said = answered(world, player("Italy"), seats["Italy"], [wrong])
    assert "Did you mean" in said
    assert "It is written" in said
