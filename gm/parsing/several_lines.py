"""What takes several lines of a mail: texts, between `PRESS TO FRANCE, ITALY` and `ENDPRESS`; and orders that a mail
program, a phone, or a receipt in two columns has broken.

A text is verbatim, and is never parsed for orders. A block without an end is not sent, because it is not known where it
should have ended: what follows may be private. It ends where the next block begins, so that no text goes to the
recipients of another.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from gm import patterns as re
from gm.errors import NotUnderstood
from gm.options.table import known_options
from gm.orders import Build, Disband, Support
from gm.parsing.command_syntax import Syntax, Text
from gm.parsing.courtesies import PLEASE, THANKS
from gm.parsing.lexicon import Lexicon, fold, shorten
from gm.parsing.orders import Reading
from gm.variants import all_variants

ALL = "ALL"
GM = "GM"
EVERYBODY = frozenset((
    *("all", "everyone", "everybody", "world", "the world", "all powers"),
    *("alle", "allen", "jeden", "tous", "toutes", "todos", "todas", "tutti"),
    *("all players", "all the players", "other players", "all other players"),
    *("the others", "all others", "all the others", "die anderen", "allen anderen", "les autres", "tous les autres"),
    *("alle spieler", "allen spielern", "alle mitspieler", "anderen spieler", "anderen spielern", "mitspieler"),
    *("tous les joueurs", "autres joueurs", "tous les autres joueurs", "todos los jugadores"),
))  # fmt: skip
"""All players in the languages in which people write, folded."""
GM_WORDS = frozenset(
    name.replace("_", " ")
    for name in re.findall(
        r"\S+",
        "gm m the_gm master gamemaster game_master moderator judge referee umpire organiser organizer server"
        " spielleiter spielleiterin spielleitung schiedsrichter schiedsrichterin leiter leitung"
        " arbitre maitre_du_jeu maitresse_du_jeu maitre_de_jeu meneur meneur_de_jeu meneuse_de_jeu mj moderateur"
        " moderatrice organisateur organisatrice juge serveur"
        " arbitro moderatore giudice direttore_di_gara direttore_di_gioco organizzatore organizzatrice"
        " arbitra director directora director_de_juego director_del_juego directora_de_juego director_de_la_partida"
        " maestro_del_juego moderador moderadora juez organizador organizadora servidor"
        " spelleider spelleidster spelleiding scheidsrechter spelmeester organisator rechter"
        " mestre mestre_do_jogo diretor juiz spelledare spelledaren domare domaren spilleder spilleleder dommer"
        " dommeren mistrz_gry sedzia tuomari pelinjohtaja",
    )
)
"""The gamemaster in the languages in which people write, folded."""
_LIKE_PRESS = ("message", "messages", "msg", "send", "mail", "letter", "write", "say", "nachricht", "brief", "lettre")

MANNERS = {"white": "white", "grey": "grey", "gray": "grey", "anonymous": "grey", "postal": "postal"}
"""How press can be sent, by the words for it: signed with the power (white), unsigned (grey), and with the next report
instead of at once (postal).
"""

_COURTESY = re.compile(rf"[\W_]*(?:(?:{PLEASE}|{THANKS}|only|nur|seulement)(?!\w)[\W_]*){{0,3}}")
"""What a heading may have behind those whom it names."""
_FAKE = "fake"
_MANNER = rf"(?:(?:{'|'.join((*MANNERS, _FAKE))})[ ]+)*"
_FROM = re.compile(r"[ ,]*(?:from|as|by)[ ]+")
"""What stands in a heading before the name of somebody in whose name the text is to be."""
_ALMOST = re.compile(r"[ ]*(?P<word>[a-z]{3,9})[ ]+(?:to|an|a|en|fur|pour|for)[ ]+(?=[a-z])")
_ALL_BUT = re.compile(r"all[ ]+(?:but|except)[ ]+")
_BARE = re.compile(r"[ ]*(?P<word>)(?:(?P<to>to|an|aan|for|fur|pour|para)|a)[ ]+(?=[a-z])")
_JOINT = re.compile(r"(?:[ ,;&/+]|\band\b)*")
_WORD = re.compile(r"[^ ,;:&/+]+")
_NAME_WORDS = 4
_MISSPELT_LINES = 200
"""The most lines that are searched for the ENDPRESS of press that begins with a misspelt word."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block of text: `to` is powers by name and `GM`, or `ALL`; its last line is number `last` (from 0).

    `rest` is the text after ENDPRESS on that line. `kind` is the command that handles the block; `manner` has words of
    MANNERS.
    """

    to: tuple[str, ...] | str
    body: str
    last: int
    rest: str = ""
    kind: str = "press"
    manner: frozenset[str] = frozenset()
    beyond: str = ""
    """What its heading says behind those whom it names, without a colon: `not Italy`."""


@dataclass(frozen=True, slots=True)
class FaultyBlock:
    """A block that is not sent, the reason, and the number of its last line (from 0)."""

    error: NotUnderstood
    last: int


class _Header(NamedTuple):
    to: tuple[str, ...]
    fault: NotUnderstood | None
    text: str
    certain: bool
    kind: str
    manner: frozenset[str]
    forged: bool = False
    """It is to be sent in the name of another."""
    beyond: str = ""


class _Block(NamedTuple):
    body: str
    last: int
    ended: bool
    rest: str = ""


_MAY_END = re.compile(r"[eE][nN][dD]|[^\x00-\x7f]")
"""What a line has whose folded form has `end`."""


class TextBlocks:
    """The texts that a mail may contain, by the word with which each begins."""

    def __init__(self, words: Mapping[str, Text]) -> None:
        self._words = {word.replace(" ", ""): text for word, text in words.items()}
        addressed = _alternatives(word for word, text in words.items() if text.addressed)
        mannered = _alternatives(word for word, text in words.items() if text.mannered and not text.addressed)
        alone = _alternatives(word for word, text in words.items() if not text.mannered and not text.addressed)
        self._header = re.compile(
            rf"[ ]*(?:(?P<before>{_MANNER})(?P<addressed>{addressed})(?:[ ]*:[ ]*|[ ]+)"
            rf"(?P<after>{_MANNER})(?P<to>to\b)?"
            rf"|(?P<how>{_MANNER})(?P<mannered>{mannered})\b|(?P<alone>{alone})\b)[ ]*:?[ ]*"
        )
        names = _alternatives(words)
        self._some_end = re.compile(rf"end[ -]?(?P<name>{names})\b")
        self._end_alone = re.compile(rf"[ *_]*end[ -]?(?:{names})\b[ *_.:;!]*")
        self._end_of_line = re.compile(rf"(?P<text>.*\S)[ ]+(?:(?i:end(?:{names}))|END (?:{names.upper()}))[ .!]*")

    def end_in(self, lines: Iterable[str]) -> bool:
        """Whether one of these lines may end a text; otherwise none of them is in one."""
        may = filter(_MAY_END.search, lines)
        return any(self._some_end.search(fold(line).folded) for line in may)

    def begins(self, line: str) -> bool:
        """Whether a line surely begins a text."""
        header = self._read_header(line, None)
        return header is not None and header.certain

    def read(self, lines: Sequence[str], first: int, lexicon: Lexicon | None) -> TextBlock | FaultyBlock | None:
        """The block that begins at `lines[first]`; None if none begins there, as in `Press to France was slow.`"""
        if pieces := _in_one_line(lines[first]):
            block = self.read(pieces, 0, lexicon)
            if isinstance(block, TextBlock):
                return replace(block, last=first)
        header = self._read_header(lines[first], lexicon)
        if header is None:
            return self._misspelt(lines, first, lexicon)
        body = self._read_body(lines, first, lexicon, header.kind, header.text)
        if not body.ended:
            body = _almost_ended(lines, first, body)
            kept = lines[first : body.last + (0 if body.ended else 1)]
            has_text = header.text or any(map(str.strip, kept[1:]))
            whole = "\n".join(kept).rstrip() if has_text and header.fault is None else ""
            certain = header.certain or (not header.text and self.end_in(lines[body.last + 1 :]))
            fault = header.fault if header.forged else _unended(lines[first], header.kind, whole)
            return FaultyBlock(fault, body.last) if certain and fault is not None else None
        if header.fault is not None:
            return FaultyBlock(header.fault, body.last)
        if not body.body.strip():
            problem = f"{shorten(lines[first].strip())!r} has no text."
            return FaultyBlock(NotUnderstood(problem, "Write it before ENDPRESS.", column=1), body.last)
        to = ALL if ALL in header.to else header.to
        return TextBlock(to, body.body, body.last, body.rest, header.kind, header.manner, header.beyond)

    def _read_header(self, line: str, lexicon: Lexicon | None) -> _Header | None:
        """The line that begins a block, if it does: the recipients, and the text on that line."""
        script = fold(line)
        found = self._header.match(script.folded)
        if found is None:
            return None
        without_to = found["addressed"] is not None and found["to"] is None
        fault: NotUnderstood | None = None
        manner = " ".join(found[group] or "" for group in ("before", "after", "how"))
        to: tuple[str, ...] = (ALL,)
        end = found.end()
        if found["addressed"]:
            to, end, unknown = _recipients(script.folded, found.end(), lexicon)
            if unknown is not None:
                fault = nobody(script.words(unknown[0], unknown[1]), script.column(unknown[0]), lexicon)
                end = unknown[1]
        named = _forged(script.folded, end, lexicon) if found["addressed"] and fault is None else end
        if forged := named > end or _FAKE in manner.split():
            fault, end = _signed(line), named
        text = line[script.column(end) - 1 :].strip()
        is_option = lexicon is None and ":" in found.group()  # `press: white`, below CREATE
        if without_to and (fault is not None or is_option or (text.strip(".,;:") and not text.startswith(":"))):
            return None  # `Press was slow` is a sentence; `Press France` above a text with its end, or a colon, is not
        loud = line[: script.column(found.end()) - 1].isupper() and not found["mannered"]
        certain = (
            forged or (not without_to and not text.strip(".,;")) or text.startswith(":") or ":" in found.group() or loud
        )
        meant = self._words[(found["addressed"] or found["mannered"] or found["alone"]).replace(" ", "")]
        if text.strip(" .").lower() in meant.instead:
            return None
        open_ended = found["addressed"] and ":" not in (found.group() + text[:1])
        beyond = "" if not open_ended or _COURTESY.fullmatch(fold(text).folded) else shorten(text)
        return _Header(to, fault, text.lstrip(" :.,;"), certain, meant.kind, _manner(manner), forged, beyond)

    def _is_said(self, header: _Header, kind: str, below: Iterable[str]) -> bool:
        """Whether what may be a header in a text of this kind is of its words, `Remarks are welcome`, `Press to France
        was slow`: it names nobody, or the first end below it is that of the text, and of no text of its own kind.
        """
        if header.to == (ALL,) or header.kind == kind:
            return header.to == (ALL,)
        ends = filter(None, (self._some_end.search(fold(line).folded) for line in below))
        return next((self._words[found["name"].replace(" ", "")].kind for found in ends), "") == kind

    def _read_body(
        self, lines: Sequence[str], first: int, lexicon: Lexicon | None, kind: str, text: str = ""
    ) -> _Block:
        """The text of this kind between the header, which may begin it, and its end. Without an end it reaches to the
        next header or the last line.
        """
        body: list[str] = []
        for number in range(first, len(lines)):
            line = text if number == first else lines[number]
            script = fold(line)
            header = self._read_header(line, lexicon) if number > first else None
            if header is not None and (header.certain or not self._is_said(header, kind, lines[number + 1 :])):
                return _Block("", number - 1, ended=False)
            if end := self._end_alone.match(script.folded):
                return _Block("\n".join(body), number, ended=True, rest=line[script.column(end.end()) - 1 :])
            if end := self._end_of_line.fullmatch(line):
                return _Block("\n".join([*body, end["text"]]), number, ended=True)
            if line or number > first:
                body.append(line)
        return _Block("", len(lines) - 1, ended=False)

    def _misspelt(self, lines: Sequence[str], first: int, lexicon: Lexicon | None) -> FaultyBlock | None:
        """`PRES TO FRANCE` or `TO FRANCE` with its text and an end: it is not sent, but its text is not parsed for
        orders either.
        """
        script = fold(lines[first])
        found = _ALMOST.match(script.folded) or _bare(script.folded, lexicon)
        if found is None:
            return None
        word = found["word"]
        if word and not (word in _LIKE_PRESS or get_close_matches(word, ("press",), 1, 0.7)):
            return None
        few = lines[: first + _MISSPELT_LINES]
        block = self._read_body(few, first, lexicon, "press")
        block = block if block.ended else _almost_ended(few, first, block)
        if not block.ended:
            return None
        problem = f"{shorten(lines[first].strip())!r} is not how press begins."
        to = _BESIDE_NAME.sub("", lines[first][script.column(found.end()) - 1 :]).strip(" :")
        mended = "\n".join((f"PRESS TO {to}", *lines[first + 1 : block.last], "ENDPRESS"))
        error = NotUnderstood(problem, "Write PRESS TO and the powers. Nothing was sent.", column=1, mended=mended)
        return FaultyBlock(error, block.last)


def _bare(text: str, lexicon: Lexicon | None) -> re.Match[str] | None:
    """The beginning of a line that only says for whom what is below it is, `TO FRANCE`, `A TOUS`: not `A PARIS`."""
    found = _BARE.match(text)
    if found is None:
        return None
    to, end, unknown = _recipients(text, found.end(), lexicon)
    whole = unknown is None and not text[end:].strip(" .:!")
    return found if whole and (found["to"] or ALL in to) else None


_SLASH = re.compile(r"[ ]/[ ]")
_WHOLE = re.compile(r"([^:/]+):([^/]+)/(end[a-z]*)", re.IGNORECASE)


_ENDS = re.compile(
    r"[ *_-]*(?:end|ende|fin|eom|stop|(?:end|ende|fin)[ -]{0,3}"
    r"(?:(?:of|the|this|my|der|des|dieser|meiner|du|de|la|mon|ce|cette)[ ]){0,2}"
    r"(?:msg|message|mail|letter|text|press|nachricht|briefe?s?|textes?|lettre))"
    r"[ *_.:;!-]*"
)
_BESIDE_NAME = re.compile(r"[ ]?\([^()]{1,30}\)|\A(?:(?:the|la|le|les|die|den|der)[ ]|l['’])", re.IGNORECASE)
"""What stands beside the name of a power: that of its player in brackets, an article."""


def ends_text(line: str) -> bool:
    """Whether a line only says that a text for others ends, in people's own words: `Ende der Nachricht`."""
    return _ENDS.fullmatch(fold(line).folded) is not None


