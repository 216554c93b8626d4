"""What a mail asks for, done line by line: orders together, commands and press each for itself.

A line that fails leaves nothing behind and does not stop the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from gm.commands.context import Context
from gm.errors import GmError, NotUnderstood, Temporary
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, ParsedMessage, PressBlock, Talk
from gm.reports.context import RefusedLine, TalkLine


@dataclass
class Acted:
    """What became of the lines that were not simply done."""

    refused: list[RefusedLine] = field(default_factory=list)
    talk: list[TalkLine] = field(default_factory=list)
    asked: int = 0
    """How many orders, commands and press blocks the mail held, understood or not."""
    deferred: list[CommandLine] = field(default_factory=list)
    """Commands that could be done and wait until they are confirmed."""
    waiting: str = ""
    """What the receipt says of them."""


class _Rehearsed(Exception):
    """A command would work; nothing of it is kept."""


def _at_once(_item: CommandLine) -> bool:
    return False


def act(scene: Context, parsed: ParsedMessage, confirms: Callable[[CommandLine], bool] = _at_once) -> Acted:
    """Act on every line in the order written; order lines are one set and are acted on where the first stands.

    `confirms` says of a command whether it waits to be confirmed; such a command is tried and undone.
    """
    acted = Acted()
    order_lines = [item for item in parsed.items if isinstance(item, OrderLine)]
    for item in parsed.items:
        if isinstance(item, Talk):
            if item.mentions_board:
                acted.talk.append(TalkLine(item.line, item.text))
            continue
        acted.asked += 1
        if isinstance(item, Complaint):
            acted.refused.append(refused(item, item.error))
        elif isinstance(item, OrderLine):
            if item is order_lines[0]:
                _try(scene, acted, item, partial(scene.commands["orders"].run, scene, {"lines": order_lines}))
        elif isinstance(item, PressBlock):
            args = {"to": item.to, "body": item.body, "manner": item.manner}
            _try(scene, acted, item, partial(scene.commands[item.kind].run, scene, args))
        elif confirms(item):
            _try(scene, acted, item, partial(_rehearse, scene, acted, item))
        else:
            _try(scene, acted, item, partial(run, scene, item))
    acted.refused += scene.refused
    acted.refused.sort(key=lambda line: line.number)
    return acted


def run(scene: Context, item: CommandLine) -> None:
    """Carry out a command, with the lines below it if it is one that has such lines."""
    scene.commands[item.name].run(scene, {**item.args, "below": item.below})


def _rehearse(scene: Context, acted: Acted, item: CommandLine) -> None:
    """Put a command off, once it has been seen to work. Raises what the command raises."""
    trial = replace(scene, done=[], parts=[], refused=[])
    try:
        with scene.session.begin_nested():
            run(trial, item)
            raise _Rehearsed
    except _Rehearsed:
        acted.deferred.append(item)
    finally:
        if scene.table is not None:
            scene.table.forget()
            scene.table.forget_options()


def _try(scene: Context, acted: Acted, item: Item, step: Callable[[], None]) -> None:
    """Do a step wholly or not at all."""
    account, seat, table, changed = scene.account, scene.seat, scene.table, scene.changed
    done, parts, lines = len(scene.done), len(scene.parts), len(scene.refused)
    try:
        with scene.session.begin_nested():
            step()
    except Temporary:
        raise
    except GmError as error:
        scene.account, scene.seat, scene.table, scene.changed = account, seat, table, changed
        del scene.done[done:], scene.parts[parts:], scene.refused[lines:]
        if table is not None:
            table.forget()
            table.forget_options()
        acted.refused.append(refused(item, error))


def refused(item: Item, error: GmError) -> RefusedLine:
    """The line in the answer that says why."""
    column = error.column if isinstance(error, NotUnderstood) else None
    return RefusedLine(item.line, item.text, error.problem, error.remedy, column)
