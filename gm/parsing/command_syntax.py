"""The syntax of a command: its forms, compiled to Lark rules, and how help shows them.

    JOIN game:GAME [(AS) power:WISHES]      two arguments; the second may be left out, and so may the word before it
    ABSENCE | ABSENCE none:NO|OFF           alternatives, separated by " | "; NO or OFF is the argument's value
    REPLACE game,power:SEAT WITH|BY to:ADDRESS    one piece of text with two values; either word

Words in capitals are keywords, accepted in any case. `[...]` is optional. `(...)` is optional as well, and is not shown
in help. Types in capitals are terminals or rules of `grammars/commands.lark`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from functools import cache, cached_property
from itertools import product, takewhile
from typing import NamedTuple

from lark import Lark

from gm.errors import NotUnderstood
from gm.options.table import OTHER_NAMES
from gm.parsing.grammar import grammar_text
from gm.parsing.lexicon import shorten
from gm.variants import all_variants

SAYS_WHY = re.compile(r"(?<![ ,:])[ ,:]*+\b(?=because\b)", re.IGNORECASE)
"""What stands before the reason in a command's own line: `EXTEND 24h because the server was down`."""


class Sentences(Enum):
    """How a line that begins with the command's word is distinguished from a sentence that begins with it.

    In the first two, the command's word in capitals, with lower case after it, marks a command; and so does, in all but
    the last, an address, an option or a day where the command takes one (`gm.parsing.sentences`).
    """

    RARE = "function words"
    """A sentence has a word that occurs only in sentences."""
    COMMON = "prose"
    """In lower case, a command is short and has no word that is common in prose."""
    UNLESS_WHOLE = "whole"
    """A line that does not match the form is a sentence, or in capitals an error."""
    UNLESS_EXACT = "exact"
    """A line that does not match the form is a sentence."""


@dataclass(frozen=True, slots=True)
class Orders:
    """Lines of orders follow the command, until an END line or the next such command, or (`to_gap`) until an empty line
    or any command. `headings` are names of commands that head orders among these lines.
    """

    to_gap: bool = False
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """A text follows the command, until an END line; see `gm.parsing.several_lines`.

    `kind` is the command that handles it, and the word after END. `addressed`: TO and recipients follow the word;
    otherwise the text is for all. `mannered`: words such as GREY may precede it. `instead`: words that may follow it
    and make it a command on one line.
    """

    kind: str
    addressed: bool = False
    mannered: bool = False
    instead: tuple[str, ...] = ()


@dataclass(frozen=True)
class Syntax:
    """How a command is written and distinguished from small talk.

    `form` is empty for what has no line of its own: orders, and texts. `examples` are shown to people; if there are
    none they are made from the form. An example of several lines is a block.
    """

    form: str = ""
    examples: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    """Other words for the command; blanks in them are optional."""
    shorthands: Mapping[str, str] | None = None
    """Words that mean the command and its first argument: {"no draw": "NO"}."""
    elsewhere: tuple[str, ...] = ()
    """Its names on other judges; these words are answered with the right name."""
    loud: tuple[str, ...] = ()
    """Those of its words that also begin sentences; they are recognized only in capitals."""
    after_set: bool = False
    """SET may precede it: SET DRAW."""
    asks: bool = False
    """It may end with a question mark."""
    sentences: Sentences = Sentences.COMMON
    sentence_words: frozenset[str] = frozenset()
    """Words of sentences that its arguments may contain."""
    name_words: int = 0
    """The number of words after it that are not checked: `Register Will May` is not a sentence."""
    below: Orders | Text | None = None
    says_why: bool = False
    """A line may follow the command that says why: `BECAUSE the map was wrong`. The command knows it, not its form."""
    people_below: str = ""
    """The command that lines of addresses directly below it stand for."""
    ends_mail: bool = False
    """The text after it is not parsed."""
    ends_orders: bool = False
    """Lines of orders below a command above it end at it: they are not for what is below it."""

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The alternatives of the form, without the command's own word."""
        return tuple(form.removeprefix(self.title).strip() for form in self.form.split(" | "))

    @cached_property
    def title(self) -> str:
        """The command's word or words in capitals, as in its form."""
        return " ".join(takewhile(re.compile("[A-Z]+").fullmatch, self.form.split()))

    @cached_property
    def keywords(self) -> frozenset[str]:
        """The keywords in its form after the command's own word, in lower case."""
        pieces = (piece for form in self.forms for piece in _PIECE.finditer(form) if not _is_typed(piece))
        return frozenset(word.lower() for piece in pieces for word in piece["words"].split("|"))

    @cached_property
    def types(self) -> frozenset[str]:
        """The types of its arguments."""
        return frozenset(kind for form in self.forms for _, kind in arguments_of(form))

    @property
    def phase_in_words(self) -> bool:
        """Whether one of its arguments is a phase in any words, which have no name of a game among them."""
        return "phase:WORDS" in self.form

    @property
    def has_any_words(self) -> bool:
        """Whether words of any kind stand behind it, so that few lines which begin with it are sentences: NOTE."""
        return self.sentences is Sentences.UNLESS_EXACT and "WORDS" in self.types

    @property
    def is_text(self) -> bool:
        """Whether it gives a text: below it, or on its line."""
        return isinstance(self.below, Text) or "text:WORDS" in self.form

    @property
    def carries(self) -> bool:
        """Whether another command stands behind it, on its line."""
        return "line:WORDS" in self.form

    @property
    def takes_options(self) -> bool:
        """Whether lines `key: value` may follow it."""
        return ":OPTIONS" in self.form

    @property
    def usage(self) -> tuple[str, ...]:
        """The lines that show how the command is written."""
        return tuple(line for example in self.shown for line in example.split("\n"))

    @property
    def written(self) -> str:
        """How the command is written, for an error message: `JOIN game, or JOIN game AS power`."""
        if self.below is not None:
            return ", then ".join(self.shown[0].split("\n"))
        return ", or ".join(self.shown)

    @property
    def shown(self) -> tuple[str, ...]:
        """The ways to write the command, as shown in help; with several lines if something follows below it."""
        ways = (f"{self.title} {way}".rstrip() for form in self.forms for way in _ways(form))
        return self.examples or tuple(dict.fromkeys(ways))