def _almost_ended(lines: Sequence[str], first: int, block: _Block) -> _Block:
    """A text without its end that ends at a line such as END, or is as it is. What is below is not of it."""
    number = next((n for n in range(first + 1, block.last + 1) if ends_text(lines[n])), 0)
    return _Block("", number, ended=True) if number else block


def _in_one_line(line: str) -> list[str]:
    """`PRESS France / a text / ENDPRESS` or `PRESS France: a text /ENDPRESS`, as the lines that it stands for; none if
    it is neither.
    """
    if found := _WHOLE.fullmatch(line.strip()):  # blanks alone are no text, and are refused below
        return [part.strip() for part in found.groups()]
    head, *body = _SLASH.split(line)
    return [head, *body] if len(body) > 1 and body[-1].strip().lower().startswith("end") else []


def _alternatives(words: Iterable[str]) -> str:
    """A pattern for one of these words, blanks in them optional; without words, one that never matches."""
    return "|".join(word.replace(" ", "[ ]?") for word in map(str, words)) or r"(?!)"


def _manner(words: str) -> frozenset[str]:
    return frozenset(MANNERS[word] for word in words.split() if word in MANNERS)


def _forged(text: str, start: int, lexicon: Lexicon | None) -> int:
    """Where the name ends of somebody from whom the text is to be: `PRESS TO G FROM E`; `start` if there is none."""
    found = _FROM.match(text, start)
    if found is None or lexicon is None:
        return start
    names, end = _recipient(text, found.end(), lexicon)
    return end if names else start


