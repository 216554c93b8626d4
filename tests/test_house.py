"""The rules of the house, checked in the sources: what each package may import, how long a module may be, which words
are not used.
"""

from __future__ import annotations

import ast
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from gm.commands import COMMANDS
from gm.position import STANDARD_KINDS
from gm.variants import all_variants
from tests.tables import table

ROOT = Path(__file__).parent.parent

ORDER = (
    *("patterns", "cut", "errors", "ownership", "operation", "mail.message", "settings"),
    *("board", "position", "orders", "judge", "chance", "turn", "views", "maps", "variants", "advance", "standins"),
    *("time_words", "feasts", "clock", "options", "parsing", "reading", "reports"),
    *("store", "games", "play", "commands", "server", "inbound", "machine", "gallery", "mail.transport", "demo", "cli"),
    "__main__",
)
"""The packages from the lowest to the highest; each imports only from those before it."""

PURE = ORDER[ORDER.index("board") : ORDER.index("parsing")]
"""Rules of play and of time: same arguments, same result."""

UNTIMED = ORDER[ORDER.index("mail.message") : ORDER.index("server")]
"""Packages that get the time as an argument and never ask for it."""

LIBRARIES = {
    "aiosmtpd": {"mail.transport"},
    "alembic": {"store"},
    "apscheduler": {"machine"},
    "confusable_homoglyphs": {"games"},
    "dkim": {"mail.transport"},
    "dns": {"mail.transport"},
    "flufl": {"mail.message"},
    "idna": {"mail.message"},
    "imapclient": {"mail.transport"},
    "isal": {"maps"},
    "jinja2": {"maps", "reports"},
    "markupsafe": {"reports", "gallery"},
    "lark": {"parsing"},
    "PIL": {"maps"},
    "resvg": {"maps"},
    "spf": {"mail.transport"},
    "sqlalchemy": {"store", "games", "play", "commands", "gallery", "server", "inbound", "machine"},
}
"""The packages in which a library is at home."""

IMPURE = {"random", "secrets", "time", "socket", "subprocess", "smtplib", "imaplib", "sqlite3"}


@dataclass(frozen=True)
class Import:
    """One import statement: `importer` imports `imported`, both dotted names of modules."""

    importer: str
    imported: str
    line: int

    @property
    def packages(self) -> tuple[str, str]:
        return package(self.importer), package(self.imported)

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"


def package(module: str) -> str:
    """The package of a module of gm: the part after `gm.`; "" for gm itself and for what is not of gm. Mail has two."""
    first, _, rest = module.partition(".")
    name, _, inner = rest.partition(".")
    if name == "mail":
        return f"mail.{inner.partition('.')[0]}" if inner else ""
    return name if first == "gm" else ""


@cache
def tree(source: str) -> ast.Module:
    """The source, parsed once for all rules."""
    return ast.parse(source)


@cache
def imports(module: str, source: str) -> tuple[Import, ...]:
    """Every import of a module, also those inside functions and those for type checking only."""
    return tuple(_imports(module, source))


