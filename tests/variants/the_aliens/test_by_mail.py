"""The game by mail: joining, landing, transmitting, Winter, and what the mails say."""

from __future__ import annotations

import pytest

from gm.maps.scene import scene
from tests.server.kept import kept
from tests.server.world import BASE, World, player, reply_to, text_of
from tests.variants.the_aliens.scenes import GAME, SIX, play, position

pytestmark = pytest.mark.long


@kept
def started(world: World, count: int, options: str = "") -> dict[str, str]:
    """A running game with this number of races: the reply address of each, and of the gamemaster as `GM`."""
    master = "master@example.org"
    created = world.send(master, BASE, f"CREATE mars variant=the-aliens early=orders {options}")
    for race in SIX[:count]:
        world.send(player(race), BASE, f"JOIN mars AS {race}")
    world.send(master, reply_to(created), "START mars")
    return {"GM": reply_to(created)} | {race: reply_to(world.last(player(race))) for race in SIX[:count]}


@kept
def ordered(world: World, seats: dict[str, str], orders: dict[str, str]) -> dict[str, str]:
    """Send everybody's orders. Returns the texts of the receipts."""
    return {race: text_of(world.send(player(race), seats[race], text)) for race, text in orders.items()}


LISTS = {
    "Alpha": "SHIP 1: PAR, BRE, SPA, PIC, GAS",
    "Beta": "SHIP 1: BUR, GAS, BEL",
    "Gamma": "ship 1: con",
    "Delta": "Ship: Moscow, Warsaw",
    "Epsilon": "SHIP 1: EDI",
    "Zeta": "SHIP 1: ROM",
}


def test_six_races_play_the_first_example(world: World) -> None:
    seats = started(world, 6)
    opening = text_of(world.last(player("Alpha")))
    assert "W2050L: the game begins, you are Alpha, reply with your landing lists by" in str(
        world.last(player("Alpha"))["Subject"]
    )
    assert "SHIP 1, one army in reserve" in opening
    assert "SHIP 1: " in opening
    receipts = ordered(world, seats, LISTS)
    assert "SHIP 1: Par, Bre, Spa, Pic, Gas" in receipts["Alpha"]
    assert "Your orders are complete" in receipts["Alpha"]
    assert world.phase("mars") == "S2051M"
    report = text_of(world.last(player("Alpha")))
    assert "lands in Spa; bumped from Par (Beta SHIP 1 for Bur); Bre (Beta SHIP 1 for Gas)" in report
    assert "Reserve: 1 (A)" in report
    assert "A Spa- T Spa-" in report

    receipt = ordered(world, seats, {"Alpha": "A SPA-MAR\nA HOME-SPA"})["Alpha"]
    assert "T Spa (R) Home is missing" in receipt
    assert "T Spa-" in receipt
    receipt = ordered(world, seats, {"Alpha": "T SPA (R) HOME"})["Alpha"]
    for order in ("A Spa-Mar", "A Home-Spa", "T Spa (R) Home"):
        assert order in receipt
    assert "Please look again" not in receipt
    world.pass_time(days=4)
    assert world.phase("mars") == "F2051M"
    report = text_of(world.last(player("Beta")))
    assert "Alpha: Army Home -> Spain." in report
    assert "Alpha: Transmitter Spain RECEIVES FROM Home." in report
    ordered(world, seats, {"Alpha": "A MAR H\nA SPA-POR\nT SPA H"})
    world.pass_time(days=4)
    assert world.phase("mars") == "W2051A"
    report = text_of(world.last(player("Alpha")))
    assert "W2051A: F2051M results, reply with your arrivals by" in str(world.last(player("Alpha"))["Subject"])
    assert (
        "In reserve: 2 units, 1 transmitter. # T Spa (R) T, T Spa (R) A Spa, T Spa (R) F Spa/nc, # T Spa (R) F Spa/sc"
        in report
    )
    receipt = ordered(world, seats, {"Alpha": "T SPA (R) F SPA(sc)"})["Alpha"]
    assert "T Spa (R) F Spa/sc" in receipt
    world.pass_time(days=2)
    assert world.phase("mars") == "S2052M"
    assert "F Spa/sc" in text_of(world.last(player("Alpha")))


