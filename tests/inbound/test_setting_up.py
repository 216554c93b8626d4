"""From CREATE to the opening report."""

from __future__ import annotations

import re

import pytest

from gm.board import Power
from gm.chance import Chance
from gm.options import read_options
from gm.options.table import OPTIONS
from gm.position import Season
from gm.store.game_rows import GameState, SeatRole
from gm.variants import all_variants
from gm.variants.standard import POWERS
from tests.inbound.test_first_contact import buttons
from tests.server.world import BASE, World, body_of, player, reply_to, text_of
from tests.variants.written import WRITTEN

MASTER = "master@example.org"


def test_help_lists_the_commands_for_a_stranger(world: World) -> None:
    answer = world.send("new@players.example", BASE, "HELP COMMANDS")
    for word in ("JOIN", "CREATE", "STATUS", "ORDERS"):
        assert word in text_of(answer)
    assert answer["X-Envelope-From"] == "<>", "a stranger's answer must not bounce to us"
    assert answer["Auto-Submitted"] == "auto-replied"


def test_creating_makes_the_sender_gamemaster_with_an_own_address(world: World) -> None:
    answer = world.send(MASTER, BASE, "CREATE spring move=2d zone=Europe/Berlin at=18:00")
    assert reply_to(answer).startswith("gm+spring.")
    assert reply_to(answer) in text_of(answer)
    assert [seat.role for seat in world.seats()] == [SeatRole.MASTER]
    assert world.game().options.texts["move"] == "2d"


@pytest.mark.parametrize(
    ("names", "subject"),
    [
        (("fern",), "Re: [fern] The game fern (France against Austria) is ready"),
        (("fern", "moss", "reed"), "Re: fern, moss and reed are ready"),
        (tuple(f"a-game-with-a-long-name-{number}" for number in range(3)), "Re: 3 games are ready"),
    ],
)
def test_the_subject_names_all_games_that_a_mail_makes_and_its_answer_has_no_page_of_help(
    world: World, names: tuple[str, ...], subject: str
) -> None:
    lines = "".join(f"CREATE {name} variant=france-austria\n" for name in names)
    answer = world.send(MASTER, BASE, f"How do I create a game?\n\n{lines}")
    assert " ".join(str(answer["Subject"]).split()) == subject
    assert "HELP CREATE all options" in text_of(answer)
    assert len(body_of(answer).splitlines()) < 40 + 10 * len(names)


def test_a_bad_option_makes_no_game_and_names_the_good_ones(world: World) -> None:
    text = text_of(world.send(MASTER, BASE, "CREATE spring mvoe=2d"))
    assert "mvoe" in text
    assert "move" in text
    assert "There is no game" in text_of(world.send(MASTER, BASE, "STATUS spring"))


def test_a_name_is_used_once(world: World) -> None:
    world.send(MASTER, BASE, "CREATE spring")
    assert "already" in text_of(world.send("other@example.org", BASE, "CREATE Spring"))
    assert len(world.seats()) == 1


MEANINGS = "help status all list gm off none open last everybody judge france french s1901 f1902m friday off-1 standard"


@pytest.mark.parametrize("name", MEANINGS.split())
def test_a_word_of_commands_is_no_games_name(world: World, name: str) -> None:
    """`HISTORY all` or `DRAW France` would have two meanings."""
    text = text_of(world.send(MASTER, BASE, f"CREATE {name}"))
    assert f"'{name}' has a meaning in commands. Choose another name, such as game-{name}." in text
    assert "is ready" in text_of(world.send(MASTER, BASE, f"CREATE game-{name}"))


@pytest.mark.parametrize("name", ["spring", "winter", "allies", "gmx", "fit", "grand-prix", "fridays", "open-air"])
def test_other_words_are_names(world: World, name: str) -> None:
    assert "is ready" in text_of(world.send(MASTER, BASE, f"CREATE {name}"))


def test_several_new_games_have_the_buttons_of_one(world: World) -> None:
    said = body_of(world.send(MASTER, BASE, "CREATE elm\nCREATE ash\nCREATE oak"))
    assert [said.count(f"\n    {line}\n") for line in ("JOIN elm", "STATUS ash", "HELP CREATE")] == [0, 0, 1]
    assert [said.count(f"\n    {line}\n") for line in ("JOIN oak", "STATUS oak")] == [1, 1]


