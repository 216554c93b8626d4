"""A gamemaster's command that is written as a sentence is done at once only if nothing else in the mail may belong to
it; otherwise one question is about all of it.
"""

from __future__ import annotations

import pytest

from gm.parsing.own_sentences import depends, stands_alone
from tests.server.world import BASE, World, proved, text_of

MASTER = "master@example.org"


def master(world: World, text: str, to: str = BASE) -> str:
    """The answer to an authenticated mail of the gamemaster's, who confirms nothing."""
    before = len(world.mailboxes.get(MASTER, ()))
    world.arrive(MASTER, to, text, headers=proved(MASTER))
    world.work()
    return " ".join(text_of(mail) for mail in world.mailboxes[MASTER][before:])


@pytest.mark.parametrize(
    "text",
    [
        "The mail server was down.",
        "because Ann is on holiday",
        "Thanks!",
        "Have a nice week, all of you!",
        "Yours, Kim",
        "J. Doe",
        "Is autumn still waiting for orders?",
        "Rolf asked for two days.",
    ],
)
def test_what_says_something_of_its_own_stands_alone(text: str) -> None:
    assert stands_alone(text, ("autumn",))


@pytest.mark.parametrize(
    "text",
    [
        "But only if they have sent nothing.",
        "Let the bots play.",
        "A word to all: thanks for playing.",
        "with four days per move",
        "Then pause.",
        "Autumn as well.",
        "Not before Monday!",
        "Only until Friday, please",
    ],
)
def test_what_may_belong_to_a_command_does_not(text: str) -> None:
    assert not stands_alone(text, ("autumn",))


def test_what_depends_is_known_by_how_it_begins_or_ends() -> None:
    assert depends("But only if he agrees")
    assert depends("and until a new player is found")
    assert depends("give Italy one more hour first")
    assert not depends("The first phase was long")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Create a game called otter. Let stand-ins play.", ["CREATE otter standins=yes"]),
        ("create wolf\nwith four days per move and no press", ["CREATE wolf press=none move=4d"]),
        (
            "Terminate spring please.\nA message for all: thanks for playing.",
            ["REMARK / thanks for playing. / ENDREMARK / TERMINATE spring"],
        ),
        (
            "Draw spring France, Italy. Publish my remark: well played",
            ["REMARK / well played / ENDREMARK / DRAW spring France, Italy"],
        ),
        ("extend spring by 2 days. Twin as well.", ["ALL GAMES: EXTEND 2 days"]),
        ("Terminate twin. And spring too.", ["GAME twin / TERMINATE twin / GAME spring / TERMINATE spring"]),
    ],
)
def test_a_command_in_words_waits_for_what_belongs_to_it(world: World, text: str, lines: list[str]) -> None:
    world.started(), world.started("twin")
    due = world.game().due_at
    answer = master(world, text)
    for line in lines:
        assert f"send {line}." in answer
    assert "Or reply with YES" in answer
    assert world.game().due_at == due


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("process. Then pause until Monday.", ["PROCESS S1901M", "PAUSE UNTIL 2026-11-23"]),
        ("dummy England\nthen process", ["DUMMY England", "PROCESS S1901M"]),
        ("Go on without England. Process S1901M.", ["DUMMY England", "PROCESS S1901M"]),
        ("Write Turkey a reminder. Also extend by 12 hours.", ["PRESS TO Turkey", "EXTEND 12 hours"]),
        (
            "extend 24h\nand tell everybody that the server was down",
            ["OFFICIAL / the server was down", "EXTEND 24h"],
        ),
    ],
)
def test_one_yes_does_all_that_a_mail_wants_of_a_game(world: World, text: str, lines: list[str]) -> None:
    gm = world.started()["GM"]
    answer = master(world, text, gm)
    for line in lines:
        assert f"send {line}" in answer
    assert "Or reply with YES, which does both" in answer
    assert world.phase() == "S1901M"


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("Eject Italy. But only if they have sent nothing.", "But only if they have sent nothing."),
        ("Process S1901M\nbut give Italy one more hour first", "But give Italy one more hour first"),
        ("process. But give Turkey time until noon.", "But give Turkey time until noon."),
        ("Entfernt Italien bitte aus dem Spiel. Aber erst morgen.", "Aber erst morgen."),
        ("Extend by a day. What I tell them: the mail server slept.", "What I tell them: the mail server slept."),
    ],
)
def test_what_limits_a_command_is_left_out_of_no_yes(world: World, text: str, left_out: str) -> None:
    gm = world.started()["GM"]
    answer = master(world, text, gm)
    assert left_out in answer
    assert "reply with YES" not in answer
    assert world.phase() == "S1901M"
    assert all(seat.person is not None for seat in world.game().players)


