"""A gamemaster's sentences: around commands they explain; what others asked for is no wish; YES never does half."""

from __future__ import annotations

import pytest

from gm.orders import Move
from tests.server.world import BASE, OPENINGS, World, player, proved, reply_to, text_of

MASTER = "master@example.org"


def master(world: World, text: str, to: str = BASE) -> tuple[str, str]:
    """The subject and the text of the only answer."""
    before = len(world.mailboxes.get(MASTER, ()))
    world.arrive(MASTER, to, text, headers=proved(MASTER))
    world.work()
    (mail,) = [one for one in world.mailboxes[MASTER][before:] if one["In-Reply-To"]]
    return str(mail["Subject"]), text_of(mail)


@pytest.mark.parametrize(
    "text",
    [
        "Take Turkey from Hanna now and let a stand-in play it:\nEJECT TURKEY\nSTANDIN TURKEY",
        "Since we are nearly complete let us close tomorrow already:\nDEADLINE 2026-11-25 21:00",
        "We are nearly complete, so let us close earlier, Wednesday 21:00 will do.\nDEADLINE 2026-11-25 21:00",
        "Not yet, Anna's orders had gone to my private address.\nORDERS FOR FRANCE\nA PAR-PIC",
        "Half an hour late, that is fine with me.\nORDERS FOR FRANCE\nA PAR-PIC",
        "Last year she left two games.\nEJECT ITALY",
        "Please tell the players of both games:\nOFFICIAL\nPlease extend nothing.\nENDOFFICIAL",
        "Kim is silent. Before I throw anybody out I want to ask all whether they are still there:\nMUSTER in 48h",
        "Eve and Finn find that the game drags.\nSET move=36h",
        "No deadlines over Christmas, please, when everybody is with their family.\nSET holidays=23 Dec - 3 Jan",
        "EXTEND 24h\nThank you, see you on Sunday",
        "SCHEDULE next phase: EXTEND 24h\nThen I need not think of it.",
        "On Sunday evening those who are still missing here should hear\nfrom you, and see whose orders are in:\n"
        "- SET progress=yes",
    ],
)
def test_sentences_around_commands_explain_them(world: World, text: str) -> None:
    subject, said = master(world, text, world.started()["GM"])
    assert "answer is needed" not in subject
    assert "Your mail was understood." in said
    for noise in ("YES.", "Not a command", "Help:", "HELP says", "Nothing was changed", "not done yet"):
        assert noise not in said.replace("as soon as they say YES.", "")


def test_another_wish_beside_a_command_is_said_quietly(world: World) -> None:
    seats = world.started()
    due = world.game().due_at
    subject, said = master(world, "EJECT ITALY\nPlease give everybody 24 hours more.", seats["GM"])
    assert "answer is needed" not in subject
    assert "No command, so nothing more was done for it: 'Please give everybody 24 hours more.'." in said
    assert "If you want that, too: EXTEND 24 hours" in said
    assert "YES." not in said
    assert world.game().due_at == due


def test_a_game_that_only_explains_a_command_gets_no_mail(world: World) -> None:
    world.started("amber")
    _, said = master(world, "With amber's hours, but the results at once:\nCREATE pit LIKE amber")
    assert "The game pit (Diplomacy) is ready" in said


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("Rolf asked for 48 hours. Please extend by 24 hours.", "send EXTEND 24 hours."),
        ("Bob asked me for three days; I give one day more.", "send EXTEND one day."),
        ("They have requested a week. Please give them 36 hours more.", "send EXTEND 36 hours."),
        ("The players wanted two days. 24 hours more, please.", "send EXTEND 24 hours"),
    ],
)
def test_what_others_asked_for_is_no_wish(world: World, text: str, offered: str) -> None:
    _, said = master(world, text, world.started()["GM"])
    assert offered in said
    assert "Or reply with YES." in said


def test_all_that_is_wanted_of_a_power_is_done_by_one_yes(world: World) -> None:
    wish = "Russia leaves. Would you ask Nina <nina@example.net> whether she takes over?"
    gm = world.started()["GM"]
    _, said = master(world, wish, gm)
    assert "REPLACE Russia WITH nina@example.net" in said
    assert "Or reply with YES." in said
    assert "DUMMY" not in said  # nobody has said that Russia is to have no player
    master(world, "YES", gm)
    assert "Russia" in text_of(world.last("nina@example.net"))


@pytest.mark.parametrize(
    "text",
    [
        "Please give two more days. Please write so to ann@example.net as well.",
    ],
)
def test_yes_is_not_offered_for_half(world: World, text: str) -> None:
    _, said = master(world, text, world.started()["GM"])
    assert "Or reply with YES" not in said


