"""Mail to seats in several games: the headings GAME choose the game, and what is for another one does not count."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from gm.commands import COMMANDS
from gm.inbound.acceptance import accept
from gm.inbound.facts import asking
from gm.orders.notation import write
from gm.settings import TrustSettings
from gm.store.inbox import ArrivedMail
from tests.server.kept import kept
from tests.server.world import BASE, World, body_of, player, proved, reply_to, text_of

FRANCE = player("France")
MASTER = "master@example.org"
ASTRAY = "This address is your seat in spring. Write to your seat in autumn instead."


def both(world: World) -> list[str]:
    """The addresses of France's seats in the games spring and twin."""
    return [world.started()["France"], world.started("twin")["France"]]


def orders(world: World, name: str) -> list[str]:
    return sorted(write(order) for given in world.game(name).orders.values() for order in given.orders)


def bring(world: World, to: list[str], text: str, sender: str = FRANCE) -> list[str]:
    """The answers to one mail to these addresses, which is authenticated."""
    before = len(world.mailboxes[sender])
    raw = world.mail(sender, ", ".join(to), text, headers=proved(sender))
    assert accept(world.service, ArrivedMail("smtp", raw, world.time, tuple(to), sender))
    world.work()
    return [text_of(mail) for mail in world.mailboxes[sender][before:]]


@pytest.mark.parametrize(
    ("text", "spring", "twin", "answers"),
    [
        ("F BRE-MAO", ["F Bre-Mao"], ["F Bre-Mao"], 2),
        ("GAME spring\nF BRE-MAO\nGAME twin\nA PAR-GAS", ["F Bre-Mao"], ["A Par-Gas"], 2),
        ("game Twin\nA PAR-GAS\nGame SPRING\nF BRE-MAO", ["F Bre-Mao"], ["A Par-Gas"], 2),
        ("F BRE-MAO\nGAME twin\nA PAR-GAS", ["F Bre-Mao"], ["A Par-Gas", "F Bre-Mao"], 2),
        ("GAME twin\nA PAR-GAS", [], ["A Par-Gas"], 1),
        ("Hello,\n\nGAME twin\nA PAR-GAS\nPRESS TO ENGLAND\nHello\nENDPRESS", [], ["A Par-Gas"], 1),
        ("F BRE-MAO\nREADY\nGAME twin\nA PAR-GAS", ["F Bre-Mao"], ["A Par-Gas", "F Bre-Mao"], 2),
        ("GAME spring\nF BRE-MAO\ntwin: A PAR-GAS", ["F Bre-Mao"], ["A Par-Gas"], 2),
    ],
)
def test_headings_choose_the_game(world: World, text: str, spring: list[str], twin: list[str], answers: int) -> None:
    found = bring(world, both(world), text)
    assert (orders(world, "spring"), orders(world, "twin")) == (spring, twin)
    assert len(found) == answers
    assert "your seat in" not in "".join(found)


@pytest.mark.parametrize(
    ("at", "text", "taken"),
    [
        ("server", "spring: F BRE-MAO\ntwin: A PAR-GAS\nwinter: A MAR-SPA", ("F Bre-Mao", "A Par-Gas", "A Mar-Spa")),
        ("server", "spring: F BRE-MAO\nwinter: A MAR-SPA", ("F Bre-Mao", "", "A Mar-Spa")),
        ("server", "winter\nA MAR-SPA\n\nspring\nF BRE-MAO", ("F Bre-Mao", "", "A Mar-Spa")),
        ("twin", "twin: A PAR-GAS\nwinter: A MAR-SPA\nspring: F BRE-MAO", ("F Bre-Mao", "A Par-Gas", "A Mar-Spa")),
        ("twin", "spring: A PAR-GAS", ("", "A Par-Gas", "")),  # alone at a seat it is the season
    ],
)
def test_a_game_called_as_a_season_is_that_game_where_no_season_can_be_meant(
    world: World, at: str, text: str, taken: tuple[str, ...]
) -> None:
    seats = dict(zip(("spring", "twin"), both(world), strict=True))
    world.started("winter")
    found = bring(world, [seats.get(at, BASE)], text)
    assert tuple("".join(orders(world, name)) for name in ("spring", "twin", "winter")) == taken
    assert "not acted on" not in " ".join(found)


def test_orders_below_a_command_ask_for_something_too(world: World) -> None:
    """So they are quoted where they are for no game."""
    world.started()
    lines = ("Hello,", "WHATIF", "A PAR-BUR", "A MAR-SPA")
    assert asking(lines, [world.game()], COMMANDS.reader) == lines[1:]


