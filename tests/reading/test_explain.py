"""`gm.inbound.explain`: each line of a mail has one row, and nothing is done."""

from __future__ import annotations

from email.utils import parseaddr

import pytest

from gm.inbound.explain import Explained, explain
from gm.reading.line import Kind as Fate
from gm.reading.rows import Row, table
from gm.store.inbox import InboxState
from tests.reading.recorder import wrong
from tests.server.world import BASE, World, body_of, player, proved, reply_to

FRANCE = player("France")


def told(world: World, to: str, text: str, sender: str = FRANCE, **more: object) -> Explained:
    """What would become of a mail that has arrived, and is not processed."""
    world.arrive(sender, to, text, **more)
    found = explain(world.service, world.inbox()[-1].id)
    assert found is not None
    return found


def short(rows: tuple[Row, ...]) -> list[str]:
    """The rows without their text and number."""
    return [f"{row.origin} {row.meaning} {row.fate.name} {row.reason}" for row in rows]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("A Par-Bur", "own order ACT done"),
        ("A Par-Mos", "own order REFUSE illegal"),
        ("A Par-Brgndyx", "own complaint REFUSE not-understood"),
        ("STATUS", "own question ACT done"),
        ("START spring", "own command REFUSE not-done"),
        ("Hello there", "own talk TALK plain"),
        ("A Par-", "own blank QUOTE unfilled-form"),
        ("I wonder about Burgundy", "own talk QUOTE like-an-order"),
        ("Tell Germany that I come", "own talk TALK plain"),
        ("PRESS TO ITALY: Hello ENDPRESS", "own press ACT done"),
        ("PRESS TO ITALY Hello ENDPRESS", "own press ASK confirm"),
    ],
)
def test_a_line_at_a_seat(world: World, seats: dict[str, str], line: str, row: str) -> None:
    assert short(told(world, seats["France"], line).rows) == [row]


def test_the_lines_around_a_quotation(world: World, seats: dict[str, str]) -> None:
    report = body_of(world.last(FRANCE)).splitlines()
    changed = {"A Par-": "A Par-Bur", "Players": "A Mar-Spa"}
    quoted = [f"> {changed.get(line, line)}" for line in report]
    text = "\n".join(["F Bre-Mao", "", "On Monday, Judge wrote:", *quoted, "", "-- ", "Ann"])
    found = told(world, seats["France"], text)
    assert [row.text for row in found.rows if row.origin == "own"] == ["A Par-Bur", "F Bre-Mao"]
    kinds = set(short(found.rows))
    assert {"own order ACT done", "program - OURS program", "ours - OURS our-lines"} <= kinds
    assert "other - TALK quoted" in kinds
    filled_in = [row for row in short(found.rows) if row.startswith("doubt order ")]
    assert len(filled_in) == 1, "an order below a sentence of ours may be the sender's: it is asked about"


def test_lines_below_end_and_of_another_game(world: World, seats: dict[str, str]) -> None:
    rows = told(world, seats["France"], "A Par-Bur\nGAME autumn\nA Mar-Spa\nEND\nF Bre-Mao\nHello").rows
    assert [(row.fate, row.reason) for row in rows] == [
        (Fate.ACT, "done"),
        (Fate.REFUSE, "other-game"),
        (Fate.REFUSE, "other-game"),
        (Fate.REFUSE, "other-game"),
        (Fate.QUOTE, "below-end"),
        (Fate.TALK, "below-end"),
    ]
    assert [row.target for row in rows[:3]] == ["spring", "autumn", "autumn"]


def test_a_heading_names_the_phase(world: World, seats: dict[str, str]) -> None:
    (row,) = told(world, seats["France"], "F1901M: A Par-Bur").rows
    assert row.target == "spring F1901M"


def test_an_answer_and_the_mail_that_it_releases(world_at_level: World, level: str) -> None:
    world = world_at_level
    seats = world.started()
    world.arrive("stranger@example.net", seats["France"], "A Par-Bur\nHello")
    world.work()
    asked = world.last(FRANCE)
    world.arrive(FRANCE, reply_to(asked), "YES", headers=proved(FRANCE))
    found = explain(world.service, world.inbox()[-1].id)
    assert found is not None
    assert short(found.rows) == ["own - ACT answer"]
    assert short(found.released) == ["own order ACT done", "own talk TALK greeting"]


def test_nothing_is_done(world: World, seats: dict[str, str]) -> None:
    told(world, seats["France"], "A Par-Bur")
    assert world.inbox()[-1].state is InboxState.NEW
    assert not world.game().orders


def test_there_is_no_such_mail(world: World) -> None:
    assert explain(world.service, 99) is None


def test_a_robot_is_not_read(world: World, seats: dict[str, str]) -> None:
    found = told(world, seats["France"], "A Par-Bur", headers={"Auto-Submitted": "auto-replied"})
    assert (found.state, short(found.rows)) == (InboxState.IGNORED, ["own - TALK ignored"])


def test_what_is_contrary_to_the_rule_is_named() -> None:
    def row(meaning: str, fate: Fate, reason: str, text: str = "A Par-Bur") -> Row:
        return Row(1, "own", meaning, "-", fate, reason, text)

    assert not [*wrong([row("order", Fate.ACT, "done"), row("talk", Fate.TALK, "plain")])]
    assert [*wrong([row("order", Fate.TALK, "lost")])] == ["silent: own order: A Par-Bur"]
    ready = row("command", Fate.ACT, "done", "READY")
    assert [*wrong([ready, row("order", Fate.QUOTE, "apart")])] == ["READY is done beside: apart: A Par-Bur"]


def test_rows_stand_in_columns(world: World) -> None:
    rows = told(world, BASE, "LIST\nHello").rows
    head, *lines = table(rows, head=True)
    assert head.split() == ["line", "origin", "meaning", "target", "fate", "reason", "text"]
    assert [line.index(row.text) for line, row in zip(lines, rows, strict=True)] == [head.index("text")] * 2
    assert parseaddr(BASE)[1]
