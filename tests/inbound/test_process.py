"""PROCESS in a mail with orders: what it is for, and when it is held back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gm.orders.notation import write
from tests.server.world import World, player, reply_to, text_of

MASTER = "master@example.org"
FRANCE = player("France")


@pytest.fixture
def seats(world: World) -> dict[str, str]:
    return world.started()


def said(world: World, seats: dict[str, str], text: str) -> str:
    """The answer to a gamemaster's new mail."""
    answer = world.send(MASTER, seats["GM"], text, headers={"In-Reply-To": ""})
    return " ".join(text_of(answer).split())


def test_who_names_the_phase_is_not_asked_which_one_is_meant(world: World, seats: dict[str, str]) -> None:
    said(world, seats, "PROCESS S1901M")
    world.pass_time(minutes=5)
    answer = said(world, seats, "ORDERS FOR Turkey\nA BUL-GRE\nA CON-BUL\nPROCESS F1901M")
    assert "Your mail may be for S1901M" not in answer
    assert world.phase() == "F1901M"
    assert "PROCESS was not acted on, because this part of your mail was not: 'A BUL-GRE'" in answer
    answer = said(world, seats, "ORDERS FOR Turkey\nA CON-BUL\nPROCESS F1901M")
    assert answer.count("F1901M is adjudicated now") == 1, "where the seat stands does not say it again"
    assert world.phase() != "F1901M"


@pytest.mark.parametrize("wrong", ["ORDERS FOR France\nA PRA-BUR", "ORDRES FOR France\nA PAR-BUR", "A PRA-BUR"])
@pytest.mark.parametrize("process", ["{wrong}\nPROCESS", "PROCESS\n{wrong}", "{wrong}\n\nALL GAMES: PROCESS"])
def test_it_is_held_back_by_orders_that_are_not_acted_on(
    world: World, seats: dict[str, str], wrong: str, process: str
) -> None:
    answer = said(world, seats, process.format(wrong=wrong))
    assert "was not acted on, because" in answer
    assert world.phase() == "S1901M"
    said(world, seats, "I think that Paris is lovely.\nPROCESS")
    assert world.phase() == "F1901M"


HEADINGS = {
    "ORDERS FOR France\nA PAR-BUR\nORDRES FOR Germany\nF BRE-MAO": ("F Bre-Mao", "France"),
    "ORDERS FOR France\nA PAR-BUR\nREDAY\nF BRE-MAO": ("F Bre-Mao", "France"),
    "ORDRES FOR Germany\nA MUN-RUH": ("A Mun-Ruh", "Germany"),
}


@pytest.mark.parametrize("text", HEADINGS)
def test_what_is_below_a_misspelt_heading_is_not_for_the_one_above(
    world: World, seats: dict[str, str], text: str
) -> None:
    order, power = HEADINGS[text]
    answer = said(world, seats, text)
    assert text.splitlines()[-1] in answer
    assert "REDAY" in text or "Did you mean ORDERS FOR?" in answer
    assert order not in ordered(world, power)


def ordered(world: World, power: str) -> list[str]:
    game = world.game()
    return [write(order) for seat in game.players if seat.power == power for order in game.orders_of(seat)]


@pytest.mark.parametrize("opener", ["PHSE F1901M", "WHAATIF"])
def test_what_is_below_an_opener_that_is_misspelt_does_not_count_now(
    world: World, seats: dict[str, str], opener: str
) -> None:
    answer = text_of(world.send(FRANCE, seats["France"], f"F BRE-MAO\n\n{opener}\nA PAR-BUR"))
    assert ordered(world, "France") == ["F Bre-Mao"]
    assert "A PAR-BUR" in answer


def test_what_is_scheduled_has_its_options_on_the_line(world: World, seats: dict[str, str]) -> None:
    assert "'SET' says nothing to be done then." in said(world, seats, "SCHEDULE in 2h: SET\nmove=2d")
    assert "SET move=2d" in said(world, seats, "SCHEDULE in 2h: SET move=2d")
    assert "says nothing" not in said(world, seats, "SCHEDULE in 2h: EXTEND")