def test_only_those_the_operator_names_may_create(tmp_path_factory: object, world: World) -> None:
    closed = World(world.path / "..", gamemasters=(MASTER,))
    assert "may not create" in text_of(closed.send("other@example.org", BASE, "CREATE autumn"))
    assert "is ready" in text_of(closed.send(MASTER, BASE, "CREATE autumn"))


def test_joining_registers_and_tells_the_gamemaster(world: World) -> None:
    world.send(MASTER, BASE, "CREATE spring")
    answer = world.send("ann@players.example", BASE, "JOIN spring AS France")
    assert "France" in text_of(answer)
    assert reply_to(answer).startswith("gm+spring.")
    assert "Ann has joined" in text_of(world.last(MASTER))


def test_joining_twice_keeps_one_seat_and_changes_the_wish(world: World) -> None:
    world.send(MASTER, BASE, "CREATE spring")
    world.send("ann@players.example", BASE, "JOIN spring AS France")
    world.send("ann@players.example", BASE, "JOIN spring AS Italy")
    players = [seat for seat in world.seats() if seat.role is SeatRole.PLAYER]
    assert [seat.wish for seat in players] == ["Italy"]
    assert "would like to play Italy" in text_of(world.last(MASTER))
    before = len(world.mailboxes[MASTER])
    for line in ("JOIN spring AS Italy", "JOIN spring"):
        assert "You already have a seat in spring." in text_of(world.send("ann@players.example", BASE, line))
    assert len(world.mailboxes[MASTER]) == before, "nothing is new"


def test_starting_needs_seven_and_the_gamemaster(world: World) -> None:
    created = world.send(MASTER, BASE, "CREATE spring")
    joined = world.send("ann@players.example", BASE, "JOIN spring")
    assert "6 more" in text_of(world.send(MASTER, reply_to(created), "START spring"))
    assert "Only the gamemaster" in text_of(world.send("ann@players.example", reply_to(joined), "START"))
    assert world.game().state is GameState.FORMING


def test_the_start_deals_powers_as_wished_and_reports_to_everybody(world: World) -> None:
    seats = world.started()
    assert world.phase() == "S1901M"
    assert {seat.power for seat in world.seats() if seat.role is SeatRole.PLAYER} == set(POWERS)
    for power in POWERS:
        opening = world.last(player(power))
        assert power in text_of(opening)
        assert reply_to(opening) == seats[power]
    france = text_of(world.last(player("France")))
    for unit in ("A Mar", "A Par", "F Bre"):
        assert unit.lower() in france.lower()
    assert world.service.identity.key.hex() not in france


def test_conflicting_preferences_go_to_the_first_and_the_rest_is_random(world: World) -> None:
    created = world.send(MASTER, BASE, "CREATE spring")
    for number in range(7):
        world.send(f"p{number}@players.example", BASE, "JOIN spring AS Turkey")
    world.send(MASTER, reply_to(created), "START spring")
    players = [seat for seat in world.seats() if seat.role is SeatRole.PLAYER]
    assert players[0].power == "Turkey"
    assert {seat.power for seat in players} == set(POWERS)


NOT_THERE = [
    ("black-hole", "window=12h"),
    ("standard", "window=24h"),
    ("outer-space", "powers=random"),
    ("the-aliens", "powers=preferred"),
    ("quantum-space", "rulebook=2023"),
    ("quantum-space-3001", "rulebook=2000"),
    ("among-us", "rulebook=2023"),
    ("among-us", "early=yes"),
    ("among-us", "grace=12h"),
    ("among-us", "nmr=wait"),
    ("among-us", "nmr=hold"),
    ("standard", "relay=yes"),
    ("standard", "last=1900"),
    ("black-hole", "last=5"),
    ("among-us", "last=1"),
    ("outer-space", "last=1800"),
    ("the-aliens", "last=2050"),
    ("quantum-space", "last=1905"),
    ("quantum-space-3001", "last=3000"),
    ("black-hole", "digits=5"),
]


