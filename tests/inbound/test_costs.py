"""What docs/costs.md says of many games follows from what was measured, and its counts are those of today."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.costs import BEGIN, COUNTED, END, PAGE, PROVIDER, limits, measured, read, table

pytestmark = pytest.mark.long


def made() -> str:
    """What the page says between its marks."""
    return PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]


def test_the_tables_follow_from_what_was_measured() -> None:
    assert table(read(made())) == made(), "python -m bench.costs --write"


def test_the_mails_of_a_game_are_as_many_as_the_page_says() -> None:
    today, said = measured(), read(made())
    assert [float(f"{getattr(today, name):.3g}") for name in COUNTED] == [getattr(said, name) for name in COUNTED]


def test_what_costs_more_breaks_sooner() -> None:
    said = read(made())
    assert next(iter(limits(said))) == "a provider's mailbox"
    slower = limits(replace(said, intake_ms=said.intake_ms + said.work_ms))
    assert slower["one process"] == pytest.approx(limits(said)["one process"] / 2)
    assert limits(replace(said, mails_out=PROVIDER * 2.0))["a provider's mailbox"] == 1.0
