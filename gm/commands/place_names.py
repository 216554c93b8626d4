"""ALIAS: a player's own names for places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Syntax, Who
from gm.errors import NotNow
from gm.orders.notation import short
from gm.parsing.aliases import read_name

_MOST_ALIASES = 100


def act_alias(ctx: Context, args: Mapping[str, Any]) -> None:
    """Give a place a name, take one away, or tell the names there are."""
    game, seat = ctx.seated()
    known = dict(seat.names)
    if args["alias"] is None:
        listed = ", ".join(f"{name.title()} = {short(place)}" for name, place in known.items())
        ctx.say(f"Your names for places: {listed}." if listed else "You have given no names to places.")
        return
    name, place = read_name(args["alias"], game.lexicon)
    if place is None:
        if name not in known:
            raise NotNow(f"You have given no place the name {name.title()}.", "ALIAS alone tells those that you gave.")
        del known[name]
        ctx.say(f"{name.title()} is no name of yours any more.")
    elif name not in known and len(known) >= _MOST_ALIASES:
        raise NotNow(
            f"You have given {_MOST_ALIASES} names.", f"Take one away first: ALIAS {next(iter(known)).title()} = NONE."
        )
    else:
        known[name] = place
        ctx.say(f"{name.title()} is {short(place)}, for you alone; write it wherever a place stands in your orders.")
    ctx.tx.fold_seats(game, replace(seat, names=tuple(sorted(known.items()))))
    ctx.note("alias", name=name)


ALIAS = Command(
    "alias",
    Syntax("ALIAS [alias:WORDS]", ("ALIAS Refuge = Q31415", "ALIAS Refuge = NONE", "ALIAS")),
    Policy(Who.PLAYER),
    act_alias,
    Help(
        "give a place a name of your own",
        "The name is yours alone: nobody else can use it, and nobody is told of\n"
        "it. You may use it in the same mail and in all later ones. In reports\n"
        "places have the names of the game. ALIAS alone lists your names.",
    ),
)
