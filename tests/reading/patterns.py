"""Finds every pattern of gm: what is compiled, where that is written, and how it is used.

Run as a program it prints them as JSON: a fresh interpreter in which each compilation is recorded, while all modules
are imported and some lines are read. What is compiled when it is needed, and was not, is made from the source: a
literal as it stands, names from its module, and a word for each value that exists only at run time.
"""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from lark.load_grammar import TERMINALS

import gm
from gm import patterns

ROOT = Path(gm.__file__).parent
_LATE = Path(patterns.__file__)
"""Compiles what others ask for."""
_FROM_THE_BEGINNING = ("match", "fullmatch")
METHODS = ("search", "findall", "finditer", "split", "sub", "subn", *_FROM_THE_BEGINNING)
_ANYWHERE = "finditer"
"""How a pattern is measured of which nothing better is known: from every place of a text."""


class Found(NamedTuple):
    """A pattern of gm: where it is written, its flags, the dearest way in which it is used, and whether of octets."""

    site: str
    pattern: str
    flags: int
    use: str
    octets: bool

    def compiled(self) -> re.Pattern[Any]:
        return re.compile(self.pattern.encode("latin-1") if self.octets else self.pattern, self.flags)


# ---- where patterns are written


class Site(NamedTuple):
    """A call of `re` in a module: its lines, its arguments, and the methods that are called on what it returns."""

    module: str
    first: int
    last: int
    pattern: ast.expr
    flags: ast.expr | None
    use: str


class Module:
    """The syntax of one module: its nodes, what each stands in, and how its names are used."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self.name = name
        self.nodes: list[ast.AST] = []
        self.above: dict[ast.AST, ast.AST] = {}
        self.calls: list[ast.Call] = []
        self.reads: dict[str, list[ast.AST]] = defaultdict(list)
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self.above[child] = node
            if isinstance(node, ast.Call):
                self.calls.append(node)
            elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                self.reads[node.id if isinstance(node, ast.Name) else node.attr].append(node)

    def function_of(self, node: ast.AST) -> ast.AST | None:
        while (above := self.above.get(node)) is not None:
            if isinstance(above, ast.FunctionDef):
                return above
            node = above
        return None

    def held(self, node: ast.AST) -> Iterator[str]:
        """The names of what a node stands in."""
        while (above := self.above.get(node)) is not None:
            if isinstance(above, ast.Assign):
                yield from (ast.unparse(target).rpartition(".")[2] for target in above.targets)
            elif isinstance(above, ast.FunctionDef):
                yield above.name
            node = above

    def use_of(self, node: ast.AST) -> str:
        """The method that is called on what a node gives; `_ANYWHERE` if it goes where this does not look."""
        above = self.above[node]
        if isinstance(above, ast.Attribute):
            return above.attr if above.attr in METHODS else ""
        if isinstance(above, ast.Call) and above.func is node:
            return ""
        if isinstance(above, ast.Call) and above.args[:1] == [node] and (function := _of_re(above)):
            return function.replace("compile", "")
        return _ANYWHERE


def modules() -> list[Module]:
    """The modules that compile a pattern, and those that mention the name of one or of a function that makes one."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py")) if path != _LATE}
    compiling = {path: _module(path, text) for path, text in texts.items() if re.search(r"\bre\.[a-z]", text)}
    names = {
        name for module in compiling.values() for call in module.calls if _of_re(call) for name in module.held(call)
    }
    named = re.compile(rf"\b(?:{'|'.join(sorted(names))})\b")
    using = [_module(path, text) for path, text in texts.items() if path not in compiling and named.search(text)]
    return [*compiling.values(), *using]


def _module(path: Path, text: str) -> Module:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return Module(".".join(parts[:-1] if parts[-1] == "__init__" else parts), ast.parse(text))


def sites(among: list[Module]) -> Iterator[Site]:
    for module in among:
        for call in module.calls:
            function = _of_re(call)
            if not function or not call.args or _is_compiled_already(call.args[0], module):
                continue
            used = {function} if function != "compile" else set(_uses(call, module, among))
            flags = next((one.value for one in call.keywords if one.arg == "flags"), None)
            at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(function, 2)
            use = next((one for one in _FROM_THE_BEGINNING if used and used <= {one, "match", ""}), _ANYWHERE)
            last = call.end_lineno or call.lineno
            yield Site(module.name, call.lineno, last, call.args[0], flags or next(iter(call.args[at:]), None), use)