@pytest.mark.ruling("AL-1")
def test_al_01_how_many_can_play_is_said_before_they_join(world: World) -> None:
    created = text_of(world.send("master@example.org", BASE, "CREATE mars variant=the-aliens"))
    assert "It is for 2 to 13 players." in created
    assert "no seats are taken, for 2 to 13 players" in text_of(world.send("a@players.example", BASE, "LIST"))


def test_no_octagon_is_drawn_for_a_transmitter_that_stays() -> None:
    before = position("S2054M", {"Alpha": "T ven, A mar", "Beta": "A par"}, players=2)
    turn = play(before, {"Alpha": "T VEN H, A MAR H", "Beta": "A PAR H"}).turn
    drawn = scene(GAME.view(GAME, turn.after, turn, None))
    assert len(drawn.drawing.holds) == 2


def test_orders_of_transmitters_are_drawn_when_the_other_end_does_not_agree() -> None:
    """The transmitter is in its frame, with a broken line to the other one and a cross."""
    before = position("S2054M", {"Alpha": "T ven, A mar", "Beta": "A par, T bre"}, players=2)
    turn = play(before, {"Alpha": "T VEN (S) BRE, A MAR H", "Beta": "A PAR H, T BRE H"}).turn
    drawn = scene(GAME.view(GAME, turn.after, turn, None))
    (stroke,) = (stroke for stroke in drawn.drawing.strokes if stroke.kind == "deed")
    assert stroke.failed
    assert len(drawn.drawing.deeds) == len(drawn.drawing.crosses) == 1
    assert ("deed", "relays") in [(entry.sign, entry.text) for entry in drawn.legend.entries]


def test_what_is_refused_and_why(world: World) -> None:
    seats = started(world, 2)
    receipt = ordered(world, seats, {"Alpha": "SHIP 1: PAR, BREE\nSHIP 2: NTH\nSHIP 3: CON\nSHIP 3: SMY"})["Alpha"]
    for words in (
        "Did you mean Bre (Brest)?",
        "no land province",
        "SHIP 3: Smy",
        "Without an order, so landed at random",
        "Ordered again further down, where the later order counts: SHIP 3: Con",
    ):
        assert words in receipt
    assert receipt.count("SHIP 3: Con") == 1, "the later list is the one in force"


@pytest.mark.ruling("AL-1")
@pytest.mark.parametrize(
    "text",
    [
        "Ship list is Par, Bre, Spa, Pic, Gas...", "My ship list is Par, Bre, Spa, Pic, Gas", "Par, Bre, Spa, Pic, Gas",
        "PAR\nBRE\nSPA\nPIC\nGAS", "SHIP 1:\nPAR\nBRE, SPA\nPIC\nGAS\n",
        "SHIP 1: PAR, BRE,\nSPA, PIC,\nGAS\n\nBye,\nAnn",
        "SHIP 1:\n1. Par\n2. Bre\n3. Spa\n4. Pic\n5. Gas", "Par-Bre-Spa-Pic-Gas",
        "Ship: Par then Bre then Spa, Pic and Gas",
        "Ship 1 lands in Par, Bre, Spa, Pic, Gas",
    ],
)  # fmt: skip
def test_lists_as_people_write_them(world: World, text: str) -> None:
    seats = started(world, 6)
    receipt = ordered(world, seats, {"Alpha": text})["Alpha"]
    assert "SHIP 1: Par, Bre, Spa, Pic, Gas" in receipt
    assert "Not acted on" not in receipt
    assert "Your orders are complete" in receipt


