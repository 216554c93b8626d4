"""The server's own look at who sent a mail that it takes by SMTP itself: DKIM signatures and the DMARC policy.

What is found out is written on top of the mail as Authentication-Results under our own name (RFC 8601), and whatever
pretended to be ours is taken out; whoever reads the mail later treats us like any other trusted server.

A signature counts when it covers the From line and the whole body: one with `l=` lets anything be added (RFC 6376,
8.2). SPF is not looked at; a domain whose policy wants proof and which signs nothing has failed here, and its mail is
confirmed by reply. The organizational domain is found by walking up the names, not by a list of public suffixes.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import dkim
import dns.exception
import dns.resolver

from gm.mail.message.addresses import only_mailbox
from gm.mail.message.authentication import aligned
from gm.mail.message.headers import Headers

log = logging.getLogger(__name__)

# It logs at level ERROR what is only a bad signature of somebody else's.
logging.getLogger("dkimpy").setLevel(logging.CRITICAL)

MOST_SIGNATURES = 5
DNS_SECONDS = 5.0
ALL_SECONDS = 15.0
"""For all look-ups of one mail; what is not known by then is not known."""

_DOMAIN = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+[a-z0-9-]{2,63}", re.IGNORECASE)
_SELECTOR = re.compile(r"[a-z0-9_.-]{1,100}", re.IGNORECASE)
_FIELD = re.compile(rb"(?m)^[!-9;-~]++[ \t]*+:[^\r\n]*+(?:\r?\n[ \t][^\r\n]*+)*+(?:\r?\n|\Z)")
_BLANKS = re.compile(rb"[ \t]++")
_SPACE = re.compile(r"\s++")

LONGEST_HEADER = 200_000
LONGEST_SIGNATURE = 4000
LONGEST_BLANKS = 200
"""dkimpy takes time by the square of a run of blanks, in the body as in a signature; whoever writes longer ones is not
looked at."""


class LookupFailed(Exception):
    """The DNS gave no answer; another time it may."""


TxtLookup = Callable[[str], Sequence[str]]
"""The TXT records at a name, none when there is no such name. Raises LookupFailed."""


def txt_records(name: str) -> Sequence[str]:
    """As the resolver of this machine has them."""
    try:
        answer = dns.resolver.resolve(name, "TXT", lifetime=DNS_SECONDS)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return ()
    except dns.exception.DNSException as error:
        raise LookupFailed(str(error)) from error
    return tuple(b"".join(record.strings).decode("utf-8", "replace") for record in answer)


@dataclass(frozen=True, slots=True)
class Verifier:
    """Looks at mail that came by SMTP, and writes what it found on top.

    `authserv_id` is our name in Authentication-Results. Mail from this machine's own loopback addresses is not looked
    at unless `everybody` says so.
    """

    authserv_id: str
    everybody: bool = False
    txt: TxtLookup = txt_records

    def stamp(self, raw: bytes, peer: str) -> bytes:
        """The mail with our findings as its first field. Whatever goes wrong, nobody else's finding passes for ours."""
        clean = self._without_ours(raw)
        if not self.everybody and _is_loopback(peer):
            return clean
        try:
            results = "; ".join(self._results(raw))
        except Exception:  # a hostile mail finds ways through two libraries; it is unproved then
            log.exception("a mail's signatures could not be looked at")
            results = "none"
        return f"Authentication-Results: {self.authserv_id}; {results}\r\n".encode() + clean

    def _without_ours(self, raw: bytes) -> bytes:
        end = re.search(rb"\r?\n\r?\n", raw)
        header, body = (raw[: end.start() + 2], raw[end.start() + 2 :]) if end else (raw, b"")
        ours = self.authserv_id.encode().lower()
        kept = _FIELD.sub(
            lambda field: (
                b""
                if field[0][:30].lower().startswith(b"authentication-results") and ours in field[0].lower()
                else field[0]
            ),
            header,
        )
        return kept + body

    def _results(self, raw: bytes) -> Iterator[str]:
        headers = Headers.parse(raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0])
        senders = headers.all("from")
        sender = only_mailbox(senders[0]) if len(senders) == 1 else None
        domain = sender.domain if sender is not None else ""
        if not _DOMAIN.fullmatch(domain):
            yield "dmarc=permerror (no single sender)"
            return
        lookups = _Lookups(self.txt)
        passed = []
        plain = _is_plain(raw)
        for index, value in enumerate(headers.all("dkim-signature")[:MOST_SIGNATURES]):
            tags = _tags(value)
            signer, selector = tags.get("d", "").lower(), tags.get("s", "").lower()
            if not (_DOMAIN.fullmatch(signer) and _SELECTOR.fullmatch(selector)):
                yield "dkim=permerror"
                continue
            odd = len(value) > LONGEST_SIGNATURE or any(len(run) > 100 for run in _SPACE.findall(value))
            verdict = _verdict(raw, index, tags, lookups) if plain and not odd else "policy"
            if verdict == "pass":
                passed.append(signer)
            yield f"dkim={verdict} header.d={signer} header.s={selector}"
        yield f"dmarc={_dmarc(domain, passed, lookups)} header.from={domain}"


