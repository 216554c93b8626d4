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
    ADDRESS = "how to change your address"
    SETTINGS = "what mail you get, and when"
    DEPUTY = "how a friend can order for you"
    TRY = "how to try orders out"
    HISTORY = "the results of phases that were played"
    CONCEDE = "how to concede"
    PAUSE = "how to have a pause"


_SENTENCE = re.compile(r"(?<=[?!])\s+|(?<=[^\W\d_]\.)\s+(?=[A-Z])")


def sentences(text: str) -> list[str]:
    """The sentences of a line."""
    return [one for one in _SENTENCE.split(text.strip()) if one]
