"""Gamemasters' sentences, and the lines that are offered for them: all of a wish, or what the line leaves out."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.server.world import BASE, OPENINGS, World, player, proved, reply_to, text_of

MASTER = "master@example.org"


def master(world: World, text: str, to: str = BASE) -> str:
    """The answer to an authenticated mail of the gamemaster's."""
    return text_of(world.send(MASTER, to, text, headers=proved(MASTER)))


def offers(world: World, text: str, line: str, to: str = BASE) -> None:
    """What the gamemaster writes is answered with this line, and with YES for all of it."""
    assert f"send {line}. Or reply with YES." in master(world, text, to)


def played(world: World, phases: int = 1) -> str:
    """The gamemaster's address of a game after its first phases, which all spent at home."""
    gm = world.started()["GM"]
    for code in ("S1901M", "F1901M")[:phases]:
        master(world, f"PROCESS {code}", gm)
    return gm


@pytest.mark.parametrize(
    "text",
    [
        "Everybody has to order again: please play S1901M once more, because I had sent out the wrong map.",
        "Please play S1901M again, because I had sent out the wrong map.",
        "I had sent out the wrong map, so please replay spring 1901 from the start.",
        "Please run S1901M again because I had sent out the wrong map",
    ],
)
def test_the_phase_that_is_named_is_played_again_for_the_reason_that_is_given(world: World, text: str) -> None:
    answer = master(world, text, played(world, phases=2))
    assert "send ROLLBACK S1901M / BECAUSE I had sent out the wrong map. Or reply with YES." in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "House rules for spring and twin:\nLetters are answered in time.\nNobody forwards letters.",
            "HOUSE RULES / Letters are answered in time. / Nobody forwards letters. / ENDHOUSERULES",
        ),
        (
            "Announce in spring and twin:\nI am away until Monday.\nMail still works.",
            "OFFICIAL / I am away until Monday. / Mail still works. / ENDOFFICIAL",
        ),
    ],
)
def test_all_that_stands_below_a_heading_for_several_games_goes_to_each(world: World, text: str, line: str) -> None:
    world.started(), world.started("twin")
    world.started("swift")
    assert f"send GAME spring, twin / {line}. Or reply with YES." in master(world, text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Please set up a game called samba, deadlines at 9pm Berlin time", "CREATE samba at=21:00 zone=Europe/Berlin"),
        (
            "I'd like a new game called samba, two days for moves, at 18:00 in New York",
            "CREATE samba move=2d at=18:00 zone=America/New_York",
        ),
        ("spring: from now on the deadlines should be at 18:00 in Berlin", "SET at=18:00 zone=Europe/Berlin"),
        ("spring: please move the deadline to Friday 9pm Berlin time", "DEADLINE Fri 27 Nov 2026 20:00"),
    ],
)
def test_the_zone_of_a_time_is_a_part_of_it(world: World, text: str, line: str) -> None:
    world.started()
    assert f"send {line}. " in master(world, text)


def test_a_zone_that_is_not_known_is_said_to_be_left_out(world: World) -> None:
    world.started()
    assert "It leaves out 'my time'." in master(world, "spring: the deadlines should be at 9pm my time from now on")


@pytest.mark.parametrize(
    "text",
    [
        "I misread an order of Germany in spring: it was A MUN-TYR and not A MUN-RUH. "
        "Please correct S1901M, because it was my mistake.",
        "spring: Please correct S1901M because it was my mistake. Germany's order was A MUN-TYR, not A MUN-RUH",
    ],
)
def test_the_order_that_was_meant_is_corrected_and_not_the_one_that_was_not(world: World, text: str) -> None:
    played(world)
    said = master(world, text)
    assert "On trial; nothing is changed yet." in said
    line = "CORRECT S1901M NOW / Germany: A Mun-Tyr / BECAUSE it was my mistake"
    assert f"Reply with YES to do this: {line}" in said


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "France has dropped out of spring. Please take the seat away, let a stand-in play it for now, and ask "
            "bob@example.net whether they want it.",
            ("EJECT France / STANDIN France", "REPLACE France WITH bob@example.net"),
        ),
        (
            "spring: Kick France out, put a stand-in there and extend by two days.",
            ("EJECT France / STANDIN France", "EXTEND two days"),
        ),
        (
            "spring: Italy is gone. Eject them, and ask bob@example.net to take the seat over.",
            ("EJECT Italy", "REPLACE Italy WITH bob@example.net"),
        ),
        (
            "spring: Italy asked for two days, so extend. And invite bob@example.net please.",
            ("EXTEND two days", "INVITE bob@example.net"),
        ),
    ],
)
def test_several_wishes_of_a_mail_are_offered_whole_with_one_yes(
    world: World, text: str, lines: tuple[str, str]
) -> None:
    world.started()
    asked = world.send(MASTER, BASE, text, headers=proved(MASTER))
    answer = text_of(asked)
    assert all(f"send {line}." in answer for line in lines)
    assert "Or reply with YES, which does both." in answer
    assert "leaves out" not in answer
    done = world.send(
        MASTER, reply_to(asked), "YES", headers={**proved(MASTER), "In-Reply-To": str(asked["Message-ID"])}
    )
    assert "Your mail was understood." in text_of(done)


def test_a_line_of_several_wishes_that_begins_with_a_command_is_offered_as_a_list_of_commands(world: World) -> None:
    world.started()
    answer = master(world, "spring: EJECT France, let a stand-in play it, and ask bob@example.net whether they want it")
    assert "EJECT France / STANDIN France / REPLACE France WITH bob@example.net do these" in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Please ask joe@example.net whether he'd like to play Turkey in pit, and invite kim@example.net too.",
            "INVITE joe@example.net AS Turkey, kim@example.net",
        ),
        (
            "pit: ask joe@example.net to play Turkey and kim@example.net to play France",
            "INVITE joe@example.net AS Turkey, kim@example.net AS France",
        ),
    ],
)
def test_a_power_is_for_the_guest_beside_whom_it_is_named(world: World, text: str, line: str) -> None:
    master(world, "CREATE pit")
    offers(world, text, line)