def _is_plain(raw: bytes) -> bool:
    """Whether a mail can be handed to dkimpy, which is not made for hostile ones."""
    header = raw.find(b"\r\n\r\n")
    return 0 < header < LONGEST_HEADER and max(map(len, _BLANKS.findall(raw)), default=0) <= LONGEST_BLANKS


def _tags(value: str) -> dict[str, str]:
    """A list of `tag=value;` without any blanks, the first of each tag."""
    pairs = (piece.partition("=") for piece in value.split(";"))
    return {"".join(key.split()).lower(): "".join(text.split()) for key, _, text in reversed(list(pairs))}


class _Lookups:
    """The look-ups of one mail, which all together may take so long."""

    def __init__(self, txt: TxtLookup) -> None:
        self._txt = txt
        self._end = time.monotonic() + ALL_SECONDS
        self.failed = False

    def __call__(self, name: str) -> Sequence[str]:
        if time.monotonic() > self._end:
            raise LookupFailed("too many slow look-ups")
        return self._txt(name.rstrip("."))

    def key(self, name: bytes, timeout: float = 0) -> bytes | None:  # noqa: ARG002  dkimpy's own manner of asking
        """A key record, as dkimpy asks for it."""
        try:
            found = self(name.decode("ascii", "replace"))
        except LookupFailed:
            self.failed = True
            return None
        return found[0].encode() if found else None


def _verdict(raw: bytes, index: int, tags: dict[str, str], lookups: _Lookups) -> str:
    """What one signature is worth."""
    if "l" in tags or "from" not in tags.get("h", "").lower().split(":"):
        return "policy"
    lookups.failed = False
    try:
        verified = dkim.DKIM(raw, logger=logging.getLogger("dkimpy")).verify(index, dnsfunc=lookups.key)
    except dkim.NaClNotFoundError:
        return "neutral"
    except dkim.DKIMException:
        return "permerror"
    if lookups.failed:
        return "temperror"
    return "pass" if verified else "fail"


def _dmarc(domain: str, signers: Sequence[str], lookups: _Lookups) -> str:
    """Whether the domain of the From line stands behind the mail, by its own policy (RFC 7489)."""
    try:
        found = _policy(domain, lookups)
    except LookupFailed:
        return "temperror"
    if found is None:
        return "pass" if any(aligned(signer, domain) for signer in signers) else "none"
    house, tags = found
    strict = tags.get("adkim", "r").lower() == "s"
    for signer in signers:
        same_house = aligned(signer, house) and len(signer) >= len(house)
        if signer == domain or (not strict and same_house):
            return "pass"
    wanted = tags.get("sp", tags.get("p", "none")) if house != domain else tags.get("p", "none")
    return "none" if wanted.lower() == "none" else "fail"


def _policy(domain: str, lookups: _Lookups) -> tuple[str, dict[str, str]] | None:
    """The DMARC record nearest above the domain, with the name it stands at."""
    labels = domain.split(".")
    for start in range(max(len(labels) - 8, 0), len(labels) - 1):
        house = ".".join(labels[start:])
        for record in lookups(f"_dmarc.{house}"):
            if record.replace(" ", "").lower().startswith("v=dmarc1"):
                return house, _tags(record)
    return None


def _is_loopback(peer: str) -> bool:
    try:
        return ipaddress.ip_address(peer).is_loopback
    except ValueError:
        return True  # a socket of this machine
