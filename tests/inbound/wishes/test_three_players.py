"""Mails as three players write them, at their seats and to the server, in several phases and games: somebody new, an
expert who takes no care, and somebody who writes German or French. Each is answered with what it asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from gm.variants.standard import POWERS
from tests.server.world import BASE, OPENINGS, World, player, proved, reply_to, text_of

MASTER = "master@example.org"
FALL = {
    "Austria": "A TYR S A BUR-MUN\nA SER H\nF ALB H",
    "England": "F NTH-NWY\nA YOR H\nF NWG S F NTH-NWY",
    "France": "A BUR-MUN\nA SPA-POR\nF MAO-BRE",
    "Germany": "A MUN H\nA KIE-HOL\nF DEN-SWE",
    "Italy": "A VEN H\nA APU-TUN\nF ION C A APU-TUN",
    "Russia": "F BLA-RUM\nA UKR S F BLA-RUM\nF BOT-SWE\nA GAL-BUD",
}
"""France takes Munich from Germany."""
Seats = dict[str, str]


def _begun(world: World) -> Seats:
    return world.started(options="early=no")


def _ordered(world: World) -> Seats:
    seats = _begun(world)
    world.send(player("England"), seats["England"], "F LON-NTH\nF EDI-NWG\nA LVP-YOR")
    world.send(player("Germany"), seats["Germany"], "A BER-KIE\nA MUN-RUH")
    return seats


def _played(world: World, seats: Seats, orders: dict[str, str]) -> Seats:
    for power, text in orders.items():
        world.arrive(player(power), seats[power], text)
    world.pass_time(days=8)
    return seats


def _fall(world: World) -> Seats:
    return _played(world, _begun(world), OPENINGS)


def _retreats(world: World) -> Seats:
    first = {**OPENINGS, "Austria": "A VIE-TYR\nA BUD-SER\nF TRI-ALB", "Germany": "A BER-KIE\nF KIE-DEN"}
    return _played(world, _played(world, _begun(world), {**first, "Turkey": "A CON-BUL"}), FALL)


def _builds(world: World) -> Seats:
    seats = _retreats(world)
    world.pass_time(days=8)
    return seats


def _of_game(variant: str, weeks: int = 0) -> Callable[[World], Seats]:
    def begin(world: World) -> Seats:
        chair = reply_to(world.send(MASTER, BASE, f"CREATE spring variant={variant} early=no"))
        names = ("Krell", "Zorg", "Dyer")
        for name in names:
            world.send(player(name), BASE, f"JOIN spring AS {name}")
        world.send(MASTER, chair, "START spring")
        seats = {name: reply_to(world.last(player(name))) for name in names}
        for _ in range(weeks):
            world.pass_time(days=8)
        return seats

    return begin


def _among(world: World) -> Seats:
    """Seven powers, and the Alien in the eighth seat."""
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us early=no"))
        for name in (*POWERS, "Alien"):
            world.send(player(name), BASE, f"JOIN spring AS {name}")
        world.send(MASTER, chair, "START spring")
    return {name: reply_to(world.last(player(name))) for name in (*POWERS, "Alien")}


def _forming(world: World) -> Seats:
    world.send(MASTER, BASE, "CREATE autumn")
    return {"nina": BASE}


TABLES: dict[str, Callable[[World], Seats]] = {
    "begun": _begun,
    "ordered": _ordered,
    "fall": _fall,
    "retreats": _retreats,
    "builds": _builds,
    "fog": lambda world: world.started(options="variant=fog early=no"),
    "hole": lambda world: world.started(options="variant=black-hole early=no"),
    "among": _among,
    "orbit": _of_game("outer-space"),
    "quantum": _of_game("quantum-space", 1),
    "landing": _of_game("the-aliens"),
    "forming": _forming,
}


class Mail(NamedTuple):
    """A mail at a table, and what its answer says and does not say. A number behind its name makes the table another,
    at which nothing else was written.
    """

    table: str
    who: str
    text: str
    said: tuple[str, ...]
    never: tuple[str, ...]


def _read(row: str) -> Mail:
    """A row of the file: table, writer, mail, what is in the answer and what is not, with tabs; `&` is between two."""
    table, who, text, said, never = (*row.split("\t"), "", "")[:5]
    return Mail(table, who, text.replace("\\n", "\n"), *(tuple(filter(None, one.split("&"))) for one in (said, never)))


MAILS = [*map(_read, Path(__file__).with_name("three_players.txt").read_text(encoding="utf-8").splitlines())]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[World, Seats]]]:
    found: dict[str, tuple[World, Seats]] = {}
    for name in dict.fromkeys(mail.table for mail in MAILS):
        world = World(Path(tmp_path_factory.mktemp(name)), limits=0)
        found[name] = world, TABLES[name.rstrip("0123456789")](world)
    yield found
    for world, _ in found.values():
        world.database.dispose()


@pytest.mark.parametrize("mail", MAILS, ids=[f"{mail.table}: {mail.text[:40]}" for mail in MAILS])
def test_a_mail_is_answered_with_what_it_asks_for(tables: dict[str, tuple[World, Seats]], mail: Mail) -> None:
    world, seats = tables[mail.table]
    own = MASTER if mail.who == "GM" else player(mail.who)
    others = {who: len(mails) for who, mails in world.mailboxes.items() if who != own}
    answer = text_of(world.send(own, seats[mail.who], mail.text))
    for said in mail.said:
        assert said in answer, answer
    for never in mail.never:
        assert never not in answer, answer
    assert {who: len(mails) for who, mails in world.mailboxes.items() if who != own} == others, "told nobody else"
    if mail.table != "forming":
        world.send(own, seats[mail.who], "CLEAR")
        if mail.table == "ordered":
            world.send(
                own, seats[mail.who], "F LON-NTH\nF EDI-NWG\nA LVP-YOR" if mail.who == "England" else "A BER-KIE"
            )


@pytest.mark.parametrize(
    "text",
    [
        "I am playing England in the game spring, but I have lost the mail. Who is playing France?",
        "Ich spiele England in der Partie spring. Wer spielt Frankreich?",
        "It is about the game spring. Could you tell me who the other players are?",
    ],
)
def test_who_plays_is_asked_of_the_game_that_the_mail_names(tables: dict[str, tuple[World, Seats]], text: str) -> None:
    world, _ = tables["begun"]
    assert "Status of spring" in text_of(world.send(player("England"), BASE, text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is about the game spring. Could you tell me who plays Italy?", "Italy is played by Pat Italy."),
        ("Could I have one more day in spring, please?", "send EXTEND 24h. Or reply with YES."),
        ("P.S. would you be so good as to tell me who plays Italy?", "Italy is played by Pat Italy."),
        ("where can my army in Liverpool go?", "A Lvp: It can go to"),
    ],
)
def test_at_the_servers_address_a_sentence_is_for_the_game_that_it_names_or_the_only_one(
    tables: dict[str, tuple[World, Seats]], text: str, found: str
) -> None:
    """Where it is certain who wrote it; and what is asked about the server is answered there."""
    world, _ = tables["begun"]
    england = player("England")
    answer = world.send(england, BASE, text, headers={"In-Reply-To": "", **proved(england)})
    assert found in text_of(answer)
    assert "[spring] S1901M" in str(answer["Subject"])
    answer = world.send(england, BASE, "Which games can I join?", headers={"In-Reply-To": "", **proved(england)})
    assert "[spring]" not in str(answer["Subject"])


OF_TWO_IN_A_PLACE = [
    ("a par pic / t mun h / t par h, ber unchanged", "A Par-Pic / T Mun H / T Par H order this"),
    ("The transmitters in Munich and in Paris do nothing, please.", "T Mun H / T Par H order this"),
    ("Paris not to brest, to picardy. Rest ok", "A Par-Pic order this"),
]


@pytest.mark.parametrize(("text", "offered"), OF_TWO_IN_A_PLACE)
def test_the_kind_says_which_of_two_in_one_place_is_ordered(world: World, text: str, offered: str) -> None:
    seat, krell = TABLES["landing"](world)["Krell"], player("Krell")
    world.send(krell, seat, "SHIP 1: par\nSHIP 2: mun")
    world.pass_time(days=8)
    world.send(krell, seat, "A Par-Bre\nA Mun-Ber")
    answer = text_of(world.send(krell, seat, text))
    assert offered in answer
    assert answer.count("order this") == 1


SHIPS = "SHIP 1: par, spa\nship 2 = mun then ber then kiel else ruhr"
LISTS = [
    (
        ("SHIP 1: par, spa\nship 2 = mun then ber then kiel else ruhr",),
        "yes but kiel before berlin",
        "SHIP 2: Mun, Kie, Ber, Ruh",
    ),
    (
        ("SHIP 1: par, spa\nship 2 = mun then ber then kiel else ruhr",),
        "Yes. and den last",
        "SHIP 2: Mun, Ber, Kie, Ruh, Den",
    ),
    (("SHIP 1: par\nSHIP 2: nwy, swe",), "den at the end of the list of ship two", "SHIP 2: Nwy, Swe, Den"),
    (("SHIP 1: par\nSHIP 2: nwy, swe",), "After Norway, Holland, please.", "SHIP 2: Nwy, Hol, Swe"),
    (("SHIP 1: par\nSHIP 2: nwy, swe",), "swe first", "SHIP 2: Swe, Nwy"),
    (
        ("SHIP 1: par, bre", "the first ship should rather begin in burgundy, then gascony"),
        "nope! den at the end of the list of ship one",
        "SHIP 1: Par, Bre, Den",
    ),
    (("SHIP 1: par, bre\nSHIP 2: mun, ber",), "I meant Spain instead of Brest", "SHIP 1: Par, Spa"),
    (("SHIP 1: par, bre\nSHIP 2: mun, ber",), "kiel, not berlin", "SHIP 2: Mun, Kie"),
    (("SHIP 1: par, bre\nSHIP 2: mun, ber",), "instead of Brest I want Spain", "SHIP 1: Par, Spa"),
    (
        (),
        "For the first ship I should prefer Paris, and if Paris is not possible, Brest or else Spain. The second ship"
        " may try Norway first, then Sweden, and after that Denmark.",
        "SHIP 1: Par, Bre, Spa / SHIP 2: Nwy, Swe, Den",
    ),
]


@pytest.mark.parametrize(("before", "text", "offered"), LISTS)
def test_a_list_is_changed_as_it_is_or_as_it_was_proposed(
    world: World, before: Sequence[str], text: str, offered: str
) -> None:
    seat, krell = TABLES["landing"](world)["Krell"], player("Krell")
    for mail in (*before, text):
        world.send(krell, seat, mail, headers=proved(krell))
    answer = text_of(world.last(krell))
    assert f"{offered} order this, if it is what you mean" in answer
    assert answer.count("order this") == 1


@pytest.mark.parametrize(
    ("power", "mails", "offer"),
    [
        (
            "Turkey",
            ("con bul smy con ank bla", "whens the deadline", "actually smy-arm not con. rest same"),
            "A Con-Bul / F Ank-Bla / A Smy-Arm",
        ),
        (
            "Germany",
            ("Flotte nach Holland, Berlin nach Kiel, München nach Ruhr", "War nur ein Scherz, München hält einfach."),
            "F Kie-Hol / A Ber-Kie / A Mun H order this",
        ),
    ],
)
def test_orders_that_are_still_proposed_stand_beside_those_said_now(
    tmp_path: Path, power: str, mails: Sequence[str], offer: str
) -> None:
    world = World(tmp_path, limits=0)
    seats = _begun(world)
    answers = [" ".join(text_of(world.send(player(power), seats[power], text)).split()) for text in mails]
    assert f"Reply with YES to do this: {offer}" in answers[-1]


def test_what_has_been_ordered_since_is_not_put_beside_it(tmp_path: Path) -> None:
    world = World(tmp_path, limits=0)
    seats = _begun(world)
    world.send(player("Turkey"), seats["Turkey"], "con bul smy con ank bla")
    world.send(player("Turkey"), seats["Turkey"], "F ANK H\nA CON H\nA SMY H", headers={"In-Reply-To": ""})
    answer = text_of(world.send(player("Turkey"), seats["Turkey"], "perhaps smy to arm", headers={"In-Reply-To": ""}))
    assert "A Con-Bul" not in answer


@pytest.mark.parametrize(
    ("table", "power", "mails", "never"),
    [
        (
            "fall",
            "Turkey",
            (
                "bul-gre\ncon-bul\nank-con",
                "bul s ser - gre if aus is going there, otherwise bul-gre",
                "ok then just bul-gre",
            ),
            "A Bul S A Ser-Gre",
        ),
        (
            "hole",
            "Italy",
            ("ven-tir, rom-ven, nea-ion", "Ja, Tirol, Venedig und Ionisches Meer. Nea ist Neapel."),
            "A Ven-Tri",
        ),
    ],
)
def test_a_yes_that_orders_otherwise_takes_nothing(
    tmp_path: Path, table: str, power: str, mails: Sequence[str], never: str
) -> None:
    world = World(tmp_path, limits=0)
    seats = TABLES[table](world)
    for text in mails:
        answer = text_of(world.send(player(power), seats[power], text))
    assert never not in answer
