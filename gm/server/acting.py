"""Acts on a mail or a scheduled command, line by line.

Orders are acted on together, commands and press separately. If a line fails, its changes are rolled back, and the other
lines are not affected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import partial

from gm.board import Province
from gm.commands import COMMANDS
from gm.commands.all_powers import orders_for_all
from gm.commands.context import Answer, Context, Scheduled, Trial
from gm.commands.declaration import Orders, Who
from gm.errors import GmError, NotNow, NotUnderstood, Temporary
from gm.games.limits import Budget, OverLimit, Spent
from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.mail.message.incoming import Message
from gm.parsing.lexicon import shorten
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, ParsedMessage, PressBlock, Talk, parse_message
from gm.parsing.orders import names_given
from gm.reports.answers import RefusedLine, TalkLine
from gm.server.plain_answers import answers_nothing
from gm.server.quotations import Quotations, offer_ended, said_elsewhere, to_nobody
from gm.server.sections import lines_of, listed
from gm.server.which_phase import Sorted
from gm.store import agenda
from gm.store.agenda import ScheduledRow

_MOST_REFUSED = 60
"""The most lines that are quoted as refused for one reason."""
_LINES_OF_A_COMMAND = 10
"""The number of lines below a command that count as much as a command."""


@dataclass
class Acted:
    """The results of acting on a mail: lines refused, lines waiting for confirmation, counts."""

    refused: list[RefusedLine] = field(default_factory=list)
    talk: list[TalkLine] = field(default_factory=list)
    asked: int = 0
    """The number of orders, commands and press blocks in the mail, understood or not."""
    quoted: tuple[str, ...] = ()
    """What the reply says about lines that are not the sender's own."""
    meant: tuple[str, ...] = ()
    """Quoted lines that may have been meant as orders, commands or press."""
    deferred: list[CommandLine] = field(default_factory=list)
    """Commands that are possible and wait for confirmation."""
    unfilled: list[str] = field(default_factory=list)
    """The lines of a form that came back as they were sent."""
    waiting: list[str] = field(default_factory=list)
    """What the receipt says about lines that wait for an answer."""


def _at_once(_item: CommandLine) -> bool:
    return False


def act_on(
    ctx: Context,
    message: Message,
    lines: Sorted,
    quoted: Quotations,
    confirms: Callable[[CommandLine], bool] = _at_once,
) -> Acted:
    """Act on a mail's own lines; what is said about its other lines is in the result."""
    ctx.tx.orders_only = all(isinstance(item, OrderLine | Talk) for item in lines.parsed.items)
    doubtful = tuple(text for item in lines.doubtful for _, text in lines_of(item))
    acted = act(ctx, lines.parsed, confirms, lambda: (*doubtful, *quoted.unread(ctx, message)))
    acted.asked += len(lines.doubtful) + len(quoted.found) + len(quoted.changed)
    acted.asked += len(quoted.headings.unread) if quoted.headings is not None else 0
    acted.quoted += (*quoted.said, *said_elsewhere(ctx, message, quoted))
    acted.quoted += quoted.not_sent("" if acted.asked else message.text) or to_nobody(ctx, lines.parsed)
    acted.quoted += () if acted.asked or acted.quoted else answers_nothing(ctx, message)
    acted.meant = quoted.meant(ctx, message)
    offer_ended(ctx, lines.parsed)
    return acted


