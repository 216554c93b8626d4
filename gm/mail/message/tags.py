"""The tags of signatures and of records in the DNS: `tag=value; tag=value` (RFC 6376, 3.2).

Of a signature there must be no second opinion: what it is taken for here, and what a verifier of any kind takes it for.
So one function reads it for all, and what other programs may read in another way is no signature.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

READ_ALIKE = re.compile(r"[\t\r\n\x20-\x7e]*+")
"""What all programs read alike: some strip other characters like blanks, or end lines at them."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*+")
_BLANKS = re.compile(r"[ \t\r\n]++")
_WHOLE = frozenset(("d", "s", "i", "a", "c", "cv", "l", "v"))
"""Tags of one word: within that of others there may be blanks, as where it is folded; in `h`, between names."""


def tags_of(signature: str) -> Mapping[str, str] | None:
    """The tags of a signature or seal, in the case in which they are written, without blanks; None if programs may
    disagree about them: two with the same name, or names that differ in case alone, which only some tell apart.
    """
    tags, known = dict[str, str](), set[str]()
    pieces = signature.strip(" \t\r\n").removesuffix(";").split(";")
    for piece in pieces if READ_ALIKE.fullmatch(signature) else ("",):
        name, equals, value = (part.strip(" \t\r\n") for part in piece.partition("="))
        words = value.split(":") if name == "h" else [value] if name in _WHOLE else []
        sound = equals and _NAME.fullmatch(name) and not any(_BLANKS.search(one.strip(" \t\r\n")) for one in words)
        if not sound or name.lower() in known:
            return None
        known.add(name.lower())
        tags[name] = _BLANKS.sub("", value)
    return tags


SIGNATURES = ("dkim-signature", "domainkey-signature", "arc-message-signature", "arc-seal")
"""The fields that have such tags, of which verifiers quote some in what they report."""
_PLAIN = re.compile(r"[\w!#$%&'*+/=?^`{|}~.@:\[\]-]*+", re.ASCII)
_DOMAIN = re.compile(r"[\w.-]*+", re.ASCII)
_IDENTITY = re.compile(r"[\w.+-]*+(?:@[\w.-]*+)?", re.ASCII)
"""What a verifier may break within, and what it writes then is still no property of a result."""
_ENCODED = re.compile(r"=([0-9A-Fa-f]{2})")


def is_plain(quoted: str) -> bool:
    """Whether a verifier that quotes this in its results as it is adds no result by it: nothing in it means something
    there.
    """
    return _PLAIN.fullmatch(quoted) is not None


def is_quotable(signature: str) -> bool:
    """The same of a signature: of each of its tags but `z`, which holds whole fields and which nobody quotes; decoded,
    too. OpenDKIM decodes what is encoded (RFC 6376, 3.5), and escapes nothing.
    """
    tags = tags_of(signature)
    if tags is None:
        return False
    quoted = [value for name, value in tags.items() if name != "z"]
    decoded = (_ENCODED.sub(lambda found: chr(int(found[1], 16)), value) for value in quoted)
    names = (tags.get("d", ""), tags.get("s", ""))
    plain = all(map(is_plain, (*quoted, *decoded))) and all(map(_DOMAIN.fullmatch, names))
    return plain and _IDENTITY.fullmatch(_ENCODED.sub("x", tags.get("i", ""))) is not None


def pairs_of(record: str) -> Iterator[tuple[str, str]]:
    """The tags of a record, as its domain has published it: names in lower case, values without blanks."""
    for piece in record.split(";"):
        key, _, text = piece.partition("=")
        yield "".join(key.split()).lower(), "".join(text.split())


def entries_of(record: str) -> dict[str, str]:
    """The same by name; of equal ones the first counts."""
    return dict(reversed(list(pairs_of(record))))


_NUMBER = re.compile(r"[0-9]{1,2}")
_NUMBERED = re.compile(r"[ \t\r\n]*+i[ \t\r\n]*+=[ \t\r\n]*+([0-9]{1,2})[ \t\r\n]*+;")


def instance_of(field: str, value: str) -> int:
    """The number of the ARC set to which a field of this name belongs (RFC 8617, 4.1): at the beginning of the results,
    anywhere in a signature or seal. 0 for none.
    """
    if field == "arc-authentication-results":
        found = _NUMBERED.match(value)
        return int(found[1]) if found is not None else 0
    number = (tags_of(value) or {}).get("i", "")
    return int(number) if _NUMBER.fullmatch(number) else 0
