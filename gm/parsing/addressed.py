"""To whom a sentence speaks, and what it would say to them: `tell Italy that I agree`, `an alle: hallo`, `ask F: ok?`

Nothing is sent for it: it is offered to the writer as press.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gm.parsing.lexicon import Lexicon, fold
from gm.parsing.several_lines import recipients_named

_SAYING = (
    "tell|ask|inform|write|say|message|msg|mail|pr|press|presse|send|forward|fwd|reply|answer|let|sage?|sagt|sagen"
    "|frage?|fragen|schreibe?|schreiben|antworte?|antworten|antwort|nachricht|richte|informiere|dis|dire|dites|demandez?|demander|ecrire"
    "|ecris|ecrivez|reponds|repondez|reponse|transmets|transmettez|presse"
)
_TO = "to|an|a|for|fuer|fur|pour|the|den|dem|der|die|la|le|les|au|aux"
_LATER = r"ausrichten|mitteilen|weitersagen|know\b"
_NAMES = r"(?P<names>[^\W\d_]{1,20}(?:(?:[ ]{0,3}[,&+/][ ]{0,3}|[ ]{1,3}(?:and|und|et)[ ]{1,3})[^\W\d_]{1,20}){0,6})"
_HEAD = re.compile(
    rf"(?<![^;])[ ]{{0,3}}(?:(?:please|bitte|hi|hey|ok)[ ,]+)?(?:(?:{_SAYING})[ ]{{1,3}})?"
    rf"(?:(?:{_TO})[ ]{{1,3}})?(?:l')?{_NAMES}[ ]{{0,3}}:[ ]{{0,3}}"
)
_TOLD = re.compile(
    rf"\b(?:{_SAYING})[ ]{{1,3}}(?:(?:press|message|msg|mail|please|bitte|this|that|it|{_TO})[ ]{{1,3}}){{0,4}}"
    rf"(?:l')?{_NAMES}\b"
)
_PASSED_ON = re.compile(rf"(?<![^ ]){_NAMES}[ ]{{1,3}}(?:[a-z]+[ ]{{1,3}}){{0,3}}(?:{_LATER})")
_HOW = re.compile(r"\b(?:how|wie|comment)\b")
_JOINT = re.compile(r"[ ]{0,3}[,&+/][ ]{0,3}|[ ]{1,3}(?:and|und|et)[ ]{1,3}")
_THAT = re.compile(
    r"[ ,:]{0,5}(?:(?:that|dass|das|que|know|if|bitte|please|ausrichten|mitteilen|and say|to)\b[ ,:]{0,5}){0,5}"
)
_EVERYBODY = frozenset(
    ("alle", "allen", "jeden", "tous", "toutes", "everyone", "everybody", "all", "global", "public", "chat")
)


class Addressed(NamedTuple):
    """The recipients, as press names them, the text for them, and what the sentence says before it speaks to them."""

    to: tuple[str, ...]
    text: str
    before: str


def addressed(sentence: str, lexicon: Lexicon) -> Addressed:
    """To whom a sentence speaks; no recipients if it speaks to nobody in the game."""
    script = fold(sentence)
    text = script.folded
    for pattern in (_HEAD, _TOLD, _PASSED_ON):
        for found in pattern.finditer(text):
            if _HOW.search(text, 0, found.start()):
                break  # `how do I write to Turkey?` says nothing to Turkey
            to, end = _named(found["names"], lexicon, letters={_HEAD: _LETTERS, _TOLD: 1}.get(pattern, 0))
            if to and (pattern is not _HEAD or end == len(found["names"])):
                begin = found.start("names") + end if pattern is _TOLD else found.end()
                said = _THAT.match(text, begin)
                begins = script.column(said.end() if said else begin) - 1
                return Addressed(to, sentence[begins:].strip(), sentence[: script.column(found.start()) - 1].strip())
    return Addressed((), "", sentence)


def _named(names: str, lexicon: Lexicon, *, letters: int) -> tuple[tuple[str, ...], int]:
    """The recipients named first in a list, and where the last of them ends. So many `letters` may be initials:
    `ask me` does not speak to GM and England.
    """
    to: dict[str, None] = {}
    end = at = 0
    for name in _JOINT.split(names):
        at = names.index(name, at)
        found = ("ALL",) if name in _EVERYBODY else recipients_named(name, lexicon)
        initials = lexicon.power(name) is None and len(name) < _BEGINNING
        found = found if not initials or len(name) <= letters else ()
        found = found or _begun(name, lexicon)
        if not found:
            break
        to |= dict.fromkeys(found)
        at = end = at + len(name)
    return tuple(to), end


_BEGINNING, _LETTERS = 3, 2


def _begun(name: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The power of which this is the beginning of its name, if it is of no other's: `Eng`."""
    powers = [str(power) for power in lexicon.powers if fold(power).folded.startswith(name)]
    return tuple(powers) if len(name) >= _BEGINNING and len(powers) == 1 else ()
