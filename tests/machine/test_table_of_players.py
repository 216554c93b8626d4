"""The table of the players in each report: who plays, the newest press with each, and a link that opens a mail to them;
and the subjects of a phase, in which all its mails are one conversation.
"""

from __future__ import annotations

import re
from email.message import EmailMessage
from html import unescape
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from gm.errors import NotUnderstood
from gm.options import read_options
from gm.store import records
from tests.inbound.test_press_rules import in_retreats
from tests.inbound.test_who_may_know import alien_game, holders
from tests.server.world import BASE, OPENINGS, World, body_of, player, text_of

MASTER = "master@example.org"
WATCHER = "watcher@example.net"


def players_in(report: EmailMessage) -> dict[str, list[str]]:
    """The rows of the table, by their first cells."""
    text = body_of(report)
    rows = text.partition("\nPlayers\n-------\n\n")[2].partition("\n\n")[0].splitlines()
    return {cells[0]: cells[1:] for cells in (re.split(r" {2,}", row) for row in rows)}


def ways_in(report: EmailMessage) -> dict[str, tuple[str, str]]:
    """What the links in the table open: address and subject, by name."""
    part = report.get_body(("html",))
    assert part is not None
    shown = str(part.get_content()).partition(">Players</h2>")[2].partition("<h2")[0]
    links = re.findall(r'<a href="(mailto:[^"]+)"[^>]*>([^<]+)</a>', shown)
    parts = {name: urlsplit(unescape(link)) for link, name in links}
    return {name: (unquote(one.path), parse_qs(one.query)["subject"][0]) for name, one in parts.items()}


def addresses_in(report: EmailMessage) -> dict[str, str]:
    """The addresses in the text, by name."""
    listed = body_of(report).partition("no line of it is an order:\n\n")[2].partition("\n\n")[0].splitlines()
    return {row.split()[0]: row.split()[1] for row in listed}


def order_all(world: World, seats: dict[str, str]) -> None:
    for power, lines in OPENINGS.items():
        world.send(player(power), seats[power], lines)


def press(world: World, seats: dict[str, str], sender: str, words: str) -> None:
    world.send(player(sender), seats[sender], f"{words}\nShall we?\nENDPRESS")


def test_a_link_opens_a_mail_to_each_player_and_a_week_later_too(world: World, seats: dict[str, str]) -> None:
    """The first report has it, and the mail goes on with the conversation that press by hand has begun."""
    opening = world.last(player("Germany"))
    assert players_in(opening)["Germany"] == ["Pat Germany (you)"]
    ways = ways_in(opening)
    assert {name: address for name, (address, _) in ways.items()} == addresses_in(opening)
    assert list(ways) == ["Austria", "England", "France", "Italy", "Russia", "Turkey", "Everybody", "GM"]
    order_all(world, seats)
    world.pass_time(days=7)
    for name, who in {"France": "France", "Everybody": "all", "GM": "GM"}.items():
        address, subject = ways[name]
        said = text_of(world.send(player("Germany"), address, "A Mun-Bur, as we said?", headers={"Subject": subject}))
        assert f"Press sent to {who}." in said
        assert "Not acted on" not in said
    assert str(world.last(player("France"))["Subject"]) == "[spring] Press to all"
    assert ways["France"][1] == "[spring] Press with France"
    press(world, seats, "France", "PRESS TO Germany")
    assert str(world.last(player("Germany"))["Subject"]) == ways["France"][1]


def test_the_newest_press_with_each_is_named_once_it_has_come(world: World, seats: dict[str, str]) -> None:
    press(world, seats, "France", "PRESS TO Germany")
    press(world, seats, "Germany", "PRESS TO England, Italy")
    press(world, seats, "Italy", "PRESS TO ALL")
    world.time = world.time.replace(day=world.time.day + 1)
    press(world, seats, "Turkey", "POSTAL PRESS TO Germany")
    press(world, seats, "Germany", "PRESS TO GM")
    order_all(world, seats)
    last = {name: cells[1:] for name, cells in players_in(world.last(player("Germany"))).items()}
    assert last["France"] == ["from France, Fri 20 Nov"]
    assert last["England"] == last["Italy"] == ["from you, Fri 20 Nov"]
    assert players_in(world.last(player("Germany")))["Everybody"] == ["from Italy, Fri 20 Nov"]
    assert last["Turkey"] == ["from Turkey, Sat 21 Nov"]
    assert last["GM"] == ["from you, Sat 21 Nov"]
    assert last["Austria"] == []
    assert players_in(world.last(player("Austria")))["Turkey"] == ["Pat Turkey"], "what is between others is theirs"


def test_the_newest_press_is_named_however_much_there_is_between_others(world: World, seats: dict[str, str]) -> None:
    press(world, seats, "Turkey", "PRESS TO Germany")
    game = world.game()
    (italy,) = (seat for seat in game.players if seat.power == "Italy")
    assert game.phase is not None
    letter: Any = {
        "game_id": game.id,
        "phase_id": game.phase.id,
        "from_seat_id": italy.id,
        "to": ["Austria"],
        "readers": (),
    }
    with world.database.transaction() as session:
        for _ in range(301):
            records.add_press(session, **letter, body="Well?", now=world.time)
    order_all(world, seats)
    assert players_in(world.last(player("Germany")))["Turkey"] == ["Pat Turkey", "from Turkey, Fri 20 Nov"]


def test_press_that_is_not_signed_is_with_nobody(world: World) -> None:
    seats = world.started("masks", "press=grey")
    press(world, seats, "Italy", "GREY PRESS TO France")
    order_all(world, seats)
    for power in ("France", "Italy"):
        assert "Last letter" not in body_of(world.last(player(power)))


