"""All commands, by the name the grammar gives them; and the topics of HELP, which are made from them."""

from __future__ import annotations

from functools import cache

from gm.commands import (
    Command,
    absence,
    address,
    alias,
    clear,
    create,
    dashboard,
    deadline,
    diary,
    draw,
    eject,
    forget,
    help,
    history,
    invite,
    join,
    listing,
    log,
    map,
    my_orders,
    observe,
    orders,
    orders_for,
    pause,
    phase,
    preferences,
    press,
    preview,
    process,
    register,
    replace,
    resign,
    reveal,
    rollback,
    rules,
    schedule,
    settings,
    start,
    status,
    summary,
    takeover,
    timezone,
    wait,
    whatif,
    whoami,
    why,
)

COMMANDS: tuple[Command, ...] = (
    # orders
    orders.COMMAND,
    clear.COMMAND,
    alias.COMMAND,
    my_orders.COMMAND,
    wait.WAIT,
    wait.READY,
    phase.COMMAND,
    whatif.COMMAND,
    # press
    press.COMMAND,
    press.BROADCAST,
    diary.COMMAND,
    # reading
    status.COMMAND,
    history.COMMAND,
    map.COMMAND,
    why.COMMAND,
    summary.COMMAND,
    rules.COMMAND,
    help.COMMAND,
    # coming and going
    listing.COMMAND,
    join.COMMAND,
    observe.OBSERVE,
    observe.UNOBSERVE,
    takeover.TAKEOVER,
    takeover.STANDBY,
    resign.COMMAND,
    # time and ending
    absence.COMMAND,
    deadline.EXTEND,
    pause.PAUSE,
    pause.RESUME,
    draw.DRAW,
    draw.CONCEDE,
    # who somebody is
    register.COMMAND,
    whoami.COMMAND,
    address.COMMAND,
    timezone.COMMAND,
    preferences.COMMAND,
    forget.COMMAND,
    # the gamemaster
    create.COMMAND,
    invite.INVITE,
    start.COMMAND,
    settings.SET,
    dashboard.COMMAND,
    deadline.DEADLINE,
    process.COMMAND,
    preview.COMMAND,
    rollback.ROLLBACK,
    rollback.ROLLFORWARD,
    replace.COMMAND,
    eject.EJECT,
    eject.DUMMY,
    orders_for.COMMAND,
    invite.PROMOTE,
    press.OFFICIAL,
    settings.COMMENT,
    reveal.REVEAL,
    reveal.TERMINATE,
    schedule.COMMAND,
    log.LOG,
    log.UNDO,
)

ACTS = {command.name: command.act for command in COMMANDS if command.act is not None}
"""What carries out each command word."""


@cache
def topics() -> dict[str, Command]:
    """What HELP can explain, by its word or words in capitals, in the order of the listing."""
    return {command.title: command for command in COMMANDS}
