"""The games that were decoded lately, kept for the next transactions: to decode them is what takes long."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from gm.games.snapshot import Game

_NOTHING = None, None
KEPT = 512
"""The most decoded games that are cached."""


class Snapshots:
    """The most recently decoded games, by id and version; one cache for each database. Safe for threads."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._games: OrderedDict[int, tuple[Game, str | None]] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, game_id: int, version: int) -> Game | None:
        """The game in this version, if it is cached. Its seats and people may be older."""
        with self._lock:
            game, _ = self._games.get(game_id, _NOTHING)
            if game is None or game.version != version:
                return None
            self._games.move_to_end(game_id)
            return game

    def has(self, game_id: int, version: int, people: str) -> bool:
        """Whether the game is cached in this version, and with these people."""
        game, known = self._games.get(game_id, _NOTHING)
        return game is not None and (game.version, known) == (version, people)

    def keep(self, games: Iterable[Game], people: Mapping[int, str] = MappingProxyType({})) -> None:
        """Cache these games, as they were committed, by id with what the database has of their people, if known."""
        with self._lock:
            for game in games:
                self._games[game.id] = game, people.get(game.id)
                self._games.move_to_end(game.id)
            while len(self._games) > self._most:
                self._games.popitem(last=False)
