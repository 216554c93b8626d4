"""Servers that share one PostgreSQL, each killed once in mid-work; `python -m tests.cli.machines` is the full test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from gm.cli import main
from gm.operation import Part
from tests.cli.machines import SHARED, WHOLE, Fleet
from tests.cli.server import Running
from tests.databases import fresh_postgresql

pytestmark = pytest.mark.long


@pytest.mark.parametrize("parts", [SHARED, WHOLE], ids=["shared", "whole"])
def test_servers_that_are_killed_lose_nothing_and_do_nothing_twice(
    tmp_path: Path, postgresql_server: str, parts: Sequence[tuple[str, bool]]
) -> None:
    fleet = Fleet(tmp_path / "home", fresh_postgresql(postgresql_server, "template1"), parts)
    outcome = fleet.run(mails=40, games=1, rounds=3)
    assert outcome.faults == [], str(outcome)
    assert (outcome.kills, outcome.phases) == (len(parts), 3)
    assert outcome.tries > outcome.posted, "no mail was posted while a server was away"


def test_servers_of_one_part_each_wake_each_other(tmp_path: Path, postgresql_server: str) -> None:
    """None would look by itself in this hour."""
    parts = [(part, False) for part in Part]
    fleet = Fleet(tmp_path / "home", fresh_postgresql(postgresql_server, "template1"), parts, poll=3600)
    outcome = fleet.run(mails=30, games=1, rounds=2, kills=False)
    assert outcome.faults == [], str(outcome)
    assert (outcome.posted, outcome.phases) == (30, 2)


@pytest.mark.parametrize(
    ("only", "said"), [("reports", "With a SQLite file one `gm serve` does everything"), ("press", "'press' is not a")]
)
def test_parts_are_refused_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str], only: str, said: str) -> None:
    home = Running(tmp_path / "home").home
    try:
        refused = main(["serve", "--home", str(home), "--only", only])
    except SystemExit as left:
        refused = int(str(left.code))
    assert refused
    assert said in capsys.readouterr().err
