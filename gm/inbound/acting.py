"""Acts on a mail or a scheduled command, line by line.

Orders are acted on together, commands and press separately. If a line fails, its changes are rolled back, and the other
lines are not affected.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from difflib import get_close_matches
from functools import partial

from gm.commands import COMMANDS
from gm.commands.all_powers import orders_for_all
from gm.commands.context import THE_DEADLINE, Answer, Beginning, Context, Scheduled
from gm.commands.declaration import About, Orders, Policy
from gm.commands.timing import than_usual, told_before
from gm.commands.voice import say_of_phase
from gm.errors import GmError, NotNow, Temporary
from gm.games import report_inputs
from gm.games.limits import Budget, OverLimit, Spent
from gm.games.snapshot import Game, PhasePlayed
from gm.games.transaction import Transaction
from gm.inbound.facts import is_commanded, listed, names_known, names_of_games, others
from gm.inbound.identification import carried_by
from gm.inbound.meant_orders import BesideOrders, offer_at_seats, offer_ended, offer_meant
from gm.inbound.telling import sentences
from gm.mail.message.incoming import Message
from gm.parsing.command_lines import Call
from gm.parsing.headings import moment, moment_of
from gm.parsing.lexicon import shorten
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, PressBlock, Talk
from gm.play import calendar
from gm.reading.line import Line, Lines, Origin, Reason, for_reasons, has_unread, settled
from gm.reading.origin import Sources
from gm.store import agenda
from gm.store.agenda import ScheduledRow

_LINES_OF_A_COMMAND = 10
"""The number of lines below a command that count as much as a command."""

Confirms = Callable[[CommandLine | None], bool]
"""Whether a command must be confirmed first; None: what has been brought about (`Answer.brings`)."""


class _Unconfirmed(GmError):
    """What a line brings about is to be confirmed first."""


Tells = Callable[[PressBlock], GmError | None]
"""Why a text must be confirmed before it is sent; None if it need not."""


def _at_once(_command: CommandLine | None) -> bool:
    return False


def _untried(_press: PressBlock) -> None:
    return None


def act(ctx: Context, lines: Lines, confirms: Confirms = _at_once, tells: Tells = _untried) -> Lines:
    """Act on every line without a fate, in the order written; order lines are one set, of each game that a line
    chooses, and are acted on at the first of them, final commands below all other lines. A command that must be
    confirmed is only tried. Returns the lines, all of which have fates then.
    """
    acting = _Acting(ctx, lines, confirms, tells)
    acting.run()
    ctx.tx.lines += tuple(acting.lines)
    return tuple(acting.lines)


def act_on_all(
    ctx: Context,
    message: Message,
    lines: Lines,
    sources: Sources,
    confirms: Confirms = _at_once,
    tells: Tells = _untried,
) -> Lines:
    """Act on a mail's own lines. Returns all its lines."""
    own = [line.meaning for line in lines if line.origin is Origin.OWN]
    ctx.tx.orders_only = all(isinstance(item, OrderLine | Talk) for item in own)
    return act(ctx, (*lines, *others(ctx, message, sources)), confirms, tells)


def said_beside(
    ctx: Context, message: Message, acted: Lines, sources: Sources, beside: BesideOrders
) -> tuple[Lines, tuple[str, ...]]:
    """The lines that were acted on, and what the receipt says beside of them."""
    said = sentences(ctx, message, acted, sources.writers)
    if ctx.guesses and (has_unread(acted) or for_reasons(acted, Reason.NOT_DONE, Reason.ILLEGAL)):
        offer_ended(ctx, acted)
        acted, apart = offer_at_seats(ctx, acted)
        of_orders, acted = ((), acted) if is_commanded(ctx, acted) else offer_meant(ctx, acted, beside, apart)
        said += of_orders
    return acted, said


