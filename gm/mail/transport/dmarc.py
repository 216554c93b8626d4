"""DMARC (RFC 7489) and what it rests on: the authentication of the sender of a mail that another machine delivered, by
DKIM (RFC 6376), SPF (RFC 7208) and ARC (RFC 8617) records in the DNS. What passes must also cover what is read in the
mail (`gm.mail.message.coverage`), whose reader of headers is the one here.

Authentication takes time, and the DNS may not answer at all. So a mail is accepted first and checked afterwards
(`gm.inbound.proof`); a check that cannot be completed reports that, and is repeated.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from gm.mail.message.addresses import Mailbox
from gm.mail.message.coverage import MOST_SIGNATURES, Coverage, coverage
from gm.mail.message.incoming import sender_of
from gm.mail.message.mime import Headers
from gm.mail.message.tags import entries_of, tags_of
from gm.mail.message.trace import (
    Authenticity,
    Findings,
    HandedOver,
    aligned,
    authenticity,
    handed_on,
    organization_of,
    sealed_results,
    sent_by,
)
from gm.mail.transport.lookups import LookupFailed, Lookups, Records, dns_records, is_domain
from gm.mail.transport.signatures import Signatures
from gm.mail.transport.signing import Signer
from gm.mail.transport.spf import authorization, identity_of

__all__ = ["LookupFailed", "Records", "Signer", "Verifier", "dns_records"]

log = logging.getLogger(__name__)

MOST_VERIFIED = 5
"""The most signatures that are verified, each of which costs a look-up and arithmetic."""
MOST_ABOVE = 7
"""The most domains above the sender's that are asked for a policy."""

_VERSION = re.compile(r"v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|\Z)")
_REQUESTS = {"none", "quarantine", "reject"}


def _nobody(_address: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Verifier:
    """Authenticates senders. `authserv_id` is our name in the results; what one of the `sealers` had found good and
    sealed (ARC) is asked about where it fails now. `is_ours` knows our addresses: what was for others before was
    handed on.
    """

    authserv_id: str
    sealers: frozenset[str] = frozenset()
    records: Records = dns_records
    is_ours: Callable[[str], bool] = _nobody

    def find(self, raw: bytes, came: HandedOver) -> Findings:
        """All results for one mail, in at most about 15 seconds."""
        lookups = Lookups(self.records)
        try:
            results = list(_Check(raw, came, lookups, self).results())
        except Exception:  # a hostile mail can raise anything in three libraries; it counts as not authenticated
            log.exception("a mail's signatures could not be verified")
            return Findings(f"{self.authserv_id}; none")
        proved = any(result.startswith("dmarc=pass") for result in results)
        return Findings(f"{self.authserv_id}; {'; '.join(results)}", lookups.failures > 0 and not proved)


@dataclass(frozen=True, slots=True)
class _Voucher:
    """A domain that may vouch for a mail: the verdict of a `method`. `mode` is the tag for its alignment, `gap` why a
    pass is not for all of the mail, and `named` what was checked, as a property of the result.
    """

    domain: str
    mode: str
    verdict: str
    gap: str
    method: str
    named: str

    def said(self, *, excluded: bool) -> str:
        """The verdict as an authentication result. What passes and proves nothing here, be it for a gap or because the
        sender's domain has `excluded` it, is no pass, whatever becomes of DMARC.
        """
        withheld = self.verdict == "pass" and (excluded or bool(self.gap))
        return f"{self.method}={'policy' if withheld else self.verdict} {self.named}".rstrip()


@dataclass(frozen=True, slots=True)
class _Claim:
    """That this domain vouches for a mail, and how that is checked."""

    domain: str
    checked: Callable[[], _Voucher]


@dataclass(frozen=True, slots=True)
class _Policy:
    """What the record at `domain` asks for; nothing where `domain` is ""."""

    domain: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)

    def aligns(self, one: _Voucher, sender: str) -> bool:
        """Whether a domain may vouch for mail from another (RFC 7489, 3.1)."""
        return one.domain == sender if self.tags.get(one.mode, "r").lower() == "s" else aligned(one.domain, sender)

    def request(self, sender: str, exists: Callable[[str], bool]) -> str:
        """What it asks to be done with mail from this domain without proof.

        A record with a malformed request asks for nothing (RFC 7489, 6.6.3). One that is being tested is lowered by a
        level (`t=y`, RFC 9989, 4.7; `pct=0`, RFC 7489, 6.6.4), and there is one level here: such mail is quarantined.
        """
        asked = {name: self.tags[name].lower() for name in ("p", "sp", "np") if name in self.tags}
        tested = self.tags.get("t", "n").lower() == "y" or {*self.tags.get("pct", "")} == {"0"}
        if "p" not in asked or not set(asked.values()) <= _REQUESTS or tested:
            return "none"
        below = asked.get("sp", asked["p"])
        if self.domain == sender:
            return asked["p"]
        return below if "np" not in asked or exists(sender) else asked["np"]


_UNKNOWN = _Policy(tags={"adkim": "s", "aspf": "s"})
"""What the DNS does not tell may be that only the sender's own domain vouches for it."""