@pytest.mark.parametrize(
    "text",
    [
        "How late were France's orders?",
        "What would France's late orders change?",
        "France's orders came after all. How late were they, and what would they change?",
    ],
)
def test_questions_about_late_orders_are_answered(world: World, text: str) -> None:
    seats = world.started()
    master(world, "PROCESS S1901M", seats["GM"])
    world.pass_time(hours=2)
    world.send(player("France"), seats["France"], "S1901M:\n" + OPENINGS["France"])
    answer = master(world, text, seats["GM"])
    assert "Late orders of France: They were received Fri 20 Nov 2026" in answer
    assert "2 hours after the report was sent to that player. What they would change: France: A Par-Bur" in answer
    assert "ACCEPT LATE France" in answer


def test_of_late_orders_who_plays_learns_nothing(world: World) -> None:
    seats = world.started()
    master(world, "PROCESS S1901M", seats["GM"])
    world.send(player("France"), seats["France"], "S1901M:\n" + OPENINGS["France"])
    answer = text_of(world.send(player("Italy"), seats["Italy"], "What would France's late orders change?"))
    assert "A Par-Bur" not in answer
    assert "No late orders wait" in master(world, "Which late orders are there?", world.started("twin")["GM"])


@pytest.mark.parametrize("to", ["GM", BASE])
def test_a_reason_below_a_misspelt_command_is_not_passed_over(world: World, to: str) -> None:
    gm = world.started()["GM"]
    text = "EXTND 24h\nBECAUSE Turkey is ill"
    answer = master(world, text, gm) if to == "GM" else master(world, f"spring: {text}")
    assert "EXTEND 24h / BECAUSE Turkey is ill" in answer
    assert "Passed over" not in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("They need three days. I'll give two.", "EXTEND two days"),
        ("Rolf wants three more days. I can give them two.", "EXTEND two days"),
        ("Italy needs four days.\nLet's make it one.", "EXTEND one day"),
        ("moves should take four days from now on, retreats and builds two", "SET move=4d retreat=2d adjust=2d"),
        ("After this phase let us have 2 days for retreats", "SET retreat=2d"),
        ("We do not play on Christmas Eve, nor on New Year's Eve", "SET holidays=2026-12-24,2026-12-31"),
        ("press grey, deadlines at 9pm Berlin time", "SET press=grey at=21:00 zone=Europe/Berlin"),
        ("No letters during the retreats, please", "SET quiet=retreats"),
        ("6 January is a holiday too", "SET holidays=2027-01-06"),
    ],
)
def test_what_the_gamemaster_gives_is_offered_and_each_length_has_its_unit(world: World, text: str, line: str) -> None:
    offers(world, text, line, world.started()["GM"])


def test_press_at_some_times_is_no_option_and_said_to_be_left_out(world: World) -> None:
    gm = world.started()["GM"]
    answer = master(world, "no press at weekends please, and no deadlines at weekends", gm)
    assert "send SET days=mon-fri. It leaves out 'no press at weekends please'. " in answer
    assert "Or reply with YES" not in answer
    assert "press=none" not in master(world, "no press on weekends", gm)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("France wrote that they're travelling; give everybody 36 hours more there.", "EXTEND 36 hours"),
        ("Germany has quit. Take them out and offer the seat to whoever is on standby.", "EJECT Germany"),
        (
            "Please comment above the next report that the map was wrong.",
            "REMARK / the map was wrong. / ENDREMARK",
        ),
        ("who is still with us?", "MUSTER"),
        ("who of them is still there? ask them all please", "MUSTER"),
    ],
)
def test_a_wish_is_whole_beside_what_explains_it(world: World, text: str, line: str) -> None:
    answer = master(world, f"spring: {text}" if "there." in text else text, world.started()["GM"])
    assert f"send {line}." in answer
    assert "Or reply with YES." in answer
    assert "leaves out" not in answer


def test_how_to_call_the_roll_is_explained(world: World) -> None:
    assert "Help: MUSTER" in master(world, "How do I ask who is still there?", world.started()["GM"])


def test_of_a_condition_it_is_said_that_no_command_waits_for_it(world: World) -> None:
    world.started("amber")
    said = master(world, "GAME amber\nUnless Turkey has ordered by tomorrow noon, please extend by a day.")
    assert "No command waits for what may happen; SCHEDULE" in said
    assert "No command waits" not in master(world, "GAME amber\nPlease extend by a day.")


def test_a_time_in_what_is_only_stated_is_not_left_out(world: World) -> None:
    seats = world.started()
    master(world, "PROCESS S1901M", seats["GM"])
    world.pass_time(hours=1)
    world.send(player("France"), seats["France"], "S1901M:\n" + OPENINGS["France"])
    answer = master(world, "France's orders came in an hour late, I'll let them count.", seats["GM"])
    assert "send ACCEPT LATE France. Or reply with YES." in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Please create a game named samba, deadlines at 18:00 in Berlin", "CREATE samba at=18:00 zone=Europe/Berlin"),
        ("create samba fog, moves every two days", "CREATE samba variant=fog move=2d"),
        ("Please create a game called My Spring, two days for each move", "CREATE My-Spring move=2d"),
        ("CREATE samba, deadlines at 18:00 in Berlin, no press", "CREATE samba press=none at=18:00 zone=Europe/Berlin"),
        ("CREATE My Spring", "CREATE my-spring"),
    ],
)
def test_a_new_game_has_the_name_and_the_options_that_its_sentence_gives(world: World, text: str, line: str) -> None:
    answer = master(world, text)
    assert f" {line} " in answer.replace(f"{line}. ", f"{line} ")
    assert "eply with YES" in answer


