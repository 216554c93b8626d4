"""Every example in the rules of every game, sent by mail exactly as it is printed, in the position of the example.

The Aliens: rule 2 (Paris, Burgundy, Brest), 6 (3 and 7 centres), 8 (Kiel to Greece), the first example (with
The Aliens' own tests by mail), the second. Among Us: both examples of 1(b), Turkey (with its own tests), the
contradiction of 4(a). Quantum: A1-AO, AO-A2; O1-OOrbit, OOrbit-O2; what borders what. Outer Space: the words for orbit
and for colonizing; three armies at most after the first year. Black Hole prints no orders.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.position import Position, position_to_json
from gm.variants.among_us.state import ALIEN
from tests.server.world import World, player, text_of
from tests.variants.among_us.mails import Game, new_game
from tests.variants.outer_space import test_by_mail as empires
from tests.variants.quantum import test_by_mail as planets
from tests.variants.quantum.test_by_mail import founded
from tests.variants.the_aliens.scenes import position as races_position
from tests.variants.the_aliens.test_by_mail import started


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.database.dispose()


def place(world: World, game: str, position: Position) -> None:
    """Put the game into the position of an example."""
    with world.altering(game) as row:
        row.position = position_to_json(position)


def accepted(world: World, seats: dict[str, str], power: str, line: str) -> str:
    """The receipt for a line of which nothing is refused."""
    said = text_of(world.send(player(power), seats[power], line))
    assert "Not acted on" not in said, said
    return said


def position_of(world: World, game: str) -> Position:
    """The position to be played."""
    position = world.game(game).position
    assert position is not None
    return position


# The Aliens


@pytest.mark.ruling("AL-2")
@pytest.mark.parametrize(
    ("third", "landed"),
    [("MOS", "bre"), ("GAS", "spa"), ("PIC", "spa"), ("PAR", "spa")],
    ids=["Brest", "Gascony", "Picardy", "Paris"],
)
def test_the_aliens_rule_2(world: World, third: str, landed: str) -> None:
    """Ships to Paris and Burgundy both withdraw; Brest is open in spite of Paris, unless a ship tries what is next to
    it."""
    seats = started(world, 3)
    accepted(world, seats, "Alpha", "SHIP 1: PAR, BRE, SPA\nSHIP 2: CON")
    accepted(world, seats, "Beta", "SHIP 1: BUR, BER\nSHIP 2: EDI")
    accepted(world, seats, "Gamma", f"SHIP 1: {'LON' if third == 'MOS' else 'BUR'}, {third}, NWY\nSHIP 2: SEV")
    assert world.phase("mars") == "S2051M"
    units = set(map(str, position_of(world, "mars").units))
    assert f"Alpha A {landed}" in units
    assert "Beta A ber" in units


@pytest.mark.ruling("AL-4")
@pytest.mark.parametrize(("centers", "transmitters"), [(3, 1), (7, 3)])
def test_the_aliens_rule_6(world: World, centers: int, transmitters: int) -> None:
    seats = started(world, 2)
    owned = ("por", "spa", "mar", "par", "bre", "bel", "hol")[:centers]
    units = ", ".join(f"A {code}" for code in owned)
    place(world, "mars", races_position("F2054M", {"Alpha": f"{units}, T swi", "Beta": "A con, T con"}))
    for race in ("Alpha", "Beta"):
        accepted(world, seats, race, "READY")
    said = text_of(world.last(player("Alpha")))
    assert world.phase("mars").startswith(("W2054", "S2055"))
    more = transmitters - 1
    assert (f"{more} transmitter" in said) is bool(more)


@pytest.mark.ruling("AL-10")
def test_the_aliens_rule_8(world: World) -> None:
    seats = started(world, 2)
    place(world, "mars", races_position("S2054M", {"Alpha": "A kie, T kie, T gre", "Beta": "A lon"}))
    said = accepted(world, seats, "Alpha", "A Kie-Gre, T Kie (S) Gre, T Gre (R) Kie.")
    assert all(order in said for order in ("A Kie-Gre", "T Kie (S) Gre", "T Gre (R) Kie"))
    accepted(world, seats, "Beta", "A Lon H")
    assert "Alpha A gre" in set(map(str, position_of(world, "mars").units))
    assert "Alpha: Army Kiel -> Greece (by transmitter)." in text_of(world.last(player("Beta")))


@pytest.mark.ruling("AL-10", "AL-11")
@pytest.mark.parametrize("named", [True, False])
def test_the_aliens_second_example(world: World, *, named: bool) -> None:
    """A standoff in Greece: the fleet that is transmitted and the army from Bulgaria bounce, each with support."""
    seats = started(world, 2)
    start = races_position("S2054M", {"Alpha": "F edi, A alb, T edi, T gre", "Beta": "A bul, A ser, T ser"})
    place(world, "mars", start)
    alpha, beta = "F Edi-Gre, T Edi (S) Gre, T Gre (R) Edi, A Alb S F Edi-Gre.", "A Bul-Gre, A Ser S A Bul-Gre."
    said = accepted(world, seats, "Alpha", f"ALPHA: {alpha}" if named else alpha)
    for order in ("F Edi-Gre", "T Edi (S) Gre", "T Gre (R) Edi", "A Alb S F Edi-Gre"):
        assert order in said
    assert "Please look again" not in said
    accepted(world, seats, "Beta", f"BETA: {beta}" if named else beta)
    accepted(world, seats, "Beta", "T Ser H")
    told = text_of(world.last(player("Alpha")))
    for order in ("Fleet Edinburgh -> Greece", "Beta: Army Bulgaria -> Greece"):
        assert f"{order}. (*bounce" in told or f"{order} (by transmitter). (*bounce" in told
    assert "Army Albania SUPPORT Fleet Edinburgh -> Greece. (*" not in told
    assert position_of(world, "mars").units == start.units
    assert position_of(world, "mars").extra["transmitters"] == start.extra["transmitters"]


# There Are Aliens Among Us


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    made = new_game(tmp_path / "game")
    yield made
    made.database.dispose()


def occupied(game: Game, units: list[str]) -> None:
    """Put these units alone onto the board."""
    with game.altering() as row:
        row.position = {**row.position, "units": units}


def taken(game: Game, power: str, line: str) -> str:
    """The receipt for a line of which nothing is refused."""
    said = text_of(game.order(power, line))
    assert "Not acted on" not in said, said
    return said


@pytest.mark.ruling("AU-5")
def test_among_us_example_2(game: Game) -> None:
    """Germany supports Austria's army into Munich, where Germany's own army has to retreat."""
    occupied(game, ["Austria A boh", "France A bur", "Germany A mun", "Germany A kie", "Turkey A smy"])
    game.order(ALIEN, "ADOPT A(Smy)")
    taken(game, "France", "FRANCE  A(Bur)Std.;")
    taken(game, "Germany", "GERMANY  A(Mun)-Bur (retreats); A(Kie) S AUS A(Boh)-Mun;")
    taken(game, "Austria", "AUSTRIA  A(Boh)-Mun;")
    taken(game, "Turkey", "A Smy H")
    game.pass_time(days=3)
    game.pass_time(hours=24)
    assert game.phase() == "S1901R"
    assert "Germany: Army Munich -> Burgundy. (*bounce, dislodged*)" in game.words("Italy")
    assert [str(d.unit) for d in game.position().dislodged] == ["Germany A mun"]
    assert {"Austria A mun", "France A bur", "Germany A kie"} <= set(map(str, game.position().units))


@pytest.mark.ruling("AU-4", "AU-5")
def test_among_us_another_example(game: Game) -> None:
    """France's army in Burgundy is dislodged with France's own support, by the army in Marseilles, which is the
    Alien's."""
    pieces = ("bur", "par", "mar", "pic", "bel")
    occupied(game, [*(f"France A {at}" for at in pieces), "Germany A mun", "Germany A kie", "Italy A gas"])
    game.order(ALIEN, "ADOPT A(Mar)")
    taken(game, "Germany", "GERMANY  A(Kie)-Ruh; A(Mun) S A(Kie)-Ruh;")
    said = taken(game, "France", "FRANCE  A(Bur)-Ruh (disbands); A(Par) S A(Mar)-Bur; A(Pic)Std.; A(Bel)Std.")
    for order in ("A Bur-Ruh", "A Par S A Mar-Bur", "A Pic H", "A Bel H"):
        assert order in said
    taken(game, "Italy", "A Gas H")
    game.pass_time(days=3)
    taken(game, ALIEN, "A(Mar)-Bur")
    game.pass_time(hours=24)
    assert {"Germany A ruh", "France A bur", "France A par"} <= set(map(str, game.position().units))
    assert len(game.position().units) == 7
    told = game.words("Italy")
    assert "France: Army Burgundy -> Ruhr. (*bounce, dislodged*)" in told or "destroyed" in told


