"""Checking who sent a mail, and what the result proves of what is read in it.

DNS queries are made outside any transaction, before the mail is acted on. A result says that a domain vouches for a
mail; whether it vouches for all that is read in it, `gm.mail.message.coverage` knows, and the caller knows whether the
mail names the address at which it is acted on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from gm.games.identity import ServerIdentity
from gm.mail.message.coverage import spf_sender
from gm.mail.message.incoming import Message
from gm.mail.message.trace import Authenticity, Findings, HandedOver, judged
from gm.server import Server
from gm.server.metrics import count
from gm.store import senders
from gm.store.inbox import InboxRow

log = logging.getLogger(__name__)


class Finds(Protocol):
    """Authenticates the sender of a mail (`gm.mail.transport.dmarc.Verifier`). Raises nothing."""

    def find(self, raw: bytes, came: HandedOver) -> Findings: ...


def proof_of(message: Message, row: InboxRow, identity: ServerIdentity, names_us: Callable[[], bool]) -> Authenticity:
    """The mail's authentication: by our own results if we checked it, otherwise by those of a trusted server.

    What SPF proves is what was sent; and to whom, if its sender in the envelope is the mail's: another account at the
    same provider may have redirected it. A signature proves what it covers, and nothing if the mail does not name the
    address at which it is acted on (`names_us`): anybody who was sent it can send it on.
    """
    sender, results, trusted = message.author, message.coverage.results, identity.trust.authserv_ids
    if (ours := row.findings) is not None:
        results, trusted = (ours,), (identity.authserv_id,)
    found, by_seal = judged(results, trusted, sender, message.sealed)
    if found is not Authenticity.PASS:
        return found
    domain = sender.rpartition("@")[2]
    by_spf = spf_sender(results, domain)
    whole = bool(by_spf) or ours is not None  # ours count covering ones only
    gap = message.coverage.gap(domain, whole=whole, by_seal=by_seal)
    sent_to_us = bool(by_spf) and sender in (by_spf, (row.envelope_from or "").lower())
    return found if not gap and (sent_to_us or names_us()) else Authenticity.DOUBTFUL


def why_doubtful(message: Message) -> str:
    """Why what proves the sender of a mail does not prove what is read in it."""
    unnamed = "its To and Cc do not name the address at which it arrived"
    return message.coverage.gap(message.author.rpartition("@")[2]) or unnamed


def check_next(server: Server, verifier: Finds | None, begins: Callable[[], object] = lambda: None) -> bool:
    """Authenticate the sender of one waiting mail, for all copies of the mail, after calling `begins`. Returns whether
    there was one.
    """
    if verifier is None:
        with server.database.transaction() as session:
            return senders.skip_checks(session)
    with server.database.transaction() as session:
        mail = senders.next_unchecked(session, server.now())
    if mail is None:
        return False
    begins()
    if mail.tries > senders.CHECKS:  # the earlier checks have killed the process
        found = Findings(f"{server.identity.authserv_id}; none")
    else:
        found = verifier.find(mail.raw, HandedOver(mail.peer or "", mail.helo or "", mail.envelope_from or ""))
    count("gm_checked_total", deferred=str(found.deferred).lower())
    log.info("a sender was checked", extra={"mail": mail.id, "found": found.value, "deferred": found.deferred})
    with server.database.transaction() as session:
        senders.settle_check(session, mail, server.now(), found.value, deferred=found.deferred)
    return True
