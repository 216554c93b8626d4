"""Checking who sent a mail, and what the result proves of what is read in it.

DNS queries are made outside any transaction, before the mail is acted on. A result says that a domain vouches for a
mail; whether it vouches for all that is read in it, `gm.mail.message.coverage` knows, and the caller knows whether the
mail names the address at which it is acted on.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from gm.games.identity import ServerIdentity
from gm.mail.message.incoming import Message
from gm.mail.message.mime import Headers
from gm.mail.message.reported import (
    CHECKS,
    is_said_of_dmarc_alone,
    reported,
    supported_by_signature,
    supported_by_spf,
)
from gm.mail.message.tags import SIGNATURES, is_plain, is_quotable
from gm.mail.message.trace import RESULTS, Authenticity, Findings, HandedOver, authenticity
from gm.server import Server
from gm.server.metrics import count
from gm.store import senders
from gm.store.inbox import CLICK, InboxRow

log = logging.getLogger(__name__)


class Finds(Protocol):
    """Authenticates the sender of a mail (`gm.mail.transport.dmarc.Verifier`). Raises nothing."""

    def find(self, raw: bytes, came: HandedOver) -> Findings: ...


def proof_of(message: Message, row: InboxRow, identity: ServerIdentity, names_us: Callable[[], bool]) -> Authenticity:
    """The mail's authentication: by our own results if another machine than ours handed it over, otherwise by those of
    a trusted server, where only that server can have written them.

    What SPF proves is what was sent, and a signature proves what it covers; neither proves to whom. A redirect may keep
    the sender in the envelope, and whoever was sent a signed mail can send it on. So a mail is proved only where it
    names the address at which it is acted on (`names_us`). What was posted for one click is proved by where to. Where a
    trusted server may have quoted an odd tag of a signature or an odd sender of the envelope, nothing proves it; nor
    does what it wrote behind other words that a stranger may have chosen (`gm.mail.message.reported`).
    """
    if row.source == CLICK:
        return Authenticity.PASS
    find = _found_here if row.peer is not None else _found_in_front
    found, whole = find(message, row, identity)
    if found is not Authenticity.PASS:
        return found
    gap = message.coverage.gap(message.author.rpartition("@")[2], whole=whole)
    return found if not gap and names_us() else Authenticity.DOUBTFUL


def _found_here(message: Message, row: InboxRow, identity: ServerIdentity) -> tuple[Authenticity, bool]:
    """What we found ourselves; of signatures those count alone that cover what is read."""
    return authenticity([row.findings or ""], (identity.authserv_id,), message.author, message.sealed), True


def _found_in_front(message: Message, row: InboxRow, identity: ServerIdentity) -> tuple[Authenticity, bool]:
    """What a trusted server has found, as far as nobody else can have put it into its mouth, and whether that is about
    the whole mail.
    """
    trust, headers, domain = identity.trust, Headers.of(message.coverage.raw), message.author.rpartition("@")[2]
    results = trust.relays.results(headers, below=trust.results_below)
    found = authenticity(results, trust.authserv_ids, message.author, message.sealed)
    if found is not Authenticity.PASS:
        return found, False
    senders = [one.strip().strip("<>") for one in trust.relays.senders(headers, row.envelope_from)]
    signatures = [value for name, value in headers if name in SIGNATURES]
    if not (all(map(is_quotable, signatures)) and all(is_plain(one) and one.count("@") < 2 for one in senders)):
        return Authenticity.DOUBTFUL, False
    fields = [reported(value, senders) for value in results]
    known = [one for one in fields if one.server in trust.authserv_ids]
    alone = len(headers.all(RESULTS)) == len(results) and not headers.all(CHECKS)
    plain = alone and all(one.plain for one in fields)
    checks = trust.relays.own(headers, CHECKS)
    whole = (plain or bool(senders)) and supported_by_spf(known, checks, senders, domain)
    of_dmarc = plain and is_said_of_dmarc_alone(message.coverage, fields, senders, domain)
    if not (whole or of_dmarc or supported_by_signature(message.coverage, known, domain)):
        return Authenticity.DOUBTFUL, False
    return found, whole


def why_doubtful(message: Message) -> str:
    """Why what proves the sender of a mail does not prove what is read in it."""
    otherwise = "its To and Cc do not name the address at which it arrived, or a server on its way changed it"
    return message.coverage.gap(message.author.rpartition("@")[2]) or otherwise


class Turns:
    """Whose mails are authenticated next, so that whoever has slow name servers waits for them alone: of an
    organization, and of a site that sends, one mail at a time; registered senders first; and then those who have taken
    least of the time.
    """

    _SPAN = 600.0
    """For how many seconds time that was taken counts, at most."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy = set[str]()
        self._taken = Counter[str]()
        self._since = 0.0

    @contextmanager
    def one_of(self, waiting: Sequence[tuple[str, bool]]) -> Iterator[str | None]:
        """Choose among waiting sites, given with whether only strangers wait there; None if each has its turn now."""
        begun = time.monotonic()
        with self._lock:
            if begun - self._since > self._SPAN:
                self._since = begun
                self._taken.clear()
            free = [one for one in waiting if self._busy.isdisjoint(_parties(one[0]))]
            site = min(free, key=self._rank)[0] if free else None
            parties = _parties(site) if site is not None else ()
            self._busy.update(parties)
        try:
            yield site
        finally:
            with self._lock:
                self._busy.difference_update(parties)
                self._taken.update(dict.fromkeys(parties, time.monotonic() - begun))

    def _rank(self, waiting: tuple[str, bool]) -> tuple[bool, float]:
        site, strange = waiting
        return strange, max(self._taken[party] for party in _parties(site))


def _parties(site: str) -> tuple[str, str]:
    """The organization of a sender, and the site of the machine that sent the mail."""
    organization, _, machines = site.rpartition(" ")
    return f"of {organization}", f"from {machines}"


def check_next(
    server: Server, verifier: Finds | None, turns: Turns, begins: Callable[[], object] = lambda: None
) -> bool:
    """Authenticate the sender of one waiting mail, for all copies of the mail, after calling `begins`. Returns whether
    there was one whose turn it is.
    """
    if verifier is None:
        with server.database.transaction() as session:
            return senders.skip_checks(session)
    with server.database.reading() as session:
        waiting = senders.unchecked_sites(session, server.now())
    with turns.one_of(waiting) as site:
        return site is not None and _check(server, verifier, site, begins)


def _check(server: Server, verifier: Finds, site: str, begins: Callable[[], object]) -> bool:
    with server.database.transaction() as session:
        mail = senders.next_unchecked(session, server.now(), site)
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