def test_several_options_without_equals_signs_stand_between_commas(world: World) -> None:
    gm = world.started()["GM"]
    assert "The game's options are now: press=none, draw=dias." in master(world, "set press none, draw dias", gm)
    assert "move=2d, retreat=12h" in master(world, "SET move 2d, retreat 12h", gm)


def test_who_stands_by_is_on_the_dashboard(world: World) -> None:
    assert "On standby: nobody" in master(world, "Who is on the standby list?", world.started()["GM"])


def test_of_words_to_a_vacant_seat_it_is_said_that_nobody_reads_them(world: World) -> None:
    seats = world.started()
    master(world, "EJECT Italy", seats["GM"])
    text = "PRESS TO Italy\nShall we be friends?\nENDPRESS"
    own, theirs = master(world, text, seats["GM"]), text_of(world.send(player("France"), seats["France"], text))
    assert "The seat of Italy is vacant, so nobody reads there. REPLACE Italy WITH address" in own
    assert "The seat of Italy is vacant, so nobody reads there. PRESS TO GM" in theirs
    assert all("Reply with YES" not in answer and "be friends" not in answer for answer in (own, theirs))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "England in spring has stopped answering. I've found somebody: gus@example.net will take over.",
            "REPLACE England WITH gus@example.net",
        ),
        ("Please set the deadline in spring to Sunday noon.", "DEADLINE Sun 29 Nov 2026 12:00"),
        ("Tell the players of spring: I am back on Monday.", "OFFICIAL / I am back on Monday. / ENDOFFICIAL"),
        ("process spring when all orders are in, don't wait for the deadline", "SET early=orders"),
    ],
)
def test_a_sentence_that_names_its_game_is_offered_whole(world: World, text: str, line: str) -> None:
    world.started(options="early=ready")
    answer = master(world, text)
    assert f"send {line}." in answer
    assert "Or reply with YES." in answer
    assert "leaves out" not in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Two more days everywhere but in twin please, I'm travelling", "ALL GAMES BUT twin: EXTEND Two days"),
        ("Terminate all my games but wide.", "GAME spring / TERMINATE spring / GAME twin / TERMINATE twin"),
        ("please close spring and twin", "GAME spring / TERMINATE spring / GAME twin / TERMINATE twin"),
        (
            "I end all three.",
            "GAME spring / TERMINATE spring / GAME twin / TERMINATE twin / GAME wide / TERMINATE wide",
        ),
        (
            "Tell the players of spring and twin: I am back on Monday.",
            "GAME spring, twin / OFFICIAL / I am back on Monday. / ENDOFFICIAL",
        ),
        (
            "Announce in spring, twin and wide that I am back.",
            "GAME spring, twin, wide / OFFICIAL / I am back. / ENDOFFICIAL",
        ),
    ],
)
def test_a_wish_for_several_games_is_for_each_of_them_and_no_other(world: World, text: str, line: str) -> None:
    world.started(), world.started("twin"), world.started("wide")
    offers(world, text, line)


def test_what_only_the_line_before_makes_possible_is_done_with_it(world: World) -> None:
    gm = world.started()["GM"]
    asked = world.send(MASTER, gm, "Throw Austria out and don't let them back in.", headers=proved(MASTER))
    answer = text_of(asked)
    assert "send EJECT Austria." in answer
    assert "send DENY austria@players.example. Or reply with YES, which does both." in answer
    done = text_of(world.send(MASTER, gm, "YES", headers={**proved(MASTER), "In-Reply-To": str(asked["Message-ID"])}))
    assert "Austria is vacant" in done
    assert "austria@players.example" in done
    assert "not acted on" not in done


def test_what_is_refused_is_not_offered(world: World) -> None:
    seats = world.started()
    master(world, "PROCESS S1901M", seats["GM"])
    world.pass_time(hours=1)
    world.send(player("France"), seats["France"], "S1901M:\n" + OPENINGS["France"])
    assert "ACCEPT LATE" not in master(world, "don't count France's late orders, too late is too late", seats["GM"])


def test_ones_notes_are_shown_to_who_asks_for_them(world: World) -> None:
    gm = world.started()["GM"]
    master(world, "NOTE France was late", gm)
    assert "Your notes on spring" in master(world, "Show me my notes", gm)


def test_the_name_of_a_game_is_no_place_of_its_board(world: World) -> None:
    world.started("roma")
    assert "WHY rom" not in master(world, "What happened in roma so far?")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("I'd like to stop the clock until next Friday.", "PAUSE UNTIL 2026-11-27"),
        ("nobody must see who has ordered any more", "SET progress=no"),
        ("no stand-ins, please", "SET standins=no"),
        ("Deadlines are on Mondays and Thursdays at 21:00", "SET days=mon,thu at=21:00"),
        ("No deadlines on Sundays please", "SET days=mon-sat"),
        ("Use standing ballots, please.", "SET ballots=standing"),
        ("From tomorrow on deadlines are at nine in the evening", "SET at=21:00"),
        ("Give me the desk every morning at half past seven.", "PREFERENCES desk=07:30"),
        ("deadlines only from Monday to Friday, at 21:00 Berlin time", "SET days=mon-fri at=21:00 zone=Europe/Berlin"),
    ],
)
def test_a_setting_is_offered_as_it_is_meant(world: World, text: str, line: str) -> None:
    offers(world, text, line, world.started()["GM"])


@pytest.mark.parametrize("why", ["tell all players why", "let everybody know the reason"])
def test_what_leads_to_words_is_none_of_them(world: World, why: str) -> None:
    gm = world.started()["GM"]
    answer = master(world, f"Give them a day more and {why}: half of us are ill.", gm)
    assert "send OFFICIAL / half of us are ill. / ENDOFFICIAL. Nothing was changed yet." in answer
    assert "YES, which does both" in answer
    assert "Sent to nobody" not in answer


def test_a_game_that_goes_on_is_not_concerned(world: World) -> None:
    seats, _ = world.started(), world.started("twin")
    for goes_on in (", twin goes on.", ". twin and the others go on."):
        answer = master(world, f"Pause spring until New Year{goes_on}")
        assert "send PAUSE UNTIL 2027-01-01. Or reply with YES" in answer
        assert reply_to(world.last(MASTER)) == seats["GM"]


