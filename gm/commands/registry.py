"""All commands, by the name the grammar gives them; and the topics of HELP, which are made from them."""

from __future__ import annotations

from functools import cache

from gm.commands import (
    Command,
    address,
    clear,
    create,
    deadline,
    help,
    join,
    listing,
    orders,
    press,
    process,
    register,
    replace,
    resign,
    start,
    status,
    timezone,
    wait,
)

COMMANDS: tuple[Command, ...] = (
    join.COMMAND,
    orders.COMMAND,
    press.COMMAND,
    status.COMMAND,
    clear.COMMAND,
    wait.WAIT,
    wait.READY,
    resign.COMMAND,
    listing.COMMAND,
    register.COMMAND,
    timezone.COMMAND,
    address.COMMAND,
    help.COMMAND,
    create.COMMAND,
    start.COMMAND,
    deadline.DEADLINE,
    deadline.EXTEND,
    process.COMMAND,
    replace.COMMAND,
)

ACTS = {command.name: command.act for command in COMMANDS if command.act is not None}
"""What carries out each command word."""


@cache
def topics() -> dict[str, Command]:
    """What HELP can explain, by its word in capitals, in the order of the listing."""
    return {command.name.upper(): command for command in COMMANDS}
