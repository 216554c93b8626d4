"""DMARC (RFC 7489) and what it rests on: the authentication of the sender of a mail that another machine delivered, by
DKIM (RFC 6376), SPF (RFC 7208) and ARC (RFC 8617) records in the DNS. What passes must also cover what is read in the
mail (`gm.mail.message.coverage`), whose reader of headers is the one here.

Authentication takes time, and the DNS may not answer at all. So a mail is accepted first and checked afterwards
(`gm.server.proof`); a check that cannot be completed reports that, and is repeated.
"""

from __future__ import annotations

import base64
import binascii
import ipaddress
import logging
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import dkim
import dns.exception
import dns.name
import dns.resolver
import spf
from dkim.crypto import UnparsableKeyError, parse_public_key

from gm.mail.message.addresses import parse_address
from gm.mail.message.coverage import Coverage, coverage, pairs_of
from gm.mail.message.incoming import sender_of
from gm.mail.message.mime import Headers
from gm.mail.message.trace import (
    Authenticity,
    Findings,
    HandedOver,
    aligned,
    authenticity,
    sealed_results,
)
from gm.mail.transport.signing import Signer

__all__ = ["LookupFailed", "Records", "Signer", "Verifier", "dns_records", "is_fit", "is_loopback"]

# other people's keys


MOST_KEY_BITS = 4096
MOST_EXPONENT = 65537
LONGEST_KEY = 2_000
"""The most characters in a key record; one with a key of 4,096 bits has about 800."""


def tags_of(value: str) -> dict[str, str]:
    """The tags of a `tag=value;` list without blanks; of equal tags the first counts."""
    return dict(reversed(list(pairs_of(value))))


def is_fit(record: str) -> bool:
    """Whether verifying with a key record takes little time, decided before any arithmetic.

    Raising a number to a power modulo a key of a million bits takes minutes, during which no other thread runs. RFC
    8301 requires verifiers to accept keys of up to 4,096 bits. A record without a key is accepted here, and refused
    later.
    """
    if len(record) > LONGEST_KEY:
        return False
    tags = tags_of(record)
    if tags.get("k", "rsa").lower() != "rsa":
        return True
    try:
        key = parse_public_key(base64.b64decode(tags.get("p", ""), validate=True))
    except (UnparsableKeyError, binascii.Error, ValueError, IndexError, TypeError, KeyError):
        return True
    modulus, exponent = int(key["modulus"]), int(key["publicExponent"])
    return 0 < modulus.bit_length() <= MOST_KEY_BITS and 3 <= exponent <= MOST_EXPONENT and exponent % 2 == 1


log = logging.getLogger(__name__)

# It logs other people's invalid signatures at level ERROR.
logging.getLogger("dkimpy").setLevel(logging.CRITICAL)

MOST_SIGNATURES = 5
DNS_SECONDS = 5.0
ALL_SECONDS = 15.0
"""The time for all look-ups of one mail together, in seconds."""

_DOMAIN = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+[a-z0-9-]{2,63}", re.IGNORECASE)
_SELECTOR = re.compile(r"[a-z0-9_.-]{1,100}", re.IGNORECASE)
_BLANKS = re.compile(rb"[ \t]++")
_SPACE = re.compile(r"\s++")

LONGEST_HEADER = 200_000
LONGEST_SIGNATURE = 4000
LONGEST_BLANKS = 200
"""The longest run of blanks in the body or in a signature, for which dkimpy takes quadratic time; mail with longer runs
is not verified.
"""
MOST_SEALS = 5
"""The most ARC sets, each of which costs two signatures; mail that was forwarded more often is not verified."""


class LookupFailed(Exception):
    """The DNS did not answer; a retry may succeed."""


class _UnfitKey(Exception):
    """A key that would take too much time to verify with."""


Records = Callable[[str, str], Sequence[str]]
"""The records of a type (TXT, A, AAAA, MX, PTR) at a name, as text; none if there are none. Raises LookupFailed."""


def dns_records(name: str, kind: str) -> Sequence[str]:
    """The records from this machine's resolver; the strings of a TXT record are joined. Raises LookupFailed."""
    try:
        answer = dns.resolver.resolve(name, kind, lifetime=DNS_SECONDS)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer, dns.resolver.YXDOMAIN):
        return ()
    except (dns.name.LabelTooLong, dns.name.NameTooLong, dns.name.EmptyLabel, dns.name.BadEscape):
        return ()
    except dns.exception.DNSException as error:
        raise LookupFailed(str(error)) from error
    if kind == "TXT":
        return tuple(b"".join(record.strings).decode("utf-8", "replace") for record in answer)
    return tuple(record.to_text() for record in answer)


