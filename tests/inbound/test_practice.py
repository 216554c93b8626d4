"""PRACTICE: a game of one's own against stand-ins, by mail from its first report to its end; and STANDIN."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from gm.board import Power
from gm.cli.verify import replay
from gm.games.snapshot import Game
from gm.orders.notation import write_unit
from gm.play.briefs import help_on
from gm.play.export import chronicle_of, finished_game
from gm.store.game_rows import GameState
from tests.server.world import BASE, OPENINGS, World, begun_by, body_of, name_of, player, proved, reply_to, text_of
from tests.variants.written import WRITTEN

pytestmark = pytest.mark.long

ANN = "ann@example.org"
BOB = "bob@example.org"
MASTER = "master@example.org"


def begun(world: World, words: str = "PRACTICE", by: str = ANN) -> EmailMessage:
    """The first report of a practice game."""
    return begun_by(world, by, BASE, words)


def example_in(report: EmailMessage) -> str:
    """The orders that the report offers, with READY below them."""
    found = re.search(r"\n((?: {4}\S.*\n)*? {4}READY\n)", body_of(report))
    assert found is not None, body_of(report)
    return found[1].replace("    ", "")


def test_the_first_report_says_what_to_write_and_can_be_answered_with_it(world: World) -> None:
    report = begun(world, "PRACTICE AS France")
    text = text_of(report)
    assert "you are France" in str(report["Subject"])
    assert "1. Reply to this mail with your orders" in text
    assert "2. Write READY" in text
    assert re.search(r"Austria +stand-in", text)
    assert len(example_in(report).splitlines()) == 4
    html = report.get_body(("html",))
    assert html is not None
    assert "Send these orders" in html.get_content()


def test_ready_brings_the_results_at_once(world: World) -> None:
    report = begun(world)
    for code in ("S1901M", "F1901M"):
        before = world.time
        answer = world.send(ANN, reply_to(report), example_in(report))
        assert "the phase is adjudicated now" in text_of(answer)
        told = next(mail for mail in world.mailboxes[ANN] if f"{code} results" in str(mail["Subject"]))
        assert world.time == before
        sent = {seat.power for seat in world.game(name_of(report)).players}
        assert all(f"{power}: " in text_of(told) for power in sent)  # each has ordered
        report = world.last(ANN)


@pytest.mark.parametrize("variant", WRITTEN)
def test_a_practice_game_of_every_variant_goes_on(world: World, variant: str) -> None:
    """For some turns its player sends what the reports offer: nothing is refused, and each brings the next report."""
    report = begun(world, f"PRACTICE {variant}")
    codes = set[str]()
    for _ in range(5):
        game = world.game(name_of(report))
        if not game.running:
            break
        assert game.phase is not None
        if game.phase.code.endswith("M") and not any(code.endswith("M") for code in codes):
            shows_how_orders_are_written(report, game)
        codes.add(game.phase.code)
        answer = text_of(world.send(ANN, reply_to(report), example_in(report)))
        assert "the phase is adjudicated now" in answer, answer
        assert "not acted on" not in answer
        while world.game(game.name).running and "READY\n" not in body_of(report := world.last(ANN)):
            world.pass_time(seconds=5)  # a window for changes, and phases in which there is nothing to do
    assert len(codes) == 5 or not world.game(name_of(report)).running


def shows_how_orders_are_written(report: EmailMessage, game: Game) -> None:
    """By its player's own units, each as it can be ordered now, and by what the game has of its own."""
    (seat,), position, said = game.held, game.position, text_of(report)
    assert position is not None
    own = {write_unit(unit) for unit in position.units_of(seat.power or Power(""))}
    moved, held = (
        re.search(r"rest of the mail as it is\. (.+?)-\S+ moves a unit", said),
        re.search(r"(\S+ \S+) H leave", said),
    )
    assert moved is not None
    assert held is not None
    assert {moved[1], held[1]} <= own
    assert " ".join(help_on("orders", game.variant).split()) in said
    assert ("How orders are written" in said) == bool(help_on("orders", game.variant))


def test_nobody_else_sees_it(world: World) -> None:
    name = name_of(begun(world))
    for words in ("LIST", "LIST ALL", "LIST OPEN"):
        assert name not in text_of(world.send(BOB, BASE, words))
    for words in (f"STATUS {name}", f"OBSERVE {name}", f"TAKEOVER {name}", f"JOIN {name}"):
        assert f"There is no game '{name}'" in text_of(world.send(BOB, BASE, words, headers=proved(BOB)))
    assert name in text_of(world.send(ANN, BASE, "LIST MINE", headers=proved(ANN)))


