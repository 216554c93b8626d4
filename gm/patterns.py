"""Patterns as `re` has them, but compiled when they are first used: what `from gm import patterns as re` is for.

A server has hundreds that are long, and to compile them takes longer than most of what its start needs.
`compile_all` does so when there is time.
"""

from __future__ import annotations

import re
from re import *  # noqa: F403
from typing import Any, AnyStr, cast
from weakref import ref


class _Late:
    """A pattern that is compiled when something is first asked of it, and then has all that `re` gives one."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags
        self._itself = ref(self, _LATE.discard)
        _LATE.add(self._itself)

    def compiled(self) -> re.Pattern[Any]:
        _LATE.discard(self._itself)
        compiled: re.Pattern[Any] = re.compile(self.pattern, self._flags)
        vars(self).update((name, getattr(compiled, name)) for name in _GIVEN)
        return compiled

    def __getattr__(self, name: str) -> Any:
        return getattr(self.compiled(), name)


_GIVEN = tuple(name for name in dir(re.Pattern) if not name.startswith("_"))
_LATE: set[ref[_Late]] = set()
"""Those that were not used yet, and may be."""


def compile(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:  # type: ignore[no-redef]
    """The pattern, compiled when it is first used. Only then it raises `re.error`."""
    return cast("re.Pattern[AnyStr]", _Late(pattern, flags))


def compile_all() -> None:
    """Compile those that were not used yet, so that who uses them first need not wait."""
    for one in [late() for late in [*_LATE]]:
        if one is not None:
            one.compiled()