_PIECE = re.compile(
    r"(?P<silent>\()?(?:(?<![a-z_,])(?P<names>[a-z_,]++):)?(?P<words>[A-Z_]+(?:\|[A-Z_]+)*)(?(silent)\))"
)
"""A keyword, or an argument with its names; the brackets of optional parts are not included."""


def _ways(form: str) -> Iterator[str]:
    """The ways to write a form: without and with each part in brackets, arguments by their names."""
    shown = _PIECE.sub(lambda piece: "" if piece["silent"] else _called(piece), form)
    parts = re.split(r"\[([^\[\]]*+)\]", shown)
    for kept in product((False, True), repeat=len(parts) // 2):
        said = (part for number, part in enumerate(parts) if number % 2 == 0 or kept[number // 2])
        yield " ".join(" ".join(said).split())


def _called(piece: re.Match[str]) -> str:
    return piece["names"].rpartition(",")[2] if _is_typed(piece) else piece["words"].partition("|")[0]


def _is_typed(piece: re.Match[str]) -> bool:
    """Whether the piece is an argument with a type, and not a keyword or a choice of words."""
    return bool(piece["names"]) and piece["words"] in _types()


# ---- the words of commands in a line


def spellings(syntax: Syntax, name: str) -> set[str]:
    """All ways to write a command's word or words, in lower case."""
    return {syntax.title.lower() or name, *syntax.synonyms, *(syntax.shorthands or ())}


def _pattern(words: set[str]) -> str:
    """A pattern for these words, longest first; blanks in them are optional. Without words, it matches nothing."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace(r"\ ", "[ ]?") for word in longest_first) or "(?!)"


def first_word(syntaxes: Mapping[str, Syntax]) -> re.Pattern[str]:
    """A pattern for the beginning of a command: several words or none of letters, or any single word, perhaps misspelt.

    A word before a question mark is small talk (`Draw?`), except for a command that asks (`STATUS?`).
    """
    words = {word for name, syntax in syntaxes.items() for word in spellings(syntax, name)}
    several, signs = {word for word in words if " " in word}, {word for word in words if not word[0].isalpha()}
    asking = {word for name, syntax in syntaxes.items() if syntax.asks for word in spellings(syntax, name)} - signs
    ways = (
        rf"(?:{_pattern(signs)})(?=[ ]|$)",
        rf"(?:{_pattern(several)})(?![a-z])",
        rf"(?:{_pattern(asking)})(?=[?][? ]*$)",
        "[a-z]+(?![a-z?])",
    )
    return re.compile(rf"[ *]*(?P<word>{'|'.join(ways)})")


def word_behind_set(syntaxes: Mapping[str, Syntax]) -> re.Pattern[str]:
    """A pattern for SET before a command that allows it. `SET draw=dias` is an option of the game."""
    words = {word for name, syntax in syntaxes.items() if syntax.after_set for word in spellings(syntax, name)}
    return re.compile(rf"[ *]*set[ ]+(?=(?:{_pattern(words)})(?![a-z])(?![ ]*=))")


def end_of_block(syntaxes: Mapping[str, Syntax]) -> re.Pattern[str]:
    """A pattern for the line that ends lines of orders below a command: END, ENDPHASE, END ORDERS."""
    blocks = {name: syntax for name, syntax in syntaxes.items() if isinstance(syntax.below, Orders)}
    words = {word for name, syntax in blocks.items() for word in spellings(syntax, name)}
    words |= {syntax.title.lower().partition(" ")[0] for syntax in blocks.values()}
    return re.compile(rf"[ \t]*end[ -]?(?:{_pattern(words)})?[ \t.:;!]*", re.IGNORECASE)


# ---- the grammar


def command_parser(syntaxes: Mapping[str, Syntax]) -> Lark:
    """One LALR parser for what follows the word of each command; each command is a start symbol, by name.

    The tree of a command is named by the number of its form, and has a child for each argument, or None. The phases of
    all games are accepted.
    """
    spoken = {name: syntax for name, syntax in syntaxes.items() if syntax.form}
    terminals: dict[str, str] = {}
    rules = []
    for name, syntax in spoken.items():
        forms = (f"{_expansion(form, terminals)} -> form_{number}" for number, form in enumerate(syntax.forms))
        rules.append(f"{name}: {' | '.join(forms)}")
    kinds = [game.language.kinds for game in all_variants().values()]
    seasons = {word for each in kinds for word in each.seasons_by_word}
    terminals["_SEASON"] = rf"_SEASON: /(?:{'|'.join(sorted(seasons))})(?![^\s,;])/i"
    phases = {"of", "phase"}.union(*(each.phases_by_word for each in kinds))
    terminals["_KIND"] = rf"_KIND: /(?:{'|'.join(sorted(phases))})(?![^\s,;])/i"
    text = "\n".join((grammar_text("commands"), *rules, *terminals.values()))
    return Lark(text, parser="lalr", lexer="contextual", maybe_placeholders=True, start=list(spoken))


def arguments_of(form: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """The arguments of a form, in order: their names, and the type; the type is "" for a choice of words."""
    pieces = (piece for piece in _PIECE.finditer(form) if piece["names"])
    return tuple((tuple(piece["names"].split(",")), piece["words"] if _is_typed(piece) else "") for piece in pieces)


def _expansion(form: str, terminals: dict[str, str]) -> str:
    """The right-hand side of a rule: the pieces of a form as symbols. Its keywords are added to `terminals`."""
    if rest := _PIECE.sub("", form).strip("[] "):
        raise ValueError(f"{rest!r} in {form!r} is nothing that a command's form can have")
    return _PIECE.sub(lambda piece: _symbol(piece, terminals), form)


def _symbol(piece: re.Match[str], terminals: dict[str, str]) -> str:
    """The symbol of a piece. A keyword's begins with `_`, so that the tree contains only arguments."""
    words = piece["words"]
    if _is_typed(piece):
        return _types()[words]
    name = f"{'' if piece['names'] else '_'}WORD_{words.replace('|', '_')}"
    terminals[name] = f"{name}.9: /(?:{words.lower()})(?![^\\s,;])/i"
    return name + ("?" if piece["silent"] else "")


@cache
def _types() -> Mapping[str, str]:
    """The types of arguments by their names in forms, and their symbols in the grammar."""
    names = re.findall(r"^(\w+)(?:\.\d+)?:", grammar_text("commands"), re.MULTILINE)
    return {name.upper(): name for name in names}


def single(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Options by their names, whatever else these are called. Raises NotUnderstood for one that has two different
    values.
    """
    options: dict[str, str] = {}
    for said, value in pairs:
        name = OTHER_NAMES.get(said.lower(), said)
        if options.setdefault(name, value) != value:
            problem = f"{name} has two values here, {shorten(options[name])!r} and {shorten(value)!r}."
            raise NotUnderstood(problem, f"Nothing of this was done. Write {name} once.")
    return options


class Guest(NamedTuple):
    """An address with the name in front of it, or "", and the power behind it."""

    email: str
    name: str = ""
    power: str | None = None


def almost_opens(line: str, syntaxes: Mapping[str, Syntax]) -> bool:
    """Whether a line begins almost like a command with lines of orders below it."""
    words = line.split()
    titles = ((one.title or name).lower() for name, one in syntaxes.items() if isinstance(one.below, Orders))
    return any(get_close_matches(" ".join(words[: title.count(" ") + 1]), [title], cutoff=0.75) for title in titles)


def what_is_wrong(title: str, syntax: Syntax, line: str, text: str, at: int) -> str:
    """What is wrong with a line: the word of the text at which it was not understood, or that it lacks something."""
    if text[at:].strip():
        return f"{shorten(text[text.rfind(' ', 0, at) + 1 :].split()[0])!r} is not understood in this {title} command."
    if text and syntax.types & {"WHEN", "DURATION"}:
        return f"There is no time in {shorten(text)!r} that was understood."
    return f"{shorten(line.strip())!r} is not a complete {title} command."