def _signed(line: str) -> NotUnderstood:
    problem = f"{shorten(line.strip())!r} was sent to nobody: press is signed here, and nobody can write as another."
    return NotUnderstood(problem, "Where the game allows it, GREY PRESS TO a power is unsigned.", column=1)


def _recipients(text: str, start: int, lexicon: Lexicon | None) -> tuple[tuple[str, ...], int, tuple[int, int] | None]:
    """The recipients named from `start` on, where their list ends, and where a word is that should name a recipient but
    does not.
    """
    to: list[str] = []
    all_but = _ALL_BUT.match(text, start) if lexicon is not None else None
    end = all_but.end() if all_but else start
    while True:
        begin = _end(_JOINT.match(text, end))
        names, stop = _recipient(text, begin, lexicon)
        if not names:
            break
        to.extend(names)
        end = stop
    word = _WORD.match(text, begin)
    expected = not to or text[end:begin].strip()
    unknown = (begin, word.end() if word else begin) if expected and (word or not to) else None
    if all_but and lexicon is not None:
        to = [power for power in lexicon.powers if power not in to]
    return tuple(dict.fromkeys(to)), end, unknown


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found else 0


def _recipient(text: str, begin: int, lexicon: Lexicon | None) -> tuple[tuple[str, ...], int]:
    """The recipients named by the longest name that begins here, and where it ends."""
    words = [*_WORD.finditer(text, begin, begin + 80)][:_NAME_WORDS]
    for word in reversed(words):
        name = re.sub(r"[ ]+", " ", text[begin : word.end()]).rstrip(".!")
        if names := recipients_named(name, lexicon):
            return names, word.end()
    return (), begin