@pytest.mark.parametrize(("variant", "option"), NOT_THERE)
def test_an_option_that_does_not_apply_is_refused_with_the_reason_and_nobody_is_told(
    world: World, variant: str, option: str
) -> None:
    name = option.partition("=")[0]
    refused = ("does not apply to", f"There is no option '{name}'")
    assert any(why in text_of(world.send(MASTER, BASE, f"CREATE other variant={variant} {option}")) for why in refused)
    created = world.send(MASTER, BASE, f"CREATE spring variant={variant}")
    assert f"{name}=" not in text_of(created) or f"{option}" not in text_of(created)
    world.send(player("France"), BASE, "OBSERVE spring")
    before = len(world.mailboxes[player("France")])
    assert any(why in text_of(world.send(MASTER, reply_to(created), f"SET {option}")) for why in refused)
    assert world.game().options.texts.get(name) != option.partition("=")[2]
    assert len(world.mailboxes[player("France")]) == before


@pytest.mark.parametrize("variant", WRITTEN)
def test_a_new_game_has_exactly_the_options_that_it_leaves_open_and_lists_few(world: World, variant: str) -> None:
    said = text_of(world.send(MASTER, BASE, f"CREATE spring variant={variant}"))
    listed = said.partition("Its main options: ")[2].partition(". ")[0].split(", ")
    game, chosen = all_variants()[variant], world.game().options.chosen
    assert all((option.name in chosen) == option.is_open_in(game) for option in OPTIONS)
    assert len(listed) <= 5
    assert all(one in (f"{key}={value}" for key, value in chosen.items()) for one in listed)
    assert read_options(chosen).chosen == chosen


def test_a_new_game_lists_the_options_that_were_written(world: World) -> None:
    assert "grace=12h" in text_of(world.send(MASTER, BASE, "CREATE spring grace=12h"))


def test_a_game_like_another_lists_the_same_options(world: World) -> None:
    first = text_of(world.send(MASTER, BASE, "CREATE spring fog zone=Europe/Berlin standins=yes move=2d"))
    listed = first.partition("Its main options: ")[2].partition(". ")[0]
    assert {"zone=Europe/Berlin", "standins=yes"} <= {*listed.split(", ")}
    assert f"Its main options: {listed}." in text_of(world.send(MASTER, BASE, "CREATE winter LIKE spring"))


@pytest.mark.parametrize("name", WRITTEN)
def test_the_first_year_may_be_the_last(name: str) -> None:
    game = all_variants()[name]
    powers = game.seating.powers or (Power("Krell"), Power("Zorg"))
    opened = game.opening(powers, Chance(bytes(32))).phase
    first = opened.year + (opened.season is Season.WINTER)
    assert read_options({"variant": name, "last": str(first)}).texts["last"] == str(first)