@pytest.mark.ruling("AU-5")
def test_among_us_contradictions_are_for_drawn_orders_only(game: Game) -> None:
    """A(Bul)-Rum; A(Ser) S A(Bul)-Gre: an order of that kind is played as it was sent, and said to be odd."""
    occupied(game, ["Turkey A bul", "Turkey A ser", "Turkey A smy"])
    game.order(ALIEN, "ADOPT A(Smy)")
    said = taken(game, "Turkey", "A(Bul)-Rum; A(Ser) S A(Bul)-Gre; A(Smy)Std.")
    assert "A Ser S A Bul-Gre" in said
    assert "Please look again" in said
    game.pass_time(days=3)
    game.pass_time(hours=24)
    assert "Turkey: Army Serbia SUPPORT Army Bulgaria -> Greece. (*void*)" in game.words("Italy")


# Quantum Space


@pytest.mark.ruling("QS-4", "QS-7")
@pytest.mark.parametrize(
    ("variant", "planet", "code", "lines"),
    [
        ("quantum-space", "Auerbach", "a", (("A1-AO", "F A1-AO"), ("AO-A2", "F AO-A2"))),
        (
            *("quantum-space", "Auerbach", "a"),
            (("Auerbach 1 to Auerbach Orbit (A1-AO)", "F A1-AO"), ("Auerbach Orbit to Auerbach 2 (AO-A2)", "F AO-A2")),
        ),
        ("quantum-space-3001", "Octagon", "o", (("O1-OOrbit", "F O1-OO"), ("OOrbit-O2", "F OO-O2"))),
        ("quantum-space-3001", "Octagon", "o", (("O1-OOrbit", "F O1-OO"), ("then OOrbit-O2", "F OO-O2"))),
    ],
)
def test_quantum_a_fleet_from_space_1_to_space_2(
    world: World, variant: str, planet: str, code: str, lines: tuple[tuple[str, str], ...]
) -> None:
    seats = founded(world, (planet, "Zeno"), variant)
    if variant == "quantum-space":
        world.pass_time(days=8)
    with world.altering(planets.GAME) as row:
        row.position = {**row.position, "units": [f"{planet} F {code}1", f"{planet} A {code}6", "Zeno A z1"]}
    refused = text_of(world.send(player(planet), seats[planet], f"F {code}1-{code}2"))
    assert "fleets do not move from one surface space to another" in refused
    for line, order in lines:
        assert order in accepted(world, seats, planet, line)
        world.pass_time(days=8)
    assert f"{planet} F {code}2" in set(map(str, position_of(world, planets.GAME).units))


