"""Every command word with the forms it is written in: the one source of them, for the parser, its complaints and HELP.

What a command does, and the rest of its help, is in its file in `gm/commands`, which finds its forms here by its name.
Commands whose arguments have a grammar have a rule of their name in `grammars/commands.lark`; of all others the words
that follow are handed on as they stand, in the argument `words`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

FORMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # who somebody is
        "register": ("REGISTER your name",),
        "whoami": ("WHOAMI",),
        "address": (
            "ADDRESS",
            "ADDRESS you@example.org",
            "ADDRESS ADD you@example.org",
            "ADDRESS REMOVE you@example.org",
        ),
        "forgetme": ("FORGET ME",),
        "timezone": ("TIMEZONE Europe/Berlin",),
        "preferences": ("PREFERENCES", "PREFERENCES mail=text maps=none remind=48h powers=F[ER]*"),
        # finding and leaving games
        "list": ("LIST", "LIST FINISHED"),
        "join": ("JOIN game", "JOIN game AS power", "JOIN game AS power, power, power"),
        "observe": ("OBSERVE game",),
        "unobserve": ("UNOBSERVE game",),
        "takeover": ("TAKEOVER game", "TAKEOVER game AS power"),
        "standby": ("STANDBY game", "STANDBY game OFF"),
        "resign": ("RESIGN game",),
        # orders
        "orders": ("A PAR-BUR",),
        "clear": ("CLEAR",),
        "alias": ("ALIAS Refuge = Q31415", "ALIAS Refuge = NONE", "ALIAS"),
        "myorders": ("MY ORDERS",),
        "wait": ("WAIT",),
        "ready": ("READY",),
        "phase": ("PHASE F1903M", "your orders", "ENDPHASE", "PHASE RETREATS", "PHASE F1903M NONE"),
        "whatif": ("WHATIF", "your orders and others'"),
        # press
        "press": ("PRESS TO France, Italy", "your text", "ENDPRESS"),
        "broadcast": ("BROADCAST", "your text", "ENDPRESS"),
        "diary": ("DIARY", "your text", "ENDDIARY", "DIARY LIST"),
        # time and ending
        "absence": ("ABSENCE 2026-12-24 TO 2027-01-02", "ABSENCE", "ABSENCE NONE"),
        "draw": ("DRAW", "DRAW France, Italy", "NO DRAW"),
        "concede": ("CONCEDE TO France", "NO CONCEDE"),
        # reading
        "status": ("STATUS", "STATUS game"),
        "history": ("HISTORY", "HISTORY F1901M", "HISTORY 1901", "HISTORY game ALL"),
        "map": ("MAP", "MAP F1901M", "MAP game"),
        "why": ("WHY A PAR-BUR", "WHY F1901M A PAR-BUR"),
        "rules": ("RULES", "RULES game"),
        "summary": ("SUMMARY", "SUMMARY game"),
        "help": ("HELP", "HELP topic"),
        # the gamemaster
        "create": ("CREATE game", "CREATE game move=2d at=18:00 zone=Europe/Berlin days=mon-fri"),
        "invite": ("INVITE address", "INVITE address AS power"),
        "start": ("START", "START game"),
        "set": ("SET move=2d grace=12h",),
        "dashboard": ("DASHBOARD",),
        "deadline": ("DEADLINE 2026-12-01 18:00", "DEADLINE Friday 18:00", "DEADLINE in 24h"),
        "extend": ("EXTEND 24h", "EXTEND BY 2 days", "EXTEND UNTIL Friday 18:00", "EXTEND NO"),
        "pause": ("PAUSE", "PAUSE NO"),
        "resume": ("RESUME", "RESUME NO"),
        "process": ("PROCESS", "PROCESS F1901M"),
        "preview": ("PREVIEW",),
        "rollback": ("ROLLBACK F1901M",),
        "rollforward": ("ROLLFORWARD",),
        "replace": ("REPLACE power WITH address",),
        "eject": ("EJECT power",),
        "dummy": ("DUMMY power",),
        "ordersfor": ("ORDERS FOR power", "the orders"),
        "promote": ("PROMOTE address",),
        "official": ("OFFICIAL", "your text", "ENDOFFICIAL"),
        "comment": ("COMMENT text", "COMMENT NONE"),
        "reveal": ("REVEAL", "REVEAL ME", "REVEAL A SMY"),
        "terminate": ("TERMINATE game",),
        "schedule": ("SCHEDULE Friday 18:00: PROCESS", "SCHEDULE", "SCHEDULE NONE"),
        "log": ("LOG", "LOG 50"),
        "undo": ("UNDO",),
        # the mail itself
        "game": ("GAME name",),
        "end": ("END",),
    }
)
"""The forms of each command; in one of several lines the lines stand in their order."""

TITLES: Mapping[str, str] = MappingProxyType(
    {"myorders": "MY ORDERS", "ordersfor": "ORDERS FOR", "forgetme": "FORGET ME"}
)
"""Commands of two words, by their names."""

BLOCKS: Mapping[str, bool] = MappingProxyType({"phase": False, "whatif": True, "ordersfor": True})
"""Commands that have lines of orders below them, and whether an empty line ends these."""

PRESS_LIKE = frozenset(("press", "broadcast", "diary", "official"))
"""Commands with a text below them, read by `gm.parsing.press`; DIARY LIST is a line of its own."""


def title(name: str) -> str:
    """The command's word or words in capitals."""
    return TITLES.get(name, name.upper())


def written(name: str) -> str:
    """How a command is written, for a complaint: `JOIN game, or JOIN game AS power`."""
    forms = FORMS[name]
    if name in BLOCKS or name in PRESS_LIKE:
        return ", then ".join(forms[: 3 if name != "broadcast" else None])
    return ", or ".join(forms)
