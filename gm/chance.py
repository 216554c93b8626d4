"""Random decisions of a game, drawn from its secret seed so that anybody can verify them once the seed is published.

A draw is HMAC-SHA256(seed, game and purpose), reduced without bias by rejection. The purpose names the turn and the
decision (`S1901`, `hole`), so that draws do not depend on the order in which they are made (BH-2).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Sequence
from typing import TypeVar

T = TypeVar("T")

_SPAN = 1 << 256


class Chance:
    """The random draws of one game. `seed` is at least 16 secret bytes, `game` the game's name."""

    def __init__(self, seed: bytes, game: str = "") -> None:
        if len(seed) < 16:
            raise ValueError("a game's seed has at least 16 bytes")
        self._seed = seed
        self._game = (game,) if game else ()

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed in hexadecimal. It is published with the first report; the seed itself after the
        last.
        """
        return hashlib.sha256(self._seed).hexdigest()

    @property
    def watched(self) -> Witness:
        """The same draws, recorded."""
        return Witness(self._seed, *self._game)

    def below(self, bound: int, *purpose: object) -> int:
        """A random number from 0 to `bound` - 1, all equally likely; always the same for the same purpose.

        It is the digest of `game/purpose#0`, a number of 256 bits, modulo `bound`. The highest numbers are rejected,
        because they would make some results likelier than others; then `game/purpose#1` is tried, and so on.
        """
        if bound < 1:
            raise ValueError("a draw needs at least one candidate")
        limit = _SPAN - _SPAN % bound
        label = "/".join(str(part) for part in (*self._game, *purpose))
        attempt = 0
        while True:
            message = f"{label}#{attempt}".encode()
            number = int.from_bytes(hmac.digest(self._seed, message, "sha256"), "big")
            if number < limit:
                return number % bound
            attempt += 1

    def choose(self, candidates: Sequence[T], *purpose: object) -> T:
        """One of the candidates, all equally likely."""
        return candidates[self.below(len(candidates), *purpose)]

    def choose_but(self, candidates: Sequence[T], left_out: Collection[T], *purpose: object) -> T:
        """One of the candidates that are not `left_out`, all equally likely. It is drawn from all until it is one of
        them (`purpose`, `purpose/2` and so on), so that what is left out changes a draw only by being drawn itself.
        """
        if not any(one not in left_out for one in candidates):
            raise ValueError("a draw needs at least one candidate")
        found, times = self.choose(candidates, *purpose), 1
        while found in left_out:
            times += 1
            found = self.choose(candidates, *purpose, times)
        return found

    def shuffled(self, candidates: Sequence[T], *purpose: object) -> list[T]:
        """The candidates in random order, all orders equally likely."""
        left = list(candidates)
        return [left.pop(self.below(len(left), *purpose, len(left))) for _ in candidates]


class Witness(Chance):
    """Chance that records its draws, except those with only one possible result."""

    def __init__(self, seed: bytes, game: str = "") -> None:
        super().__init__(seed, game)
        self._made: dict[str, str] = {}

    def below(self, bound: int, *purpose: object) -> int:
        number = super().below(bound, *purpose)
        if bound > 1:
            self._made["/".join(map(str, purpose))] = f"number {number} of 0 to {bound - 1}"
        return number

    def choose(self, candidates: Sequence[T], *purpose: object) -> T:
        chosen = super().choose(candidates, *purpose)
        if len(candidates) > 1:
            self._made["/".join(map(str, purpose))] += f", {chosen}"
        return chosen

    def revealed(self) -> tuple[str, ...]:
        """The draws since the last call, each with its purpose; a repeated draw is listed once."""
        made = tuple(f"{purpose}: {drawn}" for purpose, drawn in self._made.items())
        self._made.clear()
        return made
