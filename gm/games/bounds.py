"""Bounds: how much is kept of one person, seat or game, and so reaches others, however long it took to come together.

A budget (`gm.games.limits`) says how much somebody may cause within a time; a bound holds for as long as it is kept.
"""

from __future__ import annotations

from enum import Enum

from gm.errors import NotNow


class Bound(Enum):
    """The most that is kept, of what, and for what."""

    ADDRESSES = 5, "addresses", "one person"
    ABSENCES = 6, "absences", "one person"
    GAMES = 20, "games that are not over", "one gamemaster"
    ALIASES = 100, "aliases", "one seat"
    LINES = 200, "lines of orders", "one seat and later phase"
    TEXT = 30_000, "characters", "one text"
    WAITING = 30_000, "characters for the next report", "one seat"
    DIARY = 30_000, "characters of a diary, or of notes", "one seat and phase"
    HOUSE_RULES = 2_000, "characters of house rules", "one game"
    COMMENT = 200, "characters of a comment", "one game"
    SCHEDULED = 20, "scheduled commands", "one game"
    MODERATORS = 10, "gamemasters and assistants", "one game"
    OBSERVERS = 100, "observers", "one game"
    STANDBY = 50, "people on the standby list", "one game"
    SHARED = 4, "people", "one sandbox"

    def __init__(self, most: int, what: str, of: str) -> None:
        self.most, self.what, self.of = most, what, of

    def check(self, number: int, remedy: str) -> None:
        """Raises NotNow if so many, with what is to be added, are more than are kept."""
        if number > self.most:
            raise NotNow(f"This would make {number:,} {self.what}; {self.of} has {self.most:,} at most.", remedy)
