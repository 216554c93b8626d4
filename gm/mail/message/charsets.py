"""Bytes to text that can be trusted to be text: charsets that lie, and characters that only hide something.

Used by every reader of this package; nothing here raises.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

REPLACEMENT = "\ufffd"

# What mailers write, and the superset that reads what they mean (as browsers do).
_MEANT = {
    "iso8859-1": "cp1252",
    "ascii": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
}
# Text codecs of Python that are no charsets of mail; some take quadratic time.
_NO_CHARSETS = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"}
_CHARSET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{0,38}")
_UTF8_PAIR = re.compile(rb"[\xc2-\xf4][\x80-\xbf]")

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
# Controls that no text needs, soft hyphens, byte order marks, places of attachments, and marks that turn the direction
# of writing.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufffc]"
)
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# Ordering long runs of combining marks takes quadratic time; orders and names are shorter than this.
_LONGEST_COMPOSED = 80


def decode_text(raw: bytes, declared: str | None) -> str:
    """The text of `raw`: by its declared charset, else UTF-8, else Windows-1252, else with U+FFFD where it fails."""
    codec = _codec(declared)
    if codec is not None and (text := _strictly(raw, codec)) is not None:
        return text
    if codec != "utf-8" and (text := _strictly(raw, "utf-8")) is not None:
        return text
    if codec is not None and codec not in ("utf-8", "cp1252"):
        return raw.decode(codec, "replace")
    if _UTF8_PAIR.search(raw) is None:
        return raw.decode("cp1252", "replace")
    return raw.decode("utf-8", "replace")


def _codec(declared: str | None) -> str | None:
    """The codec that reads a charset of this name, or None when there is none."""
    found = _CHARSET.search(declared or "")
    if found is None:
        return None
    try:
        name = codecs.lookup(found[0]).name
        b"aa".decode(name, "replace")  # refuses codecs that are no text encodings
    except (LookupError, ValueError, UnicodeError):
        return None
    return None if name in _NO_CHARSETS or name.startswith("x-") else _MEANT.get(name, name)


def _strictly(raw: bytes, codec: str) -> str | None:
    try:
        return raw.decode(codec)
    except (UnicodeError, ValueError):
        return None


def clean_text(text: str) -> str:
    """Text with newlines only, without hidden characters; odd spaces are plain ones, lone surrogates U+FFFD."""
    text = _LINE_ENDS.sub("\n", text)
    text = _HIDDEN.sub("", text)
    if text.isascii():
        return text
    return _SURROGATES.sub(REPLACEMENT, _SPACES.sub(" ", text))


def clean_line(text: str, longest: int = 500) -> str:
    """One line fit for storing, comparing and for a header: no newlines, controls or hidden marks, spaces single."""
    text = _CONTROLS.sub(" ", text[: 4 * longest])
    return composed(" ".join(clean_text(text).split()))[:longest]


def composed(line: str) -> str:
    """The line with letters and accents joined (NFC), as some systems send them apart."""
    if line.isascii() or len(line) > _LONGEST_COMPOSED:
        return line
    return unicodedata.normalize("NFC", line)
