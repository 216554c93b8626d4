"""Results that the gamemaster sees first and releases (`release=gm`).

At its deadline a phase is not adjudicated: its orders are closed, and a gamemaster who does not play is sent what its
adjudication will bring, which depends on nothing else. So nothing is stored that could leak. RELEASE adjudicates it,
and the next deadline counts from then; ROLLBACK opens the orders again. Gamemasters who forget it are reminded.
"""

from __future__ import annotations

from dataclasses import replace

from gm.advance import advance
from gm.games.report_inputs import view_after
from gm.games.snapshot import Game, PhasePlayed, Seat
from gm.games.transaction import Transaction
from gm.play import calendar, missing_orders
from gm.reports import full_moment
from gm.reports.reader import Answers
from gm.reports.results import center_changes, dislodgements, eliminations, events, results, silence, victory
from gm.reports.standing_orders import Longhand
from gm.turn import Turn
from gm.views import Section


def withhold(tx: Transaction, game: Game) -> Game:
    """Close the orders of the phase, tell everybody, if it is not only corrected, and send the gamemasters who do not
    play what it brings.
    """
    turn, phase = _trial(tx, game), game.present
    game = calendar.cancel_deadline(tx, tx.fold(game, phase=replace(phase, closed_at=tx.now)))
    calendar.remind_of_release(tx, game)
    tx.note("close", game, phase=phase.code)
    closed = f"The orders for {phase.code} are closed."
    words = (f"{closed} The results come when the gamemaster has released them.",)
    if phase.correction is None:
        tx.tell(game, game.all_but(*game.masters), "orders are closed", words, f"withheld:{phase.id}")
    answers, release = _answers(phase), f"RELEASE {phase.code}"
    what = "These are the results, which no player has seen. The next deadline counts from RELEASE."
    if phase.correction is not None and phase.correction.get("left"):
        what = "These are the corrected results. The players have those from before, and are told with RELEASE."
    for seat in game.masters:
        if game.plays(seat.person):
            own = (f"{closed} You play, so you see the results with the others, when they are released.",)
            tx.tell(game, [seat], "results to release", own, f"withheld:{phase.id}", answers=answers, proposes=release)
            continue
        said, sections = _told(game, seat, turn)
        title = f"the results of {phase.code}, for you first"
        mended = (*answers, ("HELP CORRECT", "have them adjudicated with other orders"))
        tx.tell(game, [seat], title, (f"{closed} {what}", *said), f"withheld:{phase.id}", sections, mended, release)
    return game


def remind(tx: Transaction, game: Game, phase: PhasePlayed) -> None:
    """Remind the gamemasters that the results of a closed phase wait for them, and so does everybody else."""
    calendar.remind_of_release(tx, game)
    for seat in game.masters:
        since = full_moment(phase.closed_at or tx.now, tx.identity.zone_of(seat.person, game))
        words = (
            f"The results of {phase.code} have waited since {since}, and the players wait for them.",
            "The next deadline counts from RELEASE.",
        )
        purpose = f"unreleased:{phase.id}:{tx.now:%s}"
        title, release = f"the results of {phase.code} wait", f"RELEASE {phase.code}"
        tx.tell(game, [seat], title, words, purpose, answers=_answers(phase), proposes=release)


def _answers(phase: PhasePlayed) -> Answers:
    return ((f"RELEASE {phase.code}", "let the results go"), (f"ROLLBACK {phase.code}", "open the orders again"))


def _trial(tx: Transaction, game: Game) -> Turn:
    """What the adjudication of the phase will bring, with the orders that are drawn for who has sent none."""
    with tx.attempt(keep=False):
        if game.options.nmr == "random":
            game, _ = missing_orders.give_random_orders(tx, game)
        return advance(game.variant, game.present.position, game.orders_by_power, game.chance)


def _told(game: Game, seat: Seat, turn: Turn) -> tuple[tuple[str, ...], tuple[Section, ...]]:
    """The turn as sentences, and as the orders of each power with their results."""
    view = view_after(game, seat, turn)
    words = Longhand(view.board, game.variant.adjectives, turn.before.phase.kind)
    rest = (*dislodgements(view, turn, words), *center_changes(view, turn.count), eliminations(turn, view.words))
    said = tuple(filter(None, (silence(view, turn), *rest, victory(turn, view.words), *events(view, turn))))
    rows = (
        (one.power, tuple((line.order, " ".join(filter(None, (line.mark, line.reason)))) for line in one.lines))
        for one in results(view, turn, words)
    )
    return said, tuple(Section(power, lines) for power, lines in rows)
