"""What answers to a gamemaster say is true of the whole mail, and of whom it is said; one event is told once."""

from __future__ import annotations

from gm.variants.standard import POWERS
from tests.server.world import BASE, World, player, proved, text_of

MASTER = "master@example.org"


def master(world: World, text: str, to: str = BASE) -> str:
    """The answer to an authenticated mail of the gamemaster's."""
    return text_of(world.send(MASTER, to, text, headers=proved(MASTER)))


def test_a_reason_is_said_to_reach_only_a_player_that_there_is(world: World) -> None:
    gm = world.started()["GM"]
    said = master(world, "DUMMY Turkey\nORDERS FOR Turkey\nF ANK-BLA\nBECAUSE nobody plays it", gm)
    assert "Orders of Turkey now in force: F Ank-Bla." in said
    assert "gets your reason" not in said
    assert "nobody plays it" in master(world, "LOG", gm)
    assert "gets your reason" in master(world, "ORDERS FOR France\nA PAR-BUR\nBECAUSE by phone", gm)


def test_what_begins_a_game_is_said_as_start_itself_says_it(world: World) -> None:
    master(world, "CREATE kiel")
    for power in POWERS[:6]:
        world.send(player(power), BASE, f"JOIN kiel AS {power}")
    needs = "1 more must JOIN before START kiel begins it; or SET standins=yes lets stand-ins play the rest."
    assert needs in master(world, "START kiel")
    assert needs in master(world, "GAME kiel\nDUMMY Turkey\nBECAUSE he left")
    assert needs in master(world, "GAME kiel\nDASHBOARD")
    master(world, "GAME kiel\nSET standins=yes")
    assert "kept. START kiel begins it." in master(world, "GAME kiel\nDUMMY Turkey")


def test_what_undo_does_not_undo_names_its_own_opposite(world: World) -> None:
    gm = world.started()["GM"]
    assert "MUSTER, cannot be undone. MUSTER OFF takes it back." in master(world, "MUSTER in 24h\nUNDO", gm)
    master(world, "MUSTER OFF", gm)
    assert "MUSTER, cannot be undone. HELP MUSTER" in master(world, "UNDO", gm)


def test_who_has_not_answered_a_roll_call_is_told_that_it_is_called_off(world: World) -> None:
    seats = world.started()
    master(world, "MUSTER in 24h", seats["GM"])
    world.send(player("France"), seats["France"], "HERE")
    assert "They get your reason: a mistake." in master(world, "MUSTER OFF\nBECAUSE a mistake", seats["GM"])
    told = text_of(world.last(player("Italy")))
    assert "You need not answer now. The reason: a mistake." in told
    assert "You need not" not in text_of(world.last(player("France")))


def test_a_correction_says_whose_orders_it_makes_void(world: World) -> None:
    seats = world.started(options="move=2d early=no")
    master(world, "PROCESS S1901M", seats["GM"])
    corrects = "CORRECT S1901M\nFrance: A PAR-BUR\nBECAUSE it was lost"
    assert "void" not in master(world, corrects, seats["GM"])
    world.send(player("Italy"), seats["Italy"], "A VEN-TYR")
    void = "Orders of Italy for F1901M are void then, and must be sent again."
    assert void in master(world, corrects, seats["GM"])
    world.send(player("Turkey"), seats["Turkey"], "S1901M:\nA SMY-ARM")
    assert void in text_of(world.last(MASTER))
    master(world, corrects.replace("S1901M", "S1901M NOW"), seats["GM"])
    assert "are void; send them again" in text_of(world.last(player("Italy")))
    assert "void" not in text_of(world.last(player("France")))


def test_what_the_same_mail_does_to_the_deadline_is_said_instead_of_what_a_correction_does(world: World) -> None:
    seats = world.started(options="move=2d early=no")
    master(world, "PROCESS S1901M\nEXTEND 24h", seats["GM"])
    assert "F1901M is due Mon 23 Nov 2026, 09:00 UTC, 24 hours later than usual." in text_of(
        world.last(player("France"))
    )
    corrects = "CORRECT S1901M NOW\nFrance: A PAR-BUR\nBECAUSE it was lost\n"
    said = master(world, f"{corrects}EXTEND 24h", seats["GM"])
    assert "keeps its deadline" not in said
    told = text_of(world.last(player("France")))
    assert "F1901M is due Tue 24 Nov 2026, 09:00 UTC instead of Mon 23 Nov 2026, 09:00 UTC." in told
    assert "Sun 22" not in told
    assert "keeps its deadline" not in told
    master(world, corrects.replace("A PAR", "A MAR"), seats["GM"])
    told = text_of(world.last(player("France")))
    assert "F1901M keeps its deadline: Tue 24" in told
    assert "instead of" not in told


def test_a_reason_is_said_once_and_where_it_stands(world: World) -> None:
    gm = world.started(options="move=2d early=no")["GM"]
    said = master(world, "PROCESS S1901M\nEXTEND 24h\nBECAUSE the server was down", gm)
    assert "the server was down" in text_of(world.last(player("France")))
    assert said.count("the server was down") == 1
    assert "Your reason goes with it: the server was down." in said
    said = master(world, "PROCESS F1901M\nPAUSE\nBECAUSE it snows", gm)
    assert said.count("it snows") == 1
    assert "Your reason stands above the results of F1901M: it snows." in said


