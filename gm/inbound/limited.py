"""Orders and commands of which the words below them say that they are not meant, not yet, or only on a condition."""

from __future__ import annotations

from collections.abc import Mapping

from gm.commands.context import Context, Meant
from gm.errors import NotNow
from gm.inbound.facts import is_deed
from gm.parsing.lexicon import shorten
from gm.parsing.likely_commands import is_moment
from gm.parsing.limiting import limits, takes_up, withdraws
from gm.parsing.message import CommandLine, OrderLine, PressBlock
from gm.reading.line import Line, Lines, Origin, Reason, settled


def without_limited(ctx: Context, lines: Lines) -> Lines:
    """The lines; what words below it withdraw, and a command that the words beside it limit or doubt, is not done, and
    is offered as it stands.
    """
    found, orders = [], []
    ends = [line for line in lines if _is_said(line) and withdraws(line.text)]
    said = {line.number: line.text for line in lines if _is_said(line)}
    for line in lines:
        acts = isinstance(line.meaning, OrderLine) or is_deed(ctx, line.meaning)
        is_open = line.fate is None and line.origin is Origin.OWN
        limiting = _limiting(line, said, ends) if acts and is_open else ""
        found.append(not_meant(ctx, line, limiting) if limiting else line)
        if limiting and isinstance(line.meaning, OrderLine):
            orders.append(line.text.strip())
        elif limiting and isinstance(line.meaning, CommandLine):
            ctx.offer("\n".join(one for one in line.texts if one != limiting), _AS_IT_STANDS, Meant.MAYBE)
    if orders:
        ctx.offer("\n".join(orders), _AS_IT_STANDS, Meant.MAYBE)
    return tuple(found)


def not_meant(ctx: Context, line: Line, beside: str) -> Line:
    """A line settled as not acted on, because of what stands beside it."""
    problem = f"{_named(ctx, line)} was not acted on, because beside it is {shorten(beside.strip())!r}."
    return settled(line, Reason.TAKEN_BACK, NotNow(problem, "Send what you want alone."))


_AS_IT_STANDS = "do this as it stands"


def _named(ctx: Context, line: Line) -> str:
    """What a line is called in its error: the title of its command."""
    meant = line.meaning
    name = meant.name if isinstance(meant, CommandLine) else meant.kind if isinstance(meant, PressBlock) else ""
    return ctx.commands[name].title if name else "This"


def _limiting(line: Line, said: Mapping[int, str], ends: list[Line]) -> str:
    """The words that withdraw, limit or doubt a line; "" if there are none. `said`: the talk by its line's number."""
    *_, (number, _) = line.written
    below = [text for _, text in line.written[1:]]
    below += [said[number + 1]] if number + 1 in said else []
    found = [*filter(withdraws, below), *(one.text for one in ends if one.number > line.number)]
    if isinstance(line.meaning, CommandLine):
        found += filter(limits, below[-1:])
        found += filter(takes_up, [] if below else [said.get(number + 2, "")])
        found += filter(is_moment, [said.get(line.number - 1, "")])
    return next(iter(found), "")


def _is_said(line: Line) -> bool:
    return line.is_talk and line.is_for(Reason.PLAIN, Reason.MENTIONS)
