"""In every variant: all queries by mail are answered, and a turn is played and played again."""

from __future__ import annotations

import pytest

from gm.store.game_rows import GameState
from gm.store.inbox import ANSWERED
from gm.variants import all_variants
from tests.server.world import BASE, World, reply_to, text_of
from tests.variants.written import WRITTEN

pytestmark = pytest.mark.long

MASTER = "master@example.org"
NAMES = ("Auer", "Brand", "Cole", "Dyer", "Eck", "Fox", "Gray")
QUESTIONS = (
    *("STATUS", "WHATIF\nA PAR H", "MY ORDERS", "HISTORY ALL", "SUMMARY", "WHY PAR", "RULES", "WHOAMI", "LIST MINE"),
    *("ABSENCE 2026-11-26 TO 2026-11-30", "EXTEND 24h", "DRAW", "PHASE BUILDS\nBUILD A PAR", "DIARY LIST", "HELP"),
)
ORDERS_OF_THE_HOUSE = ("DASHBOARD", "PREVIEW", "LOG", "SET grace=1h", "UNDO", "PAUSE", "RESUME", "STATUS")


@pytest.mark.parametrize("name", WRITTEN)
def test_everything_is_answered(world: World, name: str) -> None:
    game = all_variants()[name]
    chair = reply_to(world.send(MASTER, BASE, f"CREATE autumn variant={name} nmr=random"))
    seats = {}
    for number in range(max(game.seating.fewest, 3)):
        wish = "" if game.seating.powers else f" AS {NAMES[number]}"
        answer = world.send(f"p{number}@players.example", BASE, f"JOIN autumn{wish}")
        seats[f"p{number}@players.example"] = reply_to(answer)
    world.send(MASTER, chair, "START autumn")
    assert world.game("autumn").state is GameState.RUNNING
    first = world.phase("autumn")
    _ask_all(world, seats, chair)
    world.pass_time(days=20)
    world.pass_time(days=20)
    assert world.phase("autumn") != first
    _ask_all(world, seats, chair)
    assert f"{first} is played again" in text_of(world.send(MASTER, chair, f"ROLLBACK {first}"))
    assert world.phase("autumn") == first
    world.send(MASTER, chair, f"PROCESS {first}")
    world.send(MASTER, chair, "DRAW autumn\nSUMMARY")
    assert world.game("autumn").state is GameState.FINISHED
    assert {mail.state for mail in world.inbox()} <= {*ANSWERED}


def _ask_all(world: World, seats: dict[str, str], chair: str) -> None:
    """All questions in one mail, as its reader takes one after the other: a reply that lacks one has failed."""
    (player, seat), *_ = seats.items()
    answer = text_of(world.send(player, seat, "\n\n".join(QUESTIONS)))
    assert "Traceback" not in answer
    assert "one mail may not cause more" not in answer
    world.send(MASTER, chair, "\n\n".join(ORDERS_OF_THE_HOUSE))


@pytest.mark.parametrize("name", WRITTEN)
def test_the_gamemaster_is_answered_before_anybody_has_joined(world: World, name: str) -> None:
    chair = reply_to(world.send(MASTER, BASE, f"CREATE autumn variant={name}"))
    for question in ("STATUS", "RULES", "POSITION", "A PAR-BUR", "SET comment=soon", "PRESS TO ALL\nHello\nENDPRESS"):
        assert "Traceback" not in text_of(world.send(MASTER, chair, question))
    assert {mail.state for mail in world.inbox()} <= {*ANSWERED}