def named_beside_powers(name: str) -> str | None:
    """Whom a name in small letters means in every game: everybody or the gamemaster."""
    return ALL if name in EVERYBODY else GM if name in GM_WORDS else None


def recipients_named(name: str, lexicon: Lexicon | None) -> tuple[str, ...]:
    """The recipients that a name in small letters means: one, or several by their initials (`FGM`, as on other judges);
    none if it has no owner, or several.
    """
    if lexicon is None:
        others = named_beside_powers(name)
        return (others,) if others else (name.upper(),) if " " not in name else ()
    if meant := set(filter(None, (named_beside_powers(name), lexicon.power(name)))):
        return tuple(meant) if len(meant) == 1 else ()
    if len(set(name)) < len(name):
        return ()
    initials = [power[0].lower() for power in lexicon.powers]
    by_initial = dict(zip(initials, lexicon.powers, strict=True)) | {"m": GM}
    if len(set(initials)) < len(initials) or not set(name) <= set(by_initial):
        return ()
    return tuple(by_initial[letter] for letter in name)


def _unended(line: str, kind: str, whole: str) -> NotUnderstood:
    end = f"END{kind.upper()}"
    remedy = f"Nothing of it was sent, and no order in it was read. Send it again with a line {end} after its text."
    problem = f"{shorten(line.strip())!r} begins a text that has no {end}."
    return NotUnderstood(problem, remedy, column=1, mended=f"{whole}\n{end}" if whole else "")


