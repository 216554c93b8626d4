"""A player of a running game becomes a gamemaster only if all other players agree, and everybody is told."""

from __future__ import annotations

import pytest

from gm.store.game_rows import SeatRole
from gm.variants.standard import POWERS
from tests.server.bounces import UNKNOWN, bounce, report
from tests.server.world import BASE, World, player, reply_to, text_of

MASTER, ITALY, EVE = "master@example.org", player("Italy"), "eve@elsewhere.example"
OTHERS = [player(power) for power in POWERS if power != "Italy"]


def masters(world: World) -> list[str]:
    seats = (seat for seat in world.seats() if seat.role is SeatRole.MASTER)
    return [seat.person.reachable for seat in seats if seat.person is not None]


def test_a_player_is_promoted_when_all_others_have_agreed(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.promotes(MASTER, seats["GM"], f"PROMOTE {ITALY}"))
    assert f"The players are asked whether {ITALY} may be a gamemaster, too." in said
    assert "Pat Italy (Italy) to be a gamemaster, too" in text_of(world.last(player("France")))
    for one in OTHERS[:-1]:
        world.accepts(one)
        assert masters(world) == [MASTER]
    world.accepts(OTHERS[-1])
    assert masters(world) == [MASTER, ITALY]
    told = "All players have agreed: Pat Italy (Italy) is now a gamemaster of spring."
    assert all(told in text_of(world.last(one)) for one in (MASTER, *OTHERS[:-1]))


@pytest.mark.parametrize(
    ("options", "who"), [("", "Pat Italy, who runs the game,"), (" anonymous=yes", "Somebody who runs the game")]
)
@pytest.mark.parametrize("joins", [True, False])
def test_everybody_is_told_who_runs_a_game_and_plays_when_it_begins(
    world: World, options: str, who: str, joins: bool
) -> None:
    """Nobody has a secret before, so nobody is asked, whether a player is promoted or a gamemaster joins."""
    chair = reply_to(world.send(ITALY if joins else MASTER, BASE, f"CREATE spring{options}"))
    world.send(ITALY, BASE, "REGISTER Pat Italy")
    for power in ("Italy", *POWERS):  # who runs an anonymous game joins before the others
        world.send(player(power), BASE, f"JOIN spring AS {power}")
    by = ITALY if joins else MASTER
    if not joins:
        assert "is now a gamemaster of spring" in text_of(world.promotes(by, chair, f"PROMOTE {ITALY}"))
    world.send(by, chair, "START")
    told = f"{who} plays, too, and sees no more of it than their power and what is written to the GM."
    assert told in " ".join(text_of(world.last(player("France"))).split())
    assert told not in " ".join(text_of(world.last(ITALY)).split())


@pytest.mark.parametrize("rights", ["", " AS ASSISTANT"])
@pytest.mark.parametrize("registered", [True, False])
def test_nobody_runs_a_game_who_has_not_said_yes(
    world: World, seats: dict[str, str], rights: str, registered: bool
) -> None:
    if registered:
        world.send(EVE, BASE, "REGISTER Eve")
    said = text_of(world.send(MASTER, seats["GM"], f"PROMOTE {EVE}{rights}"))
    assert f"{EVE} is asked to be a" in said
    assert "You are told when they accept or decline." in said
    assert [seat for seat in world.seats() if seat.moderates and seat.person and EVE in seat.person.addresses] == []
    assert "Master asks you to be a" in text_of(world.last(EVE))
    assert "told" in text_of(world.send(EVE, reply_to(world.last(EVE)), "NO"))
    assert f"You asked {EVE} to be a" in text_of(world.last(MASTER))
    assert "They have answered NO." in text_of(world.last(MASTER))
    assert len([seat for seat in world.seats() if seat.moderates and seat.person]) == 1


def test_whose_an_address_is_makes_no_difference_to_the_answer(world: World, seats: dict[str, str]) -> None:
    world.send(EVE, BASE, "REGISTER Eve")
    answers = [world.send(MASTER, seats["GM"], f"PROMOTE {one}") for one in (EVE, "new@elsewhere.example")]
    assert len({text_of(answer).replace(EVE, "X").replace("new@elsewhere.example", "X") for answer in answers}) == 1


