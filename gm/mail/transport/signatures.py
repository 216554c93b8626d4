"""Signatures of DKIM (RFC 6376) and ARC (RFC 8617) in a mail, verified with dkimpy.

dkimpy takes quadratic time for runs of blanks in a body and for folded fields. So it gets both as they are after one
linear pass: a body that its signature reads as `relaxed` is brought into that form before, in which nothing is left to
collapse. What cannot be read in linear time is in the signature itself, of which long ones are refused.
"""

from __future__ import annotations

import base64
import binascii
import logging
import re
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from itertools import groupby
from typing import Any

import dkim
from dkim.crypto import UnparsableKeyError, parse_public_key
from dkim.util import InvalidTagValueList, parse_tag_value

from gm.mail.message.tags import entries_of, instance_of, pairs_of, tags_of
from gm.mail.transport.lookups import LookupFailed, Lookups, is_domain

log = logging.getLogger("dkimpy")
log.setLevel(logging.CRITICAL)  # it logs other people's invalid signatures at level ERROR

MOST_KEY_BITS = 4096
MOST_EXPONENT = 65537
LONGEST_SIGNATURE = 4000
LONGEST_SPACE = 100
"""The longest run of blanks and line ends within a signature, for which dkimpy takes quadratic time."""
MOST_FIELDS = 2_000
"""The most fields of a header: dkimpy looks for each signed name among all of them."""
MOST_SETS = 5
"""The most ARC sets, each of which costs two signatures; mail that was forwarded more often is not verified."""

_ALGORITHMS = ("rsa-sha256", "ed25519-sha256")  # RFC 8301 forbids SHA-1
_SELECTOR = re.compile(r"[a-z0-9_.-]{1,100}", re.IGNORECASE)
_SPACE = re.compile(rb"\s++")
_BLANKS = re.compile(rb"[ \t]++")
_FIELD = re.compile(rb"([!-9;-~]+):")
_FIELD_END = re.compile(rb"\n(?![ \t])")
_ARC_FIELDS = (b"arc-authentication-results", b"arc-message-signature", b"arc-seal")
"""The fields of a set, in the order in which a seal covers them (RFC 8617, 5.1.1)."""
_ERRORS = (dkim.DKIMException, InvalidTagValueList, ValueError, TypeError, LookupError)
"""What a hostile signature or key raises in dkimpy and below it."""

_MAIL = frozenset(("email", "*"))
"""The services of keys for mail."""

Field = tuple[bytes, bytes]


class UnfitKey(Exception):
    """A key that must not be used, or would take too much time to verify with."""


class Unreadable(Exception):
    """A signature that cannot be read."""


def is_fit(record: str) -> bool:
    """Whether a key record may be verified with, and in little time, decided before any arithmetic, and on what dkimpy
    reads in it.

    Raising a number to a power modulo a key of a million bits takes minutes, during which no other thread runs. RFC
    8301 requires verifiers to accept keys of up to 4,096 bits. What is no key is accepted here, and refused later.
    """
    try:
        tags = parse_tag_value(record.encode())
        if b"sha256" not in tags.get(b"h", b"sha256").lower().split(b":"):
            return False
        if tags.get(b"k", b"rsa") != b"rsa":
            return True
        key = parse_public_key(base64.b64decode(tags.get(b"p", b"")))
    except (UnparsableKeyError, InvalidTagValueList, binascii.Error, ValueError, IndexError, TypeError, KeyError):
        return True
    modulus, exponent = int(key["modulus"]), int(key["publicExponent"])
    return 0 < modulus.bit_length() <= MOST_KEY_BITS and 3 <= exponent <= MOST_EXPONENT and exponent % 2 == 1


def _is_key(record: str) -> bool:
    """Whether a TXT record is a key for mail: a version in it is DKIM1, and comes first; and mail is among the services
    that it is for, or all are (RFC 6376, 3.6.1).
    """
    tags = list(pairs_of(record))
    services = entries_of(record).get("s", "*").lower().split(":")
    return (tags[0] == ("v", "DKIM1") or all(name != "v" for name, _ in tags)) and not _MAIL.isdisjoint(services)