def test_one_at_a_time(world: World) -> None:
    first = name_of(begun(world))
    assert f"playing a practice game already: {first}" in text_of(
        world.send(ANN, BASE, "PRACTICE", headers=proved(ANN))
    )
    second = name_of(begun(world, "PRACTICE NEW"))
    assert first != second
    assert world.game(first).over
    assert world.game(second).running


def test_without_orders_for_a_week_it_ends(world: World) -> None:
    name = name_of(begun(world))
    world.pass_time(days=8)
    assert world.game(name).state is GameState.ABORTED
    over = world.last(ANN)
    assert "You sent no orders for a week" in text_of(over)
    mails = len(world.mailboxes[ANN])
    world.pass_time(days=30)
    assert len(world.mailboxes[ANN]) == mails
    assert "Your practice game is" in text_of(world.send(ANN, reply_to(over), "PRACTICE"))


def test_resign_ends_it(world: World) -> None:
    report = begun(world)
    world.send(ANN, reply_to(report), f"RESIGN {name_of(report)}")
    assert world.game(name_of(report)).over


def test_it_ends_when_its_player_is_eliminated(world: World) -> None:
    """Instead of a report for each phase that the others still play."""
    report = begun(world, "PRACTICE AS Austria")
    name = name_of(report)
    with world.altering(name) as row:
        units = ["Italy A vie", "Italy A bud", "Italy A tri", "Turkey A con", "Austria A boh"]
        row.position = {
            **row.position, "season": "fall", "units": units,
            "centers": {"Turkey": ["con"], "Italy": ["rom", "ven"], "Austria": ["vie", "bud", "tri"]},
        }  # fmt: skip
    world.send(ANN, reply_to(report), "A BOH DISBAND\nREADY")
    world.send(ANN, reply_to(report), "READY")
    while world.game(name).running and "adjudicated now" not in text_of(world.last(ANN)):
        world.send(ANN, reply_to(world.last(ANN)), "REMOVE A BOH\nREADY")
    assert world.game(name).over
    assert any("Your power is eliminated" in text_of(mail) for mail in world.mailboxes[ANN][-2:])


def test_what_cannot_be_practised_is_refused(world: World) -> None:
    for words, why in {
        "PRACTICE chess": "There is no game 'chess'",
        "PRACTICE AS Atlantis": "'Atlantis' cannot be played in practice",
        "PRACTICE among-us AS the Alien": "'the Alien' cannot be played in practice",
        "PRACTICE the-aliens AS Turkey": "'Turkey' cannot be played in practice",
    }.items():
        assert why in text_of(world.send(ANN, BASE, words, headers=proved(ANN)))


def test_it_can_be_verified(world: World) -> None:
    """Opening, draws and phases, from what is published when it is over."""
    report = begun(world, "PRACTICE black-hole")
    for _ in range(3):
        world.send(ANN, reply_to(report), example_in(report))
        report = world.last(ANN)
    world.send(ANN, reply_to(report), f"RESIGN {name_of(report)}")
    with world.looking() as session:
        chronicle = chronicle_of(session, finished_game(session, name_of(report)))
        findings = list(replay(chronicle, bytes.fromhex(world.game(name_of(report)).seed)))
    assert len(findings) > 5
    assert not [fault for finding in findings for fault in finding.faults]


# a stand-in for a power without a player


def without_italy(world: World, options: str = "early=ready") -> tuple[str, dict[str, str]]:
    """The gamemaster's address and those of the players, in a game that Italy's player has left."""
    seats = world.started("spring", options)
    world.send(player("Italy"), seats["Italy"], "RESIGN spring")
    world.send(player("Italy"), seats["Italy"], "YES")
    return seats["GM"], seats


def test_a_stand_in_plays_a_vacant_power(world: World) -> None:
    chair, seats = without_italy(world)
    world.send(MASTER, chair, "STANDIN ITALY")
    told = text_of(world.last(player("France")))
    assert "A stand-in player plays Italy from now on, until somebody writes TAKEOVER spring AS Italy." in told
    for power, lines in OPENINGS.items():
        if power != "Italy":
            world.send(player(power), seats[power], f"{lines}\nREADY")
    assert world.phase("spring") == "F1901M"
    report = text_of(world.last(player("France")))
    assert re.search(r"Italy: (Army|Fleet) \w+ +->", report)
    assert "Italy" not in report.partition("no orders")[2][:80]
    assert re.search(r"Italy 3 3 stand-in", text_of(world.send(BOB, BASE, "STATUS spring")))
    world.send(BOB, BASE, "TAKEOVER spring AS Italy", headers=proved(BOB))
    assert not world.game("spring").standins


