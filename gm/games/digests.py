"""Which mails wait for their recipient's digest, one mail a day for all games, and until when.

What is urgent does not wait: news of a game whose deadline comes before the digest could be answered, what asks the
reader something, what a gamemaster is to act on, and answers to mails.
"""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

from gm.clock import next_time_of_day, parse_time
from gm.games.identity import ServerIdentity
from gm.games.snapshot import Game, Person, Seat

TO_ANSWER = timedelta(hours=3)
"""A phase that is due sooner after a digest is not left to it."""


def next_digest(person: Person, zone: tzinfo, now: datetime) -> datetime | None:
    """When the person gets their next digest; None if they get none."""
    return _next(person.digest, zone, now)


def next_desk(person: Person, zone: tzinfo, now: datetime) -> datetime | None:
    """When the person is told next what waits in the games that they run; None if never."""
    return _next(person.desk, zone, now)


def _next(wall: str | None, zone: tzinfo, now: datetime) -> datetime | None:
    return next_time_of_day(parse_time(wall), zone, now) if wall is not None else None


def held_until(identity: ServerIdentity, game: Game, seat: Seat, now: datetime) -> datetime | None:
    """When news of the game goes to the holder of the seat with their digest: now, with all that waits of the game, if
    it cannot wait until then. None for somebody without a digest.
    """
    person = game.digest_reader(seat)
    at = next_digest(person, identity.zone_of(person), now) if person is not None else None
    due = game.due_at if game.running else None
    return now if at is not None and due is not None and due < at + TO_ANSWER else at


_AT_ONCE = ("late:", "waits:", "shown:", "leaked:", "lost:", "ejected:")
"""The beginnings of the purposes of notices that must not wait a day."""


def can_wait(seat: Seat, purpose: str, *, asks: bool) -> bool:
    """Whether a notice for this purpose to the holder of the seat may wait for their digest."""
    return not asks and not seat.moderates and not purpose.startswith(_AT_ONCE)
