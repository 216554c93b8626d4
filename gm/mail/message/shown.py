"""What a mail shows, and to whom: every word anywhere in it that has the form of a token of ours.

What a program shows of a mail, or follows as a link, cannot be known: the target of a link, an attached mail, a field
of the header, a part that another one replaces. So what our readers understood of it is not enough, and no limit of
theirs counts: the bytes are searched as they are, and as each transfer encoding found in them decodes them (RFC 2045,
RFC 2047), in what was decoded, too. Nothing raises; each step is linear, and base64 shrinks what it encodes, so that
the whole is.
"""

from __future__ import annotations

import string
from binascii import unhexlify
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeAlias

from gm import patterns as re
from gm.mail.message.addresses import BROKEN_TOKEN, DIGEST, TOKEN_LENGTH, who_is_named
from gm.mail.message.html import unescaped
from gm.mail.message.mime import Headers, from_base64, packed_in
from gm.mail.message.text import in_plain_letters

_SEEN = frozenset({"to", "cc", "bcc", "resent-to", "resent-cc", "resent-bcc"})
_WRITTEN = _SEEN | {"from", "sender", "reply-to", "subject", "in-reply-to", "references", "thread-topic"}
"""What the sender's program writes, wherever it stands. Of other fields those above the lowest Received were added on
the way, for one recipient alone (`Delivered-To`)."""
_FIELDS = re.compile(rb"\n(?![ \t])")

_DIGIT_OR_ONE_WORD = f"(?:[a-z][^a-z2-7]*+){{0,{TOKEN_LENGTH - 1}}}+[2-7]|[a-z]{{{TOKEN_LENGTH}}}"
"""What a token begins with: several words without a digit are a sentence, not a token that was broken."""
_TOKEN = re.compile(rf"(?<![a-z0-9])(?={_DIGIT_OR_ONE_WORD})(?=({BROKEN_TOKEN})(?![a-z0-9]))", re.IGNORECASE)
_LETTERS = re.compile("([A-Za-z2-7]+)")
_OUTLINE = bytes(b"aA"[sign in b"0189"] if chr(sign).isalnum() and sign < 128 else 32 for sign in range(256))
_WHOLE = b" %b " % (b"a" * TOKEN_LENGTH)
"""A token that is not broken, in an outline: small letters for those of a token, large ones for other digits."""
_GAPS = re.compile("[^A-Za-z2-7]+")
_DIGEST_NAME = re.compile(rf"{re.escape(DIGEST)}\d{{1,12}}\.\d{{1,9}}(?=\.\Z)", re.IGNORECASE)
_LONGEST_NAME = 64
_MESSAGE_ID = re.compile(r"@(?<=(?<![0-9A-Fa-f])[0-9A-Fa-f]{32}@)[A-Za-z0-9.-]{1,253}")
"""What follows the 32 digits of a Message-ID of our form: the sign between them is found fast."""
_MOST = 10_000
"""Words of this form that count, those first that are not broken: no mail below a megabyte has more that is not made
for that."""
_MOST_IDS = 1_000

_WORD = re.compile(rb"=\?[^?\s]{1,60}\?([bq])\?([^?\s]*+)\?=(?:\s++(?==\?))?", re.IGNORECASE)
_BYTE = re.compile(rb"[=%](?:([0-9A-Fa-f]{2})|(?<==)[ \t]*+\n)")
_BASE64 = re.compile(rb"[A-Za-z0-9+/]++(?:[ \t]*+\n[ \t]*+[A-Za-z0-9+/]++)*+")
_IN_BASE64 = f"{string.ascii_letters}{string.digits}+/"
_OF_BASE64 = bytes(b" a"[chr(sign) in _IN_BASE64] for sign in range(256))
_BASE64_BEGINS = b"a" * 24
"""What base64 of a token has at least, in the outline of which `_OF_BASE64` makes the signs of base64 alike."""
_TAG = re.compile("<[^<>]*+>")