def test_it_keeps_its_place_above_options(world: World, seats: dict[str, str]) -> None:
    answer = said(world, seats, "PROCESS\nSET\nmove=2d")
    assert 0 < answer.find("is adjudicated now") < answer.find("options are now: move=2d")


CORRECTION = "CORRECT S1901M NOW\nORDERS FOR France\nA PAR-BUR\nBECAUSE it was lost\n\n"


@pytest.mark.parametrize("line", ["EXTEND 24h", "DEADLINE 2026-11-30 18:00", "PAUSE"])
@pytest.mark.parametrize("ends", [CORRECTION, "PROCESS F1901M\n"])
def test_what_moves_a_deadline_is_for_the_phase_after_the_one_that_the_same_mail_ends(
    world: World, seats: dict[str, str], ends: str, line: str
) -> None:
    said(world, seats, "PROCESS S1901M")
    answer = said(world, seats, ends + line)
    ended = ends.split()[1]
    assert f"{line} is for the phase after {ended}: it is done when that begins" in answer
    assert f"{ended} is adjudicated again" in answer or f"{ended} is adjudicated now, with the orders" in answer
    world.work()
    assert world.phase() == ("F1901M" if "CORRECT" in ends else "S1902M")
    game, mails = world.game(), " ".join(text_of(mail) for mail in world.mailboxes["master@example.org"][-3:])
    assert f"Done now, as you wrote for {world.phase()}: {line}" in mails
    assert game.paused is (line == "PAUSE")
    if line.startswith("DEADLINE"):
        assert f"{game.due_at:%Y-%m-%d %H:%M}" == "2026-11-30 18:00"
    elif line.startswith("EXTEND"):
        assert ("instead of" if "CORRECT" in ends else "24 hours later than usual") in mails


def test_results_that_wait_for_their_release_have_a_phase_after_them_once_they_are_released(world: World) -> None:
    seats = world.started(options="release=gm")
    answer = said(world, seats, "PROCESS S1901M\nEXTEND 24h")
    assert "This was not done, because S1901M is adjudicated now. For the phase after it" in answer
    world.work()
    answer = said(world, seats, "RELEASE S1901M\nEXTEND 24h")
    assert "EXTEND 24h is for the phase after S1901M: it is done when that begins" in answer
    world.work()
    mails = " ".join(text_of(mail) for mail in world.mailboxes["master@example.org"][-3:])
    assert "24 hours later than usual" in mails
    assert world.phase() == "F1901M"


@pytest.mark.parametrize("ends", ["PROCESS S1901M", "RELEASE S1901M"])
def test_no_deadline_is_told_that_has_passed(world: World, ends: str) -> None:
    release = ends.startswith("RELEASE")
    seats = world.started(options="release=gm" if release else "")
    if release:
        said(world, seats, "PROCESS S1901M")
    before = len(world.mailboxes[FRANCE])
    said(world, seats, f"{ends}\nEJECT Austria\nSTANDIN Austria")
    told = [text_of(mail) for mail in world.mailboxes[FRANCE][before:]]
    assert any("A stand-in player plays Austria" in one for one in told)
    assert not any("The deadline is" in one or "Orders are closed; the results come" in one for one in told)


def test_a_correction_says_that_it_ends_a_pause(world: World, seats: dict[str, str]) -> None:
    said(world, seats, "PROCESS S1901M")
    said(world, seats, "PAUSE")
    assert "The game was paused and goes on" in said(world, seats, CORRECTION)


