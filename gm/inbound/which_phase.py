"""Which game and phase a mail is for, and which of its lines are therefore acted on, asked about, or refused.

A phase is open to a seat from the time when the mail was sent that told its holder of it until the mail was sent that
told them of the next one; a phase that is played again is another phase. A heading in the mail decides first
(`gm.play.preorders.by_phase`). Otherwise the mail is for the phase that was open when it was received, but never for
an older one than that of the newest mail of ours that it cites: its writer has seen that mail, whatever the clocks say.
A mail that one of our links has opened cites nothing, and its subject names the phase. A mail is asked about that cites
one of a phase that was undone and is played again, whatever came between.

Lines that come too late are refused and quoted, never carried over to the next phase; orders for the phase that was
closed last are kept as late, whatever closed it, and can still be accepted by the gamemaster (`offer`). What only may
be for it, by the subject or words beside the orders, is asked about: for now, or kept as late? For a while
after a phase has opened, a mail may have been written before its writer saw the report: what cites no mail of the new
phase and would have been valid in the phase before is asked about, unless it has a line valid only now and the phase is
new to its writer, not played again. A line that is valid in neither decides nothing.

Of two mails from one sender the one that was sent later (Date) is the newer, whichever arrives first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from gm.commands import COMMANDS
from gm.commands.context import Context, Mail
from gm.commands.correcting import made_void
from gm.commands.declaration import Consent, Policy
from gm.errors import GmError, NotNow, NotUnderstood
from gm.games import report_inputs
from gm.games.snapshot import Game, PhasePlayed, Seat, holders
from gm.inbound.late_sets import in_phase, what_they_change, when_they_came
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, Talk
from gm.parsing.orders import read_orders
from gm.play.beginning import not_running
from gm.play.preorders import by_phase, tried
from gm.reading.line import Line, Lines, Origin, Reason, commands, ordering, settled
from gm.store import game_rows, inbox, records, sent
from gm.store.game_rows import GameState, PhaseRow, SeatRole
from gm.store.inbox import InboxRow

CROSSING = timedelta(hours=1)
"""How long after the opening of a phase mails are asked about, or a tenth of the phase, whichever is shorter."""

Read: TypeAlias = Callable[[Game | None], Lines]
"""The lines of a mail with their meaning in the game's phase."""


@dataclass(frozen=True, slots=True)
class ByPhase:
    """A mail's lines by the phase that they are for: those that must be asked about, or are refused, are settled.

    `meant` is the phase for which the former may have been meant, `may_be_late` what they were then. `crosses`: which
    of these becomes of them depends on what they could be in each of two phases.
    """

    lines: Lines
    meant: PhaseRow | None = None
    late: Late | None = None
    may_be_late: Late | None = None
    crosses: bool = False

    @property
    def asks(self) -> bool:
        """Whether the mail has anything but talk: a mail whose subject speaks of absence is a program's without it."""
        return self.late is not None or any(line.asks and not line.is_heading for line in self.lines)


@dataclass(frozen=True, slots=True)
class Late:
    """Orders that came after their phase was closed."""

    phase: PhaseRow
    lines: tuple[str, ...]


def lines_by_phase(ctx: Context, row: InboxRow, game: Game | None, read: Read) -> ByPhase:
    """The lines of a mail by the phase that they are for. To no seat, or in a game that is over, it is unchanged."""
    found = _by_open_phase(ctx, row, game, read)
    if game is None or not game.running:
        return found
    return _after_closing(ctx, game, found) if game.withheld else _headed(ctx, game, found)


