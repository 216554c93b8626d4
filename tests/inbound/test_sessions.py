"""docs/sessions/: three games in mails are as the server plays them."""

from __future__ import annotations

import pytest

from tests.server.sessions import FOLDER, PAGES, written

pytestmark = pytest.mark.long


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_what_the_server_does(name: str) -> None:
    page = FOLDER / f"{name}.md"
    assert page.read_text(encoding="utf-8") == written(name), "run `python -m tests.server.sessions`"