def of_games(world: World) -> None:
    for name in ("amber", "pit", "duel"):
        world.started(name)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Please give 24 hours more in amber, and the same in pit. Duel stays as it is.",
            "amber, pit: EXTEND 24 hours",
        ),
        ("Please give amber and pit until Wednesday 20:00. Duel too.", ": EXTEND UNTIL Wednesday 20:00"),
        (
            "Move the deadlines of amber and pit by two days, please; duel stays as it is.",
            "amber, pit: EXTEND two days",
        ),
        ("Move the deadlines of amber and pit by two days", "amber, pit: EXTEND two days"),
    ],
)
def test_games_that_are_added_or_spared_make_one_list(world: World, text: str, line: str) -> None:
    of_games(world)
    _, said = master(world, text)
    assert f"send ALL GAMES{'' if line[0] == ':' else ' '}{line}" in said
    assert "Or reply with YES." in said


def test_all_of_them_answers_in_which_game(world: World) -> None:
    of_games(world)
    _, said = master(world, "Please remind everybody.")
    assert "ALL GAMES amber, pit, duel: REMIND" in said
    before = len(world.mailboxes[player("Italy")])
    cited = {"In-Reply-To": str(world.last(MASTER)["Message-ID"])}
    world.arrive(MASTER, BASE, "All of them, as I said.", headers=proved(MASTER) | cited)
    world.work()
    assert len(world.mailboxes[player("Italy")]) == before + 3


@pytest.mark.parametrize("words", ["Good, then let it count.", "Fine, go ahead", "Ok, please do it now."])
def test_few_words_agree_to_the_one_thing_that_is_proposed(world: World, words: str) -> None:
    seats = world.started()
    for power, orders in OPENINGS.items():
        world.send(player(power), seats[power], orders)
    master(world, "CORRECT S1901M\nORDERS FOR GERMANY\nA MUN-TYR\nBECAUSE lost", seats["GM"])
    cited = {"In-Reply-To": str(world.last(MASTER)["Message-ID"])}
    assert "is adjudicated again" in text_of(world.send(MASTER, seats["GM"], words, headers=proved(MASTER) | cited))


def test_a_day_of_the_week_before_a_date_is_that_day(world: World) -> None:
    _, said = master(world, "So the game stands still until Monday 7 December, please.", world.started()["GM"])
    assert "send PAUSE UNTIL 2026-12-07." in said


@pytest.mark.parametrize(
    ("line", "variant"),
    [
        ("CREATE pit black-hole LIKE ember release=auto", "Black Hole Diplomacy I"),
        ("CREATE pit variant=fog LIKE ember release=auto", "Fog of War"),
        ("CREATE pit release=auto LIKE ember", "Diplomacy"),
        ("CREATE pit LIKE ember variant=among-us release=auto", "There Are Aliens Among Us"),
    ],
)
def test_a_game_like_another_takes_what_is_written_in_any_order(world: World, line: str, variant: str) -> None:
    master(world, "CREATE ember release=gm standins=yes")
    _, said = master(world, line)
    assert f"The game pit ({variant}) is ready" in said
    assert world.game("pit").options.release == "auto"


@pytest.mark.parametrize(
    "text",
    [
        "A pity. Please ask Ralph Otto <ralph@players.example> instead.",
        "What a shame! Invite ralph@players.example in her place, please.",
    ],
)
def test_somebody_else_is_invited_to_a_game_that_is_forming(world: World, text: str) -> None:
    made = world.send(MASTER, BASE, "CREATE pit")
    _, said = master(world, text, reply_to(made))
    assert "send INVITE ralph@players.example. Or reply with YES." in said
    world.send(MASTER, reply_to(world.last(MASTER)), "YES")
    assert "pit" in str(world.last("ralph@players.example")["Subject"])


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, wrong game. Please undo that here, and give duel a day.",
        "Extend duel by 24 hours and undo that in this game, please.",
    ],
)
def test_a_wish_for_this_game_and_one_for_another_go_each_to_its_own(world: World, text: str) -> None:
    seats = world.started("amber"), world.started("duel")
    world.send(MASTER, seats[0]["GM"], "EXTEND 24h")
    before = len(world.mailboxes[MASTER])
    world.arrive(MASTER, seats[0]["GM"], text, headers=proved(MASTER))
    world.work()
    said = {str(one["Subject"]): text_of(one) for one in world.mailboxes[MASTER][before:]}
    (amber,) = [words for subject, words in said.items() if "[amber]" in subject]
    (duel,) = [words for subject, words in said.items() if "[duel]" in subject]
    assert "send UNDO. Or reply with YES." in amber
    assert "send EXTEND" in duel
    assert "Or reply with YES." in duel
    assert "UNDO" not in duel


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        (
            "No deadlines between 23 December and 3 January in amber and pit, please. All the others go on as usual.",
            "send ALL GAMES amber, pit: SET holidays=2026-12-23..2027-01-03. Or reply with YES. ALL",
        ),
        (
            "I'm ill this week, so please push every deadline back by three days, except in duel.",
            "send ALL GAMES BUT duel: EXTEND three days / BECAUSE I'm ill this week. "
            "Now it would be refused: It has not begun",
        ),
    ],
)
def test_the_other_games_of_a_wish_are_none_of_its_wishes(world: World, text: str, offered: str) -> None:
    for name in ("amber", "pit", "duel"):
        master(world, f"CREATE {name}")
    assert offered in master(world, text)[1]


