"""Both games by mail: naming planets, private names of places, joining 3001 in its tenth turn, forty planets."""

from __future__ import annotations

import pytest

from tests.server.kept import kept
from tests.server.world import BASE, World, player, reply_to, text_of

pytestmark = pytest.mark.long

GAME = "deep"


@kept
def founded(world: World, planets: tuple[str, ...], variant: str, options: str = "early=orders") -> dict[str, str]:
    """A game that has begun: the reply address of each planet's player, and of the gamemaster as `GM`."""
    created = world.send("master@example.org", BASE, f"CREATE {GAME} variant={variant} {options}")
    for planet in planets:
        world.send(player(planet), BASE, f"JOIN {GAME} AS {planet}")
    world.send("master@example.org", reply_to(created), f"START {GAME}")
    return {"GM": reply_to(created)} | {planet: reply_to(world.last(player(planet))) for planet in planets}


def close(world: World, seats: dict[str, str]) -> None:
    """Let the gamemaster process the phase."""
    phase = world.phase(GAME)
    world.send("master@example.org", seats["GM"], f"PROCESS {GAME} {phase}")
    assert world.phase(GAME) != phase


def say(world: World, seats: dict[str, str], planet: str, text: str) -> str:
    """Send a mail to a seat's address and return the reply."""
    return text_of(world.send(player(planet), seats[planet], text))


@pytest.mark.ruling("QS-6")
def test_qs_06_players_name_their_planets(world: World) -> None:
    world.send("master@example.org", BASE, f"CREATE {GAME} variant=quantum-space")
    assert "You play Auerbach" in text_of(world.send("a@players.example", BASE, f"JOIN {GAME} AS auerbach"))
    for name, why in (("Auerbach", "already"), ("Quark", "begins with Q"), ("Terra 7", "1 to 24 letters")):
        assert why in text_of(world.send("b@players.example", BASE, f"JOIN {GAME} AS {name}"))
    assert "You play Krell." in text_of(world.send("b@players.example", BASE, f"JOIN {GAME}"))
    assert "You play Ares" in text_of(world.send("b@players.example", BASE, f"JOIN {GAME} AS Ares"))
    world.send("master@example.org", reply_to(world.last("master@example.org")), f"START {GAME}")
    opening = text_of(world.last("a@players.example"))
    assert "Ares (A), Auerbach (AU)" in opening


@pytest.mark.ruling("QS-9", "QS-3")
def test_qs_09_a_winter_of_negotiation_and_then_spring_2501(world: World) -> None:
    seats = founded(world, ("Auerbach", "Berenike"), "quantum-space")
    assert world.phase(GAME) == "W2500A"
    assert "nothing to build or remove in W2500A" in say(world, seats, "Auerbach", "BUILD A A1")
    world.send(player("Auerbach"), seats["Auerbach"], "PRESS TO BERENIKE\nShall we share quantum space?\nENDPRESS")
    assert "share quantum space" in text_of(world.last(player("Berenike")))
    world.pass_time(days=8)
    assert world.phase(GAME) == "S2501M"
    report = text_of(world.last(player("Auerbach")))
    assert "A A1-" in report and "F A6-" in report  # noqa: PT018
    answer = say(world, seats, "Auerbach", "F A6-AO\nF Auerbach 8 - Auerbach 7\nA A1-A5\nA A3 H\nF AO-Q0")
    assert "fleets do not move from one surface space to another" in answer
    assert "There is no Q0" in answer


@pytest.mark.ruling("QS-9")
def test_qs_09_a_winter_without_orders_has_no_results_of_its_own(world: World) -> None:
    seats = founded(world, ("Auerbach", "Kron"), "quantum-space")
    close(world, seats)
    begun = world.last(player("Kron"))
    assert str(begun["Subject"]).startswith(f"[{GAME}] S2501M: reply with your orders by")
    assert "Winter of 2500: nothing was built or removed" in text_of(begun)
    assert "results" not in text_of(begun)
    assert "without a mark" not in text_of(begun)
    say(world, seats, "Kron", "F K6 to orbit")
    close(world, seats)
    assert "S2501M results" in str(world.last(player("Kron"))["Subject"])
    assert "Fleet Kron 6 -> Kron Orbit." in text_of(world.last(player("Kron")))