def _without_services(record: str) -> bytes:
    """A key for mail without the services that it is for: dkimpy knows no key for several."""
    return ";".join(tag for tag in record.split(";") if next(pairs_of(tag))[0] != "s").encode()


def _flags(record: str) -> frozenset[str]:
    """What the `t` tag of a key record says."""
    return frozenset(entries_of(record).get("t", "").lower().split(":"))


class Signatures:
    """The signatures of one mail, as many as are asked for. Nothing here raises."""

    def __init__(self, raw: bytes, lookups: Lookups) -> None:
        self._lookups = lookups
        header, _, body = (b"\n" + raw.replace(b"\r\n", b"\n")).partition(b"\n\n")  # there may be no field, and no body
        self._fields = _fields(header)
        self._body = body.replace(b"\n", b"\r\n")

    def dkim(self, index: int, value: str) -> tuple[str, str]:
        """The result (RFC 8601, 2.7.1) of the DKIM signature at `index`, the topmost being 0, which has this `value`;
        and the domain that signed, "" for none.
        """
        tags = tags_of(value) or {}
        signer, selector = tags.get("d", "").lower(), tags.get("s", "").lower()
        if not (is_domain(signer) and _SELECTOR.fullmatch(selector)):
            return "permerror", ""
        of_nobody = "from" not in tags.get("h", "").lower().split(":")
        written = [text for name, text in self._fields or () if name.lower() == b"dkim-signature"]
        odd = any(map(_is_odd, written[index : index + 1]))
        if self._fields is None or of_nobody or odd or tags.get("a", "").lower() not in _ALGORITHMS:
            return "policy", signer
        before, identity = self._lookups.failures, tags.get("i", "").lower().rpartition("@")[2]
        try:
            # RFC 6376, 3.6.1: what is signed in testing mode is as if unsigned, and a domain may exclude subdomains
            key = partial(self._key, without="y" if identity in ("", signer) else "ys")
            verified = self._over(tags, self._fields, dkim.DKIM).verify(index, dnsfunc=key)
        except UnfitKey:
            return "policy", signer
        except _ERRORS:
            return "permerror", signer
        if self._lookups.failures > before:
            return "temperror", signer
        return "pass" if verified else "fail", signer

    def arc(self) -> str:
        """The state of the chain of ARC sets: none, pass or fail (RFC 8617, 5.2); temperror without an answer about one
        of their keys.
        """
        found = [one for one in self._fields or () if one[0].lower() in _ARC_FIELDS]
        if not found:
            return "none"
        before = self._lookups.failures
        try:
            state = "pass" if self._is_chain(_sets(found)) else "fail"
        except (UnfitKey, Unreadable, *_ERRORS):
            state = "fail"
        return "temperror" if state == "fail" and self._lookups.failures > before else state

    def _is_chain(self, sets: Sequence[Sequence[Field]]) -> bool:
        """Whether the newest set signs the mail as it is, and every seal is genuine and says that the chain was. The
        newest seal comes first: unless it is genuine, only its own DNS is asked.
        """
        if not self._is_sealed(sets) or not self._signs(sets[-1][1]):
            return False
        return all(self._is_sealed(sets[: place + 1]) for place in range(len(sets) - 1))

    def _signs(self, field: Field) -> bool:
        """Whether an ARC-Message-Signature is that of the mail as it is."""
        tags = _checked(field, "i", "a", "b", "bh", "d", "h", "s")
        covered = [name.strip() for name in tags["h"].lower().split(":")]
        if "arc-seal" in covered:
            return False
        return self._is_genuine(field, tags, self._fields or (), covered)

    def _is_sealed(self, sets: Sequence[Sequence[Field]]) -> bool:
        """Whether the last of these sets has a genuine seal that says that those before it were."""
        seal = sets[-1][-1]
        tags = _checked(seal, "i", "a", "b", "cv", "d", "s")
        if "h" in tags or tags["cv"].lower() != ("pass" if len(sets) > 1 else "none"):
            return False
        below = [field for one in sets for field in one][:-1]
        covered = [name.decode().lower() for name, _ in below]
        return self._is_genuine(seal, tags, below[::-1], covered)

    def _is_genuine(self, field: Field, tags: dict[str, str], fields: Sequence[Field], covered: Sequence[str]) -> bool:
        relaxed = {"c": "relaxed/relaxed"} | tags
        names = [name.encode() for name in covered]
        return bool(self._over(relaxed, fields, dkim.ARC).verify_sig(_encoded(relaxed), names, field, self._key))

    def _over(self, tags: Mapping[str, str], fields: Sequence[Field], reader: type[Any]) -> Any:
        """dkimpy's verifier over these fields and the body, as the signature with these tags reads it."""
        found = reader(logger=log)
        found.headers = [list(one) for one in fields]
        found.body = self._relaxed if tags.get("c", "").lower().endswith("/relaxed") else self._body
        return found

    @cached_property
    def _relaxed(self) -> bytes:
        """The body with runs of blanks collapsed, and none at the ends of lines (RFC 6376, 3.4.4)."""
        return _BLANKS.sub(b" ", self._body).replace(b" \r\n", b"\r\n")

    def _key(self, name: bytes, timeout: float = 0, *, without: str = "") -> bytes | None:  # noqa: ARG002  dkimpy's
        """A key record, in dkimpy's form. Raises UnfitKey, also for one with any of these flags."""
        try:
            found = list(filter(_is_key, self._lookups(name.decode("ascii", "replace"))))
        except LookupFailed:
            return None
        if found and (not is_fit(found[0]) or not _flags(found[0]).isdisjoint(without)):
            raise UnfitKey
        return _without_services(found[0]) if found else None


