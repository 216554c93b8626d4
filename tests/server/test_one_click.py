"""Mail that is ended by one click (RFC 8058), as a mail provider posts it for its reader."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from functools import partial

import pytest

from gm.server.metrics import MetricsPage
from gm.server.one_click import unsubscribe
from gm.settings import MetricsSettings
from tests.server.test_manners import sent_as_it_stands
from tests.server.world import BASE, World, player, text_of
from tests.timing import HANGING

AT = "https://games.example.org/unsubscribe"
FORM = b"List-Unsubscribe=One-Click"
PARTS = b'--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
WATCHER = "watcher@example.net"


@pytest.fixture
def clicking(world: World, seats: dict[str, str]) -> World:
    """A server with such an address, and an observer."""
    object.__setattr__(world.service.identity, "click_address", AT)
    world.send(WATCHER, BASE, "OBSERVE spring")
    world.send("master@example.org", seats["GM"], "OFFICIAL\nNews\nENDOFFICIAL")
    return world


def path_of(world: World) -> str:
    """The last part of the address in the newest mail to the observer."""
    mail = world.last(WATCHER)
    assert mail["List-Unsubscribe-Post"] == FORM.decode()
    found = re.fullmatch(rf"<{re.escape(AT)}(/[\w.-]+)>, <mailto:[^<>]+>", str(mail["List-Unsubscribe"]))
    assert found is not None
    return found[1]


@pytest.mark.parametrize("posted", [FORM, PARTS])
def test_one_click_does_what_the_mail_would(clicking: World, posted: bytes) -> None:
    path = path_of(clicking)
    assert unsubscribe(clicking.service, f"/unsubscribe{path}", posted)
    clicking.work()
    assert "no longer observe" in text_of(clicking.last(WATCHER))
    before = len(clicking.mailboxes[WATCHER])
    assert unsubscribe(clicking.service, path, posted)
    clicking.work()
    assert len(clicking.mailboxes[WATCHER]) == before, "posted again"


def test_nothing_ends_by_another_path_or_other_words(clicking: World) -> None:
    path = path_of(clicking)
    inbox = len(clicking.inbox())
    for wrong in (path[:-1], path + "a", path.replace("/", "/a"), "/", "", "/.", "/\u00e9.\u00e9"):
        assert not unsubscribe(clicking.service, wrong, FORM), wrong
    assert not unsubscribe(clicking.service, path, b"")
    assert not unsubscribe(clicking.service, path, b"x=1")
    assert len(clicking.inbox()) == inbox


def test_the_page_of_metrics_takes_what_is_posted_and_shows_nothing_there(clicking: World) -> None:
    path = path_of(clicking)
    service = clicking.service
    with MetricsPage(MetricsSettings(port=0), service, clicked=partial(unsubscribe, service)) as page:
        here = f"http://127.0.0.1:{page.port}/unsubscribe"
        for wrong in (urllib.request.Request(here + path), urllib.request.Request(here, FORM)):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(wrong, timeout=HANGING)
        with urllib.request.urlopen(here + path, FORM, timeout=HANGING) as answer:
            assert answer.status == 200
    clicking.work()
    assert "no longer observe" in text_of(clicking.last(WATCHER))


def test_an_answer_has_no_such_address_and_the_link_beside_it_is_a_mail_as_ever(clicking: World) -> None:
    mail = clicking.last(WATCHER)
    answer = clicking.send(player("France"), BASE, "HELP")
    assert answer["List-Unsubscribe-Post"] is None
    assert answer["List-Unsubscribe"] is None
    plain = str(mail["List-Unsubscribe"]).partition(", ")[2]
    mail.replace_header("List-Unsubscribe", plain)
    assert "no longer observe" in text_of(sent_as_it_stands(clicking, WATCHER, mail))
