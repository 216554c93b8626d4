"""ALIAS: a name of one's own for a place, for one's own mails alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.board import Location
from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow
from gm.orders.notation import short
from gm.parsing.private_names import read_name
from gm.store.order_rows import forget_name, keep_name, private_names

MOST = 100


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Give a place a name, take one away, or tell the names there are."""
    table, seat = scene.as_player()
    known = private_names(scene.session, seat.id)
    if not args["words"].strip():
        listed = ", ".join(f"{name.title()} = {short(Location(place))}" for name, place in known.items())
        scene.say(f"Your names for places: {listed}." if listed else "You have given no names to places.")
        return
    name, place = read_name(args["words"], table.lexicon_without_private_names)
    if place is None:
        if name not in known:
            raise NotNow(f"You have given no place the name {name.title()}.", "ALIAS alone tells those that you gave.")
        forget_name(scene.session, seat.id, name)
        scene.say(f"{name.title()} is no name of yours any more.")
    elif name not in known and len(known) >= MOST:
        raise NotNow(f"You have given {MOST} names.", f"Take one away first: ALIAS {next(iter(known)).title()} = NONE.")
    else:
        keep_name(scene.session, seat.id, name, place)
        scene.say(f"{name.title()} is {short(place)}, for you alone; write it wherever a place stands in your orders.")
    scene.note("alias", name=name)


COMMAND = Command(
    "alias",
    "give a place a name of your own",
    "The name is yours alone: nobody else can use it, and nobody is told of\n"
    "it. You may use it in the same mail and in all later ones. In reports\n"
    "places have the names of the game. ALIAS alone lists your names.",
    act,
)
