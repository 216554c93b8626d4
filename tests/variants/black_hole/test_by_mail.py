"""A game by mail: secret exemptions, holes in the reports, retreats by the server."""

from __future__ import annotations

import email.message
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pytest

from gm.board import Location, standard_board
from gm.chance import Chance
from gm.games.identity import ServerIdentity
from gm.reports import in_groups
from gm.variants.standard import POWERS
from tests.server.world import BASE, World, player, text_of

pytestmark = pytest.mark.long

SEED = bytes(range(32))
GAME = "maelstrom"
CHOSEN = {"Austria": "VIE", "England": "LVP", "France": "MAR", "Germany": "KIE", "Italy": "NAP", "Russia": "SEV"}
"""Turkey does not name an exemption."""


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setattr(ServerIdentity, "new_seed", lambda *of: SEED.hex())
    world = World(tmp_path)
    yield world
    world.database.dispose()


def bodies(message: email.message.EmailMessage) -> str:
    """The whole text of a mail, in every part and header."""
    parts = [str(part.get_content()) for part in message.walk() if part.get_content_maintype() == "text"]
    return "\n".join((str(message["Subject"]), *parts))


def every_mail(world: World, power: str) -> str:
    """Everything that a player, or the gamemaster, has been sent so far."""
    address = "master@example.org" if power == "GM" else player(power)
    return "\n".join(bodies(message) for message in world.mailboxes[address])


def close(world: World, seats: dict[str, str]) -> None:
    """Let the gamemaster process the phase."""
    phase = world.phase(GAME)
    world.send("master@example.org", seats["GM"], f"PROCESS {GAME} {phase}")
    assert world.phase(GAME) != phase


@pytest.mark.ruling("BH-3", "BH-4")
def test_exemptions_stay_secret_in_every_mail(world: World) -> None:
    seats = world.started(GAME, "variant=black-hole")
    opening = text_of(world.last(player("France")))
    assert "Also EXEMPT and one of Bre, Mar or Par" in opening
    assert in_groups(Chance(SEED).commitment) in opening
    for power, home in CHOSEN.items():
        receipt = text_of(
            world.send(player(power), seats[power], f"EXEMPT {home}\n{'STATUS' if power == 'Italy' else ''}")
        )
        assert f"Exempt {home.capitalize()}" in receipt
    reminded = text_of(world.send(player("Turkey"), seats["Turkey"], "A CON-BUL"))
    assert "You have not named your exempt home centre" in reminded
    close(world, seats)
    for _ in range(3):
        close(world, seats)
    asked = f"STATUS\nHISTORY {GAME} ALL\nHISTORY S1901M\nSUMMARY\nMY ORDERS\nWHY S1901M A PAR H\nWHATIF\nA PAR H\n"
    for power in ("England", "Turkey"):
        world.send(player(power), seats[power], asked)
    master = f"STATUS\nHISTORY {GAME} ALL\nDASHBOARD\nLOG 100\nPREVIEW"
    world.send("master@example.org", seats["GM"], master)
    (turkish,) = (
        home for home in ("Ankara", "Constantinople", "Smyrna") if f"{home} (known" in every_mail(world, "Turkey")
    )
    names = dict(
        zip(POWERS, ("Vienna", "Liverpool", "Marseilles", "Kiel", "Naples", "Sevastopol", turkish), strict=True)
    )
    for reader in (*POWERS, "GM"):
        told = every_mail(world, reader)
        for power, name in names.items():
            assert (f"{name} (known to you alone)" in told) is (power == reader), (reader, power)
            if power != reader:
                assert f"exempt {CHOSEN.get(power, '-').lower()}" not in told.lower()
                assert f"exempt {name.lower()}" not in told.lower()