@pytest.mark.ruling("AL-1")
def test_with_several_ships_a_bare_list_is_refused_and_lists_are_below_their_ships(world: World) -> None:
    seats = started(world, 2)
    assert "the line does not say which" in ordered(world, seats, {"Alpha": "Par, Bre"})["Alpha"]
    receipt = ordered(world, seats, {"Alpha": "SHIP 1:\nPAR, BRE\nSHIP 2:\nCON\nSMY\nSHIP 3: EDI"})["Alpha"]
    for order in ("SHIP 1: Par, Bre", "SHIP 2: Con, Smy", "SHIP 3: Edi"):
        assert order in receipt


@pytest.mark.ruling("AL-1")
@pytest.mark.parametrize(
    "text",
    [
        "SHIP 1: PAR, BRE\n2: CON, SMY\n3: EDI", "1: Par, Bre\n2: Con, Smy\n3: Edi",
        "Ships:\n1. Par, Bre\n2. Con, Smy\n3. Edi", "My ships\n(1) Par\nBre\n(2) Con\nSmy\n(3) Edi",
        "3 - Edi\n2 - Con, Smy\n1 - Par, Bre", "SHIP 1:\n1. Par\n2. Bre\nSHIP 2:\n1. Con\n2. Smy\nSHIP 3: EDI",
        "SHIP 1:\n1: Par, Bre\n2: Con, Smy\n3: Edi", "SHIP 1:\nPar\nBre\n#2 Con, Smy\n#3 Edi",
        "SHIP 1: Par, Bre; 2: Con, Smy; 3: Edi", "1: Par, Bre; 2: Con, Smy\n3: Edi",
        "Ships: 1: Par, Bre; 2: Con, Smy; 3: Edi",
        "Spaceship 1: Par, Bre\nSpacecraft 2: Con, Smy\nMy spaceship no. 3: Edi", "1 Par, Bre\nNo. 2: Con, Smy\n3) Edi",
    ],
)  # fmt: skip
def test_the_number_of_a_line_says_which_ship_it_is_for(world: World, text: str) -> None:
    seats = started(world, 2)
    receipt = ordered(world, seats, {"Alpha": text})["Alpha"]
    assert "Not acted on" not in receipt
    assert "Not read" not in receipt
    for order in ("SHIP 1: Par, Bre Ship 1", "SHIP 2: Con, Smy Ship 2", "SHIP 3: Edi Ship 3"):
        assert order in receipt


@pytest.mark.ruling("AL-1")
def test_a_number_that_no_ship_has_is_refused(world: World) -> None:
    seats = started(world, 2)
    receipt = ordered(world, seats, {"Alpha": "1: Par\n2: Con\n3: Edi\n4: Mos\nSHIP 0: Tun"})["Alpha"]
    assert "You have no SHIP 4; you have 3 ships." in receipt
    assert "You have no SHIP 0; you have 3 ships." in receipt
    assert "SHIP 3: Edi" in receipt


@pytest.mark.ruling("AL-1")
@pytest.mark.parametrize(
    "text", ["1. Par\n2. Bre\n3. Spa", "SHIP 1: Par\n2. Bre\n3. Spa", "Ships:\n1: Par, Bre\n2: Spa"]
)
def test_of_a_single_ship_the_numbers_count_its_places(world: World, text: str) -> None:
    seats = started(world, 6)
    receipt = ordered(world, seats, {"Alpha": text})["Alpha"]
    assert "SHIP 1: Par, Bre, Spa Ship 1" in receipt
    assert "Not acted on" not in receipt


