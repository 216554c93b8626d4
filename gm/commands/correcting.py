"""CORRECT: the phase adjudicated last is adjudicated again with other orders, without new orders by others."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from gm.board import Power
from gm.commands.context import Context, Meant
from gm.commands.declaration import About, Command, Consent, Help, Orders, Policy, Stage, Syntax, Who
from gm.commands.trial import on_trial, orders_meant, turn_with, what_changes
from gm.commands.voice import HELD, UNTIL_RELEASE
from gm.errors import NotNow, NotUnderstood
from gm.games import report_inputs
from gm.games.limits import Spent
from gm.games.snapshot import Game, Seat
from gm.orders import Order
from gm.orders.notation import write
from gm.parsing.message import reason_apart
from gm.play import calendar
from gm.reports import listed, span
from gm.reports.difference import moves, of_deadline
from gm.store import game_rows, people, records
from gm.store.game_rows import PhaseRow
from gm.turn import Turn

YOUR_WORDS = "(your words to the players)"
"""What stands for the reason in an offer, which the answer is to give."""
_AT_ONCE = timedelta(minutes=1)
_HEADING = re.compile(r"\s*+orders?\s++for\s++([^:]{1,60}+):?+", re.IGNORECASE)


def adjudicate_again(
    ctx: Context, game: Game, phase: PhaseRow, change: Callable[[Game], Game], seats: Collection[int], why: str
) -> Game:
    """The game, with its last phase to be adjudicated again at once: with the orders that were in force, after a
    change of those of these seats. The draws are the same, and they are not reviewed again. `why` is for the report;
    of a phase that the same mail has had adjudicated again already, the report has both reasons.
    """
    if game.is_corrected and game.phase_id == phase.id:
        return _as_well(ctx, change(game), why)
    if game.paused:
        ctx.withdraw("RESUME")
        ctx.say("The game was paused and goes on; PAUSE stops it again when the corrected report has come.")
    before = report_inputs.sets_in_force(ctx.tx.session, game, phase)
    left, void = calendar.left_by_correction(game, ctx.now), [one.id for one in game.players if game.has_sent(one)]
    given = {key: replace(orders, number=1) for key, orders in before.items()}
    game = change(calendar.play_again(ctx.tx, game, phase, given, ctx.mail_id))
    people.pass_turnout_on(ctx.tx.session, phase.id, ctx.running(game).id, but=seats)
    records.pass_late_on(ctx.tx.session, phase.id, ctx.running(game).id)
    turn, draws = on_trial(game)
    correction = {"why": why, "draws": draws, "left": left, "void": void}
    ctx.say_of_deadline(" ".join(deadline_after(ctx, game, turn, correction)))
    if game.variant.review is not None:  # who has it now would know the results
        game = calendar.closed(ctx.tx, game, ctx.running(game))
    game = ctx.tx.fold(game, phase=replace(game.present, correction=correction))
    game = calendar.close_now(ctx.tx, game)
    game_rows.mark_phase(ctx.tx.session, ctx.running(game).id, forced_at=ctx.now, correction=correction)
    return game


def _as_well(ctx: Context, game: Game, why: str) -> Game:
    """The game, whose phase is about to be adjudicated again, with one more reason for that."""
    before = game.present.correction or {}
    correction = {**before, "why": f"{before['why']}; {why}", "draws": on_trial(game)[1]}
    game_rows.mark_phase(ctx.tx.session, game.present.id, correction=correction)
    return ctx.tx.fold(game, phase=replace(game.present, correction=correction))


def what_follows(ctx: Context, game: Game) -> str:
    """Who gets the corrected report, when, and which orders it makes void; of results that are held, none."""
    if game.withheld:
        return HELD
    released = UNTIL_RELEASE if game.options.release == "gm" else ""
    return f"Everybody gets a corrected report{released}. {made_void(game, ctx.seat)}".rstrip()


def made_void(game: Game, reader: Seat | None) -> str:
    """Whose orders a correction makes void, as a sentence: the position that they were written for is another, and
    those who wrote them knew results that do not hold. "" if of nobody the reader may know that they have sent any.
    """
    known = [seat for seat in game.players if not game.is_secret(seat) and game.knows_duties(reader, seat)]
    sent = [] if game.is_corrected else [seat.label for seat in known if game.has_sent(seat)]
    return f"Orders of {listed(sent)} for {game.code} are void then, and must be sent again." if sent else ""


def deadline_after(
    ctx: Context, game: Game, turn: Turn, correction: Mapping[str, Any] | None = None, *, moved: bool = False
) -> tuple[str, ...]:
    """What becomes of the deadline that a correction leaves, or would leave now, in a sentence; none if there was none,
    or with `moved` if that does not move.
    """
    correction = correction or {"left": calendar.left_by_correction(game, ctx.now)}
    left, reader = correction["left"], ctx.reader()
    if not left or turn.victory is not None:
        return ()
    due, code = calendar.due_after(ctx.tx, game, turn.after, correction), turn.after.phase.code
    if due is None or (moved and not moves(left, code, due)):
        return ()
    return (of_deadline(left, code, due, reader.until),)


def compared(since: timedelta | None) -> str:
    """How long after a report something came, or before it, as `report_inputs.since_report` has it: `2 days after the
    report`."""
    if since is None:
        return "before any report of it"
    if abs(since) < _AT_ONCE:
        return "just when the report"
    return f"{span(abs(since))} {'after' if since > timedelta() else 'before'} the report"


def act_correct(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show what other orders would change in the phase adjudicated last or, with NOW, let them count."""
    game, _ = ctx.seated()
    phase = _last(ctx, game, args["phase"])
    (why, ctx.why), lines = (ctx.why, ""), _parted(game, reason_apart(args["below"])[1])
    position = report_inputs.position_of(game, phase)
    given, refused = orders_meant(ctx, game, position, lines)
    if refused:
        bad = " ".join(f"'{line.text.strip()}': {line.problem} {line.remedy}".strip() for line in refused)
        raise NotNow(f"Nothing is corrected, since not all lines below it are orders for {phase.code}.", bad)
    if not given:
        raise NotUnderstood(f"There are no orders for {phase.code} below this line.", _remedy(phase))
    before = report_inputs.orders_by_power(ctx.tx.session, game, phase)
    orders = {power: game.variant.joined(position, power, before.get(power, ()), own) for power, own in given.items()}
    pending = game.is_corrected and phase.id == game.phase_id
    why = why or (f"those of {listed([*given])}" if game.withheld and args["now"] is not None else "")
    if args["now"] is not None and not why:
        raise NotUnderstood("A correction needs your reason.", "Write BECAUSE and the reason below the orders.")
    if pending and args["now"] is None:
        how = "Write NOW behind it, and it counts, too; or send it again when the corrected report has come."
        raise NotNow(f"{phase.code} is about to be adjudicated again, for what stands above in your mail.", how)
    if not pending:
        turn = turn_with(ctx, game, phase, orders)
        differs = what_changes(ctx, game, phase, turn)
        ctx.show(f"What this changes in {phase.code}", "\n".join(differs) or "Nothing that you can see.")
        if args["now"] is None:
            _propose(ctx, game, phase, why, given, deadline_after(ctx, game, turn))
    if args["now"] is not None:
        _correct(ctx, game, phase, why, orders)


