"""docs/complaints.md: each odd order and command is answered as it says; nothing is passed over."""

from __future__ import annotations

import pytest

from tests.server.complaints_page import COMMANDS, HISTORY, ORDERS, PAGE, cases, written

pytestmark = pytest.mark.long

_NOTHING = "Your mail contained no order or command, so nothing was changed. HELP shows what you can write."


def test_the_page_is_what_the_server_answers() -> None:
    assert PAGE.read_text(encoding="utf-8") == written(), "run `python -m tests.server.complaints_page`"


def test_no_order_is_passed_over() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert len(cases(ORDERS)) >= 34
    assert len(cases(COMMANDS)) + len(cases(HISTORY)) >= 60
    assert not [row for row in rows[: len(cases(ORDERS))] if row.endswith(f"{_NOTHING} |")]