def test_what_belongs_to_a_game_too_is_wished_for_it(world: World) -> None:
    for name in ("amber", "pit", "duel"):
        master(world, f"CREATE {name}")
    _, said = master(world, "The deadline of amber should be Sunday 8pm instead, and duel's too.")
    assert "ALL GAMES amber, duel: " in said


def test_of_what_may_be_wished_only_that_is_offered_which_can_be_done(world: World) -> None:
    master(world, "CREATE duel germany-italy")
    for name in ("ann", "bob"):
        world.send(f"{name}@players.example", BASE, "JOIN duel", headers=proved(f"{name}@players.example"))
    _, said = master(world, "duel is complete now, please begin it.")
    assert "send START. Or reply with YES." in said


def test_what_cannot_be_taken_back_is_not_offered_since_nothing_else_can_be_done(world: World) -> None:
    seats = world.started()
    _, said = master(world, "From next phase on, please give 12 hours of grace.", seats["GM"])
    assert "send PROCESS" not in said
    master(world, "PAUSE", seats["GM"])
    assert "send RESUME. Or reply with YES." in master(world, "We can go on now.", seats["GM"])[1]


def test_late_orders_that_a_sentence_accepts_are_named(world: World) -> None:
    seats = world.started("amber")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    world.pass_time(minutes=20)
    world.send(player("Turkey"), seats["Turkey"], "S1901M:\nA SMY-ARM")
    _, said = master(world, "That is all right, please let them count.", seats["GM"])
    assert "send ACCEPT LATE Turkey. Or reply with YES." in said
    world.send(MASTER, reply_to(world.last(MASTER)), "YES")
    assert "late orders of Turkey (20 minutes after" in text_of(world.last(player("Italy")))


@pytest.mark.parametrize(
    ("line", "then"),
    [
        ("DEADLINE Dienstag 20 Uhr", "Tue 24 Nov 2026, 20:00"),
        ("DEADLINE 1. Dezember 18.30 Uhr", "Tue 1 Dec 2026, 18:30"),
        ("EXTEND bis Montag 20 Uhr", "Mon 30 Nov 2026, 20:00"),
        ("EXTEND zwei Tage", "It is 2 days later"),
        ("DEADLINE mardi 20:00", "Tue 24 Nov 2026, 20:00"),
        ("PAUSE UNTIL 6. Januar", "It goes on Wed 6 Jan 2027"),
    ],
)
def test_times_have_their_words_in_other_languages_too(world: World, line: str, then: str) -> None:
    assert then in master(world, line, world.started()["GM"])[1]


def test_what_a_gamemaster_explains_is_said_to_be_read_as_that(world: World) -> None:
    text = "What would come out of S1901M? Only show it to me, do not process it yet."
    _, said = master(world, text, world.started()["GM"])
    assert "Your mail was understood." in said
    assert "Read as an explanation, so nothing more was done for it: 'Only show it to me, do" in said
    assert "Not read as orders" not in said


