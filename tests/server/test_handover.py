"""A seat gets a new holder: what belongs to the former one goes with them, in whatever way it happens."""

from __future__ import annotations

import pytest

from gm.inbound.acceptance import accept, knows
from gm.settings import Level
from gm.store.game_rows import GameState
from gm.store.inbox import ArrivedMail
from gm.variants.standard import POWERS
from tests.server.kept import kept
from tests.server.world import BASE, Place, World, player, reply_to, text_of

pytestmark = pytest.mark.long

MASTER, ITALY, NEW = "master@example.org", player("Italy"), "nina@newcomers.example"
TAKEOVER = (NEW, BASE, "TAKEOVER spring AS ITALY")
WAYS: dict[str, list[tuple[str, str, str] | None]] = {
    "REPLACE": [(MASTER, "GM", f"REPLACE ITALY WITH {NEW}")],
    "EJECT": [(MASTER, "GM", "EJECT ITALY"), TAKEOVER],
    "DUMMY": [(MASTER, "GM", "DUMMY ITALY"), (MASTER, "GM", f"REPLACE ITALY WITH {NEW}")],
    "RESIGN": [(ITALY, "Italy", "RESIGN spring"), TAKEOVER],
    "STANDBY": [(NEW, BASE, "STANDBY spring"), (ITALY, "Italy", "RESIGN spring"), TAKEOVER],
    "FORGET ME": [(ITALY, "Italy", "FORGET ME"), TAKEOVER],
    "missing two phases": [None, TAKEOVER],
}
NOTES = "DIARY\nFrance trusts me.\nENDDIARY\nEXTEND 24h\nCONCEDE TO FRANCE\nDRAW\nALIAS Refuge = Tyrolia"


@pytest.fixture
def level(some_level: Level) -> Level:
    """What goes with the holder of a seat does not depend on it."""
    return some_level


@kept
def handed_over(place: Place, way: str) -> str:
    """Italy keeps a diary, votes and leaves; the address of its new holder's seat."""
    seats = place.seats_of_spring
    place.does(MASTER, seats["GM"], "SET ballots=standing nmr=disorder")
    place.does(ITALY, seats["Italy"], NOTES)
    assert "France trusts me" in text_of(place.send(ITALY, seats["Italy"], "DIARY LIST"))
    assert "Your vote: DRAW" in text_of(place.send(ITALY, seats["Italy"], "MY ORDERS"))
    for step in WAYS[way]:
        if step is None:
            place.pass_time(days=8)
            place.pass_time(days=8)
            continue
        sender, to, text = step
        place.does(sender, seats.get(to, to), text)
        if "REPLACE" in text:
            place.accepts(NEW)
    seat = next(seat for seat in place.seats() if seat.power == "Italy")
    assert seat.person is not None
    assert NEW in seat.person.addresses
    welcome = next(mail for mail in reversed(place.mailboxes[NEW]) if "+spring." in reply_to(mail))
    return reply_to(welcome)


@pytest.mark.way_in(number=11)
@pytest.mark.parametrize("way", WAYS)
def test_diary_and_ballots_stay_with_the_person(place: Place, way: str) -> None:
    address = handed_over(place, way)
    seats = place.seats_of_spring
    read = place.send(NEW, address, "DIARY LIST\nMY ORDERS\nSTATUS\nSUMMARY\nHISTORY\nALIAS")
    received = [text_of(mail) for mail in (*place.mailboxes[NEW], read)]
    for words in ("trusts me", "Your vote", "Refuge"):
        assert not any(words in text for text in received)
    assert "Your diary is empty" in text_of(read)
    for power in POWERS:
        if power not in ("Italy", "France"):
            place.does(player(power), seats[power], "DRAW\nCONCEDE TO FRANCE\nEXTEND 24h")
    place.does(player("France"), seats["France"], "DRAW")
    assert place.game().running, "neither draw nor concession counts a former player's vote"
    place.does(NEW, address, "DIARY\nI begin.\nENDDIARY\nDRAW")
    assert place.game().state is GameState.FINISHED
    summary = text_of(place.send(NEW, address, "SUMMARY"))
    assert "France trusts me" in summary, "all diaries are published at the end"
    assert "I begin" in summary


