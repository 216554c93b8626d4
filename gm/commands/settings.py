"""SET: the options of a game, changed by its gamemaster; and COMMENT, his line in LIST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.options import read_options
from gm.store.game_rows import GameState

_FIXED_ONCE_JOINED = frozenset(("variant",))
_FIXED_ONCE_BEGUN = frozenset(("variant", "rulebook", "powers", "first", "admission", "win", "last"))
_LONGEST_COMMENT = 200


def act_set(scene: Scene, args: Mapping[str, Any]) -> None:
    """Change options; what would change the rules of a game under way stays."""
    table, _ = scene.as_master()
    if table.game.state not in (GameState.FORMING, GameState.RUNNING):
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "Its options cannot change any more.")
    given = {str(key).lower(): str(text) for key, text in args["options"].items()}
    if not given:
        raise NotUnderstood("SET needs options.", "Write SET move=2d grace=12h; HELP CREATE lists the options.")
    before = dict(table.game.options)
    options = read_options(given, before)
    _check(table, {key for key in given if options.texts[key] != before.get(key)})
    change(table, options.texts)
    scene.say("Options of the game now: " + ", ".join(f"{key}={options.texts[key]}" for key in given) + ".")
    said = ", ".join(f"{key}={options.texts[key]} (was {before.get(key, 'the default')})" for key in given)
    words = (f"The gamemaster has changed the options of the game: {said}.", "STATUS shows all terms.")
    others = [seat for seat in table.seats if seat is not scene.seat]
    tell(
        table,
        scene.office,
        others,
        "new options",
        words,
        purpose=f"set:{scene.mail_id}:{len(scene.done)}",
        now=scene.now,
    )
    scene.note("set", options=given, undo={"what": "set", "options": before})


def _check(table: Table, changed: set[str]) -> None:
    """Raises NotNow for an option that is fixed by now."""
    fixed = _FIXED_ONCE_BEGUN if table.running else _FIXED_ONCE_JOINED if table.taken else frozenset()
    if wrong := sorted(changed & fixed):
        raise NotNow(f"{', '.join(wrong)} cannot change any more.", "Nothing of this line was changed.")
    if "anonymous" in changed and table.taken and table.game.options.get("anonymous", "no") != "no":
        raise NotNow("Players joined under the promise not to be named.", "REVEAL names them when they agree.")


def change(table: Table, texts: Mapping[str, str]) -> None:
    """Store options; the deadline that is set stays."""
    table.game.options = dict(texts)
    table.session.flush()
    table.forget_options()


def act_comment(scene: Scene, args: Mapping[str, Any]) -> None:
    """Set the gamemaster's line, or clear it."""
    table, _ = scene.as_master()
    text = " ".join(str(args["words"]).split())
    if not text:
        raise NotUnderstood("COMMENT needs a text.", "Write COMMENT and the text, or COMMENT NONE.")
    if len(text) > _LONGEST_COMMENT:
        raise NotUnderstood(f"This comment has {len(text)} characters.", f"At most {_LONGEST_COMMENT}.")
    before, table.game.comment = table.game.comment, None if text.upper() == "NONE" else text
    table.session.flush()
    scene.say(f"LIST and STATUS now say of {table.game.name}: {table.game.comment or '(nothing)'}")
    scene.note("comment", text=table.game.comment, undo={"what": "comment", "text": before})


SET = Command(
    "set",
    "change the options of a game",
    "Written as in CREATE; options may also stand on lines of their own\n"
    "below. Everybody is told what was changed. In a running game the rules\n"
    "of play stay as they were. A deadline that is set already stays.",
    act_set,
    for_masters=True,
)
COMMENT = Command(
    "comment",
    "a line about the game for LIST and STATUS",
    "COMMENT NONE takes it away.",
    act_comment,
    for_masters=True,
)
