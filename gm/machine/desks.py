"""Tells gamemasters once a day, at their hour, what waits for them in the games that they run, if anything does."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from gm.commands import COMMANDS
from gm.commands.all_games import run_by
from gm.commands.context import Context, Operator
from gm.commands.dashboard import desk
from gm.games import digests, loading
from gm.games.composing import Envelope, composed
from gm.games.report_inputs import reader_of
from gm.games.snapshot import Person
from gm.games.transaction import Transaction
from gm.mail.message.addresses import mailto
from gm.reports.game_mails import Notice
from gm.reports.render import render
from gm.server import Server
from gm.store import people


def tell_next(server: Server) -> bool:
    """Tell the gamemaster whose hour came first. Returns whether there was one. Their next hour is kept before: what
    cannot be told today delays no others, and waits tomorrow, too.
    """
    with server.transaction() as tx:
        account = people.desk_due(tx.session, tx.now)
        if account is None:
            return False
        person = loading.people(tx.session, [account])[account]
        at = digests.next_desk(person, tx.identity.zone_of(person), tx.now)
        people.update_account(tx.session, account, {"desk_at": at})
    with server.transaction() as tx:
        if person.addresses:
            _tell(tx, person)
    return True


def _tell(tx: Transaction, person: Person) -> None:
    """Queue a mail with what waits in each game, and a button for each thing."""
    ctx = Context(tx, Operator(f"desk-{person.id}"), person.reachable, COMMANDS, actor=person)
    waiting = [(name, phase, due, waits) for name, phase, due, _, waits in desk(ctx, run_by(ctx)) if waits]
    if not waiting:
        return
    address = tx.identity.digest_address(person.id, tx.now.date()) or tx.identity.address
    reader = replace(reader_of(tx.identity, person), reply_to=address, mailto=partial(mailto, address))
    games = "a game that you run" if len(waiting) == 1 else f"{len(waiting)} games that you run"
    said = (f"{', '.join(filter(None, (name, phase, due)))}: {waits}." for name, phase, due, waits in waiting)
    words = (*said, "DASHBOARD shows all your games. PREFERENCES desk=none ends these mails.")
    mail = render(Notice(reader, f"what waits for you in {games}", words, answers=ctx.open_offers))
    purpose, stop = f"desk:{person.id}:{tx.now:%Y%m%d%H%M}", "PREFERENCES desk=none"
    envelope = Envelope(purpose, person.reachable, address, ends=stop, commands_to=address)
    tx.queue(composed(tx.identity, tx.now, mail, envelope))