@pytest.mark.parametrize(
    "text",
    [
        "Hi,\nextend 24h\nHappy holidays to everybody!\nKim",
        "extend 24h\nItaly's mail server is down",
        "Extend by 24 hours please. He told me that he is ill.",
        "EXTEND 24h\nThat will do. And now to something else.",
    ],
)
def test_a_command_beside_sentences_of_their_own_is_done_at_once(world: World, text: str) -> None:
    gm = world.started()["GM"]
    due = world.game().due_at
    answer = master(world, text, gm)
    assert "answer is needed" not in answer
    assert world.game().due_at != due


def test_a_day_that_is_said_is_not_some_time(world: World) -> None:
    """24 hours are also what is offered where no time is said."""
    gm = world.started()["GM"]
    answer = master(world, "Please extend by 24h and tell everybody that the server was down", gm)
    assert "send EXTEND 24h." in answer
    assert "which does both" in answer


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("what is the grace period in spring?", "spring has grace=none."),
        ("is press allowed?", "spring has press=white."),
        ("Do stand-ins play?", "spring has standins=no."),
        ("how long are retreats?", "spring has retreat=1d."),
        ("May players concede?", "spring has concede=yes."),
        ("Are draws allowed here?", "spring has draw=dias."),
        ("how many extensions do players have?", "spring has extensions=none."),
    ],
)
def test_a_question_about_an_option_gets_its_value(world: World, text: str, value: str) -> None:
    gm = world.started()["GM"]
    for to in (gm, BASE) if "spring" in text else (gm,):
        answer = master(world, text, to)
        assert value in answer
        assert "To change it, write SET " in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Motions should be none.", "SET motions=none"),
        ("no draws in this game, please", "SET draw=none"),
        ("Please set the draw option to listed", "SET draw=listed"),
    ],
)
def test_an_option_is_set_by_its_name_and_value_in_a_sentence(world: World, text: str, line: str) -> None:
    assert f"send {line}. Or reply with YES." in master(world, text, world.started()["GM"])


def test_a_length_of_time_that_an_option_has_is_no_others(world: World) -> None:
    answer = master(world, "set grace=12h\nand remind everybody", world.started()["GM"])
    assert "send SET grace=12h." in answer
    assert "A reminder goes to" in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("extend it to Easter Monday please", "DEADLINE Mon 29 Mar 2027 09:00"),
        ("Please pause over Christmas", "SET holidays=2026-12-24..2026-12-26"),
        ("pause spring until after New Year", "PAUSE UNTIL 2027-01-02"),
        ("Bitte das Spiel bis nach Neujahr anhalten.", "PAUSE UNTIL 2027-01-02"),
        ("Please stop the clock until Good Friday", "PAUSE UNTIL 2027-03-26"),
        ("Move the deadline to Christmas Eve 18:00", "DEADLINE Thu 24 Dec 2026 18:00"),
    ],
)
def test_a_feast_is_a_date(world: World, text: str, line: str) -> None:
    answer = master(world, text, world.started()["GM"])
    assert f"send {line}." in answer
    assert "Or reply with YES." in answer


def test_a_command_takes_a_feast_for_its_day(world: World) -> None:
    gm = world.started()["GM"]
    assert "is now Mon 29 Mar 2027, 20:00 UTC" in master(world, "EXTEND UNTIL Easter Monday 20:00", gm)


@pytest.mark.parametrize("when", ["until Thanksgiving", "until the end of the year"])
def test_a_time_that_is_not_known_is_left_out_of_no_yes(world: World, when: str) -> None:
    answer = master(world, f"Please stop the clock {when}", world.started()["GM"])
    assert f"send PAUSE. It leaves out '{when}'." in answer
    assert "reply with YES" not in answer


def test_a_player_who_is_away_for_some_days_is_not_offered_to_be_ejected(world: World) -> None:
    answer = master(world, "Italy is away from 3 to 9 March", world.started()["GM"])
    assert "They write ABSENCE 2027-03-03 TO 2027-03-09" in answer
    assert "SET holidays=+2027-03-03..2027-03-09" in answer
    assert "EJECT" not in answer


def test_a_command_for_all_games_that_takes_a_text_is_refused_with_how_it_is_written(world: World) -> None:
    world.started(), world.started("twin")
    answer = master(world, "ALL GAMES: correct S1901M")
    assert "CORRECT has lines below it, and ALL GAMES takes one line. Nothing was done." in answer
    assert (
        "Write a line GAME spring, twin for all of these, or GAME spring for one, and below it CORRECT F1901M" in answer
    )


def test_both_stands_for_the_games_in_which_it_can_be_done(world: World) -> None:
    world.started(), world.started("twin")
    answer = master(world, "process both")
    assert "ALL GAMES spring, twin: process" in answer
    assert "GAME twin / process" in answer
    assert "process both spring" not in answer
