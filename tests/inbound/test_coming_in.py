"""Coming into a game as people write it: in sentences, with names misspelt, without a name, and in the subject."""

from __future__ import annotations

import re

import pytest

from gm.play.seats import NAMES, read_wishes
from gm.variants import all_variants, find
from gm.variants.standard import STANDARD
from tests.server.world import BASE, World, player, reply_to, text_of

ANN, BOB, CAT = "ann@example.org", "bob@example.org", "cat@example.org"


def written_to(world: World, line: str, by: str = BOB) -> str:
    """The answer to one line of somebody registered, where `spring` and `orbs` are forming."""
    world.send(ANN, BASE, "REGISTER Ann Ng\nCREATE spring\nCREATE orbs variant=outer-space\nCREATE secret listed=no")
    world.send(by, BASE, "REGISTER Bob Borg")
    return text_of(world.send(by, BASE, line))


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("Create a game called autumn", "autumn (Diplomacy)"),
        ("create a new game named autumn with move=2 days", "autumn (Diplomacy)"),
        ("Create game: autumn", "autumn (Diplomacy)"),
        ("Please create autumn", "autumn (Diplomacy)"),
        ("CREATE game-autumn", "game-autumn (Diplomacy)"),
        ("create the game-of-kings game", "game-of-kings (Diplomacy)"),
        ("CREATE autumn variant=black hole", "autumn (Black Hole Diplomacy I)"),
        ("CREATE autumn variant=Black Hole Diplomacy with press=grey and move=1d", "autumn (Black Hole Diplomacy I)"),
        ("CREATE autumn variant=it came from outer space", "autumn (...It Came from Outer Space!)"),
        ("CREATE autumn press=grey variant=the aliens", "autumn (The Aliens)"),
        ("CREATE autumn variant=Aliens Among Us", "autumn (There Are Aliens Among Us)"),
        ("CREATE autumn variant=quantum space, move=12 hours", "autumn (Quantum Space)"),
        ("CREATE autumn variant=Quantum Space 3001", "autumn (Quantum Space: 3001)"),
    ],
)
def test_a_game_is_created_in_a_sentence(world: World, line: str, made: str) -> None:
    assert f"The game {made} is ready" in written_to(world, line)


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("join spring as turkey or austria", "Turkey or Austria"),
        ("JOIN SPRING AS TURKEY OR AUSTRIA, THEN ITALY", "Turkey or Austria, then Italy"),
        ("Please join spring as Turkey > Austria", "Turkey, then Austria"),
        ("join the game spring as turkey", "Turkey"),
        ("Join the spring game as France/Germany.", "France or Germany"),
        ("pls join spring as F[ER]*", "France, then England or Russia, then Austria or Germany or Italy or Turkey"),
    ],
)
def test_somebody_joins_in_a_sentence(world: World, line: str, asked: str) -> None:
    assert f"You have a seat in spring (Diplomacy). You asked to play {asked}." in written_to(world, line)


@pytest.mark.parametrize("line", ["join us in the draw", "create havoc in the Balkans", "Rules are rules"])
def test_what_is_no_command_stays_talk(world: World, line: str) -> None:
    assert "found no command in yours" in written_to(world, line)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("JOIN sprng", "spring"),
        ("STATUS orb", "orbs"),
        ("OBSERVE spirng", "spring"),
        ("JOIN secre", ""),
        ("JOIN x", ""),
    ],
)
def test_a_game_that_is_misspelt_is_asked_about_if_its_writer_may_know_of_it(
    world: World, line: str, meant: str
) -> None:
    answer = written_to(world, line)
    assert "There is no game" in answer
    assert (f"Did you mean {meant}?" in answer) if meant else ("Did you mean" not in answer)


def test_where_powers_are_named_a_player_gets_a_name_until_they_choose_one(world: World) -> None:
    assert "You play Krell. For a name of your own, write JOIN orbs AS and the name." in written_to(world, "JOIN orbs")
    world.send(CAT, BASE, "REGISTER Cat Ito")
    assert f"You play {NAMES[1]}." in text_of(world.send(CAT, BASE, "JOIN orbs"))
    assert "You play Zorg." in text_of(world.send(CAT, BASE, "JOIN orbs AS Zorg"))
    assert "You play Zorg." in text_of(world.send(CAT, BASE, "JOIN orbs")), "not another one"


