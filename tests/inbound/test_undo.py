"""UNDO takes back what its sender did last, and nothing that somebody else did or has changed since."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.server.world import BASE, OPENINGS, World, player, reply_to, text_of

MASTER, HELPER = "master@example.org", "helper@example.org"


def undo(world: World, seats: dict[str, str]) -> str:
    return text_of(world.send(MASTER, seats["GM"], "UNDO"))


@pytest.mark.parametrize("rights", [" AS ASSISTANT", ""])
def test_it_is_the_last_command_of_its_sender(world: World, seats: dict[str, str], rights: str) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER}{rights}")
    theirs = reply_to(world.last(HELPER))
    world.send(MASTER, seats["GM"], "COMMENT Fridays")
    world.send(HELPER, theirs, "EXTEND 24h\nABSENCE 2027-01-02 TO 2027-01-05")
    due = world.game().due_at
    assert "COMMENT is undone." in undo(world, seats)
    assert world.game().due_at == due
    assert world.game().comment is None


def test_what_somebody_else_has_changed_since_stays(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER}")
    theirs, first = reply_to(world.last(HELPER)), world.game().due_at
    world.send(MASTER, seats["GM"], "DEADLINE in 24h")
    mine = world.game().due_at
    world.send(HELPER, theirs, "DEADLINE in 36h")
    due = world.game().due_at
    said = undo(world, seats)
    assert "(gamemaster) changed the deadline with DEADLINE after your DEADLINE." in said
    assert world.game().due_at == due
    assert "DEADLINE is undone" in text_of(world.send(HELPER, theirs, "UNDO"))
    assert world.game().due_at == mine
    assert "DEADLINE is undone" in undo(world, seats)
    assert world.game().due_at == first


def test_a_vote_of_the_players_stays(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], "DEADLINE in 24h")
    for power in ("Austria", "England", "France", "Germany"):
        world.send(player(power), seats[power], "EXTEND 24h")
    assert "The players changed the deadline with EXTEND after your DEADLINE." in undo(world, seats)


def test_an_extension_of_a_player_stays(world: World) -> None:
    seats = world.started(options="extensions=1")
    world.send(MASTER, seats["GM"], "DEADLINE in 48h")
    world.send(player("Italy"), seats["Italy"], "EXTEND")
    due = world.game().due_at
    assert "The deadline has been moved again since." in undo(world, seats)
    assert world.game().due_at == due


@pytest.mark.parametrize("line", ["SCHEDULE in 24h: PAUSE", "COMMENT Fridays"])
def test_players_are_not_told_that_something_is_undone_of_which_they_were_not_told(
    world: World, seats: dict[str, str], line: str
) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER}")
    before = len(world.mailboxes[player("France")])
    world.send(MASTER, seats["GM"], line)
    assert "is undone" in undo(world, seats)
    assert len(world.mailboxes[player("France")]) == before
    assert "A command is undone" in str(world.last(HELPER)["Subject"])


def test_the_log_says_what_was_undone_and_shows_no_keys(world: World, seats: dict[str, str]) -> None:
    world.send(MASTER, seats["GM"], "DEADLINE 2026-11-30 18:00")
    undo(world, seats)
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    said = text_of(world.send(MASTER, seats["GM"], "LOG"))
    assert "undo deadline (due Mon 30 Nov 2026, 18:00 UTC, phase S1901M)" in " ".join(said.split())
    assert [key for key in ("(of ", "phase id", "left ", "opened ", "undo (", "=") if key in said] == []


def test_a_gamemaster_who_has_left_since_has_no_name(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER}")
    theirs = reply_to(world.last(HELPER))
    world.send(MASTER, seats["GM"], "DEADLINE in 24h")
    world.send(HELPER, theirs, "DEADLINE in 36h")
    world.send(HELPER, theirs, "RESIGN spring")
    assert "Another gamemaster changed the deadline with DEADLINE after your DEADLINE." in undo(world, seats)


def test_orders_for_a_phase_that_is_played_on_after_a_rollback_was_undone(world: World, seats: dict[str, str]) -> None:
    france = player("France")
    world.send(france, seats["France"], "A PAR-BUR\nF BRE-MAO")
    for line in ("PROCESS S1901M", "ROLLBACK S1901M", "ROLLFORWARD"):
        world.pass_time(minutes=90)
        world.send(MASTER, seats["GM"], line)
    world.send(france, seats["France"], "STATUS")
    world.pass_time(minutes=2)
    world.send(france, seats["France"], "A BUR-MUN\nA MAR-SPA", headers={"In-Reply-To": ""})
    assert not [mail for mail in world.mailboxes[france] if "+confirm." in reply_to(mail)]
    said = text_of(world.send(france, seats["France"], "MY ORDERS"))
    assert "A Bur-Mun" in said
    assert "A Mar-Spa" in said


def test_a_phase_has_the_time_that_it_had_left_after_a_rollback_that_is_undone(
    world: World, seats: dict[str, str]
) -> None:
    for line in ("PROCESS S1901M", "DEADLINE in 30h"):
        world.send("master@example.org", seats["GM"], line)
    due = world.game().due_at
    world.send("master@example.org", seats["GM"], "ROLLBACK S1901M")
    assert world.game().due_at != due
    world.pass_time_quietly(hours=2)
    said = text_of(world.send("master@example.org", seats["GM"], "ROLLFORWARD"))
    assert "The deadline is Sat 21 Nov" in said
    assert due is not None
    assert world.game().due_at == due + timedelta(hours=2)
    assert "the rollback is undone" in str(world.last(player("Italy"))["Subject"]).lower()


def test_a_second_rollback_keeps_what_was_sent_after_the_first(world: World) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], "A PAR-BUR")
    world.send(player("Italy"), seats["Italy"], "A VEN H")
    world.pass_time(hours=1)
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    world.pass_time(hours=1)
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    world.pass_time(hours=1)
    world.send(player("France"), seats["France"], "A PAR-PIC")
    world.send(player("Russia"), seats["Russia"], "A WAR H")
    world.pass_time(hours=1)
    world.send(MASTER, seats["GM"], "ROLLFORWARD")
    world.pass_time(hours=1)
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    for power, order, sent in (("France", "A Par-Pic", 12), ("Russia", "A War H", 12), ("Italy", "A Ven H", 9)):
        said = text_of(world.send(player(power), seats[power], "MY ORDERS"))
        assert f"Before the rollback, Fri 20 Nov {sent:02}:00" in said
        assert order in said
        assert "A Par-Bur" not in said


def test_what_was_set_already_is_not_news_and_not_undone(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER}")
    world.send(MASTER, seats["GM"], "SET grace=7h")
    before = len(world.mailboxes[player("France")])
    said = text_of(world.send(HELPER, reply_to(world.last(HELPER)), "SET Grace=7h"))
    assert "Nothing is changed: grace=7h was so already." in said
    assert len(world.mailboxes[player("France")]) == before
    assert "SET is undone." in undo(world, seats)
    world.send(MASTER, seats["GM"], "SET grace=none move=2d")
    assert "the game: move=2d (was 3d)." in text_of(world.last(player("France")))
    assert "set (options move 2d)" in text_of(world.send(MASTER, seats["GM"], "LOG"))


def test_what_another_gamemaster_has_cancelled_is_logged_told_and_taken_back(
    world: World, seats: dict[str, str]
) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER}")
    theirs = reply_to(world.last(HELPER))
    assert "nothing to cancel" in text_of(world.send(HELPER, theirs, "SCHEDULE NONE"))
    world.send(MASTER, seats["GM"], "SCHEDULE in 24h: PAUSE")
    world.send(HELPER, theirs, "SCHEDULE NONE")
    assert "has cancelled what was scheduled in spring." in text_of(world.last(MASTER))
    assert "schedule (cancelled Sat 21 Nov 2026, 09:00 UTC: PAUSE)" in " ".join(
        text_of(world.send(MASTER, seats["GM"], "LOG")).split()
    )
    assert "Scheduled again: PAUSE." in text_of(world.send(HELPER, theirs, "UNDO"))
    assert "UTC: PAUSE" in text_of(world.send(MASTER, seats["GM"], "SCHEDULE"))
    world.send(HELPER, theirs, "SCHEDULE NONE")
    assert "The command was no longer scheduled: it was carried out or cancelled before." in undo(world, seats)
    world.pass_time(hours=1)
    world.send(HELPER, theirs, "UNDO")
    world.pass_time(hours=24)
    assert world.game().paused


def test_a_refusal_names_the_command_who_has_the_power_and_what_to_do(world: World, seats: dict[str, str]) -> None:
    world.send("ann@example.net", BASE, "REGISTER Ann")
    world.send(MASTER, seats["GM"], "COMMENT Friday\nEJECT Austria")
    world.send("ann@example.net", BASE, "TAKEOVER spring AS Austria")
    said = undo(world, seats)
    assert "Your last command, EJECT, cannot be undone: Austria is not vacant any more; Ann plays it." in said
    assert "REPLACE Austria WITH address asks its former player, or another one. UNDO goes no further back;" in said
    assert "it goes no further back" in text_of(world.send(MASTER, seats["GM"], "HELP UNDO"))
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    assert "UNDO goes no further back" not in undo(world, seats)


@pytest.mark.parametrize(
    ("done", "since", "said"),
    [
        ("SET anonymous=yes", ("JOIN",), "Players joined on the promise to stay anonymous."),
        ("SET variant=black-hole", ("JOIN",), "variant can no longer be changed."),
        ("SET variant=black-hole", ("JOIN", "START spring"), "There is nothing to undo in this phase that you did."),
        ("SET grace=7h", ("JOIN", "START spring", "UNSTART spring"), "There is nothing to undo in this phase"),
    ],
)
def test_it_is_refused_where_its_opposite_is(world: World, done: str, since: tuple[str, ...], said: str) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring standins=yes"))
    world.promotes(MASTER, chair, f"PROMOTE {HELPER}")
    theirs = reply_to(world.last(HELPER))
    world.send(MASTER, chair, done)
    for line in since:
        if line == "JOIN":
            world.send(player("France"), BASE, "JOIN spring")
        else:
            world.send(HELPER, theirs, line)
    before = dict(world.game().options.texts)
    answer = " ".join(undo(world, {"GM": chair}).split())
    assert said in answer
    assert dict(world.game().options.texts) == before


@pytest.mark.parametrize("line", ["DENY france@players.example", "STOP"])
def test_a_power_does_not_go_back_to_whom_the_gamemaster_or_they_themselves_have_kept_out(
    world: World, seats: dict[str, str], line: str
) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER}")
    theirs = reply_to(world.last(HELPER))
    world.send(MASTER, seats["GM"], "EJECT France")
    world.send(*((HELPER, theirs) if line.startswith("DENY") else (player("France"), BASE)), line)
    assert "The player of France is not free any more." in undo(world, seats)


def test_options_that_were_changed_by_other_commands_since_stay(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER}")
    theirs = reply_to(world.last(HELPER))
    world.send(MASTER, seats["GM"], "SET grace=7h")
    world.send(HELPER, theirs, "EJECT Italy\nSTANDIN Italy")
    assert "SET is undone." in undo(world, seats)
    assert world.game().options.texts["standins"] == "italy"


def test_the_game_begins_when_the_option_that_kept_it_is_undone(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring start=full standins=yes"))
    world.send(MASTER, chair, "SET start=gm")
    for power in OPENINGS:
        world.send(player(power), BASE, "JOIN spring")
    assert "The game spring has begun." in undo(world, {"GM": chair})
