"""The turn that is worked in the rules text of each game is played by `gm adjudicate`: orders and outcomes hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from gm.play.briefs import rules_of
from gm.reports import WIDTH
from gm.variants import all_variants
from tests.rules.seed_cases import Step, check, steps
from tests.variants.adjudicating import adjudicated, following
from tests.variants.written import WRITTEN

HEADING = "\nA TURN AS AN EXAMPLE\n"

_SEASONS = {"Spring": "S", "Fall": "F", "Winter": "W"}
_KINDS = {"": "M", "retreats": "R", "builds": "A", "landing": "L"}

STATES = {
    "outer-space": {"empires": ["Krell", "Ommu"]},
    "the-aliens": {"races": ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta"], "transmitters": [], "spared": []},
    "quantum-space": {"planets": ["Auerbach", "Berenike"]},
    "quantum-space-3001": {"planets": ["Octagon", "Nova"]},
    "black-hole": {"holes": {}, "exempt": {"France": "par", "Germany": "ber"}, "seed": "27" * 32, "game": "example"},
}
"""What a game keeps beside its units, as its example begins."""

GIVEN = {"among-us": ["alien smy | smy | Turkey", "centers Turkey: ank con smy"]}
"""What the sentences above an example say."""

SAID_BELOW = {
    "among-us": [
        "owned Austria: ser; Turkey: ank bul con smy",
        "alien after con smy | con smy | Turkey",
    ],
    "outer-space": ['state after {"colonies": {"Krell": ["bre", "par"], "Ommu": ["ber", "hol"]}}'],
    "black-hole": ["hole mun"],
    "the-aliens": ["transmitters Alpha: T edi, T gre"],
}
"""What the sentences below it say of the end."""

GAMES = sorted(WRITTEN)


def worked(text: str) -> Iterator[list[str]]:
    """The examples of a rules text as lines of `tests/rules/seeds`: each begins with a position."""
    example = re.sub(r"\n {10,}(?=\S)", " ", text.partition(HEADING)[2])
    lines: list[str] = []
    for line in example.splitlines():
        if season := re.fullmatch(r"  (Spring|Fall|Winter) (\d+)(?:, (\w+))?", line):
            begins = f"{_SEASONS[season[1]]}{season[2]}{_KINDS[season[3] or '']}"
            lines.append(begins)
        elif before := re.fullmatch(r"    Before +(.*)", line):
            if len(lines) > 1:
                yield [*lines[:-1]]
                lines = lines[-1:]
            lines.append(f"units {_codes(before[1])}")
        elif after := re.fullmatch(r"    After +(.*)", line):
            lines.append(f"after {_codes(after[1])}")
        elif order := re.fullmatch(r"    (\w+: .*?\S)  +(\w+)", line):
            lines.append(f"{order[1]} => {order[2]}")
    yield lines


def _codes(text: str) -> str:
    """`Alpha: F Edi` as `Alpha: F edi`, the orbit of `Krell` as `orb.kre`."""
    small = re.sub(r"(?<=\b[AFT] )\S+", lambda at: at[0].lower(), text)
    return re.sub(r"(\w{3})(\w*: )([^;]*)", lambda one: one[0].replace("orb", f"orb.{one[1].lower()}"), small)


def played(game: str, lines: list[str]) -> list[Step]:
    """The phases of an example."""
    start = {"variant": game, "state": STATES.get(game, {})}
    first, *later = lines
    later = [f"next {line}" if re.fullmatch(r"[SFW]\d+[MRAL]", line) else line for line in later]
    return list(steps([first, *later], start))


@pytest.mark.parametrize("game", GAMES)
def test_the_worked_turn_is_true(game: str) -> None:
    text = rules_of(all_variants()[game])
    assert text is not None
    assert all(len(line) <= WIDTH for line in text.splitlines())
    examples = list(worked(text))
    powers: set[str] = set()
    for number, lines in enumerate(examples):
        given = GIVEN.get(game, []) if number == 0 else []
        below = SAID_BELOW.get(game, []) if number == len(examples) - 1 else []
        first, *later = played(game, [lines[0], *given, *lines[1:], *below])
        answer = adjudicated(**first.question)
        check(first, answer)
        for step in later:
            answer = following(answer, *step.question["orders"], variant=game)
            check(step, answer)
        ordered = (order for step in (first, *later) for order in step.question["orders"])
        powers |= {order.partition(":")[0] for order in ordered}
    assert len(powers) > 1, "a turn of one power shows nothing of a meeting"