def _headed(ctx: Context, game: Game, found: ByPhase) -> ByPhase:
    """The lines; orders below the name of the phase that was closed last, `S1901M:` or `PHASE S1901M`, are late."""
    now, seat = game.phase.position.phase if game.phase is not None else None, ctx.seat
    named = {line.number: line.meaning.phase for line in found.lines if isinstance(line.meaning, OrderLine)}
    past = [
        line for line in ordering(line for line in found.lines if line.fate is None) if line.phase not in (None, now)
    ]
    blocks = [line for line in found.lines if line.fate is None and _names_phase(line)]
    if found.late is not None or not (past or blocks) or seat is None or now is None:
        return found
    if seat.role is not SeatRole.PLAYER:
        return found
    row = next(reversed(report_inputs.to_play_again(ctx.tx.session, game)), None)
    if row is None:
        return found
    then = in_phase(game, row)
    given = tuple(line for line in found.lines if then.position and named.get(line.number) == then.position.phase)
    below = tuple(line for line in blocks if _names_phase(line) == row.code)
    texts = tuple(text for line in below for text in line.texts[1:] if text.strip())
    late = _late(ctx, then, seat, row, given, texts)
    given += below
    if late is None:
        return found
    over = _over(ctx, row, now.code)
    error = NotUnderstood(over.problem, f"{over.remedy} {kept(row.code)}")
    lines = tuple(settled(line, Reason.TOO_LATE, error) if line in given else line for line in found.lines)
    return replace(found, lines=lines, late=late)


def _names_phase(line: Line) -> str:
    """The phase that a line PHASE names, "" for other lines."""
    command = line.meaning
    return str(command.args["code"]) if isinstance(command, CommandLine) and command.name == "phase" else ""


def _by_open_phase(ctx: Context, row: InboxRow, game: Game | None, read: Read) -> ByPhase:
    """The lines of a mail, those to the seat of a running game by the phase that was open to its holder."""
    seat, mail, lines = ctx.seat, ctx.mail, read(game)
    if game is not None and game.state is GameState.FORMING and (seat is None or seat.role is not SeatRole.OBSERVER):
        own = seat or next(iter(game.seats_of(ctx.person)), None)
        return ByPhase(_before_the_start(lines, not_running(game, own)))
    if game is None or seat is None or mail is None or game.phase is None or not game.running:
        return ByPhase(lines)
    of_phase = any(_is_of_a_phase(line) or isinstance(line.meaning, OrderLine) for line in lines)
    if not of_phase or (seat.moderates and any(map(_sets_back, lines))):
        return ByPhase(lines)  # what stands below ROLLBACK is for the phase that it names
    addresses = {row.address, ctx.tx.identity.stored_address_of(game, seat)}  # others may have seen the one in the row
    ids = mail.message.cited(*ctx.tx.identity.hosts)
    before = sent.what_was_before(ctx.tx.session, row, addresses, seat.id, ids)
    cited = before.cited
    ctx.origin = mail = replace(mail, overtaken_by=_overtaken_by(before))
    lines = _not_overtaken(mail, lines)
    back = _pointed_back(ctx, game, seat, mail, lines, cited)
    if back is not None:
        return _crossing(ctx, game, seat, back, lines, read)
    if (cited is not None and cited.phase_id == game.phase.id) or _names_it(ctx, game, game.phase, lines):
        return ByPhase(lines)
    if _is_as_it_was(game.phase, again := _first_playing(ctx, game.phase, cited)):
        return ByPhase(lines)
    if cited is None and (named := _in_subject(ctx, game, seat, mail.message.subject)) is not None:
        return _crossing(ctx, game, seat, named, lines, read) if named.id != game.phase.id else ByPhase(lines)
    told = sent.latest_told(ctx.tx.session, seat.id, game.phase.id, row.received_at)
    newest = max((one for one in (told.newest, cited) if one is not None), key=lambda one: one.at, default=None)
    if newest is not None and newest.phase_id != game.phase.id:
        if again is not None:
            return _crossing(ctx, game, seat, again, lines, read)
        return _too_late(ctx, game, seat, newest.phase_id, read)
    earlier = _just_before(ctx, game.phase, seat, mail, told.other)
    return _crossing(ctx, game, seat, again or earlier, lines, read) if earlier is not None else ByPhase(lines)


def _is_of_a_phase(line: Line) -> bool:
    """Whether a line could mean something else in another phase. An error may be about an order for another phase."""
    if not (line.fate is None or line.is_for(Reason.NOT_UNDERSTOOD)):
        return False
    match line.meaning:
        case OrderLine(phase=None) | Complaint():
            return True
        case CommandLine(phase=None) as command:
            return COMMANDS[command.name].policy.phase_bound and not command.args.get("phase")
    return False


# ---- what is known of the mail


def _overtaken_by(before: sent.Before) -> datetime | None:
    """When a newer mail of the same sender, already processed, was sent; None if this is the newest, or cites a mail of
    ours from after that one."""
    newest, cited = before.overtaking, before.cited
    return newest if newest is not None and (cited is None or newest > cited.at) else None


