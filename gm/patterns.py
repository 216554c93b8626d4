"""Patterns as `re` has them, but compiled when they are first used: what `from gm import patterns as re` is for.

A server has hundreds that are long, and to compile them takes longer than most of what its start needs.
`compile_all` does so when there is time.
"""

from __future__ import annotations

import re
from functools import cached_property
from re import *  # noqa: F403
from typing import Any, AnyStr, cast


class _Late:
    """A pattern that is compiled when one of its methods is asked for; each is kept."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags
        _LATE.add(self)

    @cached_property
    def compiled(self) -> re.Pattern[Any]:
        _LATE.discard(self)
        return re.compile(self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:
        found = vars(self)[name] = getattr(self.compiled, name)
        return found


_LATE: set[_Late] = set()
"""Those that were not used yet."""


def compile(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:  # type: ignore[no-redef]
    """The pattern, compiled when it is first used. Only then it raises `re.error`."""
    return cast("re.Pattern[AnyStr]", _Late(pattern, flags))


def compile_all() -> None:
    """Compile those that were not used yet, so that who uses them first need not wait."""
    for one in [*_LATE]:
        one.compiled  # noqa: B018
