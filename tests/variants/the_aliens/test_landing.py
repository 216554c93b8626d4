"""The landing (AL-1 to AL-3)."""

from __future__ import annotations

import pytest

from gm.board import Location, Power, Province, UnitKind
from gm.chance import Chance
from gm.errors import GmError, NotUnderstood
from gm.orders.notation import write
from gm.position import Position
from gm.reports.bulletins import Bulletin
from gm.reports.headline import headline
from gm.reports.results import result_lines
from gm.reports.standing_orders import Longhand
from gm.variants.the_aliens.state import alien_board
from tests.reports.scenes import GAME as FACTS
from tests.tables import table
from tests.variants.the_aliens.scenes import CHANCE, GAME, play, races, understood


def aloft(players: int) -> Position:
    """The opening of a game with this number of races."""
    return GAME.opening(races(players), CHANCE)


@pytest.mark.ruling("AL-1")
@pytest.mark.parametrize(
    ("players", "ships", "units"), [(2, 3, 3), (3, 2, 2), (4, 2, 2), (5, 2, 2), (6, 1, 2), (7, 1, 2), (12, 1, 2)]
)
def test_ships_by_the_number_of_players(players: int, ships: int, units: int) -> None:
    before = aloft(players)
    assert before.phase.code == "W2050L"
    assert not before.centers
    assert {len(duty.units) for duty in GAME.duties(before).values()} == {ships}
    after = play(before, {}).turn.after
    for race in races(players):
        assert len(after.units_of(race)) == ships
        home = sum(piece.power == race and piece.at.startswith("home") for piece in GAME.pieces(after))
        assert home == units - ships, "one army in reserve where there is one ship"


@pytest.mark.ruling("AL-1")
@table("""
    text                     | complaint
    SHIP 1: PAR, BRE, PAR    | twice
    SHIP 1: PAR, NTH         | no land province
    SHIP 1: PAR, HOME        | no land province
    SHIP 4: PAR              | no SHIP 4
    SHIP: PAR                | which
    A PAR H                  | only ships
    SHIP 1: PAR, STP/NC, STP | twice
""")
def test_lists_that_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(GmError, match=complaint):
        understood(aloft(2), "Alpha", text)


@pytest.mark.ruling("AL-1")
@pytest.mark.parametrize(
    "text",
    [
        "SHIP 2: PAR, BRE, SWI",
        "ship 2 par bre swi",
        "Ship no. 2 - Paris, Brest, Switzerland",
        "SHIP2: PAR > BRE > SWI",
        "second ship to Paris, Brest, Switzerland",
        "the 2nd ship: Par, Bre, Swi",
    ],
)
def test_lists_as_people_write_them(text: str) -> None:
    assert [write(order) for order in understood(aloft(2), "Beta", text)] == ["SHIP 2: Par, Bre, Swi"]


@pytest.mark.ruling("AL-1")
def test_a_single_ship_needs_no_number() -> None:
    assert [write(order) for order in understood(aloft(6), "Beta", "SHIP: PAR, BRE")] == ["SHIP 1: Par, Bre"]


@pytest.mark.ruling("AL-1")
def test_a_misspelt_place_spoils_the_whole_list() -> None:
    with pytest.raises(NotUnderstood, match="Bre"):
        understood(aloft(2), "Alpha", "SHIP 1: PAR, BREE, SPA")


def landed(lists: dict[str, str], players: int = 6, far: bool = True) -> dict[str, str]:
    """Where each race's first ship comes down; the others' land far away."""
    rest = dict(zip(("Gamma", "Delta", "Epsilon", "Zeta"), ("Con", "Mos", "Edi", "Syr"), strict=True)) if far else {}
    given = {race: f"SHIP 1: {place}" for race, place in rest.items()} | lists
    after = play(aloft(players), given).turn.after
    return {str(unit.power): str(unit.at) for unit in after.units}


@pytest.mark.ruling("AL-2")
@pytest.mark.parametrize(
    ("alpha", "beta", "places"),
    [
        ("PAR, BRE", "BER", ("par", "ber")),  # nobody near
        ("PAR, SPA", "PAR, BER", ("spa", "ber")),  # the same
        ("PAR, SPA", "BUR, BER", ("spa", "ber")),  # adjacent
        ("PAR, BRE", "BUR, BER", ("bre", "ber")),  # Brest, though Paris was tried before
        ("PAR, BRE, SPA", "BUR, GAS, BER", ("spa", "ber")),  # both again at once
        ("BER, PAR, NAP", "PIC", ("ber", "pic")),
        ("DEN", "SWE, PAR", ("den", "par")),  # an army can move between them: both are bumped
        ("TUN", "NAP", ("tun", "nap")),  # only fleets go there
        ("SWI, PAR", "MAR, ROM", ("par", "rom")),  # Switzerland is land and passable
    ],
)
def test_rounds_of_two_ships(alpha: str, beta: str, places: tuple[str, str]) -> None:
    found = landed({"Alpha": f"SHIP 1: {alpha}", "Beta": f"SHIP 1: {beta}"})
    if alpha == "DEN":  # bumped, then placed at random
        assert found["Alpha"] != "den"
        assert found["Beta"] == "par"
    else:
        assert (found["Alpha"], found["Beta"]) == places


