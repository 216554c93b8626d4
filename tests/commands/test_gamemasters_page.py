"""The situations in docs/gamemaster.md are played: each mail is answered as the page says."""

from __future__ import annotations

import re

import pytest

from gm import folder
from tests.server.world import World, text_of

_PAGE = (folder("docs") / "gamemaster.md").read_text(encoding="utf-8").partition("## What to write when")[2]
_SITUATIONS = dict(re.findall(r"^### (.+)\n((?:(?!###).*\n)*)", _PAGE, re.MULTILINE))


@pytest.mark.parametrize("situation", _SITUATIONS)
def test_a_situation_goes_as_the_page_says(world: World, situation: str) -> None:
    seat = world.started(options="at=18:00")["GM"]
    played = re.findall(r"((?:^    .*\n)+)\n^> (.*)$", _SITUATIONS[situation], re.MULTILINE)
    assert played
    for mail, answer in played:
        lines = "\n".join(line.removeprefix("    ") for line in mail.split("\n"))
        assert answer in text_of(world.send("master@example.org", seat, lines))
