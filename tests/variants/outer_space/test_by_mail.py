"""Games by mail: naming empires, receipts, refusals and reports, with seven empires and with forty."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.server.kept import kept
from tests.server.world import BASE, World, player, reply_to, text_of
from tests.variants.outer_space.test_empires import FORTY

pytestmark = pytest.mark.long

SEVEN = ("Krell", "Zorg", "Morbo", "Vulcan", "Borg", "Thark", "Zeta Reticuli")


GROUND = (
    *("PAR", "BUR", "GAS", "MAR", "PIC", "BRE", "SPA", "POR", "NAF", "TUN", "LON", "WAL", "LVP", "YOR", "EDI", "CLY"),
    *("NWY", "SWE", "FIN", "STP", "MOS", "LVN", "UKR", "SEV", "WAR", "PRU", "BER", "KIE", "MUN", "RUH", "HOL", "BEL"),
    *("DEN", "SIL", "BOH", "GAL", "VIE", "TYR", "TRI", "BUD"),
)


def address(empire: str) -> str:
    """The mailbox of an empire's player."""
    return player(empire.replace(" ", "."))


@kept
def founded(world: World, empires: tuple[str, ...] | list[str]) -> dict[str, str]:
    """A game that has begun: the reply address of each empire's player, and of the gamemaster as `GM`."""
    created = world.send("master@example.org", BASE, "CREATE orbit variant=outer-space early=orders")
    for empire in empires:
        world.send(address(empire), BASE, f"JOIN orbit AS {empire}")
    world.send("master@example.org", reply_to(created), "START orbit")
    return {"GM": reply_to(created)} | {empire: reply_to(world.last(address(empire))) for empire in empires}


def order(world: World, seats: Mapping[str, str], lines: Mapping[str, str]) -> dict[str, str]:
    """Send the orders of some empires. Returns their receipts."""
    return {
        empire: text_of(world.send(address(empire), seats[empire], text.replace(", ", "\n")))
        for empire, text in lines.items()
    }


def close(world: World, seats: Mapping[str, str]) -> None:
    """Let the gamemaster process the phase."""
    phase = world.phase("orbit")
    world.send("master@example.org", seats["GM"], f"PROCESS orbit {phase}")
    assert world.phase("orbit") != phase


def report(world: World, empire: str) -> str:
    """The newest report to an empire."""
    return text_of(world.last(address(empire)))


@pytest.mark.ruling("OS-1")
def test_os_01_empires_are_named_when_their_players_join(world: World) -> None:
    world.send("master@example.org", BASE, "CREATE orbit variant=outer-space early=orders")
    assert "You play Krell" in text_of(world.send("a@players.example", BASE, "JOIN orbit AS the krell"))
    assert "Choose another name" in text_of(world.send("b@players.example", BASE, "JOIN orbit AS Krell"))
    assert "is a place on the board" in text_of(world.send("b@players.example", BASE, "JOIN orbit AS Paris"))
    refused = text_of(world.send("master@example.org", reply_to(world.last("master@example.org")), "START orbit"))
    assert "1 more must JOIN" in refused
    assert "You play Altair." in text_of(world.send("b@players.example", BASE, "JOIN orbit"))
    assert "You play Kremlin" in text_of(world.send("b@players.example", BASE, "JOIN orbit AS Kremlin"))
    world.send("master@example.org", reply_to(world.last("master@example.org")), "START orbit")
    assert "3 armies Krell (KRE), Kremlin (KRM)" in text_of(world.last("a@players.example"))


@pytest.mark.ruling("OS-2", "OS-7", "OS-9", "OS-12", "OS-14")
def test_a_game_of_seven(world: World) -> None:
    seats = founded(world, SEVEN)
    receipts = order(world, seats, {
        "Krell": "A ORB-PAR, A ORB-MUN, A Orbit holds, A ORB-BER",
        "Zorg": "A ORB-PAR, A ORB-VIE",
        "Zeta Reticuli": "A ORB-MOS, A ORB-WAR",
        "Vulcan": "A ORB-BUR, A ORB-NTH",
    })  # fmt: skip
    assert "You have 3 units in Orb, and you have already ordered all of them" in receipts["Krell"]
    assert "1 unit without an order" in str(world.last(address("Zorg"))["Subject"])
    assert "A Orb-Nth is not possible: North Sea is at sea" in receipts["Vulcan"]
    close(world, seats)
    told = report(world, "Krell")
    assert "Krell: Army Orbit -> Paris. (*bounce*) A Orb-Par bounced: 1 against Zorg A Orb 1." in told
    assert "Krell: Army Orbit HOLD." in told
    assert "Krell A Mun, 2 A Orb" in told
    assert "To colonize: A Mun COL (where it is), A Mun COL" in told

    order(world, seats, {
        "Krell": "A ORB-PAR, A MUN COL, A ORB H",
        "Zorg": "A ORB-SER, A VIE COL BUD, A ORB H",
        "Vulcan": "A BUR S Krell A ORB-PAR, A ORB-SPA, A ORB H",
        "Zeta Reticuli": "A MOS H, A WAR COL, A ORB-WAR",
    })  # fmt: skip
    close(world, seats)
    told = report(world, "Krell")
    for words in (
        "Vulcan: Army Burgundy SUPPORT Krell's Army Orbit -> Paris.",
        "Zorg colonizes Budapest.",
        "Borg has no centre after Fall and is out; disbanded: 3 A Orb (OS-14).",
        "Borg, Morbo and Thark are eliminated",
        "Colonies -------- Krell Munich Zeta Reticuli Warsaw Zorg Budapest",
        "removes 1",
    ):
        assert words in told
    assert world.phase("orbit") == "W1901A"
    assert "which is out of the game" in report(world, "Thark")

    removed = order(world, seats, {"Krell": "REMOVE A ORB", "Zorg": "REMOVE A ORB", "Zeta Reticuli": "REMOVE A ORB"})
    assert "Remove Army Orbit" in removed["Krell"]
    close(world, seats)
    assert world.phase("orbit") == "S1902M"
    assert "Krell A Mun, A Par" in report(world, "Krell")
    jammed = order(world, seats, {"Vulcan": "A ORB-MUN, A BUR COL, A SPA-GAS"})["Vulcan"]
    assert "Munich is a colony of Krell, which jams your beams (OS-7)" in jammed


