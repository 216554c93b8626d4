"""Whole reports, word for word. After an intended change, run with GM_WRITE_GOLDEN=1 and read the difference."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from gm.judge.outcomes import Event
from gm.reports import in_groups
from gm.reports.answers import Receipt
from gm.reports.explain import mark
from gm.reports.game_mails import PhaseReport
from gm.reports.render import MailKind, render
from gm.variants.standard import POWERS, STANDARD
from tests.reports import kinds
from tests.reports.kinds import EVERY_KIND, REPORTS
from tests.reports.scenes import DUE, FALL, GAME, LAST_STAND, RETREATS, SPRING, VICTORY, WINTER, Scene, reader

GOLDEN = Path(__file__).parent / "golden"


def report(scene: Scene, power: str | None) -> PhaseReport:
    return kinds.report(scene.view(power), reader(power), deadline=DUE, early="orders")


def kind(template: str) -> MailKind:
    return next(mail for mail in EVERY_KIND if mail.template == template)


TURNS: Mapping[str, MailKind] = {
    "spring": report(SPRING, "Germany"),
    "retreats": report(RETREATS, "France"),
    "fall": report(FALL, "Austria"),
    "winter": report(WINTER, None),
    "last-stand": report(LAST_STAND, "Germany"),
    "victory": REPORTS["victory"],
    "opening": kind("player/opening"),
    "receipt": kind("player/receipt"),
    "reminder": kind("player/reminder"),
    "press": kind("player/press"),
    "status": Receipt(kinds.FRANCE, "status", GAME, parts=(kinds.STATUS,)),
}


@pytest.mark.parametrize("name", TURNS)
def test_text(name: str) -> None:
    made = render(TURNS[name])
    text = f"Subject: {made.subject}\n\n{made.text}"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("GM_WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_the_spring_turn_holds_every_outcome_of_movement() -> None:
    marks = {word for outcome in SPRING.turn().outcomes for word in mark(outcome, STANDARD.words).split(", ")}
    assert marks == {"", "bounce", "cut", "void", "dislodged", "convoy disrupted", "no convoy", "illegal"}


def test_observers_and_gamemasters_are_asked_for_nothing() -> None:
    observed = render(report(FALL, None))
    assert "reply with" not in observed.subject
    assert "BUILD" not in observed.text
    watching = kinds.report(FALL.view(None), replace(reader(None), master=True), deadline=DUE)
    assert "PROCESS W1904A" in render(watching).text
    assert "PROCESS" not in observed.text


def test_an_eliminated_power_is_told_so() -> None:
    text = render(report(LAST_STAND, "Germany")).text
    assert "You played Germany, which is out of the game." in text
    assert "Germany is eliminated, without a centre or a unit." in text


def test_a_game_that_is_over_asks_for_nothing() -> None:
    made = render(kinds.report(VICTORY.view("France"), seed="ab" * 32))
    assert made.subject == "[spring] F1910M results: France has won"
    assert "Your orders" not in made.text
    assert in_groups("ab" * 32) in made.text
    assert in_groups("ab" * 32) in made.html


@pytest.mark.parametrize("power", POWERS)
def test_every_power_gets_its_own_task_and_the_same_results(power: str) -> None:
    mine, public = (render(report(FALL, reader_power)).text for reader_power in (power, None))
    start, end = "Movement results", "Position for"
    theirs, ours = (text[text.index(start) : text.index(end)].splitlines() for text in (public, mine))
    headings = {"Orders that touched yours:", "Other orders:"}
    assert sorted(filter(None, theirs)) == sorted(line for line in ours if line and line not in headings)


@pytest.mark.parametrize(
    ("scene", "power", "own", "near", "far"),
    [
        (SPRING, "France", ["France"], ["England", "Germany"], [power for power in POWERS if power != "France"]),
        (SPRING, "Turkey", ["Turkey"], ["Russia"], [power for power in POWERS if power != "Turkey"]),
        (FALL, "France", ["France"], [], ["Austria", "England", "Germany", "Italy", "Russia", "Turkey"]),
    ],
)
def test_ones_own_results_come_first_then_what_touched_them(
    scene: Scene, power: str, own: list[str], near: list[str], far: list[str]
) -> None:
    groups = report(scene, power).groups
    assert [[one.power for one in group.powers] for group in groups] == [part for part in (own, near, far) if part]
    text = render(report(scene, power)).text
    assert text.index("\nCentres") < text.index(f"{power}: ")
    order = [line.partition(":")[0] for line in text.splitlines() if re.match(r"\w+: (Army|Fleet) ", line)]
    assert [power for power, _ in groupby(order)] == [*own, *near, *far]


def test_only_the_orders_that_touched_ones_own_are_shown_as_such() -> None:
    near = report(SPRING, "France").groups[1]
    assert near.heading == "Orders that touched yours"
    shown = {f"{one.power}: {line.order}" for one in near.powers for line in one.lines}
    assert shown == {
        "England: Fleet English Channel CONVOY Army London -> Belgium",  # where a fleet of France went
        "Germany: Army Burgundy -> Paris",
    }


def test_results_are_rendered_once_for_all_who_see_the_same() -> None:
    bulletin = report(SPRING, "France").bulletin
    reports = [replace(report(SPRING, power), bulletin=bulletin) for power in ("France", "Turkey")]
    for mail in reports:
        render(mail)
    parts = [{id(one): one.rendered for group in mail.groups for one in group.powers} for mail in reports]
    assert len(parts[0].keys() & parts[1].keys()) >= len(POWERS) - 3, "only a power with orders of both kinds is not"


def test_a_report_needs_a_turn() -> None:
    view = replace(FALL.view("France"), turn=None)
    with pytest.raises(ValueError, match="turn"):
        render(kinds.report(view))


def test_the_order_in_which_orders_came_does_not_show() -> None:
    backwards = {power: ", ".join(reversed(text.split(", "))) for power, text in SPRING.orders.items()}
    other = Scene(SPRING.before, dict(reversed(backwards.items())))
    assert render(report(SPRING, "France")) == render(report(other, "France"))


# ---- the headline


def test_who_sent_no_orders_reads_that_first_and_nobody_else_reads_it_of_them() -> None:
    """And with what follows; who sent some reads how these went."""
    said = {str(power): report(SPRING, power).headline[0] for power in POWERS}
    assert said["Turkey"] == "You sent no orders, so the units held."
    assert not [power for power in POWERS if power != "Turkey" and "You sent no orders" in said[power]]
    assert "You sent no orders" not in " ".join(report(SPRING, None).headline)


def test_what_happened_to_the_reader_comes_before_what_happened_to_others() -> None:
    """Of more events than are told one by one."""
    turn = replace(SPRING.turn(), events=tuple(Event("won", {"empire": power, "units": 1}) for power in POWERS))
    words = replace(SPRING.view("Turkey").words, events={"won": lambda event, _: f"{event.facts['empire']} won."})
    view = replace(SPRING.view("Turkey"), turn=turn, words=words)
    assert "Turkey won. Austria won. And five more events" in " ".join(kinds.report(view, reader("Turkey")).headline)
    assert "Austria won. England won. And five more" in " ".join(kinds.report(view, reader(None)).headline)