def test_yes_to_an_invitation_is_enough_where_powers_are_named(world: World) -> None:
    written_to(world, "LIST")
    master = re.search(r"gm\+orbs\.\w+@\S+", " ".join(map(text_of, world.mailboxes[ANN])))
    assert master is not None
    world.send(ANN, master[0], f"INVITE {CAT}")
    assert "You play Krell." in text_of(world.send(CAT, reply_to(world.last(CAT)), "YES"))


@pytest.mark.parametrize("name", [name for name, game in all_variants().items() if game.seating.name is not None])
def test_each_name_that_is_given_can_be_a_power_beside_the_others(name: str) -> None:
    seating = all_variants()[name].seating
    assert seating.name is not None
    for number, one in enumerate(NAMES):
        assert seating.name(one, NAMES[:number]) == one  # type: ignore[arg-type]
    assert len(NAMES) >= (seating.most or 0)


FRESH = {"In-Reply-To": "", "References": ""}


@pytest.mark.parametrize(
    ("subject", "text", "done"),
    [
        ("JOIN spring", "", True),
        ("join spring", "Hello,\n\nI would like to take part.\n\nBob", True),
        ("[spring] JOIN spring as Italy", "", True),
        ("Re: JOIN spring", "", False),
        ("JOIN spring", "LIST", False),
        ("JOIN spring", "A PAR-BUR", False),
        ("I would like to join spring", "", False),
        ("JOIN spring and have fun with us", "", False),
    ],
)
def test_a_subject_that_is_a_whole_command_counts_when_the_text_has_none(
    world: World, subject: str, text: str, done: bool
) -> None:
    written_to(world, "LIST")
    answer = text_of(world.send(BOB, BASE, text, headers={"Subject": subject, **FRESH}))
    assert ("You have a seat in spring" in answer) is done


def test_the_subject_of_an_answer_is_no_command(world: World) -> None:
    written_to(world, "LIST")
    answer = world.send(BOB, BASE, "Hello", headers={"Subject": "JOIN spring", "In-Reply-To": "<1@example.org>"})
    assert "You have a seat" not in text_of(answer)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("standard", "standard"), ("Diplomacy", "standard"), ("BLACK HOLE", "black-hole"), ("aliens", "the-aliens"),
        ("There are aliens among us", "among-us"), ("outer space", "outer-space"), ("quantumspace", "quantum-space"),
        ("quantum space: 3001", "quantum-space-3001"), ("3001", "quantum-space-3001"), ("blackhole", "black-hole"),
        ("black hle", "black-hole"), ("quantum", None), ("space", None), ("the", None), ("", None), ("gunboat", None),
    ],
)  # fmt: skip
def test_a_game_is_found_by_what_people_call_it(words: str, name: str | None) -> None:
    found = find(words)
    assert (found.name if found is not None else None) == name


def test_wishes_of_one_group_are_equal() -> None:
    powers = STANDARD.seating.powers
    named = {power.lower(): power for power in powers}
    assert read_wishes("Italy or france, Turkey", powers, lambda word: named.get(word.lower())) == (
        ("Italy", "France"),
        ("Turkey",),
    )


@pytest.mark.parametrize(
    "text",
    [
        "list my games w/ deadlines",
        "which games am I in?",
        "welche Partien laufen gerade?",
        "welche Partien laufen gerade und kann man noch mitspielen?",
    ],
)
def test_who_plays_is_shown_the_games_that_run(world: World, text: str) -> None:
    world.started()
    said = text_of(world.send(player("England"), BASE, text))
    assert "spring Diplomacy, " in said
    assert "There are none" not in said


def test_a_list_of_games_with_room_says_that_none_has_and_how_to_see_the_others(world: World) -> None:
    world.started()
    said = text_of(world.send(player("England"), BASE, "LIST OPEN"))
    assert "None has a free seat now." in said
    assert "LIST the games that are played" in said