class _Acting:
    """The lines of a mail while they are acted on."""

    def __init__(self, ctx: Context, lines: Lines, confirms: Confirms, tells: Tells) -> None:
        self.ctx = ctx
        self.lines = list(_said_once(ctx, lines))
        self._confirms, self._tells = confirms, tells
        self._above = _choices(self.lines)
        misread = for_reasons(self.lines, Reason.NOT_UNDERSTOOD)
        self._undone = {line.number: line for line in misread if chooses(line)}
        self._beyond: dict[Budget, tuple[OverLimit, list[int]]] = {}

    def run(self) -> None:
        for at in _final_last(self.ctx, self.lines):
            if self.lines[at].fate is None:
                self._act_on(at)
        for reason, places in self._beyond.values():
            self._settle(places, Reason.BEYOND, _beyond(reason, [self.lines[at] for at in places]))

    def _act_on(self, at: int) -> None:
        line = self.lines[at]
        choice = self._undone.get(self._above[at])
        if choice is not None and _waits_with(self.ctx, choice, line):
            self._settle([at], Reason.CONFIRM)
        elif choice is not None and _is_about_a_game(self.ctx, line):
            self._settle([at], Reason.BELOW_UNDONE, _held_back(self.ctx, choice))
        elif isinstance(line.meaning, OrderLine):
            self._order([n for n, one in enumerate(self.lines) if self._is_beside(n, one, at)])
        elif (reason := _used_up(self.ctx, line)) is not None:
            self._beyond.setdefault(reason.budget, (reason, []))[1].append(at)
        elif isinstance(line.meaning, PressBlock):
            waits = self._tells(line.meaning)
            if self._attempt([at], partial(self._tell, line.meaning, trial=waits is not None)) and waits is not None:
                self._settle([at], Reason.CONFIRM, waits)
        elif isinstance(line.meaning, CommandLine):
            self._command(at, line, line.meaning)

    def _is_beside(self, number: int, line: Line, at: int) -> bool:
        """Whether a line has orders of the same set as line `at`."""
        return line.fate is None and isinstance(line.meaning, OrderLine) and self._above[number] == self._above[at]

    def _order(self, places: list[int]) -> None:
        given = [self.lines[at].meaning for at in places]
        self._attempt(places, partial(self.ctx.commands["orders"].run, self.ctx, {"lines": given}))

    def _tell(self, press: PressBlock, *, trial: bool) -> None:
        args = {"to": press.to, "body": press.body, "manner": press.manner}
        self._run(partial(_run_with, press.kind, args), trial=trial)

    def _run(self, call: Callable[[Context], None], *, trial: bool) -> None:
        """Do what a line says, or try it out if it must be confirmed."""
        if trial:
            with self.ctx.tx.attempt(keep=False):
                call(self.ctx.on_trial())
        else:
            call(self.ctx)

    def _command(self, at: int, line: Line, command: CommandLine) -> None:
        if (refused := self._refused_above(line, command)) is not None:
            self._settle([at], Reason.NOT_DONE, _of_next_phase(refused))
            return
        waits = self._confirms(command) or self._stands_below(at, command)
        done = self._attempt([at], partial(self._carry_out, line, command, trial=waits))
        after, error = any(one.is_for(Reason.CONFIRM) for one in self.lines[:at]), self.lines[at].error
        waits = (done and waits) or isinstance(error, _Unconfirmed)
        if waits or (after and isinstance(error, NotNow)):  # EJECT France, STANDIN France
            self._settle([at], Reason.CONFIRM)
        if chooses(line) and (waits or not done) and not _is_here(self.ctx, command):
            self._undone[line.number] = self.lines[at]

    def _stands_below(self, at: int, command: CommandLine) -> bool:
        """Whether a command that does something stands below one that waits: one answer does both, in the order
        written.
        """
        waits = any(one.is_for(Reason.CONFIRM) and isinstance(one.meaning, CommandLine) for one in self.lines[:at])
        return waits and not self.ctx.commands[command.name].syntax.asks and not chooses(self.lines[at])

    def _refused_above(self, line: Line, command: CommandLine) -> Line | None:
        """The line above one that moves the deadline which was to end the phase, and was refused."""
        if self.ctx.commands[command.name].policy.record.changes != THE_DEADLINE:
            return None
        above = (one for one in self.lines if one.number < line.number and one.is_for(Reason.NOT_DONE))
        return next((one for one in above if _ends_phase(self.ctx, one.meaning)), None)

    def _carry_out(self, line: Line, command: CommandLine, *, trial: bool) -> None:
        """Carry out a command, or try it out if it must be confirmed. Raises what the command raises, and NotNow for
        one that other lines hold back.
        """
        policy = _carried_out(self.ctx, command)
        if policy.final or policy.whole:
            self._check(line, command, policy)
        self._run(partial(_run_with, command.name, {**command.args, "below": command.below}), trial=trial)
        if not trial and self._confirms(None):
            raise _Unconfirmed(line.text)

    def _check(self, line: Line, command: CommandLine, policy: Policy) -> None:
        """Raises NotNow if a command could make orders binding that are not what their sender wants: while any line
        is asked about, refused or shown back; and what its policy raises, which comes first.
        """
        word = self.ctx.commands[command.name].title
        self.ctx.commands[command.name].check(self.ctx, command.args)
        below = (one for one in self.lines if one.number > line.number and isinstance(one.meaning, CommandLine))
        if (undone := next((one for one in below if _reopens(self.ctx, one)), None)) is not None:
            raise NotNow(f"{word} was not acted on, because below it is {undone.text.strip()}.", f"Write {word} last.")
        missed = list(dict.fromkeys(text.strip() for text in self._missed(policy)))
        if missed:
            these, were = ("this part", "was") if len(missed) == 1 else ("these parts", "were")
            problem = f"{word} was not acted on, because {these} of your mail {were} not: {listed(missed)}."
            if_so, lacking = _OF_THE_REST if policy.whole else _OF_ORDERS
            raise NotNow(problem, f"Send {word} alone in a new mail if {if_so}, otherwise below {lacking}.")

    def _missed(self, policy: Policy) -> Iterable[str]:
        """What holds a final command back; PROCESS is not a player's, and may stand beside a letter."""
        spared = {Reason.UNFILLED} if orders_for_all(self.ctx) else set[Reason]()  # a sandbox's form has all units
        spared |= set() if policy.final else {Reason.MENTIONS, Reason.UNFILLED}
        spared.add(Reason.ILLEGAL)
        yield from (text for line in self.lines if line.holds and not line.is_for(*spared) for text in line.texts)
        yield from (line.text for line in self.ctx.answer.refused)

    def _attempt(self, places: Sequence[int], step: Callable[[], None]) -> bool:
        """Do a step, for these lines, in a nested transaction: completely or not at all. Returns whether it was
        done.
        """
        ctx = self.ctx
        before = ctx.actor, ctx.about, ctx.answer
        try:
            with ctx.tx.attempt():
                step()
        except Temporary:
            raise
        except GmError as error:
            ctx.actor, ctx.about, ctx.answer = before
            asked = len(places) == 1 and _is_question(ctx, self.lines[places[0]])
            self._settle(places, Reason.NO_ANSWER if asked else Reason.NOT_DONE, error)
            return False
        refused = {one.number for one in ctx.answer.refused[len(before[2].refused) :]}
        for at in places:
            said = any(number in refused for number, _ in self.lines[at].written)
            self._settle([at], Reason.ILLEGAL if said else Reason.DONE)
        return True

    def _settle(self, places: Iterable[int], reason: Reason, error: GmError | None = None) -> None:
        for at in places:
            self.lines[at] = settled(self.lines[at], reason, error)


