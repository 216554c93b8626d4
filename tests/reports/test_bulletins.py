"""What the first report of a game says of its map."""

from __future__ import annotations

import pytest

from gm.chance import Chance
from gm.reports.bulletins import gazetteer
from gm.variants import Variant, all_variants
from tests.variants.written import WRITTEN

WITH_SHEETS = [game for name in WRITTEN if (game := all_variants()[name]).seating.powers]


@pytest.mark.parametrize("variant", WITH_SHEETS, ids=lambda variant: variant.name)
def test_each_name_on_the_map_is_listed_once(variant: Variant) -> None:
    names = gazetteer(variant.board(variant.opening(variant.seating.powers, Chance(bytes(32)))))
    assert len(names) == len(set(names)) > 0