@pytest.mark.way_in(number=11)
def test_who_comes_back_finds_their_own_diary(place: Place) -> None:
    address = handed_over(place, "REPLACE")
    place.does(NEW, address, "DIARY\nFrance is a fool.\nENDDIARY")
    place.does(MASTER, place.seats_of_spring["GM"], f"REPLACE ITALY WITH {ITALY}")
    place.accepts(ITALY)
    own = text_of(place.send(ITALY, reply_to(place.last(ITALY)), "DIARY LIST"))
    assert "France trusts me" in own
    assert "a fool" not in own


@pytest.mark.way_in(number=3)
@pytest.mark.parametrize("source", ["smtp", "imap"])
@pytest.mark.parametrize("way", ["REPLACE", "EJECT", "RESIGN", "FORGET ME"])
def test_who_writes_to_a_seat_that_was_theirs_is_told_so(place: Place, way: str, source: str) -> None:
    address, old = handed_over(place, way), place.seats_of_spring["Italy"]
    assert knows(place.service, old), "SMTP accepts it, so that it can be answered"
    before = {who: len(mails) for who, mails in place.mailboxes.items()}
    for forged in (False, True):
        place.forged = forged
        raw = place.mail(ITALY, old, "A VEN-TRI\nPRESS TO ALL\nhello\nENDPRESS\nRESIGN spring")
        assert accept(place.service, ArrivedMail(source, raw, place.time, (old,) if source == "smtp" else ()))
        place.work()
        said = "is not a seat's address" if way == "FORGET ME" else "Italy in spring, which is not your seat any more"
        assert said in text_of(place.last(ITALY))
        assert "Nothing was done" in text_of(place.last(ITALY))
    place.forged = False
    assert {who: len(mails) - before[who] for who, mails in place.mailboxes.items() if len(mails) > before[who]} == {
        ITALY: 2
    }
    assert "Ven-Tri" not in text_of(place.send(NEW, address, "MY ORDERS"))


def test_no_seat_of_a_game_that_is_over_is_vacant(place: Place) -> None:
    seats = place.seats_of_spring
    place.does(MASTER, seats["GM"], "TERMINATE spring")
    place.does(ITALY, seats["Italy"], "FORGET ME")
    for asked in ("STATUS", "DASHBOARD"):
        answer = text_of(place.send(MASTER, seats["GM"], asked))
        assert "Italy" in answer
        assert "vacant" not in answer


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("EJECT Italy", "taken your seat"),
        ("DUMMY Italy", "taken your seat"),
        ("REPLACE Italy WITH zed@z.example", "You are replaced"),
    ],
)
def test_who_has_lost_a_seat_is_told_whom_to_ask_and_can(world: World, line: str, title: str) -> None:
    world.send(MASTER, world.started()["GM"], line)
    if "WITH" in line:
        world.accepts("zed@z.example")
    told = text_of(next(mail for mail in reversed(world.mailboxes[ITALY]) if title in mail["Subject"]))
    assert "To ask its gamemaster why, write OBSERVE spring, and PRESS TO GM in reply; LIST OPEN shows" in told
    seat = reply_to(world.send(ITALY, BASE, "OBSERVE spring"))
    world.send(ITALY, seat, "PRESS TO GM\nWhy?\nENDPRESS")
    assert "Why?" in text_of(world.last(MASTER))


def test_an_ejected_player_can_be_brought_back(world: World) -> None:
    seats = world.started(options="standins=yes")
    said = text_of(world.send(MASTER, seats["GM"], "EJECT Italy"))
    assert "A stand-in plays it" in said
    assert "UNDO gives it back" in said
    told = next(mail for mail in reversed(world.mailboxes[player("Italy")]) if "taken your seat" in mail["Subject"])
    assert "has taken Italy from you" in text_of(told)
    assert "Italy has its player back" in text_of(world.send(MASTER, seats["GM"], "UNDO"))
    (seat,) = (one for one in world.game().players if one.power == "Italy")
    assert seat.person is not None
    assert player("Italy") in seat.person.addresses
    assert "A VEN" in text_of(world.last(player("Italy"))).upper(), "they get the position, and a new address"


def test_nobody_is_brought_back_to_a_seat_that_is_taken(world: World) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], "EJECT Italy")
    world.send("new@example.net", BASE, "TAKEOVER spring AS Italy")
    assert "Italy is not vacant any more" in text_of(world.send(MASTER, seats["GM"], "UNDO"))
