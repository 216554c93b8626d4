"""What answers to a gamemaster say is true of the whole mail, and of whom it is said; one event is told once."""

from __future__ import annotations

from gm.variants.standard import POWERS
from tests.server.world import BASE, World, player, proved, reply_to, text_of

MASTER = "master@example.org"


def master(world: World, text: str, to: str = BASE) -> str:
    """The answer to an authenticated mail of the gamemaster's."""
    return text_of(world.send(MASTER, to, text, headers=proved(MASTER)))


def test_a_reason_is_said_to_reach_only_a_player_that_there_is(world: World) -> None:
    gm = world.started()["GM"]
    said = master(world, "DUMMY Turkey\nORDERS FOR Turkey\nF ANK-BLA\nBECAUSE nobody plays it", gm)
    assert "Orders of Turkey now in force: F Ank-Bla." in said
    assert "gets your reason" not in said
    assert "nobody plays it" in master(world, "LOG", gm)
    assert "gets your reason" in master(world, "ORDERS FOR France\nA PAR-BUR\nBECAUSE by phone", gm)


def test_what_begins_a_game_is_said_as_start_itself_says_it(world: World) -> None:
    master(world, "CREATE kiel")
    for power in POWERS[:6]:
        world.send(player(power), BASE, f"JOIN kiel AS {power}")
    needs = "1 more must JOIN before START kiel begins it; or SET standins=yes lets stand-ins play the rest."
    assert needs in master(world, "START kiel")
    assert needs in master(world, "GAME kiel\nDUMMY Turkey\nBECAUSE he left")
    assert needs in master(world, "GAME kiel\nDASHBOARD")
    master(world, "GAME kiel\nSET standins=yes")
    assert "kept. START kiel begins it." in master(world, "GAME kiel\nDUMMY Turkey")


def test_what_undo_does_not_undo_names_its_own_opposite(world: World) -> None:
    gm = world.started()["GM"]
    assert "MUSTER, cannot be undone. MUSTER OFF takes it back." in master(world, "MUSTER in 24h\nUNDO", gm)
    master(world, "MUSTER OFF", gm)
    assert "MUSTER, cannot be undone. HELP MUSTER" in master(world, "UNDO", gm)


def test_who_has_not_answered_a_roll_call_is_told_that_it_is_called_off(world: World) -> None:
    seats = world.started()
    master(world, "MUSTER in 24h", seats["GM"])
    world.send(player("France"), seats["France"], "HERE")
    assert "They get your reason: a mistake." in master(world, "MUSTER OFF\nBECAUSE a mistake", seats["GM"])
    told = text_of(world.last(player("Italy")))
    assert "You need not answer now. The reason: a mistake." in told
    assert "You need not" not in text_of(world.last(player("France")))