def act(
    ctx: Context,
    parsed: ParsedMessage,
    confirms: Callable[[CommandLine], bool] = _at_once,
    unread: Callable[[], Sequence[str]] = tuple,
) -> Acted:
    """Act on every line in the order written; order lines are one set, of each game that a line chooses, and are
    acted on at the first of them, final commands below all other lines.

    `confirms` says whether a command must be confirmed first; such a command is only tried. `unread` finds what else
    in the mail looks like an order and is not acted on.
    """
    acted, items = Acted(), _final_last(ctx, _said_once(ctx, parsed.items))
    beyond: dict[Budget, tuple[CommandLine | PressBlock, OverLimit, list[int]]] = {}
    above = _choices(items)
    undone: dict[int, Item] = {item.line: item for item in items if isinstance(item, Complaint) and _chooses(item)}
    ordered = set[int]()
    for item in items:
        if isinstance(item, Talk):
            acted.unfilled += [item.text.strip()] if item.unfilled else []
            if item.mentions_board:
                acted.talk.append(TalkLine(item.line, item.text, item.reason))
            continue
        acted.asked += 1
        if isinstance(item, Complaint):
            acted.refused.append(refused(item, item.error))
        elif (choice := undone.get(above[item.line])) is not None and _is_about_a_game(ctx, item):
            acted.refused += _all_refused([item], _held_back(choice, acted))
        elif isinstance(item, OrderLine):
            if above[item.line] not in ordered:
                ordered.add(above[item.line])
                lines = [one for one in items if isinstance(one, OrderLine) and above[one.line] == above[item.line]]
                _attempt(ctx, acted, lines, partial(ctx.commands["orders"].run, ctx, {"lines": lines}))
        elif (reason := _used_up(ctx, item)) is not None:
            beyond.setdefault(reason.budget, (item, reason, []))[2].append(item.line)
        elif isinstance(item, PressBlock):
            args = {"to": item.to, "body": item.body, "manner": item.manner}
            _attempt(ctx, acted, [item], partial(ctx.commands[item.kind].run, ctx, args))
        else:
            check = partial(_check_final, ctx, acted, item, items, unread)
            done = _attempt(ctx, acted, [item], partial(_command, ctx, acted, item, check, confirms))
            undone |= _not_chosen(ctx, acted, item, done=done)
    acted.refused += [_not_done(*one) for one in beyond.values()]
    acted.refused += ctx.answer.refused
    acted.refused.sort(key=lambda line: line.number)
    return acted


CHOOSING = ("game", "create")
"""The commands that say which game the lines below them are about."""


def _chooses(item: Item) -> bool:
    """Whether the line says, or was to say, which game the lines below it are about; its word may be misspelt."""
    if isinstance(item, CommandLine):
        return item.name in CHOOSING
    first = re.match(r"\W*(\w*)", item.text) if isinstance(item, Complaint) and not item.of_order else None
    return first is not None and bool(get_close_matches(first[1].lower(), CHOOSING, 1, 0.75))


def _not_chosen(ctx: Context, acted: Acted, item: CommandLine, *, done: bool) -> dict[int, Item]:
    """Such a command by its number if the lines below it may be about another game: it was not done, and the mail is
    not in the game that it names.
    """
    here = ctx.game is not None and str(item.args.get("game")).strip("*_").lower() == ctx.game.name
    return {item.line: item} if _chooses(item) and (item in acted.deferred or not (done or here)) else {}


def _choices(items: Sequence[Item]) -> dict[int, int]:
    """For each line of these items the number of the last such line above it, or 0."""
    found, last = dict[int, int](), 0
    for item in sorted(items, key=lambda item: item.line):
        found[item.line] = last
        last = item.line if _chooses(item) else last
    return found


def _is_about_a_game(ctx: Context, item: CommandLine | OrderLine | PressBlock) -> bool:
    """Whether the line is about the game of the mail, or the one chosen above it: it names none, and needs one."""
    if not isinstance(item, CommandLine):
        return True
    if "game" in item.args:
        return not item.args["game"]
    return ctx.commands[item.name].policy.who not in (Who.ANYBODY, Who.REGISTERED, Who.PERSON)


def _held_back(above: Item, acted: Acted) -> NotNow:
    """Why a line is not acted on below one that was to say which game it is about."""
    what = "waits for your answer" if above in acted.deferred else "was not acted on"
    return NotNow(
        f"It is below {shorten(above.text.strip())!r}, which {what}, so it may be meant for another game.",
        "Send it again below GAME and the name of its game, or to your address there.",
    )


def _said_once(ctx: Context, items: Sequence[Item]) -> list[Item]:
    """The items without questions that were asked before, with nothing since that could change the answer; the reply
    says how many these are.
    """
    kept: list[Item] = []
    asked: dict[tuple[object, ...], list[CommandLine]] = {}
    repeated: list[list[CommandLine]] = []
    for item in items:
        if isinstance(item, CommandLine) and ctx.commands[item.name].syntax.asks:
            same = asked.setdefault((item.name, str(item.args), item.phase, *(text for _, text in item.below)), [])
            same.append(item)
            if len(same) > 1:
                continue
            repeated.append(same)
        elif not isinstance(item, Talk | Complaint):
            asked.clear()
        kept.append(item)
    for first, *others in repeated:
        if others:
            say = "line says" if len(others) == 1 else "lines say"
            ctx.say(f"{len(others)} more {say} the same as line {first.line} ({shorten(first.text.strip())}).")
    return kept