def test_what_stands_below_a_line_that_waits_for_its_yes_waits_with_it(world_at_level: World) -> None:
    world = world_at_level
    seats = world.started()
    master = "master@example.org"
    before = len(world.mailboxes[master])
    world.arrive(master, seats["GM"], "PROCESS S1901M\nPAUSE", headers={"Authentication-Results": ""})
    world.work()
    asked = [mail for mail in world.mailboxes[master][before:] if "+confirm." in reply_to(mail)]
    assert world.game().paused is (not asked)
    if asked:
        assert "PAUSE" in text_of(asked[0])
        world.arrive(master, reply_to(asked[0]), "YES")
        world.work()
    assert (world.phase(), world.game().paused) == ("F1901M", True)


def test_what_is_scheduled_for_the_next_phase_is_in_its_first_report_alone(world: World, seats: dict[str, str]) -> None:
    assert "Scheduled for the next phase: EXTEND 24h" in said(world, seats, "SCHEDULE for the next phase: EXTEND 24h")
    assert "is scheduled for the next phase already" in said(world, seats, "SCHEDULE next phase EXTEND 24h")
    assert "Scheduled: The next phase: EXTEND 24h" in said(world, seats, "DASHBOARD")
    before = len(world.mailboxes[player("Italy")])
    world.pass_time(days=8)
    phase = next(
        mail for mail in world.mailboxes["master@example.org"] if "EXTEND is done for F1901M" in mail["Subject"]
    )
    assert "Done now, as you wrote for F1901M: EXTEND 24h" in text_of(phase)
    assert "The first report of the phase says so." in text_of(phase)
    told = [str(mail["Subject"]) for mail in world.mailboxes[player("Italy")][before:]]
    assert not [one for one in told if "deadline" in one.lower()]
    game = world.game()
    assert game.due_at == game.present.opened_at + timedelta(days=4)


def test_what_would_end_the_next_phase_as_it_begins_is_refused(world: World, seats: dict[str, str]) -> None:
    assert "'PROCESS' is not done as a phase begins." in said(world, seats, "SCHEDULE next phase: PROCESS")


def test_what_is_for_the_next_phase_is_taken_back(world: World, seats: dict[str, str]) -> None:
    said(world, seats, "SCHEDULE next phase: PAUSE")
    assert "Nothing is scheduled in spring any more." in said(world, seats, "SCHEDULE NONE")
    assert "Scheduled again: PAUSE." in said(world, seats, "UNDO")
    said(world, seats, "PROCESS S1901M")
    world.work()
    assert world.game().paused


def of_master(world: World) -> str:
    """The gamemaster's newest mails."""
    return " ".join(" ".join(text_of(mail).split()) for mail in world.mailboxes[MASTER][-3:])


NEXT = "SCHEDULE next phase: {line}{why}"
BELOW = "PROCESS S1901M\nBECAUSE a\n{line}{why}"


@pytest.mark.parametrize("why", ["", "\nBECAUSE my moving day"])
@pytest.mark.parametrize(
    ("line", "differs"),
    [
        ("EXTEND 48h", "is due Tue 24 Nov 2026, 09:00 UTC, 2 days later than usual"),
        ("DEADLINE in 24h", "is due Sat 21 Nov 2026, 09:00 UTC, 24 hours earlier than usual"),
    ],
)
@pytest.mark.parametrize("text", [NEXT, BELOW])
def test_the_first_report_of_a_phase_says_how_its_deadline_differs_and_why(
    world: World, text: str, line: str, differs: str, why: str
) -> None:
    seats = world.started(options="move=2d early=no")
    before = len(world.mailboxes[FRANCE])
    assert "Nobody was told" not in said(world, seats, text.format(line=line, why=why))
    said(world, seats, "PROCESS S1901M") if text is NEXT else world.work()
    (report,) = world.mailboxes[FRANCE][before:]
    assert f"F1901M {differs}{': my moving day' if why else ''}." in text_of(report)
    assert ("The gamemaster's reason: A." in text_of(report)) == (text is BELOW)
    assert "The first report of the phase says so." in of_master(world)
    assert ("With it all players get your reason: my moving day." in of_master(world)) == bool(why)