@pytest.mark.ruling("AL-2", "AL-4", "AL-10")
def test_the_seeds_orders_as_they_are_printed(world: World) -> None:
    """The first example to its end: each line as the player reads it, with headings, remarks and full stops."""
    seats = started(world, 6)
    lists = {**LISTS, "Alpha": "Ship list is Par, Bre, Spa, Pic, Gas..."}
    assert "SHIP 1: Par, Bre, Spa, Pic, Gas" in ordered(world, seats, lists)["Alpha"]
    assert world.phase("mars") == "S2051M"
    spring = (
        "Spring 2051: A Spa-Mar, A Home-Spa, T Spa (R) Home. (There are at least 6 playing, so the player has just 1 "
        "spaceship and the extra army.)"
    )
    for line, orders, later in (
        (spring, ("A Spa-Mar", "A Home-Spa", "T Spa (R) Home"), "F2051M"),
        ("Fall 2051: A Mar H, A Spa-Por, T Spa H.", ("A Mar H", "A Spa-Por", "T Spa H"), "W2051A"),
        ("Winter 2051: T Spa (R) F Spa(sc).", ("T Spa (R) F Spa/sc",), "S2052M"),
    ):
        receipt = ordered(world, seats, {"Alpha": line})["Alpha"]
        assert "Not acted on" not in receipt
        assert all(order in receipt for order in orders)
        world.pass_time(days=2 if line.startswith("Winter") else 4)
        assert world.phase("mars") == later
    position = world.game("mars").position
    assert position is not None
    assert {"Alpha A mar", "Alpha A por", "Alpha F spa/sc"} <= set(map(str, position.units))
    assert {code for code, race in position.centers.items() if race == "Alpha"} == {"mar", "por"}


@pytest.mark.ruling("AL-10")
def test_a_bracket_that_is_a_verb_is_never_a_remark(world: World) -> None:
    """What is meant for transmitters does not move the armies beside them."""
    seats = started(world, 2)
    ordered(world, seats, {"Alpha": "SHIP 1: PAR; 2: KIE; 3: GRE", "Beta": "SHIP 1: MOS; 2: EDI; 3: TUN"})
    world.pass_time(days=8)
    ordered(world, seats, {"Alpha": "A KIE H\nA GRE H\nT KIE H\nT GRE H"})
    lines = [
        "(S) Kie Gre",
        "(R) Gre Kie",
        "(s) A Kie-Gre",
        "T Kie-Ber (S)",
        "A Kie-Ber (T/S)",
        "(R)Gre-Kie",
        "- (S) Kie Gre",
    ]
    receipt = ordered(world, seats, {"Alpha": "\n".join(lines)})["Alpha"]
    assert receipt.count("'(' in ") == len(lines), receipt
    receipt = ordered(world, seats, {"Alpha": "A PAR H (stays)\nT KIE (t/s) Gre\nT GRE (r) Kie"})["Alpha"]
    for order in ("A Par H", "A Kie H", "A Gre H", "T Kie (S) Gre", "T Gre (R) Kie"):
        assert order in receipt
    assert "Not acted on" not in receipt


def test_the_form_left_as_it_came_is_silent(world: World) -> None:
    seats = started(world, 2)
    text = text_of(world.send(player("Alpha"), seats["Alpha"], "SHIP 1:\nSHIP 2:\nSHIP 3: CON\n"))
    assert "Not acted on" not in text
    assert "SHIP 3: Con" in text


def test_a_race_without_a_list_lands_at_random_and_is_notified(world: World) -> None:
    started(world, 2)
    world.pass_time(days=8)
    assert world.phase("mars") == "S2051M"
    report = text_of(world.last(player("Alpha")))
    assert "Alpha and Beta sent no orders (NMR), so their landing places were drawn at random." in report
    assert "Alpha SHIP 3 had no list; drawn at random:" in report


