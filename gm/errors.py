"""The families of errors that a person may read.

Each carries the words for that person: what was found (quoted), what was expected, and how to put it right. Errors of
the program itself are ordinary exceptions and never reach a player.
"""

from __future__ import annotations


class GmError(Exception):
    """Something a person can mend.

    `problem` says what is wrong and quotes the input; `remedy` (possibly empty) says what to write instead.
    """

    def __init__(self, problem: str, remedy: str = "") -> None:
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{problem} {remedy}".rstrip())


class NotUnderstood(GmError):
    """A line that no grammar accepts. `column` is counted from 1 in the line as it was written."""

    def __init__(self, problem: str, remedy: str = "", *, column: int | None = None) -> None:
        super().__init__(problem, remedy)
        self.column = column


class IllegalOrder(GmError):
    """An order that is well written and can never succeed in this position (ST-8)."""


class Ambiguous(GmError):
    """Words that could mean several things; the remedy lists them."""


class NotPermitted(GmError):
    """The sender may not do this."""


class NotNow(GmError):
    """A command that makes no sense in the game's present state."""


class ConfigurationError(GmError):
    """A setting that is missing or wrong; for the operator."""


class Temporary(GmError):
    """A failure that will pass; the same mail is tried again."""


class DeliveryDeferred(Temporary):
    """A mail could not be delivered now, and may be later: no connection, a time-out, a 4xx answer."""


class WayOutFailed(DeliveryDeferred):
    """No mail at all can be sent now: our mail server cannot be reached, or refuses the log-in."""


class DeliveryRefused(GmError):
    """A server refused a mail for this recipient: a 5xx answer."""