@pytest.mark.parametrize("way", ["TAKEOVER", "REPLACE"])
def test_whoever_sits_down_in_a_stand_ins_place_begins_without_orders(world: World, way: str) -> None:
    chair, _ = without_italy(world)
    world.send(MASTER, chair, "STANDIN ITALY")
    world.send(BOB, BASE, "PREFERENCES digest=07:00", headers=proved(BOB))
    if way == "TAKEOVER":
        world.send(BOB, BASE, "TAKEOVER spring AS Italy", headers=proved(BOB))
    else:
        world.send(MASTER, chair, f"REPLACE ITALY WITH {BOB}")
        world.accepts(BOB)
    (italy,) = (seat for seat in world.seats("spring") if seat.power == "Italy")
    assert not world.game("spring").has_ordered(italy)
    welcome = world.last(BOB)
    assert "welcome, you are Italy" in str(welcome["Subject"]), "it does not wait for the digest"
    assert "are in force" not in text_of(welcome)
    assert "(none)" in text_of(world.send(BOB, reply_to(welcome), "MY ORDERS"))
    receipt = text_of(world.send(BOB, reply_to(welcome), "A VEN H"))
    assert "2 units without an order" in receipt


def test_the_welcome_says_what_the_player_before_has_ordered(world: World) -> None:
    seats = world.started("spring")
    world.send(player("Italy"), seats["Italy"], "A VEN H\nF NAP-ION")
    world.send(MASTER, seats["GM"], f"REPLACE ITALY WITH {BOB}")
    world.accepts(BOB)
    welcome = body_of(world.last(BOB))
    assert "Orders of Italy, sent before you, are in force: A Ven H, F Nap-Ion." in " ".join(welcome.split())
    assert "A Rom-\n" in welcome
    assert "A Ven-\n" not in welcome, "the form asks for the rest"


def test_standins_yes_fills_a_game_that_begins_and_seats_that_fall_vacant(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE few standins=yes early=ready", headers=proved(MASTER)))
    seats = {who: reply_to(world.send(who, BASE, f"JOIN few AS {power}", headers=proved(who)))
             for who, power in {ANN: "France", BOB: "Turkey"}.items()}  # fmt: skip
    assert "has begun" in text_of(world.send(MASTER, chair, "START"))
    game = world.game("few")
    assert len(game.standins) == 5
    for who in (ANN, BOB):
        world.send(who, seats[who], "READY")
    assert world.phase("few") == "F1901M"
    world.send(BOB, seats[BOB], "RESIGN few")
    world.send(BOB, seats[BOB], "YES")
    assert len(world.game("few").standins) == 6
    world.send(ANN, seats[ANN], "READY")
    assert world.phase("few") != "F1901M"


def test_who_cannot_be_replaced_by_a_stand_in(world: World) -> None:
    seats = world.started("spring")
    chair = seats["GM"]
    assert "has a player" in text_of(world.send(MASTER, chair, "STANDIN FRANCE"))
    assert "STANDIN needs a power" in text_of(world.send(MASTER, chair, "STANDIN"))
    assert "Only the gamemaster" in text_of(world.send(player("France"), seats["France"], "STANDIN ITALY"))


def test_undo_takes_the_stand_in_away(world: World) -> None:
    chair, _ = without_italy(world)
    world.send(MASTER, chair, "STANDIN ITALY")
    assert [seat.power for seat in world.game("spring").standins] == ["Italy"]
    assert "vacant again" in text_of(world.send(MASTER, chair, "UNDO"))
    assert not world.game("spring").standins


def test_undo_leaves_the_power_as_it_was(world: World) -> None:
    chair, _ = without_italy(world, "nmr=wait")
    world.send(MASTER, chair, "DUMMY ITALY")
    (before,) = (seat for seat in world.seats("spring") if seat.power == "Italy")
    world.send(MASTER, chair, "STANDIN ITALY")
    world.send(MASTER, chair, "UNDO")
    (after,) = (seat for seat in world.seats("spring") if seat.power == "Italy")
    assert before == after
    assert not world.game("spring").has_ordered(after), "what the program ordered is no order of a dummy"