def test_transmission_between_four_races(world: World) -> None:
    seats = started(world, 4)
    ordered(
        world,
        seats,
        {
            "Alpha": "SHIP 1: KIE; SHIP 2: PAR",
            "Beta": "SHIP 1: GRE; SHIP 2: SMY",
            "Gamma": "SHIP 1: MOS; SHIP 2: EDI",
            "Delta": "SHIP 1: ROM; SHIP 2: SPA",
        },
    )
    assert world.phase("mars") == "S2051M"
    receipts = ordered(
        world,
        seats,
        {
            "Alpha": "A KIE-GRE\nT KIE (S) GRE\nA PAR H\nT PAR H",
            "Beta": "A GRE-BUL\nT GRE (R) KIE\nA SMY-CON\nT SMY-CON",
            "Gamma": "A MOS-WAR\nT MOS H\nA EDI-YOR\nT EDI-CLY",
            "Delta": "A ROM-VEN\nT ROM-VEN\nA SPA-POR\nT SPA H",
        },
    )
    assert "T Kie (S) Gre needs T Gre (R) Kie, which only Beta can order." in receipts["Alpha"]
    report = text_of(world.last(player("Gamma")))
    assert "Alpha: Army Kiel -> Greece (by transmitter)." in report
    assert "Alpha A Gre destroys Beta's there if it stays another season." in report
    assert world.phase("mars") == "F2051M"
    ordered(
        world,
        seats,
        {
            "Alpha": "A GRE H\nT KIE H\nA PAR H\nT PAR H",
            "Beta": "A BUL H\nT GRE-ALB\nA CON H\nT CON H",
            "Gamma": "A WAR H\nT MOS H\nA YOR H\nT CLY H",
            "Delta": "A VEN H\nT VEN H\nA POR H\nT SPA H",
        },
    )
    assert world.phase("mars") == "W2051A"
    report = text_of(world.last(player("Beta")))
    assert "T Alb" in report


def test_the_final_position_has_the_transmitters_and_no_allowances(world: World) -> None:
    seats = started(world, 2)
    ordered(
        world,
        seats,
        {"Alpha": "SHIP 1: MUN; SHIP 2: GRE; SHIP 3: EDI", "Beta": "SHIP 1: SPA; SHIP 2: MOS; SHIP 3: TUN"},
    )
    world.pass_time(days=4)
    for race in ("Alpha", "Beta"):
        world.send(player(race), seats[race], "DRAW")
    for told in (text_of(world.last(player("Beta"))), text_of(world.send(player("Alpha"), seats["Alpha"], "STATUS"))):
        assert "Alpha A Edi, A Gre, A Mun" in " ".join(told.split())
        assert "Alpha T Edi, T Gre, T Mun" in " ".join(told.split())
        assert "Allowances" not in told


def test_the_relay_is_an_option(world: World) -> None:
    seats = started(world, 2, "relay=yes")
    assert "Relay" in text_of(world.last(player("Alpha")))
    ordered(
        world,
        seats,
        {"Alpha": "SHIP 1: MUN; SHIP 2: GRE; SHIP 3: EDI", "Beta": "SHIP 1: SPA; SHIP 2: MOS; SHIP 3: TUN"},
    )
    ordered(world, seats, {"Alpha": "T MUN-KIE"})
    world.pass_time(days=4)
    receipt = ordered(world, seats, {"Alpha": "A MUN-KIE-GRE\nT KIE (S) GRE\nT GRE (R) KIE\nA GRE-SER"})["Alpha"]
    assert "A Mun-Kie-Gre" in receipt
    world.pass_time(days=4)
    assert "Alpha: Army Munich -> Kiel -> Greece (by transmitter)." in text_of(world.last(player("Beta")))
    refused = text_of(world.send("master@example.org", BASE, "CREATE moon variant=the-aliens relay=perhaps"))
    assert "Write one of: no, yes" in refused
    refused = text_of(world.send("master@example.org", BASE, "CREATE moon relay=yes"))
    assert "no option 'relay'" in refused


def test_help_and_rules(world: World) -> None:
    seats = started(world, 2)
    text = text_of(world.send(player("Alpha"), seats["Alpha"], "HELP ORDERS"))
    assert "T GRE (R) KIE" in text
    assert "(AL-15)" in text_of(world.send(player("Alpha"), seats["Alpha"], "RULES"))


