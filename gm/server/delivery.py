"""Delivery of the due mails in the outbox: leased, sent outside any transaction, then marked as sent or retried.

Only a dead address ends a mail at once. A mail refused for any other reason is retried for days, because the operator
may be able to correct the cause; when everything is refused, operator and gamemasters are notified at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from gm.errors import DeliveryDeferred, DeliveryRefused, SenderRefused, WayOutFailed
from gm.games import loading
from gm.games.transaction import Transaction
from gm.mail.message.bounce_report import Bounce, Reason, refused, without_addresses
from gm.server import Server
from gm.server.answering import report_trouble
from gm.server.bounces import ABOUT_US, note_failure
from gm.server.metrics import count
from gm.store import bounce_rows, outbox, retention
from gm.store.bounce_rows import Stuck
from gm.store.game_rows import GameState
from gm.store.outbox import OutboxRow, OutboxState, Pace, Trouble

log = logging.getLogger(__name__)

_MOST_TOLD = 50
"""The most recipients for whom gamemasters are notified that everything is refused."""


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
        _send(service, sender, mail)
        if mail.purpose.startswith(retention.LAST):
            with service.database.transaction() as session:
                emptied = retention.sent(session, mail.id)
            if emptied:
                service.database.scrub()
    return bool(mails)


def _send(service: Server, sender: Delivers, mail: OutboxRow) -> None:
    try:
        sender.deliver(mail.raw, mail.envelope_from, mail.recipient)
    except DeliveryRefused as error:
        found = refused(error.problem)
        log.warning(
            "a mail is rejected: %s", error, extra={"mail": mail.id, "purpose": mail.purpose, "reason": found.reason}
        )
        count("gm_sent_total", outcome="refused" if found.hard else "kept")
        _failed(service, mail, found, Trouble.REFUSED if found.reason in ABOUT_US else Trouble.DEFERRED)
    except DeliveryDeferred as error:
        log.info("a mail is deferred: %s", error, extra={"mail": mail.id, "purpose": mail.purpose})
        count("gm_sent_total", outcome="deferred")
        kinds = {WayOutFailed: Trouble.UNREACHABLE, SenderRefused: Trouble.REFUSED}
        trouble = kinds.get(type(error), Trouble.DEFERRED)
        _failed(service, mail, Bounce(Reason.EXPIRED, "", str(error)), trouble)
    else:
        count("gm_sent_total", outcome="sent")
        with service.database.transaction() as session:
            outbox.mark_sent(session, mail.id, service.now())


def _failed(service: Server, mail: OutboxRow, found: Bounce, trouble: Trouble) -> None:
    with service.transaction() as tx:
        state = outbox.mark_failed(
            tx.session, mail.id, tx.now, found.words, jitter=service.jitter(), final=found.hard, trouble=trouble
        )
        if state is OutboxState.FAILED:
            # A mail that was only deferred for five days never arrives; one that was refused because of us may arrive
            # elsewhere.
            note_failure(tx, mail, found, hard=found.hard or trouble is Trouble.DEFERRED)
        elif trouble is not Trouble.DEFERRED:
            for stuck in bounce_rows.stuck_among(tx.session, [mail.recipient]):
                _tell_at_once(tx, stuck)


def _tell_at_once(tx: Transaction, stuck: Stuck) -> None:
    """Notify the operator, and the gamemasters of those who get no mail, once a day, that everything is refused."""
    log.error(
        "all mail is refused", extra={"domain": stuck.domain or "any", "mails": stuck.mails, "words": stuck.words}
    )
    day = f"{tx.now:%Y-%m-%d}"
    report_trouble(tx, stuck.problem, stuck.words, f"stuck:{stuck.domain}:{day}")
    problem = "Mail to players of this game is refused; it is kept, and tried again."
    detail = f'The mail server said: "{without_addresses(stuck.words)}". The operator was notified.'
    told: set[int] = set()
    for person in filter(None, (loading.person_at(tx.session, one) for one in stuck.recipients[:_MOST_TOLD])):
        for game in tx.games_of(person, GameState.FORMING, GameState.RUNNING):
            if game.id not in told and game.playable:
                told.add(game.id)
                tx.tell(game, game.masters, "mail is refused", (problem, detail), f"stuck:{game.id}:{day}")