def _names_it(ctx: Context, game: Game, phase: PhasePlayed, lines: Lines) -> bool:
    """Whether the mail names this phase, which has not been played before, and no other: in a command, `PROCESS
    F1901M`, or above its orders, `FALL 1901:`. What stands beside it, such as READY, is for the same phase.
    """
    named = {command.args.get("phase") for command in commands(lines)} | {*map(_names_phase, lines)}
    headed = {line.meaning.phase for line in lines if isinstance(line.meaning, OrderLine)} - {None}
    named |= {phase.code if one == phase.position.phase else "another" for one in headed}
    return named - {None, ""} == {phase.code} and _played_once(ctx, game, phase.code) is not None


def _played_once(ctx: Context, game: Game, code: str) -> int | None:
    """The id of the phase with this code, None if it was played again or not at all."""
    ids = [key for key, (one, _) in game_rows.phase_codes(ctx.tx.session, game.id).items() if one == code]
    return ids[0] if len(ids) == 1 else None


def _in_subject(ctx: Context, game: Game, seat: Seat, subject: str) -> PhaseRow | None:
    """The phase that the subject names as our links do, whose mails cite nothing: `[spring] S1901M France`; None if it
    was played twice.
    """
    found = re.fullmatch(rf"\[{re.escape(game.name)}\] (\w+)(?: {re.escape(str(seat.power))})?", subject.strip())
    key = _played_once(ctx, game, found[1]) if found is not None else None
    return game_rows.phase_by_id(ctx.tx.session, key)


_CODE = re.compile(r"(?<!\w)[a-z]\d{1,5}[a-z](?!\w)", re.IGNORECASE)
_LATE = re.compile(
    r"(?<!\w)(?:(?:(?:am|are|is|was|being|so|too|bit|little|sorry)[ ]|i['’]m[ ]|these[ ])late(?!\w)"
    r"|miss(?:ed)?[ ](?:the|my)[ ](?:deadline|turn)|after[ ]the[ ]deadline|still[ ](?:count|use|accept)"
    r"|zu[ ]spät|verspätet|en[ ]retard|trop[ ]tard)",
    re.IGNORECASE,
)
"""Words of somebody who knows that their orders come after the deadline."""
_FOR = re.compile(r"(?<!\w)for[ ](?:the[ ]|last[ ])*(\w{3,})", re.IGNORECASE)
"""Words that may say for which season orders are."""


def _pointed_back(
    ctx: Context, game: Game, seat: Seat, mail: Mail, lines: Lines, cited: sent.Told | None
) -> PhaseRow | None:
    """The phase that was closed last, if anything that is the sender's points to it: words beside the orders, or the
    subject of a mail that cites none of the present phase. No order of such a mail is for the next phase unasked.
    """
    if game.phase is None or seat.role is not SeatRole.PLAYER or not ordering(lines):
        return None
    of_now = cited is not None and cited.phase_id == game.phase.id
    said = " ".join(line.text for line in lines if line.origin is Origin.OWN and isinstance(line.meaning, Talk))
    named = {code.upper() for code in _CODE.findall(said if of_now else f"{mail.message.subject} {said}")}
    season, late = _FOR.search(said), _LATE.search(said) is not None
    if game.phase.code in named or not (named or season or late):
        return None
    row = next(reversed(report_inputs.to_play_again(ctx.tx.session, game)), None)
    if row is None or row.code == game.phase.code:
        return None
    kinds, now = game.variant.language.kinds, game.phase.position.phase.season
    meant = kinds.seasons_by_word.get(season[1].lower()) if season is not None else None
    then = report_inputs.position_of(game, row).phase.season
    points = row.code in named or (late and meant is None) or (meant is not None and meant == then != now)
    return row if points else None


def _not_overtaken(mail: Mail, lines: Lines) -> Lines:
    """The lines; those commands that a newer mail of the sender has overtaken are refused."""
    return _refused(lines, mail.overtaken, CommandLine) if mail.overtaken is not None else lines


