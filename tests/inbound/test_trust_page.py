"""docs/trust.md: its tables agree with what the server does."""

from __future__ import annotations

import pytest

from tests.server.trust_page import tables, written


@pytest.mark.parametrize("name", tables())
def test_a_table_is_what_the_server_does(name: str) -> None:
    assert written()[name] == tables()[name], "run `python -m tests.server.trust_page`"
