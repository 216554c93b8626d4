"""LOG, UNDO, ROLLBACK, ROLLFORWARD and SCHEDULE: what was done in a game, how it is taken back, what is done later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.clock import parse_when
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Record, Sentences, Stage, Syntax, Who
from gm.errors import NotNow, NotUnderstood
from gm.games.deadlines import begin, cancel_deadline, due_for, set_deadline
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.parsing.phase_names import one_phase
from gm.reports.words import full_moment, wrap
from gm.store import agenda, game_rows, order_rows, records
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import GameState, PhaseRow, SeatRow
from gm.store.records import LogRow

_USUAL, _MOST = 30, 500


def act_log(ctx: Context, args: Mapping[str, Any]) -> None:
    """The newest events of the game."""
    table, _ = ctx.seated()
    number = _USUAL if args["number"] is None else args["number"]
    if not 0 < number <= _MOST:
        raise NotUnderstood(f"'{number}' is not a number of events.", f"Write LOG, or LOG and a number up to {_MOST}.")
    zone = ctx.office.zone_of(ctx.account)
    powers = {seat.id: seat.power or str(seat.role) for seat in table.seats}
    unseen = _unseen(ctx, table)
    lines = []
    for event in records.log_of(ctx.session, table.game.id, number):
        if event.kind in unseen:
            continue
        who = powers.get(event.seat_id or 0, "server")
        lines.append(wrap(f"{event.at.astimezone(zone):%Y-%m-%d %H:%M} {who}: {_said(ctx, event)}", 0, 4))
    ctx.show(f"Log of {table.game.name}, the newest first", "\n".join(lines) or "Nothing was done yet.")


def _unseen(ctx: Context, table: Table) -> set[str]:
    """The kinds of events that are not shown to this gamemaster: votes to none, some to none who plays."""
    plays = ctx.plays(table)
    records_of = {command.title.lower(): command.policy.record for command in ctx.commands.values()}
    return {kind for record in records_of.values() for kind in record.secret} | {
        kind for kind, record in records_of.items() if plays and record.from_players
    }


def _said(ctx: Context, event: LogRow) -> str:
    command = ctx.commands.by_title.get(event.kind.upper())
    hidden = ("undo", *(command.policy.record.details if command is not None else ()))
    details = (f"{key}={value}" for key, value in event.detail.items() if key not in hidden and value not in (None, []))
    return f"{event.kind} {', '.join(details)}".rstrip()


def act_undo(ctx: Context, args: Mapping[str, Any]) -> None:
    """Take back the last thing a gamemaster did in this game, if that can be done."""
    del args
    table, _ = ctx.seated()
    event, record = _last(ctx, table)
    if record.undo is None or "undo" not in event.detail:
        raise NotNow(
            f"The last thing done, '{_said(ctx, event)}', cannot be taken back.",
            "ROLLBACK sets the game back to a phase.",
        )
    said = record.undo(ctx, event.detail["undo"])
    ctx.say(f"Taken back: {_said(ctx, event)}. {said}")
    words = (f"The gamemaster has taken back the last thing done ({event.kind}).", said)
    others = [seat for seat in table.seats if seat is not ctx.seat]
    tell(table, ctx.office, others, "taken back", words, purpose=f"undo:{event.id}", now=ctx.now)
    ctx.note("undo", of=event.id)


def _last(ctx: Context, table: Table) -> tuple[LogRow, Record]:
    """The newest deed of a gamemaster that was not taken back. Raises NotNow when there is none."""
    masters = {seat.id for seat in table.masters}
    undone: set[int] = set()
    for event in records.log_of(table.session, table.game.id):
        command = ctx.commands.by_title.get(event.kind.upper())
        if event.kind == "undo":
            undone.add(int(event.detail["of"]))
        elif event.kind == "adjudicate":
            break
        elif command is None or event.seat_id not in masters or event.id in undone:
            continue
        elif not command.policy.record.quiet:
            return event, command.policy.record
    raise NotNow("There is nothing to take back in this phase.", "ROLLBACK sets the game back to a phase.")


LOG = Command(
    "log",
    Syntax("LOG [number:NUMBER]", ("LOG", "LOG 50")),
    Policy(Who.MASTER),
    act_log,
    Help("show what was done in the game", "The newest first, 30 or as many as you say. Votes are not shown."),
)
UNDO = Command(
    "undo",
    Syntax("UNDO", elsewhere=("cancel",), sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.MASTER, record=Record(quiet=True), cost=5),
    act_undo,
    Help(
        "take back the last thing you did",
        "DEADLINE, EXTEND, PAUSE, RESUME, SET, COMMENT, DUMMY and ROLLBACK can be\n"
        "taken back within the phase, one after the other.",
    ),
)


def act_rollback(ctx: Context, args: Mapping[str, Any]) -> None:
    """Play a phase anew, with the orders that were given for it."""
    table, _ = ctx.seated()
    if table.game.state is GameState.FORMING or table.phase is None:
        raise NotNow(f"The game {table.game.name} has not begun.", "There is nothing to roll back.")
    phase = _named(table, args["phase"] or "")
    left = table.phase
    again = _roll_back(table, phase, ctx)
    _tell(ctx, table, f"The gamemaster has rolled the game back: {again.code} is played again.")
    ctx.say(f"{again.code} is played again, with the orders that were given for it. ROLLFORWARD takes this back.")
    ctx.note("rollback", to=again.code, left=left.id, opened=again.id, undo={})


def _roll_back(table: Table, phase: PhaseRow, ctx: Context) -> PhaseRow:
    """Open the phase again as a row of its own, with everybody's last orders for it."""
    if table.phase is not None:
        cancel_deadline(table, table.phase)
    given = order_rows.latest_order_sets(table.session, phase.id)
    game_rows.end_game(table.session, table.game, GameState.RUNNING)
    again = game_rows.open_again(table.session, table.game, phase, ctx.now)
    table.forget()
    for seat_id, orders in given.items():
        order_rows.add_order_set(
            table.session,
            again,
            seat_id,
            orders.orders,
            complete=orders.complete,
            now=ctx.now,
            inbox_id=ctx.mail_id,
        )
    begin(table, again, ctx.now)
    return again


