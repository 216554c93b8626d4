"""What players answer in their own words to what they were offered, and what they ask: a YES of several words, a YES
with more, orders at the server's address, and questions about the rules of several sentences.
"""

from __future__ import annotations

import pytest

from gm.orders.notation import write
from tests.server.world import BASE, OPENINGS, World, player, proved, reply_to, text_of

FRANCE, MASTER = player("France"), "master@example.org"
OFFERED = "I want to start slowly. The fleet in Brest goes out to the Mid-Atlantic."
SLIPS = "Fleet Brset to Mid-Atlantic\nArmy Paris to Burrgundy, because the English are at the door"


@pytest.fixture
def seat(world: World) -> str:
    return world.started(options="early=no")["France"]


def said(world: World, text: str, to: str) -> str:
    return text_of(world.send(FRANCE, to, text, headers=proved(FRANCE)))


def ordered(world: World) -> list[str]:
    game = world.game()
    return [write(order) for seat in game.players if seat.power == "France" for order in game.orders_of(seat)]


@pytest.mark.parametrize(
    ("answer", "units"),
    [
        ("Yes please, that is exactly what I meant. Sorry for the chattiness!\n\nPat", 1),
        ("Yes, exactly. I was not sure how to write it.", 1),
        ("Yes, you understood me well", 1),
        ("Exactly!", 1),
        ("YES thx", 1),
        ("sure, send it", 1),
        ("\U0001f44d", 1),
        ("yes + par to bur", 2),
        ("yes and the army in Paris to Burgundy", 2),
        ("yes and no", 0),
        ("nah, not now", 0),
        ("That is right.", 1),
        ("Yes, do that please, and the army in Paris to Burgundy.", 2),
        ("Yes, but Marseilles holds", 2),
        ("Yes, but not the fleet", 0),
        ("pls do, yes\n\nlol", 1),
        ("right, Marseilles holds", 2),
        ("yes (and the army in Paris to Burgundy)", 2),
        ("yes but bre-eng instead", 1),
        ("Yes please, but only if England does not object.", 0),
        ("Exactly what do you mean?", 0),
        ("Yes, forget it.", 0),
        ("Yes, you misunderstood me.", 0),
        ("Yes, without the fleet.", 0),
        ("ok let me think", 0),
        ("Go ahead and cancel.", 0),
        ("Ja, lass es.", 0),
        ("Yes please, that would be very kind. Thank you!", 1),
        ("Yes, that would be fine if Germany agrees", 0),
    ],
)
def test_who_says_yes_and_how_much_says_yes(world: World, seat: str, answer: str, units: int) -> None:
    assert "Reply with YES to do this" in said(world, OFFERED, seat)
    said(world, answer, reply_to(world.last(FRANCE)))
    assert len(ordered(world)) == units


def test_yes_to_all_is_yes_to_each(world: World, seat: str) -> None:
    said(world, SLIPS, seat)
    said(world, "Yes to both, please, they are all what I mean. I can't type today.", reply_to(world.last(FRANCE)))
    assert len(ordered(world)) == 2


def test_a_yes_with_more_is_answered_with_what_yes_would_do(world: World, seat: str) -> None:
    said(world, "I will be away from the 6th to the 14th of December. Can the game wait for me, please?", seat)
    answer = said(world, "Yes please, but only here.", reply_to(world.last(FRANCE)))
    assert "your mail says more than YES. YES alone does what stands below." in answer
    assert "ABSENCE 2026-12-06 TO 2026-12-14" in answer


@pytest.mark.parametrize(
    ("answer", "sent"),
    [
        ("It was only a letter, please send it to him as it is.", 1),
        ("Please send it to him, it is a letter and not an order. Thank you.", 1),
        ("c'est une lettre, pas un ordre", 1),
        ("Hm.", 0),
    ],
)
def test_an_answer_names_its_kind_in_a_sentence(world: World, seat: str, answer: str, sent: int) -> None:
    before = len(world.mailboxes[MASTER])
    for text, to in (("A PAR-BUR", seat.replace("+spring.", "+spring.to-gm.")), (answer, "")):
        world.arrive(FRANCE, to or reply_to(world.last(FRANCE)), text, headers=proved(FRANCE))
        world.work()
    assert len(world.mailboxes[MASTER]) - before == sent


def test_an_article_is_no_army(world: World) -> None:
    """A letter to the gamemaster in Winter, when a unit alone may be a build."""
    seats = world.started(options="early=no")
    for power, orders in OPENINGS.items():
        world.send(player(power), seats[power], orders)
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    world.send(FRANCE, seats["France"], "A Spa H\nF Mao-Por\nA Bur H")
    world.send(MASTER, seats["GM"], "PROCESS F1901M")
    assert world.phase() == "W1901A"
    answer = said(
        world,
        "Dear Gary,\na day for the builds is very short for someone with a job. Could we make it two?",
        seats["France"].replace("+spring.", "+spring.to-gm."),
    )
    assert "Press sent to GM." in answer


