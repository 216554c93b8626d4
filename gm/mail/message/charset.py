"""Bytes to text: which character set a text is in, and whether that was guessed.

A label means what browsers take it for: the WHATWG Encoding Standard has the table, webencodings is its copy. Other
labels are those of Python's codecs. What the bytes themselves prove (a byte order mark, UTF-8, the escapes of
ISO-2022-JP) goes before a label that fits anything.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import webencodings

from gm import patterns as re

REPLACEMENT = "\ufffd"

_WIDER = {"gbk": "gb18030"}
# Codecs that stay what they are where the standard, for the sake of old pages, says Windows-1252 and little-endian.
_AS_THEY_ARE = {"ascii": "utf-8", "utf-16": "utf-16-be"}
# Text codecs of Python that are not charsets of mail; some take quadratic time.
_NO_CHARSETS = {
    "",
    "idna",
    "punycode",
    "unicode-escape",
    "raw-unicode-escape",
    "undefined",
    "mbcs",
    "oem",
    "x-user-defined",
}
_NO_LANGUAGE = ("replacement", "x-user-defined")  # labels of the standard that say nothing about the text
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{0,38}")
_UTF8_PAIR = re.compile(rb"[\xc2-\xf4][\x80-\xbf]")
_UTF8_WORD = re.compile(rb"(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}){3}")
_SHIFTS = re.compile("[\x0e\x0f\x1b\x80-\x84\x86-\x9f]")
"""Controls that no text has, which are letters in the set that it was written in; 0x85 ends lines."""
ENDS_NO_WORD = "(?<=[^\\W\\d_])[‚„†‡‰‹]"
"""Opening signs at the end of a word, where another set has letters."""
_NO_TEXT = re.compile(f"[¢-¦¨-ª¬-º¼-¾À-ɏ]{{3}}|{ENDS_NO_WORD}")
"""What shows bytes of another set than was declared: three letters or signs with accents beside each other, which
Latin languages hardly have."""
_NO_WORD = re.compile("[¢-¦©¬®-¶¹¼-¾ˆ˜](?=[^\\W\\d_])|(?<=[^\\W\\d_])[¢-¦©¬®-³¶¹¼-¾ˆ˜]|[ÐÞðþ]")
"""The same, in sets of Western Europe: signs within words, and letters of Iceland, which are others elsewhere."""
_LATIN, _GREEK, _CYRILLIC, _OTHERS = "A-Za-zß-ɏ", "Ͱ-Ͽ", "Ѐ-ԯ", "\u0590-\u06ff\u0e01-\u0e5b"
_TWO_SCRIPTS = re.compile(
    "|".join(
        f"[{one}](?=[{''.join({_LATIN, _GREEK, _CYRILLIC, _OTHERS} - {one})}])"
        for one in (_LATIN, _GREEK, _CYRILLIC, _OTHERS)
    )
)
_SIGN_WITHIN = re.compile(
    "[^\\W\\dA-Za-z_][\xad¢-©¬®-±¶¸€№†‡•∀-⋿─-▟][^\\W\\d_]|[^\\W\\dA-Za-z_][─-▟]|[─-▟][^\\W\\dA-Za-z_]"
    "|[^\\W\\d_][─-▟÷×°¹²³][^\\W\\d_]|(?<![\u0e01-\u0e4e])[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]"
)
"""Signs between letters, and marks of Thai without a letter below them."""
_HEBREW = (frozenset(range(0xE0, 0xFB)), frozenset(range(0x80, 0x9B)))
"""The bytes of its letters in the sets of Windows and ISO, and in that of DOS: words in other letters have others."""
_FEWEST_LETTERS = 12
_LATIN_OR_HEBREW = re.compile("[À-ɏ\u0590-\u05ff]")
_FOREIGN_WORD = re.compile(r"(?<!\w)(?=[A-Za-z]{0,20}[^\W\d_A-Za-z])[^\W\d_]{2,}")
_LOOKED_AT = 20_000  # characters
_WESTERN = ("cp1252", "iso8859-1", "iso8859-15", "latin-1")

_MARKED_BY = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins as that of UTF-16 does
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8"),
)


class Decoded(NamedTuple):
    """A text, with U+FFFD for what stands for nothing; `guessed` when it may have been written in another set."""

    text: str
    guessed: bool = False


def decode_text(raw: bytes, declared: str | None) -> str:
    """The text of `raw`, with U+FFFD where decoding fails: see `decode`. In addresses and Message-IDs a plus sign
    begins no UTF-7.
    """
    return _by_bytes(raw, declared).text


def decode(raw: bytes, declared: str | None) -> Decoded:
    """The text of `raw`, the body of a mail, by the first of these that fits: its byte order mark, the escapes of
    ISO-2022-JP, UTF-8 with letters beyond ASCII (before a declared set of two bytes only where it makes fewer
    characters), the declared set. Guessed is what fits none, what fits two, and UTF-7 that nothing declares.
    """
    found = _by_bytes(raw, declared)
    seven = _utf7(found.text) if found.text.isascii() else None
    return found if seven is None else Decoded(seven, guessed=True)


PLAIN = re.compile(rb"[\t\n\r -}]*+")
"""ASCII without what any other set shows itself by."""


def _by_bytes(raw: bytes, declared: str | None) -> Decoded:
    if declared is None and PLAIN.fullmatch(raw):
        return Decoded(raw.decode("ascii"))
    if marked := next((codec for mark, codec in _MARKED_BY if raw.startswith(mark)), None):
        return _sound(raw.decode(marked, "replace"))
    codec = _codec_in(raw, declared)
    ascii_too = codec is None or _keeps_ascii(codec)
    if b"\0" in raw and ascii_too and (wide := _wide(raw)) is not None:
        return Decoded(wide, guessed=True)
    if raw.isascii() and (escaped := next((text for text in _by_escapes(raw) if text is not None), None)):
        return Decoded(escaped)
    if (japanese := _japanese(raw, declared=codec == "iso2022_jp")) is not None:
        return _sound(japanese)
    codec = "cp932" if codec == "iso2022_jp" else codec
    said = _strictly(raw, codec) if codec is not None else None
    unicode = None if raw.isascii() and codec is not None else _strictly(raw, "utf-8")
    if unicode is None and not raw.isascii() and _UTF8_WORD.search(raw):  # whatever was declared: it proves itself
        return Decoded(raw.decode("utf-8", "replace"))
    if unicode is None and said is None:
        likely = _likely(raw, codec)
        return Decoded(raw.decode(likely, "replace"), guessed=likely != "utf-8")
    if unicode is None or codec is None or not _has_pairs(codec):
        found = _sound(said if unicode is None else unicode, codec)
        return found._replace(guessed=True) if unicode is None and _is_hebrew(raw, found.text) else found
    readings = [text for text in (said, unicode) if text is not None]
    return Decoded(min(readings, key=len), guessed=len(readings) > 1)


def _sound(text: str | None, codec: str | None = "utf-8") -> Decoded:
    """A text that was decoded without errors, unless it shows that something else was meant."""
    text = text or ""
    if _SHIFTS.search(text):
        return Decoded(_SHIFTS.sub(REPLACEMENT, text), guessed=True)
    return Decoded(text, guessed=not text.isascii() and _is_of_another_set(text, codec))


def _is_of_another_set(text: str, codec: str | None) -> bool:
    other = _NO_TEXT.search(text) or (codec in _WESTERN and _NO_WORD.search(text))
    return bool(other) or (codec != "utf-8" and _is_swapped(text))


def _is_swapped(text: str) -> bool:
    """Whether words of more than ASCII are of two scripts or have signs within, or capitals behind small letters, twice
    or in most that have both: one set of single bytes taken for another.
    """
    if _TWO_SCRIPTS.search(text) or _SIGN_WITHIN.search(text):
        return True
    mixed = [word for word in _FOREIGN_WORD.findall(text[:_LOOKED_AT]) if not (word.islower() or word.isupper())]
    cased = [word for word in mixed if word.lower() != word.upper()]
    return 2 * sum(map(str.istitle, cased)) < len(cased) or sum(map(_rises, cased)) > 1


def _rises(word: str) -> int:
    """How often a capital follows a small letter."""
    return sum(one.islower() and two.isupper() for one, two in pairwise(word))


def _is_hebrew(raw: bytes, text: str) -> bool:
    """Whether bytes that make a `text` in other letters are those of Hebrew alone."""
    beyond = raw[:_LOOKED_AT].translate(None, bytes(range(0x80)))
    within = any(map(set(beyond).issubset, _HEBREW))
    return len(beyond) >= _FEWEST_LETTERS and within and _LATIN_OR_HEBREW.search(text) is None


_ZERO_APART = re.compile(rb"(?<!\0)\0(?!\0)")
_HALVES = re.compile("[\x01-\x08\x0e-\x1f\x80-\x9f]")


def _wide(raw: bytes) -> str | None:
    """The text of UTF-32, if bytes can be that, or of UTF-16, if many zeros stand apart: nearly half of all bytes where
    the others are ASCII. None of others, in which zeros say nothing.

    UTF-16 has its zeros at one place of two. Where it lost a byte, two of them beside each other are where a letter
    was, and what is no letter is half of a wide one.
    """
    if (text := next(filter(None, (_strictly(raw, f"utf-32-{order}") for order in ("le", "be"))), None)) is not None:
        return text
    apart = len(_ZERO_APART.findall(raw))
    if apart * (_NEARLY_HALF if PLAIN.fullmatch(raw.replace(b"\0", b"")) else _FEW) < len(raw):
        return None
    if min(raw[::2].count(b"\0"), raw[1::2].count(b"\0")) * _FEW < apart:
        return raw.decode(_in_order(raw, "utf-16"), "replace")
    narrow = raw.replace(b"\0\0", b"\1").replace(b"\0", b"").decode("latin-1")
    return _HALVES.sub(REPLACEMENT, narrow)


_NEARLY_HALF = 2.5
_FEW = 8
"""One among so many is there by mistake."""


def _by_escapes(raw: bytes) -> Iterator[str | None]:
    """The text of a set of two bytes that shows itself in ASCII: ISO-2022-KR (RFC 1557), HZ (RFC 1843)."""
    yield _strictly(raw, "iso2022_kr") if b"\x1b$)C" in raw else None
    yield _strictly(raw, "hz") if b"~{" in raw and b"~}" in raw else None


_UTF7_RUN = re.compile(r"(\w?)(\+[A-Za-z0-9+/]+-?)")
_SIGNS = r"\s!-/:-@\u2010-\u20cf"
_WORD_IN_UTF7 = re.compile(
    rf"\w?[{_SIGNS}\xa0-\u0fff]+|[{_SIGNS}\u3000-\u9fff\uff01-\uffef]{{2,}}|[{_SIGNS}\u3000-\u303f\uac00-\ud7a3]{{2,}}"
)
"""What is no accident: letters of an alphabet, also within a word; or several ideographs, or syllables of Korea, which
the plus sign of an address makes of what follows."""


def _utf7(written: str) -> str | None:
    """What a text says that is nothing but UTF-7 (RFC 2152), in which a plus sign begins certainly something; None of
    others.
    """
    text = _strictly(written.encode(), "utf-7") if "+" in written else None
    if text is None or text.isascii():
        return None
    runs = (found[1] + found[2].encode().decode("utf-7") for found in _UTF7_RUN.finditer(written))
    return text if any(map(_WORD_IN_UTF7.fullmatch, runs)) else None


def _likely(raw: bytes, codec: str | None) -> str:
    """The codec for bytes that fit none."""
    if codec is not None and codec not in ("utf-8", "cp1252"):
        return codec
    return "cp1252" if _UTF8_PAIR.search(raw) is None else "utf-8"


def _codec_in(raw: bytes, declared: str | None) -> str | None:
    """The codec of a declared label; None when there is none, or nothing is known by it."""
    codec = _codec(declared)
    if codec is None:
        return None
    wide = codec.startswith(("utf-16", "utf-32"))
    if b"\0" not in raw and (_SMALL_WORDS.search(raw) if wide else raw.isascii() and not _keeps_ascii(codec)):
        return None  # said to be UTF-16, as some scripts do, though each blank and line end in that has a zero
    return _in_order(raw, codec) if wide else codec


_SMALL_WORDS = re.compile(rb"\A[\x01-\x7f]*\Z|[A-Za-z][ \r\n-]{1,4}[A-Za-z]")
"""What no text in wide letters has where it has no zeros: ASCII alone, or words of it."""


def _in_order(raw: bytes, codec: str) -> str:
    """UTF-16 or UTF-32 in the order that is declared (big-endian if none is: RFC 2781, 4.3), unless the other way it
    has more Latin letters, blanks and line ends.
    """
    width = codec[:6]
    ways = (f"{width}-le", f"{width}-be") if codec.endswith("-le") else (f"{width}-be", f"{width}-le")
    return max(ways, key=lambda way: sum(character < "\u0250" for character in raw.decode(way, "replace")))


@lru_cache(maxsize=256)
def _codec(declared: str | None) -> str | None:
    """The codec for a charset of this name, or None."""
    found = _LABEL.search(declared or "")
    if found is None:
        return None
    try:
        name = codecs.lookup(found[0]).name
        b"aa".decode(name, "replace")  # refuses codecs that are no text encodings
    except (LookupError, ValueError, UnicodeError):
        name = ""
    standard = webencodings.lookup(found[0])
    if standard is not None and standard.name not in _NO_LANGUAGE and name not in _AS_THEY_ARE:
        name = _WIDER.get(standard.name, standard.codec_info.name)
    return _AS_THEY_ARE.get(name, name) if name not in _NO_CHARSETS else None


def _keeps_ascii(codec: str) -> bool:
    """Whether letters and signs of ASCII are the same bytes in this charset: not in UTF-16, UTF-32 and EBCDIC."""
    sample = "A Par-Bur"
    return sample.encode(codec, "replace") == sample.encode("ascii")


def _has_pairs(codec: str) -> bool:
    """Whether two bytes beyond ASCII are one character in this charset."""
    return len(b"\xe4\xe4".decode(codec, "replace")) < 2


def _strictly(raw: bytes, codec: str) -> str | None:
    try:
        return raw.decode(codec)
    except (UnicodeError, ValueError):
        return None


# ISO-2022-JP: Python's codec knows no characters of vendors, and stops at the first mistake.

_ESCAPE = re.compile(rb"\x1b(\$[@B]|\$\(D|\([BIJ])|(?=\n)")
_SHOWS_JAPANESE = re.compile(rb"\x1b(?:\$[@B]|\$\(D|\(I)")
_WITHOUT_ESCAPES = re.compile(rb"(\$[@B])((?:[!-~]{2}){1,200}?)(\([BJ])")
_TO_HIGH = bytes(byte | 0x80 for byte in range(256))
_PLANES = {b"$@": b"", b"$B": b"", b"$(D": b"\x8f", b"(I": b"\x8e"}
"""What stands before each character of a set in EUC-JP; the sets that are not named are ASCII (RFC 1468, 2237)."""


def _japanese(raw: bytes, *, declared: bool) -> str | None:
    """The text of ISO-2022-JP, also undeclared, and declared with its escape characters lost; None of anything else.
    What does not fit is U+FFFD. A line begins in ASCII (RFC 1468), so that an escape that is missing spoils one line.
    """
    if declared and b"\x1b" not in raw:
        raw = _WITHOUT_ESCAPES.sub(b"\x1b\\1\\2\x1b\\3", raw)
    if _SHOWS_JAPANESE.search(raw) is None or not (declared or raw.isascii()):
        return None
    return "".join(_in_sets(raw))


def _in_sets(raw: bytes) -> Iterator[str]:
    """The text between one escape and the next, each in the set that is in force there."""
    place, chosen = 0, b"(B"
    for escape in (*_ESCAPE.finditer(raw), None):
        yield _in_set(raw[place : escape.start() if escape else len(raw)], chosen)
        if escape is not None:
            place, chosen = escape.end(), escape[1] or b"(B"


def _in_set(written: bytes, chosen: bytes) -> str:
    if chosen not in _PLANES:
        return written.decode("cp932", "replace").replace("\x1b", REPLACEMENT)
    high, plane = written.translate(_TO_HIGH), _PLANES[chosen]
    size = 1 if chosen == b"(I" else 2
    euc = b"".join(plane + high[at : at + size] for at in range(0, len(high), size)) if plane else high
    text = _strictly(euc, "euc_jp")
    return euc.decode("euc_jis_2004", "replace") if text is None else text