def _is_odd(signature: bytes) -> bool:
    """Whether a signature, as it came, has a form that no program writes."""
    return len(signature) > LONGEST_SIGNATURE or any(len(run) > LONGEST_SPACE for run in _SPACE.findall(signature))


def _fields(header: bytes) -> list[Field] | None:
    """The fields of a header with LF line ends, as dkimpy has them: values with CRLF. None at all, if there are too
    many, or something that is none.
    """
    fields = []
    for piece in _FIELD_END.split(header):
        name = _FIELD.match(piece)
        if name is not None:
            fields.append((name[1], piece[name.end() :].replace(b"\n", b"\r\n") + b"\r\n"))
        elif piece and not piece.startswith(b"From "):
            return None
    return fields if len(fields) <= MOST_FIELDS else None


def _sets(fields: Sequence[Field]) -> list[list[Field]]:
    """The ARC sets, the oldest first, each with its fields in order. Raises Unreadable unless they are numbered from 1,
    and each is whole.
    """
    numbered = sorted((_instance(one), _ARC_FIELDS.index(one[0].lower()), one) for one in fields)
    sets = [list(found) for _, found in groupby(numbered, key=lambda one: one[0])]
    for place, found in enumerate(sets):
        if [one[:2] for one in found] != [(place + 1, kind) for kind in range(len(_ARC_FIELDS))]:
            raise Unreadable("its ARC sets are not whole")
    if len(sets) > MOST_SETS:
        raise Unreadable("it has too many ARC sets")
    return [[one[2] for one in found] for found in sets]


def _instance(field: Field) -> int:
    """The number of the set to which a field belongs."""
    if not (number := instance_of(field[0].decode().lower(), field[1].decode("latin-1"))):
        raise Unreadable("an ARC field is in no set")
    return number


def _checked(field: Field, *needed: str) -> dict[str, str]:
    """The tags of an ARC signature or seal. Raises Unreadable, or dkimpy's errors, if one is missing or malformed."""
    tags = None if _is_odd(field[1]) else tags_of(field[1].decode("latin-1"))
    if tags is None:
        raise Unreadable("a signature has a form that no program writes")
    dkim.validate_signature_fields(_encoded(tags), [one.encode() for one in needed], True)
    return dict(tags)


def _encoded(tags: Mapping[str, str]) -> dict[bytes, bytes]:
    """Tags as dkimpy has them."""
    return {key.encode(): value.encode() for key, value in tags.items()}