@pytest.mark.ruling("OS-16")
def test_os_16_lines_for_the_orbit_are_one_list(world: World) -> None:
    seats = founded(world, SEVEN)
    order(world, seats, {"Krell": "A ORB-PAR"})
    receipt = order(world, seats, {"Krell": "A ORB BEAM DOWN TO BUR"})["Krell"]
    assert "A Orb-Par Army Orbit -> Paris A Orb-Bur Army Orbit -> Burgundy" in receipt
    assert "Without an order, so holding: A Orb Army Orbit" in receipt
    assert "ORBIT A Orb-Par A Orb-Bur A Orb" in receipt.split("Your orders for S1901M")[1], "the form has the list"
    same = order(world, seats, {"Krell": "A ORB-BUR"})["Krell"]
    assert "A Orb-Par Army Orbit -> Paris A Orb-Bur Army Orbit -> Burgundy" in same
    full = order(world, seats, {"Krell": "A ORB-MUN, A ORB-VIE, READY"})["Krell"]
    assert "Not acted on" in full
    assert "Only one army in orbit is without an order" in full
    assert "READY was not acted on" in full
    assert "The whole list in force, to copy and change" in full
    assert "replace that list by the lines of this mail" in full
    assert "A Orb-Mun Army Orbit" not in full
    anew = order(world, seats, {"Krell": "Orbit, A ORB-MUN, A ORB-VIE"})["Krell"]
    assert "No longer in force, replaced by this mail: A Orb-Par, A Orb-Bur." in anew
    assert "A Orb-Mun Army Orbit -> Munich A Orb-Vie Army Orbit -> Vienna" in anew
    third = order(world, seats, {"Krell": "A ORB-PAR, A ORB-BUR, A ORB-GAS"})["Krell"]
    assert "Not acted on" not in third
    assert "No longer in force, replaced by this mail: A Orb-Mun, A Orb-Vie." in third
    refused = order(world, seats, {"Krell": "ORBIT, A ORB-NTH"})["Krell"]
    assert "No line for the orbit comes with it" in refused
    assert "No longer in force" not in refused, "a mail without a possible line replaces nothing"


@pytest.mark.ruling("OS-16")
def test_os_16_all_lines_for_the_orbit_are_kept_for_a_later_phase(world: World) -> None:
    seats = founded(world, SEVEN)
    order(world, seats, {"Krell": "PHASE F1901M, A ORB-PAR, A ORB-BUR, A ORB-MUN"})
    close(world, seats)
    assert "A Orb-Par" in (told := text_of(world.send(address("Krell"), seats["Krell"], "MY ORDERS")))
    assert "A Orb-Mun" in told


@pytest.mark.ruling("OS-1")
def test_a_game_of_forty(world: World) -> None:
    seats = founded(world, FORTY)
    receipts = order(world, seats, {
        empire: f"A ORB-{GROUND[number]}, A ORB-{GROUND[number - 1]}, A ORB H"
        if number % 2 else "A ORB H, A ORB H, A ORB H"
        for number, empire in enumerate(FORTY)
    })  # fmt: skip
    assert not [empire for empire, receipt in receipts.items() if "Not acted on" in receipt]
    assert world.phase("orbit") == "F1901M"  # early: the last one was in
    for empire in FORTY:
        mail = world.last(address(empire))
        body = mail.get_body(("plain",))
        assert body is not None
        lines = str(body.get_content()).splitlines()
        assert max(map(len, lines)) <= 72 or "@" in max(lines, key=len)
        results = lines.index("An order without a mark succeeded as written.")
        assert lines[results + 2].startswith(f"{empire}: ")  # one's own first
        assert len(lines) < 420
    close(world, seats)
    assert world.phase("orbit") == "W1901A"
    assert "are eliminated, without a centre." in report(world, FORTY[0])


def test_help_and_rules_of_the_game(world: World) -> None:
    seats = founded(world, SEVEN)
    told = text_of(world.send(address("Krell"), seats["Krell"], "HELP ORDERS"))
    assert "A PAR-BUR move" in told
    assert "A PAR COL BUR colonize one next to it" in told
    assert "COL" not in text_of(world.send("stranger@example.org", BASE, "HELP ORDERS"))