def nobody(word: str, column: int, lexicon: Lexicon | None) -> NotUnderstood:
    """The error about a recipient that there is not."""
    near = lexicon.nearest_power(word) if lexicon and word else None
    names = f"Write ALL, GM or powers: {', '.join(lexicon.powers[:20])}." if lexicon else "Write names of powers."
    problem = f"{word!r} is nobody to send press to." if word else "The press names nobody to send it to."
    remedy = f"Did you mean {near}?" if near else names
    return NotUnderstood(problem, f"{remedy} Nothing of the press was sent.", column=column)


QUOTED = (">", "|")
"""What a line begins with that is quoted."""
MOST = 8
"""The most lines that are looked at for the rest of an order."""
_FULL = 58  # characters; few orders are longer, and few programs break shorter lines
_HEAD = 3  # words; `Builds:`, `Fleet North`


def unbroken(lines: Sequence[str], reading: Callable[[str], Reading]) -> tuple[str, int]:
    """The first of these lines with its rest from those below it, and how many lines that takes. Lines are joined only
    if that makes an order of what was none, or a longer one.
    """
    text, taken, first = lines[0], 1, reading(lines[0])
    headed = not first.orders
    while taken < len(lines):
        full = len(lines[taken - 1].rstrip()) + len(lines[taken].strip().partition(" ")[0]) >= _FULL
        below = list(takewhile(_is_written, lines[taken : taken + _reach(text, first, full=full, headed=headed)]))
        if below and not full and _is_order(below[0], reading):
            break
        joints = [" ".join(line.strip() for line in below[:count]) for count in range(1, len(below) + 1)]
        found = (
            n for n, rest in enumerate(joints, 1) if _goes_on(first, text, rest, reading, full=full, headed=headed)
        )
        if (count := next(found, 0)) == 0:
            break
        text, taken = f"{text.rstrip()} {joints[count - 1]}", taken + count
        first = reading(text)
    return text, taken