@dataclass(frozen=True, slots=True)
class Verifier:
    """Authenticates senders. `authserv_id` is our name in the results; `sealers` are the servers whose results about a
    mail's origin count when they sealed it (ARC).
    """

    authserv_id: str
    sealers: frozenset[str] = frozenset()
    records: Records = dns_records

    def find(self, raw: bytes, came: HandedOver) -> Findings:
        """All results for one mail, in at most about 15 seconds."""
        lookups = _Lookups(self.records)
        try:
            results = list(_Check(raw, came, lookups, self.sealers).results())
        except Exception:  # a hostile mail can raise anything in three libraries; it counts as not authenticated
            log.exception("a mail's signatures could not be verified")
            return Findings(f"{self.authserv_id}; none")
        proved = any(result.startswith("dmarc=pass") for result in results)
        return Findings(f"{self.authserv_id}; {'; '.join(results)}", lookups.failures > 0 and not proved)


class _Lookups:
    """The look-ups of one mail, with a time limit for all of them."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._end = time.monotonic() + ALL_SECONDS
        self.failures = 0

    def __call__(self, name: str, kind: str = "TXT") -> Sequence[str]:
        try:
            if time.monotonic() > self._end:
                raise LookupFailed("too many slow look-ups")
            return self._records(name.rstrip("."), kind)
        except LookupFailed:
            self.failures += 1
            raise

    def key(self, name: bytes, timeout: float = 0) -> bytes | None:  # noqa: ARG002  dkimpy passes it
        """A key record, in dkimpy's form. Raises _UnfitKey."""
        try:
            found = self(name.decode("ascii", "replace"))
        except LookupFailed:
            return None
        if found and not is_fit(found[0]):
            raise _UnfitKey
        return found[0].encode() if found else None


class _Spf(spf.query):  # type: ignore[misc]
    """An SPF query that uses our look-ups, which need no cache and follow CNAMEs."""

    def __init__(self, came: HandedOver, lookups: _Lookups) -> None:
        super().__init__(came.peer, came.envelope_from, came.helo)
        self._lookups = lookups

    def dns(self, name: Any, qtype: str, cnames: Any = None, ignore_void: bool = False) -> list[Any]:  # noqa: ARG002
        """The records in pyspf's form. Raises its errors, also for the third look-up without a result (RFC 7208,
        4.6.4).
        """
        try:
            found = self._lookups(str(name), qtype)
        except LookupFailed as error:
            raise spf.TempError(str(error)) from error
        if not found and not ignore_void:
            self.void_lookups += 1
            if self.void_lookups > spf.MAX_VOID_LOOKUPS:
                raise spf.PermError("too many look-ups found nothing")
        if qtype == "MX":
            pairs = (text.split(None, 1) for text in found)
            return [(int(pair[0]), pair[1]) for pair in pairs if len(pair) == 2 and pair[0].isdigit()]
        return [(text.encode(),) for text in found] if qtype in ("TXT", "SPF") else list(found)


@dataclass(frozen=True, slots=True)
class _Voucher:
    """A domain that vouches for a mail; `mode` is the tag for its alignment, `gap` why that is not for all of it."""

    domain: str
    mode: str
    gap: str = ""


def _is_aligned(one: _Voucher, domain: str, organization: str, tags: dict[str, str]) -> bool:
    """Whether a domain may vouch for mail from another, whose policy was found at `organization`, "" for none."""
    if not organization:
        return aligned(one.domain, domain)
    strict = tags.get(one.mode, "r").lower() == "s"
    below = aligned(one.domain, organization) and len(one.domain) >= len(organization)
    return one.domain == domain or (not strict and below)


