"""REVEAL and TERMINATE: what was hidden is told; the game is ended without a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.commands.settings import change
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games.ending import end_game
from gm.games.post import tell
from gm.games.report_inputs import called
from gm.orders import Hold
from gm.parsing.orders import parse_orders
from gm.position import PhaseKind
from gm.store.game_rows import GameState
from gm.turn import TERMINATED, Victory


def act_reveal(scene: Scene, args: Mapping[str, Any]) -> None:
    """Tell everybody who plays what, in a game that hid it; or what a secret seat has to show."""
    if args["words"]:
        _show(scene, str(args["words"]))
        return
    table, _ = scene.as_master()
    if not table.names_hidden:
        raise NotNow(f"The names of the players of {table.game.name} are known.", "STATUS shows them.")
    change(table, {**table.game.options, "anonymous": "no"})
    said = ", ".join(f"{seat.power or 'a player'}: {called(table, seat)}" for seat in table.players)
    others = [seat for seat in table.seats if seat is not scene.seat]
    words = ("The gamemaster has revealed the players.", f"{said}.")
    tell(table, scene.office, others, "the players", words, purpose=f"reveal:{scene.mail_id}", now=scene.now)
    scene.say(f"Everybody is told: {said}.")
    scene.note("reveal")


def _show(scene: Scene, words: str) -> None:
    """Somebody in a secret seat shows himself (ME), or a unit that he controls."""
    table, seat = scene.as_player()
    scene.running(table)
    review = table.variant.review
    if review is None or table.position is None or not table.reviews(seat):
        raise NotPermitted("You hide nothing that could be revealed.", "PRESS TO ALL tells everybody what you like.")
    who = str(seat.power)
    if words.strip(" .").upper() == "ME":
        said = f"{who[:1].upper()}{who[1:]} reveals himself: he is {scene.registered().name}."
    else:
        (_, order), *_ = parse_orders(f"{words} H", table.lexicon, PhaseKind.MOVEMENT)
        said = review.reveal(table.position, order.unit) if isinstance(order, Hold) else ""
    others = [other for other in table.seats if other is not seat]
    purpose = f"reveal:{scene.mail_id}:{len(scene.done)}"
    tell(table, scene.office, others, "something is revealed", (said,), purpose=purpose, now=scene.now)
    scene.say(f"Everybody is told: {said}")
    scene.note("reveal", words=said)


def act_terminate(scene: Scene, args: Mapping[str, Any]) -> None:
    """End the game without winners. Its name guards against a slip."""
    table, _ = scene.as_master()
    if table.game.state not in (GameState.FORMING, GameState.RUNNING):
        raise NotNow(f"The game {table.game.name} is {table.game.state} already.")
    if str(args["words"]).lower() != table.game.name:
        raise NotUnderstood("TERMINATE needs the name of the game.", f"To end it write TERMINATE {table.game.name}.")
    purpose = f"ended:{table.game.id}:{scene.mail_id}"
    end_game(table, scene.office, GameState.ABORTED, Victory((), TERMINATED), purpose=purpose, now=scene.now)
    scene.say(f"The game {table.game.name} is ended. Everybody is told.")
    scene.note("terminate")


REVEAL = Command(
    "reveal",
    "name the players of an anonymous game; or show what you hide",
    "The gamemaster's REVEAL tells everybody who plays what. Whoever holds a\n"
    "secret seat shows himself with REVEAL ME, a unit with REVEAL A SMY.",
    act_reveal,
)
TERMINATE = Command(
    "terminate",
    "end a game without a result",
    "Nothing is erased: SUMMARY and HISTORY show it. DRAW and ROLLBACK are\ngentler.",
    act_terminate,
    for_masters=True,
)
