"""Delivery of the due mails in the outbox: leased, sent outside any transaction, then marked as sent or retried.

Only a dead address ends a mail at once, and it is dead only if the relay takes others. A mail refused for any other
reason is retried for days, because the operator may be able to correct the cause; when no mail is accepted any more,
operator and gamemasters are notified at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from gm.errors import DeliveryDeferred, DeliveryRefused, SenderRefused, WayOutFailed
from gm.games import loading
from gm.games.transaction import Transaction
from gm.mail.message.bounce_report import ABOUT_US, Bounce, Reason, refused, without_addresses
from gm.mail.message.compose import joined
from gm.server import Server
from gm.server.answering import operator_told, report_trouble
from gm.server.bounces import is_lost, not_dead, note_failure
from gm.server.metrics import count
from gm.store import mail_files, outbox, records, refusals, retention
from gm.store.game_rows import GameState
from gm.store.outbox import GIVE_UP_AFTER, OutboxRow, OutboxState, Pace, Sent, Trouble
from gm.store.records import LogRow
from gm.store.refusals import Stuck

log = logging.getLogger(__name__)

_MOST_TOLD = 50
"""The most recipients for whom gamemasters are notified at once that mail is refused."""


class Delivers(Protocol):
    """A way to send mail. Raises DeliveryDeferred (try later) or DeliveryRefused (the server refused it)."""

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None: ...


def send_due(
    service: Server, sender: Delivers, pace: Pace | None = None, begins: Callable[[], object] = lambda: None
) -> bool:
    """Send the mail that is due first, after calling `begins`. Returns whether there was one."""
    with service.database.transaction() as session:
        mails = outbox.claim_due(session, service.now(), 1, pace=pace)
    if mails:
        begins()
    for mail in mails:
        send(service, sender, mail)
    return bool(mails)


def send(service: Server, sender: Delivers, mail: OutboxRow) -> datetime | None:
    """Send a mail that is leased, and note what became of it. Returns when to look for another."""
    sent = _send(service, sender, mail)
    if mail.purpose.startswith(retention.LAST):
        with service.database.transaction() as session:
            emptied = retention.sent(session, mail.id)
        if emptied:
            service.database.scrub()
    return sent.wakes_at if sent is not None else service.now()


def _whole(service: Server, mail: OutboxRow) -> bytes:
    """The mail with its files."""
    if not mail.files:
        return mail.raw
    with service.database.reading() as session:
        return joined(mail.raw, mail.message_id, mail_files.of(session, mail.message_id))


def _send(service: Server, sender: Delivers, mail: OutboxRow) -> Sent | None:
    try:
        sender.deliver(_whole(service, mail), mail.envelope_from, mail.recipient)
    except DeliveryRefused as error:
        found = refused(error.problem)
        log.warning(
            "a mail is rejected: %s", error, extra={"mail": mail.id, "purpose": mail.purpose, "reason": found.reason}
        )
        hard = _failed(service, mail, found, Trouble.REFUSED if found.reason in ABOUT_US else Trouble.DEFERRED)
        count("gm_sent_total", outcome="refused" if hard else "kept")
    except DeliveryDeferred as error:
        log.info("a mail is deferred: %s", error, extra={"mail": mail.id, "purpose": mail.purpose})
        count("gm_sent_total", outcome="deferred")
        kinds = {WayOutFailed: Trouble.UNREACHABLE, SenderRefused: Trouble.REFUSED}
        trouble = kinds.get(type(error), Trouble.DEFERRED)
        _failed(service, mail, Bounce(Reason.EXPIRED, "", str(error)), trouble)
    else:
        count("gm_sent_total", outcome="sent")
        with service.departures.promised() as departure, service.database.transaction() as session:
            sent = outbox.mark_sent(session, mail.id, now := service.now())
            if sent is not None and sent.wakes_at is not None and sent.wakes_at <= now:
                departure += outbox.claim_due(session, now, 1, pace=service.pace)
        if mail.trouble is not Trouble.NONE:
            log.info("a mail that waited is sent", extra={"mail": mail.id, "domain": mail.domain, "tries": mail.tries})
        return sent
    return None


def _failed(service: Server, mail: OutboxRow, found: Bounce, trouble: Trouble) -> bool:
    """Note a failed try. Returns whether the address is dead."""
    with service.transaction() as tx:
        if found.hard:
            dead, trouble = refusals.is_dead(tx.session, mail, tx.now)
            found = found if dead else replace(found, reason=Reason.RELAY)
        failure = outbox.Failure(found.words, service.jitter(), found.hard, trouble)
        state = outbox.mark_failed(tx.session, mail.id, tx.now, failure)
        if trouble is Trouble.UNKNOWN and not found.hard:
            not_dead(tx, refusals.unknown_again(tx.session, mail, tx.now))
        if state is OutboxState.FAILED:
            note_failure(tx, mail, found, state, hard=found.hard or is_lost(state, trouble), at=tx.now)
        elif trouble is not Trouble.DEFERRED:
            for stuck in refusals.stuck_among(tx.session, [mail.recipient]):
                _tell_at_once(tx, stuck, mail.recipient)
        return found.hard


_STUCK = "mail is refused"
_DAY = timedelta(days=1)


def _tell_at_once(tx: Transaction, stuck: Stuck, recipient: str) -> None:
    """Notify the operator, and the gamemasters of those who get no mail, that mail is refused: once for as long as that
    lasts, and once a day if it comes and goes. Later only the gamemasters of the `recipient`, who gets none either.
    """
    recipients: Sequence[str] = [recipient]
    before = _said(tx, stuck.domain)
    if before is None or (before.at <= tx.now - _DAY and before.detail["since"] != stuck.since.isoformat()):
        before = tx.note(_STUCK, domain=stuck.domain, since=stuck.since.isoformat())
        log.error(_STUCK, extra={"domain": stuck.domain or "any", "refused": stuck.refused, "tried": stuck.tried})
        remedy = f"It is kept, and tried again for up to {GIVE_UP_AFTER.days} days. See `gm check` and `gm mail show`."
        report_trouble(tx, stuck.problem, stuck.words, f"stuck:{before.id}", remedy=remedy)
        recipients = stuck.recipients[:_MOST_TOLD]
    problem = "Mail to players of this game is refused; it is kept, and tried again."
    detail = " ".join((f'The mail server said: "{without_addresses(stuck.words)}".', *operator_told(tx)))
    told: set[int] = set()
    for person in filter(None, (loading.person_at(tx.session, one) for one in recipients)):
        for game in tx.games_of(person, GameState.FORMING, GameState.RUNNING):
            if game.id not in told and game.playable:
                told.add(game.id)
                tx.tell(game, game.masters, _STUCK, (problem, detail), f"stuck:{game.id}:{before.id}")


def _said(tx: Transaction, domain: str) -> LogRow | None:
    """When it was last said that mail to this domain is refused."""
    rows = reversed(records.log_of_kind(tx.session, _STUCK))
    return next((row for row in rows if row.detail["domain"] == domain), None)
