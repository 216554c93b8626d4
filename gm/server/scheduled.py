"""Commands that gamemasters gave for a time, carried out when it has come, in the transaction of the deadline."""

from __future__ import annotations

from gm.commands.context import Context, Scheduled
from gm.commands.registry import COMMANDS
from gm.errors import GmError, Temporary
from gm.games.snapshot import Game
from gm.games.transaction import Transaction
from gm.store import agenda
from gm.store.agenda import ScheduledRow


def carry_out(tx: Transaction, game: Game) -> Game:
    """Do what is due of a game, each wholly or not at all, and tell the gamemaster who wanted it."""
    for row in agenda.scheduled(tx.session, game.id):
        if row.due_at <= tx.now:
            row.done_at = tx.now
            _do(tx, tx.newest(game), row)
    return tx.newest(game)


def _do(tx: Transaction, game: Game, row: ScheduledRow) -> None:
    seat, call = game.seat(row.seat_id), COMMANDS.reader.read(row.line, game.lexicon)
    if seat.person is None or call is None:
        return  # whoever wanted it has left
    ctx = Context(tx, Scheduled(row.id), seat.person.reachable, COMMANDS, actor=seat, about=game)
    said: tuple[str, ...]
    try:
        with tx.attempt():
            COMMANDS[call.name].run(ctx, call.args)
        said = (f"Done as you had scheduled it: {row.line}", *ctx.answer.done)
    except Temporary:
        raise
    except GmError as error:
        said = (f"What you had scheduled could not be done: {row.line}", error.problem, error.remedy)
    words = tuple(filter(None, said))
    tx.tell(tx.newest(game), [seat], "a scheduled command", words, f"scheduled:{row.id}")
