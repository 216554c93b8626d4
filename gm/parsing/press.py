"""Press in a letter: `PRESS TO FRANCE, ITALY`, the text, `ENDPRESS`. The text is never read for orders and stays verbatim.

A block that has no end is not sent, since nobody can know where it should have ended: what follows may be private.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gm.errors import NotUnderstood
from gm.parsing.lexicon import Lexicon
from gm.parsing.prose import PROSE
from gm.parsing.script import fold, shorten

ALL = "ALL"
GM = "GM"
_ALL_WORDS = frozenset("all everyone everybody everyone world players".split())
_GM_WORDS = frozenset("gm master moderator gamemaster judge m".split())

_HEADER = re.compile(r"[ ]*(?:(?P<press>press[ ]+to\b:?)|(?P<broadcast>broadcast\b))[ ]*:?")
_END = re.compile(r"[ *_]*end[ -]?(?:press|broadcast)\b[ *_.:;!]*")
_END_OF_LINE = re.compile(r"^(?P<text>.*\S)[ ]+(?:(?i:endpress)|END PRESS)[ .!]*$")
_JOINT = re.compile(r"(?:[ ,;&/+]|\band\b)*")
_RECIPIENT = re.compile(r"[^\s,;:&/+]+")


@dataclass(frozen=True, slots=True)
class Press:
    """A block of press as found: `to` is powers by name and `GM`, or `ALL` alone; `lines` is how many lines it took.

    `rest` is what stands behind ENDPRESS on its line.
    """

    to: tuple[str, ...] | str
    body: str
    lines: int
    rest: str = ""


@dataclass(frozen=True, slots=True)
class FaultyPress:
    """A block that is not sent, why, its text as written and how many lines it took."""

    error: NotUnderstood
    text: str
    lines: int


def read_press(lines: Sequence[str], first: int, lexicon: Lexicon | None) -> Press | FaultyPress | None:
    """The block that begins at `lines[first]`; None when none begins there."""
    line = lines[first]
    script = fold(line)
    header = _HEADER.match(script.folded)
    if header is None:
        return None
    folded, start = script.folded, header.end()
    if header["broadcast"]:
        to, fault = (ALL,), None
    else:
        to, fault, start = _recipients(folded, start, lexicon)
    inline = line[script.column(start) - 1 :].lstrip(" \t:")
    colon = folded[start:].lstrip().startswith(":") or folded[:start].rstrip().endswith(":")
    end, body, rest = _find_end(lines, first, inline)
    if end is None and inline and not colon and _is_sentence(line, fold(inline).folded):
        return None
    text = "\n".join(lines[first : (end if end is not None else _next_header(lines, first)) + 1])
    count = text.count("\n") + 1
    if end is None:
        return FaultyPress(_unterminated(line), text, count)
    if fault is not None:
        return FaultyPress(fault, text, count)
    if not body.strip():
        empty = NotUnderstood(f"{shorten(line.strip())!r} has no text.", "Write the text before ENDPRESS.", column=1)
        return FaultyPress(empty, text, count)
    return Press(ALL if ALL in to else to, body, count, rest)


def _find_end(lines: Sequence[str], first: int, inline: str) -> tuple[int | None, str, str]:
    """The last line of the block, its body, and what follows ENDPRESS on that line. None when another block begins first."""
    body: list[str] = []
    for number in range(first, len(lines)):
        line = inline if number == first else lines[number]
        folded = fold(line).folded
        if number > first and _HEADER.match(folded):
            return None, "", ""
        if found := _END.match(folded):
            return number, "\n".join(body), line[fold(line).column(found.end()) - 1 :]
        if found := _END_OF_LINE.match(line):
            return number, "\n".join([*body, found["text"]]), ""
        if number > first or line:
            body.append(line)
    return None, "", ""


def _next_header(lines: Sequence[str], first: int) -> int:
    """The last line before the next block of press."""
    for number in range(first + 1, len(lines)):
        if _HEADER.match(fold(lines[number]).folded):
            return number - 1
    return len(lines) - 1


def _is_sentence(line: str, rest: str) -> bool:
    words = rest.split()
    return not line.lstrip().startswith("PRESS") and any(word.strip(".,;:!?") in PROSE for word in words[:4])


def _unterminated(line: str) -> NotUnderstood:
    return NotUnderstood(
        f"The press that begins {shorten(line.strip())!r} has no ENDPRESS.",
        "Nothing of it was sent, and no order in it was read. Send it again with a line ENDPRESS after it, and put orders"
        " before it or after that line.",
        column=1,
    )


def _recipients(folded: str, start: int, lexicon: Lexicon | None) -> tuple[tuple[str, ...], NotUnderstood | None, int]:
    """The powers named from `start` on, a complaint about one that nobody bears, and where the list ends."""
    to: list[str] = []
    but = False
    at = start
    while True:
        joint = _JOINT.match(folded, at)
        begin = joint.end() if joint else at
        listed = begin > at and bool(folded[at:begin].strip()) or not to
        name, end = _longest_name(folded, begin, lexicon)
        if name == ALL and folded[end:].lstrip().startswith(("but ", "except ")):
            but, at = True, folded.index(" ", end + 1) + 1 + len(folded[end:]) - len(folded[end:])
            at = re.compile(r"[ ]*(?:but|except)[ ]+").match(folded, end).end()  # type: ignore[union-attr]
            continue
        if name is None:
            word = _RECIPIENT.match(folded, begin)
            if word is None and to:
                break
            if not listed or (word is None and to):
                break
            return tuple(to), _unknown(word.group() if word else "", begin, lexicon), begin
        to.append(name)
        at = end
    if but and lexicon is not None:
        to = [power for power in lexicon.powers if power not in to]
    return tuple(dict.fromkeys(to)), None, at


def _longest_name(folded: str, begin: int, lexicon: Lexicon | None) -> tuple[str | None, int]:
    """The recipient named at `begin`, and where the name ends."""
    end, found = begin, None
    words = list(re.compile(r"[^\s,;:&/+]+(?=([ ]*))").finditer(folded, begin, min(len(folded), begin + 80)))[:4]
    for length in range(len(words), 0, -1):
        end = words[length - 1].end()
        name = folded[begin:end].rstrip(".!")
        found = _named(name, lexicon)
        if found is not None:
            return found, end
    return None, begin


def _named(name: str, lexicon: Lexicon | None) -> str | None:
    if name in _ALL_WORDS:
        return ALL
    if name in _GM_WORDS:
        return GM
    if lexicon is None:
        return name.upper() if name and " " not in name else None
    if power := lexicon.power(name):
        return power
    initials = [power for power in lexicon.powers if len(name) == 1 and power.lower().startswith(name)]
    return initials[0] if len(initials) == 1 else None


def _unknown(word: str, begin: int, lexicon: Lexicon | None) -> NotUnderstood:
    near = lexicon.nearest_power(word) if lexicon and word else None
    powers = f"Write ALL, GM or names of powers: {', '.join(lexicon.powers)}." if lexicon else "Write a power's name."
    problem = f"{shorten(word)!r} is nobody to send press to." if word else "The press names nobody to send it to."
    remedy = (
        f"Did you mean {near}? Nothing of the press was sent." if near else f"{powers} Nothing of the press was sent."
    )
    return NotUnderstood(problem, remedy, column=begin + 1)
