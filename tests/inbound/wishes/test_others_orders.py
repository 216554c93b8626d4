"""What is answered to words about the units and the orders of others: the same, whatever these are, to a gamemaster who
plays and to an assistant; to one who does not play, the order that may be meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.server.kept import kept
from tests.server.world import BASE, World, player, reply_to, text_of

MASTER, HELPER, FRANCE = "master@example.org", "helper@example.org", player("France")
CENTERS = {
    **{"France": ["par", "mar", "bre"], "England": ["lon", "edi", "lvp"], "Germany": ["ber", "mun", "kie"]},
    **{"Italy": ["rom", "ven", "nap"], "Austria": ["vie", "bud", "tri"], "Russia": ["mos", "war", "sev", "stp"]},
    "Turkey": ["con", "ank", "smy"],
}
WESTERN = ("France A par", "France A mar", "France F bre", "England F lon", "Germany A mun", "Italy A rom")
MOVES = (
    *("Turkey moves A Con-Bul.", "Turkey: please A Con-Bul", "I think that Turkey has A Con-Bul", "Turkey"),
    *("Turkish army Smyrna to Constantinople, please", "The army in Constantinople of Turkey goes to Bulgaria."),
    *("Turkey wants to hold in Con and Smy.", "Turkey: A Bul-Gre, A Smy-Con, F Ank-Bla"),
)
RETREATS = (
    *("Turkey", "What about Turkey's A Bul?", "Hello, where is Turkey now, please?", "Let Turkey retreat to Greece"),
    *("Turkey disbands A Bul", "Turkey A Bul R Gre", "Russia A Rum R Sev", "Russia", "Is A Bul of Turkey dislodged?"),
)
BUILDS = (
    *("Turkey builds F Con.", "Turkey builds A Con.", "Austria builds A Vie.", "Austria builds A Bud."),
    *("Turkey waives", "Austria removes A Ser", "Turkey", "Turkey builds in Smyrna", "Does Turkey build?"),
    "Let Austria build F Tri and A Vie",
)


@dataclass(frozen=True)
class Told:
    """What is said to the gamemaster and to an assistant, and what the others do unseen before it is said again."""

    texts: Sequence[str]
    orders: Mapping[str, str] = field(default_factory=dict)
    units: Sequence[str] = ()
    """What there is out of sight instead."""
    begins: Sequence[str] = ()
    """The units of the others at first."""
    before: Mapping[str, str] = field(default_factory=dict)
    """Orders that lead to the phase."""
    days: int = 0


BALKANS = ("Austria A ser", "Russia A rum", "Russia F bla", "Turkey A bul", "Turkey A smy")
CASES = {
    "moves": Told(MOVES, {"Turkey": "A CON-BUL\nA SMY H"}, (*WESTERN, "Turkey A rum")),
    "retreats": Told(
        RETREATS,
        {"Turkey": "A BUL R GRE"},
        begins=BALKANS,
        before={"Russia": "A RUM-BUL\nF BLA S A RUM-BUL"},
        days=3,
    ),
    "builds": Told(
        BUILDS,
        {"Turkey": "BUILD A CON", "Austria": "BUILD F TRI"},
        begins=("Austria A ser", "Turkey F bul/sc"),
        days=6,
    ),
}


def asked(world: World, chairs: Mapping[str, str], texts: Sequence[str]) -> list[tuple[str, str, str]]:
    """What each is answered to each text; not an assistant to a question where they may know who has ordered."""
    knows = HELPER if not world.game().hides_duties else ""
    said = [(text, who) for text in texts for who in chairs if who != knows or not text.endswith("?")]
    return [(text, who, text_of(world.send(who, chairs[who], text))) for text, who in said]


def placed(world: World, units: Sequence[str]) -> None:
    with world.altering() as row:
        row.position = row.position | {"units": sorted(units), "centers": CENTERS}


@kept
def led_to(world: World, variant: str, master: str, name: str) -> dict[str, str]:
    """A game in the phase of a case: the addresses of its seats, and of an assistant."""
    told = CASES[name]
    seats = world.started("spring", f"variant={variant} early=no nmr=hold first=3d move=3d retreat=1d", master)
    world.promotes(master, seats["GM"], f"PROMOTE {HELPER} AS ASSISTANT")
    seats["helper"] = reply_to(world.last(HELPER))
    if told.begins:
        placed(world, (*WESTERN, *told.begins))
    for power, orders in told.before.items():
        world.send(player(power), seats[power], orders)
    for _ in range(0, told.days, 3):
        world.pass_time(days=3)
    return seats


@pytest.mark.long
@pytest.mark.ruling("FW-4")
@pytest.mark.parametrize("variant", ["standard", "fog"])
@pytest.mark.parametrize("name", CASES)
def test_words_about_others_are_answered_alike_whatever_these_order(tmp_path: Path, variant: str, name: str) -> None:
    world = World(tmp_path, limits=0)
    seats, told = led_to(world, variant, FRANCE, name), CASES[name]
    chairs = {FRANCE: seats["GM"], HELPER: seats["helper"]}
    first = asked(world, chairs, told.texts)
    for power, orders in told.orders.items():
        world.send(player(power), seats[power], orders)
    assert asked(world, chairs, told.texts) == first
    if told.units and variant == "fog":
        placed(world, told.units)
        assert asked(world, chairs, told.texts) == first


@pytest.mark.parametrize("variant", ["standard", "fog"])
def test_an_order_is_offered_to_those_who_may_give_it(world: World, variant: str) -> None:
    seats = led_to(world, variant, MASTER, "moves")
    said = "Turkey moves A Con-Bul."
    assert "ORDERS FOR Turkey / A Con-Bul" in text_of(world.send(MASTER, seats["GM"], said))
    assert "A Con-Bul" not in text_of(world.send(HELPER, seats["helper"], said)).partition("\n> ")[0].replace(said, "")


@pytest.mark.long
@pytest.mark.ruling("AU-15")
def test_words_about_the_alien_and_others_are_answered_alike_whatever_these_order(tmp_path: Path) -> None:
    world = World(tmp_path, limits=0)
    people = (FRANCE, *(f"p{number}@example.net" for number in range(7)))
    created = world.send(FRANCE, BASE, "CREATE spring variant=among-us early=no anonymous=yes")
    for one in people:
        world.send(one, BASE, "JOIN spring")
    world.promotes(FRANCE, reply_to(created), f"PROMOTE {HELPER} AS ASSISTANT")
    world.send(FRANCE, reply_to(created), "START spring")
    chairs = {FRANCE: reply_to(created), HELPER: reply_to(world.last(HELPER))}
    held = {str(seat.power): seat for seat in world.game().held if not seat.is_of(world.game().masters[0].person)}
    texts = [text.format(power) for power in held for text in ("{}", "{}: A Con-Bul", "{} adopts A Con")]
    texts += [text.format("The Alien") for text in ("{} adopts A Smy", "{} controls A Vie", "{} A Con")]
    first = asked(world, chairs, [*texts, *MOVES])
    for power, seat in held.items():
        address = world.service.identity.address_of(world.game(), seat)
        world.send(seat.occupant.addresses[0], address, "ADOPT A CON" if "Alien" in power else f"{ORDERED}\nREADY")
    assert sum(world.game().has_sent(seat) for seat in held.values()) == len(held)
    assert asked(world, chairs, [*texts, *MOVES]) == first


ORDERED = "A CON-BUL\nA SMY H\nA VIE-TRI\nA PAR-BUR\nF LON-NTH\nA BER H\nA VEN H\nA MOS H"
"""One order or more for each power; those for others' units are refused."""