def test_what_a_sentence_behind_a_command_wants_is_for_the_game_that_it_names(world: World) -> None:
    world.started(), world.started("twin")
    answer = master(world, "Process spring now and give twin another day.")
    assert "GAME spring / PROCESS spring now / ALL GAMES twin: EXTEND 24h do these" in answer


def test_who_is_kept_out_of_games_is_kept_out_of_all_that_are_named(world: World) -> None:
    world.started(), world.started("twin")
    offers(world, "Keep troll@bad.example out of spring and twin", "ALL GAMES: DENY troll@bad.example")


def test_a_sentence_below_several_names_is_one_wish_for_all(world: World) -> None:
    world.started(), world.started("twin"), world.started("wide")
    answer = master(world, "twin and spring: one more day each, mail was down yesterday.")
    assert "send ALL GAMES twin, spring: EXTEND one day. Or reply with YES." in answer


def test_the_desk_comes_each_morning(world: World) -> None:
    world.started()
    answer = master(world, "Please send me the dashboard every morning at 7")
    assert "send PREFERENCES desk=07:00. Or reply with YES." in answer


def test_results_that_wait_are_opened_for_another_order(world: World) -> None:
    gm = world.started(options="release=gm")["GM"]
    master(world, "PROCESS S1901M", gm)
    asked = world.send(MASTER, gm, "change the order of Turkey to A CON-BUL before the results go out")
    assert "On trial; nothing is changed yet." in text_of(asked)
    assert "Reply with YES to do this: CORRECT S1901M NOW / Turkey: A Con-Bul correct it" in text_of(asked)
    done = text_of(world.send(MASTER, gm, "YES", headers={"In-Reply-To": str(asked["Message-ID"])}))
    assert "S1901M is adjudicated again with these orders" in done
    assert "not acted on" not in done


def test_the_name_of_a_game_stands_before_its_phase(world: World) -> None:
    played(world)
    assert "S1901M is played again" in master(world, "ROLLBACK spring S1901M")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("please give the players until Sunday evening, 20:00 London time", "DEADLINE Sun 29 Nov 2026 20:00"),
        ("Zoe (zoe@example.net) wants to play. Give her Italy.", "REPLACE Italy WITH zoe@example.net"),
        (
            "from 20 to 28 February there are carnival holidays, no deadlines then",
            "SET holidays=2027-02-20..2027-02-28",
        ),
        ("Everything on hold until Monday the 30th, please", "PAUSE UNTIL 2026-11-30"),
    ],
)
def test_a_wish_with_days_or_a_person_is_offered_whole(world: World, text: str, line: str) -> None:
    assert f"send {line}. " in (answer := master(world, text, world.started()["GM"]))
    assert "Or reply with YES." in answer
    assert "INVITE" not in answer


def test_a_power_is_no_word_that_names_none(world: World) -> None:
    master(world, "CREATE pit")
    text = "pit: Ann (ann@example.net) would like Germany, and Ben (ben@example.net) takes whatever is left"
    assert "send INVITE ann@example.net AS Germany, ben@example.net. Or reply with YES." in master(world, text)


def test_what_only_states_something_reminds_nobody(world: World) -> None:
    world.started()
    answer = master(world, "End spring: nobody has ordered for weeks")
    assert "send TERMINATE spring. Or reply with YES." in answer
    assert "A reminder goes to" not in answer


def test_what_is_to_be_of_a_game_that_there_is_makes_no_new_one(world: World) -> None:
    world.started()
    assert "send SET press=none. Or reply with YES." in master(world, "make spring a game without press")


def test_options_alone_are_offered_as_set(world: World) -> None:
    world.started()
    answer = master(world, "spring: nmr=disorder and grace=6h")
    assert "SET nmr=disorder and grace=6h do this, if it is what you mean" in answer


def test_several_games_stop_with_one_yes(world: World) -> None:
    world.started(), world.started("twin"), world.started("wide")
    answer = master(world, "spring and twin stop until I write again")
    assert "send ALL GAMES spring, twin: PAUSE. Or reply with YES." in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Turkey is gone for good. Please find somebody from the standby list.", "EJECT Turkey"),
        (
            "Nobody may vote for a draw before 1905, put that into the house rules",
            "HOUSE RULES / Nobody may vote for a draw before 1905 / ENDHOUSERULES",
        ),
        ("two days for moves, one day for builds, deadlines at noon", "SET move=2d adjust=1d at=12:00"),
        ("Please take it off the list of games, it's private", "SET listed=no"),
    ],
)
def test_words_days_and_lists_are_read_as_they_are_meant(world: World, text: str, line: str) -> None:
    answer = master(world, text, world.started()["GM"])
    assert f"send {line}. Or reply with YES." in answer
    assert "leaves out" not in answer


def test_all_players_are_those_of_all_games(world: World) -> None:
    world.started(), world.started("twin")
    answer = master(world, "Tell all my players that the server moves on Sunday.")
    assert "send GAME spring, twin / OFFICIAL / the server moves on Sunday. / ENDOFFICIAL. Or reply" in answer


def test_who_runs_a_game_and_says_stop_wants_no_end_of_mail(world: World) -> None:
    world.started()
    answer = master(world, "spring: stop for now")
    assert "PAUSE do this, if it is what you mean" in answer
    assert "STOP do this" not in answer


