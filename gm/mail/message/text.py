"""Text to clean text, and to lines: invisible characters, quote marks.

Quote marks are counted, `format=flowed` is undone (RFC 3676), and so is the armour of clear-signed text (RFC 4880, 7).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from gm import patterns as re
from gm.mail.message.charset import ENDS_NO_WORD, REPLACEMENT
from gm.mail.message.marks import BARS, GREATER, SURE

_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
# Control characters, soft hyphens, byte order marks, object replacement characters, and marks of text direction.
_FLAGS = "|".join("".join(chr(0xE0000 + ord(letter)) for letter in region) for region in ("gbeng", "gbsct", "gbwls"))
_HIDDEN_ASCII = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_HIDDEN = re.compile(
    f"(\U0001f3f4(?:{_FLAGS})\U000e007f)"  # the flags of England, Scotland and Wales: tags that are seen
    "|[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
    + "]"
)
"""What is not seen: controls, format characters, tags, fillers, noncharacters; not the joiners in emoji and Persian."""
# A soft hyphen in the last word of a line that has the shape of an order: without it, there is none.
_SOFT_HYPHEN = re.compile(
    r"^([ \t]*(?:[^\W\d_]{1,8}\.?[ \t]+){1,6}[^\W\d_]{3,20})\u00ad([^\W\d_]{3,20}[ \t.]*)$", re.MULTILINE
)
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_PLAIN_MARKS = str.maketrans({**dict.fromkeys(BARS, "|"), **dict.fromkeys(GREATER, ">")})
_MARKED = re.compile(rf"^[ \t]{{0,8}}+[{BARS[1:]}{GREATER[1:]}].*$", re.MULTILINE)
_OF_A_FONT = re.compile("[\uf020-\uf07e\uf0a1-\uf0ff]")
"""Signs of Symbol and Wingdings, bullets and arrows most of them, as Word writes them: the character code and F000."""
_ACCENTED = re.compile("\\w[\u0300-\u036f]{1,3}(?![\u0300-\u036f])")
_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# Ordering long runs of combining marks takes quadratic time; orders and names are shorter than this.
_LONGEST_COMPOSED = 80


def clean_text(text: str) -> str:
    """Text with LF line ends, plain spaces and quote marks, U+FFFD for lone surrogates, and no invisible characters."""
    text = _LINE_ENDS.sub("\n", text)
    if text.isascii():
        return _HIDDEN_ASCII.sub("", text)
    if "\u00ad" in text:
        text = _SOFT_HYPHEN.sub(r"\1-\2", text)
    text = _HIDDEN.sub(r"\1", text)
    text = _ACCENTED.sub(lambda letter: unicodedata.normalize("NFC", letter[0]), text)
    text = _SURROGATES.sub(REPLACEMENT, _SPACES.sub(" ", _OF_A_FONT.sub(lambda sign: chr(ord(sign[0]) - 0xF000), text)))
    return _MARKED.sub(lambda line: line[0].translate(_PLAIN_MARKS), text)


def clean_line(text: str, longest: int = 500) -> str:
    """One line that can safely be stored, compared and put into a header: no line breaks, control or invisible
    characters.
    """
    text = " ".join(text.split())
    if text.isascii() and text.isprintable():
        return text[:longest]
    text = _CONTROLS.sub(" ", text[: 4 * longest])
    return composed(" ".join(clean_text(text).split()))[:longest]


def composed(line: str) -> str:
    """The line with letters and accents composed (NFC); some systems send them decomposed."""
    if line.isascii() or len(line) > _LONGEST_COMPOSED:
        return line
    return unicodedata.normalize("NFC", line)


_OTHER_LETTER = re.compile("[^\x00-\x7f]")
_OTHER_WORDS = re.compile("[^\\W\x00-\x7f]")


def in_plain_letters(text: str) -> str:
    """The text with plain letters, digits and signs for those that only look different (full-width, mathematical, in
    circles) and blanks for what is not seen: as long as the text, character by character.
    """
    return text if text.isascii() else _OTHER_LETTER.sub(lambda found: _plain_letter(found[0]), text)


def in_own_letters(text: str) -> str:
    """The text with plain letters and digits for those that only look different; signs, marks on letters and what is
    not seen stay as they are, since languages are told by them.
    """
    return text if text.isascii() else _OTHER_WORDS.sub(lambda found: _ascii_letter(found[0]), text)


@lru_cache(maxsize=2048)
def _plain_letter(character: str) -> str:
    return " " if unicodedata.category(character) in ("Cf", "Mn", "Zs") else _ascii_letter(character)


@lru_cache(maxsize=2048)
def _ascii_letter(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 and plain.isascii() else character


_ENCODED = re.compile(r"begin(?:-base64)? [0-7]{3,4} (?P<name>\S.{0,100})")
_ENCODED_ENDS = frozenset(("end", "===="))


def without_encoded(text: str) -> tuple[str, list[str]]:
    """The text without what is uuencoded in it (POSIX, uuencode), and the names of these files."""
    lines, kept, names, at = text.split("\n"), list[str](), list[str](), 0
    while at < len(lines):
        found = _ENCODED.fullmatch(lines[at].rstrip())
        if found is None or (end := _encoded_end(lines, at)) is None:
            kept.append(lines[at])
            at += 1
        else:
            names.append(found["name"])
            at = end + 1
    return ("\n".join(kept), names) if names else (text, names)


def _encoded_end(lines: list[str], begin: int) -> int | None:
    """The last line of what is encoded from line `begin` on; None if a line is none of it."""
    based = lines[begin].startswith("begin-")
    for at in range(begin + 1, len(lines)):
        line = lines[at].rstrip()
        if line.lower() in _ENCODED_ENDS:
            return at
        if not (_BASE64.fullmatch(line) if based else _is_encoded(line)):
            return None
    return None


_BASE64 = re.compile(r"[A-Za-z0-9+/=]*")


def _is_encoded(line: str) -> bool:
    """Whether a line's first character says how many bytes its others stand for; blanks at the end may be lost."""
    bytes_of_it = (ord(line[0]) - 32) & 63 if line else 0
    whole, written = 4 * -(-bytes_of_it // 3), len(line) - 1
    fits = whole <= 2 * written <= 2 * whole + 4 if whole else not written  # up to two check characters
    return fits and all(" " <= character <= "`" for character in line)


# lines


_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_END = "-----END PGP SIGNATURE-----"


_RUNS = re.compile("[ \t]{2,}|\t")


class Line(NamedTuple):
    """One line. `depth` counts quote levels; `raw` is the line with its marks, as press keeps it verbatim. What a line
    is taken for is read from `text`, in which each run of blanks is one: anybody can change their number in a signed
    mail (RFC 6376, 3.4.4). `written` is the text as it came if that differs.

    `introduces` is set when markup says that this line introduces quoted text (an attribution), `struck` when it is
    what was struck out of a line, `garbled` when letters of it may have been others, `perhaps` when it is in doubt
    whether its marks are of a quotation.
    """

    text: str
    depth: int = 0
    raw: str = ""
    introduces: bool = False
    struck: bool = False
    garbled: bool = False
    perhaps: bool = False
    written: str = ""

    @property
    def verbatim(self) -> str:
        """The text as it came."""
        return self.written or self.text

    @property
    def marked(self) -> str:
        """The line with its marks, without runs of blanks."""
        return _RUNS.sub(" ", self.raw)

    def without_runs(self) -> Line:
        """The line, read without runs of blanks."""
        text = _RUNS.sub(" ", self.text)
        return self if text == self.text else self._replace(text=text, written=self.text)

    def piece(self, text: str) -> Line:
        """A piece of the line as a line of its own."""
        return self._replace(text=text, raw=text, written="")


def in_doubt(line: Line, *, guessed: bool) -> Line:
    """The line, marked if it has letters that may have been others: those of a guessed character set, or U+FFFD."""
    if line.text.isascii():
        return line
    unsure = _WORD.sub(_unless_certain, line.text) if guessed else ""
    garbled = guessed and (any(map(_is_foreign, unsure)) or _MISPLACED.search(line.text) is not None)
    return line._replace(garbled=garbled or REPLACEMENT in line.text)


_MISPLACED = re.compile(rf"{ENDS_NO_WORD}|(?<=[^\W\d_])[”“…—](?=[^\W\d_])|[‚„](?=[^\W\d_])(?!.{{1,80}}[‘’“”])")
"""Signs where letters would be: those of DOS, read as those of Windows."""


_LATIN_SETS = ("cp1250", "iso8859-2", "cp1254", "cp1257", "iso8859-4", "iso8859-10", "iso8859-15", "iso8859-16")
_SAME_IN_ALL = frozenset(
    one
    for one in map(chr, range(0xC0, 0x100))
    if {one.encode(name, "replace") for name in _LATIN_SETS} == {bytes((ord(one),))}
)
"""The letters that are the same bytes in every set of a Latin language, of ISO and of Windows: those of German."""
_WORD = re.compile(r"[^\W\d_]+")


def _unless_certain(found: re.Match[str]) -> str:
    """A word of a guessed set, or "" if it is the same in all: mostly in ASCII, it is of a Latin language."""
    foreign = [one for one in found[0] if not one.isascii()]
    return "" if 2 * len(foreign) < len(found[0]) and _SAME_IN_ALL.issuperset(foreign) else found[0]


def _is_foreign(character: str) -> bool:
    """Whether a character that was guessed may be a letter; dashes and quotes of Windows are none."""
    return not character.isascii() and not (character > "\xff" and unicodedata.category(character).startswith("P"))


def plain_lines(text: str) -> list[Line]:
    """The lines of fixed text; `>` at the beginning of a line marks a quote, and so does `|`, except in the row of a
    table (`| A PAR | BUR |`).
    """
    return [_plain(line) for line in _as_written(text)]


def _as_written(text: str) -> list[str]:
    """The lines of a text; without the `>` that programs put before a line `From ...` on its way (RFC 4155), if it
    stands within a paragraph: between two lines of which neither is empty or quoted.
    """
    lines = text.split("\n")
    around = zip(("", *lines), lines, (*lines[1:], ""), strict=False)
    return [
        line[1:] if line.startswith(_ESCAPED) and _is_own(before, after) else line for before, line, after in around
    ]


def _is_own(*lines: str) -> bool:
    return all(line.strip() and not line.startswith(">") for line in lines)


_ESCAPED = ">From "
_ROW = re.compile(r"\s{0,3}\|[^|]+(?:\|[^|]+)+\|\s*")


def _plain(line: str) -> Line:
    if _ROW.fullmatch(line):
        return Line(line.replace("|", " ").strip(), 0, line)
    if (">" in line or "|" in line) and (marks := SURE.match(line)):
        return Line(line[marks.end() :], marks[0].count(">") + marks[0].count("|"), line)
    return Line(line, 0, line)


def flowed_lines(text: str, *, delete_space: bool = False) -> list[Line]:
    """The lines of `format=flowed` text (RFC 3676): soft breaks joined, space-stuffing undone.

    A line that was stuffed (` > F LON`) is no quote. With `delete_space` (DelSp=yes) the space before a soft break
    belongs to the break.
    """
    lines: list[Line] = []
    open_text: list[str] = []
    open_depth = 0
    for written in _as_written(text):
        content = written.lstrip(">")
        depth = len(written) - len(content)
        content = content.removeprefix(" ")
        signature = content == "-- "
        if open_text and (depth != open_depth or signature):
            lines.append(_flowed("".join(open_text), open_depth))
            open_text = []
        if content.endswith(" ") and not signature:
            open_text.append(content[:-1] if delete_space else content)
            open_depth = depth
            continue
        lines.append(_flowed("".join([*open_text, content]), depth))
        open_text = []
    if open_text:
        lines.append(_flowed("".join(open_text), open_depth))
    return lines


def _flowed(text: str, depth: int) -> Line:
    return Line(text, depth, "> " * depth + text if depth else text)


def without_armor(lines: list[Line]) -> list[Line]:
    """The lines without the armour of an inline signature; the signature itself is not checked."""
    if not any(line.text.rstrip() == _SIGNED for line in lines):
        return lines
    return list(_unarmored(lines))


def _unarmored(lines: list[Line]) -> Iterator[Line]:
    state = "outside"
    for line in lines:
        text = line.text.rstrip()
        if line.depth:
            yield line
        elif text == _SIGNED:
            state = "headers"
        elif state == "headers":
            state = "headers" if text else "words"
        elif text == _SIGNATURE and state == "words":
            state = "signature"
        elif text == _END and state == "signature":
            state = "outside"
        elif state == "words" and line.text.startswith("- "):
            bare = line.text.removeprefix("- ")
            quoted = bare.startswith(">")
            yield Line(bare.lstrip("> "), 1, bare) if quoted else Line(bare, 0, bare)
        elif state != "signature":
            yield line
