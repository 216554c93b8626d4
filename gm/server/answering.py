"""Acts on a mail or a scheduled command, line by line, and writes the receipt, the single reply to a mail; who pays for
what the mail causes; and error reports to operator and gamemasters.

Orders are acted on together, commands and press separately. If a line fails, its changes are rolled back, and the other
lines are not affected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from gm.commands import COMMANDS
from gm.commands.context import Answer, Context, Mail, Scheduled, Trial
from gm.commands.help import plays_nothing, welcome
from gm.errors import GmError, NotNow, NotUnderstood, Temporary
from gm.games.limits import Allowance, Budget, OverLimit, Payer, Per, Spent, moment
from gm.games.report_inputs import closes_at, game_facts, reader_of, standing_orders
from gm.games.snapshot import Game, Person
from gm.games.transaction import RECEIPT, Answering, Envelope, Transaction
from gm.mail.message.addresses import hidden
from gm.mail.message.trace import Authenticity
from gm.parsing.lexicon import shorten
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, ParsedMessage, PressBlock, Talk
from gm.reports.answers import Receipt, Refusal, RefusedLine, TalkLine, Trouble
from gm.reports.render import Rendered, render
from gm.reports.standing_orders import StandingOrders
from gm.server.identification import Identified, Standing
from gm.server.quotations import holds_any, in_subject, items_in
from gm.store import agenda, outbox
from gm.store.agenda import ScheduledRow
from gm.store.inbox import InboxRow

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
    edited: Callable[[], Sequence[str]] = tuple
    """Finds the mail's quoted lines that are in no mail of ours, which means reading those mails."""
    not_press: Callable[[Sequence[str]], Sequence[str]] = tuple
    """Leaves other people's press out of a mail's quoted lines."""
    deferred: list[CommandLine] = field(default_factory=list)
    """Commands that are possible and wait for confirmation."""
    waiting: list[str] = field(default_factory=list)
    """What the receipt says about lines that wait for an answer."""


def _at_once(_item: CommandLine) -> bool:
    return False


def act(ctx: Context, parsed: ParsedMessage, confirms: Callable[[CommandLine], bool] = _at_once) -> Acted:
    """Act on every line in the order written; order lines are one set and are acted on at the first of them.

    `confirms` says whether a command must be confirmed first; such a command is only tried.
    """
    acted, items = Acted(), _said_once(ctx, parsed.items)
    beyond: dict[Budget, tuple[CommandLine | PressBlock, OverLimit, list[int]]] = {}
    order_lines = [item for item in items if isinstance(item, OrderLine)]
    for item in items:
        if isinstance(item, Talk):
            if item.mentions_board:
                acted.talk.append(TalkLine(item.line, item.text, item.reason))
            continue
        acted.asked += 1
        if isinstance(item, Complaint):
            acted.refused.append(refused(item, item.error))
        elif isinstance(item, OrderLine):
            if item is order_lines[0]:
                _attempt(ctx, acted, item, partial(ctx.commands["orders"].run, ctx, {"lines": order_lines}))
        elif (reason := _used_up(ctx, item)) is not None:
            beyond.setdefault(reason.budget, (item, reason, []))[2].append(item.line)
        elif isinstance(item, PressBlock):
            args = {"to": item.to, "body": item.body, "manner": item.manner}
            _attempt(ctx, acted, item, partial(ctx.commands[item.kind].run, ctx, args))
        elif confirms(item):
            _attempt(ctx, acted, item, partial(_try_out, ctx, acted, item))
        else:
            _attempt(ctx, acted, item, partial(run, ctx, item))
    acted.refused += [_not_done(*one) for one in beyond.values()]
    acted.refused += ctx.answer.refused
    acted.refused.sort(key=lambda line: line.number)
    return acted


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