@pytest.mark.ruling("QS-1")
def test_quantum_what_borders_what(world: World) -> None:
    seats = founded(world, ("Auerbach", "Zeno"), "quantum-space-3001")
    with world.altering(planets.GAME) as row:
        row.position = {**row.position, "units": ["Auerbach A a1", "Auerbach A a5", "Auerbach A a2", "Zeno A z1"]}
    for line in ("A1-A4", "A5-A8", "A1-A2", "A1-A5"):
        accepted(world, seats, "Auerbach", line)
    for line in ("A1-A6", "A2-A4", "A1-A8"):
        assert "does not border" in text_of(world.send(player("Auerbach"), seats["Auerbach"], line)), line


# ...It Came from Outer Space!


@pytest.mark.ruling("OS-3", "OS-5", "OS-8")
def test_outer_space_words(world: World) -> None:
    """Orbit or ORB; COL, Colonize, brainwash, assimilate; beaming up and down."""
    seats = empires.founded(world, ("Krell", "Zorg"))
    first = {"Krell": "A Orbit-PAR\nA ORB beams down to MUN\nA orb holds", "Zorg": "A ORB-MOS\nA ORB H\nA ORB H"}
    for empire, lines in first.items():
        assert "Not acted on" not in text_of(world.send(empires.address(empire), seats[empire], lines))
    for word, shown in (
        ("A PAR COL", "A Par COL"), ("A PAR Colonize BUR", "A Par COL Bur"), ("A PAR brainwash BUR", "A Par COL Bur"),
        ("A PAR assimilate", "A Par COL"), ("A PAR-Orbit", "A Par-Orb"), ("A PAR beams up", "A Par-Orb"),
    ):  # fmt: skip
        said = text_of(world.send(empires.address("Krell"), seats["Krell"], word))
        assert shown in said, said
        assert "Not acted on" not in said


@pytest.mark.ruling("OS-12")
def test_outer_space_three_armies_after_the_first_year(world: World) -> None:
    seats = empires.founded(world, ("Krell", "Zorg"))
    orders = {"Krell": ("PAR MUN LON", "PAR MUN LON"), "Zorg": ("MOS CON ROM", "MOS CON ROM")}
    for empire, (down, _) in orders.items():
        lines = "\n".join(f"A ORB-{at}" for at in down.split())
        assert "Not acted on" not in text_of(world.send(empires.address(empire), seats[empire], lines))
    for empire, (_, held) in orders.items():
        lines = "\n".join(f"A {at} COL" for at in held.split())
        assert "Not acted on" not in text_of(world.send(empires.address(empire), seats[empire], lines))
    position = position_of(world, "orbit")
    assert world.phase("orbit") == "S1902M", "nobody has more centres than armies"
    for empire in orders:
        assert len([unit for unit in position.units if unit.power == empire]) == 3
