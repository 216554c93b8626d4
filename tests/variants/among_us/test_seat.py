"""The Alien's seat (AU-15, AU-16): nothing reveals whether it has a player, who that is, and since when."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from gm.board import Power
from gm.inbound.acceptance import accept
from gm.store.game_rows import PhaseRow
from gm.store.inbox import ArrivedMail
from gm.store.people import turnout_of
from gm.variants.among_us.state import ALIEN
from gm.variants.standard import POWERS
from tests.server.bounces import report
from tests.server.world import BASE, World, body_of, reply_to, text_of
from tests.variants.among_us.mails import HOSTS, MASTER, Game, address, new_game

pytestmark = pytest.mark.long

Mail = tuple[datetime, str, str]
Alien = Callable[[Game, int], None]
"""What the Alien does before the first phase (0) and after the orders of each are closed."""

TURKEY = address("Turkey")
"""The gamemaster of these games, who also plays."""
HELPER = "helper@example.org"
"""Their assistant, who does not play."""

QUESTIONS = "STATUS\nLIST\nLIST OPEN\nSUMMARY\nDASHBOARD\nLOG 200\nHISTORY ALL\nREPLACE the Alien WITH new@example.org"


def resign(game: Game) -> None:
    """The Alien's player resigns."""
    question = game.order(ALIEN, "RESIGN spring")
    if "YES" in text_of(question):
        game.say(address(ALIEN), reply_to(question), "YES")


def active(game: Game, step: int) -> None:
    """Chooses, and overrides as the host orders."""
    game.order(ALIEN, "ADOPT A SMY" if step == 0 else "A CON H")


def mute(game: Game, step: int) -> None:
    del game, step


def gone(game: Game, step: int) -> None:
    if step == 0:
        resign(game)


def bouncing(game: Game, step: int) -> None:
    """No mail reaches the Alien."""
    if step == 0:
        sent = next(mail for mail in reversed(game.sent) if mail.recipient == address(ALIEN))
        raw = report(address(ALIEN), "5.1.1", "no such user", original=sent.raw)
        accept(game.service, ArrivedMail("smtp", raw, game.time, (sent.envelope_from,), ""))
        game.work()
        assert game.game().people[next(s.person.id for s in game.game().seats if s.power == ALIEN and s.person)].dead


def answers(path: Path, alien: Alien) -> tuple[list[Mail], str]:
    """What a gamemaster who plays, their assistant, and another player are sent in three phases; and the answers to
    their queries.
    """
    game = new_game(path, "nmr=disorder", master=TURKEY, assistant=HELPER)
    helping = game.seats["assistant"]
    said = []
    alien(game, 0)
    for number in (1, 2, 3):
        for power in POWERS:
            if number == 1:
                game.order(power, HOSTS[power])
            else:
                game.order(power, "\n".join(f"{u.kind} {u.at} H" for u in game.position().units_of(power)) or "STATUS")
        game.time += timedelta(days=3)
        game.work()
        alien(game, number)
        game.pass_time(hours=24)
        said.append(text_of(game.say(TURKEY, game.seats["GM"], QUESTIONS)))
        said.append(text_of(game.say(HELPER, helping, QUESTIONS)))
        assert "France" in said[-1]
        said.append(text_of(game.order("France", QUESTIONS + "\nPRESS TO the Alien\nHello\nENDPRESS\nEXTEND 24h")))
    knows = (address(ALIEN), "operator@example.org")
    sent = [(mail.at, mail.recipient, subject(mail.raw)) for mail in game.sent if mail.recipient not in knows]
    game.database.dispose()
    return sent, "\n".join(said)


def subject(raw: bytes) -> str:
    return next(line for line in raw.decode().splitlines() if line.startswith("Subject:"))


_kept: dict[str, tuple[list[Mail], str]] = {}