def _final_last(ctx: Context, items: Sequence[Item]) -> list[Item]:
    """The items with the final commands below all others, since READY is often written above the orders; and PROCESS
    above orders, which waits for these.
    """
    commands = [(item.line, ctx.commands[item.name]) for item in items if isinstance(item, CommandLine)]
    last = max((line for line, command in commands if isinstance(command.syntax.below, Orders)), default=0)
    wait = {line for line, command in commands if command.policy.final or (command.policy.whole and line < last)}
    return sorted(items, key=lambda item: item.line in wait)


def _check_final(
    ctx: Context, acted: Acted, item: CommandLine, items: Sequence[Item], unread: Callable[[], Sequence[str]]
) -> None:
    """Raises NotNow if a command could make orders binding that are not what their sender wants: if the receipt lists
    anything but a question, and for PROCESS talk, as not read or not acted on; and what its policy raises, which comes
    first.
    """
    word, policy = ctx.commands[item.name].title, ctx.commands[item.name].policy
    policy.check(ctx, item.args.get("game"))
    below = (one for one in items if isinstance(one, CommandLine) and one.line > item.line)
    if (undone := next((one for one in below if ctx.commands[one.name].policy.reopens), None)) is not None:
        raise NotNow(f"{word} was not acted on, because below it is {undone.text.strip()}.", f"Write {word} last.")
    given = (one for one in items if isinstance(one, CommandLine) and not one.below)
    questions = {one.line for one in given if ctx.commands[one.name].syntax.asks}
    orders = (line for line in acted.refused if line.number not in questions)
    to_come = (one for one in items if isinstance(one, Complaint) and one.of_order)
    refused_lines = [line.text for line in (*orders, *ctx.answer.refused)] + [one.text for one in to_come]
    talk = (line.text for line in acted.talk if policy.final)
    unfilled = acted.unfilled if policy.final and not orders_for_all(ctx) else ()  # a sandbox's form has all units
    missed = list(dict.fromkeys(line.strip() for line in (*refused_lines, *talk, *unfilled, *unread())))
    if missed:
        these, were = ("this part", "was") if len(missed) == 1 else ("these parts", "were")
        problem = f"{word} was not acted on, because {these} of your mail {were} not: {listed(missed)}."
        how = (
            f"Send {word} alone in a new mail if your orders are complete, otherwise below the orders that are missing."
        )
        raise NotNow(problem, how)