def test_orders_at_the_servers_address_go_to_the_game_that_their_sentence_names(world: World) -> None:
    world.started(options="early=no")
    text = "Hello,\nin spring I move Paris to Burgundy.\nThe fleet from Brest goes to the Mid-Atlantic in spring, too."
    assert "A Par-Bur / F Bre-Mao order this" in said(world, text, BASE)
    said(world, "YES", reply_to(world.last(FRANCE)))
    assert sorted(ordered(world)) == ["A Par-Bur", "F Bre-Mao"]


def test_the_phase_that_a_question_names_is_the_one_that_is_shown(world: World) -> None:
    seats = world.started(options="early=no")
    world.send(FRANCE, seats["France"], "A PAR-BUR")
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    answer = said(world, "Which orders did you get from me for the spring of 1901?", seats["France"])
    assert "S1901M: orders of France" in answer
    assert "A Par-Bur" in answer


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("May my friend zoe@example.org send the orders until Christmas?", "DEPUTY zoe@example.org UNTIL 2026-12-25"),
        (
            "My friend zoe@example.org orders for me from 1 to 5 December.",
            "DEPUTY zoe@example.org 2026-12-01..2026-12-05",
        ),
    ],
)
def test_who_orders_for_a_time_does_so_until_then(world: World, seat: str, asked: str, line: str) -> None:
    assert f"send {line}." in said(world, asked, seat)


def test_what_begins_as_a_command_and_is_a_sentence_is_not_offered(world: World, seat: str) -> None:
    answer = said(world, "Here is what I want to do. The fleet in Brest goes out to the Mid-Atlantic.", seat)
    assert "Did you mean HERE?" not in answer
    assert "Reply with YES to do this: F Bre-Mao" in answer


def test_a_question_about_the_rules_is_one_however_many_sentences_it_has(world: World) -> None:
    gm = reply_to(world.send(MASTER, BASE, "CREATE spring black-hole early=no standins=yes"))
    world.send(FRANCE, BASE, "JOIN spring AS France")
    world.send(MASTER, gm, "START spring")
    seat = reply_to(world.last(FRANCE))
    answer = said(
        world,
        "Hello again,\n\none thing I would like to know about the black holes: can they also come up at sea, and if my"
        " fleet is just then in the English Channel, is it gone for good or do I get to build it again in winter? How"
        " big is the chance that it is one of mine?",
        seat,
    )
    assert answer.count("Ruling BH-1") == 1
    assert "MY ORDERS shows earlier ones" not in answer


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Oops, not Burgundy: A Par-Pic", "A Par-Pic"),
        ("Oops, not Burgundy: the army goes Par - Picardy, since it is safer.", "A Par-Pic"),
        (
            "> F Bre-\nto Gascony, finally\n> A Mar-\n> A Par-\nto Gascony, after all\nmany greetings",
            "F Bre-Gas / A Par-Gas",
        ),
        ("> F Bre-\nto Gascony, finally\n> A Mar-\n> A Par-\nMany greetings", "F Bre-Gas"),
    ],
)
def test_what_is_not_meant_is_not_offered_and_an_answer_is_for_the_unit_above_it(
    world: World, seat: str, text: str, orders: str
) -> None:
    answer = said(world, text, seat)
    assert f"Reply with YES to do this: {orders} order this" in answer
    assert "A Par-Bur" not in answer


@pytest.mark.parametrize("text", ["In spring, A PAR-BUR.", "In spring, my army in Paris moves to Burgundy."])
def test_who_runs_and_plays_a_game_is_answered_at_the_servers_address(world: World, text: str) -> None:
    gm = reply_to(world.send(MASTER, BASE, "CREATE spring early=no standins=yes"))
    world.send(MASTER, BASE, "JOIN spring AS France")
    world.send(MASTER, gm, "START spring")
    before = len(world.mailboxes[MASTER])
    world.arrive(MASTER, BASE, text, headers={**proved(MASTER), "In-Reply-To": ""})
    world.work()
    assert any("A Par-Bur" in text_of(mail) for mail in world.mailboxes[MASTER][before:])


@pytest.mark.parametrize("answer", ["Yes, forget it.", "Yes, hold on.", "Exactly, that is what I meant."])
def test_what_cannot_be_taken_back_is_done_on_yes_alone(world: World, answer: str) -> None:
    seats = world.started(options="early=ready")
    said(world, f"{OPENINGS['France']}\nI am done with my orders, I think.", seats["France"])
    said(world, answer, reply_to(world.last(FRANCE)))
    game = world.game()
    assert not any(seat.wait is False for seat in game.players if seat.power == "France")