@pytest.mark.ruling("QS-5")
def test_qs_05_names_of_ones_own(world: World) -> None:
    seats = founded(world, ("Auerbach", "Berenike"), "quantum-space-3001")
    said = say(world, seats, "Auerbach", "ALIAS Refuge = Q31415\nF AO-Refuge\nA A1 H\nA A3 H\nF A6 H")
    assert "Refuge now means Q31415" in said
    assert "F AO-Q31415" in said
    assert "F AO-Q31415" in say(world, seats, "Auerbach", "f ao to REFUGE")
    theirs = say(world, seats, "Berenike", "F BO-Refuge")
    assert "'Refuge'" in theirs and "Q31415" not in theirs and "not" in theirs  # noqa: PT018
    assert "Refuge = Q31415" in say(world, seats, "Auerbach", "ALIAS")
    assert "Refuge" not in say(world, seats, "Berenike", "ALIAS")
    for words, why in (
        ("Auerbach = Q5", "name in this game"),
        ("Hold fast = Q5", "already has a meaning"),
        ("Q5 base = Q5", "name in this game"),
        ("Base = Nowhere", "not a place"),
        ("Base = Q0", "There is no Q0"),
        ("Base", "is not an alias"),
        ("A = Q5", "letters and digits"),
    ):
        assert why in say(world, seats, "Auerbach", f"ALIAS {words}"), words
    close(world, seats)
    for planet in ("Auerbach", "Berenike"):
        assert "Refuge" not in text_of(world.last(player(planet)))
    assert "F Q31415-Q2" in say(world, seats, "Auerbach", "F Refuge-Q2")
    assert "alias Refuge is removed" in say(world, seats, "Auerbach", "ALIAS Refuge = NONE")
    assert "'Refuge'" in say(world, seats, "Auerbach", "F Refuge-Q3")


@pytest.mark.ruling("QS-12", "QS-6")
def test_qs_12_somebody_joins_in_the_tenth_turn_and_orders_in_the_turn_after(world: World) -> None:
    seats = founded(world, ("Auerbach", "Berenike"), "quantum-space-3001")
    for turn in range(1, 10):
        say(world, seats, "Auerbach", f"F AO-Q{turn}" if turn == 1 else f"F Q{turn - 1}-Q{turn}")
        close(world, seats)
    assert world.phase(GAME) == "F3005M"  # the tenth turn
    assert f"JOIN {GAME} at any time" in text_of(world.send("nora@players.example", BASE, "LIST OPEN"))
    joined = world.send("nora@players.example", BASE, f"JOIN {GAME} AS Nova")
    assert "You play Nova" in text_of(joined)
    assert "when F3005M is adjudicated" in text_of(joined)
    seats["Nova"] = reply_to(joined)
    refused = text_of(world.send("nora@players.example", seats["Nova"], "A N1-N2"))
    assert (
        "Line 1: A N1-N2 Nova enters the game when F3005M is adjudicated: its first orders are those of S3006M."
        in refused
    )
    assert "Stored for S3006M: F N6 H" in text_of(world.send("nora@players.example", seats["Nova"], "S3006M\nF N6 H"))
    assert "There is no planet 'N'" in say(world, seats, "Auerbach", "F Q9-N1"), "not announced yet"
    assert "already" in text_of(world.send("nora@players.example", BASE, f"JOIN {GAME} AS Nebula"))
    assert "already" in text_of(world.send("otto@players.example", BASE, f"JOIN {GAME} AS Nova"))
    assert "how spaces of" in text_of(world.send("otto@players.example", BASE, f"JOIN {GAME} AS Ao"))
    assert "F Q9-Q31415" in say(world, seats, "Auerbach", "F Q9-Q31415")
    close(world, seats)
    for address in (player("Auerbach"), player("Berenike"), "nora@players.example"):
        report = text_of(world.last(address))
        assert "The planet Nova (N) comes into the game" in report
        assert "F3005M results" in str(world.last(address)["Subject"])
    assert world.phase(GAME) == "S3006M"
    receipt = text_of(world.send("nora@players.example", seats["Nova"], "F NO-Q7\nA N1 - N2\nA N3 BOARDS F NO"))
    for order in ("F NO-Q7", "A N1-N2", "A N3 BOARDS F NO", "F N6 H"):
        assert order in receipt
    close(world, seats)
    final = text_of(world.last("nora@players.example"))
    assert "A/F Q7" in final and "A N2" in final  # noqa: PT018