def _of_re(call: ast.Call) -> str:
    """The function of `re` that is called, "" if none is."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="re"), attr=name) if name in ("compile", *METHODS):
            return name
    return ""


def _is_compiled_already(node: ast.expr, module: Module) -> bool:
    """Whether the argument of such a call is a name that has a compiled pattern."""
    return isinstance(node, ast.Name) and any(
        _of_re(call) == "compile" and isinstance(above := module.above[call], ast.Assign) and _named(above, node.id)
        for call in module.calls
    )


def _named(assigned: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in assigned.targets)


def _uses(call: ast.AST, module: Module, among: list[Module]) -> Iterator[str]:
    """How the pattern that a call compiles is used: on the spot, by the name that it gets, or by what its function is
    assigned to elsewhere. What stays unknown counts as `_ANYWHERE`.
    """
    node, made = call, False
    while (above := module.above.get(node)) is not None:
        if isinstance(above, ast.Attribute):
            yield above.attr if above.attr in METHODS else _ANYWHERE
            return
        if isinstance(above, ast.Assign | ast.AnnAssign):
            target = above.targets[0] if isinstance(above, ast.Assign) else above.target
            uses = _uses_of_made(ast.unparse(target), module, among) if made else _uses_of_name(target, module, among)
            yield from uses
            return
        if isinstance(above, ast.FunctionDef):
            yield from _uses_of_made(above.name, module, among)
            return
        if isinstance(above, ast.Call) and above.func is not node and not _gathers(above):
            break
        made = made or isinstance(above, ast.Lambda)
        node = above
    yield _ANYWHERE


def _gathers(call: ast.Call) -> bool:
    """Whether a call gives back what it is given, or all of it together."""
    return isinstance(call.func, ast.Name) and call.func.id in ("tuple", "cache")


def _uses_of_name(target: ast.AST, module: Module, among: list[Module]) -> Iterator[str]:
    name = target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""
    inside = module.function_of(target) if isinstance(target, ast.Name) else None
    for one in [module] if inside is not None or name.startswith("_") else among:
        for read in one.reads.get(name, ()):
            if inside is None or one.function_of(read) is inside:
                yield one.use_of(read)
    if not name:
        yield _ANYWHERE


def _uses_of_made(maker: str, home: Module, among: list[Module]) -> Iterator[str]:
    """How what a function returns is used: its one pattern, or each of several. A name without underscore is
    everybody's.
    """
    for module in among:
        for read in module.reads.get(maker, ()) if module is home or not maker.startswith("_") else ():
            called = module.above[read]
            above = module.above[called]
            if not isinstance(called, ast.Call) or called.func is not read:
                yield module.use_of(read)
            elif isinstance(above, ast.Attribute):
                yield above.attr if above.attr in METHODS else _ANYWHERE
            elif isinstance(above, ast.Assign | ast.comprehension | ast.For):
                target = above.targets[0] if isinstance(above, ast.Assign) else above.target
                for one in target.elts if isinstance(target, ast.Tuple) else [target]:
                    yield from _uses_of_name(one, module, among)
            else:
                yield _ANYWHERE


# ---- patterns as they are compiled


class Recorder:
    """Every pattern that is compiled while it listens, by the file and line that asked for it; none late."""

    def __init__(self) -> None:
        self.compiled: dict[str, dict[int, set[tuple[str | bytes, int]]]] = defaultdict(lambda: defaultdict(set))
        self._compile: Any = re._compiler.compile  # type: ignore[attr-defined]
        self._late: Any = patterns.compile

    def __enter__(self) -> Recorder:
        re.purge()
        re._compiler.compile = self._record  # type: ignore[attr-defined]
        patterns.compile = re.compile
        return self

    def __exit__(self, *_: object) -> None:
        re._compiler.compile = self._compile  # type: ignore[attr-defined]
        patterns.compile = self._late

    def _record(self, pattern: Any, flags: int = 0) -> Any:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and "/re/" in frame.f_code.co_filename:
            frame = frame.f_back
        if frame is not None and isinstance(pattern, str | bytes):
            self.compiled[frame.f_code.co_filename][frame.f_lineno].add((pattern, int(flags)))
        return self._compile(pattern, flags)


def found_in(recorder: Recorder) -> Iterator[Found]:
    """The patterns at each site, as compiled or as made from the source. Those of the grammars are Lark's.

    Raises LookupError for a site of which no pattern is known: `exercise` is to make it.
    """
    for file, lines in recorder.compiled.items():
        if file.endswith("lark/lexer.py"):
            terminals = (one for several in lines.values() for one in several if not _is_of_lark(str(one[0])))
            yield from (_found("grammars", *one, "match") for one in terminals)
    unmade: list[str] = []
    for site in sites(modules()):
        module = importlib.import_module(site.module)
        lines = recorder.compiled.get(str(module.__file__), {})
        patterns = {one for line, several in lines.items() if site.first <= line <= site.last for one in several}
        patterns |= set() if patterns else set(_made(site, vars(module)))
        if not patterns:
            unmade.append(f"{site.module}:{site.first}")
        yield from (_found(f"{site.module}:{site.first}", *one, site.use) for one in patterns)
    if unmade:
        raise LookupError(f"nothing in `exercise` makes these patterns: {', '.join(unmade)}")


def _is_of_lark(pattern: str) -> bool:
    """Whether it is for the grammars' own text."""
    return pattern in TERMINALS.values() or TERMINALS["REGEXP"] in pattern


