"""One line that is a command, `JOIN spring AS FRANCE`: its name and arguments. What it does is in `gm.commands`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from gm.errors import NotUnderstood
from gm.parsing.complaints import stopped_at
from gm.parsing.grammar import grammar_text
from gm.parsing.lexicon import Lexicon
from gm.parsing.prose import FUNCTION_WORDS, PROSE
from gm.parsing.script import fold, shorten

FORMS = {
    "register": "REGISTER your name",
    "timezone": "TIMEZONE Europe/Berlin",
    "join": "JOIN game, or JOIN game AS power",
    "status": "STATUS, or STATUS game",
    "list": "LIST",
    "help": "HELP, or HELP topic",
    "resign": "RESIGN, or RESIGN game",
    "clear": "CLEAR",
    "wait": "WAIT",
    "ready": "READY",
    "game": "GAME name",
    "create": "CREATE game key=value key=value ...",
    "start": "START, or START game",
    "deadline": "DEADLINE 2026-12-01 18:00, or DEADLINE game 2026-12-01 18:00",
    "extend": "EXTEND 24h, EXTEND game 2 days, or EXTEND UNTIL 2026-12-01 18:00",
    "process": "PROCESS, or PROCESS game F1901M",
    "replace": "REPLACE power WITH address",
    "press": "PRESS TO power, power, then the text, then ENDPRESS",
    "broadcast": "BROADCAST, then the text, then ENDPRESS",
    "end": "END",
}
"""Every command with the form it is written in."""

_SYNONYMS = {"withdraw": "resign", "nowait": "ready", "signoff": "end", "set": "wait", "zone": "timezone", "?": "help"}
_ELSEWHERE = {
    "signon": "join", "activate": "start", "form": "start", "begin": "start", "eject": "replace", "takeover": "join",
    "who": "status", "info": "status", "games": "list", "delay": "extend", "adjudicate": "process",
    "quit": "resign", "surrender": "resign", "message": "press", "msg": "press", "tell": "press", "unready": "wait",
}  # fmt: skip
"""What other judges and players call a command, to the name it has here."""

MAXIMAL_LENGTH = 4_000
_LONGEST_NAME = {"register": 5, "help": 2}
"""How many words may follow before they are looked at: `Register Will May` is no sentence."""

_TIME_WORDS = frozenset(("until", "on", "before", "after", "for", "from"))
_OWN_WORDS = {"extend": _TIME_WORDS, "deadline": _TIME_WORDS, "resign": frozenset(("from",))}
"""Words of sentences that a command has too."""

_FIRST = re.compile(r"[ *]*(\?(?=[ ]|$)|time zone|no wait|sign off|[a-z]+(?![a-z?]))")
_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_COURTESY = re.compile(r"\b(?:please|pls|thanks|thank you)$", re.IGNORECASE)
_TIME = re.compile(
    r"(?:[+\d]|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b"
    r"|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)"
    r"(?:uary|ruary|ch|il|ust|ember|tember|ober)?\b|(?:today|tomorrow|tonight|next|in|at|on|to|by|until|noon|midnight|none|never|off)\b)",
    re.IGNORECASE,
)
_PHASE = re.compile(r"[a-z]\d{3,5}[a-z]?", re.IGNORECASE)
_ADDRESS = re.compile(r"[^@\s<>]+@[^@\s<>]+")


@dataclass(frozen=True, slots=True)
class Command:
    """A command by its name, with its arguments by theirs."""

    name: str
    args: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def parse_command(line: str, lexicon: Lexicon | None) -> Command | None:
    """The command that a line is; None for a line that is none. Raises NotUnderstood for one that is not complete."""
    folded = fold(line[:MAXIMAL_LENGTH]).folded
    first = _FIRST.match(folded)
    if first is None:
        return None
    word = first.group(1).replace(" ", "")
    name = _SYNONYMS.get(word, word)
    if name not in FORMS or name in ("press", "broadcast"):
        _complain_of_unknown(line, folded, word)
        return None
    try:
        command = _read(line[:MAXIMAL_LENGTH], name, lexicon)
    except NotUnderstood:
        if _is_talk(line, folded, name):
            return None
        raise
    return None if _is_talk(line, folded, name) else command


def _complain_of_unknown(line: str, folded: str, word: str) -> None:
    """Raise NotUnderstood if the line looks like a command: its first word is nearly one, or is one elsewhere."""
    if len(word) <= 2 or word in FORMS:
        return
    words = folded.split()
    head = line.split(maxsplit=1)[0]
    shouted = head.isupper()
    plain = 1 < len(words) <= 3 and not line.rstrip().endswith((",", ".", "!", "?")) and PROSE.isdisjoint(words)
    if len(words) > 6 or not (shouted or plain):
        return
    known = _ELSEWHERE.get(word) if shouted else None
    for name in [known] if known else get_close_matches(word, FORMS, n=1, cutoff=0.75):
        remedy = f"Did you mean {name.upper()}? It is written: {FORMS[name]}."
        raise NotUnderstood(f"{shorten(head)!r} is not a command here.", remedy, column=line.index(head) + 1)


def _read(line: str, name: str, lexicon: Lexicon | None) -> Command:
    text = _without_courtesy("".join(c if c.isprintable() else " " for c in line))
    try:
        tree = _parser().parse(text)
        command: Command = _Maker(lexicon).transform(tree)
    except UnexpectedInput as stop:
        raise _malformed(line, name, stopped_at(stop, len(text)) + 1) from None
    except VisitError as error:
        raise error.orig_exc from None
    return command


def _without_courtesy(text: str) -> str:
    """The text without full stops and thanks at its end."""
    while True:
        text = text.rstrip(" ,.;!")
        found = _COURTESY.search(text, max(0, len(text) - 12))
        if found is None:
            return text
        text = text[: found.start()]


def _malformed(line: str, name: str, column: int = 1) -> NotUnderstood:
    problem = f"{shorten(line.strip())!r} is not a complete {name.upper()} command."
    return NotUnderstood(problem, f"Write {FORMS[name]}.", column=column)


def _is_talk(line: str, folded: str, name: str) -> bool:
    """Whether a line that begins like a command is a sentence. A first word alone in capitals says it is a command."""
    if line.rstrip().endswith("?") and name not in ("help", "status", "list"):
        return True
    if line.split(maxsplit=1)[0].isupper() and not line.isupper():
        return False
    words = set(_WORDS.findall(folded)[1:]) - _OWN_WORDS.get(name, frozenset())
    return len(words) > _LONGEST_NAME.get(name, 0) and not FUNCTION_WORDS.isdisjoint(words)


@cache
def _parser() -> Lark:
    return Lark(grammar_text("commands"), parser="lalr", lexer="contextual", maybe_placeholders=True)


@v_args(inline=True)
class _Maker(Transformer[Token, Command]):
    """One method for each rule of `commands.lark`."""

    def __init__(self, lexicon: Lexicon | None) -> None:
        super().__init__()
        self._lexicon = lexicon

    def start(self, command: Command) -> Command:
        return command

    def register(self, name: Token) -> Command:
        return _command("register", name=" ".join(name.split()))

    def timezone(self, zone: Token) -> Command:
        return _command("timezone", zone=" ".join(zone.split()))

    def join(self, game: Token, power: Token | None) -> Command:
        wanted = " ".join(power.split()) if power else None
        return _command("join", game=str(game), power=self._power(wanted) if wanted else None, password=None)

    def status(self, game: Token | None) -> Command:
        return _command("status", game=_text(game))

    def list(self) -> Command:
        return _command("list")

    def help(self, topic: Token | None) -> Command:
        return _command("help", topic=_text(topic))

    def resign(self, game: Token | None) -> Command:
        return _command("resign", game=_text(game))

    def clear(self) -> Command:
        return _command("clear")

    def wait(self) -> Command:
        return _command("wait")

    def ready(self) -> Command:
        return _command("ready")

    def game(self, game: Token) -> Command:
        return _command("game", game=str(game))

    def create(self, game: Token, *options: tuple[str, str]) -> Command:
        return _command("create", game=str(game), options=dict(options))

    def option(self, key: Token, value: Token) -> tuple[str, str]:
        return key.rstrip("= ").lower(), value.strip('"')

    def start_game(self, game: Token | None) -> Command:
        return _command("start", game=_text(game))

    def deadline(self, rest: Token) -> Command:
        game, when = _game_and_time(str(rest))
        if not when:
            raise _malformed(f"DEADLINE {rest}", "deadline")
        return _command("deadline", game=game, when=when)

    def extend(self, rest: Token) -> Command:
        game, by = _game_and_time(str(rest))
        if not by:
            raise _malformed(f"EXTEND {rest}", "extend")
        return _command("extend", game=game, by=re.sub(r"^by[ ]+", "", by, flags=re.IGNORECASE))

    def process(self, first: Token | None, second: Token | None = None) -> Command:
        if second is None and first is not None and _PHASE.fullmatch(first):
            return _command("process", game=None, phase=first.upper())
        return _command("process", game=_text(first), phase=second.upper() if second else None)

    def replace(self, *words: Token) -> Command:
        *named, address = map(str, words)
        if not _ADDRESS.fullmatch(address.strip("<>")):
            column = (words[-1].start_pos or 0) + 1
            raise NotUnderstood(
                f"{shorten(address)!r} is no mail address.", f"Write {FORMS['replace']}.", column=column
            )
        game = named.pop(0) if len(named) > 1 and self._known(" ".join(named)) is None else None
        return _command("replace", game=game, power=self._power(" ".join(named)), address=address.strip("<>").lower())

    def end(self) -> Command:
        return _command("end")

    def _known(self, words: str) -> str | None:
        return self._lexicon.power(words) if self._lexicon else None

    def _power(self, words: str) -> str:
        return self._known(words) or words


def _command(command: str, /, **args: Any) -> Command:
    return Command(command, MappingProxyType(args))


def _text(token: Token | None) -> str | None:
    return " ".join(token.split()) if token is not None else None


def _game_and_time(rest: str) -> tuple[str | None, str]:
    """Divide `spring 2026-12-01 18:00` into an optional game's name and the words that say when or how long."""
    words = rest.split()
    if _TIME.match(words[0]):
        return None, " ".join(words)
    return words[0], " ".join(words[1:])
