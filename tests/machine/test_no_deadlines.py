"""Games without deadlines: a phase ends when all have ordered, or when the gamemaster decides; every mail says so."""

from __future__ import annotations

import re

import pytest

from gm.errors import NotUnderstood
from gm.options import read_options
from gm.variants.standard import POWERS
from tests.server.kept import kept
from tests.server.world import BASE, OPENINGS, World, player, reply_to, text_of

MASTER = "master@example.org"
NONE = re.compile(
    "there is no deadline|deadlines none|no deadlines|DEADLINE in 48h sets them a deadline|DEADLINE and a time",
    re.IGNORECASE,
)
"""What a gamemaster may write, and what says that there is none."""
ENDS = {
    "ready": "once all who have orders to give have said READY, or when the gamemaster decides",
    "orders": "once all orders are in and nobody has said WAIT, or when the gamemaster decides",
    "no": "when the gamemaster decides",
}


def begun(world: World, early: str = "orders") -> dict[str, str]:
    return world.started("spring", f"deadlines=none early={early}")


@kept
def order_all(world: World, seats: dict[str, str], *but: str) -> None:
    for power in POWERS:
        if power not in but:
            world.send(player(power), seats[power], OPENINGS[power])


@pytest.mark.parametrize("early", list(ENDS))
def test_no_mail_names_a_deadline(world: World, early: str) -> None:
    seats = begun(world, early)
    order_all(world, seats, "Turkey")
    for line in ("WAIT", "READY", "STATUS", "LIST", "ABSENCE 2026-11-21 TO 2026-11-30", "POSITION", "MY ORDERS"):
        world.send(player("Italy"), seats["Italy"], line)
    world.send(player("Italy"), seats["Italy"], "PRESS TO ALL\nHello.\nENDPRESS")
    world.send(MASTER, seats["GM"], "STATUS\nDASHBOARD\nPREVIEW")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert world.phase() == "F1901M"
    world.pass_time(days=60)
    assert world.phase() == "F1901M"
    assert world.game().due_at is None
    for mail in world.mailboxes[player("Italy")] + world.mailboxes[MASTER]:
        said = f"{mail['Subject']} {text_of(mail)}"
        if "Its main options:" in said or "You have a seat" in said:
            continue
        assert not re.search(r"\b(?:by|due|deadline is|until) (?:\w+, )?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b", said), said
        assert "deadline" not in NONE.sub("", said).lower(), said
        assert not [part for part in mail.iter_attachments() if part.get_filename() == "deadline.ics"]


@pytest.mark.parametrize(("early", "words"), ENDS.items())
def test_the_report_the_status_and_the_terms_say_when_a_phase_ends(world: World, early: str, words: str) -> None:
    seats = begun(world, early)
    opening = world.last(player("Italy"))
    assert str(opening["Subject"]).endswith("S1901M: the game begins, you are Italy, reply with your orders")
    sentence = f"There is no deadline: the phase is adjudicated {words}."
    assert sentence in text_of(opening)
    assert f"Deadlines none: the phase is adjudicated {words}" in text_of(opening)
    for who, line in (("Italy", "STATUS"), ("GM", "STATUS"), ("GM", "DASHBOARD")):
        sender = MASTER if who == "GM" else player(who)
        assert sentence in text_of(world.send(sender, seats[who], line))
    assert "no deadlines" in text_of(world.send("eve@example.net", BASE, "LIST"))


def test_a_phase_ends_when_all_have_ordered(world: World) -> None:
    seats = begun(world)
    order_all(world, seats, "Turkey")
    world.pass_time(days=200)
    assert world.phase() == "S1901M"
    said = text_of(world.send(player("Turkey"), seats["Turkey"], OPENINGS["Turkey"]))
    assert "adjudicated now" in said
    assert world.phase() == "F1901M"
    assert world.game().due_at is None