@pytest.mark.ruling("AU-15", "AU-16")
@pytest.mark.parametrize("other", [mute, gone, bouncing])
def test_nothing_tells_whether_the_alien_is_active_mute_or_gone(
    tmp_path: Path, other: Callable[[Game, int], None]
) -> None:
    if "active" not in _kept:
        _kept["active"] = answers(tmp_path / "active", active)
    sent, said = answers(tmp_path / "other", other)
    assert said.replace("A Con H", "") == _kept["active"][1].replace("A Con H", "")
    assert sent == _kept["active"][0]


@pytest.mark.ruling("AU-15")
def test_nothing_tells_when_the_alien_has_joined(tmp_path: Path) -> None:
    shown = []
    for name, joining in (("last", (*POWERS, ALIEN)), ("first", (ALIEN, *POWERS))):
        game = new_game(tmp_path / name, master=TURKEY, joining=joining)
        shown.append(text_of(game.say(TURKEY, game.seats["GM"], "SUMMARY\nDASHBOARD\nLOG 200\nSTATUS\nLIST")))
        shown.append(text_of(game.say(TURKEY, BASE, "SUMMARY spring")))
        joined = [text_of(mail) for mail in game.mailboxes[TURKEY] if "has joined" in str(mail["Subject"])]
        assert len(joined) == len(POWERS) + 1
        assert not any("alien" in mail.lower() or "Asks" in mail for mail in joined)
        game.database.dispose()
    assert shown[:2] == shown[2:]


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    made = new_game(tmp_path / "game", "nmr=disorder")
    yield made
    made.database.dispose()


@pytest.mark.ruling("AU-15")
def test_the_alien_is_asked_for_orders_only_when_there_are_some_to_give(game: Game) -> None:
    game.order(ALIEN, "ADOPT A SMY")
    game.order("Turkey", "A SMY H")
    asked = []
    for _ in range(6):
        game.pass_time(days=3)
        game.pass_time(days=1)
        mail = next(m for m in reversed(game.mailboxes[address(ALIEN)]) if "results" in str(m["Subject"]))
        asked.append("reply with" in str(mail["Subject"]))
        position = game.position()
        phase, due = position.phase.kind, game.game().variant.view(game.game().variant, position, None, ALIEN)
        assert asked[-1] == bool(due.form), phase
        assert "(no units)" not in str(mail["Subject"]) + text_of(mail)
    assert set(asked) == {True, False}
    summary = text_of(game.order(ALIEN, "SUMMARY"))
    assert " the " not in summary.partition("Year")[2].partition("1900")[0]


def test_a_silent_alien_keeps_the_seat_and_its_turnout(game: Game) -> None:
    for _ in range(4):
        game.pass_time(days=3)
        game.pass_time(hours=24)
    seats = {seat.power: seat for seat in game.game().seats}
    holder = seats[ALIEN].person
    assert holder is not None
    assert seats[Power("France")].person is None, "who plays a power and is silent has lost it"
    with game.looking() as session:
        came = turnout_of(session, [holder.id])[holder.id]
        movements = session.query(PhaseRow).filter(PhaseRow.code.like("%M"), PhaseRow.result.is_not(None)).count()
    assert came == {"on time": movements}


@pytest.mark.ruling("AU-15")
def test_the_aliens_row_of_a_dashboard_is_constant(game: Game) -> None:
    def row() -> str:
        said = text_of(game.say(MASTER, game.seats["GM"], "DASHBOARD"))
        return said[said.index("the Alien ") :].partition("Without orders")[0]

    first = row()
    assert "the Alien Orders: not waited for" in first
    for lines in ("ADOPT A SMY", "READY", "PRESS TO GM\nHello.\nENDPRESS"):
        game.order(ALIEN, lines)
        assert row() == first


@pytest.mark.ruling("AU-15", "AU-16")
def test_status_names_the_aliens_player_to_a_gamemaster_who_does_not_play(game: Game) -> None:
    """As the opening report does; it had `-`."""
    alien = next(seat for seat in game.game().seats if seat.power == ALIEN)
    assert alien.person is not None
    row = re.compile(rf"the Alien [^F]*{re.escape(alien.person.name)}")
    assert row.search(text_of(game.say(MASTER, game.seats["GM"], "STATUS")))
    assert not row.search(text_of(game.order("France", "STATUS")))


