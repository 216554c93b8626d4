"""The commands of players and gamemasters, by subject; each is one value, a `gm.commands.declaration.Command`.

`COMMANDS` holds all of them, in the order in which HELP lists them. A command acts in a `gm.commands.context.Context`,
inside the transaction of the mail that holds it.
"""

from __future__ import annotations

from gm.commands import (
    absence,
    account,
    all_games,
    correcting,
    dashboard,
    deputy,
    help,
    history,
    invitations,
    joining,
    later_orders,
    leaving,
    my_orders,
    orders,
    past_press,
    practice,
    press,
    process,
    promote,
    record,
    roster,
    sandbox,
    scheduling,
    setup,
    status,
    timing,
    trial,
    undo,
    voice,
    voting,
)
from gm.commands.declaration import Command, Commands

_SUBJECTS = {
    "Orders": (orders, my_orders, later_orders, trial, sandbox),
    "Press": (press, past_press, voice),
    "To read": (status, dashboard, history),
    "Games": (practice, joining, leaving),
    "Time": (timing, absence, process, deputy),
    "The end": (voting,),
    "Yourself": (account,),
    "How it works": (help,),
    "To run a game": (all_games, setup, invitations, roster, promote, undo, record, correcting, scheduling),
}
"""The modules with commands by what people want to do."""

COMMANDS = Commands(
    {
        subject: [
            value
            for module in modules
            for value in vars(module).values()
            if isinstance(value, Command) and value.act.__module__ == module.__name__
        ]
        for subject, modules in _SUBJECTS.items()
    }
)