@dataclass
class _Check:
    """The check of one mail."""

    raw: bytes
    came: HandedOver
    lookups: Lookups
    by: Verifier
    headers: Headers = field(init=False)
    author: Mailbox | None = field(init=False)
    covered: Coverage = field(init=False)
    signatures: Signatures = field(init=False)

    def __post_init__(self) -> None:
        self.headers = Headers.of(self.raw)
        self.author = sender_of(self.headers)
        self.covered = coverage(self.raw)
        self.signatures = Signatures(self.raw, self.lookups)

    def results(self) -> Iterator[str]:
        """Each result in the form of RFC 8601."""
        sender = self.author
        domain = sender.domain if sender is not None else ""
        if not is_domain(domain):
            why = "the domain of its sender cannot be looked up" if sender is not None else "no single sender"
            yield f"dmarc=permerror ({why})"
            return
        policy = self._policy_if_told(domain)
        found = list[_Voucher]()
        for claim in self._claims(domain):
            found.append(one := claim.checked())
            yield one.said(excluded=not (policy or _UNKNOWN).aligns(one, domain))
        dmarc = "temperror" if policy is None else self._dmarc(domain, policy, found)
        if dmarc == "fail" and self._was_good(f"x@{domain}"):
            yield f"arc={(state := self.signatures.arc())}"
            dmarc = {"pass": "policy (it was changed on its way)", "temperror": "temperror"}.get(state, dmarc)
        yield f"dmarc={dmarc} header.from={domain}"

    def _claims(self, domain: str) -> list[_Claim]:
        """What may vouch for the mail, not looked up yet. What is of another organization vouches for nothing here, so
        only the sender's own domain can make the check of its mail slow.
        """
        signers = (((tags_of(value) or {}).get("d", "").lower(), value) for value in self.headers.all("dkim-signature"))
        signed = [
            _Claim(signer, partial(self._signature, index, value))
            for index, (signer, value) in enumerate(islice(signers, MOST_SIGNATURES))
            if aligned(signer, domain)
        ]
        authorizer = identity_of(self.came)[1]
        sent = [_Claim(authorizer, self._envelope)] if aligned(authorizer, domain) else []
        return [*signed[:MOST_VERIFIED], *sent]

    def _signature(self, index: int, value: str) -> _Voucher:
        verdict, signer = self.signatures.dkim(index, value)
        gap = self.covered.gap_of(self.covered.signatures[index]) if verdict == "pass" else ""
        return _Voucher(signer, "adkim", verdict, gap, "dkim", f"header.d={signer}" if signer else "")

    def _envelope(self) -> _Voucher:
        which, authorizer = identity_of(self.came)
        verdict = authorization(self.came, self.lookups)
        author = self.author.address if self.author is not None else ""
        by_author = sent_by(author, self.came.envelope_from)
        gap = (
            self.covered.flaw
            or ("" if by_author else "the sender of its envelope is not its author")
            or ("its provider may have handed it on" if handed_on(self.headers, author, self.by.is_ours) else "")
        )
        return _Voucher(authorizer, "aspf", verdict, gap, "spf", f"{which}={authorizer}")

    def _dmarc(self, domain: str, policy: _Policy, found: Sequence[_Voucher]) -> str:
        """The DMARC result for the domain of the From line (RFC 7489); `policy` if what passes does not cover what is
        read. If the DNS did not answer about what may have passed, the result is open (6.6.2).
        """
        vouching = [one for one in found if policy.aligns(one, domain)]
        gaps = [one.gap for one in vouching if one.verdict == "pass"]
        if gaps:
            return f"policy ({gaps[0]})" if all(gaps) else "pass"
        try:
            asked = policy.request(domain, self._exists)
        except LookupFailed:
            return "temperror"
        if asked == "none":
            return "none"
        return "temperror" if any(one.verdict == "temperror" for one in vouching) else "fail"

    def _policy_if_told(self, domain: str) -> _Policy | None:
        try:
            return self._policy(domain)
        except LookupFailed:
            return None

    def _policy(self, domain: str) -> _Policy:
        """The policy for mail from this domain: the record at it, else the one nearest to its organization; none where
        there are several (RFC 7489, 6.6.3; RFC 9989, 4.10.1).
        """
        for name in _places(domain):
            found = [one for one in self.lookups(f"_dmarc.{name}") if _VERSION.match(one)]
            if found:
                return _Policy(name, entries_of(found[0])) if len(found) == 1 else _Policy()
        return _Policy()

    def _exists(self, domain: str) -> bool:
        """Whether a domain has an address or takes mail (RFC 9989, 3.2.13)."""
        return any(self.lookups(domain, kind) for kind in ("MX", "A", "AAAA"))

    def _was_good(self, sender: str) -> bool:
        """Whether one of the sealers says that it found the sender authentic; whether its seal is genuine, is not known
        by that.
        """
        return authenticity([sealed_results(self.headers)], self.by.sealers, sender) is Authenticity.PASS


def _places(domain: str) -> Iterator[str]:
    """Where the policy for mail from this domain may be: there, and from its organization downwards."""
    labels = domain.split(".")
    highest = organization_of(domain).count(".") + 1
    yield domain
    for count in range(highest, min(len(labels), highest + MOST_ABOVE)):
        yield ".".join(labels[-count:])