def _first_playing(ctx: Context, phase: PhasePlayed, cited: sent.Told | None) -> PhaseRow | None:
    """The phase of which the cited mail told, if it is the one that is played again now."""
    row = game_rows.phase_by_id(ctx.tx.session, cited.phase_id) if cited is not None else None
    return row if row is not None and row.code == phase.code else None


def _is_as_it_was(phase: PhasePlayed, row: PhaseRow | None) -> bool:
    """Whether this phase was begun before, and taken back before its orders were closed, as by UNSTART: whatever is
    meant for the one is meant for the other.
    """
    return row is not None and row.code == phase.code and row.adjudicated_at is None and row.closed_at is None


def _just_before(ctx: Context, phase: PhasePlayed, seat: Seat, mail: Mail, before: sent.Told | None) -> PhaseRow | None:
    """The phase before, if the mail may have been written before its sender saw the report."""
    session = ctx.tx.session
    if before is None or (opened := sent.first_told(session, seat.id, phase.id, before.at)) is None:
        return None
    due = ctx.game.due_at if ctx.game is not None else None
    longest = min(CROSSING, max(due - opened, timedelta()) / 10) if due is not None else CROSSING
    row = game_rows.phase_by_id(session, before.phase_id) if mail.received_at < opened + longest else None
    return None if _is_as_it_was(phase, row) else row


# ---- what follows from it


def _before_the_start(lines: Lines, error: NotNow) -> Lines:
    """The lines of a mail in a game that has not begun, with this error for each that is an order or looks like one."""
    reason, found = NotUnderstood(error.problem, error.remedy), list[Line]()
    for line in lines:
        match line.meaning:
            case OrderLine() if line.fate is None:
                found.append(settled(line, Reason.TOO_LATE, reason))
            case Complaint(of_order=True) if line.origin is Origin.OWN:
                found.append(settled(line, Reason.TOO_LATE, reason))
            case Talk(reason=said) as talk if said:
                found.append(replace(line, meaning=replace(talk, reason=str(reason))))
            case _:
                found.append(line)
    return tuple(found)


def _too_late(ctx: Context, game: Game, seat: Seat, phase_id: int, read: Read) -> ByPhase:
    """The lines with their meaning in the phase that is over."""
    row = game_rows.phase_by_id(ctx.tx.session, phase_id)
    if row is None:
        raise LookupError(f"there is no phase {phase_id}")
    then = in_phase(game, row)
    lines, late = _as_meant(game, read(then), then), None
    if row.code != game.code:
        late = _late(ctx, then, seat, row, lines)
    error = _over(ctx, row, game.code)
    if late is not None:
        error = NotUnderstood(error.problem, f"{error.remedy} {kept(row.code)}")
    elif row.code != game.code and not may_still_count(then):
        error = NotUnderstood(error.problem, f"{error.remedy} {_NOT_KEPT}")
    return ByPhase(_refused(lines, error, CommandLine, OrderLine, Complaint), late=late)


_NOT_KEPT = "It cannot count any more: who runs the game plays in it."


def kept(code: str) -> str:
    """What becomes of orders that are kept as late for the phase with this code."""
    return f"It is kept: the gamemaster can still let it count for {code}, and is told when it came."


def _after_closing(ctx: Context, game: Game, found: ByPhase) -> ByPhase:
    """The lines of a mail that is read while the results wait to be released; orders among them may be late."""
    row = game_rows.phase_by_id(ctx.tx.session, game.phase_id)
    late = _late(ctx, game, ctx.seat, row, found.lines) if ctx.seat is not None and row is not None else None
    if late is None:
        return found
    code = late.phase.code
    error = NotUnderstood(f"This came too late: the orders for {code} are closed.", kept(code))
    plain = tuple(_for_the_present(line, game) for line in found.lines)
    return replace(found, lines=_refused(plain, error, CommandLine, OrderLine), late=late)


def _for_the_present(line: Line, game: Game) -> Line:
    """The line; its orders without the name of the present phase."""
    item = line.meaning
    named = isinstance(item, OrderLine) and item.phase == game.written_for
    return replace(line, meaning=replace(item, phase=None)) if named and isinstance(item, OrderLine) else line


