"""What can be asked in people's own words: where, and the line that does or shows it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gm.commands.help import WHAT_IT_IS
from gm.parsing.questions import (
    Wanted,
)
from gm.position import PhaseKind

OPPOSITE = {"DRAW": "NO DRAW", "NO DRAW": "DRAW", "READY": "WAIT", "WAIT": "READY"}
"""What undoes another line: no YES does both."""
OF_PLACES = (Wanted.POSITION, Wanted.NEAR, Wanted.WHY, Wanted.HISTORY, Wanted.ATTACKED)
"""What is asked of a place or a unit, if one is named."""
NO_ABSENCE = "ABSENCE NONE"
OF_A_PERSON = (Wanted.SETTINGS, Wanted.NAME, Wanted.ADDRESS)
"""What is the same for all seats, and is done at the server's address, too."""
OF_PHASE = {Wanted.HOW_TO_RETREAT: PhaseKind.RETREAT, Wanted.HOW_TO_BUILD: PhaseKind.ADJUSTMENT}
"""The phase in which what is asked about can be ordered."""
EXAMPLES: Mapping[Wanted, str] = MappingProxyType({
    Wanted.HOW_TO_SUPPORT: "To support a move, write your unit, S, and the move: A MUN S A BER-SIL. To support a unit"
    " where it stays: A MUN S A BER.",
    Wanted.HOW_TO_CONVOY: "For a convoy the fleet gets an order with C, and the army moves: F NTH C A LON-NWY, and"
    " A LON-NWY.",
    Wanted.HOW_TO_RETREAT: "A dislodged unit retreats with - or R and a place, A PAR R GAS, or disbands: A PAR"
    " DISBAND. The form in the report of a retreat phase lists where it can go.",
    Wanted.HOW_TO_BUILD: "In Winter you build with BUILD F BRE or BUILD A PAR, as many units as you have centres more"
    " than units; WAIVE leaves a build. With fewer centres than units you remove with REMOVE A PAR.",
    Wanted.HOW_TO_ORDER: "An order is a unit, - and a place, one a line: A PAR-BUR. A PAR H holds.",
})  # fmt: skip
"""How it is written, on the board on which these places are; HELP ORDERS says it for each game."""
AT_A_SEAT: Mapping[Wanted, str | None] = MappingProxyType({
    Wanted.DEADLINE: None,
    Wanted.MY_ORDERS: None,
    Wanted.MY_POWER: None,
    Wanted.PLAYERS: None,
    Wanted.TURNOUT: None,
    Wanted.CLEAR: None,
    Wanted.HOW_TO_SUPPORT: "HELP ORDERS",
    Wanted.HOW_TO_CONVOY: "HELP ORDERS",
    Wanted.HOW_TO_RETREAT: "HELP ORDERS",
    Wanted.HOW_TO_BUILD: "HELP ORDERS",
    Wanted.HOW_TO_ORDER: "HELP ORDERS",
    Wanted.HOW_TO_WRITE: None,
    Wanted.WHY: "HISTORY",
    Wanted.MAP: "MAP",
    Wanted.POSITION: None,
    Wanted.CENTRES: None,
    Wanted.GAMES: "LIST OPEN",
    Wanted.JOIN: "HELP JOIN",
    Wanted.RULES: None,
    Wanted.OPTION: None,
    Wanted.AWAY: None,
    Wanted.ABSENCE: None,
    Wanted.RESIGN: None,
    Wanted.EXTEND: None,
    Wanted.DRAW: "HELP DRAW",
    Wanted.VOTE_DRAW: None,
    Wanted.NO_DRAW: None,
    Wanted.VOTES: None,
    Wanted.MY_TURN: None,
    Wanted.NO_ORDERS: None,
    Wanted.COMMAND: None,
    Wanted.ANYBODY: None,
    Wanted.WHO_SEES: None,
    Wanted.HELP: "HELP",
    Wanted.NEWCOMER: WHAT_IT_IS[0],
    Wanted.NO_MAIL: "HELP STOP",
    Wanted.READY: None,
    Wanted.WAIT: None,
    Wanted.NEAR: None,
    Wanted.LETTERS: "PRESS WITH ALL",
    Wanted.START: None,
    Wanted.ADDRESS: "HELP ADDRESS",
    Wanted.SETTINGS: "HELP PREFERENCES",
    Wanted.DEPUTY: "HELP DEPUTY",
    Wanted.TRY: "HELP WHATIF",
    Wanted.HISTORY: "HISTORY",
    Wanted.CONCEDE: "HELP CONCEDE",
    Wanted.PAUSE: "HELP PAUSE",
    Wanted.LATE: None,
    Wanted.SAME: None,
    Wanted.SIGNS: None,
    Wanted.STOPS: None,
    Wanted.REPLAY: None,
    Wanted.FASTER: None,
    Wanted.WINTER: None,
    Wanted.VICTORY: None,
    Wanted.VARIANTS: "HELP VARIANTS",
    Wanted.WATCH: "HELP OBSERVE",
    Wanted.COST: None,
    Wanted.WHAT_READY: "HELP READY",
    Wanted.CODES: None,
    Wanted.ATTACKED: None,
    Wanted.ADVICE: None,
    Wanted.NAME: "HELP REGISTER",
    Wanted.LANGUAGE: None,
    Wanted.ACCOUNT: None,
    Wanted.PROMISES: None,
    Wanted.SEEN: None,
    Wanted.CREATE: "HELP CREATE",
})  # fmt: skip
"""What can be asked at a seat, and the line that shows it, if one does."""
SHOWS: Mapping[Wanted, str] = MappingProxyType({
    Wanted.MY_ORDERS: "MY ORDERS",
    Wanted.SAME: "MY ORDERS",
    Wanted.RULES: "RULES",
    Wanted.POSITION: "POSITION",
    Wanted.CENTRES: "POSITION",
    Wanted.HOW_TO_WRITE: "HELP PRESS",
    Wanted.NEAR: "MAP NAMES",
    Wanted.NO_ORDERS: "HELP ORDERS",
    Wanted.ANYBODY: "HELP",
    Wanted.WHO_SEES: "HELP ORDERS",
    Wanted.ATTACKED: "HISTORY",
    Wanted.ADVICE: "HELP WHATIF",
})  # fmt: skip
"""The lines that show what is said in a sentence where it is asked for sure."""
WITHOUT: Mapping[Wanted, str] = MappingProxyType({
    Wanted.COMMAND: "HELP",
    Wanted.NAME: "HELP REGISTER",
    Wanted.PROMISES: "HELP PRESS",
    Wanted.SEEN: "HELP REGISTER",
    Wanted.GAMES: "LIST OPEN",
    Wanted.JOIN: "LIST OPEN",
    Wanted.RULES: "HELP",
    Wanted.MY_POWER: "WHOAMI",
    Wanted.DEADLINE: "LIST MINE",
    Wanted.HELP: "HELP",
    Wanted.NEWCOMER: WHAT_IT_IS[0],
    Wanted.ANYBODY: "HELP",
    Wanted.HOW_TO_SUPPORT: "HELP ORDERS",
    Wanted.HOW_TO_CONVOY: "HELP ORDERS",
    Wanted.HOW_TO_RETREAT: "HELP ORDERS",
    Wanted.HOW_TO_BUILD: "HELP ORDERS",
    Wanted.HOW_TO_ORDER: "HELP ORDERS",
    Wanted.HOW_TO_WRITE: "HELP PRESS",
    Wanted.PLAYERS: "LIST MINE",
    Wanted.MY_ORDERS: "WHOAMI",
    Wanted.TURNOUT: "LIST MINE",
    Wanted.ABSENCE: "HELP ABSENCE",
    Wanted.RESIGN: "HELP RESIGN",
    Wanted.NO_MAIL: "HELP STOP",
    Wanted.SETTINGS: "HELP PREFERENCES",
    Wanted.ADDRESS: "HELP ADDRESS",
    Wanted.VARIANTS: "HELP VARIANTS",
    Wanted.WATCH: "HELP OBSERVE",
    Wanted.COST: "LIST OPEN",
    Wanted.VICTORY: "HELP VARIANTS",
    Wanted.START: "LIST MINE",
    Wanted.CREATE: "HELP CREATE",
    Wanted.STANDBY: "HELP STANDBY",
    Wanted.DEPUTY: "HELP DEPUTY",
    Wanted.EXTEND: "HELP EXTEND",
    Wanted.PAUSE: "HELP PAUSE",
    Wanted.CLEAR: "HELP CLEAR",
})  # fmt: skip
"""What is asked of the server's own address, and the line that answers it."""
OF_STRANGERS: Mapping[Wanted, str] = MappingProxyType({
    **dict.fromkeys((Wanted.COMMAND, Wanted.NO_MAIL, Wanted.HOW_TO_ORDER, Wanted.HOW_TO_SUPPORT), ""),
    **dict.fromkeys((Wanted.HOW_TO_CONVOY, Wanted.HOW_TO_RETREAT, Wanted.HOW_TO_BUILD, Wanted.HOW_TO_WRITE), ""),
    **dict.fromkeys((Wanted.VARIANTS, Wanted.WATCH, Wanted.COST, Wanted.NEWCOMER), ""),
    Wanted.VICTORY: "HELP ST-11",
    Wanted.PLAYERS: "LIST OPEN",
    Wanted.START: "LIST OPEN",
    **dict.fromkeys((Wanted.CREATE, Wanted.STANDBY), ""),
})  # fmt: skip
"""What those who play nothing can ask, and the line that answers it, "" for the same as for others; a game that they
name is shown.
"""
OF_A_GAME = {Wanted.PLAYERS: "STATUS", Wanted.START: "STATUS", Wanted.STANDBY: "STANDBY"}
PLAIN: Mapping[Wanted, str] = MappingProxyType({
    Wanted.COST: "It costs nothing. How long a phase lasts is set for each game, often two or three days, so that a"
    " game of seven takes some months, and one of two some weeks; PRACTICE plays one with you at once.",
    Wanted.LANGUAGE: "These mails are in English only. Orders, and many questions, can be in German, French, Spanish,"
    " Italian or Dutch, too.",
    Wanted.ACCOUNT: "There is nothing to log in to, and no password: all is sent and done by mail. Each seat has an"
    " address of its own, which only its player knows; what you send there from your own address is yours. STATUS and"
    " MAP show the game at any time.",
    Wanted.PROMISES: "Players may tell each other what they like, true or not, or nothing. No promise binds anybody:"
    " only orders count. What you write to some players comes to these and to no other player.",
    Wanted.SEEN: "The other players see your name, and in a game without names not even that; never your address. A"
    " gamemaster who does not play sees both. REGISTER and a name changes yours.",
})  # fmt: skip
"""What is said wherever it is asked."""
CHANGES: Mapping[Wanted, tuple[str, str]] = MappingProxyType({
    Wanted.CLEAR: ("CLEAR", "Your orders are as they were: to change one, just send another for its unit."),
    Wanted.ABSENCE: (
        "ABSENCE",
        "If you say when you are away, deadlines move as far as the game allows; DEPUTY lets a friend order for you.",
    ),
    Wanted.RESIGN: ("RESIGN", "You still have your seat. Who leaves makes it vacant, for somebody else."),
    Wanted.VOTE_DRAW: ("DRAW", "You have not voted for a draw yet: it needs the votes of all players."),
    Wanted.NO_DRAW: ("NO DRAW", "A draw needs the votes of all players, so without yours there is none."),
    Wanted.EXTEND: ("EXTEND 24h", "The deadline is as it was. From a player EXTEND is a vote; most must agree."),
    Wanted.READY: ("READY", "You are not READY yet."),
    Wanted.STANDBY: ("HELP STANDBY", "You are on no standby list yet."),
    Wanted.WAIT: ("WAIT", "The phase may end before its deadline once all are READY."),
})  # fmt: skip
"""What changes something: the line, and what holds until it is sent."""