def _used_up(ctx: Context, item: CommandLine | PressBlock) -> OverLimit | None:
    """Why the line is not acted on, although it may be correct: a budget of its sender is used up."""
    policy = ctx.commands[item.name if isinstance(item, CommandLine) else item.kind].policy
    allowance = ctx.tx.allowance
    reason = allowance.over(Spent.WORK, *policy.spends)
    if reason is None:
        below = len(item.below) if isinstance(item, CommandLine) else 0
        allowance.charge(Spent.WORK, policy.cost + below // _LINES_OF_A_COMMAND)
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


def _try_out(ctx: Context, acted: Acted, item: CommandLine) -> None:
    """Defer a command until it is confirmed, after a dry run. Raises what the command raises."""
    with ctx.tx.attempt(keep=False):
        run(replace(ctx, origin=Trial(ctx.origin), answer=Answer()), item)
    acted.deferred.append(item)


def _attempt(ctx: Context, acted: Acted, item: Item, step: Callable[[], None]) -> None:
    """Do a step in a nested transaction: completely or not at all."""
    before = ctx.actor, ctx.about, ctx.answer
    try:
        with ctx.tx.attempt():
            step()
    except Temporary:
        raise
    except GmError as error:
        ctx.actor, ctx.about, ctx.answer = before
        acted.refused.append(refused(item, error))


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


# the receipt


_QUOTED_SHOWN = 10
_TALK_SHOWN = 100


def answer(who: Identified, acted: Acted) -> str:
    """Put the receipt into the outbox. Returns a note for the inbox row, "" in the usual case."""
    return _reply(who, partial(_receipt, who.ctx, who.mail, acted))


def refuse(who: Identified, error: GmError, once: str = "") -> str:
    """Reply that nothing could be done, and why; with `once`, only to the first mail of all for which that is the same.
    Returns a note as `answer` does.
    """
    who.ctx.tx.allowance.charge(Spent.ANSWERS)
    return _reply(who, partial(_refusal, who.ctx, who.mail, error), once)


def _reply(who: Identified, written: Callable[[], Rendered], once: str = "") -> str:
    ctx, mail = who.ctx, who.mail
    rendered, game, person = written(), ctx.game, ctx.person
    phase = game.phase if game is not None and game.running else None
    envelope = Envelope(
        purpose=f"{RECEIPT}{once or mail.id}",
        recipient=ctx.sender,
        reply_to=ctx.reader().reply_to,
        game=game.name if game is not None else None,
        answering=Answering(mail.message.message_id, tuple(mail.message.references)),
        to_stranger=who.standing is Standing.STRANGER and person is None,
        seat=ctx.seat.id if ctx.seat is not None else None,
        phase=phase.id if phase is not None else None,
    )
    ctx.tx.post(rendered if person is None or person.html else rendered.as_text(), envelope, ctx.answer.attachments)
    return ""


def _receipt(ctx: Context, mail: Mail, acted: Acted) -> Rendered:
    game, message = ctx.game, mail.message
    receipt = Receipt(
        reader=ctx.reader(),
        answered=hidden(message.subject, ctx.tx.identity.address),
        game=game_facts(game) if game is not None else None,
        standing=_standing(ctx),
        done=ctx.answer.done,
        waiting=tuple(acted.waiting),
        refused=tuple(acted.refused),
        talk=_first(acted.talk),
        quoted=_meant(ctx, message.quoted, acted),
        faults=(*message.faults, *acted.quoted, *(() if acted.asked else in_subject(ctx, message))),
        parts=ctx.answer.parts,
    )
    if replace(receipt, talk=(), quoted=()) == Receipt(receipt.reader, receipt.answered) and plays_nothing(ctx):
        ctx.give(welcome(ctx))
        receipt = replace(receipt, greets=True, parts=ctx.answer.parts)
    return render(receipt)


def _first(talk: Sequence[TalkLine]) -> tuple[TalkLine, ...]:
    """As much of the small talk as a reply has room for, and how much more there was."""
    shown = tuple(replace(line, text=shorten(line.text)) for line in talk[:_TALK_SHOWN])
    rest = talk[_TALK_SHOWN:]
    if not rest:
        return shown
    return (*shown, TalkLine(rest[0].number, f"... and so it is with {len(rest)} lines from here on"))


def _standing(ctx: Context) -> StandingOrders | None:
    """The sender's orders after the whole mail, if it changed them."""
    game, seat, changed = ctx.game, ctx.seat, ctx.answer.changed
    if changed is None or game is None or seat is None:
        return None
    orders = standing_orders(ctx.tx.identity, game, seat)
    return replace(orders, deadline=closes_at(game, seat), replaces=changed.replaces, all_in=changed.all_in)


def _meant(ctx: Context, quoted: Sequence[str], acted: Acted) -> tuple[str, ...]:
    """The quoted lines that look like orders or commands and are not ours, in case they were meant; or, when the mail
    asks for nothing else, every quoted order that is not of other people's press.
    """
    items = items_in(ctx, acted.not_press(quoted))
    if all(isinstance(item, Talk) for item in items):
        return ()
    new = acted.edited()
    edited = [item for item in items_in(ctx, new) if isinstance(item, OrderLine | CommandLine)]
    orders = [] if acted.asked else [item for item in items if isinstance(item, OrderLine)]
    press = [item for item in items if isinstance(item, PressBlock) and holds_any(item, new)]
    return tuple(shorten(item.text) for item in (*press, *(edited or orders))[:_QUOTED_SHOWN])


def _refusal(ctx: Context, mail: Mail, error: GmError) -> Rendered:
    reader, subject = reader_of(ctx.tx.identity, ctx.person), hidden(mail.message.subject, ctx.tx.identity.address)
    return render(Refusal(reader, error.problem, error.remedy, subject))


def tell_of_trouble(tx: Transaction, mail: InboxRow) -> None:
    """Notify the operator of a mail that was set aside, with the error."""
    problem = (
        f"Mail {mail.id} from {mail.envelope_from or 'an unknown sender'} could not be processed and was set aside."
    )
    report_trouble(tx, problem, mail.note, f"trouble:mail:{mail.id}")


NOTHING_LOST = "Nothing is lost; see `gm check` and `gm mail show`."


def report_trouble(
    tx: Transaction, problem: str, detail: str, purpose: str, game: Game | None = None, remedy: str = NOTHING_LOST
) -> None:
    """Notify the operator, if there is one, and the game's gamemasters, without the technical details; once for each
    purpose.
    """
    identity = tx.identity
    told = outbox.raw_of(tx.session, purpose) is not None
    if identity.settings.operator and not told and tx.allowance_of(Payer.SERVER).take(tx.session, Spent.NOTICES):
        trouble = Trouble(reader_of(identity, None), problem, remedy, detail)
        tx.post(render(trouble), Envelope(purpose, identity.settings.operator, identity.address))
    if game is not None and game.playable:
        tx.tell(game, game.masters, "trouble", (problem, *operator_told(tx)), purpose)


def operator_told(tx: Transaction) -> tuple[str, ...]:
    """What a notice says about the operator, who may have no address."""
    return ("The operator was notified.",) if tx.identity.settings.operator else ()


# who pays for a mail


_LABELS = 2
"""The number of labels of a domain's name that are counted together, so that subdomains do not get budgets of their
own.
"""


def allowance_for(who: Identified) -> Allowance:
    """What may still be caused by mail like this one."""
    ctx = who.ctx
    person = ctx.person
    if person is not None and person.proved_at is None and who.proof is not Authenticity.PASS:
        person = None  # anybody can have registered an address that is not theirs
    payer = payer_of(who.standing, who.proof, known=person is not None)
    holder = who.addressed if payer is Payer.SEAT else None
    keys = _keys(payer, ctx.sender, f"seat {holder.id}" if holder is not None else person)
    if ctx.game is not None and who.standing in (Standing.SEATED, Standing.SHOWN):
        keys[Per.GAME] = f"game {ctx.game.id}"
    return ctx.tx.allowance_of(payer, keys)


def payer_of(standing: Standing, proof: Authenticity, *, known: bool) -> Payer:
    """Whose budgets are charged for such mail. `known`: its sender is registered, and has written here provably."""
    if standing is Standing.SEATED and proof is not Authenticity.FAIL:
        return Payer.SEAT
    if standing is Standing.SHOWN and proof is Authenticity.PASS:
        return Payer.SEAT
    if proof is Authenticity.PASS:
        return Payer.PROVED if known else Payer.NEWCOMER
    return Payer.KNOWN if known else Payer.STRANGER


def _keys(payer: Payer, sender: str, known: Person | str | None) -> dict[Per, str]:
    domain = ".".join(sender.rpartition("@")[2].split(".")[-_LABELS:])
    name = f"person {known.id}" if isinstance(known, Person) else known or sender
    return {Per.SENDER: f"{payer.name.lower()} {name}", Per.DOMAIN: f"{payer.name.lower()} @{domain}"}


def allowance_of_answer(tx: Transaction, sender: str, asked: str, person: Person | None) -> Allowance:
    """What an answer to a question may still cause: on the account of the person who was asked if the answer comes from
    them (it has the question's token), otherwise of its sender.
    """
    if sender == asked or person is not None:
        return tx.allowance_of(Payer.PROVED, _keys(Payer.PROVED, sender, person or f"asked {asked}"))
    return tx.allowance_of(Payer.STRANGER, _keys(Payer.STRANGER, sender, None))


def last_words(allowance: Allowance, used_up: Sequence[tuple[Budget, datetime]]) -> str:
    """What the last reply says about there being no more for a while; "" when it is not the last."""
    for budget, ends_at in sorted(used_up, key=lambda one: one[1], reverse=True):
        if budget.of in (Spent.ANSWERS, Spent.IDLE):
            until = moment(ends_at)
            if budget.of is Spent.IDLE:
                idle = "Mail from you that asks for nothing, and an answer to a question that does nothing,"
                return f"{idle} is not replied to again before {until}. A YES or NO alone still counts."
            orders = " Orders to your seat still count;" if allowance.payer is Payer.SEAT else ""
            whom = "" if budget.per is Per.SENDER else f" to {budget.per.value}"
            return f"This is the last answer{whom} before {until}.{orders} Other mail is not acted on until then."
    return ""