@pytest.mark.ruling("BH-1", "BH-2", "BH-4")
def test_some_seasons_by_mail(world: World) -> None:
    seats = world.started(GAME, "variant=black-hole")
    drawn = Chance(SEED, GAME)
    for power, home in CHOSEN.items():
        world.send(player(power), seats[power], f"EXEMPT {home}")
    world.send(player("France"), seats["France"], "ANNOUNCE EXEMPT\nA MAR-PIE")
    world.send(player("Turkey"), seats["Turkey"], "EXEMPT CON")
    close(world, seats)
    exempt = {*(home.lower() for home in CHOSEN.values()), "con"}
    gone = drawn.choose_but(standard_board().provinces, exempt, "S1901", "hole")
    report = text_of(world.last(player("Turkey")))
    name = standard_board().full_name(Location(gone))
    assert f"{name}, drawn from 68 provinces, becomes a black hole" in report
    assert "France announces that its exempt home centre is Marseilles." in report
    assert "Black holes ----------- Spring 1901 " + name in report
    assert "France Marseilles (announced in Spring 1901)" in report
    refused = text_of(world.send(player("France"), seats["France"], "EXEMPT PAR"))
    assert "Your exempt home centre is Marseilles. It was settled with the first orders" in refused
    assert in_groups(drawn.commitment) in every_mail(world, "Turkey")
    assert in_groups(SEED.hex()) not in every_mail(world, "Turkey")


@pytest.mark.ruling("BH-1", "BH-2")
def test_a_correction_that_moves_a_hole_says_so_to_all(world: World) -> None:
    """On trial and in the corrected report: whose unit and centre it takes reads it first."""
    exempt = {*(home.lower() for home in CHOSEN.values()), "ank"}
    every = standard_board().provinces
    game = next(name for name in map("maelstrom{}".format, range(999)) if hole_of(name, every, exempt) == "smy")
    other = standard_board().full_name(Location(hole_of(game, every, {*exempt, "smy"} - {"ank"})))
    seats = world.started(game, "variant=black-hole")
    for power, home in {**CHOSEN, "Turkey": "ANK"}.items():
        world.send(player(power), seats[power], f"EXEMPT {home}")
    world.send("master@example.org", seats["GM"], f"PROCESS {game} S1901M")
    below = "ORDERS FOR Turkey\nEXEMPT SMY\nBECAUSE of an error"
    tried = text_of(world.send("master@example.org", seats["GM"], f"CORRECT S1901M\n{below}"))
    moved = f"{other}, drawn from 68 provinces, becomes a black hole"
    assert moved in tried
    assert "No longer: Smyrna, drawn from 68 provinces, becomes a black hole" in tried
    world.send("master@example.org", seats["GM"], f"CORRECT S1901M NOW\n{below}")
    world.work()
    for power in ("Turkey", "France"):
        report = text_of(world.last(player(power)))
        assert "corrected report" in report
        assert moved in report.partition("What it means for you:")[2].partition("All other orders")[0]
        assert (
            "Turkey: supply centres: Ankara, Constantinople, Smyrna; before: Ankara" in report.partition("What else")[0]
        ) is (power == "Turkey")
        assert "Exempt Smy" not in report or power == "Turkey"


def hole_of(game: str, every: Sequence[str], exempt: Collection[str]) -> str:
    """The first hole of a game with this seed."""
    return str(Chance(SEED, game).choose_but(every, exempt, "S1901", "hole"))


@pytest.mark.ruling("BH-5")
def test_a_retreat_without_an_order_by_mail(world: World) -> None:
    seats = world.started(GAME, "variant=black-hole")
    world.send(player("Austria"), seats["Austria"], "A VIE-TYR")
    close(world, seats)
    world.send(player("Austria"), seats["Austria"], "A TYR-VEN\nF TRI S A TYR-VEN")
    close(world, seats)
    assert world.phase(GAME) == "F1901R"
    asked = text_of(world.last(player("Italy")))
    assert "A Ven to: Apu, Pie, Tus; or A Ven DISBAND" in asked
    world.pass_time(hours=25)
    report = text_of(world.last(player("Austria")))
    assert "Italy sent no orders (NMR), so the units were retreated by the server, by bearings (BH-5)" in report
    assert "Italy: Army Venice -> Piedmont. Without an order, the server retreated it by bearings" in report
    assert "becomes a black hole" in report


