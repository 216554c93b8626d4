"""No pattern of gm costs more than its text is long, whatever that repeats.

The patterns are found by what is compiled and by what is written (`patterns`), and what costs each of them most by its
own repeats (`attacks`): a new one needs no line here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.reading.attacks import Attack, attacks, is_linear
from tests.reading.patterns import Found

pytestmark = pytest.mark.long(seconds=20)


@pytest.fixture(scope="module")
def patterns() -> list[Found]:
    """All patterns, as a fresh interpreter compiles them."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.reading.patterns"], check=True, capture_output=True, text=True, timeout=300
    )
    return [Found(*one) for one in json.loads(run.stdout)]


def dear(found: Found) -> Attack | None:
    """An attack that costs a pattern more than its length."""
    run = used(found)
    return next((one for one in attacks(found) if not _is_harmless(run, text_of(one, octets=found.octets))), None)


def _is_harmless(run: Callable[[str], object], text: Callable[[int], str]) -> bool:
    """Whether it is linear, asked again if it seems not to be: on a busy machine a linear pattern may seem dear."""
    return any(is_linear(run, text) for _ in range(_TRIALS))


_TRIALS = 3


def used(found: Found) -> Callable[[str], object]:
    compiled = found.compiled()
    if found.use == "finditer":
        return lambda text: sum(1 for _ in compiled.finditer(text))
    return getattr(compiled, found.use)  # type: ignore[no-any-return]


def text_of(attack: Attack, *, octets: bool) -> Callable[[int], str]:
    if octets:
        return lambda length: attack.text(length).encode("utf-8", "replace")  # type: ignore[return-value]
    return attack.text


def test_every_pattern_is_linear(patterns: list[Found]) -> None:
    tried = {one[1:]: one for one in patterns}
    assert len(tried) > 500
    slow = {f"{one.site}: {one.pattern[:60]}": attack for one in tried.values() if (attack := dear(one))}
    assert not slow


@pytest.mark.parametrize(
    ("pattern", "use"),
    [
        pytest.param(r"(?:a|aa)+b", "fullmatch", id="exponential"),
        pytest.param(r"(?:[ ]*x?)*!", "fullmatch", id="empty turns"),
        pytest.param(r"[ ]*if[ ]+(?P<test>.*?)(?:[ ]*(?:\bthen\b|:)[ ]*(?P<then>.*))?", "fullmatch", id="blanks"),
        pytest.param(r"[ ]+$", "finditer", id="from every place"),
        pytest.param(r"x.*y", "finditer", id="from every beginning"),
        pytest.param(r"<[^>]*>", "finditer", id="from every bracket"),
        pytest.param(r"\d+[\d.]*x", "match", id="two classes that share a character"),
        pytest.param(r'"(?:[^"\\]|\\.)*+"|x', "finditer", id="from every quotation mark that is escaped"),
        pytest.param(r"[\s(]*+out[\s(–]+(?:until)?[^)]*\)", "fullmatch", id="two negated ones"),
    ],
)
def test_a_pattern_that_is_not_linear_is_found(pattern: str, use: str) -> None:
    assert dear(Found("here", pattern, 0, use, False))


@pytest.mark.parametrize(
    ("pattern", "use"),
    [(r"[ ]*x", "fullmatch"), (r"[^<>]+<", "fullmatch"), (r"\bx\w{0,20}y", "finditer"), (r"\w+", "finditer")],
)
def test_a_linear_pattern_is_left_alone(pattern: str, use: str) -> None:
    assert not dear(Found("here", pattern, 0, use, False))
