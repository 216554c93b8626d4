"""Whether the sender of an accepted mail is authentic: found out after the mail was stored, outside any transaction.

Nothing is acted on before. When the DNS does not answer the check is made again, for about a quarter of an hour; then
the mail goes on, unproved. A deadline waits for the mails to its game that came in time (`gm.store.agenda`).
"""

from __future__ import annotations

import logging
from typing import Protocol

from gm.counters import count
from gm.mail.message.authentication import Findings, HandedOver
from gm.server import Server
from gm.store import inbox

log = logging.getLogger(__name__)


class Finds(Protocol):
    """Finds out about the sender of a mail (`gm.mail.transport.verification.Verifier`). Raises nothing."""

    def find(self, raw: bytes, came: HandedOver) -> Findings: ...


def check_next(server: Server, verifier: Finds | None) -> bool:
    """Check the sender of one mail that waits for it, with all copies of the mail. Returns whether there was one."""
    if verifier is None:
        with server.database.transaction() as session:
            return inbox.skip_checks(session)
    with server.database.transaction() as session:
        mail = inbox.next_unchecked(session, server.now())
    if mail is None:
        return False
    if mail.tries > inbox.CHECKS:  # the checks before this one took the process with them
        found = Findings(f"{server.identity.authserv_id}; none")
    else:
        found = verifier.find(mail.raw, HandedOver(mail.peer or "", mail.helo or "", mail.envelope_from or ""))
    count("gm_checked_total", deferred=str(found.deferred).lower())
    log.info("a sender was checked", extra={"mail": mail.id, "found": found.value, "deferred": found.deferred})
    with server.database.transaction() as session:
        inbox.settle_check(session, mail, server.now(), found.value, deferred=found.deferred)
    return True