def test_why_late_orders_count_stands_in_the_report(world: World) -> None:
    seats = world.started()
    master(world, "PROCESS S1901M", seats["GM"])
    world.pass_time(hours=1)
    world.send(player("France"), seats["France"], "S1901M:\n" + OPENINGS["France"])
    answer = master(world, "ACCEPT LATE France\nBECAUSE my server swallowed the mail", seats["GM"])
    assert "Nobody was told" not in answer
    assert "were accepted: my server swallowed the mail." in text_of(world.last(player("Italy")))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Remind people 36 hours before each deadline instead of a day.", "SET reminder=36h"),
        ("Remind them 12 hours before every deadline.", "SET reminder=12h"),
        ("Set the deadline to Tuesday 8 December at 9pm, please.", "DEADLINE Tue 08 Dec 2026 21:00"),
        ("Set the deadline to Tuesday 8 December, 9pm, please.", "DEADLINE Tue 08 Dec 2026 21:00"),
        ("Move the deadline to 24 December at 9am, please.", "DEADLINE Thu 24 Dec 2026 09:00"),
        ("The deadline should be 24 December, noon.", "DEADLINE Thu 24 Dec 2026 12:00"),
        ("No deadlines from 24 December 18:00 to 2 January 9:00, please.", "SET holidays=2026-12-24..2027-01-02"),
        ("Moves should take two days and builds one day from now on.", "SET move=2d adjust=1d"),
    ],
)
def test_each_deadline_is_no_game_and_a_time_of_the_day_is_no_day(world: World, text: str, line: str) -> None:
    seats, _ = world.started(), world.started("twin")
    answer = master(world, text, seats["GM"])
    assert f"send {line}." in answer
    assert "Or reply with YES." in answer
    assert "ALL GAMES" not in answer


@pytest.mark.parametrize(
    ("text", "line", "makes"),
    [
        ("Give them two days more for each move from now on.", "SET move=+2d", "move=5d"),
        ("Give everybody three extra days for moves in future.", "SET move=+3d", "move=6d"),
        ("Please make the retreats 12 hours longer.", "SET retreat=+12h", "retreat=36h"),
        ("Shorten the movement phases by a day.", "SET move=-1d", "move=2d"),
    ],
)
def test_what_is_more_or_less_is_added_to_what_there_is(world: World, text: str, line: str, makes: str) -> None:
    gm = world.started(options="move=3d retreat=1d")["GM"]
    assert f"send {line}. That makes {makes}. Or reply with YES." in master(world, text, gm)
    assert f"The game's options are now: {makes}." in master(world, line, gm)


def test_what_would_leave_no_time_is_refused(world: World) -> None:
    gm = world.started(options="move=3d")["GM"]
    assert "move=3d now, so -3d would leave nothing." in master(world, "SET move=-3d", gm)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "Give the players of spring and twin two more days each, and pause wide until 2 December.",
            ["ALL GAMES spring, twin: EXTEND two days", "ALL GAMES wide: PAUSE UNTIL 2026-12-02"],
        ),
        (
            "Pause wide until 2 December, and give spring and twin two more days.",
            ["ALL GAMES wide: PAUSE UNTIL 2026-12-02", "ALL GAMES spring, twin: EXTEND two days"],
        ),
        (
            "Extend the deadline for the players of spring and twin by two days and pause wide.",
            ["ALL GAMES spring, twin: EXTEND two days", "ALL GAMES wide: PAUSE"],
        ),
        (
            "Extend spring and twin by two days, and wide by one day, because I am ill.",
            [
                "ALL GAMES spring, twin: EXTEND two days / BECAUSE I am ill",
                "ALL GAMES wide: EXTEND one day / BECAUSE I am ill",
            ],
        ),
        (
            "Please extend spring and twin by a day. Pause wide.",
            ["ALL GAMES spring, twin: EXTEND a day", "ALL GAMES wide: PAUSE"],
        ),
        (
            "In spring and twin the deadline should be Friday 11 December, 18:00, in wide Saturday 12 December, 18:00.",
            [
                "ALL GAMES spring, twin: DEADLINE Friday 11 December 18:00",
                "ALL GAMES wide: DEADLINE Saturday 12 December 18:00",
            ],
        ),
    ],
)
def test_what_is_said_of_some_games_is_for_no_others(world: World, text: str, lines: list[str]) -> None:
    for name in ("spring", "twin", "wide", "alone"):
        world.started(name)
    answer = master(world, text)
    assert [line for line in lines if f"send {line}." not in answer] == []
    assert answer.count("send ALL GAMES") == len(lines)
    assert "Or reply with YES, which does both." in answer


@pytest.mark.parametrize(
    "text",
    [
        "Give the players of spring and twin a bit of a break, and pause wide until 2 December.",
        "Extend spring and twin by two days and do the hokey pokey in wide.",
    ],
)
def test_what_is_not_understood_of_some_games_is_said_to_be_left_out(world: World, text: str) -> None:
    for name in ("spring", "twin", "wide"):
        world.started(name)
    answer = master(world, text)
    assert "It leaves out '" in answer
    assert "reply with YES" not in answer


@pytest.mark.parametrize(
    ("text", "when"),
    [
        (
            "The deadlines of spring and twin should be Monday 7 December at 9pm Berlin time, please.",
            "Monday 7 December 9pm Europe/Berlin",
        ),
        (
            "Set the deadline of spring and twin to Tuesday 8 December at 9pm Paris time, please.",
            "Tuesday 8 December at 9pm Europe/Paris",
        ),
    ],
)
def test_a_zone_is_kept_for_several_games(world: World, text: str, when: str) -> None:
    for name in ("spring", "twin", "wide"):
        world.started(name)
    assert f"send ALL GAMES spring, twin: DEADLINE {when}. Or reply with YES." in master(world, text)


@pytest.mark.parametrize(
    "mail",
    [
        "ALL GAMES BUT wide: EXTEND 48h\nBECAUSE I am at a book fair",
        "ALL GAMES spring, twin: PAUSE UNTIL 2026-12-02\nBECAUSE I am at a book fair",
        "ALL GAMES spring, twin: PAUSE because I am at a book fair",
    ],
)
def test_the_reason_below_a_command_for_all_games_is_told_in_each(world: World, mail: str) -> None:
    for name in ("spring", "twin", "wide"):
        world.started(name)
    assert master(world, mail).count("All players get your reason: I am at a book fair.") == 2
    told = [text_of(mail) for mail in world.mailboxes[player("Italy")]]
    assert sum("The reason: I am at a book fair." in text for text in told) == 2