_VERB = re.compile(r"\s*[cs]\b", re.IGNORECASE)


def _is_order(line: str, reading: Callable[[str], Reading]) -> bool:
    """Whether a line is an order alone: it belongs to no line above it."""
    alone = reading(line)
    return alone.is_whole and not (alone.loose or alone.heading or _VERB.match(line))


_NUMBERED = re.compile(r"\s*[(\[#]?\d{1,2}[ ]?[\].):]+[ ]*[^\W\d_]")


def _is_written(line: str) -> bool:
    """Whether a line is neither empty nor quoted, and begins no item of its own with a number."""
    return bool(line.strip()) and not line.lstrip().startswith(QUOTED) and _NUMBERED.match(line) is None


def _reach(text: str, first: Reading, *, full: bool, headed: bool) -> int:
    """In how many lines the rest of a line may stand: in two below what is meant as an order and is none."""
    if first.faults and not any(fault.open or fault.meant for fault in first.faults):
        return 0
    if any(fault.meant for fault in first.faults) or (first.faults and first.orders):
        return 2
    if first.orders:
        is_open = isinstance(first.orders[0][1], Support) or (headed and _are_listed(first))
    else:
        is_open = len(text.split()) <= _HEAD
    return 1 if full or is_open else 0


def _are_listed(reading: Reading) -> bool:
    """Whether these orders can be a list with one head: `Build A Par, F Bre`."""
    return all(isinstance(order, Build | Disband) for _, order in reading.orders)


def _goes_on(
    first: Reading, text: str, below: str, reading: Callable[[str], Reading], full: bool, headed: bool
) -> bool:
    """Whether a line and what is below it are one that was broken: together they have a fault less, or none. If there
    is an order below, the line must be meant as one and be none, or be the same order in short (`told_twice`).
    """
    whole = reading(f"{text.rstrip()} {below}")
    if len(whole.faults) > max(len(first.faults) - 1, 0) or whole.loose or not whole.orders:
        return False
    rest, gained = reading(below), len(whole.orders) - len(first.orders)
    if rest.heading is not None:
        return False
    if first.faults:
        meant = full or bool(first.orders) or any(fault.meant for fault in first.faults)
        return gained > 0 and (meant or not rest.orders)
    if rest.orders or not first.orders:
        return bool(first.orders) and full and whole.told_twice and not first.told_twice
    if gained:
        return gained == 1 and headed and _are_listed(whole)
    return full or (isinstance(first.orders[0][1], Support) and first.orders != whole.orders)


