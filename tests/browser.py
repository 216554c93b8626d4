"""A real browser for the tests; a plug-in, named in tests/conftest.py. Where Chromium is missing they are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")

expect.set_options(timeout=60_000)  # what a page shall show is waited for in milliseconds: a busy machine is no failure


@pytest.fixture(scope="module")  # while it runs, its thread cannot run anything else with asyncio
def browser() -> Iterator[Browser]:
    """Chromium. A new page starts processes, which takes longer than most of what is asked of it: where tests do not
    disturb one another, one page serves them all."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=found, args=["--no-sandbox"])  # our own pages only
        yield browser
        browser.close()
