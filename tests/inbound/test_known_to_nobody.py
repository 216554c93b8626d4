"""Whether somebody else has a sandbox or a practice game of some name cannot be told: by no mail, and by no page."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from gm.commands import COMMANDS
from gm.gallery import Gallery
from gm.machine.steps import drain
from tests.server.world import BASE, World, begun_by, name_of, proved, text_of

pytestmark = pytest.mark.long

ANN, BOB = "ann@example.org", "bob@example.net"
LINES = ("{command} {game}", "{command} France {game}", "GAME {game}\n{command}")
"""How a line may name a game."""
MORE = (
    *("CREATE {game}", "CREATE spring like={game}", "{game}?", "CREATE autumn\nSET like={game}", "RULES {game}"),
    *(
        "when is the deadline of {game}?",
        "LIST {game}",
        "SANDBOX {game}",
        "PRACTICE {game}",
        "RESIGN {game}",
        "STOP {game}",
    ),
)
"""And ways beside the commands."""
BEGINS = ("practice", "sandbox")
"""What is begun is random, and differs for that."""
ADDRESSES = ("gm+{game}@example.org", "gm+{game}.23456723456723456723@example.org", "gm+{game}.gm@example.org")


@pytest.fixture
def twins(tmp_path: Path) -> tuple[World, World]:
    """Two servers that differ in one thing: on the first, Ann has begun what she was refused on the other."""
    made = []
    for number, words in enumerate(("SANDBOX standard", "SANDBOX nosuch")):
        (tmp_path / str(number)).mkdir()
        world = World(tmp_path / str(number), limits=0)
        world.send(BOB, BASE, "REGISTER Bob", headers=proved(BOB))
        world.send(ANN, BASE, "REGISTER Ann", headers=proved(ANN))
        world.send(ANN, BASE, words, headers=proved(ANN))
        made.append(world)
    return made[0], made[1]


def told(world: World, to: str, text: str) -> list[str]:
    """Whether a mail of Bob is accepted, and all that Bob gets for it, without what is random in addresses."""
    before = len(world.mailboxes.get(BOB, []))
    accepted = world.arrive(BOB, to, text, headers=proved(BOB))
    world.work()
    mails = world.mailboxes.get(BOB, [])[before:]
    answers = [re.sub(r"gm\+[\w.+-]+@", "gm+@", f"{mail['Subject']}\n{text_of(mail)}") for mail in mails]
    return [str(accepted), *answers]


def test_nobody_else_can_tell_whether_it_exists(twins: tuple[World, World]) -> None:
    name = next(mail for mail in map(name_of, reversed(twins[0].mailboxes[ANN])) if mail.startswith("sandbox-"))
    assert twins[0].game(name).running
    commands = [command.upper() for command in COMMANDS if command not in BEGINS]
    every = [line.replace("{command}", command) for command in commands for line in LINES]
    for line in (*every, *MORE):
        one, other = (told(world, BASE, line.format(game=name)) for world in twins)
        assert one == other, line
    for address in ADDRESSES:
        one, other = (told(world, address.format(game=name), "STATUS") for world in twins)
        assert one == other, address


def test_its_name_is_not_guessed(tmp_path: Path) -> None:
    """The time of an answer may tell whether there is a game of some name: no name follows from others."""
    names = []
    for number in range(2):
        (tmp_path / str(number)).mkdir()
        world = World(tmp_path / str(number))
        with world.trusting():
            world.send(ANN, BASE, "REGISTER Ann")
            begun = [name_of(begun_by(world, ANN, BASE, words)) for words in ("SANDBOX", "SANDBOX NEW", "PRACTICE")]
        names += [re.fullmatch(r"(?:sandbox|practice)-([a-z2-7]{6})", name) for name in begun]
    assert all(names)
    assert len({found[1] for found in names if found}) == 3, "the key of the server is the same"


def test_no_page_tells_that_it_exists(twins: tuple[World, World], tmp_path: Path) -> None:
    pages = []
    for number, world in enumerate(twins):
        folder = tmp_path / f"site {number}"
        world.started("spring")
        drain([Gallery(world.service, folder)], partial(getattr, world, "time"))
        files = (path for path in folder.rglob("*") if path.is_file())
        pages.append({str(path.relative_to(folder)): path.read_bytes() for path in files})
    assert any("spring" in page for page in pages[0])
    assert sorted(pages[0]) == sorted(pages[1])
    assert not [page for page, written in pages[0].items() if b"sandbox-" in written]
