"""The classes of errors that are shown to a person.

Each has a message for that person: what was found (quoted), what was expected, and how to correct it. Bugs of the
program are ordinary exceptions and are never shown to a player.
"""

from __future__ import annotations

import logging
import time
from math import inf


class GmError(Exception):
    """An error that a person can correct.

    `problem` says what is wrong and quotes the input; `remedy` (possibly empty) says what to write instead.
    """

    def __init__(self, problem: str, remedy: str = "") -> None:
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{problem} {remedy}".rstrip())


class NotUnderstood(GmError):
    """A line that no grammar accepts. `column` is counted from 1 in the line as written, `mended` is what can be sent
    in place of it and the lines that belong to it.
    """

    def __init__(self, problem: str, remedy: str = "", *, column: int | None = None, mended: str = "") -> None:
        super().__init__(problem, remedy)
        self.column = column
        self.mended = mended


class IllegalOrder(GmError):
    """An order that is understood but can never succeed in this position (ST-8)."""


class Ambiguous(GmError):
    """Words with several possible meanings; the remedy lists them."""


class NotPermitted(GmError):
    """The sender may not do this."""


class NotNow(GmError):
    """A command that is not possible in the game's present state."""


class ConfigurationError(GmError):
    """A setting that is missing or wrong; for the operator."""


class Temporary(GmError):
    """A temporary failure; the same mail is tried again."""


class DeliveryDeferred(Temporary):
    """A mail could not be delivered now but may be later: no connection, a time-out, a 4xx reply."""


class WayOutFailed(DeliveryDeferred):
    """No mail at all can be sent now: our mail server cannot be reached, or refuses the log-in."""


class SenderRefused(DeliveryDeferred):
    """Our mail server takes no mail from us now: it refused our address, or wants another log-in."""


class Unconfirmed(DeliveryDeferred):
    """A mail was sent whole, and its server did not say whether it accepted it: sent again, it may arrive twice."""


class DeliveryRefused(GmError):
    """A server refused a mail for this recipient: a 5xx answer."""


def log_failure(log: logging.Logger, error: Exception, words: str, *args: object) -> None:
    """Log what failed: with a traceback if it is a bug; and if the error says what to do about it in a line, once in
    `SAID_AGAIN` seconds for all to whom it happens.
    """
    if not isinstance(error, ConfigurationError | Temporary):
        log.error(words, *args, exc_info=error)
        return
    what, now = (words, str(error)), time.monotonic()
    if now - _said.get(what, -inf) >= SAID_AGAIN:
        if len(_said) >= _MOST_SAID:
            _said.clear()
        _said[what] = now
        log.log(logging.WARNING if isinstance(error, Temporary) else logging.ERROR, f"{words}: %s", *args, error)


SAID_AGAIN = 600.0
_MOST_SAID = 100
_said: dict[tuple[str, str], float] = {}
"""When each failure was logged last, by time.monotonic()."""
