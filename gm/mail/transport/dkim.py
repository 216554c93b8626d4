"""DKIM signatures (RFC 6376), made on what we send and checked, with DMARC (RFC 7489), on what reaches us."""

from __future__ import annotations

import base64
import ipaddress
import logging
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import dkim
import dns.exception
import dns.resolver
from dkim.crypto import parse_pem_private_key

from gm.errors import ConfigurationError
from gm.mail.message.addresses import ascii_domain, only_mailbox
from gm.mail.message.authentication import aligned
from gm.mail.message.headers import Headers

_SIGNED = (
    *("from", "from", "to", "subject", "date", "message-id", "reply-to", "in-reply-to", "references"),
    *("mime-version", "content-type", "content-transfer-encoding", "auto-submitted", "list-id", "list-unsubscribe"),
)
"""From is listed twice: a second one added on the way breaks the signature."""

_SAMPLE = b"From: a@example.org\r\nTo: b@example.org\r\n\r\nx\r\n"
_RSA = bytes.fromhex("300d06092a864886f70d0101010500")
"""The algorithm identifier in a public key (RFC 8017, A.1)."""


class Signer:
    """Signs for `domain` with the RSA key in the PEM file `key`. Raises ConfigurationError if it cannot."""

    def __init__(self, domain: str, selector: str, key: Path) -> None:
        self._domain = ascii_domain(domain).encode("ascii")
        self._selector = selector.encode("ascii", "replace")
        try:
            self._key = key.read_bytes()
            self.sign(_SAMPLE)
        except (OSError, dkim.DKIMException, dkim.crypto.UnparsableKeyError, ValueError, TypeError) as error:
            raise ConfigurationError(
                f"{str(key)!r} cannot be used for signing ({error}).",
                "Create one with: openssl genrsa -out dkim.pem 2048",
            ) from error

    def sign(self, raw: bytes) -> bytes:
        """The mail (with CRLF) with its signature prepended."""
        present = {line.partition(b":")[0].strip().lower().decode("ascii", "replace") for line in _header_lines(raw)}
        signature: bytes = dkim.DKIM(raw).sign(
            self._selector,
            self._domain,
            self._key,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=[name.encode() for name in _SIGNED if name in present],
        )
        return signature + raw

    @property
    def record(self) -> tuple[str, str]:
        """Name and text of the TXT record to publish."""
        key = parse_pem_private_key(self._key)
        numbers = _der(0x30, _integer(key["modulus"]) + _integer(key["publicExponent"]))
        public = _der(0x30, _RSA + _der(0x03, b"\0" + numbers))
        name = f"{self._selector.decode()}._domainkey.{self._domain.decode()}"
        return name, f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"


def _header_lines(raw: bytes) -> list[bytes]:
    return raw.partition(b"\r\n\r\n")[0].split(b"\r\n")