def test_the_orders_of_a_game_that_is_not_named_stay(world: World) -> None:
    seats = both(world)
    bring(world, seats, "F BRE-MAO")
    bring(world, seats, "GAME twin\nCLEAR")
    assert (orders(world, "spring"), orders(world, "twin")) == (["F Bre-Mao"], [])


@pytest.mark.parametrize(
    ("text", "spring", "twin", "answers"),
    [
        ("GAME twin\nCLEAR\nA PAR-BUR", ["F Bre-Mao"], ["A Par-Bur"], 1),
        ("A PAR-PIC\nGAME twin\nA MAR-BUR\nSTATUS", ["A Par-Pic", "F Bre-Mao"], ["A Mar-Bur"], 2),
        ("A PAR-PIC\nSTATUS\nGAME twin\nA MAR-BUR", ["A Par-Pic", "F Bre-Mao"], ["A Mar-Bur"], 2),
        ("GAME spring\nA PAR-PIC", ["A Par-Pic", "F Bre-Mao"], [], 1),
        ("GAME twin\nA PAR-BUR\nGAME spring\nA MAR-SPA", ["A Mar-Spa", "F Bre-Mao"], ["A Par-Bur"], 2),
        ("Hello,\n\nGAME twin\nA PAR-GAS\nPRESS TO ENGLAND\nHello\nENDPRESS", ["F Bre-Mao"], ["A Par-Gas"], 1),
    ],
)
def test_a_heading_reaches_the_seat_in_another_game(
    world: World, text: str, spring: list[str], twin: list[str], answers: int
) -> None:
    seat, _ = both(world)
    bring(world, [seat], "F BRE-MAO")
    found = bring(world, [seat], text)
    assert (orders(world, "spring"), orders(world, "twin")) == (spring, twin)
    assert len(found) == answers
    assert "not acted on" not in " ".join(found)


def test_what_is_above_another_game_holds_nothing_back_there(world: World) -> None:
    """And what is below its name holds nothing back here."""
    seat, _ = both(world)
    above = "A PAR-PIC, A MAR-SPA, F BRE-MAO\nREADY"
    answers = bring(world, [seat], f"{above}\nGAME twin\nA PAR-GAS, F BRE H, A MAR H\nREADY")
    assert ["You are READY" in said for said in answers] == [True, True]


def test_a_mail_that_is_asked_about_is_handed_on_once_it_counts(world: World) -> None:
    """And is asked about at each seat, for nobody has said YES there."""
    seat, _ = both(world)
    world.arrive("elsewhere@example.net", seat, "A PAR-BUR\nGAME twin\nA PAR-GAS")
    world.work()
    found = []
    for _ in range(2):
        found.append((orders(world, "spring"), orders(world, "twin")))
        asked = next(mail for mail in reversed(world.mailboxes[FRANCE]) if "+confirm." in reply_to(mail))
        world.arrive(FRANCE, reply_to(asked), "YES")
        world.work()
    assert found == [([], []), (["A Par-Bur"], [])]
    assert (orders(world, "spring"), orders(world, "twin")) == (["A Par-Bur"], ["A Par-Gas"])


def test_a_mail_that_was_not_shown_as_a_whole_is_not_handed_on(world: World) -> None:
    """What is below the lines that the question showed would be acted on in the other game."""
    seat, _ = both(world)
    text = "A PAR-BUR\nGAME twin\nSTATUS" + "\n" * 310 + "GAME twin\nA PAR-GAS"
    world.arrive("elsewhere@example.net", seat, text)
    world.work()
    world.arrive(FRANCE, reply_to(world.last(FRANCE)), "YES")
    world.work()
    assert "too long to be shown as a whole. Nothing was done." in text_of(world.last(FRANCE))
    assert {mail.state.value for mail in world.inbox()} == {"done"}
    assert (orders(world, "spring"), orders(world, "twin")) == ([], [])


def test_headings_at_the_address_of_the_server(world: World) -> None:
    both(world)
    answers = bring(world, [BASE], "LIST\nGAME spring\nA PAR-BUR\nGAME twin\nA PAR-GAS\nREADY")
    assert (orders(world, "spring"), orders(world, "twin")) == (["A Par-Bur"], ["A Par-Gas"])
    assert len(answers) == 3
    assert "not acted on" not in answers[0]
    assert ["You are READY" in said for said in answers] == [False, False, True]


