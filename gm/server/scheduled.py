"""Commands that gamemasters gave for a time, carried out when it has come, in the transaction of the deadline."""

from __future__ import annotations

from datetime import datetime

from gm.commands.registry import ACTS
from gm.commands.scene import Scene
from gm.errors import GmError, Temporary
from gm.games import ServerIdentity
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.mail.message.incoming import read_message
from gm.parsing.commands import parse_command
from gm.store import agenda, game_rows, inbox
from gm.store.agenda import ScheduledRow


def carry_out(office: ServerIdentity, table: Table, now: datetime) -> None:
    """Do what is due of a game, each wholly or not at all, and tell the gamemaster who wanted it."""
    for row in agenda.scheduled(table.session, table.game.id):
        if row.due_at <= now:
            row.done_at = now
            _do(office, table, row, now)


def _do(office: ServerIdentity, table: Table, row: ScheduledRow, now: datetime) -> None:
    session = table.session
    seat, mail = game_rows.seat_by_id(session, row.seat_id), inbox.mail_by_id(session, row.inbox_id)
    account = table.account_of(seat) if seat is not None else None
    command = parse_command(row.line, table.lexicon)
    if seat is None or mail is None or account is None or command is None:
        return  # whoever wanted it has left
    letter = read_message(mail.raw, envelope_from=mail.envelope_from, recipients=mail.recipients)
    # No mail brought the command now, so what it sends is told from what any mail sent by a number of its own.
    scene = Scene(session, office, letter, -row.id, now, now, letter.sender or "", account, seat, table)
    said: tuple[str, ...]
    try:
        with session.begin_nested():
            ACTS[command.name](scene, command.args)
        said = (f"Done as you had scheduled it: {row.line}", *scene.done)
    except Temporary:
        raise
    except GmError as error:
        table.forget()
        table.forget_options()
        said = (f"What you had scheduled could not be done: {row.line}", error.problem, error.remedy)
    words = tuple(filter(None, said))
    tell(table, office, [seat], "a scheduled command", words, purpose=f"scheduled:{row.id}", now=now)