@pytest.mark.ruling("AU-15")
def test_the_gamemaster_names_a_successor_in_private(game: Game) -> None:
    resign(game)
    assert "(the Alien) has resigned" in text_of(game.last(MASTER))
    assert re.search("the Alien [^F]*vacant", text_of(game.say(MASTER, game.seats["GM"], "STATUS")))
    assert re.search("the Alien [^F]*vacant", text_of(game.say(MASTER, game.seats["GM"], "DASHBOARD")))
    assert "vacant" not in text_of(game.order("France", "STATUS\nLIST\nSUMMARY"))
    assert "No seat of spring is free" in text_of(game.say("new@example.org", BASE, "TAKEOVER spring AS the Alien"))
    before = {power: len(game.mailboxes[address(power)]) for power in POWERS}
    question = game.say(MASTER, game.seats["GM"], "REPLACE the Alien WITH new@example.org")
    if "YES" in text_of(question):
        game.say(MASTER, reply_to(question), "YES")
    asked, _, brief = text_of(game.last("new@example.org")).partition("There is an Alien among you")
    assert "a power (you are told which when you accept)" in asked
    assert "the Alien" not in asked, "who declines does not learn it"
    assert brief
    game.accepts("new@example.org")
    assert {power: len(game.mailboxes[address(power)]) for power in POWERS} == before
    game.say("new@example.org", reply_to(game.last("new@example.org")), "ADOPT A SMY")
    assert "cannot be a dummy" in text_of(game.say(MASTER, game.seats["GM"], "DUMMY the Alien"))
    said = game.say(MASTER, game.seats["GM"], "DUMMY Italy")
    if "YES" in text_of(said):
        said = game.say(MASTER, reply_to(said), "YES")
    assert "its orders are random" in game.words("France")


@pytest.mark.ruling("AU-10", "AU-15")
@pytest.mark.parametrize(("absent", "taken_over"), [("Turkey", False), ("Turkey", True), (ALIEN, False)])
def test_absences_count_by_what_is_public(game: Game, absent: str, taken_over: bool) -> None:
    """The game waits for a host that has lost everything to the Alien as for any other, and never for the Alien: a
    deadline of another game, where everybody knows them, may move at the same time.
    """
    for power in POWERS:
        game.order(power, HOSTS[power])
    game.pass_time(days=3)
    game.pass_time(hours=24)
    turkish = game.position().units_of(Power("Turkey"))
    if taken_over:
        with game.altering() as row:
            layer = {"units": [u.at for u in turkish], "dislodged": [], "centers": ["ank", "con", "smy"], "hosts": []}
            row.position = {**row.position, "state": {"alien": layer}}
        assert Power("Turkey") not in game.game().duties
    due = game.game().due_at
    assert due is not None
    away = f"ABSENCE {due:%Y-%m-%d} TO {due + timedelta(days=1):%Y-%m-%d}"
    game.order(absent, away)
    moved = game.game().due_at
    assert moved is not None
    assert moved >= due + timedelta(days=1) if absent != ALIEN else moved == due
    assert ("It moves no deadline of spring" in game.words(absent)) is (absent == ALIEN)