@pytest.mark.ruling("AL-2")
@pytest.mark.parametrize("held", ["GAS", "PIC", "PAR", "BRE"])
def test_a_landed_ship_holds_its_place_and_those_beside_it(held: str) -> None:
    found = landed({"Alpha": "SHIP 1: STP, BRE, SPA", "Beta": f"SHIP 1: {held}"})
    assert found["Alpha"] == ("spa" if held != "GAS" else found["Alpha"]), "bumped from Stp by Moscow, then from Brest"
    assert found["Alpha"] != "bre"
    assert found["Beta"] == held.lower()


@pytest.mark.ruling("AL-2")
def test_own_ships_bump_each_other() -> None:
    after = play(
        aloft(2),
        {"Alpha": "SHIP 1: PAR, SPA; SHIP 2: BUR, BER; SHIP 3: EDI", "Beta": "SHIP 1: CON; SHIP 2: MOS; SHIP 3: TUN"},
    )
    assert {"Alpha A spa", "Alpha A ber", "Alpha A edi"} <= after.units


@pytest.mark.ruling("AL-2")
def test_of_two_lists_for_a_ship_the_last_counts() -> None:
    played = play(aloft(6), {"Alpha": "SHIP 1: PAR; SHIP 1: EDI"})
    assert "Alpha A edi" in played.units
    assert (played.result("SHIP 1: Par"), played.result("SHIP 1: Edi")) == ("void", "succeeds")


def landing(chance: Chance, near: set[str], race: str, ship: str) -> str:
    """The land that is drawn for a ship, where nobody of these stands, nor beside it."""
    board = alien_board()
    beside = {board.province(one) for place in near for one in board.neighbours(UnitKind.ARMY, Location(place))}
    return str(chance.choose_but(board.lands, beside | near, "W2050L", "landing", race, ship))


@pytest.mark.ruling("AL-2")
def test_a_ship_whose_list_has_run_out_waits_until_the_others_are_down() -> None:
    """Alpha's first is bumped from Paris and has no choice left; Beta's lands in Burgundy, which nobody disputes."""
    chance = Chance(bytes(range(32)))
    lists = {"Alpha": "SHIP 1: PAR; SHIP 2: CON; SHIP 3: EDI", "Beta": "SHIP 1: PAR, BUR; SHIP 2: MOS; SHIP 3: TUN"}
    played = play(aloft(2), lists, chance=chance)
    assert {"Beta A bur", "Alpha A con", "Alpha A edi", "Beta A mos", "Beta A tun"} <= played.units
    drawn = landing(chance, {"bur", "con", "edi", "mos", "tun"}, "Alpha", "1")
    assert f"Alpha A {drawn}" in played.units


@pytest.mark.ruling("AL-2")
def test_ships_without_a_list_bump_nobody_and_land_last_by_race_and_ship() -> None:
    chance = Chance(bytes(range(1, 33)))
    played = play(aloft(2), {"Beta": "SHIP 1: PAR, BRE; SHIP 3: CON"}, chance=chance)
    assert {"Beta A par", "Beta A con"} <= played.units, "whatever the others would have drawn"
    down = {"par", "con"}
    for race, ship in (("Alpha", "1"), ("Alpha", "2"), ("Alpha", "3"), ("Beta", "2")):
        place = landing(chance, down, race, ship)
        assert f"{race} A {place}" in played.units
        down.add(place)
    assert [line.partition(" drawn")[0] for line in played.told] == [
        f"{race} SHIP {ship} had no list;" for race, ship in (("Alpha", 1), ("Alpha", 2), ("Alpha", 3), ("Beta", 2))
    ]


@pytest.mark.ruling("AL-2")
def test_a_ship_that_is_bumped_from_all_its_choices_did_not_do_what_was_ordered() -> None:
    lists = {"Alpha": "SHIP 1: PAR; SHIP 2: CON; SHIP 3: EDI", "Beta": "SHIP 1: PAR, BUR; SHIP 2: MOS"}
    turn = play(aloft(2), lists, chance=Chance(bytes(range(32)))).turn
    for race, said in (
        ("Alpha", "1 of your 3 orders failed: SHIP 1: Par (placed at random)."),
        ("Beta", "Your 2 orders succeeded."),
    ):
        seen = GAME.view(GAME, turn.after, turn, Power(race))
        assert headline(Bulletin(FACTS, seen), Power(race))[0].startswith(said)
        marks = {
            write(line.given): line.mark
            for _, line in result_lines(seen, turn, Longhand(seen.board, {}, turn.before.phase.kind))
        }
        assert [marks["SHIP 1: Par"], marks["SHIP 1: Par, Bur"]] == ["placed at random", ""]


