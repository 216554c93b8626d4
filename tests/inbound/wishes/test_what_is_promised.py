"""What an answer promises the gamemaster holds: held results can be corrected, an ended game goes on where it was, and
nothing that a mail wishes is lost.
"""

from __future__ import annotations

import pytest

from tests.server.world import BASE, World, player, proved, reply_to, text_of

MASTER = "master@example.org"


def master(world: World, text: str, to: str = BASE) -> str:
    """The answer to an authenticated mail of the gamemaster's."""
    return text_of(world.send(MASTER, to, text, headers=proved(MASTER)))


def held(world: World) -> str:
    """The gamemaster's address of a game whose first results wait for their release."""
    seats = world.started(options="release=gm")
    world.send(player("France"), seats["France"], "A PAR-BUR")
    world.pass_time(days=8)
    return seats["GM"]


def test_held_results_are_corrected_before_anybody_sees_them(world: World) -> None:
    gm = held(world)
    before = len(world.mailboxes[player("Germany")])
    trial = master(world, "CORRECT S1901M\nORDERS FOR FRANCE\nA PAR-GAS\nBECAUSE I typed it wrongly", gm)
    assert "On trial; nothing is changed yet." in trial
    assert "France: A Par-Gas; before: A Par-Bur" in trial
    assert "The results are held until you write RELEASE." in master(world, "YES", gm)
    assert len(world.mailboxes[player("Germany")]) == before, "nobody else hears of it before its release"
    master(world, "RELEASE S1901M", gm)
    report = text_of(world.last(player("Germany")))
    assert "Before this report the gamemaster has corrected its orders: I typed it wrongly." in report
    assert "Army Paris -> Gascony" in report
    assert "replaced" not in str(world.last(player("Germany"))["Subject"])


def test_a_game_that_was_ended_goes_on_where_it_was_with_the_orders_that_were_sent(world: World) -> None:
    seats = world.started()
    world.pass_time(days=7, hours=1)
    world.pass_time(hours=2)
    world.send(player("France"), seats["France"], "A PAR-BUR")
    master(world, "DRAW spring", seats["GM"])
    assert "ROLLBACK F1901M has it go on." in master(world, "UNDO", seats["GM"])
    assert "send ROLLBACK F1901M" in master(world, "Oh dear, please take the draw back.", seats["GM"])
    assert "F1901M is played again, with the orders that were given for it." in master(world, "YES", seats["GM"])
    assert "A Par-Bur" in text_of(world.send(player("France"), seats["France"], "MY ORDERS"))


def test_what_was_ended_is_not_done_in_another_game(world: World) -> None:
    gm = world.started()["GM"]
    world.started("twin")
    master(world, "TERMINATE spring", gm)
    said = master(world, "Please pause spring until 12 December.")
    assert "spring is over" in said
    assert "twin" not in said


def test_a_rollback_that_is_adjudicated_at_once_is_told_by_its_report_alone(world: World) -> None:
    gm = world.started()["GM"]
    world.pass_time(days=7, hours=3)
    before = len(world.mailboxes[player("Italy")])
    said = master(world, "ROLLBACK S1901M\nORDERS FOR FRANCE\nA PAR-BUR\nPROCESS S1901M\nBECAUSE it was lost", gm)
    assert "undo the rollback" not in said
    mails = [text_of(mail) for mail in world.mailboxes[player("Italy")][before:]]
    assert len(mails) == 1
    assert "ended the phase before its deadline" not in mails[0]
    assert "S1901M was played again: it was lost." in mails[0]


