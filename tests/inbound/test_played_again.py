"""A phase that is played again after ROLLBACK lasts until everybody was able to change their orders."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from gm.commands.correcting import compared
from gm.reports import full_moment
from gm.variants.standard import POWERS
from tests.server.kept import kept
from tests.server.world import BASE, OPENINGS, World, player, reply_to, text_of

MASTER = "master@example.org"


@kept
def rolled_back(world: World, options: str, by: str = "GM") -> dict[str, str]:
    """The seats of a game whose first phase all have ordered, with the results known, and which is set back."""
    seats = world.started(options=options)
    for power, orders in OPENINGS.items():
        world.send(player(power), seats[power], f"{orders}\nREADY")
    assert world.phase() != "S1901M"
    world.send(MASTER, seats[by], "ROLLBACK S1901M")
    assert world.phase() == "S1901M"
    return seats


@pytest.mark.parametrize("options", ["early=orders", "early=ready"])
def test_the_sets_of_before_do_not_end_it(world: World, options: str) -> None:
    seats = rolled_back(world, options)
    for power in [*OPENINGS][:-1]:
        world.send(player(power), seats[power], "READY" if options == "early=ready" else OPENINGS[power])
        assert world.phase() == "S1901M", power
    world.send(player([*OPENINGS][-1]), seats[[*OPENINGS][-1]], "READY")
    assert world.phase() != "S1901M"


def test_the_sets_of_before_count_at_the_deadline(world: World) -> None:
    seats = rolled_back(world, "early=orders")
    said = text_of(world.send(player("France"), seats["France"], "MY ORDERS"))
    assert "#0" not in said
    world.pass_time(days=30)
    assert world.phase() == "F1901M"
    assert "Burgundy" in text_of(world.last(player("Turkey")))


@pytest.mark.parametrize("set_", ["move=1h", "move=1h deadlines=none"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_shorter_time_for_phases_does_not_hurry_it(world: World, set_: str, times: int) -> None:
    """What a gamemaster who plays could not do by DEADLINE, nor by PROCESS."""
    seats = world.started(options="move=3d first=5d")
    opened, due = world.time, world.game().due_at
    assert due is not None
    world.send(MASTER, seats["GM"], "PROCESS")
    world.send(MASTER, seats["GM"], f"SET {set_}")
    for _ in range(times):
        world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
        world.send(MASTER, seats["GM"], "SET deadlines=yes")
        again = world.game().due_at
        assert again is not None
        assert again - world.time >= due - opened
        world.send(MASTER, seats["GM"], "PROCESS")
    assert (world.game().due_at or due) - world.time >= timedelta(days=3), (
        "F1901M had three days when it was opened first"
    )
    world.send(MASTER, seats["GM"], "PROCESS")
    assert (world.game().due_at or due) - world.time <= timedelta(hours=2), "one that is played first has the new time"


@pytest.mark.parametrize(("extended", "days"), [("", 3), ("EXTEND 24h", 4), ("DEADLINE 2026-11-24 18:00", 4)])
def test_to_go_to_and_fro_moves_no_deadline_of_a_game_with_a_time_of_day(
    world: World, extended: str, days: int
) -> None:
    seats = world.started(options="move=3d first=3d at=18:00 early=no")
    due = world.game().due_at
    assert due is not None
    due += timedelta(days=days - 3)
    once = [extended, "PROCESS S1901M", extended]
    lines = [*once, *["ROLLBACK S1901M", "PROCESS S1901M"] * 3]
    for line in filter(None, lines):
        world.pass_time(minutes=30)
        answer = text_of(world.send(MASTER, seats["GM"], line))
        assert "ROLLBACK" not in line or f"due {full_moment(due, UTC)}" in answer
    assert world.game().due_at == due


@pytest.mark.parametrize(
    "line", ["PROCESS", "PROCESS S1901M", "DEADLINE in 30 minutes", "SCHEDULE in 5 minutes: PROCESS"]
)
def test_a_gamemaster_who_plays_does_not_end_it(world: World, line: str) -> None:
    seats = world.started(options="early=orders progress=yes")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')}")
    world.agreed()
    own = reply_to(world.last(player("Italy")))
    world.send(MASTER, seats["GM"], "PROCESS")
    world.send(player("Italy"), own, "ROLLBACK S1901M")
    due = world.game().due_at
    assert (world.phase(), due is not None) == ("S1901M", True)
    said = text_of(world.send(player("Italy"), own, line))
    world.pass_time(minutes=10)
    assert (world.phase(), world.game().due_at) == ("S1901M", due)
    assert "SCHEDULE" in line or "nobody who plays can end it before its deadline" in said
    for power, orders in OPENINGS.items():
        if power != "Italy":
            world.send(player(power), seats[power], orders)
    world.send(player("Italy"), own, "SET progress=no")
    said = text_of(world.send(player("Italy"), own, "PROCESS"))
    assert "nobody who plays can end it before its deadline" in said, "or it would tell that the others have ordered"
    world.send(player("Italy"), own, "SET progress=yes")
    world.send(player("Italy"), own, "PROCESS")
    assert world.phase() == "F1901M"


@pytest.mark.parametrize(
    "lines",
    [
        ("ROLLBACK S1901M", "SET deadlines=no", "DEADLINE in 2 minutes"),
        ("SET deadlines=no", "ROLLBACK S1901M", "DEADLINE in 2 minutes"),
        ("ROLLBACK S1901M\nSET deadlines=no\nDEADLINE in 2 minutes",),
        ("SET deadlines=no", "ROLLBACK S1901M", "SET move=1h first=1h", "SET deadlines=yes"),
    ],
)
def test_who_plays_takes_no_time_from_a_phase_that_has_no_deadline(world: World, lines: tuple[str, ...]) -> None:
    """Without one there is time without end, and not none that could be taken."""
    seats = world.started()
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')}")
    world.agreed()
    own = reply_to(world.last(player("Italy")))
    world.send(MASTER, seats["GM"], "PROCESS")
    for line in lines:
        world.send(player("Italy"), own, line)
    world.pass_time(hours=3)
    assert world.phase() == "S1901M"


def test_a_gamemaster_who_does_not_play_ends_it(world: World) -> None:
    seats = rolled_back(world, "early=orders")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert world.phase() == "F1901M"


@pytest.mark.parametrize("between", ["", "CORRECT S1901M NOW\nORDERS FOR TURKEY\nA SMY-ARM\nBECAUSE it was lost"])
def test_orders_of_the_mail_that_sets_it_back_are_kept_when_it_is_set_back_again(world: World, between: str) -> None:
    """That mail came before the phase was opened again, which is when it is read."""
    seats = world.started(options="early=no")
    for power, orders in OPENINGS.items():
        world.send(player(power), seats[power], orders)
    for text in (
        "PROCESS S1901M",
        "ROLLBACK S1901M\nORDERS FOR ITALY\nA VEN-TRI\nPROCESS S1901M",
        between,
        "ROLLBACK S1901M\nPROCESS S1901M",
        "ROLLBACK S1901M\nPROCESS S1901M",
    ):
        world.arrive(MASTER, seats["GM"], text or "STATUS")
        world.pass_time(minutes=5)
    report = text_of(world.last(player("Italy")))
    assert "Army Venice -> Trieste" in report
    assert "Army Rome -> " in report
    assert ("Army Smyrna -> Armenia" in report) == bool(between)


@pytest.mark.parametrize(
    ("lines", "reasons"),
    [
        (("ROLLBACK S1901M\nBECAUSE a test\nPROCESS S1901M",), "S1901M was played again: a test."),
        (("ROLLBACK S1901M\nPROCESS S1901M\nBECAUSE a test",), "S1901M was played again: a test."),
        (
            ("ROLLBACK S1901M\nBECAUSE a test\nPROCESS S1901M\nBECAUSE I wish",),
            "S1901M was played again: a test. I wish.",
        ),
        (("ROLLBACK S1901M\nBECAUSE a test", "PROCESS S1901M"), "S1901M was played again: a test."),
        (("ROLLBACK S1901M\nBECAUSE a test", "ROLLFORWARD", "ROLLBACK S1901M", "PROCESS S1901M"), ""),
    ],
)
def test_its_report_says_why(world: World, lines: tuple[str, ...], reasons: str) -> None:
    seats = world.started(options="early=no")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    answer = text_of(world.send(MASTER, seats["GM"], lines[0]))
    assert "All players get your reason: a test." in answer
    for line in lines[1:]:
        world.send(MASTER, seats["GM"], line)
    report = text_of(world.last(player("Italy")))
    assert "the phase was played again" in report
    assert (f"The gamemaster's reason: {reasons} Reply with" in report) == bool(reasons)
    assert report.count("a test") == bool(reasons)


def test_its_report_says_first_that_it_replaces_another(world: World) -> None:
    seats = rolled_back(world, "early=orders")
    assert "replace" not in str(world.last(player("France"))["Subject"])
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    report = world.last(player("France"))
    assert "S1901M results replaced" in str(report["Subject"])
    assert "This report replaces that of S1901M of" in text_of(report)[:200]


@pytest.mark.parametrize("now", ["", " NOW"])
def test_a_correction_names_only_its_bad_line(world: World, now: str) -> None:
    seats = world.started(options="early=orders")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    text = f"CORRECT S1901M{now}\nORDERS FOR GERMANY\nA MUN-TYR\nA BER-XYZ\nBECAUSE it was lost"
    said = text_of(world.send(MASTER, seats["GM"], text))
    assert "A BER-XYZ': " in said
    assert "A MUN-TYR': " not in said


def test_the_line_of_a_correction_on_trial_can_be_sent_as_it_is_shown(world: World) -> None:
    seats = world.started(options="early=orders")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    text = "CORRECT S1901M\nGERMANY: A MUN-TYR\nITALY: A VEN H\nBECAUSE it was lost"
    said = text_of(world.send(MASTER, seats["GM"], text))
    shown = "CORRECT S1901M NOW / Germany: A Mun-Tyr / Italy: A Ven H / BECAUSE it was lost"
    assert shown in said
    assert "void then" not in said, "nobody has sent any"
    world.send(MASTER, seats["GM"], shown)
    assert "It replaces that of S1901M" in text_of(world.last(player("France")))


@pytest.mark.ruling("FW-6")
@pytest.mark.parametrize(
    ("options", "diary", "goes_on"),
    [
        ("variant=standard", "", True),
        ("variant=standard", "DIARY\nItaly is next.\nENDDIARY", False),
        ("anonymous=yes", "", False),
        ("anonymous=always", "", True),
        ("variant=fog", "", False),
        ("variant=black-hole", "", False),
    ],
)
def test_a_game_whose_end_has_shown_what_it_hid_does_not_go_on(
    world: World, options: str, diary: str, goes_on: bool
) -> None:
    seats = world.started(options=options)
    if diary:
        world.send(player("France"), seats["France"], diary)
    world.send(MASTER, seats["GM"], "PROCESS")
    world.send(MASTER, seats["GM"], "TERMINATE spring")
    said = text_of(world.send(MASTER, seats["GM"], "ROLLBACK S1901M"))
    assert world.game().running == goes_on
    assert ("has shown everybody what was hidden" in said) != goes_on


@pytest.mark.ruling("FW-4")
@pytest.mark.parametrize("sent", ["", "A CON H\nA SMY H\nF ANK H\nREADY"])
@pytest.mark.parametrize("variant", ["standard", "fog"])
def test_an_absence_tells_in_fog_nothing_of_orders(world: World, variant: str, sent: str) -> None:
    seats = world.started(options=f"variant={variant}")
    before = world.game().due_at
    assert before is not None
    if sent:
        world.send(player("Turkey"), seats["Turkey"], sent)
    world.send(player("Turkey"), seats["Turkey"], f"ABSENCE {before:%Y-%m-%d} TO {before + timedelta(days=2):%Y-%m-%d}")
    assert (world.game().due_at != before) == (variant == "fog" or not sent)


@pytest.mark.ruling("FW-4")
def test_in_fog_a_phase_ends_early_when_those_too_have_said_ready_who_have_nothing_to_order(world: World) -> None:
    seats = world.started(options="variant=fog")
    with world.altering() as row:
        units = [unit for unit in row.position["units"] if not unit.startswith("Turkey")]
        row.position = {**row.position, "units": units}
    for power in (power for power in seats if power not in ("GM", "Turkey")):
        world.send(player(power), seats[power], f"{OPENINGS[power]}\nREADY")
    assert world.phase() == "S1901M"
    assert "also those who have nothing to order" in text_of(world.send(player("Turkey"), seats["Turkey"], "STATUS"))
    world.send(player("Turkey"), seats["Turkey"], "READY")
    assert world.phase() != "S1901M"


@kept
def all_but_turkey(world: World, options: str, there: bool) -> dict[str, str]:
    """The seats of a game in fog in which the others have ordered, whether Turkey has a unit or not."""
    seats = world.started(options=options)
    if not there:
        with world.altering() as row:
            units = [unit for unit in row.position["units"] if not unit.startswith("Turkey")]
            row.position = {**row.position, "units": units}
    for power in (power for power in seats if power not in ("GM", "Turkey")):
        world.send(player(power), seats[power], OPENINGS[power])
    return seats


@pytest.mark.ruling("FW-4")
@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("options", ["grace=12h", "nmr=wait", "extensions=1"])
@pytest.mark.parametrize(
    ("sent", "waits"), [("A SMY-ARM", False), ("A PAR H", False), ("CLEAR", False), ("", True), ("STATUS", True)]
)
def test_in_fog_orders_that_cannot_be_used_are_no_more_missing_than_others(
    world: World, there: bool, options: str, sent: str, waits: bool
) -> None:
    seats = all_but_turkey(world, f"variant=fog first=3d move=3d {options}", there)
    if sent:
        world.send(player("Turkey"), seats["Turkey"], sent)
    world.pass_time(days=3)
    assert (world.phase() == "S1901M") == (waits and options != "extensions=1"), "silence uses no extension"
    if waits and options == "grace=12h":
        world.send(player("Turkey"), seats["Turkey"], "A SMY-ARM")
        assert world.phase() != "S1901M"


@pytest.mark.ruling("FW-4")
@pytest.mark.parametrize("there", [True, False])
def test_in_fog_orders_stored_for_a_phase_are_sent_whether_they_can_be_used_or_not(world: World, there: bool) -> None:
    seats = world.started(options="variant=fog first=3d move=3d nmr=wait")
    world.send(player("Turkey"), seats["Turkey"], f"{OPENINGS['Turkey']}\nPHASE F1901M\nA CON H\nENDPHASE")
    if not there:
        world.send(player("Turkey"), seats["Turkey"], "A CON-BUL\nA SMY H\nF ANK H")
    for number in (1, 2):
        for power in (power for power in seats if power not in ("GM", "Turkey")):
            world.send(player(power), seats[power], OPENINGS[power] if number == 1 else "A PAR H")
        world.pass_time(days=3)
    assert world.phase() not in ("S1901M", "F1901M")


CORRECTED = "ORDERS FOR GERMANY\nA MUN-TYR\nBECAUSE it was lost"


@kept
def of_f1901m(world: World, hours: int) -> tuple[dict[str, str], datetime]:
    """The seats of a game in its second phase, and its deadline, which was moved; some hours later."""
    seats = world.started(options="move=3d first=3d")
    for power, orders in OPENINGS.items():
        world.send(player(power), seats[power], orders)
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    world.send(MASTER, seats["GM"], "EXTEND 72h")
    world.pass_time(hours=hours)
    due = world.game().due_at
    assert due is not None
    return seats, due


def test_a_correction_leaves_the_deadline_that_was_set(world: World) -> None:
    seats, due = of_f1901m(world, 5)
    kept = "F1901M keeps its deadline: "
    assert kept in text_of(world.send(MASTER, seats["GM"], f"CORRECT S1901M\n{CORRECTED}"))
    answer = text_of(world.send(MASTER, seats["GM"], f"CORRECT S1901M NOW\n{CORRECTED}"))
    assert world.game().due_at == due
    assert kept in answer
    assert kept in text_of(world.last(player("Italy")))
    assert f"due {full_moment(due, UTC)}" in text_of(world.send(MASTER, seats["GM"], "LOG 3"))


def test_accepting_late_orders_leaves_the_deadline_that_was_set(world: World) -> None:
    seats, due = of_f1901m(world, 1)
    world.send(player("Turkey"), seats["Turkey"], "S1901M:\nA SMY-ARM")
    assert "F1901M keeps its deadline" in text_of(world.send(MASTER, seats["GM"], "ACCEPT LATE Turkey"))
    assert world.game().due_at == due


def test_a_correction_shortly_before_the_deadline_gives_all_the_whole_time_and_says_so(world: World) -> None:
    seats, due = of_f1901m(world, 100)
    moves = "All have as much time to order as usual, so the deadline of F1901M moves from "
    assert moves in text_of(world.send(MASTER, seats["GM"], f"CORRECT S1901M\n{CORRECTED}"))
    answer = text_of(world.send(MASTER, seats["GM"], f"CORRECT S1901M NOW\n{CORRECTED}"))
    assert moves in answer
    again = world.game().due_at
    assert again is not None
    assert again > due
    assert f"{again:%H:%M}" in answer
    assert moves in text_of(world.last(player("Italy")))


LATE = "ACCEPT LATE Turkey"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            f"{LATE}\nCORRECT S1901M NOW\n{CORRECTED}",
            "late orders of Turkey (60 minutes after the report was sent to its player) were",
        ),
        (f"CORRECT S1901M NOW\n{CORRECTED}\n\n{LATE}", "it was lost; late orders of Turkey"),
        (f"{LATE}\nACCEPT LATE Italy", "were accepted; late orders of Italy"),
        (f"CORRECT S1901M NOW\nFrance: A PAR H\nBECAUSE I rule so\n\nCORRECT S1901M NOW\n{CORRECTED}", "I rule so; it"),
    ],
)
def test_what_one_mail_corrects_counts_together(world: World, text: str, why: str) -> None:
    seats, due = of_f1901m(world, 1)
    world.send(player("Turkey"), seats["Turkey"], "S1901M:\nA SMY-ARM")
    world.send(player("Italy"), seats["Italy"], "S1901M:\nA ROM-VEN")
    assert str(world.send(MASTER, seats["GM"], text)["Subject"]).endswith("done")
    report = text_of(world.last(player("Italy")))
    assert why in report
    assert ("A Mun-Tyr" in report) == ("CORRECT" in text)
    assert world.game().due_at == due


def test_what_came_in_the_minute_of_the_report_came_neither_before_nor_after_it() -> None:
    assert compared(timedelta(seconds=-20)) == compared(timedelta()) == "just when the report"
    assert compared(timedelta(minutes=2)) == "2 minutes after the report"


def test_a_trial_below_a_correction_waits_for_its_report(world: World) -> None:
    seats, _ = of_f1901m(world, 1)
    world.send(player("Turkey"), seats["Turkey"], "S1901M:\nA SMY-ARM")
    said = text_of(world.send(MASTER, seats["GM"], f"{LATE}\nCORRECT S1901M\n{CORRECTED}"))
    assert "S1901M is about to be adjudicated again, for what stands above in your mail." in said
    assert "Write NOW behind it" in said


def test_stored_orders_end_no_phase_that_was_played_before(world: World) -> None:
    """Their players have seen what they lead to, and so has whoever answers them: they count at the deadline."""
    seats = world.started(options="move=3d first=3d early=orders")
    held = {power: re.sub(r"-\S+", " H", orders) for power, orders in OPENINGS.items()}
    for power, orders in held.items():
        if power != "France":
            world.send(player(power), seats[power], f"PHASE F1901M\n{orders}\nENDPHASE")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    world.send(player("France"), seats["France"], held["France"])
    assert world.phase() == "S1902M", "all that was stored counts at once, where it was not played before"
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    world.pass_time(days=3, minutes=1)
    assert world.phase() == "F1901M"
    told = text_of(world.last(player("Germany"))).replace("\n", " ")
    assert "They count at the deadline, and before it once you have said READY or sent some again." in told
    assert "A Ber H" in text_of(world.send(player("Germany"), seats["Germany"], "MY ORDERS"))
    world.send(player("France"), seats["France"], held["France"])
    world.pass_time(days=2)
    assert world.phase() == "F1901M"
    for power, orders in held.items():
        world.send(player(power), seats[power], orders)
    assert world.phase() == "S1902M"


@pytest.mark.parametrize("early", ["orders", "ready"])
def test_to_empty_a_seat_ends_no_phase_that_is_played_again(world: World, early: str) -> None:
    """Its gamemaster, who plays, knows what comes out: the others keep their time."""
    gm = reply_to(world.send(MASTER, BASE, f"CREATE spring early={early} move=3d first=3d progress=yes"))
    for power in POWERS:
        world.send(MASTER if power == "France" else player(power), BASE, f"JOIN spring AS {power}")
    world.send(MASTER, gm, "START spring")
    seats = {str(power): reply_to(world.last(MASTER if power == "France" else player(power))) for power in POWERS}
    with world.trusting():
        for name, orders in OPENINGS.items():
            sender = MASTER if name == "France" else player(name)
            world.send(sender, seats[name], f"{orders}\nREADY" if early == "ready" else orders)
        world.send(MASTER, gm, "ROLLBACK S1901M")
        due = world.game().due_at
        for name, orders in OPENINGS.items():
            if name not in ("France", "England"):
                world.send(player(name), seats[name], f"{orders}\nREADY")
        world.send(MASTER, gm, "EJECT England")
        world.send(MASTER, seats["France"], "A PAR-PIC\nA MAR-SPA\nF BRE-MAO\nREADY")
        assert (world.phase(), world.game().due_at) == ("S1901M", due)
        said = text_of(world.send(MASTER, gm, "PROCESS S1901M"))
    assert "nobody who plays can end it before its deadline" in said
    world.pass_time(days=3, minutes=1)
    assert world.phase() == "F1901M"


def test_results_of_a_phase_that_is_played_again_are_released_by_who_plays(world: World) -> None:
    gm = reply_to(world.send(MASTER, BASE, "CREATE spring early=no move=3d first=3d release=gm"))
    for power in POWERS:
        world.send(MASTER if power == "France" else player(power), BASE, f"JOIN spring AS {power}")
    world.send(MASTER, gm, "START spring")
    world.pass_time(days=3, minutes=1)
    with world.trusting():
        world.send(MASTER, gm, "RELEASE S1901M")
        world.send(MASTER, gm, "ROLLBACK S1901M")
        world.pass_time(days=3, minutes=1)
        world.send(MASTER, gm, "RELEASE S1901M")
    assert world.phase() == "F1901M"


def test_a_pause_is_no_time_that_a_phase_had(world: World) -> None:
    seats = world.started(options="move=3d first=3d early=no")
    world.send(MASTER, seats["GM"], "PAUSE")
    world.pass_time(days=60)
    for line in ("RESUME", "EXTEND 1h", "PROCESS S1901M", "ROLLBACK S1901M"):
        world.send(MASTER, seats["GM"], line)
    due = world.game().due_at
    assert due is not None
    assert timedelta(days=3) <= due - world.time <= timedelta(days=3, hours=2)


def test_short_extensions_add_up(world: World) -> None:
    seats = world.started(options="move=1h first=1h early=no")
    for _ in range(26):
        world.send(MASTER, seats["GM"], "EXTEND 60m")
        world.pass_time(minutes=55)
    for line in ("PROCESS S1901M", "ROLLBACK S1901M"):
        world.send(MASTER, seats["GM"], line)
    due = world.game().due_at
    assert due is not None
    assert due - world.time >= timedelta(hours=26)