def _integer(number: int) -> bytes:
    return _der(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def _der(tag: int, content: bytes) -> bytes:
    """One value in DER (X.690)."""
    length = len(content)
    if length < 128:
        return bytes([tag, length]) + content
    octets = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([tag, 128 | len(octets)]) + octets + content


# verifying


log = logging.getLogger(__name__)

# It logs other people's bad signatures at level ERROR.
logging.getLogger("dkimpy").setLevel(logging.CRITICAL)

MOST_SIGNATURES = 5
DNS_SECONDS = 5.0
ALL_SECONDS = 15.0
"""For all look-ups of one mail together."""

_DOMAIN = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+[a-z0-9-]{2,63}", re.IGNORECASE)
_SELECTOR = re.compile(r"[a-z0-9_.-]{1,100}", re.IGNORECASE)
_FIELD = re.compile(rb"(?m)^[!-9;-~]++[ \t]*+:[^\r\n]*+(?:\r?\n[ \t][^\r\n]*+)*+(?:\r?\n|\Z)")
_BLANKS = re.compile(rb"[ \t]++")
_SPACE = re.compile(r"\s++")

LONGEST_HEADER = 200_000
LONGEST_SIGNATURE = 4000
LONGEST_BLANKS = 200
"""dkimpy takes quadratic time for a run of blanks, in the body and in a signature; mail with longer ones is not
verified."""


class LookupFailed(Exception):
    """The DNS did not answer; a retry may succeed."""


TxtLookup = Callable[[str], Sequence[str]]
"""The TXT records at a name, none if it does not exist. Raises LookupFailed."""


def txt_records(name: str) -> Sequence[str]:
    """The TXT records at a name, by this machine's resolver. Raises LookupFailed."""
    try:
        answer = dns.resolver.resolve(name, "TXT", lifetime=DNS_SECONDS)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return ()
    except dns.exception.DNSException as error:
        raise LookupFailed(str(error)) from error
    return tuple(b"".join(record.strings).decode("utf-8", "replace") for record in answer)


@dataclass(frozen=True, slots=True)
class Verifier:
    """Verifies mail that arrived by SMTP and prepends the findings.

    `authserv_id` is our name in Authentication-Results. Mail from loopback addresses is verified only with `everybody`.
    """

    authserv_id: str
    everybody: bool = False
    txt: TxtLookup = txt_records

    def stamp(self, raw: bytes, peer: str) -> bytes:
        """The mail with our findings as its first field. Whatever fails, a forged field never passes for ours."""
        clean = self._without_ours(raw)
        if not self.everybody and _is_loopback(peer):
            return clean
        try:
            results = "; ".join(self._results(raw))
        except Exception:  # a hostile mail can raise anything in two libraries; it counts as not authenticated
            log.exception("a mail's signatures could not be verified")
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
    """Whether a mail is safe for dkimpy, which hostile mail can slow down."""
    header = raw.find(b"\r\n\r\n")
    return 0 < header < LONGEST_HEADER and max(map(len, _BLANKS.findall(raw)), default=0) <= LONGEST_BLANKS


def _tags(value: str) -> dict[str, str]:
    """The tags of a `tag=value;` list without blanks; of equal tags the first counts."""
    pairs = (piece.partition("=") for piece in value.split(";"))
    return {"".join(key.split()).lower(): "".join(text.split()) for key, _, text in reversed(list(pairs))}


class _Lookups:
    """The look-ups of one mail, with a time limit for all of them."""

    def __init__(self, txt: TxtLookup) -> None:
        self._txt = txt
        self._end = time.monotonic() + ALL_SECONDS
        self.failed = False

    def __call__(self, name: str) -> Sequence[str]:
        if time.monotonic() > self._end:
            raise LookupFailed("too many slow look-ups")
        return self._txt(name.rstrip("."))

    def key(self, name: bytes, timeout: float = 0) -> bytes | None:  # noqa: ARG002  dkimpy passes it
        """A key record, in dkimpy's form."""
        try:
            found = self(name.decode("ascii", "replace"))
        except LookupFailed:
            self.failed = True
            return None
        return found[0].encode() if found else None


def _verdict(raw: bytes, index: int, tags: dict[str, str], lookups: _Lookups) -> str:
    """The result of one signature."""
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
    """The DMARC result for the domain of the From line (RFC 7489)."""
    try:
        found = _policy(domain, lookups)
    except LookupFailed:
        return "temperror"
    if found is None:
        return "pass" if any(aligned(signer, domain) for signer in signers) else "none"
    organization, tags = found
    strict = tags.get("adkim", "r").lower() == "s"
    for signer in signers:
        below = aligned(signer, organization) and len(signer) >= len(organization)
        if signer == domain or (not strict and below):
            return "pass"
    wanted = tags.get("sp", tags.get("p", "none")) if organization != domain else tags.get("p", "none")
    return "none" if wanted.lower() == "none" else "fail"


def _policy(domain: str, lookups: _Lookups) -> tuple[str, dict[str, str]] | None:
    """The DMARC record nearest above the domain, with the domain that publishes it."""
    labels = domain.split(".")
    for start in range(max(len(labels) - 8, 0), len(labels) - 1):
        name = ".".join(labels[start:])
        for record in lookups(f"_dmarc.{name}"):
            if record.replace(" ", "").lower().startswith("v=dmarc1"):
                return name, _tags(record)
    return None


def _is_loopback(peer: str) -> bool:
    try:
        return ipaddress.ip_address(peer).is_loopback
    except ValueError:
        return True  # a local socket