@pytest.mark.parametrize("most", [200, 2_000])
def test_a_mail_for_several_games_costs_no_more_than_the_longest_mail(
    world: World, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr("gm.inbound.several_games._MOST_READ", most)
    both(world)
    answers = bring(world, [BASE], "GAME spring\nA PAR-BUR\nGAME twin\nA PAR-GAS" + "\nhello to you" * 10)
    acted = [orders(world, "spring"), orders(world, "twin")]
    assert acted == ([[], []] if most == 200 else [["A Par-Bur"], ["A Par-Gas"]])
    assert ("too long for that, and nothing was done. Send it again without what it quotes" in answers[0]) is (
        most == 200
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("GAME autumn\nCLEAR\nA PAR-BUR", ASTRAY),
        ("A PAR-BUR\nREADY\nGAME autumn\nA MAR-BUR", "READY was not acted on"),
        ("GAME sprng\nA PAR-PIC", "GAME sprng was not acted on"),
    ],
)
def test_lines_for_the_game_of_others_do_not_count(world: World, text: str, said: str) -> None:
    seat, _ = both(world)
    (answer,) = bring(world, [seat], text)
    assert orders(world, "twin") == []
    assert said in " ".join(answer.split())
    assert " ".join(answer.split()).count("your seat in spring") <= 1


@pytest.mark.parametrize(
    "heading",
    [
        "twin:", "[twin]", "Twin", "*twin*", "for twin:", "and for Twin:", "In the game twin:", "game twin:", "twin -",
        "-- twin --", "now twin:", "{twin}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("to", ["seat", "base"])
def test_a_line_that_begins_with_the_name_of_a_game_is_a_heading(world: World, heading: str, to: str) -> None:
    first, _ = both(world)
    joint = " " if heading.endswith(("d twin:", "]")) else "\n"
    bring(world, [first if to == "seat" else BASE], f"GAME spring\nF BRE-MAO\n{heading}{joint}A PAR-GAS")
    assert (orders(world, "spring"), orders(world, "twin")) == (["F Bre-Mao"], ["A Par-Gas"])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("twin EXTEND 48h", "Your vote for EXTEND"),
        ("for twin: EXTEND 48h", "Your vote for EXTEND"),
        ("twim: EXTEND 48h", "'twim: EXTEND 48h' begins with 'twim', which is no game of yours"),
    ],
)
def test_a_command_behind_the_name_of_another_game_does_not_count_here(world: World, line: str, said: str) -> None:
    first, _ = both(world)
    here, *there = bring(world, [first], f"A PAR-BUR\n{line}")
    assert orders(world, "spring") == ["A Par-Bur"]
    assert "vote" not in here
    assert said in "".join((here, *there))


@pytest.mark.parametrize("at_seat", [False, True])
@pytest.mark.parametrize(
    ("text", "running"),
    [
        ("START twin, third", {"twin", "third"}),
        ("START third", {"third"}),
        ("ALL GAMES: START", {"twin", "third"}),
        ("ALL GAMES twin: START", {"twin"}),
        ("GAME twin, third\nSTART", {"twin", "third"}),
        ("twin and third: START", {"twin", "third"}),
    ],
)
def test_a_command_that_names_its_games_is_for_them_at_any_address(
    world: World, text: str, running: set[str], *, at_seat: bool
) -> None:
    """And what can be written for one game can be for all that somebody runs."""
    master, seat = "master@example.org", world.started()["GM"]
    for name in ("twin", "third"):
        world.send(master, BASE, f"CREATE {name} variant=france-austria early=orders")
        for power in ("France", "Austria"):
            world.send(player(power), BASE, f"JOIN {name} AS {power}")
    raw = world.mail(master, seat if at_seat else BASE, text, headers=proved(master))
    assert accept(world.service, ArrivedMail("smtp", raw, world.time, (seat if at_seat else BASE,), master))
    world.work()
    assert {name for name in ("twin", "third") if world.game(name).running} == running


@pytest.mark.parametrize(
    ("text", "paused", "extended"),
    [
        ("PAUSE twin", {"twin"}, set()),
        ("PAUSE spring, twin", {"spring", "twin"}, set()),
        ("GAME twin, spring\nPAUSE UNTIL 2 Jan\nGAME spring\nRESUME", {"twin"}, set()),
        ("PAUSE twin UNTIL 2 Jan\nEXTEND spring 24h", {"twin"}, {"spring"}),
        ("PAUSE in twin", {"twin"}, set()),
        ("EJECT England in twin\nEXTEND spring 24h", set(), {"spring"}),
    ],
)
@pytest.mark.parametrize("at_seat", [False, True])
def test_any_command_of_a_seat_may_name_its_games(
    world: World, text: str, paused: set[str], extended: set[str], *, at_seat: bool
) -> None:
    """Also one whose form has no place for a game."""
    first, due = world.started(), world.started("twin") and world.game("spring").due_at
    bring(world, [first["GM"] if at_seat else BASE], text, "master@example.org")
    assert {name for name in ("spring", "twin") if world.game(name).paused} == paused
    later = (name for name in ("spring", "twin") if not world.game(name).paused and world.game(name).due_at != due)
    assert set(later) == extended


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Who is late in twin?", "Dashboard of twin"),
        ("Pause twin until 2 January", "send PAUSE UNTIL 2027-01-02"),
        ("twin needs more time, give them two more days", "send EXTEND two days"),
        ("No deadlines between 24 Dec and 2 Jan in any game", "ALL GAMES: SET holidays=2026-12-24..2027-01-02"),
        ("Which of my games need something from me?", "Without orders"),
    ],
)
@pytest.mark.parametrize("at_seat", [False, True])
def test_a_gamemasters_wish_is_for_the_game_that_it_names(world: World, text: str, said: str, *, at_seat: bool) -> None:
    """Or for all, if it says so."""
    first, _ = world.started(), world.started("twin")
    found = bring(world, [first["GM"] if at_seat else BASE], text, "master@example.org")
    assert len(found) == 1
    assert said in found[0]


