"""What a proof of a mail covers: whether a signature is about what is read in the mail, or about less.

A signature covers the lowest field of each name that it lists (RFC 6376, 5.4.2); readers take the topmost. So a second
`Content-Type` above the signed one, or a field that is not signed at all, gives a signed body another meaning. And a
signed mail can be sent again, to anybody. Hence:

- A mail with two fields of a name that may stand once, or whose header other programs may read in another way, is
  proved by nothing.
- Where a signature is the only proof, it covers every field that says what the mail is, from whom, to whom and when.

SPF is about the transmission, in which nobody changed anything. `gm.server.identification` asks for the rest: that a
signed To or Cc names the address at which the mail is acted on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from gm.mail.message.addresses import has_second_address
from gm.mail.message.mime import Headers, split_header, with_newlines
from gm.mail.message.trace import aligned, newest, read_results, speaks_for

_READ = frozenset(
    {"from", "sender", "reply-to", "to", "cc", "date", "message-id", "subject", "in-reply-to", "references"}
    | {"mime-version"}
)
"""What is read and may stand once (RFC 5322, 3.6; RFC 2045, 4), with all fields whose names begin with `_ENTITY`."""
_ENTITY = "content-"
_TELLING = frozenset({"date", "message-id"})
"""What tells a mail from the same text at another time: one of these is needed."""
_DELIMITER_OR_TAG = re.compile(rb"(?:\A|\n)--[^\s-]|<[/!]?[A-Za-z][A-Za-z0-9]{0,20}[\s/>]")
_SOFT_BREAK = re.compile(rb"[^=\s]=[ \t]*+(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class Signature:
    """The domain of a signature, "" if that is not certain, and what it leaves open: a name of a field, or "" if it
    covers all that is read.
    """

    domain: str
    gap: str


NO_SEAL = Signature("", "anything")


@dataclass(frozen=True, slots=True)
class Coverage:
    """What can prove a mail. `flaw` says why nothing can, "" if something can; `signatures` are its DKIM signatures in
    their order, and `seal` is the signature of the newest ARC set; `results` are the Authentication-Results that stand
    together, the topmost first.
    """

    flaw: str = ""
    signatures: tuple[Signature, ...] = ()
    seal: Signature = NO_SEAL
    results: tuple[str, ...] = ()

    def gap(self, domain: str, *, whole: bool = False, by_seal: bool = False) -> str:
        """Why what proves the sender's domain does not prove what is read, "" if it does.

        Unless the proof is of the `whole` mail, each signature of that domain must cover everything, since it is not
        known for certain which one was verified; if an ARC set proves it (`by_seal`), the newest must.
        """
        aligning = [one for one in self.signatures if not one.domain or aligned(one.domain, domain)]
        signed = [] if whole else [self.seal] if by_seal else aligning
        return self.flaw or next(filter(None, map(self.gap_of, signed)), "")

    def gap_of(self, one: Signature) -> str:
        """Why one of its signatures does not prove what is read, "" if it does."""
        return self.flaw or (f"its signature does not cover {one.gap}" if one.gap else "")


NO_PROOF = Coverage()


def coverage(raw: bytes) -> Coverage:
    """What can prove a mail, given with any line ends."""
    header, body = split_header(with_newlines(raw))
    headers = Headers.parse(header)
    sealed = newest(headers.all("arc-message-signature"))
    return Coverage(
        _mixed_ends(raw) or headers.flaw or _doubled(headers) or _ambiguous(headers.first("from")),
        tuple(_signature(value, headers, body) for value in headers.all("dkim-signature")),
        _signature(sealed[1], headers, body) if sealed is not None else NO_SEAL,
        tuple(headers.together("authentication-results")),
    )


def rests_on_spf(results: Sequence[str], domain: str) -> bool:
    """Whether SPF proves the sender's domain, by the first of these Authentication-Results that mentions SPF and is of
    the server that wrote the topmost: some servers write a field for each of their checks.
    """
    read = [read_results(value) for value in results]
    checked = ([one for one in found if one.method == "spf"] for name, found in read if name == read[0][0])
    return any(one.value == "pass" and speaks_for(one, domain) for one in next(filter(None, checked), ()))


def pairs_of(value: str) -> Iterator[tuple[str, str]]:
    """The tags of a `tag=value;` list without blanks (RFC 6376, 3.2)."""
    for piece in value.split(";"):
        key, _, text = piece.partition("=")
        yield "".join(key.split()).lower(), "".join(text.split())


def _mixed_ends(raw: bytes) -> str:
    """Of a header with line ends of both kinds, RFC 5322 knows one."""
    ends = set()
    for line in raw.split(b"\n")[:-1]:
        ends.add(line.endswith(b"\r"))
        if line in (b"", b"\r"):
            break
    return "its header has line ends of two kinds" if len(ends) > 1 else ""


def _doubled(headers: Headers) -> str:
    counted = Counter(filter(_is_read, headers.names()))
    name = next((name for name, times in counted.items() if times > 1), "")
    return f"it has more than one {_title(name)}" if name else ""


def _ambiguous(sender: str) -> str:
    return "its From has an address for a name" if has_second_address(sender) else ""


def _is_read(name: str) -> bool:
    return name in _READ or name.startswith(_ENTITY)


def _signature(value: str, headers: Headers, body: bytes) -> Signature:
    pairs = list(pairs_of(value))
    tags = dict(pairs)
    if len(tags) < len([key for key, _ in pairs if key]):
        return Signature("", "anything, having a tag twice")
    present = set(headers.names())
    listed = set(tags.get("h", "").lower().split(":"))
    needed = {"from", *filter(_is_read, present), *_taken_away(headers, body, listed)}
    needed |= set() if present & _TELLING else {"message-id"}
    gap = next((_title(name) for name in sorted(needed) if name not in listed & present), "")
    return Signature(tags.get("d", "").lower(), gap or ("the end of the text" if "l" in tags else ""))


def _taken_away(headers: Headers, body: bytes, listed: Collection[str]) -> Iterator[str]:
    """The fields that somebody may have removed, by what the body looks like: those that are listed were not there when
    it was signed.
    """
    kind = headers.parameters("content-type")[0]
    if not kind and "content-type" not in listed and _DELIMITER_OR_TAG.search(body) is not None:
        yield "content-type"
    coded = headers.first("content-transfer-encoding") or "content-transfer-encoding" in listed
    if not coded and not kind.startswith("multipart/") and _SOFT_BREAK.search(body) is not None:
        yield "content-transfer-encoding"


def _title(name: str) -> str:
    return name.title().replace("Id", "ID").replace("Mime", "MIME")