def test_help_and_rules_of_the_game(world: World) -> None:
    seats = world.started(GAME, "variant=black-hole")
    told = text_of(world.send(player("France"), seats["France"], "HELP ORDERS\nRULES"))
    assert "EXEMPT PAR with your first orders" in told
    assert "Only you know which centre is exempt." in told
    listing = text_of(world.send(player("France"), seats["France"], "HELP COMMANDS"))
    assert "EXEMPT the home centre that no black hole takes" in listing
    topic = text_of(world.send(player("France"), seats["France"], "HELP EXEMPT"))
    assert "It can be moved once, to your last other home centre" in topic
    assert "ORDERS how orders are written" in listing
    assert "There is no help on" in text_of(world.send(player("France"), BASE, "HELP EXEMPT"))


@pytest.mark.ruling("BH-2")
@pytest.mark.parametrize(("who", "line"), [("GM", "PREVIEW"), ("France", "WHATIF\nA PAR H")])
def test_bh_2_nobody_learns_of_a_hole_before_it_is_drawn(world: World, who: str, line: str) -> None:
    """A trial has random draws of its own; those of the game are secret until the phase is adjudicated."""
    seats = world.started(GAME, "variant=black-hole")
    sender = "master@example.org" if who == "GM" else player(who)
    trial = text_of(world.send(sender, seats[who], line))
    assert "becomes a black hole" in trial
    assert "Made up for this trial (the game draws its own): " in trial
    close(world, seats)
    report = text_of(world.last(player("Italy")))
    drawn = report.partition(", drawn from 68 provinces")[0].split(" ")[-1]
    assert f"{drawn}, drawn from" not in trial
    assert "Made up" not in report


@pytest.mark.ruling("BH-2", "BH-4")
@pytest.mark.parametrize("ending", ["DRAW", "TERMINATE", "CONCEDE"])
def test_bh_4_however_the_game_ends_exemptions_are_published_with_their_times(world: World, ending: str) -> None:
    seats = world.started(GAME, "variant=black-hole")
    for power, home in CHOSEN.items():
        world.send(player(power), seats[power], f"EXEMPT {home}")
    close(world, seats)
    title = "Exemptions in the course of the game"
    assert title not in every_mail(world, "Turkey")
    if ending == "TERMINATE":
        world.send("master@example.org", seats["GM"], f"TERMINATE {GAME}\nYES")
    else:
        for power in POWERS:
            if ending == "DRAW" or power != "Austria":
                world.send(player(power), seats[power], "DRAW YES" if ending == "DRAW" else "CONCEDE TO Austria")
    assert not world.game(GAME).running
    for reader in (*POWERS, "GM"):
        told = " ".join(every_mail(world, reader).partition(title)[2].split())
        for name in ("Austria Vienna", "England Liverpool", "France Marseilles", "Russia Sevastopol", "Turkey"):
            assert name in told, (reader, name)


@pytest.mark.ruling("BH-4")
def test_bh_4_an_announcement_is_taken_back_by_itself(world: World) -> None:
    seats = world.started(GAME, "variant=black-hole")
    world.send(player("France"), seats["France"], "IMMUNE PAR\nANNOUNCE EXEMPT\nA PAR-BUR\nA MAR H\nF BRE H")
    receipt = text_of(world.send(player("France"), seats["France"], "ANNOUNCE NOTHING"))
    for order in ("Exempt Par", "Announce nothing", "A Par-Bur", "F Bre H"):
        assert order in receipt
    assert "Announce exempt" not in receipt
    close(world, seats)
    report = text_of(world.last(player("Italy")))
    assert "announced" not in report
    assert "ANNOUNCE" not in report


def test_a_hole_that_was_seen_is_drawn_again_after_a_rollback(world: World) -> None:
    """Nobody throws again by rolling back: the draw is the same one, and the rollback's mail says so."""
    seats, holes = world.started(GAME, "variant=black-hole"), []
    code = world.phase(GAME)
    for _ in range(2):
        close(world, seats)
        holes.append(text_of(world.last(player("Turkey"))).partition(", drawn from")[0].rpartition(" ")[2])
        world.send("master@example.org", seats["GM"], f"ROLLBACK {code}")
        assert world.phase(GAME) == code
        assert "the same draws are made again" in text_of(world.last(player("Turkey")))
    assert holes[0].strip()
    assert holes[0] == holes[1]