def test_a_wish_for_two_games_is_one_question(world: World) -> None:
    first, _, _ = world.started(), world.started("twin"), world.started("third")
    for at in (first["GM"], BASE):
        found = bring(world, [at], "spring and third should rest until 2 January", "master@example.org")
        assert [("ALL GAMES spring, third: PAUSE UNTIL 2027-01-02" in one) for one in found] == [True]


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        (
            "Move the deadline in spring and twin by two days please. third stays as it is.",
            "ALL GAMES spring, twin: EX",
        ),
        ("Two more days in all my games except twin and third please", "ALL GAMES BUT third, twin: EXTEND"),
        ("Two more days in all my games please. twin stays as it is.", "ALL GAMES spring, third: EXTEND"),
        ("All games one day more please, except twin and third", "ALL GAMES BUT third, twin: EXTEND"),
        ("All games extend by one day except twin please", "ALL GAMES BUT twin: EXTEND"),
        ("all games but twin get two more days", "ALL GAMES BUT twin: EXTEND"),
        (
            "new house rule for twin and third: be on time, all of you",
            "GAME twin, third / HOUSE RULES / be on time, all",
        ),
        (
            "No deadline on 24, 25 and 31 December in any of my games",
            "ALL GAMES: SET holidays=2026-12-24,2026-12-25,2026-12-31",
        ),
    ],
)
def test_a_list_of_games_is_one_value_and_those_that_stay_are_in_none(world: World, text: str, offered: str) -> None:
    for name in ("spring", "twin", "third"):
        world.started(name)
    (found,) = bring(world, [BASE], text, CHAIR)
    assert f"send {offered}" in found
    assert found.count("Or reply with YES.") == 1


def test_each_game_named_in_a_line_has_what_stands_behind_its_name(world: World) -> None:
    for name in ("spring", "twin"):
        world.started(name)
    found = bring(world, [BASE], "spring: EXTEND 48h. twin: EXTEND 24h", CHAIR)
    assert ["2 days later" in one for one in found if "[spring]" in one or "S1901M" in one].count(True) == 1
    assert any("24 hours later" in one for one in found)


def test_who_is_missing_is_reminded_without_a_question_in_all_games_named_before(world: World) -> None:
    world.started()
    world.started("twin")
    (found, *_) = bring(world, [BASE], "Who is missing in all my games? Please send those a reminder.", CHAIR)
    assert "spring: A reminder goes to" in found
    assert "twin: A reminder goes to" in found
    assert "reply with YES" not in found


CHAIR = "master@example.org"


@kept
def runs_and_plays(world: World, options: str = "") -> str:
    """The gamemaster of spring runs twin, too, and plays in it; the seat in spring."""
    seat = world.started()["GM"]
    world.send(CHAIR, BASE, f"CREATE twin variant=france-austria {options}", headers=proved(CHAIR))
    for who, power in ((CHAIR, "France"), (player("Austria"), "Austria")):
        world.send(who, BASE, f"JOIN twin AS {power}", headers=proved(who))
    world.send(CHAIR, BASE, "START twin", headers=proved(CHAIR))
    return seat


@pytest.mark.parametrize(
    ("text", "processed", "said"),
    [
        ("PROCESS twin", True, "S1901M is adjudicated now"),
        ("EXTEND twin 24h", False, "24 hours later than before"),
        ("DRAW twin", False, "twin (gamemaster)"),
        ("GAME twin\nA PAR-BUR", False, "A Par-Bur"),
    ],
)
@pytest.mark.parametrize("at_seat", [False, True])
def test_of_two_seats_in_a_game_the_command_says_which_or_its_sender_is_asked(
    world: World, text: str, said: str, *, processed: bool, at_seat: bool
) -> None:
    """What only a gamemaster can give is for the gamemaster's, and so is what UNDO takes back; what either can give for
    good is handed to neither.
    """
    seat = runs_and_plays(world, "early=orders")
    found = bring(world, [seat if at_seat else BASE], text, CHAIR)
    assert said in " ".join(found)
    assert (world.phase("twin") == "F1901M") == processed