def test_a_deadline_below_process_and_a_text_is_for_the_phase_after_it(world: World) -> None:
    gm = world.started()["GM"]
    said = master(world, "PROCESS S1901M\nREMARK\nA fast start\nENDREMARK\nEXTEND 24h", gm)
    assert "EXTEND 24h is for the phase after S1901M" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Withdraw his invitation, let the computer play Turkey, and remind the others please.",
            ("It leaves out 'Withdraw his invitation'.", "A mere YES does none of this"),
        ),
        (
            "Ask paul@example.net and rita@example.net whether one of them wants Turkey, and the computer plays it "
            "until one of them says yes.",
            (
                "REPLACE Turkey WITH paul@example.net / REPLACE Turkey WITH rita@example.net",
                "EJECT Turkey / STANDIN Turkey",
                "YES, which does both",
            ),
        ),
        (
            "Please extend by two days, since the server was down.",
            ("send EXTEND two days / BECAUSE the server was down. Or reply with YES.",),
        ),
        (
            "Please extend by one day, because Gerda asked so nicely.",
            ("All players get your reason: Gerda asked so nicely.",),
        ),
        (
            "olaf@example.net shall look after this game. He must not see any orders.",
            ("PROMOTE olaf@example.net AS ASSISTANT",),
        ),
    ],
)
def test_nothing_of_a_wish_is_lost(world: World, text: str, said: tuple[str, ...]) -> None:
    answer = master(world, text, world.started()["GM"])
    assert all(one in answer for one in said), answer


def test_what_stands_below_a_sentence_about_a_game_is_about_it(world: World) -> None:
    held(world)
    world.started("twin")
    said = master(
        world, "Please send the results of spring out.\nAnd their fall orders are due on 12 December at 20:00."
    )
    assert "send RELEASE S1901M" in said
    assert "DEADLINE Sat 12 Dec 2026 20:00" in said
    assert "YES, which does both" in said


def test_a_paused_game_goes_on_with_a_deadline_of_its_own(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "PAUSE", gm)
    assert "YES, which does both" in master(world, "Please resume the game and set the deadline to 12 December.", gm)


def test_whom_a_power_is_given_to_reads_how_it_stands_and_its_giver_who_else_was_asked(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "REPLACE France WITH ann@example.net", gm)
    said = master(world, "REPLACE France WITH bob@example.net", gm)
    assert "ann@example.net has been asked before, and not answered: whoever says YES first plays it." in said
    asked = text_of(world.last("bob@example.net"))
    assert "Being played is Spring 1901 movement (S1901M), due" in asked
    assert "France has F Bre, A Mar, A Par." in asked


def test_who_was_ejected_is_asked_again_by_name(world: World) -> None:
    gm = world.started()["GM"]
    said = master(world, "EJECT France", gm)
    assert f"REPLACE France WITH {player('France')} asks them later." in said
    again = master(world, "Please give France back to its player.", gm)
    assert f"send REPLACE France WITH {player('France')}. Or reply with YES." in again


def test_one_of_the_proposed_lists_is_changed_by_what_is_said(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=the-aliens early=no"))
    for name in ("Krell", "Zorg"):
        world.send(player(name), BASE, f"JOIN spring AS {name}")
    world.send(MASTER, chair, "START spring")
    seat = reply_to(world.last(player("Krell")))
    world.send(player("Krell"), seat, "SHIP 1: Par, Gas, Mar\nSHIP 2: Spa, Por, Gas")
    for text, line in (
        ("add mar + pie at the end of the 2nd ships list", "SHIP 2: Spa, Por, Gas, Mar, Pie"),
        ("the first one without gas please", "SHIP 1: Par, Mar"),
        ("make the first one par bur bre, no pic", "SHIP 1: Par, Bur, Bre order"),
    ):
        assert line in text_of(world.send(player("Krell"), seat, text))


def test_an_address_above_a_line_with_an_hour_is_no_letter_of_somebody_else(world: World) -> None:
    guests = "eve@example.net\nfay@example.net\n"
    said = master(world, f"CREATE one release=gm\n{guests}CREATE two move=3d at=18:00\ngus@example.net AS England")
    assert "fay@example.net is invited to one" in said
    assert "gus@example.net is invited to two as England" in said


def test_when_orders_came_is_told_and_whose_are_missing(world: World) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], "A PAR-BUR")
    said = master(world, "When did the orders of France and England come in?", seats["GM"])
    assert "France: Fri 20 Nov, 09:00." in said
    assert "England: none came." in said
    processed = master(world, "PROCESS S1901M", seats["GM"])
    assert (
        "Those of Austria, England, France, Germany, Italy, Russia and Turkey are missing or incomplete." in processed
    )


def test_orders_in_words_are_corrected(world: World) -> None:
    text = "France's army in Paris should have gone to Gascony instead of Burgundy. Please correct S1901M."
    assert "CORRECT S1901M NOW / France: A Par-Gas" in master(world, text, held(world))