@dataclass
class _Check:
    """The check of one mail."""

    raw: bytes
    came: HandedOver
    lookups: _Lookups
    sealers: frozenset[str]
    headers: Headers = field(init=False)
    covered: Coverage = field(init=False)
    plain: bool = field(init=False)

    def __post_init__(self) -> None:
        self.headers = Headers.of(self.raw)
        self.covered = coverage(self.raw)
        self.plain = _is_plain(self.raw)

    def results(self) -> Iterator[str]:
        """Each result in the form of RFC 8601."""
        sender = sender_of(self.headers)
        domain = sender.domain if sender is not None else ""
        if not _DOMAIN.fullmatch(domain):
            yield "dmarc=permerror (no single sender)"
            return
        vouching = []
        for index, value in enumerate(self.headers.all("dkim-signature")[:MOST_SIGNATURES]):
            verdict, signer = self._signature(index, value)
            gap = self.covered.gap_of(self.covered.signatures[index])
            vouching += [_Voucher(signer, "adkim", gap)] if verdict == "pass" else []
            verdict = "policy" if verdict == "pass" and gap else verdict
            yield f"dkim={verdict} header.d={signer}" if signer else f"dkim={verdict}"
        spf_verdict, authorizer = self._spf()
        if spf_verdict:
            yield f"spf={spf_verdict} smtp.mailfrom={authorizer}"
        vouching += [_Voucher(authorizer, "aspf", self.covered.flaw)] if spf_verdict == "pass" else []
        dmarc = self._dmarc(domain, vouching)
        if dmarc != "pass" and self._is_sealed(f"x@{domain}"):
            yield "arc=pass"
            gap = self.covered.gap_of(self.covered.seal)
            dmarc = f"policy ({gap})" if gap else "pass (by the word of a server that is trusted)"
        yield f"dmarc={dmarc} header.from={domain}"

    def _signature(self, index: int, value: str) -> tuple[str, str]:
        """The result of one signature, and the domain that signed."""
        tags = tags_of(value)
        signer, selector = tags.get("d", "").lower(), tags.get("s", "").lower()
        if not (_DOMAIN.fullmatch(signer) and _SELECTOR.fullmatch(selector)):
            return "permerror", ""
        if not self.plain or _is_odd(value) or "l" in tags or "from" not in tags.get("h", "").lower().split(":"):
            return "policy", signer
        before = self.lookups.failures
        try:
            verified = dkim.DKIM(self.raw, logger=logging.getLogger("dkimpy")).verify(index, dnsfunc=self.lookups.key)
        except _UnfitKey:
            return "policy", signer
        except dkim.NaClNotFoundError:
            return "neutral", signer
        except dkim.DKIMException:
            return "permerror", signer
        if self.lookups.failures > before:
            return "temperror", signer
        return "pass" if verified else "fail", signer

    def _spf(self) -> tuple[str, str]:
        """Whether the envelope sender's domain permits this machine to send (RFC 7208), and that domain; nothing for a
        null sender, which has no domain.
        """
        mailbox = parse_address(self.came.envelope_from)
        if mailbox is None or not _DOMAIN.fullmatch(mailbox.domain):
            return "", ""
        try:
            verdict = str(_Spf(self.came, self.lookups).check()[0])
        except spf.PermError:  # the machine's address is not valid
            verdict = "permerror"
        return verdict, mailbox.domain

    def _dmarc(self, domain: str, vouching: Sequence[_Voucher]) -> str:
        """The DMARC result for the domain of the From line (RFC 7489); `policy` if what passes does not cover what is
        read.
        """
        try:
            found = self._policy(domain)
        except LookupFailed:
            return "temperror"
        organization, tags = found or ("", {})
        gaps = [one.gap for one in vouching if _is_aligned(one, domain, organization, tags)]
        if gaps:
            return f"policy ({gaps[0]})" if all(gaps) else "pass"
        wanted = tags.get("sp", tags.get("p", "none")) if organization != domain else tags.get("p", "none")
        return "none" if wanted.lower() == "none" else "fail"

    def _policy(self, domain: str) -> tuple[str, dict[str, str]] | None:
        """The nearest DMARC record at or above the domain, with the domain that publishes it."""
        labels = domain.split(".")
        for start in range(max(len(labels) - 8, 0), len(labels) - 1):
            name = ".".join(labels[start:])
            for record in self.lookups(f"_dmarc.{name}"):
                if record.replace(" ", "").lower().startswith("v=dmarc1"):
                    return name, tags_of(record)
        return None

    def _is_sealed(self, sender: str) -> bool:
        """Whether a server of `sealers` found the sender authentic and sealed that, and the mail was not changed
        afterwards.
        """
        said = sealed_results(self.headers) if self.sealers and self.plain else ""
        seals = self.headers.all("arc-seal") + self.headers.all("arc-message-signature")
        if not said or len(seals) > 2 * MOST_SEALS or any(map(_is_odd, seals)):
            return False
        if authenticity([said], self.sealers, sender) is not Authenticity.PASS:
            return False
        try:
            verdict, _, _ = dkim.ARC(self.raw, logger=logging.getLogger("dkimpy")).verify(dnsfunc=self.lookups.key)
        except (_UnfitKey, dkim.NaClNotFoundError, dkim.DKIMException):
            return False
        return bool(verdict == dkim.CV_Pass)


def _is_plain(raw: bytes) -> bool:
    """Whether a mail is safe for dkimpy; hostile mail can make it slow."""
    header = raw.find(b"\r\n\r\n")
    return 0 < header < LONGEST_HEADER and max(map(len, _BLANKS.findall(raw)), default=0) <= LONGEST_BLANKS


def _is_odd(signature: str) -> bool:
    """Whether a signature has a form that no program writes."""
    return len(signature) > LONGEST_SIGNATURE or any(len(run) > 100 for run in _SPACE.findall(signature))


def is_loopback(peer: str) -> bool:
    """Whether a machine's address is this machine's, or there is none (a local socket)."""
    try:
        return ipaddress.ip_address(peer).is_loopback
    except ValueError:
        return True