_OF_ORDERS = ("your orders are complete", "the orders that are missing")
_OF_THE_REST = ("it is right without", "what is to be done before")
"""When a command that was held back is to be sent alone, and below what otherwise."""
CHOOSING = ("game", "create")
"""The commands that say which game the lines below them are about."""


def chooses(line: Line) -> bool:
    """Whether the line says, or was to say, which game the lines below it are about; its word may be misspelt."""
    if isinstance(line.meaning, CommandLine):
        return line.meaning.name in CHOOSING
    misread = isinstance(line.meaning, Complaint) and not line.meaning.of_order
    first = re.match(r"\W*(\w*)", line.text) if misread else None
    return first is not None and bool(get_close_matches(first[1].lower(), CHOOSING, 1, 0.75))


def _is_here(ctx: Context, command: CommandLine) -> bool:
    """Whether the mail is in the game that the command names."""
    return ctx.game is not None and str(command.args.get("game")).strip("*_").lower() == ctx.game.name


def _choices(lines: Sequence[Line]) -> list[int]:
    """For each line the number of the last line above it that chooses a game, or 0; of two parts of a line the first
    is above.
    """
    places = [(line.number, at) for at, line in enumerate(lines)]
    choosing = sorted(
        place for place, line in zip(places, lines, strict=True) if line.origin is Origin.OWN and chooses(line)
    )
    above = (bisect_left(choosing, place) for place in places)
    return [choosing[number - 1][0] if number else 0 for number in above]


