"""Delivery of the mails due in the outbox: leased, sent outside any transaction, marked as sent or for another try."""

from __future__ import annotations

import logging
from typing import Protocol

from gm.counters import count
from gm.errors import DeliveryDeferred, DeliveryRefused
from gm.mail.message.automatic import Bounce, refused
from gm.server import Server
from gm.server.bounces import note_failure
from gm.store import outbox
from gm.store.outbox import OutboxRow, OutboxState

log = logging.getLogger(__name__)


class Delivers(Protocol):
    """A way for mail to leave. Raises DeliveryDeferred (try later) or DeliveryRefused (never)."""

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None: ...


def send_due(service: Server, sender: Delivers, limit: int = 5) -> bool:
    """Try the mails that are due, at most `limit`. Returns whether there were any."""
    with service.database.transaction() as session:
        mails = outbox.claim_due(session, service.now(), limit)
    for mail in mails:
        _send(service, sender, mail)
    return bool(mails)


def _send(service: Server, sender: Delivers, mail: OutboxRow) -> None:
    try:
        sender.deliver(mail.raw, mail.envelope_from, mail.recipient)
    except DeliveryRefused as error:
        log.warning("a mail is rejected: %s", error, extra={"mail": mail.id, "purpose": mail.purpose})
        count("gm_sent_total", outcome="refused")
        _failed(service, mail, str(error), final=True)
    except DeliveryDeferred as error:
        log.info("a mail is deferred: %s", error, extra={"mail": mail.id, "purpose": mail.purpose})
        count("gm_sent_total", outcome="deferred")
        _failed(service, mail, str(error), final=False)
    else:
        count("gm_sent_total", outcome="sent")
        with service.database.transaction() as session:
            outbox.mark_sent(session, mail.id, service.now())


def _failed(service: Server, mail: OutboxRow, error: str, *, final: bool) -> None:
    with service.transaction() as tx:
        state = outbox.mark_failed(tx.session, mail.id, tx.now, error, jitter=service.jitter(), final=final)
        if state is OutboxState.FAILED:
            note_failure(tx, mail, refused(error) if final else Bounce(True, "", error))
