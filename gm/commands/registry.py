"""All commands, in the order in which HELP lists them."""

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
from gm.commands.declaration import Commands

COMMANDS = Commands(
    (
        # orders
        orders.ORDERS,
        orders.CLEAR,
        orders.ALIAS,
        orders.MY_ORDERS,
        orders.WAIT,
        orders.READY,
        orders.PHASE,
        trial.WHATIF,
        # press
        press.PRESS,
        press.BROADCAST,
        press.DIARY,
        # reading
        status.STATUS,
        history.HISTORY,
        history.MAP,
        history.WHY,
        status.SUMMARY,
        status.RULES,
        help.HELP,
        # coming and going
        status.LIST,
        joining.JOIN,
        joining.OBSERVE,
        leaving.UNOBSERVE,
        joining.TAKEOVER,
        joining.STANDBY,
        leaving.RESIGN,
        # time and ending
        timing.ABSENCE,
        timing.EXTEND,
        timing.PAUSE,
        timing.RESUME,
        voting.DRAW,
        voting.CONCEDE,
        # who somebody is
        account.REGISTER,
        account.WHOAMI,
        account.ADDRESS,
        account.TIMEZONE,
        account.PREFERENCES,
        leaving.FORGET_ME,
        # the mail itself
        help.GAME,
        help.END,
        # the gamemaster
        setup.CREATE,
        setup.INVITE,
        setup.START,
        setup.SET,
        status.DASHBOARD,
        timing.DEADLINE,
        timing.PROCESS,
        trial.PREVIEW,
        record.ROLLBACK,
        record.ROLLFORWARD,
        roster.REPLACE,
        roster.EJECT,
        roster.DUMMY,
        roster.ORDERS_FOR,
        roster.PROMOTE,
        press.OFFICIAL,
        setup.COMMENT,
        roster.REVEAL,
        voting.TERMINATE,
        record.SCHEDULE,
        record.LOG,
        record.UNDO,
    )
)