def test_what_explains_commands_is_not_repeated(world: World) -> None:
    text = "Eve wrote me in time that her fleet should go to Albania, and I forgot it:\nORDERS FOR AUSTRIA\nF TRI-ALB"
    _, said = master(world, text, world.started()["GM"])
    assert "Your mail was understood." in said
    assert "Eve wrote me" not in said


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        (
            "Please pause all my games until 12 December and tell the players that I am away.",
            ("ALL GAMES: PAUSE UNTIL 2026-12-12", "GAME amber, duel / OFFICIAL / I am away. / ENDOFFICIAL"),
        ),
        (
            "Please pause all my games until 12 December and tell the players that I am away; duel goes on.",
            ("ALL GAMES amber: PAUSE UNTIL 2026-12-12", "GAME amber / OFFICIAL / I am away. / ENDOFFICIAL"),
        ),
        (
            "Please pause amber until 12 December and tell its players that I am away. Duel goes on as it is.",
            ("PAUSE UNTIL 2026-12-12", "OFFICIAL / I am away. / ENDOFFICIAL"),
        ),
        ("Pause all my games until 12 December; duel continues.", ("ALL GAMES amber: PAUSE UNTIL 2026-12-12",)),
        ("Pause all my games until 12 December; old goes on.", ("ALL GAMES: PAUSE UNTIL 2026-12-12",)),
    ],
)
def test_all_wishes_of_a_sentence_are_for_the_games_that_it_means(
    world: World, text: str, offered: tuple[str, ...]
) -> None:
    world.send(MASTER, world.started("old")["GM"], "TERMINATE old", headers=proved(MASTER))
    for name in ("amber", "duel"):
        world.started(name)
    _, said = master(world, text)
    assert all(f"send {line}" in said for line in offered), said
    assert "YES" in said


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "PAUSE UNTIL 9 Dec\nI'd like them to have three days after that.",
            '"I\'d like them to have three days after that.". If you want that, too: EXTEND three days',
        ),
        (
            "Wait until Thursday 20:00, and if there is still nothing then, the stand-in is to play on.\n"
            "DEADLINE Thursday 20:00",
            "'and if there is still nothing then, the stand-in is to pl...'. No command waits for what may happen;",
        ),
    ],
)
def test_what_a_command_does_not_do_of_the_sentence_beside_it_is_named(world: World, text: str, named: str) -> None:
    _, said = master(world, text, world.started()["GM"])
    assert f"No command, so nothing more was done for it: {named}" in said


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "1. Is press between players allowed in retreat phases? If so:\nSET quiet=retreats",
            "spring has quiet=retreats",
        ),
        ("EXTEND 24h\nOh no, that was a mistake.\nUNDO\nWhat is scheduled now?", "Scheduled in spring"),
        ("EXTEND 1h\nDoes Turkey have a deputy, and until when?", "plays Turkey. Orders: none. Heard: Fri 20 Nov"),
    ],
)
def test_a_question_beside_commands_is_answered(world: World, text: str, answer: str) -> None:
    _, said = master(world, text, world.started()["GM"])
    assert answer in said
    assert "not carried out" not in said
    assert "DRAW" not in said


def test_an_item_of_a_list_may_end_with_its_command(world: World) -> None:
    text = "- the moves take longer then: SCHEDULE Friday 12:00: SET move=4d\n- if nobody minds: SET grace=12h"
    _, said = master(world, text, world.started()["GM"])
    assert "Scheduled for Fri 20 Nov 2026, 12:00 UTC: SET move=4d" in said
    assert world.game().options.clock.grace is None


def test_builds_that_somebody_told_the_gamemaster_are_for_no_movement_phase(world: World) -> None:
    seats = world.started()
    for code in ("S1901M", "F1901M"):
        for power, orders in OPENINGS.items() if code == "S1901M" else {"France": "A SPA-POR"}.items():
            world.arrive(player(power), seats[power], orders)
        master(world, f"PROCESS {code}", seats["GM"])
    assert world.phase() == "W1901A"
    world.pass_time(minutes=5)
    _, said = master(world, "GAME spring\nORDERS FOR France\nBUILD A PAR\nBECAUSE it came by phone")
    assert "may be for" not in said
    assert "Orders of France now in force: Build A Par." in said


def test_the_options_that_can_be_changed_are_shown_without_those_that_cannot(world: World) -> None:
    _, said = master(world, "SET move=2d first=2d", world.started()["GM"])
    assert "first can no longer be changed. No option of this line was changed. The rest alone: SET move=2d." in said


def test_what_is_for_the_next_phase_stays_behind_what_ends_this_one_above_a_text(world: World) -> None:
    gm = world.started()["GM"]
    _, said = master(world, "PROCESS S1901M\nEXTEND 12h\nREMARK\nNobody was in time.\nENDREMARK", gm)
    assert "EXTEND 12h is for the phase after S1901M" in said
    told = " ".join(text_of(mail) for mail in world.mailboxes[player("Italy")])
    assert "New deadline" not in " ".join(str(mail["Subject"]) for mail in world.mailboxes[player("Italy")])
    assert "Nobody was in time." in told