def _is_about_a_game(ctx: Context, line: Line) -> bool:
    """Whether the line is about the game of the mail, or the one chosen above it: it names none, and needs one."""
    command = line.meaning
    if not isinstance(command, CommandLine):
        return True
    if "game" in command.args:
        return not command.args["game"]
    return ctx.commands[command.name].policy.needs_seat


def _waits_with(ctx: Context, above: Line, line: Line) -> bool:
    """Whether a command is for the game of the one above it that waits to be confirmed: one answer does both, in the
    order written.
    """
    waits, command = above.meaning, line.meaning
    if not above.is_for(Reason.CONFIRM) or not isinstance(waits, CommandLine) or not isinstance(command, CommandLine):
        return False
    named = str(command.args.get("game") or "")
    return named.lower() == str(waits.args["game"]).lower() if named else _is_about_a_game(ctx, line)


def _held_back(ctx: Context, above: Line) -> NotNow:
    """Why a line is not acted on below one that was to say which game it is about; of several games, some of which
    there are, each of these answers it by itself.
    """
    named = re.findall(r"[\w-]+", above.text.lower()) if isinstance(above.meaning, CommandLine) else []
    if there := [name for name in named if name in names_known(ctx)]:
        return NotNow(f"It was for {listed(there)} alone, whose answer says what became of it.", "")
    what = "waits for your answer" if above.is_for(Reason.CONFIRM) else "was not acted on"
    return NotNow(
        f"It is below {shorten(above.text.strip())!r}, which {what}, so it may be meant for another game.",
        "Send it again below GAME and the name of its game, or to your address there.",
    )


def _ends_phase(ctx: Context, item: Item | None) -> bool:
    """Whether a line adjudicates the phase: what moves a deadline below it is for the next one."""
    policy = _carried_out(ctx, item) if isinstance(item, CommandLine) else None
    return policy is not None and policy.whole and About.RESULTS in policy.about


def _of_next_phase(above: Line) -> NotNow:
    """Why a line is not acted on below one that was to end the phase, and was refused."""
    return NotNow(
        f"It is below {shorten(above.text.strip())!r}, which was not acted on, so it would be for another phase.",
        "Send both again, or this alone if it is for the present phase.",
    )


def _said_once(ctx: Context, lines: Lines) -> Lines:
    """The lines; questions that were asked above, with nothing since that could change the answer, settled. The reply
    says how many these are.
    """
    found: list[Line] = []
    asked: dict[tuple[object, ...], list[Line]] = {}
    repeated: list[list[Line]] = []
    for line in lines:
        command = line.meaning
        if line.fate is None and isinstance(command, CommandLine) and ctx.commands[command.name].syntax.asks:
            below = (text for _, text in command.below)
            same = asked.setdefault((command.name, str(command.args), command.phase, *below), [])
            same.append(line)
            if len(same) > 1:
                found.append(settled(line, Reason.ASKED_BEFORE))
                continue
            repeated.append(same)
        elif line.fate is None:
            asked.clear()
        found.append(line)
    for first, *again in repeated:
        if again:
            say = "line says" if len(again) == 1 else "lines say"
            ctx.say(f"{len(again)} more {say} the same as line {first.number} ({shorten(first.text.strip())}).")
    return tuple(found)


