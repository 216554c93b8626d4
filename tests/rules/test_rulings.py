"""Every ruling of every game is cited in the code that carries it out, shown by a test, and told to whoever asks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import pytest

from gm.play.briefs import paragraphs_on
from gm.variants import all_variants
from tests.server.world import BASE, World, text_of
from tests.variants.rulings import expected

HERE = Path(__file__).parent
TESTS = HERE.parent
GAMES = {"FW": "fog", "AU": "among-us", "BH": "black-hole", "OS": "outer-space", "AL": "the-aliens", "ST": "standard"}
GAMES_OF = {letters: [name] for letters, name in GAMES.items()} | {"QS": ["quantum-space", "quantum-space-3001"]}
OF_FILES = {"SB-1": ["france-austria"], "SB-2": ["build-anywhere", "1898", "chaos"], "SB-3": ["1898", "chaos"]}
ONLY_3001 = ("QS-12", "QS-13")

_NUMBER = re.compile(r"\b([A-Z]{2}-\d+)\b(?: to ([A-Z]{2})-(\d+))?")
_MARK = re.compile(r"\bruling\((.*?)\)", re.DOTALL)
_TITLE = re.compile(r"^# ([A-Z]{2}-\d+) ", re.MULTILINE)


@lru_cache
def cited_in_code() -> frozenset[str]:
    """Rulings named by themselves; `OS-1 to OS-17` names none."""
    files = (path for kind in ("*.py", "*.toml") for path in (TESTS.parent / "gm").rglob(kind))
    texts = (path.read_text() for path in files)
    return frozenset(found[1] for text in texts for found in _NUMBER.finditer(text) if not found[2])


@lru_cache
def shown_by_tests() -> frozenset[str]:
    marks = (mark for path in TESTS.rglob("test_*.py") for mark in _MARK.findall(path.read_text()))
    marked = (number for mark in marks for number in re.findall(r'"([A-Z]{2}-\d+)"', mark))
    titles = (number for path in (HERE / "seeds").glob("*.txt") for number in _TITLE.findall(path.read_text()))
    return frozenset((*marked, *titles))


def _names(ruling: str) -> Iterable[str]:
    return ["quantum-space-3001"] if ruling in ONLY_3001 else OF_FILES.get(ruling) or GAMES_OF[ruling[:2]]


@pytest.mark.parametrize("ruling", expected())
def test_a_ruling_is_cited(ruling: str) -> None:
    assert ruling in cited_in_code()
    assert ruling in shown_by_tests()
    for name in _names(ruling):
        assert paragraphs_on(ruling, all_variants()[name]), f"RULES {name} do not cite it"


@pytest.mark.parametrize("name", all_variants())
def test_no_text_cites_a_ruling_that_there_is_not(name: str) -> None:
    texts = TESTS.parent / "templates"
    for path in (texts / "rules" / f"{name}.txt", texts / "briefs" / f"{name}.txt", *texts.glob(f"help/{name}/*.txt")):
        text = path.read_text() if path.is_file() else ""
        assert {found[1] for found in _NUMBER.finditer(text)} <= set(expected()), path


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("RULES AL-8", "The Aliens Transmitters."),
        ("HELP au-11", "There Are Aliens Among Us The Alien cannot be eliminated."),
        ("HELP ST-6", "Of units equally far fleets go before armies"),
        ("HELP QS-10", "more than eight planets 17 are enough."),
        ("RULES OS-99", "No rules have a ruling OS-99."),
    ],
)
def test_a_ruling_is_told(tmp_path: Path, words: str, says: str) -> None:
    world = World(tmp_path)
    said = text_of(world.send("somebody@example.net", BASE, words))
    assert says in said
    world.database.dispose()


def test_at_a_seat_it_is_that_of_the_game(tmp_path: Path) -> None:
    world = World(tmp_path)
    created = world.send("master@example.org", BASE, "CREATE far variant=quantum-space")
    seat = str(created["Reply-To"])
    said = text_of(world.send("master@example.org", seat, "HELP QS-10"))
    assert "after Winter's builds (QS-10)" in said
    assert "17 are enough" not in said
    world.database.dispose()
