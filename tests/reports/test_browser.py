"""Every mail in a real Chromium, as wide as a phone and as a desk, light and dark: nothing is cut off or scrolls
sideways, whether pictures are shown or not, no text is small, and all of it stands out from its ground.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from gm.board import Power
from gm.play import pictures
from gm.reports import results
from gm.reports.answers import Receipt
from gm.reports.blocks import Passage, Table
from gm.reports.render import render
from gm.variants import all_variants
from gm.variants.standard import POWERS
from tests.browser import SCHEMES, Scheme
from tests.maps.test_sizes import PHONE
from tests.reports.kinds import EVERY_KIND, FRANCE, REPORTS
from tests.server.world import BASE, World, player
from tests.variants.test_played_by_mail import mailbox, play
from tests.variants.written import WRITTEN

pytestmark = pytest.mark.long(seconds=20)

MAILS = [*EVERY_KIND, *REPORTS.values()]

BEYOND = """() => [...document.querySelectorAll('body *:not(svg *)')]
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1
        || getComputedStyle(one).display !== 'inline' && one.scrollWidth > one.clientWidth + 1)
    .map(one => one.textContent.trim().slice(0, 60))"""
"""The texts that begin or end beyond the screen, or that are wider than what shows them and scroll sideways in it."""

ILLEGIBLE = """() => {
  const canvas = document.createElement('canvas'), pen = canvas.getContext('2d', {willReadFrequently: true});
  const shown = colour => {
    pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const light = ([red, green, blue]) => {
    const part = value => value / 255 <= .03928 ? value / 255 / 12.92 : ((value / 255 + .055) / 1.055) ** 2.4;
    return .2126 * part(red) + .7152 * part(green) + .0722 * part(blue);
  };
  const page = document.createElement('i');
  page.style.background = 'Canvas';
  document.body.append(page);
  const ground = one => {
    for (; one; one = one.parentElement) {
      const colour = shown(getComputedStyle(one).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return shown(getComputedStyle(page).backgroundColor);
  };
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim(), one = texts.currentNode.parentElement;
    if (!text || !one.getClientRects().length || one.closest('style, svg')) continue;
    const style = getComputedStyle(one), both = [light(shown(style.color)), light(ground(one))];
    const contrast = (Math.max(...both) + .05) / (Math.min(...both) + .05);
    if (parseFloat(style.fontSize) < 13 || contrast < 4.5)
      found.push(`${text.slice(0, 40)}: ${style.fontSize}, contrast ${contrast.toFixed(1)}`);
  }
  page.remove();
  return found;
}"""
"""The texts of less than 13 pixels, or with a contrast below 4.5 (WCAG 2.2, 1.4.3)."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    """A page for all these tests."""
    return browser.new_page()


def resized(page: Page, scheme: Scheme, width: int = 390) -> Page:
    """The page as wide as a phone, or so wide."""
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    return page


@pytest.fixture(params=SCHEMES)
def phone(page: Page, request: pytest.FixtureRequest) -> Page:
    """A page as wide as a phone."""
    return resized(page, request.param)


def shows_all(page: Page, html: str, what: str) -> None:
    """Fails if any part of the mail is beyond the screen or scrolls sideways, or is hard to read."""
    page.set_content(html)
    assert page.evaluate(BEYOND) == [], what
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what
    assert page.evaluate(ILLEGIBLE) == [], what


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1200])
def test_every_mail_can_be_read(page: Page, width: int, scheme: Scheme) -> None:
    resized(page, scheme, width)
    for mail in MAILS:
        shows_all(page, render(mail).html, mail.subject)


PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


@pytest.mark.parametrize(("width", "shown"), [(PHONE, PHONE), (1200, 640)])
def test_a_map_is_as_wide_as_the_phone(page: Page, width: int, shown: int) -> None:
    """So the sizes that are measured in a picture of this width are those that readers see."""
    resized(page, "light", width)
    found = set[float]()
    for html in (html for mail in MAILS if "cid:" in (html := render(mail).html)):
        page.set_content(re.sub(r'src="cid:[^"]*"', f'src="{PIXEL}"', html))
        found |= set(page.evaluate("[...document.images].map(one => one.getBoundingClientRect().width)"))
    assert found == {shown}


MASTER = "master@example.org"
NAME = "Bartholomew Featherstonehaugh-Cholmondeley"
ADDRESS = "bartholomew.featherstonehaugh-cholmondeley@correspondence.players.example.org"
GAME_NAME = "a-long-and-winding-road"
ASKED = ("DASHBOARD", "SUMMARY", "HISTORY", "STATUS", "LIST ALL", "HELP", "POSITION")


def html_of(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())


@pytest.fixture(scope="module")
def long_names(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Answers in a game whose names and addresses are long, as HTML."""
    world = World(tmp_path_factory.mktemp("long"))
    seats = world.started(GAME_NAME)
    world.send(MASTER, seats["GM"], f"REPLACE France WITH {ADDRESS}")
    world.accepts(ADDRESS)
    world.send(ADDRESS, BASE, f"REGISTER {NAME}")
    world.send(player("Italy"), seats["Italy"], "A VEN-TYR\nA ROM-VEN\nF NAP-ION\nREADY")
    world.send(MASTER, seats["GM"], f"INVITE {ADDRESS.replace('featherstone', 'cornerstone')}\nPROCESS S1901M")
    answers = {line: world.send(MASTER, seats["GM"], line) for line in ASKED}
    answers |= {"WHOAMI": world.send(ADDRESS, BASE, "WHOAMI")}
    world.database.dispose()
    return {line: html_of(mail) for line, mail in answers.items()}


@pytest.mark.parametrize("line", [*ASKED, "WHOAMI"])
def test_answers_with_long_names_can_be_read_on_a_phone(phone: Page, long_names: Mapping[str, str], line: str) -> None:
    shows_all(phone, long_names[line], line)


@pytest.mark.parametrize("powers", [POWERS, tuple(Power(f"Power {power}") for power in POWERS)], ids=["brief", "whole"])
def test_fifteen_years_can_be_read_on_a_phone(phone: Page, powers: tuple[Power, ...]) -> None:
    history = tuple((year, dict.fromkeys(powers, year - 1900)) for year in range(1901, 1916))
    table = Table(
        results.years(history, results.coloured(powers, {})),
        headed=True,
        title="Supply centres at the end of each year:",
    )
    shows_all(phone, render(Receipt(FRANCE, parts=(Passage("Summary of spring", (table,)),))).html, "years")


@pytest.mark.parametrize("name", WRITTEN)
def test_what_a_player_of_each_game_gets_can_be_read_on_a_phone(
    page: Page, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "_figure", lambda _: None)  # the size of a picture is not what is asked here
    world = World(tmp_path, limits=0)
    play(world, all_variants()[name], Random(13))
    mails = world.mailboxes[mailbox(world.game("dice").powers[0])]
    world.database.dispose()
    for scheme in SCHEMES:
        resized(page, scheme)
        for mail in mails:
            shows_all(page, html_of(mail), f"{mail['Subject']}")