@dataclass(frozen=True, slots=True)
class Token:
    """A word that may be a token: without what breaks it, as written, and the name of a digest if it is below one."""

    token: str
    written: str
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a mail shows. `audience` is everybody to whom it went as far as its header says, with what may be an
    address; `tokens` by their names, and `message_ids` of our form, with angle brackets.
    """

    audience: frozenset[str] = frozenset()
    tokens: frozenset[tuple[str, str]] = frozenset()
    message_ids: tuple[str, ...] = ()

    @property
    def secrets(self) -> bool:
        """Whether it may show anything."""
        return bool(self.tokens or self.message_ids)


NOTHING_SHOWN = Shown()


def shown_in(header: bytes, body: bytes, arrived_at: Collection[str] = (), read: Sequence[str] = ()) -> Shown:
    """What the bytes of a mail (with LF line ends) show that arrived at these addresses of ours, and what was `read` of
    them.

    If it went only there, and has whole tokens below its header, those that are broken there are not looked for,
    which takes longer than all else.
    """
    headers = Headers.parse(header)
    audience = frozenset(one for field in _SEEN for value in headers.all(field) for one in who_is_named(value))
    above, below = (_texts(part) for part in (_written(header), body))
    below += ["\n".join(read)]
    if audience.difference(arrived_at):
        below += [unescaped(_TAG.sub("", text)) for text in below]  # as HTML shows it
        whole = list[Token]()
    else:
        whole = [*islice(tokens_in(*below, words=_whole), _MOST)]
    tokens = chain(tokens_in(*above), whole or tokens_in(*below))
    named = (
        f"<{text[at.start() - 32 : at.end()].lower()}>" for text in above + below for at in _MESSAGE_ID.finditer(text)
    )
    return Shown(
        audience,
        frozenset((one.digest, one.token) for one in islice(tokens, _MOST)),
        tuple(islice(dict.fromkeys(named), _MOST_IDS)),
    )


def _texts(raw: bytes) -> list[str]:
    texts = [one.replace(b"\0", b"").decode("utf-8", "replace") for one in _views(raw)]
    return texts + [one.text for text in texts for one in packed_in(text)]


Words: TypeAlias = Callable[[str], Iterator[re.Match[str]]]
"""What may be tokens in a text."""


def _whole(text: str) -> Iterator[re.Match[str]]:
    """The words of a text that may be tokens which are not broken. They are found by their outline, which is fast."""
    outline = f" {text} ".encode("latin-1", "replace").translate(_OUTLINE)
    at = outline.find(_WHOLE)
    while at >= 0:
        yield from _LETTERS.finditer(text, at, at + TOKEN_LENGTH)
        at = outline.find(_WHOLE, at + TOKEN_LENGTH)


def tokens_in(*texts: str, words: Words = _TOKEN.finditer) -> Iterator[Token]:
    """What may be a token of these texts' `words`, what is broken last."""
    found: dict[tuple[str, str], str] = {}
    for text in texts:
        for place in words(in_plain_letters(text)):
            before = text[max(place.start() - _LONGEST_NAME, 0) : place.start()]
            name = next(_DIGEST_NAME.finditer(before), None)
            found.setdefault((text[place.start(1) : place.end(1)], name[0].lower() if name else ""), place[1])
    for (written, digest), word in sorted(found.items(), key=lambda one: len(one[0][0])):
        yield Token(_GAPS.sub("", word).lower(), written, digest)


def _written(header: bytes) -> bytes:
    """The fields of a header that others have seen, too."""
    fields = [(one.partition(b":")[0].strip().lower().decode("latin-1"), one) for one in _FIELDS.split(header)]
    lowest = max((place for place, (name, _) in enumerate(fields) if name == "received"), default=-1)
    return b"\n".join(one for place, (name, one) in enumerate(fields) if place > lowest or name in _WRITTEN)


def _views(raw: bytes) -> Iterator[bytes]:
    """The bytes as they are, and as they are decoded."""
    yield raw
    if (decoded := _BYTE.sub(_byte, _WORD.sub(_word, raw))) != raw:
        yield decoded
    outline = raw.translate(_OF_BASE64)
    at = outline.find(_BASE64_BEGINS)
    while at >= 0 and (found := _BASE64.match(raw, at)) is not None:
        yield from _views(from_base64(found[0]))
        at = outline.find(_BASE64_BEGINS, found.end())


def _word(found: re.Match[bytes]) -> bytes:
    return from_base64(found[2]) if found[1].lower() == b"b" else found[2].replace(b"_", b" ")


def _byte(found: re.Match[bytes]) -> bytes:
    return unhexlify(found[1] or b"")