def _named(table: Table, words: str) -> PhaseRow:
    """The phase of this line that is named. Raises NotUnderstood."""
    played = [phase for phase in table.line if phase.adjudicated_at is not None]
    if not played:
        raise NotNow("No phase has been played yet.", "There is nothing to roll back.")
    codes = f"Write one of: {', '.join(phase.code for phase in played[-12:])}."
    if not words:
        raise NotUnderstood("ROLLBACK needs the phase to play again.", codes)
    wanted = [phase for phase in played if phase.code == (one_phase(words) or words.upper())]
    if not wanted:
        raise NotUnderstood(f"'{words}' is no phase that was played in {table.game.name}.", codes)
    return wanted[-1]


def act_rollforward(ctx: Context, args: Mapping[str, Any]) -> None:
    """Return to where the game stood before the last ROLLBACK."""
    del args
    table, _ = ctx.seated()
    back = _roll_forward(table, ctx)
    _tell(ctx, table, f"The gamemaster has taken the rollback back: {back.code} is played.")
    ctx.say(f"The game stands at {back.code} again, with the orders that were sent for it.")
    ctx.note("rollforward", to=back.code)


def _roll_forward(table: Table, ctx: Context) -> PhaseRow:
    """Point the game at the phase it was in before the last ROLLBACK. Raises NotNow when that cannot be done."""
    for event in records.log_of(table.session, table.game.id):
        if event.kind == "rollforward":
            break
        if event.kind != "rollback":
            continue
        if table.phase is None or event.detail["opened"] != table.phase.id or table.phase.adjudicated_at is not None:
            break
        phase = game_rows.phase_by_id(table.session, event.detail["left"])
        if phase is None or phase.adjudicated_at is not None or not table.running:
            break
        cancel_deadline(table, table.phase)
        game_rows.point_at(table.session, table.game, phase)
        table.forget()
        set_deadline(table, phase, due_for(table, phase, ctx.now), ctx.now)
        return phase
    raise NotNow("There is no rollback that could be taken back.", "It can be until the phase is adjudicated again.")


def _tell(ctx: Context, table: Table, sentence: str) -> None:
    words = (sentence, "STATUS shows the position and your orders; what you sent for this phase stands.")
    tell(
        table,
        ctx.office,
        [seat for seat in table.seats if seat is not ctx.seat],
        "the game is set back" if "back:" in sentence else "the game",
        words,
        purpose=f"rollback:{ctx.mail_id}",
        now=ctx.now,
    )