def test_another_variant_brings_its_own_defaults_and_refuses_what_it_does_not_have(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring move=2d"))
    world.send(MASTER, chair, "SET variant=among-us")
    texts = world.game().options.texts
    assert (texts["nmr"], texts["early"], texts["window"], texts["move"]) == ("random", "no", "24h", "2d")
    world.send(MASTER, chair, "SET variant=standard grace=2h")
    texts = world.game().options.texts
    assert (texts["nmr"], texts["early"], texts["grace"]) == ("hold", "ready", "2h")
    assert "window" not in texts
    assert "grace=2h does not apply" in text_of(world.send(MASTER, chair, "SET variant=among-us"))


def test_a_game_begins_by_itself_when_all_whom_one_mail_has_invited_have_come(world: World) -> None:
    friends = [player(power) for power in POWERS]
    chair = reply_to(
        world.send(MASTER, BASE, f"CREATE club admission=invited start=full listed=no\nINVITE {', '.join(friends)}")
    )
    assert "club" not in text_of(world.send("curious@elsewhere.example", BASE, "LIST"))
    assert "as soon as all seats are taken" in text_of(world.last(friends[0]))
    for friend in friends[:-1]:
        said = text_of(world.send(friend, BASE, "JOIN club"))
        assert "As soon as all seats are taken, the game begins:" in said
        assert world.game("club").state is GameState.FORMING
    world.accepts(friends[-1])
    assert world.game("club").running
    assert {seat.power for seat in world.seats("club") if seat.role is SeatRole.PLAYER} == set(POWERS)
    for friend in friends:
        assert "first report" in text_of(world.last(friend)) or "the game begins" in str(world.last(friend)["Subject"])
    assert "club" in text_of(world.send(MASTER, chair, "LIST MINE"))
    assert "club" not in text_of(world.send(friends[0], BASE, "LIST ALL"))


@pytest.mark.parametrize(
    ("option", "joined", "begins"), [("full", 6, False), ("full", 7, True), ("gm", 7, False), ("7", 7, True)]
)
def test_a_game_begins_with_the_number_of_players_that_it_waits_for(
    world: World, option: str, joined: int, begins: bool
) -> None:
    world.send(MASTER, BASE, f"CREATE club start={option}")
    for power in POWERS[:joined]:
        world.send(player(power), BASE, "JOIN club")
    assert world.game("club").running is begins


def test_a_game_for_any_number_begins_with_as_many_as_are_wanted(world: World) -> None:
    assert "least number of players is 2" in text_of(
        world.send(MASTER, BASE, "CREATE club variant=quantum-space start=1")
    )
    assert "greatest number of players is 7" in text_of(world.send(MASTER, BASE, "CREATE club start=8"))
    world.send(MASTER, BASE, "CREATE club variant=quantum-space start=3")
    assert "at least 2 are needed" in text_of(world.send("ann@players.example", BASE, "STATUS club"))
    for name in ("Krell", "Vega", "Mira"):
        assert not world.game("club").running
        world.send(player(name), BASE, f"JOIN club AS {name}")
    assert world.game("club").running


def test_a_game_that_is_full_begins_when_it_is_set_so(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE club"))
    for power in POWERS:
        world.send(player(power), BASE, f"JOIN club AS {power}")
    assert "The game club has begun" in text_of(world.send(MASTER, chair, "SET start=full"))
    assert world.game("club").running
    assert "can no longer be changed" in text_of(world.send(MASTER, chair, "SET start=gm"))


def test_a_game_like_another(world: World) -> None:
    world.send(MASTER, BASE, "CREATE autumn press=none move=2d variant=black-hole")
    said = text_of(world.send(MASTER, BASE, "CREATE winter LIKE autumn move=1d"))
    assert "winter (Black Hole Diplomacy I) is ready" in said
    made = world.game("winter").options.texts
    assert (made["press"], made["move"], made["variant"]) == ("none", "1d", "black-hole")
    other = text_of(world.send(MASTER, BASE, "CREATE spring LIKE autumn variant=standard"))
    assert "spring (Diplomacy)" in other
    assert world.game("spring").options.texts["press"] == "none"
    assert "There is no game 'nowhere'" in text_of(world.send(MASTER, BASE, "CREATE summer LIKE nowhere"))


def test_a_gamemaster_who_plays_writes_from_any_of_their_seats(world: World) -> None:
    """Also in one mail that begins at the server's own address; a player who is no gamemaster is refused as before."""
    answer = world.send(MASTER, BASE, "CREATE alpha standins=yes\nJOIN alpha AS France\nSTART alpha")
    assert "Only the gamemaster" not in text_of(answer)
    assert not [word for word in buttons(answer) if word.startswith(("JOIN", "START"))], (
        "what the mail has done is not offered any more"
    )
    assert world.game("alpha").running
    (seat,) = (one for one in world.game("alpha").players if one.person is not None)
    mine = world.service.identity.address_of(world.game("alpha"), seat)
    said = text_of(world.send(MASTER, mine, "COMMENT for beginners\nEXTEND 24h"))
    assert "LIST and STATUS now say of alpha: for beginners" in said
    assert "vote for EXTEND" in said or "motion is carried" in said, "what players write too is a player's there"
    world.send(MASTER, BASE, "CREATE beta standins=yes")
    other = reply_to(world.send("ann@example.org", BASE, "JOIN beta AS France"))
    assert "Only the gamemaster of beta" in text_of(world.send("ann@example.org", other, "START beta"))


def test_the_answer_to_create_offers_what_comes_next(world: World) -> None:
    created = world.send(MASTER, BASE, "CREATE alpha")
    assert list(buttons(created))[:2] == ["JOIN alpha", "STATUS alpha"]
    assert "INVITE" in text_of(created)
    joined = text_of(world.send(MASTER, reply_to(created), buttons(created)["JOIN alpha"][1]))
    assert "You have a seat in alpha" in joined
    assert "6 more must JOIN" in text_of(world.send(MASTER, reply_to(created), "START alpha"))


def test_help_lists_each_option_once(world: World) -> None:
    said = body_of(world.send(MASTER, BASE, "HELP CREATE"))
    names = re.findall(r"^  ([a-z]+) {1,9}\S", said, re.MULTILINE)
    assert len(names) == len(set(names))
    assert {"move", "relay"} <= set(names)
    assert "[19 in quantum-space, 10 in quantum-space-3001]" in " ".join(said.split())


def test_options_below_set_alone_are_set(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(MASTER, seats["GM"], "SET\nmove=2d\nreminder: 12h"))
    assert "The game's options are now: move=2d, reminder=12h." in said
    said = text_of(world.send(MASTER, seats["GM"], "SET"))
    assert "SET needs an option and its value. Write SET move=2d grace=12h." in said


def test_an_option_is_known_by_what_people_call_it(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(MASTER, seats["GM"], "SET builds=2d retreats=12h\nSET turn 2d"))
    assert "The game's options are now: adjust=2d, retreat=12h." in said
    assert "The game's options are now: move=2d." in said
    said = text_of(world.send(MASTER, seats["GM"], "SET build=2d adjust=1d"))
    assert "adjust has two values here, '2d' and '1d'." in said


def test_a_game_does_not_begin_below_options_that_were_refused(world: World) -> None:
    gm = reply_to(world.send(MASTER, BASE, "CREATE spring standins=yes"))
    world.send("ann@players.example", BASE, "JOIN spring")
    said = text_of(world.send(MASTER, gm, "SET move=soon\nSTART"))
    assert "START was not acted on, because this part of your mail was not: 'SET move=soon'." in " ".join(said.split())
    assert world.game().state is GameState.FORMING
    world.send(MASTER, gm, "SET move=2d\nSTART")
    assert world.game().state is GameState.RUNNING


def test_a_command_as_the_subject_is_about_the_lines_for_the_senders_games(world: World) -> None:
    world.send(MASTER, BASE, "CREATE spring standins=yes")
    world.send("ann@players.example", BASE, "JOIN spring")
    world.arrive(MASTER, BASE, "START spring", headers={"Subject": "start"})
    world.work()
    asked = world.last(MASTER)
    assert "Did you write this?" in str(asked["Subject"])
    world.send(MASTER, reply_to(asked), "YES")
    assert world.game().state is GameState.RUNNING


def test_options_astray_are_quoted(world: World) -> None:
    lines = "CREATE early press=white\nmove=2d\n\nadjust=2d\nSTATUS early\nretreat = 2d\nSTRAT"
    said = text_of(world.send(MASTER, BASE, lines))
    for line in ("Line 4: adjust=2d", "Line 6: retreat = 2d"):
        assert line in said
    assert "Write options on the line of PREFERENCES, CREATE or SET, or directly below it" in said
    assert "Line 2" not in said


@pytest.mark.parametrize(
    ("lines", "quoted"),
    [
        ("CRAETE spring\nmove=2d\npress: white\nfoo=bar", (1, 2, 3, 4)),
        ("CREATE win'ter\nmove=3d\npress: white", (1, 2, 3)),
        ("CREATE late\npress=white\nmoove=3d", (1, 2, 3)),
        ("CREATE late\nmove=3d\nmove=2d", (1, 2, 3)),
    ],
)
def test_options_below_a_create_that_was_not_done_are_quoted(world: World, lines: str, quoted: tuple[int, ...]) -> None:
    answer = world.send(MASTER, BASE, lines)
    for number, line in enumerate(lines.split("\n"), 1):
        assert (f"Line {number}: {line}" in text_of(answer)) == (number in quoted)


def test_words_with_a_colon_are_no_options_astray(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(player("France"), seats["France"], "Press: hello\nfirst: dinner\nE=mc2\nA PAR H"))
    assert "option" not in said


def test_the_variant_of_a_running_game_cannot_be_changed_whatever_its_options(world: World) -> None:
    seats = world.started(options="grace=9h")
    said = text_of(world.send(MASTER, seats["GM"], "SET variant=among-us"))
    assert "variant can no longer be changed." in said
    assert "grace" not in said


def test_another_wish_is_no_other_player(world: World) -> None:
    world.send(MASTER, BASE, "CREATE spring")
    for power in ("France", "Italy", "Italy"):
        world.send("ann@players.example", BASE, f"JOIN spring AS {power}")
    told = [str(mail["Subject"]) for mail in world.mailboxes[MASTER] if not mail["In-Reply-To"]]
    assert told == ["[spring] Ann has joined: 1 of 7 seats is taken", "[spring] A player's wish"]
    assert "Ann would like to play Italy now." in text_of(world.last(MASTER))
