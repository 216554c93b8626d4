"""What people want of a program that runs their game, whatever words they have for it (`gm.parsing.sayings`)."""

from __future__ import annotations

import re
from enum import Enum


class Wanted(Enum):
    """What a sentence asks for."""

    DEADLINE = "when the deadline is"
    MY_ORDERS = "your orders"
    MY_POWER = "which power you play"
    PLAYERS = "who plays"
    TURNOUT = "who has sent orders"
    CLEAR = "delete your orders"
    HOW_TO_SUPPORT = "how to support"
    HOW_TO_CONVOY = "how to convoy"
    HOW_TO_RETREAT = "how to retreat"
    HOW_TO_BUILD = "how to build and remove"
    HOW_TO_ORDER = "how orders are written"
    HOW_TO_WRITE = "how to write to other players"
    WHY = "the results, and why"
    MAP = "the map"
    POSITION = "the position"
    CENTRES = "who has how many centres"
    RULES = "what game this is, and its rules"
    ABSENCE = "say that you are away"
    RESIGN = "leave the game"
    EXTEND = "have more time"
    DRAW = "how to agree on a draw"
    VOTE_DRAW = "vote for a draw"
    MY_TURN = "whose turn it is"
    NO_ORDERS = "what happens without orders"
    COMMAND = "what a command does"
    ANYBODY = "who reads this"
    HELP = "what you can write"
    GAMES = "which games there are"
    JOIN = "how to join a game"
    NO_MAIL = "no more mail"
    READY = "say that your orders are final"
    WAIT = "say that your orders are not final"
    NEAR = "where a unit can go"
    LETTERS = "the press you have sent and received"
    START = "when the game begins"
    ADDRESS = "change your address"
    SETTINGS = "change what mail you get, and when"
    DEPUTY = "have a friend order for you"
    TRY = "how to try orders out"
    HISTORY = "the results of phases that were played"
    CONCEDE = "how to concede"
    PAUSE = "how to have a pause"
    LATE = "whether orders still count"

    # of those who run a game
    GM_EXTEND = "give more time"
    GM_DEADLINE = "set the deadline"
    GM_PROCESS = "have the phase adjudicated now"
    GM_DASHBOARD = "who is missing, and what waits for you"
    GM_REMIND = "remind those whose orders are missing"
    GM_PAUSE = "stop the clock"
    GM_RESUME = "go on"
    GM_RELEASE = "send the results that are held"
    GM_PREVIEW = "what would come out"
    GM_REPLACE = "give a power to somebody else"
    GM_INVITE = "invite somebody"
    GM_EJECT = "take a seat away from its player"
    GM_DENY = "keep somebody out"
    GM_DUMMY = "leave a power without a player"
    GM_STANDIN = "let the program order for a power"
    GM_ORDERS_FOR = "enter orders for a power"
    GM_ACCEPT_LATE = "accept late orders"
    GM_CORRECT = "correct the last result"
    GM_ROLLBACK = "set the game back, so that all order again"
    GM_UNDO = "take back your last command"
    GM_BROADCAST = "write to all"
    GM_PRESS = "write to one player"
    GM_REMARK = "put words above the next report"
    GM_HOUSE_RULES = "set house rules"
    GM_NOTE = "keep a note for yourself"
    GM_SET = "change an option"
    GM_SCHEDULE = "change what is scheduled"
    GM_TERMINATE = "end the game"
    GM_DRAW = "end the game as a draw"
    GM_START = "begin the game"
    GM_MUSTER = "ask all whether they are there"
    GM_CREATE = "create a game"
    GM_PROMOTE = "have another gamemaster"
    GM_REVEAL = "show who was who"
    GM_WHO = "who somebody is, and how reliable"
    GM_EXPORT = "the game as a file for other programs"
    GM_LOG = "what happened when"


_SENTENCE = re.compile(r"(?<=[?!])\s+|(?<=[^\W\d_]\.)\s+(?=[A-Z])")


def sentences(text: str) -> list[str]:
    """The sentences of a line."""
    return [one for one in _SENTENCE.split(text.strip()) if one]


_JOINT = re.compile(r"[,;!?&]\s*|[.:](?:\s+|$)|\s(?:and|also|plus|n|und|auch|et|aussi)\s", re.IGNORECASE)


def clauses(text: str) -> list[str]:
    """The parts of a text, each of which may say something of its own; without the signs and words between them."""
    return [one for one in map(str.strip, _JOINT.split(text)) if one]


_WITH_ADDRESS = re.compile(r"[^\W\d_]+ \S+@\S+")
"""`ban kim@example.org`"""
_SHORT = 2
"""So few words may be a part of what stands beside them."""


def wishes(text: str) -> list[str]:
    """The clauses of a text that are long enough for a wish each, with shorter ones behind them that may be theirs, if
    there are several; otherwise the text.
    """
    found = list[str]()
    between = ["", *_JOINT.findall(text)]
    for joint, clause in zip(between, _JOINT.split(text), strict=True):
        if len(clause.split()) > _SHORT or _WITH_ADDRESS.fullmatch(clause.strip()):
            found.append(clause.strip())
        elif found and clause.strip():
            found[-1] += joint + clause.rstrip()
    return found if len(found) > 1 else [text]