def test_a_reason_that_no_game_takes_is_said_to_be_told_to_nobody(world: World) -> None:
    world.started(), world.started("twin")
    answer = master(world, "ALL GAMES: NOTE to be paid\nBECAUSE I forget things")
    assert "Nobody was told your reason: I forget things." in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Please put the game on hold until Monday the 7th, because Cleo is in hospital. Tell the players why.",
            "PAUSE UNTIL 2026-12-07 / BECAUSE Cleo is in hospital",
        ),
        (
            "Pause the game until 2 December because Cleo is in hospital and cannot write. Tell everybody.",
            "PAUSE UNTIL 2026-12-02 / BECAUSE Cleo is in hospital and cannot write",
        ),
        (
            "Because I am away, please pause the game until 2 December.",
            "PAUSE UNTIL 2026-12-02 / BECAUSE I am away",
        ),
        (
            "Because of the storm I lost power, so give everybody a day more.",
            "EXTEND a day / BECAUSE of the storm I lost power",
        ),
    ],
)
def test_the_reason_in_a_sentence_is_told(world: World, text: str, line: str) -> None:
    answer = master(world, text, world.started()["GM"])
    assert f"send {line}. Or reply with YES." in answer
    assert "Passed over" not in answer


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("No deadlines over Christmas here please, that is from 24 December to 1 January.", "2026-12-24..2027-01-01"),
        ("No deadlines over New Year please, that is from 30 December to 2 January.", "2026-12-30..2027-01-02"),
    ],
)
def test_a_clause_that_the_line_fulfils_is_not_left_out(world: World, text: str, days: str) -> None:
    offers(world, text, f"SET holidays={days}", world.started()["GM"])


@pytest.mark.parametrize(
    "text",
    [
        "From now on there should be no press between players in retreats and builds.",
        "No letters among the powers during retreats and builds, please.",
        "No press in retreats and builds from now on, please.",
    ],
)
def test_phases_without_press_are_not_all_of_them(world: World, text: str) -> None:
    offers(world, text, "SET quiet=retreats,builds", world.started()["GM"])


@pytest.mark.parametrize(
    "text", ["Ignore the late orders of France.", "Please disregard France's late orders.", "Reject the late orders."]
)
def test_who_ignores_late_orders_needs_nothing(world: World, text: str) -> None:
    seats = world.started()
    master(world, "PROCESS S1901M", seats["GM"])
    world.pass_time(hours=1)
    world.send(player("France"), seats["France"], "S1901M:\n" + OPENINGS["France"])
    answer = master(world, text, seats["GM"])
    assert "reply with YES" not in answer
    assert "send ACCEPT LATE France" not in answer


def test_the_settings_of_a_game_are_its_options(world: World) -> None:
    assert "Status of spring" in master(world, "What are the settings?", world.started()["GM"])


def test_a_reason_ends_where_something_else_is_wanted(world: World) -> None:
    gm = world.started()["GM"]
    answer = master(world, "Please extend by 24h, because Italy is ill, and remind all", gm)
    assert "get your reason" not in answer
    assert "later than before" not in answer
    answer = master(world, "EXTEND 24h because Italy is ill, and we all need time", gm)
    assert "All players get your reason: Italy is ill, and we all need time." in answer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "End spring without a result please. My last words to the players: thank you all, see you next year!",
            "thank you all, see you next year!",
        ),
        (
            "Please end spring without a result. A few words for everybody: it was fun, come back soon.",
            "it was fun, come back soon.",
        ),
    ],
)
def test_words_behind_a_colon_above_an_end_are_its_remark(world: World, text: str, words: str) -> None:
    offers(world, text, f"REMARK / {words} / ENDREMARK / TERMINATE spring", world.started()["GM"])


@pytest.mark.parametrize(
    "text",
    [
        "Pause the game until 2 December. And for the two in Vienna: have a fine week at the sea.",
        "Extend by a day. What I tell them: the mail server was asleep all the day.",
    ],
)
def test_nothing_that_stands_behind_a_colon_is_lost_by_a_yes(world: World, text: str) -> None:
    answer = master(world, text, world.started()["GM"])
    _, words = text.split(": ")
    assert "reply with YES" not in answer or words in answer
    assert all(sign.isprintable() or sign == "\n" for sign in answer)
    assert "\ufffd" not in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Please send the reminders 48 and 12 hours before the deadline, and make retreats last two days.",
            "SET reminder=48h,12h retreat=2d",
        ),
        ("Please send reminders 48 hours and 12 hours before the deadline.", "SET reminder=48h,12h"),
        ("Reminders should come 24h, 6h and 1h before the deadline.", "SET reminder=24h,6h,1h"),
        ("Remind them two days and 6 hours before each deadline, please.", "SET reminder=2d,6h"),
    ],
)
def test_an_option_of_several_lengths_gets_all_of_them(world: World, text: str, line: str) -> None:
    offers(world, text, line, world.started()["GM"])