_IF = re.compile(r"[\W_]*if\b", re.IGNORECASE)
_CHOSEN = re.compile(r"[\W_]*(?:then|else|otherwise)\b", re.IGNORECASE)
_ENDIF = re.compile(r"[\W_]*end[ ]?if\b", re.IGNORECASE)


def divides(text: str) -> bool:
    """Whether a line divides the orders of a condition: THEN, ELSE, ENDIF."""
    return (_CHOSEN.match(text) or _ENDIF.match(text)) is not None


class Condition:
    """The last IF among lines of orders for the present phase, which can have no conditions: what it is for must not be
    acted on without it.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._ends = [number for number, line in enumerate(lines, 1) if _ENDIF.match(line)]
        self._holds = False
        self._end = 0
        """The number of the line with ENDIF, 0 without one."""

    def covers(self, number: int, text: str, *, ordered: bool) -> bool:
        """Whether a line depends on a condition above; all lines are asked for in turn. `ordered`: it has orders."""
        if _IF.match(text):
            below = bisect_right(self._ends, number)
            self._holds, self._end = True, next(iter(self._ends[below : below + 1]), 0)
            return False
        covered = self._holds and (number < self._end or _CHOSEN.match(text) is not None)
        self._holds = self._holds and (covered or not ordered)
        return covered


# ---- options of games, `move=2d` or `press: white`: below the command that takes them, or astray

_OPTION = re.compile(r"[ \t]*(?P<key>[A-Za-z][\w -]{0,30}?)[ \t]*(?P<sign>[:=])[ \t]*(?P<value>\S.*)")


def options_in(lines: Sequence[str], named: Callable[[str], str | None]) -> tuple[list[tuple[str, str]], bool]:
    """The options with which these lines begin, up to an empty line, END or any other line, such as another command
    (`SET press=none`, `fox: START`), which `named` knows; and whether END follows.
    """
    options: list[tuple[str, str]] = []
    for line in lines:
        found = _OPTION.fullmatch(line)
        if found is None or (" " in found["key"] and named(found["key"])) or _names_a_game(found, named):
            return options, line.strip().upper() == "END"
        each = list(map(_OPTION.fullmatch, _BETWEEN_OPTIONS.split(line.strip())))
        known = [one for one in each if one is not None and one["key"].lower() in _names()]
        one_by_one = known if len(known) == len(each) else [found]
        options += ((one["key"].lower(), one["value"].strip()) for one in one_by_one)
    return options, False


_BETWEEN_OPTIONS = re.compile(r"(?<![ ,])[ ,]++(?=[a-z-]{1,30}=)", re.IGNORECASE)
"""Between options in one line: `at=9pm zone=Berlin`."""


def _names_a_game(found: re.Match[str], named: Callable[[str], str | None]) -> bool:
    """Whether the line is a command for a game, `fox: START`, rather than an option."""
    return found["sign"] == ":" and found["key"].lower() not in _names() and named(found["value"]) is not None


def check_astray(line: str, syntaxes: Mapping[str, Syntax], *, refused_above: bool) -> None:
    """Raises NotUnderstood for an option of a game that is below no command which takes it. `refused_above`: the line
    above was not understood, so it may have been such a command; then any `key=value` is taken for an option.
    """
    found = _OPTION.fullmatch(line)
    if found is None or (found["sign"] == ":" and not refused_above):
        return
    if found["key"].lower() in _names() or (refused_above and found["sign"] == "=" and " " not in found["key"]):
        *others, last = (syntax.title for syntax in syntaxes.values() if syntax.takes_options)
        where = f"{', '.join(others)} or {last}"
        raise NotUnderstood(
            f"No {where} that was understood is directly above this option.",
            f"Write options on the line of {where}, or directly below it, one a line.",
        )


@cache
def _names() -> frozenset[str]:
    return frozenset(name for game in all_variants().values() for name in known_options(game))
