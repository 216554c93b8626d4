"""The mails of docs/gamemaster.md are sent, those of a first game in their order: each is answered as the page says."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from gm import folder
from tests.server.world import BASE, World, player, proved, reply_to, text_of

_FIRST, _, _REST = (folder("docs") / "gamemaster.md").read_text(encoding="utf-8").partition("## All commands")
_PAGE = _REST.partition("## What to write when")[2]
_SITUATIONS = dict(re.findall(r"^### (.+)\n((?:(?!###).*\n)*)", _PAGE, re.MULTILINE))
MASTER = "master@example.org"


def test_a_first_game_goes_as_the_page_says(world: World) -> None:
    played = re.findall(r"((?:^        .*\n)+)\n^    > (.*)$", _FIRST, re.MULTILINE)
    assert len(played) == 6
    seat = BASE
    for mail, answer in played:
        said = world.send(MASTER, seat, dedent(mail), headers=proved(MASTER))
        assert answer in text_of(said)
        if seat == BASE:
            seat = reply_to(said)
        for guest in ("ann@example.org", "bob@example.org") if "INVITE" in mail else ():
            world.accepts(guest)
    assert world.game().over
    assert player("France") not in world.mailboxes


@pytest.mark.parametrize("situation", _SITUATIONS)
def test_a_situation_goes_as_the_page_says(world: World, situation: str) -> None:
    seat = world.started(options="at=18:00")["GM"]
    played = re.findall(r"((?:^    .*\n)+)\n^> (.*)$", _SITUATIONS[situation], re.MULTILINE)
    assert played
    for mail, answer in played:
        lines = "\n".join(line.removeprefix("    ") for line in mail.split("\n"))
        assert answer in text_of(world.send(MASTER, seat, lines))
