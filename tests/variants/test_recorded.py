"""Games that were played and exported before the games' data moved into files, in the edition of the rules that is
still played: `gm verify` finds every draw and every phase as it was (of Black Hole since an exemption moves no hole).

`recorded/NAME.json.gz` is the history that `gm verify GAME --export FILE` wrote of the game of `gm demo`.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from gm.cli.verify import replay
from gm.play.export import Chronicle, chronicle_from_json
from gm.variants import all_variants
from tests.variants.written import WRITTEN

RECORDED = Path(__file__).parent / "recorded"


def recorded(name: str) -> tuple[Chronicle, bytes]:
    value = json.loads(gzip.decompress((RECORDED / f"{name}.json.gz").read_bytes()))
    return chronicle_from_json(value), bytes.fromhex(value["seed"])


NAMES = sorted(path.name.removesuffix(".json.gz") for path in RECORDED.iterdir())


def test_a_game_is_recorded_for_each_that_is_as_old() -> None:
    """Fog was never played before."""
    assert sorted(name for name in WRITTEN if not all_variants()[name].veiled) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_game_from_before_is_verified(name: str) -> None:
    chronicle, seed = recorded(name)
    assert chronicle.game.rules == all_variants()[name].rules
    findings = list(replay(chronicle, seed))
    assert len(findings) >= 12
    assert not [(finding.title, fault) for finding in findings for fault in finding.faults]
