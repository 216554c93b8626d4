"""PROCESS and RELEASE: the gamemaster has a phase adjudicated, or lets its results go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from gm.commands.context import Context
from gm.commands.declaration import About, Command, Consent, Help, Policy, Sentences, Stage, Syntax, Who
from gm.commands.voice import HELD, TO_UNDO_ROLLBACK, UNTIL_RELEASE, say_above_report
from gm.errors import NotNow
from gm.games import report_inputs
from gm.games.snapshot import Game, Seat
from gm.play import calendar
from gm.play.missing_orders import excuse
from gm.reports import listed
from gm.store import agenda, game_rows, ways

_LATE = timedelta(minutes=1)
"""A way by which mail comes in that is behind by more than this was away; it is looked at twice a minute."""


def act_process(ctx: Context, args: Mapping[str, Any]) -> None:
    """Adjudicate now. Naming the phase prevents adjudicating the next one by mistake."""
    game, seat = ctx.seated()
    phase = ctx.running(game, args["phase"])
    calendar.check_open(game, seat)
    calendar.check_review(game, seat)
    if not game.in_review and (game.due_at is None or ctx.now < game.due_at):
        ctx.require_not_hurried(game)
    lacking = _without_orders(ctx, game)
    before = game.due_at or agenda.announced(ctx.tx.session, phase.id)
    at_once = ctx.tx.unsay(f"rollback:{ctx.key}:")  # the report says that the phase was played again
    early = before is None or ctx.now < before
    moments = {"forced_at": ctx.now} | ({"cut_short_at": ctx.now} if early and not at_once else {})
    game_rows.mark_phase(ctx.tx.session, phase.id, **moments)
    excuse(ctx.tx, game)
    calendar.close_now(ctx.tx, game)
    if at_once:
        ctx.withdraw("ROLLFORWARD")
        ctx.replace_said(TO_UNDO_ROLLBACK, "")
    if game.paused:
        ctx.withdraw("RESUME")
        ctx.say("The game was paused and goes on.")
    if game.options.release == "gm":
        ctx.say(f"The orders for {phase.code} are closed now. A mail brings you the results; RELEASE lets them go.")
    elif game.variant.review is not None and not game.in_review:
        more = "" if ctx.plays(game) else f" PROCESS {phase.code}, written again then, brings them at once."
        ctx.say(f"The orders for {phase.code} are closed now. {calendar.results_follow(game)}{more}")
    else:
        ctx.say(f"{phase.code} is adjudicated now, with the orders that are in.")
        if lacking:
            ctx.say(lacking)
    say_above_report(ctx)
    least = ways.least_drained(ctx.tx.session, ctx.now)
    if least is not None and least.drained_until < ctx.now - _LATE:
        longest = f"{ways.BOUND.total_seconds() / 60:.0f} minutes at most"
        ctx.say(f"But the server was away: mail from before may still be on its way, and is waited for, {longest}.")
    ctx.note("process", phase=phase.code, phase_id=phase.id)


def _without_orders(ctx: Context, game: Game) -> str:
    """Whose orders are missing or incomplete, as far as the actor may know it, as a sentence."""
    lacking = [seat.label for seat in awaited(ctx, game) if seat.power in game.duties]
    return f"Those of {listed(lacking)} are missing or incomplete." if lacking else ""


def awaited(ctx: Context, game: Game) -> list[Seat]:
    """The seats that lack what is asked of them, as far as the actor may know it; to one who plays, none."""
    hidden = game.withheld or ctx.plays(game)
    return [] if hidden else [seat for seat in game.unfinished if lacks(ctx, game, seat)]


def lacks(ctx: Context, game: Game, seat: Seat) -> bool:
    """Whether the seat is asked for orders and has not sent all of them, and the actor may know it."""
    return seat in game.unfinished and not game.is_secret(seat) and game.knows_duties(ctx.seat, seat)


PROCESS = Command(
    "process",
    Syntax(
        "PROCESS [game:GAME] [phase:PHASE]",
        ("PROCESS", "PROCESS F1901M"),
        elsewhere=("adjudicate",),
        sentences=Sentences.RARE,
    ),
    Policy(
        Who.MASTER,
        Stage.RUNNING,
        consent=Consent.IRREVOCABLE,
        phase_bound=True,
        whole=True,
        schedulable=True,
        cost=5,
        instead="READY says that you wait for nobody.",
        about=(About.RESULTS,),
    ),
    act_process,
    Help(
        "adjudicate the phase now",
        """
        Name the phase, so that it is not the next one. The report says so; a
        line BECAUSE and the reason below it stands above the results. It
        is held back if orders in the same mail were not acted on. EXTEND,
        DEADLINE and PAUSE below it are for the phase after it; its first report
        says by how much a deadline differs, and why. Where a seat has its own
        time after the deadline (see RULES), PROCESS closes the players' orders,
        and that time begins; only a gamemaster who does not play can end it
        with another PROCESS.
        """,
    ),
)


def act_release(ctx: Context, args: Mapping[str, Any]) -> None:
    """Let the results go that wait for the gamemaster: have a phase adjudicated whose orders are closed."""
    game, _ = ctx.seated()
    phase, named = ctx.running(game), args["phase"]
    if game.is_corrected and game.variant.review is None:
        game = ctx.tx.fold(game, phase=replace(phase, closed_at=ctx.now))
    if not game.withheld:
        _check_not_released(ctx, game, named)
        how = {
            "gm": "A mail brings you the results when the phase has ended; write RELEASE then. PROCESS ends it now.",
            "auto": "With release=gm you get the results first, when a phase ends; PROCESS ends it now.",
        }
        raise NotNow(f"No results of {game.name} wait to be released.", how[game.options.release])
    ctx.running(game, named)
    say_above_report(ctx)
    game_rows.mark_phase(ctx.tx.session, phase.id, released_at=ctx.now)
    calendar.close_now(ctx.tx, game)
    for waits in (HELD, UNTIL_RELEASE):
        ctx.replace_said(waits, "")
    ctx.say(f"The results of {phase.code} go to everybody now.")
    ctx.note("release", phase=phase.code, phase_id=phase.id)


def _check_not_released(ctx: Context, game: Game, named: str | None) -> None:
    """Raises NotNow if the results that are meant were released, and their phase was the one before this."""
    before = report_inputs.to_play_again(ctx.tx.session, game)
    if before and before[-1].released_at is not None and named in (None, before[-1].code):
        how = f"{ctx.running(game).code} is being played; a mail brings you its results when it has ended."
        raise NotNow(f"The results of {before[-1].code} were released already.", how)


RELEASE = Command(
    "release",
    Syntax("RELEASE [game:GAME] [phase:PHASE]", ("RELEASE", "RELEASE F1901M"), sentences=Sentences.RARE),
    PROCESS.policy,
    act_release,
    Help(
        "let the results go that you have seen first",
        """
        In games with release=gm the orders are closed at the deadline, and a
        gamemaster who does not play is mailed the results. RELEASE sends them
        to everybody, and the next deadline counts from then. Before it,
        ROLLBACK and the phase opens the orders again. Meanwhile nothing ends
        the game or moves the deadline: votes, DRAW, TERMINATE, UNSTART, PROCESS
        and UNDO of a deadline are refused. You are reminded each day, after a
        week each week.
        """,
    ),
)
