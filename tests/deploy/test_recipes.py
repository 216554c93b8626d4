"""docs/recipes/: followed literally on a machine of their own, they print what the pages say."""

from __future__ import annotations

import os

import pytest

from tests.deploy import mailbox_recipe
from tests.deploy.recipes import FOLDER, followed, may_be_followed
from tests.mail.transport.dovecot import find_server

pytestmark = pytest.mark.long

MAILBOX = "mailbox"


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != MAILBOX))
def test_the_page_is_what_happens(name: str) -> None:
    for program in ("postfix", "swaks"):
        find_server(program)
    if os.geteuid() != 0 or not may_be_followed():
        pytest.xfail(
            "only root, and not in every container, can make a machine of its own: see tests/deploy/recipes.py"
        )
    page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert page == followed(name), "run `python -m tests.deploy.recipes`"


def test_a_mailbox_is_set_up_as_the_page_says() -> None:
    page = (FOLDER / f"{MAILBOX}.md").read_text(encoding="utf-8")
    assert page == mailbox_recipe.followed(), "run `python -m tests.deploy.recipes`"