def test_words_beside_what_lets_the_results_go_stand_above_them(world: World) -> None:
    gm = world.started(options="release=gm early=no")["GM"]
    remark = "REMARK\nHello all.\nENDREMARK\n"
    master(world, "PROCESS S1901M", gm)
    for text in (f"{remark}RELEASE", f"{remark}PROCESS F1901M", f"RELEASE\n{remark}"):
        said = master(world, text, gm)
        assert "Your words stand above the results of" in said
        assert "next report" not in said
    assert "Hello all." in text_of(world.last(player("France")))
    master(world, "PROCESS S1902M", gm)
    master(world, "RELEASE", gm)
    corrects = "CORRECT S1902M NOW\nFrance: A PAR-BUR\nBECAUSE it was lost\n"
    assert "when you have written RELEASE" in master(world, corrects, gm)
    world.work()
    master(world, "RELEASE", gm)
    corrects = corrects.replace("PAR-BUR", "PAR-GAS")
    assert "when you have written RELEASE" not in master(world, f"{corrects}RELEASE", gm)


def test_all_old_values_that_options_replace_are_named(world: World) -> None:
    world.started()
    world.started("mist")
    both = "GAME spring\nSET move=2d\nGAME mist\nSET absence=7d holidays=none"
    world.arrive(MASTER, BASE, both, headers=proved(MASTER))
    world.work()
    said = " ".join(text_of(mail) for mail in world.mailboxes[MASTER][-2:])
    assert "They replace move=3d." in said
    assert "They replace absence=14d." in said


def test_a_scheduled_command_is_told_once_to_each(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "SCHEDULE in 2h: PAUSE UNTIL 22 Nov 18:00", gm)
    for hours, done, said in (
        (2, "PAUSE is done, as scheduled", "The game is paused."),
        (80, "RESUME is done, as scheduled", "The game is resumed."),
    ):
        before, theirs = len(world.mailboxes[MASTER]), len(world.mailboxes[player("France")])
        world.pass_time(hours=hours)
        (mail,) = world.mailboxes[MASTER][before:]
        assert done in str(mail["Subject"])
        assert said in text_of(mail)
        assert len(world.mailboxes[player("France")]) == theirs + 1


def test_a_pause_names_what_is_scheduled_for_it_in_vain(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "SCHEDULE in 2h: REMIND\nSCHEDULE in 3h: EXTEND 24h\nSCHEDULE in 90h: REMIND", gm)
    said = master(world, "PAUSE UNTIL 22 Nov 18:00", gm)
    assert "Scheduled for the pause, and not possible in it: Fri 20 Nov 2026, 11:00 UTC: REMIND." in said


def test_a_pause_where_others_are_scheduled_comes_to_its_end(world: World) -> None:
    gm = world.started()["GM"]
    for line in ("SCHEDULE in 24h: PAUSE", "SCHEDULE in 48h: PAUSE"):
        master(world, line, gm)
    assert "The game is paused." in master(world, "PAUSE", gm)
    master(world, "RESUME", gm)
    world.pass_time(hours=25)
    assert world.game().paused


def test_a_gamemaster_of_a_paused_game_is_told_of_resume(world: World) -> None:
    gm = world.started()["GM"]
    assert "STATUS, EXTEND 24h," in master(world, "STATUS", gm)
    assert "STATUS, RESUME, EXTEND 24h," in master(world, "PAUSE", gm)


def test_to_list_nothing_is_no_fault(world: World) -> None:
    seats = world.started()
    gm = seats["GM"]
    for line in ("NOTE LIST", "SCHEDULE", "PRESS WITH ALL", "PRESS WITH France", "LOG"):
        assert "not acted on" not in master(world, line, gm).lower(), line
    diary = world.send(player("France"), seats["France"], "DIARY LIST")
    assert "not acted on" not in text_of(diary).lower()


def test_orders_that_are_kept_as_late_are_said_to_be_and_counted_as_late(world: World) -> None:
    seats = world.started(options="move=2d early=no")
    world.pass_time(days=8)
    answer = world.send(player("France"), seats["France"], "S1901M:\nA PAR-BUR\nA MAR H\nF BRE H")
    assert "F1901M: your orders for S1901M came late and are kept" in str(answer["Subject"])
    assert "not acted on" not in str(answer["Subject"])
    master(world, "ACCEPT LATE France", seats["GM"])
    assert "Pat France 1 late of 1" in text_of(world.send(player("Italy"), seats["Italy"], "STATUS"))


def test_whose_orders_are_late_is_told_to_a_gamemaster_who_may_know_it(world: World) -> None:
    seats = world.started(options="grace=12h early=no")
    for power in POWERS[:5]:
        world.send(player(power), seats[power], "READY")
    world.pass_time(days=7, minutes=1)
    late = text_of(world.last(MASTER))
    assert f"orders of {POWERS[5]} and {POWERS[6]} are late" in late
    assert "orders of two powers are late" in text_of(world.last(player(POWERS[0])))


def test_who_moves_a_deadline_is_named_by_their_rights(world: World) -> None:
    seats = world.started()
    world.promotes(MASTER, seats["GM"], "PROMOTE helen@example.net AS ASSISTANT", headers=proved(MASTER))
    seat = next(str(mail["Reply-To"]) for mail in reversed(world.mailboxes["helen@example.net"]))
    world.send("helen@example.net", seat, "EXTEND 24h", headers=proved("helen@example.net"))
    assert "An assistant gamemaster has moved the deadline" in text_of(world.last(player("France")))