@pytest.mark.parametrize("beside", ["OFFICIAL\nOne day more.\nENDOFFICIAL", "A PAR-BUR", "REMARK\nSorry\nENDREMARK"])
@pytest.mark.parametrize("at", ["server", "desk", "seat"])
def test_of_two_seats_in_a_game_a_line_never_decides_for_those_beside_it(world: World, beside: str, at: str) -> None:
    """Below the name of the game the gamemaster's lines are the gamemaster's, whatever else is there."""
    seat = runs_and_plays(world)
    desk = reply_to(world.send(CHAIR, BASE, "DASHBOARD", headers=proved(CHAIR)))
    to = {"server": BASE, "desk": desk, "seat": seat}[at]
    for text in (f"GAME twin\nEXTEND 24h\n{beside}", f"GAME twin\n{beside}\nPAUSE UNTIL 2 Jan"):
        (said,) = bring(world, [to], text, CHAIR)
        assert "ote for" not in said
    assert world.game("twin").paused
    assert (orders(world, "twin") == ["A Par-Bur"]) == (beside == "A PAR-BUR")


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("GAME spring\nREMARK\nWell played\nENDREMARK\nDRAW spring\nGAME twin\nTERMINATE twin", "spring twin"),
        ("GAME twin\nOFFICIAL\nThanks\nENDOFFICIAL\nTERMINATE twin\nGAME spring\nTERMINATE spring", "spring twin"),
        ("GAME spring\nDEADLINE nonsense\nGAME twin\nTERMINATE twin", "twin"),
    ],
)
def test_lines_for_another_game_hold_nothing_back_though_it_has_just_ended(world: World, text: str, ended: str) -> None:
    world.started(), world.started("twin")
    found = bring(world, [BASE], text, "master@example.org")
    assert [name for name in ("spring", "twin") if world.game(name).over] == ended.split()
    assert "this part of your mail" not in " ".join(found)


def test_a_line_for_a_game_that_is_over_is_answered_there(world: World) -> None:
    world.started(), world.started("twin")
    bring(world, [BASE], "TERMINATE twin", "master@example.org")
    for text in ("GAME twin\nTERMINATE twin", "GAME twin\nTERMINATE", "EXTEND twin 24h\nREMIND spring"):
        assert "The game twin is aborted." in " ".join(bring(world, [BASE], text, "master@example.org"))
    found = bring(world, [BASE], "GAME spring\nHow odd this is\nGAME twin\nSTATUS", "master@example.org")
    assert "How odd this is" in " ".join(found), "words below a name are answered, too"


def confirmations(world: World) -> list[EmailMessage]:
    """The questions that the gamemaster was asked."""
    return [mail for mail in world.mailboxes[MASTER] if "Please confirm" in str(mail["Subject"])]


@pytest.fixture
def asking_world(tmp_path: Path) -> Iterator[World]:
    """A server that asks before what cannot be undone, where three games run."""
    world = World(tmp_path, limits=0, trust=TrustSettings(level="normal", authserv_ids=("mx.home",)))
    world.started(), world.started("duel"), world.started("wide")
    yield world
    world.database.dispose()


@pytest.mark.parametrize(
    "text",
    ["GAME spring\nPROCESS S1901M\n\nGAME duel\nPROCESS\n\nThanks\nTom", "GAME spring, duel\nPROCESS S1901M"],
)
def test_one_question_is_about_the_commands_of_all_games(asking_world: World, text: str) -> None:
    world = asking_world
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    (asked,) = confirmations(world)
    assert "GAME spring" in body_of(asked)
    assert (world.phase(), world.phase("duel")) == ("S1901M", "S1901M")
    done = text_of(world.send(MASTER, reply_to(asked), "YES", headers=proved(MASTER)))
    assert "spring: S1901M is adjudicated now" in done
    assert "duel: S1901M is adjudicated now" in done
    assert (world.phase(), world.phase("duel"), world.phase("wide")) == ("F1901M", "F1901M", "S1901M")


