"""Our DKIM signatures (RFC 6376), and the record in the DNS with which others verify them."""

from __future__ import annotations

import base64
from pathlib import Path

import dkim
from dkim.crypto import parse_pem_private_key

from gm.errors import ConfigurationError
from gm.mail.message.addresses import ascii_domain
from gm.mail.message.coverage import DECISIVE

_SIGNED = ("from", *sorted(DECISIVE))
"""Listed whether a mail has them or not, so that none can be added. From is listed twice: a second one that is added on
the way breaks the signature."""
_IF_PRESENT = ("reply-to", "auto-submitted", "list-id", "list-unsubscribe", "list-unsubscribe-post")

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
            include_headers=[name.encode() for name in (*_SIGNED, *(one for one in _IF_PRESENT if one in present))],
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
