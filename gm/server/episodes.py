"""Troubles that come and go: it is told when one begins and when it is over, and not each time on one day."""

from __future__ import annotations

from datetime import timedelta

from gm.games.transaction import Transaction
from gm.store import troubles
from gm.store.troubles import EpisodeRow

MOST_EPISODES = 3
"""So many times a day the same trouble is told, if it was over in between."""
DAY = timedelta(days=1)


def may_be_told(tx: Transaction, before: EpisodeRow | None) -> bool:
    """Whether a trouble is another episode than the one that was told last, and not one too many of this day."""
    if before is None:
        return True
    today = troubles.told_since(tx.session, before.trouble, before.about, tx.now - DAY)
    return before.over_at is not None and today < MOST_EPISODES