@pytest.mark.parametrize(
    ("options", "reader", "links"),
    [
        ("press=none", "France", "GM"),
        ("partners=neighbours", "Turkey", "Russia Everybody GM"),
        ("partners=neighbours", "England", "France Everybody GM"),
    ],
)
def test_nobody_is_offered_who_may_not_be_written_to(world: World, options: str, reader: str, links: str) -> None:
    seats = world.started("spring", options)
    opening = world.last(player(reader))
    assert " ".join(ways_in(opening)) == " ".join(addresses_in(opening)) == links
    for address, _ in ways_in(opening).values():
        assert "Press sent to " in text_of(world.send(player(reader), address, "Hello."))
    assert players_in(opening).keys() >= seats.keys()


def test_in_a_quiet_phase_only_the_gamemaster_is_offered(world: World) -> None:
    in_retreats(world, "quiet=retreats")
    report = next(mail for mail in reversed(world.mailboxes[player("Italy")]) if "F1901R:" in str(mail["Subject"]))
    assert list(ways_in(report)) == ["GM"]


def test_names_are_those_that_the_game_shows(world: World) -> None:
    seats = world.started("masks", "anonymous=yes")
    order_all(world, seats)
    for address, mails in world.mailboxes.items():
        reports = [mail for mail in mails if " results" in str(mail["Subject"])]
        said = " ".join(f"{body_of(mail)} {ways_in(mail)}" for mail in reports)
        assert reports or address == MASTER
        assert not re.search(r"\bPat\b|Master|players\.example", said), address
    assert players_in(world.last(player("Italy")))["Italy"] == ["(you)"]


def test_a_secret_seat_is_in_nobodys_table_but_its_own_and_the_gamemasters(world: World) -> None:
    alien_game(world)
    (alien,) = holders(world, secret=True)
    for address in (*holders(world, secret=False), alien, MASTER):
        opening = next(mail for mail in world.mailboxes[address] if "the game begins" in str(mail["Subject"]))
        assert ("the Alien" in players_in(opening)) == (address in (alien, MASTER)), address


def test_an_observer_writes_to_the_gamemaster_and_a_gamemaster_to_all(world: World, seats: dict[str, str]) -> None:
    world.send(WATCHER, BASE, "OBSERVE spring")
    assert list(ways_in(world.last(WATCHER))) == ["GM"]
    order_all(world, seats)
    assert list(ways_in(world.last(MASTER))) == [*OPENINGS, "Everybody"]
    assert "Press sent to Italy." in text_of(world.send(MASTER, ways_in(world.last(MASTER))["Italy"][0], "Hello."))


def test_a_seat_that_nobody_holds_is_named_as_that(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], "EJECT Italy\nDUMMY Italy")
    order_all(world, {power: seats[power] for power in seats})
    report = world.last(player("France"))
    assert players_in(report)["Italy"] == ["dummy"]
    assert "Italy" not in ways_in(report)


# ---- whose orders are in


def test_whose_orders_are_in_is_shown_where_the_game_says_so(world: World) -> None:
    seats = world.started("spring", "progress=yes early=no")
    world.send(player("Italy"), seats["Italy"], OPENINGS["Italy"])
    world.send(player("France"), seats["France"], "A PAR H")
    seen = text_of(world.send(player("Turkey"), seats["Turkey"], "STATUS"))
    assert re.search(r"Italy 3 3 in Pat Italy", seen), seen
    assert re.search(r"France 3 3 not in yet Pat France", seen), seen
    assert "Progress all players see whose orders are in" in seen
    asked = text_of(world.send(player("Turkey"), seats["Turkey"], "Who has sent orders?"))
    assert "France: not in yet." in asked
    assert "Italy: in." in asked
    world.send(player("Italy"), seats["Italy"], "F1901M: A VEN H")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert players_in(world.last(player("Turkey")))["Italy"] == ["Pat Italy", "not in yet"]


def test_and_nowhere_else(world: World, seats: dict[str, str]) -> None:
    world.send(player("Italy"), seats["Italy"], OPENINGS["Italy"])
    assert "Orders" not in text_of(world.send(player("Turkey"), seats["Turkey"], "STATUS")).partition("Italy")[0]
    said = text_of(world.send(player("Turkey"), seats["Turkey"], "Who has sent orders?"))
    assert "no player sees whose orders are in" in said


def test_a_game_in_which_timing_tells_something_never_shows_it() -> None:
    with pytest.raises(NotUnderstood, match="does not apply to There Are Aliens Among Us"):
        read_options({"variant": "among-us", "progress": "yes"})


# ---- subjects


def test_the_mails_of_a_phase_are_one_conversation(world: World) -> None:
    """The report with which it begins has its subject first; reminders, receipts and questions answer it."""
    with world.trusting():
        seats = world.started("spring", "reminder=24h early=no")
    italy = player("Italy")
    first = len(world.mailboxes[italy]) - 1
    world.send(italy, seats["Italy"], "A VEN H")
    world.send(italy, seats["Italy"], "Where is everybody")
    world.pass_time(days=6, hours=1)
    world.pass_time(days=1)
    subjects = [str(mail["Subject"]) for mail in world.mailboxes[italy][first:]]
    assert [subject.partition(":")[0] for subject in subjects if not subject.startswith("Re: ")] == [
        "[spring] S1901M", "[spring] F1901M"
    ]  # fmt: skip
    assert subjects[-1].startswith("[spring] F1901M: S1901M results, reply with your orders by ")
    assert {subject.partition(": ")[2].partition(":")[0] for subject in subjects[1:-1]} == {"[spring] S1901M"}
    assert subjects[-2].startswith("Re: [spring] S1901M: reminder, orders are incomplete, deadline ")