def test_a_reason_that_several_commands_share_stands_once_above_the_results(
    world: World, seats: dict[str, str]
) -> None:
    said(world, seats, "PROCESS S1901M\nEXTEND 24h\nBECAUSE the server was down")
    assert text_of(world.last(FRANCE)).lower().count("the server was down") == 1


def test_what_is_for_a_phase_without_a_deadline_gives_it_one_and_says_so(world: World) -> None:
    seats = world.started(options="deadlines=no early=no")
    said(world, seats, "SCHEDULE next phase: DEADLINE in 2 days\nBECAUSE we want to go on")
    said(world, seats, "PROCESS S1901M")
    assert "F1901M is due Sun 22 Nov 2026, 09:00 UTC: we want to go on." in text_of(world.last(FRANCE))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("SCHEDULE in 2h: EXTEND 24h", "(Fri 27 Nov 2026, 09:00 UTC). The reason: it snows."),
        ("SCHEDULE in 2h: PAUSE", "The reason: it snows."),
        ("SCHEDULE in 2h: PROCESS", "The gamemaster's reason: It snows."),
        ("SCHEDULE next phase: PAUSE", "The game is paused until it is resumed: it snows."),
    ],
)
def test_what_is_scheduled_tells_its_reason_when_it_is_run(
    world: World, seats: dict[str, str], line: str, told: str
) -> None:
    assert "because it snows" in said(world, seats, f"{line}\nBECAUSE it snows")
    assert "because it snows" in said(world, seats, "SCHEDULE")
    world.pass_time(hours=2)
    if "next" in line:
        said(world, seats, "PROCESS S1901M")
    assert any(told in text_of(mail) for mail in world.mailboxes[FRANCE])


def test_a_command_is_scheduled_once_for_the_next_phase_whatever_its_reason(
    world: World, seats: dict[str, str]
) -> None:
    said(world, seats, "SCHEDULE next phase: EXTEND 24h")
    answer = said(world, seats, "SCHEDULE next phase: EXTEND 24h\nBECAUSE it snows")
    assert "EXTEND 24h is scheduled for the next phase already." in answer
    assert "Nobody was told your reason: it snows." in answer


def test_a_pause_that_ended_is_not_ended_again_for_another_reason(world: World, seats: dict[str, str]) -> None:
    said(world, seats, "PAUSE")
    said(world, seats, "SCHEDULE in 2h: RESUME\nBECAUSE it snows")
    said(world, seats, "RESUME")
    world.pass_time(hours=2)
    assert "Your scheduled command failed" not in of_master(world)


def test_what_a_scheduled_comment_says_behind_because_is_no_reason(world: World, seats: dict[str, str]) -> None:
    said(world, seats, "SCHEDULE in 2h: COMMENT slow because it snows")
    world.pass_time(hours=2)
    assert world.game().comment == "slow because it snows"


CORRECTS = "CORRECT S1901M NOW\nGermany: A MUN-TYR\nBECAUSE it was lost"


@pytest.mark.parametrize("text", [NEXT, BELOW])
def test_the_report_of_a_phase_that_is_played_again_says_that_the_next_one_still_has_more_time(
    world: World, text: str
) -> None:
    seats = world.started(options="move=2d early=no")
    said(world, seats, text.format(line="EXTEND 48h", why="\nBECAUSE my moving day"))
    for line in ("PROCESS S1901M", "ROLLBACK S1901M\nBECAUSE a mail was lost", "PROCESS S1901M", CORRECTS):
        if line != "PROCESS S1901M" or world.phase() == "S1901M":
            said(world, seats, line)
        told = text_of(world.last(FRANCE))
        stays = "set back" in str(world.last(FRANCE)["Subject"])
        due = "keeps its deadline: Tue 24" if line is CORRECTS else "is due Tue 24 Nov 2026, 09:00 UTC, 2 days later"
        assert stays or f"F1901M {due}" in told
        assert stays or ("than usual: my moving day." in told) == (line is not CORRECTS)
    until = world.game().due_at
    assert until is not None
    assert until - world.time == timedelta(days=4)


