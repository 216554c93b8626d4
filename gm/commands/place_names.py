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
    """Add an alias for a place, remove one, or list them."""
    game, seat = ctx.seated()
    known = dict(seat.names)
    if args["alias"] is None:
        listed = ", ".join(f"{name.title()} = {short(place)}" for name, place in known.items())
        ctx.say(f"Your aliases: {listed}." if listed else "You have no aliases.")
        return
    name, place = read_name(args["alias"], game.lexicon)
    if place is None:
        if name not in known:
            raise NotNow(f"You have no alias {name.title()}.", "Write ALIAS to list yours.")
        del known[name]
        ctx.say(f"The alias {name.title()} is removed.")
    elif name not in known and len(known) >= _MOST_ALIASES:
        raise NotNow(
            f"You have {_MOST_ALIASES} aliases.", f"Remove one first: ALIAS {next(iter(known)).title()} = NONE."
        )
    else:
        known[name] = place
        ctx.say(f"{name.title()} now means {short(place)} in your orders. Only you can use this alias.")
    ctx.tx.fold_seats(game, replace(seat, names=tuple(sorted(known.items()))))
    ctx.note("alias", name=name)


ALIAS = Command(
    "alias",
    Syntax("ALIAS [alias:WORDS]", ("ALIAS Refuge = Q31415", "ALIAS Refuge = NONE", "ALIAS")),
    Policy(Who.PLAYER),
    act_alias,
    Help(
        "give a place a name of your own",
        "Only you can use the alias, and no other player sees it. Use it in the\n"
        "same mail and all later ones. Reports keep the game's own names. ALIAS\n"
        "alone lists your aliases.",
    ),
)