@pytest.mark.ruling("QS-12")
def test_qs_12_a_newcomer_without_units_is_in_the_game_and_votes(world: World) -> None:
    seats = founded(world, ("Auerbach", "Berenike"), "quantum-space-3001")
    seats["Nova"] = reply_to(world.send(player("Nova"), BASE, f"JOIN {GAME} AS Nova"))
    for planet in ("Auerbach", "Berenike"):
        assert "out of the game" not in say(world, seats, planet, "DRAW")
    assert world.game(GAME).running, "the newcomer has not agreed"
    for line in ("NO DRAW", "CONCEDE Auerbach", "NO CONCEDE", "STATUS"):
        assert "out of the game" not in say(world, seats, "Nova", line), line
    final = say(world, seats, "Nova", "DRAW")
    assert "out of the game" not in final
    assert "NO DRAW" not in final, "a vote that ends the game is not taken back"
    assert not world.game(GAME).running
    assert "Auerbach, Berenike and Nova" in text_of(world.last(player("Nova")))


@pytest.mark.ruling("QS-12")
def test_qs_12_nobody_joins_1975_late(world: World) -> None:
    founded(world, ("Auerbach", "Berenike"), "quantum-space")
    assert "is running" in text_of(world.send("nora@players.example", BASE, f"JOIN {GAME} AS Nova"))


@pytest.mark.ruling("QS-5")
def test_the_gamemaster_allows_fewer_digits(world: World) -> None:
    seats = founded(world, ("Auerbach", "Berenike"), "quantum-space-3001", "digits=2")
    assert "at most 2" in say(world, seats, "Auerbach", "F AO-Q100")
    assert "F AO-Q99" in say(world, seats, "Auerbach", "F AO-Q99")


def test_one_and_forty_planets(world: World) -> None:
    names = [f"{a}{b}ra" for a in ("Al", "Be", "Ce", "Du", "El", "Fo", "Gi", "Ho") for b in "bkmtv"] + ["Ixora"]
    seats = founded(world, tuple(names), "quantum-space-3001")
    opening = world.last(player(names[7]))
    assert "F Bmo-" in text_of(opening) and "Bemra (BM)" in text_of(opening)  # noqa: PT018
    assert "tells of 1 of the 41 powers, what concerns you. The attached file deep-S3001M.txt tells of all." in text_of(
        opening
    )
    (file,) = (part for part in opening.iter_attachments() if part.get_content_type() == "text/plain")
    for name in names:
        assert f"{name} (" in " ".join(str(file.get_content()).split())
    receipt = say(world, seats, names[0], f"F {names[0]} Orbit - Q9876543210")
    assert "Q9876543210" in receipt


def test_help_and_rules(world: World) -> None:
    seats = founded(world, ("Auerbach", "Berenike"), "quantum-space-3001")
    assert "A O1 BOARDS F OO" in say(world, seats, "Auerbach", "HELP ORDERS")
    assert "ALIAS Refuge = Q31415" in say(world, seats, "Auerbach", "HELP ALIAS")
    assert "Octagon" in say(world, seats, "Auerbach", "RULES")
    assert "nineteen digits" in say(world, seats, "Auerbach", "RULES quantum-space")