def _used_up(ctx: Context, item: CommandLine | PressBlock) -> OverLimit | None:
    """Why the line is not acted on, although it may be correct: a budget of its sender is used up."""
    policy = ctx.commands[item.name if isinstance(item, CommandLine) else item.kind].policy
    allowance = ctx.tx.allowance
    reason = allowance.over(Spent.WORK, *policy.spends)
    if reason is None:
        allowance.charge(Spent.WORK, policy.cost + len(lines_of(item)[1:]) // _LINES_OF_A_COMMAND)
    return reason


def _not_done(item: CommandLine | PressBlock, reason: OverLimit, lines: list[int]) -> RefusedLine:
    """The single entry in the reply for all lines that a limit has stopped."""
    first = refused(item, reason)
    if len(lines) == 1:
        return first
    return replace(first, problem=f"{reason.problem} So it is with {len(lines)} lines, from {lines[0]} to {lines[-1]}.")


def run(ctx: Context, item: CommandLine) -> None:
    """Carry out a command, with the lines below it if it has any."""
    ctx.commands[item.name].run(ctx, {**item.args, "below": item.below})


def _command(
    ctx: Context,
    acted: Acted,
    item: CommandLine,
    check: Callable[[], None],
    confirms: Callable[[CommandLine], bool],
) -> None:
    """Carry out a command, or try it out if it must be confirmed. Raises what the command raises, and what the `check`
    of one that others in the mail can hold back does.
    """
    policy = ctx.commands[item.name].policy
    if policy.final or policy.whole:
        check()
    if confirms(item):
        _try_out(ctx, acted, item)
    else:
        run(ctx, item)


def _try_out(ctx: Context, acted: Acted, item: CommandLine) -> None:
    """Defer a command until it is confirmed, after a dry run. Raises what the command raises."""
    with ctx.tx.attempt(keep=False):
        run(replace(ctx, origin=Trial(ctx.origin), answer=Answer()), item)
    acted.deferred.append(item)


def _attempt(ctx: Context, acted: Acted, items: Sequence[Item], step: Callable[[], None]) -> bool:
    """Do a step, for these items, in a nested transaction: completely or not at all. Returns whether it was done."""
    before = ctx.actor, ctx.about, ctx.answer
    try:
        with ctx.tx.attempt():
            step()
    except Temporary:
        raise
    except GmError as error:
        ctx.actor, ctx.about, ctx.answer = before
        acted.refused += _all_refused(items, error)
        return False
    return True


def _all_refused(items: Sequence[Item], error: GmError) -> list[RefusedLine]:
    """The entries for these items and the lines below them, the last of which says how many more there are."""
    lines = list[RefusedLine]()
    for item in items:
        first = refused(item, error)
        below = (replace(first, number=number, text=text, column=None) for number, text in lines_of(item)[1:])
        lines += (first, *below)
    more = len(lines) - _MOST_REFUSED
    return [*lines[:_MOST_REFUSED], *([replace(lines[-1], text=f"and {more} more lines")] if more > 0 else [])]


def refused(item: Item, error: GmError) -> RefusedLine:
    """The entry in the reply that says why the line was refused."""
    column = error.column if isinstance(error, NotUnderstood) else None
    return RefusedLine(item.line, item.text, error.problem, error.remedy, column)


# scheduled actions


def carry_out(tx: Transaction, game: Game) -> Game:
    """Carry out a game's due scheduled commands, each completely or not at all, and notify the gamemaster who scheduled
    it.
    """
    for row in agenda.scheduled(tx.session, game.id):
        if row.due_at <= tx.now:
            row.done_at = tx.now
            _do(tx, tx.newest(game), row)
    return tx.newest(game)


def _do(tx: Transaction, game: Game, row: ScheduledRow) -> None:
    seat, call = game.seat(row.seat_id), COMMANDS.reader.read(row.line, game.lexicon)
    if seat.person is None or call is None:
        return  # the gamemaster who scheduled it has left
    ctx = Context(tx, Scheduled(row.id), seat.person.reachable, COMMANDS, actor=seat, about=game)
    said: tuple[str, ...]
    try:
        bound = COMMANDS[call.name].policy.phase_bound and not call.args.get("phase")
        if bound and (game.phase is None or game.phase.id != row.phase_id):
            raise NotNow(
                "The phase in which you wrote it is over.", f"If you still want it, write {call.name.upper()}."
            )
        with tx.attempt():
            COMMANDS[call.name].run(ctx, call.args)
        said = (f"Your scheduled command was run: {row.line}", *ctx.answer.done)
    except Temporary:
        raise
    except GmError as error:
        said = (f"Your scheduled command failed: {row.line}", error.problem, error.remedy)
    words = tuple(filter(None, said))
    tx.tell(tx.newest(game), [seat], "a scheduled command", words, f"scheduled:{row.id}")


# reading the words of a mail


def read(text: str, game: Game | None, seat: Seat | None = None) -> ParsedMessage:
    """The mail's lines, read with the names of the seat's game and the aliases that the mail itself defines."""
    reader = COMMANDS.reader
    if game is None:
        return parse_message(text, None, None, reader)
    now, own = game.written_for, provinces_of(game, seat)
    parsed = parse_message(text, game.lexicon_of(seat), now, reader, own)
    words = [item.args["alias"] for item in parsed.items if isinstance(item, CommandLine) and item.args.get("alias")]
    also = names_given(words, game.lexicon)
    return parse_message(text, game.lexicon_of(seat, also), now, reader, own) if also else parsed


def provinces_of(game: Game, seat: Seat | None) -> frozenset[Province]:
    """The provinces in which the seat has something to order."""
    if game.phase is None or seat is None or seat.power is None:
        return frozenset()
    position, duty = game.phase.position, game.duties.get(seat.power)
    units = (*position.units_of(seat.power), *(duty.units if duty is not None else ()))
    return frozenset(game.phase.board.province(unit.at) for unit in units)
