"""CREATE: a new game, whose gamemaster is the sender."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games.snapshot import Table
from gm.mail.message.addresses import RESERVED, longest_game_name
from gm.options import OPTIONS, choices_of, read_options
from gm.store import game_rows
from gm.store.game_rows import SeatRole
from gm.variants import all_variants

_NAME = re.compile(r"[a-z][a-z0-9-]*[a-z0-9]")


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Make the game and the gamemaster's seat; the answer brings the address of that seat."""
    name = str(args["game"]).lower()
    if not scene.office.may_create(scene.sender):
        raise NotPermitted(f"{scene.sender} may not create games here.", "Ask the operator of this server.")
    longest = min(30, longest_game_name(scene.office.server.address))
    if not _NAME.fullmatch(name) or len(name) > longest or name in RESERVED:
        raise NotUnderstood(
            f"'{args['game']}' cannot be the name of a game.",
            f"Use 2 to {longest} letters, digits and hyphens, beginning with a letter.",
        )
    options = read_options(args["options"])
    account = scene.registered()
    game = game_rows.create_game(
        scene.session,
        name=name,
        options=options.texts,
        seed=scene.office.new_seed(name),
        now=scene.now,
    )
    if game is None:
        raise NotNow(f"There is a game '{name}' already.", "Choose another name; LIST lists the games.")
    scene.seat = game_rows.add_seat(scene.session, game.id, SeatRole.MASTER, account_id=account.id, joined_at=scene.now)
    scene.office.renew_token(scene.seat)
    scene.table = Table(scene.session, game)
    address = scene.office.address_of(game, scene.seat)
    scene.say(f"The game {name} ({options.variant.title}) is made, and you are its gamemaster.")
    scene.say(f"Manage it by writing to your own address: {address}")
    scene.say(f"Players join it by writing JOIN {name} to {scene.office.server.address}.")
    scene.say("Its options: " + ", ".join(f"{key}={value}" for key, value in options.chosen.items()) + ".")
    scene.note("create", options=dict(options.texts))


_OWN = tuple(option for game in all_variants().values() for option in choices_of(game).values())
_LINES = "\n".join(
    textwrap.fill(
        f"{option.meaning} [{option.default}]",
        72,
        initial_indent=f"  {option.name:<9} ",
        subsequent_indent=" " * 12,
        break_on_hyphens=False,
    )
    for option in (*OPTIONS, *_OWN)
)

COMMAND = Command(
    "create",
    "make a new game and be its gamemaster",
    f"Options, with what they are when not given:\n{_LINES}\n\n"
    "They may also stand on lines of their own below CREATE, one a line.\n"
    "The answer brings your gamemaster's address.",
    act,
    for_masters=True,
)
