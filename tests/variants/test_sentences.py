"""The sentences of a game's file: how facts are spelt in them, and that each is said by the game's package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gm.board import Location, Power, UnitKind
from gm.errors import Ambiguous
from gm.orders import Move
from gm.position import Unit
from gm.variants.game_file import GameFile, packaged, packaged_names
from gm.variants.sentences import Sentences, problem_of

ARMY = Unit(Power("France"), UnitKind.ARMY, Location("par"))
FLEET = Unit(Power("England"), UnitKind.FLEET, Location("stp/sc"))
FACTS: dict[str, Any] = {
    "unit": ARMY,
    "units": [ARMY, FLEET],
    "order": Move(ARMY, Location("bur")),
    "stored": "England F stp/sc",
    "to": "stp/sc",
    "places": ["par", "bur", "nth"],
    "code": "ax",
    "one": 1,
    "three": 3,
    "none": (),
    "yes": True,
}
SPELT = {
    "{unit} and {order}": "A Par and A Par-Bur",
    "{order.to:short} by {order.unit}": "Bur by A Par",
    "{units}, {units:and}, {units:whose or}": "A Par, F Stp/sc, A Par and F Stp/sc, France A Par or England F Stp/sc",
    "{stored:unit}, {stored:whose}, {unit:colour}": "F Stp/sc, England F Stp/sc, French A Par",
    "{to:short}, {to:full}": "Stp/sc, St Petersburg",
    "{places:short}": "Par, Bur, Nth",
    "{places:full, or}; {units:, or}": "Paris, Burgundy or North Sea; A Par or F Stp/sc",
    "{places:short and}": "Par and Bur and Nth",
    "{code:upper}{none}{none:short, or}": "AX",
    "{one} {one:army|armies}, {three} {three:army|armies}{yes:, drawn|}{none: here|}": "1 army, 3 armies, drawn",
}


@pytest.mark.parametrize("text", SPELT)
def test_facts_are_spelt_as_players_write_them(text: str) -> None:
    assert not problem_of(text)
    assert Sentences({}, adjectives={Power("France"): "French"}).filled(text, FACTS) == SPELT[text]


def test_a_refusal_says_what_is_not_possible_and_what_to_write() -> None:
    says = Sentences({"refusals": {"far": ("{unit} cannot go.", "Write {unit} H.")}, "notes": {"far": "{unit} is far"}})
    error = says.refusal("far", Ambiguous, unit=ARMY)
    assert (type(error), error.problem, error.remedy) == (Ambiguous, "A Par cannot go.", "Write A Par H.")
    assert says.note("far", unit=ARMY) == "A Par is far"


PACKAGES = Path(str(packaged.__wrapped__.__code__.co_filename)).parent
OF_TWO = {"quantum-space": "quantum_space", "quantum-space-3001": "quantum_space"}
OWN = [name for name in packaged_names() if (PACKAGES / OF_TWO.get(name, name.replace("-", "_"))).is_dir()]


def texts_in(package: Path) -> Iterator[str]:
    """Every text in the source of a package, of the parts of a formatted one too."""
    for file in package.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def asked_in(package: Path) -> Iterator[tuple[str, str]]:
    """The kinds of sentence that a package asks for by name."""
    headings = {"note": "notes", "refusal": "refusals", "texts": "refusals"}
    for file in package.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in headings:
                for part in ast.walk(node.args[0]) if ast.unparse(node.func.value) == "SAYS" else ():
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and _is_said(part, node.args[0]):
                        yield headings[node.func.attr], part.value


def _is_said(part: ast.Constant, kind: ast.expr) -> bool:
    """Whether a text is a kind that may be meant, and not a part of the condition, or of a formatted text."""
    match kind:
        case ast.Constant():
            return True
        case ast.IfExp():
            return part is kind.body or part is kind.orelse
    return False


@pytest.mark.parametrize("name", OWN)
def test_every_sentence_is_said_and_every_one_that_is_asked_for_is_there(name: str) -> None:
    file: GameFile = packaged(name)
    package = PACKAGES / OF_TWO.get(name, name.replace("-", "_"))
    texts = set(texts_in(package))
    results = {"bounces", "cut", "void", "no convoy", "disrupted", "dislodged", "destroyed", "disbanded", "illegal"}
    known = texts | results | {f"lacking {one}" for one in texts} | {"succeeds"}
    for heading in ("notes", "refusals"):
        assert not set(file.sentences[heading]) - known
    if name != "quantum-space-3001":  # says what the other one says
        said = {(heading, kind) for heading, kinds in file.sentences.items() for kind in kinds}
        assert not set(asked_in(package)) - said
    assert all(sign in texts for sign in file.signs)