def test_the_log_tells_a_gamemaster_who_plays_nothing_of_the_alien(tmp_path: Path) -> None:
    """Neither by the number of events asked for, nor once the start is taken back."""
    game = new_game(tmp_path / "game", master=TURKEY)
    chair = game.seats["GM"]
    with game.trusting():
        game.say(TURKEY, chair, f"PROMOTE {MASTER}")
        game.say(MASTER, reply_to(game.last(MASTER)), "YES")
        game.agreed()
        for line in ("REPLACE the Alien WITH new@example.org", "EJECT the Alien", "COMMENT Friday"):
            game.say(MASTER, reply_to(game.last(MASTER)), line)
        seen = [rows(game, chair, "LOG 200")]
        for line in ("UNSTART spring", "START spring"):
            game.say("new@example.org", BASE, "JOIN spring")
            game.say(TURKEY, chair, line)
            seen.append(rows(game, chair, "LOG 200"))
        assert [len(rows(game, chair, f"LOG {number}")) for number in (1, 5)] == [1, 5]
    assert seen[0].count("comment") == 1
    assert seen[1] == ["unstart", *seen[0]]
    assert seen[2] == ["start", *seen[1]]


def rows(game: Game, chair: str, line: str) -> list[str]:
    """What was done, by each row of the log, as the gamemaster who plays sees it."""
    seen = body_of(game.say(TURKEY, chair, line))
    return re.findall(r"^\d{4}-\d\d-\d\d .*: (.*?)(?= \(|$)", seen, re.MULTILINE)


def test_help_says_that_undo_does_not_give_the_alien_back(game: Game) -> None:
    with game.trusting():
        said = game.say(MASTER, game.seats["GM"], "EJECT the Alien\nUNDO\nHELP EJECT")
    assert "EJECT, cannot be undone. HELP EJECT says what else changes it." in text_of(said)
    assert "not a seat of which nobody may know who has it: REPLACE asks its player again." in text_of(said)


@pytest.mark.ruling("AU-7")
def test_nobody_is_offered_to_write_to_the_neutrals(game: Game) -> None:
    """They have units and centres, and no player."""
    answer = text_of(game.order("France", "Neutrals: will you let me through to Spain?"))
    assert "Sent to nobody" in answer
    assert "Nobody plays 'Neutrals'" in answer
    assert "PRESS TO Neutrals" not in answer
    assert "Nobody plays" in text_of(game.order("France", "PRESS TO NEUTRALS\nhello\nENDPRESS"))


@pytest.mark.parametrize(("options", "formed"), [("anonymous=yes", True), ("anonymous=no", False)])
def test_a_start_that_has_named_who_plays_is_not_taken_back(tmp_path: Path, options: str, formed: bool) -> None:
    """Dealt again, whoever is named no more, or now, would be the Alien or have been it."""
    game = new_game(tmp_path / "game", options)
    with game.trusting():
        said = text_of(game.say(MASTER, game.seats["GM"], "UNSTART spring"))
    assert (game.game().state == "forming") is formed, said
    assert ("another deal would show who has the secret seat" in said) is not formed


@pytest.mark.parametrize("options", ["anonymous=no", "anonymous=yes"])
def test_names_that_have_been_read_are_not_hidden_to_deal_again(tmp_path: Path, options: str) -> None:
    """Otherwise the start could be taken back after all, and REVEAL would name the players of another deal."""
    game = new_game(tmp_path / "game", options)
    chair = game.seats["GM"]
    with game.trusting():
        if options == "anonymous=yes":
            game.say(MASTER, chair, "REVEAL")
        said = text_of(game.say(MASTER, chair, "SET anonymous=yes"))
        game.say(MASTER, chair, "UNSTART spring")
    assert game.game().options.anonymous == "no", said
    assert game.game().state == "running"


def test_people_without_a_name_have_numbers_that_leave_no_gap_for_the_alien(tmp_path: Path) -> None:
    """Were they in the order in which people come, the number that STATUS leaves out would be the Alien's."""
    world = World(tmp_path)
    people = [f"p{number}@example.net" for number in range(8)]
    world.send(MASTER, BASE, "CREATE spring variant=among-us")
    for email in people:
        world.send(email, BASE, "JOIN spring", headers={"From": email})
    names = [seat.person.name for seat in world.game().held if seat.person is not None]
    numbers = sorted(int(name.removeprefix("Player ")) for name in names)
    assert len(set(numbers)) == len(people)
    assert all(after - before > 1 for before, after in pairwise(numbers)), numbers
