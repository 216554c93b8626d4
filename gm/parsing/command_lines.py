"""Parses one line that is a command, `JOIN spring AS FRANCE`: its name and arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

from lark import Lark, Token, Tree, UnexpectedInput

from gm.errors import NotUnderstood
from gm.orders import Hold, UnitName
from gm.parsing.command_syntax import (
    Guest,
    Orders,
    Sentences,
    Syntax,
    Text,
    almost_opens,
    arguments_of,
    command_parser,
    end_of_block,
    first_word,
    single,
    spellings,
    what_is_wrong,
    word_behind_set,
)
from gm.parsing.courtesies import PLEASE, THANKS
from gm.parsing.grammar import stopped_at
from gm.parsing.headings import one_phase, phase_code
from gm.parsing.lexicon import Lexicon, Script, fold, shorten
from gm.parsing.lists import one_each
from gm.parsing.orders import parse_orders
from gm.parsing.questions import without_thanks
from gm.parsing.sentences import TIMES, game_first, is_definite, is_sentence, options_quoted, timed
from gm.parsing.several_lines import TextBlocks
from gm.parsing.small_talk import PROSE, takes_back, without_bullet
from gm.position import STANDARD_KINDS, Kinds, PhaseKind
from gm.time_words import in_english
from gm.variants import all_variants, find

_SHORTEST_ALONE = 6
"""The fewest letters of a word in lower case, alone on its line, that is taken for a misspelt command."""
_COURTESY = re.compile(rf"\b(?:{PLEASE}|{THANKS})$", re.IGNORECASE)

_PLEASE = re.compile(
    r"[ *]*(?:(?:ok(?:ay)?|alright|right|so|well)(?: (?:then|now|so))?[,:]++ ?(?=[^ ,]{1,30} [^ ,]))?"
    rf"(?:{PLEASE}[ ,]+(?=[^ ,]))?",
    re.IGNORECASE,
)
"""What may stand before a command; before one of a single word only `please`, as `ok, draw` may be said to somebody."""


@dataclass(frozen=True, slots=True)
class Call:
    """A command that a line contains: its name, and its arguments by name."""

    name: str
    args: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


_MAY_BE_GAME = re.compile(r"(?<!\S)(?:(?:in|for|of)[ ]+)?(?:game[ ]+)?(?P<name>[\w-]{1,40}+):?(?!\S)", re.IGNORECASE)
"""A word that may be the name of a game, and what leads to it."""
_FIRST = re.compile(r"[ ]+(?P<name>[\w-]{1,40}+)[:,]?(?!\S)")
"""The first word behind a command, which may name a game before such a list: `DRAW spring France, Italy`."""
_BEHIND_A_GAME = frozenset(("POWERS", "OPTIONS", "TIMED"))
_IN_GAME = re.compile(r"(?<!\S)(?:in|to)[ ]+(?:game[ ]+)?(?P<name>[\w-]{1,40}+)(?![^\s.!])", re.IGNORECASE)
_AN_ADDRESS = re.compile(r"<?[^\s<>@,;]++@[^\s<>@,;]++>?")


@dataclass(frozen=True, slots=True)
class _Head:
    """The beginning of a possible command: the word as written, the command, and where its arguments begin."""

    word: str
    name: str
    script: Script
    end: int
    implied: str = ""

    @property
    def text(self) -> str:
        """The word or words as written in the line."""
        return self.script.written[: self.end].strip(" *")

    @property
    def loud(self) -> bool:
        """Whether the command's word is in capitals in a line that is not all capitals."""
        return self.text.isupper() and not self.script.written.isupper()


