"""Whole reports, word for word. After a change that is meant, run with GM_WRITE_GOLDEN=1 and read the difference."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from gm.reports.context import PhaseReport
from gm.reports.explain import mark
from gm.reports.render import render
from gm.variants.standard import POWERS
from tests.reports.kinds import EVERY_KIND, REPORTS
from tests.reports.scenes import DUE, FALL, GAME, LAST_STAND, RETREATS, SPRING, VICTORY, WINTER, Scene, reader

GOLDEN = Path(__file__).parent / "golden"


def report(scene: Scene, power: str | None) -> PhaseReport:
    return PhaseReport(GAME, reader(power), scene.view(power), DUE, early=True)


TURNS: Mapping[str, tuple[str, object]] = {
    "spring": ("player/report", report(SPRING, "Germany")),
    "retreats": ("player/report", report(RETREATS, "France")),
    "fall": ("player/report", report(FALL, "Austria")),
    "winter": ("player/report", report(WINTER, None)),
    "last-stand": ("player/report", report(LAST_STAND, "Germany")),
    "victory": ("player/report", REPORTS["victory"]),
    "opening": ("player/opening", EVERY_KIND["player/opening"]),
    "receipt": ("player/receipt", EVERY_KIND["player/receipt"]),
    "reminder": ("player/reminder", EVERY_KIND["player/reminder"]),
    "press": ("player/press", EVERY_KIND["player/press"]),
    "status": ("player/status", EVERY_KIND["player/status"]),
}


@pytest.mark.parametrize("name", TURNS)
def test_text(name: str) -> None:
    kind, context = TURNS[name]
    made = render(kind, context)
    text = f"Subject: {made.subject}\n\n{made.text}"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("GM_WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_the_spring_turn_holds_every_outcome_of_movement() -> None:
    marks = {word for outcome in SPRING.turn().outcomes for word in mark(outcome).split(", ")}
    assert marks == {"", "bounce", "cut", "void", "dislodged", "convoy lost", "no convoy", "illegal"}


def test_observers_and_gamemasters_are_asked_for_nothing() -> None:
    observed = render("player/report", report(FALL, None))
    assert "reply with" not in observed.subject
    assert "BUILD" not in observed.text
    watching = PhaseReport(GAME, replace(reader(None), master=True), FALL.view(None), DUE)
    assert "PROCESS W1904A" in render("player/report", watching).text
    assert "PROCESS" not in observed.text


def test_who_is_out_is_told_so() -> None:
    text = render("player/report", report(LAST_STAND, "Germany")).text
    assert "You played Germany, which is out of the game." in text
    assert "Germany is eliminated, without a centre or a unit." in text


def test_a_game_that_is_over_asks_for_nothing() -> None:
    made = render("player/report", PhaseReport(GAME, reader("France"), VICTORY.view("France"), seed="ab" * 32))
    assert made.subject == "[spring] F1910M results: France has won"
    assert "Your orders" not in made.text
    assert "ab" * 32 in made.text
    assert "ab" * 32 in made.html


@pytest.mark.parametrize("power", POWERS)
def test_every_power_gets_its_own_task_and_the_same_results(power: str) -> None:
    mine, public = (render("player/report", report(FALL, reader_power)).text for reader_power in (power, None))
    start, end = "Movement results", "Position for"
    assert mine[mine.index(start) : mine.index(end)] == public[public.index(start) : public.index(end)]


def test_a_report_needs_a_turn() -> None:
    view = replace(FALL.view("France"), turn=None)
    with pytest.raises(ValueError, match="turn"):
        render("player/report", PhaseReport(GAME, reader("France"), view))


def test_the_order_in_which_orders_came_does_not_show() -> None:
    backwards = {power: ", ".join(reversed(text.split(", "))) for power, text in SPRING.orders.items()}
    other = Scene(SPRING.before, dict(reversed(backwards.items())))
    assert render("player/report", report(SPRING, "France")) == render("player/report", report(other, "France"))
