"""Turnout: a phase counts as missed only if something had to be ordered, and if sending nothing was not intended."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage

import pytest

from gm.board import Power
from gm.orders.notation import write
from gm.position import Phase, PhaseKind, Position, Season, parse_unit, position_to_json
from gm.store.people import turnout_of
from tests.inbound.test_which_phase import late
from tests.server.world import BASE, World, player, reply_to, text_of

FRANCE, MASTER = player("France"), "master@example.org"


def came(world: World, power: str, game: str = "spring") -> dict[str, int]:
    """How often the holder of the power was on time, late, and missing."""
    seat = next(seat for seat in world.seats(game) if seat.power == power)
    assert seat.person is not None
    with world.looking() as session:
        return dict(turnout_of(session, [seat.person.id])[seat.person.id])


def put(world: World, units: str, centers: str, season: Season, kind: PhaseKind) -> None:
    """Put the game into another position, in which only France has something."""
    owned = {code: Power("France") for code in centers.split()}
    phase = Phase(1901, season, kind)
    position = Position(phase, tuple(parse_unit(f"France {unit}") for unit in units.split(", ")), owned)  # type: ignore[arg-type]
    with world.altering() as row:
        row.position, row.code = position_to_json(position), phase.code


def test_builds_not_made_are_no_miss(world: World) -> None:
    world.started(options="early=no")
    put(world, "A gas", "par mar", Season.WINTER, PhaseKind.ADJUSTMENT)
    world.pass_time(days=30)
    assert world.phase().startswith("S1902")
    assert came(world, "France") == {}


def test_a_removal_of_everything_is_no_miss(world: World) -> None:
    world.started(options="early=no")
    put(world, "A gas, A bur", "", Season.WINTER, PhaseKind.ADJUSTMENT)
    world.pass_time(days=30)
    assert came(world, "France") == {}


def test_a_removal_of_choice_is_a_miss(world: World) -> None:
    world.started(options="early=no")
    put(world, "A gas, A bur", "par", Season.WINTER, PhaseKind.ADJUSTMENT)
    world.pass_time(days=30)
    assert came(world, "France") == {"missed": 1}


def test_silence_in_a_movement_phase_is_a_miss(world: World) -> None:
    world.started()
    world.pass_time(days=30)
    assert came(world, "France") == {"missed": 1}


def silent_in(report: EmailMessage) -> str:
    """The powers of which a report says that they sent no orders."""
    return text_of(report).partition(" sent no orders (NMR)")[0].rpartition(". ")[2]


def test_an_empty_set_that_is_meant_is_no_miss_and_is_said(world: World) -> None:
    seats = world.started(options="nmr=disorder early=no")
    for phase in ("S1901M", "F1901M", "S1902M"):
        assert world.phase() == phase
        answer = text_of(world.send(FRANCE, seats["France"], "READY"))
        assert "orders complete (READY)" in answer
        assert "F Bre" in answer.partition("Without an order")[2]
        world.time = world.game().due_at or world.time
        world.work()
    assert came(world, "France") == {"on time": 3}
    assert "have lost your seat" not in text_of(world.last(FRANCE))
    report = next(m for m in reversed(world.mailboxes[FRANCE]) if "S1902M results" in str(m["Subject"]))
    assert "France" not in silent_in(report)


@pytest.mark.parametrize("variant", ["standard", "black-hole"])
def test_ready_is_no_nmr_and_no_missing_orders_in_any_mail(world: World, variant: str) -> None:
    seats = world.started(options=f"variant={variant}")
    answer = world.send(FRANCE, seats["France"], "READY")
    assert "orders complete (READY)" in str(answer["Subject"])
    assert "yet" not in text_of(answer)
    assert "(none: READY)" in text_of(world.send(FRANCE, seats["France"], "MY ORDERS"))
    assert "France Orders: complete" in text_of(world.send("master@example.org", seats["GM"], "DASHBOARD"))
    world.pass_time(days=8)
    mails = [mail for box in world.mailboxes.values() for mail in box if "S1901M results" in str(mail["Subject"])]
    assert len(mails) == 8
    for mail in mails:
        silent = silent_in(mail)
        assert "France" not in silent
        assert "Italy" in silent


@pytest.mark.parametrize(("option", "drawn"), [("nmr=random", True), ("nmr=hold", False)])
def test_status_says_when_missing_orders_are_drawn(world: World, option: str, drawn: bool) -> None:
    seats = world.started(options=option)
    assert ("orders are drawn at random" in text_of(world.send(FRANCE, seats["France"], "STATUS"))) == drawn
    assert "orders are drawn at random" not in text_of(world.send(FRANCE, seats["France"], "A PAR-BUR"))


def test_who_may_only_build_is_no_nmr(world: World) -> None:
    world.started(options="early=no")
    put(world, "A gas", "par mar", Season.WINTER, PhaseKind.ADJUSTMENT)
    world.pass_time(days=8)
    assert "W1901A results" in str(world.last(FRANCE)["Subject"])
    assert "NMR" not in text_of(world.last(FRANCE))


def test_ready_holds_for_orders_sent_after_it_until_clear(world: World) -> None:
    seats = world.started()
    world.send(FRANCE, seats["France"], "READY\nA PAR-BUR")
    seat = next(seat for seat in world.seats() if seat.power == "France")
    game = world.game()
    assert [write(order) for order in game.orders_of(seat)] == ["A Par-Bur"]
    assert game.has_ordered(seat, incomplete_too=False)
    world.send(FRANCE, seats["France"], "CLEAR")
    assert not world.game().has_ordered(seat)
    world.send(FRANCE, seats["France"], "A PAR-BUR")
    assert not world.game().has_ordered(seat, incomplete_too=False)


def test_the_phase_closes_when_all_are_ready(world: World) -> None:
    seats = world.started()
    for power in [seat.power for seat in world.seats() if seat.power]:
        world.send(player(power), seats[power], "READY")
    assert world.phase() == "F1901M"


def test_who_is_seldom_in_time_joins_only_by_invitation(world: World) -> None:
    seats = world.started()
    for phase in ("F1901M", "S1902M", "F1902M", "S1903M", "F1903M"):
        world.send(player("Germany"), seats["Germany"], "A MUN H")
        world.pass_time(days=30)
        if world.phase() != phase:
            world.pass_time(days=30)
    assert sum(came(world, "France").values()) >= 5
    world.send("master@example.org", BASE, "CREATE picky ontime=80")
    said = text_of(world.send(FRANCE, BASE, "JOIN picky"))
    assert "is for players whose orders come in time in 80 of 100 phases; yours do in 0." in said
    assert "orders on time in 80 of 100 phases" in text_of(world.send(FRANCE, BASE, "LIST"))
    assert "(0 % on time)" in text_of(world.send(FRANCE, BASE, "WHOAMI"))
    assert "You have a seat" in text_of(world.send(player("Germany"), BASE, "JOIN picky"))
    assert "You have a seat" in text_of(world.send("new@players.example", BASE, "JOIN picky"))
    chair = next(box for box in world.mailboxes["master@example.org"] if "picky" in str(box["Reply-To"]))["Reply-To"]
    world.send("master@example.org", chair, f"INVITE {FRANCE}")
    assert "You have a seat" in text_of(world.send(FRANCE, BASE, "JOIN picky"))


def status(world: World, seats: dict[str, str], power: str = "Italy") -> str:
    return text_of(world.send(player(power), seats[power], "STATUS"))


def test_players_see_how_reliably_the_others_order(world: World) -> None:
    seats = world.started(options="early=no")
    assert "Turnout" not in status(world, seats), "nothing has been played"
    world.send(FRANCE, seats["France"], "A PAR-BUR")
    world.pass_time(days=8)
    said = status(world, seats)
    assert "Pat France 1 on time of 1" in said
    assert "Pat Germany 1 missed of 1" in said
    assert "Turnout" not in text_of(world.send("eve@elsewhere.example", BASE, "STATUS spring"))
    watching = reply_to(world.send("eve@elsewhere.example", BASE, "OBSERVE spring"))
    assert "Turnout" not in text_of(world.send("eve@elsewhere.example", watching, "STATUS"))


@pytest.mark.parametrize("options", ["anonymous=yes", "anonymous=always"])
def test_an_anonymous_game_shows_nobodys(world: World, options: str) -> None:
    seats = world.started(options=f"early=no {options}")
    world.pass_time(days=8)
    assert "missed of" not in status(world, seats)


def test_what_happens_in_an_anonymous_game_shows_in_no_other(world: World) -> None:
    """Whoever saw a figure change at its deadline would know who has missed it."""
    seats = world.started("named", options="early=no move=60d first=60d")
    hidden = world.started("hidden", options="early=no anonymous=yes")
    world.send(player("Germany"), hidden["Germany"], "A BER-KIE")
    world.pass_time(days=8)
    assert came(world, "France", "hidden") == {"missed": 1}
    before = status(world, seats)
    assert "missed" not in before
    assert "on time" not in before
    master = world.last("master@example.org")
    assert "hidden" in str(master["Subject"])
    assert "missed" not in text_of(world.send("master@example.org", seats["GM"], "DASHBOARD"))
    world.send("gm@other.example", BASE, "CREATE other")
    world.send(player("France"), BASE, "JOIN other")
    assert "has joined" in text_of(world.last("gm@other.example"))
    assert "came" not in text_of(world.last("gm@other.example"))
    with world.trusting():
        world.send("master@example.org", hidden["GM"], "TERMINATE hidden")
    assert "Pat France 1 missed of 1" in status(world, seats), "the game is over, and all is known"


@pytest.mark.parametrize("release", ["auto", "gm"])
@pytest.mark.parametrize(("closed_by", "came_then"), [("the deadline", "missed"), ("PROCESS", "excused")])
def test_a_phase_that_is_adjudicated_again_counts_once(
    world: World, release: str, closed_by: str, came_then: str
) -> None:
    seats = world.started(options=f"release={release} nmr=disorder")
    received = world.time + timedelta(minutes=5)
    world.pass_time(hours=1)
    if closed_by == "PROCESS":
        world.send(MASTER, seats["GM"], "PROCESS")
    else:
        world.pass_time(days=8)
    if release == "gm":
        world.send(MASTER, seats["GM"], "RELEASE S1901M")
    assert came(world, "France") == came(world, "Italy") == {came_then: 1}
    late(world, seats["France"], "A PAR-BUR", received, Date="")  # it would be asked about by its date
    for line in ("ACCEPT LATE France", *(["RELEASE S1901M"] if release == "gm" else [])):
        world.send(MASTER, seats["GM"], line)
    assert world.phase() == "F1901M"
    assert came(world, "France") == {"on time": 1}
    assert came(world, "Italy") == {came_then: 1}
    assert len(world.game().held) == 7, "one phase is not missed twice in a row"


def test_a_phase_that_is_rolled_back_counts_as_it_was_played_last(world: World) -> None:
    seats = world.started()
    world.pass_time(days=8)
    assert came(world, "France") == {"missed": 1}
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    assert came(world, "France") == {"missed": 1}, "until it is adjudicated, ROLLFORWARD undoes it"
    world.send(FRANCE, seats["France"], "A PAR-BUR\nREADY")
    world.pass_time(days=8)
    assert world.phase() == "F1901M"
    assert came(world, "France") == {"on time": 1}
    assert came(world, "Italy") == {"missed": 1}


def test_whom_only_the_gamemaster_has_ordered_for_is_excused(world: World) -> None:
    """The gamemaster may do it because the player asked for it, by telephone or as they leave: it is no miss, and costs
    no seat. But nothing came from the player, so it is not on time either; like an absence it counts for nothing.
    """
    seats = world.started(options="early=no nmr=disorder")
    world.send(
        MASTER, seats["GM"], "ORDERS FOR France\nA PAR-BUR\n\nORDERS FOR Italy\nA VEN H\n\nORDERS FOR Turkey\nA CON H"
    )
    world.send(MASTER, seats["GM"], "ORDERS FOR France\nA MAR H")
    world.send(player("Italy"), seats["Italy"], "A ROM H")
    world.send(player("Turkey"), seats["Turkey"], "READY")
    world.pass_time(days=8)
    assert came(world, "France") == {"excused": 1}
    assert came(world, "Italy") == came(world, "Turkey") == {"on time": 1}
    assert came(world, "Russia") == {"missed": 1}
    assert "number" not in text_of(world.send(MASTER, seats["GM"], "LOG"))


def test_a_phase_that_waits_to_be_released_does_not_count_yet(world: World) -> None:
    seats = world.started(options="release=gm early=no")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    for said in (status(world, seats), text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))):
        assert "excused" not in said
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    world.pass_time(days=8)
    world.send(MASTER, seats["GM"], "RELEASE S1901M")
    assert "Pat Germany 1 missed of 1" in status(world, seats), "the deadline has closed it in the end"


def test_help_says_what_the_figures_mean(world: World) -> None:
    said = text_of(world.send("new@players.example", BASE, "HELP TURNOUT"))
    for word in ("on time", "late", "missed", "Excused", "ABSENCE", "PROCESS", "ORDERS FOR", "5 phases"):
        assert word in said
