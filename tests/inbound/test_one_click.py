"""Mail that is ended by one click (RFC 8058), as a mail provider posts it for its reader."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from functools import partial
from urllib.parse import urlencode

import pytest

from gm.inbound.one_click import page, unsubscribe
from gm.server.metrics import MetricsPage
from gm.settings import Level, MetricsSettings, TrustSettings
from tests.inbound.test_manners import sent_as_it_stands
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


def path_of(world: World, who: str = WATCHER) -> str:
    """The last part of the address in the newest mail to the observer, or to another."""
    mail = world.last(who)
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


@pytest.mark.parametrize("level", ["open", "normal", "strict"])
def test_nobody_asks_again_before_reminders_end(world: World, seats: dict[str, str], level: Level) -> None:
    identity = world.service.identity
    object.__setattr__(identity, "click_address", AT)
    object.__setattr__(identity, "trust", TrustSettings(level=level))
    world.pass_time(days=6, hours=1)
    who = player("France")
    assert "reminder" in str(world.last(who)["Subject"])
    assert unsubscribe(world.service, path_of(world, who), FORM)
    world.work()
    assert str(world.last(who)["Auto-Submitted"]) == "auto-replied", "it is done, and not asked about"
    before = len(world.mailboxes[who])
    world.pass_time(days=10)
    assert not ["reminder" for mail in world.mailboxes[who][before:] if "reminder" in str(mail["Subject"])]


def test_nothing_ends_by_another_path_or_other_words(clicking: World) -> None:
    path = path_of(clicking)
    inbox = len(clicking.inbox())
    for wrong in (path[:-1], path + "a", path.replace("/", "/a"), "/", "", "/.", "/\u00e9.\u00e9"):
        assert not unsubscribe(clicking.service, wrong, FORM), wrong
    assert not unsubscribe(clicking.service, path, b"")
    assert not unsubscribe(clicking.service, path, b"x=1")
    assert len(clicking.inbox()) == inbox


def test_the_page_of_metrics_takes_what_is_posted_and_shows_a_button_that_posts_it(clicking: World) -> None:
    path = path_of(clicking)
    service = clicking.service
    clicked, opened = partial(unsubscribe, service), partial(page, service)
    inbox = len(clicking.inbox())
    with MetricsPage(MetricsSettings(port=0), service, clicked=clicked, opened=opened) as pages:
        here = f"http://127.0.0.1:{pages.port}/unsubscribe"
        for wrong in (urllib.request.Request(f"{here}{path}a"), here, urllib.request.Request(here, FORM)):
            with pytest.raises(urllib.error.HTTPError, match="404") as refused:
                urllib.request.urlopen(wrong, timeout=HANGING)
            assert b"STOP" in refused.value.read()
        with urllib.request.urlopen(f"{here}{path}?x=1", timeout=HANGING) as shown:
            assert "frame-ancestors 'none'" in shown.headers["Content-Security-Policy"]
            form = re.search(
                r'<form method="post"><input type="hidden" name="(.+?)" value="(.+?)">', shown.read().decode()
            )
        assert len(clicking.inbox()) == inbox, "to look at it changes nothing"
        assert form is not None
        with urllib.request.urlopen(here + path, urlencode({form[1]: form[2]}).encode(), timeout=HANGING) as answer:
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