@pytest.mark.ruling("AL-2")
def test_draws_are_reported_and_repeatable() -> None:
    chance = Chance(bytes(range(32)))
    before = aloft(2)
    lists = {"Alpha": "SHIP 1: PAR; SHIP 2: CON; SHIP 3: EDI", "Beta": "SHIP 1: PAR, BUR; SHIP 2: MOS; SHIP 3: TUN"}
    played = play(before, lists, chance=chance)
    drawn = landing(chance, {"bur", "con", "edi", "mos", "tun"}, "Alpha", "1")
    [news] = [line for line in played.told if "Alpha SHIP 1" in line]
    assert f"drawn at random: {drawn.capitalize()}" in news
    again = play(before, lists, chance=chance)
    assert again.turn == played.turn
    other = [play(before, lists, chance=Chance(bytes([n] * 32))).turn.after.units for n in range(1, 9)]
    assert len(set(other)) > 1, "another seed, another place"


@pytest.mark.ruling("AL-2")
def test_a_ship_without_a_list_lands_at_random() -> None:
    played = play(aloft(12), {})
    assert len(played.told) == 12
    assert len({unit.at for unit in played.turn.after.units}) == 12
    board = alien_board()
    for unit in played.turn.after.units:
        others = {u.at for u in played.turn.after.units} - {unit.at}
        assert not others & set(board.neighbours(unit.kind, unit.at))


@pytest.mark.ruling("AL-3")
def test_a_ship_lands_one_army_and_one_transmitter_and_is_gone() -> None:
    played = play(aloft(2), {"Alpha": "SHIP 1: PAR; SHIP 2: CON; SHIP 3: EDI", "Beta": "SHIP 1: ROM; SHIP 2: MOS"})
    after = played.turn.after
    assert {"Alpha A par", "Alpha A con", "Alpha A edi", "Beta A rom", "Beta A mos"} <= played.units
    assert sorted(piece.replace(" T ", " A ") for piece in played.transmitters) == sorted(played.units)
    assert after.phase.code == "S2051M"
    assert {unit.kind for duty in GAME.duties(after).values() for unit in duty.units} == {"A", "T"}
    with pytest.raises(GmError, match="before the first season"):
        understood(after, "Alpha", "SHIP 1: PAR")


def test_switzerland_is_passable() -> None:
    board = alien_board()
    assert set(board.neighbours(UnitKind.ARMY, Location("swi"))) == {"bur", "mar", "mun", "pie", "tyr"}
    assert Location("swi") in board.neighbours(UnitKind.ARMY, Location("mar"))
    assert not board.is_center(Province("swi"))
    assert len(board.centers) == 34
    assert all(board.home(center) is None for center in board.centers)


@pytest.mark.parametrize(
    ("name", "taken"),
    [("A", ()), ("Paris", ()), ("All", ()), ("alpha", ("Alpha",)), ("al pha", ("Alpha",)), ("12", ()), ("x" * 21, ()),
     ("Home", ()), ("Ta.us", ()), ("Zo&", ())],
)  # fmt: skip
def test_names_that_a_race_cannot_bear(name: str, taken: tuple[str, ...]) -> None:
    assert GAME.seating.name is not None
    with pytest.raises(NotUnderstood):
        GAME.seating.name(name, [Power(other) for other in taken])


def test_names() -> None:
    assert GAME.seating.name is not None
    assert GAME.seating.name("  the   third Fleet ", []) == "The third Fleet"
    assert GAME.seating.name("Zoë", []) == "Zoë"


@pytest.mark.ruling("AL-2")
def test_another_list_moves_no_landing_that_is_drawn_but_one_beside_it() -> None:
    """Otherwise whoever sees the landing played again throws for others, by naming another place."""
    moved = 0
    for number in range(1, 60):
        chance = Chance(bytes([number] * 32))
        sites = [
            set(play(aloft(2), {"Alpha": f"SHIP 1: PAR; SHIP 2: CON; SHIP 3: {at}"}, chance=chance).units)
            for at in ("MUN", "BER")
        ]
        moved += len({unit for unit in sites[0] ^ sites[1] if unit.startswith("Beta")}) // 2
    assert moved < 40, "of 177 ships of Beta those whose land would lie beside Munich or Berlin, or beside one of them"