def _last(ctx: Context, game: Game, named: str) -> PhaseRow:
    """The phase adjudicated last, if it is the one that is named. Raises NotNow."""
    phases = report_inputs.to_play_again(ctx.tx.session, game)
    if not phases:
        raise NotNow(f"No phase of {game.name} has been adjudicated yet.", "ORDERS FOR changes orders of this one.")
    last = phases[-1]
    if named != last.code:
        how = f"Write CORRECT {last.code}; for an earlier phase ROLLBACK, after which everybody can order anew."
        raise NotNow(f"{named} is not the phase that was adjudicated last.", how)
    return last


def _remedy(phase: PhaseRow) -> str:
    return f"Write CORRECT {phase.code}, below it the orders as they should be, each with its power: France: A PAR-BUR."


def _parted(game: Game, below: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The lines of orders, each below ORDERS FOR with its power."""
    power, lines = "", []
    for number, text in below:
        heading = _HEADING.fullmatch(text.rstrip())
        if heading is not None and (named := game.lexicon.power(heading[1].rstrip())) is not None:
            power = named
        elif text.strip():
            own, colon, _ = text.partition(":")  # which may be that of a list
            names = bool(colon) and game.lexicon.power(own.strip()) is not None
            lines.append((number, f"{power}: {text.strip()}" if power and not names else text))
    return lines


def _propose(
    ctx: Context, game: Game, phase: PhaseRow, why: str, given: Mapping[Power, Sequence[Order]], said: Sequence[str]
) -> None:
    """Answer with a button that lets these orders count."""
    lines = [f"{power}: {write(order)}" for power, own in given.items() for order in own]
    because = [] if game.withheld and not why else [f"BECAUSE {why or YOUR_WORDS}"]
    ctx.say(f"On trial; nothing is changed yet. CORRECT {phase.code} NOW lets it count, with these lines below it.")
    follows = what_follows(ctx, game)
    ctx.say(" ".join((f"If it counts, {follows[:1].lower()}{follows[1:]}", *said)))
    whole = "\n".join((f"CORRECT {phase.code} NOW", *lines, *because))
    ctx.offer(whole, "correct it for everybody", Meant.SURELY)


def _correct(ctx: Context, game: Game, phase: PhaseRow, why: str, orders: Mapping[Power, Sequence[Order]]) -> None:
    """Put the orders in force, and have the phase adjudicated again."""
    seats = {seat.id: own for power, own in orders.items() if (seat := game.seat_of(power)) is not None}
    ctx.bring(Consent.IRREVOCABLE)  # orders that others have sent since are void

    def change(game: Game) -> Game:
        sets = {key: game.next_set(game.seat(key), tuple(own), ctx.now, ctx.mail_id) for key, own in seats.items()}
        return ctx.tx.put_orders(game, sets)

    ctx.say(
        f"{phase.code} is adjudicated again with these orders and all others as they were; its report has your words."
        f" {what_follows(ctx, game)}"
    )
    adjudicate_again(ctx, game, phase, change, seats, why)
    ctx.note("correct", phase=phase.code, powers=list(orders), why=why)


CORRECT = Command(
    "correct",
    Syntax(
        "CORRECT phase:PHASE [now:NOW]",
        ("CORRECT F1901M\nORDERS FOR power\nthe orders\nBECAUSE the reason", "CORRECT F1901M NOW"),
        below=Orders(headings=("ordersfor",)),
    ),
    Policy(
        Who.NEUTRAL_MASTER,
        Stage.RUNNING,
        cost=5,
        spends=(Spent.MAILS,),
        harmless=True,
        playing="ROLLBACK and the phase has everybody order anew.",
        about=(About.ORDERS, About.RESULTS),
    ),
    act_correct,
    Help(
        "adjudicate the last phase again, with other orders",
        """
        For an error that nobody is to profit from: write the orders as they
        should have been below it, each with its power or below ORDERS FOR, and
        BECAUSE with the reason. The answer shows what differs, and changes
        nothing. CORRECT F1901M NOW with the same lines adjudicates the phase
        again: all other orders stay as they were, chance falls as it fell, and
        everybody gets a corrected report that says what it replaces, what
        differs and why. Orders that were sent since for the phase after it are
        void, and must be sent again; that phase keeps its deadline, or gets a
        later one if that leaves less than its whole time. Only the phase
        adjudicated last can be corrected, and no game that is over: its end has
        shown the diaries. With ROLLBACK everybody can order anew. A gamemaster
        who plays can only do that: a trial would show what others have ordered.
        """,
    ),
)
