"""HELP: the listing of commands, or the text of one."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotUnderstood
from gm.files import folder
from gm.games.report_inputs import reader_of
from gm.reports.context import HelpListing, HelpTopic
from gm.store.game_rows import SeatRole

_TWO_IN_ONE = {
    "MYORDERS": "MY ORDERS",
    "ORDERSFOR": "ORDERS FOR",
    "NOWAIT": "READY",
    "IF": "PHASE",
    "ENDPRESS": "PRESS",
}


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Answer with one topic or with all of them."""
    from gm.commands.registry import topics

    every = topics()
    game, seat = (scene.table.game, scene.seat) if scene.table is not None else (None, None)
    reader = reader_of(scene.office, scene.account, game, seat)
    wanted = args["topic"]
    if wanted is None:
        master = seat is not None and seat.role is SeatRole.MASTER
        shown = {name: topic for name, topic in every.items() if master or not topic.for_masters or name == "CREATE"}
        listing = [(name, topic.summary) for name, topic in shown.items()]
        listing += [(name, text.partition("\n")[0]) for name, text in _own_topics(scene).items()]
        if not master:
            listing.append(("HELP GM", "the commands of gamemasters"))
        scene.parts.append(HelpListing(reader, tuple(listing)))
        return
    word = " ".join(wanted.upper().split())
    if word in ("GM", "MASTER", "GAMEMASTER"):
        masters = tuple((name, topic.summary) for name, topic in every.items() if topic.for_masters)
        scene.parts.append(HelpListing(reader, masters))
        return
    word = _TWO_IN_ONE.get(word, word)
    own = _own_topics(scene)
    if word in own:
        scene.parts.append(HelpTopic(reader, word, own[word].partition("\n")[2]))
        return
    topic = every.get(word)
    if topic is None:
        near = difflib.get_close_matches(word, (*every, *own), n=1)
        hint = f"Did you mean HELP {near[0]}?" if near else "HELP alone lists the topics."
        raise NotUnderstood(f"There is no help on '{wanted}'.", hint)
    usage = "\n".join(f"    {line}" for line in topic.usage)
    parts = (usage, topic.text, _of_this_game(scene, topic.name))
    scene.parts.append(HelpTopic(reader, word, "\n\n".join(filter(None, parts))))


def _of_this_game(scene: Scene, topic: str) -> str:
    """What the game of this seat adds to a topic: `templates/help/<variant>/<topic>.txt`, if there is one."""
    if scene.table is None:
        return ""
    path = folder("templates") / "help" / scene.table.variant.name / f"{topic}.txt"
    return path.read_text(encoding="utf-8").rstrip() if path.exists() else ""


def _own_topics(scene: Scene) -> dict[str, str]:
    """Topics that only the game of this seat has: what its folder holds beside those of all games.

    The first line of a text is its summary in the listing.
    """
    from gm.commands.registry import topics

    if scene.table is None:
        return {}
    place = folder("templates") / "help" / scene.table.variant.name
    texts = {path.stem.upper(): path for path in sorted(place.glob("*.txt"))}
    return {
        word: path.read_text(encoding="utf-8").rstrip()
        for word, path in texts.items()
        if word not in {topic.name.upper() for topic in topics().values()}
    }


COMMAND = Command(
    "help",
    "explain the commands",
    "HELP ORDERS shows how orders are written; HELP GM lists the commands of\ngamemasters.",
    act,
)
