"""The operator is told that a mailbox cannot be read, and that it can be again, once each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import pytest

from gm.machine.mailboxes import LOOKED_AT, PASSES_BY_ITSELF, Mailboxes
from gm.server.episodes import MOST_EPISODES
from tests.server.world import World, text_of

OPERATOR = "operator@example.org"
REFUSED = "The log-in was refused; correct user and password in [imap]."


@dataclass
class Folder:
    """A folder of which the test says what is wrong."""

    trouble: str = ""
    taken: bool = False
    name: str = "imap gm@imap.example.org/INBOX"


class Site:
    """A server that looks at a folder."""

    def __init__(self, world: World, *names: str) -> None:
        self.world = world
        self.folders = [Folder(name=name) for name in names] or [Folder()]
        self.restart()

    def restart(self) -> None:
        self.looks = Mailboxes(self.world.service, self.folders)

    def passes(self, span: timedelta) -> None:
        """The time passes, and the folder is looked at as often as it asks to be."""
        end = self.world.time + span
        while self.world.time < end:
            wakes = self.looks.step(self.world.time)
            assert wakes == self.world.time + LOOKED_AT
            self.world.time = wakes
        self.world.work()

    def told(self) -> list[str]:
        return [str(mail["Subject"]) + "\n" + text_of(mail) for mail in self.world.mailboxes.get(OPERATOR, [])]


@pytest.fixture
def site(world: World) -> Site:
    return Site(world)


def test_the_operator_is_told_once_and_once_that_it_is_over(site: Site) -> None:
    (folder,) = site.folders
    folder.trouble = REFUSED
    site.passes(3 * PASSES_BY_ITSELF)
    (told,) = site.told()
    assert "gm@imap.example.org/INBOX" in told
    assert REFUSED in told
    folder.trouble = ""
    site.passes(PASSES_BY_ITSELF)
    _, over = site.told()
    assert "is read again" in over
    site.passes(PASSES_BY_ITSELF)
    assert len(site.told()) == 2


UNMOVED = "Message 7 was accepted, but cannot be moved to the folder 'Done' ([CANNOT] read-only)."


def test_mail_that_is_only_not_moved_away_is_no_mailbox_that_is_not_read(site: Site) -> None:
    (folder,) = site.folders
    folder.trouble, folder.taken = UNMOVED, True
    site.passes(2 * PASSES_BY_ITSELF)
    (told,) = site.told()
    assert "not been read" not in told
    assert "none is acted on twice" in told
    assert UNMOVED in told
    folder.trouble, folder.taken = REFUSED, False
    site.passes(2 * PASSES_BY_ITSELF)
    assert "has not been read since" in site.told()[-1]
    folder.trouble, folder.taken = "", True
    site.passes(PASSES_BY_ITSELF)
    over = " ".join(site.told()[2:])
    assert ("is read again" in over, "is moved away again" in over, len(site.told())) == (True, True, 4)


def test_what_passes_by_itself_is_not_told(site: Site) -> None:
    for _ in range(3):
        site.folders[0].trouble = "The connection failed."
        site.passes(PASSES_BY_ITSELF - LOOKED_AT)
        site.folders[0].trouble = ""
        site.passes(LOOKED_AT)
    assert site.told() == []


def test_a_restart_changes_nothing(site: Site) -> None:
    site.folders[0].trouble = REFUSED
    site.passes(2 * PASSES_BY_ITSELF)
    site.restart()
    site.passes(2 * PASSES_BY_ITSELF)
    assert len(site.told()) == 1
    site.folders[0].trouble = ""
    site.restart()
    site.passes(LOOKED_AT)
    assert len(site.told()) == 2


def test_each_folder_is_told_of(world: World) -> None:
    site = Site(world, "imap one", "imap two")
    site.folders[1].trouble = REFUSED
    site.passes(2 * PASSES_BY_ITSELF)
    (told,) = site.told()
    assert "The mailbox two" in told
    site.folders[0].trouble = REFUSED
    site.passes(2 * PASSES_BY_ITSELF)
    assert len(site.told()) == 2


def test_a_mailbox_that_comes_and_goes_is_told_of_a_few_times_a_day(site: Site) -> None:
    for _ in range(MOST_EPISODES + 2):
        site.folders[0].trouble = REFUSED
        site.passes(2 * PASSES_BY_ITSELF)
        site.folders[0].trouble = ""
        site.passes(LOOKED_AT)
    assert len(site.told()) == 2 * MOST_EPISODES
    site.world.time += timedelta(days=1)
    site.folders[0].trouble = REFUSED
    site.passes(2 * PASSES_BY_ITSELF)
    assert len(site.told()) == 2 * MOST_EPISODES + 1


def test_a_server_without_a_mailbox_looks_at_nothing(world: World) -> None:
    assert Mailboxes(world.service, []).step(world.time) is None