def test_a_phase_ends_when_all_are_ready(world: World) -> None:
    seats = begun(world, "ready")
    order_all(world, seats)
    assert world.phase() == "S1901M"
    for power in POWERS[:-1]:
        said = text_of(world.send(player(power), seats[power], "READY"))
        assert "You are READY. There is no deadline: the phase is adjudicated once all who have orders to give" in said
    assert "not adjudicated before you say READY" in text_of(
        world.send(player("Italy"), seats["Italy"], "WAIT")
    ) or "before you say READY" in text_of(world.last(player("Italy")))
    world.send(player(POWERS[-1]), seats[POWERS[-1]], "READY")
    assert world.phase() == "S1901M"
    world.send(player("Italy"), seats["Italy"], "READY")
    assert world.phase() == "F1901M"


def test_the_gamemaster_can_set_a_deadline_for_one_phase(world: World) -> None:
    seats = begun(world)
    assert "has no deadline" in text_of(world.send(MASTER, seats["GM"], "EXTEND 24h"))
    assert "has no deadline" in text_of(world.send(player("Italy"), seats["Italy"], "EXTEND 24h"))
    world.send(MASTER, seats["GM"], "DEADLINE in 48h")
    assert "The deadline is" in text_of(world.last(player("Italy")))
    said = text_of(world.send(MASTER, seats["GM"], "UNDO"))
    assert "There is no deadline again." in said
    assert not world.game().paused
    world.send(MASTER, seats["GM"], "DEADLINE in 48h")
    world.pass_time(hours=49)
    assert world.phase() == "F1901M"
    assert world.game().due_at is None


def test_a_pause_keeps_a_phase_open(world: World) -> None:
    seats = begun(world)
    world.send(MASTER, seats["GM"], "PAUSE")
    assert "No phase ends until it is resumed" in text_of(world.last(player("Italy")))
    order_all(world, seats)
    assert world.phase() == "S1901M"
    assert "The game is resumed. There is no deadline" in text_of(world.send(MASTER, seats["GM"], "RESUME"))
    assert world.phase() == "F1901M"


def test_rollback_leaves_it_without_a_deadline(world: World) -> None:
    seats = begun(world)
    order_all(world, seats)
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    assert (world.phase(), world.game().due_at) == ("S1901M", None)
    world.send(MASTER, seats["GM"], "ROLLFORWARD")
    assert (world.phase(), world.game().due_at) == ("F1901M", None)


def test_deadlines_go_and_come_by_set(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], "SET deadlines=none")
    assert world.game().due_at is None
    (calendar,) = [
        one for one in world.last(player("Italy")).iter_attachments() if one.get_filename() == "deadline.ics"
    ]
    assert "METHOD:CANCEL" in calendar.get_content().replace("\r", "")
    world.send(MASTER, seats["GM"], "SET deadlines=yes")
    assert world.game().due_at is not None
    assert "The deadline is" in text_of(world.last(player("Italy")))


def test_orders_taken_back_before_the_last_came_keep_the_phase_open(world: World) -> None:
    seats = begun(world)
    order_all(world, seats, "Turkey")
    world.arrive(player("Italy"), seats["Italy"], "WAIT")
    world.send(player("Turkey"), seats["Turkey"], OPENINGS["Turkey"])
    assert world.phase() == "S1901M"
    assert world.game().due_at is None


def test_a_digest_waits_for_its_hour(world: World) -> None:
    seats = begun(world)
    world.send(player("Italy"), seats["Italy"], "PREFERENCES digest=07:00")
    before = len(world.mailboxes[player("Italy")])
    order_all(world, seats, "Italy")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert len(world.mailboxes[player("Italy")]) == before
    world.pass_time(hours=24)
    digest = world.last(player("Italy"))
    assert "reply with your F1901M orders" in f"{digest['Subject']} {text_of(digest)}" or "F1901M" in text_of(digest)
    assert "There is no deadline: the phase is adjudicated" in text_of(digest)


def test_a_game_in_which_timing_must_tell_nothing_has_deadlines() -> None:
    with pytest.raises(NotUnderstood, match="so that timing tells nothing"):
        read_options({"variant": "among-us", "deadlines": "none"})


def test_the_answer_to_join_promises_none(world: World) -> None:
    world.send(MASTER, BASE, "CREATE club deadlines=none")
    answer = world.send("ann@players.example", BASE, "JOIN club")
    assert "the first report, with the map. Until then" in text_of(answer)
    assert reply_to(answer)
