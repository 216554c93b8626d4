"""RULES: the rules of a game, as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.passages import show
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.files import folder
from gm.variants import all_variants


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Answer with the rules of the game of this seat, of the game named, or of a kind of game."""
    word = str(args["words"]).lower()
    games = all_variants()
    if word in games:
        game = games[word]
    elif word or scene.table is not None:
        try:
            game = scene.public_table(word or None).variant
        except NotUnderstood:
            raise NotUnderstood(
                f"There is no game '{args['words']}'.", f"Write RULES and one of: {', '.join(games)}."
            ) from None
    else:
        raise NotUnderstood("RULES needs to know of which game.", f"Write RULES and one of: {', '.join(games)}.")
    path = folder("templates") / "rules" / f"{game.name}.txt"
    if not path.is_file():
        raise NotNow(
            f"There is no text of the rules of {game.title} here.", "RULES standard tells what it is based on."
        )
    show(scene, f"The rules of {game.title}", path.read_text(encoding="utf-8"))


COMMAND = Command(
    "rules",
    "send the rules of a game",
    "RULES alone sends those of your game; RULES standard those of Diplomacy.",
    act,
)