class CommandReader:
    """Reads the commands of these syntaxes, by name.

    `translate` says in a sentence what is written here for a line that is a command of other judges, or returns "".
    `seated`: the commands for which one needs a seat, and which may name its game.
    """

    def __init__(
        self,
        syntaxes: Mapping[str, Syntax],
        translate: Callable[[str], str] = lambda _line: "",
        seated: Collection[str] = (),
    ) -> None:
        self.syntaxes = syntaxes
        self._seated = seated
        self._translate = translate
        self.texts = TextBlocks(
            {
                word: syntax.below
                for name, syntax in syntaxes.items()
                if isinstance(syntax.below, Text)
                for word in spellings(syntax, name)
            }
        )
        self._implied = {
            _joined(word): (name, (syntax.shorthands or {}).get(word, ""))
            for name, syntax in syntaxes.items()
            for word in (name, *spellings(syntax, name))
        }
        self._elsewhere = {word: name for name, syntax in syntaxes.items() for word in syntax.elsewhere}
        self._first = first_word(syntaxes)
        self._set = word_behind_set(syntaxes)
        self.end_of_block = end_of_block(syntaxes)
        self._begun = lru_cache(maxsize=64)(self._begin)  # several questions are asked of a line one after the other

    def read(self, line: str, lexicon: Lexicon | None) -> Call | None:
        """Parse a line as a command; None for a line that is not a command.

        Raises NotUnderstood for a command that is incomplete or has too many arguments.
        """
        asked = line
        line, head = self._begun(line)
        syntax = self.syntaxes.get(head.name) if head is not None else None
        if head is None or (syntax is not None and not syntax.form):
            return None
        if syntax is None:
            self._complain_of_unknown(line, head, lexicon)
            return None
        if (line.rstrip().endswith("?") and not syntax.asks) or (head.word in syntax.loud and not head.text.isupper()):
            return None
        if line.rstrip().endswith(":") and syntax.below is None and not syntax.takes_options:
            return None  # it announces what is below it: `My orders:`
        begin, text = _arguments(head, asks=syntax.asks)
        text = in_english(text) if syntax.types & TIMES else text
        definite = is_definite(syntax, text, named=head.word == self.title(head.name).lower())
        begun = _PLEASE.match(asked)
        courteous = begun is not None and bool(begun[0].strip(" *"))  # `please note that ...`
        soft = not head.loud and not definite
        sentence = is_sentence(syntax, text, lexicon, courteous=courteous) and not self._carries_words(syntax, text)
        if soft and (sentence or self._carries_none(syntax, text, lexicon)):
            return None
        try:
            return Call(head.name, MappingProxyType(self._parsed(head.name, syntax, text, lexicon)))
        except _Unfit as unfit:
            if syntax.sentences is Sentences.UNLESS_EXACT and not (head.text.isupper() and syntax.has_any_words):
                return None
            if syntax.sentences is Sentences.UNLESS_WHOLE and not head.text.isupper() and not definite:
                return None
            if syntax.takes_options and "," in text and not (head.loud or definite):
                return None  # options in words: `samba, deadlines at 18:00`
            problem = unfit.problem or what_is_wrong(self.title(head.name), syntax, line, text, unfit.at)
            raise NotUnderstood(problem, _remedy(syntax, line), column=max(1, begin + unfit.at + 1)) from None

    def _carries_words(self, syntax: Syntax, text: str) -> bool:
        """Whether a command behind which another one stands has one that takes words: `all games: note she won`."""
        name = self.name_of(text.partition(":")[2] or text) if syntax.carries else None
        return name is not None and name in self.syntaxes and self.syntaxes[name].has_any_words

    def _carries_none(self, syntax: Syntax, text: str, lexicon: Lexicon | None) -> bool:
        """Whether a command behind which another one stands has none there: `all games one day more, please`."""
        if not syntax.carries or ":" in text or self.is_loud(text):
            return False
        try:
            return self.read(text, lexicon) is None
        except NotUnderstood:
            return True

    def read_for(self, line: str, lexicon: Lexicon | None, games: Callable[[], Collection[str]]) -> Call | None:
        """Like `read`, of a command that names one of these games, although its form has no place for a game: `PAUSE
        duel UNTIL 2 Jan`. It is then an argument as of others. Raises the errors of `read`.
        """
        game, rest = self.apart(line, lexicon, games)
        call = self.read(rest, lexicon)
        return Call(call.name, MappingProxyType({**call.args, "game": game})) if call and game else call

    def apart(self, line: str, lexicon: Lexicon | None, games: Callable[[], Collection[str]]) -> tuple[str, str]:
        """The game, of these, that a command names although its form has no place for one, and the line without it; ""
        and the line, if there is none.
        """
        _, head = self._begun(line)
        if head is None or head.name not in self._seated:
            return "", line
        syntax = self.syntaxes[head.name]
        types = syntax.types
        last = _IN_GAME.search(line, head.end) if "WORDS" not in types or "OPTIONS" in types else None
        behind = types & _BEHIND_A_GAME or syntax.phase_in_words
        if last is None and (first := _FIRST.match(line, head.end)) is not None:
            seasons = _kinds(lexicon).seasons_by_word
            noted = syntax.has_any_words and first["name"].lower() not in seasons  # `note duel Lee was late`
            last = first if behind or noted or first[0].endswith(":") else None
        if last is None or last["name"].lower() not in games():
            with suppress(NotUnderstood):
                self.read(line, lexicon)
                return "", line
            words = _MAY_BE_GAME.finditer(line, head.end)
            last = next((word for word in words if word["name"].lower() in games()), None)
        if last is None:
            return "", line
        return last["name"].lower(), f"{line[: last.start()].rstrip()} {line[last.end() :].lstrip()}".rstrip()

    def opens_orders(self, line: str) -> bool:
        """Whether a line, understood or not, is a command in capitals with lines of orders below it, or almost one."""
        head = self._head(line)
        if head is None or not head.text.isupper():
            return False
        if (syntax := self.syntaxes.get(head.name)) is not None:
            return isinstance(syntax.below, Orders)
        return almost_opens(head.script.folded, self.syntaxes)

    def one_each(self, line: str, lexicon: Lexicon | None, games: Callable[[], Collection[str]]) -> tuple[str, ...]:
        """A line with a list of powers, games or addresses, for a command that takes one, as a line for each; else
        ().
        """
        _, head = self._begun(line)
        syntax = self.syntaxes.get(head.name) if head is not None else None
        if head is None or syntax is None or syntax.below is not None or syntax.ends_orders:
            return ()  # a heading is one
        powers = lexicon.power if lexicon is not None and syntax.types & _ONE_POWER else _nothing
        known = games if "GAME" in syntax.types or head.name in self._seated else frozenset
        person = _AN_ADDRESS.fullmatch if "ADDRESS" in syntax.types else _nothing

        def is_name(name: str) -> bool:
            return powers(name) is not None or name.lower() in known() or person(name) is not None

        return one_each(line, head.end, is_name)

    def name_of(self, line: str) -> str | None:
        """The name of the command with which a line, or an item of a list, begins for `read`, complete or not."""
        _, head = self._begun(without_bullet(line))
        return head.name if head is not None and head.name in self.syntaxes else None

    def is_loud(self, line: str) -> bool:
        """Whether the word of the command with which a line, or an item of a list, begins is in capitals."""
        _, head = self._begun(without_bullet(line))
        return head is not None and head.text.isupper()

    def named(self, words: str) -> str | None:
        """The name of the command that has these words, in lower case, as its word."""
        found = self._implied.get(_joined(words))
        return found[0] if found is not None else None

    def title(self, name: str) -> str:
        """The command's word or words in capitals."""
        return self.syntaxes[name].title or name.upper()

    @cached_property
    def _words(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """The names of the commands by their first word, or only one, and of those of several words by all of these."""
        titles = {name: self.title(name).lower() for name in self.syntaxes}
        firsts = {title.split()[0]: name for name, title in titles.items()}
        firsts |= {name: name for name, title in titles.items() if " " not in title}
        return firsts, {title: name for name, title in titles.items() if " " in title}

    @cached_property
    def _parser(self) -> Lark:
        return command_parser(self.syntaxes)

    def _head(self, line: str) -> _Head | None:
        script = fold(line)
        found = self._first.match(script.folded)
        if found is None:
            return None
        word = found["word"]
        name, implied = self._implied.get(_joined(word), (_joined(word), ""))
        return _Head(word, name, script, script.column(found.end()) - 1, implied)

    def _begin(self, line: str) -> tuple[str, _Head | None]:
        """The line without PLEASE and, as on other judges, SET before its command, and how that begins; columns do not
        change.
        """
        bare = self._without_set(_without_please(line))
        return bare, self._head(bare)

    def _without_set(self, line: str) -> str:
        """`SET DRAW`, as on other judges, without SET; columns do not change."""
        script = fold(line)
        found = self._set.match(script.folded)
        end = script.column(found.end()) - 1 if found is not None else 0
        return " " * end + line[end:]

    def _parsed(self, name: str, syntax: Syntax, text: str, lexicon: Lexicon | None) -> dict[str, Any]:
        """The arguments of a text as it is plainly meant, or else as it is written. Raises _Unfit."""
        plain = game_first(syntax, text)
        bare = without_thanks(plain)
        for one in dict.fromkeys((plain, options_quoted(syntax, plain), _AT_ONCE.sub("", plain), bare)):
            with suppress(_Unfit):
                return self._parse(name, syntax, one, lexicon)
        return self._parse(name, syntax, text, lexicon)

    def _parse(self, name: str, syntax: Syntax, text: str, lexicon: Lexicon | None) -> dict[str, Any]:
        """The arguments by name; a missing one is None, or no options. Raises _Unfit."""
        try:
            tree = self._parser.parse(text, start=name)
        except UnexpectedInput as stop:
            raise _Unfit(stopped_at(stop, len(text))) from None
        every = [argument for form in syntax.forms for argument in arguments_of(form)]
        args: dict[str, Any] = {each: {} if kind == "OPTIONS" else None for names, kind in every for each in names}
        form = syntax.forms[int(tree.data.rpartition("_")[2])]
        for (names, kind), child in zip(arguments_of(form), tree.children, strict=True):
            if child is None:
                continue
            try:
                value = _VALUES.get(kind, _plain)(child, lexicon)
            except _Unfit as unfit:
                words = f"{args['game']} {child}".strip() if kind == "VARIANT" and args["game"] else ""
                raise _Unfit(_where(child), f"{unfit.problem}{_one_word(words)}") from None
            args.update(zip(names, value if len(names) > 1 else (value,), strict=True))
        return args

    def _complain_of_unknown(self, line: str, head: _Head, lexicon: Lexicon | None) -> None:
        """Raise NotUnderstood if the first word is almost a command, or is one on other judges."""
        word, words = head.name, head.script.folded.split()
        if len(word) <= 2 or len(words) > 6 or word in _kinds(lexicon).seasons_by_word:
            return  # too short or too long to tell, or a heading: `FALL '01:`
        if lexicon is not None and word in lexicon.places:
            return  # `den-swe mos-stp`
        if lexicon is not None and takes_back(line):
            return  # it heads orders
        first = line.split(maxsplit=1)[0]
        if first.endswith(","):
            return  # `Dora, Hamburg`
        shouted = first.isupper()
        plain = len(words) <= 3 and not line.rstrip().endswith((",", ".", "!", "?")) and PROSE.isdisjoint(words)
        if not (shouted or plain):
            return
        alone = len(words) == 1 and not shouted
        if alone and len(word) < _SHORTEST_ALONE:
            return  # a name, or a word of a letter
        if shouted and (there := self._translate(line)):
            problem = f"{shorten(first)!r} is a command of other servers."
            raise NotUnderstood(problem, there, column=line.index(first) + 1)
        names, phrases = self._words
        fit = [one for one in names if shouted or len(one) > 3]  # short words resemble many others
        near = get_close_matches(word, fit, n=1, cutoff=0.85 if alone else 0.75)
        if alone and near and word.startswith(near[0]):
            return  # `paused`
        opposite = bool(near) and word != near[0] and word.endswith(near[0])  # UNPAUSE is not PAUSE
        near = [] if opposite else near
        known = self._elsewhere.get(word) if shouted or alone or opposite else None
        two = get_close_matches(" ".join(words[:2]), phrases, n=1, cutoff=0.85)
        for name in [known] if known else [phrases[one] for one in two] or [names[one] for one in near]:
            remedy = f"Did you mean {self.title(name)}? It is written: {self.syntaxes[name].written}."
            wrong = " ".join(line.split()[:2]) if two else first
            raise NotUnderstood(f"{shorten(wrong)!r} is not a command here.", remedy, column=line.index(first) + 1)


# ---- parts of a line


def _remedy(syntax: Syntax, line: str) -> str:
    """How the command is written; for a line that is copied from there, that its small words stand for others."""
    way = next((way for way in syntax.shown if way.lower() == line.strip().lower()), "")
    name = next((word for word in way.split() if word.islower()), None)
    return f"Write {syntax.written}." if name is None else f"Write your own word in place of '{name}' in {way}."


_MARK = re.compile(r"\A *+[:,]?+ *+")
"""What may stand between a command's word and its arguments; a second mark stands for something that is missing."""


def _arguments(head: _Head, *, asks: bool) -> tuple[int, str]:
    """The text after a command's word, without courtesies, and where it begins in the line."""
    line = "".join(c if c.isprintable() else " " for c in head.script.written)
    rest = line[head.end :]
    text = _MARK.sub("", rest, count=1).removeprefix("=").lstrip()
    begin = head.end + len(rest) - len(text)
    text = _without_courtesy(text)
    text = text.rstrip("? ") if asks else text
    return (begin - len(head.implied) - 1, f"{head.implied} {text}".rstrip()) if head.implied else (begin, text)


_AT_ONCE = re.compile(r"(?:\A|(?<=\S)[ ]+)now\Z", re.IGNORECASE)
"""What says of a command only that it is meant."""


def _joined(word: str) -> str:
    """Words of a command without the blanks between them, which are optional."""
    return word.replace(" ", "")


def _without_please(line: str) -> str:
    """The line without a request at its beginning; columns do not change."""
    found = _PLEASE.match(line)
    end = found.end() if found is not None else 0
    return " " * end + line[end:]


def _without_courtesy(text: str) -> str:
    """The text without full stops and thanks at its end."""
    while True:
        text = text.rstrip(" ,.;!")
        found = _COURTESY.search(text, max(0, len(text) - 12))
        if found is None:
            return text
        text = text[: found.start()]


# ---- values


class _Unfit(Exception):
    """The words after a command do not match its form; `at` is their index in the text. `problem` is a more specific
    message."""

    def __init__(self, at: int = 0, problem: str = "") -> None:
        super().__init__(problem)
        self.at = at
        self.problem = problem


def _where(child: Token | Tree[Token]) -> int:
    token = child if isinstance(child, Token) else next(child.scan_values(lambda _: True), None)
    return token.start_pos or 0 if isinstance(token, Token) else 0


def _plain(child: Token, _lexicon: Lexicon | None) -> str:
    return " ".join(child.split())


def _word(child: Token, _lexicon: Lexicon | None) -> str:
    return child.lower()


_ONE_POWER = frozenset(("POWER", "KNOWN_POWER", "SEAT"))


def _nothing(_name: str) -> None:
    """The power of a name where a command takes none."""


def _power(child: Token, lexicon: Lexicon | None) -> str:
    """A power by any of its names; unknown words are returned unchanged."""
    words = _plain(child, lexicon)
    return (lexicon.power(words) if lexicon is not None else None) or words


def _known_power(child: Token, lexicon: Lexicon | None) -> str:
    power = lexicon.power(child.strip(" :")) if lexicon is not None else None
    if power is None:
        where = "of this game" if lexicon is not None else "here, because no game is named"
        raise _Unfit(problem=f"{shorten(child.strip())!r} is no power {where}.")
    return power


def _seat(child: Tree[Token], lexicon: Lexicon | None) -> tuple[str | None, str]:
    """A game's name, if one is given, and a power: `spring france`."""
    words = list(map(str, child.children))
    known = lexicon.power(" ".join(words)) if lexicon is not None else None
    game = words.pop(0) if len(words) > 1 and known is None else None
    return game, _power(Token("POWER", " ".join(words)), lexicon)


_AND = re.compile(r"^\W*(?:and\b)?[\W_]*", re.IGNORECASE)


def _guests(child: Tree[Token | None], lexicon: Lexicon | None) -> tuple[Guest, ...]:
    """Several addresses with commas, semicolons or blanks between them, with or without names and powers: `Ann
    <ann@b.org> AS France, bob@c.org`.
    """
    pairs = zip(child.children[::2], child.children[1::2], strict=True)
    written = [(str(guest), _power(power, lexicon) if isinstance(power, Token) else None) for guest, power in pairs]
    named = any("<" in guest and "@" in guest for guest, _ in written)
    found: dict[str, Guest] = {}
    for guest, power in written:
        name, _, word = guest.rpartition("<")
        bare = word.strip("(),;")
        if "@" not in word and found and lexicon is not None and (known := lexicon.power(bare)) is not None:
            last = next(reversed(found))
            found[last] = found[last]._replace(power=known)
            continue
        if word.lower() in ("and", "&") or (named and "@" not in word):
            continue  # `Bee, Bob <bob@c.org>`
        email = _address(Token("ADDRESS", word), lexicon)
        called = re.sub('[",;<>]', " ", _AND.sub("", name))
        found.setdefault(email, Guest(email, " ".join(called.split()), power))
    return tuple(found.values())


def _variant(child: Token, _lexicon: Lexicon | None) -> str:
    """A game by its name, or as people call it."""
    if (game := find(child)) is None:
        raise _Unfit(problem=f"{shorten(child.strip())!r} is no game here: {', '.join(all_variants())}.")
    return game.name


def _one_word(words: str) -> str:
    """What is said of words with capitals, which may be the name of a new game, that has no blanks; "" of others."""
    named = words and all(word[0].isupper() for word in words.split())
    joined = "-".join(words.lower().split())
    return f" A game's name is one word, not '{words}'. Did you mean {joined}?" if named else ""


def _address(child: Token, _lexicon: Lexicon | None) -> str:
    address = child.rpartition("<")[2].strip("> ").lower()
    if not re.fullmatch(r"[^@\s<>\"]{1,64}@[^@\s<>\"]{1,190}", address):
        raise _Unfit(problem=f"{shorten(child)!r} is not a mail address.")
    return address


def _unit(child: Token, lexicon: Lexicon | None) -> UnitName:
    """A unit, `A SMY`."""
    try:
        orders = parse_orders(f"{child} H", lexicon, PhaseKind.MOVEMENT) if lexicon is not None else ()
    except NotUnderstood:
        raise _Unfit from None
    held = [order.unit for _, order in orders if isinstance(order, Hold) and order.unit.kind is not None]
    if len(held) != 1:
        raise _Unfit
    return held[0]


def _kinds(lexicon: Lexicon | None) -> Kinds:
    return STANDARD_KINDS if lexicon is None else lexicon.language.kinds


def _phase(child: Token, lexicon: Lexicon | None) -> str:
    """The code of one phase; if the game is not known, a code is accepted as written."""
    return one_phase(child, _kinds(lexicon)) or child.upper()


def _phases(child: Tree[Token], lexicon: Lexicon | None) -> str:
    (token,) = child.children
    return _phase(token, lexicon) if isinstance(token, Token) and token.type == "PHASE" else str(token).upper()


def _later(child: Token, lexicon: Lexicon | None) -> str:
    code = phase_code(child, _kinds(lexicon))
    if code is None:
        raise _Unfit
    return code


def _timed(child: Token, _lexicon: Lexicon | None) -> tuple[str, str]:
    """A time and a command, `Friday 18:00: PROCESS`."""
    when, line = timed(child)
    if not when or not line:
        raise _Unfit
    return when, line


def _options(child: Tree[Token], _lexicon: Lexicon | None) -> dict[str, str]:
    pairs = (option.children for option in child.children if isinstance(option, Tree))
    return single((str(key).rstrip("= ").lower(), str(value).strip('"')) for key, value in pairs)


_VALUES: Mapping[str, Callable[[Any, Lexicon | None], Any]] = MappingProxyType(
    {
        "": _word,
        "POWER": _power,
        "WISHES": _power,
        "KNOWN_POWER": _known_power,
        "SEAT": _seat,
        "ADDRESS": _address,
        "GUESTS": _guests,
        "VARIANT": _variant,
        "UNIT": _unit,
        "PHASE": _phase,
        "PHASES": _phases,
        "LATER": _later,
        "TIMED": _timed,
        "OPTIONS": _options,
        "NUMBER": lambda child, _lexicon: int(child),
        "WORDS": lambda child, _lexicon: str(child),
    }
)
"""The value of an argument, by its type; for other types its words with single blanks."""

NO_COMMANDS = CommandReader({})
"""For text that may contain only orders."""