def test_a_yes_after_whoever_asked_has_left_gives_nothing(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], "PROMOTE co@example.org")
    world.send(MASTER, seats["GM"], f"PROMOTE {EVE}")
    world.send(MASTER, seats["GM"], "RESIGN spring")
    assert "does not run spring any more" in text_of(world.accepts(EVE))
    assert masters(world) == ["co@example.org"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (f"DENY {EVE}", "does not admit you"),
        (f"PROMOTE {EVE} OFF", "was withdrawn by whoever asked it"),
        (f"PROMOTE {EVE} AS ASSISTANT\nPROMOTE {EVE} OFF", "was withdrawn by whoever asked it"),
    ],
)
def test_what_somebody_is_asked_can_be_taken_back(world: World, seats: dict[str, str], changed: str, said: str) -> None:
    world.send(MASTER, seats["GM"], f"PROMOTE {EVE}")
    asked = reply_to(world.last(EVE))
    world.send(MASTER, seats["GM"], changed)
    answer = text_of(world.send(EVE, asked, "YES"))
    assert said in answer, answer
    assert masters(world) == [MASTER]


def test_one_player_can_prevent_it_and_is_not_named(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {ITALY}")
    world.send(player("France"), reply_to(world.last(player("France"))), "NO")
    told = text_of(world.last(MASTER))
    assert "The players do not all agree" in told
    assert "France" not in told
    for one in OTHERS:
        if one != player("France"):
            world.accepts(one)
    assert masters(world) == [MASTER]


def test_a_new_player_has_not_agreed(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {ITALY}")
    asked = reply_to(world.last(OTHERS[-1]))
    for one in OTHERS[:-1]:
        world.accepts(one)
    world.send(MASTER, seats["GM"], f"REPLACE France WITH {EVE}")
    world.accepts(EVE)
    world.send(OTHERS[-1], asked, "YES")
    assert masters(world) == [MASTER]


def test_a_player_who_has_given_the_power_up_is_promoted_at_once(world: World, seats: dict[str, str]) -> None:
    world.send(ITALY, seats["Italy"], "RESIGN spring")
    assert "is now a gamemaster of spring" in text_of(world.promotes(MASTER, seats["GM"], f"PROMOTE {ITALY}"))


def test_a_gamemaster_who_plays_lets_nobody_see_everything_unasked(world: World, seats: dict[str, str]) -> None:
    """A friend, or a second address, would see all orders for them."""
    world.promotes(MASTER, seats["GM"], f"PROMOTE {ITALY}")
    world.agreed()
    chair = reply_to(world.last(ITALY))
    assert "The players are asked" in text_of(world.promotes(ITALY, chair, f"PROMOTE {EVE}"))
    assert masters(world) == [MASTER, ITALY]
    asked = text_of(world.last(player("France")))
    assert "one who does not play, or no longer does, sees everybody's orders" in asked
    world.agreed()
    assert masters(world) == [MASTER, ITALY, EVE]


@pytest.mark.parametrize("options", ["anonymous=yes"])
def test_a_gamemaster_who_plays_learns_not_who_else_does(world: World, options: str) -> None:
    seats = world.started("spring", options)
    world.promotes(MASTER, seats["GM"], f"PROMOTE {ITALY}")
    assert "Italy" not in text_of(world.last(player("France"))).replace("your power", "")
    world.agreed()
    chair = reply_to(world.last(ITALY))
    answers = [text_of(world.send(ITALY, chair, f"PROMOTE {one}")).replace(one, "X") for one in (player("France"), EVE)]
    assert answers[0] == answers[1]


def test_who_cannot_be_asked_is_not_named_to_the_gamemaster(world: World) -> None:
    seats = world.started("spring", "anonymous=yes")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {ITALY}")
    before = len(world.mailboxes[MASTER])
    bounce(world, str(world.last(player("France"))["X-Envelope-From"]), report(player("France"), *UNKNOWN))
    assert not [mail for mail in world.mailboxes[MASTER][before:] if "not reached" in str(mail["Subject"]).lower()]
