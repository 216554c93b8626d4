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
from gm.mail.message.reported import supported_by_spf
from gm.mail.message.tags import SIGNATURES, is_plain, is_quotable, tags_of
from gm.mail.message.trace import (
    CHECKS,
    Authenticity,
    Findings,
    HandedOver,
    aligned,
    authenticity,
    sealed_results,
)
from gm.server import Server
from gm.server.metrics import count
from gm.store import senders
from gm.store.inbox import CLICK, ArrivedMail, InboxRow

log = logging.getLogger(__name__)


class Finds(Protocol):
    """Authenticates the sender of a mail (`gm.mail.transport.dmarc.Verifier`). Raises nothing."""

    def find(self, raw: bytes, came: HandedOver) -> Findings: ...


def is_to_be_checked(mail: ArrivedMail, identity: ServerIdentity) -> bool:
    """Whether we are to authenticate the sender of a mail ourselves: what another machine than ours handed over, and
    what our server in front has not proved, where the mail has a signature that may.
    """
    if mail.peer is not None:
        return True
    sender, headers = mail.head.sender, Headers.of(mail.raw)
    if sender is None or identity.trust.verify == "none" or mail.source == CLICK:
        return False
    signers = ((tags_of(value) or {}).get("d", "").lower() for value in headers.all("dkim-signature"))
    signed = any(aligned(signer, sender.domain) for signer in signers)
    return signed and _found_in_front(headers, sender.address, mail.envelope_from, identity) is not Authenticity.PASS


def proof_of(message: Message, row: InboxRow, identity: ServerIdentity, names_us: Callable[[], bool]) -> Authenticity:
    """The mail's authentication: by our own results, and by those of a trusted server, where no other machine than ours
    handed the mail over, so that only that server can have written them.

    What SPF proves is what was sent, and a signature proves what it covers; neither proves to whom. A redirect may keep
    the sender in the envelope, and whoever was sent a signed mail can send it on. So a mail is proved only where it
    names the address at which it is acted on (`names_us`). What was posted for one click is proved by where to.
    """
    if row.source == CLICK:
        return Authenticity.PASS
    found = authenticity([row.findings or ""], (identity.authserv_id,), message.author, message.sealed)
    if row.peer is None and found is not Authenticity.PASS:  # what was sent to the server in front, we do not know
        headers = Headers.of(message.coverage.raw)
        found = _found_in_front(headers, message.author, row.envelope_from, identity)
    proves = not message.coverage.flaw and names_us()
    return found if found is not Authenticity.PASS or proves else Authenticity.DOUBTFUL


def _found_in_front(headers: Headers, author: str, envelope_from: str | None, identity: ServerIdentity) -> Authenticity:
    """What a trusted server has found, as far as nobody else can have put it into its mouth, which is then about the
    whole mail. Where it may have quoted an odd tag of a signature or an odd sender of the envelope, or the mail was
    handed on to it, nothing proves it.
    """
    trust = identity.trust
    results = trust.relays.results(headers, below=trust.results_below)
    found = authenticity(results, trust.authserv_ids, author, sealed_results(headers))
    if found is not Authenticity.PASS:
        return found
    senders = [one.strip().strip("<>") for one in trust.relays.senders(headers, envelope_from)]
    signatures = [value for name, value in headers if name in SIGNATURES]
    plain = all(map(is_quotable, signatures)) and all(is_plain(one) and one.count("@") < 2 for one in senders)
    checks = trust.relays.own(headers, CHECKS)
    sent = plain and not trust.relays.handed_on(headers, author, identity.is_own)
    supported = sent and supported_by_spf(results, trust.authserv_ids, checks, senders, author)
    return found if supported else Authenticity.DOUBTFUL


def why_doubtful(message: Message) -> str:
    """Why what proves the sender of a mail does not prove what is read in it."""
    otherwise = (
        "its To and Cc do not name the address at which it arrived, a server on its way changed it or handed it on, or"
        " no signature of its domain could be verified"
    )
    return message.coverage.gap(message.author.rpartition("@")[2]) or otherwise


_IN_FRONT = HandedOver("", "", "")
"""What we know of how a mail came to a server in front of ours."""


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
        came = HandedOver(mail.peer, mail.helo or "", mail.envelope_from or "") if mail.peer else _IN_FRONT
        found = verifier.find(mail.raw, came)
    count("gm_checked_total", deferred=str(found.deferred).lower())
    log.info("a sender was checked", extra={"mail": mail.id, "found": found.value, "deferred": found.deferred})
    with server.database.transaction() as session:
        senders.settle_check(session, mail, server.now(), found.value, deferred=found.deferred)
    return True