@pytest.mark.parametrize(
    ("text", "due"),
    [
        (
            "Ann and Bob are both in, so let's start the game. The first deadline should be Monday 8pm London time.",
            "Mon 23 Nov 2026 20:00",
        ),
        ("Start the game please, and set the first deadline to Tuesday 9pm.", "Tue 24 Nov 2026 21:00"),
    ],
)
def test_the_first_deadline_is_the_first_such_day_from_now(world: World, text: str, due: str) -> None:
    gm = reply_to(world.send(MASTER, BASE, "CREATE spring standins=yes"))
    world.send(player("Italy"), BASE, "JOIN spring AS Italy")
    answer = master(world, text, gm)
    assert f"send DEADLINE {due}. Or reply with YES, which does both." in answer


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Hello, no deadlines between 23 December and 3 January please, in all my games.", "2026-12-23..2027-01-03"),
        (
            "There should be no deadlines between the 24th and the 27th of December in all my games.",
            "2026-12-24..2026-12-27",
        ),
    ],
)
def test_days_between_two_are_all_of_them(world: World, text: str, days: str) -> None:
    world.started(), world.started("twin")
    offers(world, text, f"ALL GAMES: SET holidays={days}")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Please give everybody two more days because the mail server was down yesterday.",
            "EXTEND two days / BECAUSE the mail server was down yesterday",
        ),
        (
            "The server was down on Sunday, so please give one more day and tell everybody that this is the reason.",
            "EXTEND one day / BECAUSE The server was down on Sunday",
        ),
        (
            "I am moving house and the net is down, so please extend by a day. Tell them that this is why.",
            "EXTEND a day / BECAUSE I am moving house and the net is down",
        ),
        (
            "I processed the phase by mistake, please take it back to Spring 1901 so that all can order anew.",
            "ROLLBACK S1901M / BECAUSE I processed the phase by mistake",
        ),
    ],
)
def test_what_only_explains_is_the_reason(world: World, text: str, line: str) -> None:
    offers(world, text, line, played(world))


@pytest.mark.parametrize(
    "text",
    [
        "Please pause spring and wide until 7 December; the others go on.",
        "Please pause spring and wide until 7 December. The other games continue normally.",
    ],
)
def test_the_others_go_on_by_themselves(world: World, text: str) -> None:
    world.started(), world.started("twin"), world.started("wide")
    offers(world, text, "ALL GAMES spring, wide: PAUSE UNTIL 2026-12-07")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Dora has told me she can't go on. Please take her power away from her and let a stand-in play it.",
            "EJECT Russia / STANDIN Russia",
        ),
        ("Please eject Dora and let a stand-in play.", "EJECT Russia / STANDIN Russia"),
        ("Kim cannot go on. Ask bob@example.net to take over.", "REPLACE Italy WITH bob@example.net"),
    ],
)
def test_who_is_named_as_in_their_address_is_their_power(world: World, text: str, line: str) -> None:
    gm = reply_to(world.send(MASTER, BASE, "CREATE spring standins=yes"))
    world.send("dora@mail.example", BASE, "JOIN spring AS Russia")
    world.send("kim.lee@mail.example", BASE, "JOIN spring AS Italy")
    master(world, "START spring", gm)
    offers(world, text, line, gm)


def test_each_game_that_needs_players_is_shown_with_its_seats(world: World) -> None:
    for name in ("spring", "autumn"):
        master(world, f"CREATE {name}")
    world.send(player("Italy"), BASE, "JOIN spring AS Italy")
    answer = master(world, "Which of my games still need players?")
    assert "spring: 1 of 7 seats is taken." in answer
    assert "autumn: 0 of 7 seats are taken." in answer


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Please extend the deadline of spring by two days", "send EXTEND two days."),
        ("What did I change in spring today?", "S1901M"),
        ("Who has not sent orders in spring yet?", "Austria"),
    ],
)
def test_what_was_confirmed_is_read_as_if_it_had_been_proved(world: World, text: str, said: str) -> None:
    world.started()
    world.arrive(MASTER, BASE, text)
    world.work()
    asked = world.last(MASTER)
    assert "Did you write this?" in str(asked["Subject"])
    answer = world.send(MASTER, reply_to(asked), "YES", headers=proved(MASTER))
    assert "nothing understood" not in str(answer["Subject"])
    assert said in text_of(answer)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Hi, please set up a new game called mist, Fog of War. Moves two days, deadlines at 9pm New York time, "
            "none on Saturdays and Sundays. Stand-ins may play what nobody takes.",
            "CREATE mist variant=fog standins=yes days=mon-fri move=2d at=21:00 zone=America/New_York",
        ),
        (
            "Please create a game fogthree of Fog of War, where stand-ins play what nobody takes.",
            "CREATE fogthree variant=fog standins=yes",
        ),
        (
            "I want a new game called quiet, Fog of War. Let stand-ins play the seats that nobody takes.",
            "CREATE quiet variant=fog standins=yes",
        ),
        (
            "Make a new game harbour with moves of two days, none on Saturdays and Sundays.",
            "CREATE harbour days=mon-fri move=2d",
        ),
        ("Please create a game Fog of War with moves of two days.", "CREATE game-fog variant=fog move=2d"),
    ],
)
def test_what_is_said_about_a_new_game_is_for_no_other(world: World, text: str, line: str) -> None:
    world.started()
    offers(world, text, line)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "France and Italy insult each other. Please tell them both: whoever insults the other loses the seat",
            "PRESS TO France, Italy / whoever insults the other loses the seat / ENDPRESS",
        ),
        ("late orders should be accepted for six hours", "SET grace=6h"),
        ("The moves take four days from now on, and late orders are accepted for 12 hours", "SET move=4d grace=12h"),
        ("I promised them that they would get two more days. So extend by two days please", "EXTEND two days"),
        (
            "Please tell the two of them: whoever insults the other loses the seat",
            "OFFICIAL / whoever insults the other loses the seat / ENDOFFICIAL",
        ),
    ],
)
def test_what_is_told_to_others_and_what_was_said_is_no_deed(world: World, text: str, line: str) -> None:
    offers(world, text, line, world.started()["GM"])


