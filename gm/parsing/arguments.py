"""The arguments of commands that have a grammar, `grammars/commands.lark`: one maker for each of its rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from gm.errors import NotUnderstood
from gm.parsing.complaints import stopped_at
from gm.parsing.folding import shorten
from gm.parsing.forms import title, written
from gm.parsing.grammar import grammar_text
from gm.parsing.lexicon import Lexicon

_TIME = re.compile(
    r"(?:[+\d]|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b"
    r"|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)"
    r"(?:uary|ruary|ch|il|ust|ember|tember|ober)?\b|(?:today|tomorrow|tonight|next|in|at|on|to|by|until|noon|midnight|none|never|off|yes|no)\b)",
    re.IGNORECASE,
)
_PHASE = re.compile(r"[a-z]\d{3,5}[a-z]?", re.IGNORECASE)
_ADDRESS = re.compile(r"[^@\s<>]+@[^@\s<>]+")


@dataclass(frozen=True, slots=True)
class Command:
    """A command by its name, with its arguments by theirs."""

    name: str
    args: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def command(command: str, /, **args: Any) -> Command:
    """A command with these arguments."""
    return Command(command, MappingProxyType(args))


def with_grammar() -> frozenset[str]:
    """The commands that have a rule in the grammar."""
    return frozenset(name for name in vars(_Maker) if not name.startswith("_")) | {"start"}


def read(line: str, text: str, name: str, lexicon: Lexicon | None) -> Command:
    """The command that a line is, from its printable text. Raises NotUnderstood when it is not complete."""
    try:
        tree = _parser().parse(text)
        made: Command = _Maker(lexicon).transform(tree)
    except UnexpectedInput as stop:
        raise malformed(line, name, stopped_at(stop, len(text)) + 1) from None
    except VisitError as error:
        raise error.orig_exc from None
    return made


def malformed(line: str, name: str, column: int = 1) -> NotUnderstood:
    """The complaint about a command that lacks something, or has too much."""
    problem = f"{shorten(line.strip())!r} is not a complete {title(name)} command."
    return NotUnderstood(problem, f"Write {written(name)}.", column=column)


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
        return command("register", name=" ".join(name.split()))

    def timezone(self, zone: Token) -> Command:
        return command("timezone", zone=" ".join(zone.split()))

    def join(self, game: Token, power: Token | None) -> Command:
        wanted = " ".join(power.split()) if power else None
        return command("join", game=str(game), power=self._power(wanted) if wanted else None, password=None)

    def status(self, game: Token | None) -> Command:
        return command("status", game=_text(game))

    def list(self, state: Token | None) -> Command:
        return command("list", state=state.lower() if state else None)

    def help(self, topic: Token | None) -> Command:
        return command("help", topic=_text(topic))

    def resign(self, game: Token | None) -> Command:
        return command("resign", game=_text(game))

    def clear(self) -> Command:
        return command("clear")

    def wait(self) -> Command:
        return command("wait")

    def ready(self) -> Command:
        return command("ready")

    def game(self, game: Token) -> Command:
        return command("game", game=str(game))

    def address(self, what: Token | None, address: Token | None) -> Command:
        named = address.strip("<>") if address else None
        return command("address", what=what.lower() if what else "use" if named else "list", address=named)

    def set(self, *options: tuple[str, str]) -> Command:
        return command("set", options=dict(options))

    def preferences(self, *options: tuple[str, str]) -> Command:
        return command("preferences", options=dict(options))

    def create(self, game: Token, *options: tuple[str, str]) -> Command:
        return command("create", game=str(game), options=dict(options))

    def option(self, key: Token, value: Token) -> tuple[str, str]:
        return key.rstrip("= ").lower(), value.strip('"')

    def start_game(self, game: Token | None) -> Command:
        return command("start", game=_text(game))

    def deadline(self, rest: Token) -> Command:
        game, when = _game_and_time(str(rest))
        if not when:
            raise malformed(f"DEADLINE {rest}", "deadline")
        return command("deadline", game=game, when=when)

    def extend(self, rest: Token) -> Command:
        game, by = _game_and_time(str(rest))
        if not by:
            raise malformed(f"EXTEND {rest}", "extend")
        return command("extend", game=game, by=re.sub(r"^by[ ]+", "", by, flags=re.IGNORECASE))

    def process(self, first: Token | None, second: Token | None = None) -> Command:
        if second is None and first is not None and _PHASE.fullmatch(first):
            return command("process", game=None, phase=first.upper())
        return command("process", game=_text(first), phase=second.upper() if second else None)

    def replace(self, *words: Token) -> Command:
        *named, address = map(str, words)
        if not _ADDRESS.fullmatch(address.strip("<>")):
            column = (words[-1].start_pos or 0) + 1
            raise NotUnderstood(
                f"{shorten(address)!r} is no mail address.", f"Write {written('replace')}.", column=column
            )
        game = named.pop(0) if len(named) > 1 and self._known(" ".join(named)) is None else None
        return command("replace", game=game, power=self._power(" ".join(named)), address=address.strip("<>").lower())

    def end(self) -> Command:
        return command("end")

    def _known(self, words: str) -> str | None:
        return self._lexicon.power(words) if self._lexicon else None

    def _power(self, words: str) -> str:
        return self._known(words) or words


def _text(token: Token | None) -> str | None:
    return " ".join(token.split()) if token is not None else None


def _game_and_time(rest: str) -> tuple[str | None, str]:
    """Divide `spring 2026-12-01 18:00` into an optional game's name and the words that say when or how long."""
    words = rest.split()
    if _TIME.match(words[0]):
        return None, " ".join(words)
    return words[0], " ".join(words[1:])