def _undo_rollback(ctx: Context, undo: Mapping[str, Any]) -> str:
    del undo
    table, _ = ctx.seated()
    return f"{_roll_forward(table, ctx).code} is played."


ROLLBACK = Command(
    "rollback",
    Syntax("ROLLBACK (TO) [phase:WORDS]", ("ROLLBACK F1901M",), synonyms=("roll back",), elsewhere=("unstart",)),
    Policy(Who.MASTER, record=Record(undo=_undo_rollback), cost=5),
    act_rollback,
    Help(
        "play a phase again",
        "The position before that phase is set up again, with the orders that\n"
        "were given, which everybody may change. Nothing is erased: ROLLFORWARD\n"
        "returns to where the game stood, until the phase is adjudicated again.",
    ),
)
ROLLFORWARD = Command(
    "rollforward",
    Syntax("ROLLFORWARD", synonyms=("roll forward",), sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.MASTER, cost=5),
    act_rollforward,
    Help("take a rollback back", "Possible until the phase that was rolled back to is adjudicated."),
)


# ---- what is to be done later


_MOST_SCHEDULED = 20
_FORM = "Write SCHEDULE Friday 18:00: PROCESS, or SCHEDULE NONE to forget all."


def act_schedule(ctx: Context, args: Mapping[str, Any]) -> None:
    """Keep a command for its time; list what is kept; or forget it."""
    table, seat = ctx.seated()
    if table.phase is None:
        return
    waiting = agenda.scheduled(ctx.session, table.game.id)
    if args["none"]:
        for row in waiting:
            row.done_at = ctx.now
        ctx.say(f"Nothing is scheduled in {table.game.name} any more.")
    elif args["line"] is None:
        zone = table.options.clock.zone
        lines = [f"{full_moment(row.due_at, zone)}: {row.line}" for row in waiting]
        ctx.show(f"Scheduled in {table.game.name}", "\n".join(lines) or "Nothing.")
    else:
        if len(waiting) >= _MOST_SCHEDULED:
            raise NotNow(f"{_MOST_SCHEDULED} commands are scheduled already.", "SCHEDULE NONE forgets them.")
        _schedule(ctx, table, seat, table.phase.id, args)


def _schedule(ctx: Context, table: Table, seat: SeatRow, phase_id: int, args: Mapping[str, Any]) -> None:
    """Keep a command for its time. Raises NotNow, NotUnderstood."""
    line, zone = str(args["line"]), table.options.clock.zone
    due = parse_when(args["when"], ctx.now, zone)
    if due <= ctx.now:
        raise NotNow(f"{full_moment(due, zone)} has passed already.", _FORM)
    _check(ctx, table, line)
    agenda.schedule(ctx.session, game_id=table.game.id, seat_id=seat.id, inbox_id=ctx.mail_id, line=line, due_at=due)
    agenda.add_deadline(ctx.session, table.game.id, phase_id, DeadlineKind.ACTION, due)
    ctx.say(f"On {full_moment(due, zone)}: {line}")
    ctx.note("schedule", line=line, due=due.isoformat())


def _check(ctx: Context, table: Table, line: str) -> None:
    """Raises NotUnderstood for what is no command, or none that can wait."""
    call = ctx.commands.reader.read(line, table.lexicon) if line else None
    if call is None or not ctx.commands[call.name].policy.schedulable:
        may = ", ".join(sorted(command.title for command in ctx.commands.values() if command.policy.schedulable))
        raise NotUnderstood(f"'{line}' is not a command that can be scheduled.", f"{_FORM} It can be: {may}.")


SCHEDULE = Command(
    "schedule",
    Syntax(
        "SCHEDULE | SCHEDULE none:NONE | SCHEDULE when,line:TIMED",
        ("SCHEDULE Friday 18:00: PROCESS", "SCHEDULE", "SCHEDULE NONE"),
    ),
    Policy(Who.MASTER, Stage.RUNNING),
    act_schedule,
    Help(
        "have a command carried out at a time",
        "The time stands before a colon and a blank, as in DEADLINE; the command\n"
        "after it. PROCESS, PAUSE, RESUME, DEADLINE, EXTEND, SET, COMMENT and\n"
        "REVEAL can wait. You are told when it is done, or why it could not be.\n"
        "SCHEDULE alone shows what waits, SCHEDULE NONE forgets it.",
    ),
)
