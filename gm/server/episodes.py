"""Troubles that come and go: it is told when one begins and when it is over, and not each time on one day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from gm.games.transaction import Transaction
from gm.store import records
from gm.store.records import LogRow

MOST_EPISODES = 3
"""So many times a day the same trouble is told, if it was over in between."""
DAY = timedelta(days=1)


def said(tx: Transaction, begins: str, ends: str, **about: str) -> Sequence[LogRow]:
    """When it was told that a trouble about this began, or was over (kinds of the log), the newest first."""
    rows = records.log_of_kind(tx.session, begins, ends)
    return [row for row in reversed(rows) if about.items() <= row.detail.items()]


def may_be_told(tx: Transaction, told: Sequence[LogRow], begins: str) -> bool:
    """Whether a trouble is another episode, and not one too many of this day, given what was said of it."""
    lasts = bool(told) and told[0].kind == begins
    return not lasts and sum(row.kind == begins and row.at > tx.now - DAY for row in told) < MOST_EPISODES
