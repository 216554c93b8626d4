"""A gamemaster's sentences: around commands they explain; what others asked for is no wish; YES never does half."""

from __future__ import annotations

import pytest

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
    assert "Not a command, so not carried out: 'Please give everybody 24 hours more.'." in said
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


@pytest.mark.parametrize(
    "text",
    [
        "Russia leaves. Would you ask Nina <nina@example.net> whether she takes over?",
        "can Russia have 12 more hours?",
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
        ("Please give 24 hours more in amber, and the same in pit. Duel stays as it is.", "amber, pit: EXTEND 24h"),
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
    seats = world.begin_here("amber"), world.begin_here("duel")
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