def _found(site: str, pattern: str | bytes, flags: int, use: str) -> Found:
    text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
    return Found(site, text, flags, use, isinstance(pattern, bytes))


def _made(site: Site, names: dict[str, Any]) -> Iterable[tuple[str | bytes, int]]:
    """The pattern of a site made from its source, with `x` for what only exists at run time."""

    class Known(ast.NodeTransformer):
        def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
            with suppress(Exception):
                value = eval(compile(ast.Expression(node.value), "", "eval"), dict(names))
                return ast.Constant(str(value))
            return ast.Constant("x")

    try:
        expression = ast.fix_missing_locations(ast.Expression(Known().visit(site.pattern)))
        pattern = eval(compile(expression, "", "eval"), dict(names))
        flags = eval(compile(ast.Expression(site.flags), "", "eval"), dict(names)) if site.flags is not None else 0
        re.compile(pattern, flags)
    except Exception:
        return ()
    return [(pattern, int(flags))] if isinstance(pattern, str | bytes) else ()


# ---- lines that make the patterns which are compiled late


_LINES = """A Par-Bur (x)
A Par. - Bur, F x
A(Par)-Bur
A Marsella a Piamonte
F Lon - Nth S
-> Nth
STATUS
hello there Munich
"""


def exercise() -> None:
    """Import all modules of gm, and read lines in every game."""
    for module in pkgutil.walk_packages(gm.__path__, "gm."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    from gm.board import Power
    from gm.chance import Chance
    from gm.commands import COMMANDS
    from gm.mail.message import addresses, attribution, html, mime
    from gm.parsing import grammar, meant_words, options_meant, small_talk
    from gm.parsing.lexicon import lexicon_of
    from gm.parsing.message import parse_message
    from gm.settings import editing
    from gm.variants import all_variants

    for game in all_variants().values():
        powers = game.seating.powers or tuple(map(Power, ("Krell", "Zorg", "Morbo")))
        position = game.opening(powers, Chance(bytes(32)))
        lexicon = lexicon_of(game.board(position), powers, game.language)
        meant_words.is_deed("x", lexicon)  # before its patterns are made for something else
        parse_message(_LINES, lexicon, position.phase, COMMANDS.reader)
        grammar.is_order_word("x", game.language)
        small_talk.is_unfilled("x", game.language)
    addresses.hidden("x", "gm@gm.example")
    attribution.says_away("x")
    list(options_meant.options_in("no grace"))
    editing.with_value("[x]\n#y = 1\n", "x", "y", 2)
    mime.parse(b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nx\n--x--\n", mime.Limits())
    html.html_lines("<style>.x{color:#fff}</style><p>x", tags=3, lines=9)


if __name__ == "__main__":
    with Recorder() as recorder:
        exercise()
    print(json.dumps(sorted({*found_in(recorder)})))
