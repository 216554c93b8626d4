"""Orders and commands of which the words below them say that they are not meant, not yet, or only on a condition."""

from __future__ import annotations

from gm.commands.context import Context, Meant
from gm.errors import NotNow
from gm.parsing.lexicon import shorten
from gm.parsing.limiting import limits, withdraws
from gm.parsing.message import CommandLine, OrderLine, PressBlock
from gm.reading.line import Line, Lines, Origin, Reason, settled
from gm.server.facts import is_deed


def without_limited(ctx: Context, lines: Lines) -> Lines:
    """The lines; what words below it withdraw, and a command that the words directly below it limit or doubt, is not
    done, and is offered as it stands.
    """
    found, orders = [], []
    ends = [line for line in lines if _is_said(line) and withdraws(line.text)]
    for at, line in enumerate(lines):
        acts = isinstance(line.meaning, OrderLine) or is_deed(ctx, line.meaning)
        is_open = line.fate is None and line.origin is Origin.OWN
        limiting = _limiting(line, lines[at + 1 : at + 2], ends) if acts and is_open else ""
        if limiting and isinstance(line.meaning, OrderLine):
            orders.append(line.text.strip())
        elif limiting and isinstance(line.meaning, CommandLine):
            ctx.offer("\n".join(one for one in line.texts if one != limiting), _AS_IT_STANDS, Meant.MAYBE)
        problem = f"{_named(ctx, line)} was not acted on, because below it is {shorten(limiting.strip())!r}."
        error = NotNow(problem, "Send what you want alone.")
        found.append(settled(line, Reason.TAKEN_BACK, error) if limiting else line)
    if orders:
        ctx.offer("\n".join(orders), _AS_IT_STANDS, Meant.MAYBE)
    return tuple(found)


_AS_IT_STANDS = "do this as it stands"


def _named(ctx: Context, line: Line) -> str:
    """What a line is called in its error: the title of its command."""
    meant = line.meaning
    name = meant.name if isinstance(meant, CommandLine) else meant.kind if isinstance(meant, PressBlock) else ""
    return ctx.commands[name].title if name else "This"


def _limiting(line: Line, next_line: Lines, ends: list[Line]) -> str:
    """The words that withdraw, limit or doubt a line; "" if there are none."""
    below = [text for _, text in line.written[1:]]
    below += [one.text for one in next_line if _is_said(one) and one.number == line.written[-1][0] + 1]
    limited = isinstance(line.meaning, CommandLine) and any(map(limits, below[-1:]))
    said = (
        *filter(withdraws, below),
        *(one.text for one in ends if one.number > line.number),
        *(below[-1:] if limited else ()),
    )
    return next(iter(said), "")


def _is_said(line: Line) -> bool:
    return line.is_talk and line.is_for(Reason.PLAIN, Reason.MENTIONS)