@pytest.mark.parametrize("line", ["MUSTER in 24h", "SET progress=yes\nUNDO"])
def test_whoever_is_told_of_a_command_is_told_its_reason(world: World, line: str) -> None:
    gm = world.started()["GM"]
    _, said = master(world, f"{line}\nBECAUSE it was for another game", gm)
    assert "your reason: it was for another game." in said
    assert "The reason: it was for another game." in text_of(world.last(player("Italy")))


def test_an_item_that_names_its_game_is_for_that(world: World) -> None:
    world.started(), world.started("twin")
    items = "- spring: EXTEND 24h\n- twin: NOTE Ann was late\n- on Monday in spring: SCHEDULE Monday 19:00: REMIND"
    world.arrive(MASTER, BASE, items, headers=proved(MASTER))
    world.work()
    said = {str(mail["Subject"])[:12]: text_of(mail) for mail in world.mailboxes[MASTER] if mail["In-Reply-To"]}
    assert "Mon 23 Nov 2026, 19:00 UTC: REMIND" in said["Re: [spring]"]
    assert "REMIND" not in said["Re: [twin] S"]


def test_yes_above_commands_is_done_before_them(world: World) -> None:
    gm = world.started(options="release=gm")["GM"]
    master(world, "PROCESS S1901M", gm)
    asked = world.send(MASTER, gm, "CORRECT S1901M\nORDERS FOR GERMANY\nA MUN-RUH\nBECAUSE it came by phone")
    headers = {**proved(MASTER), "In-Reply-To": str(asked["Message-ID"]), "Subject": f"Re: {asked['Subject']}"}
    text = "Yes, please let it count. And then out with it:\n\nREMARK\nMended, I hope.\nENDREMARK\nRELEASE S1901M"
    world.send(MASTER, gm, text, headers=headers)
    world.work()
    report = text_of(world.last(player("Italy")))
    assert "A Ruh" in report
    assert "Mended, I hope." in report


def rolled_back(world: World) -> str:
    """The gamemaster's address of a game whose first phase is played again, in which Italy alone has sent orders."""
    seats = world.started()
    world.arrive(player("Italy"), seats["Italy"], OPENINGS["Italy"])
    world.work()
    for line in ("PROCESS S1901M", "ROLLBACK S1901M"):
        master(world, line, seats["GM"])
    return seats["GM"]


def test_who_has_all_orders_in_force_after_a_rollback_lacks_none(world: World) -> None:
    _, said = master(world, "DASHBOARD", rolled_back(world))
    assert "Without orders: Austria, England, France, Germany, Russia and Turkey." in said


def test_what_somebody_wrote_and_asks_is_no_wish_beside_a_question(world: World) -> None:
    text = "Gus wrote that he knows who plays Turkey, and asks whether others can see the names. Who is late?"
    _, said = master(world, text, world.started()["GM"])
    assert "REVEAL" not in said
    assert "Without orders: Austria" in said


def test_a_line_that_a_mail_program_broke_is_one_sentence(world: World) -> None:
    text = (
        "Please tell the players of spring and twin that I am at work until\nsix each day, and answer in the evening."
    )
    world.started(), world.started("twin")
    _, said = master(world, text)
    assert "OFFICIAL / I am at work until six each day, and answer in the evening. / ENDOFFICIAL" in said
    assert "YES." in said


def test_what_others_have_done_begins_no_game(world: World) -> None:
    world.send(MASTER, BASE, "CREATE spring")
    _, said = master(world, "All seats should be taken. How do my games stand?\nDASHBOARD")
    assert "To begin the game" not in said


def test_a_stand_in_orders_for_the_units_without_an_order(world: World) -> None:
    seats = world.started()
    world.arrive(player("Italy"), seats["Italy"], "A VEN-TRI")
    world.work()
    master(world, "EJECT ITALY\nSTANDIN ITALY", seats["GM"])
    _, said = master(world, "DASHBOARD", seats["GM"])
    assert "Orders: complete Player: stand-in" in said
    italy = next(seat for seat in world.game().players if seat.power == "Italy")
    orders = world.game().orders_of(italy)
    assert len(orders) == 3
    assert any(isinstance(one, Move) and one.to == "tri" for one in orders)


def test_nobody_with_all_orders_in_force_is_reminded_after_a_rollback(world: World) -> None:
    rolled_back(world)
    before = len(world.mailboxes[player("Italy")])
    world.pass_time(days=6, hours=12)
    subjects = [str(mail["Subject"]) for mail in world.mailboxes[player("Italy")][before:]]
    assert not [one for one in subjects if "reminder" in one]
    assert any("reminder" in str(mail["Subject"]) for mail in world.mailboxes[player("Turkey")])
