"""Results that take long to make, made outside the transaction that needs them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Beforehand:
    """Slow results, made outside the transaction so that it blocks nobody.

    A transaction asks for a result and, if it is not there, is rolled back; the result is made, and everything is done
    again. The result must depend only on its key, and the key must not contain the version of a game that this
    transaction changes.
    """

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}
        self._wanted: dict[Hashable, Callable[[], Any]] = {}

    def of(self, key: Hashable, make: Callable[[], T]) -> T | None:
        """The result for this key; None when it is still to be made."""
        if key not in self._made:
            self._wanted[key] = make
        return self._made.get(key)

    @property
    def wanted(self) -> bool:
        """Whether any result is still to be made."""
        return bool(self._wanted)

    def make(self) -> None:
        """Make the results that were asked for."""
        for key, make in self._wanted.items():
            self._made[key] = make()
        self._wanted.clear()
