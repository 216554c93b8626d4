"""The promises that are checked, by name: how often each was looked at on something is counted (`World.checks`)."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum


class Promise(StrEnum):
    """What must be so."""

    # a mail
    ONE_EFFECT = "a mail is acted on once"
    ONE_ANSWER = "a mail is answered once"
    ANSWERED = "a mail that asks is answered, or listed"
    SET_ASIDE = "a mail is set aside only after three deaths"
    ROBOTS = "robots are not answered"
    BOUNDED = "answers to one sender are bounded"
    STRANGERS = "mails to a stranger are bounded"
    DELIVERED_ONCE = "a mail of ours is delivered once"
    ARRIVED = "what is marked as sent has arrived"
    GIVEN_UP = "mail is tried for five days"
    ONE_REPORT = "a report comes once"
    # orders
    IN_TIME = "orders in time count"
    AT_THE_DEADLINE = "orders in the second of the deadline count"
    LATE = "orders after the deadline do not count"
    RIGHT_PHASE = "orders count for the phase that they are for"
    ALL_STORED = "all orders of a mail are stored"
    OVERTAKEN = "an overtaken mail changes nothing"
    CLEARED = "CLEAR leaves nothing"
    COMPLETE = "only READY makes incomplete orders complete"
    ROLLED_BACK = "ROLLBACK keeps the orders"
    ROLLED_FORWARD = "ROLLFORWARD brings the orders back"
    RECEIPT = "a receipt has the orders in force"
    # phases and games
    ADJUDICATED_ONCE = "a phase is adjudicated once"
    VERIFIED = "turns and draws come out the same again"
    PAUSED = "no phase ends in a pause"
    EARLY = "a phase ends early when all are ready"
    CLOSED = "late orders have their time"
    FOLLOWS = "the next deadline of a phase is by the rule"
    AT_THEIR_HOUR = "deadlines fall on the game's hour"
    ENDED = "a game ends by the votes of all"
    EXTENDED = "EXTEND moves by as much, or by enough votes"
    UNDONE = "UNDO puts a deadline or a pause back"
    SCHEDULED = "SCHEDULE is for the time that it says"
    CARRIED_OUT = "what is scheduled is done at its time"
    # who acts and who is told
    WHO_ORDERS = "orders are the holder's, or a deputy's"
    NEW_ADDRESS = "a seat that is another's has another address"
    HOLDER_TOLD = "mail to a seat goes to its holder"
    REPLY_TO = "a report is answered to its seat"
    NAMES = "hidden names are not shown"
    SEEDS = "the seed of a game is not told"
    TOLD_OF_DEADLINE = "everybody is told of a new deadline"
    OWED_REPORT = "everybody is owed a report"
    REMINDED = "who lacks orders is reminded"
    NOT_REMINDED = "nobody else is reminded"
    PRESS_RIGHT = "press goes to those who are named and want it"
    PRESS_WHOLE = "press arrives, and whole"
    POSTAL = "press by post is in the next report, and whole"
    HELD = "mail waits for the next digest only"
    GATHERED = "what went with a digest is in one"
    # what reports say
    TOLD_DEADLINE = "a report has the deadline"
    POSITION = "a report has the reader's units"
    RESULTS = "a report has the reader's results"
    FILE = "a report's file is the turn as it was seen"
    # the server
    THREADS = "no thread fails"
    DRAINED = "after quiet days nothing is left to do"
    LEASES = "no lease outlives its holder"
    WAYS = "a way in is leased by a server that runs"
    TWINS = "twin worlds differ for nobody else"
    BOTH = "both databases send the same"


_CHECKED = "checked: "


def check(counts: Counter[str], promise: Promise, number: int = 1) -> None:
    """Count that a promise was looked at on so many things."""
    counts[f"{_CHECKED}{promise}"] += number


def told(counts: Counter[str]) -> list[str]:
    """How often each promise was looked at, as lines; the other counts are left."""
    found = {one: counts.pop(f"{_CHECKED}{one}", 0) for one in Promise}
    return ["promises, and how often each was looked at on something:"] + [
        f"{f'{number:,}' if number else 'NEVER':>11}  {one}" for one, number in found.items()
    ]
