"""What the gamemaster does by mail: people, options, trials, undoing; and what a gamemaster who plays may not see."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from gm.reports import in_groups
from gm.settings import TrustSettings
from gm.store import inbox
from gm.store.game_rows import GameState, SeatRole
from gm.store.inbox import InboxState
from gm.variants.standard import POWERS
from tests.machine.test_deadlines import order_all
from tests.server.world import BASE, OPENINGS, World, player, reply_to, text_of

MASTER = "master@example.org"


def master(world: World, seats: dict[str, str], text: str) -> str:
    return text_of(world.send(MASTER, seats["GM"], text))


def winners(world: World) -> list[str]:
    victory = world.game().victory
    assert victory is not None
    return list(victory.winners)


def test_only_the_dashboard_shows_who_has_ordered(world: World, seats: dict[str, str]) -> None:
    world.send(player("France"), seats["France"], OPENINGS["France"])
    said = master(world, seats, "DASHBOARD")
    assert "France Orders: complete" in said
    assert "Italy Orders: none" in said
    assert player("Italy") in said
    assert "Only the gamemaster" in text_of(world.send(player("Italy"), seats["Italy"], "DASHBOARD"))


def test_a_preview_changes_nothing(world: World, seats: dict[str, str]) -> None:
    order_all(world, seats, but="Italy")
    said = master(world, seats, "PREVIEW")
    assert "Army Vienna -> Galicia. (*bounce*)" in said
    assert world.phase() == "S1901M"
    assert "Galicia" not in text_of(world.last(player("Turkey")))


def test_orders_for_a_power_join_its_players_and_are_copied_to_them(world: World, seats: dict[str, str]) -> None:
    world.send(player("Italy"), seats["Italy"], "A VEN H")
    said = master(world, seats, "ORDERS FOR Italy\nA ROM-APU\nF NAP-ION\n\nSTATUS")
    assert "Orders of Italy now in force: A Ven H, A Rom-Apu, F Nap-Ion" in said
    assert "The gamemaster has ordered for Italy" in text_of(world.last(player("Italy")))
    assert "#2" in text_of(world.send(player("Italy"), seats["Italy"], "MY ORDERS"))
    refused = master(world, seats, "ORDERS FOR Italy\nA PAR H")
    assert "There is no unit" in refused or "could not be acted on" in refused
    partly = master(world, seats, "ORDERS FOR Italy\nA VEN H\nF NAP-XYZ\nA ROM-APU")
    assert "1 line could not be acted on" in partly
    assert "'XYZ' in 'F NAP-XYZ' was not understood" in partly
    assert "Orders of Italy now in force: A Ven H, A Rom-Apu, F Nap-Ion." in partly, "the good lines count"


def test_a_player_may_head_their_own_orders(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(player("Italy"), seats["Italy"], "Orders for Italy:\n\nA VEN H\nF NAP-ION"))
    assert "A Ven H" in said
    assert "F Nap-Ion" in said
    other = text_of(world.send(player("Italy"), seats["Italy"], "ORDERS FOR France\nA PAR H"))
    assert "could not be acted on" in other


def test_set_changes_options_and_undo_takes_it_back(world: World, seats: dict[str, str]) -> None:
    assert "move=1d" in master(world, seats, "SET move=1d grace=6h")
    assert world.game().options.texts["grace"] == "6h"
    assert "move=1d (was 3d)" in text_of(world.last(player("Italy")))
    assert "can no longer be changed" in master(world, seats, "SET variant=standard rulebook=1971")
    assert world.game().options.texts["rulebook"] == "default"
    assert "SET is undone." in master(world, seats, "UNDO")
    assert world.game().options.texts["move"] == "3d"
    assert "START, cannot be undone. UNSTART spring takes it back." in master(world, seats, "UNDO")
    assert "UNSTART takes it back" in master(world, seats, "HELP START")


def test_undo_goes_back_deed_by_deed(world: World, seats: dict[str, str]) -> None:
    master(world, seats, "COMMENT For friends")
    master(world, seats, "EXTEND 24h")
    master(world, seats, "PAUSE")
    assert "The deadline is as it was" in master(world, seats, "UNDO")
    assert "Sat 28 Nov" in master(world, seats, "STATUS")
    master(world, seats, "UNDO")
    assert "Fri 27 Nov" in master(world, seats, "STATUS")
    assert "For friends" in text_of(world.send("new@reader.example", BASE, "LIST"))
    master(world, seats, "UNDO")
    assert "For friends" not in text_of(world.send("new2@reader.example", BASE, "LIST"))
    master(world, seats, "PROCESS S1901M")
    assert "nothing to undo in this phase" in master(world, seats, "UNDO")
    log = master(world, seats, "LOG")
    for word in ("comment", "pause", "undo", "process", "adjudicate"):
        assert word in log


def test_rolling_forward_returns_to_the_orders_that_were_sent(world: World, seats: dict[str, str]) -> None:
    master(world, seats, "PROCESS S1901M")
    world.send(player("Italy"), seats["Italy"], "A VEN-TYR")
    assert "S1901M is played again" in master(world, seats, "ROLLBACK S1901M")
    assert world.phase() == "S1901M"
    assert "F1901M" in master(world, seats, "ROLLFORWARD")
    assert world.phase() == "F1901M"
    assert "A Ven-Tyr" in text_of(world.send(player("Italy"), seats["Italy"], "MY ORDERS"))
    assert "no rollback" in master(world, seats, "ROLLFORWARD")


def test_a_scheduled_command_of_a_phase_is_for_the_phase_in_which_it_was_written(
    world: World, seats: dict[str, str]
) -> None:
    master(world, seats, "SCHEDULE in 24h: PROCESS")
    master(world, seats, "PROCESS S1901M")
    assert world.phase() == "F1901M"
    world.pass_time(hours=25)
    assert world.phase() == "F1901M"
    said = text_of(world.last("master@example.org"))
    assert "Your scheduled command failed: PROCESS" in said
    assert "You wrote it for S1901M, which is not being played now." in said


def test_a_scheduled_command_is_carried_out_in_time_and_reported(world: World, seats: dict[str, str]) -> None:
    for line in (
        "yesterday: PROCESS",
        "in 24h: EJECT Italy",
        "in 24h: what a day",
        "someday: PROCESS",
    ):
        assert "could not be acted on" in master(world, seats, f"SCHEDULE {line}")
    said = master(world, seats, "SCHEDULE Sunday 18:00: PROCESS S1901M")
    assert "Sun 22 Nov 2026, 18:00 UTC: PROCESS S1901M" in said
    master(world, seats, "SCHEDULE in 60h: PROCESS S1901M")
    assert "PROCESS S1901M" in master(world, seats, "SCHEDULE")
    world.pass_time(hours=56)
    assert world.phase() == "S1901M"
    world.pass_time(hours=2)
    assert world.phase() == "F1901M"
    assert any("Done now, as scheduled" in text_of(mail) for mail in world.mailboxes[MASTER])
    world.pass_time(hours=3)
    assert "command failed: PROCESS S1901M" in text_of(world.last(MASTER))
    master(world, seats, "SCHEDULE in 1h: PAUSE\nSCHEDULE NONE")
    world.pass_time(hours=2)
    assert "The game is paused" not in master(world, seats, "STATUS")


def test_a_second_gamemaster_has_an_own_address(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], "PROMOTE co@example.org")
    address = reply_to(world.last("co@example.org"))
    assert "France Orders: none" in text_of(world.send("co@example.org", address, "DASHBOARD"))
    world.send("co@example.org", address, "RESIGN spring")
    assert "no longer a gamemaster" in text_of(world.last(MASTER))
    assert "only gamemaster" in master(world, seats, "RESIGN spring")


def test_a_gamemaster_who_plays_sees_only_their_seat(world: World, seats: dict[str, str]) -> None:
    world.send(player("France"), seats["France"], OPENINGS["France"])
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')}")
    world.agreed()
    own = reply_to(world.last(player("Italy")))
    said = text_of(world.send(player("Italy"), own, "DASHBOARD\nSTATUS\nPREVIEW"))
    assert "complete" not in said
    assert player("France") not in said
    assert "see only what your power sees" in said
    assert "see only" in text_of(world.send(player("Italy"), own, "ORDERS FOR France\nA PAR H"))


@pytest.mark.parametrize("power", ["the Alien", "Alien"])
def test_a_line_below_set_means_the_game_as_it_is_now_set(world: World, power: str) -> None:
    created = world.send(MASTER, BASE, "CREATE club")
    said = text_of(
        world.send(MASTER, reply_to(created), f"SET variant=among-us\nINVITE ann@players.example AS {power}")
    )
    assert "ann@players.example is invited to club as the Alien." in said
    assert "could not be acted on" not in said


def test_only_the_invited_may_join_a_closed_game(world: World) -> None:
    created = world.send(MASTER, BASE, "CREATE club admission=invited")
    assert "for invited players only" in text_of(world.send("eve@elsewhere.example", BASE, "JOIN club"))
    assert len(world.seats("club")) == 1
    world.send(MASTER, reply_to(created), "INVITE ann@players.example AS France")
    assert "You have a seat" in text_of(world.send("ann@players.example", BASE, "JOIN club"))
    assert {seat.wish for seat in world.seats("club")} == {None, "France"}, "the wish is that of the invitation"


def test_names_are_hidden_until_they_are_revealed(world: World) -> None:
    seats = world.started("masks", "anonymous=yes")
    for text in ("STATUS", "SUMMARY", "WHOAMI"):
        said = text_of(world.send(player("Italy"), seats["Italy"], text))
        assert "Germany Germany" not in said, "the player has the power's name here"
    world.send("newcomer@players.example", BASE, "REGISTER Newcomer")
    world.send(MASTER, seats["GM"], "REPLACE Germany WITH Newcomer@players.example")
    world.accepts("newcomer@players.example")
    assert "newcomer" not in text_of(world.last(player("Italy"))).lower()
    assert "newcomer" not in text_of(world.send(player("Italy"), seats["Italy"], "STATUS")).lower()
    assert "promise to stay anonymous" in text_of(world.send(MASTER, seats["GM"], "SET anonymous=no"))
    world.send(MASTER, seats["GM"], "REVEAL")
    assert "Germany: Newcomer" in text_of(world.last(player("Italy")))


def test_a_dummy_is_ordered_for_and_the_game_ends_when_it_is_terminated(world: World, seats: dict[str, str]) -> None:
    master(world, seats, "DUMMY Turkey")
    assert "You have left" not in text_of(world.last(player("Turkey")))
    assert "Orders of Turkey now in force: A Con-Bul" in master(world, seats, "ORDERS FOR Turkey\nA CON-BUL")
    assert "needs the name" in master(world, seats, "TERMINATE")
    master(world, seats, "TERMINATE spring")
    assert world.game().state is GameState.ABORTED
    assert in_groups(world.game().seed) in text_of(world.last(player("Italy")))
    assert "Next to be adjudicated" not in master(world, seats, "STATUS")
    before = len(world.mailboxes[player("Italy")])
    world.pass_time(days=30)
    assert len(world.mailboxes[player("Italy")]) == before


def test_set_below_set_is_another_command(world: World, seats: dict[str, str]) -> None:
    said = master(world, seats, "SET press=none\nSET grace=2h\nreminder: 6h")
    assert said.count("The game's options are now") == 2
    assert {"press": "none", "grace": "2h", "reminder": "6h"}.items() <= dict(world.game().options.texts).items()


def test_the_gamemaster_declares_a_draw(world: World, seats: dict[str, str]) -> None:
    assert "is not a power still in the game" in master(world, seats, "DRAW spring Atlantis")
    assert (
        "needs the name of the game. To end it, drawn between France and Italy, write DRAW spring France, Italy."
        in (master(world, seats, "DRAW France, Italy"))
    )
    assert "write DRAW spring Austria, England" in master(world, seats, "DRAW")
    assert world.game().running
    assert in_groups(world.game().seed) not in text_of(world.last(MASTER))
    master(world, seats, "DRAW spring France, Italy")
    assert winners(world) == ["France", "Italy"]


def test_a_whole_game_may_be_conceded(world: World, seats: dict[str, str]) -> None:
    for power in POWERS:
        if power != "France":
            world.send(player(power), seats[power], "CONCEDE TO France")
    assert world.game().state is GameState.FINISHED
    assert winners(world) == ["France"]
    over = world.last(player("Italy"))
    assert "Power Centres Player France 3 won Pat France Russia 4 Pat Russia Austria 3" in text_of(over)
    assert [part.get_filename() for part in over.iter_attachments()][:1] == ["spring-final.png"]


def test_a_voter_reads_what_they_vote_for_and_what_not_any_more(world: World) -> None:
    seats = world.started("listed", "draw=listed")

    def says(text: str) -> str:
        return text_of(world.send(player("England"), seats["England"], text))

    first = says("DRAW England, France")
    assert "You vote for a draw of England and France. Your vote is secret." in first
    assert "You vote for a draw of England and France." in says("STATUS")
    other = says("DRAW Germany, France")
    assert "a draw of France and Germany, instead of your vote for a draw of England and France." in other
    assert "You are not in this draw." in other
    assert "instead" not in says("DRAW France, Germany")
    says("CONCEDE TO Austria")
    assert "instead of your vote for a concession to Austria" in says("CONCEDE TO Turkey")
    assert "You vote for a draw of France and Germany and a concession to Turkey." in says("STATUS")
    assert "You vote against a draw, instead of your vote for a draw of France and Germany." in says("NO DRAW")
    assert "You vote" not in text_of(world.send(player("France"), seats["France"], "STATUS"))


def test_votes_are_cleared_with_the_phase_unless_they_stand(world: World) -> None:
    for name, options, ends in (("fleeting", "", False), ("standing", "ballots=standing", True)):
        seats = world.started(name, options)
        for power in POWERS[:-1]:
            world.send(player(power), seats[power], "DRAW")
        world.pass_time(days=8)
        world.send(player(POWERS[-1]), seats[POWERS[-1]], "DRAW")
        assert (world.game(name).state is GameState.FINISHED) is ends


def test_an_announcement_reaches_observers_too(world: World, seats: dict[str, str]) -> None:
    answer = world.send("watcher@reader.example", BASE, "OBSERVE spring")
    assert "position" in str(world.last("watcher@reader.example")["Subject"]).lower() or "game" in text_of(
        world.last("watcher@reader.example")
    )
    master(world, seats, "OFFICIAL\nThe club meets on Friday.\nENDOFFICIAL")
    assert "The club meets on Friday." in text_of(world.last("watcher@reader.example"))
    seat = reply_to(answer)
    assert "You play no power" in text_of(world.send("watcher@reader.example", seat, "A PAR H"))
    world.send("watcher@reader.example", seat, "UNOBSERVE spring")
    before = len(world.mailboxes["watcher@reader.example"])
    master(world, seats, "PROCESS S1901M")
    assert len(world.mailboxes["watcher@reader.example"]) == before
    assert [one.role for one in world.seats()].count(SeatRole.OBSERVER) == 1


def test_the_dashboard_tells_quarantined_mails_from_other_questions(tmp_path: Path) -> None:
    world = World(tmp_path)
    seats = world.started()
    world.trust = TrustSettings(level="normal")
    world.restart()
    world.arrive("stranger@elsewhere.example", seats["France"], "A PAR-BUR")
    world.arrive(player("Italy"), seats["Italy"], "RESIGN spring")
    world.work()
    with world.trusting():
        said = text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert "Mails quarantined until a player confirms them: 1" in said
    assert "Other questions that players have not answered: 1" in said
    with world.looking() as session:
        assert inbox.counts(session)[InboxState.QUARANTINED] == 1, "as `gm mail show` lists them"


def test_a_pause_outlives_a_rollback_and_its_undoing(world: World, seats: dict[str, str]) -> None:
    order_all(world, seats)
    assert world.phase() == "F1901M"
    master(world, seats, "PAUSE")
    said = master(world, seats, "ROLLBACK S1901M")
    assert "still paused" in said
    assert "still paused" in text_of(world.last(player("Italy")))
    assert world.game().paused
    assert world.game().due_at is None
    assert "still paused" in master(world, seats, "ROLLFORWARD")
    assert world.game().paused
    master(world, seats, "RESUME")
    assert not world.game().paused
    assert "paused" not in master(world, seats, "ROLLBACK S1901M")


def test_what_a_player_has_stored_is_neither_seen_nor_changed_by_a_gamemaster(
    world: World, seats: dict[str, str]
) -> None:
    """A gamemaster who gives that up, and takes a power over in a later phase, would play against orders they know."""
    world.send(player("Germany"), seats["Germany"], "F1901M\nA RUH-BEL")
    said = master(
        world, seats, "ORDERS FOR GERMANY\nF1901M\nA RUH-MUN\n\nORDERS FOR GERMANY\nA MUN-RUH\nF1901M: F DEN H"
    )
    assert "Orders for F1901M are for the player of Germany to store" in said
    assert "A RUH-BEL" not in said.upper()
    assert "Orders of Germany now in force: A Mun-Ruh" in said
    stored = text_of(world.send(player("Germany"), seats["Germany"], "MY ORDERS")).upper()
    assert "A RUH-BEL" in stored
    assert "A RUH-MUN" not in stored
    assert "F DEN" not in stored


@pytest.mark.parametrize(
    ("before", "away"),
    [
        (("ROLLBACK S1901M",), ("PAUSE",)),
        (("ROLLBACK S1901M",), ()),
        (("ROLLBACK S1901M",), ("EXTEND 90h",)),
        (("ROLLBACK S1901M", "PAUSE"), ("ROLLBACK S1901M",)),
        (("PAUSE",), ("ROLLBACK S1901M", "RESUME")),
    ],
)
def test_a_phase_that_is_left_keeps_the_time_that_it_had(
    world: World, seats: dict[str, str], before: tuple[str, ...], away: tuple[str, ...]
) -> None:
    order_all(world, seats)
    for line in ("PROCESS S1901M", *before, *away):
        master(world, seats, line)
    due = world.game().due_at
    lasts = min(71.9, (due - world.time).total_seconds() / 3600 - 0.1) if due is not None else 71.9
    world.pass_time(hours=lasts)
    master(world, seats, "ROLLFORWARD")
    if world.game().paused:
        master(world, seats, "RESUME")
    due = world.game().due_at
    assert due is not None
    assert due - world.time >= timedelta(hours=47)


def test_what_is_cancelled_is_on_the_dashboard_no_more(world: World, seats: dict[str, str]) -> None:
    master(world, seats, "SCHEDULE Saturday 18:00: EXTEND 24h\nSCHEDULE Sunday 18:00: PAUSE")
    said = master(world, seats, "DASHBOARD")
    assert "Scheduled: Sat 21 Nov 2026, 18:00 UTC: EXTEND 24h" in said
    assert "The command is no longer scheduled." in master(world, seats, "UNDO")
    said = master(world, seats, "DASHBOARD")
    assert "EXTEND 24h" in said
    assert "PAUSE" not in said
    master(world, seats, "SCHEDULE NONE")
    assert "Scheduled" not in master(world, seats, "DASHBOARD")
    due = world.game().due_at
    world.pass_time(days=2)
    assert world.game().due_at == due


def test_undo_says_in_words_what_it_cannot_undo(world: World, seats: dict[str, str]) -> None:
    master(world, seats, "SET move=2d\nORDERS FOR France\nA PAR-BUR")
    said = master(world, seats, "UNDO")
    assert "What you did last, ORDERS FOR, cannot be undone." in said
    master(world, seats, "PROCESS S1901M")
    assert "To play a phase again, use ROLLBACK." in master(world, seats, "UNDO")


def test_orders_for_say_which_units_lack_one(world: World, seats: dict[str, str]) -> None:
    assert "Without an order: F Bre, A Mar." in master(world, seats, "ORDERS FOR France\nA PAR-BUR")
    assert "Without an order" not in master(world, seats, "ORDERS FOR France\nF BRE H\nA MAR H")


@pytest.mark.parametrize(("variant", "win"), [("standard", 35), ("among-us", 35), ("black-hole", 35)])
def test_no_game_is_won_with_more_centres_than_there_are(world: World, variant: str, win: int) -> None:
    said = text_of(world.send(MASTER, BASE, f"CREATE much variant={variant} win={win}"))
    assert f"win={win} does not apply" in said
    assert "its number of supply centres is 34" in said
    assert "is ready" in text_of(world.send(MASTER, BASE, f"CREATE much variant={variant} win={win - 1}"))


def test_a_vacant_seat_of_a_closed_game_is_offered_to_nobody(world: World) -> None:
    seat = reply_to(world.send(MASTER, BASE, "CREATE closed admission=invited"))
    for power in POWERS:
        world.send(MASTER, seat, f"INVITE {player(power)} AS {power}")
        world.send(player(power), BASE, f"JOIN closed AS {power}")
    world.send(MASTER, seat, "START")
    world.send(MASTER, seat, "EJECT Italy")
    said = text_of(world.send("eve@example.net", BASE, "LIST"))
    assert "vacant: Italy (by invitation)" in said
    assert "TAKEOVER" not in said


def test_a_replacement_is_welcomed_to_a_game_under_way(world: World, seats: dict[str, str]) -> None:
    master(world, seats, "REPLACE Italy WITH new@example.net")
    world.accepts("new@example.net")
    subjects = [str(mail["Subject"]) for mail in world.mailboxes["new@example.net"]]
    assert not [subject for subject in subjects if "the game begins" in subject]
    assert [subject for subject in subjects if "welcome, you are Italy" in subject]


def test_no_caret_points_from_a_scheduled_line_into_the_outer_one(world: World, seats: dict[str, str]) -> None:
    said = world.send(MASTER, seats["GM"], "SCHEDULE in 2h: EXTEND")
    body = said.get_body(("plain",))
    assert body is not None
    assert "^" not in body.get_content()


def test_a_misspelt_power_in_orders_for_is_said(world: World, seats: dict[str, str]) -> None:
    said = master(world, seats, "ORDERS FOR Frnace\nA PAR H")
    assert "'Frnace' is no power of this game." in said


def test_the_dashboard_says_who_was_heard_when_and_what_to_write_next(world: World, seats: dict[str, str]) -> None:
    world.send(player("France"), seats["France"], OPENINGS["France"])
    world.pass_time(hours=3)
    world.send(player("Italy"), seats["Italy"], "PRESS TO France\nHello.\nENDPRESS")
    master(world, seats, "EJECT Turkey")
    said = master(world, seats, "DASHBOARD")
    assert "France Orders: complete Heard: Fri 20 Nov 09:00 UTC Player: Pat France" in said
    assert "Italy Orders: none Heard: Fri 20 Nov 12:00 UTC Player: Pat Italy" in said
    assert "Germany Orders: none Heard: Fri 20 Nov 09:00 UTC Player: Pat Germany" in said, "when they joined"
    assert "Without orders: Austria, England, Germany, Italy and Russia. EXTEND 24h gives them more time" in said
    assert "PROCESS S1901M goes on without them" in said
    assert "Turkey Orders: none Player: vacant Write: REPLACE Turkey WITH address or STANDIN Turkey" in said
    assert "<italy@players.example> Write: PRESS TO Italy or ORDERS FOR Italy" in said
    master(world, seats, "STANDIN Turkey")
    assert "STANDIN" not in master(world, seats, "DASHBOARD")
    said = master(world, seats, "PAUSE\nDASHBOARD")
    assert "Without orders" not in said
    assert "Write:" not in said


def test_who_waits_for_a_full_game_is_not_told_to_start_it(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE club start=full"))
    assert "It begins as soon as all seats are taken." in text_of(world.send(MASTER, chair, "DASHBOARD"))
    assert "It begins as soon as all seats are taken." in text_of(world.send(MASTER, chair, "PREVIEW"))
    for power in POWERS:
        world.send(player(power), BASE, f"JOIN club AS {power}")
    assert world.game("club").running
    assert not [mail for mail in world.mailboxes[MASTER] if "START" in text_of(mail).replace("UNSTART", "")]


def test_the_dashboard_of_a_game_that_is_forming_says_how_it_begins(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE club"))
    assert "asks somebody to play. 7 more must JOIN before START club begins it;" in text_of(
        world.send(MASTER, chair, "DASHBOARD")
    )
