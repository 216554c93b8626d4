"""Lines of options, `move=2d` or `press: white`: below the command that takes them, or astray."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from gm.errors import NotUnderstood
from gm.options.table import known_options
from gm.parsing.command_syntax import Syntax
from gm.variants import all_variants

_OPTION = re.compile(r"[ \t]*(?P<key>[A-Za-z][\w -]{0,30}?)[ \t]*(?P<sign>[:=])[ \t]*(?P<value>\S.*)")


def options_in(lines: Sequence[str], named: Callable[[str], str | None]) -> tuple[list[tuple[str, str]], bool]:
    """The options with which these lines begin, up to an empty line, END or any other line, such as another command
    (`SET press=none`, `fox: START`), which `named` knows; and whether END follows.
    """
    options: list[tuple[str, str]] = []
    for line in lines:
        found = _OPTION.fullmatch(line)
        if found is None or (" " in found["key"] and named(found["key"])) or _names_a_game(found, named):
            return options, line.strip().upper() == "END"
        options.append((found["key"].lower(), found["value"].strip()))
    return options, False


def _names_a_game(found: re.Match[str], named: Callable[[str], str | None]) -> bool:
    """Whether the line is a command for a game, `fox: START`, rather than an option."""
    return found["sign"] == ":" and found["key"].lower() not in _names() and named(found["value"]) is not None


def check_astray(line: str, syntaxes: Mapping[str, Syntax], *, refused_above: bool) -> None:
    """Raises NotUnderstood for an option of a game that is below no command which takes it. `refused_above`: the line
    above was not understood, so it may have been such a command; then any `key=value` is taken for an option.
    """
    found = _OPTION.fullmatch(line)
    if found is None or (found["sign"] == ":" and not refused_above):
        return
    if found["key"].lower() in _names() or (refused_above and found["sign"] == "=" and " " not in found["key"]):
        *others, last = (syntax.title for syntax in syntaxes.values() if syntax.takes_options)
        where = f"{', '.join(others)} or {last}"
        raise NotUnderstood(
            f"No {where} that was understood is directly above this option.",
            f"Write options on the line of {where}, or directly below it, one a line.",
        )


@cache
def _names() -> frozenset[str]:
    return frozenset(name for game in all_variants().values() for name in known_options(game))