def test_a_yes_for_several_games_does_nothing_in_one_whose_phase_is_over(asking_world: World) -> None:
    world = asking_world
    world.arrive(MASTER, BASE, "GAME spring\nPROCESS\nGAME duel\nPROCESS", headers=proved(MASTER))
    world.work()
    (asked,) = confirmations(world)
    gm = next(reply_to(mail) for mail in world.mailboxes[MASTER] if str(mail["Subject"]).startswith("[spring] S1901M"))
    world.send(MASTER, gm, "PROCESS S1901M", headers=proved(MASTER))
    answer = text_of(world.send(MASTER, reply_to(asked), "YES", headers=proved(MASTER)))
    assert "The next phase has begun, so it was not done." in answer
    assert (world.phase(), world.phase("duel")) == ("F1901M", "F1901M")


def test_what_needs_no_yes_is_done_at_once_beside_the_question_for_others(asking_world: World) -> None:
    world = asking_world
    text = "GAME spring\nEXTEND 24h\nGAME duel\nEJECT Italy\nGAME wide\nEJECT France\nGAME spring\nPROCESS F1901M"
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    (asked,) = confirmations(world)
    assert "GAME duel EJECT Italy GAME wide EJECT France" in text_of(asked)
    told = text_of(world.last(MASTER))
    assert "24 hours later than before" in told
    assert "F1901M is not being played" in told
    done = text_of(world.send(MASTER, reply_to(asked), "YES", headers=proved(MASTER)))
    assert "duel: Italy is vacant" in done
    assert "wide: France is vacant" in done


@pytest.mark.parametrize(
    "mail",
    [
        "GAME spring, twin, wide\nOFFICIAL\nI am away this weekend.\nENDOFFICIAL",
        "GAME spring\nEXTEND 24h\nGAME twin\nEXTEND 48h",
        "Give spring two more days, and pause twin until 2 December.",
    ],
)
def test_an_unproved_mail_for_several_games_is_confirmed_once(world: World, mail: str) -> None:
    for name in ("spring", "twin", "wide"):
        world.started(name)
    before = len(world.mailboxes[MASTER])
    world.arrive(MASTER, BASE, mail)
    world.work()
    (asked,) = world.mailboxes[MASTER][before:]
    assert str(asked["Subject"]) == "Did you write this?"
    world.arrive(MASTER, reply_to(asked), "YES")
    world.work()
    titles = [str(one["Subject"]) for one in world.mailboxes[MASTER][before + 1 :]]
    assert len(titles) == (3 if "wide" in mail else 2)
    assert not any("Did you write this?" in title or "nothing understood" in title for title in titles)


@pytest.mark.parametrize("to", ["base", "digest", "seat"])
def test_what_is_for_all_games_is_done_once_below_whatever_name_it_stands(world: World, to: str) -> None:
    """Before, each game whose name stood above had it done in all."""
    gm = world.started()["GM"]
    world.started("twin")
    world.send(MASTER, BASE, "DASHBOARD", headers=proved(MASTER))
    address = {"base": BASE, "seat": gm, "digest": reply_to(world.last(MASTER))}[to]
    before = {name: world.game(name).due_at for name in ("spring", "twin")}
    world.arrive(MASTER, address, "GAME spring, twin\nREMIND\nALL GAMES: EXTEND 24h", headers=proved(MASTER))
    world.work()
    for name, due in before.items():
        now = world.game(name).due_at
        assert due is not None
        assert now is not None
        assert now - due == timedelta(days=1), name
    assert sum("reminder" in str(mail["Subject"]) for mail in world.mailboxes[FRANCE]) == 2


@pytest.mark.parametrize(
    ("heading", "games"),
    [
        ("ALL GAMES:", {"spring", "twin"}),
        ("All games", {"spring", "twin"}),
        ("ALL GAMES BUT twin:", {"spring"}),
        ("ALL GAMES twin:", {"twin"}),
        ("ALL GAMES BUT nowhere:", set[str]()),
        ("ALL GAMES nowhere:", set[str]()),
    ],
)
def test_all_games_alone_on_a_line_heads_what_stands_below_it(world: World, heading: str, games: set[str]) -> None:
    world.started(), world.started("twin")
    text = f"{heading}\nSET grace=12h\nOFFICIAL\nI am on a train.\nENDOFFICIAL"
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    assert {name for name in ("spring", "twin") if world.game(name).options.clock.grace} == games
    assert sum("I am on a train." in text_of(mail) for mail in world.mailboxes[FRANCE]) == len(games)


