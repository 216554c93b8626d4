"""Bytes to clean text: wrong and unknown charsets, and invisible characters. Nothing here raises."""

from __future__ import annotations

import codecs
import re
import unicodedata

REPLACEMENT = "\ufffd"

# Charsets as programs name them, and the superset that decodes what they mean (as browsers do).
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
# Text codecs of Python that are not charsets of mail; some take quadratic time.
_NO_CHARSETS = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"}
_CHARSET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{0,38}")
_UTF8_PAIR = re.compile(rb"[\xc2-\xf4][\x80-\xbf]")

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
# Control characters, soft hyphens, byte order marks, object replacement characters, and marks of text direction.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufffc]"
)
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# Ordering long runs of combining marks takes quadratic time; orders and names are shorter than this.
_LONGEST_COMPOSED = 80


def decode_text(raw: bytes, declared: str | None) -> str:
    """The text of `raw`: by its declared charset, UTF-8 or Windows-1252, else with U+FFFD where decoding fails."""
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
    """The codec for a charset of this name, or None."""
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
    """Text with LF line ends, plain spaces, U+FFFD for lone surrogates, and no invisible characters."""
    text = _LINE_ENDS.sub("\n", text)
    text = _HIDDEN.sub("", text)
    if text.isascii():
        return text
    return _SURROGATES.sub(REPLACEMENT, _SPACES.sub(" ", text))


def clean_line(text: str, longest: int = 500) -> str:
    """One line that is safe to store, to compare and in a header: no line breaks, control or invisible characters."""
    text = _CONTROLS.sub(" ", text[: 4 * longest])
    return composed(" ".join(clean_text(text).split()))[:longest]


def composed(line: str) -> str:
    """The line with letters and accents composed (NFC); some systems send them decomposed."""
    if line.isascii() or len(line) > _LONGEST_COMPOSED:
        return line
    return unicodedata.normalize("NFC", line)
