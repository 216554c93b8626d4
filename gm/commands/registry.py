"""All commands: every `Command` that these modules declare, in the order in which HELP lists them."""

from __future__ import annotations

from gm.commands import (
    account,
    help,
    history,
    joining,
    leaving,
    orders,
    place_names,
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

_PLAYING = (orders, place_names, trial, press, status, history, help, joining, leaving, timing, voting, account)
_MANAGING = (setup, roster, record)
_DECLARED = [
    value for module in (*_PLAYING, *_MANAGING) for value in vars(module).values() if isinstance(value, Command)
]

COMMANDS = Commands(sorted(_DECLARED, key=lambda command: command.for_masters))