def _imports(module: str, source: str) -> Iterator[Import]:
    for node in ast.walk(tree(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module, alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: relative import"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                named = whole in modules() or (node.module == "gm" and alias.name in ORDER)
                yield Import(module, whole if named else str(node.module), node.lineno)


def is_upward(found: Import) -> bool:
    """Whether an import runs up the house."""
    importer, imported = found.packages
    if not imported or importer == imported:
        return False
    return ORDER.index(imported) > ORDER.index(importer) if importer else True


def is_misplaced(found: Import) -> bool:
    """Whether a library is used where it is not at home, or a pure package reaches for time or the world."""
    library = found.imported.partition(".")[0]
    here = package(found.importer)
    return (library in LIBRARIES and here not in LIBRARIES[library]) or (library in IMPURE and here in PURE)


def clock_reads(source: str) -> list[int]:
    """The lines on which a source asks for the present time."""
    return [
        node.lineno
        for node in ast.walk(tree(source))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name | ast.Attribute)
        and ast.unparse(node) in _CLOCKS
    ]


_CLOCKS = {
    *(f"{prefix}{method}" for prefix in ("datetime.", "datetime.datetime.") for method in ("now", "utcnow", "today")),
    *("date.today", "datetime.date.today", "time.time", "time.time_ns", "time.localtime", "time.gmtime"),
}


@cache
def modules() -> dict[str, str]:
    """Dotted name and source of every module of gm."""
    found = {}
    for path in sorted((ROOT / "gm").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text(encoding="utf-8")
    return found


@cache
def texts() -> tuple[tuple[Path, str], ...]:
    """Every file of the project that is text, by its path from the root."""
    tops = [path for path in ROOT.iterdir() if path.is_file()]
    folders = ("gm", "tests", "grammars", "templates", "migrations", "deploy", "docs", "bench", "geography", ".ci")
    below = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    return tuple(
        (path.relative_to(ROOT), path.read_text(encoding="utf-8", errors="ignore"))
        for path in sorted(tops + below)
        if not {"__pycache__", ".venv", ".git"} & set(path.parts) and path.suffix not in (".pyc", ".bin")
    )


def test_every_package_is_in_the_order() -> None:
    assert {package(module) for module in modules()} - {""} <= set(ORDER)


def test_packages_import_only_lower_ones() -> None:
    assert not [
        str(found) for module, source in modules().items() for found in imports(module, source) if is_upward(found)
    ]


def test_libraries_are_used_only_in_their_packages_and_pure_packages_are_pure() -> None:
    assert not [
        str(found) for module, source in modules().items() for found in imports(module, source) if is_misplaced(found)
    ]


def test_time_is_an_argument() -> None:
    looked = {module: clock_reads(source) for module, source in modules().items() if package(module) in UNTIMED}
    assert not {module: lines for module, lines in looked.items() if lines}


def test_no_package_names_a_variant() -> None:
    """Variants are found by their registry; one of them knows the standard game, how files are read, and no sibling.
    A file may ask for fog.
    """
    common = {f"gm.variants.{module}" for module in ("standard", "game_file", "sentences", "from_files", "fog")}
    named = [
        str(found)
        for module, source in modules().items()
        for found in imports(module, source)
        if found.imported.startswith("gm.variants.")
        and found.imported not in common
        and module != "gm.variants"
        and ".".join(module.split(".")[:3]) != ".".join(found.imported.split(".")[:3])
    ]
    outside = [
        str(found)
        for module, source in modules().items()
        for found in imports(module, source)
        if found.imported == "gm.variants.standard" and package(module) != "variants"
    ]
    assert not named + outside


_NAMED = {re.escape(name).replace("\\-", "[ -]?") for name in all_variants() if "-" in name} | {
    rf"\b{re.escape(kind.word)}\b"
    for game in all_variants().values()
    for kind in {*game.language.kinds.units} - {*STANDARD_KINDS.units}
}
OF_VARIANTS = re.compile(
    "|".join(sorted(_NAMED))
    + r"""| (?<!it)aliens? | quantum
    | transmitter | \blandings?\b | army[-_/ ]?fleet | \ba/f\b | \bships?\b | space.?craft | \bsaucer
    | \borbits?\b | \bcolon(?:y|ies|i[sz]\w*)\b | \bbeam(?:s|ed|ing)?\b | \bplanets?\b | \bempires?\b
    | \bexempt(?:s|ed|ions?)?\b | brainwash | assimilat | \badopt(?:s|ed|ion)?\b | \bneutrals\b | \bembark
    | star.?chart""",
    re.IGNORECASE | re.VERBOSE,
)
"""The names of games that are no plain words, and of their units; and words for what happens in them."""


def is_of_a_variant(path: Path) -> bool:
    """Whether a file belongs to a game: its package, grammar, help, rules or drawing."""
    games = {game.name for game in all_variants().values()}
    grammars = {f"{dialect.grammar}.lark" for game in all_variants().values() for dialect in game.language.dialects}
    match path.parts:
        case ("gm", "variants", *_) | ("gm", "demo", "scripts", *_):
            return True
        case ("grammars", name):
            return name in grammars
        case ("templates", "help" | "rules" | "briefs" | "maps", name, *_):
            return name.split(".")[0] in games
    return False


def test_no_other_file_says_the_name_of_a_game_or_of_what_only_it_has() -> None:
    said = [
        f"{path}:{number}: {line.strip()}"
        for path, text in texts()
        if path.parts[0] in ("gm", "grammars", "templates") and not is_of_a_variant(path)
        for number, line in enumerate(text.splitlines(), 1)
        if OF_VARIANTS.search(line)
    ]
    assert not said


def test_modules_say_what_they_are_for() -> None:
    assert not [module for module, source in modules().items() if not ast.get_docstring(tree(source))]


def test_the_way_of_a_mail_names_five_functions_that_are_there() -> None:
    page = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
    way = page.partition("<!-- the way of one mail -->")[2].partition("<!-- end -->")[0]
    named = re.findall(r"^\d\. `([\w.]+)`", way, re.MULTILINE)
    assert len(named) == 5
    assert all(callable(pkgutil.resolve_name(name)) for name in named)


def test_the_judges_map_names_what_is_there() -> None:
    table = ast.get_docstring(ast.parse(modules()["gm.judge"])) or ""
    named = re.findall(r"\b(\w+(?:\.\w+)+)", "\n".join(line[43:] for line in table.splitlines() if line[:4] == "    "))
    assert len(named) > 20
    missing = []
    for name in named:
        try:
            pkgutil.resolve_name(name if name.startswith("gm.") else f"gm.judge.{name}")
        except (ImportError, AttributeError):
            missing.append(name)
    assert not missing


def test_only_deadlines_checks_and_trials_adjudicate() -> None:
    """What was played is read from the store."""
    adjudicating = {module for module, source in modules().items() if "from gm.advance import advance" in source}
    assert adjudicating == {
        "gm.machine.deadlines",
        "gm.machine.withholding",
        "gm.cli.verify",
        "gm.cli.variant",
        "gm.commands.trial",
    }


READS_THE_LOG = {"gm.store.records", "gm.commands.record", "gm.play.export"}
"""Where people are shown the log. What is decided on has its own table or column."""


def test_nothing_is_decided_by_the_log() -> None:
    reads = re.compile(r"\blog_of\b|\(LogRow\b|\bLogRow\.|(?i:\bfrom log\b)")
    assert {module for module, source in modules().items() if reads.search(source)} == READS_THE_LOG


def test_the_judge_writes_no_words() -> None:
    """It says what happened in values; words are the reports'."""
    written = [
        str(found)
        for module, source in modules().items()
        if package(module) == "judge"
        for found in imports(module, source)
        if found.imported == "gm.orders.notation"
    ]
    assert not written


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    place = re.compile(r"(?<![\w.{}$])/(?:work|home|root|Users)/\w|\.\./shared|file:[/]{3}opt")
    assert not [
        f"{path}:{number}: {line.strip()}"
        for path, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if place.search(line)
    ]


_OF_THE_TRADE = re.compile(
    r"(?<![\w-])(?:retr(?:y|ies|ied|ying)|back-?offs?|leases?d?|dedup\w*|idempot\w*|throttl\w*|quarantin\w*|snapshots?|stale"
    r"|render(?:s|ed|ing)?|transactions?|rows|queued?|tokens?)(?![\w-])(?!\.)",
    re.IGNORECASE,
)
"""Words that those use who write servers, and that somebody who wants to play need not know."""
_FOR_PLAYERS = ("README.md", "docs/index.md", "docs/playing.md", "docs/gamemaster.md", "docs/games.md", "docs/maps.md")


def test_what_players_read_has_no_word_of_the_trade() -> None:
    sentences = {path: text for path, text in texts() if str(path) in _FOR_PLAYERS}
    helps = {one.title: f"{one.help.summary} {one.help.text}" for one in COMMANDS.by_title.values()}
    read = {**{str(path): text for path, text in sentences.items()}, **helps}
    assert len(sentences) == len(_FOR_PLAYERS)
    assert not [f"{where}: {one.group()}" for where, said in read.items() for one in _OF_THE_TRADE.finditer(said)]


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("from gm.position import Unit", False),
        ("from gm import errors", False),
        ("from gm.store import tables", True),
        ("import gm.cli", True),
        ("def f():\n    from gm.parsing.message import parse_letter", True),
        ("from gm import server", True),
    ],
)
def test_the_import_rule_sees_an_import_that_runs_up(source: str, wrong: bool) -> None:
    assert any(is_upward(found) for found in imports("gm.judge.movement", source)) is wrong


@table("""
    module                   | source                                      | how
    gm.judge.movement        | import lark                                 | wrong
    gm.judge.movement        | from random import choice                   | wrong
    gm.clock                 | import time                                 | wrong
    gm.mail.message.incoming | import secrets                              | right
    gm.reports.render        | from jinja2 import Environment              | right
    gm.cli.check             | from sqlalchemy import select               | wrong
    gm.parsing.orders        | from lark.exceptions import UnexpectedInput | right
""")
def test_the_library_rule_finds_a_misplaced_library(module: str, source: str, how: str) -> None:
    assert any(is_misplaced(found) for found in imports(module, source)) is (how == "wrong")


def test_a_look_at_the_clock_is_seen() -> None:
    assert clock_reads("import datetime\nx = datetime.datetime.now(UTC)\ny = x.now\nz = date.today()") == [2, 4]