@pytest.mark.parametrize(
    ("heading", "games"),
    [
        ("ALL GAMES: OFFICIAL", {"spring", "twin"}),
        ("ALL GAMES BUT spring: OFFICIAL", {"twin"}),
        ("spring, twin: OFFICIAL", {"spring", "twin"}),
        ("Official for spring and twin:", {"spring", "twin"}),
        ("OFFICIAL in twin", {"twin"}),
        ("OFFICIAL for nowhere", set[str]()),
    ],
)
def test_a_command_with_a_text_names_its_games_on_its_line(world: World, heading: str, games: set[str]) -> None:
    world.started(), world.started("twin")
    world.arrive(MASTER, BASE, f"{heading}\nI am on a train.\nENDOFFICIAL", headers=proved(MASTER))
    world.work()
    told = {name for name in ("spring", "twin") for one in world.mailboxes[FRANCE] if f"[{name}]" in str(one["Subject"])
            and "I am on a train." in text_of(one)}  # fmt: skip
    assert told == games


def test_so_does_one_with_orders_below_it(world: World) -> None:
    world.started(), world.started("twin")
    world.arrive(MASTER, BASE, "ALL GAMES: ORDERS FOR FRANCE\nA PAR-BUR", headers=proved(MASTER))
    world.work()
    assert [len(given.orders) for name in ("spring", "twin") for given in world.game(name).orders.values()] == [1, 1]


def test_all_games_below_others_comes_behind_them(world: World) -> None:
    both(world)
    text = "GAME spring\nSET grace=1h\nALL GAMES: SET grace=6h"
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    assert [world.game(name).options.texts["grace"] for name in ("spring", "twin")] == ["6h", "6h"]


def test_orders_that_are_refused_hold_back_what_ends_all_games_in_theirs(world: World) -> None:
    both(world)
    text = "GAME spring\nORDERS FOR France\nA PAR-ZZZ\nENDORDERS\nALL GAMES: PROCESS"
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    assert (world.game("spring").code, world.game("twin").code) == ("S1901M", "F1901M")
    assert any("PROCESS was not acted on" in text_of(one) for one in world.mailboxes[MASTER])


def test_games_that_are_named_are_ended_together(world: World) -> None:
    both(world)
    refused = text_of(world.send(MASTER, BASE, "ALL GAMES: TERMINATE", headers=proved(MASTER)))
    assert "TERMINATE needs the name of the game" in refused
    with world.trusting():
        world.send(MASTER, BASE, "ALL GAMES spring, twin: TERMINATE", headers=proved(MASTER))
    assert not world.game("spring").running
    assert not world.game("twin").running


@pytest.mark.parametrize(
    ("games", "why", "offered"),
    [
        (" , ", "No game is named before the colon. You run spring and twin.", ""),
        (" BUT", "No game is named before the colon. You run spring and twin.", ""),
        (" tulip", "You run no game 'tulip' that is not over. You run spring and twin.", ""),
        (" sprng", "You run no game 'sprng' that is not over. Did you mean spring?", "spring"),
        (" twin, sprng", "You run no game 'sprng' that is not over. Did you mean spring?", "twin, spring"),
        (" twin, sprng, tulip", "You run no game 'sprng' and 'tulip' that is not over. You run", ""),
    ],
)
def test_a_list_of_games_of_which_one_is_unknown_or_that_is_empty_is_for_none(
    world: World, games: str, why: str, offered: str
) -> None:
    both(world)
    before = [world.game(name).due_at for name in ("spring", "twin")]
    said = text_of(world.send(MASTER, BASE, f"ALL GAMES{games}: EXTEND 24h", headers=proved(MASTER)))
    assert why in said
    assert (f"Reply with YES to do this: ALL GAMES {offered}: EXTEND 24h" in said) == bool(offered)
    assert [world.game(name).due_at for name in ("spring", "twin")] == before


def test_an_unknown_game_in_all_games_below_others_is_named(world: World) -> None:
    both(world)
    text = "GAME spring\nSET grace=1h\nALL GAMES twin, tulip: SET grace=6h"
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    assert any("You run no game 'tulip'" in text_of(one) for one in world.mailboxes[MASTER])
    assert "grace" not in world.game("twin").options.texts or world.game("twin").options.texts["grace"] == "none"


@pytest.mark.parametrize("head", ["GAME twin, {}\n", "ALL GAMES twin, {}: "])
@pytest.mark.parametrize(("other", "near"), [("sprng", "Did you mean spring? "), ("tulip", "")])
def test_a_heading_with_an_unknown_game_is_for_the_others_and_names_it(
    world: World, head: str, other: str, near: str
) -> None:
    both(world)
    text = f"{head.format(other)}OFFICIAL\nHello all.\nENDOFFICIAL"
    before = {who: len(mails) for who, mails in world.mailboxes.items()}
    world.arrive(MASTER, BASE, text, headers=proved(MASTER))
    world.work()
    answers = " ".join(text_of(one) for one in world.mailboxes[MASTER][before[MASTER] :])
    assert f"There is no game '{other}'. {near}LIST shows the games." in answers
    assert "if it is what you mean" not in answers
    told = [str(one["Subject"]) for one in world.mailboxes[player("France")][before[player("France")] :]]
    assert [subject.split()[0] for subject in told] == ["[twin]"]