def _final_last(ctx: Context, lines: Sequence[Line]) -> list[int]:
    """The places of the lines with the final commands below all others, since READY is often written above the orders,
    and what asks the sender's questions or, in a mail, somebody else, so that it says what the others changed; and
    PROCESS above orders or texts, which waits for these, right below the last of them, with what is for the phase after
    it.
    """
    own = {at: line.meaning for at, line in enumerate(lines) if isinstance(line.meaning, CommandLine)}
    given = {at: (ctx.commands[command.name], _carried_out(ctx, command)) for at, command in own.items()}
    blocks = [at for at, (command, _) in given.items() if isinstance(command.syntax.below, Orders)]
    last = max((*blocks, *(at for at, line in enumerate(lines) if isinstance(line.meaning, PressBlock))), default=0)

    ends = min((at for at, (_, policy) in given.items() if policy.whole), default=len(lines))

    def when(at: int) -> tuple[int, int]:
        policy = given[at][1] if at in given else None
        if policy is not None and (policy.final or given[at][0].syntax.asks):
            return len(lines) + 1, at
        if policy is not None and policy.spends == (Spent.FIRST,):
            return len(lines), at
        of_next = policy is not None and at > ends and policy.record.changes == THE_DEADLINE
        moved = policy is not None and (policy.whole or of_next) and at < last
        return (last, 1 + at) if moved else (at, 0)

    return sorted(range(len(lines)), key=when)


def _carried_out(ctx: Context, command: CommandLine) -> Policy:
    """The policy of a command; of one that is for several games that of the command which it carries out there."""
    policy = ctx.commands[command.name].policy
    carried = carried_by(command.args) if About.EVERYWHERE in policy.about else ()
    return next((ctx.commands[name].policy for name, _ in carried), policy)


def _is_question(ctx: Context, line: Line) -> bool:
    """Whether it only asks: one that has no answer is no order that is missing."""
    command = line.meaning
    return isinstance(command, CommandLine) and ctx.commands[command.name].syntax.asks and not command.below


def _reopens(ctx: Context, line: Line) -> bool:
    """Whether a command, written below a final one, takes that back."""
    return isinstance(line.meaning, CommandLine) and ctx.commands[line.meaning.name].policy.reopens


