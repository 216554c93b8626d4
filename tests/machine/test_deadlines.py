"""Phases are closed at their deadline, once, or as soon as every order is in."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote

from gm.board import Power, Province
from gm.machine.deadlines import catch_up, close_next
from gm.position import STANDARD_KINDS, position_from_json, position_to_json
from gm.reports import in_groups
from gm.settings import ClockSettings
from gm.store.game_rows import GameState
from gm.variants.standard import POWERS
from tests.machine.test_maps import html_of
from tests.server.kept import kept
from tests.server.world import BASE, OPENINGS, START, World, player, reply_to, text_of

SEVENTEEN = (
    "nap",
    "rom",
    "ber",
    "kie",
    "lon",
    "lvp",
    "edi",
    "bel",
    "hol",
    "den",
    "swe",
    "nwy",
    "spa",
    "tun",
    "gre",
    "por",
    "ser",
)


@kept
def order_all(world: World, seats: dict[str, str], but: str = "") -> None:
    for power, orders in OPENINGS.items():
        if power != but:
            world.send(player(power), seats[power], orders)


def test_the_deadline_closes_the_phase_with_what_is_in(world: World, seats: dict[str, str]) -> None:
    world.send(player("France"), seats["France"], OPENINGS["France"])
    world.pass_time(days=6, hours=23)
    assert world.phase() == "S1901M"
    world.pass_time(hours=2)
    assert world.phase() == "F1901M"
    report = text_of(world.last(player("Turkey")))
    assert "Burgundy" in report or "Bur" in report
    assert "sent no orders (NMR), so the units held" in " ".join(report.split())


def test_all_orders_in_closes_the_phase_at_once(world: World, seats: dict[str, str]) -> None:
    order_all(world, seats)
    assert world.phase() == "F1901M"
    report = text_of(world.last(player("Austria")))
    assert "Galicia" in report or "Gal" in report


def test_wait_holds_the_phase_and_ready_lets_it_go(world: World, seats: dict[str, str]) -> None:
    order_all(world, seats, but="France")
    world.send(player("France"), seats["France"], "WAIT\n" + OPENINGS["France"])
    assert world.phase() == "S1901M"
    world.send(player("France"), seats["France"], "READY")
    assert world.phase() == "F1901M"


def test_orders_are_a_draft_until_everybody_has_said_ready(world: World) -> None:
    seats = world.started("draft", "early=ready")
    order_all(world, seats)
    assert world.phase("draft") == "S1901M", "complete orders are no promise"
    receipt = world.last(player("France"))
    assert "If they are final, reply READY" in " ".join(text_of(receipt).split())
    (link,) = re.findall(r'href="(mailto:[^"]*READY[^"]*)"', html_of(receipt))
    assert link.startswith(f"mailto:{quote(seats['France'], safe='@')}?")
    for power in POWERS:
        assert world.phase("draft") == "S1901M"
        said = text_of(world.send(player(power), seats[power], "READY"))
    assert "the phase is adjudicated now" in said
    assert world.phase("draft") == "F1901M"


@kept
def all_ready(world: World, but: str) -> dict[str, str]:
    """A game in which orders are drafts: the seats. All have ordered, and said READY but one."""
    seats = world.started("draft", "early=ready")
    order_all(world, seats)
    for power in POWERS:
        if power != but:
            world.send(player(power), seats[power], "READY")
    return seats


def test_who_is_ready_may_still_change_orders_and_their_mind(world: World) -> None:
    seats = all_ready(world, but="Turkey")
    changed = text_of(world.send(player("France"), seats["France"], "A PAR-PIC"))
    assert "You said READY" in changed
    assert "not be adjudicated before" in text_of(world.send(player("France"), seats["France"], "WAIT"))
    world.send(player("Turkey"), seats["Turkey"], "READY")
    assert world.phase("draft") == "S1901M"
    world.send(player("France"), seats["France"], "READY")
    assert world.phase("draft") == "F1901M"


def test_clear_takes_ready_back(world: World) -> None:
    seats = all_ready(world, but="Turkey")
    world.send(player("France"), seats["France"], "CLEAR")
    world.send(player("France"), seats["France"], OPENINGS["France"])
    world.send(player("Turkey"), seats["Turkey"], "READY")
    assert world.phase("draft") == "S1901M"


def test_a_new_player_has_not_said_ready(world: World) -> None:
    seats = all_ready(world, but="Turkey")
    world.send(player("France"), seats["France"], "RESIGN draft")
    taken = world.send("new@players.example", BASE, "TAKEOVER draft")
    world.send(player("Turkey"), seats["Turkey"], "READY")
    assert world.phase("draft") == "S1901M"
    world.send("new@players.example", reply_to(taken), "READY")
    assert world.phase("draft") == "F1901M"


def test_new_terms_take_ready_back(world: World) -> None:
    seats = all_ready(world, but="Turkey")
    world.send("master@example.org", seats["GM"], "SET early=orders")
    world.send("master@example.org", seats["GM"], "SET early=ready")
    world.send(player("Turkey"), seats["Turkey"], "READY")
    assert world.phase("draft") == "S1901M"


def test_after_the_deadline_no_one_needs_to_be_ready(world: World) -> None:
    seats = world.started("draft", "early=ready grace=2d")
    order_all(world, seats, but="Italy")
    world.pass_time(days=7, hours=1)
    assert world.phase("draft") == "S1901M"
    world.send(player("Italy"), seats["Italy"], OPENINGS["Italy"])
    assert world.phase("draft") == "F1901M"


def test_a_game_may_forbid_early_processing(world: World) -> None:
    seats = world.started("slow", "early=no")
    order_all(world, seats)
    assert world.phase("slow") == "S1901M"


def test_those_without_orders_are_reminded_and_nobody_else(world: World, seats: dict[str, str]) -> None:
    order_all(world, seats, but="Italy")
    before = {power: len(world.mailboxes[player(power)]) for power in POWERS}
    world.pass_time(days=6, hours=1)
    grown = {power for power in POWERS if len(world.mailboxes[player(power)]) > before[power]}
    assert grown == {"Italy"}


def test_everybody_gets_one_report_a_phase(world: World, seats: dict[str, str]) -> None:
    before = {power: len(world.mailboxes[player(power)]) for power in POWERS}
    master = len(world.mailboxes["master@example.org"])
    world.pass_time(days=8)
    late = {power: len(world.mailboxes[player(power)]) - before[power] for power in POWERS}
    assert late == dict.fromkeys(POWERS, 1), "the reminder fell away with the deadline"
    assert len(world.mailboxes["master@example.org"]) == master + 1


def test_a_second_worker_finds_nothing_left_to_close(world: World, seats: dict[str, str]) -> None:
    world.time += timedelta(days=8)
    assert close_next(world.service)
    assert not close_next(world.service)
    assert world.phase() == "F1901M"


def test_the_gamemaster_moves_the_deadline_and_everybody_is_notified(world: World, seats: dict[str, str]) -> None:
    world.send("master@example.org", seats["GM"], "EXTEND 48h")
    assert "new deadline" in str(world.last(player("Italy"))["Subject"]).lower()
    world.pass_time(days=8)
    assert world.phase() == "S1901M"
    world.send("master@example.org", seats["GM"], "DEADLINE in 1h")
    world.pass_time(hours=2)
    assert world.phase() == "F1901M"


def test_process_closes_now_and_a_named_phase_guards(world: World, seats: dict[str, str]) -> None:
    refused = text_of(world.send("master@example.org", seats["GM"], "PROCESS F1901M"))
    assert "F1901M" in refused
    assert world.phase() == "S1901M"
    world.send(player("Italy"), seats["Italy"], "A VEN H\nA ROM H\nF NAP H")
    world.send("master@example.org", seats["GM"], "PROCESS S1901M")
    assert world.phase() == "F1901M"
    report = world.last(player("Italy"))
    for body in (text_of(report), str(report.get_body(("html",)))):
        said = " ".join(body.split())
        assert said.count("The gamemaster ended the phase before its deadline.") == 1
        assert "and Turkey had not sent orders yet, so the units held." in said
        assert "NMR" not in said
    world.pass_time(days=9)
    assert "and Turkey sent no orders (NMR)" in " ".join(text_of(world.last(player("Italy"))).split())
    assert "before its deadline" not in text_of(world.last(player("Italy")))


def test_an_outage_extends_if_the_operator_says_so(world: World, seats: dict[str, str]) -> None:
    world.send("watcher@reader.example", BASE, "OBSERVE spring")
    world.time = START + timedelta(days=10)
    assert catch_up(world.service, ClockSettings(catch_up="extend", extend_hours=24)) == 1
    world.work()
    assert world.phase() == "S1901M"
    for told in (player("Russia"), "watcher@reader.example"):
        assert "The server was down at the deadline of S1901M" in text_of(world.last(told))
    world.pass_time(hours=25)
    assert world.phase() == "F1901M"


def test_an_outage_adjudicates_by_default(world: World, seats: dict[str, str]) -> None:
    world.time = START + timedelta(days=10)
    assert catch_up(world.service, ClockSettings()) == 0
    world.work()
    assert world.phase() == "F1901M"


def test_mail_that_came_in_time_counts_though_it_is_read_after_the_deadline(
    world: World, seats: dict[str, str]
) -> None:
    world.arrive(player("France"), seats["France"], OPENINGS["France"])
    world.time = START + timedelta(days=10)
    world.work()
    assert world.phase() == "F1901M"
    france = text_of(world.last(player("France")))
    assert "A Bur" in france or "Burgundy" in france


def test_a_resigned_seat_does_not_hold_the_others_up(world: World, seats: dict[str, str]) -> None:
    assert "RESIGN spring" in text_of(world.send(player("Italy"), seats["Italy"], "RESIGN"))
    world.send(player("Italy"), seats["Italy"], "RESIGN spring")
    order_all(world, seats, but="Italy")
    assert world.phase() == "F1901M"


def test_a_replacement_gets_the_position_and_the_old_address_is_void(world: World, seats: dict[str, str]) -> None:
    world.send("master@example.org", seats["GM"], "REPLACE Italy WITH newcomer@players.example")
    world.accepts("newcomer@players.example")
    welcome = world.last("newcomer@players.example")
    assert "Italy" in text_of(welcome)
    assert reply_to(welcome) != seats["Italy"]
    refused = text_of(world.send(player("Italy"), seats["Italy"], "A VEN H"))
    assert "not your seat any more" in refused
    taken = text_of(world.send("newcomer@players.example", reply_to(welcome), OPENINGS["Italy"]))
    assert "F Nap-Ion" in taken


def test_a_game_is_won_and_the_last_report_reveals_the_seed(world: World, seats: dict[str, str]) -> None:
    """Eighteen centres: the position is set directly, then a Fall is played."""
    world.pass_time(days=8)
    with world.altering() as row:
        position = position_from_json(row.position, STANDARD_KINDS)
        centers = dict(position.centers)
        for code in SEVENTEEN:
            centers[Province(code)] = Power("France")
        row.position = position_to_json(replace(position, units=position.units_of(Power("France")), centers=centers))
    world.pass_time(days=4)
    game = world.game()
    assert game.state is GameState.FINISHED
    assert game.victory is not None
    assert game.victory.winners == ("France",)
    report = text_of(world.last(player("France")))
    assert in_groups(game.seed) in report
    assert "France" in report
