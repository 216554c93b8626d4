"""What every way in shares: whom arrived mail is handed to, and the clock that dates it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from gm.store.inbox import ArrivedMail

Accept = Callable[[ArrivedMail], object]
"""Commits the mail to the inbox and returns, whether it was new or here already: either way it may be acknowledged. It
raises when the mail could not be stored. Called from several threads at once."""


def utc_now() -> datetime:
    return datetime.now(UTC)
