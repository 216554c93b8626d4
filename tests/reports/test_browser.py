"""Every mail in a real Chromium as wide as a phone: nothing is cut off, whether pictures are shown or not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from gm.reports.render import render
from tests.reports.kinds import EVERY_KIND, REPORTS

MAILS = [*EVERY_KIND, *REPORTS.values()]

BEYOND = """() => [...document.querySelectorAll('body *')]
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('div[style*=overflow-x], pre'))
    .map(one => one.textContent.trim().slice(0, 60))"""
"""The texts that begin or end beyond the screen, except in what can be scrolled by itself."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as play:
        yield play.chromium.launch(executable_path=found, args=["--no-sandbox"])


def test_every_mail_fits_a_phone(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    for mail in MAILS:
        page.set_content(render(mail).html)
        assert page.evaluate(BEYOND) == [], mail.subject
