"""Orders that came after their phase was closed: when they came, and what they would change in its results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from gm.board import Power
from gm.commands.context import Context
from gm.commands.correcting import compared, deadline_after
from gm.commands.trial import turn_with, what_changes
from gm.games import report_inputs
from gm.games.snapshot import Game, PhasePlayed, Seat
from gm.play.preorders import with_late
from gm.reports import full_moment, span
from gm.reports.difference import in_lines
from gm.store import agenda, records
from gm.store.game_rows import PhaseRow

Given = Sequence[tuple[datetime, Sequence[str]]]
"""The lines of late orders, each with the time when they were received; the last ones came last."""


def in_phase(game: Game, row: PhaseRow) -> Game:
    """The game as it was when a phase of its past began."""
    position = report_inputs.position_of(game, row)
    phase = PhasePlayed(row.id, row.number, position, row.opened_at, game.variant)
    return replace(game, phase=phase, deadline=None, orders={})


def when_they_came(ctx: Context, game: Game, seat: Seat, phase: PhaseRow, came: datetime) -> str:
    """When late orders came: how long before or after the first deadline of their phase, and after the first report of
    it was sent to their player, however often it was played since.
    """
    zone = game.options.clock.zone
    first, _ = report_inputs.first_played(ctx.tx.session, game, phase)
    due = agenda.announced_first(ctx.tx.session, first.id)
    said = [f"They were received {full_moment(came, zone)}"]
    if due is not None:
        side = "after" if came > due else "before"
        said.append(f"{span(abs(came - due))} {side} the deadline ({full_moment(due, zone)})")
    said.append(compared(report_inputs.since_report(ctx.tx.session, game, seat.id, phase, came)))
    return f"{', '.join(said)} was sent to that player."


def what_they_change(ctx: Context, game: Game, seat: Seat, phase: PhaseRow, given: Given) -> str:
    """What late orders would change in the results, in lines."""
    heading = "What they would change"
    then, power = in_phase(game, phase), game.principal(seat).power
    held = game.withheld and phase.id == game.phase_id
    if (phase.adjudicated_at is None and not held) or then.position is None or power is None:
        return f"{heading}: nothing yet; the phase has not been adjudicated."
    then = replace(then, orders=report_inputs.sets_in_force(ctx.tx.session, game, phase))
    orders = {power: with_late(then, game.principal(seat), given, None).orders}
    turn = turn_with(ctx, game, phase, orders)
    changes, moved = what_changes(ctx, game, phase, turn), deadline_after(ctx, game, turn, moved=True)
    return "\n".join((in_lines(heading, changes), *(f"If you let them count now: {one}" for one in moved)))


def waiting(ctx: Context, game: Game, powers: Collection[Power]) -> dict[str, tuple[str, str]]:
    """For each power, of these or of all, whose late orders for the phase closed last may still be accepted: when they
    came, and what they would change. None for who plays, or may not know whose orders are in.
    """
    closed = report_inputs.to_play_again(ctx.tx.session, game)
    if not closed or ctx.plays(game):
        return {}
    every = [late for late in records.late_orders(ctx.tx.session, game.id) if late.phase_id == closed[-1].id]
    found = {}
    for seat_id, rows in groupby(sorted(every, key=attrgetter("seat_id")), key=attrgetter("seat_id")):
        seat, given = game.seat(seat_id), [(late.received_at, late.lines) for late in rows]
        if (not powers or seat.power in powers) and game.knows_duties(ctx.seat, seat):
            when = when_they_came(ctx, game, seat, closed[-1], given[-1][0])
            found[seat.label] = when, what_they_change(ctx, game, seat, closed[-1], given)
    return found
