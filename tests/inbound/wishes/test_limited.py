"""What stands below commands and orders and limits, doubts or withdraws them: nothing is done, and they are offered."""

from __future__ import annotations

import pytest

from tests.server.world import World, player, proved, text_of

MASTER = "master@example.org"
ENGLAND = player("England")

LIMITED = [
    "if nobody objects",
    "or is 12h enough?",
    "But not before I have talked to France.",
    "???",
    "once he has agreed",
    "was a mistake yesterday",
    "is what they asked for",
    "hm, or rather leave it",
    "What do you think of this?",
    "Should I do that?",
    "tomorrow",
    "Not sure about that one.",
    "Just a draft!",
    "I'm only joking",
    "please don't do it yet",
    "Danke, aber nur wenn Frankreich zusagt",
    "erst morgen",
    "Oh, that's too early. Let me think.",
    "seulement si la France est d'accord",
    "not really, just testing you",
]
HARMLESS = [
    "Italy's mail server is down",
    "Thanks!",
    "That will do. And now to something else.",
    "Happy holidays to everybody!",
    "because the server was down",
    "He told me that he is ill.",
    "When does the phase end?",
    "\nIf you have questions, ask me.",
]


def asked(world: World, text: str, to: str) -> str:
    """The answer to a mail of the gamemaster's."""
    return " ".join(text_of(world.send(MASTER, to, text, headers=proved(MASTER))).split())


def ordered(world: World, power: str) -> int:
    """How many orders of a power are in force."""
    given = world.game().set_of(next(seat for seat in world.game().players if seat.power == power))
    return len(given.orders) if given is not None else 0


@pytest.mark.parametrize("below", LIMITED)
def test_a_command_waits_if_the_words_below_limit_or_doubt_it(world: World, below: str) -> None:
    gm = world.started()["GM"]
    due = world.game().due_at
    answer = asked(world, f"EXTEND 24h\n{below}", gm)
    assert "EXTEND was not acted on, because beside it is" in answer
    assert world.game().due_at == due
    asked(world, "EXTEND 24h", gm)
    assert world.game().due_at != due


@pytest.mark.parametrize("below", HARMLESS)
def test_other_words_below_a_command_change_nothing(world: World, below: str) -> None:
    gm = world.started()["GM"]
    due = world.game().due_at
    asked(world, f"EXTEND 24h\n{below}", gm)
    assert world.game().due_at != due


def test_a_yes_does_what_waited(world: World) -> None:
    gm = world.started()["GM"]
    due = world.game().due_at
    assert "EXTEND 24h do this as it stands" in asked(world, "EXTEND 24h\nor is that too much?", gm)
    asked(world, "Yes", gm)
    assert world.game().due_at != due


def test_orders_for_a_player_wait_with_what_stands_below_them(world: World) -> None:
    gm = world.started()["GM"]
    answer = asked(world, "ORDERS FOR Italy\nA Ven H\nDo not enter these yet please.", gm)
    assert "ORDERS FOR was not acted on" in answer
    assert "ORDERS FOR Italy / A Ven H do this as it stands" in answer
    assert not ordered(world, "Italy")


WITHDRAWN = [
    "Das war nur ein Beispiel, bitte nicht eintragen.",
    "These are only a draft, please do not enter them yet.",
    "PS: I'm only joking, I'd never play this.",
    "Actually, forget that, I want to talk to Germany first.",
    "Ne tenez pas compte de ce qui précède.",
    "just kidding",
]


@pytest.mark.parametrize("below", WITHDRAWN)
def test_orders_that_are_withdrawn_below_are_not_in_force(world: World, below: str) -> None:
    seat = world.started()["England"]
    answer = " ".join(text_of(world.send(ENGLAND, seat, f"F LON-NTH\nF EDI-NWG\n\n{below}")).split())
    assert not ordered(world, "England")
    assert "F LON-NTH / F EDI-NWG do this as it stands" in answer


def test_orders_below_what_was_withdrawn_count(world: World) -> None:
    seat = world.started()["England"]
    world.send(ENGLAND, seat, "F LON-ENG\nforget that\nF LON-NTH")
    assert ordered(world, "England") == 1


FOR_ONE_ALONE = [
    "To everyone but Turkey: let's kill Turkey.",
    "Tell everyone except France that France is getting too strong.",
    "Dear Italy,\nshall we ally?\nP.S. for Russia: keep out of Norway.",
    "Tell France I'm in. Actually don't.",
    "Hi Klaus (Germany), shall we take France?\nHi Pierre (France), shall we take Germany?",
    "France - hi!\nItaly - no.",
    "PRESS TO France\nHello Pierre!\n\nFor Germany: France is our target.",
    "A message to Italy: hi. One to Russia: bye.",
    "Dear Italy, shall we attack France? And tell Germany hello from me.",
    "Tell France or Germany that I want peace.",
    "Liebes Frankreich, wollen wir den Kanal freihalten? PS an Deutschland: Holland gehört dir.",
    "Dis à la France que je reste, et à l'Allemagne que je vais attaquer la France.",
]


@pytest.mark.parametrize("text", FOR_ONE_ALONE)
def test_words_for_one_that_speak_to_another_take_no_yes(world: World, text: str) -> None:
    seat = world.started()["England"]
    assert "eply with YES" not in text_of(world.send(ENGLAND, seat, text))
    before = {who: len(mails) for who, mails in world.mailboxes.items() if who != ENGLAND}
    world.send(ENGLAND, seat, "Yes")
    assert {who: len(mails) for who, mails in world.mailboxes.items() if who != ENGLAND} == before


def test_a_letter_that_only_speaks_of_another_takes_a_yes(world: World) -> None:
    seat = world.started()["England"]
    answer = text_of(world.send(ENGLAND, seat, "Tell France that Germany is strong, and that I like Italy and Russia."))
    assert "eply with YES" in answer


@pytest.mark.parametrize("behind", ["Or should I hold?", "Is it wise?", "Oder soll ich halten?", "Shouldn't I hold?"])
def test_orders_before_a_doubt_are_offered(world: World, behind: str) -> None:
    seat = world.started()["England"]
    assert "A Lvp-Yor order this" in " ".join(text_of(world.send(ENGLAND, seat, f"A Lvp-Yor. {behind}")).split())
    assert not ordered(world, "England")
