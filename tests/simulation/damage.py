"""More faults for `sabotage`: in what some players use besides, and in what mails say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from gm.games import deputies, digests
from gm.games.snapshot import Game
from gm.store import agenda, gathering

Change = tuple[Any, str, Any]
"""A name in a module or class, and what it is replaced by."""


def _deputy_for_ever() -> Change:
    return deputies, "dismiss", lambda _tx, game, *_: game


def _digest_of_another_day() -> Change:
    really = digests.next_digest

    def next_digest(person: Any, zone: Any, now: datetime) -> datetime | None:
        at = really(person, zone, now)
        return at + timedelta(days=2) if at is not None else None

    return digests, "next_digest", next_digest


def _digest_never() -> Change:
    return gathering, "first_due", lambda *_: None


def _digest_lost() -> Change:
    really = gathering.gather

    def gather(session: Any, mails: Any, message_id: str, *more: Any) -> None:
        really(session, mails, message_id.replace("<", "<lost."), *more)

    return gathering, "gather", gather


def _deputy_is_nobody() -> Change:
    return Game, "principal", lambda _game, seat: seat


def _long_lease_of_a_way() -> Change:
    return agenda, "WAY_LEASE", timedelta(minutes=40)


MORE: dict[str, Callable[[], Change]] = {
    "deputy for ever": _deputy_for_ever,
    "deputy is nobody": _deputy_is_nobody,
    "digest of another day": _digest_of_another_day,
    "digest never sent": _digest_never,
    "digest lost": _digest_lost,
    "long lease of a way in": _long_lease_of_a_way,
}
"""By name, as in `sabotage.FAULTS`."""
