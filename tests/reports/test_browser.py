"""Every mail in a real Chromium, as wide as a phone and as a desk, light and dark: nothing is cut off, whether pictures
are shown or not, no text is small, and all of it stands out from its ground.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, sync_playwright

from gm.reports.render import render
from tests.reports.kinds import EVERY_KIND, REPORTS

MAILS = [*EVERY_KIND, *REPORTS.values()]

BEYOND = """() => [...document.querySelectorAll('body *')]
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('div[style*=overflow-x], pre'))
    .map(one => one.textContent.trim().slice(0, 60))"""
"""The texts that begin or end beyond the screen, except in what can be scrolled by itself."""

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

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as play:
        yield play.chromium.launch(executable_path=found, args=["--no-sandbox"])


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 1200])
def test_every_mail_can_be_read(browser: Browser, width: int, scheme: Literal["light", "dark"]) -> None:
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    for mail in MAILS:
        page.set_content(render(mail).html)
        assert page.evaluate(BEYOND) == [], mail.subject
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), mail.subject
        assert page.evaluate(ILLEGIBLE) == [], mail.subject
