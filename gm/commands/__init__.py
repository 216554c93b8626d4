"""The commands of players and gamemasters, by subject; each is one value, a `gm.commands.declaration.Command`.

`COMMANDS` holds all of them, in the order in which HELP lists them. A command acts in a `gm.commands.context.Context`,
inside the transaction of the mail that holds it.
"""

from __future__ import annotations

from gm.commands import (
    account,
    help,
    history,
    joining,
    leaving,
    orders,
    press,
    record,
    roster,
    setup,
    status,
    timing,
    trial,
    voting,
)
from gm.commands.declaration import Command, Commands

_PLAYING = (orders, trial, press, status, history, help, joining, leaving, timing, voting, account)
_MANAGING = (setup, roster, record)
_DECLARED = [
    value for module in (*_PLAYING, *_MANAGING) for value in vars(module).values() if isinstance(value, Command)
]

COMMANDS = Commands(sorted(_DECLARED, key=lambda command: command.for_masters))