def _over(ctx: Context, row: PhaseRow, now: str) -> NotUnderstood:
    """Why a line for this phase is refused while the phase with the code `now` is played."""
    how = f"If you mean it for {now}, answer this mail with it."
    if row.code == now:
        return NotUnderstood(f"This was sent before {row.code} began to be played again.", how)
    if was_undone(ctx, row):
        return NotUnderstood(f"This was for {row.code}, which was undone: {now} is being played again.", how)
    return NotUnderstood(f"This came too late: {row.code} is over, and {now} is being played.", how)


def was_undone(ctx: Context, row: PhaseRow) -> bool:
    """Whether the game was set back to before the end of this phase, so that it did not happen."""
    game = ctx.game
    return game is not None and row.id not in {one.id for one in report_inputs.adjudicated(ctx.tx.session, game)}


def _as_meant(game: Game, lines: Lines, then: Game) -> Lines:
    """The lines of a mail for the phase `then`, in which builds and removals among moves have the Winter as heading."""
    found: list[Line] = []
    for line in lines:
        item = line.meaning
        if isinstance(item, OrderLine) and item.phase is None and then.phase is not None:
            by = by_phase(game.variant, then.phase.position.phase, [item])
            parts = (*by.present, *(part for ahead in by.ahead.values() for part in ahead))
            found += (replace(line, meaning=part) for part in parts)
        else:
            found.append(line)
    return tuple(found)


def _late(
    ctx: Context, then: Game, seat: Seat, row: PhaseRow, lines: Lines, below: tuple[str, ...] = ()
) -> Late | None:
    """The orders in a mail for the phase that was closed last, whatever closed it, also those `below` PHASE, if there
    is a gamemaster who may still accept them. When it came, and whether its sender knew the results by then, is theirs
    to weigh.
    """
    before = report_inputs.to_play_again(ctx.tx.session, ctx.game) if ctx.game is not None else []
    if not before or before[-1].id != row.id:
        return None
    phases = (None, then.position and then.position.phase)
    given = [one for one in ordering(line for line in lines if line.fate is None) if one.phase in phases]
    sensible = any(makes_sense(then, seat, one) for one in given) or bool(below and tried(then, seat, below).orders)
    return Late(row, (*(one.matter for one in given), *below)) if sensible and may_still_count(then) else None


def may_still_count(game: Game) -> bool:
    """Whether late orders can be accepted, as far as others may know: by a gamemaster who does not play."""
    return any(not game.plays_openly(person) for _, person in holders(game.masters))


def offer(ctx: Context, late: Late | None) -> None:
    """Store orders that came too late, and ask the gamemasters who do not play (ACCEPT LATE, REFUSE LATE)."""
    game, seat = ctx.game, ctx.seat
    if late is None or game is None or seat is None:
        return
    code = late.phase.code
    whose = game.principal(seat)
    row = inbox.mail_by_id(ctx.tx.session, ctx.mail.id) if ctx.mail is not None else None
    came = row.arrived_at if row is not None else ctx.received_at
    ctx.answer = replace(ctx.answer, kept_late=code)
    records.add_late(ctx.tx.session, game.id, whose.id, late.phase.id, late.lines, came)
    ctx.tx.note("late", game, whose, phase=code, received=came.isoformat(), lines=list(late.lines))
    when = when_they_came(ctx, game, seat, late.phase, came)
    change = what_they_change(ctx, game, seat, late.phase, [(came, late.lines)])
    neutral = [one for one, person in holders(game.masters) if not game.plays(person)]
    lost = made_void(game, neutral[0]) if neutral and not game.withheld else ""
    report = "report" if game.withheld and late.phase.id == game.phase_id else "corrected report"
    words = (
        f"Orders of {seat.power} for {code} came after the phase was closed. {when}",
        change,
        f"To let them count, reply with the first line below: then {code} is adjudicated again, with these orders and"
        f" everybody else's as they were, and the {report} says so. {lost}".rstrip(),
    )
    answers = (f"ACCEPT LATE {seat.power}", "let them count"), (f"REFUSE LATE {seat.power}", "they never will")
    ctx.tx.tell(game, neutral, f"late orders of {seat.power}", words, f"late:{seat.power}:{ctx.key}", answers=answers)


def _sets_back(line: Line) -> bool:
    """Whether a line of the mail has a phase played again."""
    command = line.meaning
    return line.origin is Origin.OWN and isinstance(command, CommandLine) and command.name == "rollback"