def test_what_is_below_a_heading_with_an_unknown_game_is_said_to_be_for_the_others(world: World) -> None:
    both(world)
    before = len(world.mailboxes[MASTER])
    world.arrive(MASTER, BASE, "GAME twin, tulip\nEXTEND 24h", headers=proved(MASTER))
    world.work()
    answers = " ".join(text_of(one) for one in world.mailboxes[MASTER][before:])
    assert "It was for 'twin' alone, whose answer says what became of it." in answers
    assert "may be meant for another game" not in answers
    assert "It is 24 hours later than before" in answers


_QUESTIONS = [
    ("Can the fleet in Ankara reach Sevastopol?", "F Ank"),
    ("who plays Zorg?", "Zorg is played by"),
    ("when is the deadline?", "landing: The deadline of W2050L is"),
    ("If two armies go to Burgundy with equal support, who gets it?", "Ruling ST-9"),
]


@pytest.mark.parametrize(("text", "answer"), _QUESTIONS)
def test_a_question_to_the_server_is_answered_for_the_game_that_knows_what_it_names(
    world: World, text: str, answer: str
) -> None:
    turkey, zoe = player("Turkey"), "zoe@example.org"
    world.started()
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE landing variant=the-aliens"))
        for address, power in ((turkey, "Krell"), (zoe, "Zorg"), ("dan@example.org", "Dyer")):
            world.send(address, BASE, f"JOIN landing AS {power}")
        world.send(MASTER, chair, "START landing")
    assert answer in text_of(world.send(turkey, BASE, text, headers=proved(turkey)))


def test_what_is_for_the_next_phase_waits_for_what_ends_this_one(world: World) -> None:
    seats = world.started()
    due = world.game().due_at
    text = "ORDERS FOR France\nA PAR-ZZZ\nENDORDERS\nPROCESS\nEXTEND 24h"
    answer = text_of(world.send(MASTER, seats["GM"], text))
    assert "would be for another phase" in answer
    assert (world.game().code, world.game().due_at) == ("S1901M", due)


def test_a_game_that_is_named_twice_is_one(world: World) -> None:
    both(world)
    due = world.game("spring").due_at
    assert due is not None
    world.arrive(MASTER, BASE, "GAME spring, spring\nEXTEND 1h", headers=proved(MASTER))
    world.work()
    assert world.game("spring").due_at == due + timedelta(hours=1)


@pytest.mark.parametrize("at", ["server", "spring", "twin"])
@pytest.mark.parametrize(
    "text",
    [
        "in spring zieht paris doch nach burgund, sonst alles gleich. in twin marseille nach spanien",
        "In spring Paris goes to Burgundy, and in twin my army in Marseilles goes to Spain",
        "À spring, Paris va en Bourgogne. Dans twin, Marseille va en Espagne.",
    ],
)
def test_what_sentences_order_in_several_games_is_offered_for_each_wherever_it_comes(
    world: World, text: str, at: str
) -> None:
    seats = dict(zip(("spring", "twin"), both(world), strict=True))
    answer = " ".join(text_of(world.send(FRANCE, seats.get(at, BASE), text, headers=proved(FRANCE))).split())
    assert "Reply with YES to send 'GAME spring / A Par-Bur / GAME twin / A Mar-Spa'" in answer
    assert "order this" not in answer
    assert "Not read" not in answer


@pytest.mark.parametrize("at", ["server", "spring"])
def test_that_orders_stay_in_one_game_says_nothing_of_another(world: World, at: str) -> None:
    to = {"spring": both(world)[0]}.get(at, BASE)
    text = "Pour twin : Marseille va en Espagne. Pour spring, tout reste comme avant."
    answer = " ".join(text_of(world.send(FRANCE, to, text, headers=proved(FRANCE))).split())
    assert "Reply with YES to do this: GAME twin / A Mar-Spa do this for twin" in answer
    assert "Not read" not in answer


def test_what_stands_before_the_name_of_another_game_is_for_the_game_of_the_seat(world: World) -> None:
    spring, _ = both(world)
    world.send(FRANCE, spring, "Paris goes to Burgundy, and in twin Marseilles goes to Spain", headers=proved(FRANCE))
    world.arrive(FRANCE, reply_to(world.last(FRANCE)), "YES", headers=proved(FRANCE))
    world.work()
    assert (orders(world, "spring"), orders(world, "twin")) == (["A Par-Bur"], ["A Mar-Spa"])