def test_names_of_races(world: World) -> None:
    created = world.send("master@example.org", BASE, "CREATE mars variant=the-aliens early=orders")
    assert "named" not in text_of(created)
    refused = text_of(world.send(player("Alpha"), BASE, "JOIN mars AS Paris"))
    assert "is a place on the board" in refused
    for name in ("Zorg & Co", "Z.org", "7 Up", "\u0417\u043e\u0440\u0433"):
        refused = text_of(world.send(player("Alpha"), BASE, f"JOIN mars AS {name}"))
        assert "Latin letters, digits, blanks, hyphens and apostrophes" in refused, name
    for number, name in enumerate(("\u00dcnion", "O'Hara-7", "Zorg 2")):
        assert f"You play {name}" in text_of(world.send(f"p{number}@players.example", BASE, f"JOIN mars AS {name}"))
    world.send("master@example.org", reply_to(created), "START mars")
    answer = text_of(world.send("p0@players.example", reply_to(world.last("p0@players.example")), "SHIP 1: PAR"))
    assert "SHIP 1: PAR" in answer.upper()
    assert "Not acted on" not in answer


def test_a_winter_of_offers(world: World) -> None:
    """Arrivals are optional: WAIVE completes the orders. Removals that are due must still be named."""
    seats = started(world, 2)
    ordered(
        world,
        seats,
        {"Alpha": "SHIP 1: PAR; SHIP 2: CON; SHIP 3: EDI", "Beta": "SHIP 1: ROM; SHIP 2: MOS; SHIP 3: SPA"},
    )
    world.pass_time(days=4)
    ordered(world, seats, {"Alpha": "A PAR-BRE\nA CON-BUL\nA EDI-LVP"})
    world.pass_time(days=4)
    assert world.phase("mars") == "W2051A"
    text = text_of(world.send(player("Alpha"), seats["Alpha"], "T PAR (R)\nT CON (R)\nT EDI (R)"))
    assert "Not acted on" not in text
    assert "No orders" in text or "nothing" in text
    text = text_of(
        world.send(player("Alpha"), seats["Alpha"], "T PAR (R) A PAR\nT CON (R) F CON\nREMOVE A BRE\nREMOVE T EDI")
    )
    assert "cannot be removed: you have no more units than" in text
    assert "T Con (R) F Con" in text
    assert "Your orders are complete." in text
    assert "Remove Transmitter Edinburgh" in text
    text = text_of(world.send(player("Alpha"), seats["Alpha"], "REMOVE T PAR\nWAIVE"))
    assert "Nothing more arrives" in text
    assert "No longer ordered, since a later mail replaces all: T Con (R) F Con" in text
    assert "T Con (R) F Con" not in text.partition("Orders of Alpha")[2]
    text = text_of(world.send(player("Beta"), seats["Beta"], "T ROM (R) A ROM"))
    assert "Rom is not vacant" in text, "a transmitter is to be removed, and no unit"
    text = text_of(world.send(player("Beta"), seats["Beta"], "WAIVE"))
    assert "1 removal not ordered" in text
    ordered(world, seats, {"Beta": "REMOVE T SPA"})
    assert world.phase("mars") == "S2052M"
    assert "Alpha: Nothing more arrives." in text_of(world.last(player("Beta")))


@pytest.mark.ruling("AL-1")
def test_landing_lists_below_orders_for_correct_a_landing(world: World) -> None:
    seats = started(world, 2)
    ordered(
        world, seats, {"Alpha": "SHIP 1: PAR\nSHIP 2: CON\nSHIP 3: EDI", "Beta": "SHIP 1: BUR\nSHIP 2: ROM\n3: BEL"}
    )
    lines = (
        "CORRECT W2050L NOW\nORDERS FOR Beta\nship 1: mar, bur\nship 2: nap\nship 3: bel\nBECAUSE they phoned in time"
    )
    answer = text_of(world.send("master@example.org", seats["GM"], lines))
    assert "W2050L is adjudicated again" in answer
    assert "lands in Mar" in text_of(world.last(player("Alpha")))