def _crossing(ctx: Context, game: Game, seat: Seat, before: PhaseRow, lines: Lines, read: Read) -> ByPhase:
    """Ask about what makes sense now if any of it made sense in the phase before, unless its writer shows that they
    know which one is played. What made sense only then is refused.
    """
    then = in_phase(game, before)
    read_then = [line for line in _as_meant(game, read(then), then) if _is_of_a_phase(line)]
    sensible = [line for line in read_then if makes_sense(then, seat, line.meaning)]
    of_either, of_then = ({line.number for line in some} for some in (read_then, sensible))
    read_now = [line for line in lines if _is_of_a_phase(line) and line.number in of_either]
    doubtful = [line for line in read_now if line.fate is None and makes_sense(game, seat, line.meaning)]
    if seat.moderates and (before.forced_at is not None or was_undone(ctx, before)):
        doubtful = [line for line in doubtful if _policy(line).consent is Consent.IRREVOCABLE]
        sensible = sensible if doubtful else []  # who ended a phase knows which one is played
    only_now = any(line.number not in of_then for line in doubtful)
    if not sensible or (only_now and not _may_be_for_first_playing(ctx, game, before)):
        return ByPhase(lines)
    if not ordering(doubtful) and (ordering(sensible) or not doubtful):
        # so is a command among orders that are too late
        return replace(_too_late(ctx, game, seat, before.id, read), crosses=True)
    if all(_policy(line).record.undo for line in doubtful):
        return ByPhase(lines)  # UNDO takes it back, without a question first
    error = _over(ctx, before, game.code)
    fates: dict[int, tuple[Reason, NotUnderstood | None]]
    fates = {id(line): (Reason.TOO_LATE, error) for line in read_now if line.number in of_then}
    fates |= {id(line): (Reason.WHICH_PHASE, None) for line in doubtful}
    late = _late(ctx, then, seat, before, tuple(sensible)) if before.code != game.code else None
    asked = tuple(settled(line, *fates[id(line)]) if id(line) in fates else line for line in lines)
    return ByPhase(asked, before, may_be_late=late, crosses=True)


def _may_be_for_first_playing(ctx: Context, game: Game, before: PhaseRow) -> bool:
    """Whether what makes sense only now may be meant for the first playing of this phase, after a ROLLBACK to the one
    that is played; not if a ROLLBACK was undone.
    """
    goes_on = game.present.id < before.id
    return not goes_on and was_undone(ctx, before)


_NO_COMMAND = Policy()


def _policy(line: Line) -> Policy:
    command = line.meaning
    return COMMANDS[command.name].policy if isinstance(command, CommandLine) else _NO_COMMAND


def makes_sense(game: Game, seat: Seat, item: Item | None) -> bool:
    """Whether a line could have been acted on in the game's phase: also ORDERS FOR, by the orders below it."""
    if isinstance(item, OrderLine):
        return understood(game, seat, [order for _, order in item.orders])
    other = game.seat_of(item.args["power"]) if isinstance(item, CommandLine) and item.name == "ordersfor" else None
    if isinstance(item, CommandLine) and other is not None and game.position is not None:
        lexicon, kind = game.lexicon_of(other), game.position.phase.kind
        given = [one for _, text in item.below for _, one in read_orders(text, lexicon, kind).orders]
        return not given or understood(game, other, given)
    return isinstance(item, CommandLine)


def understood(game: Game, seat: Seat, orders: Sequence[Any]) -> bool:
    """Whether orders as written are orders of this seat in the game's phase."""
    position, power = game.position, seat.power
    if position is None or power is None or power not in game.duties:
        return False
    board, seen = game.variant.board(position), game.variant.seen(game.variant, position, power)
    needs = game.variant.needs(board, position, power)
    try:
        for written in orders:
            game.variant.understand(board, seen, power, written, needs)
    except GmError:
        return False
    return True


def _refused(lines: Lines, error: NotUnderstood, *kinds: type) -> Lines:
    """The lines; those of these kinds that depend on the phase are refused, with the orders below each."""
    return tuple(
        settled(line, Reason.TOO_LATE, error) if isinstance(line.meaning, kinds) and _is_of_a_phase(line) else line
        for line in lines
    )