@pytest.mark.parametrize(
    ("again", "sum_of_both"),
    [("", "24 hours"), ("EXTEND 24h", "24 hours"), ("EXTEND 12h", "24 hours"), ("EXTEND 48h", "2 days")],
)
def test_more_time_for_a_phase_that_comes_again_counts_from_the_usual_time_and_is_told_once(
    world: World, again: str, sum_of_both: str
) -> None:
    seats = world.started(options="move=2d early=no")
    said(world, seats, "SCHEDULE next phase: EXTEND 24h\nBECAUSE the school concert")
    said(world, seats, "PROCESS S1901M")
    for _ in range(2):
        said(world, seats, "ROLLBACK S1901M")
        if again:
            said(world, seats, f"SCHEDULE next phase: {again}\nBECAUSE the concert")
        said(world, seats, "PROCESS S1901M")
        told = text_of(world.last(FRANCE))
        assert told.count("F1901M is due") == 1
        assert f", {sum_of_both} later than usual: the {'concert' if again else 'school concert'}." in told
    due = world.game().due_at
    assert due is not None
    assert due - world.time == timedelta(days=4 if again == "EXTEND 48h" else 3)


def test_what_is_scheduled_for_one_phase_adds_up_and_is_told_once(world: World) -> None:
    seats = world.started(options="move=2d early=no")
    for line in ("EXTEND 24h", "EXTEND 12h"):
        said(world, seats, f"SCHEDULE next phase: {line}")
    said(world, seats, "PROCESS S1901M")
    due = world.game().due_at
    assert due is not None
    assert due - world.time == timedelta(days=3, hours=12)
    assert text_of(world.last(FRANCE)).count("F1901M is due") == 1


@pytest.mark.parametrize("changes", [["ROLLBACK S1901M", "PROCESS S1901M"], [CORRECTS]])
@pytest.mark.parametrize("why", ["", "\nBECAUSE my moving day"])
def test_what_is_for_the_phase_after_another_waits_for_that_also_where_the_game_is_set_back(
    world: World, changes: list[str], why: str
) -> None:
    seats = world.started(options="move=2d early=no")
    said(world, seats, "PROCESS S1901M")
    said(world, seats, f"SCHEDULE next phase: EXTEND 48h{why}")
    for line in changes:
        said(world, seats, line)
        listed = said(world, seats, "SCHEDULE")
        assert ("The phase after F1901M: EXTEND 48h" in listed) == (world.phase() == "S1901M")
        assert ("The next phase: EXTEND 48h" in listed) == (world.phase() == "F1901M")
    assert "than usual" not in text_of(world.last(FRANCE))
    said(world, seats, "PROCESS F1901M")
    differs = f", 2 days later than usual{why and ': my moving day'}."
    assert f"S1902M is due Tue 24 Nov 2026, 09:00 UTC{differs}" in text_of(world.last(FRANCE))


def test_what_is_for_a_phase_at_a_set_time_is_done_in_it_also_where_it_is_played_again(world: World) -> None:
    seats = world.started(options="move=2d early=no")
    for line in ("PROCESS S1901M", "SCHEDULE in 3h: EXTEND 24h", "ROLLBACK S1901M", "PROCESS S1901M"):
        said(world, seats, line)
    world.pass_time(hours=3)
    assert "24 hours later than before" in text_of(world.last(FRANCE))
    for line in ("SCHEDULE in 3h: EXTEND 24h", "ROLLBACK S1901M"):
        said(world, seats, line)
    world.pass_time(hours=3)
    assert "You wrote it for F1901M, which is not being played now." in of_master(world)