@pytest.mark.parametrize(
    "text",
    [
        "England has written to me twice that the map is wrong. It is not. Tell him so.",
        "I'd rather have somebody else play Turkey. Ask zoe@play.example; until she answers Turkey keeps her seat.",
        "Eve and Turkey both play fast.",
    ],
)
def test_nobody_is_sent_away_but_by_a_word_for_it(world: World, text: str) -> None:
    answer = master(world, text, world.started()["GM"])
    assert not any(line in answer for line in ("EJECT", "STANDIN", "DUMMY"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Ines (Italy) is away until 12 December. Please pause until then.", "PAUSE UNTIL 2026-12-12"),
        ("Give them until the 12th, please", "DEADLINE Sat 12 Dec 2026 09:00"),
        ("Remind all who have not sent orders one day before the deadline.", "SET reminder=1d"),
        ("Declare a draw between all of them and close the game", "DRAW spring"),
        ("The deadline moves to Friday 20:00, so please remind them", "DEADLINE Fri 27 Nov 2026 20:00"),
        ("Extend by a day, so please remind them", "EXTEND a day"),
        ("Poor Bob sat in a train without a network. Give him a day more.", "EXTEND a day"),
    ],
)
def test_a_time_is_looked_for_where_it_is_named(world: World, text: str, line: str) -> None:
    answer = master(world, text, world.started()["GM"])
    assert f"send {line}." in answer
    assert "Or reply with YES." in answer


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Eve starts a new job this week. Please move the deadline to 8 December 20:00.",
            "DEADLINE Tue 08 Dec 2026 20:00",
        ),
        ("Italy flies to Peru on Monday. Please pause until 14 December.", "PAUSE UNTIL 2026-12-14"),
        ("Germany always sends at the last minute. Let deadlines be at 21:00 from now on.", "SET at=21:00"),
        ("Send results to everybody. Extend by a day.", "EXTEND a day"),
    ],
)
def test_what_somebody_does_explains_and_takes_no_yes_away(world: World, text: str, line: str) -> None:
    answer = master(world, text, world.started()["GM"])
    assert f"send {line}." in answer
    assert "Or reply with YES." in answer


def test_of_what_was_said_once_nothing_is_done_now(world: World) -> None:
    answer = master(
        world, "I had told nobody that I would end the phase early. Her orders count, please", played(world)
    )
    assert "PROCESS" not in answer.partition("Next is")[0]
    assert "send ACCEPT LATE" in answer


def test_words_for_others_end_where_a_wish_begins(world: World) -> None:
    gm = world.started()["GM"]
    answer = master(world, "Process the phase with the remark: that was close. Then extend by a day.", gm)
    assert "send REMARK / that was close. / ENDREMARK / PROCESS S1901M." in answer
    assert "send EXTEND a day. Or reply with YES, which does both." in answer
    words = "I am away until Sunday. And please be kind to each other."
    offers(world, f"Tell everybody: {words}", f"OFFICIAL / {words} / ENDOFFICIAL", gm)


def test_a_game_that_stays_paused_is_not_resumed(world: World) -> None:
    world.started(), world.started("twin")
    for name in ("spring", "twin"):
        master(world, f"{name}: PAUSE")
    answer = master(world, "The holidays are over, so spring goes on at once. Twin stays paused")
    assert "send RESUME / BECAUSE The holidays are over. Or reply with YES." in answer
    master(world, "YES", reply_to(world.last(MASTER)))
    assert [world.game(name).paused for name in ("spring", "twin")] == [False, True]


def test_names_beside_a_wish_want_nothing_of_their_own(world: World) -> None:
    world.started(), world.started("twin")
    wish = "zoe@example.org takes over Turkey in spring and Italy in twin"
    world.arrive(MASTER, BASE, wish, headers=proved(MASTER))
    world.work()
    assert not any("send DUMMY Italy" in text_of(mail) for mail in world.mailboxes[MASTER][-2:])
    assert any("send REPLACE Turkey WITH zoe@example.org" in text_of(mail) for mail in world.mailboxes[MASTER][-2:])


def test_yes_to_words_and_time_for_several_games_does_each_once(world: World) -> None:
    for name in ("spring", "twin", "wide"):
        world.started(name)
    due = {name: world.game(name).due_at for name in ("spring", "twin", "wide")}
    answer = master(
        world,
        "Hal is in hospital, so give everybody in spring and twin three days more, and tell the players of both games"
        " that I wish Hal a quick recovery.",
    )
    assert "Or reply with YES, which does both." in answer
    world.arrive(MASTER, reply_to(world.last(MASTER)), "YES", headers=proved(MASTER))
    world.work()
    for name, days in (("spring", 3), ("twin", 3), ("wide", 0)):
        before = due[name]
        assert before is not None
        assert world.game(name).due_at == before + timedelta(days=days), name
    france = world.mailboxes[player("France")]
    assert sum("New deadline" in str(mail["Subject"]) for mail in france) == 2
    assert sum("I wish Hal a quick recovery" in text_of(mail) for mail in france) == 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("As soon as the results are out, extend the deadline by 24 hours.", "EXTEND 24 hours"),
        ("Please give everybody two days more in the next phase.", "EXTEND two days"),
        ("When the report has gone out, pause the game until 2 January.", "PAUSE UNTIL 2027-01-02"),
        ("Once this phase is over, set the deadline to 5 December 20:00.", "DEADLINE Sat 05 Dec 2026 20:00"),
        ("When the next phase starts give them 12h more.", "EXTEND 12h"),
        (
            "When the next phase starts, 12 more hours please, because of the Christmas party",
            "EXTEND 12 hours / BECAUSE the Christmas party",
        ),
    ],
)
def test_what_is_to_be_done_with_the_next_phase_is_scheduled_for_it(world: World, text: str, line: str) -> None:
    offers(world, text, f"SCHEDULE next phase: {line}", world.started()["GM"])


def test_the_next_phase_beside_a_wish_for_this_one_is_left_out(world: World) -> None:
    text = "Extend by a day, please, the results of the next phase are important."
    assert "send EXTEND a day. It leaves out" in master(world, text, world.started()["GM"])


def test_a_game_in_which_it_would_be_refused_is_left_out_of_what_is_for_all(world: World) -> None:
    gm = world.started()["GM"]
    world.started("twin"), world.started("wide")
    master(world, "PAUSE", gm)
    answer = master(world, "Please pause all my games.")
    assert "send ALL GAMES twin, wide: PAUSE. spring is left out: spring is already paused." in answer
    assert "YES." in answer