def _used_up(ctx: Context, line: Line) -> OverLimit | None:
    """Why the line is not acted on, although it may be correct: a budget of its sender is used up."""
    item = line.meaning
    name = item.name if isinstance(item, CommandLine) else getattr(item, "kind", "press")
    policy, allowance = ctx.commands[name].policy, ctx.tx.allowance
    reason = allowance.over(Spent.WORK, *policy.spends)
    if reason is None:
        allowance.charge(Spent.WORK, policy.cost + len(line.written[1:]) // _LINES_OF_A_COMMAND)
    return reason


def _beyond(reason: OverLimit, lines: Sequence[Line]) -> GmError:
    """The single error for all lines that a limit has stopped."""
    if len(lines) == 1:
        return reason
    first, last = lines[0].number, lines[-1].number
    so = f"So it is with {len(lines)} lines, from {first} to {last}."
    return NotNow(f"{reason.problem} {so}", reason.remedy)


def run(ctx: Context, item: CommandLine) -> None:
    """Carry out a command, with the lines below it if it has any."""
    _run_with(item.name, {**item.args, "below": item.below}, ctx)


def _run_with(name: str, args: Mapping[str, object], ctx: Context) -> None:
    ctx.commands[name].run(ctx, args)


def fault_of(ctx: Context, line: str) -> GmError | None:
    """Why a line that is to be offered would not be done, found on trial, in the game that it names; one with lines
    below it but why it is done, and one that is no command, is not tried.
    """
    line = line.partition("\nBECAUSE ")[0]
    each = ctx.commands.reader.one_each(line, ctx.lexicon, names_of_games(ctx))
    return None if "\n" in line else fault_in_turn(ctx, each or (line,))


def fault_in_turn(ctx: Context, lines: Sequence[str]) -> GmError | None:
    """Why one of these lines would not be done behind those before it, as for `fault_of`."""
    try:
        with ctx.tx.attempt(keep=False):
            each = (one for line in lines for one in _without_texts(line))
            return next(filter(None, (_fault_here(ctx, line) for line in each)), None)
    except Temporary:
        raise
    except GmError as error:
        return error


def _without_texts(line: str) -> list[str]:
    """What a line does that is to be tried: of several lines what stands below a text that they begin with, a remark
    above the results and the command that sends these.
    """
    text, end, below = line.partition(f"\nEND{line.partition(_NEXT)[0]}\n")
    return [below] if end and _NEXT in text else [line]


_NEXT = "\n"


def _fault_here(ctx: Context, line: str) -> GmError | None:
    """Do what a line says, on trial. Returns why it is refused in each of several games; raises any other refusal."""
    call = ctx.commands.reader.read_for(line.partition("\nBECAUSE ")[0], ctx.lexicon, names_of_games(ctx))
    if call is None or ctx.commands[call.name].syntax.asks:
        return None
    acting = _named_in(ctx, call)
    trying = acting.on_trial()
    ctx.commands[call.name].run(trying, {**call.args, "below": ()})
    refused = trying.answer.refused
    if not refused or trying.answer.done or trying.answer.parts:
        return None
    where = ((one.text.partition(":")[0], one.problem) for one in refused)
    problem = " ".join(f"{games}: {problem}" for games, problem in where)
    return NotNow(refused[0].problem if len(refused) == 1 else problem, refused[0].remedy)


def _named_in(ctx: Context, call: Call) -> Context:
    """The context of the sender's seat in the game that a command names; this one, if it names none of theirs."""
    name = call.args.get("game")
    return seat_in(ctx, name) if name else ctx


def seat_in(ctx: Context, name: str) -> Context:
    """The context of the sender's seat in a game of theirs with this name; this one, if there is none."""
    return next((acting for acting in at_seats(ctx) if acting.game_name == name), ctx)


def faults_in(ctx: Context, line: str, names: Collection[str]) -> dict[str, GmError | None]:
    """Why a line would be refused in each of the sender's games with these names, or None."""
    return {acting.game_name: fault_of(acting, line) for acting in at_seats(ctx) if acting.game_name in names}


def at_seats(ctx: Context) -> Iterator[Context]:
    """The context of the sender's seat in each of their games, of several the one that runs it."""
    for one in ctx.own_games if ctx.person is not None else ():
        game = ctx.tx.game(one.id, lock=True)
        seats = sorted(game.seats_of(ctx.person), key=lambda seat: not seat.moderates)
        yield replace(ctx, actor=seats[0], about=game, answer=Answer())


def in_games(ctx: Context, line: Callable[[Context], str]) -> Iterator[tuple[Context, str]]:
    """The sender's games in which a line, which may differ from game to game, would be done, each as the context of
    their seat there; where the mail's subject names some of their games, among these.
    """
    subject = re.findall(r"[\w-]+", ctx.mail.message.subject.lower()) if ctx.mail is not None else ()
    every = [*at_seats(ctx)]
    for acting in [one for one in every if one.game_name in subject] or every:
        text = line(acting)
        if text and fault_of(acting, text) is None:
            yield acting, text


# scheduled actions


def carry_out(tx: Transaction, game: Game) -> Game:
    """Carry out a game's due scheduled commands, each completely or not at all, and notify the gamemaster who scheduled
    it. What is for the phase after another waits until a phase begins that is later than that, by their names: also
    where the game was set back since.
    """
    began = game.due_at
    for row in agenda.scheduled(tx.session, game.id):
        if _is_past(game, agenda.written_in(tx.session, row)) if row.for_next else row.due_at <= tx.now:
            row.done_at = tx.now
            _do(tx, tx.newest(game), row, began)
    return tx.newest(game)


def _is_past(game: Game, code: str) -> bool:
    """Whether the game is in a later phase than the one of this name."""
    kinds = game.variant.language.kinds
    return game.phase is not None and moment(game.phase.position.phase, kinds) > moment_of(code, kinds)


def carry_out_next(tx: Transaction, game: Game, ended: PhasePlayed) -> Game:
    """Carry out what is for the phase that begins, and let the report of the one that has `ended` say, in one line, how
    its deadline differs from the usual one: by what was scheduled for that now, or done when it began before.
    """
    began, game = game.due_at, carry_out(tx, game)
    if game.phase is None or game.due_at is None or game.phase.id == ended.id:
        return game
    if game.due_at == game.options.clock.due(game.present.position.phase.kind, tx.now):
        return game
    if game.due_at == began and told_before(tx, game, ended.id) is not None:  # the report says what became of that
        return game
    rows = [row for row in agenda.carried_out(tx.session, game.id, ended.code) if _moves_the_deadline(row.line)]
    held = [row for row in rows if game.seat(row.seat_id).person is not None]
    usual = calendar.usual_deadline(tx, game) if began is not None else None
    if held and game.due_at != usual:
        seat, reasons = game.seat(held[-1].seat_id), (_with_reason(row.line)[1] for row in reversed(held))
        why, origin = next(filter(None, reasons), ""), Beginning(held[-1].id, ended.id, began)
        writer = seat.person.reachable if seat.person is not None else ""
        ctx = Context(tx, origin, writer, COMMANDS, actor=seat, about=game, why=why)
        say_of_phase(ctx, than_usual(ctx, game, ended.id, usual, game.due_at), ended.id)
    return game


def _moves_the_deadline(line: str) -> bool:
    name = COMMANDS.reader.name_of(_with_reason(line)[0])
    return name is not None and COMMANDS[name].policy.record.changes == THE_DEADLINE


def _with_reason(line: str) -> tuple[str, str]:
    """A scheduled line without the reason for its command, and this; "" for a command that tells none."""
    name = COMMANDS.reader.name_of(line)
    if name is None or not COMMANDS[name].says_why:
        return line, ""
    command, _, why = line.partition(agenda.BECAUSE)
    return command, why


def _do(tx: Transaction, game: Game, row: ScheduledRow, began: datetime | None) -> None:
    line, why = _with_reason(row.line)
    seat, call = game.seat(row.seat_id), COMMANDS.reader.read(line, game.lexicon)
    if seat.person is None or call is None:
        return  # the gamemaster who scheduled it has left
    line_of_phases = report_inputs.phases_leading_to(tx.session, game) if row.for_next else ()
    origin = Beginning(row.id, line_of_phases[-2].id, began) if row.for_next else Scheduled(row.id)
    ctx = Context(tx, origin, seat.person.reachable, COMMANDS, actor=seat, about=game)
    said: tuple[str, ...]
    word = COMMANDS[call.name].title
    try:
        bound = COMMANDS[call.name].policy.phase_bound and not call.args.get("phase")
        code = agenda.written_in(tx.session, row)
        if bound and not row.for_next and game.code != code:
            raise NotNow(
                f"You wrote it for {code}, which is not being played now.",
                f"If you still want it, write {call.name.upper()}.",
            )
        with tx.attempt():
            COMMANDS[call.name].run(ctx, {**call.args, "below": ((1, f"BECAUSE {why}"),) if why else ()})
        title = f"{word} is done{f' for {game.code}' if row.for_next else ', as scheduled'}"
        done = f"Done now, as you wrote for {game.code}" if row.for_next else "Done now, as scheduled"
        said = (f"{done}: {row.line}", *ctx.answer.done)
    except Temporary:
        raise
    except GmError as error:
        title = f"{word} is not done"
        said = (f"Your scheduled command failed: {row.line}", error.problem, error.remedy)
    words = tuple(filter(None, said))
    tx.tell(tx.newest(game), [seat], title, words, f"scheduled:{row.id}")
